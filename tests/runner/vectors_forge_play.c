// The cases of Forge's files that are played: values of parameters, poses of joints and events of clips, and machines
// that are asked for states and looked at step by step. What a case gives as values is put together as a file and read
// like any other.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "program/program.h"
#include "vectors.h"

// What a program is made of.
typedef struct files {
    const char *format;
    zo_text machine;
    const char *names[4]; // of what it refers to, by the ends of their paths
    zo_text texts[4];
    bool letter;          // the draft's formula for repeats as it is written
} files;

enum { SOURCES_MAX = 32, WHY_MAX = 256, EVENTS_MAX = 64 };

typedef struct played {
    vectors *v;
    const char *name;
    bool good;
} played;

static void wrong(played *p, const char *format, ...) {
    if (!p->good) { return; } // the first is enough
    char why[WHY_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    vectors_fail(p->v, p->name, "%s", why);
    p->good = false;
}

static bool to_stderr(void *context, const void *bytes, size_t size) {
    (void)context;
    return fwrite(bytes, 1, size, stderr) == size;
}

static bool ends_in(const char *text, const char *end) {
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

// NULL: it does not compile, and the report says why; free the report.
static zo_program *compile(const files *f, zo_report **report) {
    zo_source sources[SOURCES_MAX] = {{.name = "case.json", .bytes = f->machine.data, .size = f->machine.size}};
    const zo_compile_def def = {.format = f->format, .late_faults = true, .draft_repeat_letter = f->letter};
    zo_program *program = NULL;
    uint32_t count = 1;
    *report = NULL;
    zo_report *older = NULL; // keeps the names of what it asks for
    for (;;) {
        const zo_status status = zo_compile(sources, count, &def, &program, report);
        zo_report_free(older);
        if (status != ZO_NEEDS) { return program; }
        older = *report;
        const uint32_t before = count;
        for (uint32_t i = 0; i < zo_report_need_count(older) && count < SOURCES_MAX; i++) {
            const char *name = zo_report_need(older, i)->name;
            zo_source *source = &sources[count++];
            *source = (zo_source){.name = name, .kind = ZO_SOURCE_MISSING};
            for (uint32_t k = 0; k < 4 && f->names[k] != NULL; k++) {
                if (!ends_in(name, f->names[k])) { continue; }
                *source = (zo_source){.name = name, .bytes = f->texts[k].data, .size = f->texts[k].size};
            }
        }
        if (count == before) { return NULL; }
    }
}

// Compiles, or fails the case.
static zo_program *program_of(played *p, const files *f) {
    zo_report *report = NULL;
    zo_program *program = compile(f, &report);
    if (!program) {
        wrong(p, "does not compile");
        zo_report_write(report, ZO_REPORT_GCC, false, to_stderr, NULL);
    }
    zo_report_free(report);
    return program;
}

// ---------------------------------------------------------------------------------------------------- what is expected

// A number, or one of the words for those that JSON has not.
static bool number_of(const zj_doc *doc, uint32_t node, double *value) {
    if (zj_kind_of(doc, node) == ZJ_NUMBER) {
        *value = zj_at(doc, node)->as.number;
        return true;
    }
    if (zj_kind_of(doc, node) != ZJ_STRING) { return false; }
    static const struct { const char *word; double value; } words[] = {
        {"nan", (double)NAN}, {"inf", (double)INFINITY}, {"-inf", -(double)INFINITY}};
    const zo_text text = zj_text(doc, node);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (zb_text_equal(text, zb_text(words[i].word))) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

static void same_fault(played *p, uint32_t expected, zo_fault fault) {
    const char *slug = vectors_text(p->v, expected, "error");
    if (strcmp(slug, zo_fault_name(fault)) != 0) { wrong(p, "fault \"%s\", not \"%s\"", zo_fault_name(fault), slug); }
}

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}; // of what nothing moves

// A matrix of four rows; null: nothing moves there.
static void same_matrix(played *p, uint32_t expected, const double *m, double tolerance, const char *what) {
    if (zj_kind_of(p->v->doc, expected) == ZJ_NULL) {
        for (uint32_t i = 0; i < 12; i++) {
            if (m[i] != identity[i]) { wrong(p, "%s is moved", what); }
        }
        return;
    }
    uint32_t at = 0;
    VECTORS_EACH(p->v->doc, row, expected) {
        VECTORS_EACH(p->v->doc, item, row) {
            const double value = at < 12 ? m[at] : at == 15 ? 1.0 : 0.0;
            const double wanted = zj_at(p->v->doc, item)->as.number;
            if (!vectors_near(wanted, value, tolerance)) {
                wrong(p, "%s: [%u][%u] is %g, not %g", what, at / 4, at % 4, value, wanted);
            }
            at++;
        }
    }
    if (at != 16) { wrong(p, "%s is no matrix", what); }
}

static zo_text text_of(played *p, const char *before, uint32_t node, const char *after) {
    zb_buffer out = zb_buffer_open(p->v->arena);
    zb_put(&out, before);
    if (node != 0) { zb_put_text(&out, zj_source(p->v->doc, node)); }
    zb_put(&out, after);
    return (zo_text){zb_buffer_text(&out), out.size};
}

// ---------------------------------------------------------------------------------------------------- parameters

// The members of an object, without its brackets.
static zo_text parameters_with(played *p, uint32_t object, uint32_t evaluated) {
    zb_buffer out = zb_buffer_open(p->v->arena);
    zb_put(&out, "{\"parameters\": {");
    VECTORS_EACH(p->v->doc, item, object) {
        zb_put_text(&out, zj_source(p->v->doc, zj_at(p->v->doc, item)->key));
        zb_put(&out, ": ");
        zb_put_text(&out, zj_source(p->v->doc, item));
        zb_put(&out, ", ");
    }
    zb_put(&out, "\"what is asked for\": ");
    zb_put_text(&out, zj_source(p->v->doc, evaluated));
    zb_put(&out, "}, \"clips\": {\"a\": \"#identity\"}, \"states\": [\"a\"], \"transitions\": {}, "
                 "\"start_state\": \"a\"}");
    return (zo_text){zb_buffer_text(&out), out.size};
}


static bool same_float(double expected, double value, bool with_sign) {
    if (expected != expected) { return value != value; }
    return (float)expected == (float)value && (!with_sign || !signbit(expected) == !signbit(value));
}

// As floats where the tolerance is 0; the sign of a zero counts where the case is about it.
static void same_values(played *p, uint32_t item, const char *outputs, const zo_instance *i, zo_expr expr,
                        double tolerance) {
    const zj_doc *doc = p->v->doc;
    uint32_t output = zj_at(doc, vectors_member(doc, item, outputs))->as.items.first;
    VECTORS_EACH(doc, input, vectors_member(doc, item, "inputs")) {
        double x = 0.0, expected = 0.0;
        zo_fault fault;
        if (!number_of(doc, input, &x) || output == 0) { wrong(p, "no such input"); }
        if (!p->good) { return; }
        const double value = zo_instance_expr(i, expr, x, &fault);
        if (!number_of(doc, output, &expected)) {
            same_fault(p, output, fault);
        } else if (tolerance > 0.0 ? !vectors_near(expected, value, tolerance)
                                   : !same_float(expected, value, strstr(p->name, "signed-zero") != NULL)) {
            wrong(p, "%.9g gives %.9g, not %.9g", x, value, expected);
        } else if (fault != ZO_FAULT_NONE) {
            wrong(p, "%.9g is at fault: %s", x, zo_fault_name(fault));
        }
        output = zj_at(doc, output)->next;
    }
}

static void set_controls(played *p, zo_instance *i, const zo_program *program, uint32_t object) {
    VECTORS_EACH(p->v->doc, item, object) {
        const zo_param param = zo_param_find(program, zb_arena_text(p->v->arena, zj_key(p->v->doc, item)));
        if (param.id == 0) { continue; } // nothing asks for it
        double number = 0.0, factor = 0.0;
        if (number_of(p->v->doc, item, &number)) {
            zo_instance_set_param(i, param, number);
        } else {
            vectors_number(p->v->doc, item, "add", &number);
            vectors_number(p->v->doc, item, "mul", &factor);
            zo_instance_set_param_line(i, param, number, factor);
        }
    }
}

static void end(played *p) {
    if (p->good) { vectors_pass(p->v); }
}

void vectors_forge_params(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        played p = {v, vectors_text(v, item, "name"), true};
        const files f = {.format = "forge-machine",
                         .machine = parameters_with(&p, vectors_member(v->doc, item, "parameters"),
                                                    vectors_member(v->doc, item, "evaluate"))};
        zo_program *program = program_of(&p, &f);
        if (!program) { continue; }
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        set_controls(&p, i, program, vectors_member(v->doc, item, "supplied"));
        const zo_expr expr = zo_expr_find(program, "what is asked for");
        if (expr.id == 0) {
            wrong(&p, "there is no such parameter");
        } else {
            same_values(&p, item, "outputs", i, expr, 0.0);
        }
        end(&p);
        zo_instance_free(i);
        zo_program_free(program);
    }
}

// The parameter as the time of a clip: the expression of the first node that has one.
static void draft_case(played *p, uint32_t item, bool letter) {
    const zj_doc *doc = p->v->doc;
    const bool has_both = vectors_member(doc, item, "outputs_repaired") != 0;
    const files f = {
        .format = "forge-draft-machine", .letter = letter,
        .machine = text_of(p, "{\"animation\": \"demo:n\", \"clips\": {\"a\": {\"child\": \"c\", \"time\": ",
                           vectors_member(doc, item, "parameter"), "}}, \"states\": [\"a\"], \"transitions\": {}}"),
        .names = {"animation/n.json", "models/m.json"},
        .texts = {ZB_TEXT("{\"model\": \"demo:m\", \"joints\": [], \"clips\": [{\"name\": \"c\", \"tracks\": [], "
                          "\"loop\": true}]}"), ZB_TEXT("{\"elements\": []}")}};
    zo_program *program = program_of(p, &f);
    if (!program) { return; }
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    set_controls(p, i, program, vectors_member(doc, item, "controls"));
    zo_expr expr = {0};
    for (uint32_t n = 0; n < zp_count(program, ZP_SECTION_NODES) && expr.id == 0; n++) {
        expr.id = program->nodes[n].expr_ref;
    }
    if (expr.id == 0) {
        wrong(p, "there is no such parameter");
    } else {
        same_values(p, item, has_both && !letter ? "outputs_repaired" : "outputs", i, expr, 1e-5);
    }
    zo_instance_free(i);
    zo_program_free(program);
}

void vectors_forge_draft_params(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        played p = {v, vectors_text(v, item, "name"), true};
        draft_case(&p, item, false);
        draft_case(&p, item, true);
        end(&p);
    }
}

