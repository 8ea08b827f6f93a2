// Meshes on the viewport: where the camera has them, what is left out and cut off, how bright they are, in which order
// what is blended comes, and that no room that is too small is overrun.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include <zoetrope/play.h>

#include "draw/draw.h"
#include "program/build.h"

static uint64_t random_state = 1;

static uint32_t random_bits(void) { // SplitMix64
    uint64_t x = random_state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) >> 32);
}

static double random_between(double low, double high) { return low + (high - low) * (random_bits() / 4294967296.0); }

// ---------------------------------------------------------------------------------------------------- programs

// A box around the origin's corner, `sides` long, whose vertices follow target 0 whole. Faces in the order -x, +x, -y,
// +y, -z, +z, four vertices each.
static void put_box(zp_build *build, const double low[3], const double sides[3]) {
    const zp_weight weight = {.bone = zp_build_bone(build, &(zp_bone){.target = 0}), .weight = 1};
    for (uint32_t face = 0; face < 6; face++) {
        const uint32_t axis = face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3, high = face % 2;
        uint32_t at[4];
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t along_a = high ? k == 1 || k == 2 : k == 2 || k == 3;
            const uint32_t along_b = high ? k == 2 || k == 3 : k == 1 || k == 2;
            zp_vertex vertex = {.uv = {(float)along_a, (float)along_b}, .colour = {1, 1, 1, 1},
                                .first_weight = zp_build_weights(build, &weight, 1), .weight_count = 1};
            vertex.position[axis] = (float)(low[axis] + high * sides[axis]);
            vertex.position[a] = (float)(low[a] + along_a * sides[a]);
            vertex.position[b] = (float)(low[b] + along_b * sides[b]);
            vertex.normal[axis] = high ? 1 : -1;
            at[k] = zp_build_vertex(build, &vertex);
        }
        zp_build_triangle(build, at[0], at[1], at[2]);
        zp_build_triangle(build, at[0], at[2], at[3]);
    }
}

static zp_build *open_build(zb_arena *arena, bool y_up) {
    *arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(arena);
    zp_build_stage(build, 0, y_up ? 1 : 0, 1, y_up ? 0 : 1);
    zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_NONE});
    return build;
}

static zp_program *finish(zp_build *build, zb_arena *arena) {
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(arena);
    assert_non_null(program);
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    return program;
}

static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};

static zp_program *cube(uint32_t part_flags) {
    zb_arena arena;
    zp_build *build = open_build(&arena, true);
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    zp_build_part(build, &(zp_part){.flags = part_flags});
    put_box(build, zero, one);
    return finish(build, &arena);
}

// ---------------------------------------------------------------------------------------------------- lists

// Arrays of just their size, so that a sanitizer sees any step outside.
static zo_draw_list new_list(zo_draw_bound bound) {
    return (zo_draw_list){
        .vertices = malloc(bound.vertices * sizeof(zo_vertex) + 1), .vertex_capacity = bound.vertices,
        .depths = malloc(bound.vertices * sizeof(zo_vertex_depth) + 1),
        .indices = malloc(bound.indices * sizeof(uint32_t) + 1), .index_capacity = bound.indices,
        .commands = malloc(bound.commands * sizeof(zo_command) + 1), .command_capacity = bound.commands,
    };
}

static void free_list(zo_draw_list *list) {
    free(list->vertices);
    free(list->depths);
    free(list->indices);
    free(list->commands);
}

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// `m`: of target 0.
static zo_draw_list draw(const zp_program *program, const zo_view *view, const double m[12]) {
    zo_pose *pose = zo_pose_create(program, NULL);
    memcpy(pose->transforms[0].m, m, 12 * sizeof *m);
    zo_draw_list list = new_list(zg_draw_bounds(program));
    assert_true(zg_pose_draw(program, pose, view, &list));
    zo_pose_free(pose);
    return list;
}

static void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) { fail_msg("%.9g, not %.9g", value, expected); }
}

// ---------------------------------------------------------------------------------------------------- camera

