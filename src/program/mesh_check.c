// The check of what a stored blob says of meshes. Called by validate.c, which has checked the names, targets, cels and
// parameters before. What it lets through cannot overflow: coordinates, weights and rest matrices are bounded, and no
// vertex leads outside its mesh.
#include "program/program.h"

#define REQUIRE(fact, what_is_wrong) \
    if (!(fact)) { return what_is_wrong; }

static bool is_near(double value) { return value >= -ZP_MESH_FAR && value <= ZP_MESH_FAR; } // false for NaN
static bool is_share(double value) { return value >= 0.0 && value <= 1.0; }
static bool is_name(const zp_program *program, zp_name name) { return name < zp_count(program, ZP_SECTION_NAMES); }

static bool in_section(const zp_program *program, zp_section_id section, uint32_t first, uint64_t count) {
    return (uint64_t)first + count <= zp_count(program, section);
}

static bool are_near(const float *values, uint32_t count) {
    bool near = true;
    for (uint32_t i = 0; i < count; ++i) { near = near && is_near((double)values[i]); }
    return near;
}

static const char *check_bones(const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_BONES); ++i) {
        const zp_bone *bone = &program->bones[i];
        REQUIRE(in_section(program, ZP_SECTION_TARGETS, bone->target, 1), "a bone's target is out of range");
        REQUIRE((bone->flags & ~(uint32_t)ZP_BONE_FROM_REST) == 0, "no such flag of a bone");
        for (uint32_t k = 0; k < 12; ++k) {
            REQUIRE(is_near(bone->inverse[k]), "a bone's rest is out of range");
            REQUIRE(bone->flags & ZP_BONE_FROM_REST || bone->inverse[k] == 0.0, "a bone has a rest of no use");
        }
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_WEIGHTS); ++i) {
        const zp_weight *weight = &program->weights[i];
        REQUIRE(in_section(program, ZP_SECTION_BONES, weight->bone, 1), "a weight's bone is out of range");
        REQUIRE(is_near((double)weight->weight), "a weight is out of range");
    }
    return NULL;
}

static const char *check_vertex(const zp_program *program, const zp_vertex *vertex) {
    REQUIRE(are_near(vertex->position, 3) && are_near(vertex->uv, 2), "a vertex is out of range");
    for (uint32_t c = 0; c < 3; ++c) {
        REQUIRE(vertex->normal[c] >= -1.001f && vertex->normal[c] <= 1.001f, "a vertex's normal is out of range");
    }
    for (uint32_t c = 0; c < 4; ++c) {
        REQUIRE(is_share((double)vertex->colour[c]), "a vertex's colour is out of range");
    }
    REQUIRE(in_section(program, ZP_SECTION_WEIGHTS, vertex->first_weight, vertex->weight_count),
            "a vertex's weights are out of range");
    return NULL;
}

static const char *check_vertices(const zp_program *program, const zp_mesh *mesh, uint64_t *budget) {
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const zp_vertex *vertex = &program->vertices[mesh->first_vertex + i];
        const char *what = check_vertex(program, vertex);
        if (what) { return what; }
        REQUIRE(vertex->weight_count <= *budget, "vertices share weights out of all proportion");
        *budget -= vertex->weight_count;
        for (uint32_t c = 0; c < 3; ++c) {
            const double at = (double)vertex->position[c];
            if (i == 0 || at < low[c]) { low[c] = at; }
            if (i == 0 || at > high[c]) { high[c] = at; }
        }
    }
    for (uint32_t c = 0; c < 3; ++c) {
        REQUIRE(mesh->low[c] == low[c] && mesh->high[c] == high[c], "a mesh's box is not that of its vertices");
    }
    return NULL;
}

static const char *check_triangles(const zp_program *program, const zp_mesh *mesh, const zp_part *part) {
    const uint32_t first_corner = part->first_vertex - mesh->first_vertex;
    for (uint32_t i = 0; i < part->triangle_count; ++i) {
        const zp_triangle *triangle = &program->triangles[part->first_triangle + i];
        for (uint32_t k = 0; k < 3; ++k) {
            REQUIRE(triangle->corners[k] - first_corner < part->vertex_count, "a triangle's corner is out of range");
        }
    }
    return NULL;
}

static const char *check_part(const zp_program *program, const zp_part *part) {
    REQUIRE(is_name(program, part->name), "a part's name is out of range");
    REQUIRE(part->cel_ref <= zp_count(program, ZP_SECTION_CELS), "a part's cel is out of range");
    REQUIRE(part->surface < ZP_SURFACE_COUNT, "no such surface");
    REQUIRE((part->flags & ~(uint32_t)ZP_PART_FLAGS) == 0, "no such flag of a part");
    REQUIRE(part->surface == ZP_SURFACE_CUT ? is_share(part->alpha_min) : part->alpha_min == 0.0,
            "a part's least alpha is out of range");
    return NULL;
}

