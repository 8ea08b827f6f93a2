// Interning of texts in a hash table that is at most half full. Must not know what the names stand for.
#include "base/intern.h"

#include "base/random.h"

enum { SLOT_COUNT_FIRST = 64 };

zb_intern zb_intern_open(zb_arena *arena) {
    return (zb_intern){
        .arena = arena,
        .texts = zb_array_open(arena, sizeof(zo_text)),
        .hashes = zb_array_open(arena, sizeof(uint64_t)),
    };
}

static const zo_text *text_at(const zb_intern *intern, uint32_t id) {
    ZO_ASSERT(id > 0 && id <= intern->texts.count);
    return (const zo_text *)(const void *)intern->texts.items + (id - 1);
}

static uint64_t hash_at(const zb_intern *intern, uint32_t id) {
    return ((const uint64_t *)(const void *)intern->hashes.items)[id - 1];
}

// The slot that holds the text, or the free one where it belongs.
static uint32_t slot_of(const zb_intern *intern, uint64_t hash, zo_text text) {
    const uint32_t mask = intern->slot_count - 1;
    uint32_t slot = (uint32_t)hash & mask;
    while (intern->slots[slot] != 0) { // ends: half of the slots are free
        const uint32_t id = intern->slots[slot];
        if (hash_at(intern, id) == hash && zb_text_equal(*text_at(intern, id), text)) { break; }
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool widen(zb_intern *intern) {
    if (intern->slot_count > UINT32_MAX / 2) {
        intern->arena->failed = true;
        return false;
    }
    const uint32_t slot_count = intern->slot_count ? intern->slot_count * 2 : SLOT_COUNT_FIRST;
    uint32_t *slots = zb_arena_take_array(intern->arena, slot_count, sizeof *slots);
    if (!slots) { return false; }
    for (uint32_t id = 1; id <= intern->texts.count; id++) {
        uint32_t slot = (uint32_t)hash_at(intern, id) & (slot_count - 1);
        while (slots[slot] != 0) { slot = (slot + 1) & (slot_count - 1); }
        slots[slot] = id;
    }
    intern->slots = slots;
    intern->slot_count = slot_count;
    return true;
}

uint32_t zb_intern_id(zb_intern *intern, zo_text text) {
    if (zb_arena_failed(intern->arena)) { return 0; }
    if (intern->texts.count >= intern->slot_count / 2 && !widen(intern)) { return 0; }
    const uint64_t hash = zb_hash_bytes(text.data, text.size, 0);
    const uint32_t slot = slot_of(intern, hash, text);
    if (intern->slots[slot] != 0) { return intern->slots[slot]; }
    const char *copy = zb_arena_text(intern->arena, text);
    uint64_t *new_hash = zb_array_push(&intern->hashes);
    zo_text *new_text = zb_array_push(&intern->texts);
    if (zb_arena_failed(intern->arena)) { return 0; }
    *new_hash = hash;
    *new_text = (zo_text){copy, text.size};
    intern->slots[slot] = intern->texts.count;
    return intern->texts.count;
}

uint32_t zb_intern_find(const zb_intern *intern, zo_text text) {
    if (intern->slot_count == 0) { return 0; }
    return intern->slots[slot_of(intern, zb_hash_bytes(text.data, text.size, 0), text)];
}

zo_text zb_intern_text(const zb_intern *intern, uint32_t id) { return id == 0 ? ZB_TEXT("") : *text_at(intern, id); }

uint32_t zb_intern_count(const zb_intern *intern) { return intern->texts.count; }
