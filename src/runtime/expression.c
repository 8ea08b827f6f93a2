// Expressions: the value of one at a number, and the controls that it asks for. Called by poses and machines, and by
// api for hosts. Works on stacks of fixed size: how much they hold was checked with the program. Whatever goes in,
// a number comes out, which may be NaN or infinite; who uses it sees to that.
#include <float.h>
#include <math.h>

#include "base/maths.h"
#include "runtime/runtime.h"

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic rounds after each operation, like the promise");

// ---------------------------------------------------------------------------------------------------- controls

static const zr_control *control_of(const zo_instance *instance, uint32_t param) {
    return &zr_controls(instance)[param - instance->first_control];
}

double zr_control_value(const zp_program *program, const zo_instance *instance, uint32_t param, double x,
                        zp_fault *fault) {
    const zp_param *record = &program->params[param];
    double offset = record->value, slope = record->slope;
    bool set = (record->flags & ZP_PARAM_NEEDED) == 0;
    if (instance) {
        const zr_control *control = control_of(instance, param);
        if (control->ask) { return control->ask(control->context, x); }
        offset = zr_params(instance)[param];
        slope = control->slope;
        set |= control->set != 0;
    }
    if (!set) {
        if (*fault == ZP_FAULT_NONE) { *fault = ZP_FAULT_UNRESOLVED_PARAM; }
        return x;
    }
    return slope == 0.0 ? offset : offset + slope * x; // nothing times infinity is nothing here
}

// ---------------------------------------------------------------------------------------------------- operations

// F32: what a float operation gives. The double result of two floats, rounded once more, is the float result.
static double rounded(bool is_f32, double value) { return is_f32 ? (double)(float)value : value; }

static double least(double r, double a) {
    if (zb_is_nan(r) || zb_is_nan(a)) { return (double)NAN; }
    if (r == a) { return signbit(r) ? r : a; }
    return r < a ? r : a;
}

static double most(double r, double a) {
    if (zb_is_nan(r) || zb_is_nan(a)) { return (double)NAN; }
    if (r == a) { return signbit(r) ? a : r; }
    return r > a ? r : a;
}

static double clamped(double x, double low, double high) {
    if (!(x > low)) { return low; }
    return x < high ? x : high > low ? high : low;
}

static double modulo(double r, double a) {
    if (!(a > 0.0)) { return 0.0; }
    const double rest = zb_fmod(r, a); // exact, also where r / a would not be
    if (!(rest < 0.0)) { return rest > 0.0 ? rest : 0.0; }
    return rest + a < a ? rest + a : 0.0; // so little below nothing that it rounds up to a
}

static double repeated(double y, double n, double l, bool by_count) {
    if (!(l > 0.0 && n > 0.0)) { return 0.0; }
    if (n == 1.0) { return clamped(y, 0.0, l); }
    if (n > DBL_MAX) { return modulo(y, l); }
    return modulo(clamped(y, 0.0, n * l), by_count ? n : l);
}

static double bezier(double u, double s, double e) {
    u = zb_clamp(u, 0.0, 1.0);
    const double v = 1.0 - u;
    return 3.0 * v * v * u * s + 3.0 * v * u * u * e + u * u * u;
}

static double binary(zp_op_code code, bool is_f32, double r, double a) {
    switch (code) {
    case ZP_OP_ADD: return rounded(is_f32, r + a);
    case ZP_OP_SUB: return rounded(is_f32, r - a);
    case ZP_OP_MUL: return rounded(is_f32, r * a);
    case ZP_OP_DIV: return rounded(is_f32, r / a);
    case ZP_OP_MIN: return least(r, a);
    case ZP_OP_MAX: return most(r, a);
    case ZP_OP_ROUND_DOWN: return rounded(is_f32, floor(rounded(is_f32, r / a)) * a);
    case ZP_OP_ROUND_UP: return rounded(is_f32, ceil(rounded(is_f32, r / a)) * a);
    case ZP_OP_REST_UP: return rounded(is_f32, r - floor(rounded(is_f32, r / a)) * a); // rounded once
    case ZP_OP_REST_DOWN: return rounded(is_f32, rounded(is_f32, ceil(rounded(is_f32, r / a)) * a) - r);
    default: ZO_ASSERT(code == ZP_OP_MODULO); return rounded(is_f32, modulo(r, a));
    }
}

// ---------------------------------------------------------------------------------------------------- evaluation

typedef struct call {
    const zp_op *next, *end;
    double x;
    bool is_f32;
} call;

static call open_call(const zp_program *program, uint32_t index, double x) {
    const zp_expr *expr = &program->exprs[index];
    const bool is_f32 = (expr->flags & ZP_EXPR_F32) != 0;
    const zp_op *ops = program->ops + expr->first_op;
    return (call){ops, ops + expr->op_count, rounded(is_f32, x), is_f32};
}

