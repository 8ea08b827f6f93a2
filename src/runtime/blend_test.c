// Blends of turns and of transforms: by what is known of the way, at its ends, and with what cannot be taken apart.
#include "base/maths.h"
#include "runtime/test_program.h"

typedef double rows[9];

// A turn by a quaternion, then a scale before it, and a place.
static zo_transform made(const double q[4], const double *scale, double x, double y, double z) {
    rows r;
    zr_turn_rows(q, r);
    zo_transform t = {.opacity = 1};
    const double at[3] = {x, y, z};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t c = 0; c < 3; ++c) { t.m[4 * i + c] = r[3 * i + c] * scale[c]; }
        t.m[4 * i + 3] = at[i];
    }
    return t;
}

static void assert_near(const zo_transform *a, const zo_transform *b, double distance) {
    for (uint32_t i = 0; i < 12; ++i) {
        if (!(fabs(a->m[i] - b->m[i]) <= distance)) { fail_msg("[%u] %.17g and %.17g", i, a->m[i], b->m[i]); }
    }
}

static const zo_transform identity = {.m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, .opacity = 1};

static void draw_turn(uint64_t *random, double q[4]) {
    double length = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        q[i] = 2 * test_unit(random) - 1;
        length += q[i] * q[i];
    }
    for (uint32_t i = 0; i < 4; ++i) { q[i] /= sqrt(length); }
}

static void ends_and_equals_stay_to_the_bit(void **state) {
    (void)state;
    uint64_t random = 88172645463325252u;
    double q[4];
    draw_turn(&random, q);
    const zo_transform a = made(q, (const double[]){1.1, 2.3, 0.7}, 1, 2, 3);
    draw_turn(&random, q);
    const zo_transform b = made(q, (const double[]){0.1, 0.3, 0.9}, 3, 1, 4);
    zo_transform out;
    zr_transform_blend(&a, &b, 0, &out);
    assert_memory_equal(&out, &a, sizeof out);
    zr_transform_blend(&a, &b, (double)NAN, &out);
    assert_memory_equal(&out, &a, sizeof out);
    zr_transform_blend(&a, &b, 1, &out);
    assert_memory_equal(&out, &b, sizeof out);
    zr_transform_blend(&a, &b, (double)INFINITY, &out);
    assert_memory_equal(&out, &b, sizeof out);
    out = a;
    zr_transform_blend(&out, &a, 0.3, &out);
    assert_memory_equal(&out, &a, sizeof out);
}

// Turns by the arc, scales and places by straight lines: what turn and scale along the axes are taken apart into.
static void turns_scales_and_places_go_their_own_ways(void **state) {
    (void)state;
    uint64_t random = 362436069362436069u;
    for (uint32_t round = 0; round < 500; ++round) {
        double qa[4], qb[4], q[4], sa[3], sb[3], s[3];
        const double p = test_unit(&random);
        draw_turn(&random, qa);
        draw_turn(&random, qb);
        for (uint32_t i = 0; i < 3; ++i) {
            sa[i] = 0.05 + 3 * test_unit(&random);
            sb[i] = 0.05 + 3 * test_unit(&random);
            s[i] = sa[i] + (sb[i] - sa[i]) * p;
        }
        double dot = 0;
        for (uint32_t i = 0; i < 4; ++i) { dot += qa[i] * qb[i]; }
        const double angle = acos(fabs(dot));
        for (uint32_t i = 0; i < 4; ++i) {
            q[i] = qa[i] * sin((1 - p) * angle) + (dot < 0 ? -qb[i] : qb[i]) * sin(p * angle);
        }
        const zo_transform a = made(qa, sa, 1, -2, 3), b = made(qb, sb, 5, 0, 3);
        const zo_transform expected = made(q, s, 1 + 4 * p, -2 + 2 * p, 3);
        zo_transform out;
        zr_transform_blend(&a, &b, p, &out);
        assert_near(&out, &expected, 1e-12);
        zr_transform_blend(&b, &a, 1 - p, &out);
        assert_near(&out, &expected, 1e-12);
    }
}

static void a_lid_leaves_its_hinge_on_the_way(void **state) {
    (void)state;
    // A right angle about z, about the point (1, 0, 0).
    const double h = 0.70710678118654752;
    const zo_transform open = {.m = {0, -1, 0, 1, 1, 0, 0, -1, 0, 0, 1, 0}, .opacity = 0};
    const zo_transform expected = {.m = {h, -h, 0, 0.5, h, h, 0, -0.5, 0, 0, 1, 0}};
    zo_transform out;
    zr_transform_blend(&identity, &open, 0.5, &out);
    assert_near(&out, &expected, 1e-15);
    assert_true(out.opacity == 0.5);
}

static void mirrors_turn_through_space(void **state) {
    (void)state;
    // The mirror of x is a half turn about y and then the mirror of z.
    zo_transform mirror = identity, out;
    mirror.m[0] = -1;
    const zo_transform half = {.m = {0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0}};
    zr_transform_blend(&identity, &mirror, 0.5, &out);
    const zo_transform other = {.m = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}};
    assert_near(&out, out.m[8] < 0 ? &half : &other, 1e-15); // both ways are as short
}

static void what_is_sheared_is_put_together_again(void **state) {
    (void)state;
    uint64_t random = 521288629521288629u;
    for (uint32_t round = 0; round < 500; ++round) {
        zo_transform a = identity, b = identity, out;
        for (uint32_t i = 0; i < 12; ++i) {
            a.m[i] = 2 * test_unit(&random) - 1;
            b.m[i] = 2 * test_unit(&random) - 1;
        }
        zr_transform_blend(&a, &b, 1e-9, &out);
        assert_near(&out, &a, 1e-5);
        zr_transform_blend(&a, &b, 1 - 1e-9, &out);
        assert_near(&out, &b, 1e-5);
    }
}

static void nothing_that_is_odd_stops_it(void **state) {
    (void)state;
    static const double odd[] = {0, 1e-200, 1e200, 1e308, (double)INFINITY, (double)NAN, -1e-7};
    uint64_t random = 1;
    for (uint32_t round = 0; round < 2000; ++round) {
        zo_transform a = identity, b = identity, out;
        for (uint32_t i = 0; i < 4; ++i) {
            a.m[test_below(&random, 12)] = odd[test_below(&random, ZB_COUNT(odd))];
            b.m[test_below(&random, 12)] = odd[test_below(&random, ZB_COUNT(odd))];
        }
        zr_transform_blend(&a, &b, test_unit(&random), &out);
    }
    zo_transform nothing = {.opacity = 0}, out; // and back from nothing
    zr_transform_blend(&nothing, &identity, 0.5, &out);
    const zo_transform half = {.m = {0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0}};
    assert_near(&out, &half, 1e-15);
    double q[4];
    zr_slerp((const double[]){0, 0, 0, 0}, (const double[]){0, 0, 0, -3}, 0.5, q); // no turn at all
    assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_and_equals_stay_to_the_bit),
        cmocka_unit_test(turns_scales_and_places_go_their_own_ways),
        cmocka_unit_test(a_lid_leaves_its_hinge_on_the_way),
        cmocka_unit_test(mirrors_turn_through_space),
        cmocka_unit_test(what_is_sheared_is_put_together_again),
        cmocka_unit_test(nothing_that_is_odd_stops_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
