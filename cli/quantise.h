// At most 255 colours for all frames of an animation, and the nearest of them for each pixel. Show it every frame,
// finish, then map every frame. Pixels with alpha below 128 become index 0, clear; all others are opaque in their own
// colour. Integer arithmetic only, so the same frames give the same palette everywhere. Called by gif.c.
#ifndef CLI_QUANTISE_H
#define CLI_QUANTISE_H

#include <zoetrope/zoetrope.h>

enum { CLI_COLORS_MAX = 255 };

typedef struct cli_quantiser cli_quantiser;

cli_quantiser *cli_quantiser_new(void); // NULL: no memory; freed with cli_quantiser_free
void cli_quantiser_count(cli_quantiser *quantiser, const zo_image *image);
// Up to 255 colours are kept as they are. The number of colours, whose RGB bytes are in `palette`; index i + 1 is
// colour i. UINT32_MAX: no memory.
uint32_t cli_quantiser_finish(cli_quantiser *quantiser, uint8_t palette[CLI_COLORS_MAX * 3]);
void cli_quantiser_map(cli_quantiser *quantiser, const zo_image *image, uint8_t *indices);
void cli_quantiser_free(cli_quantiser *quantiser);

#endif
