// Blocks of UASTC worked out by hand where it is not ASTC bit for bit: digits before plain bits, no blue contraction and
// no exchange of endpoints, one weight shorter, linear mixing whatever the file says of colours. All modes together are
// held against pictures by tests/vectors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "image/blocks.h"

typedef struct writer {
    uint8_t block[16];
    uint32_t bit;
} writer;

static void put(writer *w, uint32_t value, uint32_t bits) { // low end first
    assert_true(w->bit + bits <= 128);
    for (uint32_t i = 0; i < bits; i++, w->bit++) { w->block[w->bit / 8] |= (uint8_t)((value >> i & 1) << w->bit % 8); }
}

static void texel_is(const uint8_t *texels, uint32_t index, const uint8_t rgba[4]) {
    const uint8_t *found = texels + 4 * index;
    if (memcmp(found, rgba, 4) != 0) {
        fail_msg("texel %u: %u %u %u %u, not %u %u %u %u", index, found[0], found[1], found[2], found[3], rgba[0], rgba[1],
                 rgba[2], rgba[3]);
    }
}

// Mode 1: endpoints of eight bits, weights of two. The second endpoint is the darker one, for which ASTC would exchange
// the two and contract blue; and its sRGB rule would give 66 and 40 in the third colour.
static void trap_11_no_blue_contraction_and_linear_mixing(void **state) {
    (void)state;
    writer w = {0};
    put(&w, 0x35, 6);
    put(&w, 0x7FFF, 15); // hints say nothing
    static const uint8_t endpoints[] = {200, 0, 100, 10, 250, 20}; // low and high of red, green, blue
    for (uint32_t i = 0; i < 6; i++) { put(&w, endpoints[i], 8); }
    put(&w, 1, 1); // the first texel has no top bit
    for (uint32_t i = 1; i < 16; i++) { put(&w, i & 3, 2); }
    // Weights are 0, 21, 43, 64 of 64: (257 * (low * (64 - weight) + high * weight) + 32) / 64 / 256.
    static const uint8_t colours[4][4] = {{200, 100, 250, 255}, {134, 70, 175, 255}, {65, 39, 95, 255}, {0, 10, 20, 255}};
    uint8_t texels[ZI_BLOCK_BYTES];
    assert_true(zi_uastc_block(w.block, texels));
    texel_is(texels, 0, colours[1]);
    for (uint32_t i = 1; i < 16; i++) { texel_is(texels, i, colours[i & 3]); }
}

// Mode 12: eight values of six plain bits and a digit of base three. The digits stand in front, five in eight bits and
// three in five, the first one the least; ASTC would put each among the plain bits of its values.
static void trap_11_digits_before_plain_bits(void **state) {
    (void)state;
    static const struct { uint32_t digit, plain, means; } values[] = {
        {0, 0x01, 255}, {2, 0x00, 2}, {1, 0x01, 254}, {1, 0x00, 1}, {0, 0x20, 64}, {2, 0x21, 189}, {0, 0x21, 191},
        {2, 0x20, 66},
    };
    writer w = {0};
    put(&w, 0x06, 3);
    put(&w, 0, 17);
    put(&w, 0 + 3 * 2 + 9 * 1 + 27 * 1 + 81 * 0, 8);
    put(&w, 2 + 3 * 0 + 9 * 2, 5);
    for (uint32_t i = 0; i < 8; i++) { put(&w, values[i].plain, 6); }
    put(&w, 0, 2);
    for (uint32_t i = 1; i < 16; i++) { put(&w, i % 2 == 0 ? 0 : 7, 3); }
    assert_int_equal(w.bit, 128);
    uint8_t texels[ZI_BLOCK_BYTES];
    assert_true(zi_uastc_block(w.block, texels));
    for (uint32_t i = 0; i < 16; i++) {
        uint8_t colour[4];
        for (uint32_t k = 0; k < 4; k++) { colour[k] = (uint8_t)values[2 * k + i % 2].means; }
        texel_is(texels, i, colour);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trap_11_no_blue_contraction_and_linear_mixing),
        cmocka_unit_test(trap_11_digits_before_plain_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
