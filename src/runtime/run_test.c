// Runs: when they begin and end, what they hold meanwhile, what is told and in which order. Odd uses first.
#include "runtime/test_program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static zo_instance *play(const zp_program *program, const zo_instance_def *def) {
    zo_instance *i = zo_instance_create(program, def, NULL);
    assert_non_null(i);
    return i;
}

static zo_run start(zo_instance *i, uint32_t clip) {
    const zo_run run = zo_instance_start(i, clip_id(clip), NULL);
    assert_int_not_equal(run.id, 0);
    return run;
}

// A program of one clip: a line on x from 10 to 20 unless `bare`, and events.
static zp_program *simple(zp_clip clip, bool bare, uint32_t event_count, const double *at) {
    test_build t;
    test_open(&t);
    test_simple(&t, clip, bare, event_count, at);
    return test_close(&t);
}

// ---------------------------------------------------------------------------------------------------- odd uses

static void memory_must_be_large_enough_and_aligned(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 0, NULL);
    _Alignas(16) static uint8_t memory[1 << 16];
    const size_t size = zo_instance_size(program, NULL), pose_size = zo_pose_size(program);
    assert_true(size % 16 == 0 && size < sizeof memory);
    assert_null(zo_instance_init(memory, size - 1, program, NULL));
    assert_null(zo_instance_init(memory + 8, size, program, NULL));
    assert_null(zo_instance_init(NULL, size, program, NULL));
    assert_non_null(zo_instance_init(memory, size, program, NULL));
    assert_null(zo_pose_init(memory, pose_size - 1, program));
    assert_null(zo_pose_init(memory + 8, pose_size, program));
    assert_non_null(zo_pose_init(memory, pose_size, program));
    const zo_instance_def huge = {.run_capacity = UINT32_MAX}; // cut to what is sensible
    assert_true(zo_instance_size(program, &huge) < 32u << 20);
    zo_instance_free(NULL);
    zo_pose_free(NULL);
    zp_program_free(program);
}

static void *no_memory(void *context, size_t size) {
    (void)context;
    (void)size;
    return NULL;
}
static void free_nothing(void *context, void *memory, size_t size) {
    (void)context;
    (void)memory;
    (void)size;
}

static void no_memory_gives_null(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 0, NULL);
    const zo_allocator none = {NULL, no_memory, free_nothing};
    assert_null(zo_instance_create(program, NULL, &none));
    assert_null(zo_pose_create(program, &none));
    zp_program_free(program);
}

static void going_back_in_time_is_a_bug_of_the_caller(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 0, NULL);
    zo_instance *i = play(program, NULL);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGILL, SIG_DFL); // cmocka would catch the trap and go on in the child
        signal(SIGTRAP, SIG_DFL);
        close(2);
        zo_event event;
        zo_instance_advance(i, -1, &event, 1);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void what_is_not_there_does_nothing(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 1, (const double[]){0.5});
    zo_instance *i = play(program, NULL);
    assert_int_equal(zo_instance_start(i, (zo_clip){0}, NULL).id, 0);
    assert_int_equal(zo_instance_start(i, (zo_clip){2}, NULL).id, 0);
    zo_run_def def = {.set_repeat = true, .repeat = ZO_REPEAT_ALTERNATE}; // it has events
    assert_int_equal(zo_instance_start(i, clip_id(0), &def).id, 0);
    def.repeat = (zo_repeat)9;
    assert_int_equal(zo_instance_start(i, clip_id(0), &def).id, 0);
    assert_false(zo_instance_cancel(i, (zo_run){0}));
    assert_false(zo_instance_cancel(i, (zo_run){7}));
    zo_instance_pause(i, (zo_run){7});
    zo_instance_resume(i, (zo_run){7});
    EXPECT(i, 1000 * MS, "");
    assert_int_equal(zo_instance_now_ns(i), 1000 * MS);
    zo_instance_free(i);
    zp_program_free(program);

    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    clip.flags = ZP_CLIP_NO_ALTERNATE;
    program = simple(clip, false, 0, NULL);
    i = play(program, NULL);
    def.repeat = ZO_REPEAT_ALTERNATE;
    assert_int_equal(zo_instance_start(i, clip_id(0), &def).id, 0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void the_clock_stops_long_before_it_overflows(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    test_simple(&t, test_clip(ZP_REPEAT_LOOP, 100 * MS), false, 0, NULL);
    test_simple(&t, test_clip(ZP_REPEAT_HOLD, 100 * MS), false, 0, NULL);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    start(i, 0);
    start(i, 1);
    EXPECT(i, INT64_MAX, "0+1 0+2");
    assert_true(zo_instance_now_ns(i) == ZR_CLOCK_NS_MAX);
    EXPECT(i, INT64_MAX, "");
    assert_true(zo_instance_now_ns(i) == ZR_CLOCK_NS_MAX);
    start(i, 0);
    EXPECT(i, INT64_MAX, "4611686018427~+3");
    assert_true(isfinite(test_slot(i, X)));
    zo_instance_free(i);
    zp_program_free(program);
}

static void nothing_spins(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_LOOP, 1), false, 1, (const double[]){0}); // 1 ns a pass
    zo_instance *i = play(program, NULL);
    start(i, 0);
    zo_event events[4];
    zo_step step = zo_instance_advance(i, 10 * MS, events, 4);
    assert_true(step.count == 4 && step.more && step.left_ns == 10 * MS - 3); // RUN_START took one place
    zo_instance_free(i);
    zp_program_free(program);

    // Silent passes: the call stops by itself, with nothing dropped.
    program = simple(test_clip(ZP_REPEAT_RANDOM_INTERVAL, 1), false, 0, NULL);
    i = play(program, &(zo_instance_def){.seed = 3});
    start(i, 0);
    step = zo_instance_advance(i, 10 * MS, events, 4);
    assert_true(step.count == 1);
    assert_true(step.left_ns > 0 && step.left_ns < 10 * MS);
    int64_t calls = 1;
    for (; step.left_ns > 0; ++calls) { step = zo_instance_advance(i, step.left_ns, events, 4); }
    assert_int_equal(calls, 10); // 2 ns and two boundaries a turn
    assert_int_equal(zo_instance_now_ns(i), 10 * MS);
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- repeat modes