static const char *check_parts(const zp_program *program, const zp_mesh *mesh) {
    uint32_t vertex = mesh->first_vertex, triangle = mesh->first_triangle;
    const uint32_t vertex_end = vertex + mesh->vertex_count, triangle_end = triangle + mesh->triangle_count;
    for (uint32_t i = 0; i < mesh->part_count; ++i) {
        const zp_part *part = &program->parts[mesh->first_part + i];
        const char *what = check_part(program, part);
        if (what) { return what; }
        REQUIRE(part->first_vertex == vertex && part->vertex_count <= vertex_end - vertex,
                "a part's vertices are out of range");
        REQUIRE(part->first_triangle == triangle && part->triangle_count <= triangle_end - triangle,
                "a part's triangles are out of range");
        what = check_triangles(program, mesh, part);
        if (what) { return what; }
        vertex += part->vertex_count;
        triangle += part->triangle_count;
    }
    REQUIRE(vertex == vertex_end && triangle == triangle_end, "something belongs to no part");
    return NULL;
}

static const char *check_bindings(const zp_program *program, const zp_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->binding_count; ++i) {
        const zp_uv_binding *binding = &program->uv_bindings[mesh->first_binding + i];
        REQUIRE(binding->vertex < mesh->vertex_count && binding->component < 2, "a binding's vertex is out of range");
        REQUIRE(i == 0 || binding[-1].vertex <= binding->vertex, "bindings are out of order");
        REQUIRE(in_section(program, ZP_SECTION_PARAMS, binding->param, 1) &&
                    program->params[binding->param].clip == ZP_NO_CLIP, "a binding's control is out of range");
        REQUIRE(is_near(binding->scale), "a binding's scale is out of range");
        REQUIRE(binding->reserved == 0, "a reserved field is not zero");
    }
    return NULL;
}

static const char *check_mesh(const zp_program *program, const zp_mesh *mesh, uint64_t *budget) {
    REQUIRE(is_name(program, mesh->name), "a mesh's name is out of range");
    REQUIRE(mesh->rule < ZP_SKIN_COUNT && (mesh->flags & ~(uint32_t)ZP_MESH_REST_LEFT_OUT) == 0, "no such mesh");
    REQUIRE(mesh->least >= 0.0 && mesh->least <= (mesh->rule == ZP_SKIN_AVERAGE ? ZP_MESH_FAR : 0.0),
            "a mesh's least sum is out of range");
    REQUIRE(mesh->reserved == 0, "a reserved field is not zero");
    const char *what = check_vertices(program, mesh, budget);
    if (!what) { what = check_parts(program, mesh); }
    return what ? what : check_bindings(program, mesh);
}

// What a mesh has belongs to no other, in the order of the meshes.
const char *zp_meshes_check(const zp_program *program, uint64_t *budget) {
    const char *what = check_bones(program);
    if (what) { return what; }
    uint32_t part = 0, vertex = 0, triangle = 0, binding = 0;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MESHES); ++i) {
        const zp_mesh *mesh = &program->meshes[i];
        REQUIRE(mesh->first_part == part && in_section(program, ZP_SECTION_PARTS, part, mesh->part_count),
                "a mesh's parts are out of range");
        REQUIRE(mesh->first_vertex == vertex && in_section(program, ZP_SECTION_VERTICES, vertex, mesh->vertex_count),
                "a mesh's vertices are out of range");
        REQUIRE(mesh->first_triangle == triangle &&
                    in_section(program, ZP_SECTION_TRIANGLES, triangle, mesh->triangle_count),
                "a mesh's triangles are out of range");
        REQUIRE(mesh->first_binding == binding &&
                    in_section(program, ZP_SECTION_UV_BINDINGS, binding, mesh->binding_count),
                "a mesh's bindings are out of range");
        what = check_mesh(program, mesh, budget);
        if (what) { return what; }
        part += mesh->part_count;
        vertex += mesh->vertex_count;
        triangle += mesh->triangle_count;
        binding += mesh->binding_count;
    }
    REQUIRE(part == zp_count(program, ZP_SECTION_PARTS) && vertex == zp_count(program, ZP_SECTION_VERTICES) &&
                triangle == zp_count(program, ZP_SECTION_TRIANGLES) &&
                binding == zp_count(program, ZP_SECTION_UV_BINDINGS),
            "something belongs to no mesh");
    return NULL;
}
