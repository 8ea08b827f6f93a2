// Pictures by their heads: whole ones, and ones cut off anywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/picture.h"

#define TEXT(text) text, sizeof text - 1

static const struct {
    const char *bytes;
    size_t size;
    zo_picture_kind kind;
    uint32_t width, height;
} pictures[] = {
    {TEXT("\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\x02\0\0\0\x03\x08\x06\0\0\0crc!"), ZO_PICTURE_PNG, 258, 3},
    {TEXT("RIFF\x1A\0\0\0WEBPVP8 \x0E\0\0\0\x10\0\0\x9D\x01\x2A\x05\x40\x06\x80"), ZO_PICTURE_WEBP, 5, 6},
    {TEXT("RIFF\x1A\0\0\0WEBPVP8L\x0E\0\0\0\x2F\x04\x80\x01\x10\x88\0\0\0\0"), ZO_PICTURE_WEBP, 5, 7},
    {TEXT("RIFF\x1A\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\xFF\x0F\0\x09\0\0"), ZO_PICTURE_WEBP, 4096, 10},
    {TEXT("\xFF\xD8\xFF\xE0\0\x04JF\xFF\xFF\xC2\0\x0B\x08\0\x05\x01\0\x01\x01\x11\0"), ZO_PICTURE_JPEG, 256, 5},
};

static void whole_and_cut_off(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        const zo_picture_info info = picture_look(pictures[i].bytes, pictures[i].size);
        assert_int_equal(info.kind, pictures[i].kind);
        assert_int_equal(info.width, pictures[i].width);
        assert_int_equal(info.height, pictures[i].height);
        assert_int_equal(info.size, pictures[i].size);
        assert_int_equal(strspn(info.sha256, "0123456789abcdef"), 64);
        for (size_t size = 0; size < pictures[i].size; size++) {
            char *piece = malloc(size + 1); // memory of its own, so that reading beyond it is seen
            assert_non_null(piece);
            memcpy(piece, pictures[i].bytes, size);
            char *exact = realloc(piece, size > 0 ? size : 1);
            assert_int_equal(picture_look(exact, size).kind, ZO_PICTURE_OTHER);
            free(exact);
        }
    }
}

static void what_is_none(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } others[] = {
        {TEXT("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"/>")},
        {TEXT("GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;                    ")},
        {TEXT("\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\0\0\0\0\x03\x08\x06\0\0\0crc!")}, // no columns
        {TEXT("\x89PNG\r\n\x1A\n\0\0\0\x0DIDAT\0\0\0\x01\0\0\0\x03\x08\x06\0\0\0crc!")},
        {TEXT("\xFF\xD8\xFF\xDA\0\x04\0\0\xFF\xC0\0\x0B\x08\0\x05\x01\0\x01\x01\x11\0")}, // pixels before the frame
        {TEXT("\xFF\xD8\xFF\xE0\0\0\xFF\xC0\0\x0B\x08\0\x05\x01\0\x01\x01\x11\0")},       // a segment of no length
        {TEXT("RIFF\x1A\0\0\0WEBPVP9 \x0E\0\0\0\x10\0\0\x9D\x01\x2A\x05\x40\x06\x80")},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(picture_look(others[i].bytes, others[i].size).kind, ZO_PICTURE_OTHER);
    }
}

static void their_names(void **state) {
    (void)state;
    assert_string_equal(picture_mime(ZO_PICTURE_JPEG), "image/jpeg");
    assert_string_equal(picture_ending(ZO_PICTURE_JPEG), "jpeg");
    assert_string_equal(picture_ending(ZO_PICTURE_OTHER), "");
    assert_string_equal(picture_ending_at(3), "jpg");
    assert_null(picture_ending_at(4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_and_cut_off),
        cmocka_unit_test(what_is_none),
        cmocka_unit_test(their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
