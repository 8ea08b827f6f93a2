// Plans of imports and the texts of exports, through the public functions: which bytes are stored, under which ids, and
// what is said about it. The cases of tests/vectors hold the rules; here stands what they do not say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "base/arena.h"

#define REST(id) \
    "\"id\":\"" id "\",\"name\":\"A\",\"kind\":\"ambient\",\"durationMs\":9,\"repeat\":{\"mode\":\"loop\"},\"tracks\":[]"
#define ANIMATION(id) "{\"version\":1," REST(id) "}"
#define PACK(animations) \
    "{\"format\":\"motion-pack\",\"version\":1,\"name\":\" N \",\"namespace\":\"mixed\",\"animations\":[" animations "]}"

static zo_source source_of(const char *text) {
    return (zo_source){.name = "t.json", .bytes = text, .size = strlen(text)};
}
static zo_library_item item_of(const char *id, const char *text) {
    return (zo_library_item){.id = id, .definition = {text, strlen(text)}};
}

static zo_plan *planned(const char *pack, const zo_library_item *library, uint32_t count) {
    const zo_source source = source_of(pack);
    zo_plan *plan = NULL;
    assert_int_equal(zo_pack_plan(&source, library, count, NULL, &plan, NULL), ZO_OK);
    assert_non_null(plan);
    return plan;
}

static void is_text(zo_text actual, const char *expected) {
    assert_int_equal(actual.size, strlen(expected));
    assert_memory_equal(actual.data, expected, actual.size);
}

// ----------------------------------------------------------------------------------------------------------- refused

static void refused(const char *text, const char *format, zo_status status, const char *id) {
    const zo_source source = source_of(text);
    const zo_compile_def def = {.format = format};
    zo_plan *plan = (zo_plan *)(uintptr_t)16;
    zo_report *report = NULL;
    assert_int_equal(zo_pack_plan(&source, NULL, 0, &def, &plan, &report), status);
    assert_null(plan);
    assert_true(zo_report_total(report, ZO_ERROR) > 0);
    assert_string_equal(zo_report_at(report, 0)->id, id);
    zo_report_free(report);
}

static void what_is_refused_gives_no_plan(void **state) {
    (void)state;
    refused("{]", NULL, ZO_INVALID, "json/bracket");
    refused("[]", NULL, ZO_UNSUPPORTED, "source/format-unknown");
    refused(PACK(""), NULL, ZO_INVALID, "petween/pack-animations");
    refused(PACK(ANIMATION("a:b") "," ANIMATION("a:b")), NULL, ZO_INVALID, "petween/pack-duplicate-id");
    refused(PACK(ANIMATION("user:0draft")), NULL, ZO_INVALID, "petween/reserved-id");
    refused(ANIMATION("user:0draft"), NULL, ZO_INVALID, "petween/reserved-id");
    refused(ANIMATION("builtin:jelly"), NULL, ZO_INVALID, "petween/reserved-namespace");
    refused(ANIMATION("a:b"), "motion-pack", ZO_INVALID, "petween/pack-format");
    refused("{\"version\":2," REST("a:b") "}", NULL, ZO_NEWER, "petween/version-newer");
}

// ------------------------------------------------------------------------------------------------------------ planned

static void a_lone_definition_is_a_pack_of_one(void **state) {
    (void)state;
    zo_plan *plan = planned(ANIMATION("a:b"), NULL, 0);
    assert_int_equal(plan->entry_count, 1);
    assert_string_equal(plan->entries[0].final_id, "a:b");
    assert_string_equal(plan->pack_namespace, "a");
    assert_string_equal(plan->mounts_json, "{}");
    assert_null(plan->apply_patch_json);
    is_text(plan->entries[0].definition, ANIMATION("a:b"));
    zo_plan_free(plan);
}

