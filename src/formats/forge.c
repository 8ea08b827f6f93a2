// Forge's readers as formats.c sees them: how much a text looks like one of the five kinds of file, and reading them.
#include <string.h>

#include "formats/bedrock.h"
#include "formats/forge_fields.h"

typedef struct clue {
    zf_name member;
    zj_kind kind;
    uint8_t sure;
} clue;

// How sure the members make us, each counting where it is of the kind said.
static uint32_t sum_of(const zf_input *input, const clue *clues, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = zj_member(input->doc, ZJ_ROOT, zf_name_text(clues[i].member));
        sum += zf_is(input->doc, node, clues[i].kind) ? clues[i].sure : 0;
    }
    return sum < 100 ? sum : 100;
}

static bool has(const zf_input *input, const char *member) {
    return zj_member(input->doc, ZJ_ROOT, zb_text(member)) != 0;
}

static bool is_object(const zf_input *input) { return input->doc != NULL && zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT); }

// ------------------------------------------------------------------------------------------------------------ machines

// Clips are objects in the draft, alone or in arrays, and texts or arrays that begin with one in the other dialect:
// which decides where the members are those of both.
static bool has_draft_clips(const zf_input *input) {
    const uint32_t clips = zj_member(input->doc, ZJ_ROOT, ZB_TEXT("clips"));
    uint32_t clip = zf_is(input->doc, clips, ZJ_OBJECT) ? zj_at(input->doc, clips)->as.items.first : 0;
    if (zf_is(input->doc, clip, ZJ_ARRAY)) {
        clip = zj_at(input->doc, clip)->as.items.first;
    }
    return zf_is(input->doc, clip, ZJ_OBJECT) && (has(input, "animation") || has(input, "model"));
}

static uint32_t machine_likeness(const zf_input *input) {
    static const clue clues[] = {{ZF_NAME("start_state"), ZJ_STRING, 35}, {ZF_NAME("parameters"), ZJ_OBJECT, 15},
                                 {ZF_NAME("transitions"), ZJ_OBJECT, 20}, {ZF_NAME("clips"), ZJ_OBJECT, 15},
                                 {ZF_NAME("states"), ZJ_ARRAY, 15}};
    return is_object(input) && !has_draft_clips(input) ? sum_of(input, clues, ZB_COUNT(clues)) : 0;
}

static uint32_t draft_machine_likeness(const zf_input *input) {
    static const clue clues[] = {{ZF_NAME("animation"), ZJ_STRING, 30}, {ZF_NAME("model"), ZJ_STRING, 20},
                                 {ZF_NAME("transitions"), ZJ_OBJECT, 25}, {ZF_NAME("clips"), ZJ_OBJECT, 15},
                                 {ZF_NAME("states"), ZJ_ARRAY, 20}};
    const bool other = is_object(input) && (has(input, "start_state") || has(input, "parameters")) &&
                       !has_draft_clips(input);
    return is_object(input) && !other ? sum_of(input, clues, ZB_COUNT(clues)) : 0;
}

static zo_status read_machine(const zf_input *input, zp_build *build, zf_fg_kind kind) {
    zf_fg_reads reads;
    const zf_fg_reading r = zf_fg_reading_of(input, kind, &reads);
    zf_fg_machine machine;
    (kind == ZF_FG_MACHINE ? zf_fg_read_machine : zf_fg_read_draft_machine)(&r, &machine);
    if (zd_report_errors(input->report) > 0 || (build == NULL && machine.unknown)) {
        return ZO_OK;
    }
    if (machine.unknown) {
        return ZO_NEEDS;
    }
    // What is too large shows only here, so a check goes this far as well.
    return zf_fg_compile_machine(&r, &machine, build != NULL ? build : zp_build_open(input->arena));
}

static zo_status machine_read(const zf_input *input, zp_build *build) {
    return read_machine(input, build, ZF_FG_MACHINE);
}

static zo_status draft_machine_read(const zf_input *input, zp_build *build) {
    return read_machine(input, build, ZF_FG_DRAFT_MACHINE);
}

static zo_status machine_plan(const zf_input *input, const char *to, zp_build *build, zf_export *out) {
    return strcmp(to, "bedrock") == 0 ? zf_br_plan(input, build, out) : ZO_UNSUPPORTED;
}

const zf_reader zf_fg_machine_reader = {
    .format = {.name = "forge-machine", .title = "Forge animation state machine"},
    .json = true,
    .lenient = ZJ_LOOSE,
    .likeness = machine_likeness,
    .read = machine_read,
    .plan = machine_plan,
    .object = &zf_fg_machine_object,
};

