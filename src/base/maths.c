// Sine, cosine, arc tangent and exponential without libm, and affine matrices. Called by the runtime, by readers and by
// drawing. Must not know what is turned or scaled. Every operation is written out in the order in which it is to be
// rounded: the same bits on every machine, provided that no compiler fuses or reorders (-ffp-contract=off).
//
// The polynomials interpolate at Chebyshev nodes, computed with 300 bits and rounded; the bounds given are those of the
// polynomial alone.
#include "base/maths.h"

#include <math.h>

// sin x = x + x^3 * p(x^2) for |x| <= pi/4, to 2^-57.
static const double sin_terms[] = {
    -0x1.5555555555555p-3, 0x1.111111111111p-7, -0x1.a01a01a019936p-13, 0x1.71de3a54605eep-19,
    -0x1.ae64541266378p-26, 0x1.61217ec01749dp-33, -0x1.ab17a79237a19p-41,
};

// cos x = 1 - x^2/2 + x^4 * p(x^2) for |x| <= pi/4, to 2^-59.
static const double cos_terms[] = {
    0x1.5555555555555p-5, -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16, -0x1.27e4fb7712bdfp-22,
    0x1.1eed8deb6d561p-29, -0x1.9394b9c9c20a4p-37, 0x1.ab783376962cfp-45,
};

// e^x = 1 + x + x^2 * p(x) for |x| <= ln(2)/2, to 2^-61.
static const double exp_terms[] = {
    0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dcp-7,
    0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19,
    0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29,
};

// atan x = x + x^3 * p(x^2) for |x| <= 7/16, to 2^-58.
static const double atan_terms[] = {
    -0x1.5555555555555p-2, 0x1.999999999998fp-3, -0x1.24924924918e8p-3, 0x1.c71c71c6740b1p-4,
    -0x1.745d171e3eb9fp-4, 0x1.3b13abae16efbp-4, -0x1.111090a2806bp-4, 0x1.e1d23dd1aec1fp-5,
    -0x1.ae802f8797bc7p-5, 0x1.812dbb32976abp-5, -0x1.4ac2f13f00fb9p-5, 0x1.ddf4141252423p-6,
    -0x1.9a239e5a9c793p-7,
};

static double evaluate(const double *coefficients, uint32_t count, double x) {
    double sum = coefficients[count - 1];
    for (uint32_t i = count - 1; i > 0; i--) { sum = sum * x + coefficients[i - 1]; }
    return sum;
}

#define EVALUATE(coefficients, x) evaluate((coefficients), ZB_COUNT(coefficients), (x))

static double not_a_number(void) { return zb_double_of(0x7FF8000000000000u); }

// ---- Sine and cosine ----

// A number as the sum of two, the second far smaller than the first.
typedef struct zb_pair {
    double high, low;
} zb_pair;

static zb_pair pair_of(double high, double low) { // |high| >= |low|
    const double sum = high + low;
    return (zb_pair){sum, (high - sum) + low};
}

// a - b and what rounding took away, whichever is larger (D. Knuth's two-sum).
static zb_pair difference(double a, double b) {
    const double high = a - b;
    const double part = high - a;
    return (zb_pair){high, (a - (high - part)) - (b + part)};
}

// |x| <= pi/4.
static double kernel_sin(zb_pair x) {
    const double z = x.high * x.high;
    return x.high + (x.high * z * EVALUATE(sin_terms, z) + x.low * (1 - 0.5 * z));
}

static double kernel_cos(zb_pair x) {
    const double z = x.high * x.high;
    const double half = 0.5 * z;
    const double near = 1 - half;
    return near + (((1 - near) - half) + (z * z * EVALUATE(cos_terms, z) - x.high * x.low));
}

static double sin_of_quadrant(uint32_t quadrant, zb_pair x) {
    const double size = quadrant & 1 ? kernel_cos(x) : kernel_sin(x);
    return quadrant & 2 ? -size : size;
}

