// Forge's parameters as Molang, the language of Bedrock's expressions. See bedrock.h.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "formats/bedrock.h"

enum { TEXT_MAX = 4096 };                        // bytes of one expression: more is nothing that people read
static const size_t texts_max = (size_t)16 << 20; // bytes of all, those in between included

// ---------------------------------------------------------------------------------------------------- names, numbers

zf_br_names zf_br_names_open(zb_arena *arena) {
    return (zf_br_names){.given = zb_intern_open(arena), .taken = zb_intern_open(arena),
                         .texts = zb_array_open(arena, sizeof(zo_text))};
}

// Whether a variable's name needs something before it: the entity's own are request, before_1, trigger_1, event_TEXT.
static bool is_reserved(zo_text name) {
    static const char *const own[] = {"request", "before_", "trigger_", "event_"};
    bool found = name.size > 0 && name.data[0] >= '0' && name.data[0] <= '9';
    for (uint32_t i = 0; i < ZB_COUNT(own); i++) {
        const size_t size = strlen(own[i]);
        found |= name.size >= size && memcmp(name.data, own[i], size) == 0 && (i > 0 || name.size == size);
    }
    return found;
}

// Small letters, figures and _, and a number behind a name that is taken.
zo_text zf_br_new_name(zf_br_names *names, zo_text name) {
    zb_buffer out = zb_buffer_open(names->given.arena);
    for (size_t i = 0; i < name.size && i < 64; i++) {
        const char c = name.data[i];
        const bool capital = c >= 'A' && c <= 'Z';
        const bool fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        zb_put_char(&out, capital ? (char)(c - 'A' + 'a') : fine ? c : '_');
    }
    const zo_text clean = {zb_buffer_text(&out), out.size};
    if (clean.size == 0 || (names->variables && is_reserved(clean))) {
        out = zb_buffer_open(names->given.arena);
        zb_put_char(&out, '_');
        zb_put_text(&out, clean);
    }
    const size_t size = out.size;
    for (;;) { // a number is tried once for all names, so that many that are alike do not take long
        const uint32_t taken = zb_intern_count(&names->taken);
        const uint32_t tried = zb_intern_id(&names->taken, (zo_text){zb_buffer_text(&out), out.size});
        if (tried == 0 || tried > taken) {
            break;
        }
        out.size = size;
        zb_put_char(&out, '_');
        zb_put_uint(&out, (uint64_t)++names->next + 1);
    }
    return (zo_text){zb_buffer_text(&out), out.size};
}

zo_text zf_br_name(zf_br_names *names, zo_text name) {
    const uint32_t known = zb_intern_count(&names->given), id = zb_intern_id(&names->given, name);
    if (id == 0) {
        return (zo_text){"", 0};
    }
    if (id > known) {
        *(zo_text *)zb_array_push(&names->texts) = zf_br_new_name(names, name);
    }
    return zb_arena_failed(names->given.arena) ? (zo_text){"", 0}
                                               : ((const zo_text *)(const void *)names->texts.items)[id - 1];
}

void zf_br_put_number(zb_buffer *out, double value) {
    const double large = 1e9; // beyond it there are no six places
    const double figure = isfinite(value) ? value : 0.0; // which is said to be inexact
    const double rounded = fabs(figure) < large ? round(figure * 1e6) / 1e6 : figure;
    zb_put_double(out, rounded == 0.0 ? 0.0 : rounded); // no -0
}

void zf_br_put_time(zb_buffer *out, double seconds) {
    char text[48];
    size_t size = zb_number_fixed(seconds, 9, text);
    while (text[size - 1] == '0') { size--; }
    zb_put_bytes(out, text, text[size - 1] == '.' ? size - 1 : size);
}

// -------------------------------------------------------------------------------------------------------- expressions

zf_br_value zf_br_of_text(const char *text) {
    return (zf_br_value){.text = zb_text(text), .line = true, .slope = 1.0};
}

