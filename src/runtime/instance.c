// The instance: its block, its clock, and the order of what happens at one instant. Called by api. Everything that
// moves in it is a run (run.c); what it looks like is pose.c's.
#include "runtime/runtime.h"

static const zo_instance_def no_def; // the defaults

// ---------------------------------------------------------------------------------------------------- the block

typedef struct layout {
    // Bytes from the block's start:
    size_t runs, values, notices, params, controls, effects, absent, machine, poser, director, size;
    size_t emissions, batches, lanes, points;
    uint32_t run_capacity, notice_capacity, values_per_run, param_count, first_control, effect_capacity, cel_count;
    uint32_t particle_capacity, batch_count, point_capacity;
} layout;

static bool take(size_t *at, size_t *offset, size_t count, size_t size) {
    size_t bytes;
    *offset = *at;
    return zb_mul_size(count, size, &bytes) && zb_add_size(*at, bytes, at) && *at <= UINT32_MAX;
}

// What effects with emitters take. Batches: as many as the particles fill, one for each effect that is not full, and
// some more, so that they are seldom closed up.
static bool lay_out_emitters(const zp_program *program, const zo_instance_def *def, size_t *at, layout *parts) {
    bool particles = false, trails = false;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EFFECTS); ++i) {
        const zp_effect *effect = &program->effects[i];
        particles |= effect->emitter_ref != 0 && effect->kind == ZP_EFFECT_PARTICLES;
        trails |= effect->emitter_ref != 0 && effect->kind == ZP_EFFECT_TRAIL;
    }
    if (particles) {
        if (parts->particle_capacity > ZR_PARTICLE_CAPACITY_MAX) {
            parts->particle_capacity = ZR_PARTICLE_CAPACITY_MAX;
        }
        const uint32_t full = parts->particle_capacity / ZR_BATCH_LANES + 1;
        parts->batch_count = full + full / 16 +
                             (parts->effect_capacity < parts->particle_capacity ? parts->effect_capacity
                                                                               : parts->particle_capacity);
    }
    if (trails) {
        parts->point_capacity = def->point_capacity == 0                      ? ZR_POINT_CAPACITY_DEFAULT
                                : def->point_capacity < ZR_POINT_CAPACITY_MAX ? def->point_capacity
                                                                              : ZR_POINT_CAPACITY_MAX;
    }
    *at = zb_align_up(*at, 16);
    return take(at, &parts->emissions, parts->effect_capacity, sizeof(zr_emission)) &&
           take(at, &parts->batches, parts->batch_count, sizeof(zr_batch)) &&
           take(at, &parts->points, parts->point_capacity, sizeof(zr_point)) &&
           (*at = zb_align_up(*at, 16), take(at, &parts->lanes, parts->batch_count, sizeof(zr_lanes)));
}

// Every part is a multiple of 8 and the sum one of 16. false: offsets would not fit.
static bool lay_out(const zp_program *program, const zo_instance_def *def, const zr_director *director, layout *parts) {
    *parts = (layout){.run_capacity = ZR_RUN_CAPACITY_DEFAULT, .param_count = zp_count(program, ZP_SECTION_PARAMS),
                      .cel_count = zp_count(program, ZP_SECTION_CELS)};
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
    parts->notice_capacity = 2 * parts->run_capacity + ZR_NOTICES_EXTRA;
    if (!take(&at, &parts->notices, parts->notice_capacity, sizeof(zr_notice))) { return false; }
    if (!take(&at, &parts->params, parts->param_count, sizeof(double))) { return false; }
    parts->first_control = parts->param_count;
    while (parts->first_control > 0 && program->params[parts->first_control - 1].clip == ZP_NO_CLIP) {
        --parts->first_control;
    }
    if (!take(&at, &parts->controls, parts->param_count - parts->first_control, sizeof(zr_control))) { return false; }
    if (!take(&at, &parts->effects, parts->effect_capacity, sizeof(zr_effect))) { return false; }
    parts->particle_capacity = def->particle_capacity ? def->particle_capacity : ZR_PARTICLE_CAPACITY_DEFAULT;
    if (zp_count(program, ZP_SECTION_EMITTERS) > 0 && !lay_out_emitters(program, def, &at, parts)) { return false; }
    if (!take(&at, &parts->absent, zb_align_up(parts->cel_count, 8), 1)) { return false; }
    const size_t machine_size = def->idle ? 0 : zr_machine_size(program);
    if (!take(&at, &parts->machine, machine_size, 1)) { return false; }
    if (machine_size == 0) { parts->machine = 0; }
    const bool poses = !def->idle && zr_poser_record(program) != NULL;
    if (!take(&at, &parts->poser, poses ? sizeof(zr_poser) : 0, 1)) { return false; }
    if (!poses) { parts->poser = 0; }
    if (!take(&at, &parts->director, director ? director->size : 0, 1)) { return false; }
    parts->size = zb_align_up(at, 16);
    return true;
}

