// Programs and calls at random, for tests of what holds for all of them. The seeds are the test's, so a failure comes again.
// Only for *_test.c.
#ifndef ZR_TEST_RANDOM_H
#define ZR_TEST_RANDOM_H

#include "runtime/test_program.h"

// Random numbers are drawn in statements of their own: compilers evaluate arguments in orders of their own.
static inline void add_random_clip(test_build *t, uint64_t *random, uint32_t group_count) {
    const uint32_t event_count = test_below(random, 3) ? 0 : 1 + test_below(random, 4);
    zp_repeat repeat = (zp_repeat)test_below(random, ZP_REPEAT_COUNT);
    if (repeat == ZP_REPEAT_ALTERNATE && event_count > 0) { repeat = ZP_REPEAT_LOOP; }
    const bool coarse = test_below(random, 2); // whole tens of ms: many things fall on one instant
    zp_clip clip = test_clip(repeat, coarse ? (1 + test_below(random, 8)) * 10 * MS : MS + test_below(random, 1u << 27));
    const bool bare = test_below(random, 6) == 0;
    if (bare) { clip.complete_ns = 0; }
    clip.delay_min = 1 + test_below(random, 40);
    clip.delay_max = clip.delay_min + (coarse ? 0 : test_below(random, 40));
    clip.mix_ref = test_below(random, group_count + 1);
    clip.flags = test_below(random, 2) ? ZP_CLIP_SEGMENTED : 0;
    zp_build_clip_begin(t->b, &clip, NOWHERE);
    const uint32_t param_count = test_below(random, 3);
    for (uint32_t p = 0; p < param_count; ++p) {
        zp_build_param(t->b, &(zp_param){.value = 1, .low = 0, .high = 2}, NOWHERE);
    }
    for (uint32_t c = X; c <= TURN && !bare; ++c) {
        if (test_below(random, 2)) { continue; }
        const uint32_t count = 1 + test_below(random, 5);
        double times[5], values[5], scales[5];
        zp_interval intervals[5] = {{0}};
        for (uint32_t k = 0; k < count; ++k) {
            times[k] = ((double)k + test_unit(random)) / count;
            values[k] = 100 * test_unit(random) - 50;
            scales[k] = 10 * test_unit(random);
            intervals[k].interpolation = test_below(random, 2) ? ZP_INTERPOLATE_EASE : ZP_INTERPOLATE_LERP;
            if (intervals[k].interpolation == ZP_INTERPOLATE_EASE) {
                const double x1 = test_unit(random), y1 = 2 * test_unit(random), x2 = test_unit(random);
                intervals[k].argument = zp_build_easing(t->b, x1, y1, x2, 1);
            }
        }
        const bool is_scaled = param_count && test_below(random, 2);
        const uint32_t param = param_count ? test_below(random, param_count) : 0;
        zp_build_curve(t->b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 1, .first_channel = c,
                                             .key_count = count, .times = times, .intervals = intervals,
                                             .values = values, .scales = is_scaled ? scales : NULL, .param = param});
    }
    if (!bare && test_below(random, 4) == 0) {
        const int64_t instants[2] = {0, clip.duration_ns / 2};
        zp_build_curve(t->b, &(zp_curve_def){.arithmetic = ZP_ARITHMETIC_INDEX, .width = 1, .first_channel = PICTURE,
                                             .key_count = 2, .times = (const double[]){0, 0.5}, .instants = instants,
                                             .values = (const double[]){1 + test_below(random, 3), 2}});
    }
    for (uint32_t e = 0; e < event_count; ++e) {
        const double at = (double)test_below(random, 11) / 10;
        const bool is_cel = test_below(random, 2);
        if (bare) {
            test_event(t, 1, 0, ZP_ACTION_NOTIFY, 0, "bare");
        } else {
            test_event(t, clip.duration_ns, at, is_cel ? ZP_ACTION_SHOW_CEL : ZP_ACTION_START_EFFECT,
                       test_below(random, 4), "puff"); // there are three cels and three effects
        }
    }
    zp_build_clip_end(t->b);
}

enum { RANDOM_STATES = 4, RANDOM_SIGNALS = 5 }; // states "s0", "s1" in two groups; signals "t0", "t1"

static inline zp_name random_name(test_build *t, char letter, uint32_t number) {
    char text[16];
    snprintf(text, sizeof text, "%c%u", letter, number);
    return zp_build_name(t->b, zb_text(text));
}

static inline uint32_t random_later_play(test_build *t, uint64_t *random, uint32_t clip_count) { // 0: none
    if (test_below(random, 4) == 0) { return 0; }
    const uint32_t clip = test_below(random, clip_count);
    return zp_build_play(t->b, &(zp_play){.clip = clip, .flags = ZP_PLAY_LATER, .mix_ref = test_below(random, 3)}) + 1;
}

