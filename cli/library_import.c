// `zoetrope library import` into a file. What lies on disk is gathered here, with names that lead nowhere but down;
// what it is, and what becomes of it, host/content.h decides. All that one command names is imported, or nothing.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/beside.h"
#include "host/picture.h"
#include "library.h"
#include "walk.h"

static const size_t FOLDER_MAX = (size_t)1 << 30; // bytes of all files of one operand

// What one operand brings.
typedef struct brought {
    const char *path;
    bool data_folder;  // animations, pets, a configuration: each judged by itself
    char id[STORE_ID_MAX + 1]; // for what has none in it, made of a folder's name; "": of the first file's name
    store_file *files; // names and bytes of their own
    uint32_t count, capacity;
    size_t size;
    content_result *result;
} brought;

static int no_memory(void) {
    cli_say("not enough memory");
    return CLI_INTERNAL;
}

static void free_brought(brought *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        free((char *)(uintptr_t)b->files[i].name);
        free((void *)(uintptr_t)b->files[i].bytes);
    }
    free(b->files);
    content_result_free(b->result);
}

// ----------------------------------------------------------------------------------------------------------- gathering

// Takes the bytes over.
static int add_bytes(brought *b, const char *name, cli_bytes *bytes) {
    if (b->count == b->capacity) {
        const uint32_t capacity = b->capacity * 2 + 16;
        store_file *more = realloc(b->files, capacity * sizeof *more);
        if (more == NULL) { return no_memory(); }
        b->files = more;
        b->capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy == NULL) { return no_memory(); }
    b->files[b->count++] = (store_file){.name = copy, .bytes = bytes->data, .size = bytes->size};
    b->size += bytes->size;
    *bytes = (cli_bytes){0};
    return CLI_FINE;
}

static int add_file(brought *b, const char *name, const char *path) {
    cli_bytes bytes = {0};
    const size_t left = FOLDER_MAX - b->size;
    const size_t most = left < STORE_FILE_MAX ? left : (size_t)STORE_FILE_MAX;
    if (!cli_read_file(path, most, &bytes)) { return CLI_FILES; }
    int code = CLI_FINE;
    if (bytes.size > most) {
        cli_say("'%s' is too large: a file may have %u MiB, and all of one import %u MiB", path,
                (unsigned)(STORE_FILE_MAX >> 20), (unsigned)(FOLDER_MAX >> 20));
        code = CLI_INTERNAL;
    }
    if (code == CLI_FINE && b->count == STORE_FILES_MAX) {
        cli_say("'%s' has more than %d files", b->path, STORE_FILES_MAX);
        code = CLI_INTERNAL;
    }
    if (code == CLI_FINE) { code = add_bytes(b, name, &bytes); }
    cli_bytes_free(&bytes);
    return code;
}

static bool is_first(const char *path, const char *folder, const char *first) { // first NULL: none is
    const char *name = path + strlen(folder);
    return first != NULL && strcmp(name + strspn(name, "/"), first) == 0;
}

// All files of a folder, `first` before the others. A link that leads out of it is refused by name.
static int add_folder(brought *b, const char *folder, const char *first) {
    cli_paths found = {0};
    cli_paths_walk_ending(&found, folder, "");
    int code = found.failed ? CLI_FILES : CLI_FINE;
    if (code == CLI_FINE && found.astray != NULL) {
        cli_say("'%s' is a link that leads to no file in '%s'", found.astray, folder);
        code = CLI_FAULTY;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < found.count && code == CLI_FINE; i++) {
            const char *path = found.items[i], *name = path + strlen(folder);
            if (is_first(path, folder, first) == (pass == 0)) { code = add_file(b, name + strspn(name, "/"), path); }
        }
    }
    cli_paths_free(&found);
    if (code == CLI_FINE && b->count == 0) {
        cli_say("there is nothing in '%s'", folder);
        code = CLI_FILES;
    }
    return code;
}

// Bytes of the folder that all of the paths have in common, with its slash.
static size_t common_folder(char *const *paths, uint32_t count) {
    size_t size = strlen(paths[0]);
    for (uint32_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < size && paths[i] != NULL && paths[i][same] == paths[0][same]) { same++; }
        if (paths[i] != NULL) { size = same; }
    }
    while (size > 0 && paths[0][size - 1] != '/') { size--; }
    return size;
}

