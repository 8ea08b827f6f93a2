// Reports: what is kept when too much is found, the order, lines and columns, arguments, and the nearest word.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "diag/diag.h"

static zd_place at(size_t offset) { return (zd_place){.offset = offset, .length = 1}; }

// Gives memory `left` times and then never again.
static void *scarce_alloc(void *context, size_t size) {
    uint32_t *left = context;
    if (*left == 0) { return NULL; }
    (*left)--;
    return malloc(size);
}

static void scarce_free(void *context, void *memory, size_t size) {
    (void)context;
    (void)size;
    free(memory);
}

static void no_memory_is_said_and_nothing_crashes(void **state) {
    (void)state;
    for (uint32_t allowed = 0; allowed < 12; allowed++) {
        uint32_t left = allowed;
        const zo_allocator allocator = {&left, scarce_alloc, scarce_free};
        zd_report *report = zd_report_open(&allocator, 100000, false);
        if (!report) {
            assert_int_equal(allowed, 0);
            continue;
        }
        zd_report_file(report, "a.json", "text", 4);
        for (uint32_t i = 0; i < 20000; i++) {
            const uint32_t added = zd_report_add(report, ZD_JSON_WORD, at(i % 4), ZD_ARGS(zd_word("nil")));
            zd_report_relate(report, added, at(1), "there");
            zd_report_hint(report, added, "write {}", ZD_ARGS(zd_int(i)));
            zd_report_add_need(report, "b.json", ZO_NEED_BYTES);
        }
        zd_report_finish(report);
        assert_int_equal(zd_report_errors(report), 20000);
        assert_int_equal(zd_report_count(report) + zd_report_dropped(report), 20000);
        zd_report_close(report);
    }
    zd_report_close(NULL);
}

// A long name above many faults would else stand in each of their pointers.
static void long_pointers_are_bounded(void **state) {
    (void)state;
    enum { SIZE = 1 << 20, FAULTS = 1000 };
    char *pointer = malloc(SIZE + 1);
    assert_non_null(pointer);
    memset(pointer, '/', SIZE);
    pointer[SIZE] = 0;
    zd_report *report = zd_report_open(NULL, 100000, false);
    zd_report_file(report, "a.json", "0123456789", 10);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < FAULTS; i++) {
        zd_place place = at(i % 10);
        assert_int_equal(zd_report_keeps(report, ZD_JSON_DUPLICATE_KEY), kept < 8);
        place.pointer = pointer;
        kept += zd_report_add(report, ZD_JSON_DUPLICATE_KEY, place, ZD_ARGS(zd_word("w"))) != 0;
    }
    assert_int_equal(kept, 8);
    for (uint32_t i = 0; i < FAULTS; i++) { // errors take the places of warnings, and no more
        assert_int_equal(zd_report_full(report), i >= 8);
        assert_int_equal(zd_report_add(report, ZD_JSON_PLUS, at(1), ZD_NO_ARGS) != 0, i < 8);
    }
    zd_report_finish(report);
    assert_int_equal(zd_report_count(report), 8);
    assert_int_equal(zd_report_dropped(report), 2 * FAULTS - 8);
    assert_int_equal(zd_report_errors(report), FAULTS);
    zd_report_close(report);
    free(pointer);
}

