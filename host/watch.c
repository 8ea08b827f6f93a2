// See watch.h: units, which of them are parts of others, and the thread that goes through what has changed.
#include "host/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"
#include "host/http_text.h"
#include "host/watch_inside.h"

enum { FIRST_MS = 1000, RETRY_MS = 1000, LONG_MS = 3600000, DIAGNOSTICS_MAX = 5, SAID_MAX = 16384 };

// ---- The log ----

static void write_place(cli_json *json, const zo_diag *diag) {
    if (diag->place.file != NULL) { cli_json_text(json, "file", diag->place.file); }
    if (diag->place.line > 0) {
        cli_json_number(json, "line", diag->place.line);
        cli_json_number(json, "column", diag->place.column);
    }
}

static void write_report(cli_json *json, const zo_report *report) {
    uint32_t written = 0;
    cli_json_open(json, "diagnostics", '[');
    for (uint32_t i = 0; i < zo_report_count(report) && written < DIAGNOSTICS_MAX; i++) {
        const zo_diag *diag = zo_report_at(report, i);
        if (diag->severity != ZO_ERROR) { continue; }
        written++;
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "id", diag->id);
        cli_json_text(json, "message", diag->message);
        write_place(json, diag);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_number(json, "errors", zo_report_total(report, ZO_ERROR));
}

void watch_say(const watch *w, bool is_error, const char *path, const char *action, const watch_key *key,
               int64_t revision, const char *why, const zo_report *report) {
    static const char *const areas[STORE_AREA_COUNT] = {"thing", "item", "pet", "config", "asset"};
    http_text text = {0};
    cli_json json = http_text_json(&text);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "action", action);
    if (path != NULL) { cli_json_text(&json, "path", path); }
    if (key != NULL) {
        cli_json_text(&json, "area", areas[key->area < STORE_AREA_COUNT ? key->area : 0]);
        cli_json_text(&json, "id", key->id);
    }
    if (revision > 0) { cli_json_number(&json, "revision", (double)revision); }
    if (why != NULL) { cli_json_text(&json, "why", why); }
    if (report != NULL && zo_report_total(report, ZO_ERROR) > 0) { write_report(&json, report); }
    http_text_end(&text); // not closed: it stands among the members of the line
    if (!text.failed) { http_log(w->server, is_error, "watch", text.bytes + 1); }
    http_text_free(&text);
}

void watch_say_faulty(const watch *w, unit *u, const watch_key *key, const char *why, const zo_report *report) {
    const zo_diag *diag = report != NULL ? zo_report_at(report, 0) : NULL;
    const char *reason = why != NULL ? why : diag != NULL ? diag->message : "";
    const size_t before = u->said != NULL ? strlen(u->said) : 0;
    if (u->said != NULL && strstr(u->said, reason) != NULL) { return; }
    char *said = before < SAID_MAX ? realloc(u->said, before + strlen(reason) + 2) : NULL;
    if (said != NULL) { // there may be several reasons: of a pack each animation has its own
        snprintf(said + before, strlen(reason) + 2, "%s\n", reason);
        u->said = said;
    }
    watch_say(w, true, u->path, "refused", key, 0, why, report);
}

// ---- Units ----