static zf_br_value constant(zb_arena *arena, double given) { // finite
    const double number = given == 0.0 ? 0.0 : given; // no -0: behind another minus it would be no Molang
    zb_buffer out = zb_buffer_open(arena);
    zb_put(&out, number < 0.0 ? "(" : "");
    const size_t begin = out.size;
    zb_put_double(&out, number);
    const char *power = out.size > begin ? memchr(out.data + begin, 'e', out.size - begin) : NULL;
    if (power != NULL) { // which Molang has no way to write
        const size_t size = (size_t)(power - out.data), rest = out.size - size - 1;
        const char *exponent = zb_arena_text(arena, (zo_text){power + 1, rest});
        out.size = size;
        zb_put(&out, "*math.pow(10,");
        zb_put(&out, exponent[0] == '+' ? exponent + 1 : exponent);
        zb_put_char(&out, ')');
    }
    zb_put(&out, number < 0.0 ? ")" : "");
    return (zf_br_value){.text = {zb_buffer_text(&out), out.size}, .line = true, .offset = number};
}

static bool has_input(zo_text text) { return text.size > 0 && memchr(text.data, ZF_BR_INPUT, text.size) != NULL; }

static zf_br_value too_long(void) { return (zf_br_value){.text = {"", 0}}; }

zf_br_value zf_br_apply(zb_arena *arena, zf_br_value f, zf_br_value input) {
    if (f.text.size == 0 || !has_input(f.text)) {
        return f;
    }
    zb_buffer out = zb_buffer_open(arena);
    for (size_t i = 0; i < f.text.size && out.size <= TEXT_MAX; i++) {
        if (f.text.data[i] == ZF_BR_INPUT) {
            zb_put_text(&out, input.text);
        } else {
            zb_put_char(&out, f.text.data[i]);
        }
    }
    if (out.size > TEXT_MAX || input.text.size == 0) {
        return too_long();
    }
    zf_br_value result = {.text = {zb_buffer_text(&out), out.size}, .host = f.host || input.host};
    if (f.line && input.line) {
        result.line = true;
        result.slope = f.slope * input.slope;
        result.offset = f.slope * input.offset + f.offset;
    }
    return result;
}

// What Molang has for an operation: $ is the left-hand side, @ the right-hand one.
static const char *const forms[] = {
    [ZF_FG_ADD] = "($+@)",            [ZF_FG_SUBTRACT] = "($-@)",
    [ZF_FG_MULTIPLY] = "($*@)",       [ZF_FG_DIVIDE] = "($/@)",
    [ZF_FG_MIN] = "math.min($,@)",    [ZF_FG_MAX] = "math.max($,@)",
    [ZF_FG_ROUND_DOWN] = "(math.floor($/@)*@)",  [ZF_FG_ROUND_UP] = "(math.ceil($/@)*@)",
    [ZF_FG_REST_UP] = "($-math.floor($/@)*@)",   [ZF_FG_REST_DOWN] = "(math.ceil($/@)*@-$)",
};

static double fold(zf_fg_op_kind kind, double r, double a) {
    switch (kind) {
    case ZF_FG_MIN: return fmin(r, a);
    case ZF_FG_MAX: return fmax(r, a);
    case ZF_FG_ROUND_DOWN: return floor(r / a) * a;
    case ZF_FG_ROUND_UP: return ceil(r / a) * a;
    case ZF_FG_REST_UP: return r - floor(r / a) * a;
    case ZF_FG_REST_DOWN: return ceil(r / a) * a - r;
    default: return (double)NAN;
    }
}

// Whether the two make a line, and which.
static bool fold_line(zf_fg_op_kind kind, const zf_br_value *r, const zf_br_value *a, zf_br_value *out) {
    if (!r->line || !a->line) {
        return false;
    }
    switch (kind) {
    case ZF_FG_ADD: out->slope = r->slope + a->slope; out->offset = r->offset + a->offset; break;
    case ZF_FG_SUBTRACT: out->slope = r->slope - a->slope; out->offset = r->offset - a->offset; break;
    case ZF_FG_MULTIPLY:
        if (r->slope != 0.0 && a->slope != 0.0) { return false; }
        out->slope = r->slope * a->offset + a->slope * r->offset;
        out->offset = r->offset * a->offset;
        break;
    case ZF_FG_DIVIDE:
        if (a->slope != 0.0 || a->offset == 0.0) { return false; }
        out->slope = r->slope / a->offset;
        out->offset = r->offset / a->offset;
        break;
    default:
        if (r->slope != 0.0 || a->slope != 0.0) { return false; }
        out->slope = 0.0;
        out->offset = fold(kind, r->offset, a->offset);
    }
    return isfinite(out->slope) && isfinite(out->offset);
}

