// Armatures and the draft's animations: how samples become values and values a transform, which way round angles go, and
// what is said of joints and tracks that cannot be.
#include "formats/test_forge.h"

static zo_program *armature(const char *loop, const char *variables) {
    char text[2048];
    const size_t size = (size_t)snprintf(text, sizeof text, "{'joints': {'j': {'0': [1]}}, 'clips': {'c': {'loop': %s, "
                                         "'joint_clips': {'j': [%s]}, 'events': {}}}}", loop, variables);
    assert_in_range(size, 1, sizeof text - 1);
    return fg_program((const fg_file[]){{"a.json", text}, {NULL, NULL}}, NULL);
}

typedef struct matrix {
    double m[12];
} matrix;

static matrix at(const zo_program *program, double time) {
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, (zo_clip){1}, time, NULL, pose);
    const zo_target joint = zo_target_find(program, "j");
    assert_true(joint.id != 0);
    matrix out;
    memcpy(out.m, pose->transforms[joint.id - 1].m, sizeof out.m);
    zo_pose_free(pose);
    return out;
}

static double offset_at(const char *loop, const char *rest, double time) {
    char text[256];
    snprintf(text, sizeof text, "{'variable': 'offset_y', 'type': 'uniform', %s}", rest);
    zo_program *program = armature(loop, text);
    const matrix found = at(program, time);
    zo_program_free(program);
    return found.m[7];
}

static void every_clip_wraps_and_looping_adds_the_way_back(void **state) {
    (void)state;
    static const char samples[] = "'interpolation': 'linear', 'samples': [0, 1, 3]";
    fg_near(offset_at("false", samples, 0.25), 0.5);
    fg_near(offset_at("false", samples, 0.75), 2.0);
    fg_near(offset_at("false", samples, 1.0), 0.0); // the last sample is never reached
    fg_near(offset_at("false", samples, 1.25), 0.5);
    fg_near(offset_at("false", samples, -0.25), 2.0);
    fg_near(offset_at("true", samples, 0.5), 2.0);
    fg_near(offset_at("true", samples, 5.0 / 6.0), 1.5);
    fg_near(offset_at("true", samples, 1e18), 0.0); // far away is still somewhere
}

static void nearest_turns_over_in_the_middle(void **state) {
    (void)state;
    static const char samples[] = "'interpolation': 'nearest', 'samples': [0, 1, 3]";
    fg_near(offset_at("false", samples, 0.24), 0.0);
    fg_near(offset_at("false", samples, 0.25), 1.0);
    fg_near(offset_at("false", samples, 0.99), 3.0);
    fg_near(offset_at("true", samples, 0.9), 0.0);
    fg_near(offset_at("false", "'interpolation': 'nearest', 'samples': [2]", 0.7), 2.0);
    fg_near(offset_at("true", "'interpolation': 'linear', 'samples': [2]", 0.7), 2.0);
}

// Degrees about z, of what turns x towards y.
static double angle_at(const char *samples, double time) {
    char text[512];
    snprintf(text, sizeof text, "{'variable': 'axis_z', 'interpolation': 'nearest', 'samples': [5, 5]}, "
             "{'variable': 'angle', 'interpolation': 'linear', 'samples': [%s]}", samples);
    zo_program *program = armature("false", text);
    const matrix found = at(program, time);
    zo_program_free(program);
    fg_near(hypot(found.m[0], found.m[4]), 1.0); // an axis of any length turns and does not stretch
    return atan2(found.m[4], found.m[0]) * 180.0 / 3.14159265358979323846;
}

static void angles_go_the_short_way(void **state) {
    (void)state;
    assert_true(fabs(angle_at("0, 90", 0.5) - 45.0) < 1e-4);
    assert_true(fabs(angle_at("0, 270", 0.5) + 45.0) < 1e-4);
    assert_true(fabs(angle_at("350, 10", 0.5)) < 1e-4);
    assert_true(fabs(angle_at("0, 180", 0.5) + 90.0) < 1e-4); // half a turn goes backwards
    assert_true(fabs(angle_at("0, 360", 0.5)) < 1e-4);        // and a whole one not at all
    assert_true(fabs(angle_at("0, 120, 240", 0.75) - 180.0) < 1e-4 || fabs(angle_at("0, 120, 240", 0.75) + 180.0) < 1e-4);
}

