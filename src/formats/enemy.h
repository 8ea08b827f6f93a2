// The inside of the enemy-animation reader: one clip as plain structures, and the steps from text to program. Shared by
// the enemy_*.c files; nothing else includes it but the table of formats. Numbers are as the document has them:
// seconds, degrees counter-clockwise, units with y up.
#ifndef ZF_ENEMY_H
#define ZF_ENEMY_H

#include <math.h> // HUGE_VALF

#include "formats/fields.h"
#include "formats/formats.h"

// ---------------------------------------------------------------------------------------------- words (enemy_fields.c)

typedef enum zf_en_property {
    ZF_EN_POSITION_X, ZF_EN_POSITION_Y, ZF_EN_ROTATION_Z, ZF_EN_SCALE_X, ZF_EN_SCALE_Y, // act on bones
    ZF_EN_COLOR_R, ZF_EN_COLOR_G, ZF_EN_COLOR_B, ZF_EN_COLOR_A, ZF_EN_SORTING_ORDER,    // act on sprites
    ZF_EN_PROPERTY_COUNT
} zf_en_property;
enum { ZF_EN_BONE_PROPERTY_COUNT = 5 }; // the first ones
typedef enum zf_en_event_type {
    ZF_EN_ATTACK_HIT, ZF_EN_IMPULSE, ZF_EN_SOUND, ZF_EN_CAMERA_SHAKE, ZF_EN_SPRITE_EFFECT, ZF_EN_CUE,
    ZF_EN_EVENT_TYPE_COUNT
} zf_en_event_type;
typedef enum zf_en_kind { ZF_EN_PARTICLE, ZF_EN_LIGHT, ZF_EN_TRAIL, ZF_EN_DECAL, ZF_EN_KIND_COUNT } zf_en_kind;
typedef enum zf_en_space { ZF_EN_LOCAL, ZF_EN_WORLD, ZF_EN_CUSTOM, ZF_EN_SPACE_COUNT } zf_en_space;
typedef enum zf_en_curve_mode {
    ZF_EN_CONSTANT, ZF_EN_CURVE, ZF_EN_TWO_CURVES, ZF_EN_TWO_CONSTANTS, ZF_EN_CURVE_MODE_COUNT
} zf_en_curve_mode;
typedef enum zf_en_gradient_mode {
    ZF_EN_COLOR, ZF_EN_GRADIENT, ZF_EN_TWO_COLORS, ZF_EN_TWO_GRADIENTS, ZF_EN_RANDOM_COLOR, ZF_EN_GRADIENT_MODE_COUNT
} zf_en_gradient_mode;
typedef enum zf_en_sheet { ZF_EN_WHOLE_SHEET, ZF_EN_SINGLE_ROW, ZF_EN_SHEET_COUNT } zf_en_sheet;
typedef enum zf_en_quality { ZF_EN_LOW, ZF_EN_MEDIUM, ZF_EN_HIGH, ZF_EN_QUALITY_COUNT } zf_en_quality;

extern const zf_name zf_en_properties[ZF_EN_PROPERTY_COUNT];
extern const zf_name zf_en_event_types[ZF_EN_EVENT_TYPE_COUNT];
extern const zf_name zf_en_kinds[ZF_EN_KIND_COUNT];

// -------------------------------------------------------------------------------------------------------------- a clip
// `node` is where in the document a thing stands, for places; of a member the node is that of its value, 0 where it is
// absent or null. A member that is absent has its default. In a clip that is not valid, a number that is no good is
// NaN, a word COUNT, a text empty and an effect UINT32_MAX; a valid one has none of these but where it says so.

typedef struct zf_en_key {
    double time, value;
    double in_tangent, out_tangent; // of value a second (in effects: a unit of t). NaN: null, which effects have not
    uint32_t node;
} zf_en_key;

typedef struct zf_en_keys { // in order of time; equal times are legal
    const zf_en_key *items;
    uint32_t count;
} zf_en_keys;

typedef struct zf_en_track {
    uint32_t node, target_node;
    zo_text target;          // whole: bone/hip/arm
    bool sprite;             // its target begins with sprite/
    zf_en_property property; // any goes with either kind of target; those that do not act are legal
    zf_en_keys keys;         // at least one
} zf_en_track;

