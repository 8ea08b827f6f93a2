// Effects with emitters as triangles and pixels: where a particle's picture stands and which part of it is seen, lights
// that add and end softly, trails of even width, decals; and that what the bounds say suffices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include <zoetrope/zoetrope.h>

#include "base/arena.h"
#include "draw/draw.h"
#include "program/build.h"

enum { SIDE = 128 };
#define PPU 16.0 // px a unit; the middle of the canvas is the origin
static const zp_span nowhere = {0, 0};

typedef struct scene {
    zb_arena arena;
    zp_build *b;
    zo_program *program;
    zo_instance *instance;
    zo_pose *pose;
    zo_draw_list list;
    uint8_t pixels[SIDE * SIDE * 4];
} scene;

static void open_scene(scene *s, bool y_up) {
    memset(s, 0, sizeof *s);
    s->arena = zb_arena_open(NULL);
    s->b = zp_build_open(&s->arena);
    zp_build_stage(s->b, -4, y_up ? 4 : -4, 4, y_up ? -4 : 4);
    zp_build_layer(s->b, &(zp_layer){0});
    zp_build_channel(s->b, &(zp_channel){.low = -HUGE_VAL, .high = HUGE_VAL}); // x of the target
    zp_build_target(s->b, &(zp_target){.compose = ZP_COMPOSE_TRS2, .slot_refs = {1}, .constant = {0, 0, 0, 1, 1, 1}});
    zp_build_cel(s->b, &(zp_cel){.scale = 1}, nowhere);
}

static uint32_t constant(scene *s, double value) {
    return zp_build_minmax(s->b, &(zp_minmax){.constant_max = value}) + 1;
}

// One particle a unit wide in the origin, for a second.
static zp_emitter single(scene *s) {
    return (zp_emitter){.particles_max = 100, .duration_ns = 1000000000, .end_ns = 2000000000, .start_count = 1,
                        .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale = {1, 1, 1}, .columns = 1, .rows = 1,
                        .life_ref = constant(s, 1), .size_ref = constant(s, 1)};
}

static void add_effect(scene *s, zp_effect_kind kind, const zp_emitter *emitter, bool textured, const double *colours) {
    const uint32_t count = kind == ZP_EFFECT_PARTICLES ? 0 : kind == ZP_EFFECT_TRAIL ? 2 : 1;
    zp_build_effect(s->b, &(zp_effect){
        .motion = ZP_MOTION_INTEGRATED, .kind = kind, .cel_ref = textured, .colour_count = count,
        .blend = kind == ZP_EFFECT_LIGHT ? ZP_EFFECT_ADD : ZP_EFFECT_OVER,
        .colours = zp_build_numbers(s->b, colours, 4 * count), .emitter_ref = zp_build_emitter(s->b, emitter) + 1});
}

// A clip of a second in which the target goes from x = 0 by `way`; all effects start with it.
static void start_scene(scene *s, uint32_t effect_count, double way, const zo_instance_def *def) {
    const zp_clip clip = {.repeat = ZP_REPEAT_HOLD, .duration_ns = 1000000000, .duration_ns_min = 1,
                          .duration_ns_max = 1000000000, .complete_ns = -1, .delay_unit_ns = 1};
    const double times[] = {0, 1}, values[] = {0, way};
    zp_build_clip_begin(s->b, &clip, nowhere);
    zp_build_curve(s->b, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .key_count = 2, .times = times,
                                         .values = values});
    for (uint32_t i = 0; i < effect_count; i++) {
        zp_build_event(s->b, &(zp_event){.action = ZP_ACTION_START_EFFECT, .subject_ref = i + 1}, nowhere);
    }
    zp_build_clip_end(s->b);
    zp_build_play(s->b, &(zp_play){.clip = 0});
    s->program = zp_build_finish(s->b, NULL);
    assert_non_null(s->program);
    const char *what = "";
    if (!zp_program_check(s->program->blob, s->program->blob_size, &what)) { fail_msg("%s", what); }
    s->instance = zo_instance_create(s->program, def, NULL);
    s->pose = zo_pose_create(s->program, NULL);
    const zo_draw_bound bound = zo_instance_draw_bounds(s->instance);
    s->list = (zo_draw_list){.vertices = calloc(bound.vertices + 1, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
                             .indices = calloc(bound.indices + 1, sizeof(uint32_t)), .index_capacity = bound.indices,
                             .commands = calloc(bound.commands + 1, sizeof(zo_command)),
                             .command_capacity = bound.commands};
}

