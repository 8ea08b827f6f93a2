// The petween files: validate.json, compile.json, samples.json, builtins.json. How each is compared is said in the
// README beside them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "formats/petween.h"
#include "vectors.h"

// ------------------------------------------------------------------------------------------------------ validate.json

static bool is_layer_report(const zo_diag *diag, const char *place) { // layer:transition@0.4
    const char *at = strchr(place, '@');
    char wanted[128];
    snprintf(wanted, sizeof wanted, "layer %.*s at %s:", (int)(at - place), place, at + 1);
    return strcmp(diag->id, "petween/layer-easing") == 0 && strstr(diag->message, wanted) != NULL;
}

// tracks[0].keyframes[2] as /tracks/0/keyframes/2.
static void pointer_of(const char *place, char *pointer, size_t capacity) {
    size_t size = 0;
    pointer[size++] = '/';
    for (const char *c = place; *c != '\0' && size + 1 < capacity; c++) {
        if (*c != ']') { pointer[size++] = *c == '[' || *c == '.' ? '/' : *c; }
    }
    pointer[size] = '\0';
}

// At the place itself or at one of its own members, but not further down: a fault of a keyframe is none of its track.
static bool is_at(const char *pointer, const char *place) {
    char wanted[256];
    pointer_of(place, wanted, sizeof wanted);
    const size_t size = strlen(wanted);
    if (pointer == NULL || strncmp(pointer, wanted, size) != 0) { return false; }
    const char *rest = pointer + size;
    if (*rest == '\0') { return true; }
    // The value of a keyframe and the strength are objects with members of their own.
    const bool deep = strstr(place, "keyframes[") != NULL || strcmp(place, "parameters.strength") == 0;
    return *rest == '/' && (deep || strchr(rest + 1, '/') == NULL);
}

static bool names_place(const zo_diag *diag, const char *place) {
    static const struct {
        const char *place, *ids[2];
    } special[] = {
        {"definition", {"petween/definition-object", NULL}},
        {"repeat.random-interval", {"petween/random-interval", NULL}},
        {"repeat(alternate+events)", {"petween/alternate-events", NULL}},
        {"events(count)", {"petween/transition-one-swap", NULL}},
        {"events(pose)", {"petween/transition-no-pose", "petween/interaction-pose"}},
        {"events(ambient)", {"petween/ambient-events", NULL}},
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (strcmp(place, special[i].place) == 0) {
            return strcmp(diag->id, special[i].ids[0]) == 0 ||
                   (special[i].ids[1] != NULL && strcmp(diag->id, special[i].ids[1]) == 0);
        }
    }
    if (strncmp(place, "layer:", 6) == 0) { return is_layer_report(diag, place + 6); }
    if (is_at(diag->place.pointer, place)) { return true; }
    // A member that is missing is reported at the object, and the id says which.
    const bool at_root = diag->place.pointer != NULL && diag->place.pointer[0] == '\0';
    return at_root && strncmp(diag->id, "petween/", 8) == 0 && strcmp(diag->id + 8, place) == 0;
}

static bool all_places_named(vectors *v, uint32_t item, const char *name, const zd_report *report) {
    VECTORS_EACH(v->doc, place, vectors_member(v->doc, item, "where")) {
        const char *text = zb_arena_text(v->arena, zj_text(v->doc, place));
        bool named = false;
        for (uint32_t i = 0; i < zd_report_count(report); i++) {
            const zo_diag *diag = zd_report_at(report, i);
            named = named || (diag->severity == ZO_ERROR && names_place(diag, text));
        }
        if (!named) {
            vectors_fail(v, name, "no report names %s", text);
            return false;
        }
    }
    return true;
}

