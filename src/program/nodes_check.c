// The check of controls, expressions and nodes, and how large they are to work out. Called by validate.c, once all that
// they refer to is fine, and by the builder, which writes down what the check comes to as well. Must not allocate; what
// it lets through is worked out on stacks of fixed size, in bounded time.
#include "program/program.h"

#define WRONG(fact, what_is_wrong) \
    if (!(fact)) { return what_is_wrong; }

static uint32_t saturated(uint64_t cost) { return cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

// ---------------------------------------------------------------------------------------------------- expressions

// How many numbers it takes from the stack; each pushes one.
static uint32_t taken_by(uint32_t code) {
    switch (code) {
    case ZP_OP_NUMBER:
    case ZP_OP_INPUT: return 0;
    case ZP_OP_CONTROL:
    case ZP_OP_CALL:
    case ZP_OP_FAULT: return 1;
    case ZP_OP_CLAMP:
    case ZP_OP_REPEAT:
    case ZP_OP_BEZIER: return 3;
    default: return 2;
    }
}

const char *zp_expr_measure(const zp_op *ops, uint32_t op_count, const zp_expr *exprs, uint32_t expr_count,
                            zp_expr_size *size) {
    uint32_t height = 0, stack = 0;
    uint64_t cost = 0;
    for (uint32_t i = 0; i < op_count; ++i) {
        WRONG(ops[i].code < ZP_OP_COUNT, "no such operation");
        const uint32_t taken = taken_by(ops[i].code);
        WRONG(taken <= height, "an operation finds too few numbers");
        uint32_t most = height;
        if (ops[i].code == ZP_OP_CALL) {
            WRONG(ops[i].argument < expr_count, "an expression calls one that does not stand before it");
            most = height + exprs[ops[i].argument].stack; // neither is beyond its limit
            cost += exprs[ops[i].argument].cost;
        }
        height = height - taken + 1;
        stack = larger(stack, larger(most, height));
        cost = saturated(cost + 1);
        WRONG(stack <= ZP_EXPR_STACK_MAX, "an expression is too deep");
    }
    WRONG(height == 1, "an expression does not come to one number");
    WRONG(cost <= ZP_EXPR_COST_MAX, "an expression takes too long");
    *size = (zp_expr_size){stack, (uint32_t)cost};
    return NULL;
}

static const char *check_op(const zp_program *program, const zp_op *op) {
    const uint32_t argument = op->argument;
    switch (op->code) {
    case ZP_OP_NUMBER: WRONG(argument < zp_count(program, ZP_SECTION_NUMBERS), "a number is out of range"); break;
    case ZP_OP_CONTROL:
        WRONG(argument < zp_count(program, ZP_SECTION_PARAMS) && program->params[argument].clip == ZP_NO_CLIP,
              "an operation's control is none");
        break;
    case ZP_OP_REPEAT: WRONG(argument <= 1, "an operation has an argument that it does not use"); break;
    case ZP_OP_FAULT: WRONG(argument > ZP_FAULT_NONE && argument < ZP_FAULT_COUNT, "no such fault"); break;
    case ZP_OP_CALL: break; // measured
    default: WRONG(argument == 0, "an operation has an argument that it does not use");
    }
    return NULL;
}

static const char *check_exprs(const zp_program *program) {
    uint32_t op = 0;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EXPRS); ++i) {
        const zp_expr *expr = &program->exprs[i];
        WRONG(expr->name < zp_count(program, ZP_SECTION_NAMES), "an expression's name is out of range");
        WRONG((expr->flags & ~(uint32_t)ZP_EXPR_F32) == 0, "no such flag of an expression");
        WRONG(expr->first_op == op && (uint64_t)op + expr->op_count <= zp_count(program, ZP_SECTION_OPS),
              "an expression's operations are out of range");
        zp_expr_size size;
        const char *what = zp_expr_measure(program->ops + op, expr->op_count, program->exprs, i, &size);
        if (what) { return what; }
        WRONG(expr->stack == size.stack && expr->cost == size.cost, "an expression is not as large as it says");
        for (uint32_t end = op + expr->op_count; op < end; ++op) {
            what = check_op(program, &program->ops[op]);
            if (what) { return what; }
        }
    }
    WRONG(op == zp_count(program, ZP_SECTION_OPS), "an operation is no expression's");
    return NULL;
}

// ---------------------------------------------------------------------------------------------------- nodes

void zp_node_measure(zp_node *node, const zp_node *nodes, const zp_expr *exprs) {
    const zp_node nothing = {0};
    const zp_node *a = node->a_ref != 0 ? &nodes[node->a_ref - 1] : &nothing;
    const zp_node *b = node->b_ref != 0 ? &nodes[node->b_ref - 1] : &nothing;
    const uint64_t expr_cost = node->expr_ref != 0 ? exprs[node->expr_ref - 1].cost : 0;
    node->depth = larger(1, larger(a->depth, node->b_ref != 0 ? b->depth + 1 : 0));
    node->height = larger(a->height, b->height) + 1;
    node->cost = saturated(1 + expr_cost + (uint64_t)a->cost + b->cost);
}

