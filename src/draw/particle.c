// Particles: outlines in one colour as triangles with a soft border, like pictures (quad.c): an inner outline is full,
// an outer one is nothing, and in between it fades. Called by list.c. Knows shapes and no effects.
//
// The outer outline runs EDGE beside the true one; the inner one is the true one drawn together about the middle, so
// that it cannot cross itself however sharp the ends are. How far is chosen so that what is laid on is, all in all,
// the shape's own area. Where a shape would be thinner than a pixel it is widened to one, and fades by the same
// factor.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

#define EDGE 0.5                 // px
#define TIP_MAX 1.2              // how far a corner moves out at most when its edges move by 1: a sharp tip covers next
                                 // to nothing of the pixels beyond it
#define INVISIBLE (1.0 / 1024.0) // a share that no channel of eight bits shows
#define FAR 1e12                 // px
#define CHORD 0.1                // px between an arc and its chord, up to 83 px radius

enum { QUARTER_MAX = 16 };       // chords of a quarter of a circle
_Static_assert(4 * (QUARTER_MAX + 1) <= ZG_OUTLINE_MAX, "all arcs fit");
_Static_assert((int)ZP_SHAPE_POINTS_MAX <= (int)ZG_OUTLINE_MAX, "all polygons fit");

typedef struct point { double x, y; } point;

// Clockwise or not, but all around a middle from which each corner is seen; px, from that middle.
typedef struct outline {
    point at[ZG_OUTLINE_MAX];
    point inwards[ZG_OUTLINE_MAX], outwards[ZG_OUTLINE_MAX]; // how a corner moves when its edges move by 1 px
    uint32_t count;
} outline;

// ---------------------------------------------------------------------------------------------------- shapes

static point map(const zg_particle *p, double x, double y) {
    return (point){p->a[0] * x + p->b[0] * y, p->a[1] * x + p->b[1] * y};
}

static double length(double x, double y) { return sqrt(x * x + y * y); }

// Chords for a quarter of an arc of this radius, units.
static uint32_t chords_of(const zg_particle *p, double radius) {
    const double a = length(p->a[0], p->a[1]), b = length(p->b[0], p->b[1]);
    const double px = radius * (a > b ? a : b);
    const double chords = 1.5707963267948966 * sqrt(px / (8 * CHORD)); // half a right angle over that of a chord
    if (!(chords > 0.5)) { return 0; }
    return chords < QUARTER_MAX ? (uint32_t)chords + 1 : QUARTER_MAX;
}

// Four quarters of an ellipse with these half axes, their middles moved out to (x, y) in each direction. Without chords
// no more of an arc is there than its corner.
static void put_quarters(const zg_particle *p, double rx, double ry, double x, double y, uint32_t chords, outline *o) {
    const bool closed = x == 0 && y == 0; // a quarter's end is the next one's start
    const uint32_t count = closed && chords > 0 ? chords : chords + 1;
    o->count = 4 * count;
    for (uint32_t k = 0; k < count; k++) {
        double sine = 1, cosine = 1;
        if (chords > 0) { zb_sincos_degrees(90.0 * k / chords, &sine, &cosine); }
        o->at[k] = map(p, x + rx * cosine, y + ry * sine);
        o->at[k + count] = map(p, -x - rx * sine, y + ry * cosine);
        o->at[k + 2 * count] = map(p, -x - rx * cosine, -y - ry * sine);
        o->at[k + 3 * count] = map(p, x + rx * sine, -y - ry * cosine);
    }
}

static void put_shape(const zg_particle *p, outline *o) {
    const double half_x = p->width / 2, half_y = p->height / 2;
    const zp_shape *shape = p->shape;
    if (shape->outline == ZP_OUTLINE_POLYGON) {
        for (uint32_t i = 0; i < shape->point_count; i++) {
            const double *corner = p->numbers + shape->points + 2 * (size_t)i;
            o->at[o->count++] = map(p, (corner[0] - 0.5) * p->width, (corner[1] - 0.5) * p->height);
        }
    } else if (shape->outline == ZP_OUTLINE_ELLIPSE) {
        const uint32_t wanted = chords_of(p, half_x > half_y ? half_x : half_y), chords = wanted > 0 ? wanted : 1;
        const double angle = 1.5707963267948966 / chords;
        const double out = sqrt(angle / zb_sin(angle)); // as large as the ellipse, for which it goes in and out of it
        put_quarters(p, half_x * out, half_y * out, 0, 0, chords, o);
    } else {
        const double most = half_x < half_y ? half_x : half_y;
        const double radius = shape->corner < most ? shape->corner : most;
        put_quarters(p, radius, radius, half_x - radius, half_y - radius, chords_of(p, radius), o);
    }
}

