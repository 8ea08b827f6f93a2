// The cases of graphs: nodes with clips, weighted edges, a script of steps, held against what happens and where it
// stands after each step. Each case is played three times: whole, in pieces with room for one event, and in pieces of
// other lengths with what a call leads to left to be told by the next advance; and all that as a pack's files and as
// records made here. None of that must change anything.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "program/build.h"
#include "vectors.h"

enum { WHY_MAX = 512, EVENTS_AT_ONCE = 64, TEXT_MAX = 256 };
#define MS INT64_C(1000000)

// What sets the models apart, in the order of zo_model.
static const struct model {
    const char *name;
    uint32_t act, window, otherwise, flags, reentry;
    bool ends_early; // a clip that holds is complete when its last frame is reached, with one frame never
    bool has_frames; // the cases speak of frames, and of clips that are complete
} models[] = {
    {"contract", ZP_ACT_NOW, ZP_WINDOW_OPEN_CLOSED, ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT, ZP_MACHINE_KEEPS_ROUTE,
     ZP_REENTRY_CONTINUE_OR_AGAIN, false, true},
    {"renderer", ZP_ACT_NOW, ZP_WINDOW_OPEN_CLOSED, ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT | ZP_OTHERWISE_STEP,
     ZP_MACHINE_DEAD_END_ENTERS, ZP_REENTRY_CONTINUE_SAME_CLIP, true, true},
    {"state_machine", ZP_ACT_NOW, ZP_WINDOW_OPEN_CLOSED,
     ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT | ZP_OTHERWISE_STEP, ZP_MACHINE_DEAD_END_ENTERS, ZP_REENTRY_RESTART,
     false, false},
    {"simulator", ZP_ACT_AT_COMPLETION, ZP_WINDOW_CLOSED_OPEN, ZP_OTHERWISE_STEP, ZP_MACHINE_DEAD_END_ENTERS,
     ZP_REENTRY_RESTART, false, false},
};

typedef enum cutting { CUT_NONE, CUT_THIRDS, CUT_LATE, CUT_COUNT } cutting;

// What a long case says of all its events together.
typedef struct digest {
    uint32_t node;      // 0: the case lists its events
    uint32_t head, tail; // lists of the first and the last
    double count, t_sum;
    uint32_t *enters;   // [states]
    uint32_t *cycles;   // [clips]
} digest;

typedef struct player {
    vectors *v;
    uint32_t item;
    const struct model *model;
    cutting cut;
    bool as_pack;       // the case is read as a pack's files, else its records are built here
    zo_program *program;
    zo_instance *instance;
    zo_pose *pose;
    uint32_t expected;  // the next event
    uint32_t event_count;
    digest digest;
    char why[WHY_MAX];
} player;

static bool wrong(player *p, const char *format, ...) {
    if (p->why[0] != 0) { return false; } // the first one counts
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->why, WHY_MAX, format, arguments);
    va_end(arguments);
    return false;
}

static double number(player *p, uint32_t object, const char *name) {
    double value = 0.0;
    vectors_number(p->v->doc, object, name, &value);
    return value;
}

// ------------------------------------------------------------------------------------------------------------ programs

typedef struct maker {
    player *p;
    zp_build *build;
    uint32_t *clip_plays; // WORDS of each clip's play
    uint32_t cel_count;
} maker;

static zp_name name_of(maker *m, const char *text) { return zp_build_name(m->build, zb_text(text)); }

