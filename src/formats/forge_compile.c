// Machines, rigs and block models to the program. Joints are targets in space, of which a block is a unit; one joint
// name is one target, whatever files name it, since clips move joints by their names. Parameters are expressions,
// clips of machines are nodes. Called by forge.c, of files in which nothing is wrong.
#include <math.h>

#include "formats/b3d.h"
#include "formats/forge_fields.h"
#include "formats/forge_scene.h"

static const int64_t pass_ns = 1000000000; // of a clip played by itself: its time is a part of one pass
static const int64_t poll_ns = 50000000;   // a tick of the game
static const double pixels = 16.0;         // a block

typedef struct joint {
    zo_text name;
    uint32_t channel_refs[ZP_AXIS_ANGLE_COUNT]; // channel + 1; 0: no clip moves it
} joint;

typedef struct compiler {
    const zf_fg_reading *r;
    zp_build *build;
    zb_intern names;            // joint + 1
    zb_array joints;            // joint
    uint32_t channel_count;
    const uint32_t *expr_refs;  // [expressions of the machine]
    const uint32_t *controls;   // [its controls]: as the builder numbers them
    const uint32_t *node_refs;  // [its poses]
    const uint32_t *first_clips; // [its files]: of the program
    bool posing;                // events that ask for a state do so
    bool large;                 // something is too large, which has been reported
} compiler;

static compiler open_compiler(const zf_fg_reading *r, zp_build *build, const char *format) {
    zp_build_format(build, zb_text(format), (uint32_t)r->input->def->profile);
    zp_build_stage(build, 0.0, 1.0, 1.0, 0.0);
    return (compiler){.r = r, .build = build, .names = zb_intern_open(r->arena),
                      .joints = zb_array_open(r->arena, sizeof(joint))};
}

static zp_name name_of(const compiler *c, zo_text text) { return zp_build_name(c->build, text); }

static joint *joint_at(const compiler *c, uint32_t index) { return (joint *)(void *)c->joints.items + index; }

static zp_span span_of(const compiler *c, uint32_t node, const zj_doc *doc) { // of the first file alone
    if (doc != c->r->input->doc || node == 0) {
        return (zp_span){0, 0};
    }
    return (zp_span){zj_at(doc, node)->begin, zj_at(doc, node)->end - zj_at(doc, node)->begin};
}

// -------------------------------------------------------------------------------------------------------------- joints

// Slots of a target by variable; scale is all three.
static uint32_t slot_of(zf_fg_variable variable, uint32_t *count) {
    *count = variable == ZF_FG_SCALE ? 3 : 1;
    if (variable < ZF_FG_ANGLE) {
        return ZP_AXIS_ANGLE_OFFSET + (uint32_t)variable;
    }
    if (variable == ZF_FG_ANGLE) {
        return ZP_AXIS_ANGLE_ANGLE;
    }
    return variable == ZF_FG_SCALE ? ZP_AXIS_ANGLE_SCALE : ZP_AXIS_ANGLE_SCALE + (uint32_t)(variable - ZF_FG_SCALE_X);
}

static double rest_of(uint32_t slot) {
    return slot >= ZP_AXIS_ANGLE_ORIGIN ? 0.5 : zp_slot_neutral(ZP_COMPOSE_AXIS_ANGLE, slot);
}

static uint32_t joint_of(compiler *c, zo_text name) {
    const uint32_t known = zb_intern_count(&c->names), id = zb_intern_id(&c->names, name);
    if (id > known) {
        *(joint *)zb_array_push(&c->joints) = (joint){.name = name};
    }
    return id > 0 ? id - 1 : 0;
}

static void want_channels(compiler *c, const zf_fg_rig *rig) {
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        joint_of(c, rig->joints[i].name);
    }
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        for (uint32_t t = 0; t < rig->clips[i].track_count && !zb_arena_failed(c->r->arena); t++) {
            const zf_fg_track *track = &rig->clips[i].tracks[t];
            joint *moved = joint_at(c, joint_of(c, rig->joints[track->joint].name));
            uint32_t count = 0;
            const uint32_t slot = slot_of(track->variable, &count);
            for (uint32_t k = 0; k < count; k++) {
                moved->channel_refs[slot + k] = 1; // wanted
            }
        }
    }
}

