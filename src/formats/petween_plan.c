// What importing a pack does to a library: which animations are there already, which ids are taken and what is stored
// instead. Called by api. A pure function of texts; it stores nothing.
#include "formats/petween_library.h"
#include "formats/petween_pack.h"
#include "formats/petween_package.h"

#include "base/intern.h"
#include "base/utf8.h"
#include "json/compact.h"

enum { NUMBERED_LAST = 101 }; // of the original

// Texts by which contents are compared, with the id left out: those of one id are equal or not whatever the id is.
typedef struct content {
    bool made;
    zo_text text; // "" for a text that is no JSON, which is like no other
} content;

typedef struct planner {
    zb_arena *arena; // scratch
    zb_arena *kept;
    const zf_pt_pack *pack;
    const zj_doc *doc; // of the pack
    bool original;
    const zo_library_item *library;
    uint32_t library_count;
    zb_intern taken;      // ids of the library, of the pack, and those given out
    uint32_t *item_refs;  // library item + 1 by number in `taken`; [ref_count]
    uint32_t ref_count;
    content *contents;    // [library_count]
    zo_plan_entry *entries;
} planner;

// --------------------------------------------------------------------------------------------------- equal content

static zo_text compact(zb_arena *arena, const zj_doc *doc, uint32_t node, zj_order order) {
    zb_buffer out = zb_buffer_open(arena);
    const uint32_t id = zj_member(doc, node, ZB_TEXT("id"));
    zj_put_compact(&out, doc, node, order, (zj_stand_in){id, ZB_TEXT("")});
    return (zo_text){out.data, out.size};
}

static zo_text item_compact(planner *p, uint32_t item, zj_order order) {
    const zo_text source = p->library[item].definition;
    const zj_doc *doc = zj_parse(p->arena, source.data, source.size, 0, NULL, NULL);
    return doc != NULL ? compact(p->arena, doc, ZJ_ROOT, order) : (zo_text){NULL, 0};
}

static zo_text item_content(planner *p, uint32_t item) {
    content *c = &p->contents[item];
    if (!c->made) {
        *c = (content){true, item_compact(p, item, ZJ_ORDER_SCRIPT)};
    }
    return c->text;
}

// The library item that has the id; its count when there is none.
static uint32_t item_with(const planner *p, zo_text id) {
    const uint32_t number = zb_intern_find(&p->taken, id);
    return number != 0 && number < p->ref_count && p->item_refs[number] != 0 ? p->item_refs[number] - 1
                                                                             : p->library_count;
}

// ----------------------------------------------------------------------------------------------------------- a free id

static zo_text with_suffix(planner *p, zo_text id, uint64_t number) {
    zb_buffer out = zb_buffer_open(p->arena);
    zb_put_text(&out, id);
    zb_put_char(&out, '-');
    zb_put_uint(&out, number);
    return (zo_text){out.data, out.size};
}

// Of the original: from the length of the definition's text in UTF-16 units, so that the same file asks for the same
// id.
static zo_text by_length(planner *p, const zf_pt_definition *d, zo_text text) {
    // The id was left out of the text, and is ASCII.
    uint64_t number = 31 * ((uint64_t)zb_utf16_count(text.data, text.size) + d->id.size) + d->id.size;
    char digits[16];
    uint32_t count = 0;
    for (; number > 0; number /= 36) {
        digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    }
    zb_buffer out = zb_buffer_open(p->arena);
    zb_put_text(&out, d->id);
    zb_put_char(&out, '-');
    while (count > 0) {
        zb_put_char(&out, digits[--count]);
    }
    while (!zb_arena_failed(p->arena) && zb_intern_find(&p->taken, (zo_text){out.data, out.size}) != 0) {
        zb_put_char(&out, 'x');
    }
    return (zo_text){out.data, out.size};
}

// The id under which a definition goes whose own is taken. *held: the library holds it under that id already.
static zo_text find_id(planner *p, const zf_pt_definition *d, zo_text text, bool *held) {
    *held = false;
    for (uint64_t number = 2; !zb_arena_failed(p->arena); number++) {
        if (p->original && number > NUMBERED_LAST) {
            return by_length(p, d, text);
        }
        const zo_text candidate = with_suffix(p, d->id, number);
        if (zb_intern_find(&p->taken, candidate) == 0) {
            return candidate;
        }
        const uint32_t item = item_with(p, candidate);
        *held = !p->original && item < p->library_count && zb_text_equal(item_content(p, item), text);
        if (*held) {
            return candidate;
        }
    }
    return d->id;
}

// ------------------------------------------------------------------------------------------------------ what is stored

// How far the last line is indented, which a text that stands in another one owes to that.
static size_t nesting_of(zo_text text) {
    size_t at = text.size - 1; // the closing bracket
    while (at > 0 && (text.data[at - 1] == ' ' || text.data[at - 1] == '\t')) {
        at--;
    }
    return at > 0 && text.data[at - 1] == '\n' ? text.size - 1 - at : 0;
}

