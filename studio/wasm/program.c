// Programs at the edge: stored, loaded, told of as one JSON text, sampled clip by clip. Called by program.js.
#include <stdlib.h>

#include "edge.h"

ZW_EXPORT(zo_program *, zw_program_load)(const void *blob, uint32_t size);
ZW_EXPORT(const void *, zw_program_blob)(const zo_program *program);
ZW_EXPORT(uint32_t, zw_program_blob_size)(const zo_program *program);
ZW_EXPORT(void, zw_program_free)(zo_program *program);
ZW_EXPORT(void, zw_program_dump)(const zo_program *program);
ZW_EXPORT(void, zw_program_describe)(const zo_program *program);
ZW_EXPORT(uint32_t, zw_load_status)(void);
ZW_EXPORT(zo_pose *, zw_pose_new)(const zo_program *program);
ZW_EXPORT(void, zw_pose_free)(zo_pose *pose);
ZW_EXPORT(void, zw_pose_clip)(const zo_program *program, uint32_t clip, double time, const double *params, zo_pose *pose);
ZW_EXPORT(void, zw_pose_clips)(const zo_program *program, uint32_t clip, const double *times, uint32_t count,
                              const double *params, zo_pose *pose, double *values);
ZW_EXPORT(double *, zw_pose_slots)(const zo_pose *pose);
ZW_EXPORT(zo_transform *, zw_pose_transforms)(const zo_pose *pose);
ZW_EXPORT(uint8_t *, zw_pose_rests)(const zo_pose *pose);

static zo_status load_status; // of the last load

// NULL: zw_load_status says why.
zo_program *zw_program_load(const void *blob, uint32_t size) {
    zo_program *program = NULL;
    load_status = zo_load(blob, size, NULL, &program);
    return program;
}

uint32_t zw_load_status(void) { return (uint32_t)load_status; }

const void *zw_program_blob(const zo_program *program) {
    size_t size;
    return zo_program_blob(program, &size);
}

uint32_t zw_program_blob_size(const zo_program *program) {
    size_t size = 0;
    zo_program_blob(program, &size);
    return (uint32_t)size;
}

void zw_program_free(zo_program *program) { zo_program_free(program); }

void zw_program_dump(const zo_program *program) {
    zw_sink_open();
    zo_program_dump(program, zw_write, NULL);
}

static const char *const repeat_names[] = {"once", "loop", "alternate", "random-interval", "hold"};
static const char *const unit_names[] = {"fraction", "seconds", "frames"};
static const char *const action_names[] = {"notify", "show-cel", "start-effect", "request-state"};

static void put_arguments(const zo_program *program, zo_clip clip, uint32_t event, uint32_t count) {
    zw_member("arguments");
    zw_open('{');
    for (uint32_t i = 0; i < count; i++) {
        zo_argument_info argument;
        if (!zo_clip_event_argument_get(program, clip, event, i, &argument)) { break; }
        switch (argument.kind) {
        case ZO_ARGUMENT_NUMBER: zw_member_double(argument.name, argument.number); break;
        case ZO_ARGUMENT_TEXT: zw_member_string(argument.name, argument.text); break;
        case ZO_ARGUMENT_FLAG: zw_member_bool(argument.name, argument.number != 0); break;
        }
    }
    zw_close('}');
}