static void validate_case(vectors *v, uint32_t item) {
    const char *name = vectors_text(v, item, "name");
    const bool disputed = vectors_true(v->doc, item, "disputed");
    const bool expected = vectors_true(v->doc, item, disputed ? "docValid" : "valid");
    const zo_text text = zj_source(v->doc, vectors_member(v->doc, item, "definition"));
    zb_arena arena = zb_arena_open(NULL);
    zd_report *report = zd_report_open(NULL, 0, false);
    const uint32_t file = zd_report_file(report, name, text.data, text.size);
    const zj_doc *doc = zj_parse(&arena, text.data, text.size, file, NULL, report);
    if (doc == NULL) {
        vectors_fail(v, name, "the definition does not parse");
    } else {
        const zf_pt_reading reading = {.arena = &arena, .doc = doc, .definition_only = true,
                                       .profile = disputed ? ZO_PROFILE_DOCUMENT : ZO_PROFILE_ORIGINAL};
        zf_pt_definition definition;
        const zf_pt_verdict verdict = zf_pt_read(&reading, ZJ_ROOT, &definition);
        zd_report_finish(report);
        const bool newer = strcmp(vectors_text(v, item, "rule"), "version-newer") == 0;
        if ((verdict == ZF_PT_VALID) != expected) {
            vectors_fail(v, name, expected ? "refused, but should be valid" : "accepted, but should be refused");
        } else if (newer != (verdict == ZF_PT_NEWER) && strcmp(vectors_text(v, item, "rule"), "many") != 0) {
            vectors_fail(v, name, "the status for a newer version is wrong");
        } else if (expected || all_places_named(v, item, name, report)) {
            vectors_pass(v);
        }
    }
    zd_report_close(report);
    zb_arena_close(&arena);
}

void vectors_petween_validate(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { validate_case(v, item); }
}

// ------------------------------------------------------------------------------------------------------- compile.json

// Compares texts that differ only in numbers: "12px 0px", "cubic-bezier(0.42,0,1,1)".
static bool texts_near(zo_text expected, zo_text actual, double tolerance) {
    size_t e = 0;
    size_t a = 0;
    while (e < expected.size && a < actual.size) {
        const char c = expected.data[e];
        const bool digit = (c >= '0' && c <= '9') || c == '-';
        if (!digit || (e > 0 && ((expected.data[e - 1] | 0x20) >= 'a' && (expected.data[e - 1] | 0x20) <= 'z'))) {
            if (c != actual.data[a]) { return false; }
            e++;
            a++;
            continue;
        }
        char *e_end;
        char *a_end;
        char e_text[64] = {0};
        char a_text[64] = {0};
        memcpy(e_text, expected.data + e, expected.size - e < 63 ? expected.size - e : 63);
        memcpy(a_text, actual.data + a, actual.size - a < 63 ? actual.size - a : 63);
        const double e_number = strtod(e_text, &e_end);
        const double a_number = strtod(a_text, &a_end);
        if (e_end == e_text || a_end == a_text || !vectors_near(e_number, a_number, tolerance)) { return false; }
        if (a_number == 0.0 && signbit(a_number)) { return false; } // no minus zero
        e += (size_t)(e_end - e_text);
        a += (size_t)(a_end - a_text);
    }
    return e == expected.size && a == actual.size;
}

static bool is_channel(zo_text key) {
    return zb_text_equal(key, ZB_TEXT("translate")) || zb_text_equal(key, ZB_TEXT("scale")) ||
           zb_text_equal(key, ZB_TEXT("rotate")) || zb_text_equal(key, ZB_TEXT("opacity"));
}

typedef struct pair {
    const zj_doc *expected_doc, *actual_doc;
    char where[256]; // of the first difference
} pair;

static bool values_equal(pair *p, uint32_t expected, uint32_t actual, zo_text key);

static bool objects_equal(pair *p, uint32_t expected, uint32_t actual) {
    uint32_t count = 0;
    VECTORS_EACH(p->expected_doc, member, expected) {
        const zo_text key = zj_key(p->expected_doc, member);
        const uint32_t other = zj_member(p->actual_doc, actual, key);
        if (other == 0 || !values_equal(p, member, other, key)) {
            if (p->where[0] == '\0') { snprintf(p->where, sizeof p->where, "%.*s", (int)key.size, key.data); }
            return false;
        }
        count++;
    }
    // Nothing more than is expected, but for what says which kind of document it is.
    count += zj_member(p->actual_doc, actual, ZB_TEXT("schema")) != 0 ? 1 : 0;
    return zj_at(p->actual_doc, actual)->as.items.count == count;
}

