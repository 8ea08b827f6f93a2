// The rasteriser: triangles of a draw list over a picture of the caller's. This file finds the pixels of each triangle
// and how texture and colour run across them; texel.c and blend.c do the rest, a run of pixels at a time. Called by
// api. Allocates nothing, knows no program.
//
// A pixel belongs to a triangle when its middle lies inside, or on a top or left edge: triangles that share an edge
// cover each pixel along it once. Corners are rounded to 1/256 px and all that follows about them is exact. Doubles
// occur only in setting up a triangle (+ - * / sqrt floor in a fixed order, which are the same everywhere); texture and
// colour then run in 32.32 fixed point from the middle of the target's first pixel, so a pixel does not depend on what
// is cut off.
//
// A picture drawn smaller than itself is averaged: a pixel looks at points spread over its footprint, as far as
// sqrt(f^2 - FOOTPRINT_FREE), f being the footprint's length in texels along the target's x, and along its y. What is
// subtracted makes it start from nothing, without a jump in sharpness, and leaves pictures of about their own size
// as they are.
//
// What stands in space has a depth at each corner, and seen in perspective one over its distance, by which texture and
// colour are divided pixel by pixel (deep.c).
#include <math.h>

#include "draw/draw.h"
#include "draw/span.h"
#include "image/image.h"

#define GUARD 1048576.0      // px; corners farther out are cut off first, so that products of two lengths fit 64 bits
#define INVERSE_MIN 1e-9 // and its own inverse is the most: what is divided by it stays finite
#define TEXTURE_FAR 16777216.0 // px; texture coordinates beyond are taken as this

enum { CORNER_UNITS = 256, POLYGON_MAX = 3 + 4 };

// One corner. DEPTH and INVERSE: see zo_vertex_depth; all corners have an INVERSE of 1 where there is no perspective.
enum { X, Y, DEPTH, INVERSE, U, V, RED, GREEN, BLUE, ALPHA, PART_COUNT };
typedef struct corner { double part[PART_COUNT]; } corner;

// A value over the target, 32.32 modulo 2^64: in the middle of pixel (0,0), and to the next pixel right and below.
typedef struct plane { uint64_t start, dx, dy; } plane;

typedef struct canvas {
    zo_image *target;
    const zo_command *command;
    zg_texels texels;        // of a command with a picture
    uint32_t *depths;        // of the target's pixels, of a command that hides or is hidden; NULL: none
    bool deep;               // the command hides, is hidden, or leaves pixels out by their alpha
    uint32_t alpha_min;      // 0..255
} canvas;

// The slopes of a part over a triangle whose first corner is `at`, in parts a px.
typedef struct slopes { double dx, dy; } slopes;

typedef struct frame {
    double x0, y0, x1, y1, x2, y2; // px: first corner, ways to the others
    double area;                   // px^2, twice that of the triangle
} frame;

// What all runs of a triangle share. How it looks is set by the first run of which something is seen.
typedef struct paint {
    frame frame;
    corner corners[3];
    bool set;                // the members from here on are; but `depth` is from the start
    plane u, v, color[4];
    zg_taps taps;
    bool averaged;           // by taps
    bool even;               // all four factors are equal throughout
    bool flat;               // each is the same throughout, and `factors` are they, as in a pixel
    uint32_t factors;
    bool in_perspective;
    zg_slope depth;
    zg_perspective perspective;
} paint;

// An edge as a half-plane, in one row: side > 0: inside from pixel -whole on; < 0: up to pixel `whole`; 0: everywhere,
// if whole is not negative. Exactly it is whole + rest / divisor, 0 <= rest < divisor, and so is what is added from a
// row to the next.
typedef struct edge {
    int64_t whole, rest, whole_step, rest_step, divisor;
    int side;
} edge;

static uint64_t plane_at(plane p, uint32_t x, uint32_t y) { return p.start + x * p.dx + y * p.dy; }

// ---------------------------------------------------------------------------------------------------- colour, texture

