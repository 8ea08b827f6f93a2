// Parameters of both dialects: in which order and width they are worked out, what their parts see, what names mean, and
// what is said of those that cannot be worked out.
#include "formats/test_forge.h"

static const double not_finite = (double)INFINITY;

// A machine with these parameters, whose one clip is timed by p.
static zo_program *shipped(const char *parameters, const zo_compile_def *def) {
    char text[2048];
    const size_t size = (size_t)snprintf(text, sizeof text, "{'parameters': {%s}, 'clips': {'a': ['apply', '#identity', '#p']}, "
                              "'states': ['a'], 'transitions': {}, 'start_state': 'a'}", parameters);
    assert_in_range(size, 1, sizeof text - 1);
    return fg_program((const fg_file[]){{"m.json", text}, {NULL, NULL}}, def);
}

static double value_at(const zo_program *program, zo_expr expr, double x) {
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    const double value = zo_instance_expr(instance, expr, x, NULL);
    zo_instance_free(instance);
    return value;
}

static double p_at(const char *parameters, double x) {
    zo_program *program = shipped(parameters, NULL);
    const double value = value_at(program, zo_expr_find(program, "p"), x);
    zo_program_free(program);
    return value;
}

static void operators_run_from_left_to_right_on_what_was_put_in(void **state) {
    (void)state;
    fg_near(p_at("'p': ['+*', 1, 2]", 3.0), 8.0);                             // no precedence
    fg_near(p_at("'p': ['*-', '#identity', '#identity']", 3.0), 6.0);         // operands see x, not what has become of it
    fg_near(p_at("'p': ['compose', ['+', 1], ['*', 2]]", 3.0), 7.0);          // the second first
    fg_near(p_at("'p': ['*', ['compose', '#q', '#q']], 'q': ['+', 1]", 3.0), 15.0);
    fg_near(p_at("'p': ['+', 1, 2]", 3.0), 4.0);                              // what is over is left
    fg_near(p_at("'p': 6", -1e30), 6.0);
}

static void rounding_goes_by_floor_and_ceiling(void **state) {
    (void)state;
    static const struct { char op; double at_7, at_minus_7; } rows[] = {
        {'r', 6.0, -8.0}, {'R', 8.0, -6.0}, {'f', 1.0, 1.0}, {'F', 1.0, 1.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "'p': ['%c', 2]", rows[i].op);
        fg_near(p_at(text, 7.0), rows[i].at_7);
        fg_near(p_at(text, -7.0), rows[i].at_minus_7);
    }
}

static void figures_are_floats_and_nothing_traps(void **state) {
    (void)state;
    assert_true(p_at("'p': ['+', 0.1]", 0.2) == (double)(0.2f + 0.1f));
    assert_true(p_at("'p': ['*', 1e30]", 1e30) == not_finite);
    assert_true(p_at("'p': ['/', 0]", 1.0) == not_finite && p_at("'p': ['/', 0]", -1.0) == -not_finite);
    assert_true(isnan(p_at("'p': ['/m', 0, 1]", 0.0)) && isnan(p_at("'p': ['/M', 0, 1]", 0.0))); // if either is
    assert_true(signbit(p_at("'p': ['m', -0.0]", 0.0)) && !signbit(p_at("'p': ['M', -0.0]", 0.0)));
    assert_true(isnan(p_at("'p': ['f', 0]", 1.0)) && isnan(p_at("'p': ['r', 0]", 0.0)));
    // the product and the difference of f are doubles: of 16777217 thirds as a float nothing would be left
    assert_true(p_at("'p': ['f', 0.3]", 1000.0) == (double)(float)(1000.0 - floor((double)(1000.0f / 0.3f)) * (double)0.3f));
}

static void names_are_the_files_first_and_identity_is_always_itself(void **state) {
    (void)state;
    fg_near(p_at("'p': '#q', 'q': ['+', 1]", 3.0), 4.0);
    fg_near(p_at("'p': '#identity', 'identity': 5", 3.0), 3.0);
    fg_near(p_at("'p': 1, 'p': 2", 3.0), 2.0); // of two the last one
    zo_program *program = shipped("'p': ['*', '#k']", NULL);
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    const zo_expr p = zo_expr_find(program, "p");
    zo_fault fault;
    zo_instance_expr(instance, p, 3.0, &fault);
    assert_int_equal(fault, ZO_FAULT_UNRESOLVED_PARAM);
    const zo_param k = zo_param_find(program, "k");
    zo_instance_set_param(instance, k, 2.0);
    fg_near(zo_instance_expr(instance, p, 3.0, &fault), 6.0);
    assert_int_equal(fault, ZO_FAULT_NONE);
    zo_instance_set_param(instance, k, (double)NAN); // changes nothing
    zo_instance_set_param(instance, k, not_finite);
    fg_near(zo_instance_expr(instance, p, 3.0, &fault), 6.0);
    zo_instance_set_param_line(instance, k, 1.0, 2.0); // of the same x
    fg_near(zo_instance_expr(instance, p, 3.0, &fault), 21.0);
    zo_instance_set_param(instance, k, 1e308);         // beyond a float, and still no trap
    (void)zo_instance_expr(instance, p, 3.0, &fault);
    zo_instance_free(instance);
    zo_program_free(program);
}

