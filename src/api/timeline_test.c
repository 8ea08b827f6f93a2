// Any instant can be asked for in any order: what a timeline stands at equals what playing to it gives, to the byte, and it
// tells each event once. Programs, inputs, cuts and orders are random; the seeds are fixed, so a failure comes again.
// ZO_TIMELINE_RUNS says how many (10,000; ZO_TEST_SHARE counts).
#include <zoetrope/timeline.h>

#include "base/test_share.h"
#include "runtime/test_random.h"

enum { INPUTS_MAX = 8, STOPS_MAX = 6 };

static uint32_t run_count(void) {
    const char *wish = getenv("ZO_TIMELINE_RUNS");
    const unsigned long count = wish ? strtoul(wish, NULL, 10) : 0;
    return (uint32_t)(count > 0 ? count : test_share(10000));
}

// Numbers and texts that inputs point to; every input has its own, and they are overwritten after it has been added.
typedef struct material {
    double params[2];
    char text[16], source[16];
} material;

static zo_input random_input(uint64_t *random, const zp_program *program, material *of) {
    zo_input in = {.kind = (zo_input_kind)test_below(random, ZO_INPUT_COUNT)};
    if (test_below(random, 3) == 0) { in.kind = ZO_INPUT_START; }
    const uint32_t param_count = zp_count(program, ZP_SECTION_PARAMS);
    if (in.kind == ZO_INPUT_RAMP_PARAM) { in.kind = ZO_INPUT_SET_PARAM_LINE; } // there are no controls here
    const bool sets = in.kind == ZO_INPUT_SET_PARAM || in.kind == ZO_INPUT_SET_PARAM_LINE;
    if (sets && param_count == 0) { in.kind = ZO_INPUT_CLICK; }
    in.on = test_below(random, 2);
    in.number = test_unit(random) * 2;
    const uint32_t cel = 1 + test_below(random, 3);
    switch (in.kind) {
    case ZO_INPUT_START:
        in.id = 1 + test_below(random, zp_count(program, ZP_SECTION_CLIPS));
        of->params[0] = 2 * test_unit(random);
        of->params[1] = test_below(random, 2) ? (double)NAN : 1.5;
        in.run = (zo_run_def){.params = of->params, .param_count = test_below(random, 3)};
        in.run.cel.id = test_below(random, 4);
        if (test_below(random, 3) == 0) { in.run.duration_ns = MS + test_below(random, 1u << 28); }
        if (test_below(random, 3) == 0) {
            in.run.set_repeat = true;
            in.run.repeat = (zo_repeat)test_below(random, ZP_REPEAT_COUNT);
            in.run.delay_ms_min = in.run.delay_ms_max = 30;
        }
        break;
    case ZO_INPUT_CANCEL:
    case ZO_INPUT_PAUSE:
    case ZO_INPUT_RESUME: in.id = 1 + test_below(random, 8); break;
    case ZO_INPUT_SET_PARAM_LINE:
    case ZO_INPUT_SET_PARAM: in.id = 1 + test_below(random, param_count); break;
    case ZO_INPUT_SHOW:
    case ZO_INPUT_SHOW_NEXT: in.id = cel - 1; break;
    case ZO_INPUT_FLASH: in.number *= 100; in.id = cel; break;
    case ZO_INPUT_SET_CEL: in.id = cel; break;
    case ZO_INPUT_REQUEST:
        snprintf(of->text, sizeof of->text, "%c%u", in.on ? 's' : 'g', test_below(random, RANDOM_STATES));
        in.text = of->text;
        break;
    case ZO_INPUT_TRIGGER:
        snprintf(of->text, sizeof of->text, " g%u", test_below(random, RANDOM_STATES));
        in.text = of->text;
        break;
    case ZO_INPUT_PLAY: in.text = ""; break; // what random clips are called
    case ZO_INPUT_STATUS:
        snprintf(of->text, sizeof of->text, "t%u", test_below(random, RANDOM_SIGNALS + 1));
        snprintf(of->source, sizeof of->source, "source %u", test_below(random, 20));
        in.status = (zo_status_event){.type = of->text, .source = in.on ? of->source : NULL};
        break;
    default: break;
    }
    return in;
}

// The call that an input stands for.
static uint32_t call_of(zo_instance *i, const zo_input *in) {
    const zo_cel cel = {in->id};
    const zo_run run = {in->id};
    switch (in->kind) {
    case ZO_INPUT_START: return zo_instance_start(i, (zo_clip){in->id}, &in->run).id;
    case ZO_INPUT_CANCEL: return zo_instance_cancel(i, run);
    case ZO_INPUT_PAUSE: zo_instance_pause(i, run); break;
    case ZO_INPUT_RESUME: zo_instance_resume(i, run); break;
    case ZO_INPUT_SET_PARAM: zo_instance_set_param(i, (zo_param){in->id}, in->number); break;
    case ZO_INPUT_SHOW: zo_instance_show(i, cel); break;
    case ZO_INPUT_SHOW_NEXT: zo_instance_show_next(i, cel); break;
    case ZO_INPUT_REQUEST: return zo_instance_request(i, in->text);
    case ZO_INPUT_STATUS: return zo_instance_status(i, &in->status);
    case ZO_INPUT_CLICK: return zo_instance_click(i);
    case ZO_INPUT_FLASH: return zo_instance_flash(i, cel, in->number);
    case ZO_INPUT_PLAY: return zo_instance_play(i, in->text, in->on);
    case ZO_INPUT_SET_HIDDEN: zo_instance_set_hidden(i, in->on); break;
    case ZO_INPUT_SET_REDUCED_MOTION: zo_instance_set_reduced_motion(i, in->on); break;
    case ZO_INPUT_SET_CEL: zo_instance_set_cel(i, cel, in->on); break;
    case ZO_INPUT_TRIGGER: return zo_instance_trigger(i, in->text, in->on);
    case ZO_INPUT_RELEASE: return zo_instance_release(i, in->on);
    case ZO_INPUT_SPEAKING: zo_instance_speaking(i, in->on); break;
    case ZO_INPUT_SET_MOUTH: zo_instance_set_mouth(i, in->number); break;
    case ZO_INPUT_SET_PARAM_LINE: zo_instance_set_param_line(i, (zo_param){in->id}, in->number, in->slope); break;
    case ZO_INPUT_RAMP_PARAM: zo_instance_ramp_param(i, (zo_param){in->id}, in->slope); break;
    case ZO_INPUT_POLL: return zo_instance_poll(i, in->number);
    case ZO_INPUT_COUNT: break;
    }
    return 1;
}

