// See watch_inside.h: what the folder has goes into the library, and what it has no more comes out. Things are read and
// looked at one by one, and put in groups: a transaction costs a wait for the disk, and holds up other writers.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/beside.h"
#include "host/watch_inside.h"

enum { GROUP_MAX = 32, PAST_MAX = 1000, ORIGIN_MAX = 8192 };
static const uint64_t GROUP_BYTES = (uint64_t)32 << 20;

typedef enum outcome { OUT_SAME, OUT_CREATED, OUT_CHANGED, OUT_MOVED, OUT_KEPT, OUT_FOREIGN, OUT_TWICE, OUT_REFUSED }
    outcome;

typedef struct ready { // a thing to be put
    content_thing *thing;
    watch_key key;
    char *text;       // of a pack's animation: what its one file holds
    store_file file;
    bool done;        // the library has it already, word for word
    outcome outcome;
    int64_t revision;
    char why[512];
} ready;

typedef struct looked { // a unit that was read
    unit *u;
    bool package; // a pet package, which is imported in a transaction of its own
    watch_loaded loaded;
    zo_plan *plan;
    ready *things;
    uint32_t count;
} looked;

static void looked_free(looked *l) {
    for (uint32_t i = 0; i < l->count; i++) {
        content_thing_free(l->things[i].thing);
        free(l->things[i].key.id);
        free(l->things[i].text);
    }
    free(l->things);
    zo_plan_free(l->plan);
    watch_loaded_free(&l->loaded);
    *l = (looked){0};
}

// ---- The library's failures ----

// Of what no thing is to blame for. Said once, until something goes well.
static void library_failed(watch *w, const store_error *error) {
    w->failed = true;
    if (w->told_failure == error->status) { return; }
    w->told_failure = error->status;
    watch_say(w, true, NULL, "library", NULL, 0, error->text, NULL);
}

static bool is_the_things_fault(store_status status) {
    return status == STORE_INVALID || status == STORE_IN_USE || status == STORE_DANGLING || status == STORE_LIMIT ||
           status == STORE_CONFLICT || status == STORE_NOT_FOUND;
}

static store_txn *begin(watch *w, store_mode mode) { // NULL: it was said
    store_txn *txn = NULL;
    store_error error;
    if (store_begin(w->s, mode, &txn, &error) != STORE_OK) { library_failed(w, &error); }
    return txn;
}

// ---- Where things come from ----

static bool origin_of(const watch *w, const char *path, char origin[ORIGIN_MAX]) {
    const char *root = notify_root(w->files);
    const int size = snprintf(origin, ORIGIN_MAX, "%s%s%s", root, strcmp(root, "/") != 0 ? "/" : "", path);
    return size > 0 && size < ORIGIN_MAX;
}

static const char *path_of_origin(const watch *w, const char *origin) { // NULL: it is not from this folder
    const char *root = notify_root(w->files);
    const size_t size = strcmp(root, "/") != 0 ? strlen(root) : 0;
    return strncmp(origin, root, size) == 0 && origin[size] == '/' ? origin + size + 1 : NULL;
}

static bool is_on_disk(const watch *w, const char *path) {
    char whole[ORIGIN_MAX];
    struct stat status;
    return origin_of(w, path, whole) && lstat(whole, &status) == 0;
}

// ---- Looking ----

// A character without an id of its own is called after its folder, not after its manifest, as all of those are alike.
static char *id_of(const unit *u, const content_thing *thing) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:+@~";
    const size_t folder = beside_folder_size(u->path);
    const char *id = thing->id;
    if (id == NULL || !u->character || folder == 0 || strcmp(id, "runtime_manifest") != 0) {
        return id != NULL ? strdup(id) : NULL;
    }
    char *name = strndup(u->path, folder - 1);
    for (char *at = name; name != NULL && *at != 0; at++) {
        *at = *at == '/' ? '.' : strchr(letters, *at) == NULL ? '-' : *at;
    }
    if (name != NULL && name[0] == '.') { name[0] = '-'; }
    if (name != NULL && strlen(name) > STORE_ID_MAX) { name[STORE_ID_MAX] = 0; }
    return name;
}

