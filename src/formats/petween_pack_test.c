// Motion packs: what is said of them and where, whatever their animations say. The cases of tests/vectors hold the
// verdicts; here stands what they do not say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "base/buffer.h"
#include "formats/petween_pack.h"

static void put_animation(zb_buffer *out, uint32_t number, const char *kind, const char *rest) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"version\":1,\"id\":\"lantern:a%u\",\"name\":\"A\",\"kind\":\"%s\",\"durationMs\":%u,"
             "\"repeat\":{\"mode\":\"once\"},\"tracks\":[{\"property\":\"bounce.y\",\"keyframes\":[%s]}]}",
             number, kind, 100 + number, rest);
    zb_put(out, text);
}

#define GOOD "{\"at\":0,\"value\":4},{\"at\":1,\"value\":0}"

static zo_status compile(const char *text, zo_profile profile, bool strict, zo_program **program, zo_report **report) {
    const zo_source source = {.name = "pack.json", .bytes = text, .size = strlen(text)};
    const zo_compile_def def = {.profile = profile, .strict = strict};
    return zo_compile(&source, 1, &def, program, report);
}

// ---------------------------------------------------------------------------------------------------------- bad ones

static void faults_in_three_of_fifty_are_those_that_are_listed(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer text = zb_buffer_open(&arena);
    zb_put(&text, "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"N\",\"namespace\":\"lantern\",\"animations\":[");
    for (uint32_t i = 0; i < 50; i++) {
        zb_put(&text, i > 0 ? ",\n" : "\n");
        put_animation(&text, i, i == 20 ? "ambient " : "ambient",
                      i == 7 ? "{\"at\":0,\"value\":1},{\"at\":2,\"value\":0}"
                             : i == 49 ? "{\"at\":0,\"value\":0,\"easing\":\"eas\"}" : GOOD);
    }
    zb_put(&text, "]}");
    zo_program *program = NULL;
    zo_report *report = NULL;
    assert_int_equal(compile(zb_buffer_text(&text), ZO_PROFILE_DOCUMENT, false, &program, &report), ZO_INVALID);
    assert_null(program);
    static const struct {
        const char *id, *pointer;
        uint32_t line;
    } expected[] = {{"petween/at", "/animations/7/tracks/0/keyframes/1/at", 9},
                    {"petween/kind", "/animations/20/kind", 22},
                    {"petween/easing", "/animations/49/tracks/0/keyframes/0/easing", 51}};
    uint32_t found = 0;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        if (diag->severity != ZO_ERROR) { continue; }
        assert_true(found < ZB_COUNT(expected));
        assert_string_equal(diag->id, expected[found].id);
        assert_string_equal(diag->place.pointer, expected[found].pointer);
        assert_int_equal(diag->place.line, expected[found].line);
        found++;
    }
    assert_int_equal(found, ZB_COUNT(expected));
    zo_report_free(report);
    zb_arena_close(&arena);
}

// A pack without animations says nothing of its mounts; all else is still checked.
static void checking_stops_where_there_is_nothing_to_check_by(void **state) {
    (void)state;
    zo_report *report = NULL;
    assert_int_equal(compile("{\"format\":\"motion-pack\",\"version\":3,\"name\":7,\"namespace\":\"-\",\"animations\":[],"
                             "\"mounts\":{\"attic\":1}}",
                             ZO_PROFILE_ORIGINAL, false, NULL, &report),
                     ZO_NEWER);
    assert_int_equal(zo_report_total(report, ZO_ERROR), 4);
    zo_report_free(report);
}

static void unknown_members_are_notes_when_strict(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"N\",\"namespace\":\"a\",\"author\":1,\"animations\":["
        "{\"version\":1,\"id\":\"a:b\",\"name\":\"A\",\"kind\":\"ambient\",\"durationMs\":9,\"repeat\":{\"mode\":"
        "\"loop\"},\"tracks\":[],\"x\":1}],\"mounts\":{\"idle\":{\"ambient\":\"a:b\",\"click\":\"a:b\"}}}";
    zo_report *report = NULL;
    assert_int_equal(compile(text, ZO_PROFILE_DOCUMENT, false, NULL, &report), ZO_OK);
    assert_int_equal(zo_report_count(report), 0);
    zo_report_free(report);
    assert_int_equal(compile(text, ZO_PROFILE_DOCUMENT, true, NULL, &report), ZO_OK);
    assert_int_equal(zo_report_total(report, ZO_WARNING), 3);
    zo_report_free(report);
}

static void a_file_that_lacks_the_word_is_named(void **state) {
    (void)state;
    zo_report *report = NULL;
    assert_int_equal(compile("{\"namespace\":\"a\",\"animations\":[]}", ZO_PROFILE_DOCUMENT, false, NULL, &report),
                     ZO_INVALID);
    assert_string_equal(zo_report_format(report), "motion-pack");
    zo_report_free(report);
}

// ---------------------------------------------------------------------------------------------------------- good ones

