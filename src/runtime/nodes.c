// Pose nodes: the transforms that a node makes of a time, and the events that lie between two times. Called by pose.c
// and by the machine that shows poses. Walks with stacks of fixed size: how deep a node goes, and how often it is come
// to, was checked with the program.
#include <math.h>

#include "base/maths.h"
#include "runtime/runtime.h"

static double value_of(const zp_program *program, const zo_instance *instance, uint32_t expr_ref, double t,
                       zp_fault *fault) {
    return expr_ref == 0 ? t : zr_expr_value(program, instance, expr_ref - 1, t, fault);
}

// ---------------------------------------------------------------------------------------------------- poses

static zo_transform *own_of(const zr_pose *block, uint32_t level) {
    return block->own + (size_t)level * block->pose.target_count;
}

static void fill_from_slots(const zr_pose *block, const double *slots, zo_transform *own) {
    for (uint32_t i = 0; i < block->pose.target_count; ++i) {
        zr_own_transform(&block->program->targets[i], slots, &own[i]);
    }
}

static void fill_from_clip(const zo_instance *instance, uint32_t clip_index, double t, zr_pose *block,
                           zo_transform *own) {
    const zp_program *program = block->program;
    const zp_clip *clip = &program->clips[clip_index];
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        block->params[i] = program->params[clip->first_param + i].value;
    }
    memcpy(block->scratch, block->rest, block->pose.slot_count * sizeof(double));
    for (uint32_t i = 0; instance && i < block->index_count; ++i) {
        block->scratch[block->index_slots[i]] = (double)instance->cel_ref;
    }
    const zr_moment at = zr_moment_at(clip, t);
    zr_clip_eval(program, clip, &at, block->params, block->scratch);
    fill_from_slots(block, block->scratch, own);
}

typedef struct visit {
    uint32_t node;
    uint32_t level; // where its transforms go; those above are free
    uint32_t done;  // children
    double t, p;
} visit;

static void combine(const zr_pose *block, const zp_node *node, const visit *at) {
    zo_transform *a = own_of(block, at->level);
    const zo_transform *b = own_of(block, at->level + 1);
    for (uint32_t i = 0; i < block->pose.target_count; ++i) {
        if (node->kind == ZP_NODE_BLEND) {
            zr_transform_blend(&a[i], &b[i], at->p, &a[i]);
        } else {
            zb_affine_multiply(a[i].m, a[i].m, b[i].m);
            a[i].opacity *= b[i].opacity;
        }
    }
}

uint32_t zr_node_pose(const zo_instance *instance, uint32_t node_index, double t, uint32_t level, zr_pose *block) {
    const zp_program *program = block->program;
    visit stack[ZP_NODE_HEIGHT_MAX];
    uint32_t depth = 1, clips = 0, others = 0;
    stack[0] = (visit){.node = node_index, .level = level, .t = t};
    while (depth > 0) {
        visit *at = &stack[depth - 1];
        const zp_node *node = &program->nodes[at->node];
        zp_fault fault = ZP_FAULT_NONE; // not of interest here, see zr_node_fault
        ZO_ASSERT(at->level < block->depth);
        switch ((zp_node_kind)node->kind) {
        case ZP_NODE_CLIP:
            fill_from_clip(instance, node->clip_ref - 1, at->t, block, own_of(block, at->level));
            ++clips;
            --depth;
            break;
        case ZP_NODE_TIME:
            *at = (visit){.node = node->a_ref - 1, .level = at->level,
                          .t = value_of(program, instance, node->expr_ref, at->t, &fault)};
            break;
        case ZP_NODE_TRIGGER: *at = (visit){.node = node->a_ref - 1, .level = at->level, .t = at->t}; break;
        case ZP_NODE_BLEND:
        case ZP_NODE_PRODUCT:
            if (at->done == 2) {
                combine(block, node, at);
                --depth;
                break;
            }
            if (node->kind == ZP_NODE_BLEND && at->done == 0) {
                at->p = zb_clamp(value_of(program, instance, node->expr_ref, at->t, &fault), 0.0, 1.0);
                if (at->p == 0.0 || at->p == 1.0) { // one of them alone
                    at->node = (at->p == 0.0 ? node->a_ref : node->b_ref) - 1;
                    break;
                }
            }
            stack[depth++] = (visit){.node = (at->done == 0 ? node->a_ref : node->b_ref) - 1,
                                     .level = at->level + at->done, .t = at->t};
            ++at->done;
            break;
        default:
            fill_from_slots(block, block->rest, own_of(block, at->level));
            ++others;
            --depth;
        }
    }
    return clips == 1 && others == 0 ? 1 : 0;
}

