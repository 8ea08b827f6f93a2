// A screen of character cells: text and pictures put into it, and what has to be sent so that a terminal that shows one
// screen shows another. Pictures are half blocks, two pixels a cell. Called by play.c and what it draws with; touches
// no terminal.
#ifndef CLI_BLOCKS_H
#define CLI_BLOCKS_H

#include "cli.h"

// 0: the terminal's own colour. Others are made by cli_ink_of and the constants; how they are coded is blocks.c's.
typedef uint32_t cli_ink;
#define CLI_INK_INDEX(n) (0x02000000u | (n)) // one of the terminal's 256

enum { CLI_BOLD = 1, CLI_DIM = 2, CLI_INVERSE = 4 };

typedef struct cli_cell {
    uint32_t glyph; // of Unicode; 0: the cell before it is two wide
    cli_ink ink, paper;
    uint32_t style;
} cli_cell;

typedef struct cli_grid {
    uint32_t width, height;
    cli_cell *cells;
    bool true_color; // else pictures get the nearest of 256
} cli_grid;

typedef struct cli_area {
    uint32_t column, row, width, height; // cells
} cli_area;

typedef struct cli_pen {
    cli_ink ink, paper;
    uint32_t style;
} cli_pen;

bool cli_grid_size(cli_grid *grid, uint32_t width, uint32_t height); // cleared; false: no memory, and it is empty
void cli_grid_free(cli_grid *grid);
void cli_grid_clear(cli_grid *grid, cli_area area, cli_pen pen);
void cli_grid_put(cli_grid *grid, uint32_t row, uint32_t column, cli_cell cell); // outside: nothing
cli_ink cli_ink_of(const cli_grid *grid, uint8_t r, uint8_t g, uint8_t b);

// Puts a text (UTF-8; what would move the cursor as signs) from a column on, cut before `end`. Returns where it ends.
uint32_t cli_grid_text(cli_grid *grid, uint32_t row, uint32_t column, uint32_t end, cli_pen pen, const char *text);
uint32_t cli_text_width(const char *text); // columns
// A picture of area.width x 2 * area.height pixels, premultiplied; less than half covered is the terminal's own colour.
void cli_grid_picture(cli_grid *grid, cli_area area, const zo_image *image);

// What is to be sent. `failed`: no memory, and then nothing of it may be.
typedef struct cli_out {
    char *data;
    size_t size, capacity;
    bool failed;
} cli_out;

void cli_out_put(cli_out *out, const void *bytes, size_t size);
void cli_out_text(cli_out *out, const char *text);
void cli_out_number(cli_out *out, uint32_t number);
void cli_out_free(cli_out *out);

// Sends what differs between `shown`, what the terminal shows, and `wanted`; `shown` is then the same. When they differ
// in size, or nothing is shown yet, all is sent. Leaves the terminal's pen at its own colours.
void cli_blocks_send(cli_grid *shown, const cli_grid *wanted, cli_out *out);

#endif
