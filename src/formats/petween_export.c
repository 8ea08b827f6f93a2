// Packs made of a library's definitions. Called by api. The definitions keep their bytes, but for the indentation that
// standing in a pack asks for.
#include "formats/petween_library.h"
#include "formats/petween_pack.h"

#include "base/intern.h"
#include "base/utf8.h"

// Which items were asked for, in that order, and which ids nobody knows.
typedef struct choice {
    zb_array items;   // uint32_t
    zb_array ids;     // const char *
    zb_array unknown; // const char *
} choice;

static void choose(choice *c, zb_arena *kept, const zo_library_item *library, uint32_t library_count, zo_text id,
                   const zb_intern *known, const uint32_t *item_refs, zb_intern *asked) {
    const uint32_t count_before = zb_intern_count(asked);
    zb_intern_id(asked, id);
    if (id.size == 0 || zb_intern_count(asked) == count_before) {
        return;
    }
    const uint32_t number = zb_intern_find(known, id);
    const bool there = number != 0 && item_refs[number] != 0 && item_refs[number] <= library_count;
    const char **text = zb_array_push(there ? &c->ids : &c->unknown);
    *text = zb_arena_text(kept, id);
    if (there) {
        uint32_t *item = zb_array_push(&c->items);
        *item = item_refs[number] - 1;
        ZO_ASSERT(library[*item].id != NULL);
    }
}

static choice choose_all(zb_arena *kept, zb_arena *arena, const zo_library_item *library, uint32_t library_count,
                         zo_text ids) {
    choice c = {.items = zb_array_open(arena, sizeof(uint32_t)), .ids = zb_array_open(kept, sizeof(const char *)),
                .unknown = zb_array_open(kept, sizeof(const char *))};
    zb_intern known = zb_intern_open(arena), asked = zb_intern_open(arena);
    uint32_t *item_refs = zb_arena_take_array(arena, (size_t)library_count + 1, sizeof *item_refs); // by number, from 1
    if (item_refs == NULL) {
        return c;
    }
    for (uint32_t i = 0; i < library_count; i++) {
        const uint32_t number = zb_intern_id(&known, zb_text(library[i].id));
        if (item_refs[number] == 0) {
            item_refs[number] = i + 1;
        }
    }
    for (size_t at = 0; at <= ids.size && !zb_arena_failed(arena); at++) {
        const char *comma = ids.size > at ? memchr(ids.data + at, ',', ids.size - at) : NULL;
        const size_t end = comma != NULL ? (size_t)(comma - ids.data) : ids.size;
        const zo_text id = zf_pt_trim((zo_text){ids.data + at, end - at});
        choose(&c, kept, library, library_count, id, &known, item_refs, &asked);
        at = end;
    }
    return c;
}

static zo_text common_namespace(const choice *c) {
    const char *const *ids = (const char *const *)(void *)c->ids.items;
    const zo_text first = zf_pt_namespace(zb_text(ids[0]));
    for (uint32_t i = 1; i < c->ids.count; i++) {
        if (!zb_text_equal(zf_pt_namespace(zb_text(ids[i])), first)) {
            return zf_name_text(zf_pt_mixed);
        }
    }
    return first;
}

// Without white space around it, each further line four columns to the right.
static void put_nested(zb_buffer *out, zo_text text) {
    static const char indent[] = "    ";
    text = zf_pt_trim(text);
    size_t done = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\n') {
            zb_put_bytes(out, text.data + done, i + 1 - done);
            zb_put(out, indent);
            done = i + 1;
        }
    }
    zb_put_bytes(out, text.data + done, text.size - done);
}

static void put_pack(zb_buffer *out, const choice *c, const zo_library_item *library, zo_text name,
                     zo_text namespace_text) {
    const uint32_t *items = (const uint32_t *)(void *)c->items.items;
    zb_put(out, "{\n  \"format\": \"");
    zb_put(out, zf_pt_pack_word.text);
    zb_put(out, "\",\n  \"version\": 1,\n  \"name\": ");
    zb_put_json_text(out, name);
    zb_put(out, ",\n  \"namespace\": ");
    zb_put_json_text(out, namespace_text);
    zb_put(out, ",\n  \"animations\": [");
    for (uint32_t i = 0; i < c->items.count; i++) {
        zb_put(out, i > 0 ? ",\n    " : "\n    ");
        put_nested(out, library[items[i]].definition);
    }
    zb_put(out, "\n  ]\n}\n");
}

zo_status zf_pt_export(const zo_library_item *library, uint32_t library_count, zo_text ids, zo_text name,
                       zb_arena *kept, zo_pack *pack) {
    zb_arena arena = zb_arena_open(&kept->allocator);
    const choice c = choose_all(kept, &arena, library, library_count, ids);
    name = zf_pt_trim(name);
    name = name.size > 0 ? name : ZB_TEXT("Motion Pack");
    zo_status status = ZO_OK;
    if (c.unknown.count > 0 || c.ids.count == 0) {
        status = ZO_INVALID;
    } else if (c.ids.count > ZF_PT_PACK_MAX || zb_utf8_count(name.data, name.size) > ZF_PT_PACK_NAME_MAX) {
        status = ZO_LIMIT;
    }
    pack->ids = (const char *const *)(void *)c.ids.items;
    pack->id_count = c.ids.count;
    pack->unknown = (const char *const *)(void *)c.unknown.items;
    pack->unknown_count = c.unknown.count;
    if (status == ZO_OK && !zb_arena_failed(kept) && !zb_arena_failed(&arena)) {
        const zo_text namespace_text = common_namespace(&c);
        pack->pack_namespace = zb_arena_text(kept, namespace_text);
        zb_buffer out = zb_buffer_open(kept);
        put_pack(&out, &c, library, name, namespace_text);
        pack->text = (zo_text){out.data, out.size};
    }
    if (zb_arena_failed(kept) || zb_arena_failed(&arena)) {
        status = ZO_NO_MEMORY;
    }
    zb_arena_close(&arena);
    return status;
}
