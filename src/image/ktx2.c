// The container of KTX2 textures: header, level index, descriptor, key/value pairs, and every rule between them. Called
// by api; the levels themselves are ktx2_decode.c's. Allocates nothing. Offsets and sizes are compared in 64 bits, as
// size <= all && offset <= all - size, so that no sum can wrap.
#include "image/ktx2.h"

enum { // where the fields stand
    VK_FORMAT_AT = 12, WIDTH_AT = 20, HEIGHT_AT = 24, DEPTH_AT = 28, LAYERS_AT = 32, FACES_AT = 36, LEVELS_AT = 40,
    SCHEME_AT = 44, DFD_AT = 48, KVD_AT = 56, SGD_AT = ZI_KTX2_GLOBAL_AT,
};
enum { MODEL_ETC1S = 163, MODEL_UASTC = 166 };
enum { TRANSFER_SRGB = 2, FLAG_PREMULTIPLIED = 1 };
enum { CHANNEL_UASTC_RGBA = 3, CHANNEL_UASTC_RRRG = 5, CHANNEL_ETC1S_ALPHA = 15 };

static const zi_format formats[] = {
    {"R8", 9, 15, ZI_R8, 1, 1, false},
    {"RG8", 16, 22, ZI_RG8, 1, 2, false},
    {"RGB8", 23, 29, ZI_RGB8, 1, 3, false},
    {"BGR8", 30, 36, ZI_BGR8, 1, 3, false},
    {"RGBA8", 37, 43, ZI_RGBA8, 1, 4, true},
    {"BGRA8", 44, 50, ZI_BGRA8, 1, 4, true},
    {"BC1 RGB", 131, 132, ZI_BC1_RGB, 4, 8, false},
    {"BC1 RGBA", 133, 134, ZI_BC1_RGBA, 4, 8, true},
    {"BC2", 135, 136, ZI_BC2, 4, 16, true},
    {"BC3", 137, 138, ZI_BC3, 4, 16, true},
    {"BC4", 139, 0, ZI_BC4, 4, 8, false},
    {"BC5", 141, 0, ZI_BC5, 4, 16, false},
    {"BC7", 145, 146, ZI_BC7, 4, 16, true},
    {"ETC2 RGB8", 147, 148, ZI_ETC2_RGB, 4, 8, false},
    {"ETC2 RGB8A1", 149, 150, ZI_ETC2_RGBA1, 4, 8, true},
    {"ETC2 RGBA8", 151, 152, ZI_ETC2_RGBA, 4, 16, true},
    {"EAC R11", 153, 0, ZI_EAC_R11, 4, 8, false},
    {"EAC RG11", 155, 0, ZI_EAC_RG11, 4, 16, false},
    {"ASTC 4x4", 157, 0, ZI_ASTC, 4, 16, true},
    {"ASTC 4x4", 0, 158, ZI_ASTC_SRGB, 4, 16, true},
};
static const zi_format uastc = {"UASTC", 0, 0, ZI_UASTC, 4, 16, true};
static const zi_format etc1s = {"ETC1S", 0, 0, ZI_ETC1S, 4, 8, true};

const zi_format *zi_format_find(uint32_t vk_format) {
    for (size_t i = 0; vk_format != 0 && i < ZB_COUNT(formats); i++) {
        if (formats[i].vk_unorm == vk_format || formats[i].vk_srgb == vk_format) { return &formats[i]; }
    }
    return NULL;
}

const zi_format *zi_format_of(const zo_texture *texture) {
    if (texture->vk_format == 0) { return texture->scheme == ZO_SCHEME_BASIS ? &etc1s : &uastc; }
    const zi_format *format = zi_format_find(texture->vk_format);
    ZO_ASSERT(format != NULL);
    return format;
}

uint64_t zi_format_size(const zi_format *format, uint32_t width, uint32_t height) {
    const uint32_t side = format->block_side;
    return (uint64_t)((width + side - 1) / side) * ((height + side - 1) / side) * format->block_size;
}

// ------------------------------------------------------------------------------------------------------------- refusal

typedef struct reading {
    const uint8_t *bytes;
    size_t size;
    zo_texture *texture;
    const zi_format *format;
    uint32_t index_end;      // where the level index ends
    zo_texture_fault *fault; // the first one
} reading;

// Returns false, for the caller to return.
static bool refuse(reading *r, zo_status status, uint64_t offset, const char *rule, const char *text) {
    *r->fault = (zo_texture_fault){status, rule, text, offset < r->size ? offset : r->size};
    return false;
}