// ---------------------------------------------------------------------------------------------------- thin ones

// From the middle to the nearest border, units.
static double inside_of(const zg_particle *p) {
    const double half_x = p->width / 2, half_y = p->height / 2;
    if (p->shape->outline != ZP_OUTLINE_POLYGON) { return half_x < half_y ? half_x : half_y; }
    double least = half_x + half_y;
    const double *points = p->numbers + p->shape->points;
    for (uint32_t i = 0; i < p->shape->point_count; i++) {
        const double *from = points + 2 * (size_t)i, *to = points + 2 * (size_t)((i + 1) % p->shape->point_count);
        const double x0 = (from[0] - 0.5) * p->width, y0 = (from[1] - 0.5) * p->height;
        const double x1 = (to[0] - 0.5) * p->width, y1 = (to[1] - 0.5) * p->height;
        const double size = length(x1 - x0, y1 - y0), twice = fabs(x0 * y1 - x1 * y0);
        if (size > 0 && twice / size < least) { least = twice / size; }
    }
    return least;
}

// The two directions in which the vectors, together, reach farthest and least far; at right angles.
typedef struct reach { double along[2], across[2], longer, shorter; } reach;

static reach reach_of(const double a[2], const double b[2]) {
    const double xx = a[0] * a[0] + b[0] * b[0], yy = a[1] * a[1] + b[1] * b[1], xy = a[0] * a[1] + b[0] * b[1];
    const double root = length((xx - yy) / 2, xy);
    const double longer = sqrt((xx + yy) / 2 + root);
    // The long direction solves (xx - longer^2) x + xy y = 0 and the like: take the better conditioned.
    const double x = xx > yy ? root + (xx - yy) / 2 : xy, y = xx > yy ? xy : root + (yy - xx) / 2;
    const double norm = length(x, y);
    reach r = {.along = {1, 0}, .longer = longer};
    if (norm > 0) {
        r.along[0] = x / norm;
        r.along[1] = y / norm;
    }
    r.across[0] = -r.along[1];
    r.across[1] = r.along[0];
    r.shorter = longer > 0 ? fabs(a[0] * b[1] - a[1] * b[0]) / longer : 0;
    return r;
}

static void stretch(double v[2], const double along[2], double factor) {
    const double more = (v[0] * along[0] + v[1] * along[1]) * (factor - 1);
    v[0] += along[0] * more;
    v[1] += along[1] * more;
}

// Stretches the shape along its two main directions to EDGE from the middle to the border, where it is less. Returns
// what is left of its opacity, 0 for nothing to be seen.
static double widen(zg_particle *p) {
    const double inside = inside_of(p);
    const reach r = reach_of(p->a, p->b);
    if (!(r.shorter * inside < EDGE)) { return 1; }
    if (!(r.shorter * inside > INVISIBLE * EDGE)) { return 0; }
    const double wider = EDGE / (r.shorter * inside);
    stretch(p->a, r.across, wider);
    stretch(p->b, r.across, wider);
    if (!(r.longer * inside < EDGE)) { return 1 / wider; }
    const double longer = EDGE / (r.longer * inside);
    stretch(p->a, r.along, longer);
    stretch(p->b, r.along, longer);
    return 1 / (wider * longer);
}

// ---------------------------------------------------------------------------------------------------- outlines

static double cross(point a, point b) { return a.x * b.y - a.y * b.x; }
static point sum(point a, point b, double factor) { return (point){a.x + b.x * factor, a.y + b.y * factor}; }
static point inner_at(const outline *o, uint32_t i, double inner) { return sum(o->at[i], o->inwards[i], inner); }
static point outer_at(const outline *o, uint32_t i) { return sum(o->at[i], o->outwards[i], EDGE); }