static void make_clip(maker *m, uint32_t node, const char *label, uint32_t index) {
    player *p = m->p;
    const uint32_t count = (uint32_t)number(p, node, "frames");
    const int64_t step_ns = (int64_t)number(p, node, "frameIntervalMs") * MS, all_ns = count * step_ns;
    const bool loops = strcmp(vectors_text(p->v, node, "loopMode"), "loop") == 0;
    const int64_t early_ns = count > 1 ? all_ns - step_ns : -1;
    double *cels = zb_arena_take_array(p->v->arena, count, sizeof *cels);
    for (uint32_t i = 0; i < count; i++) {
        zp_build_cel(m->build, &(zp_cel){.name = name_of(m, label), .scale = 1.0}, (zp_span){0, 0});
        cels[i] = ++m->cel_count;
    }
    const zp_clip clip = {
        .name = name_of(m, label), .label = name_of(m, label), .time_unit = ZP_TIME_SECONDS, .duration_ns = all_ns,
        .duration_ns_min = all_ns, .duration_ns_max = all_ns, .repeat = loops ? ZP_REPEAT_LOOP : ZP_REPEAT_HOLD,
        .complete_ns = loops || !p->model->ends_early ? all_ns : early_ns};
    zp_build_clip_begin(m->build, &clip, (zp_span){0, 0});
    zp_build_curve(m->build, &(zp_curve_def){
        .placement = ZP_PLACE_STEP_NS, .interpolation = ZP_INTERPOLATE_HOLD, .arithmetic = ZP_ARITHMETIC_INDEX,
        .width = 1, .key_count = count, .values = cels, .step_ns = step_ns});
    const uint32_t made = zp_build_clip_end(m->build);
    const uint32_t play = zp_build_play(m->build, &(zp_play){.clip = made, .flags = ZP_PLAY_LATER});
    m->clip_plays[index] = zp_build_words(m->build, (const uint32_t[]){play + 1}, 1);
}

// Of the object's members the one of that name: its number, from 0.
static uint32_t member_index(player *p, uint32_t object, const char *name) {
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, member, object) {
        if (zb_text_equal(zj_key(p->v->doc, member), zb_text(name))) { return index; }
        index++;
    }
    wrong(p, "there is no clip %s", name);
    return 0;
}

static uint32_t node_index(player *p, uint32_t nodes, const char *id) {
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, node, nodes) {
        if (strcmp(vectors_text(p->v, node, "id"), id) == 0) { return index; }
        index++;
    }
    wrong(p, "there is no node %s", id);
    return 0;
}

static void make_graph(maker *m) {
    player *p = m->p;
    const zj_doc *doc = p->v->doc;
    const uint32_t graph = vectors_member(doc, p->item, "graph"), nodes = vectors_member(doc, graph, "nodes");
    uint32_t root = 0, index = 0;
    VECTORS_EACH(doc, node, nodes) {
        if (vectors_true(doc, node, "isRoot")) { root = index; }
        index++;
    }
    zp_build_machine(m->build, &(zp_machine){
        .name = name_of(m, "graph"), .routing = ZP_ROUTING_FIRST_HOP, .act = p->model->act, .start = root,
        .commit = ZP_COMMIT_AT_ONCE, .window = p->model->window, .otherwise = p->model->otherwise,
        .flags = p->model->flags});
    VECTORS_EACH(doc, node, nodes) {
        const char *label = vectors_text(p->v, node, "label");
        const uint32_t clip = member_index(p, vectors_member(doc, p->item, "clips"), label);
        zp_build_state(m->build, &(zp_state){
            .name = name_of(m, vectors_text(p->v, node, "id")), .group = name_of(m, label),
            .first_play = m->clip_plays[clip], .play_count = 1, .on_complete = ZP_ON_COMPLETE_PICK,
            .reentry = p->model->reentry});
    }
    VECTORS_EACH(doc, edge, vectors_member(doc, graph, "edges")) {
        const double weight = number(p, edge, "prob");
        zp_build_edge(m->build, &(zp_edge){
            .from_ref = node_index(p, nodes, vectors_text(p->v, edge, "from")) + 1,
            .to = node_index(p, nodes, vectors_text(p->v, edge, "to")),
            .when = weight > 0.0 ? ZP_WHEN_COMPLETE : ZP_WHEN_REQUEST, .weight = weight > 0.0 ? weight : 0.0});
    }
}

