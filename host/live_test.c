// Changes to a library, told to whoever listens: each once and in order, whether this store made them, another one of
// the same file, or both at once. A second store of the file stands for another process: it shares nothing with the
// first but the file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "host/live.h"

enum { NEVER_MS = 3600000, HEARD_MAX = 4096 };

static char folder[64], path[128];
static live *told;
static store *mine, *other;

// What a listener heard. Read by the tests only when the telling is known to be over, or under its lock.
typedef struct ear {
    pthread_mutex_t lock;
    store_change heard[HEARD_MAX];
    char ids[HEARD_MAX][16];
    uint32_t count, calls;
} ear;
static ear left, right;

static void hear(void *context, const store_change *changes, uint32_t count) {
    ear *e = context;
    pthread_mutex_lock(&e->lock);
    assert_true(count > 0);
    e->calls++;
    for (uint32_t i = 0; i < count && e->count < HEARD_MAX; i++) {
        snprintf(e->ids[e->count], sizeof e->ids[0], "%s", changes[i].id);
        e->heard[e->count++] = changes[i];
    }
    pthread_mutex_unlock(&e->lock);
}

static uint32_t heard(ear *e) {
    pthread_mutex_lock(&e->lock);
    const uint32_t count = e->count;
    pthread_mutex_unlock(&e->lock);
    return count;
}

static store *open_store(live *l) {
    store *s = NULL;
    store_error error;
    const store_def def = {.busy_ms = 20000, .committed = l != NULL ? live_committed : NULL, .committed_context = l};
    if (store_open(path, &def, &s, &error) != STORE_OK) { fail_msg("%s", error.text); }
    return s;
}

