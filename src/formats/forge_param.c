// Parameters of both dialects to expressions: functions of one number in the order of their evaluation. What stands
// inside another is made by a list of things still to do, so that depth costs memory and no stack; what would be needed
// twice becomes an expression of its own. Names are resolved when all are known. Called by the readers of machines.
#include "formats/forge_fields.h"
#include "program/program.h" // zp_fault

// Where a value comes from that may be needed more than once.
typedef struct source {
    bool constant;
    double number;   // of a constant; else what the expression is fed
    uint32_t expr;
} source;

// An expression that is still to be made.
typedef struct pending {
    uint32_t expr, node;
} pending;

typedef struct task { // what is still to do of the expression being made, the last one first
    enum { VALUE, OP } kind;
    uint32_t node;
    bool fed;        // VALUE: with `number` in place of x
    double number;
    zf_fg_op op;
} task;

typedef struct maker {
    const zf_fg_reading *r;
    zf_fg_exprs *e;
    zb_array tasks;
} maker;

zf_fg_exprs zf_fg_exprs_open(zb_arena *arena) {
    return (zf_fg_exprs){.exprs = zb_array_open(arena, sizeof(zf_fg_expr)),
                         .ops = zb_array_open(arena, sizeof(zf_fg_op)),
                         .pending = zb_array_open(arena, sizeof(pending)),
                         .controls = zb_array_open(arena, sizeof(zf_fg_control)),
                         .named = zb_array_open(arena, sizeof(uint32_t)),
                         .names = zb_intern_open(arena), .control_names = zb_intern_open(arena)};
}

static void put(maker *m, zf_fg_op op) { *(zf_fg_op *)zb_array_push(&m->e->ops) = op; }

static void put_number(maker *m, uint32_t node, double number) {
    put(m, (zf_fg_op){.kind = ZF_FG_NUMBER, .node = node, .number = number});
}

static void later(maker *m, task t) { *(task *)zb_array_push(&m->tasks) = t; }

static void later_value(maker *m, uint32_t node, bool fed, double number) {
    later(m, (task){.kind = VALUE, .node = node, .fed = fed, .number = number});
}

static void later_op(maker *m, zf_fg_op_kind kind, uint32_t node) {
    later(m, (task){.kind = OP, .op = {.kind = kind, .node = node}});
}

static void later_number(maker *m, uint32_t node, double number) {
    later(m, (task){.kind = OP, .op = {.kind = ZF_FG_NUMBER, .node = node, .number = number}});
}

static void later_call(maker *m, uint32_t node, uint32_t expr) {
    later(m, (task){.kind = OP, .op = {.kind = ZF_FG_CALL, .node = node, .ref = expr}});
}

// What was noted from `mark` on is done in the order in which it was noted.
static void in_order(maker *m, uint32_t mark) {
    task *items = (task *)(void *)m->tasks.items;
    for (uint32_t a = mark, b = m->tasks.count; a + 1 < b; a++, b--) {
        const task swap = items[a];
        items[a] = items[b - 1];
        items[b - 1] = swap;
    }
}

static uint32_t new_expr(maker *m, zo_text name, uint32_t node) {
    *(zf_fg_expr *)zb_array_push(&m->e->exprs) = (zf_fg_expr){.name = name, .node = node};
    return m->e->exprs.count - 1;
}

static uint32_t new_pending(maker *m, pending p) {
    p.expr = new_expr(m, (zo_text){"", 0}, p.node);
    *(pending *)zb_array_push(&m->e->pending) = p;
    return p.expr;
}

static uint32_t control_of(maker *m, zo_text name, uint32_t node) {
    const uint32_t known = zb_intern_count(&m->e->control_names);
    const uint32_t id = zb_intern_id(&m->e->control_names, name);
    if (id > known) {
        *(zf_fg_control *)zb_array_push(&m->e->controls) = (zf_fg_control){.name = name, .node = node};
    }
    if (id == 0) { // no memory
        return 0;
    }
    zf_fg_control_at(m->e, id - 1)->uses++;
    return id - 1;
}

// ---------------------------------------------------------------------------------------------------- shipped dialect

