// What the objects of a motion pack hold: the list that the reader walks them by and that the JSON Schema is written
// from. The animations are described by petween_fields.c. Tables only: nothing here runs.
#include "formats/petween_pack.h"

#define FIELDS(table) .fields = table, .field_count = ZB_COUNT(table)
#define BEYOND(table) .beyond = table, .beyond_count = ZB_COUNT(table)

const zf_name zf_pt_pack_word = ZF_NAME("motion-pack");
const zf_name zf_pt_mixed = ZF_NAME("mixed");

static const zf_field mount_fields[] = {
    [MOUNT_ENTER] = {ZF_NAME("enter"), ZF_TEXT, false, ZD_PETWEEN_PACK_ENTER, .forms = {&zf_pt_id_text},
                     .about = "The transition of this pack that enters the state."},
    [MOUNT_AMBIENT] = {ZF_NAME("ambient"), ZF_TEXT, false, ZD_PETWEEN_PACK_AMBIENT, .forms = {&zf_pt_id_text},
                       .about = "The ambient animation of this pack that accompanies the state."},
};

static const zf_beyond mount_beyond[] = {
    {ZD_PETWEEN_PACK_ENTER, "enter is the id of a transition of the pack"},
    {ZD_PETWEEN_PACK_AMBIENT, "ambient is the id of an ambient animation of the pack"},
};

const zf_object zf_pt_mount_object = {"mount", "What a state is meant to have of this pack.", ZD_PETWEEN_PACK_MOUNT,
                                      FIELDS(mount_fields), BEYOND(mount_beyond)};

#define SLOT(text) {ZF_NAME(text), ZF_OBJECT, false, ZD_PETWEEN_PACK_MOUNT, .object = &zf_pt_mount_object, \
                    .about = "For the state " text "."}
static const zf_field mounts_fields[ZF_PT_SLOT_COUNT] = { // in the order of zf_pt_slots
    SLOT("idle"), SLOT("thinking"), SLOT("working"), SLOT("waiting"), SLOT("success"), SLOT("error"),
};

const zf_object zf_pt_mounts_object = {
    "mounts", "Which animations are meant for which states. An import offers them and applies nothing.",
    ZD_PETWEEN_PACK_MOUNTS, FIELDS(mounts_fields), .other = ZD_PETWEEN_PACK_SLOT};

static const zf_field pack_fields[] = {
    [PACK_FORMAT] = {ZF_NAME("format"), ZF_TEXT, true, ZD_PETWEEN_PACK_FORMAT, .words = &zf_pt_pack_word,
                     .word_count = 1, .about = "What this file is."},
    [PACK_VERSION] = {ZF_NAME("version"), ZF_NUMBER, true, ZD_PETWEEN_PACK_VERSION, .low = 1.0, .high = 1.0,
                      .id_above = ZD_PETWEEN_PACK_VERSION_NEWER,
                      .about = "Of the format of packs."},
    [PACK_NAME] = {ZF_NAME("name"), ZF_TEXT, true, ZD_PETWEEN_PACK_NAME, .count_min = 1,
                   .about = "What people see when they import the pack."},
    [PACK_NAMESPACE] = {ZF_NAME("namespace"), ZF_TEXT, true, ZD_PETWEEN_PACK_NAMESPACE,
                        .forms = {&zf_pt_namespace_text},
                        .about = "What the ids of all animations begin with, or mixed when they differ."},
    [PACK_ANIMATIONS] = {ZF_NAME("animations"), ZF_ARRAY, true, ZD_PETWEEN_PACK_ANIMATIONS, .count_min = 1,
                         .count_max = ZF_PT_PACK_MAX, .object = &zf_pt_definition_object,
                         .about = "The definitions, each with an id of its own."},
    [PACK_MOUNTS] = {ZF_NAME("mounts"), ZF_OBJECT, false, ZD_PETWEEN_PACK_MOUNTS, .object = &zf_pt_mounts_object,
                     .about = "Which animations are meant for which states."},
};

static const zf_demand pack_demands[] = {
    {ZD_PETWEEN_PACK_NAMESPACE, ZF_NO_FORM, .field = &pack_fields[PACK_NAMESPACE],
     .form = &zf_pt_reserved_namespace_text},
};

static const zf_beyond pack_beyond[] = {
    {ZD_PETWEEN_PACK_NAME, "the name has 1 to 120 characters without the white space around it"},
    {ZD_PETWEEN_PACK_OUTSIDE_NAMESPACE, "all ids lie in the namespace"},
    {ZD_PETWEEN_PACK_DUPLICATE_ID, "no two animations have the same id"},
    {ZD_PETWEEN_RESERVED_ID, "no id is that of petween's drafts"},
};

const zf_object zf_pt_pack_object = {
    "pack", "Animations of a desktop pet that travel together.", ZD_PETWEEN_PACK_OBJECT, FIELDS(pack_fields),
    .demands = pack_demands, .demand_count = ZB_COUNT(pack_demands), BEYOND(pack_beyond)};
