// Forge's machines as Bedrock's files: a geometry a block model, animations, an animation controller and an entity that
// names them all. Shared by the bedrock*.c files; formats.c sees zf_br_plan.
//
// A joint is a bone, and every pose is written as keys of rotation, position and scale. Which time a pose is of is left
// to Bedrock's expressions (Molang), so that what depends on the host goes on depending on it; what is a blend of two
// poses is worked out here over its progress. Bedrock's space has x to the west: everything is mirrored in x.
#ifndef ZF_BEDROCK_H
#define ZF_BEDROCK_H

#include "base/buffer.h"
#include "formats/forge.h"

static const double zf_br_pixels = 16.0; // a block
static const double zf_br_middle = 8.0;  // px: a model stands in the middle of its block

// --------------------------------------------------------------------------------------------------- expressions
// (bedrock_molang.c)

// A number by the time, or by an input that is still to be put in for the byte ZF_BR_INPUT.
typedef struct zf_br_value {
    zo_text text;          // Molang that can stand anywhere; size 0: it would be too long
    bool line;             // offset + slope * input
    double slope, offset;
    bool host;             // a value of the host's has a say
} zf_br_value;

enum { ZF_BR_INPUT = 1 };

typedef struct zf_br_names { // names as Molang and Bedrock's identifiers can have them, all different
    bool variables;          // they are variables: none begins with a figure, or is one that the files need themselves
    zb_intern given, taken;
    zb_array texts;          // zo_text, by given - 1
    uint32_t next;
} zf_br_names;
zf_br_names zf_br_names_open(zb_arena *arena);
zo_text zf_br_name(zf_br_names *names, zo_text name);     // the same for the same
zo_text zf_br_new_name(zf_br_names *names, zo_text name); // one that nobody has

// [expressions]: each as a value of its input. `controls`: what their variables are called.
const zf_br_value *zf_br_expressions(zb_arena *arena, const zf_fg_exprs *exprs, zf_br_names *controls);
// The expression of that input.
zf_br_value zf_br_apply(zb_arena *arena, zf_br_value expression, zf_br_value input);
zf_br_value zf_br_of_text(const char *text); // a line of slope 1
static inline bool zf_br_is_constant(const zf_br_value *value) { return value->line && value->slope == 0.0; }
void zf_br_put_number(zb_buffer *out, double value); // six places behind the point
void zf_br_put_time(zb_buffer *out, double seconds); // nine, for names of keys, which have no exponent; 0..1e9

// ---------------------------------------------------------------------------------------------------- bones and keys

typedef struct zf_br_part { uint32_t target; double weight; } zf_br_part;

typedef struct zf_br_bone {
    zo_text name;
    double pivot[3];           // blocks, in the model's space
    const zf_br_part *parts;   // what moves it: their average, those at rest left out
    uint32_t part_count;
} zf_br_bone;

typedef struct zf_br_animation {
    zo_text name;              // "animation.frog.hop"
    uint32_t node;             // of the program: a pose by x
    uint32_t place;            // JSON node of the machine's, for reports
    double span, length;       // x runs from 0 to span in `length` seconds
    bool wraps;                // x = span is x = 0 again
    zo_text time_update;       // empty: it plays by itself
    const double *times;       // [time_count]: x where keys are to be expected, rising
    uint32_t time_count;
    const struct zf_br_event *events; // by rising x
    uint32_t event_count;
} zf_br_animation;

typedef struct zf_br_event { double x; zo_text text; } zf_br_event;

typedef struct zf_br_judgement { // of one animation
    uint32_t key_count;
    bool inexact;
    bool halved;               // there are keys between those that were expected
    bool spent;                // it was too much to be worked out
} zf_br_judgement;

// "bones": of an animation, as a member of an object that is open. `*budget`: transforms that may still be worked out.
zf_br_judgement zf_br_put_bones(zb_buffer *out, const zf_br_animation *animation, const zf_br_bone *bones,
                                uint32_t bone_count, const zf_posing *posing, uint64_t *budget);

// --------------------------------------------------------------------------------------------------------- geometry

// A geometry of one model. `bones`: by bone of the file, as the animations name them; `element_bones`: [elements] bone
// + 1, 0: the root. Returns facts for the report.
typedef struct zf_br_geometry {
    zo_text identifier;        // "geometry.frog"
    zo_text root;              // the name of the bone of what nothing moves
    const zf_fg_model *model;  // NULL: there is none
    const zf_br_bone *bones;
    uint32_t bone_count;
    const uint32_t *element_bones;
} zf_br_geometry;
typedef struct zf_br_faces { bool turned, shaded, controlled; uint32_t texture_count; } zf_br_faces;
zf_br_faces zf_br_put_geometry(zb_buffer *out, const zf_br_geometry *geometry, zf_br_names *textures);

zo_status zf_br_plan(const zf_input *input, zp_build *build, zf_export *out);

#endif
