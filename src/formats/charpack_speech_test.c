// Lists of speech and shut mouths of packs: what the usual lists make of each label, what a pack's own lists change,
// which mouths are followed and how they lie, and that a pack plays by it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

#include "formats/charpack.h"
#include "program/program.h"

#define MS INT64_C(1000000)

// --------------------------------------------------------------------------------------------------------------- packs

enum { TEXT_MAX = 1 << 16, SOURCES_MAX = 512, FRAMES = 4, WORDS_MAX = 96 };

// "a b c": nodes, the first the root, each playing the clip of its label; clips: further ones; mouths: labels with a
// profile and an overlay. Every clip loops 4 pictures of its own, 40 ms each; one whose label ends in ! holds its last.
typedef struct pack {
    const char *nodes, *clips, *mouths;
    const char *edges;    // items of the graph's list; NULL: none
    const char *profiles; // members of the mouth file's object in place of empty ones of the mouths
    const char *speech;   // NULL: none; "-": nobody says whether there is one
    zo_compile_def def;
} pack;

static char manifest[TEXT_MAX], graph[TEXT_MAX], mouth[TEXT_MAX], names[SOURCES_MAX][64], words[WORDS_MAX][40];

static uint32_t split(const char *list, uint32_t from) {
    uint32_t count = from;
    for (const char *at = list != NULL ? list : ""; *at != 0;) {
        const size_t size = strcspn(at, " ");
        assert_true(count < WORDS_MAX && size < sizeof words[0]);
        memcpy(words[count], at, size);
        words[count++][size] = 0;
        at += size + (at[size] == ' ');
    }
    return count;
}

__attribute__((format(printf, 2, 3))) static void put(char *text, const char *form, ...) {
    const size_t size = strlen(text);
    va_list arguments;
    va_start(arguments, form);
    assert_true((size_t)vsnprintf(text + size, TEXT_MAX - size, form, arguments) < TEXT_MAX - size);
    va_end(arguments);
}

// `list`: a folder for each list of pictures.
static uint32_t put_frames(uint32_t list, uint32_t count, uint32_t name_count) {
    put(manifest, "[");
    for (uint32_t i = 0; i < count; i++) {
        assert_true(name_count < SOURCES_MAX - 4);
        snprintf(names[name_count], sizeof names[0], "%u/%u.ktx2", list, i);
        put(manifest, "%s\"%s\"", i > 0 ? "," : "", names[name_count++]);
    }
    put(manifest, "]");
    return name_count;
}

static zo_status compile(const pack *p, zo_program **program, zo_report **report) {
    manifest[0] = graph[0] = mouth[0] = 0;
    put(manifest, "{\"format\":\"%s\",\"textureFormat\":\"ktx2\",\"id\":\"a\",\"displayName\":\"A\",\"version\":\"1\","
                  "\"graph\":\"g.json\",\"mouthConfig\":\"m.json\",\"clips\":{", ZF_CP_FORMAT);
    put(graph, "{\"nodes\":[");
    const uint32_t node_count = split(p->nodes, 0), clip_count = split(p->clips, node_count);
    uint32_t name_count = 0;
    for (uint32_t i = 0; i < clip_count; i++) {
        char *mark = strchr(words[i], '!');
        if (mark != NULL) { *mark = 0; }
        if (i < node_count) {
            put(graph, "%s{\"id\":\"n%u\",\"label\":\"%s\"%s}", i > 0 ? "," : "", i, words[i], i == 0 ? ",\"isRoot\":true" : "");
        }
        put(manifest, "%s\"%s\":{\"phase\":\"p\",\"frameIntervalMs\":40,\"loopMode\":\"%s\",\"frames\":", i > 0 ? "," : "",
            words[i], mark != NULL ? "once_then_hold" : "loop");
        name_count = put_frames(i, FRAMES, name_count);
        put(manifest, "}");
    }
    put(graph, "],\"edges\":[%s]}", p->edges != NULL ? p->edges : "");
    put(manifest, "},\"mouthOverlays\":{");
    put(mouth, "{\"expressions\":{\"neutral\":{\"cy\":-20}},\"profiles\":{%s", p->profiles != NULL ? p->profiles : "");
    const uint32_t mouth_count = split(p->mouths, 0);
    for (uint32_t i = 0; i < mouth_count; i++) {
        put(manifest, "%s\"%s\":", i > 0 ? "," : "", words[i]);
        name_count = put_frames(clip_count + i, 2, name_count);
        if (p->profiles == NULL) { put(mouth, "%s\"%s\":{}", i > 0 ? "," : "", words[i]); }
    }
    put(manifest, "}}");
    put(mouth, "}}");
    zo_source sources[SOURCES_MAX] = {
        {.name = "runtime_manifest.json", .bytes = manifest, .size = strlen(manifest)},
        {.name = "g.json", .bytes = graph, .size = strlen(graph)},
        {.name = "m.json", .bytes = mouth, .size = strlen(mouth)}};
    uint32_t count = 3;
    if (p->speech == NULL) {
        sources[count++] = (zo_source){.name = "speech.json", .kind = ZO_SOURCE_MISSING};
    } else if (strcmp(p->speech, "-") != 0) {
        sources[count++] = (zo_source){.name = "speech.json", .bytes = p->speech, .size = strlen(p->speech)};
    }
    for (uint32_t i = 0; i < name_count; i++) { sources[count++] = (zo_source){.name = names[i]}; }
    zo_compile_def def = p->def;
    def.format = "character-pack-v1/runtime_manifest";
    return zo_compile(sources, count, &def, program, report);
}