static void go(scene *s, int64_t ns) {
    zo_step step = {.left_ns = ns};
    do {
        zo_event events[8];
        step = zo_instance_advance(s->instance, step.left_ns, events, 8);
    } while (step.more || step.left_ns > 0);
    zo_instance_sample(s->instance, s->pose);
}

// The picture is 32 by 16 px.
static bool draw(scene *s, zo_filter filter) {
    static const zo_size sizes[] = {{32, 16}};
    static const uint32_t cels[] = {1};
    const zo_view view = {.width = SIDE, .height = SIDE, .pixels_per_unit = PPU, .image_sizes = sizes, .image_count = 1,
                          .cel_images = cels, .cel_count = 1, .filter = filter};
    return zo_instance_draw(s->instance, s->pose, &view, &s->list);
}

static void paint(scene *s, uint8_t ground) { // without pictures
    memset(s->pixels, ground, sizeof s->pixels);
    zo_image target = {.width = SIDE, .height = SIDE, .stride = SIDE * 4, .pixels = s->pixels};
    zo_raster(&s->list, NULL, 0, &target);
}

static void close_scene(scene *s) {
    free(s->list.vertices);
    free(s->list.indices);
    free(s->list.commands);
    zo_pose_free(s->pose);
    zo_instance_free(s->instance);
    zo_program_free(s->program);
    zb_arena_close(&s->arena);
}

// The vertex that lies farthest towards (x, y).
static zo_vertex corner(const scene *s, double x, double y) {
    zo_vertex best = s->list.vertices[0];
    for (uint32_t i = 1; i < s->list.vertex_count; i++) {
        const zo_vertex v = s->list.vertices[i];
        if (v.x * x + v.y * y > best.x * x + best.y * y) { best = v; }
    }
    return best;
}

static void assert_corner(const scene *s, double to_x, double to_y, double x, double y, double u, double v) {
    const zo_vertex c = corner(s, to_x, to_y);
    if (fabs(c.x - x) > 1e-3 || fabs(c.y - y) > 1e-3 || fabs(c.u - u) > 1e-3 || fabs(c.v - v) > 1e-3) {
        fail_msg("it is at %g %g with %g %g", (double)c.x, (double)c.y, (double)c.u, (double)c.v);
    }
}

// ---------------------------------------------------------------------------------------------------- particles

static void pictures_stand_upright_whichever_way_y_goes(void **state) {
    (void)state;
    for (uint32_t y_up = 0; y_up < 2; y_up++) {
        scene s;
        open_scene(&s, y_up);
        zp_emitter e = single(&s);
        e.place[0] = 1;
        e.place[1] = 2;
        e.columns = 4;
        e.rows = 2;
        e.frame = 6; // the third of the lower row
        add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
        start_scene(&s, 1, 0, NULL);
        go(&s, 0);
        assert_true(draw(&s, ZO_FILTER_NEAREST));
        assert_int_equal(s.list.command_count, 1);
        const uint32_t region[4] = {16, 8, 8, 8};
        assert_memory_equal(s.list.commands[0].region, region, sizeof region);
        const double x = SIDE / 2 + PPU, y = SIDE / 2 + (y_up ? -2 : 2) * PPU;
        assert_corner(&s, -1, -1, x - 8, y - 8, 16, 8);
        assert_corner(&s, 1, 1, x + 8, y + 8, 24, 16);
        assert_corner(&s, 1, -1, x + 8, y - 8, 24, 8);
        close_scene(&s);
    }
}

