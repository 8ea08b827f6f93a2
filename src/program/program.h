// THE FILE TO READ FIRST. The program: every kind of animation data compiled into one immutable, relocatable block of
// records that the runtime plays. This header is the layout, and nothing but the layout. The builder (build.h) writes
// it, validate.c checks a stored one, dump.c prints it, the runtime reads it.
//
// A blob is a header with a section table and then the sections, each 8-aligned. Little-endian. There are offsets and
// indices instead of pointers. Reference fields count from 1 where 0 says "none" (named ..._ref); fields named
// first_... with a count are plain indices. Names are offsets into the NAMES section, where offset 0 is the empty text;
// texts there end in a zero byte.
#ifndef ZP_PROGRAM_H
#define ZP_PROGRAM_H

#include "base/base.h"

#define ZP_MAGIC 0x0A1A706F7274655AULL // "Zetrop\x1A\n": shows text conversion and truncation at once
enum { ZP_VERSION = 1 };

typedef uint32_t zp_name; // offset into NAMES

// ---------------------------------------------------------------------------------------------------- enumerations

typedef enum zp_placement {       // where the keys stand
    ZP_PLACE_EXPLICIT = 0,        // each key has its time
    ZP_PLACE_UNIFORM_OPEN = 1,    // key k at k / (count - 1) of the clip
    ZP_PLACE_UNIFORM_LOOP = 2,    // key k at k / count, the first again at 1
    ZP_PLACE_STEP_NS = 3,         // key k at k * step_ns
    ZP_PLACE_BY_INDEX = 4,        // the key is the value of an earlier index channel
    ZP_PLACE_COUNT
} zp_placement;

typedef enum zp_interpolation {   // what happens from a key to the next
    ZP_INTERPOLATE_HOLD = 0,      // the key's value up to the next key
    ZP_INTERPOLATE_HOLD_NEXT = 1, // the next key's value
    ZP_INTERPOLATE_NEAREST = 2,
    ZP_INTERPOLATE_LERP = 3,
    ZP_INTERPOLATE_ANGLE = 4,
    ZP_INTERPOLATE_SLERP = 5,
    ZP_INTERPOLATE_EASE = 6,      // along an easing curve
    ZP_INTERPOLATE_HERMITE = 7,
    ZP_INTERPOLATE_PER_INTERVAL = 8, // each interval says its own, in INTERVALS
    ZP_INTERPOLATE_COUNT
} zp_interpolation;

typedef enum zp_arithmetic {      // in which numbers, and in which order of operations
    ZP_ARITHMETIC_F64 = 0,        // double; v0 + (v1 - v0) * p
    ZP_ARITHMETIC_F32_PRODUCT = 1, // float; v0 * (1 - p) + v1 * p
    ZP_ARITHMETIC_F32_HERMITE = 2, // float; cubic Hermite basis
    ZP_ARITHMETIC_INDEX = 3,      // a picture number; only HOLD, HOLD_NEXT and NEAREST
    ZP_ARITHMETIC_COUNT
} zp_arithmetic;

typedef enum zp_ends { ZP_ENDS_CLAMP = 0, ZP_ENDS_WRAP = 1, ZP_ENDS_COUNT } zp_ends;
typedef enum zp_finish { ZP_FINISH_NONE = 0, ZP_FINISH_ROUND_HALF_EVEN = 1, ZP_FINISH_COUNT } zp_finish;

typedef enum zp_repeat {          // values of zo_repeat
    ZP_REPEAT_ONCE = 0,
    ZP_REPEAT_LOOP = 1,
    ZP_REPEAT_ALTERNATE = 2,
    ZP_REPEAT_RANDOM_INTERVAL = 3,
    ZP_REPEAT_HOLD = 4,
    ZP_REPEAT_COUNT
} zp_repeat;

typedef enum zp_time_unit { ZP_TIME_FRACTION = 0, ZP_TIME_SECONDS = 1, ZP_TIME_FRAMES = 2, ZP_TIME_COUNT } zp_time_unit;
typedef enum zp_origin { ZP_ORIGIN_ENTRY = 0, ZP_ORIGIN_WORLD = 1, ZP_ORIGIN_COUNT } zp_origin;

typedef enum zp_action {          // values of zo_action
    ZP_ACTION_NOTIFY = 0,
    ZP_ACTION_SHOW_CEL = 1,
    ZP_ACTION_START_EFFECT = 2,
    ZP_ACTION_REQUEST_STATE = 3,
    ZP_ACTION_COUNT
} zp_action;

typedef enum zp_mix {             // how runs of one mix group combine on a channel
    ZP_MIX_REPLACE = 0,           // the newest wins
    ZP_MIX_ADD = 1,
    ZP_MIX_MULTIPLY = 2,
    ZP_MIX_COUNT
} zp_mix;

typedef enum zp_compose {         // how a target's channels make its transform
    ZP_COMPOSE_NONE = 0,          // the parent's
    ZP_COMPOSE_TRS2 = 1,          // T(pivot) T(x,y) R(rotation) S(sx,sy) T(-pivot); degrees from x towards y: as seen,
                                  // clockwise with y down, counter-clockwise with y up. Not right on one in space
    // In space; right-handed. Points are columns.
    ZP_COMPOSE_AXIS_ANGLE = 2,    // T(origin) T(offset) R(angle about the axis) S(scale) T(-origin); degrees; an axis
                                  // shorter than 1e-6 does not turn
    ZP_COMPOSE_TRS3 = 3,          // T(position) R(quaternion x, y, z, w, of any length) S(scale)
    ZP_COMPOSE_COUNT
} zp_compose;

typedef enum zp_size_rule {       // how large a cel is drawn
    ZP_SIZE_PIXELS = 0,           // one unit a pixel, times scale
    ZP_SIZE_FIT_BOX = 1,          // as large as fits the sprite's box, kept in proportion, times scale
    ZP_SIZE_COUNT
} zp_size_rule;

typedef enum zp_overlay_rule {    // when an overlay is seen, and which of its pictures
    ZP_OVERLAY_QUIET = 0,         // the first, while nobody speaks, or softly
    ZP_OVERLAY_NEAREST = 1,       // the one that fits the level best, while somebody speaks, or there is a level at all
    ZP_OVERLAY_COUNT
} zp_overlay_rule;

typedef enum zp_skin_rule {       // how the bones of a vertex move it, M being what each does and w its weight
    ZP_SKIN_AVERAGE = 0,          // sum(w M) / sum(w), if sum(w) is above the mesh's least sum, else nothing
    ZP_SKIN_DISPLACE = 1,         // each adds w times the way that it would move the vertex; weights whose sum is above
                                  // 1 are divided by it
    ZP_SKIN_COUNT
} zp_skin_rule;

typedef enum zp_surface {         // what becomes of texels that are not opaque
    ZP_SURFACE_CUT = 0,           // those of little alpha are left out, the others hide what is behind them
    ZP_SURFACE_BLEND = 1,         // all are laid over what is behind them, from the back to the front
    ZP_SURFACE_ADD = 2,           // as BLEND, but added to what is behind them
    ZP_SURFACE_COUNT
} zp_surface;

typedef enum zp_motion {          // how an effect's particles move
    ZP_MOTION_PATH = 0,           // along keys: a pure function of age and what was drawn at birth
    ZP_MOTION_INTEGRATED = 1,     // step by step, by its emitter
    ZP_MOTION_COUNT
} zp_motion;

typedef enum zp_outline {         // of a particle
    ZP_OUTLINE_ELLIPSE = 0,
    ZP_OUTLINE_ROUNDED = 1,       // a rectangle with round corners
    ZP_OUTLINE_POLYGON = 2,       // every corner is seen from the middle
    ZP_OUTLINE_COUNT
} zp_outline;

typedef enum zp_effect_kind {
    ZP_EFFECT_PARTICLES = 0,
    ZP_EFFECT_LIGHT = 1,          // a soft disc
    ZP_EFFECT_TRAIL = 2,          // a ribbon behind its target
    ZP_EFFECT_DECAL = 3,          // a picture on its target
    ZP_EFFECT_KIND_COUNT
} zp_effect_kind;

typedef enum zp_effect_blend { ZP_EFFECT_OVER = 0, ZP_EFFECT_ADD = 1, ZP_EFFECT_BLEND_COUNT } zp_effect_blend;

typedef enum zp_minmax_mode {     // a number by t and by chance r
    ZP_MINMAX_CONSTANT = 0,       // constant_max
    ZP_MINMAX_CURVE = 1,          // multiplier * max(t)
    ZP_MINMAX_TWO_CURVES = 2,     // between multiplier * min(t) and multiplier * max(t), by r
    ZP_MINMAX_TWO_CONSTANTS = 3,  // between constant_min and constant_max, by r
    ZP_MINMAX_COUNT
} zp_minmax_mode;

typedef enum zp_gradient_mode {   // a colour by t and by chance r
    ZP_GRADIENT_COLOUR = 0,       // colour_max
    ZP_GRADIENT_GRADIENT = 1,     // max(t)
    ZP_GRADIENT_TWO_COLOURS = 2,  // between the colours, by r
    ZP_GRADIENT_TWO_GRADIENTS = 3, // between min(t) and max(t), by r
    ZP_GRADIENT_RANDOM_COLOUR = 4, // max(r)
    ZP_GRADIENT_COUNT
} zp_gradient_mode;

