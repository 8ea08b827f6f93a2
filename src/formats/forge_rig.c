// Joints of a block model and the clips that move them: armatures of the shipped dialect and animations of the draft,
// to one plain structure. Called by forge.c and, for the files that machines name, by forge_files.c.
#include <math.h>

#include "formats/forge_fields.h"

static const double origin_low = -1.0, origin_high = 2.0; // blocks; beyond, pixels were meant

// ------------------------------------------------------------------------------------------------------------- joints

static void open_rig(const zf_fg_reading *r, zf_fg_rig *rig) {
    *rig = (zf_fg_rig){.doc = r->doc, .kind = r->kind, .joint_names = zb_intern_open(r->arena),
                       .clip_names = zb_intern_open(r->arena)};
}

static bool is_negative_index(zo_text key) {
    uint32_t index = 0;
    return key.size > 1 && key.data[0] == '-' && zf_fg_index((zo_text){key.data + 1, key.size - 1}, &index);
}

// false: nothing hangs there.
static bool read_index(const zf_fg_reading *r, uint32_t item, uint32_t *element) {
    const zo_text key = zj_key(r->doc, item);
    if (zf_fg_index(key, element)) {
        return true;
    }
    const bool harmless = r->kind == ZF_FG_ARMATURE && is_negative_index(key); // no element has such a number
    (harmless ? zf_fg_advise_key : zf_fg_tell_key)(r, item, ZD_FORGE_BAD_ELEMENT_INDEX, ZD_ARGS(zf_fg_quoted(r, key)));
    return false;
}

// Each corner its own, or one for all of which further ones do not count.
static bool read_weights(const zf_fg_reading *r, uint32_t node, double weights[8]) {
    if (!zf_fg_is(r, node, ZJ_ARRAY, "the weights of an element")) {
        return false;
    }
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    const bool draft = zf_fg_is_draft(r->kind);
    if (draft && count != 8) {
        zf_fg_tell(r, node, ZD_FORGE_WEIGHTS_NOT_EIGHT, ZD_ARGS(zd_int(count)));
        return false;
    }
    if (count == 0) {
        zf_fg_tell(r, node, ZD_FORGE_EMPTY_WEIGHTS, ZD_NO_ARGS);
        return false;
    }
    if (!draft && count > 1) {
        zf_fg_tell(r, node, ZD_FORGE_EXTRA_WEIGHTS, ZD_ARGS(zd_int(count)));
    }
    uint32_t item = zj_at(r->doc, node)->as.items.first;
    bool good = true;
    for (uint32_t i = 0; i < 8; i++) {
        weights[i] = i > 0 ? weights[0] : 0.0;
        if (i == 0 || draft) {
            good = zf_fg_number(r, item, "a weight", &weights[i]) && good;
            item = zj_at(r->doc, item)->next;
        }
    }
    return good;
}

// Which index is which corner is known of up and down alone.
static void check_corners(const zf_fg_reading *r, uint32_t node, const double weights[8]) {
    for (uint32_t i = 0; i < 8; i++) {
        if (weights[i] != weights[i ^ 1] || weights[i] != weights[i ^ 4]) {
            zf_fg_tell(r, node, ZD_FORGE_CORNER_ORDER_ASSUMED, ZD_NO_ARGS);
            return;
        }
    }
}

static void read_elements(const zf_fg_reading *r, uint32_t node, zf_fg_joint *joint) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    zf_fg_weight *weights = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *weights);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        zf_fg_weight *weight = &weights[joint->weight_count];
        const bool indexed = read_index(r, values[i], &weight->element);
        weight->node = values[i];
        if (read_weights(r, values[i], weight->weights) && indexed) {
            joint->weight_count++;
            if (zf_fg_is_draft(r->kind)) {
                check_corners(r, values[i], weight->weights);
            }
        }
    }
    joint->weights = weights;
}

// ------------------------------------------------------------------------------------------------------------- tracks

