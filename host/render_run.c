// See render_run.h.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zoetrope/zoetrope.h>

#include "host/http_text.h"
#include "host/render_run.h"
#include "host/store_name.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CAN_LIMIT_MEMORY = false }; // their shadows take terabytes of addresses
#else
enum { CAN_LIMIT_MEMORY = true };
#endif

// ------------------------------------------------------------------------------------------------------------- folders

static const char prefix[] = "zoetrope-render-";

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    remove(path);
    return 0; // what cannot be removed keeps nothing else from it
}

// Links are removed, not followed.
static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

// What is ours, is a folder, and has no lock on it belongs to nobody any more.
static void sweep(const char *base) {
    DIR *all = opendir(base);
    const struct dirent *entry;
    while (all != NULL && (entry = readdir(all)) != NULL) {
        char path[PATH_MAX];
        struct stat status;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0) { continue; }
        if (snprintf(path, sizeof path, "%s/%s", base, entry->d_name) >= (int)sizeof path) { continue; }
        const int folder = openat(dirfd(all), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0) { continue; }
        if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && flock(folder, LOCK_EX | LOCK_NB) == 0) {
            remove_tree(path); // whoever has just made it sees that, and makes another
        }
        close(folder);
    }
    if (all != NULL) { closedir(all); }
}

// Made, locked, and still there: between the two another host may have taken it for one that was left.
static int make_locked(char *path) {
    struct stat a, b;
    if (mkdtemp(path) == NULL) { return -1; }
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0 && fstat(folder, &a) == 0 && stat(path, &b) == 0 &&
        a.st_ino == b.st_ino && a.st_dev == b.st_dev) {
        return folder;
    }
    if (folder >= 0) { close(folder); }
    errno = EBUSY;
    return -1;
}

char *render_folder_new(const char *base, int *lock, char error[256]) {
    enum { TRIES = 8 };
    const size_t size = strlen(base) + 1 + sizeof prefix + 6;
    char *path = malloc(size);
    *lock = -1;
    errno = ENOMEM;
    for (int i = 0; path != NULL && *lock < 0 && i < TRIES; i++) {
        snprintf(path, size, "%s/%sXXXXXX", base, prefix);
        *lock = make_locked(path);
        if (*lock < 0 && errno != EBUSY) { break; }
    }
    if (path == NULL || *lock < 0) {
        snprintf(error, 256, "cannot make a folder in %.150s: %s", base, strerror(errno));
        free(path);
        return NULL;
    }
    sweep(base);
    return path;
}

void render_folder_remove(char *folder, int lock) {
    remove_tree(folder);
    close(lock);
    free(folder);
}

static bool folder_path(char path[PATH_MAX], const char *folder, uint64_t number, const char *rest) {
    return snprintf(path, PATH_MAX, "%s/%llu%s", folder, (unsigned long long)number, rest) < PATH_MAX;
}

void render_folder_clear(const char *folder, uint64_t number) {
    char path[PATH_MAX];
    if (folder_path(path, folder, number, "")) { remove_tree(path); }
}

static bool write_whole(int file, const uint8_t *bytes, uint64_t size) {
    while (size > 0) {
        const ssize_t written = write(file, bytes, size < ((size_t)1 << 30) ? (size_t)size : (size_t)1 << 30);
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) { return false; }
        bytes += written;
        size -= (uint64_t)written;
    }
    return true;
}

// The folders on the way are made as they are needed. Nothing in here is a link, for we alone write here.
static render_status write_file(const char *folder, const store_file *file) {
    char path[PATH_MAX];
    if (!store_name_is_good(file->name)) { return RENDER_BAD_NAME; }
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path) { return RENDER_BAD_NAME; }
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = 0;
        const bool fine = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!fine) { return RENDER_NO_ROOM; }
    }
    const int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    // Two files of one name, or one where another wants a folder.
    if (out < 0) { return errno == EEXIST || errno == ENOTDIR || errno == EISDIR ? RENDER_BAD_NAME : RENDER_NO_ROOM; }
    const bool fine = write_whole(out, file->bytes, file->size);
    return close(out) == 0 && fine ? RENDER_TAKEN : RENDER_NO_ROOM;
}

