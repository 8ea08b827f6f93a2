// Each rule that a KTX2 file has to keep: a good file, one field of it changed, and what is said then and where. Also what
// is let pass: older writers' zeros, broken key/value pairs, one layer, levels that are still to be made; and that our own
// files keep them, byte by byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <zlib.h>
#include <zstd.h>

#include <zoetrope/texture.h>

#include "cli/inflate.h"

enum { // where the fields stand
    VK = 12, WIDTH = 20, HEIGHT = 24, DEPTH = 28, LAYERS = 32, FACES = 36, LEVELS = 40, SCHEME = 44, DFD = 48,
    DFD_SIZE = 52, KVD = 56, KVD_SIZE = 60, SGD = 64, SGD_SIZE = 72, INDEX = 80,
};
enum { FILE_MAX = 1 << 14, MODEL_RGBSDA = 1, MODEL_ETC1S = 163, MODEL_UASTC = 166 };

typedef struct file {
    uint8_t bytes[FILE_MAX];
    size_t size;
    uint32_t dfd, pairs; // where they stand
    uint32_t level;      // where the first level stands
} file;

// ---------------------------------------------------------------------------------------------------------- good files

static void put(uint8_t *at, uint64_t value, uint32_t size) {
    for (uint32_t i = 0; i < size; i++) { at[i] = (uint8_t)(value >> 8 * i); }
}

static void append(file *f, const void *bytes, size_t size) {
    assert_true(size <= FILE_MAX - f->size);
    if (size > 0) { memcpy(f->bytes + f->size, bytes, size); }
    f->size += size;
}

static void append_number(file *f, uint64_t value, uint32_t size) {
    uint8_t bytes[8];
    put(bytes, value, size);
    append(f, bytes, size);
}

static void append_pair(file *f, const void *bytes, uint32_t size) {
    static const uint8_t padding[4] = {0};
    append_number(f, size, 4);
    append(f, bytes, size);
    append(f, padding, (4 - size % 4) % 4);
}

typedef struct kind {
    uint32_t vk, model, channel, scheme, block_side, block_size;
} kind;
static const kind rgba8 = {43, MODEL_RGBSDA, 0, 0, 1, 4}, uastc = {0, MODEL_UASTC, 3, 0, 4, 16};

static void append_descriptor(file *f, const kind *k, uint32_t sample_count) {
    append_number(f, 4 + 24 + 16 * sample_count, 4);
    append_number(f, 0, 4);
    append_number(f, 2 | (24 + 16 * sample_count) << 16, 4);
    const uint8_t side = (uint8_t)(k->block_side - 1);
    const uint8_t facts[] = {(uint8_t)k->model, 1, 2, 0, side, side, 0, 0, (uint8_t)k->block_size, 0, 0, 0, 0, 0, 0, 0};
    append(f, facts, sizeof facts);
    for (uint32_t i = 0; i < sample_count; i++) {
        static const uint8_t channels[] = {0, 1, 2, 15};
        append_number(f, 8 * i, 2);
        append_number(f, 7, 1);
        append_number(f, k->model == MODEL_RGBSDA ? channels[i] : k->channel, 1);
        append_number(f, 0, 8);
        append_number(f, k->model == MODEL_RGBSDA ? 255 : 0xFFFFFFFF, 4);
    }
}

static size_t pack(uint32_t scheme, const uint8_t *from, size_t size, uint8_t *to) {
    if (scheme == ZO_SCHEME_NONE) { memcpy(to, from, size); }
    return scheme == ZO_SCHEME_NONE ? size : cli_deflate(NULL, (zo_texture_scheme)scheme, 5, from, size, to, size + 600);
}

static uint32_t level_side(uint32_t side, uint32_t level) { return side >> level > 1 ? side >> level : 1; }

static size_t level_size(const kind *k, uint32_t width, uint32_t height) {
    return (size_t)((width + k->block_side - 1) / k->block_side) * ((height + k->block_side - 1) / k->block_side) *
           k->block_size;
}

// Pixel i of RGBA8 is (i, 2i, 3i, 255 - i); blocks are all of the same colour.
static void paint(const kind *k, uint8_t *bytes, size_t size) {
    static const uint8_t solid[16] = {0x17 | 1 << 5, 0};
    for (size_t i = 0; i < size; i++) {
        const size_t pixel = i / 4, channel = i % 4;
        bytes[i] = k->block_side == 4 ? solid[i % 16]
                                      : (uint8_t)(channel == 3 ? 255 - pixel : pixel * (channel + 1));
    }
}

static void make_sized(file *f, const kind *k, uint32_t width, uint32_t height, uint32_t level_count, const char *pairs,
                       uint32_t pairs_size) {
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    static uint8_t pixels[FILE_MAX], packed[FILE_MAX];
    const uint32_t there = level_count > 0 ? level_count : 1, samples = k->model == MODEL_RGBSDA ? 4 : 1;
    const uint32_t fields[] = {k->vk, 1, width, height, 0, 0, 1, level_count, k->scheme};
    f->size = 0;
    append(f, identifier, sizeof identifier);
    for (uint32_t i = 0; i < 9; i++) { append_number(f, fields[i], 4); }
    f->dfd = INDEX + 24 * there;
    f->pairs = f->dfd + 28 + 16 * samples;
    append_number(f, f->dfd, 4);
    append_number(f, 28 + 16 * samples, 4);
    append_number(f, pairs_size > 0 ? f->pairs : 0, 4);
    append_number(f, pairs_size, 4);
    append_number(f, 0, 8);
    append_number(f, 0, 8);
    for (uint32_t i = 0; i < 3 * there; i++) { append_number(f, 0, 8); }
    append_descriptor(f, k, samples);
    append(f, pairs, pairs_size);
    for (uint32_t i = there; i-- > 0;) {
        const size_t size = level_size(k, level_side(width, i), level_side(height, i));
        while (f->size % 16 != 0) { append_number(f, 0, 1); }
        paint(k, pixels, size);
        const size_t packed_size = pack(k->scheme, pixels, size, packed);
        assert_true(packed_size > 0);
        put(f->bytes + INDEX + 24 * i, f->size, 8);
        put(f->bytes + INDEX + 24 * i + 8, packed_size, 8);
        put(f->bytes + INDEX + 24 * i + 16, size, 8);
        f->level = (uint32_t)f->size;
        append(f, packed, packed_size);
    }
}

