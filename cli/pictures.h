// The pictures that a program's cels are shown with: from --picture NAME=FILE, else a pet's own, or the files that the
// program names, else a pet of ours.
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include "cli.h"
#include "load.h"
#include "textures.h"

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
    // Of a pack of textures: the first of the pictures, one a cel, are in the store and come when they are taken.
    cli_textures *store;  // NULL: there are none
    uint32_t stored;      // how many
    char **paths;         // [stored]
    uint32_t *taken;      // [stored]: when, by count; 0: it is given back
    uint32_t takes;
    bool waits;           // for what is not there yet
} cli_pictures;

// Loads what the options name. Says what is wrong and returns another code than CLI_FINE; free in any case.
int cli_pictures_load(const cli_args *args, const cli_loaded *loaded, cli_pictures *pictures);
// Which cels have a picture, as cli_pictures_load would find it without --picture. [cel_count]; false: it would find
// none, and ours stand in for those that the program says are there.
bool cli_pictures_there(const cli_loaded *loaded, bool *there);
void cli_pictures_free(cli_pictures *pictures);
// As large as the stage, px, from 1 to 65535 a side however large that is: a picture whose own size nobody knows yet.
zo_size cli_size_of_stage(const zo_program *program);
// Decodes picture `image` (from 1) if it is not there yet. false: no memory, said.
bool cli_pictures_want(cli_pictures *pictures, uint32_t image);

// Between begin and end pictures of the store are taken, each as often as one likes: pixels and size are then there.
// What is not taken again is given back at the end of the next such time.
void cli_pictures_begin(cli_pictures *pictures);
bool cli_pictures_take(cli_pictures *pictures, uint32_t image); // false: it is not there, or never will be
void cli_pictures_end(cli_pictures *pictures);
static inline bool cli_pictures_is_stored(const cli_pictures *pictures, uint32_t image) {
    return image >= 1 && image <= pictures->stored;
}
// What could not be loaded, each once: written to `text`, for people. false: there is nothing new.
bool cli_pictures_next_fault(cli_pictures *pictures, char *text, size_t size);

#endif
