// Pictures, public: the checks of <zoetrope/image.h>, then src/image.
#include "image/image.h"

void zo_image_premultiply(zo_image *image) {
    ZO_ASSERT(image);
    ZO_ASSERT(zi_image_check(image));
    zi_image_premultiply(image);
}

void zo_image_unpremultiply(zo_image *image) {
    ZO_ASSERT(image);
    ZO_ASSERT(zi_image_check(image));
    zi_image_unpremultiply(image);
}

void zo_image_fill(zo_image *image, const uint8_t rgba[4]) {
    ZO_ASSERT(image);
    ZO_ASSERT(rgba);
    ZO_ASSERT(zi_image_check(image));
    zi_image_fill(image, rgba);
}
