// The queue of renders with a program of the test's own: a shell that does what the "file to be rendered" says.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/render.h"

static char base[64], program[96];

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_base(void **state) {
    (void)state;
    snprintf(base, sizeof base, "/tmp/zo-render-test-XXXXXX");
    if (mkdtemp(base) == NULL) { return -1; }
    snprintf(program, sizeof program, "%s/program", base);
    write_text(program, "#!/bin/sh\nout=$5\nfor last; do :; done\n. \"./$last\"\n");
    return chmod(program, 0700);
}

static int remove_base(void **state) {
    (void)state;
    unlink(program);
    return rmdir(base); // fails if anything was left there
}

static uint32_t folders_there(void) { // of queues
    DIR *all = opendir(base);
    uint32_t count = 0;
    for (const struct dirent *entry; (entry = readdir(all)) != NULL;) {
        count += strncmp(entry->d_name, "zoet", 4) == 0;
    }
    closedir(all);
    return count;
}

static render_queue *open_queue(render_def def) {
    char error[256];
    def.folder = base;
    if (def.program == NULL) { def.program = program; }
    render_queue *queue = render_new(&def, error);
    assert_non_null(queue);
    return queue;
}

static render_status submit(render_queue *queue, const char *script, char id[RENDER_ID_SIZE]) {
    const store_file file = {.name = "film.json", .bytes = script, .size = strlen(script)};
    const render_order order = {.files = &file, .file_count = 1, .input = "film.json", .kind = RENDER_PNG};
    return render_submit(queue, &order, id);
}

static void pause_ms(long ms) {
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

// Until it is in this state; the caller frees it.
static render_info *wait_for(render_queue *queue, const char *id, render_state state) {
    for (int i = 0; i < 3000; i++) {
        render_info *info = render_get(queue, id);
        assert_non_null(info);
        if (info->state == state) { return info; }
        if (info->state > RENDER_RUNNING) {
            fail_msg("it is %s (%s): %s", render_state_name(info->state), render_fault_name(info->fault), info->note);
        }
        render_info_free(info);
        pause_ms(10);
    }
    fail_msg("it does not become %s", render_state_name(state));
    return NULL;
}

static void done(render_queue *queue, const char *id, char *text, size_t capacity) {
    render_info_free(wait_for(queue, id, RENDER_DONE));
    size_t size = 0;
    char *bytes = render_take(queue, id, &size);
    assert_non_null(bytes);
    assert_true(size < capacity);
    memcpy(text, bytes, size);
    text[size] = 0;
    render_release(bytes);
}

static bool is_gone(pid_t pid) { // a process that nobody has asked about yet is gone too
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) { return true; }
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) { state = 'Z'; }
    fclose(file);
    return state == 'Z' || state == 'X';
}

static bool goes(pid_t pid) {
    for (int i = 0; i < 300 && !is_gone(pid); i++) { pause_ms(10); }
    return is_gone(pid);
}

static pid_t number_in(const char *path) { // of a process that has written it there
    int pid = 0;
    for (int i = 0; i < 1000 && pid == 0; i++) {
        FILE *file = fopen(path, "r");
        if (file != NULL && fscanf(file, "%d ", &pid) != 1) { pid = 0; }
        if (file != NULL) { fclose(file); }
        pause_ms(10);
    }
    assert_true(pid > 0);
    unlink(path);
    return pid;
}

// ----------------------------------------------------------------------------------------------------------- the tests

