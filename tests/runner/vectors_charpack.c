// The cases of character packs: validate.json, packs that differ in one place, laid out in memory with their links; and
// packs/, whole ones on disk. Each is held against the line of the format's own validator, against the default way of
// checking, which must refuse it for the same reason.
#include <stdlib.h>
#include <string.h>

#include "formats/charpack.h"
#include "vectors.h"

static const char manifest[] = "runtime_manifest.json";

// ------------------------------------------------------------------------------------------------------------- folders

enum { ENTRIES_MAX = 64, LINKS_MAX = 40 };

typedef struct entry {
    zo_text name;    // below the pack's folder
    zo_text bytes;
    zo_text link;    // where it leads; empty: it is a file
} entry;

typedef struct folder {
    vectors *v;
    const char *disk; // below the vectors' folder, for packs that lie there; NULL: the entries are all
    entry entries[ENTRIES_MAX];
    uint32_t entry_count;
} folder;

static const entry *entry_of(const folder *f, zo_text name) {
    for (uint32_t i = 0; i < f->entry_count; i++) {
        if (zb_text_equal(f->entries[i].name, name)) { return &f->entries[i]; }
    }
    return NULL;
}

// Where a path leads when all links have been followed. false: out of the folder.
static bool follow(const folder *f, const char *path, char real[1024]) {
    char rest[1024], more[1024];
    snprintf(rest, sizeof rest, "%s", path);
    real[0] = 0;
    for (int links = 0; rest[0] != 0 && links < LINKS_MAX;) {
        const size_t size = strcspn(rest, "/");
        char part[1024];
        snprintf(part, sizeof part, "%.*s", (int)size, rest);
        snprintf(more, sizeof more, "%s", rest + size + (rest[size] == '/'));
        memcpy(rest, more, sizeof rest);
        char *end = strrchr(real, '/');
        if (strcmp(part, "..") == 0) {
            if (real[0] == 0) { return false; }
            *(end != NULL ? end : real) = 0;
            continue;
        }
        const size_t before = strlen(real);
        const int added = snprintf(real + before, 1024 - before, "%s%s", before > 0 ? "/" : "", part);
        if (added < 0 || (size_t)added >= 1024 - before) { return false; }
        const entry *found = entry_of(f, zb_text(real));
        if (found != NULL && found->link.size > 0) {
            links++;
            real[before] = 0;
            if (found->link.data[0] == '/') { return false; }
            const int put = snprintf(more, sizeof more, "%.*s%s%s", (int)found->link.size, found->link.data,
                                      rest[0] != 0 ? "/" : "", rest);
            if (put < 0 || (size_t)put >= sizeof more) { return false; }
            memcpy(rest, more, sizeof rest);
        }
    }
    return true;
}

// What the library asks for.
static void answer(folder *f, zo_source *source, const char *name) {
    char *real = zb_arena_take(f->v->arena, 1024);
    *source = (zo_source){.name = zb_arena_text(f->v->arena, zb_text(name)), .kind = ZO_SOURCE_MISSING};
    if (f->disk != NULL) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", f->disk, name);
        zo_text bytes;
        if (strcmp(name, ZF_CP_SPEECH_NAME) == 0) { return; } // ours, and no case has one
        if (vectors_read(f->v, path, &bytes)) {
            *source = (zo_source){.name = source->name, .bytes = bytes.data, .size = bytes.size};
        }
        return;
    }
    source->outside_root = !follow(f, name, real);
    const entry *found = entry_of(f, zb_text(real));
    if (!source->outside_root) { source->real_name = real; }
    if (found != NULL && !source->outside_root) {
        source->bytes = found->bytes.data;
        source->size = found->bytes.size;
        source->kind = ZO_SOURCE_FILE;
    }
}

// The last report, when all that was asked for has been given. `program`: may be NULL.
static zo_report *compile(folder *f, const zo_compile_def *def, zo_program **program) {
    enum { ROUNDS = 4, SOURCES_MAX = 256 };
    static zo_source sources[SOURCES_MAX];
    uint32_t count = 1;
    answer(f, &sources[0], manifest);
    zo_report *report = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        zo_report_free(report);
        zo_compile(sources, count, def, program, &report);
        const uint32_t needs = zo_report_need_count(report);
        for (uint32_t i = 0; i < needs && count < SOURCES_MAX; i++) {
            answer(f, &sources[count++], zo_report_need(report, i)->name);
        }
        if (needs == 0) { break; }
    }
    return report;
}

// ------------------------------------------------------------------------------------------------------------ verdicts

static bool same_category(vectors *v, const char *name, const zo_report *report, const char *expected, const char *how) {
    zo_verdict verdict;
    const bool told = zo_report_verdict(report, &verdict);
    const char *found = told && verdict.category != NULL ? verdict.category : "";
    if (told && strcmp(found, expected) == 0) { return true; }
    vectors_fail(v, name, "%s: the category is \"%s\", not \"%s\"", how, found, expected);
    return false;
}

static bool line_is_right(vectors *v, uint32_t item, const char *name, const zo_report *report) {
    zo_verdict verdict;
    if (!zo_report_verdict(report, &verdict)) { return false; }
    const char *line = vectors_text(v, item, "line");
    if (*line != 0 && strcmp(line, verdict.line) != 0) {
        vectors_fail(v, name, "the line is %s", verdict.line);
        return false;
    }
    VECTORS_EACH(v->doc, word, vectors_member(v->doc, item, "message_contains")) {
        const char *text = zb_arena_text(v->arena, zj_text(v->doc, word));
        if (strstr(verdict.line, text) == NULL) {
            vectors_fail(v, name, "\"%s\" does not name %s", verdict.line, text);
            return false;
        }
    }
    return true;
}

