// Mending a file: the fixes that come with diagnostics, applied until none is left.
#ifndef CLI_FIX_H
#define CLI_FIX_H

#include <stdio.h>

#include <zoetrope/zoetrope.h>

#include "files.h"

typedef struct cli_fix {
    const char *path;
    const char *real_name; // as of zo_source; may be NULL
    bool dry_run; // show the difference, change nothing
    bool quiet;   // no line a fix
    FILE *talk;   // where the fixes or the difference are told
} cli_fix;

// Applies to `bytes`, which are of the file, every fix that needs no guessing and, unless it is a dry run, writes the
// file anew. `bytes` are then the mended ones. They stay as they are when the result would not be JSON, which is said,
// or could not be written. Returns the exit code of having tried; *fixed: how many were applied.
int cli_fix_file(const cli_fix *fix, const zo_compile_def *def, cli_bytes *bytes, uint32_t *fixed);

#endif
