// Runs: clips being played. Starting, ending, pausing; the local time of one; what it does next and when; doing it. The
// table is dense and in the order of starting, so the first that is due at an instant is the one that was started
// first. Called by instance.c, which owns the clock and the order at one instant. Knows no pose.
#include <math.h>

#include "base/random.h"
#include "runtime/runtime.h"

static const zp_clip *clip_of(const zo_instance *instance, const zr_run *run) {
    return &instance->program->clips[run->clip];
}

static const zp_event *event_of(const zo_instance *instance, const zr_run *run, uint32_t index) {
    return &instance->program->events[clip_of(instance, run)->first_event + index];
}

// Passes of these are not counted one by one: they are one long stretch with no boundary in it.
static bool is_endless(const zp_clip *clip, const zr_run *run) {
    return clip->event_count == 0 && !run->completes &&
           (run->repeat == ZP_REPEAT_LOOP || run->repeat == ZP_REPEAT_ALTERNATE);
}

// How far into a pass, of one that is endless: the first from its beginning, later ones of LOOP from loop_ns.
static int64_t looped_ns(const zr_run *run, int64_t local_ns) {
    if (local_ns < run->pass_ns) { return local_ns; }
    return run->loop_ns + (local_ns - run->pass_ns) % (run->pass_ns - run->loop_ns);
}

static void install(zo_instance *instance, zr_run *run) { run->install_serial = ++instance->serial; }

// ---------------------------------------------------------------------------------------------------- waits

static double draw_delay(zo_instance *instance, const zr_run *run) {
    if (instance->delay_count == 0) {
        // By the run, not by how much was drawn before, so that other runs change nothing.
        const uint64_t key = (uint64_t)run->clip << 32 | run->id;
        return zb_random_unit(instance->seed, ZB_DOMAIN_DELAY, key, run->pass);
    }
    const double u = instance->delay_list[instance->delay_used];
    instance->delay_used = instance->delay_used + 1 < instance->delay_count ? instance->delay_used + 1 : 0;
    return zb_clamp(u, 0.0, 1.0);
}

static void begin_wait(zo_instance *instance, zr_run *run, int64_t from_ns) {
    const double u = draw_delay(instance, run);
    const double wait = (run->delay_min + u * (run->delay_max - run->delay_min)) * (double)run->delay_unit_ns;
    // Down to whole ns as every duration, but what is a whole number on paper must not lose one to rounding.
    const double whole = floor(wait + 0x1p-10);
    int64_t wait_ns = 1;
    if (whole > 1.0) { wait_ns = whole < (double)ZP_DURATION_NS_MAX ? (int64_t)whole : ZP_DURATION_NS_MAX; }
    run->phase = ZR_WAITING;
    run->origin_ns = from_ns + wait_ns;
    run->next_event = 0;
}

static void begin_pass(zo_instance *instance, zr_run *run, int64_t from_ns) {
    run->phase = ZR_PLAYING;
    run->origin_ns = from_ns;
    run->next_event = 0;
    ++run->pass;
    install(instance, run);
}

// ---------------------------------------------------------------------------------------------------- starting

static void bind_params(zo_instance *instance, zr_run *run, const zp_clip *asked, const zo_run_def *def) {
    const zp_program *program = instance->program;
    const zp_clip *clip = clip_of(instance, run);
    double *values = zr_run_values(instance, run);
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        const zp_param *param = &program->params[clip->first_param + i];
        // A twin's parameters are those of the clip that it stands for, in the same order.
        const uint32_t source = i < asked->param_count ? asked->first_param + i : clip->first_param + i;
        double value = zr_params(instance)[source];
        if (i < def->param_count && !zb_is_nan(def->params[i])) { value = def->params[i]; }
        values[i] = zb_clamp(value, param->low, param->high);
    }
}

// ms. NaN is none, and an infinite wait a long one: the middle between two infinities would be no number.
static double sane_delay(double ms) { return ms > 0.0 ? zb_clamp(ms, 0.0, 1e15) : 0.0; }