static uint32_t unit_place(const watch *w, const char *path) {
    uint32_t low = 0, high = w->unit_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(w->units[middle]->path, path) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

unit *watch_unit_find(const watch *w, const char *path) {
    const uint32_t place = unit_place(w, path);
    return place < w->unit_count && strcmp(w->units[place]->path, path) == 0 ? w->units[place] : NULL;
}

static void free_unit(unit *u) { // which owns nothing any more
    watch_names_free(&u->members);
    watch_names_free(&u->misses);
    for (uint32_t i = 0; i < u->key_count; i++) { free(u->keys[i].id); }
    free(u->keys);
    free(u->said);
    free(u->path);
    free(u);
}

static unit *want_unit(watch *w, const char *path, bool character) { // the one there is or a new one, dirty
    unit *u = watch_unit_find(w, path);
    if (u == NULL) {
        u = calloc(1, sizeof *u);
        char *copy = strdup(path);
        if (u == NULL || copy == NULL ||
            !watch_grow((void **)&w->units, w->unit_count, &w->unit_capacity, sizeof *w->units)) {
            free(u);
            free(copy);
            w->failed = true;
            return NULL;
        }
        u->path = copy;
        const uint32_t place = unit_place(w, path);
        memmove(w->units + place + 1, w->units + place, (w->unit_count - place) * sizeof *w->units);
        w->units[place] = u;
        w->unit_count++;
    }
    u->character = character;
    u->dirty = true;
    return u;
}

// ---- Who is what ----

static int compare_keys(const watch_key *a, const watch_key *b) {
    return a->area != b->area ? (int)a->area - (int)b->area : strcmp(a->id, b->id);
}

static uint32_t owner_place(const watch *w, const watch_key *key) {
    uint32_t low = 0, high = w->owner_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_keys(w->owners[middle].key, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

unit *watch_owner_of(const watch *w, store_area area, const char *id) {
    const watch_key key = {area, (char *)(uintptr_t)id};
    const uint32_t place = owner_place(w, &key);
    return place < w->owner_count && compare_keys(w->owners[place].key, &key) == 0 ? w->owners[place].owner : NULL;
}

static void disown(watch *w, const unit *u, const watch_key *key) {
    const uint32_t place = owner_place(w, key);
    if (place == w->owner_count || w->owners[place].owner != u || compare_keys(w->owners[place].key, key) != 0) {
        return;
    }
    w->owner_count--;
    memmove(w->owners + place, w->owners + place + 1, (w->owner_count - place) * sizeof *w->owners);
}

static bool own(watch *w, unit *u, const watch_key *key) { // `key` lives as long as it is owned
    const uint32_t place = owner_place(w, key);
    const bool taken = place < w->owner_count && compare_keys(w->owners[place].key, key) == 0;
    if (!taken) {
        if (!watch_grow((void **)&w->owners, w->owner_count, &w->owner_capacity, sizeof *w->owners)) { return false; }
        memmove(w->owners + place + 1, w->owners + place, (w->owner_count - place) * sizeof *w->owners);
        w->owner_count++;
    }
    w->owners[place] = (watch_owner){key, u};
    return true;
}

bool watch_leave(watch *w, const watch_key *key, const char *path) {
    for (uint32_t i = 0; i < w->leaving_count; i++) {
        if (compare_keys(&w->leaving[i].key, key) == 0) { return true; }
    }
    char *id = strdup(key->id), *copy = strdup(path);
    if (id == NULL || copy == NULL ||
        !watch_grow((void **)&w->leaving, w->leaving_count, &w->leaving_capacity, sizeof *w->leaving)) {
        free(id);
        free(copy);
        return false;
    }
    w->leaving[w->leaving_count++] = (watch_leaving){.key = {key->area, id}, .path = copy};
    return true;
}

static bool has_key(const watch_key *keys, uint32_t count, const watch_key *key) {
    bool has = false;
    for (uint32_t i = 0; i < count && !has; i++) { has = compare_keys(&keys[i], key) == 0; }
    return has;
}

bool watch_unit_is(watch *w, unit *u, const watch_key *keys, uint32_t count) {
    watch_key *copies = calloc((size_t)count + 1, sizeof *copies);
    uint32_t copied = 0;
    bool fine = copies != NULL;
    for (uint32_t i = 0; i < count && fine; i++) {
        if (has_key(copies, copied, &keys[i])) { continue; }
        copies[copied] = (watch_key){keys[i].area, strdup(keys[i].id)};
        fine = copies[copied++].id != NULL;
    }
    for (uint32_t i = 0; i < u->key_count && fine; i++) {
        if (!has_key(copies, copied, &u->keys[i])) { fine = watch_leave(w, &u->keys[i], u->path); }
    }
    if (!fine) {
        for (uint32_t i = 0; copies != NULL && i < copied; i++) { free(copies[i].id); }
        free(copies);
        return false;
    }
    for (uint32_t i = 0; i < u->key_count; i++) { // others may have their ids now
        disown(w, u, &u->keys[i]);
        if (!has_key(copies, copied, &u->keys[i])) { w->freed = true; }
        free(u->keys[i].id);
    }
    free(u->keys);
    u->keys = copies;
    u->key_count = copied;
    for (uint32_t i = 0; i < copied; i++) { fine = own(w, u, &copies[i]) && fine; }
    return fine;
}

// ---- What is to be done ----

static const char *const words[NOTIFY_KIND_COUNT] = {
    [NOTIFY_POLLING] = "polling", [NOTIFY_OVERFLOW] = "overflow", [NOTIFY_TOO_MANY] = "too-many",
    [NOTIFY_TOO_DEEP] = "too-deep", [NOTIFY_UNREADABLE] = "unreadable", [NOTIFY_ROOT_GONE] = "folder-gone",
    [NOTIFY_ROOT_BACK] = "folder-back"};
static const char *const sentences[NOTIFY_KIND_COUNT] = {
    [NOTIFY_POLLING] = "the system watches no more folders (fs.inotify.max_user_watches): this one and others are"
                       " looked into every second instead",
    [NOTIFY_OVERFLOW] = "more has happened than the system keeps in mind: all is looked at anew",
    [NOTIFY_TOO_MANY] = "there are too many files: this one and others are passed over",
    [NOTIFY_TOO_DEEP] = "it lies too deep, or its path is too long: it is passed over",
    [NOTIFY_UNREADABLE] = "the folder cannot be read: what came from it stays as it is",
    [NOTIFY_ROOT_GONE] = "the folder that is watched is gone: what came from it stays as it is",
    [NOTIFY_ROOT_BACK] = "the folder that is watched is there again"};

static bool mark_file(watch *w, const char *path) { // false: memory
    char folder[NOTIFY_PATH_MAX + 1], manifest[NOTIFY_PATH_MAX + 64];
    if (watch_is_own(w, path)) { return true; }
    if (watch_character_folder(w, path, folder)) {
        snprintf(manifest, sizeof manifest, "%s%s%s", folder, *folder != 0 ? "/" : "", beside_pack_file_at(0));
        return want_unit(w, manifest, true) != NULL;
    }
    return !watch_is_candidate(path) || want_unit(w, path, false) != NULL;
}

static bool mark_again(void *context, const char *path, bool link) {
    watch *w = context;
    if (!link && !mark_file(w, path)) { w->lost = true; }
    return !w->lost;
}

static bool asked_for(const unit *u, const char *path) {
    for (uint32_t i = 0; i < u->misses.count; i++) {
        if (beside_ends_in(path, u->misses.items[i])) { return true; }
    }
    return false;
}

static int by_path(const void *key, const void *item) { return strcmp(key, ((const notify_change *)item)->path); }

static void mark(watch *w, const notify_change *changes, uint32_t count) {
    uint32_t said = 0; // they stand first
    for (; said < count && changes[said].kind >= NOTIFY_POLLING; said++) {
        const notify_change *one = &changes[said];
        watch_say(w, one->kind != NOTIFY_ROOT_BACK && one->kind != NOTIFY_OVERFLOW, one->path, words[one->kind], NULL,
                  0, sentences[one->kind], NULL);
    }
    changes += said;
    count -= said;
    for (uint32_t i = 0; i < w->unit_count && count > 0; i++) { // those there are already
        unit *u = w->units[i];
        for (uint32_t k = 0; k < u->members.count && !u->dirty; k++) {
            u->dirty = bsearch(u->members.items[k], changes, count, sizeof *changes, by_path) != NULL;
        }
        for (uint32_t k = 0; k < count && !u->dirty && u->misses.count > 0; k++) {
            u->dirty = changes[k].kind != NOTIFY_GONE && asked_for(u, changes[k].path);
        }
        if (u->dirty) { // what is wrong now is said again
            free(u->said);
            u->said = NULL;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (changes[i].kind != NOTIFY_GONE && !changes[i].link && !mark_file(w, changes[i].path)) { w->lost = true; }
    }
}

static bool is_there(const watch *w, const unit *u) {
    char folder[NOTIFY_PATH_MAX + 1];
    const size_t size = beside_folder_size(u->path);
    if (!u->character) { return notify_has(w->files, u->path); }
    return watch_character_folder(w, u->path, folder) && strlen(folder) == (size > 0 ? size - 1 : 0);
}

// What belonged to one that is gone, or no longer belongs, is something by itself again.
// false: memory.
static bool release(watch *w, const watch_names *members, const unit *u) {
    bool fine = true;
    for (uint32_t i = 1; i < members->count; i++) {
        const char *path = members->items[i];
        if ((u == NULL || !watch_names_have(&u->members, path)) && notify_has(w->files, path) &&
            watch_unit_find(w, path) == NULL) {
            fine = mark_file(w, path) && fine;
        }
    }
    return fine;
}

static void find_members(watch *w) {
    bool more = true;
    for (int round = 0; round < 4 && more; round++) { // what is released is looked at too
        more = false;
        for (uint32_t i = 0; i < w->unit_count && !atomic_load(&w->ended); i++) {
            unit *u = w->units[i];
            if (u->gone && u->key_count > 0 && !watch_unit_is(w, u, NULL, 0)) { w->failed = true; } // once more
            if (!u->dirty || u->found || u->gone) { continue; }
            watch_names old = u->members;
            u->members = (watch_names){0};
            u->gone = !is_there(w, u);
            u->found = !u->gone && watch_find_members(w, u);
            const uint32_t units = w->unit_count;
            if ((u->gone || u->found) && !release(w, &old, u->gone ? NULL : u)) { u->gone = u->found = false; }
            more = more || w->unit_count != units;
            if (w->unit_count != units) { i = UINT32_MAX; } // places have changed: from the first again
            if (u->gone && !watch_unit_is(w, u, NULL, 0)) { w->failed = true; }
            if (!u->gone && !u->found) { // it is tried again, and must not be forgotten until then
                for (uint32_t k = 0; k < old.count; k++) {
                    if (!watch_names_have(&u->members, old.items[k])) { watch_names_add(&u->members, old.items[k]); }
                }
            }
            watch_names_free(&old);
        }
    }
}

static void claim(const watch *w, const unit *u, bool covered) { // what belongs to it, of what may
    for (uint32_t i = 1; i < u->members.count; i++) {
        unit *part = watch_unit_find(w, u->members.items[i]);
        if (part == NULL || part == u || (part->whole && !u->character)) { continue; }
        if (covered) { part->part = true; } else { part->claimed = true; }
    }
}

// A unit that another one names is a part of it; of several that name each other the first by its path is the thing.
static void find_parts(watch *w) {
    for (uint32_t i = 0; i < w->unit_count; i++) {
        unit *u = w->units[i];
        u->was_part = u->part;
        u->claimed = u->part = false;
    }
    for (uint32_t i = 0; i < w->unit_count; i++) {
        if (!w->units[i]->gone) { claim(w, w->units[i], false); }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < w->unit_count; i++) {
            const unit *u = w->units[i];
            if (!u->gone && u->claimed == (pass == 1) && !u->part) { claim(w, u, true); }
        }
    }
    for (uint32_t i = 0; i < w->unit_count; i++) {
        unit *u = w->units[i];
        if (u->part && !watch_unit_is(w, u, NULL, 0)) { w->failed = true; }
        if (u->part) { u->state = UNIT_NEW; }
        u->dirty = u->part ? false : u->dirty || u->was_part;
        if (u->was_part && !u->part) { u->found = u->members.count > 0; }
    }
}

static void forget_gone(watch *w) {
    uint32_t kept = 0, stored = 0, faulty = 0;
    for (uint32_t i = 0; i < w->unit_count; i++) {
        unit *u = w->units[i];
        if (u->gone && u->key_count == 0) {
            free_unit(u);
            continue;
        }
        stored += u->state == UNIT_STORED;
        faulty += u->state == UNIT_FAULTY;
        u->found = false; // of one that is tried again it is worked out again
        w->units[kept++] = u;
    }
    w->unit_count = kept;
    atomic_store(&w->stored, stored);
    atomic_store(&w->faulty, faulty);
}

static void store_all(watch *w) {
    for (int round = 0; round < 3 && !atomic_load(&w->ended) && !w->failed; round++) {
        if (w->freed || round == 0) { // ids that others had
            for (uint32_t i = 0; i < w->unit_count && w->freed; i++) {
                w->units[i]->dirty = w->units[i]->dirty || (w->units[i]->conflict && !w->units[i]->part);
                if (w->units[i]->conflict) { w->units[i]->found = true; }
            }
            w->freed = false;
            watch_store_units(w);
        }
    }
    if (!atomic_load(&w->ended) && !w->failed && w->begun) { watch_store_leaving(w); }
}

static void begin(watch *w) {
    char why[160];
    if (notify_count(w->files).files == 0) {
        watch_say(w, false, NULL, "empty", NULL, 0, "the folder holds nothing: what came from it stays as it is", NULL);
    } else {
        watch_store_sweep(w);
    }
    if (w->failed || atomic_load(&w->ended)) { return; }
    w->begun = true;
    watch_store_leaving(w);
    snprintf(why, sizeof why, "of %u files %u are things or first files of things; refused: %u",
             (unsigned)notify_count(w->files).files, (unsigned)atomic_load(&w->stored),
             (unsigned)atomic_load(&w->faulty));
    watch_say(w, false, NULL, "ready", NULL, 0, why, NULL);
}

// ---- The thread ----

static bool is_waiting(const watch *w) { // for something that the folder will not tell of
    bool waits = w->failed || !w->begun;
    for (uint32_t i = 0; i < w->unit_count && !waits; i++) { waits = w->units[i]->dirty; }
    return waits;
}

static void *run(void *context) {
    watch *w = context;
    watch_say(w, false, notify_root(w->files), "start", NULL, 0, NULL, NULL);
    while (!atomic_load(&w->ended)) {
        const notify_change *changes = NULL;
        uint32_t count = 0;
        const uint32_t wait = !w->begun ? FIRST_MS : is_waiting(w) ? RETRY_MS : LONG_MS;
        const bool fine = notify_wait(w->files, wait, &changes, &count);
        w->failed = !fine;
        const bool lost = w->lost;
        w->lost = false;
        mark(w, changes, count);
        if (lost) { notify_each(w->files, "", mark_again, w); }
        if (atomic_exchange(&w->changed, false)) { // what was refused because of what the library had, or had not
            for (uint32_t i = 0; i < w->unit_count; i++) {
                unit *u = w->units[i];
                u->dirty = u->dirty || (u->state == UNIT_FAULTY && !u->part && (u->refused || u->misses.count > 0));
            }
        }
        find_members(w);
        find_parts(w);
        store_all(w);
        forget_gone(w);
        if (!w->begun && !w->failed && !atomic_load(&w->ended)) { begin(w); }
    }
    return NULL;
}

// Where the library itself lies, if that is in the folder: what is written there must not be taken for a change.
static bool find_own(watch *w) {
    char *real = realpath(store_path(w->s), NULL);
    const char *root = notify_root(w->files);
    const size_t size = strcmp(root, "/") != 0 ? strlen(root) : 0;
    if (real == NULL && errno == ENOMEM) { return false; }
    const bool inside = real != NULL && strncmp(real, root, size) == 0 && real[size] == '/';
    w->own = inside ? strdup(real + size + 1) : NULL;
    free(real);
    return !inside || w->own != NULL;
}

watch *watch_new(store *s, http_server *server, const char *folder) {
    watch *w = calloc(1, sizeof *w);
    if (w == NULL) { return NULL; }
    w->s = s;
    w->server = server;
    w->files = notify_new(folder, NULL);
    if (w->files != NULL && !find_own(w)) {
        notify_free(w->files);
        w->files = NULL;
        errno = ENOMEM;
    }
    if (w->files != NULL) {
        errno = pthread_create(&w->thread, NULL, run, w);
        w->has_thread = errno == 0;
    }
    if (w->has_thread) { return w; }
    const int why = errno;
    watch_free(w);
    errno = why;
    return NULL;
}

void watch_stop(watch *w) {
    if (!w->has_thread) { return; }
    atomic_store(&w->ended, true);
    notify_wake(w->files);
    pthread_join(w->thread, NULL);
    w->has_thread = false;
}

void watch_free(watch *w) {
    if (w == NULL) { return; }
    watch_stop(w);
    for (uint32_t i = 0; i < w->unit_count; i++) { free_unit(w->units[i]); }
    for (uint32_t i = 0; i < w->leaving_count; i++) {
        free(w->leaving[i].key.id);
        free(w->leaving[i].path);
    }
    free(w->own);
    free(w->units);
    free(w->owners);
    free(w->leaving);
    notify_free(w->files);
    free(w);
}

void watch_changed(void *context, const store_change *changes, uint32_t count) {
    watch *w = context;
    (void)changes;
    if (count > 0 && atomic_load(&w->faulty) + atomic_load(&w->stuck) > 0 && !atomic_exchange(&w->changed, true)) {
        notify_wake(w->files);
    }
}

void watch_metrics(void *context, http_metrics *metrics) {
    const watch *w = context;
    const notify_numbers numbers = notify_count(w->files);
    http_metric(metrics, HTTP_GAUGE, "zoetrope_watch_files", "Files in the folder that is watched.", NULL,
                numbers.files);
    http_metric(metrics, HTTP_GAUGE, "zoetrope_watch_folders", "Folders in it, itself among them.", NULL,
                numbers.folders);
    http_metric(metrics, HTTP_GAUGE, "zoetrope_watch_polled", "Those that the system does not watch.", NULL,
                numbers.polled);
    http_metric(metrics, HTTP_GAUGE, "zoetrope_watch_stored", "Files and packs that are in step with the library.",
                NULL, atomic_load(&w->stored));
    http_metric(metrics, HTTP_GAUGE, "zoetrope_watch_refused", "Files and packs that could not be imported.", NULL,
                atomic_load(&w->faulty));
}
