// The text around the picture: where things stand, what has happened, the keys, and what is wrong with a file being
// edited. Called by play.c, which says what is to be shown; it only lays it out, for any width.
#ifndef CLI_PANEL_H
#define CLI_PANEL_H

#include "blocks.h"
#include "show.h"

typedef struct cli_panel {
    const cli_show *show;
    const char *name;        // of what is played
    bool paused, hidden, reduced;
    bool again;              // not whole: a clip that is over begins anew
    uint32_t speed, slowness; // a fraction
    uint32_t fps;            // reached; 0: not known yet
    zo_clip chosen;          // what `p` plays; none: there is no choice
    const char *asked;       // of a graph: what it asks for
    const char *note;        // the last event or word, or ""
    const char *fault_title; // NULL: nothing is wrong
    const char *faults;      // lines, coloured by SGR sequences
} cli_panel;

uint32_t cli_panel_rows(const cli_panel *panel, uint32_t columns, uint32_t rows); // how many of so many it wants
void cli_panel_draw(const cli_panel *panel, cli_grid *grid, uint32_t row); // from this row to the last
void cli_panel_help(const cli_panel *panel, cli_grid *grid);   // in the middle, over everything
const char *cli_panel_short(const char *name); // of a clip: without what stands before a colon

#endif
