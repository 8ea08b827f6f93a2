// Compact texts against what ECMAScript writes: members in the order that its objects keep, numbers, escapes, depth.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/compact.h"

static void becomes_in(zj_order order, const char *text, const char *expected) {
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, text, strlen(text), 0, NULL, NULL);
    assert_non_null(doc);
    zb_buffer out = zb_buffer_open(&arena);
    zj_put_compact(&out, doc, ZJ_ROOT, order, (zj_stand_in){0});
    assert_string_equal(zb_buffer_text(&out), expected);
    zb_arena_close(&arena);
}

static void becomes(const char *text, const char *expected) { becomes_in(ZJ_ORDER_SCRIPT, text, expected); }

static void numbers_are_their_doubles(void **state) {
    (void)state;
    becomes("[1, 1.0, 1e0, 100e-2]", "[1,1,1,1]");
    becomes("[-0, 0, -0.0]", "[0,0,0]");
    becomes("[0.30000000000000004, 0.3, 0.1, 1e21, 1e-7, 123456789012345680000]",
            "[0.30000000000000004,0.3,0.1,1e+21,1e-7,123456789012345680000]");
    becomes("[1e400, -1e400]", "[null,null]");
}

static void strings_have_the_escapes_they_need(void **state) {
    (void)state;
    becomes("\"\\u0041\\/\\u00e9\"", "\"A/\xC3\xA9\"");
    becomes("\"\\b\\f\\n\\r\\t\\u0000\\u001F\\\"\\\\\"", "\"\\b\\f\\n\\r\\t\\u0000\\u001f\\\"\\\\\"");
    becomes("\"\\u007f\\ud83d\\udc19\"", "\"\x7F\xF0\x9F\x90\x99\"");
    becomes("\"\"", "\"\"");
}

static void members_stand_as_objects_keep_them(void **state) {
    (void)state;
    becomes("{ \"b\": 1, \"a\": [ ] , \"c\": { } }", "{\"b\":1,\"a\":[],\"c\":{}}");
    becomes("{\"b\":3,\"9\":2,\"a\":4,\"10\":1}", "{\"9\":2,\"10\":1,\"b\":3,\"a\":4}");
    becomes("{\"4294967295\":0,\"4294967294\":1,\"01\":2,\"-1\":3,\"1.0\":4,\"\":5,\"0\":6}",
            "{\"0\":6,\"4294967294\":1,\"4294967295\":0,\"01\":2,\"-1\":3,\"1.0\":4,\"\":5}");
    becomes("{\"99999999999\":0,\"1\":1}", "{\"1\":1,\"99999999999\":0}");
}

static void of_repeated_keys_the_last_value_stands_first(void **state) {
    (void)state;
    becomes("{\"k\":1,\"m\":0,\"k\":2}", "{\"k\":2,\"m\":0}");
    becomes("{\"k\":1,\"m\":0,\"\\u006b\":[2,{\"k\":1,\"k\":3}],\"1\":0,\"k\":{}}", "{\"1\":0,\"k\":{},\"m\":0}");
}

static void sorted_texts_do_not_know_the_order(void **state) {
    (void)state;
    becomes_in(ZJ_ORDER_SORTED, "{\"b\":[2,1],\"10\":0,\"ab\":{\"z\":1,\"y\":2},\"a\":null}",
               "{\"10\":0,\"a\":null,\"ab\":{\"y\":2,\"z\":1},\"b\":[2,1]}");
    becomes_in(ZJ_ORDER_SORTED, "{\"b\":1,\"a\":2,\"b\":3}", "{\"a\":2,\"b\":3}");
}

static void one_value_may_be_stood_in_for(void **state) {
    (void)state;
    static const char text[] = "{\"id\":\"a:b\",\"x\":{\"id\":1},\"id\":\"a:c\"}";
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, text, sizeof text - 1, 0, NULL, NULL);
    zb_buffer out = zb_buffer_open(&arena);
    const uint32_t id = zj_member(doc, ZJ_ROOT, ZB_TEXT("id"));
    zj_put_compact(&out, doc, ZJ_ROOT, ZJ_ORDER_SCRIPT, (zj_stand_in){id, ZB_TEXT("a:\"")});
    assert_string_equal(zb_buffer_text(&out), "{\"id\":\"a:\\\"\",\"x\":{\"id\":1}}");
    zb_arena_close(&arena);
}

static void depth_costs_no_stack(void **state) {
    (void)state;
    enum { DEPTH = 200000 };
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer text = zb_buffer_open(&arena);
    zb_put_repeat(&text, '[', DEPTH);
    zb_put_repeat(&text, ']', DEPTH);
    const zj_limits limits = {.depth_max = DEPTH};
    const zj_doc *doc = zj_parse(&arena, text.data, text.size, 0, &limits, NULL);
    assert_non_null(doc);
    zb_buffer out = zb_buffer_open(&arena);
    zj_put_compact(&out, doc, ZJ_ROOT, ZJ_ORDER_SCRIPT, (zj_stand_in){0});
    assert_int_equal(out.size, text.size);
    assert_memory_equal(out.data, text.data, text.size);
    zb_arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_their_doubles),
        cmocka_unit_test(strings_have_the_escapes_they_need),
        cmocka_unit_test(members_stand_as_objects_keep_them),
        cmocka_unit_test(of_repeated_keys_the_last_value_stands_first),
        cmocka_unit_test(sorted_texts_do_not_know_the_order),
        cmocka_unit_test(one_value_may_be_stood_in_for),
        cmocka_unit_test(depth_costs_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