// ---------------------------------------------------------------------------------------------------- events

// What lies between two looks, the newest first, each as far from the one before it of its own clip as the original
// lists them. `refused`: the first state that was asked for in vain.
typedef struct listed { const char *name; double offset; } listed;

static uint32_t look(zo_instance *i, double seconds, listed *found, const char **refused) {
    zo_event events[EVENTS_MAX], kept[EVENTS_MAX];
    uint32_t count = 0;
    if (!zo_instance_poll(i, seconds)) { return UINT32_MAX; }
    zo_target_state at;
    zo_instance_state(i, &at);
    for (zo_step step = {.more = true}; step.more && count < EVENTS_MAX;) {
        step = zo_instance_advance(i, 0, events, 3);
        for (uint32_t e = 0; e < step.count; e++) {
            if (events[e].kind == ZO_EVENT_NOTIFY && count < EVENTS_MAX) { kept[count++] = events[e]; }
            if (events[e].kind == ZO_EVENT_UNROUTED && *refused == NULL) { *refused = events[e].name; }
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        const zo_event *event = &kept[count - 1 - k];
        double from = at.time_s;
        for (uint32_t newer = count - k; newer < count; newer++) { // the nearest of the same clip
            if (kept[newer].clip.id == event->clip.id && event->clip.id != 0) {
                from = kept[newer].at_s;
                break;
            }
        }
        found[k] = (listed){event->name, from - event->at_s};
    }
    return count;
}

static void same_events(played *p, uint32_t expected, const listed *found, uint32_t count) {
    uint32_t k = 0;
    VECTORS_EACH(p->v->doc, item, expected) {
        double offset = 0.0;
        vectors_number(p->v->doc, item, "offset", &offset);
        const char *name = vectors_text(p->v, item, "event");
        if (k >= count) {
            wrong(p, "%s is not told", name);
        } else if (strcmp(name, found[k].name) != 0 || !vectors_near(offset, found[k].offset, 1e-4)) {
            wrong(p, "event %u is %s at %g, not %s at %g", k, found[k].name, found[k].offset, name, offset);
        }
        k++;
    }
    if (k < count) { wrong(p, "%s is told", found[k].name); }
}

// ---------------------------------------------------------------------------------------------------- armatures

static void check_joint(played *p, uint32_t item, zo_program *program) {
    const zj_doc *doc = p->v->doc;
    const zo_clip clip = zo_clip_find(program, vectors_text(p->v, item, "clip"));
    const zo_target joint = zo_target_find(program, vectors_text(p->v, item, "joint"));
    if (clip.id == 0) {
        wrong(p, "there is no such clip");
        return;
    }
    zo_pose *pose = zo_pose_create(program, NULL);
    uint32_t matrix = zj_at(doc, vectors_member(doc, item, "matrices"))->as.items.first;
    VECTORS_EACH(doc, time, vectors_member(doc, item, "times")) {
        zo_clip_sample(program, clip, zj_at(doc, time)->as.number, NULL, pose);
        same_matrix(p, matrix, joint.id != 0 ? pose->transforms[joint.id - 1].m : identity, 1e-5, "the joint");
        matrix = zj_at(doc, matrix)->next;
    }
    zo_pose_free(pose);
}

// A case whose results are all one fault: that is reported.
static bool is_refused(played *p, uint32_t item, const files *f) {
    const zj_doc *doc = p->v->doc;
    const uint32_t matrices = vectors_member(doc, item, "matrices");
    const uint32_t first = matrices != 0 ? zj_at(doc, matrices)->as.items.first : 0;
    const char *slug = first != 0 ? vectors_text(p->v, first, "error") : "";
    if (slug[0] == 0) { return false; }
    zo_report *report = NULL;
    zo_program_free(compile(f, &report));
    bool told = false;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        told |= vectors_is_slug(zo_report_at(report, i)->id, slug);
    }
    if (!told) { wrong(p, "%s is not reported", slug); }
    zo_report_free(report);
    return true;
}