// A quarter turn to the right in half a second; a negative width is a picture that is mirrored.
static void particles_turn_clockwise_and_are_mirrored(void **state) {
    (void)state;
    for (uint32_t y_up = 0; y_up < 2; y_up++) {
        scene s;
        open_scene(&s, y_up);
        zp_emitter e = single(&s);
        e.spin_ref = constant(&s, 3.14159265358979);
        add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
        e.spin_ref = 0;
        e.scale[0] = -2;
        add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
        start_scene(&s, 2, 0, NULL);
        go(&s, 500000000);
        assert_true(draw(&s, ZO_FILTER_NEAREST));
        s.list.vertex_count = 4; // the first of them: what was on the left at the top is on the right
        const double middle = SIDE / 2;
        assert_corner(&s, 1, -1, middle + 8, middle - 8, 0, 0);
        assert_corner(&s, 1, 1, middle + 8, middle + 8, 32, 0);
        memmove(s.list.vertices, s.list.vertices + 4, 4 * sizeof(zo_vertex));
        assert_corner(&s, 1, -1, middle + 16, middle - 8, 0, 0);
        assert_corner(&s, -1, 1, middle - 16, middle + 8, 32, 16);
        close_scene(&s);
    }
}

static void what_is_stretched_lies_along_its_way(void **state) {
    (void)state;
    scene s;
    open_scene(&s, true);
    zp_emitter e = single(&s);
    e.birthplace = ZP_BIRTH_EDGE; // sets out along y
    e.speed_ref = constant(&s, 2);
    e.facing = ZP_FACING_STRETCH;
    e.flags = ZP_EMITTER_LOCAL;
    add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
    e.facing = ZP_FACING_NONE;
    add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
    start_scene(&s, 2, 0, NULL);
    go(&s, 500000000);
    assert_true(draw(&s, ZO_FILTER_NEAREST));
    assert_int_equal(s.list.vertex_count, 4);
    const double y = SIDE / 2 - PPU; // a unit higher
    assert_corner(&s, 1, -1, corner(&s, 1, -1).x, y - 16, 32, 16); // its width goes up
    assert_true(fabs(corner(&s, 1, 1).x - corner(&s, -1, 1).x - 16) < 1e-3);
    close_scene(&s);
}

// Those that show the same part of the picture share a command, and only those.
static void commands_are_shared(void **state) {
    (void)state;
    scene s;
    open_scene(&s, true);
    zp_emitter e = single(&s);
    e.start_count = 5;
    add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
    e.columns = 2;
    e.rows = 2;
    e.flags = ZP_EMITTER_SHEET_MOVES;
    e.cycles = 1;
    const zp_minmax any = {.mode = ZP_MINMAX_TWO_CONSTANTS, .constant_max = 1};
    e.start_ref = zp_build_minmax(s.b, &any) + 1;
    add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, NULL);
    static const double rows[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.6};
    start_scene(&s, 2, 0, &(zo_instance_def){.particle_list = rows, .particle_count = 10, .particle_row = 1});
    go(&s, 0);
    assert_true(draw(&s, ZO_FILTER_NEAREST));
    assert_int_equal(s.list.vertex_count, 40);
    assert_int_equal(s.list.command_count, 2); // the second effect's five all start in the first frame
    close_scene(&s);
}

// ---------------------------------------------------------------------------------------------------- the others

static const uint8_t *pixel(const scene *s, double x, double y) { // units from the middle, y down
    return s->pixels + 4 * ((size_t)(SIDE / 2 + y * PPU) * SIDE + (size_t)(SIDE / 2 + x * PPU));
}

