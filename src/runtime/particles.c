// The table of particles that move step by step: births, steps at ticks, deaths, and what a batch looks like between
// ticks. Called by emission.c, which says when, and by effect.c for whoever wants to see them. Batches are stepped
// whole, in loops over lanes that a compiler turns into vector instructions; lanes of the dead move on unseen.
//
// Nothing here happens because a call of advance ends: the table changes at births and ticks alone, so that its bytes
// do not depend on how time was cut. A particle that is dead is passed over by whoever looks.
#include <math.h>

#include "runtime/particles.h"

static const zp_emitter *emitter_at(const zo_instance *instance, uint32_t index) {
    const zp_emitter *emitter = zr_emitter_of(instance, &zr_effects(instance)[index]);
    ZO_ASSERT(emitter);
    return emitter;
}

static uint32_t count_bits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) { ++count; }
    return count;
}

// ---------------------------------------------------------------------------------------------------- batches

static void free_batch(zo_instance *instance, uint32_t batch) {
    memset(zr_lanes_of(instance, batch), 0, sizeof(zr_lanes));
    zr_batches(instance)[batch] = (zr_batch){.next = instance->free_batch};
    instance->free_batch = batch + 1;
}

void zr_particles_free(zo_instance *instance, uint32_t index) {
    zr_emission *e = &zr_emissions(instance)[index];
    for (uint32_t ref = e->first_batch, next; ref != 0; ref = next) {
        next = zr_batches(instance)[ref - 1].next;
        free_batch(instance, ref - 1);
    }
    instance->batch_particles -= e->live;
    e->live = e->batch_count = e->first_batch = e->last_batch = 0;
    e->death_ns = INT64_MAX;
}

static int64_t lane_death_ns(const zr_lanes *lanes, uint32_t lane) {
    return lanes->birth_ns[lane] + lanes->life_ns[lane];
}

// Strikes out who is dead; true: nobody is left.
static bool bury(zr_batch *batch, const zr_lanes *lanes, int64_t now_ns) {
    int64_t first_ns = INT64_MAX;
    for (uint32_t lane = 0; lane < batch->born; ++lane) {
        if (!(batch->alive >> lane & 1)) { continue; }
        const int64_t death_ns = lane_death_ns(lanes, lane);
        if (death_ns <= now_ns) {
            batch->alive &= (uint16_t)~(1u << lane);
        } else if (death_ns < first_ns) {
            first_ns = death_ns;
        }
    }
    batch->death_ns = first_ns;
    return batch->alive == 0;
}

// Takes the dead out of an effect's batches, and batches in which nobody is left.
static void reap(zo_instance *instance, uint32_t index, int64_t now_ns) {
    zr_emission *e = &zr_emissions(instance)[index];
    if (e->death_ns > now_ns) { return; }
    zr_batch *batches = zr_batches(instance);
    uint32_t *link = &e->first_batch, last = 0, live = 0;
    int64_t first_ns = INT64_MAX;
    while (*link != 0) {
        const uint32_t at = *link - 1;
        zr_batch *batch = &batches[at];
        if (batch->death_ns <= now_ns && bury(batch, zr_lanes_of(instance, at), now_ns)) {
            *link = batch->next;
            free_batch(instance, at);
            --e->batch_count;
            continue;
        }
        live += count_bits(batch->alive);
        if (batch->death_ns < first_ns) { first_ns = batch->death_ns; }
        last = at + 1;
        link = &batch->next;
    }
    instance->batch_particles -= e->live - live;
    e->live = live;
    e->last_batch = last;
    e->death_ns = first_ns;
}

// All between the birth and the life is rows of four bytes a lane.
enum {
    ROWS_AT = offsetof(zr_lanes, per_life),
    ROW_SIZE = ZR_LANES * sizeof(float),
    ROW_COUNT = (offsetof(zr_lanes, life_ns) - ROWS_AT) / ROW_SIZE,
};
_Static_assert(ROWS_AT + ROW_COUNT * ROW_SIZE == offsetof(zr_lanes, life_ns), "whole rows");

static void copy_lane(zr_lanes *to, uint32_t t, const zr_lanes *from, uint32_t f) {
    to->birth_ns[t] = from->birth_ns[f];
    to->life_ns[t] = from->life_ns[f];
    to->start[t] = from->start[f];
    const uint8_t *source = (const uint8_t *)from + ROWS_AT + f * sizeof(float);
    uint8_t *target = (uint8_t *)to + ROWS_AT + t * sizeof(float);
    for (size_t row = 0; row < ROW_COUNT; ++row) {
        memcpy(target + row * ROW_SIZE, source + row * ROW_SIZE, sizeof(float));
    }
}

