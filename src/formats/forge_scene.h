// Block models in a program: shared by forge_scene.c and forge_compile.c.
#ifndef ZF_FORGE_SCENE_H
#define ZF_FORGE_SCENE_H

#include "formats/forge.h"

typedef struct zf_fg_scene {
    const zf_fg_reading *r;
    zp_build *build;
    zb_intern control_names; // of the program's controls, in the builder's order of `controls`
    zb_array controls;       // uint32_t: as the builder numbers them
    const uint32_t *targets; // [joints of the rig]: what they are in the program
    zo_text scope;           // before the names of meshes
    uint32_t node;           // what names the model in the file at hand, to tell of it; 0: that is the model itself
} zf_fg_scene;

// What is drawn where a model is not there: a block of which nothing is known but that it is one.
zf_fg_model zf_fg_box(zb_arena *arena);
// A mesh an element, by its index. `rig`: what moves it; NULL: nothing.
void zf_fg_build_model(zf_fg_scene *s, const zf_fg_model *model, const zf_fg_rig *rig);

// Advice on a weight of the file at hand where the model has no such element.
void zf_fg_tell_beyond(const zf_fg_reading *r, const zf_fg_model *model, const zf_fg_rig *rig,
                       const zf_fg_weight *weight);

#endif