static void once_plays_one_pass_and_lets_go(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 4, (const double[]){1, 0, 0.4, 0.4});
    zo_instance *i = play(program, NULL);
    start(i, 0);
    ASSERT_SLOT(i, X, 10.0);
    EXPECT(i, 0, "0+1 0:1.e1"); // what is due at the start comes with the first call
    EXPECT(i, 0, "");
    EXPECT(i, 40 * MS - 1, "");
    EXPECT(i, 1, "40:1.e2 40:1.e3");
    ASSERT_SLOT(i, X, 14.0);
    EXPECT(i, 60 * MS - 1, "");
    assert_int_equal(zo_instance_live_count(i), 1);
    EXPECT(i, 1, "100:1.e0 100-1"); // the event at the end, and then the end
    assert_int_equal(zo_instance_live_count(i), 0);
    ASSERT_SLOT(i, X, 0.0);
    EXPECT(i, 1000 * MS, "");
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_pass_that_holds_nothing_takes_no_time(void **state) {
    (void)state;
    const double at[] = {0, 0, 0.5};
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 80 * MS), true, 3, at);
    zo_instance *i = play(program, NULL);
    EXPECT(i, 5 * MS, "");
    start(i, 0);
    EXPECT(i, 0, "5+1 5:1.e0 5:1.e1 5-1"); // what is left behind the completion is not played
    // Asked to go on for ever it takes a sixtieth of a second a pass.
    const zo_run_def loop = {.set_repeat = true, .repeat = ZO_REPEAT_LOOP};
    zo_instance_start(i, clip_id(0), &loop);
    EXPECT(i, 0, "5+2 5:2.e0 5:2.e1");
    EXPECT(i, 16666665, "");
    EXPECT(i, 1, "21~:2.e0 21~:2.e1");
    EXPECT(i, 16666666, "38~:2.e0 38~:2.e1");
    zo_instance_free(i);
    zp_program_free(program);

    program = simple(test_clip(ZP_REPEAT_LOOP, 80 * MS), true, 0, NULL); // nothing to show and nothing to tell
    i = play(program, NULL);
    start(i, 0);
    EXPECT(i, 100 * MS, "0+1 0-1");
    zo_instance_free(i);
    zp_program_free(program);
}

static void loops_without_events_do_not_drift(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_LOOP, 1234567891), false, 0, NULL);
    zo_instance *i = play(program, NULL), *j = play(program, NULL);
    start(i, 0);
    start(j, 0);
    const int64_t hours_ns = INT64_C(72) * 3600 * 1000000000, frame_ns = 16670000;
    zo_event event;
    for (int64_t now = 0; now < hours_ns; now += frame_ns) {
        zo_instance_advance(i, now + frame_ns <= hours_ns ? frame_ns : hours_ns - now, &event, 1);
    }
    zo_instance_advance(j, hours_ns, &event, 1);
    assert_int_equal(zo_instance_now_ns(i), hours_ns);
    assert_memory_equal(i, j, i->size);
    const double expected = 10 + (20 - 10.0) * ((double)(hours_ns % 1234567891) / 1234567891);
    ASSERT_SLOT(i, X, expected);
    zo_instance_free(i);
    zo_instance_free(j);
    zp_program_free(program);
}

static void alternate_comes_back_the_way_it_went(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ALTERNATE, 1000), false, 0, NULL);
    zo_instance *there = play(program, NULL), *back = play(program, NULL);
    start(there, 0);
    start(back, 0);
    zo_event event;
    zo_instance_advance(back, 2000 * 1000000, &event, 1);
    ASSERT_SLOT(back, X, 10.0);
    zo_instance_advance(back, 1000, &event, 1);
    ASSERT_SLOT(back, X, 20.0); // the turn shows the end itself
    zo_instance_advance(there, 999, &event, 1);
    zo_instance_advance(back, 1, &event, 1);
    for (int64_t local = 999; local > 0; local -= 37) {
        const double shown = test_slot(back, X);
        zo_instance_free(there);
        there = play(program, NULL);
        start(there, 0);
        zo_instance_advance(there, local, &event, 1);
        ASSERT_SLOT(there, X, shown);
        zo_instance_advance(back, 37, &event, 1);
    }
    zo_instance_free(there);
    zo_instance_free(back);
    zp_program_free(program);
}

