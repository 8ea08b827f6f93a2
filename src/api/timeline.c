// The public functions of timeline.h: the log of inputs, the snapshots, and the way to any instant. The present is
// always what playing from 0 gives: from a snapshot on, every input of the log at its time with all that was due before
// it done first. So a result depends on the log alone, never on what was asked for in between. Part of the play-only
// library; knows the instance by its size and its public verbs.
#include <zoetrope/timeline.h>

#include "base/arena.h"
#include "director/director.h"
#include "runtime/runtime.h"

enum { SNAPSHOTS_DEFAULT = 128, SNAPSHOTS_MAX = 65536, EVENTS_AT_ONCE = 16 };
#define SNAPSHOT_EVERY_NS ((int64_t)1000000000)

typedef struct entry {
    zo_input input; // its texts and numbers are in `owned`
    void *owned;    // NULL: it has none
    size_t owned_size;
} entry;

typedef struct snapshot {
    int64_t t_ns;
    void *block;    // of the instance's size
    uint32_t next;  // inputs made before it
} snapshot;

struct zo_timeline {
    zo_allocator allocator;
    size_t size;                // bytes held
    zo_instance *instance;
    size_t instance_size;
    zo_event_fn listen;
    void *context;
    entry *entries;
    uint32_t entry_count, entry_capacity;
    uint32_t next;              // entries made: those up to the present
    uint32_t snapshot_count, snapshot_max;
    snapshot *snapshots;        // rising; the first is the beginning
    int64_t snapshot_every_ns;  // at present
    int64_t next_snapshot_ns;   // a multiple of it, behind the last one and behind what has been played with them
};

// -------------------------------------------------------------------------------------------------- snapshots, reloads

size_t zo_instance_snapshot(const zo_instance *instance, void *memory, size_t size) {
    ZO_ASSERT(memory != NULL || size == 0);
    if (size < instance->size) { return instance->size; }
    memcpy(memory, instance, instance->size);
    memset((uint8_t *)memory + offsetof(zo_instance, allocator), 0, sizeof instance->allocator); // of this one alone
    return instance->size;
}

// What a def decides, and what says where everything is.
static bool is_alike(const zo_instance *a, const zo_instance *b) {
    return a->program == b->program && a->director == b->director && a->size == b->size &&
           a->run_capacity == b->run_capacity && a->notice_capacity == b->notice_capacity &&
           a->effect_capacity == b->effect_capacity && a->particle_capacity == b->particle_capacity &&
           a->delay_list == b->delay_list && a->delay_count == b->delay_count &&
           a->host_polls == b->host_polls && a->graph_list == b->graph_list && a->graph_count == b->graph_count &&
           a->particle_list == b->particle_list && a->particle_list_count == b->particle_list_count &&
           a->point_capacity == b->point_capacity && a->particle_row == b->particle_row &&
           a->rate_list == b->rate_list && a->rate_count == b->rate_count && a->way_list == b->way_list &&
           a->way_count == b->way_count && a->burst_list == b->burst_list && a->burst_count == b->burst_count &&
           a->has_noise_seed == b->has_noise_seed && a->noise_seed == b->noise_seed;
}

bool zo_instance_restore(zo_instance *instance, const void *memory, size_t size) {
    ZO_ASSERT(memory != NULL || size == 0);
    zo_instance header; // the snapshot may stand at any address
    if (size < sizeof header) { return false; }
    memcpy(&header, memory, sizeof header);
    if (!is_alike(&header, instance) || size < instance->size) { return false; }
    const zo_allocator own = instance->allocator;
    memcpy(instance, memory, instance->size);
    instance->allocator = own;
    return true;
}

void zo_instance_adopt(zo_instance *instance, const zo_instance *old, zo_gone_fn tell, void *context) {
    ZO_ASSERT(instance != NULL && old != NULL && instance != old);
    ZO_ASSERT(instance->now_ns == 0);
    zr_instance_adopt(instance, old, tell, context);
}

// ---------------------------------------------------------------------------------------------------- memory

static void *take(zo_timeline *timeline, size_t size) {
    void *memory = timeline->allocator.alloc(timeline->allocator.context, size);
    if (memory) { timeline->size += size; }
    return memory;
}

