// The cases of whole pets: a configuration, its animations and a script of steps, held against what is on show, which runs
// there are, what their channels say and what has happened, after each step. Each case is played twice, the second time
// in small pieces of time and with room for one event, which must change nothing.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

enum { SOURCES_MAX = 64, CELS_MAX = 16, EVENTS_MAX = 4096, RUNS_MAX = 64, WHY_MAX = 512 };

typedef struct player {
    vectors *v;
    uint32_t item;
    bool document, cut;
    zo_program *program;
    zo_instance *instance;
    zo_pose *pose;
    zo_event events[EVENTS_MAX]; // of the step
    uint32_t event_count;
    char why[WHY_MAX];
} player;

static bool wrong(player *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->why, WHY_MAX, format, arguments);
    va_end(arguments);
    return false;
}

static int64_t ms_ns(double ms) { return (int64_t)floor(ms * 1e6 + 0.5); }

static int64_t member_ns(player *p, uint32_t object, const char *name) {
    double ms = 0.0;
    vectors_number(p->v->doc, object, name, &ms);
    return ms_ns(ms);
}

// ------------------------------------------------------------------------------------------------------------- playing

static void advance_once(player *p, int64_t ns) {
    zo_step step = {.left_ns = ns};
    do {
        const uint32_t room = EVENTS_MAX - p->event_count;
        step = zo_instance_advance(p->instance, step.left_ns, &p->events[p->event_count], p->cut && room > 1 ? 1 : room);
        for (uint32_t i = 0; i < step.count; i++) { // what the cases do not speak of
            const zo_event *event = &p->events[p->event_count + i];
            const bool spoken = event->kind == ZO_EVENT_STATE || event->kind == ZO_EVENT_CEL ||
                                event->kind == ZO_EVENT_RUN_START || event->kind == ZO_EVENT_RUN_END ||
                                event->kind == ZO_EVENT_START_EFFECT;
            if (!spoken) {
                memmove(&p->events[p->event_count + i], &p->events[p->event_count + i + 1],
                        (step.count - i - 1) * sizeof *event);
                step.count--;
                i--;
            }
        }
        p->event_count += step.count;
    } while ((step.more || step.left_ns > 0) && p->event_count < EVENTS_MAX);
}

static void advance(player *p, int64_t ns) {
    if (p->cut && ns > 2) {
        advance_once(p, ns / 3);
        advance_once(p, 1);
        ns -= ns / 3 + 1;
    }
    advance_once(p, ns);
}

static bool do_status(player *p, uint32_t event) {
    const zo_status_event status = {
        .type = vectors_text(p->v, event, "type"), .source = vectors_text(p->v, event, "sessionId"),
        .tool = vectors_text(p->v, event, "toolKind"), .stamped = vectors_member(p->v->doc, event, "ts") != 0,
        .stamp_ns = member_ns(p, event, "ts")};
    return zo_instance_status(p->instance, &status) || wrong(p, "there is no signal %s", status.type);
}

static bool do_step(player *p, uint32_t step) {
    vectors *v = p->v;
    const zj_doc *doc = v->doc;
    p->event_count = 0;
    int64_t ns = 0;
    if (vectors_member(doc, step, "advance_ms") != 0) {
        ns = member_ns(p, step, "advance_ms");
    } else if (vectors_member(doc, step, "event") != 0) {
        if (!do_status(p, vectors_member(doc, step, "event"))) { return false; }
    } else if (vectors_member(doc, step, "request") != 0) {
        const char *state = vectors_text(v, step, "request");
        if (!zo_instance_request(p->instance, state)) { return wrong(p, "there is no state %s", state); }
    } else if (vectors_member(doc, step, "click") != 0) {
        zo_instance_click(p->instance);
    } else if (vectors_member(doc, step, "play") != 0) {
        const uint32_t interrupt = vectors_member(doc, step, "interrupt");
        zo_instance_play(p->instance, vectors_text(v, step, "play"),
                         interrupt == 0 || zj_kind_of(doc, interrupt) == ZJ_TRUE);
    } else if (vectors_member(doc, step, "flash") != 0) {
        double ms = 0.0;
        vectors_number(doc, step, "ms", &ms);
        zo_instance_flash(p->instance, zo_cel_find(p->program, vectors_text(v, step, "flash")), ms);
    } else if (vectors_member(doc, step, "hidden") != 0) {
        zo_instance_set_hidden(p->instance, vectors_true(doc, step, "hidden"));
    } else if (vectors_member(doc, step, "reduced_motion") != 0) {
        zo_instance_set_reduced_motion(p->instance, vectors_true(doc, step, "reduced_motion"));
    } else {
        return wrong(p, "an unknown step");
    }
    advance(p, ns);
    return p->event_count < EVENTS_MAX || wrong(p, "too many events");
}

