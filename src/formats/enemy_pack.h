// What lies around an enemy clip: further clips, a rig, an atlas and files, as far as they are given, and what the
// program makes of them: bones, pictures and layers of drawing. Shared by the enemy_*.c files that look beyond one
// clip.
#ifndef ZF_ENEMY_PACK_H
#define ZF_ENEMY_PACK_H

#include "formats/beside.h"
#include "formats/enemy.h"

// ----------------------------------------------------------------------------------------------------- rig
// (enemy_rig.c)

typedef struct zf_en_bone {
    zo_text name;              // hip/arm: what a target has behind its first /
    uint32_t parent_ref;       // bone + 1; parents stand before their children
    double x, y, rotation;     // at rest; degrees, counter-clockwise
    double scale_x, scale_y;
} zf_en_bone;

typedef struct zf_en_sprite {
    uint32_t bone;             // it hangs on; one sprite a bone, and its name is the bone's
    zo_text image;             // a file; empty: none
    zo_text region;            // of the atlas; empty: none
    uint32_t image_node, region_node;
    double pivot[2];           // fraction of the picture, from its left and from its bottom, that stands on the bone
    double pixels_per_unit;
    zo_text layer;
    double order;              // a whole number
    bool flip_x, flip_y;
} zf_en_sprite;

typedef struct zf_en_rig {
    const zj_doc *doc;         // NULL: there is none, and the bones are those that the clips name
    zo_text name;
    zf_en_bone *bones;
    uint32_t bone_count;
    zf_en_sprite *sprites;
    uint32_t sprite_count;
    const zo_text *layers;     // from the back to the front
    uint32_t layer_count;
    zo_text atlas;             // file; empty: none
    uint32_t atlas_node;
    double pixels_per_unit;    // of pictures that say nothing else; 0: there is no rig, and it is 32
    bool pixel_art;
    bool has_view;
    double view[4];            // left, top, right, bottom; y up
    zb_intern names;           // bone + 1 by name
} zf_en_rig;

extern const zf_object zf_en_rig_object;
extern const zf_reader zf_en_rig_reader;

// Reads and judges; every fault is reported. false: there are errors.
bool zf_en_read_rig(zb_arena *arena, const zj_doc *doc, zf_en_rig *out);
// Bones of the paths that clips name, each path's beginning being its parent; all at rest at the origin.
void zf_en_make_rig(zb_arena *arena, const zf_en_clip *clips, uint32_t clip_count, zf_en_rig *out);
uint32_t zf_en_bone_ref(const zf_en_rig *rig, zo_text name); // bone + 1; 0: there is none
// What an effect hangs on: bone + 1; 0: its target names no bone.
uint32_t zf_en_effect_bone_ref(const zf_en_rig *rig, const zf_en_effect *effect);
// Layers of drawing are numbered from the back. What names none, or one that the rig does not list, is on 0, which is
// "Default" where the rig lists that, else behind all that it lists.
int32_t zf_en_layer(const zf_en_rig *rig, zo_text name);

// ------------------------------------------------------------------------------------------------ around
// (enemy_pack.c)

// A picture, or a part of one.
typedef struct zf_en_region {
    zo_text name;
    double x, y, width, height; // px of the image
    double left, top;           // of what was cut off around it
    double full_width, full_height; // with that
} zf_en_region;

typedef struct zf_en_pack {
    const zf_input *input;
    zb_arena *arena;
    zf_en_clip *clips;         // valid ones; the first is the one meant
    uint32_t clip_count;
    zf_en_rig rig;
    bool rig_judged;           // what is wrong with it is told elsewhere
    bool has_atlas;            // one was given and is good
    const char *atlas_image;   // its picture's file
    const zf_en_region *regions;
    uint32_t region_count;
    zb_intern region_names;    // region + 1
    zf_beside files;
} zf_en_pack;

// Reads the sources of `input`: the first, which is a clip, or else a rig when `rig_first`, and what lies beside.
// Reports all, asks for what else could be of use (zd_report_add_need), and checks the rules that need it. Not ZO_OK:
// the clips may not be used.
zo_status zf_en_read_pack(const zf_input *input, bool rig_first, zf_en_pack *out);

// A file by its name in the pack. FILE or MISSING; NULL: nobody said.
const zo_source *zf_en_file(const zf_en_pack *pack, zo_text name);
// How large a PNG of the pack is: width and height, px. false: nobody said.
bool zf_en_picture_size(const zf_en_pack *pack, zo_text name, uint32_t size[2]);
const zf_en_region *zf_en_region_find(const zf_en_pack *pack, zo_text name); // NULL: no atlas, or not in it
zo_text zf_en_png_of(const zf_en_pack *pack, zo_text region); // the file that will do where there is no atlas
// The record of a picture of the pack, made once: image + 1.
uint32_t zf_en_image_ref(const zf_en_pack *pack, zp_build *build, zo_text name);

// ------------------------------------------------------------------------------------------- products
// (enemy_compile.c)

// Bones are the first targets of the program, in the order of the rig: the target of bone b has the index b. Units are
// those of the format, y up, and the program's stage says so.
void zf_en_compile(const zf_en_pack *pack, zp_build *build);
// What of the rig and the clips' motion is to be seen: left, top, right, bottom.                    enemy_stage.c
void zf_en_stage(const zf_en_pack *pack, double stage[4]);
int64_t zf_en_duration_ns(double seconds); // of clips and effects: down to whole ns, at least 1
// The different times at which the original player takes a pose of the clip, rising from 0 to `end_s`. Where there are
// more than ZF_EN_SAMPLES_MAX it takes that many at equal distances instead. enemy_pack.c
enum { ZF_EN_SAMPLES_MAX = 256 };
uint32_t zf_en_sampled_times(zb_arena *arena, const zf_en_clip *clip, double end_s, double **times);
// The value of a numeric track at a time. `stepped`: a null tangent holds the left value.
double zf_en_value_at(const zf_en_keys *keys, double time, bool stepped);
// Whether the property does anything on such a target.
static inline bool zf_en_acts(const zf_en_track *track) {
    return ((uint32_t)track->property < ZF_EN_BONE_PROPERTY_COUNT) != track->sprite;
}

#endif
