// The public functions of play.h: argument checks and the host's simple wishes. Part of the play-only library.
#include <zoetrope/play.h>

#include "base/arena.h"
#include "director/director.h"
#include "runtime/particles.h"

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
    if (found && found->owner != ZR_OWNER_MACHINE) { zr_run_pause(instance, found); }
}

void zo_instance_resume(zo_instance *instance, zo_run run) {
    zr_run *found = zr_run_find(instance, run.id);
    if (found && found->owner != ZR_OWNER_MACHINE) { zr_run_resume(instance, found); }
}

// ---------------------------------------------------------------------------------------------------- parameters, cels

static bool is_control(const zo_instance *instance, zo_param param) { return param.id > instance->first_control; }

void zo_instance_set_param(zo_instance *instance, zo_param param, double value) {
    ZO_ASSERT(param.id >= 1 && param.id <= zp_count(instance->program, ZP_SECTION_PARAMS));
    if (zb_is_nan(value)) { return; }
    const zp_param *limits = &instance->program->params[param.id - 1];
    if (!is_control(instance, param)) {
        zr_params(instance)[param.id - 1] = zb_clamp(value, limits->low, limits->high);
    } else {
        zo_instance_set_param_line(instance, param, value, 0.0);
    }
}

double zo_instance_param(const zo_instance *instance, zo_param param) {
    ZO_ASSERT(param.id >= 1 && param.id <= zp_count(instance->program, ZP_SECTION_PARAMS));
    if (!is_control(instance, param)) { return zr_params(instance)[param.id - 1]; }
    zp_fault fault = ZP_FAULT_NONE;
    return zr_control_value(instance->program, instance, param.id - 1, zr_world_s(instance), &fault);
}

static zr_control *control_of(const zo_instance *instance, zo_param param) {
    ZO_ASSERT(param.id <= zp_count(instance->program, ZP_SECTION_PARAMS) && is_control(instance, param));
    return &zr_controls(instance)[param.id - 1 - instance->first_control];
}

void zo_instance_set_param_line(zo_instance *instance, zo_param param, double offset, double slope) {
    if (!is_control(instance, param)) {
        zo_instance_set_param(instance, param, offset);
    } else if (zb_is_finite(offset) && zb_is_finite(slope)) {
        zr_control *control = control_of(instance, param);
        zr_params(instance)[param.id - 1] = offset;
        control->slope = slope;
        control->set = 1;
    }
}

void zo_instance_ramp_param(zo_instance *instance, zo_param param, double slope) {
    const double x = zr_world_s(instance);
    zp_fault fault = ZP_FAULT_NONE;
    const double value = zr_control_value(instance->program, instance, param.id - 1, x, &fault);
    zo_instance_set_param_line(instance, param, value - slope * x, slope);
}

void zo_instance_bind(zo_instance *instance, zo_param param, zo_control_fn ask, void *context) {
    zr_control *control = control_of(instance, param);
    control->ask = ask;
    control->context = ask ? context : NULL;
}

double zo_instance_expr(const zo_instance *instance, zo_expr expr, double x, zo_fault *fault) {
    ZO_ASSERT(expr.id >= 1 && expr.id <= zp_count(instance->program, ZP_SECTION_EXPRS));
    zp_fault found = ZP_FAULT_NONE;
    const double value = zr_expr_value(instance->program, instance, expr.id - 1, x, &found);
    if (fault) { *fault = (zo_fault)found; }
    return value;
}
_Static_assert((int)ZO_FAULT_COUNT == ZP_FAULT_COUNT && (int)ZO_FAULT_CYCLE == ZP_FAULT_CYCLE, "the same values");

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
    return instance->director == &zr_director_of_slots;
}

static bool is_speech(const zo_instance *instance) { return instance->director == &zr_director_of_speech; }

// The machine that the host speaks to: the one that runs by itself, or the director's. NULL: nobody decides anything.
static const zp_machine *machine_of(const zo_instance *instance) {
    if (instance->machine_offset != 0) { return zr_machine_record(instance->program); }
    return instance->director ? &instance->program->machines[instance->program->directors[0].machine] : NULL;
}

bool zo_instance_request(zo_instance *instance, const char *name) {
    ZO_ASSERT(name != NULL);
    zr_wake(instance);
    const zp_program *program = instance->program;
    const zp_machine *machine = machine_of(instance);
    if (instance->poser_offset != 0) {
        const uint32_t ref = zr_poser_state_ref(instance, name);
        return ref != 0 && zr_poser_request(instance, ref - 1, ZO_VIA_REQUEST);
    }
    for (uint32_t by_group = 0; machine && by_group < 2; ++by_group) {
        for (uint32_t i = 0; i < machine->state_count; ++i) {
            const zp_state *state = &program->states[machine->first_state + i];
            if (strcmp(zp_name_text(program, by_group ? state->group : state->name), name) != 0) { continue; }
            if (instance->machine_offset != 0) {
                zr_machine_drop(instance);
                zr_machine_goto(instance, machine->first_state + i, ZO_VIA_REQUEST);
            } else {
                zr_slots_request(instance, machine->first_state + i);
            }
            return true;
        }
    }
    return false;
}

