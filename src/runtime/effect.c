// Effects: the table of them, and bursts of particles along a path. How many are let go, which of them are alive, where
// each is. Called by runs when an event starts one, by instance.c, and by drawing. Particles of a path are not kept: a
// burst is a line in a table, and what a particle drew is drawn again from the seed, so a pet costs the same whether it
// celebrates or not. What an effect with an emitter does in time is emission.c's and particles.c's. Knows no pixels.
#include <math.h>

#include "base/maths.h"
#include "base/random.h"
#include "program/easing.h"
#include "runtime/particles.h"

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
    if (effect->motion != ZP_MOTION_PATH) { return 0; }
    const int64_t age_ns = zr_motion_ns(instance) - live->origin_ns;
    if (age_ns >= live->end_ns - live->origin_ns) { return 0; }
    if ((double)age_ns < effect->life.low * (double)effect->life_unit_ns - 1.0) { return live->count; } // none yet
    uint32_t count = 0;
    for (uint32_t i = 0; i < live->count; ++i) { count += age_ns < life_ns(instance, live, i); }
    return count;
}

uint32_t zr_paths_alive(const zo_instance *instance) {
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

// A burst that is over may still stand in the table.
static bool has_place(const zo_instance *instance) {
    if (instance->effect_count < instance->effect_capacity) { return true; }
    const int64_t now_ns = zr_motion_ns(instance);
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        const zr_effect *live = &zr_effects(instance)[i];
        if (record_of(instance, live)->motion == ZP_MOTION_PATH && live->end_ns <= now_ns) { return true; }
    }
    return false;
}

// By the instance's capacities.
static uint32_t room_count(const zo_instance *instance, uint32_t alive) {
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        if (zr_emitter_of(instance, &zr_effects(instance)[i])) { alive += zr_particles_alive(instance, i); }
    }
    return has_place(instance) && instance->particle_capacity > alive ? instance->particle_capacity - alive : 0;
}

bool zr_emission_room(const zo_instance *instance, uint32_t effect) {
    ZO_ASSERT(instance->program->effects[effect].emitter_ref != 0);
    return !instance->reduced_motion && !instance->no_effects && has_place(instance);
}

