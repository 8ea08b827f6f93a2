// The field cursor: what it finds, what it says, and the stable order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/fields.h"

static const zf_name easings[] = {ZF_NAME("linear"), ZF_NAME("ease")};
static const zf_field fields[] = {
    {ZF_NAME("at"), ZF_NUMBER, true, ZD_PETWEEN_DURATIONMS, .low = 0.0, .high = 1.0, .about = "a"},
    {ZF_NAME("value"), ZF_ARRAY, true, ZD_PETWEEN_KEYFRAMES, .count_min = 2, .about = "b"},
    {ZF_NAME("easing"), ZF_TEXT, false, ZD_PETWEEN_EASING, .words = easings, .word_count = 2, .when_ref = 2,
     .when_word = 7, .about = "c"},
};
enum { AT, VALUE, EASING };
static const zf_object table = {"t", "d", ZD_PETWEEN_TRACK_OBJECT, .fields = fields, .field_count = 3};

typedef struct opened {
    zb_arena arena;
    zd_report *report;
    const zj_doc *doc;
    zf_fields fields;
} opened;

static void open_text(opened *o, const char *text, bool strict) {
    o->arena = zb_arena_open(NULL);
    o->report = zd_report_open(NULL, 0, strict);
    const uint32_t file = zd_report_file(o->report, "t.json", text, strlen(text));
    o->doc = zj_parse(&o->arena, text, strlen(text), file, NULL, o->report);
    assert_non_null(o->doc);
    zf_fields_read(&o->fields, &o->arena, o->doc, ZJ_ROOT, &table);
}

static void close_text(opened *o) {
    zd_report_close(o->report);
    zb_arena_close(&o->arena);
}

static const zo_diag *only_diag(opened *o) {
    zd_report_finish(o->report);
    assert_int_equal(zd_report_count(o->report), 1);
    return zd_report_at(o->report, 0);
}

static void unknown_members_are_silent_unless_strict(void **state) {
    (void)state;
    opened o;
    open_text(&o, "{\"At\": 1, \"at\": 2}", false);
    zd_report_finish(o.report);
    assert_int_equal(zd_report_count(o.report), 0);
    close_text(&o);

    open_text(&o, "{\"At\": 1, \"at\": 2}", true);
    const zo_diag *diag = only_diag(&o);
    assert_string_equal(diag->id, "field/unknown");
    assert_string_equal(diag->hint, "did you mean \"at\"?");
    assert_int_equal(diag->place.offset, 1);
    close_text(&o);
}

static void members_are_found_in_any_order(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{\"at\": 1, \"value\": 2, \"easing\": 3}", "{\"easing\": 3, \"x\": 0, \"value\": 2, \"at\": 1}",
        "{\"value\": 2, \"\\u0061t\": 1, \"easing\": 3}", // an escaped key is the same key
    };
    for (uint32_t i = 0; i < ZB_COUNT(texts); i++) {
        opened o;
        open_text(&o, texts[i], false);
        for (uint32_t field = AT; field <= EASING; field++) {
            double number = 0.0;
            assert_true(zf_number(o.doc, o.fields.nodes[field], &number));
            assert_true(number == field + 1.0);
        }
        close_text(&o);
    }
}

static void of_a_repeated_member_the_last_counts(void **state) {
    (void)state;
    opened o;
    open_text(&o, "{\"at\": 1, \"value\": 5, \"at\": 2}", false);
    double at = 0.0;
    assert_true(zf_number(o.doc, o.fields.nodes[AT], &at));
    assert_true(at == 2.0);
    close_text(&o);
}

static void null_is_there_and_of_no_type(void **state) {
    (void)state;
    opened o;
    open_text(&o, "{\"at\": null}", false);
    double at = 7.0;
    zo_text text;
    assert_true(zf_has(&o.fields, AT));
    assert_false(zf_has(&o.fields, VALUE));
    assert_false(zf_number(o.doc, o.fields.nodes[AT], &at));
    assert_false(zf_text(o.doc, o.fields.nodes[AT], &text));
    assert_false(zf_number(o.doc, o.fields.nodes[VALUE], &at));
    assert_true(at == 7.0);
    close_text(&o);
}

static void a_number_must_be_finite_and_in_range(void **state) {
    (void)state;
    static const struct {
        const char *text, *found;
    } cases[] = {
        {"{\"at\": 1e400}", "not 1e400, which no double can hold"},
        {"{\"at\": \"0.5\"}", "not \"0.5\""},
        {"{\"at\": 1.5}", "not 1.5"},
        {"{\"at\": [1]}", "not an array"},
        {"{}", "and is missing"},
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        opened o;
        open_text(&o, cases[i].text, false);
        double at = 0.25;
        assert_false(zf_fields_number(&o.fields, AT, &at));
        assert_true(at == 0.25);
        const zo_diag *diag = only_diag(&o);
        assert_non_null(strstr(diag->message, cases[i].found));
        close_text(&o);
    }
    opened o;
    open_text(&o, "{\"at\": 1}", false);
    double at = 0.0;
    assert_true(zf_fields_number(&o.fields, AT, &at)); // ends belong to the range
    assert_true(at == 1.0);
    close_text(&o);
}

