// What stands in space, a run of pixels at a time: which pixels are hidden, and texture and colour seen in perspective.
// Called by raster.c. Knows nothing of triangles.
//
// Doubles here are reckoned pixel by pixel, each from the place in the target alone and in one order (+ - * / floor),
// so the bytes are the same everywhere, wherever a run begins.
#include <zoetrope/draw.h>

#include "draw/span.h"

static inline double slope_at(const zg_slope *s, uint32_t x, double row) { return row + (double)x * s->dx; }
static inline double row_of(const zg_slope *s, uint32_t y) { return s->start + (double)y * s->dy; }
static inline double cut(const zg_slope *s, double value) { return zb_clamp(value, s->low, s->high); }

bool zg_depth_test(uint32_t *depths, zg_place at, const zg_slope *depth, const uint32_t *under, bool hidden) {
    const double row = row_of(depth, at.y);
    for (uint32_t i = 0; i < at.count; i++) {
        // Cut to a signed range, in which machines convert the fastest.
        depths[i] = (uint32_t)(int32_t)cut(depth, slope_at(depth, at.x + i, row));
    }
    if (!hidden || !under) { return true; }
    bool any = false;
    for (uint32_t i = 0; i < at.count; i++) {
        const bool seen = depths[i] <= under[i];
        depths[i] = seen ? depths[i] : ZO_DEPTH_FAR;
        any |= seen;
    }
    return any;
}

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

void zg_fetch_perspective(uint32_t *run, zg_place at, const zg_texels *texels, const zg_perspective *p) {
    const double inverse_row = row_of(&p->inverse, at.y), u_row = row_of(&p->u, at.y), v_row = row_of(&p->v, at.y);
    double color_rows[4];
    for (uint32_t k = 0; k < 4; k++) { color_rows[k] = row_of(&p->color[k], at.y); }
    for (uint32_t i = 0; i < at.count; i++) {
        const uint32_t x = at.x + i;
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
