// Pixels: the work on whole pictures behind <zoetrope/image.h>. Called by api; draw may include it too. Nothing here
// allocates or reads files.
#ifndef ZI_IMAGE_H
#define ZI_IMAGE_H

#include <zoetrope/image.h>

#include "base/base.h"

enum { ZI_SIDE_MAX = 16384 }; // px

// true: it can be read and written as its members say. A picture without pixels may have any pointer.
static inline bool zi_image_check(const zo_image *image) {
    if (image->width == 0 || image->height == 0) { return true; }
    return image->pixels != NULL && image->width <= ZI_SIDE_MAX && image->height <= ZI_SIDE_MAX &&
           image->stride >= (size_t)image->width * 4;
}

void zi_image_premultiply(zo_image *image);
void zi_image_unpremultiply(zo_image *image);
void zi_image_fill(zo_image *image, const uint8_t rgba[4]);

// round(x * y / 255) for x, y in 0..255. There are no ties, 255 being odd.
static inline uint32_t zi_scale(uint32_t x, uint32_t y) {
    const uint32_t product = x * y + 128;
    return (product + (product >> 8)) >> 8;
}

#endif
