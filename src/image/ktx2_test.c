// What the writer makes is read back, and damaged files are refused or give any pixels, but nothing is read beyond them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/test_share.h"
#include "image/blocks.h"
#include "image/ktx2.h"

enum { FILE_MAX = 4096 };

typedef struct file {
    uint8_t bytes[FILE_MAX];
    size_t size;
} file;

static bool collect(void *context, const void *bytes, size_t size) {
    file *f = context;
    if (size > FILE_MAX - f->size) { return false; }
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
    return true;
}

static void paint(uint8_t *pixels, uint32_t count) {
    for (uint32_t i = 0; i < 4 * count; i++) { pixels[i] = (uint8_t)(i * 37 + i / 7); }
}

// Levels of 9 x 6, 4 x 3 and 2 x 1 pixels.
static void make(file *f, const zo_texture_pair *pairs, uint32_t pair_count, uint8_t pixels[3][4 * 54]) {
    zo_image levels[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t width = zi_level_side(9, i), height = zi_level_side(6, i);
        levels[i] = (zo_image){pixels[i], width, height, (size_t)width * 4};
        paint(pixels[i], width * height);
        pixels[i][0] = (uint8_t)i;
    }
    const zo_texture_file made = {.levels = levels, .level_count = 3, .pairs = pairs, .pair_count = pair_count};
    f->size = 0;
    assert_int_equal(zi_ktx2_write(&made, collect, f), ZO_OK);
}

static zo_text text_of(const char *words) { return (zo_text){words, strlen(words)}; }

static void what_is_written_is_read_back(void **state) {
    (void)state;
    const zo_texture_pair pairs[] = {{text_of("zebra"), text_of("stripes")}, {text_of("KTXorientation"), {"ru", 3}},
                                     {text_of("ant"), {"", 0}}};
    static uint8_t pixels[3][4 * 54], back[4 * 54];
    static file f;
    make(&f, pairs, 3, pixels);
    zo_texture texture;
    assert_int_equal(zi_ktx2_open(f.bytes, f.size, &texture).status, ZO_OK);
    assert_int_equal(texture.level_count, 3);
    assert_int_equal(texture.vk_format, 43);
    assert_true(texture.srgb && texture.has_alpha && !texture.bottom_up && !texture.premultiplied);
    assert_int_equal(texture.pair_count, 3); // sorted, with ours and without the orientation of another file
    static const char *const keys[] = {"KTXwriter", "ant", "zebra"};
    for (uint32_t i = 0; i < 3; i++) { assert_true(zb_text_equal(zi_ktx2_pair(&texture, i).key, text_of(keys[i]))); }
    assert_int_equal(zi_ktx2_pair(&texture, 2).value.size, 7);
    assert_true(texture.levels[2].offset < texture.levels[1].offset && texture.levels[1].offset < texture.levels[0].offset);
    for (uint32_t i = 0; i < 3; i++) {
        zo_image image = {back, texture.levels[i].width, texture.levels[i].height, (size_t)texture.levels[i].width * 4};
        assert_int_equal(texture.levels[i].offset % 4, 0);
        assert_int_equal(zi_ktx2_decode(&texture, i, &(zo_texture_decoder){0}, &image).status, ZO_OK);
        assert_memory_equal(back, pixels[i], image.stride * image.height);
    }
}

static void keys_and_sides_must_fit(void **state) {
    (void)state;
    static uint8_t pixels[4 * 16];
    static file f;
    zo_image levels[2] = {{pixels, 4, 4, 16}, {pixels, 2, 2, 8}};
    const zo_texture_pair twice[] = {{text_of("a"), {"", 0}}, {text_of("a"), {"", 0}}}, blank = {{"", 0}, {"", 0}};
    zo_texture_file made = {.levels = levels, .level_count = 2, .pairs = twice, .pair_count = 2};
    assert_int_equal(zi_ktx2_write(&made, collect, &f), ZO_INVALID);
    made.pairs = &blank;
    made.pair_count = 1;
    assert_int_equal(zi_ktx2_write(&made, collect, &f), ZO_INVALID);
    made.pair_count = 0;
    levels[1].width = 1;
    assert_int_equal(zi_ktx2_write(&made, collect, &f), ZO_INVALID);
    assert_int_equal(f.size, 0);
}

// In a block of its own size, so that the sanitizers see what lies beyond it.
static void try_bytes(const file *f, size_t size) {
    uint8_t *bytes = malloc(size + (size == 0));
    assert_non_null(bytes);
    memcpy(bytes, f->bytes, size);
    zo_texture texture;
    const zo_texture_fault fault = zi_ktx2_open(bytes, size, &texture);
    assert_true((fault.status == ZO_OK) == (fault.text == NULL));
    assert_true(fault.offset <= size);
    for (uint32_t i = 0; i < texture.level_count; i++) {
        const zo_texture_level *level = &texture.levels[i];
        if ((uint64_t)level->width * level->height > 1 << 16) { continue; }
        zo_image image = {.width = level->width, .height = level->height, .stride = (size_t)level->width * 4};
        image.pixels = malloc(image.stride * image.height);
        assert_non_null(image.pixels);
        zi_ktx2_decode(&texture, i, &(zo_texture_decoder){0}, &image);
        free(image.pixels);
    }
    for (uint32_t i = 0; i < texture.pair_count; i++) { assert_true(zi_ktx2_pair(&texture, i).key.size > 0); }
    free(bytes);
}

static void damage_does_no_harm(void **state) {
    (void)state;
    static uint8_t pixels[3][4 * 54];
    static file fine, damaged;
    const zo_texture_pair pair = {text_of("note"), text_of("words")};
    make(&fine, &pair, 1, pixels);
    for (size_t size = 0; size <= fine.size; size++) { try_bytes(&fine, size); }
    for (size_t at = 0; at < fine.size && at < 400; at++) {
        for (uint32_t bit = 0; bit < 8; bit++) {
            damaged = fine;
            damaged.bytes[at] ^= (uint8_t)(1u << bit);
            try_bytes(&damaged, damaged.size);
        }
    }
}

static void blocks_are_what_their_mode_says(void **state) {
    (void)state;
    uint8_t block[16] = {0x17, 0}, texels[ZI_BLOCK_BYTES];
    // Mode 8, one colour: the five bits of its prefix, then red, green, blue, alpha.
    const uint64_t solid = 0x17 | (uint64_t)0x44332211 << 5;
    for (uint32_t i = 0; i < 8; i++) { block[i] = (uint8_t)(solid >> 8 * i); }
    assert_true(zi_uastc_block(block, texels));
    static const uint8_t colour[] = {0x11, 0x22, 0x33, 0x44};
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) { assert_memory_equal(texels + 4 * i, colour, 4); }
    block[0] = 0x45; // a prefix that no mode has
    assert_false(zi_uastc_block(block, texels));
    uint64_t random = 1;
    const uint64_t rounds = test_share(200000);
    for (uint64_t n = 0; n < rounds; n++) { // any block: nothing beyond the tables
        for (uint32_t i = 0; i < 16; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            block[i] = (uint8_t)(random >> 56);
        }
        zi_uastc_block(block, texels);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(keys_and_sides_must_fit),
        cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(blocks_are_what_their_mode_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
