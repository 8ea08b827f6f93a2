// Trigonometry and exponential of our own, and small matrices: the same bits everywhere, which libm does not promise.
#ifndef ZB_MATHS_H
#define ZB_MATHS_H

#include "base/base.h"

// Within 1 ulp of the true value for |radians| <= 2^20 (argument reduction in three parts), and still bounded by 1 and
// finite beyond. NaN and infinities give NaN.
double zb_sin(double radians);
double zb_cos(double radians);
double zb_atan2(double y, double x); // within 2 ulp; the cases at zero and infinity as in C
double zb_exp(double x);             // within 1 ulp; overflow gives infinity, underflow 0

// Angle in degrees: exact at multiples of 90, where sine and cosine are -1, 0 or 1.
void zb_sincos_degrees(double degrees, double *sine, double *cosine);

// What is left of x when y has been taken away as often as it goes, with the sign of x: exact, however far they are
// apart, which takes a step for each power of two between them. NaN where x is not finite, y is 0, or one is NaN.
double zb_fmod(double x, double y);

// Row-major 3x4 affine matrices, as in zo_transform.m. `result` may be one of the operands.
void zb_affine_identity(double m[12]);
void zb_affine_multiply(double result[12], const double a[12], const double b[12]); // a after b: a * b
void zb_affine_apply(const double m[12], double x, double y, double z, double out[3]);

#endif
