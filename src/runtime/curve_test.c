// Curves: every placement, interpolation and arithmetic that the runtime plays, through zo_clip_sample and zr_clip_eval.
#include "runtime/test_program.h"

#include "program/easing.h"

static const zp_clip ONE_SECOND = {.duration_ns = 1000000000, .duration_ns_min = 1, .duration_ns_max = 1000000000000,
                                   .complete_ns = 1000000000};

// A program of one clip with one curve on x (and what follows it).
static zp_program *program_of(const zp_curve_def *def, const zp_clip *clip) {
    test_build t;
    test_open(&t);
    zp_build_clip_begin(t.b, clip, NOWHERE);
    zp_build_param(t.b, &(zp_param){.value = 1, .low = 0, .high = 3}, NOWHERE);
    zp_build_curve(t.b, def);
    zp_build_clip_end(t.b);
    return test_close(&t);
}

static double value_at(const zp_program *program, uint32_t channel, double time, const double *params) {
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, clip_id(0), time, params, pose);
    const double value = pose->slots[channel];
    zo_pose_free(pose);
    return value;
}

#define ASSERT_VALUE(program, time, value) assert_true(value_at(program, X, time, NULL) == (value))

// ---------------------------------------------------------------------------------------------------- refused

static void what_cannot_be_played_is_said_to_be_so(void **state) {
    (void)state;
    const zp_curve fine = {.width = 1, .key_count = 1, .interpolation = ZP_INTERPOLATE_LERP};
    assert_true(zp_curve_supported(&fine));
    zp_curve bad = fine;
    bad.placement = ZP_PLACE_BY_INDEX;
    assert_false(zp_curve_supported(&bad));
    static const uint8_t later[] = {ZP_INTERPOLATE_ANGLE, ZP_INTERPOLATE_SLERP, ZP_INTERPOLATE_HERMITE,
                                    ZP_INTERPOLATE_COUNT, 255};
    for (size_t i = 0; i < ZB_COUNT(later); ++i) {
        bad = fine;
        bad.interpolation = later[i];
        assert_false(zp_curve_supported(&bad));
        bad.interpolation = ZP_INTERPOLATE_PER_INTERVAL;
        assert_true(zp_curve_supported(&bad));
        assert_false(zp_interval_supported(&bad, &(zp_interval){later[i], 0}));
    }
    bad = fine;
    bad.arithmetic = ZP_ARITHMETIC_INDEX; // pictures do not blend
    assert_false(zp_curve_supported(&bad));
    bad.interpolation = ZP_INTERPOLATE_HOLD;
    assert_true(zp_curve_supported(&bad));
    bad.arithmetic = ZP_ARITHMETIC_F32_HERMITE; // each interval says for itself
    assert_false(zp_curve_supported(&bad));
    bad.interpolation = ZP_INTERPOLATE_PER_INTERVAL;
    assert_true(zp_curve_supported(&bad));
    assert_true(zp_interval_supported(&bad, &(zp_interval){ZP_INTERPOLATE_HERMITE, 0}));
    assert_false(zp_interval_supported(&bad, &(zp_interval){ZP_INTERPOLATE_EASE, 0}));
    bad.ends = ZP_ENDS_WRAP;
    assert_false(zp_curve_supported(&bad));
    bad = fine;
    bad.flags = ZP_CURVE_SCALED | ZP_CURVE_INSERTED;
    assert_false(zp_curve_supported(&bad));
    bad = fine;
    bad.interpolation = ZP_INTERPOLATE_EASE;
    bad.ends = ZP_ENDS_WRAP; // the interval behind the last key is not there
    assert_false(zp_curve_supported(&bad));
    bad = fine;
    bad.width = 17;
    assert_false(zp_curve_supported(&bad));

    zp_clip clip = ONE_SECOND;
    assert_true(zp_clip_supported(&clip));
    clip.duration_ns = ZP_DURATION_NS_MAX + 1;
    assert_false(zp_clip_supported(&clip));
    clip = ONE_SECOND;
    clip.time_unit = ZP_TIME_FRAMES;
    assert_false(zp_clip_supported(&clip));
    clip = ONE_SECOND;
    clip.repeat = ZP_REPEAT_ALTERNATE;
    clip.event_count = 1;
    assert_false(zp_clip_supported(&clip));
}

static void odd_times_are_cut_to_the_pass(void **state) {
    (void)state;
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 2,
                              .times = (const double[]){0.25, 0.75}, .values = (const double[]){3, 5}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    ASSERT_VALUE(program, (double)NAN, 3.0);
    ASSERT_VALUE(program, -(double)INFINITY, 3.0);
    ASSERT_VALUE(program, (double)INFINITY, 5.0);
    ASSERT_VALUE(program, -0.0, 3.0);
    ASSERT_VALUE(program, 0.2, 3.0); // before the first key: its value
    ASSERT_VALUE(program, 0.5, 4.0);
    ASSERT_VALUE(program, 0.8, 5.0);
    zp_program_free(program);
}