typedef enum zp_birthplace {      // where an emitter's particles are born, and which way they set out
    ZP_BIRTH_POINT = 0,           // along z
    ZP_BIRTH_CONE = 1, ZP_BIRTH_CONE_SHELL = 2, ZP_BIRTH_CONE_VOLUME = 3, ZP_BIRTH_CONE_VOLUME_SHELL = 4,
    ZP_BIRTH_SPHERE = 5, ZP_BIRTH_SPHERE_SHELL = 6, ZP_BIRTH_HEMISPHERE = 7, ZP_BIRTH_HEMISPHERE_SHELL = 8,
    ZP_BIRTH_CIRCLE = 9, ZP_BIRTH_CIRCLE_EDGE = 10,
    ZP_BIRTH_EDGE = 11,           // along x, setting out along y
    ZP_BIRTH_BOX = 12, ZP_BIRTH_BOX_SHELL = 13, ZP_BIRTH_BOX_EDGE = 14, ZP_BIRTH_RECTANGLE = 15,
    ZP_BIRTH_DONUT = 16,
    ZP_BIRTH_COUNT
} zp_birthplace;

typedef enum zp_facing {          // how a particle that moves step by step is drawn
    ZP_FACING_VIEW = 0,
    ZP_FACING_STRETCH = 1,        // along the way it goes, twice as long
    ZP_FACING_NONE = 2,           // not at all
    ZP_FACING_COUNT
} zp_facing;

// Machines: which edges are walked to answer a request, when a walk begins, when it has arrived, which instants belong
// to a step, and how often the world is looked at.
typedef enum zp_routing {
    ZP_ROUTING_ANY = 0, ZP_ROUTING_LISTED = 1,
    ZP_ROUTING_FIRST_HOP = 2,     // the first edge of the shortest way is walked; such a machine runs by itself
    ZP_ROUTING_COUNT
} zp_routing;
typedef enum zp_act { ZP_ACT_NOW = 0, ZP_ACT_AT_COMPLETION = 1, ZP_ACT_COUNT } zp_act;
typedef enum zp_commit {
    ZP_COMMIT_AT_ONCE = 0,
    ZP_COMMIT_AT_EVENT = 1,       // at the SHOW_CEL of the enter
    ZP_COMMIT_NEXT_POLL = 2,
    ZP_COMMIT_COUNT
} zp_commit;
typedef enum zp_window { ZP_WINDOW_OPEN_CLOSED = 0, ZP_WINDOW_CLOSED_OPEN = 1, ZP_WINDOW_COUNT } zp_window;
typedef enum zp_on_complete {
    ZP_ON_COMPLETE_STAY = 0, ZP_ON_COMPLETE_HOLD = 1, ZP_ON_COMPLETE_PICK = 2, ZP_ON_COMPLETE_COUNT
} zp_on_complete;
typedef enum zp_reentry {         // what a state's clip does when it is the one that plays already
    ZP_REENTRY_RESTART = 0,
    ZP_REENTRY_CONTINUE_SAME_CLIP = 1, // it goes on, also one that is complete and holds its end
    ZP_REENTRY_CONTINUE_OR_AGAIN = 2, // it goes on, but one that is complete and holds its end starts anew
    ZP_REENTRY_COUNT
} zp_reentry;
typedef enum zp_when {
    ZP_WHEN_REQUEST = 0,          // only to answer a request, out of the state where the way begins
    ZP_WHEN_COMPLETE = 1,         // by itself, too, as the weights have it
    ZP_WHEN_COUNT
} zp_when;

// An operation of an expression, on a stack. Binary ones take r, pushed before a, and push the result. In F32 every
// result is rounded to float; of REST_UP product and difference are worked out in double first. A quotient by zero is
// that of IEEE 754.
typedef enum zp_op_code {
    ZP_OP_NUMBER = 0,             // pushes NUMBERS[argument]
    ZP_OP_INPUT = 1,              // pushes x
    ZP_OP_CONTROL = 2,            // of the top: what the control PARAMS[argument] makes of it
    ZP_OP_CALL = 3,               // of the top: what the expression `argument`, which stands before this one, does
    ZP_OP_ADD = 4, ZP_OP_SUB = 5, ZP_OP_MUL = 6, ZP_OP_DIV = 7,
    ZP_OP_MIN = 8, ZP_OP_MAX = 9, // NaN if one is; -0 is below 0
    ZP_OP_ROUND_DOWN = 10,        // floor(r / a) * a
    ZP_OP_ROUND_UP = 11,          // ceil(r / a) * a
    ZP_OP_REST_UP = 12,           // r - floor(r / a) * a
    ZP_OP_REST_DOWN = 13,         // ceil(r / a) * a - r
    ZP_OP_CLAMP = 14,             // three: x, low, high; NaN, and where high is below low: low
    ZP_OP_MODULO = 15,            // in [0, a); 0 where a is not above 0 or there is no such number
    ZP_OP_REPEAT = 16,            // three: y, n, l: n = 1: y cut to 0..l; n infinite: y modulo l; else y cut to
                                  // 0..n l, modulo l, or with argument 1 modulo n. 0 where n or l is not above 0
    ZP_OP_BEZIER = 17,            // three: u, s, e: 3 v v u s + 3 v u u e + u u u, of u cut to 0..1 and v = 1 - u
    ZP_OP_FAULT = 18,             // leaves the top as it is; `argument` (zp_fault) says what cannot be worked out
    ZP_OP_COUNT
} zp_op_code;

// What a source asks for and there is none of. The program goes on without: an expression hands its input on, a node is
// at rest; and who asks is told.
typedef enum zp_fault {           // values of zo_fault
    ZP_FAULT_NONE = 0,
    ZP_FAULT_MISSING_OPERAND = 1,
    ZP_FAULT_UNRESOLVED_PARAM = 2, // also a control that is NEEDED and has not been set
    ZP_FAULT_CYCLE = 3,
    ZP_FAULT_UNRESOLVED_CLIP = 4,
    ZP_FAULT_COUNT
} zp_fault;

typedef enum zp_node_kind {       // what a pose is made of, at a time t
    ZP_NODE_REST = 0,             // every target at rest
    ZP_NODE_CLIP = 1,             // the clip at t, in the clip's unit; its events, NOTIFY or REQUEST_STATE alone, where
                                  // `at`, or of a clip that WRAPS k + at for some whole k, lies in [t0, t1)
    ZP_NODE_TIME = 2,             // a at expr(t); the events between expr(t0) and expr(t1)
    ZP_NODE_BLEND = 3,            // from a to b by expr(t) cut to 0..1, target by target; the events of both
    ZP_NODE_TRIGGER = 4,          // a at t; and an event where expr(t0) < 0 and expr(t1) >= 0
    ZP_NODE_PRODUCT = 5,          // b's own transforms, then a's, target by target; the events of both
    ZP_NODE_FAULT = 6,            // at rest
    ZP_NODE_KIND_COUNT
} zp_node_kind;

typedef enum zp_director_kind { ZP_DIRECTOR_SLOTS = 0, ZP_DIRECTOR_SPEECH = 1, ZP_DIRECTOR_COUNT } zp_director_kind;

typedef enum zp_swap {            // how a director goes to another state of the same group
    ZP_SWAP_ENTER = 0,            // as to any state
    ZP_SWAP_PLAY = 1,             // by a play of its own in place of the state's enter
    ZP_SWAP_SILENT = 2,           // the picture is exchanged, nothing is played
    ZP_SWAP_COUNT
} zp_swap;

// ---------------------------------------------------------------------------------------------------- sections

typedef enum zp_section_id {
    ZP_SECTION_CLIPS = 0,
    ZP_SECTION_CURVES,
    ZP_SECTION_INTERVALS,
    ZP_SECTION_EASINGS,
    ZP_SECTION_INSERTS,
    ZP_SECTION_EVENTS,
    ZP_SECTION_ARGUMENTS,
    ZP_SECTION_CHANNELS,
    ZP_SECTION_LAYERS,
    ZP_SECTION_PARAMS,
    ZP_SECTION_TARGETS,
    ZP_SECTION_SPRITES,
    ZP_SECTION_CELS,
    ZP_SECTION_IMAGES,
    ZP_SECTION_OVERLAYS,
    ZP_SECTION_PLAYS,
    ZP_SECTION_WORDS,             // uint32_t: lists of references
    ZP_SECTION_MACHINES,
    ZP_SECTION_STATES,
    ZP_SECTION_EDGES,
    ZP_SECTION_DIRECTORS,         // at most one
    ZP_SECTION_SLOTS,
    ZP_SECTION_SIGNALS,
    ZP_SECTION_SPEECHES,          // one, where the director is one of speech
    ZP_SECTION_VOICES,
    ZP_SECTION_INTENTS,
    ZP_SECTION_ALIASES,
    ZP_SECTION_EFFECTS,
    ZP_SECTION_SHAPES,
    ZP_SECTION_EMITTERS,
    ZP_SECTION_BURSTS,
    ZP_SECTION_MINMAXES,
    ZP_SECTION_GRADIENTS,
    ZP_SECTION_MESHES,
    ZP_SECTION_PARTS,
    ZP_SECTION_VERTICES,
    ZP_SECTION_TRIANGLES,
    ZP_SECTION_BONES,
    ZP_SECTION_WEIGHTS,
    ZP_SECTION_UV_BINDINGS,
    ZP_SECTION_EXPRS,
    ZP_SECTION_OPS,
    ZP_SECTION_NODES,
    ZP_SECTION_NUMBERS,           // double
    ZP_SECTION_INSTANTS,          // int64_t, ns; the first is not used, so that an index of 0 says "none"
    ZP_SECTION_SRCMAP,            // may be stripped
    ZP_SECTION_NAMES,             // char
    ZP_SECTION_COUNT
} zp_section_id;