static void clear_lane(zr_lanes *lanes, uint32_t lane) { // of who had it before
    uint8_t *rows = (uint8_t *)lanes + ROWS_AT + lane * sizeof(float);
    for (size_t row = 0; row < ROW_COUNT; ++row) { memset(rows + row * ROW_SIZE, 0, sizeof(float)); }
}

// Moves an effect's particles together, in their order.
static void close_up(zo_instance *instance, uint32_t index) {
    zr_emission *e = &zr_emissions(instance)[index];
    zr_batch *batches = zr_batches(instance);
    uint32_t to = e->first_batch, t = 0, kept = 0;
    if (to == 0) { return; }
    uint16_t alive = batches[to - 1].alive; // of the batch that is looked at: it may be the one that is filled
    batches[to - 1].alive = batches[to - 1].born = 0;
    batches[to - 1].death_ns = INT64_MAX;
    for (uint32_t from = to; from != 0;) {
        for (uint32_t f = 0; f < ZR_LANES; ++f) {
            if (!(alive >> f & 1)) { continue; }
            if (t == ZR_LANES) {
                to = batches[to - 1].next;
                t = 0;
            }
            zr_batch *batch = &batches[to - 1];
            zr_lanes *lanes = zr_lanes_of(instance, to - 1);
            copy_lane(lanes, t, zr_lanes_of(instance, from - 1), f);
            batch->alive |= (uint16_t)(1u << t);
            batch->born = (uint16_t)++t;
            const int64_t death_ns = lane_death_ns(lanes, t - 1);
            if (death_ns < batch->death_ns) { batch->death_ns = death_ns; }
            ++kept;
        }
        from = batches[from - 1].next;
        if (from == 0) { break; }
        alive = batches[from - 1].alive;
        batches[from - 1].alive = batches[from - 1].born = 0;
        batches[from - 1].death_ns = INT64_MAX;
    }
    ZO_ASSERT(kept == e->live);
    for (uint32_t rest = batches[to - 1].next, next; rest != 0; rest = next) {
        next = batches[rest - 1].next;
        free_batch(instance, rest - 1);
        --e->batch_count;
    }
    batches[to - 1].next = 0;
    e->last_batch = to;
}

// There is always one: as many particles as may be alive leave at most one batch of each effect unfilled.
static uint32_t take_batch(zo_instance *instance) {
    if (instance->free_batch == 0 && instance->batch_used == instance->batch_count) {
        for (uint32_t i = 0; i < instance->effect_count; ++i) { close_up(instance, i); }
    }
    uint32_t ref = instance->free_batch;
    if (ref != 0) {
        instance->free_batch = zr_batches(instance)[ref - 1].next;
    } else {
        ZO_ASSERT(instance->batch_used < instance->batch_count);
        ref = ++instance->batch_used;
    }
    zr_batches(instance)[ref - 1] = (zr_batch){.death_ns = INT64_MAX};
    return ref;
}

// A lane for the youngest particle of an effect.
static zr_lanes *take_lane(zo_instance *instance, uint32_t index, uint32_t *lane, zr_batch **batch) {
    zr_emission *e = &zr_emissions(instance)[index];
    zr_batch *batches = zr_batches(instance);
    if (e->last_batch == 0 || batches[e->last_batch - 1].born == ZR_LANES) {
        const uint32_t ref = take_batch(instance);
        if (e->last_batch == 0) {
            e->first_batch = ref;
        } else {
            batches[e->last_batch - 1].next = ref; // the last one may have changed by now
        }
        e->last_batch = ref;
        ++e->batch_count;
    }
    *batch = &batches[e->last_batch - 1];
    *lane = (*batch)->born++;
    (*batch)->alive |= (uint16_t)(1u << *lane);
    ++e->live;
    ++instance->batch_particles;
    zr_lanes *lanes = zr_lanes_of(instance, e->last_batch - 1);
    clear_lane(lanes, *lane);
    return lanes;
}

// ---------------------------------------------------------------------------------------------------- births

bool zr_is_full(zo_instance *instance, uint32_t index, int64_t now_ns) {
    const uint32_t max = emitter_at(instance, index)->particles_max;
    zr_emission *e = &zr_emissions(instance)[index];
    if (e->live >= max) { reap(instance, index, now_ns); }
    return e->live >= max;
}

