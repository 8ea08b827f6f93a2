// The schema writer over a small table of its own, and that petween's tables and patterns say what its reader does.
// tests/schema holds the whole against a validator.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <regex.h>

#include "formats/petween.h"
#include "formats/petween_pack.h"
#include "formats/petween_package.h"
#include "formats/schema.h"

// ------------------------------------------------------------------------------------------------- a table of our own

static const zf_name colours[] = {ZF_NAME("red"), ZF_NAME("blue")};
static const zf_name only[] = {ZF_NAME("only")};
static const zf_form digits = {.patterns = {"^[0-9]$", "^[0-9]+$"}};
static const zf_field inner_fields[] = {
    {ZF_NAME("colour"), ZF_TEXT, true, ZD_PETWEEN_KIND, .words = colours, .word_count = 2, .about = "A."},
    {ZF_NAME("size"), ZF_NUMBER, true, ZD_PETWEEN_AT, .low = 0.5, .high = DBL_MAX, .when_ref = 1,
     .when_word = 1, .about = "B."},
};
static const zf_beyond beyond[] = {{ZD_PETWEEN_AT, "sizes differ"}, {ZD_PETWEEN_DUPLICATE_AT, "times differ"}};
static const zf_object inner = {"leaf", "C.", ZD_PETWEEN_EVENT_OBJECT, inner_fields, 2, .beyond = beyond,
                                .beyond_count = 2};
static const zf_field outer_fields[] = {
    {ZF_NAME("word"), ZF_TEXT, false, ZD_PETWEEN_ID, .words = only, .word_count = 1, .forms = {&digits},
     .about = "D \"q\"."},
    {ZF_NAME("leaves"), ZF_ARRAY, true, ZD_PETWEEN_TRACKS, .count_min = 2, .object = &inner, .about = "E."},
    {ZF_NAME("both"), ZF_NUMBER | ZF_OBJECT, false, ZD_PETWEEN_VALUE, .low = 3.0, .high = 3.0, .object = &inner,
     .about = "F."},
};
static const zf_demand demands[] = {
    {ZD_PETWEEN_AMBIENT_EVENTS, ZF_EMPTY, .when = {&outer_fields[0]}, .when_word = 0, .field = &outer_fields[1]},
};
static const zf_object outer = {"tree", "G.", ZD_PETWEEN_DEFINITION_OBJECT, .fields = outer_fields, .field_count = 3,
                                .demands = demands, .demand_count = 1};

