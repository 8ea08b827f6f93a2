// UASTC: blocks of 16 bytes to 4 x 4 texels. Called by ktx2_decode.c, block by block. A block says by its first bits
// which of 19 modes it is in: how many pairs of colours it holds, on which scale they and the weights between them are,
// and which texels belong to which pair. Source: the Basis Universal texture format, ASTC's partitions and scales.
#include "image/astc.h"
#include "image/bits.h"
#include "image/blocks.h"

enum { MODE_COUNT = 19, SOLID_MODE = 8, NO_MODE = MODE_COUNT, LEVELS_MAX = 32 };

// The scales of ASTC that its modes use, by their numbers there.
enum { SCALE_7 = 7, SCALE_8, SCALE_11 = 11, SCALE_12, SCALE_13, SCALE_18 = 18, SCALE_19, SCALE_20 };

typedef struct mode {
    uint8_t prefix_bits, weight_bits, scale, subset_count, plane_count, component_count, hint_bits, pattern_count;
} mode;
static const mode modes[MODE_COUNT] = {
    {4, 4, SCALE_19, 1, 1, 3, 15, 0}, {6, 2, SCALE_20, 1, 1, 3, 15, 0}, {5, 3, SCALE_8, 2, 1, 3, 15, 30},
    {5, 2, SCALE_7, 3, 1, 3, 15, 11}, {5, 2, SCALE_12, 2, 1, 3, 15, 30}, {5, 3, SCALE_20, 1, 1, 3, 15, 0},
    {5, 2, SCALE_18, 1, 2, 3, 15, 0}, {5, 2, SCALE_12, 2, 1, 3, 15, 19}, {5, 0, SCALE_20, 1, 1, 4, 0, 0},
    {5, 2, SCALE_8, 2, 1, 4, 23, 30}, {3, 4, SCALE_13, 1, 1, 4, 17, 0}, {2, 2, SCALE_13, 1, 2, 4, 17, 0},
    {3, 3, SCALE_19, 1, 1, 4, 17, 0}, {5, 1, SCALE_20, 1, 2, 4, 23, 0}, {5, 2, SCALE_20, 1, 1, 4, 23, 0},
    {7, 4, SCALE_20, 1, 1, 2, 23, 0}, {6, 2, SCALE_20, 2, 1, 2, 23, 30}, {6, 2, SCALE_20, 1, 2, 2, 23, 0},
    {4, 5, SCALE_11, 1, 1, 3, 15, 0},
};

// By the lowest seven bits of a block; NO_MODE: none begins so.
static const uint8_t modes_by_prefix[128] = {
    11, 0, 10, 3, 11, 15, 12, 7, 11, 18, 10, 5, 11, 14, 12, 9,
    11, 0, 10, 4, 11, 16, 12, 8, 11, 18, 10, 6, 11, 2, 12, 13,
    11, 0, 10, 3, 11, 17, 12, 7, 11, 18, 10, 5, 11, 14, 12, 9,
    11, 0, 10, 4, 11, 1, 12, 8, 11, 18, 10, 6, 11, 2, 12, 13,
    11, 0, 10, 3, 11, 19, 12, 7, 11, 18, 10, 5, 11, 14, 12, 9,
    11, 0, 10, 4, 11, 16, 12, 8, 11, 18, 10, 6, 11, 2, 12, 13,
    11, 0, 10, 3, 11, 17, 12, 7, 11, 18, 10, 5, 11, 14, 12, 9,
    11, 0, 10, 4, 11, 1, 12, 8, 11, 18, 10, 6, 11, 2, 12, 13,
};

// Partitions by pattern number: two bits a texel say which subset it is in. They are ASTC's for certain seeds.
static const uint32_t patterns_of_two[30] = {
    0x50505050, 0x40404040, 0x01010101, 0x54505040, 0x05151555, 0x55545450, 0x00010515, 0x01051555,
    0x50400000, 0x00000105, 0x55544000, 0x01155555, 0x00000115, 0x00005555, 0x55555500, 0x00555555,
    0x55551501, 0x40545555, 0x00405054, 0x00004050, 0x15050100, 0x50545555, 0x15050501, 0x00404050,
    0x50545455, 0x14141414, 0x55000055, 0x11111111, 0x00550055, 0x05145041,
};
static const uint32_t patterns_of_mode_7[19] = {
    0x00005500, 0x10101010, 0x00010505, 0x50504000, 0x55005555, 0x04040404, 0x55555040, 0x50505054,
    0x05500005, 0x00005454, 0x15150000, 0x05000005, 0x00005054, 0x55554000, 0x14555555, 0x01050505,
    0x01015555, 0x01051450, 0x00005455,
};
static const uint32_t patterns_of_three[11] = {
    0xA5A50000, 0xAA005555, 0xAA000055, 0x0000AA55, 0x25252525, 0x94949494, 0x58585858, 0x56560202,
    0x92929292, 0x55AA0055, 0xA05050A0,
};

