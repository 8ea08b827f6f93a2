// Stored programs through the public calls: what is refused and as what, the way there and back, and that whatever is
// let in plays without harm. Also that joining curves, which is the builder's affair, changes no bit of what is shown.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "program/test_program.h"

static void *no_memory(void *context, size_t size) {
    (void)context;
    (void)size;
    return NULL;
}

static void free_nothing(void *context, void *memory, size_t size) {
    (void)context;
    (void)memory;
    (void)size;
    fail();
}

static void each_refusal_has_its_status(void **state) {
    (void)state;
    zp_program *program = test_program();
    zo_program *loaded = program;
    assert_int_equal(zo_load(NULL, 0, NULL, &loaded), ZO_BAD_BLOB);
    assert_null(loaded);
    assert_int_equal(zo_load("not a program", 13, NULL, &loaded), ZO_BAD_BLOB);

    size_t size;
    const void *blob = zo_program_blob(program, &size);
    const zo_allocator none = {NULL, no_memory, free_nothing};
    assert_int_equal(zo_load(blob, size, &none, &loaded), ZO_NO_MEMORY);
    assert_null(loaded);

    uint8_t *copy = malloc(size);
    memcpy(copy, blob, size);
    copy[size / 2] ^= 1;
    assert_int_equal(zo_load(copy, size, NULL, &loaded), ZO_BAD_BLOB);
    memcpy(copy, blob, size);
    copy[offsetof(zp_header, version)]++;
    assert_int_equal(zo_load(copy, size, NULL, &loaded), ZO_NEWER);
    copy[offsetof(zp_header, version)] = 0;
    assert_int_equal(zo_load(copy, size, NULL, &loaded), ZO_BAD_BLOB);
    free(copy);
    zo_program_free(program);
    zo_program_free(NULL);
}