static void errors_are_not_crowded_out(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 3, false);
    zd_report_file(report, "a.json", "0123456789", 10);
    assert_int_not_equal(zd_report_add(report, ZD_JSON_DUPLICATE_KEY, at(0), ZD_ARGS(zd_word("w"))), 0);
    assert_int_not_equal(zd_report_add(report, ZD_JSON_BOM, at(1), ZD_NO_ARGS), 0);
    assert_false(zd_report_full(report));
    assert_int_not_equal(zd_report_add(report, ZD_JSON_DUPLICATE_KEY, at(2), ZD_ARGS(zd_word("w"))), 0);
    assert_false(zd_report_keeps(report, ZD_JSON_DUPLICATE_KEY));
    assert_true(zd_report_keeps(report, ZD_JSON_PLUS));
    assert_int_equal(zd_report_add(report, ZD_JSON_BOM, at(3), ZD_NO_ARGS), 0);
    assert_int_not_equal(zd_report_add(report, ZD_JSON_PLUS, at(4), ZD_NO_ARGS), 0); // instead of the note
    const uint32_t last = zd_report_add(report, ZD_JSON_PLUS, at(5), ZD_NO_ARGS);    // instead of the newer warning
    assert_int_not_equal(last, 0);
    assert_int_not_equal(zd_report_add(report, ZD_JSON_PLUS, at(6), ZD_NO_ARGS), 0);
    assert_true(zd_report_full(report));
    assert_int_equal(zd_report_add(report, ZD_JSON_PLUS, at(7), ZD_NO_ARGS), 0);
    zd_report_relate(report, last, at(9), "here");
    zd_report_finish(report);
    assert_int_equal(zd_report_count(report), 3);
    assert_int_equal(zd_report_dropped(report), 5);
    assert_int_equal(zd_report_total(report, ZO_ERROR), 4);
    assert_int_equal(zd_report_total(report, ZO_WARNING), 2);
    assert_int_equal(zd_report_total(report, ZO_NOTE), 2);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(zd_report_at(report, i)->severity, ZO_ERROR);
        assert_int_equal(zd_report_at(report, i)->place.offset, 4 + i);
    }
    assert_string_equal(zd_report_at(report, 1)->related_message, "here");
    assert_int_equal(zd_report_at(report, 1)->related.column, 10);
    assert_null(zd_report_at(report, 3));
    zd_report_close(report);
}

static void a_place_beyond_the_file_is_its_end(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, true);
    assert_true(zd_report_strict(report));
    zd_report_file(report, "a.json", "ab\n", 3);
    zd_report_file(report, "empty.json", "", 0);
    zd_report_file(report, "unread.json", NULL, 500);
    zd_report_add(report, ZD_JSON_PLUS, (zd_place){.offset = 99, .length = SIZE_MAX}, ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_EMPTY, (zd_place){.file = 1, .offset = 7, .length = 7}, ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_EMPTY, (zd_place){.file = 1, .whole = true, .offset = 3}, ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_SIZE, (zd_place){.file = 2, .offset = 1}, ZD_ARGS(zd_int(500), zd_int(64)));
    zd_report_finish(report);
    const zo_place end = zd_report_at(report, 0)->place;
    assert_int_equal(end.offset, 3);
    assert_int_equal(end.length, 0);
    assert_int_equal(end.line, 2);
    assert_int_equal(end.column, 1);
    assert_int_equal(zd_report_at(report, 1)->place.line, 1);
    assert_int_equal(zd_report_at(report, 2)->place.line, 0);
    assert_int_equal(zd_report_at(report, 3)->place.line, 0); // its bytes are not known
    assert_string_equal(zd_report_at(report, 3)->message, "the file has 500 bytes, more than the limit of 64");
    zd_report_close(report);
}

static void raised_warnings_are_errors_and_nothing_else_changes(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 3, false);
    zd_report_file(report, "a.json", "123456789", 9);
    zd_report_add(report, ZD_JSON_DUPLICATE_KEY, at(0), ZD_NO_ARGS); // a warning
    zd_report_add(report, ZD_JSON_BOM, at(1), ZD_NO_ARGS);           // a note
    zd_report_add(report, ZD_JSON_DUPLICATE_KEY, at(2), ZD_NO_ARGS);
    zd_report_raise(report, true);
    assert_true(zd_report_keeps(report, ZD_JSON_DUPLICATE_KEY)); // as an error it pushes out what is less
    assert_false(zd_report_keeps(report, ZD_JSON_BOM));
    zd_report_add(report, ZD_JSON_DUPLICATE_KEY, at(3), ZD_NO_ARGS);
    zd_report_raise(report, false);
    zd_report_add(report, ZD_JSON_DUPLICATE_KEY, at(4), ZD_NO_ARGS); // only counted
    zd_report_finish(report);
    assert_int_equal(zd_report_count(report), 3);
    static const zo_severity severities[] = {ZO_WARNING, ZO_WARNING, ZO_ERROR}; // the note gave way
    for (uint32_t i = 0; i < 3; i++) { assert_int_equal(zd_report_at(report, i)->severity, severities[i]); }
    assert_int_equal(zd_report_total(report, ZO_ERROR), 1);
    assert_int_equal(zd_report_total(report, ZO_WARNING), 3);
    zd_report_close(report);
}

