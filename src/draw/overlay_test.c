// Overlays: where they lie, when they are seen, and as pixels over the sprite that they belong to.
#include "runtime/test_program.h"

#include <string.h>

#include <zoetrope/zoetrope.h>

#include "draw/draw.h"

enum { BODY = 1, SHUT = 3, OTHER = 4, IMAGES = 4 }; // pictures of the view

// A flip-book of two frames on a sprite that stands on its lower edge, 40 x 60 px, with an overlay of 20 x 30 px.
typedef struct world {
    zp_program *program;
    zo_instance *instance;
    zo_pose *pose;
    zo_size sizes[IMAGES];
    uint32_t cel_images[IMAGES];
    zo_view view;
} world;

static zp_overlay plain_overlay(zp_build *b) {
    static const double anchors[] = {1, -10, 8, 4, 3, -8, 10, 6}, sources[] = {0.5, 2}, levels[] = {0, 1};
    static const uint32_t cels[] = {2, 3};
    return (zp_overlay){.name = zp_build_name(b, ZB_TEXT("mouth")), .first_cel = zp_build_words(b, cels, 2),
                        .cel_count = 2, .levels = zp_build_numbers(b, levels, 2), .anchor_count = 2,
                        .anchors = zp_build_numbers(b, anchors, 8), .sources = zp_build_numbers(b, sources, 2),
                        .source_count = 1, .rest_frame = 1, .threshold = 0.25, .open = 0.5, .swell = 1,
                        .reach = {1, 1}};
}

// `change`: what is to be otherwise; NULL: nothing.
static void make_world(world *w, void (*change)(zp_overlay *overlay)) {
    memset(w, 0, sizeof *w);
    zb_arena arena = zb_arena_open(NULL);
    zp_build *b = zp_build_open(&arena);
    zp_build_stage(b, -20, -60, 20, 0);
    zp_build_layer(b, &(zp_layer){0});
    const uint32_t channel = zp_build_channel(b, &(zp_channel){.rest = 1, .high = IMAGES, .is_index = 1, .own_rest = 1});
    const uint32_t target = zp_build_target(b, &(zp_target){.compose = ZP_COMPOSE_NONE});
    for (uint32_t i = 0; i < IMAGES; ++i) {
        zp_build_cel(b, &(zp_cel){.scale = 1, .anchor = {0.5, 1}, .flags = ZP_CEL_PIXELS}, NOWHERE);
        w->cel_images[i] = i + 1;
        w->sizes[i] = i < 2 ? (zo_size){40, 60} : (zo_size){20, 30};
    }
    zp_build_sprite(b, &(zp_sprite){.target = target, .channel_ref = channel + 1});
    const zp_clip clip = test_clip(ZP_REPEAT_LOOP, 200 * MS);
    zp_build_clip_begin(b, &clip, NOWHERE);
    static const double frames[] = {1, 2};
    zp_build_curve(b, &(zp_curve_def){.placement = ZP_PLACE_STEP_NS, .arithmetic = ZP_ARITHMETIC_INDEX, .width = 1,
                                      .first_channel = channel, .key_count = 2, .values = frames, .step_ns = 100 * MS});
    const uint32_t played = zp_build_clip_end(b);
    zp_build_play(b, &(zp_play){.clip = played});
    zp_overlay overlay = plain_overlay(b);
    if (change) { change(&overlay); }
    zp_build_overlay(b, &overlay);
    w->program = zp_build_finish(b, NULL);
    zb_arena_close(&arena);
    assert_non_null(w->program);
    const char *what = NULL;
    if (!zp_program_check(w->program->blob, w->program->blob_size, &what)) { fail_msg("%s", what); }
    w->instance = zo_instance_create(w->program, NULL, NULL);
    w->pose = zo_pose_create(w->program, NULL);
    assert_true(w->instance && w->pose);
    w->view = (zo_view){.width = 40, .height = 60, .image_sizes = w->sizes, .image_count = IMAGES,
                        .cel_images = w->cel_images, .cel_count = IMAGES};
    test_advance(w->instance, 0, 8, MS, NULL);
}

