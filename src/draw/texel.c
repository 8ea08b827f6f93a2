// Texels for a run of pixels: the nearest, four mixed, or the average over what a pixel covers of a reduced picture.
// Called by raster.c. Knows nothing of triangles. Never reads outside the part of the picture that it was given.
//
// Mixing is on premultiplied texels, so no colour of transparent texels comes through, and its weights have eight bits
// and add up to 256: a pixel in the middle of a texel is that texel exactly.
#include "draw/span.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Moves u and v so that a middle of a texel stands at a whole number, and by half the smallest weight, so that weights
// are rounded, not cut.
#define MIDDLE (0x80000000u - 0x00800000u)
// A point on the border between two texels belongs to the second, also when it was computed a hair short.
#define HAIR 0x00010000u
#define ONE ((int64_t)1 << 32)
// Ramps steeper than this, or farther away, may wrap around within a run; they are always read with care.
#define STEEP ((uint64_t)1 << 52)

static inline uint32_t load_texel(const uint8_t *from) {
    uint32_t texel;
    memcpy(&texel, from, 4);
    return texel;
}

// Which texel of low..high stands at an index; beyond them the nearest, or what is as far on in the same again.
static inline int64_t pick_index(int64_t index, int64_t low, int64_t high, bool repeat) {
    if (index >= low && index <= high) { return index; }
    if (!repeat) { return index < low ? low : high; }
    const int64_t count = high - low + 1;
    if ((count & (count - 1)) == 0) { return low + ((index - low) & (count - 1)); } // as most are, without a division
    const int64_t rest = (index - low) % count;
    return low + (rest < 0 ? rest + count : rest);
}

static inline int64_t pick_x(const zg_texels *texels, int64_t x) {
    return pick_index(x, texels->left, texels->right, texels->repeat_x);
}
static inline int64_t pick_y(const zg_texels *texels, int64_t y) {
    return pick_index(y, texels->top, texels->bottom, texels->repeat_y);
}

static inline const uint8_t *texel_row(const zg_texels *texels, int64_t y) {
    return texels->pixels + (size_t)y * texels->stride;
}

static inline int64_t whole(uint64_t fixed) { return (int64_t)fixed >> 32; }
static inline uint32_t weight(uint64_t fixed) { return (uint32_t)(fixed >> 24) & 255; }

// Whether all of a run is in low..high: what runs evenly is between its ends, unless it wraps around.
static inline bool stays_within(zg_ramp ramp, uint32_t count, int64_t low, int64_t high) {
    const int64_t first = whole(ramp.at), last = whole(ramp.at + (count - 1) * ramp.step);
    return first >= low && first <= high && last >= low && last <= high && ramp.step + STEEP <= 2 * STEEP;
}

