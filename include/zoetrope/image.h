// Pixels in memory of the caller's: eight bits a channel, RGBA in that order, rows from the top.
#ifndef ZOETROPE_IMAGE_H
#define ZOETROPE_IMAGE_H

#include <zoetrope/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zo_size {
    uint32_t width, height; // px
} zo_size;

typedef struct zo_image {
    uint8_t *pixels;
    uint32_t width, height; // px, at most 16384
    size_t stride;          // bytes from one row to the next, at least width * 4
} zo_image;

// Straight alpha to premultiplied and back, in place, rounded to nearest. Back is exact for opaque pixels; colours
// under alpha 0 become 0.
ZO_API void zo_image_premultiply(zo_image *image);
ZO_API void zo_image_unpremultiply(zo_image *image);
// Every pixel to one premultiplied colour.
ZO_API void zo_image_fill(zo_image *image, const uint8_t rgba[4]);

#ifdef __cplusplus
}
#endif

#endif
