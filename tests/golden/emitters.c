// Golden line of effects with emitters: one of each birthplace, with curves, gradients, noise and sheets on each of them,
// played for two seconds; everything that lives is in the hash, as numbers.
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#include "base/arena.h"
#include "program/build.h"

static uint64_t state;

static double any(double low, double high) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (double)(state >> 40) / (double)(1 << 24) * (high - low);
}

static uint32_t number(zp_build *build, double low, double high) {
    double keys[2][3][ZP_KEY_COUNT];
    for (uint32_t i = 0; i < 6; i++) {
        double *key = keys[i / 3][i % 3];
        key[ZP_KEY_TIME] = 0.5 * (i % 3);
        for (uint32_t c = ZP_KEY_VALUE; c < ZP_KEY_COUNT; c++) { key[c] = any(low, high); }
    }
    zp_minmax m = {.mode = (uint32_t)any(0, 3.999), .multiplier = 1.25, .constant_min = any(low, high),
                   .constant_max = any(low, high)};
    if (m.mode == ZP_MINMAX_TWO_CURVES) {
        m.min_count = 3;
        m.min_keys = zp_build_numbers(build, &keys[0][0][0], 12);
    }
    if (m.mode == ZP_MINMAX_TWO_CURVES || m.mode == ZP_MINMAX_CURVE) {
        m.max_count = 3;
        m.max_keys = zp_build_numbers(build, &keys[1][0][0], 12);
    }
    return zp_build_minmax(build, &m) + 1;
}

static uint32_t colour(zp_build *build, uint32_t mode) {
    double keys[3][5];
    zp_gradient g = {.mode = mode % ZP_GRADIENT_COUNT, .min_count = 3, .max_count = 3};
    for (uint32_t i = 0; i < 15; i++) { keys[i / 5][i % 5] = i % 5 == 0 ? 0.4 * (i / 5) : any(0, 1); }
    g.min_keys = zp_build_numbers(build, &keys[0][0], 15);
    for (uint32_t i = 0; i < 15; i++) { keys[i / 5][i % 5] = i % 5 == 0 ? 0.5 * (i / 5) : any(0, 1); }
    g.max_keys = zp_build_numbers(build, &keys[0][0], 15);
    for (uint32_t c = 0; c < 4; c++) {
        g.colour_min[c] = any(0, 1);
        g.colour_max[c] = any(0, 1);
    }
    return zp_build_gradient(build, &g) + 1;
}

static void add_emitter(zp_build *build, uint32_t i) {
    const zp_burst burst = {.time = any(0, 0.3), .interval = 0.1, .probability = 0.8, .count_min = 1, .count_max = 5,
                            .cycle_count = 3};
    zp_emitter e = {
        .flags = i * 37 % 256, .particles_max = 60, .duration_ns = 400000000 + i, .end_ns = i % 3 == 0 ? -1 : 1900000000,
        .place = {any(-1, 1), any(-1, 1), 0.5}, .turn = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1},
        .scale = {any(-2, 2), any(-2, 2), 1}, .pull = {0, -9.81, 0}, .birthplace = i % ZP_BIRTH_COUNT,
        .radius = any(0, 1), .angle = any(0, 90), .first_burst = zp_build_bursts(build, &burst, 1), .burst_count = 1,
        .rate_ref = number(build, 0, 60), .way_ref = number(build, 0, 8), .life_ref = number(build, 0.1, 0.9),
        .speed_ref = number(build, -2, 2), .size_ref = number(build, 0, 1), .colour_ref = colour(build, i),
        .gravity_ref = number(build, -1, 1), .spin_ref = number(build, -4, 4), .spin_axis = i % 3,
        .size_refs = {number(build, 0, 2), number(build, 0, 2)}, .over_ref = colour(build, i + 2), .columns = 4, .rows = 3,
        .row = i % 3, .frame = i % 4, .cycles = 1 + i % 3, .frame_ref = number(build, 0, 1),
        .start_ref = i % 2 ? number(build, 0, 1) : 0,
    };
    for (uint32_t c = 0; c < 3; c++) { e.velocity_refs[c] = number(build, -1, 1); }
    if (i % 4 == 1) {
        e.noise_dimensions = 1 + i % 3;
        e.noise_octaves = 1 + i % 4;
        e.noise_frequency = 0.7;
        e.noise_gain = 0.5;
        e.noise_lacunarity = 2;
        for (uint32_t c = 0; c < 3; c++) { e.noise_refs[c] = number(build, -1, 1); }
        e.scroll_ref = number(build, 0, 1);
    }
    zp_build_effect(build, &(zp_effect){.motion = ZP_MOTION_INTEGRATED, .emitter_ref = zp_build_emitter(build, &e) + 1});
}

