// The readers of Forge's JSON files as the table of formats sees them, and their inside: each kind of file as plain
// structures. There are two dialects: the draft of 2015 (machines, animations) and the one that shipped (machines,
// armatures); block models are alike in both. Shared by the forge*.c files.
//
// A machine names models, whose clips lie in files of their own: they are looked for by names, see forge_files.c.
#ifndef ZF_FORGE_H
#define ZF_FORGE_H

#include "formats/beside.h"
#include "formats/fields.h"
#include "formats/formats.h"

extern const zf_reader zf_fg_draft_machine_reader, zf_fg_draft_animation_reader, zf_fg_machine_reader,
    zf_fg_armature_reader, zf_fg_model_reader;

typedef enum zf_fg_kind {
    ZF_FG_DRAFT_MACHINE, ZF_FG_DRAFT_ANIMATION, ZF_FG_MACHINE, ZF_FG_ARMATURE, ZF_FG_MODEL, ZF_FG_KIND_COUNT
} zf_fg_kind;
static inline bool zf_fg_is_draft(zf_fg_kind kind) {
    return kind == ZF_FG_DRAFT_MACHINE || kind == ZF_FG_DRAFT_ANIMATION;
}
extern const char *const zf_fg_titles[ZF_FG_KIND_COUNT];  // as messages call it: "draft machine"
extern const char *const zf_fg_formats[ZF_FG_KIND_COUNT]; // the name of its format

// What was read of the files beside, once for all the names that lead to them.
typedef struct zf_fg_reads {
    zf_beside beside;
    const zj_doc **parents;         // [input->source_count]; NULL: not read yet, or no document
    struct zf_fg_model_read **models; // [the same]; NULL: not read yet
    uint32_t *files;                // [the same]: the first of a machine's files that is this one, + 1; 0: none yet
    uint32_t element_count;         // of the models that are part of the program so far
} zf_fg_reads;

// Elements of all models of a program: many times what any pack has, and what fits into memory as meshes.
enum { ZF_FG_ELEMENTS_MAX = 16384 };

// A file being read. What is reported goes to the document's report.
typedef struct zf_fg_reading {
    const zf_input *input;
    zb_arena *arena;
    const zj_doc *doc;
    zf_fg_kind kind;
    bool letter; // --draft-repeat: a counted repeat wraps at the count
    bool late;   // what shows only when it is come to is advice, and stays in the program as a fault
    zf_fg_reads *reads;
} zf_fg_reading;

// --------------------------------------------------------------------------------------------- members (forge_value.c)

// Reports at a value, or at the first byte of an object or array: the file's kind is the message's first argument, and
// what is in `args` (one less than there is room for) comes behind it.
uint32_t zf_fg_tell(const zf_fg_reading *r, uint32_t node, zd_id id, zd_args args);
uint32_t zf_fg_tell_key(const zf_fg_reading *r, uint32_t member, zd_id id, zd_args args); // at a member's key
// The same as a warning where the rule is an error; and where what shows late is advice.
uint32_t zf_fg_tell_late(const zf_fg_reading *r, uint32_t node, zd_id id, zd_args args);
uint32_t zf_fg_advise(const zf_fg_reading *r, uint32_t node, zd_id id, zd_args args);
uint32_t zf_fg_advise_key(const zf_fg_reading *r, uint32_t member, zd_id id, zd_args args);
static inline zd_arg zf_fg_quoted(const zf_fg_reading *r, zo_text text) { return zf_quoted(r->arena, r->doc, text); }

// "{what} must be {wanted}, not ..."
uint32_t zf_fg_wrong_type(const zf_fg_reading *r, uint32_t node, const char *what, const char *wanted);
// The same, and that the other dialect has it so.
uint32_t zf_fg_other_dialect(const zf_fg_reading *r, uint32_t node, const char *what, const char *wanted);
// "did you mean": the name among these that is nearest, if one is near. `second`: NULL for none.
void zf_fg_hint_name(const zf_fg_reading *r, uint32_t added, zo_text word, const zb_intern *first,
                     const zb_intern *second);
