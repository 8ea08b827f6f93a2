// See watch_inside.h: which files belong together, found by what their readers ask for, and read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/beside.h"
#include "host/picture.h"
#include "host/watch_inside.h"

enum {
    ROUNDS_MAX = 8,     // found files may ask for more: a rig for its atlas, that for its picture
    ASKED_MAX = 8192,   // names
    MEMBERS_MAX = 4096, // files that are found by asking
};
static const uint64_t BYTES_MAX = STORE_FILE_MAX; // of all files of a unit
static const char *const endings[] = {".json", ".b3d", ".zip"};
static const char *const whole_formats[] = {"petween", "motion-pack", "pet", "pet-package"};

// ---- Names ----

bool watch_grow(void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return true; }
    const uint32_t more = *capacity * 2 + 8;
    void *grown = realloc(*items, more * size);
    if (grown == NULL) { return false; }
    *items = grown;
    *capacity = more;
    return true;
}

bool watch_names_add(watch_names *names, const char *name) {
    if (!watch_grow((void **)&names->items, names->count, &names->capacity, sizeof *names->items)) { return false; }
    char *copy = strdup(name);
    if (copy == NULL) { return false; }
    names->items[names->count++] = copy;
    return true;
}

bool watch_names_have(const watch_names *names, const char *name) {
    for (uint32_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) { return true; }
    }
    return false;
}

void watch_names_free(watch_names *names) {
    for (uint32_t i = 0; i < names->count; i++) { free(names->items[i]); }
    free(names->items);
    *names = (watch_names){0};
}

static bool ends_in(const char *path, const char *ending) { // in any letter case
    const size_t size = strlen(path), end = strlen(ending);
    return size > end && strcasecmp(path + size - end, ending) == 0;
}

bool watch_is_picture(const char *path) {
    bool is = false;
    for (uint32_t i = 0; picture_ending_at(i) != NULL && !is; i++) {
        const char *ending = picture_ending_at(i);
        const size_t size = strlen(path), end = strlen(ending);
        is = size > end + 1 && path[size - end - 1] == '.' && strcasecmp(path + size - end, ending) == 0;
    }
    return is;
}

bool watch_is_candidate(const char *path) {
    bool is = watch_is_picture(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && !is; i++) { is = ends_in(path, endings[i]); }
    return is;
}

bool watch_is_own(const watch *w, const char *path) {
    static const char *const behind[] = {"", "-wal", "-shm", "-journal"};
    const size_t size = w->own != NULL ? strlen(w->own) : 0;
    bool is = false;
    if (w->own == NULL || strncmp(path, w->own, size) != 0) { return false; }
    for (size_t i = 0; i < sizeof behind / sizeof behind[0] && !is; i++) { is = strcmp(path + size, behind[i]) == 0; }
    return is;
}

bool watch_character_folder(const watch *w, const char *path, char folder[NOTIFY_PATH_MAX + 1]) {
    char name[NOTIFY_PATH_MAX + 64];
    for (size_t size = 0; size <= NOTIFY_PATH_MAX;) { // the outermost first
        for (uint32_t i = 0; beside_pack_file_at(i) != NULL; i++) {
            snprintf(name, sizeof name, "%.*s%s%s", (int)size, path, size > 0 ? "/" : "", beside_pack_file_at(i));
            if (!notify_has(w->files, name)) { continue; }
            memcpy(folder, path, size);
            folder[size] = 0;
            return true;
        }
        const char *slash = strchr(path + size + (size > 0 ? 1 : 0), '/');
        if (slash == NULL) { return false; }
        size = (size_t)(slash - path);
    }
    return false;
}

// ---- Reading ----

void watch_loaded_free(watch_loaded *loaded) {
    for (uint32_t i = 0; i < loaded->count; i++) {
        free((char *)(uintptr_t)loaded->files[i].name);
        free((void *)(uintptr_t)loaded->files[i].bytes);
    }
    free(loaded->files);
    *loaded = (watch_loaded){0};
}

