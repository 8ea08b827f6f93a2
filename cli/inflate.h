// What the library leaves to its caller: levels of textures packed and unpacked, by the libraries zstd and zlib. Called
// by whoever reads or writes textures; safe on several threads at once.
#ifndef CLI_INFLATE_H
#define CLI_INFLATE_H

#include <zoetrope/texture.h>

// As zo_inflate_fn and zo_deflate_fn; the context is not looked at. Zstandard is written with a checksum.
bool cli_inflate(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to,
                 size_t to_size);
size_t cli_deflate(void *context, zo_texture_scheme scheme, int effort, const void *from, size_t from_size, void *to,
                   size_t capacity);

#endif