static bool invalid(reading *r, uint64_t offset, const char *rule, const char *text) {
    return refuse(r, ZO_INVALID, offset, rule, text);
}

static bool unsupported(reading *r, uint64_t offset, const char *rule, const char *text) {
    return refuse(r, ZO_UNSUPPORTED, offset, rule, text);
}

static bool is_inside(const reading *r, uint64_t offset, uint64_t length) {
    return length <= r->size && offset <= r->size - length;
}

static uint32_t field(const reading *r, size_t at) { return zi_get_32(r->bytes + at); }

// -------------------------------------------------------------------------------------------------------------- header

static bool read_identifier(reading *r) {
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, 0x0D, 0x0A, 0x1A, 0x0A};
    const size_t there = r->size < sizeof identifier ? r->size : sizeof identifier;
    size_t same = 0;
    while (same < there && r->bytes[same] == identifier[same]) { same++; }
    if (same < there) { return invalid(r, same, "identifier", "this is not the identifier of a KTX2 file"); }
    if (r->size < ZI_KTX2_INDEX_AT) { return invalid(r, r->size, "header", "the file ends in its header"); }
    return true;
}

static bool read_sides(reading *r) {
    const uint32_t width = field(r, WIDTH_AT), height = field(r, HEIGHT_AT);
    if (width == 0) { return invalid(r, WIDTH_AT, "width", "the width is 0"); }
    if (height == 0) { return unsupported(r, HEIGHT_AT, "height", "the height is 0: a row of values and no picture"); }
    if (field(r, DEPTH_AT) != 0) { return unsupported(r, DEPTH_AT, "depth", "it is a volume and no picture"); }
    if (field(r, LAYERS_AT) > 1) { return unsupported(r, LAYERS_AT, "layers", "it is an array of pictures"); }
    if (field(r, FACES_AT) == 6) { return unsupported(r, FACES_AT, "faces", "it is a cube map"); }
    if (field(r, FACES_AT) != 1) { return invalid(r, FACES_AT, "faces", "the number of faces is neither 1 nor 6"); }
    if (width > ZO_TEXTURE_SIDE_MAX || height > ZO_TEXTURE_SIDE_MAX) {
        const size_t at = width > ZO_TEXTURE_SIDE_MAX ? WIDTH_AT : HEIGHT_AT;
        return refuse(r, ZO_LIMIT, at, "side-limit", "a side has more than 16384 pixels");
    }
    r->texture->width = width;
    r->texture->height = height;
    return true;
}

// Which numbers are formats that exist but may not stand in a file: those that scale integers, and those that keep
// their channels in planes.
static bool is_prohibited(uint32_t vk) {
    static const struct { uint32_t first, last; } ranges[] = {
        {11, 12}, {18, 19}, {25, 26}, {32, 33}, {39, 40}, {46, 47}, {53, 54}, {60, 61}, {66, 67}, {72, 73}, {79, 80},
        {86, 87}, {93, 94}, {1000156002, 1000156006}, {1000156012, 1000156016}, {1000156022, 1000156026},
        {1000156029, 1000156033},
    };
    for (size_t i = 0; i < ZB_COUNT(ranges); i++) {
        if (vk >= ranges[i].first && vk <= ranges[i].last) { return true; }
    }
    return false;
}

// vkFormat, unless it is 0: then the descriptor says what it is.
static bool read_format(reading *r) {
    const uint32_t vk = field(r, VK_FORMAT_AT);
    r->texture->vk_format = vk;
    r->format = zi_format_find(vk);
    if (vk == 0 || r->format != NULL) { return true; }
    if (is_prohibited(vk)) {
        return invalid(r, VK_FORMAT_AT, "format-prohibited", "the format may not stand in KTX2 files");
    }
    return unsupported(r, VK_FORMAT_AT, "format", "the format is none that is read");
}

static bool read_scheme(reading *r) {
    const uint32_t scheme = field(r, SCHEME_AT);
    if (scheme > ZO_SCHEME_ZLIB) {
        return unsupported(r, SCHEME_AT, "scheme", "it is packed in a way that is not known");
    }
    r->texture->scheme = (zo_texture_scheme)scheme;
    if (scheme == ZO_SCHEME_BASIS && r->texture->vk_format != 0) {
        return invalid(r, SCHEME_AT, "scheme-format", "BasisLZ packs ETC1S and nothing else");
    }
    return true;
}

