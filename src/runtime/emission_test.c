// Effects with emitters: hostile numbers first, then the promises - time may be cut at will, capacities hold, what is
// full drops, what dies makes room - and the kernels beside what they were settled to be.
#include "base/test_share.h"
#include "runtime/particles.h"
#include "runtime/test_program.h"

enum { WIDTH = 25, ROWS = 4 };

static uint32_t constant(test_build *t, double value) {
    return zp_build_minmax(t->b, &(zp_minmax){.constant_max = value}) + 1;
}
static uint32_t between(test_build *t, double low, double high) {
    return zp_build_minmax(t->b, &(zp_minmax){.mode = ZP_MINMAX_TWO_CONSTANTS, .constant_min = low, .constant_max = high}) + 1;
}

static zp_emitter still(int64_t duration_ns, int64_t end_ns) {
    return (zp_emitter){.particles_max = 1000, .duration_ns = duration_ns, .end_ns = end_ns,
                        .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale = {1, 1, 1}, .pull = {0, -9.81, 0}, .columns = 1,
                        .rows = 1};
}

static uint32_t effect_of(test_build *t, zp_effect_kind kind, const zp_emitter *emitter) {
    const double colours[] = {1, 0.5, 0.25, 1, 0, 0, 1, 0};
    const uint32_t count = kind == ZP_EFFECT_PARTICLES ? 0 : kind == ZP_EFFECT_TRAIL ? 2 : 1;
    return zp_build_effect(t->b, &(zp_effect){.motion = ZP_MOTION_INTEGRATED, .kind = kind, .colour_count = count,
                                              .colours = zp_build_numbers(t->b, colours, 4 * count),
                                              .emitter_ref = zp_build_emitter(t->b, emitter) + 1});
}

// A target that is moved by x and y, and turned.
static void feed_target(test_build *t) {
    zp_build_target(t->b, &(zp_target){.compose = ZP_COMPOSE_TRS2, .slot_refs = {X + 1, Y + 1, TURN + 1},
                                       .constant = {0, 0, 0, 1, 1, 1}});
}

// A clip in which the target moves, and which starts these effects, at `at` of it.
static uint32_t starter(test_build *t, zp_repeat repeat, int64_t duration_ns, const uint32_t *effects, uint32_t count,
                        double at) {
    zp_clip clip = test_clip(repeat, duration_ns);
    zp_build_clip_begin(t->b, &clip, NOWHERE);
    LINE(t, X, 0, 3, 1);
    LINE(t, Y, 0, -1, 2);
    LINE(t, TURN, 0, 90, 30);
    for (uint32_t i = 0; i < count; ++i) {
        zp_build_event(t->b, &(zp_event){.at = at, .at_ns = zr_nearest_ns(at * (double)duration_ns, duration_ns),
                                         .action = ZP_ACTION_START_EFFECT, .subject_ref = effects[i] + 1}, NOWHERE);
    }
    const uint32_t index = zp_build_clip_end(t->b);
    zp_build_play(t->b, &(zp_play){.clip = index});
    return index;
}

static zp_program *close_checked(test_build *t) {
    zp_program *program = test_close(t);
    const char *what = "";
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    return program;
}

static zo_instance *play(const zp_program *program, const zo_instance_def *def) {
    zo_instance *i = zo_instance_create(program, def, NULL);
    assert_non_null(i);
    return i;
}

static void go(zo_instance *i, int64_t ns) { test_advance(i, ns, 3, MS, NULL); }

// ---------------------------------------------------------------------------------------------------- by chance

static double any(uint64_t *r, double low, double high) { return low + test_unit(r) * (high - low); }