// Events as numbers, so that a run costs little: how many, and one number for all of them in their order.
typedef struct tally {
    uint64_t count, hash;
    int64_t last_ns;
} tally;

static void count_event(void *context, const zo_event *e) {
    tally *t = context;
    assert_true(e->t_ns >= t->last_ns);
    t->last_ns = e->t_ns;
    const uint64_t facts[] = {e->kind, e->end, (uint64_t)e->t_ns, e->run.id, e->clip.id, e->index, e->cel.id, e->state.id,
                              e->count, strlen(e->name)};
    t->hash = zb_hash_bytes(facts, sizeof facts, t->hash);
    ++t->count;
}

static void play(zo_instance *i, int64_t dt_ns, uint32_t capacity, tally *t) {
    zo_event events[8];
    zo_step step = {.left_ns = dt_ns};
    do {
        step = zo_instance_advance(i, step.left_ns, events, capacity);
        for (uint32_t e = 0; e < step.count && t; ++e) { count_event(t, &events[e]); }
    } while (step.more || step.left_ns > 0);
}

static void play_in_parts(zo_instance *i, int64_t dt_ns, uint64_t *random, tally *t) {
    do {
        const int64_t part = test_below(random, 1u << 26), step_ns = part < dt_ns ? part : dt_ns;
        play(i, step_ns, 1 + test_below(random, 4), t);
        dt_ns -= step_ns;
    } while (dt_ns > 0);
}

typedef struct block {
    _Alignas(16) uint8_t bytes[1 << 16];
    size_t size;
} block;

static void keep(block *to, const zo_instance *i) {
    to->size = zo_instance_snapshot(i, to->bytes, sizeof to->bytes);
    assert_true(to->size <= sizeof to->bytes);
}

static void assert_stands_at(const zo_instance *i, const block *expected) {
    static block now;
    keep(&now, i);
    assert_int_equal(now.size, expected->size);
    assert_memory_equal(now.bytes, expected->bytes, now.size);
}

typedef struct script {
    uint32_t input_count, stop_count;
    zo_input inputs[INPUTS_MAX];
    material materials[INPUTS_MAX];
    int64_t stops_ns[STOPS_MAX]; // rising; after the inputs
} script;

static int64_t random_gap(uint64_t *random) {
    if (test_below(random, 4) == 0) { return 0; }
    return test_below(random, 3) ? test_below(random, 1u << 28) : test_below(random, 30) * 10 * MS;
}

static void write_script(script *s, uint64_t *random, const zp_program *program, int64_t from_ns) {
    s->input_count = 1 + test_below(random, INPUTS_MAX);
    for (uint32_t i = 0; i < s->input_count; ++i) {
        from_ns += random_gap(random);
        s->inputs[i] = random_input(random, program, &s->materials[i]);
        s->inputs[i].t_ns = from_ns;
    }
}

static void add(zo_timeline *timeline, script *s, uint32_t index, uint32_t expected) {
    material copy = s->materials[index]; // what it points to may go when it has been added
    zo_input in = s->inputs[index];
    if (in.run.params) { in.run.params = copy.params; }
    if (in.text == s->materials[index].text) { in.text = copy.text; }
    if (in.status.type) { in.status.type = copy.text; }
    if (in.status.source) { in.status.source = copy.source; }
    uint32_t result = 77;
    assert_int_equal(zo_timeline_add(timeline, &in, &result), ZO_OK);
    assert_int_equal(result, expected);
    memset(&copy, 0x5A, sizeof copy);
}

// Plays a script on a bare instance and through the timeline, which may stand anywhere after `from_ns`; `stands` get what
// the instance is at the stops.
static void follow(const zp_program *program, const zo_timeline_def *def, zo_timeline *timeline, script *s,
                   uint32_t kept, uint64_t *random, block *stands) {
    const size_t size = zo_instance_size(program, &def->instance);
    static block memory;
    assert_true(size <= sizeof memory.bytes);
    zo_instance *i = zo_instance_init(memory.bytes, sizeof memory.bytes, program, &def->instance);
    tally heard = {0}, told = {0};
    zo_timeline_listen(timeline, kept == 0 ? count_event : NULL, &heard);
    uint32_t stop = 0;
    for (uint32_t n = 0; n < s->input_count; ++n) {
        play_in_parts(i, s->inputs[n].t_ns - zo_instance_now_ns(i), random, &told);
        const uint32_t expected = call_of(i, &s->inputs[n]);
        if (n < kept) { continue; } // it is there already
        const zo_instance *at = zo_timeline_seek(timeline, s->inputs[n].t_ns);
        assert_ptr_equal(at, zo_timeline_instance(timeline));
        add(timeline, s, n, expected);
    }
    int64_t t_ns = zo_instance_now_ns(i);
    for (; stop < STOPS_MAX; ++stop) {
        t_ns += random_gap(random);
        play_in_parts(i, t_ns - zo_instance_now_ns(i), random, &told);
        s->stops_ns[stop] = t_ns;
        keep(&stands[stop], i);
    }
    assert_stands_at(zo_timeline_seek(timeline, t_ns), &stands[STOPS_MAX - 1]);
    if (kept == 0) {
        assert_int_equal(heard.count, told.count); // each once,
        assert_int_equal(heard.hash, told.hash);   // and in the same order
    }
    assert_int_equal(zo_timeline_input_count(timeline), s->input_count);
    zo_timeline_listen(timeline, NULL, NULL);
}