// The same, or less: of what lies in assets/DOMAIN of a resource pack, whose names begin there, up to that.
static size_t pack_or(const char *path, size_t common) {
    static const char assets[] = "/assets/";
    for (size_t at = common; at > 0; at--) {
        if (strncmp(path + at - 1, assets, sizeof assets - 1) == 0) { return at; }
    }
    return common;
}

static bool is_again(char *const *real, uint32_t index) { // the same file by another name
    for (uint32_t i = 0; i < index; i++) {
        if (real[index] != NULL && real[i] != NULL && strcmp(real[i], real[index]) == 0) { return true; }
    }
    return false;
}

static bool is_within(const char *path, const char *folder) { // folder NULL: in none
    const size_t size = folder != NULL ? strlen(folder) : 0;
    return size > 0 && strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == 0);
}

// What was found beside the file goes by where it lies, so that an export lies as the source did; what --assets or
// --rig has from elsewhere goes by the name that it was asked for, beside the file.
static int add_gathered(library_job *j, brought *b, const cli_loaded *loaded) {
    const cli_gathered *g = loaded->gathered;
    const char *assets = j->args->values[CLI_OPT_ASSETS], *rig = j->args->values[CLI_OPT_RIG];
    const char *folders[2] = {assets, rig};
    char **real = calloc(g->count, sizeof *real), *given[2] = {NULL, NULL};
    int code = real != NULL ? CLI_FINE : no_memory();
    for (int i = 0; i < 2 && code == CLI_FINE; i++) {
        if (folders[i] != NULL) { given[i] = realpath(folders[i], NULL); }
    }
    for (uint32_t i = 0; i < g->count && code == CLI_FINE; i++) {
        const char *path = i == 0 ? loaded->name : g->found[i].path;
        real[i] = path != NULL ? realpath(path, NULL) : NULL;
        for (int k = 0; k < 2 && real[i] != NULL; k++) {
            if (!is_within(real[i], given[k])) { continue; }
            if (i == 0) { // it lies there itself, as machines do in resource packs
                free(given[k]);
                given[k] = NULL;
            } else {
                free(real[i]);
                real[i] = NULL;
            }
        }
    }
    const size_t root = code == CLI_FINE && real[0] != NULL ? pack_or(real[0], common_folder(real, g->count)) : 0;
    const size_t beside = real != NULL && real[0] != NULL ? (size_t)(beside_last_part(real[0]) - real[0]) - root : 0;
    for (uint32_t i = 0; i < g->count && code == CLI_FINE; i++) {
        const char *path = i == 0 ? loaded->name : g->found[i].path;
        char name[PATH_MAX];
        if (path == NULL || g->sources[i].kind == ZO_SOURCE_MISSING || is_again(real, i)) { continue; }
        if (real[i] != NULL) {
            snprintf(name, sizeof name, "%s", real[i] + root);
        } else {
            const char *need = g->found[i].need != NULL ? g->found[i].need : beside_last_part(path);
            snprintf(name, sizeof name, "%.*s%s", (int)beside, real[0] != NULL ? real[0] + root : "", need);
        }
        code = add_file(b, name, path);
    }
    for (uint32_t i = 0; real != NULL && i < g->count; i++) { free(real[i]); }
    free(real);
    free(given[0]);
    free(given[1]);
    return code;
}

// A file and what it asks for. The report of a file with errors is printed with the paths that the user knows.
static int add_with_needs(library_job *j, brought *b, const char *path) {
    cli_loaded loaded = {0};
    int code = cli_load(j->args, path, false, &loaded);
    if (code == CLI_FAULTY || (code == CLI_INTERNAL && loaded.report != NULL)) {
        cli_library_say_report(j, loaded.report);
    } else if (code == CLI_FINE && loaded.gathered != NULL) {
        code = add_gathered(j, b, &loaded);
    } else if (code == CLI_FINE) {
        code = add_bytes(b, beside_last_part(path), &loaded.bytes);
    }
    cli_loaded_free(&loaded);
    return code;
}

