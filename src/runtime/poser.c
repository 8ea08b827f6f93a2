// The machine that shows poses: each of its states is a node, a pose at every time of the world. It goes from state to
// state only where it is asked to, and an edge leads. One kind changes at once, and blends; the other looks at the
// world every so often, tells which events lie between two looks, and does what they ask for. Called by instance.c and
// pose.c, and by api through the verbs. How dialects differ is in the program's records alone.
#include <math.h>

#include "runtime/runtime.h"

#define NEVER INT64_MAX

const zp_machine *zr_poser_record(const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MACHINES); ++i) {
        if (zp_machine_poses(&program->machines[i])) { return &program->machines[i]; }
    }
    return NULL;
}

static const zp_machine *record_of(const zo_instance *instance) { return zr_poser_record(instance->program); }

static bool polls(const zp_machine *record) { return record->commit == ZP_COMMIT_NEXT_POLL; }

static bool polls_for_host(const zo_instance *instance, const zp_machine *record) {
    return polls(record) && (record->poll_ns == 0 || instance->host_polls);
}

// ---------------------------------------------------------------------------------------------------- time

// Source: Forge 1.12, Animation.getWorldTime: a float, so that it grows coarse after days.
static double as_told(const zp_machine *record, double seconds) {
    return record->flags & ZP_MACHINE_TIME_F32 ? (double)(float)seconds : seconds;
}

double zr_world_s(const zo_instance *instance) {
    const zr_poser *p = zr_poser_of(instance);
    if (!p) { return (double)zr_motion_ns(instance) / 1e9; }
    const zp_machine *record = record_of(instance);
    if (polls_for_host(instance, record)) { return p->last_s; }
    return as_told(record, (double)(zr_motion_ns(instance) - p->origin_ns) / 1e9);
}

void zr_poser_shift(zo_instance *instance, int64_t ns) {
    zr_poser *p = zr_poser_of(instance);
    p->origin_ns += ns;
    if (p->next_ns != NEVER) { p->next_ns += ns; }
    for (uint32_t i = 0; i < p->shown_count; ++i) { p->shown[i].start_ns += ns; }
}

// While hidden only what takes no time is due.
int64_t zr_poser_due_ns(const zo_instance *instance) {
    const zr_poser *p = zr_poser_of(instance);
    if (instance->hidden) { return p->next_ns <= instance->hidden_ns ? instance->now_ns : NEVER; }
    return p->next_ns;
}

// ---------------------------------------------------------------------------------------------------- states

static void show_alone(zr_poser *p, uint32_t state, int64_t now_ns) {
    memset(p->shown, 0, sizeof p->shown);
    p->shown[0] = (zr_layer){.state = state, .start_ns = now_ns};
    p->shown_count = 1;
}

// Where in the pile the topmost state is that counts wholly.
static uint32_t whole(const zo_instance *instance) {
    const zr_poser *p = zr_poser_of(instance);
    uint32_t at = p->shown_count - 1;
    while (at > 0 && zr_poser_weight(instance, &p->shown[at]) < 1.0) { --at; }
    return at;
}

uint32_t zr_poser_layers(const zo_instance *instance, const zr_layer **layers) {
    const zr_poser *p = zr_poser_of(instance);
    const uint32_t first = whole(instance);
    *layers = &p->shown[first];
    return p->shown_count - first;
}

double zr_poser_weight(const zo_instance *instance, const zr_layer *layer) {
    const int64_t gone_ns = zr_motion_ns(instance) - layer->start_ns;
    return gone_ns < layer->blend_ns ? (double)gone_ns / (double)layer->blend_ns : 1.0;
}

// From what is shown, which may be on its way itself. When there are too many the innermost goes.
static void blend_in(zo_instance *instance, uint32_t state, int64_t blend_ns) {
    zr_poser *p = zr_poser_of(instance);
    uint32_t gone = whole(instance);
    if (p->shown_count - gone > ZR_BLENDS_MAX) { ++gone; }
    p->shown_count -= gone;
    memmove(&p->shown[0], &p->shown[gone], p->shown_count * sizeof p->shown[0]);
    memset(&p->shown[p->shown_count], 0, gone * sizeof p->shown[0]);
    p->shown[p->shown_count++] =
        (zr_layer){.state = state, .start_ns = zr_motion_ns(instance), .blend_ns = blend_ns};
    p->shown[0].blend_ns = 0; // it counts wholly
}

static void tell_state(zo_instance *instance) {
    const zr_poser *p = zr_poser_of(instance);
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_STATE, .clip = instance->program->states[p->state].activity,
                                  .value = p->state, .detail = p->via});
}

void zr_poser_init(zo_instance *instance) {
    const zp_machine *record = record_of(instance);
    zr_poser *p = zr_poser_of(instance);
    const int64_t now_ns = zr_motion_ns(instance);
    *p = (zr_poser){.state = record->start, .via = ZO_VIA_START, .origin_ns = now_ns};
    p->next_ns = polls(record) && !polls_for_host(instance, record) ? now_ns : NEVER;
    show_alone(p, record->start, now_ns);
}

