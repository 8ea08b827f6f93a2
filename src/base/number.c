// Decimal text to double and back, correctly rounded, without locale or stdio. Called by the JSON scanner, the report
// and every writer of text. Must not know JSON beyond the form of its numbers.
//
// Reading: at most 19 digits and a power of ten. Small ones are one exact multiplication or division; the others one or
// two 64 by 64 bit products with a table. Source: D. Lemire, "Number Parsing at a Gigabyte per Second"; N. Mushtak and
// D. Lemire, "Fast Number Parsing Without Fallback". Only when more digits than 19 decide are they compared as big
// integers.
// Writing: the same table. Source: R. Giulietti, "The Schubfach way to render doubles".
#include "base/number.h"

typedef struct zb_wide {
    uint64_t high, low;
} zb_wide;

#include "base/number_table.inc"

enum {
    FRACTION_BITS = 52,
    EXPONENT_BIAS = 1023,
    EXPONENT_INFINITE = 0x7FF,
    POWER_FINITE_MAX = 308,   // w * 10^309 is infinite for every w > 0
    DIGITS_MAX = 19,          // that always fit 64 bits
    DIGITS_DECISIVE = 768,    // no point half way between two doubles has more significant digits
    EXPONENT_LIMIT = 1000000, // of what is written after e, beyond the reach of any text of as many digits
};

static const uint64_t HIDDEN_BIT = (uint64_t)1 << FRACTION_BITS;
static const uint64_t INFINITY_BITS = (uint64_t)EXPONENT_INFINITE << FRACTION_BITS;

static zb_wide multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 uint128;
    const uint128 product = (uint128)a * b;
    return (zb_wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    const uint64_t mask = 0xFFFFFFFFu;
    const uint64_t low = (a & mask) * (b & mask);
    const uint64_t cross = (a >> 32) * (b & mask) + (low >> 32);
    const uint64_t other = (a & mask) * (b >> 32) + (cross & mask);
    return (zb_wide){(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32), other << 32 | (low & mask)};
#endif
}

static int32_t floor_shift(int32_t value, uint32_t bits) { // floor(value / 2^bits)
    return value >= 0 ? value >> bits : -((-value + (int32_t)((1u << bits) - 1)) >> bits);
}

// floor(log2(10^power)), for every power of the table.
static int32_t log2_of_power(int32_t power) { return floor_shift(power * 217706, 16); }

// ---- Reading ----

// The bits of w * 10^power rounded to nearest, ties to even.
static uint64_t bits_of_decimal(uint64_t w, int64_t power_wanted) {
    if (w == 0 || power_wanted < POWER_MIN) { return 0; }
    if (power_wanted > POWER_FINITE_MAX) { return INFINITY_BITS; }
    const int32_t power = (int32_t)power_wanted;
    const int32_t zeros = __builtin_clzll(w);
    const zb_wide factor = powers[power - POWER_MIN];
    zb_wide product = multiply(w << zeros, factor.high);
    // The lower half of the factor matters only when a carry could reach the 55 bits that are looked at.
    if ((product.high & 0x1FF) == 0x1FF) {
        const zb_wide rest = multiply(w << zeros, factor.low);
        product.low += rest.high;
        product.high += product.low < rest.high;
    }
    const int32_t top = (int32_t)(product.high >> 63);
    const int32_t shift = top + 64 - FRACTION_BITS - 3;
    uint64_t fraction = product.high >> shift; // 54 bits: one for rounding
    int32_t exponent = log2_of_power(power) + 63 + top - zeros + EXPONENT_BIAS;
    if (exponent <= 0) { // subnormal
        if (1 - exponent >= 64) { return 0; }
        fraction >>= 1 - exponent;
        fraction += fraction & 1;
        return fraction >> 1; // rounding up into the smallest normal sets its exponent by itself
    }
    // Exactly half way: only where 5^power or its inverse fits 64 bits. Then down when that is even.
    if (product.low <= 1 && power >= -4 && power <= 23 && (fraction & 3) == 1 && fraction << shift == product.high) {
        fraction &= ~(uint64_t)1;
    }
    fraction += fraction & 1;
    fraction >>= 1;
    if (fraction >= 2 * HIDDEN_BIT) {
        fraction = HIDDEN_BIT;
        exponent++;
    }
    if (exponent >= EXPONENT_INFINITE) { return INFINITY_BITS; }
    return (uint64_t)exponent << FRACTION_BITS | (fraction & (HIDDEN_BIT - 1));
}