static bool read_level_count(reading *r) {
    const uint32_t width = r->texture->width, height = r->texture->height;
    const uint32_t longest = width > height ? width : height;
    const uint32_t count = field(r, LEVELS_AT);
    uint32_t most = 1;
    while (longest >> most != 0) { most++; }
    if (count > most) { return invalid(r, LEVELS_AT, "level-count", "it has more levels than its sides allow"); }
    r->texture->makes_levels = count == 0;
    r->texture->level_count = count == 0 ? 1 : count;
    r->index_end = ZI_KTX2_INDEX_AT + r->texture->level_count * ZI_KTX2_INDEX_ENTRY;
    if (r->size < r->index_end) { return invalid(r, r->size, "level-index", "the file ends in its level index"); }
    return true;
}

// ---------------------------------------------------------------------------------------------------------- descriptor

enum { BLOCK_HEAD = 24, SAMPLE_SIZE = 16, DFD_MIN = 4 + BLOCK_HEAD };

static bool read_universal(reading *r, const uint8_t *block, uint32_t at, uint32_t sample_count) {
    zo_texture *t = r->texture;
    const uint8_t model = block[8];
    if (model != MODEL_ETC1S && model != MODEL_UASTC) {
        return invalid(r, at + 8, "model", "the format is left to the descriptor, and that is neither ETC1S nor UASTC");
    }
    if (sample_count == 0) { return invalid(r, at, "samples", "the descriptor has no channels"); }
    const uint32_t first = block[BLOCK_HEAD + 3] & 15;
    if (model == MODEL_ETC1S) {
        if (t->scheme != ZO_SCHEME_BASIS) {
            return unsupported(r, SCHEME_AT, "scheme-model", "ETC1S is read only where BasisLZ packs it");
        }
        if (sample_count > 2) { return invalid(r, at, "samples", "ETC1S has one channel or two"); }
        t->has_alpha = sample_count == 2 && (block[BLOCK_HEAD + SAMPLE_SIZE + 3] & 15) == CHANNEL_ETC1S_ALPHA;
    } else {
        if (t->scheme == ZO_SCHEME_BASIS) {
            return invalid(r, SCHEME_AT, "scheme-format", "BasisLZ packs ETC1S and nothing else");
        }
        t->has_alpha = first == CHANNEL_UASTC_RGBA || first == CHANNEL_UASTC_RRRG;
    }
    r->format = zi_format_of(t);
    return true;
}

// Of what is no universal format the number alone counts; the descriptor says only how colours are meant.
static bool read_descriptor(reading *r) {
    const uint32_t offset = field(r, DFD_AT), length = field(r, DFD_AT + 4);
    zo_texture *t = r->texture;
    if (!is_inside(r, offset, length)) {
        return invalid(r, DFD_AT, "descriptor-range", "the descriptor lies outside the file");
    }
    if (length < DFD_MIN) { return invalid(r, DFD_AT + 4, "descriptor-size", "there is no descriptor"); }
    if (offset < r->index_end) {
        return invalid(r, DFD_AT, "descriptor-range", "the descriptor lies in the level index");
    }
    if (field(r, offset) != length) {
        return invalid(r, offset, "descriptor-size", "the descriptor has another size than the header says");
    }
    const uint8_t *block = r->bytes + offset + 4;
    const uint32_t at = offset + 4, block_size = zi_get_16(block + 6);
    if (zi_get_32(block) != 0) {
        return unsupported(r, at, "descriptor-kind", "the descriptor is of a kind that is not known");
    }
    if (block_size < BLOCK_HEAD || block_size > length - 4 || (block_size - BLOCK_HEAD) % SAMPLE_SIZE != 0) {
        return invalid(r, at + 6, "descriptor-block", "the descriptor's block has a size that cannot be");
    }
    t->srgb = block[10] == TRANSFER_SRGB;
    t->premultiplied = (block[11] & FLAG_PREMULTIPLIED) != 0;
    if (t->vk_format == 0) { return read_universal(r, block, at, (block_size - BLOCK_HEAD) / SAMPLE_SIZE); }
    t->has_alpha = r->format->has_alpha;
    return true;
}

// ----------------------------------------------------------------------------------------------------- key/value pairs

