// KTX2 files made of RGBA pixels: header, level index, descriptor, key/value pairs sorted by key, levels with the
// smallest first. Called by api. All levels are packed before anything is written, for the index stands in front.
#include "base/arena.h"
#include "image/image.h"
#include "image/ktx2.h"

enum { SAMPLE_COUNT = 4, DESCRIPTOR_SIZE = 4 + 24 + 16 * SAMPLE_COUNT, HEAD_MAX = ZI_KTX2_INDEX_AT + 15 * 24 };
enum { VK_RGBA8_UNORM = 37, VK_RGBA8_SRGB = 43, MODEL_RGBSDA = 1, PRIMARIES_BT709 = 1, LINEAR = 1, SRGB = 2 };

typedef struct packed { const uint8_t *bytes; uint64_t size, unpacked, offset; } packed;

static uint8_t *put_16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}
static uint8_t *put_32(uint8_t *at, uint32_t value) { return put_16(put_16(at, value & 0xFFFF), value >> 16); }
static uint8_t *put_64(uint8_t *at, uint64_t value) {
    return put_32(put_32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

// ---------------------------------------------------------------------------------------------------- pairs

// What says how the pixels of another file lay is not true of these.
static bool is_kept(const zo_texture_pair *pair) {
    return !zb_text_equal(pair->key, ZB_TEXT("KTXorientation")) && !zb_text_equal(pair->key, ZB_TEXT("KTXswizzle"));
}

// Moves the pair at `root` down to where it belongs among the first `count`, of which the greatest is to come first.
static void sift(zo_texture_pair *pairs, uint32_t root, uint32_t count) {
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && zb_text_order(pairs[child].key, pairs[child + 1].key) < 0) { child++; }
        if (zb_text_order(pairs[root].key, pairs[child].key) >= 0) { return; }
        const zo_texture_pair kept = pairs[root];
        pairs[root] = pairs[child];
        pairs[child] = kept;
    }
}

// The pairs that are written, sorted. false: keys are not as they must be.
static bool sort_pairs(const zo_texture_file *file, zb_arena *arena, zo_texture_pair **sorted, uint32_t *count) {
    static const zo_texture_pair writer = {{"KTXwriter", 9}, {"Zoetrope", 9}};
    zo_texture_pair *pairs = zb_arena_take_array(arena, (size_t)file->pair_count + 1, sizeof *pairs);
    if (!pairs || arena->failed) { return true; }
    bool has_writer = false;
    *count = 0;
    for (uint32_t i = 0; i < file->pair_count; i++) {
        const zo_texture_pair *pair = &file->pairs[i];
        if (pair->key.size == 0 || memchr(pair->key.data, 0, pair->key.size)) { return false; }
        if (!is_kept(pair)) { continue; }
        has_writer = has_writer || zb_text_equal(pair->key, writer.key);
        pairs[(*count)++] = *pair;
    }
    if (!has_writer) { pairs[(*count)++] = writer; }
    for (uint32_t i = *count / 2; i-- > 0;) { sift(pairs, i, *count); }
    for (uint32_t last = *count; last-- > 1;) {
        const zo_texture_pair kept = pairs[0];
        pairs[0] = pairs[last];
        pairs[last] = kept;
        sift(pairs, 0, last);
    }
    for (uint32_t i = 1; i < *count; i++) {
        if (zb_text_equal(pairs[i - 1].key, pairs[i].key)) { return false; }
    }
    *sorted = pairs;
    return true;
}

static uint64_t pair_size(const zo_texture_pair *pair) { return (uint64_t)pair->key.size + 1 + pair->value.size; }

static uint8_t *put_pair(uint8_t *at, const zo_texture_pair *pair) {
    const size_t size = (size_t)pair_size(pair);
    at = put_32(at, (uint32_t)size);
    memcpy(at, pair->key.data, pair->key.size);
    at[pair->key.size] = 0;
    if (pair->value.size > 0) { memcpy(at + pair->key.size + 1, pair->value.data, pair->value.size); }
    const size_t padding = (4 - size % 4) % 4;
    memset(at + size, 0, padding);
    return at + size + padding;
}

