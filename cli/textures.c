// See textures.h. One lock guards all of it but the pixels: those of a texture that is taken stay where they are, and
// nobody writes to them. The thread takes the most wanted texture that is not there, loads it without the lock, and
// takes the next.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "textures.h"

enum { MUST = 1000 }; // the priority of what somebody stands and waits for

typedef enum state { ABSENT, LOADING, READY, BROKEN } state;

typedef struct texture {
    zo_image image;
    uint64_t bytes;      // of the pixels; while LOADING, what has been made room for
    uint64_t used;       // when it was taken last, by count
    uint64_t loaded;     // when it came
    uint32_t priority;   // of all wishes for it
    uint32_t load, order; // of those that load it; and the place of the first such wish
    uint32_t takers;
    state state;
    bool must;           // it is loaded before all others, and may pass the limit
    bool awaited;        // somebody stands and waits for it: it does not go before that one has it
    uint64_t refused;    // there was no room while these wishes stood, by count; 0: there was
    bool asked;          // somebody has wanted to take it
    bool told;
    char *fault;         // BROKEN; NULL: no memory even for that
} texture;

struct cli_textures {
    cli_textures_def def;
    texture *items;
    pthread_mutex_t lock;
    pthread_cond_t wanted; // the thread waits for work
    pthread_cond_t done;   // takers wait for the thread
    pthread_t thread;
    bool has_thread, quit;
    uint64_t clock;
    uint64_t wishes;     // how often they were made, from 1
    uint64_t used, peak, over, loads, waits, evictions;
};

struct cli_texture_job {
    cli_textures *store;
    uint32_t index;
    bool locked; // loaded on the taker's thread, which has the lock
};

// ---------------------------------------------------------------------------------------------------------- the budget

static void drop(cli_textures *s, texture *t) {
    free(t->image.pixels);
    t->image = (zo_image){0};
    s->used -= t->bytes;
    t->bytes = 0;
    t->state = ABSENT;
}

// Whether `a` goes before `b`: the less wanted, then the longer unused, then the older.
static bool goes_first(const texture *a, const texture *b) {
    if (a->priority != b->priority) { return a->priority < b->priority; }
    if (a->used != b->used) { return a->used < b->used; }
    return a->loaded < b->loaded;
}

static bool may_go(const texture *t, uint32_t priority) {
    return t->state == READY && t->takers == 0 && !t->awaited && t->priority < priority;
}

// Gives up what is wanted less than `priority` until `bytes` more fit. false: they do not; then nothing is given up
// unless they come all the same.
static bool make_room(cli_textures *s, uint64_t bytes, uint32_t priority, bool anyway) {
    uint64_t kept = s->used;
    for (uint32_t i = 0; i < s->def.count && kept + bytes > s->def.limit; i++) {
        kept -= may_go(&s->items[i], priority) ? s->items[i].bytes : 0;
    }
    const bool fits = kept + bytes <= s->def.limit;
    while ((fits || anyway) && s->used + bytes > s->def.limit) {
        texture *victim = NULL;
        for (uint32_t i = 0; i < s->def.count; i++) {
            texture *t = &s->items[i];
            if (may_go(t, priority) && (victim == NULL || goes_first(t, victim))) { victim = t; }
        }
        if (victim == NULL) { break; }
        drop(s, victim);
        s->evictions++;
    }
    return fits;
}

static void note_peak(cli_textures *s) {
    s->peak = s->used > s->peak ? s->used : s->peak;
    const uint64_t over = s->used > s->def.limit ? s->used - s->def.limit : 0;
    s->over = over > s->over ? over : s->over;
}

bool cli_textures_room(cli_texture_job *job, uint64_t bytes) {
    cli_textures *s = job->store;
    texture *t = &s->items[job->index];
    bool fine = true;
    if (!job->locked) { pthread_mutex_lock(&s->lock); }
    if (bytes > t->bytes) {
        const uint64_t more = bytes - t->bytes;
        fine = make_room(s, more, t->must ? MUST : t->priority, t->must) || t->must;
        if (fine) {
            t->bytes += more;
            s->used += more;
            note_peak(s);
        }
    }
    if (!job->locked) { pthread_mutex_unlock(&s->lock); }
    return fine;
}

// ------------------------------------------------------------------------------------------------------------- loading

// With the lock, which is let go of meanwhile unless the loading is the taker's own.
static void load(cli_textures *s, uint32_t index, bool here) {
    texture *t = &s->items[index];
    cli_texture_job job = {.store = s, .index = index, .locked = here};
    zo_image image = {0};
    char fault[CLI_FAULT_SIZE] = "";
    const uint64_t wishes = s->wishes; // they may be others when it is done
    t->state = LOADING;
    if (!here) { pthread_mutex_unlock(&s->lock); }
    const bool fine = s->def.loader.load(s->def.loader.context, index, &job, &image, fault);
    if (!here) { pthread_mutex_lock(&s->lock); }
    s->used -= t->bytes;
    t->bytes = fine ? (uint64_t)image.stride * image.height : 0;
    s->used += t->bytes;
    note_peak(s);
    const bool called_for = t->must && !t->awaited; // somebody comes again: it stays until there are other wishes
    if (called_for && t->priority < CLI_WISH_NEXT) { t->priority = CLI_WISH_NEXT; }
    t->must = false;
    t->image = image;
    t->loaded = ++s->clock;
    t->state = fine ? READY : fault[0] != 0 ? BROKEN : ABSENT;
    t->refused = t->state == ABSENT ? wishes : 0;
    if (t->state == BROKEN) { t->fault = strdup(fault); }
    s->loads += fine;
}