static void give(zo_timeline *timeline, void *memory, size_t size) {
    if (!memory) { return; }
    timeline->allocator.free(timeline->allocator.context, memory, size);
    timeline->size -= size;
}

void zo_timeline_free(zo_timeline *timeline) {
    if (!timeline) { return; }
    for (uint32_t i = 0; i < timeline->entry_count; ++i) {
        give(timeline, timeline->entries[i].owned, timeline->entries[i].owned_size);
    }
    for (uint32_t i = 0; i < timeline->snapshot_count; ++i) {
        give(timeline, timeline->snapshots[i].block, timeline->instance_size);
    }
    give(timeline, timeline->entries, timeline->entry_capacity * sizeof(entry));
    give(timeline, timeline->snapshots, timeline->snapshot_max * sizeof(snapshot));
    give(timeline, timeline->instance, timeline->instance_size);
    const zo_allocator from = timeline->allocator;
    ZO_ASSERT(timeline->size == sizeof *timeline);
    from.free(from.context, timeline, sizeof *timeline);
}

// ---------------------------------------------------------------------------------------------------- short cuts

// Behind the last one, and not before the present: where memory was short there may be gaps.
static void set_next_snapshot(zo_timeline *timeline) {
    const int64_t every_ns = timeline->snapshot_every_ns, now_ns = timeline->instance->now_ns;
    const int64_t last_ns = timeline->snapshots[timeline->snapshot_count - 1].t_ns;
    timeline->next_snapshot_ns = ((last_ns > now_ns ? last_ns : now_ns) / every_ns + 1) * every_ns;
}

// Half as many to come. false: there are hardly any as it is.
static bool space_out(zo_timeline *timeline) {
    if (timeline->snapshot_every_ns > ZR_CLOCK_NS_MAX / 4) { return false; }
    timeline->snapshot_every_ns *= 2;
    return true;
}

// Half of them, and half as many to come, until there is room for one. The first stays.
static void thin_out(zo_timeline *timeline) {
    while (timeline->snapshot_count == timeline->snapshot_max && space_out(timeline)) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < timeline->snapshot_count; ++i) {
            if (i == 0 || timeline->snapshots[i].t_ns % timeline->snapshot_every_ns == 0) {
                timeline->snapshots[kept++] = timeline->snapshots[i];
            } else {
                give(timeline, timeline->snapshots[i].block, timeline->instance_size);
            }
        }
        timeline->snapshot_count = kept;
    }
}

// Of the present. Where there is no memory for it seeking only takes longer, and it is tried half as often.
static void take_snapshot(zo_timeline *timeline) {
    const int64_t now_ns = timeline->instance->now_ns;
    thin_out(timeline);
    if (now_ns % timeline->snapshot_every_ns == 0 && timeline->snapshot_count < timeline->snapshot_max) {
        void *block = take(timeline, timeline->instance_size);
        if (block) {
            zo_instance_snapshot(timeline->instance, block, timeline->instance_size);
            timeline->snapshots[timeline->snapshot_count++] =
                (snapshot){.t_ns = now_ns, .block = block, .next = timeline->next};
        } else {
            space_out(timeline);
        }
    }
    set_next_snapshot(timeline);
}

static const snapshot *snapshot_before(const zo_timeline *timeline, int64_t t_ns) { // or at it
    uint32_t low = 0, high = timeline->snapshot_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (timeline->snapshots[middle].t_ns <= t_ns) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &timeline->snapshots[low];
}

static void go_to(zo_timeline *timeline, const snapshot *from) {
    const bool restored = zo_instance_restore(timeline->instance, from->block, timeline->instance_size);
    ZO_ASSERT(restored);
    timeline->next = from->next;
}

// ---------------------------------------------------------------------------------------------------- inputs

typedef enum id_of {
    ID_OF_NOTHING, ID_OF_CLIP, ID_OF_RUN, ID_OF_PARAM, ID_OF_CONTROL, ID_OF_CEL, ID_OF_CEL_OR_NONE
} id_of;

