// The store of textures: what is held stays, what is wished for comes in its order, the budget is kept but for what is
// held, and what cannot be loaded is told once. With its thread and without.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "textures.h"

enum { COUNT = 40, SIDE = 16, SIZE = SIDE * SIDE * 4, BROKEN_AT = 7 };

typedef struct source {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint32_t loaded[4096]; // in the order in which they came
    uint32_t loaded_count;
    bool gated;            // each load waits until it is let through
    uint32_t let;
    uint32_t waiting;
} source;

static void source_open(source *s) {
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->moved, NULL);
}

static void pass_gate(source *s) {
    pthread_mutex_lock(&s->lock);
    s->waiting++;
    pthread_cond_broadcast(&s->moved);
    while (s->gated && s->let == 0) { pthread_cond_wait(&s->moved, &s->lock); }
    s->let -= s->gated;
    s->waiting--;
    pthread_mutex_unlock(&s->lock);
}

static void let_one(source *s) {
    pthread_mutex_lock(&s->lock);
    s->let++;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

static void wait_for_gate(source *s) {
    pthread_mutex_lock(&s->lock);
    while (s->waiting == 0) { pthread_cond_wait(&s->moved, &s->lock); }
    pthread_mutex_unlock(&s->lock);
}

static bool load(void *context, uint32_t index, cli_texture_job *job, zo_image *image, char fault[CLI_FAULT_SIZE]) {
    source *s = context;
    pass_gate(s);
    if (index == BROKEN_AT) {
        strcpy(fault, "it is a test");
        return false;
    }
    if (!cli_textures_room(job, SIZE / 2) || !cli_textures_room(job, SIZE + 100)) { return false; }
    *image = (zo_image){malloc(SIZE), SIDE, SIDE, SIDE * 4};
    assert_non_null(image->pixels);
    memset(image->pixels, (int)index, SIZE);
    pthread_mutex_lock(&s->lock);
    if (s->loaded_count < 4096) { s->loaded[s->loaded_count++] = index; }
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    return true;
}

static void wait_for_loads(source *s, uint32_t count) {
    pthread_mutex_lock(&s->lock);
    while (s->loaded_count < count) { pthread_cond_wait(&s->moved, &s->lock); }
    pthread_mutex_unlock(&s->lock);
}

static cli_textures *open_store(source *s, uint64_t limit, bool here) {
    cli_textures *store =
        cli_textures_open(&(cli_textures_def){.count = COUNT, .limit = limit, .loader = {load, s}, .here = here});
    assert_non_null(store);
    return store;
}

static void check_taken(cli_textures *store, uint32_t index, bool wait) {
    const zo_image *image = cli_textures_take(store, index, wait);
    assert_non_null(image);
    assert_int_equal(image->pixels[0], index);
    assert_int_equal(image->pixels[SIZE - 1], index);
}

static void whoever_waits_gets_it(void **state) {
    (void)state;
    for (int here = 0; here < 2; here++) {
        source s;
        source_open(&s);
        cli_textures *store = open_store(&s, 1 << 20, here);
        for (uint32_t i = 0; i < BROKEN_AT; i++) { check_taken(store, i, true); }
        check_taken(store, 3, true); // a second time
        assert_int_equal(s.loaded_count, BROKEN_AT);
        assert_int_equal(cli_textures_get_figures(store).held, BROKEN_AT * SIZE);
        cli_textures_close(store); // with all of it taken
    }
}

static void what_cannot_be_loaded_is_told_once(void **state) {
    (void)state;
    for (int here = 0; here < 2; here++) {
        source s;
        source_open(&s);
        cli_textures *store = open_store(&s, 1 << 20, here);
        char fault[CLI_FAULT_SIZE];
        uint32_t index = 0;
        assert_false(cli_textures_next_fault(store, &index, fault));
        cli_textures_wish(store, (const cli_wish[]){{BROKEN_AT, 100, false}, {1, 50, false}}, 2);
        if (here == 0) { wait_for_loads(&s, 1); }
        assert_false(cli_textures_next_fault(store, &index, fault)); // nobody has asked for it
        assert_null(cli_textures_take(store, BROKEN_AT, true));
        assert_null(cli_textures_take(store, BROKEN_AT, true));
        assert_true(cli_textures_is_broken(store, BROKEN_AT));
        assert_true(cli_textures_next_fault(store, &index, fault));
        assert_int_equal(index, BROKEN_AT);
        assert_string_equal(fault, "it is a test");
        assert_false(cli_textures_next_fault(store, &index, fault));
        check_taken(store, 1, true); // now all loading is over
        assert_int_equal(cli_textures_get_figures(store).used, SIZE);
        cli_textures_close(store);
    }
}

static void without_waiting_it_comes_later(void **state) {
    (void)state;
    source s;
    source_open(&s);
    s.gated = true;
    cli_textures *store = open_store(&s, 1 << 20, false);
    const cli_wish wishes[] = {{1, 100, false}, {2, 100, false}};
    cli_textures_wish(store, wishes, 2);
    wait_for_gate(&s);                                  // 1 is being loaded
    assert_null(cli_textures_take(store, 9, false));    // and this one jumps the queue
    let_one(&s);
    let_one(&s);
    let_one(&s);
    wait_for_loads(&s, 3);
    assert_int_equal(s.loaded[0], 1);
    assert_int_equal(s.loaded[1], 9);
    assert_int_equal(s.loaded[2], 2);
    s.gated = false;
    check_taken(store, 9, true);
    cli_textures_close(store);
}

static void the_most_wanted_comes_first_and_what_is_only_kept_never(void **state) {
    (void)state;
    source s;
    source_open(&s);
    s.gated = true;
    cli_textures *store = open_store(&s, 1 << 20, false);
    const cli_wish wishes[] = {{4, 95, true}, {5, 90, false}, {6, 100, false}, {3, 100, false}, {5, 100, true}};
    cli_textures_wish(store, wishes, 5);
    for (int i = 0; i < 3; i++) { let_one(&s); }
    wait_for_loads(&s, 3);
    assert_int_equal(s.loaded[0], 6);
    assert_int_equal(s.loaded[1], 3);
    assert_int_equal(s.loaded[2], 5);
    cli_textures_close(store); // the thread waits for work; 4 was never asked for
    assert_int_equal(s.loaded_count, 3);
}

// Room for three and a half.
static void the_least_wanted_goes_then_the_longest_unused(void **state) {
    (void)state;
    source s;
    source_open(&s);
    cli_textures *store = open_store(&s, SIZE * 7 / 2, true);
    for (uint32_t i = 0; i < 3; i++) {
        check_taken(store, i, true);
        cli_textures_give(store, i);
    }
    check_taken(store, 0, true); // now 1 is the longest unused
    cli_textures_give(store, 0);
    check_taken(store, 3, true);
    cli_textures_give(store, 3);
    const uint32_t before = s.loaded_count;
    check_taken(store, 0, true);
    check_taken(store, 2, true);
    cli_textures_give(store, 0);
    cli_textures_give(store, 2);
    assert_int_equal(s.loaded_count, before); // both were still there
    cli_textures_wish(store, &(cli_wish){0, 80, true}, 1);
    for (uint32_t i = 10; i < 20; i++) { // whatever passes by
        check_taken(store, i, true);
        cli_textures_give(store, i);
    }
    const uint32_t passed = s.loaded_count;
    check_taken(store, 0, true); // what is wished for stayed
    assert_int_equal(s.loaded_count, passed);
    assert_int_equal(cli_textures_get_figures(store).over, 0);
    cli_textures_close(store);
}

static void only_what_is_held_passes_the_limit(void **state) {
    (void)state;
    source s;
    source_open(&s);
    cli_textures *store = open_store(&s, SIZE * 5 / 2, true);
    for (uint32_t i = 0; i < 5; i++) { check_taken(store, i, true); }
    cli_textures_figures f = cli_textures_get_figures(store);
    assert_int_equal(f.used, 5 * SIZE);
    assert_int_equal(f.held, 5 * SIZE);
    assert_int_equal(f.over, 5 * SIZE + 100 - SIZE * 5 / 2); // and what loading the last one took
    for (uint32_t i = 0; i < 5; i++) { cli_textures_give(store, i); }
    f = cli_textures_get_figures(store);
    assert_true(f.used <= SIZE * 5 / 2); // as soon as nobody holds it
    cli_textures_close(store);
}

// Two have room; the third wish finds nothing that is less wanted, waits for other wishes, and takes nobody's place.
static void wishes_do_not_push_out_their_like(void **state) {
    (void)state;
    source s;
    source_open(&s);
    cli_textures *store = open_store(&s, SIZE * 5 / 2, false);
    const cli_wish wishes[] = {{0, 100, false}, {1, 100, false}, {2, 100, false}};
    cli_textures_wish(store, wishes, 3);
    wait_for_loads(&s, 2);
    check_taken(store, 0, true);
    check_taken(store, 1, true);
    assert_int_equal(s.loaded_count, 2);
    assert_int_equal(cli_textures_get_figures(store).evictions, 0);
    cli_textures_give(store, 0);
    cli_textures_give(store, 1);
    cli_textures_wish(store, &wishes[2], 1); // now the others are not wished for
    wait_for_loads(&s, 3);
    assert_int_equal(s.loaded[2], 2);
    cli_textures_close(store);
}

static uint32_t random_below(uint32_t *seed, uint32_t limit) {
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*seed >> 8) * limit >> 24);
}

