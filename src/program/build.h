// The builder: readers add records in any order and get one immutable blob. Pools are stored once: adding numbers,
// times, intervals or easings that are there already gives the old offset. Failure of memory sticks and is asked for at
// the end; what goes wrong in the data is the reader's to report before it gets here. Knows no JSON and no format.
#ifndef ZP_BUILD_H
#define ZP_BUILD_H

#include "base/arena.h"
#include "program/program.h"

typedef struct zp_build zp_build;

// In the arena, for the length of one compile.
zp_build *zp_build_open(zb_arena *arena);

zp_name zp_build_name(zp_build *build, zo_text text); // equal texts, equal names; bytes after a zero byte are dropped
void zp_build_format(zp_build *build, zo_text format, uint32_t profile);
void zp_build_stage(zp_build *build, double left, double top, double right, double bottom);

// Records are copied; the number returned is the index. The source range is kept for SRCMAP; length 0: none.
typedef struct zp_span { uint32_t offset, length; } zp_span;
uint32_t zp_build_layer(zp_build *build, const zp_layer *layer);
uint32_t zp_build_channel(zp_build *build, const zp_channel *channel);
uint32_t zp_build_target(zp_build *build, const zp_target *target);
uint32_t zp_build_image(zp_build *build, const zp_image *image); // equal ones are one: parts of a sheet share it
uint32_t zp_build_cel(zp_build *build, const zp_cel *cel, zp_span source);
uint32_t zp_build_sprite(zp_build *build, const zp_sprite *sprite);
uint32_t zp_build_play(zp_build *build, const zp_play *play); // with ZP_PLAY_LATER: stored once
uint32_t zp_build_words(zp_build *build, const uint32_t *words, uint32_t count); // index into WORDS, stored once
// After the cel: what is shown in its place when it is not there, [count] cels. Their order is that of preference.
void zp_build_fallbacks(zp_build *build, uint32_t cel, const uint32_t *cels, uint32_t count);
// States and edges added between a machine and the next are its own: its first_... and ..._count are filled in, and
// those of its states at the end, when its edges are sorted by where they come from (stable). Edges may come before the
// states that they name.
uint32_t zp_build_machine(zp_build *build, const zp_machine *machine);
uint32_t zp_build_state(zp_build *build, const zp_state *state);
uint32_t zp_build_edge(zp_build *build, const zp_edge *edge);
// Slots and signals added after the director are its own.
uint32_t zp_build_director(zp_build *build, const zp_director *director);
uint32_t zp_build_slot(zp_build *build, const zp_slot *slot);
uint32_t zp_build_signal(zp_build *build, const zp_signal *signal);
// Records of overlays and of a director of speech are taken as they are.
uint32_t zp_build_overlay(zp_build *build, const zp_overlay *overlay);
uint32_t zp_build_speech(zp_build *build, const zp_speech *speech);
uint32_t zp_build_voice(zp_build *build, const zp_voice *voice);
uint32_t zp_build_intent(zp_build *build, const zp_intent *intent);
uint32_t zp_build_alias(zp_build *build, const zp_alias *alias);
// Index into SHAPES of these shapes, one after another, stored once; the points of polygons are numbers of the
// builder's.
uint32_t zp_build_shapes(zp_build *build, const zp_shape *shapes, uint32_t count);
uint32_t zp_build_effect(zp_build *build, const zp_effect *effect);
// Stored once; the number returned is the index, so that a reference is one more. Keys are numbers of the builder's.
uint32_t zp_build_minmax(zp_build *build, const zp_minmax *minmax);
uint32_t zp_build_gradient(zp_build *build, const zp_gradient *gradient);
uint32_t zp_build_bursts(zp_build *build, const zp_burst *bursts, uint32_t count); // of the first
uint32_t zp_build_emitter(zp_build *build, const zp_emitter *emitter); // for the next effect
// Parts and bindings added after a mesh are its own, vertices and triangles the newest part's as well: their first_...
// and ..._count are filled in, and the mesh's box. A vertex's number, which triangles and bindings use, counts within
// its mesh. Bones and lists of weights are stored once. A binding's parameter is the number of a control until the end.
uint32_t zp_build_mesh(zp_build *build, const zp_mesh *mesh);
uint32_t zp_build_part(zp_build *build, const zp_part *part);
uint32_t zp_build_vertex(zp_build *build, const zp_vertex *vertex);
void zp_build_triangle(zp_build *build, uint32_t first, uint32_t second, uint32_t third);
void zp_build_uv_binding(zp_build *build, const zp_uv_binding *binding);
uint32_t zp_build_bone(zp_build *build, const zp_bone *bone);
uint32_t zp_build_weights(zp_build *build, const zp_weight *weights, uint32_t count); // of the first
uint32_t zp_build_mix_group(zp_build *build);

