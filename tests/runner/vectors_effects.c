// The cases of enemy/minmax.json, bursts.json and effects.json: numbers and colours by chance and time, when bursts fall,
// and whole plays of clips with effects. Expected answers come from the files alone; how each is compared is said in the
// README beside them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "runtime/particles.h"
#include "vectors.h"

#define CHECK(fact, ...) \
    if (!(fact)) { \
        snprintf(why, WHY, __VA_ARGS__); \
        return false; \
    }
enum { WHY = 400 };

static bool near_to(double want, double got) { return fabs(got - want) <= 1e-4 * fmax(1.0, fabs(want)); }

static double number_of(vectors *v, uint32_t object, const char *name) {
    double number = 0.0;
    vectors_number(v->doc, object, name, &number);
    return number;
}

static uint32_t count_items(const zj_doc *doc, uint32_t array) { return array != 0 ? zj_at(doc, array)->as.items.count : 0; }

static zo_program *compile(const char *name, zo_text text, zo_text rig, zo_profile profile) {
    const zo_source sources[] = {{.name = name, .bytes = text.data, .size = text.size},
                                 {.name = "rig.json", .bytes = rig.data, .size = rig.size}};
    zo_report *report = NULL;
    zo_program *program = NULL;
    zo_compile(sources, rig.size > 0 ? 2 : 1, &(zo_compile_def){.profile = profile, .format = "enemy-animation"}, &program,
               &report);
    zo_report_free(report);
    return program;
}

// A clip with one effect: `members` come before the usual ones, of which those that they name are left out.
static zo_program *compile_effect(vectors *v, const char *name, const char *members, double duration_s, bool loop) {
    static const char *const usual[][2] = {
        {"startLifetimeMin", "1"}, {"startLifetimeMax", "1"}, {"startSpeedMin", "0"},    {"startSpeedMax", "0"},
        {"startSizeMin", "1"},     {"startSizeMax", "1"},     {"gravityMin", "0"},       {"gravityMax", "0"},
        {"scaleX", "1"},           {"scaleY", "1"},           {"scaleZ", "1"},           {"emissionRateMin", "0"},
        {"emissionRateMax", "0"},  {"shapeRadius", "0"},      {"shapeAngle", "0"},       {"textureSheetTilesX", "1"},
        {"textureSheetTilesY", "1"}, {"sortingOrder", "0"},   {"index", "0"},            {"maxParticles", "100000"},
        {"shapeEnabled", "false"}, {"shape", "\"\""},         {"trigger", "\"\""},       {"simulationSpace", "\"Local\""},
        {"textureSheetSprites", "[]"}, {"source", "{}"},      {"target", "\"bone/body\""}, {"id", "\"e\""},
        {"startColorMin", "{\"r\":1,\"g\":1,\"b\":1,\"a\":1}"}, {"startColorMax", "{\"r\":1,\"g\":1,\"b\":1,\"a\":1}"},
    };
    zb_buffer text = zb_buffer_open(v->arena);
    zb_put(&text, "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"pond:enemy-animation/slime\",\"enemy\":"
                  "\"pond:enemy/slime\",\"displayName\":\"Slime\",\"durationSeconds\":60,\"frameRate\":60,\"loop\":false,"
                  "\"tracks\":[{\"target\":\"bone/body\",\"property\":\"position.x\",\"keys\":[{\"time\":0,\"value\":0,"
                  "\"inTangent\":0,\"outTangent\":0}]}],\"effects\":[{");
    zb_put(&text, members);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        zb_put(&text, ",\"");
        zb_put(&text, usual[i][0]);
        zb_put(&text, "\":");
        zb_put(&text, usual[i][1]);
    }
    zb_put(&text, ",\"durationSeconds\":");
    zb_put_double(&text, duration_s);
    zb_put(&text, loop ? ",\"loop\":true}]" : ",\"loop\":false}]");
    zb_put(&text, ",\"effectTriggers\":[{\"time\":0,\"source\":\"\",\"effects\":[\"e\"]}]}");
    return compile(name, (zo_text){text.data, text.size}, (zo_text){NULL, 0}, ZO_PROFILE_DOCUMENT);
}

static const char *member_text(vectors *v, const char *name, uint32_t node) {
    zb_buffer text = zb_buffer_open(v->arena);
    zb_put_char(&text, '"');
    zb_put(&text, name);
    zb_put(&text, "\":");
    zb_put_text(&text, zj_source(v->doc, node));
    return zb_buffer_text(&text);
}