static void renders(void **state) {
    (void)state;
    render_queue *queue = open_queue((render_def){.workers = 2});
    static const char *const words[] = {"--size", "3x4", "--show", "a b\"'", NULL};
    static const char script[] = "printf '%s|' \"$@\" >$out; cat deep/e*/x >>$out; ls deep | wc -w >>$out";
    const store_file files[] = {
        {.name = "film.json", .bytes = script, .size = sizeof script - 1},
        {.name = "deep/er/x", .bytes = "more", .size = 4},
        {.name = "deep/empty", .bytes = NULL, .size = 0},
    };
    render_order order = {.files = files, .file_count = 3, .input = "film.json", .words = words, .kind = RENDER_GIF,
                          .label = "mine"};
    char id[RENDER_ID_SIZE], again[RENDER_ID_SIZE], text[4096];
    assert_int_equal(render_submit(queue, &order, id), RENDER_TAKEN);
    done(queue, id, text, sizeof text);
    assert_string_equal(text, "render|--output|json|--out|../out.gif|--size|3x4|--show|a b\"'|--|film.json|more2\n");
    render_info *info = render_get(queue, id);
    assert_string_equal(info->label, "mine");
    assert_int_equal(info->size, strlen(text));
    char hash[65];
    store_hash(text, strlen(text), hash);
    assert_string_equal(info->hash, hash);
    assert_true(info->progress == 1.0 && info->kind == RENDER_GIF && info->ordered_ms <= info->started_ms);
    assert_true(info->started_ms <= info->ended_ms && strlen(id) == 32 && info->fault == RENDER_NO_FAULT);
    render_info_free(info);
    assert_int_equal(render_submit(queue, &order, again), RENDER_KNOWN);
    assert_string_equal(again, id);
    order.words = words + 2; // another order
    assert_int_equal(render_submit(queue, &order, again), RENDER_TAKEN);
    assert_string_not_equal(again, id);
    done(queue, again, text, sizeof text);
    order.kind = RENDER_WEBP;
    assert_int_equal(render_submit(queue, &order, again), RENDER_TAKEN);
    done(queue, again, text, sizeof text);
    order.file_count = 2;
    assert_int_equal(render_submit(queue, &order, again), RENDER_TAKEN);
    done(queue, again, text, sizeof text);
    const render_counts counts = render_count(queue);
    assert_true(counts.done == 4 && counts.kept == 4 && counts.waiting == 0 && counts.running == 0);
    render_info *all[8];
    assert_int_equal(render_list(queue, all, 8), 4);
    assert_string_equal(all[0]->id, again);
    assert_string_equal(all[3]->id, id);
    for (int i = 0; i < 4; i++) { render_info_free(all[i]); }
    size_t size = 0;
    void *bytes = render_take(queue, id, &size); // outlives job and queue
    assert_true(render_cancel(queue, id));
    assert_null(render_get(queue, id));
    assert_null(render_take(queue, id, &size));
    assert_false(render_cancel(queue, id));
    render_free(queue);
    assert_memory_equal(bytes, "render|", 7);
    render_release(bytes);
    assert_int_equal(folders_there(), 0);
}

static void is_by_itself(void **state) { // what a process may see and use
    (void)state;
    int opened[2];
    assert_int_equal(pipe(opened), 0); // inherited by everything that does not look after itself
    setenv("ZO_SECRET", "1", 1);
    signal(SIGPIPE, SIG_IGN);
    render_queue *queue = open_queue((render_def){.time_ms = 7000, .result_limit = 1000448, .memory_limit = 900 << 20});
    char id[RENDER_ID_SIZE], text[4096], wanted[512];
    submit(queue, "{ ls /proc/self/fd | wc -l; env | grep -c ZO_SECRET; echo $TMPDIR; pwd; stat -c %a . .. ../..\n"
                  "ulimit -t; ulimit -f; ulimit -c; cat; grep -E 'Sig(Blk|Ign)' /proc/self/status; ls -A; ls -A ..\n"
                  "} >../t; mv ../t $out", id);
    done(queue, id, text, sizeof text);
    char place[256], here[256], ignored[64], blocked[64];
    unsigned files = 0, secrets = 9, modes[3], seconds = 0, blocks = 0, core = 9;
    assert_int_equal(sscanf(text, "%u %u %255s %255s %u %u %u %u %u %u SigBlk: %63s SigIgn: %63s", &files, &secrets,
                            place, here, &modes[0], &modes[1], &modes[2], &seconds, &blocks, &core, blocked, ignored),
                     12);
    assert_int_equal(files, 4); // three and the one that ls reads with
    assert_int_equal(secrets, 0);
    snprintf(wanted, sizeof wanted, "%s/in", place);
    assert_string_equal(here, wanted);
    assert_memory_equal(here, base, strlen(base));
    assert_true(modes[0] == 700 && modes[1] == 700 && modes[2] == 700);
    assert_true(seconds == 7 && blocks == 1954 && core == 0); // of 512 bytes
    const unsigned long long of_libc = 3ULL << 31; // signals 32 and 33, which nobody may set, and some shells ignore
    assert_int_equal(strtoull(ignored, NULL, 16) & ~of_libc, 0);
    assert_string_equal(blocked, "0000000000000000");
    assert_non_null(strstr(text, "film.json\nin\nt\n"));
    unsetenv("ZO_SECRET");
    close(opened[0]);
    close(opened[1]);
    render_free(queue);
}

