// Targets: from channels to transforms, and the bit that says that a target is at rest.
#include "runtime/test_program.h"

// Two targets in a chain: the first moved by x and y, turned, scaled and faded; the second turned about its own pivot.
static zp_program *chain(zp_compose second) {
    test_build t;
    test_open(&t);
    zp_target target = {.compose = ZP_COMPOSE_TRS2, .pivot = {0.1, 0.7},
                        .slot_refs = {X + 1, Y + 1, TURN + 1, SCALE + 1, SCALE + 1, FADE + 1}};
    zp_build_target(t.b, &target);
    target = (zp_target){.parent_ref = 1, .compose = (uint32_t)second, .pivot = {10, 20}, .slot_refs = {0, 0, TURN + 1},
                         .constant = {1, 0, 0, 1, 2, 0.5}};
    zp_build_target(t.b, &target);
    zp_clip clip = test_clip(ZP_REPEAT_ONCE, 1000 * MS);
    zp_build_clip_begin(t.b, &clip, NOWHERE);
    LINE(&t, X, 0, 0.3, 4);
    LINE(&t, Y, 0, -7);
    LINE(&t, TURN, 0, 0, 90);
    LINE(&t, FADE, 1, 0.5);
    zp_build_clip_end(t.b);
    return test_close(&t);
}

static void apply(const zo_transform *t, double x, double y, double *to_x, double *to_y) {
    *to_x = t->m[0] * x + t->m[1] * y + t->m[3];
    *to_y = t->m[4] * x + t->m[5] * y + t->m[7];
}

static void a_new_pose_is_at_rest(void **state) {
    (void)state;
    zp_program *program = chain(ZP_COMPOSE_TRS2);
    zo_pose *pose = zo_pose_create(program, NULL);
    assert_int_equal(pose->slot_count, CHANNEL_COUNT);
    assert_int_equal(pose->target_count, 2);
    assert_true(pose->slots[SCALE] == 1 && pose->slots[PICTURE] == 1);
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    assert_memory_equal(pose->transforms[0].m, identity, sizeof identity); // no -0 and nothing left of the pivot
    assert_true(pose->transforms[0].opacity == 1 && pose->transforms[1].opacity == 0.5);
    assert_true(pose->at_rest[0] == 1 && pose->at_rest[1] == 1); // constants are always at rest
    zo_pose_free(pose);
    zp_program_free(program);
}

static void moving_is_exact_and_turning_is_about_the_pivot(void **state) {
    (void)state;
    zp_program *program = chain(ZP_COMPOSE_TRS2);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, clip_id(0), 0.5, NULL, pose);
    assert_true(pose->transforms[0].m[3] == 0.3 && pose->transforms[0].m[7] == -3.5);
    assert_true(pose->transforms[0].opacity == 0.75 && pose->transforms[1].opacity == 0.375);
    assert_true(pose->at_rest[0] == 0 && pose->at_rest[1] == 1); // of the node alone

    zo_clip_sample(program, clip_id(0), 1.0, NULL, pose);
    double x, y;
    apply(&pose->transforms[0], 0.1, 0.7, &x, &y); // the pivot is only moved
    assert_true(fabs(x - 4.1) < 1e-15 && fabs(y - -6.3) < 1e-15);
    apply(&pose->transforms[0], 1.1, 0.7, &x, &y); // right becomes down: clockwise
    assert_true(fabs(x - 4.1) < 1e-15 && fabs(y - -5.3) < 1e-15);
    assert_true(pose->transforms[0].m[0] == 0 && pose->transforms[0].m[4] == 1); // a right angle is exact
    // The child: T(10,20) T(1,0) R(90) S(1,2) T(-10,-20), then its parent.
    double child_x, child_y;
    apply(&pose->transforms[1], 10, 21, &child_x, &child_y);
    apply(&pose->transforms[0], 11 - 2, 20, &x, &y);
    assert_true(fabs(x - child_x) < 1e-13 && fabs(y - child_y) < 1e-13);
    assert_true(pose->at_rest[1] == 0);
    zo_pose_free(pose);
    zp_program_free(program);
}

static void a_target_of_no_rule_goes_with_its_parent(void **state) {
    (void)state;
    zp_program *program = chain(ZP_COMPOSE_NONE);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, clip_id(0), 0.8, NULL, pose);
    assert_memory_equal(&pose->transforms[0], &pose->transforms[1], sizeof *pose->transforms);
    zo_pose_free(pose);
    zp_program_free(program);
}