static double area_of(const outline *o) { // > 0: it turns to the right
    double twice = 0;
    for (uint32_t i = 0; i < o->count; i++) { twice += cross(o->at[i], o->at[(i + 1) % o->count]); }
    return twice / 2;
}

static void reverse(outline *o) {
    for (uint32_t i = 0, k = o->count - 1; i < k; i++, k--) {
        const point other = o->at[i];
        o->at[i] = o->at[k];
        o->at[k] = other;
    }
}

// Outwards from each edge, of length 1. An edge without length has its neighbour's.
static void find_normals(const outline *o, point normals[ZG_OUTLINE_MAX]) {
    point last = {0, 0};
    uint32_t without = 0; // edges at the start
    for (uint32_t i = 0; i < o->count; i++) {
        const point way = sum(o->at[i + 1 < o->count ? i + 1 : 0], o->at[i], -1);
        const double size = length(way.x, way.y);
        if (size > 0) {
            last = (point){way.y / size, -way.x / size};
        } else if (without == i) {
            without++;
        }
        normals[i] = last;
    }
    for (uint32_t i = 0; i < without; i++) { normals[i] = last; }
}

static void find_outwards(outline *o) {
    point normals[ZG_OUTLINE_MAX];
    find_normals(o, normals);
    for (uint32_t i = 0; i < o->count; i++) {
        const point both = sum(normals[(i + o->count - 1) % o->count], normals[i], 1);
        const double norm = length(both.x, both.y); // twice the cosine of half the turn; the way is 1 over that cosine
        const double way = norm * TIP_MAX > 2 ? 2 / norm : TIP_MAX;
        const point out = norm > 0 ? (point){both.x / norm, both.y / norm} : (point){normals[i].y, -normals[i].x};
        o->outwards[i] = (point){out.x * way, out.y * way};
    }
}

// Returns how far the corners may move at most, px: then the shape has closed up in its narrow direction.
//   ellipse   its main axes get shorter by as much
//   rounded   as a parallelogram, whose sides move
//   polygon   smaller as a whole; where all edges are equally far from the middle, they all move by as much
static double find_inwards(const zg_particle *p, outline *o) {
    double a[2] = {p->a[0] * p->width / 2, p->a[1] * p->width / 2};
    double b[2] = {p->b[0] * p->height / 2, p->b[1] * p->height / 2};
    double narrow = reach_of(p->a, p->b).shorter * inside_of(p), wide = narrow; // px from the middle to the sides
    if (p->shape->outline == ZP_OUTLINE_ELLIPSE) {
        const reach r = reach_of(a, b);
        for (uint32_t c = 0; c < 2; c++) {
            a[c] = r.along[c];
            b[c] = r.across[c];
        }
        wide = r.longer;
        narrow = r.shorter;
    } else if (p->shape->outline == ZP_OUTLINE_ROUNDED) {
        const double area = fabs(a[0] * b[1] - a[1] * b[0]);
        wide = area / length(b[0], b[1]);
        narrow = area / length(a[0], a[1]);
    }
    const double det = a[0] * b[1] - a[1] * b[0];
    for (uint32_t i = 0; i < o->count; i++) {
        const point at = o->at[i];
        const double along_a = (at.x * b[1] - at.y * b[0]) / det / wide;
        const double along_b = (a[0] * at.y - a[1] * at.x) / det / narrow;
        o->inwards[i] = (point){-along_a * a[0] - along_b * b[0], -along_a * a[1] - along_b * b[1]};
    }
    return narrow < wide ? narrow : wide;
}

// What the triangles lay on, full being 1.
static double volume_of(const outline *o, double inner) {
    double six = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const uint32_t next = i + 1 < o->count ? i + 1 : 0;
        const point in0 = inner_at(o, i, inner), in1 = inner_at(o, next, inner);
        const point out0 = outer_at(o, i), out1 = outer_at(o, next);
        const point side = sum(out1, out0, -1), across = sum(in1, out0, -1), back = sum(in0, out0, -1);
        six += 3 * cross(in0, in1) + cross(side, across) + 2 * cross(across, back);
    }
    return six / 6;
}

