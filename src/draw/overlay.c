// Overlays: a part of a picture over a spot of a sprite, inside an ellipse. Where it lies follows from the sizes of
// both pictures, so it is worked out here; whether it is wanted is the runtime's affair. Called by list.c. The ellipse
// is drawn as particles are, with the same soft border, and its picture is spread over it afterwards.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

#define HEIGHT_MIN 0.5 // px: half as high and nothing is drawn

// ---------------------------------------------------------------------------------------------------- where it lies

static double at_least_one(double value) { return value > 1.0 ? value : 1.0; }

// Of the cel's picture: its middle and half sides in px. Returns its number, 0: there is none, or it is no more than a
// placeholder of a pixel.
static uint32_t find_picture(const zp_program *program, const zo_view *view, uint32_t cel_index, double center[2],
                             double half[2]) {
    const uint32_t image = zg_picture_of(view, cel_index);
    if (image == 0) { return 0; }
    const zp_cel *cel = &program->cels[cel_index];
    double region[4] = {0, 0, view->image_sizes[image - 1].width, view->image_sizes[image - 1].height};
    if (cel->region[2] > 0) { memcpy(region, cel->region, sizeof region); }
    for (uint32_t c = 0; c < 2; c++) {
        center[c] = region[c] + region[2 + c] / 2;
        half[c] = region[2 + c] / 2;
    }
    return region[2] > 1 && region[3] > 1 ? image : 0;
}

// From the cel's anchor to the middle of its picture.
static void measure(const zp_cel *cel, const double half[2], double from_anchor[2]) {
    for (uint32_t c = 0; c < 2; c++) { from_anchor[c] = (0.5 - cel->anchor[c]) * (2 * half[c]); }
}

bool zg_overlay_find(const zo_instance *instance, uint32_t sprite, const zp_cel *cel, const double size[2],
                     const zo_view *view, zg_overlay *overlay) {
    zr_overlay_look look;
    if (!zr_overlay_at(instance, sprite, &look)) { return false; }
    const zp_program *program = instance->program;
    const zp_overlay *record = look.record;
    const uint32_t own_cel = program->words[record->first_cel + look.picture];
    *overlay = (zg_overlay){.record = record, .frame = look.frame, .picture = look.picture, .cel = own_cel};
    overlay->image = find_picture(program, view, own_cel, overlay->picture_center, overlay->picture_half);

    const uint32_t last = record->anchor_count - 1;
    const double *anchor = &program->numbers[record->anchors + 4 * (size_t)(look.frame < last ? look.frame : last)];
    const double *source = anchor;
    if (look.picture < record->source_count) { source = &program->numbers[record->sources + 2 * (size_t)look.picture]; }
    overlay->half[0] = at_least_one(anchor[2]) / 2 * record->reach[0];
    overlay->half[1] = at_least_one(anchor[3]) / 2 * (1 + record->swell * look.open) * record->reach[1];
    overlay->seen = look.seen && overlay->image != 0 && overlay->half[0] > 0 && overlay->half[1] >= HEIGHT_MIN;
    if (!overlay->seen) { return true; }

    const double body_half[2] = {size[0] / 2, size[1] / 2};
    measure(cel, body_half, overlay->from_anchor);
    measure(&program->cels[own_cel], overlay->picture_half, overlay->own_from_anchor);
    for (uint32_t c = 0; c < 2; c++) {
        overlay->center[c] = anchor[c] + (c == 1 ? record->shift : 0);
        overlay->place[c] = record->flags & ZP_OVERLAY_ALIGNED ? overlay->own_from_anchor[c] - overlay->from_anchor[c]
                                                               : anchor[c] - source[c];
    }
    return true;
}

