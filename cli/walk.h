// The files of a kind in a folder and the folders in it: for commands that take many files.
#ifndef CLI_WALK_H
#define CLI_WALK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_paths {
    char **items; // malloc, each of them too
    uint32_t count, capacity;
    bool failed;  // a folder could not be read, or memory ran out: said
    char *astray; // by walking for an ending: the first link with it that is no file of the folder's; NULL: none
} cli_paths;

bool cli_is_folder(const char *path);
// Adds a path, copied.
void cli_paths_add(cli_paths *paths, const char *path);
// Adds every *.json and *.b3d in the folder, of a character pack the manifest alone, by name, folders where their names
// stand.
// Hidden ones are passed over, and so are links to folders and links that lead out of the folder given.
void cli_paths_walk(cli_paths *paths, const char *folder);
// The same of files with another ending, such as ".png", in any letter case; "": all files.
void cli_paths_walk_ending(cli_paths *paths, const char *folder, const char *ending);
// The same of the folder alone, and of what folders in it hold nothing. A folder that is not there holds nothing. Links
// must end within `root`.
void cli_paths_list(cli_paths *paths, const char *folder, const char *root);
void cli_paths_free(cli_paths *paths);

#endif
