// What is in a program: clips, channels, parameters, targets, cels, by index and by name. Texts belong to the program.
#ifndef ZOETROPE_INSPECT_H
#define ZOETROPE_INSPECT_H

#include <zoetrope/base.h>
#include <zoetrope/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zo_repeat {
    ZO_REPEAT_ONCE = 0,
    ZO_REPEAT_LOOP = 1,
    ZO_REPEAT_ALTERNATE = 2,       // every second pass backwards
    ZO_REPEAT_RANDOM_INTERVAL = 3, // wait, pass, wait, pass
    ZO_REPEAT_HOLD = 4,            // one pass, then the last value stays
} zo_repeat;

typedef enum zo_time_unit {
    ZO_TIME_FRACTION = 0, // 0..1 of one pass
    ZO_TIME_SECONDS = 1,
    ZO_TIME_FRAMES = 2,
} zo_time_unit;

typedef struct zo_clip_info {
    const char *name;  // its id in the source
    const char *label; // what people call it, or ""
    const char *kind;  // the source's own word for the kind of clip, or ""
    zo_time_unit time_unit;
    zo_repeat repeat;
    int64_t duration_ns;       // of one pass
    int64_t frame_ns;          // ZO_TIME_FRAMES: how long one lasts; else 0
    int64_t duration_ns_min;   // what zo_run_def.duration_ns is cut to
    int64_t duration_ns_max;
    double delay_ms_min;       // RANDOM_INTERVAL only
    double delay_ms_max;
    uint32_t curve_count;      // channels that it moves
    uint32_t key_count;        // over all of them
    uint32_t event_count;
    uint32_t param_count;      // those that it is bound to
    zo_param first_param;
    zo_clip reduced;           // the clip played instead under reduced motion; none: itself
} zo_clip_info;

typedef struct zo_channel_info {
    const char *name; // "transition.scaleX"
    const char *unit; // "px", "deg", "factor", "ratio", "picture"
    double rest;      // the value while no run holds the channel
    bool is_index;    // a picture number rather than a quantity
    bool used;        // whether any clip has a curve for it
} zo_channel_info;

typedef struct zo_param_info {
    const char *name;
    double value, low, high; // default and limits
    zo_clip clip;            // the clip that declares it; none: a control, which is a line over what it is asked for
    double slope;            // of a control: by default it makes value + slope * x of x; it has no limits
    bool needed;             // a control without a default
} zo_param_info;

// What a program asks for and there is none of.
typedef enum zo_fault {
    ZO_FAULT_NONE = 0,
    ZO_FAULT_MISSING_OPERAND = 1,
    ZO_FAULT_UNRESOLVED_PARAM = 2, // also a control that is needed, and that nobody has set
    ZO_FAULT_CYCLE = 3,
    ZO_FAULT_UNRESOLVED_CLIP = 4,
    ZO_FAULT_COUNT
} zo_fault;
ZO_API const char *zo_fault_name(zo_fault fault); // "missing-operand"; "" for none

typedef struct zo_cel_info {
    const char *name;   // of the picture: "idle"
    double anchor_x, anchor_y; // fraction of the picture that stands on the sprite's origin
    double zoom;
    const char *image;  // the file or picture that it is (a part of), as the source calls it; "": the host's to supply
} zo_cel_info;

typedef enum zo_action {
    ZO_ACTION_NOTIFY = 0,        // tells the host, changes nothing
    ZO_ACTION_SHOW_CEL = 1,      // the picture becomes another one
    ZO_ACTION_START_EFFECT = 2,
    ZO_ACTION_REQUEST_STATE = 3,
} zo_action;

typedef struct zo_clip_event_info {
    int64_t at_ns;    // at the clip's own duration
    double at;        // in the clip's unit
    zo_action action;
    const char *name; // effect, notification or state; the cel's name for SHOW_CEL, "" for the cel that the run was
                      // given
    uint32_t argument_count;
} zo_clip_event_info;

typedef enum zo_argument_kind {
    ZO_ARGUMENT_NUMBER = 0,
    ZO_ARGUMENT_TEXT = 1,
    ZO_ARGUMENT_FLAG = 2,
} zo_argument_kind;