static bool arrays_equal(pair *p, uint32_t expected, uint32_t actual, zo_text key) {
    uint32_t other = zj_at(p->actual_doc, actual)->as.items.first;
    VECTORS_EACH(p->expected_doc, item, expected) {
        if (other == 0 || !values_equal(p, item, other, key)) { return false; }
        other = zj_at(p->actual_doc, other)->next;
    }
    return other == 0;
}

static bool values_equal(pair *p, uint32_t expected, uint32_t actual, zo_text key) {
    const zj_kind kind = zj_kind_of(p->expected_doc, expected);
    if (zj_kind_of(p->actual_doc, actual) != kind) { return false; }
    bool equal = true;
    switch (kind) {
    case ZJ_OBJECT: return objects_equal(p, expected, actual);
    case ZJ_ARRAY: return arrays_equal(p, expected, actual, key);
    case ZJ_NUMBER:
        equal = vectors_near(zj_at(p->expected_doc, expected)->as.number, zj_at(p->actual_doc, actual)->as.number,
                             1e-9);
        break;
    case ZJ_STRING: {
        const zo_text e = zj_text(p->expected_doc, expected);
        const zo_text a = zj_text(p->actual_doc, actual);
        const bool curve = zb_text_equal(key, ZB_TEXT("easing"));
        equal = is_channel(key) ? texts_near(e, a, 1.01e-4) : curve ? texts_near(e, a, 1e-9) : zb_text_equal(e, a);
        break;
    }
    case ZJ_NULL: case ZJ_FALSE: case ZJ_TRUE: break;
    }
    if (!equal) {
        const zo_text e = zj_source(p->expected_doc, expected);
        const zo_text a = zj_source(p->actual_doc, actual);
        snprintf(p->where, sizeof p->where, "%.*s is %.*s, not %.*s", (int)key.size, key.data, (int)a.size, a.data,
                 (int)e.size, e.data);
    }
    return equal;
}

static bool to_buffer(void *context, const void *bytes, size_t size) {
    zb_put_bytes(context, bytes, size);
    return true;
}

static zo_frames_def frames_def(vectors *v, uint32_t item) {
    zo_frames_def def = {0};
    const uint32_t options = vectors_member(v->doc, item, "options");
    const uint32_t repeat = vectors_member(v->doc, options, "repeat");
    def.set_strength = vectors_number(v->doc, item, "strength", &def.strength);
    def.set_duration = vectors_number(v->doc, options, "durationMs", &def.duration_ms);
    def.reduced_motion = vectors_true(v->doc, options, "reducedMotion");
    def.set_repeat = repeat != 0;
    if (repeat != 0) {
        static const char *const words[] = {[ZO_REPEAT_ONCE] = "once", [ZO_REPEAT_LOOP] = "loop",
                                            [ZO_REPEAT_ALTERNATE] = "alternate",
                                            [ZO_REPEAT_RANDOM_INTERVAL] = "random-interval"};
        const char *mode = vectors_text(v, repeat, "mode");
        while (def.repeat < ZO_REPEAT_RANDOM_INTERVAL && strcmp(words[def.repeat], mode) != 0) { def.repeat++; }
        vectors_number(v->doc, repeat, "minDelayMs", &def.delay_ms_min);
        vectors_number(v->doc, repeat, "maxDelayMs", &def.delay_ms_max);
    }
    return def;
}

