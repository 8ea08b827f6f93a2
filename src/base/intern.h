// Names to dense numbers: equal texts get the same id, 1, 2, 3... in the order in which they were first seen. Called by
// readers and the program builder. The texts are copied into the arena.
#ifndef ZB_INTERN_H
#define ZB_INTERN_H

#include "base/arena.h"

typedef struct zb_intern {
    zb_arena *arena;
    zb_array texts;     // zo_text, by id - 1
    zb_array hashes;    // uint64_t, by id - 1
    uint32_t *slots;    // ids, 0: free; linear probing
    uint32_t slot_count; // a power of two, or 0
} zb_intern;

zb_intern zb_intern_open(zb_arena *arena);
// The id of the text, a new one if it has none yet. 0 only after the arena has failed.
uint32_t zb_intern_id(zb_intern *intern, zo_text text);
uint32_t zb_intern_find(const zb_intern *intern, zo_text text); // 0: never seen
zo_text zb_intern_text(const zb_intern *intern, uint32_t id);   // also ended by a zero byte; "" for 0
uint32_t zb_intern_count(const zb_intern *intern);

#endif