static slopes slopes_of(const frame *f, double p0, double p1, double p2) {
    const double way1 = p1 - p0, way2 = p2 - p0;
    return (slopes){.dx = (way1 * f->y2 - way2 * f->y1) / f->area, .dy = (way2 * f->x1 - way1 * f->x2) / f->area};
}

static plane plane_of(const frame *f, double p0, slopes s) {
    const double start = p0 + s.dx * (0.5 - f->x0) + s.dy * (0.5 - f->y0);
    return (plane){.start = zg_fixed(start), .dx = zg_fixed(s.dx), .dy = zg_fixed(s.dy)};
}

static void set_texture(paint *p, const frame *f, const corner c[3], zo_filter filter) {
    const slopes u = slopes_of(f, c[0].part[U], c[1].part[U], c[2].part[U]);
    const slopes v = slopes_of(f, c[0].part[V], c[1].part[V], c[2].part[V]);
    p->u = plane_of(f, c[0].part[U], u);
    p->v = plane_of(f, c[0].part[V], v);
    if (filter == ZO_FILTER_NEAREST) { return; }
    p->taps.x_count = zg_set_taps(u.dx, v.dx, p->taps.x_step);
    p->taps.y_count = zg_set_taps(u.dy, v.dy, p->taps.y_step);
    p->averaged = p->taps.x_count * p->taps.y_count > 1;
}

static void set_color(paint *p, const frame *f, const corner c[3]) {
    p->flat = p->even = true;
    p->factors = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const double p0 = c[0].part[RED + k], p1 = c[1].part[RED + k], p2 = c[2].part[RED + k];
        p->flat &= p0 == p1 && p0 == p2;
        p->even &= p0 == c[0].part[RED] && p1 == c[1].part[RED] && p2 == c[2].part[RED];
        p->factors |= (uint32_t)floor(p0 * 255 + 0.5) << (8 * k);
    }
    for (uint32_t k = 0; k < 4 && !p->flat && !p->in_perspective; k++) {
        const double p0 = c[0].part[RED + k] * 255, p1 = c[1].part[RED + k] * 255, p2 = c[2].part[RED + k] * 255;
        p->color[k] = plane_of(f, p0, slopes_of(f, p0, p1, p2));
    }
}

// `part` of all corners, times `factor`; where it is divided again pixel by pixel, what runs is also times their
// inverse.
static zg_slope slope_of(const frame *f, const corner c[3], uint32_t part, double factor, bool divided) {
    double p[3];
    zg_slope slope = {0};
    for (uint32_t i = 0; i < 3; i++) {
        p[i] = c[i].part[part] * factor;
        slope.low = i == 0 || p[i] < slope.low ? p[i] : slope.low;
        slope.high = i == 0 || p[i] > slope.high ? p[i] : slope.high;
        if (divided) { p[i] *= c[i].part[INVERSE]; }
    }
    const slopes s = slopes_of(f, p[0], p[1], p[2]);
    slope.start = p[0] + s.dx * (0.5 - f->x0) + s.dy * (0.5 - f->y0);
    slope.dx = s.dx;
    slope.dy = s.dy;
    return slope;
}

static bool is_in_perspective(const corner c[3]) {
    return c[0].part[INVERSE] != c[1].part[INVERSE] || c[0].part[INVERSE] != c[2].part[INVERSE];
}

static void set_perspective(paint *p, const frame *f, const corner c[3], zo_filter filter) {
    zg_perspective *to = &p->perspective;
    to->nearest = filter == ZO_FILTER_NEAREST;
    to->inverse = slope_of(f, c, INVERSE, 1, false);
    to->u = slope_of(f, c, U, 1, true);
    to->v = slope_of(f, c, V, 1, true);
    to->colored = !p->flat;
    for (uint32_t k = 0; k < 4 && to->colored; k++) { to->color[k] = slope_of(f, c, RED + k, 255, true); }
}