static void loops_with_events_tell_them_in_each_pass(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_LOOP, 10 * MS), false, 3, (const double[]){0, 0.5, 1});
    zo_instance *i = play(program, NULL);
    start(i, 0);
    EXPECT(i, 20 * MS, "0+1 0:1.e0 5:1.e1 10:1.e2 10:1.e0 15:1.e1 20:1.e2 20:1.e0");
    ASSERT_SLOT(i, X, 10.0);
    EXPECT(i, 6 * MS, "25:1.e1");
    ASSERT_SLOT(i, X, 16.0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void hold_stays_at_the_end(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_HOLD, 10 * MS), false, 1, (const double[]){1});
    zo_instance *i = play(program, NULL);
    const zo_run run = start(i, 0);
    EXPECT(i, 1000 * MS, "0+1 10:1.e0");
    ASSERT_SLOT(i, X, 20.0);
    assert_true(zo_instance_cancel(i, run));
    ASSERT_SLOT(i, X, 0.0);
    EXPECT(i, 0, "1000x1");
    zo_instance_free(i);
    zp_program_free(program);

    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 10 * MS);
    clip.complete_ns = -1; // never complete comes to the same
    program = simple(clip, false, 0, NULL);
    i = play(program, NULL);
    start(i, 0);
    EXPECT(i, 1000 * MS, "0+1");
    ASSERT_SLOT(i, X, 20.0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void what_is_behind_the_completion_is_not_played(void **state) {
    (void)state;
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    clip.complete_ns = 60 * MS;
    zp_program *program = simple(clip, false, 2, (const double[]){0.5, 0.8});
    zo_instance *i = play(program, NULL);
    start(i, 0);
    EXPECT(i, 60 * MS - 1, "0+1 50:1.e0");
    EXPECT(i, 100 * MS, "60-1");
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = 50 * MS}); // the completion shrinks with it
    EXPECT(i, 100 * MS, "159~+2 184~:2.e0 189~-2");
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- waits

static void random_interval_waits_first(void **state) {
    (void)state;
    zp_clip clip = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 10 * MS);
    clip.delay_min = 100;
    clip.delay_max = 200;
    zp_program *program = simple(clip, false, 2, (const double[]){0, 1});
    const double list[] = {0.5, 0, 0.999};
    zo_instance *i = play(program, &(zo_instance_def){.delay_list = list, .delay_count = 3});
    start(i, 0);
    EXPECT(i, 150 * MS - 1, "0+1");
    ASSERT_SLOT(i, X, 0.0); // a waiting run holds nothing
    EXPECT(i, 1, "150:1.e0");
    ASSERT_SLOT(i, X, 10.0);
    EXPECT(i, 10 * MS, "160:1.e1");
    ASSERT_SLOT(i, X, 0.0);
    EXPECT(i, 110 * MS, "260:1.e0 270:1.e1");
    EXPECT(i, 210 * MS, "469~:1.e0 479~:1.e1"); // 199.9
    EXPECT(i, 150 * MS, "629~:1.e0");           // the list from its start
    zo_instance_free(i);
    zp_program_free(program);
}

static void waits_are_rounded_down_and_at_least_one_nanosecond(void **state) {
    (void)state;
    zp_clip clip = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 10 * MS);
    clip.complete_ns = 0;
    clip.delay_min = 0.0000029; // 2.9 ns
    clip.delay_max = 0.0000029;
    zp_program *program = simple(clip, true, 1, (const double[]){0});
    zo_instance *i = play(program, NULL);
    start(i, 0);
    zo_event event[2];
    zo_instance_advance(i, 0, event, 1);
    zo_step step = zo_instance_advance(i, 1, event, 1);
    assert_int_equal(step.count, 0);
    step = zo_instance_advance(i, 1, event, 1);
    assert_int_equal(step.count, 1);
    zo_instance_free(i);
    i = play(program, NULL);
    const zo_run_def none = {.set_repeat = true, .repeat = ZO_REPEAT_RANDOM_INTERVAL, .delay_ms_min = (double)NAN,
                             .delay_ms_max = -5};
    zo_instance_start(i, clip_id(0), &none);
    zo_instance_advance(i, 0, event, 1);
    step = zo_instance_advance(i, 1, event, 2);
    assert_int_equal(step.count, 1);
    assert_int_equal(event[0].t_ns, 1);
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_wait_without_end_is_long_and_not_short(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 10 * MS), true, 1, (const double[]){0});
    for (uint32_t c = 0; c < 2; ++c) {
        zo_instance *i = play(program, NULL);
        const zo_run_def never = {.set_repeat = true, .repeat = ZO_REPEAT_RANDOM_INTERVAL,
                                  .delay_ms_min = c ? 1e308 : HUGE_VAL, .delay_ms_max = HUGE_VAL};
        zo_instance_start(i, clip_id(0), &never);
        zo_event events[4];
        const zo_step step = zo_instance_advance(i, 86400000 * MS, events, 4);
        assert_int_equal(step.count, 1); // its start, and no pass in a whole day
        assert_int_equal(step.left_ns, 0);
        zo_instance_free(i);
    }
    zp_program_free(program);
}

static void the_seed_decides_and_other_runs_do_not(void **state) {
    (void)state;
    zp_clip clip = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 10 * MS);
    clip.delay_min = 100;
    clip.delay_max = 10000;
    test_build t;
    test_open(&t);
    test_simple(&t, clip, false, 1, (const double[]){0});
    test_simple(&t, clip, false, 0, NULL);
    zp_program *program = test_close(&t);
    static test_log logs[4];
    for (uint32_t round = 0; round < 4; ++round) {
        zo_instance *i = play(program, &(zo_instance_def){.seed = round == 3 ? 8 : 7});
        start(i, 0);
        if (round == 1) { start(i, 1); } // has no events but RUN_START, and draws as well
        zo_event events[4];
        zo_instance_advance(i, 0, events, 4);
        logs[round] = (test_log){.size = 0};
        test_advance(i, 100000 * MS, 4, MS, &logs[round]);
        zo_instance_free(i);
    }
    assert_string_equal(logs[0].text, logs[1].text);
    assert_string_equal(logs[0].text, logs[2].text);
    assert_string_not_equal(logs[0].text, logs[3].text);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- pause

