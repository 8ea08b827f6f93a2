// A pet on disk: a JSON file with its configuration, the animations beside it, and its pictures. Called by load.c, and by
// whoever shows it; knows of the format only what files there are and what they are called.
#ifndef CLI_PET_H
#define CLI_PET_H

#include "cli.h"
#include "files.h"

typedef struct cli_pet {
    char *path;         // of the configuration
    char *folder;       // that it lies in
    zo_source *sources; // the configuration first, which is the caller's; then animations, by their names
    uint32_t source_count;
} cli_pet;

// The configuration in a folder: pet.json, or the only file that is one. NULL: said why. Free with free.
char *cli_pet_in_folder(const char *folder);
bool cli_pet_is(const zo_report *report); // whether that is what was read
// Gathers the animations beside the configuration `source` at `path`: definitions and packs, in its folder and in one
// called animations. *pet is set whatever is returned; not CLI_FINE: said why.
int cli_pet_gather(const char *path, const zo_source *source, const zo_compile_def *def, cli_pet **pet);
void cli_pet_free(cli_pet *pet);

// The file of a picture: the one that has its name, else the one that the configuration gives it. malloc; NULL: none.
char *cli_pet_picture(const cli_pet *pet, const char *name);

#endif