// 5 x 3 pixels, three levels, no pairs.
static void make(file *f, const kind *k) { make_sized(f, k, 5, 3, 3, NULL, 0); }

static void load(file *f, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/vectors/charpack/ktx2/%s", ZO_SOURCE_DIR, name);
    FILE *opened = fopen(path, "rb");
    assert_non_null(opened);
    f->size = fread(f->bytes, 1, FILE_MAX, opened);
    fclose(opened);
    assert_true(f->size > INDEX && f->size < FILE_MAX);
}

// In a block of its own size, so that a sanitizer sees what is read beyond it.
static zo_texture_fault try_to_open(const file *f, zo_texture *texture) {
    uint8_t *alone = malloc(f->size + (f->size == 0));
    zo_texture_fault fault;
    assert_non_null(alone);
    memcpy(alone, f->bytes, f->size);
    const zo_status status = zo_texture_open(alone, f->size, texture, &fault);
    assert_int_equal(status, fault.status);
    texture->bytes = NULL;
    free(alone);
    return fault;
}

static void opens(const file *f) {
    zo_texture texture;
    const zo_texture_fault fault = try_to_open(f, &texture);
    if (fault.status != ZO_OK) { print_error("%s: %s (byte %d)\n", fault.rule, fault.text, (int)fault.offset); }
    assert_int_equal(fault.status, ZO_OK);
}

static void refused(const file *f, zo_status status, const char *rule, uint64_t offset) {
    zo_texture texture;
    const zo_texture_fault fault = try_to_open(f, &texture);
    assert_int_equal(fault.status, status);
    assert_string_equal(fault.rule, rule);
    assert_int_equal(fault.offset, offset);
    assert_true(texture.width == 0 && texture.level_count == 0);
}

typedef struct change {
    uint32_t at, size; // bytes of the file
    uint64_t value;
    zo_status status;  // OK: it still opens
    const char *rule;
    uint32_t offset;
} change;

static void try_changes(const file *good, const change *changes, size_t count) {
    static file f;
    opens(good);
    for (size_t i = 0; i < count; i++) {
        f = *good;
        put(f.bytes + changes[i].at, changes[i].value, changes[i].size);
        if (changes[i].status == ZO_OK) {
            opens(&f);
        } else {
            refused(&f, changes[i].status, changes[i].rule, changes[i].offset);
        }
    }
}
#define TRY(good, changes) try_changes(good, changes, sizeof(changes) / sizeof(changes)[0])

// -------------------------------------------------------------------------------------------------------------- header

static void each_byte_of_the_identifier_counts(void **state) {
    (void)state;
    static file good, f;
    make(&good, &rgba8);
    for (uint32_t i = 0; i < 12; i++) {
        f = good;
        f.bytes[i] ^= 0x20;
        refused(&f, ZO_INVALID, "identifier", i);
    }
    for (size_t size = 0; size < INDEX; size++) {
        f = good;
        f.size = size;
        refused(&f, ZO_INVALID, "header", size);
    }
    for (size_t size = INDEX; size < INDEX + 3 * 24; size++) {
        f = good;
        f.size = size;
        refused(&f, ZO_INVALID, "level-index", size);
    }
    memcpy(f.bytes, "\xABKTX 11\xBB\r\n\x1A\n", 12); // the first edition of the format
    f.size = good.size;
    refused(&f, ZO_INVALID, "identifier", 5);
}

static void it_is_one_flat_picture(void **state) {
    (void)state;
    static file good;
    make(&good, &rgba8);
    static const change changes[] = {
        {WIDTH, 4, 0, ZO_INVALID, "width", WIDTH},
        {WIDTH, 4, 16385, ZO_LIMIT, "side-limit", WIDTH},
        {WIDTH, 4, 0xFFFFFFFF, ZO_LIMIT, "side-limit", WIDTH},
        {HEIGHT, 4, 0, ZO_UNSUPPORTED, "height", HEIGHT},
        {HEIGHT, 4, 16385, ZO_LIMIT, "side-limit", HEIGHT},
        {DEPTH, 4, 1, ZO_UNSUPPORTED, "depth", DEPTH},
        {LAYERS, 4, 1, ZO_OK, NULL, 0},
        {LAYERS, 4, 2, ZO_UNSUPPORTED, "layers", LAYERS},
        {FACES, 4, 0, ZO_INVALID, "faces", FACES},
        {FACES, 4, 2, ZO_INVALID, "faces", FACES},
        {FACES, 4, 6, ZO_UNSUPPORTED, "faces", FACES},
    };
    TRY(&good, changes);
}

// 16384 x 4096 pixels are 256 MiB, so what is wrong there is that the bytes are not; one row more is too large.
static void sides_and_memory_are_limited(void **state) {
    (void)state;
    static file good, f;
    make_sized(&good, &uastc, 4, 4, 1, NULL, 0);
    opens(&good);
    f = good;
    put(f.bytes + WIDTH, 16384, 4);
    put(f.bytes + HEIGHT, 4096, 4);
    refused(&f, ZO_INVALID, "level-size", INDEX + 16);
    put(f.bytes + HEIGHT, 4097, 4);
    refused(&f, ZO_LIMIT, "size-limit", WIDTH);
}

static void levels_are_no_more_than_sides_halve(void **state) {
    (void)state;
    static file good, blocks;
    make(&good, &rgba8);
    static const change changes[] = {
        {LEVELS, 4, 1, ZO_OK, NULL, 0}, // the others are then bytes that nothing speaks of
        {LEVELS, 4, 0, ZO_OK, NULL, 0},
        {LEVELS, 4, 4, ZO_INVALID, "level-count", LEVELS},
        {LEVELS, 4, 0xFFFFFFFF, ZO_INVALID, "level-count", LEVELS},
    };
    TRY(&good, changes);
    zo_texture texture;
    put(good.bytes + LEVELS, 0, 4);
    assert_int_equal(try_to_open(&good, &texture).status, ZO_OK);
    assert_true(texture.makes_levels && texture.level_count == 1);
    make(&blocks, &uastc);
    static const change of_blocks[] = {{LEVELS, 4, 0, ZO_INVALID, "level-count", LEVELS}};
    TRY(&blocks, of_blocks);
}