static int add_character(library_job *j, brought *b, const char *manifest) {
    cli_loaded loaded = {0};
    int code = cli_load(j->args, manifest, false, &loaded);
    if (code == CLI_FAULTY) { cli_library_say_report(j, loaded.report); }
    cli_loaded_free(&loaded);
    char *folder = code == CLI_FINE ? strndup(manifest, (size_t)(beside_last_part(manifest) - manifest)) : NULL;
    if (code == CLI_FINE) {
        code = folder == NULL ? no_memory() : add_folder(b, *folder != 0 ? folder : ".", beside_last_part(manifest));
    }
    free(folder);
    return code;
}

// A pet's folder has its file, which says what the animations and pictures beside it are for.
static const char pet_file[] = "pet.json";

static bool has_pet(const char *folder) {
    char path[PATH_MAX];
    const int size = snprintf(path, sizeof path, "%s/%s", folder, pet_file);
    return size > 0 && (size_t)size < sizeof path && cli_is_file(path);
}

// Files of such folders are called alike in all of them, so that it is the folder's name that tells them apart.
static void take_id(brought *b, const char *folder) {
    static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+@~";
    char *real = realpath(folder, NULL);
    const char *name = real != NULL ? beside_last_part(real) : "";
    name += strspn(name, ".");
    snprintf(b->id, sizeof b->id, "%.*s", (int)sizeof b->id - 1, name);
    for (char *c = b->id; *c != 0; c++) { *c = strchr(signs, *c) != NULL ? *c : '-'; }
    free(real);
}

static int add_operand_folder(library_job *j, brought *b, const char *path) {
    char *first = cli_pack_in_folder(path);
    int code;
    if (first != NULL) {
        code = add_character(j, b, first);
    } else if (has_pet(path)) {
        take_id(b, path);
        code = add_folder(b, path, pet_file);
    } else {
        first = cli_set_in_folder(path);
        b->data_folder = first == NULL;
        if (first != NULL) { take_id(b, path); }
        code = first != NULL ? add_with_needs(j, b, path) : add_folder(b, path, NULL);
    }
    free(first);
    return code;
}

static int add_operand(library_job *j, brought *b) {
    const char *path = b->path;
    cli_bytes bytes = {0};
    if (strcmp(path, "-") != 0 && cli_is_folder(path)) { return add_operand_folder(j, b, path); }
    if (cli_is_builtin(path)) {
        return cli_usage(j->args, "'%s' is built in; 'zoetrope library clone %s --id user:NAME' makes a copy of it",
                         path, path);
    }
    if (beside_is_manifest(path)) { return add_character(j, b, path); }
    if (!cli_read_file(path, (size_t)STORE_FILE_MAX, &bytes)) { return CLI_FILES; }
    const bool alone = strcmp(path, "-") == 0 || archive_is(bytes.data, bytes.size) ||
                       picture_kind(bytes.data, bytes.size) != ZO_PICTURE_OTHER;
    int code = CLI_FINE;
    if (bytes.size > STORE_FILE_MAX) {
        cli_say("'%s' is larger than %u MiB", path, (unsigned)(STORE_FILE_MAX >> 20));
        code = CLI_INTERNAL;
    } else if (alone) {
        code = add_bytes(b, strcmp(path, "-") == 0 ? "" : beside_last_part(path), &bytes);
    }
    cli_bytes_free(&bytes);
    return alone || code != CLI_FINE ? code : add_with_needs(j, b, path);
}

// ----------------------------------------------------------------------------------------------------------- importing

// Notes about a thing are for whoever writes it, and `zoetrope check` tells them; of a pack they are about this import.
static bool is_worth_saying(const content_result *r) {
    const zo_diag *diag;
    for (uint32_t i = 0; r->report != NULL && (diag = zo_report_at(r->report, i)) != NULL; i++) {
        if (r->shape == CONTENT_PACK || diag->severity > ZO_NOTE) { return true; }
    }
    return false;
}

