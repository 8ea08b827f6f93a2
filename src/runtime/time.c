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
    if ((clip->flags & ZP_CLIP_WRAPS) && local_ns >= duration_ns) { local_ns %= duration_ns; }
    zr_moment at = {.local_ns = local_ns, .duration_ns = duration_ns};
    at.fraction = at.time = (double)local_ns / (double)duration_ns;
    if (clip->time_unit != ZP_TIME_FRACTION) {
        at.time = duration_ns == clip->duration_ns ? (double)local_ns / zp_clip_unit_ns(clip)
                                                   : at.fraction * zp_clip_length(clip);
    }
    return at;
}

// So far that a step of 1 is no longer seen.
#define TIME_FAR 0x1p53

// In the clip's unit: within a pass, or as far as its curves go.
static double seen_time(const zp_clip *clip, double time, double length) {
    if (!(clip->flags & (ZP_CLIP_WRAPS | ZP_CLIP_OPEN))) { return zb_clamp(time, 0.0, length); }
    if (!(time > -TIME_FAR && time < TIME_FAR)) { return 0.0; }
    return clip->flags & ZP_CLIP_WRAPS ? time - floor(time) : time;
}

zr_moment zr_moment_at(const zp_clip *clip, double time) {
    const double unit_ns = zp_clip_unit_ns(clip);
    zr_moment at = {.duration_ns = clip->duration_ns};
    at.time = seen_time(clip, time, zp_clip_length(clip));
    at.local_ns = zr_nearest_ns(at.time * unit_ns, clip->duration_ns);
    at.fraction = clip->time_unit != ZP_TIME_FRACTION ? at.time * unit_ns / (double)clip->duration_ns : at.time;
    return at;
}
