// The curve kernels: key placement, interpolation and arithmetic of every curve that zp_curve_supported lets through.
// Called by instance and clip sampling. No cursor and no cache between calls, so a random seek costs what the next
// frame costs; within a call, neighbours that share times share the key, and those that share intervals the eased
// progress.
#include <float.h>
#include <math.h>

#include "base/maths.h"
#include "program/easing.h"
#include "runtime/runtime.h"

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic rounds after each operation, like the promise");

// Where a moment falls among a curve's keys.
typedef struct place {
    uint32_t key, next;     // the keys on both sides
    double progress;        // 0..1 from key to next; 0: the key itself, also beyond the ends
    float progress_f32;     // the same in F32_PRODUCT
} place;

// ---------------------------------------------------------------------------------------------------- key placement

enum { LINEAR_MAX = 16 }; // up to here counting is quicker than halving, as it cannot be predicted wrongly

// How many of the rising times are not after `time`: at a key's time exactly, that key has come.
static uint32_t count_times(const double *times, uint32_t count, double time) {
    if (count <= LINEAR_MAX) {
        uint32_t come = 0;
        for (uint32_t i = 0; i < count; ++i) { come += times[i] <= time; }
        return come;
    }
    const double *from = times;
    for (uint32_t left = count; left > 1;) {
        const uint32_t half = left / 2;
        from = from[half] <= time ? from + half : from;
        left -= half;
    }
    return (uint32_t)(from - times) + (*from <= time);
}

static int64_t key_instant(const zp_program *program, const zp_clip *clip, const zp_curve *curve, uint32_t key,
                           int64_t duration_ns) {
    return zr_scaled_ns(clip, program->numbers[curve->times + key], program->instants[curve->instants + key],
                        duration_ns);
}