static void faulty(watch *w, looked *l, const char *why, const zo_report *report) {
    l->u->state = UNIT_FAULTY;
    l->u->refused = false;
    watch_say_faulty(w, l->u, NULL, why, report);
}

// false: nothing can be put.
static bool take_thing(watch *w, looked *l, content_thing *thing) {
    ready *r = &l->things[l->count];
    *r = (ready){.thing = thing};
    l->count++;
    if (thing->status != ZO_OK) {
        const bool silent = thing->report == NULL || zo_report_count(thing->report) == 0;
        faulty(w, l, silent ? "it cannot be read" : NULL, thing->report);
        return false;
    }
    r->key = (watch_key){thing->area, id_of(l->u, thing)};
    if (r->key.id == NULL && thing->id != NULL) {
        w->failed = true;
        return false;
    }
    if (r->key.id == NULL) {
        faulty(w, l, "it has no id, and no name to make one of", NULL);
        return false;
    }
    return true;
}

static bool look_at_pack(watch *w, store_txn *txn, looked *l) {
    const content_def def = {.mend = true};
    const store_file *file = &l->loaded.files[0];
    const zo_source source = {.name = file->name, .bytes = file->bytes, .size = (size_t)file->size};
    zo_report *report = NULL;
    store_error error;
    const zo_status status = zo_pack_plan(&source, NULL, 0, NULL, &l->plan, &report);
    bool fine = status == ZO_OK;
    if (status == ZO_NO_MEMORY) { w->failed = true; }
    if (!fine && status != ZO_NO_MEMORY) { faulty(w, l, NULL, report); }
    zo_report_free(report);
    if (!fine) { return false; }
    l->things = calloc(l->plan->entry_count + 1, sizeof *l->things);
    if (l->things == NULL) {
        w->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < l->plan->entry_count && fine; i++) {
        const zo_plan_entry *entry = &l->plan->entries[i];
        content_thing *thing = NULL;
        char name[STORE_ID_MAX + 8];
        snprintf(name, sizeof name, "%.*s.json", STORE_ID_MAX, entry->requested_id);
        for (char *at = name; *at != 0; at++) { *at = *at == ':' ? '_' : *at; }
        ready *r = &l->things[l->count];
        char *text = strdup(name);
        const store_file one = {.name = text, .bytes = entry->definition.data, .size = entry->definition.size};
        const store_status looked_at =
            text != NULL ? content_look(txn, STORE_ANY_AREA, &one, 1, &def, &thing, &error) : STORE_NO_MEMORY;
        if (looked_at == STORE_OK) {
            fine = take_thing(w, l, thing);
            r->text = text;
            continue;
        }
        free(text);
        fine = false;
        if (is_the_things_fault(looked_at)) { faulty(w, l, error.text, NULL); } else { w->failed = true; }
    }
    return fine;
}

static bool same_content(store_txn *txn, const content_thing *thing, const watch_key *key, int64_t revision,
                         store_status *status) {
    const store_file *files = NULL;
    uint32_t count = 0;
    *status = store_past_files(txn, key->area, key->id, revision, false, &files, &count);
    bool same = *status == STORE_OK && count == thing->file_count;
    for (uint32_t i = 0; i < count && same; i++) {
        char hash[65];
        store_hash(thing->files[i].bytes, thing->files[i].size, hash);
        // A file that was renamed is still the same; of several each has its place.
        same = strcmp(hash, files[i].hash) == 0 && (count == 1 || strcmp(files[i].name, thing->files[i].name) == 0);
    }
    return same;
}

