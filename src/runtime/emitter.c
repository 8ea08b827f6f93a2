// Where an emitter stands and where its particles are born. Called by emission.c and particles.c. Only the target's own
// ancestors are looked at, at the present instant, and nothing is kept.
#include <math.h>

#include "base/maths.h"
#include "runtime/particles.h"

// ---------------------------------------------------------------------------------------------------- where it stands

typedef struct plane { double xx, xy, x0, yx, yy, y0; } plane; // an affine of the plane

static plane of_target(const zp_target *target, const double *v) {
    double sine, cosine;
    zb_sincos_degrees(v[ZP_SLOT_ROTATION], &sine, &cosine);
    const double xx = cosine * v[ZP_SLOT_SCALE_X], xy = 0.0 - sine * v[ZP_SLOT_SCALE_Y];
    const double yx = sine * v[ZP_SLOT_SCALE_X], yy = cosine * v[ZP_SLOT_SCALE_Y];
    const double px = target->pivot[0], py = target->pivot[1];
    return (plane){xx, xy, v[ZP_SLOT_X] + (px - (xx * px + xy * py)), yx, yy,
                   v[ZP_SLOT_Y] + (py - (yx * px + yy * py))};
}

static plane after(const plane *a, const plane *b) { // a after b
    return (plane){a->xx * b->xx + a->xy * b->yx, a->xx * b->xy + a->xy * b->yy, a->xx * b->x0 + a->xy * b->y0 + a->x0,
                   a->yx * b->xx + a->yy * b->yx, a->yx * b->xy + a->yy * b->yy, a->yx * b->x0 + a->yy * b->y0 + a->y0};
}

// Sizes multiply up the chain without an end; what is drawn is far nearer than that.
static double sane(double at) { return at > -1e15 && at < 1e15 ? at : 0.0; }

// The turn is the sum of the turns up the chain, each counted backwards once for every mirrored target above it: a
// billboard's, which scale does not shear.
zr_stand zr_stand_now(const zo_instance *instance, const zr_effect *live) {
    const zp_program *program = instance->program;
    const zp_effect *effect = &program->effects[live->effect];
    const zp_emitter *emitter = &program->emitters[effect->emitter_ref - 1];
    plane all = {.xx = 1.0, .yy = 1.0};
    double turn = 0.0;
    for (uint32_t ref = effect->target + 1; ref != 0; ref = program->targets[ref - 1].parent_ref) {
        const zp_target *target = &program->targets[ref - 1];
        if (target->compose != ZP_COMPOSE_TRS2) { continue; }
        double v[ZP_SLOT_SCALE_Y + 1];
        zr_target_values(instance, target, v);
        const plane own = of_target(target, v);
        all = after(&own, &all);
        if (v[ZP_SLOT_SCALE_X] * v[ZP_SLOT_SCALE_Y] < 0.0) { turn = 0.0 - turn; }
        turn += v[ZP_SLOT_ROTATION];
    }
    zr_stand stand = {.origin = {sane(all.xx * emitter->place[0] + all.xy * emitter->place[1] + all.x0),
                                 sane(all.yx * emitter->place[0] + all.yy * emitter->place[1] + all.y0),
                                 emitter->place[2]}};
    stand.degrees = sane(turn);
    zb_sincos_degrees(stand.degrees, &stand.sine, &stand.cosine);
    return stand;
}

void zr_stand_turn(const zr_stand *stand, const zp_emitter *emitter, double turn[9]) {
    const double *m = emitter->turn;
    for (uint32_t c = 0; c < 3; ++c) {
        turn[c] = stand->cosine * m[c] - stand->sine * m[3 + c];
        turn[3 + c] = stand->sine * m[c] + stand->cosine * m[3 + c];
        turn[6 + c] = m[6 + c];
    }
}

// ---------------------------------------------------------------------------------------------------- births

// What the shapes have that no number of the record says.
#define CONE_LENGTH 5.0
#define TUBE 0.2
#define RADIUS_LEAST 0.0001

static double cube_root(double x) { // of 0..1
    if (!(x > 0.0)) { return 0.0; }
    double root = x < 0.125 ? 0.5 * sqrt(sqrt(x)) + 0.5 * sqrt(x) : 0.4 + 0.6 * x; // and then Newton's way
    for (uint32_t i = 0; i < 40; ++i) {
        const double next = root - (root - x / (root * root)) / 3.0;
        if (fabs(next - root) <= 1e-16 * root) { return next; }
        root = next;
    }
    return root;
}

// Within the cube's surface, or its edges: the axis that is at one end, and what the two that follow it are.
static void box_shell(const double u[3], double place[3]) {
    const double side = floor(6.0 * u[0]);
    const uint32_t s = side < 5.0 ? (uint32_t)side : 5, axis = s / 2;
    place[axis] = s % 2 == 0 ? -0.5 : 0.5;
    place[(axis + 1) % 3] = u[1] - 0.5;
    place[(axis + 2) % 3] = u[2] - 0.5;
}