// Unsigned integers of up to 3072 bits. The two sides of the comparison below need at most 2640.
enum { LIMB_COUNT_MAX = 96 };
typedef struct zb_big {
    uint32_t limbs[LIMB_COUNT_MAX]; // lowest first
    uint32_t count;                 // without leading zeros
} zb_big;

static void big_multiply_add(zb_big *big, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0) {
        ZO_ASSERT(big->count < LIMB_COUNT_MAX);
        big->limbs[big->count++] = (uint32_t)carry;
    }
}

static void big_multiply_power_of_5(zb_big *big, uint32_t power) {
    for (; power >= 13; power -= 13) { big_multiply_add(big, 1220703125u, 0); }
    for (; power > 0; power--) { big_multiply_add(big, 5, 0); }
}

static void big_shift_left(zb_big *big, uint32_t bits) {
    const uint32_t limb_count = bits / 32;
    const uint32_t rest = bits % 32;
    if (rest > 0) { big_multiply_add(big, (uint32_t)1 << rest, 0); }
    if (big->count == 0 || limb_count == 0) { return; }
    ZO_ASSERT(limb_count <= LIMB_COUNT_MAX - big->count);
    memmove(big->limbs + limb_count, big->limbs, big->count * sizeof big->limbs[0]);
    memset(big->limbs, 0, limb_count * sizeof big->limbs[0]);
    big->count += limb_count;
}

static int big_compare(const zb_big *a, const zb_big *b) {
    if (a->count != b->count) { return a->count < b->count ? -1 : 1; }
    for (uint32_t i = a->count; i > 0; i--) {
        if (a->limbs[i - 1] != b->limbs[i - 1]) { return a->limbs[i - 1] < b->limbs[i - 1] ? -1 : 1; }
    }
    return 0;
}

// The digits of the text as an integer, at most DIGITS_DECISIVE of them and then one 1 if any later one is not zero:
// that is enough to stand on the right side of every half-way point. Returns the count of significant digits taken.
static uint32_t big_digits(zb_big *big, const char *text, size_t size) {
    uint32_t taken = 0;
    uint32_t group = 0; // up to nine digits at a time
    uint32_t factor = 1;
    for (size_t i = 0; i < size && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] < '0' || text[i] > '9' || (taken == 0 && text[i] == '0')) { continue; }
        const bool decisive = taken < DIGITS_DECISIVE;
        if (!decisive && text[i] == '0') { continue; }
        group = group * 10 + (decisive ? (uint32_t)(text[i] - '0') : 1);
        factor *= 10;
        taken++;
        if (!decisive) { break; }
        if (factor == 1000000000) {
            big_multiply_add(big, factor, group);
            group = 0;
            factor = 1;
        }
    }
    big_multiply_add(big, factor, group);
    return taken;
}

// Which of two neighbours is nearer to the text's value? `low` is the smaller. The text's first 19 digits are an
// integer times 10^exponent. Compares all digits * 10^scale with (2 * fraction + 1) * 2^half_exponent, multiplied out.
static uint64_t nearer_bits(uint64_t low, uint64_t high, int64_t exponent, const char *text, size_t size) {
    zb_big value = {.count = 0};
    const uint32_t taken = big_digits(&value, text, size);
    ZO_ASSERT(taken > DIGITS_MAX);
    // Bounded: else w and w + 1 would both have given zero or both infinity.
    const int32_t scale = (int32_t)exponent + DIGITS_MAX - (int32_t)taken; // of the last digit taken
    const uint64_t biased = low >> FRACTION_BITS;
    const uint64_t fraction = (low & (HIDDEN_BIT - 1)) | (biased > 0 ? HIDDEN_BIT : 0);
    const uint64_t half_way = 2 * fraction + 1;
    const int32_t half_exponent = (int32_t)(biased > 0 ? biased : 1) - EXPONENT_BIAS - FRACTION_BITS - 1;
    zb_big half = {.limbs = {(uint32_t)half_way, (uint32_t)(half_way >> 32)}, .count = half_way >> 32 ? 2 : 1};
    if (scale >= 0) {
        big_multiply_power_of_5(&value, (uint32_t)scale);
    } else {
        big_multiply_power_of_5(&half, (uint32_t)-scale);
    }
    const int32_t shift = half_exponent - scale; // powers of two that the half-way point has more
    if (shift >= 0) {
        big_shift_left(&half, (uint32_t)shift);
    } else {
        big_shift_left(&value, (uint32_t)-shift);
    }
    const int order = big_compare(&value, &half);
    return order < 0 || (order == 0 && (low & 1) == 0) ? low : high;
}

