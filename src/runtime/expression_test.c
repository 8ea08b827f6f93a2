// Expressions: each operation by numbers worked out by hand, in both arithmetics, odd numbers, calls and their limits,
// and what hosts make of controls.
#include <float.h>

#include <zoetrope/zoetrope.h>

#include "runtime/test_program.h"

#define OPS(...) (const zp_op[]){__VA_ARGS__}, (uint32_t)ZB_COUNT(((const zp_op[]){__VA_ARGS__}))
#define X_ {ZP_OP_INPUT, 0}
static const double infinite = (double)INFINITY, no_number = (double)NAN;

static bool same(double a, double b) { return zb_is_nan(a) ? zb_is_nan(b) : a == b && signbit(a) == signbit(b); }

// The value of one operation on up to three numbers.
static double apply(uint32_t flags, zp_op op, uint32_t count, double a, double b, double c) {
    test_build t;
    test_open(&t);
    zp_op ops[4];
    const double numbers[3] = {a, b, c}; // one of them may be no number of a program's: it is the input
    uint32_t odd = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (zb_is_finite(numbers[i])) {
            ops[i] = (zp_op){ZP_OP_NUMBER, zp_build_numbers(t.b, &numbers[i], 1)};
        } else {
            ops[i] = (zp_op){ZP_OP_INPUT, 0};
            odd = i;
        }
    }
    ops[count] = op;
    const uint32_t ref = zp_build_expr(t.b, &(zp_expr){.flags = flags}, ops, count + 1);
    assert_int_equal(ref, 1);
    zp_program *program = test_close(&t);
    assert_true(zp_program_check(program->blob, program->blob_size, NULL));
    zp_fault fault = ZP_FAULT_NONE;
    const double value = zr_expr_value(program, NULL, 0, numbers[odd], &fault);
    assert_int_equal(fault, ZP_FAULT_NONE);
    zp_program_free(program);
    return value;
}