static bool operator_of(char c, zf_fg_op_kind *kind) {
    static const struct { char sign; uint8_t kind; } operators[] = {
        {'+', ZF_FG_ADD}, {'-', ZF_FG_SUBTRACT},   {'*', ZF_FG_MULTIPLY}, {'/', ZF_FG_DIVIDE},  {'m', ZF_FG_MIN},
        {'M', ZF_FG_MAX}, {'r', ZF_FG_ROUND_DOWN}, {'R', ZF_FG_ROUND_UP}, {'f', ZF_FG_REST_UP}, {'F', ZF_FG_REST_DOWN},
    };
    for (uint32_t i = 0; i < ZB_COUNT(operators); i++) {
        if (operators[i].sign == c) {
            *kind = (zf_fg_op_kind)operators[i].kind;
            return true;
        }
    }
    return false;
}

static bool all_operators(zo_text text) {
    zf_fg_op_kind kind;
    for (size_t i = 0; i < text.size; i++) {
        if (!operator_of(text.data[i], &kind)) {
            return false;
        }
    }
    return text.size > 0;
}

// "#name" put after what it is applied to. false: it is something else.
static bool put_reference(maker *m, uint32_t node, zo_text text) {
    if (text.size == 0 || text.data[0] != '#') {
        zf_fg_tell(m->r, node, ZD_FORGE_BAD_REFERENCE, ZD_ARGS(zf_fg_quoted(m->r, text)));
        return false;
    }
    const zo_text name = {text.data + 1, text.size - 1};
    if (!zb_text_equal(name, ZB_TEXT("identity"))) {
        put(m, (zf_fg_op){.kind = ZF_FG_NAMED, .node = node, .name = name});
    }
    return true;
}

// G of F: F is made here, and G is an expression of its own, whose x is what F gives.
static void compose(maker *m, uint32_t node, uint32_t outer) {
    const zj_doc *doc = m->r->doc;
    const uint32_t count = zj_at(doc, node)->as.items.count;
    if (count != 3) {
        zf_fg_tell(m->r, node, ZD_FORGE_WRONG_ARITY,
                   ZD_ARGS(zd_word("compose"), zd_int(2), zd_int((int64_t)count - 1)));
        put_number(m, node, 0.0);
        return;
    }
    const uint32_t mark = m->tasks.count;
    later_value(m, zj_at(doc, outer)->next, false, 0.0);
    later_call(m, outer, new_pending(m, (pending){.node = outer}));
    in_order(m, mark);
}

static void operate(maker *m, uint32_t node, uint32_t first, zo_text operators) {
    const zj_doc *doc = m->r->doc;
    const zd_args counts = ZD_ARGS(zf_fg_quoted(m->r, operators), zd_int((int64_t)operators.size),
                                   zd_int((int64_t)zj_at(doc, node)->as.items.count - 1));
    put(m, (zf_fg_op){.kind = ZF_FG_INPUT, .node = node});
    const uint32_t mark = m->tasks.count;
    uint32_t operand = zj_at(doc, first)->next;
    size_t i = 0;
    for (; i < operators.size && operand != 0; i++, operand = zj_at(doc, operand)->next) {
        zf_fg_op_kind kind = ZF_FG_ADD;
        operator_of(operators.data[i], &kind);
        later_value(m, operand, false, 0.0);
        later_op(m, kind, operand);
    }
    if (i < operators.size) {
        zf_fg_tell_late(m->r, node, ZD_FORGE_MISSING_OPERAND, counts);
        later(m, (task){.kind = OP, .op = {.kind = ZF_FG_FAULT, .node = node, .ref = ZP_FAULT_MISSING_OPERAND}});
    } else if (operand != 0) {
        zf_fg_tell(m->r, operand, ZD_FORGE_EXTRA_OPERAND, counts);
    }
    in_order(m, mark);
}

static void shipped_array(maker *m, uint32_t node) {
    const zj_doc *doc = m->r->doc;
    const uint32_t first = zj_at(doc, node)->as.items.first;
    zo_text kind = {NULL, 0};
    if (first == 0) {
        zf_fg_tell(m->r, node, ZD_FORGE_WRONG_TYPE,
                   ZD_ARGS(zd_word("a parameter"), zd_word("operators with their operands"), zd_word(", not empty")));
        put_number(m, node, 0.0);
    } else if (!zf_fg_text(m->r, first, "the first member of a parameter", &kind)) {
        put_number(m, node, 0.0);
    } else if (zb_text_equal(kind, ZB_TEXT("compose"))) {
        compose(m, node, zj_at(doc, first)->next);
    } else if (all_operators(kind)) {
        operate(m, node, first, kind);
    } else {
        zf_fg_tell(m->r, first, ZD_FORGE_UNKNOWN_PARAMETER_KIND, ZD_ARGS(zf_fg_quoted(m->r, kind)));
        put_number(m, node, 0.0);
    }
}

