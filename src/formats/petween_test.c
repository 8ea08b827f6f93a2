// Petween definitions: easing texts, ids, what is said about faults, and the records that come out. The cases of
// tests/vectors hold the verdicts and figures; here stands what they do not say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <zoetrope/sample.h>

#include "formats/petween.h"
#include "program/program.h"

// ----------------------------------------------------------------------------------------------------- easing, names

static void easing_texts_that_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "", "Ease", "ease ", " ease", "ease\n", "linear()", "steps(2)", "cubic-bezier", "cubic-bezier()",
        "cubic-bezier(0,0,1)", "cubic-bezier(0,0,1,1,1)", "cubic-bezier(0,0,1,1", "cubic-bezier(0,0,1,1) ",
        "cubic-bezier (0,0,1,1)", "Cubic-bezier(0,0,1,1)", "cubic-bezier(0 0 1 1)", "cubic-bezier(0,,1,1)",
        "cubic-bezier(+0,0,1,1)", "cubic-bezier(1e-1,0,1,1)", "cubic-bezier(.,0,1,1)", "cubic-bezier(-,0,1,1)",
        "cubic-bezier(- 0,0,1,1)", "cubic-bezier(0x1,0,1,1)", "cubic-bezier(10%,0,1,1)", "cubic-bezier(0,0,1.0.0,1)",
        "cubic-bezier(1.0000000000000003,0,1,1)", "cubic-bezier(-0.1,0,1,1)", "cubic-bezier(0,0,2,1)",
        "cubic-bezier(0,\xC2\xA0 0,1,1)", "toString", "ease-in-",
    };
    zb_arena arena = zb_arena_open(NULL);
    for (uint32_t i = 0; i < ZB_COUNT(texts); i++) {
        if (zf_pt_easing_parse(&arena, zb_text(texts[i])) != NULL) { fail_msg("accepted: %s", texts[i]); }
    }
    assert_null(zf_pt_easing_parse(&arena, (zo_text){"ease\0", 5})); // the text ends where its size says
    zb_arena_close(&arena);
}

static void easing_texts_that_are_accepted(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double curve[4];
    } cases[] = {
        {"linear", {0, 0, 1, 1}}, {"anticipate", {.36, 0, .66, -.56}}, {"cubic-bezier(0,0,1,1)", {0, 0, 1, 1}},
        {"cubic-bezier( \t.25 ,\n.1\r, 01. , -1. )", {.25, .1, 1, -1}}, {"cubic-bezier(-0,-.5,1,12)", {0, -.5, 1, 12}},
        {"cubic-bezier(1.0000000000000001,0,1,1)", {1, 0, 1, 1}}, // rounds to 1, and doubles are what counts
        {"cubic-bezier(.1000000000000000055511151231257827,0.30000000000000000000000000000001,1,1)", {.1, .3, 1, 1}},
        {"cubic-bezier(0,100000000000000000000000000,1,1)", {0, 1e26, 1, 1}},
        {"cubic-bezier(000000000000000000000000.5,0,1,1)", {.5, 0, 1, 1}},
        {"cubic-bezier(0.00000000000000000000000012345678901234567890123,0,1,1)",
         {1.2345678901234567890123e-25, 0, 1, 1}},
    };
    zb_arena arena = zb_arena_open(NULL);
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        const double *curve = zf_pt_easing_parse(&arena, zb_text(cases[i].text));
        if (curve == NULL || memcmp(curve, cases[i].curve, sizeof cases[i].curve) != 0) {
            fail_msg("not read: %s", cases[i].text);
        }
    }
    zb_arena_close(&arena);
}

static void a_number_too_large_for_a_curve_is_refused(void **state) {
    (void)state;
    char text[600];
    const int size = snprintf(text, sizeof text, "cubic-bezier(0,1%0400d,1,1)", 0);
    zb_arena arena = zb_arena_open(NULL);
    assert_null(zf_pt_easing_parse(&arena, (zo_text){text, (size_t)size}));
    zb_arena_close(&arena);
}