// All in one layer, joint by joint: a clip holds everything, and what it does not move is at rest.
static void build_joints(compiler *c) {
    static const char *const slots[ZP_AXIS_ANGLE_COUNT] = {
        "offset_x", "offset_y", "offset_z", "axis_x", "axis_y", "axis_z", "angle",
        "scale_x",  "scale_y",  "scale_z",  "origin_x", "origin_y", "origin_z"};
    const double infinity = (double)INFINITY;
    for (uint32_t i = 0; i < c->joints.count && !zb_arena_failed(c->r->arena); i++) {
        joint *own = joint_at(c, i);
        zp_target target = {.name = name_of(c, own->name), .compose = ZP_COMPOSE_AXIS_ANGLE};
        for (uint32_t s = 0; s < ZP_AXIS_ANGLE_COUNT; s++) {
            target.constant[s] = rest_of(s);
            if (own->channel_refs[s] == 0) {
                continue;
            }
            zb_buffer name = zb_buffer_open(c->r->arena);
            zb_put_text(&name, own->name);
            zb_put_char(&name, '.');
            zb_put(&name, slots[s]);
            const bool turn = s == ZP_AXIS_ANGLE_ANGLE;
            const bool length = s < ZP_AXIS_ANGLE_AXIS || s >= ZP_AXIS_ANGLE_ORIGIN;
            const char *unit = turn ? "deg" : length ? "block" : "factor";
            own->channel_refs[s] =
                zp_build_channel(c->build, &(zp_channel){
                    .name = name_of(c, (zo_text){zb_buffer_text(&name), name.size}), .unit = name_of(c, zb_text(unit)),
                    .rest = rest_of(s), .low = -infinity, .high = infinity}) + 1;
            target.slot_refs[s] = own->channel_refs[s];
            c->channel_count++;
        }
        zp_build_target(c->build, &target);
    }
    if (c->channel_count > 0) {
        zp_build_layer(c->build, &(zp_layer){.name = name_of(c, ZB_TEXT("pose")), .channel_count = c->channel_count});
    }
}

// --------------------------------------------------------------------------------------------------------------- clips

// Of the draft offsets are in pixels, and sixteenths lose nothing.
static const double *values_of(const compiler *c, const zf_fg_track *track) {
    if (!zf_fg_is_draft(c->r->kind) || track->variable > ZF_FG_OFFSET_Z) {
        return track->samples;
    }
    double *values = zb_arena_take_array(c->r->arena, track->count, sizeof *values);
    for (uint32_t i = 0; i < track->count && values != NULL; i++) {
        values[i] = track->samples[i] / pixels;
    }
    return values;
}

static void build_curve(const compiler *c, const zf_fg_rig *rig, const zf_fg_clip *clip, const zf_fg_track *track,
                        uint32_t slot) {
    const joint *moved = joint_at(c, zb_intern_find(&c->names, rig->joints[track->joint].name) - 1);
    const zp_interpolation linear = track->variable == ZF_FG_ANGLE ? ZP_INTERPOLATE_ANGLE : ZP_INTERPOLATE_LERP;
    const double *values = values_of(c, track);
    if (values == NULL) {
        return;
    }
    zp_build_curve(c->build, &(zp_curve_def){
        .placement = track->times != NULL ? ZP_PLACE_EXPLICIT
                     : clip->loop         ? ZP_PLACE_UNIFORM_LOOP
                                          : ZP_PLACE_UNIFORM_OPEN,
        .interpolation = track->interpolation == ZF_FG_NEAREST ? ZP_INTERPOLATE_NEAREST : linear,
        .arithmetic = ZP_ARITHMETIC_F32_PRODUCT,
        .ends = track->times != NULL && clip->loop ? ZP_ENDS_WRAP : ZP_ENDS_CLAMP,
        .width = 1,
        .first_channel = moved->channel_refs[slot] - 1,
        .key_count = track->count,
        .times = track->times,
        .values = values,
        .source = span_of(c, track->node, rig->doc),
    });
}

