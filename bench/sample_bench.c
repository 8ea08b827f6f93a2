// sample_bench [ROUNDS], or --write PROGRAM WORKLOAD: channels a second of one character (workload and yardstick in naive.h), ours exact in double beside
// a straightforward runtime in float. The two run in turns within a round, since a shared machine's speed drifts, and each
// round prints its own ratios, a line each: name, value, unit. First both are compared, so that equal work is measured.
// `seek` is random times in place of the next frame. `targets` adds the transforms of 24 bones in a chain.
// With --write nothing is measured: the program is stored, and what it was made of written as JSON, for web/sample.mjs.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "naive.h"
#include "program/build.h"
#include "runtime/runtime.h"

enum { ROUND_COUNT_DEFAULT = 9, FRAMES = 120, SEEK_COUNT = 4096 };
static const double ROUND_SECONDS = 0.1;
static const int64_t FRAME_NS = 16666667;

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------- the program

static void add_bone(zp_build *build, uint32_t bone, bool with_targets) {
    static const double rest[BONE_WIDTH] = {0, 0, 0, 1, 1};
    for (uint32_t i = 0; i < BONE_WIDTH; i++) {
        const zp_channel channel = {.rest = rest[i], .low = -HUGE_VAL, .high = HUGE_VAL};
        zp_build_channel(build, &channel);
    }
    if (!with_targets) { return; }
    zp_target target = {.parent_ref = bone, .compose = ZP_COMPOSE_TRS2, .pivot = {8, 4}};
    for (uint32_t i = 0; i < BONE_WIDTH; i++) { target.slot_refs[i] = bone * BONE_WIDTH + i + 1; }
    target.constant[ZP_SLOT_OPACITY] = 1;
    zp_build_target(build, &target);
}

static void add_curves(zp_build *build, const workload *work, uint32_t bone) {
    double times[KEY_COUNT];
    zp_interval intervals[KEY_COUNT] = {{0}};
    for (uint32_t k = 0; k < KEY_COUNT; k++) { times[k] = (double)work->times[k] / (double)WORK_SECONDS; }
    for (uint32_t s = 0; s < SEGMENT_COUNT; s++) {
        const float *e = work->easings[bone][s];
        intervals[s].interpolation = ZP_INTERPOLATE_EASE;
        intervals[s].argument = zp_build_easing(build, (double)e[0], (double)e[1], (double)e[2], (double)e[3]);
    }
    for (uint32_t i = 0; i < BONE_WIDTH; i++) {
        double values[KEY_COUNT];
        const uint32_t channel = bone * BONE_WIDTH + i;
        for (uint32_t k = 0; k < KEY_COUNT; k++) { values[k] = (double)work->values[channel][k]; }
        const zp_curve_def curve = {.placement = ZP_PLACE_EXPLICIT, .interpolation = ZP_INTERPOLATE_PER_INTERVAL,
                                    .arithmetic = ZP_ARITHMETIC_F64, .width = 1, .first_channel = channel,
                                    .key_count = KEY_COUNT, .times = times, .intervals = intervals, .values = values};
        zp_build_curve(build, &curve);
    }
}

static zp_program *make_program(const workload *work, bool with_targets) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    const zp_layer layer = {0};
    zp_build_layer(build, &layer);
    for (uint32_t bone = 0; bone < BONE_COUNT; bone++) { add_bone(build, bone, with_targets); }
    const int64_t duration_ns = (int64_t)WORK_SECONDS * 1000000000;
    const zp_clip clip = {.duration_ns = duration_ns, .duration_ns_min = duration_ns, .duration_ns_max = duration_ns,
                          .complete_ns = duration_ns, .repeat = ZP_REPEAT_LOOP};
    zp_build_clip_begin(build, &clip, (zp_span){0, 0});
    for (uint32_t bone = 0; bone < BONE_COUNT; bone++) { add_curves(build, work, bone); }
    const zp_play play = {.clip = zp_build_clip_end(build)};
    zp_build_play(build, &play);
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}

// ---------------------------------------------------------------------------------------------------- the contestants

typedef struct state {
    naive_track tracks[CHANNEL_COUNT];
    float naive_out[CHANNEL_COUNT];
    float naive_time;
    const zp_program *program;
    zo_instance *instance;
    zo_pose *pose;
    double time;
    double seek_times[SEEK_COUNT]; // fractions of a pass
    int64_t seek_steps[SEEK_COUNT]; // ns
    uint32_t seek;
    double sink;                   // results are used, so that nothing is left out
} state;

static void run_naive(state *s) {
    s->naive_time += 1 / 60.0f;
    if (s->naive_time >= WORK_SECONDS) { s->naive_time -= WORK_SECONDS; }
    naive_sample(s->tracks, s->naive_time, s->naive_out);
    s->sink += (double)s->naive_out[7];
}

static void run_clip(state *s) {
    s->time += 1 / 120.0;
    if (s->time >= 1) { s->time -= 1; }
    zo_clip_sample(s->program, (zo_clip){1}, s->time, NULL, s->pose);
    s->sink += s->pose->slots[7];
}

static void run_clip_seek(state *s) {
    s->seek = (s->seek + 1) % SEEK_COUNT;
    zo_clip_sample(s->program, (zo_clip){1}, s->seek_times[s->seek], NULL, s->pose);
    s->sink += s->pose->slots[7];
}

static void run_instance(state *s) {
    zo_event event;
    zo_instance_advance(s->instance, FRAME_NS, &event, 1);
    zo_instance_sample(s->instance, s->pose);
    s->sink += s->pose->slots[7];
}

