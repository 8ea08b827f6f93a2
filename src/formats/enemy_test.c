// The enemy reader: which texts are taken for clips, every fault at once, fixes, what is said under which profile,
// paths, and what odd documents must not do. tests/vectors/enemy holds it against the format rule by rule.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "formats/enemy.h"

#define HEAD "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"a:enemy-animation/a\"," \
    "\"enemy\":\"a:enemy/a\",\"displayName\":\"A\",\"durationSeconds\":1,\"frameRate\":60,\"loop\":false,"
#define KEY "{\"time\":0,\"value\":1,\"inTangent\":0,\"outTangent\":0}"
#define TRACKS "\"tracks\":[{\"target\":\"bone/a\",\"property\":\"scale.x\",\"keys\":[" KEY "]}]"
#define COLOUR "{\"r\":1,\"g\":1,\"b\":1,\"a\":1}"
#define EFFECT_OF(head, tail) "{" head "\"trigger\":\"\",\"index\":0,\"target\":\"bone/a\",\"durationSeconds\":1," \
    "\"loop\":false,\"maxParticles\":1,\"startLifetimeMin\":1,\"startLifetimeMax\":1,\"startSpeedMin\":1," \
    "\"startSpeedMax\":1,\"startSizeMin\":1,\"startSizeMax\":1,\"gravityMin\":0,\"gravityMax\":0,\"scaleX\":1," \
    "\"scaleY\":1,\"scaleZ\":1,\"simulationSpace\":\"Local\",\"startColorMin\":" COLOUR "," \
    "\"startColorMax\":" COLOUR ",\"emissionRateMin\":0,\"emissionRateMax\":0,\"shapeEnabled\":true,\"shape\":\"\",\"shapeRadius\":1," \
    "\"shapeAngle\":0,\"textureSheetTilesX\":1,\"textureSheetTilesY\":1,\"textureSheetSprites\":[]," \
    "\"sortingOrder\":0,\"source\":{}" tail "}"

static zo_status compile(const char *text, zo_profile profile, bool strict, zo_program **program, zo_report **report) {
    const zo_source source = {.name = "clip.json", .bytes = text, .size = strlen(text)};
    const zo_compile_def def = {.profile = profile, .strict = strict};
    return zo_compile(&source, 1, &def, program, report);
}

static void assert_ids(const char *text, zo_status status, const char *const *ids, uint32_t count) {
    zo_report *report = NULL;
    assert_int_equal(compile(text, ZO_PROFILE_DOCUMENT, false, NULL, &report), status);
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        assert_true(i < count);
        assert_string_equal(zo_report_at(report, i)->id, ids[i]);
    }
    assert_int_equal(zo_report_count(report), count);
    zo_report_free(report);
}

static void every_fault_is_found_at_once(void **state) {
    (void)state;
    static const char text[] =
        "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"A\",\"enemy\":\"a:enemy/a_b\",\"displayName\":\"\","
        "\"durationSeconds\":1,\"frameRate\":999,\"loop\":0,\"tracks\":[{\"target\":\"bone/a\",\"property\":\"scale\","
        "\"keys\":[{\"time\":0.5,\"value\":1,\"inTangent\":0,\"outTangent\":0},{\"time\":0.25,\"value\":\"1\","
        "\"inTangent\":0,\"outTangent\":0},5]}],\"effects\":[" EFFECT_OF("\"id\":\"a\",", "") ","
        EFFECT_OF("\"id\":\"a\",", ",\"kind\":\"decal\"") "],\"effectTriggers\":[{\"time\":2,\"source\":\"\","
        "\"effects\":[\"b\",7]}]}";
    static const char *const ids[] = {
        "enemy/pattern", "enemy/id-path-segment", "enemy/minLength", "enemy/maximum", "enemy/type", "enemy/enum",
        "enemy/key-order", "enemy/type", "enemy/type", "enemy/effect-id-unique", "enemy/trigger-range",
        "enemy/trigger-effect", "enemy/type"};
    assert_ids(text, ZO_INVALID, ids, ZB_COUNT(ids)); // of the second effect no more is said
}