static void free_world(world *w) {
    zo_pose_free(w->pose);
    zo_instance_free(w->instance);
    zp_program_free(w->program);
}

static zo_overlay find(const world *w) {
    zo_overlay overlay;
    assert_true(zo_instance_overlay(w->instance, &w->view, 0, &overlay));
    assert_false(zo_instance_overlay(w->instance, &w->view, 1, &overlay));
    assert_true(zo_instance_overlay(w->instance, &w->view, 0, &overlay));
    return overlay;
}

static void say(world *w, bool speaking, double level) {
    zo_instance_speaking(w->instance, speaking);
    zo_instance_set_mouth(w->instance, level);
}

#define ASSERT_NUMBERS(numbers, x, y) assert_true((numbers)[0] == (x) && (numbers)[1] == (y))

// ---------------------------------------------------------------------------------------------------- where and when

static void it_follows_the_anchor_of_the_frame_on_show(void **state) {
    (void)state;
    world w;
    make_world(&w, NULL);
    zo_overlay o = find(&w);
    assert_string_equal(o.name, "mouth");
    assert_true(o.visible && o.frame == 0 && o.rest_frame == 1 && o.index == 0 && o.cel.id == SHUT);
    // The middle of the body is 30 px over its feet. Anchor (1, -10); source (0.5, 2): the picture's middle goes to
    // (0.5, -12), its feet 15 px below.
    ASSERT_NUMBERS(o.center, 1, -40);
    ASSERT_NUMBERS(o.half, 4, 2 * 1.5);
    ASSERT_NUMBERS(o.place, 0.5, -12 - 30 + 15);
    test_advance(w.instance, 100 * MS, 8, MS, NULL);
    o = find(&w);
    assert_int_equal(o.frame, 1);
    ASSERT_NUMBERS(o.center, 3, -38);
    ASSERT_NUMBERS(o.half, 5, 3 * 1.5);
    ASSERT_NUMBERS(o.place, 2.5, -10 - 30 + 15);
    free_world(&w);
}

static void one_anchor(zp_overlay *o) { o->anchor_count = 1; }
static void no_size(zp_overlay *o) {
    o->reach[0] = 1.8;
    o->anchors += 1; // width -10 is the height of nothing: both count as 1 px
    o->anchor_count = 1;
}
static void aligned(zp_overlay *o) {
    o->flags = ZP_OVERLAY_ALIGNED;
    o->shift = -4;
}
static void flat(zp_overlay *o) { o->reach[1] = 0.166; }  // 0.498 px
static void flat_enough(zp_overlay *o) { o->reach[1] = 0.5 / 3.0; }

static void the_last_anchor_serves_all_frames_that_follow(void **state) {
    (void)state;
    world w;
    make_world(&w, one_anchor);
    test_advance(w.instance, 100 * MS, 8, MS, NULL);
    const zo_overlay o = find(&w);
    assert_int_equal(o.frame, 1);
    ASSERT_NUMBERS(o.center, 1, -40);
    free_world(&w);
}

static void its_spot_is_at_least_a_px_in_size(void **state) {
    (void)state;
    world w;
    make_world(&w, no_size); // anchor (-10, 8), width 4, height 3
    zo_overlay o = find(&w);
    ASSERT_NUMBERS(o.half, 2 * 1.8, 1.5 * 1.5);
    free_world(&w);
    make_world(&w, flat);
    assert_false(find(&w).visible); // less than half a px high
    free_world(&w);
    make_world(&w, flat_enough);
    assert_true(find(&w).visible);
    free_world(&w);
}

static void what_is_aligned_lies_by_its_anchor(void **state) {
    (void)state;
    world w;
    make_world(&w, aligned);
    const zo_overlay o = find(&w);
    ASSERT_NUMBERS(o.place, 0, 0);
    ASSERT_NUMBERS(o.center, 1, -44); // and only the ellipse is shifted
    free_world(&w);
}

