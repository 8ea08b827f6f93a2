// The parts of the listing that tell of controls, expressions and nodes, and of machines that show poses. Called by
// dump.c. Reads a checked program.
#include "base/buffer.h"
#include "program/program.h"

static void put_name(zb_buffer *out, const zp_program *program, zp_name name) {
    zb_put_json_text(out, zb_text(zp_name_text(program, name)));
}

// A record by its index, and its name where it has one.
static void put_record(zb_buffer *out, const zp_program *program, const char *word, uint32_t index, zp_name name) {
    zb_put(out, word);
    zb_put_uint(out, index);
    if (name == 0) { return; }
    zb_put_char(out, ' ');
    put_name(out, program, name);
}

static const char *const faults[ZP_FAULT_COUNT] = {"none", "missing operand", "unresolved parameter", "cycle",
                                                   "unresolved clip"};

// ---------------------------------------------------------------------------------------------------- expressions

static void put_controls(zb_buffer *out, const zp_program *program) {
    const char *heading = "\ncontrols\n  ";
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_PARAMS); ++i) {
        const zp_param *param = &program->params[i];
        if (param->clip != ZP_NO_CLIP) { continue; }
        put_record(out, program, heading, i, param->name);
        heading = "  ";
        zb_put(out, "  ");
        zb_put_double(out, param->value);
        zb_put(out, " + ");
        zb_put_double(out, param->slope);
        zb_put(out, param->flags & ZP_PARAM_NEEDED ? " x  needed\n" : " x\n");
    }
}

static void put_op(zb_buffer *out, const zp_program *program, const zp_op *op) {
    static const char *const codes[ZP_OP_COUNT] = {
        [ZP_OP_INPUT] = "x", [ZP_OP_ADD] = "+", [ZP_OP_SUB] = "-", [ZP_OP_MUL] = "*", [ZP_OP_DIV] = "/",
        [ZP_OP_MIN] = "min", [ZP_OP_MAX] = "max", [ZP_OP_ROUND_DOWN] = "round down", [ZP_OP_ROUND_UP] = "round up",
        [ZP_OP_REST_UP] = "rest up", [ZP_OP_REST_DOWN] = "rest down", [ZP_OP_CLAMP] = "clamp",
        [ZP_OP_MODULO] = "modulo", [ZP_OP_REPEAT] = "repeat", [ZP_OP_BEZIER] = "bezier"};
    switch (op->code) {
    case ZP_OP_NUMBER: zb_put_double(out, program->numbers[op->argument]); break;
    case ZP_OP_CONTROL: put_record(out, program, "control ", op->argument, 0); break;
    case ZP_OP_CALL: put_record(out, program, "expression ", op->argument, 0); break;
    case ZP_OP_FAULT:
        zb_put(out, "fault: ");
        zb_put(out, faults[op->argument]);
        break;
    default:
        zb_put(out, codes[op->code]);
        if (op->argument != 0) { zb_put(out, " by count"); }
    }
}

static void put_exprs(zb_buffer *out, const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EXPRS); ++i) {
        const zp_expr *expr = &program->exprs[i];
        put_record(out, program, i == 0 ? "\nexpressions\n  " : "  ", i, expr->name);
        zb_put(out, expr->flags & ZP_EXPR_F32 ? "  f32 " : "  f64 ");
        for (uint32_t op = 0; op < expr->op_count; ++op) {
            zb_put(out, op == 0 ? " " : ", ");
            put_op(out, program, &program->ops[expr->first_op + op]);
        }
        zb_put_char(out, '\n');
    }
}

// ---------------------------------------------------------------------------------------------------- nodes

static void put_nodes(zb_buffer *out, const zp_program *program) {
    static const char *const kinds[ZP_NODE_KIND_COUNT] = {"rest", "clip ", "time", "blend", "trigger", "product",
                                                          "fault: "};
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_NODES); ++i) {
        const zp_node *node = &program->nodes[i];
        put_record(out, program, i == 0 ? "\nnodes\n  " : "  ", i, node->name);
        zb_put(out, "  ");
        zb_put(out, kinds[node->kind]);
        if (node->clip_ref != 0) { put_name(out, program, program->clips[node->clip_ref - 1].name); }
        if (node->kind == ZP_NODE_FAULT) { zb_put(out, faults[node->detail]); }
        if (node->a_ref != 0) { put_record(out, program, " of node ", node->a_ref - 1, 0); }
        if (node->b_ref != 0) { put_record(out, program, " and node ", node->b_ref - 1, 0); }
        if (node->expr_ref != 0) { put_record(out, program, " by expression ", node->expr_ref - 1, 0); }
        if (node->kind == ZP_NODE_TRIGGER) {
            zb_put(out, node->detail == ZP_ACTION_NOTIFY ? ", tells " : ", asks for ");
            put_name(out, program, node->event);
        }
        zb_put_char(out, '\n');
    }
}

void zp_nodes_dump(const zp_program *program, zb_buffer *out) {
    put_controls(out, program);
    put_exprs(out, program);
    put_nodes(out, program);
}

// ---------------------------------------------------------------------------------------------------- machines

void zp_posing_dump(const zp_program *program, const zp_machine *machine, zb_buffer *out) {
    if (machine->commit == ZP_COMMIT_NEXT_POLL) {
        zb_put(out, "  looks ");
        if (machine->poll_ns == 0) {
            zb_put(out, "when the host says");
        } else {
            zb_put(out, "every ");
            zb_put_double(out, (double)machine->poll_ns / 1e6);
            zb_put(out, " ms");
        }
    } else {
        zb_put(out, "  changes at once");
    }
    zb_put(out, machine->flags & ZP_MACHINE_TIME_F32 ? ", times in f32\n" : "\n");
    for (uint32_t s = machine->first_state; s < machine->first_state + machine->state_count; ++s) {
        const zp_state *state = &program->states[s];
        zb_put(out, "  state ");
        put_name(out, program, state->name);
        put_record(out, program, "  node ", state->node_ref - 1, 0);
        zb_put(out, machine->start == s ? "  first\n" : "\n");
        for (uint32_t e = 0; e < state->edge_count; ++e) {
            const zp_edge *edge = &program->edges[state->first_edge + e];
            zb_put(out, "    to ");
            put_name(out, program, program->states[edge->to].name);
            if (edge->blend_ns != 0) {
                zb_put(out, " in ");
                zb_put_double(out, (double)edge->blend_ns / 1e6);
                zb_put(out, " ms");
            }
            zb_put_char(out, '\n');
        }
    }
}