static zo_program *made(const pack *p) {
    zo_program *program = NULL;
    zo_report *report = NULL;
    if (compile(p, &program, &report) != ZO_OK) { fail_msg("%s", zo_report_at(report, 0)->message); }
    zo_report_free(report);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    return program;
}

static const char *text_of(const zo_program *p, zp_name name) { return zp_name_text(p, name); }

static const zp_voice *voice(const zo_program *p, const char *name) { // NULL: there is none
    for (uint32_t i = 0; i < zp_count(p, ZP_SECTION_VOICES); i++) {
        if (strcmp(text_of(p, p->voices[i].name), name) == 0) { return &p->voices[i]; }
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------------ the usual lists

enum { PERFORMS = ZP_VOICE_PERFORMS, PLAIN = ZP_VOICE_PLAIN, WAITS = ZP_VOICE_WAITS, OTHER = ZP_VOICE_OTHER,
       TALKS = PERFORMS | PLAIN };

static const struct {
    const char *label;
    uint32_t flags;
    const char *intent, *others; // those that answer for it, itself among them
} usual[] = {
#define DEFAULT "speaking_short speaking_med speaking_long"
    {"speaking_short", TALKS | OTHER, "", DEFAULT},
    {"speaking_med", TALKS | OTHER, "", DEFAULT},
    {"speaking_long", TALKS | OTHER, "", DEFAULT},
#define CLOSED "closed_eye_trans speaking_closed_eye_1 speaking_closed_eye_2"
    {"closed_eye_trans", TALKS | WAITS, "", CLOSED},
    {"speaking_closed_eye_1", TALKS, "", CLOSED},
    {"speaking_closed_eye_2", TALKS, "", CLOSED},
#define SERIOUS "speaking_trans thinking_to_serious speaking_loop1 speaking_loop2"
    {"speaking_trans", TALKS | WAITS, "", SERIOUS},
    {"speaking_loop1", TALKS, "", SERIOUS},
    {"speaking_loop2", TALKS, "", SERIOUS},
    {"thinking_to_serious", TALKS | WAITS, "", SERIOUS}, // also a way into thinking, but the first group counts
#define THINKING "thinking_trans thinking_to_serious thinking_to_key_point thinking_speaking1 thinking_speaking2 " \
                 "key_point_speaking serious_to_thinking"
    {"thinking_trans", TALKS | WAITS, "", THINKING},
    {"thinking_to_key_point", TALKS | WAITS, "", THINKING},
    {"thinking_speaking1", TALKS, "", THINKING},
    {"thinking_speaking2", TALKS, "", THINKING},
    {"key_point_speaking", TALKS, "", THINKING},
    {"serious_to_thinking", TALKS, "", THINKING},
#define INTENT(name, more, entry, ...) \
    {name, 0, name, name more " " entry " " __VA_ARGS__}, {entry, PERFORMS | WAITS, name, name more " " entry " " __VA_ARGS__}
    INTENT("smile", "", "trans_smile", "smile_speaking"),
    {"smile_speaking", PERFORMS, "smile", "smile trans_smile smile_speaking"},
    INTENT("sad", "", "sad_trans", "sad_speaking"),
    {"sad_speaking", PERFORMS, "sad", "sad sad_trans sad_speaking"},
    INTENT("shy", "", "shy_trans", "shy_speaking1 shy_speaking2"),
    {"shy_speaking1", PERFORMS, "shy", "shy shy_trans shy_speaking1 shy_speaking2"},
    {"shy_speaking2", PERFORMS, "shy", "shy shy_trans shy_speaking1 shy_speaking2"},
    INTENT("surprise", " surprised", "surprise_trans", "surprise_speaking"),
    {"surprised", 0, "surprise", "surprise surprised surprise_trans surprise_speaking"},
    {"surprise_speaking", PERFORMS, "surprise", "surprise surprised surprise_trans surprise_speaking"},
    INTENT("angry", "", "angry_trans", "angry_speaking"),
    {"angry_speaking", PERFORMS, "angry", "angry angry_trans angry_speaking"},
    {"idle", OTHER, "", ""}, {"idle1", OTHER, "", ""}, {"idle2", OTHER, "", ""}, {"idle_mic_wind", OTHER, "", ""},
    {"idle_str_wind", OTHER, "", ""}, {"idle_closed_eye", OTHER, "", ""}, {"nap", 0, "", ""},
};

static void others_are(const zo_program *p, const zp_voice *v, const char *expected) {
    const uint32_t count = split(expected, 0);
    assert_int_equal(v->other_count, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < count; k++) {
            found += strcmp(text_of(p, p->words[v->first_other + k]), words[i]) == 0;
        }
        if (found != 1) { fail_msg("%s: %s answers %u times", text_of(p, v->name), words[i], found); }
    }
}

static void each_label_has_its_part(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "nap speaking_short"});
    assert_int_equal(zp_count(p, ZP_SECTION_VOICES), ZB_COUNT(usual));
    for (size_t i = 0; i < ZB_COUNT(usual); i++) {
        const zp_voice *v = voice(p, usual[i].label);
        if (v == NULL) { fail_msg("%s is not known", usual[i].label); }
        if (v->flags != usual[i].flags) { fail_msg("%s: %u, not %u", usual[i].label, v->flags, usual[i].flags); }
        assert_string_equal(v->intent_ref != 0 ? text_of(p, p->intents[v->intent_ref - 1].name) : "", usual[i].intent);
        others_are(p, v, usual[i].others);
        assert_int_equal(v->overlay_ref, 0);
    }
    assert_string_equal(text_of(p, p->voices[p->speeches->entry_ref - 1].name), "speaking_short");
    assert_true(p->speeches->other_chance == 0.18);
    assert_int_equal(p->speeches->hold_ns, 1000 * MS);
    assert_int_equal(p->speeches->after_ns_min, 40 * MS);
    assert_int_equal(zp_count(p, ZP_SECTION_INTENTS), 5);
    for (uint32_t i = 0; i < 5; i++) { // each is entered by what waits
        assert_true(p->voices[p->intents[i].entry_ref - 1].flags == (PERFORMS | WAITS));
        assert_int_equal(p->voices[p->intents[i].entry_ref - 1].intent_ref, i + 1);
    }
    zo_program_free(p);
}

