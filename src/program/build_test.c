// The builder: what it refuses, that pools are shared, curves sorted and joined, that the bytes are always the same and
// that the validator takes whatever it makes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program/build.h"
#include "program/easing.h"
#include "test_program.h"

// ---------------------------------------------------------------------------------------------------- short of memory

typedef struct rationed {
    uint32_t left; // blocks that may still be had
    int32_t open;
} rationed;

static void *ration_alloc(void *context, size_t size) {
    rationed *ration = context;
    if (ration->left == 0) { return NULL; }
    ration->left--;
    ration->open++;
    return malloc(size);
}

static void ration_free(void *context, void *memory, size_t size) {
    (void)size;
    ((rationed *)context)->open--;
    free(memory);
}

static void lack_of_memory_gives_no_program_and_no_leak(void **state) {
    (void)state;
    bool finished = false;
    for (uint32_t blocks = 0; !finished; ++blocks) {
        rationed ration = {.left = blocks};
        const zo_allocator allocator = {&ration, ration_alloc, ration_free};
        zb_arena arena = zb_arena_open(&allocator);
        arena.chunk_size = 512; // so that there are many places to fail at
        zp_build *build = zp_build_open(&arena);
        test_program_feed(build);
        zp_program *program = zp_build_finish(build, &allocator);
        finished = program != NULL;
        if (finished) { assert_true(blocks > 5); }
        zp_program_free(program);
        zb_arena_close(&arena);
        assert_int_equal(ration.open, 0);
        assert_true(blocks < 1000);
    }
}

static void what_does_not_fit_a_blob_gives_no_program(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_layer(build, &(zp_layer){0});
    zp_build_channel(build, &(zp_channel){0});
    zp_build_clip_begin(build, &(zp_clip){.duration_ns = 1}, (zp_span){0, 0});
    const double one = 1.0; // 2^31 keys of it: refused by the number, before anything is read
    zp_build_curve(build, &(zp_curve_def){.width = 16, .key_count = 0x80000000u, .times = &one, .values = &one});
    zp_build_clip_end(build);
    assert_null(zp_build_finish(build, NULL));
    zb_arena_close(&arena);
}

static void more_than_32_layers_give_no_program(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    for (uint32_t i = 0; i < 33; ++i) { zp_build_layer(build, &(zp_layer){0}); }
    assert_null(zp_build_finish(build, NULL));
    zb_arena_close(&arena);
}

// ---------------------------------------------------------------------------------------------------- one small clip

typedef struct bench {
    zb_arena arena;
    zp_build *build;
} bench;

// A builder in `b`, which must not move, with channels 0..23 on layer 0, 24..31 on layer 1, and an open clip.
static void open_clip(bench *b) {
    b->arena = zb_arena_open(NULL);
    b->build = zp_build_open(&b->arena);
    zp_build_layer(b->build, &(zp_layer){.name = zp_build_name(b->build, ZB_TEXT("one"))});
    zp_build_layer(b->build, &(zp_layer){.name = zp_build_name(b->build, ZB_TEXT("two"))});
    for (uint32_t i = 0; i < 32; ++i) {
        zp_build_channel(b->build, &(zp_channel){.layer = i / 24, .low = -1e9, .high = 1e9});
    }
    zp_build_clip_begin(b->build, &(zp_clip){.duration_ns = 1000, .duration_ns_min = 1, .duration_ns_max = 2000,
                                             .complete_ns = 1000}, (zp_span){0, 0});
}

static const double times_a[] = {0.0, 0.5, 1.0}, times_b[] = {0.0, 0.25, 1.0};

static zp_curve_def curve_on(uint32_t channel, const double *values) {
    return (zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .first_channel = channel, .key_count = 3,
                          .times = times_a, .values = values};
}

static zp_program *finish(bench *b) {
    zp_build_clip_end(b->build);
    zp_program *program = zp_build_finish(b->build, NULL);
    assert_non_null(program);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    zb_arena_close(&b->arena);
    return program;
}

static void names_are_interned_and_end_at_a_zero_byte(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    assert_int_equal(zp_build_name(build, ZB_TEXT("")), 0);
    assert_int_equal(zp_build_name(build, (zo_text){NULL, 0}), 0);
    assert_int_equal(zp_build_name(build, ZB_TEXT("\0hidden")), 0);
    const zp_name abc = zp_build_name(build, ZB_TEXT("abc"));
    assert_int_equal(abc, 1);
    assert_int_equal(zp_build_name(build, ZB_TEXT("ab")), 5);
    assert_int_equal(zp_build_name(build, ZB_TEXT("abc\0def")), abc);
    zp_program *program = zp_build_finish(build, NULL);
    assert_string_equal(zp_name_text(program, abc), "abc");
    assert_string_equal(zp_name_text(program, 5), "ab");
    assert_int_equal(zp_count(program, ZP_SECTION_NAMES), 8);
    zp_program_free(program);
    zb_arena_close(&arena);
}