typedef struct zf_en_sprite_key {
    double time;
    zo_text name;
    zo_text asset;           // empty: absent, null or empty, so name is a region of the atlas
    uint32_t node, name_node, asset_node;
} zf_en_sprite_key;

typedef struct zf_en_object_track {
    uint32_t node, target_node;
    zo_text target;          // whole: sprite/body
    const zf_en_sprite_key *keys;
    uint32_t key_count;      // at least one
} zf_en_object_track;

typedef enum zf_en_argument { // of events, in the order of the table
    ZF_EN_AMOUNT, ZF_EN_X, ZF_EN_Y, ZF_EN_RELATIVE_TO_FACING, ZF_EN_FILE, ZF_EN_VOLUME, ZF_EN_REGION, ZF_EN_BONE,
    ZF_EN_DURATION_SECONDS, ZF_EN_SCALE, ZF_EN_EVENT_SORTING_ORDER, ZF_EN_CUE_NAME, ZF_EN_INDEX, ZF_EN_ARGUMENT_COUNT
} zf_en_argument;
// Bit a: the argument belongs to events of the type.
extern const uint16_t zf_en_arguments_of[ZF_EN_EVENT_TYPE_COUNT];

typedef struct zf_en_event {
    uint32_t node;
    zf_en_event_type type;
    double time;
    uint32_t nodes[ZF_EN_ARGUMENT_COUNT]; // 0: absent or null
    double amount;             // 0 when absent
    double x, y;               // 0
    double volume;             // 1
    double duration_s, scale;  // 0.15, 1
    double sorting_order;      // a whole number, of any size; 100
    double index;              // a whole number 0..255; NaN when absent
    zo_text file, region, bone, cue;
    bool relative_to_facing;   // true
} zf_en_event;

typedef struct zf_en_color { double r, g, b, a; } zf_en_color; // not limited

typedef struct zf_en_curve {
    zf_en_curve_mode mode;
    double multiplier, constant_min, constant_max;
    zf_en_keys min, max;       // may be empty
    uint32_t node;             // 0: absent, and nothing else is set
} zf_en_curve;

typedef struct zf_en_color_key {
    double time;
    zf_en_color color;
    uint32_t node;
} zf_en_color_key;

typedef struct zf_en_gradient {
    zf_en_gradient_mode mode;
    zf_en_color color_min, color_max;          // opaque white when absent
    const zf_en_color_key *min, *max;          // in order of time, may be empty
    uint32_t min_count, max_count;
    uint32_t node;             // 0: absent, and nothing else is set
} zf_en_gradient;

typedef struct zf_en_axes {
    bool enabled, separate;
    zf_en_space space;         // LOCAL when absent
    zf_en_curve axis[3];       // x, y, z
    uint32_t node;             // 0: absent, and nothing else is set
} zf_en_axes;

typedef struct zf_en_burst {
    double time, count_min, count_max, repeat_interval, probability;
    uint32_t cycle_count;      // 1..1000
    uint32_t node;
} zf_en_burst;

typedef struct zf_en_noise {
    bool enabled, separate, damping;
    zf_en_curve strength[3];   // x, y, z
    zf_en_curve scroll_speed;
    double frequency, octave_multiplier, octave_scale;
    uint32_t octave_count;     // 1..4
    zf_en_quality quality;     // HIGH when absent
    uint32_t node;             // 0: absent, and nothing else is set
} zf_en_noise;

typedef struct zf_en_range { double min, max; } zf_en_range; // min may be above max

