// The cases of Forge's files that play: parameters, clips of joints, machines, the documents' own files.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "vectors.h"

enum { SOURCES_MAX = 64, EVENTS_MAX = 64 };

// ------------------------------------------------------------------------------------------------------------- sources

typedef struct set { // a file and those that it names
    zo_source sources[SOURCES_MAX];
    uint32_t count;
    zo_compile_def def;
    zo_program *program;
    zo_report *report;
    zo_status status;
} set;

static void add(set *s, const char *name, zo_text text) {
    if (s->count < SOURCES_MAX) {
        s->sources[s->count++] = (zo_source){.name = name, .bytes = text.data, .size = text.size};
    }
}

static void release(set *s) {
    zo_program_free(s->program);
    zo_report_free(s->report);
    s->program = NULL;
    s->report = NULL;
}

// What is asked for and not given is missing.
static bool compile(set *s) {
    for (int round = 0; round < 4; round++) {
        s->status = zo_compile(s->sources, s->count, &s->def, &s->program, &s->report);
        if (s->status != ZO_NEEDS) { break; }
        static char names[SOURCES_MAX][128];
        for (uint32_t i = 0; i < zo_report_need_count(s->report) && s->count < SOURCES_MAX; i++) {
            snprintf(names[s->count], sizeof names[0], "%s", zo_report_need(s->report, i)->name);
            s->sources[s->count] = (zo_source){.name = names[s->count], .kind = ZO_SOURCE_MISSING};
            s->count++;
        }
        release(s);
    }
    return s->status == ZO_OK;
}

static bool to_stderr(void *context, const void *bytes, size_t size) {
    (void)context;
    return fwrite(bytes, 1, size, stderr) == size;
}

static bool must_compile(vectors *v, set *s, const char *name) {
    if (compile(s)) { return true; }
    vectors_fail(v, name, "does not compile");
    if (s->report != NULL) { zo_report_write(s->report, ZO_REPORT_GCC, false, to_stderr, NULL); }
    return false;
}

static zo_text text_of(zb_buffer *out) { return (zo_text){zb_buffer_text(out), out->size}; }

// A figure of a case; "nan", "inf" and "-inf" stand for those.
static double figure(vectors *v, uint32_t node) {
    if (zj_kind_of(v->doc, node) == ZJ_NUMBER) { return zj_at(v->doc, node)->as.number; }
    const zo_text text = zj_text(v->doc, node);
    if (zb_text_equal(text, ZB_TEXT("inf"))) { return (double)INFINITY; }
    return zb_text_equal(text, ZB_TEXT("-inf")) ? -(double)INFINITY : (double)NAN;
}

// "error" of an object; NULL: it is a value.
static const char *error_of(vectors *v, uint32_t node) {
    if (zj_kind_of(v->doc, node) != ZJ_OBJECT || vectors_member(v->doc, node, "error") == 0) { return NULL; }
    return vectors_text(v, node, "error");
}

// ----------------------------------------------------------------------------------------------------------- parameters

static void set_controls(vectors *v, uint32_t controls, const zo_program *program, zo_instance *instance) {
    VECTORS_EACH(v->doc, control, controls) {
        const zo_param param = zo_param_find(program, zb_arena_text(v->arena, zj_key(v->doc, control)));
        double multiply = 0.0, offset = 0.0;
        if (param.id == 0) { continue; } // supplied, and nobody asks for it
        if (zj_kind_of(v->doc, control) == ZJ_NUMBER) {
            zo_instance_set_param(instance, param, zj_at(v->doc, control)->as.number);
        } else {
            vectors_number(v->doc, control, "mul", &multiply);
            vectors_number(v->doc, control, "add", &offset);
            zo_instance_set_param_line(instance, param, offset, multiply);
        }
    }
}

typedef struct question {
    zo_instance *instance;
    zo_expr expr;
    bool exact, zero_signs;
} question;

