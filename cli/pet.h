// A pet on disk or in a package: a JSON file with its configuration, the animations beside it, and its pictures. Called
// by load.c, and by whoever shows it; knows of the format only what files there are and what they are called.
#ifndef CLI_PET_H
#define CLI_PET_H

#include "cli.h"
#include "files.h"
#include "host/package.h"

typedef struct cli_pet {
    char *path;         // of the configuration, or of the package
    char *folder;       // that it lies in
    zo_source *sources; // the configuration first, which is the caller's; then animations, by their names
    uint32_t source_count;
    const pet_package *package; // the caller's: it has the pictures; NULL: they lie on disk
} cli_pet;

// The configuration in a folder: pet.json, or the only file that is one. NULL: said why. Free with free.
char *cli_pet_in_folder(const char *folder);
bool cli_pet_is(const zo_report *report); // whether that is what was read
// The format of what was found so: NULL, the content says it; a pet's where it does not, for all may be left out.
const char *cli_pet_format(const char *path, const cli_bytes *bytes);
// Gathers the animations beside the configuration `source` at `path`: definitions and packs, in its folder and in one
// called animations. *pet is set whatever is returned; not CLI_FINE: said why.
int cli_pet_gather(const char *path, const zo_source *source, const zo_compile_def *def, cli_pet **pet);
// The same of one in a package; the package must outlive it. NULL: no memory, said.
cli_pet *cli_pet_of_package(const char *path, const pet_package *package);
void cli_pet_free(cli_pet *pet);

// A picture of the pet: the file that has its name, else the one that the configuration gives it.
typedef struct cli_pet_image {
    char *name;        // malloc; the path on disk, or what the package calls it
    const void *bytes; // in the package; NULL: on disk
    size_t size;
} cli_pet_image;
bool cli_pet_image_of(const cli_pet *pet, const char *name, cli_pet_image *image); // false: there is none
// Its path, malloc; NULL: it is not a file on disk, or there is none.
char *cli_pet_picture(const cli_pet *pet, const char *name);

#endif
