// Our trigonometry against the C library's long double functions, in units of the last place, and the odd cases.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/maths.h"
#include "base/random.h"

// How many units in the last place of the true value lie between them.
static long double ulps(double ours, long double truth) {
    if (zb_is_nan(ours)) { return 1e9L; }
    const double rounded = (double)truth;
    if (zb_bits_of(ours) == zb_bits_of(rounded)) { return 0.5L; }
    const double size = fabs(rounded);
    const long double unit = (long double)nextafter(size, HUGE_VAL) - (long double)size;
    return fabsl((long double)ours - truth) / unit;
}

static void expect_within(double ours, long double truth, long double bound, double of) {
    const long double off = ulps(ours, truth);
    if (!(off <= bound)) { fail_msg("%.3Lf ulp off at %.17g (%a): %.17g", off, of, of, ours); }
}

// Of any size below 2^exponent_max, most of them everyday ones.
static double any_angle(uint64_t n, int exponent_max) {
    const uint64_t bits = zb_hash64(3, 1, n, 0);
    const double fraction = (double)(int64_t)bits * 0x1p-63;
    return n % 3 == 0 ? fraction * 8 : ldexp(fraction, (int)(bits & 1023) % (exponent_max + 40) - 39);
}

static void the_odd_cases(void **state) {
    (void)state;
    assert_true(zb_is_nan(zb_sin((double)NAN)) && zb_is_nan(zb_cos(HUGE_VAL)) && zb_is_nan(zb_sin(-HUGE_VAL)));
    assert_true(zb_is_nan(zb_exp((double)NAN)));
    assert_true(zb_is_nan(zb_atan2((double)NAN, 1)) && zb_is_nan(zb_atan2(1, (double)NAN)));
    assert_true(zb_exp(HUGE_VAL) == HUGE_VAL && zb_exp(-HUGE_VAL) == 0 && zb_exp(0) == 1 && zb_exp(1e300) == HUGE_VAL);
    assert_true(zb_exp(-746) == 0 && zb_exp(-745.13) > 0 && zb_exp(709.78) < HUGE_VAL && zb_exp(709.7828) == HUGE_VAL);
    assert_true(zb_bits_of(zb_sin(-0.0)) == zb_bits_of(-0.0) && zb_cos(0) == 1);
    static const double values[] = {0.0,     -0.0,  1.0,    -1.0,     2.5,      -2.5, 5e-324,
                                    -5e-324, 1e308, -1e308, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < ZB_COUNT(values); i++) {
        for (size_t j = 0; j < ZB_COUNT(values); j++) {
            const double truth = atan2(values[i], values[j]);
            const double ours = zb_atan2(values[i], values[j]);
            assert_true(signbit(truth) == signbit(ours));
            expect_within(ours, atan2l((long double)values[i], (long double)values[j]), 2, values[i]);
            const bool odd = values[i] == 0 || values[j] == 0 || isinf(values[i]) || isinf(values[j]);
            assert_true(!odd || ours == truth);
        }
    }
}

static void sine_and_cosine_are_within_1_ulp(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 400000; n++) {
        const double x = any_angle(n, 20);
        expect_within(zb_sin(x), sinl((long double)x), 1, x);
        expect_within(zb_cos(x), cosl((long double)x), 1, x);
    }
    for (int32_t n = 1; n < 660000; n += 7) { // next to multiples of pi/2, where almost all bits cancel
        double x = (double)n * 0x1.921fb54442d18p+0;
        for (int side = -1; side <= 1; side++) {
            const double near = side < 0 ? nextafter(x, 0) : side > 0 ? nextafter(x, 2 * x) : x;
            expect_within(zb_sin(near), sinl((long double)near), 1, near);
            expect_within(zb_cos(near), cosl((long double)near), 1, near);
        }
    }
}

static void far_angles_stay_bounded(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        const double x = ldexp((double)(int64_t)zb_hash64(3, 2, n, 0) * 0x1p-63, 20 + (int)(n % 1005));
        const double sine = zb_sin(x);
        const double cosine = zb_cos(x);
        assert_true(fabs(sine) <= 1 && fabs(cosine) <= 1);
        assert_true(fabs(sine * sine + cosine * cosine - 1) < 1e-15);
        if (fabs(x) < 0x1p30) { assert_true(fabs(sine - sin(x)) < 1e-8); }
    }
}

static void degrees_are_exact_at_right_angles(void **state) {
    (void)state;
    static const double sines[] = {0, 1, 0, -1};
    double sine;
    double cosine;
    for (int64_t n = -4000000; n <= 4000000; n += 997) {
        zb_sincos_degrees(90.0 * (double)n, &sine, &cosine);
        assert_true(zb_bits_of(sine) == zb_bits_of(sines[n & 3]));
        assert_true(zb_bits_of(cosine) == zb_bits_of(sines[(n + 1) & 3]));
    }
    zb_sincos_degrees(ldexp(360, 900), &sine, &cosine);
    assert_true(sine == 0 && cosine == 1);
    zb_sincos_degrees(ldexp(45, 53), &sine, &cosine); // 2^53 * 45 is a multiple of 360
    assert_true(sine == 0 && cosine == 1);
    zb_sincos_degrees((double)NAN, &sine, &cosine);
    assert_true(zb_is_nan(sine) && zb_is_nan(cosine));
    zb_sincos_degrees(HUGE_VAL, &sine, &cosine);
    assert_true(zb_is_nan(sine) && zb_is_nan(cosine));
    for (uint64_t n = 0; n < 200000; n++) {
        const double degrees = n % 2 ? any_angle(n, 30) : (double)((int64_t)(zb_hash64(3, 3, n, 0) >> 44) - 524288) / 8;
        zb_sincos_degrees(degrees, &sine, &cosine);
        int quadrant = 0;
        const long double rest = (long double)remquo(degrees, 90, &quadrant); // exact, also near 0
        const long double radians = rest * (3.14159265358979323846264338327950288L / 180);
        const long double truths[] = {sinl(radians), cosl(radians), -sinl(radians), -cosl(radians)};
        expect_within(sine, truths[quadrant & 3], 1, degrees);
        expect_within(cosine, truths[(quadrant + 1) & 3], 1, degrees);
    }
}

