// petween's configuration: defaults, what patches may say, what is read leniently, and patches put into documents.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/petween_config.h"
#include "host/http_text.h"

static zo_document *open_text(const char *text) {
    zo_document *document = NULL;
    assert_int_equal(zo_document_open(text, strlen(text), NULL, &document), ZO_OK);
    return document;
}

static void note(void *context, const char *path, const char *message) {
    http_text *issues = context;
    assert_true(message[0] != 0);
    http_text_words(issues, path);
    http_text_words(issues, ";");
}

static const char *kind_of(void *context, const char *id) {
    (void)context;
    return strcmp(id, "user:t") == 0 ? "transition" : strcmp(id, "user:a") == 0 ? "ambient" : NULL;
}

// The paths that are wrong, in the order of the tables.
static void assert_issues(const char *patch, const char *paths) {
    http_text issues = {0};
    const petween_reading reading = {.kind_of = kind_of, .issue = note, .issue_context = &issues};
    petween_config config;
    zo_document *document = open_text(patch);
    petween_config_default(&config);
    http_text_words(&issues, "");
    petween_config_read(document, &reading, &config);
    assert_string_equal(http_text_end(&issues), paths);
    http_text_free(&issues);
    zo_document_free(document);
}

static void what_a_patch_may_say(void **state) {
    (void)state;
    assert_issues("{}", "");
    assert_issues("[]", ";");
    assert_issues("null", ";");
    assert_issues("{\"version\":1.0,\"x\":{\"scale\":9}}", "");
    assert_issues("{\"version\":2,\"enabled\":1,\"activePetId\":\"pet_\"}", "version;enabled;activePetId;");
    assert_issues("{\"activePetId\":null}", "");
    assert_issues("{\"global\":{\"scale\":0.3}}", "");
    assert_issues("{\"global\":{\"scale\":0.29}}", "global.scale;");
    assert_issues("{\"global\":{\"scale\":4.01,\"transition\":{\"preset\":\"global\",\"strength\":-1,"
                  "\"durationMs\":59},\"reducedMotion\":true,\"successHoldMs\":120001,\"errorHoldMs\":1e999}}",
                  "global.scale;global.transition.preset;global.transition.strength;global.transition.durationMs;"
                  "global.reducedMotion;global.successHoldMs;global.errorHoldMs;");
    assert_issues("{\"global\":{\"transition\":{\"animationId\":7}}}", ""); // it has none, so nobody looks
    assert_issues("{\"poses\":{\"idle\":{\"zoom\":8.5,\"anchor\":{\"x\":-0.1,\"y\":1}},\"none\":3,\"error\":[]}}",
                  "poses.idle.anchor.x;poses.idle.zoom;poses.error;");
    assert_issues("{\"poses\":{\"idle\":{\"assetId\":\"../../etc\"},\"error\":{\"assetId\":null}}}",
                  "poses.idle.assetId;");
    assert_issues("{\"states\":{\"idle\":{\"pose\":\"sleep\",\"enter\":{\"preset\":\"global\",\"strength\":3,"
                  "\"durationMs\":2000},\"ambient\":{\"bounce\":{\"intervalMinMs\":900,\"intervalMaxMs\":800},"
                  "\"sway\":{\"angleDeg\":61},\"breathe\":{\"periodMs\":199}}}}}",
                  "states.idle.pose;states.idle.ambient.bounce.intervalMaxMs;states.idle.ambient.sway.angleDeg;"
                  "states.idle.ambient.breathe.periodMs;");
    assert_issues("{\"states\":{\"idle\":{\"ambient\":{\"bounce\":{\"intervalMinMs\":1400}}}}}",
                  "states.idle.ambient.bounce.intervalMaxMs;"); // against the 1300 that it keeps
    assert_issues("{\"overlay\":{\"x\":null,\"y\":\"1\"},\"advanced\":{\"particles\":null,\"terminalHold\":\"ever\"}}",
                  "overlay.y;advanced.terminalHold;advanced.particles;");
    assert_issues("{\"interactions\":{\"click\":{\"animation\":\"\",\"pose\":\"x\",\"honorAnimationPoseSwap\":0}}}",
                  "interactions.click.animation;interactions.click.pose;interactions.click.honorAnimationPoseSwap;");
    assert_issues("{\"interactions\":{\"click\":{\"animation\":\"anything\",\"pose\":null}}}", "");
}

