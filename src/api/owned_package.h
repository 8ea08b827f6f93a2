// Packages as objects of the caller's: shared by what makes some. For api only.
#ifndef API_OWNED_PACKAGE_H
#define API_OWNED_PACKAGE_H

#include <zoetrope/package.h>

#include "base/arena.h"

// What is handed out comes first, so that its address is the whole's.
typedef struct owned_package {
    zo_package package;
    zb_arena arena;
} owned_package;

static inline owned_package *owned_package_take(const zo_allocator *allocator) { // NULL: no memory
    const zo_allocator memory = zb_allocator_or_default(allocator);
    owned_package *owned = memory.alloc(memory.context, sizeof *owned);
    if (owned != NULL) {
        *owned = (owned_package){.arena = zb_arena_open(allocator)};
    }
    return owned;
}

static inline void owned_package_give(owned_package *owned) {
    const zo_allocator memory = owned->arena.allocator;
    zb_arena_close(&owned->arena);
    memory.free(memory.context, owned, sizeof *owned);
}

#endif
