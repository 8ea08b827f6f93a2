// Speech: each step of what it does, as scripts with the events that they must lead to; and what holds for any calls.
#include "runtime/test_program.h"

#include <string.h>

#include <zoetrope/zoetrope.h>

#include "director/director.h"

// ---------------------------------------------------------------------------------------------------- a character

enum { NONE = 255 };
// Voices, sorted; those without a node come along because they are asked for.
enum { GLAD, GLAD_IN, GLAD_TALK, GRAVE_IN, GRAVE_OUT, GRAVE_TALK, MUSE, MUSE_IN, NAP, REST, SHUT_IN, SHUT_TALK, TALK,
       TALK_2, TALK_3, WINK, VOICES };
enum { PERFORMS = ZP_VOICE_PERFORMS, PLAIN = ZP_VOICE_PLAIN, WAITS = ZP_VOICE_WAITS, OTHER = ZP_VOICE_OTHER,
       TALKS = PERFORMS | PLAIN };

static const struct {
    const char *name;
    uint32_t frames, interval_ms; // 0 frames: no node
    bool once;
    uint32_t flags, intent_ref;
    uint32_t rest_ref;            // frame + 1 with the mouth shut, where there is a mouth
    uint8_t others[3];            // voices
} voices[VOICES] = {
    [GLAD] = {"glad", 5, 25, false, 0, 1, 0, {GLAD_IN, GLAD_TALK, NONE}},
    [GLAD_IN] = {"glad_in", 3, 25, true, PERFORMS | WAITS, 1, 0, {GLAD, GLAD_TALK, NONE}},
    [GLAD_TALK] = {"glad_talk", 4, 25, false, PERFORMS, 1, 1, {GLAD, GLAD_IN, NONE}},
    [GRAVE_IN] = {"grave_in", 3, 40, true, TALKS | WAITS, 0, 0, {GRAVE_TALK, NONE}},
    [GRAVE_OUT] = {"grave_out", 2, 40, true, TALKS, 0, 0, {NONE}},
    [GRAVE_TALK] = {"grave_talk", 4, 25, false, TALKS, 0, 0, {GRAVE_IN, NONE}},
    [MUSE] = {"muse", 4, 40, false, TALKS, 0, 0, {MUSE_IN, NONE}},
    [MUSE_IN] = {"muse_in", 3, 25, true, TALKS | WAITS, 0, 0, {MUSE, NONE}},
    [NAP] = {"nap", 2, 100, false, 0, 0, 0, {NONE}},
    [REST] = {"rest", 4, 40, false, OTHER, 0, 0, {NONE}},
    [SHUT_IN] = {"shut_in", 3, 40, true, TALKS | WAITS, 0, 0, {SHUT_TALK, NONE}},
    [SHUT_TALK] = {"shut_talk", 3, 25, false, TALKS, 0, 1, {SHUT_IN, NONE}},
    [TALK] = {"talk", 4, 25, false, TALKS | OTHER, 0, 3, {TALK_2, TALK_3, NONE}},
    [TALK_2] = {"talk2", 3, 25, false, TALKS, 0, 0, {TALK, TALK_3, NONE}},
    [TALK_3] = {"talk3", 0, 0, false, TALKS, 0, 0, {TALK, TALK_2, NONE}},
    [WINK] = {"wink", 1, 30, false, TALKS, 0, 0, {NONE}},
};
// Edges in file order; weight 0: on request alone.
static const struct { uint8_t from, to; double weight; } edges[] = {
    {REST, REST, 1},          {REST, TALK, 0},          {TALK, TALK_2, 0.5},     {TALK, TALK, 0.5},
    {TALK_2, TALK, 1},        {REST, SHUT_IN, 0},       {SHUT_IN, SHUT_TALK, 1}, {SHUT_TALK, SHUT_TALK, 1},
    {REST, GRAVE_IN, 0},      {GRAVE_IN, GRAVE_TALK, 1}, {GRAVE_TALK, GRAVE_TALK, 1}, {GRAVE_TALK, GRAVE_OUT, 0},
    {GRAVE_OUT, MUSE, 1},     {REST, MUSE_IN, 0},       {MUSE_IN, MUSE, 1},      {MUSE, MUSE, 1},
    {REST, GLAD_IN, 0},       {GLAD_IN, GLAD_TALK, 1},  {GLAD_TALK, GLAD_TALK, 1}, {GLAD, REST, 1},
    {NAP, NAP, 1},            {WINK, WINK, 1},
};

typedef enum change { // what a test wants otherwise
    AS_IT_IS = 0,
    CONTRACT = 1,      // a way is kept, what is complete holds, and nothing is done for what nobody answers
    GLAD_AGAIN = 2,    // what follows gladness leads to itself
    GLAD_QUICK = 4,    // and is over in 2 ms
    IN_IS_DEAD = 8,    // no edge leads out of grave_in
    NO_ENTRY = 16,     // nothing is asked for when speech begins
    GLAD_BY_TALK = 32, // gladness has no entry of its own, and talking may be its expression
} change;

static zp_name name_of(zp_build *b, const char *text) { return zp_build_name(b, zb_text(text)); }

