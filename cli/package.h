// Pet packages: a zip in memory, what is in it as the library wants to know it, and one written. Called by load.c and
// by
// `convert`. Unpacks only what the library finds worth unpacking, and never more than an entry says it has.
#ifndef CLI_PACKAGE_H
#define CLI_PACKAGE_H

#include "cli.h"
#include "files.h"

enum { CLI_PACKAGE_ENTRIES_MAX = 64 };

typedef struct cli_package {
    zo_archive archive;     // as zo_compile_def takes it
    zo_source manifest;     // named after the archive; of kind MISSING when it could not be had
    zo_entry entries[CLI_PACKAGE_ENTRIES_MAX];
    cli_bytes contents[CLI_PACKAGE_ENTRIES_MAX]; // by entry; no data: not unpacked
    char *names[CLI_PACKAGE_ENTRIES_MAX];
    char damages[CLI_PACKAGE_ENTRIES_MAX][80];
    char *manifest_name;
    char fault[120];
} cli_package;

extern const char cli_package_format[]; // the format's name

bool cli_package_is(const cli_bytes *bytes); // a zip, by its content
// Whatever is wrong with it is in `archive`, for the report. `bytes` are borrowed until this returns; `name` for as
// long as the package lives. NULL: no memory, said. Free with cli_package_free.
cli_package *cli_package_open(const char *name, const cli_bytes *bytes);
void cli_package_free(cli_package *package);

// The picture of that id, by its content: the entry's index, or -1.
int cli_package_picture(const cli_package *package, const char *id);

// A file of an archive to be written.
typedef struct cli_packed {
    const char *name;
    const void *bytes;
    size_t size;
    bool stored; // it is compressed already
} cli_packed;

// A zip of the files, in the order of their names, with the same bytes for the same files at any time. false: said why.
bool cli_package_write(const cli_packed *files, uint32_t count, cli_bytes *zip);

#endif