// Joint by joint and slot by slot; of the tracks of a joint that fill a slot the later one counts. Only what is filled
// is gone through: there may be as many joints as clips.
static void build_curves(const compiler *c, const zf_fg_rig *rig, const zf_fg_clip *clip) {
    zb_array fills = zb_array_open(c->r->arena, sizeof(double)), tracks = zb_array_open(c->r->arena, sizeof(uint32_t));
    for (uint32_t t = 0; t < clip->track_count; t++) {
        uint32_t width = 0;
        const uint32_t slot = slot_of(clip->tracks[t].variable, &width);
        for (uint32_t k = 0; k < width; k++) {
            *(double *)zb_array_push(&fills) = (double)clip->tracks[t].joint * ZP_AXIS_ANGLE_COUNT + slot + k;
            *(uint32_t *)zb_array_push(&tracks) = t;
        }
    }
    const double *keys = (const double *)(const void *)fills.items;
    const uint32_t *filling = (const uint32_t *)(const void *)tracks.items;
    const uint32_t *order = zb_arena_failed(c->r->arena) ? NULL : zf_sorted(c->r->arena, keys, fills.count);
    for (uint32_t i = 0; i < fills.count && !zb_arena_failed(c->r->arena); i++) {
        const uint32_t at = order != NULL ? order[i] : i;
        const bool last = i + 1 == fills.count || keys[order != NULL ? order[i + 1] : i + 1] != keys[at];
        if (last) { // equals keep the order of the file
            const zf_fg_track *track = &clip->tracks[filling[at]];
            build_curve(c, rig, clip, track, (uint32_t)(keys[at] - (double)track->joint * ZP_AXIS_ANGLE_COUNT));
        }
    }
}

// What a text does; false: nothing that anybody hears of.
static bool action_of(const compiler *c, zo_text text, uint32_t *action, zo_text *name) {
    *action = ZP_ACTION_NOTIFY;
    *name = text;
    if (!c->posing || text.size == 0 || text.data[0] != '!') {
        return true;
    }
    *action = ZP_ACTION_REQUEST_STATE;
    return zf_fg_wants_state(text, name);
}

static void build_events(const compiler *c, const zf_fg_rig *rig, const zf_fg_clip *clip) {
    for (uint32_t i = 0; i < clip->event_count; i++) {
        const zf_fg_event *event = &clip->events[i];
        uint32_t action = 0;
        zo_text name = {NULL, 0};
        if (action_of(c, event->text, &action, &name)) {
            zp_build_event(c->build, &(zp_event){.at = event->at, .at_ns = (int64_t)(event->at * (double)pass_ns + 0.5),
                                                 .action = action, .name = name_of(c, name)},
                           span_of(c, event->node, rig->doc));
        }
    }
}

// `file`: what stands before the @ in the clip's name; empty: nothing. Returns the first clip.
static uint32_t build_clips(const compiler *c, const zf_fg_rig *rig, zo_text file) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < rig->clip_count && !zb_arena_failed(c->r->arena); i++) {
        const zf_fg_clip *clip = &rig->clips[i];
        zb_buffer name = zb_buffer_open(c->r->arena);
        zb_put_text(&name, file);
        zb_put(&name, file.size > 0 ? "@" : "");
        zb_put_text(&name, clip->name);
        zp_build_clip_begin(c->build, &(zp_clip){
            .name = name_of(c, (zo_text){zb_buffer_text(&name), name.size}), .time_unit = ZP_TIME_FRACTION,
            .duration_ns = pass_ns, .duration_ns_min = pass_ns, .duration_ns_max = pass_ns, .complete_ns = pass_ns,
            .repeat = clip->loop ? ZP_REPEAT_LOOP : ZP_REPEAT_HOLD, .delay_unit_ns = 1, .flags = ZP_CLIP_WRAPS},
            span_of(c, clip->node, rig->doc));
        build_curves(c, rig, clip);
        build_events(c, rig, clip);
        const uint32_t index = zp_build_clip_end(c->build);
        first = i == 0 ? index : first;
    }
    return first;
}