// Most are as they were when the host begins again: those need no transaction that holds up others.
static void find_done(const watch *w, store_txn *txn, looked *l) {
    char origin[ORIGIN_MAX];
    for (uint32_t i = 0; i < l->count && origin_of(w, l->u->path, origin); i++) {
        ready *r = &l->things[i];
        store_item now;
        store_status status;
        const store_use *uses = NULL;
        uint32_t count = 0;
        const unit *owner = watch_owner_of(w, r->key.area, r->key.id);
        r->done = (owner == NULL || owner == l->u) && r->thing->use_count == 0 &&
                  store_get(txn, r->key.area, r->key.id, &now) == STORE_OK && strcmp(now.origin, origin) == 0 &&
                  store_uses(txn, r->key.area, r->key.id, &uses, &count) == STORE_OK && count == 0 &&
                  same_content(txn, r->thing, &r->key, now.revision, &status);
        r->outcome = OUT_SAME;
    }
}

// Reads and looks. false: there is nothing to put, and why has been said, or it will be tried again.
static bool look_at(watch *w, looked *l) {
    const content_def def = {.mend = true};
    content_thing *thing = NULL;
    store_error error;
    bool fine = false;
    watch_load(w, l->u, &l->loaded);
    if (l->loaded.fault != NULL) { faulty(w, l, l->loaded.fault, NULL); }
    if (l->loaded.fault != NULL || l->loaded.again) { return false; }
    store_txn *txn = begin(w, STORE_READ); // so that nobody waits for a large thing to be looked at
    if (txn == NULL) { return false; }
    const store_status status =
        content_look(txn, STORE_ANY_AREA, l->loaded.files, l->loaded.count, &def, &thing, &error);
    if (is_the_things_fault(status)) {
        faulty(w, l, error.text, NULL);
    } else if (status != STORE_OK) {
        library_failed(w, &error);
    } else if (thing->area != STORE_ASSET && watch_is_picture(l->u->path)) {
        faulty(w, l, "it is no picture that can be read", NULL);
    } else if (thing->status == ZO_UNSUPPORTED && *thing->format == 0) {
        // What it was before may be about to be written again.
        if (l->u->key_count > 0) { faulty(w, l, "it is no longer anything that can be read here", NULL); }
        if (l->u->key_count == 0) { l->u->state = UNIT_NOTHING; }
    } else if (thing->shape == CONTENT_PACK && thing->status == ZO_OK) {
        fine = look_at_pack(w, txn, l);
    } else if (thing->shape == CONTENT_PACKAGE && thing->status == ZO_OK) {
        fine = l->package = true;
    } else {
        l->things = calloc(1, sizeof *l->things);
        w->failed = w->failed || l->things == NULL;
        fine = l->things != NULL && take_thing(w, l, thing);
        if (l->things != NULL) { thing = NULL; }
    }
    content_thing_free(thing);
    if (fine) { find_done(w, txn, l); }
    store_rollback(txn);
    return fine;
}

// ---- Putting ----

// The newest of its changes that came from this folder; 0: none did.
static int64_t last_from_here(const watch *w, store_txn *txn, const watch_key *key, store_status *status) {
    const store_past *past = NULL;
    uint32_t count = 0;
    *status = store_history(txn, key->area, key->id, 0, PAST_MAX, &past, &count);
    for (uint32_t i = 0; i < count && *status == STORE_OK; i++) {
        if (past[i].action != STORE_DELETED && path_of_origin(w, past[i].item.origin) != NULL) {
            return past[i].item.revision;
        }
    }
    return 0;
}

// Whether what the library holds stays, though the folder has the thing: because it was changed there and the file was
// not, or because it is the same. `now`: what is there.
static bool stays(const watch *w, store_txn *txn, ready *r, const store_item *now, store_status *status) {
    const int64_t last = last_from_here(w, txn, &r->key, status);
    if (*status != STORE_OK || last == now->revision) { return false; }
    if (!same_content(txn, r->thing, &r->key, last != 0 ? last : now->revision, status)) { return false; }
    r->outcome = last != 0 ? OUT_KEPT : OUT_FOREIGN;
    r->revision = now->revision;
    snprintf(r->why, sizeof r->why, "%s", last != 0 ? "it was changed in the library since, and the file was not"
                                                    : "the library has it already, from elsewhere");
    return true;
}