static void any_instant_equals_playing_to_it(void **state) {
    (void)state;
    static block stands[STOPS_MAX];
    static script s;
    zp_program *program = NULL;
    const uint32_t count = run_count();
    for (uint32_t run = 0; run < count; ++run) {
        uint64_t random = (run + 1) * 0x9E3779B97F4A7C15u;
        if (run % 8 == 0) { // making one costs as much as playing some
            zp_program_free(program);
            uint32_t clip_count;
            program = random_program_of(&random, &clip_count, test_below(&random, 2));
        }
        zo_timeline_def def = {.instance = {.seed = random, .run_capacity = 1 + test_below(&random, 6)}};
        def.instance.reduced_motion = test_below(&random, 4) == 0;
        def.snapshot_every_ns = test_below(&random, 3) ? (1 + test_below(&random, 50)) * 10 * MS : 0;
        def.snapshot_max = 1 + test_below(&random, 6);
        zo_timeline *timeline = zo_timeline_create(program, &def, NULL);
        assert_non_null(timeline);
        write_script(&s, &random, program, 0);
        follow(program, &def, timeline, &s, 0, &random, stands);
        for (uint32_t n = 0; n < 4; ++n) {
            const uint32_t stop = test_below(&random, STOPS_MAX);
            if (test_below(&random, 2)) { zo_timeline_seek(timeline, test_below(&random, 1u << 30)); }
            assert_stands_at(zo_timeline_seek(timeline, s.stops_ns[stop]), &stands[stop]);
        }
        assert_true(zo_timeline_snapshot_count(timeline) <= (def.snapshot_max < 2 ? 2 : def.snapshot_max));

        // Another future from an instant in the middle: what was noted for later is gone.
        uint32_t kept = test_below(&random, s.input_count);
        while (kept > 0 && s.inputs[kept - 1].t_ns == s.inputs[kept].t_ns) { --kept; }
        if (kept > 0) {
            const int64_t from_ns = s.inputs[kept - 1].t_ns;
            const script before = s;
            write_script(&s, &random, program, from_ns);
            const uint32_t fresh = s.input_count < INPUTS_MAX - kept ? s.input_count : INPUTS_MAX - kept;
            for (uint32_t n = fresh; n-- > 0;) { // its own material moves with it
                const zo_input in = s.inputs[n];
                s.materials[kept + n] = s.materials[n];
                s.inputs[kept + n] = in;
                zo_input *moved = &s.inputs[kept + n];
                if (in.run.params) { moved->run.params = s.materials[kept + n].params; }
                if (in.text == s.materials[n].text) { moved->text = s.materials[kept + n].text; }
                if (in.status.type) { moved->status.type = s.materials[kept + n].text; }
                if (in.status.source) { moved->status.source = s.materials[kept + n].source; }
            }
            for (uint32_t n = 0; n < kept; ++n) {
                s.inputs[n] = before.inputs[n]; // they point into s
                s.materials[n] = before.materials[n];
            }
            s.input_count = kept + fresh;
            s.inputs[kept].t_ns = from_ns; // before anything that was noted there
            follow(program, &def, timeline, &s, kept, &random, stands);
            const uint32_t stop = test_below(&random, STOPS_MAX);
            assert_stands_at(zo_timeline_seek(timeline, s.stops_ns[stop]), &stands[stop]);
        }
        zo_timeline_free(timeline);
    }
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- bounds

typedef struct counter {
    size_t alive;
    uint32_t calls, fails_at, fails_from; // 0: never
} counter;
static void *counted_alloc(void *context, size_t size) {
    counter *c = context;
    ++c->calls;
    if (c->calls == c->fails_at || (c->fails_from > 0 && c->calls >= c->fails_from)) { return NULL; }
    c->alive += size;
    return malloc(size);
}
static void counted_free(void *context, void *memory, size_t size) {
    counter *c = context;
    c->alive -= size;
    free(memory);
}

static zp_program *ticking(void) { // tells at 0, 104 and 260 of every 260 ms, and waits at random
    test_build t;
    test_open(&t);
    test_simple(&t, test_clip(ZP_REPEAT_LOOP, 260 * MS), false, 3, (const double[]){0, 0.4, 1});
    zp_clip clip = test_clip(ZP_REPEAT_RANDOM_INTERVAL, 100 * MS);
    clip.delay_min = 50;
    clip.delay_max = 5000;
    test_simple(&t, clip, false, 1, (const double[]){0.5});
    zp_build_play(t.b, &(zp_play){.clip = 0});
    zp_build_play(t.b, &(zp_play){.clip = 1});
    return test_close(&t);
}

static void memory_is_bounded_and_returned(void **state) {
    (void)state;
    zp_program *program = ticking();
    counter count = {0};
    const zo_allocator allocator = {&count, counted_alloc, counted_free};
    const zo_timeline_def def = {.snapshot_every_ns = 1, .snapshot_max = 16};
    zo_timeline *timeline = zo_timeline_create(program, &def, &allocator);
    const size_t size = zo_instance_size(program, NULL);
    for (int64_t t_ns = 1; t_ns < 3600 * 1000 * MS; t_ns = t_ns * 3) {
        zo_timeline_seek(timeline, t_ns);
        assert_int_equal(zo_timeline_size(timeline), count.alive);
        assert_true(count.alive < 20 * size);
        assert_in_range(zo_timeline_snapshot_count(timeline), 1, 16);
        if (t_ns > 100) { assert_in_range(zo_timeline_snapshot_count(timeline), 4, 16); }
    }
    zo_timeline_seek(timeline, 0);
    assert_int_equal(zo_instance_now_ns(zo_timeline_instance(timeline)), 0);
    const uint32_t calls = count.calls;
    zo_timeline_free(timeline);
    assert_int_equal(count.alive, 0);

    for (uint32_t fails_at = 1; fails_at <= 12; ++fails_at) { // short of memory at any place
        count = (counter){.fails_at = fails_at};
        timeline = zo_timeline_create(program, &def, &allocator);
        assert_true(timeline != NULL || fails_at <= 4);
        if (timeline) {
            uint32_t result = 0;
            const zo_input in = {.kind = ZO_INPUT_START, .id = 1, .run = {.params = (const double[]){1}, .param_count = 1}};
            zo_status status = zo_timeline_add(timeline, &in, &result);
            if (status == ZO_NO_MEMORY) {
                assert_int_equal(zo_timeline_input_count(timeline), 0);
                assert_int_equal(zo_instance_live_count(zo_timeline_instance(timeline)), 2);
                status = zo_timeline_add(timeline, &in, &result);
            }
            assert_int_equal(status, ZO_OK);
            assert_int_equal(result, 3);
            static block late;
            keep(&late, zo_timeline_seek(timeline, 100));
            zo_timeline_seek(timeline, 3);
            assert_stands_at(zo_timeline_seek(timeline, 100), &late);
            zo_timeline_free(timeline);
        }
        assert_int_equal(count.alive, 0);
    }
    assert_true(calls > 16);

    count = (counter){0}; // none left for any snapshot: the way is no longer for that
    timeline = zo_timeline_create(program, &def, &allocator);
    count.fails_from = count.calls + 1;
    zo_timeline_seek(timeline, 3600 * 1000 * MS);
    assert_in_range(count.calls, count.fails_from, count.fails_from + 64);
    zo_timeline_free(timeline);
    assert_int_equal(count.alive, 0);
    zp_program_free(program);
}

static void what_cannot_be_called_is_refused(void **state) {
    (void)state;
    zp_program *program = ticking();
    zo_timeline *timeline = zo_timeline_create(program, NULL, NULL);
    const zo_input bad[] = {
        {.kind = ZO_INPUT_COUNT}, {.kind = (zo_input_kind)1000}, {.kind = ZO_INPUT_START, .id = 0},
        {.kind = ZO_INPUT_START, .id = 3}, {.kind = ZO_INPUT_START, .id = 1, .run = {.cel = {4}}},
        {.kind = ZO_INPUT_START, .id = 1, .run = {.param_count = 1}}, {.kind = ZO_INPUT_SET_PARAM, .id = 1},
        {.kind = ZO_INPUT_SHOW, .id = 4}, {.kind = ZO_INPUT_FLASH, .id = 0}, {.kind = ZO_INPUT_SET_CEL, .id = 0},
        {.kind = ZO_INPUT_REQUEST}, {.kind = ZO_INPUT_PLAY}, {.kind = ZO_INPUT_STATUS},
    };
    for (uint32_t i = 0; i < ZB_COUNT(bad); ++i) {
        assert_int_equal(zo_timeline_add(timeline, &bad[i], NULL), ZO_INVALID);
    }
    assert_int_equal(zo_timeline_input_count(timeline), 0);
    zo_input in = {.kind = ZO_INPUT_CANCEL, .id = 99, .t_ns = 5};
    uint32_t result = 7;
    assert_int_equal(zo_timeline_add(timeline, &in, &result), ZO_OK);
    assert_int_equal(result, 0);
    assert_true(zo_timeline_input_at(timeline, 0, &in));
    assert_int_equal(in.t_ns, 0); // when it was added
    assert_false(zo_timeline_input_at(timeline, 1, &in));
    zo_timeline_free(timeline);
    zp_program_free(program);
}

// Three days, frame by frame and at once.
static void three_days_are_no_different(void **state) {
    (void)state;
    zp_program *program = ticking();
    const int64_t hours_ns = (int64_t)test_share(72) * 3600 * 1000000000, frame_ns = 16670000;
    const zo_timeline_def def = {.instance = {.seed = 5}, .snapshot_every_ns = 60000 * MS};
    zo_timeline *timeline = zo_timeline_create(program, &def, NULL);
    static block memory, end;
    zo_instance *i = zo_instance_init(memory.bytes, sizeof memory.bytes, program, &def.instance);
    for (int64_t now = 0; now < hours_ns; now += frame_ns) {
        play(i, now + frame_ns <= hours_ns ? frame_ns : hours_ns - now, 8, NULL);
    }
    keep(&end, i);
    assert_stands_at(zo_timeline_seek(timeline, hours_ns), &end);
    const double expected = 10 + (20 - 10.0) * ((double)(hours_ns % (260 * MS)) / (double)(260 * MS));
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance_sample(i, pose);
    if (zr_runs(i)[1].phase == ZR_WAITING) { assert_true(pose->slots[X] == expected); }
    zo_timeline_seek(timeline, hours_ns / 2);
    assert_stands_at(zo_timeline_seek(timeline, hours_ns), &end);
    zo_pose_free(pose);
    zo_timeline_free(timeline);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- snapshots

static void a_snapshot_fits_its_own_kind_only(void **state) {
    (void)state;
    zp_program *program = ticking(), *other = ticking();
    zo_instance *i = zo_instance_create(program, NULL, NULL), *j = zo_instance_create(other, NULL, NULL);
    zo_instance *small = zo_instance_create(program, &(zo_instance_def){.run_capacity = 4}, NULL);
    static block then;
    play(i, 500 * MS, 8, NULL);
    assert_int_equal(zo_instance_snapshot(i, NULL, 0), i->size);
    assert_int_equal(zo_instance_snapshot(i, then.bytes, i->size - 1), i->size);
    keep(&then, i);
    assert_false(zo_instance_restore(i, NULL, 0));
    assert_false(zo_instance_restore(i, then.bytes, then.size - 1));
    assert_false(zo_instance_restore(j, then.bytes, then.size));
    assert_false(zo_instance_restore(small, then.bytes, then.size));
    play(i, 700 * MS, 8, NULL);
    memmove(then.bytes + 1, then.bytes, then.size); // at any address
    assert_true(zo_instance_restore(i, then.bytes + 1, then.size));
    memmove(then.bytes, then.bytes + 1, then.size);
    assert_stands_at(i, &then);
    zo_instance_free(i); // with its own allocator
    zo_instance_free(j);
    zo_instance_free(small);
    zp_program_free(program);
    zp_program_free(other);
}

// ---------------------------------------------------------------------------------------------------- reloads

typedef struct losses {
    char text[512]; // a word each: kind, name
} losses;

static void note_loss(void *context, const zo_gone *gone) {
    losses *l = context;
    const size_t size = strlen(l->text);
    snprintf(l->text + size, sizeof l->text - size, "%s%c:%s", size ? " " : "", "rpces"[gone->kind], gone->name);
}

static void count_loss(void *context, const zo_gone *gone) {
    assert_non_null(gone->name);
    ++*(uint32_t *)context;
}

// Onto the same program nothing changes at all.
static void adopting_oneself_changes_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_share(1500); ++seed) {
        uint64_t random = seed * 0xA0761D6478BD642Fu;
        uint32_t clip_count, lost = 0;
        zp_program *program = random_program_of(&random, &clip_count, seed % 2);
        const zo_instance_def def = {.seed = seed, .run_capacity = 1 + test_below(&random, 8)};
        zo_instance *old = zo_instance_create(program, &def, NULL), *i = zo_instance_create(program, &def, NULL);
        material of;
        for (uint32_t turn = 0; turn < 8; ++turn) {
            const zo_input in = random_input(&random, program, &of);
            call_of(old, &in);
            play(old, random_gap(&random), 8, NULL);
        }
        zo_instance_adopt(i, old, count_loss, &lost);
        assert_int_equal(lost, 0);
        static block then;
        keep(&then, old);
        assert_stands_at(i, &then);
        zo_instance_free(old);
        zo_instance_free(i);
        zp_program_free(program);
    }
}

