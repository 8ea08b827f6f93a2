// Reloads: an instance of a new program goes on where one of an old program stands. Called by api. Everything is found
// by its name; what has no place any more is told of and left. How a run or a burst finds its place in time is run.c's
// and effect.c's, what a director keeps is the director's.
#include "runtime/runtime.h"

static const uint32_t NO_CLIP = UINT32_MAX; // of the end of a run whose clip a reload has taken away

// ---------------------------------------------------------------------------------------------------- names

static zp_name name_of(const zp_program *program, zp_section_id section, uint32_t index) {
    switch (section) {
    case ZP_SECTION_CLIPS: return program->clips[index].name;
    case ZP_SECTION_CELS: return program->cels[index].name;
    case ZP_SECTION_EFFECTS: return program->effects[index].name;
    default: ZO_ASSERT(section == ZP_SECTION_STATES); return program->states[index].name;
    }
}

static bool same_text(const zp_program *a, zp_name name, const zp_program *b, zp_name other) {
    return strcmp(zp_name_text(a, name), zp_name_text(b, other)) == 0;
}

uint32_t zr_used_of(const double *list, const double *old_list, uint32_t count, uint32_t old_count, uint32_t used) {
    return list == old_list && count == old_count ? used : 0;
}

uint32_t zr_same_ref(const zp_program *to, const zp_program *from, zp_section_id section, uint32_t index) {
    ZO_ASSERT(index < zp_count(from, section));
    const zp_name name = name_of(from, section, index);
    uint32_t before = 0;
    for (uint32_t i = 0; i < index; ++i) { before += name_of(from, section, i) == name; } // texts are there once
    for (uint32_t i = 0; i < zp_count(to, section); ++i) {
        if (same_text(to, name_of(to, section, i), from, name) && before-- == 0) { return i + 1; }
    }
    return 0;
}

zp_name zr_same_name(const zp_program *to, const zp_program *from, zp_name name) {
    const char *text = zp_name_text(from, name);
    const size_t size = strlen(text) + 1, count = zp_count(to, ZP_SECTION_NAMES);
    for (size_t at = 0; at < count; at += strlen(to->names + at) + 1) {
        if (count - at >= size && memcmp(to->names + at, text, size) == 0) { return (zp_name)at; }
    }
    return 0;
}

void zr_tell_gone(const zr_adoption *adoption, zo_gone_kind kind, const zp_program *from, zp_name name, uint32_t run) {
    if (!adoption->tell) { return; }
    const zo_gone gone = {.kind = kind, .name = zp_name_text(from, name), .run = {run}};
    adoption->tell(adoption->context, &gone);
}

uint32_t zr_adopt_cel(const zo_instance *instance, const zo_instance *old, uint32_t cel_ref, uint32_t run,
                      const zr_adoption *adoption) {
    if (cel_ref == 0) { return 0; }
    const uint32_t same = zr_same_ref(instance->program, old->program, ZP_SECTION_CELS, cel_ref - 1);
    if (same == 0) {
        zr_tell_gone(adoption, ZO_GONE_CEL, old->program, old->program->cels[cel_ref - 1].name, run);
    }
    return same;
}

// ---------------------------------------------------------------------------------------------------- parameters

// The clip's parameter of the same name as the other clip's; NULL: none. Of equal names the first is meant by the
// first.
static const zp_param *same_param(const zp_program *program, const zp_clip *clip, const zp_program *from,
                                  const zp_clip *of, uint32_t index) {
    const zp_param *params = &from->params[of->first_param];
    uint32_t before = 0;
    for (uint32_t i = 0; i < index; ++i) { before += params[i].name == params[index].name; }
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        const zp_param *param = &program->params[clip->first_param + i];
        if (same_text(program, param->name, from, params[index].name) && before-- == 0) { return param; }
    }
    return NULL;
}

// What nobody has set stays at what the new program says.
static void adopt_params(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    const zp_program *from = old->program, *to = instance->program;
    for (uint32_t c = 0; c < zp_count(from, ZP_SECTION_CLIPS); ++c) {
        const zp_clip *was = &from->clips[c];
        const uint32_t clip_ref = was->param_count > 0 ? zr_same_ref(to, from, ZP_SECTION_CLIPS, c) : 0;
        for (uint32_t i = 0; i < was->param_count; ++i) {
            const zp_param *param = &from->params[was->first_param + i];
            const double value = zr_params(old)[was->first_param + i];
            if (value == param->value) { continue; }
            const zp_param *same = clip_ref != 0 ? same_param(to, &to->clips[clip_ref - 1], from, was, i) : NULL;
            if (same) {
                zr_params(instance)[same - to->params] = zb_clamp(value, same->low, same->high);
            } else {
                zr_tell_gone(adoption, ZO_GONE_PARAM, from, param->name, 0);
            }
        }
    }
}

