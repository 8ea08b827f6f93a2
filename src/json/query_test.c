// Questions about a parsed document: pointers both ways, members, what stands at a byte, places for reports, equality.
#include "json/testing.h"

static uint32_t find(const test_text *t, const char *pointer) { return zj_find(t->doc, zb_text(pointer)); }

static void pointers_that_lead_nowhere_find_nothing(void **state) {
    (void)state;
    test_text t = test_read("{\"a\":[0,1,2],\"b\":{\"c\":null},\"s\":\"x\"}");
    static const char *const wrong[] = {
        "a", "/", "//", "/A", "/a/", "/a/3", "/a/-", "/a/-1", "/a/00", "/a/01", "/a/1x", "/a/99999999999999999999",
        "/a/4294967296", "/a/0/0", "/b/d", "/b/c/x", "/s/0", "/b~", "/b~2", "/~0", "x/a", "/a/ 1", "/a/+1",
    };
    for (size_t i = 0; i < ZB_COUNT(wrong); i++) {
        if (find(&t, wrong[i]) != 0) { fail_msg("%s found something", wrong[i]); }
    }
    test_close(&t);
}

static void pointers_of_the_specification_are_found(void **state) { // the examples of RFC 6901, section 5
    (void)state;
    test_text t = test_read("{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,"
                            "\"k\\\"l\":6,\" \":7,\"m~n\":8,\"~1\":9}");
    assert_int_equal(t.status, ZO_OK);
    static const struct { const char *pointer, *source; } cases[] = {
        {"/foo", "[\"bar\",\"baz\"]"}, {"/foo/0", "\"bar\""}, {"/", "0"}, {"/a~1b", "1"}, {"/c%d", "2"}, {"/e^f", "3"},
        {"/g|h", "4"}, {"/i\\j", "5"}, {"/k\"l", "6"}, {"/ ", "7"}, {"/m~0n", "8"}, {"/~01", "9"},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        const uint32_t node = find(&t, cases[i].pointer);
        assert_int_not_equal(node, 0);
        assert_true(zb_text_equal(zj_source(t.doc, node), zb_text(cases[i].source)));
        assert_string_equal(zj_pointer(&t.arena, t.doc, node), cases[i].pointer);
    }
    assert_int_equal(find(&t, ""), ZJ_ROOT);
    assert_string_equal(zj_pointer(&t.arena, t.doc, ZJ_ROOT), "");
    test_close(&t);
}

static void of_repeated_members_the_last_is_found(void **state) {
    (void)state;
    test_text t = test_read("{\"a\":1,\"b\":2,\"a\":3}");
    assert_true(zj_at(t.doc, find(&t, "/a"))->as.number == 3.0);
    assert_int_equal(zj_member(t.doc, ZJ_ROOT, ZB_TEXT("a")), find(&t, "/a"));
    assert_int_equal(zj_member(t.doc, ZJ_ROOT, ZB_TEXT("c")), 0);
    assert_int_equal(zj_member(t.doc, find(&t, "/b"), ZB_TEXT("a")), 0); // no object
    test_close(&t);
}

static void a_short_buffer_gets_whole_steps_and_the_length(void **state) {
    (void)state;
    test_text t = test_read("{\"tracks\":[0,{\"a~b\":5}]}");
    static const char whole[] = "/tracks/1/a~0b";
    const uint32_t node = find(&t, whole);
    static const size_t fits[] = {0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 9, 9, 9, 9, 9, 14, 14}; // by capacity
    for (size_t capacity = 0; capacity < ZB_COUNT(fits); capacity++) {
        char text[20];
        memset(text, '#', sizeof text);
        assert_int_equal(zj_pointer_put(t.doc, node, text, capacity), sizeof whole - 1);
        assert_int_equal(text[capacity], '#');
        if (capacity == 0) { continue; }
        assert_int_equal(strlen(text), fits[capacity]);
        assert_memory_equal(text, whole, fits[capacity]);
    }
    test_close(&t);
}

// The slow way: of all values that hold the byte (members from their key on) the shortest.
static uint32_t innermost_slowly(const zj_doc *doc, size_t offset) {
    uint32_t best = ZJ_ROOT;
    for (uint32_t i = ZJ_ROOT; i < doc->node_count; i++) {
        const zj_node *n = zj_at(doc, i);
        if (i + 1 < doc->node_count && zj_at(doc, i + 1)->key == i) { continue; } // a key
        const uint32_t begin = n->key != 0 ? zj_at(doc, n->key)->begin : n->begin;
        if (begin <= offset && offset < n->end) { best = i; } // pre-order: the later one is further in
    }
    return best;
}

