// What holds for every program: time may be cut anywhere and the array may be of any size, sampling only reads, nothing
// allocates. Programs, calls and cuts are random; the seeds are fixed, so a failure comes again.
#include "runtime/test_program.h"

// Random numbers are drawn in statements of their own: compilers evaluate arguments in orders of their own.
static void add_random_clip(test_build *t, uint64_t *random, uint32_t group_count) {
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

static zp_program *random_program(uint64_t *random, uint32_t *clip_count) {
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
    return test_close(&t);
}

// One of the host's wishes.
static void call(zo_instance *i, uint64_t *random, uint32_t clip_count, uint32_t param_count) {
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

static void assert_same_look(const zp_program *program, const zo_instance *a, const zo_instance *b) {
    zo_pose *p = zo_pose_create(program, NULL), *q = zo_pose_create(program, NULL);
    memset(q->slots, 0xA5, q->slot_count * sizeof *q->slots); // what was there before has no say
    memset(q->transforms, 0xA5, q->target_count * sizeof *q->transforms);
    memset(q->at_rest, 0xA5, q->target_count);
    memset(((zr_pose *)q)->scratch, 0xA5, q->slot_count * sizeof(double));
    zo_instance_sample(a, p);
    zo_instance_sample(b, q);
    zo_instance_sample(b, q);
    assert_memory_equal(p->slots, q->slots, p->slot_count * sizeof *p->slots);
    assert_memory_equal(p->transforms, q->transforms, p->target_count * sizeof *p->transforms);
    assert_memory_equal(p->at_rest, q->at_rest, p->target_count);
    zo_pose_free(p);
    zo_pose_free(q);
}

// The same program, seed and calls, with time cut in two ways and arrays of two sizes: the same words, the same bytes.
static void time_may_be_cut_anywhere(void **state) {
    (void)state;
    static test_log logs[2];
    uint64_t told = 0;
    for (uint64_t seed = 1; seed <= 1500; ++seed) {
        uint64_t random = seed * 0x9E3779B97F4A7C15u;
        uint32_t clip_count;
        zp_program *program = random_program(&random, &clip_count);
        const uint32_t param_count = zp_count(program, ZP_SECTION_PARAMS);
        zo_instance_def def = {.seed = seed, .run_capacity = 1 + test_below(&random, 6)};
        def.reduced_motion = test_below(&random, 3) == 0;
        zo_instance *whole = zo_instance_create(program, &def, NULL), *cut = zo_instance_create(program, &def, NULL);
        logs[0] = logs[1] = (test_log){.size = 0};
        for (uint32_t turn = 0; turn < 12; ++turn) {
            uint64_t copy = random;
            call(whole, &random, clip_count, param_count);
            call(cut, &copy, clip_count, param_count);
            const int64_t dt_ns = test_below(&random, 4) ? test_below(&random, 1u << 27) : test_below(&random, 12) * 10 * MS;
            test_advance(whole, dt_ns, 8, 1, &logs[0]);
            const uint32_t capacity = 1 + test_below(&random, 4);
            for (int64_t left = dt_ns; left >= 0;) {
                const int64_t part = test_below(&random, 3) ? test_below(&random, 1u << 25) : test_below(&random, 5) * 10 * MS;
                const int64_t step_ns = part < left ? part : left;
                zo_instance_advance(cut, 0, NULL, 0); // asking with no room changes nothing
                test_advance(cut, step_ns, capacity, 1, &logs[1]);
                if (left == 0 || left == step_ns) { break; }
                left -= step_ns;
            }
            assert_int_equal(whole->now_ns, cut->now_ns);
            assert_memory_equal(whole, cut, whole->size);
            assert_int_equal(logs[0].count, logs[1].count);
            assert_int_equal(logs[0].hash, logs[1].hash);
            assert_same_look(program, whole, cut);
        }
        told += logs[0].count;
        zo_instance_free(whole);
        zo_instance_free(cut);
        zp_program_free(program);
    }
    assert_true(told > 50000); // it was about something
}

static void events_fire_once_whatever_the_step(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_LOOP, 260 * MS);
    test_simple(&t, clip, false, 3, (const double[]){0, 0.4, 1});
    zp_program *program = test_close(&t);
    for (int64_t step_ns = 1000; step_ns <= 1000 * MS; step_ns = step_ns * 3 + 1) {
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        zo_instance_start(i, clip_id(0), NULL);
        uint32_t seen[3] = {0};
        for (int64_t now = 0; now < 1000 * MS; now += step_ns) {
            zo_step step = {.left_ns = now + step_ns <= 1000 * MS ? step_ns : 1000 * MS - now};
            do {
                zo_event events[2];
                step = zo_instance_advance(i, step.left_ns, events, 2);
                for (uint32_t e = 0; e < step.count; ++e) {
                    if (events[e].kind == ZO_EVENT_NOTIFY) { ++seen[events[e].index]; }
                }
            } while (step.more || step.left_ns > 0);
        }
        assert_int_equal(seen[0], 4); // at 0, 260, 520, 780
        assert_int_equal(seen[1], 4); // at 104, 364, 624, 884
        assert_int_equal(seen[2], 3);
        zo_instance_free(i);
    }
    zp_program_free(program);
}

// A snapshot is a copy, and it goes on as the original does.
static void a_copy_goes_on_alike(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        uint64_t random = seed * 0xD1342543DE82EF95u;
        uint32_t clip_count;
        zp_program *program = random_program(&random, &clip_count);
        zo_instance *i = zo_instance_create(program, &(zo_instance_def){.seed = seed}, NULL);
        for (uint32_t c = 0; c < clip_count; ++c) { zo_instance_start(i, clip_id(c), NULL); }
        test_advance(i, test_below(&random, 1u << 27), 3, 1, NULL);
        static _Alignas(16) uint8_t copy[1 << 16];
        assert_true(i->size <= sizeof copy);
        memcpy(copy, i, i->size);
        static test_log logs[2];
        logs[0] = logs[1] = (test_log){.size = 0};
        test_advance(i, 300 * MS, 8, 1, &logs[0]);
        test_advance((zo_instance *)(void *)copy, 300 * MS, 1, 1, &logs[1]);
        assert_int_equal(logs[0].count, logs[1].count);
        assert_int_equal(logs[0].hash, logs[1].hash);
        assert_memory_equal(i, copy, i->size);
        zo_instance_free(i);
        zp_program_free(program);
    }
}