static void check_looks(played *p, uint32_t item, zo_program *program) {
    const zj_doc *doc = p->v->doc;
    const uint32_t intended = vectors_member(doc, item, "events_intended");
    uint32_t expected = zj_at(doc, intended != 0 ? intended : vectors_member(doc, item, "events"))->as.items.first;
    VECTORS_EACH(doc, poll, vectors_member(doc, item, "polls")) {
        const uint32_t from = zj_at(doc, poll)->as.items.first, to = zj_at(doc, from)->next;
        zo_instance *i = zo_instance_create(program, &(zo_instance_def){.host_polls = true}, NULL);
        listed found[EVENTS_MAX];
        const char *refused = NULL;
        look(i, zj_at(doc, from)->as.number, found, &refused);
        const uint32_t count = look(i, zj_at(doc, to)->as.number, found, &refused);
        same_events(p, expected, found, count);
        expected = zj_at(doc, expected)->next;
        zo_instance_free(i);
    }
}

void vectors_forge_armature(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        played p = {v, vectors_text(v, item, "name"), true};
        const char *kind = vectors_text(v, item, "kind");
        const zo_text armature = text_of(&p, "", vectors_member(v->doc, item, "armature"), "");
        files f = {.format = "forge-armature", .machine = armature};
        if (strcmp(kind, "element") == 0) {
            vectors_skip(v, p.name, "nothing here runs it");
            continue;
        }
        if (strcmp(kind, "events") == 0) {
            f = (files){.format = "forge-machine", .names = {"armatures/block/x.json"}, .texts = {armature},
                        .machine = text_of(&p, "{\"parameters\": {}, \"clips\": {\"a\": \"demo:block/x@c\"}, "
                                               "\"states\": [\"a\"], \"transitions\": {}, \"start_state\": \"a\"}", 0, "")};
        }
        if (!is_refused(&p, item, &f)) {
            zo_program *program = program_of(&p, &f);
            if (!program) { continue; }
            if (strcmp(kind, "events") == 0) {
                check_looks(&p, item, program);
            } else {
                check_joint(&p, item, program);
            }
            zo_program_free(program);
        }
        end(&p);
    }
}

