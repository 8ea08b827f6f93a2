// What a host does with a pet that no script says: pictures that come and go at run time, a configuration that is saved anew
// in mid-enter, a copy of everything that is put back. What is expected is worked out by hand from the figures that stand in
// the texts; the words of a story are those of `told`.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#define MS INT64_C(1000000)

// A click that shows two pictures of its own, at 100 and 300 of its 400 ms; its picture is back at the end.
static const char wink[] =
    "{\"version\":1,\"id\":\"user:wink\",\"name\":\"Wink\",\"kind\":\"interaction\",\"durationMs\":400,\"repeat\":{\"mode\":"
    "\"once\"},\"tracks\":[{\"property\":\"transition.rotation\",\"keyframes\":[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":9},"
    "{\"at\":1,\"value\":0}]}],\"events\":[{\"at\":0.25,\"type\":\"pose-swap\",\"pose\":\"user:eye\"},{\"at\":0.75,\"type\":"
    "\"pose-swap\",\"pose\":\"user:ear\"}]}";

// x goes from 0 to 40 at the swap, and back.
#define SLIDE(ms, to) \
    "{\"version\":1,\"id\":\"user:slide\",\"name\":\"Slide\",\"kind\":\"transition\",\"durationMs\":" ms ",\"repeat\":{\"mode\":" \
    "\"once\"},\"tracks\":[{\"property\":\"transition.x\",\"keyframes\":[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":" to "}," \
    "{\"at\":1,\"value\":0}]}],\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"}]}"

// Idle is entered without motion; waiting by a slide, and then it sways.
#define PET(slide_of_waiting, period) \
    "{\"states\":{\"idle\":{\"enter\":{\"preset\":\"none\"},\"ambient\":{\"sway\":{\"enabled\":false},\"breathe\":{\"enabled\":" \
    "false}}},\"waiting\":{\"enter\":{" slide_of_waiting "},\"ambient\":{\"sway\":{\"angleDeg\":6,\"periodMs\":" period "}," \
    "\"breathe\":{\"enabled\":false}}}},\"interactions\":{\"click\":{\"animation\":\"user:wink\"}}}"
#define BY_SLIDE "\"animationId\":\"user:slide\""

static zo_program *compile(const char *pet, const char *slide) {
    const zo_source sources[] = {{.name = "pet.json", .bytes = pet, .size = strlen(pet)},
                                 {.name = "wink.json", .bytes = wink, .size = sizeof wink - 1},
                                 {.name = "slide.json", .bytes = slide, .size = strlen(slide)}};
    zo_program *program = NULL;
    assert_int_equal(zo_compile(sources, 3, &(zo_compile_def){.format = "pet"}, &program, NULL), ZO_OK);
    return program;
}

// ---------------------------------------------------------------------------------------------------- stories

typedef struct story {
    char text[4096];
    size_t size;
} story;

static const char *clip_name(const zo_program *program, zo_clip clip) { // without its namespace
    zo_clip_info info;
    const char *colon = zo_clip_get(program, clip, &info) ? strchr(info.name, ':') : NULL;
    return colon ? colon + 1 : "?";
}

// "100+slide" a run starts, "300-slide" ends, "300x" is cancelled, "300c" crowded out; "200=idle" that picture is on show;
// "500 waiting!" a target is taken.
static void tell(story *s, const zo_program *program, const zo_event *event) {
    char word[80];
    const double ms = (double)event->t_ns / 1e6;
    switch (event->kind) {
    case ZO_EVENT_RUN_START: snprintf(word, sizeof word, "%g+%s", ms, clip_name(program, event->clip)); break;
    case ZO_EVENT_RUN_END:
        snprintf(word, sizeof word, "%g%c%s", ms, "-xc"[event->end], clip_name(program, event->clip));
        break;
    case ZO_EVENT_CEL: snprintf(word, sizeof word, "%g=%s", ms, event->name); break;
    case ZO_EVENT_STATE: snprintf(word, sizeof word, "%g!%s", ms, event->name); break;
    default: return; // swaps show by what they lead to
    }
    s->size += (size_t)snprintf(s->text + s->size, sizeof s->text - s->size, "%s%s", s->size > 0 ? " " : "", word);
    assert_true(s->size < sizeof s->text);
}