static bool has_room(zo_instance *instance) {
    const uint32_t others = zr_paths_alive(instance);
    if (instance->batch_particles + others < instance->particle_capacity) { return true; }
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        const zr_effect *live = &zr_effects(instance)[i];
        if (zr_emitter_of(instance, live)) { reap(instance, i, zr_motion_ns(instance) - live->origin_ns); }
    }
    return instance->batch_particles + others < instance->particle_capacity;
}

static void turn3(const double m[9], const double v[3], double out[3]) {
    for (uint32_t i = 0; i < 3; ++i) { out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2]; }
}

// Records hold numbers so large that products of them have no place in a float.
#define FLOAT_FAR 1e30
static float to_float(double value) { return (float)zb_clamp(value, -FLOAT_FAR, FLOAT_FAR); }

static void put_place(zr_lanes *l, uint32_t i, const double at[3], const double velocity[3]) {
    l->at.x[i] = to_float(at[0]);
    l->at.y[i] = to_float(at[1]);
    l->at.z[i] = to_float(at[2]);
    l->at.vx[i] = to_float(velocity[0]);
    l->at.vy[i] = to_float(velocity[1]);
    l->at.vz[i] = to_float(velocity[2]);
}

static float chance(const zo_instance *instance, const zr_effect *live, uint32_t number, uint32_t n) {
    return (float)zr_draw(instance, live->serial, number, n);
}

// The numbers that its life needs. Those that nothing asks for stay 0.
static void draw_life(const zo_instance *instance, const zr_effect *live, const zp_emitter *emitter, uint32_t number,
                      zr_lanes *l, uint32_t i) {
    const bool one_size = emitter->flags & ZP_EMITTER_ONE_SIZE, one_noise = emitter->flags & ZP_EMITTER_ONE_NOISE;
    if (emitter->gravity_ref) { l->gravity_r[i] = chance(instance, live, number, ZR_DRAW_GRAVITY); }
    for (uint32_t c = 0; c < 3; ++c) {
        if (emitter->velocity_refs[c]) { l->velocity_r[c][i] = chance(instance, live, number, ZR_DRAW_VELOCITY + c); }
        if (emitter->noise_dimensions > 0 && emitter->noise_refs[one_noise ? 0 : c]) {
            l->noise_r[c][i] = chance(instance, live, number, ZR_DRAW_NOISE + (one_noise ? 0 : c));
        }
    }
    for (uint32_t c = 0; c < 2; ++c) {
        if (emitter->size_refs[one_size ? 0 : c]) {
            l->size_r[c][i] = chance(instance, live, number, ZR_DRAW_SIZE_OVER + (one_size ? 0 : c));
        }
    }
    if (emitter->spin_ref) { l->spin_r[i] = chance(instance, live, number, ZR_DRAW_SPIN + emitter->spin_axis); }
    if (emitter->over_ref) { l->over_r[i] = chance(instance, live, number, ZR_DRAW_OVER); }
    if (emitter->scroll_ref && emitter->noise_dimensions > 0) {
        l->scroll_r[i] = chance(instance, live, number, ZR_DRAW_SCROLL);
    }
}

static void set_out(const zo_instance *instance, const zr_effect *live, const zp_emitter *emitter, uint32_t number,
                    const zr_birth *birth, zr_lanes *l, uint32_t i) {
    double u[3], place[3], velocity[3];
    for (uint32_t c = 0; c < 3; ++c) { u[c] = zr_draw(instance, live->serial, number, ZR_DRAW_PLACE + c); }
    zr_birthplace(emitter, u, place, velocity);
    const double speed = zr_minmax_at(instance->program, emitter->speed_ref, birth->t,
                                      zr_draw(instance, live->serial, number, ZR_DRAW_SPEED));
    for (uint32_t c = 0; c < 3; ++c) { velocity[c] *= speed; }
    if (emitter->flags & ZP_EMITTER_LOCAL) {
        put_place(l, i, place, velocity);
        return;
    }
    double turn[9], at[3], way[3];
    zr_stand_turn(birth->stand, emitter, turn);
    for (uint32_t c = 0; c < 3; ++c) {
        place[c] *= emitter->scale[c];
        velocity[c] *= emitter->scale[c];
    }
    turn3(turn, place, at);
    turn3(turn, velocity, way);
    for (uint32_t c = 0; c < 3; ++c) { at[c] += birth->stand->origin[c]; }
    put_place(l, i, at, way);
    l->cosine[i] = (float)birth->stand->cosine;
    l->sine[i] = (float)birth->stand->sine;
}