static void put_clip(const zo_program *program, zo_clip clip, const zo_clip_info *info) {
    zw_open('{');
    zw_member_int("id", clip.id);
    zw_member_string("name", info->name);
    zw_member_string("label", info->label);
    zw_member_string("kind", info->kind);
    zw_member_string("unit", unit_names[info->time_unit]);
    zw_member_string("repeat", repeat_names[info->repeat]);
    zw_member_int("durationNs", info->duration_ns);
    zw_member_int("frameNs", info->frame_ns);
    zw_member_int("durationNsMin", info->duration_ns_min);
    zw_member_int("durationNsMax", info->duration_ns_max);
    zw_member_double("delayMsMin", info->delay_ms_min);
    zw_member_double("delayMsMax", info->delay_ms_max);
    zw_member_int("curveCount", info->curve_count);
    zw_member_int("keyCount", info->key_count);
    zw_member_int("paramCount", info->param_count);
    zw_member_int("firstParam", info->first_param.id);
    zw_member_int("reduced", info->reduced.id);
    zw_member("events");
    zw_open('[');
    for (uint32_t i = 0; i < info->event_count; i++) {
        zo_clip_event_info event;
        if (!zo_clip_event_get(program, clip, i, &event)) { break; }
        zw_open('{');
        zw_member_int("atNs", event.at_ns);
        zw_member_double("at", event.at);
        zw_member_string("action", action_names[event.action]);
        zw_member_string("name", event.name);
        put_arguments(program, clip, i, event.argument_count);
        zw_close('}');
    }
    zw_close(']');
    zw_member("drives");
    zw_open('[');
    for (uint32_t c = 1; c <= zo_channel_count(program); c++) {
        if (!zo_clip_drives(program, clip, (zo_channel){c})) { continue; }
        zw_item();
        zw_put_int(c);
    }
    zw_close(']');
    zw_close('}');
}

static void put_clips(const zo_program *program) {
    zw_member("clips");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_clip_count(program); i++) {
        zo_clip_info info;
        if (zo_clip_get(program, (zo_clip){i}, &info)) { put_clip(program, (zo_clip){i}, &info); }
    }
    zw_close(']');
}

static void put_channels(const zo_program *program) {
    zw_member("channels");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_channel_count(program); i++) {
        zo_channel_info info;
        if (!zo_channel_get(program, (zo_channel){i}, &info)) { break; }
        zw_open('{');
        zw_member_int("id", i);
        zw_member_string("name", info.name);
        zw_member_string("unit", info.unit);
        zw_member_double("rest", info.rest);
        zw_member_bool("isIndex", info.is_index);
        zw_member_bool("used", info.used);
        zw_close('}');
    }
    zw_close(']');
}

static void put_params(const zo_program *program) {
    zw_member("params");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_param_count(program); i++) {
        zo_param_info info;
        if (!zo_param_get(program, (zo_param){i}, &info)) { break; }
        zw_open('{');
        zw_member_int("id", i);
        zw_member_string("name", info.name);
        zw_member_double("value", info.value);
        zw_member_double("low", info.low);   // null: no limit
        zw_member_double("high", info.high);
        zw_member_double("slope", info.slope);
        zw_member_int("clip", info.clip.id);
        zw_member_bool("needed", info.needed);
        zw_close('}');
    }
    zw_close(']');
}

static void put_states(const zo_program *program) {
    zw_member("states");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_state_count(program); i++) {
        zo_state_info info;
        if (!zo_state_get(program, (zo_state){i}, &info)) { break; }
        zw_open('{');
        zw_member_int("id", i);
        zw_member_string("name", info.name);
        zw_member_string("group", info.group);
        zw_member_int("cel", info.cel.id);
        zw_member_bool("first", info.first);
        zw_member_int("clip", info.clip.id);
        zw_member_int("node", info.node.id);
        zw_close('}');
    }
    zw_close(']');
    zw_member("edges");
    zw_open('[');
    zo_edge_info edge;
    for (uint32_t i = 0; zo_edge_get(program, i, &edge); i++) {
        zw_open('{');
        zw_member_int("from", edge.from.id);
        zw_member_int("to", edge.to.id);
        zw_member_double("weight", edge.weight);
        zw_member_int("blendNs", edge.blend_ns);
        zw_close('}');
    }
    zw_close(']');
    zo_posing_info posing;
    if (zo_posing_get(program, &posing)) {
        zw_member("posing");
        zw_open('{');
        zw_member_bool("looks", posing.looks);
        zw_member_int("lookNs", posing.look_ns);
        zw_member_bool("timeF32", posing.time_f32);
        zw_close('}');
    }
}