size_t zr_instance_size(const zp_program *program, const zo_instance_def *def, const zr_director *director) {
    layout parts;
    return lay_out(program, def ? def : &no_def, director, &parts) ? parts.size : SIZE_MAX;
}

// The rest value of the first index channel that SHOW_CEL is for.
uint32_t zr_first_cel(const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_CHANNELS); ++i) {
        if (!program->channels[i].is_index || program->channels[i].own_rest) { continue; }
        const double rest = program->channels[i].rest;
        return rest >= 1.0 && rest <= (double)zp_count(program, ZP_SECTION_CELS) ? (uint32_t)rest : 0;
    }
    return 0;
}

static void start_plays(zo_instance *instance, bool idle) {
    const zp_program *program = instance->program;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_PLAYS); ++i) {
        const zp_play *play = &program->plays[i];
        if (play->flags & ZP_PLAY_LATER) { continue; }
        if (instance->next_cel_ref == 0) { instance->next_cel_ref = play->cel_ref; }
        if (!idle) { zr_play_start(instance, i + 1, 0, 0); }
    }
}

static void take_lists(zo_instance *instance, const zo_instance_def *def) {
    instance->particle_row = def->particle_list ? def->particle_row : 0;
    instance->rate_list = def->rate_count ? def->rate_list : NULL;
    instance->rate_count = def->rate_list ? def->rate_count : 0;
    instance->way_list = def->way_count ? def->way_list : NULL;
    instance->way_count = def->way_list ? def->way_count : 0;
    instance->burst_list = def->burst_count ? def->burst_list : NULL;
    instance->burst_count = def->burst_list ? def->burst_count : 0;
    instance->graph_list = def->graph_count ? def->graph_list : NULL;
    instance->graph_count = def->graph_list ? def->graph_count : 0;
    instance->has_noise_seed = def->set_noise_seed;
    instance->noise_seed = def->noise_seed;
}

