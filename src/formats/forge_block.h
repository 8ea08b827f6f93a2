// Block models: from elements as a reader has understood them to meshes. Called by the readers of models, which resolve
// parents, textures and names before. Knows no JSON.
#ifndef ZF_FORGE_BLOCK_H
#define ZF_FORGE_BLOCK_H

#include "base/arena.h"
#include "program/build.h"

// Sides of an element. x points east, y up, z south; 16 px are a block, which is a unit of the program.
enum { ZF_BLOCK_DOWN, ZF_BLOCK_UP, ZF_BLOCK_NORTH, ZF_BLOCK_SOUTH, ZF_BLOCK_WEST, ZF_BLOCK_EAST, ZF_BLOCK_SIDES };

// Corners of an element, bit by bit: 1 for `to` in x, 2 in y, 4 in z.
enum { ZF_BLOCK_CORNERS = 8 };

typedef struct zf_block_face {
    bool drawn;                 // the element lists this side
    bool uv_given[4];           // what is not given is as the side's position has it
    double uv[4];               // u1, v1, u2, v2: 0..16 from the texture's left and upper border
    uint32_t uv_control_refs[4];  // control of the builder's + 1, in the same px, that a component follows; 0: none
    uint32_t turns;             // rotation / 90
    uint32_t texture;           // of the model's
} zf_block_face;

// What moves an element: how much each of its corners follows a bone of the builder's.
typedef struct zf_block_weight {
    uint32_t bone;
    float corners[ZF_BLOCK_CORNERS];
} zf_block_weight;

typedef struct zf_block_element {
    zo_text name;               // of its mesh
    double from[3], to[3];      // px
    double origin[3];           // px; of the rotation
    uint32_t axis;              // 0: x, 1: y, 2: z
    double angle;               // degrees, right-handed; 0: not turned
    bool rescale;               // across the axis, as the format has it for 22.5 degrees and for others
    bool shaded;
    zf_block_face faces[ZF_BLOCK_SIDES];
    const zf_block_weight *weights; // of bones that differ
    uint32_t weight_count;
} zf_block_element;

typedef struct zf_block_texture {
    zo_text name;               // for people
    uint32_t cel_ref;           // cel of the builder's + 1; 0: it is missing, and a checker takes its place
    zp_surface surface;
} zf_block_texture;

typedef struct zf_block_model {
    const zf_block_element *elements;
    uint32_t element_count;
    const zf_block_texture *textures;
    uint32_t texture_count;
    zp_skin_rule rule;          // and the next two as in zp_mesh
    uint32_t flags;
    double least;
} zf_block_model;

// One mesh an element, in their order, also for one without sides; a part for each of its textures, in the order of the
// sides that are the first to show it. The vertices of a side follow each other, four a side: the first from the corner
// where the texture's left upper corner is when it is not turned, and around the side counter-clockwise as seen from
// outside; sixteen where the texture is missing. Numbers must be finite and within what a mesh may have (ZP_MESH_FAR),
// textures of faces be there.
void zf_block_build(zp_build *build, zb_arena *arena, const zf_block_model *model);

#endif