// From the front in a size of its own: x to the right, y up, and a point that is nearer has less depth.
static void without_perspective_space_is_flat(void **state) {
    (void)state;
    zp_program *program = cube(ZP_PART_TWO_SIDED);
    const zo_camera front = {.zoom = 1};
    const zo_view view = {.width = 200, .height = 100, .pixels_per_unit = 30, .center_x = 0.5, .center_y = 0.25,
                          .camera = &front};
    zo_draw_list list = draw(program, &view, identity);
    assert_int_equal(list.vertex_count, 24);
    assert_int_equal(list.index_count, 36);
    for (uint32_t i = 0; i < 24; i++) {
        const float *at = program->vertices[i].position;
        assert_near((double)list.vertices[i].x, 100 + ((double)at[0] - 0.5) * 30, 1e-4);
        assert_near((double)list.vertices[i].y, 50 - ((double)at[1] - 0.25) * 30, 1e-4);
        assert_true(list.depths[i].inverse == 1);
        assert_true(at[2] == 1 ? list.depths[i].depth < 0.5f : list.depths[i].depth > 0.5f);
    }
    free_list(&list);
    zp_program_free(program);
}

// Yaw turns what is in the south to the east, pitch what is above to the viewer.
static void yaw_and_pitch_turn_what_is_seen(void **state) {
    (void)state;
    static const struct { zo_camera camera; double x[2], y[2], z[2]; } cases[] = { // where the axes go: right, up
        {{0, 0, 1, 0}, {1, 0}, {0, 1}, {0, 0}},
        {{90, 0, 1, 0}, {0, 0}, {0, 1}, {1, 0}},
        {{180, 0, 1, 0}, {-1, 0}, {0, 1}, {0, 0}},
        {{0, 90, 1, 0}, {1, 0}, {0, 0}, {0, -1}},
        {{0, -90, 1, 0}, {1, 0}, {0, 0}, {0, 1}},
        {{90, 90, 1, 0}, {0, -1 + 2.0}, {0, 0}, {1, 0}},
        {{225, 30, 1, 0}, {-0.70710678, 0.35355339 * -1}, {0, 0.8660254}, {-0.70710678, 0.35355339}},
    };
    zp_program *program = cube(ZP_PART_TWO_SIDED);
    for (size_t i = 0; i < ZB_COUNT(cases); i++) {
        const zo_view view = {.width = 100, .height = 100, .pixels_per_unit = 1, .center_x = 0.5, .center_y = 0.5,
                              .camera = &cases[i].camera};
        zo_draw_list list = draw(program, &view, identity);
        for (uint32_t v = 0; v < 24; v++) {
            const float *p = program->vertices[v].position;
            const double at[3] = {(double)p[0] - 0.5, (double)p[1] - 0.5, (double)p[2] - 0.5};
            const double x = at[0] * cases[i].x[0] + at[1] * cases[i].y[0] + at[2] * cases[i].z[0];
            const double y = at[0] * cases[i].x[1] + at[1] * cases[i].y[1] + at[2] * cases[i].z[1];
            assert_near((double)list.vertices[v].x, 50 + x, 1e-5);
            assert_near((double)list.vertices[v].y, 50 - y, 1e-5);
        }
        free_list(&list);
    }
    zp_program_free(program);
}

static void put_extent(const zo_draw_list *list, double extent[4]) { // left, top, right, bottom
    extent[0] = extent[1] = HUGE_VAL;
    extent[2] = extent[3] = -HUGE_VAL;
    for (uint32_t i = 0; i < list->vertex_count; i++) {
        const double at[2] = {(double)list->vertices[i].x, (double)list->vertices[i].y};
        for (uint32_t c = 0; c < 2; c++) {
            extent[c] = fmin(extent[c], at[c]);
            extent[2 + c] = fmax(extent[2 + c], at[c]);
        }
    }
}

// All is in the viewport, and something touches its border; twice the zoom is twice as large.
static void what_is_seen_fits_the_viewport(void **state) {
    (void)state;
    zp_program *program = cube(0);
    for (uint32_t turn = 0; turn < 200; turn++) {
        zo_camera camera = {random_between(-400, 400), random_between(-90, 90), 1,
                            turn % 2 ? random_between(5, 120) : 0};
        const zo_view view = {.width = random_between(20, 300), .height = random_between(20, 300), .camera = &camera};
        zo_draw_list list = draw(program, &view, identity);
        double extent[4], larger[4];
        put_extent(&list, extent);
        const double room = fmin(fmin(extent[0], extent[1]), fmin(view.width - extent[2], view.height - extent[3]));
        if (camera.field < 60) { assert_near(room, 0, 0.01); } // in wider ones the eye may be as near as it goes
        assert_true(room > -0.01);
        free_list(&list);
        camera.zoom = 2;
        list = draw(program, &view, identity);
        put_extent(&list, larger);
        for (uint32_t c = 0; c < 4; c++) {
            const double middle = (c % 2 ? view.height : view.width) / 2;
            assert_near(larger[c] - middle, (extent[c] - middle) * 2, 0.01);
        }
        free_list(&list);
    }
    zp_program_free(program);
}