static bool load(watch *w, watch_loaded *l, const char *path, const char *name) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    const uint64_t left = BYTES_MAX - l->size;
    switch (notify_read(w->files, path, (size_t)left, &bytes, &size)) {
    case NOTIFY_READ: break;
    case NOTIFY_READ_LARGE: l->fault = "it has more than 256 MiB with all that belongs to it"; return false;
    case NOTIFY_READ_REFUSED: l->fault = "it cannot be read"; return false;
    case NOTIFY_READ_NO_MEMORY: w->failed = l->again = true; return false;
    default: l->again = true; return false; // which is told once it rests
    }
    char *copy = strdup(name);
    if (copy == NULL || !watch_grow((void **)&l->files, l->count, &l->capacity, sizeof *l->files)) {
        free(copy);
        free(bytes);
        w->failed = l->again = true;
        return false;
    }
    l->files[l->count++] = (store_file){.name = copy, .bytes = bytes, .size = size};
    l->size += size;
    return true;
}

void watch_load(watch *w, const unit *u, watch_loaded *l) {
    const size_t skip = u->character ? beside_folder_size(u->path) : 0; // names are as in the pack's folder
    *l = (watch_loaded){0};
    if (u->character && !notify_has(w->files, u->path)) { l->fault = "its runtime_manifest.json is not there"; }
    for (uint32_t i = 0; i < u->members.count && l->fault == NULL; i++) {
        if (!load(w, l, u->members.items[i], u->members.items[i] + skip)) { return; }
    }
}

// ---- What belongs to a file ----

typedef struct asking {
    watch *w;
    unit *u;
    watch_loaded loaded;
    zo_source *sources;
    uint32_t count, capacity;
    watch_names asked, names; // names: of sources
    bool failed;
} asking;

static bool add_source(asking *a, const char *name, zo_source source) {
    if (!watch_names_add(&a->names, name) ||
        !watch_grow((void **)&a->sources, a->count, &a->capacity, sizeof *a->sources)) {
        a->failed = true;
        return false;
    }
    source.name = a->names.items[a->names.count - 1];
    a->sources[a->count++] = source;
    return true;
}

// Where the name leads from the folder of the first file, and from those around it. The file itself is meant last: a
// machine may have the name of the model that it moves.
static bool find(const asking *a, const char *need, bool around, char path[NOTIFY_PATH_MAX + 1]) {
    const char *first = a->u->path;
    bool itself = false;
    if (!beside_leads_down(need)) { return false; }
    for (size_t folder = beside_folder_size(first);;) {
        const int size = snprintf(path, NOTIFY_PATH_MAX + 1, "%.*s%s", (int)folder, first, need);
        if (size > 0 && size <= NOTIFY_PATH_MAX && notify_has(a->w->files, path)) {
            if (strcmp(path, first) != 0) { return true; }
            itself = true;
        }
        if (folder == 0 || !around) { break; }
        for (folder--; folder > 0 && first[folder - 1] != '/';) { folder--; }
    }
    if (itself) { snprintf(path, NOTIFY_PATH_MAX + 1, "%s", first); }
    return itself;
}

static bool take_need(asking *a, const zo_need *need, bool around) { // true: there is something new to read
    char path[NOTIFY_PATH_MAX + 1];
    if (a->failed || a->asked.count >= ASKED_MAX || watch_names_have(&a->asked, need->name)) { return false; }
    if (!watch_names_add(&a->asked, need->name)) {
        a->failed = true;
        return false;
    }
    const bool found = a->u->members.count < MEMBERS_MAX && find(a, need->name, around, path);
    zo_source source = {.kind = ZO_SOURCE_MISSING};
    if (found) {
        const bool known = watch_names_have(&a->u->members, path);
        uint32_t place = 0;
        while (known && strcmp(a->loaded.files[place].name, path) != 0) { place++; }
        if (!known && !load(a->w, &a->loaded, path, path)) {
            a->failed = a->loaded.again;
            return false;
        }
        if (!known && !watch_names_add(&a->u->members, path)) { a->failed = true; }
        const store_file *file = &a->loaded.files[known ? place : a->loaded.count - 1];
        source = (zo_source){.bytes = need->kind != ZO_NEED_STAT ? file->bytes : NULL, .size = (size_t)file->size};
    } else {
        if (!watch_names_add(&a->u->misses, need->name)) { a->failed = true; }
        if (!around) { return false; }
    }
    // By its own path where it lies beside the first one.
    const size_t folder = beside_folder_size(a->u->path);
    const bool beside = found && strncmp(path, a->u->path, folder) == 0 && strcmp(path + folder, need->name) == 0;
    char *name = a->failed ? NULL : beside_name(a->u->path, need->name, beside ? path : NULL);
    if (name == NULL) { a->failed = true; }
    const bool more = name != NULL && add_source(a, name, source);
    free(name);
    return more;
}

