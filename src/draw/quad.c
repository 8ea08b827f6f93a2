// A picture on a parallelogram, as triangles with a soft border: the inner quad is full, and a ring around it fades to
// nothing, so that what a pixel gets is, to a fraction of a level, the share of it that the picture covers, and moving
// edges do not jump from pixel to pixel. Called by list.c. Knows no program.
//
// Across one direction of the parallelogram, h from its middle to the border, a pixel's share runs like this (one pixel
// wide on the slope: e = 1/2 on either side of the border; the picture thinner than a pixel on the right):
//
//      1 ____________                         2h/1 _________
//       /            \                            /         \        the plateau ends at |h - e|, the ring at h + e,
//   ___/              \___                    ___/           \___    and the height is min(1, h / e)
//    h+e  h-e    h-e  h+e                      h+e e-h  e-h h+e
//
// Both areas are 2h: nothing vanishes and nothing grows when a picture gets thin. Along a parallelogram's skewed side
// the slope is longer, 1/2 / sin(angle), up to SLOPE_MAX.
#include <math.h>

#include "draw/draw.h"

#define SLOPE_MAX 2.0            // px along a side
#define INVISIBLE (1.0 / 1024.0) // a share that no channel of eight bits shows
#define FAR 1e12                 // px; a picture that large has no pixel of its own on any screen
#define BORDER (1.0 / 1024.0)    // px; the rasteriser's grid is coarser

// One direction: where plateau and ring end, as multiples of the half side; the same for the picture on it; the height.
typedef struct profile {
    double inner, outer;
    double picture_inner, picture_outer;
    double height;
} profile;

// half: length of the half side, px; slope: e along it.
static profile profile_of(double half, double slope) {
    // On a picture thinner than the slope the texels are spread over the slope instead, so that a pixel in the middle
    // sees the whole width and one at the border sees no further than that again.
    const double spread = half > slope ? half : slope;
    return (profile){
        .inner = fabs(half - slope) / half,
        .outer = (half + slope) / half,
        .picture_inner = fabs(half - slope) / spread,
        .picture_outer = (half + slope) / spread,
        .height = half < slope ? half / slope : 1.0,
    };
}

static double length(const double v[2]) { return sqrt(v[0] * v[0] + v[1] * v[1]); }

// A skewed sliver is no wider than a hair anywhere although both its sides are long. It is widened across its long
// direction to one pixel, and fades by the same factor, which is returned.
static double widen_sliver(double a[2], double b[2], double area) {
    const double p = a[0] * a[0] + b[0] * b[0];
    const double q = a[0] * a[1] + b[0] * b[1];
    const double r = a[1] * a[1] + b[1] * b[1];
    const double root = sqrt((p - r) / 2 * ((p - r) / 2) + q * q);
    const double largest = (p + r) / 2 + root; // square of the half length
    const double half_width = area / sqrt(largest);
    if (half_width >= 0.5) { return 1.0; }
    // The long direction solves (p - largest) x + q y = 0 and q x + (r - largest) y = 0: take the better conditioned.
    double along[2] = {q, largest - p};
    if (p > r) {
        along[0] = largest - r;
        along[1] = q;
    }
    const double norm = length(along);
    if (!(norm > 0)) { return 0.0; }
    const double across[2] = {-along[1] / norm, along[0] / norm};
    const double more = 0.5 / half_width - 1.0;
    const double a_across = (a[0] * across[0] + a[1] * across[1]) * more;
    const double b_across = (b[0] * across[0] + b[1] * across[1]) * more;
    for (uint32_t c = 0; c < 2; c++) {
        a[c] += a_across * across[c];
        b[c] += b_across * across[c];
    }
    return half_width / 0.5;
}

static bool on_border(double x) { return fabs(x - floor(x + 0.5)) < BORDER; }

// Upright or turned by a right angle, and each edge between two pixels, not the same two: it needs no ring.
static bool is_exact(const zg_quad *quad) {
    const double *a = quad->a, *b = quad->b, *center = quad->center;
    const bool upright = fabs(a[1]) < BORDER && fabs(b[0]) < BORDER;
    const bool turned = fabs(a[0]) < BORDER && fabs(b[1]) < BORDER;
    if (!upright && !turned) { return false; }
    const double half_x = upright ? a[0] : b[0];
    const double half_y = upright ? b[1] : a[1];
    if (fabs(half_x) < BORDER || fabs(half_y) < BORDER) { return false; }
    return on_border(center[0] - half_x) && on_border(center[0] + half_x) && on_border(center[1] - half_y) &&
           on_border(center[1] + half_y);
}

