// Reading and writing of decimals against the C library's strtod and printf, and the cases that naive code gets wrong.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/random.h"
#include "base/test_share.h"

static double parse(const char *text) { return zb_number_parse(text, strlen(text)); }

static void same_as_strtod(const char *text) {
    const double expected = strtod(text, NULL);
    const double read = parse(text);
    if (zb_bits_of(expected) != zb_bits_of(read)) { fail_msg("%s: read %.17g, not %.17g", text, read, expected); }
}

static const char *written(double value) {
    static char text[ZB_NUMBER_TEXT_MAX + 1];
    memset(text, '#', sizeof text);
    const size_t size = zb_number_text(value, text);
    assert_true(size <= ZB_NUMBER_TEXT_MAX);
    text[size] = '\0';
    return text;
}

static double random_double(uint64_t n) { // any bits but infinity and NaN
    for (uint64_t again = 0;; again++) {
        const double value = zb_double_of(zb_hash64(1, 2, n, again));
        if (zb_is_finite(value)) { return value; }
    }
}

static void out_of_range_gives_infinity_or_zero_with_the_sign(void **state) {
    (void)state;
    static const char *const texts[] = {
        "1e400", "-1e400", "1e-400", "-1e-400", "0e999999999999999999999", "-0", "0", "-0.0e5",
        "1e99999999999999999999999",
        "1e-99999999999999999999999", "-1E+309", "1.7976931348623157e308", "1.7976931348623158e308",
        "1.7976931348623159e308", "179769313486231580793728971405301e276", "2.4703282292062327208e-324",
        "2.4703282292062328e-324", "4.9e-324", "5e-324", "1e-343", "99999999999999999999e-343",
    };
    for (size_t i = 0; i < ZB_COUNT(texts); i++) { same_as_strtod(texts[i]); }
}

static void half_way_goes_to_even_however_many_digits_say_so(void **state) {
    (void)state;
    static const char *const texts[] = {
        "9007199254740993", "9007199254740993.00000000000000000000000000001",
        "9007199254740992.99999999999999999999999",
        "9007199254740995", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126", "2.2250738585072011e-308", "2.2250738585072012e-308",
        "8.41e21", "9214843084008499", "6929495644600919.5",
        "3.237883913302901289588352412501532174863094e-319", "7.8459735791271921e65",
        "0.500000000000000166533453693773481063544750213623046875", "1e23",
        "9.5367431640625e-7", "30078505129381147446200", "1777820000000000000001", "6.631236846766476e-316",
    };
    for (size_t i = 0; i < ZB_COUNT(texts); i++) { same_as_strtod(texts[i]); }
    // The exact expansion of the points half way between two doubles, and a digit more and less at the end.
    static char text[1200];
    for (uint64_t n = 0; n < 400; n++) {
        const double low = fabs(n % 4 == 0 ? zb_double_of(zb_hash64(1, 3, n, 0) >> 12) : random_double(n));
        const long double half = ((long double)low + (long double)nextafter(low, HUGE_VAL)) / 2;
        if (!(half < 1e308L)) { continue; }
        const int size = snprintf(text, sizeof text, "%.*Le", 780, half);
        same_as_strtod(text);
        char *last = strchr(text, 'e');
        assert_true(size > 780);
        last[-1] = '1'; // beyond the last digit that decides
        same_as_strtod(text);
    }
    // Just below: the expansion's last digit one less and nines after it.
    same_as_strtod("9007199254740992.9999999999999999999999999999999999999999999999999999999999999999999999");
}

