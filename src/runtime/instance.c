// The instance: its block, its clock, and the order of what happens at one instant. Called by api. Everything that moves
// in it is a run (run.c); what it looks like is pose.c's.
#include "runtime/runtime.h"

static const zo_instance_def no_def; // the defaults

// ---------------------------------------------------------------------------------------------------- the block

typedef struct layout {
    size_t runs, values, ended, params, effects, size; // bytes from the block's start
    uint32_t run_capacity, values_per_run, param_count, effect_capacity;
} layout;

static bool take(size_t *at, size_t *offset, size_t count, size_t size) {
    size_t bytes;
    *offset = *at;
    return zb_mul_size(count, size, &bytes) && zb_add_size(*at, bytes, at) && *at <= UINT32_MAX;
}

// Every part is a multiple of 8 and the sum one of 16. false: offsets would not fit.
static bool lay_out(const zp_program *program, const zo_instance_def *def, layout *parts) {
    *parts = (layout){.run_capacity = ZR_RUN_CAPACITY_DEFAULT, .param_count = zp_count(program, ZP_SECTION_PARAMS)};
    if (def->run_capacity != 0) {
        parts->run_capacity = def->run_capacity < ZR_RUN_CAPACITY_MAX ? def->run_capacity : ZR_RUN_CAPACITY_MAX;
    }
    if (zp_count(program, ZP_SECTION_EFFECTS) > 0) {
        parts->effect_capacity = def->effect_capacity == 0                     ? ZR_EFFECT_CAPACITY_DEFAULT
                                 : def->effect_capacity < ZR_EFFECT_CAPACITY_MAX ? def->effect_capacity
                                                                                : ZR_EFFECT_CAPACITY_MAX;
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_CLIPS); ++i) {
        const uint32_t count = program->clips[i].param_count;
        if (count > parts->values_per_run) { parts->values_per_run = count; }
    }
    size_t at = zb_align_up(sizeof(zo_instance), 16), value_count;
    if (!zb_mul_size(parts->run_capacity, parts->values_per_run, &value_count)) { return false; }
    if (!take(&at, &parts->runs, parts->run_capacity, sizeof(zr_run))) { return false; }
    if (!take(&at, &parts->values, value_count, sizeof(double))) { return false; }
    if (!take(&at, &parts->ended, parts->run_capacity, sizeof(zr_ended))) { return false; }
    if (!take(&at, &parts->params, parts->param_count, sizeof(double))) { return false; }
    if (!take(&at, &parts->effects, parts->effect_capacity, sizeof(zr_effect))) { return false; }
    parts->size = zb_align_up(at, 16);
    return true;
}

size_t zr_instance_size(const zp_program *program, const zo_instance_def *def) {
    layout parts;
    return lay_out(program, def ? def : &no_def, &parts) ? parts.size : SIZE_MAX;
}

// What the index channels show at first: the rest value of the first of them.
static uint32_t first_cel(const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_CHANNELS); ++i) {
        if (!program->channels[i].is_index) { continue; }
        const double rest = program->channels[i].rest;
        return rest >= 1.0 && rest <= (double)zp_count(program, ZP_SECTION_CELS) ? (uint32_t)rest : 0;
    }
    return 0;
}