static void pausing_freezes_play_and_wait(void **state) {
    (void)state;
    zp_clip clip = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 100 * MS);
    clip.delay_min = 50;
    clip.delay_max = 50;
    zp_program *program = simple(clip, false, 1, (const double[]){0.5});
    zo_instance *i = play(program, NULL);
    const zo_run run = start(i, 0);
    EXPECT(i, 20 * MS + 3, "0+1");
    zo_instance_pause(i, run);
    zo_instance_pause(i, run); // twice is once
    EXPECT(i, 1000 * MS, "");
    zo_instance_resume(i, run);
    zo_instance_resume(i, run);
    EXPECT(i, 30 * MS - 4, "");
    ASSERT_SLOT(i, X, 0.0);
    EXPECT(i, 1, ""); // the wait's end
    ASSERT_SLOT(i, X, 10.0);
    EXPECT(i, 49 * MS, "");
    zo_instance_pause(i, run);
    const double shown = test_slot(i, X);
    EXPECT(i, 777 * MS, "");
    ASSERT_SLOT(i, X, shown); // layers keep their values
    zo_instance_resume(i, run);
    ASSERT_SLOT(i, X, shown);
    EXPECT(i, 1 * MS, "1877:1.e0");
    zo_instance_pause(i, run);
    assert_true(zo_instance_cancel(i, run));
    EXPECT(i, 0, "1877x1");
    zo_instance_free(i);
    zp_program_free(program);

    program = simple(test_clip(ZP_REPEAT_LOOP, 10 * MS), false, 0, NULL); // a loop that is one long stretch
    i = play(program, NULL);
    start(i, 0);
    EXPECT(i, 34 * MS, "0+1");
    zo_instance_pause(i, (zo_run){1});
    EXPECT(i, 123 * MS, "");
    zo_instance_resume(i, (zo_run){1});
    ASSERT_SLOT(i, X, 14.0);
    EXPECT(i, 1 * MS, "");
    ASSERT_SLOT(i, X, 15.0);
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- layers