static void by_the_level(zp_overlay *o) {
    o->rule = ZP_OVERLAY_NEAREST;
    o->open = 0.125;
}

static void it_is_seen_as_its_rule_says(void **state) {
    (void)state;
    static const struct { bool speaking; double level; bool quiet, nearest; uint32_t picture; double open; } rows[] = {
        {false, 0, true, false, 0, 0.125},     {false, 0.25, true, false, 0, 0.25},
        {false, 0.3125, true, true, 0, 0.3125}, {true, 0, true, true, 0, 0.125},
        {true, 0.25, true, true, 0, 0.25},     {true, 0.3125, false, true, 0, 0.3125},
        {true, 0.5, false, true, 0, 0.5},      {true, 0.5625, false, true, 1, 0.5625}, // halfway: the first
        {true, 7, false, true, 1, 1},          {true, -3, true, true, 0, 0.125},       // cut to 0..1
    };
    for (uint32_t i = 0; i < ZB_COUNT(rows); ++i) {
        world w;
        make_world(&w, NULL);
        say(&w, rows[i].speaking, rows[i].level);
        assert_int_equal(find(&w).visible, rows[i].quiet);
        free_world(&w);
        make_world(&w, by_the_level);
        say(&w, rows[i].speaking, rows[i].level);
        zo_instance_set_mouth(w.instance, NAN); // changes nothing
        const zo_overlay o = find(&w);
        assert_int_equal(o.visible, rows[i].nearest);
        assert_int_equal(o.index, rows[i].picture);
        if (o.visible) {
            ASSERT_NUMBERS(o.half, 4, 2 * (1 + rows[i].open));
            // The second picture has no source: its spot is where the anchor is.
            if (o.index == 1) { ASSERT_NUMBERS(o.place, 0, -30 + 15); }
        }
        free_world(&w);
    }
}

static void a_picture_that_is_missing_is_not_seen(void **state) {
    (void)state;
    world w;
    make_world(&w, NULL);
    static const zo_size sizes[] = {{0, 30}, {1, 30}, {20, 1}, {20, 0}};
    for (uint32_t i = 0; i < ZB_COUNT(sizes); ++i) {
        w.sizes[SHUT - 1] = sizes[i];
        assert_false(find(&w).visible);
    }
    w.sizes[SHUT - 1] = (zo_size){2, 2};
    assert_true(find(&w).visible);
    w.cel_images[SHUT - 1] = 0;
    assert_false(find(&w).visible);
    w.cel_images[SHUT - 1] = SHUT;
    w.cel_images[0] = 0; // the body's
    assert_false(find(&w).visible);
    free_world(&w);
}

static void without_the_clip_nothing_lies_there(void **state) {
    (void)state;
    world w;
    make_world(&w, NULL);
    zo_run_info run;
    zo_overlay o;
    assert_true(zo_instance_run_at(w.instance, 0, &run));
    assert_true(zo_instance_cancel(w.instance, run.run));
    assert_false(zo_instance_overlay(w.instance, &w.view, 0, &o));
    free_world(&w);
}

// ---------------------------------------------------------------------------------------------------- as pixels

enum { SIDE = 60, LIST = 400 };
typedef struct canvas {
    uint8_t body[40 * 60 * 4], shut[20 * 30 * 4], pixels[SIDE * SIDE * 4];
    zo_image images[IMAGES], image;
    zo_vertex vertices[LIST];
    uint32_t indices[4 * LIST];
    zo_command commands[4];
    zo_draw_list list;
} canvas;

// The body is grey; of its overlay a pixel says where it is: red its column, green its row.
static void paint(canvas *c) {
    memset(c->body, 100, sizeof c->body);
    for (uint32_t i = 0; i < 40 * 60; ++i) { c->body[4 * i + 3] = 255; }
    for (uint32_t i = 0; i < 20 * 30; ++i) {
        const uint8_t texel[4] = {(uint8_t)(i % 20 * 10), (uint8_t)(i / 20 * 8), 255, 255};
        memcpy(&c->shut[4 * i], texel, 4);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        c->images[i] = (zo_image){.width = 40, .height = 60, .stride = 160, .pixels = c->body};
        c->images[2 + i] = (zo_image){.width = 20, .height = 30, .stride = 80, .pixels = c->shut};
    }
}

