// Drawing, from inside: a pose becomes a draw list (list.c, quad.c, mesh.c), a draw list becomes pixels (raster.c,
// which finds the pixels of each triangle, with texel.c, deep.c and blend.c for what happens to a run of them). Called
// by api.
#ifndef ZG_DRAW_H
#define ZG_DRAW_H

#include <zoetrope/draw.h>

#include "base/base.h"
#include "program/program.h"
#include "runtime/particles.h"

zo_draw_bound zg_draw_bounds(const zp_program *program); // an instance with the defaults
zo_draw_bound zg_instance_bounds(const zo_instance *instance);
bool zg_pose_draw(const zp_program *program, const zo_pose *pose, const zo_view *view, zo_draw_list *list);
bool zg_instance_draw(const zo_instance *instance, const zo_pose *pose, const zo_view *view, zo_draw_list *list);
// `depths`: [width * height] of the target; NULL: nothing hides anything.
void zg_raster(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target,
               uint32_t *depths);

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

// ---------------------------------------------------------------------------------------------------- overlay.c

// What lies over a sprite: a part of a picture, inside an ellipse. px of the sprite's picture, from its middle.
typedef struct zg_overlay {
    const zp_overlay *record;
    uint32_t frame, picture;
    uint32_t cel;            // of its picture
    uint32_t image;          // of the view's; 0: there is none that can be drawn
    bool seen;               // it is drawn; else the members below are not set
    double center[2], half[2]; // of the ellipse
    double place[2];         // of the middle of its own picture
    double picture_center[2], picture_half[2]; // of its cel, px of that picture
    double from_anchor[2], own_from_anchor[2]; // of the middles of both pictures, from where their cels' anchors are
} zg_overlay;

// `cel`: that the sprite shows; `size`: of its picture, px. false: nothing lies over it, drawn or not.
bool zg_overlay_find(const zo_instance *instance, uint32_t sprite, const zp_cel *cel, const double size[2],
                     const zo_view *view, zg_overlay *overlay);
// On the sprite's picture, which stands at `body`. As zg_quad_emit.
bool zg_overlay_emit(const zg_overlay *overlay, const zg_quad *body, zo_draw_list *list, bool *drawn);
bool zg_overlay_tell(const zo_instance *instance, const zo_view *view, uint32_t index, zo_overlay *told);

// ---------------------------------------------------------------------------------------------------- camera.c

// Space as it is seen: x to the right of the viewport's middle, y up, z the distance along the view, units; from the
// eye in perspective, else from the middle of what is seen.
typedef struct zg_camera {
    double m[12];            // from the program's space
    double scale;            // px a unit; in perspective at a distance of 1
    double middle[2];        // of the viewport, px
    double near;             // in perspective what is nearer is cut off; 0: no perspective
    double reach;            // without perspective: distances -reach..reach have depths of their own
} zg_camera;

zg_camera zg_camera_of(const zp_program *program, const zo_view *view);
double zg_camera_depth(const zg_camera *camera, double distance); // 0..1

// ---------------------------------------------------------------------------------------------------- mesh.c

// Meshes, each part under a command, blended triangles under one each. `instance`: whose controls count; NULL: none
// are set. false: no room for all.
bool zg_meshes_draw(const zp_program *program, const zo_instance *instance, const zo_pose *pose, const zo_view *view,
                    zo_draw_list *list);
zo_draw_bound zg_meshes_bounds(const zp_program *program);

// ---------------------------------------------------------------------------------------------------- list.c, for
// others

// The program's plane on the viewport: x' = xx x + xy y + x0, y' = yx x + yy y + y0, px.
typedef struct zg_plane {
    double xx, xy, x0;
    double yx, yy, y0;
} zg_plane;

// Number of the picture that shows a cel, or 0 when there is none or its size is not known.
uint32_t zg_picture_of(const zo_view *view, uint32_t cel_index);
// The texels of a cel's own part of a picture of that size: those that it touches. Left as it is where it is the whole.
void zg_put_region(const zp_cel *cel, zo_size size, uint32_t region[4]);
void zg_tint(zo_draw_list *list, uint32_t first_vertex, const double colour[4]); // red, green, blue of all from there
                                                                                 // on

// ---------------------------------------------------------------------------------------------------- effect.c,
// ribbon.c

enum { ZG_DISC_VERTICES = 321, ZG_DISC_INDICES = 1728 };
enum { ZG_CAP_CHORDS = 12, ZG_CAP_VERTICES = 2 * ZG_CAP_CHORDS + 3, ZG_CAP_INDICES = 9 * ZG_CAP_CHORDS };
enum { ZG_RIB_VERTICES = 8, ZG_RIB_INDICES = 36 }; // of a trail's point, at most

// A particle of an effect with an emitter, and the command that it wants; its place in the list is not set.
bool zg_emitted_emit(const zp_program *program, const zr_particle *particle, const zg_plane *m, const zo_view *view,
                     zo_draw_list *list, zo_command *command, bool *drawn);
// Lights, trails and decals, each under a command. false: no room for all.
bool zg_others_draw(const zo_instance *instance, const zg_plane *m, const zo_view *view, zo_draw_list *list);
// `side`: of the picture along the trail, px; NULL: plain colour.
bool zg_ribbon_emit(const zo_instance *instance, const zr_effect_look *look, const zg_plane *m, const double *side,
                    bool feathered, zo_draw_list *list, bool *drawn);
// What effects with emitters take, with so many of each alive.
zo_draw_bound zg_effects_bounds(const zp_program *program, uint32_t effects, uint32_t particles, uint32_t points);

#endif