void zr_particle_bear(zo_instance *instance, uint32_t index, const zr_birth *birth) {
    const zr_effect *live = &zr_effects(instance)[index];
    const zp_emitter *emitter = emitter_at(instance, index);
    const zp_program *program = instance->program;
    zr_emission *e = &zr_emissions(instance)[index];
    const uint32_t number = e->number++;
    const double life_s =
        zr_minmax_at(program, emitter->life_ref, birth->t, zr_draw(instance, live->serial, number, ZR_DRAW_LIFE));
    if (!(life_s > 0.0)) { return; }
    const int64_t life_ns = zr_duration_ns(life_s);
    if (birth->now_ns - birth->at_ns >= life_ns) { return; }
    if (zr_is_full(instance, index, birth->now_ns)) { return; }
    if (!has_room(instance)) {
        ++instance->dropped;
        return;
    }
    uint32_t i;
    zr_batch *batch;
    zr_lanes *l = take_lane(instance, index, &i, &batch);
    l->birth_ns[i] = birth->at_ns;
    l->life_ns[i] = life_ns;
    l->number[i] = number;
    l->per_life[i] = (float)(1e9 / (double)life_ns);
    const int64_t death_ns = lane_death_ns(l, i);
    if (death_ns < batch->death_ns) { batch->death_ns = death_ns; }
    if (death_ns < e->death_ns) { e->death_ns = death_ns; }

    set_out(instance, live, emitter, number, birth, l, i);
    l->size[i] = to_float(zr_minmax_at(program, emitter->size_ref, birth->t,
                                       zr_draw(instance, live->serial, number, ZR_DRAW_SIZE)));
    double colour[4];
    zr_gradient_at(program, emitter->colour_ref, birth->t, zr_draw(instance, live->serial, number, ZR_DRAW_COLOUR),
                   colour);
    for (uint32_t c = 0; c < 4; ++c) { l->colour[c][i] = (float)colour[c]; }
    l->start[i] = emitter->start;
    if (emitter->start_ref) {
        l->start[i] = zr_minmax_at(program, emitter->start_ref, birth->t,
                                   zr_draw(instance, live->serial, number, ZR_DRAW_SHEET_START));
    }
    draw_life(instance, live, emitter, number, l, i);
}

// ---------------------------------------------------------------------------------------------------- steps

typedef struct moved {
    zr_moving at;
    zr_times age;            // over life
    float wx[ZR_LANES], wy[ZR_LANES], wz[ZR_LANES]; // velocity over life
} moved;

// Whether where the emitter stands has a say in how its particles move.
static bool needs_stand(const zp_emitter *emitter) {
    if (!(emitter->flags & ZP_EMITTER_LOCAL)) { return false; }
    const bool velocity = emitter->velocity_refs[0] | emitter->velocity_refs[1] | emitter->velocity_refs[2];
    return emitter->gravity_ref != 0 || (velocity && (emitter->flags & ZP_EMITTER_WORLD_VELOCITY));
}

static zr_step step_of(const zo_instance *instance, uint32_t index, const zr_stand *stand, int64_t now_ns,
                       int64_t last_ns) {
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_step s = {.program = instance->program, .emitter = emitter, .now_ns = now_ns, .last_ns = last_ns};
    const bool local = emitter->flags & ZP_EMITTER_LOCAL, world_velocity = emitter->flags & ZP_EMITTER_WORLD_VELOCITY;
    double turn[9];
    zr_stand_turn(stand, emitter, turn);
    for (uint32_t r = 0; r < 3; ++r) {
        double pull = emitter->pull[r];
        if (local) { // back into the emitter's axes
            pull = turn[r] * emitter->pull[0] + turn[3 + r] * emitter->pull[1] + turn[6 + r] * emitter->pull[2];
        }
        s.pull[r] = (float)pull;
        for (uint32_t c = 0; c < 3; ++c) {
            double value = r == c ? 1.0 : 0.0;
            if (local && world_velocity) { value = turn[3 * c + r]; }
            if (!local && !world_velocity) { value = emitter->turn[3 * r + c] * emitter->scale[c]; }
            s.turn[3 * r + c] = (float)value;
        }
    }
    s.at_birth = !local && !world_velocity;
    if (emitter->noise_dimensions > 0) {
        s.noise_seed = zr_noise_seed(instance, zr_effects(instance)[index].serial);
    }
    return s;
}

static void fill(float *out, float value) {
    for (uint32_t i = 0; i < ZR_LANES; ++i) { out[i] = value; }
}

static void evaluate(const zr_step *s, uint32_t ref, const zr_times *age, const float *r, float *out) {
    if (ref == 0) {
        fill(out, 0.0f);
    } else {
        zr_minmax_lanes(s->program, ref, age, r, out);
    }
}