render_status render_folder_fill(const char *folder, uint64_t number, const store_file *files, uint32_t count) {
    char own[PATH_MAX], in[PATH_MAX];
    render_status status = RENDER_NO_ROOM;
    if (folder_path(own, folder, number, "") && folder_path(in, folder, number, "/in") && mkdir(own, 0700) == 0 &&
        mkdir(in, 0700) == 0) {
        status = RENDER_TAKEN;
    }
    for (uint32_t i = 0; status == RENDER_TAKEN && i < count; i++) { status = write_file(in, &files[i]); }
    if (status != RENDER_TAKEN) { render_folder_clear(folder, number); }
    return status;
}

// --------------------------------------------------------------------------------------------------------------- bytes

typedef struct bytes_head {
    atomic_uint owners;
    _Alignas(max_align_t) uint8_t bytes[];
} bytes_head;

static bytes_head *head_of(void *bytes) {
    return (bytes_head *)(void *)((uint8_t *)bytes - offsetof(bytes_head, bytes));
}

void *render_bytes_new(size_t size) {
    bytes_head *head = size < SIZE_MAX - sizeof *head ? malloc(sizeof *head + size) : NULL;
    if (head == NULL) { return NULL; }
    atomic_init(&head->owners, 1);
    return head->bytes;
}

void render_bytes_keep(void *bytes) { atomic_fetch_add(&head_of(bytes)->owners, 1); }

void render_release(void *bytes) {
    if (bytes != NULL && atomic_fetch_sub(&head_of(bytes)->owners, 1) == 1) { free(head_of(bytes)); }
}

// ----------------------------------------------------------------------------------------------------------- beginning

enum { WORDS_MAX = 256, PASSED_MAX = 16, LINE_MAX_SIZE = 1 << 20, NOTE_SIZE = 2000 };

// All that the process needs, made before it is there: between fork and exec nothing may be asked of the C library.
typedef struct launch {
    const render_def *def;
    char in[PATH_MAX], out[64], place[PATH_MAX + 8];
    const char *words[WORDS_MAX];
    const char *passed[PASSED_MAX];
    int ends[3]; // its standard streams
    pid_t parent;
} launch;

static bool make_launch(const render_task *task, launch *l) {
    static const char *const names[] = {"PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS",
                                        "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "GCOV_PREFIX"};
    extern char **environ;
    uint32_t count = 0, passed = 0;
    char own[PATH_MAX];
    *l = (launch){.def = task->def, .parent = getpid(), .ends = {-1, -1, -1}};
    if (!folder_path(own, task->folder, task->number, "") || !folder_path(l->in, task->folder, task->number, "/in")) {
        return false;
    }
    snprintf(l->out, sizeof l->out, "../out.%s", render_kind_name(task->kind));
    snprintf(l->place, sizeof l->place, "TMPDIR=%s", own);
    const char *const first[] = {"zoetrope", "render", "--output", "json", "--out", l->out};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) { l->words[count++] = first[i]; }
    for (uint32_t i = 0; task->words != NULL && task->words[i] != NULL; i++) {
        if (count + 3 >= WORDS_MAX) { return false; }
        l->words[count++] = task->words[i];
    }
    l->words[count++] = "--";
    l->words[count++] = strcmp(task->input, "-") != 0 ? task->input : "./-"; // a file of that name, no stream
    l->passed[passed++] = l->place;
    l->passed[passed++] = "MALLOC_ARENA_MAX=2"; // else each thread takes addresses, and those are bounded
    for (char **at = environ; at != NULL && *at != NULL; at++) { // nothing else of what the host was told
        for (size_t i = 0; i < sizeof names / sizeof *names && passed + 1 < PASSED_MAX; i++) {
            const size_t size = strlen(names[i]);
            if (strncmp(*at, names[i], size) == 0 && (*at)[size] == '=') { l->passed[passed++] = *at; }
        }
    }
    return true;
}

static void limit(unsigned what, uint64_t most, uint64_t hard) {
    struct rlimit now;
    if (getrlimit(what, &now) != 0) { return; }
    const rlim_t top = now.rlim_max == RLIM_INFINITY || now.rlim_max > hard ? (rlim_t)hard : now.rlim_max;
    const struct rlimit then = {.rlim_cur = most < top ? (rlim_t)most : top, .rlim_max = top};
    setrlimit(what, &then);
}