typedef struct heard {
    pthread_mutex_t lock;
    char states[64][12];
    double progress[64];
    uint32_t count;
} heard;

static void hear(void *context, const render_info *info) {
    heard *h = context;
    pthread_mutex_lock(&h->lock);
    if (h->count < 64) {
        snprintf(h->states[h->count], sizeof h->states[0], "%s", render_state_name(info->state));
        h->progress[h->count++] = info->progress;
    }
    pthread_mutex_unlock(&h->lock);
}

static void tells(void **state) {
    (void)state;
    heard h = {.lock = PTHREAD_MUTEX_INITIALIZER};
    render_queue *queue = open_queue((render_def){.changed = hear, .changed_context = &h});
    char id[RENDER_ID_SIZE];
    submit(queue, "for i in 1 2 3 4 5 6 7 8; do echo \"{\\\"done\\\": $i, \\\"total\\\": 10}\"; sleep 0.1; done\n"
                  "echo '{\"done\": 70, \"total\": 10}'; echo '{\"schema\": 1, \"diagnostics\": [{\"id\": \"a/b\"}]}'\n"
                  "echo '{\"width\": 5, \"height\": 6, \"frames\": 7, \"durationMs\": 8.5}'\n"
                  "echo '{\"diagnostics\": [half'; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo 'no JSON'\n"
                  "printf 'zoetrope: one \\377\\303\\251\\nzoetrope: see the help\\ntwo\\n' >&2; printf x >$out", id);
    render_info *info = wait_for(queue, id, RENDER_DONE);
    assert_string_equal(info->diagnostics, "[{\"id\": \"a/b\"}]");
    assert_string_equal(info->note, "one ?\xC3\xA9\ntwo");
    assert_true(info->width == 5 && info->height == 6 && info->frame_count == 7 && info->duration_ms == 8.5);
    render_info_free(info);
    assert_true(h.count >= 4 && h.count <= 12); // five a second
    assert_string_equal(h.states[0], "waiting");
    assert_string_equal(h.states[1], "running");
    assert_string_equal(h.states[h.count - 1], "done");
    for (uint32_t i = 1; i < h.count; i++) { assert_true(h.progress[i] >= h.progress[i - 1] && h.progress[i] <= 1.0); }
    assert_true(h.progress[h.count - 2] > 0.0 && h.progress[h.count - 2] <= 0.8);
    render_free(queue);
}

