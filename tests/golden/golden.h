// Golden bits: each scene draws or plays something and prints what came of it as one hash. The same lines must come
// from every compiler, at every level of optimisation. Tests only.
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zoetrope/zoetrope.h>

uint64_t golden_hash(uint64_t hash, const void *bytes, size_t size);
#define GOLDEN_HASH_START 0xCBF29CE484222325u

// A scene on a target that is transparent at first.
typedef struct golden_scene {
    const char *name;
    void (*draw)(zo_image *target);
    uint32_t width, height;
} golden_scene;

extern const golden_scene golden_scenes[];
extern const uint32_t golden_scene_count;

// A scene without pixels to show.
typedef struct golden_line {
    const char *name;
    uint64_t (*hash)(void);
} golden_line;

extern const golden_line golden_lines[];
extern const uint32_t golden_line_count;

void golden_contact_sheet(zo_image *target); // 8 x 5 frames of 96 px
void golden_particle_shapes(zo_image *target);
void golden_bursts(zo_image *target);        // 4 x 3 frames of 160 px
uint64_t golden_particle_ways(void);
uint64_t golden_emitters(void);
uint64_t golden_poses(void);
void golden_enemy_first(zo_image *target);   // the example in examples/enemy
void golden_enemy_middle(zo_image *target);
void golden_enemy_effects(zo_image *target);
uint64_t golden_enemy_play(void);
void golden_pack_first(zo_image *target);    // the example in examples/charpack
void golden_pack_waving(zo_image *target);
void golden_pack_asleep(zo_image *target);
void golden_pack_pause(zo_image *target);
uint64_t golden_pack_speech(void);
uint64_t golden_pack_play(void);
void golden_block_letters(zo_image *target); // 4 x 2 frames: the textures of all sides turned by 0, 90, 180, 270 degrees
void golden_block_corridor(zo_image *target);
void golden_block_glass(zo_image *target);
void golden_space_glass(zo_image *target);   // two halves
void golden_space_added(zo_image *target);
void golden_space_repeated(zo_image *target); // two halves, one above the other
void golden_space_floor(zo_image *target);
void golden_space_narrow(zo_image *target);
void golden_space_wide(zo_image *target);
void golden_space_inside(zo_image *target);
void golden_space_two_sided(zo_image *target);
void golden_forge_engine(zo_image *target);  // the examples in examples/forge
void golden_forge_owl(zo_image *target);
enum { GOLDEN_ENEMY_BLOW = 42 };             // the frame with every kind of effect, at 60 a second

// Pictures to draw with, premultiplied, made once: 1 a round face with soft borders on transparent ground, 256 px; 2
// thin stripes, single pixels and rings, opaque, 256 px; 3 pixel art, 8 px; 4 half transparent throughout, 64 px;
// 5 a sheet of four 32 px parts in glaring colours, 64 px.
enum { GOLDEN_FACE = 1, GOLDEN_CHART, GOLDEN_ART, GOLDEN_GLASS, GOLDEN_SHEET, GOLDEN_PICTURE_COUNT = 5 };
const zo_image *golden_pictures(void);

#endif