static void the_newest_holds_a_layer_and_the_older_shows_again(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_HOLD, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE); // 0: x, fade and turn
    LINE(&t, X, 1, 1);
    LINE(&t, FADE, 0.5, 0.5);
    LINE(&t, TURN, 30, 30);
    zp_build_clip_end(t.b);
    clip = test_clip(ZP_REPEAT_ONCE, 50 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE); // 1: y alone
    LINE(&t, Y, 2, 2);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    start(i, 0);
    start(i, 1);
    EXPECT(i, 49 * MS, "0+1 0+2");
    ASSERT_SLOT(i, Y, 2.0);
    ASSERT_SLOT(i, X, 0.0); // it holds the whole layer: what it has no curve for is at rest
    ASSERT_SLOT(i, FADE, 1.0);
    ASSERT_SLOT(i, TURN, 30.0); // another layer
    EXPECT(i, 1 * MS, "50-2");
    ASSERT_SLOT(i, X, 1.0);
    ASSERT_SLOT(i, FADE, 0.5);
    ASSERT_SLOT(i, Y, 0.0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void passes_and_segments_are_installed_anew(void **state) {
    (void)state;
    for (uint32_t segmented = 0; segmented < 2; ++segmented) {
        test_build t;
        test_open(&t);
        zp_clip clip = test_clip(ZP_REPEAT_LOOP, 100 * MS);
        clip.flags = segmented ? ZP_CLIP_SEGMENTED : 0;
        test_simple(&t, clip, false, 2, (const double[]){0.5, 0.5});
        clip = test_clip(ZP_REPEAT_LOOP, 1000 * MS);
        zp_build_clip_begin(t.b, &clip, NOWHERE);
        LINE(&t, X, -1, -1);
        zp_build_clip_end(t.b);
        zp_program *program = test_close(&t);
        zo_instance *i = play(program, NULL);
        start(i, 0);
        start(i, 1);
        EXPECT(i, 50 * MS - 1, "0+1 0+2");
        ASSERT_SLOT(i, X, -1.0);
        zo_event events[4];
        zo_step step = zo_instance_advance(i, 1, events, 1); // the first of the two events of the cut
        assert_true(step.count == 1 && step.more);
        ASSERT_SLOT(i, X, -1.0);
        step = zo_instance_advance(i, step.left_ns, events, 1);
        assert_true(step.count == 1 && !step.more);
        ASSERT_SLOT(i, X, segmented ? 15.0 : -1.0);
        EXPECT(i, 50 * MS, "");
        ASSERT_SLOT(i, X, 10.0); // the next pass
        zo_instance_free(i);
        zp_program_free(program);
    }
}

static void an_event_at_the_end_cuts_nothing(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_HOLD, 100 * MS);
    clip.flags = ZP_CLIP_SEGMENTED;
    test_simple(&t, clip, false, 2, (const double[]){0, 1});
    zp_build_clip_begin(t.b, &(zp_clip){.repeat = ZP_REPEAT_HOLD, .duration_ns = 1, .complete_ns = 1}, NOWHERE);
    LINE(&t, X, -1, -1);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    start(i, 0);
    start(i, 1);
    EXPECT(i, 200 * MS, "0+1 0:1.e0 0+2 100:1.e1");
    ASSERT_SLOT(i, X, -1.0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_waiting_run_hides_nobody(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 10 * MS);
    clip.delay_min = clip.delay_max = 10;
    test_simple(&t, clip, false, 0, NULL);
    clip = test_clip(ZP_REPEAT_HOLD, 10 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    LINE(&t, X, -1, -1);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    start(i, 0);
    start(i, 1);
    EXPECT(i, 10 * MS, "0+1 0+2");
    ASSERT_SLOT(i, X, 10.0); // its wait's end has made it the newest
    EXPECT(i, 10 * MS, "");
    ASSERT_SLOT(i, X, -1.0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void what_replaces_in_a_group_is_the_newest_not_the_last(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_build_mix_group(t.b);
    for (uint32_t c = 0; c < 2; ++c) {
        zp_clip clip = test_clip(c ? ZP_REPEAT_HOLD : ZP_REPEAT_RANDOM_INTERVAL, 10 * MS);
        clip.delay_min = clip.delay_max = 10;
        clip.mix_ref = 1;
        zp_build_clip_begin(t.b, &clip, NOWHERE);
        LINE(&t, FADE, c ? 0.25 : 0.5);
        zp_build_clip_end(t.b);
    }
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    start(i, 0);
    start(i, 1);
    ASSERT_SLOT(i, FADE, 0.25);
    EXPECT(i, 10 * MS, "0+1 0+2");
    ASSERT_SLOT(i, FADE, 0.5); // started first, installed last
    zo_instance_free(i);
    zp_program_free(program);
}

static void runs_of_one_mix_group_combine(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    const uint32_t group = zp_build_mix_group(t.b);
    static const struct { int64_t ms; double x, scale, fade; zp_repeat repeat; } rows[] = {
        {1000, 3, 2, 0.25, ZP_REPEAT_HOLD}, {40, 4, 1.5, 0.75, ZP_REPEAT_ONCE}, {1000, -1, 0.5, 0.5, ZP_REPEAT_RANDOM_INTERVAL}};
    for (uint32_t c = 0; c < 3; ++c) {
        zp_clip clip = test_clip(rows[c].repeat, rows[c].ms * MS);
        clip.mix_ref = group + 1;
        clip.delay_min = clip.delay_max = 60;
        zp_build_clip_begin(t.b, &clip, NOWHERE);
        LINE(&t, X, rows[c].x, rows[c].x);
        LINE(&t, SCALE, rows[c].scale, rows[c].scale);
        LINE(&t, FADE, rows[c].fade, rows[c].fade);
        if (c == 0) { LINE(&t, TURN, 5, 5); }
        zp_build_clip_end(t.b);
    }
    zp_clip other = test_clip(ZP_REPEAT_HOLD, 1000 * MS);
    zp_build_clip_begin(t.b, &other, NOWHERE); // 3: in no group
    LINE(&t, X, 100, 100);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    for (uint32_t c = 0; c < 3; ++c) { start(i, c); }
    EXPECT(i, 0, "0+1 0+2 0+3");
    ASSERT_SLOT(i, X, 7.0); // offsets add
    ASSERT_SLOT(i, SCALE, 3.0); // factors multiply
    ASSERT_SLOT(i, FADE, 0.75); // the newest of those that are installed: the third waits
    ASSERT_SLOT(i, TURN, 5.0);
    EXPECT(i, 50 * MS, "40-2");
    ASSERT_SLOT(i, X, 3.0);
    start(i, 3);
    ASSERT_SLOT(i, X, 100.0); // newer than every member
    ASSERT_SLOT(i, SCALE, 1.0);
    ASSERT_SLOT(i, TURN, 5.0); // of this layer it wants nothing
    EXPECT(i, 10 * MS, "50+4");
    ASSERT_SLOT(i, X, 2.0); // the wait's end installs: the group is as new as its newest member
    ASSERT_SLOT(i, SCALE, 1.0);
    ASSERT_SLOT(i, FADE, 0.5);
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- overrides

static void durations_stretch_events_and_are_cut_to_what_is_allowed(void **state) {
    (void)state;
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    clip.duration_ns_min = 50 * MS;
    clip.duration_ns_max = 400 * MS;
    zp_program *program = simple(clip, false, 2, (const double[]){0.3, 1});
    zo_instance *i = play(program, NULL);
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = 200 * MS});
    EXPECT(i, 100 * MS, "0+1 60:1.e0");
    ASSERT_SLOT(i, X, 15.0);
    EXPECT(i, 100 * MS, "200:1.e1 200-1");
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = 1});
    EXPECT(i, 1000 * MS, "200+2 215:2.e0 250:2.e1 250-2");
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = INT64_MAX});
    EXPECT(i, 1000 * MS, "1200+3 1320:3.e0 1600:3.e1 1600-3");
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = -7});
    EXPECT(i, 1000 * MS, "2200+4 2215:4.e0 2250:4.e1 2250-4");
    zo_instance_free(i);
    zp_program_free(program);
}

static void clips_in_seconds_stretch_as_well(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 2000 * MS);
    clip.time_unit = ZP_TIME_SECONDS;
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    zp_build_curve(t.b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 2,
                                        .times = (const double[]){0.5, 1.5}, .values = (const double[]){0, 8}});
    zp_build_event(t.b, &(zp_event){.at = 0.5, .at_ns = 500 * MS, .name = zp_build_name(t.b, ZB_TEXT("half"))}, NOWHERE);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    start(i, 0);
    EXPECT(i, 1250 * MS, "0+1 500:1.half");
    ASSERT_SLOT(i, X, 6.0);
    zo_instance_cancel(i, (zo_run){1});
    zo_instance_start(i, clip_id(0), &(zo_run_def){.duration_ns = 4000 * MS});
    EXPECT(i, 2500 * MS, "1250x1 1250+2 2250:2.half");
    ASSERT_SLOT(i, X, 6.0);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, clip_id(0), 1.25, NULL, pose);
    assert_true(pose->slots[X] == 6.0);
    zo_clip_sample(program, clip_id(0), 99, NULL, pose);
    assert_true(pose->slots[X] == 8.0);
    zo_pose_free(pose);
    zo_instance_free(i);
    zp_program_free(program);
}