// A timeline goes on where an instance stands and plays as that would; its beginning is there, and not before.
static void an_adopting_timeline_begins_there(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        uint64_t random = seed * 0x9E3779B97F4A7C15u;
        uint32_t clip_count, lost = 0;
        zp_program *program = random_program_of(&random, &clip_count, seed % 2);
        const zo_timeline_def def = {.instance = {.seed = seed}, .snapshot_max = 2 + test_below(&random, 4)};
        zo_instance *old = zo_instance_create(program, &def.instance, NULL);
        zo_timeline *timeline = zo_timeline_create(program, &def, NULL);
        material of;
        for (uint32_t turn = 0; turn < 6; ++turn) {
            const zo_input in = random_input(&random, program, &of);
            call_of(old, &in);
            play(old, random_gap(&random), 8, NULL);
        }
        zo_timeline_adopt(timeline, old, count_loss, &lost);
        static block begin, end;
        const int64_t begin_ns = zo_instance_now_ns(old);
        play(old, 0, 8, NULL);
        keep(&begin, old);
        assert_stands_at(zo_timeline_seek(timeline, 0), &begin);
        for (uint32_t turn = 0; turn < 6; ++turn) {
            const zo_input in = random_input(&random, program, &of);
            assert_int_equal(zo_timeline_add(timeline, &in, NULL), ZO_OK);
            call_of(old, &in);
            play(old, random_gap(&random) * 4, 8, NULL);
            zo_timeline_seek(timeline, zo_instance_now_ns(old));
        }
        keep(&end, old);
        assert_stands_at(zo_timeline_instance(timeline), &end);
        assert_int_equal(zo_instance_now_ns(zo_timeline_seek(timeline, begin_ns > 0 ? begin_ns - 1 : 0)), begin_ns);
        assert_stands_at(zo_timeline_seek(timeline, zo_instance_now_ns(old)), &end);
        assert_int_equal(lost, 0);
        zo_timeline_free(timeline);
        zo_instance_free(old);
        zp_program_free(program);
    }
}

