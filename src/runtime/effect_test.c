// Bursts of particles: when there is none, how many, who lives how long, and that time may be cut anywhere.
#include "runtime/test_program.h"

// One target, one effect, and a clip of 100 ms that starts it at the given fractions.
static zp_program *burst_program(uint32_t burst_count, uint32_t alive_max, zp_range life_ms, uint32_t event_count,
                                 const double *at) {
    test_build t;
    test_open(&t);
    zp_build_target(t.b, &(zp_target){.compose = ZP_COMPOSE_TRS2, .slot_refs = {X + 1}});
    const uint32_t effect = test_effect(&t, 0, burst_count, alive_max, life_ms);
    const zp_clip clip = test_clip(ZP_REPEAT_ONCE, 100 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    LINE(&t, X, 0, 1);
    for (uint32_t i = 0; i < event_count; ++i) {
        test_event(&t, 100 * MS, at[i], ZP_ACTION_START_EFFECT, effect + 1, "puff");
    }
    zp_build_clip_end(t.b);
    zp_build_play(t.b, &(zp_play){.clip = 0});
    return test_close(&t);
}
#define BURSTS(burst_count, alive_max, low, high, ...) \
    burst_program(burst_count, alive_max, (zp_range){low, high}, (uint32_t)ZB_COUNT(((const double[]){__VA_ARGS__})), \
                  (const double[]){__VA_ARGS__})

static void close(zo_instance *i, zp_program *program) {
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_burst_of_none_is_told_to_nobody(void **state) {
    (void)state;
    zp_program *program = BURSTS(5, 12, 50, 50, 0.1);
    static const zo_instance_def off[] = {{.reduced_motion = true}, {.no_effects = true}};
    for (uint32_t k = 0; k < 2; ++k) {
        zo_instance *i = zo_instance_create(program, &off[k], NULL);
        EXPECT(i, 20 * MS, "0+1");
        assert_int_equal(zo_instance_particle_count(i), 0);
        assert_int_equal(zo_instance_dropped(i), 0); // nothing was to be made
        zo_instance_free(i);
    }
    zp_program_free(program);

    program = BURSTS(5, 5, 50, 50, 0.1, 0.2);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    EXPECT(i, 15 * MS, "0+1 10:1.puff*5");
    // The second finds no room. Without room for events either, nothing keeps the clock.
    const zo_step step = zo_instance_advance(i, 30 * MS, NULL, 0);
    assert_false(step.more);
    assert_int_equal(step.left_ns, 0);
    assert_int_equal(zo_instance_now_ns(i), 45 * MS);
    close(i, program);
}

static void only_what_is_left_is_let_go(void **state) {
    (void)state;
    zp_program *program = BURSTS(9, 20, 30, 30, 0, 0.1, 0.2, 0.3, 0.4);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    EXPECT(i, 25 * MS, "0+1 0:1.puff*9 10:1.puff*9 20:1.puff*2");
    assert_int_equal(zo_instance_particle_count(i), 20);
    EXPECT(i, 20 * MS, "30:1.puff*9 40:1.puff*9"); // those of 0 have died at 30 exactly, those of 10 at 40
    assert_int_equal(zo_instance_particle_count(i), 20);
    assert_int_equal(zo_instance_dropped(i), 0);
    close(i, program);

    program = BURSTS(100, 1000, 30, 30, 0); // of one burst no more than its largest
    i = zo_instance_create(program, NULL, NULL);
    EXPECT(i, 0, "0+1 0:1.puff*24");
    close(i, program);
}

static void what_has_no_room_in_the_instance_is_counted(void **state) {
    (void)state;
    zp_program *program = BURSTS(5, 100, 30, 30, 0, 0.1, 0.2, 0.5);
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.particle_capacity = 7}, NULL);
    EXPECT(i, 25 * MS, "0+1 0:1.puff*5 10:1.puff*2");
    assert_int_equal(zo_instance_dropped(i), 3 + 5);
    zo_instance_free(i);
    i = zo_instance_create(program, &(zo_instance_def){.effect_capacity = 2}, NULL);
    EXPECT(i, 60 * MS, "0+1 0:1.puff*5 10:1.puff*5 50:1.puff*5");
    assert_int_equal(zo_instance_dropped(i), 1); // the effect
    close(i, program);
}

static void a_particle_is_gone_when_its_life_is_over(void **state) {
    (void)state;
    zp_program *program = BURSTS(3, 12, 1, 3, 0);
    static const double list[] = {0,   0,   0,   0,    0,   0,   0,   0,    // red, small, round, to the right ...
                                  0.9, 0.5, 0.5, 0.25, 0.5, 0.5, 0.5, 0.5,  // blue, middling, rounded, down ...
                                  2,   1,   1,   1,    1,   1,   1,   1};
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.particle_list = list, .particle_count = 24}, NULL);
    test_advance(i, MS - 1, 8, MS, NULL);
    zo_particle p;
    assert_int_equal(zo_instance_particle_count(i), 3);
    assert_true(zo_instance_particle_at(i, 0, &p));
    assert_int_equal(p.age_ns, MS - 1);
    assert_int_equal(p.life_ns, MS);
    assert_true(p.turn < 0); // the coin fell below a half
    test_advance(i, 1, 8, MS, NULL);
    assert_int_equal(zo_instance_particle_count(i), 2);
    assert_true(zo_instance_particle_at(i, 0, &p)); // now it is the second: down, half its life over
    assert_int_equal(p.life_ns, 2 * MS);
    assert_true(p.x == 0 && p.y == 15 && p.turn == 0.5 * 135 && p.opacity == 1);
    assert_true(p.width == 6 && p.height == 12);
    assert_int_equal(p.target.id, 1);
    assert_int_equal(p.colour[2], 255);
    assert_int_equal(p.colour[3], 128);
    assert_string_equal(p.effect, "puff");
    assert_true(zo_instance_particle_at(i, 1, &p)); // numbers beyond 0..1 are cut to it, and 1 is the last choice
    assert_int_equal(p.life_ns, 3 * MS);
    assert_false(zo_instance_particle_at(i, 2, &p));
    test_advance(i, 2 * MS, 8, MS, NULL);
    assert_int_equal(i->effect_count, 0);
    assert_false(zo_instance_particle_at(i, 0, &p));
    close(i, program);
}

