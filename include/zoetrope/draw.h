// Drawing: a pose seen through a view becomes a list of textured triangles in pixels, for a renderer of one's own or
// for the software rasteriser here. Sprites are flat; meshes stand in space and are seen by the view's camera. Nothing
// allocates: the caller's arrays are sized once by zo_draw_bounds.
#ifndef ZOETROPE_DRAW_H
#define ZOETROPE_DRAW_H

#include <zoetrope/base.h>
#include <zoetrope/image.h>
#include <zoetrope/sample.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zo_filter {
    ZO_FILTER_BILINEAR = 0,
    ZO_FILTER_NEAREST = 1, // for pixel art
} zo_filter;

typedef enum zo_blend {
    ZO_BLEND_OVER = 0, // premultiplied source over
    ZO_BLEND_ADD = 1,
} zo_blend;

// From where meshes are seen: along z, before what is seen is turned. Fitted to the view's box, or in the size that the
// view says.
typedef struct zo_camera {
    double yaw;   // degrees that what is seen is turned about its upright axis, first, counter-clockwise from above
    double pitch; // degrees that its top is turned towards the viewer then
    double zoom;  // 1: as it fits; > 0
    double field; // degrees of what is seen from top to bottom, where the middle of what is seen keeps its size; 0: no
                  // perspective; < 180
} zo_camera;

// As blocks stand in an inventory: a corner in front, from above, without perspective.
#define ZO_CAMERA_DEFAULT {225, 30, 1, 0}

// What the cels look like outside the program. Pictures are numbered by the caller; `cel_images[c.id - 1]` is the
// number (from 1) of the picture that shows cel c, 0: there is none, nothing is drawn.
typedef struct zo_view {
    double width, height;      // of the viewport, px
    double pixels_per_unit;    // 0: as large as lets the program's stage fit the viewport
    double center_x, center_y; // the point of the program's space in the middle of the viewport; used with
                               // pixels_per_unit
    const double *root;        // 3x4 affine over the program's root, or NULL
    const zo_size *image_sizes;    // [image_count], px
    uint32_t image_count;
    const uint32_t *cel_images;    // [cel_count]
    uint32_t cel_count;
    zo_filter filter;
    const zo_camera *camera;   // of meshes; NULL: ZO_CAMERA_DEFAULT
    const double *box;         // [6]: what the camera takes in, units: low x, y, z, then high; zo_program_box finds
                               // one. NULL: the meshes where nothing moves them, and the program's stage with them
} zo_view;

typedef struct zo_vertex {
    float x, y;      // px in the viewport; pixel (0,0) covers 0..1
    float u, v;      // px in the image, the same way
    float r, g, b, a; // multiplied with the texel, premultiplied; 0..1
} zo_vertex;

// Of what stands in space.
typedef struct zo_vertex_depth {
    float depth;       // 0 nearest, 1 farthest; linear on the viewport
    float inverse;     // 1 / distance from the eye, by which textures and colours run over the triangle; 1 without
                       // perspective
} zo_vertex_depth;

enum {
    ZO_COMMAND_HIDDEN = 1, // pixels behind others are not drawn
    ZO_COMMAND_HIDES = 2,  // those that are drawn hide what lies behind them and is drawn later
    ZO_COMMAND_REPEAT_U = 4, // left and right of the region the image goes on with the region again
    ZO_COMMAND_REPEAT_V = 8, // and above and below it
};

typedef struct zo_command {
    uint32_t image;        // from 1; 0: plain colour
    uint32_t first_index;  // three a triangle
    uint32_t index_count;
    zo_blend blend;
    zo_filter filter;
    float depth;           // 0..1, of the middle of what is blended in space; 1 of what hides others; 0 of what is flat
    uint32_t flags;        // ZO_COMMAND_...; without the first two the vertices' depths do not matter
    float alpha_min;       // pixels of less alpha are left out; 0: none
    int32_t layer, order;  // the list is sorted by these, then from the greatest depth on, then by the tree
    uint32_t region[4];    // x, y, width, height of the part of the image that may be read, px: texels outside it are
                           // those of its border, unless it repeats; width 0: the whole image
} zo_command;

typedef struct zo_draw_list {
    zo_vertex *vertices;
    zo_vertex_depth *depths; // [vertex_capacity], set with the vertices of meshes; NULL: those are not drawn
    uint32_t vertex_count, vertex_capacity;
    uint32_t *indices;
    uint32_t index_count, index_capacity;
    zo_command *commands;
    uint32_t command_count, command_capacity;
} zo_draw_list;

typedef struct zo_draw_bound {
    uint32_t vertices, indices, commands;
    uint32_t depths;       // as many as vertices where there are meshes, else 0
} zo_draw_bound;

// Capacities that always suffice for this program and an instance with the default capacities; and for this instance.
ZO_API zo_draw_bound zo_draw_bounds(const zo_program *program);
ZO_API zo_draw_bound zo_instance_draw_bounds(const zo_instance *instance);

// Fills the list from the start. Returns false when a capacity is too small; the list then holds what had room.
ZO_API bool zo_instance_draw(const zo_instance *instance, const zo_pose *pose, const zo_view *view,
                             zo_draw_list *list);
// The same without an instance, for a pose of zo_clip_sample: no particles.
ZO_API bool zo_pose_draw(const zo_program *program, const zo_pose *pose, const zo_view *view, zo_draw_list *list);

// What lies over a sprite now, as zo_instance_draw draws it: a part of a picture inside an ellipse, a shut mouth for
// one. Lengths are px of the sprite's picture, from where its cel's anchor is (the middle of its lower edge, for most),
// x to the right and y down.
typedef struct zo_overlay {
    const char *name;    // belongs to the program
    uint32_t frame;      // of the clip, on show, from 0
    uint32_t rest_frame; // of the clip, the one that is at rest by itself
    uint32_t index;      // which of its pictures, from 0
    zo_cel cel;          // that picture
    bool visible;        // false: it is not wanted, or a picture is missing or no larger than a pixel; then no more
                         // is set
    double place[2];     // x, y of its cel's anchor
    double center[2], half[2]; // of the ellipse
} zo_overlay;
// From 0, over the sprites over which something lies or may lie now. false: there are not so many. The view says how
// large pictures are.
ZO_API bool zo_instance_overlay(const zo_instance *instance, const zo_view *view, uint32_t index, zo_overlay *overlay);

// Draws the list over `target`, whose pixels are premultiplied RGBA. `images[i]` is image i + 1, premultiplied as well.
// The same bytes on every compiler and machine. Vertices that are not finite are left out.
// What the commands say of depth is done in the order of the list alone: zo_raster_depth does it pixel by pixel.
ZO_API void zo_raster(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target);

// The same with a depth for each pixel of the target, row by row, [width * height]: what has been drawn nearest, which
// the caller sets to ZO_DEPTH_FAR before the first list of a picture.
#define ZO_DEPTH_FAR UINT32_MAX
ZO_API void zo_raster_depth(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target,
                            uint32_t *depths);

#ifdef __cplusplus
}
#endif

#endif
