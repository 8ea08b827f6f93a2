// Machines of both dialects played: what a look finds and what it leads to, that no time and no figure makes one hang, how
// drafts blend, and what is said of machines that cannot be.
#include "formats/test_forge.h"

enum { EVENTS_MAX = 64 };

// A pass of one second in which y goes from 0 to 1, with two events.
static const fg_file rigs[] = {
    {"armatures/m/c.json", "{'joints': {'j': {'0': [1]}}, 'clips': {'c': {'loop': false, 'joint_clips': {'j': [{'variable': "
                           "'offset_y', 'interpolation': 'linear', 'samples': [0, 1]}]}, 'events': {'0.25': 'one', '0.75': "
                           "'two'}}, 'to_a': {'loop': true, 'joint_clips': {}, 'events': {'0.5': '!transition:a'}}, 'to_b': "
                           "{'loop': true, 'joint_clips': {}, 'events': {'0.5': '!transition:b'}}}}"},
    {"animation/x.json", "{'model': 'd:x', 'joints': [{'name': 'j', 'weights': {'0': [1, 1, 1, 1, 1, 1, 1, 1]}}], 'clips': "
                         "[{'name': 'low', 'tracks': []}, {'name': 'high', 'tracks': [{'joint': 'j', 'parameter': 'y', "
                         "'type': 'uniform', 'interpolation': 'linear', 'samples': [16, 16]}]}]}"},
    {NULL, NULL},
};

typedef struct played {
    zo_program *program;
    zo_instance *instance;
    zo_event events[EVENTS_MAX];
    uint32_t count;
    bool more;
} played;

static played open_text(const char *text, bool host_polls) {
    const fg_file files[] = {{"m.json", text}, rigs[0], rigs[1], {NULL, NULL}};
    played p = {.program = fg_program(files, NULL)};
    p.instance = zo_instance_create(p.program, &(zo_instance_def){.host_polls = host_polls}, NULL);
    const zo_step step = zo_instance_advance(p.instance, 0, p.events, EVENTS_MAX); // that it has begun
    assert_false(step.more);
    return p;
}

// Of one state, a.
static played open_clip(const char *clip, bool host_polls) {
    char text[1024];
    snprintf(text, sizeof text, "{'parameters': {}, 'clips': {'a': %s}, 'states': ['a'], 'transitions': {}, 'start_state': "
             "'a'}", clip);
    return open_text(text, host_polls);
}

static void close_played(played *p) {
    zo_instance_free(p->instance);
    zo_program_free(p->program);
}

static void drain(played *p) {
    const zo_step step = zo_instance_advance(p->instance, 0, p->events, EVENTS_MAX);
    p->count = step.count;
    p->more = step.more;
}

static void poll_at(played *p, double seconds) {
    assert_true(zo_instance_poll(p->instance, seconds));
    drain(p);
}

static const char *state_of(const played *p) {
    zo_target_state at;
    assert_true(zo_instance_state(p->instance, &at));
    return at.name;
}

static double y_of(const played *p) {
    zo_pose *pose = zo_pose_create(p->program, NULL);
    zo_instance_sample(p->instance, pose);
    const double y = pose->transforms[zo_target_find(p->program, "j").id - 1].m[7];
    zo_pose_free(pose);
    return y;
}

static void a_look_tells_what_lies_since_the_last(void **state) {
    (void)state;
    played p = open_clip("'d:m/c@c'", true);
    poll_at(&p, 0.5);
    assert_int_equal(p.count, 0); // there was no time before the first
    poll_at(&p, 0.75);
    assert_int_equal(p.count, 0); // what is just now waits
    poll_at(&p, 1.5);
    assert_int_equal(p.count, 2);
    assert_string_equal(p.events[0].name, "two"); // the oldest first, at its own time
    fg_near(p.events[0].at_s, 0.75);
    assert_string_equal(p.events[1].name, "one");
    fg_near(p.events[1].at_s, 1.25);
    fg_near(y_of(&p), 0.5);
    poll_at(&p, 0.1); // backwards nothing happens, and what is shown goes along
    assert_int_equal(p.count, 0);
    fg_near(y_of(&p), 0.1);
    poll_at(&p, 0.3);
    assert_int_equal(p.count, 1);
    close_played(&p);
}

