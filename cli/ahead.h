// Which pictures will be wanted soon, from where a character stands: those that follow in its clip, and the beginnings
// of what may come next. For the store of textures, which loads them before they are shown. Called by scene.c; decides
// nothing of what is shown.
#ifndef CLI_AHEAD_H
#define CLI_AHEAD_H

#include "cli.h"
#include "textures.h"

typedef struct cli_ahead_clip {
    uint32_t first, count; // of `cels`: what its frames show
    int64_t interval_ns;   // of each
    bool loops;
} cli_ahead_clip;

typedef struct cli_ahead {
    const zo_program *program;
    cli_ahead_clip *clips; // [clip_count]
    uint32_t *cels;        // from 1; 0: none
    uint32_t cel_count;
    uint32_t *others;      // cels that no clip shows, such as what lies over a mouth
    uint32_t other_count;
    uint32_t *first_edges; // [state_count + 1]
    cli_wish *wishes;
    uint32_t wish_count, wish_capacity;
    bool asked;
    uint32_t clip, frame, state; // that the last wishes were for
} cli_ahead;

bool cli_ahead_open(cli_ahead *ahead, const zo_program *program); // false: no memory
void cli_ahead_close(cli_ahead *ahead);
// Wishes for what comes after `instance`, textures being the cels' numbers less 1; nothing where it has not moved on.
void cli_ahead_wish(cli_ahead *ahead, const zo_instance *instance, cli_textures *store);
// The cel before this one, or at the beginning of a clip the one after it, in the first clip that shows it: what stands
// in for it when it cannot be loaded, the same however one has come there. `tries` counts from 0; none: there are no
// more.
zo_cel cli_ahead_stand_in(const cli_ahead *ahead, zo_cel cel, uint32_t tries);

#endif
