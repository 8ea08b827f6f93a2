// The pictures that a program's cels are shown with: from --picture NAME=FILE, else a pet's own, or the files that the
// program names, else a pet of ours.
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "cli.h"
#include "load.h"

// Files that are part of the program, made at build time from examples/petween/pet.
typedef struct cli_asset {
    const char *name;
    const unsigned char *bytes;
    unsigned long size;
} cli_asset;
extern const cli_asset cli_pet_assets[]; // ends with a NULL name

typedef struct cli_pictures {
    zo_image *images;     // [count], premultiplied; without pixels until wanted
    const cli_asset **waiting; // [count]: what to decode when wanted; NULL: it is there
    zo_size *sizes;       // [count]
    uint32_t count;
    uint32_t *cel_images; // [cel_count]: from 1; 0: that cel has no picture
    uint32_t cel_count;
    bool given;           // by the options or a pet: what is not among them is not there
    bool apart;           // no picture stands in for another that is not there
} cli_pictures;

// Loads what the options name. Says what is wrong and returns another code than CLI_FINE; free in any case.
int cli_pictures_load(const cli_args *args, const cli_loaded *loaded, cli_pictures *pictures);
// Which cels have a picture, as cli_pictures_load would find it without --picture. [cel_count]; false: it would find
// none, and ours stand in for those that the program says are there.
bool cli_pictures_there(const cli_loaded *loaded, bool *there);
void cli_pictures_free(cli_pictures *pictures);
// Decodes picture `image` (from 1) if it is not there yet. false: no memory, said.
bool cli_pictures_want(cli_pictures *pictures, uint32_t image);

#endif