// Forge never returned from this: a clip that does not loop, with two events, looked at past the second.
static void two_events_and_no_loop_end(void **state) {
    (void)state;
    played p = open_clip("'d:m/c@c'", true);
    poll_at(&p, 0.0);
    poll_at(&p, 0.9);
    assert_int_equal(p.count, 2);
    poll_at(&p, 3.0);
    assert_int_equal(p.count, 4);
    close_played(&p);
}

static void however_much_there_is_a_call_ends(void **state) {
    (void)state;
    played p = open_clip("['apply', 'd:m/c@c', ['*', 1e6]]", true);
    poll_at(&p, 0.0);
    poll_at(&p, 1e9);
    assert_int_equal(p.count, EVENTS_MAX);
    assert_true(p.more && !zo_instance_poll(p.instance, 2e9)); // not before all has been told
    double last = -1e300; // in the time of the clip, which goes faster
    for (uint32_t i = 0; i < 100; i++) {
        drain(&p);
        assert_int_equal(p.count, EVENTS_MAX);
        for (uint32_t e = 0; e < p.count; e++) {
            assert_true(p.events[e].at_s >= last && p.events[e].at_s <= 1e9);
            last = p.events[e].at_s;
        }
    }
    close_played(&p);
    // and looks by the clock: those that surely find nothing are passed over, and of others so many a call
    static const struct { const char *clip; bool is_quiet; } clips[] = {
        {"['apply', 'd:m/c@c', ['*', -1e30]]", false}, {"'#identity'", true},
        {"['trigger_positive', '#identity', ['-', 3], 'x']", true}};
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
        played q = open_clip(clips[i].clip, false);
        const int64_t whole_ns = 1000000000000000000; // 1e9 s
        const zo_step step = zo_instance_advance(q.instance, whole_ns, q.events, EVENTS_MAX);
        assert_true(step.left_ns < whole_ns && (step.left_ns == 0) == clips[i].is_quiet && !step.more);
        assert_int_equal(step.count, i == 2 ? 1 : 0);
        assert_int_equal(zo_instance_now_ns(q.instance), whole_ns - step.left_ns);
        close_played(&q);
    }
}

static void a_time_that_is_none_is_no_look(void **state) {
    (void)state;
    played p = open_clip("'d:m/c@c'", true);
    poll_at(&p, 0.5);
    static const double times[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e39}; // as a float neither
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) { assert_false(zo_instance_poll(p.instance, times[i])); }
    fg_near(y_of(&p), 0.5);
    poll_at(&p, -1e38);
    poll_at(&p, 1e38);
    for (uint32_t i = 0; i < p.count; i++) { assert_false(p.events[i].at_s != p.events[i].at_s); }
    close_played(&p);
}

static void a_request_shows_with_the_next_look(void **state) {
    (void)state;
    played p = open_text("{'parameters': {}, 'clips': {'a': ['apply', 'd:m/c@c', 0.25], 'b': ['apply', 'd:m/c@c', 0.5]}, "
                         "'states': ['a', 'b'], 'transitions': {'a': 'b'}, 'start_state': 'a'}", true);
    poll_at(&p, 0.0);
    assert_false(zo_instance_request(p.instance, "a")); // to stay is an edge like others
    assert_false(zo_instance_request(p.instance, "nowhere"));
    assert_true(zo_instance_request(p.instance, "b"));
    assert_string_equal(state_of(&p), "b");
    fg_near(y_of(&p), 0.25);
    drain(&p);
    poll_at(&p, 1.0);
    fg_near(y_of(&p), 0.5);
    assert_false(zo_instance_request(p.instance, "a")); // none leads back
    close_played(&p);
}