static void shipped_value(maker *m, uint32_t node) {
    zo_text text = {NULL, 0};
    double number = 0.0;
    if (zf_number(m->r->doc, node, &number)) {
        put_number(m, node, number);
    } else if (zf_text(m->r->doc, node, &text)) {
        put(m, (zf_fg_op){.kind = ZF_FG_INPUT, .node = node});
        put_reference(m, node, text);
    } else if (zf_is(m->r->doc, node, ZJ_ARRAY)) {
        shipped_array(m, node);
    } else {
        const bool object = zf_is(m->r->doc, node, ZJ_OBJECT);
        (object ? zf_fg_other_dialect : zf_fg_wrong_type)(m->r, node, "a parameter",
                                                          "a number, a reference or an array");
        put_number(m, node, 0.0);
    }
}

// -------------------------------------------------------------------------------------------------------------- draft

static void later_input(maker *m, const task *t) {
    if (t->fed) {
        later_number(m, t->node, t->number);
    } else {
        later_op(m, ZF_FG_INPUT, t->node);
    }
}

static void later_source(maker *m, uint32_t node, const source *s) {
    later_number(m, node, s->number);
    if (!s->constant) {
        later_call(m, node, s->expr);
    }
}

// What is no object: a number, which may stand in a text.
static void draft_figure(const maker *m, uint32_t node, const char *what, bool is_count, double *out) {
    static const zf_name words[] = {ZF_NAME("infinity")};
    const char *wanted = is_count ? "a number, an object or \"infinity\"" : "a number or an object";
    zo_text text = {NULL, 0};
    double figure = 0.0;
    const bool is_text = zf_text(m->r->doc, node, &text);
    if (zf_number(m->r->doc, node, out) ||
        (is_text && zf_fg_figure(text, &figure) && zf_fg_number(m->r, node, what, out))) {
        return;
    }
    const bool shipped = zf_is(m->r->doc, node, ZJ_ARRAY) || (text.size > 0 && text.data[0] == '#');
    const uint32_t added = (shipped ? zf_fg_other_dialect : zf_fg_wrong_type)(m->r, node, what, wanted);
    if (is_text && is_count) {
        zf_hint_nearest(m->r->doc, added, text, words, ZB_COUNT(words));
    }
}

// A parameter inside a timing object, which is fed `fed`, and which is that number when it is left out.
static source source_of(maker *m, const zf_fields *f, uint32_t field, double fed) {
    const uint32_t node = f->nodes[field];
    source s = {.constant = true, .number = fed};
    if (node == 0 || zf_number(m->r->doc, node, &s.number)) {
        return s;
    }
    if (zf_is(m->r->doc, node, ZJ_OBJECT)) {
        return (source){.number = fed, .expr = new_pending(m, (pending){.node = node})};
    }
    draft_figure(m, node, f->table->fields[field].name.text, field == FD_COUNT, &s.number);
    return s;
}

static bool is_infinity(const maker *m, uint32_t node) {
    zo_text text = {NULL, 0};
    return zf_text(m->r->doc, node, &text) && zb_text_equal(text, ZB_TEXT("infinity"));
}

static void check_timing(const maker *m, const zf_fields *f, const source *count, const source *length, bool endless) {
    if (length->constant && !(length->number > 0.0)) {
        zf_report(f, FD_LENGTH, ZD_FORGE_LENGTH_NOT_POSITIVE,
                  ZD_ARGS(zd_word(zf_fg_titles[m->r->kind]), zd_number(length->number)));
    }
    if (endless || (count->constant && count->number == 1.0)) {
        return;
    }
    if (count->constant && !(count->number > 0.0)) {
        zf_report(f, FD_COUNT, ZD_FORGE_COUNT_NOT_POSITIVE,
                  ZD_ARGS(zd_word(zf_fg_titles[m->r->kind]), zd_number(count->number)));
        return;
    }
    zf_report(f, FD_COUNT, ZD_FORGE_DRAFT_REPEAT_FORMULA,
              ZD_ARGS(zd_word(zf_fg_titles[m->r->kind]), zd_word(m->e->letter ? "count" : "length")));
}