// The case is a pack of its own, with its lists of speech beside it, or with empty ones.
static bool make_pack(player *p) {
    const zj_doc *doc = p->v->doc;
    vectors_pack pack;
    vectors_pack_open(&pack, p->v);
    VECTORS_EACH(doc, clip, vectors_member(doc, p->item, "clips")) {
        vectors_pack_clip(&pack, zj_key(doc, clip), (uint32_t)number(p, clip, "frames"),
                          (uint32_t)number(p, clip, "frameIntervalMs"), vectors_text(p->v, clip, "loopMode"));
    }
    zb_buffer mouth = zb_buffer_open(p->v->arena);
    zb_put(&mouth, "{\"expressions\":{\"neutral\":{}},\"profiles\":{");
    bool any = false;
    VECTORS_EACH(doc, item, vectors_member(doc, p->item, "mouth")) {
        vectors_pack_overlay(&pack, zj_key(doc, item), 1);
        zb_put(&mouth, any ? "," : "");
        zb_put_json_text(&mouth, zj_key(doc, item));
        zb_put(&mouth, ":{\"openness\":");
        zb_put_text(&mouth, zj_source(doc, vectors_member(doc, item, "opennessByFrame")));
        zb_put_char(&mouth, '}');
        any = true;
    }
    zb_put(&mouth, "}}");
    pack.graph = zj_source(doc, vectors_member(doc, p->item, "graph"));
    pack.mouth = (zo_text){mouth.data, mouth.size};
    const uint32_t policy = vectors_member(doc, p->item, "policy");
    pack.speech = policy != 0 ? vectors_speech(p->v, policy) : ZB_TEXT("{\"type\":\"characterPackSpeech\"}");
    p->program = vectors_pack_compile(&pack, (zo_model)(ZO_MODEL_CONTRACT + (p->model - models)), p->why, WHY_MAX);
    return p->program != NULL;
}

static bool make_program(player *p) {
    if (p->as_pack) { return make_pack(p); }
    zb_arena arena = zb_arena_open(NULL);
    const uint32_t clips = vectors_member(p->v->doc, p->item, "clips");
    maker m = {.p = p, .build = zp_build_open(&arena)};
    m.clip_plays = zb_arena_take_array(&arena, zj_at(p->v->doc, clips)->as.items.count, sizeof *m.clip_plays);
    const uint32_t layer = zp_build_layer(m.build, &(zp_layer){.name = name_of(&m, "body")});
    zp_build_channel(m.build, &(zp_channel){.name = name_of(&m, "frame"), .layer = layer, .is_index = 1, .own_rest = 1,
                                            .low = -(double)INFINITY, .high = (double)INFINITY});
    zp_build_target(m.build, &(zp_target){.name = name_of(&m, "body")});
    zp_build_sprite(m.build, &(zp_sprite){.name = name_of(&m, "body"), .channel_ref = 1});
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, clip, clips) {
        make_clip(&m, clip, zb_arena_text(&arena, zj_key(p->v->doc, clip)), index);
        index++;
    }
    make_graph(&m);
    p->program = zp_build_finish(m.build, NULL);
    zb_arena_close(&arena);
    const char *what = NULL;
    if (p->program == NULL) { return wrong(p, "no memory"); }
    return zp_program_check(p->program->blob, p->program->blob_size, &what) || wrong(p, "a bad program: %s", what);
}

// -------------------------------------------------------------------------------------------------------------- events

static const char *state_name(const player *p, zo_state state) {
    zo_state_info info;
    return zo_state_get(p->program, state, &info) ? info.name : "";
}

static const char *clip_name(const player *p, zo_clip clip) {
    zo_clip_info info;
    return zo_clip_get(p->program, clip, &info) ? info.name : "";
}

static bool is(player *p, uint32_t object, const char *member, const char *found) {
    const char *expected = vectors_text(p->v, object, member);
    return strcmp(expected, found) == 0 || wrong(p, "%s is \"%s\", not \"%s\"", member, found, expected);
}

static bool is_number(player *p, uint32_t object, const char *member, double found) {
    const double expected = number(p, object, member);
    return expected == found || wrong(p, "%s is %.17g, not %.17g", member, found, expected);
}