static void fails(void **state) {
    (void)state;
    static const struct {
        const char *script;
        render_fault fault;
        const char *note;
    } cases[] = {
        {"echo 'zoetrope: bad' >&2; printf x >$out; exit 1", RENDER_INVALID, "bad"},
        {"exit 2", RENDER_REFUSED, ""},
        {"exit 3", RENDER_UNMADE, ""},
        {"exit 4", RENDER_LIMIT, ""},
        {"exit 77", RENDER_KILLED, ""},
        {":", RENDER_UNMADE, ""},
        {": >$out", RENDER_UNMADE, ""},
        {"ln -s /etc/passwd $out", RENDER_UNMADE, ""},
        {"mkfifo $out", RENDER_UNMADE, ""},
        {"kill -9 $$", RENDER_KILLED, ""},
        {"kill -SEGV $$", RENDER_KILLED, ""},
        {"kill -XCPU $$", RENDER_TOO_SLOW, ""},
        {"sleep 60", RENDER_TOO_SLOW, ""},
        {"exec >&- 2>&-; sleep 60", RENDER_TOO_SLOW, ""},
        {"while :; do :; done", RENDER_TOO_SLOW, ""},
        {"trap '' XFSZ; head -c 300000 /dev/zero >$out || { echo File too large >&2; exit 3; }", RENDER_TOO_BIG, NULL},
    };
    enum { COUNT = sizeof cases / sizeof cases[0] };
    render_queue *queue = open_queue((render_def){.workers = 8, .time_ms = 1500, .result_limit = 100000});
    char ids[COUNT][RENDER_ID_SIZE];
    for (size_t i = 0; i < COUNT; i++) { assert_int_equal(submit(queue, cases[i].script, ids[i]), RENDER_TAKEN); }
    for (size_t i = 0; i < COUNT; i++) {
        render_info *info = wait_for(queue, ids[i], RENDER_FAILED);
        if (info->fault != cases[i].fault) { fail_msg("%s: %s", cases[i].script, render_fault_name(info->fault)); }
        if (cases[i].note != NULL) { assert_string_equal(info->note, cases[i].note); }
        size_t size;
        assert_null(render_take(queue, ids[i], &size));
        render_info_free(info);
    }
    char id[RENDER_ID_SIZE];
    assert_int_equal(submit(queue, cases[0].script, id), RENDER_TAKEN); // once more
    assert_string_equal(id, ids[0]);
    render_free(queue);
    queue = open_queue((render_def){.program = "/nowhere/at/all"});
    submit(queue, "", id);
    render_info *info = wait_for(queue, id, RENDER_FAILED);
    assert_int_equal(info->fault, RENDER_UNSTARTED);
    render_info_free(info);
    render_free(queue);
    char error[256];
    assert_null(render_new(&(render_def){.folder = "/nowhere/at/all"}, error));
    assert_non_null(strstr(error, "/nowhere/at/all"));
}

static void cancels(void **state) {
    (void)state;
    render_queue *queue = open_queue((render_def){.workers = 1, .queue_limit = 2});
    char running[RENDER_ID_SIZE], second[RENDER_ID_SIZE], third[RENDER_ID_SIZE], other[RENDER_ID_SIZE], script[300];
    char own[96], its[96];
    snprintf(own, sizeof own, "%s/own", base);
    snprintf(its, sizeof its, "%s/its", base);
    snprintf(script, sizeof script,
             "trap '' TERM INT; sleep 100 & echo $! ' ' >%s; echo $$ ' ' >%s; wait; sleep 100", its, own);
    submit(queue, script, running);
    const pid_t pid = number_in(own), grandchild = number_in(its);
    assert_int_equal(submit(queue, "printf 2 >$out", second), RENDER_TAKEN);
    assert_int_equal(submit(queue, "printf 3 >$out", third), RENDER_TAKEN);
    assert_int_equal(submit(queue, "printf 4 >$out", other), RENDER_FULL);
    assert_int_equal(submit(queue, "printf 3 >$out", other), RENDER_KNOWN); // takes no place
    render_info *info = render_get(queue, third);
    assert_true(info->state == RENDER_WAITING && info->position == 1);
    render_info_free(info);
    assert_true(render_cancel(queue, second));
    info = render_get(queue, second);
    assert_int_equal(info->state, RENDER_CANCELLED);
    render_info_free(info);
    info = render_get(queue, third);
    assert_int_equal(info->position, 0);
    render_info_free(info);
    assert_true(render_cancel(queue, running));
    info = render_get(queue, running);
    assert_int_equal(info->state, RENDER_CANCELLED);
    render_info_free(info);
    assert_true(goes(pid));
    assert_true(goes(grandchild));
    char text[8];
    done(queue, third, text, sizeof text); // it goes on with the next
    assert_string_equal(text, "3");
    assert_int_equal(submit(queue, "printf 2 >$out", second), RENDER_TAKEN); // ordered again
    done(queue, second, text, sizeof text);
    // Ordered again while the first is not gone yet.
    submit(queue, script, running);
    const pid_t first_pid = number_in(own), first_grandchild = number_in(its);
    assert_true(render_cancel(queue, running));
    assert_int_equal(submit(queue, script, other), RENDER_TAKEN);
    assert_string_equal(other, running);
    const pid_t second_pid = number_in(own), second_grandchild = number_in(its);
    assert_true(goes(first_pid) && goes(first_grandchild));
    assert_false(is_gone(second_pid));
    render_free(queue); // while it runs
    assert_true(goes(second_pid) && goes(second_grandchild));
    assert_int_equal(folders_there(), 0);
}