static void compile_case(vectors *v, uint32_t item) {
    const char *name = vectors_text(v, item, "name");
    const zo_text text = zj_source(v->doc, vectors_member(v->doc, item, "definition"));
    const uint32_t expected = vectors_member(v->doc, item, "compiled");
    const zo_source source = {.name = name, .bytes = text.data, .size = text.size};
    const zo_compile_def compile = {.profile = ZO_PROFILE_ORIGINAL, .format = "petween"};
    const zo_frames_def def = frames_def(v, item);
    zb_buffer out = zb_buffer_open(v->arena);
    zo_report *report = NULL;
    const zo_status status = zo_frames(&source, &compile, &def, to_buffer, &out, &report);
    if (zj_kind_of(v->doc, expected) == ZJ_NULL) {
        bool found = strcmp(vectors_text(v, item, "error"), "invalid-definition") == 0 && zo_report_count(report) > 0;
        for (uint32_t i = 0; i < zo_report_count(report); i++) { // any other reason is an id
            const char *slug = zo_report_at(report, i)->id + strlen("petween/");
            found = found || strcmp(slug, vectors_text(v, item, "error")) == 0;
        }
        if (status == ZO_INVALID && found) {
            vectors_pass(v);
        } else {
            vectors_fail(v, name, "should fail with %s", vectors_text(v, item, "error"));
        }
    } else if (status != ZO_OK) {
        vectors_fail(v, name, "%s", zo_status_name(status));
    } else {
        const zj_doc *actual = zj_parse(v->arena, out.data, out.size, 0, NULL, NULL);
        pair p = {.expected_doc = v->doc, .actual_doc = actual};
        if (actual != NULL && values_equal(&p, expected, ZJ_ROOT, ZB_TEXT("compiled"))) {
            vectors_pass(v);
        } else {
            vectors_fail(v, name, "%s", actual != NULL ? p.where : "the frame list is no JSON");
        }
    }
    zo_report_free(report);
}

void vectors_petween_compile(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { compile_case(v, item); }
}

// ------------------------------------------------------------------------------------------------------- samples.json

// Which channels the parts of a layer's figures are: translate [x, y], scale [x, y], rotate [deg], opacity [n].
static const struct {
    const char *part, *members[2];
} parts[] = {
    {"translate", {"x", "y"}},
    {"scale", {"scaleX", "scaleY"}},
    {"rotate", {"rotation", NULL}},
    {"opacity", {"opacity", NULL}},
};

typedef struct player {
    zo_program *program;
    zo_pose *pose;
    double strength;
} player;

static bool player_open(player *p, zo_text text, const zo_source *builtin, zo_profile profile) {
    const zo_source source = {.name = "case", .bytes = text.data, .size = text.size};
    const zo_compile_def def = {.profile = profile, .format = "petween"};
    zo_report *report = NULL;
    const zo_status status = zo_compile(builtin != NULL ? builtin : &source, 1, &def, &p->program, &report);
    zo_report_free(report);
    p->pose = status == ZO_OK ? zo_pose_create(p->program, NULL) : NULL;
    return p->pose != NULL;
}

static void player_close(player *p) {
    zo_pose_free(p->pose);
    zo_program_free(p->program);
}

static void player_sample(const player *p, double at) {
    zo_clip_sample(p->program, (zo_clip){1}, at, &p->strength, p->pose);
}

static bool part_near(const player *p, const zj_doc *doc, zo_text layer, uint32_t part, char why[256]) {
    uint32_t kind = 0;
    while (kind < 4 && !zb_text_equal(zj_key(doc, part), zb_text(parts[kind].part))) { kind++; }
    uint32_t index = 0;
    VECTORS_EACH(doc, figure, part) {
        char channel[64];
        const char *member = kind < 4 && index < 2 ? parts[kind].members[index] : NULL;
        snprintf(channel, sizeof channel, "%.*s.%s", (int)layer.size, layer.data, member != NULL ? member : "?");
        const zo_channel found = zo_channel_find(p->program, channel);
        const double expected = zj_at(doc, figure)->as.number;
        const double actual = found.id != 0 ? p->pose->slots[found.id - 1] : 0.0;
        if (found.id == 0 || !vectors_near(expected, actual, 2.5e-4 + 2.5e-4 * fabs(expected))) {
            snprintf(why, 256, "%s is %.9g, not %.9g", channel, actual, expected);
            return false;
        }
        index++;
    }
    return true;
}

