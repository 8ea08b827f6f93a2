// What the example in examples/enemy promises: nothing to complain of, a loop without a jump, and clips that begin and
// end in one pose.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "example.h"
#include "golden.h"

enum { FPS = 60, LOOP = 5 * FPS, SIDE = 160, AROUND = 4 };

static void nothing_to_complain_of_under_either_profile(void **state) {
    (void)state;
    for (uint32_t profile = 0; profile < 2; profile++) {
        example e = example_open(&(zo_compile_def){.profile = (zo_profile)profile, .strict = true});
        if (zo_report_count(e.report) > 0) { fail_msg("%s", zo_report_at(e.report, 0)->message); }
        assert_int_equal(zo_clip_count(e.program), 3);
        example_close(&e);
    }
}

// ---------------------------------------------------------------------------------------------------------- the loop

// The largest way that anything goes from one pose to the next: units, or parts of a matrix.
static double pose_change(const zo_transform *before, const zo_transform *now, uint32_t count) {
    double most = 0;
    for (uint32_t t = 0; t < count; t++) {
        for (uint32_t i = 0; i < 12; i++) { most = fmax(most, fabs(now[t].m[i] - before[t].m[i])); }
        most = fmax(most, fabs(now[t].opacity - before[t].opacity));
    }
    return most;
}

static double picture_change(const uint8_t *before, const uint8_t *now, size_t size) {
    double sum = 0;
    for (size_t i = 0; i < size; i++) { sum += abs(now[i] - before[i]); }
    return sum;
}

typedef struct film {
    double poses[2 * AROUND];    // change to the frame LOOP - AROUND + i from the one before it
    double pictures[2 * AROUND];
    uint32_t lights;             // least number of them in any frame
} film;

static uint32_t lights_of(const example *e) {
    uint32_t lights = 0;
    zo_effect effect;
    for (uint32_t i = 0; zo_instance_effect_at(e->instance, i, &effect); i++) {
        lights += effect.kind == ZO_EFFECT_LIGHT;
    }
    return lights;
}

static film film_around(example *e, uint32_t middle) {
    static uint8_t pixels[2][SIDE * SIDE * 4];
    zo_transform *before = calloc(e->pose->target_count, sizeof *before);
    assert_non_null(before);
    film out = {.lights = UINT32_MAX};
    for (uint32_t i = 0; i <= 2 * AROUND; i++) {
        example_go(e, middle - AROUND - 1 + i);
        zo_image target = {.width = SIDE, .height = SIDE, .stride = SIDE * 4, .pixels = pixels[i & 1]};
        memset(target.pixels, 0, sizeof pixels[0]);
        example_draw(e, &target);
        if (i > 0) {
            out.poses[i - 1] = pose_change(before, e->pose->transforms, e->pose->target_count);
            out.pictures[i - 1] = picture_change(pixels[(i + 1) & 1], pixels[i & 1], sizeof pixels[0]);
        }
        memcpy(before, e->pose->transforms, e->pose->target_count * sizeof *before);
        out.lights = lights_of(e) < out.lights ? lights_of(e) : out.lights;
    }
    free(before);
    return out;
}

static double largest_but(const double *changes, uint32_t left_out) {
    double most = 0;
    for (uint32_t i = 0; i < 2 * AROUND; i++) {
        if (i != left_out) { most = fmax(most, changes[i]); }
    }
    return most;
}

static void ten_seconds_of_idle_have_no_jump(void **state) {
    (void)state;
    example e = example_open(NULL);
    example_start(&e, "idle");
    for (uint32_t round = 1; round <= 2; round++) { // at 5 s and at 10 s
        const film f = film_around(&e, round * LOOP);
        assert_true(f.poses[AROUND] > 0); // it is not that nothing moves
        assert_true(f.poses[AROUND] <= 1.25 * largest_but(f.poses, AROUND));
        assert_true(f.pictures[AROUND] <= 1.25 * largest_but(f.pictures, AROUND));
        assert_int_equal(f.lights, 1); // the lamp neither goes out nor burns twice
    }
    assert_int_equal(zo_instance_particle_count(e.instance), 0); // spores of one round are gone before the next
    example_close(&e);
}

// And the measure sees one: from the end of the blow, in which the bell is thrown about.
static void a_jump_would_be_seen(void **state) {
    (void)state;
    example e = example_open(NULL);
    example_start(&e, "attack");
    const film f = film_around(&e, 39);
    example_start(&e, "idle");
    const film calm = film_around(&e, LOOP);
    assert_true(f.poses[AROUND] > 20 * calm.poses[AROUND]);
    assert_true(f.pictures[AROUND] > 20 * calm.pictures[AROUND]);
    example_close(&e);
}

// ---------------------------------------------------------------------------------------------------------- the clips

static void every_clip_begins_and_ends_as_idle_begins(void **state) {
    (void)state;
    example e = example_open(NULL);
    example_start(&e, "idle");
    const uint32_t count = e.pose->target_count;
    zo_transform *home = calloc(count, sizeof *home);
    double *slots = calloc(e.pose->slot_count, sizeof *slots);
    assert_non_null(home);
    assert_non_null(slots);
    memcpy(home, e.pose->transforms, count * sizeof *home);
    memcpy(slots, e.pose->slots, e.pose->slot_count * sizeof *slots);
    static const struct { const char *name; uint32_t end; } clips[] = {{"hop", 84}, {"attack", 96}};
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t at = 0; at < 2; at++) {
            example_start(&e, clips[c].name);
            example_go(&e, at * clips[c].end);
            // The two bubbles, that nobody sees then, may be elsewhere.
            for (uint32_t t = 0; t < count; t++) {
                const char *name = zo_target_name(e.program, (zo_target){t + 1});
                if (strstr(name, "bubble") == NULL) {
                    const double off = pose_change(&home[t], &e.pose->transforms[t], 1);
                    if (!(off < 0.004)) { fail_msg("%s in %s is %g off", name, clips[c].name, off); }
                }
            }
            for (uint32_t s = 0; s < e.pose->slot_count; s++) { // and the same pictures
                zo_channel_info info;
                assert_true(zo_channel_get(e.program, (zo_channel){s + 1}, &info));
                if (info.is_index) { assert_true(e.pose->slots[s] == slots[s]); }
            }
        }
    }
    free(home);
    free(slots);
    example_close(&e);
}

static void the_blow_has_every_kind_of_effect(void **state) {
    (void)state;
    example e = example_open(NULL);
    example_start(&e, "attack");
    example_go(&e, GOLDEN_ENEMY_BLOW);
    uint32_t kinds[4] = {0};
    zo_effect effect;
    for (uint32_t i = 0; zo_instance_effect_at(e.instance, i, &effect); i++) {
        kinds[effect.kind] += effect.kind != ZO_EFFECT_PARTICLES || effect.particles > 0;
        if (effect.kind == ZO_EFFECT_TRAIL) { assert_true(effect.points > 1); }
    }
    for (uint32_t kind = 0; kind < 4; kind++) { assert_true(kinds[kind] > 0); }
    assert_int_equal(zo_instance_dropped(e.instance), 0);
    example_close(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_complain_of_under_either_profile),
        cmocka_unit_test(ten_seconds_of_idle_have_no_jump),
        cmocka_unit_test(a_jump_would_be_seen),
        cmocka_unit_test(every_clip_begins_and_ends_as_idle_begins),
        cmocka_unit_test(the_blow_has_every_kind_of_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