// A director of slots over four states.
static inline void random_director(test_build *t, uint64_t *random, uint32_t clip_count) {
    const uint32_t machine = zp_build_machine(t->b, &(zp_machine){.commit = ZP_COMMIT_AT_EVENT});
    for (uint32_t i = 0; i < RANDOM_STATES; ++i) {
        uint32_t lanes[2];
        lanes[0] = random_later_play(t, random, clip_count);
        lanes[1] = random_later_play(t, random, clip_count);
        const uint32_t lane_count = test_below(random, 3), cel_ref = test_below(random, 4);
        const uint32_t words = zp_build_words(t->b, lanes, lane_count);
        zp_build_state(t->b, &(zp_state){.name = random_name(t, 's', i), .group = random_name(t, 'g', i / 2),
                                         .activity = random_name(t, 'a', i), .cel_ref = cel_ref,
                                         .first_play = words, .play_count = lane_count});
        const uint32_t enter_ref = random_later_play(t, random, clip_count);
        if (test_below(random, 5)) { zp_build_edge(t->b, &(zp_edge){.to = i, .enter_ref = enter_ref}); }
    }
    zp_director director = {.machine = machine, .quiet_ns = 60 * MS, .patience_ns = 200 * MS};
    director.flags = test_below(random, 16);
    director.swap = test_below(random, ZP_SWAP_COUNT);
    director.swap_play_ref = random_later_play(t, random, clip_count);
    director.click_play_ref = random_later_play(t, random, clip_count);
    director.click_cel_ref = test_below(random, 4);
    zp_build_director(t->b, &director);
    for (uint32_t i = 0; i < RANDOM_STATES; ++i) {
        zp_slot slot = {.rank = test_below(random, 4), .fresh_ns = -1};
        if (i > 0 && test_below(random, 2)) { slot.flags = ZP_SLOT_ENDS; }
        if (test_below(random, 3) == 0) { slot.flags |= ZP_SLOT_OVERTAKES; }
        slot.hold_ns = test_below(random, 300) * MS;
        if (test_below(random, 2)) { slot.fresh_ns = test_below(random, 400) * MS; }
        zp_build_slot(t->b, &slot);
    }
    for (uint32_t i = 0; i < RANDOM_SIGNALS; ++i) {
        zp_build_signal(t->b, &(zp_signal){.type = random_name(t, 't', i), .activity = random_name(t, 'a', i),
                                           .state_ref = i < RANDOM_STATES ? i + 1 : 0});
    }
}

static inline zp_program *random_program_of(uint64_t *random, uint32_t *clip_count, bool has_states) {
    test_build t;
    test_open(&t);
    for (uint32_t i = 0; i < 2; ++i) { // a parent and its child
        zp_target target = {.parent_ref = i, .compose = ZP_COMPOSE_TRS2, .pivot = {0.1, 7},
                            .slot_refs = {X + 1, Y + 1, TURN + 1, SCALE + 1, SCALE + 1, FADE + 1}};
        zp_build_target(t.b, &target);
    }
    test_effect(&t, 0, 5, 300, (zp_range){20, 90});
    test_effect(&t, 1, 9, 30, (zp_range){1, 100});
    test_effect(&t, 1, 2, 300, (zp_range){0, 0});
    zp_build_mix_group(t.b);
    zp_build_mix_group(t.b);
    *clip_count = 1 + test_below(random, 6);
    for (uint32_t c = 0; c < *clip_count; ++c) { add_random_clip(&t, random, 2); }
    if (*clip_count > 2) { zp_build_reduced(t.b, 0, *clip_count - 1); }
    for (uint32_t p = test_below(random, 3); p > 0; --p) {
        const uint32_t clip = test_below(random, *clip_count), cel_ref = test_below(random, 4);
        zp_build_play(t.b, &(zp_play){.clip = clip, .cel_ref = cel_ref});
    }
    if (has_states) { random_director(&t, random, *clip_count); }
    return test_close(&t);
}

static inline zp_program *random_program(uint64_t *random, uint32_t *clip_count) {
    return random_program_of(random, clip_count, false);
}

// One of the host's wishes.
static inline void call(zo_instance *i, uint64_t *random, uint32_t clip_count, uint32_t param_count) {
    const zo_run run = {1 + test_below(random, 12)};
    switch (test_below(random, 8)) {
    case 0:
    case 1: {
        const double params[] = {2 * test_unit(random)};
        zo_run_def def = {.params = params, .param_count = test_below(random, 2)};
        def.cel.id = test_below(random, 4);
        if (test_below(random, 3) == 0) { def.duration_ns = MS + test_below(random, 1u << 28); }
        if (test_below(random, 3) == 0) {
            def.set_repeat = true;
            def.repeat = (zo_repeat)test_below(random, ZP_REPEAT_COUNT);
            def.delay_ms_min = def.delay_ms_max = 30;
        }
        zo_instance_start(i, clip_id(test_below(random, clip_count)), &def);
        break;
    }
    case 2: zo_instance_cancel(i, run); break;
    case 3: zo_instance_pause(i, run); break;
    case 4: zo_instance_resume(i, run); break;
    case 5: zo_instance_show(i, (zo_cel){test_below(random, 4)}); break;
    case 6: zo_instance_show_next(i, (zo_cel){test_below(random, 4)}); break;
    default:
        if (param_count) {
            const zo_param param = {1 + test_below(random, param_count)};
            zo_instance_set_param(i, param, 2 * test_unit(random));
        }
    }
}

#endif
