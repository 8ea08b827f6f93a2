// Fuzzer of textures: any bytes as a KTX2 file, each level decoded in every way of alpha, what came out written again and
// read back. Nothing here unpacks Zstandard: bytes that are packed are taken as they stand, over and over until there are
// enough, so that whatever the input holds reaches the decoders. Called by libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

enum { TEXELS_MAX = 1 << 14, GAP = 12, MARK = 0xA5 };

typedef struct memory {
    size_t used, most;
} memory;

static void *take(void *context, size_t size) {
    memory *m = context;
    m->used += size;
    m->most = m->used > m->most ? m->used : m->most;
    return fuzz_take(size, 1);
}

static void give(void *context, void *block, size_t size) {
    memory *m = context;
    MUST(size <= m->used);
    m->used -= size;
    free(block);
}

static bool repeat(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to, size_t to_size) {
    uint8_t *out = to;
    (void)context;
    MUST(scheme == ZO_SCHEME_ZSTD || scheme == ZO_SCHEME_ZLIB);
    if (from_size == 0) { return false; }
    for (size_t at = 0; at < to_size; at += from_size) {
        memcpy(out + at, from, to_size - at < from_size ? to_size - at : from_size);
    }
    return true;
}

static size_t keep(void *context, zo_texture_scheme scheme, int effort, const void *from, size_t from_size, void *to,
                   size_t capacity) {
    (void)context;
    (void)scheme;
    (void)effort;
    MUST(capacity >= from_size);
    memcpy(to, from, from_size);
    return from_size;
}

typedef struct output {
    uint8_t *bytes;
    size_t size;
} output;

static bool append(void *context, const void *bytes, size_t size) {
    output *out = context;
    uint8_t *longer = realloc(out->bytes, out->size + size + 1);
    MUST(longer != NULL);
    memcpy(longer + out->size, bytes, size);
    *out = (output){longer, out->size + size};
    return true;
}

static void check_fault(zo_status status, const zo_texture_fault *fault, size_t size) {
    MUST(fault->status == status && (status == ZO_OK) == (fault->text == NULL));
    MUST((fault->text == NULL) == (fault->rule == NULL) && fault->offset <= size);
}

// Rows with something behind them that must stay. NULL: it is refused.
static uint8_t *decode(const zo_texture *texture, uint32_t level, zo_texture_alpha alpha, size_t gap) {
    const uint32_t width = texture->levels[level].width, height = texture->levels[level].height;
    const size_t stride = (size_t)width * 4 + gap;
    memory m = {0, 0};
    const zo_allocator allocator = {.context = &m, .alloc = take, .free = give};
    const zo_texture_decoder decoder = {.inflate = repeat, .allocator = &allocator, .alpha = alpha};
    zo_image image = {fuzz_take(stride, height), width, height, stride};
    zo_texture_fault fault;
    memset(image.pixels, MARK, stride * height);
    const zo_status status = zo_texture_decode(texture, level, &decoder, &image, &fault);
    check_fault(status, &fault, texture->size);
    MUST(status == ZO_OK || status == ZO_INVALID);
    MUST(m.used == 0 && m.most <= zo_texture_scratch(texture, level));
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = image.pixels + y * stride;
        for (size_t i = 0; i < gap; i++) { MUST(row[(size_t)width * 4 + i] == MARK); }
        if (y > 0 && gap > 0) { memmove(image.pixels + (size_t)y * width * 4, row, (size_t)width * 4); }
    }
    if (status == ZO_OK) { return image.pixels; }
    free(image.pixels);
    return NULL;
}

// The same pixels whatever stands around them, and premultiplied ones no brighter than their alpha.
static uint8_t *look_at_level(const zo_texture *texture, uint32_t level) {
    const size_t size = (size_t)texture->levels[level].width * texture->levels[level].height * 4;
    uint8_t *stored = decode(texture, level, ZO_TEXTURE_STORED, 0), *again = decode(texture, level, ZO_TEXTURE_STORED, GAP);
    MUST((stored == NULL) == (again == NULL));
    if (stored == NULL) { return NULL; }
    MUST(memcmp(stored, again, size) == 0);
    free(again);
    free(decode(texture, level, ZO_TEXTURE_STRAIGHT, 0));
    uint8_t *multiplied = decode(texture, level, ZO_TEXTURE_PREMULTIPLIED, 0);
    for (size_t i = 0; i < size && !texture->premultiplied; i++) { MUST(multiplied[i] <= multiplied[i | 3]); }
    free(multiplied);
    return stored;
}

static void read_back(const zo_image *levels, uint32_t count, const zo_texture_file *file, const output *out) {
    zo_texture texture;
    MUST(zo_texture_open(out->bytes, out->size, &texture, NULL) == ZO_OK);
    MUST(texture.level_count == count && texture.srgb != file->linear && texture.premultiplied == file->premultiplied);
    MUST(texture.pair_count >= 1 && texture.pair_count <= file->pair_count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *pixels = decode(&texture, i, ZO_TEXTURE_STORED, 0);
        MUST(pixels != NULL && memcmp(pixels, levels[i].pixels, levels[i].stride * levels[i].height) == 0);
        free(pixels);
    }
}

