// Skins: sums of bones by either rule, what is left out of them, and what each vertex is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include <zoetrope/mesh.h>

#include "program/build.h"
#include "runtime/runtime.h"

enum { TARGETS = 3 };

// A program of one mesh, whose one vertex has these weights: bone i is of target i, the last one from a rest that stood
// two units to the right.
static zp_program *make(zp_skin_rule rule, uint32_t flags, double least, const float *weights, uint32_t count) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_weight own[TARGETS];
    for (uint32_t i = 0; i < TARGETS; i++) {
        zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_NONE});
        zp_bone bone = {.target = i};
        if (i == TARGETS - 1) {
            bone = (zp_bone){.target = i, .flags = ZP_BONE_FROM_REST,
                             .inverse = {1, 0, 0, -2, 0, 1, 0, 0, 0, 0, 1, 0}};
        }
        own[i] = (zp_weight){.bone = zp_build_bone(build, &bone), .weight = i < count ? weights[i] : 0};
    }
    zp_build_mesh(build, &(zp_mesh){.rule = rule, .flags = flags, .least = least});
    zp_build_part(build, &(zp_part){.name = 0});
    zp_build_vertex(build, &(zp_vertex){.position = {1, 2, 3}, .first_weight = zp_build_weights(build, own, count),
                                        .weight_count = count});
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    assert_non_null(program);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    return program;
}

// Target 0 moved up by 4, target 1 at rest, target 2 moved by 3 to the right of where it rests.
static void skin(const zp_program *program, double m[12]) {
    zo_pose *pose = zo_pose_create(program, NULL);
    pose->transforms[0].m[7] = 4;
    pose->transforms[2].m[3] = 5;
    zo_pose_skin(program, pose, (zo_mesh){1}, 0, m);
    zo_pose_free(pose);
}

static void assert_moves(zp_skin_rule rule, uint32_t flags, double least, const float *weights, uint32_t count, double x,
                         double y) {
    zp_program *program = make(rule, flags, least, weights, count);
    double m[12];
    skin(program, m);
    const double expected[12] = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0};
    for (uint32_t i = 0; i < 12; i++) { assert_true(fabs(m[i] - expected[i]) < 1e-7); }
    zp_program_free(program);
}

static void what_no_bone_moves_stays(void **state) {
    (void)state;
    assert_moves(ZP_SKIN_AVERAGE, 0, 0, NULL, 0, 0, 0);
    assert_moves(ZP_SKIN_DISPLACE, 0, 0, NULL, 0, 0, 0);
}

static void averages_are_of_what_counts(void **state) {
    (void)state;
    assert_moves(ZP_SKIN_AVERAGE, 0, 0, (const float[]){1, 1}, 2, 0, 2);
    assert_moves(ZP_SKIN_AVERAGE, 0, 0, (const float[]){0.125f, 0.375f}, 2, 0, 1);
    assert_moves(ZP_SKIN_AVERAGE, 0, 0, (const float[]){1, 0, 1}, 3, 1.5, 2);
    // What is at rest is left out, its weight too: half of it moved is all of it moved.
    assert_moves(ZP_SKIN_AVERAGE, ZP_MESH_REST_LEFT_OUT, 0, (const float[]){0.5f, 0.5f}, 2, 0, 4);
    assert_moves(ZP_SKIN_AVERAGE, ZP_MESH_REST_LEFT_OUT, 0, (const float[]){0, 1}, 2, 0, 0);
}

static void a_sum_too_small_moves_nothing(void **state) {
    (void)state;
    assert_moves(ZP_SKIN_AVERAGE, 0, 0.25, (const float[]){0.25f}, 1, 0, 0);
    assert_moves(ZP_SKIN_AVERAGE, 0, 0.25, (const float[]){0.2500001f}, 1, 0, 4);
    assert_moves(ZP_SKIN_AVERAGE, 0, 0, (const float[]){1, -1}, 2, 0, 0);
    assert_moves(ZP_SKIN_AVERAGE, 0, 0, (const float[]){-1}, 1, 0, 0);
}

