// Three days of a pet, frame by frame: nothing drifts. The pose at the end, and in each frame of five seconds after it, is to
// the bit the one that is worked out directly from the time: what a pass of each ambient shows where that time leads to,
// combined as the document says. The waits are made of given numbers, so that their sum has a closed form.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "base/test_share.h"

#define MS INT64_C(1000000)
static const int64_t FRAME_NS = 16670000;

static int64_t long_ns(void) { return (int64_t)test_share(72) * 3600 * 1000 * MS; }

// At rest from the start; its enter takes 220 ms, and then all four ambients begin.
static const char config[] =
    "{\"states\":{\"idle\":{\"enter\":{\"preset\":\"soft\",\"durationMs\":220},\"ambient\":{\"bounce\":{\"enabled\":true,"
    "\"strength\":0.8,\"intervalMinMs\":800,\"intervalMaxMs\":1300,\"durationMs\":360},\"sway\":{\"enabled\":true,"
    "\"angleDeg\":2.5,\"periodMs\":3600},\"breathe\":{\"enabled\":true,\"strength\":0.4,\"periodMs\":2800},"
    "\"customAnimationId\":\"user:drift\"}}}}";
static const char drift[] =
    "{\"version\":1,\"id\":\"user:drift\",\"name\":\"Drift\",\"kind\":\"ambient\",\"durationMs\":1234.5,\"repeat\":{\"mode\":"
    "\"alternate\"},\"tracks\":[{\"property\":\"bounce.y\",\"keyframes\":[{\"at\":0,\"value\":-3,\"easing\":\"ease-in-out\"},"
    "{\"at\":1,\"value\":4}]},{\"property\":\"sway.rotation\",\"keyframes\":[{\"at\":0,\"value\":-1,\"easing\":\"overshoot\"},"
    "{\"at\":1,\"value\":2}]}]}";
static const int64_t BEGIN_NS = 220 * MS, BOUNCE_NS = 360 * MS, SWAY_NS = 3600 * MS, BREATHE_NS = 2800 * MS,
                     DRIFT_NS = 1234500000;
// A wait is 800 + u * 500 ms; after three of them it is as at first.
static const double delays[] = {0.25, 0.5, 0.125};
static const int64_t waits_ns[] = {925 * MS, 1050 * MS, 862500000};

static zo_program *compile(void) {
    const zo_source sources[] = {{.name = "pet.json", .bytes = config, .size = sizeof config - 1},
                                 {.name = "drift.json", .bytes = drift, .size = sizeof drift - 1}};
    zo_program *program = NULL;
    assert_int_equal(zo_compile(sources, 2, &(zo_compile_def){.format = "pet"}, &program, NULL), ZO_OK);
    return program;
}

static void play(zo_instance *i, int64_t dt_ns) {
    zo_event events[8];
    zo_step step = {.left_ns = dt_ns};
    do {
        step = zo_instance_advance(i, step.left_ns, events, 8);
    } while (step.more || step.left_ns > 0);
}

typedef struct direct {
    const zo_program *program;
    zo_instance *instance; // one clip at a time
    zo_pose *pose;
} direct;

static uint32_t slot(const zo_program *program, const char *channel) {
    const zo_channel found = zo_channel_find(program, channel);
    assert_true(found.id != 0);
    return found.id - 1;
}

// What a pass of this clip alone shows at `local_ns`.
static double shown_by(const direct *d, const char *clip, double strength, int64_t duration_ns, int64_t local_ns,
                       const char *channel) {
    const zo_run_def def = {.params = &strength, .param_count = isnan(strength) ? 0u : 1u, .duration_ns = duration_ns,
                            .set_repeat = true, .repeat = ZO_REPEAT_ONCE};
    zo_instance *i = d->instance;
    const zo_run run = zo_instance_start(i, zo_clip_find(d->program, clip), &def);
    assert_true(run.id != 0);
    play(i, local_ns);
    zo_instance_sample(i, d->pose);
    zo_instance_cancel(i, run);
    return d->pose->slots[slot(d->program, channel)];
}

// Into a pass of the bounce, or -1: it waits.
static int64_t bounce_local_ns(int64_t t_ns) {
    int64_t cycle_ns = 0, at_ns;
    for (uint32_t n = 0; n < 3; n++) { cycle_ns += waits_ns[n] + BOUNCE_NS; }
    at_ns = (t_ns - BEGIN_NS) % cycle_ns;
    for (uint32_t n = 0;; n++) {
        if (at_ns < waits_ns[n]) { return -1; }
        at_ns -= waits_ns[n];
        if (at_ns < BOUNCE_NS) { return at_ns; }
        at_ns -= BOUNCE_NS;
    }
}