static void set_paint(const canvas *on, paint *p) {
    const zo_command *command = on->command;
    p->set = true;
    p->in_perspective = is_in_perspective(p->corners);
    set_color(p, &p->frame, p->corners);
    if (p->in_perspective) {
        set_perspective(p, &p->frame, p->corners, command->filter);
    } else if (command->image != 0) {
        set_texture(p, &p->frame, p->corners, command->filter);
    }
}

static zg_ramp ramp_at(plane p, uint32_t x, uint32_t y) { return (zg_ramp){.at = plane_at(p, x, y), .step = p.dx}; }

// `depths`: as of zg_depth_test; NULL: all is seen.
static void fetch_run(const canvas *on, const paint *p, uint32_t *run, const zg_place *at, const uint32_t *depths) {
    const zg_texels *texels = on->command->image != 0 ? &on->texels : NULL;
    if (p->in_perspective) {
        zg_fetch_perspective(run, at, depths, texels, &p->perspective);
        if (p->perspective.colored) { return; }
    } else if (!texels) {
        memset(run, 0xFF, at->count * sizeof run[0]);
    } else {
        const zg_ramp u = ramp_at(p->u, at->x, at->y), v = ramp_at(p->v, at->x, at->y);
        if (on->command->filter == ZO_FILTER_NEAREST) {
            zg_fetch_nearest(run, at->count, texels, u, v);
        } else if (p->averaged) {
            zg_fetch_area(run, at->count, texels, u, v, &p->taps);
        } else {
            zg_fetch_bilinear(run, at->count, texels, u, v);
        }
    }

    if (p->flat) {
        if (p->factors != 0xFFFFFFFFu) { zg_modulate_flat(run, at->count, p->factors); }
    } else if (p->even) {
        zg_modulate_all(run, at->count, ramp_at(p->color[0], at->x, at->y));
    } else {
        zg_ramp factors[4];
        for (uint32_t k = 0; k < 4; k++) { factors[k] = ramp_at(p->color[k], at->x, at->y); }
        zg_modulate_each(run, at->count, factors);
    }
}

// Cuts a run to its pixels from the first to the last that is not hidden, of which there is one. Returns how many are
// cut off before.
static uint32_t cut_to_seen(zg_place *at, const uint32_t *depths) {
    uint32_t first = 0, end = at->count;
    while (depths[first] == ZO_DEPTH_FAR) { first++; }
    while (depths[end - 1] == ZO_DEPTH_FAR) { end--; }
    *at = (zg_place){at->x + first, at->y, end - first};
    return first;
}

static void paint_run(const canvas *on, paint *p, zg_place at) {
    uint32_t run[ZG_RUN_MAX], all_depths[ZG_RUN_MAX];
    const uint32_t flags = on->command->flags, *depths = NULL;
    uint32_t *under = on->depths ? on->depths + at.y * (size_t)on->target->width + at.x : NULL;
    if (on->deep) {
        if (!zg_depth_test(all_depths, &at, &p->depth, flags & ZO_COMMAND_HIDDEN ? under : NULL)) { return; }
        const uint32_t before = cut_to_seen(&at, all_depths);
        depths = all_depths + before;
        if (under) { under += before; }
    }
    if (!p->set) { set_paint(on, p); }
    fetch_run(on, p, run, &at, depths);
    if (depths) { zg_depth_keep(run, depths, at.count, on->alpha_min, flags & ZO_COMMAND_HIDES ? under : NULL); }

    uint8_t *target = on->target->pixels + at.y * on->target->stride + (size_t)at.x * 4;
    if (on->command->blend == ZO_BLEND_ADD) {
        zg_blend_add(target, run, at.count);
    } else {
        zg_blend_over(target, run, at.count);
    }
}

// ---------------------------------------------------------------------------------------------------- pixels

static int64_t floor_div(int64_t value, int64_t by) { // by > 0
    const int64_t quotient = value / by;
    return value % by < 0 ? quotient - 1 : quotient;
}