// ---------------------------------------------------------------------------------------------------- levels

static bool sides_fit(const zo_texture_file *file) {
    const zo_image *first = &file->levels[0];
    const uint32_t longest = first->width > first->height ? first->width : first->height;
    if (longest == 0 || file->level_count > ZO_TEXTURE_LEVELS_MAX) { return false; }
    if (longest >> (file->level_count - 1) == 0) { return false; }
    for (uint32_t i = 0; i < file->level_count; i++) {
        const zo_image *level = &file->levels[i];
        if (level->width != zi_level_side(first->width, i) || level->height != zi_level_side(first->height, i)) {
            return false;
        }
    }
    return true;
}

// Rows that follow each other.
static const uint8_t *tight(const zo_image *image, zb_arena *arena) {
    const size_t row_size = (size_t)image->width * 4;
    if (image->stride == row_size) { return image->pixels; }
    uint8_t *rows = zb_arena_take(arena, row_size * image->height);
    if (!rows || arena->failed) { return NULL; }
    for (uint32_t y = 0; y < image->height; y++) {
        memcpy(rows + y * row_size, image->pixels + y * image->stride, row_size);
    }
    return rows;
}

static bool pack_level(const zo_texture_file *file, const zo_image *image, zb_arena *arena, packed *out) {
    const size_t size = (size_t)image->width * image->height * 4;
    const uint8_t *pixels = tight(image, arena);
    if (!pixels) { return false; }
    *out = (packed){pixels, size, size, 0};
    if (file->scheme == ZO_SCHEME_NONE) { return true; }
    const size_t capacity = size + size / 128 + 512;
    uint8_t *room = zb_arena_take(arena, capacity);
    if (!room || arena->failed) { return false; }
    out->size = file->deflate(file->context, file->scheme, file->effort, pixels, size, room, capacity);
    out->bytes = room;
    return out->size > 0 && out->size <= capacity;
}

// ---------------------------------------------------------------------------------------------------- the file

static uint8_t *put_descriptor(uint8_t *at, const zo_texture_file *file) {
    at = put_32(at, DESCRIPTOR_SIZE);
    at = put_32(at, 0);
    at = put_16(put_16(at, 2), DESCRIPTOR_SIZE - 4);
    const uint8_t facts[16] = {MODEL_RGBSDA, PRIMARIES_BT709, file->linear ? LINEAR : SRGB, file->premultiplied,
                               0, 0, 0, 0, 4}; // one pixel of four bytes
    memcpy(at, facts, sizeof facts);
    at += sizeof facts;
    for (uint32_t c = 0; c < SAMPLE_COUNT; c++) {
        static const uint8_t channels[SAMPLE_COUNT] = {0, 1, 2, 15};
        const uint8_t is_linear = c == 3 && !file->linear ? 0x10 : 0; // alpha is linear whatever the colours are
        at = put_16(at, 8 * c);
        *at++ = 7;
        *at++ = (uint8_t)(channels[c] | is_linear);
        at = put_32(put_32(put_32(at, 0), 0), 255);
    }
    return at;
}

