// The public functions of play.h: argument checks and the host's simple wishes. Part of the play-only library.
#include <zoetrope/play.h>

#include "base/arena.h"
#include "director/director.h"
#include "runtime/runtime.h"

// ---------------------------------------------------------------------------------------------------- the block

static const zr_director *director_of(const zo_program *program, const zo_instance_def *def) {
    return def && def->idle ? NULL : zr_director_of(program);
}

size_t zo_instance_size(const zo_program *program, const zo_instance_def *def) {
    ZO_ASSERT(program != NULL);
    return zr_instance_size(program, def, director_of(program, def));
}

zo_instance *zo_instance_init(void *memory, size_t size, const zo_program *program, const zo_instance_def *def) {
    ZO_ASSERT(program != NULL);
    return zr_instance_init(memory, size, program, def, director_of(program, def));
}

zo_instance *zo_instance_create(const zo_program *program, const zo_instance_def *def,
                                const zo_allocator *allocator) {
    ZO_ASSERT(program != NULL);
    const zo_allocator from = zb_allocator_or_default(allocator);
    const size_t size = zr_instance_size(program, def, director_of(program, def));
    void *memory = size == SIZE_MAX ? NULL : from.alloc(from.context, size);
    if (!memory) { return NULL; }
    zo_instance *instance = zr_instance_init(memory, size, program, def, director_of(program, def));
    ZO_ASSERT(instance != NULL);
    instance->allocator = from;
    return instance;
}

void zo_instance_free(zo_instance *instance) {
    if (!instance) { return; }
    const zo_allocator from = instance->allocator;
    ZO_ASSERT(from.free != NULL); // of zo_instance_create
    from.free(from.context, instance, instance->size);
}

// ---------------------------------------------------------------------------------------------------- time

zo_step zo_instance_advance(zo_instance *instance, int64_t dt_ns, zo_event *events, uint32_t capacity) {
    ZO_ASSERT(dt_ns >= 0);
    ZO_ASSERT(events != NULL || capacity == 0);
    return zr_instance_advance(instance, dt_ns, events, capacity);
}

int64_t zo_instance_now_ns(const zo_instance *instance) { return instance->now_ns; }
uint32_t zo_instance_live_count(const zo_instance *instance) { return instance->run_count; }

// ---------------------------------------------------------------------------------------------------- runs

static bool is_cel(const zo_instance *instance, zo_cel cel) {
    return cel.id <= zp_count(instance->program, ZP_SECTION_CELS); // none is one, too
}

zo_run zo_instance_start(zo_instance *instance, zo_clip clip, const zo_run_def *def) {
    const zo_run_def as_written = {0};
    if (!def) { def = &as_written; }
    ZO_ASSERT(def->params != NULL || def->param_count == 0);
    ZO_ASSERT(is_cel(instance, def->cel));
    if (clip.id == 0 || clip.id > zp_count(instance->program, ZP_SECTION_CLIPS)) { return (zo_run){0}; }
    const zr_start start = {.clip = clip.id - 1, .cel_ref = def->cel.id,
                            .mix_ref = instance->program->clips[clip.id - 1].mix_ref};
    return (zo_run){zr_run_start(instance, &start, def)};
}

bool zo_instance_cancel(zo_instance *instance, zo_run run) {
    zr_run *found = zr_run_find(instance, run.id);
    if (!found) { return false; }
    zr_run_cancel(instance, found, ZO_END_CANCELLED);
    return true;
}

void zo_instance_pause(zo_instance *instance, zo_run run) {
    zr_run *found = zr_run_find(instance, run.id);
    if (found) { zr_run_pause(instance, found); }
}

void zo_instance_resume(zo_instance *instance, zo_run run) {
    zr_run *found = zr_run_find(instance, run.id);
    if (found) { zr_run_resume(instance, found); }
}

// ---------------------------------------------------------------------------------------------------- parameters, cels

void zo_instance_set_param(zo_instance *instance, zo_param param, double value) {
    ZO_ASSERT(param.id >= 1 && param.id <= zp_count(instance->program, ZP_SECTION_PARAMS));
    if (zb_is_nan(value)) { return; }
    const zp_param *limits = &instance->program->params[param.id - 1];
    zr_params(instance)[param.id - 1] = zb_clamp(value, limits->low, limits->high);
}

double zo_instance_param(const zo_instance *instance, zo_param param) {
    ZO_ASSERT(param.id >= 1 && param.id <= zp_count(instance->program, ZP_SECTION_PARAMS));
    return zr_params(instance)[param.id - 1];
}

void zo_instance_show(zo_instance *instance, zo_cel cel) {
    ZO_ASSERT(is_cel(instance, cel));
    zr_show(instance, cel.id);
}

void zo_instance_show_next(zo_instance *instance, zo_cel cel) {
    ZO_ASSERT(is_cel(instance, cel));
    instance->next_cel_ref = cel.id;
}

// ---------------------------------------------------------------------------------------------------- states

static bool directed(zo_instance *instance) { // and awake, for a call may come before the first advance
    zr_wake(instance);
    return instance->director != NULL;
}

