// See ahead.h.
#include <math.h>
#include <stdlib.h>

#include "ahead.h"

enum { FRAMES_MAX = 1 << 20 };                 // of all clips
enum { NEXT = CLI_WISH_NEXT, HEAD = 90, CYCLE = 80, FIRST = 65 }; // priorities
static const int64_t SOON_NS = 500000000;      // of the clip that runs
static const int64_t HEAD_NS = 250000000;      // of what may come next
static const int64_t ONCE_HEAD_NS = 750000000; // of what is over soon, so that what follows it can be loaded meanwhile

// A clip of pictures has one curve with a key a frame, all equally long; its frame is what it shows in the middle of
// it.
static uint32_t frame_count(const zo_clip_info *clip) {
    return clip->curve_count == 1 && clip->key_count > 0 && clip->duration_ns >= clip->key_count ? clip->key_count : 0;
}

static zo_channel index_channel(const zo_program *program) {
    zo_channel_info channel;
    for (uint32_t c = 1; zo_channel_get(program, (zo_channel){c}, &channel); c++) {
        if (channel.is_index) { return (zo_channel){c}; }
    }
    return (zo_channel){0};
}

static void fill_clip(cli_ahead *a, uint32_t clip, zo_channel channel, zo_pose *pose) {
    zo_clip_info info;
    cli_ahead_clip *c = &a->clips[clip - 1];
    zo_clip_get(a->program, (zo_clip){clip}, &info);
    *c = (cli_ahead_clip){.first = a->cel_count, .count = frame_count(&info), .loops = info.repeat == ZO_REPEAT_LOOP};
    if (c->count == 0 || !zo_clip_drives(a->program, (zo_clip){clip}, channel)) {
        c->count = 0;
        return;
    }
    c->interval_ns = info.duration_ns / c->count;
    const double unit = (double)info.duration_ns / cli_unit_ns(&info);
    for (uint32_t f = 0; f < c->count; f++) {
        zo_clip_sample(a->program, (zo_clip){clip}, (f + 0.5) / c->count * unit, NULL, pose);
        const double shown = pose->slots[channel.id - 1];
        a->cels[a->cel_count++] = shown >= 1.0 && shown <= zo_cel_count(a->program) ? (uint32_t)shown : 0;
    }
}

static void fill_edges(cli_ahead *a, uint32_t state_count) {
    zo_edge_info edge;
    uint32_t at = 0;
    for (uint32_t s = 1; s <= state_count; s++) {
        a->first_edges[s - 1] = at;
        while (zo_edge_get(a->program, at, &edge) && edge.from.id == s) { at++; }
    }
    a->first_edges[state_count] = at;
}

// false: no memory.
static bool fill_others(cli_ahead *a) {
    const uint32_t count = zo_cel_count(a->program);
    bool *shown = calloc((size_t)count + 1, sizeof *shown);
    a->others = calloc((size_t)count + 1, sizeof *a->others);
    const bool fine = shown != NULL && a->others != NULL;
    for (uint32_t i = 0; fine && i < a->cel_count; i++) { shown[a->cels[i]] = true; }
    for (uint32_t c = 1; fine && c <= count; c++) {
        if (!shown[c]) { a->others[a->other_count++] = c; }
    }
    free(shown);
    return fine;
}

bool cli_ahead_open(cli_ahead *a, const zo_program *program) {
    const uint32_t clip_count = zo_clip_count(program), state_count = zo_state_count(program);
    const zo_channel channel = index_channel(program);
    uint64_t frames = 0;
    *a = (cli_ahead){.program = program};
    for (uint32_t c = 1; c <= clip_count; c++) {
        zo_clip_info info;
        if (zo_clip_get(program, (zo_clip){c}, &info)) { frames += frame_count(&info); }
    }
    zo_pose *pose = zo_pose_create(program, NULL);
    a->clips = calloc((size_t)clip_count + 1, sizeof *a->clips);
    a->first_edges = calloc((size_t)state_count + 1, sizeof *a->first_edges);
    if (frames <= FRAMES_MAX) { a->cels = calloc((size_t)frames + 1, sizeof *a->cels); }
    const bool fine = pose != NULL && a->clips != NULL && a->first_edges != NULL && a->cels != NULL;
    for (uint32_t c = 1; c <= clip_count && fine && channel.id != 0; c++) { fill_clip(a, c, channel, pose); }
    if (fine) { fill_edges(a, state_count); }
    zo_pose_free(pose);
    return fine && fill_others(a);
}

void cli_ahead_close(cli_ahead *a) {
    free(a->clips);
    free(a->cels);
    free(a->others);
    free(a->first_edges);
    free(a->wishes);
    *a = (cli_ahead){0};
}

