// Trails: a strip of even width along the points that have been laid, with round ends and a soft border, in a colour
// that runs from its head to its end. Called by effect.c. The points come one after another; three of them are looked
// at.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

#define EDGE 0.5        // px
#define NEAR_PX 1e-3    // px: nearer ones are one point
#define FAR 1e9         // px: vertices are floats
#define MITRE_MAX 2.0   // how far a corner moves out at most
#define SHARP -0.25     // cosine of a turn beyond which the corner is cut

typedef struct point { double x, y; } point;

typedef struct ribbon {
    zo_draw_list *list;
    double inner, outer, height; // px beside the middle, where it is full and where it is nothing; how full it is
    const double *head, *end;    // colours
    double length, gone;         // px, of all of it and up to here, from the end
    const double *side;          // of the picture, px; NULL: none
    uint32_t last;               // first vertex of the section before
    bool started;
} ribbon;

static double length(point v) { return sqrt(v.x * v.x + v.y * v.y); }
static point way(point from, point to) { return (point){to.x - from.x, to.y - from.y}; }
static point across(point v) { return (point){v.y, -v.x}; }

// ---------------------------------------------------------------------------------------------------- points

typedef struct walk {
    const zo_instance *instance;
    const zr_effect_look *look;
    const zg_plane *m;
    zr_point_walk points;
    bool head_told;
} walk;

static point on_screen(const walk *w, double x, double y) {
    return (point){w->m->xx * x + w->m->xy * y + w->m->x0, w->m->yx * x + w->m->yy * y + w->m->y0};
}

// From the oldest to the head; one of several that are as good as one.
static bool next_point(walk *w, const point *before, point *at) {
    for (;;) {
        const zr_point *laid = zr_point_next(w->instance, w->look->index, &w->points);
        if (laid) {
            *at = on_screen(w, laid->x, laid->y);
        } else if (w->look->laying && !w->head_told) {
            w->head_told = true;
            *at = on_screen(w, w->look->at[0], w->look->at[1]);
        } else {
            return false;
        }
        const bool near = fabs(at->x) < FAR && fabs(at->y) < FAR; // false for what is not a number
        if (near && (!before || length(way(*before, *at)) > NEAR_PX)) { return true; }
    }
}

// ---------------------------------------------------------------------------------------------------- vertices

static void put_vertex(ribbon *r, point at, double share, double beside) {
    const double t = r->length > 0 ? zb_clamp(r->gone / r->length, 0, 1) : 1; // 1: the head
    double c[4];
    for (uint32_t i = 0; i < 4; i++) { c[i] = zb_clamp(r->end[i] + (r->head[i] - r->end[i]) * t, 0, 1); }
    const double alpha = c[3] * share;
    zo_vertex vertex = {.x = (float)at.x, .y = (float)at.y, .r = (float)(c[0] * alpha), .g = (float)(c[1] * alpha),
                        .b = (float)(c[2] * alpha), .a = (float)alpha};
    if (r->side) {
        vertex.u = (float)((1 - t) * r->side[0]);
        vertex.v = (float)((beside / (2 * r->outer) + 0.5) * r->side[1]);
    }
    r->list->vertices[r->list->vertex_count++] = vertex;
}

static void put_triangle(ribbon *r, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t *indices = r->list->indices + r->list->index_count;
    indices[0] = i;
    indices[1] = j;
    indices[2] = k;
    r->list->index_count += 3;
}

static point beside(point at, point normal, double by) { return (point){at.x + normal.x * by, at.y + normal.y * by}; }

// Four vertices across, and the triangles to the four before.
static void put_section(ribbon *r, point at, point normal) {
    const double places[4] = {r->outer, r->inner, -r->inner, -r->outer};
    const uint32_t first = r->list->vertex_count;
    for (uint32_t i = 0; i < 4; i++) {
        put_vertex(r, beside(at, normal, places[i]), i == 1 || i == 2 ? r->height : 0, places[i]);
    }
    for (uint32_t i = 0; r->started && i < 3; i++) {
        put_triangle(r, r->last + i, first + i, first + i + 1);
        put_triangle(r, r->last + i, first + i + 1, r->last + i + 1);
    }
    r->last = first;
    r->started = true;
}

static bool has_room(const zo_draw_list *list, uint32_t vertices, uint32_t indices) {
    return list->vertex_capacity - list->vertex_count >= vertices &&
        list->index_capacity - list->index_count >= indices;
}

