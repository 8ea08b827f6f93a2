// Memory for the length of one call: a chain of chunks from the caller's allocator, given back together. Failure
// sticks: an arena that once got no memory gives out one dummy block and says so when asked at the end, so that the
// code in between needs no checks. Also the default allocator (malloc and free), the only place that names them.
#ifndef ZB_ARENA_H
#define ZB_ARENA_H

#include "base/base.h"

typedef struct zb_chunk zb_chunk;

enum { ZB_ITEM_SIZE_MAX = 512 };

typedef struct zb_arena {
    zo_allocator allocator;
    zb_chunk *chunks;  // newest first
    uint8_t *next;     // free part of the newest chunk
    uint8_t *end;
    size_t chunk_size; // of the next chunk, doubled up to a limit
    size_t used;       // bytes handed out since open or reset
    size_t limit;      // bytes that may be handed out; SIZE_MAX: as many as there are
    bool failed;
    _Alignas(16) uint8_t scratch[ZB_ITEM_SIZE_MAX]; // the dummy block
} zb_arena;

// The given allocator, or the default one for NULL.
zo_allocator zb_allocator_or_default(const zo_allocator *allocator);

zb_arena zb_arena_open(const zo_allocator *allocator);
void zb_arena_close(zb_arena *arena);
// Forgets everything handed out but keeps the largest chunk for reuse. Clears `failed`.
void zb_arena_reset(zb_arena *arena);

// Aligned to 16, contents undefined. NULL only when the arena has failed (or size is 0); then `failed` is set.
void *zb_arena_take(zb_arena *arena, size_t size);
// The same for count * size bytes, set to zero; overflow fails the arena.
void *zb_arena_take_array(zb_arena *arena, size_t count, size_t size);
// Grows the newest block in place if it can, else copies. `old_size` bytes are kept.
void *zb_arena_grow(zb_arena *arena, void *block, size_t old_size, size_t new_size);
// A copy ended by a zero byte.
const char *zb_arena_text(zb_arena *arena, zo_text text);

static inline bool zb_arena_failed(const zb_arena *arena) { return arena->failed; }

// Growable array over an arena: items of one size, doubled. A dummy item absorbs writes after failure.
typedef struct zb_array {
    zb_arena *arena;
    uint8_t *items;
    uint32_t count, capacity;
    uint32_t item_size; // bytes, at most ZB_ITEM_SIZE_MAX
} zb_array;

zb_array zb_array_open(zb_arena *arena, uint32_t item_size);
// The new last item, set to zero; after failure a scratch item that may be written and is never read. Never NULL.
void *zb_array_push(zb_array *array);
void *zb_array_push_many(zb_array *array, uint32_t count); // NULL when count is 0 or memory is short

#endif
