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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_pose_is_at_rest),
        cmocka_unit_test(moving_is_exact_and_turning_is_about_the_pivot),
        cmocka_unit_test(a_target_of_no_rule_goes_with_its_parent),
        cmocka_unit_test(sampling_a_clip_leaves_the_rest_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
