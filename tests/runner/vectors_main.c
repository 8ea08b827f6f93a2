// zoetrope-vectors DIR: runs every case of DIR that the library can be held against and prints one line a file. Knows
// which files there are and who runs them; what a case means is in vectors_<format>.c.
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

static const struct {
    const char *file;   // with a slash at its end: every JSON file in that folder
    vectors_run_fn run; // NULL: what other files speak of; not a file of cases
} files[] = {
    {"charpack/graph.json", vectors_graph},
    {"charpack/graph_contract.json", vectors_graph},
    {"charpack/ktx2/cases.json", vectors_ktx2},
    {"charpack/mouth.json", vectors_mouth},
    {"charpack/packs/expect.json", vectors_charpack_packs},
    {"charpack/validate.json", vectors_charpack_validate},
    {"enemy/bursts.json", vectors_enemy_bursts},
    {"enemy/curves.json", vectors_enemy_curves},
    {"enemy/effects.json", vectors_enemy_effects},
    {"enemy/events.json", vectors_enemy_events},
    {"enemy/minmax.json", vectors_enemy_minmax},
    {"enemy/poses.json", vectors_enemy_poses},
    {"enemy/validate.json", vectors_enemy_validate},
    {"forge/b3d/", vectors_b3d},
    {"forge/armature.json", vectors_forge_armature},
    {"forge/asm.json", vectors_forge_asm},
    {"forge/draft_params.json", vectors_forge_draft_params},
    {"forge/draft_pose.json", vectors_forge_draft_pose},
    {"forge/params.json", vectors_forge_params},
    {"forge/validate.json", vectors_forge_validate},
    {"petween/builtins.json", vectors_petween_builtins},
    {"petween/compile.json", vectors_petween_compile},
    {"petween/director.json", vectors_pets},
    {"petween/particles.json", vectors_petween_particles},
    {"petween/packs.json", vectors_petween_packs},
    {"petween/samples.json", vectors_petween_samples},
    {"petween/validate.json", vectors_petween_validate},
    {"seed/clips-fragment.json", NULL},
    {"seed/config-fragment.json", NULL},
    {"seed/graph_config.json", NULL},
    {"seed/seed.json", vectors_seed},
    {"seed/slam-land-values.json", vectors_slam_land},
    {"seed/slam-land.json", NULL},
};

void vectors_pass(vectors *v) { v->passed++; }

void vectors_fail(vectors *v, const char *name, const char *format, ...) {
    fprintf(stderr, "failed: %s: %s: ", v->file, name);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    v->failed++;
}

void vectors_skip(vectors *v, const char *name, const char *why) {
    fprintf(stderr, "skipped: %s: %s: %s\n", v->file, name, why);
    v->skipped++;
}

static bool read_file(zb_arena *arena, const char *folder, const char *name, zo_text *bytes) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) { return false; }
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    size_t capacity = 1 << 16;
    char *data = zb_arena_take(arena, capacity);
    size_t size = 0;
    while (data != NULL) {
        size += fread(data + size, 1, capacity - size, file);
        if (size < capacity) { break; }
        data = zb_arena_grow(arena, data, capacity, capacity * 2);
        capacity *= 2;
    }
    const bool good = data != NULL && !ferror(file);
    fclose(file);
    *bytes = (zo_text){data, size};
    return good;
}

bool vectors_read(vectors *v, const char *file, zo_text *bytes) {
    if (read_file(v->arena, v->folder, file, bytes)) { return true; }
    vectors_fail(v, file, "cannot be read");
    return false;
}

uint32_t vectors_member(const zj_doc *doc, uint32_t object, const char *name) {
    if (object == 0 || zj_kind_of(doc, object) != ZJ_OBJECT) { return 0; }
    return zj_member(doc, object, zb_text(name));
}

const char *vectors_text(vectors *v, uint32_t object, const char *name) {
    const uint32_t node = vectors_member(v->doc, object, name);
    const char *text = NULL;
    if (node != 0 && zj_kind_of(v->doc, node) == ZJ_STRING) { text = zb_arena_text(v->arena, zj_text(v->doc, node)); }
    return text != NULL ? text : "";
}

bool vectors_number(const zj_doc *doc, uint32_t object, const char *name, double *out) {
    const uint32_t node = vectors_member(doc, object, name);
    if (node == 0 || zj_kind_of(doc, node) != ZJ_NUMBER) { return false; }
    *out = zj_at(doc, node)->as.number;
    return true;
}

bool vectors_true(const zj_doc *doc, uint32_t object, const char *name) {
    const uint32_t node = vectors_member(doc, object, name);
    return node != 0 && zj_kind_of(doc, node) == ZJ_TRUE;
}

bool vectors_is_slug(const char *id, const char *slug) {
    const char *bar = strchr(id, '/');
    const size_t head = (size_t)(bar - id);
    return strcmp(bar + 1, slug) == 0 ||
           (strncmp(id, slug, head) == 0 && slug[head] == '-' && strcmp(bar + 1, slug + head + 1) == 0);
}

bool vectors_near(double expected, double actual, double tolerance) {
    return actual >= expected - tolerance && actual <= expected + tolerance; // false for NaN
}

// ---------------------------------------------------------------------------------------------------------- the files

