// Triangles in space: bad input first, then who hides whom, then perspective, held against plain doubles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "draw/draw.h"
#include "draw/span.h"
#include "image/image.h"

enum { SIDE = 64, VERTICES_MAX = 96, COMMANDS_MAX = 4 };

static uint64_t random_state = 1;

static uint32_t random_bits(void) { // SplitMix64
    uint64_t x = random_state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) >> 32);
}

static double random_between(double low, double high) { return low + (high - low) * (random_bits() / 4294967296.0); }

// A list and what it is drawn on, in blocks of just their size.
typedef struct scene {
    zo_vertex vertices[VERTICES_MAX];
    zo_vertex_depth vertex_depths[VERTICES_MAX];
    uint32_t indices[VERTICES_MAX];
    zo_command commands[COMMANDS_MAX];
    zo_draw_list list;
    zo_image target;
    uint32_t *depths;
} scene;

static void clear(scene *s) {
    memset(s->target.pixels, 0, s->target.stride * s->target.height);
    memset(s->depths, 0xFF, SIDE * SIDE * sizeof *s->depths);
    s->list = (zo_draw_list){.vertices = s->vertices, .depths = s->vertex_depths, .vertex_capacity = VERTICES_MAX,
                             .indices = s->indices, .index_capacity = VERTICES_MAX, .commands = s->commands,
                             .command_capacity = COMMANDS_MAX};
}

static scene *open_scene(void) {
    scene *s = calloc(1, sizeof *s);
    s->target = (zo_image){.width = SIDE, .height = SIDE, .stride = SIDE * 4, .pixels = malloc(SIDE * SIDE * 4)};
    s->depths = malloc(SIDE * SIDE * sizeof *s->depths);
    clear(s);
    return s;
}

static void close_scene(scene *s) {
    free(s->target.pixels);
    free(s->depths);
    free(s);
}

typedef struct point { double x, y, depth, inverse, u, v; } point;

static void put_triangle(scene *s, const point corners[3], const float colour[4]) {
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t at = s->list.vertex_count++;
        const point *c = &corners[i];
        s->vertices[at] = (zo_vertex){(float)c->x, (float)c->y, (float)c->u, (float)c->v, colour[0], colour[1], colour[2],
                                      colour[3]};
        s->vertex_depths[at] = (zo_vertex_depth){(float)c->depth, (float)c->inverse};
        s->indices[s->list.index_count++] = at;
    }
}

static void end_command(scene *s, zo_command command) {
    if (s->list.command_count > 0) {
        const zo_command *last = &s->commands[s->list.command_count - 1];
        command.first_index = last->first_index + last->index_count;
    }
    command.index_count = s->list.index_count - command.first_index;
    s->commands[s->list.command_count++] = command;
}

static uint32_t pixel_at(const scene *s, uint32_t x, uint32_t y) {
    uint32_t pixel;
    memcpy(&pixel, s->target.pixels + y * s->target.stride + (size_t)x * 4, 4);
    return pixel;
}

static void draw(scene *s, const zo_image *pictures, uint32_t count) {
    zg_raster(&s->list, pictures, count, &s->target, s->depths);
}

enum { DEEP = ZO_COMMAND_HIDDEN | ZO_COMMAND_HIDES };
static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1};
#define RED 0xFF0000FFu
#define GREEN 0xFF00FF00u
#define BLUE 0xFFFF0000u

// All of the target at these depths: at the left, at the right.
static void put_wall(scene *s, double left, double right, const float colour[4]) {
    const point corners[4] = {{0, 0, left, 1, 0, 0}, {SIDE, 0, right, 1, 4, 0}, {0, SIDE, left, 1, 0, 4},
                              {SIDE, SIDE, right, 1, 4, 4}};
    put_triangle(s, (const point[3]){corners[0], corners[1], corners[2]}, colour);
    put_triangle(s, (const point[3]){corners[2], corners[1], corners[3]}, colour);
}

// ---------------------------------------------------------------------------------------------------- bad input

static float wild(void) {
    static const double values[] = {0, 1, -1, 0.5, 1e-30, -1e-30, 1e30, -1e30, 64, -64, 1048577, 3e38, 1e-45};
    const uint32_t pick = random_bits() % (ZB_COUNT(values) + 3);
    if (pick == ZB_COUNT(values)) { return (float)NAN; }
    if (pick == ZB_COUNT(values) + 1) { return (float)INFINITY; }
    if (pick == ZB_COUNT(values) + 2) { return -(float)INFINITY; }
    return (float)(values[pick] * (random_bits() % 2 ? 1 : random_between(-2, 2)));
}