zo_instance *zr_instance_init(void *memory, size_t size, const zp_program *program, const zo_instance_def *def,
                              const zr_director *director) {
    if (!def) { def = &no_def; }
    layout parts;
    if (!memory || (uintptr_t)memory % 16 != 0 || !lay_out(program, def, director, &parts) || size < parts.size) {
        return NULL;
    }
    memset(memory, 0, parts.size);
    zo_instance *instance = memory;
    instance->program = program;
    instance->director = director;
    instance->delay_list = def->delay_count ? def->delay_list : NULL;
    instance->delay_count = def->delay_list ? def->delay_count : 0;
    instance->seed = def->seed;
    instance->size = parts.size;
    instance->run_capacity = parts.run_capacity;
    instance->notice_capacity = parts.notice_capacity;
    instance->values_per_run = parts.values_per_run;
    instance->runs_offset = (uint32_t)parts.runs;
    instance->values_offset = (uint32_t)parts.values;
    instance->notices_offset = (uint32_t)parts.notices;
    instance->absent_offset = (uint32_t)parts.absent;
    instance->machine_offset = (uint32_t)parts.machine;
    instance->poser_offset = (uint32_t)parts.poser;
    instance->host_polls = def->host_polls;
    instance->director_offset = (uint32_t)parts.director;
    instance->params_offset = (uint32_t)parts.params;
    instance->controls_offset = (uint32_t)parts.controls;
    instance->first_control = parts.first_control;
    instance->particle_list = def->particle_count ? def->particle_list : NULL;
    instance->particle_list_count = def->particle_list ? def->particle_count : 0;
    instance->effect_capacity = parts.effect_capacity;
    instance->effects_offset = (uint32_t)parts.effects;
    instance->particle_capacity = parts.particle_capacity;
    instance->emissions_offset = (uint32_t)parts.emissions;
    instance->batches_offset = (uint32_t)parts.batches;
    instance->lanes_offset = (uint32_t)parts.lanes;
    instance->points_offset = (uint32_t)parts.points;
    instance->batch_count = parts.batch_count;
    instance->point_capacity = parts.point_capacity;
    take_lists(instance, def);
    instance->no_effects = def->no_effects || (director && !(program->directors[0].flags & ZP_DIRECTOR_EFFECTS));
    for (uint32_t i = 0; i < parts.param_count; ++i) {
        const zp_param *param = &program->params[i];
        zr_params(instance)[i] = param->value;
        if (i >= parts.first_control) { zr_controls(instance)[i - parts.first_control].slope = param->slope; }
    }
    for (uint32_t i = 0; i < parts.cel_count; ++i) {
        const bool there = def->cels_there ? def->cels_there[i] : (program->cels[i].flags & ZP_CEL_ABSENT) == 0;
        zr_absent_cels(instance)[i] = !there;
    }
    zr_set_reduced(instance, def->reduced_motion);
    instance->cel_ref = zr_first_cel(program);
    if (parts.poser != 0) { zr_poser_init(instance); }
    start_plays(instance, def->idle);
    return instance;
}

// ---------------------------------------------------------------------------------------------------- what is told

static void strike(zo_instance *instance, uint32_t index) {
    zr_notice *notices = zr_notices(instance);
    --instance->notice_count;
    if (index < instance->notice_front) { --instance->notice_front; }
    memmove(&notices[index], &notices[index + 1], (instance->notice_count - index) * sizeof *notices);
    memset(&notices[instance->notice_count], 0, sizeof *notices);
}

// true: there was one of the kind (and of that run), and the oldest is gone.
static bool retract(zo_instance *instance, zr_notice_kind kind, uint32_t run) {
    for (uint32_t i = 0; i < instance->notice_count; ++i) {
        const zr_notice *notice = &zr_notices(instance)[i];
        if (notice->kind == (uint32_t)kind && notice->run == run) {
            strike(instance, i);
            return true;
        }
    }
    return false;
}

// Nobody has asked for so long that something is forgotten: pictures first, but never starts and ends of runs, of which
// there are not so many.
static void drop_oldest(zo_instance *instance) {
    static const zr_notice_kind kinds[] = {ZR_NOTICE_CEL, ZR_NOTICE_STATE, ZR_NOTICE_HOLD, ZR_NOTICE_CYCLE,
                                           ZR_NOTICE_REFUSED};
    for (uint32_t i = 0; i < ZB_COUNT(kinds); ++i) {
        if (retract(instance, kinds[i], 0)) { return; }
    }
    bool found = false;
    for (uint32_t text_ref = 1; text_ref <= ZR_UNROUTED_MAX && !found; ++text_ref) {
        found = retract(instance, ZR_NOTICE_UNROUTED, text_ref);
    }
    ZO_ASSERT(found);
}

