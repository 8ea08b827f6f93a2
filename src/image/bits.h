// A block of 16 bytes as one number, whose lowest bit is the first byte's. Shared by the decoders that read one so.
#ifndef ZI_BITS_H
#define ZI_BITS_H

#include "base/base.h"

typedef struct zi_bits { uint64_t low, high; } zi_bits;

static inline zi_bits zi_bits_open(const uint8_t *block) {
    zi_bits bits = {0, 0};
    for (uint32_t i = 0; i < 8; i++) {
        bits.low |= (uint64_t)block[i] << 8 * i;
        bits.high |= (uint64_t)block[8 + i] << 8 * i;
    }
    return bits;
}

static inline void zi_bits_skip(zi_bits *left, uint32_t count) { // 0..63
    if (count == 0) { return; }
    left->low = left->low >> count | left->high << (64 - count);
    left->high >>= count;
}

// The lowest ones, which are gone then.
static inline uint32_t zi_bits_take(zi_bits *left, uint32_t count) { // 0..16
    const uint32_t value = (uint32_t)left->low & ((1u << count) - 1);
    zi_bits_skip(left, count);
    return value;
}

#endif