static void play(zo_instance *i, const zo_program *program, double ms, story *s) {
    zo_event events[8];
    zo_step step = {.left_ns = (int64_t)(ms * 1e6)};
    do {
        step = zo_instance_advance(i, step.left_ns, events, 8);
        for (uint32_t n = 0; n < step.count; n++) { tell(s, program, &events[n]); }
    } while (step.more || step.left_ns > 0);
}

#define TOLD(instance, program, ms, expected) \
    do { \
        static story story_; \
        story_ = (story){.size = 0}; \
        play(instance, program, ms, &story_); \
        assert_string_equal(story_.text, expected); \
    } while (0)

static const char *shown(const zo_instance *i, const zo_program *program) {
    zo_cel_info info;
    return zo_cel_get(program, zo_instance_shown(i), &info) ? info.name : "";
}

static double value(const zo_instance *i, const zo_program *program, const char *channel) {
    zo_pose *pose = zo_pose_create(program, NULL);
    assert_non_null(pose);
    zo_instance_sample(i, pose);
    const double found = pose->slots[zo_channel_find(program, channel).id - 1];
    zo_pose_free(pose);
    return found;
}

// ---------------------------------------------------------------------------------------------------- pictures

// A swap to a picture that nobody has registered changes nothing; from when it is there, it shows. One that is taken away
// stays on show, and is not shown again. What is registered later does not change what is shown already.
static void pictures_come_and_go(void **state) {
    (void)state;
    zo_program *program = compile(PET(BY_SLIDE, "2000"), SLIDE("400", "40"));
    const zo_cel eye = zo_cel_find(program, "user:eye"), ear = zo_cel_find(program, "user:ear");
    const zo_cel idle = zo_cel_find(program, "idle"), waiting = zo_cel_find(program, "waiting");
    assert_true(eye.id != 0 && ear.id != 0);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    TOLD(i, program, 0, "0!idle 0+none 0=idle 0-none");

    zo_instance_click(i); // neither is there: no swap, so nothing to go back from
    TOLD(i, program, 400, "0+wink 400-wink");
    assert_false(zo_instance_flash(i, eye, 100));
    zo_instance_set_cel(i, eye, true);
    TOLD(i, program, 0, "");
    zo_instance_click(i); // one of them is
    TOLD(i, program, 400, "400+wink 500=user:eye 800-wink 800=idle");
    assert_true(zo_instance_flash(i, eye, 100));
    TOLD(i, program, 100, "800=user:eye 900=idle");

    zo_instance_click(i); // the other one comes between the two swaps, and the first goes while it is on show
    TOLD(i, program, 200, "900+wink 1000=user:eye");
    zo_instance_set_cel(i, ear, true);
    zo_instance_set_cel(i, eye, false);
    TOLD(i, program, 0, "");
    assert_string_equal(shown(i, program), "user:eye");
    TOLD(i, program, 200, "1200=user:ear 1300-wink 1300=idle");
    assert_false(zo_instance_flash(i, eye, 100));

    // A slot without a picture is shown by its chain: waiting, idle, thinking. Until the swap anything may still come.
    zo_instance_set_cel(i, waiting, false);
    zo_instance_request(i, "waiting");
    TOLD(i, program, 200, "1300!waiting 1300+slide"); // at 1500 it swaps to idle, which is on show
    assert_string_equal(shown(i, program), "idle");
    zo_instance_set_cel(i, waiting, true);
    TOLD(i, program, 200, "1700-slide 1700+sway"); // too late for this swap
    assert_string_equal(shown(i, program), "idle");
    zo_instance_click(i); // but what goes back goes to what the state has now
    TOLD(i, program, 400, "1700+wink 2000=user:ear 2100-wink 2100=waiting");
    zo_instance_set_cel(i, waiting, false);
    zo_instance_request(i, "idle");
    TOLD(i, program, 0, "2100!idle 2100xsway 2100+none 2100=idle 2100-none");
    zo_instance_request(i, "waiting");
    TOLD(i, program, 199, "2100!waiting 2100+slide");
    zo_instance_set_cel(i, waiting, true); // in time for this one
    TOLD(i, program, 1, "2300=waiting");

    // No picture at all: nothing is shown, and no ambient plays (section 10).
    for (uint32_t c = 1; c <= zo_cel_count(program); c++) { zo_instance_set_cel(i, (zo_cel){c}, false); }
    zo_instance_request(i, "idle");
    TOLD(i, program, 1000, "2300!idle 2300xslide 2300=");
    zo_instance_request(i, "waiting");
    TOLD(i, program, 1000, "3300!waiting");
    zo_instance_set_cel(i, idle, true);
    zo_instance_request(i, "error"); // error, idle, thinking; deflate swaps in the middle of 300 ms
    TOLD(i, program, 200, "4300!error 4300+deflate 4450=idle");
    zo_instance_free(i);
    zo_program_free(program);
}