static void displacements_add_up(void **state) {
    (void)state;
    assert_moves(ZP_SKIN_DISPLACE, 0, 0, (const float[]){0.25f}, 1, 0, 1);       // a quarter of the way
    assert_moves(ZP_SKIN_DISPLACE, 0, 0, (const float[]){0.5f, 0.5f}, 2, 0, 2);  // what rests holds it back by nothing
    assert_moves(ZP_SKIN_DISPLACE, 0, 0, (const float[]){0.5f, 0, 0.5f}, 3, 1.5, 2);
    assert_moves(ZP_SKIN_DISPLACE, 0, 0, (const float[]){1, 0, 1}, 3, 1.5, 2);   // no more than all of it
    assert_moves(ZP_SKIN_DISPLACE, 0, 0, (const float[]){1, 3}, 2, 0, 1);
}

static void what_is_in_a_mesh_can_be_asked(void **state) {
    (void)state;
    zp_program *program = make(ZP_SKIN_AVERAGE, 0, 0, (const float[]){1}, 1);
    zo_mesh_info info;
    assert_int_equal(zo_mesh_count(program), 1);
    assert_true(zo_mesh_get(program, (zo_mesh){1}, &info));
    assert_false(zo_mesh_get(program, (zo_mesh){0}, &info));
    assert_false(zo_mesh_get(program, (zo_mesh){2}, &info));
    assert_int_equal(info.vertex_count, 1);
    assert_true(info.low[2] == 3.0 && info.high[0] == 1.0);
    assert_int_equal(zo_mesh_find(program, "").id, 1);
    assert_int_equal(zo_mesh_find(program, "none").id, 0);
    zo_mesh_vertex vertex;
    assert_true(zo_mesh_vertex_get(program, (zo_mesh){1}, 0, &vertex));
    assert_true(vertex.position[1] == 2.0);
    assert_false(zo_mesh_vertex_get(program, (zo_mesh){1}, 1, &vertex));
    uint32_t corners[3];
    zo_mesh_part part;
    assert_false(zo_mesh_triangle_get(program, (zo_mesh){1}, 0, corners));
    assert_true(zo_mesh_part_get(program, (zo_mesh){1}, 0, &part));
    assert_int_equal(part.vertex_count, 1);
    assert_int_equal(part.triangle_count, 0);
    assert_false(zo_mesh_part_get(program, (zo_mesh){1}, 1, &part));
    zp_program_free(program);
}

// A point that rests seven in front of where it is by itself, and that a clip takes from y = 1 to y = 6, in frames.
static void the_box_takes_in_what_clips_do(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_layer(build, &(zp_layer){.name = 0});
    zp_build_channel(build, &(zp_channel){.low = -HUGE_VAL, .high = HUGE_VAL});
    zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_TRS3, .slot_refs = {0, 1},
                                        .constant = {0, 0, 7, 0, 0, 0, 1, 1, 1, 1}});
    const double times[2] = {0, 20}, values[2] = {0, 5};
    for (uint32_t i = 0; i < 2; i++) { // the second waits for ever at rest
        zp_build_clip_begin(build, &(zp_clip){.time_unit = ZP_TIME_FRAMES, .frame_ns = 1000, .duration_ns = 20000,
                                              .duration_ns_min = 1, .duration_ns_max = 20000, .complete_ns = 20000},
                            (zp_span){0, 0});
        zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 2 - i,
                                              .times = times, .values = values});
        zp_build_clip_end(build);
    }
    const zp_weight weight = {.bone = zp_build_bone(build, &(zp_bone){.target = 0}), .weight = 1};
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    zp_build_part(build, &(zp_part){.name = 0});
    zp_build_vertex(build, &(zp_vertex){.position = {2, 1, -3}, .first_weight = zp_build_weights(build, &weight, 1),
                                        .weight_count = 1});
    zp_build_vertex(build, &(zp_vertex){.position = {4, 2, -3}}); // nothing moves it
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    zo_pose *pose = zo_pose_create(program, NULL);
    double box[6];
    assert_true(zo_program_box(program, pose, box));
    const double expected[6] = {2, 1, -3, 4, 6, 4};
    for (uint32_t i = 0; i < 6; i++) { assert_true(fabs(box[i] - expected[i]) < 1e-9); }
    zo_pose_free(pose);
    zp_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_bone_moves_stays),      cmocka_unit_test(averages_are_of_what_counts),
        cmocka_unit_test(a_sum_too_small_moves_nothing), cmocka_unit_test(displacements_add_up),
        cmocka_unit_test(what_is_in_a_mesh_can_be_asked), cmocka_unit_test(the_box_takes_in_what_clips_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