static int import_one(library_job *j, brought *b) {
    const bool replace = cli_given(j->args, CLI_OPT_REPLACE);
    const char *given = j->args->values[CLI_OPT_ID];
    const content_import_def def = {
        .content = {.compile = j->def, .mend = b->data_folder},
        .origin = strcmp(b->path, "-") == 0 ? "" : beside_last_part(b->path),
        .id = given,
        .called = b->id[0] != 0 ? b->id : NULL,
        .dry_run = j->dry_run,
        .lone_is_thing = replace,
        .expected = replace ? STORE_ANY : STORE_NONE,
    };
    store_error error;
    const store_status status =
        b->data_folder ? content_import_petween(j->txn, b->files, b->count, &def, &b->result, &error)
                       : content_import(j->txn, b->files, b->count, &def, &b->result, &error);
    if (status == STORE_OK) {
        if (is_worth_saying(b->result)) {
            zo_report_write(b->result->report, ZO_REPORT_HUMAN, cli_use_color(j->args, stderr), cli_to_stderr, NULL);
        }
        return CLI_FINE;
    }
    if (status == STORE_INVALID && b->result != NULL && b->result->status != ZO_OK && b->result->report != NULL) {
        cli_library_say_report(j, b->result->report);
        return cli_code_of(b->result->status);
    }
    const int code = cli_library_refuse(j, &error);
    if (status == STORE_CONFLICT && !replace && !j->json) {
        cli_say("--replace puts the new one in its place, another --id keeps both");
    }
    return code;
}

// ------------------------------------------------------------------------------------------------------------- telling

typedef struct tally { uint32_t outcomes[4], mended; } tally;

// A folder may hold hundreds of files that are skipped for one reason: the first of them are named, the others counted.
enum { REASONS_MAX = 16, NAMED_MAX = 3 };
typedef struct reasons {
    const char *text[REASONS_MAX];
    uint32_t times[REASONS_MAX], count;
} reasons;

static bool is_named(reasons *list, const content_entry *e) {
    uint32_t i = 0;
    if (e->outcome != CONTENT_SKIPPED || e->reason == NULL) { return true; }
    while (i < list->count && strcmp(list->text[i], e->reason) != 0) { i++; }
    if (i == REASONS_MAX) { return true; }
    if (i == list->count) { list->text[list->count++] = e->reason; }
    return ++list->times[i] <= NAMED_MAX;
}

static void print_counted(const reasons *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->times[i] <= NAMED_MAX) { continue; }
        printf("%-10s %u more: ", content_outcome_name(CONTENT_SKIPPED), (unsigned)(list->times[i] - NAMED_MAX));
        cli_put_plain(stdout, list->text[i]);
        putchar('\n');
    }
}

static const char *word_of(content_outcome outcome) { // remapped is a word of the interface's, for people it is renamed
    return outcome == CONTENT_REMAPPED ? "renamed" : content_outcome_name(outcome);
}

static void print_id(const content_entry *e, const char *id) {
    if (e->area != STORE_ITEM && e->area != STORE_ANY_AREA && e->final_id != NULL) {
        printf("%s/", cli_area_name(e->area));
    }
    cli_put_plain(stdout, id);
}

static void print_entry(const content_entry *e) {
    printf("%-10s ", word_of(e->outcome));
    const bool renamed = e->final_id != NULL && strcmp(e->requested_id, e->final_id) != 0;
    print_id(e, renamed && e->outcome == CONTENT_IMPORTED ? e->final_id : e->requested_id); // by --id: as it was wished
    if (renamed && e->outcome != CONTENT_IMPORTED) {
        fputs(" as ", stdout);
        print_id(e, e->final_id);
    }
    if (e->reason != NULL) {
        fputs(": ", stdout);
        cli_put_plain(stdout, e->reason);
    }
    if (e->mended) { fputs("; of older rules, and read as it would be written today", stdout); }
    putchar('\n');
}

static void print_mounts(const zo_plan *plan) {
    for (uint32_t i = 0; plan != NULL && i < plan->mount_count; i++) {
        const zo_plan_mount *m = &plan->mounts[i];
        if (m->enter != NULL) { printf("%-10s %s is to be entered by %s\n", "mount", m->slot, m->enter); }
        if (m->ambient != NULL) { printf("%-10s %s is to be accompanied by %s\n", "mount", m->slot, m->ambient); }
    }
}

static void print_result(const content_result *r, tally *t) {
    reasons list = {.count = 0};
    for (uint32_t i = 0; i < r->entry_count; i++) {
        if (is_named(&list, &r->entries[i])) { print_entry(&r->entries[i]); }
        t->outcomes[r->entries[i].outcome]++;
        t->mended += r->entries[i].mended;
    }
    print_counted(&list);
    print_mounts(r->plan);
}