static void set_clock(zr_run *run, const zp_clip *clip, const zo_run_def *def) {
    run->duration_ns = clip->duration_ns;
    if (def->duration_ns != 0) {
        run->duration_ns = def->duration_ns < clip->duration_ns_min   ? clip->duration_ns_min
                           : def->duration_ns > clip->duration_ns_max ? clip->duration_ns_max
                                                                      : def->duration_ns;
    }
    run->pass_ns = run->duration_ns;
    if (clip->complete_ns >= 0 && clip->complete_ns < clip->duration_ns) {
        run->pass_ns = run->duration_ns == clip->duration_ns
                           ? clip->complete_ns
                           : zr_nearest_ns((double)clip->complete_ns / (double)clip->duration_ns *
                                           (double)run->duration_ns, run->duration_ns);
    }
    run->repeat = def->set_repeat ? (uint32_t)def->repeat : clip->repeat;
    run->completes = run->repeat == ZP_REPEAT_ONCE && clip->complete_ns >= 0;
    if (run->pass_ns == 0 && (run->repeat == ZP_REPEAT_LOOP || run->repeat == ZP_REPEAT_ALTERNATE)) {
        // Nothing to show and nothing to tell is over at once; what has something to tell goes on, slowly enough.
        run->completes = clip->event_count == 0;
        if (!run->completes) { run->pass_ns = ZR_EMPTY_PASS_NS; }
    }
    const bool own_delay = !def->set_repeat || (clip->repeat == ZP_REPEAT_RANDOM_INTERVAL &&
                                                def->delay_ms_min == 0.0 && def->delay_ms_max == 0.0);
    run->delay_min = own_delay ? clip->delay_min : sane_delay(def->delay_ms_min);
    run->delay_max = own_delay ? clip->delay_max : sane_delay(def->delay_ms_max);
    if (run->delay_max < run->delay_min) { run->delay_max = run->delay_min; }
    run->delay_unit_ns = own_delay ? clip->delay_unit_ns : 1000000;
}

static bool may_repeat(const zp_clip *clip, const zo_run_def *def) {
    if (!def->set_repeat) { return true; }
    if ((uint32_t)def->repeat >= ZP_REPEAT_COUNT) { return false; }
    return (uint32_t)def->repeat != ZP_REPEAT_ALTERNATE ||
           (clip->event_count == 0 && (clip->flags & ZP_CLIP_NO_ALTERNATE) == 0);
}

// Of the whole table the run that gives way. First the oldest that is wholly covered, for nobody sees it go; else the
// oldest that lies over what the director plays. What the director needs is missed although it is covered: an enter has
// its picture still to exchange, and nothing would start again what plays beside a state.
static zr_run *least_missed(const zo_instance *instance) {
    enum { NEEDED = 2, SEEN = 1 };
    zr_run *runs = zr_runs(instance), *least = runs;
    zr_holders held;
    zr_find_holders(instance, held);
    uint32_t least_worth = NEEDED + SEEN + 1;
    for (uint32_t i = 0; i < instance->run_count && least_worth > 0; ++i) {
        const bool needed = runs[i].owner == ZR_OWNER_MACHINE ||
                            (instance->director && instance->director->needs && instance->director->needs(&runs[i]));
        const uint32_t worth = (needed ? NEEDED : 0u) + (zr_run_is_covered(instance, &runs[i], held) ? 0u : SEEN);
        if (worth < least_worth) {
            least = &runs[i];
            least_worth = worth;
        }
    }
    return least;
}

uint32_t zr_run_start(zo_instance *instance, const zr_start *start, const zo_run_def *def) {
    ZO_ASSERT(start->clip < zp_count(instance->program, ZP_SECTION_CLIPS));
    const zp_clip *asked = &instance->program->clips[start->clip];
    const uint32_t clip = instance->reduced_motion && asked->reduced_ref != 0 ? asked->reduced_ref - 1 : start->clip;
    const zp_clip *played = &instance->program->clips[clip];
    if (!may_repeat(played, def) || instance->last_run_id == UINT32_MAX) { return 0; }

    if (instance->run_count == instance->run_capacity) {
        zr_run_cancel(instance, least_missed(instance), ZO_END_CROWDED_OUT);
    }
    ZO_ASSERT(instance->run_count < instance->run_capacity);
    zr_run *run = &zr_runs(instance)[instance->run_count++];
    run->clip = clip;
    run->cel_ref = start->cel_ref;
    run->owner = start->owner;
    run->mix_ref = start->mix_ref;
    run->id = ++instance->last_run_id;
    set_clock(run, played, def);
    bind_params(instance, run, asked, def);
    if (run->repeat == ZP_REPEAT_RANDOM_INTERVAL) {
        begin_wait(instance, run, zr_motion_ns(instance));
    } else {
        begin_pass(instance, run, zr_motion_ns(instance));
    }
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_START, .run = run->id, .clip = clip});
    return run->id;
}

