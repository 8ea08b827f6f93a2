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
// The same of an ordinary file, saying nothing: why it cannot be read is put into `fault`, a clause.
bool cli_read_quietly(const char *path, size_t limit, cli_bytes *bytes, char *fault, size_t fault_size);
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

// A folder that is new, whole or not at all: made under another name beside its place, filled, and renamed. Names are
// relative to it, '/' between the parts; the folders that they lead through are made. One at a time.
typedef struct cli_made cli_made;
typedef struct cli_tree {
    char *path, *temporary;
    cli_made *made; // all that is there, the newest first
    bool sync;      // each file is on the disk before the next
} cli_tree;

bool cli_tree_open(cli_tree *tree, const char *path); // where something else than a folder is: false
bool cli_tree_add(cli_tree *tree, const char *name, const void *bytes, size_t size);
// The file's place on disk until the tree is committed; free with free. NULL: no memory, said.
char *cli_tree_path(const cli_tree *tree, const char *name);
// Where there is an empty folder it gives way. One that is not empty is left alone, and that is a failure; with `aside`
// it is put under another name beside, which *aside then is (free it), for the caller to remove. false: said why,
// nothing is left, and what was there is.
bool cli_tree_commit(cli_tree *tree, char **aside);
void cli_tree_discard(cli_tree *tree); // after open, instead of commit; no harm after it

// The same with files that are in memory, each on the disk before the folder is in place.
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