typedef struct zp_section {
    uint32_t offset;              // bytes from the start of the blob, a multiple of 8
    uint32_t count;               // records (bytes for NAMES)
} zp_section;

typedef struct zp_header {
    uint64_t magic;
    uint32_t version;
    uint32_t header_size;         // sizeof(zp_header)
    uint64_t size;                // bytes of the whole blob, a multiple of 8, below 2^31
    uint64_t hash;                // of the header's content and all bytes behind it but SRCMAP's (zp_program_hash)
    zp_name format;               // what it was read from, and under which profile: for people, never for branching
    uint32_t profile;             // zo_profile
    uint32_t mix_group_count;
    uint32_t clip_depth_max;      // poses at once that it takes to work out a node, and one more where an edge blends
    double stage[4];              // left, top, right, bottom of what is meant to be seen, in units; y points from top
                                  // to bottom: down where top <= bottom, else up (zp_y_up), for the whole program
    zp_section sections[ZP_SECTION_COUNT];
} zp_header;

// ---------------------------------------------------------------------------------------------------- time and values

// A clip: curves and events under one clock. Played by runs.
typedef struct zp_clip {
    zp_name name;                 // id
    zp_name label;                // for people
    zp_name kind;                 // the source's word, for people
    uint32_t time_unit;           // zp_time_unit: of key times and events' `at`
    int64_t duration_ns;          // of one pass, >= 1
    int64_t duration_ns_min;      // what a run may override it to
    int64_t duration_ns_max;
    int64_t complete_ns;          // when a pass is complete, 0..duration_ns; -1: never. Below duration_ns: the rest is
                                  // not played (a pass that holds no layer is complete at 0). Scales with an override.
    int64_t loop_start_ns;        // where passes after the first begin; 0
    double delay_min;             // RANDOM_INTERVAL: the wait, in delay_unit_ns
    double delay_max;
    int64_t delay_unit_ns;
    int64_t frame_ns;             // FRAMES: how long one lasts, >= 1; else 0
    uint32_t repeat;              // zp_repeat
    uint32_t origin;              // zp_origin: local time counts from the run's start, or from time 0 of the world
    uint32_t first_curve, curve_count;
    uint32_t first_event, event_count; // sorted by at (stable)
    uint32_t first_param, param_count; // PARAMS that it is bound to
    uint32_t layer_mask;          // bit l: it has a curve on layer l; at most 32 layers
    uint32_t mix_ref;             // mix group + 1; 0: its runs never combine
    uint32_t reduced_ref;         // clip + 1 played instead under reduced motion
    uint32_t flags;               // ZP_CLIP_...
} zp_clip;

enum {
    ZP_CLIP_SEGMENTED = 1,        // an event inside a pass installs the run anew (its layers become the newest)
    ZP_CLIP_NO_ALTERNATE = 2,     // may not be overridden to ALTERNATE
    // When it is asked for at a time outside of its pass; without either: the pass's end.
    ZP_CLIP_WRAPS = 4,            // FRACTION: t - floor(t), in double, also at 1 and however it repeats
    ZP_CLIP_OPEN = 8,             // its curves may have keys there
};

// A curve: key placement x interpolation x arithmetic, `width` values a key, filling as many consecutive slots. Curves
// of one clip stand sorted by (times, intervals) pool, then slot, so that equal offsets, which mean equal contents,
// follow each other and their work is done once.
typedef struct zp_curve {
    uint8_t placement;
    uint8_t interpolation;        // with PER_INTERVAL: see intervals
    uint8_t arithmetic;
    uint8_t ends;
    uint8_t finish;
    uint8_t width;                // 1..16
    uint8_t flags;                // ZP_CURVE_...
    uint8_t reserved;
    uint32_t first_channel;       // slot
    uint32_t key_count;           // >= 1
    uint32_t times;               // NUMBERS [key_count], rising, in the clip's unit (EXPLICIT); in F32_HERMITE equal
                                  // ones may follow each other: a jump
    uint32_t instants;            // INSTANTS [key_count] ns at the clip's own duration (held curves); 0: none, so
                                  // INSTANTS[0] is a filler that is never a key's
    uint32_t intervals;           // INTERVALS [key_count], entry k for the way from key k; the last is there and unused
    uint32_t values;              // NUMBERS [key_count * width], row a key
    uint32_t scales;              // NUMBERS [key_count * width] with ZP_CURVE_SCALED
    uint32_t inserts;             // INSERTS [key_count * width] with ZP_CURVE_INSERTED
    uint32_t param;               // of the clip's parameters, with SCALED or INSERTED: 0..param_count-1
    uint32_t step_ref;            // STEP_NS: INSTANTS + 1 of the step
} zp_curve;

enum {
    ZP_CURVE_SCALED = 1,          // value(k) = clamp(values[k] + p * scales[k], the channel's limits)
    ZP_CURVE_INSERTED = 2,        // value(k) = L + (R - L) * weight of zp_insert, L and R clamped, the result not
};

// The way from one key to the next.
typedef struct zp_interval {
    uint32_t interpolation;       // zp_interpolation, not PER_INTERVAL
    uint32_t argument;            // EASE: index into EASINGS; HERMITE: NUMBERS [2 * width], the tangents out of this
                                  // key and into the next, for value after value; else 0
} zp_interval;

// A cubic Bezier timing curve through (0,0) (x1,y1) (x2,y2) (1,1), 0 <= x1, x2 <= 1: x(t) = ((ax t + bx) t + cx) t, y
// alike. guess[i] is a cubic in u through four exact solutions of x(t) = p on i <= 32 p <= i + 1, u = 32 p - i: it
// lands within 1e-6 of t wherever the curve is not nearly vertical. Everything follows from the control points.
enum { ZP_EASING_PIECES = 32 };
typedef struct zp_easing {
    double x1, y1, x2, y2;
    double ax, bx, cx, ay, by, cy; // of y1, y2 cut to +-1e307, so that nothing overflows
    double bend;                   // the largest |x''| on 0..1
    float guess[ZP_EASING_PIECES][4]; // t = ((guess[3] u + guess[2]) u + guess[1]) u + guess[0]
} zp_easing;

// A key that stands between a track's own two keys because another track, or a cut, has a time there.
typedef struct zp_insert {
    double left_base, left_scale; // L = clamp(left_base + p * left_scale)
    double right_base, right_scale;
    double weight;                // eased progress from left to right; 0: the key is the track's own, L
} zp_insert;

typedef struct zp_event {
    int64_t at_ns;                // at the clip's own duration: nearest, at most duration_ns
    double at;                    // in the clip's unit
    uint32_t action;              // zp_action
    uint32_t subject_ref;         // SHOW_CEL: cel + 1, 0: the cel that the run was given; START_EFFECT: effect + 1, 0:
                                  // the host is told and nothing else; NOTIFY: effect + 1 that starts with it, 0:
                                  // none; else 0
    zp_name name;                 // effect, notification, state
    uint32_t first_argument, argument_count;
    uint32_t reserved;
} zp_event;

typedef enum zp_argument_kind {   // values of zo_argument_kind
    ZP_ARGUMENT_NUMBER = 0, ZP_ARGUMENT_TEXT = 1, ZP_ARGUMENT_FLAG = 2, ZP_ARGUMENT_KIND_COUNT
} zp_argument_kind;

typedef struct zp_argument {
    zp_name name;
    uint32_t kind;                // zp_argument_kind
    zp_name text;                 // TEXT
    uint32_t reserved;
    double number;                // NUMBER; FLAG: 0 or 1
} zp_argument;

// ---------------------------------------------------------------------------------------------------- what is moved

// A channel is one number that moves; its slot in a pose has the same index. Channels of a layer are consecutive.
typedef struct zp_channel {
    zp_name name;
    zp_name unit;
    uint32_t layer;
    uint32_t mix;                 // zp_mix
    double rest;                  // value while no run holds it; index channels: cel + 1 or 0
    double low, high;             // limits of a key's own value, after its parameter; infinite where there are none
    uint32_t is_index;            // 0 or 1
    uint32_t own_rest;            // index channels: 1: at rest it has its own value; 0: what SHOW_CEL has shown last
} zp_channel;

// The unit in which runs win channels: the installed run with the newest serial holds all channels of a layer.
typedef struct zp_layer {
    zp_name name;
    uint32_t first_channel, channel_count;
    uint32_t reserved;
} zp_layer;

// Of a clip; or a control, which is the host's: a line over what it is asked for. Those of clips come first, in the
// clips' order, then the controls.
typedef struct zp_param {
    zp_name name;
    uint32_t clip;                // that declares it; ZP_NO_CLIP: a control
    double value, low, high;      // default and limits, low <= value <= high; a control has none: they are infinite
    double slope;                 // of a control: it makes value + slope * x of x; else 0
    uint32_t flags;               // ZP_PARAM_...
    uint32_t reserved;
} zp_param;

#define ZP_NO_CLIP UINT32_MAX
enum {
    ZP_PARAM_NEEDED = 1,          // a control that nobody gives a default: until it is set it hands x on, and who asks
                                  // for it is told of a fault
};

// Slots of a target by its compose rule: TRS2, AXIS_ANGLE, TRS3.
enum { ZP_SLOT_X, ZP_SLOT_Y, ZP_SLOT_ROTATION, ZP_SLOT_SCALE_X, ZP_SLOT_SCALE_Y, ZP_SLOT_OPACITY, ZP_SLOT_COUNT = 14 };
enum {
    ZP_AXIS_ANGLE_OFFSET = 0, ZP_AXIS_ANGLE_AXIS = 3, ZP_AXIS_ANGLE_ANGLE = 6, ZP_AXIS_ANGLE_SCALE = 7,
    ZP_AXIS_ANGLE_ORIGIN = 10, ZP_AXIS_ANGLE_COUNT = 13,
};
enum { ZP_TRS3_POSITION = 0, ZP_TRS3_ROTATION = 3, ZP_TRS3_SCALE = 7, ZP_TRS3_COUNT = 10 };