static void white_space_around_a_name_is_cut(void **state) {
    (void)state;
    static const struct {
        const char *text, *trimmed;
    } cases[] = {{"", ""}, {" \t\n\v\f\r", ""}, {"a", "a"}, {" a b ", "a b"},
                 {"\xC2\xA0\xE1\x9A\x80\xE2\x80\x80\xE2\x80\x8A\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\x9F"
                  "\xE3\x80\x80\xEF\xBB\xBFx\xEF\xBB\xBF", "x"},
                 {"\xE2\x80\x8B z", "\xE2\x80\x8B z"}}; // U+200B is none
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        const zo_text trimmed = zf_pt_trim(zb_text(cases[i].text));
        assert_true(zb_text_equal(trimmed, zb_text(cases[i].trimmed)));
    }
}

// Each animation is a clip with its own parameter and its twin, and pictures are there once.
static void animations_become_the_clips_of_one_program(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"N\",\"namespace\":\"mixed\",\"animations\":["
        "{\"version\":1,\"id\":\"a:b\",\"name\":\"B\",\"kind\":\"interaction\",\"durationMs\":100,\"repeat\":{\"mode\":"
        "\"once\"},\"tracks\":[{\"property\":\"bounce.y\",\"keyframes\":[{\"at\":0,\"value\":{\"base\":0,\"parameter\":"
        "\"strength\",\"amount\":2}},{\"at\":1,\"value\":0}]}],\"events\":[{\"at\":0,\"type\":\"pose-swap\",\"pose\":"
        "\"user:x\"}],\"parameters\":{\"strength\":{\"default\":2,\"min\":1,\"max\":5}}},"
        "{\"version\":1,\"id\":\"c:d\",\"name\":\"D\",\"kind\":\"ambient\",\"durationMs\":200,\"repeat\":{\"mode\":"
        "\"loop\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":[{\"at\":0,\"value\":3}]}]},"
        "{\"version\":1,\"id\":\"e:f\",\"name\":\"F\",\"kind\":\"interaction\",\"durationMs\":100,\"repeat\":{\"mode\":"
        "\"once\"},\"tracks\":[],\"events\":[{\"at\":0,\"type\":\"pose-swap\",\"pose\":\"user:x\"},{\"at\":0,\"type\":"
        "\"pose-swap\",\"pose\":\"user:y\"}]}]}";
    zo_program *program = NULL;
    assert_int_equal(compile(text, ZO_PROFILE_DOCUMENT, false, &program, NULL), ZO_OK);
    assert_int_equal(zo_clip_count(program), 6);
    assert_int_equal(zo_cel_count(program), 8); // the six slots and two others
    zo_clip_info info;
    assert_true(zo_clip_get(program, zo_clip_find(program, "a:b"), &info));
    assert_int_equal(info.duration_ns, 100000000);
    zo_param_info param;
    assert_true(zo_param_get(program, info.first_param, &param));
    assert_true(param.value == 2.0 && param.high == 5.0);
    assert_true(zo_clip_get(program, zo_clip_find(program, "c:d"), &info));
    assert_true(zo_param_get(program, info.first_param, &param));
    assert_true(param.value == 1.0 && param.high == 3.0);
    assert_true(info.reduced.id != 0);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, zo_clip_find(program, "a:b"), 0.5, (const double[]){2.0}, pose);
    assert_true(pose->slots[zo_channel_find(program, "bounce.y").id - 1] == 2.0);
    zo_clip_event_info event;
    assert_true(zo_clip_event_get(program, zo_clip_find(program, "e:f"), 1, &event));
    assert_string_equal(event.name, "user:y");
    zo_pose_free(pose);
    zo_program_free(program);
}

static zo_allocator starved(size_t *left);
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
static zo_allocator starved(size_t *left) { return (zo_allocator){left, starved_alloc, starved_free}; }

static void short_memory_is_said_at_every_point(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"N\",\"namespace\":\"a\",\"animations\":["
        "{\"version\":1,\"id\":\"a:b\",\"name\":\"A\",\"kind\":\"ambient\",\"durationMs\":9,\"repeat\":{\"mode\":"
        "\"loop\"},\"tracks\":[]}],\"mounts\":{\"idle\":{\"ambient\":\"a:b\"}}}";
    const zo_source source = {.name = "pack.json", .bytes = text, .size = sizeof text - 1};
    zo_status status = ZO_NO_MEMORY;
    for (size_t count = 0; status == ZO_NO_MEMORY; count++) {
        assert_true(count < 100);
        size_t left = count;
        const zo_allocator allocator = starved(&left);
        const zo_compile_def def = {.allocator = &allocator};
        zo_program *program = NULL;
        zo_report *report = NULL;
        status = zo_compile(&source, 1, &def, &program, &report);
        assert_true((program != NULL) == (status == ZO_OK));
        zo_program_free(program);
        zo_report_free(report);
    }
    assert_int_equal(status, ZO_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_in_three_of_fifty_are_those_that_are_listed),
        cmocka_unit_test(checking_stops_where_there_is_nothing_to_check_by),
        cmocka_unit_test(unknown_members_are_notes_when_strict),
        cmocka_unit_test(a_file_that_lacks_the_word_is_named),
        cmocka_unit_test(white_space_around_a_name_is_cut),
        cmocka_unit_test(animations_become_the_clips_of_one_program),
        cmocka_unit_test(short_memory_is_said_at_every_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