// From corner p to corner q, inside to the right with y down, as it stands in row `y`.
static edge edge_of(const int64_t p[2], const int64_t q[2], int64_t y) {
    const int64_t dx = q[0] - p[0], dy = q[1] - p[1];
    const int64_t middle_x = CORNER_UNITS / 2 - p[0], middle_y = y * CORNER_UNITS + CORNER_UNITS / 2 - p[1];
    const bool top_or_left = dy < 0 || (dy == 0 && dx > 0);
    // A pixel is inside where at + x * step >= 0.
    const int64_t at = dx * middle_y - dy * middle_x - (top_or_left ? 0 : 1), step = -dy * CORNER_UNITS;
    const int64_t row_step = dx * CORNER_UNITS;
    edge e = {.side = (step > 0) - (step < 0), .divisor = step == 0 ? 1 : step < 0 ? -step : step};
    e.whole = floor_div(at, e.divisor);
    e.rest = at - e.whole * e.divisor;
    e.whole_step = floor_div(row_step, e.divisor);
    e.rest_step = row_step - e.whole_step * e.divisor;
    return e;
}

static void next_row(edge *e) {
    e->whole += e->whole_step;
    e->rest += e->rest_step;
    const bool over = e->rest >= e->divisor;
    e->whole += over;
    e->rest -= over ? e->divisor : 0;
}

// Cuts first..end - 1 to what is inside the edge.
static void cut_to_edge(const edge *e, int64_t *first, int64_t *end) {
    if (e->side > 0) {
        *first = -e->whole > *first ? -e->whole : *first;
    } else if (e->side < 0) {
        *end = e->whole + 1 < *end ? e->whole + 1 : *end;
    } else if (e->whole < 0) {
        *end = 0;
    }
}

static void fill_rows(const canvas *on, paint *p, edge edges[3], uint32_t first_row, uint32_t end_row) {
    for (uint32_t y = first_row; y < end_row; y++) {
        int64_t first = 0, end = on->target->width;
        for (uint32_t k = 0; k < 3; k++) {
            cut_to_edge(&edges[k], &first, &end);
            next_row(&edges[k]);
        }
        for (; first < end; first += ZG_RUN_MAX) {
            const int64_t count = end - first < ZG_RUN_MAX ? end - first : ZG_RUN_MAX;
            paint_run(on, p, (zg_place){(uint32_t)first, y, (uint32_t)count});
        }
    }
}

// The first row whose middle is at or below `units`, cut to the target.
static uint32_t row_at(int64_t units, uint32_t height) {
    if (units <= CORNER_UNITS / 2) { return 0; }
    const int64_t row = (units - CORNER_UNITS / 2 + CORNER_UNITS - 1) / CORNER_UNITS;
    return row < height ? (uint32_t)row : height;
}

// Corners within GUARD.
static void fill_triangle(const canvas *on, const corner *a, const corner *b, const corner *c) {
    corner corners[3] = {*a, *b, *c};
    int64_t at[3][2];
    for (uint32_t i = 0; i < 3; i++) {
        at[i][0] = (int64_t)floor(corners[i].part[X] * CORNER_UNITS + 0.5);
        at[i][1] = (int64_t)floor(corners[i].part[Y] * CORNER_UNITS + 0.5);
    }
    int64_t area = (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[1][1] - at[0][1]) * (at[2][0] - at[0][0]);
    if (area == 0) { return; }
    if (area < 0) { // mirrored: the other way round
        corners[1] = *c;
        corners[2] = *b;
        for (uint32_t k = 0; k < 2; k++) {
            const int64_t other = at[1][k];
            at[1][k] = at[2][k];
            at[2][k] = other;
        }
        area = -area;
    }
    int64_t top = at[0][1], bottom = at[0][1];
    for (uint32_t i = 1; i < 3; i++) {
        top = at[i][1] < top ? at[i][1] : top;
        bottom = at[i][1] > bottom ? at[i][1] : bottom;
    }
    const uint32_t first_row = row_at(top, on->target->height), end_row = row_at(bottom + 1, on->target->height);
    if (first_row >= end_row) { return; }

    const double unit = 1.0 / CORNER_UNITS;
    paint p;
    p.frame = (frame){
        .x0 = (double)at[0][0] * unit, .y0 = (double)at[0][1] * unit,
        .x1 = (double)(at[1][0] - at[0][0]) * unit, .y1 = (double)(at[1][1] - at[0][1]) * unit,
        .x2 = (double)(at[2][0] - at[0][0]) * unit, .y2 = (double)(at[2][1] - at[0][1]) * unit,
        .area = (double)area * unit * unit,
    };
    p.set = false;
    if (on->deep) { p.depth = slope_of(&p.frame, corners, DEPTH, ZG_DEPTH_MAX, false); }
    memcpy(p.corners, corners, sizeof corners);
    edge edges[3];
    for (uint32_t i = 0; i < 3; i++) { edges[i] = edge_of(at[i], at[(i + 1) % 3], first_row); }
    fill_rows(on, &p, edges, first_row, end_row);
}