// A word, what is reported, and whether "did you mean" is asked.
static void a_word_must_be_of_the_table_or_be_left_out_where_it_may(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t index;
        const char *found, *hint;
    } cases[] = {
        {"{\"easing\": \"eas\"}", 2, "not \"eas\"", "did you mean \"ease\"?"},
        {"{\"easing\": \"Linear \"}", 2, "not \"Linear \"", NULL},
        {"{\"easing\": null}", 2, "not null", NULL},
        {"{\"easing\": [\"ease\"]}", 2, "not an array", NULL},
        {"{}", 2, NULL, NULL},
        {"{\"easing\": \"ease\"}", 1, NULL, NULL},
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        opened o;
        open_text(&o, cases[i].text, false);
        assert_int_equal(zf_fields_word(&o.fields, EASING), cases[i].index);
        zd_report_finish(o.report);
        assert_int_equal(zd_report_count(o.report), cases[i].found != NULL ? 1 : 0);
        if (cases[i].found != NULL) {
            assert_string_equal(zd_report_at(o.report, 0)->id, "petween/easing");
            assert_non_null(strstr(zd_report_at(o.report, 0)->message, cases[i].found));
        }
        if (cases[i].hint != NULL) {
            assert_string_equal(zd_report_at(o.report, 0)->hint, cases[i].hint);
        }
        close_text(&o);
    }
}

static void an_array_must_have_enough_items(void **state) {
    (void)state;
    static const struct {
        const char *text, *found; // NULL: it is taken
    } cases[] = {
        {"{\"value\": {}}", "not an object"}, {"{\"value\": [1]}", "not an empty one"}, {"{}", "and is missing"},
        {"{\"value\": [1, 2]}", NULL},
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        opened o;
        open_text(&o, cases[i].text, false);
        const uint32_t node = zf_fields_items(&o.fields, VALUE);
        assert_int_equal(node, cases[i].found != NULL ? 0 : o.fields.nodes[VALUE]);
        if (cases[i].found != NULL) {
            const zo_diag *diag = only_diag(&o);
            assert_string_equal(diag->id, "petween/keyframes");
            assert_non_null(strstr(diag->message, cases[i].found));
        }
        close_text(&o);
    }
}

static void what_is_no_object_is_reported_by_the_table(void **state) {
    (void)state;
    opened o;
    open_text(&o, "{\"value\": [{\"at\": 1}, 5]}", false);
    const uint32_t first = zj_at(o.doc, o.fields.nodes[VALUE])->as.items.first;
    zf_fields inner;
    assert_true(zf_fields_open(&inner, &o.arena, o.doc, first, &table));
    assert_true(zf_has(&inner, AT) && zf_left_out(&inner, EASING) && !zf_left_out(&inner, VALUE));
    assert_true(zf_counts(&inner, EASING, 7) && !zf_counts(&inner, EASING, 1) && zf_counts(&inner, AT, 1));
    assert_false(zf_fields_open(&inner, &o.arena, o.doc, zj_at(o.doc, first)->next, &table));
    assert_string_equal(only_diag(&o)->id, "petween/track-object");
    close_text(&o);
}