static void print_all(const library_job *j, const brought *list, uint32_t count) {
    tally t = {{0}, 0};
    for (uint32_t i = 0; i < count; i++) { print_result(list[i].result, &t); }
    printf("%s%u imported, %u renamed, %u held already", j->dry_run ? "would be: " : "", t.outcomes[CONTENT_IMPORTED],
           t.outcomes[CONTENT_REMAPPED], t.outcomes[CONTENT_IDENTICAL]);
    if (t.outcomes[CONTENT_SKIPPED] > 0) { printf(", %u skipped", t.outcomes[CONTENT_SKIPPED]); }
    if (t.mended > 0) { printf("; %u of older rules", t.mended); }
    putchar('\n');
}

static void json_entry(cli_json *json, const content_entry *e) {
    cli_json_open_inline(json, NULL, '{');
    cli_json_text(json, "area", cli_area_name(e->area));
    cli_json_text(json, "requestedId", e->requested_id);
    if (e->final_id != NULL) {
        cli_json_text(json, "finalId", e->final_id);
    } else {
        cli_json_null(json, "finalId");
    }
    cli_json_text(json, "status", content_outcome_name(e->outcome));
    if (e->reason != NULL) { cli_json_text(json, "reason", e->reason); }
    if (e->mended) { cli_json_bool(json, "mended", true); }
    if (e->revision > 0) { cli_json_number(json, "revision", (double)e->revision); }
    if (e->file != NULL && e->file[0] != 0) { cli_json_text(json, "file", e->file); }
    cli_json_close(json, '}');
}

static void json_result(cli_json *json, const brought *b) {
    const content_result *r = b->result;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "path", b->path);
    cli_json_text(json, "name", r->name != NULL ? r->name : "");
    if (r->shape == CONTENT_PACK) { cli_json_text(json, "namespace", r->pack_namespace); }
    cli_json_open(json, "entries", '[');
    for (uint32_t i = 0; i < r->entry_count; i++) { json_entry(json, &r->entries[i]); }
    cli_json_close(json, ']');
    if (r->pet_id != NULL) { cli_json_text(json, "petId", r->pet_id); }
    if (r->provenance_id != NULL) { cli_json_text(json, "keptAs", r->provenance_id); }
    if (r->plan != NULL) { cli_json_raw(json, "mounts", r->mounts_json, strlen(r->mounts_json)); }
    if (r->apply_patch_json != NULL) {
        cli_json_raw(json, "applyPatch", r->apply_patch_json, strlen(r->apply_patch_json));
    }
    cli_json_close(json, '}');
}

static void json_all(const library_job *j, const brought *list, uint32_t count) {
    cli_json json;
    cli_library_open_json(j, &json);
    cli_json_bool(&json, "dryRun", j->dry_run);
    cli_json_open(&json, "imports", '[');
    for (uint32_t i = 0; i < count; i++) { json_result(&json, &list[i]); }
    cli_json_close(&json, ']');
    cli_library_close_json(&json);
}

int cli_library_import(library_job *j) {
    const uint32_t count = cli_library_count(j);
    if (cli_given(j->args, CLI_OPT_ID) && count != 1) { return cli_usage(j->args, "--id is of one thing"); }
    brought *list = calloc(count, sizeof *list);
    int code = list != NULL ? CLI_FINE : no_memory();
    for (uint32_t i = 0; i < count && code == CLI_FINE; i++) { // before the library, which others may be waiting for
        list[i].path = cli_library_word(j, i);
        code = add_operand(j, &list[i]);
    }
    if (code == CLI_FINE) { code = cli_library_begin(j, j->dry_run ? STORE_READ : STORE_WRITE); }
    const bool begun = code == CLI_FINE;
    for (uint32_t i = 0; i < count && code == CLI_FINE; i++) { code = import_one(j, &list[i]); }
    if (code == CLI_FINE) { code = cli_library_commit(j); }
    if (code == CLI_FINE && j->json) { json_all(j, list, count); }
    if (code == CLI_FINE && !j->json && !j->quiet) { print_all(j, list, count); }
    if (begun && code != CLI_FINE && !j->json) { cli_say("nothing was imported; '%s' is as it was", j->path); }
    if (!begun && code == CLI_FAULTY && !j->json) { cli_say("nothing was imported"); }
    for (uint32_t i = 0; list != NULL && i < count; i++) { free_brought(&list[i]); }
    free(list);
    return code;
}