// Onto any other program it goes on somehow: what is gone is told, what is left plays, starts and ends still pair.
static void adopting_anything_goes_on(void **state) {
    (void)state;
    uint32_t lost = 0;
    for (uint64_t seed = 1; seed <= test_share(1500); ++seed) {
        uint64_t random = seed * 0xD1342543DE82EF95u;
        uint32_t counts[2];
        zp_program *programs[2];
        zo_instance *of[2];
        for (uint32_t p = 0; p < 2; ++p) {
            programs[p] = random_program_of(&random, &counts[p], test_below(&random, 3));
            const zo_instance_def def = {.seed = p, .run_capacity = 1 + test_below(&random, 8),
                                         .effect_capacity = 1 + test_below(&random, 8)};
            of[p] = zo_instance_create(programs[p], &def, NULL);
        }
        material m;
        for (uint32_t turn = 0; turn < 8; ++turn) {
            const zo_input in = random_input(&random, programs[0], &m);
            call_of(of[0], &in);
            if (turn < 7 || test_below(&random, 2)) { play(of[0], random_gap(&random), 8, NULL); } // all told, or not
        }
        zo_instance_adopt(of[1], of[0], count_loss, &lost);
        assert_int_equal(zo_instance_now_ns(of[1]), zo_instance_now_ns(of[0]));
        assert_true(of[1]->run_count <= of[1]->run_capacity);
        int64_t live = 0; // starts that have been told without their ends
        for (uint32_t r = 0; r < of[0]->run_count; ++r) { live += zr_runs(of[0])[r].announced; }
        for (uint32_t n = 0; n < of[0]->notice_count; ++n) { live += zr_notices(of[0])[n].kind == ZR_NOTICE_END; }
        zo_pose *pose = zo_pose_create(programs[1], NULL);
        for (uint32_t turn = 0; turn < 4; ++turn) {
            zo_step step = {.left_ns = random_gap(&random)};
            do {
                zo_event events[8];
                step = zo_instance_advance(of[1], step.left_ns, events, 8);
                for (uint32_t e = 0; e < step.count; ++e) {
                    live += (events[e].kind == ZO_EVENT_RUN_START) - (events[e].kind == ZO_EVENT_RUN_END);
                }
            } while (step.more || step.left_ns > 0);
            zo_instance_sample(of[1], pose);
            for (uint32_t s = 0; s < pose->slot_count; ++s) { assert_true(pose->slots[s] == pose->slots[s]); }
            const zo_input in = random_input(&random, programs[1], &m);
            call_of(of[1], &in);
        }
        play(of[1], 0, 8, NULL);
        if (of[1]->run_capacity >= of[0]->run_capacity) { assert_true(live >= 0); }
        zo_pose_free(pose);
        for (uint32_t p = 0; p < 2; ++p) {
            zo_instance_free(of[p]);
            zp_program_free(programs[p]);
        }
    }
    assert_true(lost > 100);
}