void zr_tell(zo_instance *instance, zr_notice notice) {
    if (notice.kind == ZR_NOTICE_END && retract(instance, ZR_NOTICE_START, notice.run)) { return; }
    if (notice.kind == ZR_NOTICE_UNROUTED) { retract(instance, ZR_NOTICE_UNROUTED, notice.run); } // its text is gone
    if (instance->notice_count == instance->notice_capacity) { drop_oldest(instance); }
    zr_notice *notices = zr_notices(instance);
    const uint32_t at = instance->in_event ? instance->notice_front++ : instance->notice_count;
    memmove(&notices[at + 1], &notices[at], (instance->notice_count - at) * sizeof *notices);
    notices[at] = notice;
    ++instance->notice_count;
}

// What the state of a machine that runs by itself plays; none: it is another's.
static zo_clip clip_of_state(const zo_instance *instance, uint32_t state) {
    const zp_program *program = instance->program;
    if (instance->machine_offset == 0) { return (zo_clip){0}; }
    return (zo_clip){program->plays[program->words[program->states[state].first_play] - 1].clip + 1};
}

static zo_event tell_first(zo_instance *instance) {
    const zp_program *program = instance->program;
    const zr_notice notice = zr_notices(instance)[0];
    strike(instance, 0);
    zo_event event = {.t_ns = instance->now_ns, .name = program->names, .activity = program->names};
    switch ((zr_notice_kind)notice.kind) {
    case ZR_NOTICE_CYCLE:
    case ZR_NOTICE_HOLD:
        event.kind = notice.kind == ZR_NOTICE_CYCLE ? ZO_EVENT_CYCLE : ZO_EVENT_HOLD;
        event.state.id = notice.value + 1;
        event.clip = clip_of_state(instance, notice.value);
        event.name = zp_name_text(program, program->states[notice.value].group);
        event.index = notice.detail;
        return event;
    case ZR_NOTICE_UNROUTED:
        event.kind = ZO_EVENT_UNROUTED;
        event.name = zr_machine_of(instance)->unrouted[notice.run - 1];
        return event;
    case ZR_NOTICE_REFUSED:
        event.kind = ZO_EVENT_UNROUTED;
        event.name = zp_name_text(program, notice.clip);
        return event;
    case ZR_NOTICE_START:
        event.kind = ZO_EVENT_RUN_START;
        zr_run_find(instance, notice.run)->announced = 1;
        instance->opening_run = notice.run;
        break;
    case ZR_NOTICE_END:
        event.kind = ZO_EVENT_RUN_END;
        event.end = (zo_end)notice.value;
        break;
    case ZR_NOTICE_STATE:
        event.kind = ZO_EVENT_STATE;
        event.state.id = notice.value + 1;
        event.clip = clip_of_state(instance, notice.value);
        event.via = (zo_via)notice.detail;
        event.name = zp_name_text(program, program->states[notice.value].group);
        event.activity = zp_name_text(program, notice.clip);
        return event;
    case ZR_NOTICE_CEL:
        event.kind = ZO_EVENT_CEL;
        event.cel.id = notice.value;
        if (notice.value != 0) { event.name = zp_name_text(program, program->cels[notice.value - 1].name); }
        return event;
    }
    event.run.id = notice.run;
    event.clip.id = notice.clip + 1;
    return event;
}

// ---------------------------------------------------------------------------------------------------- cels, moods

uint32_t zr_cel_there(const zo_instance *instance, uint32_t cel_ref) {
    if (cel_ref == 0) { return 0; }
    const zp_cel *cel = &instance->program->cels[cel_ref - 1];
    const uint8_t *absent = zr_absent_cels(instance);
    if (!absent[cel_ref - 1]) { return cel_ref; }
    for (uint32_t i = 0; i < cel->fallback_count; ++i) {
        const uint32_t other = instance->program->words[cel->first_fallback + i];
        if (!absent[other]) { return other + 1; }
    }
    return 0;
}

void zr_show(zo_instance *instance, uint32_t cel_ref) {
    if (instance->cel_ref == cel_ref) { return; }
    instance->cel_ref = cel_ref;
    if (zr_directs_cels(instance)) { zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_CEL, .value = cel_ref}); }
}