static void equal_pools_are_stored_once(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    const double values[] = {7.0, 8.0, 9.0};
    zp_curve_def def = curve_on(0, values);
    zp_build_curve(b.build, &def);
    def = curve_on(9, values); // not a neighbour: stays a curve of its own
    zp_build_curve(b.build, &def);
    const uint32_t easing = zp_build_easing(b.build, 0.0, 0.0, 0.5, 1.0);
    assert_int_equal(zp_build_easing(b.build, -0.0, -0.0, 0.5, 1.0), easing);
    assert_int_not_equal(zp_build_easing(b.build, 0.0, 0.0, 0.5, 1.5), easing);
    const zp_name sheet = zp_build_name(b.build, ZB_TEXT("sheet.png"));
    const uint32_t image = zp_build_image(b.build, &(zp_image){.name = sheet, .width = 64, .height = 64});
    assert_int_equal(zp_build_image(b.build, &(zp_image){.name = sheet, .width = 64, .height = 64}), image);
    assert_int_not_equal(zp_build_image(b.build, &(zp_image){.name = sheet, .width = 64, .height = 32}), image);
    zp_program *program = finish(&b);
    assert_int_equal(zp_count(program, ZP_SECTION_NUMBERS), 6);
    assert_int_equal(zp_count(program, ZP_SECTION_EASINGS), 2);
    assert_int_equal(program->clips[0].curve_count, 2);
    assert_int_equal(program->curves[0].times, program->curves[1].times);
    assert_int_equal(program->curves[0].values, program->curves[1].values);
    zp_program_free(program);
}

static void neighbours_with_equal_keys_become_one_curve(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    double values[20][3];
    for (uint32_t i = 20; i-- > 0;) { // fed backwards
        for (uint32_t key = 0; key < 3; ++key) { values[i][key] = 10.0 * i + key; }
        zp_curve_def def = curve_on(i, values[i]);
        zp_build_curve(b.build, &def);
    }
    zp_program *program = finish(&b);
    assert_int_equal(program->clips[0].curve_count, 2); // 16 and the rest
    assert_int_equal(program->curves[0].width, 16);
    assert_int_equal(program->curves[1].width, 4);
    for (uint32_t c = 0; c < 2; ++c) {
        const zp_curve *curve = &program->curves[c];
        assert_int_equal(curve->first_channel, 16 * c);
        for (uint32_t key = 0; key < 3; ++key) {
            for (uint32_t i = 0; i < curve->width; ++i) {
                assert_true(program->numbers[curve->values + key * curve->width + i] == values[16 * c + i][key]);
            }
        }
    }
    zp_program_free(program);
}

static void curves_that_differ_stay_apart(void **state) {
    (void)state;
    const double values[] = {1.0, 2.0, 3.0}, scales[] = {1.0, 0.0, 0.0};
    for (uint32_t difference = 0; difference < 8; ++difference) {
        bench b;
        open_clip(&b);
        zp_build_param(b.build, &(zp_param){.value = 1.0, .high = 2.0}, (zp_span){0, 0});
        zp_build_param(b.build, &(zp_param){.value = 1.0, .high = 2.0}, (zp_span){0, 0});
        const bool scaled = difference == 4;
        zp_curve_def one = curve_on(difference == 7 ? 23 : 3, values);
        if (scaled) { one.scales = scales; }
        zp_curve_def two = one;
        two.first_channel++;
        switch (difference) {
        case 0: two.times = times_b; break;
        case 1: two.ends = ZP_ENDS_WRAP; break;
        case 2: two.finish = ZP_FINISH_ROUND_HALF_EVEN; break;
        case 3: two.scales = scales; break;
        case 4: two.param = 1; break;
        case 5: two.first_channel++; break; // a gap
        case 6: two.interpolation = ZP_INTERPOLATE_NEAREST; break;
        default: break; // 23 and 24 are of two layers
        }
        zp_build_curve(b.build, &one);
        zp_build_curve(b.build, &two);
        zp_program *program = finish(&b);
        assert_int_equal(program->clips[0].curve_count, 2);
        assert_int_equal(program->clips[0].layer_mask, difference == 7 ? 3 : 1);
        zp_program_free(program);
    }
}

