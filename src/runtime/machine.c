// The machine that runs by itself: states whose clips play one after another along weighted edges, and what it is asked
// for. Each state's clip is an ordinary run; when it is complete the machine takes a step, by the kept way, by what has
// been asked for, or by chance. Called by instance.c when its time has come, by api and by directors through the verbs.
// How its models differ is in the program's records alone.
#include "base/random.h"
#include "base/utf8.h"
#include "runtime/runtime.h"

#define NEVER INT64_MAX

// ---------------------------------------------------------------------------------------------------- the records

const zp_machine *zr_machine_record(const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MACHINES); ++i) {
        if (zp_machine_runs(&program->machines[i])) { return &program->machines[i]; }
    }
    return NULL;
}

static const zp_machine *record_of(const zo_instance *instance) { return zr_machine_record(instance->program); }

static const zp_play *play_of(const zo_instance *instance, uint32_t state, uint32_t *play_ref) {
    const zp_program *program = instance->program;
    *play_ref = program->words[program->states[state].first_play];
    return &program->plays[*play_ref - 1];
}

uint32_t zr_machine_clip(const zo_instance *instance) {
    uint32_t play_ref;
    return play_of(instance, zr_machine_of(instance)->state, &play_ref)->clip;
}

static const zp_clip *clip_of(const zo_instance *instance) {
    return &instance->program->clips[zr_machine_clip(instance)];
}

// How long it takes from its start to its first completion; NEVER: it has none.
static int64_t first_pass_ns(const zp_clip *clip) { return clip->complete_ns < 0 ? NEVER : clip->complete_ns; }

// ---------------------------------------------------------------------------------------------------- the block

// One for each of the machine's states, in the order in which they stand in the block.
typedef struct tables {
    uint32_t *route;   // the rest of the way, backwards: the target first
    uint32_t *order;   // of a search: states in the order in which they were seen
    uint32_t *from;    // of a search: state + 1 from where it was seen, or itself where it begins; 0: not yet
    uint8_t *wanted;
} tables;

size_t zr_machine_size(const zp_program *program) {
    const zp_machine *record = zr_machine_record(program);
    size_t size;
    if (!record) { return 0; }
    if (!zb_mul_size(record->state_count, 3 * sizeof(uint32_t) + 1, &size)) { return SIZE_MAX; }
    if (!zb_add_size(size, sizeof(zr_machine) + 7, &size)) { return SIZE_MAX; }
    return size & ~(size_t)7;
}

static tables tables_of(const zo_instance *instance) {
    const uint32_t count = record_of(instance)->state_count;
    uint32_t *first = (uint32_t *)(void *)(zr_machine_of(instance) + 1);
    return (tables){first, first + count, first + 2 * (size_t)count, (uint8_t *)(first + 3 * (size_t)count)};
}

// ---------------------------------------------------------------------------------------------------- frames

typedef struct frames {
    int64_t step_ns;
    uint32_t count;
} frames;

// Those that begin within a pass: a clip that loops never shows what begins at its end.
static frames frames_of(const zo_instance *instance) {
    const zp_clip *clip = clip_of(instance);
    const bool cut = clip->complete_ns > 0 && clip->complete_ns < clip->duration_ns;
    const int64_t pass_ns = cut ? clip->complete_ns : clip->duration_ns;
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        const zp_curve *curve = &instance->program->curves[clip->first_curve + i];
        if (curve->arithmetic != ZP_ARITHMETIC_INDEX || curve->placement != ZP_PLACE_STEP_NS) { continue; }
        const int64_t step_ns = instance->program->instants[curve->step_ref - 1];
        const int64_t count = (clip->repeat == ZP_REPEAT_LOOP ? pass_ns - 1 : pass_ns) / step_ns + 1;
        return (frames){step_ns, count < (int64_t)curve->key_count ? (uint32_t)count : curve->key_count};
    }
    return (frames){clip->duration_ns, 1};
}

uint32_t zr_machine_frame_count(const zo_instance *instance) { return frames_of(instance).count; }

uint32_t zr_machine_frame(const zo_instance *instance) {
    const zr_machine *m = zr_machine_of(instance);
    if (m->held) { return m->held_frame; }
    const zr_run *run = zr_run_find(instance, m->run);
    if (!run) { return 0; }
    const frames f = frames_of(instance);
    const int64_t frame = zr_run_local_ns(instance, run) / f.step_ns;
    return frame < (int64_t)f.count ? (uint32_t)frame : f.count - 1;
}