static store_status put(const watch *w, store_txn *txn, const unit *u, ready *r, store_error *error) {
    char origin[ORIGIN_MAX];
    store_item now = {0}, item;
    *error = (store_error){0};
    unit *other = watch_owner_of(w, r->key.area, r->key.id);
    store_status status = store_get(txn, r->key.area, r->key.id, &now);
    const bool there = status == STORE_OK;
    if (other != NULL && other != u && !other->gone && is_on_disk(w, other->path)) {
        const bool same = there && same_content(txn, r->thing, &r->key, now.revision, &status);
        r->outcome = same ? OUT_TWICE : OUT_REFUSED;
        snprintf(r->why, sizeof r->why, "%.400s %s", other->path, same ? "has the same" : "has this id too");
        return STORE_OK;
    }
    if (status == STORE_NOT_FOUND) { status = STORE_OK; }
    if (status == STORE_OK && there && stays(w, txn, r, &now, &status)) { return STORE_OK; }
    if (status != STORE_OK) {
        *error = *store_error_of(txn);
        return status;
    }
    origin_of(w, u->path, origin);
    const content_put_def def = {.id = r->key.id, .origin = origin, .expected = STORE_ANY};
    status = content_put(txn, r->thing, &def, &item, error);
    if (is_the_things_fault(status)) {
        r->outcome = OUT_REFUSED;
        snprintf(r->why, sizeof r->why, "%s", error->text);
        return STORE_OK;
    }
    if (status != STORE_OK) { return status; }
    r->revision = item.revision;
    const char *before = there ? path_of_origin(w, now.origin) : NULL;
    r->outcome = !there                                             ? OUT_CREATED
                 : item.revision == now.revision                    ? OUT_SAME
                 : before != NULL && strcmp(before, u->path) != 0   ? OUT_MOVED
                                                                    : OUT_CHANGED;
    if (r->outcome == OUT_MOVED) { snprintf(r->why, sizeof r->why, "it was %.400s", before); }
    return STORE_OK;
}

static void say_ready(watch *w, const looked *l) {
    static const char *const words[] = {"same", "created", "changed", "moved", "kept", "foreign", "twice", "refused"};
    for (uint32_t i = 0; i < l->count; i++) {
        const ready *r = &l->things[i];
        if (r->outcome == OUT_REFUSED) {
            watch_say_faulty(w, l->u, &r->key, r->why, NULL);
        } else if (r->outcome != OUT_SAME && (r->outcome != OUT_FOREIGN || !w->begun)) {
            watch_say(w, false, l->u->path, words[r->outcome], &r->key, r->revision,
                      r->why[0] != 0 ? r->why : NULL, NULL);
        }
    }
}

// Something is stored and nobody knows by whom, for want of memory. If its file goes before it is read again, only the
// sweep finds it.
static void lose_track(watch *w) {
    w->failed = true;
    w->begun = false;
}

static void settle(watch *w, looked *l) { // what was put is committed
    unit *u = l->u;
    watch_key *keys = calloc(l->count + 1, sizeof *keys);
    uint32_t count = 0;
    bool refused = false;
    u->conflict = false;
    if (keys == NULL) {
        lose_track(w);
        return;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        const ready *r = &l->things[i];
        const unit *owner = watch_owner_of(w, r->key.area, r->key.id);
        const bool others = r->outcome >= OUT_TWICE && owner != NULL && owner != u;
        // What could not be changed is still its own.
        if (r->outcome < OUT_TWICE || owner == u) { keys[count++] = r->key; }
        refused = refused || r->outcome == OUT_REFUSED;
        u->conflict = u->conflict || others;
    }
    // What it was before stays when it can no longer be stored.
    bool fine = refused && count == 0;
    if (!fine) { fine = watch_unit_is(w, u, keys, count); }
    free(keys);
    if (!fine) {
        lose_track(w);
        return;
    }
    u->state = refused ? UNIT_FAULTY : UNIT_STORED;
    u->refused = refused;
    u->dirty = false;
    if (!refused) {
        free(u->said);
        u->said = NULL;
    }
    say_ready(w, l);
}