static void whatever_the_numbers_are_no_harm_is_done(void **state) {
    (void)state;
    scene *s = open_scene();
    uint8_t texels[4 * 4 * 4];
    memset(texels, 0x80, sizeof texels);
    const zo_image picture = {.width = 4, .height = 4, .stride = 16, .pixels = texels};
    for (uint32_t turn = 0; turn < 1500; turn++) {
        clear(s);
        for (uint32_t c = 0; c < COMMANDS_MAX; c++) {
            for (uint32_t i = 0; i < 4; i++) {
                point corners[3];
                for (uint32_t k = 0; k < 3; k++) {
                    corners[k] = (point){(double)wild(), (double)wild(), (double)wild(), (double)wild(),
                                         (double)wild(), (double)wild()};
                    if (random_bits() % 4) { corners[k].x = random_between(0, SIDE); }
                    if (random_bits() % 4) { corners[k].y = random_between(0, SIDE); }
                }
                put_triangle(s, corners, (const float[4]){wild(), wild(), wild(), wild()});
            }
            end_command(s, (zo_command){.image = random_bits() % 2, .flags = random_bits() % 4, .alpha_min = wild(),
                                        .filter = random_bits() % 2 ? ZO_FILTER_NEAREST : ZO_FILTER_BILINEAR});
        }
        if (random_bits() % 8 == 0) { s->list.depths = NULL; }
        zg_raster(&s->list, &picture, 1, &s->target, random_bits() % 8 ? s->depths : NULL);
    }
    close_scene(s);
}

// ---------------------------------------------------------------------------------------------------- depth

static void the_nearer_hides_in_any_order(void **state) {
    (void)state;
    scene *s = open_scene();
    for (uint32_t order = 0; order < 2; order++) {
        clear(s);
        put_wall(s, order == 0 ? 0.25 : 0.75, order == 0 ? 0.25 : 0.75, order == 0 ? red : green);
        put_wall(s, order == 0 ? 0.75 : 0.25, order == 0 ? 0.75 : 0.25, order == 0 ? green : red);
        end_command(s, (zo_command){.flags = DEEP});
        draw(s, NULL, 0);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) { assert_int_equal(pixel_at(s, i % SIDE, i / SIDE), RED); }
    }
    close_scene(s);
}

// Two walls through each other meet in the middle, to the pixel.
static void walls_through_each_other_meet_where_they_should(void **state) {
    (void)state;
    scene *s = open_scene();
    put_wall(s, 0.2, 0.8, red);
    put_wall(s, 0.8, 0.2, green);
    end_command(s, (zo_command){.flags = DEEP});
    draw(s, NULL, 0);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) { assert_int_equal(pixel_at(s, x, y), x < SIDE / 2 ? RED : GREEN); }
    }
    close_scene(s);
}

// Of equals the later one is seen; what does not hide lets others through; what is not hidden is seen before all.
static void flags_say_who_hides_whom(void **state) {
    (void)state;
    static const struct { uint32_t first, second; double depth; uint32_t seen; } cases[] = {
        {DEEP, DEEP, 0.5, GREEN},
        {DEEP, DEEP, 0.6, RED},
        {DEEP, ZO_COMMAND_HIDES, 0.6, GREEN},
        {ZO_COMMAND_HIDDEN, DEEP, 0.6, GREEN},
        {0, DEEP, 0.9, GREEN},
        {DEEP, 0, 0.9, GREEN},
    };
    scene *s = open_scene();
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        clear(s);
        put_wall(s, 0.5, 0.5, red);
        end_command(s, (zo_command){.flags = cases[i].first});
        put_wall(s, cases[i].depth, cases[i].depth, green);
        end_command(s, (zo_command){.flags = cases[i].second});
        draw(s, NULL, 0);
        assert_int_equal(pixel_at(s, 10, 10), cases[i].seen);
        zg_raster(&s->list, NULL, 0, &s->target, NULL); // without depths the order decides
        assert_int_equal(pixel_at(s, 10, 10), GREEN);
    }
    close_scene(s);
}

