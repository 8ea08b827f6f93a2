// What a character pack does: a test for each rule of its clip clock (A5), of the steps it takes by itself (A6), of
// triggers (A7), for each point of the model `contract`, and for each trap. The packs are compiled from texts as from
// files, and every script is played whole, in pieces of a millisecond with room for one event, and in uneven ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

#define MS INT64_C(1000000)
enum { TEXT_MAX = 8192, FRAMES_MAX = 64, EVENTS_MAX = 16 };

// ------------------------------------------------------------------------------------------------------------- packs

typedef struct pack {
    const char *clips; // "idle 2x100, wave 3x40!": frames x milliseconds; !: once_then_hold
    const char *nodes; // "a:idle, w:wave": id and label, the root first
    const char *edges; // "a>a 0.8, a>w 0": weights as they are written
} pack;

typedef struct text {
    char bytes[TEXT_MAX];
    size_t size;
} text;

static void put(text *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(to->bytes + to->size, TEXT_MAX - to->size, format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && to->size + (size_t)size < TEXT_MAX);
    to->size += (size_t)size;
}

// The next of a list with commas: true, and `at` behind it.
static bool next_item(const char **at, char item[64]) {
    *at += strspn(*at, ", ");
    const size_t size = strcspn(*at, ",");
    assert_true(size < 64);
    memcpy(item, *at, size);
    item[size] = 0;
    *at += size;
    return size > 0;
}

static void put_manifest(text *to, const pack *p) {
    char item[64], label[64];
    put(to, "{\"format\": \"amadeus.spriteforge.character-pack.v1\", \"textureFormat\": \"ktx2\", \"id\": \"a\", "
            "\"displayName\": \"A\", \"version\": \"1\", \"graph\": \"g.json\", \"mouthConfig\": \"m.json\", "
            "\"mouthOverlays\": {}, \"clips\": {");
    bool first = true;
    for (const char *at = p->clips; next_item(&at, item); first = false) {
        unsigned frames = 0, interval = 0;
        char once = 0;
        assert_true(sscanf(item, "%63s %ux%u%c", label, &frames, &interval, &once) >= 3);
        put(to, "%s\"%s\": {\"phase\": \"loop\", \"frameIntervalMs\": %u, \"loopMode\": \"%s\", \"frames\": [",
            first ? "" : ", ", label, interval, once == '!' ? "once_then_hold" : "loop");
        assert_true(frames <= FRAMES_MAX);
        for (unsigned i = 0; i < frames; i++) { put(to, "%s\"f%u.ktx2\"", i > 0 ? ", " : "", i); }
        put(to, "]}");
    }
    put(to, "}}");
}

static void put_graph(text *to, const pack *p) {
    char item[64], one[64], other[64];
    bool first = true;
    put(to, "{\"nodes\": [");
    for (const char *at = p->nodes; next_item(&at, item); first = false) {
        assert_int_equal(sscanf(item, "%63[^:]:%63[^\n]", one, other), 2);
        put(to, "%s{\"id\": \"%s\", \"label\": \"%s\"%s}", first ? "" : ", ", one, other,
            first ? ", \"isRoot\": true" : "");
    }
    put(to, "], \"edges\": [");
    first = true;
    for (const char *at = p->edges; next_item(&at, item); first = false) {
        char weight[64];
        assert_int_equal(sscanf(item, "%63[^>]>%63[^ ] %63s", one, other, weight), 3);
        put(to, "%s{\"id\": \"%s\", \"from\": \"%s\", \"to\": \"%s\", \"prob\": %s}", first ? "" : ", ", item, one, other,
            weight);
    }
    put(to, "]}");
}

static zo_program *compile(const zo_compile_def *def, const pack *p) {
    static text manifest, graph;
    manifest.size = graph.size = 0;
    put_manifest(&manifest, p);
    put_graph(&graph, p);
    static const char mouth[] = "{\"expressions\": {}, \"profiles\": {}}";
    char names[FRAMES_MAX][16];
    zo_source sources[3 + FRAMES_MAX] = {
        {.name = "runtime_manifest.json", .bytes = manifest.bytes, .size = manifest.size},
        {.name = "g.json", .bytes = graph.bytes, .size = graph.size},
        {.name = "m.json", .bytes = mouth, .size = sizeof mouth - 1},
    };
    for (unsigned i = 0; i < FRAMES_MAX; i++) {
        snprintf(names[i], sizeof names[i], "f%u.ktx2", i);
        sources[3 + i] = (zo_source){.name = names[i], .bytes = "", .size = 0};
    }
    zo_program *program = NULL;
    zo_report *report = NULL;
    zo_compile(sources, 3 + FRAMES_MAX, def, &program, &report);
    if (program == NULL) { fail_msg("%s: %s", zo_report_at(report, 0)->id, zo_report_at(report, 0)->message); }
    zo_report_free(report);
    return program;
}

// ----------------------------------------------------------------------------------------------------------- scripts

typedef struct step {
    const char *what;   // "advance 250", "trigger wave", "release", "speech", "silence"
    const char *events; // "200 cycle idle, 200 auto w": what it brings; node times have no cycles
    const char *where;  // "w wave.2 1": node, clip and frame, random numbers used so far
} step;

typedef struct script {
    pack pack;
    const double *random;
    uint32_t random_count;
    step steps[16];     // to one that does nothing
} script;
#define RANDOM(...) .random = (const double[]){__VA_ARGS__}, \
                    .random_count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

static const struct {
    const char *name;
    bool node_times; // each state lasts all its frames, and nothing is said of clips
} models[] = {
    [ZO_MODEL_BY_PROFILE] = {"by profile", false},     [ZO_MODEL_CONTRACT] = {"contract", false},
    [ZO_MODEL_RENDERER] = {"renderer", false},         [ZO_MODEL_STATE_MACHINE] = {"state_machine", true},
    [ZO_MODEL_SIMULATOR] = {"simulator", true},
};

typedef struct player {
    const zo_program *program;
    zo_instance *instance;
    zo_model model;
    int cut;            // 0: whole, 1: milliseconds, 2: uneven
    text heard;         // since the last step
} player;