static void what_cannot_be_worked_out_is_told_with_its_dialect(void **state) {
    (void)state;
    static const struct { const char *parameters, *id, *words; } rows[] = {
        {"'p': ['++', 1]", "forge/missing-operand", "shipped machine"},
        {"'p': ['compose', 1]", "forge/wrong-arity", "compose"},
        {"'p': ['compose', 1, 2, 3]", "forge/wrong-arity", "compose"},
        {"'p': ['%', 1]", "forge/unknown-parameter-kind", "%"},
        {"'p': 'q'", "forge/bad-reference", "q"},
        {"'p': {'rate': 1}", "forge/wrong-type", "shipped machine"},
        {"'p': null", "forge/wrong-type", "null"},
        {"'p': '#p'", "forge/reference-cycle", "p -> p"},
        {"'p': ['+', '#q'], 'q': ['compose', '#r', 1], 'r': '#p'", "forge/reference-cycle", " -> "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "{'parameters': {%s}, 'clips': {'a': ['apply', '#identity', '#p']}, 'states': ['a'], "
                 "'transitions': {}, 'start_state': 'a'}", rows[i].parameters);
        fg_expect((const fg_file[]){{"m.json", text}, {NULL, NULL}}, NULL, rows[i].id, rows[i].words);
    }
    // as Forge finds it: when it is come to
    const zo_compile_def late = {.late_faults = true};
    zo_program *program = shipped("'p': ['++', 1]", &late);
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    zo_fault fault;
    zo_instance_expr(instance, zo_expr_find(program, "p"), 1.0, &fault);
    assert_int_equal(fault, ZO_FAULT_MISSING_OPERAND);
    zo_instance_free(instance);
    zo_program_free(program);
}

// ---------------------------------------------------------------------------------------------------------- the draft

static const char animation[] = "{'model': 'd:x', 'joints': [{'name': 'j', 'weights': {}}], 'clips': [{'name': 'main', "
                                "'tracks': []}]}";

static zo_program *draft(const char *parameter, const zo_compile_def *def) {
    char text[2048];
    const size_t size = (size_t)snprintf(text, sizeof text, "{'animation': 'd:x', 'clips': {'a': [{'child': 'main', 'time': %s}]}, "
                              "'states': ['a'], 'transitions': {}}", parameter);
    assert_in_range(size, 1, sizeof text - 1);
    return fg_program((const fg_file[]){{"m.json", text}, {"animation/x.json", animation}, {NULL, NULL}}, def);
}

// The outermost is the last: each stands behind those that it asks.
static zo_expr outermost(const zo_program *program) { return (zo_expr){zo_expr_count(program)}; }

static double draft_at(const char *parameter, double x) {
    zo_program *program = draft(parameter, NULL);
    const double value = value_at(program, outermost(program), x);
    zo_program_free(program);
    return value;
}

static void timing_repeats_at_its_length_and_holds_once(void **state) {
    (void)state;
    fg_near(draft_at("{}", 2.0), 1.0);
    fg_near(draft_at("{}", -1.0), 0.0);
    fg_near(draft_at("{'rate': 2, 'length': 4, 'start': 1}", 2.0), 2.0);
    fg_near(draft_at("{'rate': 2, 'length': 4, 'start': 1}", 9.0), 4.0);
    static const char twice[] = "{'length': 4, 'count': 2}";
    fg_near(draft_at(twice, 7.0), 3.0);
    fg_near(draft_at(twice, 8.0), 0.0); // it snaps back
    fg_near(draft_at(twice, 1e300), 0.0);
    fg_near(draft_at("{'length': 4, 'count': 'infinity'}", -1.0), 3.0);
    fg_near(draft_at("{'length': 4, 'count': 'infinity', 'rate': -1}", 1.0), 3.0);
    fg_near(draft_at("{'length': 4, 'count': 1.5}", 5.0), 1.0); // a part of a pass
    const zo_compile_def letter = {.draft_repeat_letter = true};
    zo_program *program = draft(twice, &letter);
    fg_near(value_at(program, outermost(program), 7.0), 1.0);
    zo_program_free(program);
}

