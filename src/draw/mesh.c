// Meshes: vertices moved by their bones, darkened by where they look, seen by the camera; triangles that look away left
// out, those that reach behind the eye cut off; what hides others first, what is blended under a command a triangle,
// which list.c sorts from the farthest on. Called by list.c. Knows no pixels.
//
// While a part is worked on its vertices in the list hold what the camera sees: x and y in units in place of px, the
// distance in place of the depth, and in place of the inverse 1, or -1 where the vertex is mirrored.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

typedef struct drawing {
    const zp_program *program;
    const zo_instance *instance; // NULL: no controls are set
    const zo_pose *pose;
    const zo_view *view;
    zo_draw_list *list;
    zg_camera camera;
} drawing;

// A part of a mesh, and how its picture lies.
typedef struct piece {
    const zp_mesh *mesh;
    const zp_part *part;
    uint32_t first_vertex;     // in the list
    uint32_t binding;          // of the mesh's, the next that may be one of its vertices
    zo_command command;        // that it wants
    double origin[2], size[2]; // of uv, px
} piece;

// ---------------------------------------------------------------------------------------------------- vertices

// What vertices with the same weights share.
typedef struct moved {
    double seen[12];    // to what the camera sees
    double normal[9];   // rows, for normals: the inverse transposed, of any length
    bool still;         // nothing moves it
    bool mirrored;
} moved;

// Of the upper left three columns: the inverse transposed times the determinant, which is returned.
static double put_cofactors(const double m[12], double rows[9]) {
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (uint32_t j = 0; j < 3; j++) {
            const uint32_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            rows[3 * i + j] = m[4 * i1 + j1] * m[4 * i2 + j2] - m[4 * i1 + j2] * m[4 * i2 + j1];
        }
    }
    return m[0] * rows[0] + m[1] * rows[1] + m[2] * rows[2];
}

static moved move(const drawing *d, const zp_mesh *mesh, const zp_vertex *vertex) {
    double m[12], rows[9];
    zr_skin(d->program, d->pose, mesh, vertex, m);
    moved to = {.still = vertex->weight_count == 0};
    zb_affine_multiply(to.seen, d->camera.m, m);
    to.mirrored = put_cofactors(to.seen, rows) > 0; // of what the camera sees one axis is turned round: the distance
    const double sign = put_cofactors(m, to.normal) < 0 ? -1 : 1;
    for (uint32_t i = 0; i < 9; i++) { to.normal[i] *= sign; }
    return to;
}

// How bright a side is that looks this way: the squares of a normal's parts add up to 1, so it is 1 above, .5 below, .8
// along z and .6 along x, and between them without a jump. Source: Forge 1.12, LightUtil.diffuseLight.
static double brightness(double x, double y, double z) {
    const double light = x * x * 0.6 + y * y * ((3 + y) / 4) + z * z * 0.8;
    return light < 1 ? light : 1;
}

static double light_on(const moved *by, const zp_vertex *vertex) {
    const double *rows = by->normal;
    const double x = (double)vertex->normal[0], y = (double)vertex->normal[1], z = (double)vertex->normal[2];
    double n[3] = {x, y, z};
    for (uint32_t i = 0; i < 3 && !by->still; i++) {
        n[i] = rows[3 * i] * x + rows[3 * i + 1] * y + rows[3 * i + 2] * z;
    }
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0 && length < HUGE_VAL)) { return 1; } // it has none, or is flattened to a line
    return brightness(n[0] / length, n[1] / length, n[2] / length);
}

static void put_vertex(const piece *p, const moved *by, const zp_vertex *from, zo_vertex *to, zo_vertex_depth *depth) {
    double seen[3];
    zb_affine_apply(by->seen, (double)from->position[0], (double)from->position[1], (double)from->position[2], seen);
    const double alpha = (double)from->colour[3];
    const double light = (p->part->flags & ZP_PART_SHADED ? light_on(by, from) : 1) * alpha;
    *to = (zo_vertex){
        .x = (float)seen[0], .y = (float)seen[1],
        .u = (float)(p->origin[0] + (double)from->uv[0] * p->size[0]),
        .v = (float)(p->origin[1] + (double)from->uv[1] * p->size[1]),
        .r = (float)((double)from->colour[0] * light), .g = (float)((double)from->colour[1] * light),
        .b = (float)((double)from->colour[2] * light), .a = (float)alpha,
    };
    *depth = (zo_vertex_depth){.depth = (float)seen[2], .inverse = by->mirrored ? -1.0f : 1.0f};
}

