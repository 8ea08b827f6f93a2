// The cases of enemy clips: validate.json, and curves.json through zo_clip_sample. How each is compared is said in the
// README beside them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "vectors.h"

// ------------------------------------------------------------------------------------------------------ validate.json

// Rules that are warnings under `document`; those of both grades are so at the member, and errors at the event.
static bool is_game(const char *rule, const char *at) {
    static const char *const names[] = {
        "id-length",   "id-path-segment", "enemy-namespace", "display-name-utf16",     "event-loop",
        "event-field", "impulse-range",   "sound-volume",    "sprite-effect-duration", "sprite-effect-scale",
        "cue-amount",  "effect-target",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], rule) == 0) { return true; }
    }
    if (strcmp(rule, "cue-name") == 0 || strcmp(rule, "shake-amount") == 0) {
        return strstr(at, "/cue") != NULL || strstr(at, "/amount") != NULL;
    }
    return false;
}

static bool names_member(const zo_diag *diag, const char *missing) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "%s is missing", missing);
    return strncmp(diag->message, quoted, strlen(quoted)) == 0;
}

// One reading of one case. The document has exactly one fault, so that is all there may be.
static bool judge(vectors *v, uint32_t item, zo_profile profile, bool strict) {
    static const char *const readings[2][2] = {{"document", "original"}, {"document, strict", "original, strict"}};
    const char *reading = readings[strict][profile];
    const char *name = vectors_text(v, item, "name");
    const char *rule = vectors_text(v, item, "rule");
    const char *at = vectors_text(v, item, "at");
    const char *missing = vectors_text(v, item, "missing");
    const bool valid = vectors_true(v->doc, item, "valid");
    const bool warned = !valid && profile == ZO_PROFILE_DOCUMENT && !strict && is_game(rule, at);
    const zo_text text = zj_source(v->doc, vectors_member(v->doc, item, "document"));
    const zo_source source = {.name = name, .bytes = text.data, .size = text.size};
    const zo_compile_def def = {.profile = profile, .strict = strict, .format = "enemy-animation"};
    zo_report *report = NULL;
    zo_program *program = NULL;
    const zo_status status = zo_compile(&source, 1, &def, &program, &report);
    const zo_diag *diag = zo_report_at(report, 0);
    bool passed = false;
    if ((status == ZO_OK) != (valid || warned)) {
        vectors_fail(v, name, "%s: %s", reading, status != ZO_OK ? "refused, but should be valid" : "accepted");
    } else if (zo_report_count(report) != (valid ? 0u : 1u)) {
        vectors_fail(v, name, "%s: %u reports", reading, zo_report_count(report));
    } else if (!valid && (strncmp(diag->id, "enemy/", 6) != 0 || strcmp(diag->id + 6, rule) != 0)) {
        vectors_fail(v, name, "%s: %s, not %s", reading, diag->id, rule);
    } else if (!valid && (diag->severity == ZO_WARNING) != warned) {
        vectors_fail(v, name, "%s: of the wrong severity", reading);
    } else if (!valid && (diag->place.pointer == NULL || strcmp(diag->place.pointer, at) != 0)) {
        vectors_fail(v, name, "%s: at %s, not at %s", reading, diag->place.pointer, at);
    } else if (*missing != '\0' && !names_member(diag, missing)) {
        vectors_fail(v, name, "%s: does not say that %s is missing", reading, missing);
    } else {
        passed = true;
    }
    zo_program_free(program);
    zo_report_free(report);
    return passed;
}

void vectors_enemy_validate(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        if (judge(v, item, ZO_PROFILE_DOCUMENT, false) && judge(v, item, ZO_PROFILE_DOCUMENT, true) &&
            judge(v, item, ZO_PROFILE_ORIGINAL, false)) {
            vectors_pass(v);
        }
    }
}

// -------------------------------------------------------------------------------------------------------- curves.json

// The case's keys in a clip of a minute with nothing else.
static zo_program *curve_program(vectors *v, uint32_t item, bool stepped) {
    zb_buffer text = zb_buffer_open(v->arena);
    zb_put(&text, "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"pond:enemy-animation/slime\","
                  "\"enemy\":\"pond:enemy/slime\",\"displayName\":\"Slime\",\"durationSeconds\":60,\"frameRate\":60,"
                  "\"loop\":false,\"tracks\":[{\"target\":\"bone/root\",\"property\":\"position.x\",\"keys\":");
    zb_put_text(&text, zj_source(v->doc, vectors_member(v->doc, item, "keys")));
    zb_put(&text, "}]}");
    const zo_source source = {.name = "case", .bytes = text.data, .size = text.size};
    const zo_compile_def def = {.null_tangent_step = stepped};
    zo_program *program = NULL;
    zo_report *report = NULL;
    zo_compile(&source, 1, &def, &program, &report);
    zo_report_free(report);
    return program;
}

// What counts as near grows with the largest number of the curve, since ours is float.
static double tolerance_of(vectors *v, uint32_t item, double wanted) {
    static const char *const members[] = {"value", "inTangent", "outTangent"};
    double largest = 0.0;
    VECTORS_EACH(v->doc, key, vectors_member(v->doc, item, "keys")) {
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            double number = 0.0;
            vectors_number(v->doc, key, members[i], &number);
            largest = fabs(number) > largest ? fabs(number) : largest;
        }
    }
    return 1e-4 * fmax(1.0, fmax(fabs(wanted), 1e-3 * largest));
}

static bool curve_reading(vectors *v, uint32_t item, const char *name, const char *values, bool stepped) {
    zo_program *program = curve_program(v, item, stepped);
    zo_pose *pose = program != NULL ? zo_pose_create(program, NULL) : NULL;
    if (pose == NULL) {
        vectors_fail(v, name, "does not compile");
        zo_program_free(program);
        return false;
    }
    zo_channel channel = {1}; // the one that the clip moves
    while (channel.id <= zo_channel_count(program) && !zo_clip_drives(program, (zo_clip){1}, channel)) { channel.id++; }
    uint32_t wanted = zj_at(v->doc, vectors_member(v->doc, item, values))->as.items.first;
    bool passed = channel.id <= zo_channel_count(program);
    VECTORS_EACH(v->doc, query, vectors_member(v->doc, item, "times")) {
        const double time = zj_at(v->doc, query)->as.number, value = zj_at(v->doc, wanted)->as.number;
        zo_clip_sample(program, (zo_clip){1}, time, NULL, pose);
        const double got = pose->slots[channel.id - 1];
        if (passed && !vectors_near(value, got, tolerance_of(v, item, value))) {
            vectors_fail(v, name, "%s at %g: %.9g, not %.9g", values, time, got, value);
            passed = false;
        }
        wanted = zj_at(v->doc, wanted)->next;
    }
    zo_pose_free(pose);
    zo_program_free(program);
    return passed;
}

void vectors_enemy_curves(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        const bool has_stepped = vectors_member(v->doc, item, "stepped") != 0;
        if (curve_reading(v, item, name, "values", false) &&
            (!has_stepped || curve_reading(v, item, name, "stepped", true))) {
            vectors_pass(v);
        }
    }
}