// The table is no longer than needed, and what a snapshot goes on to do is the same.
static void a_copy_goes_on_alike_and_calls_may_be_cut_anywhere(void **state) {
    (void)state;
    zp_program *program = BURSTS(7, 40, 5, 60, 0, 0.05, 0.11, 0.2, 0.35, 0.36, 0.8);
    zo_instance *whole = zo_instance_create(program, &(zo_instance_def){.seed = 11}, NULL);
    zo_instance *cut = zo_instance_create(program, &(zo_instance_def){.seed = 11}, NULL);
    uint64_t random = 5;
    for (int round = 0; round < 200; ++round) {
        const int64_t a_ns = test_below(&random, 700000), b_ns = test_below(&random, 700000);
        test_advance(whole, a_ns + b_ns, 8, MS, NULL);
        test_advance(cut, a_ns, 1, MS, NULL);
        test_advance(cut, b_ns, 2, MS, NULL);
        cut->allocator = whole->allocator;
        assert_memory_equal(cut, whole, whole->size);
        zo_particle p, q;
        for (uint32_t n = zo_instance_particle_count(whole); n-- > 0;) {
            memset(&p, 0, sizeof p);
            memset(&q, 0, sizeof q);
            assert_true(zo_instance_particle_at(whole, n, &p) && zo_instance_particle_at(cut, n, &q));
            assert_memory_equal(&p, &q, sizeof p);
            assert_true(p.age_ns >= 0 && p.age_ns < p.life_ns && p.life_ns >= 5 * MS && p.life_ns <= 60 * MS);
            assert_true(p.x * p.x + (p.y - 5) * (p.y - 5) <= 26 * 26);
        }
        if (round % 50 == 17) { memcpy(cut, whole, whole->size); }
    }
    zo_instance_free(cut);
    close(whole, program);
}

static void particles_stand_still_while_hidden(void **state) {
    (void)state;
    zp_program *program = BURSTS(4, 12, 50, 50, 0);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    test_advance(i, 20 * MS, 8, MS, NULL);
    zo_particle before, after;
    assert_true(zo_instance_particle_at(i, 2, &before));
    zr_set_hidden(i, true);
    test_advance(i, 1000 * MS, 8, MS, NULL);
    assert_true(zo_instance_particle_at(i, 2, &after));
    assert_true(after.age_ns == 20 * MS && after.x == before.x && after.turn == before.turn);
    zr_set_hidden(i, false);
    test_advance(i, 29 * MS, 8, MS, NULL);
    assert_int_equal(zo_instance_particle_count(i), 4);
    test_advance(i, MS, 8, MS, NULL);
    assert_int_equal(zo_instance_particle_count(i), 0);
    close(i, program);
}

// What one start draws does not depend on whether others made anything.
static void a_start_that_makes_nothing_takes_its_number(void **state) {
    (void)state;
    zp_program *program = BURSTS(3, 12, 30, 60, 0, 0.5);
    zo_instance *i = zo_instance_create(program, NULL, NULL), *k = zo_instance_create(program, NULL, NULL);
    k->no_effects = 1;
    test_advance(i, 40 * MS, 8, MS, NULL);
    test_advance(k, 40 * MS, 8, MS, NULL);
    k->no_effects = 0;
    test_advance(i, 30 * MS, 8, MS, NULL);
    test_advance(k, 30 * MS, 8, MS, NULL);
    assert_int_equal(zo_instance_particle_count(i), 3);
    assert_int_equal(zo_instance_particle_count(k), 3);
    zo_particle p, q;
    assert_true(zo_instance_particle_at(i, 1, &p) && zo_instance_particle_at(k, 1, &q));
    assert_true(p.x == q.x && p.y == q.y && p.life_ns == q.life_ns);
    zo_instance_free(k);
    close(i, program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_of_none_is_told_to_nobody),
        cmocka_unit_test(only_what_is_left_is_let_go),
        cmocka_unit_test(what_has_no_room_in_the_instance_is_counted),
        cmocka_unit_test(a_particle_is_gone_when_its_life_is_over),
        cmocka_unit_test(a_copy_goes_on_alike_and_calls_may_be_cut_anywhere),
        cmocka_unit_test(particles_stand_still_while_hidden),
        cmocka_unit_test(a_start_that_makes_nothing_takes_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
