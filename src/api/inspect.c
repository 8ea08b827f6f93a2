// What is in a program, by index and by name. Called by users of either library. Plain reading of the records: ids
// count from 1, so an id is the record's index + 1, and a reference field is an id already.
#include <zoetrope/inspect.h>

#include "base/buffer.h"
#include "program/program.h"

static const char *name_of(const zp_program *program, zp_name name) { return zp_name_text(program, name); }

static bool is_name(const zp_program *program, zp_name name, const char *text) {
    return strcmp(zp_name_text(program, name), text) == 0;
}

// Whether `id` is one of the section's; id 0 is none.
static bool has(const zp_program *program, zp_section_id section, uint32_t id) {
    ZO_ASSERT(program);
    return id > 0 && id <= zp_count(program, section);
}

const char *zo_program_format(const zo_program *program) {
    ZO_ASSERT(program);
    return name_of(program, program->header->format);
}

zo_profile zo_program_profile(const zo_program *program) {
    ZO_ASSERT(program);
    return program->header->profile == ZO_PROFILE_ORIGINAL ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT;
}

uint64_t zo_program_hash(const zo_program *program) {
    ZO_ASSERT(program);
    return program->header->hash;
}

void zo_program_stage(const zo_program *program, double stage[4]) {
    ZO_ASSERT(program);
    ZO_ASSERT(stage);
    memcpy(stage, program->header->stage, 4 * sizeof stage[0]);
}

// ---------------------------------------------------------------------------------------------------- clips

uint32_t zo_clip_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_CLIPS);
}

static double delay_ms(const zp_clip *clip, double delay) {
    return clip->repeat == ZP_REPEAT_RANDOM_INTERVAL ? delay * (double)clip->delay_unit_ns / 1e6 : 0.0;
}

bool zo_clip_get(const zo_program *program, zo_clip clip, zo_clip_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_CLIPS, clip.id)) { return false; }
    const zp_clip *record = &program->clips[clip.id - 1];
    *info = (zo_clip_info){
        .name = name_of(program, record->name),
        .label = name_of(program, record->label),
        .kind = name_of(program, record->kind),
        .time_unit = (zo_time_unit)record->time_unit,
        .frame_ns = record->frame_ns,
        .repeat = (zo_repeat)record->repeat,
        .duration_ns = record->duration_ns,
        .duration_ns_min = record->duration_ns_min,
        .duration_ns_max = record->duration_ns_max,
        .delay_ms_min = delay_ms(record, record->delay_min),
        .delay_ms_max = delay_ms(record, record->delay_max),
        .event_count = record->event_count,
        .param_count = record->param_count,
        .first_param = {record->param_count > 0 ? record->first_param + 1 : 0},
        .reduced = {record->reduced_ref},
    };
    // A wide curve stands for as many as it is wide.
    for (uint32_t i = 0; i < record->curve_count; ++i) {
        const zp_curve *curve = &program->curves[record->first_curve + i];
        info->curve_count += curve->width;
        info->key_count += curve->key_count * curve->width;
    }
    return true;
}

zo_clip zo_clip_find(const zo_program *program, const char *name) {
    for (uint32_t i = 0; name && i < zo_clip_count(program); ++i) {
        if (is_name(program, program->clips[i].name, name)) { return (zo_clip){i + 1}; }
    }
    return (zo_clip){0};
}

bool zo_clip_event_get(const zo_program *program, zo_clip clip, uint32_t index, zo_clip_event_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_CLIPS, clip.id)) { return false; }
    const zp_clip *record = &program->clips[clip.id - 1];
    if (index >= record->event_count) { return false; }
    const zp_event *event = &program->events[record->first_event + index];
    const bool shows = event->action == ZP_ACTION_SHOW_CEL && event->subject_ref > 0;
    *info = (zo_clip_event_info){
        .at_ns = event->at_ns,
        .at = event->at,
        .action = (zo_action)event->action,
        .name = name_of(program, shows ? program->cels[event->subject_ref - 1].name : event->name),
        .argument_count = event->argument_count,
    };
    return true;
}