static uint32_t count_instants(const zp_program *program, const zp_clip *clip, const zp_curve *curve,
                               const zr_moment *at) {
    uint32_t low = 0, high = curve->key_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (key_instant(program, clip, curve, middle, at->duration_ns) <= at->local_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_held(const zp_curve *curve) {
    return curve->arithmetic == ZP_ARITHMETIC_INDEX || curve->interpolation <= ZP_INTERPOLATE_NEAREST;
}

// Between the last key and the first of the next pass.
static place place_over_the_end(const zp_program *program, const zp_clip *clip, const zp_curve *curve, double time) {
    const double *times = program->numbers + curve->times;
    const uint32_t last = curve->key_count - 1;
    const double length = zp_clip_length(clip);
    const double gap = times[0] + length - times[last];
    const double gone = time >= times[last] ? time - times[last] : time + length - times[last];
    place p = {last, 0, 0.0, 0.0f};
    if (gap > 0.0) { p.progress = zb_clamp(gone / gap, 0.0, 1.0); }
    return p;
}

// How many of the times, equal ones among them, lie before `time`.
static uint32_t count_before(const double *times, uint32_t count, double time) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (times[middle] < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Keys at one time make a jump: at that time the first of them counts, at the end of the curve the last.
static place place_jumping(const double *times, uint32_t count, double time) {
    const uint32_t before = count_before(times, count, time);
    const bool over = time >= times[count - 1];
    if (before == 0 || over || times[before] == time) {
        const uint32_t key = before > 0 && over ? count - 1 : before;
        return (place){key, key, 0.0, 0.0f};
    }
    const double from = times[before - 1];
    return (place){before - 1, before, zb_clamp((time - from) / (times[before] - from), 0.0, 1.0), 0.0f};
}

static place place_explicit(const zp_program *program, const zp_clip *clip, const zp_curve *curve,
                            const zr_moment *at) {
    const double *times = program->numbers + curve->times;
    const uint32_t count = curve->key_count;
    if (curve->arithmetic == ZP_ARITHMETIC_F32_HERMITE) { return place_jumping(times, count, at->time); }
    const uint32_t come = curve->instants ? count_instants(program, clip, curve, at)
                                          : count_times(times, count, at->time);
    if (come == 0 || come == count) {
        if (curve->ends == ZP_ENDS_WRAP && count > 1) { return place_over_the_end(program, clip, curve, at->time); }
        const uint32_t end = come == 0 ? 0 : count - 1;
        return (place){end, end, 0.0, 0.0f};
    }
    place p = {come - 1, come, 0.0, 0.0f};
    if (curve->instants && is_held(curve)) { // what is held is judged in ns, like the events beside it
        const int64_t from = key_instant(program, clip, curve, come - 1, at->duration_ns);
        const int64_t to = key_instant(program, clip, curve, come, at->duration_ns);
        p.progress = (double)(at->local_ns - from) / (double)(to - from);
    } else {
        p.progress = zb_clamp((at->time - times[come - 1]) / (times[come] - times[come - 1]), 0.0, 1.0);
    }
    return p;
}

// Keys at equal distances over the pass. Under F32_PRODUCT the position is worked out in float, and a wrapped 1 may
// stay 1 because it is rounded after wrapping. Source: Forge 1.12, ModelBlockAnimation.
static place place_uniform(const zp_curve *curve, double fraction) {
    const uint32_t count = curve->key_count;
    const uint32_t interval_count = curve->placement == ZP_PLACE_UNIFORM_LOOP ? count : count - 1;
    if (interval_count == 0) { return (place){0, 0, 0.0, 0.0f}; }
    if (curve->ends == ZP_ENDS_WRAP) { fraction -= floor(fraction); }
    const bool is_f32 = curve->arithmetic == ZP_ARITHMETIC_F32_PRODUCT;
    const float position_f32 = (float)fraction * (float)interval_count;
    const double position = is_f32 ? (double)position_f32 : fraction * (double)interval_count;
    const double key = zb_clamp(floor(position), 0.0, (double)(interval_count - 1));
    place p;
    p.key = (uint32_t)key;
    p.next = p.key + 1 < count ? p.key + 1 : 0;
    p.progress_f32 = position_f32 - (float)key;
    p.progress = is_f32 ? (double)p.progress_f32 : position - key;
    return p;
}

static place place_step(const zp_program *program, const zp_clip *clip, const zp_curve *curve, const zr_moment *at) {
    const int64_t step_ns = program->instants[curve->step_ref - 1];
    const int64_t local_ns = at->duration_ns == clip->duration_ns
                                 ? at->local_ns
                                 : zr_nearest_ns(at->fraction * (double)clip->duration_ns, clip->duration_ns);
    const int64_t step = local_ns / step_ns;
    const uint32_t last = curve->key_count - 1;
    if (step >= last && curve->ends == ZP_ENDS_CLAMP) { return (place){last, last, 0.0, 0.0f}; }
    place p = {(uint32_t)(step % curve->key_count), 0, 0.0, 0.0f};
    p.next = p.key < last ? p.key + 1 : 0;
    p.progress = (double)(local_ns - step * step_ns) / (double)step_ns;
    return p;
}

static place find_place(const zp_program *program, const zp_clip *clip, const zp_curve *curve, const zr_moment *at) {
    switch (curve->placement) {
    case ZP_PLACE_EXPLICIT: {
        place p = place_explicit(program, clip, curve, at);
        p.progress_f32 = (float)p.progress;
        return p;
    }
    case ZP_PLACE_STEP_NS: return place_step(program, clip, curve, at);
    default: return place_uniform(curve, at->fraction);
    }
}

uint32_t zr_curve_key(const zp_program *program, const zp_clip *clip, const zp_curve *curve, const zr_moment *at) {
    return find_place(program, clip, curve, at).key;
}

// Equal offsets mean equal times. Whether progress is counted in ns or in float, and what equal times mean, is part of
// the place.
static bool shares_place(const zp_curve *a, const zp_curve *b) {
    return a->times == b->times && a->key_count == b->key_count && a->placement == b->placement &&
           a->placement == ZP_PLACE_EXPLICIT && a->ends == b->ends && (a->instants | b->instants) == 0 &&
           (a->arithmetic == ZP_ARITHMETIC_F32_HERMITE) == (b->arithmetic == ZP_ARITHMETIC_F32_HERMITE);
}

// ---------------------------------------------------------------------------------------------------- key values

static double cut(const zp_channel *channel, double value) { return zb_clamp(value, channel->low, channel->high); }

// A key's own value, after its parameter.
static double key_value(const zp_program *program, const zp_curve *curve, uint32_t key, uint32_t component,
                        const double *params) {
    const size_t at = (size_t)key * curve->width + component;
    const zp_channel *channel = &program->channels[curve->first_channel + component];
    if (curve->flags & ZP_CURVE_SCALED) {
        return cut(channel, program->numbers[curve->values + at] +
                                params[curve->param] * program->numbers[curve->scales + at]);
    }
    if (curve->flags & ZP_CURVE_INSERTED) {
        const zp_insert *insert = &program->inserts[curve->inserts + at];
        const double p = params[curve->param];
        const double left = cut(channel, insert->left_base + p * insert->left_scale);
        if (insert->weight == 0.0) { return left; }
        const double right = cut(channel, insert->right_base + p * insert->right_scale);
        return left + (right - left) * insert->weight; // of the cut values, and not cut again
    }
    return program->numbers[curve->values + at];
}

// ---------------------------------------------------------------------------------------------------- interpolation

static double lerp_f64(double v0, double v1, double p) { return v0 + (v1 - v0) * p; }                // F64
static float lerp_f32_product(float v0, float v1, float p) { return v0 * (1.0f - p) + v1 * p; }      // F32_PRODUCT

// The short way in degrees; exactly 180 apart turn backwards. Source: Forge 1.12, ModelBlockAnimation.
static float lerp_angle_f32(float v0, float v1, float p) {
    const float within = (float)zb_fmod((double)(v1 - v0), 360.0); // exact, so the float's own remainder
    const float way = (float)zb_fmod((double)(within + 540.0f), 360.0) - 180.0f;
    return v0 + way * p;
}

// F32_HERMITE: the basis functions first, then four products added from left to right. d: seconds from key to key.
static float hermite_f32(float v0, float out, float v1, float in, float d, float u) {
    const float square = u * u;
    const float cube = square * u;
    const float h00 = 2.0f * cube - 3.0f * square + 1.0f;
    const float h10 = cube - 2.0f * square + u;
    const float h01 = -2.0f * cube + 3.0f * square;
    const float h11 = cube - square;
    return h00 * v0 + h10 * d * out + h01 * v1 + h11 * d * in;
}

static double round_half_even(double value) {
    const double below = floor(value);
    const double over = value - below;
    if (over != 0.5) { return over < 0.5 ? below : below + 1.0; }
    return floor(below * 0.5) * 2.0 == below ? below : below + 1.0;
}

// Between two keys in F32_HERMITE. Tangents may be so large that the sum has no value; then the key's stays.
static float between_f32(const zp_program *program, const zp_curve *curve, const place *at, uint32_t component) {
    const double *values = program->numbers + curve->values + component;
    const float v0 = (float)values[(size_t)at->key * curve->width], v1 = (float)values[(size_t)at->next * curve->width];
    const zp_interval *interval = program->intervals + curve->intervals + at->key;
    const float u = (float)at->progress;
    float value = v0;
    if (interval->interpolation == ZP_INTERPOLATE_LERP) { value = v0 + (v1 - v0) * u; }
    if (interval->interpolation == ZP_INTERPOLATE_HERMITE) {
        const double *times = program->numbers + curve->times;
        const double *tangents = program->numbers + interval->argument + 2 * (size_t)component;
        const float d = (float)(times[at->next] - times[at->key]);
        value = hermite_f32(v0, (float)tangents[0], v1, (float)tangents[1], d, u);
    }
    return value >= -FLT_MAX && value <= FLT_MAX ? value : v0;
}

static void eval_hermite(const zp_program *program, const zp_curve *curve, const place *at, double *out) {
    for (uint32_t i = 0; i < curve->width; ++i) {
        const float value = at->progress != 0.0
                                ? between_f32(program, curve, at, i)
                                : (float)program->numbers[curve->values + (size_t)at->key * curve->width + i];
        out[i] = curve->finish == ZP_FINISH_ROUND_HALF_EVEN ? round_half_even((double)value) : (double)value;
    }
}

// One curve with everything that the quick way leaves out. `p`: eased where the interval is.
static void eval_any(const zp_program *program, const zp_curve *curve, const place *at, uint32_t interpolation,
                     double p, const double *params, double *out) {
    if (curve->arithmetic == ZP_ARITHMETIC_F32_HERMITE) {
        eval_hermite(program, curve, at, out);
        return;
    }
    if (interpolation == ZP_INTERPOLATE_SLERP && at->progress != 0.0) {
        const double *values = program->numbers + curve->values;
        zr_slerp(values + 4 * (size_t)at->key, values + 4 * (size_t)at->next, p, out);
        return;
    }
    for (uint32_t i = 0; i < curve->width; ++i) {
        const double v0 = key_value(program, curve, at->key, i, params);
        double value = v0;
        if (at->progress != 0.0) { // else the key's own value, to the bit, whatever follows
            const double v1 = key_value(program, curve, at->next, i, params);
            switch (interpolation) {
            case ZP_INTERPOLATE_HOLD: break;
            case ZP_INTERPOLATE_HOLD_NEXT: value = v1; break;
            case ZP_INTERPOLATE_NEAREST: value = at->progress < 0.5 ? v0 : v1; break;
            case ZP_INTERPOLATE_ANGLE:
                value = (double)lerp_angle_f32((float)v0, (float)v1, at->progress_f32);
                break;
            default:
                value = curve->arithmetic == ZP_ARITHMETIC_F32_PRODUCT
                            ? (double)lerp_f32_product((float)v0, (float)v1, at->progress_f32)
                            : lerp_f64(v0, v1, p);
            }
        }
        if (curve->arithmetic == ZP_ARITHMETIC_F32_PRODUCT && !(fabs(value) <= (double)FLT_MAX)) {
            value = v0; // too large for a float
        }
        out[i] = curve->finish == ZP_FINISH_ROUND_HALF_EVEN ? round_half_even(value) : value;
    }
}

static void lerp_rows(const double *row0, const double *row1, double p, uint32_t width, double *out) {
    for (uint32_t i = 0; i < width; ++i) { out[i] = lerp_f64(row0[i], row1[i], p); }
}

static bool is_quick(const zp_curve *curve, uint32_t interpolation) {
    return curve->arithmetic == ZP_ARITHMETIC_F64 && (curve->flags | curve->finish) == 0 &&
           (interpolation == ZP_INTERPOLATE_EASE || interpolation == ZP_INTERPOLATE_LERP);
}

void zr_curve_eval(const zp_program *program, const zp_clip *clip, const zp_curve *curve, const zr_moment *at,
                   const double *params, double *values) {
    const place p = find_place(program, clip, curve, at);
    uint32_t interpolation = curve->interpolation;
    double progress = p.progress;
    if (zp_curve_has_intervals(curve)) {
        const zp_interval *interval = program->intervals + curve->intervals + p.key;
        interpolation = interval->interpolation;
        if (interpolation == ZP_INTERPOLATE_EASE && progress != 0.0) {
            progress = zp_easing_at(&program->easings[interval->argument], progress);
        }
    }
    eval_any(program, curve, &p, interpolation, progress, params, values);
}

void zr_clip_eval(const zp_program *program, const zp_clip *clip, const zr_moment *at, const double *params,
                  double *values) {
    const zp_curve *curve = program->curves + clip->first_curve;
    const zp_curve *placed = NULL;  // whose place `p` is
    const zp_interval *eased = NULL; // whose eased progress `progress` is
    place p = {0, 0, 0.0, 0.0f};
    double eased_progress = 0.0;
    for (uint32_t i = 0; i < clip->curve_count; ++i, ++curve) {
        if (!placed || !shares_place(placed, curve)) {
            p = find_place(program, clip, curve, at);
            eased = NULL;
        }
        placed = curve;
        double *out = values + curve->first_channel;
        uint32_t interpolation = curve->interpolation;
        double progress = p.progress;
        if (zp_curve_has_intervals(curve)) {
            const zp_interval *interval = program->intervals + curve->intervals + p.key;
            interpolation = interval->interpolation;
            if (interpolation == ZP_INTERPOLATE_EASE && progress != 0.0) {
                if (interval != eased) {
                    eased_progress = zp_easing_at(&program->easings[interval->argument], progress);
                    eased = interval;
                }
                progress = eased_progress;
            }
        }
        if (!is_quick(curve, interpolation)) {
            eval_any(program, curve, &p, interpolation, progress, params, out);
            continue;
        }
        const double *row = program->numbers + curve->values;
        const double *row0 = row + (size_t)p.key * curve->width;
        if (p.progress == 0.0) { // the key's own values, to the bit
            for (uint32_t c = 0; c < curve->width; ++c) { out[c] = row0[c]; }
            continue;
        }
        lerp_rows(row0, row + (size_t)p.next * curve->width, progress, curve->width, out);
    }
}
