// The draw list of small programs made by hand: what is left out, where a cel stands, and in which order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "draw/draw.h"

enum { SPRITE_MAX = 4, CEL_MAX = 3, TARGET_MAX = 2, CHANNEL_MAX = 4 };

// A program of up to four sprites with its pose, a view with two pictures, and a list with room for all.
typedef struct world {
    zp_header header;
    zp_sprite sprites[SPRITE_MAX];
    zp_cel cels[CEL_MAX];
    zp_program program;
    double slots[CHANNEL_MAX];
    zo_transform transforms[TARGET_MAX];
    uint8_t at_rest[TARGET_MAX];
    zo_pose pose;
    zo_size sizes[2];
    uint32_t cel_images[CEL_MAX];
    zo_view view;
    zo_vertex vertices[SPRITE_MAX * 8];
    uint32_t indices[SPRITE_MAX * 30];
    zo_command commands[SPRITE_MAX];
    zo_draw_list list;
} world;

// One sprite with a box of 100 x 100 about (50, 50), where the middle of cel 1 stands; stage 0..100, viewport
// 200 x 100.
static void make_world(world *w) {
    memset(w, 0, sizeof *w);
    w->header.stage[2] = w->header.stage[3] = 100;
    w->header.sections[ZP_SECTION_SPRITES].count = 1;
    w->header.sections[ZP_SECTION_CELS].count = CEL_MAX;
    w->header.sections[ZP_SECTION_TARGETS].count = TARGET_MAX;
    w->header.sections[ZP_SECTION_CHANNELS].count = CHANNEL_MAX;
    for (uint32_t i = 0; i < SPRITE_MAX; i++) {
        w->sprites[i] = (zp_sprite){.cel_ref = 1, .box = {100, 100}, .origin = {50, 50}};
    }
    for (uint32_t i = 0; i < CEL_MAX; i++) {
        w->cels[i] = (zp_cel){.size_rule = ZP_SIZE_FIT_BOX, .anchor = {0.5, 0.5}, .scale = 1};
    }
    w->program = (zp_program){.header = &w->header, .sprites = w->sprites, .cels = w->cels};
    for (uint32_t i = 0; i < TARGET_MAX; i++) {
        w->transforms[i] = (zo_transform){.m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, .opacity = 1};
    }
    w->pose = (zo_pose){.slots = w->slots, .transforms = w->transforms, .at_rest = w->at_rest,
                        .slot_count = CHANNEL_MAX, .target_count = TARGET_MAX};
    w->sizes[0] = (zo_size){64, 32};
    w->sizes[1] = (zo_size){20, 50};
    w->cel_images[0] = 1;
    w->cel_images[1] = 2;
    w->view = (zo_view){.width = 200, .height = 100, .image_sizes = w->sizes, .image_count = 2,
                        .cel_images = w->cel_images, .cel_count = CEL_MAX};
    w->list = (zo_draw_list){.vertices = w->vertices, .vertex_capacity = SPRITE_MAX * 8, .indices = w->indices,
                             .index_capacity = SPRITE_MAX * 30, .commands = w->commands,
                             .command_capacity = SPRITE_MAX};
}

static bool draw(world *w) { return zg_pose_draw(&w->program, &w->pose, &w->view, &w->list); }

static uint32_t drawn_count(world *w) {
    assert_true(draw(w));
    return w->list.command_count;
}

// What the vertices of command `index` cover, without the half pixel of a soft border.
static void assert_covers(const world *w, uint32_t index, double left, double top, double right, double bottom) {
    const zo_command *command = &w->list.commands[index];
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < command->index_count; i++) {
        const zo_vertex *v = &w->vertices[w->indices[command->first_index + i]];
        const double at[2] = {(double)v->x, (double)v->y};
        for (uint32_t c = 0; c < 2; c++) {
            low[c] = at[c] < low[c] ? at[c] : low[c];
            high[c] = at[c] > high[c] ? at[c] : high[c];
        }
    }
    const double soft = command->index_count > 6 ? 0.5 : 0;
    const double expected[4] = {left, top, right, bottom};
    const double seen[4] = {low[0] + soft, low[1] + soft, high[0] - soft, high[1] - soft};
    for (uint32_t i = 0; i < 4; i++) { assert_true(fabs(seen[i] - expected[i]) < 1e-4); }
}

