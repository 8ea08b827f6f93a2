// When what happens to effects with emitters: bursts, births by rate and by way, ticks, points of trails, ends. Called
// by instance.c, which owns the clock, and by effect.c when one starts. All moments are whole nanoseconds after the
// effect's start, and each follows from what is kept here, never from where a call of advance ended.
#include <math.h>

#include "base/random.h"
#include "runtime/particles.h"

#define NEVER INT64_MAX
#define NEARLY_ONE 1e-4           // of a particle: what lacks less at a piece's end is born there
enum { BIRTHS_MAX = 1 << 16 };    // of one piece; the rest is not born, and counts as dropped

static const zp_emitter *emitter_at(const zo_instance *instance, uint32_t index) {
    const zp_emitter *emitter = zr_emitter_of(instance, &zr_effects(instance)[index]);
    ZO_ASSERT(emitter);
    return emitter;
}

static int64_t local_now_ns(const zo_instance *instance, uint32_t index) {
    return zr_motion_ns(instance) - zr_effects(instance)[index].origin_ns;
}

// A hundred and twenty a second: three in 25 ms, each rounded down.
int64_t zr_tick_ns(uint64_t tick) {
    return (int64_t)(tick / 3) * 25000000 + (int64_t)(tick % 3) * 25000000 / 3;
}

// Down to whole ns as every duration, but what is a whole number on paper must not lose one to rounding.
int64_t zr_duration_ns(double seconds) {
    const double whole = floor(seconds * 1e9 + 0x1p-10);
    if (!(whole > 1.0)) { return 1; }
    return whole < (double)ZP_DURATION_NS_MAX ? (int64_t)whole : ZP_DURATION_NS_MAX;
}

// ---------------------------------------------------------------------------------------------------- chance

static double of_list(const double *list, uint32_t count, uint64_t n) { return zb_clamp(list[n % count], 0.0, 1.0); }

double zr_draw(const zo_instance *instance, uint32_t serial, uint32_t particle, uint64_t n) {
    if (particle == ZR_START_RATE && instance->rate_count > 0) {
        return of_list(instance->rate_list, instance->rate_count, n);
    }
    if (particle == ZR_START_WAY && instance->way_count > 0) {
        return of_list(instance->way_list, instance->way_count, n);
    }
    if (particle == ZR_START_BURSTS && instance->burst_count > 0) {
        return of_list(instance->burst_list, instance->burst_count, n);
    }
    const uint32_t width = instance->particle_row, rows = width > 0 ? instance->particle_list_count / width : 0;
    if (rows > 0 && particle < ZR_START_NOISE) {
        const uint64_t row = ((uint64_t)serial + particle) % rows;
        return of_list(instance->particle_list + row * width, width, n);
    }
    return zb_random_unit(instance->seed, ZB_DOMAIN_PARTICLE, (uint64_t)serial << 32 | particle, n);
}

uint32_t zr_noise_seed(const zo_instance *instance, uint32_t serial) {
    if (instance->has_noise_seed) { return instance->noise_seed; }
    return (uint32_t)zb_hash64(instance->seed, ZB_DOMAIN_PARTICLE, (uint64_t)serial << 32 | ZR_START_NOISE, 0);
}

// ---------------------------------------------------------------------------------------------------- bursts

static int64_t burst_ns(const zp_burst *burst, uint32_t cycle) {
    return zr_nearest_ns((burst->time + cycle * burst->interval) * 1e9, ZP_DURATION_NS_MAX);
}

static bool comes_after(const zp_burst *burst, uint32_t index, uint32_t cycle, const zr_burst_moment *at) {
    const int64_t ns = burst_ns(burst, cycle);
    if (at->burst == UINT32_MAX || ns != at->at_ns) { return at->burst == UINT32_MAX || ns > at->at_ns; }
    return index != at->burst ? index > at->burst : cycle > at->cycle;
}