static void sampling_a_clip_leaves_the_rest_at_rest(void **state) {
    (void)state;
    zp_program *program = chain(ZP_COMPOSE_TRS2);
    zo_pose *pose = zo_pose_create(program, NULL);
    memset(pose->slots, 0xFF, CHANNEL_COUNT * sizeof(double)); // NaN
    zo_clip_sample(program, clip_id(0), 0, NULL, pose);
    assert_true(pose->slots[SCALE] == 1 && pose->slots[PICTURE] == 1);
    assert_true(pose->at_rest[0] == 1); // its first key is the rest value
    zo_pose_free(pose);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- in space

// A target with all its figures given, under another one.
static zp_program *in_space(zp_compose compose, const double *values, uint32_t count) {
    test_build t;
    test_open(&t);
    zp_target target = {.compose = ZP_COMPOSE_TRS3, .constant = {0, 0, 10, 0, 0, 0, 1, 1, 1, 1}};
    zp_build_target(t.b, &target);
    target = (zp_target){.parent_ref = 1, .compose = (uint32_t)compose};
    for (uint32_t i = 0; i < count; ++i) { target.constant[i] = values[i]; }
    zp_build_target(t.b, &target);
    return test_close(&t);
}

static void assert_rows(zp_program *program, const double *rows, bool at_rest) {
    zo_pose *pose = zo_pose_create(program, NULL);
    for (uint32_t i = 0; i < 12; ++i) {
        const double value = pose->transforms[1].m[i] - (i == 11 ? 10.0 : 0.0); // the parent's place
        if (!(fabs(value - rows[i]) < 1e-14)) { fail_msg("[%u] %.17g, not %.17g", i, value, rows[i]); }
    }
    assert_int_equal(pose->at_rest[1], at_rest);
    zo_pose_free(pose);
    zp_program_free(program);
}

static void turned_about_an_axis_and_an_origin(void **state) {
    (void)state;
    // offset, axis, angle, scale, origin
    static const double still[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5};
    assert_rows(in_space(ZP_COMPOSE_AXIS_ANGLE, still, 13), (const double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, true);
    static const double moved[] = {0.1, 0.2, 0.3, 0, 0, 0, 90, 1, 1, 1, 0.5, 0.5, 0.5}; // no axis, no turn
    assert_rows(in_space(ZP_COMPOSE_AXIS_ANGLE, moved, 13), (const double[]){1, 0, 0, 0.1, 0, 1, 0, 0.2, 0, 0, 1, 0.3},
                false);
    // z comes to x: right-handed about y, of which the length does not count; then x is twice as long from the start.
    static const double turned[] = {0, 0, 1, 0, 9, 0, 90, 2, 1, 1, 0.5, 0, 0.5};
    assert_rows(in_space(ZP_COMPOSE_AXIS_ANGLE, turned, 13), (const double[]){0, 0, 1, 0, 0, 1, 0, 0, -2, 0, 0, 2.5},
                false);
    static const double short_axis[] = {0, 0, 0, 9e-7, 0, 0, 45, 1, 1, 1, 3, 4, 5};
    assert_rows(in_space(ZP_COMPOSE_AXIS_ANGLE, short_axis, 13), (const double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                true);
    const double third = 1.0 / 3.0, two = 2.0 / 3.0;
    static const double slanted[] = {0, 0, 0, 1, 1, 1, 60, 1, 1, 1, 0, 0, 0};
    assert_rows(in_space(ZP_COMPOSE_AXIS_ANGLE, slanted, 13),
                (const double[]){two, -third, two, 0, two, two, -third, 0, -third, two, two, 0}, false);
}

static void placed_turned_and_scaled(void **state) {
    (void)state;
    static const double figures[] = {1, 2, 3, 0, 0, 5, 5, 2, 3, 4}; // a right angle about z, of any length
    assert_rows(in_space(ZP_COMPOSE_TRS3, figures, 10), (const double[]){0, -3, 0, 1, 2, 0, 0, 2, 0, 0, 4, 3}, true);
    static const double none[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
    assert_rows(in_space(ZP_COMPOSE_TRS3, none, 10), (const double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, true);
}

static void neutral_figures_leave_a_target_where_it_is(void **state) {
    (void)state;
    for (uint32_t compose = ZP_COMPOSE_AXIS_ANGLE; compose < ZP_COMPOSE_COUNT; ++compose) {
        double values[ZP_SLOT_COUNT];
        for (uint32_t i = 0; i < ZP_SLOT_COUNT; ++i) { values[i] = zp_slot_neutral(compose, i); }
        assert_rows(in_space((zp_compose)compose, values, ZP_SLOT_COUNT),
                    (const double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_pose_is_at_rest),
        cmocka_unit_test(moving_is_exact_and_turning_is_about_the_pivot),
        cmocka_unit_test(a_target_of_no_rule_goes_with_its_parent),
        cmocka_unit_test(sampling_a_clip_leaves_the_rest_at_rest),
        cmocka_unit_test(turned_about_an_axis_and_an_origin),
        cmocka_unit_test(placed_turned_and_scaled),
        cmocka_unit_test(neutral_figures_leave_a_target_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