// ----------------------------------------------------------------------------------------------------------- comparing

static bool is(player *p, uint32_t object, const char *member, const char *found) {
    const uint32_t node = vectors_member(p->v->doc, object, member);
    const bool none = node == 0 || zj_kind_of(p->v->doc, node) == ZJ_NULL;
    const char *expected = none ? "" : vectors_text(p->v, object, member);
    return strcmp(expected, found) == 0 || wrong(p, "%s is \"%s\", not \"%s\"", member, found, expected);
}

static const char *clip_name(const player *p, zo_clip clip) {
    zo_clip_info info;
    return zo_clip_get(p->program, clip, &info) ? info.name : "";
}

static const char *state_name(const player *p, zo_state state) {
    zo_state_info info;
    return zo_state_get(p->program, state, &info) ? info.name : "";
}

static bool event_is(player *p, uint32_t expected, const zo_event *event) {
    static const char *const kinds[] = {[ZO_EVENT_STATE] = "state", [ZO_EVENT_CEL] = "picture",
                                        [ZO_EVENT_RUN_START] = "start", [ZO_EVENT_RUN_END] = "end",
                                        [ZO_EVENT_START_EFFECT] = "particle"};
    if (event->t_ns != member_ns(p, expected, "t_ms")) {
        return wrong(p, "%s %s at %.6f ms", kinds[event->kind], event->name, (double)event->t_ns / 1e6);
    }
    if (!is(p, expected, "kind", kinds[event->kind])) { return false; }
    double count = 0.0;
    switch (event->kind) {
    case ZO_EVENT_STATE:
        return is(p, expected, "state", event->name) && is(p, expected, "slot", state_name(p, event->state)) &&
               is(p, expected, "activity", event->activity);
    case ZO_EVENT_CEL: return is(p, expected, "picture", event->name);
    case ZO_EVENT_RUN_START: return is(p, expected, "clip", clip_name(p, event->clip));
    case ZO_EVENT_RUN_END:
        return is(p, expected, "clip", clip_name(p, event->clip)) &&
               is(p, expected, "how", event->end == ZO_END_FINISHED ? "finished" : "cancelled");
    default:
        vectors_number(p->v->doc, expected, "count", &count);
        return is(p, expected, "effect", event->name) &&
               (count == (double)event->count || wrong(p, "%u particles, not %g", event->count, count));
    }
}

static bool events_are(player *p, uint32_t expected) {
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, item, expected) {
        if (index == p->event_count) { return wrong(p, "event %u is missing", index); }
        if (!event_is(p, item, &p->events[index])) {
            char inner[WHY_MAX];
            memcpy(inner, p->why, sizeof inner);
            return wrong(p, "event %u: %.400s", index, inner);
        }
        index++;
    }
    return index == p->event_count ||
           wrong(p, "%u events, not %u; then kind %d %s", p->event_count, index, (int)p->events[index].kind,
                 p->events[index].name);
}

static int by_install(const void *a, const void *b) {
    const uint64_t x = ((const zo_run_info *)a)->installed, y = ((const zo_run_info *)b)->installed;
    return x < y ? -1 : x > y;
}

static bool run_is(player *p, uint32_t expected, const zo_run_info *run) {
    if (!is(p, expected, "clip", clip_name(p, run->clip))) { return false; }
    const int64_t local_ns = member_ns(p, expected, "local_ms");
    if (run->local_ns != local_ns) {
        return wrong(p, "%s is at %.6f ms, not %.6f", clip_name(p, run->clip), (double)run->local_ns / 1e6,
                     (double)local_ns / 1e6);
    }
    uint32_t layer = 0, layers = run->layers;
    VECTORS_EACH(p->v->doc, item, vectors_member(p->v->doc, expected, "layers")) {
        while (layer < 32 && !(layers >> layer & 1)) { layer++; }
        const char *name = layer < 32 ? zo_layer_name(p->program, layer) : NULL;
        if (name == NULL || !zb_text_equal(zj_text(p->v->doc, item), zb_text(name))) {
            return wrong(p, "%s holds other layers", clip_name(p, run->clip));
        }
        layers &= ~(UINT32_C(1) << layer);
    }
    return layers == 0 || wrong(p, "%s holds more layers", clip_name(p, run->clip));
}

