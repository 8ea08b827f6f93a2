// The inside of the petween reader: a definition as a plain structure, and the steps from text to program. Shared by
// the petween_*.c files; nothing else includes it but the readers of what holds definitions (packs).
#ifndef ZF_PETWEEN_H
#define ZF_PETWEEN_H

#include "base/buffer.h"
#include "formats/fields.h"
#include "formats/formats.h"

// --------------------------------------------------------------------------------------------- names (petween_names.c)

typedef enum zf_pt_kind { ZF_PT_TRANSITION, ZF_PT_AMBIENT, ZF_PT_INTERACTION, ZF_PT_KIND_COUNT } zf_pt_kind;
typedef enum zf_pt_layer {
    ZF_PT_LAYER_TRANSITION, ZF_PT_LAYER_SWAY, ZF_PT_LAYER_BOUNCE, ZF_PT_LAYER_BREATHE, ZF_PT_LAYER_COUNT
} zf_pt_layer;
typedef enum zf_pt_mode {
    ZF_PT_ONCE, ZF_PT_LOOP, ZF_PT_ALTERNATE, ZF_PT_RANDOM_INTERVAL, ZF_PT_MODE_COUNT
} zf_pt_mode;
typedef enum zf_pt_event_type { ZF_PT_POSE_SWAP, ZF_PT_PARTICLE, ZF_PT_EVENT_TYPE_COUNT } zf_pt_event_type;
enum { ZF_PT_PROPERTY_COUNT = 13, ZF_PT_EFFECT_COUNT = 3, ZF_PT_SLOT_COUNT = 6, ZF_PT_CHANNELS_MAX = 6 };
enum { ZF_PT_TRANSITION_PROPERTY_COUNT = 6 }; // the first ones

extern const zf_name zf_pt_kinds[ZF_PT_KIND_COUNT];
extern const zf_name zf_pt_modes[ZF_PT_MODE_COUNT];
extern const zf_name zf_pt_event_types[ZF_PT_EVENT_TYPE_COUNT];
extern const zf_name zf_pt_effects[ZF_PT_EFFECT_COUNT];
extern const zf_name zf_pt_slots[ZF_PT_SLOT_COUNT]; // the six states, in the order of fallbacks
extern const zf_name zf_pt_properties[ZF_PT_PROPERTY_COUNT]; // in the order of channels

typedef struct zf_pt_property {
    zf_pt_layer layer;
    int16_t rest, low, high; // low and high: what the original cuts values to
    char unit[9];
    bool factor;             // combines by multiplying
} zf_pt_property;
extern const zf_pt_property zf_pt_property_info[ZF_PT_PROPERTY_COUNT];

typedef struct zf_pt_layer_info {
    const char *name;
    uint32_t first, count; // properties
} zf_pt_layer_info;
extern const zf_pt_layer_info zf_pt_layers[ZF_PT_LAYER_COUNT];

typedef enum zf_pt_form {
    ZF_PT_NOT,      // not of the form
    ZF_PT_LEGAL,    // under both profiles
    ZF_PT_DOCUMENT, // begins with a sign that only the document allows
} zf_pt_form;
zf_pt_form zf_pt_id_form(zo_text id);     // <namespace>:<name>
bool zf_pt_word_form(zo_text word);       // bare word of a pose
zf_pt_form zf_pt_namespace_form(zo_text namespace_text);
bool zf_pt_reserved(zo_text id);          // of the namespace that is ours
extern const zf_form zf_pt_id_text, zf_pt_word_text, zf_pt_reserved_text; // the same as patterns
extern const zf_form zf_pt_namespace_text, zf_pt_reserved_namespace_text;
zo_text zf_pt_namespace(zo_text id);      // before the colon

// ------------------------------------------------------------------------------------------- easing (petween_easing.c)

enum { ZF_PT_EASING_COUNT = 9 };
extern const zf_name zf_pt_easings[ZF_PT_EASING_COUNT];

