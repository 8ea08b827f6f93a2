// Particles: outlines in one colour as triangles with a soft border, like pictures (quad.c): an inner outline is full, an
// outer one is nothing, and in between it fades. Called by list.c. Knows shapes and no effects.
//
// Both outlines run beside the true one, EDGE outside it and about as much inside: how much exactly is chosen so that
// what is laid on is, all in all, the shape's own area. (At an angle the outer outline gains more than the inner one
// loses.) Where a shape is too thin for that the inner outline closes up in the middle, and it fades instead.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

#define EDGE 0.5                 // px
#define MITER_MAX 4.0            // of an outline's shift, in shifts: 2 px at the sharpest corner
#define INVISIBLE (1.0 / 1024.0) // a share that no channel of eight bits shows
#define FAR 1e12                 // px
#define CHORD 0.05               // px between an arc and its chord, as long as QUARTER_MAX suffices; 0.1 up to 83 px radius

enum { QUARTER_MAX = 16 };       // chords of a quarter of a circle
_Static_assert(4 * (QUARTER_MAX + 1) <= ZG_OUTLINE_MAX && (int)ZP_SHAPE_POINTS_MAX <= ZG_OUTLINE_MAX, "all outlines fit");

typedef struct point { double x, y; } point;

// Clockwise or not, but all around a middle from which each corner is seen; px, from that middle.
typedef struct outline {
    point at[ZG_OUTLINE_MAX];
    point shift[ZG_OUTLINE_MAX]; // of a corner, when its edges move out by 1
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

// Four quarters of an ellipse with these half axes, their middles moved out to (x, y) in each direction.
static void put_quarters(const zg_particle *p, double rx, double ry, double x, double y, uint32_t chords, outline *o) {
    static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const bool closed = x == 0 && y == 0; // a quarter's end is the next one's start
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        const uint32_t count = closed && chords > 0 ? chords : chords + 1;
        for (uint32_t k = 0; k < count; k++) {
            double sine, cosine;
            zb_sincos_degrees(90.0 * quarter + (chords > 0 ? 90.0 * k / chords : 0), &sine, &cosine);
            if (chords == 0) { // no more of an arc than its corner
                cosine = signs[quarter][0];
                sine = signs[quarter][1];
            }
            o->at[o->count++] = map(p, signs[quarter][0] * x + rx * cosine, signs[quarter][1] * y + ry * sine);
        }
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
        const uint32_t chords = chords_of(p, half_x > half_y ? half_x : half_y);
        put_quarters(p, half_x, half_y, 0, 0, chords > 0 ? chords : 1, o);
    } else {
        const double most = half_x < half_y ? half_x : half_y;
        const double radius = shape->corner < most ? shape->corner : most;
        put_quarters(p, radius, radius, half_x - radius, half_y - radius, chords_of(p, radius), o);
    }
}

// ---------------------------------------------------------------------------------------------------- outlines

static double cross(point a, point b) { return a.x * b.y - a.y * b.x; }

static point moved(const outline *o, uint32_t i, double out) {
    return (point){o->at[i].x + o->shift[i].x * out, o->at[i].y + o->shift[i].y * out};
}

// With its corners moved; without shifts for `out` 0. > 0: it turns to the right.
static double area_of(const outline *o, double out) {
    double twice = 0;
    for (uint32_t i = 0; i < o->count; i++) { twice += cross(moved(o, i, out), moved(o, (i + 1) % o->count, out)); }
    return twice / 2;
}

static void reverse(outline *o) {
    for (uint32_t i = 0, k = o->count - 1; i < k; i++, k--) {
        const point other = o->at[i];
        o->at[i] = o->at[k];
        o->at[k] = other;
    }
}

// What all edges together say of the outline.
typedef struct girth {
    double area, around; // px^2, px
    double inside;       // px from the middle to the nearest edge
} girth;