static void a_table_becomes_a_schema(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zf_put_schema(&out, &(const zo_format){.name = "tree", .title = "Tree"}, &outer, ZO_PROFILE_ORIGINAL);
    static const char expected[] =
        "{\n"
        "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
        "  \"$id\": \"zoetrope:tree:original\",\n"
        "  \"title\": \"Tree\",\n"
        "  \"description\": \"G.\",\n"
        "  \"type\": \"object\",\n"
        "  \"required\": [\"leaves\"],\n"
        "  \"properties\": {\n"
        "    \"word\": {\n"
        "      \"description\": \"D \\\"q\\\".\",\n"
        "      \"type\": \"string\",\n"
        "      \"anyOf\": [\n"
        "        {\n"
        "          \"const\": \"only\"\n"
        "        },\n"
        "        {\n"
        "          \"pattern\": \"^[0-9]+$\"\n"
        "        }\n"
        "      ]\n"
        "    },\n"
        "    \"leaves\": {\n"
        "      \"description\": \"E.\",\n"
        "      \"type\": \"array\",\n"
        "      \"minItems\": 2,\n"
        "      \"items\": {\n"
        "        \"$ref\": \"#/$defs/leaf\"\n"
        "      }\n"
        "    },\n"
        "    \"both\": {\n"
        "      \"description\": \"F.\",\n"
        "      \"anyOf\": [\n"
        "        {\n"
        "          \"const\": 3\n"
        "        },\n"
        "        {\n"
        "          \"$ref\": \"#/$defs/leaf\"\n"
        "        }\n"
        "      ]\n"
        "    }\n"
        "  },\n"
        "  \"allOf\": [\n"
        "    {\n"
        "      \"$comment\": \"petween/ambient-events\",\n"
        "      \"if\": {\n"
        "        \"required\": [\"word\"],\n"
        "        \"properties\": {\n"
        "          \"word\": {\n"
        "            \"const\": \"only\"\n"
        "          }\n"
        "        }\n"
        "      },\n"
        "      \"then\": {\n"
        "        \"properties\": {\n"
        "          \"leaves\": {\n"
        "            \"type\": \"array\",\n"
        "            \"maxItems\": 0\n"
        "          }\n"
        "        }\n"
        "      }\n"
        "    }\n"
        "  ],\n"
        "  \"$defs\": {\n"
        "    \"leaf\": {\n"
        "      \"description\": \"C.\",\n"
        "      \"$comment\": \"Only zoetrope check sees whether sizes differ (petween/at), and whether times differ "
        "(petween/duplicate-at)\",\n"
        "      \"type\": \"object\",\n"
        "      \"required\": [\"colour\"],\n"
        "      \"properties\": {\n"
        "        \"colour\": {\n"
        "          \"description\": \"A.\",\n"
        "          \"enum\": [\"red\", \"blue\"]\n"
        "        },\n"
        "        \"size\": {\n"
        "          \"description\": \"B.\"\n"
        "        }\n"
        "      },\n"
        "      \"allOf\": [\n"
        "        {\n"
        "          \"if\": {\n"
        "            \"required\": [\"colour\"],\n"
        "            \"properties\": {\n"
        "              \"colour\": {\n"
        "                \"const\": \"blue\"\n"
        "              }\n"
        "            }\n"
        "          },\n"
        "          \"then\": {\n"
        "            \"required\": [\"size\"],\n"
        "            \"properties\": {\n"
        "              \"size\": {\n"
        "                \"type\": \"number\",\n"
        "                \"minimum\": 0.5\n"
        "              }\n"
        "            }\n"
        "          }\n"
        "        }\n"
        "      ]\n"
        "    }\n"
        "  }\n"
        "}\n";
    assert_string_equal(zb_buffer_text(&out), expected);
    zb_arena_close(&arena);
}

static void a_rule_is_said_whole_in_part_or_not(void **state) {
    (void)state;
    const zf_objects objects = zf_objects_of(&outer);
    assert_int_equal(objects.count, 2);
    assert_ptr_equal(objects.items[1], &inner); // once, though two fields hold it
    assert_int_equal(zf_rule_said(&objects, ZD_PETWEEN_AT), ZF_SAID_PARTLY);
    assert_int_equal(zf_rule_said(&objects, ZD_PETWEEN_DUPLICATE_AT), ZF_SAID_NOT);
    assert_int_equal(zf_rule_said(&objects, ZD_PETWEEN_AMBIENT_EVENTS), ZF_SAID);
    assert_int_equal(zf_rule_said(&objects, ZD_PETWEEN_EVENT_OBJECT), ZF_SAID);
    assert_int_equal(zf_rule_said(&objects, ZD_PETWEEN_NAME), ZF_NOT_THERE);
}

// ------------------------------------------------------------------------------------------------------------- petween

// A rule that no table knows would neither be in the schema nor be named as what it lacks.
static void every_error_of_petween_is_in_the_tables(void **state) {
    (void)state;
    const zf_objects pack = zf_objects_of(&zf_pt_pack_object); // a pack holds definitions
    const zf_objects pet = zf_objects_of(&zf_pt_pet_object);
    const zf_objects package = zf_objects_of(&zf_pt_package_object);
    for (uint32_t i = 0; i < package.count; i++) { // a schema knows them by their names
        for (uint32_t k = 0; k < i; k++) { assert_string_not_equal(package.items[i]->name, package.items[k]->name); }
    }
    for (uint32_t id = 0; id < ZD_COUNT; id++) {
        const zo_rule *rule = zd_rule_of((zd_id)id);
        if (strncmp(rule->id, "petween/", 8) != 0) {
            continue;
        }
        const bool there = zf_rule_said(&pack, (zd_id)id) != ZF_NOT_THERE ||
                           zf_rule_said(&pet, (zd_id)id) != ZF_NOT_THERE ||
                           zf_rule_said(&package, (zd_id)id) != ZF_NOT_THERE;
        if (there != (rule->severity == ZO_ERROR)) {
            fail_msg("%s", rule->id);
        }
    }
}

