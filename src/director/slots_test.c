// The director of slots: what the cases of tests/vectors leave out. Nonsense from hosts, calls that pile up, tables that
// are full, pictures that come later, copies, any cutting of time, and stored programs with any word of theirs wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "program/build.h"
#include "runtime/runtime.h"

#define MS INT64_C(1000000)

static const char pet[] =
    "{\"advanced\":{\"changePoseWithinActive\":true},\"interactions\":{\"click\":{\"animation\":\"user:wink\",\"pose\":"
    "\"working\"}},\"states\":{\"idle\":{\"ambient\":{\"bounce\":{\"enabled\":true},\"customAnimationId\":\"user:lean\"}},"
    "\"success\":{\"enter\":{\"preset\":\"none\"}}}}";
static const char wink[] =
    "{\"version\":1,\"id\":\"user:wink\",\"name\":\"Wink\",\"kind\":\"interaction\",\"durationMs\":200,\"repeat\":{\"mode\":"
    "\"once\"},\"tracks\":[{\"property\":\"transition.rotation\",\"keyframes\":[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":9},"
    "{\"at\":1,\"value\":0}]}],\"events\":[{\"at\":0,\"type\":\"particle\",\"effect\":\"sparkle\"},{\"at\":0.25,\"type\":"
    "\"pose-swap\",\"pose\":\"user:wink\"}]}";