void zg_fetch_nearest(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v) {
    u.at += HAIR;
    v.at += HAIR;
    if (stays_within(u, count, texels->left, texels->right) && stays_within(v, count, texels->top, texels->bottom)) {
        for (uint32_t i = 0; i < count; i++, u.at += u.step, v.at += v.step) {
            run[i] = load_texel(texel_row(texels, whole(v.at)) + (size_t)whole(u.at) * 4);
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++, u.at += u.step, v.at += v.step) {
        const int64_t x = pick_x(texels, whole(u.at));
        const int64_t y = pick_y(texels, whole(v.at));
        run[i] = load_texel(texel_row(texels, y) + (size_t)x * 4);
    }
}

// The share of the texel to the right and below is fx * fy / 256, rounded; the other three follow so that all four add
// up to 256 and none is negative.
typedef struct shares { uint32_t near, right, below, across; } shares;

static inline shares shares_of(uint32_t fx, uint32_t fy) {
    const uint32_t across = (fx * fy + 128) >> 8;
    return (shares){.near = 256 - fx - fy + across, .right = fx - across, .below = fy - across, .across = across};
}

static inline uint32_t mix(uint32_t t00, uint32_t t10, uint32_t t01, uint32_t t11, shares w) {
    const uint32_t even = (t00 & ZG_EVEN) * w.near + (t10 & ZG_EVEN) * w.right + (t01 & ZG_EVEN) * w.below +
                          (t11 & ZG_EVEN) * w.across;
    const uint32_t odd = (t00 >> 8 & ZG_EVEN) * w.near + (t10 >> 8 & ZG_EVEN) * w.right +
                         (t01 >> 8 & ZG_EVEN) * w.below + (t11 >> 8 & ZG_EVEN) * w.across;
    return ((even + 0x00800080u) >> 8 & ZG_EVEN) | ((odd + 0x00800080u) & ~ZG_EVEN);
}

// u and v moved by MIDDLE, where all four texels are there.
static inline uint32_t sample_inside(const zg_texels *texels, uint64_t u, uint64_t v) {
    const uint8_t *row0 = texel_row(texels, whole(v)) + 4 * (size_t)whole(u);
    const uint8_t *row1 = row0 + texels->stride;
    return mix(load_texel(row0), load_texel(row0 + 4), load_texel(row1), load_texel(row1 + 4),
               shares_of(weight(u), weight(v)));
}

#if defined(__SSE2__)
// Both texels of a row lie next to each other: eight lanes of sixteen bits a row, in which no sum exceeds 65280.
static inline uint32_t sample_inside_fast(const zg_texels *texels, uint64_t u, uint64_t v) {
    const uint8_t *row0 = texel_row(texels, whole(v)) + 4 * (size_t)whole(u);
    const uint8_t *row1 = row0 + texels->stride;
    const __m128i zero = _mm_setzero_si128();
    const shares w = shares_of(weight(u), weight(v));
    const __m128i near = _mm_cvtsi32_si128((int)(w.near | w.right << 16));
    const __m128i below = _mm_cvtsi32_si128((int)(w.below | w.across << 16));
    const __m128i near_lanes = _mm_shuffle_epi32(_mm_unpacklo_epi16(near, near), 0x50);
    const __m128i below_lanes = _mm_shuffle_epi32(_mm_unpacklo_epi16(below, below), 0x50);
    const __m128i upper = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)row0), zero);
    const __m128i lower = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)row1), zero);
    __m128i sum = _mm_add_epi16(_mm_mullo_epi16(upper, near_lanes), _mm_mullo_epi16(lower, below_lanes));
    sum = _mm_add_epi16(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(128)), 8);
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
}
#else
#define sample_inside_fast sample_inside
#endif

// The same at the border of the part that may be read.
static inline uint32_t sample_border(const zg_texels *texels, uint64_t u, uint64_t v) {
    const size_t x0 = 4 * (size_t)pick_x(texels, whole(u));
    const size_t x1 = 4 * (size_t)pick_x(texels, whole(u) + 1);
    const uint8_t *row0 = texel_row(texels, pick_y(texels, whole(v)));
    const uint8_t *row1 = texel_row(texels, pick_y(texels, whole(v) + 1));
    return mix(load_texel(row0 + x0), load_texel(row0 + x1), load_texel(row1 + x0), load_texel(row1 + x1),
               shares_of(weight(u), weight(v)));
}

// Anywhere: there are few borders also in what repeats.
static inline uint32_t sample_with_care(const zg_texels *texels, uint64_t u, uint64_t v) {
    const int64_t x = pick_x(texels, whole(u)), y = pick_y(texels, whole(v));
    const bool inside = x < texels->right && y < texels->bottom && (texels->repeat_x || x == whole(u)) &&
                        (texels->repeat_y || y == whole(v));
    if (!inside) { return sample_border(texels, u, v); }
    const uint64_t moved_u = u + ((uint64_t)(x - whole(u)) << 32), moved_v = v + ((uint64_t)(y - whole(v)) << 32);
    return sample_inside_fast(texels, moved_u, moved_v);
}

// The pixels first..end - 1 of a run, none of which needs care.
typedef struct inner { uint32_t first, end; } inner;

// The first number of steps, at most `count`, that leads as far as `way`.
static uint32_t steps_to(int64_t way, int64_t step, uint32_t count) {
    if (way <= 0) { return 0; }
    const int64_t steps = (way - 1) / step + 1;
    return steps < count ? (uint32_t)steps : count;
}

