// The meshes of a B3D model as records of a program: triangles by brush, and what bones do to their vertices. Called by
// b3d_compile.c.
#include <math.h>

#include "base/maths.h"
#include "formats/b3d.h"

static const double WEIGHT_LEAST = 1e-4; // sums up to this move nothing
static const double ALPHA_MIN = 0.5;
enum { // flags of brushes and textures
    BRUSH_FULL_BRIGHT = 1, BRUSH_VERTEX_COLORS = 2, BRUSH_FLAT = 4, BRUSH_TWO_SIDED = 16, BRUSH_VERTEX_ALPHA = 32,
    TEXTURE_ALPHA = 2, TEXTURE_MASKED = 4, TEXTURE_CLAMP_U = 16, TEXTURE_CLAMP_V = 32, TEXTURE_SECOND_SET = 65536,
};
enum { BRUSH_ADDS = 3 }; // of the ways in which a brush blends

typedef struct maker {
    const zf_b3_model *model;
    const zf_b3_build_def *def;
    zp_build *build;
    zb_arena *arena;
    uint32_t first_target;
    double (*rest)[12];        // [node]: how it stands at rest
    bool placed, mirrored;     // of the mesh at hand: it stands where its node at rest has it, and as in a mirror
    double turn[9], back[12];  // then: what turns its normals, and from there back to the node
    zf_b3_box *box;            // around all vertices
    uint32_t *starts;          // of the mesh at hand, [vertex_count + 1]: where the weights of each vertex begin
    zp_weight *weights;        // of all its vertices
    uint32_t *numbers, *owners; // [vertex_count]: what each has become for the patch, from 1, that owns it
} maker;

// ---------------------------------------------------------------------------------------------------------------- rest

// T R S, of a quaternion of any length.
static void local_of(const zf_b3_node *node, double m[12]) {
    const double w = (double)node->rotation[0], x = (double)node->rotation[1], y = (double)node->rotation[2],
                 z = (double)node->rotation[3];
    const double length = w * w + x * x + y * y + z * z, s = length > 0.0 ? 2.0 / length : 0.0;
    const double turn[9] = {1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
                            s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
                            s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)};
    for (uint32_t row = 0; row < 3; row++) {
        for (uint32_t column = 0; column < 3; column++) {
            m[4 * row + column] = turn[3 * row + column] * (double)node->scale[column];
        }
        m[4 * row + 3] = (double)node->position[row];
    }
}

static bool find_rest(maker *m) {
    m->rest = zb_arena_take_array(m->arena, (size_t)m->model->node_count + 1, sizeof *m->rest);
    for (uint32_t n = 0; n < m->model->node_count && m->rest != NULL; n++) {
        const zf_b3_node *node = &m->model->nodes[n];
        double local[12];
        local_of(node, local);
        if (node->parent_ref != 0) {
            zb_affine_multiply(m->rest[n], m->rest[node->parent_ref - 1], local);
        } else {
            memcpy(m->rest[n], local, sizeof local);
        }
    }
    return m->rest != NULL;
}

static bool is_near(const double m[12]) {
    bool near = true;
    for (uint32_t i = 0; i < 12; i++) {
        near = near && m[i] >= -ZP_MESH_FAR && m[i] <= ZP_MESH_FAR; // false for NaN
    }
    return near;
}

// false: it is flat, or as good as flat.
static bool invert(const double m[12], double out[12]) {
    const double a = m[5] * m[10] - m[6] * m[9], b = m[6] * m[8] - m[4] * m[10], c = m[4] * m[9] - m[5] * m[8];
    const double scale = 1.0 / (m[0] * a + m[1] * b + m[2] * c);
    const double turn[9] = {a, m[2] * m[9] - m[1] * m[10], m[1] * m[6] - m[2] * m[5],
                            b, m[0] * m[10] - m[2] * m[8], m[2] * m[4] - m[0] * m[6],
                            c, m[1] * m[8] - m[0] * m[9], m[0] * m[5] - m[1] * m[4]};
    for (uint32_t row = 0; row < 3; row++) {
        for (uint32_t column = 0; column < 3; column++) {
            out[4 * row + column] = turn[3 * row + column] * scale;
        }
    }
    for (uint32_t row = 0; row < 3; row++) {
        out[4 * row + 3] = -(out[4 * row] * m[3] + out[4 * row + 1] * m[7] + out[4 * row + 2] * m[11]);
    }
    return is_near(out);
}

