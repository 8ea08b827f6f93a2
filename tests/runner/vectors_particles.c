// The cases of petween/particles.json: one burst each, with its random numbers given. Expected answers come from the
// file alone. The particles that are alive before it are put into the instance's table, since no script makes so few.
#include <math.h>
#include <string.h>

#include "runtime/runtime.h"
#include "vectors.h"

typedef struct burst {
    zo_program *program;
    zo_instance *start; // the burst has just been let go
    zo_instance *later; // a copy of it, played on
} burst;

enum { BURST_MAX = 24, OTHER_SERIAL = 1000 };

static bool compile(vectors *v, uint32_t item, burst *b) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"version\":1,\"id\":\"user:burst\",\"name\":\"Burst\",\"kind\":\"interaction\",\"durationMs\":2000,"
             "\"repeat\":{\"mode\":\"once\"},\"tracks\":[{\"property\":\"transition.x\",\"keyframes\":"
             "[{\"at\":0,\"value\":0}]}],\"events\":[{\"at\":0,\"type\":\"particle\",\"effect\":\"%s\"}]}",
             vectors_text(v, item, "effect"));
    const zo_source source = {.name = "burst.json", .bytes = text, .size = strlen(text)};
    zo_report *report = NULL;
    const zo_status status = zo_compile(&source, 1, &(zo_compile_def){.format = "petween"}, &b->program, &report);
    zo_report_free(report);
    return status == ZO_OK;
}

static bool open_burst(vectors *v, uint32_t item, burst *b) {
    const uint32_t random = vectors_member(v->doc, item, "random");
    uint32_t number_count = 0;
    VECTORS_EACH(v->doc, number, random) { number_count++; }
    double *numbers = zb_arena_take_array(v->arena, (size_t)number_count + 1, sizeof *numbers), *next = numbers;
    VECTORS_EACH(v->doc, number, random) { *next++ = zj_at(v->doc, number)->as.number; }
    if (!compile(v, item, b)) { return false; }
    const zo_instance_def def = {.particle_list = numbers, .particle_count = number_count};
    b->start = zo_instance_create(b->program, &def, NULL);
    b->later = zo_instance_create(b->program, &def, NULL);
    if (b->start == NULL || b->later == NULL) { return false; }
    double alive = 0.0;
    vectors_number(v->doc, item, "alive", &alive);
    for (uint32_t left = (uint32_t)alive, count; left > 0; left -= count) {
        count = left < BURST_MAX ? left : BURST_MAX;
        zr_effects(b->start)[b->start->effect_count++] =
            (zr_effect){.count = count, .serial = OTHER_SERIAL, .end_ns = INT64_C(400000000)};
    }
    return true;
}

static void close_burst(burst *b) {
    zo_instance_free(b->start);
    zo_instance_free(b->later);
    zo_program_free(b->program);
}

// The events at 0; the number of particles that one of them tells of, 0 if none does.
static uint32_t let_go(burst *b) {
    uint32_t count = 0;
    zo_event event;
    zo_step step;
    do {
        step = zo_instance_advance(b->start, 0, &event, 1);
        if (step.count == 1 && event.kind == ZO_EVENT_START_EFFECT) { count += event.count; }
    } while (step.more);
    return count;
}

// The burst's particle at this age; false: it is no longer alive.
static bool particle_at(const burst *b, uint32_t index, double age_ms, zr_particle *particle) {
    memcpy(b->later, b->start, b->start->size);
    zo_event events[4];
    zo_step step = {.left_ns = (int64_t)floor(age_ms * 1e6 + 0.5)};
    do { step = zo_instance_advance(b->later, step.left_ns, events, 4); } while (step.more || step.left_ns > 0);
    for (uint32_t e = 0; e < b->later->effect_count; e++) {
        if (zr_effects(b->later)[e].serial == OTHER_SERIAL) { continue; }
        zr_particle_walk walk = {.effect = e, .particle = index};
        return zr_particle_next(b->later, &walk, particle) && walk.effect == e && walk.particle == index + 1;
    }
    return false;
}