// Events that a look at the world can tell, and nothing that would have to be done.
static const char *check_clip(const zp_program *program, uint32_t clip_ref, uint64_t *budget) {
    if (clip_ref == 0) { return NULL; }
    const zp_clip *clip = &program->clips[clip_ref - 1];
    WRONG(clip->event_count <= *budget, "nodes share clips out of all proportion");
    *budget -= clip->event_count;
    for (uint32_t i = 0; i < clip->event_count; ++i) {
        const zp_event *event = &program->events[clip->first_event + i];
        WRONG((event->action == ZP_ACTION_NOTIFY || event->action == ZP_ACTION_REQUEST_STATE) &&
                  event->subject_ref == 0, "a node's clip has an event that it cannot tell");
    }
    return NULL;
}

static const char *check_node(const zp_program *program, uint32_t index, uint64_t *budget) {
    static const struct { bool a, b, expr, clip; } uses[ZP_NODE_KIND_COUNT] = {
        [ZP_NODE_CLIP] = {.clip = true}, [ZP_NODE_TIME] = {.a = true, .expr = true},
        [ZP_NODE_BLEND] = {.a = true, .b = true, .expr = true}, [ZP_NODE_TRIGGER] = {.a = true, .expr = true},
        [ZP_NODE_PRODUCT] = {.a = true, .b = true}};
    const zp_node *node = &program->nodes[index];
    const uint32_t name_count = zp_count(program, ZP_SECTION_NAMES);
    WRONG(node->kind < ZP_NODE_KIND_COUNT, "no such node");
    WRONG(node->name < name_count && node->event < name_count, "a node's name is out of range");
    WRONG(node->a_ref <= index && node->b_ref <= index, "a node stands before its child");
    WRONG(node->expr_ref <= zp_count(program, ZP_SECTION_EXPRS), "a node's expression is out of range");
    WRONG(node->clip_ref <= zp_count(program, ZP_SECTION_CLIPS), "a node's clip is out of range");
    WRONG((node->a_ref != 0) == uses[node->kind].a && (node->b_ref != 0) == uses[node->kind].b &&
              (node->clip_ref != 0) == uses[node->kind].clip && (node->expr_ref == 0 || uses[node->kind].expr),
          "a node has too much or too little");
    switch (node->kind) {
    case ZP_NODE_TRIGGER:
        WRONG(node->detail == ZP_ACTION_NOTIFY || node->detail == ZP_ACTION_REQUEST_STATE, "no such event of a node");
        break;
    case ZP_NODE_FAULT: WRONG(node->detail > ZP_FAULT_NONE && node->detail < ZP_FAULT_COUNT, "no such fault"); break;
    default: WRONG(node->detail == 0, "a node has too much or too little");
    }
    const char *what = check_clip(program, node->clip_ref, budget);
    if (what) { return what; }
    WRONG(node->event == 0 || node->kind == ZP_NODE_TRIGGER, "a node has too much or too little");
    zp_node measured = *node;
    zp_node_measure(&measured, program->nodes, program->exprs);
    WRONG(node->depth == measured.depth && node->height == measured.height && node->cost == measured.cost,
          "a node is not as large as it says");
    WRONG(node->depth <= ZP_NODE_DEPTH_MAX && node->height <= ZP_NODE_HEIGHT_MAX, "a node is too deep");
    WRONG(node->cost <= ZP_EXPR_COST_MAX, "a node takes too long");
    WRONG(node->reserved == 0, "a reserved field is not zero");
    return NULL;
}

// ---------------------------------------------------------------------------------------------------- the whole

// Behind those of the clips, which are fine.
static const char *check_controls(const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_PARAMS);
    for (uint32_t i = 0; i < count; ++i) {
        const zp_param *param = &program->params[i];
        if (param->clip != ZP_NO_CLIP) { continue; }
        WRONG(param->name < zp_count(program, ZP_SECTION_NAMES), "a parameter's name is out of range");
        WRONG(zb_is_finite(param->value) && zb_is_finite(param->slope), "a control's line is not finite");
        WRONG(!zb_is_finite(param->low) && param->low < 0.0 && !zb_is_finite(param->high) && param->high > 0.0,
              "a control has limits");
        WRONG((param->flags & ~(uint32_t)ZP_PARAM_NEEDED) == 0, "no such flag of a parameter");
        WRONG(param->reserved == 0, "a reserved field is not zero");
    }
    return NULL;
}

const char *zp_nodes_check(const zp_program *program, uint64_t *budget) {
    const char *what = check_controls(program);
    if (!what) { what = check_exprs(program); }
    uint32_t depth = 0;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_NODES) && !what; ++i) {
        what = check_node(program, i, budget);
        depth = larger(depth, program->nodes[i].depth);
    }
    if (what) { return what; }
    uint32_t blends = 0;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EDGES); ++i) { blends |= program->edges[i].blend_ns > 0; }
    WRONG(program->header->clip_depth_max == depth + blends, "nodes take more poses at once, or fewer");
    return NULL;
}
