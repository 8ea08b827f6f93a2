// The cases of Forge's files: verdicts of single files.
#include <string.h>

#include "vectors.h"

// What the cases of the shipped dialect take to be there.
static const char armature_x[] = "{\"joints\": {\"j\": {\"0\": [1]}}, \"clips\": {\"c\": {\"loop\": true, "
                                 "\"joint_clips\": {}, \"events\": {}}}}";

static bool to_stderr(void *context, const void *bytes, size_t size) {
    (void)context;
    return fwrite(bytes, 1, size, stderr) == size;
}

enum { SOURCES_MAX = 64 };

// Compiles, and hands over what is asked for: the armature above for the model demo:block/x, nothing else.
static zo_status compile_with_needs(const zo_source *first, const zo_compile_def *def, bool has_x, zo_report **report) {
    zo_source sources[SOURCES_MAX] = {*first};
    uint32_t count = 1;
    zo_status status = zo_compile(sources, count, def, NULL, report);
    if (!has_x || zo_report_need_count(*report) == 0) { return status; }
    zo_report *asking = *report; // keeps the names
    for (uint32_t i = 0; i < zo_report_need_count(asking) && count < SOURCES_MAX; i++) {
        const char *name = zo_report_need(asking, i)->name;
        const bool is_x = strcmp(name, "assets/demo/armatures/block/x.json") == 0;
        sources[count++] = (zo_source){.name = name, .bytes = is_x ? armature_x : NULL,
                                       .size = is_x ? sizeof armature_x - 1 : 0,
                                       .kind = is_x ? ZO_SOURCE_FILE : ZO_SOURCE_MISSING};
    }
    status = zo_compile(sources, count, def, NULL, report);
    zo_report_free(asking);
    return status;
}

static bool is_reported(const zo_report *report, const char *slug) {
    const bool syntax = strcmp(slug, "json-syntax") == 0; // whatever is wrong with the text
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        if (syntax ? diag->severity == ZO_ERROR && strncmp(diag->id, "json/", 5) == 0
                   : vectors_is_slug(diag->id, slug)) {
            return true;
        }
    }
    return false;
}

static const char *format_of(const char *kind) {
    static const char *const names[][2] = {{"asm", "forge-machine"}, {"armature", "forge-armature"},
                                           {"draft_machine", "forge-draft-machine"},
                                           {"draft_animation", "forge-draft-animation"}, {"model", "forge-model"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(kind, names[i][0]) == 0) { return names[i][1]; }
    }
    return "";
}

// `named`: as that format; else the format is found from the text, where the text is one of a machine or the like.
static bool validate_case(vectors *v, uint32_t item, bool named) {
    const char *name = vectors_text(v, item, "name"), *kind = vectors_text(v, item, "kind");
    const zo_text text = zj_text(v->doc, vectors_member(v->doc, item, "text"));
    const zo_source source = {.name = "case.json", .bytes = text.data, .size = text.size};
    const zo_compile_def def = {.format = named ? format_of(kind) : NULL};
    zo_report *report = NULL;
    const zo_status status = compile_with_needs(&source, &def, strcmp(kind, "asm") == 0, &report);
    const char *verdict = status != ZO_OK                                 ? "error"
                          : zo_report_total(report, ZO_WARNING) > 0 ? "warn" : "ok";
    const char *expected = vectors_text(v, item, "verdict");
    bool good = strcmp(verdict, expected) == 0;
    if (!good) { vectors_fail(v, name, "%s, not %s%s", verdict, expected, named ? "" : ", unnamed"); }
    VECTORS_EACH(v->doc, rule, vectors_member(v->doc, item, "rules")) {
        const char *slug = zb_arena_text(v->arena, zj_text(v->doc, rule));
        if (good && !is_reported(report, slug)) {
            vectors_fail(v, name, "%s is not reported%s", slug, named ? "" : ", unnamed");
            good = false;
        }
    }
    if (!good) { zo_report_write(report, ZO_REPORT_GCC, false, to_stderr, NULL); }
    zo_report_free(report);
    return good;
}

void vectors_forge_validate(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *expected = vectors_text(v, item, "verdict");
        const bool found = strcmp(expected, "error") != 0; // what is broken may be too broken to be known
        if (validate_case(v, item, true) && (!found || validate_case(v, item, false))) { vectors_pass(v); }
    }
}