static void hundred_thousand_are_sorted_and_found_in_one_walk(void **state) {
    (void)state;
    enum { COUNT = 100000, LINE = 10 };
    char *bytes = malloc((size_t)COUNT * LINE);
    assert_non_null(bytes);
    memset(bytes, 'x', (size_t)COUNT * LINE);
    for (size_t i = LINE - 1; i < (size_t)COUNT * LINE; i += LINE) { bytes[i] = '\n'; }
    for (uint32_t diag_max = 0; diag_max <= COUNT; diag_max += COUNT) {
        zd_report *report = zd_report_open(NULL, diag_max, false);
        zd_report_file(report, "big.json", bytes, (size_t)COUNT * LINE);
        for (uint32_t i = 0; i < COUNT; i++) {
            const size_t line = COUNT - 1 - i;
            const uint32_t added = zd_report_add(report, ZD_JSON_PLUS, at(line * LINE + i % 7), ZD_NO_ARGS);
            zd_report_relate(report, added, at(i * LINE), "there");
        }
        zd_report_finish(report);
        assert_int_equal(zd_report_count(report), diag_max ? COUNT : 100);
        assert_int_equal(zd_report_dropped(report), diag_max ? 0 : COUNT - 100);
        const uint32_t first_line = diag_max ? 1 : COUNT - 99;
        for (uint32_t i = 0; i < zd_report_count(report); i++) {
            const zo_diag *diag = zd_report_at(report, i);
            assert_int_equal(diag->place.line, first_line + i);
            assert_int_equal(diag->place.column, (COUNT - diag->place.line) % 7 + 1);
            assert_int_equal(diag->related.line, COUNT + 1 - diag->place.line);
        }
        zd_report_close(report);
    }
    free(bytes);
}

static void equal_places_keep_the_order_in_which_they_were_added(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "a.json", "0123456789", 10);
    for (int64_t i = 0; i < 60; i++) { zd_report_add(report, ZD_JSON_DEPTH, at((size_t)(i % 3)), ZD_ARGS(zd_int(i))); }
    zd_report_finish(report);
    for (uint32_t i = 1; i < 60; i++) {
        const zo_diag *a = zd_report_at(report, i - 1);
        const zo_diag *b = zd_report_at(report, i);
        assert_true(a->place.offset <= b->place.offset);
        if (a->place.offset == b->place.offset) {
            assert_int_equal(atoi(b->message + strlen("more than ")) - atoi(a->message + strlen("more than ")), 3);
        }
    }
    zd_report_close(report);
}

static const char *message_of(zd_report *report, uint32_t added) {
    const uint32_t index = added - 1; // all at one place: in the order of adding
    zd_report_finish(report);
    return zd_report_at(report, index)->message;
}

static void arguments_from_outside_cannot_break_the_line(void **state) {
    (void)state;
    static const struct { const char *word, *shown; } cases[] = {
        {"a\nb", "the word a\xE2\x90\x8A""b is not a JSON value"},
        {"\x1b[31m", "the word \xE2\x90\x9B[31m is not a JSON value"},
        {"\xFF", "the word \xEF\xBF\xBD is not a JSON value"},
        {"\xE2\x80\xAEx", "the word \xEF\xBF\xBDx is not a JSON value"}, // a sign that turns the direction of writing
        {"{}{0}", "the word {}{0} is not a JSON value"},
        {"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
         "the word 0123456789012345678901234567890123456789012345678901234567890123456789012345678\xE2\x80\xA6"
         " is not a JSON value"},
        {"01234567890123456789012345678901234567890123456789012345678901234567890123456789",
         "the word 01234567890123456789012345678901234567890123456789012345678901234567890123456789"
         " is not a JSON value"},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        zd_report *report = zd_report_open(NULL, 0, false);
        zd_report_file(report, "a.json", "", 0);
        const uint32_t added = zd_report_add(report, ZD_JSON_WORD, at(0), ZD_ARGS(zd_word(cases[i].word)));
        assert_string_equal(message_of(report, added), cases[i].shown);
        zd_report_close(report);
    }
}