// ---------------------------------------------------------------------------------------------------- corners

// Whether part `axis` is on the inner side of sign * GUARD.
static bool is_within(const corner *c, uint32_t axis, double sign) { return c->part[axis] * sign <= GUARD; }

// Where the way from a corner within to one without crosses the guard. Always reckoned from within, so that the two
// triangles at an edge cut it at the same point.
static corner crossing(const corner *within, const corner *without, uint32_t axis, double sign) {
    const double share = (sign * GUARD - within->part[axis]) / (without->part[axis] - within->part[axis]);
    corner c;
    double own_share = share; // of what runs through space, not over the viewport
    const double near = within->part[INVERSE], far = without->part[INVERSE];
    if (near != far) { own_share = share * far / (near + (far - near) * share); }
    for (uint32_t k = 0; k < PART_COUNT; k++) {
        c.part[k] = within->part[k] + (without->part[k] - within->part[k]) * (k < U ? share : own_share);
    }
    c.part[axis] = sign * GUARD;
    return c;
}

static uint32_t cut_polygon(const corner *from, uint32_t count, uint32_t axis, double sign, corner *to) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const corner *here = &from[i], *next = &from[(i + 1) % count];
        const bool here_within = is_within(here, axis, sign), next_within = is_within(next, axis, sign);
        if (here_within) { to[kept++] = *here; }
        if (here_within && !next_within) { to[kept++] = crossing(here, next, axis, sign); }
        if (!here_within && next_within) { to[kept++] = crossing(next, here, axis, sign); }
    }
    return kept;
}

static void fill_far_triangle(const canvas *on, const corner c[3]) {
    corner polygon[POLYGON_MAX + 1], other[POLYGON_MAX + 1]; // each cut adds at most one corner
    memcpy(polygon, c, 3 * sizeof c[0]);
    uint32_t count = 3;
    count = cut_polygon(polygon, count, X, 1, other);
    count = cut_polygon(other, count, X, -1, polygon);
    count = cut_polygon(polygon, count, Y, 1, other);
    count = cut_polygon(other, count, Y, -1, polygon);
    ZO_ASSERT(count <= POLYGON_MAX);
    for (uint32_t i = 2; i < count; i++) { fill_triangle(on, &polygon[0], &polygon[i - 1], &polygon[i]); }
}

// false: not finite.
static bool load_corner(const zo_draw_list *list, uint32_t index, bool deep, corner *c) {
    const zo_vertex *vertex = &list->vertices[index];
    zo_vertex_depth depth = {.depth = 0, .inverse = 1};
    if (deep && list->depths) { depth = list->depths[index]; }
    const float parts[PART_COUNT] = {vertex->x, vertex->y, depth.depth, depth.inverse, vertex->u, vertex->v,
                                     vertex->r, vertex->g, vertex->b, vertex->a};
    for (uint32_t k = 0; k < PART_COUNT; k++) {
        c->part[k] = (double)parts[k];
        if (!zb_is_finite(c->part[k])) { return false; }
    }
    c->part[DEPTH] = zb_clamp(c->part[DEPTH], 0, 1);
    c->part[INVERSE] = zb_clamp(c->part[INVERSE], INVERSE_MIN, 1 / INVERSE_MIN);
    for (uint32_t k = U; k <= V; k++) { c->part[k] = zb_clamp(c->part[k], -TEXTURE_FAR, TEXTURE_FAR); }
    for (uint32_t k = RED; k <= ALPHA; k++) { c->part[k] = zb_clamp(c->part[k], 0, 1); }
    return true;
}