// The control points x1 y1 x2 y2 of an easing text: of the table, or made in the arena. NULL: not a legal easing.
const double *zf_pt_easing_parse(zb_arena *arena, zo_text text);
extern const zf_form zf_pt_curve_text; // cubic-bezier(...) as a pattern, names apart
bool zf_pt_curve_equal(const double *a, const double *b); // NULL, an omitted easing, equals only NULL
bool zf_pt_curve_linear(const double *curve);             // omitted, or y(t) is x(t) for every t
void zf_pt_put_curve(zb_buffer *out, const double *curve); // `linear` for NULL, else cubic-bezier(x1,y1,x2,y2)
void zf_pt_put_easing_name(zb_buffer *out, const double *curve); // for messages: a name where it has one

// -------------------------------------------------------------------------------------------------------- a definition

typedef struct zf_pt_key {
    double at;           // 0..1
    double base, amount; // value = base + amount * strength; amount is 0 for a plain number
    const double *curve; // of the way to the next key; NULL: none written
    uint32_t node;       // of the keyframe; 0: made by filling
    bool scaled;         // has the parameter
} zf_pt_key;

typedef struct zf_pt_track {
    uint32_t node;
    uint32_t property;  // ZF_PT_PROPERTY_COUNT: not a property
    bool active;        // has a property of its own and at least one key
    zf_pt_key *keys;    // sorted by time, each time once; only those with a good time
    uint32_t key_count;
} zf_pt_track;

typedef struct zf_pt_event {
    double at;
    zf_pt_event_type type;
    uint32_t effect;    // PARTICLE
    zo_text pose;       // POSE_SWAP; empty: none named
    uint32_t node;
} zf_pt_event;

typedef struct zf_pt_repeat {
    zf_pt_mode mode;
    double delay_ms_min, delay_ms_max; // RANDOM_INTERVAL
} zf_pt_repeat;

typedef struct zf_pt_definition {
    const zj_doc *doc;
    uint32_t node;
    zo_text id, name;
    zf_pt_kind kind;           // ZF_PT_KIND_COUNT: unknown
    double duration_ms;
    zf_pt_repeat repeat;       // mode ZF_PT_MODE_COUNT: unknown
    uint32_t repeat_node;
    zf_pt_track *tracks;       // in file order
    uint32_t track_count;
    zf_pt_event *events;       // in file order
    uint32_t event_count;
    double strength, strength_min, strength_max; // declared, or 1, 0..3
    uint32_t strength_node;    // 0: not declared
} zf_pt_definition;

// How a definition is read: for a lone file, inside a pack, or as one of our own.
typedef struct zf_pt_reading {
    zb_arena *arena;
    const zj_doc *doc;      // its report is the one that is added to; it must have one
    zo_profile profile;
    bool definition_only;   // leave out what registering adds: the reserved namespace
    bool own;               // a built-in: the namespace is ours, and nobody is advised
} zf_pt_reading;

typedef enum zf_pt_verdict { ZF_PT_VALID, ZF_PT_INVALID, ZF_PT_NEWER } zf_pt_verdict;

// Reads and judges the definition at `node`; every fault is reported. Only a VALID one may be used further.
zf_pt_verdict zf_pt_read(const zf_pt_reading *reading, uint32_t node, zf_pt_definition *out);   // petween_read.c

// The rules that look at more than one member. Called by zf_pt_read.                              petween_rules.c
typedef struct zf_pt_nodes {
    uint32_t events, repeat; // members' values; 0: not there
    bool events_usable;      // absent or an array: they can be counted
    uint32_t errors_before;  // in the report, when this definition was begun
} zf_pt_nodes;
void zf_pt_check_rules(const zf_pt_reading *reading, const zf_pt_definition *definition, const zf_pt_nodes *nodes);

// ------------------------------------------------------------------------------------------ timeline (petween_merge.c)

double zf_pt_duration_ms(zf_pt_kind kind, double duration_ms, bool reduced);
double zf_pt_strength(const zf_pt_definition *definition, double strength); // cut to the range
// A definition's numbers are finite, but sums and products of them need not be; records and texts hold no infinities.
static inline double zf_pt_finite(double value) { return zb_clamp(value, -1.7e308, 1.7e308); }
double zf_pt_key_value(const zf_pt_key *key, double strength, uint32_t property, zo_profile profile);

