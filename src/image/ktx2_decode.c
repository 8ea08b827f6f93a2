// The levels of KTX2 textures to pixels: unpacked by the caller's function, taken apart by the decoder of their format,
// turned and swizzled as the file says. Called by api with a texture that is open, so every size has been checked.
#include "base/arena.h"
#include "image/blocks.h"
#include "image/image.h"
#include "image/ktx2.h"

static zo_texture_fault refusal(zo_status status, const char *rule, const char *text, uint64_t offset) {
    return (zo_texture_fault){status, rule, text, offset};
}

// ---------------------------------------------------------------------------------------------------- pixels alone

// Where in the file's pixel each channel stands; 4: it is 0, 5: it is 255.
static void unpack_row(zi_layout layout, const uint8_t *from, uint32_t width, uint8_t *to) {
    static const struct { uint8_t size, places[4]; } layouts[] = {
        [ZI_R8] = {1, {0, 4, 4, 5}}, [ZI_RG8] = {2, {0, 1, 4, 5}}, [ZI_RGB8] = {3, {0, 1, 2, 5}},
        [ZI_BGR8] = {3, {2, 1, 0, 5}}, [ZI_RGBA8] = {4, {0, 1, 2, 3}}, [ZI_BGRA8] = {4, {2, 1, 0, 3}},
    };
    if (layout == ZI_RGBA8) {
        memcpy(to, from, (size_t)width * 4);
        return;
    }
    const uint8_t size = layouts[layout].size;
    for (uint32_t x = 0; x < width; x++, from += size, to += 4) {
        for (uint32_t c = 0; c < 4; c++) {
            const uint8_t place = layouts[layout].places[c];
            to[c] = place < 4 ? from[place] : place == 4 ? 0 : 255;
        }
    }
}

static void decode_pixels(const zi_format *format, const uint8_t *from, zo_image *image) {
    const size_t row_size = (size_t)image->width * format->block_size;
    for (uint32_t y = 0; y < image->height; y++) {
        unpack_row((zi_layout)format->layout, from + y * row_size, image->width, image->pixels + y * image->stride);
    }
}

// ---------------------------------------------------------------------------------------------------- blocks

static zi_block_fn block_decoder(const zi_format *format) {
    switch ((zi_layout)format->layout) {
    case ZI_BC1_RGB: return zi_bc1_block;
    case ZI_BC1_RGBA: return zi_bc1a_block;
    case ZI_BC2: return zi_bc2_block;
    case ZI_BC3: return zi_bc3_block;
    case ZI_BC4: return zi_bc4_block;
    case ZI_BC5: return zi_bc5_block;
    case ZI_BC7: return zi_bc7_block;
    case ZI_ETC2_RGB: return zi_etc2_rgb_block;
    case ZI_ETC2_RGBA1: return zi_etc2_rgba1_block;
    case ZI_ETC2_RGBA: return zi_etc2_rgba_block;
    case ZI_EAC_R11: return zi_eac_r_block;
    case ZI_EAC_RG11: return zi_eac_rg_block;
    case ZI_ASTC: return zi_astc_block;
    case ZI_ASTC_SRGB: return zi_astc_srgb_block;
    case ZI_UASTC: return zi_uastc_block;
    default: break;
    }
    ZO_ASSERT(false); // the others are no blocks
    return NULL;
}