static void reduced_motion_plays_the_twin_with_the_clips_parameters(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    for (uint32_t c = 0; c < 2; ++c) {
        zp_clip clip = test_clip(ZP_REPEAT_ONCE, c ? 20 * MS : 100 * MS);
        zp_build_clip_begin(t.b, &clip, NOWHERE);
        zp_build_param(t.b, &(zp_param){.value = 1, .low = 0, .high = c ? 2 : 3}, NOWHERE);
        zp_build_curve(t.b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 1,
                                            .times = (const double[]){0}, .values = (const double[]){c ? 100 : 0},
                                            .scales = (const double[]){1}});
        zp_build_clip_end(t.b);
    }
    zp_build_reduced(t.b, 0, 1);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, &(zo_instance_def){.reduced_motion = true});
    start(i, 0);
    zo_event events[4];
    zo_step step = zo_instance_advance(i, 0, events, 4);
    assert_int_equal(step.count, 1);
    assert_int_equal(events[0].clip.id, 2);
    ASSERT_SLOT(i, X, 101.0);
    zo_instance_set_param(i, (zo_param){1}, 1.5); // the asked clip's
    ASSERT_SLOT(i, X, 101.0);                     // a run that has begun keeps its own
    EXPECT(i, 20 * MS, "20-1");
    start(i, 0);
    ASSERT_SLOT(i, X, 101.5);
    zo_instance_start(i, clip_id(0), &(zo_run_def){.params = (const double[]){9}, .param_count = 1});
    ASSERT_SLOT(i, X, 102.0); // cut to the twin's limits
    zo_instance_free(i);
    zp_program_free(program);
}

static void parameters_are_bound_at_the_start(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_HOLD, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    zp_build_param(t.b, &(zp_param){.value = 1, .low = -1, .high = 3}, NOWHERE);
    zp_build_curve(t.b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 1,
                                        .times = (const double[]){0}, .values = (const double[]){0},
                                        .scales = (const double[]){1}});
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    const zo_param p = {1};
    assert_true(zo_instance_param(i, p) == 1);
    zo_instance_set_param(i, p, (double)NAN);
    assert_true(zo_instance_param(i, p) == 1);
    zo_instance_set_param(i, p, (double)INFINITY);
    assert_true(zo_instance_param(i, p) == 3);
    zo_instance_set_param(i, p, 2);
    const zo_run first = start(i, 0);
    zo_instance_set_param(i, p, -5);
    ASSERT_SLOT(i, X, 2.0);
    start(i, 0);
    ASSERT_SLOT(i, X, -1.0);
    zo_instance_start(i, clip_id(0), &(zo_run_def){.params = (const double[]){(double)NAN}, .param_count = 1});
    ASSERT_SLOT(i, X, -1.0); // NaN is no number: the host's
    zo_instance_start(i, clip_id(0), &(zo_run_def){.params = (const double[]){0.5}, .param_count = 1});
    ASSERT_SLOT(i, X, 0.5);
    for (uint32_t id = first.id; id < first.id + 3; ++id) { zo_instance_cancel(i, (zo_run){id}); }
    ASSERT_SLOT(i, X, 0.5); // values move with their runs when others go
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- order, crowds

static void at_one_instant_events_then_ends_then_repeats(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    test_simple(&t, test_clip(ZP_REPEAT_LOOP, 100 * MS), false, 2, (const double[]){0, 1});  // 0
    test_simple(&t, test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 2, (const double[]){1, 1});  // 1
    test_simple(&t, test_clip(ZP_REPEAT_ONCE, 200 * MS), false, 1, (const double[]){0.5});   // 2
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    for (uint32_t c = 0; c < 3; ++c) { start(i, c); }
    EXPECT(i, 0, "0+1 0:1.e0 0+2 0+3"); // each as the first of its run's events
    EXPECT(i, 100 * MS, "100:1.e1 100:2.e0 100:2.e1 100:3.e0 100-2 100:1.e0");
    // An end comes before the next pass, and what the next pass brings before what is left of the instant.
    zo_instance_free(i);
    i = play(program, NULL);
    start(i, 1);
    start(i, 0);
    EXPECT(i, 100 * MS, "0+1 0+2 0:2.e0 100:1.e0 100:1.e1 100:2.e1 100-1 100:2.e0");
    zo_instance_free(i);
    zp_program_free(program);
}

static void the_oldest_run_makes_room(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_LOOP, 100 * MS), false, 0, NULL);
    zo_instance *i = play(program, &(zo_instance_def){.run_capacity = 2});
    start(i, 0);
    start(i, 0);
    EXPECT(i, 0, "0+1 0+2");
    start(i, 0);
    assert_int_equal(zo_instance_live_count(i), 2);
    EXPECT(i, 0, "0c1 0+3");
    for (uint32_t n = 0; n < 5; ++n) { start(i, 0); } // 4, 5, 6 are gone again before anybody heard of them
    assert_false(zo_instance_cancel(i, (zo_run){6}));
    EXPECT(i, 5 * MS, "0c2 0c3 0+7 0+8");
    assert_true(zo_instance_cancel(i, (zo_run){7}));
    assert_false(zo_instance_cancel(i, (zo_run){7}));
    EXPECT(i, 0, "5x7");
    start(i, 0);
    assert_true(zo_instance_cancel(i, (zo_run){9})); // never told of, so its end is not told of either
    EXPECT(i, 0, "");
    zo_instance_free(i);
    zp_program_free(program);
}

