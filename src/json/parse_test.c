// Reading of JSON: every fault with its place, limits, lack of memory, numbers against the C library, strings against
// the UTF-8 layer, fast scanning against slow, repeated keys, and random documents that must come back whole.
#include "json/testing.h"

#include <math.h>

#include "base/number.h"
#include "base/test_share.h"
#include "base/utf8.h"
#include "json/scan.h"

// ---- Faults ----

typedef struct fault_case {
    const char *text;
    size_t size;
    const char *id; // NULL: fine
    size_t offset;  // of the fault
} fault_case;

#define BAD(literal, id, offset) {(literal), sizeof(literal) - 1, (id), (offset)}
#define GOOD(literal) {(literal), sizeof(literal) - 1, NULL, 0}

static const fault_case fault_cases[] = {
    // nothing at all
    BAD("", "json/empty", 0), BAD(" ", "json/empty", 0), BAD("\n\r\n\t ", "json/empty", 0),
    BAD("\xEF\xBB\xBF", "json/empty", 0), BAD("\xEF\xBB\xBF  ", "json/empty", 0),
    // not text
    BAD("\0", "json/binary", 0), BAD("{\"a\":\0}", "json/binary", 5), BAD("\"a\0b\"", "json/binary", 2),
    BAD("[1,2]\0", "json/binary", 5), BAD("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "json/binary", 8),
    BAD("PK\3\4\24\0\0\0", "json/binary", 5), BAD("\xFF\xFE{\0}\0", "json/utf16", 0),
    BAD("\xFE\xFF\0{\0}", "json/utf16", 0), BAD("{\0}\0", "json/utf16", 0), BAD("\0{\0}", "json/utf16", 0),
    BAD("\xFF\xFE\0\0{\0\0\0", "json/utf16", 0), BAD("\xFF\xFE", "json/utf16", 0),
    // UTF-8
    BAD("\"\x80\"", "json/utf8", 1), BAD("\"\xC0\x80\"", "json/utf8", 1), BAD("\"\xC1\xBF\"", "json/utf8", 1),
    BAD("\"\xC3\"", "json/utf8", 1), BAD("\"\xE0\x9F\xBF\"", "json/utf8", 1), BAD("\"\xED\xA0\x80\"", "json/utf8", 1),
    BAD("\"\xED\xBF\xBF\"", "json/utf8", 1), BAD("\"\xE5\x8B\"", "json/utf8", 1),
    BAD("\"\xF0\x8F\xBF\xBF\"", "json/utf8", 1), BAD("\"\xF4\x90\x80\x80\"", "json/utf8", 1),
    BAD("\"\xF5\x80\x80\x80\"", "json/utf8", 1), BAD("\"\xFF\"", "json/utf8", 1), BAD("\"a\xE9\"", "json/utf8", 2),
    BAD("\"0123456789abcdef\xFE\"", "json/utf8", 17), BAD("{\"\xE9\":1}", "json/utf8", 2),
    BAD("[\xE9]", "json/utf8", 1), BAD("\"\\n\xE9\"", "json/utf8", 3), BAD("1 \xC0\x80", "json/utf8", 2),
    BAD("\xEF\xBB", "json/utf8-truncated", 0), BAD("\"\xE5", "json/utf8-truncated", 1),
    BAD("\"\xE5\x8B", "json/utf8-truncated", 1), BAD("\"\xF0\x9F\x90", "json/utf8-truncated", 1),
    BAD("\"\xC3", "json/utf8-truncated", 1), BAD("\"\xED\x9F", "json/utf8-truncated", 1),
    BAD("\"\xED\xA0", "json/utf8", 1), BAD("\"\xF4\x90", "json/utf8", 1), BAD("\"\xE0\x80", "json/utf8", 1),
    BAD("\"\xC0", "json/utf8", 1),
    // the end comes too early
    BAD("[", "json/end", 1), BAD("{", "json/end", 1), BAD("[1", "json/end", 2), BAD("[1,", "json/end", 3),
    BAD("[1,\n\n", "json/end", 3), BAD("{\"a\"", "json/end", 4), BAD("{\"a\":", "json/end", 5),
    BAD("{\"a\":1", "json/end", 6), BAD("{\"a\":1,", "json/end", 7), BAD("[[1,2]", "json/end", 6),
    BAD("{\"a\":[1,2", "json/end", 9), BAD("[{}", "json/end", 3), BAD("[ \n", "json/end", 1),
    // brackets
    BAD("[1}", "json/bracket", 2), BAD("[}", "json/bracket", 1), BAD("{\"a\":1]", "json/bracket", 6),
    BAD("{]", "json/bracket", 1), BAD("[{\"a\":[1}]", "json/bracket", 8), BAD("]", "json/unexpected", 0),
    BAD("}", "json/unexpected", 0), BAD("[1,}", "json/bracket", 3), BAD("{\"a\":1,]", "json/bracket", 7),
    // after the end
    BAD("1 2", "json/after-end", 2), BAD("{}{}", "json/after-end", 2), BAD("[]]", "json/after-end", 2),
    BAD("{}}", "json/after-end", 2), BAD("null,", "json/after-end", 4), BAD("\"a\"\"b\"", "json/after-end", 3),
    BAD("[1]\n[2]", "json/after-end", 4), BAD("true true", "json/after-end", 5), BAD("{} x", "json/after-end", 3),
    BAD("1 \xC3\xA9", "json/after-end", 2), BAD("0 '", "json/after-end", 2),
    // commas
    BAD("[1 2]", "json/missing-comma", 3), BAD("[1\n\n2]", "json/missing-comma", 4),
    BAD("[\"a\"\"b\"]", "json/missing-comma", 4), BAD("[{}{}]", "json/missing-comma", 3),
    BAD("[[] []]", "json/missing-comma", 4), BAD("{\"a\":1 \"b\":2}", "json/missing-comma", 7),
    BAD("[1 true]", "json/missing-comma", 3), BAD("[1 -2]", "json/missing-comma", 3),
    BAD("[\"a\" b]", "json/missing-comma", 5), BAD("{\"a\":\"x\"'b':2}", "json/missing-comma", 8),
    BAD("[1,]", "json/trailing-comma", 2), BAD("[1,\n ]", "json/trailing-comma", 2),
    BAD("[[1],]", "json/trailing-comma", 4), BAD("{\"a\":1,}", "json/trailing-comma", 6),
    BAD("{\"a\":{},\t}", "json/trailing-comma", 7), BAD("[1 ;2]", "json/unexpected", 3),
    BAD("[1:2]", "json/unexpected", 2), BAD("{\"a\":1:2}", "json/unexpected", 6),
    BAD("{\"a\":1;\"b\":2}", "json/unexpected", 6),
    // values
    BAD("[,]", "json/missing-value", 1), BAD("[,1]", "json/missing-value", 1), BAD("[1,,2]", "json/missing-value", 3),
    BAD("{\"a\":}", "json/missing-value", 5), BAD("{\"a\":,\"b\":1}", "json/missing-value", 5),
    BAD("{\"a\":]", "json/missing-value", 5), BAD(",", "json/unexpected", 0), BAD(":", "json/unexpected", 0),
    BAD("[:1]", "json/unexpected", 1), BAD("*", "json/unexpected", 0), BAD("[@]", "json/unexpected", 1),
    BAD("\x01", "json/unexpected", 0), BAD("[\x7F]", "json/unexpected", 1), BAD("[\f1]", "json/unexpected", 1),
    BAD("[\v1]", "json/unexpected", 1), BAD("[1\b]", "json/unexpected", 2), BAD("[`a`]", "json/unexpected", 1),
    BAD("[\xC3\xA9]", "json/unexpected", 1), BAD("(1)", "json/unexpected", 0), BAD("<html>", "json/unexpected", 0),
    BAD("\\", "json/unexpected", 0), BAD("[/]", "json/unexpected", 1), BAD("/", "json/unexpected", 0),
    // keys and colons
    BAD("{1:2}", "json/key", 1), BAD("{\"a\":1,2:3}", "json/key", 7), BAD("{[1]:2}", "json/key", 1),
    BAD("{,}", "json/key", 1), BAD("{\"a\":1,,}", "json/key", 7), BAD("{:1}", "json/key", 1),
    BAD("{{}:1}", "json/key", 1), BAD("{-1:2}", "json/key", 1), BAD("{a:1}", "json/unquoted-key", 1),
    BAD("{ $a_1 :1}", "json/unquoted-key", 2), BAD("{\"a\":1,true:2}", "json/unquoted-key", 7),
    BAD("{null:1}", "json/unquoted-key", 1), BAD("{\"a\" 1}", "json/missing-colon", 5),
    BAD("{\"a\"}", "json/missing-colon", 4), BAD("{\"a\",\"b\"}", "json/missing-colon", 4),
    BAD("{\"a\"=1}", "json/missing-colon", 4), BAD("{\"a\"\"b\"}", "json/missing-colon", 4),
    BAD("{\"a\"]", "json/missing-colon", 4), BAD("{\"a\"::1}", "json/unexpected", 5),
    // quotes and blanks of other trades
    BAD("'a'", "json/single-quote", 0), BAD("['a']", "json/single-quote", 1), BAD("{'a':1}", "json/single-quote", 1),
    BAD("['a", "json/single-quote", 1), BAD("[\xE2\x80\x9C" "a\xE2\x80\x9D]", "json/curly-quote", 1),
    BAD("{\xE2\x80\x98" "a\xE2\x80\x99:1}", "json/curly-quote", 1),
    BAD("[\xC2\xAB" "a\xC2\xBB]", "json/curly-quote", 1), BAD("[\xC2\xA0" "1]", "json/space", 1),
    BAD("[1,\xE3\x80\x80" "2]", "json/space", 3), BAD("{\"a\"\xC2\xA0:1}", "json/space", 4),
    BAD("[1]\xEF\xBB\xBF", "json/space", 3), BAD("\xEF\xBB\xBF\xEF\xBB\xBF[]", "json/space", 3),
    BAD("\xE2\x80\xA8[]", "json/space", 0), BAD("[\xE2\x80\x8B]", "json/space", 1),
    // comments
    BAD("// a\n1", "json/no-comments", 0), BAD("[1/**/]", "json/no-comments", 2),
    BAD("1 // end", "json/no-comments", 2), BAD("{\"a\"/*x*/:1}", "json/no-comments", 4),
    BAD("{ //\n}", "json/no-comments", 2), BAD("# a\n1", "json/no-comments", 0), BAD("[1] #", "json/no-comments", 4),
    // words
    BAD("True", "json/word", 0), BAD("[None]", "json/word", 1), BAD("undefined", "json/word", 0),
    BAD("tru", "json/word", 0), BAD("nul", "json/word", 0), BAD("fals", "json/word", 0), BAD("truee", "json/word", 0),
    BAD("[nulll]", "json/word", 1), BAD("false0", "json/word", 0), BAD("{\"a\":yes}", "json/word", 5),
    BAD("[a]", "json/word", 1), BAD("t", "json/word", 0), BAD("n", "json/word", 0), BAD("f", "json/word", 0),
    BAD("NULL", "json/word", 0), BAD("[true_]", "json/word", 1), BAD("NaN", "json/nan", 0),
    BAD("[nan]", "json/nan", 1), BAD("Infinity", "json/nan", 0), BAD("-Infinity", "json/nan", 0),
    BAD("[-inf]", "json/nan", 1), BAD("[+Infinity]", "json/nan", 1), BAD("{\"a\":inf}", "json/nan", 5),
    BAD("-NaN", "json/nan", 0),
    // numbers
    BAD("01", "json/leading-zero", 0), BAD("-01", "json/leading-zero", 0), BAD("[00]", "json/leading-zero", 1),
    BAD("[007.5]", "json/leading-zero", 1), BAD("+1", "json/plus", 0), BAD("[+0.5]", "json/plus", 1),
    BAD("+", "json/plus", 0), BAD(".5", "json/leading-point", 0), BAD("[-.5]", "json/leading-point", 2),
    BAD("[.]", "json/unexpected", 1), BAD("1.", "json/trailing-point", 0), BAD("[1.]", "json/trailing-point", 1),
    BAD("1.e5", "json/trailing-point", 0), BAD("-0.", "json/trailing-point", 0), BAD("1e", "json/exponent", 0),
    BAD("[1E+]", "json/exponent", 1), BAD("1.5e-", "json/exponent", 0), BAD("1ee5", "json/exponent", 0),
    BAD("[1e.5]", "json/exponent", 1), BAD("-", "json/minus", 0), BAD("[- 1]", "json/minus", 1),
    BAD("--1", "json/minus", 0), BAD("[-\"a\"]", "json/minus", 1), BAD("-a", "json/minus", 0),
    BAD("0x1F", "json/number-end", 1), BAD("[10px]", "json/number-end", 3), BAD("1.5f", "json/number-end", 3),
    BAD("1_000", "json/number-end", 1), BAD("1.2.3", "json/number-end", 3), BAD("[1e5.5]", "json/number-end", 4),
    BAD("1-2", "json/number-end", 1), BAD("[1+2]", "json/number-end", 2), BAD("0e", "json/exponent", 0),
    BAD("[0b1]", "json/number-end", 2),
    // strings
    BAD("\"", "json/unterminated", 0), BAD("\"abc", "json/unterminated", 0), BAD("[\"abc]", "json/unterminated", 1),
    BAD("\"abc\\\"", "json/unterminated", 0), BAD("\"\\", "json/unterminated", 0),
    BAD("{\"a", "json/unterminated", 1), BAD("\"\\u12", "json/unterminated", 0),
    BAD("\"0123456789abcdef0123456789abcdef", "json/unterminated", 0), BAD("\"a\nb\"", "json/newline", 2),
    BAD("\"a\r\nb\"", "json/newline", 2), BAD("[\"a\n]", "json/newline", 3), BAD("\"\\\\\n\"", "json/newline", 3),
    BAD("\"\t\"", "json/control", 1), BAD("\"\x1F\"", "json/control", 1),
    BAD("\"0123456789abcdef\x01\"", "json/control", 17), BAD("{\"a\tb\":1}", "json/control", 3),
    BAD("\"\\x41\"", "json/escape", 1), BAD("\"\\'\"", "json/escape", 1), BAD("\"ab\\ c\"", "json/escape", 3),
    BAD("\"\\\xC3\xA9\"", "json/escape", 1), BAD("\"\\U0041\"", "json/escape", 1), BAD("\"\\0\"", "json/escape", 1),
    BAD("\"\\\n\"", "json/escape", 1), BAD("\"\\u\"", "json/unicode-escape", 1),
    BAD("\"\\u12\"", "json/unicode-escape", 1), BAD("\"\\u12g4\"", "json/unicode-escape", 1),
    BAD("\"\\u+123\"", "json/unicode-escape", 1), BAD("\"\\ud800\"", "json/surrogate", 1),
    BAD("\"\\udc00\"", "json/surrogate", 1), BAD("\"\\udbff\\udbff\"", "json/surrogate", 1),
    BAD("\"\\ud83dx\"", "json/surrogate", 1), BAD("\"\\ud83d\\n\"", "json/surrogate", 1),
    BAD("\"\\ud83d\\u0041\"", "json/surrogate", 1), BAD("\"ok\\uDFFF\\uD800\"", "json/surrogate", 3),
    BAD("\"\\ud83d\\u12\"", "json/surrogate", 1),
    // fine
    GOOD("0"), GOOD("-0"), GOOD("10"), GOOD("0.0"), GOOD("1.5e+10"), GOOD("1E-2"), GOOD("0e0"), GOOD("-1e9999"),
    GOOD("123456789012345678901234567890"), GOOD("\"\""), GOOD("\"a\""), GOOD("true"), GOOD("false"), GOOD("null"),
    GOOD(" null "), GOOD("[]"), GOOD("{}"), GOOD("[ ]"), GOOD("{ }"), GOOD("[[]]"), GOOD("[{}]"), GOOD("{\"\":0}"),
    GOOD("\t[\r\n1\t,\n2 ]\n"), GOOD("{\"a\":{\"b\":[{}]}}"), GOOD("[1,\"a\",null,true,false,{},[]]"),
    GOOD("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\""), GOOD("\"\\ud83d\\ude00\""), GOOD("\"\\uDBFF\\uDFFF\""),
    GOOD("\"\xF4\x8F\xBF\xBF\""), GOOD("\"\xEF\xBF\xBF\""), GOOD("\"\xE2\x80\xA8\""), GOOD("\"\x7F\""),
    GOOD("\"\xC2\x80\""), GOOD("\"\xED\x9F\xBF\xEE\x80\x80\""), GOOD("\"// no comment /* */ #\""), GOOD("[0,-0,0.5]"),
    GOOD("{\"a\":1,\"A\":2}"), GOOD("\"'\""), GOOD("{\"a\" : 1 , \"b\" : 2}"), GOOD("\"\xEF\xBB\xBF\""),
};

static void each_fault_has_its_name_and_place(void **state) {
    (void)state;
    for (size_t i = 0; i < ZB_COUNT(fault_cases); i++) {
        const fault_case *c = &fault_cases[i];
        test_text t = test_read_limited(c->text, c->size, NULL);
        const uint32_t error_count = zo_report_total((const zo_report *)t.report, ZO_ERROR);
        const zo_diag *diag = test_diag(&t, test_diag_count(&t) - 1);
        if (c->id == NULL ? t.status != ZO_OK || test_diag_count(&t) != 0
                          : t.status != ZO_INVALID || error_count != 1 || strcmp(diag->id, c->id) != 0 ||
                                diag->place.offset != c->offset) {
            fail_msg("case %zu, %s: status %d, %u errors, %s at %zu, not %s at %zu", i, c->text, (int)t.status,
                     error_count, diag != NULL ? diag->id : "none", diag != NULL ? diag->place.offset : 0,
                     c->id ? c->id : "none", c->offset);
        }
        test_close(&t);
    }
}

static void the_end_of_a_text_is_never_passed(void **state) { // each text cut at each place, in memory of its size
    (void)state;
    for (size_t i = 0; i < ZB_COUNT(fault_cases); i++) {
        for (size_t size = 0; size < fault_cases[i].size; size++) {
            test_text t = test_read_limited(fault_cases[i].text, size, &(zj_limits){.lenient = i % 2 == 0 ? ZJ_COMMENTS : 0});
            assert_true(t.status == ZO_OK || t.status == ZO_INVALID);
            assert_true(t.status == ZO_OK || zo_report_total((const zo_report *)t.report, ZO_ERROR) == 1);
            test_close(&t);
        }
    }
}

static void a_fault_says_where_in_the_tree(void **state) {
    (void)state;
    static const struct { const char *text, *pointer; } cases[] = {
        {"{\"a\":[1,{\"b/c\":tru}]}", "/a/1/b~1c"}, {"{\"a\":[1,{\"~\":01}]}", "/a/1/~0"}, {"[[],[1,2 3]]", "/1"},
        {"[1,2,+3]", "/2"}, {"{\"a\":{\"x\":1,\"y\"}}", "/a"}, {"{\"k\\n\":\"\\x\"}", "/k\n"}, {"{\"a\":1,\"b\":}",
        "/b"},
        {"[[0,1,[2,\"\t\"]]]", "/0/2/1"}, {"{\"a\":{\"b\x01\":1}}", "/a"}, {"[0,\xE2\x80\x9C]", "/1"},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text t = test_read(cases[i].text);
        assert_int_equal(test_diag_count(&t), 1);
        assert_string_equal(test_diag(&t, 0)->place.pointer, cases[i].pointer);
        test_close(&t);
    }
}

static void second_places_are_shown(void **state) {
    (void)state;
    static const struct { const char *text; size_t offset; } cases[] = {
        {"[1, {\"a\": 2", 4}, {"{\"a\": [1, 2}", 6}, {"[1\n2]", 2}, {"[\"ab\n\"]", 1}, {"{\"x\":1,\"y\":2,\"x\":3}", 1},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text t = test_read(cases[i].text);
        assert_int_equal(test_diag_count(&t), 1);
        assert_non_null(test_diag(&t, 0)->related_message);
        assert_int_equal(test_diag(&t, 0)->related.offset, cases[i].offset);
        test_close(&t);
    }
}

static void a_word_from_elsewhere_gets_its_translation(void **state) {
    (void)state;
    static const struct { const char *text, *hint; } cases[] = {
        {"True", "write true"}, {"FALSE", "write false"}, {"None", "write null"}, {"nul", "write null"},
        {"undefined", "write null"}, {"flase", "write false"},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text t = test_read(cases[i].text);
        assert_string_equal(test_diag(&t, 0)->hint, cases[i].hint);
        test_close(&t);
    }
    test_text t = test_read("banana");
    assert_string_equal(test_diag(&t, 0)->hint, zo_rule_find("json/word")->hint);
    test_close(&t);
}

// ---- Marks and comments ----

static void a_byte_order_mark_is_noted_and_read_past(void **state) {
    (void)state;
    test_text t = test_read("\xEF\xBB\xBF{\"a\":1}");
    assert_int_equal(t.status, ZO_OK);
    assert_int_equal(test_diag_count(&t), 1);
    assert_string_equal(test_diag(&t, 0)->id, "json/bom");
    assert_int_equal(test_diag(&t, 0)->severity, ZO_NOTE);
    assert_int_equal(zj_at(t.doc, ZJ_ROOT)->begin, 3);
    test_close(&t);
}

static void comments_stand_where_white_space_may(void **state) {
    (void)state;
    static const char text[] = "/* 1 */ // 2\n{/**/\"a\"//4\n:/*5*/[/*6*/1/*7*/,/*8*/2/*9*/]/* * / */, "
                               "// \xE5\x8B\x95\n\"b\":{/*12*/},\"c\":[//13\r]} /***/ //15";
    const zj_limits limits = {.lenient = ZJ_COMMENTS};
    test_text t = test_read_limited(text, sizeof text - 1, &limits);
    assert_int_equal(t.status, ZO_OK);
    assert_true(t.doc->loose);
    assert_int_equal(test_diag_count(&t), 1); // once a text
    assert_string_equal(test_diag(&t, 0)->id, "json/comment");
    assert_int_equal(test_diag(&t, 0)->place.offset, 0);
    test_text plain = test_read("{\"a\":[1,2],\"b\":{},\"c\":[]}");
    assert_true(zj_equal(t.doc, ZJ_ROOT, plain.doc, ZJ_ROOT));
    assert_false(plain.doc->loose);
    test_close(&plain);
    test_close(&t);

    static const fault_case bad[] = {
        BAD("1 /*", "json/comment-open", 2), BAD("1 /*/", "json/comment-open", 2), BAD("/* *", "json/comment-open", 0),
        BAD("1 /", "json/after-end", 2), BAD("[1 / 2]", "json/unexpected", 3), BAD("[/**/,]", "json/missing-value", 5),
        BAD("[1,/**/]", "json/trailing-comma", 2), BAD("// \xFF\n1", "json/utf8", 3), BAD("/*\0*/ 1", "json/binary", 2),
        BAD("{\"a\":1,//\n}", "json/trailing-comma", 6), BAD("# 1\n1", "json/no-comments", 0), BAD("//", "json/empty",
        0),
    };
    for (size_t i = 0; i < ZB_COUNT(bad); i++) {
        test_text b = test_read_limited(bad[i].text, bad[i].size, &limits);
        assert_int_equal(b.status, ZO_INVALID);
        uint32_t error = 0;
        while (test_diag(&b, error)->severity != ZO_ERROR) { error++; }
        assert_string_equal(test_diag(&b, error)->id, bad[i].id);
        assert_int_equal(test_diag(&b, error)->place.offset, bad[i].offset);
        test_close(&b);
    }
}

// ---- Limits and memory ----

static void depth_ends_at_the_limit_with_one_fault(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    char *deep = malloc(COUNT);
    assert_non_null(deep);
    memset(deep, '[', COUNT);
    test_text t = test_read_limited(deep, COUNT, NULL);
    assert_int_equal(t.status, ZO_LIMIT);
    assert_int_equal(test_diag_count(&t), 1);
    assert_string_equal(test_diag(&t, 0)->id, "json/depth");
    assert_int_equal(test_diag(&t, 0)->place.offset, 512);
    test_close(&t);

    // And however deep, it costs memory for the nodes only: iteration, not recursion.
    t = test_read_limited(deep, COUNT, &(zj_limits){.depth_max = COUNT});
    assert_int_equal(t.status, ZO_INVALID);
    assert_string_equal(test_diag(&t, 0)->id, "json/end");
    test_close(&t);
    memset(deep + COUNT / 2, ']', COUNT / 2);
    t = test_read_limited(deep, COUNT, &(zj_limits){.depth_max = COUNT / 2});
    assert_int_equal(t.status, ZO_OK);
    assert_int_equal(t.doc->node_count, COUNT / 2 + 1);
    test_close(&t);

    // At the limit is within it.
    t = test_read_limited("[[[1]]]", 7, &(zj_limits){.depth_max = 3});
    assert_int_equal(t.status, ZO_OK);
    test_close(&t);
    t = test_read_limited("[[{\"a\":{}}]]", 12, &(zj_limits){.depth_max = 3});
    assert_int_equal(t.status, ZO_LIMIT);
    assert_int_equal(test_diag(&t, 0)->place.offset, 7);
    test_close(&t);
    free(deep);
}

static void size_is_checked_before_anything_is_taken(void **state) {
    (void)state;
    test_memory memory = {0};
    const zo_allocator allocator = test_allocator(&memory);
    zb_arena arena = zb_arena_open(&allocator);
    const size_t too_large = ((size_t)64 << 20) + 1; // the bytes are not read
    zj_outcome outcome = zj_parse_outcome(&arena, "[1,2]", too_large, 0, NULL, NULL);
    assert_int_equal(outcome.status, ZO_LIMIT);
    assert_null(outcome.doc);
    outcome = zj_parse_outcome(&arena, "[1,2]", SIZE_MAX, 0, &(zj_limits){.size_max = SIZE_MAX}, NULL);
    assert_int_equal(outcome.status, ZO_LIMIT); // offsets are 32 bits
    assert_int_equal(memory.alloc_count, 0);
    outcome = zj_parse_outcome(&arena, "[1,2]", 5, 0, &(zj_limits){.size_max = 5}, NULL);
    assert_int_equal(outcome.status, ZO_OK);
    zb_arena_close(&arena);

    test_text t = test_read_limited("[1,2]", 5, &(zj_limits){.size_max = 4});
    assert_int_equal(t.status, ZO_LIMIT);
    assert_int_equal(test_diag_count(&t), 1);
    assert_string_equal(test_diag(&t, 0)->id, "json/size");
    assert_int_equal(test_diag(&t, 0)->place.line, 0);
    test_close(&t);
}

static void much_white_space_takes_little_memory(void **state) {
    (void)state;
    const size_t size = (size_t)64 << 20;
    char *spaces = malloc(size);
    assert_non_null(spaces);
    memset(spaces, ' ', size);
    test_memory memory = {0};
    const zo_allocator allocator = test_allocator(&memory);
    zb_arena arena = zb_arena_open(&allocator);
    assert_int_equal(zj_parse_outcome(&arena, spaces, size, 0, NULL, NULL).status, ZO_INVALID);
    spaces[size - 1] = '7';
    zb_arena_reset(&arena);
    const zj_doc *doc = zj_parse(&arena, spaces, size, 0, NULL, NULL);
    assert_non_null(doc);
    assert_int_equal(zj_at(doc, ZJ_ROOT)->begin, size - 1);
    assert_true(memory.peak < (size_t)4 << 20);
    zb_arena_close(&arena);
    free(spaces);
}

static void memory_that_runs_out_is_said_each_time(void **state) {
    (void)state;
    // Nodes that grow twice, decoded text, a table of keys.
    enum { COUNT = 5000 };
    char *text = malloc(COUNT * 16 + 64);
    assert_non_null(text);
    size_t size = (size_t)sprintf(text, "{");
    for (int i = 0; i < COUNT; i++) { size += (size_t)sprintf(text + size, "\"\\n%d\":[],", i); }
    size += (size_t)sprintf(text + size, "\"e\":\"\\u00e9\"}");
    bool done = false;
    for (uint32_t n = 1; !done; n++) {
        test_memory memory = {.fail_at = n};
        const zo_allocator allocator = test_allocator(&memory);
        zb_arena arena = zb_arena_open(&allocator);
        const zj_outcome outcome = zj_parse_outcome(&arena, text, size, 0, NULL, NULL);
        done = memory.alloc_count < n;
        assert_int_equal(outcome.status, done ? ZO_OK : ZO_NO_MEMORY);
        assert_int_equal(outcome.doc != NULL, done);
        assert_int_equal(zb_arena_failed(&arena), !done);
        if (!done) { // failure sticks until the arena is emptied, and then all is well
            assert_int_equal(zj_parse_outcome(&arena, "1", 1, 0, NULL, NULL).status, ZO_NO_MEMORY);
            zb_arena_reset(&arena);
            assert_int_equal(zj_parse_outcome(&arena, text, size, 0, NULL, NULL).status, ZO_OK);
        }
        zb_arena_close(&arena);
        assert_int_equal(memory.now, 0);
        assert_true(n < 100);
        if (done) { assert_true(n > 3); }
    }
    free(text);
}

// ---- Numbers ----

static double read_number(const char *text) {
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, text, strlen(text), 0, NULL, NULL);
    if (doc == NULL) { fail_msg("%s was refused", text); }
    assert_int_equal(zj_kind_of(doc, ZJ_ROOT), ZJ_NUMBER);
    const zo_text kept = zj_text(doc, ZJ_ROOT);
    assert_true(zb_text_equal(kept, zb_text(text)));
    const double number = zj_at(doc, ZJ_ROOT)->as.number;
    assert_int_equal((zj_at(doc, ZJ_ROOT)->flags & ZJ_OUT_OF_RANGE) != 0, !zb_is_finite(number));
    zb_arena_close(&arena);
    return number;
}