static zf_br_value binary(zb_arena *arena, zf_fg_op_kind kind, zf_br_value r, zf_br_value a) {
    zf_br_value result = {.host = r.host || a.host};
    if (r.text.size == 0 || a.text.size == 0) {
        return too_long();
    }
    result.line = fold_line(kind, &r, &a, &result);
    if (!result.line) {
        result.slope = result.offset = 0.0;
    }
    if (zf_br_is_constant(&result)) {
        return constant(arena, result.offset);
    }
    zb_buffer out = zb_buffer_open(arena);
    for (const char *at = forms[kind]; *at != 0 && out.size <= TEXT_MAX; at++) {
        if (*at == '$' || *at == '@') {
            zb_put_text(&out, *at == '$' ? r.text : a.text);
        } else {
            zb_put_char(&out, *at);
        }
    }
    if (out.size > TEXT_MAX) {
        return too_long();
    }
    result.text = (zo_text){zb_buffer_text(&out), out.size};
    return result;
}

static zf_br_value variable(zb_arena *arena, zo_text name) { // whatever it is asked for, as hosts set them
    zb_buffer out = zb_buffer_open(arena);
    zb_put(&out, "variable.");
    zb_put_text(&out, name);
    return (zf_br_value){.text = {zb_buffer_text(&out), out.size}, .host = true};
}

typedef struct translation {
    zb_arena *arena;
    const zf_fg_exprs *e;
    zf_br_names *controls;
    zf_br_value *values, *stack;
    size_t used_max; // of the arena
} translation;

static zf_br_value value_of(const translation *t, const zf_fg_expr *expr) {
    zb_arena *arena = t->arena;
    zf_br_value *stack = t->stack;
    static const char input[] = {ZF_BR_INPUT, 0};
    uint32_t height = 0;
    for (uint32_t k = 0; k < expr->op_count; k++) {
        const zf_fg_op *op = zf_fg_op_at(t->e, expr->first_op + k);
        switch (op->kind) {
        case ZF_FG_NUMBER: stack[height++] = constant(arena, op->number); break;
        case ZF_FG_INPUT: stack[height++] = zf_br_of_text(input); break;
        case ZF_FG_CALL: stack[height - 1] = zf_br_apply(arena, t->values[op->ref], stack[height - 1]); break;
        case ZF_FG_CONTROL:
            stack[height - 1] = variable(arena, zf_br_name(t->controls, zf_fg_control_at(t->e, op->ref)->name));
            break;
        case ZF_FG_ADD: case ZF_FG_SUBTRACT: case ZF_FG_MULTIPLY: case ZF_FG_DIVIDE: case ZF_FG_MIN: case ZF_FG_MAX:
        case ZF_FG_ROUND_DOWN: case ZF_FG_ROUND_UP: case ZF_FG_REST_UP: case ZF_FG_REST_DOWN:
            height--;
            stack[height - 1] = binary(arena, op->kind, stack[height - 1], stack[height]);
            break;
        default: break; // a fault leaves its input as it is; what only the draft has does not come here
        }
        if (arena->used > t->used_max && stack[height - 1].text.size > 64) {
            stack[height - 1] = too_long();
        }
    }
    return height > 0 ? stack[0] : zf_br_of_text(input);
}

const zf_br_value *zf_br_expressions(zb_arena *arena, const zf_fg_exprs *e, zf_br_names *controls) {
    zf_br_value *values = zb_arena_take_array(arena, (size_t)e->exprs.count + 1, sizeof *values);
    uint32_t most = 0;
    for (uint32_t i = 0; i < e->exprs.count; i++) {
        const uint32_t count = zf_fg_expr_at(e, i)->op_count;
        most = count > most ? count : most;
    }
    const translation t = {.arena = arena, .e = e, .controls = controls, .values = values,
                           .stack = zb_arena_take_array(arena, (size_t)most + 1, sizeof *t.stack),
                           .used_max = arena->used + texts_max};
    for (uint32_t i = 0; i < e->exprs.count && t.stack != NULL && !zb_arena_failed(arena); i++) {
        values[e->order[i]] = value_of(&t, zf_fg_expr_at(e, e->order[i]));
    }
    return values;
}