// What is there from the start is seen by the first enter, which may show it at 0: so it is also in a timeline, whose calls
// come after that. A slot that the host says to be there is, whatever the configuration says, and the other way round.
static void the_first_enter_knows_which_are_there(void **state) {
    (void)state;
    zo_program *program = compile(PET(BY_SLIDE, "2000"), SLIDE("400", "40"));
    bool there[32] = {false};
    assert_true(zo_cel_count(program) <= 32);
    there[zo_cel_find(program, "working").id - 1] = true;
    there[zo_cel_find(program, "user:eye").id - 1] = true;
    const zo_instance_def def = {.cels_there = there};
    zo_instance *i = zo_instance_create(program, &def, NULL);
    zo_timeline *timeline = zo_timeline_create(program, &(zo_timeline_def){.instance = def}, NULL);
    memset(there, 0, sizeof there); // read once
    TOLD(i, program, 0, "0!idle 0+none 0=working 0-none");
    assert_true(zo_instance_flash(i, zo_cel_find(program, "user:eye"), 100));
    assert_false(zo_instance_flash(i, zo_cel_find(program, "user:ear"), 100));
    assert_string_equal(shown(zo_timeline_seek(timeline, 100), program), "working");
    assert_string_equal(shown(zo_timeline_seek(timeline, 0), program), "working");
    zo_timeline_free(timeline);
    zo_instance_free(i);
    zo_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- reloads

static zo_gone gone[8];
static uint32_t gone_count;
static void note(void *context, const zo_gone *what) {
    (void)context;
    assert_true(gone_count < 8);
    gone[gone_count++] = *what;
}

// To `ms` after an enter of waiting has begun at 500, of 400 ms with its swap in the middle; then goes on with `next`.
static zo_instance *reload(double ms, const zo_program *next) {
    zo_program *program = compile(PET(BY_SLIDE, "2000"), SLIDE("400", "40"));
    zo_instance *old = zo_instance_create(program, NULL, NULL), *i = zo_instance_create(next, NULL, NULL);
    assert_true(old && i);
    TOLD(old, program, 500, "0!idle 0+none 0=idle 0-none");
    zo_instance_request(old, "waiting");
    story s = {0};
    play(old, program, ms, &s);
    gone_count = 0;
    zo_instance_adopt(i, old, note, NULL);
    zo_instance_free(old);
    zo_program_free(program);
    return i;
}

// The enter goes on where it is, by what the new file says of it: its swap comes once, at its new place if that is still to
// come, and then the new ambient.
static void a_reload_in_mid_enter_goes_on(void **state) {
    (void)state;
    static const struct {
        const char *pet, *slide;
        double after_ms, x; // when it is reloaded, and what x is then
        const char *story;  // of what is left of the first 1500 ms
    } cases[] = {
        // Nothing but a period of the ambient has changed: all comes in its time.
        {PET(BY_SLIDE, "1000"), SLIDE("400", "40"), 100, 20, "700=waiting 900-slide 900+sway"},
        {PET(BY_SLIDE, "1000"), SLIDE("400", "40"), 300, 20, "900-slide 900+sway"},
        // Further to go at the same place of the motion: at 100 ms of 400 x is half way to 80.
        {PET(BY_SLIDE, "2000"), SLIDE("400", "80"), 100, 40, "700=waiting 900-slide 900+sway"},
        // Longer: at 100 ms of 800 x is a quarter of the way, the swap comes at 400, the end at 800.
        {PET(BY_SLIDE, "2000"), SLIDE("800", "40"), 100, 10, "900=waiting 1300-slide 1300+sway"},
        // Longer, after its swap: that comes again in its new place, and shows what is on show already.
        {PET(BY_SLIDE, "2000"), SLIDE("800", "40"), 300, 30, "1300-slide 1300+sway"},
        // The slot states a duration now: it holds for enters to come, not for this one.
        {PET(BY_SLIDE ",\"durationMs\":1000", "2000"), SLIDE("400", "40"), 100, 20, "700=waiting 900-slide 900+sway"},
    };
    for (uint32_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        zo_program *program = compile(cases[n].pet, cases[n].slide);
        zo_instance *i = reload(cases[n].after_ms, program);
        assert_true(value(i, program, "transition.x") == cases[n].x);
        assert_int_equal(gone_count, 0);
        TOLD(i, program, 1000 - cases[n].after_ms, cases[n].story);
        assert_string_equal(shown(i, program), "waiting");
        zo_instance_free(i);
        zo_program_free(program);
    }
}

// An enter whose animation is gone is over: its end is told, the picture is the state's, the ambient begins.
static void a_reload_that_takes_the_enter_away(void **state) {
    (void)state;
    static const char other[] =
        "{\"version\":1,\"id\":\"user:other\",\"name\":\"Other\",\"kind\":\"transition\",\"durationMs\":100,\"repeat\":{\"mode\":"
        "\"once\"},\"tracks\":[],\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"}]}";
    zo_program *program = compile(PET(BY_SLIDE, "2000"), other);
    zo_instance *i = reload(100, program);
    assert_int_equal(gone_count, 1);
    assert_int_equal(gone[0].kind, ZO_GONE_RUN);
    assert_true(value(i, program, "transition.x") == 0);
    TOLD(i, program, 0, "600x? 600+sway 600=waiting");
    assert_true(value(i, program, "sway.rotation") == -6);
    zo_instance_free(i);
    zo_program_free(program);
}