// First goes the oldest that others cover wholly: nobody sees that. What waits and what moves nothing is not covered, nor is
// a run that combines with the one on top, nor one that still holds a layer of several.
static void a_covered_run_makes_room_first(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    const zp_clip once = test_clip(ZP_REPEAT_ONCE, 1000 * MS);
    zp_build_clip_begin(t.b, &once, NOWHERE); // 0: layer 1
    LINE(&t, TURN, 1, 2);
    zp_build_clip_end(t.b);
    test_simple(&t, once, false, 0, NULL);    // 1: layer 0
    zp_build_clip_begin(t.b, &once, NOWHERE); // 2: both
    LINE(&t, X, 1, 2);
    LINE(&t, TURN, 1, 2);
    zp_build_clip_end(t.b);
    test_simple(&t, once, true, 1, (const double[]){0}); // 3: none; over at once
    zp_clip seldom = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 10 * MS);
    seldom.delay_min = seldom.delay_max = 900;
    test_simple(&t, seldom, false, 0, NULL);  // 4: layer 0, but at first it waits
    zp_build_mix_group(t.b);
    zp_clip mixed = once;
    mixed.mix_ref = 1;
    test_simple(&t, mixed, false, 0, NULL);   // 5: layer 0, with others of its kind
    zp_program *program = test_close(&t);

    zo_instance *i = play(program, &(zo_instance_def){.run_capacity = 4});
    start(i, 4); // 1: waits
    start(i, 0); // 2
    start(i, 1); // 3
    start(i, 1); // 4 covers 3
    EXPECT(i, 0, "0+1 0+2 0+3 0+4");
    start(i, 2); // 5 covers 2 and 4
    EXPECT(i, 0, "0c3 0+5");
    start(i, 1); // 6: of 5 the turn is still to be seen
    EXPECT(i, 0, "0c2 0+6");
    start(i, 0); // 7
    EXPECT(i, 0, "0c4 0+7");
    start(i, 5); // 8 covers 6; 5 is covered by 6 and 7 already
    EXPECT(i, 0, "0c5 0+8");
    start(i, 5); // 9 goes with 8
    EXPECT(i, 0, "0c6 0+9");
    start(i, 5); // 10: all are to be seen, or wait: the oldest
    EXPECT(i, 0, "0c1 0+10");
    zo_instance_free(i);
    zp_program_free(program);
}

static void after_a_cancel_no_event_comes(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 2, (const double[]){0.5, 0.5});
    zo_instance *i = play(program, NULL);
    const zo_run run = start(i, 0);
    zo_event events[2];
    const zo_step step = zo_instance_advance(i, 50 * MS, events, 2);
    assert_true(step.count == 2 && step.more && step.left_ns == 0); // the second event has been reached
    zo_instance_cancel(i, run);
    EXPECT(i, 1000 * MS, "50x1");
    zo_instance_free(i);
    zp_program_free(program);
}

static void an_array_of_no_size_loses_nothing(void **state) {
    (void)state;
    zp_program *program = simple(test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 1, (const double[]){0.5});
    zo_instance *i = play(program, NULL);
    zo_step step = zo_instance_advance(i, 10 * MS, NULL, 0);
    assert_true(step.count == 0 && !step.more && step.left_ns == 0); // nothing to tell
    start(i, 0);
    step = zo_instance_advance(i, 90 * MS, NULL, 0);
    assert_true(step.count == 0 && step.more && step.left_ns == 90 * MS);
    assert_int_equal(zo_instance_now_ns(i), 10 * MS);
    EXPECT(i, 10 * MS, "10+1");
    step = zo_instance_advance(i, 90 * MS, NULL, 0); // up to the event and no further
    assert_true(step.count == 0 && step.more && step.left_ns == 50 * MS);
    assert_int_equal(zo_instance_now_ns(i), 60 * MS);
    EXPECT(i, 50 * MS, "60:1.e0 110-1");
    zo_instance_free(i);
    zp_program_free(program);
}

// Two ways to the same state: nothing of the way is left in the bytes.
static void equal_states_are_equal_bytes(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    zp_build_param(t.b, &(zp_param){.value = 1, .low = 0, .high = 3}, NOWHERE);
    LINE(&t, X, 1, 2);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL), *j = play(program, NULL);
    zo_instance_start(i, clip_id(0), &(zo_run_def){.params = (const double[]){2}, .param_count = 1});
    zo_instance_start(j, clip_id(0), &(zo_run_def){.cel = {2}, .duration_ns = 300 * MS});
    EXPECT(i, 50 * MS, "0+1");
    EXPECT(j, 50 * MS, "0+1");
    zo_instance_pause(j, (zo_run){1});
    zo_instance_cancel(j, (zo_run){1});
    EXPECT(j, 50 * MS, "50x1");
    EXPECT(i, 50 * MS, "100-1");
    assert_memory_equal(i, j, i->size);
    zo_instance_free(i);
    zo_instance_free(j);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- cels