bool zo_clip_event_argument_get(const zo_program *program, zo_clip clip, uint32_t index, uint32_t argument,
                                zo_argument_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_CLIPS, clip.id) || index >= program->clips[clip.id - 1].event_count) { return false; }
    const zp_event *event = &program->events[program->clips[clip.id - 1].first_event + index];
    if (argument >= event->argument_count) { return false; }
    const zp_argument *record = &program->arguments[event->first_argument + argument];
    *info = (zo_argument_info){
        .name = name_of(program, record->name),
        .kind = (zo_argument_kind)record->kind,
        .number = record->kind != ZP_ARGUMENT_TEXT ? record->number : 0.0,
        .text = name_of(program, record->kind == ZP_ARGUMENT_TEXT ? record->text : 0),
    };
    return true;
}
_Static_assert((int)ZO_ARGUMENT_NUMBER == ZP_ARGUMENT_NUMBER && (int)ZO_ARGUMENT_TEXT == ZP_ARGUMENT_TEXT &&
               (int)ZO_ARGUMENT_FLAG == ZP_ARGUMENT_FLAG, "the same values");

// ---------------------------------------------------------------------------------------------------- channels

static bool drives(const zp_program *program, const zp_clip *clip, uint32_t channel) {
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        const zp_curve *curve = &program->curves[clip->first_curve + i];
        if (channel >= curve->first_channel && channel - curve->first_channel < curve->width) { return true; }
    }
    return false;
}

uint32_t zo_channel_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_CHANNELS);
}

bool zo_channel_get(const zo_program *program, zo_channel channel, zo_channel_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_CHANNELS, channel.id)) { return false; }
    const zp_channel *record = &program->channels[channel.id - 1];
    *info = (zo_channel_info){
        .name = name_of(program, record->name),
        .unit = name_of(program, record->unit),
        .rest = record->rest,
        .is_index = record->is_index != 0,
    };
    for (uint32_t i = 0; !info->used && i < zo_clip_count(program); ++i) {
        info->used = drives(program, &program->clips[i], channel.id - 1);
    }
    return true;
}

zo_channel zo_channel_find(const zo_program *program, const char *name) {
    for (uint32_t i = 0; name && i < zo_channel_count(program); ++i) {
        if (is_name(program, program->channels[i].name, name)) { return (zo_channel){i + 1}; }
    }
    return (zo_channel){0};
}

bool zo_clip_drives(const zo_program *program, zo_clip clip, zo_channel channel) {
    return has(program, ZP_SECTION_CLIPS, clip.id) && has(program, ZP_SECTION_CHANNELS, channel.id) &&
           drives(program, &program->clips[clip.id - 1], channel.id - 1);
}

// ---------------------------------------------------------------------------------------------------- parameters

const char *zo_layer_name(const zo_program *program, uint32_t layer) {
    return layer < zp_count(program, ZP_SECTION_LAYERS) ? zp_name_text(program, program->layers[layer].name) : NULL;
}

uint32_t zo_state_count(const zo_program *program) { return zp_count(program, ZP_SECTION_STATES); }

bool zo_state_get(const zo_program *program, zo_state state, zo_state_info *info) {
    if (state.id == 0 || state.id > zp_count(program, ZP_SECTION_STATES)) { return false; }
    const zp_state *record = &program->states[state.id - 1];
    const zp_machine *machine = program->machines; // its own
    while (state.id - 1 - machine->first_state >= machine->state_count) { ++machine; }
    *info = (zo_state_info){.name = zp_name_text(program, record->name), .group = zp_name_text(program, record->group),
                            .cel = {record->cel_ref}, .first = machine->start == state.id - 1};
    if (zp_machine_runs(machine)) { info->clip.id = program->plays[program->words[record->first_play] - 1].clip + 1; }
    info->node.id = record->node_ref;
    return true;
}