static void arc_tangent_is_within_2_ulp(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 400000; n++) {
        const double y = any_angle(n, 20);
        const double x = n % 5 == 0 ? ldexp(y, (int)(n % 7) - 3) + any_angle(n + 1, 1) * y : any_angle(n + 1000000, 20);
        expect_within(zb_atan2(y, x), atan2l((long double)y, (long double)x), 2, y);
    }
}

static void exponential_is_within_1_ulp(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 400000; n++) {
        const double x = n % 2 ? any_angle(n, 5) : (double)(int64_t)zb_hash64(3, 4, n, 0) * 0x1p-63 * 745;
        if (x > 709.7827) { continue; }
        expect_within(zb_exp(x), expl((long double)x), 1, x);
    }
}

static void random_numbers_are_those_of_the_formula(void **state) {
    (void)state;
    // SplitMix64 seeded with 0 begins with this value: hash64's first step with domain 0 is just that.
    uint64_t x = 0xE220A8397B1DCDAFu;
    uint64_t z = x + 0x9E3779B97F4A7C15u * 8;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    z += 0x9E3779B97F4A7C15u * 10;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    assert_true(zb_hash64(0, 0, 7, 9) == z);
    double sum = 0;
    double least = 1;
    for (uint64_t n = 0; n < 100000; n++) {
        const double u = zb_random_unit(42, ZB_DOMAIN_GRAPH, 1, n);
        assert_true(u >= 0 && u < 1);
        assert_true(u * 0x1p53 == floor(u * 0x1p53));
        sum += u;
        least = u < least ? u : least;
    }
    assert_true(fabs(sum / 100000 - 0.5) < 0.005 && least < 1e-3);
    assert_true(zb_random_unit(42, ZB_DOMAIN_DELAY, 1, 0) != zb_random_unit(42, ZB_DOMAIN_GRAPH, 1, 0));
}

static void matrices_compose_as_their_maps_do(void **state) {
    (void)state;
    double a[12];
    double b[12];
    double unit[12];
    zb_affine_identity(unit);
    for (uint32_t i = 0; i < 12; i++) {
        a[i] = i + 1;
        b[i] = 5.0 - i * i;
    }
    double ab[12];
    double by_steps[3];
    double at_once[3];
    zb_affine_multiply(ab, a, b);
    zb_affine_apply(b, 1, -2, 3, by_steps);
    zb_affine_apply(a, by_steps[0], by_steps[1], by_steps[2], by_steps);
    zb_affine_apply(ab, 1, -2, 3, at_once);
    assert_memory_equal(by_steps, at_once, sizeof at_once); // small integers: exact
    zb_affine_multiply(b, a, b); // the result is an operand
    assert_memory_equal(b, ab, sizeof ab);
    zb_affine_multiply(ab, unit, ab);
    assert_memory_equal(b, ab, sizeof ab);
    zb_affine_multiply(ab, ab, unit);
    assert_memory_equal(b, ab, sizeof ab);
}

// Against the C library's, which is exact where this one is tested.
static void remainders_are_exact(void **state) {
    (void)state;
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 360.0, 5e-324, -1e-310, 2.2250738585072014e-308, 1e308,
                                 1.7976931348623157e308, 0x1p53, 0x1p-1000, (double)INFINITY, -(double)INFINITY,
                                 (double)NAN};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; ++i) {
        for (size_t k = 0; k < sizeof odd / sizeof odd[0]; ++k) {
            const double mine = zb_fmod(odd[i], odd[k]), theirs = fmod(odd[i], odd[k]);
            assert_true(mine == theirs ? signbit(mine) == signbit(theirs) : mine != mine && theirs != theirs);
        }
    }
    uint64_t random = 7;
    for (uint32_t round = 0; round < 100000; ++round) {
        double pair[2];
        for (uint32_t k = 0; k < 2; ++k) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            memcpy(&pair[k], &random, sizeof pair[k]);
        }
        const double mine = zb_fmod(pair[0], pair[1]), theirs = fmod(pair[0], pair[1]);
        assert_true(mine == theirs || (mine != mine && theirs != theirs));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_odd_cases),
        cmocka_unit_test(sine_and_cosine_are_within_1_ulp),
        cmocka_unit_test(far_angles_stay_bounded),
        cmocka_unit_test(degrees_are_exact_at_right_angles),
        cmocka_unit_test(arc_tangent_is_within_2_ulp),
        cmocka_unit_test(exponential_is_within_1_ulp),
        cmocka_unit_test(random_numbers_are_those_of_the_formula),
        cmocka_unit_test(matrices_compose_as_their_maps_do),
        cmocka_unit_test(remainders_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