// ---------------------------------------------------------------------------------------------------- minmax.json

// What counts as near grows with the largest number of the curve where ours is float.
static double largest_in(const zj_doc *doc, uint32_t node) {
    const zj_node *at = zj_at(doc, node);
    if (at->kind == ZJ_NUMBER) { return fabs(at->as.number); }
    double largest = 0.0;
    if (at->kind == ZJ_ARRAY || at->kind == ZJ_OBJECT) { // nested three deep at most
        VECTORS_EACH(doc, item, node) { largest = fmax(largest, largest_in(doc, item)); }
    }
    return largest;
}

static bool curve_is(vectors *v, const zo_program *program, uint32_t sample, double largest, char why[WHY]) {
    const uint32_t ref = program->emitters[0].size_ref;
    const double t = number_of(v, sample, "t"), r = number_of(v, sample, "random"), want = number_of(v, sample, "value");
    const double got = zr_minmax_at(program, ref, t, r), scale = fmax(fmax(1.0, fabs(want)), 1e-3 * largest);
    CHECK(fabs(got - want) <= 1e-6 * scale, "at %.9g by %.9g it is %.12g, not %.12g", t, r, got, want);
    zr_times ts;
    float rs[ZR_LANES], out[ZR_LANES];
    for (uint32_t i = 0; i < ZR_LANES; i++) { // others beside it, so that spans are mixed
        ts.t[i] = i == 5 ? (float)t : (float)i / 15.0f;
        rs[i] = (float)r;
    }
    zr_times_bound(&ts);
    zr_minmax_lanes(program, ref, &ts, rs, out);
    CHECK(fabs((double)out[5] - want) <= 1e-4 * scale, "in a batch at %.9g by %.9g it is %.9g, not %.9g", t, r,
          (double)out[5], want);
    for (uint32_t i = 0; i < ZR_LANES; i++) { ts.t[i] = (float)t; }
    zr_times_bound(&ts);
    const float mixed = out[5];
    zr_minmax_lanes(program, ref, &ts, rs, out);
    CHECK(memcmp(&out[5], &mixed, sizeof mixed) == 0, "at %.9g neighbours change it", t);
    return true;
}

static bool gradient_is(vectors *v, const zo_program *program, uint32_t sample, char why[WHY]) {
    static const char *const parts[] = {"r", "g", "b", "a"};
    const uint32_t ref = program->emitters[0].colour_ref, value = vectors_member(v->doc, sample, "value");
    const double t = number_of(v, sample, "t"), r = number_of(v, sample, "random");
    double got[4];
    zr_gradient_at(program, ref, t, r, got);
    zr_times ts;
    float rs[ZR_LANES], out[4][ZR_LANES];
    for (uint32_t i = 0; i < ZR_LANES; i++) {
        ts.t[i] = i == 9 ? (float)t : (float)i / 15.0f;
        rs[i] = i == 9 ? (float)r : (float)i / 16.0f;
    }
    zr_times_bound(&ts);
    zr_gradient_lanes(program, ref, &ts, rs, out);
    for (uint32_t c = 0; c < 4; c++) {
        const double want = number_of(v, value, parts[c]);
        CHECK(fabs(got[c] - want) <= 1e-6 * fmax(1.0, fabs(want)), "at %.9g by %.9g %s is %.12g, not %.12g", t, r,
              parts[c], got[c], want);
        CHECK(near_to(want, (double)out[c][9]), "in a batch at %.9g by %.9g %s is %.9g", t, r, parts[c],
              (double)out[c][9]);
    }
    return true;
}

static bool minmax_is(vectors *v, uint32_t item, const zo_program *program, bool is_curve, char why[WHY]) {
    const double largest = is_curve ? largest_in(v->doc, vectors_member(v->doc, item, "curve")) : 0.0;
    VECTORS_EACH(v->doc, sample, vectors_member(v->doc, item, "samples")) {
        const bool fine = is_curve ? curve_is(v, program, sample, largest, why) : gradient_is(v, program, sample, why);
        if (!fine) { return false; }
    }
    return true;
}