// -------------------------------------------------------------------------------------------------------------- models

static zf_fg_scene scene_of(const compiler *c) {
    return (zf_fg_scene){.r = c->r, .build = c->build, .control_names = zb_intern_open(c->r->arena),
                         .controls = zb_array_open(c->r->arena, sizeof(uint32_t))};
}

static void build_model(compiler *c, zf_fg_scene *scene, const zf_fg_model *model, const zf_fg_rig *rig) {
    uint32_t *targets = zb_arena_take_array(c->r->arena, (size_t)rig->joint_count + 1, sizeof *targets);
    for (uint32_t i = 0; i < rig->joint_count && targets != NULL; i++) {
        targets[i] = joint_of(c, rig->joints[i].name); // joints are the first targets
    }
    scene->targets = targets;
    if (targets != NULL) {
        zf_fg_build_model(scene, model, rig->doc != NULL ? rig : NULL);
    }
}

// What a program shows that nothing moves.
static void build_rest(const compiler *c) {
    zp_build_clip_begin(c->build, &(zp_clip){
        .name = name_of(c, ZB_TEXT("rest")), .time_unit = ZP_TIME_FRACTION, .duration_ns = pass_ns,
        .duration_ns_min = pass_ns, .duration_ns_max = pass_ns, .complete_ns = pass_ns, .repeat = ZP_REPEAT_HOLD,
        .delay_unit_ns = 1}, (zp_span){0, 0});
    zp_build_clip_end(c->build);
}

// An armature names no model: it is that of the same path. "demo:block/door" of assets/demo/armatures/block/door.json;
// empty: the path tells nothing.
static zo_text model_of_armature(const zf_fg_reading *r) {
    static const char folder[] = "armatures/", ending[] = ".json";
    const zo_text path = zb_text(r->input->sources[0].name);
    size_t at = path.size;
    while (at > 0 && (path.size - at < sizeof folder - 1 || memcmp(path.data + at, folder, sizeof folder - 1) != 0 ||
                      path.data[at - 1] != '/')) {
        at--;
    }
    const size_t head = at + sizeof folder - 1, tail = sizeof ending - 1;
    if (path.size < head + tail || memcmp(path.data + at, folder, sizeof folder - 1) != 0) {
        return (zo_text){"", 0};
    }
    size_t domain = at > 0 ? at - 1 : 0;
    while (domain > 0 && path.data[domain - 1] != '/') {
        domain--;
    }
    zb_buffer name = zb_buffer_open(r->arena);
    if (at > 1) {
        zb_put_bytes(&name, path.data + domain, at - 1 - domain);
        zb_put_char(&name, ':');
    }
    zb_put_bytes(&name, path.data + head, path.size - head - tail);
    return (zo_text){zb_buffer_text(&name), name.size};
}

void zf_fg_check_elements(const zf_fg_reading *r, const zf_fg_rig *rig) {
    const zo_text named = model_of_armature(r);
    zf_fg_model model = {.doc = NULL};
    bool unknown = false;
    zo_text tried;
    zd_report_mute(r->input->report, true); // what is wrong with the model is told where it is checked itself
    if (named.size > 0) {
        zf_fg_find_model(r, named, &model, &unknown, &tried);
    }
    zd_report_mute(r->input->report, false);
    const bool known = model.doc != NULL && !unknown && model.crowd == 0;
    for (uint32_t j = 0; known && j < rig->joint_count; j++) {
        for (uint32_t w = 0; w < rig->joints[j].weight_count; w++) {
            zf_fg_tell_beyond(r, &model, rig, &rig->joints[j].weights[w]);
        }
    }
}

