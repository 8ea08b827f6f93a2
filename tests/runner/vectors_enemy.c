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
        "id-length",    "id-path-segment", "enemy-namespace",        "display-name-utf16",  "event-loop", "event-field",
        "impulse-range", "sound-volume",   "sprite-effect-duration", "sprite-effect-scale", "cue-amount", "effect-target",
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
        vectors_fail(v, name, "%s: %s", reading, valid || warned ? "refused, but should be valid" : "accepted, but should not");
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