static void ten_thousand_digits_are_read_right(void **state) {
    (void)state;
    const size_t size = 10000;
    char *text = malloc(size + 32);
    assert_non_null(text);
    for (uint32_t lead = 1; lead < 10; lead++) {
        for (size_t i = 0; i < size; i++) { text[i] = (char)('0' + zb_hash64(lead, 1, 1, i) % 10); }
        text[0] = (char)('0' + lead);
        text[1] = '.';
        strcpy(text + size, lead % 2 ? "e-300" : "e300");
        same_as_strtod(text);
        memset(text + 2, '0', size - 2); // only the very last digit says that it is above the half
        memcpy(text, "9007199254740993.", 17);
        text[size - 1] = '1';
        strcpy(text + size, "");
        same_as_strtod(text);
        strcpy(text + size, "e-10");
        same_as_strtod(text);
        memcpy(text, "0.00000000000000", 16); // thousands of noughts first
        strcpy(text + size, "e10000");
        same_as_strtod(text);
        text[0] = '1';
        memset(text + 1, '0', size - 1);
        strcpy(text + size, "e-9999");
        same_as_strtod(text);
    }
    free(text);
}

static void random_doubles_come_back(void **state) {
    (void)state;
    char text[64];
    for (uint64_t n = 0; n < test_share(300000); n++) {
        const double value = random_double(n);
        const double read = parse(written(value));
        if (zb_bits_of(read) != zb_bits_of(value)) { fail_msg("%.17g came back as %.17g", value, read); }
        snprintf(text, sizeof text, "%.*e", (int)(n % 25), value);
        same_as_strtod(text);
        const double everyday = (double)(int64_t)(zb_hash64(1, 4, n, 0) >> 40) / 1000.0 - 8000.0;
        snprintf(text, sizeof text, "%.*f", (int)(n % 20), everyday);
        same_as_strtod(text);
    }
}

static void random_digits_read_as_strtod_does(void **state) {
    (void)state;
    char text[96];
    for (uint64_t n = 0; n < test_share(300000); n++) {
        const uint64_t bits = zb_hash64(5, 5, n, 0);
        const uint64_t digits = zb_hash64(5, 5, n, 1) >> (bits % 64);
        const int exponent = (int)(bits >> 8 & 1023) - 512;
        snprintf(text, sizeof text, "%s%lluE%+d", bits >> 63 ? "-" : "", (unsigned long long)digits,
                 (bits >> 7 & 1) != 0 ? exponent : exponent / 20);
        same_as_strtod(text);
    }
}

// Powers of two and their neighbours (there the gap below is half the one above), everyday numbers, any numbers.
static double number_to_write(uint64_t n) {
    if (n < 3 * 2046) { return zb_double_of(((n / 3 + 1) << 52) + n % 3 - 1); }
    return n % 3 == 0 ? (double)(zb_hash64(1, 6, n, 0) >> 44) * 0.001 : fabs(random_double(n));
}

static void no_shorter_text_reads_back_the_same(void **state) {
    (void)state;
    for (uint64_t n = 0; n < test_share(60000); n++) {
        const double value = number_to_write(n);
        char shortest[64];
        int digits = 1;
        for (; digits <= 17; digits++) {
            snprintf(shortest, sizeof shortest, "%.*e", digits - 1, value);
            if (strtod(shortest, NULL) == value) { break; }
        }
        char ours[64];
        const double read = strtod(written(value), NULL);
        assert_true(read == value);
        snprintf(ours, sizeof ours, "%s", written(value));
        int ours_digits = 0;
        bool leading = true;
        int noughts = 0;
        for (const char *c = ours; *c && *c != 'e'; c++) {
            if (*c == '.' || (leading && *c == '0')) { continue; }
            leading = false;
            noughts = *c == '0' ? noughts + 1 : 0;
            ours_digits++;
        }
        if (ours_digits - noughts > digits) { fail_msg("%s is longer than %s", ours, shortest); }
        // Above a power of two the nearest decimal of some length may read as the one below, and one farther off not.
        if (ours_digits - noughts < digits) { continue; }
        const long double ours_error = fabsl(strtold(ours, NULL) - (long double)value);
        const long double best_error = fabsl(strtold(shortest, NULL) - (long double)value);
        if (ours_error > best_error * 1.000001L) { fail_msg("%s is farther off than %s", ours, shortest); }
    }
}