zo_status zf_fg_compile_rig(const zf_fg_reading *r, const zf_fg_rig *rig, zp_build *build) {
    compiler c = open_compiler(r, build, zf_fg_formats[r->kind]);
    const bool draft = zf_fg_is_draft(r->kind);
    const zo_text named = draft ? rig->model : model_of_armature(r);
    zf_fg_model model = {.doc = NULL};
    bool unknown = false;
    zo_text tried = {NULL, 0};
    const uint32_t errors = zd_report_errors(r->input->report);
    if (named.size > 0 && !zf_fg_find_model(r, named, &model, &unknown, &tried) && !unknown && draft) {
        zf_fg_tell(r, rig->model_node, ZD_FORGE_UNRESOLVED_MODEL, ZD_ARGS(zf_fg_quoted(r, named), zd_text(tried)));
    }
    if (zd_report_errors(r->input->report) > errors || // of the model
        !zf_fg_count_elements(r, &model, rig->model_node != 0 ? rig->model_node : ZJ_ROOT)) {
        return ZO_OK;
    }
    if (unknown && draft) {
        return ZO_NEEDS;
    }
    if (draft && model.doc == NULL) {
        model = zf_fg_box(r->arena);
    }
    if (unknown) { // it would be of use, and is not a must
        model = (zf_fg_model){.doc = NULL};
    }
    want_channels(&c, rig);
    build_joints(&c);
    build_clips(&c, rig, (zo_text){"", 0});
    if (rig->clip_count == 0) {
        build_rest(&c);
    }
    if (model.element_count > 0) {
        zf_fg_scene scene = scene_of(&c);
        scene.node = rig->model_node != 0 ? rig->model_node : ZJ_ROOT; // faces lie in another file
        build_model(&c, &scene, &model, rig);
    }
    return ZO_OK;
}

zo_status zf_fg_compile_model(const zf_fg_reading *r, const zf_fg_model *model, zp_build *build) {
    compiler c = open_compiler(r, build, zf_fg_formats[r->kind]);
    const zf_fg_rig none = {.doc = NULL};
    zf_fg_scene scene = scene_of(&c);
    build_rest(&c);
    build_model(&c, &scene, model, &none);
    return ZO_OK;
}

// --------------------------------------------------------------------------------------------------------- expressions

static const uint8_t codes[] = {
    [ZF_FG_NUMBER] = ZP_OP_NUMBER,       [ZF_FG_INPUT] = ZP_OP_INPUT,       [ZF_FG_CALL] = ZP_OP_CALL,
    [ZF_FG_CONTROL] = ZP_OP_CONTROL,     [ZF_FG_FAULT] = ZP_OP_FAULT,       [ZF_FG_ADD] = ZP_OP_ADD,
    [ZF_FG_SUBTRACT] = ZP_OP_SUB,        [ZF_FG_MULTIPLY] = ZP_OP_MUL,      [ZF_FG_DIVIDE] = ZP_OP_DIV,
    [ZF_FG_MIN] = ZP_OP_MIN,             [ZF_FG_MAX] = ZP_OP_MAX,           [ZF_FG_ROUND_DOWN] = ZP_OP_ROUND_DOWN,
    [ZF_FG_ROUND_UP] = ZP_OP_ROUND_UP,   [ZF_FG_REST_UP] = ZP_OP_REST_UP,   [ZF_FG_REST_DOWN] = ZP_OP_REST_DOWN,
    [ZF_FG_MODULO] = ZP_OP_MODULO,       [ZF_FG_REPEAT] = ZP_OP_REPEAT,     [ZF_FG_BEZIER] = ZP_OP_BEZIER,
};

static zp_op op_of(const compiler *c, const zf_fg_op *op) {
    zp_op record = {.code = codes[op->kind], .argument = op->ref};
    switch (op->kind) {
    case ZF_FG_NUMBER: record.argument = zp_build_numbers(c->build, &op->number, 1); break;
    case ZF_FG_CALL: record.argument = c->expr_refs[op->ref] - 1; break;
    case ZF_FG_CONTROL: record.argument = c->controls[op->ref]; break;
    default: break;
    }
    return record;
}