static void hear(player *p, const zo_event *event) {
    zo_state_info state;
    zo_clip_info clip;
    const long long t_ms = (long long)(event->t_ns / MS);
    assert_true(event->t_ns % MS == 0);
    const char *comma = p->heard.size > 0 ? ", " : "";
    switch (event->kind) {
    case ZO_EVENT_STATE:
        assert_true(zo_state_get(p->program, event->state, &state));
        put(&p->heard, "%s%lld %s %s", comma, t_ms, zo_via_name(event->via), state.name);
        break;
    case ZO_EVENT_CYCLE:
        if (models[p->model].node_times) { break; }
        assert_true(zo_clip_get(p->program, event->clip, &clip));
        put(&p->heard, "%s%lld cycle %s", comma, t_ms, clip.name);
        break;
    case ZO_EVENT_HOLD: put(&p->heard, "%s%lld hold %u", comma, t_ms, event->index); break;
    case ZO_EVENT_UNROUTED: put(&p->heard, "%s%lld unrouted '%s'", comma, t_ms, event->name); break;
    case ZO_EVENT_RUN_START:
    case ZO_EVENT_RUN_END: break;
    default: fail_msg("an event of kind %d", (int)event->kind);
    }
}

static void advance_once(player *p, int64_t ns) {
    zo_step done = {.left_ns = ns};
    do {
        zo_event events[EVENTS_MAX];
        done = zo_instance_advance(p->instance, done.left_ns, events, p->cut == 1 ? 1 : EVENTS_MAX);
        for (uint32_t i = 0; i < done.count; i++) { hear(p, &events[i]); }
    } while (done.more || done.left_ns > 0);
}

static void advance(player *p, int64_t ns) {
    const int64_t piece_ns = p->cut == 1 ? MS : p->cut == 2 ? 7 * MS + 1 : ns;
    for (; ns > piece_ns; ns -= piece_ns) { advance_once(p, piece_ns); }
    advance_once(p, ns);
}

static void do_step(player *p, const step *s) {
    const char *operand = strchr(s->what, ' ');
    p->heard.bytes[0] = 0;
    p->heard.size = 0;
    if (strncmp(s->what, "advance ", 8) == 0) {
        advance(p, atoll(operand) * MS);
        return;
    }
    if (strcmp(s->what, "speech") == 0 || strcmp(s->what, "silence") == 0) {
        zo_instance_speaking(p->instance, strcmp(s->what, "speech") == 0);
    } else if (strcmp(s->what, "release") == 0) {
        assert_true(zo_instance_release(p->instance, false));
    } else {
        assert_int_equal(strncmp(s->what, "trigger ", 8), 0);
        zo_instance_trigger(p->instance, operand + 1, false);
    }
    advance_once(p, 0);
}

static void play_cut(const script *s, const zo_compile_def *def, int cut) {
    zo_program *program = compile(def, &s->pack);
    const zo_instance_def instance_def = {.graph_list = s->random, .graph_count = s->random_count};
    player p = {.program = program, .instance = zo_instance_create(program, &instance_def, NULL), .model = def->model,
                .cut = cut};
    assert_non_null(p.instance);
    for (uint32_t i = 0; i < sizeof s->steps / sizeof s->steps[0] && s->steps[i].what != NULL; i++) {
        const step *one = &s->steps[i];
        do_step(&p, one);
        zo_target_state at;
        zo_clip_info clip;
        assert_true(zo_instance_state(p.instance, &at) && zo_clip_get(program, at.clip, &clip));
        char where[256];
        snprintf(where, sizeof where, "%s %s.%u %llu", at.name, clip.name, at.frame, (unsigned long long)at.draws);
        if (strcmp(p.heard.bytes, one->events) != 0 || strcmp(where, one->where) != 0) {
            fail_msg("%s, step %u, cut %d: %s: \"%s\", then %s; not \"%s\", then %s", models[def->model].name, i, cut,
                     one->what, p.heard.bytes, where, one->events, one->where);
        }
    }
    zo_instance_free(p.instance);
    zo_program_free(program);
}

static void play_def(const script *s, const zo_compile_def *def) {
    for (int cut = 0; cut < 3; cut++) { play_cut(s, def, cut); }
}
static void play(zo_model model, script s) { play_def(&s, &(zo_compile_def){.model = model}); }

// What is the same in two models.
static void both(script s) {
    play(ZO_MODEL_CONTRACT, s);
    play(ZO_MODEL_RENDERER, s);
}
#define BOTH(...) both((script)__VA_ARGS__)

// -------------------------------------------------------------------------------------------------- A5: the clip clock

static void a5_a_loop_completes_each_time_it_wraps(void **state) {
    (void)state;
    BOTH({.pack = {"idle 3x40", "a:idle", "a>a 1"}, RANDOM(0.5), .steps = {
        {"advance 0", "0 start a", "a idle.0 0"},
        {"advance 39", "", "a idle.0 0"},
        {"advance 1", "", "a idle.1 0"},
        {"advance 79", "", "a idle.2 0"},
        {"advance 1", "120 cycle idle, 120 auto a", "a idle.0 1"},
        {"advance 260", "240 cycle idle, 240 auto a, 360 cycle idle, 360 auto a", "a idle.0 3"},
    }});
}

static void a5_a_loop_of_one_frame_completes_every_interval(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x40", "a:idle", "a>a 1"}, RANDOM(0.5), .steps = {
        {"advance 0", "0 start a", "a idle.0 0"},
        {"advance 120", "40 cycle idle, 40 auto a, 80 cycle idle, 80 auto a, 120 cycle idle, 120 auto a", "a idle.0 3"},
    }});
}

// Trap 2, and the example in the head of the specification.
static void a5_once_then_hold_completes_after_its_last_frame_or_at_its_start(void **state) {
    (void)state;
    const pack p = {"wave 3x40!, idle 1x1000", "w:wave, a:idle", "w>a 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 0", "0 start w", "w wave.0 0"},
        {"advance 40", "", "w wave.1 0"},
        {"advance 40", "", "w wave.2 0"},
        {"advance 39", "", "w wave.2 0"},
        {"advance 1", "120 cycle wave, 120 auto a", "a idle.0 1"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 0", "0 start w", "w wave.0 0"},
        {"advance 79", "", "w wave.1 0"},
        {"advance 1", "80 cycle wave, 80 auto a", "a idle.0 1"},
    }});
}