// What an event tells besides its name. What the source leaves out is there with its default, where it has one.
typedef struct zo_argument_info {
    const char *name;
    zo_argument_kind kind;
    double number;    // NUMBER; FLAG: 0 or 1
    const char *text; // TEXT; else ""
} zo_argument_info;

ZO_API const char *zo_program_format(const zo_program *program); // the format that it was read from
ZO_API zo_profile zo_program_profile(const zo_program *program);
ZO_API uint64_t zo_program_hash(const zo_program *program);      // of its content; equal programs, equal hashes

// Left, top, right and bottom of what is meant to be seen, in the program's units. y points from top to bottom: down
// where top <= bottom, and up, in all of the program, where top > bottom.
ZO_API void zo_program_stage(const zo_program *program, double stage[4]);

ZO_API uint32_t zo_clip_count(const zo_program *program);
ZO_API bool zo_clip_get(const zo_program *program, zo_clip clip, zo_clip_info *info); // false: no such clip
ZO_API zo_clip zo_clip_find(const zo_program *program, const char *name);
ZO_API bool zo_clip_event_get(const zo_program *program, zo_clip clip, uint32_t index, zo_clip_event_info *info);
// Of the clip's event `index`, from 0; of an event that advance tells of: its clip and index. false: there are not so
// many.
ZO_API bool zo_clip_event_argument_get(const zo_program *program, zo_clip clip, uint32_t index, uint32_t argument,
                                       zo_argument_info *info);

ZO_API uint32_t zo_channel_count(const zo_program *program);
ZO_API bool zo_channel_get(const zo_program *program, zo_channel channel, zo_channel_info *info);
ZO_API zo_channel zo_channel_find(const zo_program *program, const char *name);
// Whether this clip has a curve for the channel.
ZO_API bool zo_clip_drives(const zo_program *program, zo_clip clip, zo_channel channel);

// Layers are what runs win: the newest run on a layer holds all its channels. From 0; NULL beyond the last.
ZO_API const char *zo_layer_name(const zo_program *program, uint32_t layer);

ZO_API uint32_t zo_state_count(const zo_program *program);
typedef struct zo_state_info {
    const char *name;     // "thinking"
    const char *group;    // what several states are called together: "active"
    zo_cel cel;           // its picture
    bool first;           // where the program begins
    zo_clip clip;         // of a machine that runs by itself: what it plays; else none
    zo_node node;         // of a machine that shows poses: its pose; else none
} zo_state_info;
ZO_API bool zo_state_get(const zo_program *program, zo_state state, zo_state_info *info);
// Ways from a state to another, of machines that run by themselves or show poses. From 0, state after state, those of
// one in the order in which they were given. false: there are not so many.
typedef struct zo_edge_info {
    zo_state from, to;
    double weight;        // 0: it is walked on request alone; else how likely it is next to the others from there
    int64_t blend_ns;     // of a machine that shows poses: how long the new state takes to be shown wholly
} zo_edge_info;
// A machine that shows poses either changes at once, or looks at the world every so often and tells events.
typedef struct zo_posing_info {
    bool looks;           // it does; events may ask it for states then
    int64_t look_ns;      // how far its looks are apart; 0: they are the host's (zo_instance_poll)
    bool time_f32;        // it rounds the time of the world to float
} zo_posing_info;
ZO_API bool zo_posing_get(const zo_program *program, zo_posing_info *info); // false: it has no such machine
ZO_API bool zo_edge_get(const zo_program *program, uint32_t index, zo_edge_info *info);
// The types of zo_status_event that a program listens to. From 0; NULL beyond the last. A type that tells kinds of
// tools apart stands once for each of them.
ZO_API const char *zo_status_type(const zo_program *program, uint32_t index);

ZO_API uint32_t zo_param_count(const zo_program *program);
ZO_API bool zo_param_get(const zo_program *program, zo_param param, zo_param_info *info);
ZO_API zo_param zo_param_find(const zo_program *program, const char *name); // the first of that name