static void operations_are_those_of_the_text(void **state) {
    (void)state;
    static const struct { zp_op_code code; uint32_t argument; double a, b, c, value; } rows[] = {
        {ZP_OP_ADD, 0, 1.5, 2.25, 0, 3.75}, {ZP_OP_SUB, 0, 1.5, 2.25, 0, -0.75}, {ZP_OP_MUL, 0, 1.5, -2, 0, -3},
        {ZP_OP_DIV, 0, 3, -4, 0, -0.75}, {ZP_OP_MIN, 0, 3, -4, 0, -4}, {ZP_OP_MAX, 0, 3, -4, 0, 3},
        {ZP_OP_MIN, 0, 0.0, -0.0, 0, -0.0}, {ZP_OP_MIN, 0, -0.0, 0.0, 0, -0.0}, {ZP_OP_MAX, 0, -0.0, 0.0, 0, 0.0},
        {ZP_OP_ROUND_DOWN, 0, 7, 2, 0, 6}, {ZP_OP_ROUND_DOWN, 0, -7, 2, 0, -8}, {ZP_OP_ROUND_UP, 0, 7, 2, 0, 8},
        {ZP_OP_ROUND_DOWN, 0, 7, -2, 0, 8}, // floor(-3.5) * -2
        {ZP_OP_REST_UP, 0, 7, 2, 0, 1}, {ZP_OP_REST_UP, 0, -7, 2, 0, 1}, {ZP_OP_REST_DOWN, 0, 7, 2, 0, 1},
        {ZP_OP_CLAMP, 0, 5, 0, 4, 4}, {ZP_OP_CLAMP, 0, -5, 0, 4, 0}, {ZP_OP_CLAMP, 0, 3, 0, 4, 3},
        {ZP_OP_CLAMP, 0, 3, 4, 0, 4}, {ZP_OP_CLAMP, 0, 5, 4, 0, 4},
        {ZP_OP_MODULO, 0, 5.5, 2, 0, 1.5}, {ZP_OP_MODULO, 0, -0.5, 2, 0, 1.5}, {ZP_OP_MODULO, 0, 4, 2, 0, 0},
        {ZP_OP_MODULO, 0, 5, 0, 0, 0}, {ZP_OP_MODULO, 0, 5, -2, 0, 0}, {ZP_OP_MODULO, 0, -4, 2, 0, 0},
        {ZP_OP_REPEAT, 0, 5, 1, 4, 4}, {ZP_OP_REPEAT, 0, -5, 1, 4, 0}, {ZP_OP_REPEAT, 0, 2.5, 1, 4, 2.5},
        {ZP_OP_REPEAT, 0, 5, 2, 4, 1}, {ZP_OP_REPEAT, 0, 9, 2, 4, 0}, {ZP_OP_REPEAT, 0, 3, 0.5, 4, 2},
        {ZP_OP_REPEAT, 1, 5, 2, 4, 1}, {ZP_OP_REPEAT, 1, 3.5, 2, 4, 1.5}, {ZP_OP_REPEAT, 0, 3.5, 2, 4, 3.5},
        {ZP_OP_REPEAT, 0, 9, infinite, 4, 1}, {ZP_OP_REPEAT, 1, -1, infinite, 4, 3},
        {ZP_OP_REPEAT, 0, 1, 0, 4, 0}, {ZP_OP_REPEAT, 0, 1, 2, 0, 0}, {ZP_OP_REPEAT, 0, 1, no_number, 4, 0},
        {ZP_OP_BEZIER, 0, 0.5, 0, 1, 0.5}, {ZP_OP_BEZIER, 0, 2, 9, 9, 1}, {ZP_OP_BEZIER, 0, -1, 9, 9, 0},
        {ZP_OP_BEZIER, 0, 0.5, 2, 2, 1.625}, // 3/8 * 2 + 3/8 * 2 + 1/8
    };
    for (size_t i = 0; i < ZB_COUNT(rows); ++i) {
        const uint32_t count = rows[i].code == ZP_OP_CLAMP || rows[i].code >= ZP_OP_REPEAT ? 3 : 2;
        for (uint32_t flags = 0; flags <= ZP_EXPR_F32; ++flags) { // all of them are exact as floats
            const double value =
                apply(flags, (zp_op){rows[i].code, rows[i].argument}, count, rows[i].a, rows[i].b, rows[i].c);
            if (!same(value, rows[i].value)) { fail_msg("row %zu: %.17g, not %.17g", i, value, rows[i].value); }
        }
    }
}

static void floats_are_rounded_where_floats_are(void **state) {
    (void)state;
    const double r = (double)100.3f, a = (double)0.1f;
    assert_true(apply(ZP_EXPR_F32, (zp_op){ZP_OP_ADD, 0}, 2, 0.1, 0.2, 0) == (double)(0.1f + 0.2f));
    assert_true(apply(0, (zp_op){ZP_OP_ADD, 0}, 2, 0.1, 0.2, 0) == 0.1 + 0.2);
    // The quotient is a float: 5 exactly, though it lies below.
    assert_true(apply(ZP_EXPR_F32, (zp_op){ZP_OP_ROUND_DOWN, 0}, 2, 0.5, 0.1, 0) == 0.5);
    assert_true(apply(0, (zp_op){ZP_OP_ROUND_DOWN, 0}, 2, 0.5, a, 0) == 4 * a);
    // Product and difference in double: a little above nothing, which a float product would have lost.
    const double rest = apply(ZP_EXPR_F32, (zp_op){ZP_OP_REST_UP, 0}, 2, 100.3, 0.1, 0);
    assert_true(rest == (double)(float)(r - 1003.0 * a) && rest != (double)(100.3f - 1003.0f * 0.1f));
    assert_true(apply(ZP_EXPR_F32, (zp_op){ZP_OP_REST_DOWN, 0}, 2, 100.3, 0.1, 0) ==
                (double)(ceilf(100.3f / 0.1f) * 0.1f - 100.3f));
    assert_true(apply(ZP_EXPR_F32, (zp_op){ZP_OP_MUL, 0}, 2, 1e30, 1e30, 0) == infinite);
}

