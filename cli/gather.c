// See gather.h. How many files are taken and how large they may be together is bounded. Names come from files, so
// nothing but a way down from one of the folders is followed.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gather.h"
#include "host/beside.h"
#include "pet.h"
#include "walk.h"

enum {
    SOURCES_MAX = 65536, // a character has some thousand pictures
    SET_MAX = 4096,      // files of a folder that are looked at
    HEAD_SIZE = 4096,
};
static const size_t BYTES_MAX = (size_t)256 << 20; // of all files together

bool cli_has_rig(const zo_program *program) { return beside_has_rig(zo_program_format(program)); }

bool cli_has_pictures(const zo_report *report) { return beside_has_pictures(zo_report_format(report)); }

static char *joined(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) { snprintf(path, size, "%s/%s", folder, name); }
    return path;
}

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = strdup(slash != NULL ? path : ".");
    if (folder != NULL && slash != NULL) { folder[slash == path ? 1 : slash - path] = 0; }
    return folder;
}

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// What the library takes a file for; "": nothing that it knows.
static bool is_of_set(const char *path, const cli_bytes *bytes, const zo_compile_def *given) {
    const zo_source source = {.name = path, .bytes = bytes->data, .size = bytes->size};
    zo_compile_def def = {.maybe = true, .diag_max = 1};
    if (given != NULL) { def.profile = given->profile; }
    zo_report *report = NULL;
    zo_compile(&source, 1, &def, NULL, &report);
    const bool is = report != NULL && beside_is_set(zo_report_format(report));
    zo_report_free(report);
    return is;
}

char *cli_set_in_folder(const char *folder) {
    cli_paths paths = {0};
    cli_paths_list(&paths, folder, folder);
    const char *first = NULL;
    size_t left = BYTES_MAX;
    for (uint32_t i = 0; i < paths.count && i < SET_MAX; i++) {
        cli_bytes bytes;
        const bool wanted = first == NULL || beside_ends_in(paths.items[i], "idle.json");
        if (beside_ends_in(paths.items[i], "pet.json")) { // then it is a pet's, whatever else lies there
            first = NULL;
            break;
        }
        if (!wanted || !cli_read_file(paths.items[i], left, &bytes)) { continue; }
        if (bytes.size <= left && is_of_set(paths.items[i], &bytes, NULL)) { first = paths.items[i]; }
        left -= bytes.size <= left ? bytes.size : left;
        cli_bytes_free(&bytes);
    }
    char *path = first != NULL ? strdup(first) : NULL;
    cli_paths_free(&paths);
    return path;
}

char *cli_pack_in_folder(const char *folder) {
    bool is = false;
    for (uint32_t i = 0; beside_pack_file_at(i) != NULL && !is; i++) {
        char *path = joined(folder, beside_pack_file_at(i));
        struct stat status;
        is = path != NULL && (i == 0 ? lstat(path, &status) == 0 : is_file(path));
        free(path);
    }
    return is ? joined(folder, beside_pack_file_at(0)) : NULL;
}

char *cli_first_in_folder(const char *folder, cli_folder_kind *kind) {
    char *path = cli_pack_in_folder(folder);
    *kind = CLI_FOLDER_PACK;
    if (path == NULL) {
        path = cli_set_in_folder(folder);
        *kind = CLI_FOLDER_SET;
    }
    if (path == NULL) {
        path = cli_pet_in_folder(folder);
        *kind = CLI_FOLDER_PET;
    }
    return path;
}

// ---------------------------------------------------------------------------------------------------- sources

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (; *text != 0; text++) { hash = (hash ^ (uint8_t)*text) * 16777619u; }
    return hash;
}

// The slot that the name has or would have. There is always a free one.
static uint32_t slot_of(const cli_gathered *g, const char *need) {
    uint32_t slot = hash_of(need) & (g->slot_count - 1);
    while (g->slots[slot] != 0 && strcmp(g->found[g->slots[slot]].need, need) != 0) {
        slot = (slot + 1) & (g->slot_count - 1);
    }
    return slot;
}