static void put_corners(const zg_quad *quad, const double a[2], const double b[2], double s, double t, double picture_s,
                        double picture_t, double share, zo_vertex out[4]) {
    static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (uint32_t k = 0; k < 4; k++) {
        const double x = signs[k][0], y = signs[k][1];
        out[k] = (zo_vertex){
            .x = (float)(quad->center[0] + x * s * a[0] + y * t * b[0]),
            .y = (float)(quad->center[1] + x * s * a[1] + y * t * b[1]),
            .u = (float)(quad->picture_center[0] + x * picture_s * quad->picture_half[0]),
            .v = (float)(quad->picture_center[1] + y * picture_t * quad->picture_half[1]),
            .r = (float)share, .g = (float)share, .b = (float)share, .a = (float)share,
        };
    }
}

static bool has_room(const zo_draw_list *list, uint32_t vertex_count, uint32_t index_count) {
    return list->vertex_capacity - list->vertex_count >= vertex_count &&
           list->index_capacity - list->index_count >= index_count;
}

static void put_triangle(zo_draw_list *list, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t *indices = list->indices + list->index_count;
    indices[0] = i;
    indices[1] = j;
    indices[2] = k;
    list->index_count += 3;
}

static bool emit_plain(const zg_quad *quad, zo_draw_list *list) {
    if (!has_room(list, 4, 6)) { return false; }
    const uint32_t first = list->vertex_count;
    put_corners(quad, quad->a, quad->b, 1, 1, 1, 1, quad->opacity, list->vertices + first);
    list->vertex_count += 4;
    put_triangle(list, first, first + 1, first + 2);
    put_triangle(list, first, first + 2, first + 3);
    return true;
}

bool zg_quad_emit(const zg_quad *quad, zo_draw_list *list, bool *drawn) {
    *drawn = false;
    double a[2] = {quad->a[0], quad->a[1]}, b[2] = {quad->b[0], quad->b[1]};
    const double a_length = length(a), b_length = length(b);
    // Written so that what is not a number is not drawn either.
    const bool near = fabs(quad->center[0]) < FAR && fabs(quad->center[1]) < FAR && a_length < FAR && b_length < FAR;
    if (!near) { return true; }
    const double area = fabs(a[0] * b[1] - a[1] * b[0]); // a quarter of it
    if (!(area > 0 && quad->opacity > INVISIBLE)) { return true; }
    if (!quad->feathered || is_exact(quad)) {
        *drawn = emit_plain(quad, list);
        return *drawn;
    }

    double share = quad->opacity;
    if (area < 0.5 / SLOPE_MAX * a_length * b_length) { share *= widen_sliver(a, b, area); }
    const double a_half = length(a), b_half = length(b);
    const double sine = fabs(a[0] * b[1] - a[1] * b[0]) / (a_half * b_half);
    const double slope = sine * SLOPE_MAX > 0.5 ? 0.5 / sine : SLOPE_MAX;
    const profile along_a = profile_of(a_half, slope), along_b = profile_of(b_half, slope);
    share *= along_a.height * along_b.height;
    if (!(share > INVISIBLE)) { return true; }
    if (!has_room(list, ZG_QUAD_VERTICES, ZG_QUAD_INDICES)) { return false; }

    const uint32_t inner = list->vertex_count, outer = inner + 4;
    put_corners(quad, a, b, along_a.inner, along_b.inner, along_a.picture_inner, along_b.picture_inner, share,
                list->vertices + inner);
    put_corners(quad, a, b, along_a.outer, along_b.outer, along_a.picture_outer, along_b.picture_outer, 0,
                list->vertices + outer);
    list->vertex_count += ZG_QUAD_VERTICES;
    put_triangle(list, inner, inner + 1, inner + 2);
    put_triangle(list, inner, inner + 2, inner + 3);
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t next = (k + 1) % 4;
        put_triangle(list, outer + k, outer + next, inner + next);
        put_triangle(list, outer + k, inner + next, inner + k);
    }
    *drawn = true;
    return true;
}