double zr_expr_value(const zp_program *program, const zo_instance *instance, uint32_t index, double x,
                     zp_fault *fault) {
    double stack[ZP_EXPR_STACK_MAX];
    call calls[ZP_EXPR_STACK_MAX]; // each call leaves room for its result
    uint32_t height = 0, depth = 0;
    calls[0] = open_call(program, index, x);
    for (;;) {
        call *at = &calls[depth];
        if (at->next == at->end) {
            if (depth-- == 0) { break; }
            stack[height - 1] = rounded(calls[depth].is_f32, stack[height - 1]);
            continue;
        }
        const zp_op *op = at->next++;
        ZO_ASSERT(height < ZP_EXPR_STACK_MAX || op->code >= ZP_OP_CONTROL);
        switch ((zp_op_code)op->code) {
        case ZP_OP_NUMBER: stack[height++] = rounded(at->is_f32, program->numbers[op->argument]); break;
        case ZP_OP_INPUT: stack[height++] = at->x; break;
        case ZP_OP_CONTROL: {
            const double value = zr_control_value(program, instance, op->argument, stack[height - 1], fault);
            stack[height - 1] = rounded(at->is_f32, value);
            break;
        }
        case ZP_OP_CALL:
            ZO_ASSERT(depth + 1 < ZP_EXPR_STACK_MAX);
            calls[++depth] = open_call(program, op->argument, stack[--height]);
            break;
        case ZP_OP_FAULT:
            if (*fault == ZP_FAULT_NONE) { *fault = (zp_fault)op->argument; }
            break;
        case ZP_OP_CLAMP:
        case ZP_OP_REPEAT:
        case ZP_OP_BEZIER: {
            const double *v = &stack[height -= 3];
            const double value = op->code == ZP_OP_CLAMP    ? clamped(v[0], v[1], v[2])
                                 : op->code == ZP_OP_REPEAT ? repeated(v[0], v[1], v[2], op->argument != 0)
                                                            : bezier(v[0], v[1], v[2]);
            stack[height++] = rounded(at->is_f32, value);
            break;
        }
        default:
            --height;
            stack[height - 1] = binary((zp_op_code)op->code, at->is_f32, stack[height - 1], stack[height]);
        }
    }
    ZO_ASSERT(height == 1);
    return stack[0];
}

// ---------------------------------------------------------------------------------------------------- bounds

// The operations are the same ones, worked out at the ends: each of them, rounded as it is, rises or falls throughout
// where it is used for that, and so nothing between gives a value that is not between theirs.

static const zr_bounds unknown = {-(double)INFINITY, (double)INFINITY, ZR_SAME_NOTHING};

static bool is_known(zr_bounds b) { return zb_is_finite(b.low) && zb_is_finite(b.high); }
static bool is_one(zr_bounds b) { return b.low == b.high; } // and no infinity

static zr_bounds between(double low, double high) {
    const zr_bounds b = {low, high, ZR_SAME_NOTHING};
    return is_known(b) ? b : unknown;
}

static zr_bounds hull(const double *ends, uint32_t count) {
    double low = ends[0], high = ends[0];
    for (uint32_t i = 0; i < count; ++i) {
        if (!zb_is_finite(ends[i])) { return unknown; }
        if (ends[i] < low) { low = ends[i]; }
        if (ends[i] > high) { high = ends[i]; }
    }
    return between(low, high);
}

static zr_bounds rounded_bounds(bool is_f32, zr_bounds b) {
    if (!is_f32) { return b; }
    zr_bounds to = between(rounded(true, b.low), rounded(true, b.high));
    if (is_known(to) && b.same != ZR_SAME_NOTHING) { to.same = ZR_SAME_F32; }
    return to;
}

// Whether r / a, rounded to a whole number, is one and the same.
static bool is_one_step(zp_op_code code, bool is_f32, zr_bounds r, double a) {
    const double from = rounded(is_f32, r.low / a), to = rounded(is_f32, r.high / a);
    return code == ZP_OP_REST_UP ? floor(from) == floor(to) : ceil(from) == ceil(to);
}

static zr_bounds binary_bounds(zp_op_code code, bool is_f32, zr_bounds r, zr_bounds a) {
    if (code == ZP_OP_MODULO && is_known(a) && !(r.low >= 0.0 && r.high < a.low)) {
        return between(0.0, most(a.high, 0.0));
    }
    if (!is_known(r) || !is_known(a)) { return unknown; }
    const bool has_nought = a.low <= 0.0 && a.high >= 0.0, same = r.same != ZR_SAME_NOTHING && r.same == a.same;
    switch (code) {
    case ZP_OP_SUB:
        if (same) { return between(0.0, 0.0); }
        break;
    case ZP_OP_DIV:
        if (has_nought) { return unknown; }
        if (same) { return between(1.0, 1.0); }
        break;
    case ZP_OP_ROUND_DOWN:
    case ZP_OP_ROUND_UP:
        if (has_nought || !is_one(a)) { return unknown; }
        break;
    case ZP_OP_REST_UP:
    case ZP_OP_REST_DOWN:
        if (has_nought || !is_one(a) || !is_one_step(code, is_f32, r, a.low)) { return unknown; }
        break;
    default: break;
    }
    const double ends[] = {binary(code, is_f32, r.low, a.low), binary(code, is_f32, r.low, a.high),
                           binary(code, is_f32, r.high, a.low), binary(code, is_f32, r.high, a.high)};
    return hull(ends, ZB_COUNT(ends));
}