// In the new process. Only calls that a signal handler may make: other threads may have held any lock.
static _Noreturn void become(const launch *l) {
    const uint64_t seconds = ((uint64_t)l->def->time_ms + 999) / 1000;
    static const int signals[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ, SIGXCPU, SIGCHLD};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // of a host that is killed nothing goes on
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (getppid() != l->parent) { _exit(127); }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) { sigaction(signals[i], &standard, NULL); }
    for (int i = 0; i < 3; i++) {
        if (dup2(l->ends[i], i) < 0) { _exit(127); }
    }
#ifdef SYS_close_range
    const bool closed = syscall(SYS_close_range, 3U, ~0U, 0U) == 0;
#else
    const bool closed = false;
#endif
    for (int i = 3; !closed && i < 65536; i++) { close(i); }
    if (chdir(l->in) != 0) { _exit(127); }
    limit(RLIMIT_CPU, seconds, seconds + 1);
    limit(RLIMIT_FSIZE, l->def->result_limit, l->def->result_limit);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_NOFILE, 256, 256);
    if (CAN_LIMIT_MEMORY) { limit(RLIMIT_AS, l->def->memory_limit, l->def->memory_limit); }
    setpriority(PRIO_PROCESS, 0, 10); // who asks for something small goes first
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // The words are not written to; the type is of an older time.
    execve(l->def->program, (char *const *)(uintptr_t)l->words, (char *const *)(uintptr_t)l->passed);
    _exit(127);
}

// Of a process that runs: what it says comes out of the two ends.
typedef struct running {
    pid_t pid;
    int out, err; // -1: closed
    char *line;   // of `out`, not ended yet
    size_t line_size, line_capacity;
    bool is_skipped; // the line is too long
    char note[NOTE_SIZE];
    size_t note_size;
    const render_task *task;
    render_outcome *outcome;
} running;

static bool start(const render_task *task, running *r) {
    launch *l = malloc(sizeof *l);
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (l != NULL && nothing >= 0 && make_launch(task, l) && pipe2(out, O_CLOEXEC) == 0 &&
        pipe2(err, O_CLOEXEC) == 0) {
        fcntl(out[0], F_SETFL, O_NONBLOCK);
        fcntl(err[0], F_SETFL, O_NONBLOCK);
        l->ends[0] = nothing;
        l->ends[1] = out[1];
        l->ends[2] = err[1];
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before); // no handler of the host's runs in the new process
        r->pid = fork();
        if (r->pid == 0) { become(l); }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (r->pid > 0) {
        setpgid(r->pid, r->pid); // both do it, so that it is done whoever comes first
        r->out = out[0];
        r->err = err[0];
    } else {
        if (out[0] >= 0) { close(out[0]); }
        if (err[0] >= 0) { close(err[0]); }
    }
    if (out[1] >= 0) { close(out[1]); }
    if (err[1] >= 0) { close(err[1]); }
    if (nothing >= 0) { close(nothing); }
    free(l);
    return r->pid > 0;
}

// ------------------------------------------------------------------------------------------------------ what it says