static void curves_compare_and_print(void **state) {
    (void)state;
    static const double linear[] = {0, 0, 1, 1};
    static const double diagonal[] = {.3, .3, .7, .7};
    zb_arena arena = zb_arena_open(NULL);
    const double *ease = zf_pt_easing_parse(&arena, ZB_TEXT("ease"));
    const double *spelled = zf_pt_easing_parse(&arena, ZB_TEXT("cubic-bezier(0.25, .10, 0.25, 1)"));
    assert_true(zf_pt_curve_equal(ease, spelled));
    assert_true(zf_pt_curve_equal(NULL, NULL));
    assert_false(zf_pt_curve_equal(NULL, linear)); // omitted and written are different texts
    assert_true(zf_pt_curve_linear(NULL) && zf_pt_curve_linear(linear) && zf_pt_curve_linear(diagonal));
    assert_false(zf_pt_curve_linear(ease));
    zb_buffer out = zb_buffer_open(&arena);
    zf_pt_put_curve(&out, NULL);
    zf_pt_put_curve(&out, linear);
    zf_pt_put_curve(&out, (const double[]){-0.0, .1, 1, -2.5});
    zf_pt_put_easing_name(&out, spelled);
    assert_string_equal(zb_buffer_text(&out), "linearcubic-bezier(0,0,1,1)cubic-bezier(0,0.1,1,-2.5)ease");
    zb_arena_close(&arena);
}

static void ids_have_a_form(void **state) {
    (void)state;
    static const struct {
        const char *id;
        zf_pt_form form;
    } cases[] = {
        {"", ZF_PT_NOT},           {":", ZF_PT_NOT},        {"a:", ZF_PT_NOT},      {":b", ZF_PT_NOT},
        {"ab", ZF_PT_NOT},         {"A:b", ZF_PT_NOT},      {"a:b:c", ZF_PT_NOT},   {"a b:c", ZF_PT_NOT},
        {"a:b\n", ZF_PT_NOT},      {"a_b:c", ZF_PT_NOT},    {"\xC3\xA4:b", ZF_PT_NOT}, {"a:b.c", ZF_PT_NOT},
        {"a:b", ZF_PT_LEGAL},      {"a-:B_-", ZF_PT_LEGAL}, {"a9:9", ZF_PT_LEGAL},  {"builtin:x", ZF_PT_LEGAL},
        {"9a:b", ZF_PT_DOCUMENT},  {"-:b", ZF_PT_DOCUMENT}, {"a:_b", ZF_PT_DOCUMENT}, {"a:-", ZF_PT_DOCUMENT},
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        if (zf_pt_id_form(zb_text(cases[i].id)) != cases[i].form) { fail_msg("wrong: %s", cases[i].id); }
    }
    assert_true(zf_pt_word_form(ZB_TEXT("a_-9")));
    assert_false(zf_pt_word_form(ZB_TEXT("9a")));
    assert_false(zf_pt_word_form(ZB_TEXT("")));
}

// ------------------------------------------------------------------------------------------------------------ reports

#define HEAD "{\"version\":1,\"id\":\"t:t\",\"name\":\"T\",\"durationMs\":400,"
#define INTERACTION HEAD "\"kind\":\"interaction\",\"repeat\":{\"mode\":\"once\"},"
#define TRACK(property, keys) "{\"property\":\"" property "\",\"keyframes\":[" keys "]}"

static zo_status compile(const char *text, zo_profile profile, zo_program **program, zo_report **report) {
    const zo_source source = {.name = "t.json", .bytes = text, .size = strlen(text)};
    const zo_compile_def def = {.profile = profile, .format = "petween"};
    return zo_compile(&source, 1, &def, program, report);
}

// Exactly these ids, in order of place, with blanks between.
static void reports(const char *text, zo_profile profile, const char *ids) {
    zo_report *report = NULL;
    compile(text, profile, NULL, &report);
    char found[1024] = "";
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        strcat(found, i > 0 ? " " : "");
        strcat(found, zo_report_at(report, i)->id + strlen("petween/"));
    }
    assert_string_equal(found, ids);
    zo_report_free(report);
}