// A hole in a texture is one in depth as well, down to the least alpha and not below.
static void what_is_cut_out_hides_nothing(void **state) {
    (void)state;
    uint8_t texels[4 * 4 * 4];
    static const uint8_t alphas[4] = {0, 25, 26, 255};
    for (uint32_t i = 0; i < 16; i++) { memset(texels + 4 * (size_t)i, alphas[i % 4], 4); }
    const zo_image picture = {.width = 4, .height = 4, .stride = 16, .pixels = texels};
    scene *s = open_scene();
    static const float white[4] = {1, 1, 1, 1};
    put_wall(s, 0.25, 0.25, white);
    end_command(s, (zo_command){.image = 1, .flags = DEEP, .alpha_min = 0.1f, .filter = ZO_FILTER_NEAREST});
    put_wall(s, 0.75, 0.75, blue);
    end_command(s, (zo_command){.flags = DEEP});
    draw(s, &picture, 1);
    assert_int_equal(pixel_at(s, 8, 20), BLUE);
    assert_int_equal(pixel_at(s, 24, 20), BLUE);
    assert_int_equal(pixel_at(s, 40, 20), 0x1A1A1A1Au);
    assert_int_equal(pixel_at(s, 56, 20), 0xFFFFFFFFu);
    close_scene(s);
}

// ---------------------------------------------------------------------------------------------------- perspective

// The floor of a corridor from a distance of 1 to one of 4: half-way up the screen it is 1.6 away, a fifth of the way.
static void texture_runs_in_perspective(void **state) {
    (void)state;
    uint8_t texels[16 * 4];
    for (uint32_t i = 0; i < 16; i++) { memset(texels + 4 * (size_t)i, (int)(i * 16), 4); }
    const zo_image picture = {.width = 1, .height = 16, .stride = 4, .pixels = texels};
    static const float white[4] = {1, 1, 1, 1};
    scene *s = open_scene();
    const point corners[4] = {{0, 0, 0, 0.25, 0, 0}, {SIDE, 0, 0, 0.25, 1, 0}, {0, SIDE, 0, 1, 0, 16}, {SIDE, SIDE, 0, 1, 1, 16}};
    put_triangle(s, (const point[3]){corners[0], corners[1], corners[2]}, white);
    put_triangle(s, (const point[3]){corners[2], corners[1], corners[3]}, white);
    end_command(s, (zo_command){.image = 1, .flags = DEEP, .filter = ZO_FILTER_NEAREST});
    draw(s, &picture, 1);
    for (uint32_t y = 0; y < SIDE; y++) {
        const double down = (y + 0.5) / SIDE, inverse = 0.25 + 0.75 * down;
        const uint32_t texel = (uint32_t)(16 * down / inverse);
        for (uint32_t x = 0; x < SIDE; x++) { assert_int_equal(pixel_at(s, x, y), texel * 16 * 0x01010101u); }
    }
    close_scene(s);
}

// What a triangle has at a place, in plain doubles: its corners to 1/256 px. false: it is not there, or on its edge.
static bool look(const scene *s, uint32_t first, double x, double y, point *at, double colour[4]) {
    double cx[3], cy[3], share[3];
    for (uint32_t i = 0; i < 3; i++) {
        cx[i] = floor((double)s->vertices[first + i].x * 256 + 0.5) / 256;
        cy[i] = floor((double)s->vertices[first + i].y * 256 + 0.5) / 256;
    }
    const double area = (cx[1] - cx[0]) * (cy[2] - cy[0]) - (cy[1] - cy[0]) * (cx[2] - cx[0]);
    if (fabs(area) < 1e-9) { return false; }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        share[i] = ((cx[j] - x) * (cy[k] - y) - (cy[j] - y) * (cx[k] - x)) / area;
        if (share[i] < 0) { return false; }
    }
    *at = (point){0};
    memset(colour, 0, 4 * sizeof *colour);
    for (uint32_t i = 0; i < 3; i++) {
        const zo_vertex *v = &s->vertices[first + i];
        const double inverse = (double)s->vertex_depths[first + i].inverse, own = share[i] * inverse;
        at->depth += share[i] * (double)s->vertex_depths[first + i].depth;
        at->inverse += own;
        at->u += own * (double)v->u;
        at->v += own * (double)v->v;
        const double parts[4] = {(double)v->r, (double)v->g, (double)v->b, (double)v->a};
        for (uint32_t k = 0; k < 4; k++) { colour[k] += own * parts[k]; }
    }
    at->u /= at->inverse;
    at->v /= at->inverse;
    for (uint32_t k = 0; k < 4; k++) { colour[k] /= at->inverse; }
    return true;
}

static bool near_border(double value) { return fabs(value - floor(value + 0.5)) < 1e-4; }