static void draw(world *w, canvas *c) {
    paint(c);
    memset(c->pixels, 0, sizeof c->pixels);
    c->image = (zo_image){.width = (uint32_t)w->view.width, .height = (uint32_t)w->view.height,
                          .stride = (uint32_t)w->view.width * 4, .pixels = c->pixels};
    const zo_draw_bound bound = zo_instance_draw_bounds(w->instance);
    assert_true(bound.vertices <= LIST && bound.indices <= 4 * LIST && bound.commands <= 4);
    c->list = (zo_draw_list){.vertices = c->vertices, .vertex_capacity = bound.vertices, .indices = c->indices,
                             .index_capacity = bound.indices, .commands = c->commands,
                             .command_capacity = bound.commands};
    zo_instance_sample(w->instance, w->pose);
    assert_true(zo_instance_draw(w->instance, w->pose, &w->view, &c->list));
    zo_raster(&c->list, c->images, IMAGES, &c->image);
}

static const uint8_t *pixel(const canvas *c, uint32_t x, uint32_t y) {
    return &c->pixels[4 * (y * c->image.width + x)];
}

// How far a pixel's middle is from an ellipse's border, about: below 0 inside.
static double beyond(double x, double y, const double center[2], const double half[2]) {
    const double u = (x - center[0]) / half[0], v = (y - center[1]) / half[1];
    return (sqrt(u * u + v * v) - 1) * (half[0] < half[1] ? half[0] : half[1]);
}

static void it_covers_its_ellipse_with_its_own_picture(void **state) {
    (void)state;
    world w;
    static canvas c;
    make_world(&w, NULL);
    draw(&w, &c);
    assert_int_equal(c.list.command_count, 2);
    assert_int_equal(c.commands[0].image, BODY);
    assert_int_equal(c.commands[1].image, SHUT);
    const zo_overlay o = find(&w);
    const double middle[2] = {20 + o.center[0], 60 + o.center[1]}; // px of the viewport
    uint32_t inside = 0;
    for (uint32_t y = 0; y < 60; ++y) {
        for (uint32_t x = 0; x < 40; ++x) {
            const uint8_t *p = pixel(&c, x, y);
            const double far = beyond(x + 0.5, y + 0.5, middle, o.half);
            if (far > 1) { assert_true(p[0] == 100 && p[1] == 100 && p[2] == 100 && p[3] == 255); }
            if (far > -1) { continue; }
            // The picture's middle stands at (20.5, 18), half a texel aside: the nearest one, either way.
            const int column = (int)x - 20 + 10, row = (int)y - 18 + 15;
            assert_true(p[2] == 255 && p[1] == row * 8);
            assert_true(p[0] == column * 10 || p[0] == (column - 1) * 10);
            ++inside;
        }
    }
    assert_true(inside > 10);
    say(&w, true, 1);
    draw(&w, &c);
    assert_int_equal(c.list.command_count, 1);
    free_world(&w);
}

static void whole(zp_overlay *o) { // an ellipse far larger than its picture
    o->reach[0] = o->reach[1] = 20;
    o->source_count = 0;
}

static void beyond_its_picture_there_is_nothing_of_it(void **state) {
    (void)state;
    world w;
    static canvas c;
    make_world(&w, whole); // the picture's middle is that of the body: x 10..30, y 15..45
    draw(&w, &c);
    for (uint32_t y = 0; y < 60; ++y) {
        for (uint32_t x = 0; x < 40; ++x) {
            const bool inside = x > 10 && x < 29 && y > 15 && y < 44, outside = x < 9 || x > 30 || y < 14 || y > 45;
            const uint8_t *p = pixel(&c, x, y);
            if (outside) { assert_int_equal(p[2], 100); }
            if (inside) {
                assert_int_equal(p[2], 255);
                assert_int_equal(p[0], (x - 10) * 10);
                assert_int_equal(p[1], (y - 15) * 8);
            }
        }
    }
    free_world(&w);
}