// Members of opened objects, by number, that mean something elsewhere: each is advice. `where` follows "means nothing
// in this".
void zf_fg_tell_unused(const zf_fg_reading *r, const zf_fields *f, uint32_t first, uint32_t last, const char *where);
// The object's members by its table; those that are not in it and those that are wanted and missing are reported.
// false: it is no object, which has been said.
bool zf_fg_open(const zf_fg_reading *r, zf_fields *fields, uint32_t node, const zf_object *table, const char *what);
// Values of any place: what is not of the type is reported. A number may stand in a text, which is advice.
bool zf_fg_number(const zf_fg_reading *r, uint32_t node, const char *what, double *out);
bool zf_fg_text(const zf_fg_reading *r, uint32_t node, const char *what, zo_text *out);
bool zf_fg_is(const zf_fg_reading *r, uint32_t node, zj_kind kind, const char *what); // OBJECT or ARRAY
// Members of opened objects; false and nothing said where one is not there.
bool zf_fg_member_number(const zf_fg_reading *r, const zf_fields *f, uint32_t field, double *out);
bool zf_fg_member_text(const zf_fg_reading *r, const zf_fields *f, uint32_t field, zo_text *out);
bool zf_fg_member_true(const zf_fg_reading *r, const zf_fields *f, uint32_t field, bool absent);
// A word of the field's; their count, with the rule and a near word, where it is none of them.
uint32_t zf_fg_member_word(const zf_fg_reading *r, const zf_fields *f, uint32_t field, zd_id id, uint32_t absent);
// Decimal digits alone, without zeros in front, as indices of elements are written.
bool zf_fg_index(zo_text text, uint32_t *out);
// A number as people write one: a sign, digits with a point among or beside them, an exponent.
bool zf_fg_figure(zo_text text, double *out);

// ---------------------------------------------------------------------------------------- expressions (forge_param.c)

// Of one number, x. In order of evaluation, on a stack: each pushes one value, changes the top, or takes the top for
// its right-hand side and the one below for its left-hand side.
typedef enum zf_fg_op_kind {
    ZF_FG_NUMBER, ZF_FG_INPUT,            // push
    ZF_FG_CALL, ZF_FG_CONTROL,            // the top becomes what the expression, or the host, makes of it
    ZF_FG_NAMED,                          // one of the two, by name: until all names are known
    ZF_FG_FAULT,                          // what stands here cannot be worked out: the top stays as it is
    ZF_FG_ADD, ZF_FG_SUBTRACT, ZF_FG_MULTIPLY, ZF_FG_DIVIDE, ZF_FG_MIN, ZF_FG_MAX,
    ZF_FG_ROUND_DOWN, ZF_FG_ROUND_UP, ZF_FG_REST_UP, ZF_FG_REST_DOWN,
    ZF_FG_MODULO,                         // floored; 0 where the right-hand side is not above 0
    ZF_FG_REPEAT,                         // of three: y, count, length; `ref` 1: wraps at the count
    ZF_FG_BEZIER,                         // of three: u, cut to 0..1, and the inner values near start and end
} zf_fg_op_kind;

typedef struct zf_fg_op {
    zf_fg_op_kind kind;
    uint32_t node;    // where it stands
    uint32_t ref;     // CALL: expression; CONTROL: control; FAULT: zp_fault
    double number;    // NUMBER
    zo_text name;     // NAMED
} zf_fg_op;

typedef struct zf_fg_expr {
    zo_text name;     // empty: it has none
    uint32_t node;
    uint32_t first_op, op_count;
} zf_fg_expr;

typedef struct zf_fg_control {
    zo_text name;
    uint32_t node;    // where it is named first
    uint32_t uses;
} zf_fg_control;

typedef struct zf_fg_exprs {
    zb_array exprs;    // zf_fg_expr
    zb_array ops;      // zf_fg_op
    uint32_t parameter_ops; // the first ones: those of the parameters of a file, before those of its clips
    zb_array pending;  // expressions that are still to be made (forge_param.c)
    zb_array controls; // zf_fg_control
    zb_intern names;   // of those that have one, in the order of the file
    zb_array named;    // uint32_t: expressions, by name
    zb_intern control_names;
    const uint32_t *order; // after zf_fg_resolve: expressions, each behind those that it calls
    bool letter;       // of the reading
} zf_fg_exprs;

zf_fg_exprs zf_fg_exprs_open(zb_arena *arena);
static inline zf_fg_expr *zf_fg_expr_at(const zf_fg_exprs *e, uint32_t i) {
    return (zf_fg_expr *)(void *)e->exprs.items + i;
}
static inline zf_fg_op *zf_fg_op_at(const zf_fg_exprs *e, uint32_t i) {
    return (zf_fg_op *)(void *)e->ops.items + i;
}
static inline zf_fg_control *zf_fg_control_at(const zf_fg_exprs *e, uint32_t i) {
    return (zf_fg_control *)(void *)e->controls.items + i;
}
// An expression from a value of the file, in the dialect of the reading. Returns it; faults are reported.
uint32_t zf_fg_read_expr(const zf_fg_reading *r, zf_fg_exprs *e, zo_text name, uint32_t node);
// Once all are read: names to expressions or controls, and the order. Those that hang on themselves are reported, with
// the way round, and become faults.
void zf_fg_resolve(const zf_fg_reading *r, zf_fg_exprs *e);