// What a field says of numbers and of texts shares its place, and so do words and what objects hold.
static void no_field_of_the_tables_is_two_things(void **state) {
    (void)state;
    static const zf_object *const roots[] = {&zf_pt_pack_object, &zf_pt_pet_object, &zf_pt_package_object, &outer};
    for (size_t root = 0; root < sizeof roots / sizeof roots[0]; root++) {
        const zf_objects objects = zf_objects_of(roots[root]);
        for (uint32_t o = 0; o < objects.count; o++) {
            for (uint32_t i = 0; i < objects.items[o]->field_count; i++) {
                const zf_field *f = &objects.items[o]->fields[i];
                const bool is_text = (f->types & ZF_TEXT) != 0;
                if (is_text && (f->types & (ZF_NUMBER | ZF_OBJECT | ZF_ARRAY)) != 0) { fail_msg("%s", f->name.text); }
                if (!is_text && f->word_count > 0) { fail_msg("%s", f->name.text); }
                assert_true(f->when_ref <= objects.items[o]->field_count && f->when_ref != i + 1);
            }
        }
    }
}

static zo_profile scanned_profile;
static bool scan_id(zo_text text) {
    const zf_pt_form form = zf_pt_id_form(text);
    return form == ZF_PT_LEGAL || (form == ZF_PT_DOCUMENT && scanned_profile == ZO_PROFILE_DOCUMENT);
}
static bool scan_namespace(zo_text text) {
    const zf_pt_form form = zf_pt_namespace_form(text);
    return form == ZF_PT_LEGAL || (form == ZF_PT_DOCUMENT && scanned_profile == ZO_PROFILE_DOCUMENT);
}
static bool scan_curve(zo_text text) {
    zb_arena arena = zb_arena_open(NULL);
    const bool good = zf_pt_easing_parse(&arena, text) != NULL;
    zb_arena_close(&arena);
    return good;
}

typedef bool (*scan_fn)(zo_text text);

static uint32_t accepted; // texts that both took: none would mean that the test is of nothing

static void hold(const regex_t *pattern, scan_fn scan, const char *text) {
    const bool by_pattern = regexec(pattern, text, 0, NULL, 0) == 0;
    const bool by_scanner = scan(zb_text(text));
    accepted += by_scanner ? 1 : 0;
    if (by_pattern != by_scanner) {
        fail_msg("the pattern %s and the scanner %s: %s", by_pattern ? "takes" : "refuses",
                 by_scanner ? "takes" : "refuses", text);
    }
}

// Every text of up to `length` signs of the alphabet, between the two ends.
static void hold_all(const zf_form *form, scan_fn scan, const char *head, const char *alphabet, uint32_t length,
                     const char *tail) {
    for (uint32_t profile = ZO_PROFILE_DOCUMENT; profile <= ZO_PROFILE_ORIGINAL; profile++) {
        scanned_profile = (zo_profile)profile;
        regex_t pattern;
        assert_int_equal(regcomp(&pattern, form->patterns[profile], REG_EXTENDED | REG_NOSUB), 0);
        accepted = 0;
        const size_t count = strlen(alphabet);
        uint64_t total = 1;
        for (uint32_t size = 0; size <= length; size++, total *= count) {
            for (uint64_t n = 0; n < total; n++) {
                char text[128];
                char *end = text + sprintf(text, "%s", head);
                uint64_t rest = n;
                for (uint32_t i = 0; i < size; i++, rest /= count) {
                    *end++ = alphabet[rest % count];
                }
                sprintf(end, "%s", tail);
                hold(&pattern, scan, text);
            }
        }
        assert_true(accepted > 0);
        regfree(&pattern);
    }
}