// At least twice as many slots as sources.
static bool reserve_slots(cli_gathered *g) {
    uint32_t *old = g->slots;
    g->slot_count = g->slot_count == 0 ? 64 : g->slot_count * 2;
    g->slots = calloc(g->slot_count, sizeof *g->slots);
    if (g->slots == NULL) {
        g->slots = old;
        return false;
    }
    free(old);
    for (uint32_t i = 1; i < g->count; i++) {
        if (g->found[i].need != NULL) { g->slots[slot_of(g, g->found[i].need)] = i; }
    }
    return true;
}

static bool reserve(cli_gathered *g) {
    if (g->count < g->capacity) { return true; }
    const uint32_t capacity = g->capacity * 2 + 16;
    zo_source *sources = realloc(g->sources, capacity * sizeof *sources);
    if (sources != NULL) { g->sources = sources; }
    cli_found *found = realloc(g->found, capacity * sizeof *found);
    if (found != NULL) { g->found = found; }
    if (sources == NULL || found == NULL) { return false; }
    g->capacity = capacity;
    while (g->slot_count < 2 * capacity) {
        if (!reserve_slots(g)) { return false; }
    }
    return true;
}

// One more; `bytes` and `path` are taken over. The names are copied; `name` NULL: memory.
static int add(cli_gathered *g, const char *name, const char *need, char *path, cli_bytes bytes, zo_source_kind kind) {
    char *copy = name != NULL ? strdup(name) : NULL, *need_copy = need != NULL ? strdup(need) : NULL;
    if (copy == NULL || (need != NULL && need_copy == NULL) || g->count == SOURCES_MAX || !reserve(g)) {
        if (g->count == SOURCES_MAX) { cli_say("'%s' asks for more than %d files", g->sources[0].name, SOURCES_MAX); }
        free(copy);
        free(need_copy);
        free(path);
        cli_bytes_free(&bytes);
        return CLI_INTERNAL;
    }
    g->found[g->count] = (cli_found){need_copy, path, NULL, false};
    if (need_copy != NULL) {
        const uint32_t slot = slot_of(g, need_copy);
        g->slots[slot] = g->slots[slot] != 0 ? g->slots[slot] : g->count;
    }
    g->sources[g->count++] = (zo_source){.name = copy, .bytes = bytes.data, .size = bytes.size, .kind = kind};
    return CLI_FINE;
}

static bool knows(const cli_gathered *g, const char *name) { return g->slots[slot_of(g, name)] != 0; }

static bool add_folder(cli_gathered *g, char *folder) { // takes it over
    for (uint32_t i = 0; folder != NULL && i < g->folder_count; i++) {
        if (strcmp(g->folders[i], folder) == 0) {
            free(folder);
            return true;
        }
    }
    if (folder == NULL || g->folder_count == CLI_FOLDERS_MAX) {
        free(folder);
        return folder != NULL;
    }
    g->folders[g->folder_count++] = folder;
    return true;
}

static bool read_within(cli_gathered *g, const char *path, cli_bytes *bytes, int *code) {
    *code = CLI_FILES;
    if (!cli_read_file(path, g->left, bytes)) { return false; }
    if (bytes->size > g->left) {
        cli_bytes_free(bytes);
        cli_say("the files beside '%s' have more than %zu MiB", g->sources[0].name, BYTES_MAX >> 20);
        *code = CLI_INTERNAL;
        return false;
    }
    g->left -= bytes->size;
    *code = CLI_FINE;
    return true;
}

// One file has many paths: models/a.json is animation/../models/a.json too.
static bool is_among(const cli_paths *paths, const char *path) {
    bool is = false;
    for (uint32_t i = 0; paths != NULL && i < paths->count && !is; i++) {
        const char *other = paths->items[i];
        is = strcmp(beside_last_part(path), beside_last_part(other)) == 0 && cli_same_file(path, other);
    }
    return is;
}

static bool is_of(const char *path, const cli_bytes *bytes, bool (*is_such)(const char *format)) {
    const zo_source source = {.name = path, .bytes = bytes->data, .size = bytes->size};
    zo_report *report = NULL;
    zo_compile(&source, 1, &(zo_compile_def){.maybe = true, .diag_max = 1}, NULL, &report);
    const bool is = report != NULL && is_such(zo_report_format(report));
    zo_report_free(report);
    return is;
}