// ------------------------------------------------------------------------------------------------------------- formats

static void every_format_that_is_read(void **state) {
    (void)state;
    static const struct { uint16_t unorm, srgb; uint8_t side, size; const char *name; } all[] = {
        {9, 15, 1, 1, "R8"}, {16, 22, 1, 2, "RG8"}, {23, 29, 1, 3, "RGB8"}, {30, 36, 1, 3, "BGR8"}, {37, 43, 1, 4, "RGBA8"},
        {44, 50, 1, 4, "BGRA8"}, {131, 132, 4, 8, "BC1 RGB"}, {133, 134, 4, 8, "BC1 RGBA"}, {135, 136, 4, 16, "BC2"},
        {137, 138, 4, 16, "BC3"}, {139, 0, 4, 8, "BC4"}, {141, 0, 4, 16, "BC5"}, {145, 146, 4, 16, "BC7"},
        {147, 148, 4, 8, "ETC2 RGB8"}, {149, 150, 4, 8, "ETC2 RGB8A1"}, {151, 152, 4, 16, "ETC2 RGBA8"},
        {153, 0, 4, 8, "EAC R11"}, {155, 0, 4, 16, "EAC RG11"}, {157, 158, 4, 16, "ASTC 4x4"},
    };
    static file f;
    bool known[1024] = {true}; // 0: the descriptor says
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (uint32_t srgb = 0; srgb < 2; srgb++) {
            const uint32_t vk = srgb ? all[i].srgb : all[i].unorm;
            const kind k = {vk, MODEL_RGBSDA, 0, ZO_SCHEME_NONE, all[i].side, all[i].size};
            zo_texture texture;
            if (vk == 0) { continue; }
            known[vk] = true;
            make(&f, &k); // 5 x 3: blocks are cut on both sides
            assert_int_equal(try_to_open(&f, &texture).status, ZO_OK);
            assert_string_equal(texture.encoding, all[i].name);
            assert_int_equal(texture.levels[0].size, (all[i].side == 4 ? 2 * 1 : 5 * 3) * all[i].size);
            f.bytes[INDEX + 8]--; // and with a byte less
            refused(&f, ZO_INVALID, "level-size", INDEX + 8);
        }
    }
    for (uint32_t vk = 0; vk < 1024; vk++) { // the others are refused, some because they may not be
        zo_texture texture;
        make(&f, &rgba8);
        put(f.bytes + VK, vk, 4);
        const zo_texture_fault fault = try_to_open(&f, &texture);
        if (known[vk]) {
            assert_true(vk == 0 || strcmp(fault.rule != NULL ? fault.rule : "level-size", "level-size") == 0);
        } else {
            const bool prohibited = strcmp(fault.rule, "format-prohibited") == 0;
            assert_true(prohibited || strcmp(fault.rule, "format") == 0);
            assert_int_equal(fault.status, prohibited ? ZO_INVALID : ZO_UNSUPPORTED);
            assert_int_equal(fault.offset, VK);
        }
    }
}

static void some_formats_may_not_stand_in_a_file(void **state) {
    (void)state;
    static file good;
    make(&good, &rgba8);
    static const change changes[] = {
        {VK, 4, 11, ZO_INVALID, "format-prohibited", VK},  // R8 USCALED and SSCALED
        {VK, 4, 12, ZO_INVALID, "format-prohibited", VK},
        {VK, 4, 39, ZO_INVALID, "format-prohibited", VK},  // RGBA8
        {VK, 4, 47, ZO_INVALID, "format-prohibited", VK},  // BGRA8
        {VK, 4, 94, ZO_INVALID, "format-prohibited", VK},  // RGBA16
        {VK, 4, 1000156002, ZO_INVALID, "format-prohibited", VK}, // three planes
        {VK, 4, 1000156033, ZO_INVALID, "format-prohibited", VK},
        {VK, 4, 10, ZO_UNSUPPORTED, "format", VK},         // R8 SNORM
        {VK, 4, 1000156000, ZO_UNSUPPORTED, "format", VK}, // one plane: allowed, not read
        {VK, 4, 0xFFFFFFFF, ZO_UNSUPPORTED, "format", VK},
    };
    TRY(&good, changes);
}

static void without_a_number_the_model_says(void **state) {
    (void)state;
    static file good;
    make(&good, &uastc);
    const uint32_t model = good.dfd + 4 + 8, channel = good.dfd + 4 + 24 + 3;
    const change changes[] = {
        {model, 1, MODEL_RGBSDA, ZO_INVALID, "model", model},
        {model, 1, 162, ZO_INVALID, "model", model}, // ASTC has numbers
        {model, 1, MODEL_ETC1S, ZO_UNSUPPORTED, "scheme-model", SCHEME},
        {good.dfd + 4 + 6, 2, 24, ZO_INVALID, "samples", good.dfd + 4},
        {channel, 1, 0, ZO_OK, NULL, 0},
    };
    TRY(&good, changes);
    static const struct { uint32_t channel; bool alpha; } channels[] = {{0, false}, {3, true}, {4, false}, {5, true}, {6, false}};
    for (size_t i = 0; i < 5; i++) {
        zo_texture texture;
        good.bytes[channel] = (uint8_t)channels[i].channel;
        assert_int_equal(try_to_open(&good, &texture).status, ZO_OK);
        assert_int_equal(texture.has_alpha, channels[i].alpha);
    }
}

// ---------------------------------------------------------------------------------------------------------- descriptor

