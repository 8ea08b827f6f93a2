// Replies kept in memory: what is kept is given back, what has changed never is, and there is a bound.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "host/api_internal.h"

enum { ROUGHLY = 2000 }; // bytes that an entry of 100 bytes weighs at most

static http_body *body_of(const char *text) {
    http_body *body = http_body_new("text/plain", text, strlen(text), "1", NULL);
    assert_non_null(body);
    return body;
}

static bool has(api_cache *cache, api_view view, store_area area, const char *id) {
    http_body *body = api_cache_get(cache, view, area, id);
    http_body_free(body);
    return body != NULL;
}

static void keep(api_cache *cache, api_view view, store_area area, const char *id, uint64_t mark, size_t size) {
    http_body *body = body_of(id);
    api_cache_put(cache, view, area, id, mark, body, size);
    http_body_free(body);
}

static void views_and_areas_are_apart(void **state) {
    (void)state;
    api_cache *cache = api_cache_new(1 << 20);
    assert_non_null(cache);
    keep(cache, API_WHOLE, STORE_ITEM, "a", api_cache_mark(cache, STORE_ITEM, "a"), 100);
    assert_true(has(cache, API_WHOLE, STORE_ITEM, "a"));
    assert_false(has(cache, API_CONTENT, STORE_ITEM, "a"));
    assert_false(has(cache, API_WHOLE, STORE_PET, "a"));
    assert_false(has(cache, API_WHOLE, STORE_ITEM, "b"));
    keep(cache, API_CONTENT, STORE_ITEM, "a", api_cache_mark(cache, STORE_ITEM, "a"), 100);
    api_cache_forget(cache, STORE_PET, "a");
    assert_true(has(cache, API_WHOLE, STORE_ITEM, "a") && has(cache, API_CONTENT, STORE_ITEM, "a"));
    api_cache_forget(cache, STORE_ITEM, "a");
    assert_false(has(cache, API_WHOLE, STORE_ITEM, "a") || has(cache, API_CONTENT, STORE_ITEM, "a"));
    api_cache_free(cache);
    api_cache_free(NULL);
}

static void what_was_read_before_a_change_is_not_kept(void **state) {
    (void)state;
    api_cache *cache = api_cache_new(1 << 20);
    const uint64_t before = api_cache_mark(cache, STORE_ITEM, "a"); // then it is read,
    api_cache_forget(cache, STORE_ITEM, "a");                       // changes,
    keep(cache, API_WHOLE, STORE_ITEM, "a", before, 100);           // and what was read is old
    assert_false(has(cache, API_WHOLE, STORE_ITEM, "a"));
    keep(cache, API_WHOLE, STORE_ITEM, "a", api_cache_mark(cache, STORE_ITEM, "a"), 100);
    assert_true(has(cache, API_WHOLE, STORE_ITEM, "a"));
    api_cache_free(cache);
}

static void the_oldest_goes_first(void **state) {
    (void)state;
    api_cache *cache = api_cache_new(100 * ROUGHLY);
    char id[16];
    uint64_t size, hits, misses;
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "id-%d", i);
        keep(cache, API_WHOLE, STORE_ITEM, id, api_cache_mark(cache, STORE_ITEM, id), 100);
        assert_true(has(cache, API_WHOLE, STORE_ITEM, id));
        assert_true(i == 0 || has(cache, API_WHOLE, STORE_ITEM, "id-0")); // asked for all the time
        api_cache_metrics(cache, &size, &hits, &misses);
        assert_true(size <= 100 * ROUGHLY);
    }
    assert_true(has(cache, API_WHOLE, STORE_ITEM, "id-950"));
    assert_false(has(cache, API_WHOLE, STORE_ITEM, "id-1"));
    keep(cache, API_CONTENT, STORE_ITEM, "large", api_cache_mark(cache, STORE_ITEM, "large"), 100 * ROUGHLY);
    assert_false(has(cache, API_CONTENT, STORE_ITEM, "large")); // nothing is put out for what does not fit
    assert_true(has(cache, API_WHOLE, STORE_ITEM, "id-950"));
    api_cache_metrics(cache, &size, &hits, &misses);
    assert_int_equal(misses, 1001);
    assert_true(hits > 1000);
    api_cache_free(cache);
}

static void a_reply_that_is_sent_outlives_its_place(void **state) {
    (void)state;
    api_cache *cache = api_cache_new(1 << 20);
    keep(cache, API_WHOLE, STORE_ITEM, "a", api_cache_mark(cache, STORE_ITEM, "a"), 100);
    keep(cache, API_WHOLE, STORE_ITEM, "a", api_cache_mark(cache, STORE_ITEM, "a"), 100); // in place of itself
    http_body *body = api_cache_get(cache, API_WHOLE, STORE_ITEM, "a");
    assert_non_null(body);
    api_cache_forget(cache, STORE_ITEM, "a");
    api_cache_free(cache);
    http_body_free(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_and_areas_are_apart),
        cmocka_unit_test(what_was_read_before_a_change_is_not_kept),
        cmocka_unit_test(the_oldest_goes_first),
        cmocka_unit_test(a_reply_that_is_sent_outlives_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