static void scales_and_inserts_are_gathered_too(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    zp_build_param(b.build, &(zp_param){.value = 1.0, .high = 2.0}, (zp_span){0, 0});
    const double values[] = {1.0, 2.0, 3.0}, scales[2][3] = {{4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}};
    const zp_insert inserts[2][3] = {{{1.0, 0.0, 0.0, 0.0, 0.0}, {2.0, 0.0, 0.0, 0.0, 0.0}, {3.0, 0.0, 0.0, 0.0, 0.0}},
                                     {{4.0, 0.0, 0.0, 0.0, 0.0}, {5.0, 0.0, 0.0, 0.0, 0.0}, {6.0, 0.0, 0.0, 0.0, 0.0}}};
    for (uint32_t i = 0; i < 2; ++i) {
        zp_curve_def def = curve_on(i, values);
        def.scales = scales[i];
        zp_build_curve(b.build, &def);
        def = curve_on(4 + i, NULL);
        def.inserts = inserts[i];
        zp_build_curve(b.build, &def);
    }
    zp_program *program = finish(&b);
    assert_int_equal(program->clips[0].curve_count, 2);
    const zp_curve *scaled = &program->curves[0], *inserted = &program->curves[1];
    assert_int_equal(scaled->flags, ZP_CURVE_SCALED);
    assert_int_equal(inserted->flags, ZP_CURVE_INSERTED);
    const double expected[] = {4.0, 7.0, 5.0, 8.0, 6.0, 9.0};
    assert_memory_equal(program->numbers + scaled->scales, expected, sizeof expected);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_true(program->inserts[inserted->inserts + i].left_base == (double)(i / 2 + 1 + (i % 2) * 3));
    }
    zp_program_free(program);
}

static void curves_stand_by_times_then_intervals_then_slot(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    const double values[] = {1.0, 2.0, 3.0};
    static const uint32_t channels[] = {20, 4, 12, 0, 8, 16};
    for (uint32_t i = 0; i < ZB_COUNT(channels); ++i) {
        zp_curve_def def = curve_on(channels[i], values);
        def.times = i % 2 ? times_b : times_a;
        zp_build_curve(b.build, &def);
    }
    zp_program *program = finish(&b); // whose check is that the order holds
    static const uint32_t expected[] = {8, 12, 20, 0, 4, 16};
    for (uint32_t i = 0; i < ZB_COUNT(expected); ++i) {
        assert_int_equal(program->curves[i].first_channel, expected[i]);
    }
    zp_program_free(program);
}

static void events_are_sorted_and_keep_their_turn(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    static const double at[] = {0.5, 0.0, 0.5, 1.0, 0.0, 0.5, 0.25};
    for (uint32_t i = 0; i < ZB_COUNT(at); ++i) {
        const char text[] = {(char)('a' + i), 0};
        zp_build_event(b.build, &(zp_event){.at = at[i], .at_ns = (int64_t)(at[i] * 1000.0),
                                            .name = zp_build_name(b.build, zb_text(text))}, (zp_span){100 - i, 1});
        for (uint32_t k = 0; k < i; ++k) { zp_build_argument(b.build, &(zp_argument){.number = 10.0 * i + k}); }
    }
    zp_program *program = finish(&b);
    static const char order[] = "begacfd";
    for (uint32_t i = 0; i < ZB_COUNT(at); ++i) {
        const zp_event *event = &program->events[i];
        const uint32_t source = (uint32_t)(order[i] - 'a');
        assert_int_equal(zp_name_text(program, event->name)[0], order[i]);
        assert_int_equal(event->argument_count, source);
        if (source > 0) { assert_true(program->arguments[event->first_argument].number == 10.0 * source); }
        assert_int_equal(program->srcmap[i].section, ZP_SECTION_EVENTS);
        assert_int_equal(program->srcmap[i].record, i);
        assert_int_equal(program->srcmap[i].offset, 100 - source);
    }
    zp_program_free(program);
}

static void the_last_interval_does_not_keep_curves_from_sharing(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    const double values[] = {1.0, 2.0, 3.0};
    const uint32_t easing = zp_build_easing(b.build, 0.4, 0.0, 0.6, 1.0);
    const zp_interval one[] = {{ZP_INTERPOLATE_EASE, easing}, {ZP_INTERPOLATE_LERP, 0}, {ZP_INTERPOLATE_EASE, easing}};
    const zp_interval two[] = {{ZP_INTERPOLATE_EASE, easing}, {ZP_INTERPOLATE_LERP, 0}, {ZP_INTERPOLATE_HOLD, 0}};
    zp_curve_def def = curve_on(0, values);
    def.interpolation = ZP_INTERPOLATE_PER_INTERVAL;
    def.intervals = one;
    zp_build_curve(b.build, &def);
    def.first_channel = 1;
    def.intervals = two;
    zp_build_curve(b.build, &def);
    zp_program *program = finish(&b);
    assert_int_equal(program->clips[0].curve_count, 1);
    assert_int_equal(program->curves[0].width, 2);
    zp_program_free(program);
}

