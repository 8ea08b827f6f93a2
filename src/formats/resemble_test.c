// Whose a text is that is no JSON: files of others are passed over, broken ones of ours are not. As readers of whole
// folders ask it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "base/arena.h"
#include "formats/forge_fields.h"
#include "formats/petween.h"
#include "formats/petween_pack.h"
#include "formats/petween_pet.h"
#include "formats/resemble.h"

static bool is_like(const char *text, const zf_object *object) {
    return zf_resembles((zo_text){text, strlen(text)}, object);
}

static bool is_like_any(const char *text) {
    return is_like(text, &zf_pt_definition_object) || is_like(text, &zf_pt_pack_object) || is_like(text, &zf_pt_pet_object);
}

static void files_of_others_are_like_none(void **state) {
    (void)state;
    static const char *const texts[] = {
        "", " ", "\0", "[", "{", "]", "}}}}{", "{]", "'", "\"", "{\"a", "{\"id\"", "{\"id\":", "/", "/*", "//", "#", "\\",
        "hello world", "<html id=\"a\">", "name: x\nversion: 1\n",
        "{\n  // see the handbook\n  \"compilerOptions\": { \"strict\": true, \"target\": \"es2020\", },\n  \"include\": [\"src\"]\n}",
        ("{\n  // Use IntelliSense\n  \"version\": \"0.2.0\",\n  \"configurations\": [\n    { \"type\": \"node\", \"request\": \"launch\","
         " \"name\": \"Run\", \"program\": \"a.js\" },\n  ]\n}"),
        "{ \"name\": \"x\", \"version\": \"1.0.0\", \"lockfileVersion\": 3, \"packages\": { \"\": { \"name\": \"x\", ",
        "{ \"name\": \"x\", \"version\": \"1.0.0\", \"id\": \"y\",}",
        "{ /* don't */ \"editor.tabSize\": 4, 'files.eol': '\\n', \"name\": \"id\", }",
        "{\"id\":1,\"name\":2,\"kind\":3,\"tracks\":4,\"events\":5,", // nothing is what it would have to be
        "{\"frames\":[{\"id\":\"a\",\"name\":\"b\",\"kind\":\"c\",\"tracks\":[],\"events\":[", // names where they mean nothing
        "[{\"title\":\"a\",\"artist\":\"b\",\"tracks\":[{\"title\":\"c\"},",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (is_like_any(texts[i])) { fail_msg("of nobody: %s", texts[i]); }
    }
}

static void broken_ones_are_known(void **state) {
    (void)state;
    static const struct { const char *text; const zf_object *object; } cases[] = {
        {"{\"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop", &zf_pt_definition_object},
        {"{version: 1, id: 'user:hop', name: 'Hop'}", &zf_pt_definition_object},
        {"\xEF\xBB\xBF{version: 1, id: 'user:hop', name: 'Hop'}", &zf_pt_definition_object},
        {"module.exports = {version: 1, id: 'user:hop', name: 'Hop'};", &zf_pt_definition_object},
        {"{\n  // mine\n  \"version\": 1, # and yours\n  \"id\": \"user:hop\", /* \" */ \"name\": \"Hop\",\n}", &zf_pt_definition_object},
        {"{\"note\": \"mine\", \"id\": \"user:hop, \n\"name\": \"Hop\", \"kind\": \"ambient\"}", &zf_pt_definition_object},
        {"{\"tracks\": [{\"property\": \"bounce.y\", \"keyframes\": [{\"at\": 0, \"value\": {\"base\": 0,}", &zf_pt_definition_object},
        {"{\"tracks\": [{\"keyframes\": [{\"at\": 0, \"value\": 1}}], \"kind\": \"ambient\", \"name\": \"N\"", &zf_pt_definition_object},
        {"{\"format\": \"motion-pack\", ", &zf_pt_pack_object},
        {"{\"animations\": [{\"version\": 1, \"id\": \"user:hop\"", &zf_pt_pack_object},
        {"{\"states\": {\"idle\": {\"enter\": {\"preset\": \"soft\",", &zf_pt_pet_object},
        {"{\"poses\": {\"idle\": {}, \"error\": {},}", &zf_pt_pet_object},
        // names of maps say nothing for or against
        {"// mine\n{joints: {lid: {'0': [1]}, pot: {'1': [1], '2': [1]}, leg: {'3': [1]}}, clips: {open: {loop: false, "
         "joint_clips: {lid: [{variable: angle, type: uniform, samples: [0, 90]}", &zf_fg_armature_object},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!is_like(cases[i].text, cases[i].object)) { fail_msg("not known: %s", cases[i].text); }
    }
}