// Lines that the host has set. What it has bound it binds anew.
static void adopt_controls(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    const zp_program *from = old->program, *to = instance->program;
    for (uint32_t i = old->first_control; i < zp_count(from, ZP_SECTION_PARAMS); ++i) {
        const zr_control *was = &zr_controls(old)[i - old->first_control];
        if (!was->set) { continue; }
        uint32_t same = instance->first_control;
        const uint32_t end = zp_count(to, ZP_SECTION_PARAMS);
        while (same < end && !same_text(to, to->params[same].name, from, from->params[i].name)) { ++same; }
        if (same == end) {
            zr_tell_gone(adoption, ZO_GONE_PARAM, from, from->params[i].name, 0);
            continue;
        }
        zr_params(instance)[same] = zr_params(old)[i];
        zr_controls(instance)[same - instance->first_control] = (zr_control){.slope = was->slope, .set = 1};
    }
}

static void adopt_values(zo_instance *instance, const zr_run *run, const zo_instance *old, const zr_run *from_run,
                         const zr_adoption *adoption) {
    const zp_program *from = old->program, *to = instance->program;
    const zp_clip *was = &from->clips[from_run->clip], *clip = &to->clips[run->clip];
    const double *bound = zr_run_values(old, from_run);
    double *values = zr_run_values(instance, run);
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        const zp_param *param = &to->params[clip->first_param + i];
        const zp_param *same = same_param(from, was, to, clip, i);
        values[i] = param->value;
        if (!same) { continue; }
        const double value = bound[(size_t)(same - from->params) - was->first_param];
        if (value != same->value) { values[i] = zb_clamp(value, param->low, param->high); }
    }
    for (uint32_t i = 0; i < was->param_count; ++i) {
        const zp_param *param = &from->params[was->first_param + i];
        if (bound[i] != param->value && !same_param(to, clip, from, was, i)) {
            zr_tell_gone(adoption, ZO_GONE_PARAM, from, param->name, run->id);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- runs

// The clip that was asked for when this one was chosen: where it is a twin, the one that it stands for.
static uint32_t asked_clip(const zo_instance *old, uint32_t clip) {
    const zp_program *program = old->program;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_CLIPS); ++i) {
        if (program->clips[i].reduced_ref == clip + 1) { return i; }
    }
    return clip;
}

// What the new program calls the clip of a run: clip + 1.
static uint32_t played_ref(const zo_instance *instance, const zo_instance *old, uint32_t clip) {
    const zp_program *to = instance->program;
    const uint32_t asked = asked_clip(old, clip);
    const uint32_t same = zr_same_ref(to, old->program, ZP_SECTION_CLIPS, asked);
    if (same == 0 || asked == clip) { return same; }
    return to->clips[same - 1].reduced_ref != 0 ? to->clips[same - 1].reduced_ref : same;
}

static void adopt_runs(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    // As many as there is room for, the newest.
    uint32_t too_many = old->run_count > instance->run_capacity ? old->run_count - instance->run_capacity : 0;
    for (uint32_t i = 0; i < old->run_count; ++i) {
        const zr_run *from = &zr_runs(old)[i];
        const bool mastered =
            from->owner == ZR_OWNER_MACHINE ? instance->machine_offset != 0
                                            : instance->director && instance->director == old->director;
        const bool masterless = from->owner != 0 && !mastered;
        const uint32_t clip_ref = masterless ? 0 : played_ref(instance, old, from->clip);
        if (clip_ref == 0 || too_many > 0) {
            if (too_many > 0) { --too_many; }
            zr_tell_gone(adoption, ZO_GONE_RUN, old->program, old->program->clips[from->clip].name, from->id);
            continue;
        }
        zr_run *run = zr_run_carry(instance, old, from, clip_ref - 1);
        adopt_values(instance, run, old, from, adoption);
        run->cel_ref = zr_adopt_cel(instance, old, from->cel_ref, from->id, adoption);
        const uint32_t asked = asked_clip(old, from->clip);
        if (from->mix_ref == old->program->clips[asked].mix_ref) {
            const uint32_t same = zr_same_ref(instance->program, old->program, ZP_SECTION_CLIPS, asked);
            run->mix_ref = instance->program->clips[same - 1].mix_ref;
        } else if (run->mix_ref > instance->program->header->mix_group_count) {
            run->mix_ref = 0;
        }
    }
    if (old->opening_run != 0 && zr_run_find(instance, old->opening_run)) { instance->opening_run = old->opening_run; }
}

