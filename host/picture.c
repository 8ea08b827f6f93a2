// See picture.h. The heads of the three formats, read by hand: a library that decodes them has more to go wrong than
// two numbers are worth.
#include <string.h>

#include "host/picture.h"
#include "host/store.h"

static const char *const endings[] = {"png", "webp", "jpeg", "jpg"};
static const char *const mimes[] = {"", "image/png", "image/webp", "image/jpeg"};

const char *picture_ending(zo_picture_kind kind) { return kind != ZO_PICTURE_OTHER ? endings[kind - 1] : ""; }
const char *picture_mime(zo_picture_kind kind) { return mimes[kind]; }

const char *picture_ending_at(uint32_t index) {
    return index < sizeof endings / sizeof endings[0] ? endings[index] : NULL;
}

zo_picture_kind picture_kind(const void *bytes, size_t size) {
    const char *const head = bytes;
    if (size >= 8 && memcmp(head, "\x89PNG\r\n\x1A\n", 8) == 0) { return ZO_PICTURE_PNG; }
    if (size >= 12 && memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0) { return ZO_PICTURE_WEBP; }
    return size >= 3 && memcmp(head, "\xFF\xD8\xFF", 3) == 0 ? ZO_PICTURE_JPEG : ZO_PICTURE_OTHER;
}

static uint32_t get_32(const uint8_t *bytes) { // the first byte is the highest
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t get_16(const uint8_t *bytes) { return (uint32_t)bytes[0] << 8 | bytes[1]; }
static uint32_t get_low_24(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

static void look_at_png(const uint8_t *bytes, size_t size, zo_picture_info *info) {
    if (size < 33 || memcmp(bytes + 8, "\0\0\0\x0DIHDR", 8) != 0) { return; }
    info->width = get_32(bytes + 16);
    info->height = get_32(bytes + 20);
}

// Source: https://developers.google.com/speed/webp/docs/riff_container and RFC 6386, 9.1.
static void look_at_webp(const uint8_t *bytes, size_t size, zo_picture_info *info) {
    enum { SIDE = 0x3FFF }; // 14 bits
    if (size < 30) { return; }
    if (memcmp(bytes + 12, "VP8 ", 4) == 0 && memcmp(bytes + 23, "\x9D\x01\x2A", 3) == 0) {
        info->width = get_low_24(bytes + 26) & SIDE;
        info->height = ((uint32_t)bytes[28] | (uint32_t)bytes[29] << 8) & SIDE;
    } else if (memcmp(bytes + 12, "VP8L", 4) == 0 && bytes[20] == 0x2F) {
        const uint32_t bits = get_low_24(bytes + 21) | (uint32_t)bytes[24] << 24;
        info->width = (bits & SIDE) + 1;
        info->height = (bits >> 14 & SIDE) + 1;
    } else if (memcmp(bytes + 12, "VP8X", 4) == 0) {
        info->width = get_low_24(bytes + 24) + 1;
        info->height = get_low_24(bytes + 27) + 1;
    }
}

// The frame's head: baseline, extended, progressive, and the two that code arithmetically.
static bool is_frame(uint8_t marker) {
    return (marker >= 0xC0 && marker <= 0xC2) || marker == 0xC9 || marker == 0xCA;
}

// From segment to segment until the frame's. Source: ITU T.81, B.1.
static void look_at_jpeg(const uint8_t *bytes, size_t size, zo_picture_info *info) {
    size_t at = 2;
    while (at + 4 <= size && bytes[at] == 0xFF) {
        const uint8_t marker = bytes[at + 1];
        if (marker == 0xFF) { // any number of these may stand before one
            at++;
            continue;
        }
        at += 2;
        if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) { continue; } // they stand alone
        if (marker == 0xD9 || marker == 0xDA) { return; } // pixels, and no frame so far
        const size_t length = get_16(bytes + at);
        if (length < 2 || length > size - at) { return; }
        if (is_frame(marker) && length >= 8) {
            info->height = get_16(bytes + at + 3);
            info->width = get_16(bytes + at + 5);
            return;
        }
        at += length;
    }
}

zo_picture_info picture_look(const void *bytes, size_t size) {
    zo_picture_info info = {.kind = picture_kind(bytes, size), .size = size};
    switch (info.kind) {
    case ZO_PICTURE_PNG: look_at_png(bytes, size, &info); break;
    case ZO_PICTURE_WEBP: look_at_webp(bytes, size, &info); break;
    case ZO_PICTURE_JPEG: look_at_jpeg(bytes, size, &info); break;
    case ZO_PICTURE_OTHER: break;
    }
    if (info.width == 0 || info.height == 0) { info = (zo_picture_info){.kind = ZO_PICTURE_OTHER, .size = size}; }
    store_hash(bytes, size, info.sha256);
    return info;
}