static void other_words_lead_to_labels(void **state) {
    (void)state;
    static const char *const expected[][2] = { // sorted
        {"coding", "thinking_trans"}, {"depressed", "sad"}, {"disappointed", "sad"}, {"furious", "angry"},
        {"gloomy", "sad"}, {"mad", "angry"}, {"provider_work", "thinking_trans"}, {"sadness", "sad"},
        {"serious", "speaking_trans"}, {"serious_speaking", "speaking_trans"}, {"seriously_speaking", "speaking_trans"},
        {"sorrow", "sad"}, {"speaking_serious", "speaking_trans"}, {"speaking_seriously", "speaking_trans"},
        {"surprised", "surprise"}, {"thinking", "thinking_trans"}, {"tool_call", "thinking_trans"},
        {"work", "thinking_trans"}, {"working", "thinking_trans"},
    };
    zo_program *p = made(&(pack){.nodes = "idle speaking_short"});
    assert_int_equal(zp_count(p, ZP_SECTION_ALIASES), ZB_COUNT(expected));
    for (size_t i = 0; i < ZB_COUNT(expected); i++) {
        assert_string_equal(text_of(p, p->aliases[i].word), expected[i][0]);
        assert_string_equal(text_of(p, p->voices[p->aliases[i].voice].name), expected[i][1]);
    }
    zo_program_free(p);
}

static void the_other_way_in_wants_a_node(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle speaking_short speaking_closed_eye_1", .clips = "closed_eye_trans"});
    assert_int_equal(p->speeches->other_ref, 0);
    zo_program_free(p);
    p = made(&(pack){.nodes = "idle speaking_short closed_eye_trans"});
    assert_string_equal(text_of(p, p->voices[p->speeches->other_ref - 1].name), "closed_eye_trans");
    zo_program_free(p);
}