uint32_t zr_play_start(zo_instance *instance, uint32_t play_ref, uint32_t owner, uint32_t cel_ref) {
    const zp_program *program = instance->program;
    ZO_ASSERT(play_ref >= 1 && play_ref <= zp_count(program, ZP_SECTION_PLAYS));
    const zp_play *play = &program->plays[play_ref - 1];
    const zo_run_def def = {
        .params = play->value_count > 0 ? &program->numbers[play->first_value] : NULL, .param_count = play->value_count,
        .duration_ns = play->duration_ns, .set_repeat = (play->flags & ZP_PLAY_REPEAT) != 0,
        .repeat = (zo_repeat)play->repeat, .delay_ms_min = play->delay_min, .delay_ms_max = play->delay_max};
    const bool later = (play->flags & ZP_PLAY_LATER) != 0;
    const zr_start start = {.clip = play->clip, .cel_ref = cel_ref != 0 ? cel_ref : play->cel_ref, .owner = owner,
                            .mix_ref = later ? play->mix_ref : program->clips[play->clip].mix_ref};
    return zr_run_start(instance, &start, &def);
}

// ---------------------------------------------------------------------------------------------------- ending, pausing

zr_run *zr_run_find(const zo_instance *instance, uint32_t id) {
    zr_run *runs = zr_runs(instance);
    uint32_t low = 0, high = instance->run_count; // ids rise
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (runs[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < instance->run_count && runs[low].id == id ? &runs[low] : NULL;
}

static void take_out(zo_instance *instance, zr_run *run) {
    zr_run *last = &zr_runs(instance)[instance->run_count - 1];
    const size_t behind = (size_t)(last - run);
    const uint32_t id = run->id;
    double *values = zr_run_values(instance, run);
    memmove(run, run + 1, behind * sizeof *run);
    memmove(values, values + instance->values_per_run, behind * instance->values_per_run * sizeof *values);
    memset(zr_run_values(instance, last), 0, instance->values_per_run * sizeof *values);
    memset(last, 0, sizeof *last);
    --instance->run_count;
    zr_effects_leave(instance, id);
}

void zr_run_remove(zo_instance *instance, zr_run *run, zo_end end) {
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_END, .run = run->id, .clip = run->clip, .value = (uint32_t)end});
    take_out(instance, run);
}

void zr_run_cancel(zo_instance *instance, zr_run *run, zo_end end) {
    const zr_run copy = *run;
    zr_run_remove(instance, run, end);
    if (copy.owner == ZR_OWNER_MACHINE) {
        zr_machine_lost(instance, &copy);
    } else if (instance->director && instance->director->on_end) {
        instance->director->on_end(instance, &copy, end);
    }
}

void zr_run_pause(zo_instance *instance, zr_run *run) {
    if (run->paused) { return; }
    run->paused = 1;
    run->paused_ns = zr_motion_ns(instance);
}

void zr_run_resume(zo_instance *instance, zr_run *run) {
    if (!run->paused) { return; }
    run->origin_ns += zr_motion_ns(instance) - run->paused_ns; // passes and waits both count from here
    run->paused = 0;
    run->paused_ns = 0;
}

// ---------------------------------------------------------------------------------------------------- time

int64_t zr_run_local_ns(const zo_instance *instance, const zr_run *run) {
    const int64_t local_ns = (run->paused ? run->paused_ns : zr_motion_ns(instance)) - run->origin_ns;
    if (is_endless(clip_of(instance, run), run)) { return looped_ns(run, local_ns); }
    return local_ns < run->pass_ns ? local_ns : run->pass_ns;
}

bool zr_run_is_backward(const zo_instance *instance, const zr_run *run) {
    if (run->repeat != ZP_REPEAT_ALTERNATE || run->pass_ns == 0) { return false; }
    const int64_t local_ns = (run->paused ? run->paused_ns : zr_motion_ns(instance)) - run->origin_ns;
    return local_ns / run->pass_ns % 2 == 1;
}