static void the_descriptor_is_there_and_fits(void **state) {
    (void)state;
    static file good;
    make(&good, &rgba8);
    const change changes[] = {
        {DFD, 4, (uint32_t)good.size, ZO_INVALID, "descriptor-range", DFD},
        {DFD, 4, 0xFFFFFFF0, ZO_INVALID, "descriptor-range", DFD}, // the sum would wrap in 32 bits
        {DFD, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "descriptor-range", DFD},
        {DFD, 4, INDEX, ZO_INVALID, "descriptor-range", DFD},
        {DFD, 4, 0, ZO_INVALID, "descriptor-range", DFD},
        {DFD_SIZE, 4, 0, ZO_INVALID, "descriptor-size", DFD_SIZE},
        {DFD_SIZE, 4, 27, ZO_INVALID, "descriptor-size", DFD_SIZE},
        {DFD_SIZE, 4, 60, ZO_INVALID, "descriptor-size", good.dfd},
        {DFD_SIZE, 4, 0xFFFFFFFF, ZO_INVALID, "descriptor-range", DFD},
        {good.dfd, 4, 0, ZO_INVALID, "descriptor-size", good.dfd},
        {good.dfd, 4, 96, ZO_INVALID, "descriptor-size", good.dfd},
        {good.dfd + 4, 4, 1, ZO_UNSUPPORTED, "descriptor-kind", good.dfd + 4},       // another vendor
        {good.dfd + 4, 4, 0x20000, ZO_UNSUPPORTED, "descriptor-kind", good.dfd + 4}, // another type
        {good.dfd + 10, 2, 23, ZO_INVALID, "descriptor-block", good.dfd + 10},
        {good.dfd + 10, 2, 30, ZO_INVALID, "descriptor-block", good.dfd + 10},
        {good.dfd + 10, 2, 104, ZO_INVALID, "descriptor-block", good.dfd + 10},
        {good.dfd + 10, 2, 24, ZO_OK, NULL, 0}, // of a format with a number it counts for nothing
        {good.dfd + 12 + 8, 1, 0, ZO_OK, NULL, 0}, // older writers leave bytesPlane at zero
    };
    TRY(&good, changes);
}

static void what_the_descriptor_says_of_colours(void **state) {
    (void)state;
    static file f;
    zo_texture texture;
    make(&f, &rgba8);
    const uint32_t transfer = f.dfd + 4 + 10, flags = transfer + 1;
    assert_int_equal(try_to_open(&f, &texture).status, ZO_OK);
    assert_true(texture.srgb && !texture.premultiplied);
    f.bytes[transfer] = 1;
    f.bytes[flags] = 1;
    assert_int_equal(try_to_open(&f, &texture).status, ZO_OK);
    assert_true(!texture.srgb && texture.premultiplied);
}

// --------------------------------------------------------------------------------------------------------------- pairs

static void pairs_lie_in_the_file(void **state) {
    (void)state;
    static file good, pairs;
    pairs.size = 0;
    append_pair(&pairs, "KTXwriter\0me", 13);
    make_sized(&good, &rgba8, 5, 3, 1, (const char *)pairs.bytes, (uint32_t)pairs.size);
    const change changes[] = {
        {KVD, 4, (uint32_t)good.size, ZO_INVALID, "pairs-range", KVD},
        {KVD, 4, 0xFFFFFFFC, ZO_INVALID, "pairs-range", KVD},
        {KVD, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "pairs-range", KVD},
        {KVD, 4, INDEX, ZO_INVALID, "pairs-range", KVD},
        {KVD_SIZE, 4, (uint32_t)good.size, ZO_INVALID, "pairs-range", KVD},
        {KVD_SIZE, 4, 0xFFFFFFFF, ZO_INVALID, "pairs-range", KVD},
        {KVD_SIZE, 4, 0, ZO_OK, NULL, 0},
        {KVD, 8, 5, ZO_OK, NULL, 0}, // none, wherever they are not
    };
    TRY(&good, changes);
}

// A broken pair, and all behind it, is passed over: the picture is there all the same.
static void broken_pairs_are_passed_over(void **state) {
    (void)state;
    static const struct { const char *bytes; uint32_t size; } broken[] = {
        {"", 0}, {"x", 1}, {"nozero", 6}, {"\0value", 6}, {"\0", 1},
    };
    static file f, pairs;
    zo_texture texture;
    for (size_t i = 0; i < 5 + 3; i++) {
        pairs.size = 0;
        append_pair(&pairs, "first\0\1\2\3", 9);
        const size_t at = pairs.size;
        append_pair(&pairs, i < 5 ? broken[i].bytes : "other\0", i < 5 ? broken[i].size : 6);
        if (i == 5) { put(pairs.bytes + at, 1000, 4); } // longer than what is left
        if (i == 6) { put(pairs.bytes + at, 0xFFFFFFFF, 4); }
        append_pair(&pairs, "KTXorientation\0ru", 18);
        if (i == 7) { pairs.size = at + 3; } // not even a length
        make_sized(&f, &rgba8, 5, 3, 1, (const char *)pairs.bytes, (uint32_t)pairs.size);
        assert_int_equal(try_to_open(&f, &texture).status, ZO_OK);
        assert_int_equal(texture.pair_count, 1);
        assert_false(texture.bottom_up);
    }
    pairs.size = 0;
    append_pair(&pairs, "first\0\1\2\3", 9);
    append_pair(&pairs, "KTXorientation\0ru", 18);
    pairs.size -= 2; // the padding of the last one is not there
    make_sized(&f, &rgba8, 5, 3, 1, (const char *)pairs.bytes, (uint32_t)pairs.size);
    assert_int_equal(zo_texture_open(f.bytes, f.size, &texture, NULL), ZO_OK);
    assert_true(texture.pair_count == 2 && texture.bottom_up);
    assert_memory_equal(zo_texture_pair_at(&texture, 0).value.data, "\1\2\3", 3);
}