static const char lean[] =
    "{\"version\":1,\"id\":\"user:lean\",\"name\":\"Lean\",\"kind\":\"ambient\",\"durationMs\":700,\"repeat\":{\"mode\":"
    "\"alternate\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":[{\"at\":0,\"value\":-2},{\"at\":1,\"value\":5}]}]}";

static zo_program *make_pet(zo_profile profile) {
    const zo_source sources[] = {{.name = "pet.json", .bytes = pet, .size = sizeof pet - 1},
                                 {.name = "wink.json", .bytes = wink, .size = sizeof wink - 1},
                                 {.name = "lean.json", .bytes = lean, .size = sizeof lean - 1}};
    static const char *const cels[] = {"user:sleep"};
    const zo_compile_def def = {.profile = profile, .cels = cels, .cel_count = 1};
    zo_program *program = NULL;
    assert_int_equal(zo_compile(sources, 3, &def, &program, NULL), ZO_OK);
    return program;
}

static uint64_t random_state;
static uint32_t below(uint32_t count) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % count;
}

// What was told, as one number, and starts less ends.
typedef struct story {
    uint64_t hash;
    uint32_t counts[8];
    uint32_t alive;
} story;

static void listen(story *s, const zo_event *event) {
    const uint64_t words[] = {(uint64_t)event->kind, (uint64_t)event->t_ns, event->run.id, event->clip.id, event->cel.id,
                              event->state.id, event->index, event->count, (uint64_t)event->end};
    for (uint32_t i = 0; i < ZB_COUNT(words); ++i) { s->hash = (s->hash ^ words[i]) * 0x100000001B3u + i; }
    s->counts[event->kind]++;
    if (event->kind == ZO_EVENT_RUN_START) { s->alive++; }
    if (event->kind == ZO_EVENT_RUN_END) {
        assert_true(s->alive > 0); // in pairs, the start first
        s->alive--;
    }
}

static void advance(zo_instance *i, int64_t ns, uint32_t room, story *s) {
    zo_step step = {.left_ns = ns};
    do {
        zo_event events[16];
        step = zo_instance_advance(i, step.left_ns, events, room);
        for (uint32_t e = 0; e < step.count; ++e) { listen(s, &events[e]); }
    } while (step.more || step.left_ns > 0);
}

static void call(zo_instance *i, const zo_program *program, uint32_t what) {
    static const char *const types[] = {"idle", "turn-start", "thinking", "tool-start", "tool-end", "waiting", "success",
                                        "error", "dismiss", "nonsense"};
    static const char *const tools[] = {NULL, "edit", "command", "spoon"};
    static const char *const sources[] = {NULL, "a", "b", "c"};
    static const char *const clips[] = {"user:wink", "user:lean", "builtin:jelly", "builtin:none", "builtin:bounce"};
    static const char *const states[] = {"idle", "thinking", "working", "waiting", "success", "error"};
    const zo_status_event status = {types[what % 10], sources[what / 10 % 4], tools[what / 40 % 4], what % 7 == 0,
                                    zo_instance_now_ns(i) - (int64_t)(what % 3000) * MS};
    switch (what % 11) {
    case 0:
    case 1:
    case 2: zo_instance_status(i, &status); break;
    case 3: zo_instance_request(i, states[what / 11 % 6]); break;
    case 4: zo_instance_click(i); break;
    case 5: zo_instance_flash(i, (zo_cel){1 + what / 11 % zo_cel_count(program)}, (double)(what % 900) - 100.0); break;
    case 6: zo_instance_play(i, clips[what / 11 % 5], what % 2 == 0); break;
    case 7: zo_instance_set_hidden(i, what % 3 == 0); break;
    case 8: zo_instance_set_reduced_motion(i, what % 4 == 0); break;
    case 9: zo_instance_set_cel(i, (zo_cel){1 + what / 11 % zo_cel_count(program)}, what % 5 != 0); break;
    default: zo_instance_cancel(i, (zo_run){what % 40}); break;
    }
}

// ---------------------------------------------------------------------------------------------------------- bad inputs

static void nonsense_is_refused_and_changes_nothing(void **state) {
    (void)state;
    zo_program *program = make_pet(ZO_PROFILE_DOCUMENT);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    story s = {0};
    advance(i, 500 * MS, 16, &s);
    assert_false(zo_instance_request(i, "asleep"));
    assert_false(zo_instance_request(i, ""));
    assert_false(zo_instance_status(i, &(zo_status_event){.type = "tool-begin"}));
    assert_false(zo_instance_play(i, "user:gone", true));
    assert_false(zo_instance_flash(i, (zo_cel){0}, 100));
    assert_false(zo_instance_flash(i, zo_cel_find(program, "user:sleep"), 100)); // there is no picture
    const story before = s;
    advance(i, 0, 16, &s);
    assert_int_equal(s.hash, before.hash);
    assert_true(zo_instance_request(i, "active")); // a group is its first state
    zo_target_state target;
    assert_true(zo_instance_state(i, &target));
    assert_string_equal(target.name, "thinking");
    zo_instance_free(i);
    zo_program_free(program);
}

static void a_program_without_states_answers_nothing(void **state) {
    (void)state;
    const zo_source source = {.name = "builtin:jelly", .kind = ZO_SOURCE_BUILTIN};
    zo_program *program = NULL;
    assert_int_equal(zo_compile(&source, 1, &(zo_compile_def){0}, &program, NULL), ZO_OK);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_target_state target;
    assert_false(zo_instance_request(i, "idle") || zo_instance_click(i) || zo_instance_play(i, "builtin:jelly", true) ||
                 zo_instance_flash(i, (zo_cel){1}, 0) || zo_instance_state(i, &target) ||
                 zo_instance_status(i, &(zo_status_event){.type = "idle"}));
    assert_int_equal(zo_state_count(program), 0);
    zo_instance_free(i);
    zo_program_free(program);
}

// Hosts that never ask what happened do not run us over: starts and ends still pair, the last state is told.
static void calls_may_pile_up(void **state) {
    (void)state;
    zo_program *program = make_pet(ZO_PROFILE_DOCUMENT);
    for (uint32_t capacity = 1; capacity <= 9; ++capacity) {
        zo_instance *i = zo_instance_create(program, &(zo_instance_def){.run_capacity = capacity}, NULL);
        random_state = capacity;
        story s = {0};
        for (uint32_t turn = 0; turn < 40; ++turn) {
            for (uint32_t n = 0; n < 400; ++n) { call(i, program, below(100000)); }
            assert_true(zo_instance_live_count(i) <= capacity);
            advance(i, (int64_t)below(400) * MS, 1 + below(16), &s);
        }
        assert_int_equal(s.alive, zo_instance_live_count(i));
        zo_instance_free(i);
    }
    zo_program_free(program);
}

// ---------------------------------------------------------------------------------------------------------- good ones

static void a_picture_that_comes_later_is_shown_from_then_on(void **state) {
    (void)state;
    zo_program *program = make_pet(ZO_PROFILE_DOCUMENT);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    const zo_cel winking = zo_cel_find(program, "user:wink"), working = zo_cel_find(program, "working");
    story s = {0};
    advance(i, 500 * MS, 16, &s);
    zo_instance_click(i);
    advance(i, 100 * MS, 16, &s);
    assert_int_equal(zo_instance_shown(i).id, working.id); // of the click; the clip's own is not there
    advance(i, 400 * MS, 16, &s);
    zo_instance_set_cel(i, winking, true);
    zo_instance_click(i);
    advance(i, 100 * MS, 16, &s);
    assert_int_equal(zo_instance_shown(i).id, winking.id);
    zo_instance_set_cel(i, winking, false);
    assert_int_equal(zo_instance_shown(i).id, winking.id); // what is on show stays
    zo_instance_free(i);
    zo_program_free(program);
}

// The one that has been silent longest gives way.
static void sixteen_sources_are_kept(void **state) {
    (void)state;
    zo_program *program = make_pet(ZO_PROFILE_DOCUMENT);
    for (uint32_t more = 15; more <= 16; ++more) {
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        story s = {0};
        zo_instance_status(i, &(zo_status_event){.type = "waiting", .source = "first"});
        for (uint32_t n = 0; n < more; ++n) {
            const char name[] = {(char)('a' + n), 0};
            zo_instance_status(i, &(zo_status_event){.type = "turn-start", .source = name});
        }
        advance(i, 60 * MS, 16, &s);
        zo_target_state target;
        assert_true(zo_instance_state(i, &target));
        assert_string_equal(target.name, more == 15 ? "waiting" : "thinking");
        zo_instance_free(i);
    }
    zo_program_free(program);
}

// Of sixteen the one goes whose word makes no difference, though it spoke last.
static void a_source_that_says_nothing_goes_first(void **state) {
    (void)state;
    zo_program *program = make_pet(ZO_PROFILE_DOCUMENT);
    for (uint32_t idle_first = 0; idle_first <= 1; ++idle_first) {
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        story s = {0};
        zo_instance_status(i, &(zo_status_event){.type = "waiting", .source = "first"});
        for (uint32_t n = 0; n < 15; ++n) {
            const char name[] = {(char)('a' + n), 0};
            zo_instance_status(i, &(zo_status_event){.type = n == 14 - 14 * idle_first ? "idle" : "turn-start",
                                                     .source = name});
        }
        zo_instance_status(i, &(zo_status_event){.type = "turn-start", .source = "last"});
        advance(i, 60 * MS, 16, &s);
        zo_target_state target;
        assert_true(zo_instance_state(i, &target));
        assert_string_equal(target.name, "waiting");
        zo_instance_status(i, &(zo_status_event){.type = "turn-start", .source = "one more"}); // now all of them say something
        advance(i, 60 * MS, 16, &s);
        assert_true(zo_instance_state(i, &target));
        assert_string_equal(target.name, "thinking");
        zo_instance_free(i);
    }
    zo_program_free(program);
}

// However time is cut and whatever room there is for events: the same story and the same bytes. A copy goes on as the
// original does.
static void any_cutting_gives_the_same_story(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 300; ++seed) {
        zo_program *program = make_pet(seed % 2 ? ZO_PROFILE_DOCUMENT : ZO_PROFILE_ORIGINAL);
        const zo_instance_def def = {.seed = seed, .run_capacity = 3 + seed % 8};
        zo_instance *whole = zo_instance_create(program, &def, NULL), *cut = zo_instance_create(program, &def, NULL);
        const size_t size = zo_instance_size(program, &def), head = offsetof(zo_instance, delay_list);
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        random_state = seed;
        story a = {0}, b = {0};
        for (uint32_t turn = 0; turn < 60; ++turn) {
            const uint32_t what = below(100000);
            call(whole, program, what);
            call(cut, program, what);
            const int64_t all_ns = below(3) == 0 ? 0 : (int64_t)below(900) * MS + below(3);
            int64_t left_ns = all_ns;
            advance(whole, all_ns, 16, &a);
            memcpy(copy, cut, size);
            const story before = b;
            for (uint32_t piece = below(4); piece > 0; --piece) {
                const int64_t ns = left_ns / 3;
                advance(cut, ns, 1, &b);
                left_ns -= ns;
            }
            advance(cut, left_ns, 1 + below(3), &b);
            if (turn % 10 == 0) { // what was done since is undone, and done once more
                memcpy(cut, copy, size);
                b = before;
                advance(cut, all_ns, 2, &b);
            }
            assert_int_equal(a.hash, b.hash);
            assert_memory_equal((uint8_t *)whole + head, (uint8_t *)cut + head, size - head);
        }
        free(copy);
        zo_instance_free(whole);
        zo_instance_free(cut);
        zo_program_free(program);
    }
}