// Moments in order of time, then of the list, then of the cycle. Within one burst they do not fall, so that the next
// one is found by halving.
bool zr_burst_next(const zp_program *program, const zp_emitter *emitter, zr_burst_moment *at) {
    zr_burst_moment best = {.at_ns = NEVER};
    for (uint32_t b = 0; b < emitter->burst_count; ++b) {
        const zp_burst *burst = &program->bursts[emitter->first_burst + b];
        uint32_t low = 0, high = burst->cycle_count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (comes_after(burst, b, middle, at)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low == burst->cycle_count) { continue; }
        const int64_t ns = burst_ns(burst, low);
        if (ns < emitter->duration_ns && ns < best.at_ns) { best = (zr_burst_moment){ns, b, low}; }
    }
    if (best.at_ns == NEVER) { return false; }
    *at = best;
    return true;
}

uint32_t zr_burst_count(const zp_burst *burst, double u) {
    const double more = floor(u * ((double)burst->count_max - (double)burst->count_min + 1.0));
    const double count = (double)burst->count_min + more;
    return count < (double)burst->count_max ? (uint32_t)count : burst->count_max;
}

// `at`: where the loop is; the first one of the next loop where nothing more comes in this one.
static void plan_burst(const zo_instance *instance, uint32_t index, zr_burst_moment at) {
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_emission *e = &zr_emissions(instance)[index];
    e->burst_ns = NEVER;
    if (e->flags & ZR_EMISSION_OVER) { return; }
    if (!zr_burst_next(instance->program, emitter, &at)) {
        if (!(emitter->flags & ZP_EMITTER_LOOPS)) { return; }
        at.burst = UINT32_MAX;
        if (!zr_burst_next(instance->program, emitter, &at)) { return; } // in no loop
        ++e->burst_loop;
    }
    e->burst = at.burst;
    e->cycle = at.cycle;
    e->burst_in_loop_ns = at.at_ns;
    e->burst_ns = e->burst_loop * emitter->duration_ns + at.at_ns;
}

static void bear_many(zo_instance *instance, uint32_t index, uint32_t count, const zr_birth *birth) {
    for (uint32_t i = 0; i < count; ++i) {
        if (zr_is_full(instance, index, birth->now_ns)) { // and stays so
            zr_emissions(instance)[index].number += count - i;
            return;
        }
        zr_particle_bear(instance, index, birth);
    }
}

static void do_burst(zo_instance *instance, uint32_t index, const zr_stand *stand) {
    const zr_effect *live = &zr_effects(instance)[index];
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_emission *e = &zr_emissions(instance)[index];
    const zp_burst *burst = &instance->program->bursts[emitter->first_burst + e->burst];
    const double chance = zr_draw(instance, live->serial, ZR_START_BURSTS, e->burst_draws++);
    if (burst->probability >= 1.0 || chance < burst->probability) {
        const double u = zr_draw(instance, live->serial, ZR_START_BURSTS, e->burst_draws++);
        const zr_birth birth = {.at_ns = e->burst_ns, .now_ns = e->burst_ns, .stand = stand,
                                .t = (double)e->burst_in_loop_ns / (double)emitter->duration_ns};
        bear_many(instance, index, zr_burst_count(burst, u), &birth);
    }
    plan_burst(instance, index, (zr_burst_moment){e->burst_in_loop_ns, e->burst, e->cycle});
}

// ---------------------------------------------------------------------------------------------------- rates

static double seconds(int64_t from_ns, int64_t to_ns) { return (double)(to_ns - from_ns) / 1e9; }