static bool is_beside(const corner c[3], const zo_image *target) {
    const double limit[2] = {target->width, target->height};
    for (uint32_t k = 0; k < 2; k++) {
        const double x0 = c[0].part[k], x1 = c[1].part[k], x2 = c[2].part[k];
        if ((x0 < 0 && x1 < 0 && x2 < 0) || (x0 > limit[k] && x1 > limit[k] && x2 > limit[k])) { return true; }
    }
    return false;
}

static void draw_triangle(const canvas *on, const zo_draw_list *list, const uint32_t *indices) {
    corner c[3];
    bool is_near = true;
    for (uint32_t i = 0; i < 3; i++) {
        if (indices[i] >= list->vertex_count || !load_corner(list, indices[i], on->deep, &c[i])) { return; }
        is_near &= fabs(c[i].part[X]) <= GUARD && fabs(c[i].part[Y]) <= GUARD;
    }
    if (is_beside(c, on->target)) { return; }
    if (is_near) {
        fill_triangle(on, &c[0], &c[1], &c[2]);
    } else {
        fill_far_triangle(on, c);
    }
}

// false: there is nothing to read.
static bool set_texels(zg_texels *texels, const zo_image *image, const zo_command *command) {
    const uint32_t *region = command->region;
    if (image->width == 0 || image->height == 0 || !image->pixels) { return false; }
    ZO_ASSERT(zi_image_check(image));
    *texels = (zg_texels){.pixels = image->pixels, .stride = image->stride, .right = image->width - 1,
                          .bottom = image->height - 1,
                          .repeat_x = (command->flags & ZO_COMMAND_REPEAT_U) != 0,
                          .repeat_y = (command->flags & ZO_COMMAND_REPEAT_V) != 0};
    if (region[2] == 0) { return true; }
    if (region[3] == 0 || region[0] >= image->width || region[1] >= image->height) { return false; }
    const int64_t right = (int64_t)region[0] + region[2] - 1, bottom = (int64_t)region[1] + region[3] - 1;
    texels->left = region[0];
    texels->top = region[1];
    texels->right = right < texels->right ? right : texels->right;
    texels->bottom = bottom < texels->bottom ? bottom : texels->bottom;
    return true;
}

void zg_raster(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target,
               uint32_t *depths) {
    if (target->width == 0 || target->height == 0) { return; }
    for (uint32_t i = 0; i < list->command_count; i++) {
        const zo_command *command = &list->commands[i];
        canvas on = {.target = target, .command = command};
        on.deep = (command->flags & (ZO_COMMAND_HIDDEN | ZO_COMMAND_HIDES)) != 0 || command->alpha_min > 0;
        if (command->flags & (ZO_COMMAND_HIDDEN | ZO_COMMAND_HIDES)) { on.depths = depths; }
        on.alpha_min = (uint32_t)zb_clamp(-floor(-255.0 * (double)command->alpha_min), 0, 255);
        if (command->image > image_count) { continue; }
        if (command->image > 0 && !set_texels(&on.texels, &images[command->image - 1], command)) { continue; }
        const uint64_t named = (uint64_t)command->first_index + command->index_count;
        const uint64_t end = named < list->index_count ? named : list->index_count;
        for (uint64_t k = command->first_index; k + 3 <= end; k += 3) { draw_triangle(&on, list, list->indices + k); }
    }
}