void vectors_enemy_minmax(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        const bool is_curve = strcmp(vectors_text(v, item, "kind"), "curve") == 0;
        const uint32_t node = vectors_member(v->doc, item, is_curve ? "curve" : "gradient");
        const char *members = member_text(v, is_curve ? "startSizeCurve" : "startColorGradient", node);
        zo_program *program = compile_effect(v, name, members, 1.0, false);
        char why[WHY];
        if (program == NULL || program->header->sections[ZP_SECTION_EMITTERS].count != 1) {
            vectors_fail(v, name, "does not compile");
        } else if (!minmax_is(v, item, program, is_curve, why)) {
            vectors_fail(v, name, "%s", why);
        } else {
            vectors_pass(v);
        }
        zo_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- bursts.json

static bool schedule_is(vectors *v, uint32_t item, const zo_program *program, char why[WHY]) {
    const zp_emitter *emitter = &program->emitters[0];
    const double until_ns = floor(number_of(v, item, "until") * 1e9 + 0.5);
    uint32_t wanted = zj_at(v->doc, vectors_member(v->doc, item, "schedule"))->as.items.first;
    zr_burst_moment at = {.burst = UINT32_MAX};
    for (int64_t loop = 0, tries = 0; tries < 100000; tries++) {
        const bool found = zr_burst_next(program, emitter, &at);
        if (!found && (!(emitter->flags & ZP_EMITTER_LOOPS) || at.burst == UINT32_MAX)) { break; }
        if (!found) {
            loop++;
            at.burst = UINT32_MAX;
            continue;
        }
        const double ns = (double)(loop * emitter->duration_ns + at.at_ns);
        if (ns > until_ns) { break; }
        const zp_burst *burst = &program->bursts[emitter->first_burst + at.burst];
        CHECK(wanted != 0, "burst %u, cycle %u at %.9g is too much", at.burst, at.cycle, ns / 1e9);
        CHECK(fabs(number_of(v, wanted, "time") * 1e9 - ns) <= 0.5, "one comes at %.12g, not %.12g", ns / 1e9,
              number_of(v, wanted, "time"));
        CHECK(number_of(v, wanted, "burst") == at.burst && number_of(v, wanted, "cycle") == at.cycle &&
                  number_of(v, wanted, "loop") == (double)loop,
              "at %.9g it is cycle %u of burst %u", ns / 1e9, at.cycle, at.burst);
        CHECK(number_of(v, wanted, "countMin") == burst->count_min && number_of(v, wanted, "countMax") == burst->count_max &&
                  number_of(v, wanted, "probability") == burst->probability,
              "at %.9g it lets %u to %u go", ns / 1e9, burst->count_min, burst->count_max);
        wanted = zj_at(v->doc, wanted)->next;
    }
    CHECK(wanted == 0, "nothing comes at %.9g", number_of(v, wanted, "time"));
    return true;
}

static double *list_of(vectors *v, uint32_t array, uint32_t *count) {
    *count = count_items(v->doc, array);
    double *list = zb_arena_take_array(v->arena, (size_t)*count + 1, sizeof *list), *next = list;
    VECTORS_EACH(v->doc, number, array) { *next++ = zj_at(v->doc, number)->as.number; }
    return list;
}

static void advance(zo_instance *instance, int64_t dt_ns, uint32_t *started) {
    zo_event events[8];
    zo_step step = {.left_ns = dt_ns};
    do {
        step = zo_instance_advance(instance, step.left_ns, events, 8);
        for (uint32_t i = 0; i < step.count; i++) {
            *started += events[i].kind == ZO_EVENT_START_EFFECT && events[i].started != 0;
        }
    } while (step.more || step.left_ns > 0);
}

// Played: the particles that each moment lets go together.
static bool rolls_are(vectors *v, uint32_t item, const zo_program *program, char why[WHY]) {
    const uint32_t rolls = vectors_member(v->doc, item, "rolls"), emitted = vectors_member(v->doc, item, "emitted");
    if (rolls == 0) { return true; }
    uint32_t count, started = 0;
    const double *list = list_of(v, rolls, &count);
    zo_instance *instance = zo_instance_create(program, &(zo_instance_def){.burst_list = list, .burst_count = count}, NULL);
    double before = 0.0, want = 0.0;
    bool fine = true;
    VECTORS_EACH(v->doc, one, emitted) {
        const double time = number_of(v, one, "time");
        advance(instance, (int64_t)floor(time * 1e9 + 0.5) - zo_instance_now_ns(instance), &started);
        want += number_of(v, one, "count");
        const uint32_t next = zj_at(v->doc, one)->next;
        before = instance->effect_count > 0 ? (double)zr_emissions(instance)[0].number : before;
        if (next != 0 && number_of(v, next, "time") == time) { continue; }
        fine = fine && before == want;
        if (!fine) { snprintf(why, WHY, "up to %.9g there are %.9g particles, not %.9g", time, before, want); }
    }
    zo_instance_free(instance);
    return fine;
}

void vectors_enemy_bursts(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        const char *members = member_text(v, "bursts", vectors_member(v->doc, item, "bursts"));
        zo_program *program = compile_effect(v, name, members, number_of(v, item, "durationSeconds"),
                                             vectors_true(v->doc, item, "loop"));
        char why[WHY];
        if (program == NULL || program->header->sections[ZP_SECTION_EMITTERS].count != 1) {
            vectors_fail(v, name, "does not compile");
        } else if (!schedule_is(v, item, program, why) || !rolls_are(v, item, program, why)) {
            vectors_fail(v, name, "%s", why);
        } else {
            vectors_pass(v);
        }
        zo_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- effects.json

// How time is cut: as the case says, 144 times a second, or in one step.
typedef enum cutting { CUT_AS_SAID, CUT_144, CUT_ONCE, CUT_COUNT } cutting;

typedef struct play {
    vectors *v;
    uint32_t item;
    zo_instance *instance;
    uint32_t expect;  // the next of the list, 0: none is left
    uint32_t started;
    bool all;         // every moment is looked at, else the last
} play;

static int64_t ns_of(double seconds) { return (int64_t)floor(seconds * 1e9 + 0.5); }

static bool numbers_are(play *p, uint32_t array, const double *got, uint32_t count, const char *what, char why[WHY]) {
    uint32_t i = 0;
    VECTORS_EACH(p->v->doc, number, array) {
        const double want = zj_at(p->v->doc, number)->as.number;
        CHECK(i < count, "%s has too many numbers", what);
        CHECK(near_to(want, got[i]), "%s %u is %.9g, not %.9g", what, i, got[i], want);
        i++;
    }
    CHECK(i == count, "%s has %u numbers", what, i);
    return true;
}

static bool particle_is(play *p, uint32_t want, const zo_particle *got, char why[WHY]) {
    vectors *v = p->v;
    const double age = (double)got->age_ns / 1e9, rotation = got->turn * 0.017453292519943295;
    CHECK(fabs(age - number_of(v, want, "age")) <= 1e-6 * fmax(1.0, age), "its age is %.9g, not %.9g", age,
          number_of(v, want, "age"));
    CHECK(near_to(number_of(v, want, "rotation"), rotation), "it is turned by %.9g, not %.9g", rotation,
          number_of(v, want, "rotation"));
    CHECK(number_of(v, want, "frame") == got->frame, "it shows frame %u, not %g", got->frame, number_of(v, want, "frame"));
    const uint32_t position = vectors_member(v->doc, want, "position"), velocity = vectors_member(v->doc, want, "velocity");
    const double at[] = {got->x, got->y, got->z}, way[] = {got->vx, got->vy, got->vz}, size[] = {got->width, got->height};
    return numbers_are(p, position, at, 3, "position", why) &&
           (velocity == 0 || numbers_are(p, velocity, way, 3, "velocity", why)) &&
           numbers_are(p, vectors_member(v->doc, want, "size"), size, 2, "size", why) &&
           numbers_are(p, vectors_member(v->doc, want, "color"), got->rgba, 4, "colour", why);
}

static bool particles_are(play *p, uint32_t live, char why[WHY]) {
    const uint32_t count = zo_instance_particle_count(p->instance), wanted = count_items(p->v->doc, live);
    CHECK(count == wanted, "%u particles live, not %u", count, wanted);
    VECTORS_EACH(p->v->doc, want, live) {
        const double e = number_of(p->v, want, "e"), i = number_of(p->v, want, "i");
        zo_particle got;
        bool found = false;
        for (uint32_t k = 0; k < count && !found; k++) {
            found = zo_instance_particle_at(p->instance, k, &got) && got.start == e && got.number == i;
        }
        CHECK(found, "particle %g of start %g is not there", i, e);
        char detail[WHY];
        CHECK(particle_is(p, want, &got, detail), "particle %g of start %g: %.200s", i, e, detail);
    }
    return true;
}

static bool light_is(play *p, uint32_t want, const zo_effect *got, char why[WHY]) {
    CHECK(got->kind == ZO_EFFECT_LIGHT, "is no light");
    CHECK(near_to(number_of(p->v, want, "intensity"), got->intensity) && near_to(number_of(p->v, want, "radius"), got->radius) &&
              near_to(number_of(p->v, want, "inner"), got->inner),
          "a light of %.9g, %.9g to %.9g", got->intensity, got->inner, got->radius);
    return numbers_are(p, vectors_member(p->v->doc, want, "color"), got->rgba, 4, "colour", why);
}

static bool decal_is(play *p, uint32_t want, const zo_effect *got, const char *picture, char why[WHY]) {
    vectors *v = p->v;
    CHECK(got->kind == ZO_EFFECT_DECAL, "is no decal");
    CHECK(got->columns > 0 && number_of(v, want, "row") == got->frame / got->columns &&
              number_of(v, want, "column") == got->frame % got->columns,
          "shows frame %u", got->frame);
    CHECK(near_to(number_of(v, want, "turn"), got->turn), "is turned by %.9g", got->turn);
    const uint32_t px = vectors_member(v->doc, vectors_member(v->doc, p->item, "pictures"), picture);
    double size[2] = {0.0, 0.0};
    uint32_t i = 0;
    VECTORS_EACH(v->doc, number, px) { size[i++ & 1] = zj_at(v->doc, number)->as.number; }
    size[0] *= got->pixel_x / got->columns;
    size[1] *= got->pixel_y / got->rows;
    const uint32_t wanted_size = vectors_member(v->doc, want, "size");
    // Without a picture nobody knows its size.
    return (px == 0 || numbers_are(p, wanted_size, size, 2, "size", why)) &&
           numbers_are(p, vectors_member(v->doc, want, "color"), got->rgba, 4, "colour", why);
}

static bool trail_is(play *p, uint32_t want, const zo_effect *got, uint32_t index, char why[WHY]) {
    enum { POINTS = 1024 };
    static zo_trail_point points[POINTS];
    CHECK(got->kind == ZO_EFFECT_TRAIL, "is no trail");
    CHECK(got->laying == vectors_true(p->v->doc, want, "laying"), "is%s laying", got->laying ? "" : " not");
    const uint32_t wanted = vectors_member(p->v->doc, want, "points");
    const uint32_t count = zo_instance_trail(p->instance, index, points, POINTS);
    CHECK(count == count_items(p->v->doc, wanted) && count == got->points, "has %u points, not %u", count,
          count_items(p->v->doc, wanted));
    uint32_t i = 0;
    VECTORS_EACH(p->v->doc, point, wanted) {
        const double numbers[] = {points[i].x, points[i].y, (double)points[i].age_ns / 1e9};
        if (!numbers_are(p, point, numbers, 3, "point", why)) { return false; }
        i++;
    }
    return true;
}

static bool others_are(play *p, uint32_t others, const char *picture, char why[WHY]) {
    zo_effect got;
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, want, others) {
        do {
            CHECK(zo_instance_effect_at(p->instance, index++, &got), "an effect is missing");
        } while (got.kind == ZO_EFFECT_PARTICLES);
        char detail[WHY];
        CHECK(numbers_are(p, vectors_member(p->v->doc, want, "position"), (double[]){got.x, got.y, got.z},
                          count_items(p->v->doc, vectors_member(p->v->doc, want, "position")), "position", detail),
              "%s: %.280s", got.name, detail);
        const bool fine = vectors_member(p->v->doc, want, "points") != 0  ? trail_is(p, want, &got, index - 1, detail)
                          : vectors_member(p->v->doc, want, "radius") != 0 ? light_is(p, want, &got, detail)
                                                                           : decal_is(p, want, &got, picture, detail);
        CHECK(fine, "%s: %.280s", got.name, detail);
    }
    while (zo_instance_effect_at(p->instance, index++, &got)) {
        CHECK(got.kind == ZO_EFFECT_PARTICLES, "%s is too much", got.name);
    }
    return true;
}

// What stands at this expectation.
static bool moment_is(play *p, uint32_t expect, char why[WHY]) {
    vectors *v = p->v;
    const uint32_t alive = zo_instance_effect_count(p->instance);
    const double started = p->started, ended = p->started - alive, dropped = (double)zo_instance_dropped(p->instance);
    CHECK(started == number_of(v, expect, "started"), "%g effects have started", started);
    CHECK(ended == number_of(v, expect, "ended"), "%g effects have ended", ended);
    CHECK(dropped == number_of(v, expect, "dropped"), "%g are dropped", dropped);
    const uint32_t live = vectors_member(v->doc, expect, "live"), others = vectors_member(v->doc, expect, "others");
    if (live != 0) {
        if (!particles_are(p, live, why)) { return false; }
    } else {
        const uint32_t count = zo_instance_particle_count(p->instance);
        CHECK((double)count == number_of(v, expect, "count"), "%u particles live", count);
    }
    const uint32_t pictures = vectors_member(v->doc, p->item, "pictures");
    char picture[128] = "";
    if (count_items(v->doc, pictures) > 0) {
        const zo_text key = zj_key(v->doc, zj_at(v->doc, pictures)->as.items.first);
        snprintf(picture, sizeof picture, "%.*s", (int)key.size, key.data);
    }
    return others_are(p, others, picture, why);
}

// Looks at the moments that have come.
static bool look(play *p, bool is_last, char why[WHY]) {
    const int64_t now_ns = zo_instance_now_ns(p->instance);
    while (p->expect != 0) {
        const double t = number_of(p->v, p->expect, "t");
        const uint32_t next = zj_at(p->v->doc, p->expect)->next;
        if (ns_of(t) > now_ns || (ns_of(t) == now_ns && !is_last && !p->all)) { return true; }
        if (p->all || (is_last && next == 0)) {
            char detail[WHY];
            CHECK(moment_is(p, p->expect, detail), "at %.9g: %.280s", t, detail);
        }
        p->expect = next;
    }
    return true;
}

static void to_ns(play *p, int64_t at_ns) { advance(p->instance, at_ns - zo_instance_now_ns(p->instance), &p->started); }

// Each frame is looked at that an expectation names.
static bool to_by_frames(play *p, double fps, int64_t end_ns, char why[WHY]) {
    const int64_t now_ns = zo_instance_now_ns(p->instance);
    for (double k = floor((double)now_ns * fps / 1e9);; k++) {
        const int64_t at_ns = (int64_t)ceil(k * 1e9 / fps);
        if (at_ns <= now_ns) { continue; }
        if (at_ns >= end_ns) { break; }
        to_ns(p, at_ns);
        if (p->expect != 0 && at_ns == ns_of(number_of(p->v, p->expect, "t")) && !look(p, false, why)) { return false; }
    }
    to_ns(p, end_ns);
    return true;
}

static void leave(play *p) {
    zo_run_info info;
    while (zo_instance_run_at(p->instance, 0, &info)) { zo_instance_cancel(p->instance, info.run); }
}

// Expectations stand at the end of the advance that comes to their time; two at one time follow each other.
static bool as_said(play *p, char why[WHY]) {
    uint32_t steps = 0;
    VECTORS_EACH(p->v->doc, step, vectors_member(p->v->doc, p->item, "advance")) {
        const zj_node *at = zj_at(p->v->doc, step);
        const int64_t now_ns = zo_instance_now_ns(p->instance);
        if (at->kind == ZJ_NUMBER) {
            to_ns(p, now_ns + ns_of(at->as.number));
        } else if (vectors_true(p->v->doc, step, "leave")) {
            leave(p);
        } else {
            const double fps = number_of(p->v, step, "fps");
            if (!to_by_frames(p, fps, ns_of(number_of(p->v, step, "to")), why)) { return false; }
        }
        steps++;
        const uint32_t next = p->expect;
        if (next == 0) { continue; }
        const bool is_leave = at->kind == ZJ_OBJECT && vectors_true(p->v->doc, step, "leave");
        if (!is_leave && ns_of(number_of(p->v, next, "t")) <= zo_instance_now_ns(p->instance) &&
            !look(p, at->next == 0, why)) {
            return false;
        }
    }
    CHECK(steps > 0 && p->expect == 0, "not all moments have come");
    return true;
}

static double last_time(vectors *v, uint32_t expect) {
    double t = 0.0;
    VECTORS_EACH(v->doc, one, expect) { t = number_of(v, one, "t"); }
    return t;
}

static bool run_cut(vectors *v, uint32_t item, const zo_program *program, const zo_instance_def *def, cutting cut,
                    char why[WHY]) {
    const uint32_t expect = vectors_member(v->doc, item, "expect");
    play p = {.v = v, .item = item, .instance = zo_instance_create(program, def, NULL), .all = cut != CUT_ONCE,
              .expect = zj_at(v->doc, expect)->as.items.first};
    CHECK(p.instance != NULL, "cannot be played");
    bool fine = true;
    if (cut == CUT_AS_SAID) {
        fine = as_said(&p, why);
    } else if (cut == CUT_ONCE) {
        to_ns(&p, ns_of(last_time(v, expect)));
        fine = look(&p, true, why);
    } else {
        VECTORS_EACH(v->doc, one, expect) {
            if (!fine) { break; }
            fine = to_by_frames(&p, 144.0, ns_of(number_of(v, one, "t")), why) && look(&p, true, why);
        }
    }
    zo_instance_free(p.instance);
    return fine;
}

static bool has_leave(vectors *v, uint32_t item) {
    bool found = false;
    VECTORS_EACH(v->doc, step, vectors_member(v->doc, item, "advance")) {
        found |= zj_at(v->doc, step)->kind == ZJ_OBJECT && vectors_true(v->doc, step, "leave");
    }
    return found;
}

static zo_instance_def def_of(vectors *v, uint32_t item) {
    const uint32_t random = vectors_member(v->doc, item, "random"), rows = vectors_member(v->doc, random, "particle");
    zo_instance_def def = {0};
    uint32_t row_count = count_items(v->doc, rows), width = 0;
    VECTORS_EACH(v->doc, row, rows) { width = count_items(v->doc, row); }
    double *numbers = zb_arena_take_array(v->arena, (size_t)row_count * width + 1, sizeof *numbers), *next = numbers;
    VECTORS_EACH(v->doc, row, rows) {
        VECTORS_EACH(v->doc, number, row) { *next++ = zj_at(v->doc, number)->as.number; }
    }
    def.particle_list = numbers;
    def.particle_count = row_count * width;
    def.particle_row = width;
    def.rate_list = list_of(v, vectors_member(v->doc, random, "rate"), &def.rate_count);
    def.way_list = list_of(v, vectors_member(v->doc, random, "distance"), &def.way_count);
    def.burst_list = list_of(v, vectors_member(v->doc, random, "burst"), &def.burst_count);
    double seed = 0.0;
    def.set_noise_seed = vectors_number(v->doc, random, "noise", &seed);
    def.noise_seed = (uint32_t)seed;
    const uint32_t capacities = vectors_member(v->doc, item, "capacities");
    def.effect_capacity = (uint32_t)number_of(v, capacities, "effects");
    def.particle_capacity = (uint32_t)number_of(v, capacities, "particles");
    return def;
}

void vectors_enemy_effects(vectors *v) {
    static const char *const cuts[CUT_COUNT] = {"as said", "at 144 Hz", "in one step"};
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        const bool original = strcmp(vectors_text(v, item, "profile"), "original") == 0;
        const uint32_t rig = vectors_member(v->doc, item, "rig");
        const zo_text clip = zj_source(v->doc, vectors_member(v->doc, item, "clip"));
        zb_buffer rig_text = zb_buffer_open(v->arena);
        if (rig != 0) {
            zb_put(&rig_text, "{\"schemaVersion\":1,\"type\":\"enemyRig\",\"bones\":");
            zb_put_text(&rig_text, zj_source(v->doc, rig));
            zb_put(&rig_text, "}");
        }
        zo_program *program = compile(name, clip, (zo_text){rig_text.data, rig_text.size},
                                      original ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT);
        if (program == NULL) {
            vectors_fail(v, name, "does not compile");
            continue;
        }
        const zo_instance_def def = def_of(v, item);
        bool fine = true;
        for (uint32_t cut = 0; cut < (has_leave(v, item) ? 1u : CUT_COUNT) && fine; cut++) {
            char why[WHY] = "";
            fine = run_cut(v, item, program, &def, (cutting)cut, why);
            if (!fine) { vectors_fail(v, name, "%s: %s", cuts[cut], why); }
        }
        if (fine) { vectors_pass(v); }
        zo_program_free(program);
    }
}