// What is wrong with the last source, whose bytes are whole, is told once. An atlas is judged beside others alone.
static void note_whole(cli_gathered *g) {
    const char *path = g->found[g->count - 1].path;
    zo_source *source = &g->sources[g->count - 1];
    const cli_bytes bytes = {.data = (void *)(uintptr_t)source->bytes, .size = source->size};
    source->judged = is_among(g->told, path) ||
                     (is_among(g->listed, path) && is_of(path, &bytes, beside_is_alone));
    g->found[g->count - 1].whole = true;
}

static int add_rig(cli_gathered *g, const char *path) {
    int code;
    cli_bytes bytes;
    if (!read_within(g, path, &bytes, &code)) { return code; }
    if (!is_of(path, &bytes, beside_is_rig)) {
        cli_say("'%s' is no rig", path);
        cli_bytes_free(&bytes);
        return CLI_FAULTY;
    }
    g->whole = true;
    if (!add_folder(g, folder_of(path))) { code = CLI_INTERNAL; }
    char *copy = strdup(path);
    code = copy != NULL && code == CLI_FINE ? add(g, path, NULL, copy, bytes, ZO_SOURCE_FILE) : CLI_INTERNAL;
    if (code == CLI_FINE) { note_whole(g); }
    return code;
}

cli_gathered *cli_gather_begin(const cli_args *args, const char *path, const zo_source *source,
                               const cli_paths *listed, const cli_paths *told, int *code) {
    cli_gathered *g = calloc(1, sizeof *g);
    *code = CLI_INTERNAL;
    if (g == NULL || !reserve(g)) {
        cli_gathered_free(g);
        return NULL;
    }
    g->left = BYTES_MAX;
    g->draws = (cli_options[CLI_OPT_PICTURE].commands & args->command->bit) != 0;
    g->listed = listed;
    g->told = told;
    g->sources[g->count] = *source;
    g->found[g->count++] = (cli_found){NULL, NULL, NULL, true};
    const char *assets = args->values[CLI_OPT_ASSETS], *rig = args->values[CLI_OPT_RIG];
    if (assets != NULL && !cli_is_folder(assets)) {
        *code = cli_usage(args, "--assets wants a folder, and '%s' is none", assets);
    } else if ((assets == NULL || add_folder(g, strdup(assets))) && add_folder(g, folder_of(path))) {
        g->whole = assets != NULL || beside_is_manifest(path);
        *code = rig != NULL ? add_rig(g, rig) : CLI_FINE;
    }
    if (*code == CLI_FINE) { return g; }
    cli_gathered_free(g);
    return NULL;
}

int cli_gather_file(cli_gathered *g, const char *path) {
    int code;
    cli_bytes bytes;
    if (!read_within(g, path, &bytes, &code)) { return code; }
    return add(g, path, NULL, strdup(path), bytes, ZO_SOURCE_FILE);
}

int cli_gather_set(cli_gathered *g, const char *path, const zo_compile_def *def) {
    char *folder = folder_of(path);
    cli_paths paths = {0};
    int code = folder != NULL ? CLI_FINE : CLI_INTERNAL;
    if (folder != NULL) { cli_paths_list(&paths, folder, folder); }
    if (paths.failed) { code = CLI_FILES; }
    g->whole = true;
    for (uint32_t i = 0; i < paths.count && code == CLI_FINE; i++) {
        cli_bytes bytes;
        if (cli_same_file(paths.items[i], path) || !read_within(g, paths.items[i], &bytes, &code)) { continue; }
        if (is_of_set(paths.items[i], &bytes, def)) {
            code = add(g, paths.items[i], NULL, strdup(paths.items[i]), bytes, ZO_SOURCE_FILE);
        } else {
            g->left += bytes.size;
            cli_bytes_free(&bytes);
        }
    }
    cli_paths_free(&paths);
    free(folder);
    return code;
}

// ---------------------------------------------------------------------------------------------------- needs

static bool read_head(const char *path, cli_bytes *bytes) {
    FILE *file = fopen(path, "rb");
    *bytes = (cli_bytes){.data = malloc(HEAD_SIZE)};
    if (file != NULL && bytes->data != NULL) { bytes->size = fread(bytes->data, 1, HEAD_SIZE, file); }
    const bool fine = file != NULL && bytes->data != NULL && !ferror(file);
    if (file != NULL) { fclose(file); }
    if (!fine) { cli_bytes_free(bytes); }
    return fine;
}