static void odd_parameters_are_cut_to_their_limits(void **state) {
    (void)state;
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 1, .first_channel = SCALE,
                              .times = (const double[]){0}, .values = (const double[]){1},
                              .scales = (const double[]){2}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    static const struct { double param, value; } rows[] = {
        {1, 3}, {0, 1}, {-1, 1}, {2, 5}, {3, 7}, {4, 7}, {(double)NAN, 3}, {(double)INFINITY, 7}, {-(double)INFINITY, 1}};
    for (size_t i = 0; i < ZB_COUNT(rows); ++i) {
        assert_true(value_at(program, SCALE, 0.3, &rows[i].param) == rows[i].value);
    }
    assert_true(value_at(program, SCALE, 0.3, NULL) == 3); // the default
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- interpolation

static void keys_have_their_own_values_to_the_bit(void **state) {
    (void)state;
    const double times[] = {0, 0.1, 0.3, 0.30000000000000004, 0.7, 1};
    const double values[] = {0.1, -1e308, 1e308, -0.0, 1.0 / 3.0, 7e-320}; // differences overflow, and that is nobody's fault
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 6, .times = times,
                              .values = values};
    zp_program *program = program_of(&def, &ONE_SECOND);
    for (uint32_t k = 0; k < 6; ++k) {
        const double value = value_at(program, X, times[k], NULL);
        assert_memory_equal(&value, &values[k], sizeof value);
    }
    zp_program_free(program);
}

static void lerp_and_ease_are_these_expressions_and_no_others(void **state) {
    (void)state;
    uint64_t random = 88172645463325252u;
    for (uint32_t round = 0; round < 200; ++round) {
        test_build t;
        test_open(&t);
        zp_clip clip = ONE_SECOND;
        zp_build_clip_begin(t.b, &clip, NOWHERE);
        const uint32_t width = 1 + test_below(&random, 4), count = 2 + test_below(&random, 40);
        double times[64], values[64 * 4];
        zp_interval intervals[64] = {{0}};
        zp_easing easings[64];
        for (uint32_t k = 0; k < count; ++k) {
            times[k] = ((double)k + test_unit(&random)) / (double)count;
            const double x1 = test_unit(&random), y1 = 3 * test_unit(&random) - 1, x2 = test_unit(&random);
            zp_easing_make(&easings[k], x1, y1, x2, 1.0);
            intervals[k].interpolation = round % 2 ? ZP_INTERPOLATE_EASE : ZP_INTERPOLATE_LERP;
            if (round % 2) { intervals[k].argument = zp_build_easing(t.b, x1, y1, x2, 1.0); }
        }
        for (uint32_t i = 0; i < count * width; ++i) { values[i] = 200 * test_unit(&random) - 100; }
        zp_build_curve(t.b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = width,
                                            .key_count = count, .times = times, .intervals = intervals,
                                            .values = values});
        zp_build_clip_end(t.b);
        zp_program *program = test_close(&t);
        zo_pose *pose = zo_pose_create(program, NULL);
        for (uint32_t step = 0; step < 100; ++step) {
            const double time = test_unit(&random);
            zo_clip_sample(program, clip_id(0), time, NULL, pose);
            uint32_t k = 0;
            while (k + 1 < count && times[k + 1] <= time) { ++k; }
            for (uint32_t c = 0; c < width; ++c) {
                double expected = values[k * width + c];
                if (time > times[k] && k + 1 < count) {
                    double p = (time - times[k]) / (times[k + 1] - times[k]);
                    if (round % 2) { p = zp_easing_at(&easings[k], p); }
                    expected = values[k * width + c] + (values[(k + 1) * width + c] - values[k * width + c]) * p;
                }
                assert_true(pose->slots[c] == expected);
            }
        }
        zo_pose_free(pose);
        zp_program_free(program);
    }
}

static void each_interval_goes_its_own_way(void **state) {
    (void)state;
    const zp_interval intervals[] = {{ZP_INTERPOLATE_HOLD, 0}, {ZP_INTERPOLATE_HOLD_NEXT, 0},
                                     {ZP_INTERPOLATE_NEAREST, 0}, {ZP_INTERPOLATE_LERP, 0}, {0, 0}};
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 1, .key_count = 5,
                              .times = (const double[]){0, 0.25, 0.5, 0.75, 1}, .intervals = intervals,
                              .values = (const double[]){1, 2, 3, 4, 6}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    ASSERT_VALUE(program, 0.2499, 1.0);
    ASSERT_VALUE(program, 0.25, 2.0); // a key's own instant is that key's, whatever follows
    ASSERT_VALUE(program, 0.2501, 3.0);
    ASSERT_VALUE(program, 0.6249, 3.0);
    ASSERT_VALUE(program, 0.625, 4.0); // a tie is the later
    ASSERT_VALUE(program, 0.875, 5.0);
    ASSERT_VALUE(program, 1.0, 6.0);
    zp_program_free(program);
}

