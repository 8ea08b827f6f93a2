// How far a long piece of work has come, on a terminal or for a program. Called by render.c and charpack.c.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"

// Whether somebody is there to see it, and has not asked for quiet.
bool cli_progress_wanted(const cli_args *args);
// A bar on the standard error stream, gone when the work is done. The context is not looked at.
void cli_progress(void *context, uint32_t done, uint32_t total);
// The same as lines of JSON on the standard output stream: {"done": 3, "total": 25}. The last has both the same.
void cli_progress_json(void *context, uint32_t done, uint32_t total);

#endif
