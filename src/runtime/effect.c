// Effects: bursts of particles along a path. How many are let go, which of them are alive, where each is. Called by
// runs when an event starts one, by instance.c, and by drawing. Particles are not kept: a burst is a line in a table,
// and what a particle drew is drawn again from the seed, so a pet costs the same whether it celebrates or not. Knows
// no pixels.
#include <math.h>

#include "base/maths.h"
#include "base/random.h"
#include "program/easing.h"
#include "runtime/runtime.h"

// What a particle draws, and the order in which a test's list gives it.
enum { DRAW_COLOUR, DRAW_SIZE, DRAW_SHAPE, DRAW_ANGLE, DRAW_TRAVEL, DRAW_SPIN, DRAW_SPIN_SIGN, DRAW_LIFE, DRAW_COUNT };

static double draw(const zo_instance *instance, const zr_effect *live, uint32_t particle, uint32_t n) {
    if (instance->particle_list_count == 0) {
        const uint64_t key = (uint64_t)live->serial << 32 | particle;
        return zb_random_unit(instance->seed, ZB_DOMAIN_PARTICLE, key, n);
    }
    const uint64_t place = live->list_at + (uint64_t)particle * DRAW_COUNT + n;
    return zb_clamp(instance->particle_list[place % instance->particle_list_count], 0.0, 1.0);
}

static double within(zp_range range, double u) { return range.low + u * (range.high - range.low); }

static uint32_t one_of(uint32_t count, double u) {
    const double place = floor(u * (double)count);
    return place < (double)count ? (uint32_t)place : count - 1;
}

static const zp_effect *record_of(const zo_instance *instance, const zr_effect *live) {
    return &instance->program->effects[live->effect];
}

// Rounded down as every duration, but what is a whole number on paper must not lose one to rounding. Supported effects
// keep it below 2^60.
static int64_t life_ns(const zo_instance *instance, const zr_effect *live, uint32_t particle) {
    const zp_effect *effect = record_of(instance, live);
    const double life = within(effect->life, draw(instance, live, particle, DRAW_LIFE));
    const int64_t ns = (int64_t)floor(life * (double)effect->life_unit_ns + 0x1p-10);
    return ns > 1 ? ns : 1;
}

// ---------------------------------------------------------------------------------------------------- letting go

static uint32_t alive_of(const zo_instance *instance, const zr_effect *live) {
    const zp_effect *effect = record_of(instance, live);
    const int64_t age_ns = zr_motion_ns(instance) - live->origin_ns;
    if (age_ns >= live->end_ns - live->origin_ns) { return 0; }
    if ((double)age_ns < effect->life.low * (double)effect->life_unit_ns - 1.0) { return live->count; } // none yet
    uint32_t count = 0;
    for (uint32_t i = 0; i < live->count; ++i) { count += age_ns < life_ns(instance, live, i); }
    return count;
}

static uint32_t alive_count(const zo_instance *instance) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < instance->effect_count; ++i) { count += alive_of(instance, &zr_effects(instance)[i]); }
    return count;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// By the effect's own limits.
static uint32_t wanted_count(const zo_instance *instance, uint32_t effect, uint32_t alive) {
    if (instance->reduced_motion || instance->no_effects) { return 0; }
    const zp_effect *record = &instance->program->effects[effect];
    const uint32_t left = record->alive_max > alive ? record->alive_max - alive : 0;
    return least(least(record->burst_count, record->burst_max), left);
}

// By the instance's capacities. An effect that is over may still stand in the table.
static uint32_t room_count(const zo_instance *instance, uint32_t alive) {
    const int64_t now_ns = zr_motion_ns(instance);
    bool has_place = instance->effect_count < instance->effect_capacity;
    for (uint32_t i = 0; i < instance->effect_count && !has_place; ++i) {
        has_place = zr_effects(instance)[i].end_ns <= now_ns;
    }
    return has_place && instance->particle_capacity > alive ? instance->particle_capacity - alive : 0;
}

uint32_t zr_effect_room(const zo_instance *instance, uint32_t effect) {
    ZO_ASSERT(effect < zp_count(instance->program, ZP_SECTION_EFFECTS));
    const uint32_t alive = alive_count(instance);
    return least(wanted_count(instance, effect, alive), room_count(instance, alive));
}

static void set_end(const zo_instance *instance, zr_effect *live) {
    int64_t longest_ns = 0;
    for (uint32_t i = 0; i < live->count; ++i) {
        const int64_t ns = life_ns(instance, live, i);
        if (ns > longest_ns) { longest_ns = ns; }
    }
    live->end_ns = live->origin_ns + longest_ns;
}

uint32_t zr_effect_start(zo_instance *instance, uint32_t effect) {
    ZO_ASSERT(effect < zp_count(instance->program, ZP_SECTION_EFFECTS));
    zr_effects_sweep(instance);
    const uint32_t serial = instance->effect_serial++;
    const uint32_t alive = alive_count(instance);
    const uint32_t wanted = wanted_count(instance, effect, alive);
    const uint32_t count = least(wanted, room_count(instance, alive));
    instance->dropped += instance->effect_count < instance->effect_capacity ? wanted - count : wanted > 0;
    if (count == 0) { return 0; }

    zr_effect *live = &zr_effects(instance)[instance->effect_count++];
    *live = (zr_effect){.effect = effect, .count = count, .serial = serial, .list_at = instance->particle_list_used,
                        .origin_ns = zr_motion_ns(instance)};
    if (instance->particle_list_count > 0) {
        const uint64_t next = live->list_at + (uint64_t)count * DRAW_COUNT;
        instance->particle_list_used = (uint32_t)(next % instance->particle_list_count);
    }
    set_end(instance, live);
    return count;
}