// Shorter than what has passed: at 300 ms of 200 it is at its end, which comes now; the swap was before and stays. A swap
// that has not come and whose new place lies behind is made up for at once.
static void a_reload_that_puts_the_end_behind(void **state) {
    (void)state;
    zo_program *program = compile(PET(BY_SLIDE, "2000"), SLIDE("200", "40"));
    zo_instance *i = reload(300, program);
    TOLD(i, program, 0, "800-slide 800+sway");
    assert_string_equal(shown(i, program), "waiting");
    zo_instance_free(i);
    i = reload(150, program); // its swap would have been at 100
    TOLD(i, program, 100, "650=waiting 700-slide 700+sway");
    zo_instance_free(i);
    zo_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- copies

// A copy taken in mid-enter and put back after another story: it goes on as if that had never been, told and shown alike.
static void a_copy_is_put_back(void **state) {
    (void)state;
    zo_program *program = compile(PET(BY_SLIDE, "2000"), SLIDE("400", "40"));
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.seed = 3}, NULL);
    static uint8_t copy[1 << 16], end[2][1 << 16];
    story before = {0};
    zo_instance_set_cel(i, zo_cel_find(program, "user:eye"), true);
    play(i, program, 500, &before);
    zo_instance_request(i, "waiting");
    play(i, program, 100, &before);
    const size_t size = zo_instance_snapshot(i, copy, sizeof copy);
    assert_true(size <= sizeof copy);
    for (uint32_t round = 0; round < 2; round++) {
        TOLD(i, program, 150, "700=waiting"); // 600 to 750
        assert_true(value(i, program, "transition.x") == 30);
        zo_instance_click(i);
        TOLD(i, program, 500, "750+wink 850=user:eye 900-slide 900+sway 1150-wink 1150=waiting");
        zo_instance_status(i, &(zo_status_event){.type = "success"});
        TOLD(i, program, 60, "1310!success 1310xsway 1310+celebrate");
        TOLD(i, program, 200, "1499=success");
        assert_int_equal(zo_instance_particle_count(i), 22);
        assert_int_equal(zo_instance_snapshot(i, end[round], sizeof end[round]), size);
        zo_instance_set_cel(i, zo_cel_find(program, "user:eye"), false); // and much else that is undone
        zo_instance_set_reduced_motion(i, true);
        zo_instance_set_hidden(i, true);
        zo_instance_request(i, "error");
        story other = {0};
        play(i, program, 5000, &other);
        assert_true(zo_instance_restore(i, copy, size));
        assert_int_equal(zo_instance_now_ns(i), 600 * MS);
        assert_string_equal(shown(i, program), "idle");
    }
    assert_memory_equal(end[0], end[1], size);
    zo_instance_free(i);
    zo_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_and_go),
        cmocka_unit_test(the_first_enter_knows_which_are_there),
        cmocka_unit_test(a_reload_in_mid_enter_goes_on),
        cmocka_unit_test(a_reload_that_takes_the_enter_away),
        cmocka_unit_test(a_reload_that_puts_the_end_behind),
        cmocka_unit_test(a_copy_is_put_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