static void put_targets(const zo_program *program) {
    zw_member("targets");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_target_count(program); i++) {
        zw_open('{');
        zw_member_int("id", i);
        zw_member_string("name", zo_target_name(program, (zo_target){i}));
        zw_member_int("parent", zo_target_parent(program, (zo_target){i}).id);
        zw_close('}');
    }
    zw_close(']');
    zw_member("cels");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_cel_count(program); i++) {
        zo_cel_info info;
        if (!zo_cel_get(program, (zo_cel){i}, &info)) { break; }
        zw_open('{');
        zw_member_int("id", i);
        zw_member_string("name", info.name);
        zw_member_double("anchorX", info.anchor_x);
        zw_member_double("anchorY", info.anchor_y);
        zw_member_double("zoom", info.zoom);
        zw_member_string("image", info.image);
        zw_close('}');
    }
    zw_close(']');
    zw_member("meshes");
    zw_open('[');
    for (uint32_t i = 1; i <= zo_mesh_count(program); i++) {
        zo_mesh_info info;
        if (!zo_mesh_get(program, (zo_mesh){i}, &info)) { break; }
        zw_open('{');
        zw_member_int("id", i);
        zw_member_string("name", info.name);
        zw_member_int("vertexCount", info.vertex_count);
        zw_member_int("triangleCount", info.triangle_count);
        zw_close('}');
    }
    zw_close(']');
}

static void put_lists(const zo_program *program) {
    zw_member("layers");
    zw_open('[');
    for (uint32_t i = 0; zo_layer_name(program, i); i++) { zw_item(), zw_put_string(zo_layer_name(program, i)); }
    zw_close(']');
    zw_member("statusTypes");
    zw_open('[');
    for (uint32_t i = 0; zo_status_type(program, i); i++) { zw_item(), zw_put_string(zo_status_type(program, i)); }
    zw_close(']');
}

// All of it, in the order of the ids, which begin at 1; 0 is none.
void zw_program_describe(const zo_program *program) {
    zw_sink_open();
    zw_open('{');
    zw_member_string("format", zo_program_format(program));
    zw_member_string("profile", zo_program_profile(program) == ZO_PROFILE_ORIGINAL ? "original" : "document");
    const uint64_t hash = zo_program_hash(program);
    char hex[17];
    for (uint32_t i = 0; i < 16; i++) { hex[i] = "0123456789abcdef"[(hash >> (60 - 4 * i)) & 15]; }
    hex[16] = 0;
    zw_member_string("hash", hex);
    double stage[4];
    zo_program_stage(program, stage);
    zw_member("stage");
    zw_open('[');
    for (uint32_t i = 0; i < 4; i++) { zw_item(), zw_put_double(stage[i]); }
    zw_close(']');
    put_clips(program);
    put_channels(program);
    put_params(program);
    put_states(program);
    put_targets(program);
    put_lists(program);
    zw_close('}');
}

zo_pose *zw_pose_new(const zo_program *program) { return zo_pose_create(program, NULL); }
void zw_pose_free(zo_pose *pose) { zo_pose_free(pose); }

void zw_pose_clip(const zo_program *program, uint32_t clip, double time, const double *params, zo_pose *pose) {
    zo_clip_sample(program, (zo_clip){clip}, time, params, pose);
}

// Channel values at many times, one after the other: values [count][channel count].
void zw_pose_clips(const zo_program *program, uint32_t clip, const double *times, uint32_t count, const double *params,
                   zo_pose *pose, double *values) {
    for (uint32_t i = 0; i < count; i++) {
        zo_clip_sample(program, (zo_clip){clip}, times[i], params, pose);
        memcpy(values + (size_t)i * pose->slot_count, pose->slots, pose->slot_count * sizeof *values);
    }
}

double *zw_pose_slots(const zo_pose *pose) { return pose->slots; }
zo_transform *zw_pose_transforms(const zo_pose *pose) { return pose->transforms; }
uint8_t *zw_pose_rests(const zo_pose *pose) { return pose->at_rest; }