// The one to load next, or the count.
static uint32_t most_wanted(const cli_textures *s) {
    uint32_t best = s->def.count;
    for (uint32_t i = 0; i < s->def.count; i++) {
        const texture *t = &s->items[i];
        if (t->state != ABSENT || (!t->must && (t->load == 0 || t->refused == s->wishes))) { continue; }
        const texture *b = best < s->def.count ? &s->items[best] : NULL;
        const bool better = b == NULL || t->must > b->must ||
                            (t->must == b->must && (t->load > b->load || (t->load == b->load && t->order < b->order)));
        if (better) { best = i; }
    }
    return best;
}

static void *work(void *context) {
    cli_textures *s = context;
    pthread_mutex_lock(&s->lock);
    while (!s->quit) {
        const uint32_t index = most_wanted(s);
        if (index == s->def.count) {
            pthread_cond_wait(&s->wanted, &s->lock);
        } else {
            load(s, index, false);
            pthread_cond_broadcast(&s->done);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

// Signals are the other thread's, which knows what to do about them.
static bool start_thread(cli_textures *s) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&s->thread, NULL, work, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

cli_textures *cli_textures_open(const cli_textures_def *def) {
    cli_textures *s = calloc(1, sizeof *s);
    if (s == NULL) { return NULL; }
    s->def = *def;
    s->wishes = 1;
    s->items = calloc((size_t)def->count + 1, sizeof *s->items);
    if (s->items == NULL) {
        free(s);
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wanted, NULL);
    pthread_cond_init(&s->done, NULL);
    s->has_thread = !def->here && start_thread(s);
    return s;
}

void cli_textures_close(cli_textures *s) {
    if (s == NULL) { return; }
    if (s->has_thread) {
        pthread_mutex_lock(&s->lock);
        s->quit = true;
        pthread_cond_broadcast(&s->wanted);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    for (uint32_t i = 0; i < s->def.count; i++) {
        free(s->items[i].image.pixels);
        free(s->items[i].fault);
    }
    pthread_cond_destroy(&s->done);
    pthread_cond_destroy(&s->wanted);
    pthread_mutex_destroy(&s->lock);
    free(s->items);
    free(s);
}

// ------------------------------------------------------------------------------------------------------------- callers

void cli_textures_wish(cli_textures *s, const cli_wish *wishes, uint32_t count) {
    pthread_mutex_lock(&s->lock);
    s->wishes++;
    for (uint32_t i = 0; i < s->def.count; i++) {
        s->items[i].priority = s->items[i].load = 0;
        s->items[i].must = s->items[i].must && s->items[i].state == LOADING; // others are asked for anew
    }
    for (uint32_t i = 0; i < count; i++) {
        texture *t = &s->items[wishes[i].texture];
        if (wishes[i].priority > t->priority) { t->priority = wishes[i].priority; }
        if (wishes[i].priority > t->load && !wishes[i].keep) {
            t->load = wishes[i].priority;
            t->order = i;
        }
    }
    pthread_cond_signal(&s->wanted);
    pthread_mutex_unlock(&s->lock);
}

const zo_image *cli_textures_take(cli_textures *s, uint32_t index, bool wait) {
    texture *t = &s->items[index];
    bool waited = false;
    pthread_mutex_lock(&s->lock);
    t->awaited = wait;
    t->asked = true;
    while (t->state == ABSENT || t->state == LOADING) {
        t->must = true;
        if (s->has_thread) {
            pthread_cond_signal(&s->wanted);
            if (!wait) { break; }
            waited = true;
            pthread_cond_wait(&s->done, &s->lock);
        } else {
            load(s, index, true);
            if (t->state == ABSENT) { break; } // the loader found no memory of its own
        }
    }
    s->waits += waited;
    const bool there = t->state == READY;
    if (there) {
        t->takers++;
        t->used = ++s->clock;
    }
    t->awaited = false;
    pthread_mutex_unlock(&s->lock);
    return there ? &t->image : NULL;
}

void cli_textures_give(cli_textures *s, uint32_t index) {
    texture *t = &s->items[index];
    pthread_mutex_lock(&s->lock);
    t->takers -= t->takers > 0;
    if (t->takers == 0) { make_room(s, 0, UINT32_MAX, true); } // what was held may have passed the limit
    pthread_mutex_unlock(&s->lock);
}

bool cli_textures_is_broken(cli_textures *s, uint32_t index) {
    pthread_mutex_lock(&s->lock);
    const bool broken = s->items[index].state == BROKEN;
    pthread_mutex_unlock(&s->lock);
    return broken;
}

bool cli_textures_next_fault(cli_textures *s, uint32_t *index, char fault[CLI_FAULT_SIZE]) {
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (uint32_t i = 0; i < s->def.count && !found; i++) {
        texture *t = &s->items[i];
        found = t->state == BROKEN && t->asked && !t->told;
        if (!found) { continue; }
        t->told = true;
        *index = i;
        const size_t size = t->fault != NULL ? strlen(t->fault) : 0;
        memcpy(fault, size > 0 ? t->fault : "?", (size > 0 ? size : 1) + 1);
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

cli_textures_figures cli_textures_get_figures(cli_textures *s) {
    pthread_mutex_lock(&s->lock);
    cli_textures_figures f = {.used = s->used, .peak = s->peak, .over = s->over, .loads = s->loads, .waits = s->waits,
                              .evictions = s->evictions};
    for (uint32_t i = 0; i < s->def.count; i++) { f.held += s->items[i].takers > 0 ? s->items[i].bytes : 0; }
    pthread_mutex_unlock(&s->lock);
    return f;
}