static void packs_whose_labels_are_of_no_list_have_none(void **state) {
    (void)state;
    static const char *const nodes[] = {"idle", "a b c", "idle idle1 happy"};
    for (size_t i = 0; i < ZB_COUNT(nodes); i++) { // further clips do not count
        zo_program *p = made(&(pack){.nodes = nodes[i], .clips = "speaking_short shy"});
        assert_int_equal(zp_count(p, ZP_SECTION_DIRECTORS), 0);
        assert_int_equal(zp_count(p, ZP_SECTION_VOICES), 0);
        assert_int_equal(zo_state_count(p), split(nodes[i], 0));
        zo_program_free(p);
    }
    static const char *const ways[] = {"idle speaking_long", "idle serious_to_thinking", "idle thinking_trans",
                                       "shy_speaking2", "idle angry_trans", "idle smile", "idle surprised", "angry"};
    for (size_t i = 0; i < ZB_COUNT(ways); i++) {
        zo_program *p = made(&(pack){.nodes = ways[i]});
        assert_int_equal(zp_count(p, ZP_SECTION_DIRECTORS), 1);
        zo_program_free(p);
    }
}

static void what_follows_speech_has_a_node(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle speaking_short smile", .clips = "sad"});
    assert_int_equal(zo_state_count(p), 4);
    assert_string_equal(text_of(p, p->states[3].name), "__runtime_post_sad");
    assert_string_equal(text_of(p, p->states[3].group), "sad");
    assert_int_equal(p->states[3].edge_count, 1);
    const zp_edge *edge = &p->edges[p->states[3].first_edge];
    assert_true(edge->to == 0 && edge->when == ZP_WHEN_COMPLETE && edge->weight == 1.0);
    assert_string_equal(text_of(p, p->clips[p->plays[p->words[p->states[3].first_play] - 1].clip].name), "sad");
    assert_string_equal(text_of(p, p->voices[p->words[p->speeches->voices + 3]].name), "sad");
    for (uint32_t i = 0; i < zp_count(p, ZP_SECTION_INTENTS); i++) {
        const char *name = text_of(p, p->intents[i].name);
        const uint32_t after = strcmp(name, "smile") == 0 ? 3 : strcmp(name, "sad") == 0 ? 4 : 0;
        assert_int_equal(p->intents[i].after_ref, after);
    }
    zo_program_free(p);
}

static void a_clip_has_its_old_name_too(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle", .clips = "smile"});
    assert_int_equal(zo_clip_count(p), 3);
    assert_string_equal(text_of(p, p->clips[2].name), "happy");
    assert_int_equal(p->curves[p->clips[2].first_curve].values, p->curves[p->clips[1].first_curve].values);
    zo_program_free(p);
    p = made(&(pack){.nodes = "idle", .clips = "smile happy"}); // it is another's
    assert_int_equal(zo_clip_count(p), 3);
    zo_program_free(p);
    p = made(&(pack){.nodes = "idle"});
    assert_int_equal(zo_clip_count(p), 1);
    zo_program_free(p);
}

// -------------------------------------------------------------------------------------------------------------- mouths

static const zp_overlay *overlay(const zo_program *p, const char *label) {
    for (uint32_t i = 0; i < zp_count(p, ZP_SECTION_OVERLAYS); i++) {
        if (strcmp(text_of(p, p->clips[p->overlays[i].clip].name), label) == 0) { return &p->overlays[i]; }
    }
    return NULL;
}

static void mouths_are_followed_where_somebody_speaks(void **state) {
    (void)state;
    for (size_t i = 0; i < ZB_COUNT(usual); i++) {
        const char *label = usual[i].label;
        const bool speaks = (usual[i].flags & (PERFORMS | WAITS)) == PERFORMS && strcmp(label, "serious_to_thinking") != 0;
        char nodes[64];
        snprintf(nodes, sizeof nodes, "root %s", label);
        zo_program *p = made(&(pack){.nodes = nodes, .mouths = label});
        if ((overlay(p, label) != NULL) != speaks) { fail_msg("the mouth of %s", label); }
        const zp_voice *v = voice(p, label);
        assert_int_equal(v != NULL ? v->overlay_ref : 0, speaks ? 1 : 0);
        zo_program_free(p);
    }
}

static void without_a_set_of_its_name_a_mouth_is_not(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle speaking_short speaking_med", .mouths = "speaking_short speaking_med",
                                 .profiles = "\"speaking_short\":{\"mouth_set\":\"grin\"},\"speaking_med\":{}"});
    assert_null(overlay(p, "speaking_short"));
    assert_non_null(overlay(p, "speaking_med"));
    assert_int_equal(voice(p, "speaking_med")->overlay_ref, 1);
    zo_program_free(p);
    p = made(&(pack){.nodes = "idle speaking_short speaking_med", .mouths = "speaking_short speaking_med",
                     .profiles = "\"speaking_med\":{}"}); // pictures without a profile
    assert_int_equal(zp_count(p, ZP_SECTION_OVERLAYS), 1);
    zo_program_free(p);
}