// Functions of one number by which poses are timed and blended. Those of a program's own making have no name.
ZO_API uint32_t zo_expr_count(const zo_program *program);
ZO_API zo_expr zo_expr_find(const zo_program *program, const char *name); // the first of that name
ZO_API const char *zo_expr_name(const zo_program *program, zo_expr expr);

// How an expression is worked out of x: on a stack, operation by operation. Those of two numbers take the top for their
// right-hand side and what lies below it for their left-hand side.
typedef enum zo_op_code {
    ZO_OP_NUMBER = 0,      // pushes `number`
    ZO_OP_INPUT = 1,       // pushes x
    ZO_OP_CONTROL = 2,     // the top becomes what `control` makes of it
    ZO_OP_CALL = 3,        // the top becomes what `expr`, an earlier one, makes of it
    ZO_OP_ADD = 4, ZO_OP_SUB = 5, ZO_OP_MUL = 6, ZO_OP_DIV = 7, ZO_OP_MIN = 8, ZO_OP_MAX = 9,
    ZO_OP_ROUND_DOWN = 10, // to a multiple of the right-hand side
    ZO_OP_ROUND_UP = 11,
    ZO_OP_REST_UP = 12,    // how far above such a multiple
    ZO_OP_REST_DOWN = 13,  // how far below
    ZO_OP_CLAMP = 14,      // of three: x, low, high
    ZO_OP_MODULO = 15,     // floored
    ZO_OP_REPEAT = 16,     // of three: y, count, length; `number` 1: it wraps at the count, else at the length
    ZO_OP_BEZIER = 17,     // of three: u, and the inner values near start and end
    ZO_OP_FAULT = 18,      // the top stays; `fault` says what is missing
} zo_op_code;
typedef struct zo_op {
    zo_op_code code;
    double number;
    zo_param control;
    zo_expr expr;
    zo_fault fault;
} zo_op;
ZO_API bool zo_expr_op_get(const zo_program *program, zo_expr expr, uint32_t index, zo_op *op); // false: there are not
                                                                                               // so many

// Poses as functions of time, made of each other; a child has a lower id than what it is a part of.
typedef enum zo_node_kind {
    ZO_NODE_REST = 0,    // everything at rest
    ZO_NODE_CLIP = 1,    // `clip`, at x in its unit
    ZO_NODE_TIME = 2,    // a, at what `expr` makes of x
    ZO_NODE_BLEND = 3,   // from a to b, by `expr` cut to 0..1
    ZO_NODE_TRIGGER = 4, // a; and an event when `expr` comes from below 0
    ZO_NODE_PRODUCT = 5, // b, and then a
    ZO_NODE_FAULT = 6,   // at rest, for something is missing
} zo_node_kind;
typedef struct zo_node_info {
    const char *name;    // "": it has none
    zo_node_kind kind;
    zo_node a, b;        // none where the kind has no use for them
    zo_expr expr;        // of TIME, BLEND and TRIGGER; none: x as it is
    zo_clip clip;        // of CLIP
    zo_action action;    // of TRIGGER: NOTIFY or REQUEST_STATE,
    const char *event;   // and what it tells, or asks for; else ""
    zo_fault fault;      // of FAULT
} zo_node_info;
ZO_API uint32_t zo_node_count(const zo_program *program);
ZO_API bool zo_node_get(const zo_program *program, zo_node node, zo_node_info *info);

ZO_API uint32_t zo_target_count(const zo_program *program);
ZO_API zo_target zo_target_find(const zo_program *program, const char *name);
ZO_API const char *zo_target_name(const zo_program *program, zo_target target);
ZO_API zo_target zo_target_parent(const zo_program *program, zo_target target); // none: it is a root

ZO_API uint32_t zo_cel_count(const zo_program *program);
ZO_API bool zo_cel_get(const zo_program *program, zo_cel cel, zo_cel_info *info);
ZO_API zo_cel zo_cel_find(const zo_program *program, const char *name);

// A listing of every record, for people; the same text for the same program everywhere.
ZO_API bool zo_program_dump(const zo_program *program, zo_write_fn write, void *context);

#ifdef __cplusplus
}
#endif

#endif