// As --strict sees it: a pack that is valid has faults exactly where the schemas refuse it.
static bool strict_is_right(folder *f, const char *name, bool schema_valid) {
    zo_report *report = compile(f, &(zo_compile_def){.format = zf_cp_reader.format.name, .strict = true}, NULL);
    const bool fine = zo_report_total(report, ZO_ERROR) == 0;
    zo_report_free(report);
    if (fine == schema_valid) { return true; }
    vectors_fail(f->v, name, "strictly it is %s", fine ? "fine" : "refused");
    return false;
}

// Without those that are there for what follows speech.
static uint32_t node_count(const zo_program *program) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= zo_state_count(program); i++) {
        zo_state_info info;
        if (!zo_state_get(program, (zo_state){i}, &info)) { abort(); }
        count += strncmp(info.name, "__runtime_post_", 15) != 0;
    }
    return count;
}

// A valid pack makes a program that is one, and has what the pack has.
static bool program_is_right(folder *f, uint32_t item, const char *name) {
    static const zo_model all[] = {ZO_MODEL_CONTRACT, ZO_MODEL_RENDERER, ZO_MODEL_STATE_MACHINE, ZO_MODEL_SIMULATOR};
    for (size_t i = 0; i < ZB_COUNT(all); i++) {
        zo_program *program = NULL, *copy = NULL;
        zo_report_free(compile(f, &(zo_compile_def){.format = zf_cp_reader.format.name, .model = all[i]}, &program));
        size_t size = 0;
        const void *blob = program != NULL ? zo_program_blob(program, &size) : NULL;
        double nodes = 0.0;
        const bool counted = vectors_number(f->v->doc, item, "nodes", &nodes);
        const bool good = blob != NULL && zo_load(blob, size, NULL, &copy) == ZO_OK &&
                          (!counted || node_count(program) == (uint32_t)nodes);
        zo_program_free(copy);
        zo_program_free(program);
        if (!good) {
            vectors_fail(f->v, name, "model %d: it makes no good program", (int)all[i]);
            return false;
        }
    }
    return true;
}

static void run_case(folder *f, uint32_t item, const char *name) {
    vectors *v = f->v;
    const char *category = vectors_text(v, item, "category");
    const bool schema_valid = vectors_true(v->doc, item, "schema_valid"), valid = vectors_true(v->doc, item, "valid");
    zo_report *contract =
        compile(f, &(zo_compile_def){.format = zf_cp_reader.format.name, .contract_only = true}, NULL);
    zo_report *ours = compile(f, &(zo_compile_def){.format = zf_cp_reader.format.name}, NULL);
    bool good = same_category(v, name, contract, category, "by the contract") &&
                same_category(v, name, ours, category, "by default") && line_is_right(v, item, name, contract) &&
                (!valid || strict_is_right(f, name, schema_valid)) && (!valid || program_is_right(f, item, name));
    if (good && (zo_report_total(ours, ZO_ERROR) == 0) != valid) {
        vectors_fail(v, name, "by default there are %u errors", zo_report_total(ours, ZO_ERROR));
        good = false;
    }
    zo_report_free(contract);
    zo_report_free(ours);
    if (good) { vectors_pass(v); }
}

// ----------------------------------------------------------------------------------------------------------- the files

static zo_text decoded(zb_arena *arena, zo_text base64) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *bytes = zb_arena_take(arena, base64.size + 1);
    size_t size = 0;
    uint32_t bits = 0, count = 0;
    for (size_t i = 0; i < base64.size && base64.data[i] != '='; i++) {
        bits = bits << 6 | (uint32_t)(strchr(letters, base64.data[i]) - letters);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes[size++] = (char)(bits >> count & 0xFF);
        }
    }
    bytes[size] = 0;
    return (zo_text){bytes, size};
}

void vectors_charpack_validate(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        folder f = {.v = v};
        VECTORS_EACH(v->doc, file, vectors_member(v->doc, item, "files")) {
            if (f.entry_count == ENTRIES_MAX) { abort(); }
            entry *e = &f.entries[f.entry_count++];
            const uint32_t text = vectors_member(v->doc, file, "text"), base64 = vectors_member(v->doc, file, "base64");
            *e = (entry){.name = zj_key(v->doc, file)};
            if (text != 0) {
                const zo_text content = zj_text(v->doc, text);
                e->bytes = (zo_text){zb_arena_text(v->arena, content), content.size};
            } else if (base64 != 0) {
                e->bytes = decoded(v->arena, zj_text(v->doc, base64));
            } else {
                e->link = zb_text(vectors_text(v, file, "symlink"));
            }
        }
        run_case(&f, item, vectors_text(v, item, "name"));
    }
}

void vectors_charpack_packs(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        char disk[1024];
        const zo_text name = zj_key(v->doc, item);
        snprintf(disk, sizeof disk, "charpack/packs/%.*s", (int)name.size, name.data);
        folder f = {.v = v, .disk = disk};
        run_case(&f, item, zb_arena_text(v->arena, name));
    }
}
