// The few calls of libpng that the tests make, for builds to WebAssembly, where Node decodes the pictures. Found before
// the system's header there; see host.c.
#ifndef ZO_TEST_PNG_H
#define ZO_TEST_PNG_H

#include <stddef.h>
#include <stdint.h>

enum { PNG_IMAGE_VERSION = 1, PNG_FORMAT_RGBA = 3 };

typedef struct png_image {
    uint32_t version, width, height, format;
    const void *bytes;
    size_t size;
} png_image;

#define PNG_IMAGE_SIZE(image) ((size_t)(image).width * (image).height * 4)

int png_image_begin_read_from_memory(png_image *image, const void *bytes, size_t size);
int png_image_finish_read(png_image *image, const void *background, void *pixels, int32_t stride, void *colors);

#endif