static void far_away(zp_overlay *o) { o->shift = 200; }

static void away_from_its_picture_nothing_is_drawn(void **state) {
    (void)state;
    world w;
    static canvas c;
    make_world(&w, far_away);
    assert_true(find(&w).visible);
    draw(&w, &c);
    assert_int_equal(c.list.command_count, 1);
    free_world(&w);
}

// Turned by a right angle, mirrored, and larger: each pixel in the middle of the ellipse still shows the texel there.
static void it_goes_with_the_sprite(void **state) {
    (void)state;
    world w;
    static canvas c;
    static const double roots[][12] = {
        {0, -1, 0, -30, 1, 0, 0, -30, 0, 0, 1, 0}, {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {2, 0, 0, 0, 0, 2, 0, 40, 0, 0, 1, 0},
    };
    for (uint32_t i = 0; i < ZB_COUNT(roots); ++i) {
        make_world(&w, NULL);
        w.view.root = roots[i];
        w.view.width = w.view.height = SIDE;
        w.view.pixels_per_unit = 1;
        w.view.center_y = -30;
        draw(&w, &c);
        const double *m = roots[i];
        uint32_t seen = 0;
        for (int32_t y = -2; y <= 2; ++y) {
            for (int32_t x = -2; x <= 2; ++x) { // texels about the picture's middle at (0.5, -42), near the spot
                const double px = 0.5 + x + 0.25, py = -40 + y + 0.25;
                const double vx = m[0] * px + m[1] * py + m[3] + 30, vy = m[4] * px + m[5] * py + m[7] + 30 + 30;
                if (vx < 0 || vy < 0 || vx >= SIDE || vy >= SIDE) { continue; }
                const uint8_t *p = pixel(&c, (uint32_t)vx, (uint32_t)vy);
                if (p[2] != 255) { continue; }
                assert_in_range(p[0] + 10, 10 * (10 + x) + 0, 10 * (10 + x) + 20);
                assert_in_range(p[1] + 8, 8 * (17 + y) + 0, 8 * (17 + y) + 16);
                ++seen;
            }
        }
        assert_true(seen >= 9);
        free_world(&w);
    }
}

static void a_pose_alone_has_none(void **state) {
    (void)state;
    world w;
    static canvas c;
    make_world(&w, NULL);
    draw(&w, &c);
    assert_true(zo_pose_draw(w.program, w.pose, &w.view, &c.list));
    assert_int_equal(c.list.command_count, 1);
    // Without room for it the body is there still, and it is said.
    c.list.command_capacity = 1;
    assert_false(zo_instance_draw(w.instance, w.pose, &w.view, &c.list));
    assert_int_equal(c.list.command_count, 1);
    c.list.command_capacity = 2;
    c.list.vertex_capacity = 8;
    assert_false(zo_instance_draw(w.instance, w.pose, &w.view, &c.list));
    assert_int_equal(c.list.command_count, 1);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_the_anchor_of_the_frame_on_show),
        cmocka_unit_test(the_last_anchor_serves_all_frames_that_follow),
        cmocka_unit_test(its_spot_is_at_least_a_px_in_size),
        cmocka_unit_test(what_is_aligned_lies_by_its_anchor),
        cmocka_unit_test(it_is_seen_as_its_rule_says),
        cmocka_unit_test(a_picture_that_is_missing_is_not_seen),
        cmocka_unit_test(without_the_clip_nothing_lies_there),
        cmocka_unit_test(it_covers_its_ellipse_with_its_own_picture),
        cmocka_unit_test(beyond_its_picture_there_is_nothing_of_it),
        cmocka_unit_test(away_from_its_picture_nothing_is_drawn),
        cmocka_unit_test(it_goes_with_the_sprite),
        cmocka_unit_test(a_pose_alone_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