static void odd_numbers_come_out_as_numbers_do(void **state) {
    (void)state;
    for (uint32_t flags = 0; flags <= ZP_EXPR_F32; ++flags) {
        assert_true(apply(flags, (zp_op){ZP_OP_DIV, 0}, 2, 1, 0, 0) == infinite);
        assert_true(zb_is_nan(apply(flags, (zp_op){ZP_OP_DIV, 0}, 2, 0, 0, 0)));
        assert_true(zb_is_nan(apply(flags, (zp_op){ZP_OP_ROUND_DOWN, 0}, 2, 5, 0, 0))); // infinity times 0
        assert_true(zb_is_nan(apply(flags, (zp_op){ZP_OP_MIN, 0}, 2, no_number, 1, 0)));
        assert_true(zb_is_nan(apply(flags, (zp_op){ZP_OP_MAX, 0}, 2, 1, no_number, 0)));
        assert_true(apply(flags, (zp_op){ZP_OP_CLAMP, 0}, 3, no_number, 1, 2) == 1);
        assert_true(apply(flags, (zp_op){ZP_OP_MODULO, 0}, 2, no_number, 2, 0) == 0);
        assert_true(apply(flags, (zp_op){ZP_OP_MODULO, 0}, 2, infinite, 2, 0) == 0);
        assert_true(apply(flags, (zp_op){ZP_OP_MODULO, 0}, 2, 5, infinite, 0) == 5);
        assert_true(apply(flags, (zp_op){ZP_OP_BEZIER, 0}, 3, no_number, 1, 2) == 0);
    }
    const double below = apply(0, (zp_op){ZP_OP_MODULO, 0}, 2, -1e-300, 2, 0);
    assert_true(below >= 0 && below < 2); // the sum would round up to 2
    assert_true(apply(0, (zp_op){ZP_OP_MODULO, 0}, 2, 1e300, 3, 0) == fmod(1e300, 3)); // exact, however far
}

// ---------------------------------------------------------------------------------------------------- calls

// x + 1, and then each calls the one before; in float or double by turns.
static uint32_t build_chain(test_build *t, uint32_t count) {
    const uint32_t one = zp_build_numbers(t->b, (const double[]){1}, 1);
    uint32_t ref = zp_build_expr(t->b, &(zp_expr){0}, OPS(X_, {ZP_OP_NUMBER, one}, {ZP_OP_ADD, 0}));
    for (uint32_t i = 1; i < count && ref != 0; ++i) {
        ref = zp_build_expr(t->b, &(zp_expr){.flags = i % 2}, OPS(X_, {ZP_OP_CALL, ref - 1}, {ZP_OP_NUMBER, one},
                                                                  {ZP_OP_ADD, 0}));
    }
    return ref;
}

static void calls_see_their_own_x(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    const uint32_t two = zp_build_numbers(t.b, (const double[]){2}, 1);
    const uint32_t doubled = zp_build_expr(t.b, &(zp_expr){0}, OPS(X_, {ZP_OP_NUMBER, two}, {ZP_OP_MUL, 0}));
    // x - doubled(doubled(x) + x)
    const uint32_t ref = zp_build_expr(t.b, &(zp_expr){.name = zp_build_name(t.b, ZB_TEXT("f"))},
                                       OPS(X_, X_, {ZP_OP_CALL, doubled - 1}, X_, {ZP_OP_ADD, 0},
                                           {ZP_OP_CALL, doubled - 1}, {ZP_OP_SUB, 0}));
    assert_int_equal(ref, 2);
    zp_program *program = test_close(&t);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    const zo_expr f = zo_expr_find(program, "f");
    assert_int_equal(f.id, 2);
    assert_int_equal(zo_expr_count(program), 2);
    assert_string_equal(zo_expr_name(program, f), "f");
    assert_int_equal(zo_expr_find(program, "").id, 0); // those without a name are not found by none
    zo_fault fault = ZO_FAULT_CYCLE;
    assert_true(zo_instance_expr(i, f, 5, &fault) == 5 - 30);
    assert_int_equal(fault, ZO_FAULT_NONE);
    zo_instance_free(i);
    zp_program_free(program);
}