static void a_mouth_lies_as_the_lists_say(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle speaking_short key_point_speaking thinking_speaking2",
                                 .mouths = "thinking_speaking2 speaking_short key_point_speaking"});
    const zp_overlay *plain = overlay(p, "speaking_short"), *canvas = overlay(p, "key_point_speaking");
    const zp_overlay *large = overlay(p, "thinking_speaking2");
    assert_true(plain->rule == ZP_OVERLAY_QUIET && plain->threshold == 0.08 && plain->open == 0.75 && plain->swell == 1.5);
    assert_true(plain->flags == 0 && plain->reach[0] == 1.8 && plain->reach[1] == 1.0 && plain->shift == 0.0);
    assert_true(plain->cel_count == 2 && p->numbers[plain->levels] == 0.0 && p->numbers[plain->levels + 1] == 0.0);
    assert_string_equal(text_of(p, p->cels[p->words[plain->first_cel]].name), "5/0.ktx2");
    assert_true(canvas->flags == ZP_OVERLAY_ALIGNED && canvas->open == 0.8 && canvas->reach[1] == 0.9);
    assert_true(large->flags == 0 && large->open == 1.0 && large->reach[0] == 1.8 * 1.04 && large->reach[1] == 1.25);
    assert_true(large->shift == -4.0 && large->threshold == 0.08);
    zo_program_free(p);
}

static uint32_t rest_frame(const char *openness) {
    char profile[256];
    snprintf(profile, sizeof profile, "\"speaking_short\":{\"openness\":%s}", openness);
    zo_program *p = made(&(pack){.nodes = "idle speaking_short", .mouths = "speaking_short", .profiles = profile});
    const uint32_t frame = overlay(p, "speaking_short")->rest_frame;
    zo_program_free(p);
    return frame;
}

static void the_least_open_frame_is_at_rest(void **state) {
    (void)state;
    assert_int_equal(rest_frame("[]"), 0);
    assert_int_equal(rest_frame("[0.5, 0.4, 0.2, 0.3]"), 2);
    assert_int_equal(rest_frame("[0.5, 0.2, 0.2, 0.3]"), 1);       // the first of equals
    assert_int_equal(rest_frame("[0.5, 0.4, 0.3, 0.2, 0.1]"), 3);  // only frames that there are
    assert_int_equal(rest_frame("[null, \"0\", 0.3, 0.4]"), 2);    // only figures
    assert_int_equal(rest_frame("[null, null]"), 0);
    assert_int_equal(rest_frame("[0.5, -1]"), 1);
}

static void figures_beyond_all_measure_are_cut(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle speaking_short", .mouths = "speaking_short",
                                 .profiles = "\"speaking_short\":{\"cx\":1e300,\"height\":-1e300,\"anchor_track\":"
                                             "[{},{\"cy\":-1e18}],\"runtime_overlay_anchor\":{\"cy\":1e10}}"});
    const zp_overlay *o = overlay(p, "speaking_short");
    assert_int_equal(o->anchor_count, 2);
    assert_true(p->numbers[o->anchors] == ZP_OVERLAY_FAR && p->numbers[o->anchors + 3] == -ZP_OVERLAY_FAR);
    assert_true(p->numbers[o->anchors + 1] == -20.0 && p->numbers[o->anchors + 5] == -ZP_OVERLAY_FAR);
    assert_true(p->numbers[o->sources + 1] == ZP_OVERLAY_FAR);
    zo_program_free(p);
}

// ------------------------------------------------------------------------------------------------------ lists of its own

static const char own[] =
    "{\"entry\":\"talk\",\"otherEntry\":\"wink\",\"otherChance\":0.5,\"otherFrom\":[\"rest\"],\"holdMs\":250.5,\"groups\":["
    "{\"speaking\":[\" talk \",\"talk2\"],\"entries\":[\"wink\"]},{\"intent\":\"joy\",\"labels\":[\"joy\"],\"speaking\":["
    "\"joy_talk\"],\"after\":\"joy\"},{\"intent\":\"joy\",\"entries\":[\"joy_in\"],\"speaking\":[\"joy_talk\"]}],"
    "\"aliases\":{\"gr\\u00fcn\":\"talk2\",\"b\":\"joy\"},\"clips\":{\"was\":\"rest\",\"talk\":\"rest\",\"no\":\"nobody\"},"
    "\"mouths\":{\"talk\":{\"align\":\"anchor\",\"open\":0.5,\"threshold\":0.25}}}";

