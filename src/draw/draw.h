// Drawing, from inside: a pose becomes a draw list (list.c, quad.c), a draw list becomes pixels (raster.c, which finds
// the pixels of each triangle, with texel.c and blend.c for what happens to a run of them). Called by api.
#ifndef ZG_DRAW_H
#define ZG_DRAW_H

#include <zoetrope/draw.h>

#include "base/base.h"
#include "program/program.h"
#include "runtime/runtime.h"

zo_draw_bound zg_draw_bounds(const zp_program *program);
bool zg_pose_draw(const zp_program *program, const zo_pose *pose, const zo_view *view, zo_draw_list *list);
bool zg_instance_draw(const zo_instance *instance, const zo_pose *pose, const zo_view *view, zo_draw_list *list);
void zg_raster(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target);

// ---------------------------------------------------------------------------------------------------- quad.c

enum { ZG_QUAD_VERTICES = 8, ZG_QUAD_INDICES = 30 }; // at most, with its feather

// A picture on a parallelogram: the points center + s * a + t * b with s, t in -1..1, px of the viewport, where s runs
// along the picture's width and t down its height. Lengths in the picture are px of the picture.
typedef struct zg_quad {
    double center[2], a[2], b[2];
    double picture_center[2], picture_half[2];
    double opacity; // 0..1
    bool feathered;
} zg_quad;

// Adds the quad's triangles to the list, under no command. `*drawn`: there was anything to add. false: no room, and
// nothing has been added.
bool zg_quad_emit(const zg_quad *quad, zo_draw_list *list, bool *drawn);

// ---------------------------------------------------------------------------------------------------- particle.c

enum { ZG_OUTLINE_MAX = 68 };               // corners
static inline uint32_t zg_particle_vertices(uint32_t corners) { return 2 * corners + 1; }
static inline uint32_t zg_particle_indices(uint32_t corners) { return 9 * corners; }

// A shape on a parallelogram: center + x * a + y * b for points (x, y) of the shape about its middle, units; a and b
// are px of the viewport a unit.
typedef struct zg_particle {
    const zp_shape *shape;
    const double *numbers;   // of the program
    double width, height;    // of the shape's box, units
    double center[2], a[2], b[2];
    const double *colour;    // red, green, blue, alpha, not premultiplied
    double opacity;          // 0..1
    bool feathered;
} zg_particle;

uint32_t zg_shape_corners(const zp_shape *shape); // at most
bool zg_particle_emit(const zg_particle *particle, zo_draw_list *list, bool *drawn); // as zg_quad_emit

#endif