static void everything_is_about_the_origin(void **state) {
    (void)state;
    static const char scale[] = "{'variable': 'scale', 'interpolation': 'nearest', 'samples': [2, 2]}";
    char text[512];
    zo_program *program = armature("false", scale);
    matrix found = at(program, 0.0);
    fg_near(found.m[0], 2.0);
    fg_near(found.m[3], -0.5); // the middle of the block stays
    zo_program_free(program);
    snprintf(text, sizeof text, "%s, {'variable': 'origin_x', 'interpolation': 'nearest', 'samples': [0, 0]}", scale);
    program = armature("false", text);
    found = at(program, 0.0);
    fg_near(found.m[3], 0.0);
    fg_near(found.m[7], -0.5);
    zo_program_free(program);
    // no axis: no turn
    program = armature("false", "{'variable': 'angle', 'interpolation': 'nearest', 'samples': [90, 90]}");
    found = at(program, 0.0);
    fg_near(found.m[0], 1.0);
    fg_near(found.m[3], 0.0);
    zo_program_free(program);
}

static void of_scales_the_later_one_counts(void **state) {
    (void)state;
    static const char *const one[2] = {"{'variable': 'scale', 'interpolation': 'nearest', 'samples': [2, 2]}",
                                       "{'variable': 'scale_x', 'interpolation': 'nearest', 'samples': [3, 3]}"};
    char text[512];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%s, %s", one[i], one[1 - i]);
        zo_program *program = armature("true", text);
        const matrix found = at(program, 0.5);
        fg_near(found.m[0], i == 0 ? 3.0 : 2.0);
        fg_near(found.m[5], 2.0);
        zo_program_free(program);
    }
}