static void copy_row(float *restrict to, const float *restrict from) { memcpy(to, from, ZR_LANES * sizeof(float)); }

static void fall(const zr_step *s, const zr_lanes *l, const float *restrict dt, moved *restrict m) {
    float g[ZR_LANES];
    zr_minmax_lanes(s->program, s->emitter->gravity_ref, &m->age, l->gravity_r, g);
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        const float by = g[i] * dt[i];
        m->at.vx[i] += s->pull[0] * by;
        m->at.vy[i] += s->pull[1] * by;
        m->at.vz[i] += s->pull[2] * by;
    }
}

// Velocity over life, in the axes of the simulation.
static void drift(const zr_step *s, const zr_lanes *restrict l, moved *restrict m) {
    float v[3][ZR_LANES];
    for (uint32_t c = 0; c < 3; ++c) { evaluate(s, s->emitter->velocity_refs[c], &m->age, l->velocity_r[c], v[c]); }
    const float *a = s->turn;
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        m->wx[i] = a[0] * v[0][i] + a[1] * v[1][i] + a[2] * v[2][i];
        m->wy[i] = a[3] * v[0][i] + a[4] * v[1][i] + a[5] * v[2][i];
        m->wz[i] = a[6] * v[0][i] + a[7] * v[1][i] + a[8] * v[2][i];
    }
    if (!s->at_birth) { return; }
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        const float x = m->wx[i], y = m->wy[i];
        m->wx[i] = l->cosine[i] * x - l->sine[i] * y;
        m->wy[i] = l->sine[i] * x + l->cosine[i] * y;
    }
}

// Adds the way that noise makes in dt. It is taken where the particle was, after the noise has moved by.
static void shake(const zr_step *s, const zr_lanes *l, uint32_t alive, const float *dt, moved *m) {
    const zp_emitter *emitter = s->emitter;
    const bool one = emitter->flags & ZP_EMITTER_ONE_NOISE;
    float speed[ZR_LANES], strength[3][ZR_LANES];
    evaluate(s, emitter->scroll_ref, &m->age, l->scroll_r, speed);
    for (uint32_t i = 0; i < ZR_LANES; ++i) { m->at.scroll[i] += speed[i] * dt[i]; }
    for (uint32_t c = 0; c < 3; ++c) {
        evaluate(s, emitter->noise_refs[one ? 0 : c], &m->age, l->noise_r[c], strength[c]);
    }
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        if (!(alive >> i & 1)) { continue; }
        double at[3] = {(double)l->at.x[i], (double)l->at.y[i], (double)l->at.z[i]};
        for (uint32_t c = 0; c < 3; ++c) {
            at[c] = c < emitter->noise_dimensions ? at[c] * emitter->noise_frequency : 0.0;
        }
        at[emitter->noise_dimensions - 1] += (double)m->at.scroll[i];
        float *axes[3] = {m->at.x, m->at.y, m->at.z};
        for (uint32_t c = 0; c < 3; ++c) {
            if (strength[c][i] == 0.0f) { continue; }
            axes[c][i] += strength[c][i] * (float)zr_fractal(emitter, at, s->noise_seed + 101 * c) * dt[i];
        }
    }
}