static void layout_is_that_of_ecmascript(void **state) {
    (void)state;
    static const struct { double value; const char *text; } cases[] = {
        {(double)NAN, "nan"}, {HUGE_VAL, "inf"}, {-HUGE_VAL, "-inf"},
        {0.0, "0"}, {-0.0, "-0"}, {1, "1"}, {-1.5, "-1.5"},
        {100, "100"}, {1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1.5e21, "1.5e+21"},
        {123456789012345680000.0, "123456789012345680000"}, {1e-6, "0.000001"}, {1.5e-6, "0.0000015"}, {1e-7, "1e-7"},
        {1.25e-7, "1.25e-7"}, {5e-324, "5e-324"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"}, {0.1, "0.1"}, {0.1 + 0.2, "0.30000000000000004"},
        {1e23, "1e+23"}, {9007199254740993.0, "9007199254740992"}, {4.35, "4.35"}, {1024, "1024"}, {0.5, "0.5"},
        {-1.7976931348623157e-300, "-1.7976931348623157e-300"}, {2e-323, "2e-323"}, {1.0 / 3, "0.3333333333333333"},
        {0x1p-1017, "7.120236347223045e-307"}, // a power of two whose shortest form is not the nearest of its length
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) { assert_string_equal(written(cases[i].value), cases[i].text); }
}

static void fixed_point_is_printf_without_its_surprises(void **state) {
    (void)state;
    char ours[64];
    char theirs[64];
    for (uint64_t n = 0; n < test_share(100000); n++) {
        const uint32_t decimals = (uint32_t)(n % 18);
        const uint64_t bits = zb_hash64(7, 7, n, 0);
        double value = 0;
        switch (n / 18 % 5) {
        case 0: value = ldexp((double)(int64_t)bits, -64 + (int)(bits & 63)); break;
        case 1: value = (double)((int64_t)bits >> 40) / 8; break; // many ties
        case 2: value = (double)((int64_t)bits >> 50) / 4096; break;
        case 3: value = ldexp((double)(int64_t)bits, -(int)(bits % 900)); break;
        default: value = ldexp((double)(int64_t)bits, (int)(bits % 6)); break;
        }
        const size_t size = zb_number_fixed(value, decimals, ours);
        assert_true(size <= 48);
        ours[size] = '\0';
        snprintf(theirs, sizeof theirs, "%.*f", (int)decimals, value);
        assert_string_equal(ours, theirs);
    }
    assert_int_equal(zb_number_fixed(-0.0, 2, ours), 5);
    assert_memory_equal(ours, "-0.00", 5);
    assert_int_equal(zb_number_fixed(1e300, 2, ours), 6);
    assert_memory_equal(ours, "1e+300", 6);
    assert_int_equal(zb_number_fixed(-999999999999999868928.0, 17, ours), 40);
}

static void integers_are_written_whole(void **state) {
    (void)state;
    char text[ZB_NUMBER_TEXT_MAX];
    assert_int_equal(zb_int_text(INT64_MIN, text), 20);
    assert_memory_equal(text, "-9223372036854775808", 20);
    assert_int_equal(zb_int_text(0, text), 1);
    assert_memory_equal(text, "0", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of_range_gives_infinity_or_zero_with_the_sign),
        cmocka_unit_test(half_way_goes_to_even_however_many_digits_say_so),
        cmocka_unit_test(ten_thousand_digits_are_read_right),
        cmocka_unit_test(random_doubles_come_back),
        cmocka_unit_test(random_digits_read_as_strtod_does),
        cmocka_unit_test(no_shorter_text_reads_back_the_same),
        cmocka_unit_test(layout_is_that_of_ecmascript),
        cmocka_unit_test(fixed_point_is_printf_without_its_surprises),
        cmocka_unit_test(integers_are_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