void zr_poser_start(zo_instance *instance) { tell_state(instance); }

bool zr_poser_request(zo_instance *instance, uint32_t state, zo_via via) {
    const zp_machine *record = record_of(instance);
    zr_poser *p = zr_poser_of(instance);
    const zp_state *from = &instance->program->states[p->state];
    for (uint32_t i = 0; i < from->edge_count; ++i) {
        const zp_edge *edge = &instance->program->edges[from->first_edge + i];
        if (edge->to != state) { continue; }
        p->state = state;
        p->via = (uint32_t)via;
        if (!polls(record)) { // else it is shown when the world is looked at next
            if (edge->blend_ns > 0) {
                blend_in(instance, state, edge->blend_ns);
            } else {
                show_alone(p, state, zr_motion_ns(instance));
            }
        }
        tell_state(instance);
        return true;
    }
    return false;
}

zp_fault zr_poser_fault(const zo_instance *instance) {
    const zr_layer *layers;
    const uint32_t count = zr_poser_layers(instance, &layers);
    zp_fault fault = ZP_FAULT_NONE;
    for (uint32_t i = 0; i < count && fault == ZP_FAULT_NONE; ++i) {
        const zp_state *state = &instance->program->states[layers[i].state];
        fault = zr_node_fault(instance, state->node_ref - 1, zr_world_s(instance));
    }
    return fault;
}

// ---------------------------------------------------------------------------------------------------- looking

// The first look finds nothing: there is no time before it.
static void look_at(zo_instance *instance, double seconds) {
    zr_poser *p = zr_poser_of(instance);
    show_alone(p, p->state, zr_motion_ns(instance));
    p->from_s = p->looked ? p->last_s : seconds;
    p->to_s = p->last_s = seconds;
    p->looked = 1;
    p->refused = 0;
    p->telling = instance->program->states[p->state].node_ref;
    p->behind = (double)INFINITY;
    p->pass = 0;
    p->order = p->index = 0;
}

static double told_at(const zo_instance *instance, int64_t ns) {
    return as_told(record_of(instance), (double)(ns - zr_poser_of(instance)->origin_ns) / 1e9);
}

static uint32_t cost_of(const zo_instance *instance) { // of a look
    const zp_state *state = &instance->program->states[zr_poser_of(instance)->state];
    return 1 + instance->program->nodes[state->node_ref - 1].cost / 32;
}

uint32_t zr_poser_look(zo_instance *instance) {
    zr_poser *p = zr_poser_of(instance);
    ZO_ASSERT(p->telling == 0);
    look_at(instance, told_at(instance, p->next_ns));
    p->next_ns += record_of(instance)->poll_ns;
    return cost_of(instance);
}

// A look that finds nothing leaves nothing behind but when it was, which the next one does over.
static void leap(zo_instance *instance, int64_t last_ns, double last_s) {
    zr_poser *p = zr_poser_of(instance);
    if (last_ns > instance->now_ns) { instance->now_ns = last_ns; }
    show_alone(p, p->state, zr_motion_ns(instance));
    p->last_s = last_s;
    p->looked = 1;
    p->next_ns = last_ns + record_of(instance)->poll_ns;
}

// Tries so many as went well last time twice over, and half of them when they do not.
uint32_t zr_poser_leap(zo_instance *instance, int64_t until_ns, zr_stride *stride) {
    const int64_t poll_ns = record_of(instance)->poll_ns;
    const zr_poser *p = zr_poser_of(instance);
    const uint32_t node = instance->program->states[p->state].node_ref - 1, cost = 4 * cost_of(instance);
    ZO_ASSERT(p->telling == 0 && !instance->hidden);
    if (until_ns < p->next_ns) { return 0; }
    const int64_t there = (until_ns - p->next_ns) / poll_ns + 1;
    int64_t count = stride->count > ZR_STRIDE_MIN ? stride->count : ZR_STRIDE_MIN;
    if (count > there) { count = there; }
    for (uint32_t sum = cost; count >= ZR_STRIDE_MIN; count /= 2, sum += cost) {
        const int64_t last_ns = p->next_ns + (count - 1) * poll_ns;
        const double last_s = told_at(instance, last_ns);
        const double from_s = p->looked ? p->last_s : told_at(instance, p->next_ns);
        if (!zr_node_is_quiet(instance, node, from_s, last_s)) { continue; }
        leap(instance, last_ns, last_s);
        stride->count = 2 * count;
        return sum;
    }
    *stride = (zr_stride){.rest = ZR_STRIDE_MIN};
    return 0;
}

bool zr_poser_poll(zo_instance *instance, double seconds) {
    const zp_machine *record = record_of(instance);
    if (!polls_for_host(instance, record)) { return false; }
    const double told_s = as_told(record, seconds); // which may be beyond what a float holds
    zr_told next;
    if (!zb_is_finite(told_s) || zr_poser_next(instance, &next)) { return false; }
    look_at(instance, told_s);
    return true;
}