// Pixels where two triangles are as good as equally far, or texels change, may be either.
static void random_triangles_are_as_plain_doubles_have_them(void **state) {
    (void)state;
    uint8_t texels[8 * 8 * 4];
    for (uint32_t i = 0; i < sizeof texels; i++) { texels[i] = (uint8_t)(i % 4 == 3 ? 255 : random_bits()); }
    const zo_image picture = {.width = 8, .height = 8, .stride = 32, .pixels = texels};
    scene *s = open_scene();
    uint32_t looked_at = 0;
    for (uint32_t turn = 0; turn < 60; turn++) {
        clear(s);
        const uint32_t count = 2 + random_bits() % 8;
        for (uint32_t i = 0; i < count; i++) {
            point corners[3];
            for (uint32_t k = 0; k < 3; k++) {
                corners[k] = (point){random_between(-20, SIDE + 20), random_between(-20, SIDE + 20), random_between(0, 1),
                                     random_between(0.2, 2), random_between(0, 8), random_between(0, 8)};
            }
            const float gray = (float)random_between(0.5, 1);
            put_triangle(s, corners, (const float[4]){gray, gray, gray, 1});
            for (uint32_t k = 0; k < 3 && turn % 2; k++) { s->vertices[3 * i + k].g = (float)random_between(0, 1); }
        }
        end_command(s, (zo_command){.image = 1, .flags = DEEP, .filter = ZO_FILTER_NEAREST});
        draw(s, &picture, 1);
        for (uint32_t p = 0; p < SIDE * SIDE; p++) {
            point best = {.depth = 2};
            double colour[4] = {0}, second = 2;
            for (uint32_t i = 0; i < count; i++) {
                point at;
                double own[4];
                if (!look(s, 3 * i, p % SIDE + 0.5, p / SIDE + 0.5, &at, own)) { continue; }
                if (at.depth >= best.depth) {
                    second = at.depth < second ? at.depth : second;
                    continue;
                }
                second = best.depth;
                best = at;
                memcpy(colour, own, sizeof colour);
            }
            if (best.depth > 1 || second - best.depth < 1e-6 || near_border(best.u) || near_border(best.v)) { continue; }
            looked_at++;
            const uint32_t pixel = pixel_at(s, p % SIDE, p / SIDE);
            const uint8_t *texel = texels + 4 * (8 * (size_t)best.v + (size_t)best.u);
            for (uint32_t k = 0; k < 3; k++) {
                const double expected = texel[k] * colour[k];
                assert_true(fabs((double)(pixel >> (8 * k) & 255) - expected) <= 1.01);
            }
            assert_true(fabs((double)s->depths[p] / 2147483647.0 - best.depth) < 1e-6);
        }
    }
    assert_true(looked_at > 50000);
    close_scene(s);
}