void zr_run_set_loop(const zo_instance *instance, zr_run *run, int64_t loop_ns) {
    ZO_ASSERT(run->repeat == ZP_REPEAT_LOOP && is_endless(clip_of(instance, run), run));
    ZO_ASSERT(loop_ns >= 0 && loop_ns < run->pass_ns);
    if (run->loop_ns == loop_ns) { return; }
    const int64_t at_ns = run->paused ? run->paused_ns : zr_motion_ns(instance);
    run->origin_ns = at_ns - looped_ns(run, at_ns - run->origin_ns);
    run->loop_ns = loop_ns;
}

zr_moment zr_run_moment(const zo_instance *instance, const zr_run *run) {
    ZO_ASSERT(run->phase == ZR_PLAYING);
    const zp_clip *clip = clip_of(instance, run);
    int64_t local_ns = (run->paused ? run->paused_ns : zr_motion_ns(instance)) - run->origin_ns;
    ZO_ASSERT(local_ns >= 0);
    if (is_endless(clip, run)) {
        // From the origin each time, never added up, so there is no drift however long it plays.
        if (run->repeat == ZP_REPEAT_LOOP) {
            local_ns = looped_ns(run, local_ns);
        } else {
            local_ns %= 2 * run->pass_ns;
            if (local_ns > run->pass_ns) { local_ns = 2 * run->pass_ns - local_ns; }
        }
    } else if (local_ns > run->pass_ns) {
        local_ns = run->pass_ns; // HOLD, and what is never complete: the end stays
    }
    return zr_moment_at_ns(clip, local_ns < run->duration_ns ? local_ns : run->duration_ns, run->duration_ns);
}

static int64_t event_ns(const zo_instance *instance, const zr_run *run, uint32_t index) {
    const zp_event *event = event_of(instance, run, index);
    return zr_scaled_ns(clip_of(instance, run), event->at, event->at_ns, run->duration_ns);
}

// What is left of a pass behind its completion is not played.
static bool has_event(const zo_instance *instance, const zr_run *run) {
    return run->next_event < clip_of(instance, run)->event_count &&
           event_ns(instance, run, run->next_event) <= run->pass_ns;
}

bool zr_run_opens(const zo_instance *instance, const zr_run *run) {
    return run->phase == ZR_PLAYING && run->pass == 1 && has_event(instance, run) &&
           event_ns(instance, run, run->next_event) == 0;
}

static zr_due due_in_motion(const zo_instance *instance, const zr_run *run) {
    const zr_due never = {INT64_MAX, ZR_RANK_REPEAT};
    if (run->paused) { return never; }
    if (run->phase == ZR_WAITING) { return (zr_due){run->origin_ns, ZR_RANK_REPEAT}; }
    if (has_event(instance, run)) {
        return (zr_due){run->origin_ns + event_ns(instance, run, run->next_event), ZR_RANK_EVENT};
    }
    const int64_t end_ns = run->origin_ns + run->pass_ns;
    if (run->completes) { return (zr_due){end_ns, ZR_RANK_COMPLETE}; }
    if (is_endless(clip_of(instance, run), run)) { return never; }
    switch (run->repeat) {
    case ZP_REPEAT_LOOP:
    case ZP_REPEAT_ALTERNATE:
    case ZP_REPEAT_RANDOM_INTERVAL: return (zr_due){end_ns, ZR_RANK_REPEAT};
    default: return never;
    }
}

// While hidden only what takes no time is due.
zr_due zr_run_due(const zo_instance *instance, const zr_run *run) {
    zr_due due = due_in_motion(instance, run);
    if (instance->hidden) { due.at_ns = due.at_ns <= instance->hidden_ns ? instance->now_ns : INT64_MAX; }
    return due;
}

// ---------------------------------------------------------------------------------------------------- doing

// Where no director sees to pictures a run shows what it names, and what it was given where it names nothing. Returns
// cel + 1.
static uint32_t show_cel(zo_instance *instance, const zr_run *run, uint32_t cel_ref) {
    if (zr_directs_cels(instance)) { return instance->director->on_cel(instance, run, cel_ref); }
    if (cel_ref == 0) { cel_ref = run->cel_ref ? run->cel_ref : instance->next_cel_ref; }
    cel_ref = zr_cel_there(instance, cel_ref);
    if (cel_ref != 0) { zr_show(instance, cel_ref); } // else nobody said which, or it is not there: the picture stays
    return cel_ref;
}