static void a5_once_then_hold_of_one_frame(void **state) {
    (void)state;
    const pack p = {"wave 1x40!, idle 1x1000", "w:wave, a:idle", "w>a 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 39", "0 start w", "w wave.0 0"},
        {"advance 1", "40 cycle wave, 40 auto a", "a idle.0 1"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 5000", "0 start w", "w wave.0 0"}, // it never completes
        {"trigger idle", "5000 trigger a", "a idle.0 0"},
    }});
}

static void a5_the_label_that_plays_goes_on_when_it_is_entered(void **state) {
    (void)state;
    BOTH({.pack = {"idle 2x100", "r:idle, b:idle", "r>b 1, b>b 1"}, RANDOM(0.5), .steps = {
        {"advance 350", "0 start r, 200 cycle idle, 200 auto b", "b idle.1 1"},
        {"release", "350 release r", "r idle.1 1"},
        {"advance 49", "", "r idle.1 1"},
        {"advance 1", "400 cycle idle, 400 auto b", "b idle.0 2"}, // it counts for the node entered meanwhile
    }});
}

// Trap 4.
static void a5_of_clips_that_are_entered_again_only_contract_restarts_one_and_only_when_it_was_complete(void **state) {
    (void)state;
    const pack p = {"wave 3x40!", "w:wave, v:wave", "w>v 1, v>w 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 120", "0 start w, 120 cycle wave, 120 auto v", "v wave.0 1"},
        {"advance 119", "", "v wave.2 1"},
        {"advance 1", "240 cycle wave, 240 auto w", "w wave.0 2"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 80", "0 start w, 80 cycle wave, 80 auto v", "v wave.2 1"},
        {"advance 1000", "", "v wave.2 1"},
    }});
    BOTH({.pack = {"wave 3x40!", "w:wave", ""}, .steps = { // in its middle
        {"advance 50", "0 start w", "w wave.1 0"},
        {"trigger wave", "50 trigger w", "w wave.1 0"},
        {"advance 29", "", "w wave.1 0"},
    }});
}

static void a5_a_label_that_comes_back_in_the_same_instant_begins_anew(void **state) {
    (void)state;
    BOTH({.pack = {"idle 2x100, walk 1x50", "a:idle, b:walk", "a>b 0, b>a 0"}, .steps = {
        {"advance 150", "0 start a", "a idle.1 0"},
        {"trigger walk", "150 trigger b", "b walk.0 0"},
        {"trigger idle", "150 trigger a", "a idle.0 0"},
        {"advance 99", "", "a idle.0 0"},
        {"advance 100", "", "a idle.1 0"},
    }});
}

static void a5_what_is_left_of_an_advance_is_the_next_clips(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x30, walk 2x50", "a:idle, b:walk", "a>b 1, b>a 1"}, RANDOM(0.5), .steps = {
        {"advance 100", "0 start a, 30 cycle idle, 30 auto b", "b walk.1 1"},
        {"advance 30", "130 cycle walk, 130 auto a", "a idle.0 2"},
        {"advance 300", "160 cycle idle, 160 auto b, 260 cycle walk, 260 auto a, 290 cycle idle, 290 auto b, "
                        "390 cycle walk, 390 auto a, 420 cycle idle, 420 auto b", "b walk.0 7"},
    }});
}

static void a5_by_node_times_every_state_lasts_all_its_frames(void **state) {
    (void)state;
    const pack p = {"wave 3x40!, one 1x40!, idle 2x50", "w:wave, o:one, l:idle", "w>o 1, o>l 1, l>w 1"};
    play(ZO_MODEL_STATE_MACHINE, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 119", "0 start w", "w wave.2 0"},
        {"advance 1", "120 auto o", "o one.0 1"},
        {"advance 40", "160 auto l", "l idle.0 2"},
        {"advance 100", "260 auto w", "w wave.0 3"},
    }});
    play(ZO_MODEL_SIMULATOR, (script){.pack = p, RANDOM(0.5), .steps = { // which stops before what is due at the end
        {"advance 120", "0 start w", "w wave.2 0"},
        {"advance 1", "120 auto o", "o one.0 1"},
        {"advance 39", "", "o one.0 1"},
        {"advance 101", "160 auto l, 260 auto w", "w wave.0 3"},
    }});
}

static void a5_by_node_times_a_trigger_starts_the_time_anew_also_for_the_same_node(void **state) {
    (void)state;
    play(ZO_MODEL_STATE_MACHINE, (script){.pack = {"idle 2x100", "a:idle", "a>a 1"}, RANDOM(0.5), .steps = {
        {"advance 150", "0 start a", "a idle.1 0"},
        {"trigger idle", "150 trigger a", "a idle.0 0"},
        {"advance 199", "", "a idle.1 0"},
        {"advance 1", "350 auto a", "a idle.0 1"},
    }});
}

static void a5_the_original_profile_alone_means_the_renderer(void **state) {
    (void)state;
    const script s = {.pack = {"wave 3x40!, idle 1x1000", "w:wave, a:idle", "w>a 1"}, RANDOM(0.5), .steps = {
        {"advance 80", "0 start w, 80 cycle wave, 80 auto a", "a idle.0 1"},
    }};
    play_def(&s, &(zo_compile_def){.profile = ZO_PROFILE_ORIGINAL});
    play_def(&s, &(zo_compile_def){.model = ZO_MODEL_RENDERER});
    const script other = {.pack = s.pack, RANDOM(0.5), .steps = {{"advance 80", "0 start w", "w wave.2 0"}}};
    play_def(&other, &(zo_compile_def){0});
    play_def(&other, &(zo_compile_def){.profile = ZO_PROFILE_ORIGINAL, .model = ZO_MODEL_CONTRACT});
}

// ------------------------------------------------------------------------------------------------- A6: by itself

