// A folder kept in step while memory runs short: whatever allocation fails, in the end the library has what the folder
// has. (What the watch does when all is well is tested with the program itself: tests/host/watch.py.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/watch.h"

// The linker puts these in place of the allocating functions, in everything but the system's libraries.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

static atomic_long left = -1; // allocations until the one that fails; below 0: none does

static bool fails(void) { return atomic_load(&left) >= 0 && atomic_fetch_sub(&left, 1) == 0; }
void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return fails() ? NULL : __real_realloc(memory, size); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

enum { ROUNDS = 24, STRIDE = 31, LOOKS_MAX = 3000 };
static const char *const in_the_beginning[] = {"minimal", "enemy.idle", "user:gentle-float", "user:peekaboo", NULL};
static const char *const before_only[] = {"minimal", "enemy.idle", NULL};
static const char *const afterwards[] = {"foe.idle", "user:gentle-float", "user:peekaboo", NULL};

static bool has_all(store *s, const char *const *ids, bool there) {
    store_txn *txn = NULL;
    store_error error;
    store_item item;
    bool right = store_begin(s, STORE_READ, &txn, &error) == STORE_OK;
    for (; right && *ids != NULL; ids++) {
        right = store_get(txn, STORE_ITEM, *ids, &item) == (there ? STORE_OK : STORE_NOT_FOUND);
    }
    store_rollback(txn);
    return right;
}

static bool come_to(store *s, const char *const *there, const char *const *gone) {
    const struct timespec pause = {0, 20000000};
    bool right = false;
    for (int i = 0; i < LOOKS_MAX && !right; i++) {
        right = has_all(s, there, true) && has_all(s, gone, false);
        if (!right) { nanosleep(&pause, NULL); }
    }
    return right;
}

static int run(const char *format, const char *folder) {
    char command[1024];
    size_t size = 0;
    for (const char *at = format; *at != 0 && size + 200 < sizeof command; at++) { // % is the folder, @ the examples
        const char *text = *at == '%' ? folder : *at == '@' ? ZO_EXAMPLES : NULL;
        size += (size_t)snprintf(command + size, sizeof command - size, text != NULL ? "%s" : "%.1s",
                                 text != NULL ? text : at);
    }
    return system(command);
}

// In a process of its own, so that many can wait at once. What becomes of it is the exit code.
static int in_step_though_one_fails(long which) {
    static const char *const nothing[] = {NULL};
    char folder[] = "/tmp/zoetrope-watch-XXXXXX", path[64];
    store *s = NULL;
    store_error error;
    if (mkdtemp(folder) == NULL ||
        run("mkdir %/f && cp @/petween/gentle-float.json @/petween/peekaboo.json %/f && mkdir %/f/enemy && "
            "cp -r @/enemy/idle.json @/enemy/rig.json @/enemy/sprites.json @/enemy/sprites.png @/enemy/fx %/f/enemy && "
            "cp -r @/character-pack-minimal %/f/minimal", folder) != 0) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/library.db", folder);
    if (store_open(path, NULL, &s, &error) != STORE_OK) { return 2; }
    http_server *server = http_server_new(&(http_options){0}); // without a log
    snprintf(path, sizeof path, "%s/f", folder);
    atomic_store(&left, which);
    watch *w = watch_new(s, server, path);
    if (w == NULL) { w = watch_new(s, server, path); } // it may refuse to begin
    int result = come_to(s, in_the_beginning, nothing) ? 0 : 3;
    atomic_store(&left, which);
    if (result == 0 && run("mv %/f/enemy %/f/foe && rm -r %/f/minimal && touch %/f/peekaboo.json", folder) != 0) {
        result = 4;
    }
    if (result == 0 && !come_to(s, afterwards, before_only)) { result = 5; }
    atomic_store(&left, -1);
    watch_free(w);
    http_server_free(server);
    store_close(s);
    return run("rm -rf %", folder) == 0 ? result : 6;
}

static void whatever_allocation_fails(void **state) {
    (void)state;
    pid_t children[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        fflush(stdout);
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) { _exit(in_step_though_one_fails(i * STRIDE + i % 7)); }
    }
    int bad = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        if (status == 0) { continue; }
        print_error("allocation %d: status %d\n", i * STRIDE + i % 7, status);
        bad++;
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whatever_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
