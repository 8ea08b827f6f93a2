// The files that belong to the one given: those that its report asks for (a rig, an atlas, pictures, sounds), looked
// for in a few folders, and the other clips of a folder that plays as a set. Called by load.c; knows formats by name
// only where a folder must be told apart from others.
#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include "cli.h"
#include "files.h"
#include "walk.h"

enum { CLI_FOLDERS_MAX = 4 };

typedef struct cli_found {
    char *need; // what it was asked for by; NULL: it was not
    char *path; // on disk; NULL: it is not there
    char *real; // its name in the folder after following links; NULL: the same, or outside
    bool whole; // all of its bytes were read
} cli_found;

typedef struct cli_gathered {
    zo_source *sources;      // the first is the caller's; names and bytes of the others are kept here
    uint32_t count, capacity;
    cli_found *found;        // [capacity]: where each was found
    uint32_t *slots;         // [slot_count], a power of two: indices of `found` by need, 0: free
    uint32_t slot_count;
    char *folders[CLI_FOLDERS_MAX]; // where names are looked for, in this order
    char *roots[CLI_FOLDERS_MAX];   // them resolved, as far as that was wanted
    uint32_t folder_count;
    bool resources;          // the folders around have been added, for formats that name resources
    bool draws;              // the command does, so that a picture that is nowhere is worth a word
    bool whole;              // the folders are all there is: what is not in them is missing
    size_t left;             // bytes that may still be read
    const cli_paths *listed; // files that are judged by themselves, rigs among them; NULL: none are
    const cli_paths *told;   // files that have been judged beside another; NULL: none have
} cli_gathered;

// Whether the program moves bones and sprites of a rig.
bool cli_has_rig(const zo_program *program);
// Whether what was read names pictures that it is drawn with, and without which it is another.
bool cli_has_pictures(const zo_report *report);
// The clip to begin with of a folder of clips that play as a set: idle.json, else the first. NULL: the folder is none.
// Free with free.
char *cli_set_in_folder(const char *folder);

// What several files in one folder are together.
typedef enum cli_folder_kind {
    CLI_FOLDER_PACK, // a character: runtime_manifest.json, which may be missing, and what it names
    CLI_FOLDER_SET,  // an enemy: clips that play as a set, with a rig
    CLI_FOLDER_PET,  // a pet: its configuration and animations
} cli_folder_kind;
// The file to begin with. NULL: the folder is none of these, which has been said. Free with free.
char *cli_first_in_folder(const char *folder, cli_folder_kind *kind);
// The manifest's path if the folder is a pack, else NULL. Free with free.
char *cli_pack_in_folder(const char *folder);

// Begins with `source`, which lies at `path`; --assets and --rig where they are given. NULL is returned after a word on
// why, with *code.
cli_gathered *cli_gather_begin(const cli_args *args, const char *path, const zo_source *source,
                               const cli_paths *listed, const cli_paths *told, int *code);
// The other clips beside the first one.
int cli_gather_set(cli_gathered *g, const char *path, const zo_compile_def *def);
int cli_gather_file(cli_gathered *g, const char *path); // one more
// What the report asks for. *more: something has been found, or found missing, that was not known before.
int cli_gather_needs(cli_gathered *g, const zo_report *report, bool *more);
void cli_gathered_free(cli_gathered *g);

// The file of a name as the sources call it; NULL: it was not found.
const char *cli_gathered_path(const cli_gathered *g, const char *name);

#endif
