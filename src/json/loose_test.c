// What is read although it is no JSON: it says the same as its strict writing, keeps its places, is told as often as
// promised, and is refused where nobody asked for lenience.
#include "json/testing.h"

static const zj_limits loose = {.lenient = ZJ_LOOSE}, all = {.lenient = ZJ_LOOSE | ZJ_MISSING_COMMAS};

static void the_same_is_said_as_in_strict_writing(void **state) {
    (void)state;
    static const struct { const char *text, *strict; uint32_t told; } cases[] = {
        {"{'a':'b'}", "{\"a\":\"b\"}", 1},
        {"['it''s']", NULL, 0},
        {"['a\"b', 'c\\'d', 'e\\nf', '\xE5\x8B\x95']", "[\"a\\\"b\", \"c'd\", \"e\\nf\", \"\xE5\x8B\x95\"]", 1},
        {"[\"it\\'s\"]", "[\"it's\"]", 0},
        {"{a:b}", "{\"a\":\"b\"}", 1},
        {"[truely, nulls, false_, true, +1, .5, a.b-c, x\xC3\xA9y]",
         "[\"truely\", \"nulls\", \"false_\", true, \"+1\", \".5\", \"a.b-c\", \"x\xC3\xA9y\"]", 1},
        {"[01, -.5, 5., -, 2x, 1e, 1e+x, 1.2.3, --1, -01, 0x1F]",
         "[\"01\", \"-.5\", \"5.\", \"-\", \"2x\", \"1e\", \"1e+x\", \"1.2.3\", \"--1\", \"-01\", \"0x1F\"]", 1},
        {"[0, -0, 10, 0.5, -1.25e-3, 1E+2,7]", "[0, -0, 10, 0.5, -1.25e-3, 1E+2, 7]", 0},
        {"[1#\n,2/**/,3;4]", "[1, 2, 3, 4]", 2},
        {"{true:1}", "{\"true\":1}", 1},
        {"{\"a\":1;\"b\":[1;2]}", "{\"a\":1,\"b\":[1,2]}", 1},
        {"{\"a\"=1,\"b\"=>2}", "{\"a\":1,\"b\":2}", 1},
        {"# one\n[1, # two\n2] # three", "[1,2]", 1},
        {"#*\n[1]#", "[1]", 1},
        {"[1,]", "[1]", 1},
        {"{\"a\":[1,],\"b\":{\"c\":1,},}", "{\"a\":[1],\"b\":{\"c\":1}}", 3},
        {"// head\n{'a'=b;c:'d',}", "{\"a\":\"b\",\"c\":\"d\"}", 6},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text t = test_read_limited(cases[i].text, strlen(cases[i].text), &loose);
        if (cases[i].strict == NULL) {
            assert_int_equal(t.status, ZO_INVALID);
            test_close(&t);
            continue;
        }
        assert_int_equal(t.status, ZO_OK);
        test_text strict = test_read(cases[i].strict);
        assert_int_equal(strict.status, ZO_OK);
        if (!zj_equal(t.doc, ZJ_ROOT, strict.doc, ZJ_ROOT)) { fail_msg("%s", cases[i].text); }
        assert_int_equal(test_diag_count(&t), cases[i].told);
        assert_int_equal(zo_report_total((zo_report *)t.report, ZO_ERROR), 0);
        assert_int_equal(t.doc->loose, cases[i].told > 0);
        test_close(&strict);
        test_close(&t);
    }
}

static void places_are_those_of_the_source(void **state) {
    (void)state;
    static const char text[] = "{ a : 'b c' ; \"d\" = word }";
    test_text t = test_read_limited(text, sizeof text - 1, &loose);
    assert_int_equal(t.status, ZO_OK);
    const uint32_t a = zj_member(t.doc, ZJ_ROOT, ZB_TEXT("a")), d = zj_member(t.doc, ZJ_ROOT, ZB_TEXT("d"));
    assert_true(zb_text_equal(zj_source(t.doc, a), ZB_TEXT("'b c'")));
    assert_true(zb_text_equal(zj_text(t.doc, a), ZB_TEXT("b c")));
    assert_true(zb_text_equal(zj_source(t.doc, zj_at(t.doc, a)->key), ZB_TEXT("a")));
    assert_true(zb_text_equal(zj_source(t.doc, d), ZB_TEXT("word")));
    assert_int_equal(zj_find(t.doc, ZB_TEXT("/d")), d);
    assert_int_equal(zj_innermost(t.doc, zj_at(t.doc, a)->begin + 2), a);
    test_close(&t);
}

