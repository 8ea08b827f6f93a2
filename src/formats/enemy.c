// The enemy-animation reader as formats.c sees it: how much a text looks like a clip, and reading one into a program.
#include "formats/enemy_pack.h"

// How sure each member makes us; the type is this format's word alone.
static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    zo_text type = {NULL, 0};
    if (zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("type")), &type) &&
        zb_text_equal(type, ZB_TEXT("enemyAnimation"))) {
        return 100;
    }
    static const struct {
        zo_text member;
        uint32_t sure;
    } members[] = {
        {{"schemaVersion", 13}, 10}, {{"enemy", 5}, 25},         {{"durationSeconds", 15}, 20},
        {{"frameRate", 9}, 10},      {{"objectTracks", 12}, 10}, {{"effectTriggers", 14}, 20},
        {{"tracks", 6}, 10},         {{"displayName", 11}, 5},
    };
    uint32_t sure = 0;
    for (uint32_t i = 0; i < ZB_COUNT(members); i++) {
        sure += zj_member(doc, ZJ_ROOT, members[i].member) != 0 ? members[i].sure : 0;
    }
    return sure < 100 ? sure : 100;
}

static zo_status read(const zf_input *input, zp_build *build) {
    ZO_ASSERT(input->doc != NULL);
    zf_en_pack pack;
    const zo_status status = zf_en_read_pack(input, false, &pack);
    if (status == ZO_OK && build != NULL) {
        zf_en_compile(&pack, build);
    }
    return status;
}

const zf_reader zf_en_reader = {
    .format = {.name = "enemy-animation", .title = "enemy animation"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .object = &zf_en_clip_object,
};