// y = rate * (x - start), and then: once, clamp(y, 0, length); without end, y modulo length; a count of times, clamp(y,
// 0, count * length) modulo length, or modulo the count by the letter. A length that is not positive gives 0.
static void timing(maker *m, const task *t, const zf_fields *f) {
    const bool endless = is_infinity(m, f->nodes[FD_COUNT]);
    const source rate = source_of(m, f, FD_RATE, 1.0), start = source_of(m, f, FD_START, 0.0);
    const source length = source_of(m, f, FD_LENGTH, 1.0);
    const source count = endless ? (source){.constant = true} : source_of(m, f, FD_COUNT, 1.0);
    check_timing(m, f, &count, &length, endless);
    const uint32_t mark = m->tasks.count, node = t->node;
    later_source(m, node, &rate);
    later_input(m, t);
    later_source(m, node, &start);
    later_op(m, ZF_FG_SUBTRACT, node);
    later_op(m, ZF_FG_MULTIPLY, node);
    if (endless) {
        later_source(m, node, &length);
        later_op(m, ZF_FG_MODULO, node);
    } else {
        later_source(m, node, &count);
        later_source(m, node, &length);
        later(m, (task){.kind = OP, .op = {.kind = ZF_FG_REPEAT, .node = node, .ref = m->e->letter}});
    }
    in_order(m, mark);
}

static void linear(maker *m, const task *t) {
    zf_fields f;
    double weight = 0.0, offset = 0.0;
    zf_fg_open(m->r, &f, t->node, &zf_fg_linear_object, "a linear parameter");
    zf_fg_member_number(m->r, &f, FD_WEIGHT, &weight);
    zf_fg_member_number(m->r, &f, FD_OFFSET, &offset);
    const uint32_t mark = m->tasks.count;
    later_number(m, t->node, weight);
    later_input(m, t);
    later_op(m, ZF_FG_MULTIPLY, t->node);
    later_number(m, t->node, offset);
    later_op(m, ZF_FG_ADD, t->node);
    in_order(m, mark);
}

static void bezier(maker *m, const task *t) {
    zf_fields f;
    double start = 0.0, end = 0.0;
    zf_fg_open(m->r, &f, t->node, &zf_fg_bezier_object, "a bezier parameter");
    zf_fg_member_number(m->r, &f, FD_T_START, &start);
    zf_fg_member_number(m->r, &f, FD_T_END, &end);
    const uint32_t mark = m->tasks.count;
    later_input(m, t);
    later_number(m, t->node, start);
    later_number(m, t->node, end);
    later_op(m, ZF_FG_BEZIER, t->node);
    in_order(m, mark);
}

static void control(maker *m, const task *t) {
    zf_fields f;
    zo_text name = {NULL, 0};
    zf_fg_open(m->r, &f, t->node, &zf_fg_control_object, "a control");
    const uint32_t mark = m->tasks.count;
    later_input(m, t);
    if (zf_fg_member_text(m->r, &f, FD_NAME, &name) && name.size == 0) { // nobody could set it
        zf_fg_tell(m->r, f.nodes[FD_NAME], ZD_FORGE_WRONG_TYPE,
                   ZD_ARGS(zd_word("name"), zd_word("a text"), zd_word(", not empty")));
    } else if (name.size > 0) {
        const uint32_t ref = control_of(m, name, t->node);
        later(m, (task){.kind = OP, .op = {.kind = ZF_FG_CONTROL, .node = t->node, .ref = ref, .name = name}});
    }
    in_order(m, mark);
}

// Without a type it is a timing object, unless its members are those of another kind alone.
static bool lacks_type(const maker *m, uint32_t node) {
    static const struct { zf_name member; const char *kind; } others[] = {
        {ZF_NAME("name"), "control"}, {ZF_NAME("weight"), "linear"}, {ZF_NAME("offset"), "linear"},
        {ZF_NAME("t_start"), "bezier"}, {ZF_NAME("t_end"), "bezier"}};
    const zj_doc *doc = m->r->doc;
    const char *kind = NULL;
    for (uint32_t i = 0; i < ZB_COUNT(others); i++) {
        if (kind == NULL && zj_member(doc, node, zf_name_text(others[i].member)) != 0) {
            kind = others[i].kind;
        }
    }
    for (uint32_t i = 0; i < zf_fg_timing_object.field_count; i++) {
        if (zj_member(doc, node, zf_name_text(zf_fg_timing_object.fields[i].name)) != 0) {
            return false;
        }
    }
    if (kind == NULL) {
        return false;
    }
    const uint32_t added = zf_fg_tell(m->r, node, ZD_FORGE_MISSING_KEY,
                                      ZD_ARGS(zd_word("a parameter"), zd_word("type")));
    if (added != 0) {
        zd_report_hint(doc->report, added, "\"type\": \"{}\" has members like these", ZD_ARGS(zd_word(kind)));
    }
    return true;
}

