#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "image/image.h"

static void impossible_pictures_are_told(void **state) {
    (void)state;
    uint8_t pixels[16] = {0};
    assert_false(zi_image_check(&(zo_image){.pixels = NULL, .width = 1, .height = 1, .stride = 4}));
    assert_false(zi_image_check(&(zo_image){.pixels = pixels, .width = 2, .height = 1, .stride = 7}));
    assert_false(zi_image_check(&(zo_image){.pixels = pixels, .width = 16385, .height = 1, .stride = 16385 * 4}));
    assert_false(zi_image_check(&(zo_image){.pixels = pixels, .width = 1, .height = 16385, .stride = 4}));
    assert_true(zi_image_check(&(zo_image){.pixels = NULL, .width = 0, .height = 7}));
    assert_true(zi_image_check(&(zo_image){.pixels = pixels, .width = 2, .height = 2, .stride = 8}));
}

static void premultiply_rounds_to_nearest(void **state) {
    (void)state;
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        for (uint32_t value = 0; value < 256; value++) {
            uint8_t pixel[4] = {(uint8_t)value, (uint8_t)(255 - value), (uint8_t)value, (uint8_t)alpha};
            zo_image image = {.pixels = pixel, .width = 1, .height = 1, .stride = 4};
            zi_image_premultiply(&image);
            assert_int_equal(pixel[0], (value * alpha + 127) / 255);
            assert_int_equal(pixel[1], ((255 - value) * alpha + 127) / 255);
            assert_int_equal(pixel[2], pixel[0]);
            assert_int_equal(pixel[3], alpha);
        }
    }
}

static void unpremultiply_rounds_to_nearest(void **state) {
    (void)state;
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        for (uint32_t value = 0; value < 256; value++) {
            uint8_t pixel[4] = {0, (uint8_t)value, (uint8_t)value, (uint8_t)alpha};
            zo_image image = {.pixels = pixel, .width = 1, .height = 1, .stride = 4};
            zi_image_unpremultiply(&image);
            uint32_t expected = alpha == 0 ? 0 : (value * 255 + alpha / 2) / alpha;
            expected = expected > 255 ? 255 : expected;
            assert_int_equal(pixel[0], 0);
            assert_int_equal(pixel[1], expected);
            assert_int_equal(pixel[2], expected);
            assert_int_equal(pixel[3], alpha);
            if (value > alpha) { continue; }
            zi_image_premultiply(&image); // there and back: nothing is lost of a premultiplied colour
            assert_int_equal(pixel[1], value);
        }
    }
}

static void rows_end_where_they_should(void **state) {
    (void)state;
    uint8_t pixels[3 * 12];
    memset(pixels, 200, sizeof pixels);
    zo_image image = {.pixels = pixels, .width = 2, .height = 3, .stride = 12};
    zi_image_fill(&image, (const uint8_t[4]){1, 2, 3, 4});
    for (uint32_t y = 0; y < 3; y++) {
        assert_memory_equal(pixels + y * 12, "\1\2\3\4\1\2\3\4\310\310\310\310", 12);
    }
    zi_image_fill(&image, (const uint8_t[4]){9, 9, 9, 9});
    assert_memory_equal(pixels + 12, "\11\11\11\11\11\11\11\11\310\310\310\310", 12);
    zi_image_premultiply(&image);
    zi_image_unpremultiply(&image);
    assert_int_equal(pixels[8], 200);
    assert_int_equal(pixels[35], 200);
    zo_image none = {0};
    zi_image_fill(&none, (const uint8_t[4]){1, 2, 3, 4});
    zi_image_premultiply(&none);
    zi_image_unpremultiply(&none);
}

// Long stretches are gone through many pixels at a time: what is done to one must not depend on its neighbours.
static void unpremultiply_treats_each_pixel_alone(void **state) {
    (void)state;
    enum { COUNT = 61 };
    static const uint8_t kinds[][4] = {{0, 0, 0, 0}, {9, 200, 0, 255}, {7, 0, 1, 0}, {20, 90, 3, 100}, {255, 255, 255, 255}};
    uint64_t random = 1;
    for (uint32_t turn = 0; turn < 3000; turn++) {
        uint8_t pixels[COUNT * 4], wanted[COUNT * 4];
        uint32_t kind = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const uint32_t change = turn % 20 + 1; // runs from one pixel to many
            if ((random >> 40) % change == 0) { kind = (uint32_t)(random >> 33) % 5; }
            memcpy(pixels + i * 4, kinds[kind], 4);
            memcpy(wanted + i * 4, kinds[kind], 4);
            zo_image one = {.pixels = wanted + i * 4, .width = 1, .height = 1, .stride = 4};
            zi_image_unpremultiply(&one);
        }
        zo_image row = {.pixels = pixels, .width = COUNT - turn % 9, .height = 1, .stride = sizeof pixels};
        zi_image_unpremultiply(&row);
        assert_memory_equal(pixels, wanted, row.width * 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_pictures_are_told),
        cmocka_unit_test(premultiply_rounds_to_nearest),
        cmocka_unit_test(unpremultiply_rounds_to_nearest),
        cmocka_unit_test(unpremultiply_treats_each_pixel_alone),
        cmocka_unit_test(rows_end_where_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