static void hints_are_filled_and_replaced(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "a.json", "", 0);
    const uint32_t a = zd_report_add(report, ZD_JSON_UNQUOTED_KEY, at(0), ZD_ARGS(zd_word("loop")));
    const uint32_t b = zd_report_add(report, ZD_JSON_UNQUOTED_KEY, at(0), ZD_ARGS(zd_word("loop")));
    zd_report_add(report, ZD_JSON_EMPTY, at(0), ZD_NO_ARGS);
    zd_report_hint(report, a, "{1} of {0}, then {} and {}", ZD_ARGS(zd_number(0.1), zd_int(-3)));
    zd_report_hint(report, b, NULL, ZD_NO_ARGS);
    zd_report_hint(report, 0, "nobody", ZD_NO_ARGS);
    zd_report_finish(report);
    assert_string_equal(zd_report_at(report, 0)->hint, "-3 of 0.1, then 0.1 and -3");
    assert_null(zd_report_at(report, 1)->hint);
    assert_string_equal(zd_report_at(report, 2)->hint, "the smallest JSON text is a value such as [] or null");
    zd_report_close(report);
}

static void needs_are_told_once_with_what_gives_most(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_add_need(report, "a.png", ZO_NEED_STAT);
    zd_report_add_need(report, "b.png", ZO_NEED_BYTES);
    zd_report_add_need(report, "a.png", ZO_NEED_HEAD);
    zd_report_add_need(report, "b.png", ZO_NEED_STAT);
    assert_int_equal(zd_report_need_count(report), 2);
    assert_string_equal(zd_report_need(report, 0)->name, "a.png");
    assert_int_equal(zd_report_need(report, 0)->kind, ZO_NEED_HEAD);
    assert_int_equal(zd_report_need(report, 1)->kind, ZO_NEED_BYTES);
    assert_null(zd_report_need(report, 2));
    assert_string_equal(zd_report_format(report), "");
    zd_report_format_name(report, "petween");
    assert_string_equal(zd_report_format(report), "petween");
    zd_report_close(report);
}

static void lines_end_at_lf_cr_and_cr_lf(void **state) {
    (void)state;
    static const struct { const char *text; size_t offset; uint32_t line, column; } cases[] = {
        {"", 0, 1, 1}, {"", 5, 1, 1}, {"a\nb", 1, 1, 2}, {"a\nb", 2, 2, 1}, {"a\r\nb", 1, 1, 2}, {"a\r\nb", 2, 1, 3},
        {"a\r\nb", 3, 2, 1}, {"a\rb", 2, 2, 1}, {"\n\n\n", 3, 4, 1}, {"a\n", 2, 2, 1}, {"\r\r\n\n", 4, 4, 1},
        {"\xC3\xA9\xC3\xA9x", 4, 1, 3}, {"\xC3\xA9\xC3\xA9x", 3, 1, 2}, {"\xF0\x9F\x98\x80x", 4, 1, 2},
        {"\xFF\xFFx", 2, 1, 3}, {"\xEF\xBB\xBF{", 3, 1, 1}, {"\xEF\xBB\xBF{", 0, 1, 1}, {"\xEF\xBB\xBF{\n}", 5, 2, 1},
        {"\tx", 1, 1, 2},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        uint32_t line = 0;
        uint32_t column = 0;
        zd_position(cases[i].text, strlen(cases[i].text), cases[i].offset, &line, &column);
        assert_int_equal(line, cases[i].line);
        assert_int_equal(column, cases[i].column);
    }
}

static void rules_are_found_and_stand_in_order(void **state) {
    (void)state;
    assert_null(zd_rule_at(ZD_COUNT));
    assert_null(zd_rule_find("json/none"));
    assert_null(zd_rule_find(NULL));
    for (uint32_t i = 0; i < ZD_COUNT; i++) {
        const zo_rule *rule = zd_rule_at(i);
        assert_ptr_equal(zd_rule_find(rule->id), rule);
        assert_true(i == 0 || strcmp(zd_rule_at(i - 1)->id, rule->id) < 0); // and no id stands twice
        assert_non_null(strchr(rule->id, '/'));
        assert_true(strlen(rule->explain) > 40);
        assert_int_not_equal(rule->message[strlen(rule->message) - 1], '.');
    }
}