static void what_slots_may_play(void **state) {
    (void)state;
    static const struct {
        const char *id;
        bool enter, ambient;
    } ids[] = {{"\"user:t\"", true, false}, {"\"user:a\"", false, true}, {"\"user:none\"", false, false},
               {"null", true, true}, {"\"builtin:soft\"", true, false}, {"\"builtin:activity-swap\"", true, false},
               {"\"builtin:bounce\"", false, false}, {"\"builtin:\"", false, false}, {"7", false, false},
               {"\"user:t\\u0000\"", false, false}, {"\"User:t\"", false, false}, {"\"\"", false, false}};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char patch[160];
        snprintf(patch, sizeof patch, "{\"states\":{\"error\":{\"enter\":{\"animationId\":%s}}}}", ids[i].id);
        assert_issues(patch, ids[i].enter ? "" : "states.error.enter.animationId;");
        snprintf(patch, sizeof patch, "{\"states\":{\"error\":{\"ambient\":{\"customAnimationId\":%s}}}}", ids[i].id);
        assert_issues(patch, ids[i].ambient ? "" : "states.error.ambient.customAnimationId;");
    }
}

static void documents_are_read_leniently(void **state) {
    (void)state;
    const petween_reading reading = {.kind_of = kind_of};
    petween_config config, plain;
    zo_document *document = open_text(
        "{\"enabled\":\"no\",\"global\":{\"scale\":99,\"errorHoldMs\":5},\"states\":{\"idle\":{\"enter\":{"
        "\"animationId\":\"user:gone\",\"strength\":2},\"ambient\":{\"customAnimationId\":\"user:a\",\"bounce\":"
        "{\"intervalMinMs\":2000}}}},\"overlay\":{\"x\":12.5},\"activePetId\":\"pet_1\"}");
    petween_config_default(&config);
    petween_config_default(&plain);
    petween_config_read(document, &reading, &config);
    assert_true(config.enabled);
    assert_true(config.slice.scale == 1.0);
    assert_true(config.error_hold_ms == 5.0);
    assert_string_equal(config.slice.states[0].enter.animation, "");
    assert_true(config.slice.states[0].enter.strength == 2.0);
    assert_string_equal(config.slice.states[0].ambient, "user:a");
    assert_true(config.slice.states[0].bounce.min_ms == 2000.0 && config.slice.states[0].bounce.max_ms == 2000.0);
    assert_true(config.overlay_x == 12.5 && isnan(config.overlay_y));
    assert_string_equal(config.active_pet, "pet_1");
    assert_memory_equal(&config.slice.states[1], &plain.slice.states[1], sizeof(petween_state) * 5);
    zo_document_free(document);
}

// What is written is read as the same, and nothing of it is refused.
static void what_is_written_is_read_again(void **state) {
    (void)state;
    http_text text = {0}, again = {0};
    petween_config config, read;
    petween_config_default(&config);
    snprintf(config.slice.poses[3].asset, sizeof config.slice.poses[3].asset, "0123456789abcdef");
    snprintf(config.slice.states[2].enter.animation, sizeof config.slice.states[2].enter.animation, "user:t");
    config.overlay_x = -0.25;
    config.honor = 1;
    config.click_pose = 4;
    cli_json json = http_text_json(&text);
    petween_config_write(&json, NULL, &config);
    assert_issues(http_text_end(&text), "");
    zo_document *document = open_text(http_text_end(&text));
    petween_config_default(&read);
    petween_config_read(document, &(petween_reading){0}, &read);
    json = http_text_json(&again);
    petween_config_write(&json, NULL, &read);
    assert_string_equal(http_text_end(&again), http_text_end(&text));
    assert_non_null(strstr(http_text_end(&text),
                           "\"waiting\": {\"assetId\": \"0123456789abcdef\", \"anchor\": {\"x\": 0.5, "));
    assert_non_null(strstr(http_text_end(&text), "\"overlay\": {\"x\": -0.25, \"y\": null}"));
    assert_null(strstr(http_text_end(&text), "\"idle\": {\"assetId\""));
    zo_document_free(document);
    http_text_free(&again);
    http_text_free(&text);
}

static void assert_merged(const char *document, const char *patch, petween_part part, const char *expected) {
    zo_document *d = open_text(document), *p = open_text(patch);
    bool changed;
    assert_int_equal(petween_merge(d, p, ZO_VALUE_ROOT, part, &changed), ZO_OK);
    const zo_text text = zo_document_bytes(d);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
    assert_int_equal(changed, strcmp(document, expected) != 0);
    zo_document_free(p);
    zo_document_free(d);
}

