// Pictures for terminals that can show more than characters, by the library chafa where the program was built with it:
// which way this terminal knows, and a picture in that way. Called by play.c.
#ifndef CLI_GRAPHICS_H
#define CLI_GRAPHICS_H

#include "blocks.h"

typedef enum cli_way { CLI_WAY_BLOCKS, CLI_WAY_SYMBOLS, CLI_WAY_SIXEL, CLI_WAY_KITTY } cli_way;

bool cli_chafa_here(void);
cli_way cli_chafa_detect(void);            // by what the environment says of the terminal; blocks when in doubt
const char *cli_chafa_at_end(cli_way way); // what takes the last picture away again

// The picture, straight alpha, over the cells of `area`, for SIXEL and KITTY; it takes the place of the one before.
// `cell_*`: px of a cell, 0 where nobody knows. SYMBOLS go into the grid instead.
void cli_chafa_send(cli_way way, const zo_image *image, cli_area area, uint32_t cell_width, uint32_t cell_height,
                    cli_out *out);
void cli_chafa_symbols(cli_grid *grid, cli_area area, const zo_image *image);

#endif