static void put_group(watch *w, looked *group, uint32_t count) {
    store_error error;
    store_status status = STORE_OK;
    bool is_done = true;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < group[i].count; k++) { is_done = is_done && group[i].things[k].done; }
    }
    store_txn *txn = is_done ? NULL : begin(w, STORE_WRITE);
    for (uint32_t i = 0; i < count && status == STORE_OK && txn != NULL; i++) {
        for (uint32_t k = 0; k < group[i].count && status == STORE_OK; k++) {
            status = put(w, txn, group[i].u, &group[i].things[k], &error);
        }
    }
    if (txn != NULL && status == STORE_OK) {
        status = store_commit(txn, &error);
    } else {
        store_rollback(txn);
    }
    if (txn != NULL && status != STORE_OK) { library_failed(w, &error); }
    if (txn != NULL && status == STORE_OK) { w->told_failure = STORE_OK; }
    is_done = is_done || (txn != NULL && status == STORE_OK);
    for (uint32_t i = 0; i < count; i++) {
        if (is_done) { settle(w, &group[i]); }
        looked_free(&group[i]);
    }
}

// ---- Pet packages ----

typedef struct known { // things of the library by their origin
    watch_key *keys;
    uint32_t count, capacity;
    bool same; // the package is among them, byte for byte
} known;

static void known_free(known *k) {
    for (uint32_t i = 0; i < k->count; i++) { free(k->keys[i].id); }
    free(k->keys);
}

static bool add_key(known *k, store_area area, const char *id) {
    char *copy = strdup(id);
    if (copy == NULL || !watch_grow((void **)&k->keys, k->count, &k->capacity, sizeof *k->keys)) {
        free(copy);
        return false;
    }
    k->keys[k->count++] = (watch_key){area, copy};
    return true;
}

static bool is_same_package(store_txn *txn, const store_item *item, const store_file *file) {
    const store_file *files = NULL;
    uint32_t count = 0;
    char hash[65];
    if (strcmp(item->kind, "package") != 0 ||
        store_files(txn, item->area, item->id, false, &files, &count) != STORE_OK || count != 1) {
        return false;
    }
    store_hash(file->bytes, file->size, hash);
    return strcmp(hash, files[0].hash) == 0;
}

// What the library has of this file already.
static store_status find_known(watch *w, store_txn *txn, const char *origin, const store_file *file, known *k) {
    const char *cursor = NULL;
    store_page page;
    store_status status = STORE_OK;
    do {
        status = store_list(txn, &(store_filter){0}, cursor, STORE_PAGE_MAX, &page);
        for (uint32_t i = 0; status == STORE_OK && i < page.count; i++) {
            const store_item *item = &page.items[i];
            if (strcmp(item->origin, origin) != 0) { continue; }
            if (!add_key(k, item->area, item->id)) { w->failed = true; }
            k->same = k->same || is_same_package(txn, item, file);
        }
        cursor = status == STORE_OK ? page.next : NULL;
    } while (cursor != NULL);
    return status;
}

static store_status import(store_txn *txn, const looked *l, const char *origin, known *k, store_error *error) {
    content_result *result = NULL;
    const content_import_def def = {.content.mend = true, .origin = origin};
    store_status status = content_import(txn, l->loaded.files, l->loaded.count, &def, &result, error);
    for (uint32_t i = 0; status == STORE_OK && i < result->entry_count; i++) {
        const content_entry *entry = &result->entries[i];
        if (entry->final_id != NULL && !add_key(k, entry->area, entry->final_id)) { status = STORE_NO_MEMORY; }
    }
    if (status == STORE_OK && result->provenance_id != NULL && !add_key(k, STORE_ITEM, result->provenance_id)) {
        status = STORE_NO_MEMORY;
    }
    content_result_free(result);
    return status;
}