static void do_cel(zo_instance *instance, const zr_run *run, uint32_t cel_ref, zo_event *event) {
    instance->in_event = 1;
    event->cel.id = show_cel(instance, run, cel_ref);
    instance->in_event = 0;
    event->name = instance->program->names;
    if (event->cel.id != 0) {
        event->name = zp_name_text(instance->program, instance->program->cels[event->cel.id - 1].name);
    }
}

bool zr_run_tells(const zo_instance *instance, const zr_run *run, zr_rank rank) {
    if (rank != ZR_RANK_EVENT) { return rank == ZR_RANK_COMPLETE; }
    const zp_event *event = event_of(instance, run, run->next_event);
    const bool starts = event->action == ZP_ACTION_START_EFFECT && event->subject_ref != 0;
    if (!starts) { return true; }
    const uint32_t effect = event->subject_ref - 1;
    const bool emits = instance->program->effects[effect].emitter_ref != 0;
    return emits ? zr_emission_room(instance, effect) : zr_effect_room(instance, effect) > 0;
}

static void do_event(zo_instance *instance, zr_run *run, zo_event *event) {
    const zp_clip *clip = clip_of(instance, run);
    const zp_event *source = event_of(instance, run, run->next_event);
    event->kind = (zo_event_kind)source->action; // the same values, see below
    event->index = run->next_event;
    event->name = zp_name_text(instance->program, source->name);
    if (source->action == ZP_ACTION_SHOW_CEL) { do_cel(instance, run, source->subject_ref, event); }
    if (source->action != ZP_ACTION_SHOW_CEL && source->subject_ref != 0) {
        const uint32_t serial = instance->effect_serial;
        event->count = zr_effect_start(instance, source->subject_ref - 1, run->id);
        const uint32_t count = instance->effect_count; // a notification is told even where nothing has started
        event->started = count > 0 && zr_effects(instance)[count - 1].serial == serial ? serial + 1 : 0;
    }

    const int64_t at_ns = event_ns(instance, run, run->next_event++);
    const bool is_inside = at_ns > 0 && at_ns < run->pass_ns;
    const bool is_last_of_instant = !has_event(instance, run) || event_ns(instance, run, run->next_event) != at_ns;
    if ((clip->flags & ZP_CLIP_SEGMENTED) && is_inside && is_last_of_instant) { install(instance, run); }
}
_Static_assert((int)ZO_EVENT_NOTIFY == ZP_ACTION_NOTIFY && (int)ZO_EVENT_SHOW_CEL == ZP_ACTION_SHOW_CEL &&
               (int)ZO_EVENT_START_EFFECT == ZP_ACTION_START_EFFECT &&
               (int)ZO_EVENT_REQUEST_STATE == ZP_ACTION_REQUEST_STATE, "an event tells its action");

static void do_repeat(zo_instance *instance, zr_run *run) {
    if (run->phase == ZR_WAITING) {
        begin_pass(instance, run, run->origin_ns);
    } else if (run->repeat == ZP_REPEAT_RANDOM_INTERVAL) {
        begin_wait(instance, run, run->origin_ns + run->pass_ns);
    } else {
        begin_pass(instance, run, run->origin_ns + run->pass_ns);
    }
}