static zr_bounds repeat_bounds(zr_bounds y, zr_bounds n, zr_bounds l, bool by_count) {
    if (!is_known(l) || (by_count && !is_known(n))) { return unknown; }
    if (is_one(n) && is_one(l)) {
        const double end = n.low * l.low, pass = by_count && n.low != 1.0 ? n.low : l.low;
        const double from = clamped(y.low, 0.0, end), to = clamped(y.high, 0.0, end);
        if (n.low == 1.0 || from == to || to < pass) {
            return between(repeated(y.low, n.low, l.low, by_count), repeated(y.high, n.low, l.low, by_count));
        }
    }
    return between(0.0, most(by_count ? most(l.high, n.high) : l.high, 0.0));
}

static zr_bounds bezier_bounds(zr_bounds u, zr_bounds s, zr_bounds e) {
    if (!is_known(s) || !is_known(e)) { return unknown; }
    const bool stands = is_one(u) || u.high <= 0.0 || u.low >= 1.0;
    if (stands && is_one(s) && is_one(e)) {
        const double value = bezier(u.low, s.low, e.low);
        return between(value, value);
    }
    return between(3.0 * least(s.low, 0.0) + 3.0 * least(e.low, 0.0),
                   3.0 * most(s.high, 0.0) + 3.0 * most(e.high, 0.0) + 1.0);
}

// Handed on, when it has not been set. A function of the host's may be anything.
static zr_bounds control_bounds(const zo_instance *instance, uint32_t param, zr_bounds x) {
    if (control_of(instance, param)->ask) { return unknown; }
    zp_fault fault = ZP_FAULT_NONE;
    const double ends[] = {zr_control_value(instance->program, instance, param, x.low, &fault),
                           zr_control_value(instance->program, instance, param, x.high, &fault)};
    return fault == ZP_FAULT_NONE ? hull(ends, 2) : x;
}

static zr_bounds of_three(zp_op_code code, bool by_count, const zr_bounds *v) {
    if (code == ZP_OP_REPEAT) { return repeat_bounds(v[0], v[1], v[2], by_count); }
    if (code == ZP_OP_BEZIER) { return bezier_bounds(v[0], v[1], v[2]); }
    if (!is_known(v[1]) || !is_known(v[2])) { return unknown; }
    return between(clamped(v[0].low, v[1].low, v[2].low), clamped(v[0].high, v[1].high, v[2].high));
}

typedef struct bounds_call {
    const zp_op *next, *end;
    zr_bounds x;
    bool is_f32;
} bounds_call;

static bounds_call open_bounds(const zp_program *program, uint32_t index, zr_bounds x) {
    const call c = open_call(program, index, 0.0);
    return (bounds_call){c.next, c.end, rounded_bounds(c.is_f32, x), c.is_f32};
}

zr_bounds zr_expr_bounds(const zo_instance *instance, uint32_t index, zr_bounds x) {
    const zp_program *program = instance->program;
    zr_bounds stack[ZP_EXPR_STACK_MAX];
    bounds_call calls[ZP_EXPR_STACK_MAX];
    uint32_t height = 0, depth = 0;
    x.same = is_known(x) ? ZR_SAME_X : ZR_SAME_NOTHING;
    calls[0] = open_bounds(program, index, x);
    for (;;) {
        bounds_call *at = &calls[depth];
        if (at->next == at->end) {
            if (depth-- == 0) { break; }
            stack[height - 1] = rounded_bounds(calls[depth].is_f32, stack[height - 1]);
            continue;
        }
        const zp_op *op = at->next++;
        const zp_op_code code = (zp_op_code)op->code;
        ZO_ASSERT(height < ZP_EXPR_STACK_MAX || op->code >= ZP_OP_CONTROL);
        switch (code) {
        case ZP_OP_NUMBER: {
            const double number = program->numbers[op->argument];
            stack[height++] = rounded_bounds(at->is_f32, between(number, number));
            break;
        }
        case ZP_OP_INPUT: stack[height++] = at->x; break;
        case ZP_OP_CONTROL:
            stack[height - 1] = rounded_bounds(at->is_f32, control_bounds(instance, op->argument, stack[height - 1]));
            break;
        case ZP_OP_CALL:
            ZO_ASSERT(depth + 1 < ZP_EXPR_STACK_MAX);
            calls[++depth] = open_bounds(program, op->argument, stack[--height]);
            break;
        case ZP_OP_FAULT: break;
        case ZP_OP_CLAMP:
        case ZP_OP_REPEAT:
        case ZP_OP_BEZIER:
            height -= 3;
            stack[height] = rounded_bounds(at->is_f32, of_three(code, op->argument != 0, &stack[height]));
            ++height;
            break;
        default:
            --height;
            stack[height - 1] = binary_bounds(code, at->is_f32, stack[height - 1], stack[height]);
        }
    }
    ZO_ASSERT(height == 1);
    return stack[0];
}