static void box_edge(const double u[3], double place[3]) {
    const double edge = floor(12.0 * u[0]);
    const uint32_t e = edge < 11.0 ? (uint32_t)edge : 11, axis = e / 4, ends = e % 4;
    place[axis] = u[1] - 0.5;
    place[(axis + 1) % 3] = (ends & 1) == 0 ? -0.5 : 0.5;
    place[(axis + 2) % 3] = (ends & 2) == 0 ? -0.5 : 0.5;
}

static void set(double v[3], double x, double y, double z) {
    v[0] = x;
    v[1] = y;
    v[2] = z;
}

void zr_birthplace(const zp_emitter *emitter, const double u[3], double place[3], double direction[3]) {
    const double radius = emitter->radius > RADIUS_LEAST ? emitter->radius : RADIUS_LEAST;
    double sine, cosine;
    zb_sincos_degrees(360.0 * u[0], &sine, &cosine);
    const double disc = sqrt(u[1]);
    set(place, 0.0, 0.0, 0.0);
    set(direction, 0.0, 0.0, 1.0);
    switch ((zp_birthplace)emitter->birthplace) {
    case ZP_BIRTH_CONE:
    case ZP_BIRTH_CONE_VOLUME:
    case ZP_BIRTH_CONE_SHELL:
    case ZP_BIRTH_CONE_VOLUME_SHELL: {
        const bool shell = emitter->birthplace == ZP_BIRTH_CONE_SHELL ||
            emitter->birthplace == ZP_BIRTH_CONE_VOLUME_SHELL;
        const bool volume =
            emitter->birthplace == ZP_BIRTH_CONE_VOLUME || emitter->birthplace == ZP_BIRTH_CONE_VOLUME_SHELL;
        const double out = shell ? 1.0 : disc, along = volume ? CONE_LENGTH * u[2] : 0.0;
        double tilt_sine, tilt_cosine;
        zb_sincos_degrees(emitter->angle * out, &tilt_sine, &tilt_cosine);
        set(direction, tilt_sine * cosine, tilt_sine * sine, tilt_cosine);
        set(place, radius * out * cosine + along * direction[0], radius * out * sine + along * direction[1],
            along * direction[2]);
        return;
    }
    case ZP_BIRTH_SPHERE:
    case ZP_BIRTH_SPHERE_SHELL:
    case ZP_BIRTH_HEMISPHERE:
    case ZP_BIRTH_HEMISPHERE_SHELL: {
        const bool half = emitter->birthplace == ZP_BIRTH_HEMISPHERE ||
            emitter->birthplace == ZP_BIRTH_HEMISPHERE_SHELL;
        const bool shell =
            emitter->birthplace == ZP_BIRTH_SPHERE_SHELL || emitter->birthplace == ZP_BIRTH_HEMISPHERE_SHELL;
        const double z = half ? 1.0 - u[1] : 1.0 - 2.0 * u[1], ring = sqrt(1.0 - z * z);
        const double out = shell ? radius : radius * cube_root(u[2]);
        set(direction, ring * cosine, ring * sine, z);
        set(place, out * direction[0], out * direction[1], out * direction[2]);
        return;
    }
    case ZP_BIRTH_CIRCLE:
    case ZP_BIRTH_CIRCLE_EDGE: {
        const double out = emitter->birthplace == ZP_BIRTH_CIRCLE_EDGE ? radius : radius * disc;
        set(direction, cosine, sine, 0.0);
        set(place, out * cosine, out * sine, 0.0);
        return;
    }
    case ZP_BIRTH_EDGE:
        set(place, radius * (2.0 * u[0] - 1.0), 0.0, 0.0);
        set(direction, 0.0, 1.0, 0.0);
        return;
    case ZP_BIRTH_BOX: set(place, u[0] - 0.5, u[1] - 0.5, u[2] - 0.5); return;
    case ZP_BIRTH_BOX_SHELL: box_shell(u, place); return;
    case ZP_BIRTH_BOX_EDGE: box_edge(u, place); return;
    case ZP_BIRTH_RECTANGLE: set(place, u[0] - 0.5, u[1] - 0.5, 0.0); return;
    case ZP_BIRTH_DONUT: {
        double around_sine, around_cosine;
        zb_sincos_degrees(360.0 * u[1], &around_sine, &around_cosine);
        const double out = TUBE * sqrt(u[2]);
        set(direction, around_cosine * cosine, around_cosine * sine, around_sine);
        set(place, radius * cosine + out * direction[0], radius * sine + out * direction[1], out * direction[2]);
        return;
    }
    default: return;
    }
}