// ---------------------------------------------------------------------------------------------------- what plays

static void start_clip(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    uint32_t play_ref;
    play_of(instance, m->state, &play_ref);
    zr_run *run = zr_run_find(instance, m->run);
    m->run = 0;
    if (run) { zr_run_remove(instance, run, m->complete ? ZO_END_FINISHED : ZO_END_CANCELLED); }
    m->run = zr_play_start(instance, play_ref, ZR_OWNER_MACHINE, 0);
    m->complete = 0;
    const int64_t pass_ns = first_pass_ns(clip_of(instance));
    m->next_ns = pass_ns == NEVER ? NEVER : zr_motion_ns(instance) + pass_ns;
}

void zr_machine_let_go(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    if (!m->held) { return; }
    const int64_t now_ns = zr_motion_ns(instance);
    if (m->next_ns != NEVER) { m->next_ns += now_ns - m->held_ns; }
    zr_run *run = zr_run_find(instance, m->run);
    if (run) {
        run->origin_ns = now_ns - m->held_local_ns;
        run->paused = 0;
        run->paused_ns = 0;
    }
    m->held = m->held_frame = 0;
    m->held_ns = m->held_local_ns = 0;
}

void zr_machine_hold(zo_instance *instance, zr_hold what, uint32_t frame) {
    zr_machine *m = zr_machine_of(instance);
    const frames f = frames_of(instance);
    if (what == ZR_HOLD_CURRENT) { frame = zr_machine_frame(instance); }
    if (what == ZR_HOLD_LAST || frame >= f.count) { frame = f.count - 1; }
    zr_run *run = zr_run_find(instance, m->run);
    if (!m->held) {
        m->held_ns = zr_motion_ns(instance);
        m->held_local_ns = run ? m->held_ns - run->origin_ns : 0;
    }
    m->held = 1;
    m->held_frame = frame;
    if (run) {
        run->paused = 1;
        run->paused_ns = run->origin_ns + frame * f.step_ns;
    }
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_HOLD, .value = m->state, .detail = frame});
}

void zr_machine_restart(zo_instance *instance) {
    zr_machine_let_go(instance);
    start_clip(instance);
}

void zr_machine_set_loop_start(zo_instance *instance, uint32_t frame) {
    zr_run *run = zr_run_find(instance, zr_machine_of(instance)->run);
    const frames f = frames_of(instance);
    const zp_clip *clip = clip_of(instance);
    if (!run || clip->repeat != ZP_REPEAT_LOOP || clip->event_count > 0) { return; }
    const int64_t loop_ns = frame < f.count ? frame * f.step_ns : 0;
    zr_run_set_loop(instance, run, loop_ns < run->pass_ns ? loop_ns : 0);
}

static bool goes_on(const zo_instance *instance, uint32_t state, const zr_run *run) {
    const zp_state *record = &instance->program->states[state];
    uint32_t play_ref;
    if (!run || run->clip != play_of(instance, state, &play_ref)->clip) { return false; }
    switch ((zp_reentry)record->reentry) {
    case ZP_REENTRY_CONTINUE_SAME_CLIP: return true;
    case ZP_REENTRY_CONTINUE_OR_AGAIN: return run->repeat == ZP_REPEAT_LOOP || !zr_machine_of(instance)->complete;
    default: return false;
    }
}

void zr_machine_goto(zo_instance *instance, uint32_t state, zo_via via) {
    zr_machine *m = zr_machine_of(instance);
    zr_machine_let_go(instance);
    m->state = state;
    m->via = (uint32_t)via;
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_STATE, .clip = instance->program->states[state].activity,
                                  .value = state, .detail = (uint32_t)via});
    if (!goes_on(instance, state, zr_run_find(instance, m->run))) { start_clip(instance); }
    if (instance->director && instance->director->on_enter) { instance->director->on_enter(instance); }
}

// ---------------------------------------------------------------------------------------------------- steps

double zr_machine_draw(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    const uint64_t n = m->draws++;
    if (instance->graph_count == 0) { return zb_random_unit(instance->seed, ZB_DOMAIN_GRAPH, 0, n); }
    const double u = instance->graph_list[m->list_used];
    m->list_used = m->list_used + 1 < instance->graph_count ? m->list_used + 1 : 0;
    return zb_clamp(u, 0.0, 1.0);
}