#define CHECK(fact, ...) \
    if (!(fact)) { \
        snprintf(why, 256, __VA_ARGS__); \
        return false; \
    }

static bool near_key(double expected, double actual) {
    return vectors_near(expected, actual, 1e-9 * fmax(1.0, fabs(expected)));
}

static bool looks_are(vectors *v, uint32_t item, const burst *b, const zr_particle *p, char why[256]) {
    const char *shape = zp_name_text(b->program, b->program->shapes[p->shape].name);
    CHECK(strcmp(shape, vectors_text(v, item, "shape")) == 0, "the shape is %s", shape);
    char colour[16];
    snprintf(colour, sizeof colour, "#%02x%02x%02x", (unsigned)(p->colour[0] * 255 + 0.5),
             (unsigned)(p->colour[1] * 255 + 0.5), (unsigned)(p->colour[2] * 255 + 0.5));
    CHECK(strcmp(colour, vectors_text(v, item, "colour")) == 0, "the colour is %s", colour);
    CHECK(p->colour[3] == 1.0, "the colour is not opaque");
    double width = 0.0, height = 0.0, life_ms = 0.0;
    vectors_number(v->doc, item, "width", &width);
    vectors_number(v->doc, item, "height", &height);
    vectors_number(v->doc, item, "life_ms", &life_ms);
    CHECK(p->width == width && p->height == height, "it is %.9g by %.9g", p->width, p->height);
    CHECK(p->life_ns == (int64_t)floor(life_ms * 1e6 + 0.5), "it lives %.9g ns", (double)p->life_ns);
    return true;
}

static bool point_is(vectors *v, uint32_t point, const burst *b, uint32_t index, char why[256]) {
    double age_ms = 0.0, x = 0.0, y = 0.0, turn = 0.0, opacity = 0.0;
    vectors_number(v->doc, point, "age_ms", &age_ms);
    zr_particle p;
    const bool alive = particle_at(b, index, age_ms, &p);
    CHECK(alive == vectors_true(v->doc, point, "alive"), "at %.9g it is %s", age_ms, alive ? "alive" : "gone");
    if (!alive) { return true; }
    CHECK(vectors_number(v->doc, point, "x", &x) && vectors_number(v->doc, point, "y", &y) &&
              vectors_number(v->doc, point, "turn", &turn) && vectors_number(v->doc, point, "opacity", &opacity),
          "a point lacks a number");
    CHECK(near_key(x, p.x) && near_key(y, p.y), "at %.9g it is at %.17g, %.17g", age_ms, p.x, p.y);
    CHECK(near_key(turn, p.turn), "at %.9g it is turned by %.17g", age_ms, p.turn);
    CHECK(near_key(opacity, p.opacity), "at %.9g its opacity is %.17g", age_ms, p.opacity);
    return true;
}

static bool burst_is(vectors *v, uint32_t item, burst *b, char why[256]) {
    double expected = -1.0;
    vectors_number(v->doc, item, "count", &expected);
    const uint32_t count = let_go(b);
    CHECK((double)count == expected, "%u particles are let go, not %.9g", count, expected);
    uint32_t index = 0;
    VECTORS_EACH(v->doc, particle, vectors_member(v->doc, item, "particles")) {
        char detail[256];
        zr_particle p;
        CHECK(particle_at(b, index, 0.0, &p), "particle %u is not there", index);
        CHECK(looks_are(v, particle, b, &p, detail), "particle %u: %.200s", index, detail);
        VECTORS_EACH(v->doc, point, vectors_member(v->doc, particle, "points")) {
            CHECK(point_is(v, point, b, index, detail), "particle %u: %.200s", index, detail);
        }
        index++;
    }
    CHECK(index == count, "the file has %u particles", index);
    return true;
}

void vectors_petween_particles(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        burst b = {0};
        char why[256];
        if (!open_burst(v, item, &b)) {
            vectors_fail(v, name, "cannot be played");
        } else if (!burst_is(v, item, &b, why)) {
            vectors_fail(v, name, "%s", why);
        } else {
            vectors_pass(v);
        }
        close_burst(&b);
    }
}
