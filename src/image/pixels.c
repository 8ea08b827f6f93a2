// Whole pictures, pixel by pixel: straight alpha to premultiplied and back, and one colour everywhere. Called by api
// and by whoever decodes pictures. Knows nothing of files or programs.
#include "image/image.h"

static void premultiply_row(uint8_t *pixel, uint32_t count) {
    for (uint32_t i = 0; i < count; i++, pixel += 4) {
        const uint32_t alpha = pixel[3];
        if (alpha == 255) { continue; }
        pixel[0] = (uint8_t)zi_scale(pixel[0], alpha);
        pixel[1] = (uint8_t)zi_scale(pixel[1], alpha);
        pixel[2] = (uint8_t)zi_scale(pixel[2], alpha);
    }
}

// A colour above its alpha is no premultiplied colour; it becomes 255.
static uint8_t straight(uint32_t value, uint32_t alpha, uint64_t inverse) {
    if (value >= alpha) { return 255; }
    // n / alpha, rounded down, as a product: inverse is 2^32 / alpha rounded up, n < 2^16 and alpha < 2^8, so the
    // excess is below 2^24 / 2^32 and reaches no whole number.
    const uint32_t n = value * 255 + alpha / 2;
    return (uint8_t)(n * inverse >> 32);
}

// Two pixels at once. Most of a picture is empty or opaque, and neither changes but for colours under alpha 0.
static inline uint64_t load_pair(const uint8_t *pixel) {
    uint64_t pair;
    memcpy(&pair, pixel, sizeof pair);
    return pair;
}

// How many pixels from here on stay as they are: pairs that are all zero or all opaque.
static uint32_t count_settled(const uint8_t *pixel, uint32_t count) {
    static const uint8_t opaque_bytes[8] = {0, 0, 0, 255, 0, 0, 0, 255};
    const uint64_t opaque = load_pair(opaque_bytes);
    uint32_t i = 0;
    while (i + 8 <= count) { // empty stretches are long
        const uint8_t *at = pixel + (size_t)i * 4;
        if ((load_pair(at) | load_pair(at + 8) | load_pair(at + 16) | load_pair(at + 24)) != 0) { break; }
        i += 8;
    }
    while (i + 2 <= count) {
        const uint64_t pair = load_pair(pixel + (size_t)i * 4);
        if (pair != 0 && (pair & opaque) != opaque) { break; }
        i += 2;
    }
    return i;
}

static void unpremultiply_row(uint8_t *pixel, uint32_t count) {
    uint32_t last = 0;    // neighbours often share their alpha: one division for all of them
    uint64_t inverse = 0;
    for (uint32_t i = 0; i < count; i++, pixel += 4) {
        uint32_t alpha = pixel[3];
        if (alpha == 0 || alpha == 255) {
            const uint32_t settled = count_settled(pixel, count - i);
            i += settled;
            pixel += (size_t)settled * 4;
            if (i >= count) { return; }
            alpha = pixel[3];
            if (alpha == 255) { continue; }
        }
        if (alpha == 0) {
            pixel[0] = pixel[1] = pixel[2] = 0;
            continue;
        }
        if (alpha != last) {
            inverse = (((uint64_t)1 << 32) + alpha - 1) / alpha;
            last = alpha;
        }
        pixel[0] = straight(pixel[0], alpha, inverse);
        pixel[1] = straight(pixel[1], alpha, inverse);
        pixel[2] = straight(pixel[2], alpha, inverse);
    }
}

void zi_image_premultiply(zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        premultiply_row(image->pixels + y * image->stride, image->width);
    }
}

void zi_image_unpremultiply(zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        unpremultiply_row(image->pixels + y * image->stride, image->width);
    }
}

void zi_image_fill(zo_image *image, const uint8_t rgba[4]) {
    if (image->width == 0 || image->height == 0) { return; }
    const size_t size = (size_t)image->width * 4;
    if (rgba[0] == rgba[1] && rgba[0] == rgba[2] && rgba[0] == rgba[3]) { // clearing, most of the time
        for (uint32_t y = 0; y < image->height; y++) { memset(image->pixels + y * image->stride, rgba[0], size); }
        return;
    }
    for (size_t x = 0; x < size; x += 4) { memcpy(image->pixels + x, rgba, 4); }
    for (uint32_t y = 1; y < image->height; y++) { memcpy(image->pixels + y * image->stride, image->pixels, size); }
}