bool zo_instance_poll(zo_instance *instance, double seconds) {
    zr_wake(instance);
    return instance->poser_offset != 0 && zr_poser_poll(instance, seconds);
}

zo_fault zo_instance_fault(const zo_instance *instance) {
    return instance->poser_offset != 0 ? (zo_fault)zr_poser_fault(instance) : ZO_FAULT_NONE;
}

// Where no director minds speech "after speech" is at once.
bool zo_instance_trigger(zo_instance *instance, const char *group, bool after_speech) {
    ZO_ASSERT(group != NULL);
    zr_wake(instance);
    if (is_speech(instance)) { return zr_speech_trigger(instance, group, after_speech); }
    return instance->machine_offset != 0 && zr_machine_trigger(instance, group);
}

bool zo_instance_release(zo_instance *instance, bool after_speech) {
    zr_wake(instance);
    if (instance->machine_offset == 0) { return false; }
    if (is_speech(instance)) {
        zr_speech_release(instance, after_speech);
    } else {
        zr_machine_release(instance);
    }
    return true;
}

const char *zo_via_name(zo_via via) {
    static const char *const names[ZO_VIA_COUNT] = {
        [ZO_VIA_TARGET] = "target", [ZO_VIA_START] = "start", [ZO_VIA_AUTO] = "auto", [ZO_VIA_TRIGGER] = "trigger",
        [ZO_VIA_ROUTE] = "route", [ZO_VIA_DIRECT] = "direct", [ZO_VIA_REQUEST] = "request",
        [ZO_VIA_RELEASE] = "release", [ZO_VIA_FORCED] = "forced", [ZO_VIA_POST_SPEECH] = "post_speech",
        [ZO_VIA_POST_SPEECH_ADVANCE] = "post_speech_advance", [ZO_VIA_EVENT] = "event"};
    return (uint32_t)via < ZO_VIA_COUNT ? names[via] : "";
}

void zo_instance_speaking(zo_instance *instance, bool speaking) {
    zr_wake(instance);
    if (is_speech(instance)) {
        zr_speech_speaking(instance, speaking);
    } else {
        instance->speaking = speaking;
    }
}

void zo_instance_set_mouth(zo_instance *instance, double level) {
    if (!zb_is_nan(level)) { instance->level = zb_clamp(level, 0.0, 1.0); }
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
    if (instance->awake && instance->director == &zr_director_of_slots) { zr_slots_refresh(instance); }
}

void zo_instance_set_cel(zo_instance *instance, zo_cel cel, bool there) {
    ZO_ASSERT(cel.id != 0 && is_cel(instance, cel));
    zr_absent_cels(instance)[cel.id - 1] = !there;
}

static void tell_posing(const zo_instance *instance, zo_target_state *target) {
    const zp_program *program = instance->program;
    const zr_poser *p = zr_poser_of(instance);
    const zp_state *state = &program->states[p->state];
    const zr_layer *top = &p->shown[p->shown_count - 1];
    *target = (zo_target_state){
        .state = {p->state + 1}, .name = zp_name_text(program, state->name), .via = (zo_via)p->via,
        .group = zp_name_text(program, state->group), .activity = zp_name_text(program, state->activity),
        .weight = top->state == p->state ? zr_poser_weight(instance, top) : 0.0, .time_s = zr_world_s(instance)};
}

bool zo_instance_state(const zo_instance *instance, zo_target_state *target) {
    ZO_ASSERT(target != NULL);
    const zp_program *program = instance->program;
    if (instance->poser_offset != 0) {
        tell_posing(instance, target);
        return true;
    }
    if (instance->machine_offset != 0) {
        const zr_machine *m = zr_machine_of(instance);
        const zp_state *state = &program->states[instance->awake ? m->state : zr_machine_record(program)->start];
        *target = (zo_target_state){
            .state = {(uint32_t)(state - program->states) + 1}, .name = zp_name_text(program, state->name),
            .group = zp_name_text(program, state->group), .activity = zp_name_text(program, state->activity),
            .via = instance->awake ? (zo_via)m->via : ZO_VIA_START, .held = m->held != 0, .draws = m->draws,
            .clip = {program->plays[program->words[state->first_play] - 1].clip + 1}, .route_count = m->route_count,
            .frame = instance->awake ? zr_machine_frame(instance) : 0, .speaking = instance->speaking != 0,
            .mouth = instance->level};
        return true;
    }
    if (!instance->director) { return false; }
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
                          .duration_ns = run->duration_ns,
                          .backward = !waiting && zr_run_is_backward(instance, run),
                          .repeat = (zo_repeat)run->repeat, .mix = run->mix_ref};
    return true;
}

bool zo_instance_run_param(const zo_instance *instance, zo_run run, uint32_t param, double *value) {
    ZO_ASSERT(value != NULL);
    const zr_run *found = zr_run_find(instance, run.id);
    if (!found || param >= instance->program->clips[found->clip].param_count) { return false; }
    *value = zr_run_values(instance, found)[param];
    return true;
}

// ---------------------------------------------------------------------------------------------------- particles