// Half a disc at an end; `out`: away from the strip, of length 1.
static bool put_cap(ribbon *r, point at, point out) {
    if (!has_room(r->list, ZG_CAP_VERTICES, ZG_CAP_INDICES)) { return false; }
    const point normal = across(out);
    const uint32_t middle = r->list->vertex_count;
    put_vertex(r, at, r->height, 0);
    for (uint32_t k = 0; k <= ZG_CAP_CHORDS; k++) {
        double sine, cosine;
        zb_sincos_degrees(180.0 * k / ZG_CAP_CHORDS, &sine, &cosine);
        const point ray = {normal.x * cosine + out.x * sine, normal.y * cosine + out.y * sine};
        put_vertex(r, beside(at, ray, r->inner), r->height, r->inner * cosine);
        put_vertex(r, beside(at, ray, r->outer), 0, r->outer * cosine);
    }
    for (uint32_t k = 0; k < ZG_CAP_CHORDS; k++) {
        const uint32_t in = middle + 1 + 2 * k, out_at = in + 1;
        put_triangle(r, middle, in, in + 2);
        put_triangle(r, in, out_at, out_at + 2);
        put_triangle(r, in, out_at + 2, in + 2);
    }
    return true;
}

// Between two pieces with these normals of length 1.
static void put_corner(ribbon *r, point at, point before, point behind) {
    const double cosine = before.x * behind.x + before.y * behind.y;
    if (cosine < SHARP) { // too sharp to be drawn out: one section on either side
        put_section(r, at, before);
        put_section(r, at, behind);
        return;
    }
    const point both = {before.x + behind.x, before.y + behind.y};
    const double size = length(both), reach = 2 / (size * size);
    const double out = reach * size < MITRE_MAX ? reach : MITRE_MAX / size;
    put_section(r, at, (point){both.x * out, both.y * out});
}

// ---------------------------------------------------------------------------------------------------- the strip

static double whole_length(walk w) {
    point at, next;
    if (!next_point(&w, NULL, &at)) { return 0; }
    double sum = 0;
    for (; next_point(&w, &at, &next); at = next) { sum += length(way(at, next)); }
    return sum;
}

static bool put_strip(ribbon *r, walk *w) {
    point at, next;
    if (!next_point(w, NULL, &at) || !next_point(w, &at, &next)) { return true; } // a point is no strip
    point normal = {0, 0};
    for (bool first = true, more = true; more; first = false) {
        const point step = way(at, next);
        const double size = length(step);
        const point forth = {step.x / size, step.y / size}, ahead = across(forth);
        if (first && !put_cap(r, at, (point){-forth.x, -forth.y})) { return false; }
        if (!has_room(r->list, 2 * ZG_RIB_VERTICES, 2 * ZG_RIB_INDICES)) { return false; }
        if (first) {
            put_section(r, at, ahead);
        } else {
            put_corner(r, at, normal, ahead);
        }
        normal = ahead;
        r->gone += size;
        at = next;
        more = next_point(w, &at, &next);
        if (!more) {
            put_section(r, at, ahead);
            return put_cap(r, at, forth);
        }
    }
    return true;
}

bool zg_ribbon_emit(const zo_instance *instance, const zr_effect_look *look, const zg_plane *m, const double *side,
                    bool feathered, zo_draw_list *list, bool *drawn) {
    *drawn = false;
    walk w = {.instance = instance, .look = look, .m = m};
    const double *colours = &instance->program->numbers[look->record->colours];
    const double scale = sqrt(fabs(m->xx * m->yy - m->xy * m->yx)), half = look->emitter->width / 2 * scale;
    ribbon r = {.list = list, .inner = half, .outer = half, .height = 1, .head = colours, .end = colours + 4,
                .side = side};
    if (feathered) {
        r.inner = fabs(half - EDGE);
        r.outer = half + EDGE;
        r.height = half < EDGE ? half / EDGE : 1;
    }
    if (!(half > 0 && half < FAR)) { return true; }
    r.length = whole_length(w);
    if (!(r.length > NEAR_PX)) { return true; }
    const uint32_t vertices = list->vertex_count, indices = list->index_count;
    if (!put_strip(&r, &w)) {
        list->vertex_count = vertices; // nothing of what has no room as a whole
        list->index_count = indices;
        return false;
    }
    *drawn = list->index_count > indices;
    return true;
}