// The stage is seen as well: of one that is as high as three cubes a third is the cube.
static void the_stage_has_its_room(void **state) {
    (void)state;
    zb_arena arena;
    zp_build *build = open_build(&arena, true);
    zp_build_stage(build, 0, 3, 1, 0);
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    zp_build_part(build, &(zp_part){.name = 0});
    put_box(build, zero, one);
    zp_program *program = finish(build, &arena);
    const zo_camera front = {.zoom = 1};
    const zo_view view = {.width = 90, .height = 90, .camera = &front};
    zo_draw_list list = draw(program, &view, identity);
    double extent[4];
    put_extent(&list, extent);
    assert_near(extent[0], 30, 1e-4);
    assert_near(extent[1], 60, 1e-4);
    assert_near(extent[2], 60, 1e-4);
    assert_near(extent[3], 90, 1e-4);
    free_list(&list);
    zp_program_free(program);
}

// And a box of the host's own is what counts then.
static void a_box_may_be_given(void **state) {
    (void)state;
    zp_program *program = cube(0);
    const zo_camera front = {.zoom = 1};
    static const double box[6] = {-1, 0, -9, 2, 3, 5};
    const zo_view view = {.width = 90, .height = 90, .camera = &front, .box = box};
    zo_draw_list list = draw(program, &view, identity);
    double extent[4];
    put_extent(&list, extent);
    const double expected[4] = {30, 60, 60, 90};
    for (uint32_t c = 0; c < 4; c++) { assert_near(extent[c], expected[c], 1e-4); }
    free_list(&list);
    zp_program_free(program);
}

// Where y points down things stand on their heads: what a turn of half a circle about x shows.
static void y_may_point_down(void **state) {
    (void)state;
    zp_program *programs[2];
    for (uint32_t i = 0; i < 2; i++) {
        zb_arena arena;
        zp_build *build = open_build(&arena, i == 0);
        zp_build_mesh(build, &(zp_mesh){.name = 0});
        zp_build_part(build, &(zp_part){.flags = 0});
        put_box(build, (const double[3]){0, i == 0 ? -1 : 0, i == 0 ? -1 : 0}, one);
        programs[i] = finish(build, &arena);
    }
    const zo_camera camera = {20, 30, 1, 0};
    const zo_view view = {.width = 90, .height = 90, .pixels_per_unit = 20, .camera = &camera};
    static const double around[12] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0};
    zo_draw_list up = draw(programs[0], &view, identity), down = draw(programs[1], &view, around);
    assert_int_equal(up.index_count, down.index_count);
    free_list(&up);
    free_list(&down);
    up = draw(programs[1], &view, identity); // the same box, its own way up
    double extents[2][4];
    put_extent(&up, extents[0]);
    zo_draw_list turned = draw(programs[0], &view, identity);
    put_extent(&turned, extents[1]);
    assert_near(extents[0][0], extents[1][0], 1e-4);
    assert_near(extents[0][2], extents[1][2], 1e-4);
    free_list(&up);
    free_list(&turned);
    for (uint32_t i = 0; i < 2; i++) { zp_program_free(programs[i]); }
}

// ---------------------------------------------------------------------------------------------------- sides

