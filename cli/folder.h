// A library of animations kept in a folder, one file each: what is in it, and changes to it that happen whole or not at
// all. A file in the folder says with a lock that somebody is at work; a journal says what to take back when that one
// never came to an end.
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli.h"
#include "files.h"

// An animation of the library.
typedef struct cli_stored {
    char *file;    // name within the folder
    char *id;
    cli_bytes bytes;
    char *name, *kind; // as its definition has them
    int64_t duration_ns;
    bool mended;       // its file is of older rules: `bytes` are what it means today
} cli_stored;

// A file that is not taken for an animation, and why.
typedef struct cli_passed {
    char *file, *why;
} cli_passed;

typedef struct cli_folder {
    char *path;
    int lock; // descriptor, -1: without, because nothing can be written there
    bool made; // the folder is new
    cli_stored *items; // in the order of their files' names
    uint32_t count, capacity;
    cli_passed *passed;
    uint32_t passed_count, passed_capacity;
} cli_folder;

// Opens the folder, finishes what an interrupted change left behind, and reads what is there. `write`: it is made when
// it is not there, and must be lockable. Says what is wrong and returns an exit code; close it whatever is returned.
int cli_folder_open(cli_folder *folder, const char *path, bool write, const zo_compile_def *def);
void cli_folder_close(cli_folder *folder); // a new folder that is still empty goes away again

const cli_stored *cli_folder_find(const cli_folder *folder, const char *id); // NULL: it is not there
// "user_wave.json" of user:wave, malloc; NULL: no memory.
char *cli_folder_file_of(const char *id);

typedef struct cli_change {
    const char *file;  // name within the folder
    const void *bytes; // of a new file; NULL: the file is removed
    size_t size;       // a line end is added
} cli_change;

// All of the changes or none. A new file never takes the place of one that is there. Says what is wrong.
bool cli_folder_change(cli_folder *folder, const cli_change *changes, uint32_t count);

#endif