// A piece of even rate from `from_ns` on, up to `limit_ns` at most. false: nothing is emitted any more.
static bool cut_piece(const zo_instance *instance, uint32_t index, int64_t from_ns, int64_t limit_ns, uint32_t ref,
                      uint32_t start_draw, int64_t *to_ns, int64_t *loop, double *rate) {
    const zp_emitter *emitter = emitter_at(instance, index);
    const int64_t length_ns = emitter->duration_ns;
    *loop = from_ns / length_ns;
    if ((*loop > 0 && !(emitter->flags & ZP_EMITTER_LOOPS)) ||
        (zr_emissions(instance)[index].flags & ZR_EMISSION_OVER)) {
        return false;
    }
    const int64_t begin_ns = *loop * length_ns, left_ns = length_ns - (from_ns - begin_ns);
    *to_ns = limit_ns - from_ns < left_ns ? limit_ns : from_ns + left_ns;
    const double middle = ((double)(from_ns - begin_ns) + (double)(*to_ns - from_ns) / 2.0) / (double)length_ns;
    const double r = zr_draw(instance, zr_effects(instance)[index].serial, start_draw, (uint64_t)*loop);
    *rate = zr_minmax_at(instance->program, ref, middle, r);
    if (!(*rate > 0.0)) { *rate = 0.0; }
    return true;
}

static uint32_t births_of(double sum) {
    const double whole = floor(sum + NEARLY_ONE);
    return whole > 0.0 ? whole < BIRTHS_MAX ? (uint32_t)whole : BIRTHS_MAX : 0;
}

// What of a stretch goes beyond BIRTHS_MAX takes its numbers and is dropped, but where the emitter's own limit would
// have kept it from being born.
static void forgo(zo_instance *instance, uint32_t index, double sum, int64_t now_ns) {
    const double over = floor(sum + NEARLY_ONE) - BIRTHS_MAX;
    if (!(over > 0.0)) { return; }
    zr_emissions(instance)[index].number += (uint32_t)zb_clamp(over, 0.0, UINT32_MAX);
    if (!zr_is_full(instance, index, now_ns)) { instance->dropped += (uint64_t)zb_clamp(over, 0.0, 1e15); }
}

static double rest_of(double sum) { // where not all are born, it is less than one still
    const double rest = sum - floor(sum + NEARLY_ONE);
    return rest < 1.0 ? rest : 0.0; // false for what is not a number
}

// The n-th birth of a stretch in which `sum - owed` particles fall due evenly.
static int64_t moment_in(int64_t from_ns, int64_t to_ns, double owed, double amount, uint32_t n) {
    const double way = ((double)n - owed) / amount * (double)(to_ns - from_ns);
    return from_ns + zr_nearest_ns(way, to_ns - from_ns); // NaN: at its start, where it does not matter
}

static int64_t birth_moment(const zr_emission *e, uint32_t n) {
    return moment_in(e->piece_ns, e->piece_end_ns, e->owed, e->rate * seconds(e->piece_ns, e->piece_end_ns), n);
}

static bool open_piece(const zo_instance *instance, uint32_t index, int64_t from_ns) {
    zr_emission *e = &zr_emissions(instance)[index];
    const uint32_t ref = emitter_at(instance, index)->rate_ref;
    e->piece_ns = e->piece_end_ns = from_ns;
    e->born = e->due = 0;
    if (ref == 0 || !cut_piece(instance, index, from_ns, e->tick_ns, ref, ZR_START_RATE, &e->piece_end_ns, &e->loop,
                               &e->rate)) {
        return false;
    }
    e->due = births_of(e->owed + e->rate * seconds(from_ns, e->piece_end_ns));
    return true;
}

// The next birth by rate before the next tick, or at it.
static void plan_birth(zo_instance *instance, uint32_t index) {
    zr_emission *e = &zr_emissions(instance)[index];
    e->birth_ns = NEVER;
    for (;;) {
        if (e->flags & ZR_EMISSION_OVER) { return; }
        if (e->born < e->due) {
            e->birth_ns = birth_moment(e, e->born + 1);
            return;
        }
        const int64_t end_ns = e->piece_end_ns;
        const double sum = e->owed + e->rate * seconds(e->piece_ns, end_ns);
        forgo(instance, index, sum, local_now_ns(instance, index));
        e->owed = rest_of(sum);
        e->piece_ns = end_ns; // what is over counts once
        e->born = e->due = 0;
        if (end_ns >= e->tick_ns || !open_piece(instance, index, end_ns)) { return; }
    }
}