static void parts_of_timing_see_the_figures_that_stand_for_them(void **state) {
    (void)state;
    static const char line[] = "{'type': 'linear', 'weight': 3, 'offset': 1}";
    char text[256];
    snprintf(text, sizeof text, "{'length': 10, 'rate': %s}", line); // sees 1
    fg_near(draft_at(text, 0.5), 2.0);
    snprintf(text, sizeof text, "{'length': 10, 'start': %s}", line); // sees 0
    fg_near(draft_at(text, 5.0), 4.0);
    snprintf(text, sizeof text, "{'length': %s}", line);
    fg_near(draft_at(text, 100.0), 4.0);
    fg_near(draft_at("{'length': 10, 'rate': {'type': 'control', 'name': 'speed'}}", 3.0), 3.0); // 1 until it is set
}

static void curves_are_of_their_own_parameter(void **state) {
    (void)state;
    static const char flat[] = "{'type': 'bezier', 't_start': 0, 't_end': 1}";
    fg_near(draft_at(flat, 0.5), 0.5);
    fg_near(draft_at(flat, 0.25), 3.0 * 0.75 * 0.0625 + 0.015625);
    fg_near(draft_at(flat, -3.0), 0.0);
    fg_near(draft_at(flat, 4.0), 1.0);
    fg_near(draft_at("{'type': 'bezier', 't_start': 0, 't_end': 3}", 0.75), 3.0 * 0.25 * 0.5625 * 3.0 + 0.421875); // past 1
    fg_near(draft_at("{'type': 'linear', 'weight': -2, 'offset': 1}", 3.0), -5.0);
}

static void controls_hand_on_and_never_make_what_is_no_number(void **state) {
    (void)state;
    zo_program *program = draft("{'count': {'type': 'control', 'name': 'n'}, 'length': {'type': 'control', 'name': 'l'}}", NULL);
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    const zo_param n = zo_param_find(program, "n"), l = zo_param_find(program, "l");
    fg_near(zo_instance_expr(instance, outermost(program), 5.0, NULL), 1.0);
    static const double figures[] = {0.0, -0.0, -1.0, 1e308, -1e308, 4.9e-324, 0.5};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++) {
            zo_instance_set_param(instance, n, figures[i]);
            zo_instance_set_param(instance, l, figures[k]);
            const double value = zo_instance_expr(instance, outermost(program), 5.0, NULL);
            assert_true(!isnan(value));
            if (figures[k] <= 0.0) { fg_near(value, 0.0); }
        }
    }
    zo_instance_free(instance);
    zo_program_free(program);
}

static void what_the_draft_cannot_be_is_told(void **state) {
    (void)state;
    static const struct { const char *parameter, *id, *words; } rows[] = {
        {"{'count': 0}", "forge/count-not-positive", "draft machine"},
        {"{'length': -1}", "forge/length-not-positive", "draft machine"},
        {"{'count': 'forever'}", "forge/wrong-type", "forever"},
        {"{'type': 'sine'}", "forge/unknown-parameter-kind", "sine"},
        {"{'type': 'linear', 'weight': 1}", "forge/missing-key", "offset"},
        {"['+', 1]", "forge/wrong-type", "draft machine"}, // of the other dialect
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "{'animation': 'd:x', 'clips': {'a': [{'child': 'main', 'time': %s}]}, 'states': ['a'], "
                 "'transitions': {}}", rows[i].parameter);
        fg_expect((const fg_file[]){{"m.json", text}, {"animation/x.json", animation}, {NULL, NULL}}, NULL, rows[i].id,
                  rows[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_run_from_left_to_right_on_what_was_put_in),
        cmocka_unit_test(rounding_goes_by_floor_and_ceiling),
        cmocka_unit_test(figures_are_floats_and_nothing_traps),
        cmocka_unit_test(names_are_the_files_first_and_identity_is_always_itself),
        cmocka_unit_test(what_cannot_be_worked_out_is_told_with_its_dialect),
        cmocka_unit_test(timing_repeats_at_its_length_and_holds_once),
        cmocka_unit_test(parts_of_timing_see_the_figures_that_stand_for_them),
        cmocka_unit_test(curves_are_of_their_own_parameter),
        cmocka_unit_test(controls_hand_on_and_never_make_what_is_no_number),
        cmocka_unit_test(what_the_draft_cannot_be_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