static const double small_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double zb_number_make(uint64_t digits, int64_t exponent, bool negative, bool more, const char *text, size_t size) {
    if (!more && digits <= 2 * HIDDEN_BIT && exponent >= -22 && exponent <= 22) {
        // Both are exact doubles, so one operation rounds once.
        const double value = (double)digits;
        const double result = exponent < 0 ? value / small_powers[-exponent] : value * small_powers[exponent];
        return negative ? -result : result;
    }
    uint64_t bits = bits_of_decimal(digits, exponent);
    if (more) {
        const uint64_t high = bits_of_decimal(digits + 1, exponent); // 19 digits: no overflow
        if (high != bits) { bits = nearer_bits(bits, high, exponent, text, size); }
    }
    return zb_double_of(bits | (uint64_t)negative << 63);
}

typedef struct zb_scan {
    const char *next, *end;
} zb_scan;

static bool next_is(const zb_scan *scan, char c) { return scan->next < scan->end && *scan->next == c; }

// Appends the digits that follow to `value`, modulo 2^64.
static uint64_t scan_digits(zb_scan *scan, uint64_t value) {
    const char *next = scan->next;
    for (; next < scan->end; next++) {
        const uint32_t digit = (uint32_t)(unsigned char)*next - '0';
        if (digit > 9) { break; }
        value = value * 10 + digit;
    }
    scan->next = next;
    return value;
}

static int64_t scan_exponent(zb_scan *scan, int64_t limit) {
    scan->next++;
    const bool negative = next_is(scan, '-');
    if (negative || next_is(scan, '+')) { scan->next++; }
    int64_t exponent = 0;
    for (; scan->next < scan->end; scan->next++) {
        const uint32_t digit = (uint32_t)(unsigned char)*scan->next - '0';
        if (digit > 9) { break; }
        if (exponent < limit) { exponent = exponent * 10 + digit; }
    }
    return negative ? -exponent : exponent;
}

// More than 19 digits stand there: finds the first 19 significant ones. Returns whether any were left out.
static bool first_digits(const char *begin, const char *end, int64_t fraction_size, uint64_t *digits,
                         int64_t *exponent) {
    const char *next = begin;
    while (next < end && (*next == '0' || *next == '.')) { next++; }
    uint64_t value = 0;
    uint32_t taken = 0;
    int64_t left_out = 0;
    for (; next < end; next++) {
        if (*next == '.') { continue; }
        if (taken < DIGITS_MAX) {
            value = value * 10 + (uint64_t)(*next - '0');
            taken++;
        } else {
            left_out++;
        }
    }
    *digits = value;
    *exponent = left_out - fraction_size;
    return left_out > 0;
}

double zb_number_parse(const char *text, size_t size) {
    zb_scan scan = {text, text + size};
    const bool negative = next_is(&scan, '-');
    if (negative) { scan.next++; }
    const char *begin = scan.next;
    uint64_t digits = scan_digits(&scan, 0);
    int64_t digit_count = scan.next - begin;
    int64_t exponent = 0;
    if (next_is(&scan, '.')) {
        scan.next++;
        const char *fraction = scan.next;
        digits = scan_digits(&scan, digits);
        digit_count += scan.next - fraction;
        exponent = fraction - scan.next;
    }
    const char *end = scan.next;
    bool more = false;
    if (digit_count > DIGITS_MAX) { more = first_digits(begin, end, -exponent, &digits, &exponent); }
    if (next_is(&scan, 'e') || next_is(&scan, 'E')) {
        exponent += scan_exponent(&scan, (int64_t)digit_count + EXPONENT_LIMIT);
    }
    return zb_number_make(digits, exponent, negative, more, begin, (size_t)(end - begin));
}

// ---- Writing ----

typedef struct zb_decimal {
    uint64_t digits;
    int32_t exponent;
} zb_decimal;

// The upper 64 bits of factor * c, with the lowest bit set when anything below is not zero.
static uint64_t round_to_odd(zb_wide factor, uint64_t c) {
    const zb_wide low = multiply(factor.low, c);
    zb_wide high = multiply(factor.high, c);
    high.low += low.high;
    high.high += high.low < low.high;
    return high.high | (high.low > 1);
}

