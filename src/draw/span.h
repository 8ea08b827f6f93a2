// A run of pixels on one row, and what happens to it: texels are fetched (texel.c), multiplied with the vertex colours
// and laid over the target (blend.c). Integers only, so the bytes are the same everywhere. Used by raster.c.
//
// A pixel on its way is a uint32_t with red in the lowest byte and alpha in the highest, as it lies in memory.
#ifndef ZG_SPAN_H
#define ZG_SPAN_H

#include "base/base.h"

enum { ZG_RUN_MAX = 128, ZG_TAPS_MAX = 16 }; // pixels a run; taps along each side of a pixel's footprint

#define ZG_EVEN 0x00FF00FFu // red and blue of a pixel, or, moved down by 8, green and alpha

// A value along a run, 32.32 fixed point modulo 2^64: `at` in the middle of the first pixel, `step` to the next.
typedef struct zg_ramp { uint64_t at, step; } zg_ramp;

// The part of a picture that may be read. Texels outside are those of its border.
typedef struct zg_texels {
    const uint8_t *pixels;              // of the whole picture
    size_t stride;
    int64_t left, top, right, bottom;   // first and last texel, inclusive
} zg_texels;

// Where a reduced picture is looked at: u_count * v_count points about the middle of the pixel's footprint. Steps are
// 32.32 in texels: from one point to the next along the target's x, and along its y.
typedef struct zg_taps {
    uint32_t x_count, y_count;
    uint64_t x_step[2], y_step[2];      // u, v
} zg_taps;

// Each writes `count` pixels, at most ZG_RUN_MAX. u and v are px in the picture, pixel (0,0) covering 0..1.
void zg_fetch_nearest(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v);
void zg_fetch_bilinear(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v);
void zg_fetch_area(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v, const zg_taps *taps);

// Factors are 0..255, 32.32; parts beyond are cut off.
void zg_modulate_all(uint32_t *run, uint32_t count, zg_ramp factor);
void zg_modulate_each(uint32_t *run, uint32_t count, const zg_ramp factors[4]);

// `target`: count pixels of four bytes.
void zg_blend_over(uint8_t *target, const uint32_t *run, uint32_t count);
void zg_blend_add(uint8_t *target, const uint32_t *run, uint32_t count);

// The same in plain C, where the above use vector instructions: the tests compare them.
void zg_fetch_bilinear_plain(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v);
void zg_blend_over_plain(uint8_t *target, const uint32_t *run, uint32_t count);

#endif