// Numbers of an array. NULL: they are not all good, or there are none, which has been said.
static const double *read_numbers(const zf_fg_reading *r, uint32_t node, const char *what, uint32_t *count) {
    *count = 0;
    if (!zf_fg_is(r, node, ZJ_ARRAY, what)) {
        return NULL;
    }
    const uint32_t item_count = zj_at(r->doc, node)->as.items.count;
    if (item_count == 0) {
        zf_fg_tell(r, node, ZD_FORGE_EMPTY_SAMPLES, ZD_NO_ARGS);
        return NULL;
    }
    double *numbers = zb_arena_take_array(r->arena, item_count, sizeof *numbers);
    bool good = numbers != NULL;
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0 && numbers != NULL;
         item = zj_at(r->doc, item)->next) {
        good = zf_fg_number(r, item, "a value", &numbers[(*count)++]) && good;
    }
    return good ? numbers : NULL;
}

// Which variables of a joint a clip moves already, and where.
typedef struct moved {
    uint32_t nodes[ZF_FG_VARIABLE_COUNT];
    uint32_t clip_ref; // of a draft: the clip that these are of
} moved;

static bool note_variable(const zf_fg_reading *r, moved *joint, uint32_t variable, uint32_t node) {
    if (joint->nodes[variable] != 0) {
        const uint32_t added = zf_fg_tell(r, node, ZD_FORGE_DUPLICATE_VARIABLE,
                                          ZD_ARGS(zd_word(zf_fg_variables[variable].text)));
        if (added != 0) {
            zd_report_relate(r->doc->report, added, zj_place(r->doc, joint->nodes[variable]),
                             "it is moved here already");
        }
        return false;
    }
    joint->nodes[variable] = node;
    return true;
}

static void check_track(const zf_fg_reading *r, const zf_fg_track *track, bool loop) {
    if (track->count == 1 && !loop && track->interpolation == ZF_FG_LINEAR && track->times == NULL) {
        zf_fg_tell_late(r, track->node, ZD_FORGE_ONE_SAMPLE_LINEAR_NO_LOOP, ZD_NO_ARGS);
    }
    bool pixels = false;
    for (uint32_t i = 0; i < track->count && track->variable >= ZF_FG_ORIGIN_X; i++) {
        pixels = pixels || track->samples[i] < origin_low || track->samples[i] > origin_high;
    }
    if (pixels && !zf_fg_is_draft(r->kind)) {
        zf_fg_tell(r, track->node, ZD_FORGE_ORIGIN_LOOKS_LIKE_PIXELS, ZD_NO_ARGS);
    }
}

static void check_axis(const zf_fg_reading *r, const moved *joint) {
    if (joint->nodes[ZF_FG_ANGLE] != 0 && joint->nodes[ZF_FG_AXIS_X] == 0 && joint->nodes[ZF_FG_AXIS_Y] == 0 &&
        joint->nodes[ZF_FG_AXIS_Z] == 0) {
        zf_fg_tell(r, joint->nodes[ZF_FG_ANGLE], ZD_FORGE_ANGLE_WITHOUT_AXIS, ZD_NO_ARGS);
    }
}

// ----------------------------------------------------------------------------------------------------------- armatures

// The joint of that name; one that only clips name hangs on nothing here, but may on another model's elements.
static uint32_t joint_of(zf_fg_rig *rig, zb_array *joints, zo_text name, uint32_t node) {
    const uint32_t known = zb_intern_count(&rig->joint_names), id = zb_intern_id(&rig->joint_names, name);
    if (id > known) {
        *(zf_fg_joint *)zb_array_push(joints) = (zf_fg_joint){.name = name, .node = node};
    }
    return id > 0 ? id - 1 : 0;
}

// false: it is no use.
static bool read_variable(const zf_fg_reading *r, uint32_t node, zf_fg_track *track) {
    zf_fields f;
    if (!zf_fg_open(r, &f, node, &zf_fg_variable_object, "a variable")) {
        return false;
    }
    zo_text type = {NULL, 0};
    const uint32_t variable = zf_fg_member_word(r, &f, FG_VARIABLE, ZD_FORGE_UNKNOWN_VARIABLE, ZF_FG_VARIABLE_COUNT);
    const uint32_t way = zf_fg_member_word(r, &f, FG_INTERPOLATION, ZD_FORGE_UNKNOWN_INTERPOLATION,
                                           ZF_FG_INTERPOLATION_COUNT);
    if (zf_text(r->doc, f.nodes[FG_TYPE], &type) && !zb_text_equal(type, ZB_TEXT("uniform"))) {
        zf_fg_advise(r, f.nodes[FG_TYPE], ZD_FORGE_UNKNOWN_TYPE, ZD_ARGS(zf_fg_quoted(r, type)));
    }
    *track = (zf_fg_track){.node = node, .variable = (zf_fg_variable)variable,
                           .interpolation = (zf_fg_interpolation)way};
    track->samples = f.nodes[FG_SAMPLES] != 0 ? read_numbers(r, f.nodes[FG_SAMPLES], "samples", &track->count) : NULL;
    return track->samples != NULL && variable < ZF_FG_VARIABLE_COUNT && way < ZF_FG_INTERPOLATION_COUNT;
}