// The figures by which a target in space stands as if nothing had moved it; all of them are 0 besides.
static inline double zp_slot_neutral(uint32_t compose, uint32_t slot) {
    switch (compose) {
    case ZP_COMPOSE_TRS2: return slot >= ZP_SLOT_SCALE_X && slot <= ZP_SLOT_OPACITY ? 1.0 : 0.0;
    case ZP_COMPOSE_AXIS_ANGLE: return slot >= ZP_AXIS_ANGLE_SCALE && slot < ZP_AXIS_ANGLE_ORIGIN ? 1.0 : 0.0;
    case ZP_COMPOSE_TRS3: return slot >= ZP_TRS3_ROTATION + 3 && slot < ZP_TRS3_COUNT ? 1.0 : 0.0; // w is one, too
    default: return 0.0;
    }
}

// A node of the transform tree, parents before children.
typedef struct zp_target {
    zp_name name;
    uint32_t parent_ref;          // target + 1
    uint32_t compose;             // zp_compose
    uint32_t flags;
    uint32_t slot_refs[ZP_SLOT_COUNT]; // channel + 1 that drives it; 0: constant[] below
    double constant[ZP_SLOT_COUNT];
    double pivot[2];              // of rotation and scale, in the parent's units
} zp_target;

// What is drawn: a picture on a target, chosen by an index channel.
typedef struct zp_sprite {
    zp_name name;
    uint32_t target;
    uint32_t channel_ref;         // index channel + 1; 0: always cel_ref
    uint32_t cel_ref;
    double box[2];                // width and height that FIT_BOX fills, units
    double origin[2];             // where the cel's anchor stands, in the target's units
    int32_t layer, order;         // of drawing
    uint32_t order_ref;           // channel + 1 that holds the order; 0: as above
    uint32_t colour_refs[4];      // channel + 1 of red, green, blue, alpha, not premultiplied, which the picture is
                                  // multiplied with, cut to 0..1; 0: 1
    uint32_t reserved;
} zp_sprite;

typedef struct zp_cel {
    zp_name name;
    uint32_t image_ref;           // image + 1; 0: none known, the host may supply one by name
    uint32_t size_rule;           // zp_size_rule
    uint32_t flags;               // ZP_CEL_...
    uint32_t first_fallback, fallback_count; // WORDS: cels, of which the first that is there is shown in its place
    double anchor[2];             // fraction of the picture
    double scale;                 // zoom
    double region[4];             // x, y, width, height in px; width 0: the whole image
} zp_cel;

enum {
    ZP_CEL_ABSENT = 1,            // not there until the host says that it is
    ZP_CEL_PIXELS = 2,            // never smoothed
};

typedef struct zp_image {
    zp_name name;                 // as the source refers to it
    uint32_t width, height;       // px, 0: not known
    uint32_t reserved;
} zp_image;

// A picture over a spot of a sprite while a clip plays there, cut to an ellipse around the spot: a shut mouth over one
// that moves, for one. Lengths are px of the sprite's picture, from its middle, x to the right and y down. The spot on
// each frame of the clip is an anchor; on the overlay's picture it is a source, and the picture is laid so that they
// meet. Sorted by clip, one a clip. The clip shows the sprite's frames by one STEP_NS curve.
//
//   half axes   max(1, width) / 2 * reach[0], and max(1, height) / 2 * (1 + swell * A) * reach[1]
//   QUIET       A = open; seen when nobody speaks or the level is at most the threshold
//   NEAREST     A = max(level, open); seen when somebody speaks or the level is above the threshold
typedef struct zp_overlay {
    zp_name name;
    uint32_t clip;
    uint32_t sprite;              // with an index channel
    uint32_t rule;                // zp_overlay_rule
    uint32_t flags;               // ZP_OVERLAY_...
    uint32_t first_cel, cel_count; // WORDS: cels of its pictures; >= 1
    uint32_t levels;              // NUMBERS [cel_count]: what each is for
    uint32_t anchors, anchor_count; // NUMBERS [4 * anchor_count]: x, y, width, height, a frame, the last for all that
                                  // follow; >= 1
    uint32_t sources, source_count; // NUMBERS [2 * source_count]: x, y on each picture; the others': as the anchor
    uint32_t rest_frame;          // of the clip, the one whose own mouth is shut
    uint32_t reserved;
    double threshold;
    double open, swell;
    double reach[2];
    double shift;                 // of the ellipse, down
} zp_overlay;

enum {
    ZP_OVERLAY_ALIGNED = 1,       // its picture lies as the sprite's does, by their anchors, whatever the sources say
};
#define ZP_OVERLAY_FAR 1e9        // px; no number of an overlay is beyond it

// A clip as it is to be played: by the instance from its start, by a state, or by a director. Those that are not played
// from the start are stored once, so that equal plays have equal indices.
typedef struct zp_play {
    uint32_t clip;
    uint32_t cel_ref;             // what an unnamed SHOW_CEL of it shows: cel + 1
    uint32_t flags;               // ZP_PLAY_...
    uint32_t repeat;              // zp_repeat, with ZP_PLAY_REPEAT
    int64_t duration_ns;          // 0: the clip's own; cut to what the clip allows
    double delay_min, delay_max;  // RANDOM_INTERVAL with ZP_PLAY_REPEAT: the wait, ms
    uint32_t first_value, value_count; // NUMBERS: of the clip's first parameters; the others have their defaults
    uint32_t mix_ref;             // mix group + 1 in place of the clip's, with ZP_PLAY_LATER
    uint32_t reserved;
} zp_play;

enum {
    ZP_PLAY_LATER = 1,            // not with the instance: when a state or a director asks
    ZP_PLAY_REPEAT = 2,           // repeat and delays count
};

// ---------------------------------------------------------------------------------------------------- what decides

// A function of one number. Calls lead to expressions that stand before it, so there is no cycle.
typedef struct zp_expr {
    zp_name name;                 // 0: it has none
    uint32_t flags;               // ZP_EXPR_...
    uint32_t first_op, op_count;  // OPS, its own, in order
    uint32_t stack;               // numbers on the stack at most, with those of the calls, and one a call;
                                  // <= ZP_EXPR_STACK_MAX
    uint32_t cost;                // operations, with those of the calls; <= ZP_EXPR_COST_MAX
} zp_expr;
enum { ZP_EXPR_F32 = 1 };         // float, and x is rounded to it; else double
enum { ZP_EXPR_STACK_MAX = 128, ZP_EXPR_COST_MAX = 65536 };

typedef struct zp_op {
    uint32_t code;                // zp_op_code
    uint32_t argument;            // 0 where the code has none
} zp_op;

// A pose as a function of time. Children stand before their parents.
typedef struct zp_node {
    zp_name name;                 // 0: it has none
    uint32_t kind;                // zp_node_kind
    uint32_t a_ref, b_ref;        // node + 1 of TIME, BLEND, TRIGGER, PRODUCT; b of BLEND and PRODUCT
    uint32_t expr_ref;            // expression + 1 of TIME, BLEND, TRIGGER; 0: what it is given
    uint32_t clip_ref;            // clip + 1 of CLIP
    zp_name event;                // TRIGGER: notification, or state
    uint32_t detail;              // TRIGGER: zp_action, NOTIFY or REQUEST_STATE; FAULT: zp_fault
    uint32_t depth;               // poses at once that it takes to work it out; <= ZP_NODE_DEPTH_MAX
    uint32_t height;              // nodes on the longest way down; <= ZP_NODE_HEIGHT_MAX
    uint32_t cost;                // nodes and operations, each as often as it is come to; <= ZP_EXPR_COST_MAX
    uint32_t reserved;
} zp_node;
enum { ZP_NODE_DEPTH_MAX = 64, ZP_NODE_HEIGHT_MAX = 128 };
#define ZP_POLL_NS_MIN ((int64_t)1000000) // between two looks of a machine that poses

// A machine: states, and the edges between them. One that a director of slots drives says nothing of its own. One with
// routing FIRST_HOP runs by itself: each time the clip of its state is complete it takes a step, and what it is asked
// for it goes to along its edges. One with routing LISTED shows poses: each state is a node, of which x is the time of
// the world in seconds; it goes along its edges alone, when it is asked to, by a host or by an event REQUEST_STATE.
// There is at most one of those two kinds; none beside a director of slots, and LISTED beside no director.
//
// LISTED with commit NEXT_POLL looks at the world every poll_ns (0: when the host says): it tells what events lie
// between the last look and this one, and only then shows the state in which it stands since the last. With AT_ONCE a
// new state is shown at once, blended in over the edge's blend_ns, and there are no events.
typedef struct zp_machine {
    zp_name name;
    uint32_t routing;             // zp_routing
    uint32_t act;                 // zp_act
    uint32_t commit;              // zp_commit
    uint32_t window;              // zp_window: whether what is due at the end of an advance belongs to it
    uint32_t otherwise;           // ZP_OTHERWISE_...: a set of ways when no edge fits, tried in this order
    int64_t poll_ns;              // LISTED: between two looks, >= ZP_POLL_NS_MIN; 0: none, or the host's
    uint32_t first_state, state_count; // STATES, its own
    uint32_t first_edge, edge_count;   // EDGES, its own, sorted by from_ref (stable)
    uint32_t start;               // STATES: the first one, and where a release goes
    uint32_t flags;               // ZP_MACHINE_...
} zp_machine;