static bool runs_are(player *p, uint32_t expected, uint32_t *layers) {
    zo_run_info runs[RUNS_MAX];
    uint32_t count = 0;
    zo_run_info run;
    for (uint32_t i = 0; count < RUNS_MAX && zo_instance_run_at(p->instance, i, &run); i++) {
        if (run.layers != 0 && !run.waiting) { runs[count++] = run; }
        *layers |= run.layers;
    }
    qsort(runs, count, sizeof runs[0], by_install);
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, item, expected) {
        if (index == count) { return wrong(p, "run %u is missing", index); }
        if (!run_is(p, item, &runs[index])) { return false; }
        index++;
    }
    return index == count || wrong(p, "%u runs, not %u: %s", count, index, clip_name(p, runs[index].clip));
}

static bool values_are(player *p, uint32_t expected, uint32_t layers) {
    zo_instance_sample(p->instance, p->pose);
    uint32_t left = 0; // channels of the layers held
    zo_channel_info info;
    for (uint32_t i = 1; zo_channel_get(p->program, (zo_channel){i}, &info); i++) {
        for (uint32_t layer = 0; zo_layer_name(p->program, layer) != NULL; layer++) {
            const char *name = zo_layer_name(p->program, layer);
            const size_t size = strlen(name);
            left += (layers >> layer & 1) && strncmp(info.name, name, size) == 0 && info.name[size] == '.';
        }
    }
    VECTORS_EACH(p->v->doc, member, expected) {
        const char *name = zb_arena_text(p->v->arena, zj_key(p->v->doc, member));
        const zo_channel channel = zo_channel_find(p->program, name);
        if (channel.id == 0) { return wrong(p, "there is no channel %s", name); }
        const double value = zj_at(p->v->doc, member)->as.number, found = p->pose->slots[channel.id - 1];
        const double size = fabs(value);
        const double tolerance = p->document ? 1e-9 * (size > 1.0 ? size : 1.0) : 2.5e-4 + 2.5e-4 * size;
        if (!vectors_near(value, found, tolerance)) { return wrong(p, "%s is %.12g, not %.12g", name, found, value); }
        left--;
    }
    return left == 0 || wrong(p, "the layers held have other channels");
}

static bool matches(player *p, uint32_t expected) {
    const zj_doc *doc = p->v->doc;
    if (zo_instance_now_ns(p->instance) != member_ns(p, expected, "t_ms")) { return wrong(p, "the clock"); }
    if (!events_are(p, vectors_member(doc, expected, "events"))) { return false; }
    zo_target_state target = {.name = "", .group = ""};
    zo_instance_state(p->instance, &target);
    if (!is(p, expected, "state", target.group) || !is(p, expected, "slot", target.name)) { return false; }
    zo_cel_info cel = {.name = ""};
    zo_cel_get(p->program, zo_instance_shown(p->instance), &cel);
    if (!is(p, expected, "picture", cel.name)) { return false; }
    uint32_t layers = 0;
    return runs_are(p, vectors_member(doc, expected, "runs"), &layers) &&
           values_are(p, vectors_member(doc, expected, "values"), layers);
}

// -------------------------------------------------------------------------------------------------------------- a case

static double *numbers_of(player *p, uint32_t list, uint32_t *count) {
    *count = list != 0 ? zj_at(p->v->doc, list)->as.items.count : 0;
    double *numbers = zb_arena_take_array(p->v->arena, (size_t)*count + 1, sizeof *numbers);
    uint32_t index = 0;
    VECTORS_EACH(p->v->doc, item, list) { numbers[index++] = zj_at(p->v->doc, item)->as.number; }
    return numbers;
}