// The rules of importing hold: what the library has is not overwritten. A package that was imported is not imported
// again, whatever became of its parts, until it changes.
static void put_package(watch *w, looked *l) {
    char origin[ORIGIN_MAX];
    store_error error = {0};
    known before = {0}, after = {0};
    store_txn *txn = origin_of(w, l->u->path, origin) ? begin(w, STORE_WRITE) : NULL;
    if (txn == NULL) { return; }
    store_status status = find_known(w, txn, origin, &l->loaded.files[0], &before);
    if (status != STORE_OK) { error = *store_error_of(txn); }
    if (status == STORE_OK && !before.same) { status = import(txn, l, origin, &after, &error); }
    if (status == STORE_OK && !w->failed) {
        status = store_commit(txn, &error);
    } else {
        store_rollback(txn);
    }
    const known *now = before.same ? &before : &after;
    const bool is_stored = status == STORE_OK && !w->failed;
    if (is_stored && !watch_unit_is(w, l->u, now->keys, now->count)) {
        lose_track(w);
    } else if (is_stored) {
        l->u->state = UNIT_STORED;
        l->u->refused = l->u->dirty = false;
        free(l->u->said);
        l->u->said = NULL;
        if (!before.same) { watch_say(w, false, l->u->path, "imported", NULL, 0, NULL, NULL); }
    } else if (is_the_things_fault(status)) {
        faulty(w, l, error.text, NULL);
        l->u->refused = true;
        l->u->dirty = false;
    } else if (status != STORE_OK) {
        library_failed(w, &error);
    }
    known_free(&before);
    known_free(&after);
}