// Everything but the id is the pack's, byte for byte, without the indentation of standing in it.
static void bytes_are_kept_but_for_the_id(void **state) {
    (void)state;
    static const char pack[] =
        "{\n  \"format\": \"motion-pack\", \"version\": 1.0, \"name\": \"N\", \"namespace\": \"a\",\n"
        "  \"animations\": [\n"
        "    {\r\n      \"note\": \"\\u0041\\n    x\",\n\n\t  \"version\": 1e0,\n      \"id\"  :\n        \"a:\\u0062\",\n"
        "      \"name\": \"A\", \"kind\": \"ambient\", \"durationMs\": 9.50,\n"
        "      \"repeat\": { \"mode\": \"loop\" }, \"tracks\": [ ]\n    }\n  ]\n}\n";
    const zo_library_item library[] = {item_of("a:b", ANIMATION("a:b")), item_of("a:b-2", "not JSON")};
    zo_plan *plan = planned(pack, library, 2);
    assert_int_equal(plan->entries[0].status, ZO_PLAN_REMAPPED);
    assert_string_equal(plan->entries[0].final_id, "a:b-3");
    assert_string_equal(plan->entries[0].reason, "the library holds another a:b");
    is_text(plan->entries[0].definition,
            "{\r\n  \"note\": \"\\u0041\\n    x\",\n\n\"version\": 1e0,\n  \"id\"  :\n    \"a:b-3\",\n"
            "  \"name\": \"A\", \"kind\": \"ambient\", \"durationMs\": 9.50,\n"
            "  \"repeat\": { \"mode\": \"loop\" }, \"tracks\": [ ]\n}");
    zo_plan_free(plan);
}

static void the_reason_names_an_order_of_members(void **state) {
    (void)state;
    const zo_library_item library[] = {item_of("a:b", "{" REST("a:b") ",\"version\":1}")};
    zo_plan *plan = planned(ANIMATION("a:b"), library, 1);
    assert_string_equal(plan->entries[0].final_id, "a:b-2");
    assert_string_equal(plan->entries[0].reason,
                        "the library holds another a:b, which differs only in the order of members");
    zo_plan_free(plan);
    const zo_library_item again[] = {library[0], item_of("a:b-2", ANIMATION("a:b-2"))};
    plan = planned(ANIMATION("a:b"), again, 2);
    assert_int_equal(plan->entries[0].status, ZO_PLAN_IDENTICAL);
    assert_string_equal(plan->entries[0].final_id, "a:b-2");
    assert_int_equal(plan->entries[0].definition.size, 0);
    assert_non_null(strstr(plan->entries[0].reason, "from an earlier import"));
    zo_plan_free(plan);
}

// The document's search for a free id has no end; the numbers of 1,000 copies are passed one by one.
static void many_copies_are_passed(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static char ids[COUNT][16];
    static zo_library_item library[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(ids[i], sizeof ids[i], i == 0 ? "a:b" : "a:b-%u", i + 1);
        library[i] = item_of(ids[i], "{\"id\":\"a:b\",\"other\":1}");
    }
    zo_plan *plan = planned(PACK(ANIMATION("a:b") "," ANIMATION("a:b-1001")), library, COUNT);
    assert_string_equal(plan->entries[0].final_id, "a:b-1002"); // -1001 is asked for
    assert_string_equal(plan->entries[1].final_id, "a:b-1001");
    zo_plan_free(plan);
}

// Two of the pack meet at one free id; the later one goes on.
static void ids_given_out_are_taken(void **state) {
    (void)state;
    const zo_library_item library[] = {item_of("a:b", "{}"), item_of("a:b-2", "{}"), item_of("a:b-2-2", "{}")};
    zo_plan *plan = planned(PACK(ANIMATION("a:b-2") "," ANIMATION("a:b")), library, 3);
    assert_string_equal(plan->entries[0].final_id, "a:b-2-3");
    assert_string_equal(plan->entries[1].final_id, "a:b-3");
    zo_plan_free(plan);
}

// ----------------------------------------------------------------------------------------------------------- exported