// While it is full none is born: all up to the next death at once.
static void skip_births(const zo_instance *instance, uint32_t index) {
    zr_emission *e = &zr_emissions(instance)[index];
    uint32_t low = e->born, high = e->due; // births that come before the death: between these
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (birth_moment(e, middle + 1) < e->death_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    e->number += low - e->born;
    e->born = low;
}

static void do_birth(zo_instance *instance, uint32_t index, const zr_stand *stand) {
    zr_emission *e = &zr_emissions(instance)[index];
    const int64_t at_ns = e->birth_ns;
    if (zr_is_full(instance, index, at_ns)) {
        skip_births(instance, index);
    } else {
        const double length = (double)emitter_at(instance, index)->duration_ns;
        const int64_t begin_ns = e->loop * emitter_at(instance, index)->duration_ns;
        const zr_birth birth = {.at_ns = at_ns, .now_ns = at_ns, .t = (double)(at_ns - begin_ns) / length,
                                .stand = stand};
        zr_particle_bear(instance, index, &birth);
        ++e->born;
    }
    plan_birth(instance, index);
}

// ---------------------------------------------------------------------------------------------------- ways

static double away(const double from[2], const double to[3]) {
    const double x = to[0] - from[0], y = to[1] - from[1];
    return sqrt(x * x + y * y);
}

// Births by the straight way since the last tick, found at this one.
static void bear_by_way(zo_instance *instance, uint32_t index, const zr_stand *stand, int64_t last_ns, int64_t now_ns) {
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_emission *e = &zr_emissions(instance)[index];
    const double way = away(e->last, stand->origin), all = (double)(now_ns - last_ns);
    int64_t to_ns, loop;
    double rate;
    for (int64_t from_ns = last_ns; from_ns < now_ns; from_ns = to_ns) {
        if (!cut_piece(instance, index, from_ns, now_ns, emitter->way_ref, ZR_START_WAY, &to_ns, &loop, &rate)) {
            break;
        }
        const double amount = rate * way * ((double)(to_ns - from_ns) / all), sum = e->way_owed + amount;
        const uint32_t due = births_of(sum);
        for (uint32_t n = 1; n <= due; ++n) {
            if (zr_is_full(instance, index, now_ns)) { // and stays so
                e->number += due - n + 1;
                break;
            }
            const int64_t at_ns = moment_in(from_ns, to_ns, e->way_owed, amount, n);
            const double share = (double)(at_ns - last_ns) / all;
            zr_stand there = *stand;
            for (uint32_t c = 0; c < 2; ++c) { there.origin[c] = e->last[c] + (stand->origin[c] - e->last[c]) * share; }
            const zr_birth birth = {.at_ns = at_ns, .now_ns = now_ns, .stand = &there,
                                    .t = (double)(at_ns - loop * emitter->duration_ns) / (double)emitter->duration_ns};
            zr_particle_bear(instance, index, &birth);
        }
        forgo(instance, index, sum, now_ns);
        e->way_owed = rest_of(sum);
    }
    e->last[0] = stand->origin[0];
    e->last[1] = stand->origin[1];
}

// ---------------------------------------------------------------------------------------------------- trails

static const zr_effect *effect_of(const zo_instance *instance, uint32_t serial) {
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        if (zr_effects(instance)[i].serial == serial) { return &zr_effects(instance)[i]; }
    }
    return NULL;
}

bool zr_point_alive(const zo_instance *instance, const zr_effect *live, const zr_point *point) {
    return zr_motion_ns(instance) - live->origin_ns - point->laid_ns < zr_emitter_of(instance, live)->point_ns;
}