static void build_clips(zp_build *b, uint32_t channel, uint32_t changes) {
    for (uint32_t v = 0; v < VOICES; ++v) {
        if (voices[v].frames == 0) { continue; }
        const bool quick = v == GLAD && (changes & GLAD_QUICK);
        const int64_t step_ns = quick ? MS / 2 : voices[v].interval_ms * MS;
        const uint32_t count = quick ? 4 : voices[v].frames;
        zp_clip clip = test_clip(voices[v].once ? ZP_REPEAT_HOLD : ZP_REPEAT_LOOP, count * step_ns);
        clip.name = name_of(b, voices[v].name);
        clip.time_unit = ZP_TIME_SECONDS;
        if (voices[v].once && !(changes & CONTRACT)) { clip.complete_ns = (count - 1) * step_ns; }
        zp_build_clip_begin(b, &clip, NOWHERE);
        const double values[8] = {1, 2, 3, 1, 2, 3, 1, 2};
        zp_build_curve(b, &(zp_curve_def){.placement = ZP_PLACE_STEP_NS, .arithmetic = ZP_ARITHMETIC_INDEX, .width = 1,
                                          .first_channel = channel, .key_count = count, .values = values,
                                          .step_ns = step_ns});
        zp_build_clip_end(b);
    }
}

static uint32_t node_of(uint32_t voice) { // the nodes are the voices that have frames, in their order
    uint32_t node = 0;
    for (uint32_t v = 0; v < voice; ++v) { node += voices[v].frames > 0; }
    return node;
}

static void build_machine(zp_build *b, uint32_t changes) {
    zp_machine machine = {.routing = ZP_ROUTING_FIRST_HOP, .start = node_of(REST),
                          .otherwise = ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT};
    if (changes & CONTRACT) {
        machine.flags = ZP_MACHINE_KEEPS_ROUTE;
    } else {
        machine.otherwise |= ZP_OTHERWISE_STEP;
        machine.flags = ZP_MACHINE_DEAD_END_ENTERS;
    }
    zp_build_machine(b, &machine);
    for (uint32_t v = 0; v < VOICES; ++v) {
        if (voices[v].frames == 0) { continue; }
        const uint32_t play_ref = zp_build_play(b, &(zp_play){.clip = node_of(v), .flags = ZP_PLAY_LATER}) + 1;
        zp_build_state(b, &(zp_state){.name = name_of(b, voices[v].name), .group = name_of(b, voices[v].name),
                                      .first_play = zp_build_words(b, &play_ref, 1), .play_count = 1,
                                      .on_complete = ZP_ON_COMPLETE_PICK,
                                      .reentry = changes & CONTRACT ? ZP_REENTRY_CONTINUE_OR_AGAIN
                                                                    : ZP_REENTRY_CONTINUE_SAME_CLIP});
    }
    for (uint32_t e = 0; e < ZB_COUNT(edges); ++e) {
        uint32_t to = edges[e].to;
        if (edges[e].from == GLAD && (changes & GLAD_AGAIN)) { to = GLAD; }
        if (edges[e].from == GRAVE_IN && (changes & IN_IS_DEAD)) { continue; }
        zp_build_edge(b, &(zp_edge){.from_ref = node_of(edges[e].from) + 1, .to = node_of(to),
                                    .when = edges[e].weight > 0 ? ZP_WHEN_COMPLETE : ZP_WHEN_REQUEST,
                                    .weight = edges[e].weight});
    }
}

static void build_speech(zp_build *b, uint32_t changes) {
    uint32_t of_states[VOICES], count = 0, overlay_count = 0;
    for (uint32_t v = 0; v < VOICES; ++v) {
        uint32_t others[3], other_count = 0;
        for (; other_count < 3 && voices[v].others[other_count] != NONE; ++other_count) {
            others[other_count] = name_of(b, voices[voices[v].others[other_count]].name);
        }
        zp_voice voice = {.name = name_of(b, voices[v].name), .flags = voices[v].flags,
                          .intent_ref = voices[v].intent_ref, .other_count = other_count,
                          .first_other = other_count > 0 ? zp_build_words(b, others, other_count) : 0,
                          .overlay_ref = voices[v].rest_ref != 0 ? ++overlay_count : 0};
        if (v == TALK && (changes & GLAD_BY_TALK)) { voice.flags &= ~(uint32_t)PLAIN; }
        if (voices[v].frames > 0) { of_states[count++] = v; }
        zp_build_voice(b, &voice);
    }
    zp_build_director(b, &(zp_director){.kind = ZP_DIRECTOR_SPEECH});
    zp_build_speech(b, &(zp_speech){.voices = zp_build_words(b, of_states, count),
                                    .entry_ref = changes & NO_ENTRY ? 0 : TALK + 1, .other_ref = changes & NO_ENTRY ? 0 : SHUT_IN + 1,
                                    .other_chance = 0.25, .hold_ns = 300 * MS, .after_ns_min = 40 * MS});
    zp_build_intent(b, &(zp_intent){.name = name_of(b, "gladness"), .after_ref = node_of(GLAD) + 1,
                                    .entry_ref = changes & GLAD_BY_TALK ? 0 : GLAD_IN + 1});
    static const struct { const char *word; uint32_t voice; } words[] = {
        {"coding", MUSE_IN}, {"joyful", GLAD}, {"serious", GRAVE_IN}, {"été", NAP}, {"認真", GRAVE_IN},
    };
    for (uint32_t i = 0; i < ZB_COUNT(words); ++i) {
        zp_build_alias(b, &(zp_alias){name_of(b, words[i].word), words[i].voice});
    }
}