// Weights on their scales, 0..64, by the bits they have.
static const uint8_t weights_1[] = {0, 64}, weights_2[] = {0, 21, 43, 64}, weights_3[] = {0, 9, 18, 27, 37, 46, 55, 64};
static const uint8_t weights_4[] = {0, 4, 8, 12, 17, 21, 25, 29, 35, 39, 43, 47, 52, 56, 60, 64};
static const uint8_t weights_5[] = {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                    34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64};
static const uint8_t *const weight_scales[] = {NULL, weights_1, weights_2, weights_3, weights_4, weights_5};

enum { VALUES_MAX = 18 };

// Groups of digits, the first value's lowest. Called with a constant base, so that nothing is divided.
static inline void take_digits(zi_bits *left, uint32_t base, uint32_t count, uint8_t *digits) {
    static const uint8_t trit_bits[] = {0, 2, 4, 5, 7, 8}, quint_bits[] = {0, 3, 5, 7};
    const uint32_t most = base == 3 ? 5 : 3;
    for (uint32_t first = 0; first < count; first += most) {
        const uint32_t here = count - first < most ? count - first : most;
        uint32_t bundle = zi_bits_take(left, base == 3 ? trit_bits[here] : quint_bits[here]);
        for (uint32_t i = 0; i < here; i++, bundle /= base) { digits[first + i] = (uint8_t)(bundle % base); }
    }
}

// The values with their plain bits, 64 at most. Called with a constant scale.
static inline void take_plain(zi_bits *left, uint32_t which, uint32_t count, const uint8_t *digits, uint8_t *values) {
    const uint32_t width = zi_scales[which].plain_bits, all = width * count;
    uint64_t plain = left->low;
    for (uint32_t i = 0; i < count; i++, plain >>= width) {
        values[i] = zi_scale_color(zi_scales[which], digits[i], (uint32_t)plain & ((1u << width) - 1));
    }
    if (all == 64) {
        *left = (zi_bits){left->high, 0};
    } else {
        zi_bits_skip(left, all);
    }
}

// The end points: all digits in bundles first, then the plain bits of all.
static void take_values(zi_bits *left, uint32_t which, uint32_t count, uint8_t *values) {
    uint8_t digits[VALUES_MAX] = {0};
    if (zi_scales[which].base == 3) { take_digits(left, 3, count, digits); }
    if (zi_scales[which].base == 5) { take_digits(left, 5, count, digits); }
    switch (which) { // a loop of its own for each
    case SCALE_7: take_plain(left, SCALE_7, count, digits, values); break;
    case SCALE_8: take_plain(left, SCALE_8, count, digits, values); break;
    case SCALE_11: take_plain(left, SCALE_11, count, digits, values); break;
    case SCALE_12: take_plain(left, SCALE_12, count, digits, values); break;
    case SCALE_13: take_plain(left, SCALE_13, count, digits, values); break;
    case SCALE_18: take_plain(left, SCALE_18, count, digits, values); break;
    case SCALE_19: take_plain(left, SCALE_19, count, digits, values); break;
    default: take_plain(left, SCALE_20, count, digits, values); break;
    }
}

static bool find_pattern(uint32_t number, zi_bits *left, uint32_t *map) {
    const mode *m = &modes[number];
    *map = 0;
    if (m->pattern_count == 0) { return true; }
    const uint32_t pattern = zi_bits_take(left, m->pattern_count > 16 ? 5 : 4);
    if (pattern >= m->pattern_count) { return false; }
    const uint32_t *const of_one_mode = number == 7 ? patterns_of_mode_7 : patterns_of_three;
    const uint32_t *const patterns = number == 7 || number == 3 ? of_one_mode : patterns_of_two;
    *map = patterns[pattern];
    return true;
}

// A colour as four numbers of 16 bits, red lowest.
static uint64_t spread(const uint8_t *ends, uint32_t component_count) {
    if (component_count == 2) { return ends[0] * 0x100010001u | (uint64_t)ends[2] << 48; }
    const uint64_t alpha = component_count == 4 ? ends[6] : 255;
    return ends[0] | (uint64_t)ends[2] << 16 | (uint64_t)ends[4] << 32 | alpha << 48;
}

// The colours between the two of each subset, a byte a channel, red lowest. All four channels at once: with s = low *
// (64 - w) + high * w, at most 255 * 64, (s * 257 + 32) >> 14 is (s + ((s + 32) >> 8)) >> 6, within 16 bits.
static void mix(const mode *m, const uint8_t *values, uint32_t subset, uint32_t *palette) {
    const uint8_t *ends = values + 2 * (size_t)m->component_count * subset;
    const uint64_t low = spread(ends, m->component_count), high = spread(ends + 1, m->component_count);
    const uint8_t *scale_of = weight_scales[m->weight_bits];
    const uint32_t level_count = 1u << m->weight_bits;
    const uint64_t bytes = 0x00FF00FF00FF00FF;
    for (uint32_t i = 0; i < level_count; i++) {
        const uint64_t w = scale_of[i], sum = low * (64 - w) + high * w;
        uint64_t mixed = (sum + ((sum + 0x0020002000200020) >> 8 & bytes)) >> 6 & bytes;
        mixed = (mixed | mixed >> 8) & 0x0000FFFF0000FFFF;
        palette[i] = (uint32_t)(mixed | mixed >> 16);
    }
}