// Of a table with rules: exactly one item with the word, or exactly one with true.
static void of_the_items_meant_there_must_be_one(void **state) {
    (void)state;
    static const uint16_t rules[ZF_KEYWORD_COUNT] = {[ZF_KEYWORD_TYPE] = ZD_CHARPACK_SCHEMA_TYPE,
                                                     [ZF_KEYWORD_REQUIRED] = ZD_CHARPACK_SCHEMA_REQUIRED,
                                                     [ZF_KEYWORD_ENUM] = ZD_CHARPACK_SCHEMA_CONST};
    static const zf_field item_fields[] = {
        {ZF_NAME("kind"), ZF_TEXT, .words = easings, .word_count = 2, .about = "a"},
        {ZF_NAME("first"), ZF_BOOLEAN, .about = "b"},
    };
    static const zf_object item = {"item", "c", .fields = item_fields, .field_count = 2, .rules = rules};
    static const zf_field list_fields[] = {{ZF_NAME("list"), ZF_ARRAY, true, .object = &item, .about = "d"}};
    static const struct {
        const char *text;
        const char *by_word, *by_true; // how many were found; NULL: one, or it is told that there is no list
    } cases[] = {
        {"{\"list\": [{\"kind\": \"ease\", \"first\": true}]}", NULL, NULL},
        {"{\"list\": []}", "0", "0"},
        {"{\"list\": [{\"kind\": \"linear\", \"first\": false}, {}, 7, [true]]}", "0", "0"},
        {"{\"list\": [{\"kind\": \"ease\"}, {\"kind\": \"ease\"}, {\"first\": 1}, {\"first\": true}]}", "2", NULL},
        {"{\"list\": [{\"first\": true}, {\"first\": true}, {\"first\": true}, {\"kind\": \"ease\"}]}", NULL, "3"},
        {"{\"list\": [{\"first\": true, \"first\": false, \"kind\": \"linear\", \"kind\": \"ease\"}]}", NULL, "0"},
        {"{\"list\": {\"first\": true}}", NULL, NULL},
        {"{}", NULL, NULL},
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        for (uint32_t member = 0; member < 2; member++) {
            const zf_demand demand = {ZD_CHARPACK_ROOTS, ZF_ONE, .field = &list_fields[0], .item = &item_fields[member],
                                      .item_word = 1};
            const zf_object owner = {"owner", "e", .fields = list_fields, .field_count = 1, .demands = &demand,
                                     .demand_count = 1, .rules = rules};
            opened o;
            open_text(&o, cases[i].text, false);
            assert_true(zf_fields_check(&o.fields, &o.arena, o.doc, ZJ_ROOT, &owner));
            zd_report_finish(o.report);
            const char *wanted = member == 0 ? cases[i].by_word : cases[i].by_true;
            const zo_diag *found = NULL;
            for (uint32_t d = 0; d < zd_report_count(o.report); d++) {
                const zo_diag *diag = zd_report_at(o.report, d);
                found = strcmp(diag->id, "charpack/roots") == 0 ? diag : found;
            }
            assert_true((found != NULL) == (wanted != NULL));
            assert_true(found == NULL || strstr(found->message, wanted) != NULL);
            assert_true(wanted == NULL || o.fields.wrong[0]);
            close_text(&o);
        }
    }
}

static void what_is_missing_is_reported_at_the_bracket_of_its_object(void **state) {
    (void)state;
    opened o;
    open_text(&o, " {\n  \"value\": 1\n}", false);
    zf_report(&o.fields, AT, ZD_PETWEEN_KIND, ZD_ARGS(zf_not(&o.arena, o.doc, 0)));
    const zo_diag *diag = only_diag(&o);
    assert_int_equal(diag->place.offset, 1);
    assert_int_equal(diag->place.length, 1);
    assert_string_equal(diag->place.pointer, "");
    close_text(&o);
}

static void long_texts_are_cut_and_keep_to_one_line(void **state) {
    (void)state;
    opened o;
    open_text(&o, "{\"value\": \"line\\none \\u00e4\\u00e4\\u00e4\\u00e4\\u00e4 0123456789 0123456789 0123456789 "
              "0123456789\"}", false);
    const zd_arg seen = zf_seen(&o.arena, o.doc, o.fields.nodes[VALUE]);
    assert_null(memchr(seen.text.data, '\n', seen.text.size));
    assert_memory_equal(seen.text.data + seen.text.size - 4, "...\"", 4);
    assert_true(seen.text.size < 70);
    close_text(&o);
}

static void order_is_stable(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    static const double rising[] = {0.0, 0.0, 0.5, 0.5, 1.0};
    assert_null(zf_sorted(&arena, rising, 5));
    assert_null(zf_sorted(&arena, rising, 1));
    assert_null(zf_sorted(&arena, rising, 0));
    static const double keys[] = {0.5, 1.0, 0.0, 0.5, -0.0, 0.5, 0.0};
    static const uint32_t expected[] = {2, 4, 6, 0, 3, 5, 1}; // 0 and -0 are one time
    const uint32_t *order = zf_sorted(&arena, keys, 7);
    assert_non_null(order);
    assert_memory_equal(order, expected, sizeof expected);
    double many[1000];
    for (uint32_t i = 0; i < 1000; i++) {
        many[i] = (double)(i * 7919 % 31);
    }
    order = zf_sorted(&arena, many, 1000);
    for (uint32_t i = 1; i < 1000; i++) {
        const double before = many[order[i - 1]];
        assert_true(before < many[order[i]] || (before == many[order[i]] && order[i - 1] < order[i]));
    }
    zb_arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_members_are_silent_unless_strict),
        cmocka_unit_test(a_number_must_be_finite_and_in_range),
        cmocka_unit_test(a_word_must_be_of_the_table_or_be_left_out_where_it_may),
        cmocka_unit_test(an_array_must_have_enough_items),
        cmocka_unit_test(what_is_no_object_is_reported_by_the_table),
        cmocka_unit_test(null_is_there_and_of_no_type),
        cmocka_unit_test(of_the_items_meant_there_must_be_one),
        cmocka_unit_test(what_is_missing_is_reported_at_the_bracket_of_its_object),
        cmocka_unit_test(long_texts_are_cut_and_keep_to_one_line),
        cmocka_unit_test(of_a_repeated_member_the_last_counts),
        cmocka_unit_test(members_are_found_in_any_order),
        cmocka_unit_test(order_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