// The first edge whose running sum reaches the share of the whole; sums are added in order, so that shares and running
// sums round alike. NULL: no edge leads on by itself.
static const zp_edge *pick(zo_instance *instance, const zp_state *state) {
    const zp_edge *edges = &instance->program->edges[state->first_edge], *last = NULL;
    double sum = 0.0;
    for (uint32_t i = 0; i < state->edge_count; ++i) {
        if (edges[i].when == ZP_WHEN_COMPLETE) {
            sum += edges[i].weight;
            last = &edges[i];
        }
    }
    if (!last) { return NULL; }
    const double share = zr_machine_draw(instance) * sum;
    double running = 0.0;
    for (const zp_edge *edge = edges; edge < last; ++edge) {
        if (edge->when != ZP_WHEN_COMPLETE) { continue; }
        running += edge->weight;
        if (running >= share) { return edge; }
    }
    return last; // also where rounding leaves none
}

bool zr_machine_pick(zo_instance *instance, uint32_t *state) {
    const zp_edge *edge = pick(instance, &instance->program->states[zr_machine_of(instance)->state]);
    if (edge) { *state = edge->to; }
    return edge != NULL;
}

void zr_machine_step(zo_instance *instance, zo_via via) {
    const uint32_t state = zr_machine_of(instance)->state;
    const zp_edge *edge = pick(instance, &instance->program->states[state]);
    if (edge) {
        zr_machine_goto(instance, edge->to, via);
    } else if (record_of(instance)->flags & ZP_MACHINE_DEAD_END_ENTERS) {
        zr_machine_goto(instance, state, via);
    }
}

static void drop_route(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    memset(tables_of(instance).route, 0, m->route_count * sizeof(uint32_t));
    m->route_count = 0;
}

void zr_machine_drop(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    drop_route(instance);
    memset(m->wishes, 0, sizeof m->wishes);
    m->wish_count = 0;
}

void zr_machine_release(zo_instance *instance) {
    zr_machine_drop(instance);
    zr_machine_goto(instance, record_of(instance)->start, ZO_VIA_RELEASE);
}

// ---------------------------------------------------------------------------------------------------- searches

static bool is_wanted(const zr_wish *wish, zp_name group) {
    if (group == wish->group && group != 0) { return true; }
    for (uint32_t i = 0; i < wish->other_count; ++i) {
        if (wish->others[i] == group && group != 0) { return true; }
    }
    return false;
}

typedef struct search {
    const zo_instance *instance;
    const zp_machine *record;
    tables t;
    uint32_t start;
    uint32_t seen_count;
} search;

// Looks at the edges out of the state that are walked when `when` says: first whether one leads to what is wanted, or
// else, with `spread`, which states are seen from here. Returns state + 1 of the target; 0: none.
static uint32_t look(search *s, uint32_t state, zp_when when, bool spread) {
    const zp_state *record = &s->instance->program->states[state];
    for (uint32_t i = 0; i < record->edge_count; ++i) {
        const zp_edge *edge = &s->instance->program->edges[record->first_edge + i];
        const uint32_t to = edge->to - s->record->first_state;
        if (edge->when != (uint32_t)when || s->t.from[to] != 0) { continue; }
        if (!spread && !s->t.wanted[to]) { continue; }
        s->t.from[to] = state + 1;
        if (!spread) { return edge->to + 1; }
        s->t.order[s->seen_count++] = edge->to;
    }
    return 0;
}

// What leads to the target comes first, then what is walked on request alone, which counts out of the start only, then
// the order of the edges.
static uint32_t expand(search *s, uint32_t state) {
    const bool is_start = state == s->start;
    uint32_t target_ref = is_start ? look(s, state, ZP_WHEN_REQUEST, false) : 0;
    if (target_ref == 0) { target_ref = look(s, state, ZP_WHEN_COMPLETE, false); }
    if (target_ref != 0) { return target_ref; }
    if (is_start) { look(s, state, ZP_WHEN_REQUEST, true); }
    look(s, state, ZP_WHEN_COMPLETE, true);
    return 0;
}