const zf_reader zf_fg_draft_machine_reader = {
    .format = {.name = "forge-draft-machine", .title = "Forge animation state machine of the draft"},
    .json = true,
    .lenient = ZJ_LOOSE | ZJ_MISSING_COMMAS,
    .likeness = draft_machine_likeness,
    .read = draft_machine_read,
    .object = &zf_fg_draft_machine_object,
};

// ---------------------------------------------------------------------------------------------------------------- rigs

static uint32_t armature_likeness(const zf_input *input) {
    static const clue clues[] = {{ZF_NAME("joints"), ZJ_OBJECT, 40}, {ZF_NAME("clips"), ZJ_OBJECT, 30}};
    return is_object(input) ? sum_of(input, clues, ZB_COUNT(clues)) : 0;
}

static uint32_t animation_likeness(const zf_input *input) {
    static const clue clues[] = {{ZF_NAME("joints"), ZJ_ARRAY, 35}, {ZF_NAME("clips"), ZJ_ARRAY, 25},
                                 {ZF_NAME("model"), ZJ_STRING, 15}};
    return is_object(input) ? sum_of(input, clues, ZB_COUNT(clues)) : 0;
}

static zo_status read_rig(const zf_input *input, zp_build *build, zf_fg_kind kind) {
    zf_fg_reads reads;
    const zf_fg_reading r = zf_fg_reading_of(input, kind, &reads);
    zf_fg_rig rig;
    (kind == ZF_FG_ARMATURE ? zf_fg_read_armature : zf_fg_read_animation)(&r, &rig);
    // Which elements there are shows only with the model, so a check goes as far, if the model is known.
    const bool check = build == NULL;
    if (zd_report_errors(input->report) > 0) {
        return ZO_OK;
    }
    if (check && kind == ZF_FG_ARMATURE) { // its pictures are the model's affair
        zf_fg_check_elements(&r, &rig);
        return ZO_OK;
    }
    const zo_status status = zf_fg_compile_rig(&r, &rig, check ? zp_build_open(input->arena) : build);
    return check && status == ZO_NEEDS ? ZO_OK : status;
}

static zo_status armature_read(const zf_input *input, zp_build *build) {
    return read_rig(input, build, ZF_FG_ARMATURE);
}

static zo_status animation_read(const zf_input *input, zp_build *build) {
    return read_rig(input, build, ZF_FG_DRAFT_ANIMATION);
}

const zf_reader zf_fg_armature_reader = {
    .format = {.name = "forge-armature", .title = "Forge armature"},
    .json = true,
    .lenient = ZJ_LOOSE,
    .likeness = armature_likeness,
    .read = armature_read,
    .object = &zf_fg_armature_object,
};

const zf_reader zf_fg_draft_animation_reader = {
    .format = {.name = "forge-draft-animation", .title = "Forge animation of the draft"},
    .json = true,
    .lenient = ZJ_LOOSE | ZJ_MISSING_COMMAS,
    .likeness = animation_likeness,
    .read = animation_read,
    .object = &zf_fg_animation_object,
};

// -------------------------------------------------------------------------------------------------------------- models

static uint32_t model_likeness(const zf_input *input) {
    static const clue clues[] = {{ZF_NAME("elements"), ZJ_ARRAY, 60}, {ZF_NAME("textures"), ZJ_OBJECT, 30},
                                 {ZF_NAME("parent"), ZJ_STRING, 30}, {ZF_NAME("ambientocclusion"), ZJ_TRUE, 20},
                                 {ZF_NAME("ambientocclusion"), ZJ_FALSE, 20}, {ZF_NAME("display"), ZJ_OBJECT, 10}};
    return is_object(input) ? sum_of(input, clues, ZB_COUNT(clues)) : 0;
}

static zo_status model_read(const zf_input *input, zp_build *build) {
    zf_fg_reads reads;
    const zf_fg_reading r = zf_fg_reading_of(input, ZF_FG_MODEL, &reads);
    zf_fg_model model;
    zf_fg_read_model(&r, &model);
    if (model.crowd > 0) {
        zf_fg_count_elements(&r, &model, model.crowd_node);
    }
    if (build == NULL || zd_report_errors(input->report) > 0) {
        return ZO_OK;
    }
    return model.unknown ? ZO_NEEDS : zf_fg_compile_model(&r, &model, build);
}

const zf_reader zf_fg_model_reader = {
    .format = {.name = "forge-model", .title = "block model of Minecraft"},
    .json = true,
    .lenient = ZJ_LOOSE,
    .likeness = model_likeness,
    .read = model_read,
    .object = &zf_fg_model_object,
};