static uint32_t any_minmax(test_build *t, uint64_t *r, double low, double high) {
    double keys[4][ZP_KEY_COUNT], more[4][ZP_KEY_COUNT];
    const uint32_t count = test_below(r, 5);
    for (uint32_t k = 0; k < count; ++k) { // times may be equal
        keys[k][ZP_KEY_TIME] = more[k][ZP_KEY_TIME] = (double)(k / (1 + test_below(r, 2))) / 3;
        if (k > 0 && keys[k][ZP_KEY_TIME] < keys[k - 1][ZP_KEY_TIME]) {
            keys[k][ZP_KEY_TIME] = more[k][ZP_KEY_TIME] = keys[k - 1][ZP_KEY_TIME];
        }
        for (uint32_t c = ZP_KEY_VALUE; c < ZP_KEY_COUNT; ++c) {
            keys[k][c] = any(r, low, high);
            more[k][c] = any(r, low, high);
        }
    }
    zp_minmax m = {.mode = test_below(r, ZP_MINMAX_COUNT), .multiplier = 1, .constant_min = any(r, low, high),
                   .constant_max = any(r, low, high)};
    if (m.mode == ZP_MINMAX_CURVE || m.mode == ZP_MINMAX_TWO_CURVES) {
        m.max_count = count;
        m.max_keys = zp_build_numbers(t->b, &keys[0][0], count * ZP_KEY_COUNT);
    }
    if (m.mode == ZP_MINMAX_TWO_CURVES) {
        m.min_count = count;
        m.min_keys = zp_build_numbers(t->b, &more[0][0], count * ZP_KEY_COUNT);
    }
    return zp_build_minmax(t->b, &m) + 1;
}

static uint32_t maybe(test_build *t, uint64_t *r, double low, double high) {
    return test_below(r, 2) ? any_minmax(t, r, low, high) : 0;
}

static zp_emitter any_emitter(test_build *t, uint64_t *r, double scale) {
    zp_emitter e = still((int64_t)(1 + test_below(r, 700)) * MS + test_below(r, 1000),
                         test_below(r, 3) == 0 ? -1 : (int64_t)test_below(r, 3000) * MS);
    e.flags = test_below(r, 256);
    if (!(e.flags & ZP_EMITTER_ROW)) { e.flags &= ~(uint32_t)ZP_EMITTER_RANDOM_ROW; }
    e.particles_max = test_below(r, 60);
    for (uint32_t i = 0; i < 3; ++i) {
        e.place[i] = any(r, -scale, scale);
        e.scale[i] = any(r, -2, 2);
        e.velocity_refs[i] = maybe(t, r, -scale, scale);
        e.noise_refs[i] = maybe(t, r, -scale, scale);
    }
    e.birthplace = test_below(r, ZP_BIRTH_COUNT);
    e.radius = any(r, 0, scale);
    e.angle = any(r, 0, 90);
    e.start_count = test_below(r, 4);
    zp_burst bursts[3];
    e.burst_count = test_below(r, 4);
    for (uint32_t i = 0; i < e.burst_count; ++i) {
        bursts[i] = (zp_burst){.time = any(r, 0, 0.5), .interval = test_below(r, 3) * 0.05, .probability = any(r, 0.3, 1),
                               .count_min = test_below(r, 3), .count_max = 3 + test_below(r, 9),
                               .cycle_count = 1 + test_below(r, 5)};
    }
    e.first_burst = zp_build_bursts(t->b, bursts, e.burst_count);
    e.rate_ref = maybe(t, r, -20, 300);
    e.way_ref = maybe(t, r, -1, 20);
    e.life_ref = any_minmax(t, r, -0.1, 0.8);
    e.speed_ref = maybe(t, r, -scale, scale);
    e.size_ref = maybe(t, r, -scale, scale);
    e.gravity_ref = maybe(t, r, -1, 1);
    e.spin_ref = maybe(t, r, -9, 9);
    e.spin_axis = test_below(r, 3);
    e.size_refs[0] = maybe(t, r, -1, 2);
    e.size_refs[1] = maybe(t, r, -1, 2);
    e.scroll_ref = maybe(t, r, -1, 1);
    e.noise_dimensions = test_below(r, 4);
    e.noise_octaves = 1 + test_below(r, 4);
    e.noise_frequency = any(r, 0, 3);
    e.noise_gain = any(r, 0, 1);
    e.noise_lacunarity = any(r, 0, 3);
    e.columns = 1 + test_below(r, 4);
    e.rows = 1 + test_below(r, 4);
    e.row = test_below(r, e.rows);
    e.frame = test_below(r, e.columns);
    e.cycles = test_below(r, 5);
    e.frame_ref = maybe(t, r, -1, 2);
    e.start_ref = maybe(t, r, -1, 2);
    e.width = 0.2;
    e.apart = 0.02;
    e.point_ns = (int64_t)test_below(r, 300) * MS;
    return e;
}