static void the_deepest_chain_is_worked_out_and_a_deeper_one_is_refused(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    assert_int_equal(build_chain(&t, ZP_EXPR_STACK_MAX - 1), ZP_EXPR_STACK_MAX - 1); // each holds one number
    zp_program *program = test_close(&t);
    assert_true(zp_program_check(program->blob, program->blob_size, NULL));
    zp_fault fault = ZP_FAULT_NONE;
    assert_true(zr_expr_value(program, NULL, ZP_EXPR_STACK_MAX - 2, 0.5, &fault) == ZP_EXPR_STACK_MAX - 0.5);
    zp_program_free(program);
    test_open(&t);
    assert_int_equal(build_chain(&t, ZP_EXPR_STACK_MAX), 0);
    zb_arena_close(&t.arena);
}

static void what_would_take_too_long_is_refused(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    uint32_t ref = zp_build_expr(t.b, &(zp_expr){0}, OPS(X_)), count = 0;
    for (uint32_t next; (next = zp_build_expr(t.b, &(zp_expr){0}, OPS(X_, {ZP_OP_CALL, ref - 1}, {ZP_OP_CALL, ref - 1})));
         ref = next) {
        ++count;
    }
    assert_int_equal(count, 14); // 4 * 2^n - 3 <= 65,536
    zp_program *program = test_close(&t);
    assert_int_equal(program->exprs[ref - 1].cost, 4 * (1 << 14) - 3);
    zp_fault fault = ZP_FAULT_NONE;
    assert_true(zr_expr_value(program, NULL, ref - 1, 0.25, &fault) == 0.25);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- controls

static double twice_and_one(void *context, double x) {
    ++*(uint32_t *)context;
    return 2 * x + 1;
}

static void a_control_is_a_line_or_a_function(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    test_simple(&t, test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 0, NULL);
    zp_param control = {.name = zp_build_name(t.b, ZB_TEXT("speed")), .slope = 1, .low = -infinite, .high = infinite};
    const uint32_t speed = zp_build_control(t.b, &control);
    control.name = zp_build_name(t.b, ZB_TEXT("len"));
    control.flags = ZP_PARAM_NEEDED;
    const uint32_t len = zp_build_control(t.b, &control);
    zp_build_expr(t.b, &(zp_expr){0}, OPS(X_, {ZP_OP_CONTROL, speed}));
    zp_build_expr(t.b, &(zp_expr){0}, OPS(X_, X_, {ZP_OP_CONTROL, len}, {ZP_OP_DIV, 0}));
    zp_build_clip_begin(t.b, &(zp_clip){.duration_ns = 1, .duration_ns_min = 1, .duration_ns_max = 1}, NOWHERE);
    zp_build_param(t.b, &(zp_param){.name = zp_build_name(t.b, ZB_TEXT("depth")), .value = 3, .high = 5}, NOWHERE);
    zp_build_clip_end(t.b);
    zp_program *program = test_close(&t);
    assert_true(zp_program_check(program->blob, program->blob_size, NULL));
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    const zo_param s = zo_param_find(program, "speed"), l = zo_param_find(program, "len");
    assert_int_equal(s.id, 2); // behind the clip's
    zo_param_info info;
    assert_true(zo_param_get(program, s, &info));
    assert_true(info.clip.id == 0 && info.slope == 1 && !info.needed && info.low == -infinite);
    assert_true(zo_param_get(program, l, &info) && info.needed);

    zo_fault fault;
    const zo_expr of_speed = {1}, by_len = {2};
    assert_true(zo_instance_expr(i, of_speed, 7, &fault) == 7 && fault == ZO_FAULT_NONE); // handed on
    assert_true(zo_instance_expr(i, by_len, 7, &fault) == 1 && fault == ZO_FAULT_UNRESOLVED_PARAM);
    assert_string_equal(zo_fault_name(fault), "unresolved-parameter");
    zo_instance_set_param(i, l, 4);
    assert_true(zo_instance_expr(i, by_len, 7, &fault) == 1.75 && fault == ZO_FAULT_NONE);
    zo_instance_set_param_line(i, s, 1, 0.5);
    assert_true(zo_instance_expr(i, of_speed, 7, NULL) == 4.5);
    zo_instance_set_param_line(i, s, no_number, 9); // changes nothing
    zo_instance_set_param_line(i, s, 9, infinite);
    assert_true(zo_instance_expr(i, of_speed, 7, NULL) == 4.5);
    assert_true(zo_instance_expr(i, of_speed, infinite, NULL) == infinite);

    test_advance(i, 2000 * MS, 8, MS, NULL);
    assert_true(zo_instance_param(i, s) == 2);
    zo_instance_ramp_param(i, s, 3); // 2 at 2 s stays
    assert_true(zo_instance_param(i, s) == 2 && zo_instance_expr(i, of_speed, 3, NULL) == 5);
    zo_instance_set_param(i, s, 6);
    assert_true(zo_instance_expr(i, of_speed, 3, NULL) == 6);
    assert_true(zo_instance_expr(i, of_speed, infinite, NULL) == 6); // a constant, whatever x

    uint32_t calls = 0;
    zo_instance_bind(i, s, twice_and_one, &calls);
    assert_true(zo_instance_expr(i, of_speed, 3, NULL) == 7 && calls == 1);
    zo_instance_bind(i, s, NULL, &calls);
    assert_true(zo_instance_expr(i, of_speed, 3, NULL) == 6 && calls == 1);
    zo_instance_set_param(i, zo_param_find(program, "depth"), 9);
    assert_true(zo_instance_param(i, zo_param_find(program, "depth")) == 5); // a clip's has limits
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_fault_hands_x_on_and_the_first_counts(void **state) {
    (void)state;
    test_build t;
    test_open(&t);
    zp_build_expr(t.b, &(zp_expr){0}, OPS(X_, {ZP_OP_FAULT, ZP_FAULT_MISSING_OPERAND}));
    zp_build_expr(t.b, &(zp_expr){0}, OPS(X_, {ZP_OP_CALL, 0}, X_, {ZP_OP_FAULT, ZP_FAULT_CYCLE}, {ZP_OP_ADD, 0}));
    zp_program *program = test_close(&t);
    zp_fault fault = ZP_FAULT_NONE;
    assert_true(zr_expr_value(program, NULL, 1, 2.5, &fault) == 5);
    assert_int_equal(fault, ZP_FAULT_MISSING_OPERAND);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- bounds

static double some_number(uint64_t *random) {
    static const double usual[] = {0, 1, -1, 2, 0.5, -2.5, 3.7, 20, 1e-3, 100, 1e9, 1e300};
    const uint32_t pick = test_below(random, 2 * ZB_COUNT(usual));
    return pick < ZB_COUNT(usual) ? usual[pick] : 8 * test_unit(random) - 4;
}

// Any expression of up to 12 operations, on controls and on those before it.
static void some_expression(test_build *t, uint32_t control, uint32_t before, uint64_t *random) {
    zp_op ops[32];
    uint32_t count = 0, height = 0;
    const uint32_t wanted = 1 + test_below(random, 12);
    while (count < wanted || height > 1) {
        const zp_op_code code = (zp_op_code)test_below(random, ZP_OP_FAULT);
        const bool is_wide = code == ZP_OP_CLAMP || code == ZP_OP_REPEAT || code == ZP_OP_BEZIER;
        zp_op op = {(uint32_t)code, 0};
        if (code == ZP_OP_NUMBER || code == ZP_OP_INPUT) {
            if (count >= wanted || height == 6) { continue; }
            const double number = some_number(random);
            if (code == ZP_OP_NUMBER) { op.argument = zp_build_numbers(t->b, &number, 1); }
            ++height;
        } else if (code == ZP_OP_CONTROL || code == ZP_OP_CALL) {
            if (height == 0 || count >= wanted || (code == ZP_OP_CALL && before == 0)) { continue; }
            op.argument = code == ZP_OP_CALL ? test_below(random, before) : control + test_below(random, 2);
        } else {
            if (height < (is_wide ? 3u : 2u)) { continue; }
            height -= is_wide ? 2 : 1;
            if (code == ZP_OP_REPEAT) { op.argument = test_below(random, 2); }
        }
        ops[count++] = op;
        if (count == ZB_COUNT(ops)) { fail_msg("an expression without end"); }
    }
    zp_build_expr(t->b, &(zp_expr){.flags = test_below(random, 2) ? ZP_EXPR_F32 : 0}, ops, count);
}

// Whatever lies between two numbers comes out between the bounds, and as a number; and bounds are found often enough.
static void between_two_numbers_nothing_leaves_the_bounds(void **state) {
    (void)state;
    enum { PROGRAMS = 150, EXPRS = 24, SPANS = 12, POINTS = 12 };
    uint64_t random = 20261203;
    uint32_t known = 0, narrow = 0;
    for (uint32_t round = 0; round < PROGRAMS; ++round) {
        test_build t;
        test_open(&t);
        test_simple(&t, test_clip(ZP_REPEAT_ONCE, 100 * MS), false, 0, NULL);
        zp_param record = {.name = zp_build_name(t.b, ZB_TEXT("a")), .slope = 1, .low = -infinite, .high = infinite};
        const uint32_t control = zp_build_control(t.b, &record);
        record.name = zp_build_name(t.b, ZB_TEXT("b"));
        record.flags = ZP_PARAM_NEEDED;
        zp_build_control(t.b, &record);
        for (uint32_t e = 0; e < EXPRS; ++e) { some_expression(&t, control, e, &random); }
        zp_program *program = test_close(&t);
        if (!zp_program_check(program->blob, program->blob_size, NULL)) { // too much for one of them
            zp_program_free(program);
            continue;
        }
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        if (test_below(&random, 2)) {
            zo_instance_set_param_line(i, zo_param_find(program, "a"), some_number(&random), 4 * test_unit(&random) - 2);
        }
        if (test_below(&random, 2)) { zo_instance_set_param(i, zo_param_find(program, "b"), some_number(&random)); }
        for (uint32_t e = 0; e < EXPRS; ++e) {
            for (uint32_t span = 0; span < SPANS; ++span) {
                const double wide = span % 3 == 0 ? 0.01 : span % 3 == 1 ? 3.0 : 1e6, low = some_number(&random);
                const zr_bounds x = {low, low + wide * test_unit(&random), ZR_SAME_NOTHING};
                const zr_bounds b = zr_expr_bounds(i, e, x);
                if (!zb_is_finite(b.low)) { continue; }
                ++known;
                narrow += b.high - b.low <= 100 * (x.high - x.low);
                for (uint32_t point = 0; point < POINTS; ++point) {
                    const double part = (double)point / (POINTS - 1);
                    const double at = point == POINTS - 1 ? x.high : x.low + part * (x.high - x.low);
                    zp_fault fault = ZP_FAULT_NONE;
                    const double value = zr_expr_value(program, i, e, at, &fault);
                    if (value >= b.low && value <= b.high) { continue; }
                    fail_msg("round %u, expression %u: %.17g at %.17g lies outside %.17g .. %.17g", round, e, value, at,
                             b.low, b.high);
                }
            }
        }
        zo_instance_free(i);
        zp_program_free(program);
    }
    assert_in_range(known, 15000, 1u << 30);
    assert_in_range(narrow, 5000, 1u << 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_those_of_the_text),
        cmocka_unit_test(floats_are_rounded_where_floats_are),
        cmocka_unit_test(odd_numbers_come_out_as_numbers_do),
        cmocka_unit_test(calls_see_their_own_x),
        cmocka_unit_test(the_deepest_chain_is_worked_out_and_a_deeper_one_is_refused),
        cmocka_unit_test(what_would_take_too_long_is_refused),
        cmocka_unit_test(a_control_is_a_line_or_a_function),
        cmocka_unit_test(a_fault_hands_x_on_and_the_first_counts),
        cmocka_unit_test(between_two_numbers_nothing_leaves_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