// The shortest way from `start` to a state that is wanted. Returns its first state + 1, which is the start where that
// is wanted itself, and makes what follows the route; 0: there is none, and nothing has changed.
static uint32_t find_way(zo_instance *instance, uint32_t start) {
    zr_machine *m = zr_machine_of(instance);
    search s = {instance, record_of(instance), tables_of(instance), start, 1};
    const uint32_t first = s.record->first_state;
    if (s.t.wanted[start - first]) {
        drop_route(instance);
        return start + 1;
    }
    s.t.order[0] = start;
    s.t.from[start - first] = start + 1;
    uint32_t target_ref = 0;
    for (uint32_t i = 0; i < s.seen_count && target_ref == 0; ++i) { target_ref = expand(&s, s.t.order[i]); }
    uint32_t hop_ref = target_ref;
    if (target_ref != 0) {
        drop_route(instance);
        const bool keeps = (s.record->flags & ZP_MACHINE_KEEPS_ROUTE) != 0;
        for (;;) {
            const uint32_t from_ref = s.t.from[hop_ref - 1 - first];
            if (from_ref == start + 1) { break; }
            if (keeps) { s.t.route[m->route_count++] = hop_ref - 1; }
            hop_ref = from_ref;
        }
        s.t.from[target_ref - 1 - first] = 0; // the target alone is not in the order
    }
    for (uint32_t i = 0; i < s.seen_count; ++i) {
        s.t.from[s.t.order[i] - first] = 0;
        s.t.order[i] = 0;
    }
    return hop_ref;
}

// --------------------------------------------------------------------------------------------------- what is asked for

static uint32_t direct_ref(const zo_instance *instance, zp_name group) {
    const zp_machine *record = record_of(instance);
    for (uint32_t i = record->first_state; i < record->first_state + record->state_count && group != 0; ++i) {
        if (instance->program->states[i].group == group) { return i + 1; }
    }
    return 0;
}

// Answers it at the present instant. false: nothing does.
static bool answer(zo_instance *instance, const zr_wish *wish) {
    const zp_machine *record = record_of(instance);
    const zr_machine *m = zr_machine_of(instance);
    uint8_t *wanted = tables_of(instance).wanted;
    bool any = false;
    for (uint32_t i = 0; i < record->state_count; ++i) {
        wanted[i] = is_wanted(wish, instance->program->states[record->first_state + i].group);
        any |= wanted[i] != 0;
    }
    uint32_t hop_ref = any ? find_way(instance, m->state) : 0;
    if (any && hop_ref == 0 && (record->otherwise & ZP_OTHERWISE_FROM_ROOT)) {
        hop_ref = find_way(instance, record->start);
    }
    memset(wanted, 0, record->state_count);
    if (hop_ref != 0) {
        zr_machine_goto(instance, hop_ref - 1, ZO_VIA_TRIGGER);
        return true;
    }
    hop_ref = record->otherwise & ZP_OTHERWISE_DIRECT ? direct_ref(instance, wish->group) : 0;
    if (hop_ref != 0) {
        drop_route(instance);
        zr_machine_goto(instance, hop_ref - 1, ZO_VIA_DIRECT);
        return true;
    }
    if (!(record->otherwise & ZP_OTHERWISE_STEP)) { return false; }
    zr_machine_let_go(instance);
    zr_machine_step(instance, ZO_VIA_AUTO);
    return true;
}

bool zr_machine_ask(zo_instance *instance, const zr_wish *wish) {
    const zp_machine *record = record_of(instance);
    zr_machine *m = zr_machine_of(instance);
    if (record->act == ZP_ACT_NOW) { return answer(instance, wish); }
    if (wish->group == 0 && !(record->otherwise & ZP_OTHERWISE_STEP)) { return false; }
    if (m->wish_count == ZR_WISHES_MAX) { return false; }
    m->wishes[m->wish_count++] = wish->group;
    return true;
}

zp_name zr_machine_group(const zo_instance *instance, const char *text) {
    const zo_text trimmed = zb_utf8_trim(zb_text(text), zb_is_white);
    const zp_machine *record = record_of(instance);
    if (trimmed.size == 0) { return 0; }
    for (uint32_t i = 0; i < record->state_count; ++i) {
        const zp_name group = instance->program->states[record->first_state + i].group;
        if (zb_text_equal(zb_text(zp_name_text(instance->program, group)), trimmed)) { return group; }
    }
    return 0;
}

void zr_cut_text(const char *text, char out[ZR_UNROUTED_BYTES]) {
    const zo_text trimmed = zb_utf8_trim(zb_text(text), zb_is_white);
    size_t size = 0, next = 0;
    while (next < trimmed.size) { // whole code points
        zb_utf8_next(trimmed.data, trimmed.size, &next, NULL);
        if (next >= ZR_UNROUTED_BYTES) { break; }
        size = next;
    }
    memset(out, 0, ZR_UNROUTED_BYTES);
    if (size > 0) { memcpy(out, trimmed.data, size); }
}

