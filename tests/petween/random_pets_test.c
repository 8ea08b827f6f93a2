// Random pets, calls and ways to cut time. However time is cut and whatever room there is for events: the same state, events
// and random numbers drawn, and the same bytes of the instance. Every event comes once and in its order, nothing that is
// shown is not a number, and a timeline that is sought stands where playing to the instant leads. The seeds are fixed, so a
// failure comes again; ZO_PET_RUNS says how many (10,000; 4,000 under sanitizers) and ZO_PET_FIRST where to begin.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/test_share.h"
#include "random_pet.h"
#include "runtime/runtime.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#endif

#define MS INT64_C(1000000)
enum { INPUTS_MAX = 20, STOPS_MAX = 24, RUN_IDS = 2048, RUNS_OF_A_PET = 10 };

static const random_pet *at_hand;
static uint64_t run_at_hand;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            random_pet_print(at_hand); \
            fail_msg("run %llu (ZO_PET_FIRST): %s", (unsigned long long)run_at_hand, #condition); \
        } \
    } while (0)

static uint64_t wish(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

// ---------------------------------------------------------------------------------------------------- events

// What is heard of one instance: a number for all of it, and what tells whether an event is missing or comes twice.
typedef struct ear {
    const zo_instance *instance;
    uint64_t count, hash;
    int64_t last_ns;
    uint32_t alive;
    zo_state state;
    zo_cel cel;
    bool told_state, told_cel;
    struct {
        uint8_t stage; // 0: not heard of, 1: alive, 2: over
        uint32_t next; // event of the clip that would come next
    } runs[RUN_IDS];
} ear;

static bool is_burst(const zo_program *program, zo_clip clip, uint32_t index) {
    zo_clip_event_info info;
    return zo_clip_event_get(program, clip, index, &info) && info.action == ZO_ACTION_START_EFFECT;
}

// Events of a pass come in their order, each once; only bursts may be left out, which are no events when they are empty. A
// further pass begins with the first.
static void hear_event(ear *e, const zo_event *event) {
    const zo_program *program = e->instance->program;
    const uint32_t count = program->clips[event->clip.id - 1].event_count;
    uint32_t next = e->runs[event->run.id].next;
    CHECK(event->index < count);
    for (uint32_t steps = 0; next != event->index; steps++) {
        CHECK(steps < count);
        CHECK(next == count || is_burst(program, event->clip, next));
        next = next == count ? 0 : next + 1;
    }
    e->runs[event->run.id].next = event->index + 1;
}

static void hear_run(ear *e, const zo_event *event) {
    CHECK(event->run.id > 0 && event->run.id < RUN_IDS);
    uint8_t *stage = &e->runs[event->run.id].stage;
    switch (event->kind) {
    case ZO_EVENT_RUN_START:
        CHECK(*stage == 0);
        *stage = 1;
        e->alive++;
        break;
    case ZO_EVENT_RUN_END:
        CHECK(*stage == 1);
        *stage = 2;
        e->alive--;
        if (event->end != ZO_END_FINISHED) { break; }
        for (uint32_t n = e->runs[event->run.id].next; n < e->instance->program->clips[event->clip.id - 1].event_count; n++) {
            CHECK(is_burst(e->instance->program, event->clip, n)); // nothing of its pass was left out
        }
        break;
    default:
        CHECK(*stage == 1);
        hear_event(e, event);
    }
}

static void hear(void *context, const zo_event *event) {
    ear *e = context;
    CHECK(event->t_ns >= e->last_ns);
    e->last_ns = event->t_ns;
    const uint64_t facts[] = {event->kind, event->end, (uint64_t)event->t_ns, event->run.id, event->clip.id,
                              event->index, event->cel.id, event->state.id, event->count, strlen(event->name),
                              strlen(event->activity)};
    for (uint32_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        e->hash = (e->hash ^ facts[i]) * 0x9E3779B97F4A7C15u;
        e->hash ^= e->hash >> 29;
    }
    e->count++;
    if (!e->instance) { return; }
    switch (event->kind) {
    case ZO_EVENT_STATE:
        e->state = event->state;
        e->told_state = true;
        break;
    case ZO_EVENT_CEL:
        CHECK(!e->told_cel || e->cel.id != event->cel.id);
        e->cel = event->cel;
        e->told_cel = true;
        break;
    default: hear_run(e, event);
    }
}

// What has been told is where it stands.
static void check_told(const ear *e) {
    zo_target_state target;
    CHECK(zo_instance_state(e->instance, &target));
    CHECK(e->told_state && e->state.id == target.state.id);
    CHECK(e->cel.id == zo_instance_shown(e->instance).id);
    CHECK(e->alive == zo_instance_live_count(e->instance));
}

// ---------------------------------------------------------------------------------------------------- playing

static void play(zo_instance *i, int64_t dt_ns, uint32_t capacity, ear *e) {
    zo_event events[32];
    zo_step step = {.left_ns = dt_ns};
    do {
        step = zo_instance_advance(i, step.left_ns, events, capacity);
        for (uint32_t n = 0; n < step.count; n++) { hear(e, &events[n]); }
    } while (step.more || step.left_ns > 0);
}

static void play_in_parts(zo_instance *i, int64_t dt_ns, uint64_t *random, ear *e) {
    const bool fine = dt_ns < 3000 * MS && random_chance(random, 20); // as a screen asks for it
    do {
        int64_t step_ns = fine ? 16670000 : (int64_t)(random_unit(random) * (double)dt_ns * 1.2);
        if (random_chance(random, 10)) { step_ns = random_below(random, 2); }
        if (step_ns > dt_ns) { step_ns = dt_ns; }
        play(i, step_ns, 1 + random_below(random, 4), e);
        dt_ns -= step_ns;
    } while (dt_ns > 0);
}

typedef struct block {
    _Alignas(16) uint8_t bytes[1 << 15];
    size_t size;
} block;

static void keep(block *to, const zo_instance *i) {
    to->size = zo_instance_snapshot(i, to->bytes, sizeof to->bytes);
    CHECK(to->size <= sizeof to->bytes);
}

static void check_stands(const zo_instance *i, const block *expected) {
    static block now;
    keep(&now, i);
    CHECK(now.size == expected->size && memcmp(now.bytes, expected->bytes, now.size) == 0);
}

// The figures of all that is shown are numbers, opacity within its range, and a pose that held something else before is the
// same in the end.
static void check_shown(const zo_instance *i, zo_pose *pose, zo_pose *other) {
    zo_instance_sample(i, pose);
    for (uint32_t n = 0; n < pose->slot_count; n++) { CHECK(isfinite(pose->slots[n])); }
    for (uint32_t t = 0; t < pose->target_count; t++) {
        for (uint32_t n = 0; n < 12; n++) { CHECK(isfinite(pose->transforms[t].m[n])); }
        CHECK(isfinite(pose->transforms[t].opacity));
    }
    if (other) {
        zo_instance_sample(i, other);
        CHECK(memcmp(pose->slots, other->slots, pose->slot_count * sizeof(double)) == 0);
        CHECK(memcmp(pose->transforms, other->transforms, pose->target_count * sizeof(zo_transform)) == 0);
    }
    zr_particle_walk walk = {0};
    zr_particle p;
    while (zr_particle_next(i, &walk, &p)) {
        CHECK(p.age_ns >= 0 && p.age_ns < p.life_ns);
        CHECK(isfinite(p.x) && isfinite(p.y) && isfinite(p.turn) && isfinite(p.opacity));
        CHECK(p.width >= 1 && p.height >= 1);
    }
}

// ---------------------------------------------------------------------------------------------------- one run

typedef struct story {
    uint32_t input_count, stop_count;
    zo_input inputs[INPUTS_MAX];
    random_material materials[INPUTS_MAX];
    uint32_t results[INPUTS_MAX];
    block at_input[INPUTS_MAX], end; // before each call
    int64_t stops_ns[STOPS_MAX];     // rising; several may lie at an instant
    block stands[STOPS_MAX];
    int64_t end_ns;
} story;

static double list[6];

static zo_instance_def random_def(uint64_t *random) {
    zo_instance_def def = {.seed = random_next(random), .reduced_motion = random_chance(random, 15)};
    if (random_chance(random, 35)) { def.run_capacity = 1 + random_below(random, 8); }
    if (random_chance(random, 20)) { def.effect_capacity = 1 + random_below(random, 3); }
    if (random_chance(random, 20)) { def.particle_capacity = 1 + random_below(random, 60); }
    def.no_effects = random_chance(random, 5);
    for (uint32_t n = 0; n < 6; n++) { list[n] = random_unit(random); }
    if (random_chance(random, 20)) {
        def.delay_list = list;
        def.delay_count = 1 + random_below(random, 6);
    }
    if (random_chance(random, 20)) {
        def.particle_list = list;
        def.particle_count = 1 + random_below(random, 6);
    }
    return def;
}

static void write_story(story *s, uint64_t *random, const zo_program *program) {
    int64_t t_ns = 0;
    s->input_count = 1 + random_below(random, INPUTS_MAX);
    for (uint32_t n = 0; n < s->input_count; n++) {
        t_ns += random_gap_ns(random);
        random_input(&s->inputs[n], &s->materials[n], random, program, t_ns);
        s->inputs[n].t_ns = t_ns;
    }
    s->end_ns = t_ns + random_gap_ns(random) + (random_chance(random, 5) ? 3600000 * MS : 900 * MS);
}

static void play_whole(story *s, zo_instance *i, ear *e, zo_pose *pose) {
    for (uint32_t n = 0; n < s->input_count; n++) {
        play(i, s->inputs[n].t_ns - zo_instance_now_ns(i), 32, e);
        check_told(e);
        check_shown(i, pose, NULL);
        keep(&s->at_input[n], i);
        s->results[n] = random_call(i, &s->inputs[n]);
    }
    play(i, s->end_ns - zo_instance_now_ns(i), 32, e);
    check_told(e);
    check_shown(i, pose, NULL);
    keep(&s->end, i);
}

static void stop(story *s, zo_instance *i, zo_pose *pose, zo_pose *other) {
    check_shown(i, pose, other);
    if (s->stop_count == STOPS_MAX) { return; }
    s->stops_ns[s->stop_count] = zo_instance_now_ns(i);
    keep(&s->stands[s->stop_count++], i);
}

// Some instant on the way to `t_ns` is kept for the timeline; a copy that has gone elsewhere is put back there.
static void go(story *s, zo_instance *i, int64_t t_ns, uint64_t *random, ear *e, zo_pose *pose, zo_pose *other) {
    const int64_t left_ns = t_ns - zo_instance_now_ns(i);
    if (left_ns > 0) {
        play_in_parts(i, (int64_t)(random_unit(random) * (double)left_ns), random, e);
        stop(s, i, pose, other);
    }
    play_in_parts(i, t_ns - zo_instance_now_ns(i), random, e);
}

static void play_cut(story *s, zo_instance *i, uint64_t *random, ear *e, zo_pose *pose, zo_pose *other) {
    s->stop_count = 0;
    for (uint32_t n = 0; n < s->input_count; n++) {
        go(s, i, s->inputs[n].t_ns, random, e, pose, other);
        check_stands(i, &s->at_input[n]);
        CHECK(random_call(i, &s->inputs[n]) == s->results[n]);
    }
    go(s, i, s->end_ns, random, e, pose, other);
    check_stands(i, &s->end);
}

static void seek_about(story *s, const zo_program *program, const zo_instance_def *def, uint64_t *random, const ear *told) {
    zo_timeline_def timeline_def = {.instance = *def, .snapshot_max = 2 + random_below(random, 12)};
    if (random_chance(random, 60)) { timeline_def.snapshot_every_ns = (1 + random_below(random, 60)) * 10 * MS; }
    zo_timeline *timeline = zo_timeline_create(program, &timeline_def, NULL);
    assert_non_null(timeline);
    static ear heard;
    memset(&heard, 0, sizeof heard);
    zo_timeline_listen(timeline, hear, &heard);
    for (uint32_t n = 0; n < s->input_count; n++) {
        uint32_t result = 0;
        check_stands(zo_timeline_seek(timeline, s->inputs[n].t_ns), &s->at_input[n]);
        CHECK(zo_timeline_add(timeline, &s->inputs[n], &result) == ZO_OK);
        CHECK(result == s->results[n]);
    }
    check_stands(zo_timeline_seek(timeline, s->end_ns), &s->end);
    CHECK(heard.count == told->count && heard.hash == told->hash);
    zo_timeline_listen(timeline, NULL, NULL);
    for (uint32_t n = 0; n < 4; n++) { // back and forth; where it stood before has no say
        if (random_chance(random, 30)) { zo_timeline_seek(timeline, (int64_t)random_below(random, 1u << 30)); }
        const uint32_t at = random_below(random, s->stop_count);
        bool called = false; // at that very instant, after it was kept
        for (uint32_t k = 0; k < s->input_count; k++) { called |= s->inputs[k].t_ns == s->stops_ns[at]; }
        const zo_instance *i = zo_timeline_seek(timeline, s->stops_ns[at]);
        if (!called) { check_stands(i, &s->stands[at]); }
    }
    zo_timeline_free(timeline);
}

// A copy put back: what came after it is undone, and comes again as it was.
static void put_back(const story *s, zo_instance *i) {
    static ear once, twice;
    const uint32_t from = s->input_count / 2;
    for (uint32_t n = 0; n < 2; n++) {
        ear *e = n == 0 ? &once : &twice;
        memset(e, 0, sizeof *e);
        CHECK(zo_instance_restore(i, s->at_input[from].bytes, s->at_input[from].size));
        for (uint32_t k = from; k < s->input_count; k++) {
            play(i, s->inputs[k].t_ns - zo_instance_now_ns(i), 3 + n, e);
            CHECK(random_call(i, &s->inputs[k]) == s->results[k]);
        }
        play(i, s->end_ns - zo_instance_now_ns(i), 3 + n, e);
        check_stands(i, &s->end);
    }
    CHECK(once.count == twice.count && once.hash == twice.hash);
}

static void any_pet_is_the_same_however_time_is_cut(void **state) {
    (void)state;
#ifdef SANITIZED
    const uint64_t otherwise = 4000;
#else
    const uint64_t otherwise = 10000;
#endif
    const uint64_t first = wish("ZO_PET_FIRST", 0), end = first + wish("ZO_PET_RUNS", test_share(otherwise));
    static random_pet pet;
    static story s;
    static block memory;
    static ear whole, cut;
    zo_program *program = NULL;
    zo_pose *pose = NULL, *other = NULL;
    uint64_t events = 0;
    at_hand = &pet;
    for (run_at_hand = first; run_at_hand < end; run_at_hand++) {
        if (program == NULL || run_at_hand % RUNS_OF_A_PET == 0) {
            uint64_t random = run_at_hand / RUNS_OF_A_PET * 0x9E3779B97F4A7C15u + 1;
            zo_pose_free(pose);
            zo_pose_free(other);
            zo_program_free(program);
            random_pet_write(&pet, &random);
            program = random_pet_compile(&pet);
            CHECK(program != NULL);
            pose = zo_pose_create(program, NULL);
            other = zo_pose_create(program, NULL);
            assert_true(pose && other);
        }
        uint64_t random = (run_at_hand + 1) * 0xD1B54A32D192ED03u;
        const zo_instance_def def = random_def(&random);
        write_story(&s, &random, program);
        CHECK(zo_instance_size(program, &def) <= sizeof memory.bytes);
        zo_instance *i = zo_instance_init(memory.bytes, sizeof memory.bytes, program, &def);
        memset(&whole, 0, sizeof whole);
        whole.instance = i;
        play_whole(&s, i, &whole, pose);
        put_back(&s, i);

        i = zo_instance_init(memory.bytes, sizeof memory.bytes, program, &def);
        memset(&cut, 0, sizeof cut);
        play_cut(&s, i, &random, &cut, pose, other);
        CHECK(whole.count == cut.count && whole.hash == cut.hash);
        seek_about(&s, program, &def, &random, &whole);
        events += whole.count;
    }
    zo_pose_free(pose);
    zo_pose_free(other);
    zo_program_free(program);
    CHECK(first != 0 || end < 1000 || events > 16 * end); // they are not asleep
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_pet_is_the_same_however_time_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