static void read_joint_clips(const zf_fg_reading *r, zf_fg_rig *rig, zb_array *joints, uint32_t node,
                             zf_fg_clip *clip) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    zb_array tracks = zb_array_open(r->arena, sizeof(zf_fg_track));
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const zo_text name = zj_key(r->doc, values[i]);
        if (zb_intern_find(&rig->joint_names, name) == 0) {
            zf_fg_advise_key(r, values[i], ZD_FORGE_UNKNOWN_JOINT, ZD_ARGS(zf_fg_quoted(r, name)));
        }
        const uint32_t joint = joint_of(rig, joints, name, values[i]);
        moved now = {.clip_ref = 0};
        if (!zf_fg_is(r, values[i], ZJ_ARRAY, "what moves a joint")) {
            continue;
        }
        for (uint32_t item = zj_at(r->doc, values[i])->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
            zf_fg_track track;
            if (read_variable(r, item, &track) && note_variable(r, &now, track.variable, item)) {
                track.joint = joint;
                check_track(r, &track, clip->loop);
                *(zf_fg_track *)zb_array_push(&tracks) = track;
            }
        }
        check_axis(r, &now);
    }
    clip->tracks = (const zf_fg_track *)(const void *)tracks.items;
    clip->track_count = tracks.count;
}

static void read_events(const zf_fg_reading *r, uint32_t node, zf_fg_clip *clip) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    zf_fg_event *events = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *events);
    double *times = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *times);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const zo_text key = zj_key(r->doc, values[i]);
        zf_fg_event event = {.node = values[i]};
        if (!zf_fg_figure(key, &event.at)) {
            zf_fg_tell_key(r, values[i], ZD_FORGE_BAD_EVENT_TIME, ZD_ARGS(zf_fg_quoted(r, key)));
            continue;
        }
        if (!(event.at >= 0.0 && event.at <= 1.0)) {
            zf_fg_tell_key(r, values[i], ZD_FORGE_EVENT_TIME_OUT_OF_RANGE, ZD_ARGS(zd_number(event.at)));
        }
        if (!zf_text(r->doc, values[i], &event.text)) {
            zf_fg_tell(r, values[i], ZD_FORGE_EVENT_NOT_STRING, ZD_ARGS(zf_not(r->arena, r->doc, values[i])));
            event.text = zj_source(r->doc, values[i]);
        }
        zf_fg_check_special(r, values[i], event.text);
        event.at -= floor(event.at); // it happens in every pass
        times[clip->event_count] = event.at;
        events[clip->event_count++] = event;
    }
    clip->events = events;
    const uint32_t *order = zb_arena_failed(r->arena) ? NULL : zf_sorted(r->arena, times, clip->event_count);
    zf_fg_event *sorted = order != NULL ? zb_arena_take_array(r->arena, clip->event_count, sizeof *sorted) : NULL;
    for (uint32_t i = 0; sorted != NULL && i < clip->event_count; i++) {
        sorted[i] = events[order[i]];
    }
    if (sorted != NULL) {
        clip->events = sorted;
    }
}