// Trap 5: u of the sum of weights, inclusive, in the order of the file.
static void a6_the_first_whose_running_sum_reaches_the_share(void **state) {
    (void)state;
    const script s = {
        .pack = {"idle 1x100, walk 1x100, run 1x100", "a:idle, b:walk, c:run", "a>a 1, a>b 2, a>c 1, b>a 5, c>a 1e-9"},
        RANDOM(0.0, 0.25, 0.2500001, 0.5, 0.75, 0.9, 0.7500001, 0.1, 0.9999999),
        .steps = {
            {"advance 150", "0 start a, 100 cycle idle, 100 auto a", "a idle.0 1"},
            {"advance 100", "200 cycle idle, 200 auto a", "a idle.0 2"},
            {"advance 100", "300 cycle idle, 300 auto b", "b walk.0 3"},
            {"advance 100", "400 cycle walk, 400 auto a", "a idle.0 4"}, // one candidate uses a number too
            {"advance 100", "500 cycle idle, 500 auto b", "b walk.0 5"},
            {"advance 100", "600 cycle walk, 600 auto a", "a idle.0 6"},
            {"advance 100", "700 cycle idle, 700 auto c", "c run.0 7"},
            {"advance 100", "800 cycle run, 800 auto a", "a idle.0 8"},
            {"advance 100", "900 cycle idle, 900 auto c", "c run.0 9"},
        },
    };
    both(s);
    const script node_times = {
        .pack = s.pack, .random = s.random, .random_count = s.random_count,
        .steps = {{"advance 950", "0 start a, 100 auto a, 200 auto a, 300 auto b, 400 auto a, 500 auto b, 600 auto a, "
                                  "700 auto c, 800 auto a, 900 auto c", "c run.0 9"}},
    };
    play(ZO_MODEL_STATE_MACHINE, node_times);
    play(ZO_MODEL_SIMULATOR, node_times);
}

static void a6_edges_without_weight_are_never_taken(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x100, walk 1x100", "a:idle, b:walk", "a>b 0, a>a 1"}, RANDOM(0.0, 0.9999999), .steps = {
        {"advance 100", "0 start a, 100 cycle idle, 100 auto a", "a idle.0 1"},
        {"advance 100", "200 cycle idle, 200 auto a", "a idle.0 2"},
    }});
}

static void a6_only_what_weights_are_to_each_other_counts(void **state) {
    (void)state;
    // 0.5 of two smallest numbers is one of them; 0.75 is one and a half, which rounds to two.
    BOTH({.pack = {"idle 1x100, walk 1x100", "a:idle, b:walk", "a>a 5e-324, a>b 5e-324"}, RANDOM(0.5, 0.75), .steps = {
        {"advance 200", "0 start a, 100 cycle idle, 100 auto a, 200 cycle idle, 200 auto b", "b walk.0 2"},
    }});
    BOTH({.pack = {"idle 1x100, walk 1x100", "a:idle, b:walk", "a>a 1e308, a>b 0.7e308"}, RANDOM(0.5, 0.6), .steps = {
        {"advance 200", "0 start a, 100 cycle idle, 100 auto a, 200 cycle idle, 200 auto b", "b walk.0 2"},
    }});
}

static void a6_without_a_candidate_contract_holds_and_the_renderer_enters_again(void **state) {
    (void)state;
    const pack wave = {"wave 3x40!", "w:wave", ""}, idle = {"idle 3x40", "a:idle", ""};
    play(ZO_MODEL_CONTRACT, (script){.pack = wave, .steps = {
        {"advance 120", "0 start w, 120 cycle wave", "w wave.2 0"},
        {"advance 10000", "", "w wave.2 0"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = wave, .steps = {
        {"advance 80", "0 start w, 80 cycle wave, 80 auto w", "w wave.2 0"},
        {"advance 10000", "", "w wave.2 0"},
    }});
    play(ZO_MODEL_CONTRACT, (script){.pack = idle, .steps = {
        {"advance 300", "0 start a, 120 cycle idle, 240 cycle idle", "a idle.1 0"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = idle, .steps = {
        {"advance 300", "0 start a, 120 cycle idle, 120 auto a, 240 cycle idle, 240 auto a", "a idle.1 0"},
    }});
    play(ZO_MODEL_STATE_MACHINE, (script){.pack = wave, .steps = {
        {"advance 300", "0 start w, 120 auto w, 240 auto w", "w wave.1 0"},
    }});
}

// ------------------------------------------------------------------------------------------------------ A7: triggers

static void a7_1_white_space_at_the_ends_does_not_count_and_case_does(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){.pack = {"idle 1x100, walk 1x100", "a:idle, b:walk", "a>b 0"}, .steps = {
        {"advance 10", "0 start a", "a idle.0 0"},
        {"trigger Walk", "10 unrouted 'Walk'", "a idle.0 0"},
        {"trigger  \t\xE3\x80\x80walk\xC2\xA0\n", "10 trigger b", "b walk.0 0"},
    }});
}

static void a7_2_every_node_with_the_label_is_a_target(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x100, walk 1x100", "r:idle, v:walk, w:walk", "r>w 1"}, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger walk", "10 trigger w", "w walk.0 0"}, // v comes first in the file, but no edge leads there
    }});
}

static void a7_3_the_start_itself_may_be_the_answer(void **state) {
    (void)state;
    BOTH({.pack = {"idle 2x100", "a:idle, b:idle", "a>b 1, b>a 1"}, RANDOM(0.5), .steps = {
        {"advance 150", "0 start a", "a idle.1 0"},
        {"trigger idle", "150 trigger a", "a idle.1 0"},
        {"advance 50", "200 cycle idle, 200 auto b", "b idle.0 1"},
    }});
    const pack p = {"wave 3x40!", "w:wave", ""};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, .steps = { // complete, it plays again
        {"advance 500", "0 start w, 120 cycle wave", "w wave.2 0"},
        {"trigger wave", "500 trigger w", "w wave.0 0"},
        {"advance 120", "620 cycle wave", "w wave.2 0"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, .steps = {
        {"advance 500", "0 start w, 80 cycle wave, 80 auto w", "w wave.2 0"},
        {"trigger wave", "500 trigger w", "w wave.2 0"},
        {"advance 500", "", "w wave.2 0"},
    }});
}

