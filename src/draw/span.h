// A run of pixels on one row, and what happens to it: texels are fetched (texel.c), multiplied with the vertex colours
// and laid over the target (blend.c). Integers only, so the bytes are the same everywhere; what stands in space runs in
// doubles before (deep.c), of which the same holds. Used by raster.c.
//
// A pixel on its way is a uint32_t with red in the lowest byte and alpha in the highest, as it lies in memory.
#ifndef ZG_SPAN_H
#define ZG_SPAN_H

#include <math.h>

#include "base/base.h"

enum { ZG_RUN_MAX = 128, ZG_TAPS_MAX = 16 }; // pixels a run; taps along each side of a pixel's footprint

#define ZG_EVEN 0x00FF00FFu // red and blue of a pixel, or, moved down by 8, green and alpha

// A value along a run, 32.32 fixed point modulo 2^64: `at` in the middle of the first pixel, `step` to the next.
typedef struct zg_ramp { uint64_t at, step; } zg_ramp;

// The part of a picture that may be read. Texels outside are those of its border, or the part again along an axis that
// repeats.
typedef struct zg_texels {
    const uint8_t *pixels;              // of the whole picture
    size_t stride;
    int64_t left, top, right, bottom;   // first and last texel, inclusive
    bool repeat_x, repeat_y;
} zg_texels;

// Where a reduced picture is looked at: u_count * v_count points about the middle of the pixel's footprint. Steps are
// 32.32 in texels: from one point to the next along the target's x, and along its y.
typedef struct zg_taps {
    uint32_t x_count, y_count;
    uint64_t x_step[2], y_step[2];      // u, v
} zg_taps;

static inline uint64_t zg_fixed(double value) { // 32.32, nearest
    const double scaled = floor(value * 4294967296.0 + 0.5);
    return (uint64_t)(int64_t)zb_clamp(scaled, -4611686018427387904.0, 4611686018427387904.0);
}

// Each writes `count` pixels, at most ZG_RUN_MAX. u and v are px in the picture, pixel (0,0) covering 0..1.
void zg_fetch_nearest(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v);
void zg_fetch_bilinear(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v);
void zg_fetch_area(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v, const zg_taps *taps);

// Points along one side of a footprint that reaches (u, v) texels: how many, and the way from one to the next.
uint32_t zg_set_taps(double u, double v, uint64_t step[2]);

// ---------------------------------------------------------------------------------------------------- deep.c

// A value over the target that runs in doubles, the same everywhere because they are reckoned in one order: in the
// middle of pixel (0,0), and to the next pixel right and below. It never leaves low..high, the range of the corners:
// rounding might lead out of it, most of all where a triangle is seen from its edge.
typedef struct zg_slope { double start, dx, dy, low, high; } zg_slope;

// Where in the target a run is.
typedef struct zg_place { uint32_t x, y, count; } zg_place;

// The depths of a run, 0..ZG_DEPTH_MAX, or ZO_DEPTH_FAR where it is hidden by `under`, which may be NULL. false: all
// is.
bool zg_depth_test(uint32_t *depths, const zg_place *at, const zg_slope *depth, const uint32_t *under);
// Pixels that are hidden, or of less alpha than that, become nothing; the others leave their depths in `under`, if it
// is not NULL.
void zg_depth_keep(uint32_t *run, const uint32_t *depths, uint32_t count, uint32_t alpha_min, uint32_t *under);
#define ZG_DEPTH_MAX 2147483647.0

// Texture and colours of a triangle in perspective. All but `inverse` run multiplied with it, are divided by it again,
// and are within low..high then.
typedef struct zg_perspective {
    zg_slope inverse, u, v, color[4]; // the last four of factors 0..255
    bool colored;            // else they do not run
    bool nearest;
} zg_perspective;
// `depths`: as of zg_depth_test, of which those that are hidden are passed over; NULL: none is. `texels`: NULL: plain
// colour.
void zg_fetch_perspective(uint32_t *run, const zg_place *at, const uint32_t *depths, const zg_texels *texels,
                          const zg_perspective *p);

// ---------------------------------------------------------------------------------------------------- blend.c

// Factors are 0..255, 32.32; parts beyond are cut off.
void zg_modulate_all(uint32_t *run, uint32_t count, zg_ramp factor);
void zg_modulate_each(uint32_t *run, uint32_t count, const zg_ramp factors[4]);
void zg_modulate_flat(uint32_t *run, uint32_t count, uint32_t factors); // the same for all, each 0..255, as in a pixel

// `target`: count pixels of four bytes.
void zg_blend_over(uint8_t *target, const uint32_t *run, uint32_t count);
void zg_blend_add(uint8_t *target, const uint32_t *run, uint32_t count);

// The same in plain C, where the above use vector instructions: the tests compare them.
void zg_fetch_bilinear_plain(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v);
void zg_blend_over_plain(uint8_t *target, const uint32_t *run, uint32_t count);
void zg_modulate_flat_plain(uint32_t *run, uint32_t count, uint32_t factors);
bool zg_depth_test_plain(uint32_t *depths, const zg_place *at, const zg_slope *depth, const uint32_t *under);

#endif
