// What stands in space, a run of pixels at a time: which pixels are hidden, and texture and colour seen in perspective.
// Called by raster.c. Knows nothing of triangles.
//
// Doubles here are reckoned pixel by pixel, each from the place in the target alone and in one order (+ - * / floor),
// so the bytes are the same everywhere, wherever a run begins.
#include <zoetrope/draw.h>

#include "draw/span.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline double slope_at(const zg_slope *s, uint32_t x, double row) { return row + (double)x * s->dx; }
static inline double row_of(const zg_slope *s, uint32_t y) { return s->start + (double)y * s->dy; }
static inline double cut(const zg_slope *s, double value) { return zb_clamp(value, s->low, s->high); }

// Written as the vector instructions have it: what is not above `low`, and what is no number, is `low`.
static inline double cut_depth(const zg_slope *s, double value) {
    value = value > s->low ? value : s->low;
    return value < s->high ? value : s->high;
}

bool zg_depth_test_plain(uint32_t *depths, const zg_place *at, const zg_slope *depth, const uint32_t *under) {
    const double row = row_of(depth, at->y);
    bool any = false;
    for (uint32_t i = 0; i < at->count; i++) {
        const uint32_t own = (uint32_t)(int32_t)cut_depth(depth, slope_at(depth, at->x + i, row));
        const bool seen = !under || own <= under[i];
        depths[i] = seen ? own : ZO_DEPTH_FAR;
        any |= seen;
    }
    return any;
}

#if defined(__SSE2__)
// The depths of two pixels, in the lower half.
static inline __m128i two_depths(__m128d x, __m128d row, __m128d dx, __m128d low, __m128d high) {
    const __m128d at = _mm_add_pd(row, _mm_mul_pd(x, dx));
    return _mm_cvttpd_epi32(_mm_min_pd(_mm_max_pd(at, low), high));
}

bool zg_depth_test(uint32_t *depths, const zg_place *at, const zg_slope *depth, const uint32_t *under) {
    if (!under) { return zg_depth_test_plain(depths, at, depth, under); }
    const __m128d row = _mm_set1_pd(row_of(depth, at->y)), dx = _mm_set1_pd(depth->dx);
    const __m128d low = _mm_set1_pd(depth->low), high = _mm_set1_pd(depth->high), two = _mm_set1_pd(2);
    __m128d x = _mm_setr_pd((double)at->x, (double)at->x + 1);
    __m128i all_hidden = _mm_set1_epi32(-1);
    uint32_t i = 0;
    for (; i + 4 <= at->count; i += 4) {
        const __m128i left = two_depths(x, row, dx, low, high);
        x = _mm_add_pd(x, two);
        const __m128i own = _mm_unpacklo_epi64(left, two_depths(x, row, dx, low, high));
        x = _mm_add_pd(x, two);
        // Depths are not negative but where nothing has been drawn, which is behind all.
        const __m128i behind = _mm_loadu_si128((const __m128i *)(const void *)(under + i));
        const __m128i hidden = _mm_andnot_si128(_mm_srai_epi32(behind, 31), _mm_cmpgt_epi32(own, behind));
        all_hidden = _mm_and_si128(all_hidden, hidden);
        _mm_storeu_si128((__m128i *)(void *)(depths + i), _mm_or_si128(own, hidden));
    }
    const zg_place rest = {at->x + i, at->y, at->count - i};
    const bool any = zg_depth_test_plain(depths + i, &rest, depth, under + i);
    return _mm_movemask_epi8(all_hidden) != 0xFFFF || any;
}
#else
bool zg_depth_test(uint32_t *depths, const zg_place *at, const zg_slope *depth, const uint32_t *under) {
    return zg_depth_test_plain(depths, at, depth, under);
}
#endif

void zg_depth_keep(uint32_t *run, const uint32_t *depths, uint32_t count, uint32_t alpha_min, uint32_t *under) {
    for (uint32_t i = 0; i < count; i++) {
        const bool kept = depths[i] != ZO_DEPTH_FAR && run[i] >> 24 >= alpha_min;
        run[i] = kept ? run[i] : 0;
        if (kept && under) { under[i] = depths[i]; }
    }
}

// How far u and v move from a pixel to the next, right and below, texels.
static void set_footprint(const zg_perspective *p, double u, double v, double distance, zg_taps *taps) {
    const double u_x = (p->u.dx - u * p->inverse.dx) * distance, v_x = (p->v.dx - v * p->inverse.dx) * distance;
    const double u_y = (p->u.dy - u * p->inverse.dy) * distance, v_y = (p->v.dy - v * p->inverse.dy) * distance;
    taps->x_count = zg_set_taps(u_x, v_x, taps->x_step);
    taps->y_count = zg_set_taps(u_y, v_y, taps->y_step);
}

static void fetch_pixel(uint32_t *pixel, const zg_texels *texels, const zg_perspective *p, double u, double v,
                        double distance) {
    const zg_ramp ramp_u = {.at = zg_fixed(u)}, ramp_v = {.at = zg_fixed(v)};
    if (p->nearest) {
        zg_fetch_nearest(pixel, 1, texels, ramp_u, ramp_v);
        return;
    }
    zg_taps taps;
    set_footprint(p, u, v, distance, &taps);
    if (taps.x_count * taps.y_count > 1) {
        zg_fetch_area(pixel, 1, texels, ramp_u, ramp_v, &taps);
    } else {
        zg_fetch_bilinear(pixel, 1, texels, ramp_u, ramp_v);
    }
}

void zg_fetch_perspective(uint32_t *run, const zg_place *at, const uint32_t *depths, const zg_texels *texels,
                          const zg_perspective *p) {
    const double inverse_row = row_of(&p->inverse, at->y), u_row = row_of(&p->u, at->y), v_row = row_of(&p->v, at->y);
    double color_rows[4];
    for (uint32_t k = 0; k < 4; k++) { color_rows[k] = row_of(&p->color[k], at->y); }
    for (uint32_t i = 0; i < at->count; i++) {
        if (depths && depths[i] == ZO_DEPTH_FAR) {
            run[i] = 0;
            continue;
        }
        const uint32_t x = at->x + i;
        const double distance = 1 / cut(&p->inverse, slope_at(&p->inverse, x, inverse_row));
        run[i] = 0xFFFFFFFFu;
        if (texels) {
            const double u = cut(&p->u, slope_at(&p->u, x, u_row) * distance);
            const double v = cut(&p->v, slope_at(&p->v, x, v_row) * distance);
            fetch_pixel(&run[i], texels, p, u, v, distance);
        }
        if (p->colored) {
            zg_ramp factors[4];
            for (uint32_t k = 0; k < 4; k++) {
                const double factor = cut(&p->color[k], slope_at(&p->color[k], x, color_rows[k]) * distance);
                factors[k] = (zg_ramp){.at = zg_fixed(factor)};
            }
            zg_modulate_each(&run[i], 1, factors);
        }
    }
}