static void wrapping_goes_on_to_the_first_key_of_the_next_pass(void **state) {
    (void)state;
    zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .ends = ZP_ENDS_WRAP, .width = 1, .key_count = 2,
                        .times = (const double[]){0.25, 0.75}, .values = (const double[]){0, 8}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    ASSERT_VALUE(program, 0.75, 8.0);
    ASSERT_VALUE(program, 0.875, 6.0);
    ASSERT_VALUE(program, 1.0, 4.0);
    ASSERT_VALUE(program, 0.0, 4.0);
    ASSERT_VALUE(program, 0.125, 2.0);
    zp_program_free(program);
    zp_clip two_seconds = ONE_SECOND; // the same in seconds of a clip twice as long
    two_seconds.time_unit = ZP_TIME_SECONDS;
    two_seconds.duration_ns = 2000000000;
    def.times = (const double[]){0.5, 1.5};
    program = program_of(&def, &two_seconds);
    ASSERT_VALUE(program, 1.75, 6.0);
    ASSERT_VALUE(program, 0.25, 2.0);
    zp_program_free(program);
}

static void uniform_keys_stand_at_equal_distances(void **state) {
    (void)state;
    zp_curve_def def = {.placement = ZP_PLACE_UNIFORM_OPEN, .interpolation = ZP_INTERPOLATE_LERP, .width = 1,
                        .key_count = 3, .values = (const double[]){0, 10, 40}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    ASSERT_VALUE(program, 0.0, 0.0);
    ASSERT_VALUE(program, 0.25, 5.0);
    ASSERT_VALUE(program, 0.75, 25.0);
    ASSERT_VALUE(program, 1.0, 40.0);
    zp_program_free(program);
    def.placement = ZP_PLACE_UNIFORM_LOOP;
    def.key_count = 2;
    program = program_of(&def, &ONE_SECOND);
    ASSERT_VALUE(program, 0.25, 5.0);
    ASSERT_VALUE(program, 0.75, 5.0);
    ASSERT_VALUE(program, 1.0, 0.0); // the first again
    zp_program_free(program);
    def.key_count = 1;
    def.placement = ZP_PLACE_UNIFORM_OPEN;
    program = program_of(&def, &ONE_SECOND);
    ASSERT_VALUE(program, 0.5, 0.0);
    zp_program_free(program);
}

static void products_are_in_float(void **state) {
    (void)state;
    uint64_t random = 7;
    double values[7];
    for (uint32_t i = 0; i < 7; ++i) { values[i] = (double)(float)(test_unit(&random) * 20 - 10); }
    zp_curve_def def = {.placement = ZP_PLACE_UNIFORM_LOOP, .interpolation = ZP_INTERPOLATE_LERP, .ends = ZP_ENDS_WRAP,
                        .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .width = 1, .key_count = 7, .values = values};
    zp_program *program = program_of(&def, &ONE_SECOND);
    for (uint32_t step = 0; step < 2000; ++step) {
        const double time = test_unit(&random);
        const float s = (float)time * 7.0f;
        uint32_t k = (uint32_t)s < 6 ? (uint32_t)s : 6;
        const float p = s - (float)k;
        const float a = (float)values[k], b = (float)values[(k + 1) % 7];
        ASSERT_VALUE(program, time, p == 0.0f ? (double)a : (double)(a * (1.0f - p) + b * p));
    }
    ASSERT_VALUE(program, 1.0, values[0]); // wrapped
    zp_program_free(program);
}

static void steps_are_counted_in_whole_nanoseconds(void **state) {
    (void)state;
    zp_curve_def def = {.placement = ZP_PLACE_STEP_NS, .arithmetic = ZP_ARITHMETIC_INDEX, .width = 1, .key_count = 3,
                        .values = (const double[]){1, 2, 3}, .step_ns = 333333333, .first_channel = PICTURE};
    zp_program *program = program_of(&def, &ONE_SECOND);
    zo_pose *pose = zo_pose_create(program, NULL);
    static const struct { int64_t local_ns; double clamp, wrap; } rows[] = {
        {0, 1, 1}, {333333332, 1, 1}, {333333333, 2, 2}, {666666666, 3, 3}, {999999998, 3, 3}, {999999999, 3, 1}};
    for (uint32_t wrap = 0; wrap < 2; ++wrap) {
        for (size_t i = 0; i < ZB_COUNT(rows); ++i) {
            const zr_moment at = zr_moment_at_ns(&program->clips[0], rows[i].local_ns, 1000000000);
            zr_clip_eval(program, &program->clips[0], &at, (const double[]){1}, pose->slots);
            assert_true(pose->slots[PICTURE] == (wrap ? rows[i].wrap : rows[i].clamp));
        }
        zo_pose_free(pose);
        zp_program_free(program);
        def.ends = ZP_ENDS_WRAP;
        program = program_of(&def, &ONE_SECOND);
        pose = zo_pose_create(program, NULL);
    }
    zo_pose_free(pose);
    zp_program_free(program);
}

static void held_keys_and_events_are_one_instant_at_every_duration(void **state) {
    (void)state;
    // 0.1 of 7 ns is key instant 1 ns (nearest), though 1/7 > 0.1 and 0.1 * 7 < 1.
    uint64_t random = 99;
    for (uint32_t round = 0; round < 300; ++round) {
        zp_clip clip = ONE_SECOND;
        clip.duration_ns = 1 + test_below(&random, 1000);
        clip.complete_ns = clip.duration_ns;
        const double at = test_unit(&random);
        const int64_t at_ns = zr_nearest_ns(at * (double)clip.duration_ns, clip.duration_ns);
        const zp_curve_def def = {.arithmetic = ZP_ARITHMETIC_INDEX, .width = 1, .key_count = 2, .first_channel = PICTURE,
                                  .times = (const double[]){0, at}, .values = (const double[]){1, 2},
                                  .instants = (const int64_t[]){0, at_ns}};
        if (at_ns == 0 || at == 0) { continue; }
        zp_program *program = program_of(&def, &clip);
        double values[CHANNEL_COUNT] = {0};
        for (uint32_t other = 0; other < 20; ++other) {
            const int64_t duration_ns = other ? 1 + test_below(&random, 100000) : clip.duration_ns;
            const int64_t change_ns = zr_scaled_ns(&program->clips[0], at, at_ns, duration_ns);
            for (int64_t local = change_ns > 0 ? change_ns - 1 : 0; local <= change_ns + 1 && local <= duration_ns; ++local) {
                const zr_moment moment = zr_moment_at_ns(&program->clips[0], local, duration_ns);
                zr_clip_eval(program, &program->clips[0], &moment, (const double[]){1}, values);
                assert_true(values[PICTURE] == (local >= change_ns ? 2 : 1));
            }
        }
        zp_program_free(program);
    }
}

static void held_in_nanoseconds_and_held_in_fractions_stay_apart(void **state) {
    (void)state;
    // 0.1 of 14 ns is instant 1; at 1 ns the fraction is 0.07 and a curve without instants has not come that far.
    test_build t;
    test_open(&t);
    zp_build_clip_begin(t.b, &(zp_clip){.duration_ns = 14, .complete_ns = 14}, NOWHERE);
    zp_curve_def def = {.width = 1, .key_count = 2, .times = (const double[]){0, 0.1}, .values = (const double[]){1, 2}};
    zp_build_curve(t.b, &def);
    def.first_channel = PICTURE;
    def.arithmetic = ZP_ARITHMETIC_INDEX;
    def.instants = (const int64_t[]){0, 1};
    zp_build_curve(t.b, &def);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    double values[CHANNEL_COUNT];
    const zr_moment at = zr_moment_at_ns(&program->clips[0], 1, 14);
    zr_clip_eval(program, &program->clips[0], &at, NULL, values);
    assert_true(values[X] == 1 && values[PICTURE] == 2);
    zp_program_free(program);
}

static void nearest_is_nearest(void **state) {
    (void)state;
    static const struct { double ns; int64_t nearest; } rows[] = {
        {(double)NAN, 0}, {-(double)INFINITY, 0}, {-3, 0}, {(double)INFINITY, 100}, {1e300, 100}, {99.5, 100}, {101, 100},
        {0.49999999999999994, 0}, {0.5, 1}, {1.4999999999999998, 1}, {1.5, 2}, {2.5, 3}, {41, 41}};
    for (size_t i = 0; i < ZB_COUNT(rows); ++i) { assert_int_equal(zr_nearest_ns(rows[i].ns, 100), rows[i].nearest); }
    assert_true(zr_nearest_ns(0x1p61 - 512, ZR_CLOCK_NS_MAX) == ((int64_t)1 << 61) - 512);
}

static void rounding_is_half_to_even(void **state) {
    (void)state;
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .finish = ZP_FINISH_ROUND_HALF_EVEN, .width = 1,
                              .key_count = 2, .times = (const double[]){0, 1}, .values = (const double[]){-4, 4}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    static const struct { double value, rounded; } rows[] = {{-3.5, -4}, {-2.5, -2}, {-0.5, 0}, {0.5, 0},
                                                             {1.5, 2},   {2.5, 2},   {1.4, 1},  {-1.6, -2}};
    for (size_t i = 0; i < ZB_COUNT(rows); ++i) { ASSERT_VALUE(program, (rows[i].value + 4) / 8, rows[i].rounded); }
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- hermite

// Keys with the way from each to the next, and the tangents of those that are bent.
static zp_program *hermite_program(zp_finish finish, uint32_t count, const double *times, const double *values,
                                   const uint32_t *ways, const double (*tangents)[2]) {
    test_build t;
    test_open(&t);
    zp_interval intervals[8] = {{0, 0}};
    for (uint32_t k = 0; k + 1 < count; ++k) {
        const bool bent = ways[k] == ZP_INTERPOLATE_HERMITE;
        intervals[k] = (zp_interval){ways[k], bent ? zp_build_numbers(t.b, tangents[k], 2) : 0};
    }
    zp_build_clip_begin(t.b, &ONE_SECOND, NOWHERE);
    zp_build_curve(t.b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .finish = finish, .width = 1,
                                        .arithmetic = ZP_ARITHMETIC_F32_HERMITE, .key_count = count, .times = times,
                                        .values = values, .intervals = intervals});
    zp_build_clip_end(t.b);
    return test_close(&t);
}

static const uint32_t BENT[] = {ZP_INTERPOLATE_HERMITE, ZP_INTERPOLATE_HERMITE, ZP_INTERPOLATE_HERMITE};

static void hermite_is_this_expression_and_no_other(void **state) {
    (void)state;
    static const double times[] = {0.125, 0.9}, values[] = {-1.1, 2.3}, tangents[][2] = {{7.7, -0.3}};
    zp_program *program = hermite_program(ZP_FINISH_NONE, 2, times, values, BENT, tangents);
    for (uint32_t step = 1; step < 40; ++step) {
        const double time = 0.125 + step * 0.019;
        const float u = (float)((time - 0.125) / (0.9 - 0.125)), d = (float)(0.9 - 0.125);
        const float uu = u * u, uuu = uu * u;
        const float a = (2.0f * uuu - 3.0f * uu + 1.0f) * (float)-1.1, b = (uuu - 2.0f * uu + u) * d * (float)7.7;
        const float e = (-2.0f * uuu + 3.0f * uu) * (float)2.3, f = (uuu - uu) * d * (float)-0.3;
        ASSERT_VALUE(program, time, (double)(a + b + e + f));
    }
    ASSERT_VALUE(program, 0.0, (double)(float)-1.1); // held on both sides
    ASSERT_VALUE(program, 1.0, (double)(float)2.3);
    zp_program_free(program);
}

static void keys_at_one_time_make_a_jump(void **state) {
    (void)state;
    static const double none[][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
    static const uint32_t ways[] = {ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_LERP,
                                    ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_LERP};
    static const double times[] = {0, 0, 0.5, 0.5, 0.5, 1, 1}, values[] = {10, 20, 30, 40, 50, 60, 70};
    zp_program *program = hermite_program(ZP_FINISH_NONE, 7, times, values, ways, none);
    ASSERT_VALUE(program, 0.0, 10);   // at the start the first
    ASSERT_VALUE(program, 0.25, 25);
    ASSERT_VALUE(program, 0.5, 30);   // in the middle the first
    ASSERT_VALUE(program, 0.75, 55);  // just behind it the last
    ASSERT_VALUE(program, 1.0, 70);   // at the end the last
    zp_program_free(program);
    static const double all[] = {0.5, 0.5};
    program = hermite_program(ZP_FINISH_NONE, 2, all, values, ways, none);
    ASSERT_VALUE(program, 0.5, 10);
    ASSERT_VALUE(program, 0.5000001, 20);
    zp_program_free(program);
}

static void held_straight_and_bent_intervals_stand_side_by_side(void **state) {
    (void)state;
    static const double times[] = {0, 0.25, 0.5, 1}, values[] = {0, 4, 8, 0}, tangents[][2] = {{0, 0}, {0, 0}, {0, 0}};
    static const uint32_t ways[] = {ZP_INTERPOLATE_HOLD, ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_HERMITE};
    zp_program *program = hermite_program(ZP_FINISH_NONE, 4, times, values, ways, tangents);
    ASSERT_VALUE(program, 0.2499, 0);
    ASSERT_VALUE(program, 0.25, 4);
    ASSERT_VALUE(program, 0.375, 6);
    ASSERT_VALUE(program, 0.75, 4);
    ASSERT_VALUE(program, 0.625, 8 * 0.84375);
    zp_program_free(program);
    static const double halves[] = {0, 5, 0, -5};
    static const uint32_t straight[] = {ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_LERP};
    program = hermite_program(ZP_FINISH_ROUND_HALF_EVEN, 4, times, halves, straight, tangents);
    ASSERT_VALUE(program, 0.125, 2); // 2.5
    ASSERT_VALUE(program, 0.375, 2);
    ASSERT_VALUE(program, 0.75, -2); // -2.5
    zp_program_free(program);
}

static void no_tangent_makes_a_value_that_is_none(void **state) {
    (void)state;
    static const double times[] = {0, 1}, values[] = {3, 5}, huge[][2] = {{3e38, -3e38}}, beyond[][2] = {{1e300, 1e300}};
    for (uint32_t i = 0; i < 2; ++i) {
        zp_program *program = hermite_program(ZP_FINISH_NONE, 2, times, values, BENT, i ? beyond : huge);
        for (uint32_t step = 0; step <= 64; ++step) {
            assert_true(zb_is_finite(value_at(program, X, (double)step / 64, NULL)));
        }
        zp_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- parameters

static void inserted_keys_lie_between_the_cut_values(void **state) {
    (void)state;
    // A key of 360 p is cut to 180; half way to it from 0 is 90, not 270 of the uncut line.
    const zp_insert inserts[] = {{0, 0, 0, 0, 0}, {0, 0, 0, 360, 0.5}, {0, 360, 0, 0, 0}};
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 3, .first_channel = TURN,
                              .times = (const double[]){0, 0.5, 1}, .inserts = inserts};
    zp_program *program = program_of(&def, &ONE_SECOND);
    const double strong = 1.5, weak = 0.25;
    assert_true(value_at(program, TURN, 0.5, &strong) == 90);
    assert_true(value_at(program, TURN, 1.0, &strong) == 180);
    assert_true(value_at(program, TURN, 0.75, &strong) == 135);
    assert_true(value_at(program, TURN, 0.5, &weak) == 45);
    zp_program_free(program);
    const zp_insert over = {.right_base = 1, .weight = 1.25}; // an overshooting curve: not cut again
    const zp_curve_def fade = {.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 1, .first_channel = FADE,
                               .times = (const double[]){0}, .inserts = &over};
    program = program_of(&fade, &ONE_SECOND);
    assert_true(value_at(program, FADE, 0, NULL) == 1.25);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- shared work

static void curves_together_give_what_each_gives_alone(void **state) {
    (void)state;
    uint64_t random = 4242;
    for (uint32_t round = 0; round < 200; ++round) {
        // Five curves that share times, intervals, both or nothing.
        static const double time_sets[2][4] = {{0, 0.3, 0.6, 1}, {0.1, 0.2, 0.9, 0.95}};
        zp_curve_def defs[5];
        double values[5][4], scales[5][4];
        uint32_t set[5], how[5];
        for (uint32_t c = 0; c < 5; ++c) {
            set[c] = test_below(&random, 2);
            how[c] = test_below(&random, 3);
            for (uint32_t k = 0; k < 4; ++k) {
                values[c][k] = test_unit(&random);
                scales[c][k] = test_unit(&random);
            }
            defs[c] = (zp_curve_def){.interpolation = test_below(&random, 3) ? ZP_INTERPOLATE_PER_INTERVAL
                                                                             : ZP_INTERPOLATE_LERP,
                                     .width = 1, .first_channel = c, .key_count = 4, .times = time_sets[set[c]],
                                     .values = values[c], .scales = test_below(&random, 4) ? NULL : scales[c]};
        }
        zp_program *programs[6]; // alone, and all together
        for (uint32_t p = 0; p < 6; ++p) {
            test_build t;
            test_open(&t);
            zp_clip clip = ONE_SECOND;
            zp_build_clip_begin(t.b, &clip, NOWHERE);
            zp_build_param(t.b, &(zp_param){.value = 1, .low = 0, .high = 3}, NOWHERE);
            for (uint32_t c = 0; c < 5; ++c) {
                if (p != 5 && p != c) { continue; }
                const uint32_t eases[3] = {zp_build_easing(t.b, 0.4, 0, 1, 1), zp_build_easing(t.b, 0, 2, 0.5, 1),
                                           zp_build_easing(t.b, 0.25, 0.1, 0.25, 1)};
                zp_interval intervals[4] = {{ZP_INTERPOLATE_EASE, eases[how[c]]}, {ZP_INTERPOLATE_LERP, 0},
                                            {how[c] == 1 ? ZP_INTERPOLATE_HOLD : ZP_INTERPOLATE_EASE,
                                             how[c] == 1 ? 0 : eases[2 - how[c]]}, {0, 0}};
                defs[c].intervals = defs[c].interpolation == ZP_INTERPOLATE_PER_INTERVAL ? intervals : NULL;
                zp_build_curve(t.b, &defs[c]);
            }
            zp_build_clip_end(t.b);
            programs[p] = test_close(&t);
        }
        for (uint32_t step = 0; step <= 40; ++step) {
            for (uint32_t c = 0; c < 5; ++c) {
                const double time = (double)step / 40, p = 2;
                assert_true(value_at(programs[5], c, time, &p) == value_at(programs[c], c, time, &p));
            }
        }
        for (uint32_t p = 0; p < 6; ++p) { zp_program_free(programs[p]); }
    }
}

static void halving_finds_the_key_that_counting_finds(void **state) {
    (void)state;
    double times[300], values[300];
    for (uint32_t k = 0; k < 300; ++k) {
        times[k] = ((double)k + 0.5) / 300;
        values[k] = k;
    }
    for (uint32_t count = 1; count <= 300; count += count < 40 ? 1 : 37) {
        const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_HOLD, .width = 1, .key_count = count, .times = times,
                                  .values = values};
        zp_program *program = program_of(&def, &ONE_SECOND);
        for (uint32_t k = 0; k < count; ++k) {
            ASSERT_VALUE(program, times[k], values[k]);
            ASSERT_VALUE(program, times[k] - 1e-9, values[k ? k - 1 : 0]);
        }
        ASSERT_VALUE(program, 1.0, values[count - 1]);
        zp_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- in space

static void angles_go_the_short_way(void **state) {
    (void)state;
    static const struct { double from, to, half; } rows[] = {
        {0, 90, 45}, {350, 10, 360}, {10, 350, 0}, {0, 180, -90}, {180, 0, 90}, {0, 360, 0}, {0, 540, -90},
        {-170, 170, -180}, {30, 30, 30}, {0, 179.5, 89.75}, {0, -180, -90}};
    for (size_t i = 0; i < ZB_COUNT(rows); ++i) {
        const zp_curve_def def = {.placement = ZP_PLACE_UNIFORM_OPEN, .interpolation = ZP_INTERPOLATE_ANGLE,
                                  .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .width = 1, .key_count = 2,
                                  .values = &rows[i].from};
        zp_program *program = program_of(&def, &ONE_SECOND);
        ASSERT_VALUE(program, 0.5, rows[i].half);
        ASSERT_VALUE(program, 0.0, rows[i].from);
        zp_program_free(program);
    }
}

static void floats_stand_between_keys_at_any_times(void **state) {
    (void)state;
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .width = 1,
                              .ends = ZP_ENDS_WRAP, .key_count = 3, .times = (const double[]){0, 0.25, 0.4},
                              .values = (const double[]){0.1, 0.7, 0.3}};
    zp_program *program = program_of(&def, &ONE_SECOND);
    const float p = (float)(0.1 / 0.25), q = (float)((0.7 - 0.4) / (1.0 - 0.4));
    ASSERT_VALUE(program, 0.1, (double)(0.1f * (1.0f - p) + 0.7f * p));
    ASSERT_VALUE(program, 0.7, (double)(0.3f * (1.0f - q) + 0.1f * q));
    zp_program_free(program);
}

static void what_is_too_large_for_a_float_keeps_the_key(void **state) {
    (void)state;
    static const uint8_t ways[] = {ZP_INTERPOLATE_LERP, ZP_INTERPOLATE_ANGLE};
    for (size_t i = 0; i < ZB_COUNT(ways); ++i) {
        const zp_curve_def def = {.placement = ZP_PLACE_UNIFORM_OPEN, .interpolation = (zp_interpolation)ways[i],
                                  .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .width = 1, .key_count = 3,
                                  .values = (const double[]){1e300, -1e300, 5}};
        zp_program *program = program_of(&def, &ONE_SECOND);
        ASSERT_VALUE(program, 0.25, 1e300);
        ASSERT_VALUE(program, 0.75, -1e300);
        zp_program_free(program);
    }
}

static void turns_go_the_short_way_and_stay_turns(void **state) {
    (void)state;
    // No turn, a right angle about x, and the same given by the other quaternion of the turn, twice as long.
    const double half = 0.70710678118654752;
    const double turns[] = {0, 0, 0, 1, half, 0, 0, half, -2 * half, 0, 0, -2 * half};
    const zp_interval intervals[] = {{ZP_INTERPOLATE_SLERP, 0}, {ZP_INTERPOLATE_SLERP, 0}, {0, 0}};
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 4, .key_count = 3,
                              .times = (const double[]){0, 0.5, 1}, .values = turns, .intervals = intervals};
    zp_program *program = program_of(&def, &ONE_SECOND);
    const double third = 3.14159265358979324 / 12.0; // half of a third of a right angle
    assert_true(fabs(value_at(program, X, 0.5 / 3, NULL) - sin(third)) < 1e-15);
    assert_true(fabs(value_at(program, X + 3, 0.5 / 3, NULL) - cos(third)) < 1e-15);
    assert_true(fabs(value_at(program, X, 0.8, NULL) - half) < 1e-15); // there is nothing to turn
    assert_true(fabs(value_at(program, X + 3, 0.8, NULL) - half) < 1e-15);
    ASSERT_VALUE(program, 1.0, -2 * half); // a key's own values, to the bit
    zp_program_free(program);

    zp_curve wide = {.width = 4, .key_count = 1, .interpolation = ZP_INTERPOLATE_SLERP};
    assert_true(zp_curve_supported(&wide));
    wide.finish = ZP_FINISH_ROUND_HALF_EVEN;
    assert_false(zp_curve_supported(&wide));
    wide = (zp_curve){.width = 3, .key_count = 1, .interpolation = ZP_INTERPOLATE_PER_INTERVAL};
    assert_false(zp_interval_supported(&wide, &intervals[0]));
}

static void a_clip_that_wraps_does_so_at_any_time(void **state) {
    (void)state;
    const zp_curve_def def = {.placement = ZP_PLACE_UNIFORM_OPEN, .interpolation = ZP_INTERPOLATE_LERP,
                              .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .width = 1, .key_count = 2,
                              .values = (const double[]){2, 10}};
    zp_clip clip = ONE_SECOND;
    clip.flags = ZP_CLIP_WRAPS;
    zp_program *program = program_of(&def, &clip);
    ASSERT_VALUE(program, 0.25, 4.0);
    ASSERT_VALUE(program, 1.0, 2.0); // its first value, though it does not repeat
    ASSERT_VALUE(program, 1048576.25, 4.0);
    ASSERT_VALUE(program, -1.75, 4.0);
    ASSERT_VALUE(program, -1e-9, 10.0); // wrapped in double, the rest rounds up to 1 in float
    ASSERT_VALUE(program, 1e300, 2.0);
    ASSERT_VALUE(program, (double)NAN, 2.0);
    ASSERT_VALUE(program, -(double)INFINITY, 2.0);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_instance_start(i, clip_id(0), &(zo_run_def){.set_repeat = true, .repeat = ZO_REPEAT_HOLD});
    test_advance(i, 999 * MS, 8, MS, NULL);
    assert_true(test_slot(i, X) > 9.9);
    test_advance(i, MS, 8, MS, NULL);
    ASSERT_SLOT(i, X, 2.0); // and so where a run has come to its end
    zo_instance_free(i);
    zp_program_free(program);
}

static void times_in_frames_may_lie_outside_of_the_pass(void **state) {
    (void)state;
    const zp_curve_def def = {.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 2,
                              .times = (const double[]){-2, 6}, .values = (const double[]){0, 8}};
    zp_clip clip = ONE_SECOND; // of four frames
    clip.time_unit = ZP_TIME_FRAMES;
    clip.frame_ns = 250 * MS;
    zp_program *program = program_of(&def, &clip);
    ASSERT_VALUE(program, 1.0, 3.0);
    ASSERT_VALUE(program, 5.0, 6.0); // cut to the pass
    ASSERT_VALUE(program, -1.0, 2.0);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = 2000 * MS}); // a frame takes twice as long
    test_advance(i, 1500 * MS, 8, MS, NULL);
    ASSERT_SLOT(i, X, 5.0);
    zo_instance_free(i);
    zp_program_free(program);

    clip.flags = ZP_CLIP_OPEN;
    program = program_of(&def, &clip);
    ASSERT_VALUE(program, 5.0, 7.0);
    ASSERT_VALUE(program, -1.0, 1.0);
    ASSERT_VALUE(program, 1e300, 2.0); // no time at all is time 0
    zp_program_free(program);
    clip.flags |= ZP_CLIP_WRAPS;
    assert_false(zp_clip_supported(&clip));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_played_is_said_to_be_so),
        cmocka_unit_test(odd_times_are_cut_to_the_pass),
        cmocka_unit_test(odd_parameters_are_cut_to_their_limits),
        cmocka_unit_test(keys_have_their_own_values_to_the_bit),
        cmocka_unit_test(lerp_and_ease_are_these_expressions_and_no_others),
        cmocka_unit_test(each_interval_goes_its_own_way),
        cmocka_unit_test(wrapping_goes_on_to_the_first_key_of_the_next_pass),
        cmocka_unit_test(uniform_keys_stand_at_equal_distances),
        cmocka_unit_test(products_are_in_float),
        cmocka_unit_test(steps_are_counted_in_whole_nanoseconds),
        cmocka_unit_test(held_keys_and_events_are_one_instant_at_every_duration),
        cmocka_unit_test(held_in_nanoseconds_and_held_in_fractions_stay_apart),
        cmocka_unit_test(nearest_is_nearest),
        cmocka_unit_test(rounding_is_half_to_even),
        cmocka_unit_test(hermite_is_this_expression_and_no_other),
        cmocka_unit_test(keys_at_one_time_make_a_jump),
        cmocka_unit_test(held_straight_and_bent_intervals_stand_side_by_side),
        cmocka_unit_test(no_tangent_makes_a_value_that_is_none),
        cmocka_unit_test(inserted_keys_lie_between_the_cut_values),
        cmocka_unit_test(curves_together_give_what_each_gives_alone),
        cmocka_unit_test(halving_finds_the_key_that_counting_finds),
        cmocka_unit_test(angles_go_the_short_way),
        cmocka_unit_test(floats_stand_between_keys_at_any_times),
        cmocka_unit_test(what_is_too_large_for_a_float_keeps_the_key),
        cmocka_unit_test(turns_go_the_short_way_and_stay_turns),
        cmocka_unit_test(a_clip_that_wraps_does_so_at_any_time),
        cmocka_unit_test(times_in_frames_may_lie_outside_of_the_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