// A fan in perspective, added up: each pixel inside is there once, whichever way the triangles are cut off.
static void edges_that_are_shared_are_drawn_once(void **state) {
    (void)state;
    scene *s = open_scene();
    static const float part[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    for (uint32_t turn = 0; turn < 100; turn++) {
        clear(s);
        enum { CORNERS = 9 };
        point rim[CORNERS];
        const double reach = turn % 2 ? 3e6 : 40; // far ones are cut at the guard
        const double start = random_between(0, 1);
        for (uint32_t i = 0; i < CORNERS; i++) {
            const double angle = 6.283185307179586 * (i + start) / CORNERS;
            rim[i] = (point){SIDE / 2.0 + reach * cos(angle), SIDE / 2.0 + reach * sin(angle), 0.5,
                             random_between(0.5, 2), 0, 0};
        }
        const point middle = {SIDE / 2 + random_between(-5, 5), SIDE / 2 + random_between(-5, 5), 0.5, 1, 0, 0};
        for (uint32_t i = 0; i < CORNERS; i++) {
            put_triangle(s, (const point[3]){middle, rim[i], rim[(i + 1) % CORNERS]}, part);
        }
        end_command(s, (zo_command){.blend = ZO_BLEND_ADD, .flags = ZO_COMMAND_HIDDEN});
        draw(s, NULL, 0);
        for (uint32_t p = 0; p < SIDE * SIDE; p++) {
            const double x = p % SIDE + 0.5 - SIDE / 2.0, y = p / SIDE + 0.5 - SIDE / 2.0;
            if (x * x + y * y < 30 * 30) { assert_int_equal(pixel_at(s, p % SIDE, p / SIDE), 0x40404040u); }
        }
    }
    close_scene(s);
}

// A reduced picture is averaged in perspective as well: fine stripes in the distance are grey.
static void what_is_far_is_averaged(void **state) {
    (void)state;
    enum { STRIPES = 256 };
    uint8_t *texels = malloc(STRIPES * 4);
    for (uint32_t i = 0; i < STRIPES; i++) { memset(texels + 4 * (size_t)i, i % 2 ? 255 : 0, 4); }
    const zo_image picture = {.width = 1, .height = STRIPES, .stride = 4, .pixels = texels};
    static const float white[4] = {1, 1, 1, 1};
    scene *s = open_scene();
    put_triangle(s, (const point[3]){{0, 0, 0, 0.05, 0, 0}, {SIDE, 0, 0, 0.05, 1, 0}, {SIDE / 2.0, SIDE, 0, 1, 0.5, STRIPES}},
                 white);
    end_command(s, (zo_command){.image = 1, .flags = DEEP});
    draw(s, &picture, 1);
    for (uint32_t y = 1; y < 12; y++) {
        const uint32_t pixel = pixel_at(s, SIDE / 2, y) & 255;
        assert_in_range(pixel, 100, 156);
    }
    free(texels);
    close_scene(s);
}

// ---------------------------------------------------------------------------------------------------- runs

// Vector instructions and plain C, to the bit: depths at every length of a run, also where nothing has been drawn, and
// slopes beyond the corners' range.
static void vectors_and_plain_c_say_the_same_of_depths(void **state) {
    (void)state;
    for (uint32_t turn = 0; turn < 4000; turn++) {
        const zg_place at = {random_bits() % 16384, random_bits() % 16384, 1 + random_bits() % 20};
        zg_slope depth = {.start = random_between(-1e10, 1e10), .dx = random_between(-1e6, 1e6),
                          .dy = random_between(-1e6, 1e6), .low = random_between(0, 1e9)};
        depth.high = random_between(depth.low, ZG_DEPTH_MAX);
        if (turn % 3 == 0) { // about the range, so that all is not cut
            depth.start = (depth.low + depth.high) / 2 - at.x * depth.dx - at.y * depth.dy;
        }
        uint32_t under[20], one[20], two[20];
        for (uint32_t i = 0; i < 20; i++) {
            under[i] = random_bits() % 4 ? (uint32_t)random_between(depth.low, depth.high) : ZO_DEPTH_FAR;
            if (random_bits() % 4 == 0) { under[i] = 0; }
        }
        const uint32_t *behind = turn % 5 ? under : NULL;
        const bool any = zg_depth_test(one, &at, &depth, behind);
        assert_int_equal(any, zg_depth_test_plain(two, &at, &depth, behind));
        assert_memory_equal(one, two, at.count * sizeof *one);
        bool seen = false;
        for (uint32_t i = 0; i < at.count; i++) { seen |= one[i] != ZO_DEPTH_FAR; }
        assert_int_equal(any, seen);
    }
}

static void vectors_and_plain_c_say_the_same_of_colours(void **state) {
    (void)state;
    for (uint32_t turn = 0; turn < 4000; turn++) {
        uint32_t one[20], two[20];
        const uint32_t count = random_bits() % 21, factors = random_bits();
        for (uint32_t i = 0; i < count; i++) { one[i] = two[i] = random_bits(); }
        zg_modulate_flat(one, count, factors);
        zg_modulate_flat_plain(two, count, factors);
        assert_memory_equal(one, two, count * sizeof *one);
        zg_ramp ramps[4];
        uint32_t three[20];
        for (uint32_t i = 0; i < count; i++) { three[i] = i * 0x01234567u; }
        memcpy(one, three, sizeof one);
        for (uint32_t k = 0; k < 4; k++) { ramps[k] = (zg_ramp){.at = (uint64_t)(factors >> (8 * k) & 255) << 32}; }
        zg_modulate_each(three, count, ramps);
        zg_modulate_flat(one, count, factors);
        assert_memory_equal(one, three, count * sizeof *one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_the_numbers_are_no_harm_is_done),
        cmocka_unit_test(the_nearer_hides_in_any_order),
        cmocka_unit_test(walls_through_each_other_meet_where_they_should),
        cmocka_unit_test(flags_say_who_hides_whom),
        cmocka_unit_test(what_is_cut_out_hides_nothing),
        cmocka_unit_test(texture_runs_in_perspective),
        cmocka_unit_test(random_triangles_are_as_plain_doubles_have_them),
        cmocka_unit_test(edges_that_are_shared_are_drawn_once),
        cmocka_unit_test(what_is_far_is_averaged),
        cmocka_unit_test(vectors_and_plain_c_say_the_same_of_depths),
        cmocka_unit_test(vectors_and_plain_c_say_the_same_of_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
