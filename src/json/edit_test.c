// Documents under edits: refused lists, results that are no JSON, the way back, memory that runs out, and random lists.
#include "json/testing.h"

#include "json/edit.h"

static zo_document *open_text(const char *text) {
    zo_document *document = NULL;
    assert_int_equal(zo_document_open(text, strlen(text), NULL, &document), ZO_OK);
    return document;
}

static void assert_text(const zo_document *document, const char *expected) {
    const zo_text text = zo_document_bytes(document);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
}

static zo_edit edit(size_t offset, size_t remove, const char *insert) {
    return (zo_edit){offset, remove, insert, strlen(insert)};
}

static void what_is_no_json_is_not_opened(void **state) {
    (void)state;
    zo_document *document = NULL;
    assert_int_equal(zo_document_open("", 0, NULL, &document), ZO_INVALID);
    assert_int_equal(zo_document_open(NULL, 0, NULL, &document), ZO_INVALID);
    assert_int_equal(zo_document_open("{\"a\":1,}", 8, NULL, &document), ZO_INVALID);
    char deep[2000];
    memset(deep, '[', 1000);
    memset(deep + 1000, ']', 1000);
    assert_int_equal(zo_document_open(deep, 2000, NULL, &document), ZO_LIMIT);
    assert_null(document);
    zo_document_free(NULL);
}

static void lists_out_of_order_or_bounds_are_refused(void **state) {
    (void)state;
    static const char text[] = "[1, 2, 3]";
    zo_document *document = open_text(text);
    const zo_edit lists[][2] = {
        {edit(4, 1, "5"), edit(1, 1, "5")},                                    // not sorted
        {edit(1, 4, "5"), edit(4, 1, "5")},                                    // overlapping
        {edit(1, 1, "5"), edit(10, 0, "")},                                    // beyond the end
        {edit(1, 1, "5"), edit(9, 1, "")}, {edit(1, 1, "5"), edit(4, SIZE_MAX, "6")},
        {edit(1, 1, "5"), edit(SIZE_MAX, 1, "")}, {edit(1, 1, "5"), edit(SIZE_MAX - 1, SIZE_MAX, "")},
        {edit(1, 1, "5"), {4, 1, NULL, 1}},                                    // no text
        {edit(1, 1, "5"), {4, 1, "6", SIZE_MAX}},                              // more than memory can have
        {edit(1, 1, "5"), edit(4, 1, "")}, {edit(1, 1, "5"), edit(9, 0, "x")}, // the result is no JSON
        {edit(0, 0, "\""), edit(4, 1, "5")}, {edit(1, 1, "\xFF"), edit(4, 1, "5")},
    };
    for (size_t i = 0; i < ZB_COUNT(lists); i++) {
        zo_edit inverse[2] = {edit(77, 0, ""), edit(77, 0, "")};
        assert_int_equal(zo_document_apply(document, lists[i], 2, inverse), ZO_INVALID);
        assert_text(document, text);
        assert_int_equal(inverse[0].offset, 77); // untouched
    }
    zo_range range;
    assert_true(zo_document_find(document, "/2", &range)); // and still answers
    assert_int_equal(range.offset, 7);
    zo_document_free(document);
}

static void a_result_beyond_the_limit_is_refused(void **state) {
    (void)state;
    const size_t size = (size_t)64 << 20;
    char *spaces = malloc(size);
    assert_non_null(spaces);
    memset(spaces, ' ', size);
    zo_document *document = open_text("[]");
    assert_int_equal(zo_document_apply(document, &(zo_edit){1, 0, spaces, size}, 1, NULL), ZO_LIMIT);
    assert_text(document, "[]");
    zo_document_free(document);
    free(spaces);
}

