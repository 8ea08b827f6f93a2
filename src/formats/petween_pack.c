// The reader of motion packs: what a pack itself demands, its animations by the code that reads lone definitions, and
// its mounts. Called through the table of formats and by what imports packs. Knows no library and no program.
#include "formats/petween_pack.h"

#include "base/intern.h"
#include "base/utf8.h"

// ------------------------------------------------------------------------------------------------------- name and head

static bool is_white(uint32_t c) { // Source: ECMA-262, WhiteSpace and LineTerminator
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

zo_text zf_pt_trim(zo_text text) { return zb_utf8_trim(text, is_white); }

// true: a newer program wrote it.
static bool read_version(const zf_pt_reading *r, const zf_fields *fields) {
    double version = 0.0;
    if (zf_fields_in_range(fields, PACK_VERSION, &version)) {
        return false;
    }
    if (zf_number(r->doc, fields->nodes[PACK_VERSION], &version) && version > 1.0) {
        zf_report(fields, PACK_VERSION, ZD_PETWEEN_PACK_VERSION_NEWER, ZD_ARGS(zd_number(version)));
        return true;
    }
    zf_report(fields, PACK_VERSION, ZD_PETWEEN_PACK_VERSION,
              ZD_ARGS(zf_not(r->arena, r->doc, fields->nodes[PACK_VERSION])));
    return false;
}

static zd_arg not_so_many(const zf_pt_reading *r, const char *before, uint32_t count) {
    zb_buffer out = zb_buffer_open(r->arena);
    zb_put(&out, before);
    zb_put_uint(&out, count);
    return zd_text((zo_text){out.data, out.size});
}

bool zf_pt_read_name(const zf_pt_reading *r, const zf_fields *fields, uint32_t field, zo_text *out) {
    const zd_id id = fields->table->fields[field].id;
    const bool original = r->profile == ZO_PROFILE_ORIGINAL;
    const zd_arg unit = zd_word(original ? "UTF-16 units" : "characters");
    zo_text name = {NULL, 0};
    if (!zf_text(r->doc, fields->nodes[field], &name)) {
        zf_report(fields, field, id, ZD_ARGS(unit, zf_not(r->arena, r->doc, fields->nodes[field])));
        return false;
    }
    *out = zf_pt_trim(name);
    const uint32_t count = original ? zb_utf16_count(out->data, out->size) : zb_utf8_count(out->data, out->size);
    if (count > 0 && count <= ZF_PT_PACK_NAME_MAX) {
        return true;
    }
    zf_report(fields, field, id, ZD_ARGS(unit, not_so_many(r, ", and this one has ", count)));
    return false;
}

// The text may be looked at even when it was reported; without a text it is empty.
static void read_namespace(const zf_pt_reading *r, const zf_fields *fields, zf_pt_pack *out) {
    const uint32_t node = fields->nodes[PACK_NAMESPACE];
    const bool is_text = zf_text(r->doc, node, &out->namespace_text);
    const zf_pt_form form = is_text ? zf_pt_namespace_form(out->namespace_text) : ZF_PT_NOT;
    const bool refused = form == ZF_PT_NOT || (form == ZF_PT_DOCUMENT && r->profile == ZO_PROFILE_ORIGINAL) ||
                         zb_text_equal(out->namespace_text, ZB_TEXT("builtin"));
    if (refused) {
        zf_report(fields, PACK_NAMESPACE, ZD_PETWEEN_PACK_NAMESPACE, ZD_ARGS(zf_not(r->arena, r->doc, node)));
    } else if (form == ZF_PT_DOCUMENT) {
        zf_report(fields, PACK_NAMESPACE, ZD_PETWEEN_NAME_NOT_PORTABLE,
                  ZD_ARGS(zf_quoted(r->arena, r->doc, out->namespace_text)));
    }
}

// ---------------------------------------------------------------------------------------------------------- animations

// The animations as they are read, and which ids they took.
typedef struct pack_walk {
    const zf_pt_reading *r;
    zf_pt_pack *pack;
    bool namespace_known, mixed;
    zb_intern ids;
    uint32_t *first_with;  // animation that has the id of that number; from 1, by id
    bool *accepted;        // by animation
    bool newer;
} pack_walk;

static uint32_t id_node(const pack_walk *w, const zf_pt_definition *d) {
    return zj_member(w->r->doc, d->node, ZB_TEXT("id"));
}

bool zf_pt_refuse_reserved_id(const zf_pt_reading *r, const zf_pt_definition *definition) {
    if (!zb_text_equal(definition->id, ZB_TEXT("user:0draft"))) {
        return false;
    }
    zf_report_head(r->doc, zj_member(r->doc, definition->node, ZB_TEXT("id")), ZD_PETWEEN_RESERVED_ID,
                   ZD_ARGS(zf_quoted(r->arena, r->doc, definition->id)));
    return true;
}

// What a pack demands of an id that is one. Reports.
static void check_id(pack_walk *w, const zf_pt_definition *d, uint32_t index) {
    const zf_pt_reading *r = w->r;
    const zf_pt_form form = zf_pt_id_form(d->id);
    if (form == ZF_PT_NOT || (form == ZF_PT_DOCUMENT && r->profile == ZO_PROFILE_ORIGINAL)) {
        return; // reported with the definition
    }
    zf_pt_refuse_reserved_id(r, d);
    if (w->namespace_known && !w->mixed && !zb_text_equal(zf_pt_namespace(d->id), w->pack->namespace_text)) {
        zf_report_head(r->doc, id_node(w, d), ZD_PETWEEN_PACK_OUTSIDE_NAMESPACE,
                       ZD_ARGS(zf_quoted(r->arena, r->doc, d->id),
                               zf_quoted(r->arena, r->doc, w->pack->namespace_text)));
    }
    const uint32_t id = zb_intern_id(&w->ids, d->id);
    if (id == 0 || w->first_with[id] == 0) {
        w->first_with[id] = index + 1;
        return;
    }
    const uint32_t added = zf_report_head(r->doc, id_node(w, d), ZD_PETWEEN_PACK_DUPLICATE_ID,
                                          ZD_ARGS(zf_quoted(r->arena, r->doc, d->id)));
    if (added != 0) {
        const zf_pt_definition *first = &w->pack->animations[w->first_with[id] - 1];
        zd_report_relate(r->doc->report, added, zj_place(r->doc, id_node(w, first)), "the id is used here first");
    }
}

static void read_animation(pack_walk *w, uint32_t node) {
    const uint32_t index = w->pack->animation_count++;
    zf_pt_definition *d = &w->pack->animations[index];
    const uint32_t errors_before = zd_report_errors(w->r->doc->report);
    w->newer = zf_pt_read(w->r, node, d) == ZF_PT_NEWER || w->newer;
    check_id(w, d, index);
    w->accepted[index] = zd_report_errors(w->r->doc->report) == errors_before;
}

// false: there are none to speak of, and whatever names them cannot be judged.
static bool read_animations(pack_walk *w, const zf_fields *fields) {
    const zf_pt_reading *r = w->r;
    const uint32_t node = zf_fields_items(fields, PACK_ANIMATIONS);
    if (node == 0) {
        return false;
    }
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    if (count > fields->table->fields[PACK_ANIMATIONS].count_max) {
        zf_report(fields, PACK_ANIMATIONS, ZD_PETWEEN_PACK_ANIMATIONS, ZD_ARGS(not_so_many(r, ", not of ", count)));
    }
    w->ids = zb_intern_open(r->arena);
    w->first_with = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *w->first_with);
    w->accepted = zb_arena_take_array(r->arena, count, sizeof *w->accepted);
    w->pack->animations = zb_arena_take_array(r->arena, count, sizeof *w->pack->animations);
    if (w->first_with == NULL || w->accepted == NULL || w->pack->animations == NULL) {
        return false;
    }
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        read_animation(w, item);
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------- mounts

// Why the id is not taken, in the words of the message: it is not there, of another kind, or has errors.
static zd_arg why_not(const pack_walk *w, uint32_t node, zo_text id, uint32_t ref) {
    if (ref == 0) {
        return zf_not(w->r->arena, w->r->doc, node);
    }
    zb_buffer out = zb_buffer_open(w->r->arena);
    zb_put(&out, ", and ");
    zb_put_text(&out, zf_quoted(w->r->arena, w->r->doc, id).text);
    const zf_pt_kind kind = w->pack->animations[ref - 1].kind;
    if (!w->accepted[ref - 1] || kind == ZF_PT_KIND_COUNT) {
        zb_put(&out, " has errors of its own");
    } else {
        zb_put(&out, " is of kind ");
        zb_put_text(&out, zf_name_text(zf_pt_kinds[kind]));
    }
    return zd_text((zo_text){out.data, out.size});
}

// One member of a mount: the animation it names, from 1; 0: it names none, or was reported.
static uint32_t read_mounted(const pack_walk *w, const zf_fields *fields, uint32_t field, zf_pt_kind kind) {
    const uint32_t node = fields->nodes[field];
    if (zf_left_out(fields, field)) {
        return 0;
    }
    zo_text id = {NULL, 0};
    uint32_t ref = 0;
    if (zf_text(w->r->doc, node, &id)) {
        const uint32_t number = zb_intern_find(&w->ids, id);
        ref = number != 0 ? w->first_with[number] : 0;
        if (ref != 0 && w->accepted[ref - 1] && w->pack->animations[ref - 1].kind == kind) {
            return ref;
        }
    }
    zf_report(fields, field, fields->table->fields[field].id, ZD_ARGS(why_not(w, node, id, ref)));
    return 0;
}

static void read_mount(const pack_walk *w, uint32_t node, zf_pt_mount *mount) {
    mount->enter_ref = mount->ambient_ref = 0;
    zf_fields members;
    if (zf_fields_open(&members, w->r->arena, w->r->doc, node, &zf_pt_mount_object)) {
        mount->enter_ref = read_mounted(w, &members, MOUNT_ENTER, ZF_PT_TRANSITION);
        mount->ambient_ref = read_mounted(w, &members, MOUNT_AMBIENT, ZF_PT_AMBIENT);
    }
}

static void report_slot(const pack_walk *w, uint32_t member, zo_text key) {
    const zj_doc *doc = w->r->doc;
    const uint32_t added =
        zj_report_key(doc, member, ZD_PETWEEN_PACK_SLOT, ZD_ARGS(zf_quoted(w->r->arena, doc, key)));
    zf_hint_nearest(doc, added, key, zf_pt_slots, ZF_PT_SLOT_COUNT);
}

// By hand and not by the cursor: slots keep the order given, and others are errors.
static void read_mounts(const pack_walk *w, const zf_fields *fields) {
    const zj_doc *doc = w->r->doc;
    const uint32_t node = fields->nodes[PACK_MOUNTS];
    if (zf_left_out(fields, PACK_MOUNTS)) {
        return;
    }
    if (!zf_is(doc, node, ZJ_OBJECT)) {
        zf_report(fields, PACK_MOUNTS, ZD_PETWEEN_PACK_MOUNTS, ZD_ARGS(zf_not(w->r->arena, doc, node)));
        return;
    }
    zf_pt_pack *pack = w->pack;
    pack->mounts_given = true;
    uint32_t places[ZF_PT_SLOT_COUNT] = {0}; // in mounts, from 1
    for (uint32_t member = zj_at(doc, node)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        const zo_text key = zj_key(doc, member);
        const uint32_t slot = zf_word(zf_pt_slots, ZF_PT_SLOT_COUNT, key);
        if (slot == ZF_PT_SLOT_COUNT) {
            report_slot(w, member, key);
            continue;
        }
        if (places[slot] == 0) {
            places[slot] = ++pack->mount_count;
        }
        zf_pt_mount *mount = &pack->mounts[places[slot] - 1];
        mount->slot = slot;
        if (zj_member(doc, node, key) == member) { // the last of that name
            read_mount(w, member, mount);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------- pack

zf_pt_verdict zf_pt_read_pack(const zf_pt_reading *r, uint32_t node, zf_pt_pack *out) {
    ZO_ASSERT(r->doc->report != NULL);
    const uint32_t errors_before = zd_report_errors(r->doc->report);
    *out = (zf_pt_pack){0};
    zf_fields members;
    if (!zf_fields_open(&members, r->arena, r->doc, node, &zf_pt_pack_object)) {
        return ZF_PT_INVALID;
    }
    zf_fields_word(&members, PACK_FORMAT);
    const bool newer = read_version(r, &members);
    zf_pt_read_name(r, &members, PACK_NAME, &out->name);
    read_namespace(r, &members, out);
    pack_walk walk = {.r = r, .pack = out, .newer = newer};
    walk.namespace_known = zf_is(r->doc, members.nodes[PACK_NAMESPACE], ZJ_STRING);
    walk.mixed = zb_text_equal(out->namespace_text, zf_name_text(zf_pt_mixed));
    if (read_animations(&walk, &members)) {
        read_mounts(&walk, &members);
    }
    if (walk.newer) {
        return ZF_PT_NEWER;
    }
    return zd_report_errors(r->doc->report) == errors_before ? ZF_PT_VALID : ZF_PT_INVALID;
}

// How sure each member makes us. The format's own word is enough; without it, a list of animations and a namespace.
static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    zo_text format = {NULL, 0};
    if (zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("format")), &format)) {
        return zf_name_is(&zf_pt_pack_word, format) ? 100 : 0;
    }
    uint32_t sure = 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("animations")), ZJ_ARRAY) ? 40 : 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("namespace")), ZJ_STRING) ? 40 : 0;
    return sure;
}