// What is still to be told. Ends of runs are told though their clips are gone: hosts count starts and ends. There is
// room for as many ends as there may be runs that have not ended.
static void adopt_notices(zo_instance *instance, const zo_instance *old) {
    const zp_program *from = old->program, *to = instance->program;
    uint32_t pairs = 0; // starts that have been told and ends that are to be
    for (uint32_t i = 0; i < instance->run_count; ++i) { pairs += zr_runs(instance)[i].announced; }
    for (uint32_t i = 0; i < old->notice_count; ++i) {
        zr_notice notice = zr_notices(old)[i];
        switch ((zr_notice_kind)notice.kind) {
        case ZR_NOTICE_START: {
            const zr_run *run = zr_run_find(instance, notice.run);
            if (!run) { continue; }
            notice.clip = run->clip;
            break;
        }
        case ZR_NOTICE_END:
            if (pairs++ >= instance->run_capacity) { continue; }
            if (notice.clip == NO_CLIP) { break; } // an earlier reload has left it behind
            notice.clip = zr_same_ref(to, from, ZP_SECTION_CLIPS, notice.clip) - 1;
            break;
        case ZR_NOTICE_STATE:
        case ZR_NOTICE_CYCLE:
        case ZR_NOTICE_HOLD: {
            const uint32_t state_ref = zr_same_ref(to, from, ZP_SECTION_STATES, notice.value);
            if (state_ref == 0) { continue; }
            notice.value = state_ref - 1;
            notice.clip = zr_same_name(to, from, notice.clip);
            break;
        }
        case ZR_NOTICE_UNROUTED:
            if (instance->machine_offset == 0) { continue; }
            break;
        case ZR_NOTICE_REFUSED:
            notice.clip = zr_same_name(to, from, notice.clip);
            if (notice.clip == 0) { continue; }
            break;
        case ZR_NOTICE_CEL:
            if (notice.value != 0) { notice.value = zr_same_ref(to, from, ZP_SECTION_CELS, notice.value - 1); }
            break;
        }
        zr_tell(instance, notice);
        if (i < old->notice_front) { ++instance->notice_front; }
    }
    for (uint32_t i = 0; i < old->run_count; ++i) {
        const zr_run *gone = &zr_runs(old)[i];
        if (!gone->announced || zr_run_find(instance, gone->id) || pairs++ >= instance->run_capacity) { continue; }
        const uint32_t clip_ref = played_ref(instance, old, gone->clip);
        zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_END, .run = gone->id, .clip = clip_ref - 1,
                                      .value = ZO_END_CANCELLED});
    }
}

static bool plays_from_start(const zp_program *program, const zp_play *play, const zp_program *old) {
    for (uint32_t i = 0; i < zp_count(old, ZP_SECTION_PLAYS); ++i) {
        const zp_play *other = &old->plays[i];
        if (other->flags & ZP_PLAY_LATER) { continue; }
        if (same_text(program, program->clips[play->clip].name, old, old->clips[other->clip].name)) { return true; }
    }
    return false;
}

// What it would have begun with, had it been there from the start.
static void start_new_plays(zo_instance *instance, const zp_program *old) {
    for (uint32_t i = 0; i < zp_count(instance->program, ZP_SECTION_PLAYS); ++i) {
        const zp_play *play = &instance->program->plays[i];
        if ((play->flags & ZP_PLAY_LATER) || plays_from_start(instance->program, play, old)) { continue; }
        zr_play_start(instance, i + 1, 0, 0);
    }
}

// ---------------------------------------------------------------------------------------------------- the rest

static void adopt_effects(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    for (uint32_t i = 0; i < old->effect_count; ++i) {
        const zr_effect *from = &zr_effects(old)[i];
        const uint32_t same = zr_same_ref(instance->program, old->program, ZP_SECTION_EFFECTS, from->effect);
        if (same == 0 || !zr_effect_may_carry(instance, old, i, same - 1)) {
            zr_tell_gone(adoption, ZO_GONE_EFFECT, old->program, old->program->effects[from->effect].name, 0);
        } else {
            zr_effect_carry(instance, old, i, same - 1);
        }
    }
    zr_effects_sweep(instance);
}