static void an_export_and_its_import_give_the_bytes_back(void **state) {
    (void)state;
    static const char pretty[] = "{\n  \"version\": 1,\n  \"x\": [\n    1.50\n  ],\n\n" "  " REST("a:b") "\n}";
    const zo_library_item library[] = {item_of("a:b", pretty), item_of("c:d", ANIMATION("c:d"))};
    zo_pack *pack = NULL;
    assert_int_equal(zo_pack_export(library, 2, " c:d ,,a:b,c:d", "  Two \xC2\xA0", NULL, &pack), ZO_OK);
    assert_string_equal(pack->pack_namespace, "mixed");
    assert_int_equal(pack->id_count, 2);
    assert_string_equal(pack->ids[0], "c:d");
    const zo_source source = {.name = "pack.json", .bytes = pack->text.data, .size = pack->text.size};
    zo_plan *plan = NULL;
    assert_int_equal(zo_pack_plan(&source, NULL, 0, NULL, &plan, NULL), ZO_OK);
    assert_string_equal(plan->name, "Two");
    is_text(plan->entries[0].definition, ANIMATION("c:d"));
    is_text(plan->entries[1].definition, pretty);
    zo_plan_free(plan);
    assert_int_equal(zo_pack_plan(&source, library, 2, NULL, &plan, NULL), ZO_OK);
    assert_int_equal(plan->entries[0].status, ZO_PLAN_IDENTICAL);
    assert_int_equal(plan->entries[1].status, ZO_PLAN_IDENTICAL);
    zo_plan_free(plan);
    zo_pack_free(pack);
}

static void exports_that_make_no_pack(void **state) {
    (void)state;
    const zo_library_item library[] = {item_of("a:b", ANIMATION("a:b"))};
    zo_pack *pack = NULL;
    assert_int_equal(zo_pack_export(library, 1, " , ,", NULL, NULL, &pack), ZO_INVALID);
    assert_int_equal(pack->id_count + pack->unknown_count, 0);
    zo_pack_free(pack);
    assert_int_equal(zo_pack_export(library, 1, "z:z,a:b,y:y,z:z", NULL, NULL, &pack), ZO_INVALID);
    assert_int_equal(pack->unknown_count, 2);
    assert_string_equal(pack->unknown[1], "y:y");
    assert_int_equal(pack->text.size, 0);
    zo_pack_free(pack);
    char name[123];
    memset(name, 'n', 122);
    name[121] = 0;
    assert_int_equal(zo_pack_export(library, 1, "a:b", name, NULL, &pack), ZO_LIMIT);
    assert_null(pack);
    assert_int_equal(zo_pack_export(NULL, 0, "a:b", name, NULL, &pack), ZO_INVALID);
    zo_pack_free(pack);
}

// ------------------------------------------------------------------------------------------------------------- mended

static void becomes(const char *text, const char *expected) { // NULL: there is nothing to mend
    zo_document *mended = NULL;
    assert_int_equal(zo_definition_mend(text, strlen(text), NULL, &mended), ZO_OK);
    assert_true((mended != NULL) == (expected != NULL));
    if (mended != NULL) { is_text(zo_document_bytes(mended), expected); }
    zo_document_free(mended);
}

#define TRACK(property) "{\"property\":\"" property "\"}"
#define AMBIENT(tracks) "{\"kind\":\"ambient\",\"tracks\":[" tracks "]}"