static void a7_3_fewest_hops_whatever_weights_and_order_say(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x100, x 1x100, y 1x100, t 1x100", "r:idle, x:x, y:y, t:t",
                   "r>x 1000, x>y 1000, r>y 1e-9, y>t 1"}, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger t", "10 trigger y", "y y.0 0"},
    }});
}

// Trap 3, its second half.
static void a7_3_manual_edges_count_out_of_the_start_alone(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x500, x 1x500, t 1x500", "r:idle, x:x, t:t", "r>x 1, x>t 0, t>r 0"}, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger t", "10 direct t", "t t.0 0"},   // nothing leads there from r: the second edge would be manual
        {"trigger x", "10 trigger r", "r idle.0 0"}, // from t the first edge may be manual, and r>x is not
        {"trigger x", "10 trigger x", "x x.0 0"},
        {"trigger t", "10 trigger t", "t t.0 0"},  // from x itself
    }});
}

static void a7_3_edges_in_their_order(void **state) {
    (void)state;
    static const struct { const char *edges, *first; } cases[] = {
        {"r>u 1, r>t 1", "10 trigger u"},                 // to two targets: the file's order, not that of the nodes
        {"r>u 1, r>t 0", "10 trigger t"},                 // manual first
        {"r>x 0, r>u 1, x>t 1", "10 trigger u"},          // what leads to a target before what is manual
        {"r>x 1, r>y 0, x>t 1, y>t 1", "10 trigger y"},   // equally long: by the first edge, manual first
        {"r>y 1, r>x 1, x>t 1, y>t 1", "10 trigger y"},   // and else the file's order
        {"r>x 1, r>y 1, y>t 1, x>t 1", "10 trigger x"},   // of the first edges, not of the last
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *node = strrchr(cases[i].first, ' ') + 1;
        char where[16];
        snprintf(where, sizeof where, "%s %s.0 0", node, *node == 'u' ? "t" : node);
        BOTH({.pack = {"idle 1x100, x 1x100, y 1x100, t 1x100", "r:idle, t:t, u:t, x:x, y:y", cases[i].edges}, .steps = {
            {"advance 10", "0 start r", "r idle.0 0"},
            {"trigger t", cases[i].first, where},
        }});
    }
}

// Trap 3: contract walks on, the others have only gone one step.
static void a7_4_the_rest_of_the_way(void **state) {
    (void)state;
    const pack p = {"idle 1x1000, x 1x100, t 1x100", "r:idle, x:x, t:t", "r>x 0, x>r 3, x>t 1, t>r 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 50", "0 start r", "r idle.0 0"},
        {"trigger t", "50 trigger x", "x x.0 0"},
        {"advance 100", "150 cycle x, 150 route t", "t t.0 0"},
        {"advance 100", "250 cycle t, 250 auto r", "r idle.0 1"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 50", "0 start r", "r idle.0 0"},
        {"trigger t", "50 trigger x", "x x.0 0"},
        {"advance 100", "150 cycle x, 150 auto r", "r idle.0 1"}, // by chance, 2 of 4, and never there
    }});
    play(ZO_MODEL_STATE_MACHINE, (script){.pack = p, RANDOM(0.9), .steps = {
        {"advance 50", "0 start r", "r idle.0 0"},
        {"trigger t", "50 trigger x", "x x.0 0"},
        {"advance 100", "150 auto t", "t t.0 1"}, // by chance there
    }});
}

static void a7_4_from_the_root_when_nothing_leads_there(void **state) {
    (void)state;
    const pack p = {"idle 1x1000, x 1x100, t 1x100, far 1x100", "r:idle, x:x, t:t, f:far", "r>x 0, x>t 1, t>r 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.5), .steps = {
        {"trigger far", "0 start r, 0 direct f", "f far.0 0"},
        {"advance 250", "100 cycle far, 200 cycle far", "f far.0 0"},
        {"trigger t", "250 trigger x", "x x.0 0"}, // a jump, and the root is not entered
        {"advance 100", "350 cycle x, 350 route t", "t t.0 0"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, RANDOM(0.5), .steps = {
        {"trigger far", "0 start r, 0 direct f", "f far.0 0"},
        {"advance 250", "100 cycle far, 100 auto f, 200 cycle far, 200 auto f", "f far.0 0"},
        {"trigger t", "250 trigger x", "x x.0 0"},
        {"advance 100", "350 cycle x, 350 auto t", "t t.0 1"},
    }});
    BOTH({.pack = p, .steps = { // the root as the target of its own search
        {"trigger far", "0 start r, 0 direct f", "f far.0 0"},
        {"trigger idle", "0 trigger r", "r idle.0 0"},
    }});
}

static void a7_5_the_first_node_with_the_label(void **state) {
    (void)state;
    const pack p = {"idle 2x100, far 1x100", "r:idle, g:far, f:far", "r>r 1"};
    BOTH({.pack = p, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger far", "10 direct g", "g far.0 0"},
    }});
    play(ZO_MODEL_STATE_MACHINE, (script){.pack = p, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger far", "10 direct g", "g far.0 0"},
    }});
    play(ZO_MODEL_SIMULATOR, (script){.pack = p, RANDOM(0.5), .steps = { // which has no such match
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger far", "", "r idle.0 0"},
        {"advance 191", "200 auto r", "r idle.0 1"},
    }});
}

