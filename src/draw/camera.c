// The camera: from where space is seen, and how large. Called by mesh.c. Reads program and view. What is reckoned here
// is the same everywhere: + - * / sqrt and trigonometry of our own.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

#define FIELD_MIN 0.01 // degrees; less is no perspective,
#define FIELD_MAX 179.0
#define NEAR_MAX (1 / 16.0)  // of the distance of the middle: what is nearer than that is cut off, or nearer than half
#define NEAR_MIN (1 / 256.0) // of the nearest that is meant to be seen, but none that is nearer than this
#define REACH 16.0      // times half the diagonal of the box have depths of their own

typedef struct box { double low[3], high[3]; } box;

static void widen(box *b, uint32_t axis, double low, double high) {
    b->low[axis] = low < b->low[axis] ? low : b->low[axis];
    b->high[axis] = high > b->high[axis] ? high : b->high[axis];
}

// What is meant to be seen: as the view has it, else the meshes unmoved, and the stage, which has no depth of its own.
static box box_of(const zp_program *program, const zo_view *view) {
    if (view->box) {
        box given;
        memcpy(given.low, view->box, sizeof given.low);
        memcpy(given.high, view->box + 3, sizeof given.high);
        return given;
    }
    box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MESHES); i++) {
        const zp_mesh *mesh = &program->meshes[i];
        for (uint32_t c = 0; c < 3 && mesh->vertex_count > 0; c++) { widen(&b, c, mesh->low[c], mesh->high[c]); }
    }
    if (!(b.low[0] <= b.high[0])) { return (box){{0, 0, 0}, {0, 0, 0}}; } // no vertex, and nothing to see
    const double *stage = program->header->stage;
    if (stage[0] < stage[2] && stage[1] != stage[3]) {
        const bool up = zp_y_up(program);
        widen(&b, 0, stage[0], stage[2]);
        widen(&b, 1, up ? stage[3] : stage[1], up ? stage[1] : stage[3]);
    }
    return b;
}

// Rows of the turn: about y by yaw, then about x by pitch. Where y points down, upside down first, about x as well.
static void put_turn(const zp_program *program, const zo_camera *from, double m[12]) {
    double yaw_sine, yaw_cosine, sine, cosine;
    zb_sincos_degrees(from->yaw, &yaw_sine, &yaw_cosine);
    zb_sincos_degrees(from->pitch, &sine, &cosine);
    const double up = zp_y_up(program) ? 1 : -1;
    const double rows[12] = {
        yaw_cosine, 0, up * yaw_sine, 0,
        sine * yaw_sine, up * cosine, -up * sine * yaw_cosine, 0,
        -cosine * yaw_sine, up * sine, up * cosine * yaw_cosine, 0,
    };
    memcpy(m, rows, sizeof rows);
}

static double focal_of(double field) { // px a unit at a distance of 1, of a viewport of two px
    double sine, cosine;
    zb_sincos_degrees(field / 2, &sine, &cosine);
    return cosine / sine;
}

// Of the box's corners: how far each is from the middle, as a share of half the viewport's sides at a scale of 1, and
// how far towards the viewer.
typedef struct spread { double aside[8], ahead[8]; } spread;

static spread spread_of(const double turn[12], const box *b, const double middle[3], const zo_view *view) {
    spread s;
    for (uint32_t i = 0; i < 8; i++) {
        double at[3], seen[3];
        for (uint32_t c = 0; c < 3; c++) { at[c] = (i >> c & 1 ? b->high[c] : b->low[c]) - middle[c]; }
        zb_affine_apply(turn, at[0], at[1], at[2], seen);
        const double across = fabs(seen[0]) * 2 / view->width, up = fabs(seen[1]) * 2 / view->height;
        s.aside[i] = across > up ? across : up;
        s.ahead[i] = seen[2];
    }
    return s;
}

static double radius_of(const box *b) {
    double square = 0;
    for (uint32_t c = 0; c < 3; c++) { square += (b->high[c] - b->low[c]) * (b->high[c] - b->low[c]); }
    return square > 0 ? sqrt(square) / 2 : 1;
}

// How far the eye is from the middle; scale and near as well.
static double set_perspective(zg_camera *camera, const zo_camera *from, const zo_view *view, const spread *s,
                              double radius) {
    const double least = radius / 16; // the eye stays out of the box
    // The field is the viewport's height where nothing is magnified.
    const double focal = focal_of(zb_clamp(from->field, FIELD_MIN, FIELD_MAX)) * view->height / 2;
    double distance = 0, nearest = HUGE_VAL;
    for (uint32_t i = 0; i < 8; i++) {
        const double before = s->aside[i] * focal, enough = s->ahead[i] + (before > least ? before : least);
        distance = enough > distance ? enough : distance;
    }
    if (view->pixels_per_unit != 0) { distance = focal / view->pixels_per_unit; }
    for (uint32_t i = 0; i < 8; i++) {
        nearest = distance - s->ahead[i] < nearest ? distance - s->ahead[i] : nearest;
    }
    camera->scale = focal * from->zoom;
    camera->near = zb_clamp(nearest / 2, distance * NEAR_MIN, distance * NEAR_MAX);
    return distance;
}

static void set_flat(zg_camera *camera, const zo_camera *from, const zo_view *view, const spread *s, double radius) {
    double most = 0;
    for (uint32_t i = 0; i < 8; i++) { most = s->aside[i] > most ? s->aside[i] : most; }
    const double fitting = most > 0 ? 1 / most : 1;
    camera->scale = (view->pixels_per_unit != 0 ? view->pixels_per_unit : fitting) * from->zoom;
    camera->reach = REACH * radius;
}

zg_camera zg_camera_of(const zp_program *program, const zo_view *view) {
    static const zo_camera standard = ZO_CAMERA_DEFAULT;
    const zo_camera *from = view->camera ? view->camera : &standard;
    zg_camera camera = {.middle = {view->width / 2, view->height / 2}};
    const box b = box_of(program, view);
    double middle[3], turn[12], offset[3];
    for (uint32_t c = 0; c < 3; c++) { middle[c] = (b.low[c] + b.high[c]) / 2; }
    if (view->pixels_per_unit != 0) {
        middle[0] = view->center_x;
        middle[1] = view->center_y;
    }
    put_turn(program, from, turn);
    const spread s = spread_of(turn, &b, middle, view);
    double distance = 0;
    if (from->field >= FIELD_MIN) {
        distance = set_perspective(&camera, from, view, &s, radius_of(&b));
    } else {
        set_flat(&camera, from, view, &s, radius_of(&b));
    }
    for (uint32_t i = 0; i < 4; i++) { turn[8 + i] = -turn[8 + i]; } // the distance grows away from the viewer
    zb_affine_apply(turn, middle[0], middle[1], middle[2], offset);
    for (uint32_t c = 0; c < 3; c++) { turn[4 * c + 3] = (c == 2 ? distance : 0) - offset[c]; }
    memcpy(camera.m, turn, sizeof turn);
    if (view->root) { zb_affine_multiply(camera.m, turn, view->root); }
    return camera;
}

double zg_camera_depth(const zg_camera *camera, double distance) {
    if (camera->near > 0) { return zb_clamp(1 - camera->near / distance, 0, 1); }
    return zb_clamp(0.5 + distance / (2 * camera->reach), 0, 1);
}