uint32_t zr_effect_room(const zo_instance *instance, uint32_t effect) {
    ZO_ASSERT(effect < zp_count(instance->program, ZP_SECTION_EFFECTS));
    const uint32_t alive = zr_paths_alive(instance);
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

// With an emitter; its particles come with time.
static uint32_t start_emitting(zo_instance *instance, uint32_t effect, uint32_t serial, uint32_t run) {
    if (!zr_emission_room(instance, effect)) {
        instance->dropped += !instance->reduced_motion && !instance->no_effects;
        return 0;
    }
    const zp_emitter *emitter = &instance->program->emitters[instance->program->effects[effect].emitter_ref - 1];
    const int64_t now_ns = zr_motion_ns(instance);
    const uint32_t index = instance->effect_count++;
    zr_effects(instance)[index] =
        (zr_effect){.effect = effect, .serial = serial, .origin_ns = now_ns,
                    .end_ns = emitter->end_ns >= 0 ? now_ns + emitter->end_ns : INT64_MAX};
    zr_emission_start(instance, index, run);
    return 0;
}

uint32_t zr_effect_start(zo_instance *instance, uint32_t effect, uint32_t run) {
    ZO_ASSERT(effect < zp_count(instance->program, ZP_SECTION_EFFECTS));
    zr_effects_sweep(instance);
    const uint32_t serial = instance->effect_serial++;
    if (instance->program->effects[effect].emitter_ref != 0) {
        return start_emitting(instance, effect, serial, run);
    }
    const uint32_t alive = zr_paths_alive(instance);
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

bool zr_effect_may_carry(const zo_instance *instance, const zo_instance *old, uint32_t from, uint32_t effect) {
    const zp_effect *was = record_of(old, &zr_effects(old)[from]), *is = &instance->program->effects[effect];
    return instance->effect_count < instance->effect_capacity && was->motion == is->motion && was->kind == is->kind;
}

void zr_effect_carry(zo_instance *instance, const zo_instance *old, uint32_t from, uint32_t effect) {
    ZO_ASSERT(zr_effect_may_carry(instance, old, from, effect));
    const uint32_t index = instance->effect_count++;
    zr_effect *live = &zr_effects(instance)[index];
    *live = zr_effects(old)[from];
    live->effect = effect;
    if (zr_emitter_of(instance, live)) {
        zr_emission_carry(instance, index, old, from);
    } else {
        set_end(instance, live);
    }
}

void zr_effects_sweep(zo_instance *instance) {
    const int64_t now_ns = zr_motion_ns(instance);
    zr_effect *all = zr_effects(instance);
    zr_emission *emissions = instance->emissions_offset ? zr_emissions(instance) : NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instance->effect_count; ++i) { // what has an emitter is taken out in its time
        if (record_of(instance, &all[i])->motion == ZP_MOTION_PATH && all[i].end_ns <= now_ns) { continue; }
        if (emissions) { emissions[kept] = emissions[i]; }
        all[kept++] = all[i];
    }
    memset(all + kept, 0, (instance->effect_count - kept) * sizeof *all);
    if (emissions) { memset(emissions + kept, 0, (instance->effect_count - kept) * sizeof *emissions); }
    instance->effect_count = kept;
}

void zr_effect_remove(zo_instance *instance, uint32_t index) {
    ZO_ASSERT(index < instance->effect_count);
    zr_effect *all = zr_effects(instance);
    zr_emission *emissions = zr_emissions(instance);
    zr_particles_free(instance, index);
    const size_t behind = --instance->effect_count - index;
    memmove(all + index, all + index + 1, behind * sizeof *all);
    memmove(emissions + index, emissions + index + 1, behind * sizeof *emissions);
    memset(all + instance->effect_count, 0, sizeof *all);
    memset(emissions + instance->effect_count, 0, sizeof *emissions);
}

void zr_effects_shift(zo_instance *instance, int64_t ns) {
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        zr_effects(instance)[i].origin_ns += ns;
        if (zr_effects(instance)[i].end_ns != INT64_MAX) { zr_effects(instance)[i].end_ns += ns; }
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

// The walk's next particle of an effect with an emitter. false: it has no more.
static bool next_emitted(const zo_instance *instance, const zr_effect *live, zr_particle_walk *walk,
                         zr_particle *particle) {
    ZO_ASSERT(walk->looked);
    const zr_batch *batches = zr_batches(instance);
    if (walk->batch == 0) {
        walk->batch = zr_emissions(instance)[walk->effect].first_batch;
        if (walk->batch == 0) { return false; }
        zr_particles_view(instance, walk->effect, walk->looked);
        walk->alive = zr_particles_look(instance, walk->effect, walk->batch - 1, walk->looked);
    }
    while (walk->particle >= ZR_LANES || walk->alive >> walk->particle == 0) {
        const uint32_t next = batches[walk->batch - 1].next;
        if (next == 0) { return false; }
        walk->batch = next;
        walk->particle = 0;
        walk->alive = zr_particles_look(instance, walk->effect, walk->batch - 1, walk->looked);
    }
    while (!(walk->alive >> walk->particle & 1)) { ++walk->particle; }
    const uint32_t i = walk->particle++;
    const zr_lanes *lanes = zr_lanes_of(instance, walk->batch - 1);
    const zr_shown *shown = &walk->looked->shown;
    *particle = (zr_particle){
        .effect = live->effect, .age_ns = zr_motion_ns(instance) - live->origin_ns - lanes->birth_ns[i],
        .life_ns = lanes->life_ns[i], .width = (double)shown->width[i], .height = (double)shown->height[i],
        .x = (double)shown->x[i], .y = (double)shown->y[i], .z = (double)shown->z[i],
        .velocity = {(double)shown->vx[i], (double)shown->vy[i], (double)shown->vz[i]},
        .turn = (double)shown->spin[i] * 57.295779513082320877, .opacity = 1.0,
        .start = live->serial, .number = lanes->number[i], .frame = shown->frame[i],
    };
    for (uint32_t c = 0; c < 4; ++c) { particle->rgba[c] = (double)shown->colour[c][i]; }
    return true;
}

uint32_t zr_particle_count(const zo_instance *instance) {
    uint32_t count = zr_paths_alive(instance);
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        if (zr_emitter_of(instance, &zr_effects(instance)[i])) { count += zr_particles_alive(instance, i); }
    }
    return count;
}

bool zr_particle_next(const zo_instance *instance, zr_particle_walk *walk, zr_particle *particle) {
    for (; walk->effect < instance->effect_count; ++walk->effect, walk->particle = walk->batch = 0) {
        const zr_effect *live = &zr_effects(instance)[walk->effect];
        if (zr_emitter_of(instance, live)) {
            if (next_emitted(instance, live, walk, particle)) { return true; }
            continue;
        }
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

// ---------------------------------------------------------------------------------------------------- those that are
// there

bool zr_effect_look_at(const zo_instance *instance, uint32_t nth, zr_effect_look *look) {
    const int64_t now_ns = zr_motion_ns(instance);
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        const zr_effect *live = &zr_effects(instance)[i];
        if (live->end_ns <= now_ns || nth-- > 0) { continue; } // a burst that is over may still stand there
        *look = (zr_effect_look){.record = record_of(instance, live), .emitter = zr_emitter_of(instance, live),
                                 .index = i,
                                 .start = live->serial, .age_ns = now_ns - live->origin_ns,
                                 .left_ns = live->end_ns == INT64_MAX ? INT64_MAX : live->end_ns - now_ns};
        if (!look->emitter) {
            look->particles = alive_of(instance, live);
            return true;
        }
        const zr_stand stand = zr_stand_now(instance, live);
        memcpy(look->at, stand.origin, sizeof look->at);
        look->turn = stand.degrees;
        zr_stand_turn(&stand, look->emitter, look->axes);
        look->particles = zr_particles_alive(instance, i);
        look->laying = look->record->kind == ZP_EFFECT_TRAIL && look->age_ns <= look->emitter->duration_ns &&
                       !(zr_emissions(instance)[i].flags & ZR_EMISSION_OVER);
        zr_point_walk walk = {0};
        while (look->record->kind == ZP_EFFECT_TRAIL && zr_point_next(instance, i, &walk)) { ++look->points; }
        return true;
    }
    return false;
}
