// The scales on which ASTC and UASTC write the colours at the ends of a line: a value is so many plain bits and, above
// them, a digit of base 3 or 5. Inline, so that the decoders' loops for one scale are made for that scale. Source: the
// ASTC part of the Khronos Data Format Specification.
#ifndef ZI_ASTC_H
#define ZI_ASTC_H

#include "base/base.h"

typedef struct zi_scale {
    uint8_t plain_bits, base; // base 0: none
} zi_scale;

enum { ZI_SCALE_COUNT = 21 };
static const zi_scale zi_scales[ZI_SCALE_COUNT] = {
    {1, 0}, {0, 3}, {2, 0}, {0, 5}, {1, 3}, {3, 0}, {1, 5}, {2, 3}, {4, 0}, {2, 5}, {3, 3},
    {5, 0}, {3, 5}, {4, 3}, {6, 0}, {4, 5}, {5, 3}, {7, 0}, {5, 5}, {6, 3}, {8, 0},
};

// The plain bits repeated until they fill `width`.
static inline uint32_t zi_repeat_bits(uint32_t value, uint32_t plain_bits, uint32_t width) {
    uint32_t out = value << (width - plain_bits);
    for (uint32_t have = plain_bits; have < width; have *= 2) { out |= out >> have; }
    return out;
}

// Plain bits above the lowest one, spread over nine bits, as the scales with digits want it.
static inline uint32_t zi_spread_color(zi_scale s, uint32_t above) {
    switch (s.base * 8 + s.plain_bits) {
    case 3 * 8 + 2: return above * 0x116;
    case 3 * 8 + 3: return above << 7 | above << 2 | above;
    case 3 * 8 + 4: return above << 6 | above;
    case 3 * 8 + 5: return above << 5 | above >> 2;
    case 3 * 8 + 6: return above << 4 | above >> 4;
    case 5 * 8 + 2: return above * 0x10C;
    case 5 * 8 + 3: return above << 7 | above << 1 | above >> 1;
    case 5 * 8 + 4: return above << 6 | above >> 1;
    case 5 * 8 + 5: return above << 5 | above >> 3;
    default: return 0;
    }
}

// The value of that digit and those plain bits, to 0..255.
static inline uint8_t zi_scale_color(zi_scale s, uint32_t digit, uint32_t plain) {
    static const uint8_t factors_3[7] = {0, 204, 93, 44, 22, 11, 5}, factors_5[6] = {0, 113, 54, 26, 13, 6};
    if (s.base == 0) { return (uint8_t)zi_repeat_bits(plain, s.plain_bits, 8); }
    const uint32_t lowest = (plain & 1) != 0 ? 511 : 0;
    const uint32_t factor = s.base == 3 ? factors_3[s.plain_bits] : factors_5[s.plain_bits];
    const uint32_t sum = (digit * factor + zi_spread_color(s, plain >> 1)) ^ lowest;
    return (uint8_t)((lowest & 128) | sum >> 2);
}

#endif