static uint32_t start(zo_instance *i, const zo_input *in) {
    return zo_instance_start(i, (zo_clip){in->id}, &in->run).id;
}
static uint32_t cancel(zo_instance *i, const zo_input *in) { return zo_instance_cancel(i, (zo_run){in->id}); }
static uint32_t pause(zo_instance *i, const zo_input *in) { return zo_instance_pause(i, (zo_run){in->id}), 1; }
static uint32_t resume(zo_instance *i, const zo_input *in) { return zo_instance_resume(i, (zo_run){in->id}), 1; }
static uint32_t set_param(zo_instance *i, const zo_input *in) {
    return zo_instance_set_param(i, (zo_param){in->id}, in->number), 1;
}
static uint32_t show(zo_instance *i, const zo_input *in) { return zo_instance_show(i, (zo_cel){in->id}), 1; }
static uint32_t show_next(zo_instance *i, const zo_input *in) { return zo_instance_show_next(i, (zo_cel){in->id}), 1; }
static uint32_t request(zo_instance *i, const zo_input *in) { return zo_instance_request(i, in->text); }
static uint32_t status(zo_instance *i, const zo_input *in) { return zo_instance_status(i, &in->status); }
static uint32_t click(zo_instance *i, const zo_input *in) { return (void)in, zo_instance_click(i); }
static uint32_t flash(zo_instance *i, const zo_input *in) { return zo_instance_flash(i, (zo_cel){in->id}, in->number); }
static uint32_t play_clip(zo_instance *i, const zo_input *in) { return zo_instance_play(i, in->text, in->on); }
static uint32_t set_hidden(zo_instance *i, const zo_input *in) { return zo_instance_set_hidden(i, in->on), 1; }
static uint32_t set_reduced(zo_instance *i, const zo_input *in) { return zo_instance_set_reduced_motion(i, in->on), 1; }
static uint32_t set_cel(zo_instance *i, const zo_input *in) {
    return zo_instance_set_cel(i, (zo_cel){in->id}, in->on), 1;
}

static uint32_t trigger(zo_instance *i, const zo_input *in) { return zo_instance_trigger(i, in->text, in->on); }
static uint32_t release(zo_instance *i, const zo_input *in) { return zo_instance_release(i, in->on); }
static uint32_t speak(zo_instance *i, const zo_input *in) { return zo_instance_speaking(i, in->on), 1; }
static uint32_t set_mouth(zo_instance *i, const zo_input *in) { return zo_instance_set_mouth(i, in->number), 1; }
static uint32_t set_line(zo_instance *i, const zo_input *in) {
    return zo_instance_set_param_line(i, (zo_param){in->id}, in->number, in->slope), 1;
}
static uint32_t ramp(zo_instance *i, const zo_input *in) {
    return zo_instance_ramp_param(i, (zo_param){in->id}, in->slope), 1;
}
static uint32_t poll(zo_instance *i, const zo_input *in) { return zo_instance_poll(i, in->number); }

// A verb of play.h each.
static const struct {
    uint32_t (*call)(zo_instance *instance, const zo_input *input);
    uint8_t id;      // id_of
    bool needs_text;
} verbs[ZO_INPUT_COUNT] = {
    [ZO_INPUT_START] = {start, ID_OF_CLIP, false},
    [ZO_INPUT_CANCEL] = {cancel, ID_OF_RUN, false},
    [ZO_INPUT_PAUSE] = {pause, ID_OF_RUN, false},
    [ZO_INPUT_RESUME] = {resume, ID_OF_RUN, false},
    [ZO_INPUT_SET_PARAM] = {set_param, ID_OF_PARAM, false},
    [ZO_INPUT_SHOW] = {show, ID_OF_CEL_OR_NONE, false},
    [ZO_INPUT_SHOW_NEXT] = {show_next, ID_OF_CEL_OR_NONE, false},
    [ZO_INPUT_REQUEST] = {request, ID_OF_NOTHING, true},
    [ZO_INPUT_STATUS] = {status, ID_OF_NOTHING, false},
    [ZO_INPUT_CLICK] = {click, ID_OF_NOTHING, false},
    [ZO_INPUT_FLASH] = {flash, ID_OF_CEL, false},
    [ZO_INPUT_PLAY] = {play_clip, ID_OF_NOTHING, true},
    [ZO_INPUT_SET_HIDDEN] = {set_hidden, ID_OF_NOTHING, false},
    [ZO_INPUT_SET_REDUCED_MOTION] = {set_reduced, ID_OF_NOTHING, false},
    [ZO_INPUT_SET_CEL] = {set_cel, ID_OF_CEL, false},
    [ZO_INPUT_TRIGGER] = {trigger, ID_OF_NOTHING, true},
    [ZO_INPUT_RELEASE] = {release, ID_OF_NOTHING, false},
    [ZO_INPUT_SPEAKING] = {speak, ID_OF_NOTHING, false},
    [ZO_INPUT_SET_MOUTH] = {set_mouth, ID_OF_NOTHING, false},
    [ZO_INPUT_SET_PARAM_LINE] = {set_line, ID_OF_PARAM, false},
    [ZO_INPUT_RAMP_PARAM] = {ramp, ID_OF_CONTROL, false},
    [ZO_INPUT_POLL] = {poll, ID_OF_NOTHING, false},
};

