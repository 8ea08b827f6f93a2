// ETC2 and EAC: a base colour or level a block (or half of it), and for each texel a step from it. Called by
// ktx2_decode.c. Every bit pattern is a valid block. Their bytes are one number, highest first, and their texels go
// down the columns. The modes T, H and planar hide where a difference of two colours leaves its range.
#include "image/blocks.h"

static const uint8_t steps[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
static const int8_t eac_steps[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10}, {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},  {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},  {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

static uint64_t get_block(const uint8_t *block) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; i++) { value = value << 8 | block[i]; }
    return value;
}

static uint32_t field(uint64_t block, uint32_t low, uint32_t count) {
    return (uint32_t)(block >> low) & ((1u << count) - 1);
}

static uint8_t clamp(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }
static int32_t expand_4(uint32_t value) { return (int32_t)(value << 4 | value); }
static int32_t expand_5(uint32_t value) { return (int32_t)(value << 3 | value >> 2); }
static int32_t expand_6(uint32_t value) { return (int32_t)(value << 2 | value >> 4); }
static int32_t expand_7(uint32_t value) { return (int32_t)(value << 1 | value >> 6); }

// Texel i of a column-wise order stands there in rows.
static uint8_t *place(uint8_t *texels, uint32_t i) { return texels + (i % 4 * 4 + i / 4) * 4; }
static uint32_t index_of(uint64_t block, uint32_t i) { return field(block, 16 + i, 1) << 1 | field(block, i, 1); }

static void put(uint8_t *to, const int32_t color[3], int32_t step) {
    for (uint32_t c = 0; c < 3; c++) { to[c] = clamp(color[c] + step); }
    to[3] = 255;
}

static void put_clear(uint8_t *to) { memset(to, 0, 4); }

// Two halves with a colour and a table of steps each. `punch`: the small steps are none, and the third index is clear.
static void put_halves(uint64_t block, const int32_t colors[2][3], bool punch, uint8_t *texels) {
    const bool flipped = field(block, 32, 1) != 0;
    const uint32_t tables[2] = {field(block, 37, 3), field(block, 34, 3)};
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        const uint32_t half = flipped ? i % 4 / 2 : i / 8, index = index_of(block, i);
        const int32_t size = punch && index % 2 == 0 ? 0 : steps[tables[half]][index & 1];
        if (punch && index == 2) {
            put_clear(place(texels, i));
        } else {
            put(place(texels, i), colors[half], index >= 2 ? -size : size);
        }
    }
}

static void put_paint(uint64_t block, const int32_t paint[4][3], bool punch, uint8_t *texels) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        const uint32_t index = index_of(block, i);
        if (punch && index == 2) {
            put_clear(place(texels, i));
        } else {
            put(place(texels, i), paint[index], 0);
        }
    }
}

static void put_t(uint64_t block, bool punch, uint8_t *texels) {
    const int32_t first[3] = {expand_4(field(block, 59, 2) << 2 | field(block, 56, 2)), expand_4(field(block, 52, 4)),
                              expand_4(field(block, 48, 4))};
    const int32_t second[3] = {expand_4(field(block, 44, 4)), expand_4(field(block, 40, 4)),
                               expand_4(field(block, 36, 4))};
    const int32_t distance = distances[field(block, 34, 2) << 1 | field(block, 32, 1)];
    int32_t paint[4][3];
    for (uint32_t c = 0; c < 3; c++) {
        paint[0][c] = first[c];
        paint[1][c] = second[c] + distance;
        paint[2][c] = second[c];
        paint[3][c] = second[c] - distance;
    }
    put_paint(block, (const int32_t(*)[3])paint, punch, texels);
}

static void put_h(uint64_t block, bool punch, uint8_t *texels) {
    const uint32_t a[3] = {field(block, 59, 4), field(block, 56, 3) << 1 | field(block, 52, 1),
                           field(block, 51, 1) << 3 | field(block, 47, 3)};
    const uint32_t b[3] = {field(block, 43, 4), field(block, 39, 4), field(block, 35, 4)};
    const uint32_t order = (a[0] << 8 | a[1] << 4 | a[2]) >= (b[0] << 8 | b[1] << 4 | b[2]); // the last bit, unwritten
    const int32_t distance = distances[field(block, 34, 1) << 2 | field(block, 32, 1) << 1 | order];
    int32_t paint[4][3];
    for (uint32_t c = 0; c < 3; c++) {
        paint[0][c] = expand_4(a[c]) + distance;
        paint[1][c] = expand_4(a[c]) - distance;
        paint[2][c] = expand_4(b[c]) + distance;
        paint[3][c] = expand_4(b[c]) - distance;
    }
    put_paint(block, (const int32_t(*)[3])paint, punch, texels);
}