static void bytes_outside_of_edits_survive(void **state) {
    (void)state;
    static const char text[] = "{\r\n\t\"a\" : 1.50,   \"x-own\":[ 1e0 ],\n\"b\":\"\\u0061\" }\n\n";
    zo_document *document = open_text(text);
    zo_range range;
    assert_true(zo_document_find(document, "/a", &range));
    const zo_edit change = {range.offset, range.length, "2.0", 3};
    zo_edit back;
    assert_int_equal(zo_document_apply(document, &change, 1, &back), ZO_OK);
    assert_text(document, "{\r\n\t\"a\" : 2.0,   \"x-own\":[ 1e0 ],\n\"b\":\"\\u0061\" }\n\n");
    assert_int_equal(zo_document_apply(document, &back, 1, NULL), ZO_OK);
    assert_text(document, text);
    assert_int_equal(zo_document_apply(document, NULL, 0, NULL), ZO_OK);
    assert_text(document, text);
    zo_document_free(document);
}

static void insertions_at_one_place_keep_their_order(void **state) {
    (void)state;
    zo_document *document = open_text("[3]");
    const zo_edit edits[] = {edit(1, 0, "1,"), edit(1, 0, "2,"), edit(1, 1, "30"), edit(2, 0, ",4"), edit(3, 0, " ")};
    zo_edit back[5], forth[5];
    assert_int_equal(zo_document_apply(document, edits, 5, back), ZO_OK);
    assert_text(document, "[1,2,30,4] ");
    // The inverse's texts are the document's own; undo and redo may go on for ever.
    for (int i = 0; i < 3; i++) {
        assert_int_equal(zo_document_apply(document, back, 5, forth), ZO_OK);
        assert_text(document, "[3]");
        assert_int_equal(zo_document_apply(document, forth, 5, back), ZO_OK);
        assert_text(document, "[1,2,30,4] ");
    }
    assert_int_equal(zo_document_apply(document, back, 5, back), ZO_OK); // into the same list
    assert_text(document, "[3]");
    zo_document_free(document);
}

static void places_have_lines_and_columns(void **state) {
    (void)state;
    zo_document *document = open_text("{\n  \"\xE5\x8B\x95\": [true,\r\n \"b\"]\n}");
    zo_range range;
    assert_false(zo_document_find(document, "/x", &range));
    assert_true(zo_document_find(document, "/\xE5\x8B\x95/1", &range));
    assert_int_equal(range.line, 3);
    assert_int_equal(range.column, 2);
    assert_int_equal(range.length, 3);
    assert_true(zo_document_find(document, "/\xE5\x8B\x95", &range));
    assert_int_equal(range.line, 2);
    assert_int_equal(range.column, 8);
    char pointer[16];
    assert_int_equal(zo_document_pointer_at(document, 0, pointer, sizeof pointer), 0);
    assert_string_equal(pointer, "");
    assert_int_equal(zo_document_pointer_at(document, 4, NULL, 0), 4);
    assert_int_equal(zo_document_pointer_at(document, 14, pointer, sizeof pointer), 6);
    assert_string_equal(pointer, "/\xE5\x8B\x95/0");
    assert_int_equal(zo_document_pointer_at(document, 999, pointer, sizeof pointer), 0);
    assert_string_equal(pointer, "");
    zo_document_free(document);
}