typedef struct edition { // a program that is edited between two reloads
    int64_t walk_ns;
    bool has_wave, has_hop;
    const char *strength, *cel, *effect;
} edition;

static void named_clip(test_build *t, zp_clip clip, const char *name) {
    clip.name = zp_build_name(t->b, zb_text(name));
    zp_build_clip_begin(t->b, &clip, NOWHERE);
}

static zp_program *print(const edition *e) {
    test_build t;
    test_open(&t);
    zp_build_target(t.b, &(zp_target){.compose = ZP_COMPOSE_TRS2});
    if (e->has_hop) {
        named_clip(&t, test_clip(ZP_REPEAT_ONCE, 100 * MS), "hop");
        LINE(&t, Y, 0, 1);
        zp_build_play(t.b, &(zp_play){.clip = zp_build_clip_end(t.b)});
    }
    named_clip(&t, test_clip(ZP_REPEAT_ONCE, e->walk_ns), "walk");
    zp_build_param(t.b, &(zp_param){.name = zp_build_name(t.b, zb_text(e->strength)), .value = 1, .low = 0, .high = 3},
                   NOWHERE);
    LINE(&t, X, 10, 20);
    test_event(&t, e->walk_ns, 0.25, ZP_ACTION_NOTIFY, 0, "left");
    test_event(&t, e->walk_ns, 0.75, ZP_ACTION_NOTIFY, 0, "right");
    zp_build_clip_end(t.b);
    if (e->has_wave) {
        named_clip(&t, test_clip(ZP_REPEAT_LOOP, 300 * MS), "wave");
        LINE(&t, TURN, 0, 30);
        zp_build_clip_end(t.b);
    }
    zp_build_cel(t.b, &(zp_cel){.name = zp_build_name(t.b, zb_text(e->cel)), .scale = 1}, NOWHERE);
    const zp_range life = {500, 500};
    if (e->effect) { test_effect(&t, 0, 3, 300, life); }
    named_clip(&t, test_clip(ZP_REPEAT_ONCE, 50 * MS), "burst");
    test_event(&t, 50 * MS, 0, ZP_ACTION_START_EFFECT, e->effect ? 1 : 0, "puff");
    zp_build_clip_end(t.b);
    return test_close(&t);
}

static zo_instance *begin(zp_program *program) { // walk (run 1) and wave (run 2) at 0, a burst; at 500 ms
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.seed = 9}, NULL);
    const zo_run_def def = {.params = (const double[]){2.5}, .param_count = 1};
    assert_int_equal(zo_instance_start(i, zo_clip_find(program, "walk"), &def).id, 1);
    assert_int_equal(zo_instance_start(i, zo_clip_find(program, "wave"), NULL).id, 2);
    zo_instance_show(i, (zo_cel){4});
    play(i, 100 * MS, 8, NULL);
    zo_instance_start(i, zo_clip_find(program, "burst"), NULL);
    play(i, 400 * MS, 8, NULL);
    assert_int_equal(zo_instance_particle_count(i), 3);
    return i;
}

