// The part of the listing that tells of meshes. Called by dump.c. Reads a checked program.
#include "base/buffer.h"
#include "program/program.h"

static void put_name(zb_buffer *out, const zp_program *program, zp_name name) {
    zb_put_char(out, '"');
    zb_put(out, zp_name_text(program, name));
    zb_put_char(out, '"');
}

static void put_number(zb_buffer *out, const char *word, double number) {
    zb_put(out, word);
    zb_put_double(out, number);
}

static void put_count(zb_buffer *out, const char *word, uint32_t count) {
    zb_put(out, word);
    zb_put_uint(out, count);
}

static void put_floats(zb_buffer *out, const char *word, const float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) { put_number(out, i == 0 ? word : " ", (double)numbers[i]); }
}

static void put_doubles(zb_buffer *out, const char *word, const double *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) { put_number(out, i == 0 ? word : " ", numbers[i]); }
}

static void put_vertex(zb_buffer *out, const zp_program *program, const zp_vertex *vertex) {
    put_floats(out, "\n    vertex ", vertex->position, 3);
    put_floats(out, ", normal ", vertex->normal, 3);
    put_floats(out, ", uv ", vertex->uv, 2);
    put_floats(out, ", colour ", vertex->colour, 4);
    for (uint32_t i = 0; i < vertex->weight_count; ++i) {
        const zp_weight *weight = &program->weights[vertex->first_weight + i];
        put_number(out, i == 0 ? ", moved by " : " + ", (double)weight->weight);
        put_count(out, " of bone ", weight->bone);
    }
}

static void put_part(zb_buffer *out, const zp_program *program, const zp_part *part) {
    zb_put(out, "\n  part ");
    put_name(out, program, part->name);
    if (part->cel_ref > 0) {
        zb_put(out, " cel ");
        put_name(out, program, program->cels[part->cel_ref - 1].name);
    }
    if (part->surface == ZP_SURFACE_CUT) {
        put_number(out, ", cut below ", part->alpha_min);
    } else {
        zb_put(out, part->surface == ZP_SURFACE_ADD ? ", added" : ", blended");
    }
    if (part->flags & ZP_PART_TWO_SIDED) { zb_put(out, ", two-sided"); }
    if (part->flags & ZP_PART_SHADED) { zb_put(out, ", shaded"); }
    if (part->flags & ZP_PART_REPEAT_U) { zb_put(out, ", repeats u"); }
    if (part->flags & ZP_PART_REPEAT_V) { zb_put(out, ", repeats v"); }
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        put_vertex(out, program, &program->vertices[part->first_vertex + i]);
    }
    for (uint32_t t = 0; t < part->triangle_count; ++t) {
        const uint32_t *corners = program->triangles[part->first_triangle + t].corners;
        put_count(out, t == 0 ? "\n    " : ", ", corners[0]);
        put_count(out, "-", corners[1]);
        put_count(out, "-", corners[2]);
    }
}

static void put_mesh(zb_buffer *out, const zp_program *program, const zp_mesh *mesh) {
    if (mesh->rule == ZP_SKIN_AVERAGE) {
        put_number(out, "\n  bones are averaged, above ", mesh->least);
    } else {
        zb_put(out, "\n  bones displace");
    }
    if (mesh->flags & ZP_MESH_REST_LEFT_OUT) { zb_put(out, ", without those at rest"); }
    put_doubles(out, "\n  from ", mesh->low, 3);
    put_doubles(out, " to ", mesh->high, 3);
    for (uint32_t i = 0; i < mesh->part_count; ++i) { put_part(out, program, &program->parts[mesh->first_part + i]); }
    for (uint32_t i = 0; i < mesh->binding_count; ++i) {
        const zp_uv_binding *binding = &program->uv_bindings[mesh->first_binding + i];
        put_count(out, "\n  vertex ", binding->vertex);
        zb_put(out, binding->component == 0 ? " has u from control " : " has v from control ");
        put_name(out, program, program->params[binding->param].name);
        put_number(out, " times ", binding->scale);
    }
    zb_put_char(out, '\n');
}

void zp_meshes_dump(const zp_program *program, zb_buffer *out) {
    const uint32_t bone_count = zp_count(program, ZP_SECTION_BONES);
    for (uint32_t i = 0; i < bone_count; ++i) {
        const zp_bone *bone = &program->bones[i];
        put_count(out, "\nbone ", i);
        zb_put(out, " target ");
        put_name(out, program, program->targets[bone->target].name);
        if (bone->flags & ZP_BONE_FROM_REST) { put_doubles(out, ", from ", bone->inverse, 12); }
    }
    if (bone_count > 0) { zb_put_char(out, '\n'); }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MESHES); ++i) {
        put_count(out, "\nmesh ", i);
        zb_put_char(out, ' ');
        put_name(out, program, program->meshes[i].name);
        put_mesh(out, program, &program->meshes[i]);
    }
}
