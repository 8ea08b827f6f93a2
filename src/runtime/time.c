// Between numbers in a clip's own unit and whole nanoseconds: rounding, passes of another length, and the moment of a
// pass in the forms that curves ask for. Used by runs, curves and sampling; knows clips and nothing that plays.
#include <math.h>

#include "runtime/runtime.h"

int64_t zr_nearest_ns(double ns, int64_t max_ns) {
    ZO_ASSERT(max_ns >= 0 && max_ns <= ZR_CLOCK_NS_MAX);
    if (!(ns > 0.0)) { return 0; }
    if (ns >= (double)max_ns) { return max_ns; }
    const double whole = floor(ns);           // adding 0.5 first would round 0.49999999999999994 up
    const int64_t nearest = (int64_t)whole + (ns - whole >= 0.5);
    return nearest < max_ns ? nearest : max_ns;
}

int64_t zr_scaled_ns(const zp_clip *clip, double at, int64_t own_ns, int64_t duration_ns) {
    if (duration_ns == clip->duration_ns) { return own_ns; }
    const double fraction = clip->time_unit == ZP_TIME_FRACTION ? at : (double)own_ns / (double)clip->duration_ns;
    return zr_nearest_ns(fraction * (double)duration_ns, duration_ns);
}

zr_moment zr_moment_at_ns(const zp_clip *clip, int64_t local_ns, int64_t duration_ns) {
    ZO_ASSERT(duration_ns > 0);
    ZO_ASSERT(local_ns >= 0);
    zr_moment at = {.local_ns = local_ns, .duration_ns = duration_ns};
    at.fraction = at.time = (double)local_ns / (double)duration_ns;
    if (clip->time_unit == ZP_TIME_SECONDS) {
        at.time = duration_ns == clip->duration_ns ? (double)local_ns / 1e9
                                                   : at.fraction * ((double)clip->duration_ns / 1e9);
    }
    return at;
}

zr_moment zr_moment_at(const zp_clip *clip, double time) {
    const double unit_ns = clip->time_unit == ZP_TIME_SECONDS ? 1e9 : (double)clip->duration_ns;
    const double end = clip->time_unit == ZP_TIME_SECONDS ? (double)clip->duration_ns / 1e9 : 1.0;
    zr_moment at = {.duration_ns = clip->duration_ns};
    at.time = zb_clamp(time, 0.0, end);
    at.local_ns = zr_nearest_ns(at.time * unit_ns, clip->duration_ns);
    at.fraction = clip->time_unit == ZP_TIME_SECONDS ? at.time * 1e9 / (double)clip->duration_ns : at.time;
    return at;
}
