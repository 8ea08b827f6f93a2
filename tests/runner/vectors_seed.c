// The documents' own examples: seed.json (verdict and warnings of each piece) and slam-land-values.json (its channels).
#include <math.h>
#include <string.h>

#include "vectors.h"

static const char *verdict_of(const zo_report *report, zo_status status) {
    if (status != ZO_OK) { return "error"; }
    return zo_report_total(report, ZO_WARNING) > 0 ? "warn" : "ok";
}

// Exactly the expected warnings, repeats counted, in any order. Notes do not count.
static bool warnings_are(vectors *v, uint32_t expected, const zo_report *report) {
    bool taken[256] = {false};
    uint32_t count = 0;
    VECTORS_EACH(v->doc, slug, expected) {
        const char *text = zb_arena_text(v->arena, zj_text(v->doc, slug));
        uint32_t i = 0;
        for (; i < zo_report_count(report) && i < 256; i++) {
            const zo_diag *diag = zo_report_at(report, i);
            if (!taken[i] && diag->severity == ZO_WARNING && vectors_is_slug(diag->id, text)) { break; }
        }
        if (i == zo_report_count(report) || i == 256) { return false; }
        taken[i] = true;
        count++;
    }
    return zo_report_total(report, ZO_WARNING) == count;
}

// The animation that the pet of the documents is taken to have beside it.
static const char gentle_float[] =
    "{\"version\":1,\"id\":\"user:gentle-float\",\"name\":\"Gentle float\",\"kind\":\"ambient\",\"durationMs\":4000,"
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"bounce.y\",\"keyframes\":"
    "[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":-4},{\"at\":1,\"value\":0}]}]}";

// `lone`: without what is taken to be at hand, which then is one warning more.
static bool seed_check(vectors *v, uint32_t item, const zo_source *sources, uint32_t count, int profile, bool lone) {
    const zo_compile_def def = {.profile = (zo_profile)profile};
    zo_report *report = NULL;
    const zo_status status = zo_compile(sources, count, &def, NULL, &report);
    const char *verdict = verdict_of(report, status);
    const char *expected = lone ? "warn" : vectors_text(v, item, "verdict");
    bool as_warned = false;
    if (lone) {
        as_warned = zo_report_total(report, ZO_WARNING) == 1 && vectors_is_slug(zo_report_at(report, 0)->id, "pet-animation");
    } else {
        as_warned = warnings_are(v, vectors_member(v->doc, item, "warnings"), report);
    }
    const bool good = strcmp(verdict, expected) == 0 && as_warned;
    if (!good) {
        vectors_fail(v, vectors_text(v, item, "file"), "profile %d%s: the verdict is %s%s, not %s", profile,
                     lone ? ", alone" : "", verdict, as_warned ? "" : " with other warnings", expected);
    }
    zo_report_free(report);
    return good;
}

// What the format is called that the file calls `kind`.
static const char *format_of(const char *kind) {
    static const char *const names[][2] = {{"draft_machine", "forge-draft-machine"},
                                           {"draft_animation", "forge-draft-animation"}, {"model", "forge-model"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(kind, names[i][0]) == 0) { return names[i][1]; }
    }
    return kind;
}

static void seed_case(vectors *v, uint32_t item) {
    const char *file = vectors_text(v, item, "file");
    const char *kind = format_of(vectors_text(v, item, "kind"));
    bool known = strcmp(kind, "none") == 0; // whatever it is, it must be refused
    for (uint32_t i = 0; zo_format_at(i) != NULL; i++) { known = known || strcmp(zo_format_at(i)->name, kind) == 0; }
    if (!known) {
        vectors_skip(v, file, "no reader for this kind");
        return;
    }
    char path[512];
    snprintf(path, sizeof path, "seed/%s", file);
    zo_text bytes;
    if (!vectors_read(v, path, &bytes)) { return; }
    const bool pet = strcmp(kind, "pet") == 0;
    const zo_source sources[] = {
        {.name = file, .bytes = bytes.data, .size = bytes.size},
        {.name = "gentle-float.json", .bytes = gentle_float, .size = sizeof gentle_float - 1},
    };
    bool good = true;
    for (int profile = 0; profile < 2 && good; profile++) { // both alike
        good = seed_check(v, item, sources, pet ? 2 : 1, profile, false) &&
               (!pet || seed_check(v, item, sources, 1, profile, true));
    }
    if (good) { vectors_pass(v); }
}

void vectors_seed(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { seed_case(v, item); }
}

static bool point_near(vectors *v, uint32_t point, const zo_program *program, const zo_pose *pose, double tolerance,
                       const char *name) {
    VECTORS_EACH(v->doc, member, point) {
        const zo_text key = zj_key(v->doc, member);
        if (zb_text_equal(key, ZB_TEXT("at"))) { continue; }
        char channel[64];
        snprintf(channel, sizeof channel, "transition.%.*s", (int)key.size, key.data);
        const zo_channel found = zo_channel_find(program, channel);
        const double expected = zj_at(v->doc, member)->as.number;
        const double actual = found.id != 0 ? pose->slots[found.id - 1] : (double)NAN;
        if (!vectors_near(expected, actual, tolerance)) {
            vectors_fail(v, name, "%s is %.9g, not %.9g", channel, actual, expected);
            return false;
        }
    }
    return true;
}

static void slam_case(vectors *v, uint32_t item, zo_text bytes) {
    const char *name = vectors_text(v, item, "name");
    const bool original = strcmp(vectors_text(v, item, "profile"), "original") == 0;
    const zo_source source = {.name = "slam-land.json", .bytes = bytes.data, .size = bytes.size};
    const zo_compile_def def = {.profile = original ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT};
    zo_program *program = NULL;
    const zo_status status = zo_compile(&source, 1, &def, &program, NULL);
    zo_pose *pose = status == ZO_OK ? zo_pose_create(program, NULL) : NULL;
    bool good = pose != NULL;
    if (!good) { vectors_fail(v, name, "does not compile"); }
    double strength = 1.0;
    vectors_number(v->doc, item, "strength", &strength);
    VECTORS_EACH(v->doc, point, vectors_member(v->doc, item, "points")) {
        double at = 0.0;
        vectors_number(v->doc, point, "at", &at);
        if (!good) { break; }
        zo_clip_sample(program, (zo_clip){1}, at, &strength, pose);
        good = point_near(v, point, program, pose, original ? 1e-4 : 2e-6, name);
    }
    if (good) { vectors_pass(v); }
    zo_pose_free(pose);
    zo_program_free(program);
}

void vectors_slam_land(vectors *v) {
    zo_text bytes;
    if (!vectors_read(v, "seed/slam-land.json", &bytes)) { return; }
    VECTORS_EACH(v->doc, item, ZJ_ROOT) { slam_case(v, item, bytes); }
}