static void sides_that_look_away_are_left_out(void **state) {
    (void)state;
    zp_program *one_sided = cube(0), *two_sided = cube(ZP_PART_TWO_SIDED);
    static const double mirror[12] = {-1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
    static const double twice[12] = {-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, 1, 0};
    const double *ways[3] = {identity, mirror, twice};
    for (uint32_t field = 0; field < 2; field++) {
        const zo_camera camera = {225, 30, 1, field ? 60 : 0};
        for (uint32_t i = 0; i < 3; i++) {
            const zo_view view = {.width = 90, .height = 90, .camera = &camera};
            zo_draw_list list = draw(one_sided, &view, ways[i]);
            assert_int_equal(list.index_count, 3 * 6); // three sides of a cube are seen, also of one that is mirrored
            for (uint32_t k = 0; k < list.index_count; k++) { // the nearest corner is at all of them
                assert_true(list.indices[k] < list.vertex_count);
            }
            free_list(&list);
            list = draw(two_sided, &view, ways[i]);
            assert_int_equal(list.index_count, 6 * 6);
            free_list(&list);
        }
        // The viewer's own mirror.
        const double root[12] = {-1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
        const zo_view view = {.width = 90, .height = 90, .camera = &camera, .root = root};
        zo_draw_list list = draw(one_sided, &view, identity);
        assert_int_equal(list.index_count, 3 * 6);
        free_list(&list);
    }
    zp_program_free(one_sided);
    zp_program_free(two_sided);
}

static double red_of(const zo_draw_list *list, uint32_t face) { return (double)list->vertices[4 * face].r; }

static void sides_are_as_bright_as_they_look(void **state) {
    (void)state;
    zp_program *program = cube(ZP_PART_SHADED), *plain = cube(0);
    const zo_view view = {.width = 90, .height = 90};
    zo_draw_list list = draw(program, &view, identity);
    const double still[6] = {0.6, 0.6, 0.5, 1, 0.8, 0.8};
    for (uint32_t face = 0; face < 6; face++) { assert_near(red_of(&list, face), still[face], 1e-6); }
    free_list(&list);

    // A quarter about z: what was at the right is above.
    static const double quarter[12] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    list = draw(program, &view, quarter);
    const double turned[6] = {0.5, 1, 0.6, 0.6, 0.8, 0.8};
    for (uint32_t face = 0; face < 6; face++) { assert_near(red_of(&list, face), turned[face], 1e-6); }
    free_list(&list);

    // An eighth: half of each, and y's own share of up.
    const double r = sqrt(0.5), eighth[12] = {r, -r, 0, 0, r, r, 0, 0, 0, 0, 1, 0};
    list = draw(program, &view, eighth);
    assert_near(red_of(&list, 3), 0.3 + (3 + r) / 8, 1e-6);
    free_list(&list);

    // Stretched threefold along y and turned by an eighth a side that looked right is seen as the steep slope it is; a
    // mirror changes nothing, as its normals point out as well; what is flattened to nothing is not darkened at all.
    static const double wide[12] = {3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, flat[12] = {0};
    static const double mirror[12] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0};
    const double sheared[12] = {3 * r, -r, 0, 0, 3 * r, r, 0, 0, 0, 0, 1, 0};
    list = draw(program, &view, wide);
    for (uint32_t face = 0; face < 6; face++) { assert_near(red_of(&list, face), still[face], 1e-6); }
    free_list(&list);
    list = draw(program, &view, sheared);
    assert_near(red_of(&list, 3), 0.3 + (3 + r) / 8, 1e-6); // as it is stretched before it is turned
    free_list(&list);
    list = draw(program, &view, mirror);
    assert_near(red_of(&list, 3), 0.5, 1e-6);
    assert_near(red_of(&list, 2), 1, 1e-6);
    free_list(&list);
    list = draw(program, &view, flat);
    for (uint32_t face = 0; face < 6; face++) { assert_near(red_of(&list, face), 1, 0); }
    free_list(&list);
    list = draw(plain, &view, quarter);
    for (uint32_t face = 0; face < 6; face++) { assert_near(red_of(&list, face), 1, 0); }
    free_list(&list);
    zp_program_free(program);
    zp_program_free(plain);
}

// ---------------------------------------------------------------------------------------------------- in front

// A floor that reaches far behind the eye fills all below the horizon, and nothing above it.
static void what_is_behind_the_eye_is_cut_off(void **state) {
    (void)state;
    zb_arena arena;
    zp_build *build = open_build(&arena, true);
    zp_build_stage(build, 0, 0, 0, 0);
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    zp_build_part(build, &(zp_part){.name = 0});
    for (uint32_t i = 0; i < 4; i++) {
        zp_build_vertex(build, &(zp_vertex){.position = {i % 2 ? 1000 : -1000, -1, i / 2 ? 1000 : -1000},
                                            .colour = {1, 1, 1, 1}});
    }
    zp_build_triangle(build, 0, 2, 3);
    zp_build_triangle(build, 0, 3, 1);
    zp_program *program = finish(build, &arena);
    enum { SIDE = 60 };
    // The stage is a point, so y points down: seen upside down.
    const zo_camera camera = {.zoom = 1, .field = 90};
    const double root[12] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0};
    const zo_view view = {.width = SIDE, .height = SIDE, .pixels_per_unit = 10, .root = root, .camera = &camera};
    zo_draw_list list = draw(program, &view, identity);
    assert_true(list.index_count > 6); // cut
    for (uint32_t i = 0; i < list.index_count; i++) {
        const zo_vertex_depth *depth = &list.depths[list.indices[i]];
        assert_true(depth->inverse > 0 && depth->inverse <= 1 && depth->depth >= 0 && depth->depth <= 1);
    }
    zo_image target = {.width = SIDE, .height = SIDE, .stride = SIDE * 4, .pixels = calloc(SIDE * 4, SIDE)};
    uint32_t depths[SIDE * SIDE];
    memset(depths, 0xFF, sizeof depths);
    zg_raster(&list, NULL, 0, &target, depths);
    for (uint32_t p = 0; p < SIDE * SIDE; p++) {
        const uint32_t y = p / SIDE;
        if (y == SIDE / 2) { continue; } // the horizon, a thousand units away
        assert_int_equal(target.pixels[4 * (size_t)p], y > SIDE / 2 ? 255 : 0);
    }
    free(target.pixels);
    free_list(&list);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- order

// Panes along z, given in any order, are drawn from the farthest on, after what hides.
static void what_is_blended_comes_from_the_farthest_on(void **state) {
    (void)state;
    zb_arena arena;
    zp_build *build = open_build(&arena, true);
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    zp_build_part(build, &(zp_part){.surface = ZP_SURFACE_BLEND, .flags = ZP_PART_TWO_SIDED});
    for (uint32_t i = 0; i < 40; i++) {
        const float z = (float)(i * 7 % 40);
        const uint32_t first = zp_build_vertex(build, &(zp_vertex){.position = {0, 0, z}, .colour = {1, 1, 1, 0.5f}});
        zp_build_vertex(build, &(zp_vertex){.position = {1, 0, z}, .colour = {1, 1, 1, 0.5f}});
        zp_build_vertex(build, &(zp_vertex){.position = {0, 1, z}, .colour = {1, 1, 1, 0.5f}});
        zp_build_triangle(build, first, first + 1, first + 2);
    }
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    zp_build_part(build, &(zp_part){.alpha_min = 0.25});
    put_box(build, (const double[3]){0, 0, 50}, one);
    zp_build_part(build, &(zp_part){.alpha_min = 0.25}); // the same: one command
    put_box(build, (const double[3]){0, 0, -50}, one);
    zp_build_part(build, &(zp_part){.alpha_min = 0.75});
    put_box(build, (const double[3]){0, 0, -60}, one);
    zp_program *program = finish(build, &arena);
    for (uint32_t field = 0; field < 2; field++) {
        const zo_camera camera = {.zoom = 1, .field = field ? 50 : 0};
        const zo_view view = {.width = 90, .height = 90, .camera = &camera};
        zo_draw_list list = draw(program, &view, identity);
        assert_int_equal(list.command_count, 42);
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(list.commands[i].flags, ZO_COMMAND_HIDDEN | ZO_COMMAND_HIDES);
            assert_true(list.commands[i].depth == 1);
        }
        for (uint32_t i = 2; i < 42; i++) {
            const zo_command *c = &list.commands[i];
            assert_int_equal(c->flags, ZO_COMMAND_HIDDEN);
            assert_int_equal(c->index_count, 3);
            assert_true(i == 2 || c[-1].depth > c->depth);
            assert_near((double)c->depth, (double)list.depths[list.indices[c->first_index]].depth, 1e-6);
            assert_near((double)list.vertices[list.indices[c->first_index]].r, 0.5, 0); // premultiplied
        }
        free_list(&list);
    }
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- room

// Whatever room there is: what does not fit is told, nothing is written behind the end, and what is there is sound.
static void no_room_is_overrun(void **state) {
    (void)state;
    zb_arena arena;
    zp_build *build = open_build(&arena, true);
    for (uint32_t i = 0; i < 3; i++) {
        zp_build_mesh(build, &(zp_mesh){.name = 0});
        zp_build_part(build, &(zp_part){.surface = i % 2 ? ZP_SURFACE_BLEND : ZP_SURFACE_CUT});
        put_box(build, (const double[3]){i, 0, i}, one);
    }
    zp_program *program = finish(build, &arena);
    const zo_draw_bound most = zg_draw_bounds(program);
    assert_int_equal(most.depths, most.vertices);
    zo_pose *pose = zo_pose_create(program, NULL);
    for (uint32_t turn = 0; turn < 600; turn++) {
        const zo_camera camera = {random_between(0, 360), random_between(-90, 90), random_between(0.5, 9),
                                  turn % 3 ? random_between(1, 170) : 0};
        const zo_view view = {.width = 64, .height = 64, .camera = &camera,
                              .pixels_per_unit = turn % 5 ? 0 : random_between(1, 2000)};
        zo_draw_bound room = most;
        if (turn % 4 == 1) { room.vertices = random_bits() % (most.vertices + 1); }
        if (turn % 4 == 2) { room.indices = random_bits() % (most.indices + 1); }
        if (turn % 4 == 3) { room.commands = random_bits() % (most.commands + 1); }
        zo_draw_list list = new_list(room), whole = new_list(most);
        assert_true(zg_pose_draw(program, pose, &view, &whole)); // the bounds suffice
        const bool fits = room.vertices >= whole.vertex_count && room.indices >= whole.index_count &&
                          room.commands >= whole.command_count;
        const bool all = zg_pose_draw(program, pose, &view, &list);
        if (all) { assert_int_equal(list.index_count, whole.index_count); }
        if (fits && turn % 3 == 0) { assert_true(all); } // nothing is cut off, so nothing is asked for in advance
        for (uint32_t i = 0; i < list.command_count; i++) {
            assert_true(list.commands[i].first_index + list.commands[i].index_count <= list.index_count);
        }
        for (uint32_t i = 0; i < list.index_count; i++) {
            const zo_vertex *v = &list.vertices[list.indices[i]];
            assert_true(list.indices[i] < list.vertex_count && isfinite(v->x) && isfinite(v->y));
        }
        free_list(&list);
        free_list(&whole);
    }
    zo_pose_free(pose);
    zp_program_free(program);
}

static void without_depths_no_mesh_is_drawn(void **state) {
    (void)state;
    zp_program *program = cube(0);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_draw_list list = new_list(zg_draw_bounds(program));
    free(list.depths);
    list.depths = NULL;
    assert_true(zg_pose_draw(program, pose, &(zo_view){.width = 9, .height = 9}, &list));
    assert_int_equal(list.index_count, 0);
    free_list(&list);
    zo_pose_free(pose);
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- pictures

static zp_program *textured(void) {
    zb_arena arena;
    zp_build *build = open_build(&arena, true);
    zp_build_cel(build, &(zp_cel){.scale = 1, .flags = ZP_CEL_PIXELS}, (zp_span){0, 0});
    zp_build_cel(build, &(zp_cel){.scale = 1, .region = {8, 4, 4, 2}}, (zp_span){0, 0});
    const zp_param control = {.name = zp_build_name(build, ZB_TEXT("progress")), .slope = 1, .low = -HUGE_VAL,
                              .high = HUGE_VAL};
    const uint32_t progress = zp_build_control(build, &control);
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    for (uint32_t i = 0; i < 2; i++) {
        zp_build_part(build, &(zp_part){.cel_ref = i + 1,
                                        .flags = ZP_PART_TWO_SIDED | (i == 0 ? ZP_PART_REPEAT_U : ZP_PART_REPEAT_V)});
        put_box(build, (const double[3]){i, 0, 0}, one);
    }
    zp_build_uv_binding(build, &(zp_uv_binding){.vertex = 3, .component = 1, .param = progress, .scale = 0.0625});
    zp_build_uv_binding(build, &(zp_uv_binding){.vertex = 25, .component = 0, .param = progress, .scale = 0.5});
    return finish(build, &arena);
}

static void textures_are_parts_of_pictures(void **state) {
    (void)state;
    zp_program *program = textured();
    const zo_size sizes[2] = {{16, 32}, {64, 64}};
    const uint32_t images[2] = {1, 2};
    zo_view view = {.width = 64, .height = 64, .image_sizes = sizes, .image_count = 2, .cel_images = images,
                    .cel_count = 2};
    zo_draw_list list = draw(program, &view, identity);
    assert_int_equal(list.command_count, 2);
    const zo_command *whole = &list.commands[0], *part = &list.commands[1];
    assert_int_equal(whole->image, 1);
    assert_int_equal(whole->filter, ZO_FILTER_NEAREST);
    assert_int_equal(whole->flags, ZO_COMMAND_HIDDEN | ZO_COMMAND_HIDES | ZO_COMMAND_REPEAT_U);
    assert_int_equal(part->flags, ZO_COMMAND_HIDDEN | ZO_COMMAND_HIDES | ZO_COMMAND_REPEAT_V);
    assert_int_equal(whole->region[2], 0);
    assert_int_equal(part->image, 2);
    assert_int_equal(part->filter, ZO_FILTER_BILINEAR);
    assert_true(part->region[0] == 8 && part->region[1] == 4 && part->region[2] == 4 && part->region[3] == 2);
    for (uint32_t i = 0; i < 24; i++) {
        const float *uv = program->vertices[i].uv;
        assert_true(list.vertices[i].u == uv[0] * 16 && list.vertices[i].v == uv[1] * 32);
        assert_true(list.vertices[24 + i].u == 8 + uv[0] * 4 && list.vertices[24 + i].v == 4 + uv[1] * 2);
    }
    free_list(&list);
    // Without its picture a part shows its form.
    view.cel_count = 1;
    list = draw(program, &view, identity);
    assert_int_equal(list.commands[1].image, 0);
    assert_int_equal(list.commands[1].index_count, 36);
    free_list(&list);
    zp_program_free(program);
}

static void texture_coordinates_follow_controls_that_are_set(void **state) {
    (void)state;
    zp_program *program = textured();
    const zo_size sizes[2] = {{16, 32}, {64, 64}};
    const uint32_t images[2] = {1, 2};
    const zo_view view = {.width = 64, .height = 64, .image_sizes = sizes, .image_count = 2, .cel_images = images,
                          .cel_count = 2};
    zo_instance *instance = zo_instance_create(program, &(zo_instance_def){.seed = 1}, NULL);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance_sample(instance, pose);
    zo_draw_list list = new_list(zg_instance_bounds(instance)), before = new_list(zg_instance_bounds(instance));
    assert_true(zg_instance_draw(instance, pose, &view, &before));
    assert_true(zg_pose_draw(program, pose, &view, &list));
    assert_memory_equal(before.vertices, list.vertices, before.vertex_count * sizeof *before.vertices);
    zo_instance_set_param(instance, (zo_param){1}, 6);
    assert_true(zg_instance_draw(instance, pose, &view, &list));
    for (uint32_t i = 0; i < list.vertex_count; i++) {
        assert_near((double)list.vertices[i].u, i == 25 ? 8 + 3 * 4 : (double)before.vertices[i].u, 0);
        assert_near((double)list.vertices[i].v, i == 3 ? 0.375 * 32 : (double)before.vertices[i].v, 0);
    }
    free_list(&list);
    free_list(&before);
    zo_pose_free(pose);
    zo_instance_free(instance);
    zp_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_perspective_space_is_flat),
        cmocka_unit_test(yaw_and_pitch_turn_what_is_seen),
        cmocka_unit_test(what_is_seen_fits_the_viewport),
        cmocka_unit_test(the_stage_has_its_room),
        cmocka_unit_test(a_box_may_be_given),
        cmocka_unit_test(y_may_point_down),
        cmocka_unit_test(sides_that_look_away_are_left_out),
        cmocka_unit_test(sides_are_as_bright_as_they_look),
        cmocka_unit_test(what_is_behind_the_eye_is_cut_off),
        cmocka_unit_test(what_is_blended_comes_from_the_farthest_on),
        cmocka_unit_test(no_room_is_overrun),
        cmocka_unit_test(without_depths_no_mesh_is_drawn),
        cmocka_unit_test(textures_are_parts_of_pictures),
        cmocka_unit_test(texture_coordinates_follow_controls_that_are_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