static void read_armature_clip(const zf_fg_reading *r, zf_fg_rig *rig, zb_array *joints, uint32_t node,
                               zf_fg_clip *clip) {
    zf_fields f;
    *clip = (zf_fg_clip){.name = zj_key(r->doc, node), .node = node};
    if (!zf_fg_open(r, &f, node, &zf_fg_armature_clip_object, "a clip")) {
        return;
    }
    if (f.nodes[FG_LOOP] == 0) {
        zf_fg_advise(r, node, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word("a clip"), zd_word("loop")));
    }
    clip->loop = zf_fg_member_true(r, &f, FG_LOOP, false);
    if (f.nodes[FG_JOINT_CLIPS] != 0 && zf_fg_is(r, f.nodes[FG_JOINT_CLIPS], ZJ_OBJECT, "joint_clips")) {
        read_joint_clips(r, rig, joints, f.nodes[FG_JOINT_CLIPS], clip);
    }
    if (f.nodes[FG_EVENTS] != 0 && zf_fg_is(r, f.nodes[FG_EVENTS], ZJ_OBJECT, "events")) {
        read_events(r, f.nodes[FG_EVENTS], clip);
    }
}

void zf_fg_read_armature(const zf_fg_reading *r, zf_fg_rig *rig) {
    zf_fields f;
    zb_array joints = zb_array_open(r->arena, sizeof(zf_fg_joint));
    uint32_t count = 0;
    open_rig(r, rig);
    if (!zf_fg_open(r, &f, ZJ_ROOT, &zf_fg_armature_object, "the file")) {
        return;
    }
    if (f.nodes[FG_JOINTS] != 0 && zf_fg_is(r, f.nodes[FG_JOINTS], ZJ_OBJECT, "joints")) {
        const uint32_t *values = zf_members(r->arena, r->doc, f.nodes[FG_JOINTS], &count);
        for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
            const uint32_t joint = joint_of(rig, &joints, zj_key(r->doc, values[i]), values[i]);
            if (zf_fg_is(r, values[i], ZJ_OBJECT, "a joint") && !zb_arena_failed(r->arena)) {
                read_elements(r, values[i], (zf_fg_joint *)(void *)joints.items + joint);
            }
        }
    }
    if (f.nodes[FG_ARMATURE_CLIPS] != 0 && zf_fg_is(r, f.nodes[FG_ARMATURE_CLIPS], ZJ_OBJECT, "clips")) {
        const uint32_t *values = zf_members(r->arena, r->doc, f.nodes[FG_ARMATURE_CLIPS], &count);
        zf_fg_clip *clips = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *clips);
        for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
            zb_intern_id(&rig->clip_names, zj_key(r->doc, values[i]));
            read_armature_clip(r, rig, &joints, values[i], &clips[i]);
        }
        rig->clips = clips;
        rig->clip_count = count;
    }
    rig->joints = (const zf_fg_joint *)(const void *)joints.items;
    rig->joint_count = joints.count;
}

// ---------------------------------------------------------------------------------------------------- draft animations

static uint32_t read_parameter(const zf_fg_reading *r, const zf_fields *f) {
    zo_text text = {NULL, 0};
    if (!zf_fg_member_text(r, f, FA_PARAMETER, &text)) {
        return ZF_FG_VARIABLE_COUNT;
    }
    const uint32_t word = zf_word(zf_fg_parameters, ZF_FG_PARAMETER_COUNT, text);
    const uint32_t variable = zf_fg_parameter_variable(word);
    if (variable == ZF_FG_VARIABLE_COUNT) {
        const uint32_t added = zf_fg_tell(r, f->nodes[FA_PARAMETER], ZD_FORGE_UNKNOWN_VARIABLE,
                                          ZD_ARGS(zf_fg_quoted(r, text)));
        zf_hint_nearest(r->doc, added, text, zf_fg_parameters, ZF_FG_SHORT_COUNT);
    } else if (variable > ZF_FG_OFFSET_Z) {
        zf_fg_tell(r, f->nodes[FA_PARAMETER], ZD_FORGE_DRAFT_PARAMETER_GUESSED, ZD_ARGS(zf_fg_quoted(r, text)));
    }
    return variable;
}