static bool is_valid(const zp_program *program, const zo_input *input) {
    if ((uint32_t)input->kind >= ZO_INPUT_COUNT) { return false; }
    if (verbs[input->kind].needs_text && !input->text) { return false; }
    if (input->kind == ZO_INPUT_STATUS && !input->status.type) { return false; }
    const uint32_t cel_count = zp_count(program, ZP_SECTION_CELS);
    if (input->kind == ZO_INPUT_START) {
        const zo_run_def *run = &input->run;
        if (run->cel.id > cel_count || (run->param_count > 0 && !run->params)) { return false; }
    }
    switch ((id_of)verbs[input->kind].id) {
    case ID_OF_CLIP: return input->id >= 1 && input->id <= zp_count(program, ZP_SECTION_CLIPS);
    case ID_OF_PARAM: return input->id >= 1 && input->id <= zp_count(program, ZP_SECTION_PARAMS);
    case ID_OF_CONTROL:
        return input->id >= 1 && input->id <= zp_count(program, ZP_SECTION_PARAMS) &&
               program->params[input->id - 1].clip == ZP_NO_CLIP;
    case ID_OF_CEL: return input->id >= 1 && input->id <= cel_count;
    case ID_OF_CEL_OR_NONE: return input->id <= cel_count;
    case ID_OF_NOTHING:
    case ID_OF_RUN: break; // runs come and go, and calls on one that is gone do nothing
    }
    return true;
}

zo_status zo_instance_apply(zo_instance *instance, const zo_input *input, uint32_t *result) {
    ZO_ASSERT(instance != NULL && input != NULL);
    if (!is_valid(instance->program, input)) { return ZO_INVALID; }
    const uint32_t returned = verbs[input->kind].call(instance, input);
    if (result) { *result = returned; }
    return ZO_OK;
}

static size_t text_size(const char *text) { return text ? strlen(text) + 1 : 0; }

static const char *copy_text(uint8_t **to, const char *text) {
    if (!text) { return NULL; }
    char *copy = (char *)*to;
    const size_t size = text_size(text);
    memcpy(copy, text, size);
    *to += size;
    return copy;
}

// The input as it is noted down: what its kind does not use is zero, what it points to is copied. false: no memory.
static bool copy_input(zo_timeline *timeline, const zo_input *input, entry *copy) {
    const zo_input *in = input;
    *copy = (entry){.input = {.kind = in->kind, .t_ns = timeline->instance->now_ns, .number = in->number,
                              .slope = in->slope, .on = in->on}};
    if (verbs[in->kind].id != ID_OF_NOTHING) { copy->input.id = in->id; }
    if (verbs[in->kind].needs_text) { copy->input.text = in->text; }
    if (in->kind == ZO_INPUT_START) { copy->input.run = in->run; }
    if (in->kind == ZO_INPUT_STATUS) { copy->input.status = in->status; }

    zo_input *own = &copy->input;
    size_t size;
    if (!zb_mul_size(own->run.param_count, sizeof(double), &size)) { return false; }
    const size_t params_size = size;
    const char **texts[] = {&own->text, &own->status.type, &own->status.source, &own->status.tool};
    for (uint32_t i = 0; i < ZB_COUNT(texts); ++i) {
        if (!zb_add_size(size, text_size(*texts[i]), &size)) { return false; }
    }
    if (size == 0) { return true; }
    copy->owned = take(timeline, size);
    copy->owned_size = size;
    if (!copy->owned) { return false; }
    uint8_t *to = copy->owned;
    if (params_size > 0) {
        memcpy(to, own->run.params, params_size);
        own->run.params = copy->owned;
        to += params_size;
    } else {
        own->run.params = NULL;
    }
    for (uint32_t i = 0; i < ZB_COUNT(texts); ++i) { *texts[i] = copy_text(&to, *texts[i]); }
    return true;
}