// Trap 6.
static void a7_6_a_label_that_nobody_has(void **state) {
    (void)state;
    const pack p = {"idle 2x100, walk 2x100", "r:idle, b:walk", "r>b 1, b>r 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 150", "0 start r", "r idle.1 0"},
        {"trigger nobody", "150 unrouted 'nobody'", "r idle.1 0"},
        {"advance 50", "200 cycle idle, 200 auto b", "b walk.0 1"},
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 150", "0 start r", "r idle.1 0"},
        {"trigger nobody", "150 auto b", "b walk.0 1"},
        {"advance 199", "", "b walk.1 1"},
        {"advance 1", "350 cycle walk, 350 auto r", "r idle.0 2"},
    }});
    play(ZO_MODEL_STATE_MACHINE, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 150", "0 start r", "r idle.1 0"},
        {"trigger nobody", "150 auto b", "b walk.0 1"},
        {"advance 200", "350 auto r", "r idle.0 2"},
    }});
    play(ZO_MODEL_SIMULATOR, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 150", "0 start r", "r idle.1 0"},
        {"trigger nobody", "", "r idle.1 0"},
        {"advance 50", "", "r idle.0 0"},
        {"advance 1", "200 auto b", "b walk.0 1"}, // what it would have done anyway
    }});
    play(ZO_MODEL_RENDERER, (script){.pack = {"idle 2x100", "r:idle", ""}, .steps = { // a step without a candidate
        {"advance 150", "0 start r", "r idle.1 0"},
        {"trigger nobody", "150 auto r", "r idle.1 0"},
    }});
}

// Trap 1.
static void a7_timing_at_once_or_one_at_each_boundary(void **state) {
    (void)state;
    const pack p = {"idle 2x100, walk 2x100, run 2x100", "r:idle, w:walk, n:run", "r>w 0, r>n 0, w>n 1, n>r 1"};
    static const zo_model at_once[] = {ZO_MODEL_CONTRACT, ZO_MODEL_RENDERER, ZO_MODEL_STATE_MACHINE};
    for (size_t i = 0; i < 3; i++) {
        play(at_once[i], (script){.pack = p, .steps = {
            {"advance 50", "0 start r", "r idle.0 0"},
            {"trigger walk", "50 trigger w", "w walk.0 0"},
            {"advance 10", "", "w walk.0 0"},
            {"trigger run", "60 trigger n", "n run.0 0"}, // replaces what plays
        }});
    }
    play(ZO_MODEL_SIMULATOR, (script){.pack = p, RANDOM(0.5), .steps = {
        {"advance 50", "0 start r", "r idle.0 0"},
        {"trigger walk", "", "r idle.0 0"},
        {"advance 10", "", "r idle.0 0"},
        {"trigger run", "", "r idle.0 0"},
        {"advance 141", "200 trigger w", "w walk.0 0"},
        {"advance 200", "400 trigger n", "n run.0 0"},
        {"advance 200", "600 auto r", "r idle.0 1"},
    }});
}

// ------------------------------------------------------------------------------- A7: triggers of somebody who speaks

static void a7_1_other_words_for_a_label(void **state) {
    (void)state;
    const pack p = {"idle 1x100, angry 1x100", "r:idle, a:angry", "r>a 0"};
    BOTH({.pack = p, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger  MAD ", "10 trigger a", "a angry.0 0"}, // looked for in lower case
    }});
    play(ZO_MODEL_CONTRACT, (script){.pack = p, .steps = { // what is no such word is a label as it stands
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger ANGRY", "10 unrouted 'ANGRY'", "r idle.0 0"},
    }});
}

static void a7_2_labels_of_one_group_are_as_good_as_each_other(void **state) {
    (void)state;
    const pack p = {"idle 2x100, speaking_short 2x50, speaking_med 2x50", "r:idle, s:speaking_short, m:speaking_med",
                    "r>s 0, r>m 0, s>m 1, s>r 1"};
    BOTH({.pack = p, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger speaking_med", "10 trigger s", "s speaking_short.0 0"}, // the first of two that are wanted
        {"advance 60", "", "s speaking_short.1 0"},
        {"trigger speaking_long", "70 trigger s", "s speaking_short.1 0"}, // is the same, and goes on
    }});
}

static void a7_timing_a_trigger_ends_the_hold_after_speech(void **state) {
    (void)state;
    const pack p = {"idle 2x100, speaking_short 2x50", "r:idle, s:speaking_short", "r>s 0, s>s 1, s>r 1"};
    BOTH({.pack = p, RANDOM(0.1), .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"speech", "10 trigger s", "s speaking_short.0 0"}, // no closed_eye_trans, so no draw
        {"advance 60", "", "s speaking_short.1 0"},
        {"silence", "70 hold 1", "s speaking_short.1 0"},
        {"advance 500", "", "s speaking_short.1 0"},
        {"trigger idle", "570 trigger r", "r idle.0 0"},
        {"advance 150", "", "r idle.1 0"}, // and no way back after a second
    }});
    BOTH({.pack = p, RANDOM(0.1), .steps = { // which there is without it
        {"speech", "0 start r, 0 trigger s", "s speaking_short.0 0"},
        {"silence", "0 hold 0", "s speaking_short.0 0"},
        {"advance 999", "", "s speaking_short.0 0"},
        {"advance 1", "1000 post_speech r", "r idle.0 0"},
    }});
}

// ------------------------------------------------------------------------------------- the model contract, in detail

static void contract_1_an_advance_of_nothing_does_nothing(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){.pack = {"idle 1x100", "a:idle", "a>a 1"}, RANDOM(0.5), .steps = {
        {"advance 100", "0 start a, 100 cycle idle, 100 auto a", "a idle.0 1"},
        {"advance 0", "", "a idle.0 1"},
        {"advance 0", "", "a idle.0 1"},
        {"advance 100", "200 cycle idle, 200 auto a", "a idle.0 2"},
    }});
}

static void contract_2_a_completion_then_one_step(void **state) {
    (void)state;
    // b is entered at the very instant in which a's clip wraps: its own completion is a whole pass later.
    play(ZO_MODEL_CONTRACT, (script){.pack = {"idle 2x50", "a:idle, b:idle, c:idle", "a>b 1, b>c 1, c>a 1"}, RANDOM(0.5),
                                     .steps = {
        {"advance 100", "0 start a, 100 cycle idle, 100 auto b", "b idle.0 1"},
        {"advance 99", "", "b idle.1 1"},
        {"advance 1", "200 cycle idle, 200 auto c", "c idle.0 2"},
    }});
}