static void lists_of_its_own_take_the_place_of_all(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "rest talk talk2 wink joy joy_talk", .clips = "smile", .speech = own,
                                 .mouths = "talk wink joy_talk"});
    assert_null(voice(p, "speaking_short"));
    assert_true(voice(p, "talk")->flags == TALKS && voice(p, "wink")->flags == (TALKS | WAITS));
    assert_true(voice(p, "rest")->flags == OTHER && voice(p, "joy")->flags == 0);
    others_are(p, voice(p, "wink"), "talk talk2 wink");
    others_are(p, voice(p, "joy_talk"), "joy joy_talk"); // the first group that has it
    assert_int_equal(zp_count(p, ZP_SECTION_INTENTS), 1);
    assert_string_equal(text_of(p, p->voices[p->intents[0].entry_ref - 1].name), "joy_in");
    assert_int_equal(p->intents[0].after_ref, 5);
    assert_int_equal(p->speeches->hold_ns, 250500000);
    assert_true(p->speeches->other_chance == 0.5 && p->speeches->other_ref != 0);
    assert_int_equal(zp_count(p, ZP_SECTION_ALIASES), 2);
    assert_string_equal(text_of(p, p->aliases[0].word), "b");
    assert_string_equal(text_of(p, p->aliases[1].word), "gr\xC3\xBCn");
    assert_int_equal(zo_clip_count(p), 8); // seven, and "was"
    assert_int_equal(zp_count(p, ZP_SECTION_OVERLAYS), 2);
    assert_true(overlay(p, "talk")->open == 0.5 && overlay(p, "talk")->threshold == 0.25);
    assert_true(overlay(p, "joy_talk")->open == 0.75);
    zo_program_free(p);
}

static void empty_lists_switch_it_off(void **state) {
    (void)state;
    static const char *const empty[] = {"{}", "{\"groups\": []}", "{\"entry\": \"nobody\", \"holdMs\": 5}",
                                        "{\"schemaVersion\": 1, \"type\": \"characterPackSpeech\"}"};
    for (size_t i = 0; i < ZB_COUNT(empty); i++) {
        zo_program *p = made(&(pack){.nodes = "idle speaking_short", .clips = "smile", .mouths = "speaking_short",
                                     .speech = empty[i]});
        assert_int_equal(zp_count(p, ZP_SECTION_DIRECTORS), 0);
        assert_int_equal(zp_count(p, ZP_SECTION_OVERLAYS), 0);
        assert_int_equal(zo_state_count(p), 2);
        assert_int_equal(zo_clip_count(p), 3);
        zo_program_free(p);
    }
}

// What is asked for by another word, or when speech begins, need not be a performance.
static void other_words_are_enough(void **state) {
    (void)state;
    static const char *const lists[] = {"{\"aliases\": {\"hi\": \"wave\"}}", "{\"entry\": \"wave\"}",
                                        "{\"groups\": [{\"labels\": [\"wave\", \"bow\"]}]}"};
    for (size_t i = 0; i < ZB_COUNT(lists); i++) {
        zo_program *p = made(&(pack){.nodes = "idle wave", .speech = lists[i]});
        assert_int_equal(zp_count(p, ZP_SECTION_DIRECTORS), 1);
        assert_int_equal(voice(p, "wave")->flags, 0);
        zo_program_free(p);
    }
}