static zo_program *make(void) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_layer(build, &(zp_layer){0});
    zp_build_channel(build, &(zp_channel){.low = -1e9, .high = 1e9});
    zp_build_channel(build, &(zp_channel){.low = -1e9, .high = 1e9});
    zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_TRS2, .slot_refs = {1, 0, 2}, .constant = {0, 0, 0, 1.5, 1, 1}});
    state = 1;
    for (uint32_t i = 0; i < ZP_BIRTH_COUNT; i++) { add_emitter(build, i); }
    const zp_clip clip = {.repeat = ZP_REPEAT_LOOP, .duration_ns = 700000000, .duration_ns_min = 1,
                          .duration_ns_max = 700000000, .complete_ns = 700000000, .delay_unit_ns = 1};
    const double times[] = {0, 0.4, 1}, values[] = {0, 30, -2, -70, 1, 10};
    zp_build_clip_begin(build, &clip, (zp_span){0, 0});
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 2, .key_count = 3, .times = times,
                                          .values = values});
    for (uint32_t i = 0; i < ZP_BIRTH_COUNT; i++) {
        zp_build_event(build, &(zp_event){.action = ZP_ACTION_START_EFFECT, .subject_ref = i + 1}, (zp_span){0, 0});
    }
    zp_build_clip_end(build);
    zp_build_play(build, &(zp_play){.clip = 0});
    zo_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    if (!program || !zp_program_check(program->blob, program->blob_size, NULL)) { abort(); }
    return program;
}

uint64_t golden_emitters(void) {
    enum { MANY = 4096 };
    zo_program *program = make();
    zo_instance *instance = zo_instance_create(program, &(zo_instance_def){.seed = 11}, NULL);
    zo_particle *particles = malloc(MANY * sizeof *particles);
    if (!instance || !particles) { abort(); }
    uint64_t hash = GOLDEN_HASH_START, seen = 0;
    for (uint32_t frame = 0; frame < 120; frame++) {
        zo_step step = {.left_ns = 16666667};
        do {
            zo_event events[4];
            step = zo_instance_advance(instance, step.left_ns, events, 4);
        } while (step.more || step.left_ns > 0);
        const uint32_t count = zo_instance_particles(instance, 0, particles, MANY);
        for (uint32_t i = 0; i < count; i++) {
            const zo_particle *p = &particles[i];
            const double parts[] = {p->x, p->y, p->z, p->vx, p->vy, p->vz, p->width, p->height, p->turn, p->rgba[0],
                                    p->rgba[1], p->rgba[2], p->rgba[3], (double)p->age_ns, (double)p->life_ns};
            const uint32_t numbers[] = {p->start, p->number, p->frame};
            hash = golden_hash(hash, parts, sizeof parts);
            hash = golden_hash(hash, numbers, sizeof numbers);
        }
        seen += count;
    }
    if (seen < 10000) { abort(); } // else it says little
    free(particles);
    zo_instance_free(instance);
    zo_program_free(program);
    return golden_hash(hash, &seen, sizeof seen);
}