static void is_bounded(void **state) {
    (void)state;
    render_queue *queue =
        open_queue((render_def){.workers = 1, .kept_limit = 3, .results_limit = 4000, .input_limit = 1000});
    char ids[6][RENDER_ID_SIZE], script[64], text[8], id[RENDER_ID_SIZE];
    for (int i = 0; i < 5; i++) {
        snprintf(script, sizeof script, "printf %d >$out", i);
        submit(queue, script, ids[i]);
        done(queue, ids[i], text, sizeof text);
        if (i > 0) {
            render_info_free(render_get(queue, ids[0])); // asked for, and so kept
        }
    }
    assert_null(render_get(queue, ids[1]));
    assert_null(render_get(queue, ids[2]));
    for (int i = 0; i < 5; i += i == 0 ? 3 : 1) {
        render_info *info = render_get(queue, ids[i]);
        assert_non_null(info);
        render_info_free(info);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(script, sizeof script, "printf '%%01900d' %d >$out", i);
        submit(queue, script, ids[i]);
        render_info_free(wait_for(queue, ids[i], RENDER_DONE));
    }
    const render_counts counts = render_count(queue);
    assert_true(counts.kept_bytes == 3800 && counts.kept == 2);
    assert_null(render_get(queue, ids[0]));
    char large[1001];
    memset(large, ':', 1000);
    large[1000] = 0;
    assert_int_equal(submit(queue, large, id), RENDER_TAKEN);
    const store_file files[] = {{.name = "a", .bytes = large, .size = 1000}, {.name = "b", .bytes = "", .size = 1},
                                {.name = "b/c", .bytes = "", .size = 0}};
    render_order order = {.files = files, .file_count = 2, .input = "a"};
    assert_int_equal(render_submit(queue, &order, id), RENDER_TOO_LARGE);
    order.files = files + 1;
    order.input = "b";
    assert_int_equal(render_submit(queue, &order, id), RENDER_BAD_NAME); // a file and a folder
    static const char *const names[] = {"../x", "/x", "a/../../x", "a//b", "", ".", "a\\b", "c:x", "a\nb", NULL};
    for (int i = 0; names[i] != NULL; i++) {
        const store_file file = {.name = names[i], .bytes = "", .size = 0};
        order = (render_order){.files = &file, .file_count = 1, .input = "x"};
        assert_int_equal(render_submit(queue, &order, id), RENDER_BAD_NAME);
        assert_null(render_get(queue, id));
    }
    const store_file twice[] = {{.name = "a", .bytes = "1", .size = 1}, {.name = "a", .bytes = "2", .size = 1}};
    order = (render_order){.files = twice, .file_count = 2, .input = "a"};
    assert_int_equal(render_submit(queue, &order, id), RENDER_BAD_NAME);
    render_free(queue);
    queue = open_queue((render_def){.kept_ms = 300});
    submit(queue, "printf 1 >$out", id);
    done(queue, id, text, sizeof text);
    pause_ms(500);
    assert_null(render_get(queue, id));
    assert_int_equal(render_count(queue).kept, 0);
    render_free(queue);
}

