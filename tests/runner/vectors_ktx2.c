// charpack/ktx2/cases.json: textures to be decoded, against pictures, and damaged ones to be refused. What each case
// holds is said in the README beside the folder's parent.
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "cli/inflate.h"
#include "vectors.h"

static bool read_png(zo_text bytes, zo_image *image) {
    png_image head = {.version = PNG_IMAGE_VERSION};
    if (png_image_begin_read_from_memory(&head, bytes.data, bytes.size) == 0) { return false; }
    head.format = PNG_FORMAT_RGBA;
    *image = (zo_image){.pixels = malloc(PNG_IMAGE_SIZE(head)), .width = head.width, .height = head.height,
                        .stride = (size_t)head.width * 4};
    return png_image_finish_read(&head, NULL, image->pixels, 0, NULL) != 0;
}

static uint32_t largest_difference(const zo_image *a, const zo_image *b) {
    uint32_t largest = 0;
    for (size_t i = 0; i < a->stride * a->height; i++) {
        const uint32_t x = a->pixels[i], y = b->pixels[i], difference = x > y ? x - y : y - x;
        if (difference > largest) { largest = difference; }
    }
    return largest;
}

// Every level, the first into *image; false: refused.
static bool decode(zo_text bytes, zo_texture *texture, zo_image *image, zo_texture_fault *fault) {
    const zo_texture_decoder decoder = {.inflate = cli_inflate};
    if (zo_texture_open(bytes.data, bytes.size, texture, fault) != ZO_OK) { return false; }
    for (uint32_t i = texture->level_count; i-- > 0;) {
        const zo_texture_level *level = &texture->levels[i];
        free(image->pixels);
        *image = (zo_image){.pixels = malloc((size_t)level->width * level->height * 4), .width = level->width,
                            .height = level->height, .stride = (size_t)level->width * 4};
        if (image->pixels == NULL || zo_texture_decode(texture, i, &decoder, image, fault) != ZO_OK) { return false; }
    }
    return true;
}

static bool says(vectors *v, uint32_t item, const char *name, uint32_t actual) {
    double expected;
    if (vectors_number(v->doc, item, name, &expected) && expected == (double)actual) { return true; }
    vectors_fail(v, vectors_text(v, item, "name"), "%s is %u", name, (unsigned)actual);
    return false;
}

static void run_accepted(vectors *v, uint32_t item) {
    const char *name = vectors_text(v, item, "name");
    char path[256];
    zo_text file, png;
    zo_texture texture;
    zo_texture_fault fault;
    zo_image image = {.pixels = NULL}, expected = {.pixels = NULL};
    double tolerance = 0;
    snprintf(path, sizeof path, "charpack/ktx2/%s", vectors_text(v, item, "file"));
    bool there = vectors_read(v, path, &file);
    snprintf(path, sizeof path, "charpack/ktx2/%s", vectors_text(v, item, "png"));
    there = there && vectors_read(v, path, &png);
    if (there && !decode(file, &texture, &image, &fault)) {
        vectors_fail(v, name, "refused: %s: %s", fault.rule, fault.text);
    } else if (there && (!read_png(png, &expected) || !vectors_number(v->doc, item, "tolerance", &tolerance))) {
        vectors_fail(v, name, "there is nothing to compare with");
    } else if (there && says(v, item, "width", texture.width) && says(v, item, "height", texture.height) &&
               says(v, item, "vkFormat", texture.vk_format) && says(v, item, "scheme", (uint32_t)texture.scheme) &&
               says(v, item, "levels", texture.makes_levels ? 0 : texture.level_count)) {
        const bool alike = image.width == expected.width && image.height == expected.height;
        const uint32_t difference = alike ? largest_difference(&image, &expected) : 256;
        if (difference <= tolerance) {
            vectors_pass(v);
        } else {
            vectors_fail(v, name, "a channel differs by %u", (unsigned)difference);
        }
    }
    free(image.pixels);
    free(expected.pixels);
}

static zo_text from_base64(vectors *v, const char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *bytes = zb_arena_take(v->arena, strlen(text) + 1);
    size_t size = 0;
    uint32_t bits = 0, count = 0;
    for (; *text != '\0' && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        bits = bits << 6 | (uint32_t)(digit != NULL ? digit - digits : 0);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes[size++] = (char)(bits >> count & 255);
        }
    }
    return (zo_text){bytes, size};
}

// In a block of its own size, so that a byte read beyond it is noticed.
static void run_bad(vectors *v, uint32_t item) {
    const char *name = vectors_text(v, item, "name"), *verdict = vectors_text(v, item, "verdict");
    const zo_text bytes = from_base64(v, vectors_text(v, item, "base64"));
    char *alone = malloc(bytes.size > 0 ? bytes.size : 1);
    zo_texture texture;
    zo_texture_fault fault = {.status = ZO_OK};
    zo_image image = {.pixels = NULL};
    memcpy(alone, bytes.data, bytes.size);
    const bool accepted = decode((zo_text){alone, bytes.size}, &texture, &image, &fault);
    const bool told = fault.status != ZO_OK && fault.rule != NULL && fault.text != NULL && fault.offset <= bytes.size;
    if (accepted && strcmp(verdict, "reject") == 0) {
        vectors_fail(v, name, "not refused, although: %s", vectors_text(v, item, "reason"));
    } else if (!accepted && !told) {
        vectors_fail(v, name, "refused without a reason");
    } else {
        vectors_pass(v);
    }
    free(image.pixels);
    free(alone);
}

void vectors_ktx2(vectors *v) {
    VECTORS_EACH(v->doc, item, vectors_member(v->doc, ZJ_ROOT, "accept")) { run_accepted(v, item); }
    VECTORS_EACH(v->doc, item, vectors_member(v->doc, ZJ_ROOT, "bad")) { run_bad(v, item); }
}
