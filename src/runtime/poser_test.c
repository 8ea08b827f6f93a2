// The machine that shows poses: edges and blends, looks at the world and what they find, cut in any way; hosts that look
// for themselves; going back, and going on after a reload.
#include <zoetrope/zoetrope.h>

#include "runtime/test_program.h"

static const double infinite = (double)INFINITY, no_number = (double)NAN;

// ---------------------------------------------------------------------------------------------------- programs

// A target that x moves and turn turns, in space; and clips, expressions and nodes on request.
typedef struct world {
    test_build t;
} world;

static void open_world(world *w) {
    test_open(&w->t);
    zp_target target = {.name = zp_build_name(w->t.b, ZB_TEXT("lid")), .compose = ZP_COMPOSE_AXIS_ANGLE,
                        .slot_refs = {[ZP_AXIS_ANGLE_OFFSET] = X + 1, [ZP_AXIS_ANGLE_ANGLE] = TURN + 1},
                        .constant = {[ZP_AXIS_ANGLE_AXIS + 2] = 1, [ZP_AXIS_ANGLE_SCALE] = 1,
                                     [ZP_AXIS_ANGLE_SCALE + 1] = 1, [ZP_AXIS_ANGLE_SCALE + 2] = 1}};
    zp_build_target(w->t.b, &target);
}

static zp_name name(world *w, const char *text) { return zp_build_name(w->t.b, zb_text(text)); }

typedef struct mark { double at; const char *name; } mark;

// x from one value to another over a second; events, of which those with a name that begins with "!" ask for a state.
static uint32_t clip_ref(world *w, double from, double to, uint32_t count, const mark *marks) {
    zp_clip clip = test_clip(ZP_REPEAT_LOOP, 1000 * MS);
    clip.flags = ZP_CLIP_WRAPS;
    clip.name = name(w, "c");
    zp_build_clip_begin(w->t.b, &clip, NOWHERE);
    LINE(&w->t, X, from, to);
    for (uint32_t i = 0; i < count; ++i) {
        const bool asks = marks[i].name[0] == '!';
        test_event(&w->t, 1000 * MS, marks[i].at, asks ? ZP_ACTION_REQUEST_STATE : ZP_ACTION_NOTIFY, 0,
                   marks[i].name + asks);
    }
    return zp_build_clip_end(w->t.b) + 1;
}

static uint32_t node(world *w, zp_node_kind kind, uint32_t a, uint32_t b, uint32_t expr, uint32_t clip) {
    const uint32_t ref = zp_build_node(w->t.b, &(zp_node){.kind = (uint32_t)kind, .a_ref = a, .b_ref = b,
                                                          .expr_ref = expr, .clip_ref = clip});
    assert_true(ref != 0);
    return ref;
}

static uint32_t clip_node(world *w, uint32_t clip) { return node(w, ZP_NODE_CLIP, 0, 0, 0, clip); }

static uint32_t trigger(world *w, uint32_t a, uint32_t expr, const char *event) {
    const bool asks = event[0] == '!';
    return zp_build_node(w->t.b, &(zp_node){.kind = ZP_NODE_TRIGGER, .a_ref = a, .expr_ref = expr,
                                            .event = name(w, event + asks),
                                            .detail = asks ? ZP_ACTION_REQUEST_STATE : ZP_ACTION_NOTIFY});
}

// weight * x + offset
static uint32_t line(world *w, double weight, double offset) {
    const double numbers[] = {weight, offset};
    const uint32_t at = zp_build_numbers(w->t.b, numbers, 2);
    const zp_op ops[] = {{ZP_OP_INPUT, 0}, {ZP_OP_NUMBER, at}, {ZP_OP_MUL, 0}, {ZP_OP_NUMBER, at + 1}, {ZP_OP_ADD, 0}};
    return zp_build_expr(w->t.b, &(zp_expr){0}, ops, ZB_COUNT(ops));
}

static uint32_t control(world *w, const char *text, uint32_t flags) {
    const uint32_t c = zp_build_control(w->t.b, &(zp_param){.name = name(w, text), .slope = 1, .flags = flags,
                                                            .low = -infinite, .high = infinite});
    const zp_op ops[] = {{ZP_OP_INPUT, 0}, {ZP_OP_CONTROL, c}};
    return zp_build_expr(w->t.b, &(zp_expr){0}, ops, 2);
}

static void machine(world *w, zp_commit commit, int64_t poll_ns) {
    zp_build_machine(w->t.b, &(zp_machine){.routing = ZP_ROUTING_LISTED, .commit = (uint32_t)commit,
                                           .poll_ns = poll_ns});
}

static uint32_t state(world *w, const char *text, uint32_t node_ref) {
    return zp_build_state(w->t.b, &(zp_state){.name = name(w, text), .group = name(w, text), .node_ref = node_ref});
}

static void edge(world *w, uint32_t from, uint32_t to, int64_t blend_ns) {
    zp_build_edge(w->t.b, &(zp_edge){.from_ref = from + 1, .to = to, .blend_ns = blend_ns});
}

static zp_program *close_world(world *w) {
    zp_program *program = test_close(&w->t);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    return program;
}

// ---------------------------------------------------------------------------------------------------- looking on

static double seen(const zo_instance *i, uint32_t row) { // an entry of the target's transform
    zo_pose *pose = zo_pose_create(i->program, NULL);
    zo_instance_sample(i, pose);
    const double value = pose->transforms[0].m[row];
    zo_pose_free(pose);
    return value;
}
#define ASSERT_AT(instance, value) \
    do { \
        const double seen_ = seen(instance, 3); \
        if (!(fabs(seen_ - (value)) < 1e-9)) { fail_msg("at %.17g, not %.17g", seen_, (double)(value)); } \
    } while (0)

static double weight(const zo_instance *i) {
    zo_target_state at;
    assert_true(zo_instance_state(i, &at));
    return at.weight;
}
static const char *where(const zo_instance *i) {
    zo_target_state at;
    assert_true(zo_instance_state(i, &at));
    return at.name;
}

