// Reading and writing whole files: the only place of the program that opens any. Output goes to a temporary file beside
// the target and is renamed when it is whole, so that a failure leaves what was there. A signal that ends the program
// removes the temporary files first.
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_bytes {
    uint8_t *data; // malloc
    size_t size;
} cli_bytes;

// The bytes of a file, "-" for the standard input. At most `limit` + 1 bytes are read, so that a larger file can be
// seen to be too large. Says what is wrong and returns false.
bool cli_read_file(const char *path, size_t limit, cli_bytes *bytes);
void cli_bytes_free(cli_bytes *bytes);
bool cli_file_exists(const char *path);
bool cli_is_file(const char *path); // an ordinary one, or a link to one
bool cli_same_file(const char *a, const char *b); // false also when one is not there

// A file being written. `stream` is NULL once something failed, which is said when it happens.
typedef struct cli_file {
    FILE *stream;
    char *path;
    char *temporary; // NULL: the standard output, or a target that is no ordinary file
} cli_file;

bool cli_file_open(cli_file *file, const char *path); // "-": the standard output
bool cli_file_write(cli_file *file, const void *bytes, size_t size);
bool cli_file_commit(cli_file *file);  // false: the target is as it was
void cli_file_discard(cli_file *file); // after open, instead of commit
// Two files that mean nothing without each other: both or neither.
bool cli_file_commit_pair(cli_file *first, cli_file *second);

// A folder that is new, whole or not at all: made under another name beside its place and renamed. The files' names are
// relative to it and lead at most one folder down. Where there is an empty folder it gives way; anything else is left
// alone.
typedef struct cli_member {
    const char *name;
    const void *bytes;
    size_t size;
} cli_member;
// false: said why, and nothing is left
bool cli_write_folder(const char *path, const cli_member *files, uint32_t count);

// Signals that end the program wait from hold to release. A process begun in between and named here is ended before the
// temporary files are removed; 0: it is over.
void cli_signals_hold(void);
void cli_signals_release(void);
void cli_signals_child(int process);

#endif