static void layers_know_their_channels(void **state) {
    (void)state;
    bench b;
    open_clip(&b);
    zp_program *program = finish(&b);
    assert_int_equal(program->layers[0].first_channel, 0);
    assert_int_equal(program->layers[0].channel_count, 24);
    assert_int_equal(program->layers[1].first_channel, 24);
    assert_int_equal(program->layers[1].channel_count, 8);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- the whole

static void the_same_input_gives_the_same_bytes(void **state) {
    (void)state;
    zp_program *one = test_program(), *two = test_program();
    assert_int_equal(one->blob_size, two->blob_size);
    assert_memory_equal(one->blob, two->blob, one->blob_size);
    assert_int_equal(one->blob_size % 8, 0);
    // Every compiler, optimisation level and machine must come to this number.
    assert_int_equal(one->header->hash, 0x803fc0a2f426df9cULL);
    zp_program_free(one);
    zp_program_free(two);
}

static void a_copy_and_a_loaded_blob_are_the_same_program(void **state) {
    (void)state;
    zp_program *program = test_program();
    zp_program *copy = zp_program_copy(program->blob, program->blob_size, NULL);
    assert_memory_equal(copy->blob, program->blob, program->blob_size);
    assert_string_equal(zp_name_text(copy, copy->clips[0].name), "demo:bounce");

    uint8_t *odd = malloc(program->blob_size + 1); // at an odd address
    memcpy(odd + 1, program->blob, program->blob_size);
    const char *what = "";
    zp_program *loaded = zp_program_load(odd + 1, program->blob_size, NULL, &what);
    assert_non_null(loaded);
    assert_null(what);
    assert_memory_equal(loaded->blob, program->blob, program->blob_size);
    assert_null(zp_program_load(odd, program->blob_size, NULL, &what));
    assert_non_null(what);
    assert_null(zp_program_load(NULL, 0, NULL, &what));
    assert_non_null(what);
    rationed none = {0};
    assert_null(zp_program_load(odd + 1, program->blob_size, &(zo_allocator){&none, ration_alloc, ration_free}, &what));
    assert_null(what);
    free(odd);
    zp_program_free(loaded);
    zp_program_free(copy);
    zp_program_free(program);
    zp_program_free(NULL);
}

static void stripping_the_source_map_keeps_the_hash(void **state) {
    (void)state;
    zp_program *program = test_program();
    const zp_section srcmap = program->header->sections[ZP_SECTION_SRCMAP];
    assert_true(srcmap.count > 0);
    const size_t cut = srcmap.count * sizeof(zp_source_range);
    const size_t size = program->blob_size - cut;
    uint8_t *blob = malloc(size);
    memcpy(blob, program->blob, srcmap.offset);
    memcpy(blob + srcmap.offset, program->blob + srcmap.offset + cut, size - srcmap.offset);
    zp_header *header = (zp_header *)(void *)blob;
    header->size = size;
    header->sections[ZP_SECTION_SRCMAP].count = 0;
    header->sections[ZP_SECTION_NAMES].offset -= (uint32_t)cut;
    const char *what = NULL;
    assert_true(zp_program_check(blob, size, &what));
    free(blob);
    zp_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lack_of_memory_gives_no_program_and_no_leak),
        cmocka_unit_test(what_does_not_fit_a_blob_gives_no_program),
        cmocka_unit_test(more_than_32_layers_give_no_program),
        cmocka_unit_test(names_are_interned_and_end_at_a_zero_byte),
        cmocka_unit_test(equal_pools_are_stored_once),
        cmocka_unit_test(neighbours_with_equal_keys_become_one_curve),
        cmocka_unit_test(curves_that_differ_stay_apart),
        cmocka_unit_test(scales_and_inserts_are_gathered_too),
        cmocka_unit_test(curves_stand_by_times_then_intervals_then_slot),
        cmocka_unit_test(events_are_sorted_and_keep_their_turn),
        cmocka_unit_test(the_last_interval_does_not_keep_curves_from_sharing),
        cmocka_unit_test(layers_know_their_channels),
        cmocka_unit_test(the_same_input_gives_the_same_bytes),
        cmocka_unit_test(a_copy_and_a_loaded_blob_are_the_same_program),
        cmocka_unit_test(stripping_the_source_map_keeps_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