// Without memory there is one wish less: it is then loaded when it is wanted.
static void wish(cli_ahead *a, uint32_t cel, uint32_t priority, bool keep) {
    if (cel == 0) { return; }
    if (a->wish_count == a->wish_capacity) {
        const uint32_t capacity = a->wish_capacity * 2 + 64;
        cli_wish *wishes = realloc(a->wishes, capacity * sizeof *wishes);
        if (wishes == NULL) { return; }
        a->wishes = wishes;
        a->wish_capacity = capacity;
    }
    a->wishes[a->wish_count++] = (cli_wish){cel - 1, priority, keep};
}

static void wish_running(cli_ahead *a, const cli_ahead_clip *clip, uint32_t frame) {
    const int64_t soon = (SOON_NS + clip->interval_ns - 1) / clip->interval_ns + 1;
    const uint32_t left = clip->loops ? clip->count : clip->count - frame;
    for (uint32_t i = 0; i < left; i++) {
        const bool next = (int64_t)i <= soon;
        wish(a, a->cels[clip->first + (frame + i) % clip->count], next ? NEXT : CYCLE, !next);
    }
}

static void wish_head(cli_ahead *a, zo_state state, uint32_t priority) {
    zo_state_info info;
    if (!zo_state_get(a->program, state, &info) || info.clip.id == 0) { return; }
    const cli_ahead_clip *clip = &a->clips[info.clip.id - 1];
    if (clip->count == 0) { return; }
    const int64_t head_ns = clip->loops ? HEAD_NS : ONCE_HEAD_NS;
    const int64_t count = (head_ns + clip->interval_ns - 1) / clip->interval_ns + 1;
    for (uint32_t i = 0; i < clip->count && (int64_t)i < count; i++) {
        wish(a, a->cels[clip->first + i], priority, false);
    }
}

// Where it stands: of a graph what its state shows, else what the oldest run does.
static bool find_place(const cli_ahead *a, const zo_instance *instance, uint32_t *clip, uint32_t *frame,
                       uint32_t *state) {
    zo_target_state target;
    zo_run_info run;
    *state = 0;
    if (zo_instance_state(instance, &target) && target.clip.id != 0) {
        *clip = target.clip.id;
        *frame = target.frame;
        *state = target.state.id;
    } else if (zo_instance_run_at(instance, 0, &run)) {
        *clip = run.clip.id;
        const cli_ahead_clip *c = &a->clips[run.clip.id - 1];
        *frame = c->count > 0 ? (uint32_t)(run.local_ns / c->interval_ns) : 0;
    } else {
        return false;
    }
    const uint32_t count = a->clips[*clip - 1].count;
    *frame = count > 0 && *frame >= count ? count - 1 : *frame;
    return count > 0;
}

void cli_ahead_wish(cli_ahead *a, const zo_instance *instance, cli_textures *store) {
    uint32_t clip, frame, state;
    if (!find_place(a, instance, &clip, &frame, &state)) { return; }
    if (a->asked && clip == a->clip && frame == a->frame && state == a->state) { return; }
    a->asked = true;
    a->clip = clip;
    a->frame = frame;
    a->state = state;
    a->wish_count = 0;
    wish_running(a, &a->clips[clip - 1], frame);
    for (uint32_t e = state > 0 ? a->first_edges[state - 1] : 0; state > 0 && e < a->first_edges[state]; e++) {
        zo_edge_info edge;
        if (zo_edge_get(a->program, e, &edge)) { wish_head(a, edge.to, HEAD); }
    }
    for (uint32_t s = 1; state > 0 && s <= zo_state_count(a->program); s++) {
        zo_state_info info;
        zo_state_get(a->program, (zo_state){s}, &info);
        if (info.first) { wish_head(a, (zo_state){s}, FIRST); }
        if (info.clip.id == 0) { continue; }
        const cli_ahead_clip *own = &a->clips[info.clip.id - 1];
        if (own->count > 0) { wish(a, a->cels[own->first], FIRST, false); }
    }
    for (uint32_t i = 0; i < a->other_count; i++) { wish(a, a->others[i], FIRST, false); }
    cli_textures_wish(store, a->wishes, a->wish_count);
}

zo_cel cli_ahead_stand_in(const cli_ahead *a, zo_cel cel, uint32_t tries) {
    for (uint32_t c = 0; c < zo_clip_count(a->program); c++) {
        const cli_ahead_clip *clip = &a->clips[c];
        for (uint32_t f = 0; f < clip->count; f++) {
            if (a->cels[clip->first + f] != cel.id) { continue; }
            // Back to the first frame, then on from here.
            if (tries < f) { return (zo_cel){a->cels[clip->first + f - 1 - tries]}; }
            const uint32_t on = tries + 1;
            return (zo_cel){on < clip->count ? a->cels[clip->first + on] : 0};
        }
    }
    return (zo_cel){0};
}