static zp_program *character(uint32_t changes) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *b = zp_build_open(&arena);
    zp_build_layer(b, &(zp_layer){0});
    const uint32_t channel = zp_build_channel(b, &(zp_channel){.rest = 1, .high = 3, .is_index = 1, .own_rest = 1});
    const uint32_t target = zp_build_target(b, &(zp_target){.compose = ZP_COMPOSE_NONE});
    for (uint32_t i = 0; i < 3; ++i) { zp_build_cel(b, &(zp_cel){.scale = 1, .anchor = {0.5, 1}}, NOWHERE); }
    zp_build_sprite(b, &(zp_sprite){.target = target, .channel_ref = channel + 1});
    build_clips(b, channel, changes);
    const double anchor[] = {0, -10, 8, 4}, level = 0;
    const uint32_t cel = 2;
    for (uint32_t v = 0; v < VOICES; ++v) {
        if (voices[v].rest_ref == 0) { continue; }
        zp_build_overlay(b, &(zp_overlay){.clip = node_of(v), .first_cel = zp_build_words(b, &cel, 1), .cel_count = 1,
                                          .levels = zp_build_numbers(b, &level, 1), .anchor_count = 1,
                                          .anchors = zp_build_numbers(b, anchor, 4),
                                          .rest_frame = voices[v].rest_ref - 1, .reach = {1, 1}});
    }
    build_machine(b, changes);
    build_speech(b, changes);
    zp_program *program = zp_build_finish(b, NULL);
    zb_arena_close(&arena);
    assert_non_null(program);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    return program;
}

// ---------------------------------------------------------------------------------------------------- scripts

typedef struct stage {
    zp_program *program;
    zo_instance *instance;
    char told[2048];
} stage;

static const double fixed[] = {0.9, 0.2, 0.9, 0.3}; // an edge each, and no other entry

static void open_with(stage *s, uint32_t changes, const double *random, uint32_t count) {
    s->program = character(changes);
    s->instance = zo_instance_create(s->program, &(zo_instance_def){.graph_list = random, .graph_count = count}, NULL);
    assert_non_null(s->instance);
}
static void open_stage(stage *s, uint32_t changes) { open_with(s, changes, fixed, ZB_COUNT(fixed)); }

static void close_stage(stage *s) {
    zo_instance_free(s->instance);
    zp_program_free(s->program);
}

// "45>talk/trigger" a state is entered, "145.talk" its clip is complete, "170=talk2:1" it holds a frame, "5?text"
// nothing answers.
static void tell(char *told, size_t size, const zo_event *e) {
    const size_t used = strlen(told);
    const long long ms = e->t_ns / MS;
    const char *gap = used > 0 ? " " : "";
    assert_int_equal(e->t_ns % MS, 0);
    switch (e->kind) {
    case ZO_EVENT_STATE:
        snprintf(told + used, size - used, "%s%lld>%s/%s", gap, ms, e->name, zo_via_name(e->via));
        break;
    case ZO_EVENT_CYCLE: snprintf(told + used, size - used, "%s%lld.%s", gap, ms, e->name); break;
    case ZO_EVENT_HOLD: snprintf(told + used, size - used, "%s%lld=%s:%u", gap, ms, e->name, e->index); break;
    case ZO_EVENT_UNROUTED: snprintf(told + used, size - used, "%s%lld?%s", gap, ms, e->name); break;
    default: break;
    }
}

static const char *after(stage *s, int64_t ms) {
    s->told[0] = 0;
    zo_event events[5];
    zo_step step = {.left_ns = ms * MS};
    do {
        step = zo_instance_advance(s->instance, step.left_ns, events, ZB_COUNT(events));
        for (uint32_t e = 0; e < step.count; ++e) { tell(s->told, sizeof s->told, &events[e]); }
    } while (step.more || step.left_ns > 0);
    return s->told;
}

#define AFTER(s, ms, words) assert_string_equal(after(s, ms), words)

static zo_target_state state_of(const stage *s) {
    zo_target_state state;
    assert_true(zo_instance_state(s->instance, &state));
    return state;
}
#define AT(s, name_, frame_, held_) \
    do { \
        const zo_target_state state_ = state_of(s); \
        assert_string_equal(state_.group, name_); \
        assert_int_equal(state_.frame, frame_); \
        assert_int_equal(state_.held, held_); \
    } while (0)

static void speak(stage *s, bool speaking) { zo_instance_speaking(s->instance, speaking); }
static bool trigger(stage *s, const char *label) { return zo_instance_trigger(s->instance, label, false); }
static bool trigger_after(stage *s, const char *label) { return zo_instance_trigger(s->instance, label, true); }
static bool release(stage *s, bool after_speech) { return zo_instance_release(s->instance, after_speech); }

// ---------------------------------------------------------------------------------------------------- speech begins