// A control, `clip` of which is set here. The number returned is what CONTROL operations are given as their argument
// until the end, when they get the index of the parameter: controls stand behind the clips' parameters.
uint32_t zp_build_control(zp_build *build, const zp_param *control);
// An expression + 1 and a node + 1, as references are. Of the record first_op, op_count, stack and cost, or depth,
// height and cost, are filled in. 0: it is too deep or too costly (program.h), and nothing has been added; or memory is
// short. Operations must otherwise be in order, and children be there: what a source has wrong is the reader's to see.
uint32_t zp_build_expr(zp_build *build, const zp_expr *expr, const zp_op *ops, uint32_t op_count);
uint32_t zp_build_node(zp_build *build, const zp_node *node);

// A clip is open from begin to end; curves, events and parameters added meanwhile are its own. Its first_..., ..._count
// and layer_mask members are filled in; events are sorted (stable); curves are sorted for sharing. end returns its
// index.
void zp_build_clip_begin(zp_build *build, const zp_clip *clip, zp_span source);
uint32_t zp_build_param(zp_build *build, const zp_param *param, zp_span source); // index among the clip's own
void zp_build_event(zp_build *build, const zp_event *event, zp_span source);
void zp_build_argument(zp_build *build, const zp_argument *argument);            // of the event added last
uint32_t zp_build_clip_end(zp_build *build);
// After the clip's end: its reduced-motion twin.
void zp_build_reduced(zp_build *build, uint32_t clip, uint32_t twin);

// A curve in plain arrays; pools are made of them. NULL where the curve has none. Curves of width 1 that differ in
// nothing but their values and stand on neighbouring channels of a layer become one wide curve at the clip's end.
typedef struct zp_curve_def {
    zp_placement placement;
    zp_interpolation interpolation;
    zp_arithmetic arithmetic;
    zp_ends ends;
    zp_finish finish;
    uint32_t width;
    uint32_t first_channel;
    uint32_t key_count;
    const double *times;          // [key_count]
    const int64_t *instants;      // [key_count] or NULL
    const zp_interval *intervals; // [key_count] or NULL
    const double *values;         // [key_count * width]
    const double *scales;         // the same, or NULL
    const zp_insert *inserts;     // the same, or NULL (then values may be NULL)
    uint32_t param;
    int64_t step_ns;              // STEP_NS
    zp_span source;
} zp_curve_def;
void zp_build_curve(zp_build *build, const zp_curve_def *def);

// Index into EASINGS of the curve with these control points (-0 counts as 0), made once. 0 <= x1, x2 <= 1, all finite.
uint32_t zp_build_easing(zp_build *build, double x1, double y1, double x2, double y2);

// Index into NUMBERS of these numbers, stored once: the tangents of HERMITE intervals, and what effects and
// shapes list.
uint32_t zp_build_numbers(zp_build *build, const double *numbers, uint32_t count);

// Lays out the blob in one block of the allocator and hands it over with its view; NULL when memory was short at any
// time, or the blob would be larger than 2^31 bytes or have more than 32 layers.
zp_program *zp_build_finish(zp_build *build, const zo_allocator *allocator);
// Copies a checked blob into a program of its own.
zp_program *zp_program_copy(const void *blob, size_t size, const zo_allocator *allocator);
// The same for a blob from anywhere, at any address: the copy is checked. NULL with *what set: it is damaged; NULL with
// *what NULL: no memory.
zp_program *zp_program_load(const void *blob, size_t size, const zo_allocator *allocator, const char **what);
// A program without contents: one block for the view and `blob_size` bytes, undefined, at *blob. NULL: no memory.
zp_program *zp_program_new(size_t blob_size, const zo_allocator *allocator, void **blob);
void zp_program_free(zp_program *program);

#endif
