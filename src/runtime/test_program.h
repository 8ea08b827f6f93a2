// Small programs for the runtime's tests, made by the builder. Only for *_test.c.
#ifndef ZR_TEST_PROGRAM_H
#define ZR_TEST_PROGRAM_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/random.h"
#include "program/build.h"
#include "runtime/runtime.h"

static const int64_t MS = 1000000;
static const zp_span NOWHERE = {0, 0};

typedef struct test_build {
    zb_arena arena;
    zp_build *b;
} test_build;

// Layer 0: x, y (added), scale (multiplied), fade (replaced); layer 1: turn (added); layer 2: the picture. Cels "one",
// "two", "three".
enum { X, Y, SCALE, FADE, TURN, PICTURE, CHANNEL_COUNT };

static inline void test_open(test_build *t) {
    t->arena = zb_arena_open(NULL);
    t->b = zp_build_open(&t->arena);
    for (uint32_t i = 0; i < 3; ++i) { zp_build_layer(t->b, &(zp_layer){0}); }
    static const struct { const char *name; uint32_t layer, mix; double rest, low, high; } rows[] = {
        {"x", 0, ZP_MIX_ADD, 0, -HUGE_VAL, HUGE_VAL},      {"y", 0, ZP_MIX_ADD, 0, -HUGE_VAL, HUGE_VAL},
        {"scale", 0, ZP_MIX_MULTIPLY, 1, 0, 10},           {"fade", 0, ZP_MIX_REPLACE, 1, 0, 1},
        {"turn", 1, ZP_MIX_ADD, 0, -180, 180},             {"picture", 2, ZP_MIX_REPLACE, 1, 0, 3},
    };
    for (uint32_t i = 0; i < CHANNEL_COUNT; ++i) {
        zp_build_channel(t->b, &(zp_channel){.name = zp_build_name(t->b, zb_text(rows[i].name)), .layer = rows[i].layer,
                                            .mix = rows[i].mix, .rest = rows[i].rest, .low = rows[i].low,
                                            .high = rows[i].high, .is_index = i == PICTURE});
    }
    static const char *const cels[] = {"one", "two", "three"};
    for (uint32_t i = 0; i < 3; ++i) {
        zp_build_cel(t->b, &(zp_cel){.name = zp_build_name(t->b, zb_text(cels[i])), .scale = 1}, NOWHERE);
    }
}

static inline zp_program *test_close(test_build *t) {
    zp_program *program = zp_build_finish(t->b, NULL);
    assert_non_null(program);
    zb_arena_close(&t->arena);
    return program;
}

static inline zp_clip test_clip(zp_repeat repeat, int64_t duration_ns) {
    return (zp_clip){.repeat = repeat, .duration_ns = duration_ns, .duration_ns_min = 1,
                     .duration_ns_max = 1000 * duration_ns, .complete_ns = duration_ns, .delay_unit_ns = MS};
}

// Straight lines through `count` values at equal distances.
static inline void test_line(test_build *t, uint32_t channel, uint32_t count, const double *values) {
    double times[16];
    for (uint32_t k = 0; k < count; ++k) { times[k] = count > 1 ? (double)k / (count - 1) : 0; }
    zp_build_curve(t->b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .first_channel = channel,
                                         .key_count = count, .times = times, .values = values});
}
#define LINE(t, channel, ...) \
    test_line(t, channel, (uint32_t)ZB_COUNT(((const double[]){__VA_ARGS__})), (const double[]){__VA_ARGS__})

static inline void test_event(test_build *t, int64_t duration_ns, double at, zp_action action, uint32_t cel_ref,
                              const char *name) {
    zp_build_event(t->b, &(zp_event){.at = at, .at_ns = zr_nearest_ns(at * (double)duration_ns, duration_ns),
                                     .action = action, .subject_ref = cel_ref,
                                     .name = zp_build_name(t->b, zb_text(name))}, NOWHERE);
}

// A burst of particles on a target, each living so many ms; out, and then down.
static inline uint32_t test_effect(test_build *t, uint32_t target, uint32_t burst_count, uint32_t alive_max,
                                   zp_range life_ms) {
    static const double points[] = {0.5, 0, 1, 1, 0, 1};
    static const double keys[] = {0, 0, 0, 0, 1, 0.5, 1, 0, 0.5, 1, 1, 1, 1, 1, 0};
    static const double colours[] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0.5};
    const zp_shape shapes[] = {
        {.outline = ZP_OUTLINE_ELLIPSE, .aspect = 1},
        {.outline = ZP_OUTLINE_ROUNDED, .aspect = 2, .corner = 1},
        {.outline = ZP_OUTLINE_POLYGON, .aspect = 1, .points = zp_build_numbers(t->b, points, 6), .point_count = 3},
    };
    return zp_build_effect(t->b, &(zp_effect){
        .name = zp_build_name(t->b, ZB_TEXT("puff")), .target = target, .flags = ZP_EFFECT_ROUND_KEYS,
        .burst_count = burst_count, .burst_max = 24, .alive_max = alive_max,
        .keys = zp_build_numbers(t->b, keys, 15), .key_count = 3,
        .colours = zp_build_numbers(t->b, colours, 12), .colour_count = 3,
        .shapes = zp_build_shapes(t->b, shapes, 3), .shape_count = 3, .size = {4, 8}, .travel = {10, 20},
        .spin = {90, 180}, .life = life_ms, .life_unit_ns = MS, .fall = 5});
}