// How far inside the inner outline runs, so that the volume is the area; at most `inside`. The volume is a quadratic in
// it, so three of its values say all.
static double inner_way(const outline *o, double inside, double area) {
    const double v0 = volume_of(o, 0) - area, v1 = volume_of(o, inside / 2) - area, v2 = volume_of(o, inside) - area;
    if (!(v0 > 0)) { return 0; }
    if (!(v2 < 0)) { return inside; }
    const double a = 2 * (v0 - 2 * v1 + v2), b = 4 * v1 - 3 * v0 - v2; // v0 + b t + a t^2, t = 0..1: falling
    return inside * (2 * v0 / (sqrt(b * b - 4 * a * v0) - b));
}

// ---------------------------------------------------------------------------------------------------- triangles

static void put_vertex(const zg_particle *p, point at, double share, zo_draw_list *list) {
    const double alpha = p->colour[3] * share;
    list->vertices[list->vertex_count++] = (zo_vertex){
        .x = (float)(p->center[0] + at.x), .y = (float)(p->center[1] + at.y),
        .r = (float)(p->colour[0] * alpha), .g = (float)(p->colour[1] * alpha), .b = (float)(p->colour[2] * alpha),
        .a = (float)alpha,
    };
}

static void put_triangle(zo_draw_list *list, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t *indices = list->indices + list->index_count;
    indices[0] = i;
    indices[1] = j;
    indices[2] = k;
    list->index_count += 3;
}

// The middle, the inner outline, and with a border the outer one.
static bool put_triangles(const zg_particle *p, const outline *o, double inner, double share, zo_draw_list *list) {
    const uint32_t n = o->count, rings = p->feathered ? 2 : 1;
    if (list->vertex_capacity - list->vertex_count < rings * n + 1) { return false; }
    if (list->index_capacity - list->index_count < (rings == 2 ? 9 : 3) * n) { return false; }
    const uint32_t middle = list->vertex_count, in = middle + 1, out = in + n;
    put_vertex(p, (point){0, 0}, share, list);
    for (uint32_t i = 0; i < n; i++) { put_vertex(p, inner_at(o, i, inner), share, list); }
    for (uint32_t i = 0; i < n && rings == 2; i++) { put_vertex(p, outer_at(o, i), 0, list); }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t next = (i + 1) % n;
        put_triangle(list, middle, in + i, in + next);
        if (rings == 1) { continue; }
        put_triangle(list, out + i, out + next, in + next);
        put_triangle(list, out + i, in + next, in + i);
    }
    return true;
}

static bool is_near(const zg_particle *p, const outline *o) { // false for what is not a number
    bool near = fabs(p->center[0]) < FAR && fabs(p->center[1]) < FAR;
    for (uint32_t i = 0; i < o->count; i++) { near = near && fabs(o->at[i].x) < FAR && fabs(o->at[i].y) < FAR; }
    return near;
}

bool zg_particle_emit(const zg_particle *particle, zo_draw_list *list, bool *drawn) {
    *drawn = false;
    zg_particle p = *particle;
    double share = p.opacity, inner = 0;
    if (p.feathered) { share *= widen(&p); }
    if (!(share * p.colour[3] > INVISIBLE)) { return true; }
    outline o = {.count = 0};
    put_shape(&p, &o);
    if (!is_near(&p, &o)) { return true; }
    double area = area_of(&o);
    if (!(fabs(area) > 0)) { return true; }
    if (area < 0) { // mirrored
        reverse(&o);
        area = 0 - area;
    }
    if (p.feathered) {
        find_outwards(&o);
        const double inside = find_inwards(&p, &o);
        inner = inner_way(&o, inside, area);
        if (inner == inside) { // closed up, and perhaps still too much
            const double volume = volume_of(&o, inner);
            if (volume > area) { share *= area / volume; }
        }
    }
    *drawn = put_triangles(&p, &o, inner, share, list);
    return *drawn;
}

uint32_t zg_shape_corners(const zp_shape *shape) {
    switch (shape->outline) {
    case ZP_OUTLINE_POLYGON: return shape->point_count;
    case ZP_OUTLINE_ELLIPSE: return 4 * QUARTER_MAX;
    default: return 4 * (QUARTER_MAX + 1);
    }
}