static void step_lanes(const zr_step *s, const zr_lanes *restrict l, uint32_t alive, moved *restrict m) {
    const zp_emitter *emitter = s->emitter;
    float dt[ZR_LANES];
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        const int64_t from_ns = l->birth_ns[i] > s->last_ns ? l->birth_ns[i] : s->last_ns;
        dt[i] = (float)(s->now_ns - from_ns) * 1e-9f;
        m->age.t[i] = (float)(s->now_ns - l->birth_ns[i]) * 1e-9f * l->per_life[i];
    }
    zr_times_bound(&m->age);
    copy_row(m->at.vx, l->at.vx);
    copy_row(m->at.vy, l->at.vy);
    copy_row(m->at.vz, l->at.vz);
    copy_row(m->at.spin, l->at.spin);
    copy_row(m->at.scroll, l->at.scroll);
    if (emitter->gravity_ref) { fall(s, l, dt, m); }
    if (emitter->velocity_refs[0] | emitter->velocity_refs[1] | emitter->velocity_refs[2]) {
        drift(s, l, m);
        for (uint32_t i = 0; i < ZR_LANES; ++i) {
            m->at.x[i] = l->at.x[i] + (m->at.vx[i] + m->wx[i]) * dt[i];
            m->at.y[i] = l->at.y[i] + (m->at.vy[i] + m->wy[i]) * dt[i];
            m->at.z[i] = l->at.z[i] + (m->at.vz[i] + m->wz[i]) * dt[i];
        }
    } else {
        fill(m->wx, 0.0f);
        fill(m->wy, 0.0f);
        fill(m->wz, 0.0f);
        for (uint32_t i = 0; i < ZR_LANES; ++i) {
            m->at.x[i] = l->at.x[i] + m->at.vx[i] * dt[i];
            m->at.y[i] = l->at.y[i] + m->at.vy[i] * dt[i];
            m->at.z[i] = l->at.z[i] + m->at.vz[i] * dt[i];
        }
    }
    if (emitter->noise_dimensions > 0) { shake(s, l, alive, dt, m); }
    if (emitter->spin_ref) {
        float speed[ZR_LANES];
        zr_minmax_lanes(s->program, emitter->spin_ref, &m->age, l->spin_r, speed);
        for (uint32_t i = 0; i < ZR_LANES; ++i) { m->at.spin[i] += speed[i] * dt[i]; }
    }
}
// Asks for what a step of the batch begins with, while the one before it is still stepped.
static void fetch_ahead(const zo_instance *instance, uint32_t ref) {
    if (ref == 0) { return; }
    const uint8_t *bytes = (const uint8_t *)zr_lanes_of(instance, ref - 1);
    for (size_t at = 0; at < offsetof(zr_lanes, gravity_r); at += 64) { __builtin_prefetch(bytes + at); }
}

static void keep(const zp_emitter *emitter, const moved *restrict m, zr_lanes *restrict l) {
    copy_row(l->at.x, m->at.x);
    copy_row(l->at.y, m->at.y);
    copy_row(l->at.z, m->at.z);
    if (emitter->gravity_ref) {
        copy_row(l->at.vx, m->at.vx);
        copy_row(l->at.vy, m->at.vy);
        copy_row(l->at.vz, m->at.vz);
    }
    if (emitter->spin_ref) { copy_row(l->at.spin, m->at.spin); }
    if (emitter->noise_dimensions > 0) { copy_row(l->at.scroll, m->at.scroll); }
}

static const zr_stand at_rest = {.cosine = 1.0};

void zr_particles_step(zo_instance *instance, uint32_t index, int64_t now_ns, int64_t last_ns) {
    reap(instance, index, now_ns);
    zr_emission *e = &zr_emissions(instance)[index];
    if (e->live == 0) { return; }
    if (e->batch_count > 4 && (uint64_t)e->batch_count * ZR_LANES > 2 * (uint64_t)e->live) {
        close_up(instance, index);
    }
    const zr_stand stand = needs_stand(emitter_at(instance, index))
        ? zr_stand_now(instance, &zr_effects(instance)[index])
                                                                    : at_rest;
    const zr_step s = step_of(instance, index, &stand, now_ns, last_ns);
    const zr_batch *batches = zr_batches(instance);
    for (uint32_t ref = e->first_batch; ref != 0; ref = batches[ref - 1].next) {
        zr_lanes *l = zr_lanes_of(instance, ref - 1);
        moved m;
        fetch_ahead(instance, batches[ref - 1].next);
        step_lanes(&s, l, batches[ref - 1].alive, &m);
        keep(s.emitter, &m, l);
    }
}

// ---------------------------------------------------------------------------------------------------- who is there

int64_t zr_particles_last_ns(const zo_instance *instance, uint32_t index) {
    int64_t last_ns = 0;
    const zr_batch *batches = zr_batches(instance);
    for (uint32_t ref = zr_emissions(instance)[index].first_batch; ref != 0; ref = batches[ref - 1].next) {
        for (uint32_t lane = 0; lane < ZR_LANES; ++lane) {
            if (!(batches[ref - 1].alive >> lane & 1)) { continue; }
            const int64_t death_ns = lane_death_ns(zr_lanes_of(instance, ref - 1), lane);
            last_ns = death_ns > last_ns ? death_ns : last_ns;
        }
    }
    return last_ns;
}

// Bit l: the lane's particle is alive now.
static uint32_t alive_lanes(const zr_batch *batch, const zr_lanes *lanes, int64_t now_ns) {
    uint32_t alive = batch->alive;
    if (batch->death_ns > now_ns) { return alive; }
    for (uint32_t lane = 0; lane < ZR_LANES; ++lane) {
        if ((alive >> lane & 1) && lane_death_ns(lanes, lane) <= now_ns) { alive &= ~(1u << lane); }
    }
    return alive;
}

