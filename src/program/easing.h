// Cubic Bezier timing curves solved to full double precision. Used by the builder to make the record, by the validator
// to check it and by the runtime for every eased interval. Only + - * / in a fixed order: the same bits everywhere. The
// common way is inline, because it is the hot path of sampling; the steep places are solved out of line.
#ifndef ZP_EASING_H
#define ZP_EASING_H

#include <math.h>

#include "program/program.h"

// Fills the whole record. 0 <= x1, x2 <= 1, all finite; -0 counts as 0.
void zp_easing_make(zp_easing *easing, double x1, double y1, double x2, double y2);

// The t of x(t) = p, 0 < p < 1, by Newton steps that are kept inside a shrinking bracket, from any first guess `t`.
double zp_easing_solve(const zp_easing *easing, double p, double t);

// y at x = p; 0 for p <= 0 and for NaN, 1 for p >= 1. Within 4 ulp of 1 (times the curve's slope where it is steep).
//
// One Newton step from the guess, then one more with the same slope, so there is one division, and it runs beside the
// evaluation of x. `turn` bounds how much x' changes, in proportion, over the first step. At most a quarter: x' does
// not vanish nearby, and what the second step leaves of the error is about |step| * turn.
static inline double zp_easing_at(const zp_easing *easing, double p) {
    if (!(p > 0.0)) { return 0.0; }
    if (p >= 1.0) { return 1.0; }
    const double ax = easing->ax, bx = easing->bx, cx = easing->cx;
    const double place = p * ZP_EASING_PIECES;
    const int32_t piece = (int32_t)place;
    const float u = (float)(place - (double)piece);
    const float *guess = easing->guess[piece];
    double t = (double)(((guess[3] * u + guess[2]) * u + guess[1]) * u + guess[0]);

    const double inverse = 1.0 / ((3.0 * ax * t + 2.0 * bx) * t + cx);
    const double first = (((ax * t + bx) * t + cx) * t - p) * inverse;
    t -= first;
    const double second = (((ax * t + bx) * t + cx) * t - p) * inverse;
    t -= second;
    const double turn = fabs(first * inverse) * easing->bend;
    const bool settled = turn <= 0.25 && fabs(second) * turn <= 0x1p-55 && t >= 0.0 && t <= 1.0; // false for NaN
    if (!settled) { t = zp_easing_solve(easing, p, t); }
    return ((easing->ay * t + easing->by) * t + easing->cy) * t;
}

#endif