// The next pair at *at, which is moved beyond it. false: there is none, or it is broken, and then all after it is too.
static bool next_pair(const uint8_t *bytes, uint32_t end, uint32_t *at, zo_texture_pair *pair) {
    if (end - *at < 4) { return false; }
    const uint32_t length = zi_get_32(bytes + *at);
    const uint32_t left = end - *at - 4;
    if (length < 2 || length > left) { return false; }
    const char *key = (const char *)bytes + *at + 4;
    const char *zero = memchr(key, 0, length);
    if (zero == NULL || zero == key) { return false; }
    const size_t key_size = (size_t)(zero - key);
    *pair = (zo_texture_pair){{key, key_size}, {zero + 1, length - key_size - 1}};
    const uint32_t padded = length + (4 - length % 4) % 4; // length is at most 2^32 - 5
    *at += 4 + (padded < left ? padded : left);
    return true;
}

static bool pairs_of(const uint8_t *bytes, uint32_t *at, uint32_t *end) {
    *at = zi_get_32(bytes + KVD_AT);
    *end = *at + zi_get_32(bytes + KVD_AT + 4); // inside the file, as was checked
    return *end > *at;
}

zo_texture_pair zi_ktx2_pair(const zo_texture *texture, uint32_t index) {
    uint32_t at, end;
    zo_texture_pair pair = {{NULL, 0}, {NULL, 0}};
    pairs_of(texture->bytes, &at, &end);
    for (uint32_t i = 0; i <= index; i++) {
        const bool there = next_pair(texture->bytes, end, &at, &pair);
        ZO_ASSERT(there);
    }
    return pair;
}

// Its text without the zero byte at its end.
static zo_text value_text(zo_texture_pair pair) {
    if (pair.value.size > 0 && pair.value.data[pair.value.size - 1] == '\0') { pair.value.size--; }
    return pair.value;
}

// What is not said as it should be is not said at all: the picture is there all the same.
static void use_pair(zo_texture *t, zo_texture_pair pair) {
    const zo_text value = value_text(pair);
    if (zb_text_equal(pair.key, ZB_TEXT("KTXorientation")) && value.size >= 1) {
        t->mirrored = value.data[0] == 'l';
        t->bottom_up = value.size >= 2 && value.data[1] == 'u';
    }
    if (zb_text_equal(pair.key, ZB_TEXT("KTXswizzle")) && value.size == 4) {
        for (size_t i = 0; i < 4; i++) {
            if (value.data[i] == '\0' || strchr("rgba01", value.data[i]) == NULL) { return; }
        }
        memcpy(t->swizzle, value.data, 4);
    }
}