bool zo_edge_get(const zo_program *program, uint32_t index, zo_edge_info *info) {
    ZO_ASSERT(info);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MACHINES); ++i) {
        const zp_machine *machine = &program->machines[i];
        if (!zp_machine_runs(machine) && !zp_machine_poses(machine)) { continue; }
        if (index >= machine->edge_count) { return false; }
        const zp_edge *edge = &program->edges[machine->first_edge + index];
        *info = (zo_edge_info){.from = {edge->from_ref}, .to = {edge->to + 1}, .weight = edge->weight,
                                .blend_ns = edge->blend_ns};
        return true;
    }
    return false;
}

bool zo_posing_get(const zo_program *program, zo_posing_info *info) {
    ZO_ASSERT(info);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MACHINES); ++i) {
        const zp_machine *machine = &program->machines[i];
        if (!zp_machine_poses(machine)) { continue; }
        *info = (zo_posing_info){.looks = machine->commit == ZP_COMMIT_NEXT_POLL, .look_ns = machine->poll_ns,
                                 .time_f32 = (machine->flags & ZP_MACHINE_TIME_F32) != 0};
        return true;
    }
    return false;
}

const char *zo_status_type(const zo_program *program, uint32_t index) {
    return index < zp_count(program, ZP_SECTION_SIGNALS) ? zp_name_text(program, program->signals[index].type) : NULL;
}

uint32_t zo_param_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_PARAMS);
}

bool zo_param_get(const zo_program *program, zo_param param, zo_param_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_PARAMS, param.id)) { return false; }
    const zp_param *record = &program->params[param.id - 1];
    *info = (zo_param_info){
        .name = name_of(program, record->name),
        .value = record->value,
        .low = record->low,
        .high = record->high,
        .clip = {record->clip + 1}, // a control's is none
        .slope = record->slope,
        .needed = (record->flags & ZP_PARAM_NEEDED) != 0,
    };
    return true;
}

zo_param zo_param_find(const zo_program *program, const char *name) {
    for (uint32_t i = 0; name && i < zo_param_count(program); ++i) {
        if (is_name(program, program->params[i].name, name)) { return (zo_param){i + 1}; }
    }
    return (zo_param){0};
}

_Static_assert(ZP_NO_CLIP + 1 == 0, "ids count from 1");

const char *zo_fault_name(zo_fault fault) {
    static const char *const names[ZO_FAULT_COUNT] = {"", "missing-operand", "unresolved-parameter", "reference-cycle",
                                                      "unresolved-clip"};
    return (uint32_t)fault < ZO_FAULT_COUNT ? names[fault] : "";
}

// ---------------------------------------------------------------------------------------------------- expressions

uint32_t zo_expr_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_EXPRS);
}

zo_expr zo_expr_find(const zo_program *program, const char *name) {
    for (uint32_t i = 0; name && i < zo_expr_count(program); ++i) {
        const zp_name own = program->exprs[i].name;
        if (own != 0 && is_name(program, own, name)) { return (zo_expr){i + 1}; }
    }
    return (zo_expr){0};
}

const char *zo_expr_name(const zo_program *program, zo_expr expr) {
    return has(program, ZP_SECTION_EXPRS, expr.id) ? name_of(program, program->exprs[expr.id - 1].name) : "";
}

_Static_assert((int)ZO_OP_FAULT == ZP_OP_FAULT && (int)ZO_OP_REPEAT == ZP_OP_REPEAT && (int)ZO_OP_DIV == ZP_OP_DIV,
               "the same values");