// Strings hold no line ends, so what follows one is white space between tokens.
static void put_unnested(zb_buffer *out, zo_text text, size_t nesting) {
    size_t done = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '\n') {
            continue;
        }
        zb_put_bytes(out, text.data + done, i + 1 - done);
        done = i + 1;
        while (done < text.size && done - i <= nesting && (text.data[done] == ' ' || text.data[done] == '\t')) {
            done++;
        }
        i = done - 1;
    }
    zb_put_bytes(out, text.data + done, text.size - done);
}

static zo_text text_to_store(planner *p, const zf_pt_definition *d, zo_text id) {
    const zj_node *node = zj_at(p->doc, d->node);
    const zj_node *old = zj_at(p->doc, zj_member(p->doc, d->node, ZB_TEXT("id")));
    const zo_text whole = zj_source(p->doc, d->node);
    const size_t nesting = nesting_of(whole);
    zb_buffer out = zb_buffer_open(p->kept);
    put_unnested(&out, (zo_text){whole.data, old->begin - node->begin}, nesting);
    if (zb_text_equal(id, d->id)) { // its spelling may have escapes
        zb_put_bytes(&out, p->doc->source + old->begin, old->end - old->begin);
    } else {
        zb_put_json_text(&out, id);
    }
    put_unnested(&out, (zo_text){p->doc->source + old->end, node->end - old->end}, nesting);
    return (zo_text){out.data, out.size};
}

// ------------------------------------------------------------------------------------------------------------ the plan

static const char *reason_of(planner *p, const zf_pt_definition *d, uint32_t item, bool held) {
    const bool reordered = zb_text_equal(item_compact(p, item, ZJ_ORDER_SORTED),
                                         compact(p->arena, p->doc, d->node, ZJ_ORDER_SORTED));
    zb_buffer out = zb_buffer_open(p->kept);
    zb_put(&out, "the library holds another ");
    zb_put_text(&out, d->id);
    zb_put(&out, reordered ? ", which differs only in the order of members" : "");
    zb_put(&out, held ? ", and this one from an earlier import" : "");
    return zb_buffer_text(&out);
}

static void plan_one(planner *p, const zf_pt_definition *d, zo_plan_entry *entry) {
    *entry = (zo_plan_entry){.requested_id = zb_arena_text(p->kept, d->id), .status = ZO_PLAN_IMPORTED};
    entry->final_id = entry->requested_id;
    const uint32_t item = item_with(p, d->id);
    if (item == p->library_count) {
        entry->definition = text_to_store(p, d, d->id);
        return;
    }
    const zo_text text = compact(p->arena, p->doc, d->node, ZJ_ORDER_SCRIPT);
    if (zb_text_equal(item_content(p, item), text)) {
        entry->status = ZO_PLAN_IDENTICAL;
        return;
    }
    bool held = false;
    const zo_text id = find_id(p, d, text, &held);
    zb_intern_id(&p->taken, id);
    entry->final_id = zb_arena_text(p->kept, id);
    entry->status = held ? ZO_PLAN_IDENTICAL : ZO_PLAN_REMAPPED;
    entry->reason = reason_of(p, d, item, held);
    if (!held) {
        entry->definition = text_to_store(p, d, id);
    }
}

static void put_member(zb_buffer *out, const char *before, const char *id, const char *after) {
    zb_put(out, before);
    zb_put_json_text(out, zb_text(id));
    zb_put(out, after);
}

// `patch`: in the form of a pet's configuration.
static const char *mounts_text(const planner *p, const zo_plan_mount *mounts, bool patch) {
    zb_buffer out = zb_buffer_open(p->kept);
    zb_put(&out, patch ? "{\"states\":{" : "{");
    for (uint32_t i = 0; i < p->pack->mount_count; i++) {
        const zo_plan_mount *m = &mounts[i];
        put_member(&out, i > 0 ? "," : "", m->slot, ":{");
        if (m->enter != NULL) {
            put_member(&out, patch ? "\"enter\":{\"animationId\":" : "\"enter\":", m->enter, patch ? "}" : "");
        }
        zb_put(&out, m->enter != NULL && m->ambient != NULL ? "," : "");
        if (m->ambient != NULL) {
            put_member(&out, patch ? "\"ambient\":{\"customAnimationId\":" : "\"ambient\":", m->ambient,
                       patch ? "}" : "");
        }
        zb_put(&out, "}");
    }
    zb_put(&out, patch ? "}}" : "}");
    return zb_buffer_text(&out);
}

static void plan_mounts(planner *p, zo_plan *plan) {
    zo_plan_mount *mounts = zb_arena_take_array(p->kept, (size_t)p->pack->mount_count + 1, sizeof *mounts);
    if (mounts == NULL) {
        return;
    }
    for (uint32_t i = 0; i < p->pack->mount_count; i++) {
        const zf_pt_mount *m = &p->pack->mounts[i];
        mounts[i] = (zo_plan_mount){
            .slot = zf_pt_slots[m->slot].text,
            .enter = m->enter_ref != 0 ? p->entries[m->enter_ref - 1].final_id : NULL,
            .ambient = m->ambient_ref != 0 ? p->entries[m->ambient_ref - 1].final_id : NULL,
        };
    }
    plan->mounts = mounts;
    plan->mount_count = p->pack->mount_count;
    plan->mounts_json = mounts_text(p, mounts, false);
    plan->apply_patch_json = p->pack->mount_count > 0 ? mounts_text(p, mounts, true) : NULL;
}