// Never below the power: what round_to_odd needs.
static zb_wide power_rounded_up(int32_t power) {
    zb_wide result = powers[power - POWER_MIN];
    if (power > 55 || power < -27) {
        result.low++;
        result.high += result.low == 0;
    }
    return result;
}

// The shortest decimal in the interval that rounds to the value, of those the nearest. `magnitude`: finite, not zero.
static zb_decimal shortest(uint64_t magnitude) {
    const uint64_t fraction = magnitude & (HIDDEN_BIT - 1);
    const int32_t biased = (int32_t)(magnitude >> FRACTION_BITS);
    const uint64_t c = biased > 0 ? fraction | HIDDEN_BIT : fraction;
    const int32_t q = (biased > 0 ? biased : 1) - EXPONENT_BIAS - FRACTION_BITS;
    if (q <= 0 && q > -FRACTION_BITS - 1 && (c & (((uint64_t)1 << -q) - 1)) == 0) { return (zb_decimal){c >> -q, 0}; }

    const bool even = (c & 1) == 0; // the ends of the interval belong to it
    const bool lower_is_nearer = fraction == 0 && biased > 1;
    const uint64_t lower = 4 * c - 2 + lower_is_nearer;
    const uint64_t upper = 4 * c + 2;
    const int32_t k = floor_shift(q * 1262611 - (lower_is_nearer ? 524031 : 0), 22); // floor(log10(interval))
    const uint32_t h = (uint32_t)(q + log2_of_power(-k) + 1);
    const zb_wide power = power_rounded_up(-k);
    const uint64_t low = round_to_odd(power, lower << h) + !even;
    const uint64_t middle = round_to_odd(power, 4 * c << h);
    const uint64_t high = round_to_odd(power, upper << h) - !even;

    const uint64_t s = middle / 4;
    if (s >= 10) { // one digit less?
        const uint64_t tens = s / 10;
        const bool down = low <= 40 * tens;
        const bool up = 40 * tens + 40 <= high;
        if (down != up) { return (zb_decimal){tens + up, k + 1}; }
    }
    const bool down = low <= 4 * s;
    const bool up = 4 * s + 4 <= high;
    if (down != up) { return (zb_decimal){s + up, k}; }
    const uint64_t half = 4 * s + 2;
    return (zb_decimal){s + (middle > half || (middle == half && (s & 1) != 0)), k};
}

static size_t put_digits(uint64_t value, char *text) { // without leading zeros; 0 gives "0"
    char reversed[20];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; i++) { text[i] = reversed[count - 1 - i]; }
    return count;
}

static size_t put_word(const char *word, char *text) {
    const size_t size = strlen(word);
    memcpy(text, word, size);
    return size;
}

// Digits and the place of the point as ECMAScript sets them: 123, 1230000, 1.23, 0.00123, 1.23e-7, 1e+21.
static size_t lay_out(const char *digits, int32_t count, int32_t point, char *text) {
    size_t size = 0;
    if (point > 21 || point < -5) {
        text[size++] = digits[0];
        if (count > 1) {
            text[size++] = '.';
            memcpy(text + size, digits + 1, (size_t)count - 1);
            size += (size_t)count - 1;
        }
        text[size++] = 'e';
        text[size++] = point > 0 ? '+' : '-';
        return size + put_digits((uint64_t)(point > 0 ? point - 1 : 1 - point), text + size);
    }
    if (point <= 0) {
        size = put_word("0.", text);
        memset(text + size, '0', (size_t)-point);
        size += (size_t)-point;
        memcpy(text + size, digits, (size_t)count);
        return size + (size_t)count;
    }
    const int32_t before = count < point ? count : point;
    memcpy(text, digits, (size_t)before);
    memset(text + before, '0', (size_t)(point - before));
    size = (size_t)point;
    if (count > point) {
        text[size++] = '.';
        memcpy(text + size, digits + point, (size_t)(count - point));
        size += (size_t)(count - point);
    }
    return size;
}