static bool read_pairs(reading *r) {
    const uint32_t offset = field(r, KVD_AT), length = field(r, KVD_AT + 4);
    uint32_t at, end;
    zo_texture_pair pair;
    if (length == 0) { return true; }
    // Both fit into 32 bits together, since files do that are read at all: their sum is at most the file's size.
    if (!is_inside(r, offset, length) || (uint64_t)offset + length > UINT32_MAX) {
        return invalid(r, KVD_AT, "pairs-range", "the key/value pairs lie outside the file");
    }
    if (offset < r->index_end) {
        return invalid(r, KVD_AT, "pairs-range", "the key/value pairs lie in the level index");
    }
    pairs_of(r->bytes, &at, &end);
    while (next_pair(r->bytes, end, &at, &pair)) {
        use_pair(r->texture, pair);
        r->texture->pair_count++;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------- levels

static bool read_level(reading *r, uint32_t index) {
    const uint32_t at = ZI_KTX2_INDEX_AT + index * ZI_KTX2_INDEX_ENTRY;
    zo_texture *t = r->texture;
    zo_texture_level *level = &t->levels[index];
    *level = (zo_texture_level){
        .offset = zi_get_64(r->bytes + at),
        .size = zi_get_64(r->bytes + at + 8),
        .unpacked = zi_get_64(r->bytes + at + 16),
        .width = zi_level_side(t->width, index),
        .height = zi_level_side(t->height, index),
    };
    if (level->size == 0) { return invalid(r, at + 8, "level-empty", "a level has no bytes"); }
    if (!is_inside(r, level->offset, level->size)) {
        return invalid(r, at, "level-range", "a level lies outside the file");
    }
    if (level->offset < r->index_end) { return invalid(r, at, "level-range", "a level lies in the level index"); }
    for (uint32_t i = 0; i < index; i++) { // they are 15 at most
        const zo_texture_level *other = &t->levels[i];
        if (level->offset < other->offset + other->size && other->offset < level->offset + level->size) {
            return invalid(r, at, "level-overlap", "two levels share bytes");
        }
    }
    const uint64_t size = zi_format_size(r->format, level->width, level->height);
    if (t->scheme == ZO_SCHEME_BASIS) {
        if (level->unpacked != 0) {
            return invalid(r, at + 16, "level-size", "a level packed by BasisLZ has no unpacked size, this has one");
        }
    } else if (level->unpacked != size) {
        return invalid(r, at + 16, "level-size", "a level has another unpacked size than its sides want");
    } else if (t->scheme == ZO_SCHEME_NONE && level->size != size) {
        return invalid(r, at + 8, "level-size", "a level has another size than its sides want");
    }
    return true;
}

static bool read_levels(reading *r) {
    const zo_texture *t = r->texture;
    const uint64_t pixels_size = (uint64_t)t->width * t->height * 4;
    if (t->makes_levels && r->format->block_side > 1) {
        return invalid(r, LEVELS_AT, "level-count", "levels cannot be made of blocks, and the level count is 0");
    }
    if (pixels_size > ZO_TEXTURE_SIZE_MAX) {
        return refuse(r, ZO_LIMIT, WIDTH_AT, "size-limit", "its pixels need more than 256 MiB");
    }
    for (uint32_t i = 0; i < t->level_count; i++) {
        if (!read_level(r, i)) { return false; }
    }
    return true;
}

// What stands before the codebooks of BasisLZ: their sizes, and for each level where its slices lie in it.
static bool read_slices(reading *r, uint64_t offset, uint64_t length) {
    enum { HEAD = 20, RECORD = 20, P_FRAME = 2 };
    const zo_texture *t = r->texture;
    const uint8_t *head = r->bytes + offset;
    uint64_t sum = HEAD + (uint64_t)t->level_count * RECORD;
    if (length < sum) { return invalid(r, SGD_AT + 8, "global-data", "BasisLZ has no global data, or too short ones"); }
    if (zi_get_16(head) == 0 || zi_get_16(head + 2) == 0) {
        return invalid(r, offset, "global-data", "a codebook of BasisLZ is empty");
    }
    for (uint32_t i = 0; i < 4; i++) { sum += zi_get_32(head + 4 + i * 4); }
    if (sum != length) {
        return invalid(r, offset + 4, "global-data", "the parts of the global data do not add up to their size");
    }
    for (uint32_t i = 0; i < t->level_count; i++) {
        const uint64_t at = offset + HEAD + i * RECORD;
        const uint8_t *record = r->bytes + at;
        const uint64_t size = t->levels[i].size;
        const uint64_t color_size = zi_get_32(record + 8), alpha_size = zi_get_32(record + 16);
        if ((zi_get_32(record) & P_FRAME) != 0) {
            return unsupported(r, at, "slices", "a level is a frame of a film and no picture");
        }
        if (color_size == 0 || zi_get_32(record + 4) + color_size > size) {
            return invalid(r, at + 4, "slices", "a slice of colours lies outside its level");
        }
        if (zi_get_32(record + 12) + alpha_size > size) {
            return invalid(r, at + 12, "slices", "a slice of alpha lies outside its level");
        }
        if (t->has_alpha && alpha_size == 0) { return invalid(r, at + 16, "slices", "a level has no slice of alpha"); }
    }
    return true;
}

static bool read_global(reading *r) {
    const uint64_t offset = zi_get_64(r->bytes + SGD_AT), length = zi_get_64(r->bytes + SGD_AT + 8);
    if (r->texture->scheme != ZO_SCHEME_BASIS) {
        if (length == 0) { return true; }
        return invalid(r, SGD_AT + 8, "global-data", "it has global data, which only BasisLZ has");
    }
    if (!is_inside(r, offset, length)) {
        return invalid(r, SGD_AT, "global-range", "the global data of BasisLZ lie outside the file");
    }
    if (length != 0 && offset < r->index_end) {
        return invalid(r, SGD_AT, "global-range", "the global data of BasisLZ lie in the level index");
    }
    return read_slices(r, offset, length);
}

static bool read_all(reading *r) {
    return read_identifier(r) && read_sides(r) && read_format(r) && read_scheme(r) && read_level_count(r) &&
           read_descriptor(r) && read_pairs(r) && read_levels(r) && read_global(r);
}

zo_texture_fault zi_ktx2_open(const uint8_t *bytes, size_t size, zo_texture *texture) {
    zo_texture_fault fault = {ZO_OK, NULL, NULL, 0};
    reading r = {.bytes = bytes, .size = size, .texture = texture, .fault = &fault};
    *texture = (zo_texture){.bytes = bytes, .size = size, .swizzle = "rgba"};
    if (!read_all(&r)) {
        *texture = (zo_texture){.width = 0};
    } else {
        texture->encoding = r.format->name;
    }
    return fault;
}