static void decode_with(const char *pair, uint32_t size, const kind *k, uint8_t *pixels) {
    static file f, pairs;
    zo_texture texture;
    pairs.size = 0;
    append_pair(&pairs, pair, size);
    make_sized(&f, k, 5, 3, 1, (const char *)pairs.bytes, (uint32_t)pairs.size);
    assert_int_equal(zo_texture_open(f.bytes, f.size, &texture, NULL), ZO_OK);
    zo_image image = {pixels, 5, 3, 20};
    const zo_texture_decoder decoder = {.inflate = cli_inflate};
    assert_int_equal(zo_texture_decode(&texture, 0, &decoder, &image, NULL), ZO_OK);
}

// Pixel i of the file is (i, ...): its place in the picture by the two letters.
static void orientation_turns(void **state) {
    (void)state;
    static const struct { const char *pair; uint32_t size; bool mirrored, bottom_up; } cases[] = {
        {"KTXorientation\0rd", 18, false, false}, {"KTXorientation\0ru", 18, false, true},
        {"KTXorientation\0ld", 18, true, false},  {"KTXorientation\0lu", 18, true, true},
        {"KTXorientation\0ru", 17, false, true}, // the zero byte at its end is not there
        {"KTXorientation\0l", 17, true, false},   {"KTXorientation\0xy", 18, false, false},
        {"KTXorientation\0", 15, false, false},   {"ktxorientation\0ru", 18, false, false},
        {"KTXorientation\0rui", 19, false, true}, // of volumes
    };
    for (uint32_t scheme = 0; scheme < 4; scheme += 2) { // what is unpacked right into the picture is turned as well
        const kind k = {43, MODEL_RGBSDA, 0, scheme, 1, 4};
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            uint8_t pixels[60];
            decode_with(cases[i].pair, cases[i].size, &k, pixels);
            for (uint32_t y = 0; y < 3; y++) {
                for (uint32_t x = 0; x < 5; x++) {
                    const uint32_t from = (cases[i].bottom_up ? 2 - y : y) * 5 + (cases[i].mirrored ? 4 - x : x);
                    assert_int_equal(pixels[(y * 5 + x) * 4], from);
                    assert_int_equal(pixels[(y * 5 + x) * 4 + 3], 255 - from);
                }
            }
        }
    }
}

static void swizzles_choose_channels(void **state) {
    (void)state;
    static const char letters[] = "rgba01";
    for (uint32_t n = 0; n < 6 * 6 * 6 * 6; n++) {
        const uint32_t chosen[4] = {n % 6, n / 6 % 6, n / 36 % 6, n / 216};
        char pair[] = "KTXswizzle\0....";
        uint8_t pixels[60];
        for (uint32_t c = 0; c < 4; c++) { pair[11 + c] = letters[chosen[c]]; }
        decode_with(pair, 16, &rgba8, pixels);
        for (uint32_t i = 0; i < 15; i++) {
            const uint8_t values[6] = {(uint8_t)i, (uint8_t)(2 * i), (uint8_t)(3 * i), (uint8_t)(255 - i), 0, 255};
            for (uint32_t c = 0; c < 4; c++) { assert_int_equal(pixels[i * 4 + c], values[chosen[c]]); }
        }
    }
    static const struct { const char *pair; uint32_t size; } ignored[] = {
        {"KTXswizzle\0rgbx", 16}, {"KTXswizzle\0rgb", 15}, {"KTXswizzle\0bgraa", 17}, {"KTXswizzle\0BGRA", 16},
        {"KTXswizzle\0bg\0a", 16}, {"KTXswizzle\0", 11},
    };
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        uint8_t pixels[60];
        decode_with(ignored[i].pair, ignored[i].size, &rgba8, pixels);
        assert_memory_equal(pixels + 8, ((uint8_t[]){2, 4, 6, 253}), 4);
    }
    uint8_t pixels[60]; // before what is asked of alpha
    decode_with("KTXswizzle\0rgb0", 16, &rgba8, pixels);
    assert_memory_equal(pixels + 8, ((uint8_t[]){2, 4, 6, 0}), 4);
}

// -------------------------------------------------------------------------------------------------------------- levels

static void levels_lie_in_the_file_and_fit_their_sides(void **state) {
    (void)state;
    static file good;
    make(&good, &rgba8); // 60, 8 and 4 bytes; the first level lies last
    const uint64_t first = good.level;
    assert_int_equal(first + 60, good.size);
    const change changes[] = {
        {INDEX, 8, good.size, ZO_INVALID, "level-range", INDEX},
        {INDEX, 8, first + 1, ZO_INVALID, "level-range", INDEX},
        {INDEX, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "level-range", INDEX},
        {INDEX, 8, 0xFFFFFFFFFFFFFFFF - 59, ZO_INVALID, "level-range", INDEX}, // the sum is 0 in 64 bits
        {INDEX, 8, 0x100000000 + first, ZO_INVALID, "level-range", INDEX},      // right in the lower 32
        {INDEX, 8, INDEX, ZO_INVALID, "level-range", INDEX},
        {INDEX, 8, INDEX + 3 * 24 - 1, ZO_INVALID, "level-range", INDEX},
        {INDEX + 8, 8, 0, ZO_INVALID, "level-empty", INDEX + 8},
        {INDEX + 8, 8, 59, ZO_INVALID, "level-size", INDEX + 8},
        {INDEX + 8, 8, 0x100000000 + 60, ZO_INVALID, "level-range", INDEX},
        {INDEX + 8, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "level-range", INDEX},
        {INDEX + 16, 8, 59, ZO_INVALID, "level-size", INDEX + 16},
        {INDEX + 16, 8, 0, ZO_INVALID, "level-size", INDEX + 16},
        {INDEX + 16, 8, 0x100000000 + 60, ZO_INVALID, "level-size", INDEX + 16},
        {INDEX + 24, 8, first, ZO_INVALID, "level-overlap", INDEX + 24},
        {INDEX + 24, 8, first + 52, ZO_INVALID, "level-overlap", INDEX + 24},
        {INDEX + 24, 8, first - 7, ZO_INVALID, "level-overlap", INDEX + 24}, // by one byte
        {INDEX + 24, 8, first - 8, ZO_OK, NULL, 0},
        {INDEX + 48, 8, first + 56, ZO_INVALID, "level-overlap", INDEX + 48},
        {INDEX + 48, 8, good.size - 3, ZO_INVALID, "level-range", INDEX + 48},
        {INDEX + 56, 8, 8, ZO_INVALID, "level-size", INDEX + 56}, // as if its sides were not halved twice
    };
    TRY(&good, changes);
}