static void a_comma_may_be_missing_before_a_key_on_a_new_line(void **state) {
    (void)state;
    static const char text[] = "{\"a\": 4 \n\t\"b\": {\"c\":1\r\"d\":[]\n}\n\"e\":2}";
    test_text t = test_read_limited(text, sizeof text - 1, &all);
    assert_int_equal(t.status, ZO_OK);
    test_text strict = test_read("{\"a\":4,\"b\":{\"c\":1,\"d\":[]},\"e\":2}");
    assert_true(zj_equal(t.doc, ZJ_ROOT, strict.doc, ZJ_ROOT));
    assert_int_equal(test_diag_count(&t), 3); // each time
    static const size_t offsets[] = {7, 21, 30};
    for (uint32_t i = 0; i < 3; i++) {
        const zo_diag *diag = test_diag(&t, i);
        assert_string_equal(diag->id, "json/missing-comma");
        assert_int_equal(diag->severity, ZO_WARNING);
        assert_int_equal(diag->place.offset, offsets[i]);
        assert_int_equal(diag->edit_count, 1); // the comma, where it belongs
        assert_int_equal(diag->edits[0].offset, offsets[i]);
        assert_int_equal(diag->edits[0].remove, 0);
        assert_string_equal(diag->edits[0].insert, ",");
    }
    test_close(&strict);
    test_close(&t);

    static const char *const refused[] = {"{\"a\":1 \"b\":2}", "[1\n2]", "[\"a\"\n\"b\"]", "{\"a\":1\nb:2}"};
    for (size_t i = 0; i < ZB_COUNT(refused); i++) {
        test_text bad = test_read_limited(refused[i], strlen(refused[i]), &all);
        assert_int_equal(bad.status, ZO_INVALID);
        test_close(&bad);
    }
    test_text unasked = test_read_limited(text, sizeof text - 1, &loose);
    assert_int_equal(unasked.status, ZO_INVALID);
    assert_string_equal(test_diag(&unasked, 0)->id, "json/missing-comma");
    assert_int_equal(test_diag(&unasked, 0)->severity, ZO_ERROR);
    test_close(&unasked);
}

static void a_trailing_comma_is_a_warning_with_its_fix(void **state) {
    (void)state;
    test_text t = test_read_limited("[1,2 , ]", 8, &loose);
    assert_int_equal(t.status, ZO_OK);
    assert_int_equal(zj_at(t.doc, ZJ_ROOT)->as.items.count, 2);
    const zo_diag *diag = test_diag(&t, 0);
    assert_string_equal(diag->id, "json/trailing-comma");
    assert_int_equal(diag->severity, ZO_WARNING);
    assert_int_equal(diag->edits[0].offset, 5);
    assert_int_equal(diag->edits[0].remove, 1);
    test_close(&t);
}

static void what_nobody_reads_stays_a_fault(void **state) {
    (void)state;
    static const struct { const char *text, *id; } cases[] = {
        {"", "json/empty"},           {"{\"a\": #iden", "json/end"},       {"[1,,2]", "json/missing-value"},
        {"[,]", "json/missing-value"}, {"{,}", "json/key"},                {"{a b}", "json/missing-colon"},
        {"[1} ", "json/bracket"},     {"{} x", "json/after-end"},          {"a b", "json/after-end"},
        {"['a", "json/unterminated"}, {"['a\n']", "json/newline"},         {"['\xC3']", "json/utf8"},
        {"[a\xC3]", "json/utf8"},     {"[\xE2\x80\x9C" "a]", "json/curly-quote"}, {"{a:}", "json/missing-value"},
        {"['\\q']", "json/escape"},   {"[\"a\" \"b\"]", "json/missing-comma"}, {"/* open", "json/comment-open"},
        {"{\"a\":1,;}", "json/key"},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text t = test_read_limited(cases[i].text, strlen(cases[i].text), &all);
        assert_int_equal(t.status, ZO_INVALID);
        uint32_t error = 0;
        while (test_diag(&t, error)->severity != ZO_ERROR) { error++; }
        if (strcmp(test_diag(&t, error)->id, cases[i].id) != 0) { fail_msg("%s", cases[i].text); }
        assert_int_equal(zo_report_total((zo_report *)t.report, ZO_ERROR), 1);
        test_close(&t);
    }
}

static void the_end_of_a_text_is_never_passed(void **state) {
    (void)state;
    static const char text[] = "# a\n{'b\\'c'= d;e=>['f',g#\n,],\"h\":1\n\"i\":\xC3\xA9 /*j*/}";
    for (size_t size = 0; size <= sizeof text - 1; size++) { // each block has its size: a sanitizer sees more
        test_text t = test_read_limited(text, size, &all);
        assert_int_equal(zo_report_total((zo_report *)t.report, ZO_ERROR), t.status == ZO_OK ? 0 : 1);
        test_close(&t);
    }
}

static void repeated_keys_are_found_however_they_are_written(void **state) {
    (void)state;
    test_text t = test_read_limited("{a:1,'a':2,\"a\":3}", 17, &loose);
    assert_int_equal(t.status, ZO_OK);
    assert_true(zj_at(t.doc, zj_member(t.doc, ZJ_ROOT, ZB_TEXT("a")))->as.number == 3.0);
    assert_int_equal(zj_at(t.doc, ZJ_ROOT)->flags & ZJ_HAS_DUPLICATES, ZJ_HAS_DUPLICATES);
    test_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_said_as_in_strict_writing),
        cmocka_unit_test(places_are_those_of_the_source),
        cmocka_unit_test(a_comma_may_be_missing_before_a_key_on_a_new_line),
        cmocka_unit_test(a_trailing_comma_is_a_warning_with_its_fix),
        cmocka_unit_test(what_nobody_reads_stays_a_fault),
        cmocka_unit_test(the_end_of_a_text_is_never_passed),
        cmocka_unit_test(repeated_keys_are_found_however_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