static void put_planar(uint64_t block, uint8_t *texels) {
    const int32_t origin[3] = {expand_6(field(block, 57, 6)), expand_7(field(block, 56, 1) << 6 | field(block, 49, 6)),
                               expand_6(field(block, 48, 1) << 5 | field(block, 43, 2) << 3 | field(block, 39, 3))};
    const int32_t right[3] = {expand_6(field(block, 34, 5) << 1 | field(block, 32, 1)), expand_7(field(block, 25, 7)),
                              expand_6(field(block, 19, 6))};
    const int32_t below[3] = {expand_6(field(block, 13, 6)), expand_7(field(block, 6, 7)),
                              expand_6(field(block, 0, 6))};
    for (int32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        uint8_t *to = texels + i * 4;
        for (uint32_t c = 0; c < 3; c++) {
            const int32_t sum = i % 4 * (right[c] - origin[c]) + i / 4 * (below[c] - origin[c]) + 4 * origin[c] + 2;
            to[c] = clamp(sum < 0 ? 0 : sum >> 2);
        }
        to[3] = 255;
    }
}

static void put_etc2(uint64_t block, bool punch_format, uint8_t *texels) {
    const bool differs = field(block, 33, 1) != 0;
    const bool punch = punch_format && !differs; // there the bit says whether all is opaque
    int32_t colors[2][3];
    if (!differs && !punch_format) {
        for (uint32_t c = 0; c < 3; c++) {
            colors[0][c] = expand_4(field(block, 60 - c * 8, 4));
            colors[1][c] = expand_4(field(block, 56 - c * 8, 4));
        }
        put_halves(block, (const int32_t(*)[3])colors, false, texels);
        return;
    }
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t base = field(block, 59 - c * 8, 5), change = field(block, 56 - c * 8, 3);
        const uint32_t sum = base + change - (change >= 4 ? 8 : 0); // below 0 it is a large number
        if (sum > 31) {
            if (c == 0) { put_t(block, punch, texels); }
            if (c == 1) { put_h(block, punch, texels); }
            if (c == 2) { put_planar(block, texels); }
            return;
        }
        colors[0][c] = expand_5(base);
        colors[1][c] = expand_5(sum);
    }
    put_halves(block, (const int32_t(*)[3])colors, punch, texels);
}

// ----------------------------------------------------------------------------------------------------------------- EAC

static void put_alpha(const uint8_t *bytes, uint8_t *texels) {
    const uint64_t block = get_block(bytes);
    const int32_t base = bytes[0], multiplier = bytes[1] >> 4;
    const int8_t *table = eac_steps[bytes[1] & 15];
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        place(texels, i)[3] = clamp(base + table[field(block, 45 - i * 3, 3)] * multiplier);
    }
}

// Eleven bits, of which the upper eight are kept.
static void put_level(const uint8_t *bytes, uint8_t *texels, uint32_t channel) {
    const uint64_t block = get_block(bytes);
    const int32_t base = bytes[0] * 8 + 4, multiplier = bytes[1] >> 4 != 0 ? (bytes[1] >> 4) * 8 : 1;
    const int8_t *table = eac_steps[bytes[1] & 15];
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        const int32_t value = base + table[field(block, 45 - i * 3, 3)] * multiplier;
        place(texels, i)[channel] = (uint8_t)((value < 0 ? 0 : value > 2047 ? 2047 : value) >> 3);
    }
}

static void put_black(uint8_t *texels) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) { memcpy(texels + i * 4, (const uint8_t[4]){0, 0, 0, 255}, 4); }
}

bool zi_etc2_rgb_block(const uint8_t *block, uint8_t *texels) {
    put_etc2(get_block(block), false, texels);
    return true;
}

bool zi_etc2_rgba1_block(const uint8_t *block, uint8_t *texels) {
    put_etc2(get_block(block), true, texels);
    return true;
}

bool zi_etc2_rgba_block(const uint8_t *block, uint8_t *texels) {
    put_etc2(get_block(block + 8), false, texels);
    put_alpha(block, texels);
    return true;
}

bool zi_eac_r_block(const uint8_t *block, uint8_t *texels) {
    put_black(texels);
    put_level(block, texels, 0);
    return true;
}

bool zi_eac_rg_block(const uint8_t *block, uint8_t *texels) {
    put_black(texels);
    put_level(block, texels, 0);
    put_level(block + 8, texels, 1);
    return true;
}