bool zo_expr_op_get(const zo_program *program, zo_expr expr, uint32_t index, zo_op *op) {
    ZO_ASSERT(op);
    if (!has(program, ZP_SECTION_EXPRS, expr.id) || index >= program->exprs[expr.id - 1].op_count) { return false; }
    const zp_op *record = &program->ops[program->exprs[expr.id - 1].first_op + index];
    *op = (zo_op){.code = (zo_op_code)record->code};
    switch (record->code) {
    case ZP_OP_NUMBER: op->number = program->numbers[record->argument]; break;
    case ZP_OP_CONTROL: op->control.id = record->argument + 1; break;
    case ZP_OP_CALL: op->expr.id = record->argument + 1; break;
    case ZP_OP_FAULT: op->fault = (zo_fault)record->argument; break;
    default: op->number = (double)record->argument; break;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- nodes

_Static_assert((int)ZO_NODE_FAULT == ZP_NODE_FAULT && (int)ZO_NODE_TIME == ZP_NODE_TIME, "the same values");

uint32_t zo_node_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_NODES);
}

bool zo_node_get(const zo_program *program, zo_node node, zo_node_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_NODES, node.id)) { return false; }
    const zp_node *record = &program->nodes[node.id - 1];
    const bool triggers = record->kind == ZP_NODE_TRIGGER, faulty = record->kind == ZP_NODE_FAULT;
    *info = (zo_node_info){
        .name = name_of(program, record->name),
        .kind = (zo_node_kind)record->kind,
        .a = {record->a_ref},
        .b = {record->b_ref},
        .expr = {record->expr_ref},
        .clip = {record->clip_ref},
        .action = triggers ? (zo_action)record->detail : ZO_ACTION_NOTIFY,
        .event = name_of(program, record->event),
        .fault = faulty ? (zo_fault)record->detail : ZO_FAULT_NONE,
    };
    return true;
}

// ---------------------------------------------------------------------------------------------------- targets and cels

uint32_t zo_target_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_TARGETS);
}

zo_target zo_target_find(const zo_program *program, const char *name) {
    for (uint32_t i = 0; name && i < zo_target_count(program); ++i) {
        if (is_name(program, program->targets[i].name, name)) { return (zo_target){i + 1}; }
    }
    return (zo_target){0};
}

const char *zo_target_name(const zo_program *program, zo_target target) {
    return has(program, ZP_SECTION_TARGETS, target.id) ? name_of(program, program->targets[target.id - 1].name) : "";
}

zo_target zo_target_parent(const zo_program *program, zo_target target) {
    const bool is = has(program, ZP_SECTION_TARGETS, target.id);
    return (zo_target){is ? program->targets[target.id - 1].parent_ref : 0};
}

uint32_t zo_cel_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_CELS);
}

bool zo_cel_get(const zo_program *program, zo_cel cel, zo_cel_info *info) {
    ZO_ASSERT(info);
    if (!has(program, ZP_SECTION_CELS, cel.id)) { return false; }
    const zp_cel *record = &program->cels[cel.id - 1];
    *info = (zo_cel_info){
        .name = name_of(program, record->name),
        .anchor_x = record->anchor[0],
        .anchor_y = record->anchor[1],
        .zoom = record->scale,
        .image = name_of(program, record->image_ref > 0 ? program->images[record->image_ref - 1].name : 0),
    };
    return true;
}

zo_cel zo_cel_find(const zo_program *program, const char *name) {
    for (uint32_t i = 0; name && i < zo_cel_count(program); ++i) {
        if (is_name(program, program->cels[i].name, name)) { return (zo_cel){i + 1}; }
    }
    return (zo_cel){0};
}

// ---------------------------------------------------------------------------------------------------- listing

bool zo_program_dump(const zo_program *program, zo_write_fn write, void *context) {
    ZO_ASSERT(program);
    ZO_ASSERT(write);
    zb_arena arena = zb_arena_open(&program->allocator);
    zb_buffer out = zb_buffer_open(&arena);
    zp_program_dump(program, &out);
    const bool written = !zb_arena_failed(&arena) && write(context, out.data, out.size);
    zb_arena_close(&arena);
    return written;
}