// ---------------------------------------------------------------------------------------------------- leaves

// All nodes under a node, each as often as it is come to: what stands first comes first, a before b, and a trigger
// behind what it triggers on.
typedef struct walk {
    const zp_program *program;
    const zo_instance *instance;
    struct { uint32_t node, done; double t0, t1; } stack[ZP_NODE_HEIGHT_MAX];
    uint32_t depth;
    zp_fault fault;       // the first that was met
    const zp_node *node;  // the present one,
    double t0, t1;        // and its times
} walk;

static void open_walk(walk *w, const zo_instance *instance, uint32_t node, double t0, double t1) {
    w->program = instance->program;
    w->instance = instance;
    w->depth = 1;
    w->fault = ZP_FAULT_NONE;
    w->stack[0].node = node;
    w->stack[0].done = 0;
    w->stack[0].t0 = t0;
    w->stack[0].t1 = t1;
}

static bool next_in(walk *w) {
    while (w->depth > 0) {
        const uint32_t top = w->depth - 1, done = w->stack[top].done++;
        const zp_node *node = &w->program->nodes[w->stack[top].node];
        const uint32_t child_ref = done == 0 ? node->a_ref : done == 1 ? node->b_ref : 0;
        double t0 = w->stack[top].t0, t1 = w->stack[top].t1;
        if (child_ref == 0) {
            --w->depth;
            w->node = node;
            w->t0 = t0;
            w->t1 = t1;
            return true;
        }
        if (node->kind == ZP_NODE_TIME) {
            t0 = value_of(w->program, w->instance, node->expr_ref, t0, &w->fault);
            t1 = value_of(w->program, w->instance, node->expr_ref, t1, &w->fault);
        }
        w->stack[w->depth].node = child_ref - 1;
        w->stack[w->depth].done = 0;
        w->stack[w->depth].t0 = t0;
        w->stack[w->depth++].t1 = t1;
    }
    return false;
}

zp_fault zr_node_fault(const zo_instance *instance, uint32_t node, double t) {
    walk w;
    open_walk(&w, instance, node, t, t);
    while (next_in(&w) && w.fault == ZP_FAULT_NONE) {
        if (w.node->kind == ZP_NODE_FAULT) { w.fault = (zp_fault)w.node->detail; }
        if (w.node->kind == ZP_NODE_BLEND || w.node->kind == ZP_NODE_TRIGGER) {
            value_of(w.program, instance, w.node->expr_ref, w.t1, &w.fault);
        }
    }
    return w.fault;
}

// ---------------------------------------------------------------------------------------------------- events

// A clip at times this far has no events any more: halves of a pass could hardly be told apart.
#define EVENTS_FAR 0x1p50

static const zp_event *event_at(const zp_program *program, const zp_clip *clip, uint32_t index) {
    return &program->events[clip->first_event + index];
}

// Whether the event has been told: those that lie further back have, and of those that lie as far back the ones of
// nodes behind this, and of the same node the ones before it.
static bool is_told(const zr_told *last, double behind, uint32_t order, int64_t pass, uint32_t index) {
    if (behind != last->behind) { return behind > last->behind; }
    if (order != last->order) { return order > last->order; }
    return pass != last->pass ? pass < last->pass : index <= last->index;
}

typedef struct stretch { // of a clip's time, that is looked through
    const zp_program *program;
    const zp_clip *clip;
    double t0, t1;
    const zr_told *last;
    uint32_t order;
} stretch;

static double instant(const stretch *s, int64_t pass, uint32_t index) {
    return (double)pass + event_at(s->program, s->clip, index)->at;
}

// Whether it is still to be told or comes after what is: true from one event on.
static bool is_to_come(const stretch *s, int64_t pass, uint32_t index) {
    const double at = instant(s, pass, index);
    return at >= s->t0 && !is_told(s->last, s->t1 - at, s->order, pass, index);
}

