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
