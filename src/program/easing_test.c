// Easing: against bisection in long double, over random curves and over those that are vertical somewhere.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program/easing.h"

#pragma GCC diagnostic ignored "-Wdouble-promotion" // the reference is long double throughout

static uint64_t random_state;

static uint64_t random_bits(void) { // SplitMix64
    uint64_t x = random_state += 0x9E3779B97F4A7C15ULL;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return x ^ x >> 31;
}

static double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }

static long double bezier(long double a, long double b, long double t) {
    const long double s = 1.0L - t;
    return 3.0L * s * s * t * a + 3.0L * s * t * t * b + t * t * t;
}

static long double solve_by_bisection(const zp_easing *e, long double p) {
    long double low = 0.0L, high = 1.0L;
    for (uint32_t i = 0; i < 80; ++i) {
        const long double t = 0.5L * (low + high);
        if (bezier(e->x1, e->x2, t) < p) {
            low = t;
        } else {
            high = t;
        }
    }
    return 0.5L * (low + high);
}

// y must lie between the true y at p - slack and at p + slack, but for 4 ulp: this holds for steep curves as well.
static void assert_close(const zp_easing *e, double p) {
    const long double slack = 8.0L * 0x1p-53L;
    const double y = zp_easing_at(e, p);
    const long double t = solve_by_bisection(e, p);
    const long double true_y = bezier(e->y1, e->y2, t);
    const long double coefficient = fabsl(e->ay) + fabsl(e->by) + fabsl(e->cy); // rounding of y's own evaluation
    long double tolerance = 4.0L * 0x1p-52L * fmaxl(1.0L, fmaxl(fabsl(true_y), coefficient / 8.0L));
    if (fabsl(y - true_y) <= tolerance) { return; }
    long double low = true_y, high = true_y;
    const long double t_low = p - slack > 0.0L ? solve_by_bisection(e, p - slack) : 0.0L;
    const long double t_high = p + slack < 1.0L ? solve_by_bisection(e, p + slack) : 1.0L;
    for (uint32_t i = 0; i <= 64; ++i) { // y need not be monotone between
        const long double at = bezier(e->y1, e->y2, t_low + (t_high - t_low) * (long double)i / 64.0L);
        low = fminl(low, at);
        high = fmaxl(high, at);
    }
    if (y >= low - tolerance && y <= high + tolerance) { return; }
    fail_msg("(%.17g %.17g %.17g %.17g) at %.17g: %.17g, should be %.20Lg", e->x1, e->y1, e->x2, e->y2, p, y, true_y);
}

static void the_ends_are_exact_and_nan_is_the_start(void **state) {
    (void)state;
    zp_easing e;
    zp_easing_make(&e, 0.34, 1.56, 0.64, 1.0);
    assert_true(zp_easing_at(&e, NAN) == 0.0);
    assert_true(zp_easing_at(&e, -INFINITY) == 0.0);
    assert_true(zp_easing_at(&e, -0.0) == 0.0);
    assert_true(zp_easing_at(&e, 0.0) == 0.0);
    assert_true(zp_easing_at(&e, 1.0) == 1.0);
    assert_true(zp_easing_at(&e, 2.0) == 1.0);
    assert_true(zp_easing_at(&e, INFINITY) == 1.0);
}

static const double vertical[][4] = {
    {1.0, 0.0, 0.0, 1.0},   // vertical in the middle
    {0.0, 0.0, 0.0, 1.0},   // vertical at 0, three times over
    {1.0, 0.0, 1.0, 1.0},   // and at 1
    {0.0, 1.0, 1.0, 0.0},   // at both ends
    {0.0, 0.0, 1.0, 1.0},   // linear, but not evenly paced
    {0.0, -2.0, 0.5, 3.0},
    {1.0, 5.0, 0.0, -5.0},
    {0.999999999, 0.3, 1e-9, 0.7},
    {1.0, 0.0, 1e-12, 1.0},
    {1e-300, 0.5, 5e-324, 0.5},
    {1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0},
    {0.5, 0.5, 0.5, 0.5},
};

static void vertical_places_are_solved(void **state) {
    (void)state;
    for (size_t c = 0; c < ZB_COUNT(vertical); ++c) {
        zp_easing e;
        zp_easing_make(&e, vertical[c][0], vertical[c][1], vertical[c][2], vertical[c][3]);
        for (int32_t i = 1; i < 1000; ++i) { assert_close(&e, i / 1000.0); }
        for (double d = 0.25; d > 1e-18; d *= 0.25) { // towards both ends and the middle
            assert_close(&e, d);
            if (1.0 - d < 1.0) { assert_close(&e, 1.0 - d); }
            assert_close(&e, 0.5 + 0.5 * d * 0.99);
            assert_close(&e, 0.5 - 0.5 * d * 0.99);
        }
        assert_close(&e, 1e-300);
        assert_close(&e, 0x1p-1074);
    }
}

static void random_curves_are_solved(void **state) {
    (void)state;
    random_state = 1;
    for (uint32_t c = 0; c < 3000; ++c) {
        zp_easing e;
        zp_easing_make(&e, random_unit(), random_unit() * 4.0 - 2.0, random_unit(), random_unit() * 4.0 - 2.0);
        for (uint32_t i = 0; i < 24; ++i) { assert_close(&e, random_unit()); }
    }
}