static void contract_3_without_way_and_edge_nothing_is_entered(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){.pack = {"idle 2x50, b 1x10, c 1x10", "a:idle, b:b, c:c", "a>b 0, a>c -0.0"}, .steps = {
        {"advance 250", "0 start a, 100 cycle idle, 200 cycle idle", "a idle.1 0"},
    }});
    play(ZO_MODEL_CONTRACT, (script){.pack = {"wave 2x50!, b 1x10", "a:wave, b:b", "a>b -0.0"}, .steps = {
        {"advance 1000000", "0 start a, 100 cycle wave", "a wave.1 0"},
    }});
}

static void contract_4_a_self_loop_plays_again_in_full(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){.pack = {"wave 3x40!", "w:wave", "w>w 1"}, RANDOM(0.5), .steps = {
        {"advance 120", "0 start w, 120 cycle wave, 120 auto w", "w wave.0 1"},
        {"advance 119", "", "w wave.2 1"},
        {"advance 121", "240 cycle wave, 240 auto w, 360 cycle wave, 360 auto w", "w wave.0 3"},
    }});
}

// 0.1 and 0.2 make 0.30000000000000004, and so does 0.5 of 0.6000000000000001.
static void contract_5_sums_are_added_in_order(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x100, x 1x100, y 1x100", "r:idle, x:x, y:y", "r>r 0.1, r>x 0.2, r>y 0.3"}, RANDOM(0.5), .steps = {
        {"advance 100", "0 start r, 100 cycle idle, 100 auto x", "x x.0 1"},
    }});
}

static void contract_6_what_is_due_at_an_instant_comes_before_triggers(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){
        .pack = {"idle 1x100, x 1x100, y 1x100", "r:idle, x:x, y:y", "r>x 1, r>y 0, x>y 1, y>r 1"}, RANDOM(0.5), .steps = {
        {"advance 100", "0 start r, 100 cycle idle, 100 auto x", "x x.0 1"},
        {"trigger y", "100 trigger y", "y y.0 1"},      // from x
        {"trigger idle", "100 trigger r", "r idle.0 1"}, // from y
        {"release", "100 release r", "r idle.0 1"},
        {"trigger y", "100 trigger y", "y y.0 1"},
    }});
}

static void contract_7_a_way_is_walked_without_draws_and_then_chance_goes_on(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){
        .pack = {"idle 1x100, x 2x30!, y 1x50, t 1x20", "r:idle, x:x, y:y, t:t",
                 "r>x 0, x>r 1, x>y 1, y>r 9, y>t 1, t>t 1, t>r 1"}, RANDOM(0.6, 0.4), .steps = {
        {"advance 99", "0 start r", "r idle.0 0"},
        {"trigger t", "99 trigger x", "x x.0 0"},
        {"advance 60", "159 cycle x, 159 route y", "y y.0 0"},
        {"advance 50", "209 cycle y, 209 route t", "t t.0 0"},
        {"advance 20", "229 cycle t, 229 auto r", "r idle.0 1"},
        {"advance 200", "329 cycle idle, 429 cycle idle", "r idle.0 1"},
    }});
}

static void contract_8_a_way_from_here_goes_before_a_shorter_one_from_the_root(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){
        .pack = {"idle 1x100, c 1x100, x 1x100, y 1x100, t 1x100", "r:idle, c:c, x:x, y:y, t:t",
                 "r>t 0, r>c 0, c>x 1, x>c 1, x>y 1, y>x 1, y>t 1"}, .steps = {
        {"trigger c", "0 start r, 0 trigger c", "c c.0 0"},
        {"trigger t", "0 trigger x", "x x.0 0"},
        {"advance 250", "100 cycle x, 100 route y, 200 cycle y, 200 route t", "t t.0 0"}, // no node twice
    }});
}

static void contract_9_a_trigger_that_is_answered_replaces_the_way(void **state) {
    (void)state;
    const pack p = {"idle 1x100, x 1x100, y 1x100, t 1x100", "r:idle, x:x, y:y, t:t",
                    "r>x 0, x>y 1, y>t 1, x>t 0, t>r 1, y>y 1"};
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.9), .steps = { // the same target: from x its manual edge counts
        {"trigger t", "0 start r, 0 trigger x", "x x.0 0"},
        {"advance 40", "", "x x.0 0"},
        {"trigger t", "40 trigger t", "t t.0 0"},
        {"advance 100", "140 cycle t, 140 auto r", "r idle.0 1"},
    }});
    play(ZO_MODEL_CONTRACT, (script){.pack = p, RANDOM(0.9), .steps = { // where it is: the clip goes on, the way is gone
        {"trigger t", "0 start r, 0 trigger x", "x x.0 0"},
        {"advance 40", "", "x x.0 0"},
        {"trigger x", "40 trigger x", "x x.0 0"},
        {"advance 60", "100 cycle x, 100 auto y", "y y.0 1"},
        {"advance 100", "200 cycle y, 200 auto y", "y y.0 2"}, // 0.9 of 2 is the second edge
    }});
}

static void contract_10_a_direct_match_drops_the_way(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){
        .pack = {"idle 1x100, x 1x100, t 1x100, far 1x100", "r:idle, x:x, t:t, f:far", "r>x 0, x>t 1, f>r 1"},
        RANDOM(0.5), .steps = {
        {"trigger t", "0 start r, 0 trigger x", "x x.0 0"},
        {"trigger far", "0 direct f", "f far.0 0"},
        {"advance 100", "100 cycle far, 100 auto r", "r idle.0 1"},
        {"advance 100", "200 cycle idle", "r idle.0 1"},
    }});
}

static void contract_11_unrouted_changes_nothing(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){ // clip: a label that only a clip has
        .pack = {"idle 1x100, x 1x100, t 2x50!, clip 1x100", "r:idle, x:x, t:t", "r>x 0, x>t 1"}, .steps = {
        {"trigger t", "0 start r, 0 trigger x", "x x.0 0"},
        {"trigger  nobody ", "0 unrouted 'nobody'", "x x.0 0"},
        {"trigger clip", "0 unrouted 'clip'", "x x.0 0"},
        {"trigger  \t ", "0 unrouted ''", "x x.0 0"},
        {"advance 100", "100 cycle x, 100 route t", "t t.0 0"}, // the way is kept
        {"advance 150", "200 cycle t", "t t.1 0"},
        {"trigger clip", "250 unrouted 'clip'", "t t.1 0"},     // the picture too
        {"advance 500", "", "t t.1 0"},
    }});
}