// Every layer that the clip moves has figures, and no other.
static bool layers_are(const player *p, const zj_doc *doc, uint32_t figures, char why[256]) {
    for (uint32_t c = 1; c <= zo_channel_count(p->program); c++) {
        zo_channel_info info;
        zo_channel_get(p->program, (zo_channel){c}, &info);
        const zo_text layer = {info.name, strcspn(info.name, ".")};
        if (zo_clip_drives(p->program, (zo_clip){1}, (zo_channel){c}) && zj_member(doc, figures, layer) == 0) {
            snprintf(why, 256, "%s moves and should not", info.name);
            return false;
        }
    }
    return true;
}

static bool figures_near(const player *p, const zj_doc *doc, uint32_t figures, char why[256]) {
    VECTORS_EACH(doc, layer, figures) {
        VECTORS_EACH(doc, part, layer) {
            if (!part_near(p, doc, zj_key(doc, layer), part, why)) { return false; }
        }
    }
    return layers_are(p, doc, figures, why);
}

static void figures_case(vectors *v, uint32_t item, const char *which, zo_profile profile) {
    char name[256];
    snprintf(name, sizeof name, "%s (%s)", vectors_text(v, item, "name"), which);
    player p = {0};
    if (!player_open(&p, zj_source(v->doc, vectors_member(v->doc, item, "definition")), NULL, profile)) {
        vectors_fail(v, name, "does not compile");
        player_close(&p);
        return;
    }
    zo_param_info param;
    zo_param_get(p.program, (zo_param){1}, &param);
    p.strength = param.value;
    vectors_number(v->doc, item, "strength", &p.strength);
    bool good = true;
    VECTORS_EACH(v->doc, point, vectors_member(v->doc, item, "points")) {
        double at = 0.0;
        char why[256] = "";
        vectors_number(v->doc, point, "at", &at);
        player_sample(&p, at);
        if (good && !figures_near(&p, v->doc, vectors_member(v->doc, point, which), why)) {
            vectors_fail(v, name, "at %.9g %s", at, why);
            good = false;
        }
    }
    if (good) { vectors_pass(v); }
    player_close(&p);
}

// The target of the latest named swap at or before the time.
static const char *pose_at(const player *p, double at) {
    const char *pose = NULL;
    zo_clip_event_info event;
    for (uint32_t i = 0; zo_clip_event_get(p->program, (zo_clip){1}, i, &event); i++) {
        if (event.action == ZO_ACTION_SHOW_CEL && event.name[0] != '\0' && event.at <= at) { pose = event.name; }
    }
    return pose;
}

static void pose_case(vectors *v, uint32_t item) {
    char name[256];
    snprintf(name, sizeof name, "%s (pose)", vectors_text(v, item, "name"));
    player p = {0};
    if (!player_open(&p, zj_source(v->doc, vectors_member(v->doc, item, "definition")), NULL, ZO_PROFILE_DOCUMENT)) {
        vectors_fail(v, name, "does not compile");
        player_close(&p);
        return;
    }
    bool good = true;
    VECTORS_EACH(v->doc, point, vectors_member(v->doc, item, "points")) {
        double at = 0.0;
        vectors_number(v->doc, point, "at", &at);
        const char *expected = vectors_text(v, point, "pose"); // "" for null
        const char *actual = pose_at(&p, at);
        if (good && strcmp(expected, actual != NULL ? actual : "") != 0) {
            vectors_fail(v, name, "at %.9g the pose is %s, not %s", at, actual != NULL ? actual : "none", expected);
            good = false;
        }
    }
    if (good) { vectors_pass(v); }
    player_close(&p);
}

// Recorded with limits that the document does not know: the README names these.
static bool has_original_limits(const char *name) {
    static const char *const names[] = {"scale limits 0..10", "offset limits 4096", "rotation limits 360",
                                        "opacity limits 0..1", "limit applies after strength",
                                        "ambient layers have the same limits"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) { return true; }
    }
    return false;
}