typedef struct counter {
    uint32_t alive, calls;
} counter;
static void *counted_alloc(void *context, size_t size) {
    counter *c = context;
    ++c->alive;
    ++c->calls;
    return malloc(size);
}
static void counted_free(void *context, void *memory, size_t size) {
    (void)size;
    counter *c = context;
    --c->alive;
    free(memory);
}

static void playing_allocates_nothing(void **state) {
    (void)state;
    uint64_t random = 31337;
    uint32_t clip_count;
    zp_program *program = random_program(&random, &clip_count);
    counter count = {0};
    const zo_allocator allocator = {&count, counted_alloc, counted_free};
    zo_instance *i = zo_instance_create(program, NULL, &allocator);
    zo_pose *pose = zo_pose_create(program, &allocator);
    assert_int_equal(count.calls, 2);
    for (uint32_t turn = 0; turn < 1000; ++turn) {
        call(i, &random, clip_count, zp_count(program, ZP_SECTION_PARAMS));
        test_advance(i, test_below(&random, 1u << 24), 2, 1, NULL);
        zo_instance_sample(i, pose);
        zo_clip_sample(program, clip_id(test_below(&random, clip_count)), test_unit(&random), NULL, pose);
    }
    assert_int_equal(count.calls, 2);
    zo_pose_free(pose);
    zo_instance_free(i);
    assert_int_equal(count.alive, 0);
    zp_program_free(program);
}

// A run alone shows what its clip shows at its time.
static void instance_and_clip_sampling_agree(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        uint64_t random = seed * 0xA0761D6478BD642Fu;
        uint32_t clip_count;
        zp_program *program = random_program(&random, &clip_count);
        const zp_clip *clip = &program->clips[0];
        zo_instance *i = zo_instance_create(program, &(zo_instance_def){.idle = true}, NULL);
        const zo_run_def def = {.set_repeat = true, .repeat = ZO_REPEAT_HOLD};
        zo_instance_start(i, clip_id(0), &def);
        test_advance(i, test_below(&random, (uint32_t)clip->duration_ns), 8, 1, NULL);
        zo_pose *p = zo_pose_create(program, NULL), *q = zo_pose_create(program, NULL);
        zo_instance_sample(i, p);
        if (clip->complete_ns == clip->duration_ns) {
            const zr_moment at = zr_run_moment(i, zr_runs(i));
            zo_clip_sample(program, clip_id(0), at.time, NULL, q);
            p->slots[PICTURE] = q->slots[PICTURE]; // events are not applied there
            assert_memory_equal(p->slots, q->slots, p->slot_count * sizeof *p->slots);
            assert_memory_equal(p->transforms, q->transforms, p->target_count * sizeof *p->transforms);
        }
        zo_pose_free(p);
        zo_pose_free(q);
        zo_instance_free(i);
        zp_program_free(program);
    }
}

