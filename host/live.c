// See live.h.
#include "host/live.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LOOK_MS = 500, BATCH = 512 };

typedef struct listener {
    live_fn *fn;
    void *context;
} listener;

struct live {
    pthread_mutex_t telling; // of all up to `told`; held while listeners run, so that order is the order of revisions
    listener *listeners;
    uint32_t count, capacity;
    store *s;      // NULL: not started, or stopped
    int64_t told;  // revision of the last change that was told of
    pthread_mutex_t waiting; // of all below
    pthread_cond_t woken;
    bool ended, behind;      // behind: do not wait, something could not be told
    uint32_t look_ms;
    bool has_thread;
    pthread_t thread;
};

live *live_new(void) {
    live *l = calloc(1, sizeof *l);
    if (l == NULL) { return NULL; }
    pthread_condattr_t steady; // the time that nobody sets
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&l->woken, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_init(&l->telling, NULL);
    pthread_mutex_init(&l->waiting, NULL);
    return l;
}

void live_free(live *l) {
    if (l == NULL) { return; }
    live_stop(l);
    pthread_mutex_destroy(&l->telling);
    pthread_mutex_destroy(&l->waiting);
    pthread_cond_destroy(&l->woken);
    free(l->listeners);
    free(l);
}

bool live_listen(live *l, live_fn *fn, void *context) {
    bool is_fine = true;
    pthread_mutex_lock(&l->telling);
    if (l->count == l->capacity) {
        const uint32_t capacity = l->capacity * 2 + 4;
        listener *listeners = realloc(l->listeners, capacity * sizeof *listeners);
        is_fine = listeners != NULL;
        if (is_fine) {
            l->listeners = listeners;
            l->capacity = capacity;
        }
    }
    if (is_fine) { l->listeners[l->count++] = (listener){fn, context}; }
    pthread_mutex_unlock(&l->telling);
    return is_fine;
}

// ---- Telling, with `telling` held ----

static void tell(live *l, const store_change *changes, uint32_t count) {
    while (count > 0 && changes[0].revision <= l->told) { // told already
        changes++;
        count--;
    }
    if (count == 0) { return; }
    for (uint32_t i = 0; i < l->count; i++) { l->listeners[i].fn(l->listeners[i].context, changes, count); }
    l->told = changes[count - 1].revision;
}

// One batch. *more: there may be others.
static store_status catch_up(live *l, bool *more) {
    store_txn *txn = NULL;
    store_error error;
    const store_change *changes = NULL;
    uint32_t count = 0;
    int64_t revision = 0;
    *more = false;
    if (l->s == NULL) { return STORE_OK; }
    store_status status = store_begin(l->s, STORE_READ, &txn, &error);
    if (status != STORE_OK) { return status; }
    status = store_revision(txn, &revision); // mostly nothing has happened, and this is all that is asked
    if (status == STORE_OK && revision > l->told) { status = store_changes(txn, l->told, BATCH, &changes, &count); }
    if (status == STORE_OK) {
        tell(l, changes, count);
        *more = count == BATCH;
        if (!*more && revision > l->told) { l->told = revision; } // the last ones were forgotten by pruning
    }
    store_rollback(txn);
    return status;
}

static store_status catch_up_all(live *l) {
    store_status status = STORE_OK;
    for (bool more = true; more && status == STORE_OK;) { status = catch_up(l, &more); }
    return status;
}

void live_committed(void *context, const store_change *changes, uint32_t count) {
    live *l = context;
    if (count == 0) { return; }
    pthread_mutex_lock(&l->telling);
    // Others may have changed something before this; that comes first. Reading it brings these changes too.
    const bool in_order = changes[0].revision <= l->told + 1;
    bool behind = false;
    if (l->s != NULL && in_order) { tell(l, changes, count); }
    if (l->s != NULL && !in_order) { behind = catch_up_all(l) != STORE_OK; }
    pthread_mutex_unlock(&l->telling);
    if (!behind) { return; }
    pthread_mutex_lock(&l->waiting);
    l->behind = true;
    pthread_cond_signal(&l->woken);
    pthread_mutex_unlock(&l->waiting);
}

// ---- Looking ----

store_status live_look(live *l) {
    store_status status = STORE_OK;
    for (bool more = true; more && status == STORE_OK;) { // writers get their turn between batches
        pthread_mutex_lock(&l->telling);
        status = catch_up(l, &more);
        pthread_mutex_unlock(&l->telling);
    }
    return status;
}

static struct timespec after_ms(uint32_t ms) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

static void *run(void *context) {
    live *l = context;
    pthread_mutex_lock(&l->waiting);
    while (!l->ended) {
        const struct timespec end = after_ms(l->look_ms);
        while (!l->ended && !l->behind && pthread_cond_timedwait(&l->woken, &l->waiting, &end) == 0) {}
        if (l->ended) { break; }
        l->behind = false;
        pthread_mutex_unlock(&l->waiting);
        live_look(l); // what fails is looked for again the next time
        pthread_mutex_lock(&l->waiting);
    }
    pthread_mutex_unlock(&l->waiting);
    return NULL;
}

store_status live_start(live *l, store *s, uint32_t look_ms, store_error *error) {
    store_txn *txn = NULL;
    pthread_mutex_lock(&l->telling); // a commit that comes now waits, and is told if it is not seen here
    store_status status = store_begin(s, STORE_READ, &txn, error);
    if (status == STORE_OK) {
        status = store_revision(txn, &l->told);
        if (status != STORE_OK) { *error = *store_error_of(txn); }
        store_rollback(txn);
        error->uses = NULL;
    }
    if (status == STORE_OK) { l->s = s; }
    pthread_mutex_unlock(&l->telling);
    if (status != STORE_OK) { return status; }
    l->ended = l->behind = false;
    l->look_ms = look_ms > 0 ? look_ms : LOOK_MS;
    l->has_thread = pthread_create(&l->thread, NULL, run, l) == 0;
    if (l->has_thread) { return STORE_OK; }
    live_stop(l);
    *error = (store_error){.status = STORE_NO_MEMORY, .text = "the system gives no thread"};
    return STORE_NO_MEMORY;
}

void live_stop(live *l) {
    if (l->has_thread) {
        pthread_mutex_lock(&l->waiting);
        l->ended = true;
        pthread_cond_signal(&l->woken);
        pthread_mutex_unlock(&l->waiting);
        pthread_join(l->thread, NULL);
        l->has_thread = false;
    }
    pthread_mutex_lock(&l->telling);
    l->s = NULL;
    pthread_mutex_unlock(&l->telling);
}