static void one_cause_is_one_message(void **state) {
    (void)state;
    // A bad time is neither unsorted nor an end off the default nor part of the easing rule.
    reports(INTERACTION "\"tracks\":[" TRACK("bounce.y", "{\"at\":0,\"value\":0},{\"at\":3,\"value\":9},"
            "{\"at\":1,\"value\":0}")
            "]}", ZO_PROFILE_DOCUMENT, "at");
    reports(INTERACTION "\"tracks\":[" TRACK("bounce.y", "{\"at\":0,\"value\":\"9\"}") "]}",
            ZO_PROFILE_DOCUMENT, "value");
    reports(INTERACTION "\"tracks\":[" TRACK("bounce.z", "{\"at\":0,\"value\":9}") "]}",
            ZO_PROFILE_DOCUMENT, "property");
    reports(INTERACTION "\"tracks\":[],\"events\":[{\"at\":7,\"type\":\"particle\",\"effect\":\"confetti\"}]}",
            ZO_PROFILE_DOCUMENT, "event-at");
    // A pose in a transition is refused whatever it is; that it has no good form is not said as well.
    reports(HEAD "\"kind\":\"transition\",\"repeat\":{\"mode\":\"once\"},\"tracks\":[],"
            "\"events\":[{\"at\":0,\"type\":\"pose-swap\",\"pose\":null}]}", ZO_PROFILE_DOCUMENT, "transition-no-pose");
    reports(HEAD "\"kind\":\"transition\",\"repeat\":{\"mode\":\"once\"},\"tracks\":[],\"events\":{}}",
            ZO_PROFILE_DOCUMENT, "events");
}

static void advice_is_for_those_it_concerns(void **state) {
    (void)state;
    const char *beyond = INTERACTION "\"tracks\":[" TRACK("bounce.y",
        "{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":5000},{\"at\":1,\"value\":0}") "]}";
    reports(beyond, ZO_PROFILE_DOCUMENT, "beyond-original-limits");
    reports(beyond, ZO_PROFILE_ORIGINAL, "");
    // At the limit is not beyond; without a declaration the strength may be 3; that drawing cuts opacity does not make the
    // ways to and from a key the same.
    reports(INTERACTION "\"tracks\":[" TRACK("sway.rotation",
        "{\"at\":0.5,\"value\":{\"base\":0,\"parameter\":\"strength\",\"amount\":120}},{\"at\":1,\"value\":0}") "]}",
            ZO_PROFILE_DOCUMENT, "");
    reports(INTERACTION "\"tracks\":[" TRACK("sway.rotation",
        "{\"at\":0.5,\"value\":{\"base\":0,\"parameter\":\"strength\",\"amount\":121}},{\"at\":1,\"value\":0}") "]}",
            ZO_PROFILE_DOCUMENT, "beyond-original-limits");
    reports(INTERACTION "\"tracks\":[" TRACK("transition.opacity",
        "{\"at\":0.5,\"value\":7},{\"at\":1,\"value\":1}") "]}",
            ZO_PROFILE_DOCUMENT, "beyond-original-limits");
    reports(INTERACTION "\"tracks\":[" TRACK("transition.opacity",
        "{\"at\":0.5,\"value\":0},{\"at\":1,\"value\":1}") "]}",
            ZO_PROFILE_DOCUMENT, "");
    // A loop does not fall back between its passes.
    const char *ends = "\"tracks\":[" TRACK("bounce.y", "{\"at\":0,\"value\":0},{\"at\":1,\"value\":-3}") "]}";
    char text[512];
    snprintf(text, sizeof text, "%s%s", HEAD "\"kind\":\"ambient\",\"repeat\":{\"mode\":\"loop\"},", ends);
    reports(text, ZO_PROFILE_DOCUMENT, "");
    snprintf(text, sizeof text, "%s%s",
             HEAD "\"kind\":\"ambient\",\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":1,"
             "\"maxDelayMs\":1},", ends);
    reports(text, ZO_PROFILE_DOCUMENT, "ends-off-default");
}

static void built_ins_are_valid_and_need_no_advice(void **state) {
    (void)state;
    assert_int_equal(zf_pt_builtin_count(), 17);
    for (uint32_t i = 0; zo_builtin_at(i) != NULL; i++) {
        for (int profile = 0; profile < 2; profile++) {
            const zo_source source = {.name = zo_builtin_at(i), .kind = ZO_SOURCE_BUILTIN};
            const zo_compile_def def = {.profile = (zo_profile)profile};
            zo_program *program = NULL;
            zo_report *report = NULL;
            assert_int_equal(zo_compile(&source, 1, &def, &program, &report), ZO_OK);
            assert_int_equal(zo_report_count(report), 0);
            assert_string_equal(zo_program_format(program), "petween");
            assert_int_equal(zo_clip_find(program, zo_builtin_at(i)).id, 1);
            zo_program_free(program);
            zo_report_free(report);
        }
    }
    const zo_source none = {.name = "builtin:jely", .kind = ZO_SOURCE_BUILTIN};
    zo_report *report = NULL;
    assert_int_equal(zo_compile(&none, 1, NULL, NULL, &report), ZO_UNSUPPORTED);
    assert_string_equal(zo_report_at(report, 0)->hint, "did you mean \"builtin:jelly\"?");
    zo_report_free(report);
}