static char *copy_of(const char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

// The report of the content; only what stands in it as JSON is passed on.
static void take_report(running *r) {
    zo_document *document = NULL;
    zo_range range;
    if (zo_document_open(r->line, r->line_size, NULL, &document) != ZO_OK) { return; }
    if (zo_document_find(document, "/diagnostics", &range)) {
        free(r->outcome->diagnostics);
        r->outcome->diagnostics = copy_of(zo_document_bytes(document).data + range.offset, range.length);
    }
    zo_document_free(document);
}

static void take_line(running *r) {
    unsigned done = 0, total = 0, width = 0, height = 0;
    unsigned long long frames = 0;
    double ms = 0.0;
    r->line[r->line_size] = 0;
    if (sscanf(r->line, "{\"done\": %9u, \"total\": %9u}", &done, &total) == 2) {
        if (total > 0 && done <= total) { r->task->moved(r->task->context, (double)done / total); }
    } else if (sscanf(r->line, "{\"width\": %9u, \"height\": %9u, \"frames\": %18llu, \"durationMs\": %lf}", &width,
                      &height, &frames, &ms) == 4) {
        r->outcome->width = width;
        r->outcome->height = height;
        r->outcome->frame_count = frames;
        r->outcome->duration_ms = ms;
    } else {
        take_report(r);
    }
}

static void take_out(running *r, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            if (!r->is_skipped && r->line != NULL) { take_line(r); }
            r->line_size = 0;
            r->is_skipped = false;
            continue;
        }
        if (r->line_size + 1 >= r->line_capacity && !r->is_skipped) { // with room for a zero
            const size_t capacity = r->line_capacity * 2 + 256;
            char *line = capacity <= LINE_MAX_SIZE ? realloc(r->line, capacity) : NULL;
            r->is_skipped = line == NULL;
            r->line = line != NULL ? line : r->line;
            r->line_capacity = line != NULL ? capacity : r->line_capacity;
        }
        if (!r->is_skipped) { r->line[r->line_size++] = bytes[i]; }
    }
}

static void take_err(running *r, const char *bytes, size_t size) { // its beginning: what follows follows from that
    const size_t room = sizeof r->note - r->note_size, taken = size < room ? size : room;
    memcpy(r->note + r->note_size, bytes, taken);
    r->note_size += taken;
}

// All that is there. It is closed at its end.
static void drain(running *r, int *end, void (*take)(running *, const char *, size_t)) {
    char bytes[4096];
    ssize_t got = 0;
    while (*end >= 0 && ((got = read(*end, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))) {
        if (got > 0) { take(r, bytes, (size_t)got); }
    }
    if (*end >= 0 && (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))) {
        close(*end);
        *end = -1;
    }
}

static size_t utf8_at(const char *text, size_t left) { // bytes of the character there; 0: it is none
    const uint8_t *at = (const uint8_t *)text;
    const size_t size = at[0] < 0x80 ? 1 : at[0] >= 0xC2 && at[0] < 0xE0 ? 2 : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
                      : at[0] >= 0xF0 && at[0] < 0xF5 ? 4 : 0;
    bool fine = size > 0 && size <= left && !(at[0] < 0x20 && at[0] != '\t');
    for (size_t i = 1; fine && i < size; i++) { fine = (at[i] & 0xC0) == 0x80; }
    if (fine && size == 3) { fine = !(at[0] == 0xE0 && at[1] < 0xA0) && !(at[0] == 0xED && at[1] >= 0xA0); }
    if (fine && size == 4) { fine = !(at[0] == 0xF0 && at[1] < 0x90) && !(at[0] == 0xF4 && at[1] >= 0x90); }
    return fine ? size : 0;
}