static void cels_are_named_given_or_next(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE); // 0: unnamed, then named
    LINE(&t, X, 0, 1);
    test_event(&t, 100 * MS, 0.5, ZP_ACTION_SHOW_CEL, 0, "");
    test_event(&t, 100 * MS, 0.7, ZP_ACTION_SHOW_CEL, 3, "");
    zp_build_clip_end(t.b);
    clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE); // 1: a curve of its own
    zp_build_curve(t.b, &(zp_curve_def){.arithmetic = ZP_ARITHMETIC_INDEX, .width = 1, .key_count = 2,
                                        .first_channel = PICTURE, .times = (const double[]){0, 0.5},
                                        .values = (const double[]){3, 2}, .instants = (const int64_t[]){0, 50 * MS}});
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    assert_int_equal(zo_instance_shown(i).id, 1); // the channel's rest value
    start(i, 0);
    EXPECT(i, 50 * MS, "0+1 50:1.="); // nobody said which: it stays
    assert_int_equal(zo_instance_shown(i).id, 1);
    EXPECT(i, 20 * MS, "70:1.=three");
    assert_int_equal(zo_instance_shown(i).id, 3);
    ASSERT_SLOT(i, PICTURE, 3.0);
    zo_instance_show(i, (zo_cel){0});
    ASSERT_SLOT(i, PICTURE, 0.0);
    zo_instance_show_next(i, (zo_cel){2});
    EXPECT(i, 30 * MS, "100-1");
    start(i, 0);
    EXPECT(i, 60 * MS, "100+2 150:2.=two");
    zo_instance_start(i, clip_id(0), &(zo_run_def){.cel = {1}});
    EXPECT(i, 50 * MS, "160+3 170:2.=three 200-2 210:3.=one");
    ASSERT_SLOT(i, PICTURE, 1.0);
    start(i, 1);
    ASSERT_SLOT(i, PICTURE, 3.0); // a curve that holds the layer decides
    EXPECT(i, 49 * MS, "210+4 230:3.=three");
    ASSERT_SLOT(i, PICTURE, 3.0);
    EXPECT(i, 1 * MS, "260-3");
    ASSERT_SLOT(i, PICTURE, 2.0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void plays_start_with_the_instance(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    LINE(&t, X, 0, 1);
    test_event(&t, 100 * MS, 0, ZP_ACTION_SHOW_CEL, 0, "");
    zp_build_clip_end(t.b);
    zp_build_play(t.b, &(zp_play){.clip = 0, .cel_ref = 2});
    zp_program *program = test_close(&t);
    zo_instance *i = play(program, NULL);
    EXPECT(i, 0, "0+1 0:1.=two");
    zo_instance_free(i);
    i = play(program, &(zo_instance_def){.idle = true});
    EXPECT(i, 0, "");
    assert_int_equal(zo_instance_shown(i).id, 1);
    start(i, 0);
    EXPECT(i, 0, "0+1 0:1.=two"); // what the program would have shown next
    zo_instance_free(i);
    zp_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_must_be_large_enough_and_aligned),
        cmocka_unit_test(no_memory_gives_null),
        cmocka_unit_test(going_back_in_time_is_a_bug_of_the_caller),
        cmocka_unit_test(what_is_not_there_does_nothing),
        cmocka_unit_test(the_clock_stops_long_before_it_overflows),
        cmocka_unit_test(nothing_spins),
        cmocka_unit_test(once_plays_one_pass_and_lets_go),
        cmocka_unit_test(a_pass_that_holds_nothing_takes_no_time),
        cmocka_unit_test(loops_without_events_do_not_drift),
        cmocka_unit_test(alternate_comes_back_the_way_it_went),
        cmocka_unit_test(loops_with_events_tell_them_in_each_pass),
        cmocka_unit_test(hold_stays_at_the_end),
        cmocka_unit_test(what_is_behind_the_completion_is_not_played),
        cmocka_unit_test(random_interval_waits_first),
        cmocka_unit_test(waits_are_rounded_down_and_at_least_one_nanosecond),
        cmocka_unit_test(a_wait_without_end_is_long_and_not_short),
        cmocka_unit_test(the_seed_decides_and_other_runs_do_not),
        cmocka_unit_test(pausing_freezes_play_and_wait),
        cmocka_unit_test(the_newest_holds_a_layer_and_the_older_shows_again),
        cmocka_unit_test(passes_and_segments_are_installed_anew),
        cmocka_unit_test(an_event_at_the_end_cuts_nothing),
        cmocka_unit_test(a_waiting_run_hides_nobody),
        cmocka_unit_test(what_replaces_in_a_group_is_the_newest_not_the_last),
        cmocka_unit_test(runs_of_one_mix_group_combine),
        cmocka_unit_test(durations_stretch_events_and_are_cut_to_what_is_allowed),
        cmocka_unit_test(clips_in_seconds_stretch_as_well),
        cmocka_unit_test(reduced_motion_plays_the_twin_with_the_clips_parameters),
        cmocka_unit_test(parameters_are_bound_at_the_start),
        cmocka_unit_test(at_one_instant_events_then_ends_then_repeats),
        cmocka_unit_test(the_oldest_run_makes_room),
        cmocka_unit_test(a_covered_run_makes_room_first),
        cmocka_unit_test(after_a_cancel_no_event_comes),
        cmocka_unit_test(an_array_of_no_size_loses_nothing),
        cmocka_unit_test(equal_states_are_equal_bytes),
        cmocka_unit_test(cels_are_named_given_or_next),
        cmocka_unit_test(plays_start_with_the_instance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