static zp_program *any_program(uint64_t *r, double scale) {
    test_build t;
    test_open(&t);
    feed_target(&t);
    uint32_t effects[4];
    for (uint32_t i = 0; i < 4; ++i) {
        const zp_emitter emitter = any_emitter(&t, r, scale);
        effects[i] = effect_of(&t, i == 3 ? (zp_effect_kind)test_below(r, ZP_EFFECT_KIND_COUNT) : ZP_EFFECT_PARTICLES,
                               &emitter);
    }
    starter(&t, test_below(r, 2) ? ZP_REPEAT_LOOP : ZP_REPEAT_HOLD, (int64_t)(200 + test_below(r, 900)) * MS, effects, 4,
            test_below(r, 2) ? 0 : 0.3);
    return close_checked(&t);
}

static void assert_finite(const zo_instance *i) {
    zo_particle particles[64];
    uint32_t first = 0, count;
    do {
        count = zo_instance_particles(i, first, particles, 64);
        for (uint32_t k = 0; k < count; ++k) {
            const zo_particle *p = &particles[k];
            const double numbers[] = {p->x, p->y, p->z, p->vx, p->vy, p->vz, p->width, p->height, p->turn, p->rgba[0],
                                      p->rgba[1], p->rgba[2], p->rgba[3]};
            for (uint32_t n = 0; n < ZB_COUNT(numbers); ++n) { assert_true(zb_is_finite(numbers[n])); }
            assert_true(p->age_ns >= 0 && p->age_ns < p->life_ns);
        }
        first += count;
    } while (count == 64);
    assert_int_equal(first, zo_instance_particle_count(i));
}

// Equal but for where the block stands: no member points into it.
static void assert_same(const zo_instance *a, const zo_instance *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a, b, a->size);
}

static void time_may_be_cut_at_will(void **state) {
    (void)state;
    uint64_t r = 12345;
    for (uint32_t round = 0; round < 60; ++round) {
        zp_program *program = any_program(&r, 2);
        const zo_instance_def def = {.seed = test_random(&r), .effect_capacity = 1 + test_below(&r, 9),
                                     .particle_capacity = 1 + test_below(&r, 120), .point_capacity = 1 + test_below(&r, 20)};
        zo_instance *whole = play(program, &def), *cut = play(program, &def), *frames = play(program, &def);
        const int64_t end_ns = 2 * INT64_C(1000000000);
        go(whole, end_ns);
        for (int64_t at_ns = 0; at_ns < end_ns;) {
            static const int64_t steps_ns[] = {0, 1, 12345, 8333333, 16666667, 77000000};
            const int64_t step_ns = steps_ns[test_below(&r, ZB_COUNT(steps_ns))];
            go(cut, step_ns < end_ns - at_ns ? step_ns : end_ns - at_ns);
            at_ns = cut->now_ns;
            assert_finite(cut);
        }
        for (int64_t k = 1; frames->now_ns < end_ns; ++k) {
            const int64_t at_ns = (k * INT64_C(1000000000) + 143) / 144;
            go(frames, (at_ns < end_ns ? at_ns : end_ns) - frames->now_ns);
        }
        assert_same(whole, cut);
        assert_same(whole, frames);
        zo_instance_free(whole);
        zo_instance_free(cut);
        zo_instance_free(frames);
        zo_program_free(program);
    }
}

