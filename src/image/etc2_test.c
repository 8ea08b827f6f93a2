// ETC2 and EAC against a second decoder, which works out one texel at a time from the bit ranges and formulas of the
// specification, and against blocks worked out by hand: no vector has the modes T, H and planar, clear texels, or levels
// of 11 bits. Source: the ETC2 part of the Khronos Data Format Specification.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/test_share.h"
#include "image/blocks.h"

typedef enum mode { INDIVIDUAL, DIFFERENTIAL, T, H, PLANAR, MODE_COUNT } mode;
typedef enum format { RGB, RGBA1 } format;

// ----------------------------------------------------------------------------------------- the second decoder

// Bits high..low of a block, of which bit 63 is the first byte's highest.
static int bits(const uint8_t *block, int high, int low) {
    int value = 0;
    for (int bit = high; bit >= low; bit--) { value = value * 2 + (block[(63 - bit) / 8] >> bit % 8 & 1); }
    return value;
}

static int signed_3(int value) { return value >= 4 ? value - 8 : value; }
static int clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }
static int extend(int value, int width) { return value << (8 - width) | value >> (2 * width - 8); }

static bool leaves_range(const uint8_t *block, int high) { // five bits and three signed ones below them
    const int sum = bits(block, high, high - 4) + signed_3(bits(block, high - 5, high - 7));
    return sum < 0 || sum > 31;
}

static mode mode_of(const uint8_t *block, format f) {
    if (f == RGB && bits(block, 33, 33) == 0) { return INDIVIDUAL; }
    if (leaves_range(block, 63)) { return T; }
    if (leaves_range(block, 55)) { return H; }
    if (leaves_range(block, 47)) { return PLANAR; }
    return DIFFERENTIAL;
}

static const int distance_table[8] = {3, 6, 11, 16, 23, 32, 41, 64};

static void set(int out[4], int r, int g, int b, int plus) {
    out[0] = clamped(r + plus);
    out[1] = clamped(g + plus);
    out[2] = clamped(b + plus);
    out[3] = 255;
}

static void texel_of_halves(const uint8_t *block, bool differs, bool opaque, int index, int x, int y, int out[4]) {
    static const int small[8] = {2, 5, 9, 13, 18, 24, 33, 47}, large[8] = {8, 17, 29, 42, 60, 80, 106, 183};
    const bool second = bits(block, 32, 32) != 0 ? y >= 2 : x >= 2;
    const int table = second ? bits(block, 36, 34) : bits(block, 39, 37);
    int color[3];
    for (int c = 0; c < 3; c++) {
        const int high = 63 - 8 * c;
        if (differs) {
            const int base = bits(block, high, high - 4);
            color[c] = extend(second ? base + signed_3(bits(block, high - 5, high - 7)) : base, 5);
        } else {
            color[c] = extend(second ? bits(block, high - 4, high - 7) : bits(block, high, high - 3), 4);
        }
    }
    const int steps[4] = {opaque ? small[table] : 0, large[table], -small[table], -large[table]};
    set(out, color[0], color[1], color[2], steps[index]);
}

static void texel_of_t(const uint8_t *block, int index, int out[4]) {
    const int distance = distance_table[bits(block, 35, 34) * 2 + bits(block, 32, 32)];
    if (index == 0) {
        set(out, extend(bits(block, 60, 59) * 4 + bits(block, 57, 56), 4), extend(bits(block, 55, 52), 4),
            extend(bits(block, 51, 48), 4), 0);
    } else {
        set(out, extend(bits(block, 47, 44), 4), extend(bits(block, 43, 40), 4), extend(bits(block, 39, 36), 4),
            index == 1 ? distance : index == 2 ? 0 : -distance);
    }
}

static void texel_of_h(const uint8_t *block, int index, int out[4]) {
    const int r1 = bits(block, 62, 59), g1 = bits(block, 58, 56) * 2 + bits(block, 52, 52);
    const int b1 = bits(block, 51, 51) * 8 + bits(block, 49, 47);
    const int r2 = bits(block, 46, 43), g2 = bits(block, 42, 39), b2 = bits(block, 38, 35);
    const bool first_is_not_less = r1 != r2 ? r1 > r2 : g1 != g2 ? g1 > g2 : b1 >= b2;
    const int distance = distance_table[bits(block, 34, 34) * 4 + bits(block, 32, 32) * 2 + first_is_not_less];
    const int plus = index % 2 == 0 ? distance : -distance;
    if (index < 2) {
        set(out, extend(r1, 4), extend(g1, 4), extend(b1, 4), plus);
    } else {
        set(out, extend(r2, 4), extend(g2, 4), extend(b2, 4), plus);
    }
}