static void what_has_no_picture_is_left_out(void **state) {
    (void)state;
    world w;
    make_world(&w);
    assert_int_equal(drawn_count(&w), 1);
    w.sprites[0].cel_ref = 0;
    assert_int_equal(drawn_count(&w), 0);
    w.sprites[0].cel_ref = 3; // no picture for it
    assert_int_equal(drawn_count(&w), 0);
    w.cel_images[2] = 9;      // no such picture
    assert_int_equal(drawn_count(&w), 0);
    w.sprites[0].cel_ref = 1;
    w.sizes[0].height = 0;    // not known yet
    assert_int_equal(drawn_count(&w), 0);
    w.sizes[0].height = 32;
    w.view.cel_count = 0;
    assert_int_equal(drawn_count(&w), 0);
    w.view.cel_count = CEL_MAX;
    w.view.image_count = 0;
    assert_int_equal(drawn_count(&w), 0);
}

static void an_index_channel_chooses_the_cel(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.sprites[0].channel_ref = 2;
    static const double none[] = {0, -1, 0.5, 4, 1e18, NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < ZB_COUNT(none); i++) {
        w.slots[1] = none[i];
        assert_int_equal(drawn_count(&w), 0);
    }
    w.slots[1] = 2;
    assert_int_equal(drawn_count(&w), 1);
    assert_int_equal(w.commands[0].image, 2);
    w.slots[1] = 1;
    assert_int_equal(drawn_count(&w), 1);
    assert_int_equal(w.commands[0].image, 1);
}

static void what_is_not_a_number_is_left_out(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    world w;
    for (uint32_t i = 0; i < ZB_COUNT(bad); i++) {
        static const uint32_t used[6] = {0, 1, 3, 4, 5, 7};
        for (uint32_t k = 0; k < 6; k++) {
            make_world(&w);
            w.transforms[0].m[used[k]] = bad[i];
            assert_int_equal(drawn_count(&w), 0);
        }
        make_world(&w);
        w.view.pixels_per_unit = bad[i];
        assert_int_equal(drawn_count(&w), 0);
    }
    make_world(&w);
    w.transforms[0].opacity = NAN;
    assert_int_equal(drawn_count(&w), 0);
    make_world(&w);
    w.view.width = 0; // no viewport: the stage has no size on it
    assert_int_equal(drawn_count(&w), 0);
}

static void a_list_that_is_too_small_holds_what_had_room(void **state) {
    (void)state;
    world w;
    for (uint32_t part = 0; part < 3; part++) {
        make_world(&w);
        w.header.sections[ZP_SECTION_SPRITES].count = 3;
        w.transforms[0].m[3] = 0.3; // soft borders
        if (part == 0) { w.list.vertex_capacity = 23; }
        if (part == 1) { w.list.index_capacity = 89; }
        if (part == 2) { w.list.command_capacity = 2; }
        assert_false(draw(&w));
        assert_int_equal(w.list.command_count, 2);
        assert_int_equal(w.list.vertex_count, 16);
        assert_int_equal(w.list.index_count, 60);
        for (uint32_t i = 0; i < 60; i++) { assert_true(w.indices[i] < 16); }
    }
    make_world(&w);
    w.header.sections[ZP_SECTION_SPRITES].count = SPRITE_MAX;
    w.transforms[0].m[3] = 0.3;
    const zo_draw_bound bound = zg_draw_bounds(&w.program);
    w.list.vertex_capacity = bound.vertices;
    w.list.index_capacity = bound.indices;
    w.list.command_capacity = bound.commands;
    assert_true(draw(&w)); // and that always suffices
    assert_int_equal(w.list.command_count, SPRITE_MAX);
}

static void the_stage_fits_the_viewport_in_the_middle(void **state) {
    (void)state;
    world w;
    make_world(&w);
    assert_int_equal(drawn_count(&w), 1);
    assert_covers(&w, 0, 50, 25, 150, 75); // 64 x 32 in a box of 100: 100 x 50, one px a unit
    w.view.width = 40;
    w.view.height = 300;
    assert_true(draw(&w));
    assert_covers(&w, 0, 0, 140, 40, 160);
    w.header.stage[3] = 0;                 // flat: its width decides
    assert_true(draw(&w));
    assert_covers(&w, 0, 0, 160, 40, 180);
    w.header.stage[2] = 0;                 // a point: units are px
    assert_true(draw(&w));
    assert_covers(&w, 0, 20, 175, 120, 225);
}