// 30, 60 and 144 a second and thirty seconds at once: the same particles.
static void emission_does_not_depend_on_the_frame_rate(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    feed_target(&t);
    zp_emitter e = still(700 * MS, -1);
    e.flags = ZP_EMITTER_LOOPS;
    e.rate_ref = between(&t, 20, 90);
    e.way_ref = constant(&t, 7);
    e.life_ref = between(&t, 0.2, 1.5);
    e.speed_ref = between(&t, 1, 2);
    e.gravity_ref = constant(&t, 0.5);
    e.velocity_refs[0] = between(&t, -1, 1);
    const zp_burst burst = {.time = 0.1, .interval = 0.13, .probability = 0.7, .count_min = 1, .count_max = 5, .cycle_count = 3};
    e.first_burst = zp_build_bursts(t.b, &burst, 1);
    e.burst_count = 1;
    zp_emitter trail = still(60000 * MS, 60200 * MS);
    trail.width = 1;
    trail.apart = 0.02;
    trail.point_ns = 200 * MS;
    const uint32_t effects[] = {effect_of(&t, ZP_EFFECT_PARTICLES, &e), effect_of(&t, ZP_EFFECT_TRAIL, &trail)};
    starter(&t, ZP_REPEAT_HOLD, 2000 * MS, effects, 2, 0);
    zp_program *program = close_checked(&t);
    zo_instance *once = play(program, NULL);
    go(once, INT64_C(30000000000));
    assert_true(zo_instance_particle_count(once) > 30);
    static const int64_t rates[] = {30, 60, 144};
    for (uint32_t k = 0; k < ZB_COUNT(rates); ++k) {
        zo_instance *i = play(program, NULL);
        for (int64_t frame = 1; frame <= 30 * rates[k]; ++frame) {
            go(i, (frame * INT64_C(1000000000) + rates[k] - 1) / rates[k] - i->now_ns);
        }
        assert_same(once, i);
        zo_instance_free(i);
    }
    zo_instance_free(once);
    zo_program_free(program);
}