// ------------------------------------------------------------------------------------------------------------- weights

// Of a node: what it does to a mesh's vertices. In exact frames they lie in the model's space, as the format's other
// reader has it, else in the mesh's, if they have not been placed. false: it does nothing that can be worked out.
static bool bone_of(const maker *m, uint32_t node, uint32_t mesh_node, uint32_t *out) {
    zp_bone bone = {.target = m->first_target + node, .flags = ZP_BONE_FROM_REST};
    if (!invert(m->rest[node], bone.inverse)) {
        return false;
    }
    if (!m->def->exact_frames && !m->placed) {
        zb_affine_multiply(bone.inverse, bone.inverse, m->rest[mesh_node]);
    }
    if (!is_near(bone.inverse)) {
        return false;
    }
    *out = zp_build_bone(m->build, &bone);
    return true;
}

// A bone of the mesh hangs on its node by bones alone.
static bool hangs_on(const maker *m, const zf_b3_node *node, uint32_t mesh_node) {
    while (node->kind == ZF_B3_BONE && node->parent_ref != 0 && node->parent_ref - 1 != mesh_node) {
        node = &m->model->nodes[node->parent_ref - 1];
    }
    return node->kind == ZF_B3_BONE && node->parent_ref != 0;
}

typedef struct mover { uint32_t bone, node; } mover;

// The bones of a mesh stand behind its node and before the next one beside it.
static zb_array movers_of(const maker *m, const zf_b3_mesh *mesh) {
    const zf_b3_node *nodes = m->model->nodes;
    zb_array found = zb_array_open(m->arena, sizeof(mover));
    for (uint32_t n = mesh->node + 1; n < m->model->node_count && nodes[n].depth > nodes[mesh->node].depth; n++) {
        uint32_t bone = 0;
        if (nodes[n].kind == ZF_B3_BONE && nodes[n].mesh_ref != 0 && &m->model->meshes[nodes[n].mesh_ref - 1] == mesh &&
            hangs_on(m, &nodes[n], mesh->node) && bone_of(m, n, mesh->node, &bone)) {
            *(mover *)zb_array_push(&found) = (mover){bone, n};
        }
    }
    return found;
}

// The weights of each vertex side by side, in the order of the bones: counted, then put from behind.
static bool gather_weights(maker *m, const zf_b3_mesh *mesh) {
    const zb_array found = movers_of(m, mesh);
    const mover *movers = (const mover *)(const void *)found.items;
    m->starts = zb_arena_take_array(m->arena, (size_t)mesh->vertex_count + 1, sizeof *m->starts);
    if (zb_arena_failed(m->arena)) {
        return false;
    }
    for (uint32_t i = 0; i < found.count; i++) {
        const zf_b3_node *node = &m->model->nodes[movers[i].node];
        for (uint32_t k = 0; k < node->weight_count; k++) {
            m->starts[m->model->weights[node->first_weight + k].vertex]++;
        }
    }
    for (uint32_t v = 1; v <= mesh->vertex_count; v++) {
        m->starts[v] += m->starts[v - 1];
    }
    m->weights = zb_arena_take_array(m->arena, (size_t)m->starts[mesh->vertex_count] + 1, sizeof *m->weights);
    for (uint32_t i = found.count; i-- > 0 && m->weights != NULL;) {
        const zf_b3_node *node = &m->model->nodes[movers[i].node];
        for (uint32_t k = node->weight_count; k-- > 0;) {
            const zf_b3_weight *weight = &m->model->weights[node->first_weight + k];
            m->weights[--m->starts[weight->vertex]] = (zp_weight){.bone = movers[i].bone, .weight = weight->weight};
        }
    }
    return m->weights != NULL;
}

// ------------------------------------------------------------------------------------------------------------ vertices

static float share(float value) { return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f; }

static void put_normal(const float *from, float *to) {
    const double x = (double)from[0], y = (double)from[1], z = (double)from[2], length = sqrt(x * x + y * y + z * z);
    for (uint32_t i = 0; i < 3; i++) {
        to[i] = length > 1e-6 ? (float)((double)from[i] / length) : 0.0f;
    }
}

