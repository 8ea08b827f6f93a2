// Arena and growable array. Called by every layer that needs memory for the length of a call or a block that it cannot
// size beforehand. Must not know what is stored, and frees nothing but whole chunks.
#include "base/arena.h"

#include <stdlib.h>

enum { ALIGNMENT = 16, CHUNK_SIZE_FIRST = 64 * 1024, CHUNK_SIZE_MAX = 8 * 1024 * 1024, ARRAY_COUNT_FIRST = 8 };

struct zb_chunk {
    zb_chunk *older;
    size_t size; // as asked of the allocator, this head included
};

static const size_t HEAD_SIZE = (sizeof(zb_chunk) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

static void *default_alloc(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void default_free(void *context, void *memory, size_t size) {
    (void)context;
    (void)size;
    free(memory);
}

zo_allocator zb_allocator_or_default(const zo_allocator *allocator) {
    return allocator ? *allocator : (zo_allocator){.alloc = default_alloc, .free = default_free};
}

zb_arena zb_arena_open(const zo_allocator *allocator) {
    return (zb_arena){
        .allocator = zb_allocator_or_default(allocator),
        .chunk_size = CHUNK_SIZE_FIRST,
        .limit = SIZE_MAX,
    };
}

static void free_chunks(zb_arena *arena, zb_chunk *chunk, const zb_chunk *kept) {
    while (chunk) {
        zb_chunk *older = chunk->older;
        if (chunk != kept) { arena->allocator.free(arena->allocator.context, chunk, chunk->size); }
        chunk = older;
    }
}

void zb_arena_close(zb_arena *arena) {
    free_chunks(arena, arena->chunks, NULL);
    arena->chunks = NULL;
    arena->next = arena->end = NULL;
    arena->used = 0;
}

void zb_arena_reset(zb_arena *arena) {
    zb_chunk *largest = arena->chunks;
    for (zb_chunk *chunk = arena->chunks; chunk; chunk = chunk->older) {
        if (chunk->size > largest->size) { largest = chunk; }
    }
    free_chunks(arena, arena->chunks, largest);
    arena->chunks = largest;
    arena->next = arena->end = NULL;
    if (largest) {
        largest->older = NULL;
        arena->next = (uint8_t *)largest + HEAD_SIZE;
        arena->end = (uint8_t *)largest + largest->size;
    }
    arena->used = 0;
    arena->failed = false;
}

static void *fail(zb_arena *arena) {
    arena->failed = true;
    return NULL;
}

static zb_chunk *new_chunk(zb_arena *arena, size_t size) {
    zb_chunk *chunk = arena->allocator.alloc(arena->allocator.context, size);
    if (chunk) {
        ZO_ASSERT(((uintptr_t)chunk & (ALIGNMENT - 1)) == 0);
        chunk->older = NULL;
        chunk->size = size;
    }
    return chunk;
}

// A block as large as a chunk stands in one of its own, second in the chain, so that the rest of the newest chunk is
// still there for small ones.
static void *take_alone(zb_arena *arena, size_t size) {
    size_t chunk_size;
    if (!zb_add_size(size, HEAD_SIZE, &chunk_size)) { return NULL; }
    zb_chunk *chunk = new_chunk(arena, chunk_size);
    if (!chunk) { return NULL; }
    if (arena->chunks) {
        chunk->older = arena->chunks->older;
        arena->chunks->older = chunk;
    } else {
        arena->chunks = chunk;
    }
    return (uint8_t *)chunk + HEAD_SIZE;
}

static bool add_chunk(zb_arena *arena) {
    zb_chunk *chunk = new_chunk(arena, arena->chunk_size);
    if (!chunk) { return false; }
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->next = (uint8_t *)chunk + HEAD_SIZE;
    arena->end = (uint8_t *)chunk + chunk->size;
    if (arena->chunk_size < CHUNK_SIZE_MAX) { arena->chunk_size *= 2; }
    return true;
}

// Bytes that a block of that size takes up; SIZE_MAX (which no arena has) when there is no such number.
static size_t rounded(size_t size) {
    return size > SIZE_MAX - ALIGNMENT ? SIZE_MAX : zb_align_up(size, ALIGNMENT);
}

void *zb_arena_take(zb_arena *arena, size_t size) {
    if (size == 0 || arena->failed) { return NULL; }
    const size_t taken = rounded(size);
    ZO_ASSERT(arena->used <= arena->limit);
    if (taken == SIZE_MAX || taken > arena->limit - arena->used) { return fail(arena); }
    void *block;
    if (taken <= (size_t)(arena->end - arena->next)) {
        block = arena->next;
        arena->next += taken;
    } else if (taken > arena->chunk_size - HEAD_SIZE) {
        block = take_alone(arena, taken);
        if (!block) { return fail(arena); }
    } else {
        if (!add_chunk(arena)) { return fail(arena); }
        block = arena->next;
        arena->next += taken;
    }
    arena->used += taken;
    return block;
}

void *zb_arena_take_array(zb_arena *arena, size_t count, size_t size) {
    size_t total;
    if (!zb_mul_size(count, size, &total)) { return fail(arena); }
    void *block = zb_arena_take(arena, total);
    if (block) { memset(block, 0, total); }
    return block;
}

void *zb_arena_grow(zb_arena *arena, void *block, size_t old_size, size_t new_size) {
    if (!block) { return zb_arena_take(arena, new_size); }
    if (arena->failed) { return NULL; }
    const size_t old_taken = rounded(old_size);
    const size_t new_taken = rounded(new_size);
    if (new_taken <= old_taken) { return block; }
    const size_t more = new_taken - old_taken;
    const bool newest = arena->next && (uint8_t *)block + old_taken == arena->next;
    if (newest && new_taken != SIZE_MAX && more <= (size_t)(arena->end - arena->next) &&
        more <= arena->limit - arena->used) {
        arena->next += more;
        arena->used += more;
        return block;
    }
    void *grown = zb_arena_take(arena, new_size);
    if (grown) { memcpy(grown, block, old_size); }
    return grown;
}

const char *zb_arena_text(zb_arena *arena, zo_text text) {
    size_t size;
    if (!zb_add_size(text.size, 1, &size)) { return fail(arena); }
    char *copy = zb_arena_take(arena, size);
    if (!copy) { return NULL; }
    if (text.size > 0) { memcpy(copy, text.data, text.size); }
    copy[text.size] = '\0';
    return copy;
}

zb_array zb_array_open(zb_arena *arena, uint32_t item_size) {
    ZO_ASSERT(item_size > 0);
    ZO_ASSERT(item_size <= ZB_ITEM_SIZE_MAX);
    return (zb_array){.arena = arena, .item_size = item_size};
}

static bool reserve(zb_array *array, uint32_t more) {
    if (more <= array->capacity - array->count) { return true; }
    if (more > UINT32_MAX - array->count) { return fail(array->arena) != NULL; }
    const uint32_t wanted = array->count + more;
    uint32_t capacity = array->capacity > UINT32_MAX / 2 ? UINT32_MAX : array->capacity * 2;
    if (capacity < wanted) { capacity = wanted; }
    if (capacity < ARRAY_COUNT_FIRST) { capacity = ARRAY_COUNT_FIRST; }
    size_t size;
    if (!zb_mul_size(capacity, array->item_size, &size)) { return fail(array->arena) != NULL; }
    void *items = zb_arena_grow(array->arena, array->items, (size_t)array->capacity * array->item_size, size);
    if (!items) { return false; }
    array->items = items;
    array->capacity = capacity;
    return true;
}

void *zb_array_push(zb_array *array) {
    void *item = zb_array_push_many(array, 1);
    if (item) { return item; }
    memset(array->arena->scratch, 0, sizeof array->arena->scratch);
    return array->arena->scratch;
}

void *zb_array_push_many(zb_array *array, uint32_t count) {
    if (count == 0 || array->arena->failed || !reserve(array, count)) { return NULL; }
    uint8_t *items = array->items + (size_t)array->count * array->item_size;
    memset(items, 0, (size_t)count * array->item_size);
    array->count += count;
    return items;
}
