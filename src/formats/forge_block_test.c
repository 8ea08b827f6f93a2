// Block models: which way each texture lies on its side, what rotation and rescaling do, automatic texture coordinates,
// weights of corners, and what stands for a missing texture.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "formats/forge_block.h"

typedef struct model {
    zb_arena arena;
    zp_build *build;
    zf_block_texture textures[2]; // the second is missing
    zf_block_element element;
    zp_program *program;
} model;

static void open_model(model *m) {
    *m = (model){.arena = zb_arena_open(NULL)};
    m->build = zp_build_open(&m->arena);
    const zp_cel cel = {.scale = 1, .flags = ZP_CEL_PIXELS};
    m->textures[0] = (zf_block_texture){.name = ZB_TEXT("wood"), .cel_ref = zp_build_cel(m->build, &cel, (zp_span){0, 0}) + 1};
    m->textures[1] = (zf_block_texture){.name = ZB_TEXT("none"), .surface = ZP_SURFACE_BLEND};
    m->element = (zf_block_element){.name = ZB_TEXT("box"), .from = {1, 2, 3}, .to = {6, 10, 15}, .shaded = true};
    for (uint32_t i = 0; i < ZF_BLOCK_SIDES; i++) { m->element.faces[i].drawn = true; }
    for (uint32_t i = 0; i < 2; i++) {
        zp_build_target(m->build, &(zp_target){.compose = ZP_COMPOSE_NONE});
        zp_build_bone(m->build, &(zp_bone){.target = i});
    }
}

static void make(model *m) {
    const zf_block_model whole = {.elements = &m->element, .element_count = 1, .textures = m->textures,
                                  .texture_count = 2, .rule = ZP_SKIN_DISPLACE};
    zf_block_build(m->build, &m->arena, &whole);
    m->program = zp_build_finish(m->build, NULL);
    assert_non_null(m->program);
    const char *what = NULL;
    if (!zp_program_check(m->program->blob, m->program->blob_size, &what)) { fail_msg("%s", what); }
}

static void close_model(model *m) {
    zp_program_free(m->program);
    zb_arena_close(&m->arena);
}

static const zp_vertex *side_of(const model *m, uint32_t side) { return &m->program->vertices[4 * side]; }

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-6)) { fail_msg("%g, not %g", value, expected); }
}

// ---------------------------------------------------------------------------------------------------- textures