static void same_as_strtod(const char *text) {
    const double expected = strtod(text, NULL), read = read_number(text);
    if (zb_bits_of(expected) != zb_bits_of(read)) { fail_msg("%s: read %.17g, not %.17g", text, read, expected); }
}

static void numbers_are_rounded_correctly(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0", "-0", "-0.0", "0e5", "0.000", "1e22", "1e23", "1e-22", "1e-23", "9007199254740992", "9007199254740993",
        "9007199254740992e22", "9007199254740993e22", "1e308", "1.7976931348623157e308", "1.7976931348623159e308",
        "1e309", "-1e309", "1e-323", "1e-400", "-1e-400", "4.9e-324", "2.4703282292062327208e-324",
        "1e999999999999999999",
        "1e-999999999999999999", "0e99999999999999999999", "1234567890123456789", "12345678901234567890",
        "9999999999999999999", "99999999999999999999", "18446744073709551615", "18446744073709551616",
        "0.1234567890123456789", "0.12345678901234567890123456789",
        "0.000000000000000000000000000001234567890123456789",
        "1000000000000000000000000000000.5", "123456789012345678900000000000000000000", "0.30000000000000004",
        "2.2250738585072011e-308", "8.41e21", "123456.78901234567", "12345678.12345678",
        "1.0000000000000000000000000000",
        "10000000000000000000000e-22", "9007199254740993.00000000000000000000000000000000000000000000000000000000001",
        "3.14159265358979323846264338327950288", "0.00000000000000000000e10", "100000000000000000000000000000e-50",
    };
    for (size_t i = 0; i < ZB_COUNT(texts); i++) { same_as_strtod(texts[i]); }
    test_random r = {.seed = 5};
    for (uint32_t i = 0; i < test_share(200000); i++) {
        char text[96];
        int size = sprintf(text, "%s", test_below(&r, 2) == 0 ? "-" : "");
        const uint32_t whole = test_below(&r, 3) == 0 ? 0 : 1 + test_below(&r, 22);
        if (whole == 0) { text[size++] = '0'; }
        for (uint32_t d = 0; d < whole; d++) {
            text[size++] = (char)('0' + (d == 0 ? 1 + test_below(&r, 9) : test_below(&r, 10)));
        }
        const uint32_t fraction = test_below(&r, 3) == 0 ? 0 : 1 + test_below(&r, 24);
        if (fraction > 0) { text[size++] = '.'; }
        for (uint32_t d = 0; d < fraction; d++) {
            text[size++] = (char)('0' + (test_below(&r, 4) == 0 ? 0 : test_below(&r, 10)));
        }
        text[size] = 0;
        if (test_below(&r, 2) == 0) { sprintf(text + size, "e%d", (int)test_below(&r, 700) - 350); }
        same_as_strtod(text);
    }
}