static void patterns_of_names_say_what_their_scanners_do(void **state) {
    (void)state;
    hold_all(&zf_pt_id_text, scan_id, "", "az0:_-AZ.\n\xC3", 4, "");
    hold_all(&zf_pt_id_text, scan_id, "a:", "az0:_-AZ. \t", 3, "");
    hold_all(&zf_pt_word_text, zf_pt_word_form, "", "az0:_-A \n\xC3", 4, "");
    hold_all(&zf_pt_reserved_text, zf_pt_reserved, "builtin", "ab:-B", 3, "");
    hold_all(&zf_pt_reserved_text, zf_pt_reserved, "", ":buiB", 3, "uiltin:x");
    hold_all(&zf_pt_namespace_text, scan_namespace, "", "az0:_-AZ.\n\xC3", 4, "");
}

static void the_pattern_of_curves_says_what_its_scanner_does(void **state) {
    (void)state;
    hold_all(&zf_pt_curve_text, scan_curve, "cubic-bezier(", "019.-+e, \v", 5, ",0,1,1)");
    hold_all(&zf_pt_curve_text, scan_curve, "cubic-bezier(0,", "019.-+e, \n", 5, ",1,1)");
    hold_all(&zf_pt_curve_text, scan_curve, "cubic-bezier(0,0", "01., \t\f)", 4, "1)");
    hold_all(&zf_pt_curve_text, scan_curve, "cubic-bezier(0,0,1,1", "1) \n;", 3, "");
    hold_all(&zf_pt_curve_text, scan_curve, "", "c (", 2, "ubic-bezier(0,0,1,1)");
}

// Where a double's rounding decides, the pattern takes all that the scanner takes, and a little more on the other side.
static void where_rounding_decides_the_pattern_refuses_nothing_that_is_legal(void **state) {
    (void)state;
    static const struct {
        const char *before;
        uint32_t zeros;
        const char *after;
        bool pattern, scanner;
    } cases[] = {
        {"cubic-bezier(1.", 15, "1,0,1,1)", true, true},           // is 1 when rounded
        {"cubic-bezier(1.", 15, "9,0,1,1)", true, false},          // is 1.0000000000000009
        {"cubic-bezier(1.", 14, "1,0,1,1)", false, false},
        {"cubic-bezier(-0.", 323, "1,0,1,1)", true, true},         // is 0 when rounded
        {"cubic-bezier(-0.", 323, "9,0,1,1)", true, false},
        {"cubic-bezier(-0.", 322, "1,0,1,1)", false, false},
        {"cubic-bezier(0,1", 308, ",1,1)", true, true},
        {"cubic-bezier(0,9", 308, ",1,1)", true, false},           // is infinite
        {"cubic-bezier(0,1", 309, ",1,1)", false, false},
        {"cubic-bezier(0,0", 400, "1,1,1)", true, true},
    };
    regex_t pattern;
    assert_int_equal(regcomp(&pattern, zf_pt_curve_text.patterns[0], REG_EXTENDED | REG_NOSUB), 0);
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        char text[512];
        sprintf(text, "%s%0*d%s", cases[i].before, (int)cases[i].zeros, 0, cases[i].after);
        assert_int_equal(regexec(&pattern, text, 0, NULL, 0) == 0, cases[i].pattern);
        assert_int_equal(scan_curve(zb_text(text)), cases[i].scanner);
    }
    regfree(&pattern);
}

static bool count_bytes(void *context, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)context += size;
    return size > 0;
}
static bool refuse(void *context, const void *bytes, size_t size) {
    (void)context;
    (void)bytes;
    (void)size;
    return false;
}

static void the_public_function_says_whether_it_wrote(void **state) {
    (void)state;
    size_t size = 0;
    assert_false(zo_schema_write("petwen", ZO_PROFILE_DOCUMENT, count_bytes, &size));
    assert_false(zo_schema_write("", ZO_PROFILE_DOCUMENT, count_bytes, &size));
    assert_false(zo_schema_write("petween", ZO_PROFILE_DOCUMENT, refuse, NULL));
    assert_int_equal(size, 0);
    assert_true(zo_schema_write("petween", ZO_PROFILE_DOCUMENT, count_bytes, &size));
    assert_true(size > 1000);
}

// --------------------------------------------------------------------------------------- a table whose rules are keywords

