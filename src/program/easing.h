// Cubic Bezier timing curves solved to full double precision: a start table and a bounded number of bracketed steps. Used
// by the builder for the table, by the validator to check it and by the runtime for every eased interval. It is inline
// arithmetic, the same bits everywhere.
#ifndef ZP_EASING_H
#define ZP_EASING_H

#include "program/program.h"

// Fills the coefficients and the start table. 0 <= x1, x2 <= 1, all finite.
void zp_easing_make(zp_easing *easing, double x1, double y1, double x2, double y2);
// y at x = p; 0 for p <= 0, 1 for p >= 1. Within 4 ulp of 1 (times the curve's slope where it is steep).
double zp_easing_at(const zp_easing *easing, double p);

#endif