bool zr_poser_next(zo_instance *instance, zr_told *next) {
    zr_poser *p = zr_poser_of(instance);
    if (p->telling == 0) { return false; }
    const zr_told last = {.behind = p->behind, .pass = p->pass, .order = p->order, .index = p->index};
    if (zr_node_next_event(instance, p->telling - 1, p->from_s, p->to_s, &last, next)) { return true; }
    p->telling = p->order = p->index = p->refused = 0;
    p->from_s = p->to_s = p->behind = 0.0;
    p->pass = 0;
    return false;
}

uint32_t zr_poser_state_ref(const zo_instance *instance, const char *name) {
    const zp_machine *record = record_of(instance);
    for (uint32_t i = record->first_state; i < record->first_state + record->state_count; ++i) {
        if (strcmp(zp_name_text(instance->program, instance->program->states[i].name), name) == 0) { return i + 1; }
    }
    return 0;
}

// An event asks for a state. When that is in vain the rest of this look asks in vain too.
static void follow(zo_instance *instance, zp_name name) {
    zr_poser *p = zr_poser_of(instance);
    const uint32_t ref = p->refused ? 0 : zr_poser_state_ref(instance, zp_name_text(instance->program, name));
    if (ref != 0 && zr_poser_request(instance, ref - 1, ZO_VIA_EVENT)) { return; }
    p->refused = 1;
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_REFUSED, .clip = name});
}

void zr_poser_tell(zo_instance *instance, const zr_told *next, zo_event *event) {
    const zp_program *program = instance->program;
    zr_poser *p = zr_poser_of(instance);
    const zp_name name = next->event ? next->event->name : next->node->event;
    const uint32_t action = next->event ? next->event->action : next->node->detail;
    p->behind = next->behind;
    p->pass = next->pass;
    p->order = next->order;
    p->index = next->index;
    *event = (zo_event){.kind = (zo_event_kind)action, .t_ns = instance->now_ns, .clip = {next->node->clip_ref},
                        .index = next->index, .at_s = p->to_s - next->behind, .name = zp_name_text(program, name),
                        .activity = program->names};
    if (action != ZP_ACTION_REQUEST_STATE) { return; }
    instance->in_event = 1;
    follow(instance, name);
    instance->in_event = 0;
}

// ---------------------------------------------------------------------------------------------------- after a reload

static uint32_t same_state_ref(const zo_instance *instance, const zo_instance *old, uint32_t state) {
    return zr_poser_state_ref(instance, zp_name_text(old->program, old->program->states[state].name));
}

static bool blends(const zo_instance *instance, const zp_machine *record) {
    for (uint32_t i = 0; i < record->edge_count; ++i) {
        if (instance->program->edges[record->first_edge + i].blend_ns > 0) { return true; }
    }
    return false;
}

// The pile; what is gone is left out of it, and where nothing blends any more all but the last.
static void adopt_shown(zo_instance *instance, const zo_instance *old) {
    const zr_poser *was = zr_poser_of(old);
    zr_poser *p = zr_poser_of(instance);
    ZO_ASSERT(p != NULL && was != NULL);
    memset(p->shown, 0, sizeof p->shown);
    p->shown_count = 0;
    for (uint32_t i = blends(instance, record_of(instance)) ? 0 : was->shown_count - 1; i < was->shown_count; ++i) {
        const uint32_t ref = same_state_ref(instance, old, was->shown[i].state);
        if (ref == 0) { continue; }
        p->shown[p->shown_count] = was->shown[i];
        p->shown[p->shown_count++].state = ref - 1;
    }
    if (p->shown_count == 0) { show_alone(p, p->state, zr_motion_ns(instance)); }
    p->shown[0].blend_ns = 0;
}

// What a look had found and nobody has asked for is left behind.
void zr_poser_adopt(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    const zr_poser *was = old ? zr_poser_of(old) : NULL;
    zr_poser *p = zr_poser_of(instance);
    zr_poser_init(instance);
    if (!was) {
        if (instance->awake) { zr_poser_start(instance); }
        return;
    }
    const zp_machine *record = record_of(instance), *old_record = record_of(old);
    p->origin_ns = was->origin_ns;
    p->last_s = was->last_s;
    p->looked = was->looked;
    if (p->next_ns != NEVER && was->next_ns != NEVER) {
        const int64_t rest_ns = was->next_ns - zr_motion_ns(instance);
        if (record->poll_ns == old_record->poll_ns || rest_ns <= record->poll_ns) { p->next_ns = was->next_ns; }
    }
    const uint32_t ref = same_state_ref(instance, old, was->state);
    if (ref == 0) {
        zr_tell_gone(adoption, ZO_GONE_STATE, old->program, old->program->states[was->state].name, 0);
        if (instance->awake) { zr_poser_start(instance); }
        return;
    }
    p->state = ref - 1;
    p->via = was->via;
    adopt_shown(instance, old);
}