// A level whose declared size is more than its sides want is refused before anything is unpacked.
static void packed_levels_say_their_size(void **state) {
    (void)state;
    for (uint32_t scheme = 2; scheme <= 3; scheme++) {
        static file good;
        const kind k = {43, MODEL_RGBSDA, 0, scheme, 1, 4};
        make(&good, &k);
        static const change changes[] = {
            {INDEX + 16, 8, 59, ZO_INVALID, "level-size", INDEX + 16},
            {INDEX + 16, 8, 61, ZO_INVALID, "level-size", INDEX + 16},
            {INDEX + 16, 8, 0, ZO_INVALID, "level-size", INDEX + 16},
            {INDEX + 16, 8, 1 << 30, ZO_INVALID, "level-size", INDEX + 16},
            {INDEX + 8, 8, 0, ZO_INVALID, "level-empty", INDEX + 8},
        };
        TRY(&good, changes);
    }
}

// ------------------------------------------------------------------------------------------------------------- schemes

static void schemes_are_those_of_the_format(void **state) {
    (void)state;
    static file good, blocks;
    make(&good, &rgba8);
    static const change changes[] = {
        {SCHEME, 4, 1, ZO_INVALID, "scheme-format", SCHEME},
        {SCHEME, 4, 2, ZO_OK, NULL, 0}, // until it is unpacked
        {SCHEME, 4, 3, ZO_OK, NULL, 0},
        {SCHEME, 4, 4, ZO_UNSUPPORTED, "scheme", SCHEME},
        {SCHEME, 4, 0x10000, ZO_UNSUPPORTED, "scheme", SCHEME}, // a vendor's
        {SCHEME, 4, 0xFFFFFFFF, ZO_UNSUPPORTED, "scheme", SCHEME},
        {SGD, 8, 200, ZO_OK, NULL, 0},
        {SGD_SIZE, 8, 1, ZO_INVALID, "global-data", SGD_SIZE},
        {SGD_SIZE, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "global-data", SGD_SIZE},
    };
    TRY(&good, changes);
    make(&blocks, &uastc);
    static const change of_blocks[] = {{SCHEME, 4, 1, ZO_INVALID, "scheme-format", SCHEME}};
    TRY(&blocks, of_blocks);
}

typedef struct memory {
    size_t most;
} memory;

static void *take_counted(void *context, size_t size) {
    memory *m = context;
    m->most = size > m->most ? size : m->most;
    return malloc(size);
}

static void give(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

// The first level with these bytes as what is packed. RGBA8 at a stride that does not let it be unpacked in place.
static zo_texture_fault unpack(uint32_t scheme, const void *bytes, size_t size) {
    static file f;
    const kind k = {43, MODEL_RGBSDA, 0, scheme, 1, 4};
    memory m = {0};
    const zo_allocator allocator = {.context = &m, .alloc = take_counted, .free = give};
    const zo_texture_decoder decoder = {.inflate = cli_inflate, .allocator = &allocator};
    uint8_t pixels[3 * 32];
    zo_image image = {pixels, 5, 3, 32};
    zo_texture texture;
    zo_texture_fault fault;
    make(&f, &k);
    f.size = f.level;
    append(&f, bytes, size);
    put(f.bytes + INDEX + 8, size, 8);
    assert_int_equal(zo_texture_open(f.bytes, f.size, &texture, NULL), ZO_OK);
    zo_texture_decode(&texture, 0, &decoder, &image, &fault);
    assert_true(m.most <= 60 && zo_texture_scratch(&texture, 0) == 60); // whatever the stream says
    if (fault.status != ZO_OK) {
        assert_string_equal(fault.rule, "packed");
        assert_int_equal(fault.offset, f.level);
        return fault;
    }
    for (uint32_t i = 0; i < 15; i++) { assert_int_equal(pixels[i / 5 * 32 + i % 5 * 4 + 1], 2 * i); }
    return fault;
}

static size_t zstd(const uint8_t *from, size_t size, bool checksum, uint8_t *to) {
    ZSTD_CCtx *packing = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(packing, ZSTD_c_checksumFlag, checksum);
    const size_t packed = ZSTD_compress2(packing, to, 4096, from, size);
    ZSTD_freeCCtx(packing);
    assert_false(ZSTD_isError(packed));
    return packed;
}

static void zstandard_frames_give_the_level_and_no_more(void **state) {
    (void)state;
    static const uint8_t skippable[] = {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    static uint8_t pixels[1 << 13], packed[1 << 13];
    paint(&rgba8, pixels, sizeof pixels);
    size_t size = zstd(pixels, 60, true, packed);
    assert_int_equal(unpack(2, packed, size).status, ZO_OK);
    for (size_t cut = 1; cut < size; cut++) { assert_int_equal(unpack(2, packed, cut).status, ZO_INVALID); }
    packed[size] = 0;
    assert_int_equal(unpack(2, packed, size + 1).status, ZO_INVALID); // something behind it
    packed[size - 1] ^= 1;
    assert_int_equal(unpack(2, packed, size).status, ZO_INVALID); // the checksum
    size = zstd(pixels, 60, false, packed);
    assert_int_equal(unpack(2, packed, size).status, ZO_OK);
    memcpy(packed, skippable, sizeof skippable);
    size = sizeof skippable + zstd(pixels, 20, true, packed + sizeof skippable);
    size += zstd(pixels + 20, 40, false, packed + size);
    memcpy(packed + size, skippable, sizeof skippable);
    assert_int_equal(unpack(2, packed, size + sizeof skippable).status, ZO_OK); // frames, one after the other
    assert_int_equal(unpack(2, packed, size - 1).status, ZO_INVALID);
    static const size_t others[] = {1, 59, 61, 120, sizeof pixels};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(unpack(2, packed, zstd(pixels, others[i], true, packed)).status, ZO_INVALID);
    }
}

static void zlib_streams_give_the_level_and_no_more(void **state) {
    (void)state;
    static uint8_t pixels[1 << 13], packed[1 << 13];
    paint(&rgba8, pixels, sizeof pixels);
    uLongf size = 4096;
    assert_int_equal(compress2(packed, &size, pixels, 60, 9), Z_OK);
    assert_int_equal(unpack(3, packed, size).status, ZO_OK);
    for (size_t cut = 1; cut < size; cut++) { assert_int_equal(unpack(3, packed, cut).status, ZO_INVALID); }
    packed[size] = 0;
    assert_int_equal(unpack(3, packed, size + 1).status, ZO_INVALID);
    packed[size - 1] ^= 1;
    assert_int_equal(unpack(3, packed, size).status, ZO_INVALID); // Adler-32
    packed[size - 1] ^= 1;
    assert_int_equal(unpack(3, packed + 2, size - 6).status, ZO_INVALID); // deflate without its frame
    static const uLong others[] = {1, 59, 61, 120, sizeof pixels};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size = 4096;
        assert_int_equal(compress2(packed, &size, pixels, others[i], 9), Z_OK);
        assert_int_equal(unpack(3, packed, size).status, ZO_INVALID);
    }
}