void zr_wake(zo_instance *instance) {
    if (instance->awake || !zr_decides(instance)) { return; }
    instance->awake = 1;
    if (instance->poser_offset != 0) { zr_poser_start(instance); }
    if (instance->machine_offset != 0) { zr_machine_start(instance); }
    if (instance->director) { instance->director->start(instance); }
}

void zr_set_hidden(zo_instance *instance, bool hidden) {
    if (hidden == (instance->hidden != 0)) { return; }
    if (hidden) {
        instance->hidden_ns = instance->now_ns;
        instance->hidden = 1;
        return;
    }
    const int64_t stood_ns = instance->now_ns - instance->hidden_ns;
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        zr_run *run = &zr_runs(instance)[i];
        run->origin_ns += stood_ns;
        if (run->paused) { run->paused_ns += stood_ns; }
    }
    zr_effects_shift(instance, stood_ns);
    if (instance->machine_offset != 0) { zr_machine_shift(instance, stood_ns); }
    if (instance->poser_offset != 0) { zr_poser_shift(instance, stood_ns); }
    if (instance->director) { instance->director->on_shift(instance, stood_ns); }
    instance->hidden = 0;
    instance->hidden_ns = 0;
}

void zr_set_reduced(zo_instance *instance, bool wanted) {
    const uint32_t flags = instance->director ? instance->program->directors[0].flags : 0;
    instance->wants_reduced = wanted;
    instance->reduced_motion = (wanted || (flags & ZP_DIRECTOR_REDUCED_ALWAYS)) && !(flags & ZP_DIRECTOR_REDUCED_NEVER);
}

// ---------------------------------------------------------------------------------------------------- advance

// When the machine's clip is complete; INT64_MAX: never, or that belongs to the advance that begins at
// `end_ns`.
static int64_t cycle_ns(const zo_instance *instance, int64_t end_ns) {
    if (instance->machine_offset == 0) { return INT64_MAX; }
    const int64_t at_ns = zr_machine_due_ns(instance);
    const bool open = zr_machine_record(instance->program)->window == ZP_WINDOW_CLOSED_OPEN;
    return open && at_ns >= end_ns ? INT64_MAX : at_ns;
}