void zr_run_do(zo_instance *instance, zr_run *run, zr_rank rank, zo_event *event) {
    if (rank == ZR_RANK_REPEAT) {
        do_repeat(instance, run);
        return;
    }
    zo_event untold;
    if (!event) { event = &untold; }
    *event = (zo_event){.t_ns = instance->now_ns, .run = {run->id}, .clip = {run->clip + 1},
                        .name = instance->program->names, .activity = instance->program->names};
    if (rank == ZR_RANK_EVENT) {
        do_event(instance, run, event);
    } else {
        event->kind = ZO_EVENT_RUN_END;
        event->end = ZO_END_FINISHED;
        const zr_run copy = *run;
        take_out(instance, run);
        if (instance->director && instance->director->on_end) {
            instance->director->on_end(instance, &copy, ZO_END_FINISHED);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- carrying over

// What a run was told to do otherwise than its clip says. Numbers that are the clip's own say nothing, so that those of
// the other clip hold.
static zo_run_def overrides_of(const zp_clip *clip, const zr_run *run) {
    zo_run_def def = {0};
    if (run->duration_ns != clip->duration_ns) { def.duration_ns = run->duration_ns; }
    def.set_repeat = run->repeat != clip->repeat || run->delay_unit_ns != clip->delay_unit_ns ||
                     run->delay_min != clip->delay_min || run->delay_max != clip->delay_max;
    def.repeat = (zo_repeat)run->repeat;
    def.delay_ms_min = run->delay_min * ((double)run->delay_unit_ns / 1e6);
    def.delay_ms_max = run->delay_max * ((double)run->delay_unit_ns / 1e6);
    return def;
}

static int64_t cycle_ns(const zr_run *run) {
    return run->repeat == ZP_REPEAT_ALTERNATE ? 2 * run->pass_ns : run->pass_ns;
}

static bool repeats(const zr_run *run) {
    return run->repeat == ZP_REPEAT_LOOP || run->repeat == ZP_REPEAT_ALTERNATE ||
           run->repeat == ZP_REPEAT_RANDOM_INTERVAL;
}

// The start of the present pass, so that `from` goes on in it where it is.
static int64_t moved_origin_ns(const zo_instance *old, const zr_run *from, bool was_endless, const zr_run *run,
                               bool endless) {
    if (run->pass_ns == from->pass_ns && run->repeat == from->repeat && was_endless == endless) {
        return from->origin_ns;
    }
    const int64_t at_ns = from->paused ? from->paused_ns : zr_motion_ns(old);
    int64_t local_ns = at_ns - from->origin_ns;
    if (was_endless) {
        local_ns = from->repeat == ZP_REPEAT_LOOP ? looped_ns(from, local_ns) : local_ns % (2 * from->pass_ns);
    }
    const bool at_end = !was_endless && local_ns >= from->pass_ns;
    if (endless) {
        local_ns %= cycle_ns(run);
    } else if (run->completes || repeats(run) || at_end) {
        if (at_end || local_ns > run->pass_ns) { local_ns = run->pass_ns; } // its end is due now, or held
    }
    return at_ns - local_ns;
}

// The first event of the pass that has not been told. What is due at this instant and has not been comes still.
static uint32_t moved_event(const zo_instance *old, const zr_run *from, const zo_instance *instance,
                            const zr_run *run) {
    const zp_clip *was = clip_of(old, from), *clip = clip_of(instance, run);
    bool same = was->event_count == clip->event_count;
    for (uint32_t i = 0; i < clip->event_count && same; ++i) {
        same = event_ns(old, from, i) == event_ns(instance, run, i);
    }
    if (same) { return from->next_event; }
    const int64_t at_ns = from->paused ? from->paused_ns : zr_motion_ns(old);
    const int64_t was_local_ns = at_ns - from->origin_ns, local_ns = at_ns - run->origin_ns;
    const bool owes =
        !from->announced || (has_event(old, from) && event_ns(old, from, from->next_event) <= was_local_ns);
    uint32_t next = 0;
    while (next < clip->event_count && event_ns(instance, run, next) <= local_ns - owes) { ++next; }
    return next;
}

zr_run *zr_run_carry(zo_instance *instance, const zo_instance *old, const zr_run *from, uint32_t clip) {
    ZO_ASSERT(instance->run_count < instance->run_capacity);
    ZO_ASSERT(clip < zp_count(instance->program, ZP_SECTION_CLIPS));
    const zp_clip *was = clip_of(old, from), *is = &instance->program->clips[clip];
    zr_run *run = &zr_runs(instance)[instance->run_count++];
    *run = *from;
    run->clip = clip;
    zo_run_def def = overrides_of(was, from);
    if (!may_repeat(is, &def)) { def.set_repeat = false; }
    set_clock(run, is, &def);
    if (run->loop_ns >= run->pass_ns || !is_endless(is, run) || run->repeat != ZP_REPEAT_LOOP) { run->loop_ns = 0; }
    if (run->phase == ZR_WAITING) { return run; } // and its pass is still to come
    const bool was_endless = is_endless(was, from), endless = is_endless(is, run);
    run->origin_ns = moved_origin_ns(old, from, was_endless, run, endless);
    run->next_event = moved_event(old, from, instance, run);
    return run;
}