static void nothing_is_unpacked_without_a_function_for_it(void **state) {
    (void)state;
    static file f;
    uint8_t pixels[60];
    zo_image image = {pixels, 5, 3, 20};
    zo_texture texture;
    zo_texture_fault fault;
    for (uint32_t scheme = 0; scheme <= 3; scheme++) {
        const kind k = {43, MODEL_RGBSDA, 0, scheme, 1, 4};
        if (scheme == 1) { continue; }
        make(&f, &k);
        assert_int_equal(zo_texture_open(f.bytes, f.size, &texture, NULL), ZO_OK);
        zo_texture_decode(&texture, 0, NULL, &image, &fault);
        assert_int_equal(fault.status, scheme == 0 ? ZO_OK : ZO_UNSUPPORTED);
        if (scheme != 0) { assert_string_equal(fault.rule, "inflate"); }
    }
}

static void a_block_that_is_none_is_named(void **state) {
    (void)state;
    static file f;
    uint8_t pixels[60];
    zo_image image = {pixels, 5, 3, 20};
    zo_texture texture;
    zo_texture_fault fault;
    make(&f, &uastc);
    f.bytes[f.level + 16] = 0x45; // the second: a prefix that is kept for later
    assert_int_equal(zo_texture_open(f.bytes, f.size, &texture, NULL), ZO_OK);
    assert_int_equal(zo_texture_decode(&texture, 0, NULL, &image, &fault), ZO_INVALID);
    assert_string_equal(fault.rule, "block");
    assert_int_equal(fault.offset, f.level + 16);
}

// ------------------------------------------------------------------------------------------------------------- BasisLZ

static uint32_t get_32(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24; }

static void global_data_of_basislz(void **state) {
    (void)state;
    static file good;
    load(&good, "etc1s_rgba.ktx2");
    const uint32_t sgd = get_32(good.bytes + SGD), size = get_32(good.bytes + SGD_SIZE), dfd = get_32(good.bytes + DFD);
    const uint32_t level = get_32(good.bytes + INDEX + 8), record = sgd + 20;
    const uint32_t endpoints_size = get_32(good.bytes + sgd + 4);
    const change changes[] = {
        {SCHEME, 4, 0, ZO_UNSUPPORTED, "scheme-model", SCHEME},
        {SCHEME, 4, 2, ZO_UNSUPPORTED, "scheme-model", SCHEME},
        {VK, 4, 43, ZO_INVALID, "scheme-format", SCHEME},
        {dfd + 4 + 8, 1, MODEL_UASTC, ZO_INVALID, "scheme-format", SCHEME},
        {INDEX + 16, 8, 1, ZO_INVALID, "level-size", INDEX + 16}, // it has no unpacked size
        {SGD, 8, good.size, ZO_INVALID, "global-range", SGD},
        {SGD, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "global-range", SGD},
        {SGD, 8, INDEX, ZO_INVALID, "global-range", SGD},
        {SGD_SIZE, 8, 0, ZO_INVALID, "global-data", SGD_SIZE},
        {SGD_SIZE, 8, 39, ZO_INVALID, "global-data", SGD_SIZE},
        {SGD_SIZE, 8, size - 1, ZO_INVALID, "global-data", sgd + 4},
        {SGD_SIZE, 8, 0xFFFFFFFFFFFFFFFF, ZO_INVALID, "global-range", SGD},
        {sgd, 2, 0, ZO_INVALID, "global-data", sgd},
        {sgd + 2, 2, 0, ZO_INVALID, "global-data", sgd},
        {sgd + 4, 4, endpoints_size + 1, ZO_INVALID, "global-data", sgd + 4},
        {sgd + 8, 4, 0xFFFFFFFF, ZO_INVALID, "global-data", sgd + 4},
        {sgd + 16, 4, 1, ZO_INVALID, "global-data", sgd + 4},
        {record, 4, 2, ZO_UNSUPPORTED, "slices", record}, // a frame that builds on another
        {record + 4, 4, level, ZO_INVALID, "slices", record + 4},
        {record + 4, 4, 0xFFFFFFFF, ZO_INVALID, "slices", record + 4},
        {record + 8, 4, 0, ZO_INVALID, "slices", record + 4},
        {record + 8, 4, level + 1, ZO_INVALID, "slices", record + 4},
        {record + 12, 4, level, ZO_INVALID, "slices", record + 12},
        {record + 16, 4, 0, ZO_INVALID, "slices", record + 16}, // the descriptor says that there is alpha
        {record + 16, 4, 0xFFFFFFFF, ZO_INVALID, "slices", record + 12},
    };
    TRY(&good, changes);
}