// How the vertices of a patch are. `stays`: a list of weights for vertices without bones, in sparse frames: they go
// with the mesh's node.
typedef struct patch_look {
    const zf_b3_mesh *mesh;
    const zf_b3_brush *brush;  // NULL: none, which is white
    float color[4];
    bool vertex_colors, vertex_alpha; // those of the vertices count as well
    uint32_t set;              // of texture coordinates
    double turn[6];            // of these: rows
    bool flat;                 // a triangle has one normal, its own
    uint32_t stays, stays_count;
} patch_look;

static const zf_b3_texture *texture_of(const maker *m, const zf_b3_brush *brush) {
    const int32_t index = brush != NULL && m->model->textures_a_brush > 0 ? brush->textures[0] : ZF_B3_NONE;
    return index != ZF_B3_NONE ? &m->model->textures[index] : NULL;
}

// In exact frames coordinates are the first set, as it is, and brushes have no colour, as the format's other reader has
// it. Source: Forge 1.12, B3DLoader, of what is baked. Else a brush says whether the colours of vertices take the place
// of its own, and whether their alpha counts, and coordinates are turned, then scaled, then moved. Source: Blitz3D, of
// the effects of brushes and the matrix of a texture.
static void set_look(const maker *m, patch_look *look, const zf_b3_brush *brush) {
    static const double as_it_is[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const zf_b3_texture *texture = texture_of(m, brush);
    const bool exact = m->def->exact_frames, bare = exact || brush == NULL;
    look->brush = brush;
    look->set = 0;
    look->flat = brush != NULL && (brush->fx & BRUSH_FLAT) != 0;
    look->vertex_colors = look->mesh->colors && (bare || (brush->fx & BRUSH_VERTEX_COLORS) != 0);
    look->vertex_alpha = look->mesh->colors && (exact || (!bare && (brush->fx & BRUSH_VERTEX_ALPHA) != 0));
    memcpy(look->turn, as_it_is, sizeof as_it_is);
    for (uint32_t i = 0; i < 4; i++) {
        look->color[i] = bare || (look->vertex_colors && i < 3) ? 1.0f : brush->color[i];
    }
    if (texture == NULL || exact) {
        return;
    }
    look->set = (texture->flags & TEXTURE_SECOND_SET) != 0 && look->mesh->sets > 1 ? 1 : 0;
    double sine, cosine;
    zb_sincos_degrees((double)texture->rotation * (180.0 / 3.14159265358979323846), &sine, &cosine);
    const double u = (double)texture->scale[0], v = (double)texture->scale[1];
    const double turn[6] = {cosine * u, sine * u, (double)texture->position[0],
                            -sine * v, cosine * v, (double)texture->position[1]};
    memcpy(look->turn, turn, sizeof turn);
}

static float coordinate(const double row[3], double u, double v) {
    return (float)zb_clamp(row[0] * u + row[1] * v + row[2], -ZP_MESH_FAR, ZP_MESH_FAR);
}

static void put_coordinates(const patch_look *look, const float *sets, zp_vertex *vertex) {
    const zf_b3_mesh *mesh = look->mesh;
    if (mesh->sets == 0) {
        return;
    }
    const float *from = sets + (size_t)look->set * mesh->set_size;
    const double u = (double)from[0], v = mesh->set_size > 1 ? (double)from[1] : 0.0;
    vertex->uv[0] = coordinate(look->turn, u, v);
    vertex->uv[1] = coordinate(look->turn + 3, u, v);
}

// Where its node at rest has it, so that the box around a mesh is around what is seen.
static void put_place(const maker *m, uint32_t node, zp_vertex *vertex) {
    if (m->placed) {
        const float *from = vertex->normal;
        double at[3];
        float normal[3];
        zb_affine_apply(m->rest[node], (double)vertex->position[0], (double)vertex->position[1],
                        (double)vertex->position[2], at);
        for (uint32_t i = 0; i < 3; i++) {
            const double *row = m->turn + 3 * i;
            vertex->position[i] = (float)zb_clamp(at[i], -ZP_MESH_FAR, ZP_MESH_FAR);
            normal[i] = (float)(row[0] * (double)from[0] + row[1] * (double)from[1] + row[2] * (double)from[2]);
        }
        put_normal(normal, vertex->normal);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const double at = (double)vertex->position[i];
        m->box->low[i] = !m->box->any || at < m->box->low[i] ? at : m->box->low[i];
        m->box->high[i] = !m->box->any || at > m->box->high[i] ? at : m->box->high[i];
    }
    m->box->any = true;
}

// `normal`: NULL: its own.
static uint32_t build_vertex(const maker *m, const patch_look *look, uint32_t index, const float *normal) {
    const zf_b3_mesh *mesh = look->mesh;
    const float *from = mesh->vertices + (size_t)index * mesh->width, *next = from + 3;
    zp_vertex vertex = {.position = {from[0], from[1], from[2]}};
    if (mesh->normals) {
        put_normal(next, vertex.normal);
        next += 3;
    }
    if (normal != NULL) {
        put_normal(normal, vertex.normal);
    }
    for (uint32_t i = 0; i < 4; i++) {
        const bool own = i < 3 ? look->vertex_colors : look->vertex_alpha;
        vertex.colour[i] = share(look->color[i]) * (own ? share(next[i]) : 1.0f);
    }
    next += mesh->colors ? 4 : 0;
    put_coordinates(look, next, &vertex);
    put_place(m, mesh->node, &vertex);
    vertex.first_weight = look->stays;
    vertex.weight_count = look->stays_count;
    const uint32_t start = m->starts[index], count = m->starts[index + 1] - start;
    if (count > 0) {
        vertex.first_weight = zp_build_weights(m->build, m->weights + start, count);
        vertex.weight_count = count;
    }
    return zp_build_vertex(m->build, &vertex);
}

// The brush that a patch is drawn with; NULL: none, which is white.
static const zf_b3_brush *brush_of(const maker *m, const zf_b3_mesh *mesh, const zf_b3_patch *patch) {
    const int32_t index = patch->brush != ZF_B3_NONE ? patch->brush : mesh->brush;
    return index != ZF_B3_NONE ? &m->model->brushes[index] : NULL;
}

static bool is_blended(const maker *m, const patch_look *look) {
    const zf_b3_texture *texture = texture_of(m, look->brush);
    const int32_t flags = texture != NULL ? texture->flags : 0;
    return ((flags & TEXTURE_ALPHA) != 0 && (flags & TEXTURE_MASKED) == 0) ||
           (!m->def->exact_frames && (look->brush->blend == BRUSH_ADDS ||
                                      (look->brush->fx & BRUSH_VERTEX_ALPHA) != 0 || look->color[3] < 1.0f));
}

static void build_part(const maker *m, const patch_look *look) {
    zp_part part = {.surface = ZP_SURFACE_CUT, .alpha_min = ALPHA_MIN, .flags = ZP_PART_SHADED};
    const zf_b3_brush *brush = look->brush;
    if (brush != NULL) {
        const zf_b3_texture *texture = texture_of(m, brush);
        const int32_t flags = texture != NULL ? texture->flags : TEXTURE_CLAMP_U | TEXTURE_CLAMP_V;
        part.name = zp_build_name(m->build, brush->name);
        part.cel_ref = texture != NULL ? m->def->cel_refs[brush->textures[0]] : 0;
        part.flags = ((brush->fx & BRUSH_FULL_BRIGHT) != 0 ? 0u : ZP_PART_SHADED) |
                     ((brush->fx & BRUSH_TWO_SIDED) != 0 ? ZP_PART_TWO_SIDED : 0u) |
                     ((flags & TEXTURE_CLAMP_U) != 0 ? 0u : ZP_PART_REPEAT_U) |
                     ((flags & TEXTURE_CLAMP_V) != 0 ? 0u : ZP_PART_REPEAT_V);
        if (is_blended(m, look)) {
            const bool added = brush->blend == BRUSH_ADDS && !m->def->exact_frames;
            part.surface = added ? ZP_SURFACE_ADD : ZP_SURFACE_BLEND;
            part.alpha_min = 0.0;
        }
    }
    zp_build_part(m->build, &part);
}

// Of a triangle as it stands, of any length.
static void normal_of(const zf_b3_mesh *mesh, const uint32_t corners[3], float normal[3]) {
    double a[3], b[3];
    const float *from = mesh->vertices + (size_t)corners[0] * mesh->width;
    for (uint32_t i = 0; i < 3; i++) {
        a[i] = (double)mesh->vertices[(size_t)corners[1] * mesh->width + i] - (double)from[i];
        b[i] = (double)mesh->vertices[(size_t)corners[2] * mesh->width + i] - (double)from[i];
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (float)(a[j] * b[k] - a[k] * b[j]);
    }
}

// Vertices are built as triangles come to them, for each patch anew: its brush colours them.
static void build_patch(const maker *m, const zf_b3_mesh *mesh, uint32_t index, patch_look *look) {
    const zf_b3_patch *patch = &m->model->patches[index];
    set_look(m, look, brush_of(m, mesh, patch));
    build_part(m, look);
    for (size_t i = 0; i < patch->count; i++) {
        const uint32_t *from = m->model->indices + 3 * (patch->first + i);
        uint32_t corners[3];
        float normal[3];
        if (look->flat) {
            normal_of(mesh, from, normal);
        }
        for (uint32_t k = 0; k < 3; k++) {
            if (look->flat || m->owners[from[k]] != index + 1) {
                m->owners[from[k]] = index + 1;
                m->numbers[from[k]] = build_vertex(m, look, from[k], look->flat ? normal : NULL);
            }
            corners[k] = m->numbers[from[k]];
        }
        const uint32_t second = m->mirrored ? 2 : 1; // round the other way, so that it faces the same side
        zp_build_triangle(m->build, corners[0], corners[second], corners[3 - second]);
    }
}

static void set_place(maker *m, uint32_t node) {
    const double *r = m->rest[node], *b = m->back;
    m->placed = !m->def->exact_frames && is_near(r) && invert(r, m->back);
    m->mirrored = m->placed && r[0] * (r[5] * r[10] - r[6] * r[9]) - r[1] * (r[4] * r[10] - r[6] * r[8]) +
                               r[2] * (r[4] * r[9] - r[5] * r[8]) < 0.0;
    double most = 0.0; // normals have a length of their own, so that of the inverse transposed does not matter
    for (uint32_t i = 0; i < 9 && m->placed; i++) {
        m->turn[i] = b[4 * (i % 3) + i / 3];
        most = fmax(most, fabs(m->turn[i]));
    }
    for (uint32_t i = 0; i < 9 && m->placed; i++) {
        m->turn[i] /= most;
    }
}

static void build_mesh(maker *m, const zf_b3_mesh *mesh) {
    set_place(m, mesh->node);
    patch_look look = {.mesh = mesh};
    m->numbers = zb_arena_take_array(m->arena, (size_t)mesh->vertex_count + 1, sizeof *m->numbers);
    m->owners = zb_arena_take_array(m->arena, (size_t)mesh->vertex_count + 1, sizeof *m->owners);
    if (!gather_weights(m, mesh) || m->numbers == NULL || m->owners == NULL) {
        return;
    }
    zp_build_mesh(m->build, &(zp_mesh){.name = zp_build_name(m->build, m->model->nodes[mesh->node].name),
                                       .rule = ZP_SKIN_AVERAGE, .least = WEIGHT_LEAST});
    if (!m->def->exact_frames) {
        zp_bone bone = {.target = m->first_target + mesh->node, .flags = m->placed ? ZP_BONE_FROM_REST : 0};
        if (m->placed) {
            memcpy(bone.inverse, m->back, sizeof bone.inverse);
        }
        const zp_weight whole = {.bone = zp_build_bone(m->build, &bone), .weight = 1.0f};
        look.stays = zp_build_weights(m->build, &whole, 1);
        look.stays_count = 1;
    }
    for (uint32_t i = 0; i < mesh->patch_count; i++) {
        build_patch(m, mesh, mesh->first_patch + i, &look);
    }
}

void zf_b3_build_meshes(const zf_b3_model *model, const zf_b3_build_def *def, uint32_t first_target, zp_build *build,
                        zb_arena *arena, zf_b3_box *box) {
    maker m = {.model = model, .def = def, .build = build, .arena = arena, .first_target = first_target, .box = box};
    if (!find_rest(&m)) {
        return;
    }
    for (uint32_t i = 0; i < model->mesh_count && !zb_arena_failed(arena); i++) {
        build_mesh(&m, &model->meshes[i]);
    }
}