// A word for each event: what it is, and the time of the world in hundredths of a second.
typedef struct words { char text[1 << 13]; size_t size; uint32_t count; } words;

static void tell(words *log, const zo_event *e) {
    static const char *const kinds[] = {[ZO_EVENT_NOTIFY] = "", [ZO_EVENT_REQUEST_STATE] = "!", [ZO_EVENT_STATE] = ">",
                                        [ZO_EVENT_UNROUTED] = "?"};
    char word[64];
    const bool timed = e->kind == ZO_EVENT_NOTIFY || e->kind == ZO_EVENT_REQUEST_STATE;
    int n = snprintf(word, sizeof word, "%s%s%s", log->count ? " " : "", kinds[e->kind], e->name);
    if (timed) { n += snprintf(word + n, sizeof word - (size_t)n, "@%.0f", floor(e->at_s * 100 + 0.5)); }
    ++log->count;
    if (log->size + (size_t)n + 1 > sizeof log->text) { return; }
    memcpy(log->text + log->size, word, (size_t)n + 1);
    log->size += (size_t)n;
}

static void advance(zo_instance *i, int64_t dt_ns, uint32_t capacity, words *log) {
    zo_event events[8];
    zo_step step = {.left_ns = dt_ns};
    do {
        step = zo_instance_advance(i, step.left_ns, events, capacity);
        for (uint32_t e = 0; e < step.count && log; ++e) { tell(log, &events[e]); }
    } while (step.more || step.left_ns > 0);
}

#define EXPECT_WORDS(instance, dt_ns, expected) \
    do { \
        static words log_; \
        log_ = (words){.size = 0}; \
        advance(instance, dt_ns, 8, &log_); \
        assert_string_equal(log_.text, expected); \
    } while (0)

// ---------------------------------------------------------------------------------------------------- blends

// Three states that stand at 0, 1 and 2.
static zp_program *three_places(int64_t blend_ns) {
    world w;
    open_world(&w);
    uint32_t nodes[3];
    for (uint32_t i = 0; i < 3; ++i) { nodes[i] = clip_node(&w, clip_ref(&w, i, i, 0, NULL)); }
    machine(&w, ZP_COMMIT_AT_ONCE, 0);
    static const char *const names[] = {"nought", "one", "two"};
    for (uint32_t i = 0; i < 3; ++i) { state(&w, names[i], nodes[i]); }
    edge(&w, 0, 1, blend_ns);
    edge(&w, 1, 0, blend_ns);
    edge(&w, 1, 2, blend_ns);
    edge(&w, 2, 1, 0);
    return close_world(&w);
}

static void a_state_is_blended_in_and_only_along_an_edge(void **s) {
    (void)s;
    zp_program *program = three_places(1000 * MS);
    zo_edge_info way;
    assert_true(zo_edge_get(program, 2, &way)); // state after state
    assert_true(way.from.id == 2 && way.to.id == 3 && way.weight == 0 && way.blend_ns == 1000 * MS);
    assert_true(zo_edge_get(program, 3, &way) && way.blend_ns == 0 && !zo_edge_get(program, 4, &way));
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    ASSERT_AT(i, 0);
    assert_string_equal(where(i), "nought");
    EXPECT_WORDS(i, 3000 * MS, ">nought");
    assert_false(zo_instance_request(i, "two")); // no edge
    assert_false(zo_instance_request(i, "nought")); // not even that one
    assert_false(zo_instance_request(i, "three")); // no such state
    EXPECT_WORDS(i, 0, "");
    assert_true(zo_instance_request(i, "one"));
    assert_string_equal(where(i), "one");
    assert_true(weight(i) == 0);
    ASSERT_AT(i, 0);
    EXPECT_WORDS(i, 250 * MS, ">one");
    assert_true(weight(i) == 0.25);
    ASSERT_AT(i, 0.25);
    advance(i, 250 * MS, 8, NULL);
    ASSERT_AT(i, 0.5);
    assert_true(zo_instance_request(i, "two")); // from what is shown, which goes on
    advance(i, 250 * MS, 8, NULL);
    ASSERT_AT(i, 0.75 * 0.75 + 0.25 * 2);
    advance(i, 500 * MS, 8, NULL);
    ASSERT_AT(i, 0.25 + 0.75 * 2);
    advance(i, 250 * MS, 8, NULL);
    assert_true(weight(i) == 1);
    ASSERT_AT(i, 2);
    assert_true(zo_instance_request(i, "one")); // at once
    ASSERT_AT(i, 1);
    zo_instance_free(i);
    zp_program_free(program);
}