static bool answer_is(vectors *v, const question *q, const char *name, uint32_t input, uint32_t expected) {
    zo_fault fault = ZO_FAULT_NONE;
    const double x = figure(v, input), value = zo_instance_expr(q->instance, q->expr, x, &fault);
    const char *error = error_of(v, expected);
    if (error != NULL || fault != ZO_FAULT_NONE) {
        if (error != NULL && strcmp(error, zo_fault_name(fault)) == 0) { return true; }
        vectors_fail(v, name, "at %.9g the fault is '%s'", x, zo_fault_name(fault));
        return false;
    }
    const double wanted = figure(v, expected);
    bool good = isnan(wanted) ? isnan(value) : value == wanted || (!q->exact && vectors_near(wanted, value, 1e-5));
    good = good || (q->exact && !isnan(value) && (float)value == (float)wanted);
    good = good && (!q->zero_signs || signbit(wanted) == signbit(value));
    if (!good) { vectors_fail(v, name, "at %.9g it is %.9g, not %.9g", x, value, wanted); }
    return good;
}

static bool answers_are(vectors *v, uint32_t item, const question *q, uint32_t outputs) {
    uint32_t expected = zj_at(v->doc, outputs)->as.items.first;
    VECTORS_EACH(v->doc, input, vectors_member(v->doc, item, "inputs")) {
        if (!answer_is(v, q, vectors_text(v, item, "name"), input, expected)) { return false; }
        expected = zj_at(v->doc, expected)->next;
    }
    return true;
}

static void params_case(vectors *v, uint32_t item) {
    const char *name = vectors_text(v, item, "name");
    const uint32_t parameters = vectors_member(v->doc, item, "parameters");
    zo_text inside = zj_source(v->doc, parameters);
    inside = (zo_text){inside.data + 1, inside.size - 2}; // without the braces
    zb_buffer out = zb_buffer_open(v->arena);
    zb_put(&out, "{\"parameters\": {");
    zb_put_text(&out, inside);
    zb_put(&out, zj_at(v->doc, parameters)->as.items.count > 0 ? ", " : "");
    zb_put(&out, "\"what is asked\": ");
    zb_put_text(&out, zj_source(v->doc, vectors_member(v->doc, item, "evaluate")));
    zb_put(&out, "}, \"clips\": {\"a\": \"#identity\"}, \"states\": [\"a\"], \"transitions\": {}, \"start_state\": \"a\"}");
    set s = {.def = {.format = "forge-machine", .late_faults = true}};
    add(&s, "case.json", text_of(&out));
    bool good = must_compile(v, &s, name);
    zo_instance *instance = good ? zo_instance_create(s.program, NULL, NULL) : NULL;
    if (instance != NULL) {
        set_controls(v, vectors_member(v->doc, item, "supplied"), s.program, instance);
        const question q = {instance, zo_expr_find(s.program, "what is asked"), true, strstr(name, "signed-zero") != NULL};
        good = answers_are(v, item, &q, vectors_member(v->doc, item, "outputs"));
    }
    if (good) { vectors_pass(v); }
    zo_instance_free(instance);
    release(&s);
}

void vectors_forge_params(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { params_case(v, item); }
}

static const char draft_animation[] = "{\"model\": \"demo:x\", \"joints\": [], \"clips\": [{\"name\": \"c\", \"tracks\": []}]}";

static bool draft_params_of(vectors *v, uint32_t item, bool letter, uint32_t outputs) {
    const char *name = vectors_text(v, item, "name");
    zb_buffer out = zb_buffer_open(v->arena);
    zb_put(&out, "{\"animation\": \"demo:x\", \"clips\": {\"a\": [{\"child\": \"c\", \"time\": ");
    zb_put_text(&out, zj_source(v->doc, vectors_member(v->doc, item, "parameter")));
    zb_put(&out, "}]}, \"states\": [\"a\"], \"transitions\": {}}");
    set s = {.def = {.format = "forge-draft-machine", .draft_repeat_letter = letter}};
    add(&s, "case.json", text_of(&out));
    add(&s, "animation/x.json", (zo_text){draft_animation, sizeof draft_animation - 1});
    bool good = must_compile(v, &s, name);
    zo_instance *instance = good ? zo_instance_create(s.program, NULL, NULL) : NULL;
    if (instance != NULL) {
        set_controls(v, vectors_member(v->doc, item, "controls"), s.program, instance);
        // the one that calls the others stands behind them
        const question q = {instance, {zo_expr_count(s.program)}, false, false};
        good = answers_are(v, item, &q, outputs);
    }
    zo_instance_free(instance);
    release(&s);
    return good;
}