static bool is_whole(const char *format) {
    bool is = false;
    for (size_t i = 0; i < sizeof whole_formats / sizeof whole_formats[0]; i++) {
        is = is || strcmp(format, whole_formats[i]) == 0;
    }
    return is;
}

// Whole files first, as they may ask for others.
static void ask(asking *a) {
    for (int round = 0; round < ROUNDS_MAX && !a->failed; round++) {
        zo_report *report = NULL;
        bool more = false;
        const zo_status status =
            zo_compile(a->sources, a->count, &(zo_compile_def){.maybe = true, .diag_max = 1}, NULL, &report);
        if (report == NULL || status == ZO_NO_MEMORY) {
            zo_report_free(report);
            a->failed = true;
            return;
        }
        const char *format = zo_report_format(report);
        if (round == 0) {
            a->u->whole = is_whole(format);
            a->u->rank = strcmp(format, "motion-pack") == 0 ? 1 : 0;
        }
        const bool around = beside_has_resources(format);
        for (int pass = 0; pass < 2 && !a->u->whole; pass++) {
            for (uint32_t i = 0; i < zo_report_need_count(report); i++) {
                const zo_need *need = zo_report_need(report, i);
                if ((need->kind == ZO_NEED_BYTES) == (pass == 0)) { more = take_need(a, need, around) || more; }
            }
        }
        zo_report_free(report);
        if (!more) { return; }
    }
}

typedef struct listing {
    const watch *w;
    watch_names *names;
    const char *first; // stands there already
    bool failed;
} listing;

static bool list_file(void *context, const char *path, bool link) {
    listing *l = context;
    (void)link;
    if (strcmp(path, l->first) == 0 || watch_is_own(l->w, path)) { return true; }
    // One more than there may be: then it is refused, and said to be too much.
    l->failed = !watch_names_add(l->names, path);
    return !l->failed && l->names->count <= STORE_FILES_MAX;
}

static bool list_character(const watch *w, unit *u) {
    char folder[NOTIFY_PATH_MAX + 1];
    const size_t size = beside_folder_size(u->path);
    snprintf(folder, sizeof folder, "%.*s", size > 0 ? (int)size - 1 : 0, u->path);
    listing l = {.w = w, .names = &u->members, .first = u->path};
    u->whole = true;
    return notify_each(w->files, folder, list_file, &l) || !l.failed;
}

bool watch_find_members(watch *w, unit *u) {
    watch_names_free(&u->members);
    watch_names_free(&u->misses);
    u->whole = false;
    u->rank = watch_is_picture(u->path) ? 2 : 0;
    bool fine = watch_names_add(&u->members, u->path);
    if (fine && u->character) {
        fine = list_character(w, u);
    } else if (fine && ends_in(u->path, ".zip")) {
        u->whole = true;
        u->rank = 1;
    } else if (fine && u->rank == 0) {
        asking a = {.w = w, .u = u};
        if (load(w, &a.loaded, u->path, u->path)) {
            const store_file *file = &a.loaded.files[0];
            add_source(&a, u->path, (zo_source){.bytes = file->bytes, .size = (size_t)file->size});
            ask(&a);
        }
        fine = !a.failed && !a.loaded.again;
        watch_loaded_free(&a.loaded);
        watch_names_free(&a.asked);
        watch_names_free(&a.names);
        free(a.sources);
    }
    return fine;
}
