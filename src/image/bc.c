// BC1 to BC5: two colours or levels a block, and for each texel how far it lies between them. Called by ktx2_decode.c.
// Every bit pattern is a valid block. What lies between is rounded to nearest, as exact arithmetic would have it.
#include "image/blocks.h"

static uint32_t get_16(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }

static void expand_565(uint32_t color, uint8_t out[4]) {
    const uint32_t r = color >> 11, g = color >> 5 & 63, b = color & 31;
    out[0] = (uint8_t)(r << 3 | r >> 2);
    out[1] = (uint8_t)(g << 2 | g >> 4);
    out[2] = (uint8_t)(b << 3 | b >> 2);
    out[3] = 255;
}

// The eight bytes of colours. `four`: always four of them, as BC2 and BC3 have it; else the order of the two says
// whether there are three, and a fourth that is black with this alpha.
static void put_colors(const uint8_t *block, bool four, uint8_t fourth_alpha, uint8_t *texels) {
    const uint32_t first = get_16(block), second = get_16(block + 2);
    uint8_t colors[4][4];
    expand_565(first, colors[0]);
    expand_565(second, colors[1]);
    four = four || first > second;
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t a = colors[0][c], b = colors[1][c];
        colors[2][c] = (uint8_t)(four ? (2 * a + b + 1) / 3 : (a + b + 1) / 2);
        colors[3][c] = (uint8_t)(four ? (a + 2 * b + 1) / 3 : 0);
    }
    colors[2][3] = 255;
    colors[3][3] = four ? 255 : fourth_alpha;
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        memcpy(texels + i * 4, colors[block[4 + i / 4] >> i % 4 * 2 & 3], 4);
    }
}

// The eight bytes of levels, into one channel.
static void put_levels(const uint8_t *block, uint8_t *channel) {
    const uint32_t first = block[0], second = block[1];
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 6; i++) { bits |= (uint64_t)block[2 + i] << i * 8; }
    uint8_t levels[8] = {block[0], block[1], 0, 0, 0, 0, 0, 255};
    const uint32_t parts = first > second ? 7 : 5;
    for (uint32_t k = 1; k < parts; k++) {
        levels[k + 1] = (uint8_t)(((parts - k) * first + k * second + parts / 2) / parts);
    }
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) { channel[i * 4] = levels[bits >> i * 3 & 7]; }
}

static void put_black(uint8_t *texels) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) { memcpy(texels + i * 4, (const uint8_t[4]){0, 0, 0, 255}, 4); }
}

bool zi_bc1_block(const uint8_t *block, uint8_t *texels) {
    put_colors(block, false, 255, texels);
    return true;
}

bool zi_bc1a_block(const uint8_t *block, uint8_t *texels) {
    put_colors(block, false, 0, texels);
    return true;
}

bool zi_bc2_block(const uint8_t *block, uint8_t *texels) {
    put_colors(block + 8, true, 255, texels);
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        texels[i * 4 + 3] = (uint8_t)((block[i / 2] >> i % 2 * 4 & 15) * 17);
    }
    return true;
}

bool zi_bc3_block(const uint8_t *block, uint8_t *texels) {
    put_colors(block + 8, true, 255, texels);
    put_levels(block, texels + 3);
    return true;
}

bool zi_bc4_block(const uint8_t *block, uint8_t *texels) {
    put_black(texels);
    put_levels(block, texels);
    return true;
}

bool zi_bc5_block(const uint8_t *block, uint8_t *texels) {
    put_black(texels);
    put_levels(block, texels);
    put_levels(block + 8, texels + 1);
    return true;
}
