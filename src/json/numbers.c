// Numbers: one pass from text to the correctly rounded double, digits gathered as they are checked. Called by the
// parser. The text itself stays where it is; the node knows its range.
#include "json/parser.h"

#include "base/number.h"
#include "json/scan.h"

// Exact in double; so is every integer below 2^53, and a product or quotient of two exact values is rounded once.
static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { DIGITS_EXACT = 19 }; // so many decimal digits always fit in 64 bits

static const uint32_t powers_of_ten_u32[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

// The number that eight digit values (not characters) make, the first in the lowest bits: pairs, then fours, then all.
static inline uint64_t join_eight(uint64_t values) {
    values = (values * 10 + (values >> 8)) & 0x00FF00FF00FF00FFu;
    values = (values * 100 + (values >> 16)) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(values * 10000 + (values >> 32));
}

// Appends the run of digits at `at` to *digits (which wraps when there are too many: the caller counts). Eight bytes at
// a time and without a branch for each digit, which would be guessed wrong at the end of every number.
static inline const uint8_t *gather(const uint8_t *at, const uint8_t *end, uint64_t *digits) {
    uint64_t sum = *digits;
    while (end - at >= 8) {
        const uint64_t values = zj_load8(at) ^ ZJ_EVERY('0'); // 0..9 for digits
        // The highest bit of each byte above 9; exact up to and including the first.
        const uint64_t others = ((values + ZJ_EVERY(0x76)) | values) & ZJ_EVERY(0x80);
        if (others != 0) {
            const uint32_t count = (uint32_t)__builtin_ctzll(others) >> 3;
            // Shifted up behind zeros, in two steps as a shift by 64 is none.
            *digits = sum * powers_of_ten_u32[count] + join_eight(values << (56 - 8 * count) << 8);
            return at + count;
        }
        sum = sum * 100000000 + join_eight(values);
        at += 8;
    }
    for (; at < end && zj_is_digit(*at); at++) { sum = sum * 10 + (uint64_t)(*at - '0'); }
    *digits = sum;
    return at;
}

// More digits than fit: keeps the first 19 significant ones and says whether a later one is not zero.
static double make_long(const uint8_t *begin, const uint8_t *end, int64_t written_exponent, bool negative) {
    uint64_t digits = 0;
    uint32_t kept = 0;
    bool more = false, fraction = false;
    int64_t exponent = written_exponent;
    for (const uint8_t *at = begin; at < end && (*at | 0x20) != 'e'; at++) {
        if (*at == '-') { continue; }
        if (*at == '.') {
            fraction = true;
            continue;
        }
        if (kept == DIGITS_EXACT) {
            more = more || *at != '0';
            exponent += fraction ? 0 : 1;
            continue;
        }
        digits = digits * 10 + (uint64_t)(*at - '0');
        kept += digits != 0 ? 1 : 0;
        exponent -= fraction ? 1 : 0;
    }
    return zb_number_make(digits, exponent, negative, more, (const char *)begin, (size_t)(end - begin));
}

// The exponent after e or E. Saturates far outside of what a double can hold, whatever the length of the text.
static const uint8_t *read_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent) {
    bool negative = false;
    if (at < end && (*at == '+' || *at == '-')) {
        negative = *at == '-';
        at++;
    }
    if (at == end || !zj_is_digit(*at)) { return NULL; }
    int64_t value = 0;
    for (; at < end && zj_is_digit(*at); at++) {
        if (value < INT64_C(1000000000000)) { value = value * 10 + (*at - '0'); }
    }
    *exponent = negative ? -value : value;
    return at;
}

static const uint8_t *fault(zj_parser *p, uint32_t node, zd_id id, const uint8_t *begin, const uint8_t *at) {
    const zo_text so_far = {(const char *)begin, (size_t)(at - begin)};
    return zj_fault(p, node, id, begin, so_far.size, ZD_ARGS(zd_text(so_far)));
}

static const uint8_t *no_digit_after_minus(zj_parser *p, const uint8_t *begin, uint32_t node) {
    const uint8_t *at = begin + 1;
    if (at < p->end && *at == '.') { return zj_fault(p, node, ZD_JSON_LEADING_POINT, at, 1, ZD_ARGS(zd_word("."))); }
    while (at < p->end && zj_is_word(*at)) { at++; }
    if (zj_is_nan_word(begin, at)) { return fault(p, node, ZD_JSON_NAN, begin, at); }
    return fault(p, node, ZD_JSON_MINUS, begin, begin + 1);
}

const uint8_t *zj_read_number(zj_parser *p, const uint8_t *at, uint32_t node) {
    const uint8_t *const begin = at, *const end = p->end;
    const bool negative = *at == '-';
    at += negative ? 1 : 0;

    const uint8_t *const whole = at;
    uint64_t digits = 0;
    for (; at < end && zj_is_digit(*at); at++) { digits = digits * 10 + (uint64_t)(*at - '0'); } // one or two, mostly
    int64_t digit_count = at - whole;
    if (digit_count == 0) { return no_digit_after_minus(p, begin, node); }
    if (digit_count > 1 && *whole == '0') { return fault(p, node, ZD_JSON_LEADING_ZERO, begin, at); }

    int64_t exponent = 0;
    if (at < end && *at == '.') {
        const uint8_t *const fraction = at + 1;
        at = gather(fraction, end, &digits);
        if (at == fraction) { return fault(p, node, ZD_JSON_TRAILING_POINT, begin, at); }
        exponent = fraction - at;
        digit_count -= exponent;
    }
    int64_t written_exponent = 0;
    if (at < end && (*at | 0x20) == 'e') {
        const uint8_t *const after = read_exponent(at + 1, end, &written_exponent);
        if (after == NULL) { return fault(p, node, ZD_JSON_EXPONENT, begin, at + 1); }
        at = after;
        exponent += written_exponent;
    }

    double number;
    if (digit_count > DIGITS_EXACT) {
        number = make_long(begin, at, written_exponent, negative);
    } else if (digits <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22) {
        number = (double)(int64_t)digits;
        number = exponent < 0 ? number / powers_of_ten[-exponent] : number * powers_of_ten[exponent];
        number = negative ? -number : number;
    } else {
        number = zb_number_make(digits, exponent, negative, false, (const char *)begin, (size_t)(at - begin));
    }
    zj_node *const n = &p->nodes[node];
    n->end = zj_offset(p, at);
    n->as.number = number;
    if (!zb_is_finite(number)) { n->flags |= ZJ_OUT_OF_RANGE; }
    return at;
}
