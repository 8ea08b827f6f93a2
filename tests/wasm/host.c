// What the tests ask of libraries natively, asked of Node in a build to WebAssembly: levels of textures unpacked,
// pictures decoded. The other side is run.mjs.
#include <png.h>

#include "cli/inflate.h"

#define IMPORT(name) __attribute__((import_module("zoetrope"), import_name(name)))

IMPORT("inflate") extern uint32_t
host_inflate(uint32_t scheme, const void *from, size_t from_size, void *to, size_t to_size);
IMPORT("png_open") extern uint32_t host_png_open(const void *bytes, size_t size, uint32_t sides[2]);
IMPORT("png_read") extern uint32_t host_png_read(const void *bytes, size_t size, void *pixels);

bool cli_inflate(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to,
                 size_t to_size) {
    (void)context;
    return host_inflate((uint32_t)scheme, from, from_size, to, to_size) != 0;
}

int png_image_begin_read_from_memory(png_image *image, const void *bytes, size_t size) {
    uint32_t sides[2];
    if (!host_png_open(bytes, size, sides)) { return 0; }
    image->width = sides[0];
    image->height = sides[1];
    image->bytes = bytes;
    image->size = size;
    return 1;
}

int png_image_finish_read(png_image *image, const void *background, void *pixels, int32_t stride, void *colors) {
    (void)background;
    (void)stride; // rows follow each other, for nobody here wants them otherwise
    (void)colors;
    return image->format == PNG_FORMAT_RGBA && host_png_read(image->bytes, image->size, pixels) != 0;
}