// x modulo 2 pi for |x| > 2^20, with 2 pi known to 62 bits: bounded and repeatable, and no more is promised out there.
static double reduce_far(double x) {
    const uint64_t two_pi = 0x3243F6A8885A308Du; // * 2^-59
    const uint64_t bits = zb_bits_of(x);
    uint64_t rest = ((bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u) % two_pi;
    const int32_t exponent = (int32_t)(bits >> 52 & 0x7FF) - 1075 + 59; // at least 27
    for (int32_t i = 0; i < exponent; i++) {                            // at most 1030 times
        rest *= 2;
        if (rest >= two_pi) { rest -= two_pi; }
    }
    const double size = (double)rest * 0x1p-59;
    return x < 0 ? -size : size;
}

// The quadrant of x and the rest, |rest| <= pi/4 but for rounding. pi/2 is in three parts of at most 32 bits, whose
// products with the quadrant's number (20 bits) are exact, and a tail. Finite x only.
static uint32_t reduce(double x, zb_pair *rest) {
    if (x <= 0.785 && x >= -0.785) {
        *rest = (zb_pair){x, 0};
        return 0;
    }
    const double near = x <= 0x1p20 && x >= -0x1p20 ? x : reduce_far(x);
    const double n = floor(near * 0x1.45f306dc9c883p-1 + 0.5);
    const double first = near - n * 0x1.921fb544p+0; // exact
    const zb_pair second = difference(first, n * 0x1.0b4611a6p-34);
    const zb_pair third = difference(second.high, n * 0x1.3198a2ep-69);
    *rest = pair_of(third.high, (second.low + third.low) - n * 0x1.b839a252049c1p-104);
    return (uint32_t)((int32_t)n & 3);
}

double zb_sin(double radians) {
    if (!zb_is_finite(radians)) { return not_a_number(); }
    if (radians == 0) { return radians; } // -0 too
    zb_pair rest;
    const uint32_t quadrant = reduce(radians, &rest);
    return sin_of_quadrant(quadrant, rest);
}

double zb_cos(double radians) {
    if (!zb_is_finite(radians)) { return not_a_number(); }
    zb_pair rest;
    const uint32_t quadrant = reduce(radians, &rest);
    return sin_of_quadrant(quadrant + 1, rest);
}

// Degrees modulo 360 for |degrees| >= 2^53, which are all whole numbers. Exact.
static double reduce_degrees_far(double degrees) {
    const uint64_t bits = zb_bits_of(degrees);
    uint32_t rest = (uint32_t)(((bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u) % 360);
    const int32_t exponent = (int32_t)(bits >> 52 & 0x7FF) - 1075; // at most 971
    for (int32_t i = 0; i < exponent; i++) { rest = rest * 2 % 360; }
    return degrees < 0 ? -(double)rest : (double)rest;
}

// degrees * pi/180 to twice the precision: the factor in 26 bits and the rest, the degrees split in halves as well.
static zb_pair radians_of(double degrees) {
    const double spread = degrees * 134217729.0; // 2^27 + 1
    const double upper = spread - (spread - degrees);
    const double lower = degrees - upper;
    const double product = upper * 0x1.1df46ap-6; // exact
    return pair_of(product, lower * 0x1.1df46ap-6 + degrees * 0x1.294e9c8ae0ec6p-33);
}

void zb_sincos_degrees(double degrees, double *sine, double *cosine) {
    if (!zb_is_finite(degrees)) {
        *sine = *cosine = not_a_number();
        return;
    }
    const double near = degrees < 0x1p53 && degrees > -0x1p53 ? degrees : reduce_degrees_far(degrees);
    const double n = floor(near / 90 + 0.5);
    const zb_pair rest = radians_of(near - n * 90); // the difference is exact
    const uint32_t quadrant = (uint32_t)(n - 4 * floor(n / 4));
    *sine = sin_of_quadrant(quadrant, rest) + 0.0; // + 0.0: 360 gives 0, not -0
    *cosine = sin_of_quadrant(quadrant + 1, rest) + 0.0;
}

// ---- Remainder ----

// The 53 bits of a number above 0 and the exponent of the last of them; the first is set.
static uint64_t bits_of(double value, int32_t *exponent) {
    const uint64_t bits = zb_bits_of(value);
    uint64_t mantissa = bits & 0xFFFFFFFFFFFFFu;
    int32_t e = (int32_t)(bits >> 52 & 0x7FF);
    if (e > 0) { mantissa |= UINT64_C(1) << 52; } else { e = 1; }
    for (; mantissa >> 52 == 0; --e) { mantissa <<= 1; }
    *exponent = e;
    return mantissa;
}

// mantissa * 2^(exponent - 1075), which is known to be a double.
static double of_bits(uint64_t mantissa, int32_t exponent) {
    if (mantissa == 0) { return 0.0; }
    for (; mantissa >> 52 == 0 && exponent > 1; --exponent) { mantissa <<= 1; }
    for (; exponent < 1; ++exponent) { mantissa >>= 1; } // its last bits are 0
    const uint64_t bits = mantissa >> 52 == 0 ? mantissa : (mantissa & 0xFFFFFFFFFFFFFu) | (uint64_t)exponent << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double zb_fmod(double x, double y) {
    if (!zb_is_finite(x) || y != y || y == 0.0) { return not_a_number(); }
    const double size = fabs(x), by = fabs(y);
    if (size < by) { return x; }
    int32_t exponent, last;
    uint64_t rest = bits_of(size, &exponent);
    const uint64_t divisor = bits_of(by, &last);
    for (;; --exponent) { // long division
        if (rest >= divisor) { rest -= divisor; }
        if (exponent == last || rest == 0) { break; }
        rest <<= 1;
    }
    const double value = of_bits(rest, last);
    return x < 0.0 ? -value : value;
}

// ---- Arc tangent ----

static double kernel_atan(double t) { // |t| <= 7/16
    const double z = t * t;
    return t + t * z * EVALUATE(atan_terms, z);
}

static double atan_of_fraction(double t) { // 0 <= t <= 1
    if (t < 0.4375) { return kernel_atan(t); }
    if (t < 0.6875) { // about 1/2
        return 0x1.dac670561bb4fp-2 + (kernel_atan((2 * t - 1) / (2 + t)) + 0x1.a2b7f222f65e2p-56);
    }
    return 0x1.921fb54442d18p-1 + (kernel_atan((t - 1) / (t + 1)) + 0x1.1a62633145c07p-55); // about 1
}

static const double PI = 0x1.921fb54442d18p+1, PI_TAIL = 0x1.1a62633145c07p-53;

double zb_atan2(double y, double x) {
    if (zb_is_nan(x) || zb_is_nan(y)) { return not_a_number(); }
    const bool left = zb_bits_of(x) >> 63;
    const double width = fabs(x);
    const double height = fabs(y);
    double angle;
    if (height == 0) {
        angle = left ? PI : 0;
    } else if (width == height) { // infinities too
        angle = left ? 0.75 * PI : 0.25 * PI;
    } else if (height < width) {
        const double a = zb_is_finite(width) ? atan_of_fraction(height / width) : 0;
        angle = left ? PI - (a - PI_TAIL) : a;
    } else {
        const double a = zb_is_finite(height) ? atan_of_fraction(width / height) : 0;
        angle = left ? 0.5 * PI + (a + 0.5 * PI_TAIL) : 0.5 * PI - (a - 0.5 * PI_TAIL);
    }
    return zb_bits_of(y) >> 63 ? -angle : angle;
}

// ---- Exponential ----

static double power_of_two(int32_t exponent) { return zb_double_of((uint64_t)(exponent + 1023) << 52); } // -1022..1023

double zb_exp(double x) {
    if (zb_is_nan(x)) { return not_a_number(); }
    if (x > 709.79) { return zb_double_of(0x7FF0000000000000u); }
    if (x < -745.14) { return 0; }
    const double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
    const double high = x - k * 0x1.62e42feep-1; // ln 2 in 32 bits, so the product is exact
    const double low = k * 0x1.a39ef35793c76p-33;
    const double r = high - low;
    const double tail = (high - r) - low;
    const double value = 1 + (r + (r * r * EVALUATE(exp_terms, r) + tail)); // e^r, |r| <= ln(2)/2
    const int32_t exponent = (int32_t)k;                                    // -1075..1024
    if (exponent > 1023) { return value * 2 * power_of_two(exponent - 1); }
    if (exponent < -1021) { return value * power_of_two(exponent + 200) * power_of_two(-200); }
    return value * power_of_two(exponent);
}

// ---- Affine matrices ----

void zb_affine_identity(double m[12]) {
    for (uint32_t i = 0; i < 12; i++) { m[i] = i % 5 == 0 ? 1 : 0; }
}

void zb_affine_multiply(double result[12], const double a[12], const double b[12]) {
    double product[12]; // apart, as the result may be an operand
    for (uint32_t row = 0; row < 12; row += 4) {
        for (uint32_t column = 0; column < 4; column++) {
            const double sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
            product[row + column] = column == 3 ? sum + a[row + 3] : sum;
        }
    }
    memcpy(result, product, sizeof product);
}

void zb_affine_apply(const double m[12], double x, double y, double z, double out[3]) {
    for (uint32_t row = 0; row < 3; row++) {
        out[row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3];
    }
}