static void blends_nest_and_the_innermost_goes(void **s) {
    (void)s;
    zp_program *program = three_places(1000 * MS);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    double shown[20];
    int64_t since[20];
    uint32_t count = 1;
    shown[0] = 0;
    since[0] = -1000 * MS;
    for (uint32_t round = 0; round < 20; ++round) {
        assert_true(zo_instance_request(i, round % 2 == 0 ? "one" : "nought"));
        if (count == 9) {
            memmove(shown, shown + 1, 8 * sizeof shown[0]);
            memmove(since, since + 1, 8 * sizeof since[0]);
            since[0] = -1000 * MS;
            --count;
        }
        shown[count] = round % 2 == 0;
        since[count++] = zo_instance_now_ns(i);
        advance(i, 30 * MS, 8, NULL);
        double expected = shown[0];
        for (uint32_t k = 1; k < count; ++k) {
            const double p = (double)(zo_instance_now_ns(i) - since[k]) / 1e9;
            expected = expected + (shown[k] - expected) * (p < 1 ? p : 1);
        }
        ASSERT_AT(i, expected);
    }
    advance(i, 1000 * MS, 8, NULL);
    ASSERT_AT(i, 0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void a_run_lies_over_what_is_shown(void **s) {
    (void)s;
    zp_program *program = three_places(1000 * MS);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    const zo_run run = zo_instance_start(i, clip_id(2), NULL);
    ASSERT_AT(i, 2);
    assert_true(zo_instance_cancel(i, run));
    ASSERT_AT(i, 0);
    zo_instance_free(i);
    i = zo_instance_create(program, &(zo_instance_def){.idle = true}, NULL); // no machine at all
    zo_target_state at;
    assert_false(zo_instance_state(i, &at));
    assert_false(zo_instance_request(i, "one"));
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- nodes

static void nodes_time_blend_and_multiply(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t up = clip_node(&w, clip_ref(&w, 0, 1, 0, NULL)), flat = clip_node(&w, clip_ref(&w, 4, 4, 0, NULL));
    const uint32_t slow = node(&w, ZP_NODE_TIME, up, 0, line(&w, 0.25, 0), 0);
    const uint32_t blended = node(&w, ZP_NODE_BLEND, slow, flat, line(&w, 0, 0.5), 0);
    const uint32_t both = node(&w, ZP_NODE_PRODUCT, blended, slow, 0, 0);
    const uint32_t over = node(&w, ZP_NODE_BLEND, up, flat, line(&w, 1, 0), 0);
    const uint32_t rest = node(&w, ZP_NODE_REST, 0, 0, 0, 0);
    machine(&w, ZP_COMMIT_AT_ONCE, 0);
    const uint32_t nodes[] = {slow, blended, both, over, rest};
    for (uint32_t i = 0; i < ZB_COUNT(nodes); ++i) {
        state(&w, (const char *[]){"slow", "blended", "both", "over", "rest"}[i], nodes[i]);
        if (i > 0) { edge(&w, i - 1, i, 0); }
    }
    zp_program *program = close_world(&w);
    assert_int_equal(program->header->clip_depth_max, 2); // of `both`, too: its parts need no more
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    advance(i, 1500 * MS, 8, NULL); // 1.5 s: a quarter is 0.375
    ASSERT_AT(i, 0.375);
    ASSERT_SLOT(i, X, 0.375); // one clip alone: its slots are there
    assert_true(zo_instance_request(i, "blended"));
    ASSERT_AT(i, (0.375 + 4) / 2);
    ASSERT_SLOT(i, X, 0);
    assert_true(zo_instance_request(i, "both"));
    ASSERT_AT(i, (0.375 + 4) / 2 + 0.375);
    assert_true(zo_instance_request(i, "over"));
    ASSERT_AT(i, 4); // cut to 1: the second alone
    ASSERT_SLOT(i, X, 4);
    assert_true(zo_instance_request(i, "rest"));
    ASSERT_AT(i, 0);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance_sample(i, pose);
    assert_int_equal(pose->at_rest[0], 1);
    zo_pose_free(pose);
    zo_instance_free(i);
    zp_program_free(program);
}

static void the_highest_tree_is_worked_out_and_a_higher_one_is_refused(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t half = line(&w, 0, 0.5), clip = clip_ref(&w, 0, 1, 0, NULL);
    uint32_t deep = clip_node(&w, clip), high = deep, one = deep;
    for (uint32_t i = 1; i < ZP_NODE_DEPTH_MAX; ++i) { deep = node(&w, ZP_NODE_BLEND, one, deep, half, 0); }
    assert_int_equal(zp_build_node(w.t.b, &(zp_node){.kind = ZP_NODE_PRODUCT, .a_ref = one, .b_ref = deep}), 0);
    for (uint32_t i = 1; i < ZP_NODE_HEIGHT_MAX; ++i) { high = node(&w, ZP_NODE_TIME, high, 0, line(&w, 1, 0), 0); }
    assert_int_equal(zp_build_node(w.t.b, &(zp_node){.kind = ZP_NODE_TIME, .a_ref = high, .expr_ref = half}), 0);
    uint32_t wide = one, next, rounds = 0;
    while ((next = zp_build_node(w.t.b, &(zp_node){.kind = ZP_NODE_PRODUCT, .a_ref = wide, .b_ref = wide})) != 0) {
        wide = next;
        ++rounds;
    }
    assert_int_equal(rounds, 15); // 2^(n + 1) - 1 nodes
    machine(&w, ZP_COMMIT_AT_ONCE, 0);
    state(&w, "deep", deep);
    state(&w, "high", high);
    state(&w, "wide", wide);
    edge(&w, 0, 1, 0);
    edge(&w, 1, 2, 0);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    advance(i, 750 * MS, 8, NULL);
    ASSERT_AT(i, 0.75);
    assert_true(zo_instance_request(i, "high"));
    ASSERT_AT(i, 0.75);
    assert_true(zo_instance_request(i, "wide"));
    ASSERT_AT(i, 0.75 * 32768);
    assert_int_equal(zo_instance_fault(i), ZO_FAULT_NONE);
    zo_instance_free(i);
    zp_program_free(program);
}

static void what_is_missing_is_a_fault_and_only_where_it_is_shown(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t up = clip_node(&w, clip_ref(&w, 0, 1, 0, NULL));
    const uint32_t timed = node(&w, ZP_NODE_TIME, up, 0, control(&w, "len", ZP_PARAM_NEEDED), 0);
    const uint32_t broken =
        zp_build_node(w.t.b, &(zp_node){.kind = ZP_NODE_FAULT, .detail = ZP_FAULT_UNRESOLVED_CLIP});
    const uint32_t blend = node(&w, ZP_NODE_BLEND, up, broken, line(&w, 0, 0.5), 0);
    machine(&w, ZP_COMMIT_AT_ONCE, 0);
    state(&w, "fine", up);
    state(&w, "timed", timed);
    state(&w, "blend", blend);
    edge(&w, 0, 1, 0);
    edge(&w, 1, 2, 0);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    assert_int_equal(zo_instance_fault(i), ZO_FAULT_NONE);
    assert_true(zo_instance_request(i, "timed"));
    assert_int_equal(zo_instance_fault(i), ZO_FAULT_UNRESOLVED_PARAM);
    zo_instance_set_param(i, zo_param_find(program, "len"), 0.125);
    assert_int_equal(zo_instance_fault(i), ZO_FAULT_NONE);
    ASSERT_AT(i, 0.125);
    assert_true(zo_instance_request(i, "blend"));
    assert_int_equal(zo_instance_fault(i), ZO_FAULT_UNRESOLVED_CLIP);
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- looks

#define MARKS(...) (uint32_t)ZB_COUNT(((const mark[]){__VA_ARGS__})), (const mark[]){__VA_ARGS__}

static void a_look_tells_what_lies_before_it_and_shows_what_was_asked_for(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t a = clip_node(&w, clip_ref(&w, 0, 0, MARKS({0.01, "tick"}, {0.12, "!b"})));
    const uint32_t b = clip_node(&w, clip_ref(&w, 1, 1, MARKS({0.25, "!a"}, {0.28, "!nowhere"}, {0.29, "!b"})));
    machine(&w, ZP_COMMIT_NEXT_POLL, 50 * MS);
    state(&w, "a", a);
    state(&w, "b", b);
    edge(&w, 0, 1, 0);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    EXPECT_WORDS(i, 0, ">a");
    EXPECT_WORDS(i, 49 * MS, "");
    EXPECT_WORDS(i, MS, "tick@1");
    EXPECT_WORDS(i, 99 * MS, "");
    ASSERT_AT(i, 0);
    EXPECT_WORDS(i, MS, "!b@12 >b"); // at 150 ms
    assert_string_equal(where(i), "b");
    assert_true(weight(i) == 0);
    ASSERT_AT(i, 0); // the old one still
    advance(i, 50 * MS, 8, NULL);
    assert_true(weight(i) == 1);
    ASSERT_AT(i, 1);
    // b does not lead to a; and once a state is asked for in vain, the rest of the look asks in vain, too.
    EXPECT_WORDS(i, 100 * MS, "!a@25 ?a !nowhere@28 ?nowhere !b@29 ?b");
    assert_string_equal(where(i), "b");
    assert_false(zo_instance_poll(i, 1)); // the clock sees to it
    zo_instance_free(i);
    zp_program_free(program);
}

// What is told, and the bytes in the end, whatever the array and however time is cut.
static void time_may_be_cut_in_any_way(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t a = clip_ref(&w, 0, 1, MARKS({0, "o"}, {0.3, "p"}, {0.3, "q"}, {0.9, "!b"}));
    const uint32_t b = clip_ref(&w, 2, 1, MARKS({0.5, "r"}, {0.7, "!a"}));
    const uint32_t fast = node(&w, ZP_NODE_TIME, clip_node(&w, a), 0, line(&w, 7, -2), 0);
    const uint32_t mixed = node(&w, ZP_NODE_BLEND, fast, clip_node(&w, b), control(&w, "mix", 0), 0);
    const uint32_t told = trigger(&w, mixed, line(&w, 1, -1.3), "t");
    machine(&w, ZP_COMMIT_NEXT_POLL, 50 * MS);
    state(&w, "a", told);
    state(&w, "b", clip_node(&w, b));
    edge(&w, 0, 1, 0);
    edge(&w, 1, 0, 0);
    zp_program *program = close_world(&w);
    const int64_t whole_ns = 9700 * MS;
    static words first, log;
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint64_t random = 1234567;
    for (uint32_t round = 0; round < 40; ++round) {
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        log = (words){.size = 0};
        for (int64_t now_ns = 0; now_ns < whole_ns;) {
            int64_t step_ns = round == 0 ? whole_ns : 1 + test_below(&random, 200 * 1000000);
            if (step_ns > whole_ns - now_ns) { step_ns = whole_ns - now_ns; }
            advance(i, step_ns, round == 0 ? 8 : 1 + test_below(&random, 4), &log);
            now_ns += step_ns;
        }
        if (round == 0) {
            first = log;
            size = zo_instance_snapshot(i, NULL, 0);
            bytes = calloc(1, size);
            zo_instance_snapshot(i, bytes, size);
            assert_true(first.count > 60 && first.size < sizeof first.text - 64);
        } else {
            assert_string_equal(log.text, first.text);
            uint8_t *other = calloc(1, size);
            assert_int_equal(zo_instance_snapshot(i, other, size), size);
            assert_memory_equal(other, bytes, size);
            free(other);
        }
        zo_instance_free(i);
    }
    free(bytes);
    zp_program_free(program);
}

static double below_nought(void *context, double x) {
    (void)context;
    return x > 0 ? -x : -1;
}

// However dear a look is, a call ends in time, and stopping changes nothing.
static void dear_looks_end_a_call(void **s) {
    (void)s;
    world w;
    open_world(&w);
    uint32_t wide = clip_node(&w, clip_ref(&w, 0, 1, MARKS({0.5, "p"})));
    for (uint32_t i = 0; i < 14; ++i) { wide = node(&w, ZP_NODE_PRODUCT, wide, wide, 0, 0); }
    machine(&w, ZP_COMMIT_NEXT_POLL, MS);
    state(&w, "a", wide);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_event events[1];
    zo_instance_advance(i, 0, events, 1);
    const zo_step step = zo_instance_advance(i, 3600000 * MS, NULL, 0);
    assert_true(step.more && zo_instance_now_ns(i) == 501 * MS); // there is something to tell
    zo_instance_free(i);

    open_world(&w);
    wide = clip_node(&w, clip_ref(&w, 0, 1, 0, NULL));
    for (uint32_t k = 0; k < 14; ++k) { wide = node(&w, ZP_NODE_PRODUCT, wide, wide, 0, 0); }
    const uint32_t mix = control(&w, "mix", 0); // a function of the host's: nobody knows what it will give
    wide = trigger(&w, wide, mix, "t");
    machine(&w, ZP_COMMIT_NEXT_POLL, MS);
    state(&w, "a", wide);
    zp_program *quiet = close_world(&w);
    i = zo_instance_create(quiet, NULL, NULL);
    zo_instance_bind(i, zo_param_find(quiet, "mix"), below_nought, NULL);
    zo_instance_advance(i, 0, events, 1);
    const zo_step part = zo_instance_advance(i, 3600000 * MS, NULL, 0);
    const int64_t looks = 1048576 / (2 + 32767 / 32);
    assert_true(!part.more && part.left_ns > 0);
    assert_in_range(zo_instance_now_ns(i) / MS, looks - 1, looks + 1);
    zo_instance_free(i);
    zp_program_free(quiet);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- long waits

// A state's node: clips with and without events at some speed, and triggers at some times.
static uint32_t some_node(world *w, const uint32_t *clips, uint32_t mix, uint64_t *random) {
    uint32_t of[2];
    for (uint32_t i = 0; i < 2; ++i) {
        const double speed = test_below(random, 3) ? 0.02 * test_unit(random) - 0.01 : 3 * test_unit(random) - 1;
        of[i] = node(w, ZP_NODE_TIME, clip_node(w, clips[test_below(random, 4)]), 0,
                     line(w, speed, 4 * test_unit(random) - 2), 0);
        if (test_below(random, 2)) {
            of[i] = trigger(w, of[i], line(w, 2 * test_unit(random) - 1, 40 * test_unit(random) - 20),
                            test_below(random, 2) ? "t" : "!b");
        }
    }
    return node(w, ZP_NODE_BLEND, of[0], of[1], mix, 0);
}

// A call for a long time does what many for a short time do, which pass over nothing.
static void a_long_wait_is_many_short_ones(void **s) {
    (void)s;
    uint64_t random = 4096;
    static words whole, parts;
    uint32_t told = 0;
    for (uint32_t round = 0; round < 150; ++round) {
        world w;
        open_world(&w);
        const uint32_t clips[] = {clip_ref(&w, 0, 1, 0, NULL), clip_ref(&w, 2, 1, 0, NULL),
                                  clip_ref(&w, 0, 1, MARKS({0, "o"}, {0.3, "!b"})),
                                  clip_ref(&w, 2, 1, MARKS({0.5, "r"}, {0.7, "!a"}))};
        const uint32_t mix = control(&w, "mix", 0);
        uint32_t nodes[2];
        for (uint32_t i = 0; i < 2; ++i) { nodes[i] = some_node(&w, clips, mix, &random); }
        machine(&w, ZP_COMMIT_NEXT_POLL, (1 + test_below(&random, 7)) * MS);
        state(&w, "a", nodes[0]);
        state(&w, "b", nodes[1]);
        edge(&w, 0, 1, 0);
        edge(&w, 1, 0, 0);
        zp_program *program = close_world(&w);
        zo_instance *long_one = zo_instance_create(program, NULL, NULL);
        zo_instance *short_one = zo_instance_create(program, NULL, NULL);
        whole = parts = (words){.size = 0};
        const int64_t rest_ns = test_below(&random, 5000000), step_ns = 10 * MS;
        advance(long_one, 30000 * MS + rest_ns, 8, &whole);
        for (uint32_t i = 0; i < 3000; ++i) { advance(short_one, step_ns, 8, &parts); }
        advance(short_one, rest_ns, 8, &parts);
        if (whole.count != parts.count || strcmp(whole.text, parts.text) != 0) {
            fail_msg("round %u: \"%s\", not \"%s\"", round, whole.text, parts.text);
        }
        told += whole.count;
        const size_t size = zo_instance_snapshot(long_one, NULL, 0);
        uint8_t *a = calloc(2, size), *b = a + size;
        assert_int_equal(zo_instance_snapshot(short_one, NULL, 0), size);
        zo_instance_snapshot(long_one, a, size);
        zo_instance_snapshot(short_one, b, size);
        assert_memory_equal(a, b, size);
        free(a);
        zo_instance_free(long_one);
        zo_instance_free(short_one);
        zp_program_free(program);
    }
    assert_in_range(told, 500, 1000000);
}

// A billion seconds without anything to tell are one call; and what comes at their end is told then.
static void a_quiet_age_is_one_call(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t still = clip_node(&w, clip_ref(&w, 0, 1, 0, NULL));
    machine(&w, ZP_COMMIT_NEXT_POLL, 50 * MS);
    state(&w, "a", trigger(&w, still, line(&w, 1, -1e9), "late"));
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_event events[2];
    zo_instance_advance(i, 0, events, 2);
    zo_step step = zo_instance_advance(i, (int64_t)999999999 * 1000 * MS, events, 2);
    assert_true(step.left_ns == 0 && step.count == 0 && !step.more);
    assert_true(zo_instance_now_ns(i) == (int64_t)999999999 * 1000 * MS);
    step = zo_instance_advance(i, 2000 * MS, events, 2);
    assert_true(step.count == 1 && strcmp(events[0].name, "late") == 0);
    zo_instance_free(i);
    zp_program_free(program);
}

static void while_hidden_the_world_stands_still(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t a = clip_node(&w, clip_ref(&w, 0, 1, MARKS({0.3, "p"})));
    machine(&w, ZP_COMMIT_NEXT_POLL, 50 * MS);
    state(&w, "a", a);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    EXPECT_WORDS(i, 220 * MS, ">a");
    zo_instance_set_hidden(i, true);
    EXPECT_WORDS(i, 990 * MS, "");
    ASSERT_AT(i, 0.22);
    zo_instance_set_hidden(i, false);
    EXPECT_WORDS(i, 129 * MS, "");
    EXPECT_WORDS(i, MS, "p@30"); // at 350 ms of the world
    ASSERT_AT(i, 0.35);
    zo_instance_free(i);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- hosts that look

static void look(zo_instance *i, double seconds, const char *expected) {
    assert_true(zo_instance_poll(i, seconds));
    static words log;
    log = (words){.size = 0};
    advance(i, 0, 3, &log);
    if (strcmp(log.text, expected) != 0) { fail_msg("at %g: \"%s\", not \"%s\"", seconds, log.text, expected); }
}

static void a_host_looks_at_any_time_and_back(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t clip = clip_ref(&w, 0, 1, MARKS({0.25, "p"}, {0.5, "q"}));
    const uint32_t back = node(&w, ZP_NODE_TIME, clip_node(&w, clip), 0, line(&w, -1, 0), 0);
    const uint32_t still = node(&w, ZP_NODE_TIME, clip_node(&w, clip), 0, control(&w, "still", 0), 0);
    machine(&w, ZP_COMMIT_NEXT_POLL, 50 * MS);
    state(&w, "on", clip_node(&w, clip));
    state(&w, "back", back);
    state(&w, "still", still);
    edge(&w, 0, 1, 0);
    edge(&w, 1, 2, 0);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.host_polls = true}, NULL);
    EXPECT_WORDS(i, 1000 * MS, ">on"); // the clock does nothing
    ASSERT_AT(i, 0);
    look(i, 0.6, ""); // the first finds nothing
    ASSERT_AT(i, 0.6);
    look(i, 1.5, "p@125");
    look(i, 1.5, "");
    look(i, 1.51, "q@150");
    look(i, 0.1, ""); // back
    ASSERT_AT(i, 0.1);
    look(i, 0.3, "p@25");
    assert_false(zo_instance_poll(i, no_number));
    assert_false(zo_instance_poll(i, infinite));
    assert_true(zo_instance_request(i, "back"));
    ASSERT_AT(i, 0.3); // not before the next look
    look(i, -1.6, ">back p@-295 q@-270 p@-195 q@-170"); // -0.3 to 1.6: as far back in the clip's time
    ASSERT_AT(i, 0.6);
    look(i, 5, ""); // its time goes back
    assert_true(zo_instance_request(i, "still"));
    zo_instance_set_param(i, zo_param_find(program, "still"), no_number);
    zo_instance_set_param(i, zo_param_find(program, "still"), 7.3);
    look(i, 9, ">still");
    ASSERT_AT(i, 0.3);
    // What has not all been told stands in the way of the next look.
    zo_instance_set_param_line(i, zo_param_find(program, "still"), 0, 1);
    assert_true(zo_instance_poll(i, 10));
    assert_false(zo_instance_poll(i, 11));
    EXPECT_WORDS(i, 0, "p@925 q@950");
    assert_true(zo_instance_poll(i, 11));
    zo_instance_free(i);
    zp_program_free(program);
}

static void triggers_tell_when_they_come_to_nought(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t clip = clip_node(&w, clip_ref(&w, 0, 1, MARKS({0.5, "clank"})));
    const uint32_t in = trigger(&w, clip, line(&w, 1, -1), "in"), out = trigger(&w, in, line(&w, 1, -1.25), "out");
    const uint32_t both = node(&w, ZP_NODE_BLEND, out, trigger(&w, clip, line(&w, 1, -3), "other"), line(&w, 0, 1), 0);
    const uint32_t apart = node(&w, ZP_NODE_TIME, both, 0, line(&w, 2, 0), 0);
    machine(&w, ZP_COMMIT_NEXT_POLL, 0);
    state(&w, "a", apart);
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    EXPECT_WORDS(i, 0, ">a");
    look(i, 0.1, "");
    look(i, 0.45, "clank@5 clank@5"); // 0.2 to 0.9 of the clip, so 0.4 back; once for each child
    look(i, 0.5, "in@50"); // at 1 exactly
    look(i, 0.6, "");
    look(i, 0.2, "");
    look(i, 0.7, "clank@-20 clank@-20 out@70 in@70"); // of one instant the outer one is older; both reach the clip
    look(i, 1.6, "clank@-10 clank@-10 clank@90 clank@90 other@160");
    zo_instance_free(i);
    zp_program_free(program);
}

// Every event of a stretch, found one by one among all that there are.
static void all_events_are_found_in_order(void **s) {
    (void)s;
    uint64_t random = 42;
    for (uint32_t round = 0; round < 150; ++round) {
        world w;
        open_world(&w);
        mark marks[2][5];
        uint32_t counts[2], clips[2];
        for (uint32_t c = 0; c < 2; ++c) {
            counts[c] = test_below(&random, 6);
            for (uint32_t m = 0; m < counts[c]; ++m) { marks[c][m] = (mark){test_below(&random, 9) / 8.0, "e"}; }
            clips[c] = clip_ref(&w, 0, 1, counts[c], marks[c]);
        }
        const double slope = (double)test_below(&random, 5) - 1.5;
        const uint32_t timed = node(&w, ZP_NODE_TIME, clip_node(&w, clips[0]), 0, line(&w, slope, 0.25), 0);
        const uint32_t root = node(&w, ZP_NODE_PRODUCT, timed, clip_node(&w, clips[1]), 0, 0);
        machine(&w, ZP_COMMIT_NEXT_POLL, 0);
        state(&w, "a", root);
        zp_program *program = close_world(&w);
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        advance(i, 0, 8, NULL);
        const double t0 = test_below(&random, 80) / 16.0 - 2, t1 = t0 + test_below(&random, 80) / 16.0;
        uint32_t expected = 0;
        for (uint32_t c = 0; c < 2; ++c) {
            const double from = c == 0 ? slope * t0 + 0.25 : t0, to = c == 0 ? slope * t1 + 0.25 : t1;
            for (uint32_t m = 0; m < counts[c]; ++m) {
                for (int32_t pass = -60; pass < 60; ++pass) {
                    expected += from <= pass + marks[c][m].at && pass + marks[c][m].at < to;
                }
            }
        }
        assert_true(zo_instance_poll(i, t0));
        advance(i, 0, 8, NULL);
        assert_true(zo_instance_poll(i, t1));
        uint32_t count = 0;
        double last = -infinite;
        zo_event events[3];
        for (zo_step step = {.more = true}; step.more; count += step.count) {
            step = zo_instance_advance(i, 0, events, 1 + test_below(&random, 3));
            for (uint32_t e = 0; e < step.count; ++e) {
                assert_true(events[e].at_s >= last);
                last = events[e].at_s;
            }
        }
        assert_int_equal(count, expected);
        zo_instance_free(i);
        zp_program_free(program);
    }
}

static void spans_without_measure_are_told_piece_by_piece(void **s) {
    (void)s;
    world w;
    open_world(&w);
    const uint32_t clip = clip_node(&w, clip_ref(&w, 0, 1, MARKS({0.25, "p"}, {0.5, "q"})));
    machine(&w, ZP_COMMIT_NEXT_POLL, 0);
    state(&w, "a", node(&w, ZP_NODE_TIME, clip, 0, control(&w, "c", 0), 0));
    zp_program *program = close_world(&w);
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    look(i, 0, ">a");
    assert_true(zo_instance_poll(i, 1e9));
    zo_event events[4];
    for (uint32_t k = 0; k < 1000; ++k) { // of two thousand million
        const zo_step step = zo_instance_advance(i, 0, events, 4);
        assert_true(step.count == 4 && step.more);
        assert_true(events[3].at_s == 2 * k + 1.5 && events[2].at_s == 2 * k + 1.25);
    }
    zo_instance_free(i);
    static const double odd[] = {1e300, -1e300, (double)INFINITY, -(double)INFINITY, (double)NAN, 1e17, 0x1p50};
    for (size_t k = 0; k < ZB_COUNT(odd); ++k) {
        i = zo_instance_create(program, NULL, NULL);
        look(i, 0, ">a");
        double constant = odd[k];
        zo_instance_set_param_line(i, zo_param_find(program, "c"), 0, zb_is_finite(constant) ? constant : 1e308);
        assert_true(zo_instance_poll(i, 20));
        for (uint32_t n = 0; n < 10; ++n) { zo_instance_advance(i, 0, events, 4); }
        assert_true(zb_is_finite(seen(i, 3)));
        zo_instance_free(i);
    }
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- back, and reloads

static zp_program *door(int64_t poll_ns, const char *open_name) {
    world w;
    open_world(&w);
    const uint32_t shut = clip_node(&w, clip_ref(&w, 0, 0, 0, NULL));
    const uint32_t up = node(&w, ZP_NODE_TIME, clip_node(&w, clip_ref(&w, 0, 2, MARKS({0.5, "creak"}))), 0,
                             control(&w, "speed", 0), 0);
    machine(&w, ZP_COMMIT_NEXT_POLL, poll_ns);
    state(&w, "shut", shut);
    state(&w, open_name, trigger(&w, up, line(&w, 1, -2), "!shut"));
    edge(&w, 0, 1, 0);
    edge(&w, 1, 0, 0);
    return close_world(&w);
}

static void a_timeline_plays_all_of_it_again(void **s) {
    (void)s;
    zp_program *program = door(50 * MS, "open");
    zo_timeline *timeline = zo_timeline_create(program, &(zo_timeline_def){.snapshot_every_ns = 300 * MS}, NULL);
    const zo_param speed = zo_param_find(program, "speed");
    zo_timeline_seek(timeline, 420 * MS);
    uint32_t result = 0;
    zo_input input = {.kind = ZO_INPUT_REQUEST, .text = "open"};
    assert_int_equal(zo_timeline_add(timeline, &input, &result), ZO_OK);
    assert_int_equal(result, 1);
    input = (zo_input){.kind = ZO_INPUT_SET_PARAM_LINE, .id = speed.id, .number = 0.1, .slope = 0.5};
    assert_int_equal(zo_timeline_add(timeline, &input, NULL), ZO_OK);
    zo_timeline_seek(timeline, 1000 * MS);
    input = (zo_input){.kind = ZO_INPUT_RAMP_PARAM, .id = speed.id, .slope = -0.25};
    assert_int_equal(zo_timeline_add(timeline, &input, NULL), ZO_OK);
    input.id = zo_param_count(program) + 1;
    assert_int_equal(zo_timeline_add(timeline, &input, NULL), ZO_INVALID);
    input = (zo_input){.kind = ZO_INPUT_POLL, .number = 3};
    assert_int_equal(zo_timeline_add(timeline, &input, &result), ZO_OK);
    assert_int_equal(result, 0); // the clock sees to that
    double at[30];
    for (uint32_t k = 0; k < 30; ++k) { at[k] = seen(zo_timeline_seek(timeline, k * 100 * MS), 3); }
    assert_true(fabs(at[6] - 2 * (0.1 + 0.5 * 0.6)) < 1e-12 && fabs(at[13] - 2 * (0.6 - 0.25 * 0.3)) < 1e-12);
    assert_true(at[3] == 0 && at[25] == 0); // shut by the trigger at 2 s
    for (uint32_t k = 30; k-- > 0;) { assert_true(seen(zo_timeline_seek(timeline, k * 100 * MS), 3) == at[k]); }
    zo_timeline_free(timeline);
    zp_program_free(program);
}

static void note_gone(void *context, const zo_gone *gone) {
    (void)gone;
    ++*(uint32_t *)context;
}

static void after_a_reload_it_goes_on(void **s) {
    (void)s;
    zp_program *program = door(50 * MS, "open"), *same = door(70 * MS, "open"), *other = door(50 * MS, "ajar");
    zo_instance *i = zo_instance_create(program, NULL, NULL);
    zo_instance_set_param_line(i, zo_param_find(program, "speed"), 0.1, 0.5);
    assert_true(zo_instance_request(i, "open"));
    advance(i, 620 * MS, 8, NULL);
    ASSERT_AT(i, 0.2 + 0.62);
    uint32_t gone = 0;
    zo_instance *next = zo_instance_create(same, NULL, NULL);
    zo_instance_adopt(next, i, note_gone, &gone);
    assert_int_equal(gone, 0);
    assert_string_equal(where(next), "open");
    ASSERT_AT(next, 0.2 + 0.62);
    EXPECT_WORDS(next, 400 * MS, "creak@83");
    zo_instance_free(next);
    next = zo_instance_create(other, NULL, NULL);
    zo_instance_adopt(next, i, note_gone, &gone);
    assert_int_equal(gone, 1); // the state
    EXPECT_WORDS(next, 0, ">shut");
    assert_true(zo_instance_request(next, "ajar"));
    advance(next, 80 * MS, 8, NULL);
    ASSERT_AT(next, 0.2 + 0.7); // the clock and the control are there
    zo_instance_free(next);
    zo_instance_free(i);

    zp_program *blends = three_places(1000 * MS), *cuts = three_places(0);
    i = zo_instance_create(blends, NULL, NULL);
    assert_true(zo_instance_request(i, "one"));
    advance(i, 400 * MS, 8, NULL);
    next = zo_instance_create(blends, NULL, NULL);
    zo_instance_adopt(next, i, NULL, NULL);
    advance(next, 100 * MS, 8, NULL);
    ASSERT_AT(next, 0.5);
    zo_instance_free(next);
    next = zo_instance_create(cuts, NULL, NULL); // nothing blends there
    zo_instance_adopt(next, i, NULL, NULL);
    ASSERT_AT(next, 1);
    zo_instance_free(next);
    zo_instance_free(i);
    zp_program_free(blends);
    zp_program_free(cuts);
    zp_program_free(program);
    zp_program_free(same);
    zp_program_free(other);
}

static void time_in_float_grows_coarse(void **s) {
    (void)s;
    for (uint32_t f32 = 0; f32 < 2; ++f32) {
        world w;
        open_world(&w);
        const uint32_t clip = clip_node(&w, clip_ref(&w, 0, 1, 0, NULL));
        zp_build_machine(w.t.b, &(zp_machine){.routing = ZP_ROUTING_LISTED, .commit = ZP_COMMIT_NEXT_POLL,
                                              .flags = f32 ? ZP_MACHINE_TIME_F32 : 0});
        state(&w, "a", clip);
        zp_program *program = close_world(&w);
        zo_instance *i = zo_instance_create(program, NULL, NULL);
        look(i, 1000000.3, ">a");
        ASSERT_AT(i, f32 ? 0.3125 : 1000000.3 - 1000000.0);
        zo_instance_free(i);
        zp_program_free(program);
    }
}

// Whatever of a damaged program passes the check can be played, looked at and taken over.
static void play_all(zp_program *program, uint64_t *random) {
    zo_instance *i = zo_instance_create(program, &(zo_instance_def){.host_polls = test_below(random, 2)}, NULL);
    zo_event events[4];
    for (uint32_t k = 0; k < 6; ++k) {
        zo_instance_poll(i, test_below(random, 4) == 0 ? 1e300 : test_unit(random) * 4 - 1);
        for (uint32_t n = 0; n < 3; ++n) { zo_instance_advance(i, test_below(random, 2) * 300 * MS, events, 4); }
        const uint32_t count = zo_state_count(program);
        zo_state_info info;
        if (zo_state_get(program, (zo_state){1 + test_below(random, count)}, &info)) { zo_instance_request(i, info.name); }
        seen(i, 0);
        zo_instance_fault(i);
    }
    zo_instance *next = zo_instance_create(program, NULL, NULL);
    zo_instance_adopt(next, i, NULL, NULL);
    seen(next, 0);
    zo_instance_free(next);
    zo_instance_free(i);
    zp_program_free(program);
}

static void what_passes_the_check_can_be_played(void **s) {
    (void)s;
    zp_program *programs[] = {door(50 * MS, "open"), three_places(300 * MS)};
    uint64_t random = 99;
    uint32_t played = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        const size_t size = programs[k]->blob_size;
        uint8_t *blob = malloc(size);
        for (size_t at = sizeof(zp_header); at < size; ++at) {
            memcpy(blob, programs[k]->blob, size);
            blob[at] ^= (uint8_t)(1u << test_below(&random, 8));
            ((zp_header *)(void *)blob)->hash = zp_program_hash(blob);
            const char *what;
            zp_program *program = zp_program_load(blob, size, NULL, &what);
            if (!program) { continue; }
            play_all(program, &random);
            ++played;
        }
        free(blob);
        zp_program_free(programs[k]);
    }
    assert_true(played > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_is_blended_in_and_only_along_an_edge),
        cmocka_unit_test(blends_nest_and_the_innermost_goes),
        cmocka_unit_test(a_run_lies_over_what_is_shown),
        cmocka_unit_test(nodes_time_blend_and_multiply),
        cmocka_unit_test(the_highest_tree_is_worked_out_and_a_higher_one_is_refused),
        cmocka_unit_test(what_is_missing_is_a_fault_and_only_where_it_is_shown),
        cmocka_unit_test(a_look_tells_what_lies_before_it_and_shows_what_was_asked_for),
        cmocka_unit_test(time_may_be_cut_in_any_way),
        cmocka_unit_test(dear_looks_end_a_call),
        cmocka_unit_test(a_long_wait_is_many_short_ones),
        cmocka_unit_test(a_quiet_age_is_one_call),
        cmocka_unit_test(while_hidden_the_world_stands_still),
        cmocka_unit_test(a_host_looks_at_any_time_and_back),
        cmocka_unit_test(triggers_tell_when_they_come_to_nought),
        cmocka_unit_test(all_events_are_found_in_order),
        cmocka_unit_test(spans_without_measure_are_told_piece_by_piece),
        cmocka_unit_test(a_timeline_plays_all_of_it_again),
        cmocka_unit_test(after_a_reload_it_goes_on),
        cmocka_unit_test(time_in_float_grows_coarse),
        cmocka_unit_test(what_passes_the_check_can_be_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