size_t zb_number_text(double value, char text[ZB_NUMBER_TEXT_MAX]) {
    if (zb_is_nan(value)) { return put_word("nan", text); }
    const uint64_t bits = zb_bits_of(value);
    const uint64_t magnitude = bits & ~((uint64_t)1 << 63);
    size_t size = 0;
    if (bits >> 63) { text[size++] = '-'; }
    if (magnitude == INFINITY_BITS) { return size + put_word("inf", text + size); }
    if (magnitude == 0) { return size + put_word("0", text + size); }
    zb_decimal decimal = shortest(magnitude);
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    char digits[20];
    const int32_t count = (int32_t)put_digits(decimal.digits, digits);
    return size + lay_out(digits, count, decimal.exponent + count, text + size);
}

// Decimal digits of a big integer, without leading zeros; destroys it.
static size_t big_text(zb_big *big, char *text) {
    char reversed[48];
    size_t count = 0;
    while (big->count > 0) {
        uint64_t rest = 0;
        for (uint32_t i = big->count; i > 0; i--) {
            rest = rest << 32 | big->limbs[i - 1];
            big->limbs[i - 1] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        while (big->count > 0 && big->limbs[big->count - 1] == 0) { big->count--; }
        ZO_ASSERT(count < sizeof reversed);
        reversed[count++] = (char)('0' + rest);
    }
    for (size_t i = 0; i < count; i++) { text[i] = reversed[count - 1 - i]; }
    return count;
}

// Divides by 2^bits and rounds half to even.
static void big_shift_right_rounded(zb_big *big, uint32_t bits) {
    if (bits == 0) { return; }
    const uint32_t last = (bits - 1) / 32; // limb of the highest bit that goes
    if (last >= big->count) {              // less than a half
        big->count = 0;
        return;
    }
    const uint32_t half_bit = (uint32_t)1 << ((bits - 1) % 32);
    const bool half = (big->limbs[last] & half_bit) != 0;
    bool below = (big->limbs[last] & (half_bit - 1)) != 0;
    for (uint32_t i = 0; i < last; i++) { below = below || big->limbs[i] != 0; }
    const uint32_t limb_shift = bits / 32;
    const uint32_t rest = bits % 32;
    const uint32_t old_count = big->count;
    for (uint32_t i = limb_shift; i < old_count; i++) {
        const uint64_t next = i + 1 < old_count ? big->limbs[i + 1] : 0;
        big->limbs[i - limb_shift] = (uint32_t)((next << 32 | big->limbs[i]) >> rest);
    }
    big->count = old_count - (limb_shift < old_count ? limb_shift : old_count);
    const bool odd = big->count > 0 && (big->limbs[0] & 1) != 0;
    if (half && (below || odd)) { big_multiply_add(big, 1, 1); }
    while (big->count > 0 && big->limbs[big->count - 1] == 0) { big->count--; }
}

size_t zb_number_fixed(double value, uint32_t decimals, char text[48]) {
    ZO_ASSERT(decimals <= 17);
    if (!(value < 1e21 && value > -1e21)) { return zb_number_text(value, text); }
    const uint64_t bits = zb_bits_of(value);
    const uint64_t fraction = bits & (HIDDEN_BIT - 1);
    const int32_t biased = (int32_t)(bits >> FRACTION_BITS & EXPONENT_INFINITE);
    const uint64_t c = biased > 0 ? fraction | HIDDEN_BIT : fraction;
    const int32_t q = (biased > 0 ? biased : 1) - EXPONENT_BIAS - FRACTION_BITS;
    zb_big big = {.limbs = {(uint32_t)c, (uint32_t)(c >> 32)}, .count = c >> 32 ? 2 : c > 0 ? 1 : 0};
    for (uint32_t i = 0; i < decimals; i++) { big_multiply_add(&big, 10, 0); }
    if (q > 0) {
        big_shift_left(&big, (uint32_t)q);
    } else {
        big_shift_right_rounded(&big, (uint32_t)-q);
    }
    char digits[48];
    const size_t count = big_text(&big, digits);
    size_t size = 0;
    if (bits >> 63) { text[size++] = '-'; }
    const size_t padded = count > decimals ? count : (size_t)decimals + 1; // at least one digit before the point
    for (size_t i = 0; i < padded; i++) {
        if (i == padded - decimals) { text[size++] = '.'; }
        text[size++] = i < padded - count ? '0' : digits[i - (padded - count)];
    }
    return size;
}

size_t zb_int_text(int64_t value, char text[ZB_NUMBER_TEXT_MAX]) {
    size_t size = 0;
    if (value < 0) { text[size++] = '-'; }
    const uint64_t magnitude = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    return size + put_digits(magnitude, text + size);
}