static void draft_object(maker *m, const task *t) {
    const zj_doc *doc = m->r->doc;
    const uint32_t type = zj_member(doc, t->node, ZB_TEXT("type"));
    zo_text kind = {NULL, 0};
    zf_fields f;
    if (type == 0 && lacks_type(m, t->node)) {
        put_number(m, t->node, 0.0);
        return;
    }
    if (type == 0) {
        zf_fg_open(m->r, &f, t->node, &zf_fg_timing_object, "a parameter");
        timing(m, t, &f);
        return;
    }
    if (zf_fg_text(m->r, type, "type", &kind)) {
        static const struct { zf_name name; void (*make)(maker *, const task *); } kinds[] = {
            {ZF_NAME("linear"), linear}, {ZF_NAME("bezier"), bezier}, {ZF_NAME("control"), control}};
        static const zf_name words[] = {ZF_NAME("linear"), ZF_NAME("bezier"), ZF_NAME("control")};
        for (uint32_t i = 0; i < ZB_COUNT(kinds); i++) {
            if (zf_name_is(&kinds[i].name, kind)) {
                kinds[i].make(m, t);
                return;
            }
        }
        const uint32_t added = zf_fg_tell(m->r, type, ZD_FORGE_UNKNOWN_PARAMETER_KIND,
                                          ZD_ARGS(zf_fg_quoted(m->r, kind)));
        zf_hint_nearest(doc, added, kind, words, ZB_COUNT(words));
    }
    put_number(m, t->node, 0.0);
}

static void draft_value(maker *m, const task *t) {
    double number = 0.0;
    if (zf_is(m->r->doc, t->node, ZJ_OBJECT)) {
        draft_object(m, t);
        return;
    }
    draft_figure(m, t->node, "a parameter", false, &number);
    put_number(m, t->node, number);
}

// ------------------------------------------------------------------------------------------------------------- making

static void run(maker *m) {
    while (m->tasks.count > 0 && !zb_arena_failed(m->r->arena)) {
        const task t = ((const task *)(const void *)m->tasks.items)[--m->tasks.count];
        if (t.kind == OP) {
            put(m, t.op);
        } else if (m->r->kind == ZF_FG_MACHINE) {
            shipped_value(m, t.node);
        } else {
            draft_value(m, &t);
        }
    }
}

static void make(maker *m, const pending *p) {
    const uint32_t first_op = m->e->ops.count;
    later_value(m, p->node, false, 0.0);
    run(m);
    zf_fg_expr *expr = zf_fg_expr_at(m->e, p->expr);
    expr->first_op = first_op;
    expr->op_count = m->e->ops.count - first_op;
}

uint32_t zf_fg_read_expr(const zf_fg_reading *r, zf_fg_exprs *e, zo_text name, uint32_t node) {
    maker m = {.r = r, .e = e, .tasks = zb_array_open(r->arena, sizeof(task))};
    const uint32_t expr = new_expr(&m, name, node);
    if (zb_arena_failed(r->arena)) {
        return 0;
    }
    make(&m, &(pending){.expr = expr, .node = node});
    while (e->pending.count > 0 && !zb_arena_failed(r->arena)) {
        const pending p = ((const pending *)(const void *)e->pending.items)[--e->pending.count];
        make(&m, &p);
    }
    return expr;
}

// ------------------------------------------------------------------------------------------------------------- names

// Whether the host knows of it, so that nothing need be told.
static bool is_awaited(const maker *m, zo_text name, zd_id id) {
    const zo_compile_def *def = m->r->input->def;
    bool is = def->open_params && id == ZD_FORGE_SUPPLIED_PARAMETER;
    for (uint32_t i = 0; i < def->param_count && !is; i++) {
        is = zb_text_equal(zb_text(def->params[i]), name);
    }
    return is;
}