static void nearest_word_is_near(void **state) {
    (void)state;
    static const char *const words[] = {"duration", "durationMs", "easing", "at", "value", "tracks", "Loop", "loops"};
    static const struct { const char *word, *nearest; } cases[] = {
        {"", NULL}, {"xyz", NULL}, {"duratoin", "duration"}, {"durationms", "durationMs"}, {"DURATION", "duration"},
        {"esing", "easing"}, {"track", "tracks"}, {"loop", "Loop"}, {"vlaue", "value"}, {"a", "at"}, {"t", "at"},
        {"values are long", NULL}, {"easingeasing", NULL}, {"tracks", "tracks"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        const char *found = zd_nearest(zb_text(cases[i].word), words, ZB_COUNT(words));
        if (cases[i].nearest) {
            assert_non_null(found);
            assert_string_equal(found, cases[i].nearest);
        } else {
            assert_null(found);
        }
    }
    assert_null(zd_nearest(ZB_TEXT("at"), NULL, 0));
}

// What is written into people's files without asking must be beyond doubt.
static void surely_is_more_than_near(void **state) {
    (void)state;
    static const char *const words[] = {
        "linear", "ease", "ease-in", "ease-out", "ease-in-out", "move.x", "move.y", "move.scaleX", "move.scaleY", "loop",
    };
    static const struct { const char *word, *meant; } cases[] = {
        {"", NULL}, {"e", NULL}, {"as", NULL}, {"xyz", NULL},
        {"move.z", NULL}, {"move.xy", NULL}, {"move.scale", NULL}, {"move.scaleZ", NULL}, {"move.", NULL}, // either
        {"ease-on", NULL}, {"ease-", NULL}, {"ease.", NULL}, {"lineal-ish", NULL}, {"eas-ot", NULL},       // several
        {"Linear", "linear"}, {"easeInOut", "ease-in-out"}, {"EASE_OUT", "ease-out"}, {"move.scalex", "move.scaleX"},
        {"eas-out", "ease-out"}, {"ease-ou", "ease-out"}, {"easee-in", "ease-in"}, {"lienar", "linear"},
        {"move.scalY", "move.scaleY"}, {"lop", "loop"}, {"lineer", "linear"},
    };
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        const char *found = zd_surely(zb_text(cases[i].word), words, ZB_COUNT(words));
        if (cases[i].meant) {
            if (!found) { fail_msg("%s", cases[i].word); }
            assert_string_equal(found, cases[i].meant);
        } else if (found) {
            fail_msg("%s is taken for %s", cases[i].word, found);
        }
    }
    static const char *const twins[] = {"a-bc", "ab-c"};
    assert_null(zd_surely(ZB_TEXT("abc"), twins, 2));
    assert_null(zd_surely(ZB_TEXT("linear"), NULL, 0));
}

static void a_fix_is_an_edit_of_the_place(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 1, false);
    zd_report_file(report, "a.json", "[nil\n]", 7);
    const uint32_t added = zd_report_add(report, ZD_JSON_WORD, (zd_place){.offset = 1, .length = 3}, ZD_ARGS(zd_word("nil")));
    zd_report_fix(report, added, ZB_TEXT("null"), "replace {} with {}", ZD_ARGS(zd_word("nil"), zd_word("null")));
    zd_report_fix(report, 0, ZB_TEXT("x"), "of one that was only counted", ZD_NO_ARGS);
    zd_report_finish(report);
    const zo_diag *diag = zd_report_at(report, 0);
    assert_string_equal(diag->fix, "replace nil with null");
    assert_int_equal(diag->edit_count, 1);
    assert_int_equal(diag->edits[0].offset, 1);
    assert_int_equal(diag->edits[0].remove, 3);
    assert_int_equal(diag->edits[0].insert_size, 4);
    assert_memory_equal(diag->edits[0].insert, "null", 4);
    assert_int_equal(diag->place.end_line, 1);
    assert_int_equal(diag->place.end_column, 5);
    zd_report_close(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_is_said_and_nothing_crashes),
        cmocka_unit_test(long_pointers_are_bounded),
        cmocka_unit_test(errors_are_not_crowded_out),
        cmocka_unit_test(raised_warnings_are_errors_and_nothing_else_changes),
        cmocka_unit_test(a_place_beyond_the_file_is_its_end),
        cmocka_unit_test(hundred_thousand_are_sorted_and_found_in_one_walk),
        cmocka_unit_test(equal_places_keep_the_order_in_which_they_were_added),
        cmocka_unit_test(arguments_from_outside_cannot_break_the_line),
        cmocka_unit_test(hints_are_filled_and_replaced),
        cmocka_unit_test(needs_are_told_once_with_what_gives_most),
        cmocka_unit_test(lines_end_at_lf_cr_and_cr_lf),
        cmocka_unit_test(rules_are_found_and_stand_in_order),
        cmocka_unit_test(nearest_word_is_near),
        cmocka_unit_test(surely_is_more_than_near),
        cmocka_unit_test(a_fix_is_an_edit_of_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
