// Textures that are too many to be kept all at once: decoded ahead on a thread of their own, kept within a budget of
// bytes, the least wanted given up first. One store a program that is shown. Called by pictures.c on one thread; knows
// neither files nor formats, for those are the loader's.
#ifndef CLI_TEXTURES_H
#define CLI_TEXTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zoetrope/image.h>

typedef struct cli_textures cli_textures;
typedef struct cli_texture_job cli_texture_job;

enum { CLI_FAULT_SIZE = 256 }; // bytes of a text that says what is wrong

typedef struct cli_texture_loader {
    // Loads texture `index`: asks for room before it takes memory, each time for all that it then has, and gives up
    // when there is none. Pixels in malloc memory, premultiplied. false: `fault` says why; "": there was no room. On
    // the store's thread or the caller's, one at a time.
    bool (*load)(void *context, uint32_t index, cli_texture_job *job, zo_image *image, char fault[CLI_FAULT_SIZE]);
    void *context;
} cli_texture_loader;

// Room for so many bytes in all for this job; others are given up for it. false: the budget has none.
bool cli_textures_room(cli_texture_job *job, uint64_t bytes);

typedef struct cli_textures_def {
    uint32_t count;     // of textures, known by their number from 0
    uint64_t limit;     // bytes in memory: pixels, and what loading takes. Only what is held or waited for may pass it
    cli_texture_loader loader;
    bool here;          // no thread: everything is loaded when it is taken
} cli_textures_def;

// NULL: no memory. A thread that cannot be had is done without.
cli_textures *cli_textures_open(const cli_textures_def *def);
void cli_textures_close(cli_textures *store); // what is held is freed as well

// Wishes: the higher, the longer it is kept and the sooner it is loaded; 0: it is not wished for.
typedef struct cli_wish {
    uint32_t texture, priority;
    bool keep; // if it is there; nothing is loaded for this wish
} cli_wish;
enum { CLI_WISH_NEXT = 100 }; // soon to be seen, and what a taker that did not wait has asked for
// Takes the place of all wishes before; of several for one texture the highest counts. The first are loaded first,
// where they are as high as others.
void cli_textures_wish(cli_textures *store, const cli_wish *wishes, uint32_t count);

// The texture, which stays in memory until it is given back as often as it was taken. With `wait` NULL means that it
// cannot be loaded; without also that it is not there yet, and then it is loaded before anything else.
const zo_image *cli_textures_take(cli_textures *store, uint32_t texture, bool wait);
void cli_textures_give(cli_textures *store, uint32_t texture);
// Whether it was found that it cannot be loaded.
bool cli_textures_is_broken(cli_textures *store, uint32_t texture);
// The next of those that somebody wanted to take and that was found so, each once, with the reason. What is only wished
// for is not told of. false: there is none.
bool cli_textures_next_fault(cli_textures *store, uint32_t *texture, char fault[CLI_FAULT_SIZE]);

typedef struct cli_textures_figures {
    uint64_t used, peak;      // bytes now, and at most
    uint64_t held;            // bytes of what is taken now
    uint64_t over;            // the most that was above the limit
    uint64_t loads, waits, evictions; // so far; waits: a taker had to wait
} cli_textures_figures;
cli_textures_figures cli_textures_get_figures(cli_textures *store);

#endif