void vectors_petween_samples(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        if (has_original_limits(name)) {
            vectors_skip(v, name, "scrub was recorded with the limits of the profile original");
        } else {
            figures_case(v, item, "scrub", ZO_PROFILE_DOCUMENT);
        }
        pose_case(v, item);
        figures_case(v, item, "play", ZO_PROFILE_ORIGINAL);
    }
}

// ------------------------------------------------------------------------------------------------------ builtins.json

static double range_of(const zj_doc *doc, uint32_t values) {
    double low = 1e300;
    double high = -1e300;
    VECTORS_EACH(doc, value, values) {
        low = fmin(low, zj_at(doc, value)->as.number);
        high = fmax(high, zj_at(doc, value)->as.number);
    }
    return fmax(high - low, 1.0);
}

static bool values_near(const player *p, vectors *v, uint32_t item, bool original, char why[256]) {
    VECTORS_EACH(v->doc, values, vectors_member(v->doc, item, "values")) {
        const char *channel = zb_arena_text(v->arena, zj_key(v->doc, values));
        const zo_channel found = zo_channel_find(p->program, channel);
        const double exact = 1e-9 * range_of(v->doc, values);
        uint32_t time = zj_at(v->doc, vectors_member(v->doc, item, "at"))->as.items.first;
        VECTORS_EACH(v->doc, value, values) {
            const double expected = zj_at(v->doc, value)->as.number;
            if (found.id == 0 || time == 0) {
                snprintf(why, 256, "there is no %s, or no time for it", channel);
                return false;
            }
            player_sample(p, zj_at(v->doc, time)->as.number);
            const double actual = p->pose->slots[found.id - 1];
            if (!vectors_near(expected, actual, original ? 2.5e-4 + 2.5e-4 * fabs(expected) : exact)) {
                snprintf(why, 256, "%s is %.17g at %.9g, not %.17g", channel, actual, zj_at(v->doc, time)->as.number,
                         expected);
                return false;
            }
            time = zj_at(v->doc, time)->next;
        }
        if (!zo_clip_drives(p->program, (zo_clip){1}, found)) {
            snprintf(why, 256, "%s is not moved", channel);
            return false;
        }
    }
    return true;
}

static void builtin_case(vectors *v, uint32_t item) {
    const char *id = vectors_text(v, item, "id");
    const bool original = strcmp(vectors_text(v, item, "profile"), "original") == 0;
    char name[256];
    double given = 0.0;
    double bound = 0.0;
    double duration_ms = 0.0;
    const bool has_strength = vectors_number(v->doc, item, "strength", &given);
    vectors_number(v->doc, item, "bound", &bound);
    vectors_number(v->doc, item, "durationMs", &duration_ms);
    snprintf(name, sizeof name, "%s, %s, strength %.9g", id, original ? "original" : "document", bound);
    const zo_source source = {.name = id, .kind = ZO_SOURCE_BUILTIN};
    player p = {0};
    if (!player_open(&p, ZB_TEXT(""), &source, original ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT)) {
        vectors_fail(v, name, "does not compile");
        player_close(&p);
        return;
    }
    zo_clip_info clip;
    zo_param_info param;
    zo_clip_get(p.program, (zo_clip){1}, &clip);
    zo_param_get(p.program, (zo_param){1}, &param);
    p.strength = has_strength ? given : param.value;
    const double cut = fmin(fmax(p.strength, param.low), param.high);
    char why[256] = "";
    if (cut != bound) {
        vectors_fail(v, name, "the strength is %.9g, not %.9g", cut, bound);
    } else if ((double)clip.duration_ns != duration_ms * 1e6) {
        vectors_fail(v, name, "the duration is %.9g ns", (double)clip.duration_ns);
    } else if (values_near(&p, v, item, original, why)) {
        vectors_pass(v);
    } else {
        vectors_fail(v, name, "%s", why);
    }
    player_close(&p);
}

void vectors_petween_builtins(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { builtin_case(v, item); }
}