static void lists_with_faults_are_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"[]", "charpack-speech/value"}, {"{\"holdMs\": \"1\"}", "charpack-speech/value"},
        {"{\"entry\": 1}", "charpack-speech/value"}, {"{\"groups\": [[]]}", "charpack-speech/value"},
        {"{\"groups\": [{\"speaking\": [1]}]}", "charpack-speech/value"}, {"{\"type\": \"pack\"}", "charpack-speech/value"},
        {"{\"schemaVersion\": 2}", "charpack-speech/value"}, {"{\"mouths\": {\"a\": 1}}", "charpack-speech/value"},
        {"{\"mouths\": {\"a\": {\"align\": \"\"}}}", "charpack-speech/value"}, {"{\"aliases\": []}", "charpack-speech/value"},
        {"{\"aliases\": {\"a\": null}}", "charpack-speech/value"}, {"{\"hold\": 1}", "charpack-speech/member"},
        {"{\"groups\": [{\"label\": []}]}", "charpack-speech/member"}, {"{\"otherChance\": 1.5}", "charpack-speech/high"},
        {"{\"otherChance\": -0.5}", "charpack-speech/low"}, {"{\"holdMs\": 1e12}", "charpack-speech/high"},
        {"{\"mouths\": {\"a\": {\"open\": -1}}}", "charpack-speech/low"}, {"{\"entry\": \"\"}", "charpack-speech/count"},
        {"{\"entry\": \" \"}", "charpack-speech/word"}, {"{\"aliases\": {\"A\": \"a\"}}", "charpack-speech/word"},
        {"{\"aliases\": {\"\\u00c9\": \"a\"}}", "charpack-speech/word"}, {"{\"aliases\": {\" \": \"a\"}}", "charpack-speech/word"},
        {"{\"clips\": {\"\": \"a\"}}", "charpack-speech/word"}, {"{\"entry\":}", "json/syntax"},
    };
    for (size_t i = 0; i < ZB_COUNT(bad); i++) {
        pack p = {.nodes = "idle speaking_short", .speech = bad[i][0]};
        zo_program *program = NULL;
        zo_report *report = NULL;
        assert_int_not_equal(compile(&p, &program, &report), ZO_OK);
        assert_null(program);
        if (strncmp(zo_report_at(report, 0)->id, bad[i][1], strlen(bad[i][1]) - (i + 1 == ZB_COUNT(bad) ? 6 : 0)) != 0 ||
            zo_report_total(report, ZO_ERROR) != 1) {
            fail_msg("%s: %s, %u errors", bad[i][0], zo_report_at(report, 0)->id, zo_report_total(report, ZO_ERROR));
        }
        assert_string_equal(zo_report_at(report, 0)->place.file, "speech.json");
        zo_report_free(report);
        p.def.contract_only = true; // the format's own validator does not look
        program = made(&p);
        assert_non_null(voice(program, "speaking_short"));
        zo_program_free(program);
    }
}

static void they_are_asked_for_and_nobody_waits(void **state) {
    (void)state;
    for (int contract = 0; contract < 2; contract++) {
        zo_program *program = NULL;
        zo_report *report = NULL;
        const pack p = {.nodes = "idle speaking_short", .speech = "-", .def = {.contract_only = contract != 0}};
        assert_int_equal(compile(&p, &program, &report), ZO_OK);
        assert_int_equal(zo_report_need_count(report), contract ? 0 : 1);
        if (!contract) { assert_string_equal(zo_report_need(report, 0)->name, "speech.json"); }
        assert_non_null(voice(program, "speaking_med"));
        zo_report_free(report);
        zo_program_free(program);
    }
}

static void labels_may_be_anything(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle \\u0000 a\\u0000b a \\ud83d\\ude00 speaking_short", .clips = "a\\u0000c smile",
                                 .mouths = "a\\u0000b", .speech =
        "{\"entry\":\"\\u0000\",\"groups\":[{\"speaking\":[\"a\\u0000x\",\"a\",\"\\u0000\",\"a\"],\"after\":\"a\\u0000c\"}],"
        "\"aliases\":{\"\\u0000\":\"a\",\"a\\u0000\":\"\\u0000\",\"z\":\"a\",\"z\\u0000\":\"b\"},\"otherFrom\":[\"\\u0000\"]}"});
    assert_int_equal(zp_count(p, ZP_SECTION_DIRECTORS), 1);
    zo_program_free(p);
}

static void lists_may_be_as_long_as_they_may(void **state) {
    (void)state;
    static char speech[1 << 18];
    speech[0] = 0;
    size_t size = 0;
    for (int g = 0; g < 64; g++) {
        size += (size_t)snprintf(speech + size, sizeof speech - size, g == 0 ? "{\"groups\":[{\"speaking\":[" : ",{\"speaking\":[");
        for (int i = 0; i < 64; i++) {
            size += (size_t)snprintf(speech + size, sizeof speech - size, "%s\"l%d_%d\"", i > 0 ? "," : "", g, i);
        }
        size += (size_t)snprintf(speech + size, sizeof speech - size, "]}");
    }
    snprintf(speech + size, sizeof speech - size, "]}");
    zo_program *p = made(&(pack){.nodes = "idle l3_3", .speech = speech});
    assert_int_equal(zp_count(p, ZP_SECTION_VOICES), 64 * 64 + 1);
    assert_int_equal(voice(p, "l63_0")->other_count, 64);
    zo_program_free(p);
}

// ------------------------------------------------------------------------------------------------------------- playing

static zo_target_state now(const zo_instance *instance) {
    zo_target_state at;
    assert_true(zo_instance_state(instance, &at));
    return at;
}

static void advance(zo_instance *instance, int64_t ms) {
    zo_step step = {.left_ns = ms * MS};
    do {
        zo_event events[8];
        step = zo_instance_advance(instance, step.left_ns, events, 8);
    } while (step.more || step.left_ns > 0);
}

static void is_at(const zo_instance *instance, const char *node, uint32_t frame) {
    const zo_target_state at = now(instance);
    if (strcmp(at.name, node) != 0 || at.frame != frame) { fail_msg("at %s:%u, not %s:%u", at.name, at.frame, node, frame); }
}