bool zo_instance_request(zo_instance *instance, const char *name) {
    ZO_ASSERT(name != NULL);
    const zp_program *program = instance->program;
    if (!directed(instance)) { return false; }
    for (uint32_t by_group = 0; by_group < 2; ++by_group) {
        for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_STATES); ++i) {
            const zp_state *state = &program->states[i];
            if (strcmp(zp_name_text(program, by_group ? state->group : state->name), name) != 0) { continue; }
            zr_slots_request(instance, i);
            return true;
        }
    }
    return false;
}

bool zo_instance_status(zo_instance *instance, const zo_status_event *event) {
    ZO_ASSERT(event != NULL && event->type != NULL);
    return directed(instance) && zr_slots_status(instance, event);
}

bool zo_instance_click(zo_instance *instance) {
    if (!directed(instance)) { return false; }
    zr_slots_click(instance);
    return true;
}

bool zo_instance_flash(zo_instance *instance, zo_cel cel, double ms) {
    ZO_ASSERT(is_cel(instance, cel));
    if (!directed(instance)) { return false; }
    // Rounded down as every duration, but what is a whole number on paper must not lose one to rounding.
    const int64_t ns = ms > 0.0 ? (int64_t)zb_clamp(ms * 1e6 + 0x1p-10, 1.0, (double)ZP_DURATION_NS_MAX) : 0;
    return zr_slots_flash(instance, cel.id, ns);
}

bool zo_instance_play(zo_instance *instance, const char *clip, bool interrupt) {
    ZO_ASSERT(clip != NULL);
    const zo_clip found = zo_clip_find(instance->program, clip);
    return found.id != 0 && directed(instance) && zr_slots_play(instance, found.id - 1, interrupt);
}

void zo_instance_set_hidden(zo_instance *instance, bool hidden) { zr_set_hidden(instance, hidden); }

void zo_instance_set_reduced_motion(zo_instance *instance, bool reduced) {
    zr_set_reduced(instance, reduced);
    if (instance->awake) { zr_slots_refresh(instance); }
}

void zo_instance_set_cel(zo_instance *instance, zo_cel cel, bool there) {
    ZO_ASSERT(cel.id != 0 && is_cel(instance, cel));
    zr_absent_cels(instance)[cel.id - 1] = !there;
}

bool zo_instance_state(const zo_instance *instance, zo_target_state *target) {
    ZO_ASSERT(target != NULL);
    if (!instance->director) { return false; }
    const zp_program *program = instance->program;
    const zr_target now = zr_slots_target(instance);
    const zp_state *state = &program->states[now.state];
    *target = (zo_target_state){.state = {now.state + 1}, .name = zp_name_text(program, state->name),
                                .group = zp_name_text(program, state->group),
                                .activity = zp_name_text(program, now.activity)};
    return true;
}

bool zo_instance_run_at(const zo_instance *instance, uint32_t index, zo_run_info *info) {
    ZO_ASSERT(info != NULL);
    if (index >= instance->run_count) { return false; }
    const zr_run *run = &zr_runs(instance)[index];
    const bool waiting = run->phase == ZR_WAITING;
    *info = (zo_run_info){.run = {run->id}, .clip = {run->clip + 1}, .installed = run->install_serial,
                          .layers = waiting ? 0 : instance->program->clips[run->clip].layer_mask, .waiting = waiting,
                          .paused = run->paused != 0, .local_ns = waiting ? 0 : zr_run_local_ns(instance, run),
                          .duration_ns = run->duration_ns};
    return true;
}

// ---------------------------------------------------------------------------------------------------- particles

uint32_t zo_instance_particle_count(const zo_instance *instance) {
    zr_particle_walk walk = {0};
    zr_particle particle;
    uint32_t count = 0;
    while (zr_particle_next(instance, &walk, &particle)) { ++count; }
    return count;
}

bool zo_instance_particle_at(const zo_instance *instance, uint32_t index, zo_particle *particle) {
    ZO_ASSERT(particle != NULL);
    const zp_program *program = instance->program;
    zr_particle_walk walk = {0};
    zr_particle found;
    do {
        if (!zr_particle_next(instance, &walk, &found)) { return false; }
    } while (index-- > 0);
    const zp_effect *effect = &program->effects[found.effect];
    *particle = (zo_particle){
        .effect = zp_name_text(program, effect->name),
        .shape = zp_name_text(program, program->shapes[found.shape].name),
        .target = {effect->target + 1}, .age_ns = found.age_ns, .life_ns = found.life_ns, .width = found.width,
        .height = found.height, .x = found.x, .y = found.y, .turn = found.turn,
        .opacity = zb_clamp(found.opacity, 0.0, 1.0)};
    for (uint32_t i = 0; i < 4; ++i) { particle->colour[i] = (uint8_t)(found.colour[i] * 255.0 + 0.5); }
    return true;
}

uint64_t zo_instance_dropped(const zo_instance *instance) { return instance->dropped; }

// ---------------------------------------------------------------------------------------------------- cels

zo_cel zo_instance_shown(const zo_instance *instance) { return (zo_cel){instance->cel_ref}; }