typedef struct zf_en_effect {
    uint32_t node, id_node, target_node, sprites_node;
    uint32_t texture_node, mesh_node, material_node; // 0: absent
    zo_text id;
    zf_en_kind kind;           // PARTICLE when absent
    zo_text trigger;
    double index;              // a whole number, of any size
    zo_text target;            // bone/x or enemy-bone/x; anything else names no bone
    double duration_s;
    bool loop;
    uint32_t max_particles;    // as written, 0..100000
    zf_en_range start_lifetime, start_speed, start_size, gravity, emission_rate;
    double scale[3], position[3], rotation[3]; // degrees
    zf_en_space space;
    zf_en_color start_color_min, start_color_max;
    bool shape_enabled;
    zo_text shape;             // any text: a Cone where it is not known
    double shape_radius, shape_angle;
    uint32_t tiles_x, tiles_y; // 1..64
    uint32_t sheet_frame;      // 0..4095, below tiles_x * tiles_y
    const zo_text *sheet_sprites;
    uint32_t sheet_sprite_count;
    const zf_en_burst *bursts;
    uint32_t burst_count;
    zf_en_curve start_lifetime_curve, start_speed_curve, start_size_curve, gravity_curve, emission_rate_curve,
        emission_rate_over_distance, sheet_frame_over_time, sheet_start_frame;
    zf_en_gradient start_color_gradient, color_over_lifetime;
    zf_en_axes size_over_lifetime, velocity_over_lifetime, rotation_over_lifetime;
    zf_en_noise noise;
    zf_en_sheet sheet_animation;
    uint32_t sheet_cycle_count, sheet_row; // 1..1000, 0..63
    bool sheet_random_row;
    zo_text sorting_layer, render_mode, mesh, material, texture; // empty when absent
    double sorting_order;      // a whole number, of any size
    double light_intensity, light_radius, trail_width, trail_time, decal_pixels_per_unit;
} zf_en_effect;

typedef struct zf_en_trigger {
    uint32_t node;
    double time;
    zo_text source;
    const uint32_t *effects;   // of the clip's effects, in the order of the list
    const uint32_t *nodes;     // where each is named
    uint32_t effect_count;     // at least one
} zf_en_trigger;

typedef struct zf_en_clip {
    const zj_doc *doc;
    uint32_t node, id_node, enemy_node, display_name_node;
    zo_text id, enemy, display_name;
    double duration_s, frame_rate;
    bool loop;
    const zf_en_track *tracks;               // at least one; in file order, like all that follow
    uint32_t track_count;
    const zf_en_object_track *object_tracks;
    uint32_t object_track_count;
    const zf_en_event *events;               // in order of time
    uint32_t event_count;
    const zf_en_effect *effects;
    uint32_t effect_count;
    const zf_en_trigger *triggers;           // in order of time
    uint32_t trigger_count;
    uint32_t warnings_node, source_node;     // experimental members, kept; 0: absent
} zf_en_clip;

// ------------------------------------------------------------------------------------------------------------- reading

typedef struct zf_en_reading {
    zb_arena *arena;
    const zj_doc *doc;     // its report is the one that is added to; it must have one
    zo_profile profile;
    bool game_errors;      // game rules are errors, not warnings: under the profile original, and when strict
} zf_en_reading;

// Reads and judges the document: every fault is reported, of the schema and of the rules between members. false: there
// are errors, and the clip may not be used further.                                                 enemy_read.c
bool zf_en_read(const zf_en_reading *reading, uint32_t node, zf_en_clip *out);
// The rules between members. Called by zf_en_read once all members are read.                        enemy_rules.c
void zf_en_check_rules(const zf_en_reading *reading, const zf_en_clip *clip);
// Not blank, no leading /, no \ and no :, and no segment that is empty, . or ..
bool zf_en_safe_path(zo_text path);
bool zf_en_blank(zo_text text); // nothing, or nothing but white space
// A time is rounded to 32 bits before it is compared, for checking only: files have 9 digits of such numbers.
static inline float zf_en_f32(double value) {
    const double beyond = 3.4028235677973366e38; // where rounding goes to infinity, which a conversion may not
    return value >= beyond ? HUGE_VALF : value <= -beyond ? -HUGE_VALF : (float)value;
}

// ------------------------------------------------------------------------------------------------------------ products

// An effect to records, on a target, with the pictures that were found for it. Returns its reference, index + 1.
// Effects whose target names no bone are not built: what triggers them starts nothing. enemy_effects.c
typedef struct zf_en_stand {
    uint32_t target;
    uint32_t cel_ref;        // of its texture: cel + 1; 0: none
    int32_t layer;           // of its sorting layer
    const uint32_t *cels;    // of the frames of its sheet where an atlas has them; NULL: the texture is cut
    uint32_t cel_count;
} zf_en_stand;
uint32_t zf_en_build_effect(zp_build *build, zo_profile profile, const zf_en_effect *effect, const zf_en_stand *stand);

extern const zf_object zf_en_clip_object; // what a document holds                                    enemy_fields.c
extern const zf_reader zf_en_reader;      //                                                          enemy.c

#endif