// A whole clip: a line on x from 10 to 20 unless `bare`, events "e0", "e1" ... at the given fractions.
static inline uint32_t test_simple(test_build *t, zp_clip clip, bool bare, uint32_t event_count, const double *at) {
    if (bare && clip.complete_ns == clip.duration_ns) { clip.complete_ns = 0; }
    zp_build_clip_begin(t->b, &clip, NOWHERE);
    if (!bare) { LINE(t, X, 10, 20); }
    for (uint32_t i = 0; i < event_count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "e%u", i);
        test_event(t, clip.duration_ns, at[i], ZP_ACTION_NOTIFY, 0, name);
    }
    return zp_build_clip_end(t->b);
}

// Appends what happens in dt to `log`, a word each: "100+1" run 1 starts at 100, "104:1.e0" its event, "200-1" it ends,
// "200x1" it is cancelled, "200c1" crowded out, ":1.=two" shows a cel. Times in `unit_ns`; a fraction is marked by '~'.
// Beyond the text's room only count and hash go on.
typedef struct test_log {
    char text[1 << 12];
    size_t size;
    uint64_t count, hash;
} test_log;

static inline void test_tell(test_log *log, const zo_event *e, int64_t unit_ns) {
    char word[96];
    const char *off = e->t_ns % unit_ns ? "~" : "";
    const long long t = e->t_ns / unit_ns;
    int n = 0;
    switch (e->kind) {
    case ZO_EVENT_RUN_START: n = snprintf(word, sizeof word, "%lld%s+%u", t, off, e->run.id); break;
    case ZO_EVENT_RUN_END: n = snprintf(word, sizeof word, "%lld%s%c%u", t, off, "-xc"[e->end], e->run.id); break;
    case ZO_EVENT_SHOW_CEL: n = snprintf(word, sizeof word, "%lld%s:%u.=%s", t, off, e->run.id, e->name); break;
    default:
        n = snprintf(word, sizeof word, "%lld%s:%u.%s", t, off, e->run.id, e->name);
        if (e->count > 0) { n += snprintf(word + n, sizeof word - (size_t)n, "*%u", e->count); }
    }
    assert_true(n > 0 && (size_t)n < sizeof word);
    ++log->count;
    log->hash = zb_hash_bytes(word, (size_t)n, log->hash);
    if (sizeof log->text - log->size < (size_t)n + 2) { return; }
    if (log->size) { log->text[log->size++] = ' '; }
    memcpy(log->text + log->size, word, (size_t)n + 1);
    log->size += (size_t)n;
}

static inline void test_advance(zo_instance *i, int64_t dt_ns, uint32_t capacity, int64_t unit_ns, test_log *log) {
    zo_event events[8];
    zo_step step = {.left_ns = dt_ns};
    do {
        step = zo_instance_advance(i, step.left_ns, events, capacity);
        assert_true(step.count <= capacity);
        for (uint32_t e = 0; e < step.count && log; ++e) { test_tell(log, &events[e], unit_ns); }
    } while (step.more || step.left_ns > 0);
}

// Advances by dt and expects exactly this.
#define EXPECT(instance, dt_ns, words) \
    do { \
        static test_log log_; \
        log_ = (test_log){.size = 0}; \
        test_advance(instance, dt_ns, 8, MS, &log_); \
        assert_string_equal(log_.text, words); \
    } while (0)

static inline double test_slot(const zo_instance *i, uint32_t channel) {
    zo_pose *pose = zo_pose_create(i->program, NULL);
    assert_non_null(pose);
    zo_instance_sample(i, pose);
    const double value = pose->slots[channel];
    zo_pose_free(pose);
    return value;
}
#define ASSERT_SLOT(instance, channel, value) assert_true(test_slot(instance, channel) == (value))

static inline zo_clip clip_id(uint32_t index) { return (zo_clip){index + 1}; }

static inline uint64_t test_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
static inline uint32_t test_below(uint64_t *state, uint32_t bound) { return (uint32_t)(test_random(state) >> 33) % bound; }
static inline double test_unit(uint64_t *state) { return (double)(test_random(state) >> 11) * 0x1p-53; }

#endif