static void numbers_at_the_ends_stay_numbers(void **state) {
    (void)state;
    uint64_t r = 77;
    for (uint32_t round = 0; round < test_share(20); ++round) {
        zp_program *program = any_program(&r, 1e9);
        zo_instance *i = play(program, &(zo_instance_def){.particle_capacity = 200});
        for (uint32_t k = 0; k < 20; ++k) {
            go(i, 70 * MS);
            assert_finite(i);
        }
        zo_instance_free(i);
        zo_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- capacities

static zo_instance *one(zp_program **program, const zp_emitter *emitter, const zo_instance_def *def, test_build *t) {
    const uint32_t effect = effect_of(t, ZP_EFFECT_PARTICLES, emitter);
    feed_target(t);
    starter(t, ZP_REPEAT_HOLD, 1000 * MS, &effect, 1, 0);
    *program = close_checked(t);
    return play(*program, def);
}

static void what_is_full_drops_and_a_death_makes_room(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_emitter e = still(10000 * MS, 20000 * MS);
    e.rate_ref = constant(&t, 100); // at 10, 20 ... ms
    e.life_ref = constant(&t, 0.05);
    zp_program *program;
    zo_instance *i = one(&program, &e, &(zo_instance_def){.particle_capacity = 3}, &t);
    go(i, 30 * MS);
    assert_int_equal(zo_instance_particle_count(i), 3);
    assert_int_equal(zo_instance_dropped(i), 0);
    go(i, 29 * MS); // those of 40 and 50 find no room
    assert_int_equal(zo_instance_particle_count(i), 3);
    assert_int_equal(zo_instance_dropped(i), 2);
    go(i, 1 * MS); // that of 60 does: the one of 10 dies then
    assert_int_equal(zo_instance_particle_count(i), 3);
    assert_int_equal(zo_instance_dropped(i), 2);
    zo_particle p;
    assert_true(zo_instance_particle_at(i, 2, &p));
    assert_int_equal(p.number, 5);
    assert_int_equal(p.age_ns, 0);
    zo_instance_free(i);
    zo_program_free(program);
}

// A tick has an end of births. What lies beyond it is counted, and has its numbers, however time is cut.
static void what_no_tick_can_bear_is_counted(void **state) {
    (void)state;
    for (uint32_t by_way = 0; by_way < 2; ++by_way) {
        test_build t;
        test_open(&t);
        zp_emitter e = still(10000 * MS, 20000 * MS);
        e.particles_max = 100000;
        // 120,000 births in the first tick; by the way too, on which the target moves one unit in it
        *(by_way ? &e.way_ref : &e.rate_ref) = constant(&t, by_way ? 120000.0 / (3.1622776601683795 / 120.0) : 120.0 * 120000.0);
        e.life_ref = constant(&t, 5);
        zp_program *program;
        zo_instance *i = one(&program, &e, &(zo_instance_def){.particle_capacity = 200000}, &t);
        go(i, 9 * MS);
        const uint64_t made = zo_instance_particle_count(i);
        const int64_t lost = 119999 - 65536; // the tick is a third of a nanosecond short
        zo_particle p;
        assert_true(zo_instance_particle_at(i, (uint32_t)made - 1, &p));
        if (by_way) { // the curve of the way ends somewhere near
            assert_int_equal(made, 65536);
            assert_true(zo_instance_dropped(i) > 0);
        } else { // some of the second tick are there
            assert_true(made > 65536);
            assert_int_equal(zo_instance_dropped(i), lost);
            assert_int_equal(p.number + 1, made + (uint64_t)lost);
        }
        zo_instance_free(i);
        zo_program_free(program);
    }
}

// Few of many live on, everywhere in the table: the table closes up, and order and count hold.
static void many_births_and_deaths_keep_order_and_count(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_emitter e = still(1000 * MS, -1);
    e.flags = ZP_EMITTER_LOOPS;
    e.particles_max = 400;
    e.rate_ref = constant(&t, 5000);
    const double keys[] = {0, 0.01, 0, 0, 1, 0.01, 0, 0}, long_keys[] = {0, 0.01, 0, 0, 1, 2, 0, 40};
    e.life_ref = zp_build_minmax(t.b, &(zp_minmax){.mode = ZP_MINMAX_TWO_CURVES, .multiplier = 1, .min_count = 2,
                                                   .max_count = 2, .min_keys = zp_build_numbers(t.b, keys, 8),
                                                   .max_keys = zp_build_numbers(t.b, long_keys, 8)}) + 1;
    zp_program *program;
    zo_instance *i = one(&program, &e, &(zo_instance_def){.particle_capacity = 300, .effect_capacity = 1}, &t);
    for (uint32_t k = 0; k < 300; ++k) {
        go(i, 11 * MS);
        zo_particle particles[512];
        const uint32_t count = zo_instance_particles(i, 0, particles, 512);
        assert_int_equal(count, zo_instance_particle_count(i));
        assert_true(count <= 300);
        for (uint32_t p = 1; p < count; ++p) { assert_true(particles[p - 1].number < particles[p].number); }
    }
    zo_instance_free(i);
    zo_program_free(program);
}

static void a_hundred_thousand_live_in_sixteen_megabytes(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_emitter e = still(1000 * MS, 90000 * MS);
    e.particles_max = 100000;
    e.rate_ref = constant(&t, 400000);
    e.life_ref = constant(&t, 60);
    zp_program *program;
    const zo_instance_def def = {.particle_capacity = 100000};
    zo_instance *i = one(&program, &e, &def, &t);
    assert_true(zo_instance_size(program, &def) < 16000000);
    go(i, 500 * MS);
    assert_int_equal(zo_instance_particle_count(i), 100000);
    zo_instance_free(i);
    zo_program_free(program);
}

static void what_is_left_ends_with_its_last_particle(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_emitter e = still(100 * MS, -1);
    e.flags = ZP_EMITTER_LOOPS;
    e.rate_ref = constant(&t, 100);
    e.life_ref = constant(&t, 0.25);
    zp_program *program;
    zo_instance *i = one(&program, &e, NULL, &t);
    go(i, 1000 * MS);
    assert_int_equal(zo_instance_particle_count(i), 25);
    zo_effect effect;
    assert_true(zo_instance_effect_at(i, 0, &effect));
    assert_true(effect.left_ns == INT64_MAX);
    assert_true(zo_instance_cancel(i, (zo_run){1}));
    assert_true(zo_instance_effect_at(i, 0, &effect));
    assert_true(effect.left_ns == 250 * MS);
    go(i, 249 * MS);
    assert_int_equal(zo_instance_particle_count(i), 1);
    go(i, 1 * MS);
    assert_int_equal(zo_instance_effect_count(i), 0);
    zo_instance_free(i);
    zo_program_free(program);
}

static void what_the_host_stops_fades(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    feed_target(&t);
    zp_emitter e = still(5000 * MS, 9000 * MS), trail = still(5000 * MS, 5300 * MS), light = still(5000 * MS, 5000 * MS);
    e.rate_ref = constant(&t, 100);
    e.life_ref = constant(&t, 0.25);
    trail.width = 1;
    trail.apart = 0.02;
    trail.point_ns = 300 * MS;
    light.radius = 1;
    const uint32_t effects[] = {effect_of(&t, ZP_EFFECT_PARTICLES, &e), effect_of(&t, ZP_EFFECT_TRAIL, &trail),
                                effect_of(&t, ZP_EFFECT_LIGHT, &light)};
    starter(&t, ZP_REPEAT_HOLD, 4000 * MS, effects, 3, 0);
    zp_program *program = close_checked(&t);
    zo_instance *i = play(program, NULL);
    go(i, 1000 * MS);
    for (uint32_t start = 0; start < 3; ++start) { assert_true(zo_instance_stop_effect(i, start)); }
    assert_false(zo_instance_stop_effect(i, 3));
    assert_int_equal(zo_instance_particle_count(i), 25);
    go(i, 0);
    assert_int_equal(zo_instance_effect_count(i), 2); // the light is out
    go(i, 249 * MS);
    assert_int_equal(zo_instance_particle_count(i), 1);
    go(i, 1 * MS);
    zo_effect effect;
    assert_true(zo_instance_effect_at(i, 0, &effect));
    assert_true(effect.kind == ZO_EFFECT_TRAIL && !effect.laying && effect.points > 0);
    go(i, 50 * MS);
    assert_int_equal(zo_instance_effect_count(i), 0);
    assert_false(zo_instance_stop_effect(i, 0));
    zo_instance_free(i);
    zo_program_free(program);
}

// While nobody sees it nothing moves; then it goes on where it was.
static void hidden_effects_stand_still(void **state) {
    (void)state;
    uint64_t r = 5;
    zp_program *program = any_program(&r, 2);
    zo_instance *seen = play(program, NULL), *hidden = play(program, NULL);
    go(seen, 700 * MS);
    go(hidden, 700 * MS);
    zo_instance_set_hidden(hidden, true);
    go(hidden, 12345 * MS);
    assert_int_equal(zo_instance_particle_count(seen), zo_instance_particle_count(hidden));
    zo_instance_set_hidden(hidden, false);
    go(seen, 300 * MS);
    go(hidden, 300 * MS);
    zo_particle a[64], b[64];
    const uint32_t count = zo_instance_particles(seen, 0, a, 64);
    assert_int_equal(zo_instance_particles(hidden, 0, b, 64), count);
    for (uint32_t k = 0; k < count; ++k) {
        assert_int_equal(a[k].number, b[k].number);
        assert_int_equal(a[k].age_ns, b[k].age_ns);
        assert_true(a[k].x == b[k].x && a[k].y == b[k].y);
    }
    zo_instance_free(seen);
    zo_instance_free(hidden);
    zo_program_free(program);
}

// A reload of the same program goes on as if there had been none.
static void a_reload_changes_nothing(void **state) {
    (void)state;
    uint64_t r = 99;
    for (uint32_t round = 0; round < 20; ++round) {
        zp_program *program = any_program(&r, 2);
        const zo_instance_def def = {.seed = 3};
        zo_instance *old = play(program, &def), *fresh = play(program, &def);
        go(old, 600 * MS);
        zo_instance_adopt(fresh, old, NULL, NULL);
        go(old, 500 * MS);
        go(fresh, 500 * MS);
        zo_particle a[256], b[256];
        const uint32_t count = zo_instance_particles(old, 0, a, 256);
        assert_int_equal(zo_instance_particles(fresh, 0, b, 256), count);
        for (uint32_t k = 0; k < count; ++k) {
            assert_int_equal(a[k].start, b[k].start);
            assert_int_equal(a[k].number, b[k].number);
            assert_true(a[k].x == b[k].x && a[k].y == b[k].y && a[k].turn == b[k].turn);
        }
        assert_int_equal(zo_instance_effect_count(old), zo_instance_effect_count(fresh));
        zo_instance_free(old);
        zo_instance_free(fresh);
        zo_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- kernels

static void ticks_are_a_hundred_and_twenty_a_second(void **state) {
    (void)state;
    for (uint64_t k = 0; k < 2000; ++k) { assert_true(zr_tick_ns(k) == (int64_t)(k * 1000000000 / 120)); }
    assert_true(zr_tick_ns(UINT64_C(120) * 4000000000) == INT64_C(4000000000) * 1000000000); // more than a century
}

static void assert_near(double got, double want) {
    if (!(got - want < 1e-11 && want - got < 1e-11)) { fail_msg("%.15g, not %.15g", got, want); }
}

static void noise_is_as_settled(void **state) {
    (void)state;
    assert_near(zr_lattice(0, 0, 0, 1), -0.518210750539);
    assert_near(zr_lattice(1, 0, 0, 1), -0.207046232652);
    assert_near(zr_lattice(-1, 2, 3, 1), -0.296020411421);
    assert_near(zr_lattice(5, -7, 11, 42), -0.979028713889);
    assert_near(zr_noise(0.5, 0.25, 0, 1), -0.367891974583);
    assert_near(zr_noise(1.75, -2.5, 0.125, 1), 0.252247565234);
    assert_near(zr_noise(0.5, 0, 0, 1), -0.362628491595);
    const zp_emitter e = {.noise_octaves = 3, .noise_gain = 0.5, .noise_lacunarity = 2};
    assert_near(zr_fractal(&e, (const double[]){0.3, 0.7, 0.1}, 5), -0.387627299801);
    assert_true(zr_noise(1e300, -1e300, 0, 1) == zr_noise(0, 0, 0, 1));
}

// What stands of an emitter without a pose is what a sample says, with runs that win and runs that mix.
static void a_target_alone_is_as_in_the_pose(void **state) {
    (void)state;
    uint64_t r = 31;
    for (uint32_t round = 0; round < 40; ++round) {
        test_build t;
        test_open(&t);
        feed_target(&t);
        const uint32_t group = zp_build_mix_group(t.b);
        for (uint32_t c = 0; c < 4; ++c) {
            zp_clip clip = test_clip(ZP_REPEAT_LOOP, (int64_t)(100 + test_below(&r, 500)) * MS);
            clip.mix_ref = test_below(&r, 2) ? group + 1 : 0;
            zp_build_clip_begin(t.b, &clip, NOWHERE);
            if (test_below(&r, 2)) { LINE(&t, X, any(&r, -5, 5), any(&r, -5, 5)); }
            if (test_below(&r, 2)) { LINE(&t, Y, any(&r, -5, 5), any(&r, -5, 5), 1); }
            LINE(&t, TURN, any(&r, -90, 90), any(&r, -90, 90));
            zp_build_clip_end(t.b);
            zp_build_play(t.b, &(zp_play){.clip = c});
        }
        zp_program *program = close_checked(&t);
        zo_instance *i = play(program, NULL);
        for (uint32_t k = 0; k < 8; ++k) {
            go(i, (int64_t)test_below(&r, 200) * MS);
            double v[ZP_SLOT_OPACITY];
            zr_target_values(i, &program->targets[0], v);
            assert_true(v[ZP_SLOT_X] == test_slot(i, X) && v[ZP_SLOT_Y] == test_slot(i, Y));
            assert_true(v[ZP_SLOT_ROTATION] == test_slot(i, TURN));
        }
        zo_instance_free(i);
        zo_program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_at_the_ends_stay_numbers),
        cmocka_unit_test(time_may_be_cut_at_will),
        cmocka_unit_test(emission_does_not_depend_on_the_frame_rate),
        cmocka_unit_test(what_is_full_drops_and_a_death_makes_room),
        cmocka_unit_test(what_no_tick_can_bear_is_counted),
        cmocka_unit_test(many_births_and_deaths_keep_order_and_count),
        cmocka_unit_test(a_hundred_thousand_live_in_sixteen_megabytes),
        cmocka_unit_test(what_is_left_ends_with_its_last_particle),
        cmocka_unit_test(what_the_host_stops_fades),
        cmocka_unit_test(hidden_effects_stand_still),
        cmocka_unit_test(a_reload_changes_nothing),
        cmocka_unit_test(ticks_are_a_hundred_and_twenty_a_second),
        cmocka_unit_test(noise_is_as_settled),
        cmocka_unit_test(a_target_alone_is_as_in_the_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