static void tell_large(compiler *c, uint32_t node, const char *what, zo_text name) {
    if (!zb_arena_failed(c->r->arena)) {
        zb_buffer out = zb_buffer_open(c->r->arena);
        zb_put(&out, what);
        if (name.size > 0) {
            zb_put(&out, " ");
            zf_put_cut(&out, name);
        }
        zf_fg_tell(c->r, node, ZD_FORGE_TOO_LARGE, ZD_ARGS(zd_text((zo_text){zb_buffer_text(&out), out.size})));
        c->large = true;
    }
}

static void build_controls(compiler *c, zf_fg_scene *scene, const zf_fg_exprs *e) {
    const double infinity = (double)INFINITY;
    uint32_t *controls = zb_arena_take_array(c->r->arena, (size_t)e->controls.count + 1, sizeof *controls);
    for (uint32_t i = 0; i < e->controls.count && controls != NULL; i++) {
        zb_intern_id(&scene->control_names, zf_fg_control_at(e, i)->name);
        controls[i] = zp_build_control(c->build, &(zp_param){
            .name = name_of(c, zf_fg_control_at(e, i)->name), .slope = 1.0, .low = -infinity, .high = infinity,
            .flags = c->r->kind == ZF_FG_MACHINE ? ZP_PARAM_NEEDED : 0});
        *(uint32_t *)zb_array_push(&scene->controls) = controls[i];
    }
    c->controls = controls;
}