// Takes out points that have faded, and those of no effect any more.
static void reap_points(zo_instance *instance) {
    zr_point *points = zr_points(instance);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instance->point_count; ++i) {
        const zr_effect *live = effect_of(instance, points[i].serial);
        if (live && zr_point_alive(instance, live, &points[i])) { points[kept++] = points[i]; }
    }
    memset(points + kept, 0, (instance->point_count - kept) * sizeof *points);
    instance->point_count = kept;
}

static void lay_point(zo_instance *instance, uint32_t index, const zr_stand *stand, int64_t now_ns) {
    if (instance->point_count == instance->point_capacity) { reap_points(instance); }
    if (instance->point_count == instance->point_capacity) {
        ++instance->dropped;
        return;
    }
    zr_emission *e = &zr_emissions(instance)[index];
    e->last[0] = stand->origin[0];
    e->last[1] = stand->origin[1];
    e->flags |= ZR_EMISSION_LAID;
    zr_points(instance)[instance->point_count++] = (zr_point){
        .x = stand->origin[0], .y = stand->origin[1], .laid_ns = now_ns, .serial = zr_effects(instance)[index].serial};
}

// ---------------------------------------------------------------------------------------------------- ticks

static void do_tick(zo_instance *instance, uint32_t index) {
    const zr_effect *live = &zr_effects(instance)[index];
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_emission *e = &zr_emissions(instance)[index];
    const int64_t now_ns = e->tick_ns, last_ns = zr_tick_ns(e->tick);
    ++e->tick;
    e->tick_ns = zr_tick_ns(e->tick + 1);
    if (zr_effect_record(instance, live)->kind == ZP_EFFECT_TRAIL) {
        if (e->tick_ns > emitter->duration_ns) { e->tick_ns = NEVER; } // from then on it only fades
        if (now_ns > emitter->duration_ns) { return; }
        const zr_stand stand = zr_stand_now(instance, live);
        if (!(e->flags & ZR_EMISSION_LAID) || away(e->last, stand.origin) >= emitter->apart) {
            lay_point(instance, index, &stand, now_ns);
        }
        return;
    }
    if (emitter->way_ref && !(emitter->flags & (ZP_EMITTER_LOCAL)) && !(e->flags & ZR_EMISSION_OVER)) {
        const zr_stand stand = zr_stand_now(instance, live);
        bear_by_way(instance, index, &stand, last_ns, now_ns);
    }
    zr_particles_step(instance, index, now_ns, last_ns);
    open_piece(instance, index, now_ns);
    plan_birth(instance, index);
}

static bool needs_stand(const zp_emitter *emitter) { return !(emitter->flags & ZP_EMITTER_LOCAL); }

void zr_emission_start(zo_instance *instance, uint32_t index, uint32_t run) {
    const zr_effect *live = &zr_effects(instance)[index];
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_emission *e = &zr_emissions(instance)[index];
    *e = (zr_emission){.run = run, .tick_ns = NEVER, .death_ns = NEVER, .burst_ns = NEVER, .birth_ns = NEVER};
    const uint32_t kind = zr_effect_record(instance, live)->kind;
    if (kind != ZP_EFFECT_PARTICLES && kind != ZP_EFFECT_TRAIL) { return; }
    e->tick_ns = zr_tick_ns(1);
    zr_stand stand = {.cosine = 1.0};
    if (kind == ZP_EFFECT_TRAIL || needs_stand(emitter)) { stand = zr_stand_now(instance, live); }
    if (kind == ZP_EFFECT_TRAIL) {
        lay_point(instance, index, &stand, 0);
        return;
    }
    e->last[0] = stand.origin[0];
    e->last[1] = stand.origin[1];
    bear_many(instance, index, emitter->start_count, &(zr_birth){.stand = &stand});
    plan_burst(instance, index, (zr_burst_moment){.burst = UINT32_MAX});
    open_piece(instance, index, 0);
    plan_birth(instance, index);
}

// ---------------------------------------------------------------------------------------------------- in their order

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

