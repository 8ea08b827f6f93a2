// Textures with a byte changed or an end cut off: of three files every place of the first 300 bytes, in many ways, and
// thousands further on. Each is opened and decoded in a block of its own size, so that a sanitizer sees what is read
// beyond it, with memory that is counted; the time is the test's own limit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/texture.h>

#include "base/random.h"
#include "cli/inflate.h"

enum { FIRST = 300, FURTHER = 10000, FURTHER_FEW = 1000, FILE_MAX = 1 << 16, MEMORY_MAX = 8 << 20 };

typedef struct memory {
    size_t used, most;
} memory;

static void *take(void *context, size_t size) {
    memory *m = context;
    if (size > MEMORY_MAX - m->used) { return NULL; }
    m->used += size;
    if (m->used > m->most) { m->most = m->used; }
    return malloc(size);
}

static void give(void *context, void *block, size_t size) {
    memory *m = context;
    assert_true(size <= m->used);
    m->used -= size;
    free(block);
}

// Any answer is fine that comes with a reason, and within the memory that was said.
static bool try_bytes(const uint8_t *bytes, size_t size) {
    uint8_t *alone = malloc(size > 0 ? size : 1);
    zo_texture texture;
    zo_texture_fault fault;
    memory m = {0, 0};
    const zo_allocator allocator = {.context = &m, .alloc = take, .free = give};
    const zo_texture_decoder decoder = {.inflate = cli_inflate, .allocator = &allocator};
    assert_non_null(alone);
    memcpy(alone, bytes, size);
    zo_status status = zo_texture_open(alone, size, &texture, &fault);
    for (uint32_t i = 0; status == ZO_OK && i < texture.level_count; i++) {
        const zo_texture_level *level = &texture.levels[i];
        const size_t stride = (size_t)level->width * 4, pixels_size = stride * level->height;
        assert_true(pixels_size <= ZO_TEXTURE_SIZE_MAX);
        if (pixels_size > MEMORY_MAX) { break; } // the caller's memory, and as much as he gives
        zo_image image = {malloc(pixels_size), level->width, level->height, stride};
        assert_non_null(image.pixels);
        m.most = 0;
        status = zo_texture_decode(&texture, i, &decoder, &image, &fault);
        assert_true(m.used == 0 && m.most <= zo_texture_scratch(&texture, i));
        free(image.pixels);
    }
    for (uint32_t i = 0; texture.bytes != NULL && i < texture.pair_count; i++) {
        const zo_texture_pair pair = zo_texture_pair_at(&texture, i);
        assert_true(pair.key.size > 0 && pair.key.data + pair.key.size < (const char *)alone + size);
    }
    if (status != ZO_OK) {
        assert_true(fault.status == status && fault.rule != NULL && fault.text != NULL && fault.offset <= size);
    }
    free(alone);
    return status == ZO_OK;
}

static void damage(const char *name, uint64_t further) {
    static uint8_t bytes[FILE_MAX];
    char path[512];
    snprintf(path, sizeof path, "%s/tests/vectors/charpack/ktx2/%s", ZO_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > FIRST && size < FILE_MAX);
    assert_true(try_bytes(bytes, size));
    for (size_t at = 0; at < FIRST; at++) {
        static const uint8_t changes[] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 127, 85};
        const uint8_t kept = bytes[at];
        for (size_t k = 0; k < sizeof changes; k++) {
            bytes[at] = kept ^ changes[k];
            try_bytes(bytes, size);
        }
        bytes[at] = 0;
        try_bytes(bytes, size);
        bytes[at] = kept;
    }
    for (uint64_t n = 0; n < further; n++) {
        const uint64_t drawn = zb_hash64(size, 1, 0, n);
        const size_t at = FIRST + (size_t)(drawn % (size - FIRST));
        const uint8_t change = (uint8_t)(1 + (drawn >> 32) % 255);
        bytes[at] ^= change;
        try_bytes(bytes, size);
        bytes[at] ^= change;
    }
    for (size_t cut = 0; cut < size; cut++) { assert_false(try_bytes(bytes, cut)); }
}

static void plain_pixels_damaged(void **state) {
    (void)state;
    damage("rgba8_srgb_zstd.ktx2", FURTHER);
}

static void uastc_damaged(void **state) {
    (void)state;
    damage("uastc_zstd18_rgba.ktx2", FURTHER);
}

static void etc1s_damaged(void **state) {
    (void)state;
    damage("etc1s_rgba.ktx2", FURTHER);
}

// The other decoders, whose blocks lie bare in the file.
static void blocks_damaged(void **state) {
    (void)state;
    static const char *const names[] = {"astc_block.ktx2", "bc7_block.ktx2", "etc_rgba_block.ktx2", "etc1s_mips.ktx2",
                                        "uastc_mips.ktx2", "uastc_all_modes.ktx2", "rgba8_srgb_zlib.ktx2"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) { damage(names[i], FURTHER_FEW); }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_pixels_damaged),
        cmocka_unit_test(uastc_damaged),
        cmocka_unit_test(etc1s_damaged),
        cmocka_unit_test(blocks_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