static void older_rules_are_mended(void **state) {
    (void)state;
    zo_document *mended = NULL;
    assert_int_equal(zo_definition_mend("{", 1, NULL, &mended), ZO_INVALID);
    assert_null(mended);
    becomes("[]", NULL);
    becomes("null", NULL);
    becomes("{}", NULL);
    becomes("{\"repeat\":7,\"tracks\":{}}", NULL);
    becomes(ANIMATION("a:b"), NULL);
    becomes("{\"repeat\":{\"mode\":\"loop\",\"minDelayMs\":0,\"maxDelayMs\":0}}", NULL);
    becomes("{\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":0,\"maxDelayMs\":5}}",
            "{\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":1,\"maxDelayMs\":5}}");
    becomes("{\"repeat\":{\"maxDelayMs\":-3,\"minDelayMs\":-1,\"mode\":\"random-interval\"}}",
            "{\"repeat\":{\"maxDelayMs\":1,\"minDelayMs\":1,\"mode\":\"random-interval\"}}");
    becomes("{\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":8e2,\"maxDelayMs\":5}}",
            "{\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":8e2,\"maxDelayMs\":8e2}}");
    becomes(AMBIENT(TRACK("transition.x") " , " TRACK("bounce.y") ", " TRACK("transition.y")), AMBIENT(TRACK("bounce.y")));
    becomes(AMBIENT(TRACK("transition.x") "," TRACK("transition.y") ",\n" TRACK("sway.rotation")),
            AMBIENT(TRACK("sway.rotation")));
    becomes(AMBIENT(TRACK("bounce.x") "," TRACK("transition.x") "," TRACK("transition.y") "," TRACK("bounce.y")),
            AMBIENT(TRACK("bounce.x") "," TRACK("bounce.y")));
    becomes(AMBIENT(" " TRACK("transition.x") ", " TRACK("transition.y") " "), AMBIENT("  "));
    becomes("{\"tracks\":[{\"keyframes\":[{\"at\":0},{\"at\":1},{\"at\":-0},{\"at\":0.0},{},{},{\"at\":1e0}]}],"
            "\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":0,\"maxDelayMs\":0}}",
            "{\"tracks\":[{\"keyframes\":[{\"at\":0},{\"at\":1},{},{}]}],"
            "\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":1,\"maxDelayMs\":1}}");
}

// --------------------------------------------------------------------------------------------------------- short memory

static void *starved_alloc(void *context, size_t size) {
    size_t *left = context;
    if (*left == 0) { return NULL; }
    --*left;
    const zo_allocator plain = zb_allocator_or_default(NULL);
    return plain.alloc(plain.context, size);
}
static void starved_free(void *context, void *memory, size_t size) {
    (void)context;
    const zo_allocator plain = zb_allocator_or_default(NULL);
    plain.free(plain.context, memory, size);
}

static void short_memory_is_said_at_every_point(void **state) {
    (void)state;
    const zo_library_item library[] = {item_of("a:b", "{}")};
    const zo_source source = source_of(PACK(ANIMATION("a:b") "," ANIMATION("c:d")));
    zo_status status = ZO_NO_MEMORY;
    for (size_t count = 0; status == ZO_NO_MEMORY; count++) {
        assert_true(count < 100);
        size_t left = count;
        const zo_allocator allocator = {&left, starved_alloc, starved_free};
        const zo_compile_def def = {.allocator = &allocator};
        zo_plan *plan = NULL;
        zo_report *report = NULL;
        status = zo_pack_plan(&source, library, 1, &def, &plan, &report);
        assert_true((plan != NULL) == (status == ZO_OK));
        zo_plan_free(plan);
        zo_report_free(report);
    }
    assert_int_equal(status, ZO_OK);
    status = ZO_NO_MEMORY;
    for (size_t count = 0; status == ZO_NO_MEMORY; count++) {
        assert_true(count < 100);
        size_t left = count;
        const zo_allocator allocator = {&left, starved_alloc, starved_free};
        zo_pack *pack = NULL;
        status = zo_pack_export(library, 1, "a:b", NULL, &allocator, &pack);
        zo_pack_free(pack);
    }
    assert_int_equal(status, ZO_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused_gives_no_plan),
        cmocka_unit_test(a_lone_definition_is_a_pack_of_one),
        cmocka_unit_test(bytes_are_kept_but_for_the_id),
        cmocka_unit_test(the_reason_names_an_order_of_members),
        cmocka_unit_test(many_copies_are_passed),
        cmocka_unit_test(ids_given_out_are_taken),
        cmocka_unit_test(an_export_and_its_import_give_the_bytes_back),
        cmocka_unit_test(exports_that_make_no_pack),
        cmocka_unit_test(older_rules_are_mended),
        cmocka_unit_test(short_memory_is_said_at_every_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
