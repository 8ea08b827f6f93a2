// The public functions of mesh.h: argument checks and plain reading of the records. Part of the play-only library.
#include <zoetrope/mesh.h>

#include "runtime/runtime.h"

static const zp_mesh *mesh_of(const zp_program *program, zo_mesh mesh) { // NULL: none
    ZO_ASSERT(program);
    return mesh.id > 0 && mesh.id <= zp_count(program, ZP_SECTION_MESHES) ? &program->meshes[mesh.id - 1] : NULL;
}

uint32_t zo_mesh_count(const zo_program *program) {
    ZO_ASSERT(program);
    return zp_count(program, ZP_SECTION_MESHES);
}

bool zo_mesh_get(const zo_program *program, zo_mesh mesh, zo_mesh_info *info) {
    ZO_ASSERT(info);
    const zp_mesh *record = mesh_of(program, mesh);
    if (!record) { return false; }
    *info = (zo_mesh_info){.name = zp_name_text(program, record->name), .vertex_count = record->vertex_count,
                           .triangle_count = record->triangle_count, .part_count = record->part_count};
    memcpy(info->low, record->low, sizeof info->low);
    memcpy(info->high, record->high, sizeof info->high);
    return true;
}

zo_mesh zo_mesh_find(const zo_program *program, const char *name) {
    ZO_ASSERT(program);
    ZO_ASSERT(name);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MESHES); ++i) {
        if (strcmp(zp_name_text(program, program->meshes[i].name), name) == 0) { return (zo_mesh){i + 1}; }
    }
    return (zo_mesh){0};
}

static void widen(double *to, const float *from, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) { to[i] = (double)from[i]; }
}

bool zo_mesh_vertex_get(const zo_program *program, zo_mesh mesh, uint32_t index, zo_mesh_vertex *vertex) {
    ZO_ASSERT(vertex);
    const zp_mesh *record = mesh_of(program, mesh);
    if (!record || index >= record->vertex_count) { return false; }
    const zp_vertex *from = &program->vertices[record->first_vertex + index];
    widen(vertex->position, from->position, 3);
    widen(vertex->normal, from->normal, 3);
    widen(vertex->uv, from->uv, 2);
    widen(vertex->color, from->colour, 4);
    return true;
}

bool zo_mesh_weight_get(const zo_program *program, zo_mesh mesh, uint32_t vertex, uint32_t index,
                        zo_mesh_weight *weight) {
    ZO_ASSERT(weight);
    const zp_mesh *record = mesh_of(program, mesh);
    if (!record || vertex >= record->vertex_count) { return false; }
    const zp_vertex *of = &program->vertices[record->first_vertex + vertex];
    if (index >= of->weight_count) { return false; }
    const zp_weight *from = &program->weights[of->first_weight + index];
    *weight = (zo_mesh_weight){.target = {program->bones[from->bone].target + 1}, .weight = (double)from->weight};
    return true;
}

bool zo_mesh_binding_get(const zo_program *program, zo_mesh mesh, uint32_t index, zo_mesh_binding *binding) {
    ZO_ASSERT(binding);
    const zp_mesh *record = mesh_of(program, mesh);
    if (!record || index >= record->binding_count) { return false; }
    const zp_uv_binding *from = &program->uv_bindings[record->first_binding + index];
    *binding = (zo_mesh_binding){.vertex = from->vertex, .component = from->component, .control = {from->param + 1},
                                 .scale = from->scale};
    return true;
}

bool zo_mesh_triangle_get(const zo_program *program, zo_mesh mesh, uint32_t index, uint32_t corners[3]) {
    ZO_ASSERT(corners);
    const zp_mesh *record = mesh_of(program, mesh);
    if (!record || index >= record->triangle_count) { return false; }
    memcpy(corners, program->triangles[record->first_triangle + index].corners, 3 * sizeof *corners);
    return true;
}

bool zo_mesh_part_get(const zo_program *program, zo_mesh mesh, uint32_t index, zo_mesh_part *part) {
    ZO_ASSERT(part);
    const zp_mesh *record = mesh_of(program, mesh);
    if (!record || index >= record->part_count) { return false; }
    const zp_part *from = &program->parts[record->first_part + index];
    *part = (zo_mesh_part){
        .name = zp_name_text(program, from->name),
        .cel = {from->cel_ref},
        .first_vertex = from->first_vertex - record->first_vertex,
        .vertex_count = from->vertex_count,
        .first_triangle = from->first_triangle - record->first_triangle,
        .triangle_count = from->triangle_count,
        .alpha_min = from->alpha_min,
        .blended = from->surface != ZP_SURFACE_CUT,
        .added = from->surface == ZP_SURFACE_ADD,
        .two_sided = (from->flags & ZP_PART_TWO_SIDED) != 0,
        .shaded = (from->flags & ZP_PART_SHADED) != 0,
        .repeats_u = (from->flags & ZP_PART_REPEAT_U) != 0,
        .repeats_v = (from->flags & ZP_PART_REPEAT_V) != 0,
    };
    return true;
}

void zo_pose_skin(const zo_program *program, const zo_pose *pose, zo_mesh mesh, uint32_t vertex, double m[12]) {
    const zp_mesh *record = mesh_of(program, mesh);
    ZO_ASSERT(record);
    ZO_ASSERT(vertex < record->vertex_count);
    ZO_ASSERT(pose && pose->target_count == zp_count(program, ZP_SECTION_TARGETS));
    ZO_ASSERT(m);
    zr_skin(program, pose, record, &program->vertices[record->first_vertex + vertex], m);
}

bool zo_program_box(const zo_program *program, zo_pose *pose, double box[6]) {
    ZO_ASSERT(program);
    ZO_ASSERT(pose && pose->target_count == zp_count(program, ZP_SECTION_TARGETS));
    ZO_ASSERT(box);
    return zr_program_box(program, pose, box);
}
