// UTF-8: every row of Unicode's table 3-7 at its bounds, what lies beyond them, and the width of text on a terminal.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/utf8.h"

static void ill_formed_sequences_are_refused(void **state) {
    (void)state;
    // What stands before the sequence's end in the text counts as one fault or as several: `faults` says how many.
    static const struct { const char *text; uint32_t faults; } cases[] = {
        {"\x80", 1}, {"\xBF", 1}, {"\xC0\x80", 2}, {"\xC1\xBF", 2}, {"\xC2", 1}, {"\xC2x", 1}, {"\xC2\xC0", 2},
        {"\xDF\x7F", 1}, {"\xE0\x9F\xBF", 3}, {"\xE0\xA0", 1}, {"\xE0\x80\x80", 3}, {"\xE1\x80", 1}, {"\xE1\x80x", 1},
        {"\xED\xA0\x80", 3}, {"\xED\xBF\xBF", 3}, {"\xED\x9F", 1}, {"\xEF\xBF", 1}, {"\xEF\xC0\x80", 3},
        {"\xF0\x8F\xBF\xBF", 4}, {"\xF0\x90\x80", 1}, {"\xF0\x90\x80x", 1}, {"\xF4\x90\x80\x80", 4},
        {"\xF4\x8F\xBF", 1},
        {"\xF5\x80\x80\x80", 4}, {"\xF8\x88\x80\x80\x80", 5}, {"\xFC\x84\x80\x80\x80\x80", 6}, {"\xFE", 1}, {"\xFF", 1},
        {"\xF1\x80\xE1\x80\x80", 1}, // the second sequence is whole
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        const size_t size = strlen(cases[i].text);
        uint32_t faults = 0;
        for (size_t at = 0; at < size;) {
            const size_t was = at;
            bool ok = true;
            const uint32_t c = zb_utf8_next(cases[i].text, size, &at, &ok);
            assert_true(at > was && at <= size);
            if (!ok) {
                assert_int_equal(c, 0xFFFD);
                faults++;
            }
        }
        assert_int_equal(faults, cases[i].faults);
        assert_int_equal(zb_utf8_valid_prefix(cases[i].text, size), 0);
    }
}

static size_t encode(uint32_t c, char *text) {
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, c >>= 6) { text[i] = (char)(0x80 | (c & 0x3F)); }
    text[0] = (char)(c | (size == 2 ? 0xC0u : size == 3 ? 0xE0u : 0xF0u));
    return size;
}

static void every_code_point_is_read(void **state) {
    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char text[4];
        const size_t size = encode(c, text);
        size_t at = 0;
        bool ok = true;
        const uint32_t read = zb_utf8_next(text, size, &at, &ok);
        if (c >= 0xD800 && c <= 0xDFFF) {
            assert_false(ok);
            continue;
        }
        assert_true(ok && read == c && at == size);
        assert_int_equal(zb_utf8_valid_prefix(text, size), size);
        assert_int_equal(zb_utf16_count(text, size), c > 0xFFFF ? 2 : 1);
        if (size == 1) { continue; }
        at = 0;
        zb_utf8_next(text, size - 1, &at, &ok); // cut short
        assert_false(ok);
        assert_int_equal(at, size - 1);
    }
}

static void every_two_bytes_agree_with_the_table(void **state) {
    (void)state;
    for (uint32_t pair = 0; pair < 65536; pair++) {
        const char text[2] = {(char)(pair >> 8), (char)pair};
        const uint32_t a = pair >> 8;
        const uint32_t b = pair & 0xFF;
        const bool whole = (a < 0x80 && b < 0x80) || (a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF);
        assert_int_equal(zb_utf8_valid_prefix(text, 2), whole ? 2 : a < 0x80 ? 1 : 0);
    }
}

static void a_fault_is_found_wherever_it_is(void **state) {
    (void)state;
    char text[70];
    for (size_t size = 0; size <= sizeof text; size++) {
        for (size_t bad = 0; bad <= size; bad++) {
            memset(text, 'a', sizeof text);
            if (bad < size) { text[bad] = '\x80'; }
            assert_int_equal(zb_utf8_valid_prefix(text, size), bad);
        }
    }
    assert_int_equal(zb_utf8_valid_prefix(NULL, 0), 0);
    assert_int_equal(zb_utf8_count("a\xC3\xA9\xFF\xFF\xF0\x9F\x98\x80", 9), 5);
    assert_int_equal(zb_utf16_count("a\xC3\xA9\xFF\xFF\xF0\x9F\x98\x80", 9), 6);
}

static void widths_are_those_of_terminals(void **state) {
    (void)state;
    static const struct { uint32_t c, width; } cases[] = {
        {'a', 1}, {'\t', 1}, {0, 1}, {0x7F, 1}, {0xAD, 1}, {0xE9, 1}, {0x300, 0}, {0x36F, 0}, {0x370, 1}, {0x5B0, 0},
        {0x10FF, 1}, {0x1100, 2}, {0x115F, 2}, {0x1160, 0}, {0x200B, 0}, {0x200D, 0}, {0x2026, 1}, {0x20DD, 0},
        {0x231A, 2},
        {0x2713, 1}, {0x3000, 2}, {0x3042, 2}, {0x302A, 0}, {0x4E00, 2}, {0x732B, 2}, {0x9FFF, 2}, {0xAC00, 2},
        {0xD7A3, 2}, {0xFE0F, 0}, {0xFEFF, 0}, {0xFF01, 2}, {0xFF61, 1}, {0xFFE6, 2}, {0xFFFD, 1}, {0x1F600, 2},
        {0x1F5A5, 1}, {0x20000, 2}, {0x2FFFD, 2}, {0xE0100, 0}, {0x10FFFF, 1},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) { assert_int_equal(zb_code_point_width(cases[i].c), cases[i].width); }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ill_formed_sequences_are_refused),
        cmocka_unit_test(every_code_point_is_read),
        cmocka_unit_test(every_two_bytes_agree_with_the_table),
        cmocka_unit_test(a_fault_is_found_wherever_it_is),
        cmocka_unit_test(widths_are_those_of_terminals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