void zr_machine_tell_unrouted(zo_instance *instance, const char *text) {
    zr_machine *m = zr_machine_of(instance);
    const uint32_t at = m->unrouted_next;
    m->unrouted_next = at + 1 < ZR_UNROUTED_MAX ? at + 1 : 0;
    zr_cut_text(text, m->unrouted[at]);
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_UNROUTED, .run = at + 1});
}

bool zr_machine_trigger(zo_instance *instance, const char *text) {
    const zr_wish wish = {.group = zr_machine_group(instance, text)};
    if (zr_machine_ask(instance, &wish)) { return true; }
    if (zr_machine_of(instance)->wish_count < ZR_WISHES_MAX) { zr_machine_tell_unrouted(instance, text); }
    return false;
}

// ---------------------------------------------------------------------------------------------------- time

void zr_machine_start(zo_instance *instance) {
    zr_machine_goto(instance, record_of(instance)->start, ZO_VIA_START);
}

// While hidden only what takes no time is due.
int64_t zr_machine_due_ns(const zo_instance *instance) {
    const zr_machine *m = zr_machine_of(instance);
    if (m->held || m->next_ns == NEVER) { return NEVER; }
    if (instance->hidden) { return m->next_ns <= instance->hidden_ns ? instance->now_ns : NEVER; }
    return m->next_ns;
}

static void follow(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    if (m->route_count > 0) {
        uint32_t *next = &tables_of(instance).route[--m->route_count];
        const uint32_t state = *next;
        *next = 0;
        zr_machine_goto(instance, state, ZO_VIA_ROUTE);
        return;
    }
    if (m->wish_count > 0) {
        const zr_wish wish = {.group = m->wishes[0]};
        --m->wish_count;
        memmove(&m->wishes[0], &m->wishes[1], m->wish_count * sizeof m->wishes[0]);
        m->wishes[m->wish_count] = 0;
        if (answer(instance, &wish)) { return; }
        zr_machine_tell_unrouted(instance, zp_name_text(instance->program, wish.group));
    }
    zr_machine_step(instance, ZO_VIA_AUTO);
}

void zr_machine_complete(zo_instance *instance) {
    zr_machine *m = zr_machine_of(instance);
    const zp_clip *clip = clip_of(instance);
    const zr_run *run = zr_run_find(instance, m->run);
    const bool loops = clip->repeat == ZP_REPEAT_LOOP;
    m->next_ns = loops ? m->next_ns + first_pass_ns(clip) - (run ? run->loop_ns : 0) : NEVER;
    m->complete = 1;
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_CYCLE, .value = m->state});
    const zr_director *director = instance->director;
    if (!director || !director->on_complete || !director->on_complete(instance)) { follow(instance); }
    if (clip_of(instance)->repeat == ZP_REPEAT_LOOP) { m->complete = 0; } // that was this instant
}

void zr_machine_shift(zo_instance *instance, int64_t ns) {
    zr_machine *m = zr_machine_of(instance);
    if (m->next_ns != NEVER) { m->next_ns += ns; }
    if (m->held) { m->held_ns += ns; }
}

// ---------------------------------------------------------------------------------------------------- after a reload

// The state of the same name, among the machine's own: state + 1; 0: it is gone.
static uint32_t same_state_ref(const zo_instance *instance, const zo_instance *old, uint32_t state) {
    const uint32_t state_ref = zr_same_ref(instance->program, old->program, ZP_SECTION_STATES, state);
    const zp_machine *record = record_of(instance);
    return state_ref != 0 && state_ref - 1 - record->first_state < record->state_count ? state_ref : 0;
}

static bool leads(const zp_program *program, uint32_t from, uint32_t to) {
    const zp_state *state = &program->states[from];
    for (uint32_t i = 0; i < state->edge_count; ++i) {
        const zp_edge *edge = &program->edges[state->first_edge + i];
        if (edge->to == to && edge->when == ZP_WHEN_COMPLETE) { return true; }
    }
    return false;
}

