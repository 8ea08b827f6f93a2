// Pets: what is said of their configurations, what is left out and what stands beside them. The cases of tests/vectors
// hold how they behave; here stands how they are read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "formats/petween_pet.h"

static zo_status compile(const char *text, const char *beside, bool strict, zo_program **program, zo_report **report) {
    const zo_source sources[] = {{.name = "pet.json", .bytes = text, .size = strlen(text)},
                                 {.name = "beside.json", .bytes = beside, .size = beside ? strlen(beside) : 0}};
    const zo_compile_def def = {.format = "pet", .strict = strict};
    return zo_compile(sources, beside ? 2 : 1, &def, program, report);
}

static void says(const char *text, zo_status status, const char *id, const char *pointer) {
    zo_report *report = NULL;
    assert_int_equal(compile(text, NULL, false, NULL, &report), status);
    assert_int_equal(zo_report_count(report), 1);
    const zo_diag *diag = zo_report_at(report, 0);
    assert_string_equal(diag->id, id);
    assert_string_equal(diag->place.pointer, pointer);
    zo_report_free(report);
}

static void each_bad_member_has_its_place(void **state) {
    (void)state;
    says("[]", ZO_INVALID, "petween/pet-field", "");
    says("{\"version\":2}", ZO_NEWER, "petween/version-newer", "/version");
    says("{\"version\":\"1\"}", ZO_INVALID, "petween/version", "/version");
    says("{\"states\":[]}", ZO_INVALID, "petween/pet-field", "/states");
    says("{\"enabled\":1}", ZO_INVALID, "petween/pet-field", "/enabled");
    says("{\"overlay\":{\"x\":null,\"y\":\"0\"}}", ZO_INVALID, "petween/pet-field", "/overlay/y");
    says("{\"poses\":{\"error\":{\"zoom\":0.1}}}", ZO_INVALID, "petween/pet-field", "/poses/error/zoom");
    says("{\"global\":{\"transition\":{\"preset\":\"global\"}}}", ZO_INVALID, "petween/pet-field",
         "/global/transition/preset");
    says("{\"states\":{\"idle\":{\"enter\":{\"durationMs\":59.9}}}}", ZO_INVALID, "petween/pet-field",
         "/states/idle/enter/durationMs");
    says("{\"states\":{\"idle\":{\"ambient\":{\"bounce\":{\"intervalMaxMs\":500}}}}}", ZO_INVALID, "petween/pet-interval",
         "/states/idle/ambient/bounce/intervalMaxMs");
    says("{\"advanced\":{\"terminalHold\":\"forever\"}}", ZO_INVALID, "petween/pet-field", "/advanced/terminalHold");
    says("{\"interactions\":{\"click\":{\"pose\":\"asleep\"}}}", ZO_INVALID, "petween/pet-field", "/interactions/click/pose");
    says("{\"interactions\":{\"click\":{\"animation\":\"user:x\"}}}", ZO_OK, "petween/pet-animation",
         "/interactions/click/animation");
}

// A fault in a file beside the pet is that file's, and the pet is not made.
static void faults_beside_are_reported_there(void **state) {
    (void)state;
    zo_report *report = NULL;
    zo_program *program = NULL;
    assert_int_equal(compile("{}", "{\"version\":1,\"id\":\"a:b\",\"kind\":\"ambient\",\"durationMs\":0,\"repeat\":{\"mode\":"
                             "\"loop\"},\"name\":\"n\",\"tracks\":[]}", false, &program, &report), ZO_INVALID);
    assert_null(program);
    assert_string_equal(zo_report_at(report, 0)->id, "petween/durationMs");
    assert_string_equal(zo_report_at(report, 0)->place.file, "beside.json");
    zo_report_free(report);
    assert_int_equal(compile("{}", "{\"name\":\"some other file\"}", false, &program, &report), ZO_OK); // only noted
    assert_int_equal(zo_report_total(report, ZO_NOTE), 1);
    zo_report_free(report);
    zo_program_free(program);
    assert_int_equal(compile("{}", "{ \"strict\": true, } // settings", false, &program, &report), ZO_OK); // so it is
    assert_int_equal(zo_report_total(report, ZO_NOTE), 1);
    zo_report_free(report);
    zo_program_free(program);
    assert_int_equal(compile("{}", "{\"version\":1,\"id\":\"a:b\",\"kind\":\"ambi", false, &program, &report), ZO_INVALID);
    assert_string_equal(zo_report_format(report), "pet");
    zo_report_free(report);
}