static bool event_is(player *p, uint32_t expected, const zo_event *event) {
    if (event->t_ns != (int64_t)number(p, expected, "t") * MS) {
        return wrong(p, "%s %s at %.6f ms", event->name, zo_via_name(event->via), (double)event->t_ns / 1e6);
    }
    switch (event->kind) {
    case ZO_EVENT_STATE:
        return is(p, expected, "event", "enter") && is(p, expected, "node", state_name(p, event->state)) &&
               is(p, expected, "clip", clip_name(p, event->clip)) && is(p, expected, "via", zo_via_name(event->via));
    case ZO_EVENT_CYCLE:
        return is(p, expected, "event", "cycle") && is(p, expected, "clip", clip_name(p, event->clip));
    case ZO_EVENT_HOLD:
        return is(p, expected, "event", "hold") && is_number(p, expected, "frame", event->index);
    case ZO_EVENT_UNROUTED:
        return is(p, expected, "event", "unrouted") && is(p, expected, "label", event->name);
    default: return wrong(p, "an event of kind %d", (int)event->kind);
    }
}

static void digest_event(player *p, const zo_event *event) {
    digest *d = &p->digest;
    d->t_sum += (double)(event->t_ns / MS); // whole and far below 2^53
    if (event->kind == ZO_EVENT_STATE) { d->enters[event->state.id - 1]++; }
    if (event->kind == ZO_EVENT_CYCLE) { d->cycles[event->clip.id - 1]++; }
    const uint32_t tail_count = zj_at(p->v->doc, d->tail)->as.items.count;
    if (p->event_count + tail_count == (uint32_t)d->count) { // the last ones begin
        p->expected = zj_at(p->v->doc, d->tail)->as.items.first;
    }
}

static void hear(player *p, const zo_event *event) {
    if (event->kind == ZO_EVENT_RUN_START || event->kind == ZO_EVENT_RUN_END) { return; } // the cases do not speak of them
    if (event->kind == ZO_EVENT_CYCLE && !p->model->has_frames) { return; }
    if (p->digest.node != 0) { digest_event(p, event); }
    if (p->expected != 0) {
        if (!event_is(p, p->expected, event)) { return; }
        p->expected = zj_at(p->v->doc, p->expected)->next;
    } else if (p->digest.node == 0) {
        wrong(p, "event %u is too many: kind %d %s", p->event_count, (int)event->kind, event->name);
        return;
    }
    p->event_count++;
}

static bool open_events(player *p) {
    const zj_doc *doc = p->v->doc;
    const uint32_t expect = vectors_member(doc, p->item, "expect"), node = vectors_member(doc, expect, "events_digest");
    const uint32_t list = node != 0 ? vectors_member(doc, node, "head") : vectors_member(doc, expect, "events");
    if (list == 0) { return wrong(p, "the case expects no events"); }
    p->expected = zj_at(doc, list)->as.items.first;
    if (node == 0) { return true; }
    p->digest = (digest){.node = node, .head = list, .tail = vectors_member(doc, node, "tail"),
                         .count = number(p, node, "count")};
    if (p->digest.tail == 0) { return wrong(p, "the case has no last events"); }
    p->digest.enters = zb_arena_take_array(p->v->arena, zo_state_count(p->program), sizeof(uint32_t));
    p->digest.cycles = zb_arena_take_array(p->v->arena, zo_clip_count(p->program), sizeof(uint32_t));
    return (p->digest.enters != NULL && p->digest.cycles != NULL) || wrong(p, "no memory");
}