static void a_reload_carries_over_what_has_its_name(void **state) {
    (void)state;
    const edition first = {1000 * MS, true, false, "strength", "happy", "puff"};
    zp_program *old_program = print(&first);
    zo_instance *old = begin(old_program);
    static const struct {
        edition e;
        const char *gone, *events; // told in the next 1.5 s
        double x, turn;            // at once
    } rows[] = {
        // The same: half of the way, 200 of 300 ms.
        {{1000 * MS, true, false, "strength", "happy", "puff"}, "", "750:1.right 1000-1", 15, 20},
        // Longer: it stands at 500 ms of 2 s, where the first event is due now and has been told already.
        {{2000 * MS, true, false, "strength", "happy", "puff"}, "", "1500:1.right 2000-1", 12.5, 20},
        // Shorter: its end is due at once, its second event has passed.
        {{400 * MS, true, false, "strength", "happy", "puff"}, "", "500-1", 20, 20},
        // A clip gone: it ends, with no clip.
        {{1000 * MS, false, false, "strength", "happy", "puff"}, "r:wave", "500x2 750:1.right 1000-1", 15, 0},
        // A parameter under another name has its default.
        {{1000 * MS, true, false, "power", "happy", "puff"}, "p:strength", "750:1.right 1000-1", 15, 20},
        // A picture and an effect gone.
        {{1000 * MS, true, false, "strength", "sad", NULL}, "c:happy e:puff", "750:1.right 1000-1", 15, 20},
        // A clip that the new program plays from the start begins, and holds the layer.
        {{1000 * MS, true, true, "strength", "happy", "puff"}, "", "500+4 600-4 750:1.right 1000-1", 0, 20},
    };
    for (uint32_t r = 0; r < ZB_COUNT(rows); ++r) {
        zp_program *program = print(&rows[r].e);
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        losses lost = {""};
        zo_instance_adopt(i, old, note_loss, &lost);
        assert_string_equal(lost.text, rows[r].gone);
        assert_int_equal(zo_instance_now_ns(i), 500 * MS);
        ASSERT_SLOT(i, X, rows[r].x);
        ASSERT_SLOT(i, TURN, rows[r].turn);
        const zr_run *walk = zr_run_find(i, 1);
        assert_true(zr_run_values(i, walk)[0] == (strcmp(rows[r].e.strength, "strength") == 0 ? 2.5 : 1.0));
        assert_int_equal(zo_instance_shown(i).id, strcmp(rows[r].e.cel, "happy") == 0 ? 4 : 1);
        assert_int_equal(zo_instance_particle_count(i), rows[r].e.effect ? 3 : 0);
        if (rows[r].e.effect) {
            zo_particle was, is;
            assert_true(zo_instance_particle_at(old, 1, &was) && zo_instance_particle_at(i, 1, &is));
            assert_true(was.x == is.x && was.y == is.y && was.age_ns == is.age_ns && was.width == is.width);
        }
        zo_instance *again = zo_instance_create(program, NULL, NULL); // saved twice before anything could be told
        zo_instance_adopt(again, i, NULL, NULL);
        EXPECT(again, 1500 * MS, rows[r].events);
        zo_instance_free(again);
        EXPECT(i, 1500 * MS, rows[r].events);
        zo_instance_free(i);
        zp_program_free(program);
    }
    zo_instance_free(old);
    zp_program_free(old_program);
}

// A pet with two states: "rest" plays "breathe" beside, "work" is entered by "jump" (200 ms, the picture turns at 100) and
// plays "type" beside.
typedef struct pet {
    const char *work, *jump, *type;
    double type_value;
} pet;

static uint32_t later(test_build *t, uint32_t clip, double value) {
    return zp_build_play(t->b, &(zp_play){.clip = clip, .flags = ZP_PLAY_LATER, .first_value =
                                          zp_build_numbers(t->b, &value, 1), .value_count = value != 0}) + 1;
}

static zp_program *print_pet(const pet *p) {
    test_build t;
    test_open(&t);
    named_clip(&t, test_clip(ZP_REPEAT_LOOP, 400 * MS), "breathe");
    LINE(&t, SCALE, 1, 2);
    const uint32_t breathe = zp_build_clip_end(t.b);
    named_clip(&t, test_clip(ZP_REPEAT_ONCE, 200 * MS), p->jump);
    LINE(&t, X, 0, 40);
    test_event(&t, 200 * MS, 0.5, ZP_ACTION_SHOW_CEL, 0, "");
    const uint32_t jump = zp_build_clip_end(t.b);
    named_clip(&t, test_clip(ZP_REPEAT_LOOP, 500 * MS), p->type);
    zp_build_param(t.b, &(zp_param){.name = zp_build_name(t.b, ZB_TEXT("speed")), .value = 1, .low = 0, .high = 9}, NOWHERE);
    LINE(&t, TURN, 0, 50);
    const uint32_t type = zp_build_clip_end(t.b);
    const uint32_t lanes[] = {later(&t, breathe, 0), later(&t, type, p->type_value)};
    const uint32_t enter_ref = later(&t, jump, 0), machine = zp_build_machine(t.b, &(zp_machine){.commit = ZP_COMMIT_AT_EVENT});
    const char *const states[] = {"rest", p->work};
    for (uint32_t i = 0; i < 2; ++i) {
        const zp_name name = zp_build_name(t.b, zb_text(states[i]));
        zp_build_state(t.b, &(zp_state){.name = name, .group = name, .cel_ref = i + 1, .play_count = 1,
                                        .first_play = zp_build_words(t.b, &lanes[i], 1)});
    }
    zp_build_edge(t.b, &(zp_edge){.to = 1, .enter_ref = enter_ref});
    zp_build_director(t.b, &(zp_director){.machine = machine, .quiet_ns = 60 * MS, .patience_ns = 200 * MS});
    for (uint32_t i = 0; i < 2; ++i) { zp_build_slot(t.b, &(zp_slot){.rank = i, .fresh_ns = -1}); }
    zp_build_signal(t.b, &(zp_signal){.type = zp_build_name(t.b, ZB_TEXT("busy")), .state_ref = 2});
    zp_build_signal(t.b, &(zp_signal){.type = zp_build_name(t.b, ZB_TEXT("idle")), .state_ref = 1});
    return test_close(&t);
}