// The same content under one id twice is one animation, however it is written; the order of members makes no difference to
// what is played. What differs is told of where it stands, once for each, and the first is what counts.
static void of_two_with_one_id_the_first_counts(void **state) {
    (void)state;
#define AMBIENT(ms, end) "{\"version\":1,\"id\":\"a:b\",\"name\":\"n\",\"kind\":\"ambient\",\"durationMs\":" ms "," \
                         "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[]" end "}"
    static const char *const texts[] = {
        "{\"states\":{\"idle\":{\"ambient\":{\"customAnimationId\":\"a:b\"}}}}",
        AMBIENT("700", ""),
        "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"p\",\"namespace\":\"a\",\"animations\":[" AMBIENT("700", "") "]}",
        "{\"id\":\"a:b\", \"version\":1.0, \"name\":\"n\",\"kind\":\"ambient\",\"durationMs\":7e2,"
        "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[]}",
        AMBIENT("800", ""),
        AMBIENT("700", ",\"note\":1"),
    };
    static const char *const names[] = {"pet.json", "0.json", "1.json", "2.json", "3.json", "4.json"};
    zo_source sources[6];
    for (uint32_t i = 0; i < 6; i++) {
        sources[i] = (zo_source){.name = names[i], .bytes = texts[i], .size = strlen(texts[i])};
    }
    zo_report *report = NULL;
    zo_program *program = NULL;
    assert_int_equal(zo_compile(sources, 6, NULL, &program, &report), ZO_OK);
    assert_int_equal(zo_report_count(report), 2);
    for (uint32_t i = 0; i < 2; i++) {
        const zo_diag *diag = zo_report_at(report, i);
        assert_string_equal(diag->id, "petween/pet-duplicate-id");
        assert_string_equal(diag->place.file, names[4 + i]);
        assert_string_equal(diag->place.pointer, "/id");
        assert_string_equal(diag->related.file, "0.json");
    }
    zo_clip_info info;
    assert_true(zo_clip_get(program, zo_clip_find(program, "a:b"), &info));
    assert_true(info.duration_ns == 700000000);
    zo_report_free(report);
    zo_program_free(program);
#undef AMBIENT
}

static void what_is_left_out_has_defaults(void **state) {
    (void)state;
    zo_program *program = NULL;
    zo_report *report = NULL;
    assert_int_equal(compile("{\"mood\":7,\"interactions\":{\"click\":{\"pose\":null}}}", NULL, true, &program, &report), ZO_OK);
    assert_int_equal(zo_report_count(report), 1); // strict: a member that means nothing
    assert_string_equal(zo_report_at(report, 0)->id, "field/unknown");
    assert_string_equal(zo_report_format(report), "pet");
    zo_report_free(report);
    assert_int_equal(zo_state_count(program), 6);
    assert_int_equal(zo_clip_count(program), 2 * 17); // the built-in ones and their twins
    zo_state_info info;
    assert_true(zo_state_get(program, (zo_state){3}, &info));
    assert_string_equal(info.name, "working");
    assert_string_equal(info.group, "active");
    uint32_t types = 0;
    for (; zo_status_type(program, types) != NULL; types++) {
        assert_true(zo_status_type(program, types)[0] != 0);
    }
    assert_int_equal(types, 11); // tool-start in three rows
    assert_string_equal(zo_status_type(program, 10), "dismiss");
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded = NULL;
    assert_int_equal(zo_load(blob, size, NULL, &loaded), ZO_OK);
    assert_true(zo_program_hash(loaded) == zo_program_hash(program));
    zo_program_free(loaded);
    zo_program_free(program);
}

static bool count_bytes(void *context, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)context += size;
    return true;
}

static void a_pet_is_known_by_its_parts_and_has_a_schema(void **state) {
    (void)state;
    static const struct { const char *text; bool known; } texts[] = {
        {"{\"states\":{\"idle\":{}}}", true},
        {"{\"global\":{},\"interactions\":{}}", true},
        {"{\"states\":{\"walking\":{}}}", false},
        {"{\"advanced\":{}}", false},
        {"{\"advanced\":{\"particles\":false}}", true}, // all else may be left out
        {"{\"global\":{\"successHoldMs\":100}}", true},
        {"{\"version\":1,\"interactions\":{\"click\":{}}}", true},
        {"{\"global\":{\"scale\":1,\"port\":80}}", false},
        {"{\"global\":true}", false},
    };
    for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const zo_source source = {.name = "x.json", .bytes = texts[i].text, .size = strlen(texts[i].text)};
        const zo_status status = zo_compile(&source, 1, &(zo_compile_def){0}, NULL, NULL);
        assert_int_equal(status, texts[i].known ? ZO_OK : ZO_UNSUPPORTED);
    }
    size_t size = 0;
    assert_true(zo_schema_write("pet", ZO_PROFILE_DOCUMENT, count_bytes, &size));
    assert_true(size > 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bad_member_has_its_place),
        cmocka_unit_test(faults_beside_are_reported_there),
        cmocka_unit_test(of_two_with_one_id_the_first_counts),
        cmocka_unit_test(what_is_left_out_has_defaults),
        cmocka_unit_test(a_pet_is_known_by_its_parts_and_has_a_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