static void every_byte_belongs_to_its_innermost_value(void **state) {
    (void)state;
    test_text t = test_read(" {\"a\" : [ 10 , {} ] , \"b\":\"x\"} ");
    static const struct { size_t offset; const char *pointer; } cases[] = {
        {0, ""}, {1, ""}, {2, "/a"}, {5, "/a"}, {6, "/a"}, {8, "/a"}, {10, "/a/0"}, {11, "/a/0"}, {12, "/a"},
        {15, "/a/1"},
        {16, "/a/1"}, {17, "/a"}, {18, "/a"}, {19, ""}, {20, ""}, {22, "/b"}, {27, "/b"}, {28, "/b"}, {29, ""},
        {30, ""},
        {1000, ""}, {SIZE_MAX, ""},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        assert_string_equal(zj_pointer(&t.arena, t.doc, zj_innermost(t.doc, cases[i].offset)), cases[i].pointer);
    }
    test_close(&t);

    test_document *d = malloc(sizeof *d);
    assert_non_null(d);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        test_make_document(d, seed);
        t = test_read_limited(d->loose, d->loose_size, NULL);
        for (size_t offset = 0; offset <= d->loose_size; offset += 1 + d->loose_size / 2000) {
            assert_int_equal(zj_innermost(t.doc, offset), innermost_slowly(t.doc, offset));
        }
        // And every pointer leads back.
        for (uint32_t i = ZJ_ROOT; i < t.doc->node_count; i++) {
            const uint32_t value = i + 1 < t.doc->node_count && zj_at(t.doc, i + 1)->key == i ? i + 1 : i;
            const size_t size = zj_pointer_put(t.doc, i, NULL, 0); // keys may hold U+0000, so it is not ended by zero
            assert_int_equal(zj_find(t.doc, (zo_text){zj_pointer(&t.arena, t.doc, i), size}), value);
        }
        test_close(&t);
    }
    free(d);
}

static void reports_point_at_the_value_or_its_key(void **state) {
    (void)state;
    static const char text[] = "{\"a\": [1, 22]}";
    zb_arena arena = zb_arena_open(NULL);
    zd_report *report = zd_report_open(NULL, 2, false);
    const uint32_t file = zd_report_file(report, "a.json", text, sizeof text - 1);
    const zj_doc *doc = zj_parse(&arena, text, sizeof text - 1, file, NULL, report);
    const uint32_t array = zj_find(doc, ZB_TEXT("/a")), element = zj_find(doc, ZB_TEXT("/a/1"));
    assert_int_not_equal(zj_report(doc, element, ZD_JSON_PLUS, ZD_NO_ARGS), 0);
    assert_int_not_equal(zj_report_key(doc, array, ZD_JSON_KEY, ZD_NO_ARGS), 0);
    assert_int_equal(zj_report_key(doc, element, ZD_JSON_KEY, ZD_NO_ARGS), 0); // full: counted only
    assert_null(zj_place(doc, element).pointer);
    zd_report_finish(report);
    const zo_diag *key = zo_report_at((const zo_report *)report, 0);
    const zo_diag *value = zo_report_at((const zo_report *)report, 1);
    assert_int_equal(key->place.offset, 1);
    assert_int_equal(key->place.length, 3);
    assert_string_equal(key->place.pointer, "/a");
    assert_int_equal(value->place.offset, 10);
    assert_int_equal(value->place.length, 2);
    assert_string_equal(value->place.pointer, "/a/1");
    zd_report_close(report);

    const zj_doc *silent = zj_parse(&arena, text, sizeof text - 1, 0, NULL, NULL);
    assert_int_equal(zj_report(silent, ZJ_ROOT, ZD_JSON_PLUS, ZD_NO_ARGS), 0);
    assert_int_equal(zj_report_key(silent, ZJ_ROOT, ZD_JSON_PLUS, ZD_NO_ARGS), 0);
    assert_int_equal(zj_place_key(silent, ZJ_ROOT).length, sizeof text - 1); // the root has no key
    zb_arena_close(&arena);
}

static void equality_is_by_value_and_order(void **state) {
    (void)state;
    static const struct { const char *a, *b; bool equal; } cases[] = {
        {"1", "1.0", true}, {"100", "1e2", true}, {"0", "-0", true}, {"\"a\"", "\"\\u0061\"", true}, {"[1,2]",
        "[ 1 , 2 ]", true},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2}", true}, {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false}, {"1", "2",
        false},
        {"1", "\"1\"", false}, {"[]", "{}", false}, {"[1]", "[1,1]", false}, {"[[],1]", "[[1]]", false}, {"null",
        "false", false},
        {"{\"a\":1}", "{\"b\":1}", false}, {"[[1],[2]]", "[[1],[3]]", false}, {"[[1,2]]", "[[1],2]", false}, {"\"\"",
        "\"\"", true},
        {"1e400", "1e500", true}, {"1e400", "-1e400", false},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text a = test_read(cases[i].a), b = test_read(cases[i].b);
        assert_int_equal(zj_equal(a.doc, ZJ_ROOT, b.doc, ZJ_ROOT), cases[i].equal);
        assert_int_equal(zj_equal(b.doc, ZJ_ROOT, a.doc, ZJ_ROOT), cases[i].equal);
        test_close(&a);
        test_close(&b);
    }
    test_text t = test_read("[[1,{\"x\":[2]}],[1,{\"x\":[2]}],[1,{\"x\":[2]},3]]"); // parts of one document
    assert_true(zj_equal(t.doc, find(&t, "/0"), t.doc, find(&t, "/1")));
    assert_false(zj_equal(t.doc, find(&t, "/0"), t.doc, find(&t, "/2")));
    test_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_that_lead_nowhere_find_nothing),
        cmocka_unit_test(pointers_of_the_specification_are_found),
        cmocka_unit_test(of_repeated_members_the_last_is_found),
        cmocka_unit_test(a_short_buffer_gets_whole_steps_and_the_length),
        cmocka_unit_test(every_byte_belongs_to_its_innermost_value),
        cmocka_unit_test(reports_point_at_the_value_or_its_key),
        cmocka_unit_test(equality_is_by_value_and_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