// Narrows `part` to the pixels where the ramp, give or take `reach`, has a texel at it and one behind, in low..high.
static void keep_inside(inner *part, zg_ramp ramp, uint64_t reach, int64_t low, int64_t high) {
    if (ramp.step + STEEP > 2 * STEEP || ramp.at + STEEP > 2 * STEEP || reach > STEEP) {
        part->first = part->end;
        return;
    }
    const int64_t step = (int64_t)ramp.step;
    const int64_t to_low = low * ONE + (int64_t)reach - (int64_t)ramp.at;   // from here on
    const int64_t to_high = high * ONE - (int64_t)reach - (int64_t)ramp.at; // before here
    uint32_t first = 0, end = part->end;
    if (step > 0) {
        first = steps_to(to_low, step, end);
        end = steps_to(to_high, step, end);
    } else if (step < 0) {
        first = steps_to(1 - to_high, -step, end);
        end = steps_to(1 - to_low, -step, end);
    } else if (to_low > 0 || to_high <= 0) {
        end = 0;
    }
    part->first = first > part->first ? first : part->first;
    part->end = end > part->first ? end : part->first;
}

static inner inner_part(const zg_texels *texels, uint32_t count, zg_ramp u, zg_ramp v, const uint64_t reach[2]) {
    inner part = {.first = 0, .end = count};
    keep_inside(&part, u, reach[0], texels->left, texels->right);
    keep_inside(&part, v, reach[1], texels->top, texels->bottom);
    return part;
}

// Pixels first..end - 1 of a run, at its border.
static void fetch_with_care(uint32_t *run, uint32_t first, uint32_t end, const zg_texels *texels, zg_ramp u,
                            zg_ramp v) {
    for (uint32_t i = first; i < end; i++) {
        run[i] = sample_with_care(texels, u.at + i * u.step, v.at + i * v.step);
    }
}

void zg_fetch_bilinear_plain(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v) {
    u.at -= MIDDLE;
    v.at -= MIDDLE;
    const inner part = inner_part(texels, count, u, v, (const uint64_t[2]){0, 0});
    fetch_with_care(run, 0, part.first, texels, u, v);
    for (uint32_t i = part.first; i < part.end; i++) {
        run[i] = sample_inside(texels, u.at + i * u.step, v.at + i * v.step);
    }
    fetch_with_care(run, part.end, count, texels, u, v);
}

void zg_fetch_bilinear(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v) {
    u.at -= MIDDLE;
    v.at -= MIDDLE;
    const inner part = inner_part(texels, count, u, v, (const uint64_t[2]){0, 0});
    fetch_with_care(run, 0, part.first, texels, u, v);
    for (uint32_t i = part.first; i < part.end; i++) {
        run[i] = sample_inside_fast(texels, u.at + i * u.step, v.at + i * v.step);
    }
    fetch_with_care(run, part.end, count, texels, u, v);
}

// ---------------------------------------------------------------------------------------------------- reduced

// Four channels of sixteen bits, red, blue, green, alpha: the sum of 256 samples still fits.
static inline uint64_t spread(uint32_t texel) { return (texel & ZG_EVEN) | (uint64_t)(texel >> 8 & ZG_EVEN) << 32; }

// Each sum / count, rounded to nearest; `inverse` is 2^32 / count rounded up, exact for sums below 2^16.
static inline uint32_t average(uint64_t sum, uint32_t count, uint64_t inverse) {
    const uint64_t half = count / 2;
    const uint32_t red = (uint32_t)(((sum & 0xFFFF) + half) * inverse >> 32);
    const uint32_t blue = (uint32_t)(((sum >> 16 & 0xFFFF) + half) * inverse >> 32);
    const uint32_t green = (uint32_t)(((sum >> 32 & 0xFFFF) + half) * inverse >> 32);
    const uint32_t alpha = (uint32_t)(((sum >> 48) + half) * inverse >> 32);
    return red | green << 8 | blue << 16 | alpha << 24;
}

static inline uint64_t magnitude(uint64_t fixed) { return (int64_t)fixed < 0 ? 0 - fixed : fixed; }

// Half the way from the first to the last of `count` points, rounded down.
static inline uint64_t half_way(uint64_t step, uint32_t count) {
    return (uint64_t)((int64_t)(step * (count - 1)) >> 1);
}