static void run_instance_seek(state *s) {
    zo_event event;
    s->seek = (s->seek + 1) % SEEK_COUNT;
    zo_instance_advance(s->instance, s->seek_steps[s->seek], &event, 1);
    zo_instance_sample(s->instance, s->pose);
    s->sink += s->pose->slots[7];
}

// Seconds a sample.
static double measure(state *s, void (*run)(state *)) {
    uint64_t count = 0;
    const double start = cpu_seconds();
    double now;
    do {
        for (int i = 0; i < FRAMES; i++) { run(s); }
        count += FRAMES;
        now = cpu_seconds();
    } while (now - start < ROUND_SECONDS);
    return (now - start) / (double)count;
}

static bool agrees(state *s) {
    double worst = 0;
    for (int frame = 0; frame <= 1000; frame++) {
        naive_sample(s->tracks, WORK_SECONDS * (float)frame / 1000.0f, s->naive_out);
        zo_clip_sample(s->program, (zo_clip){1}, (double)frame / 1000.0, NULL, s->pose);
        for (int c = 0; c < CHANNEL_COUNT; c++) {
            const double range = c % BONE_WIDTH < 2 ? 40 : c % BONE_WIDTH == 2 ? 90 : 0.4;
            const double difference = fabs(s->pose->slots[c] - (double)s->naive_out[c]) / range;
            if (difference > worst) { worst = difference; }
        }
    }
    printf("difference %.3g of_range\n", worst); // the yardstick's: it stops at 1e-6 of time, which steep curves magnify
    return worst < 1e-3;
}

static bool open_state(state *s, const workload *work, bool with_targets) {
    s->program = make_program(work, with_targets);
    s->instance = s->program ? zo_instance_create(s->program, NULL, NULL) : NULL;
    s->pose = s->instance ? zo_pose_create(s->program, NULL) : NULL;
    if (!s->pose) { return false; }
    naive_make(s->tracks, work);
    uint32_t random = 777;
    for (int i = 0; i < SEEK_COUNT; i++) {
        s->seek_times[i] = (double)workload_random(&random, 0, 1);
        s->seek_steps[i] = (int64_t)(s->seek_times[i] * 2e9);
    }
    return true;
}

static void close_state(state *s) {
    zo_pose_free(s->pose);
    zo_instance_free(s->instance);
    zp_program_free((zp_program *)(uintptr_t)s->program);
}

static void write_numbers(FILE *file, const char *name, const float *numbers, uint32_t count) {
    fprintf(file, "%s[", name);
    for (uint32_t i = 0; i < count; i++) { fprintf(file, i > 0 ? ",%.9g" : "%.9g", (double)numbers[i]); }
    fprintf(file, "]");
}

static bool write_files(const workload *work, const char *program_path, const char *work_path) {
    zp_program *program = make_program(work, false);
    FILE *stored = fopen(program_path, "wb"), *text = fopen(work_path, "w");
    bool fine = program != NULL && stored != NULL && text != NULL;
    if (fine) {
        size_t size;
        const void *blob = zo_program_blob(program, &size);
        fine = fwrite(blob, 1, size, stored) == size;
        write_numbers(text, "{\"times\":", work->times, KEY_COUNT);
        write_numbers(text, ",\"values\":", work->values[0], CHANNEL_COUNT * KEY_COUNT);
        write_numbers(text, ",\"easings\":", work->easings[0][0], BONE_COUNT * SEGMENT_COUNT * 4);
        fprintf(text, "}\n");
    }
    if (stored != NULL) { fine = fclose(stored) == 0 && fine; }
    if (text != NULL) { fine = fclose(text) == 0 && fine; }
    zp_program_free(program);
    return fine;
}

int main(int argc, char **argv) {
    static workload work;
    static state bare, whole;
    const int round_count = argc > 1 ? atoi(argv[1]) : ROUND_COUNT_DEFAULT;
    workload_make(&work);
    if (argc == 4 && strcmp(argv[1], "--write") == 0) {
        if (write_files(&work, argv[2], argv[3])) { return 0; }
        fprintf(stderr, "sample_bench: cannot write\n");
        return 1;
    }
    if (!open_state(&bare, &work, false) || !open_state(&whole, &work, true)) {
        fprintf(stderr, "sample_bench: no memory\n");
        return 1;
    }
    if (!agrees(&bare)) {
        fprintf(stderr, "sample_bench: the two do not compute the same\n");
        return 1;
    }
    for (int round = -1; round < round_count; round++) { // the first warms up
        const double naive = measure(&bare, run_naive);
        const double clip = measure(&bare, run_clip), clip_seek = measure(&bare, run_clip_seek);
        const double instance = measure(&bare, run_instance), instance_seek = measure(&bare, run_instance_seek);
        const double targets = measure(&whole, run_clip);
        if (round < 0) { continue; }
        printf("naive_rate %.4g Mchannels/s\n", CHANNEL_COUNT / naive * 1e-6);
        printf("clip_rate %.4g Mchannels/s\n", CHANNEL_COUNT / clip * 1e-6);
        printf("instance_rate %.4g Mchannels/s\n", CHANNEL_COUNT / instance * 1e-6);
        printf("targets_rate %.4g Mchannels/s\n", CHANNEL_COUNT / targets * 1e-6);
        printf("clip_ratio %.4g x\n", naive / clip);
        printf("instance_ratio %.4g x\n", naive / instance);
        printf("targets_ratio %.4g x\n", naive / targets);
        printf("clip_seek_ratio %.4g x\n", clip_seek / clip);
        printf("instance_seek_ratio %.4g x\n", instance_seek / instance);
    }
    const double sink = bare.sink + whole.sink;
    close_state(&bare);
    close_state(&whole);
    return sink != sink; // NaN would mean that something was never computed
}