// Which pictures the host has said to be there, or not to be.
static void adopt_absent(zo_instance *instance, const zo_instance *old) {
    for (uint32_t i = 0; i < zp_count(old->program, ZP_SECTION_CELS); ++i) {
        const uint8_t absent = zr_absent_cels(old)[i], was = (old->program->cels[i].flags & ZP_CEL_ABSENT) != 0;
        const uint32_t same = absent != was ? zr_same_ref(instance->program, old->program, ZP_SECTION_CELS, i) : 0;
        if (same != 0) { zr_absent_cels(instance)[same - 1] = absent; }
    }
}

static uint32_t first_next_cel(const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_PLAYS); ++i) {
        const zp_play *play = &program->plays[i];
        if (play->cel_ref != 0 && !(play->flags & ZP_PLAY_LATER)) { return play->cel_ref; }
    }
    return 0;
}

// Where the old picture is gone, or was none from the start, that of the new program stays.
static void adopt_cels(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    const uint32_t shown = zr_adopt_cel(instance, old, old->cel_ref, 0, adoption);
    const uint32_t next = zr_adopt_cel(instance, old, old->next_cel_ref, 0, adoption);
    const bool took_away = old->cel_ref == 0 && zr_first_cel(old->program) != 0;
    const bool took_next = old->next_cel_ref == 0 && first_next_cel(old->program) != 0;
    if (shown != 0 || took_away) { instance->cel_ref = shown; }
    if (next != 0 || took_next) { instance->next_cel_ref = next; }
}

// Machine and director. Those that had not started yet start here in their time.
static void adopt_deciding(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    instance->awake = zr_decides(instance) && (!zr_decides(old) || old->awake);
    if (instance->poser_offset != 0) { zr_poser_adopt(instance, old->poser_offset != 0 ? old : NULL, adoption); }
    if (instance->machine_offset != 0) {
        memset(zr_machine_of(instance), 0, zr_machine_size(instance->program));
        if (instance->awake) { zr_machine_adopt(instance, old->machine_offset != 0 ? old : NULL, adoption); }
    }
    if (instance->director) {
        const bool same_kind = old->director == instance->director;
        memset(zr_director_state(instance), 0, instance->director->size);
        if (instance->awake) { instance->director->adopt(instance, same_kind ? old : NULL, adoption); }
    }
}

void zr_instance_adopt(zo_instance *instance, const zo_instance *old, zo_gone_fn tell, void *context) {
    const zr_adoption adoption = {tell, context};
    bool plays = false; // it was not made idle
    for (uint32_t i = 0; i < instance->run_count; ++i) { plays |= zr_runs(instance)[i].owner == 0; }
    memset(zr_runs(instance), 0, instance->run_count * sizeof(zr_run));
    memset(zr_run_values(instance, zr_runs(instance)), 0,
           (size_t)instance->run_count * instance->values_per_run * sizeof(double));
    memset(zr_notices(instance), 0, instance->notice_count * sizeof(zr_notice));
    instance->run_count = instance->notice_count = instance->notice_front = instance->opening_run = 0;

    instance->seed = old->seed;
    instance->now_ns = old->now_ns;
    instance->speaking = old->speaking;
    instance->level = old->level;
    instance->hidden = old->hidden;
    instance->hidden_ns = old->hidden_ns;
    instance->serial = old->serial;
    instance->last_run_id = old->last_run_id;
    instance->effect_serial = old->effect_serial;
    instance->dropped = old->dropped;
    instance->delay_used = zr_used_of(instance->delay_list, old->delay_list, instance->delay_count, old->delay_count,
                                      old->delay_used);
    instance->particle_list_used =
        zr_used_of(instance->particle_list, old->particle_list, instance->particle_list_count, old->particle_list_count,
                   old->particle_list_used);
    zr_set_reduced(instance, old->wants_reduced);
    adopt_params(instance, old, &adoption);
    adopt_controls(instance, old, &adoption);
    adopt_absent(instance, old);
    adopt_cels(instance, old, &adoption);
    adopt_runs(instance, old, &adoption);
    adopt_effects(instance, old, &adoption);
    adopt_notices(instance, old);
    adopt_deciding(instance, old, &adoption);
    if (plays) { start_new_plays(instance, old->program); }
}