static bool reserve_entry(zo_timeline *timeline) { // behind the present
    if (timeline->next < timeline->entry_capacity) { return true; }
    const uint32_t old = timeline->entry_capacity, capacity = old ? 2 * old : 16;
    size_t size;
    if (old > UINT32_MAX / 2 || !zb_mul_size(capacity, sizeof(entry), &size)) { return false; }
    entry *entries = take(timeline, size);
    if (!entries) { return false; }
    if (old > 0) { memcpy(entries, timeline->entries, timeline->entry_count * sizeof(entry)); }
    give(timeline, timeline->entries, old * sizeof(entry));
    timeline->entries = entries;
    timeline->entry_capacity = capacity;
    return true;
}

// What was to come is another future's.
static void drop_later(zo_timeline *timeline) {
    while (timeline->entry_count > timeline->next) {
        const entry *last = &timeline->entries[--timeline->entry_count];
        give(timeline, last->owned, last->owned_size);
    }
    while (timeline->snapshots[timeline->snapshot_count - 1].t_ns > timeline->instance->now_ns) {
        give(timeline, timeline->snapshots[--timeline->snapshot_count].block, timeline->instance_size);
    }
    set_next_snapshot(timeline);
}

// ---------------------------------------------------------------------------------------------------- playing

static void advance_to(zo_timeline *timeline, int64_t t_ns, bool tells) {
    zo_step step = {.left_ns = t_ns - timeline->instance->now_ns};
    do {
        zo_event events[EVENTS_AT_ONCE];
        step = zo_instance_advance(timeline->instance, step.left_ns, events, EVENTS_AT_ONCE);
        for (uint32_t i = 0; i < step.count && tells; ++i) { timeline->listen(timeline->context, &events[i]); }
    } while (step.more || step.left_ns > 0);
}

static void play(zo_timeline *timeline, int64_t t_ns, bool tells) {
    for (;;) {
        const entry *due = timeline->next < timeline->entry_count ? &timeline->entries[timeline->next] : NULL;
        int64_t stop_ns = due && due->input.t_ns < t_ns ? due->input.t_ns : t_ns;
        if (timeline->next_snapshot_ns < stop_ns) { stop_ns = timeline->next_snapshot_ns; }
        advance_to(timeline, stop_ns, tells);
        if (stop_ns == timeline->next_snapshot_ns) { take_snapshot(timeline); }
        if (due && due->input.t_ns == stop_ns) {
            ++timeline->next;
            verbs[due->input.kind].call(timeline->instance, &due->input);
        } else if (stop_ns == t_ns) {
            return;
        }
    }
}

const zo_instance *zo_timeline_seek(zo_timeline *timeline, int64_t t_ns) {
    ZO_ASSERT(timeline != NULL);
    ZO_ASSERT(t_ns >= 0);
    if (t_ns > ZR_CLOCK_NS_MAX) { t_ns = ZR_CLOCK_NS_MAX; }
    if (t_ns < timeline->snapshots[0].t_ns) { t_ns = timeline->snapshots[0].t_ns; }
    const int64_t now_ns = timeline->instance->now_ns;
    const snapshot *before = snapshot_before(timeline, t_ns);
    const bool tells = timeline->listen != NULL && t_ns >= now_ns;
    if (t_ns < now_ns || (!tells && before->t_ns > now_ns)) { go_to(timeline, before); }
    play(timeline, t_ns, tells);
    return timeline->instance;
}