// A host that is killed: its processes end with it, and the next one removes what it has left, but nothing else.
static void cleans_up(void **state) {
    (void)state;
    char own[96], link[96], apart[96], script[200], id[RENDER_ID_SIZE];
    snprintf(own, sizeof own, "%s/own", base);
    snprintf(script, sizeof script, "echo $$ ' ' >%s; sleep 100", own);
    const pid_t host = fork();
    if (host == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // should the test itself be ended
        const render_def def = {.folder = base, .program = program};
        char error[256];
        render_queue *queue = render_new(&def, error);
        if (queue != NULL) { submit(queue, script, id); }
        pause(); // until it is killed
        _exit(0);
    }
    const pid_t pid = number_in(own);
    render_queue *other = open_queue((render_def){0});
    assert_int_equal(folders_there(), 2); // the first one lives
    kill(host, SIGKILL);
    assert_int_equal(waitpid(host, NULL, 0), host);
    assert_true(goes(pid));
    snprintf(apart, sizeof apart, "%s/apart", base);
    snprintf(link, sizeof link, "%s/zoetrope-render-linked", base);
    assert_int_equal(mkdir(apart, 0700), 0);
    assert_int_equal(symlink(apart, link), 0);
    render_queue *queue = open_queue((render_def){0});
    assert_int_equal(folders_there(), 3); // these two and the link
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(apart), 0);
    char text[8];
    submit(other, "printf 1 >$out", id);
    done(other, id, text, sizeof text); // its folder was not touched
    render_free(queue);
    render_free(other);
    assert_int_equal(folders_there(), 0);
}

typedef struct many {
    render_queue *queue;
    unsigned seed;
    uint32_t taken;
} many;

static void *order_and_cancel(void *context) {
    many *m = context;
    char id[RENDER_ID_SIZE], script[64];
    for (int i = 0; i < 40; i++) {
        snprintf(script, sizeof script, "printf %d >$out; sleep 0.0%d", rand_r(&m->seed) % 20, rand_r(&m->seed) % 3);
        const render_status status = submit(m->queue, script, id);
        m->taken += status == RENDER_TAKEN;
        if (status <= RENDER_KNOWN && rand_r(&m->seed) % 3 == 0) { render_cancel(m->queue, id); }
        size_t size = 0;
        void *bytes = render_take(m->queue, id, &size);
        if (bytes != NULL && (size < 1 || size > 2)) { m->taken = 1000000; }
        render_release(bytes);
        render_info_free(render_get(m->queue, id));
    }
    return NULL;
}

static void takes_many_at_once(void **state) {
    (void)state;
    render_queue *queue = open_queue((render_def){.workers = 3, .queue_limit = 8, .kept_limit = 10});
    many all[6];
    pthread_t threads[6];
    uint32_t taken = 0;
    for (unsigned i = 0; i < 6; i++) {
        all[i] = (many){.queue = queue, .seed = i + 1};
        assert_int_equal(pthread_create(&threads[i], NULL, order_and_cancel, &all[i]), 0);
    }
    for (unsigned i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
        taken += all[i].taken;
    }
    render_counts counts = render_count(queue);
    for (int i = 0; i < 1000 && (counts.waiting + counts.running > 0 || counts.kept > 10); i++) {
        pause_ms(10); // those that were cancelled while they ran are being ended
        counts = render_count(queue);
    }
    assert_true(taken > 10 && taken < 1000);
    assert_true(counts.waiting == 0 && counts.running == 0 && counts.kept <= 10);
    assert_int_equal(counts.done + counts.failed + counts.cancelled, taken);
    assert_int_equal(counts.failed, 0);
    render_free(queue);
    assert_int_equal(folders_there(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renders),   cmocka_unit_test(is_by_itself), cmocka_unit_test(tells),
        cmocka_unit_test(fails),     cmocka_unit_test(cancels),      cmocka_unit_test(is_bounded),
        cmocka_unit_test(cleans_up), cmocka_unit_test(takes_many_at_once),
    };
    return cmocka_run_group_tests_name("render", tests, make_base, remove_base);
}