static void utf16_is_read_past_its_zeros(void **state) {
    (void)state;
    static const char text[] = "{\"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop\"}";
    char wide[2 * sizeof text] = {'\xFF', '\xFE'};
    for (size_t i = 0; i + 1 < sizeof text; i++) { wide[2 + 2 * i] = text[i]; }
    assert_true(zf_resembles((zo_text){wide, sizeof wide}, &zf_pt_definition_object));
    assert_false(is_like_any("{\"kind\": \"x\" { \"a\": 1, \"b\": [2], \"c\": \"d\" { \"e\": 3")); // a text holds nothing
    assert_false(zf_resembles((zo_text){NULL, 0}, &zf_pt_definition_object));
}

static void depth_and_length_are_no_matter(void **state) {
    (void)state;
    static char deep[100000];
    memset(deep, '[', sizeof deep);
    assert_false(zf_resembles((zo_text){deep, sizeof deep}, &zf_pt_definition_object));
    memset(deep, '{', sizeof deep);
    assert_false(zf_resembles((zo_text){deep, sizeof deep}, &zf_pt_definition_object));
    memset(deep, 'a', sizeof deep);
    assert_false(zf_resembles((zo_text){deep, sizeof deep}, &zf_pt_definition_object));
}

static void what_stands_far_behind_is_not_looked_for(void **state) {
    (void)state;
    static const char text[] = "{\"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop\"}";
    static char far[(1 << 20) + sizeof text];
    for (size_t before = 1 << 10; before <= 1 << 20; before <<= 10) {
        memset(far, ' ', before);
        memcpy(far + before, text, sizeof text - 1);
        assert_int_equal(zf_resembles((zo_text){far, before + sizeof text - 1}, &zf_pt_definition_object),
                         before == 1 << 10);
    }
}

// Every built-in cut off anywhere: while three members are not there it is nobody's, from some place on it is ours for good.
static void from_some_place_on_it_is_ours(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    for (uint32_t i = 0; i < zf_pt_builtin_count(); i++) {
        zb_buffer out = zb_buffer_open(&arena);
        zf_pt_put_builtin(&out, i);
        bool ours = false;
        size_t from = 0;
        for (size_t size = 0; size <= out.size; size++) {
            const bool now = zf_resembles((zo_text){out.data, size}, &zf_pt_definition_object);
            assert_true(now || !ours);
            if (now && !ours) { from = size; }
            ours = now;
        }
        assert_true(ours);
        assert_in_range(from, 20, 100);
    }
    zb_arena_close(&arena);
}

// ---------------------------------------------------------------------------------------------------- as it is asked

static void check(const char *text, bool maybe, zo_status status, const char *id, const char *format) {
    const zo_source source = {.name = "x.json", .bytes = text, .size = strlen(text)};
    const zo_compile_def def = {.maybe = maybe};
    zo_report *report = NULL;
    assert_int_equal(zo_compile(&source, 1, &def, NULL, &report), status);
    assert_int_equal(zo_report_count(report), 1);
    assert_string_equal(zo_report_at(report, 0)->id, id);
    assert_string_equal(zo_report_format(report), format);
    zo_report_free(report);
}

static void who_is_not_named_may_be_anything(void **state) {
    (void)state;
    static char deep[2000];
    memset(deep, '[', sizeof deep - 1);
    check("{\"strict\": true,}", false, ZO_INVALID, "json/trailing-comma", "");
    check("{\"strict\": true,}", true, ZO_UNSUPPORTED, "source/passed-over", "");
    check("{\"strict\": true, \"strict\": true}", true, ZO_UNSUPPORTED, "source/passed-over", ""); // and not what else is odd
    check("", false, ZO_INVALID, "json/empty", "");
    check("", true, ZO_UNSUPPORTED, "source/passed-over", "");
    check(deep, false, ZO_LIMIT, "json/depth", "");
    check(deep, true, ZO_UNSUPPORTED, "source/passed-over", "");
    check("<html>", false, ZO_UNSUPPORTED, "source/format-unknown", "");
    check("<html>", true, ZO_UNSUPPORTED, "source/passed-over", "");
    check("{\"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop", true, ZO_INVALID, "json/unterminated", "petween");
    check("{\"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop", false, ZO_INVALID, "json/unterminated", "");
    check("{\"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop\"}", true, ZO_UNSUPPORTED, "source/passed-over", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_others_are_like_none),
        cmocka_unit_test(broken_ones_are_known),
        cmocka_unit_test(utf16_is_read_past_its_zeros),
        cmocka_unit_test(depth_and_length_are_no_matter),
        cmocka_unit_test(what_stands_far_behind_is_not_looked_for),
        cmocka_unit_test(from_some_place_on_it_is_ours),
        cmocka_unit_test(who_is_not_named_may_be_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
