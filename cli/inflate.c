// See inflate.h.
#include <limits.h>
#define ZLIB_CONST // what is read is not written to
#include <zlib.h>
#include <zstd.h>

#include "inflate.h"

// zlib's own calls for whole streams take less to be enough: here nothing may be left over on either side.
static bool inflate_zlib(const void *from, size_t from_size, void *to, size_t to_size) {
    if (from_size > UINT_MAX || to_size > UINT_MAX) { return false; } // levels are smaller
    z_stream stream = {.next_in = from, .avail_in = (uInt)from_size, .next_out = to, .avail_out = (uInt)to_size};
    if (inflateInit(&stream) != Z_OK) { return false; }
    const bool fine = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
    inflateEnd(&stream);
    return fine;
}

bool cli_inflate(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to,
                 size_t to_size) {
    (void)context;
    switch (scheme) {
    case ZO_SCHEME_ZSTD: return ZSTD_decompress(to, to_size, from, from_size) == to_size; // frame after frame
    case ZO_SCHEME_ZLIB: return inflate_zlib(from, from_size, to, to_size);
    default: return false;
    }
}

static size_t deflate_zstd(int effort, const void *from, size_t from_size, void *to, size_t capacity) {
    ZSTD_CCtx *packing = ZSTD_createCCtx();
    if (packing == NULL) { return 0; }
    ZSTD_CCtx_setParameter(packing, ZSTD_c_compressionLevel, effort);
    ZSTD_CCtx_setParameter(packing, ZSTD_c_checksumFlag, 1);
    const size_t size = ZSTD_compress2(packing, to, capacity, from, from_size);
    ZSTD_freeCCtx(packing);
    return ZSTD_isError(size) ? 0 : size;
}

static size_t deflate_zlib(int effort, const void *from, size_t from_size, void *to, size_t capacity) {
    const int level = effort < 1 ? 1 : effort > Z_BEST_COMPRESSION ? Z_BEST_COMPRESSION : effort;
    uLongf size = capacity;
    return compress2(to, &size, from, from_size, level) == Z_OK ? size : 0;
}

size_t cli_deflate(void *context, zo_texture_scheme scheme, int effort, const void *from, size_t from_size, void *to,
                   size_t capacity) {
    (void)context;
    switch (scheme) {
    case ZO_SCHEME_ZSTD: return deflate_zstd(effort, from, from_size, to, capacity);
    case ZO_SCHEME_ZLIB: return deflate_zlib(effort, from, from_size, to, capacity);
    default: return 0;
    }
}
