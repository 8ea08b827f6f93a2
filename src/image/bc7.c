// BC7: a block is in one of eight modes, which say how many pairs of colours it has, of how many bits, and which
// texels belong to which pair. Called by ktx2_decode.c. A block without a mode is transparent black, as it should be;
// every bit pattern is a valid block.
#include "image/bits.h"
#include "image/blocks.h"

typedef struct mode {
    uint8_t subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits;
    uint8_t parity; // 0: none, 1: a bit for each end, 2: one for each pair
    uint8_t index_bits, second_bits;
} mode;
static const mode modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 3, 0}, {2, 6, 0, 0, 6, 0, 2, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 2, 2}, {1, 0, 0, 0, 7, 7, 1, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 2, 0},
};

// Two bits a texel, the first lowest.
static const uint32_t partitions_of_two[64] = {
    0x50505050, 0x40404040, 0x54545454, 0x54505040, 0x50404000, 0x55545450, 0x55545040, 0x54504000,
    0x50400000, 0x55555450, 0x55544000, 0x54400000, 0x55555440, 0x55550000, 0x55555500, 0x55000000,
    0x55150100, 0x00004054, 0x15010000, 0x00405054, 0x00004050, 0x15050100, 0x05010000, 0x40505054,
    0x00404050, 0x05010100, 0x14141414, 0x05141450, 0x01155440, 0x00555500, 0x15014054, 0x05414150,
    0x44444444, 0x55005500, 0x11441144, 0x05055050, 0x05500550, 0x11114444, 0x41144114, 0x44111144,
    0x15055054, 0x01055040, 0x05041050, 0x05455150, 0x14414114, 0x50050550, 0x41411414, 0x00141400,
    0x00041504, 0x00105410, 0x10541000, 0x04150400, 0x50410514, 0x41051450, 0x05415014, 0x14054150,
    0x41050514, 0x41505014, 0x40011554, 0x54150140, 0x50505500, 0x00555050, 0x15151010, 0x54540404,
};
static const uint32_t partitions_of_three[64] = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254,
};
// The texel of each further subset whose highest bit is left out, because it is 0.
static const uint8_t second_of_two[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6,
    6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
};
static const uint8_t second_of_three[64] = {
    3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3,
    3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
    8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15,
    3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
};
static const uint8_t third_of_three[64] = {
    15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8,
    15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
    15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
    15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
};

static const uint8_t weights_2[4] = {0, 21, 43, 64};
static const uint8_t weights_3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
static const uint8_t weights_4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
static const uint8_t *const weights[5] = {NULL, NULL, weights_2, weights_3, weights_4};

// [subset * 2 + end][channel], as bytes.
static void take_ends(zi_bits *b, const mode *m, uint8_t ends[6][4]) {
    ZO_ASSERT(m->subsets <= 3);
    const uint32_t end_count = m->subsets * 2u;
    uint32_t widths[4] = {m->color_bits, m->color_bits, m->color_bits, m->alpha_bits};
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t i = 0; i < end_count; i++) { ends[i][c] = (uint8_t)zi_bits_take(b, widths[c]); }
    }
    if (m->parity != 0) {
        uint32_t parity = 0;
        for (uint32_t i = 0; i < end_count; i++) {
            if (m->parity == 1 || i % 2 == 0) { parity = zi_bits_take(b, 1); }
            for (uint32_t c = 0; c < 4; c++) { ends[i][c] = (uint8_t)((uint32_t)ends[i][c] << 1 | parity); }
        }
    }
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t width = widths[c] + (m->parity != 0);
        for (uint32_t i = 0; i < end_count; i++) {
            const uint32_t top = (uint32_t)ends[i][c] << (8 - width);
            ends[i][c] = (uint8_t)(widths[c] == 0 ? 255 : top | top >> width);
        }
    }
}

static void take_indices(zi_bits *b, uint32_t width, uint32_t second, uint32_t third,
                         uint8_t indices[ZI_BLOCK_TEXELS]) {
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        const bool anchor = i == 0 || i == second || i == third;
        indices[i] = (uint8_t)zi_bits_take(b, width - anchor);
    }
}

static uint8_t mix(uint8_t a, uint8_t b, uint32_t weight) {
    return (uint8_t)((a * (64 - weight) + b * weight + 32) >> 6);
}

bool zi_bc7_block(const uint8_t *block, uint8_t *texels) {
    uint32_t number = 0;
    while (number < 8 && (block[0] >> number & 1) == 0) { number++; }
    if (number == 8) {
        memset(texels, 0, ZI_BLOCK_BYTES);
        return true;
    }
    const mode *m = &modes[number];
    zi_bits b = zi_bits_open(block);
    uint8_t ends[6][4], first[ZI_BLOCK_TEXELS], second[ZI_BLOCK_TEXELS];
    zi_bits_take(&b, number + 1);
    const uint32_t partition = zi_bits_take(&b, m->partition_bits);
    const uint32_t rotation = zi_bits_take(&b, m->rotation_bits), selection = zi_bits_take(&b, m->selection_bits);
    take_ends(&b, m, ends);
    const uint32_t map = m->subsets == 1   ? 0
                         : m->subsets == 2 ? partitions_of_two[partition]
                                           : partitions_of_three[partition];
    const uint32_t anchor = m->subsets == 1   ? 0u
                            : m->subsets == 2 ? second_of_two[partition]
                                              : second_of_three[partition];
    take_indices(&b, m->index_bits, anchor, m->subsets == 3 ? third_of_three[partition] : 0, first);
    if (m->second_bits != 0) { take_indices(&b, m->second_bits, 0, 0, second); }
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        const uint8_t (*pair)[4] = (const uint8_t(*)[4])&ends[(map >> i * 2 & 3) * 2];
        uint32_t color = weights[m->index_bits][first[i]], alpha = color;
        if (m->second_bits != 0) {
            const uint32_t other = weights[m->second_bits][second[i]];
            *(selection != 0 ? &color : &alpha) = other;
        }
        uint8_t *to = texels + i * 4;
        for (uint32_t c = 0; c < 3; c++) { to[c] = mix(pair[0][c], pair[1][c], color); }
        to[3] = mix(pair[0][3], pair[1][3], alpha);
        if (rotation != 0) { // alpha stands in the place of a colour
            const uint8_t kept = to[3];
            to[3] = to[rotation - 1];
            to[rotation - 1] = kept;
        }
    }
    return true;
}