zo_instance *zr_instance_init(void *memory, size_t size, const zp_program *program, const zo_instance_def *def) {
    if (!def) { def = &no_def; }
    layout parts;
    if (!memory || (uintptr_t)memory % 16 != 0 || !lay_out(program, def, &parts) || size < parts.size) { return NULL; }
    memset(memory, 0, parts.size);
    zo_instance *instance = memory;
    instance->program = program;
    instance->delay_list = def->delay_count ? def->delay_list : NULL;
    instance->delay_count = def->delay_list ? def->delay_count : 0;
    instance->seed = def->seed;
    instance->size = parts.size;
    instance->run_capacity = parts.run_capacity;
    instance->reduced_motion = def->reduced_motion;
    instance->values_per_run = parts.values_per_run;
    instance->runs_offset = (uint32_t)parts.runs;
    instance->values_offset = (uint32_t)parts.values;
    instance->ended_offset = (uint32_t)parts.ended;
    instance->params_offset = (uint32_t)parts.params;
    instance->particle_list = def->particle_count ? def->particle_list : NULL;
    instance->particle_list_count = def->particle_list ? def->particle_count : 0;
    instance->effect_capacity = parts.effect_capacity;
    instance->effects_offset = (uint32_t)parts.effects;
    instance->particle_capacity = def->particle_capacity ? def->particle_capacity : ZR_PARTICLE_CAPACITY_DEFAULT;
    instance->no_effects = def->no_effects;
    for (uint32_t i = 0; i < parts.param_count; ++i) { zr_params(instance)[i] = program->params[i].value; }
    instance->cel_ref = first_cel(program);

    const uint32_t play_count = zp_count(program, ZP_SECTION_PLAYS);
    const zo_run_def as_written = {0};
    for (uint32_t i = 0; i < play_count; ++i) {
        const zp_play *play = &program->plays[i];
        if (instance->next_cel_ref == 0) { instance->next_cel_ref = play->cel_ref; }
        if (!def->idle) { zr_run_start(instance, play->clip, &as_written, play->cel_ref); }
    }
    return instance;
}

// ---------------------------------------------------------------------------------------------------- advance

// What comes first, at or after now. Equal instants: by rank; equal ranks: the run started first, which stands first.
static zr_due first_due(const zo_instance *instance, zr_run **run) {
    zr_due first = {INT64_MAX, ZR_RANK_REPEAT};
    zr_run *runs = zr_runs(instance);
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        const zr_due due = zr_run_due(instance, &runs[i]);
        if (due.at_ns < first.at_ns || (due.at_ns == first.at_ns && due.rank < first.rank)) {
            first = due;
            *run = &runs[i];
        }
    }
    return first;
}

static zo_event tell_ended(zo_instance *instance) {
    zr_ended *ended = zr_ended_runs(instance);
    const zo_event event = {.kind = ZO_EVENT_RUN_END, .end = (zo_end)ended->end, .t_ns = instance->now_ns,
                            .run = {ended->run}, .clip = {ended->clip + 1}, .name = instance->program->names};
    --instance->ended_count;
    memmove(ended, ended + 1, instance->ended_count * sizeof *ended);
    memset(ended + instance->ended_count, 0, sizeof *ended);
    return event;
}

// One thing at a time, each chosen from the state alone: so it does not matter where a call stops, nor what has been put
// in motion since.
zo_step zr_instance_advance(zo_instance *instance, int64_t dt_ns, zo_event *events, uint32_t capacity) {
    ZO_ASSERT(dt_ns >= 0);
    const int64_t room_ns = ZR_CLOCK_NS_MAX - instance->now_ns;
    const int64_t end_ns = instance->now_ns + (dt_ns < room_ns ? dt_ns : room_ns);
    zo_step step = {0};
    for (uint32_t boundary = 0;; ++boundary) {
        if (instance->ended_count > 0) { // before all else: it came before the caller's next wish
            if (step.count == capacity) {
                step.more = true;
                break;
            }
            events[step.count++] = tell_ended(instance);
            continue;
        }
        zr_run *run = NULL;
        const zr_due due = first_due(instance, &run);
        if (!run || due.at_ns > end_ns) {
            instance->now_ns = end_ns;
            break;
        }
        if (boundary >= ZR_BOUNDARY_MAX) {
            step.more = due.at_ns <= instance->now_ns;
            break;
        }
        if (due.at_ns > instance->now_ns) { instance->now_ns = due.at_ns; }
        const bool tells = zr_run_tells(instance, run, due.rank);
        if (tells && step.count == capacity) {
            step.more = true;
            break;
        }
        zr_run_do(instance, run, due.rank, tells ? &events[step.count++] : NULL);
    }
    zr_effects_sweep(instance);
    step.left_ns = end_ns - instance->now_ns;
    return step;
}