// Bindings are in the order of their vertices, and so are parts.
static void follow_controls(const drawing *d, piece *p) {
    const uint32_t first = p->part->first_vertex - p->mesh->first_vertex, end = first + p->part->vertex_count;
    for (; d->instance && p->binding < p->mesh->binding_count; p->binding++) {
        const zp_uv_binding *binding = &d->program->uv_bindings[p->mesh->first_binding + p->binding];
        if (binding->vertex >= end) { return; }
        if (!zr_control_is_set(d->instance, binding->param)) { continue; }
        zp_fault fault = ZP_FAULT_NONE;
        const double value = zr_control_value(d->program, d->instance, binding->param, 0, &fault) * binding->scale;
        zo_vertex *vertex = &d->list->vertices[p->first_vertex + binding->vertex - first];
        const uint32_t c = binding->component;
        *(c == 0 ? &vertex->u : &vertex->v) = (float)(p->origin[c] + value * p->size[c]);
    }
}

// false: no room.
static bool put_vertices(const drawing *d, piece *p) {
    zo_draw_list *list = d->list;
    p->first_vertex = list->vertex_count;
    if (list->vertex_capacity - list->vertex_count < p->part->vertex_count) { return false; }
    moved by;
    for (uint32_t i = 0; i < p->part->vertex_count; i++) {
        const zp_vertex *from = &d->program->vertices[p->part->first_vertex + i];
        const bool same = i > 0 && from->first_weight == from[-1].first_weight &&
                          from->weight_count == from[-1].weight_count;
        if (!same) { by = move(d, p->mesh, from); }
        put_vertex(p, &by, from, &list->vertices[list->vertex_count], &list->depths[list->vertex_count]);
        list->vertex_count++;
    }
    follow_controls(d, p);
    return true;
}

// From what the camera sees to px. What is behind the eye belongs to no triangle and stands anywhere.
static void project(const drawing *d, uint32_t first_vertex) {
    const zg_camera *camera = &d->camera;
    for (uint32_t i = first_vertex; i < d->list->vertex_count; i++) {
        zo_vertex *vertex = &d->list->vertices[i];
        zo_vertex_depth *depth = &d->list->depths[i];
        double distance = (double)depth->depth, scale = camera->scale, inverse = 1;
        if (camera->near > 0) {
            distance = distance >= camera->near ? distance : camera->near;
            scale /= distance;
            inverse = camera->near / distance;
        }
        vertex->x = (float)(camera->middle[0] + (double)vertex->x * scale);
        vertex->y = (float)(camera->middle[1] - (double)vertex->y * scale);
        *depth = (zo_vertex_depth){.depth = (float)zg_camera_depth(camera, distance), .inverse = (float)inverse};
    }
}

// ---------------------------------------------------------------------------------------------------- triangles

typedef struct corner {
    uint32_t index;            // in the list
    double x, y, distance;
} corner;

static corner corner_of(const zo_draw_list *list, uint32_t index) {
    return (corner){.index = index, .x = (double)list->vertices[index].x, .y = (double)list->vertices[index].y,
                    .distance = (double)list->depths[index].depth};
}

// Whether its corners go around counter-clockwise as the eye sees them; of what a mirror has turned round, clockwise.
static bool faces_us(const drawing *d, const corner c[3]) {
    const double ax = c[1].x - c[0].x, ay = c[1].y - c[0].y, bx = c[2].x - c[0].x, by = c[2].y - c[0].y;
    double volume = ax * by - ay * bx;
    if (d->camera.near > 0) { // of the two sides and the way from the eye; the distance points away from the viewer
        const double ad = c[1].distance - c[0].distance, bd = c[2].distance - c[0].distance;
        volume = volume * c[0].distance + c[0].x * (ay * bd - ad * by) + c[0].y * (ad * bx - ax * bd);
    }
    return d->list->depths[c[0].index].inverse < 0 ? volume < 0 : volume > 0;
}