static zo_status write_all(const zo_texture_file *file, zb_arena *arena, zo_write_fn write, void *context) {
    packed levels[ZO_TEXTURE_LEVELS_MAX] = {{NULL, 0, 0, 0}};
    zo_texture_pair *pairs = NULL;
    uint32_t pair_count = 0;
    if (!sides_fit(file)) { return ZO_INVALID; }
    if ((uint64_t)file->levels[0].width * file->levels[0].height * 4 > ZO_TEXTURE_SIZE_MAX) { return ZO_LIMIT; }
    if (!sort_pairs(file, arena, &pairs, &pair_count)) { return ZO_INVALID; }
    uint64_t pairs_size = 0;
    for (uint32_t i = 0; pairs && i < pair_count; i++) {
        pairs_size += 4 + (pair_size(&pairs[i]) + 3) / 4 * 4;
        if (pairs_size > ZO_TEXTURE_SIZE_MAX) { return ZO_LIMIT; }
    }
    const uint32_t index_end = ZI_KTX2_INDEX_AT + file->level_count * ZI_KTX2_INDEX_ENTRY;
    const size_t head_size = index_end + DESCRIPTOR_SIZE + (size_t)pairs_size;
    uint8_t *head = zb_arena_take_array(arena, head_size, 1);
    if (!head || arena->failed) { return ZO_NO_MEMORY; }
    uint64_t offset = head_size; // a multiple of 4, and so is every level that is not packed
    for (uint32_t i = file->level_count; i-- > 0;) {
        if (!pack_level(file, &file->levels[i], arena, &levels[i])) { return ZO_NO_MEMORY; }
        levels[i].offset = offset;
        offset += levels[i].size;
    }
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, 0x0D, 0x0A, 0x1A, 0x0A};
    memcpy(head, identifier, sizeof identifier);
    const uint32_t fields[] = {file->linear ? VK_RGBA8_UNORM : VK_RGBA8_SRGB, 1, file->levels[0].width,
                               file->levels[0].height, 0, 0, 1, file->level_count, (uint32_t)file->scheme,
                               index_end, DESCRIPTOR_SIZE, index_end + DESCRIPTOR_SIZE, (uint32_t)pairs_size};
    uint8_t *at = head + sizeof identifier;
    for (size_t i = 0; i < ZB_COUNT(fields); i++) { at = put_32(at, fields[i]); }
    at = put_64(put_64(at, 0), 0);
    for (uint32_t i = 0; i < file->level_count; i++) {
        at = put_64(put_64(put_64(at, levels[i].offset), levels[i].size), levels[i].unpacked);
    }
    at = put_descriptor(at, file);
    for (uint32_t i = 0; i < pair_count; i++) { at = put_pair(at, &pairs[i]); }
    ZO_ASSERT(at == head + head_size);
    if (!write(context, head, head_size)) { return ZO_NO_MEMORY; }
    for (uint32_t i = file->level_count; i-- > 0;) {
        if (!write(context, levels[i].bytes, (size_t)levels[i].size)) { return ZO_NO_MEMORY; }
    }
    return ZO_OK;
}

zo_status zi_ktx2_write(const zo_texture_file *file, zo_write_fn write, void *context) {
    zb_arena arena = zb_arena_open(file->allocator);
    const zo_status status = write_all(file, &arena, write, context);
    zb_arena_close(&arena);
    return status;
}

void zi_halve(const zo_image *from, zo_image *to) {
    for (uint32_t y = 0; y < to->height; y++) {
        // The rows and columns of `from` that a pixel covers, as far as they are whole: two, or three at an odd end,
        // one where there is only one.
        const uint32_t y0 = 2 * y < from->height ? 2 * y : from->height - 1;
        const uint32_t y1 = y + 1 == to->height ? from->height : y0 + 2;
        for (uint32_t x = 0; x < to->width; x++) {
            const uint32_t x0 = 2 * x < from->width ? 2 * x : from->width - 1;
            const uint32_t x1 = x + 1 == to->width ? from->width : x0 + 2;
            uint32_t sums[3] = {0, 0, 0}, alpha = 0, count = 0;
            for (uint32_t v = y0; v < y1; v++) {
                for (uint32_t u = x0; u < x1; u++, count++) {
                    const uint8_t *texel = from->pixels + v * from->stride + (size_t)u * 4;
                    for (uint32_t c = 0; c < 3; c++) { sums[c] += (uint32_t)texel[c] * texel[3]; }
                    alpha += texel[3];
                }
            }
            uint8_t *texel = to->pixels + y * to->stride + (size_t)x * 4;
            for (uint32_t c = 0; c < 3; c++) { texel[c] = (uint8_t)(alpha ? (sums[c] + alpha / 2) / alpha : 0); }
            texel[3] = (uint8_t)((alpha + count / 2) / count);
        }
    }
}