// --------------------------------------------------------------------------------------------------- rigs: joints,
// clips

typedef enum zf_fg_variable { // of a joint; px in the draft, blocks in the shipped dialect
    ZF_FG_OFFSET_X, ZF_FG_OFFSET_Y, ZF_FG_OFFSET_Z, ZF_FG_AXIS_X, ZF_FG_AXIS_Y, ZF_FG_AXIS_Z, ZF_FG_ANGLE,
    ZF_FG_SCALE, ZF_FG_SCALE_X, ZF_FG_SCALE_Y, ZF_FG_SCALE_Z, ZF_FG_ORIGIN_X, ZF_FG_ORIGIN_Y, ZF_FG_ORIGIN_Z,
    ZF_FG_VARIABLE_COUNT
} zf_fg_variable;
typedef enum zf_fg_interpolation { ZF_FG_LINEAR, ZF_FG_NEAREST, ZF_FG_INTERPOLATION_COUNT } zf_fg_interpolation;

typedef struct zf_fg_track {
    uint32_t node;
    uint32_t joint;            // of the rig, those that only tracks name among them
    zf_fg_variable variable;
    zf_fg_interpolation interpolation;
    const double *samples, *times; // times NULL: evenly over one pass
    uint32_t count;            // at least 1
} zf_fg_track;

typedef struct zf_fg_event {
    double at;                 // of a pass
    zo_text text;
    uint32_t node;
} zf_fg_event;

typedef struct zf_fg_clip {
    zo_text name;
    uint32_t node;
    bool loop;
    const zf_fg_track *tracks; // in the order of the file
    uint32_t track_count;
    const zf_fg_event *events; // by rising time
    uint32_t event_count;
} zf_fg_clip;

typedef struct zf_fg_weight {
    uint32_t element;          // of the model
    double weights[8];         // of its corners; bit 0 of the index: x, bit 1: y, bit 2: z. Shipped: all the same
    uint32_t node;
} zf_fg_weight;

typedef struct zf_fg_joint {
    zo_text name;
    uint32_t node;
    const zf_fg_weight *weights;
    uint32_t weight_count;
} zf_fg_joint;

typedef struct zf_fg_rig {
    const zj_doc *doc;         // NULL: there is none
    zf_fg_kind kind;           // DRAFT_ANIMATION or ARMATURE
    zo_text model;             // of the draft: "domain:name"
    uint32_t model_node;
    const zf_fg_joint *joints;
    uint32_t joint_count;
    bool joints_faulty;        // of the draft: not all of them could be read, which has been said
    zb_intern joint_names;     // joint + 1
    const zf_fg_clip *clips;
    uint32_t clip_count;
    zb_intern clip_names;      // clip + 1
} zf_fg_rig;

// Each reads one document, reporting all.
void zf_fg_read_armature(const zf_fg_reading *r, zf_fg_rig *out);
void zf_fg_read_animation(const zf_fg_reading *r, zf_fg_rig *out);

// ------------------------------------------------------------------------------------------------------- block models

typedef enum zf_fg_side {
    ZF_FG_DOWN, ZF_FG_UP, ZF_FG_NORTH, ZF_FG_SOUTH, ZF_FG_WEST, ZF_FG_EAST, ZF_FG_SIDE_COUNT
} zf_fg_side;
typedef enum zf_fg_axis { ZF_FG_AXIS_OF_X, ZF_FG_AXIS_OF_Y, ZF_FG_AXIS_OF_Z, ZF_FG_AXIS_COUNT } zf_fg_axis;

typedef struct zf_fg_face {
    uint32_t node;             // 0: not there, and not drawn
    double uv[4];              // 0..16, v down; NaN: as worked out from the element
    zo_text uv_controls[4];    // a control that gives it; empty: none does
    zo_text texture;           // the name after all references, "domain:path"; empty: it is not known
    zo_text slot;              // as the face names it, without #
    uint32_t rotation;         // quarters, 0..3
    double tint;               // -1: none
} zf_fg_face;