static const char *state_name(const zo_instance *i) {
    zo_target_state now;
    assert_true(zo_instance_state(i, &now));
    return now.name;
}

// What is played: clips in the order of their starts.
static void assert_plays(const zo_instance *i, const char *expected) {
    char text[128] = "";
    zo_run_info info;
    for (uint32_t n = 0; zo_instance_run_at(i, n, &info); ++n) {
        const size_t size = strlen(text);
        zo_clip_info clip;
        assert_true(zo_clip_get(i->program, info.clip, &clip));
        snprintf(text + size, sizeof text - size, "%s%s", n ? " " : "", clip.name);
    }
    assert_string_equal(text, expected);
}

// What it was started with, and what it shares layers with.
static void a_run_tells_what_it_is(void **state) {
    (void)state;
    static const pet with = {.work = "work", .jump = "jump", .type = "type", .type_value = 2.5};
    zp_program *program = print_pet(&with);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_instance_request(i, "work");
    play(i, 300 * MS, 8, NULL);
    const zo_run_def alternates = {.params = &(double){99}, .param_count = 1, .set_repeat = true,
                                   .repeat = ZO_REPEAT_ALTERNATE};
    const zo_run run = zo_instance_start(i, zo_clip_find(program, "type"), &alternates);
    zo_run_info info;
    double value = 0;
    assert_true(zo_instance_run_at(i, 0, &info));
    assert_int_equal(info.repeat, ZO_REPEAT_LOOP);
    assert_int_equal(info.mix, 0);
    assert_true(zo_instance_run_param(i, info.run, 0, &value));
    assert_true(value == 2.5); // by the state
    assert_false(zo_instance_run_param(i, info.run, 1, &value));
    assert_true(zo_instance_run_at(i, 1, &info));
    assert_int_equal(info.run.id, run.id);
    assert_int_equal(info.repeat, ZO_REPEAT_ALTERNATE);
    assert_true(zo_instance_run_param(i, run, 0, &value));
    assert_true(value == 9); // cut to its limits
    zo_instance_cancel(i, run);
    assert_false(zo_instance_run_param(i, run, 0, &value));
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_reload_keeps_the_state(void **state) {
    (void)state;
    static const struct {
        int64_t at_ns;                 // after it has been told that there is work, which counts 60 ms later
        pet p;
        const char *gone, *at_once, *state, *later; // played at once, 500 ms after
        uint32_t shown, shown_later;
    } rows[] = {
        {150, {"work", "jump", "type", 0}, "", "jump", "work", "type", 1, 2},      // in mid-enter, before the swap
        {200, {"work", "jump", "type", 0}, "", "jump", "work", "type", 2, 2},      // and behind it
        {150, {"work", "leap", "type", 0}, "r:jump", "type", "work", "type", 2, 2}, // the enter is gone: it is over
        {30, {"work", "jump", "type", 0}, "", "breathe", "rest", "type", 1, 2},    // what waits for quiet waits on
        {700, {"work", "jump", "type", 0}, "", "type", "work", "type", 2, 2},
        {700, {"work", "jump", "type", 5}, "", "type", "work", "type", 2, 2},      // with another number: anew
        {700, {"work", "jump", "knit", 0}, "r:type", "knit", "work", "knit", 2, 2}, // it plays another one now
        {700, {"toil", "jump", "type", 0}, "s:work s:work", "breathe", "rest", "breathe", 1, 1}, // back to the first
    };
    for (uint32_t r = 0; r < ZB_COUNT(rows); ++r) {
        const pet first = {"work", "jump", "type", 0};
        zp_program *old_program = print_pet(&first), *program = print_pet(&rows[r].p);
        zo_instance *old = zo_instance_create(old_program, NULL, NULL), *i = zo_instance_create(program, NULL, NULL);
        play(old, 1000 * MS, 8, NULL);
        assert_true(zo_instance_status(old, &(zo_status_event){.type = "busy", .source = "desk"}));
        play(old, rows[r].at_ns * MS, 8, NULL);
        losses lost = {""};
        zo_instance_adopt(i, old, note_loss, &lost);
        assert_string_equal(lost.text, rows[r].gone);
        assert_string_equal(state_name(i), rows[r].state);
        assert_plays(i, rows[r].at_once);
        assert_int_equal(zo_instance_shown(i).id, rows[r].shown);
        play(i, 500 * MS, 8, NULL);
        assert_plays(i, rows[r].later);
        assert_int_equal(zo_instance_shown(i).id, rows[r].shown_later);
        if (strcmp(rows[r].p.work, "work") == 0) { // what the source said is remembered
            zo_instance_status(i, &(zo_status_event){.type = "idle", .source = "desk"});
            play(i, 500 * MS, 8, NULL);
            assert_string_equal(state_name(i), "rest");
        }
        zo_instance_free(old);
        zo_instance_free(i);
        zp_program_free(old_program);
        zp_program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_called_is_refused),
        cmocka_unit_test(any_instant_equals_playing_to_it),
        cmocka_unit_test(memory_is_bounded_and_returned),
        cmocka_unit_test(three_days_are_no_different),
        cmocka_unit_test(a_snapshot_fits_its_own_kind_only),
        cmocka_unit_test(adopting_oneself_changes_nothing),
        cmocka_unit_test(an_adopting_timeline_begins_there),
        cmocka_unit_test(adopting_anything_goes_on),
        cmocka_unit_test(a_reload_carries_over_what_has_its_name),
        cmocka_unit_test(a_run_tells_what_it_is),
        cmocka_unit_test(a_reload_keeps_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