static void lights_add_and_end_softly(void **state) {
    (void)state;
    scene s;
    open_scene(&s, true);
    zp_emitter e = single(&s);
    e.radius = 3;
    e.inner = 1;
    e.intensity = 0.5;
    const double colour[] = {1, 0.5, 0, 1};
    add_effect(&s, ZP_EFFECT_LIGHT, &e, false, colour);
    start_scene(&s, 1, 0, NULL);
    go(&s, 0);
    assert_true(draw(&s, ZO_FILTER_BILINEAR));
    assert_int_equal(s.list.commands[0].blend, ZO_BLEND_ADD);
    paint(&s, 100);
    assert_in_range(pixel(&s, 0, 0)[0], 227, 229); // 100 + 127.5
    assert_in_range(pixel(&s, 0.9, 0)[0], 226, 229);
    assert_in_range(pixel(&s, 0, 0)[1], 163, 165);
    assert_int_equal(pixel(&s, 0, 0)[2], 100);
    assert_in_range(pixel(&s, 2, 0)[0], 155, 172); // half way
    uint8_t last = 255;
    for (double x = 0.05; x < 3.9; x += 1 / PPU) { // never brighter again, and no step
        const uint8_t here = pixel(&s, x, 0)[0];
        assert_true(here <= last && (last == 255 || last - here <= 10));
        last = here;
    }
    assert_int_equal(pixel(&s, 3.1, 0)[0], 100);
    assert_int_equal(pixel(&s, -2.2, 2.2)[0], 100);
    close_scene(&s);
}

static double laid_on(const scene *s) { // white on black, in px
    double sum = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) { sum += s->pixels[4 * i] / 255.0; }
    return sum;
}

// Area: length times width, and a disc for both ends.
static void trails_have_even_width_and_round_ends(void **state) {
    (void)state;
    static const double widths[] = {0.02, 0.1, 0.5, 1.5}; // from a third of a pixel on
    for (uint32_t i = 0; i < ZB_COUNT(widths); i++) {
        scene s;
        open_scene(&s, true);
        zp_emitter e = single(&s);
        e.width = widths[i];
        e.apart = 0.02;
        e.point_ns = 3000000000;
        e.end_ns = 4000000000;
        e.place[0] = -1.5;
        const double white[] = {1, 1, 1, 1, 1, 1, 1, 1};
        add_effect(&s, ZP_EFFECT_TRAIL, &e, false, white);
        start_scene(&s, 1, 3, NULL);
        go(&s, 990000000);
        assert_true(draw(&s, ZO_FILTER_BILINEAR));
        assert_int_equal(s.list.command_count, 1);
        paint(&s, 0);
        const double px = widths[i] * PPU, length = 2.97 * PPU;
        const double area = length * px + 3.14159265 * px * px / 4;
        if (fabs(laid_on(&s) - area) > 0.03 * area + 1) { fail_msg("width %g: %g, not %g", widths[i], laid_on(&s), area); }
        close_scene(&s);
    }
}

static void a_trail_goes_from_its_head_to_its_end(void **state) {
    (void)state;
    scene s;
    open_scene(&s, true);
    zp_emitter e = single(&s);
    e.width = 0.5;
    e.apart = 0.02;
    e.point_ns = 3000000000;
    e.end_ns = 4000000000;
    e.place[0] = -1.5;
    const double colours[] = {1, 0, 0, 1, 0, 0, 1, 1};
    add_effect(&s, ZP_EFFECT_TRAIL, &e, false, colours);
    start_scene(&s, 1, 3, NULL);
    go(&s, 0);
    assert_true(draw(&s, ZO_FILTER_BILINEAR)); // no way yet, nothing to be seen
    assert_int_equal(s.list.command_count, 0);
    go(&s, 1000000000);
    assert_true(draw(&s, ZO_FILTER_BILINEAR));
    paint(&s, 0);
    assert_true(pixel(&s, 1.4, 0)[0] > 240 && pixel(&s, 1.4, 0)[2] < 15);
    assert_in_range(pixel(&s, 0, 0)[0], 120, 135);
    assert_true(pixel(&s, -1.4, 0)[0] < 15 && pixel(&s, -1.4, 0)[2] > 240);
    close_scene(&s);
}