typedef struct zf_fg_element {
    uint32_t node;
    double from[3], to[3];     // 16 a block
    bool rotated, rescale, shade;
    double origin[3], angle;   // degrees
    zf_fg_axis axis;
    zf_fg_face faces[ZF_FG_SIDE_COUNT];
} zf_fg_element;

typedef struct zf_fg_model {
    const zj_doc *doc;
    const zo_source *source;   // NULL: no file of its own beside the one that is read
    zo_text parent;            // empty: none
    uint32_t parent_node;
    bool unknown;              // there is a parent that nobody has said anything of; it has been asked for
    const zf_fg_element *elements;
    uint32_t element_count;
    bool inherited;            // the elements are a parent's
    uint32_t crowd;            // above 0: so many elements are too many for the program, and none has been read
    uint32_t crowd_node;       // which names them, in the model's file
} zf_fg_model;

typedef struct zf_fg_model_read {
    zf_fg_model model;
    bool good;
} zf_fg_model_read;

// How the first source is read; `reads` is made, and must stay while it is.
zf_fg_reading zf_fg_reading_of(const zf_input *input, zf_fg_kind kind, zf_fg_reads *reads);
// A model's parent, of which nothing is told. NULL: no document.
const zj_doc *zf_fg_parent(const zf_fg_reading *r, const zo_source *source);
void zf_fg_read_model(const zf_fg_reading *r, zf_fg_model *out);

// ------------------------------------------------------------------------------------------------------------ machines

typedef enum zf_fg_pose_kind {
    ZF_FG_REST,
    ZF_FG_FAULTY_POSE, // at rest; `a` says why (zp_fault)
    ZF_FG_MODEL_CLIP,  // `name` of the file `rig`
    ZF_FG_NAMED_POSE,  // the machine's clip of that name: `a` once names are known
    ZF_FG_TIME,        // a at expr
    ZF_FG_BLEND,       // a and b by expr
    ZF_FG_TRIGGER,     // a, and `text` when expr passes 0 upwards
    ZF_FG_PRODUCT,     // a, then b
} zf_fg_pose_kind;

typedef struct zf_fg_pose {
    zf_fg_pose_kind kind;
    uint32_t node;
    uint32_t a, b;     // poses that stand before it
    uint32_t expr;
    uint32_t file;     // MODEL_CLIP: of the machine's files
    zo_text name;      // NAMED_POSE, MODEL_CLIP: of the clip; TRIGGER: the text
} zf_fg_pose;

typedef struct zf_fg_named { // a clip of the machine
    zo_text name;
    uint32_t node;
    uint32_t pose;
} zf_fg_named;

typedef struct zf_fg_state {
    zo_text name;
    uint32_t node;
    uint32_t clip_ref; // clip + 1; 0: there is none of its name
} zf_fg_state;

typedef struct zf_fg_edge {
    uint32_t from, to, node; // states
    double blend_s;          // 0: at once
} zf_fg_edge;

// Bytes of the way round a circle that are written: more than a message shows of it.
enum { ZF_FG_WAY_MAX = 1024 };

// A file that clips of the machine lie in.
typedef struct zf_fg_file {
    zo_text name;            // as the machine has it, without the clip
    uint32_t node;
    uint32_t place;          // among the machine's: its own, or that of the one that it is by another name
    const zo_source *source; // NULL: nobody said, or it is not there
    bool missing;            // it was looked for, and is not there
    zo_text tried;           // then: as what it was looked for; empty: the name has no path
    bool b3d;
    bool faulty;             // it was read and cannot be used
    zf_fg_rig rig;           // where it was read; doc NULL: it was not
    zf_fg_model model;       // what is drawn of it; doc NULL: there is none
    const struct zf_b3_model *b3d_model; // NULL: none was read
} zf_fg_file;

typedef struct zf_fg_machine {
    const zj_doc *doc;
    zf_fg_kind kind;
    zf_fg_exprs exprs;
    zb_array poses;          // zf_fg_pose
    const uint32_t *pose_order; // after zf_fg_resolve_poses: each behind those that it is made of
    const zf_fg_named *clips;
    uint32_t clip_count;
    zb_intern clip_names;    // clip + 1
    const zf_fg_state *states;
    uint32_t state_count;
    zb_intern state_names;   // state + 1
    zb_array edges;          // zf_fg_edge, by state and in the order of the file
    uint32_t start;          // state
    zb_array files;          // zf_fg_file
    zb_intern file_names;
    bool unknown;            // there are files that nobody has said anything of; they have been asked for
    bool crowded;            // its models have too many elements, which has been said; further files are not looked at
} zf_fg_machine;