bool zg_overlay_tell(const zo_instance *instance, const zo_view *view, uint32_t index, zo_overlay *told) {
    const zp_program *program = instance->program;
    for (uint32_t sprite = 0; sprite < zp_count(program, ZP_SECTION_SPRITES); sprite++) {
        zr_overlay_look look;
        if (!zr_overlay_at(instance, sprite, &look) || index-- > 0) { continue; }
        zg_overlay found = {.seen = false};
        double center[2], half[2];
        const bool stands = look.cel_ref != 0 && find_picture(program, view, look.cel_ref - 1, center, half) != 0;
        const double size[2] = {stands ? 2 * half[0] : 0, stands ? 2 * half[1] : 0};
        const zp_cel *cel = &program->cels[look.cel_ref != 0 ? look.cel_ref - 1 : 0]; // it has pictures of its own
        zg_overlay_find(instance, sprite, cel, size, view, &found);
        *told = (zo_overlay){.name = zp_name_text(program, look.record->name), .cel = {found.cel + 1},
                             .frame = look.frame, .rest_frame = look.record->rest_frame, .index = look.picture,
                             .visible = stands && found.seen};
        for (uint32_t c = 0; c < 2 && told->visible; c++) {
            told->place[c] = found.from_anchor[c] + found.place[c] - found.own_from_anchor[c];
            told->center[c] = found.from_anchor[c] + found.center[c];
            told->half[c] = found.half[c];
        }
        return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------- its outline

typedef struct polygon {
    double at[ZG_OUTLINE_MAX][2];
    uint32_t count;
} polygon;

enum { CORNERS = 64 };
_Static_assert(CORNERS + 4 <= ZG_OUTLINE_MAX, "each side of a picture adds one corner at most");

static void put_point(polygon *p, const double at[2]) {
    if (p->count < ZG_OUTLINE_MAX) { memcpy(p->at[p->count++], at, sizeof p->at[0]); } // rounded it may not be convex
}

// What lies on one side of a line across an axis: sign * at[axis] <= limit.
static void cut(polygon *p, uint32_t axis, double sign, double limit) {
    polygon left = {.count = 0};
    for (uint32_t i = 0; i < p->count; i++) {
        const double *here = p->at[i], *next = p->at[i + 1 < p->count ? i + 1 : 0];
        const double over = sign * here[axis] - limit, next_over = sign * next[axis] - limit;
        if (over <= 0) { put_point(&left, here); }
        if ((over < 0 && next_over > 0) || (over > 0 && next_over < 0)) {
            const double share = over / (over - next_over);
            double at[2] = {here[0] + (next[0] - here[0]) * share, here[1] + (next[1] - here[1]) * share};
            at[axis] = sign * limit;
            put_point(&left, at);
        }
    }
    *p = left;
}

// What the ellipse and the picture have in common, as fractions of a box of one px about its middle. false: nothing.
static bool put_common(const zg_overlay *overlay, polygon *p, double middle[2]) {
    const double angle = 3.141592653589793 / CORNERS; // half of that of a chord
    const double out = sqrt(2 * angle / zb_sin(2 * angle)); // as large as the ellipse
    p->count = 0;
    for (uint32_t i = 0; i < CORNERS; i++) {
        double sine, cosine;
        zb_sincos_degrees(360.0 * i / CORNERS, &sine, &cosine);
        const double at[2] = {overlay->center[0] + overlay->half[0] * out * cosine,
                              overlay->center[1] + overlay->half[1] * out * sine};
        put_point(p, at);
    }
    for (uint32_t c = 0; c < 2; c++) {
        cut(p, c, 1, overlay->place[c] + overlay->picture_half[c]);
        cut(p, c, -1, overlay->picture_half[c] - overlay->place[c]);
    }
    if (p->count < 3) { return false; }
    for (uint32_t c = 0; c < 2; c++) {
        double sum = 0;
        for (uint32_t i = 0; i < p->count; i++) { sum += p->at[i][c]; }
        middle[c] = sum / p->count; // within, as it is convex
        for (uint32_t i = 0; i < p->count; i++) { p->at[i][c] += 0.5 - middle[c]; }
    }
    return true;
}

static bool is_inside(const zg_overlay *overlay) { // the ellipse in the picture
    bool inside = true;
    for (uint32_t c = 0; c < 2; c++) {
        inside = inside && fabs(overlay->center[c] - overlay->place[c]) + overlay->half[c] <= overlay->picture_half[c];
    }
    return inside;
}

// ---------------------------------------------------------------------------------------------------- drawing

// Texture coordinates of all vertices from there on: what of the picture lies under them.
static void spread(const zg_overlay *overlay, const double center[2], const double a[2], const double b[2],
                   zo_draw_list *list, uint32_t first) {
    const double det = a[0] * b[1] - a[1] * b[0];
    for (zo_vertex *v = list->vertices + first; v < list->vertices + list->vertex_count; v++) {
        const double x = (double)v->x - center[0], y = (double)v->y - center[1];
        const double at[2] = {(x * b[1] - y * b[0]) / det, (a[0] * y - a[1] * x) / det};
        v->u = (float)(overlay->picture_center[0] + (at[0] - overlay->place[0]));
        v->v = (float)(overlay->picture_center[1] + (at[1] - overlay->place[1]));
    }
}

bool zg_overlay_emit(const zg_overlay *overlay, const zg_quad *body, zo_draw_list *list, bool *drawn) {
    static const double white[4] = {1, 1, 1, 1};
    *drawn = false;
    zp_shape shape = {.outline = ZP_OUTLINE_ELLIPSE};
    polygon common;
    zg_particle mask = {.shape = &shape, .numbers = &common.at[0][0], .width = 2 * overlay->half[0],
                        .height = 2 * overlay->half[1], .colour = white, .opacity = body->opacity,
                        .feathered = body->feathered};
    double middle[2] = {overlay->center[0], overlay->center[1]};
    if (!is_inside(overlay)) {
        if (!put_common(overlay, &common, middle)) { return true; }
        shape = (zp_shape){.outline = ZP_OUTLINE_POLYGON, .point_count = common.count};
        mask.width = mask.height = 1;
    }
    for (uint32_t c = 0; c < 2; c++) { // of a px of the sprite's picture
        mask.a[c] = body->a[c] / body->picture_half[0];
        mask.b[c] = body->b[c] / body->picture_half[1];
    }
    for (uint32_t c = 0; c < 2; c++) {
        mask.center[c] = body->center[c] + mask.a[c] * middle[0] + mask.b[c] * middle[1];
    }
    const uint32_t first = list->vertex_count;
    if (!zg_particle_emit(&mask, list, drawn)) { return false; }
    if (*drawn) { spread(overlay, body->center, mask.a, mask.b, list, first); }
    return true;
}