static void put(uint8_t *texel, uint32_t colour) {
    texel[0] = (uint8_t)colour;
    texel[1] = (uint8_t)(colour >> 8);
    texel[2] = (uint8_t)(colour >> 16);
    texel[3] = (uint8_t)(colour >> 24);
}

static void put_all(uint8_t *texels, uint32_t colour) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) { put(texels + 4 * i, colour); }
}

// The first texel of a subset.
static uint32_t first_of(uint32_t map, uint32_t subset) {
    const uint32_t other = map ^ subset * 0x55555555;
    return (uint32_t)__builtin_ctz(~(other | other >> 1) & 0x55555555) / 2; // every subset has one
}

static uint64_t insert_zero(uint64_t weights, uint32_t place) {
    const uint64_t below = ((uint64_t)1 << place) - 1;
    return (weights & below) | (weights & ~below) << 1;
}

// The weights of all texels, the first lowest, with the top bits that are left out because they are 0: those of the
// first texel of each subset, in each plane. Not for weights of five bits, which need more than 64.
static uint64_t whole_weights(const mode *m, uint32_t map, uint64_t weights) {
    const uint32_t width = m->weight_bits;
    weights = insert_zero(weights, width - 1); // the first texel is the first of its subset
    if (m->plane_count == 2) { weights = insert_zero(weights, 2 * width - 1); }
    uint32_t second = 0, third = 0;
    for (uint32_t s = 0; s < m->subset_count; s++) {
        const uint32_t first = first_of(map, s);
        if (first > second) {
            third = second;
            second = first;
        } else if (first > third) {
            third = first;
        }
    }
    if (third > 0) { weights = insert_zero(weights, third * width + width - 1); } // the lower place first
    if (second > 0) { weights = insert_zero(weights, second * width + width - 1); }
    return weights;
}

// Called with a constant width.
static inline void put_texels(uint32_t width, uint64_t weights, uint32_t map, uint32_t palette[3][LEVELS_MAX],
                              uint8_t *texels) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++, weights >>= width, map >>= 2) {
        put(texels + 4 * i, palette[map & 3][weights & ((1u << width) - 1)]);
    }
}

static inline void put_planes(uint32_t width, uint64_t weights, const uint32_t *palette, uint32_t second,
                              uint8_t *texels) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++, weights >>= 2 * width) {
        const uint32_t one = palette[weights & ((1u << width) - 1)];
        const uint32_t other = palette[weights >> width & ((1u << width) - 1)];
        put(texels + 4 * i, (one & ~second) | (other & second));
    }
}

// Sixteen weights of five bits, of one subset and plane.
static void put_fine(zi_bits *left, const uint32_t *palette, uint8_t *texels) {
    put(texels, palette[zi_bits_take(left, 4)]);
    for (uint32_t i = 1; i < ZI_BLOCK_TEXELS; i++) { put(texels + 4 * i, palette[zi_bits_take(left, 5)]); }
}

bool zi_uastc_block(const uint8_t *block, uint8_t *texels) {
    zi_bits left = zi_bits_open(block);
    const uint32_t number = modes_by_prefix[left.low & 127];
    uint32_t map = 0;
    if (number == NO_MODE) {
        put_all(texels, 0);
        return false;
    }
    const mode *m = &modes[number];
    zi_bits_skip(&left, m->prefix_bits);
    if (number == SOLID_MODE) {
        put_all(texels, (uint32_t)left.low);
        return true;
    }
    zi_bits_skip(&left, m->hint_bits);
    if (!find_pattern(number, &left, &map)) {
        put_all(texels, 0);
        return false;
    }
    uint32_t second = 0; // bits of the channel that the second plane has
    if (m->plane_count == 2) { second = 0xFFu << 8 * (m->component_count == 2 ? 3 : zi_bits_take(&left, 2)); }
    uint8_t values[VALUES_MAX];
    uint32_t palette[3][LEVELS_MAX];
    take_values(&left, m->scale, 2u * m->component_count * m->subset_count, values);
    for (uint32_t s = 0; s < m->subset_count; s++) { mix(m, values, s, palette[s]); }
    if (m->weight_bits == 5) {
        put_fine(&left, palette[0], texels);
        return true;
    }
    const uint64_t weights = whole_weights(m, map, left.low);
    switch (m->weight_bits * 2 + (second != 0)) {
    case 1 * 2 + 1: put_planes(1, weights, palette[0], second, texels); break;
    case 2 * 2 + 1: put_planes(2, weights, palette[0], second, texels); break;
    case 2 * 2: put_texels(2, weights, map, palette, texels); break;
    case 3 * 2: put_texels(3, weights, map, palette, texels); break;
    default: put_texels(4, weights, map, palette, texels); break;
    }
    return true;
}