// The same place in units stands as far above the bottom as else below the top, and the picture hangs upside down: whoever
// has y up gives sprites a scale of -1 there.
static void y_points_from_the_top_of_the_stage_to_its_bottom(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.transforms[0].m[7] = 10;
    w.view.height = 100;
    w.view.width = 100;
    assert_int_equal(drawn_count(&w), 1);
    assert_covers(&w, 0, 0, 35, 100, 85);
    w.header.stage[1] = 100;
    w.header.stage[3] = 0;
    assert_true(draw(&w));
    assert_covers(&w, 0, 0, 15, 100, 65);
    w.view.pixels_per_unit = 2;            // also where the stage is not asked
    w.view.center_x = w.view.center_y = 50;
    assert_true(draw(&w));
    assert_covers(&w, 0, -50, -20, 150, 80);
}

static void channels_hold_a_sprites_colour_and_order(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.transforms[0].opacity = 0.5;
    for (uint32_t i = 0; i < 4; i++) {
        w.sprites[0].colour_refs[i] = i + 1;
        w.slots[i] = 1;
    }
    w.slots[0] = 0.5;
    w.slots[1] = -3;  // cut to 0
    w.slots[2] = 7;   // cut to 1
    w.slots[3] = 0.5;
    assert_int_equal(drawn_count(&w), 1);
    const zo_vertex *v = w.list.vertices;
    assert_true(v->r == 0.125f && v->g == 0.0f && v->b == 0.25f && v->a == 0.25f);
    w.sprites[0].order_ref = 3;
    w.sprites[0].order = 5;
    static const struct { double value; int32_t order; } orders[] = {
        {-7, -7}, {0, 0}, {12, 12}, {1e300, INT32_MAX}, {-1e300, INT32_MIN}, {NAN, INT32_MIN}};
    for (uint32_t i = 0; i < ZB_COUNT(orders); i++) {
        w.slots[2] = orders[i].value;
        assert_int_equal(drawn_count(&w), 1);
        assert_int_equal(w.commands[0].order, orders[i].order);
    }
}

static void a_view_of_ones_own_counts_from_its_centre(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.view.pixels_per_unit = 2;
    w.view.center_x = 40;
    w.view.center_y = 60;
    assert_true(draw(&w));
    assert_covers(&w, 0, 20, -20, 220, 80);
    const double root[12] = {0, -1, 0, 100, 1, 0, 0, 3, 0, 0, 1, 0}; // a quarter turn about the corner, and moved
    w.view.root = root;
    assert_true(draw(&w));
    assert_covers(&w, 0, 100 + (25 - 40) * 2, 50 + (3 - 60) * 2, 100 + (75 - 40) * 2, 50 + (103 - 60) * 2);
    // A root that leans out of the plane moves what its third column says: a target at z = 5.
    const double leaning[12] = {1, 0, 0.5, 0, 0, 1, -1, 0, 0, 0, 1, 0};
    w.view.root = leaning;
    w.transforms[0].m[11] = 5;
    assert_true(draw(&w));
    assert_covers(&w, 0, 20 + 5, -20 - 10, 220 + 5, 80 - 10);
}

static void a_cel_stands_on_its_anchor(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.cels[0].anchor[1] = 0.96;
    w.cels[0].scale = 0.5;
    w.sprites[0].origin[1] = 90;
    assert_true(draw(&w));
    assert_covers(&w, 0, 50 + 25, 90 - 0.96 * 25, 50 + 75, 90 + 0.04 * 25); // 50 x 25; the stage begins at x = 50
    w.cels[0].size_rule = ZP_SIZE_PIXELS;
    assert_true(draw(&w));
    assert_covers(&w, 0, 100 - 16, 90 - 0.96 * 16, 100 + 16, 90 + 0.04 * 16); // 64 x 32 px, halved
    w.sprites[0].cel_ref = 2; // upright pictures fit by their height
    assert_true(draw(&w));
    assert_covers(&w, 0, 100 - 20, 90 - 50, 100 + 20, 90 + 50);
}

