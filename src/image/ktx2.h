// KTX2 files behind <zoetrope/texture.h>: the container is read, its levels become pixels, files are written. Called by
// api. Texture files come from strangers: whatever a field says is held against the bytes that are there and against
// limits before anything is done with it.
#ifndef ZI_KTX2_H
#define ZI_KTX2_H

#include <zoetrope/texture.h>

#include "base/base.h"

enum { ZI_KTX2_GLOBAL_AT = 64, ZI_KTX2_INDEX_AT = 80, ZI_KTX2_INDEX_ENTRY = 24 }; // where things stand in the file

// How the pixels of a format lie in the file.
typedef enum zi_layout {
    ZI_R8, ZI_RG8, ZI_RGB8, ZI_BGR8, ZI_RGBA8, ZI_BGRA8,
    ZI_BC1_RGB, ZI_BC1_RGBA, ZI_BC2, ZI_BC3, ZI_BC4, ZI_BC5, ZI_BC7,
    ZI_ETC2_RGB, ZI_ETC2_RGBA1, ZI_ETC2_RGBA, ZI_EAC_R11, ZI_EAC_RG11,
    ZI_ASTC, ZI_ASTC_SRGB, // they differ in rounding
    ZI_UASTC, ZI_ETC1S,
} zi_layout;

typedef struct zi_format {
    const char *name;
    uint16_t vk_unorm, vk_srgb; // 0: none of this kind
    uint8_t layout;             // of zi_layout
    uint8_t block_side;         // px: 1 or 4
    uint8_t block_size;         // bytes
    bool has_alpha;
} zi_format;

// The format of a texture that is open. Never NULL.
const zi_format *zi_format_of(const zo_texture *texture);
// By its number; NULL: none that is read.
const zi_format *zi_format_find(uint32_t vk_format);
// Bytes of a level when it is not packed, by its sides; at most 2^30.
uint64_t zi_format_size(const zi_format *format, uint32_t width, uint32_t height);

// Half the sides, see zo_texture_halve.
void zi_halve(const zo_image *from, zo_image *to);

static inline uint32_t zi_level_side(uint32_t side, uint32_t level) { return side >> level > 1 ? side >> level : 1; }

zo_texture_fault zi_ktx2_open(const uint8_t *bytes, size_t size, zo_texture *texture);
zo_texture_pair zi_ktx2_pair(const zo_texture *texture, uint32_t index);
size_t zi_ktx2_scratch(const zo_texture *texture, uint32_t level);
zo_texture_fault zi_ktx2_decode(const zo_texture *texture, uint32_t level, const zo_texture_decoder *decoder,
                                zo_image *image);
zo_status zi_ktx2_write(const zo_texture_file *file, zo_write_fn write, void *context);

static inline uint16_t zi_get_16(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }
static inline uint32_t zi_get_32(const uint8_t *bytes) {
    return zi_get_16(bytes) | (uint32_t)zi_get_16(bytes + 2) << 16;
}
static inline uint64_t zi_get_64(const uint8_t *bytes) {
    return zi_get_32(bytes) | (uint64_t)zi_get_32(bytes + 4) << 32;
}

#endif