static void a_decal_is_as_large_as_its_tile(void **state) {
    (void)state;
    scene s;
    open_scene(&s, true);
    zp_emitter e = single(&s);
    e.columns = 2;
    e.rows = 1;
    e.frame = 1;
    e.pixel = 1.0 / 16;
    e.scale[0] = 2;
    const double colour[] = {1, 1, 1, 0.5};
    add_effect(&s, ZP_EFFECT_DECAL, &e, true, colour);
    start_scene(&s, 1, 2, NULL);
    go(&s, 500000000);
    assert_true(draw(&s, ZO_FILTER_NEAREST));
    const double x = SIDE / 2 + PPU, y = SIDE / 2;
    assert_corner(&s, -1, -1, x - 16, y - 8, 16, 0);
    assert_corner(&s, 1, 1, x + 16, y + 8, 32, 16);
    assert_true(s.list.vertices[0].a == 0.5f);
    go(&s, 500000000);
    assert_true(draw(&s, ZO_FILTER_NEAREST));
    assert_int_equal(s.list.command_count, 1);
    go(&s, 1000000000); // over
    assert_true(draw(&s, ZO_FILTER_NEAREST));
    assert_int_equal(s.list.command_count, 0);
    close_scene(&s);
}

// ---------------------------------------------------------------------------------------------------- room

static void the_bounds_suffice_and_less_is_cut(void **state) {
    (void)state;
    scene s;
    open_scene(&s, true);
    zp_emitter e = single(&s);
    e.start_count = 100;
    e.flags = ZP_EMITTER_SHEET_MOVES;
    e.columns = 4;
    e.cycles = 1;
    e.radius = 1;
    e.birthplace = ZP_BIRTH_CIRCLE;
    e.start_ref = zp_build_minmax(s.b, &(zp_minmax){.mode = ZP_MINMAX_TWO_CONSTANTS, .constant_max = 1}) + 1;
    const double colours[] = {1, 1, 1, 1, 1, 1, 1, 1};
    add_effect(&s, ZP_EFFECT_PARTICLES, &e, true, colours);
    zp_emitter other = single(&s);
    other.radius = 1;
    other.intensity = 1;
    other.width = 0.3;
    other.apart = 0.02;
    other.point_ns = 900000000;
    other.pixel = 0.1;
    add_effect(&s, ZP_EFFECT_TRAIL, &other, false, colours);
    add_effect(&s, ZP_EFFECT_LIGHT, &other, false, colours);
    add_effect(&s, ZP_EFFECT_DECAL, &other, true, colours);
    start_scene(&s, 4, 3, &(zo_instance_def){.effect_capacity = 4, .particle_capacity = 50, .point_capacity = 100});
    go(&s, 800000000);
    assert_int_equal(zo_instance_particle_count(s.instance), 50);
    assert_true(draw(&s, ZO_FILTER_BILINEAR));
    const zo_draw_list whole = s.list;
    for (uint32_t cut = 0; cut < 3; cut++) {
        s.list = whole;
        uint32_t *capacities[] = {&s.list.vertex_capacity, &s.list.index_capacity, &s.list.command_capacity};
        const uint32_t counts[] = {whole.vertex_count, whole.index_count, whole.command_count};
        for (uint32_t less = 1; less < counts[cut]; less += counts[cut] / 17 + 1) {
            *capacities[cut] = counts[cut] - less;
            assert_false(draw(&s, ZO_FILTER_BILINEAR));
            assert_true(s.list.vertex_count <= s.list.vertex_capacity && s.list.index_count <= s.list.index_capacity);
            paint(&s, 0);
        }
    }
    s.list = whole;
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_stand_upright_whichever_way_y_goes),
        cmocka_unit_test(particles_turn_clockwise_and_are_mirrored),
        cmocka_unit_test(what_is_stretched_lies_along_its_way),
        cmocka_unit_test(commands_are_shared),
        cmocka_unit_test(lights_add_and_end_softly),
        cmocka_unit_test(trails_have_even_width_and_round_ends),
        cmocka_unit_test(a_trail_goes_from_its_head_to_its_end),
        cmocka_unit_test(a_decal_is_as_large_as_its_tile),
        cmocka_unit_test(the_bounds_suffice_and_less_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