static void triggers_cross_zero_upwards(void **state) {
    (void)state;
    played p = open_clip("['trigger_positive', '#identity', ['-', 1], 'now']", true);
    poll_at(&p, 0.0);
    poll_at(&p, 1.0); // to 0 is enough
    assert_int_equal(p.count, 1);
    fg_near(p.events[0].at_s, 1.0);
    poll_at(&p, 2.0);
    assert_int_equal(p.count, 0);
    poll_at(&p, 0.5);
    assert_int_equal(p.count, 0);
    poll_at(&p, 1e9);
    assert_int_equal(p.count, 1);
    close_played(&p);
    // what does not depend on the time never crosses, and what is no number neither
    static const char *const never[] = {"['trigger_positive', '#identity', 1, 'x']",
                                        "['trigger_positive', '#identity', ['*/', 0, 0], 'x']"};
    for (size_t i = 0; i < 2; i++) {
        p = open_clip(never[i], true);
        for (int t = -3; t < 4; t++) {
            poll_at(&p, t);
            assert_int_equal(p.count, 0);
        }
        close_played(&p);
    }
}

// Two states that ask for each other with every event: within one look the requests are done one after the other, each
// once, for they are the events of the state in which the look found it.
static void states_that_chase_each_other_end_with_the_look(void **state) {
    (void)state;
    played p = open_text("{'parameters': {}, 'clips': {'a': 'd:m/c@to_b', 'b': 'd:m/c@to_a'}, 'states': ['a', 'b'], "
                         "'transitions': {'a': 'b', 'b': 'a'}, 'start_state': 'a'}", true);
    poll_at(&p, 0.0);
    poll_at(&p, 1.0);
    assert_string_equal(state_of(&p), "b");
    poll_at(&p, 2.0);
    assert_string_equal(state_of(&p), "a");
    poll_at(&p, 10.0); // eight events: the first is done, from b no other leads to b, and the rest asks in vain
    assert_string_equal(state_of(&p), "b");
    assert_false(p.more);
    close_played(&p);
    // by the clock: one change a look at most
    p = open_text("{'parameters': {}, 'clips': {'a': ['apply', 'd:m/c@to_b', ['*', 100]], 'b': ['apply', 'd:m/c@to_a', "
                  "['*', 100]]}, 'states': ['a', 'b'], 'transitions': {'a': 'b', 'b': 'a'}, 'start_state': 'a'}", false);
    uint32_t entered = 0;
    zo_step step = {.left_ns = 1000000000};
    do {
        step = zo_instance_advance(p.instance, step.left_ns, p.events, EVENTS_MAX);
        for (uint32_t i = 0; i < step.count; i++) { entered += p.events[i].kind == ZO_EVENT_STATE; }
    } while (step.more || step.left_ns > 0);
    assert_in_range(entered, 10, 20);
    close_played(&p);
}