enum {
    ZP_OTHERWISE_FROM_ROOT = 1,   // the way from the first state
    ZP_OTHERWISE_DIRECT = 2,      // the first state of that group, without a way
    ZP_OTHERWISE_STEP = 4,        // a step as if the clip were complete; without this the host is told
};
enum {
    ZP_MACHINE_KEEPS_ROUTE = 1,   // of a way that has been found every edge is walked, one a completion, not the first
                                  // alone
    ZP_MACHINE_DEAD_END_ENTERS = 2, // a state that no edge leaves by itself is entered again, else it stays
    ZP_MACHINE_TIME_F32 = 4,      // LISTED: x is rounded to float
};

// Of a machine that runs by itself: one play, with ZP_PLAY_LATER and nothing else, of a clip that loops or holds, whose
// completion (zp_clip.complete_ns) is never or at 1 ns at least.
typedef struct zp_state {
    zp_name name;
    zp_name group;                // what several states are called together, and what is asked for
    zp_name activity;             // what is done in it, when nobody says more; 0: nothing
    uint32_t cel_ref;             // its picture: cel + 1
    uint32_t first_play, play_count; // WORDS: play + 1 of each lane, 0: none; played as long as it lasts
    uint32_t on_complete;         // zp_on_complete
    uint32_t reentry;             // zp_reentry
    uint32_t first_edge, edge_count; // EDGES: those out of it, in the order in which they were given
    uint32_t node_ref;            // LISTED: node + 1; else 0
    uint32_t reserved;
} zp_state;

// Of a machine that runs by itself: from a state, without a play across; the weight is 0 with REQUEST and above it with
// COMPLETE, and the weights out of a state have a finite sum, added in order. LISTED: from a state, with REQUEST.
typedef struct zp_edge {
    uint32_t from_ref;            // state + 1; 0: any
    uint32_t to;                  // state
    uint32_t when;                // zp_when
    uint32_t enter_ref;           // play + 1 across; 0: none
    double weight;
    int64_t blend_ns;             // LISTED and AT_ONCE: from what is shown to the state's pose; 0: at once
} zp_edge;

// A director decides what a machine is asked for. SPEECH: somebody speaks and stops, see zp_speech; of the members only
// kind and machine count, the others are 0. SLOTS: sources tell what they are at; what they say is merged by
// rank, waits for quiet, and becomes the machine's state; some states end by themselves; clicks, pictures held for a
// while and clips played from outside lie over it.
typedef struct zp_director {
    uint32_t kind;                // zp_director_kind
    uint32_t machine;
    uint32_t flags;               // ZP_DIRECTOR_...
    uint32_t swap;                // zp_swap
    uint32_t swap_play_ref;       // PLAY: play + 1
    uint32_t click_play_ref;      // play + 1
    uint32_t click_cel_ref;       // what a click shows: cel + 1
    uint32_t reserved;
    uint32_t first_slot, slot_count;     // SLOTS: one for each state of the machine, in their order
    uint32_t first_signal, signal_count; // SIGNALS
    int64_t quiet_ns;             // a signal counts when none has followed for so long,
    int64_t patience_ns;          // at the latest so long after the first
} zp_director;

enum {
    ZP_DIRECTOR_KEEP_SLOT = 1,    // a signal within a group changes the activity alone
    ZP_DIRECTOR_UNTIL_CLICK = 2,  // states that end by themselves wait for a click or a dismissal instead
    ZP_DIRECTOR_CLICK_SWAPS = 4,  // pictures that a click's clip names are shown
    ZP_DIRECTOR_EFFECTS = 8,      // effects are started
    ZP_DIRECTOR_REDUCED_ALWAYS = 16, // motion is reduced whatever the host says,
    ZP_DIRECTOR_REDUCED_NEVER = 32,  // or never
};

typedef struct zp_slot {
    uint32_t rank;                // of sources that say different things the highest counts, of equals the newest
    uint32_t flags;               // ZP_SLOT_...
    int64_t hold_ns;              // ENDS: after that long
    int64_t fresh_ns;             // what a source says counts that long from its time stamp; -1: for ever
} zp_slot;

enum {
    ZP_SLOT_ENDS = 1,             // by itself
    ZP_SLOT_OVERTAKES = 2,        // counts before a higher rank that is older
};

// What a source may say, and which state it means by it. The first that fits counts.
typedef struct zp_signal {
    zp_name type;
    zp_name tool;                 // 0: any
    zp_name activity;
    uint32_t state_ref;           // state + 1; 0: a dismissal
} zp_signal;

// What a director of speech knows. Beginning to speak leads into a performance; at its end the closed frame is held for
// a while, and then the character goes back. VOICES, INTENTS and ALIASES are its own.
typedef struct zp_speech {
    uint32_t voices;              // WORDS [states of the machine]: voice of each
    uint32_t entry_ref;           // voice + 1 that is asked for when somebody begins to speak; 0: none
    uint32_t other_ref;           // voice + 1 that is asked for in its place out of a state that is ZP_VOICE_OTHER,
    uint32_t reserved;
    double other_chance;          // where a random number is below this
    int64_t hold_ns;              // after speech
    int64_t after_ns_min;         // least stay in what comes after an intent
} zp_speech;

// What may be asked for: the group of some states, and what else has a meaning here.
typedef struct zp_voice {
    zp_name name;                 // sorted by the bytes of their texts
    uint32_t flags;               // ZP_VOICE_...
    uint32_t intent_ref;          // intent + 1 that it expresses
    uint32_t first_other, other_count; // WORDS: names of groups whose states answer it as well as its own
    uint32_t overlay_ref;         // overlay + 1 that lies over it, if its mouth is followed
} zp_voice;

enum {
    ZP_VOICE_PERFORMS = 1,        // speech ends here with a hold and a way back,
    ZP_VOICE_PLAIN = 2,           // to the first state whatever was expressed
    ZP_VOICE_WAITS = 4,           // at its end it waits for speech to begin
    ZP_VOICE_OTHER = 8,           // the other entry may be chosen from here
};

// What may be expressed while speaking.
typedef struct zp_intent {
    zp_name name;
    uint32_t entry_ref;           // voice + 1 that is asked for in place of one that expresses it; 0: that one
    uint32_t after_ref;           // state + 1 that follows the hold; 0: the machine's first
    uint32_t reserved;
} zp_intent;

// Another word for a voice. In lower case, sorted by bytes.
typedef struct zp_alias {
    zp_name word;
    uint32_t voice;
} zp_alias;

// What a particle may look like: an outline in a box as wide as the particle's size.
typedef struct zp_shape {
    zp_name name;
    uint32_t outline;             // zp_outline
    double aspect;                // height / width
    double corner;                // ROUNDED: radius, units
    uint32_t points;              // POLYGON: NUMBERS [2 * point_count], x and y of the corners as fractions of the box,
                                  // clockwise as seen (y down) about its middle
    uint32_t point_count;         // 3..ZP_SHAPE_POINTS_MAX
} zp_shape;
enum { ZP_SHAPE_POINTS_MAX = 64 };

typedef struct zp_range {         // a number drawn evenly from it is low + u * (high - low)
    double low, high;
} zp_range;

// What START_EFFECT starts on a target.
//
// PATH: a burst of particles let go at one instant, at a place of the target, which they follow. Each draws, in this
// order: colour, size, shape, angle (2 pi u), travel, spin, the spin's sign (negative below a half), life. Its way is
// that of the keys, straight between them, the whole progress of its life first put through the easing.
//
// INTEGRATED: an emitter says all but the name, the target and the drawing's layer, order, blend, picture and colours
// (LIGHT, DECAL: the first; TRAIL: of the head and of the end). The members from burst_count on are 0, but for colours.
typedef struct zp_effect {
    zp_name name;
    uint32_t motion;              // zp_motion
    uint32_t target;
    uint32_t flags;               // ZP_EFFECT_...
    double origin[2];             // in the target's units
    int32_t layer, order;         // of drawing, as with sprites; behind all sprites of the same layer and order
    uint32_t burst_count;         // particles asked for
    uint32_t burst_max;           // at most so many of them,
    uint32_t alive_max;           // and no more than leave so many alive, over all effects; <= ZP_EFFECT_ALIVE_MAX
    uint32_t easing_ref;          // easing + 1; 0: straight
    uint32_t keys, key_count;     // NUMBERS [ZP_PATH_COUNT * key_count], row a key, `at` rising from 0;
                                  // 2..ZP_PATH_KEYS_MAX
    uint32_t colours, colour_count; // NUMBERS [4 * colour_count]: red, green, blue, alpha, 0..1, not premultiplied;
                                    // >= 1
    uint32_t shapes, shape_count; // SHAPES; >= 1; a shape listed twice is drawn twice as often
    zp_range size;                // width, units
    zp_range travel;              // units
    zp_range spin;                // degrees, clockwise
    zp_range life;                // in life_unit_ns
    int64_t life_unit_ns;
    double fall;                  // units, down
    uint32_t kind;                // zp_effect_kind; PATH: PARTICLES
    uint32_t emitter_ref;         // INTEGRATED: emitter + 1, its own
    uint32_t blend;               // zp_effect_blend
    uint32_t cel_ref;             // its picture: cel + 1; 0: plain colour, and always with PATH
} zp_effect;

enum {
    ZP_EFFECT_ROUND_SIZE = 1,     // width and height to whole units, halves up, each from the number drawn
    ZP_EFFECT_ROUND_KEYS = 2,     // offset and turn at each key to hundredths, halves up
};
enum { ZP_EFFECT_ALIVE_MAX = 65536, ZP_PATH_KEYS_MAX = 64 };