// A track's keys with both ends filled: head with the property's rest value, tail with the last value.
typedef struct zf_pt_filled {
    uint32_t property;
    const zf_pt_key *keys;
    uint32_t key_count;
} zf_pt_filled;
zf_pt_filled zf_pt_fill(zb_arena *arena, const zf_pt_track *track, bool reduced);

// Where the value of one channel at one time comes from: between two keys of its track. left NULL: no track, at rest.
typedef struct zf_pt_blend {
    const zf_pt_key *left, *right;
    double weight;           // eased; 0: the left key's own
} zf_pt_blend;

// The merged frame list of one layer over the whole clip.
typedef struct zf_pt_frames {
    uint32_t count;
    const double *times;         // rising, from 0 to 1
    const double *const *curves; // easing in force at each time
    const zf_pt_blend *blends;   // [count * channels of the layer]
    bool scaled, inserted;       // whether some value has the parameter, some stands between its track's keys
} zf_pt_frames;

// All times at which the timeline is cut, 0 and 1 among them, rising.
typedef struct zf_pt_cuts {
    const double *times;
    uint32_t count;
} zf_pt_cuts;
// Also the order of events by time (equal times: file order), as indices. NULL: as they stand.
zf_pt_cuts zf_pt_cut(zb_arena *arena, const zf_pt_definition *definition, const uint32_t **order);
// false: no track touches the layer.
bool zf_pt_merge(zb_arena *arena, const zf_pt_definition *definition, zf_pt_layer layer, const zf_pt_cuts *cuts,
                 bool reduced, zf_pt_frames *out);

// ------------------------------------------------------------------------------------------------------------ products

// A clip and its reduced twin for each of the definitions, at least one; the first is played from the start.
void zf_pt_compile(zb_arena *arena, const zf_pt_definition *definitions, uint32_t count, zo_profile profile,
                   zp_build *build);
// Adds one of zf_pt_effects, let go at `origin` of the target; its index.                          petween_effects.c
uint32_t zf_pt_build_effect(zp_build *build, uint32_t effect, uint32_t target, const double origin[2]);
// What a pet says of the picture of a slot.
typedef struct zf_pt_look {
    double anchor[2], zoom;
    zo_text image;           // name of it; empty: none known
    bool absent;             // there is none until the host supplies one
} zf_pt_look;
// The stage of a pet. Slots stand in for each other where a picture is missing, other pictures are the host's to
// supply, and nothing is shown at first.
typedef struct zf_pt_stage {
    const zf_pt_look *looks; // [ZF_PT_SLOT_COUNT]
    double scale;
    const char *const *cels; // further pictures, [cel_count]
    uint32_t cel_count;
} zf_pt_stage;
// The same without anything played from the start and without a format's name, on the stage of a pet or, NULL, the
// common one. `clips` gets the clip of each definition. Cels of the slots are the first six, in their order.
void zf_pt_build(zb_arena *arena, const zf_pt_definition *definitions, uint32_t count, zo_profile profile,
                 const zf_pt_stage *stage, zp_build *build, uint32_t *clips);
// The merged frame lists as a JSON text: of the one that def->clip names, or of all, as an array if they are a `list`.
// INVALID: one cannot be made (alternate with events), and the report says why. UNSUPPORTED: there is none of that id.
zo_status zf_pt_write_frames(zb_arena *arena, const zf_pt_definition *definitions, uint32_t count, bool list,
                             const zo_frames_def *def, zo_profile profile, zb_buffer *out);

// The built-in animations: data in petween_builtin.c, read like any other definition.
uint32_t zf_pt_builtin_count(void);
const char *zf_pt_builtin_id(uint32_t index); // NULL beyond the last
void zf_pt_put_builtin(zb_buffer *out, uint32_t index); // the definition's JSON text

// What a definition holds, as tables.                                                             petween_fields.c
extern const zf_object zf_pt_definition_object;

extern const zf_reader zf_pt_reader;

#endif