// ---------------------------------------------------------------------------------------------------- machines

static void same_state(played *p, uint32_t expected, const zo_instance *i, uint32_t step) {
    zo_target_state at;
    zo_instance_state(i, &at);
    const char *name = vectors_text(p->v, expected, "state");
    if (strcmp(at.name, name) != 0) { wrong(p, "step %u: in %s, not in %s", step, at.name, name); }
}

static void same_pose(played *p, uint32_t expected, const zo_program *program, const zo_instance *i, double tolerance) {
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance_sample(i, pose);
    VECTORS_EACH(p->v->doc, item, expected) { // a joint that nothing knows does not move
        const char *name = zb_arena_text(p->v->arena, zj_key(p->v->doc, item));
        const zo_target joint = zo_target_find(program, name);
        same_matrix(p, item, joint.id != 0 ? pose->transforms[joint.id - 1].m : identity, tolerance, name);
    }
    zo_pose_free(pose);
}

static const char *fault_of_request(const zo_program *program, const char *state) {
    zo_state_info info;
    for (uint32_t id = 1; zo_state_get(program, (zo_state){id}, &info); id++) {
        if (strcmp(info.name, state) == 0) { return "no-such-transition"; }
    }
    return "unknown-state";
}

static void play_step(played *p, uint32_t step, uint32_t expected, const zo_program *program, zo_instance *i,
                      double tolerance, uint32_t number) {
    const zj_doc *doc = p->v->doc;
    set_controls(p, i, program, vectors_member(doc, step, "set"));
    const char *error = vectors_text(p->v, expected, "error"), *met = "";
    const char *wanted = vectors_text(p->v, step, "transition");
    if (wanted[0] != 0 && !zo_instance_request(i, wanted)) { met = fault_of_request(program, wanted); }
    double seconds = 0.0;
    const bool looks = vectors_number(doc, step, "time", &seconds);
    listed found[EVENTS_MAX];
    uint32_t count = 0;
    if (looks) {
        const char *refused = NULL;
        count = look(i, seconds, found, &refused);
        if (count == UINT32_MAX) { wrong(p, "step %u: no look", number); }
        if (refused != NULL) { met = fault_of_request(program, refused); }
        if (met[0] == 0) { met = zo_fault_name(zo_instance_fault(i)); }
    }
    if (strcmp(met, error) != 0) { wrong(p, "step %u: \"%s\", not \"%s\"", number, met, error); }
    same_state(p, expected, i, number);
    if (error[0] != 0 || !looks || !p->good) { return; }
    const uint32_t intended = vectors_member(doc, expected, "events_intended");
    same_events(p, intended != 0 ? intended : vectors_member(doc, expected, "events"), found, count);
    same_pose(p, vectors_member(doc, expected, "pose"), program, i, tolerance);
}