zo_status zo_timeline_add(zo_timeline *timeline, const zo_input *input, uint32_t *result) {
    ZO_ASSERT(timeline != NULL && input != NULL);
    zo_instance *instance = timeline->instance;
    if (!is_valid(instance->program, input)) { return ZO_INVALID; }
    entry copy;
    if (!reserve_entry(timeline) || !copy_input(timeline, input, &copy)) { return ZO_NO_MEMORY; }
    advance_to(timeline, instance->now_ns, timeline->listen != NULL);
    drop_later(timeline);
    timeline->entries[timeline->entry_count++] = copy;
    ++timeline->next;
    const uint32_t returned = verbs[copy.input.kind].call(instance, &copy.input);
    if (result) { *result = returned; }
    return ZO_OK;
}

// ---------------------------------------------------------------------------------------------------- the rest

zo_timeline *zo_timeline_create(const zo_program *program, const zo_timeline_def *def, const zo_allocator *allocator) {
    ZO_ASSERT(program != NULL);
    const zo_timeline_def defaults = {0};
    if (!def) { def = &defaults; }
    ZO_ASSERT(def->snapshot_every_ns >= 0);
    const size_t size = zo_instance_size(program, &def->instance);
    const zo_allocator from = zb_allocator_or_default(allocator);
    zo_timeline *timeline = size == SIZE_MAX ? NULL : from.alloc(from.context, sizeof *timeline);
    if (!timeline) { return NULL; }
    *timeline = (zo_timeline){.allocator = from, .size = sizeof *timeline, .instance_size = size,
                              .snapshot_every_ns = def->snapshot_every_ns ? def->snapshot_every_ns : SNAPSHOT_EVERY_NS};
    if (timeline->snapshot_every_ns > ZR_CLOCK_NS_MAX / 2) { timeline->snapshot_every_ns = ZR_CLOCK_NS_MAX / 2; }
    uint32_t max = def->snapshot_max == 0 ? SNAPSHOTS_DEFAULT : def->snapshot_max < 2 ? 2 : def->snapshot_max;
    timeline->snapshot_max = max < SNAPSHOTS_MAX ? max : SNAPSHOTS_MAX;

    timeline->instance = take(timeline, size);
    timeline->snapshots = take(timeline, timeline->snapshot_max * sizeof(snapshot));
    void *block = take(timeline, size);
    if (!timeline->instance || !timeline->snapshots || !block) {
        give(timeline, block, size);
        zo_timeline_free(timeline);
        return NULL;
    }
    const zo_instance *made = zo_instance_init(timeline->instance, size, program, &def->instance);
    ZO_ASSERT(made != NULL);
    zo_instance_snapshot(made, block, size);
    timeline->snapshots[timeline->snapshot_count++] = (snapshot){.block = block};
    set_next_snapshot(timeline);
    return timeline;
}

void zo_timeline_adopt(zo_timeline *timeline, const zo_instance *old, zo_gone_fn tell, void *context) {
    ZO_ASSERT(timeline != NULL && timeline->entry_count == 0 && timeline->snapshot_count == 1);
    zo_instance_adopt(timeline->instance, old, tell, context);
    snapshot *first = &timeline->snapshots[0];
    first->t_ns = timeline->instance->now_ns;
    zo_instance_snapshot(timeline->instance, first->block, timeline->instance_size);
    set_next_snapshot(timeline);
}

const zo_instance *zo_timeline_instance(const zo_timeline *timeline) {
    ZO_ASSERT(timeline != NULL);
    return timeline->instance;
}

void zo_timeline_listen(zo_timeline *timeline, zo_event_fn listen, void *context) {
    ZO_ASSERT(timeline != NULL);
    timeline->listen = listen;
    timeline->context = context;
}

uint32_t zo_timeline_input_count(const zo_timeline *timeline) {
    ZO_ASSERT(timeline != NULL);
    return timeline->entry_count;
}

bool zo_timeline_input_at(const zo_timeline *timeline, uint32_t index, zo_input *input) {
    ZO_ASSERT(timeline != NULL && input != NULL);
    if (index >= timeline->entry_count) { return false; }
    *input = timeline->entries[index].input;
    return true;
}

uint32_t zo_timeline_snapshot_count(const zo_timeline *timeline) {
    ZO_ASSERT(timeline != NULL);
    return timeline->snapshot_count;
}

size_t zo_timeline_size(const zo_timeline *timeline) {
    ZO_ASSERT(timeline != NULL);
    return timeline->size;
}