static bool events_end(player *p) {
    if (p->expected != 0) { return wrong(p, "event %u is missing", p->event_count); }
    const digest *d = &p->digest;
    if (d->node == 0) { return true; }
    const uint32_t enters = vectors_member(p->v->doc, d->node, "enters");
    const uint32_t cycles = vectors_member(p->v->doc, d->node, "cycles");
    bool good = is_number(p, d->node, "count", p->event_count) && is_number(p, d->node, "t_sum", d->t_sum);
    for (uint32_t i = 0; i < zo_state_count(p->program); i++) {
        good = good && is_number(p, enters, state_name(p, (zo_state){i + 1}), d->enters[i]);
    }
    for (uint32_t i = 0; i < zo_clip_count(p->program); i++) {
        good = good && is_number(p, cycles, clip_name(p, (zo_clip){i + 1}), d->cycles[i]);
    }
    return good;
}

// --------------------------------------------------------------------------------------------------------------- steps

static void advance_once(player *p, int64_t ns) {
    zo_step step = {.left_ns = ns};
    do {
        zo_event events[EVENTS_AT_ONCE];
        step = zo_instance_advance(p->instance, step.left_ns, events, p->cut == CUT_NONE ? EVENTS_AT_ONCE : 1);
        for (uint32_t i = 0; i < step.count && p->why[0] == 0; i++) { hear(p, &events[i]); }
    } while (step.more || step.left_ns > 0);
}

static void advance(player *p, int64_t ns) {
    if (p->cut == CUT_THIRDS && ns > 2) {
        advance_once(p, ns / 3);
        advance_once(p, 1);
        ns -= ns / 3 + 1;
    } else if (p->cut == CUT_LATE && ns > 2 * MS) {
        advance_once(p, ns - 2 * MS);
        advance_once(p, MS);
        ns = MS;
    }
    advance_once(p, ns);
}

static bool do_step(player *p, uint32_t step) {
    const zj_doc *doc = p->v->doc;
    double times = 1.0;
    vectors_number(doc, step, "times", &times);
    if (vectors_member(doc, step, "trigger") != 0) {
        zo_instance_trigger(p->instance, vectors_text(p->v, step, "trigger"), vectors_true(doc, step, "after_speech"));
    } else if (vectors_member(doc, step, "release") != 0) {
        zo_instance_release(p->instance, vectors_true(doc, step, "after_speech"));
    } else if (vectors_member(doc, step, "speaking") != 0) {
        zo_instance_speaking(p->instance, vectors_true(doc, step, "speaking"));
    } else if (vectors_member(doc, step, "mouth") != 0) {
        zo_instance_set_mouth(p->instance, number(p, step, "mouth"));
    } else if (vectors_member(doc, step, "advance") != 0) {
        for (uint32_t i = 0; i < (uint32_t)times; i++) { advance(p, (int64_t)number(p, step, "advance") * MS); }
        return p->why[0] == 0;
    } else {
        return wrong(p, "an unknown step");
    }
    if (p->cut != CUT_LATE) { advance_once(p, 0); } // else the next advance tells
    return p->why[0] == 0;
}

// How many states' clips come before this one, and so which cel its first frame is.
static uint32_t first_cel(player *p, const char *label) {
    uint32_t cel = 1;
    VECTORS_EACH(p->v->doc, clip, vectors_member(p->v->doc, p->item, "clips")) {
        if (zb_text_equal(zj_key(p->v->doc, clip), zb_text(label))) { return cel; }
        cel += (uint32_t)number(p, clip, "frames");
    }
    return 0;
}

static bool state_is(player *p, uint32_t expected) {
    zo_target_state at = {.name = ""};
    if (!zo_instance_state(p->instance, &at)) { return wrong(p, "there are no states"); }
    if (!is(p, expected, "node", at.name) || !is(p, expected, "clip", clip_name(p, at.clip)) ||
        !is_number(p, expected, "t", (double)(zo_instance_now_ns(p->instance) / MS)) ||
        !is_number(p, expected, "draws", (double)at.draws)) {
        return false;
    }
    if (!p->model->has_frames) { return true; }
    if (!is_number(p, expected, "frame", at.frame)) { return false; }
    if (at.held != vectors_true(p->v->doc, expected, "held")) { return wrong(p, "held is %d", at.held); }
    if (zo_instance_live_count(p->instance) == 0) { return true; } // before the first call nothing plays
    zo_instance_sample(p->instance, p->pose);
    const double cel = first_cel(p, clip_name(p, at.clip)) + at.frame;
    return p->pose->slots[0] == cel || wrong(p, "the picture is %g, not %g", p->pose->slots[0], cel);
}

