// Making easing records, and solving the steep places of one. Called by the builder, the validator, and by zp_easing_at
// for the few places that its two quick steps do not settle. Knows the record and nothing else of a program.
#include "program/easing.h"

#include <math.h>

// Every step halves the excess or the bracket. A hundred halvings of both settle all but a t near 0 that is smaller
// than 1e-30, and there y is as small.
enum { STEPS_MAX = 200 };

double zp_easing_solve(const zp_easing *easing, double p, double t) {
    const double ax = easing->ax, bx = easing->bx, cx = easing->cx;
    double low = 0.0, high = 1.0, last_size = 1.0;
    if (!(t > low && t < high)) { t = 0.5; }
    for (uint32_t step = 0; step < STEPS_MAX; ++step) {
        const double excess = ((ax * t + bx) * t + cx) * t - p;
        if (excess == 0.0) { break; }
        if (excess < 0.0) {
            low = t;
        } else {
            high = t;
        }
        // Newton's step if it stays inside and the last one helped, else the middle. Division by zero gives a step that
        // is infinite or NaN and so not inside.
        const double size = fabs(excess);
        double next = t - excess / ((3.0 * ax * t + 2.0 * bx) * t + cx);
        if (next == t) { break; }
        if (!(next > low && next < high && size <= 0.5 * last_size)) { next = low + (high - low) * 0.5; }
        if (next == t) { break; }
        last_size = size;
        t = next;
    }
    return t;
}

// Both coordinates of (0,0) (a) (b) (1,1) as polynomials.
static void make_cubic(double a, double b, double *cubic, double *square, double *linear) {
    *linear = 3.0 * a;
    *square = 3.0 * (b - a) - *linear;
    *cubic = 1.0 - *linear - *square;
}

void zp_easing_make(zp_easing *easing, double x1, double y1, double x2, double y2) {
    ZO_ASSERT(x1 >= 0.0 && x1 <= 1.0);
    ZO_ASSERT(x2 >= 0.0 && x2 <= 1.0);
    ZO_ASSERT(zb_is_finite(y1) && zb_is_finite(y2));
    easing->x1 = x1 + 0.0; // -0 becomes 0
    easing->y1 = y1 + 0.0;
    easing->x2 = x2 + 0.0;
    easing->y2 = y2 + 0.0;
    make_cubic(easing->x1, easing->x2, &easing->ax, &easing->bx, &easing->cx);
    const double y_max = 1e307;
    make_cubic(zb_clamp(easing->y1, -y_max, y_max), zb_clamp(easing->y2, -y_max, y_max), &easing->ay, &easing->by,
               &easing->cy);
    // x'' is linear in t, so it is largest at an end.
    const double bend_start = fabs(2.0 * easing->bx), bend_end = fabs(6.0 * easing->ax + 2.0 * easing->bx);
    easing->bend = bend_start > bend_end ? bend_start : bend_end;

    double t = 0.0;
    for (uint32_t piece = 0; piece < ZP_EASING_PIECES; ++piece) {
        double at[4];
        at[0] = t;
        for (uint32_t third = 1; third <= 3; ++third) {
            const double p = (double)(3 * piece + third) / (3.0 * ZP_EASING_PIECES);
            at[third] = t = p < 1.0 ? zp_easing_solve(easing, p, t) : 1.0;
        }
        // Newton's forward differences through u = 0, 1/3, 2/3, 1, collected by powers of u.
        const double d1 = at[1] - at[0];
        const double d2 = at[2] - 2.0 * at[1] + at[0];
        const double d3 = at[3] - 3.0 * at[2] + 3.0 * at[1] - at[0];
        float *guess = easing->guess[piece];
        guess[0] = (float)at[0];
        guess[1] = (float)(3.0 * d1 - 1.5 * d2 + d3);
        guess[2] = (float)(4.5 * (d2 - d3));
        guess[3] = (float)(4.5 * d3);
    }
}