// ---------------------------------------------------------------------------------------------------- stored programs

static void play_somehow(const zo_program *program) {
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.run_capacity = 6}, NULL);
    zo_pose *pose = zo_pose_create(program, NULL);
    assert_true(i && pose);
    story s = {0};
    random_state = 1;
    for (uint32_t turn = 0; turn < 25; ++turn) {
        call(i, program, below(100000));
        advance(i, (int64_t)below(400) * MS, 16, &s);
        zo_instance_sample(i, pose);
    }
    zo_pose_free(pose);
    zo_instance_free(i);
}

static void a_wrong_word_is_refused_or_plays(void **state) {
    (void)state;
    static const uint32_t words[] = {0, 1, 2, 5, 7, 64, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    static const zp_section_id sections[] = {ZP_SECTION_WORDS, ZP_SECTION_MACHINES, ZP_SECTION_STATES, ZP_SECTION_EDGES,
                                             ZP_SECTION_DIRECTORS, ZP_SECTION_SLOTS, ZP_SECTION_SIGNALS,
                                             ZP_SECTION_PLAYS, ZP_SECTION_CELS};
    zo_program *program = make_pet(ZO_PROFILE_DOCUMENT);
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    uint8_t *wrong = malloc(size);
    assert_non_null(wrong);
    uint32_t refused = 0, played = 0;
    for (uint32_t n = 0; n < ZB_COUNT(sections); ++n) {
        const zp_section *section = &program->header->sections[sections[n]];
        const uint32_t end = section->offset + section->count * zp_record_size(sections[n]);
        for (uint32_t at = section->offset; at + 4 <= end; at += 4) {
            memcpy(wrong, blob, size);
            memcpy(wrong + at, &words[(at / 4 + n) % ZB_COUNT(words)], 4);
            ((zp_header *)(void *)wrong)->hash = zp_program_hash(wrong);
            const char *what;
            zp_program *loaded = zp_program_load(wrong, size, NULL, &what);
            if (!loaded) {
                assert_non_null(what);
                refused++;
                continue;
            }
            play_somehow(loaded);
            zp_program_free(loaded);
            played++;
        }
    }
    assert_true(refused > 100 && played > 100);
    free(wrong);
    zo_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonsense_is_refused_and_changes_nothing),
        cmocka_unit_test(a_program_without_states_answers_nothing),
        cmocka_unit_test(calls_may_pile_up),
        cmocka_unit_test(a_picture_that_comes_later_is_shown_from_then_on),
        cmocka_unit_test(sixteen_sources_are_kept),
        cmocka_unit_test(a_source_that_says_nothing_goes_first),
        cmocka_unit_test(any_cutting_gives_the_same_story),
        cmocka_unit_test(a_wrong_word_is_refused_or_plays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