// One number for a hundred programs played and sampled: the same from every compiler, optimised or not.
static void the_bits_are_these(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        uint64_t random = seed * 0x9FB21C651E98DF25u;
        uint32_t clip_count;
        zp_program *program = random_program(&random, &clip_count);
        zo_instance *i = zo_instance_create(program, &(zo_instance_def){.seed = seed}, NULL);
        zo_pose *pose = zo_pose_create(program, NULL);
        for (uint32_t turn = 0; turn < 20; ++turn) {
            call(i, &random, clip_count, zp_count(program, ZP_SECTION_PARAMS));
            static test_log log;
            log = (test_log){.hash = hash};
            test_advance(i, test_below(&random, 1u << 26), 4, 1, &log);
            zo_instance_sample(i, pose);
            hash = zb_hash_bytes(pose->slots, pose->slot_count * sizeof *pose->slots, log.hash);
            hash = zb_hash_bytes(pose->transforms, pose->target_count * sizeof *pose->transforms, hash);
        }
        zo_pose_free(pose);
        zo_instance_free(i);
        zp_program_free(program);
    }
    assert_int_equal(hash, 0xa3119219b81b8afb);
}

// A stored program may be anybody's: with bytes changed and the hash made right again, it is refused or it plays.
static void what_the_validator_lets_through_can_be_played(void **state) {
    (void)state;
    uint64_t random = 2463534242u;
    uint32_t played = 0;
    for (uint32_t round = 0; round < 150; ++round) {
        uint32_t clip_count;
        zp_program *program = random_program(&random, &clip_count);
        uint8_t *blob = malloc(program->blob_size);
        for (uint32_t change = 0; change < 200; ++change) {
            memcpy(blob, program->blob, program->blob_size);
            for (uint32_t n = 1 + test_below(&random, 2); n > 0; --n) {
                const size_t at = sizeof(zp_header) + test_below(&random, (uint32_t)(program->blob_size - sizeof(zp_header)));
                const uint32_t bit = 1u << test_below(&random, 8);
                blob[at] = (uint8_t)(test_below(&random, 2) ? (uint32_t)test_below(&random, 256) : blob[at] ^ bit);
            }
            const uint64_t hash = zp_program_hash(blob);
            memcpy(blob + offsetof(zp_header, hash), &hash, sizeof hash);
            const char *what = NULL;
            if (!zp_program_check(blob, program->blob_size, &what)) { continue; }
            zp_program changed = {0};
            zp_program_view(&changed, blob, program->blob_size);
            zo_instance *i = zo_instance_create(&changed, NULL, NULL);
            zo_pose *pose = zo_pose_create(&changed, NULL);
            for (uint32_t c = 0; c < clip_count; ++c) { zo_instance_start(i, clip_id(c), NULL); }
            for (uint32_t turn = 0; turn < 4; ++turn) {
                zo_event events[8];
                const zo_step step = zo_instance_advance(i, turn * turn * turn * 50 * MS, events, 8);
                for (uint32_t e = 0; e < step.count; ++e) { assert_true(strlen(events[e].name) < program->blob_size); }
                zo_instance_sample(i, pose);
                zo_clip_sample(&changed, clip_id(turn % clip_count), test_unit(&random), NULL, pose);
            }
            ++played;
            zo_pose_free(pose);
            zo_instance_free(i);
        }
        free(blob);
        zp_program_free(program);
    }
    assert_true(played > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_may_be_cut_anywhere),
        cmocka_unit_test(events_fire_once_whatever_the_step),
        cmocka_unit_test(a_copy_goes_on_alike),
        cmocka_unit_test(playing_allocates_nothing),
        cmocka_unit_test(instance_and_clip_sampling_agree),
        cmocka_unit_test(the_bits_are_these),
        cmocka_unit_test(what_the_validator_lets_through_can_be_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