static void rules_between_members_do_not_speak_of_what_is_wrong_by_itself(void **state) {
    (void)state;
    static const char *const types[] = {"enemy/type", "enemy/type", "enemy/type", "enemy/type"};
    assert_ids(HEAD TRACKS ",\"events\":[{\"time\":0,\"type\":\"impulse\",\"x\":\"1\"},"
               "{\"time\":\"5\",\"type\":\"sound\",\"file\":5},"
               "{\"time\":0,\"type\":\"cameraShake\",\"amount\":\"9\"}]}", ZO_INVALID, types, 4);
    static const char *const words[] = {"enemy/enum"}; // of an unknown type it is not known what it should hold
    assert_ids(HEAD TRACKS ",\"events\":[{\"time\":0,\"type\":\"sond\",\"x\":1}]}", ZO_INVALID, words, 1);
    static const char *const forms[] = {"enemy/pattern"}; // the trigger means it all the same
    assert_ids(HEAD TRACKS ",\"effects\":[" EFFECT_OF("\"id\":\"A\",", "") "],\"effectTriggers\":[{\"time\":0,"
               "\"source\":\"\",\"effects\":[\"A\"]}]}", ZO_INVALID, forms, 1);
}

static void what_the_original_refuses_depends_on_the_reading(void **state) {
    (void)state;
    static const char text[] = HEAD TRACKS ",\"events\":[{\"time\":0,\"type\":\"impulse\",\"x\":2000}]}";
    for (uint32_t i = 0; i < 4; i++) {
        const bool strict = i >= 2, original = i % 2 == 1;
        zo_report *report = NULL;
        const zo_profile profile = original ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT;
        const bool error = strict || original;
        assert_int_equal(compile(text, profile, strict, NULL, &report), error ? ZO_INVALID : ZO_OK);
        assert_int_equal(zo_report_total(report, ZO_ERROR), error);
        assert_int_equal(zo_report_total(report, ZO_WARNING), !error);
        const zo_diag *diag = zo_report_at(report, 0);
        assert_string_equal(diag->place.pointer, "/events/0/x");
        assert_int_equal(diag->hint != NULL, !error);
        zo_report_free(report);
    }
}

static void nulls_that_were_left_out_can_be_written(void **state) {
    (void)state;
    static const struct { const char *key, *insert; } rows[] = {
        {"{\"time\":0,\"value\":1,\"outTangent\":0}", "{\"inTangent\": null, "},
        {"{\"time\":0,\"value\":1,\"inTangnt\":3,\"outTangent\":0}", NULL}, // it may be this one
        {"{\"time\":0,\"inTangent\":0,\"outTangent\":0}", NULL},            // a value is not null
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "\"tracks\":[{\"target\":\"bone/a\",\"property\":\"scale.x\",\"keys\":[%s]}]}",
                 rows[i].key);
        zo_report *report = NULL;
        compile(text, ZO_PROFILE_DOCUMENT, false, NULL, &report);
        const zo_diag *diag = zo_report_at(report, 0);
        assert_string_equal(diag->id, "enemy/required");
        assert_string_equal(diag->place.pointer, "/tracks/0/keys/0");
        if (rows[i].insert != NULL) {
            assert_int_equal(diag->edit_count, 1);
            assert_string_equal(diag->edits[0].insert, rows[i].insert);
            assert_int_equal(diag->edits[0].remove, 1); // the brace
        } else {
            assert_int_equal(diag->edit_count, 0);
        }
        zo_report_free(report);
    }
}

static void components_are_not_guessed(void **state) {
    (void)state;
    zo_report *report = NULL;
    compile(HEAD "\"tracks\":[{\"target\":\"bone/a\",\"property\":\"rotation.y\",\"keys\":[" KEY "]}]}",
            ZO_PROFILE_DOCUMENT, false, NULL, &report);
    assert_string_equal(zo_report_at(report, 0)->hint, "did you mean \"rotation.z\"?");
    assert_int_equal(zo_report_at(report, 0)->edit_count, 0);
    zo_report_free(report);
}

