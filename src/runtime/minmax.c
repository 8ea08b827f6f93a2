// Numbers and colours by time and chance: one record, one kernel for a single value in double and one for a batch of
// particles in float. Called by emission.c and particles.c. Knows no particle.
#include "runtime/particles.h"

// ---------------------------------------------------------------------------------------------------- one

// Of a row of keys `width` numbers wide: the first whose time is not before t, strictly between the ends.
static const double *key_from(const double *keys, uint32_t count, uint32_t width, double t) {
    uint32_t low = 1, high = count - 1; // t lies behind the first and before the last
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[(size_t)middle * width] >= t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return keys + (size_t)low * width;
}

static double curve_at(const double *keys, uint32_t count, double t) {
    if (count == 0) { return 0.0; }
    const double *last = keys + (size_t)(count - 1) * ZP_KEY_COUNT;
    if (!(t > keys[ZP_KEY_TIME])) { return keys[ZP_KEY_VALUE]; }
    if (t >= last[ZP_KEY_TIME]) { return last[ZP_KEY_VALUE]; }
    const double *b = key_from(keys, count, ZP_KEY_COUNT, t), *a = b - ZP_KEY_COUNT;
    const double d = b[ZP_KEY_TIME] - a[ZP_KEY_TIME], u = (t - a[ZP_KEY_TIME]) / d;
    const double square = u * u, cube = square * u;
    return (2.0 * cube - 3.0 * square + 1.0) * a[ZP_KEY_VALUE] + (cube - 2.0 * square + u) * d * a[ZP_KEY_OUT] +
           (3.0 * square - 2.0 * cube) * b[ZP_KEY_VALUE] + (cube - square) * d * b[ZP_KEY_IN];
}

double zr_minmax_at(const zp_program *program, uint32_t ref, double t, double r) {
    if (ref == 0) { return 0.0; }
    const zp_minmax *m = &program->minmaxes[ref - 1];
    switch ((zp_minmax_mode)m->mode) {
    case ZP_MINMAX_CONSTANT: return m->constant_max;
    case ZP_MINMAX_TWO_CONSTANTS: return m->constant_min + (m->constant_max - m->constant_min) * r;
    default: break;
    }
    const double high = m->multiplier * curve_at(program->numbers + m->max_keys, m->max_count, t);
    if (m->mode == ZP_MINMAX_CURVE) { return high; }
    const double low = m->multiplier * curve_at(program->numbers + m->min_keys, m->min_count, t);
    return low + (high - low) * r;
}

static void gradient_at(const double *keys, uint32_t count, double t, double colour[4]) {
    const double *last = keys + (count > 0 ? (size_t)(count - 1) * 5 : 0);
    if (count == 0) {
        for (uint32_t i = 0; i < 4; ++i) { colour[i] = 1.0; }
    } else if (!(t > keys[0])) {
        memcpy(colour, keys + 1, 4 * sizeof *colour);
    } else if (t >= last[0]) {
        memcpy(colour, last + 1, 4 * sizeof *colour);
    } else {
        const double *b = key_from(keys, count, 5, t), *a = b - 5;
        const double u = (t - a[0]) / (b[0] - a[0]);
        for (uint32_t i = 1; i < 5; ++i) { colour[i - 1] = a[i] + (b[i] - a[i]) * u; }
    }
}

static void between(const double low[4], double colour[4], double r) {
    for (uint32_t i = 0; i < 4; ++i) { colour[i] = low[i] + (colour[i] - low[i]) * r; }
}

void zr_gradient_at(const zp_program *program, uint32_t ref, double t, double r, double colour[4]) {
    if (ref == 0) {
        gradient_at(program->numbers, 0, t, colour);
        return;
    }
    const zp_gradient *g = &program->gradients[ref - 1];
    const double *max_keys = program->numbers + g->max_keys;
    double low[4];
    switch ((zp_gradient_mode)g->mode) {
    case ZP_GRADIENT_COLOUR: memcpy(colour, g->colour_max, sizeof g->colour_max); break;
    case ZP_GRADIENT_TWO_COLOURS:
        memcpy(colour, g->colour_max, sizeof g->colour_max);
        between(g->colour_min, colour, r);
        break;
    case ZP_GRADIENT_TWO_GRADIENTS:
        gradient_at(max_keys, g->max_count, t, colour);
        gradient_at(program->numbers + g->min_keys, g->min_count, t, low);
        between(low, colour, r);
        break;
    default: gradient_at(max_keys, g->max_count, g->mode == ZP_GRADIENT_RANDOM_COLOUR ? r : t, colour); break;
    }
}

