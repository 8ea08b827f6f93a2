// The petween reader as formats.c sees it: how much a text looks like an AnimationDefinition, reading one into a
// program, and its merged frame list.
#include "formats/petween.h"

// How sure each member makes us. `kind` and `property` count by their values, which no other format has.
static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT) || zj_member(doc, ZJ_ROOT, ZB_TEXT("format")) != 0) {
        return 0;
    }
    uint32_t sure = 0;
    sure += zj_member(doc, ZJ_ROOT, ZB_TEXT("durationMs")) != 0 ? 30 : 0;
    sure += zj_member(doc, ZJ_ROOT, ZB_TEXT("tracks")) != 0 ? 20 : 0;
    sure += zj_member(doc, ZJ_ROOT, ZB_TEXT("repeat")) != 0 ? 15 : 0;
    sure += zj_member(doc, ZJ_ROOT, ZB_TEXT("id")) != 0 ? 5 : 0;
    sure += zj_member(doc, ZJ_ROOT, ZB_TEXT("version")) != 0 ? 5 : 0;
    zo_text kind = {NULL, 0};
    if (zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("kind")), &kind)) {
        sure += zf_word(zf_pt_kinds, ZF_PT_KIND_COUNT, kind) < ZF_PT_KIND_COUNT ? 30 : 10;
    }
    return sure < 100 ? sure : 100;
}

static zo_status read_definition(const zf_input *input, zf_pt_definition *definition) {
    ZO_ASSERT(input->doc != NULL);
    const zf_pt_reading reading = {
        .arena = input->arena, .doc = input->doc, .profile = input->def->profile, .own = input->own};
    switch (zf_pt_read(&reading, ZJ_ROOT, definition)) {
    case ZF_PT_VALID: return ZO_OK;
    case ZF_PT_NEWER: return ZO_NEWER;
    case ZF_PT_INVALID: break;
    }
    return ZO_INVALID;
}

static zo_status read(const zf_input *input, zp_build *build) {
    zf_pt_definition definition;
    const zo_status status = read_definition(input, &definition);
    if (status == ZO_OK && build != NULL) {
        zf_pt_compile(input->arena, &definition, 1, input->def->profile, build);
    }
    return status;
}

static zo_status frames(const zf_input *input, const zo_frames_def *def, zb_buffer *out) {
    zf_pt_definition definition;
    const zo_status status = read_definition(input, &definition);
    if (status != ZO_OK) {
        return status;
    }
    return zf_pt_write_frames(input->arena, &definition, 1, false, def, input->def->profile, out);
}

const zf_reader zf_pt_reader = {
    .format = {.name = "petween", .title = "petween AnimationDefinition"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .frames = frames,
    .object = &zf_pt_definition_object,
};