static inline zf_fg_pose *zf_fg_pose_at(const zf_fg_machine *m, uint32_t i) {
    return (zf_fg_pose *)(void *)m->poses.items + i;
}
static inline zf_fg_file *zf_fg_file_at(const zf_fg_machine *m, uint32_t i) {
    return (zf_fg_file *)(void *)m->files.items + i;
}
static inline zf_fg_edge *zf_fg_edge_at(const zf_fg_machine *m, uint32_t i) {
    return (zf_fg_edge *)(void *)m->edges.items + i;
}
uint32_t zf_fg_push_pose(zf_fg_machine *m, zf_fg_pose pose); // returns it

// Each reads one document and the files that it names, reporting all.
void zf_fg_read_machine(const zf_fg_reading *r, zf_fg_machine *out);       // forge_machine.c
void zf_fg_read_draft_machine(const zf_fg_reading *r, zf_fg_machine *out); // forge_draft.c
// What both have alike (forge_machine.c): an empty one; states with their clips, once clips are read; names of clips to
// poses, and the order of these. Clips that hang on themselves are reported, with the way round, and become faults.
zf_fg_machine zf_fg_machine_open(const zf_fg_reading *r);
void zf_fg_read_states(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node);
void zf_fg_resolve_poses(const zf_fg_reading *r, zf_fg_machine *m);
// The state that an event's text asks for; false: it is for the host.
bool zf_fg_wants_state(zo_text text, zo_text *name);
// Advice on a text that begins as if it asked for something.
void zf_fg_check_special(const zf_fg_reading *r, uint32_t node, zo_text text);

// --------------------------------------------------------------------------------------------- products
// (forge_compile.c)

// To the program; all that they name is there, and nothing is wrong. What is too much to be worked out in every frame
// is reported, and then they return ZO_INVALID.
zo_status zf_fg_compile_machine(const zf_fg_reading *r, const zf_fg_machine *m, zp_build *build);
zo_status zf_fg_compile_rig(const zf_fg_reading *r, const zf_fg_rig *rig, zp_build *build);
// Advice on elements that an armature names and its model, where that is known, does not have.
void zf_fg_check_elements(const zf_fg_reading *r, const zf_fg_rig *rig);
zo_status zf_fg_compile_model(const zf_fg_reading *r, const zf_fg_model *model, zp_build *build);

// ------------------------------------------------------------------------------------------------------ forge_files.c

// What a name "domain:path" stands for in a folder of resources.
typedef struct zf_fg_lookup {
    zo_text name;
    const char *folder;      // "models", "armatures", "animation"
    const char *ending;      // ".json"; "": the name has its own
    zo_need_kind kind;       // BYTES or STAT
} zf_fg_lookup;

// false: there is no path. The domain is minecraft where none is said; a variant behind # is left out.
bool zf_fg_split_name(zo_text name, zo_text *domain, zo_text *path);
// The file, asked for where nobody has said anything of it. NULL: *missing says whether it is known not to be there;
// then `*tried` lists where it was looked for, for messages.
const zo_source *zf_fg_find(const zf_fg_reading *r, const zf_fg_lookup *what, bool *missing, zo_text *tried);
// A file of the reading's dialect beside the first, parsed. NULL: it is no text that can be read, which has been said.
const zj_doc *zf_fg_parse(const zf_fg_reading *r, const zo_source *source, uint32_t lenient);
// A block model, for drawing; advice on it is told where it is checked itself, and one that has errors, which are told,
// has no doc. false: it is not there; *unknown is set when nobody has said, else *tried is where it was looked for.
bool zf_fg_find_model(const zf_fg_reading *r, zo_text name, zf_fg_model *out, bool *unknown, zo_text *tried);
// Elements of a model that the program has no room for are an error, told at `node`. false: it has been told.
bool zf_fg_count_elements(const zf_fg_reading *r, const zf_fg_model *model, uint32_t node);
// The files that the machine's clips lie in: found, read, and the clips held against them.
void zf_fg_read_files(const zf_fg_reading *r, zf_fg_machine *m);
// Of the machine's files the one of that name; they are looked for later.
uint32_t zf_fg_file_of(const zf_fg_reading *r, zf_fg_machine *m, zo_text name, uint32_t node);

#endif