static const uint16_t rules[ZF_KEYWORD_COUNT] = {
    [ZF_KEYWORD_TYPE] = ZD_ENEMY_TYPE,
    [ZF_KEYWORD_MINIMUM] = ZD_ENEMY_MINIMUM,
};
static const zf_field ruled_fields[] = {
    {ZF_NAME("a"), ZF_NUMBER, true, .low = 0.0, .high = 60.0, .flags = ZF_ABOVE_LOW | ZF_STABLE, .about = "one"},
    {ZF_NAME("b"), ZF_INTEGER | ZF_NULL, false, .low = 1.0, .high = DBL_MAX, .flags = ZF_EXPERIMENTAL, .about = "two"},
    {ZF_NAME("c"), ZF_TEXT, false, .count_min = 1, .count_max = 300, .about = "three"},
    {ZF_NAME("d"), ZF_ARRAY, false, .count_min = 1, .count_max = 512, .flags = ZF_UNIQUE, .about = "four"},
    {ZF_NAME("e"), ZF_OBJECT, false, .about = "five"},
};
static const zf_object ruled = {"ruled", "all of it", ZD_ENEMY_TYPE, .fields = ruled_fields,
                                .field_count = ZB_COUNT(ruled_fields), .rules = rules};

static void keywords_that_are_rules_are_written_down(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zf_put_schema(&out, &(const zo_format){.name = "ruled", .title = "Ruled"}, &ruled, ZO_PROFILE_DOCUMENT);
    static const char expected[] =
        "{\n"
        "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
        "  \"$id\": \"zoetrope:ruled\",\n"
        "  \"title\": \"Ruled\",\n"
        "  \"description\": \"All of it.\",\n"
        "  \"type\": \"object\",\n"
        "  \"required\": [\"a\"],\n"
        "  \"properties\": {\n"
        "    \"a\": {\n"
        "      \"description\": \"One.\",\n"
        "      \"x-stability\": \"stable\",\n"
        "      \"type\": \"number\",\n"
        "      \"exclusiveMinimum\": 0,\n"
        "      \"maximum\": 60\n"
        "    },\n"
        "    \"b\": {\n"
        "      \"description\": \"Two.\",\n"
        "      \"x-stability\": \"experimental\",\n"
        "      \"anyOf\": [\n"
        "        {\n"
        "          \"type\": \"integer\",\n"
        "          \"minimum\": 1\n"
        "        },\n"
        "        {\n"
        "          \"type\": \"null\"\n"
        "        }\n"
        "      ]\n"
        "    },\n"
        "    \"c\": {\n"
        "      \"description\": \"Three.\",\n"
        "      \"type\": \"string\",\n"
        "      \"minLength\": 1,\n"
        "      \"maxLength\": 300\n"
        "    },\n"
        "    \"d\": {\n"
        "      \"description\": \"Four.\",\n"
        "      \"type\": \"array\",\n"
        "      \"minItems\": 1,\n"
        "      \"maxItems\": 512,\n"
        "      \"uniqueItems\": true,\n"
        "      \"items\": {\n"
        "        \"type\": \"string\"\n"
        "      }\n"
        "    },\n"
        "    \"e\": {\n"
        "      \"description\": \"Five.\",\n"
        "      \"type\": \"object\"\n"
        "    }\n"
        "  },\n"
        "  \"additionalProperties\": false,\n"
        "  \"$defs\": {}\n"
        "}\n";
    assert_string_equal(zb_buffer_text(&out), expected);
    const zf_objects objects = zf_objects_of(&ruled);
    assert_int_equal(zf_rule_said(&objects, ZD_ENEMY_MINIMUM), ZF_SAID);
    assert_int_equal(zf_rule_said(&objects, ZD_ENEMY_KEY_ORDER), ZF_NOT_THERE);
    zb_arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_becomes_a_schema),
        cmocka_unit_test(keywords_that_are_rules_are_written_down),
        cmocka_unit_test(a_rule_is_said_whole_in_part_or_not),
        cmocka_unit_test(every_error_of_petween_is_in_the_tables),
        cmocka_unit_test(no_field_of_the_tables_is_two_things),
        cmocka_unit_test(patterns_of_names_say_what_their_scanners_do),
        cmocka_unit_test(the_pattern_of_curves_says_what_its_scanner_does),
        cmocka_unit_test(where_rounding_decides_the_pattern_refuses_nothing_that_is_legal),
        cmocka_unit_test(the_public_function_says_whether_it_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