static void values_are_walked_through(void **state) {
    (void)state;
    zo_document *document = open_text("{\"a\": [1.50, true, null, false], \"b\\u0000\": \"x\\ny\", \"a\": 1e999, \"c\": {}}");
    zo_value whole, value, inner;
    assert_false(zo_document_value(document, 0, &value));
    assert_false(zo_document_value(document, 1000, &value));
    assert_true(zo_document_value(document, ZO_VALUE_ROOT, &whole));
    assert_int_equal(whole.kind, ZO_VALUE_OBJECT);
    assert_int_equal(whole.count, 4);
    assert_int_equal(whole.next, 0);
    assert_int_equal(whole.key.size, 0);
    assert_false(zo_document_value(document, whole.first - 1, &value)); // a key is none

    assert_true(zo_document_value(document, whole.first, &value));
    assert_int_equal(value.kind, ZO_VALUE_ARRAY);
    assert_int_equal(value.count, 4);
    static const struct {
        zo_value_kind kind;
        double number;
        const char *source;
    } items[] = {{ZO_VALUE_NUMBER, 1.5, "1.50"}, {ZO_VALUE_TRUE, 0.0, "true"}, {ZO_VALUE_NULL, 0.0, "null"},
                 {ZO_VALUE_FALSE, 0.0, "false"}};
    uint32_t id = value.first;
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++, id = inner.next) {
        assert_true(zo_document_value(document, id, &inner));
        assert_int_equal(inner.kind, items[i].kind);
        assert_true(inner.number == items[i].number);
        assert_int_equal(inner.source.size, strlen(items[i].source));
        assert_memory_equal(inner.source.data, items[i].source, inner.source.size);
    }
    assert_int_equal(id, 0);

    assert_true(zo_document_value(document, value.next, &value));
    assert_int_equal(value.kind, ZO_VALUE_STRING);
    assert_int_equal(value.key.size, 2); // with its zero byte
    assert_memory_equal(value.key.data, "b", 2);
    assert_int_equal(value.key_source.size, 9);
    assert_memory_equal(value.key_source.data, "\"b\\u0000\"", 9);
    assert_int_equal(value.text.size, 3);
    assert_memory_equal(value.text.data, "x\ny", 3);
    assert_int_equal(value.source.size, 6);

    assert_true(zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "a"), &value)); // the last
    assert_int_equal(value.kind, ZO_VALUE_NUMBER);
    assert_true(value.number > 1e308);
    assert_true(zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "c"), &value));
    assert_int_equal(value.kind, ZO_VALUE_OBJECT);
    assert_int_equal(value.first, 0);
    assert_int_equal(zo_document_member(document, ZO_VALUE_ROOT, "b"), 0);
    assert_int_equal(zo_document_member(document, whole.first, "a"), 0);
    assert_int_equal(zo_document_member(document, 0, "a"), 0);
    zo_document_free(document);
}

static void memory_that_runs_out_changes_nothing(void **state) {
    (void)state;
    const char text[] = "{\"a\":\"\\n\"}", changed[] = "{\"a\":\"\\t\"}";
    const zo_edit change = edit(7, 1, "t");
    bool done = false;
    for (uint32_t n = 1; !done; n++) {
        test_memory memory = {.fail_at = n};
        const zo_allocator allocator = test_allocator(&memory);
        zo_document *document = NULL;
        const zo_status opened = zo_document_open(text, sizeof text - 1, &allocator, &document);
        if (opened == ZO_OK) {
            const zo_status applied = zo_document_apply(document, &change, 1, NULL);
            assert_true(applied == ZO_OK || applied == ZO_NO_MEMORY);
            assert_text(document, applied == ZO_OK ? changed : text);
            zo_range range;
            assert_true(zo_document_find(document, "/a", &range));
            if (applied == ZO_NO_MEMORY) { // the next try has memory again
                assert_int_equal(zo_document_apply(document, &change, 1, NULL), ZO_OK);
                assert_text(document, changed);
            }
            done = memory.alloc_count < n;
        } else {
            assert_int_equal(opened, ZO_NO_MEMORY);
            assert_null(document);
        }
        zo_document_free(document);
        assert_int_equal(memory.now, 0);
        assert_true(n < 50);
    }
}