static void only_built_ins_may_be_called_so(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    const zo_text text = zf_builtin_text(&arena, "builtin:soft");
    const zo_source source = {.name = "builtin:soft", .bytes = text.data, .size = text.size}; // a file of that name
    zo_report *report = NULL;
    assert_int_equal(zo_compile(&source, 1, NULL, NULL, &report), ZO_INVALID);
    assert_string_equal(zo_report_at(report, 0)->id, "petween/reserved-namespace");
    zo_report_free(report);
    zb_arena_close(&arena);
}

// ------------------------------------------------------------------------------------------------------------ records

static const zp_program *compiled(const char *text, zo_profile profile) {
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_status status = compile(text, profile, &program, &report);
    if (status != ZO_OK) { fail_msg("%s", zo_report_at(report, 0)->message); }
    zo_report_free(report);
    return program;
}

static void done(const zp_program *program) { zp_program_free((zp_program *)(uintptr_t)program); }

static void what_moves_no_layer_takes_no_time(void **state) {
    (void)state;
    static const struct {
        const char *repeat, *events;
        uint32_t expected_repeat;
        int64_t complete_ns, duration_ns;
    } cases[] = {
        {"\"once\"", "", ZP_REPEAT_ONCE, 0, 400000000},
        {"\"loop\"", "", ZP_REPEAT_ONCE, 0, 400000000},      // nothing would ever happen in it
        {"\"alternate\"", "", ZP_REPEAT_ONCE, 0, 400000000},
        {"\"random-interval\",\"minDelayMs\":5,\"maxDelayMs\":9", "", ZP_REPEAT_RANDOM_INTERVAL, 0, 400000000},
        {"\"loop\"", "{\"at\":0.5,\"type\":\"particle\",\"effect\":\"sparkle\"}", ZP_REPEAT_LOOP, 0, 400000000},
        {"\"once\"", "{\"at\":0.5,\"type\":\"particle\",\"effect\":\"sparkle\"}", ZP_REPEAT_ONCE, 0, 400000000},
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "\"kind\":\"interaction\",\"repeat\":{\"mode\":%s},\"tracks\":[],\"events\":[%s]}",
                 cases[i].repeat, cases[i].events);
        const zp_program *program = compiled(text, ZO_PROFILE_DOCUMENT);
        const zp_clip *clip = &program->clips[0];
        assert_int_equal(clip->repeat, cases[i].expected_repeat);
        assert_int_equal(clip->complete_ns, cases[i].complete_ns);
        assert_int_equal(clip->duration_ns, cases[i].duration_ns);
        assert_int_equal(clip->layer_mask, 0);
        assert_int_equal(clip->flags & ZP_CLIP_SEGMENTED, 0);
        if (clip->event_count > 0) { assert_int_equal(program->events[clip->first_event].at_ns, 0); }
        done(program);
    }
}

static void durations_are_cut_and_rounded_down(void **state) {
    (void)state;
    static const struct {
        const char *kind, *events, *ms;
        int64_t duration_ns;
    } cases[] = {
        {"transition", "{\"at\":0,\"type\":\"pose-swap\"}", "1", 60000000},
        {"transition", "{\"at\":0,\"type\":\"pose-swap\"}", "60000", 2000000000},
        {"ambient", "", "60000", 60000000000},
        {"ambient", "", "1.0000019", 1000001},
        {"ambient", "", "123.456789", 123456789}, // 123456788.99999999 as a product
    };
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"version\":1,\"id\":\"t:t\",\"name\":\"T\",\"durationMs\":%s,\"kind\":\"%s\","
                 "\"repeat\":{\"mode\":\"once\"},"
                 "\"tracks\":[" TRACK("sway.rotation", "{\"at\":0,\"value\":0}") "],\"events\":[%s]}",
                 cases[i].ms, cases[i].kind, cases[i].events);
        if (strcmp(cases[i].kind, "transition") == 0) { // sway is open to every kind
            assert_non_null(strstr(text, "pose-swap"));
        }
        const zp_program *program = compiled(text, ZO_PROFILE_DOCUMENT);
        assert_int_equal(program->clips[0].duration_ns, cases[i].duration_ns);
        assert_int_equal(program->clips[program->clips[0].reduced_ref - 1].duration_ns,
                         cases[i].duration_ns < 120000000 ? cases[i].duration_ns : 120000000);
        done(program);
    }
}