uint32_t zr_particles_alive(const zo_instance *instance, uint32_t index) {
    const zr_emission *e = &zr_emissions(instance)[index];
    const int64_t now_ns = zr_motion_ns(instance) - zr_effects(instance)[index].origin_ns;
    if (e->death_ns > now_ns) { return e->live; }
    uint32_t count = 0;
    const zr_batch *batches = zr_batches(instance);
    for (uint32_t ref = e->first_batch; ref != 0; ref = batches[ref - 1].next) {
        count += count_bits(alive_lanes(&batches[ref - 1], zr_lanes_of(instance, ref - 1), now_ns));
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------- looks

// The frame of a sheet that moves, by exact age, in double: at which frame it is must not depend on rounding.
static uint32_t moving_frame(const zo_instance *instance, const zr_effect *live, const zp_emitter *emitter,
                             const zr_lanes *l, uint32_t i, int64_t now_ns) {
    double way = 0.0;
    if (emitter->frame_ref) {
        const double t = (double)(now_ns - l->birth_ns[i]) / (double)l->life_ns[i];
        const double r = zr_draw(instance, live->serial, l->number[i], ZR_DRAW_FRAME);
        way = zr_minmax_at(instance->program, emitter->frame_ref, t, r);
    }
    const uint32_t count = emitter->flags & ZP_EMITTER_ROW ? emitter->columns : emitter->columns * emitter->rows;
    const double at = l->start[i] + emitter->cycles * way, share = at - floor(at);
    const double frame = floor(share * count);
    return frame < count ? (uint32_t)frame : count - 1;
}

static uint32_t row_of(const zo_instance *instance, const zr_effect *live, const zp_emitter *emitter, uint32_t number) {
    if (!(emitter->flags & ZP_EMITTER_RANDOM_ROW)) { return emitter->row; }
    const double row = floor(zr_draw(instance, live->serial, number, ZR_DRAW_ROW) * emitter->rows);
    return row < emitter->rows ? (uint32_t)row : emitter->rows - 1;
}

static void find_frames(const zo_instance *instance, const zr_effect *live, const zp_emitter *emitter,
                        const zr_lanes *l, uint32_t alive, int64_t now_ns, uint32_t frame[ZR_LANES]) {
    const bool moves = emitter->flags & ZP_EMITTER_SHEET_MOVES, in_row = emitter->flags & ZP_EMITTER_ROW;
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        frame[i] = emitter->frame;
        if (!(alive >> i & 1) || !(moves || in_row)) { continue; }
        if (moves) {
            frame[i] = moving_frame(instance, live, emitter, l, i, now_ns);
        }
        if (in_row) { frame[i] += row_of(instance, live, emitter, l->number[i]) * emitter->columns; }
    }
}

// From the emitter's axes to the program's.
static void place_lanes(const zr_stand *stand, const zp_emitter *emitter, zr_shown *shown) {
    double turn[9];
    zr_stand_turn(stand, emitter, turn);
    float m[9], origin[3];
    for (uint32_t r = 0; r < 3; ++r) {
        origin[r] = (float)stand->origin[r];
        for (uint32_t c = 0; c < 3; ++c) { m[3 * r + c] = (float)(turn[3 * r + c] * emitter->scale[c]); }
    }
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        const float x = shown->x[i], y = shown->y[i], z = shown->z[i];
        shown->x[i] = m[0] * x + m[1] * y + m[2] * z + origin[0];
        shown->y[i] = m[3] * x + m[4] * y + m[5] * z + origin[1];
        shown->z[i] = m[6] * x + m[7] * y + m[8] * z + origin[2];
        const float vx = shown->vx[i], vy = shown->vy[i], vz = shown->vz[i];
        shown->vx[i] = m[0] * vx + m[1] * vy + m[2] * vz;
        shown->vy[i] = m[3] * vx + m[4] * vy + m[5] * vz;
        shown->vz[i] = m[6] * vx + m[7] * vy + m[8] * vz;
    }
}

// What has left all bounds, and what is no number any more, is far away.
static void keep_finite(float *values) {
    const float far = (float)FLOAT_FAR;
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        const float at_least = values[i] > -far ? values[i] : -far;
        values[i] = at_least < far ? at_least : far;
    }
}