// Half as large: what nothing shines through stays so.
static void halve(const zo_image *image) {
    const uint32_t width = image->width > 1 ? image->width / 2 : 1, height = image->height > 1 ? image->height / 2 : 1;
    zo_image half = {fuzz_take((size_t)width * height, 4), width, height, (size_t)width * 4};
    uint8_t least = 255, least_half = 255;
    zo_texture_halve(image, &half);
    for (size_t i = 3; i < image->stride * image->height; i += 4) { least = image->pixels[i] < least ? image->pixels[i] : least; }
    for (size_t i = 3; i < half.stride * height; i += 4) {
        least_half = half.pixels[i] < least_half ? half.pixels[i] : least_half;
    }
    MUST(least_half >= least);
    free(half.pixels);
}

// Rows with something between them.
static zo_image with_gaps(const zo_image *image) {
    const size_t stride = image->stride + GAP;
    zo_image apart = {fuzz_take(stride, image->height), image->width, image->height, stride};
    for (uint32_t y = 0; y < image->height; y++) {
        memcpy(apart.pixels + y * stride, image->pixels + y * image->stride, image->stride);
    }
    return apart;
}

static void write_again(const zo_texture *texture, const zo_image *levels, fuzz_random *random) {
    static const zo_texture_scheme schemes[] = {ZO_SCHEME_NONE, ZO_SCHEME_ZSTD, ZO_SCHEME_ZLIB};
    zo_texture_pair *pairs = fuzz_take(texture->pair_count, sizeof *pairs);
    for (uint32_t i = 0; i < texture->pair_count; i++) { pairs[i] = zo_texture_pair_at(texture, i); }
    const zo_texture_file file = {.levels = levels, .level_count = 1 + fuzz_below(random, texture->level_count),
                                  .scheme = schemes[fuzz_below(random, 3)], .deflate = keep,
                                  .linear = fuzz_below(random, 2) == 0, .premultiplied = fuzz_below(random, 2) == 0,
                                  .pairs = pairs, .pair_count = texture->pair_count};
    output first = {NULL, 0}, second = {NULL, 0};
    const zo_status status = zo_texture_write(&file, append, &first);
    MUST(status == ZO_OK || (status == ZO_INVALID && first.size == 0)); // a key may be there twice
    if (status == ZO_OK) {
        read_back(levels, file.level_count, &file, &first);
        zo_image apart[ZO_TEXTURE_LEVELS_MAX];
        zo_texture_file again = file;
        again.levels = apart;
        for (uint32_t i = 0; i < file.level_count; i++) { apart[i] = with_gaps(&levels[i]); }
        MUST(zo_texture_write(&again, append, &second) == ZO_OK);
        for (uint32_t i = 0; i < file.level_count; i++) { free(apart[i].pixels); }
        MUST(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
    }
    free(first.bytes);
    free(second.bytes);
    free(pairs);
}

static void check_texture(const zo_texture *t) {
    MUST(t->width >= 1 && t->width <= ZO_TEXTURE_SIDE_MAX && t->height >= 1 && t->height <= ZO_TEXTURE_SIDE_MAX);
    MUST(t->level_count >= 1 && t->level_count <= ZO_TEXTURE_LEVELS_MAX && t->encoding != NULL && strlen(t->swizzle) == 4);
    for (uint32_t i = 0; i < t->level_count; i++) {
        const zo_texture_level *level = &t->levels[i];
        MUST(level->size > 0 && level->size <= t->size && level->offset <= t->size - level->size);
        MUST(level->unpacked <= ZO_TEXTURE_SIZE_MAX);
    }
    for (uint32_t i = 0; i < t->pair_count && i < 100; i++) {
        const zo_texture_pair pair = zo_texture_pair_at(t, i);
        MUST(pair.key.size > 0 && memchr(pair.key.data, 0, pair.key.size) == NULL);
        MUST(pair.value.data + pair.value.size <= (const char *)t->bytes + t->size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    uint8_t *bytes = fuzz_take(size, 1); // of its own size, so that what is read beyond it is seen
    zo_texture texture;
    zo_texture_fault fault;
    if (size != 0) { memcpy(bytes, data, size); }
    const zo_status status = zo_texture_open(bytes, size, &texture, &fault);
    check_fault(status, &fault, size);
    if (status == ZO_OK) {
        zo_image levels[ZO_TEXTURE_LEVELS_MAX] = {{0}};
        bool whole = (uint64_t)texture.width * texture.height <= TEXELS_MAX;
        check_texture(&texture);
        for (uint32_t i = 0; i < texture.level_count && whole; i++) {
            const uint32_t width = texture.levels[i].width, height = texture.levels[i].height;
            levels[i] = (zo_image){look_at_level(&texture, i), width, height, (size_t)width * 4};
            whole = levels[i].pixels != NULL;
        }
        if (whole) {
            halve(&levels[0]);
            write_again(&texture, levels, &random);
        }
        for (uint32_t i = 0; i < texture.level_count; i++) { free(levels[i].pixels); }
    }
    free(bytes);
    return 0;
}