static void profiles_end_in_different_records(void **state) {
    (void)state;
    const char *text = HEAD "\"kind\":\"ambient\",\"repeat\":{\"mode\":\"loop\"},\"tracks\":["
        TRACK("bounce.y", "{\"at\":0.25,\"value\":5000,\"easing\":\"ease\"}") ","
        TRACK("bounce.x", "{\"at\":0.25,\"value\":0,\"easing\":\"ease\"},"
              "{\"at\":0.5,\"value\":-0.0,\"easing\":\"ease\"}") "]}";
    const zp_program *program = compiled(text, ZO_PROFILE_DOCUMENT);
    assert_int_equal(program->clips[0].mix_ref, 1); // ambient runs combine
    assert_int_equal(program->clips[0].curve_count, 2);
    assert_true(program->channels[8].high > 1e308);
    const zp_curve *curve = &program->curves[program->clips[0].first_curve];
    for (uint32_t i = 0; i < 2; i++) { // on its own keys, with a head at rest
        const bool is_y = curve[i].first_channel == 8;
        assert_int_equal(curve[i].key_count, is_y ? 2 : 3);
        assert_true(program->numbers[curve[i].times] == 0.0);
        assert_true(program->numbers[curve[i].values] == 0.0);
        if (is_y) { assert_true(program->numbers[curve[i].values + 1] == 5000.0); }
    }
    done(program);

    program = compiled(text, ZO_PROFILE_ORIGINAL);
    assert_int_equal(program->clips[0].mix_ref, 0); // the newest wins
    assert_int_equal(program->clips[0].curve_count, 1);
    assert_true(program->channels[8].high == 4096.0);
    curve = &program->curves[program->clips[0].first_curve];
    assert_int_equal(curve->width, 4); // the layer whole
    assert_int_equal(curve->key_count, 4); // 0, .25, .5, 1
    assert_true(program->numbers[curve->values + 1 * 4 + 1] == 4096.0);
    assert_true(program->numbers[curve->values + 3 * 4 + 1] == 4096.0); // the tail holds
    assert_true(program->numbers[curve->values + 1 * 4 + 2] == 1.0);    // untouched channels at rest
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_NUMBERS); i++) { // -0 never gets in
        assert_true(zb_bits_of(program->numbers[i]) != zb_bits_of(-0.0));
    }
    done(program);
}

static void inserted_keys_keep_their_neighbours(void **state) {
    (void)state;
    const char *text = INTERACTION "\"tracks\":[" TRACK("sway.rotation",
        "{\"at\":0,\"value\":0},{\"at\":1,\"value\":{\"base\":0,\"parameter\":\"strength\",\"amount\":360}}") "],"
        "\"events\":[{\"at\":0.5,\"type\":\"particle\",\"effect\":\"sparkle\"}]}";
    const zp_program *program = compiled(text, ZO_PROFILE_ORIGINAL);
    const zp_curve *curve = &program->curves[program->clips[0].first_curve];
    assert_int_equal(curve->flags, ZP_CURVE_INSERTED);
    assert_int_equal(curve->key_count, 3);
    const zp_insert *insert = &program->inserts[curve->inserts + 1];
    assert_true(insert->left_scale == 0.0 && insert->right_scale == 360.0 && insert->weight == 0.5);
    assert_true((program->clips[0].flags & ZP_CLIP_SEGMENTED) != 0);
    // So at strength 1.5 the middle is half of the cut end, 180 and not 270.
    zo_pose *pose = zo_pose_create(program, NULL);
    const double strength = 1.5;
    zo_clip_sample(program, (zo_clip){1}, 0.5, &strength, pose);
    assert_true(pose->slots[6] == 180.0);
    zo_pose_free(pose);
    done(program);
}