static int begin(void **state) {
    (void)state;
    strcpy(folder, "/tmp/zoetrope-live-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(path, sizeof path, "%s/library.db", folder);
    pthread_mutex_init(&left.lock, NULL);
    pthread_mutex_init(&right.lock, NULL);
    left.count = right.count = left.calls = right.calls = 0;
    told = live_new();
    assert_non_null(told);
    mine = open_store(told);
    other = open_store(NULL);
    assert_true(live_listen(told, hear, &left));
    return 0;
}

static int end(void **state) {
    (void)state;
    live_stop(told);
    store_close(mine);
    store_close(other);
    live_free(told);
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void start(uint32_t look_ms) {
    store_error error;
    if (live_start(told, mine, look_ms, &error) != STORE_OK) { fail_msg("%s", error.text); }
}

// Texts under the ids "PREFIX0" and so on, in one transaction.
static void put(store *s, const char *prefix, const char *text, uint32_t count) {
    store_txn *txn = NULL;
    store_error error;
    if (store_begin(s, STORE_WRITE, &txn, &error) != STORE_OK) { fail_msg("%s", error.text); }
    for (uint32_t i = 0; i < count; i++) {
        char id[16];
        snprintf(id, sizeof id, "%s%u", prefix, i);
        const store_file file = {.name = "a.json", .bytes = text, .size = strlen(text)};
        const store_put def = {.area = STORE_ITEM, .id = id, .files = &file, .file_count = 1, .expected = STORE_ANY};
        if (store_put_item(txn, &def, NULL) != STORE_OK) { fail_msg("%s", store_error_of(txn)->text); }
    }
    if (store_commit(txn, &error) != STORE_OK) { fail_msg("%s", error.text); }
}

static void take_away(store *s, const char *id) {
    store_txn *txn = NULL;
    store_error error;
    assert_int_equal(store_begin(s, STORE_WRITE, &txn, &error), STORE_OK);
    assert_int_equal(store_delete(txn, STORE_ITEM, id, STORE_ANY), STORE_OK);
    assert_int_equal(store_commit(txn, &error), STORE_OK);
}

static void check_heard(const ear *e, int64_t first, uint32_t count) {
    assert_int_equal(e->count, count);
    for (uint32_t i = 0; i < count; i++) { assert_int_equal(e->heard[i].revision, first + i); }
}

// ---- One after the other ----

static void own_commits_are_told_before_they_return(void **state) {
    (void)state;
    start(NEVER_MS);
    put(mine, "a", "1", 3);
    check_heard(&left, 1, 3);
    assert_int_equal(left.calls, 1);
    assert_string_equal(left.ids[2], "a2");
    assert_int_equal(left.heard[2].action, STORE_CREATED);
    put(mine, "a", "1", 3); // nothing changes
    assert_int_equal(left.calls, 1);
    take_away(mine, "a1");
    check_heard(&left, 1, 4);
    assert_int_equal(left.heard[3].action, STORE_DELETED);
    assert_string_equal(left.ids[3], "a1");
    assert_int_equal(live_look(told), STORE_OK); // and not once more
    check_heard(&left, 1, 4);
}

static void others_are_found_by_looking(void **state) {
    (void)state;
    start(NEVER_MS);
    put(other, "b", "1", 2);
    check_heard(&left, 1, 0);
    assert_int_equal(live_look(told), STORE_OK);
    check_heard(&left, 1, 2);
    assert_string_equal(left.ids[1], "b1");
    assert_int_equal(live_look(told), STORE_OK);
    check_heard(&left, 1, 2);
}

static void others_come_before_an_own_commit_that_came_after_them(void **state) {
    (void)state;
    start(NEVER_MS);
    put(mine, "a", "1", 1);
    put(other, "b", "1", 2);
    put(mine, "a", "2", 1);
    check_heard(&left, 1, 4);
    assert_string_equal(left.ids[2], "b1");
    assert_string_equal(left.ids[3], "a0");
    assert_int_equal(left.heard[3].action, STORE_CHANGED);
}

static void many_at_once_are_all_told(void **state) {
    (void)state;
    start(NEVER_MS);
    put(other, "b", "1", 1500); // several batches
    assert_int_equal(live_look(told), STORE_OK);
    check_heard(&left, 1, 1500);
    put(other, "b", "2", 1500);
    put(mine, "a", "1", 1);
    check_heard(&left, 1, 3001);
}

static void what_was_there_before_is_not_told(void **state) {
    (void)state;
    put(mine, "a", "1", 2);
    put(other, "b", "1", 2);
    start(NEVER_MS);
    assert_int_equal(live_look(told), STORE_OK);
    check_heard(&left, 1, 0);
    put(mine, "a", "2", 1);
    check_heard(&left, 5, 1);
}

static void a_listener_hears_from_when_it_came_until_the_stop(void **state) {
    (void)state;
    start(NEVER_MS);
    put(mine, "a", "1", 1);
    assert_true(live_listen(told, hear, &right));
    put(mine, "a", "2", 1);
    check_heard(&left, 1, 2);
    check_heard(&right, 2, 1);
    live_stop(told);
    put(mine, "a", "3", 1);
    put(other, "a", "4", 1);
    assert_int_equal(live_look(told), STORE_OK);
    check_heard(&left, 1, 2);
    start(NEVER_MS);
    put(mine, "a", "5", 1);
    assert_int_equal(right.count, 2);
    assert_int_equal(right.heard[1].revision, 5); // 3 and 4 came while it was stopped
}

static void what_was_pruned_is_passed_over(void **state) {
    (void)state;
    store_txn *txn = NULL;
    store_error error;
    uint64_t freed;
    start(NEVER_MS);
    put(other, "b", "1", 1);
    put(other, "b", "2", 1);
    put(other, "c", "1", 1);
    assert_int_equal(store_begin(other, STORE_WRITE, &txn, &error), STORE_OK);
    assert_int_equal(store_prune(txn, 1, 0, &freed), STORE_OK);
    assert_int_equal(store_commit(txn, &error), STORE_OK);
    assert_int_equal(live_look(told), STORE_OK);
    check_heard(&left, 2, 2);
    put(mine, "a", "1", 1);
    check_heard(&left, 2, 3);
}

// ---- Its own thread ----

static void wait_for(ear *e, uint32_t count) {
    const struct timespec pause = {0, 5000000};
    for (int i = 0; i < 4000 && heard(e) < count; i++) { nanosleep(&pause, NULL); }
    assert_int_equal(heard(e), count);
}

static void the_thread_finds_others(void **state) {
    (void)state;
    start(10);
    put(other, "b", "1", 2);
    wait_for(&left, 2);
    put(mine, "a", "1", 1);
    put(other, "b", "2", 1);
    wait_for(&left, 4);
    live_stop(told);
    check_heard(&left, 1, 4);
}

static void stopping_does_not_wait_for_the_next_look(void **state) {
    (void)state;
    struct timespec from, to;
    start(NEVER_MS);
    clock_gettime(CLOCK_MONOTONIC, &from);
    live_stop(told);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(to.tv_sec - from.tv_sec < 60);
}

enum { ROUNDS = 60 };

static void *write_much(void *context) {
    store *s = context;
    char text[40], prefix[8];
    snprintf(prefix, sizeof prefix, "%c", s == mine ? 'm' : 'o'); // two threads change the same things
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(text, sizeof text, "%d of %llx", i, (unsigned long long)(uintptr_t)text); // no other thread's
        put(s, prefix, text, 1 + (uint32_t)i % 3);
        if (i % 7 == 0) { sched_yield(); }
    }
    return NULL;
}

static void each_once_and_in_order_whoever_writes(void **state) {
    (void)state;
    pthread_t threads[4];
    store *const stores[4] = {mine, other, mine, other};
    assert_true(live_listen(told, hear, &right));
    start(1);
    for (int i = 0; i < 4; i++) { assert_int_equal(pthread_create(&threads[i], NULL, write_much, stores[i]), 0); }
    for (int i = 0; i < 4; i++) { pthread_join(threads[i], NULL); }
    assert_int_equal(live_look(told), STORE_OK);
    store_txn *txn = NULL;
    store_error error;
    int64_t revision;
    assert_int_equal(store_begin(mine, STORE_READ, &txn, &error), STORE_OK);
    assert_int_equal(store_revision(txn, &revision), STORE_OK);
    store_rollback(txn);
    assert_int_equal(revision, 4 * ROUNDS * 2);
    check_heard(&left, 1, (uint32_t)revision);
    check_heard(&right, 1, (uint32_t)revision);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(own_commits_are_told_before_they_return, begin, end),
        cmocka_unit_test_setup_teardown(others_are_found_by_looking, begin, end),
        cmocka_unit_test_setup_teardown(others_come_before_an_own_commit_that_came_after_them, begin, end),
        cmocka_unit_test_setup_teardown(many_at_once_are_all_told, begin, end),
        cmocka_unit_test_setup_teardown(what_was_there_before_is_not_told, begin, end),
        cmocka_unit_test_setup_teardown(a_listener_hears_from_when_it_came_until_the_stop, begin, end),
        cmocka_unit_test_setup_teardown(what_was_pruned_is_passed_over, begin, end),
        cmocka_unit_test_setup_teardown(the_thread_finds_others, begin, end),
        cmocka_unit_test_setup_teardown(stopping_does_not_wait_for_the_next_look, begin, end),
        cmocka_unit_test_setup_teardown(each_once_and_in_order_whoever_writes, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