static void contract_12_release_enters_the_root_now(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){.pack = {"idle 2x100, x 1x100, t 1x100", "r:idle, x:x, t:t", "r>x 0, x>t 1"}, .steps = {
        {"advance 130", "0 start r", "r idle.1 0"},
        {"release", "130 release r", "r idle.1 0"}, // its loop goes on
        {"trigger t", "130 trigger x", "x x.0 0"},
        {"advance 30", "", "x x.0 0"},
        {"release", "160 release r", "r idle.0 0"},
        {"advance 400", "360 cycle idle, 560 cycle idle", "r idle.0 0"}, // the way is dropped
    }});
    play(ZO_MODEL_CONTRACT, (script){.pack = {"wave 3x40!", "w:wave", ""}, .steps = {
        {"advance 60", "0 start w", "w wave.1 0"},
        {"release", "60 release w", "w wave.1 0"},
        {"advance 60", "120 cycle wave", "w wave.2 0"},
        {"release", "120 release w", "w wave.0 0"}, // complete, it plays again
        {"advance 120", "240 cycle wave", "w wave.2 0"},
    }});
}

static void contract_13_labels_are_compared_code_point_by_code_point(void **state) {
    (void)state;
    play(ZO_MODEL_CONTRACT, (script){.pack = {"idle 1x100, \xC3\xA9 1x100", "r:idle, e:\xC3\xA9", "r>e 0"}, .steps = {
        {"advance 10", "0 start r", "r idle.0 0"},
        {"trigger e\xCC\x81", "10 unrouted 'e\xCC\x81'", "r idle.0 0"},
        {"trigger \xE2\x80\x82\xC3\xA9\xE2\x80\xA9", "10 trigger e", "e \xC3\xA9.0 0"}, // an en space, a paragraph's end
    }});
}

static void contract_ids_and_labels_are_trimmed(void **state) {
    (void)state;
    BOTH({.pack = {"idle 1x100, walk 1x100", " r :\\u00A0idle, \\tb:walk ", "r>\\u3000b 1, b >r 1"}, RANDOM(0.5), .steps = {
        {"advance 100", "0 start r, 100 cycle idle, 100 auto b", "b walk.0 1"},
        {"trigger idle", "100 trigger r", "r idle.0 1"},
    }});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a5_a_loop_completes_each_time_it_wraps),
        cmocka_unit_test(a5_a_loop_of_one_frame_completes_every_interval),
        cmocka_unit_test(a5_once_then_hold_completes_after_its_last_frame_or_at_its_start),
        cmocka_unit_test(a5_once_then_hold_of_one_frame),
        cmocka_unit_test(a5_the_label_that_plays_goes_on_when_it_is_entered),
        cmocka_unit_test(a5_of_clips_that_are_entered_again_only_contract_restarts_one_and_only_when_it_was_complete),
        cmocka_unit_test(a5_a_label_that_comes_back_in_the_same_instant_begins_anew),
        cmocka_unit_test(a5_what_is_left_of_an_advance_is_the_next_clips),
        cmocka_unit_test(a5_by_node_times_every_state_lasts_all_its_frames),
        cmocka_unit_test(a5_by_node_times_a_trigger_starts_the_time_anew_also_for_the_same_node),
        cmocka_unit_test(a5_the_original_profile_alone_means_the_renderer),
        cmocka_unit_test(a6_the_first_whose_running_sum_reaches_the_share),
        cmocka_unit_test(a6_edges_without_weight_are_never_taken),
        cmocka_unit_test(a6_only_what_weights_are_to_each_other_counts),
        cmocka_unit_test(a6_without_a_candidate_contract_holds_and_the_renderer_enters_again),
        cmocka_unit_test(a7_1_white_space_at_the_ends_does_not_count_and_case_does),
        cmocka_unit_test(a7_2_every_node_with_the_label_is_a_target),
        cmocka_unit_test(a7_3_the_start_itself_may_be_the_answer),
        cmocka_unit_test(a7_3_fewest_hops_whatever_weights_and_order_say),
        cmocka_unit_test(a7_3_manual_edges_count_out_of_the_start_alone),
        cmocka_unit_test(a7_3_edges_in_their_order),
        cmocka_unit_test(a7_4_the_rest_of_the_way),
        cmocka_unit_test(a7_4_from_the_root_when_nothing_leads_there),
        cmocka_unit_test(a7_5_the_first_node_with_the_label),
        cmocka_unit_test(a7_6_a_label_that_nobody_has),
        cmocka_unit_test(a7_timing_at_once_or_one_at_each_boundary),
        cmocka_unit_test(a7_1_other_words_for_a_label),
        cmocka_unit_test(a7_2_labels_of_one_group_are_as_good_as_each_other),
        cmocka_unit_test(a7_timing_a_trigger_ends_the_hold_after_speech),
        cmocka_unit_test(contract_1_an_advance_of_nothing_does_nothing),
        cmocka_unit_test(contract_2_a_completion_then_one_step),
        cmocka_unit_test(contract_3_without_way_and_edge_nothing_is_entered),
        cmocka_unit_test(contract_4_a_self_loop_plays_again_in_full),
        cmocka_unit_test(contract_5_sums_are_added_in_order),
        cmocka_unit_test(contract_6_what_is_due_at_an_instant_comes_before_triggers),
        cmocka_unit_test(contract_7_a_way_is_walked_without_draws_and_then_chance_goes_on),
        cmocka_unit_test(contract_8_a_way_from_here_goes_before_a_shorter_one_from_the_root),
        cmocka_unit_test(contract_9_a_trigger_that_is_answered_replaces_the_way),
        cmocka_unit_test(contract_10_a_direct_match_drops_the_way),
        cmocka_unit_test(contract_11_unrouted_changes_nothing),
        cmocka_unit_test(contract_12_release_enters_the_root_now),
        cmocka_unit_test(contract_13_labels_are_compared_code_point_by_code_point),
        cmocka_unit_test(contract_ids_and_labels_are_trimmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
