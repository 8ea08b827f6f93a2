// What the character packs in examples/ promise: nothing to complain of, and small; and of the one that is a character,
// that no clip jumps where another follows it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pack.h"

static const char vesper[] = "examples/charpack/vesper", minimal[] = "examples/character-pack-minimal";

static void nothing_to_complain_of_in_any_way_of_reading(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 2; i++) {
        const zo_compile_def def = {.profile = (zo_profile)(i & 1), .strict = true, .contract_only = (i & 2) != 0};
        pack p = pack_open((i & 4) != 0 ? vesper : minimal, &def);
        if (zo_report_count(p.report) > 0) { fail_msg("%s", zo_report_at(p.report, 0)->message); }
        pack_close(&p);
    }
}

static void both_are_small(void **state) {
    (void)state;
    pack p = pack_open(vesper, NULL);
    assert_true(p.texture_size < 1500000);
    pack_close(&p);
    p = pack_open(minimal, NULL);
    assert_true(p.texture_size < 300);
    uint32_t seen = 0; // and yet there is something to be seen
    for (uint32_t i = 3; i < p.images[0].stride * p.images[0].height; i += 4) { seen += p.images[0].pixels[i] == 255; }
    assert_true(seen > 100);
    pack_close(&p);
}

static void the_smallest_has_what_the_contract_describes(void **state) {
    (void)state;
    pack p = pack_open(minimal, NULL);
    assert_int_equal(zo_state_count(p.program), 2);
    static const double weights[] = {0.8, 0.2, 0};
    zo_edge_info edge;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(zo_edge_get(p.program, i, &edge));
        assert_true(edge.weight == weights[i]);
    }
    assert_false(zo_edge_get(p.program, 3, &edge));
    pack_close(&p);
}

// --------------------------------------------------------------------------------------------------------- the seams

static double change(const zo_image *before, const zo_image *now) {
    assert_true(before->width == now->width && before->height == now->height);
    double sum = 0;
    for (size_t i = 0; i < now->stride * now->height; i++) { sum += abs(now->pixels[i] - before->pixels[i]); }
    return sum;
}

// The largest change from a frame of a clip to the next.
static double largest_inside(pack *p, zo_clip clip) {
    double largest = 0;
    for (uint32_t i = 1; i < pack_frame_count(p, clip); i++) {
        const zo_image *before = pack_frame(p, clip, i - 1);
        const double here = change(before, pack_frame(p, clip, i));
        largest = here > largest ? here : largest;
    }
    return largest;
}

static double seam(pack *p, zo_clip from, zo_clip to) {
    const zo_image *last = pack_frame(p, from, pack_frame_count(p, from) - 1);
    return change(last, pack_frame(p, to, 0));
}

static zo_clip clip_of(const pack *p, zo_state state) {
    zo_state_info info;
    assert_true(zo_state_get(p->program, state, &info));
    return info.clip;
}

static void no_clip_jumps_where_another_follows_it(void **state) {
    (void)state;
    pack p = pack_open(vesper, NULL);
    uint32_t count = 0;
    zo_edge_info edge;
    for (; zo_edge_get(p.program, count, &edge); count++) {
        const zo_clip from = clip_of(&p, edge.from), to = clip_of(&p, edge.to);
        const double before = largest_inside(&p, from), after = largest_inside(&p, to), here = seam(&p, from, to);
        if (!(here <= 0.95 * (before > after ? before : after))) {
            zo_clip_info a, b;
            zo_clip_get(p.program, from, &a);
            zo_clip_get(p.program, to, &b);
            fail_msg("from %s to %s is %g, inside them %g and %g", a.name, b.name, here, before, after);
        }
    }
    assert_true(count >= 29);
    pack_close(&p);
}

// And the measure sees one: from what no edge joins.
static void a_jump_would_be_seen(void **state) {
    (void)state;
    pack p = pack_open(vesper, NULL);
    const zo_clip idle = zo_clip_find(p.program, "idle"), sleep = zo_clip_find(p.program, "sleep");
    assert_true(idle.id != 0 && sleep.id != 0);
    assert_true(seam(&p, sleep, idle) > 2 * largest_inside(&p, sleep));
    assert_true(seam(&p, sleep, idle) > 2 * largest_inside(&p, idle));
    pack_close(&p);
}

// Nobody need ask: in an hour of chance he looks about, sniffs, falls asleep and wakes again.
static const char *const by_chance[] = {"idle", "idle1", "idle2", "doze", "sleep", "wake"};
enum { BY_CHANCE = sizeof by_chance / sizeof by_chance[0] };

static void meet(void *context, const zo_event *event) {
    uint32_t *met = context, k = 0;
    if (event->kind != ZO_EVENT_STATE) { return; }
    while (k < BY_CHANCE && strcmp(by_chance[k], event->name) != 0) { k++; }
    if (k == BY_CHANCE) { fail_msg("%s comes by chance", event->name); }
    met[k]++;
}

static void chance_leads_through_every_variant(void **state) {
    (void)state;
    pack p = pack_open(vesper, NULL);
    uint32_t met[BY_CHANCE] = {0};
    pack_start(&p, 3);
    pack_go(&p, 3600 * 1000, meet, met);
    for (uint32_t k = 0; k < BY_CHANCE; k++) { assert_true(met[k] > 5); }
    pack_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_complain_of_in_any_way_of_reading),
        cmocka_unit_test(both_are_small),
        cmocka_unit_test(the_smallest_has_what_the_contract_describes),
        cmocka_unit_test(no_clip_jumps_where_another_follows_it),
        cmocka_unit_test(a_jump_would_be_seen),
        cmocka_unit_test(chance_leads_through_every_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