static void look(const zr_step *s, const zr_lanes *restrict l, const moved *restrict m, zr_shown *restrict shown) {
    const zp_emitter *emitter = s->emitter;
    const float scale[2] = {(float)emitter->scale[0], (float)emitter->scale[1]};
    for (uint32_t i = 0; i < ZR_LANES; ++i) {
        shown->vx[i] = m->at.vx[i] + m->wx[i];
        shown->vy[i] = m->at.vy[i] + m->wy[i];
        shown->vz[i] = m->at.vz[i] + m->wz[i];
        shown->width[i] = l->size[i] * scale[0];
        shown->height[i] = l->size[i] * scale[1];
    }
    memcpy(shown->x, m->at.x, sizeof shown->x);
    memcpy(shown->y, m->at.y, sizeof shown->y);
    memcpy(shown->z, m->at.z, sizeof shown->z);
    memcpy(shown->spin, m->at.spin, sizeof shown->spin);
    float *sizes[2] = {shown->width, shown->height};
    for (uint32_t c = 0; c < 2; ++c) {
        const uint32_t ref = emitter->size_refs[emitter->flags & ZP_EMITTER_ONE_SIZE ? 0 : c];
        if (ref == 0) { continue; }
        float factor[ZR_LANES];
        zr_minmax_lanes(s->program, ref, &m->age, l->size_r[c], factor);
        for (uint32_t i = 0; i < ZR_LANES; ++i) { sizes[c][i] *= factor[i]; }
    }
    if (emitter->over_ref == 0) {
        memcpy(shown->colour, l->colour, sizeof l->colour);
        return;
    }
    zr_gradient_lanes(s->program, emitter->over_ref, &m->age, l->over_r, shown->colour);
    for (uint32_t c = 0; c < 4; ++c) {
        for (uint32_t i = 0; i < ZR_LANES; ++i) { shown->colour[c][i] *= l->colour[c][i]; }
    }
}

void zr_particles_view(const zo_instance *instance, uint32_t index, zr_looked *looked) {
    const zr_effect *live = &zr_effects(instance)[index];
    looked->stand = at_rest;
    if (emitter_at(instance, index)->flags & ZP_EMITTER_LOCAL) { looked->stand = zr_stand_now(instance, live); }
    looked->step = step_of(instance, index, &looked->stand, zr_motion_ns(instance) - live->origin_ns,
                           zr_tick_ns(zr_emissions(instance)[index].tick));
}

uint32_t zr_particles_look(const zo_instance *instance, uint32_t index, uint32_t batch, zr_looked *looked) {
    const zr_step *s = &looked->step;
    const zr_lanes *l = zr_lanes_of(instance, batch);
    fetch_ahead(instance, zr_batches(instance)[batch].next);
    const uint32_t alive = alive_lanes(&zr_batches(instance)[batch], l, s->now_ns);
    if (alive == 0) { return 0; }
    moved m;
    step_lanes(s, l, alive, &m);
    look(s, l, &m, &looked->shown);
    if (s->emitter->flags & ZP_EMITTER_LOCAL) { place_lanes(&looked->stand, s->emitter, &looked->shown); }
    float *const rows[] = {looked->shown.x, looked->shown.y, looked->shown.z, looked->shown.vx, looked->shown.vy,
                           looked->shown.vz, looked->shown.width, looked->shown.height, looked->shown.spin};
    for (uint32_t i = 0; i < ZB_COUNT(rows); ++i) { keep_finite(rows[i]); }
    for (uint32_t c = 0; c < 4; ++c) { keep_finite(looked->shown.colour[c]); }
    find_frames(instance, &zr_effects(instance)[index], s->emitter, l, alive, s->now_ns, looked->shown.frame);
    return alive;
}

// ---------------------------------------------------------------------------------------------------- reloads

void zr_particles_carry(zo_instance *instance, uint32_t index, const zo_instance *old, uint32_t from) {
    zr_emission *e = &zr_emissions(instance)[index];
    const zr_batch *batches = zr_batches(old);
    const int64_t now_ns = zr_motion_ns(old) - zr_effects(old)[from].origin_ns;
    for (uint32_t ref = zr_emissions(old)[from].first_batch; ref != 0; ref = batches[ref - 1].next) {
        const zr_lanes *lanes = zr_lanes_of(old, ref - 1);
        const uint32_t alive = alive_lanes(&batches[ref - 1], lanes, now_ns);
        for (uint32_t lane = 0; lane < ZR_LANES; ++lane) {
            if (!(alive >> lane & 1)) { continue; }
            if (instance->batch_particles >= instance->particle_capacity) { return; }
            uint32_t i;
            zr_batch *batch;
            zr_lanes *l = take_lane(instance, index, &i, &batch);
            copy_lane(l, i, lanes, lane);
            const int64_t death_ns = lane_death_ns(l, i);
            if (death_ns < batch->death_ns) { batch->death_ns = death_ns; }
            if (death_ns < e->death_ns) { e->death_ns = death_ns; }
        }
    }
}