// How places move with u, and with v, on a side.
static void ways_of(const zp_vertex *v, double along_u[3], double along_v[3]) {
    // Of three corners: p = p0 + u * U + v * V, solved for U and V.
    const double u1 = (double)(v[1].uv[0] - v[0].uv[0]), v1 = (double)(v[1].uv[1] - v[0].uv[1]);
    const double u2 = (double)(v[2].uv[0] - v[0].uv[0]), v2 = (double)(v[2].uv[1] - v[0].uv[1]);
    const double det = u1 * v2 - u2 * v1;
    assert_true(fabs(det) > 1e-9);
    for (uint32_t c = 0; c < 3; c++) {
        const double p1 = (double)(v[1].position[c] - v[0].position[c]), p2 = (double)(v[2].position[c] - v[0].position[c]);
        along_u[c] = (p1 * v2 - p2 * v1) / det;
        along_v[c] = (p2 * u1 - p1 * u2) / det;
    }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

// What lies up and to the right for who looks at a side: at those above and below he stands in the south and leans over,
// or lies there with his feet to the north.
static const struct { double normal[3], up[3]; } views[ZF_BLOCK_SIDES] = {
    [ZF_BLOCK_DOWN] = {{0, -1, 0}, {0, 0, 1}},   [ZF_BLOCK_UP] = {{0, 1, 0}, {0, 0, -1}},
    [ZF_BLOCK_NORTH] = {{0, 0, -1}, {0, 1, 0}},  [ZF_BLOCK_SOUTH] = {{0, 0, 1}, {0, 1, 0}},
    [ZF_BLOCK_WEST] = {{-1, 0, 0}, {0, 1, 0}},   [ZF_BLOCK_EAST] = {{1, 0, 0}, {0, 1, 0}},
};

static void textures_are_upright_and_turn_clockwise(void **state) {
    (void)state;
    for (uint32_t turns = 0; turns < 4; turns++) {
        model m;
        open_model(&m);
        for (uint32_t i = 0; i < ZF_BLOCK_SIDES; i++) {
            m.element.faces[i] = (zf_block_face){.drawn = true, .uv_given = {true, true, true, true},
                                                 .uv = {2, 3, 14, 9}, .turns = turns};
        }
        make(&m);
        for (uint32_t i = 0; i < ZF_BLOCK_SIDES; i++) {
            double right[3], along_u[3], along_v[3];
            cross(views[i].up, views[i].normal, right);
            ways_of(side_of(&m, i), along_u, along_v);
            // Turned by a quarter, clockwise, what went right goes down, and what went down goes left.
            const double u_right[4] = {1, 0, -1, 0}, u_down[4] = {0, 1, 0, -1};
            const double lengths[2] = {sqrt(dot(along_u, along_u)), sqrt(dot(along_v, along_v))};
            assert_near(dot(along_u, right) / lengths[0], u_right[turns]);
            assert_near(-dot(along_u, views[i].up) / lengths[0], u_down[turns]);
            assert_near(dot(along_v, right) / lengths[1], -u_down[turns]);
            assert_near(-dot(along_v, views[i].up) / lengths[1], u_right[turns]);
            for (uint32_t k = 0; k < 4; k++) { // and it is the part of the texture that was asked for
                assert_true(side_of(&m, i)[k].uv[0] == 0.125f || side_of(&m, i)[k].uv[0] == 0.875f);
                assert_true(side_of(&m, i)[k].uv[1] == 0.1875f || side_of(&m, i)[k].uv[1] == 0.5625f);
            }
        }
        close_model(&m);
    }
}

static void sides_look_outwards(void **state) {
    (void)state;
    model m;
    open_model(&m);
    make(&m);
    assert_int_equal(zp_count(m.program, ZP_SECTION_TRIANGLES), 12);
    for (uint32_t i = 0; i < 12; i++) {
        const zp_triangle *triangle = &m.program->triangles[i];
        const zp_vertex *v[3];
        double a[3], b[3], normal[3], out[3];
        for (uint32_t k = 0; k < 3; k++) { v[k] = &m.program->vertices[triangle->corners[k]]; }
        for (uint32_t c = 0; c < 3; c++) {
            a[c] = (double)(v[1]->position[c] - v[0]->position[c]);
            b[c] = (double)(v[2]->position[c] - v[0]->position[c]);
            out[c] = (double)v[0]->normal[c];
        }
        cross(a, b, normal);
        assert_near(dot(normal, out) / sqrt(dot(normal, normal)), 1);
        assert_near(dot(out, views[i / 2].normal), 1);
    }
    close_model(&m);
}

// By place: a texture of sixteen px lies over the block, so neighbours fit together. At each corner of the box.
static void what_is_not_given_follows_from_the_place(void **state) {
    (void)state;
    model m;
    open_model(&m);
    m.element.faces[ZF_BLOCK_EAST].uv_given[1] = true; // v1 alone
    m.element.faces[ZF_BLOCK_EAST].uv[1] = 1;
    make(&m);
    for (uint32_t side = 0; side < ZF_BLOCK_SIDES; side++) {
        for (uint32_t k = 0; k < 4; k++) {
            const zp_vertex *v = &side_of(&m, side)[k];
            const double x = (double)v->position[0] * 16, y = (double)v->position[1] * 16, z = (double)v->position[2] * 16;
            const double expected[ZF_BLOCK_SIDES][2] = {
                [ZF_BLOCK_DOWN] = {x, 16 - z},        [ZF_BLOCK_UP] = {x, z},
                [ZF_BLOCK_NORTH] = {16 - x, 16 - y},  [ZF_BLOCK_SOUTH] = {x, 16 - y},
                [ZF_BLOCK_WEST] = {z, 16 - y},        [ZF_BLOCK_EAST] = {16 - z, y == 10 ? 1 : 16 - y},
            };
            assert_near((double)v->uv[0] * 16, expected[side][0]);
            assert_near((double)v->uv[1] * 16, expected[side][1]);
        }
    }
    close_model(&m);
}

static void controls_follow_the_component_that_names_them(void **state) {
    (void)state;
    for (uint32_t turns = 0; turns < 4; turns++) {
        model m;
        open_model(&m);
        const zp_param control = {.name = zp_build_name(m.build, ZB_TEXT("progress")), .slope = 1, .low = -HUGE_VAL,
                                  .high = HUGE_VAL};
        m.element.faces[ZF_BLOCK_UP].turns = turns;
        m.element.faces[ZF_BLOCK_UP].uv_control_refs[3] = zp_build_control(m.build, &control) + 1; // v2
        make(&m);
        assert_int_equal(zp_count(m.program, ZP_SECTION_UV_BINDINGS), 2);
        for (uint32_t i = 0; i < 2; i++) {
            const zp_uv_binding *binding = &m.program->uv_bindings[i];
            assert_int_equal(binding->component, 1);
            assert_int_equal(binding->vertex / 4, ZF_BLOCK_UP);
            assert_near(binding->scale, 0.0625);
            assert_near((double)m.program->vertices[binding->vertex].uv[1] * 16, 15); // where v2 is
        }
        close_model(&m);
    }
}

// ---------------------------------------------------------------------------------------------------- rotation

static void rotation_is_right_handed_about_its_origin(void **state) {
    (void)state;
    static const double lengths[3][2] = {{1, 1}, {1.0823922002923938, 22.5}, {1.4142135623730951, 45}};
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < 3; i++) {
            model m;
            open_model(&m);
            m.element.axis = axis;
            m.element.angle = i == 0 ? 45 : lengths[i][1];
            m.element.rescale = i > 0;
            for (uint32_t c = 0; c < 3; c++) { m.element.origin[c] = m.element.from[c]; }
            make(&m);
            // The corner `from` stays; a side along the next axis turns towards the one after that.
            const uint32_t a = (axis + 1) % 3, b = (axis + 2) % 3;
            const double radians = m.element.angle * 3.141592653589793 / 180, *from = m.element.from, *to = m.element.to;
            bool there = false, stays = false;
            for (uint32_t v = 0; v < zp_count(m.program, ZP_SECTION_VERTICES); v++) {
                double at[3];
                for (uint32_t c = 0; c < 3; c++) { at[c] = (double)m.program->vertices[v].position[c] * 16 - from[c]; }
                const double side = (to[a] - from[a]) * lengths[i][0];
                stays |= sqrt(dot(at, at)) < 1e-5;
                there |= fabs(at[axis]) < 1e-5 && fabs(at[a] - side * cos(radians)) < 1e-5 &&
                         fabs(at[b] - side * sin(radians)) < 1e-5;
            }
            assert_true(stays);
            assert_true(there);
            // Normals turn, and keep their length.
            const zp_vertex *v = side_of(&m, axis == 1 ? ZF_BLOCK_SOUTH : axis == 0 ? ZF_BLOCK_UP : ZF_BLOCK_EAST);
            assert_near((double)v->normal[a], cos(radians));
            assert_near((double)v->normal[b], sin(radians));
            close_model(&m);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- weights

// Each corner has a weight of its own on the first bone, and the upper ones on the second.
static void corners_have_their_weights(void **state) {
    (void)state;
    model m;
    open_model(&m);
    static const zf_block_weight weights[2] = {
        {0, {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f}}, {1, {0, 0, 1, 1, 0, 0, 1, 1}}};
    m.element.weights = weights;
    m.element.weight_count = 2;
    make(&m);
    for (uint32_t i = 0; i < zp_count(m.program, ZP_SECTION_VERTICES); i++) {
        const zp_vertex *v = &m.program->vertices[i];
        uint32_t corner = 0;
        for (uint32_t c = 0; c < 3; c++) {
            corner |= (uint32_t)((double)v->position[c] * 16 == m.element.to[c]) << c;
        }
        const zp_weight *own = &m.program->weights[v->first_weight];
        assert_int_equal(v->weight_count, corner & 2 ? 2 : 1); // a weight of 0 is none
        assert_int_equal(own[0].bone, 0);
        assert_near((double)own[0].weight, 0.1 * (corner + 1));
        if (corner & 2) { assert_true(own[1].bone == 1 && own[1].weight == 1); }
    }
    close_model(&m);
}

// ---------------------------------------------------------------------------------------------------- parts

static void each_texture_is_a_part(void **state) {
    (void)state;
    model m;
    open_model(&m);
    m.element.shaded = false;
    m.element.faces[ZF_BLOCK_DOWN].drawn = false;
    m.element.faces[ZF_BLOCK_UP].texture = 1;
    m.element.faces[ZF_BLOCK_WEST].texture = 1;
    make(&m);
    const zp_program *p = m.program;
    assert_int_equal(zp_count(p, ZP_SECTION_PARTS), 2);
    const zp_part *missing = &p->parts[0], *wood = &p->parts[1];
    assert_string_equal(zp_name_text(p, missing->name), "none");
    assert_string_equal(zp_name_text(p, wood->name), "wood");
    assert_int_equal(wood->cel_ref, 1);
    assert_int_equal(wood->triangle_count, 6);
    assert_int_equal(wood->flags, 0);
    assert_near(wood->alpha_min, 0.1);
    // A checker: four quads a side, magenta and black, at every corner the other colour than at the next.
    assert_int_equal(missing->cel_ref, 0);
    assert_int_equal(missing->surface, ZP_SURFACE_CUT);
    assert_int_equal(missing->triangle_count, 16);
    assert_int_equal(missing->vertex_count, 32);
    double area = 0;
    for (uint32_t i = 0; i < 16; i++) {
        const zp_vertex *v[3];
        double a[3], b[3], normal[3];
        for (uint32_t k = 0; k < 3; k++) { v[k] = &p->vertices[p->triangles[missing->first_triangle + i].corners[k]]; }
        for (uint32_t c = 0; c < 3; c++) {
            a[c] = (double)(v[1]->position[c] - v[0]->position[c]) * 16;
            b[c] = (double)(v[2]->position[c] - v[0]->position[c]) * 16;
        }
        cross(a, b, normal);
        area += sqrt(dot(normal, normal)) / 2;
        assert_true(normal[0] < -1e-3 || normal[1] > 1e-3); // west or up, and not folded over
        assert_near((double)v[0]->colour[0], i / 2 % 2 == 0 ? 1 : 0);
        assert_near((double)v[0]->colour[1], 0);
    }
    assert_near(area, 5 * 12 + 8 * 12);
    close_model(&m);
}

static void an_element_without_sides_is_a_mesh_without_any(void **state) {
    (void)state;
    model m;
    open_model(&m);
    memset(m.element.faces, 0, sizeof m.element.faces);
    make(&m);
    assert_int_equal(zp_count(m.program, ZP_SECTION_MESHES), 1);
    assert_int_equal(zp_count(m.program, ZP_SECTION_VERTICES), 0);
    assert_string_equal(zp_name_text(m.program, m.program->meshes[0].name), "box");
    close_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_are_upright_and_turn_clockwise),
        cmocka_unit_test(sides_look_outwards),
        cmocka_unit_test(what_is_not_given_follows_from_the_place),
        cmocka_unit_test(controls_follow_the_component_that_names_them),
        cmocka_unit_test(rotation_is_right_handed_about_its_origin),
        cmocka_unit_test(corners_have_their_weights),
        cmocka_unit_test(each_texture_is_a_part),
        cmocka_unit_test(an_element_without_sides_is_a_mesh_without_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
