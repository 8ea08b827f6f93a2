// Meshes in programs: what the builder makes of them, what the check refuses, how they are listed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "test_program.h"

static void a_mesh_has_what_follows_it(void **state) {
    (void)state;
    zp_program *program = test_mesh_program();
    const char *what = NULL;
    if (!zp_program_check(program->blob, program->blob_size, &what)) { fail_msg("%s", what); }
    const zp_mesh *lid = &program->meshes[0], *sail = &program->meshes[1];
    assert_int_equal(lid->part_count, 2);
    assert_int_equal(lid->vertex_count, 6);
    assert_int_equal(lid->triangle_count, 2);
    assert_int_equal(lid->binding_count, 1);
    assert_true(lid->low[0] == -2.0 && lid->low[1] == 0.5 && lid->low[2] == 0.0);
    assert_true(lid->high[0] == 1.0 && lid->high[1] == 0.5 && lid->high[2] == 3.0);
    assert_int_equal(sail->first_vertex, 6);
    assert_int_equal(sail->first_triangle, 2);
    assert_int_equal(program->parts[1].first_vertex, 3);
    assert_int_equal(program->parts[1].vertex_count, 3);
    assert_int_equal(program->parts[2].first_triangle, 2);
    assert_int_equal(zp_count(program, ZP_SECTION_WEIGHTS), 3); // one, and two
    assert_int_equal(zp_count(program, ZP_SECTION_BONES), 2);
    assert_int_equal(program->uv_bindings[0].param, 1); // controls stand behind the parameters of clips
    zp_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- damage

typedef struct wound {
    zp_section_id section;
    uint32_t record;
    size_t offset, size;
    uint64_t value;       // its lowest bytes
    const char *what;
} wound;

#define FIELD(section, record, type, member, value, what) \
    {ZP_SECTION_##section, record, offsetof(type, member), sizeof(((type *)0)->member), value, what}
#define PART_OF(section, record, type, member, size, value, what) \
    {ZP_SECTION_##section, record, offsetof(type, member), size, value, what}

static const uint64_t no_number = 0x7FF8000000000000, minus_one = 0xBFF0000000000000, two_million = 0x413E848000000000;
static const uint64_t no_float = 0x7FC00000, float_two = 0x40000000;

static void assert_refused(const zp_program *program, const wound *damage) {
    uint8_t *blob = malloc(program->blob_size);
    memcpy(blob, program->blob, program->blob_size);
    zp_header *header = (zp_header *)(void *)blob;
    memcpy(blob + header->sections[damage->section].offset +
               (size_t)damage->record * zp_record_size(damage->section) + damage->offset,
           &damage->value, damage->size);
    header->hash = zp_program_hash(blob);
    const char *what = NULL;
    if (zp_program_check(blob, program->blob_size, &what)) { fail_msg("accepts what should be \"%s\"", damage->what); }
    assert_string_equal(what, damage->what);
    free(blob);
}

static void what_leads_nowhere_is_refused(void **state) {
    (void)state;
    const wound damages[] = {
        FIELD(MESHES, 0, zp_mesh, name, 99999, "a mesh's name is out of range"),
        FIELD(MESHES, 0, zp_mesh, rule, ZP_SKIN_COUNT, "no such mesh"),
        FIELD(MESHES, 0, zp_mesh, flags, 2, "no such mesh"),
        FIELD(MESHES, 0, zp_mesh, least, no_number, "a mesh's least sum is out of range"),
        FIELD(MESHES, 0, zp_mesh, least, minus_one, "a mesh's least sum is out of range"),
        FIELD(MESHES, 1, zp_mesh, least, two_million, "a mesh's least sum is out of range"),
        FIELD(MESHES, 0, zp_mesh, reserved, 1, "a reserved field is not zero"),
        FIELD(MESHES, 1, zp_mesh, first_part, 1, "a mesh's parts are out of range"),
        FIELD(MESHES, 1, zp_mesh, part_count, UINT32_MAX, "a mesh's parts are out of range"),
        FIELD(MESHES, 1, zp_mesh, first_vertex, 0, "a mesh's vertices are out of range"),
        FIELD(MESHES, 1, zp_mesh, vertex_count, 4, "a mesh's vertices are out of range"),
        FIELD(MESHES, 1, zp_mesh, vertex_count, 2, "a mesh's box is not that of its vertices"),
        FIELD(MESHES, 1, zp_mesh, first_triangle, 0, "a mesh's triangles are out of range"),
        FIELD(MESHES, 1, zp_mesh, triangle_count, UINT32_MAX, "a mesh's triangles are out of range"),
        FIELD(MESHES, 1, zp_mesh, triangle_count, 0, "a part's triangles are out of range"),
        FIELD(MESHES, 1, zp_mesh, part_count, 0, "something belongs to no part"),
        FIELD(MESHES, 0, zp_mesh, first_binding, 1, "a mesh's bindings are out of range"),
        FIELD(MESHES, 1, zp_mesh, binding_count, 1, "a mesh's bindings are out of range"),
        FIELD(MESHES, 0, zp_mesh, binding_count, 0, "a mesh's bindings are out of range"),
        PART_OF(MESHES, 0, zp_mesh, high[1], 8, minus_one, "a mesh's box is not that of its vertices"),
        PART_OF(MESHES, 0, zp_mesh, low[2], 8, no_number, "a mesh's box is not that of its vertices"),
        FIELD(PARTS, 0, zp_part, name, 99999, "a part's name is out of range"),
        FIELD(PARTS, 0, zp_part, cel_ref, 2, "a part's cel is out of range"),
        FIELD(PARTS, 0, zp_part, surface, ZP_SURFACE_COUNT, "no such surface"),
        FIELD(PARTS, 0, zp_part, flags, 16, "no such flag of a part"),
        FIELD(PARTS, 0, zp_part, alpha_min, minus_one, "a part's least alpha is out of range"),
        FIELD(PARTS, 1, zp_part, alpha_min, two_million, "a part's least alpha is out of range"),
        FIELD(PARTS, 1, zp_part, first_triangle, 0, "a part's triangles are out of range"),
        FIELD(PARTS, 1, zp_part, triangle_count, 2, "a part's triangles are out of range"),
        FIELD(PARTS, 1, zp_part, triangle_count, 0, "something belongs to no part"),
        FIELD(PARTS, 1, zp_part, first_vertex, 2, "a part's vertices are out of range"),
        FIELD(PARTS, 0, zp_part, vertex_count, 7, "a part's vertices are out of range"),
        FIELD(PARTS, 0, zp_part, vertex_count, 2, "a triangle's corner is out of range"),
        PART_OF(VERTICES, 1, zp_vertex, position[2], 4, no_float, "a vertex is out of range"),
        PART_OF(VERTICES, 1, zp_vertex, uv[1], 4, no_float, "a vertex is out of range"),
        PART_OF(VERTICES, 1, zp_vertex, normal[0], 4, float_two, "a vertex's normal is out of range"),
        PART_OF(VERTICES, 1, zp_vertex, colour[3], 4, float_two, "a vertex's colour is out of range"),
        FIELD(VERTICES, 0, zp_vertex, first_weight, UINT32_MAX, "a vertex's weights are out of range"),
        FIELD(VERTICES, 0, zp_vertex, weight_count, 4, "a vertex's weights are out of range"),
        PART_OF(TRIANGLES, 1, zp_triangle, corners[2], 4, 6, "a triangle's corner is out of range"),
        PART_OF(TRIANGLES, 1, zp_triangle, corners[2], 4, 2, "a triangle's corner is out of range"),
        FIELD(BONES, 1, zp_bone, target, 1, "a bone's target is out of range"),
        FIELD(BONES, 1, zp_bone, flags, 2, "no such flag of a bone"),
        FIELD(BONES, 1, zp_bone, flags, 0, "a bone has a rest of no use"),
        PART_OF(BONES, 1, zp_bone, inverse[11], 8, two_million, "a bone's rest is out of range"),
        FIELD(WEIGHTS, 2, zp_weight, bone, 2, "a weight's bone is out of range"),
        FIELD(WEIGHTS, 2, zp_weight, weight, no_float, "a weight is out of range"),
        FIELD(UV_BINDINGS, 0, zp_uv_binding, vertex, 6, "a binding's vertex is out of range"),
        FIELD(UV_BINDINGS, 0, zp_uv_binding, component, 2, "a binding's vertex is out of range"),
        FIELD(UV_BINDINGS, 0, zp_uv_binding, param, 2, "a binding's control is out of range"),
        FIELD(UV_BINDINGS, 0, zp_uv_binding, param, 0, "a binding's control is out of range"),
        FIELD(UV_BINDINGS, 0, zp_uv_binding, reserved, 1, "a reserved field is not zero"),
        FIELD(UV_BINDINGS, 0, zp_uv_binding, scale, no_number, "a binding's scale is out of range"),
    };
    zp_program *program = test_mesh_program();
    for (size_t i = 0; i < ZB_COUNT(damages); ++i) { assert_refused(program, &damages[i]); }
    zp_program_free(program);
}

// Weights are shared, so a small program could ask for much work; it may not.
static void shared_weights_cost_no_more_than_in_proportion(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_NONE});
    zp_build_bone(build, &(zp_bone){.target = 0});
    enum { COUNT = 20000 };
    zp_weight *weights = calloc(COUNT, sizeof *weights);
    zp_build_mesh(build, &(zp_mesh){.rule = ZP_SKIN_DISPLACE});
    zp_build_part(build, &(zp_part){.name = 0});
    const zp_vertex vertex = {.first_weight = zp_build_weights(build, weights, COUNT), .weight_count = COUNT};
    for (uint32_t i = 0; i < COUNT; ++i) { zp_build_vertex(build, &vertex); }
    zp_program *program = zp_build_finish(build, NULL);
    assert_non_null(program);
    const char *what = NULL;
    assert_false(zp_program_check(program->blob, program->blob_size, &what));
    assert_string_equal(what, "vertices share weights out of all proportion");
    free(weights);
    zp_program_free(program);
    zb_arena_close(&arena);
}

// ---------------------------------------------------------------------------------------------------- listing

static const char golden[] =
    "bone 0 target \"hinge\"\n"
    "bone 1 target \"hinge\", from 1 0 0 -0.5 0 1 0 0 0 0 1 0\n"
    "\n"
    "mesh 0 \"lid\"\n"
    "  bones are averaged, above 0.00001, without those at rest\n"
    "  from -2 0.5 0 to 1 0.5 3\n"
    "  part \"wood\" cel \"lid\", cut below 0.5, shaded\n"
    "    vertex -2 0.5 0, normal 0 1 0, uv 0 0, colour 1 1 1 1\n"
    "    vertex 1 0.5 0, normal 0 1 0, uv 1 0, colour 1 1 1 1\n"
    "    vertex -2 0.5 3, normal 0 1 0, uv 0 1, colour 1 1 1 1, moved by 0.75 of bone 0\n"
    "    0-1-2\n"
    "  part \"glass\", blended, two-sided\n"
    "    vertex 1 0.5 3, normal 0 1 0, uv 1 1, colour 1 1 1 1, moved by 0.75 of bone 0\n"
    "    vertex -2 0.5 3, normal 0 1 0, uv 0 2, colour 1 1 1 1, moved by 0.75 of bone 0"
    " + 0.5 of bone 1\n"
    "    vertex 1 0.5 3, normal 0 1 0, uv 1 2, colour 1 1 1 1, moved by 0.75 of bone 0"
    " + 0.5 of bone 1\n"
    "    3-5-4\n"
    "  vertex 4 has v from control \"progress\" times 0.0625\n"
    "\n"
    "mesh 1 \"sail\"\n"
    "  bones displace\n"
    "  from 0 0 0 to 0 2 0.5\n"
    "  part \"cloth\", cut below 0\n"
    "    vertex 0 0 0, normal 0 0 0, uv 0 0, colour 1 0.5 0 1\n"
    "    vertex 0 1 0.25, normal 0 0 0, uv 0 0, colour 1 0.5 0 1\n"
    "    vertex 0 2 0.5, normal 0 0 0, uv 0 0, colour 1 0.5 0 1\n"
    "    0-1-2\n";

static void meshes_are_listed(void **state) {
    (void)state;
    zp_program *program = test_mesh_program();
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zp_program_dump(program, &out);
    if (!strstr(zb_buffer_text(&out), golden)) { fail_msg("%s", out.data); }
    zb_arena_close(&arena);
    zp_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_has_what_follows_it),
        cmocka_unit_test(what_leads_nowhere_is_refused),
        cmocka_unit_test(shared_weights_cost_no_more_than_in_proportion),
        cmocka_unit_test(meshes_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
