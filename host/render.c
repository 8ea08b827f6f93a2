// See render.h. One lock for all that is known; files are written and processes watched without it.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include <zoetrope/zoetrope.h>

#include "host/render.h"
#include "host/render_run.h"
#include "host/store_name.h"

enum { WORKERS_MAX = 16, TOLD_EVERY_MS = 200, IDLE_MS = 5000 };

static const struct {
    const char *name, *type;
    bool wants_ffmpeg;
} kinds[] = {
    [RENDER_PNG] = {"png", "image/png", false},    [RENDER_WEBP] = {"webp", "image/webp", false},
    [RENDER_GIF] = {"gif", "image/gif", false},    [RENDER_APNG] = {"apng", "image/apng", false},
    [RENDER_MP4] = {"mp4", "video/mp4", true},     [RENDER_WEBM] = {"webm", "video/webm", true},
};
_Static_assert(sizeof kinds / sizeof kinds[0] == RENDER_KIND_COUNT, "every kind has a name");

const char *render_kind_name(render_kind kind) { return kinds[kind].name; }
const char *render_kind_type(render_kind kind) { return kinds[kind].type; }
bool render_kind_wants_ffmpeg(render_kind kind) { return kinds[kind].wants_ffmpeg; }

bool render_has_ffmpeg(void) {
    const char *at = getenv("PATH");
    bool has = false;
    while (at != NULL && *at != 0 && !has) {
        char path[4096];
        const int size = (int)strcspn(at, ":");
        if (size > 0 && snprintf(path, sizeof path, "%.*s/ffmpeg", size, at) < (int)sizeof path) {
            has = access(path, X_OK) == 0;
        }
        at += size + (at[size] == ':');
    }
    return has;
}

const char *render_state_name(render_state state) {
    static const char *const names[] = {"waiting", "running", "done", "failed", "cancelled"};
    return names[state];
}

const char *render_fault_name(render_fault fault) {
    static const char *const names[] = {"none", "invalid", "refused", "not-made", "limit", "too-slow", "too-big",
                                        "killed", "not-started"};
    return names[fault];
}

// ---------------------------------------------------------------------------------------------------------------- jobs

typedef struct job job;
struct job {
    job *before, *after;  // in the order in which they were ordered
    render_info info;     // its texts are the job's
    uint64_t number;      // of its folder
    uint64_t input_size;
    int64_t used_ms, told_ms; // on the clock that only goes forward
    void *bytes;          // the result, or NULL
    char *input, *label, *note, *diagnostics;
    const char **words;   // one piece with their texts
    bool is_held;         // a thread is at work on it without the lock
    bool is_forgotten;    // who holds it frees it
};

typedef struct worker {
    pthread_t thread;
    int wake;  // an event: look at what you hold
    job *held; // NULL: nothing
    render_queue *queue;
} worker;

struct render_queue {
    render_def def;
    char *folder;
    int folder_lock;
    pthread_mutex_t lock;
    pthread_cond_t more; // there is something to do
    bool ends;
    job *first, *last;
    uint64_t numbers;
    worker workers[WORKERS_MAX];
    uint32_t worker_count;
    uint64_t done, failed, cancelled;
};

