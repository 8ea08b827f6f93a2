// The yardstick for sampling, and its workload: what a straightforward C runtime does (an array of tracks, each with its
// own keys, a binary search, Newton for the cubic Bezier, then lerp, all in float), on 24 bones of 5 channels with 9 keys
// over 2 s and one random timing curve a bone and segment. Everything comes from one xorshift seed. Only for benchmarks.
#ifndef NAIVE_H
#define NAIVE_H

#include <math.h>
#include <stdint.h>

enum { BONE_COUNT = 24, BONE_WIDTH = 5, CHANNEL_COUNT = BONE_COUNT * BONE_WIDTH, KEY_COUNT = 9, SEGMENT_COUNT = KEY_COUNT - 1 };
#define WORK_SECONDS 2.0f

typedef struct workload {
    float times[KEY_COUNT]; // s
    float values[CHANNEL_COUNT][KEY_COUNT];
    float easings[BONE_COUNT][SEGMENT_COUNT][4]; // x1 y1 x2 y2
} workload;

static inline float workload_random(uint32_t *state, float low, float high) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return low + (high - low) * (float)(x >> 8) * (1.0f / 16777216.0f);
}

static inline void workload_make(workload *work) {
    uint32_t random = 12345;
    for (int k = 0; k < KEY_COUNT; k++) { work->times[k] = WORK_SECONDS * (float)k / SEGMENT_COUNT; }
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        const int kind = c % BONE_WIDTH; // x, y, rotation, two scales
        const float low = kind < 2 ? -20.0f : kind == 2 ? -45.0f : 0.8f, high = kind < 2 ? 20.0f : kind == 2 ? 45.0f : 1.2f;
        for (int k = 0; k < KEY_COUNT; k++) { work->values[c][k] = workload_random(&random, low, high); }
        work->values[c][KEY_COUNT - 1] = work->values[c][0]; // loops
    }
    for (int b = 0; b < BONE_COUNT; b++) {
        for (int s = 0; s < SEGMENT_COUNT; s++) {
            float *e = work->easings[b][s];
            e[0] = workload_random(&random, 0.05f, 0.95f);
            e[1] = workload_random(&random, -0.5f, 1.5f);
            e[2] = workload_random(&random, 0.05f, 0.95f);
            e[3] = workload_random(&random, -0.5f, 1.5f);
        }
    }
}

typedef struct naive_key {
    float time, value, x1, y1, x2, y2;
} naive_key;
typedef struct naive_track {
    int count;
    naive_key keys[KEY_COUNT];
} naive_track;

static inline void naive_make(naive_track *tracks, const workload *work) {
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        tracks[c].count = KEY_COUNT;
        for (int k = 0; k < KEY_COUNT; k++) {
            const float *e = work->easings[c / BONE_WIDTH][k < SEGMENT_COUNT ? k : 0];
            tracks[c].keys[k] = (naive_key){work->times[k], work->values[c][k], e[0], e[1], e[2], e[3]};
        }
    }
}

// Eight Newton steps from t = x at most; where the slope is too small, halving.
static inline float naive_ease(float x1, float y1, float x2, float y2, float x) {
    const float cx = 3 * x1, bx = 3 * (x2 - x1) - cx, ax = 1 - cx - bx;
    const float cy = 3 * y1, by = 3 * (y2 - y1) - cy, ay = 1 - cy - by;
    float t = x;
    int step = 0;
    for (; step < 8; step++) {
        const float error = ((ax * t + bx) * t + cx) * t - x;
        if (fabsf(error) < 1e-6f) { break; }
        const float slope = (3 * ax * t + 2 * bx) * t + cx;
        if (fabsf(slope) < 1e-6f) { step = 8; break; }
        t -= error / slope;
    }
    if (step == 8) {
        float low = 0, high = 1;
        t = x;
        while (low < high) {
            const float at = ((ax * t + bx) * t + cx) * t;
            if (fabsf(at - x) < 1e-6f) { break; }
            if (x > at) { low = t; } else { high = t; }
            const float middle = (high - low) * 0.5f + low;
            if (middle == t) { break; }
            t = middle;
        }
    }
    return ((ay * t + by) * t + cy) * t;
}

static inline float naive_track_at(const naive_track *track, float time) {
    int low = 0, high = track->count - 1;
    if (time <= track->keys[0].time) { return track->keys[0].value; }
    if (time >= track->keys[high].time) { return track->keys[high].value; }
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (track->keys[middle].time <= time) { low = middle; } else { high = middle; }
    }
    const naive_key *a = &track->keys[low], *b = a + 1;
    const float p = (time - a->time) / (b->time - a->time);
    return a->value + (b->value - a->value) * naive_ease(a->x1, a->y1, a->x2, a->y2, p);
}

static inline void naive_sample(const naive_track *tracks, float time, float *out) {
    for (int c = 0; c < CHANNEL_COUNT; c++) { out[c] = naive_track_at(&tracks[c], time); }
}

#endif