// Takes the ids of the library, then those that the pack asks for.
static bool take_ids(planner *p) {
    p->taken = zb_intern_open(p->arena);
    p->ref_count = p->library_count + 1;
    p->item_refs = zb_arena_take_array(p->arena, p->ref_count, sizeof *p->item_refs);
    p->contents = zb_arena_take_array(p->arena, (size_t)p->library_count + 1, sizeof *p->contents);
    if (p->item_refs == NULL || p->contents == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < p->library_count; i++) {
        const uint32_t number = zb_intern_id(&p->taken, zb_text(p->library[i].id));
        if (number != 0 && p->item_refs[number] == 0) { // of repeated ids the first counts
            p->item_refs[number] = i + 1;
        }
    }
    for (uint32_t i = 0; i < p->pack->animation_count; i++) {
        zb_intern_id(&p->taken, p->pack->animations[i].id);
    }
    return !zb_arena_failed(p->arena);
}

static void plan_all(planner *p, zo_plan *plan) {
    p->entries = zb_arena_take_array(p->kept, p->pack->animation_count, sizeof *p->entries);
    if (p->entries == NULL || !take_ids(p)) {
        return;
    }
    for (uint32_t i = 0; i < p->pack->animation_count; i++) {
        plan_one(p, &p->pack->animations[i], &p->entries[i]);
    }
    plan->name = zb_arena_text(p->kept, p->pack->name);
    plan->pack_namespace = zb_arena_text(p->kept, p->pack->namespace_text);
    plan->entries = p->entries;
    plan->entry_count = p->pack->animation_count;
    plan_mounts(p, plan);
}

// A lone definition as a pack of one.
static zf_pt_verdict read_lone(const zf_pt_reading *reading, zf_pt_pack *pack) {
    *pack = (zf_pt_pack){.animation_count = 1};
    pack->animations = zb_arena_take_array(reading->arena, 1, sizeof *pack->animations);
    if (pack->animations == NULL) {
        return ZF_PT_INVALID;
    }
    const zf_pt_verdict verdict = zf_pt_read(reading, ZJ_ROOT, pack->animations);
    pack->name = pack->animations->name;
    pack->namespace_text = zf_pt_namespace(pack->animations->id);
    return zf_pt_refuse_reserved_id(reading, pack->animations) && verdict == ZF_PT_VALID ? ZF_PT_INVALID : verdict;
}

static zo_status read_pack(const zf_input *input, zf_pt_pack *pack, zo_status status) {
    zo_source source = input->sources[0];
    zf_input opened = *input;
    opened.sources = &source;
    const zf_reader *reader = zf_open_source(&opened, &source, &status);
    if (reader == NULL) {
        return status;
    }
    zd_report_format_name(input->report, reader->format.name);
    const zf_pt_reading reading = {.arena = input->arena, .doc = opened.doc, .profile = input->def->profile};
    zf_pt_verdict verdict = ZF_PT_INVALID;
    if (reader == &zf_pt_pack_reader) {
        verdict = zf_pt_read_pack(&reading, ZJ_ROOT, pack);
    } else if (reader == &zf_pt_reader) {
        verdict = read_lone(&reading, pack);
    } else if (reader == &zf_pt_package_reader) {
        const uint32_t node = zj_member(opened.doc, ZJ_ROOT, ZB_TEXT("motionPack"));
        if (node == 0) {
            return ZO_UNSUPPORTED; // a pet that plays nothing but what is built in
        }
        verdict = zf_pt_read_pack(&reading, node, pack);
    } else {
        return ZO_UNSUPPORTED;
    }
    return verdict == ZF_PT_VALID ? ZO_OK : verdict == ZF_PT_NEWER ? ZO_NEWER : ZO_INVALID;
}

zo_status zf_pt_plan(const zo_source *source, const zo_library_item *library, uint32_t library_count,
                     const zo_compile_def *def, zb_arena *kept, zo_plan *plan, zd_report *report) {
    zb_arena arena = zb_arena_open(def->allocator);
    const zf_input input = {.sources = source, .source_count = 1, .def = def, .arena = &arena, .report = report};
    zf_pt_pack pack;
    zo_status status = read_pack(&input, &pack, ZO_OK);
    if (status == ZO_OK && zd_report_errors(report) > 0) {
        status = ZO_INVALID; // a fault of the text that did not keep it from being read
    }
    if (status == ZO_OK && !zb_arena_failed(&arena)) {
        planner p = {.arena = &arena, .kept = kept, .pack = &pack, .doc = pack.animations[0].doc,
                     .original = def->profile == ZO_PROFILE_ORIGINAL, .library = library,
                     .library_count = library_count};
        plan_all(&p, plan);
    }
    if (zb_arena_failed(&arena) || zb_arena_failed(kept) || zb_arena_failed(zd_report_arena(report))) {
        status = ZO_NO_MEMORY;
    }
    zb_arena_close(&arena);
    return status;
}