static int64_t clock_ms(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool is_over(const job *j) { return j->info.state >= RENDER_DONE; }

static void free_job(job *j) {
    render_release(j->bytes);
    free(j->input);
    free(j->label);
    free(j->note);
    free(j->diagnostics);
    free(j->words);
    free(j);
}

static void append(render_queue *q, job *j) {
    j->before = q->last;
    *(q->last != NULL ? &q->last->after : &q->first) = j;
    q->last = j;
}

static void forget(render_queue *q, job *j) {
    *(j->before != NULL ? &j->before->after : &q->first) = j->after;
    *(j->after != NULL ? &j->after->before : &q->last) = j->before;
    j->is_forgotten = true;
    if (!j->is_held) { free_job(j); }
}

static job *find(const render_queue *q, const char *id) {
    job *j = q->first;
    while (j != NULL && strcmp(j->info.id, id) != 0) { j = j->after; }
    return j;
}

static void set_position(const render_queue *q, job *j) {
    j->info.position = 0;
    for (const job *other = q->first; other != j && j->info.state == RENDER_WAITING; other = other->after) {
        j->info.position += other->info.state == RENDER_WAITING;
    }
}

static void tell(render_queue *q, job *j) {
    j->told_ms = clock_ms(CLOCK_MONOTONIC);
    if (q->def.changed == NULL || j->is_forgotten) { return; }
    set_position(q, j);
    q->def.changed(q->def.changed_context, &j->info);
}

// What is over and has not been asked for in a long time, and of the rest what is too much, the longest unasked first.
static void tidy(render_queue *q) {
    const int64_t now = clock_ms(CLOCK_MONOTONIC);
    for (;;) {
        uint64_t count = 0, size = 0;
        job *oldest = NULL;
        for (job *j = q->first; j != NULL; j = j->after) {
            if (!is_over(j) || j->is_held) { continue; }
            count++;
            size += j->info.size;
            oldest = oldest == NULL || j->used_ms < oldest->used_ms ? j : oldest;
        }
        if (oldest == NULL) { return; }
        const bool is_too_much = count > q->def.kept_limit || size > q->def.results_limit;
        if (!is_too_much && now - oldest->used_ms < q->def.kept_ms) { return; }
        forget(q, oldest);
    }
}

// ------------------------------------------------------------------------------------------------------------- workers

static bool is_given_up(void *context) {
    const worker *w = context;
    pthread_mutex_lock(&w->queue->lock);
    const bool is = w->queue->ends || w->held->info.state == RENDER_CANCELLED;
    pthread_mutex_unlock(&w->queue->lock);
    return is;
}

static void on_progress(void *context, double progress) {
    const worker *w = context;
    pthread_mutex_lock(&w->queue->lock);
    job *j = w->held;
    if (j->info.state == RENDER_RUNNING && progress > j->info.progress) {
        j->info.progress = progress;
        if (clock_ms(CLOCK_MONOTONIC) - j->told_ms >= TOLD_EVERY_MS) { tell(w->queue, j); }
    }
    pthread_mutex_unlock(&w->queue->lock);
}

static void keep_outcome(job *j, const render_outcome *outcome) {
    render_info *info = &j->info;
    const bool is_done = outcome->fault == RENDER_NO_FAULT;
    info->state = is_done ? RENDER_DONE : RENDER_FAILED;
    info->fault = outcome->fault;
    info->progress = is_done ? 1.0 : info->progress;
    info->size = outcome->size;
    info->width = outcome->width;
    info->height = outcome->height;
    info->frame_count = outcome->frame_count;
    info->duration_ms = outcome->duration_ms;
    j->bytes = outcome->bytes;
    j->note = outcome->note;
    j->diagnostics = outcome->diagnostics;
    info->note = j->note != NULL ? j->note : "";
    info->diagnostics = j->diagnostics;
}

static void settle(render_queue *q, job *j, render_outcome *outcome, const char hash[65]) {
    if (j->info.state == RENDER_RUNNING && !q->ends) {
        keep_outcome(j, outcome);
        memcpy(j->info.hash, hash, sizeof j->info.hash);
        (*(j->info.state == RENDER_DONE ? &q->done : &q->failed))++;
        j->info.ended_ms = clock_ms(CLOCK_REALTIME);
        j->used_ms = clock_ms(CLOCK_MONOTONIC);
        tell(q, j);
    } else { // it was given up while it went on
        render_release(outcome->bytes);
        free(outcome->note);
        free(outcome->diagnostics);
    }
}

static void run_job(render_queue *q, worker *w, job *j) { // with the lock, which is let go in between
    uint64_t nothing;
    render_outcome outcome;
    char hash[65] = "";
    j->is_held = true;
    w->held = j;
    if (read(w->wake, &nothing, sizeof nothing) < 0) {} // what was meant for the job before
    j->info.state = RENDER_RUNNING;
    j->info.started_ms = clock_ms(CLOCK_REALTIME);
    tell(q, j);
    pthread_mutex_unlock(&q->lock);
    const render_task task = {.folder = q->folder, .number = j->number, .input = j->input, .words = j->words,
                              .kind = j->info.kind, .def = &q->def, .wake = w->wake, .ended = is_given_up,
                              .moved = on_progress, .context = w};
    render_run(&task, &outcome);
    render_folder_clear(q->folder, j->number);
    if (outcome.bytes != NULL) { store_hash(outcome.bytes, outcome.size, hash); }
    pthread_mutex_lock(&q->lock);
    settle(q, j, &outcome, hash);
    w->held = NULL;
    j->is_held = false;
    if (j->is_forgotten) { free_job(j); }
    tidy(q);
}

static job *next_job(const render_queue *q) {
    job *j = q->first;
    while (j != NULL && (j->info.state != RENDER_WAITING || j->is_held)) { j = j->after; }
    return j;
}

static void *work(void *context) {
    worker *w = context;
    render_queue *q = w->queue;
    pthread_mutex_lock(&q->lock);
    while (!q->ends) {
        job *j = next_job(q);
        if (j != NULL) {
            run_job(q, w, j);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += IDLE_MS / 1000;
        if (pthread_cond_timedwait(&q->more, &q->lock, &until) != 0) { tidy(q); } // results grow old by themselves
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

// --------------------------------------------------------------------------------------------------- beginning and end

static void fill_in(render_def *def) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t spare = processors > 2 ? (uint32_t)processors - 1 : 1;
    const char *place = getenv("TMPDIR");
    if (def->program == NULL) { def->program = "/proc/self/exe"; }
    if (def->folder == NULL) { def->folder = place != NULL && place[0] == '/' ? place : "/tmp"; }
    if (def->workers == 0) { def->workers = spare; }
    if (def->workers > WORKERS_MAX) { def->workers = WORKERS_MAX; }
    if (def->queue_limit == 0) { def->queue_limit = 64; }
    if (def->kept_limit == 0) { def->kept_limit = 256; }
    if (def->kept_ms == 0) { def->kept_ms = 600000; }
    if (def->time_ms == 0) { def->time_ms = 120000; }
    if (def->input_limit == 0) { def->input_limit = (uint64_t)256 << 20; }
    if (def->result_limit == 0) { def->result_limit = (uint64_t)64 << 20; }
    if (def->results_limit == 0) { def->results_limit = (uint64_t)256 << 20; }
    if (def->memory_limit == 0) { def->memory_limit = (uint64_t)4 << 30; }
}

static bool start_workers(render_queue *q) {
    sigset_t all, before;
    bool fine = true;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // signals are other threads'
    for (uint32_t i = 0; fine && i < q->def.workers; i++) {
        worker *w = &q->workers[i];
        *w = (worker){.queue = q, .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
        fine = w->wake >= 0 && pthread_create(&w->thread, NULL, work, w) == 0;
        if (!fine && w->wake >= 0) { close(w->wake); }
        pthread_mutex_lock(&q->lock);
        q->worker_count += fine;
        pthread_mutex_unlock(&q->lock);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fine;
}

render_queue *render_new(const render_def *def, char error[256]) {
    pthread_condattr_t forward;
    render_queue *q = calloc(1, sizeof *q);
    snprintf(error, 256, "no memory");
    if (q == NULL) { return NULL; }
    q->def = *def;
    fill_in(&q->def);
    q->folder = render_folder_new(q->def.folder, &q->folder_lock, error);
    if (q->folder == NULL) {
        free(q);
        return NULL;
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&forward);
    pthread_condattr_setclock(&forward, CLOCK_MONOTONIC);
    pthread_cond_init(&q->more, &forward);
    pthread_condattr_destroy(&forward);
    if (start_workers(q)) { return q; }
    snprintf(error, 256, "threads that render cannot be started");
    render_free(q);
    return NULL;
}

static void wake_all(const render_queue *q) {
    const uint64_t one = 1;
    for (uint32_t i = 0; i < q->worker_count; i++) {
        if (write(q->workers[i].wake, &one, sizeof one) < 0) {} // it is full: then it is awake
    }
}

void render_free(render_queue *q) {
    if (q == NULL) { return; }
    pthread_mutex_lock(&q->lock);
    q->ends = true;
    wake_all(q);
    pthread_cond_broadcast(&q->more);
    pthread_mutex_unlock(&q->lock);
    for (uint32_t i = 0; i < q->worker_count; i++) {
        pthread_join(q->workers[i].thread, NULL);
        close(q->workers[i].wake);
    }
    while (q->first != NULL) { forget(q, q->first); }
    render_folder_remove(q->folder, q->folder_lock);
    pthread_cond_destroy(&q->more);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

const render_def *render_limits(const render_queue *q) { return &q->def; }

// -------------------------------------------------------------------------------------------------------------- orders

static void name_order(const render_order *order, char id[RENDER_ID_SIZE]) {
    store_digest digest;
    uint8_t hash[32];
    char text[65];
    uint32_t count = 0;
    while (order->words != NULL && order->words[count] != NULL) { count++; }
    snprintf(text, sizeof text, "%s %u %u", render_kind_name(order->kind), count, order->file_count);
    store_digest_start(&digest);
    store_digest_text(&digest, zo_version());
    store_digest_text(&digest, text);
    store_digest_text(&digest, order->input);
    for (uint32_t i = 0; i < count; i++) { store_digest_text(&digest, order->words[i]); }
    for (uint32_t i = 0; i < order->file_count; i++) {
        const store_file *file = &order->files[i];
        memcpy(text, file->hash, sizeof text);
        if (text[0] == 0) { store_hash(file->bytes, file->size, text); }
        store_digest_text(&digest, file->name);
        store_digest_text(&digest, text);
    }
    store_digest_end(&digest, hash);
    store_hash_text(hash, text);
    memcpy(id, text, RENDER_ID_SIZE - 1);
    id[RENDER_ID_SIZE - 1] = 0;
}

static const char **copy_words(const char *const *words) {
    size_t count = 0, size = 0;
    for (; words != NULL && words[count] != NULL; count++) { size += strlen(words[count]) + 1; }
    const char **copy = malloc((count + 1) * sizeof *copy + size);
    char *texts = copy != NULL ? (char *)(copy + count + 1) : NULL;
    for (size_t i = 0; copy != NULL && i < count; i++) {
        const size_t length = strlen(words[i]) + 1;
        memcpy(texts, words[i], length);
        copy[i] = texts;
        texts += length;
    }
    if (copy != NULL) { copy[count] = NULL; }
    return copy;
}

static job *make_job(const render_order *order, const char *id, uint64_t size) {
    job *j = calloc(1, sizeof *j);
    if (j == NULL) { return NULL; }
    j->input_size = size;
    j->input = strdup(order->input);
    j->label = strdup(order->label != NULL ? order->label : "");
    j->words = copy_words(order->words);
    if (j->input == NULL || j->label == NULL || j->words == NULL) {
        free_job(j);
        return NULL;
    }
    j->info = (render_info){.kind = order->kind, .label = j->label, .note = "",
                            .ordered_ms = clock_ms(CLOCK_REALTIME)};
    j->used_ms = clock_ms(CLOCK_MONOTONIC);
    memcpy(j->info.id, id, RENDER_ID_SIZE);
    return j;
}

// With the lock. TAKEN: *made is in the queue, held, and has no files yet.
static render_status take(render_queue *q, const render_order *order, const char *id, uint64_t size, job **made) {
    uint64_t waiting = 0, waiting_size = 0;
    tidy(q);
    job *known = find(q, id);
    if (known != NULL && known->info.state <= RENDER_DONE) {
        known->used_ms = clock_ms(CLOCK_MONOTONIC);
        return RENDER_KNOWN;
    }
    for (const job *j = q->first; j != NULL; j = j->after) {
        waiting += j->info.state == RENDER_WAITING;
        waiting_size += j->info.state == RENDER_WAITING ? j->input_size : 0;
    }
    if (waiting >= q->def.queue_limit || waiting_size + size > 4 * q->def.input_limit) { return RENDER_FULL; }
    *made = make_job(order, id, size);
    if (*made == NULL) { return RENDER_NO_MEMORY; }
    if (known != NULL) { forget(q, known); } // it failed or was cancelled: once more
    (*made)->number = ++q->numbers;
    (*made)->is_held = true;
    append(q, *made);
    return RENDER_TAKEN;
}

render_status render_submit(render_queue *q, const render_order *order, char id[RENDER_ID_SIZE]) {
    uint64_t size = 0;
    job *j = NULL;
    for (uint32_t i = 0; i < order->file_count; i++) {
        if (order->files[i].size > q->def.input_limit - size) { return RENDER_TOO_LARGE; }
        size += order->files[i].size;
    }
    name_order(order, id);
    pthread_mutex_lock(&q->lock);
    render_status status = take(q, order, id, size, &j);
    if (status == RENDER_TAKEN) {
        const uint64_t number = j->number;
        pthread_mutex_unlock(&q->lock);
        status = render_folder_fill(q->folder, number, order->files, order->file_count);
        pthread_mutex_lock(&q->lock);
        j->is_held = false;
        const bool was_cancelled = j->is_forgotten || j->info.state == RENDER_CANCELLED;
        if (j->is_forgotten) {
            free_job(j);
        } else if (status != RENDER_TAKEN) {
            forget(q, j);
        } else if (!was_cancelled) {
            tell(q, j);
            pthread_cond_signal(&q->more);
        }
        pthread_mutex_unlock(&q->lock);
        if (was_cancelled && status == RENDER_TAKEN) { render_folder_clear(q->folder, number); }
        return status;
    }
    pthread_mutex_unlock(&q->lock);
    return status;
}

bool render_cancel(render_queue *q, const char *id) {
    pthread_mutex_lock(&q->lock);
    job *j = find(q, id);
    const bool is_there = j != NULL;
    uint64_t number = 0;
    if (is_there && is_over(j)) {
        forget(q, j);
    } else if (is_there) {
        if (!j->is_held) { number = j->number; } // else who holds it clears its folder
        j->info.state = RENDER_CANCELLED;
        j->info.ended_ms = clock_ms(CLOCK_REALTIME);
        j->used_ms = clock_ms(CLOCK_MONOTONIC);
        q->cancelled++;
        for (uint32_t i = 0; i < q->worker_count; i++) {
            const uint64_t one = 1;
            if (q->workers[i].held == j && write(q->workers[i].wake, &one, sizeof one) < 0) {} // it is awake
        }
        tell(q, j);
    }
    pthread_mutex_unlock(&q->lock);
    if (number > 0) { render_folder_clear(q->folder, number); }
    return is_there;
}

// ------------------------------------------------------------------------------------------------------------- answers

// One piece of memory, with its texts.
static render_info *copy_info(const render_info *from) {
    const char *const texts[] = {from->note, from->label, from->diagnostics};
    size_t sizes[3], size = sizeof *from;
    for (int i = 0; i < 3; i++) { size += sizes[i] = texts[i] != NULL ? strlen(texts[i]) + 1 : 0; }
    render_info *info = malloc(size);
    if (info == NULL) { return NULL; }
    char *at = (char *)(info + 1);
    *info = *from;
    const char **const places[] = {&info->note, &info->label, &info->diagnostics};
    for (int i = 0; i < 3; i++) {
        if (texts[i] == NULL) { continue; }
        memcpy(at, texts[i], sizes[i]);
        *places[i] = at;
        at += sizes[i];
    }
    return info;
}

void render_info_free(render_info *info) { free(info); }

render_info *render_get(render_queue *q, const char *id) {
    pthread_mutex_lock(&q->lock);
    tidy(q);
    job *j = find(q, id);
    if (j != NULL) {
        set_position(q, j);
        j->used_ms = clock_ms(CLOCK_MONOTONIC);
    }
    render_info *info = j != NULL ? copy_info(&j->info) : NULL;
    pthread_mutex_unlock(&q->lock);
    return info;
}

uint32_t render_list(render_queue *q, render_info **infos, uint32_t capacity) {
    uint32_t count = 0;
    pthread_mutex_lock(&q->lock);
    tidy(q);
    for (job *j = q->last; j != NULL && count < capacity; j = j->before) {
        set_position(q, j);
        infos[count] = copy_info(&j->info);
        if (infos[count] == NULL) { break; }
        count++;
    }
    pthread_mutex_unlock(&q->lock);
    return count;
}

render_counts render_count(render_queue *q) {
    pthread_mutex_lock(&q->lock);
    tidy(q);
    render_counts counts = {.done = q->done, .failed = q->failed, .cancelled = q->cancelled};
    for (const job *j = q->first; j != NULL; j = j->after) {
        counts.waiting += j->info.state == RENDER_WAITING;
        counts.running += j->info.state == RENDER_RUNNING;
        counts.kept += is_over(j);
        counts.kept_bytes += j->info.size;
    }
    pthread_mutex_unlock(&q->lock);
    return counts;
}

void *render_take(render_queue *q, const char *id, size_t *size) {
    pthread_mutex_lock(&q->lock);
    tidy(q);
    job *j = find(q, id);
    void *bytes = j != NULL ? j->bytes : NULL;
    if (bytes != NULL) {
        j->used_ms = clock_ms(CLOCK_MONOTONIC);
        *size = (size_t)j->info.size;
        render_bytes_keep(bytes);
    }
    pthread_mutex_unlock(&q->lock);
    return bytes;
}