// The rest of the way, if every edge of it is still there.
static void adopt_route(zo_instance *instance, const zo_instance *old) {
    zr_machine *m = zr_machine_of(instance);
    const zr_machine *was = zr_machine_of(old);
    const uint32_t *old_route = tables_of(old).route;
    const zp_machine *record = record_of(instance);
    if (was->route_count > record->state_count || !(record->flags & ZP_MACHINE_KEEPS_ROUTE)) { return; }
    uint32_t from = m->state;
    m->route_count = was->route_count;
    for (uint32_t left = was->route_count; left > 0; --left) {
        const uint32_t to_ref = same_state_ref(instance, old, old_route[left - 1]);
        if (to_ref == 0 || !leads(instance->program, from, to_ref - 1)) {
            drop_route(instance);
            return;
        }
        from = tables_of(instance).route[left - 1] = to_ref - 1;
    }
}

static void adopt_wishes(zo_instance *instance, const zo_instance *old) {
    zr_machine *m = zr_machine_of(instance);
    const zr_machine *was = zr_machine_of(old);
    if (record_of(instance)->act == ZP_ACT_NOW) { return; }
    for (uint32_t i = 0; i < was->wish_count; ++i) {
        const zp_name group = zr_same_name(instance->program, old->program, was->wishes[i]);
        const bool is_gone = was->wishes[i] != 0 && direct_ref(instance, group) == 0;
        if (!is_gone) { m->wishes[m->wish_count++] = group; }
    }
}

// When the run that goes on is complete next. Where the clip's times are the same that is when it was.
static void adopt_time(zo_instance *instance, const zo_instance *old, const zr_run *run) {
    zr_machine *m = zr_machine_of(instance);
    const zr_machine *was = zr_machine_of(old);
    const zp_clip *clip = clip_of(instance), *old_clip = clip_of(old);
    const int64_t pass_ns = first_pass_ns(clip);
    const bool loops = clip->repeat == ZP_REPEAT_LOOP;
    m->complete = loops == (old_clip->repeat == ZP_REPEAT_LOOP) && !loops ? was->complete : 0;
    m->next_ns = NEVER;
    if (clip->repeat == old_clip->repeat && pass_ns == first_pass_ns(old_clip) &&
        clip->duration_ns == old_clip->duration_ns) {
        m->next_ns = was->next_ns;
        return;
    }
    if (pass_ns == NEVER || m->complete) { return; }
    const int64_t at_ns = m->held ? m->held_ns : zr_motion_ns(instance);
    int64_t local_ns = m->held ? m->held_local_ns : zr_run_local_ns(instance, run);
    if (loops) { local_ns %= pass_ns; }
    m->next_ns = at_ns + (local_ns < pass_ns ? pass_ns - local_ns : 0);
}

static void adopt_hold(zo_instance *instance, const zo_instance *old, zr_run *run) {
    zr_machine *m = zr_machine_of(instance);
    const zr_machine *was = zr_machine_of(old);
    if (!was->held) { return; }
    const frames f = frames_of(instance);
    m->held = 1;
    m->held_ns = was->held_ns;
    m->held_local_ns = was->held_local_ns;
    m->held_frame = was->held_frame < f.count ? was->held_frame : f.count - 1;
    run->paused_ns = run->origin_ns + m->held_frame * f.step_ns;
}

void zr_machine_adopt(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    zr_machine *m = zr_machine_of(instance);
    if (!old) {
        zr_machine_start(instance);
        return;
    }
    const zr_machine *was = zr_machine_of(old);
    m->draws = was->draws;
    m->list_used = zr_used_of(instance->graph_list, old->graph_list, instance->graph_count, old->graph_count,
                              was->list_used);
    memcpy(m->unrouted, was->unrouted, sizeof m->unrouted);
    m->unrouted_next = was->unrouted_next;
    zr_run *run = zr_run_find(instance, was->run);
    const uint32_t state_ref = same_state_ref(instance, old, was->state);
    if (state_ref == 0) {
        zr_tell_gone(adoption, ZO_GONE_STATE, old->program, old->program->states[was->state].name, 0);
        if (run) { zr_run_remove(instance, run, ZO_END_CANCELLED); }
        zr_machine_start(instance);
        return;
    }
    m->state = state_ref - 1;
    m->via = was->via;
    adopt_route(instance, old);
    adopt_wishes(instance, old);
    m->run = run ? was->run : 0;
    if (run && run->clip == zr_machine_clip(instance)) {
        adopt_hold(instance, old, run);
        adopt_time(instance, old, run);
    } else {
        start_clip(instance); // another one, or it is gone
    }
}

void zr_machine_lost(zo_instance *instance, const zr_run *run) {
    zr_machine *m = zr_machine_of(instance);
    if (run->id == m->run) { m->run = 0; }
}