#define EDGE(from, to, prob) "{\"id\":\"" #from #to "\",\"from\":\"n" #from "\",\"to\":\"n" #to "\",\"prob\":" #prob "}"

// Each model leads into speech and back; how long clips last differs, so all is asked within the first one.
static void a_pack_speaks_and_stops(void **state) {
    (void)state;
    static const zo_model models[] = {ZO_MODEL_CONTRACT, ZO_MODEL_RENDERER, ZO_MODEL_STATE_MACHINE};
    for (size_t i = 0; i < ZB_COUNT(models); i++) {
        zo_program *p = made(&(pack){
            .nodes = "idle speaking_short trans_smile! smile_speaking", .clips = "smile",
            .mouths = "smile_speaking", .profiles = "\"smile_speaking\":{\"openness\":[1,0.5,0.25,1]}",
            .edges = EDGE(0, 0, 1) "," EDGE(0, 1, 0) "," EDGE(1, 1, 1) "," EDGE(0, 2, 0) "," EDGE(2, 3, 1) "," EDGE(3, 3, 1),
            .def = {.model = models[i]}});
        const double random[] = {0.5};
        zo_instance *instance = zo_instance_create(p, &(zo_instance_def){.graph_list = random, .graph_count = 1}, NULL);
        zo_instance_speaking(instance, true);
        is_at(instance, "n1", 0);
        zo_instance_trigger(instance, "Smile", false); // labels are compared as they stand
        is_at(instance, "n1", 0);
        zo_instance_trigger(instance, "smile", false); // by its way in, because somebody speaks
        is_at(instance, "n2", 0);
        advance(instance, 165);                        // speech goes on, so it does not wait
        assert_string_equal(now(instance).name, "n3");
        zo_instance_speaking(instance, false);
        is_at(instance, "n3", 2);                      // the mouth that is least open
        assert_true(now(instance).held);
        advance(instance, 999);
        is_at(instance, "n3", 2);
        advance(instance, 1);
        is_at(instance, "__runtime_post_smile", 0);
        advance(instance, 159);
        is_at(instance, "__runtime_post_smile", 3);
        advance(instance, 2);
        assert_string_equal(now(instance).name, "n0");
        zo_instance_free(instance);
        zo_program_free(p);
    }
}

static void a_way_in_waits_for_speech(void **state) {
    (void)state;
    zo_program *p = made(&(pack){.nodes = "idle thinking_trans! thinking_speaking1",
                                 .edges = EDGE(0, 0, 1) "," EDGE(0, 1, 0) "," EDGE(1, 2, 1) "," EDGE(2, 2, 1)});
    zo_instance *instance = zo_instance_create(p, NULL, NULL);
    zo_instance_trigger(instance, "Tool_Call", false);
    advance(instance, 5000);
    is_at(instance, "n1", 3);
    assert_true(now(instance).held);
    zo_instance_speaking(instance, true);
    is_at(instance, "n2", 0);
    advance(instance, 160); // without a mouth frame 0 is left out when it comes round
    is_at(instance, "n2", 1);
    zo_instance_speaking(instance, false);
    is_at(instance, "n2", 1);
    advance(instance, 1000);
    is_at(instance, "n0", 0);
    zo_instance_free(instance);
    zo_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_label_has_its_part),
        cmocka_unit_test(other_words_lead_to_labels),
        cmocka_unit_test(the_other_way_in_wants_a_node),
        cmocka_unit_test(packs_whose_labels_are_of_no_list_have_none),
        cmocka_unit_test(what_follows_speech_has_a_node),
        cmocka_unit_test(a_clip_has_its_old_name_too),
        cmocka_unit_test(mouths_are_followed_where_somebody_speaks),
        cmocka_unit_test(without_a_set_of_its_name_a_mouth_is_not),
        cmocka_unit_test(a_mouth_lies_as_the_lists_say),
        cmocka_unit_test(the_least_open_frame_is_at_rest),
        cmocka_unit_test(figures_beyond_all_measure_are_cut),
        cmocka_unit_test(lists_of_its_own_take_the_place_of_all),
        cmocka_unit_test(empty_lists_switch_it_off),
        cmocka_unit_test(other_words_are_enough),
        cmocka_unit_test(lists_with_faults_are_refused),
        cmocka_unit_test(they_are_asked_for_and_nobody_waits),
        cmocka_unit_test(labels_may_be_anything),
        cmocka_unit_test(lists_may_be_as_long_as_they_may),
        cmocka_unit_test(a_pack_speaks_and_stops),
        cmocka_unit_test(a_way_in_waits_for_speech),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