static void machines_that_cannot_be_are_told(void **state) {
    (void)state;
#define ONE(clip) "{'parameters': {}, 'clips': {'a': " clip "}, 'states': ['a'], 'transitions': {}, 'start_state': 'a'}"
    static const struct { const char *text, *id, *words; } rows[] = {
        {ONE("'#a'"), "forge/reference-cycle", "a -> a"},
        {"{'parameters': {}, 'clips': {'a': ['apply', '#b', 1], 'b': ['slerp', '#identity', '#a', 0, 1]}, 'states': ['a'], "
         "'transitions': {}, 'start_state': 'a'}", "forge/reference-cycle", "a -> b -> a"},
        {ONE("'#ghost'"), "forge/unresolved-clip", "ghost"},
        {ONE("'m/c'"), "forge/bad-model-clip", "m/c"},
        {ONE("['apply', '#identity']"), "forge/wrong-arity", "apply"},
        {ONE("['blend', '#identity', '#identity']"), "forge/unknown-clip-kind", "blend"},
        {ONE("['trigger_positive', '#identity', ['-', 1], '!transition:b']"), "forge/event-transition-unknown-state", "b"},
        {ONE("['trigger_positive', '#identity', ['-', 1], '!transition:a']"), "forge/event-transition-not-allowed", "a"},
        {"{'animation': 'd:x', 'clips': {'a': [{'child': 'b', 'time': 1}], 'b': [{'type': 'lerp', 'from': 'low', 'to': 'a', "
         "'progress': 1}]}, 'states': ['a'], 'transitions': {}}", "forge/reference-cycle", "a -> b -> a"},
        {"{'animation': 'd:x', 'clips': {'a': [{'child': 'low', 'clip': 'low', 'time': 1}]}, 'states': ['a'], "
         "'transitions': {}}", "forge/clip-and-child", "draft machine"},
        {"{'animation': 'd:x', 'clips': {'a': [{'child': 'low', 'time': 1}]}, 'states': ['a'], 'transitions': {'a, a': "
         "{'type': 'instant'}}}", "forge/bad-transition-key", "a, a"},
        {"{'animation': 'd:none', 'clips': {'a': [{'child': 'low', 'time': 1}]}, 'states': ['a'], 'transitions': {}}",
         "forge/unresolved-file", "animation/none.json"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fg_expect((const fg_file[]){{"m.json", rows[i].text}, rigs[0], rigs[1], {NULL, NULL}}, NULL, rows[i].id,
                  rows[i].words);
    }
}

// One fault each, however much else is of the other dialect in the same place.
static void the_other_dialect_is_told_once(void **state) {
    (void)state;
#define SHIPPED(parameter, clip, transition) "{'parameters': {" parameter "}, 'clips': {'a': " clip "}, 'states': ['a'], " \
    "'transitions': {" transition "}, 'start_state': 'a'}"
#define DRAFT(clip, transition) "{'animation': 'd:x', 'clips': {'a': " clip "}, 'states': ['a'], 'transitions': {" transition "}}"
    static const struct { const char *format, *text, *id, *words; } rows[] = {
        {"forge-machine", SHIPPED("", "[{'child': 'c', 'time': 1}]", ""), "forge/wrong-type", "as the draft has it"},
        {"forge-machine", SHIPPED("", "{'child': 'c', 'time': 1}", ""), "forge/wrong-type", "as the draft has it"},
        {"forge-machine", SHIPPED("'p': {'rate': 1}", "'#identity'", ""), "forge/wrong-type", "as the draft has it"},
        {"forge-machine", SHIPPED("", "'#identity'", "'a -> a': {'type': 'instant'}"), "forge/wrong-type", "as the draft"},
        {"forge-draft-machine", DRAFT("['apply', 'd:m@c', 1]", ""), "forge/wrong-type", "as the shipped dialect has it"},
        {"forge-draft-machine", DRAFT("'d:m@c'", ""), "forge/wrong-type", "as the shipped dialect has it"},
        {"forge-draft-machine", DRAFT("[{'child': 'low', 'time': '#speed'}]", ""), "forge/wrong-type", "as the shipped"},
        {"forge-draft-machine", DRAFT("[{'child': 'low', 'time': ['+', 1]}]", ""), "forge/wrong-type", "as the shipped"},
        {"forge-draft-machine", DRAFT("[{'child': 'low', 'time': 1}]", "'a': 'a'"), "forge/wrong-type", "as the shipped"},
        {"forge-machine", "{'version': 1, 'tracks': []}", "forge/other-file", "shipped machine"},
        {"forge-draft-machine", "{'version': 1, 'tracks': []}", "forge/other-file", "draft machine"},
        {"forge-armature", "{'version': 1, 'tracks': []}", "forge/other-file", "shipped armature"},
        {"forge-draft-animation", "{'version': 1, 'tracks': []}", "forge/other-file", "draft animation"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const zo_compile_def def = {.format = rows[i].format};
        const fg_file files[] = {{"m.json", rows[i].text}, rigs[0], rigs[1], {NULL, NULL}};
        fg_expect(files, &def, rows[i].id, rows[i].words);
        zo_report *report = fg_compile(files, &def, NULL);
        assert_int_equal(zo_report_total(report, ZO_ERROR), 1);
        zo_report_free(report);
    }
    // with a member of the other dialect a draft is one still, and is found to be one
    zo_report *report = fg_compile((const fg_file[]){{"m.json", "{'animation': 'd:x', 'clips': {'a': [{'child': 'low', 'time': "
                                                                "1}]}, 'states': ['a'], 'transitions': {}, 'start_state': "
                                                                "'a'}"}, rigs[0], rigs[1], {NULL, NULL}}, NULL, NULL);
    assert_string_equal(zo_report_format(report), "forge-draft-machine");
    assert_non_null(strstr(fg_diag(report, "forge/unknown-key")->message, "draft machine"));
    assert_int_equal(zo_report_total(report, ZO_ERROR), 0);
    zo_report_free(report);
}

static void a_program_of_a_machine_can_be_stored(void **state) {
    (void)state;
    static const char *const clips[] = {"'#identity'", "'d:m/c@c'", "'d:nowhere@c'", "'d:nowhere.b3d@main'", "'d:m/c@ghost'",
                                        "['slerp', 'd:m/c@c', '#identity', 1, 0]"};
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
        played p = open_clip(clips[i], true);
        size_t size;
        const void *blob = zo_program_blob(p.program, &size);
        zo_program *loaded = NULL;
        assert_int_equal(zo_load(blob, size, NULL, &loaded), ZO_OK);
        assert_true(zo_program_hash(loaded) == zo_program_hash(p.program));
        zo_program_free(loaded);
        close_played(&p);
    }
}

// ---------------------------------------------------------------------------------------------------------- the draft

static void advance(played *p, int64_t ms) {
    const zo_step step = zo_instance_advance(p->instance, ms * 1000000, p->events, EVENTS_MAX);
    assert_true(!step.more && step.left_ns == 0);
}

static void drafts_blend_from_what_is_shown(void **state) {
    (void)state;
    played p = open_text("{'animation': 'd:x', 'clips': {'a': [{'child': 'low', 'time': 0}], 'b': [{'child': 'high', 'time': "
                         "0}]}, 'states': ['a', 'b'], 'transitions': {'a -> b': {'type': 'lerp', 'time': 2}, 'b -> a': {'type': "
                         "'lerp', 'time': 2}, 'b -> b': {'type': 'instant'}}}", false);
    const double high = 1.0;
    assert_string_equal(state_of(&p), "a"); // the first one
    assert_false(zo_instance_request(p.instance, "a"));
    assert_true(zo_instance_request(p.instance, "b"));
    advance(&p, 500);
    const double part = y_of(&p);
    fg_near(part / high, 0.25);
    assert_true(zo_instance_request(p.instance, "a"));
    fg_near(y_of(&p), part); // no jump
    advance(&p, 1000);
    fg_near(y_of(&p) / high, 0.75 * 0.5); // half of what the first blend has come to
    for (int i = 0; i < 40; i++) { // more than are kept
        zo_instance_request(p.instance, i % 2 == 0 ? "b" : "a");
        advance(&p, 10);
        assert_true(y_of(&p) >= -1e-6 && y_of(&p) <= high + 1e-6);
    }
    advance(&p, 2000);
    fg_near(y_of(&p), 0.0);
    close_played(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_tells_what_lies_since_the_last),
        cmocka_unit_test(two_events_and_no_loop_end),
        cmocka_unit_test(however_much_there_is_a_call_ends),
        cmocka_unit_test(a_time_that_is_none_is_no_look),
        cmocka_unit_test(a_request_shows_with_the_next_look),
        cmocka_unit_test(triggers_cross_zero_upwards),
        cmocka_unit_test(states_that_chase_each_other_end_with_the_look),
        cmocka_unit_test(machines_that_cannot_be_are_told),
        cmocka_unit_test(the_other_dialect_is_told_once),
        cmocka_unit_test(a_program_of_a_machine_can_be_stored),
        cmocka_unit_test(drafts_blend_from_what_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