// ---- Links: where a path really leads, also when nothing is there ----

// As realpath; of what is not there the last parts are taken as they stand. malloc; NULL: memory, or too many links.
static char *resolved(const char *path) {
    enum { STEPS_MAX = 4096 };
    char *at = strdup(path), *tail = strdup("");
    for (int step = 0; at != NULL && tail != NULL && step < STEPS_MAX; step++) {
        char target[PATH_MAX];
        char *real = realpath(at, NULL);
        if (real != NULL) {
            char *whole = *tail != 0 ? joined(real, tail) : strdup(real);
            free(real);
            free(at);
            free(tail);
            return whole;
        }
        const ssize_t size = readlink(at, target, sizeof target - 1);
        char *folder = folder_of(at), *more = NULL;
        if (size > 0) {
            target[size] = 0;
            more = target[0] == '/' || folder == NULL ? strdup(target) : joined(folder, target);
            free(folder);
        } else {
            const char *slash = strrchr(at, '/'), *name = slash != NULL ? slash + 1 : at;
            char *longer = *tail != 0 ? joined(name, tail) : strdup(name);
            free(tail);
            tail = longer;
            more = folder;
        }
        free(at);
        at = more;
    }
    free(at);
    free(tail);
    return NULL;
}

// Where links lead. `root` is resolved. What cannot be told lies outside.
static void look_behind(zo_source *source, cli_found *found, const char *root, const char *path) {
    const size_t size = root != NULL ? strlen(root) : 0;
    char *real = resolved(path);
    const bool inside = real != NULL && root != NULL && strncmp(real, root, size) == 0 &&
                        (real[size] == '/' || (size == 1 && *root == '/'));
    source->outside_root = !inside;
    const char *name = inside ? real + size + (real[size] == '/') : NULL;
    if (name != NULL && strcmp(name, found->need) != 0) { found->real = strdup(name); }
    source->real_name = found->real;
    free(real);
}

// ---- Finding ----

// What a file is called as a source. `path` NULL: it is not there.
static char *name_of(const cli_gathered *g, const char *need, const char *path, bool beside) {
    const bool shown = path != NULL && beside && strncmp(path, "./", 2) != 0;
    return beside_name(g->sources[0].name, need, shown ? path : NULL);
}

// One that is there.
static int add_found(cli_gathered *g, const zo_need *need, char *path, bool beside) {
    cli_bytes bytes = {0};
    int code = CLI_FINE;
    struct stat status;
    const bool sized = stat(path, &status) == 0 && status.st_size >= 0;
    if (need->kind == ZO_NEED_BYTES) {
        if (!read_within(g, path, &bytes, &code)) {
            free(path);
            return code;
        }
        g->whole = true; // somebody has put together what belongs together
    } else if (need->kind == ZO_NEED_HEAD && !read_head(path, &bytes)) {
        cli_say("cannot read '%s'", path);
        free(path);
        return CLI_FILES;
    }
    char *name = name_of(g, need->name, path, beside);
    code = add(g, name, need->name, path, bytes, ZO_SOURCE_FILE);
    free(name);
    if (code == CLI_FINE && sized && need->kind != ZO_NEED_BYTES) {
        zo_source *source = &g->sources[g->count - 1];
        if (need->kind == ZO_NEED_STAT) { source->size = (size_t)status.st_size; }
        source->whole_size = (size_t)status.st_size;
    }
    if (code == CLI_FINE && need->kind == ZO_NEED_BYTES) { note_whole(g); }
    return code;
}

// The resolved folder, worked out once. NULL: it is not there.
static const char *root_of(cli_gathered *g, uint32_t folder) {
    if (g->roots[folder] == NULL) { g->roots[folder] = realpath(g->folders[folder], NULL); }
    return g->roots[folder];
}