static void texel_of_planar(const uint8_t *block, int x, int y, int out[4]) {
    const int origin[3] = {extend(bits(block, 62, 57), 6), extend(bits(block, 56, 56) * 64 + bits(block, 54, 49), 7),
                           extend(bits(block, 48, 48) * 32 + bits(block, 44, 43) * 8 + bits(block, 41, 39), 6)};
    const int across[3] = {extend(bits(block, 38, 34) * 2 + bits(block, 32, 32), 6), extend(bits(block, 31, 25), 7),
                           extend(bits(block, 24, 19), 6)};
    const int down[3] = {extend(bits(block, 18, 13), 6), extend(bits(block, 12, 6), 7), extend(bits(block, 5, 0), 6)};
    for (int c = 0; c < 3; c++) {
        const int four = x * (across[c] - origin[c]) + y * (down[c] - origin[c]) + 4 * origin[c] + 2;
        out[c] = clamped(four < 0 ? -1 : four / 4);
    }
    out[3] = 255;
}

static void texel_of(const uint8_t *block, format f, int x, int y, int out[4]) {
    const int place = 4 * x + y; // down the columns
    const int index = bits(block, 16 + place, 16 + place) * 2 + bits(block, place, place);
    const mode m = mode_of(block, f);
    const bool opaque = f == RGB || bits(block, 33, 33) != 0;
    if (!opaque && m != PLANAR && index == 2) {
        memset(out, 0, 4 * sizeof *out);
        return;
    }
    switch (m) {
    case T: texel_of_t(block, index, out); break;
    case H: texel_of_h(block, index, out); break;
    case PLANAR: texel_of_planar(block, x, y, out); break;
    default: texel_of_halves(block, m == DIFFERENTIAL, opaque, index, x, y, out); break;
    }
}

// The upper half of each set of eight steps is the lower one turned over, less one.
static int eac_step(int table, int index) {
    static const int lower[16][4] = {{3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13}, {3, 6, 8, 12}, {3, 7, 9, 11},
                                     {4, 7, 8, 11}, {3, 5, 8, 11},  {2, 6, 8, 10}, {2, 5, 8, 10}, {2, 4, 8, 10}, {2, 5, 7, 10},
                                     {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9}};
    return index < 4 ? -lower[table][index] : lower[table][index - 4] - 1;
}

static int eac_index(const uint8_t *block, int x, int y) {
    const int high = 47 - 3 * (4 * x + y);
    return bits(block, high, high - 2);
}

static int alpha_of(const uint8_t *block, int x, int y) {
    const int step = eac_step(bits(block, 51, 48), eac_index(block, x, y));
    return clamped(bits(block, 63, 56) + step * bits(block, 55, 52));
}

static int eleven_bits_of(const uint8_t *block, int x, int y) {
    const int step = eac_step(bits(block, 51, 48), eac_index(block, x, y)), times = bits(block, 55, 52);
    const int value = bits(block, 63, 56) * 8 + 4 + (times != 0 ? step * times * 8 : step);
    return value < 0 ? 0 : value > 2047 ? 2047 : value;
}

// ------------------------------------------------------------------------------------------------- the comparison

static void expect(const uint8_t *texels, int x, int y, int r, int g, int b, int a) {
    const uint8_t *texel = texels + (4 * y + x) * 4;
    const uint8_t wanted[4] = {(uint8_t)r, (uint8_t)g, (uint8_t)b, (uint8_t)a};
    assert_memory_equal(texel, wanted, 4);
}

static void compare_color(const uint8_t *block, format f) {
    uint8_t texels[ZI_BLOCK_BYTES];
    assert_true(f == RGB ? zi_etc2_rgb_block(block, texels) : zi_etc2_rgba1_block(block, texels));
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++) {
            int wanted[4];
            texel_of(block, f, x, y, wanted);
            expect(texels, x, y, wanted[0], wanted[1], wanted[2], wanted[3]);
        }
    }
}

static void compare_pair(const uint8_t *block) { // of blocks
    uint8_t rgba[ZI_BLOCK_BYTES], r[ZI_BLOCK_BYTES], rg[ZI_BLOCK_BYTES];
    assert_true(zi_etc2_rgba_block(block, rgba) && zi_eac_r_block(block, r) && zi_eac_rg_block(block, rg));
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++) {
            int wanted[4];
            texel_of(block + 8, RGB, x, y, wanted);
            expect(rgba, x, y, wanted[0], wanted[1], wanted[2], alpha_of(block, x, y));
            const int red = eleven_bits_of(block, x, y) >> 3, green = eleven_bits_of(block + 8, x, y) >> 3;
            expect(r, x, y, red, 0, 0, 255);
            expect(rg, x, y, red, green, 0, 255);
        }
    }
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 32;
}