// Finds the shifts. Where an edge has no length its neighbour's direction is its own.
static girth measure(outline *o) {
    girth g = {.area = area_of(o, 0), .inside = FAR};
    point normals[ZG_OUTLINE_MAX];
    point last = {0, 0};
    for (uint32_t twice = 0; twice < 2 * o->count; twice++) { // the second time round `last` is known from the start
        const uint32_t i = twice % o->count;
        const point from = o->at[i], to = o->at[(i + 1) % o->count];
        const point way = {to.x - from.x, to.y - from.y};
        const double size = length(way.x, way.y);
        if (size > 0) { last = (point){way.y / size, -way.x / size}; } // outwards: the outline turns to the right
        normals[i] = last;
        if (twice < o->count || !(size > 0)) { continue; }
        g.around += size;
        const double distance = fabs(cross(from, to)) / size;
        g.inside = distance < g.inside ? distance : g.inside;
    }
    for (uint32_t i = 0; i < o->count; i++) {
        const point n0 = normals[(i + o->count - 1) % o->count], n1 = normals[i];
        const point sum = {n0.x + n1.x, n0.y + n1.y};
        const double norm = length(sum.x, sum.y);
        // |sum| is twice the cosine of half the turn, and the shift's length one over that cosine.
        const double shift = norm * MITER_MAX > 2 ? 2 / norm : MITER_MAX;
        o->shift[i] = norm > 0 ? (point){sum.x / norm * shift, sum.y / norm * shift} : (point){n1.y * shift, -n1.x * shift};
    }
    return g;
}

// How far inside the inner outline runs. What is laid on is the mean of the areas from the inner to the outer outline,
// and the area at a distance s out is area + around * s + bend * s^2: solved for the mean to be the area.
static double inner_shift(const outline *o, const girth *g) {
    const double bend = (area_of(o, EDGE) - g->area - g->around * EDGE) / (EDGE * EDGE);
    const double a = bend / 3, b = g->around / 2 + bend * EDGE / 3, c = g->around * EDGE / 2 + bend * EDGE * EDGE / 3;
    const double root = b * b - 4 * a * c;
    const double shift = root > 0 ? 2 * c / (b + sqrt(root)) : g->inside;
    return shift > 0 && shift < g->inside ? shift : g->inside;
}

// What the triangles lay on, full being 1.
static double volume_of(const outline *o, double inner) {
    double thrice = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const uint32_t next = (i + 1) % o->count;
        const point in0 = moved(o, i, -inner), in1 = moved(o, next, -inner);
        const point out0 = moved(o, i, EDGE), out1 = moved(o, next, EDGE);
        const point side = {out1.x - out0.x, out1.y - out0.y}, across = {in1.x - out0.x, in1.y - out0.y};
        const point back = {in0.x - out0.x, in0.y - out0.y};
        thrice += 3 * cross(in0, in1) + cross(side, across) + 2 * cross(across, back);
    }
    return thrice / 6;
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
    for (uint32_t i = 0; i < n; i++) { put_vertex(p, moved(o, i, -inner), share, list); }
    for (uint32_t i = 0; i < n && rings == 2; i++) { put_vertex(p, moved(o, i, EDGE), 0, list); }
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
    if (!(particle->opacity * particle->colour[3] > INVISIBLE)) { return true; }
    outline o = {.count = 0};
    put_shape(particle, &o);
    if (!is_near(particle, &o)) { return true; }
    const double area = area_of(&o, 0);
    if (!(fabs(area) > 0)) { return true; }
    if (area < 0) { reverse(&o); } // mirrored
    double share = particle->opacity, inner = 0;
    if (particle->feathered) {
        const girth g = measure(&o);
        inner = inner_shift(&o, &g);
        const double volume = volume_of(&o, inner);
        if (volume > g.area) { share *= g.area / volume; }
        if (!(share > INVISIBLE)) { return true; }
    }
    *drawn = put_triangles(particle, &o, inner, share, list);
    return *drawn;
}

uint32_t zg_shape_corners(const zp_shape *shape) {
    switch (shape->outline) {
    case ZP_OUTLINE_POLYGON: return shape->point_count;
    case ZP_OUTLINE_ELLIPSE: return 4 * QUARTER_MAX;
    default: return 4 * (QUARTER_MAX + 1);
    }
}