// The sum over all points of a pixel whose first point is (u, v).
static inline uint64_t sum_of(const zg_texels *texels, uint64_t u, uint64_t v, const zg_taps *taps, bool inside) {
    uint64_t sum = 0;
    for (uint32_t y = 0; y < taps->y_count; y++, u += taps->y_step[0], v += taps->y_step[1]) {
        uint64_t tap_u = u, tap_v = v;
        for (uint32_t x = 0; x < taps->x_count; x++, tap_u += taps->x_step[0], tap_v += taps->x_step[1]) {
            sum += spread(inside ? sample_inside_fast(texels, tap_u, tap_v) : sample_with_care(texels, tap_u, tap_v));
        }
    }
    return sum;
}

static inline bool move_axis(uint64_t *at, uint64_t reach, int64_t low, int64_t high, bool repeat) {
    if (*at + STEEP > 2 * STEEP || reach > STEEP) { return false; }
    if (repeat) { *at += (uint64_t)(pick_index(whole(*at), low, high, true) - whole(*at)) << 32; }
    return (int64_t)(*at - reach) >= low * ONE && (int64_t)(*at + reach) < high * ONE;
}

// Moves (u, v) by whole pictures, along the axes that repeat, to where they are. Whether there is, give or take
// `reach`, a texel at it and one behind.
static bool move_inside(uint64_t at[2], const zg_texels *texels, const uint64_t reach[2]) {
    return move_axis(&at[0], reach[0], texels->left, texels->right, texels->repeat_x) &&
           move_axis(&at[1], reach[1], texels->top, texels->bottom, texels->repeat_y);
}

#define FOOTPRINT_FREE 1.25
#define TAP_DISTANCE 0.75 // texels, at most, as long as ZG_TAPS_MAX suffices

uint32_t zg_set_taps(double u, double v, uint64_t step[2]) {
    const double square = u * u + v * v;
    if (!(square > FOOTPRINT_FREE)) {
        step[0] = step[1] = 0;
        return 1;
    }
    const double reach = sqrt(square - FOOTPRINT_FREE);
    const double count = zb_clamp(floor(reach / TAP_DISTANCE) + 1, 2, ZG_TAPS_MAX);
    const double share = reach / (sqrt(square) * count);
    step[0] = zg_fixed(u * share);
    step[1] = zg_fixed(v * share);
    return (uint32_t)count;
}

void zg_fetch_area(uint32_t *run, uint32_t count, const zg_texels *texels, zg_ramp u, zg_ramp v, const zg_taps *taps) {
    const uint32_t tap_count = taps->x_count * taps->y_count;
    const uint64_t inverse = (((uint64_t)1 << 32) + tap_count - 1) / tap_count;
    // How far the points lie from the middle, rounded up; too far counts as outside.
    uint64_t reach[2];
    for (uint32_t c = 0; c < 2; c++) {
        const uint64_t x = magnitude(taps->x_step[c]), y = magnitude(taps->y_step[c]);
        const bool far = x > STEEP / ZG_TAPS_MAX || y > STEEP / ZG_TAPS_MAX;
        reach[c] = far ? STEEP + 1 : (x * (taps->x_count - 1) + y * (taps->y_count - 1)) / 2 + 2;
    }
    u.at -= MIDDLE;
    v.at -= MIDDLE;
    const bool repeats = texels->repeat_x || texels->repeat_y;
    const inner part = inner_part(texels, count, u, v, reach);
    const uint64_t to_u = half_way(taps->x_step[0], taps->x_count) + half_way(taps->y_step[0], taps->y_count);
    const uint64_t to_v = half_way(taps->x_step[1], taps->x_count) + half_way(taps->y_step[1], taps->y_count);
    for (uint32_t i = 0; i < count; i++, u.at += u.step, v.at += v.step) {
        uint64_t at[2] = {u.at, v.at};
        const bool inside = (i >= part.first && i < part.end) || (repeats && move_inside(at, texels, reach));
        at[0] -= to_u;
        at[1] -= to_v;
        const uint64_t sum = inside ? sum_of(texels, at[0], at[1], taps, true)
                                    : sum_of(texels, at[0], at[1], taps, false);
        run[i] = average(sum, tap_count, inverse);
    }
}