static void there_and_back_is_the_same(void **state) {
    (void)state;
    zp_program *program = test_program();
    size_t size, again_size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded;
    assert_int_equal(zo_load(blob, size, NULL, &loaded), ZO_OK);
    const void *again = zo_program_blob(loaded, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_equal(blob, again, size);
    assert_int_equal(zo_program_hash(loaded), zo_program_hash(program));
    zo_program_free(program); // the copy stands alone
    assert_string_equal(zo_program_format(loaded), "sample");
    zo_program_free(loaded);
}

// ---------------------------------------------------------------------------------------------------- harm

static void play(const zo_program *program) {
    zo_instance *instance = zo_instance_create(program, &(zo_instance_def){.seed = 1}, NULL);
    zo_pose *pose = zo_pose_create(program, NULL);
    assert_non_null(instance);
    assert_non_null(pose);
    for (uint32_t id = 1; id <= zo_clip_count(program); ++id) {
        zo_instance_start(instance, (zo_clip){id}, NULL);
        zo_clip_sample(program, (zo_clip){id}, 0.3, NULL, pose);
    }
    static const int64_t steps_ns[] = {0, 1, 40000000, 130000000, 5000000000, INT64_C(1) << 55};
    for (size_t i = 0; i < sizeof steps_ns / sizeof *steps_ns; ++i) {
        zo_event events[64];
        zo_step step = zo_instance_advance(instance, steps_ns[i], events, 64);
        for (uint32_t e = 0; e < step.count; ++e) { assert_non_null(events[e].name); }
        zo_instance_sample(instance, pose);
    }
    zo_pose_free(pose);
    zo_instance_free(instance);
}

static uint64_t random_state = 9;
static uint64_t random_bits(void) { // SplitMix64
    uint64_t x = random_state += 0x9E3779B97F4A7C15ULL;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return x ^ x >> 31;
}

static void whatever_is_let_in_plays(void **state) {
    (void)state;
    static const uint64_t words[] = {0, 1, 2, 16, 255, 0x3FF0000000000000, 0xBFF0000000000000, 0x7FEFFFFFFFFFFFFF,
                                     INT64_C(1) << 61, 0xFFFFFFFFFFFFFFFF, 0x0000000100000000};
    zp_program *program = test_program();
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    uint8_t *copy = malloc(size);
    uint32_t played_count = 0;
    for (uint32_t round = 0; round < 12000; ++round) {
        memcpy(copy, blob, size);
        zp_header *header = (zp_header *)(void *)copy;
        // Behind the section table, so that the hash can be taken.
        const size_t place = sizeof *header + (size_t)(random_bits() % (size - sizeof *header - 8));
        if (round % 2) {
            copy[place] ^= (uint8_t)(1u << random_bits() % 8);
        } else {
            memcpy(copy + (place & ~(size_t)3), &words[random_bits() % (sizeof words / sizeof *words)],
                   random_bits() % 2 ? 4 : 8);
        }
        header->hash = zp_program_hash(copy);
        zo_program *loaded;
        if (zo_load(copy, size, NULL, &loaded) != ZO_OK) { continue; }
        play(loaded);
        zo_program_free(loaded);
        played_count++;
    }
    assert_true(played_count > 100);
    free(copy);
    zo_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- joined curves

enum { COLUMNS = 7, KEYS = 5 };

// The same curves on channels side by side, where they are joined, or on every second one.
static zo_program *columns(uint32_t stride, bool scaled, double values[COLUMNS][KEYS]) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_layer(build, &(zp_layer){0});
    for (uint32_t i = 0; i < COLUMNS * 2; ++i) { zp_build_channel(build, &(zp_channel){.low = -20.0, .high = 20.0}); }
    zp_build_clip_begin(build, &(zp_clip){.duration_ns = 1000, .duration_ns_min = 1, .duration_ns_max = 1000},
                        (zp_span){0, 0});
    zp_build_param(build, &(zp_param){.value = 1.25, .low = 0.0, .high = 2.0}, (zp_span){0, 0});
    const uint32_t easing = zp_build_easing(build, 0.3, -0.4, 0.1, 1.7);
    const double times[KEYS] = {0.0, 0.2, 0.3, 0.9, 1.0};
    const zp_interval intervals[KEYS] = {{ZP_INTERPOLATE_EASE, easing}, {ZP_INTERPOLATE_LERP, 0},
                                         {ZP_INTERPOLATE_EASE, easing}, {ZP_INTERPOLATE_HOLD, 0}};
    for (uint32_t i = 0; i < COLUMNS; ++i) {
        zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 1,
                                              .first_channel = i * stride, .key_count = KEYS, .times = times,
                                              .intervals = intervals, .values = values[i],
                                              .scales = scaled ? values[COLUMNS - 1 - i] : NULL});
    }
    zp_build_clip_end(build);
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}

static void joined_curves_show_the_same_bits(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 40; ++round) {
        double values[COLUMNS][KEYS];
        for (uint32_t i = 0; i < COLUMNS; ++i) {
            for (uint32_t key = 0; key < KEYS; ++key) {
                values[i][key] = (double)(random_bits() >> 11) * 0x1p-48 - 16.0;
            }
        }
        zo_program *joined = columns(1, round % 2, values), *single = columns(2, round % 2, values);
        assert_int_equal(zp_count(joined, ZP_SECTION_CURVES), 1);
        assert_int_equal(zp_count(single, ZP_SECTION_CURVES), COLUMNS);
        zo_pose *a = zo_pose_create(joined, NULL), *b = zo_pose_create(single, NULL);
        for (uint32_t t = 0; t <= 100; ++t) {
            zo_clip_sample(joined, (zo_clip){1}, t / 100.0, NULL, a);
            zo_clip_sample(single, (zo_clip){1}, t / 100.0, NULL, b);
            for (uint32_t i = 0; i < COLUMNS; ++i) {
                assert_memory_equal(&a->slots[i], &b->slots[2 * i], sizeof(double));
            }
        }
        zo_pose_free(a);
        zo_pose_free(b);
        zo_program_free(joined);
        zo_program_free(single);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refusal_has_its_status),
        cmocka_unit_test(there_and_back_is_the_same),
        cmocka_unit_test(whatever_is_let_in_plays),
        cmocka_unit_test(joined_curves_show_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