// Whatever is asked for in whatever order: pixels are those of the texture, and what is not held fits.
static void any_calls_keep_the_budget(void **state) {
    (void)state;
    source s;
    source_open(&s);
    const uint64_t limit = SIZE * 6;
    cli_textures *store = open_store(&s, limit, false);
    uint32_t seed = 5, held[4];
    uint32_t held_count = 0;
    for (int round = 0; round < 20000; round++) {
        const uint32_t index = random_below(&seed, COUNT), what = random_below(&seed, 8);
        if (what < 2) {
            cli_wish wishes[8];
            for (uint32_t i = 0; i < 8; i++) { wishes[i] = (cli_wish){(index + i) % COUNT, 100 - 5 * i, i > 5}; }
            cli_textures_wish(store, wishes, 8);
        } else if (held_count == 4 || (held_count > 0 && what < 5)) {
            cli_textures_give(store, held[--held_count]);
        } else {
            const zo_image *image = cli_textures_take(store, index, what != 7);
            if (image != NULL) {
                assert_int_equal(image->pixels[SIZE / 2], index);
                held[held_count++] = index;
            } else if (what != 7) {
                assert_int_equal(index, BROKEN_AT);
            }
        }
    }
    const cli_textures_figures f = cli_textures_get_figures(store);
    assert_int_equal(f.over, 0); // four held and one that comes are less than six
    assert_true(f.peak <= limit);
    assert_true(f.evictions > 100);
    cli_textures_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_waits_gets_it),
        cmocka_unit_test(what_cannot_be_loaded_is_told_once),
        cmocka_unit_test(without_waiting_it_comes_later),
        cmocka_unit_test(the_most_wanted_comes_first_and_what_is_only_kept_never),
        cmocka_unit_test(the_least_wanted_goes_then_the_longest_unused),
        cmocka_unit_test(only_what_is_held_passes_the_limit),
        cmocka_unit_test(wishes_do_not_push_out_their_like),
        cmocka_unit_test(any_calls_keep_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