static void build_exprs(compiler *c, const zf_fg_exprs *e) {
    uint32_t *refs = zb_arena_take_array(c->r->arena, (size_t)e->exprs.count + 1, sizeof *refs);
    c->expr_refs = refs;
    for (uint32_t i = 0; i < e->exprs.count && !zb_arena_failed(c->r->arena) && !c->large; i++) {
        const uint32_t index = e->order[i];
        const zf_fg_expr *expr = zf_fg_expr_at(e, index);
        zp_op *ops = zb_arena_take_array(c->r->arena, (size_t)expr->op_count + 1, sizeof *ops);
        for (uint32_t k = 0; k < expr->op_count && ops != NULL; k++) {
            ops[k] = op_of(c, zf_fg_op_at(e, expr->first_op + k));
        }
        if (ops == NULL) {
            return;
        }
        refs[index] = zp_build_expr(c->build, &(zp_expr){.name = name_of(c, expr->name),
                                                         .flags = c->r->kind == ZF_FG_MACHINE ? ZP_EXPR_F32 : 0},
                                    ops, expr->op_count);
        if (refs[index] == 0) {
            tell_large(c, expr->node, "the parameter", expr->name);
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- nodes

// Uniform sample i at time i, where that is wanted: the clip's time is a part of one pass.
static uint32_t count_of_samples(const compiler *c, const zf_fg_machine *m, const zf_fg_pose *pose) {
    const zf_fg_rig *rig = &zf_fg_file_at(m, pose->file)->rig;
    const uint32_t id = rig->doc != NULL ? zb_intern_find(&rig->clip_names, pose->name) : 0;
    const zf_fg_clip *clip = id != 0 ? &rig->clips[id - 1] : NULL;
    if (!c->r->input->def->draft_uniform_samples || !zf_fg_is_draft(m->kind) || clip == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < clip->track_count; i++) {
        if (clip->tracks[i].times == NULL) {
            return clip->loop || clip->tracks[i].count == 1 ? clip->tracks[i].count : clip->tracks[i].count - 1;
        }
    }
    return 0;
}

static uint32_t clip_node(compiler *c, const zf_fg_machine *m, const zf_fg_pose *pose) {
    const zf_fg_rig *rig = &zf_fg_file_at(m, pose->file)->rig;
    const uint32_t id = rig->doc != NULL ? zb_intern_find(&rig->clip_names, pose->name) : 1; // of B3D: main
    zp_node node = {.kind = ZP_NODE_CLIP, .clip_ref = c->first_clips[pose->file] + id};
    const uint32_t ref = zp_build_node(c->build, &node), samples = count_of_samples(c, m, pose);
    if (samples == 0 || ref == 0) {
        return ref;
    }
    const double part = (double)samples;
    const uint32_t number = zp_build_numbers(c->build, &part, 1);
    const zp_op ops[] = {{.code = ZP_OP_INPUT}, {.code = ZP_OP_NUMBER, .argument = number}, {.code = ZP_OP_DIV}};
    const uint32_t expr_ref = zp_build_expr(c->build, &(zp_expr){.flags = 0}, ops, ZB_COUNT(ops));
    return zp_build_node(c->build, &(zp_node){.kind = ZP_NODE_TIME, .a_ref = ref, .expr_ref = expr_ref});
}

static uint32_t node_of(compiler *c, const zf_fg_machine *m, const zf_fg_pose *pose, zp_name name) {
    zp_node node = {.name = name, .a_ref = c->node_refs[pose->a]};
    zo_text event = {NULL, 0};
    switch (pose->kind) {
    case ZF_FG_NAMED_POSE: return c->node_refs[pose->a];
    case ZF_FG_MODEL_CLIP: return clip_node(c, m, pose);
    case ZF_FG_REST: return zp_build_node(c->build, &(zp_node){.name = name, .kind = ZP_NODE_REST});
    case ZF_FG_FAULTY_POSE:
        return zp_build_node(c->build, &(zp_node){.name = name, .kind = ZP_NODE_FAULT, .detail = pose->a});
    case ZF_FG_TIME: node.kind = ZP_NODE_TIME; break;
    case ZF_FG_BLEND: node.kind = ZP_NODE_BLEND; break;
    case ZF_FG_PRODUCT: node.kind = ZP_NODE_PRODUCT; break;
    case ZF_FG_TRIGGER:
        if (!action_of(c, pose->name, &node.detail, &event)) {
            return c->node_refs[pose->a];
        }
        node.kind = ZP_NODE_TRIGGER;
        node.event = name_of(c, event);
        break;
    }
    const bool two = pose->kind == ZF_FG_BLEND || pose->kind == ZF_FG_PRODUCT;
    node.b_ref = two ? c->node_refs[pose->b] : 0;
    node.expr_ref = pose->kind != ZF_FG_PRODUCT ? c->expr_refs[pose->expr] : 0;
    return zp_build_node(c->build, &node);
}

static void build_nodes(compiler *c, const zf_fg_machine *m) {
    const size_t count = (size_t)m->poses.count + 1;
    uint32_t *refs = zb_arena_take_array(c->r->arena, count, sizeof *refs);
    uint32_t *clip_refs = zb_arena_take_array(c->r->arena, count, sizeof *clip_refs); // machine's clip + 1, by pose
    c->node_refs = refs;
    for (uint32_t i = 0; i < m->clip_count && clip_refs != NULL; i++) {
        clip_refs[m->clips[i].pose] = i + 1;
    }
    for (uint32_t i = 0; i < m->poses.count && !zb_arena_failed(c->r->arena) && !c->large; i++) {
        const uint32_t index = m->pose_order[i];
        const zf_fg_pose *pose = zf_fg_pose_at(m, index);
        const zo_text none = {"", 0};
        const zo_text name = clip_refs[index] != 0 ? m->clips[clip_refs[index] - 1].name : none;
        refs[index] = node_of(c, m, pose, name_of(c, name));
        if (refs[index] == 0) {
            tell_large(c, pose->node, "the clip", name);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- machine

static int64_t blend_ns_of(double seconds) {
    const double most = 1e9; // seconds: thirty years
    return (int64_t)((seconds < most ? seconds : most) * 1e9 + 0.5);
}

static void build_machine(const compiler *c, const zf_fg_machine *m) {
    const bool draft = zf_fg_is_draft(m->kind);
    zp_build_machine(c->build, &(zp_machine){
        .name = name_of(c, ZB_TEXT("machine")), .routing = ZP_ROUTING_LISTED, .act = ZP_ACT_NOW,
        .commit = draft ? ZP_COMMIT_AT_ONCE : ZP_COMMIT_NEXT_POLL,
        .poll_ns = draft ? 0 : poll_ns, .start = m->start, .flags = draft ? 0 : ZP_MACHINE_TIME_F32});
    for (uint32_t i = 0; i < m->state_count; i++) {
        const zf_fg_state *state = &m->states[i];
        const uint32_t node_ref = state->clip_ref != 0
            ? c->node_refs[m->clips[state->clip_ref - 1].pose]
            : zp_build_node(c->build, &(zp_node){.kind = ZP_NODE_FAULT, .detail = ZP_FAULT_UNRESOLVED_CLIP});
        zp_build_state(c->build, &(zp_state){.name = name_of(c, state->name), .node_ref = node_ref});
    }
    for (uint32_t i = 0; i < m->edges.count; i++) {
        const zf_fg_edge *edge = zf_fg_edge_at(m, i);
        zp_build_edge(c->build, &(zp_edge){.from_ref = edge->from + 1, .to = edge->to, .when = ZP_WHEN_REQUEST,
                                           .blend_ns = blend_ns_of(edge->blend_s)});
    }
}

// Its clip main, whose time is the number of the frame.
static uint32_t build_b3d(const compiler *c, const zf_fg_file *file) {
    const zo_b3d_keys keys = c->r->input->def->b3d_keys;
    const bool forge = keys == ZO_B3D_KEYS_FORGE || (keys == ZO_B3D_KEYS_BY_FORMAT && !zf_fg_is_draft(c->r->kind));
    uint32_t *cel_refs =
        zb_arena_take_array(c->r->arena, (size_t)file->b3d_model->texture_count + 1, sizeof *cel_refs);
    if (cel_refs == NULL) {
        return 0;
    }
    zf_b3_build_cels(c->r->input, file->source, file->b3d_model, c->build, cel_refs);
    const zf_b3_build_def def = {.exact_frames = forge, .scope = {"", 0}, .cel_refs = cel_refs};
    return zf_b3_build(file->b3d_model, &def, c->build, c->r->arena).clip;
}

zo_status zf_fg_compile_machine(const zf_fg_reading *r, const zf_fg_machine *m, zp_build *build) {
    compiler c = open_compiler(r, build, zf_fg_formats[r->kind]);
    uint32_t *first_clips = zb_arena_take_array(r->arena, (size_t)m->files.count + 1, sizeof *first_clips);
    c.posing = true;
    for (uint32_t i = 0; i < m->files.count; i++) {
        want_channels(&c, &zf_fg_file_at(m, i)->rig);
    }
    build_joints(&c);
    for (uint32_t i = 0; i < m->files.count && first_clips != NULL; i++) {
        const zf_fg_file *file = zf_fg_file_at(m, i);
        const zo_text none = {"", 0};
        first_clips[i] = file->b3d_model != NULL
            ? build_b3d(&c, file)
            : build_clips(&c, &file->rig, zf_fg_is_draft(r->kind) ? none : file->name);
    }
    c.first_clips = first_clips;
    zf_fg_scene scene = scene_of(&c);
    build_controls(&c, &scene, &m->exprs);
    for (uint32_t i = 0; i < m->files.count && !zb_arena_failed(r->arena); i++) {
        const zf_fg_file *file = zf_fg_file_at(m, i);
        scene.scope = m->files.count > 1 ? file->name : (zo_text){"", 0};
        scene.node = file->node;
        const bool boxed = file->model.doc == NULL && file->rig.doc != NULL && zf_fg_is_draft(r->kind);
        const zf_fg_model model = boxed ? zf_fg_box(r->arena) : file->model;
        if (boxed || model.doc != NULL) {
            build_model(&c, &scene, &model, &file->rig);
        }
    }
    if (zb_arena_failed(r->arena)) {
        return ZO_NO_MEMORY;
    }
    build_exprs(&c, &m->exprs);
    if (!c.large && !zb_arena_failed(r->arena)) {
        build_nodes(&c, m);
    }
    if (!c.large && !zb_arena_failed(r->arena)) {
        build_machine(&c, m);
    }
    return c.large ? ZO_INVALID : ZO_OK;
}
