// Textures in KTX2 files: what one is, its levels as RGBA pixels, and files made of pixels. The library unpacks no
// Zstandard and no ZLIB itself: the caller hands in a function that does. Files are untrusted: every bound is checked
// before any memory is asked for. Nothing here keeps state, and a texture may be used on several threads at once.
#ifndef ZOETROPE_TEXTURE_H
#define ZOETROPE_TEXTURE_H

#include <zoetrope/base.h>
#include <zoetrope/image.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ZO_TEXTURE_SIDE_MAX = 16384 };    // px
enum { ZO_TEXTURE_SIZE_MAX = 256 << 20 }; // bytes of the first level: unpacked, and as RGBA pixels
enum { ZO_TEXTURE_LEVELS_MAX = 15 };     // 1 + log2 of the longest side

// How the levels of a file are packed: its number in the file.
typedef enum zo_texture_scheme {
    ZO_SCHEME_NONE = 0,
    ZO_SCHEME_BASIS = 1, // BasisLZ, with ETC1S only
    ZO_SCHEME_ZSTD = 2,
    ZO_SCHEME_ZLIB = 3,
} zo_texture_scheme;

// Unpacks one level. true: all of `from` was read and exactly `to_size` bytes came out; then every byte of `to` is
// written. ZSTD: frames one after another, skippable ones among them; a checksum that is there is right. ZLIB: one
// stream with its checksum (RFC 1950). Must not write beyond `to_size`, whatever the stream says.
typedef bool (*zo_inflate_fn)(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to,
                              size_t to_size);
// Packs one level into at most `capacity` bytes, which is from_size + from_size / 128 + 512. Returns how many it
// became; 0: it failed. `effort` is that of zo_texture_file.
typedef size_t (*zo_deflate_fn)(void *context, zo_texture_scheme scheme, int effort, const void *from, size_t from_size,
                                void *to, size_t capacity);

// Why a texture was refused.
typedef struct zo_texture_fault {
    zo_status status;
    const char *rule; // stable: "level-range" and so on; static
    const char *text; // a clause, "level 1 lies outside the file"; static. Both NULL: nothing is wrong
    uint64_t offset;  // of the byte in the file that says or holds what is wrong; at most the file's size
} zo_texture_fault;

typedef struct zo_texture_level {
    uint64_t offset, size; // in the file, bytes
    uint64_t unpacked;     // bytes; with BASIS 0
    uint32_t width, height; // px
} zo_texture_level;

// A texture is a view of the file's bytes, which must outlive it. No memory belongs to it.
typedef struct zo_texture {
    const uint8_t *bytes;
    size_t size;
    uint32_t width, height;     // px, 1..16384
    uint32_t level_count;       // 1..15
    uint32_t vk_format;         // 0: ETC1S or UASTC
    zo_texture_scheme scheme;
    const char *encoding;       // "UASTC", "ETC1S", "RGBA8", "BC7", "ASTC 4x4" and so on; static
    bool srgb;                  // the transfer function that the file names. Pixels are not converted
    bool premultiplied;         // how its colours are stored
    bool has_alpha;             // whether pixels may have an alpha other than 255
    bool bottom_up;             // KTXorientation is "ru"; decoding turns it over
    bool mirrored;              // KTXorientation begins with "l"; the same
    bool makes_levels;          // its level count is 0: the one level is there, others are to be made of it
    char swizzle[5];            // KTXswizzle, "rgba" when there is none; decoding applies it
    uint32_t pair_count;        // key/value pairs
    zo_texture_level levels[ZO_TEXTURE_LEVELS_MAX]; // the full size first
} zo_texture;

// Reads everything but the pixels. ZO_OK, or why it is refused: ZO_INVALID (no KTX2 file, or a damaged one),
// ZO_UNSUPPORTED (a sound file of a kind that is no picture of a sprite: volumes, arrays, cube maps, formats that are
// not decoded), ZO_LIMIT. `fault` may be NULL. When refused, `texture` is set to zero.
ZO_API zo_status zo_texture_open(const void *bytes, size_t size, zo_texture *texture, zo_texture_fault *fault);

// One key/value pair of a file, index < pair_count; both texts lie in the file. The key is UTF-8 without its zero byte,
// the value any bytes, those of texts with their zero byte.
typedef struct zo_texture_pair {
    zo_text key, value;
} zo_texture_pair;
ZO_API zo_texture_pair zo_texture_pair_at(const zo_texture *texture, uint32_t index);

typedef enum zo_texture_alpha {
    ZO_TEXTURE_STORED = 0, // whichever the file has
    ZO_TEXTURE_STRAIGHT = 1,
    ZO_TEXTURE_PREMULTIPLIED = 2,
} zo_texture_alpha;

typedef struct zo_texture_decoder {
    zo_inflate_fn inflate;         // NULL: textures that are packed with ZSTD or ZLIB are ZO_UNSUPPORTED
    void *context;                 // of inflate
    const zo_allocator *allocator; // NULL: malloc and free
    zo_texture_alpha alpha;
} zo_texture_decoder;

// The most memory that decoding a level asks of the allocator at one time, bytes; at most ZO_TEXTURE_SIZE_MAX and the
// codebooks of ETC1S, 1 MiB. `level` < level_count.
ZO_API size_t zo_texture_scratch(const zo_texture *texture, uint32_t level);

// A level's pixels into the caller's image, whose sides are those of the level: rows from the top, left to right, the
// file's swizzle applied. Channels that a format lacks are 0, alpha 255; formats of 11 bits come as their upper 8.
// ZO_OK; ZO_INVALID: what is packed is damaged; ZO_NO_MEMORY. When refused, the image's pixels may be anything.
// `decoder` NULL: all zero. `fault` may be NULL.
ZO_API zo_status zo_texture_decode(const zo_texture *texture, uint32_t level, const zo_texture_decoder *decoder,
                                   zo_image *image, zo_texture_fault *fault);

// A file to be written: RGBA8.
typedef struct zo_texture_file {
    const zo_image *levels;        // [level_count], the full size first; each half as wide and high, rounded down, but
    uint32_t level_count;          // not below 1. At least 1
    zo_texture_scheme scheme;      // NONE, ZSTD or ZLIB
    int effort;                    // handed to deflate: its compression level
    zo_deflate_fn deflate;         // not wanted with NONE
    void *context;                 // of deflate
    bool linear;                   // the transfer function that the file names is linear, not sRGB
    bool premultiplied;            // what the pixels are
    const zo_texture_pair *pairs;  // [pair_count], in any order. Those that say how the pixels of another file lay
    uint32_t pair_count;           // (KTXorientation, KTXswizzle) are left out, because these lie top down; KTXwriter
                                   // is ours unless given
    const zo_allocator *allocator; // NULL: malloc and free
} zo_texture_file;

// The same file gives the same bytes, as far as deflate's do. ZO_OK; ZO_INVALID: the sides of a level do not fit, a key
// is empty, holds a zero byte, or is there twice; ZO_LIMIT: too large; ZO_NO_MEMORY: that, or deflate gave 0, or
// `write` false. Nothing is written before all levels are packed.
ZO_API zo_status zo_texture_write(const zo_texture_file *file, zo_write_fn write, void *context);

// The next level of straight RGBA: `to` has half the sides of `from`, rounded down, but not below 1. Colours are
// averaged by area, with their alpha as the weight, in stored values.
ZO_API void zo_texture_halve(const zo_image *from, zo_image *to);

#ifdef __cplusplus
}
#endif

#endif