uint32_t zo_instance_particle_count(const zo_instance *instance) { return zr_particle_count(instance); }

static void tell_particle(const zp_program *program, const zr_particle *found, zo_particle *particle) {
    const zp_effect *effect = &program->effects[found->effect];
    const bool emitted = effect->emitter_ref != 0;
    *particle = (zo_particle){
        .effect = zp_name_text(program, effect->name),
        .shape = emitted ? program->names : zp_name_text(program, program->shapes[found->shape].name),
        .target = {effect->target + 1}, .age_ns = found->age_ns, .life_ns = found->life_ns, .width = found->width,
        .height = found->height, .x = found->x, .y = found->y, .turn = found->turn,
        .opacity = zb_clamp(found->opacity, 0.0, 1.0), .emitted = emitted, .start = found->start,
        .number = found->number, .frame = found->frame, .z = found->z, .vx = found->velocity[0],
        .vy = found->velocity[1], .vz = found->velocity[2]};
    memcpy(particle->rgba, emitted ? found->rgba : found->colour, sizeof particle->rgba);
    for (uint32_t i = 0; i < 4; ++i) {
        particle->colour[i] = (uint8_t)(zb_clamp(particle->rgba[i], 0.0, 1.0) * 255.0 + 0.5);
    }
}

uint32_t zo_instance_particles(const zo_instance *instance, uint32_t first, zo_particle *particles, uint32_t capacity) {
    ZO_ASSERT(particles != NULL || capacity == 0);
    zr_looked looked;
    zr_particle_walk walk = {.looked = &looked};
    zr_particle found;
    uint32_t count = 0;
    while (count < capacity && zr_particle_next(instance, &walk, &found)) {
        if (first > 0) {
            --first;
        } else {
            tell_particle(instance->program, &found, &particles[count++]);
        }
    }
    return count;
}

bool zo_instance_particle_at(const zo_instance *instance, uint32_t index, zo_particle *particle) {
    ZO_ASSERT(particle != NULL);
    return zo_instance_particles(instance, index, particle, 1) == 1;
}

uint32_t zo_instance_effect_count(const zo_instance *instance) {
    zo_effect effect;
    uint32_t count = 0;
    while (zo_instance_effect_at(instance, count, &effect)) { ++count; }
    return count;
}

bool zo_instance_effect_at(const zo_instance *instance, uint32_t index, zo_effect *effect) {
    ZO_ASSERT(effect != NULL);
    zr_effect_look look;
    if (!zr_effect_look_at(instance, index, &look)) { return false; }
    const zp_program *program = instance->program;
    const zp_effect *record = look.record;
    const zp_emitter *emitter = look.emitter;
    *effect = (zo_effect){.kind = (zo_effect_kind)record->kind, .name = zp_name_text(program, record->name),
                          .target = {record->target + 1}, .start = look.start, .age_ns = look.age_ns,
                          .left_ns = look.left_ns, .particles = look.particles, .x = look.at[0], .y = look.at[1],
                          .z = look.at[2], .turn = look.turn, .laying = look.laying, .points = look.points,
                          .cel = {record->cel_ref}};
    if (!emitter) { return true; }
    effect->columns = emitter->columns;
    effect->rows = emitter->rows;
    effect->frame = emitter->frame;
    effect->radius = emitter->radius;
    effect->inner = emitter->inner;
    effect->intensity = emitter->intensity;
    effect->width = emitter->width;
    effect->pixel_x = emitter->pixel * emitter->scale[0];
    effect->pixel_y = emitter->pixel * emitter->scale[1];
    double *colours[2] = {effect->rgba, effect->end_rgba};
    for (uint32_t i = 0; i < record->colour_count && i < 2; ++i) {
        memcpy(colours[i], &program->numbers[record->colours + 4 * (size_t)i], sizeof effect->rgba);
    }
    return true;
}
_Static_assert((int)ZO_EFFECT_LIGHT == ZP_EFFECT_LIGHT && (int)ZO_EFFECT_TRAIL == ZP_EFFECT_TRAIL &&
               (int)ZO_EFFECT_DECAL == ZP_EFFECT_DECAL, "the kinds of effects are the program's");

bool zo_instance_stop_effect(zo_instance *instance, uint32_t start) { return zr_effect_stop(instance, start); }

uint32_t zo_instance_trail(const zo_instance *instance, uint32_t index, zo_trail_point *points, uint32_t capacity) {
    ZO_ASSERT(points != NULL || capacity == 0);
    zr_effect_look look;
    zr_point_walk walk = {0};
    uint32_t count = 0;
    if (!zr_effect_look_at(instance, index, &look)) { return 0; }
    for (const zr_point *point; count < capacity && (point = zr_point_next(instance, look.index, &walk)) != NULL;) {
        points[count++] = (zo_trail_point){point->x, point->y, look.age_ns - point->laid_ns, look.emitter->point_ns};
    }
    return count;
}

uint64_t zo_instance_dropped(const zo_instance *instance) { return instance->dropped; }

// ---------------------------------------------------------------------------------------------------- cels

zo_cel zo_instance_shown(const zo_instance *instance) { return (zo_cel){instance->cel_ref}; }