static void speech_leads_into_a_performance_and_back(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    AFTER(&s, 45, "0>rest/start");
    speak(&s, true);
    AFTER(&s, 75, "45>talk/trigger");
    AT(&s, "talk", 3, false);
    AFTER(&s, 50, "145.talk 145>talk2/auto");
    speak(&s, false);
    AFTER(&s, 299, "170=talk2:1"); // no mouth is followed there: the frame that is on show
    AT(&s, "talk2", 1, true);
    AFTER(&s, 1, "470>rest/post_speech");
    assert_int_equal(state_of(&s).draws, 2);
    close_stage(&s);
}

static void the_other_entry_is_by_chance(void **state) {
    (void)state;
    static const double low[] = {0.249}, edge[] = {0.25}, high[] = {0.9};
    const struct { const double *random; const char *before, *expect; uint32_t draws; } rows[] = {
        {low, "rest", "0>shut_in/trigger", 1},
        {edge, "rest", "0>talk/trigger", 1}, // below the chance, not at it
        {high, "rest", "0>talk/trigger", 1},
        {low, "nap", "0>talk/trigger", 0},   // it is not for this one, and no number is used
        {low, "grave_talk", "", 0},          // a performance goes on
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); ++i) {
        stage s;
        open_with(&s, AS_IT_IS, rows[i].random, 1);
        assert_true(zo_instance_request(s.instance, rows[i].before));
        after(&s, 0);
        speak(&s, true);
        AFTER(&s, 0, rows[i].expect);
        assert_int_equal(state_of(&s).draws, rows[i].draws);
        close_stage(&s);
    }
}

static void without_an_entry_it_stays(void **state) {
    (void)state;
    stage s;
    open_stage(&s, NO_ENTRY);
    AFTER(&s, 45, "0>rest/start");
    assert_true(zo_instance_request(s.instance, "nap"));
    speak(&s, true);
    AFTER(&s, 50, "45>nap/request");
    AT(&s, "nap", 0, false);
    close_stage(&s);
}

static void the_clip_starts_anew_each_time_somebody_begins(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    AFTER(&s, 60, "0>rest/start 0>talk/trigger");
    AT(&s, "talk", 2, false);
    speak(&s, true); // who speaks already is led nowhere
    AT(&s, "talk", 0, false);
    AFTER(&s, 99, ""); // and what has gone by of the frame is forgotten, too
    AFTER(&s, 1, "160.talk 160>talk2/auto");
    close_stage(&s);
}

static void speech_out_of_a_hold_goes_on_where_it_is(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    speak(&s, false);
    AFTER(&s, 150, "25=talk:2"); // the frame with the mouth shut
    AT(&s, "talk", 2, true);
    assert_true(trigger_after(&s, "nap"));
    speak(&s, true);
    AT(&s, "talk", 0, false);
    AFTER(&s, 99, "");
    AFTER(&s, 251, "275.talk 275>talk2/auto 350.talk2 350>talk/auto 450.talk 450>talk2/auto 525.talk2 525>talk/auto");
    speak(&s, false);
    AFTER(&s, 300, "525=talk:2 825>rest/post_speech"); // what waited has been dropped
    close_stage(&s);
}

