// Meshes: triangles in space that a program's targets move. What is in them, and where a pose takes their vertices; for
// tools, tests and renderers of one's own. zo_instance_draw does all of it by itself.
#ifndef ZOETROPE_MESH_H
#define ZOETROPE_MESH_H

#include <zoetrope/base.h>
#include <zoetrope/sample.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zo_mesh_info {
    const char *name;        // belongs to the program
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t part_count;
    double low[3], high[3];  // the box around its vertices before anything moves them, units
} zo_mesh_info;

typedef struct zo_mesh_vertex {
    double position[3];      // before anything moves it, units
    double normal[3];        // of length 1; 0: it has none
    double uv[2];            // fractions of the part's picture, v down
    double color[4];         // red, green, blue, alpha, 0..1, not premultiplied
} zo_mesh_vertex;

// Triangles that are drawn alike. Their corners are vertices of the part.
typedef struct zo_mesh_part {
    const char *name;        // of the material; belongs to the program
    zo_cel cel;              // its picture; none: the vertices' colours alone
    uint32_t first_vertex;   // of the mesh's
    uint32_t vertex_count;
    uint32_t first_triangle; // of the mesh's
    uint32_t triangle_count;
    double alpha_min;        // texels of less alpha are left out
    bool blended;            // laid over what is behind it, from the back to the front
    bool added;              // blended by adding it
    bool two_sided;          // else seen only from where its corners go around counter-clockwise
    bool shaded;             // darkened by where its normals point
    bool repeats_u, repeats_v; // beyond 0..1 its picture is there again; else its border goes on
} zo_mesh_part;

ZO_API uint32_t zo_mesh_count(const zo_program *program);
ZO_API bool zo_mesh_get(const zo_program *program, zo_mesh mesh, zo_mesh_info *info); // false: no such mesh
ZO_API zo_mesh zo_mesh_find(const zo_program *program, const char *name);             // the first of that name, or none

// From 0. false: there are not so many.
ZO_API bool zo_mesh_vertex_get(const zo_program *program, zo_mesh mesh, uint32_t index, zo_mesh_vertex *vertex);
// What moves a vertex.
typedef struct zo_mesh_weight {
    zo_target target;
    double weight;
} zo_mesh_weight;
ZO_API bool zo_mesh_weight_get(const zo_program *program, zo_mesh mesh, uint32_t vertex, uint32_t index,
                               zo_mesh_weight *weight);
// A texture coordinate that follows a control, as soon as the host has set it.
typedef struct zo_mesh_binding {
    uint32_t vertex;         // of the mesh's
    uint32_t component;      // 0: u, 1: v
    zo_param control;        // asked for 0,
    double scale;            // and what it makes of that is multiplied with this
} zo_mesh_binding;
ZO_API bool zo_mesh_binding_get(const zo_program *program, zo_mesh mesh, uint32_t index, zo_mesh_binding *binding);
ZO_API bool zo_mesh_triangle_get(const zo_program *program, zo_mesh mesh, uint32_t index, uint32_t corners[3]);
ZO_API bool zo_mesh_part_get(const zo_program *program, zo_mesh mesh, uint32_t index, zo_mesh_part *part);

// The matrix that takes a vertex from where nothing has moved it to where the pose has it: row-major 3x4, as in
// zo_transform.m. The identity where nothing moves it. The vertex must be there.
ZO_API void zo_pose_skin(const zo_program *program, const zo_pose *pose, zo_mesh mesh, uint32_t vertex,
                         double m[12]);

// What a camera should take in (zo_view.box): the box around all vertices at rest, and at times spread over every clip
// by itself; of a large program over fewer. Low x, y, z, then high. `pose` is used and left as it may be. false: there
// is no vertex that is near enough to be seen.
ZO_API bool zo_program_box(const zo_program *program, zo_pose *pose, double box[6]);

#ifdef __cplusplus
}
#endif

#endif