// A name that a clip asks for is mostly one of the file's, and a spelling mistake where it is not; what parameters are
// worked out from is often supplied by whoever plays the machine.
static void resolve_name(maker *m, zf_fg_op *op, zd_id id) {
    zf_fg_exprs *e = m->e;
    const uint32_t named = zb_intern_find(&e->names, op->name);
    if (named != 0) {
        op->kind = ZF_FG_CALL;
        op->ref = ((const uint32_t *)(const void *)e->named.items)[named - 1];
        return;
    }
    const uint32_t known = e->controls.count;
    op->kind = ZF_FG_CONTROL;
    op->ref = control_of(m, op->name, op->node);
    if (op->ref >= known && !is_awaited(m, op->name, id)) {
        zf_fg_tell(m->r, op->node, id, ZD_ARGS(zf_fg_quoted(m->r, op->name)));
    }
}

static void resolve_names(const zf_fg_reading *r, zf_fg_exprs *e) {
    maker m = {.r = r, .e = e};
    for (uint32_t n = 0; n < e->ops.count; n++) { // those of clips first
        const uint32_t of_clips = e->ops.count - e->parameter_ops;
        const uint32_t i = n < of_clips ? e->parameter_ops + n : n - of_clips;
        if (zf_fg_op_at(e, i)->kind == ZF_FG_NAMED && !zb_arena_failed(r->arena)) {
            resolve_name(&m, zf_fg_op_at(e, i),
                         n < of_clips ? ZD_FORGE_UNRESOLVED_PARAMETER : ZD_FORGE_SUPPLIED_PARAMETER);
        }
    }
}

typedef struct step { // of the way down
    uint32_t expr, op;
} step;

static void put_name(zb_buffer *out, zo_text name) {
    if (name.size > 0 && out->size < ZF_FG_WAY_MAX) {
        zb_put(out, out->size > 0 ? " -> " : "");
        zf_put_cut(out, name);
    }
}

// "a -> b -> a", of those on the way that have names.
static void tell_cycle(const zf_fg_reading *r, const zf_fg_exprs *e, const step *way, uint32_t count, uint32_t back,
                       uint32_t node) {
    zb_buffer path = zb_buffer_open(r->arena);
    uint32_t i = zd_report_keeps(r->input->report, ZD_FORGE_REFERENCE_CYCLE) ? 0 : count; // many lead back to one
    while (i < count && way[i].expr != back) {
        i++;
    }
    for (uint32_t k = i; k < count && path.size < ZF_FG_WAY_MAX; k++) {
        put_name(&path, zf_fg_expr_at(e, way[k].expr)->name);
    }
    put_name(&path, zf_fg_expr_at(e, back)->name);
    zf_fg_tell_late(r, node, ZD_FORGE_REFERENCE_CYCLE,
                    ZD_ARGS(zd_word("parameter"), zd_text((zo_text){path.data, path.size})));
}

void zf_fg_resolve(const zf_fg_reading *r, zf_fg_exprs *e) {
    enum { UNSEEN, OPEN, DONE };
    resolve_names(r, e);
    const uint32_t count = e->exprs.count;
    uint8_t *seen = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *seen);
    uint32_t *order = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *order);
    step *way = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *way);
    uint32_t done = 0;
    e->order = order;
    if (seen == NULL || order == NULL || way == NULL || zb_arena_failed(r->arena)) {
        return;
    }
    for (uint32_t root = 0; root < count; root++) {
        uint32_t depth = 0;
        if (seen[root] == UNSEEN) {
            way[depth++] = (step){root, 0};
            seen[root] = OPEN;
        }
        while (depth > 0) {
            step *at = &way[depth - 1];
            const zf_fg_expr *expr = zf_fg_expr_at(e, at->expr);
            if (at->op == expr->op_count) {
                seen[at->expr] = DONE;
                order[done++] = at->expr;
                depth--;
                continue;
            }
            zf_fg_op *op = zf_fg_op_at(e, expr->first_op + at->op++);
            if (op->kind != ZF_FG_CALL || seen[op->ref] == DONE) {
                continue;
            }
            if (seen[op->ref] == OPEN) {
                tell_cycle(r, e, way, depth, op->ref, op->node);
                op->kind = ZF_FG_FAULT;
                op->ref = ZP_FAULT_CYCLE;
                continue;
            }
            seen[op->ref] = OPEN;
            way[depth++] = (step){op->ref, 0};
        }
    }
}