zr_effects_due zr_effects_next(const zo_instance *instance) {
    zr_effects_due due = {.at_ns = NEVER};
    if (instance->hidden || instance->emissions_offset == 0) { return due; }
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        const zr_effect *live = &zr_effects(instance)[i];
        if (!zr_emitter_of(instance, live)) { continue; }
        const zr_emission *e = &zr_emissions(instance)[i];
        const int64_t local_ns = least(least(e->burst_ns, e->birth_ns), e->tick_ns);
        const int64_t at_ns = local_ns == NEVER ? NEVER : live->origin_ns + local_ns;
        if (live->end_ns <= at_ns && live->end_ns != NEVER) {
            if (live->end_ns <= due.at_ns) { due = (zr_effects_due){live->end_ns, true}; }
        } else if (at_ns < due.at_ns) {
            due = (zr_effects_due){at_ns, false};
        }
    }
    return due;
}

// What is born at this instant.
static uint32_t do_births(zo_instance *instance, uint32_t index) {
    zr_emission *e = &zr_emissions(instance)[index];
    const int64_t now_ns = local_now_ns(instance, index);
    if (e->burst_ns > now_ns && e->birth_ns > now_ns) { return 0; }
    zr_stand stand = {.cosine = 1.0};
    if (needs_stand(emitter_at(instance, index))) { stand = zr_stand_now(instance, &zr_effects(instance)[index]); }
    uint32_t count = 0;
    for (; e->burst_ns <= now_ns; ++count) { do_burst(instance, index, &stand); }
    for (; e->birth_ns <= now_ns; ++count) { do_birth(instance, index, &stand); }
    return count;
}

uint32_t zr_effects_do(zo_instance *instance, zr_effects_due due) {
    uint32_t count = 0;
    if (due.is_end) {
        for (uint32_t i = 0; i < instance->effect_count;) {
            const zr_effect *live = &zr_effects(instance)[i];
            if (!zr_emitter_of(instance, live) || live->end_ns > zr_motion_ns(instance)) {
                ++i;
                continue;
            }
            zr_effect_remove(instance, i);
            ++count;
        }
        return count;
    }
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        if (zr_emitter_of(instance, &zr_effects(instance)[i])) { count += do_births(instance, i); }
    }
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        if (!zr_emitter_of(instance, &zr_effects(instance)[i])) { continue; }
        if (zr_emissions(instance)[i].tick_ns > local_now_ns(instance, i)) { continue; }
        do_tick(instance, i);
        ++count;
    }
    return count;
}

// Nothing new from now on; it is over with the last of what there is.
static void end_with_the_last(zo_instance *instance, uint32_t index) {
    zr_effect *live = &zr_effects(instance)[index];
    zr_emission *e = &zr_emissions(instance)[index];
    const int64_t now_ns = local_now_ns(instance, index);
    int64_t last_ns = zr_particles_last_ns(instance, index);
    if (zr_effect_record(instance, live)->kind == ZP_EFFECT_TRAIL) { // its last point is the head
        last_ns = now_ns + emitter_at(instance, index)->point_ns;
        e->tick_ns = NEVER;
    }
    e->flags |= ZR_EMISSION_OVER;
    e->birth_ns = e->burst_ns = NEVER;
    const int64_t end_ns = live->origin_ns + (last_ns > now_ns ? last_ns : now_ns);
    if (end_ns < live->end_ns) { live->end_ns = end_ns; }
}

bool zr_effect_stop(zo_instance *instance, uint32_t serial) {
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        const zr_effect *live = &zr_effects(instance)[i];
        if (live->serial != serial || !zr_emitter_of(instance, live)) { continue; }
        end_with_the_last(instance, i);
        return true;
    }
    return false;
}