typedef struct totals {
    uint32_t passed, failed, skipped;
    bool unreadable;
} totals;

static void add(totals *sum, const vectors *v) {
    printf("%s: %u passed, %u failed, %u skipped\n", v->file, v->passed, v->failed, v->skipped);
    sum->passed += v->passed;
    sum->failed += v->failed;
    sum->skipped += v->skipped;
}

static void run_file(const char *folder, const char *file, vectors_run_fn run, totals *sum) {
    zb_arena arena = zb_arena_open(NULL);
    vectors v = {.folder = folder, .file = file, .arena = &arena};
    zo_text bytes = {NULL, 0};
    if (!read_file(&arena, folder, file, &bytes)) {
        fprintf(stderr, "%s/%s: cannot be read\n", folder, file);
        sum->unreadable = true;
    } else if (run == NULL) {
        vectors_skip(&v, "the whole file", "nothing here runs it");
        add(sum, &v);
    } else {
        v.doc = zj_parse(&arena, bytes.data, bytes.size, 0, NULL, NULL);
        const zj_kind kind = v.doc != NULL ? zj_kind_of(v.doc, ZJ_ROOT) : ZJ_NULL;
        if (kind != ZJ_ARRAY && kind != ZJ_OBJECT) {
            fprintf(stderr, "%s/%s: not a JSON array or object of cases\n", folder, file);
            sum->unreadable = true;
        } else {
            run(&v);
            add(sum, &v);
        }
    }
    zb_arena_close(&arena);
}

static bool ends_in(const char *name, const char *end) {
    const size_t a = strlen(name);
    const size_t b = strlen(end);
    return a >= b && strcmp(name + a - b, end) == 0;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// The names in a folder, sorted; the list ends with NULL. NULL: not a folder.
static char **list(const char *folder) {
    DIR *dir = opendir(folder);
    if (dir == NULL) { return NULL; }
    size_t count = 0;
    char **names = calloc(1, sizeof *names);
    for (struct dirent *entry; names != NULL && (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.') { continue; }
        char **more = realloc(names, (count + 2) * sizeof *names);
        if (more == NULL) { break; }
        names = more;
        names[count++] = strdup(entry->d_name);
        names[count] = NULL;
    }
    closedir(dir);
    if (names != NULL) { qsort(names, count, sizeof *names, by_name); }
    return names;
}

static void free_list(char **names) {
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) { free(names[i]); }
    free(names);
}

static void run_json(const char *folder, const char *file, totals *sum) {
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(files[i].file, file) == 0) {
            if (files[i].run != NULL) { run_file(folder, file, files[i].run, sum); }
            return;
        }
    }
    run_file(folder, file, NULL, sum);
}

static void run_each(const char *folder, const char *name, vectors_run_fn run, totals *sum) {
    char path[4096], *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char **names = list(path);
    for (size_t i = 0; names != NULL && (file = names[i]) != NULL; i++) {
        snprintf(path, sizeof path, "%s%s", name, file);
        if (ends_in(file, ".json")) { run_file(folder, path, run, sum); }
    }
    free_list(names);
}

// Cases that are a folder, with the file that lists them in it: until something here runs them, they are skipped by
// name.
static void run_folder(const char *folder, const char *name, totals *sum) {
    char path[4096];
    const size_t name_size = strlen(name);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strncmp(files[i].file, name, name_size) == 0 && files[i].file[name_size] == '/') {
            if (files[i].file[name_size + 1] == 0) {
                run_each(folder, files[i].file, files[i].run, sum);
                return;
            }
            snprintf(path, sizeof path, "%s/%s", folder, files[i].file);
            FILE *file = fopen(path, "rb");
            if (file == NULL) { continue; } // a part of the cases was given
            fclose(file);
            run_file(folder, files[i].file, files[i].run, sum);
            return;
        }
    }
    const int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    char **names = size < (int)sizeof path ? list(path) : NULL;
    if (names != NULL && strcmp(name, "seed/forge") != 0) { // those are what seed.json speaks of
        vectors v = {.folder = folder, .file = name};
        vectors_skip(&v, "the whole folder", "nothing here runs it");
        add(sum, &v);
    }
    free_list(names);
}

int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: zoetrope-vectors DIR\n");
        return 2;
    }
    char **families = list(argv[1]);
    if (families == NULL) {
        fprintf(stderr, "%s: not a folder that can be read\n", argv[1]);
        return 3;
    }
    totals sum = {0};
    for (size_t f = 0; families[f] != NULL; f++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], families[f]);
        char **names = list(path);
        for (size_t n = 0; names != NULL && names[n] != NULL; n++) {
            snprintf(path, sizeof path, "%s/%s", families[f], names[n]);
            if (ends_in(names[n], ".json")) {
                run_json(argv[1], path, &sum);
            } else {
                run_folder(argv[1], path, &sum);
            }
        }
        free_list(names);
    }
    free_list(families);
    if (sum.passed + sum.failed + sum.skipped == 0) {
        fprintf(stderr, "%s: there are no cases\n", argv[1]);
        return 3;
    }
    printf("total\n%u passed, %u failed, %u skipped\n", sum.passed, sum.failed, sum.skipped);
    return sum.unreadable ? 3 : sum.failed > 0 ? 1 : 0;
}