// What a key of a path says: offset = distance * travel * (cos, sin) + (0, fall_share * fall), turn = turn_share *
// spin.
enum { ZP_PATH_AT, ZP_PATH_DISTANCE, ZP_PATH_FALL, ZP_PATH_TURN, ZP_PATH_OPACITY, ZP_PATH_COUNT };

// A number that depends on a position t and on a random number r. Its curves are cubic Hermite between keys, held
// beyond them; at keys of equal time the first counts, at the very end the last; without keys 0.
typedef struct zp_minmax {
    uint32_t mode;                // zp_minmax_mode
    uint32_t min_count, max_count; // <= ZP_MINMAX_KEYS_MAX; 0 in modes that do not use them
    uint32_t min_keys, max_keys;  // NUMBERS [ZP_KEY_COUNT * count], row a key, times not falling
    uint32_t reserved;
    double multiplier;            // of curves
    double constant_min, constant_max;
} zp_minmax;
enum { ZP_KEY_TIME, ZP_KEY_VALUE, ZP_KEY_IN, ZP_KEY_OUT, ZP_KEY_COUNT }; // tangents per unit of t
enum { ZP_MINMAX_KEYS_MAX = 128, ZP_GRADIENT_KEYS_MAX = 32 };

// The same for a colour: red, green, blue, alpha, not premultiplied, not limited; straight between keys; without keys
// white.
typedef struct zp_gradient {
    uint32_t mode;                // zp_gradient_mode
    uint32_t min_count, max_count; // <= ZP_GRADIENT_KEYS_MAX
    uint32_t min_keys, max_keys;  // NUMBERS [5 * count]: time and colour, times not falling
    uint32_t reserved;
    double colour_min[4], colour_max[4];
} zp_gradient;

// Particles let go at time + k * interval of each loop, k < cycle_count, nearest ns, if that lies before the loop's
// end: between count_min and count_max of them, each cycle with a probability of its own.
typedef struct zp_burst {
    double time, interval;        // seconds
    double probability;
    uint32_t count_min, count_max; // <= ZP_BURST_MAX
    uint32_t cycle_count;         // 1..ZP_BURST_CYCLES_MAX
    uint32_t reserved;
} zp_burst;
enum { ZP_BURST_MAX = 32767, ZP_BURST_CYCLES_MAX = 1000, ZP_BURSTS_MAX = 64 };

// What moves step by step, on a grid of 120 a second from its start: where it stands on its target, how long it lasts,
// and for PARTICLES when they are born and what becomes of them. References to MINMAXES and GRADIENTS count from 1; 0
// is a constant 0, and white. t is the time in the loop over duration_ns for what is said at birth, the age over the
// life for what is said of life (gravity among it). Lengths are units of the program, times seconds, z points away from
// the viewer.
typedef struct zp_emitter {
    uint32_t flags;               // ZP_EMITTER_...
    uint32_t particles_max;       // alive at once, of one start
    int64_t duration_ns;          // PARTICLES: of one loop of emission; TRAIL: it lays so long; else: it lasts so long
    int64_t end_ns;               // after its start it is over, with all that lives; -1: when the run that started it
                                  // is, and its last particle has died
    double place[3];              // in the target's units
    double turn[9];               // rows of a rotation
    double scale[3];              // LOCAL: of what is shown; else: of place and speed at birth. x and y: of sizes
    double pull[3];               // by which gravity 1 accelerates, units a second squared, in the program's axes
    uint32_t birthplace;          // zp_birthplace
    uint32_t start_count;         // born at the start, before all else
    double radius;                // of the birthplace; LIGHT: where it ends
    double angle;                 // degrees, of cones, 0..90
    uint32_t first_burst, burst_count; // BURSTS
    uint32_t rate_ref;            // particles a second
    uint32_t way_ref;             // particles a unit that the emitter moves, not LOCAL
    uint32_t life_ref, speed_ref, size_ref, colour_ref; // at birth; colour: of GRADIENTS
    uint32_t gravity_ref;
    uint32_t velocity_refs[3];    // added to what the particle has by itself
    uint32_t spin_ref;            // radians a second, clockwise as seen
    uint32_t spin_axis;           // 0..2: which random number it has
    uint32_t size_refs[2];        // factors; 0: 1. x is also y's with ONE_SIZE
    uint32_t over_ref;            // of GRADIENTS: multiplied with the colour
    uint32_t noise_refs[3];       // strength along each axis, units a second
    uint32_t scroll_ref;          // how fast the noise moves by
    uint32_t noise_dimensions;    // 1..3; 0: no noise
    uint32_t noise_octaves;       // 1..4
    uint32_t facing;              // zp_facing
    double noise_frequency, noise_gain, noise_lacunarity; // gain and frequency of an octave to that of the one before
    uint32_t columns, rows;       // in which the picture is cut, 1..64; frames are counted along the rows, from the top
    uint32_t frame;               // of DECAL; of PARTICLES that are not SHEET_MOVES (a column, where ROW)
    uint32_t row, cycles;         // PARTICLES with ROW: which; times that the sheet is gone through
    uint32_t frame_ref, start_ref; // SHEET_MOVES: shares of the sheet, 0..1 and around again
    uint32_t first_cel, cel_count; // WORDS: cels, one a frame, in place of the effect's; 0: none
    uint32_t reserved;
    double start;                 // SHEET_MOVES: without start_ref
    double inner, intensity;      // LIGHT: full up to this radius; factor of the colour
    double width, apart;          // TRAIL: at the head; the least way between two points
    int64_t point_ns;             // TRAIL: how long a point lasts
    double pixel;                 // DECAL: units a pixel of the picture
} zp_emitter;

enum {
    ZP_EMITTER_LOOPS = 1,         // the emission begins again after duration_ns
    ZP_EMITTER_LOCAL = 2,         // particles move with the target, else they stay in the program's space
    ZP_EMITTER_WORLD_VELOCITY = 4, // velocity_refs are along the program's axes
    ZP_EMITTER_ONE_SIZE = 8,
    ZP_EMITTER_ONE_NOISE = 16,    // the strength along x is that along all
    ZP_EMITTER_ROW = 32,          // one row of the sheet
    ZP_EMITTER_RANDOM_ROW = 64,   // which one, by chance
    ZP_EMITTER_SHEET_MOVES = 128,
};
enum { ZP_SHEET_MAX = 64, ZP_CYCLES_MAX = 1000, ZP_OCTAVES_MAX = 4, ZP_EMITTER_PARTICLES_MAX = 1 << 20 };
#define ZP_LOOP_NS_MIN ((int64_t)1000000) // of emission: what is done in a tick stays little

// Triangles in space, moved by targets. Parts, vertices, triangles and bindings belong to one mesh each, in the order
// of the meshes. A vertex without bones stays where it is. x points to the right, z towards a viewer whose camera is
// not turned.
typedef struct zp_mesh {
    zp_name name;
    uint32_t rule;                // zp_skin_rule
    uint32_t flags;               // ZP_MESH_...
    uint32_t reserved;
    uint32_t first_part, part_count;
    uint32_t first_vertex, vertex_count;
    uint32_t first_triangle, triangle_count;
    uint32_t first_binding, binding_count; // UV_BINDINGS
    double least;                 // AVERAGE: sums of weights up to this move nothing; >= 0; else 0
    double low[3], high[3];       // the box around its vertices, which nothing moves yet
} zp_mesh;
enum {
    ZP_MESH_REST_LEFT_OUT = 1,    // a bone whose matrix is exactly the identity is left out of sums, its weight too
};
#define ZP_MESH_FAR 1e6           // no coordinate, weight or part of a rest matrix is beyond it

// Triangles of a mesh that are drawn alike, and their vertices; one part's behind the other's.
typedef struct zp_part {
    zp_name name;
    uint32_t cel_ref;             // its picture: cel + 1; 0: the colours of its vertices alone
    uint32_t surface;             // zp_surface
    uint32_t flags;               // ZP_PART_...
    uint32_t first_vertex, vertex_count;
    uint32_t first_triangle, triangle_count;
    double alpha_min;             // CUT: texels of less alpha are left out, 0..1
} zp_part;
enum {
    ZP_PART_TWO_SIDED = 1,        // else seen only from where its corners go around counter-clockwise
    ZP_PART_SHADED = 2,           // darkened by where its normals point: above 1, sides .8 (z) and .6 (x), below .5
    ZP_PART_REPEAT_U = 4,         // its picture is there again left and right of itself,
    ZP_PART_REPEAT_V = 8,         // and above and below
    ZP_PART_FLAGS = 15,
};

typedef struct zp_vertex {
    float position[3];            // units
    float normal[3];              // of length 1, or 0 where there is none: then nothing darkens it
    float uv[2];                  // fractions of the cel's picture, v down; beyond 0..1: its border, or it again
    float colour[4];              // red, green, blue, alpha, 0..1, not premultiplied
    uint32_t first_weight, weight_count; // WEIGHTS, which vertices may share
} zp_vertex;

typedef struct zp_triangle {
    uint32_t corners[3];          // of its part's vertices, from the mesh's first; counter-clockwise from outside
} zp_triangle;

// What moves vertices: a target, seen from how it stands at rest: its matrix, times `inverse` with ZP_BONE_FROM_REST.
typedef struct zp_bone {
    uint32_t target;
    uint32_t flags;               // ZP_BONE_...
    double inverse[12];           // of the target's matrix at rest, row-major 3x4; without the flag 0
} zp_bone;
enum { ZP_BONE_FROM_REST = 1 };

