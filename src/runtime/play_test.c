// What holds for every program: time may be cut anywhere and the array may be of any size, sampling only reads, nothing
// allocates. Programs, calls and cuts are random; the seeds are fixed, so a failure comes again.
#include "base/test_share.h"
#include "runtime/test_random.h"

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
    for (uint64_t seed = 1; seed <= test_share(1500); ++seed) {
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
    assert_true(told > test_share(50000)); // it was about something
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
    for (uint32_t round = 0; round < test_share(150); ++round) {
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
    assert_true(played > test_share(1000));
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