static void assert_pose(const direct *d, const zo_instance *i, zo_pose *pose) {
    const int64_t t_ns = zo_instance_now_ns(i) - BEGIN_NS, bounce_ns = bounce_local_ns(t_ns + BEGIN_NS);
    int64_t drift_ns = t_ns % (2 * DRIFT_NS);
    if (drift_ns > DRIFT_NS) { drift_ns = 2 * DRIFT_NS - drift_ns; } // the way back
    double y = shown_by(d, "user:drift", NAN, 0, drift_ns, "bounce.y");
    const double sway = shown_by(d, "builtin:sway", 2.5, SWAY_NS, t_ns % SWAY_NS, "sway.rotation");
    double turn = sway + shown_by(d, "user:drift", NAN, 0, drift_ns, "sway.rotation");
    double wide = 1, high = 1;
    if (bounce_ns >= 0) {
        y = shown_by(d, "builtin:bounce", 0.8, BOUNCE_NS, bounce_ns, "bounce.y") + y;
        wide = shown_by(d, "builtin:bounce", 0.8, BOUNCE_NS, bounce_ns, "bounce.scaleX");
        high = shown_by(d, "builtin:bounce", 0.8, BOUNCE_NS, bounce_ns, "bounce.scaleY");
    }
    zo_instance_sample(i, pose);
    const struct { const char *channel; double value; } expected[] = {
        {"transition.y", 0}, {"transition.scaleX", 1}, {"bounce.y", y}, {"bounce.scaleX", wide}, {"bounce.scaleY", high},
        {"sway.rotation", turn},
        {"breathe.scaleX", shown_by(d, "builtin:breathe", 0.4, BREATHE_NS, t_ns % BREATHE_NS, "breathe.scaleX")},
        {"breathe.scaleY", shown_by(d, "builtin:breathe", 0.4, BREATHE_NS, t_ns % BREATHE_NS, "breathe.scaleY")}};
    for (uint32_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        const double found = pose->slots[slot(d->program, expected[n].channel)];
        if (memcmp(&found, &expected[n].value, sizeof found) != 0) {
            fail_msg("%s at %lld ns is %.17g, not %.17g", expected[n].channel, (long long)zo_instance_now_ns(i), found,
                     expected[n].value);
        }
    }
}

static void three_days_of_a_pet_do_not_drift(void **state) {
    (void)state;
    zo_program *program = compile();
    const zo_instance_def def = {.delay_list = delays, .delay_count = 3};
    zo_instance *frames = zo_instance_create(program, &def, NULL), *once = zo_instance_create(program, &def, NULL);
    direct d = {program, zo_instance_create(program, &(zo_instance_def){.idle = true}, NULL), zo_pose_create(program, NULL)};
    zo_pose *pose = zo_pose_create(program, NULL);
    assert_true(frames && once && d.instance && d.pose && pose);
    const int64_t long_end_ns = long_ns();
    for (int64_t now_ns = 0; now_ns < long_end_ns; now_ns += FRAME_NS) {
        play(frames, now_ns + FRAME_NS <= long_end_ns ? FRAME_NS : long_end_ns - now_ns);
    }
    play(once, long_end_ns);
    assert_int_equal(zo_instance_now_ns(frames), long_end_ns);
    uint32_t passing = 0;
    for (uint32_t frame = 0; frame < 300; frame++) {
        static _Alignas(16) uint8_t bytes[2][1 << 15];
        const size_t size = zo_instance_snapshot(frames, bytes[0], sizeof bytes[0]);
        assert_true(size <= sizeof bytes[0]);
        assert_int_equal(zo_instance_snapshot(once, bytes[1], sizeof bytes[1]), size);
        assert_memory_equal(bytes[0], bytes[1], size);
        assert_pose(&d, frames, pose);
        passing += bounce_local_ns(zo_instance_now_ns(frames)) >= 0;
        play(frames, FRAME_NS);
        play(once, FRAME_NS);
    }
    assert_in_range(passing, 30, 270); // passes and waits were met both
    zo_pose_free(pose);
    zo_pose_free(d.pose);
    zo_instance_free(d.instance);
    zo_instance_free(once);
    zo_instance_free(frames);
    zo_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_days_of_a_pet_do_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