static int add_missing(cli_gathered *g, const char *name, bool leads) {
    char *called = name_of(g, name, NULL, false);
    const int code = add(g, called, name, NULL, (cli_bytes){0}, ZO_SOURCE_MISSING);
    const uint32_t folder = g->folder_count - 1;
    free(called);
    char *path = code == CLI_FINE && leads ? joined(g->folders[folder], name) : NULL;
    if (path != NULL) {
        look_behind(&g->sources[g->count - 1], &g->found[g->count - 1], root_of(g, folder), path);
    }
    free(path);
    return code;
}

static int take_need(cli_gathered *g, const zo_need *need, bool *more) {
    const bool leads = beside_leads_down(need->name);
    char *beside = folder_of(g->sources[0].name);
    int code = beside != NULL ? CLI_FINE : CLI_INTERNAL;
    bool found = false;
    // A machine may have the name of the model that it moves, and lie in a folder called alike: the file itself is
    // found last. (A model may be its own parent, which the library tells of.)
    for (uint32_t n = 0; n < 2 * g->folder_count && !found && code == CLI_FINE && leads; n++) {
        const uint32_t i = n % g->folder_count;
        char *path = joined(g->folders[i], need->name);
        if (path == NULL) { code = CLI_INTERNAL; }
        found = path != NULL && is_file(path) &&
                (n >= g->folder_count) == cli_same_file(path, g->sources[0].name);
        if (!found) {
            free(path);
            continue;
        }
        *more = true;
        code = add_found(g, need, path, strcmp(beside, g->folders[i]) == 0); // which takes the path over
        if (code == CLI_FINE) {
            const uint32_t last = g->count - 1;
            look_behind(&g->sources[last], &g->found[last], root_of(g, i), g->found[last].path);
        }
    }
    free(beside);
    if (found || code != CLI_FINE || !g->whole || knows(g, need->name)) { return code; }
    *more = true;
    return add_missing(g, need->name, leads);
}

// Resources lie in folders beside each other, of which the file's own is one, and in a folder "assets" a level above
// that of their domain.
static int add_resource_folders(cli_gathered *g) {
    char *own = folder_of(g->sources[0].name), *above = own != NULL ? joined(own, "..") : NULL, *root = NULL;
    const char *assets = NULL; // the last part of that name
    for (const char *at = own != NULL ? strstr(own, "assets/") : NULL; at != NULL; at = strstr(at + 1, "assets/")) {
        if (at == own || at[-1] == '/') { assets = at; }
    }
    if (assets != NULL && assets == own) {
        root = strdup(".");
    } else if (assets != NULL) { // without the slash, unless it is the root of all
        root = strndup(own, assets == own + 1 ? 1 : (size_t)(assets - own - 1));
    }
    const bool good = above != NULL && add_folder(g, above) && (assets == NULL || add_folder(g, root));
    free(own);
    g->resources = g->whole = true;
    return good ? CLI_FINE : CLI_INTERNAL;
}

// Whole files first: with a rig, what is not there is missing.
int cli_gather_needs(cli_gathered *g, const zo_report *report, bool *more) {
    int code = CLI_FINE;
    *more = false;
    if (!g->resources && beside_has_resources(zo_report_format(report))) { code = add_resource_folders(g); }
    if (g->draws && cli_has_pictures(report)) { g->whole = true; }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < zo_report_need_count(report) && code == CLI_FINE; i++) {
            const zo_need *need = zo_report_need(report, i);
            if ((need->kind == ZO_NEED_BYTES) == (pass == 0)) { code = take_need(g, need, more); }
        }
    }
    return code;
}

void cli_gathered_free(cli_gathered *g) {
    if (g == NULL) { return; }
    for (uint32_t i = 1; i < g->count; i++) {
        free((char *)(uintptr_t)g->sources[i].name);
        free((void *)(uintptr_t)g->sources[i].bytes);
        free(g->found[i].need);
        free(g->found[i].path);
        free(g->found[i].real);
    }
    for (uint32_t i = 0; i < g->folder_count; i++) {
        free(g->folders[i]);
        free(g->roots[i]);
    }
    free(g->sources);
    free(g->found);
    free(g->slots);
    free(g);
}

const char *cli_gathered_path(const cli_gathered *g, const char *name) {
    const uint32_t index = g->slots[slot_of(g, name)];
    return index != 0 ? g->found[index].path : NULL;
}
