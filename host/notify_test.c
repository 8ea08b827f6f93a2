// A folder in which files come, change and go in the ways in which people and their editors do it, and what is told of
// it: by the system's events and by looking, which must agree.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/notify.h"

// Short, so that the tests are; long enough that a busy machine does not take a pause for rest.
enum { QUIET_MS = 50, GONE_MS = 200, OPEN_MS = 600, GROUP_MS = 500, POLL_MS = 50, LONG_MS = 20000 };

static char base[64], root[128];
static notify *n;
static bool polls; // nothing is watched by the system

static void path_in(const char *name, char path[512]) { snprintf(path, 512, "%s/%s", root, name); }

static void put(const char *name, const char *text) {
    char path[512];
    path_in(name, path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static void move(const char *from, const char *to) {
    char a[512], b[512];
    path_in(from, a);
    path_in(to, b);
    assert_int_equal(rename(a, b), 0);
}

static void take_away(const char *name) {
    char path[512];
    path_in(name, path);
    assert_int_equal(remove(path), 0);
}

static void make(const char *name) {
    char path[512];
    path_in(name, path);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void link_to(const char *target, const char *name) {
    char path[512];
    path_in(name, path);
    assert_int_equal(symlink(target, path), 0);
}

static void pause_ms(uint32_t ms) {
    const struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static int begin_with(bool by_looking) {
    strcpy(base, "/tmp/zoetrope-notify-XXXXXX");
    if (mkdtemp(base) == NULL) { return -1; }
    snprintf(root, sizeof root, "%s/root", base);
    polls = by_looking;
    n = NULL;
    return mkdir(root, 0700);
}
static int begin(void **state) { (void)state; return begin_with(false); }
static int begin_polling(void **state) { (void)state; return begin_with(true); }

static int end(void **state) {
    (void)state;
    char command[200];
    notify_free(n);
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", base, base);
    return system(command);
}

// What is told at once, as "+a.json *b.json -c.json", words in capitals. The polling that a test asked for is not told.
static const char *next_told(uint32_t timeout_ms) {
    static const char *const words[NOTIFY_KIND_COUNT] = {"+", "*", "-", "POLLING:", "OVERFLOW", "MANY:", "DEEP:",
                                                         "UNREADABLE:", "ROOT_GONE", "ROOT_BACK"};
    static char text[8192];
    const notify_change *changes;
    uint32_t count, told = 0;
    size_t size = 0;
    text[0] = 0;
    do {
        assert_true(notify_wait(n, timeout_ms, &changes, &count));
        for (uint32_t i = 0; i < count; i++) {
            if (polls && changes[i].kind == NOTIFY_POLLING) { continue; }
            told++;
            if (size > sizeof text - 400) { continue; }
            size += (size_t)snprintf(text + size, sizeof text - size, "%s%s%s%s", size > 0 ? " " : "",
                                     words[changes[i].kind], changes[i].path, changes[i].link ? "@" : "");
        }
    } while (count > 0 && told == 0);
    return text;
}

static void start_with(notify_def def) {
    def.quiet_ms = QUIET_MS;
    def.gone_ms = GONE_MS;
    def.open_ms = OPEN_MS;
    def.group_ms = GROUP_MS;
    def.poll_ms = POLL_MS;
    n = notify_new(root, &def);
    assert_non_null(n);
}

static void start(const char *there) {
    start_with((notify_def){.watch_max = polls ? NOTIFY_NO_WATCHES : 0});
    assert_string_equal(next_told(*there != 0 ? LONG_MS : 150), there);
}

#define TOLD(text) assert_string_equal(next_told(LONG_MS), text)
static void nothing_more(void) { assert_string_equal(next_told(GONE_MS + 2 * POLL_MS), ""); }

// ---- Files ----

static void what_is_there_is_told_in_order(void **state) {
    (void)state;
    make("b");
    make("b/c");
    make("empty");
    put("z.json", "1");
    put("b/c/x.json", "1");
    put("a.json", "1");
    put("b.json", "1");
    start("+a.json +b.json +b/c/x.json +z.json");
    assert_true(notify_has(n, "b/c/x.json"));
    assert_false(notify_has(n, "b/c"));
    assert_false(notify_has(n, "b/c/y.json"));
    assert_false(notify_has(n, "nowhere/x.json"));
    nothing_more();
}

static void files_come_change_and_go(void **state) {
    (void)state;
    start("");
    put("a.json", "1");
    TOLD("+a.json");
    put("a.json", "12");
    TOLD("*a.json");
    take_away("a.json");
    TOLD("-a.json");
    put("a.json", "1");
    put("b.json", "1");
    take_away("a.json"); // before anybody was told
    TOLD("+b.json");
    nothing_more();
    assert_int_equal(notify_count(n).files, 1);
}

static void editors_save_in_their_ways(void **state) {
    (void)state;
    put("a.json", "first");
    start("+a.json");
    put("4913", ""); // vim
    take_away("4913");
    move("a.json", "a.json~");
    put("a.json", "second");
    take_away("a.json~");
    TOLD("*a.json");
    put("a.json", "in place"); // VS Code
    TOLD("*a.json");
    put("a.json___jb_tmp___", "third"); // JetBrains
    move("a.json", "a.json___jb_old___");
    move("a.json___jb_tmp___", "a.json");
    take_away("a.json___jb_old___");
    TOLD("*a.json");
    put("sedA1b2", "fourth"); // a name that could be anybody's
    move("sedA1b2", "a.json");
    TOLD("*a.json");
    put(".a.json.swp", "x");
    put("#a.json#", "x");
    put("a.json.tmp", "x");
    nothing_more();
}

static void one_that_is_away_for_a_moment_was_not_gone(void **state) {
    (void)state;
    put("a.json", "first");
    start("+a.json");
    take_away("a.json");
    assert_string_equal(next_told(GONE_MS / 2), "");
    put("a.json", "second");
    TOLD("*a.json");
    nothing_more();
}

static void one_that_is_being_written_is_not_told(void **state) {
    (void)state;
    char path[512];
    if (polls) { skip(); } // by looking one cannot tell
    start("");
    path_in("a.json", path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("half", out);
    fflush(out);
    assert_string_equal(next_told(QUIET_MS * 4), "");
    fputs(" and half", out);
    fclose(out);
    TOLD("+a.json");
    uint8_t *bytes;
    size_t size;
    assert_int_equal(notify_read(n, "a.json", 100, &bytes, &size), NOTIFY_READ);
    assert_int_equal(size, 13);
    assert_string_equal((char *)bytes, "half and half");
    free(bytes);
}

static void one_that_stays_open_is_told_in_the_end(void **state) {
    (void)state;
    char path[512];
    start("");
    path_in("a.json", path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("all of it", out);
    fflush(out);
    TOLD("+a.json");
    fclose(out); // nothing was written
    nothing_more();
}

static void *write_on(void *context) {
    for (int i = 0; i < 100; i++) {
        FILE *out = fopen(context, "a");
        if (out != NULL) {
            fputs("line\n", out);
            fclose(out);
        }
        pause_ms(QUIET_MS / 6);
    }
    return NULL;
}

static void one_that_never_rests_does_not_hold_up_the_others(void **state) {
    (void)state;
    char path[512];
    pthread_t thread;
    start("");
    path_in("log.json", path);
    assert_int_equal(pthread_create(&thread, NULL, write_on, path), 0);
    pause_ms(QUIET_MS);
    put("a.json", "1");
    const char *first = next_told(LONG_MS);
    const bool fine = strstr(first, "+a.json") != NULL;
    pthread_join(thread, NULL);
    assert_true(fine);
}

static void one_that_was_written_while_it_is_read_is_told_again(void **state) {
    (void)state;
    uint8_t *bytes;
    size_t size;
    put("a.json", "first");
    start("+a.json");
    put("a.json", "second, and longer"); // nobody has noticed yet
    assert_int_equal(notify_read(n, "a.json", 100, &bytes, &size), NOTIFY_READ_MOVING);
    assert_null(bytes);
    TOLD("*a.json");
    assert_int_equal(notify_read(n, "a.json", 5, &bytes, &size), NOTIFY_READ_LARGE);
    assert_int_equal(notify_read(n, "b.json", 5, &bytes, &size), NOTIFY_READ_GONE);
    assert_int_equal(notify_read(n, "a.json", 18, &bytes, &size), NOTIFY_READ);
    free(bytes);
}

static void a_renamed_file_goes_and_comes_at_once(void **state) {
    (void)state;
    make("d");
    put("a.json", "1");
    put("b.json", "2");
    start("+a.json +b.json");
    move("a.json", "d/c.json");
    TOLD("-a.json +d/c.json");
    move("d/c.json", "b.json"); // over one that is there
    TOLD("*b.json -d/c.json");
    nothing_more();
}

// ---- Folders ----

static void new_folders_are_seen_with_what_they_have_already(void **state) {
    (void)state;
    char from[512], to[512];
    start("");
    make("d");
    make("d/e");
    put("d/e/a.json", "1");
    TOLD("+d/e/a.json");
    put("d/e/b.json", "1");
    TOLD("+d/e/b.json");
    snprintf(from, sizeof from, "%s/outside", base); // a whole folder moved in
    assert_int_equal(mkdir(from, 0700), 0);
    snprintf(to, sizeof to, "%s/outside/c.json", base);
    fclose(fopen(to, "w"));
    path_in("in", to);
    assert_int_equal(rename(from, to), 0);
    TOLD("+in/c.json");
    assert_int_equal(rename(to, from), 0); // and out again
    TOLD("-in/c.json");
    nothing_more();
    assert_int_equal(notify_count(n).folders, 3);
}

static void moved_folders_stay_watched(void **state) {
    (void)state;
    make("d");
    make("d/e");
    put("d/a.json", "1");
    put("d/e/b.json", "1");
    start("+d/a.json +d/e/b.json");
    move("d", "f");
    TOLD("-d/a.json -d/e/b.json +f/a.json +f/e/b.json");
    put("f/e/b.json", "12");
    TOLD("*f/e/b.json");
    move("f", "d"); // and back
    TOLD("+d/a.json +d/e/b.json -f/a.json -f/e/b.json");
    put("d/e/c.json", "1");
    TOLD("+d/e/c.json");
    assert_int_equal(notify_count(n).folders, 3);
}

static void folders_that_change_places_are_told_by_their_files(void **state) {
    (void)state;
    make("d");
    make("e");
    put("d/a.json", "1");
    put("e/b.json", "1");
    start("+d/a.json +e/b.json");
    move("d", "x");
    move("e", "d");
    move("x", "e");
    TOLD("-d/a.json +d/b.json +e/a.json -e/b.json");
    put("d/b.json", "12");
    TOLD("*d/b.json");
    put("e/a.json", "12");
    TOLD("*e/a.json");
}

static void a_folder_taken_away_takes_its_files(void **state) {
    (void)state;
    char command[300];
    make("d");
    make("d/e");
    make("d/e/f");
    put("d/e/a.json", "1");
    put("b.json", "1");
    start("+b.json +d/e/a.json");
    snprintf(command, sizeof command, "rm -r %s/d", root);
    assert_int_equal(system(command), 0);
    TOLD("-d/e/a.json");
    assert_int_equal(notify_count(n).folders, 1);
    put("d", "a file by the name of the folder");
    TOLD("+d");
    take_away("d");
    make("d");
    put("d/c.json", "1");
    char both[64];
    snprintf(both, sizeof both, "%s", next_told(LONG_MS));
    if (strcmp(both, "+d/c.json") == 0) { TOLD("-d"); } else { assert_string_equal(both, "-d +d/c.json"); }
    nothing_more();
}

static void folders_that_may_not_be_read_keep_their_files(void **state) {
    (void)state;
    char path[512];
    if (geteuid() == 0) { skip(); } // who may read everything
    make("d");
    put("d/a.json", "1");
    start("+d/a.json");
    path_in("d", path);
    assert_int_equal(chmod(path, 0), 0);
    move("d", "e");
    TOLD("UNREADABLE:e");
    assert_int_equal(chmod(path, 0700), -1);
}

// ---- Links, limits ----

static void links_are_followed_within_the_folder_alone(void **state) {
    (void)state;
    char outside[256];
    uint8_t *bytes;
    size_t size;
    snprintf(outside, sizeof outside, "%s/secret.json", base);
    fclose(fopen(outside, "w"));
    make("d");
    put("d/a.json", "1");
    link_to("d/a.json", "in.json");
    link_to("d", "folder");
    link_to(outside, "out.json");
    link_to("../../secret.json", "d/out.json");
    link_to("nowhere.json", "dangling.json");
    link_to("/", "all");
    start("+d/a.json +in.json@");
    put("d/a.json", "12");
    TOLD("*d/a.json *in.json@");
    assert_int_equal(notify_read(n, "in.json", 9, &bytes, &size), NOTIFY_READ);
    free(bytes);
    assert_int_equal(notify_read(n, "out.json", 9, &bytes, &size), NOTIFY_READ_GONE);
    // A folder that becomes a link while it is known: what is read is looked at once it is open.
    char path[512], away[512];
    path_in("d", path);
    snprintf(away, sizeof away, "%s/d", base);
    assert_int_equal(rename(path, away), 0);
    link_to(away, "d");
    assert_int_equal(notify_read(n, "d/a.json", 9, &bytes, &size), NOTIFY_READ_GONE);
    TOLD("-d/a.json -in.json@");
    nothing_more();
}

static void no_more_than_so_many_are_taken(void **state) {
    (void)state;
    put("a.json", "1");
    put("b.json", "1");
    put("c.json", "1");
    start_with((notify_def){.entry_max = 3, .watch_max = polls ? NOTIFY_NO_WATCHES : 0}); // with the root
    const char *told = next_told(LONG_MS);
    if (strncmp(told, "MANY:", 5) == 0 && strchr(told, '+') == NULL) { told = next_told(LONG_MS); }
    assert_int_equal(notify_count(n).files, 2);
    assert_non_null(strchr(told, '+'));
}

static void deep_folders_end_somewhere(void **state) {
    (void)state;
    char path[512];
    size_t size = (size_t)snprintf(path, sizeof path, "%s", root);
    for (int i = 0; i < NOTIFY_DEPTH_MAX + 8; i++) {
        size += (size_t)snprintf(path + size, sizeof path - size, "/d");
        assert_int_equal(mkdir(path, 0700), 0);
    }
    start_with((notify_def){.watch_max = polls ? NOTIFY_NO_WATCHES : 0});
    assert_int_equal(strncmp(next_told(LONG_MS), "DEEP:d/d/d", 10), 0);
    assert_int_equal(notify_count(n).folders, NOTIFY_DEPTH_MAX);
    put("a.json", "1");
    TOLD("+a.json");
}

static void where_the_system_watches_no_more_it_is_looked_at(void **state) {
    (void)state;
    make("d");
    make("e");
    make("f");
    put("d/a.json", "1");
    put("e/a.json", "1");
    put("f/a.json", "1");
    start_with((notify_def){.watch_max = 2});
    const char *told = next_told(LONG_MS);
    assert_int_equal(strncmp(told, "POLLING:", 8), 0);
    if (strchr(told, '+') == NULL) { told = next_told(LONG_MS); }
    assert_non_null(strstr(told, "+d/a.json +e/a.json +f/a.json"));
    assert_int_equal(notify_count(n).polled, 2);
    put("d/a.json", "12");
    TOLD("*d/a.json");
    put("e/a.json", "12");
    TOLD("*e/a.json");
    put("f/a.json", "12");
    TOLD("*f/a.json");
    take_away("e/a.json");
    TOLD("-e/a.json");
    make("e/g");
    put("e/g/b.json", "1");
    TOLD("+e/g/b.json");
}

static void lost_events_are_made_up_for(void **state) {
    (void)state;
    char limit[32] = "16384";
    FILE *in = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (in != NULL) {
        if (fgets(limit, sizeof limit, in) == NULL) { limit[0] = 0; }
        fclose(in);
    }
    const long events = strtol(limit, NULL, 10);
    if (polls || events <= 0 || events > 100000) { skip(); }
    put("a.json", "1");
    put("b.json", "1");
    start("+a.json +b.json");
    for (long i = 0; i < events / 2 + 100; i++) { // one after the other, as the same event in succession is one
        char a[512], b[512];
        path_in(i % 2 == 0 ? "a.json" : "c.json", a);
        path_in(i % 2 == 0 ? "c.json" : "a.json", b);
        assert_int_equal(rename(a, b), 0);
    }
    put("late.json", "1");
    take_away("b.json");
    bool late = false, lost = false, gone = false;
    while (!late || !gone) {
        const char *told = next_told(LONG_MS);
        assert_true(*told != 0);
        lost = lost || strstr(told, "OVERFLOW") != NULL;
        late = late || strstr(told, "+late.json") != NULL;
        gone = gone || strstr(told, "-b.json") != NULL;
    }
    assert_true(lost);
}

static void many_files_at_once_are_told_together(void **state) {
    (void)state;
    const notify_change *changes;
    uint32_t count, all = 0, calls = 0;
    start("");
    for (int i = 0; i < 500; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%03d.json", i);
        put(name, "1");
    }
    while (all < 500) {
        assert_true(notify_wait(n, LONG_MS, &changes, &count));
        assert_true(count > 0);
        for (uint32_t i = 0; i < count; i++) { all += changes[i].kind == NOTIFY_APPEARED; }
        calls++;
    }
    assert_int_equal(all, 500);
    assert_true(calls <= 3);
}

// ---- The folder itself ----

static void the_folder_may_go_and_come_back(void **state) {
    (void)state;
    char away[256];
    make("d");
    put("d/a.json", "1");
    put("b.json", "1");
    start("+b.json +d/a.json");
    snprintf(away, sizeof away, "%s/away", base);
    assert_int_equal(rename(root, away), 0);
    TOLD("ROOT_GONE");
    nothing_more();
    assert_true(notify_has(n, "b.json"));
    assert_int_equal(mkdir(root, 0700), 0); // where a disk is to be mounted
    nothing_more();
    assert_int_equal(rmdir(root), 0);
    assert_int_equal(rename(away, root), 0);
    TOLD("ROOT_BACK");
    put("d/a.json", "12");
    TOLD("*d/a.json");
    take_away("b.json");
    TOLD("-b.json");
}

static void there_must_be_a_folder(void **state) {
    (void)state;
    char path[512];
    put("a.json", "1");
    path_in("a.json", path);
    assert_null(notify_new(path, NULL));
    assert_int_equal(errno, ENOTDIR);
    path_in("nowhere", path);
    assert_null(notify_new(path, NULL));
    assert_int_equal(errno, ENOENT);
}

static void *wake_soon(void *context) {
    pause_ms(30);
    notify_wake(context);
    return NULL;
}

static void waiting_ends_when_woken(void **state) {
    (void)state;
    pthread_t thread;
    struct timespec from, to;
    start("");
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(pthread_create(&thread, NULL, wake_soon, n), 0);
    assert_string_equal(next_told(600000), "");
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(to.tv_sec - from.tv_sec < 60);
}

static void names_that_nobody_means(void **state) {
    (void)state;
    static const char *const ignored[] = {".hidden", ".", "..", "a~", "4913", "a.swp", "#a#", "a.tmp",
                                          "a.json___jb_tmp___", "a.crdownload"};
    static const char *const meant[] = {"a.json", "4913.json", "#a", "swp", "tmp", "a.swp.json", "~a"};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) { assert_true(notify_is_ignored(ignored[i])); }
    for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++) { assert_false(notify_is_ignored(meant[i])); }
}

static bool note(void *context, const char *path, bool link) {
    char *text = context;
    if (strlen(text) > 60) { return false; }
    strcat(text, path);
    strcat(text, link ? "@ " : " ");
    return true;
}

static void files_below_a_folder_can_be_listed(void **state) {
    (void)state;
    char text[128] = "";
    make("d");
    make("d/e");
    put("d/e/a.json", "1");
    put("d/b.json", "1");
    put("d.json", "1");
    start("+d.json +d/b.json +d/e/a.json");
    assert_true(notify_each(n, "d", note, text));
    assert_string_equal(text, "d/b.json d/e/a.json ");
    text[0] = 0;
    assert_true(notify_each(n, "", note, text));
    assert_string_equal(text, "d/b.json d/e/a.json d.json "); // by parts of the names
    text[0] = 0;
    assert_true(notify_each(n, "nowhere", note, text));
    assert_string_equal(text, "");
}

#define BOTH(test)                                                                                                     \
    cmocka_unit_test_setup_teardown(test, begin, end), cmocka_unit_test_setup_teardown(test, begin_polling, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(what_is_there_is_told_in_order),
        BOTH(files_come_change_and_go),
        BOTH(editors_save_in_their_ways),
        BOTH(one_that_is_away_for_a_moment_was_not_gone),
        BOTH(one_that_is_being_written_is_not_told),
        BOTH(one_that_stays_open_is_told_in_the_end),
        BOTH(one_that_never_rests_does_not_hold_up_the_others),
        BOTH(one_that_was_written_while_it_is_read_is_told_again),
        BOTH(a_renamed_file_goes_and_comes_at_once),
        BOTH(new_folders_are_seen_with_what_they_have_already),
        BOTH(moved_folders_stay_watched),
        BOTH(folders_that_change_places_are_told_by_their_files),
        BOTH(a_folder_taken_away_takes_its_files),
        BOTH(folders_that_may_not_be_read_keep_their_files),
        BOTH(links_are_followed_within_the_folder_alone),
        BOTH(no_more_than_so_many_are_taken),
        BOTH(deep_folders_end_somewhere),
        cmocka_unit_test_setup_teardown(where_the_system_watches_no_more_it_is_looked_at, begin, end),
        cmocka_unit_test_setup_teardown(lost_events_are_made_up_for, begin, end),
        BOTH(many_files_at_once_are_told_together),
        BOTH(the_folder_may_go_and_come_back),
        cmocka_unit_test_setup_teardown(there_must_be_a_folder, begin, end),
        BOTH(waiting_ends_when_woken),
        cmocka_unit_test_setup_teardown(names_that_nobody_means, begin, end),
        BOTH(files_below_a_folder_can_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