static void a_region_is_all_that_is_seen(void **state) {
    (void)state;
    world w;
    make_world(&w);
    const double region[4] = {10, 4, 40, 20};
    memcpy(w.cels[0].region, region, sizeof region);
    assert_true(draw(&w));
    assert_covers(&w, 0, 50, 25, 150, 75);
    const uint32_t expected[4] = {10, 4, 40, 20};
    assert_memory_equal(w.commands[0].region, expected, sizeof expected);
    assert_int_equal(w.list.vertex_count, 4); // on pixel borders
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(w.vertices[i].u == 10 || w.vertices[i].u == 50);
        assert_true(w.vertices[i].v == 4 || w.vertices[i].v == 24);
    }
    const double beyond[4] = {60.5, -3, 40, 10.25}; // partly beside the picture: only what is there is read
    memcpy(w.cels[0].region, beyond, sizeof beyond);
    assert_true(draw(&w));
    const uint32_t there[4] = {60, 0, 4, 8};
    assert_memory_equal(w.commands[0].region, there, sizeof there);
    w.cels[0].region[3] = 0;
    assert_int_equal(drawn_count(&w), 0);
}

static void opacity_is_cut_and_nothing_else_is(void **state) {
    (void)state;
    static const double given[] = {-1, 0, 0.25, 1, 3, INFINITY}, expected[] = {0, 0, 0.25, 1, 1, 1};
    world w;
    for (uint32_t i = 0; i < ZB_COUNT(given); i++) {
        make_world(&w);
        w.transforms[0].opacity = given[i];
        const uint32_t count = drawn_count(&w);
        assert_int_equal(count, expected[i] > 0);
        if (count > 0) { assert_true((double)w.vertices[0].a == expected[i] && w.vertices[0].r == w.vertices[0].a); }
    }
}

static void pixel_art_has_hard_borders(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.transforms[0].m[3] = 0.3;
    w.view.filter = ZO_FILTER_NEAREST;
    assert_true(draw(&w));
    assert_int_equal(w.list.vertex_count, 4);
    assert_int_equal(w.commands[0].filter, ZO_FILTER_NEAREST);
    w.view.filter = ZO_FILTER_BILINEAR;
    assert_true(draw(&w));
    assert_int_equal(w.list.vertex_count, 8);
}

static void commands_are_sorted_and_equals_keep_their_order(void **state) {
    (void)state;
    world w;
    make_world(&w);
    w.header.sections[ZP_SECTION_SPRITES].count = SPRITE_MAX;
    for (uint32_t code = 0; code < 256; code++) { // every way to give four sprites two layers and two orders
        for (uint32_t i = 0; i < SPRITE_MAX; i++) {
            w.sprites[i].layer = (int32_t)(code >> (2 * i) & 1) - 1;
            w.sprites[i].order = (int32_t)(code >> (2 * i + 1) & 1);
        }
        assert_int_equal(drawn_count(&w), SPRITE_MAX);
        for (uint32_t i = 1; i < SPRITE_MAX; i++) {
            const zo_command *x = &w.commands[i - 1], *y = &w.commands[i];
            assert_true(x->layer < y->layer || (x->layer == y->layer && x->order < y->order) ||
                        (x->layer == y->layer && x->order == y->order && x->first_index < y->first_index));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_picture_is_left_out),
        cmocka_unit_test(an_index_channel_chooses_the_cel),
        cmocka_unit_test(what_is_not_a_number_is_left_out),
        cmocka_unit_test(a_list_that_is_too_small_holds_what_had_room),
        cmocka_unit_test(the_stage_fits_the_viewport_in_the_middle),
        cmocka_unit_test(y_points_from_the_top_of_the_stage_to_its_bottom),
        cmocka_unit_test(channels_hold_a_sprites_colour_and_order),
        cmocka_unit_test(a_view_of_ones_own_counts_from_its_centre),
        cmocka_unit_test(a_cel_stands_on_its_anchor),
        cmocka_unit_test(a_region_is_all_that_is_seen),
        cmocka_unit_test(opacity_is_cut_and_nothing_else_is),
        cmocka_unit_test(pixel_art_has_hard_borders),
        cmocka_unit_test(commands_are_sorted_and_equals_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