static void patches_are_put_into_documents(void **state) {
    (void)state;
    assert_merged("{ \"mine\": 1.50,\n  \"enabled\": true\n}", "{\"enabled\":false,\"yours\":{\"b\":2,\"a\":1}}",
                  PETWEEN_GLOBAL, "{ \"mine\": 1.50,\n  \"enabled\": false,\"yours\":{\"b\":2,\"a\":1}\n}");
    assert_merged("{}", "{\"a\":1,\"b\\n\":2,\"a\":3.0}", PETWEEN_GLOBAL, "{\"b\\n\":2,\"a\":3.0}");
    assert_merged("{\"enabled\":1,\"enabled\":2}", "{\"enabled\":3}", PETWEEN_GLOBAL, "{\"enabled\":1,\"enabled\":3}");
    // The slice goes elsewhere, and what else stands in `global` does not.
    static const char both[] = "{\"global\":{\"scale\":2.0,\"errorHoldMs\":7,\"u\":1},"
                               "\"poses\":{\"idle\":{\"zoom\":3}}}";
    assert_merged("{\"global\":{\"scale\":1}}", both, PETWEEN_GLOBAL,
                  "{\"global\":{\"scale\":1,\"errorHoldMs\":7,\"u\":1}}");
    assert_merged("{\"id\":\"pet_1\",\"scale\":1}", both, PETWEEN_SLICE,
                  "{\"id\":\"pet_1\",\"scale\":2.0,\"poses\":{\"idle\":{\"zoom\":3}}}");
    assert_merged("{}", "{\"enabled\":true,\"u\":1}", PETWEEN_SLICE, "{}");
    // Slots are merged, a pose that is given is whole.
    assert_merged("{\"poses\":{\"idle\":{\"assetId\":\"a\",\"u\":1,\"zoom\":1}},"
                  "\"states\":{\"idle\":{\"pose\":\"idle\",\"enter\":{\"strength\":1,\"u\":2}}}}",
                  "{\"poses\":{\"idle\":{\"zoom\":2}},"
                  "\"states\":{\"idle\":{\"enter\":{\"strength\":1.0}},\"error\":{}}}",
                  PETWEEN_PET,
                  "{\"poses\":{\"idle\":{\"assetId\":null,\"u\":1,\"zoom\":2}},\"states\":{\"idle\":{\"pose\":\"idle\","
                  "\"enter\":{\"strength\":1.0,\"u\":2}},\"error\":{}}}");
    assert_merged("{\"states\":null}", "{\"states\":{\"idle\":{}}}", PETWEEN_PET, "{\"states\":{\"idle\":{}}}");
}

static void members_are_set(void **state) {
    (void)state;
    zo_document *d = open_text("{\"b\":[1]}");
    assert_int_equal(petween_set(d, "a", "null"), ZO_OK);
    assert_int_equal(petween_set(d, "b", "\"x\""), ZO_OK);
    assert_memory_equal(zo_document_bytes(d).data, "{\"b\":\"x\",\"a\":null}", 18);
    assert_int_equal(petween_set(d, "c", "{"), ZO_INVALID);
    assert_int_equal(zo_document_bytes(d).size, 18);
    zo_document_free(d);
    d = open_text("[]");
    assert_int_equal(petween_set(d, "a", "1"), ZO_INVALID);
    assert_int_equal(petween_merge(d, d, ZO_VALUE_ROOT, PETWEEN_GLOBAL, NULL), ZO_INVALID);
    zo_document_free(d);
}

static void objects_of_too_many_members(void **state) {
    (void)state;
    http_text text = {0};
    http_text_words(&text, "{\"a\":1");
    for (int i = 0; i < PETWEEN_MEMBERS_MAX; i++) {
        char member[32];
        snprintf(member, sizeof member, ",\"m%d\":1", i);
        http_text_words(&text, member);
    }
    http_text_words(&text, "}");
    zo_document *d = open_text("{}"), *p = open_text(http_text_end(&text));
    assert_int_equal(petween_merge(d, p, ZO_VALUE_ROOT, PETWEEN_GLOBAL, NULL), ZO_LIMIT);
    assert_int_equal(zo_document_bytes(d).size, 2);
    zo_document_free(p);
    zo_document_free(d);
    http_text_free(&text);
}

static void forms_of_ids(void **state) {
    (void)state;
    assert_true(petween_is_pet_id("pet_1a"));
    assert_false(petween_is_pet_id("pet_"));
    assert_false(petween_is_pet_id("pet_A"));
    assert_false(petween_is_pet_id("pet_../x"));
    assert_true(petween_is_asset_id("0123456789abcdef"));
    assert_false(petween_is_asset_id("0123456789ABCDEF"));
    assert_false(petween_is_asset_id("0123456789abcdef0"));
    assert_true(petween_is_animation_id("user:Soft_2-b"));
    assert_false(petween_is_animation_id("user:"));
    assert_false(petween_is_animation_id(":a"));
    assert_false(petween_is_animation_id("user:a\n"));
    assert_false(petween_is_animation_id("user:a/b"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_patch_may_say),
        cmocka_unit_test(what_slots_may_play),
        cmocka_unit_test(documents_are_read_leniently),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(patches_are_put_into_documents),
        cmocka_unit_test(members_are_set),
        cmocka_unit_test(objects_of_too_many_members),
        cmocka_unit_test(forms_of_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