// ---------------------------------------------------------------------------------------------------- a batch

void zr_times_bound(zr_times *times) {
    float least[4], most[4]; // four at once
    memcpy(least, times->t, sizeof least);
    memcpy(most, times->t, sizeof most);
    for (uint32_t k = 4; k < ZR_LANES; k += 4) {
        for (uint32_t i = 0; i < 4; ++i) {
            least[i] = times->t[k + i] < least[i] ? times->t[k + i] : least[i];
            most[i] = times->t[k + i] > most[i] ? times->t[k + i] : most[i];
        }
    }
    times->least = least[0];
    times->most = most[0];
    for (uint32_t i = 1; i < 4; ++i) {
        times->least = least[i] < times->least ? least[i] : times->least;
        times->most = most[i] > times->most ? most[i] : times->most;
    }
}
_Static_assert(ZR_LANES % 4 == 0, "whole fours");

// Span k lies before key k: behind the key before it, up to its own time. 0: the beginning; as many as keys: the end.
static int32_t span_at(const double *keys, uint32_t count, uint32_t width, float t) {
    if (!(t > (float)keys[0])) { return 0; }
    if (t >= (float)keys[(size_t)(count - 1) * width]) { return (int32_t)count; }
    uint32_t low = 1, high = count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((float)keys[(size_t)middle * width] >= t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (int32_t)low;
}

// Particles of a batch are mostly in one span: the least and the most of their times say whether. Else each is looked
// for, one loop over keys, each over lanes.
typedef struct spans { int32_t of[ZR_LANES], least, most; } spans;

static void find_spans(const double *keys, uint32_t count, uint32_t width, const zr_times *times, spans *s) {
    s->least = span_at(keys, count, width, times->least);
    s->most = span_at(keys, count, width, times->most);
    if (s->least == s->most) { return; }
    const float *t = times->t;
    const float first = (float)keys[0], last = (float)keys[(size_t)(count - 1) * width];
    for (uint32_t i = 0; i < ZR_LANES; ++i) { s->of[i] = 0; }
    for (uint32_t k = 0; k + 1 < count; ++k) {
        const float time = (float)keys[(size_t)k * width];
        for (uint32_t i = 0; i < ZR_LANES; ++i) { s->of[i] += t[i] > time; }
    }
    const int32_t all = (int32_t)count;
    for (uint32_t i = 0; i < ZR_LANES; ++i) { s->of[i] = t[i] > first && t[i] >= last ? all : s->of[i]; }
}

// A span as a cubic in u = (t - from) * per: c0 + u (c1 + u (c2 + u c3)). Beyond the ends it is the end's value.
typedef struct cubic { float from, per, c0, c1, c2, c3; } cubic;

static cubic cubic_of(const double *keys, uint32_t count, int32_t span) {
    const uint32_t next = (uint32_t)span < count ? (uint32_t)span : count - 1;
    const double *b = keys + (size_t)next * ZP_KEY_COUNT;
    cubic c = {.c0 = (float)b[ZP_KEY_VALUE]};
    if (span == 0 || (uint32_t)span == count) { return c; }
    const double *a = b - ZP_KEY_COUNT;
    const float d = (float)b[ZP_KEY_TIME] - (float)a[ZP_KEY_TIME];
    if (!(d > 0.0f)) { return c; } // no lane is there
    const float va = (float)a[ZP_KEY_VALUE], vb = c.c0;
    const float ma = d * (float)a[ZP_KEY_OUT], mb = d * (float)b[ZP_KEY_IN];
    c.from = (float)a[ZP_KEY_TIME];
    c.per = 1.0f / d;
    c.c0 = va;
    c.c1 = ma;
    c.c2 = 3.0f * (vb - va) - 2.0f * ma - mb;
    c.c3 = 2.0f * (va - vb) + ma + mb;
    return c;
}

static void curve_lanes(const double *keys, uint32_t count, const zr_times *times, float multiplier,
                        float *restrict out) {
    if (count == 0) {
        for (uint32_t i = 0; i < ZR_LANES; ++i) { out[i] = 0.0f; }
        return;
    }
    spans s;
    find_spans(keys, count, ZP_KEY_COUNT, times, &s);
    const float *t = times->t;
    for (int32_t span = s.least; span <= s.most; ++span) {
        const cubic c = cubic_of(keys, count, span);
        float value[ZR_LANES];
        for (uint32_t i = 0; i < ZR_LANES; ++i) {
            const float u = (t[i] - c.from) * c.per;
            value[i] = (((c.c3 * u + c.c2) * u + c.c1) * u + c.c0) * multiplier;
        }
        if (s.least == s.most) {
            memcpy(out, value, sizeof value);
        } else {
            for (uint32_t i = 0; i < ZR_LANES; ++i) { out[i] = s.of[i] == span ? value[i] : out[i]; }
        }
    }
}

void zr_minmax_lanes(const zp_program *program, uint32_t ref, const zr_times *times, const float *r, float *out) {
    const zp_minmax *m = &program->minmaxes[ref - 1];
    const float low = (float)m->constant_min, high = (float)m->constant_max, width = high - low;
    const float multiplier = (float)m->multiplier;
    float least[ZR_LANES];
    switch ((zp_minmax_mode)m->mode) {
    case ZP_MINMAX_CONSTANT:
        for (uint32_t i = 0; i < ZR_LANES; ++i) { out[i] = high; }
        break;
    case ZP_MINMAX_TWO_CONSTANTS:
        for (uint32_t i = 0; i < ZR_LANES; ++i) { out[i] = low + width * r[i]; }
        break;
    case ZP_MINMAX_TWO_CURVES:
        curve_lanes(program->numbers + m->max_keys, m->max_count, times, multiplier, out);
        curve_lanes(program->numbers + m->min_keys, m->min_count, times, multiplier, least);
        for (uint32_t i = 0; i < ZR_LANES; ++i) { out[i] = least[i] + (out[i] - least[i]) * r[i]; }
        break;
    default: curve_lanes(program->numbers + m->max_keys, m->max_count, times, multiplier, out); break;
    }
}

static void fill_colour(const double colour[4], float out[4][ZR_LANES]) {
    for (uint32_t c = 0; c < 4; ++c) {
        for (uint32_t i = 0; i < ZR_LANES; ++i) { out[c][i] = (float)colour[c]; }
    }
}

static void colours_lanes(const double *keys, uint32_t count, const zr_times *times, float out[4][ZR_LANES]) {
    if (count == 0) {
        fill_colour((const double[]){1.0, 1.0, 1.0, 1.0}, out);
        return;
    }
    spans s;
    find_spans(keys, count, 5, times, &s);
    const float *t = times->t;
    for (int32_t span = s.least; span <= s.most; ++span) {
        const bool end = span == 0 || (uint32_t)span == count;
        const double *b = keys + 5 * (size_t)((uint32_t)span == count ? span - 1 : span), *a = end ? b : b - 5;
        const float d = (float)b[0] - (float)a[0], from = (float)a[0], per = d > 0.0f ? 1.0f / d : 0.0f;
        for (uint32_t c = 0; c < 4; ++c) {
            const float va = (float)a[c + 1], way = (float)b[c + 1] - va;
            float value[ZR_LANES];
            for (uint32_t i = 0; i < ZR_LANES; ++i) { value[i] = va + way * ((t[i] - from) * per); }
            if (s.least == s.most) {
                memcpy(out[c], value, sizeof value);
            } else {
                for (uint32_t i = 0; i < ZR_LANES; ++i) { out[c][i] = s.of[i] == span ? value[i] : out[c][i]; }
            }
        }
    }
}

void zr_gradient_lanes(const zp_program *program, uint32_t ref, const zr_times *times, const float *r,
                       float out[4][ZR_LANES]) {
    const zp_gradient *g = &program->gradients[ref - 1];
    const double *max_keys = program->numbers + g->max_keys;
    float low[4][ZR_LANES];
    switch ((zp_gradient_mode)g->mode) {
    case ZP_GRADIENT_COLOUR: fill_colour(g->colour_max, out); return;
    case ZP_GRADIENT_TWO_COLOURS:
        fill_colour(g->colour_max, out);
        fill_colour(g->colour_min, low);
        break;
    case ZP_GRADIENT_TWO_GRADIENTS:
        colours_lanes(max_keys, g->max_count, times, out);
        colours_lanes(program->numbers + g->min_keys, g->min_count, times, low);
        break;
    case ZP_GRADIENT_RANDOM_COLOUR: {
        zr_times chances;
        memcpy(chances.t, r, sizeof chances.t);
        zr_times_bound(&chances);
        colours_lanes(max_keys, g->max_count, &chances, out);
        return;
    }
    default: colours_lanes(max_keys, g->max_count, times, out); return;
    }
    for (uint32_t c = 0; c < 4; ++c) {
        for (uint32_t i = 0; i < ZR_LANES; ++i) { out[c][i] = low[c][i] + (out[c][i] - low[c][i]) * r[i]; }
    }
}