typedef struct zp_weight {
    uint32_t bone;
    float weight;
} zp_weight;

// A texture coordinate of a vertex that follows a control, as soon as the host has set it.
typedef struct zp_uv_binding {
    uint32_t vertex;              // of its mesh, from 0
    uint32_t component;           // 0: u, 1: v
    uint32_t param;               // PARAMS, a control: its value at 0
    uint32_t reserved;
    double scale;                 // coordinate a unit of it
} zp_uv_binding;

// Where in which source a record came from.
typedef struct zp_source_range {
    uint32_t section;             // zp_section_id
    uint32_t record;
    uint32_t offset, length;      // bytes
} zp_source_range;

// ---------------------------------------------------------------------------------------------------- layout, pinned

_Static_assert(sizeof(zp_section) == 8, "layout");
_Static_assert(sizeof(zp_header) == 80 + 8 * ZP_SECTION_COUNT, "layout");
_Static_assert(sizeof(zp_header) % 8 == 0, "sections begin at multiples of 8");
_Static_assert(sizeof(zp_clip) == 136, "layout");
_Static_assert(sizeof(zp_curve) == 48, "layout");
_Static_assert(sizeof(zp_interval) == 8, "layout");
_Static_assert(sizeof(zp_easing) == 8 * (4 + 6 + 1) + 16 * ZP_EASING_PIECES, "layout");
_Static_assert(sizeof(zp_insert) == 40, "layout");
_Static_assert(sizeof(zp_event) == 40, "layout");
_Static_assert(sizeof(zp_argument) == 24, "layout");
_Static_assert(sizeof(zp_channel) == 48, "layout");
_Static_assert(sizeof(zp_layer) == 16, "layout");
_Static_assert(sizeof(zp_param) == 48, "layout");
_Static_assert(sizeof(zp_target) == 200, "layout");
_Static_assert(sizeof(zp_sprite) == 80, "layout");
_Static_assert(sizeof(zp_cel) == 80, "layout");
_Static_assert(sizeof(zp_image) == 16, "layout");
_Static_assert(sizeof(zp_overlay) == 104, "layout");
_Static_assert(sizeof(zp_play) == 56, "layout");
_Static_assert(sizeof(zp_expr) == 24, "layout");
_Static_assert(sizeof(zp_op) == 8, "layout");
_Static_assert(sizeof(zp_node) == 48, "layout");
_Static_assert(sizeof(zp_machine) == 56, "layout");
_Static_assert(sizeof(zp_state) == 48, "layout");
_Static_assert(sizeof(zp_edge) == 32, "layout");
_Static_assert(sizeof(zp_director) == 64, "layout");
_Static_assert(sizeof(zp_slot) == 24, "layout");
_Static_assert(sizeof(zp_signal) == 16, "layout");
_Static_assert(sizeof(zp_speech) == 40, "layout");
_Static_assert(sizeof(zp_voice) == 24, "layout");
_Static_assert(sizeof(zp_intent) == 16, "layout");
_Static_assert(sizeof(zp_alias) == 8, "layout");
_Static_assert(sizeof(zp_shape) == 32, "layout");
_Static_assert(sizeof(zp_effect) == 176, "layout");
_Static_assert(sizeof(zp_emitter) == 408, "layout");
_Static_assert(sizeof(zp_burst) == 40, "layout");
_Static_assert(sizeof(zp_minmax) == 48, "layout");
_Static_assert(sizeof(zp_gradient) == 88, "layout");
_Static_assert(sizeof(zp_mesh) == 104, "layout");
_Static_assert(sizeof(zp_part) == 40, "layout");
_Static_assert(sizeof(zp_vertex) == 56, "layout");
_Static_assert(sizeof(zp_triangle) == 12, "layout");
_Static_assert(sizeof(zp_bone) == 104, "layout");
_Static_assert(sizeof(zp_weight) == 8, "layout");
_Static_assert(sizeof(zp_uv_binding) == 24, "layout");
_Static_assert(sizeof(zp_source_range) == 16, "layout");
#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "blobs are used in place; a big-endian host needs a swap");
#endif

// ---------------------------------------------------------------------------------------------------- the view

// A checked blob with its sections found: what the runtime works on. `zo_program` is this.
struct zo_program {
    zo_allocator allocator;
    const uint8_t *blob;
    size_t blob_size;
    const zp_header *header;
    const zp_clip *clips;
    const zp_curve *curves;
    const zp_interval *intervals;
    const zp_easing *easings;
    const zp_insert *inserts;
    const zp_event *events;
    const zp_argument *arguments;
    const zp_channel *channels;
    const zp_layer *layers;
    const zp_param *params;
    const zp_target *targets;
    const zp_sprite *sprites;
    const zp_cel *cels;
    const zp_image *images;
    const zp_overlay *overlays;
    const zp_play *plays;
    const uint32_t *words;
    const zp_machine *machines;
    const zp_state *states;
    const zp_edge *edges;
    const zp_director *directors;
    const zp_slot *slots;
    const zp_signal *signals;
    const zp_speech *speeches;
    const zp_voice *voices;
    const zp_intent *intents;
    const zp_alias *aliases;
    const zp_effect *effects;
    const zp_shape *shapes;
    const zp_emitter *emitters;
    const zp_burst *bursts;
    const zp_minmax *minmaxes;
    const zp_gradient *gradients;
    const zp_mesh *meshes;
    const zp_part *parts;
    const zp_vertex *vertices;
    const zp_triangle *triangles;
    const zp_bone *bones;
    const zp_weight *weights;
    const zp_uv_binding *uv_bindings;
    const zp_expr *exprs;
    const zp_op *ops;
    const zp_node *nodes;
    const double *numbers;
    const int64_t *instants;
    const zp_source_range *srcmap;
    const char *names;
};
typedef struct zo_program zp_program;

// What the runtime can play of what the records can say. The validator refuses the rest, so that nothing is left to
// refuse when it is played.
//
// Curves: EXPLICIT, UNIFORM_OPEN, UNIFORM_LOOP and STEP_NS keys; in F64 all but ANGLE and HERMITE, with or without a
// parameter (one of SCALED and INSERTED), SLERP without one and four wide: the quaternion's x, y, z, w; in INDEX what
// holds; in F32_PRODUCT what holds, LERP and ANGLE, between uniform or explicit keys; in F32_HERMITE explicit keys,
// each interval HERMITE, LERP or HOLD. EXPLICIT keys that WRAP go on from the last key to the first of the next pass:
// all lie within one pass.
static inline bool zp_interpolation_supported(uint32_t interpolation, uint32_t arithmetic) { // of one interval
    switch (interpolation) {
    case ZP_INTERPOLATE_HOLD: return arithmetic < ZP_ARITHMETIC_COUNT;
    case ZP_INTERPOLATE_HOLD_NEXT:
    case ZP_INTERPOLATE_NEAREST: return arithmetic != ZP_ARITHMETIC_F32_HERMITE && arithmetic < ZP_ARITHMETIC_COUNT;
    case ZP_INTERPOLATE_LERP: return arithmetic < ZP_ARITHMETIC_INDEX;
    case ZP_INTERPOLATE_HERMITE: return arithmetic == ZP_ARITHMETIC_F32_HERMITE;
    case ZP_INTERPOLATE_EASE:
    case ZP_INTERPOLATE_SLERP: return arithmetic == ZP_ARITHMETIC_F64;
    case ZP_INTERPOLATE_ANGLE: return arithmetic == ZP_ARITHMETIC_F32_PRODUCT;
    default: return false;
    }
}

// Whether the curve reads INTERVALS.
static inline bool zp_curve_has_intervals(const zp_curve *curve) {
    return curve->interpolation == ZP_INTERPOLATE_PER_INTERVAL || curve->interpolation == ZP_INTERPOLATE_EASE;
}

// Whether a quaternion may turn from key to key.
static inline bool zp_curve_turns(const zp_curve *curve) {
    return curve->width == 4 && curve->flags == 0 && curve->finish == ZP_FINISH_NONE;
}

static inline bool zp_curve_supported(const zp_curve *curve) {
    if (curve->placement > ZP_PLACE_STEP_NS) { return false; }
    if (curve->ends >= ZP_ENDS_COUNT || curve->finish >= ZP_FINISH_COUNT) { return false; }
    if (curve->width < 1 || curve->width > 16) { return false; }
    if (curve->flags & ~(ZP_CURVE_SCALED | ZP_CURVE_INSERTED)) { return false; }
    if (curve->flags == (ZP_CURVE_SCALED | ZP_CURVE_INSERTED)) { return false; }
    if (curve->flags != 0 && curve->arithmetic != ZP_ARITHMETIC_F64) { return false; }
    if (curve->arithmetic == ZP_ARITHMETIC_F32_PRODUCT && curve->placement == ZP_PLACE_STEP_NS) { return false; }
    if (curve->interpolation == ZP_INTERPOLATE_SLERP && !zp_curve_turns(curve)) { return false; }
    if (curve->arithmetic == ZP_ARITHMETIC_F32_HERMITE) {
        return curve->placement == ZP_PLACE_EXPLICIT && curve->ends == ZP_ENDS_CLAMP && curve->instants == 0 &&
               curve->interpolation == ZP_INTERPOLATE_PER_INTERVAL;
    }
    if (zp_curve_has_intervals(curve) && (curve->ends != ZP_ENDS_CLAMP || curve->placement == ZP_PLACE_UNIFORM_LOOP)) {
        return false; // the last key's interval is not stored
    }
    if (curve->interpolation == ZP_INTERPOLATE_PER_INTERVAL) {
        return curve->arithmetic == ZP_ARITHMETIC_F64 || curve->arithmetic == ZP_ARITHMETIC_INDEX;
    }
    return zp_interpolation_supported(curve->interpolation, curve->arithmetic);
}