static bool read_times(const zf_fg_reading *r, const zf_fields *f, uint32_t node, zf_fg_track *track) {
    uint32_t count = 0;
    if (f->nodes[FA_TIMES] == 0) {
        zf_fg_tell(r, node, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word("a track of type samples"), zd_word("times")));
        return false;
    }
    track->times = read_numbers(r, f->nodes[FA_TIMES], "times", &count);
    if (track->times == NULL || track->samples == NULL) {
        return false;
    }
    if (count != track->count) {
        zf_fg_tell(r, f->nodes[FA_TIMES], ZD_FORGE_TIMES_SAMPLES_MISMATCH,
                   ZD_ARGS(zd_int(count), zd_int(track->count)));
        return false;
    }
    uint32_t item = zj_at(r->doc, f->nodes[FA_TIMES])->as.items.first;
    for (uint32_t i = 0; i < count; i++, item = zj_at(r->doc, item)->next) {
        if (!(track->times[i] >= 0.0 && track->times[i] < 1.0) || (i > 0 && track->times[i] <= track->times[i - 1])) {
            zf_fg_tell(r, item, ZD_FORGE_TIMES_NOT_ASCENDING, ZD_ARGS(zd_number(track->times[i])));
            return false;
        }
    }
    return true;
}

// false: it is no use.
static bool read_track(const zf_fg_reading *r, const zf_fg_rig *rig, uint32_t node, zf_fg_track *track) {
    zf_fields f;
    zo_text joint = {NULL, 0};
    if (!zf_fg_open(r, &f, node, &zf_fg_track_object, "a track")) {
        return false;
    }
    bool good = zf_fg_member_text(r, &f, FA_JOINT, &joint);
    const uint32_t ref = good ? zb_intern_find(&rig->joint_names, joint) : 0;
    if (good && ref == 0) {
        const uint32_t added = rig->joints_faulty ? 0 : zf_fg_tell(r, f.nodes[FA_JOINT], ZD_FORGE_UNKNOWN_JOINT,
                                                                   ZD_ARGS(zf_fg_quoted(r, joint)));
        zf_fg_hint_name(r, added, joint, &rig->joint_names, NULL);
    }
    const uint32_t variable = read_parameter(r, &f);
    const uint32_t type = zf_fg_member_word(r, &f, FA_TYPE, ZD_FORGE_UNKNOWN_TYPE, 2);
    const uint32_t way = zf_fg_member_word(r, &f, FA_INTERPOLATION, ZD_FORGE_UNKNOWN_INTERPOLATION,
                                           ZF_FG_INTERPOLATION_COUNT);
    *track = (zf_fg_track){.node = node, .joint = ref - 1, .variable = (zf_fg_variable)variable,
                           .interpolation = (zf_fg_interpolation)way};
    track->samples = f.nodes[FA_SAMPLES] != 0 ? read_numbers(r, f.nodes[FA_SAMPLES], "samples", &track->count) : NULL;
    if (type == 0) {
        zf_fg_tell_unused(r, &f, FA_TIMES, FA_TIMES, "track of the type uniform");
    }
    good = (type != 1 || read_times(r, &f, node, track)) && ref != 0;
    return good && track->samples != NULL && variable < ZF_FG_VARIABLE_COUNT && type < 2 &&
           way < ZF_FG_INTERPOLATION_COUNT;
}

// `joints`: one for each of the rig, for all of its clips one after the other: there may be many of both.
static void read_tracks(const zf_fg_reading *r, const zf_fg_rig *rig, uint32_t node, moved *joints, zf_fg_clip *clip) {
    const uint32_t count = zj_at(r->doc, node)->as.items.count, clip_ref = rig->clip_count + 1;
    zf_fg_track *tracks = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *tracks);
    uint32_t *order = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *order), moved_count = 0;
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0 && !zb_arena_failed(r->arena);
         item = zj_at(r->doc, item)->next) {
        zf_fg_track *track = &tracks[clip->track_count];
        if (!read_track(r, rig, item, track)) {
            continue;
        }
        moved *joint = &joints[track->joint];
        if (joint->clip_ref != clip_ref) {
            *joint = (moved){.clip_ref = clip_ref};
            order[moved_count++] = track->joint;
        }
        if (note_variable(r, joint, track->variable, item)) {
            check_track(r, track, clip->loop);
            clip->track_count++;
        }
    }
    for (uint32_t i = 0; i < moved_count && !zb_arena_failed(r->arena); i++) {
        check_axis(r, &joints[order[i]]);
    }
    clip->tracks = tracks;
}