static void speech_drops_a_kept_way(void **state) {
    (void)state;
    stage s;
    open_stage(&s, CONTRACT);
    after(&s, 0);
    assert_true(zo_instance_request(s.instance, "grave_talk"));
    after(&s, 0);
    assert_true(trigger(&s, "muse")); // grave_out, then muse
    AFTER(&s, 0, "0>grave_out/trigger");
    assert_int_equal(state_of(&s).route_count, 1);
    speak(&s, true);
    assert_int_equal(state_of(&s).route_count, 0);
    AFTER(&s, 80, "80.grave_out 80>muse/auto");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- ways into speech

static void a_way_into_speech_waits_for_it(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    assert_true(trigger(&s, "serious"));
    AFTER(&s, 500, "0>rest/start 0>grave_in/trigger 80.grave_in 80=grave_in:2");
    AT(&s, "grave_in", 2, true);
    speak(&s, true);
    AFTER(&s, 100, "500>grave_talk/forced 600.grave_talk 600>grave_talk/auto");
    assert_int_equal(state_of(&s).draws, 2);
    close_stage(&s);
    open_stage(&s, CONTRACT); // its last frame has its time first
    assert_true(trigger(&s, "serious"));
    AFTER(&s, 500, "0>rest/start 0>grave_in/trigger 120.grave_in 120=grave_in:2");
    speak(&s, true);
    AFTER(&s, 0, "500>grave_talk/forced");
    close_stage(&s);
}

static void while_speaking_it_does_not_wait(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    assert_true(trigger(&s, "serious"));
    AFTER(&s, 105, "25>grave_in/trigger 105.grave_in 105>grave_talk/auto");
    close_stage(&s);
}

static void what_waits_is_led_away_by_triggers_and_releases(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    assert_true(trigger(&s, "serious"));
    after(&s, 200);
    assert_true(trigger(&s, "nap"));
    AFTER(&s, 100, "200>nap/direct");
    AT(&s, "nap", 1, false);
    assert_true(trigger(&s, "serious"));
    after(&s, 200);
    assert_true(release(&s, false));
    AFTER(&s, 40, "500>rest/release");
    AT(&s, "rest", 1, false);
    close_stage(&s);
}

static void what_nobody_answers_leaves_it_waiting(void **state) {
    (void)state;
    stage s;
    open_stage(&s, CONTRACT);
    assert_true(trigger(&s, "serious"));
    after(&s, 200);
    assert_false(trigger(&s, " nobody "));
    AFTER(&s, 50, "200?nobody");
    AT(&s, "grave_in", 2, true);
    speak(&s, true);
    AFTER(&s, 0, "250>grave_talk/forced");
    close_stage(&s);
    open_stage(&s, AS_IT_IS); // where a step is taken instead, the hold is over
    assert_true(trigger(&s, "serious"));
    after(&s, 200);
    assert_true(trigger(&s, "nobody"));
    AFTER(&s, 50, "200>grave_talk/auto");
    close_stage(&s);
}

static void without_an_edge_speech_plays_it_again(void **state) {
    (void)state;
    stage s;
    open_stage(&s, CONTRACT | IN_IS_DEAD);
    assert_true(trigger(&s, "serious"));
    after(&s, 200);
    speak(&s, true);
    AT(&s, "grave_in", 0, false);
    AFTER(&s, 300, "320.grave_in"); // and does not wait any more
    AT(&s, "grave_in", 2, false);
    close_stage(&s);
    open_stage(&s, IN_IS_DEAD);
    assert_true(trigger(&s, "serious"));
    after(&s, 200);
    speak(&s, true);
    AFTER(&s, 0, "200>grave_in/forced");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- speech ends

static void speech_ends_once(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    speak(&s, false);
    AFTER(&s, 200, "25=talk:2");
    speak(&s, false); // does not prolong the hold
    AFTER(&s, 100, "325>rest/post_speech");
    speak(&s, false); // nor is there anything to end
    AFTER(&s, 159, "");
    close_stage(&s);
}

static void what_is_no_performance_goes_on(void **state) {
    (void)state;
    stage s;
    open_stage(&s, NO_ENTRY);
    AFTER(&s, 50, "0>rest/start");
    speak(&s, false);
    AFTER(&s, 110, "160.rest 160>rest/auto");
    speak(&s, true);
    AFTER(&s, 100, "");
    speak(&s, false);
    AFTER(&s, 60, "320.rest 320>rest/auto");
    close_stage(&s);
}

static void a_performance_without_speech_ends_as_well(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    assert_true(trigger(&s, "grave_in"));
    after(&s, 100);
    AT(&s, "grave_in", 2, true);
    speak(&s, false);
    AFTER(&s, 299, "100=grave_in:2");
    AFTER(&s, 1, "400>rest/post_speech");
    close_stage(&s);
}

static void a_trigger_or_a_release_ends_the_hold(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    speak(&s, false);
    after(&s, 25);
    assert_true(trigger(&s, "talk3")); // it is in that group already
    AFTER(&s, 400, "50>talk/trigger 125.talk 125>talk2/auto 200.talk2 200>talk/auto 300.talk 300>talk2/auto "
                   "375.talk2 375>talk/auto"); // held, its clip had no time: 75 ms were left
    speak(&s, true);
    speak(&s, false);
    after(&s, 50);
    assert_true(release(&s, false));
    AFTER(&s, 400, "500>rest/release 660.rest 660>rest/auto 820.rest 820>rest/auto");
    close_stage(&s);
}

static void what_nobody_answers_leaves_the_hold_alone(void **state) {
    (void)state;
    stage s;
    open_stage(&s, CONTRACT);
    speak(&s, true);
    after(&s, 25);
    speak(&s, false);
    after(&s, 50);
    assert_false(trigger(&s, "nobody"));
    AFTER(&s, 250, "75?nobody 325>rest/post_speech");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- what is expressed

static void an_intent_is_entered_by_its_own_way(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    assert_true(trigger(&s, "JoyFul"));
    AFTER(&s, 75, "25>glad_in/trigger 75.glad_in 75>glad_talk/auto");
    assert_true(trigger(&s, "glad")); // its way in is of that group, and so is this
    AFTER(&s, 0, "100>glad_talk/trigger");
    speak(&s, false);
    AFTER(&s, 300, "100=glad_talk:0 400>glad/post_speech");
    // Its clip is complete at 525, but the timer comes first and takes the step in its place.
    AFTER(&s, 125, "525>rest/post_speech_advance");
    assert_int_equal(state_of(&s).draws, 3);
    close_stage(&s);
    open_stage(&s, AS_IT_IS);
    assert_true(trigger(&s, "glad")); // without speech it is just where it says
    AFTER(&s, 0, "0>rest/start 0>glad_in/trigger");
    close_stage(&s);
}

static void the_newest_intent_counts_where_the_state_has_none(void **state) {
    (void)state;
    static const struct { const char *first, *then, *expect; } rows[] = {
        {"glad", NULL, "0=talk:2 300>glad/post_speech"},
        {"glad", "talk2", "0=talk:2 300>rest/post_speech"}, // what was asked for last expresses nothing
        {"glad", "nobody", "0?nobody 0=talk:2 300>glad/post_speech"}, // what nobody answered does not count
        {"talk", NULL, "0=talk:2 300>rest/post_speech"},
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); ++i) {
        stage s;
        open_stage(&s, CONTRACT | GLAD_BY_TALK);
        speak(&s, true);
        assert_true(trigger(&s, rows[i].first));
        assert_true(zo_instance_request(s.instance, "talk"));
        if (rows[i].then) { trigger(&s, rows[i].then); }
        after(&s, 0);
        if (strstr(rows[i].expect, "?")) { assert_string_equal(s.told + strlen(s.told) - 8, "0?nobody"); }
        speak(&s, false);
        AFTER(&s, 300, strstr(rows[i].expect, "0="));
        close_stage(&s);
    }
}

static void what_follows_is_left_after_its_clip(void **state) {
    (void)state;
    static const struct { uint32_t changes; int64_t ms; const char *expect; uint32_t draws; } rows[] = {
        {AS_IT_IS, 125, "425>rest/post_speech_advance", 1},
        {GLAD_AGAIN, 125, "425>rest/post_speech_advance", 1}, // where the step would stay, to the first
        {GLAD_QUICK, 2, "302.glad 302>rest/auto", 1},         // its clip is there before
        {GLAD_QUICK | GLAD_AGAIN, 40, "340>rest/post_speech_advance", 20}, // at least 40 ms, whatever the clip does
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); ++i) {
        stage s;
        open_stage(&s, rows[i].changes);
        after(&s, 0);
        assert_true(zo_instance_request(s.instance, "glad_talk"));
        after(&s, 0);
        speak(&s, false);
        AFTER(&s, 300, "0=glad_talk:0 300>glad/post_speech");
        after(&s, rows[i].ms - 1);
        assert_null(strstr(s.told, "rest"));
        AFTER(&s, 1, rows[i].expect);
        assert_int_equal(state_of(&s).draws, rows[i].draws);
        close_stage(&s);
    }
}

static void who_is_elsewhere_or_speaks_is_not_sent_back(void **state) {
    (void)state;
    stage s;
    open_stage(&s, NO_ENTRY);
    after(&s, 0);
    assert_true(zo_instance_request(s.instance, "glad_talk"));
    speak(&s, false);
    after(&s, 350);
    assert_true(trigger(&s, "nap"));
    AFTER(&s, 150, "350>nap/direct");
    assert_true(zo_instance_request(s.instance, "glad"));
    AFTER(&s, 124, "500>glad/request"); // there again, but not from speech
    AFTER(&s, 1, "625.glad 625>rest/auto");
    assert_true(zo_instance_request(s.instance, "glad_talk"));
    speak(&s, false);
    AFTER(&s, 300, "625>glad_talk/request 625=glad_talk:0 925>glad/post_speech");
    after(&s, 25);
    speak(&s, true); // the clip starts anew, leaving out its first frame later
    AFTER(&s, 125, "1075.glad 1075>rest/auto");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- after speech

static void what_is_to_come_after_speech_waits(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    assert_true(trigger_after(&s, "nap"));
    AFTER(&s, 100, "25=talk:2");
    assert_true(trigger_after(&s, "muse")); // in the hold, too; the newest counts, and the hold is no longer for it
    AFTER(&s, 199, "");
    AFTER(&s, 1, "325>muse_in/trigger");
    assert_true(trigger_after(&s, "nap")); // with neither speech nor hold it is at once
    AFTER(&s, 0, "325>nap/direct");
    close_stage(&s);
}

static void what_comes_after_speech_may_find_no_answer(void **state) {
    (void)state;
    stage s;
    open_stage(&s, CONTRACT);
    speak(&s, true);
    after(&s, 25);
    assert_true(trigger_after(&s, "\t nobody there "));
    AFTER(&s, 300, "25=talk:2 325?nobody there 325>rest/post_speech"); // the hold is over all the same
    close_stage(&s);
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    assert_true(trigger_after(&s, "nobody"));
    AFTER(&s, 300, "25=talk:2 325>talk2/auto"); // a step is taken instead
    close_stage(&s);
}

static void without_a_performance_there_is_nothing_to_wait_for(void **state) {
    (void)state;
    stage s;
    open_stage(&s, NO_ENTRY);
    speak(&s, true);
    AFTER(&s, 10, "0>rest/start");
    assert_true(trigger_after(&s, "nap"));
    AFTER(&s, 10, "10>nap/direct");
    speak(&s, true);
    assert_true(release(&s, true));
    AFTER(&s, 0, "20>rest/release");
    AFTER(&s, 160, "180.rest 180>rest/auto"); // speech is over: the first frame is there again
    close_stage(&s);
}

static void a_release_after_speech_lets_the_hold_run(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    assert_true(trigger_after(&s, "nap"));
    assert_true(release(&s, true)); // and what waited is dropped
    AFTER(&s, 299, "25=talk:2");
    AFTER(&s, 1, "325>rest/post_speech");
    close_stage(&s);
}

static void a_release_clears_everything(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    assert_true(release(&s, false));
    AFTER(&s, 1000, "25>rest/release 185.rest 185>rest/auto 345.rest 345>rest/auto 505.rest 505>rest/auto "
                    "665.rest 665>rest/auto 825.rest 825>rest/auto 985.rest 985>rest/auto");
    speak(&s, false); // it was over
    AFTER(&s, 100, "");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- words and groups

static void other_words_mean_voices(void **state) {
    (void)state;
    static const struct { const char *text, *expect; } rows[] = {
        {"coding", "0>muse_in/trigger"},   {" Coding\n", "0>muse_in/trigger"}, {"CODING", "0>muse_in/trigger"},
        {"認真", "0>grave_in/trigger"},    {"\xC3\x89T\xC3\x89", "0>nap/direct"}, {"codin", "0?codin"},
        {"codings", "0?codings"},          {"MUSE", "0?MUSE"},                 {"muse", "0>muse_in/trigger"},
        {"", "0?"},                        {" ", "0?"},                        {"rest", "0>rest/trigger"},
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); ++i) {
        stage s;
        open_stage(&s, CONTRACT);
        after(&s, 0);
        assert_int_equal(trigger(&s, rows[i].text), strchr(rows[i].expect, '?') == NULL);
        AFTER(&s, 0, rows[i].expect);
        close_stage(&s);
    }
}

static void those_of_a_group_stand_for_each_other(void **state) {
    (void)state;
    stage s;
    open_stage(&s, CONTRACT);
    assert_true(trigger(&s, "talk3")); // which has no state of its own
    AFTER(&s, 10, "0>rest/start 0>talk/trigger");
    assert_true(trigger(&s, "talk2")); // already there: nothing changes
    AFTER(&s, 90, "10>talk/trigger 100.talk 100>talk/auto");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- frames

static void without_a_mouth_the_first_frame_is_left_out(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    after(&s, 0);
    assert_true(zo_instance_request(s.instance, "grave_talk"));
    after(&s, 30);
    speak(&s, true);
    AT(&s, "grave_talk", 0, false);
    AFTER(&s, 99, "");
    AFTER(&s, 1, "130.grave_talk 130>grave_talk/auto");
    AT(&s, "grave_talk", 1, false);
    AFTER(&s, 74, "");
    AT(&s, "grave_talk", 3, false);
    AFTER(&s, 1, "205.grave_talk 205>grave_talk/auto");
    AT(&s, "grave_talk", 1, false);
    assert_true(zo_instance_request(s.instance, "shut_talk")); // whose mouth is followed
    AFTER(&s, 76, "205>shut_talk/request 280.shut_talk 280>shut_talk/auto");
    AT(&s, "shut_talk", 0, false);
    assert_true(zo_instance_request(s.instance, "nap")); // two frames: the second alone
    AFTER(&s, 250, "281>nap/request 481.nap 481>nap/auto");
    AT(&s, "nap", 1, false);
    AFTER(&s, 100, "581.nap 581>nap/auto");
    AT(&s, "nap", 1, false);
    speak(&s, false); // no performance: at its end it begins with the first frame again
    AFTER(&s, 50, "681.nap 681>nap/auto");
    AT(&s, "nap", 0, false);
    speak(&s, true);
    assert_true(zo_instance_request(s.instance, "wink")); // only one: it is that
    after(&s, 0);
    AFTER(&s, 60, "711.wink 711>wink/auto 741.wink 741>wink/auto");
    AT(&s, "wink", 0, false);
    close_stage(&s);
}

static void while_nobody_looks_holds_stand_still(void **state) {
    (void)state;
    stage s;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    speak(&s, false);
    after(&s, 100);
    zo_instance_set_hidden(s.instance, true);
    AFTER(&s, 1000, "");
    zo_instance_set_hidden(s.instance, false);
    AFTER(&s, 199, "");
    AFTER(&s, 1, "1325>rest/post_speech");
    assert_true(zo_instance_request(s.instance, "glad_talk"));
    speak(&s, false);
    AFTER(&s, 301, "1325>glad_talk/request 1325=glad_talk:0 1625>glad/post_speech");
    zo_instance_set_hidden(s.instance, true);
    speak(&s, true); // what takes no time is done at once
    AFTER(&s, 1000, "1626>talk/trigger");
    zo_instance_set_hidden(s.instance, false);
    AFTER(&s, 100, "2726.talk 2726>talk2/auto");
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- whatever is called

static void call_at_random(zo_instance *i, uint64_t *random) {
    const char *label = test_below(random, 12) == 0 ? "nobody" : voices[test_below(random, VOICES)].name;
    const bool on = test_below(random, 2);
    switch (test_below(random, 7)) {
    case 0: zo_instance_speaking(i, on); break;
    case 1: zo_instance_trigger(i, label, on); break;
    case 2: zo_instance_release(i, on); break;
    case 3: zo_instance_set_hidden(i, on && test_below(random, 4) == 0); break;
    case 4: zo_instance_set_mouth(i, test_unit(random)); break;
    case 5: zo_instance_request(i, label); break;
    default: zo_instance_set_reduced_motion(i, on); break;
    }
}

typedef struct tally { uint64_t count, hash; } tally;

static void advance(zo_instance *i, int64_t ns, uint32_t capacity, tally *t) {
    zo_event events[8];
    zo_step step = {.left_ns = ns};
    do {
        step = zo_instance_advance(i, step.left_ns, events, capacity);
        for (uint32_t e = 0; e < step.count; ++e) {
            const uint64_t words[] = {events[e].kind, (uint64_t)events[e].t_ns, events[e].state.id, events[e].via,
                                      events[e].index, events[e].run.id, events[e].clip.id};
            t->hash = zb_hash_bytes(words, sizeof words, t->hash);
            t->hash = zb_hash_bytes(events[e].name, strlen(events[e].name), t->hash);
            ++t->count;
        }
    } while (step.more || step.left_ns > 0);
}

// One is moved in one piece; the other in many, with small arrays, through a copy in other memory and from time to time
// into an instance of another copy of the program.
static void cutting_time_copying_and_reloading_change_nothing(void **state) {
    (void)state;
    uint64_t random = 0x5EEDC0DE;
    uint64_t told = 0;
    for (uint32_t round = 0; round < 300; ++round) {
        const uint32_t changes = test_below(&random, 64);
        zp_program *a = character(changes), *b = character(changes);
        const zo_instance_def def = {.seed = round};
        zo_instance *whole = zo_instance_create(a, &def, NULL), *cut = zo_instance_create(a, &def, NULL);
        tally of_whole = {0}, of_cut = {0};
        const zp_program *other = b;
        for (uint32_t n = 0; n < 40; ++n) {
            uint64_t same = random;
            call_at_random(whole, &random);
            call_at_random(cut, &same);
            const int64_t ns = test_below(&random, 3) == 0 ? 0 : (int64_t)test_below(&random, 400000000);
            advance(whole, ns, 8, &of_whole);
            for (int64_t left = ns; left > 0;) {
                const int64_t piece = 1 + (int64_t)(test_random(&random) % (uint64_t)left);
                advance(cut, piece, 1 + test_below(&random, 3), &of_cut);
                left -= piece;
            }
            if (ns == 0) { advance(cut, 0, 1, &of_cut); }
            if (test_below(&random, 4) == 0) {
                zo_instance *next = zo_instance_create(other, &def, NULL);
                zo_instance_adopt(next, cut, NULL, NULL);
                other = cut->program;
                zo_instance_free(cut);
                cut = next;
            }
            assert_int_equal(of_whole.count, of_cut.count);
            assert_int_equal(of_whole.hash, of_cut.hash);
            // All but what says whose memory it is.
            assert_int_equal(whole->size, cut->size);
            assert_memory_equal(zr_machine_of(whole), zr_machine_of(cut), sizeof(zr_machine));
            assert_memory_equal(zr_director_state(whole), zr_director_state(cut), zr_director_of_speech.size);
            assert_memory_equal(zr_runs(whole), zr_runs(cut), whole->run_count * sizeof(zr_run));
        }
        told += of_whole.count;
        zo_instance_free(whole);
        zo_instance_free(cut);
        zp_program_free(a);
        zp_program_free(b);
    }
    assert_true(told > 10000);
}

static void a_reload_without_the_label_goes_home(void **state) {
    (void)state;
    stage s, t;
    open_stage(&s, AS_IT_IS);
    speak(&s, true);
    after(&s, 25);
    speak(&s, false);
    after(&s, 25);
    // Another program, where nothing of it is known: a machine without speech, and the other way round.
    t.program = character(CONTRACT);
    t.instance = zo_instance_create(t.program, NULL, NULL);
    zo_instance_adopt(t.instance, s.instance, NULL, NULL);
    AT(&t, "talk", 2, true);
    AFTER(&t, 275, "325>rest/post_speech");
    close_stage(&s);
    close_stage(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speech_leads_into_a_performance_and_back),
        cmocka_unit_test(the_other_entry_is_by_chance),
        cmocka_unit_test(without_an_entry_it_stays),
        cmocka_unit_test(the_clip_starts_anew_each_time_somebody_begins),
        cmocka_unit_test(speech_out_of_a_hold_goes_on_where_it_is),
        cmocka_unit_test(speech_drops_a_kept_way),
        cmocka_unit_test(a_way_into_speech_waits_for_it),
        cmocka_unit_test(while_speaking_it_does_not_wait),
        cmocka_unit_test(what_waits_is_led_away_by_triggers_and_releases),
        cmocka_unit_test(what_nobody_answers_leaves_it_waiting),
        cmocka_unit_test(without_an_edge_speech_plays_it_again),
        cmocka_unit_test(speech_ends_once),
        cmocka_unit_test(what_is_no_performance_goes_on),
        cmocka_unit_test(a_performance_without_speech_ends_as_well),
        cmocka_unit_test(a_trigger_or_a_release_ends_the_hold),
        cmocka_unit_test(what_nobody_answers_leaves_the_hold_alone),
        cmocka_unit_test(an_intent_is_entered_by_its_own_way),
        cmocka_unit_test(the_newest_intent_counts_where_the_state_has_none),
        cmocka_unit_test(what_follows_is_left_after_its_clip),
        cmocka_unit_test(who_is_elsewhere_or_speaks_is_not_sent_back),
        cmocka_unit_test(what_is_to_come_after_speech_waits),
        cmocka_unit_test(what_comes_after_speech_may_find_no_answer),
        cmocka_unit_test(without_a_performance_there_is_nothing_to_wait_for),
        cmocka_unit_test(a_release_after_speech_lets_the_hold_run),
        cmocka_unit_test(a_release_clears_everything),
        cmocka_unit_test(other_words_mean_voices),
        cmocka_unit_test(those_of_a_group_stand_for_each_other),
        cmocka_unit_test(without_a_mouth_the_first_frame_is_left_out),
        cmocka_unit_test(while_nobody_looks_holds_stand_still),
        cmocka_unit_test(cutting_time_copying_and_reloading_change_nothing),
        cmocka_unit_test(a_reload_without_the_label_goes_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