void vectors_forge_draft_params(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const uint32_t letter = vectors_member(v->doc, item, "outputs");
        const uint32_t repaired = vectors_member(v->doc, item, "outputs_repaired");
        if (draft_params_of(v, item, true, letter) && draft_params_of(v, item, false, repaired != 0 ? repaired : letter)) {
            vectors_pass(v);
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- clips

static bool matrix_is(vectors *v, const char *name, uint32_t expected, const double m[12], double tolerance,
                      const char *what) {
    uint32_t row = zj_at(v->doc, expected)->as.items.first;
    for (uint32_t r = 0; r < 3; r++, row = zj_at(v->doc, row)->next) {
        uint32_t cell = zj_at(v->doc, row)->as.items.first;
        for (uint32_t c = 0; c < 4; c++, cell = zj_at(v->doc, cell)->next) {
            const double wanted = figure(v, cell), is = m[r * 4 + c];
            if (!(isnan(wanted) ? isnan(is) : vectors_near(wanted, is, tolerance))) {
                vectors_fail(v, name, "%s: row %u, column %u is %.9g, not %.9g", what, r, c, is, wanted);
                return false;
            }
        }
    }
    return true;
}

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static bool joint_is(vectors *v, const char *name, const zo_program *program, const zo_pose *pose, const char *joint,
                     uint32_t expected, double tolerance) {
    const zo_target target = zo_target_find(program, joint); // one that nothing names does not move
    return matrix_is(v, name, expected, target.id != 0 ? pose->transforms[target.id - 1].m : identity, tolerance, joint);
}

static bool reported(const set *s, const char *slug) {
    for (uint32_t i = 0; i < zo_report_count(s->report); i++) {
        if (vectors_is_slug(zo_report_at(s->report, i)->id, slug)) { return true; }
    }
    return false;
}

// A model of so many cubes, for what moves them.
static zo_text model_of(vectors *v, uint32_t count) {
    zb_buffer out = zb_buffer_open(v->arena);
    zb_put(&out, "{\"textures\": {\"t\": \"demo:t\"}, \"elements\": [");
    for (uint32_t i = 0; i < count; i++) {
        zb_put(&out, i > 0 ? ", " : "");
        zb_put(&out, "{\"from\": [0, 0, 0], \"to\": [16, 16, 16], \"faces\": {\"up\": {\"texture\": \"#t\"}}}");
    }
    zb_put(&out, "]}");
    return text_of(&out);
}

static const char one_clip_head[] = "{\"parameters\": {}, \"clips\": {\"a\": \"demo:block/x@";
static const char one_clip_tail[] = "\"}, \"states\": [\"a\"], \"transitions\": {}, \"start_state\": \"a\"}";

// The case's clip in a machine of its own, with a model of cubes. `clip`: of the program.
static bool in_machine(vectors *v, uint32_t item, set *s) {
    zb_buffer out = zb_buffer_open(v->arena);
    zb_put(&out, one_clip_head);
    zb_put(&out, vectors_text(v, item, "clip"));
    zb_put(&out, one_clip_tail);
    add(s, "case.json", text_of(&out));
    add(s, "armatures/block/x.json", zj_source(v->doc, vectors_member(v->doc, item, "armature")));
    add(s, "models/block/x.json", model_of(v, 16));
    s->def = (zo_compile_def){.format = "forge-machine", .late_faults = true};
    return must_compile(v, s, vectors_text(v, item, "name"));
}

static bool armature_joint(vectors *v, uint32_t item, const set *s, zo_pose *pose, zo_clip clip) {
    const char *name = vectors_text(v, item, "name");
    uint32_t expected = zj_at(v->doc, vectors_member(v->doc, item, "matrices"))->as.items.first;
    VECTORS_EACH(v->doc, time, vectors_member(v->doc, item, "times")) {
        const char *error = error_of(v, expected);
        zo_clip_sample(s->program, clip, figure(v, time), NULL, pose);
        if (error != NULL ? !reported(s, error)
                          : !joint_is(v, name, s->program, pose, vectors_text(v, item, "joint"), expected, 1e-5)) {
            if (error != NULL) { vectors_fail(v, name, "%s is not reported", error); }
            return false;
        }
        expected = zj_at(v->doc, expected)->next;
    }
    return true;
}

static bool armature_element(vectors *v, uint32_t item, const set *s, zo_pose *pose, zo_clip clip) {
    const char *name = vectors_text(v, item, "name");
    VECTORS_EACH(v->doc, element, vectors_member(v->doc, item, "matrices")) {
        const char *key = zb_arena_text(v->arena, zj_key(v->doc, element));
        uint32_t index = 0;
        for (const char *digit = key; *digit != 0; digit++) { index = index * 10 + (uint32_t)(*digit - '0'); }
        uint32_t expected = zj_at(v->doc, element)->as.items.first;
        VECTORS_EACH(v->doc, time, vectors_member(v->doc, item, "times")) {
            double m[12];
            zo_clip_sample(s->program, clip, figure(v, time), NULL, pose);
            zo_pose_skin(s->program, pose, (zo_mesh){index + 1}, 0, m);
            const bool still = zj_kind_of(v->doc, expected) == ZJ_NULL;
            if (still ? memcmp(m, identity, sizeof m) != 0 : !matrix_is(v, name, expected, m, 1e-5, key)) {
                if (still) { vectors_fail(v, name, "element %s moves", key); }
                return false;
            }
            expected = zj_at(v->doc, expected)->next;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------------- events

typedef struct told { // by polls, oldest first
    zo_event events[EVENTS_MAX];
    uint32_t count;
} told;

// One look; what it tells. Requests and states are not for the host's list.
static bool poll(zo_instance *instance, double time, told *out) {
    out->count = 0;
    if (!zo_instance_poll(instance, time)) { return false; }
    zo_step step;
    do {
        zo_event events[8];
        step = zo_instance_advance(instance, 0, events, 8);
        for (uint32_t i = 0; i < step.count; i++) {
            if (events[i].kind == ZO_EVENT_NOTIFY && out->count < EVENTS_MAX) { out->events[out->count++] = events[i]; }
        }
    } while (step.more);
    return true;
}

// In Forge's form: newest first, the first measured back from the poll, each further one from the one before it.
static bool events_are(vectors *v, const char *name, uint32_t expected, const told *is, double time) {
    uint32_t left = is->count;
    double before = time;
    if (zj_at(v->doc, expected)->as.items.count != is->count) {
        vectors_fail(v, name, "at %.9g there are %u events, not %u", time, is->count,
                     zj_at(v->doc, expected)->as.items.count);
        return false;
    }
    VECTORS_EACH(v->doc, item, expected) {
        const zo_event *event = &is->events[--left];
        double offset = 0.0;
        vectors_number(v->doc, item, "offset", &offset);
        if (strcmp(event->name, vectors_text(v, item, "event")) != 0 ||
            !vectors_near(offset, before - event->at_s, 1e-4)) {
            vectors_fail(v, name, "at %.9g it tells %s %.9g before, not %s %.9g", time, event->name,
                         before - event->at_s, vectors_text(v, item, "event"), offset);
            return false;
        }
        before = event->at_s;
    }
    return true;
}

static bool armature_events(vectors *v, uint32_t item, const set *s) {
    const char *name = vectors_text(v, item, "name");
    const uint32_t intended = vectors_member(v->doc, item, "events_intended");
    uint32_t expected = zj_at(v->doc, intended != 0 ? intended : vectors_member(v->doc, item, "events"))->as.items.first;
    VECTORS_EACH(v->doc, pair, vectors_member(v->doc, item, "polls")) {
        const uint32_t last = zj_at(v->doc, pair)->as.items.first, now = zj_at(v->doc, last)->next;
        zo_instance *instance = zo_instance_create(s->program, &(zo_instance_def){.host_polls = true}, NULL);
        told is = {.count = 0};
        bool good = instance != NULL && poll(instance, figure(v, last), &is) && poll(instance, figure(v, now), &is);
        if (!good) { vectors_fail(v, name, "cannot be polled"); }
        good = good && events_are(v, name, expected, &is, figure(v, now));
        zo_instance_free(instance);
        if (!good) { return false; }
        expected = zj_at(v->doc, expected)->next;
    }
    return true;
}

static void armature_case(vectors *v, uint32_t item) {
    const char *kind = vectors_text(v, item, "kind");
    set s = {.count = 0};
    bool good = in_machine(v, item, &s);
    zo_pose *pose = good ? zo_pose_create(s.program, NULL) : NULL;
    zb_buffer clip = zb_buffer_open(v->arena);
    zb_put(&clip, "demo:block/x@");
    zb_put(&clip, vectors_text(v, item, "clip"));
    if (good) {
        const zo_clip found = zo_clip_find(s.program, zb_buffer_text(&clip));
        good = strcmp(kind, "joint") == 0     ? armature_joint(v, item, &s, pose, found)
               : strcmp(kind, "element") == 0 ? armature_element(v, item, &s, pose, found)
                                              : armature_events(v, item, &s);
    }
    if (good) { vectors_pass(v); }
    zo_pose_free(pose);
    release(&s);
}

void vectors_forge_armature(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { armature_case(v, item); }
}

// ------------------------------------------------------------------------------------------------------------ machines

typedef struct play {
    vectors *v;
    const char *name;
    zo_program *program;
    zo_instance *instance;
    zo_pose *pose;
    double tolerance;
} play;

static const char *state_of(const play *p) {
    zo_target_state state;
    return zo_instance_state(p->instance, &state) ? state.name : "";
}

static bool is_state(const play *p, const char *name) {
    zo_state_info info;
    for (uint32_t i = 1; i <= zo_state_count(p->program); i++) {
        if (zo_state_get(p->program, (zo_state){i}, &info) && strcmp(info.name, name) == 0) { return true; }
    }
    return false;
}

// What a request is refused for; NULL: it is not.
static const char *request(const play *p, const char *state) {
    if (!is_state(p, state)) { return "unknown-state"; }
    return zo_instance_request(p->instance, state) ? NULL : "no-such-transition";
}

static bool poll_step(const play *p, uint32_t step, uint32_t expected, double time) {
    vectors *v = p->v;
    told is;
    if (!poll(p->instance, time, &is)) {
        vectors_fail(v, p->name, "cannot be polled");
        return false;
    }
    const char *error = error_of(v, expected);
    zo_instance_sample(p->instance, p->pose);
    if (error != NULL) {
        const zo_fault fault = zo_instance_fault(p->instance);
        if (strcmp(zo_fault_name(fault), error) == 0) { return true; }
        // an event asked for a state in vain: the machine stands where it stood
        if (strcmp(error, "no-such-transition") == 0 || strcmp(error, "unknown-state") == 0) { return true; }
        vectors_fail(v, p->name, "at %.9g the fault is '%s', not %s", time, zo_fault_name(fault), error);
        return false;
    }
    const uint32_t intended = vectors_member(v->doc, expected, "events_intended");
    if (!events_are(v, p->name, intended != 0 ? intended : vectors_member(v->doc, expected, "events"), &is, time)) {
        return false;
    }
    VECTORS_EACH(v->doc, joint, vectors_member(v->doc, expected, "pose")) {
        if (!joint_is(v, p->name, p->program, p->pose, zb_arena_text(v->arena, zj_key(v->doc, joint)), joint, p->tolerance)) {
            return false;
        }
    }
    (void)step;
    return true;
}

static bool machine_step(const play *p, uint32_t step, uint32_t expected) {
    vectors *v = p->v;
    const uint32_t wanted = vectors_member(v->doc, step, "transition");
    double time = 0.0;
    set_controls(v, vectors_member(v->doc, step, "set"), p->program, p->instance);
    if (wanted != 0) {
        const char *refused = request(p, zb_arena_text(v->arena, zj_text(v->doc, wanted)));
        const char *error = vectors_member(v->doc, step, "time") == 0 ? error_of(v, expected) : NULL;
        if ((refused == NULL) != (error == NULL) || (error != NULL && strcmp(refused, error) != 0)) {
            vectors_fail(v, p->name, "the request is refused as '%s', not '%s'", refused ? refused : "", error ? error : "");
            return false;
        }
    }
    if (vectors_number(v->doc, step, "time", &time) && !poll_step(p, step, expected, time)) { return false; }
    if (strcmp(state_of(p), vectors_text(v, expected, "state")) != 0) {
        vectors_fail(v, p->name, "the state is %s, not %s", state_of(p), vectors_text(v, expected, "state"));
        return false;
    }
    return true;
}

static void add_armatures(vectors *v, uint32_t item, set *s) {
    VECTORS_EACH(v->doc, armature, vectors_member(v->doc, item, "armatures")) {
        const zo_text model = zj_key(v->doc, armature);
        const char *colon = memchr(model.data, ':', model.size);
        zb_buffer name = zb_buffer_open(v->arena);
        zb_put(&name, "armatures/");
        zb_put_bytes(&name, colon + 1, model.size - (size_t)(colon + 1 - model.data));
        zb_put(&name, ".json");
        add(s, zb_buffer_text(&name), zj_source(v->doc, armature));
    }
}

static void asm_case(vectors *v, uint32_t item) {
    play p = {.v = v, .name = vectors_text(v, item, "name"), .tolerance = 1e-4};
    set s = {.def = {.format = "forge-machine", .late_faults = true}};
    vectors_number(v->doc, item, "tolerance", &p.tolerance);
    add(&s, "case.json", zj_source(v->doc, vectors_member(v->doc, item, "machine")));
    add_armatures(v, item, &s);
    bool good = must_compile(v, &s, p.name);
    p.program = s.program;
    p.instance = good ? zo_instance_create(s.program, &(zo_instance_def){.host_polls = true}, NULL) : NULL;
    p.pose = good ? zo_pose_create(s.program, NULL) : NULL;
    if (good) {
        set_controls(v, vectors_member(v->doc, item, "supplied"), p.program, p.instance);
        uint32_t expected = zj_at(v->doc, vectors_member(v->doc, item, "expected"))->as.items.first;
        good = strcmp(state_of(&p), vectors_text(v, item, "start")) == 0;
        if (!good) { vectors_fail(v, p.name, "starts in %s", state_of(&p)); }
        VECTORS_EACH(v->doc, step, vectors_member(v->doc, item, "steps")) {
            good = good && machine_step(&p, step, expected);
            expected = zj_at(v->doc, expected)->next;
        }
    }
    if (good) { vectors_pass(v); }
    zo_pose_free(p.pose);
    zo_instance_free(p.instance);
    release(&s);
}

void vectors_forge_asm(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { asm_case(v, item); }
}

// ----------------------------------------------------------------------------------------------- the documents' own files

enum { PIXELS = 16 }; // a block

// The smallest B3D model: a node that nothing is on. Its clip main is there, and moves nothing.
static zo_text empty_b3d(vectors *v) {
    static const float figures[10] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 0}; // position, scale, rotation
    uint8_t *bytes = zb_arena_take(v->arena, 62);
    memcpy(bytes, "BB3D\x36\0\0\0\x01\0\0\0NODE\x2A\0\0\0a\0", 22);
    memcpy(bytes + 22, figures, sizeof figures);
    return (zo_text){(const char *)bytes, 62};
}

static const char *const supplied[] = {"base", "front", "chamber", "trunk"}; // by the states of the block

static bool add_document(vectors *v, set *s, const char *name, const char *path) {
    char whole[256];
    zo_text bytes;
    snprintf(whole, sizeof whole, "seed/%s", path);
    if (!vectors_read(v, whole, &bytes)) { return false; }
    add(s, name, bytes);
    return true;
}

// The first source is there; the engine, and a chest, lie beside it.
static bool compile_documents(vectors *v, set *s, const char *name) {
    s->def.cels = supplied;
    s->def.cel_count = sizeof supplied / sizeof supplied[0];
    add(s, "chest.b3d", empty_b3d(v));
    return add_document(v, s, "animation/engine.json", "forge/animation/engine.json") &&
           add_document(v, s, "models/engine.json", "forge/models/engine.json") && must_compile(v, s, name);
}

static void advance_to(zo_instance *instance, double seconds) {
    int64_t left_ns = (int64_t)(seconds * 1e9 + 0.5) - zo_instance_now_ns(instance);
    zo_step step;
    do {
        zo_event events[8];
        step = zo_instance_advance(instance, left_ns, events, 8);
        left_ns = step.left_ns;
    } while (step.more || left_ns > 0);
}

static bool joint_y_is(vectors *v, const char *name, const zo_program *program, const zo_pose *pose, const char *joint,
                       double wanted, double time) {
    const double y = pose->transforms[zo_target_find(program, joint).id - 1].m[7] * PIXELS;
    if (vectors_near(wanted, y, 1e-5)) { return true; }
    vectors_fail(v, name, "at %.9g y is %.9g, not %.9g", time, y, wanted);
    return false;
}

static double pair_at(vectors *v, uint32_t pair, uint32_t index) {
    const uint32_t first = zj_at(v->doc, pair)->as.items.first;
    return figure(v, index == 0 ? first : zj_at(v->doc, first)->next);
}

static bool pose_points(vectors *v, uint32_t item, const set *s, zo_instance *instance, zo_pose *pose) {
    const char *name = vectors_text(v, item, "name"), *clip = vectors_text(v, item, "clip");
    VECTORS_EACH(v->doc, point, vectors_member(v->doc, item, "points")) {
        const double time = pair_at(v, point, 0);
        if (*clip != 0) {
            zo_clip_sample(s->program, zo_clip_find(s->program, clip), time, NULL, pose);
        } else {
            advance_to(instance, time);
            zo_instance_sample(instance, pose);
        }
        if (!joint_y_is(v, name, s->program, pose, vectors_text(v, item, "joint"), pair_at(v, point, 1), time)) {
            return false;
        }
    }
    return true;
}

// Requests as they come, and how much a state counts at given times; all times rise.
static bool pose_requests(vectors *v, uint32_t item, zo_instance *instance) {
    const char *name = vectors_text(v, item, "name"), *state = vectors_text(v, item, "weight_of");
    uint32_t index = 0;
    VECTORS_EACH(v->doc, pair, vectors_member(v->doc, item, "requests")) {
        const uint32_t wanted = zj_at(v->doc, zj_at(v->doc, pair)->as.items.first)->next;
        bool refused = false;
        VECTORS_EACH(v->doc, number, vectors_member(v->doc, item, "refused")) { refused = refused || figure(v, number) == index; }
        advance_to(instance, pair_at(v, pair, 0));
        if (zo_instance_request(instance, zb_arena_text(v->arena, zj_text(v->doc, wanted))) == refused) {
            vectors_fail(v, name, refused ? "a request is not refused" : "a request is refused");
            return false;
        }
        index++;
    }
    VECTORS_EACH(v->doc, point, *state != 0 ? vectors_member(v->doc, item, "points") : 0) {
        zo_target_state now;
        advance_to(instance, pair_at(v, point, 0));
        const bool good = zo_instance_state(instance, &now) && strcmp(now.name, state) == 0 &&
                          vectors_near(pair_at(v, point, 1), now.weight, 1e-5);
        if (!good) {
            vectors_fail(v, name, "at %.9g %s counts %.9g", pair_at(v, point, 0), now.name, now.weight);
            return false;
        }
    }
    return true;
}

static bool pose_machine(vectors *v, uint32_t item, set *s) {
    const char *name = vectors_text(v, item, "name"), *state = vectors_text(v, item, "state");
    if (!add_document(v, s, "machine.json", vectors_text(v, item, "machine")) || !compile_documents(v, s, name)) {
        return false;
    }
    zo_instance *instance = zo_instance_create(s->program, NULL, NULL);
    zo_pose *pose = zo_pose_create(s->program, NULL);
    set_controls(v, vectors_member(v->doc, item, "set"), s->program, instance);
    const bool requests = vectors_member(v->doc, item, "requests") != 0;
    bool good = true;
    if (requests) {
        good = pose_requests(v, item, instance);
    } else {
        good = zo_instance_request(instance, state) && pose_points(v, item, s, instance, pose);
    }
    zo_target_state now;
    if (good && *state != 0 && (!zo_instance_state(instance, &now) || strcmp(now.name, state) != 0)) {
        vectors_fail(v, name, "the state is not %s", state);
        good = false;
    }
    zo_pose_free(pose);
    zo_instance_free(instance);
    return good;
}

// Which corner each vertex of a side is, in their order: bit 0 x, bit 1 y, bit 2 z.
static const uint8_t corners_of_sides[6][4] = {{4, 0, 1, 5}, {2, 6, 7, 3}, {3, 1, 0, 2}, {6, 4, 5, 7}, {2, 0, 4, 6}, {7, 5, 1, 3}};

static bool pose_corners(vectors *v, uint32_t item, const set *s, zo_pose *pose) {
    const char *name = vectors_text(v, item, "name");
    double time = 0.0;
    vectors_number(v->doc, item, "time", &time);
    zo_clip_sample(s->program, zo_clip_find(s->program, vectors_text(v, item, "clip")), time, NULL, pose);
    VECTORS_EACH(v->doc, element, vectors_member(v->doc, item, "corners")) {
        const zo_mesh mesh = {(uint32_t)(zj_key(v->doc, element).data[0] - '0') + 1};
        double wanted[8];
        uint32_t seen = 0, count = 0;
        zo_mesh_info info;
        VECTORS_EACH(v->doc, y, element) { wanted[count++ & 7] = figure(v, y); }
        zo_mesh_get(s->program, mesh, &info);
        const uint32_t first_side = info.vertex_count == 24 ? 0 : 2; // all sides, or those around it
        for (uint32_t i = 0; i < info.vertex_count; i++) {
            const uint32_t corner = corners_of_sides[first_side + i / 4][i % 4];
            zo_mesh_vertex vertex;
            double m[12];
            zo_mesh_vertex_get(s->program, mesh, i, &vertex);
            zo_pose_skin(s->program, pose, mesh, i, m);
            const double y = (m[4] * vertex.position[0] + m[5] * vertex.position[1] + m[6] * vertex.position[2] + m[7]) * PIXELS;
            seen |= 1u << corner;
            if (!vectors_near(wanted[corner], y, 1e-5)) {
                vectors_fail(v, name, "y of corner %u of element %u is %.9g, not %.9g", corner, mesh.id - 1, y, wanted[corner]);
                return false;
            }
        }
        if (seen != 0xFF) {
            vectors_fail(v, name, "not every corner of element %u is there", mesh.id - 1);
            return false;
        }
    }
    return true;
}

static bool pose_clip(vectors *v, uint32_t item, set *s) {
    const char *name = vectors_text(v, item, "name");
    if (!add_document(v, s, "animation.json", "forge/animation/engine.json") || !compile_documents(v, s, name)) {
        return false;
    }
    zo_pose *pose = zo_pose_create(s->program, NULL);
    const bool good = vectors_member(v->doc, item, "corners") != 0 ? pose_corners(v, item, s, pose)
                                                                   : pose_points(v, item, s, NULL, pose);
    zo_pose_free(pose);
    return good;
}

static bool pose_lerp(vectors *v, uint32_t item) {
    const char *name = vectors_text(v, item, "name");
    const uint32_t lerp = vectors_member(v->doc, item, "lerp");
    bool good = true;
    VECTORS_EACH(v->doc, one, vectors_member(v->doc, item, "cases")) {
        double time = 0.0, y = 0.0;
        set s = {.count = 0};
        zb_buffer out = zb_buffer_open(v->arena);
        zb_put(&out, "{\"animation\": \"yourmod:engine\", \"clips\": {\"a\": [{\"type\": \"lerp\", \"from\": ");
        zb_put_text(&out, zj_source(v->doc, vectors_member(v->doc, lerp, "from")));
        zb_put(&out, ", \"to\": ");
        zb_put_text(&out, zj_source(v->doc, vectors_member(v->doc, lerp, "to")));
        zb_put(&out, ", \"progress\": ");
        zb_put_text(&out, zj_source(v->doc, vectors_member(v->doc, one, "progress")));
        zb_put(&out, "}]}, \"states\": [\"a\"], \"transitions\": {}}");
        add(&s, "machine.json", text_of(&out));
        good = good && compile_documents(v, &s, name);
        zo_instance *instance = good ? zo_instance_create(s.program, NULL, NULL) : NULL;
        zo_pose *pose = good ? zo_pose_create(s.program, NULL) : NULL;
        if (good) {
            vectors_number(v->doc, one, "t", &time);
            vectors_number(v->doc, one, "y", &y);
            advance_to(instance, time);
            zo_instance_sample(instance, pose);
            good = joint_y_is(v, name, s.program, pose, "ring", y, time);
        }
        zo_pose_free(pose);
        zo_instance_free(instance);
        release(&s);
    }
    return good;
}

void vectors_forge_draft_pose(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        set s = {.count = 0};
        const bool good = vectors_member(v->doc, item, "lerp") != 0      ? pose_lerp(v, item)
                          : vectors_member(v->doc, item, "machine") != 0 ? pose_machine(v, item, &s)
                                                                         : pose_clip(v, item, &s);
        if (good) { vectors_pass(v); }
        release(&s);
    }
}