void zr_effects_leave(zo_instance *instance, uint32_t run) {
    if (instance->emissions_offset == 0) { return; }
    for (uint32_t i = 0; i < instance->effect_count; ++i) {
        zr_emission *e = &zr_emissions(instance)[i];
        const zp_emitter *emitter = zr_emitter_of(instance, &zr_effects(instance)[i]);
        if (!emitter || e->run != run) { continue; }
        e->run = 0;
        if (emitter->end_ns < 0) { end_with_the_last(instance, i); }
    }
}

// ---------------------------------------------------------------------------------------------------- who looks,
// reloads

const zr_point *zr_point_next(const zo_instance *instance, uint32_t index, zr_point_walk *walk) {
    const zr_effect *live = &zr_effects(instance)[index];
    while (walk->at < instance->point_count) {
        const zr_point *point = &zr_points(instance)[walk->at++];
        if (point->serial == live->serial && zr_point_alive(instance, live, point)) { return point; }
    }
    return NULL;
}

static void carry_points(zo_instance *instance, uint32_t index, const zo_instance *old, uint32_t from) {
    zr_point_walk walk = {0};
    for (const zr_point *point; (point = zr_point_next(old, from, &walk)) != NULL;) {
        if (instance->point_count == instance->point_capacity) { return; }
        zr_point *copy = &zr_points(instance)[instance->point_count++];
        *copy = *point;
        copy->serial = zr_effects(instance)[index].serial;
    }
}

static bool same_bursts(const zp_program *a, const zp_emitter *x, const zp_program *b, const zp_emitter *y) {
    return x->burst_count == y->burst_count &&
           (x->burst_count == 0 || memcmp(&a->bursts[x->first_burst], &b->bursts[y->first_burst],
                                          x->burst_count * sizeof(zp_burst)) == 0);
}

// From now on by the new loop: what of the old one is past stays past.
static void plan_anew(zo_instance *instance, uint32_t index, int64_t now_ns) {
    const zp_emitter *emitter = emitter_at(instance, index);
    zr_emission *e = &zr_emissions(instance)[index];
    const double owed = e->owed + e->rate * seconds(e->piece_ns, least(now_ns, e->piece_end_ns)) - (double)e->born;
    e->owed = zb_clamp(owed, 0.0, 0.999);
    e->burst_loop = emitter->flags & ZP_EMITTER_LOOPS ? now_ns / emitter->duration_ns : 0;
    plan_burst(instance, index, (zr_burst_moment){now_ns - e->burst_loop * emitter->duration_ns, UINT32_MAX - 1, 0});
    open_piece(instance, index, now_ns);
    plan_birth(instance, index);
}

void zr_emission_carry(zo_instance *instance, uint32_t index, const zo_instance *old, uint32_t from) {
    zr_effect *live = &zr_effects(instance)[index];
    zr_emission *e = &zr_emissions(instance)[index];
    const zp_emitter *is = emitter_at(instance, index), *was = emitter_at(old, from);
    *e = zr_emissions(old)[from];
    e->live = e->batch_count = e->first_batch = e->last_batch = 0;
    e->death_ns = NEVER;
    zr_particles_carry(instance, index, old, from);
    carry_points(instance, index, old, from);
    if (!zr_run_find(instance, e->run)) { e->run = 0; }
    if (e->flags & ZR_EMISSION_OVER) { return; }
    const int64_t now_ns = local_now_ns(instance, index);
    if (is->end_ns != was->end_ns) { live->end_ns = is->end_ns >= 0 ? live->origin_ns + is->end_ns : NEVER; }
    if (is->end_ns < 0 && e->run == 0) { live->end_ns = live->origin_ns + now_ns; } // nobody would ever end it
    const uint32_t kind = zr_effect_record(instance, live)->kind;
    if (kind != ZP_EFFECT_PARTICLES) { return; }
    const bool same = is->duration_ns == was->duration_ns && ((is->flags ^ was->flags) & ZP_EMITTER_LOOPS) == 0 &&
                      same_bursts(instance->program, is, old->program, was);
    if (!same) { plan_anew(instance, index, now_ns); }
}