// A random list that often leaves JSON behind: values replaced by others, elements repeated, white space, and rubbish.
static uint32_t make_edits(const zo_document *document, test_random *r, zo_edit *edits, uint32_t capacity) {
    static const char *const texts[] = {"0", "null", "[]", "{\"n\":[1,2]}", "\"\\u00e9\"", "-1.25e3", "[true,[false]]"};
    const zo_text text = zo_document_bytes(document);
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, text.data, text.size, 0, NULL, NULL);
    uint32_t count = 0;
    size_t done = 0;
    for (uint32_t i = ZJ_ROOT; i < doc->node_count && count < capacity; i++) {
        const zj_node *n = zj_at(doc, i);
        const bool key = i + 1 < doc->node_count && zj_at(doc, i + 1)->key == i;
        if (key || n->begin < done || test_below(r, 6) != 0) { continue; }
        const char *insert = texts[test_below(r, ZB_COUNT(texts))];
        const uint32_t kind = test_below(r, 40);
        if (kind == 0) { // rubbish
            edits[count++] = edit(n->begin, 1, "}");
            done = n->begin + 1;
        } else if (kind < 10) {
            edits[count++] = edit(n->begin, 0, "\n\t ");
            done = n->begin;
        } else if (n->kind < ZJ_ARRAY || test_below(r, 4) == 0) {
            edits[count++] = edit(n->begin, n->end - n->begin, insert);
            done = n->end;
        }
    }
    zb_arena_close(&arena);
    return count;
}

static void random_edits_and_their_way_back(void **state) {
    (void)state;
    test_document *d = malloc(sizeof *d);
    char *expected = malloc(8 * (size_t)TEST_TEXT_MAX), *before = malloc(8 * (size_t)TEST_TEXT_MAX);
    assert_true(d != NULL && expected != NULL && before != NULL);
    test_random r = {.seed = 11};
    uint32_t applied = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        test_make_document(d, seed);
        zo_document *document = NULL;
        assert_int_equal(zo_document_open(d->loose, d->loose_size, NULL, &document), ZO_OK);
        for (int step = 0; step < 8; step++) {
            zo_edit edits[20], inverse[20], again[20];
            const uint32_t count = make_edits(document, &r, edits, 1 + test_below(&r, 20));
            const zo_text old = zo_document_bytes(document);
            assert_true(old.size < 4 * (size_t)TEST_TEXT_MAX);
            memcpy(before, old.data, old.size);
            const size_t before_size = old.size;

            size_t size = 0; // the expected result, put together by hand
            size_t at = 0;
            for (uint32_t i = 0; i < count; i++) {
                for (; at < edits[i].offset; at++) { expected[size++] = before[at]; }
                for (size_t k = 0; k < edits[i].insert_size; k++) { expected[size++] = edits[i].insert[k]; }
                at += edits[i].remove;
            }
            for (; at < before_size; at++) { expected[size++] = before[at]; }

            const zo_status status = zo_document_apply(document, edits, count, inverse);
            const zo_text now = zo_document_bytes(document);
            if (status != ZO_OK) {
                assert_int_equal(status, ZO_INVALID);
                assert_int_equal(now.size, before_size);
                assert_memory_equal(now.data, before, before_size);
                refused++;
                continue;
            }
            applied++;
            assert_int_equal(now.size, size);
            assert_memory_equal(now.data, expected, size);
            assert_int_equal(zo_document_apply(document, inverse, count, again), ZO_OK);
            assert_int_equal(zo_document_bytes(document).size, before_size);
            assert_memory_equal(zo_document_bytes(document).data, before, before_size);
            assert_int_equal(zo_document_apply(document, again, count, NULL), ZO_OK);
            assert_int_equal(zo_document_bytes(document).size, size);
            assert_memory_equal(zo_document_bytes(document).data, expected, size);
        }
        zo_document_free(document);
    }
    assert_true(applied > 200 && refused > 20);
    free(d);
    free(expected);
    free(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_json_is_not_opened),
        cmocka_unit_test(lists_out_of_order_or_bounds_are_refused),
        cmocka_unit_test(a_result_beyond_the_limit_is_refused),
        cmocka_unit_test(bytes_outside_of_edits_survive),
        cmocka_unit_test(insertions_at_one_place_keep_their_order),
        cmocka_unit_test(places_have_lines_and_columns),
        cmocka_unit_test(values_are_walked_through),
        cmocka_unit_test(memory_that_runs_out_changes_nothing),
        cmocka_unit_test(random_edits_and_their_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