// What comes first, at or after now, looks apart. Equal instants: by rank; equal ranks: the run started first, which
// stands first.
static zr_due first_but_look(const zo_instance *instance, int64_t end_ns, zr_run **run) {
    zr_due first = {INT64_MAX, ZR_RANK_REPEAT};
    if (instance->director) {
        const int64_t at_ns = instance->director->next_ns(instance);
        if (at_ns != INT64_MAX) { first = (zr_due){at_ns, ZR_RANK_TIMER}; }
    }
    const int64_t complete_ns = cycle_ns(instance, end_ns);
    if (complete_ns < first.at_ns) { first = (zr_due){complete_ns, ZR_RANK_CYCLE}; }
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

static zr_due first_due(const zo_instance *instance, int64_t end_ns, zr_run **run) {
    const zr_due first = first_but_look(instance, end_ns, run);
    if (instance->poser_offset == 0) { return first; }
    const int64_t look_ns = zr_poser_due_ns(instance);
    return look_ns < first.at_ns ? (zr_due){look_ns, ZR_RANK_LOOK} : first; // the last rank
}

// A look is due, or many are: up to `end_ns`, as long as nothing else comes between.
static uint32_t look(zo_instance *instance, int64_t end_ns, zr_stride *stride) {
    const int64_t poll_ns = zr_poser_record(instance->program)->poll_ns;
    if ((end_ns - instance->now_ns) / (ZR_STRIDE_MIN - 1) < poll_ns || instance->hidden) { // too few for a stride
        return zr_poser_look(instance);
    }
    if (stride->rest > 0) {
        --stride->rest;
        return zr_poser_look(instance);
    }
    zr_run *run = NULL;
    const int64_t other_ns = first_but_look(instance, end_ns, &run).at_ns;
    const int64_t effect_ns = zr_effects_next(instance).at_ns;
    int64_t until_ns = (other_ns < effect_ns ? other_ns : effect_ns) - 1;
    if (until_ns > end_ns) { until_ns = end_ns; }
    const uint32_t cost = zr_poser_leap(instance, until_ns, stride);
    return cost > 0 ? cost : zr_poser_look(instance);
}

// The run that is at its beginning, if it has more to tell of that instant.
static zr_run *opening(zo_instance *instance) {
    zr_run *run = instance->opening_run != 0 ? zr_run_find(instance, instance->opening_run) : NULL;
    if (run && zr_run_opens(instance, run)) { return run; }
    instance->opening_run = 0;
    return NULL;
}

// What comes before all that the clock brings: what events have led to, events at 0 of a run that has just been told
// of, the rest of what is to be told, what a look has found. false: nothing of it is left.
static bool tell(zo_instance *instance, zo_event *events, uint32_t capacity, zo_step *step) {
    zr_run *run = instance->notice_front == 0 ? opening(instance) : NULL;
    zr_told found;
    const bool looks = !run && instance->notice_count == 0;
    if (looks && (instance->poser_offset == 0 || !zr_poser_next(instance, &found))) { return false; }
    const bool tells = !run || zr_run_tells(instance, run, ZR_RANK_EVENT);
    if (tells && step->count == capacity) {
        step->more = true;
    } else if (run) {
        zr_run_do(instance, run, ZR_RANK_EVENT, tells ? &events[step->count++] : NULL);
    } else if (looks) {
        zr_poser_tell(instance, &found, &events[step->count++]);
    } else {
        events[step->count++] = tell_first(instance);
    }
    return true;
}

// What effects do before the runs and the director have something to do, and up to `end_ns`. false: that is too much
// for one call.
static bool do_effects(zo_instance *instance, int64_t due_ns, int64_t end_ns, uint32_t *boundary) {
    for (;;) {
        const zr_effects_due due = zr_effects_next(instance);
        if (due.at_ns > end_ns || due.at_ns > due_ns || (due.at_ns == due_ns && !due.is_end)) { return true; }
        if (*boundary >= ZR_BOUNDARY_MAX) { return false; }
        if (due.at_ns > instance->now_ns) { instance->now_ns = due.at_ns; }
        *boundary += zr_effects_do(instance, due);
    }
}

// One thing at a time, each chosen from the state alone: so it does not matter where a call stops, nor what has been
// put in motion since.
zo_step zr_instance_advance(zo_instance *instance, int64_t dt_ns, zo_event *events, uint32_t capacity) {
    ZO_ASSERT(dt_ns >= 0);
    const int64_t room_ns = ZR_CLOCK_NS_MAX - instance->now_ns;
    const int64_t end_ns = instance->now_ns + (dt_ns < room_ns ? dt_ns : room_ns);
    zo_step step = {0};
    zr_stride stride = {0};
    zr_wake(instance);
    for (uint32_t boundary = 0; !step.more;) {
        if (tell(instance, events, capacity, &step)) { continue; }
        zr_run *run = NULL;
        const zr_due due = first_due(instance, end_ns, &run);
        if (!do_effects(instance, due.at_ns, end_ns, &boundary)) {
            step.more = zr_effects_next(instance).at_ns <= instance->now_ns;
            break;
        }
        if (due.at_ns > end_ns) {
            instance->now_ns = end_ns;
            break;
        }
        if (boundary++ >= ZR_BOUNDARY_MAX) {
            step.more = due.at_ns <= instance->now_ns;
            break;
        }
        if (due.at_ns > instance->now_ns) { instance->now_ns = due.at_ns; }
        if (due.rank == ZR_RANK_TIMER) {
            instance->director->on_timer(instance);
            continue;
        }
        if (due.rank == ZR_RANK_CYCLE) {
            zr_machine_complete(instance);
            continue;
        }
        if (due.rank == ZR_RANK_LOOK) {
            boundary += look(instance, end_ns, &stride);
            continue;
        }
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