static bool note_name(const zf_fg_reading *r, zb_intern *names, uint32_t node, zo_text name, const char *what) {
    const uint32_t known = zb_intern_count(names);
    if (zb_intern_id(names, name) > known) {
        return true;
    }
    if (!zb_arena_failed(r->arena)) {
        zf_fg_tell(r, node, ZD_FORGE_DUPLICATE_NAME, ZD_ARGS(zd_word(what), zf_fg_quoted(r, name)));
    }
    return false;
}

static void read_draft_joints(const zf_fg_reading *r, zf_fg_rig *rig, uint32_t node) {
    const size_t count = zj_at(r->doc, node)->as.items.count;
    zf_fg_joint *joints = zb_arena_take_array(r->arena, count + 1, sizeof *joints);
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0 && !zb_arena_failed(r->arena);
         item = zj_at(r->doc, item)->next) {
        zf_fields f;
        zf_fg_joint *joint = &joints[rig->joint_count];
        *joint = (zf_fg_joint){.node = item};
        if (!zf_fg_open(r, &f, item, &zf_fg_draft_joint_object, "a joint")) {
            continue;
        }
        if (f.nodes[FA_WEIGHTS] != 0 && zf_fg_is(r, f.nodes[FA_WEIGHTS], ZJ_OBJECT, "weights")) {
            read_elements(r, f.nodes[FA_WEIGHTS], joint);
        }
        if (zf_fg_member_text(r, &f, FA_JOINT_NAME, &joint->name) &&
            note_name(r, &rig->joint_names, f.nodes[FA_JOINT_NAME], joint->name, "joint")) {
            rig->joint_count++;
        }
    }
    rig->joints = joints;
    rig->joints_faulty = rig->joint_count < count;
}

static void read_draft_clips(const zf_fg_reading *r, zf_fg_rig *rig, uint32_t node) {
    zf_fg_clip *clips = zb_arena_take_array(r->arena, (size_t)zj_at(r->doc, node)->as.items.count + 1, sizeof *clips);
    moved *joints = zb_arena_take_array(r->arena, (size_t)rig->joint_count + 1, sizeof *joints);
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0 && !zb_arena_failed(r->arena);
         item = zj_at(r->doc, item)->next) {
        zf_fields f;
        zf_fg_clip *clip = &clips[rig->clip_count];
        *clip = (zf_fg_clip){.node = item};
        if (!zf_fg_open(r, &f, item, &zf_fg_animation_clip_object, "a clip")) {
            continue;
        }
        clip->loop = zf_fg_member_true(r, &f, FA_LOOP, false);
        if (f.nodes[FA_TRACKS] != 0 && zf_fg_is(r, f.nodes[FA_TRACKS], ZJ_ARRAY, "tracks")) {
            read_tracks(r, rig, f.nodes[FA_TRACKS], joints, clip);
        }
        if (zf_fg_member_text(r, &f, FA_CLIP_NAME, &clip->name) &&
            note_name(r, &rig->clip_names, f.nodes[FA_CLIP_NAME], clip->name, "clip")) {
            rig->clip_count++;
        }
    }
    rig->clips = clips;
}

void zf_fg_read_animation(const zf_fg_reading *r, zf_fg_rig *rig) {
    zf_fields f;
    open_rig(r, rig);
    if (!zf_fg_open(r, &f, ZJ_ROOT, &zf_fg_animation_object, "the file")) {
        return;
    }
    zo_text domain, path;
    if (zf_fg_member_text(r, &f, FA_MODEL, &rig->model) && rig->model.size > 0 &&
        !zf_fg_split_name(rig->model, &domain, &path)) {
        zf_fg_wrong_type(r, f.nodes[FA_MODEL], "model", "a name, \"domain:path\"");
        rig->model = (zo_text){NULL, 0};
    }
    rig->model_node = f.nodes[FA_MODEL];
    rig->joints_faulty = true;
    if (f.nodes[FA_JOINTS] != 0 && zf_fg_is(r, f.nodes[FA_JOINTS], ZJ_ARRAY, "joints")) {
        read_draft_joints(r, rig, f.nodes[FA_JOINTS]);
    }
    if (f.nodes[FA_CLIPS] != 0 && zf_fg_is(r, f.nodes[FA_CLIPS], ZJ_ARRAY, "clips")) {
        read_draft_clips(r, rig, f.nodes[FA_CLIPS]);
    }
}