static void random_blocks_in_all_modes(void **state) {
    (void)state;
    uint64_t random = 1;
    uint32_t met[2][MODE_COUNT] = {{0}}, clear = 0;
    const uint64_t rounds = test_share(60000);
    for (uint64_t n = 0; n < rounds; n++) {
        uint8_t block[16];
        for (int i = 0; i < 16; i++) { block[i] = (uint8_t)next_random(&random); }
        for (int f = RGB; f <= RGBA1; f++) {
            met[f][mode_of(block, (format)f)]++;
            compare_color(block, (format)f);
        }
        clear += bits(block, 33, 33) == 0;
        compare_pair(block);
    }
    for (int m = INDIVIDUAL; m < MODE_COUNT; m++) {
        assert_true(met[RGB][m] > rounds / 50);
        assert_true(m == INDIVIDUAL ? met[RGBA1][m] == 0 : met[RGBA1][m] > rounds / 50);
    }
    assert_true(clear > rounds / 3);
}

// Each table with each multiplier and the ends of the range.
static void all_steps_of_eac(void **state) {
    (void)state;
    for (int table = 0; table < 16; table++) {
        for (int times = 0; times < 16; times++) {
            for (int base = 0; base < 256; base += base < 8 || base >= 247 ? 1 : 13) {
                uint8_t block[16] = {(uint8_t)base, (uint8_t)(times << 4 | table), 0x05, 0x39, 0x77, 0x05, 0x39, 0x77};
                memcpy(block + 8, block, 8);
                compare_pair(block);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------ by hand

static void put(uint8_t *block, int high, int low, int value) {
    for (int bit = low; bit <= high; bit++, value >>= 1) {
        block[(63 - bit) / 8] = (uint8_t)((block[(63 - bit) / 8] & ~(1 << bit % 8)) | (value & 1) << bit % 8);
    }
}

// Texel (0, y) has index y, all others 0.
static void put_indices(uint8_t *block) {
    put(block, 31, 0, 0);
    put(block, 16 + 2, 16 + 2, 1);
    put(block, 16 + 3, 16 + 3, 1);
    put(block, 1, 1, 1);
    put(block, 3, 3, 1);
}

static void t_by_hand(void **state) {
    (void)state;
    uint8_t block[8] = {0}, texels[ZI_BLOCK_BYTES];
    put(block, 63, 61, 7);  // 30 and +2 leave the range, which makes it T
    put(block, 60, 59, 2);  // red of the first colour, 10, in two parts
    put(block, 57, 56, 2);
    put(block, 55, 52, 3);
    put(block, 51, 48, 7);
    put(block, 47, 44, 4);  // the second colour
    put(block, 43, 40, 8);
    put(block, 39, 36, 15);
    put(block, 35, 34, 1);  // distance 2: 11
    put(block, 33, 33, 1);
    put_indices(block);
    zi_etc2_rgb_block(block, texels);
    expect(texels, 0, 0, 0xAA, 0x33, 0x77, 255);
    expect(texels, 0, 1, 0x44 + 11, 0x88 + 11, 255, 255); // 255 + 11 is cut
    expect(texels, 0, 2, 0x44, 0x88, 255, 255);
    expect(texels, 0, 3, 0x44 - 11, 0x88 - 11, 255 - 11, 255);
    expect(texels, 3, 3, 0xAA, 0x33, 0x77, 255);
    zi_etc2_rgba1_block(block, texels); // all opaque
    expect(texels, 0, 2, 0x44, 0x88, 255, 255);
    put(block, 33, 33, 0);
    zi_etc2_rgba1_block(block, texels);
    expect(texels, 0, 1, 0x44 + 11, 0x88 + 11, 255, 255);
    expect(texels, 0, 2, 0, 0, 0, 0);
}

static void h_by_hand(void **state) {
    (void)state;
    uint8_t block[8] = {0}, texels[ZI_BLOCK_BYTES];
    put(block, 62, 59, 6);  // red of the first colour; 6 + 1 stays in the range
    put(block, 58, 56, 1);  // green, 3, in two parts
    put(block, 52, 52, 1);
    put(block, 55, 53, 0);  // the five bits of green that lie there are 2, the three behind them -3: below 0, so it is H
    put(block, 50, 50, 1);
    put(block, 51, 51, 0);  // blue, 2, in two parts
    put(block, 49, 47, 2);
    put(block, 46, 43, 6);  // the second colour, which is larger
    put(block, 42, 39, 3);
    put(block, 38, 35, 5);
    put(block, 34, 34, 1);  // distance 4 + 0 + 0: 23
    put(block, 33, 33, 1);
    put_indices(block);
    assert_int_equal(mode_of(block, RGB), H);
    zi_etc2_rgb_block(block, texels);
    expect(texels, 0, 0, 0x66 + 23, 0x33 + 23, 0x22 + 23, 255);
    expect(texels, 0, 1, 0x66 - 23, 0x33 - 23, 0x22 - 23, 255);
    expect(texels, 0, 2, 0x66 + 23, 0x33 + 23, 0x55 + 23, 255);
    expect(texels, 0, 3, 0x66 - 23, 0x33 - 23, 0x55 - 23, 255);
    put(block, 38, 35, 2); // alike: the first is not less, so it is distance 5, 32
    zi_etc2_rgb_block(block, texels);
    expect(texels, 0, 0, 0x66 + 32, 0x33 + 32, 0x22 + 32, 255);
    expect(texels, 0, 3, 0x66 - 32, 0x33 - 32, 0x22 - 32, 255);
    put(block, 32, 32, 1); // distance 7, 64
    put(block, 33, 33, 0);
    zi_etc2_rgba1_block(block, texels);
    expect(texels, 0, 0, 0x66 + 64, 0x33 + 64, 0x22 + 64, 255);
    expect(texels, 0, 1, 0x66 - 64, 0, 0, 255);
    expect(texels, 0, 2, 0, 0, 0, 0);
}

static void planar_by_hand(void **state) {
    (void)state;
    uint8_t block[8] = {0}, texels[ZI_BLOCK_BYTES];
    put(block, 62, 57, 16); // red: from 65 (16 of 63) to 255 across and 0 down
    put(block, 38, 34, 31);
    put(block, 32, 32, 1);
    put(block, 18, 13, 0);
    put(block, 54, 49, 1);  // green: from 2 (1 of 127) to 2 across and 255 down
    put(block, 31, 25, 1);
    put(block, 12, 6, 127);
    put(block, 48, 48, 0);  // blue: 0 everywhere but in its free bits: 47..45 and 42 make the sum too large
    put(block, 47, 45, 7);
    put(block, 44, 43, 3);
    put(block, 42, 42, 0);
    put(block, 41, 39, 7);  // 31, and +3
    put(block, 33, 33, 0);  // with clear texels this bit does not count
    assert_int_equal(mode_of(block, RGBA1), PLANAR);
    zi_etc2_rgba1_block(block, texels);
    expect(texels, 0, 0, 65, 2, 125, 255);                            // blue begins at 31 of 63
    expect(texels, 1, 0, (190 + 260 + 2) / 4, 2, (-125 + 502) / 4, 255); // a quarter of the way
    expect(texels, 3, 0, (3 * 190 + 260 + 2) / 4, 2, (-375 + 502) / 4, 255);
    expect(texels, 0, 1, (-65 + 262) / 4, (253 + 10) / 4, (-125 + 502) / 4, 255);
    expect(texels, 3, 3, (3 * 190 - 3 * 65 + 262) / 4, (3 * 253 + 10) / 4, 0, 255); // blue would be below 0
}

static void levels_by_hand(void **state) {
    (void)state;
    uint8_t block[8] = {200, 0x2D, 0, 0, 0, 0, 0, 0}, texels[ZI_BLOCK_BYTES]; // table 13, twice: -1 -2 -3 -10, 0 1 2 9
    put(block, 47, 45, 3);
    put(block, 44, 42, 7);
    zi_eac_r_block(block, texels);
    expect(texels, 0, 0, (200 * 8 + 4 - 160) >> 3, 0, 0, 255);
    expect(texels, 0, 1, (200 * 8 + 4 + 144) >> 3, 0, 0, 255);
    expect(texels, 1, 0, (200 * 8 + 4 - 16) >> 3, 0, 0, 255);
    block[1] = 0x0D; // by eighths
    zi_eac_r_block(block, texels);
    expect(texels, 0, 0, (200 * 8 + 4 - 10) >> 3, 0, 0, 255);
    expect(texels, 0, 1, (200 * 8 + 4 + 9) >> 3, 0, 0, 255);
    expect(texels, 1, 0, (200 * 8 + 4 - 1) >> 3, 0, 0, 255);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_by_hand),
        cmocka_unit_test(h_by_hand),
        cmocka_unit_test(planar_by_hand),
        cmocka_unit_test(levels_by_hand),
        cmocka_unit_test(all_steps_of_eac),
        cmocka_unit_test(random_blocks_in_all_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