static void etc1s_has_one_channel_or_two(void **state) {
    (void)state;
    static file good, f;
    zo_texture texture;
    load(&good, "etc1s_rgba.ktx2");
    const uint32_t dfd = get_32(good.bytes + DFD), block_size = dfd + 4 + 6;
    f = good;
    put(f.bytes + block_size, 24, 2);
    refused(&f, ZO_INVALID, "samples", dfd + 4);
    put(f.bytes + block_size, 24 + 16, 2); // the first alone
    assert_int_equal(try_to_open(&f, &texture).status, ZO_OK);
    assert_false(texture.has_alpha);
    f = good; // a third one, where the pairs were
    put(f.bytes + DFD_SIZE, 4 + 24 + 48, 4);
    put(f.bytes + dfd, 4 + 24 + 48, 4);
    put(f.bytes + block_size, 24 + 48, 2);
    put(f.bytes + KVD_SIZE, 0, 4);
    refused(&f, ZO_INVALID, "samples", dfd + 4);
}

// -------------------------------------------------------------------------------------------------------------- writer

static bool collect(void *context, const void *bytes, size_t size) {
    append(context, bytes, size);
    return true;
}

static uint64_t get(const uint8_t *at, uint32_t size) {
    uint64_t value = 0;
    for (uint32_t i = size; i-- > 0;) { value = value << 8 | at[i]; }
    return value;
}

// Every byte that stands before the levels, and where these lie: at multiples of four where nothing is packed, else
// right behind one another, the smallest first.
static void what_is_written_keeps_the_rules(void **state) {
    (void)state;
    static const uint8_t pair[] = "\x0E\0\0\0KTXwriter\0abc\0\0"; // 14 bytes, and two that fill up
    static uint8_t pixels[3][60];
    zo_image levels[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t width = level_side(5, i), height = level_side(3, i);
        paint(&rgba8, pixels[i], (size_t)width * height * 4);
        levels[i] = (zo_image){pixels[i], width, height, (size_t)width * 4};
    }
    for (uint32_t n = 0; n < 3 * 4; n++) {
        static const zo_texture_scheme schemes[] = {ZO_SCHEME_NONE, ZO_SCHEME_ZSTD, ZO_SCHEME_ZLIB};
        static file f;
        const bool linear = n / 3 % 2 != 0, premultiplied = n / 6 != 0, packed = n % 3 != 0;
        const zo_texture_pair written = {{"KTXwriter", 9}, {"abc", 4}};
        const zo_texture_file made = {.levels = levels, .level_count = 3, .scheme = schemes[n % 3], .effort = 9,
                                      .deflate = cli_deflate, .linear = linear, .premultiplied = premultiplied,
                                      .pairs = &written, .pair_count = 1};
        f.size = 0;
        assert_int_equal(zo_texture_write(&made, collect, &f), ZO_OK);
        opens(&f);
        const uint32_t dfd = INDEX + 3 * 24, size = 4 + 24 + 4 * 16, pairs = dfd + size, end = pairs + 20;
        const uint32_t fields[] = {linear ? 37 : 43, 1, 5, 3, 0, 0, 1, 3, (uint32_t)schemes[n % 3], dfd, size, pairs, 20,
                                   0, 0, 0, 0};
        for (uint32_t i = 0; i < 17; i++) { assert_int_equal(get(f.bytes + VK + 4 * i, 4), fields[i]); }
        const uint8_t facts[] = {(uint8_t)size, 0, 0, 0, 0, 0, 0, 0, 2, 0, (uint8_t)(size - 4), 0, MODEL_RGBSDA, 1,
                                 linear ? 1 : 2, premultiplied, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0};
        assert_memory_equal(f.bytes + dfd, facts, sizeof facts);
        for (uint32_t c = 0; c < 4; c++) { // alpha is linear, and says so where the colours are not
            static const uint8_t channels[2][4] = {{0, 1, 2, 0x1F}, {0, 1, 2, 15}};
            const uint8_t sample[16] = {(uint8_t)(8 * c), 0, 7, channels[linear][c], 0, 0, 0, 0, 0, 0, 0, 0, 255};
            assert_memory_equal(f.bytes + dfd + sizeof facts + 16 * c, sample, 16);
        }
        assert_memory_equal(f.bytes + pairs, pair, 20);
        uint64_t at = end;
        for (uint32_t i = 3; i-- > 0;) {
            const uint8_t *entry = f.bytes + INDEX + 24 * i;
            assert_int_equal(get(entry, 8), at);
            assert_int_equal(get(entry + 16, 8), levels[i].stride * levels[i].height);
            assert_true(packed || (get(entry + 8, 8) == get(entry + 16, 8) && at % 4 == 0));
            at += get(entry + 8, 8);
        }
        assert_int_equal(at, f.size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_of_the_identifier_counts),
        cmocka_unit_test(it_is_one_flat_picture),
        cmocka_unit_test(sides_and_memory_are_limited),
        cmocka_unit_test(levels_are_no_more_than_sides_halve),
        cmocka_unit_test(every_format_that_is_read),
        cmocka_unit_test(some_formats_may_not_stand_in_a_file),
        cmocka_unit_test(without_a_number_the_model_says),
        cmocka_unit_test(the_descriptor_is_there_and_fits),
        cmocka_unit_test(what_the_descriptor_says_of_colours),
        cmocka_unit_test(pairs_lie_in_the_file),
        cmocka_unit_test(broken_pairs_are_passed_over),
        cmocka_unit_test(orientation_turns),
        cmocka_unit_test(swizzles_choose_channels),
        cmocka_unit_test(levels_lie_in_the_file_and_fit_their_sides),
        cmocka_unit_test(packed_levels_say_their_size),
        cmocka_unit_test(schemes_are_those_of_the_format),
        cmocka_unit_test(zstandard_frames_give_the_level_and_no_more),
        cmocka_unit_test(zlib_streams_give_the_level_and_no_more),
        cmocka_unit_test(nothing_is_unpacked_without_a_function_for_it),
        cmocka_unit_test(a_block_that_is_none_is_named),
        cmocka_unit_test(global_data_of_basislz),
        cmocka_unit_test(etc1s_has_one_channel_or_two),
        cmocka_unit_test(what_is_written_keeps_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