static void a_very_long_number_takes_linear_time(void **state) {
    (void)state;
    enum { SIZE = 4 << 20 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    memset(text, '0', SIZE);
    text[1] = '.';
    text[SIZE - 3] = '1';
    text[SIZE - 2] = '0';
    text[SIZE - 1] = 0;
    assert_true(read_number(text) == 0.0);
    memset(text, '9', SIZE - 1);
    assert_true(isinf(read_number(text)));
    memset(text, '0', SIZE - 1);
    text[0] = '1'; // 10^4194287 * 10^-4194290
    sprintf(text + SIZE - 16, "e-4194290");
    assert_true(read_number(text) == strtod(text, NULL));
    memset(text, '0', SIZE - 1);
    memcpy(text, "1e", 2);
    text[SIZE - 2] = '3';
    assert_true(read_number(text) == 1000.0);
    free(text);
}

// ---- Strings ----

static void strings_are_decoded(void **state) {
    (void)state;
    static const struct { const char *text, *decoded; size_t size; } cases[] = {
        {"\"\"", "", 0}, {"\"abc\"", "abc", 3}, {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
        {"\"a\\u0000b\"", "a\0b", 3},
        {"\"\\u0041\\u00e9\\u52d5\\uD83D\\ude00\"", "A\xC3\xA9\xE5\x8B\x95\xF0\x9F\x98\x80", 10},
        {"\"\xE5\x8B\x95\"", "\xE5\x8B\x95", 3}, {"\"x\\ny\xE5\x8B\x95z\\n\"", "x\ny\xE5\x8B\x95z\n", 8},
        {"\"\\u07FF\\u0800\\uFFFF\\uD800\\uDC00\\uDBFF\\uDFFF\"",
         "\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 16},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        test_text t = test_read(cases[i].text);
        assert_int_equal(t.status, ZO_OK);
        const zo_text text = zj_text(t.doc, ZJ_ROOT);
        assert_int_equal(text.size, cases[i].size);
        assert_memory_equal(text.data, cases[i].decoded, text.size);
        const bool escaped = strchr(cases[i].text, '\\') != NULL;
        assert_int_equal((zj_at(t.doc, ZJ_ROOT)->flags & ZJ_ESCAPED) != 0, escaped);
        assert_int_equal(text.data == t.bytes + 1, !escaped); // plain text is not copied
        test_close(&t);
    }
}

static void utf8_is_judged_as_by_the_base_layer(void **state) {
    (void)state;
    static const uint8_t edges[] = {0x21, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
                                    0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
    zb_arena arena = zb_arena_open(NULL);
    char text[6] = {'"', 0, 0, 0, 0, '"'};
    for (size_t n = 0; n < ZB_COUNT(edges) * ZB_COUNT(edges) * ZB_COUNT(edges) * ZB_COUNT(edges); n++) {
        size_t rest = n;
        for (int i = 1; i <= 4; i++, rest /= ZB_COUNT(edges)) { text[i] = (char)edges[rest % ZB_COUNT(edges)]; }
        zb_arena_reset(&arena);
        const bool fine = zb_utf8_valid_prefix(text, sizeof text) == sizeof text;
        assert_int_equal(zj_parse(&arena, text, sizeof text, 0, NULL, NULL) != NULL, fine);
    }
    zb_arena_close(&arena);
}

static void fast_scans_stop_where_slow_ones_do(void **state) {
    (void)state;
    enum { SIZE = 40 };
    uint8_t *bytes = malloc(SIZE);
    assert_non_null(bytes);
    for (uint32_t c = 0; c < 256; c++) {
        for (uint32_t filler = 0; filler < 256; filler++) {
            const bool plain = zj_is_plain((uint8_t)filler), space = zj_is_space((uint8_t)filler);
            if (!plain && !space) { continue; }
            for (size_t at = 0; at < SIZE; at += filler == ' ' || filler == 'a' ? 1 : 7) {
                memset(bytes, (int)filler, SIZE);
                bytes[at] = (uint8_t)c;
                const uint8_t *const end = bytes + SIZE, *slow_plain = bytes, *slow_space = bytes;
                while (slow_plain < end && zj_is_plain(*slow_plain)) { slow_plain++; }
                while (slow_space < end && zj_is_space(*slow_space)) { slow_space++; }
                assert_ptr_equal(zj_skip_plain_words(bytes, end), slow_plain);
                assert_ptr_equal(zj_skip_space_words(bytes, end), slow_space);
#if defined(__SSE2__)
                assert_ptr_equal(zj_skip_plain_sse2(bytes, end), slow_plain);
                assert_ptr_equal(zj_skip_space_sse2(bytes, end), slow_space);
#endif
            }
        }
    }
    test_random r = {.seed = 3};
    for (uint32_t i = 0; i < test_share(100000); i++) { // and stops side by side, where a borrow could reach over
        for (size_t k = 0; k < SIZE; k++) { bytes[k] = (uint8_t)test_below(&r, 256); }
        const uint8_t *const end = bytes + SIZE, *slow = bytes;
        while (slow < end && zj_is_plain(*slow)) { slow++; }
        assert_ptr_equal(zj_skip_plain_words(bytes, end), slow);
        assert_ptr_equal(zj_skip_plain(bytes, end), slow);
    }
    free(bytes);
}

// ---- Repeated keys ----

static void repeated_keys_are_kept_and_flagged(void **state) {
    (void)state;
    test_text t = test_read("{\"a\":1,\"b\":{\"x\":0},\"\\u0061\":2,\"c\":3,\"a\":4}");
    assert_int_equal(t.status, ZO_OK);
    assert_int_equal(test_diag_count(&t), 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(test_diag(&t, i)->id, "json/duplicate-key");
        assert_int_equal(test_diag(&t, i)->severity, ZO_WARNING);
        assert_int_equal(test_diag(&t, i)->related.offset, 1); // the first, both times
        assert_string_equal(test_diag(&t, i)->place.pointer, "/a");
    }
    assert_int_equal(test_diag(&t, 0)->place.offset, 19);
    assert_int_equal(zj_at(t.doc, ZJ_ROOT)->flags, ZJ_HAS_DUPLICATES);
    assert_int_equal(zj_at(t.doc, ZJ_ROOT)->as.items.count, 5);
    uint32_t flagged = 0, count = 0;
    for (uint32_t m = zj_at(t.doc, ZJ_ROOT)->as.items.first; m != 0; m = zj_at(t.doc, m)->next, count++) {
        flagged |= (zj_at(t.doc, m)->flags & ZJ_DUPLICATE) != 0 ? 1u << count : 0;
    }
    assert_int_equal(flagged, 1u << 2 | 1u << 4);
    assert_int_equal(zj_at(t.doc, zj_find(t.doc, ZB_TEXT("/b")))->flags, 0);
    test_close(&t);
}

// An object of `count` members with the keys that `key` writes; every `repeat`-th has its predecessor's (0: none).
static char *make_object(uint32_t count, uint32_t repeat, void (*key)(char *text, uint32_t n), size_t *size) {
    char *text = malloc((size_t)count * 48 + 16);
    assert_non_null(text);
    char *at = text + sprintf(text, "{");
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        key(name, repeat != 0 && i % repeat == repeat - 1 ? i - 1 : i);
        at += sprintf(at, "%s\"%s\":%u", i > 0 ? "," : "", name, (unsigned)i);
    }
    at += sprintf(at, "}");
    *size = (size_t)(at - text);
    return text;
}

static void decimal_key(char *text, uint32_t n) { sprintf(text, "key %u", (unsigned)n); }

static void one_member_of_a_large_object_is_found_repeated(void **state) {
    (void)state;
    for (uint32_t count = 2; count < 300; count += count < 40 ? 1 : 37) {
        for (uint32_t repeat = 0; repeat <= 5; repeat++) {
            size_t size;
            char *text = make_object(count, repeat == 1 ? 2 : repeat, decimal_key, &size);
            test_text t = test_read_limited(text, size, NULL);
            const uint32_t expected = repeat == 0 ? 0 : count / (repeat == 1 ? 2 : repeat);
            assert_int_equal(t.status, ZO_OK);
            assert_int_equal(zo_report_total((zo_report *)t.report, ZO_WARNING), expected);
            test_close(&t);
            free(text);
        }
    }
}

static uint32_t colliding_keys[400];

static void colliding_key(char *text, uint32_t n) { sprintf(text, "k%u", (unsigned)colliding_keys[n]); }

static void keys_chosen_to_meet_are_told_apart(void **state) {
    (void)state;
    uint32_t found = 0;
    for (uint32_t n = 0; found < ZB_COUNT(colliding_keys); n++) { // all in one place of any table up to 1024
        char text[16];
        const int size = sprintf(text, "k%u", (unsigned)n);
        if ((zb_hash_bytes(text, (size_t)size, 0) & 1023) == 5) { colliding_keys[found++] = n; }
    }
    for (uint32_t repeat = 0; repeat <= 4; repeat += 2) {
        size_t size;
        char *text = make_object(ZB_COUNT(colliding_keys), repeat, colliding_key, &size);
        test_text t = test_read_limited(text, size, NULL);
        const uint32_t expected = repeat == 0 ? 0 : (uint32_t)ZB_COUNT(colliding_keys) / repeat;
        assert_int_equal(zo_report_total((zo_report *)t.report, ZO_WARNING), expected);
        for (uint32_t m = zj_at(t.doc, ZJ_ROOT)->as.items.first, i = 0; m != 0; m = zj_at(t.doc, m)->next, i++) {
            const bool second = repeat != 0 && i % repeat == repeat - 1;
            assert_int_equal((zj_at(t.doc, m)->flags & ZJ_DUPLICATE) != 0, second);
        }
        test_close(&t);
        free(text);
    }
}

static void same_key(char *text, uint32_t n) {
    (void)n;
    sprintf(text, "same");
}

static void half_a_million_members_take_no_time(void **state) {
    (void)state;
    size_t size;
    char *text = make_object(500000, 0, decimal_key, &size);
    test_text t = test_read_limited(text, size, NULL);
    assert_int_equal(t.status, ZO_OK);
    assert_int_equal(test_diag_count(&t), 0);
    test_close(&t);
    free(text);
    text = make_object(500000, 0, same_key, &size);
    t = test_read_limited(text, size, NULL);
    assert_int_equal(t.status, ZO_OK);
    assert_int_equal(zo_report_total((zo_report *)t.report, ZO_WARNING), 499999);
    test_close(&t);
    free(text);
}

// ---- Whole documents ----

static void put_string(zb_buffer *out, zo_text text) {
    zb_put_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (c == '"' || c == '\\') { zb_put_char(out, '\\'); }
        if (c == '\n') {
            zb_put(out, "\\n");
        } else if ((unsigned char)c < 0x20) {
            zb_put(out, "\\u");
            zb_put_hex(out, (unsigned char)c, 4);
        } else {
            zb_put_char(out, c);
        }
    }
    zb_put_char(out, '"');
}

// Writes a value in the normal form of testing.h.
static void put_normal(zb_buffer *out, const zj_doc *doc) {
    // The nodes in their order, with the closing brackets where a container's children are used up.
    uint32_t node = ZJ_ROOT;
    while (node != 0) {
        const zj_node *n = zj_at(doc, node);
        if (n->key != 0) {
            put_string(out, zj_key(doc, node));
            zb_put_char(out, ':');
        }
        if (n->kind == ZJ_STRING) {
            put_string(out, zj_text(doc, node));
        } else if (n->kind == ZJ_ARRAY || n->kind == ZJ_OBJECT) {
            zb_put_char(out, n->kind == ZJ_ARRAY ? '[' : '{');
            if (n->as.items.count > 0) {
                node = n->as.items.first;
                continue;
            }
            zb_put_char(out, n->kind == ZJ_ARRAY ? ']' : '}');
        } else {
            zb_put_text(out, zj_source(doc, node));
        }
        while (node != 0 && zj_at(doc, node)->next == 0) {
            node = zj_at(doc, node)->parent;
            if (node != 0) { zb_put_char(out, zj_kind_of(doc, node) == ZJ_ARRAY ? ']' : '}'); }
        }
        if (node != 0) {
            node = zj_at(doc, node)->next;
            zb_put_char(out, ',');
        }
    }
}

static void check_links(const zj_doc *doc) {
    uint32_t counted = 0;
    for (uint32_t i = ZJ_ROOT; i < doc->node_count; i++) {
        const zj_node *n = zj_at(doc, i), *parent = zj_at(doc, n->parent);
        assert_true(n->begin < n->end && n->end <= doc->size);
        assert_int_equal(n->reserved, 0);
        assert_true(n->parent < i);
        assert_true(n->parent != 0 || i == ZJ_ROOT);
        if (n->parent != 0) { assert_true(parent->begin < n->begin && n->end < parent->end); }
        if (i > ZJ_ROOT) { assert_true(zj_at(doc, i - 1)->begin < n->begin); }
        if (n->key != 0) { assert_int_equal(n->key, i - 1); }
        if (n->next != 0) { assert_true(n->next > i && zj_at(doc, n->next)->begin > n->end); }
        if (n->kind != ZJ_ARRAY && n->kind != ZJ_OBJECT) { continue; }
        uint32_t count = 0;
        for (uint32_t child = n->as.items.first; child != 0; child = zj_at(doc, child)->next, count++) {
            assert_int_equal(zj_at(doc, child)->parent, i);
            assert_int_equal(zj_at(doc, child)->key != 0, n->kind == ZJ_OBJECT);
        }
        assert_int_equal(count, n->as.items.count);
        counted += count * (n->kind == ZJ_OBJECT ? 2 : 1);
    }
    assert_int_equal(counted + 2, doc->node_count); // every node but 0 and the root hangs somewhere
}

static void random_documents_come_back_whole(void **state) {
    (void)state;
    test_document *d = malloc(sizeof *d);
    assert_non_null(d);
    zb_arena arena = zb_arena_open(NULL), piece_arena = zb_arena_open(NULL);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        test_make_document(d, seed);
        test_text t = test_read_limited(d->loose, d->loose_size, NULL);
        assert_int_equal(t.status, ZO_OK);
        assert_int_equal(test_diag_count(&t), 0);
        check_links(t.doc);

        zb_arena_reset(&arena);
        zb_buffer out = zb_buffer_open(&arena);
        put_normal(&out, t.doc);
        assert_int_equal(out.size, d->normal_size);
        assert_memory_equal(out.data, d->normal, d->normal_size);

        // Each value's bytes, taken alone, are the same value.
        for (uint32_t i = ZJ_ROOT; i < t.doc->node_count; i++) {
            zb_arena_reset(&piece_arena);
            const zo_text piece = zj_source(t.doc, i);
            const zj_doc *alone = zj_parse(&piece_arena, piece.data, piece.size, 0, NULL, NULL);
            assert_non_null(alone);
            assert_true(zj_equal(t.doc, i, alone, ZJ_ROOT));
            assert_int_equal(zj_at(alone, ZJ_ROOT)->end, piece.size);
        }
        test_close(&t);
    }
    zb_arena_close(&arena);
    zb_arena_close(&piece_arena);
    free(d);
}

static void damaged_documents_are_read_or_refused(void **state) { // never more than one fault, never a bad link
    (void)state;
    test_document *d = malloc(sizeof *d);
    assert_non_null(d);
    test_random r = {.seed = 9};
    static const char spice[] = "[]{},:\"\\/*'0123456789.eE+-tfnul \n\t\x00\x01\x80\xBF\xC3\xE5\xED\xF0\xFF";
    for (uint64_t seed = 1; seed <= test_share(3000); seed++) {
        test_make_document(d, seed % 50);
        size_t size = d->loose_size < 400 ? d->loose_size : 400;
        for (uint32_t hits = 1 + test_below(&r, 3); hits > 0; hits--) {
            d->loose[test_below(&r, (uint32_t)size)] = spice[test_below(&r, sizeof spice - 1)];
        }
        const uint32_t lenient = seed % 4 < 2 ? ZJ_COMMENTS : ZJ_LOOSE | ZJ_MISSING_COMMAS;
        test_text t = test_read_limited(d->loose, size, &(zj_limits){.lenient = lenient, .depth_max = 6});
        assert_int_equal(zo_report_total((zo_report *)t.report, ZO_ERROR), t.status == ZO_OK ? 0 : 1);
        if (t.doc != NULL) { check_links(t.doc); }
        test_close(&t);
    }
    free(d);
}

// ---- Fixtures ----

static bool put_to_buffer(void *context, const void *bytes, size_t size) {
    zb_put_bytes(context, bytes, size);
    return true;
}

static bool read_fixture(const char *slug, const char *ending, char *bytes, size_t capacity, size_t *size) {
    char name[256];
    snprintf(name, sizeof name, ZO_SOURCE_DIR "/tests/diag/json/%s%s", slug, ending);
    FILE *file = fopen(name, "rb");
    if (file == NULL) { return false; }
    *size = fread(bytes, 1, capacity, file);
    fclose(file);
    return *size < capacity;
}

static void every_diagnostic_has_a_fixture(void **state) {
    (void)state;
    static char bytes[16384], expected[16384];
    uint32_t count = 0;
    for (uint32_t i = 0; zo_rule_at(i) != NULL; i++) {
        const zo_rule *rule = zo_rule_at(i);
        if (strncmp(rule->id, "json/", 5) != 0) { continue; }
        count++;
        const char *slug = rule->id + 5;
        size_t size = 0, expected_size = 0;
        if (!read_fixture(slug, ".json", bytes, sizeof bytes, &size) ||
            !read_fixture(slug, ".txt", expected, sizeof expected, &expected_size)) {
            fail_msg("no fixture for %s", rule->id);
        }
        // Two rules are about limits that a file alone does not show.
        const bool comments = strcmp(slug, "comment") == 0 || strcmp(slug, "comment-open") == 0;
        const bool loose = strcmp(slug, "lenient-syntax") == 0;
        const zj_limits limits = {.lenient = loose ? ZJ_LOOSE : comments ? ZJ_COMMENTS : 0,
                                  .size_max = strcmp(slug, "size") == 0 ? 16 : 0};
        char name[64];
        snprintf(name, sizeof name, "%s.json", slug);
        zb_arena arena = zb_arena_open(NULL);
        zd_report *report = zd_report_open(NULL, 0, false);
        zj_parse(&arena, bytes, size, zd_report_file(report, name, bytes, size), &limits, report);
        zd_report_finish(report);
        zb_buffer out = zb_buffer_open(&arena);
        zo_report_write((const zo_report *)report, ZO_REPORT_HUMAN, false, put_to_buffer, &out);
        assert_int_equal(out.size, expected_size);
        assert_memory_equal(out.data, expected, expected_size);
        zd_report_close(report);
        zb_arena_close(&arena);
    }
    assert_true(count > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_its_name_and_place),
        cmocka_unit_test(the_end_of_a_text_is_never_passed),
        cmocka_unit_test(a_fault_says_where_in_the_tree),
        cmocka_unit_test(second_places_are_shown),
        cmocka_unit_test(a_word_from_elsewhere_gets_its_translation),
        cmocka_unit_test(a_byte_order_mark_is_noted_and_read_past),
        cmocka_unit_test(comments_stand_where_white_space_may),
        cmocka_unit_test(depth_ends_at_the_limit_with_one_fault),
        cmocka_unit_test(size_is_checked_before_anything_is_taken),
        cmocka_unit_test(much_white_space_takes_little_memory),
        cmocka_unit_test(memory_that_runs_out_is_said_each_time),
        cmocka_unit_test(numbers_are_rounded_correctly),
        cmocka_unit_test(a_very_long_number_takes_linear_time),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(utf8_is_judged_as_by_the_base_layer),
        cmocka_unit_test(fast_scans_stop_where_slow_ones_do),
        cmocka_unit_test(repeated_keys_are_kept_and_flagged),
        cmocka_unit_test(one_member_of_a_large_object_is_found_repeated),
        cmocka_unit_test(keys_chosen_to_meet_are_told_apart),
        cmocka_unit_test(half_a_million_members_take_no_time),
        cmocka_unit_test(random_documents_come_back_whole),
        cmocka_unit_test(damaged_documents_are_read_or_refused),
        cmocka_unit_test(every_diagnostic_has_a_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