static zo_status read_pack(const zf_input *input, zf_pt_pack *pack) {
    ZO_ASSERT(input->doc != NULL);
    const zf_pt_reading reading = {.arena = input->arena, .doc = input->doc, .profile = input->def->profile};
    switch (zf_pt_read_pack(&reading, ZJ_ROOT, pack)) {
    case ZF_PT_VALID: return ZO_OK;
    case ZF_PT_NEWER: return ZO_NEWER;
    case ZF_PT_INVALID: break;
    }
    return ZO_INVALID;
}

static zo_status read(const zf_input *input, zp_build *build) {
    zf_pt_pack pack;
    const zo_status status = read_pack(input, &pack);
    if (status != ZO_OK) {
        return status;
    }
    if (build != NULL && !zb_arena_failed(input->arena)) {
        zf_pt_compile(input->arena, pack.animations, pack.animation_count, input->def->profile, build);
    }
    return ZO_OK;
}

static zo_status frames(const zf_input *input, const zo_frames_def *def, zb_buffer *out) {
    zf_pt_pack pack;
    const zo_status status = read_pack(input, &pack);
    if (status != ZO_OK) {
        return status;
    }
    return zf_pt_write_frames(input->arena, pack.animations, pack.animation_count, true, def, input->def->profile, out);
}

const zf_reader zf_pt_pack_reader = {
    .format = {.name = "motion-pack", .title = "petween motion pack"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .frames = frames,
    .object = &zf_pt_pack_object,
};