static float mix(float a, float b, double share) { return (float)((double)a + ((double)b - (double)a) * share); }

// A new vertex where the way from a corner before the eye to one behind it is cut off. Always reckoned from before, so
// that the two triangles at an edge are cut at the same point. The caller has made sure of room.
static corner put_crossing(const drawing *d, const corner *before, const corner *behind) {
    zo_draw_list *list = d->list;
    const double share = (d->camera.near - before->distance) / (behind->distance - before->distance);
    const zo_vertex *a = &list->vertices[before->index], *b = &list->vertices[behind->index];
    const uint32_t index = list->vertex_count++;
    list->vertices[index] = (zo_vertex){
        .x = mix(a->x, b->x, share), .y = mix(a->y, b->y, share), .u = mix(a->u, b->u, share),
        .v = mix(a->v, b->v, share), .r = mix(a->r, b->r, share), .g = mix(a->g, b->g, share),
        .b = mix(a->b, b->b, share), .a = mix(a->a, b->a, share),
    };
    list->depths[index] = (zo_vertex_depth){.depth = (float)d->camera.near, .inverse = 1};
    return corner_of(list, index);
}

enum { POLYGON_MAX = 4, INDICES_MAX = 6, NEW_MAX = 2 }; // of a triangle that is cut off

// What of the triangle is before the eye: how many corners.
static uint32_t cut_off(const drawing *d, const corner from[3], corner to[POLYGON_MAX]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const corner *here = &from[i], *next = &from[(i + 1) % 3];
        const bool is_before = here->distance >= d->camera.near, next_before = next->distance >= d->camera.near;
        if (is_before) { to[count++] = *here; }
        if (is_before && !next_before) { to[count++] = put_crossing(d, here, next); }
        if (!is_before && next_before) { to[count++] = put_crossing(d, next, here); }
    }
    return count;
}

static bool is_alike(const zo_command *x, const zo_command *y) {
    return x->image == y->image && x->filter == y->filter && x->flags == y->flags && x->alpha_min == y->alpha_min &&
           memcmp(x->region, y->region, sizeof x->region) == 0;
}

// Whether the command that the triangle goes under is there: what is blended has one of its own, what hides goes on
// with the newest if that wants the same.
static bool take_command(const drawing *d, const piece *p, const corner c[3]) {
    zo_draw_list *list = d->list;
    const bool blended = p->part->surface != ZP_SURFACE_CUT;
    const zo_command *newest = list->command_count > 0 ? &list->commands[list->command_count - 1] : NULL;
    if (newest && !blended && is_alike(newest, &p->command)) { return true; }
    if (list->command_count == list->command_capacity) { return false; }
    zo_command *command = &list->commands[list->command_count++];
    *command = p->command;
    command->first_index = list->index_count;
    if (blended) {
        const double middle = (c[0].distance + c[1].distance + c[2].distance) / 3;
        command->depth = (float)zg_camera_depth(&d->camera, middle);
    }
    return true;
}

// false: no room.
static bool put_triangle(const drawing *d, const piece *p, const zp_triangle *triangle) {
    zo_draw_list *list = d->list;
    const uint32_t first = p->part->first_vertex - p->mesh->first_vertex;
    corner c[3];
    uint32_t behind = 0;
    for (uint32_t i = 0; i < 3; i++) {
        c[i] = corner_of(list, p->first_vertex + triangle->corners[i] - first);
        behind += c[i].distance < d->camera.near && d->camera.near > 0;
    }
    if (behind == 3 || (!(p->part->flags & ZP_PART_TWO_SIDED) && !faces_us(d, c))) { return true; }
    const uint32_t new_count = behind > 0 ? NEW_MAX : 0, index_count = behind == 1 ? INDICES_MAX : 3;
    if (list->vertex_capacity - list->vertex_count < new_count ||
        list->index_capacity - list->index_count < index_count || !take_command(d, p, c)) {
        return false;
    }
    corner polygon[POLYGON_MAX] = {c[0], c[1], c[2]};
    const uint32_t count = behind > 0 ? cut_off(d, c, polygon) : 3;
    for (uint32_t i = 2; i < count; i++) {
        uint32_t *indices = &list->indices[list->index_count];
        indices[0] = polygon[0].index;
        indices[1] = polygon[i - 1].index;
        indices[2] = polygon[i].index;
        list->index_count += 3;
    }
    zo_command *command = &list->commands[list->command_count - 1];
    command->index_count = list->index_count - command->first_index;
    return true;
}