// -------------------------------------------------------------------------------------------------------------- a case

static bool make_instance(player *p) {
    const uint32_t list = vectors_member(p->v->doc, p->item, "random");
    const uint32_t count = list != 0 ? zj_at(p->v->doc, list)->as.items.count : 0;
    double *numbers = zb_arena_take_array(p->v->arena, (size_t)count + 1, sizeof *numbers);
    if (numbers == NULL) { return wrong(p, "no memory"); }
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, item, list) { numbers[index++] = zj_at(p->v->doc, item)->as.number; }
    const zo_instance_def def = {.graph_list = numbers, .graph_count = count};
    p->instance = zo_instance_create(p->program, &def, NULL);
    p->pose = zo_pose_create(p->program, NULL);
    return (p->instance != NULL && p->pose != NULL) || wrong(p, "no memory");
}

static bool play(player *p) {
    const zj_doc *doc = p->v->doc;
    if (!make_program(p) || !make_instance(p) || !open_events(p)) { return false; }
    const uint32_t expect = vectors_member(doc, p->item, "expect"), states = vectors_member(doc, expect, "states");
    uint32_t state = states != 0 ? zj_at(doc, states)->as.items.first : 0;
    if (states != 0 && (state == 0 || !state_is(p, state))) { return wrong(p, "at the start"); }
    uint32_t step_number = 0;
    VECTORS_EACH(doc, step, vectors_member(doc, p->item, "steps")) {
        if (state != 0) { state = zj_at(doc, state)->next; }
        if (!do_step(p, step) || (states != 0 && (state == 0 || !state_is(p, state)))) {
            char inner[WHY_MAX];
            memcpy(inner, p->why, sizeof inner);
            p->why[0] = 0;
            return wrong(p, "step %u, cut %d: %.400s", step_number, (int)p->cut, inner);
        }
        step_number++;
    }
    advance_once(p, 0);
    zo_target_state at = {0};
    zo_instance_state(p->instance, &at);
    return p->why[0] == 0 && events_end(p) && is_number(p, expect, "draws_used", (double)at.draws);
}

static bool run_case(player *p, char why[WHY_MAX]) {
    const bool good = play(p);
    memcpy(why, p->why, WHY_MAX);
    zo_pose_free(p->pose);
    zo_instance_free(p->instance);
    zo_program_free(p->program);
    return good;
}

// From its files and, where it does not speak, from records that are the same whatever a reader makes of files.
static bool run_all_ways(vectors *v, uint32_t item, const struct model *model, char why[WHY_MAX]) {
    const bool speaks = vectors_member(v->doc, item, "policy") != 0;
    bool good = true;
    for (uint32_t way = speaks ? 1 : 0; way < 2 && good; way++) {
        for (uint32_t cut = 0; cut < CUT_COUNT && good; cut++) {
            player p = {.v = v, .item = item, .model = model, .cut = (cutting)cut, .as_pack = way == 1};
            good = run_case(&p, why);
        }
    }
    return good;
}

void vectors_graph(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name"), *model_name = vectors_text(v, item, "model");
        const struct model *model = models;
        while (model < models + ZB_COUNT(models) && strcmp(model->name, model_name) != 0) { model++; }
        if (vectors_true(v->doc, item, "disputed")) {
            vectors_skip(v, name, vectors_text(v, item, "why"));
        } else if (model == models + ZB_COUNT(models)) {
            vectors_fail(v, name, "no such model: %s", model_name);
        } else {
            char why[WHY_MAX];
            if (run_all_ways(v, item, model, why)) {
                vectors_pass(v);
            } else {
                vectors_fail(v, name, "%s", why);
            }
        }
    }
}