// Within one group nothing may be put twice: the second would not know of the first.
static bool is_twice(const looked *group, uint32_t count, const looked *l) {
    for (uint32_t g = 0; g < count; g++) {
        for (uint32_t i = 0; i < group[g].count; i++) {
            for (uint32_t k = 0; k < l->count; k++) {
                if (group[g].things[i].key.area == l->things[k].key.area &&
                    strcmp(group[g].things[i].key.id, l->things[k].key.id) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

void watch_store_units(watch *w) {
    looked group[GROUP_MAX];
    uint32_t count = 0;
    uint64_t bytes = 0;
    for (int rank = 0; rank < 3; rank++) {
        for (uint32_t i = 0; i < w->unit_count && !atomic_load(&w->ended) && !w->failed; i++) {
            unit *u = w->units[i];
            if (!u->dirty || !u->found || u->gone || u->part || u->rank != rank) { continue; }
            looked l = {.u = u};
            if (!look_at(w, &l)) {
                u->dirty = w->failed; // what is being written is told of again
                looked_free(&l);
                continue;
            }
            if (l.package) {
                put_package(w, &l);
                looked_free(&l);
                continue;
            }
            if (count == GROUP_MAX || bytes > GROUP_BYTES || is_twice(group, count, &l)) {
                put_group(w, group, count);
                count = 0;
                bytes = 0;
            }
            bytes += l.loaded.size;
            group[count++] = l;
        }
    }
    if (atomic_load(&w->ended)) { // what has been looked at only
        for (uint32_t i = 0; i < count; i++) { looked_free(&group[i]); }
        return;
    }
    put_group(w, group, count);
}

// ---- Taking out ----

// false: it is still there, and stays on the list.
static bool take_out(watch *w, watch_leaving *leaving) {
    store_error error = {0};
    store_item item;
    int64_t revision = 0;
    store_txn *txn = begin(w, STORE_WRITE);
    if (txn == NULL) { return false; }
    store_status status = store_get(txn, leaving->key.area, leaving->key.id, &item);
    const bool there = status == STORE_OK, ours = there && path_of_origin(w, item.origin) != NULL;
    char names[400] = "";
    if (ours) { status = content_delete(txn, leaving->key.area, leaving->key.id, item.revision, &error); }
    if (ours && status == STORE_IN_USE) {
        size_t size = 0;
        for (uint32_t i = 0; i < error.use_count && size + STORE_ID_MAX + 4 < sizeof names; i++) {
            size += (size_t)snprintf(names + size, sizeof names - size, "%s%s", i > 0 ? ", " : "", error.uses[i].from);
        }
    }
    if (ours && status == STORE_OK) {
        status = store_commit(txn, &error);
        if (status == STORE_OK) {
            w->told_failure = STORE_OK;
            watch_say(w, false, leaving->path, "removed", &leaving->key, revision, NULL, NULL);
        }
    } else {
        if (status != STORE_OK && error.status == STORE_OK) { error = *store_error_of(txn); }
        store_rollback(txn);
    }
    if (there && !ours) {
        watch_say(w, false, leaving->path, "left", &leaving->key, item.revision,
                  "its file is gone, but what the library has now came from elsewhere", NULL);
    } else if (ours && status == STORE_IN_USE && !leaving->said) {
        char why[480];
        snprintf(why, sizeof why, "its file is gone, but it is used by %s", names);
        watch_say(w, false, leaving->path, "left", &leaving->key, 0, why, NULL);
        leaving->said = true;
    } else if (status != STORE_OK && !is_the_things_fault(status)) {
        library_failed(w, &error);
    }
    return (there && !ours) || status == STORE_OK || (status != STORE_IN_USE && is_the_things_fault(status));
}

void watch_store_leaving(watch *w) {
    for (bool again = true; again && !w->failed;) { // a pet first, then what it used
        again = false;
        for (uint32_t i = 0; i < w->leaving_count && !atomic_load(&w->ended) && !w->failed; i++) {
            watch_leaving *leaving = &w->leaving[i];
            const bool owned = watch_owner_of(w, leaving->key.area, leaving->key.id) != NULL;
            if (!owned && !take_out(w, leaving)) { continue; }
            free(leaving->key.id);
            free(leaving->path);
            *leaving = w->leaving[--w->leaving_count];
            i--;
            again = again || !owned;
        }
    }
    atomic_store(&w->stuck, w->leaving_count);
}

// ---- In the beginning ----

// One that cannot be read now is still what it was, and takes that along when it goes.
static bool still_is(watch *w, unit *u, const watch_key *key) {
    watch_key *keys = calloc((size_t)u->key_count + 1, sizeof *keys);
    if (keys == NULL) { return false; }
    for (uint32_t i = 0; i < u->key_count; i++) { keys[i] = u->keys[i]; }
    keys[u->key_count] = *key;
    const bool fine = watch_unit_is(w, u, keys, u->key_count + 1);
    free(keys);
    return fine;
}

static void sweep_item(watch *w, const store_item *item) {
    const char *path = path_of_origin(w, item->origin);
    if (path == NULL || watch_owner_of(w, item->area, item->id) != NULL) { return; }
    const watch_key key = {item->area, (char *)(uintptr_t)item->id};
    unit *u = watch_unit_find(w, path);
    bool fine = true;
    if (u != NULL && u->state != UNIT_STORED && !u->part) {
        fine = still_is(w, u, &key);
    } else if (u != NULL || !is_on_disk(w, path)) {
        fine = watch_leave(w, &key, path);
    }
    if (!fine) { w->failed = true; }
}

void watch_store_sweep(watch *w) {
    const char *cursor = NULL;
    store_page page;
    store_status status = STORE_OK;
    store_txn *txn = begin(w, STORE_READ);
    if (txn == NULL) { return; }
    do {
        status = store_list(txn, &(store_filter){0}, cursor, STORE_PAGE_MAX, &page);
        for (uint32_t i = 0; status == STORE_OK && i < page.count; i++) { sweep_item(w, &page.items[i]); }
        cursor = status == STORE_OK ? page.next : NULL;
    } while (cursor != NULL && !atomic_load(&w->ended));
    if (status != STORE_OK) { library_failed(w, store_error_of(txn)); }
    store_rollback(txn);
}