// What may stand in INTERVALS of a curve that reads them; all but the last are read.
static inline bool zp_interval_supported(const zp_curve *curve, const zp_interval *interval) {
    if (curve->interpolation == ZP_INTERPOLATE_EASE) { return interval->interpolation == ZP_INTERPOLATE_EASE; }
    if (interval->interpolation == ZP_INTERPOLATE_SLERP && !zp_curve_turns(curve)) { return false; }
    return zp_interpolation_supported(interval->interpolation, curve->arithmetic);
}

// Clips: from the run's start, every pass from its beginning; events only where passes run forwards. No duration is
// beyond ZP_DURATION_NS_MAX, so that no sum of two times overflows.
#define ZP_DURATION_NS_MAX ((int64_t)1 << 61)
static inline bool zp_clip_supported(const zp_clip *clip) {
    return clip->time_unit < ZP_TIME_COUNT && clip->origin == ZP_ORIGIN_ENTRY && clip->loop_start_ns == 0 &&
           clip->repeat < ZP_REPEAT_COUNT && clip->duration_ns >= 1 && clip->duration_ns <= ZP_DURATION_NS_MAX &&
           clip->duration_ns_min >= 1 && clip->duration_ns_min <= clip->duration_ns_max &&
           clip->duration_ns_max <= ZP_DURATION_NS_MAX && clip->complete_ns >= -1 &&
           (clip->time_unit == ZP_TIME_FRAMES ? clip->frame_ns >= 1 && clip->frame_ns <= ZP_DURATION_NS_MAX
                                              : clip->frame_ns == 0) &&
           (!(clip->flags & ZP_CLIP_WRAPS) ||
            (clip->time_unit == ZP_TIME_FRACTION && !(clip->flags & ZP_CLIP_OPEN))) &&
           clip->complete_ns <= clip->duration_ns &&
           !(clip->repeat == ZP_REPEAT_ALTERNATE && clip->event_count > 0);
}

// ns of one unit of the clip's times, and the length of a pass in it.
static inline double zp_clip_unit_ns(const zp_clip *clip) {
    return clip->time_unit == ZP_TIME_SECONDS ? 1e9
           : clip->time_unit == ZP_TIME_FRAMES ? (double)clip->frame_ns : (double)clip->duration_ns;
}
static inline double zp_clip_length(const zp_clip *clip) {
    return clip->time_unit == ZP_TIME_FRACTION ? 1.0 : (double)clip->duration_ns / zp_clip_unit_ns(clip);
}

// Effects: bursts along a path, and what emitters make. What they draw stays far from the ends of double, so that no
// sum of it overflows.
#define ZP_EFFECT_FAR 1e9
static inline bool zp_range_supported(zp_range range, double low, double high) {
    return range.low >= low && range.low <= range.high && range.high <= high; // false for NaN
}
static inline bool zp_effect_supported(const zp_effect *effect) { // along a path
    return effect->motion == ZP_MOTION_PATH && effect->kind == ZP_EFFECT_PARTICLES && effect->emitter_ref == 0 &&
           effect->blend == ZP_EFFECT_OVER && effect->cel_ref == 0 &&
           zp_range_supported(effect->size, 0.0, ZP_EFFECT_FAR) &&
           zp_range_supported(effect->travel, -ZP_EFFECT_FAR, ZP_EFFECT_FAR) &&
           zp_range_supported(effect->spin, -ZP_EFFECT_FAR, ZP_EFFECT_FAR) &&
           zp_range_supported(effect->life, 0.0, ZP_EFFECT_FAR) &&
           effect->life_unit_ns >= 1 && effect->life_unit_ns <= 1000000000 &&
           effect->fall >= -ZP_EFFECT_FAR && effect->fall <= ZP_EFFECT_FAR;
}

// Machines: what the director of slots needs of them, what runs by itself, and what shows poses.
static inline bool zp_machine_runs(const zp_machine *machine) { return machine->routing == ZP_ROUTING_FIRST_HOP; }
static inline bool zp_machine_poses(const zp_machine *machine) { return machine->routing == ZP_ROUTING_LISTED; }
static inline bool zp_machine_supported(const zp_machine *machine) {
    if (zp_machine_poses(machine)) {
        const bool polls = machine->commit == ZP_COMMIT_NEXT_POLL;
        return machine->act == ZP_ACT_NOW && (polls || machine->commit == ZP_COMMIT_AT_ONCE) &&
               machine->window == ZP_WINDOW_OPEN_CLOSED && machine->otherwise == 0 &&
               (machine->flags & ~(uint32_t)ZP_MACHINE_TIME_F32) == 0 && machine->poll_ns <= ZP_DURATION_NS_MAX &&
               (machine->poll_ns == 0 || (polls && machine->poll_ns >= ZP_POLL_NS_MIN));
    }
    if (machine->poll_ns != 0) { return false; }
    if (zp_machine_runs(machine)) {
        const uint32_t ways = ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT | ZP_OTHERWISE_STEP;
        const uint32_t flags = ZP_MACHINE_KEEPS_ROUTE | ZP_MACHINE_DEAD_END_ENTERS;
        return machine->act < ZP_ACT_COUNT && machine->commit == ZP_COMMIT_AT_ONCE &&
               machine->window < ZP_WINDOW_COUNT && (machine->otherwise & ~ways) == 0 && (machine->flags & ~flags) == 0;
    }
    return machine->routing == ZP_ROUTING_ANY && machine->act == ZP_ACT_NOW && machine->commit == ZP_COMMIT_AT_EVENT &&
           machine->window == ZP_WINDOW_OPEN_CLOSED && machine->otherwise == 0 && machine->flags == 0;
}
enum { ZP_LANES_MAX = 8 };        // plays of one state

static inline uint32_t zp_count(const zp_program *program, zp_section_id section) {
    return program->header->sections[section].count;
}
static inline const char *zp_name_text(const zp_program *program, zp_name name) { return program->names + name; }

static inline bool zp_y_up(const zp_program *program) { return program->header->stage[1] > program->header->stage[3]; }

// Bytes of a record; 1 for NAMES.
uint32_t zp_record_size(zp_section_id section);

// What zp_header.hash should be, for a blob whose section table is in order.
uint64_t zp_program_hash(const void *blob);

// Points the members of `program` into the blob. Only for a blob that has been checked, or has just been built.
void zp_program_view(zp_program *program, const void *blob, size_t size);

// Checks an untrusted blob whole: sizes, ranges, enumerations, finite rising times, sorted events, texts that end, no
// cycle of zero duration, no target before its parent, easings equal to the ones that would be built, the hash. true:
// nothing that the runtime does with it can fail or run on without end. Needs no memory. `what`, if not NULL, names the
// first thing that is wrong (static text).
bool zp_program_check(const void *blob, size_t size, const char **what);

// Of the above, what belongs to emitters: MINMAXES, GRADIENTS, BURSTS and EMITTERS. NULL: fine, else what is wrong.
// `budget`: elements of pools that may still be looked at, counted down.
const char *zp_emitters_check(const zp_program *program, uint64_t *budget);
// The same of an INTEGRATED effect, whose name, target and layer are fine. Emitters belong to one effect each, in
// order.
const char *zp_integrated_check(const zp_program *program, const zp_effect *effect, uint32_t emitters_before);

// The curve by which the clip of a checked overlay shows the sprite's frames.
const zp_curve *zp_overlay_curve(const zp_program *program, const zp_overlay *overlay);
// Overlays, whose clips, curves and sprites are fine; NULL: fine, else what is wrong.
const char *zp_overlays_check(const zp_program *program, uint64_t *budget);
// What a director of speech knows; its machine is fine.
const char *zp_speech_check(const zp_program *program, const zp_director *director, uint64_t *budget);
// Meshes and all that belongs to them; targets, cels and parameters are fine.
const char *zp_meshes_check(const zp_program *program, uint64_t *budget);

// Controls, expressions and nodes; all before them is fine. NULL: fine, else what is wrong.
const char *zp_nodes_check(const zp_program *program, uint64_t *budget);

// What is worked out of an expression's operations. Shared by the builder and the check.
typedef struct zp_expr_size { uint32_t stack, cost; } zp_expr_size;
// `exprs`: those that may be called, [expr_count]. NULL: fine, and *size says how large; else what is wrong.
const char *zp_expr_measure(const zp_op *ops, uint32_t op_count, const zp_expr *exprs, uint32_t expr_count,
                            zp_expr_size *size);
// depth, height and cost of a node whose children are among `nodes`, [node_count], and whose expression among `exprs`.
// They may be beyond the limits, and then saturate.
void zp_node_measure(zp_node *node, const zp_node *nodes, const zp_expr *exprs);

struct zb_buffer;
// below an effect's line
void zp_emitter_dump(const zp_program *program, const zp_effect *effect, struct zb_buffer *out);
void zp_overlays_dump(const zp_program *program, struct zb_buffer *out);
void zp_speech_dump(const zp_program *program, struct zb_buffer *out);
void zp_meshes_dump(const zp_program *program, struct zb_buffer *out);
void zp_nodes_dump(const zp_program *program, struct zb_buffer *out);
void zp_posing_dump(const zp_program *program, const zp_machine *machine, struct zb_buffer *out);
// A listing of every record, for people and for tests.
void zp_program_dump(const zp_program *program, struct zb_buffer *out);

#endif