static void pictures_are_each_there_once(void **state) {
    (void)state;
    const char *text = INTERACTION "\"tracks\":[],\"events\":["
        "{\"at\":0.9,\"type\":\"pose-swap\",\"pose\":\"user:wink\"},"
        "{\"at\":0.1,\"type\":\"pose-swap\",\"pose\":\"error\"},"
        "{\"at\":0.2,\"type\":\"pose-swap\",\"pose\":\"user:wave\"},"
        "{\"at\":0.3,\"type\":\"pose-swap\",\"pose\":\"user:wink\"}]}";
    const zp_program *program = compiled(text, ZO_PROFILE_DOCUMENT);
    assert_int_equal(zp_count(program, ZP_SECTION_CELS), 8);
    static const uint32_t expected[] = {6, 8, 7, 7}; // by time: error, wave, wink, wink
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(program->events[program->clips[0].first_event + i].subject_ref, expected[i]);
    }
    assert_string_equal(zp_name_text(program, program->cels[6].name), "user:wink");
    done(program);
}

static void reduced_motion_rests_on_the_latest_value(void **state) {
    (void)state;
    const char *text = INTERACTION "\"tracks\":[" TRACK("bounce.y",
        "{\"at\":0.75,\"value\":{\"base\":1,\"parameter\":\"strength\",\"amount\":2}},{\"at\":0,\"value\":9}") "]}";
    for (int profile = 0; profile < 2; profile++) {
        const zp_program *program = compiled(text, (zo_profile)profile);
        const uint32_t twin = program->clips[0].reduced_ref;
        assert_int_equal(twin, 2);
        assert_int_equal(program->clips[1].param_count, program->clips[0].param_count);
        assert_int_equal(program->clips[1].duration_ns, 120000000);
        zo_pose *pose = zo_pose_create(program, NULL);
        const double strength = 2.0;
        zo_clip_sample(program, (zo_clip){twin}, 0.0, &strength, pose);
        assert_true(pose->slots[8] == 5.0);
        zo_pose_free(pose);
        done(program);
    }
}

static void records_know_where_they_come_from(void **state) {
    (void)state;
    const char *text = INTERACTION "\"tracks\":[" TRACK("bounce.y", "{\"at\":0,\"value\":0}") "],\"events\":["
                       "{\"at\":0.5,\"type\":\"particle\",\"effect\":\"sparkle\"}]}";
    const zp_program *program = compiled(text, ZO_PROFILE_DOCUMENT);
    bool clip = false;
    bool curve = false;
    bool event = false;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_SRCMAP); i++) {
        const zp_source_range *range = &program->srcmap[i];
        clip = clip || (range->section == ZP_SECTION_CLIPS && range->offset == 0 && range->length == strlen(text));
        curve = curve ||
                (range->section == ZP_SECTION_CURVES && memcmp(text + range->offset, "{\"property\"", 11) == 0);
        event = event || (range->section == ZP_SECTION_EVENTS && memcmp(text + range->offset, "{\"at\":0.5", 9) == 0);
    }
    assert_true(clip && curve && event);
    done(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(easing_texts_that_are_refused),
        cmocka_unit_test(a_number_too_large_for_a_curve_is_refused),
        cmocka_unit_test(easing_texts_that_are_accepted),
        cmocka_unit_test(curves_compare_and_print),
        cmocka_unit_test(ids_have_a_form),
        cmocka_unit_test(one_cause_is_one_message),
        cmocka_unit_test(advice_is_for_those_it_concerns),
        cmocka_unit_test(only_built_ins_may_be_called_so),
        cmocka_unit_test(built_ins_are_valid_and_need_no_advice),
        cmocka_unit_test(what_moves_no_layer_takes_no_time),
        cmocka_unit_test(durations_are_cut_and_rounded_down),
        cmocka_unit_test(profiles_end_in_different_records),
        cmocka_unit_test(inserted_keys_keep_their_neighbours),
        cmocka_unit_test(pictures_are_each_there_once),
        cmocka_unit_test(reduced_motion_rests_on_the_latest_value),
        cmocka_unit_test(records_know_where_they_come_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