static void broken_armatures_are_told_with_their_dialect(void **state) {
    (void)state;
    static const struct { const char *variable, *id, *words; } rows[] = {
        {"{'variable': 'offset_w', 'interpolation': 'linear', 'samples': [0, 1]}", "forge/unknown-variable", "armature"},
        {"{'variable': 'angle', 'interpolation': 'cubic', 'samples': [0, 1]}", "forge/unknown-interpolation", "cubic"},
        {"{'variable': 'angle', 'interpolation': 'linear', 'samples': []}", "forge/empty-samples", "armature"},
        {"{'variable': 'angle', 'interpolation': 'linear', 'samples': [1]}", "forge/one-sample-linear-no-loop", "armature"},
        {"{'variable': 'angle', 'interpolation': 'linear', 'samples': ['x', 1]}", "forge/wrong-type", "a number"},
        {"{'variable': 'angle', 'interpolation': 'linear'}", "forge/missing-key", "samples"},
        {"7", "forge/wrong-type", "7"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(text, sizeof text, "{'joints': {'j': {'0': [1]}}, 'clips': {'c': {'loop': false, 'joint_clips': {'j': [%s]}, 'events': "
                 "{}}}}", rows[i].variable);
        fg_expect((const fg_file[]){{"a.json", text}, {NULL, NULL}}, NULL, rows[i].id, rows[i].words);
    }
    fg_expect((const fg_file[]){{"a.json", "{'joints': {'j': {'x': [1]}}, 'clips': {}}"}, {NULL, NULL}}, NULL,
              "forge/bad-element-index", "x");
    fg_expect((const fg_file[]){{"a.json", "{'joints': {'j': {'0': []}}, 'clips': {}}"}, {NULL, NULL}}, NULL,
              "forge/empty-weights", "armature");
    fg_expect((const fg_file[]){{"a.json", "{'joints': {}, 'clips': {'c': {'loop': true, 'joint_clips': {}, 'events': {'soon': 'x'}}}}"},
                                {NULL, NULL}}, NULL, "forge/bad-event-time", "soon");
}

// ---------------------------------------------------------------------------------------------------------- the draft

static double draft_at(const char *loop, const char *track, const zo_compile_def *def, double time) {
    char text[1024];
    snprintf(text, sizeof text, "{'model': 'd:x', 'joints': [{'name': 'j', 'weights': {'0': [1, 1, 1, 1, 1, 1, 1, 1]}}], "
             "'clips': [{'name': 'c', 'loop': %s, 'tracks': [{'joint': 'j', 'parameter': 'y', %s}]}]}", loop, track);
    zo_program *program = fg_program((const fg_file[]){{"a.json", text}, {NULL, NULL}}, def);
    const matrix found = at(program, time);
    zo_program_free(program);
    return found.m[7];
}

static void pixels_are_sixteen_a_block(void **state) {
    (void)state;
    static const char uniform[] = "'type': 'uniform', 'interpolation': 'linear', 'samples': [0, 4, 8, 4]";
    static const char timed[] = "'type': 'samples', 'interpolation': 'linear', 'times': [0, 0.5], 'samples': [0, 8]";
    const double pixel = draft_at("true", uniform, NULL, 0.25) / 4.0;
    assert_true(fabs(pixel - 1.0 / 16.0) < 1e-6 || fabs(pixel - 1.0) < 1e-6);
    fg_near(draft_at("true", uniform, NULL, 0.5), 8.0 * pixel);
    fg_near(draft_at("true", timed, NULL, 0.25), 4.0 * pixel);
    fg_near(draft_at("true", timed, NULL, 0.75), 4.0 * pixel);  // on the way back
    fg_near(draft_at("false", timed, NULL, 0.75), 8.0 * pixel); // it holds
}

static void broken_animations_are_told_with_their_dialect(void **state) {
    (void)state;
    static const struct { const char *track, *id, *words; } rows[] = {
        {"'type': 'samples', 'interpolation': 'linear', 'times': [0], 'samples': [0, 1]", "forge/times-samples-mismatch", ""},
        {"'type': 'samples', 'interpolation': 'linear', 'times': [0.5, 0], 'samples': [0, 1]", "forge/times-not-ascending", ""},
        {"'type': 'samples', 'interpolation': 'linear', 'samples': [0, 1]", "forge/missing-key", "times"},
        {"'type': 'curve', 'interpolation': 'linear', 'samples': [0, 1]", "forge/unknown-type", "curve"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(text, sizeof text, "{'model': 'd:x', 'joints': [{'name': 'j', 'weights': {}}], 'clips': [{'name': 'c', "
                 "'tracks': [{'joint': 'j', 'parameter': 'y', %s}]}]}", rows[i].track);
        fg_expect((const fg_file[]){{"a.json", text}, {NULL, NULL}}, NULL, rows[i].id, rows[i].words);
    }
    fg_expect((const fg_file[]){{"a.json", "{'model': 'd:x', 'joints': [{'name': 'j', 'weights': {'0': [1, 1]}}], 'clips': []}"},
                                {NULL, NULL}}, NULL, "forge/weights-not-eight", "draft animation");
    fg_expect((const fg_file[]){{"a.json", "{'model': 'd:x', 'joints': [{'name': 'j', 'weights': {}}, {'name': 'j', "
                                           "'weights': {}}], 'clips': []}"}, {NULL, NULL}}, NULL,
              "forge/duplicate-name", "draft animation");
}

static void elements_that_the_model_lacks_are_told_of(void **state) {
    (void)state;
    static const char model[] = "{'textures': {}, 'elements': [{'from': [0, 0, 0], 'to': [1, 1, 1], 'faces': {}}, "
                                "{'from': [0, 0, 0], 'to': [1, 1, 1], 'faces': {}}]}";
    static const char armature[] = "{'joints': {'j': {'0': [1], '1': [1], '7': [1]}}, 'clips': {}}";
    zo_report *report = fg_compile((const fg_file[]){{"armatures/x.json", armature}, {"models/x.json", model}, {NULL, NULL}},
                                   NULL, NULL);
    const zo_diag *told = fg_diag(report, "forge/bad-element-index");
    assert_non_null(told);
    assert_non_null(strstr(told->message, "\"7\""));
    assert_non_null(strstr(told->hint, "the model has 2 of them"));
    assert_int_equal(zo_report_count(report), 2); // and the quotes
    zo_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_clip_wraps_and_looping_adds_the_way_back),
        cmocka_unit_test(nearest_turns_over_in_the_middle),
        cmocka_unit_test(angles_go_the_short_way),
        cmocka_unit_test(everything_is_about_the_origin),
        cmocka_unit_test(of_scales_the_later_one_counts),
        cmocka_unit_test(broken_armatures_are_told_with_their_dialect),
        cmocka_unit_test(pixels_are_sixteen_a_block),
        cmocka_unit_test(broken_animations_are_told_with_their_dialect),
        cmocka_unit_test(elements_that_the_model_lacks_are_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