void vectors_forge_asm(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        played p = {v, vectors_text(v, item, "name"), true};
        files f = {.format = "forge-machine", .machine = text_of(&p, "", vectors_member(v->doc, item, "machine"), "")};
        uint32_t count = 0;
        VECTORS_EACH(v->doc, armature, vectors_member(v->doc, item, "armatures")) {
            const char *model = zb_arena_text(v->arena, zj_key(v->doc, armature)), *colon = strchr(model, ':');
            if (count == 4 || colon == NULL) { break; }
            zb_buffer out = zb_buffer_open(v->arena);
            zb_put(&out, "armatures/");
            zb_put(&out, colon + 1);
            zb_put(&out, ".json");
            f.names[count] = zb_buffer_text(&out);
            f.texts[count++] = text_of(&p, "", armature, "");
        }
        zo_program *program = program_of(&p, &f);
        if (!program) { continue; }
        zo_instance *i = zo_instance_create(program, &(zo_instance_def){.host_polls = true}, NULL);
        zo_event first[4];
        zo_instance_advance(i, 0, first, 4);
        set_controls(&p, i, program, vectors_member(v->doc, item, "supplied"));
        zo_target_state at;
        if (!zo_instance_state(i, &at) || strcmp(at.name, vectors_text(v, item, "start")) != 0) {
            wrong(&p, "does not begin in %s", vectors_text(v, item, "start"));
        }
        double tolerance = 1e-4;
        vectors_number(v->doc, item, "tolerance", &tolerance);
        uint32_t expected = zj_at(v->doc, vectors_member(v->doc, item, "expected"))->as.items.first, number = 0;
        VECTORS_EACH(v->doc, step, vectors_member(v->doc, item, "steps")) {
            if (p.good) { play_step(&p, step, expected, program, i, tolerance, number++); }
            expected = zj_at(v->doc, expected)->next;
        }
        end(&p);
        zo_instance_free(i);
        zo_program_free(program);
    }
}