// false: the block that begins at *offset is no valid one.
static bool decode_blocks(const zi_format *format, const uint8_t *from, zo_image *image, uint64_t *offset) {
    const zi_block_fn decode = block_decoder(format);
    const uint8_t *block = from;
    for (uint32_t y = 0; y < image->height; y += ZI_BLOCK_SIDE) {
        const uint32_t rows = image->height - y < ZI_BLOCK_SIDE ? image->height - y : ZI_BLOCK_SIDE;
        for (uint32_t x = 0; x < image->width; x += ZI_BLOCK_SIDE, block += format->block_size) {
            uint8_t texels[ZI_BLOCK_BYTES];
            if (!decode(block, texels)) {
                *offset = (uint64_t)(block - from);
                return false;
            }
            const uint32_t columns = image->width - x < ZI_BLOCK_SIDE ? image->width - x : ZI_BLOCK_SIDE;
            uint8_t *to = image->pixels + y * image->stride + (size_t)x * 4;
            if (columns == ZI_BLOCK_SIDE) { // a fixed size is copied at once
                for (uint32_t row = 0; row < rows; row++) { memcpy(to + row * image->stride, texels + 16 * row, 16); }
            } else {
                for (uint32_t row = 0; row < rows; row++) {
                    memcpy(to + row * image->stride, texels + 16 * row, (size_t)columns * 4);
                }
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- as the file says

static void turn_over(zo_image *image) {
    for (uint32_t y = 0; y < image->height / 2; y++) {
        uint8_t *upper = image->pixels + y * image->stride;
        uint8_t *lower = image->pixels + (image->height - 1 - y) * image->stride;
        for (size_t i = 0; i < (size_t)image->width * 4; i++) {
            const uint8_t kept = upper[i];
            upper[i] = lower[i];
            lower[i] = kept;
        }
    }
}

static void mirror(zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        uint8_t *left = image->pixels + y * image->stride, *right = left + (size_t)(image->width - 1) * 4;
        for (; left < right; left += 4, right -= 4) {
            uint8_t kept[4];
            memcpy(kept, left, 4);
            memcpy(left, right, 4);
            memcpy(right, kept, 4);
        }
    }
}

static void swizzle(const char *letters, zo_image *image) {
    uint8_t places[4];
    for (uint32_t c = 0; c < 4; c++) {
        switch (letters[c]) {
        case 'r': places[c] = 0; break;
        case 'g': places[c] = 1; break;
        case 'b': places[c] = 2; break;
        case 'a': places[c] = 3; break;
        case '0': places[c] = 4; break;
        default: places[c] = 5; break;
        }
    }
    for (uint32_t y = 0; y < image->height; y++) {
        uint8_t *at = image->pixels + y * image->stride;
        for (uint32_t x = 0; x < image->width; x++, at += 4) {
            const uint8_t all[6] = {at[0], at[1], at[2], at[3], 0, 255};
            for (uint32_t c = 0; c < 4; c++) { at[c] = all[places[c]]; }
        }
    }
}

static void finish(const zo_texture *texture, zo_texture_alpha alpha, zo_image *image) {
    if (memcmp(texture->swizzle, "rgba", 4) != 0) { swizzle(texture->swizzle, image); }
    if (texture->bottom_up) { turn_over(image); }
    if (texture->mirrored) { mirror(image); }
    if (alpha == ZO_TEXTURE_STRAIGHT && texture->premultiplied) { zi_image_unpremultiply(image); }
    if (alpha == ZO_TEXTURE_PREMULTIPLIED && !texture->premultiplied) { zi_image_premultiply(image); }
}

// ---------------------------------------------------------------------------------------------------- a level

static bool is_packed(const zo_texture *texture) {
    return texture->scheme == ZO_SCHEME_ZSTD || texture->scheme == ZO_SCHEME_ZLIB;
}

// What is unpacked is what the caller wants already: rows of RGBA that follow each other.
static bool is_direct(const zo_texture *texture, const zo_image *image) {
    return zi_format_of(texture)->layout == ZI_RGBA8 && image->stride == (size_t)image->width * 4;
}

static const uint8_t *global_data(const zo_texture *texture, size_t *size) {
    *size = (size_t)zi_get_64(texture->bytes + ZI_KTX2_GLOBAL_AT + 8);
    return texture->bytes + zi_get_64(texture->bytes + ZI_KTX2_GLOBAL_AT);
}

size_t zi_ktx2_scratch(const zo_texture *texture, uint32_t level) {
    if (texture->scheme == ZO_SCHEME_BASIS) {
        size_t size;
        const uint8_t *global = global_data(texture, &size);
        const size_t books = zb_align_up(zi_etc1s_size(global, size), 16); // checked when it was opened
        return books + zi_etc1s_scratch_size((texture->levels[level].width + 3) / 4);
    }
    return is_packed(texture) ? (size_t)texture->levels[level].unpacked : 0;
}

static const char *decode_slices(const zo_texture *texture, uint32_t level, uint8_t *scratch, zo_image *image) {
    size_t size;
    const uint8_t *global = global_data(texture, &size);
    const uint8_t *record = global + 20 + level * 20;
    const uint8_t *bytes = texture->bytes + texture->levels[level].offset;
    uint8_t *rows = scratch + zb_align_up(zi_etc1s_size(global, size), 16);
    zi_etc1s books;
    if (!zi_etc1s_open(&books, scratch, global, size, texture->level_count)) { return "its codebooks are damaged"; }
    if (!zi_etc1s_slice(&books, bytes + zi_get_32(record + 4), zi_get_32(record + 8), false, image, rows)) {
        return "a slice of colours is damaged";
    }
    const uint32_t alpha_size = zi_get_32(record + 16);
    if (alpha_size > 0 && !zi_etc1s_slice(&books, bytes + zi_get_32(record + 12), alpha_size, true, image, rows)) {
        return "a slice of alpha is damaged";
    }
    return NULL;
}

// What the scratch holds once it is unpacked, or the image itself, becomes the image. `scratch` is NULL where none was
// wanted.
static zo_texture_fault decode_into(const zo_texture *texture, uint32_t level, const zo_texture_decoder *decoder,
                                    uint8_t *scratch, zo_image *image) {
    const zo_texture_level *at = &texture->levels[level];
    const zi_format *format = zi_format_of(texture);
    const uint8_t *bytes = texture->bytes + at->offset;
    uint64_t offset = 0;
    if (texture->scheme == ZO_SCHEME_BASIS) {
        const char *fault = decode_slices(texture, level, scratch, image);
        return fault ? refusal(ZO_INVALID, "packed", fault, at->offset) : refusal(ZO_OK, NULL, NULL, 0);
    }
    if (is_packed(texture)) {
        uint8_t *const to = scratch ? scratch : image->pixels;
        if (!decoder->inflate(decoder->context, texture->scheme, bytes, (size_t)at->size, to, (size_t)at->unpacked)) {
            return refusal(ZO_INVALID, "packed", "what is packed is damaged, or has another size", at->offset);
        }
        if (!scratch) { return refusal(ZO_OK, NULL, NULL, 0); }
        bytes = scratch;
    }
    if (format->block_side == 1) {
        decode_pixels(format, bytes, image);
    } else if (!decode_blocks(format, bytes, image, &offset)) {
        if (scratch) { offset = 0; } // of what is packed no single byte can be named
        return refusal(ZO_INVALID, "block", "a block of pixels is no valid one", at->offset + offset);
    }
    return refusal(ZO_OK, NULL, NULL, 0);
}

zo_texture_fault zi_ktx2_decode(const zo_texture *texture, uint32_t level, const zo_texture_decoder *decoder,
                                zo_image *image) {
    const zo_allocator allocator = zb_allocator_or_default(decoder->allocator);
    const uint64_t at = texture->levels[level].offset;
    if (is_packed(texture) && !decoder->inflate) {
        return refusal(ZO_UNSUPPORTED, "inflate", "it is packed, and nothing unpacks it", at);
    }
    const bool direct = is_packed(texture) && is_direct(texture, image);
    const size_t scratch_size = direct ? 0 : zi_ktx2_scratch(texture, level);
    uint8_t *scratch = scratch_size > 0 ? allocator.alloc(allocator.context, scratch_size) : NULL;
    if (scratch_size > 0 && !scratch) { return refusal(ZO_NO_MEMORY, "memory", "there is no memory to unpack it", at); }
    const zo_texture_fault fault = decode_into(texture, level, decoder, scratch, image);
    if (scratch) { allocator.free(allocator.context, scratch, scratch_size); }
    if (fault.status == ZO_OK) { finish(texture, decoder->alpha, image); }
    return fault;
}