// The first event of a clip between two times that has not been told. Passes may be so many that they are not counted
// through: halving finds the place.
static bool first_of_clip(const stretch *s, zr_told *found) {
    const uint32_t count = s->clip->event_count;
    if (count == 0 || !(s->t0 < s->t1)) { return false; }
    int64_t low = 0, high = 0;
    if (s->clip->flags & ZP_CLIP_WRAPS) {
        low = (int64_t)floor(zb_clamp(s->t0, -EVENTS_FAR, EVENTS_FAR)) - 1;
        high = (int64_t)floor(zb_clamp(s->t1, -EVENTS_FAR, EVENTS_FAR));
    }
    while (low < high) { // the first pass whose last event is to come
        const int64_t middle = low + (high - low) / 2;
        if (is_to_come(s, middle, count - 1)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    uint32_t first = 0, end = count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (is_to_come(s, low, middle)) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    if (first == count || !(instant(s, low, first) < s->t1)) { return false; }
    found->behind = s->t1 - instant(s, low, first);
    found->order = s->order;
    found->pass = low;
    found->index = first;
    found->event = event_at(s->program, s->clip, first);
    return true;
}

static bool first_of_node(const walk *w, uint32_t order, const zr_told *last, zr_told *found) {
    *found = (zr_told){.node = w->node};
    if (w->node->kind == ZP_NODE_CLIP) {
        const stretch s = {w->program, &w->program->clips[w->node->clip_ref - 1], w->t0, w->t1, last, order};
        return first_of_clip(&s, found);
    }
    if (w->node->kind != ZP_NODE_TRIGGER || is_told(last, 0.0, order, 0, 0)) { return false; }
    zp_fault fault = ZP_FAULT_NONE;
    found->order = order;
    return value_of(w->program, w->instance, w->node->expr_ref, w->t0, &fault) < 0.0 &&
           value_of(w->program, w->instance, w->node->expr_ref, w->t1, &fault) >= 0.0;
}

bool zr_node_next_event(const zo_instance *instance, uint32_t node, double t0, double t1, const zr_told *last,
                        zr_told *next) {
    walk w;
    bool any = false;
    open_walk(&w, instance, node, t0, t1);
    for (uint32_t order = 0; next_in(&w); ++order) {
        zr_told found;
        if (!first_of_node(&w, order, last, &found)) { continue; }
        if (any && found.behind < next->behind) { continue; }
        *next = found; // the later node of two that lie as far back
        any = true;
    }
    return any;
}

// ---------------------------------------------------------------------------------------------------- none

static bool clip_is_quiet(const zp_program *program, const zp_clip *clip, zr_bounds t) {
    static const zr_told nothing = {.behind = (double)INFINITY};
    zr_told found;
    const stretch s = {program, clip, t.low, t.high, &nothing, 0};
    return clip->event_count == 0 || (zb_is_finite(t.low) && zb_is_finite(t.high) && !first_of_clip(&s, &found));
}

bool zr_node_is_quiet(const zo_instance *instance, uint32_t node_index, double t0, double t1) {
    const zp_program *program = instance->program;
    struct { uint32_t node; zr_bounds t; } stack[ZP_NODE_HEIGHT_MAX + 1]; // one to come for each node on the way down
    uint32_t depth = 1;
    stack[0].node = node_index;
    stack[0].t = (zr_bounds){t0 < t1 ? t0 : t1, t0 < t1 ? t1 : t0, ZR_SAME_NOTHING};
    while (depth > 0) {
        const zp_node *node = &program->nodes[stack[--depth].node];
        const zr_bounds t = stack[depth].t;
        zr_bounds value = t;
        if (node->kind == ZP_NODE_CLIP && !clip_is_quiet(program, &program->clips[node->clip_ref - 1], t)) {
            return false;
        }
        if ((node->kind == ZP_NODE_TIME || node->kind == ZP_NODE_TRIGGER) && node->expr_ref != 0) {
            value = zr_expr_bounds(instance, node->expr_ref - 1, t);
        }
        if (node->kind == ZP_NODE_TRIGGER && !(value.high < 0.0 || value.low >= 0.0)) { return false; }
        const uint32_t children[] = {node->a_ref, node->b_ref};
        for (uint32_t i = 0; i < ZB_COUNT(children); ++i) {
            if (children[i] == 0) { continue; }
            ZO_ASSERT(depth <= ZP_NODE_HEIGHT_MAX);
            stack[depth].node = children[i] - 1;
            stack[depth++].t = node->kind == ZP_NODE_TIME ? value : t;
        }
    }
    return true;
}