void zr_effect_carry(zo_instance *instance, const zr_effect *from, uint32_t effect) {
    ZO_ASSERT(instance->effect_count < instance->effect_capacity);
    zr_effect *live = &zr_effects(instance)[instance->effect_count++];
    *live = *from;
    live->effect = effect;
    set_end(instance, live);
}

void zr_effects_sweep(zo_instance *instance) {
    const int64_t now_ns = zr_motion_ns(instance);
    zr_effect *all = zr_effects(instance);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        if (all[i].end_ns > now_ns) { all[kept++] = all[i]; }
    }
    memset(all + kept, 0, (instance->effect_count - kept) * sizeof *all);
    instance->effect_count = kept;
}

void zr_effects_shift(zo_instance *instance, int64_t ns) {
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        zr_effects(instance)[i].origin_ns += ns;
        zr_effects(instance)[i].end_ns += ns;
    }
}

// ---------------------------------------------------------------------------------------------------- where they are

static double hundredths(double value) { return floor(100.0 * value + 0.5) / 100.0; }

// Offset, turn and opacity at one key. `way` is the whole offset without the fall.
typedef struct place { double x, y, turn, opacity; } place;

static place place_at(const zp_effect *effect, const double *key, const double way[2], double spin) {
    place p = {
        .x = key[ZP_PATH_DISTANCE] * way[0],
        .y = key[ZP_PATH_DISTANCE] * way[1] + key[ZP_PATH_FALL] * effect->fall,
        .turn = key[ZP_PATH_TURN] * spin,
        .opacity = key[ZP_PATH_OPACITY],
    };
    if (effect->flags & ZP_EFFECT_ROUND_KEYS) {
        p.x = hundredths(p.x);
        p.y = hundredths(p.y);
        p.turn = hundredths(p.turn);
    }
    return p;
}

static void follow_path(const zp_program *program, const zp_effect *effect, const double way[2], double spin,
                        zr_particle *particle) {
    double progress = (double)particle->age_ns / (double)particle->life_ns;
    if (effect->easing_ref) { progress = zp_easing_at(&program->easings[effect->easing_ref - 1], progress); }
    const double *key = program->numbers + effect->keys, *next = key + ZP_PATH_COUNT;
    for (uint32_t k = 2; k < effect->key_count && progress >= next[ZP_PATH_AT]; ++k) {
        key = next;
        next += ZP_PATH_COUNT;
    }
    const double share = (progress - key[ZP_PATH_AT]) / (next[ZP_PATH_AT] - key[ZP_PATH_AT]);
    const place a = place_at(effect, key, way, spin), b = place_at(effect, next, way, spin);
    particle->x = a.x + (b.x - a.x) * share;
    particle->y = a.y + (b.y - a.y) * share;
    particle->turn = a.turn + (b.turn - a.turn) * share;
    particle->opacity = a.opacity + (b.opacity - a.opacity) * share;
}

// All but what is known of it already: its effect, age and life.
static void draw_particle(const zo_instance *instance, const zr_effect *live, uint32_t index, zr_particle *particle) {
    const zp_program *program = instance->program;
    const zp_effect *effect = record_of(instance, live);
    double u[DRAW_COUNT];
    for (uint32_t n = 0; n < DRAW_LIFE; ++n) { u[n] = draw(instance, live, index, n); }

    particle->colour = program->numbers + effect->colours + 4 * (size_t)one_of(effect->colour_count, u[DRAW_COLOUR]);
    particle->shape = effect->shapes + one_of(effect->shape_count, u[DRAW_SHAPE]);
    particle->width = within(effect->size, u[DRAW_SIZE]);
    particle->height = program->shapes[particle->shape].aspect * particle->width;
    if (effect->flags & ZP_EFFECT_ROUND_SIZE) { // the height from the size as drawn
        particle->width = floor(particle->width + 0.5);
        particle->height = floor(particle->height + 0.5);
    }
    double sine, cosine;
    zb_sincos_degrees(360.0 * u[DRAW_ANGLE], &sine, &cosine);
    const double travel = within(effect->travel, u[DRAW_TRAVEL]), spin = within(effect->spin, u[DRAW_SPIN]);
    const double way[2] = {travel * cosine, travel * sine};
    follow_path(program, effect, way, u[DRAW_SPIN_SIGN] < 0.5 ? 0.0 - spin : spin, particle);
}

bool zr_particle_next(const zo_instance *instance, zr_particle_walk *walk, zr_particle *particle) {
    for (; walk->effect < instance->effect_count; ++walk->effect, walk->particle = 0) {
        const zr_effect *live = &zr_effects(instance)[walk->effect];
        const int64_t age_ns = zr_motion_ns(instance) - live->origin_ns;
        while (walk->particle < live->count) {
            const uint32_t index = walk->particle++;
            const int64_t ns = life_ns(instance, live, index);
            if (age_ns >= ns) { continue; }
            *particle = (zr_particle){.effect = live->effect, .age_ns = age_ns, .life_ns = ns};
            draw_particle(instance, live, index, particle);
            return true;
        }
    }
    return false;
}