static void clips_are_known_by_their_shape(void **state) {
    (void)state;
    static const struct { const char *text, *format; } rows[] = {
        {"{\"type\":\"enemyAnimation\"}", "enemy-animation"},
        {"{\"enemy\":\"a:enemy/a\",\"durationSeconds\":1,\"frameRate\":60,\"tracks\":[]}", "enemy-animation"},
        {"{\"type\":\"enemy\",\"tracks\":[]}", ""},
        {"{\"durationMs\":9,\"tracks\":[],\"repeat\":{\"mode\":\"once\"},\"kind\":\"ambient\"}", "petween"},
        {"[{\"type\":\"enemyAnimation\"}]", ""},
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); i++) {
        zo_report *report = NULL;
        assert_int_not_equal(compile(rows[i].text, ZO_PROFILE_DOCUMENT, false, NULL, &report), ZO_OK);
        assert_string_equal(zo_report_format(report), rows[i].format);
        zo_report_free(report);
    }
}

static void a_path_is_safe_inside_the_pack(void **state) {
    (void)state;
    static const char *const bad[] = {"", " ", "/a.png", "a\\b.png", "C:/a.png", "../a", "a/../b", "a/..", ".", "./a",
                                      "a//b", "a/", "a/.", "\xC2\xA0"};
    static const char *const good[] = {"a", "a.png", "a/b/c.wav", "..a", "a..b", ".hidden", "a b", "a/...",
                                       "\xC3\xA4/\xC3\xB6"};
    for (uint32_t i = 0; i < ZB_COUNT(bad); i++) { assert_false(zf_en_safe_path(zb_text(bad[i]))); }
    for (uint32_t i = 0; i < ZB_COUNT(good); i++) { assert_true(zf_en_safe_path(zb_text(good[i]))); }
}

static void times_are_compared_in_float(void **state) {
    (void)state;
    assert_true(zf_en_f32(1.83333337) == zf_en_f32(1.8333334));
    assert_true(zf_en_f32(1e39) == HUGE_VALF);
    assert_true(zf_en_f32(-1e39) == -HUGE_VALF);
    assert_true(zf_en_f32(3.4028234663852886e38) < HUGE_VALF);
    assert_true(zf_en_f32(3.4028235677973366e38) == HUGE_VALF); // the first that is rounded up
    const float none = zf_en_f32((double)NAN);
    assert_true(none != none);
}

// A list that is far too long is reported, and no more of it is read than there may be.
static void too_many_items_cost_no_memory(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    static char text[4096 + COUNT * 3];
    size_t size = (size_t)snprintf(text, sizeof text, HEAD TRACKS ",\"effects\":[");
    for (uint32_t i = 0; i < COUNT; i++) { size += (size_t)snprintf(text + size, 4, i > 0 ? ",{}" : "{}"); }
    snprintf(text + size, 4, "]}");
    zo_report *report = NULL;
    assert_int_equal(compile(text, ZO_PROFILE_DOCUMENT, false, NULL, &report), ZO_INVALID);
    assert_string_equal(zo_report_at(report, 0)->id, "enemy/maxItems");
    assert_int_equal(zo_report_total(report, ZO_ERROR), 1 + 128 * 32); // each with all that it lacks
    zo_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found_at_once),
        cmocka_unit_test(rules_between_members_do_not_speak_of_what_is_wrong_by_itself),
        cmocka_unit_test(what_the_original_refuses_depends_on_the_reading),
        cmocka_unit_test(nulls_that_were_left_out_can_be_written),
        cmocka_unit_test(components_are_not_guessed),
        cmocka_unit_test(clips_are_known_by_their_shape),
        cmocka_unit_test(a_path_is_safe_inside_the_pack),
        cmocka_unit_test(times_are_compared_in_float),
        cmocka_unit_test(too_many_items_cost_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