// ---------------------------------------------------------------------------------------------------- parts

static void set_picture(const drawing *d, piece *p) {
    const bool blended = p->part->surface != ZP_SURFACE_CUT;
    p->command = (zo_command){.filter = d->view->filter, .alpha_min = (float)p->part->alpha_min,
                              .depth = blended ? 0 : 1,
                              .blend = p->part->surface == ZP_SURFACE_ADD ? ZO_BLEND_ADD : ZO_BLEND_OVER,
                              .flags = ZO_COMMAND_HIDDEN | (blended ? 0 : ZO_COMMAND_HIDES)};
    for (uint32_t c = 0; c < 2; c++) { p->origin[c] = p->size[c] = 0; }
    const uint32_t image = p->part->cel_ref != 0 ? zg_picture_of(d->view, p->part->cel_ref - 1) : 0;
    if (image == 0) { return; } // its form is seen all the same
    const zp_cel *cel = &d->program->cels[p->part->cel_ref - 1];
    const zo_size size = d->view->image_sizes[image - 1];
    const bool whole = !(cel->region[2] > 0);
    p->command.image = image;
    p->command.flags |= (p->part->flags & ZP_PART_REPEAT_U ? ZO_COMMAND_REPEAT_U : 0u) |
                        (p->part->flags & ZP_PART_REPEAT_V ? ZO_COMMAND_REPEAT_V : 0u);
    p->size[0] = whole ? size.width : cel->region[2];
    p->size[1] = whole ? size.height : cel->region[3];
    for (uint32_t c = 0; c < 2 && !whole; c++) { p->origin[c] = cel->region[c]; }
    zg_put_region(cel, size, p->command.region);
    if (cel->flags & ZP_CEL_PIXELS) { p->command.filter = ZO_FILTER_NEAREST; }
}

static bool draw_mesh(const drawing *d, const zp_mesh *mesh) {
    piece p = {.mesh = mesh};
    bool all = true;
    for (uint32_t i = 0; i < mesh->part_count && all; i++) {
        p.part = &d->program->parts[mesh->first_part + i];
        set_picture(d, &p);
        if (!put_vertices(d, &p)) { return false; }
        for (uint32_t t = 0; t < p.part->triangle_count && all; t++) {
            all = put_triangle(d, &p, &d->program->triangles[p.part->first_triangle + t]);
        }
        project(d, p.first_vertex);
    }
    return all;
}

bool zg_meshes_draw(const zp_program *program, const zo_instance *instance, const zo_pose *pose, const zo_view *view,
                    zo_draw_list *list) {
    const uint32_t mesh_count = zp_count(program, ZP_SECTION_MESHES);
    if (mesh_count == 0 || !list->depths) { return true; }
    const drawing d = {.program = program, .instance = instance, .pose = pose, .view = view, .list = list,
                       .camera = zg_camera_of(program, view)};
    bool all = true;
    for (uint32_t i = 0; i < mesh_count && all; i++) { all = draw_mesh(&d, &program->meshes[i]); }
    return all;
}

zo_draw_bound zg_meshes_bounds(const zp_program *program) {
    const uint32_t triangle_count = zp_count(program, ZP_SECTION_TRIANGLES); // a blob is below 2^31 bytes: no overflow
    uint32_t command_count = 0;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_PARTS); i++) {
        const zp_part *part = &program->parts[i];
        command_count += part->surface != ZP_SURFACE_CUT ? part->triangle_count : 1;
    }
    return (zo_draw_bound){.vertices = zp_count(program, ZP_SECTION_VERTICES) + NEW_MAX * triangle_count,
                           .indices = INDICES_MAX * triangle_count, .commands = command_count};
}