// Without the program's name at the beginning of lines, without the line that points to its help, and as UTF-8.
static char *note_of(const running *r) {
    static const char name[] = "zoetrope: ", help[] = "zoetrope: see ";
    http_text text = {0};
    for (size_t at = 0; at < r->note_size;) {
        size_t end = at;
        while (end < r->note_size && r->note[end] != '\n') { end++; }
        const size_t size = end - at;
        const char *line = r->note + at;
        at = end + 1;
        if (size >= sizeof help - 1 && memcmp(line, help, sizeof help - 1) == 0) { continue; }
        const size_t from = size >= sizeof name - 1 && memcmp(line, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
        if (text.size > 0) { http_text_words(&text, "\n"); }
        for (size_t i = from; i < size;) {
            const size_t whole = utf8_at(line + i, size - i);
            http_text_put(&text, whole > 0 ? line + i : "?", whole > 0 ? whole : 1);
            i += whole > 0 ? whole : 1;
        }
    }
    char *note = text.size > 0 && !text.failed ? copy_of(text.bytes, text.size) : NULL;
    http_text_free(&text);
    return note;
}

// ------------------------------------------------------------------------------------------------------------- running

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool has_exited(pid_t pid) { // and stays what it is, so that its number is nobody else's
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

typedef enum ending { BY_ITSELF, GIVEN_UP, OUT_OF_TIME } ending;

static ending watch(running *r) {
    const int64_t end = now_ms() + r->task->def->time_ms;
    ending how = BY_ITSELF;
    for (;;) {
        const bool is_silent = r->out < 0 && r->err < 0; // it is about to end
        const int64_t left = end - now_ms(), most = is_silent ? 2 : 50;
        struct pollfd ends[3] = {{r->out, POLLIN, 0}, {r->err, POLLIN, 0}, {r->task->wake, POLLIN, 0}};
        // One that is asked to look once more is not waited for: there might be nothing to see.
        poll(ends, 3, (int)(left < 0 ? 0 : left < most ? left : most));
        const bool is_over = has_exited(r->pid);
        drain(r, &r->out, take_out);
        drain(r, &r->err, take_err);
        if (is_over) { return how; }
        if (r->task->ended(r->task->context)) { return GIVEN_UP; }
        if (now_ms() >= end) { return OUT_OF_TIME; }
    }
}

// With all that it has started, and waits until they are gone. Returns how it ended, as of waitpid.
static int finish(pid_t pid) {
    int status = 0;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    for (int i = 0; i < 50 && kill(-pid, 0) == 0; i++) { // what it had started is somebody else's to be waited for
        const struct timespec moment = {.tv_nsec = 2000000};
        nanosleep(&moment, NULL);
    }
    return status;
}

static render_fault read_result(const render_task *task, render_outcome *outcome) {
    char path[PATH_MAX], rest[32];
    struct stat status;
    render_fault fault = RENDER_UNMADE;
    snprintf(rest, sizeof rest, "/out.%s", render_kind_name(task->kind));
    if (!folder_path(path, task->folder, task->number, rest)) { return RENDER_UNMADE; }
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK); // a pipe would be waited for
    if (file < 0) { return RENDER_UNMADE; }
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        const uint64_t size = (uint64_t)status.st_size;
        fault = size <= task->def->result_limit ? RENDER_NO_FAULT : RENDER_TOO_BIG;
        outcome->bytes = fault == RENDER_NO_FAULT ? render_bytes_new((size_t)size) : NULL;
        if (fault == RENDER_NO_FAULT && outcome->bytes == NULL) { fault = RENDER_LIMIT; }
        while (fault == RENDER_NO_FAULT && outcome->size < size) {
            const ssize_t got = read(file, (uint8_t *)outcome->bytes + outcome->size, (size_t)size - outcome->size);
            if (got < 0 && errno == EINTR) { continue; }
            if (got <= 0) { fault = RENDER_UNMADE; }
            outcome->size += got > 0 ? (size_t)got : 0;
        }
    }
    close(file);
    if (fault != RENDER_NO_FAULT) {
        render_release(outcome->bytes);
        outcome->bytes = NULL;
        outcome->size = 0;
    }
    return fault;
}

static render_fault judge(const running *r, int status) {
    const char *note = r->outcome->note != NULL ? r->outcome->note : "";
    if (WIFSIGNALED(status)) { return WTERMSIG(status) == SIGXCPU ? RENDER_TOO_SLOW : RENDER_KILLED; }
    switch (WEXITSTATUS(status)) { // as the command line has them
    case 0: return read_result(r->task, r->outcome);
    case 1: return RENDER_INVALID;
    case 2: return RENDER_REFUSED;
    case 3: return strstr(note, strerror(EFBIG)) != NULL ? RENDER_TOO_BIG : RENDER_UNMADE;
    case 4: return RENDER_LIMIT;
    case 127: return RENDER_UNSTARTED;
    default: return RENDER_KILLED; // a sanitizer's code, or another's
    }
}

void render_run(const render_task *task, render_outcome *outcome) {
    running r = {.out = -1, .err = -1, .task = task, .outcome = outcome};
    *outcome = (render_outcome){0};
    if (!start(task, &r)) {
        outcome->fault = RENDER_UNSTARTED;
        return;
    }
    const ending how = watch(&r);
    const int status = finish(r.pid);
    if (r.out >= 0) { close(r.out); }
    if (r.err >= 0) { close(r.err); }
    outcome->note = note_of(&r);
    if (how == BY_ITSELF) {
        outcome->fault = judge(&r, status);
    } else if (how == OUT_OF_TIME) {
        outcome->fault = RENDER_TOO_SLOW;
    }
    free(r.line);
}