static void nearly_vertical_curves_are_solved(void **state) {
    (void)state;
    random_state = 2;
    for (uint32_t c = 0; c < 2000; ++c) {
        zp_easing e;
        const double small = ldexp(random_unit(), -(int)(random_bits() % 60));
        const double other = ldexp(random_unit(), -(int)(random_bits() % 60));
        const double y1 = random_unit(), y2 = random_unit();
        switch (c % 4) {
        case 0: zp_easing_make(&e, 1.0 - small, y1, other, y2); break;
        case 1: zp_easing_make(&e, small, y1, other, y2); break;
        case 2: zp_easing_make(&e, 1.0 - small, y1, 1.0 - other, y2); break;
        default: zp_easing_make(&e, small, y1, 1.0 - other, y2); break;
        }
        for (uint32_t i = 0; i < 24; ++i) {
            assert_close(&e, random_unit());
            const double near = ldexp(random_unit(), -(int)(random_bits() % 50));
            assert_close(&e, near);
            if (1.0 - near < 1.0) { assert_close(&e, 1.0 - near); }
            assert_close(&e, 0.5 + (random_unit() - 0.5) * near);
        }
    }
}

static void the_quick_way_and_the_bracket_agree(void **state) {
    (void)state;
    random_state = 3;
    for (uint32_t c = 0; c < 20000; ++c) {
        zp_easing e;
        zp_easing_make(&e, random_unit(), 0.0, random_unit(), 1.0);
        const double p = random_unit();
        const double t = zp_easing_solve(&e, p, 0.5);
        const double y = ((e.ay * t + e.by) * t + e.cy) * t;
        const double slope = (3.0 * e.ax * t + 2.0 * e.bx) * t + e.cx;
        assert_true(fabs(zp_easing_at(&e, p) - y) <= 0x1p-50 * (1.0 + 1.0 / slope));
    }
}

static void a_first_guess_outside_does_no_harm(void **state) {
    (void)state;
    const double guesses[] = {NAN, INFINITY, -INFINITY, -1.0, 0.0, 1.0, 2.0, 1e300};
    zp_easing e;
    zp_easing_make(&e, 0.42, 0.0, 0.58, 1.0);
    for (size_t i = 0; i < ZB_COUNT(guesses); ++i) {
        assert_true(fabs(zp_easing_solve(&e, 0.5, guesses[i]) - 0.5) < 1e-15);
    }
}

static void huge_control_points_stay_finite(void **state) {
    (void)state;
    const double huge[] = {1e300, -1e300, 1.7976931348623157e308, -1.7976931348623157e308, 1e307};
    for (size_t a = 0; a < ZB_COUNT(huge); ++a) {
        for (size_t b = 0; b < ZB_COUNT(huge); ++b) {
            zp_easing e;
            zp_easing_make(&e, 0.3, huge[a], 0.1, huge[b]);
            for (uint32_t i = 0; i <= 100; ++i) { assert_true(zb_is_finite(zp_easing_at(&e, i / 100.0))); }
        }
    }
}

static void minus_zero_makes_the_same_record(void **state) {
    (void)state;
    zp_easing a, b;
    zp_easing_make(&a, 0.0, 0.0, 0.0, 0.0);
    zp_easing_make(&b, -0.0, -0.0, -0.0, -0.0);
    assert_memory_equal(&a, &b, sizeof a);
}

static void known_values_hold(void **state) { // to six decimals, of the curves that CSS names
    (void)state;
    static const struct { double curve[4], p, y; } known[] = {
        {{0.25, 0.1, 0.25, 1.0}, 0.5, 0.802403},   {{0.42, 0.0, 1.0, 1.0}, 0.1, 0.017027},
        {{0.0, 0.0, 0.58, 1.0}, 0.25, 0.378138},   {{0.42, 0.0, 0.58, 1.0}, 0.9, 0.980278},
        {{0.34, 1.56, 0.64, 1.0}, 0.5, 1.087401},  {{0.36, 0.0, 0.66, -0.56}, 0.9, 0.596067},
        {{0.2, 1.4, 0.4, 1.0}, 0.75, 1.020395},    {{0.25, 1.1, 0.45, 1.0}, 0.1, 0.384726},
    };
    for (size_t i = 0; i < ZB_COUNT(known); ++i) {
        zp_easing e;
        const double *c = known[i].curve;
        zp_easing_make(&e, c[0], c[1], c[2], c[3]);
        assert_true(fabs(zp_easing_at(&e, known[i].p) - known[i].y) < 6e-7);
    }
}

// Every compiler, optimisation level and machine must come to this number.
static void the_bits_are_pinned(void **state) {
    (void)state;
    random_state = 4;
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (uint32_t c = 0; c < 500; ++c) {
        zp_easing e;
        const double x1 = random_unit(), y1 = random_unit() * 3.0 - 1.0; // not as arguments: their order is free
        const double x2 = random_unit(), y2 = random_unit() * 3.0 - 1.0;
        zp_easing_make(&e, x1, y1, x2, y2);
        for (size_t i = 0; i < sizeof e; ++i) { hash = (hash ^ ((const uint8_t *)&e)[i]) * 0x100000001B3ULL; }
        for (uint32_t i = 0; i < 100; ++i) {
            hash = (hash ^ zb_bits_of(zp_easing_at(&e, random_unit()))) * 0x100000001B3ULL;
            hash ^= hash >> 29;
        }
    }
    assert_int_equal(hash, 0x8B5F8820612DAB78ULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_are_exact_and_nan_is_the_start),
        cmocka_unit_test(vertical_places_are_solved),
        cmocka_unit_test(random_curves_are_solved),
        cmocka_unit_test(nearly_vertical_curves_are_solved),
        cmocka_unit_test(the_quick_way_and_the_bracket_agree),
        cmocka_unit_test(a_first_guess_outside_does_no_harm),
        cmocka_unit_test(huge_control_points_stay_finite),
        cmocka_unit_test(minus_zero_makes_the_same_record),
        cmocka_unit_test(known_values_hold),
        cmocka_unit_test(the_bits_are_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