static bool compile(player *p) {
    vectors *v = p->v;
    zo_source sources[SOURCES_MAX];
    uint32_t count = 0;
    const zo_text pet = zj_source(v->doc, vectors_member(v->doc, p->item, "pet"));
    sources[count++] = (zo_source){.name = "pet.json", .bytes = pet.data, .size = pet.size};
    VECTORS_EACH(v->doc, animation, vectors_member(v->doc, p->item, "animations")) {
        if (count == SOURCES_MAX) { return wrong(p, "too many animations"); }
        const zo_text text = zj_source(v->doc, animation);
        sources[count++] = (zo_source){.name = "animation.json", .bytes = text.data, .size = text.size};
    }
    const char *cels[CELS_MAX];
    uint32_t cel_count = 0;
    VECTORS_EACH(v->doc, picture, vectors_member(v->doc, p->item, "pictures")) {
        if (cel_count < CELS_MAX) { cels[cel_count++] = zb_arena_text(v->arena, zj_text(v->doc, picture)); }
    }
    const zo_compile_def def = {.profile = p->document ? ZO_PROFILE_DOCUMENT : ZO_PROFILE_ORIGINAL, .format = "pet",
                                .cels = cels, .cel_count = cel_count};
    zo_report *report = NULL;
    const zo_status status = zo_compile(sources, count, &def, &p->program, &report);
    if (status != ZO_OK) {
        const zo_diag *diag = zo_report_at(report, 0);
        wrong(p, "does not compile: %s: %s", zo_status_name(status), diag != NULL ? diag->message : "");
    }
    zo_report_free(report);
    return status == ZO_OK;
}

static void set_cels(player *p) {
    zo_cel_info info;
    for (uint32_t i = 1; zo_cel_get(p->program, (zo_cel){i}, &info); i++) {
        bool there = false;
        VECTORS_EACH(p->v->doc, picture, vectors_member(p->v->doc, p->item, "pictures")) {
            there = there || zb_text_equal(zj_text(p->v->doc, picture), zb_text(info.name));
        }
        zo_instance_set_cel(p->instance, (zo_cel){i}, there);
    }
}

static bool play(player *p) {
    vectors *v = p->v;
    if (!compile(p)) { return false; }
    const uint32_t random = vectors_member(v->doc, p->item, "random");
    zo_instance_def def = {0};
    def.delay_list = numbers_of(p, vectors_member(v->doc, random, "delay"), &def.delay_count);
    def.particle_list = numbers_of(p, vectors_member(v->doc, random, "particle"), &def.particle_count);
    p->instance = zo_instance_create(p->program, &def, NULL);
    p->pose = zo_pose_create(p->program, NULL);
    if (p->instance == NULL || p->pose == NULL) { return wrong(p, "no memory"); }
    set_cels(p);
    uint32_t expected = zj_at(v->doc, vectors_member(v->doc, p->item, "expect"))->as.items.first;
    uint32_t number = 0;
    VECTORS_EACH(v->doc, step, vectors_member(v->doc, p->item, "steps")) {
        if (expected == 0) { return wrong(p, "more steps than expectations"); }
        if (!do_step(p, step) || !matches(p, expected)) {
            char inner[WHY_MAX];
            memcpy(inner, p->why, sizeof inner);
            return wrong(p, "step %u%s: %.400s", number, p->cut ? ", cut" : "", inner);
        }
        expected = zj_at(v->doc, expected)->next;
        number++;
    }
    return true;
}

static bool run_case(vectors *v, uint32_t item, bool cut, char why[WHY_MAX]) {
    player *p = zb_arena_take_array(v->arena, 1, sizeof *p);
    if (p == NULL) { return false; }
    *p = (player){.v = v, .item = item, .cut = cut, .document = strcmp(vectors_text(v, item, "profile"), "document") == 0};
    const bool good = play(p);
    memcpy(why, p->why, WHY_MAX);
    zo_pose_free(p->pose);
    zo_instance_free(p->instance);
    zo_program_free(p->program);
    return good;
}

void vectors_pets(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        char why[WHY_MAX];
        if (run_case(v, item, false, why) && run_case(v, item, true, why)) {
            vectors_pass(v);
        } else {
            vectors_fail(v, vectors_text(v, item, "name"), "%s", why);
        }
    }
}
