// The runtime's inside: what an instance is made of, and the verbs that api (and later directors) drive it with. All
// times are int64_t nanoseconds of the instance's clock. Nothing here allocates. Knows programs, not where they came
// from.
#ifndef ZR_RUNTIME_H
#define ZR_RUNTIME_H

#include <zoetrope/play.h>
#include <zoetrope/sample.h>
#include <zoetrope/timeline.h>

#include "program/program.h"

// The clock stops here, some 146 years after the start: far enough from the end of int64_t that no sum of the clock and
// one duration overflows.
#define ZR_CLOCK_NS_MAX ((int64_t)1 << 62)

enum {
    ZR_RUN_CAPACITY_DEFAULT = 32,
    ZR_RUN_CAPACITY_MAX = 65536,
    ZR_EFFECT_CAPACITY_DEFAULT = 64,
    ZR_EFFECT_CAPACITY_MAX = 65536,
    ZR_PARTICLE_CAPACITY_DEFAULT = 4096,
    ZR_PARTICLE_CAPACITY_MAX = 1048576, // of those that move step by step
    ZR_POINT_CAPACITY_DEFAULT = 1024,
    ZR_POINT_CAPACITY_MAX = 1048576,
    ZR_BOUNDARY_MAX = 1048576,   // in one call of advance
    ZR_LAYER_MAX = 32,           // bits of zp_clip.layer_mask
};

// A looping pass that takes no time, because it holds no layer, lasts a sixtieth of a second: its events would come
// without end otherwise.
#define ZR_EMPTY_PASS_NS ((int64_t)16666666)

typedef enum zr_phase {
    ZR_PLAYING = 1, // installed on its layers
    ZR_WAITING = 2, // between passes; holds no layer
} zr_phase;

// A clip being played.
typedef struct zr_run {
    uint32_t clip;           // the twin under reduced motion
    uint32_t phase;          // zr_phase
    uint32_t repeat;         // zp_repeat in force
    uint32_t cel_ref;        // what an unnamed SHOW_CEL shows: cel + 1; 0: the instance's next
    uint32_t id;             // zo_run.id, never given twice in an instance's life, and the order of starting
    uint32_t next_event;     // of the clip's, not yet passed in this pass
    uint32_t paused;         // 0 or 1
    uint32_t announced;      // RUN_START has been told
    uint64_t install_serial; // renewed at each install; the highest on a layer holds it
    uint64_t pass;           // passes begun; also the counter of its delay numbers
    int64_t origin_ns;       // start of the present pass (PLAYING), end of the wait (WAITING); of the first pass where
                             // passes are not counted one by one (LOOP and ALTERNATE without events)
    int64_t paused_ns;       // when it was paused
    int64_t duration_ns;     // of one pass as the keys see it
    int64_t pass_ns;         // after which a pass is over: duration_ns, or less where the rest is not played
    double delay_min, delay_max; // in delay_unit_ns
    int64_t delay_unit_ns;
    uint32_t completes;      // 1: ends after one pass
    uint32_t owner;          // who started it: 0 the host, ZR_OWNER_MACHINE, else as the director says
    uint32_t mix_ref;        // mix group + 1; 0: it does not combine
    uint32_t reserved;
    int64_t loop_ns;         // LOOP without events: where passes after the first begin, below pass_ns
} zr_run;
enum { ZR_OWNER_MACHINE = 256 };
_Static_assert(sizeof(zr_run) == 128, "no padding: equal states are equal bytes");

// What has happened outside of a run's own time and is still to be told, by the next advance and before all else. A run
// that is over before its start was told is not told of at all, so there are never more than two for each run, and
// states and pictures, of which the oldest are forgotten when nobody asks for so long that there is no room.
typedef enum zr_notice_kind {
    ZR_NOTICE_START, ZR_NOTICE_END, ZR_NOTICE_STATE, ZR_NOTICE_CEL, ZR_NOTICE_CYCLE, ZR_NOTICE_HOLD, ZR_NOTICE_UNROUTED,
    ZR_NOTICE_REFUSED
} zr_notice_kind;
typedef struct zr_notice {
    uint32_t kind;   // zr_notice_kind
    uint32_t run;    // START, END: its id; UNROUTED: which of the texts, + 1; else 0
    uint32_t clip;   // START, END; STATE: the activity's name; REFUSED: what was asked for
    uint32_t value;  // END: zo_end; STATE, CYCLE, HOLD: state; CEL: cel + 1, 0: none
    uint32_t detail; // STATE: zo_via; HOLD: frame
    uint32_t reserved;
} zr_notice;
enum { ZR_NOTICES_EXTRA = 32 };

// An effect let go: a burst along a path. Its particles are not kept: what they drew follows from the seed and the
// serial (or the test's list), where they are from their age.
typedef struct zr_effect {
    uint32_t effect;       // of the program's
    uint32_t count;        // particles born
    uint32_t serial;       // of effect starts in this instance, from 0
    uint32_t list_at;      // where in the particle list its first number stands
    int64_t origin_ns;     // on the clock of motion, see zr_motion_ns
    int64_t end_ns;        // when the last of them dies
} zr_effect;
_Static_assert(sizeof(zr_effect) == 32, "no padding: equal states are equal bytes");

// What an effect with an emitter is at; one for each of the effects where the program has emitters, zero for others.
// Times are local: they count from the effect's start on the clock of motion. INT64_MAX: never.
typedef struct zr_emission {
    uint32_t run;           // id of the run that started it; 0: none, or it has been left
    uint32_t flags;         // ZR_EMISSION_...
    uint32_t number;        // of its next particle
    uint32_t live;          // particles in its batches, those among them who died since somebody looked
    uint32_t batch_count;
    uint32_t first_batch, last_batch; // + 1
    uint32_t born;          // of the present piece
    uint64_t tick;          // the last one done
    int64_t tick_ns;        // the next one; INT64_MAX: it has no use for any
    int64_t death_ns;       // of the first of its particles to die
    int64_t burst_ns;       // the next burst
    int64_t burst_loop;
    int64_t burst_in_loop_ns;
    uint32_t burst, cycle;  // the next one
    uint32_t burst_draws;
    uint32_t due;           // births of the present piece
    int64_t birth_ns;       // the next birth by rate
    int64_t piece_ns, piece_end_ns; // of even rate
    int64_t loop;           // the piece's
    double rate;            // of the piece, particles a second
    double owed;            // particles not yet born, less than one, before the piece
    double way_owed;        // the same of the way
    double last[2];         // origin at the last tick, or the last point of the trail
} zr_emission;
_Static_assert(sizeof(zr_emission) == 168, "no padding: equal states are equal bytes");
enum {
    ZR_EMISSION_OVER = 1,   // nothing is born any more
    ZR_EMISSION_LAID = 2,   // a point of the trail
};

// The particles of an effect stand in batches, in the order of their births. `alive`: bit l for lane l; who has died
// stays until somebody looks, at moments that do not depend on how the clock is moved.
enum { ZR_BATCH_LANES = 16 };
typedef struct zr_batch {
    int64_t death_ns;       // of the first of them to die, local; INT64_MAX: none is there
    uint32_t next;          // + 1, of the same effect or of those that are free
    uint16_t alive, born;   // born: lanes in use from the first on
} zr_batch;
// Where particles are at the last tick, or at birth. LOCAL: in the emitter's own axes, not scaled; else in the
// program's.
typedef struct zr_moving {
    float x[ZR_BATCH_LANES], y[ZR_BATCH_LANES], z[ZR_BATCH_LANES];
    float vx[ZR_BATCH_LANES], vy[ZR_BATCH_LANES], vz[ZR_BATCH_LANES]; // units a second, without what life adds
    float spin[ZR_BATCH_LANES];     // rad, clockwise as seen
    float scroll[ZR_BATCH_LANES];   // of its noise
} zr_moving;
typedef struct zr_lanes { // what every step needs comes first: it is the way from memory that takes the time
    int64_t birth_ns[ZR_BATCH_LANES]; // local
    float per_life[ZR_BATCH_LANES]; // 1 / s
    zr_moving at;
    float cosine[ZR_BATCH_LANES], sine[ZR_BATCH_LANES]; // of the target's turn at birth
    float size[ZR_BATCH_LANES], colour[4][ZR_BATCH_LANES]; // at birth
    float gravity_r[ZR_BATCH_LANES], velocity_r[3][ZR_BATCH_LANES], spin_r[ZR_BATCH_LANES], size_r[2][ZR_BATCH_LANES],
        over_r[ZR_BATCH_LANES], noise_r[3][ZR_BATCH_LANES], scroll_r[ZR_BATCH_LANES];
    uint32_t number[ZR_BATCH_LANES];
    int64_t life_ns[ZR_BATCH_LANES];
    double start[ZR_BATCH_LANES];   // share of the sheet
} zr_lanes;
_Static_assert(sizeof(zr_batch) == 16 && sizeof(zr_lanes) == ZR_BATCH_LANES * 140, "100,000 of them in 16 MB");

// A point of a trail, in the order of laying.
typedef struct zr_point {
    double x, y;            // in the program's space
    int64_t laid_ns;        // local
    uint32_t serial;        // the effect's
    uint32_t reserved;
} zr_point;

// What the host has made of a control; its offset stands among the parameters.
typedef struct zr_control {
    double slope;
    zo_control_fn ask;      // NULL: the line counts
    void *context;
    uint32_t set;           // 1: the host has
    uint32_t reserved;
} zr_control;

// A reload, and who is told of what is gone.
typedef struct zr_adoption {
    zo_gone_fn tell;
    void *context;
} zr_adoption;

// What the player asks a director, which sits above it and drives it by the verbs below. All are called at the present
// instant, which comes to every one of them: next_ns of what is due already lies in the past or at now.
typedef struct zr_director {
    size_t size;                                     // of its state, zero at first
    void (*start)(zo_instance *instance);            // once, before anything else is asked
    int64_t (*next_ns)(const zo_instance *instance); // of its next timer; INT64_MAX: none
    void (*on_timer)(zo_instance *instance);         // does the first one that is due
    // A run comes to a SHOW_CEL; cel_ref is what the event names, 0: the cel that the run was given. Shows it, or does
    // not. Returns what it has shown: cel + 1, 0: nothing. NULL: it leaves pictures to the runs.
    uint32_t (*on_cel)(zo_instance *instance, const zr_run *run, uint32_t cel_ref);
    void (*on_shift)(zo_instance *instance, int64_t ns); // the clock of motion has stood: its own times on it are later
    // The next two are NULL where it starts no runs itself. Whether rather any other run makes room, though this one be
    // covered.
    bool (*needs)(const zr_run *run);
    // A run is out of the table and its end is told. CROWDED_OUT: while another is being started, so nothing may be
    // started.
    void (*on_end)(zo_instance *instance, const zr_run *run, zo_end end);
    // Of a machine that runs by itself; NULL: it need not know. A state has been entered. Its clip is complete and that
    // is told: true: the director has done what follows, false: the machine takes its step.
    void (*on_enter)(zo_instance *instance);
    bool (*on_complete)(zo_instance *instance);
    // After a reload: goes on where the one of `old` stands. All else has been carried over; runs keep their ids. `old`
    // is NULL where it had none: the instance's clock and runs are not its own any more, and it starts.
    void (*adopt)(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption);
} zr_director;

// The instance: this header, then the runs in the order of their starts, the parameter values of the runs, what
// is still to be told, the host's parameters, the effects in the order of their starts, which cels are not there, and
// what the director keeps. One flat block with no pointer but to the program, the director's functions and the test's
// lists; a snapshot is a copy. What is not in use is zero, so that equal states are equal bytes.
struct zo_instance {
    const zp_program *program;
    const zr_director *director; // NULL: none
    zo_allocator allocator;   // of zo_instance_create; zero otherwise
    const double *delay_list;
    uint32_t delay_count;
    uint32_t delay_used;      // from the list, wraps at its end
    uint64_t seed;
    size_t size;              // bytes of the block
    int64_t now_ns;
    uint64_t serial;          // of installing, last given
    uint32_t run_capacity;
    uint32_t run_count;
    uint32_t notice_count;
    uint32_t notice_front;    // of them: what an event that has just been told has led to, in front of the rest
    uint32_t notice_capacity;
    uint32_t in_event;        // 1 while an event of a run is done: notices go to the front
    uint32_t opening_run;     // its RUN_START has been told, and the events at 0 of its first pass come before all else
    uint32_t last_run_id;
    uint32_t reduced_motion;
    uint32_t cel_ref;         // shown now
    uint32_t next_cel_ref;    // what an unnamed SHOW_CEL turns to
    uint32_t values_per_run;
    uint32_t runs_offset;     // bytes from the block's start
    uint32_t values_offset;
    uint32_t notices_offset;
    uint32_t absent_offset;
    uint32_t director_offset;
    uint32_t params_offset;
    uint32_t controls_offset;
    uint32_t first_control;   // of PARAMS: those from here on are the host's
    const double *particle_list;
    uint32_t particle_list_count;
    uint32_t particle_list_used; // wraps at its end
    uint32_t effect_capacity;
    uint32_t effect_count;
    uint32_t effects_offset;
    uint32_t effect_serial;   // of the next start; a start that makes nothing takes one as well
    uint32_t particle_capacity; // alive at once, over all effects
    uint32_t no_effects;      // 1: none start. May be written between calls; what is alive lives on
    int64_t hidden_ns;        // where the clock of motion stands while hidden
    uint32_t hidden;
    uint32_t awake;           // the director has started: with the first advance or the first call that it must answer
    uint32_t speaking;        // 1: somebody does
    uint32_t wants_reduced;   // what the host said; reduced_motion is what holds
    uint64_t dropped;         // effects, particles and points that had no room
    const double *graph_list;
    uint32_t graph_count;
    uint32_t machine_offset;  // 0: it has no machine that runs by itself
    uint32_t poser_offset;    // 0: it has no machine that shows poses
    uint32_t host_polls;      // 1: such a machine looks at the world when the host says, and only then
    double level;             // of the voice, 0..1
    // Where the program has emitters:
    uint32_t emissions_offset; // 0: it has none
    uint32_t batches_offset, lanes_offset, points_offset;
    uint32_t batch_count;     // of the table,
    uint32_t batch_used;      // of them so far
    uint32_t free_batch;      // + 1: the first of those that are free again
    uint32_t batch_particles; // in all batches
    uint32_t point_capacity, point_count;
    uint32_t particle_row;    // numbers for each particle in the test's list; 0: the list is for bursts along paths
    uint32_t has_noise_seed;
    uint32_t noise_seed;
    uint32_t rate_count, way_count, burst_count;
    const double *rate_list, *way_list, *burst_list;
};

// Whether something decides what is played: a director, a machine that runs by itself, or one that shows poses.
static inline bool zr_decides(const zo_instance *instance) {
    return instance->director || instance->machine_offset != 0 || instance->poser_offset != 0;
}
// Whether a director sees to what is shown, and pictures are told of.
static inline bool zr_directs_cels(const zo_instance *instance) {
    return instance->director && instance->director->on_cel;
}
static inline zr_run *zr_runs(const zo_instance *instance) {
    return (zr_run *)((uintptr_t)instance + instance->runs_offset);
}
// Of the run's clip's parameters, bound when it started.
static inline double *zr_run_values(const zo_instance *instance, const zr_run *run) {
    double *all = (double *)((uintptr_t)instance + instance->values_offset);
    return all + (size_t)(run - zr_runs(instance)) * instance->values_per_run;
}
static inline double *zr_params(const zo_instance *instance) { // the host's, one for each of PARAMS
    return (double *)((uintptr_t)instance + instance->params_offset);
}

static inline zr_control *zr_controls(const zo_instance *instance) { // one for each from first_control on
    return (zr_control *)((uintptr_t)instance + instance->controls_offset);
}

static inline zr_effect *zr_effects(const zo_instance *instance) {
    return (zr_effect *)((uintptr_t)instance + instance->effects_offset);
}
static inline zr_emission *zr_emissions(const zo_instance *instance) { // one for each of the effects
    return (zr_emission *)((uintptr_t)instance + instance->emissions_offset);
}
static inline zr_batch *zr_batches(const zo_instance *instance) {
    return (zr_batch *)((uintptr_t)instance + instance->batches_offset);
}
static inline zr_lanes *zr_lanes_of(const zo_instance *instance, uint32_t batch) {
    return (zr_lanes *)((uintptr_t)instance + instance->lanes_offset) + batch;
}
static inline zr_point *zr_points(const zo_instance *instance) {
    return (zr_point *)((uintptr_t)instance + instance->points_offset);
}
static inline const zp_effect *zr_effect_record(const zo_instance *instance, const zr_effect *live) {
    return &instance->program->effects[live->effect];
}
// NULL: a burst along a path.
static inline const zp_emitter *zr_emitter_of(const zo_instance *instance, const zr_effect *live) {
    const uint32_t ref = zr_effect_record(instance, live)->emitter_ref;
    return ref != 0 ? &instance->program->emitters[ref - 1] : NULL;
}
// The clock of all that moves: the instance's, which stands still while nobody sees it (zr_set_hidden).
static inline int64_t zr_motion_ns(const zo_instance *instance) {
    return instance->hidden ? instance->hidden_ns : instance->now_ns;
}
static inline uint8_t *zr_absent_cels(const zo_instance *instance) { // one for each of CELS; 1: not there
    return (uint8_t *)((uintptr_t)instance + instance->absent_offset);
}
static inline zr_notice *zr_notices(const zo_instance *instance) {
    return (zr_notice *)((uintptr_t)instance + instance->notices_offset);
}
// A machine that runs by itself. It has a clock of its own: when the clip that it plays is complete follows from the
// clip and from when it was started, whatever becomes of the run. Behind it in the block stand what the functions below
// find: for each of the machine's states the rest of the way, the order of a search, from where a state was reached,
// and whether it is looked for.
enum { ZR_WISHES_MAX = 32, ZR_UNROUTED_MAX = 8, ZR_UNROUTED_BYTES = 128 };
typedef struct zr_machine {
    uint32_t state;           // STATES
    uint32_t via;             // zo_via: how it was entered
    uint32_t run;             // of its clip; 0: it is gone
    uint32_t complete;        // the clip is, and holds its end; or is this very instant
    int64_t next_ns;          // when it is complete next, on the clock of motion; INT64_MAX: never
    int64_t held_ns;          // while a picture is held: since when,
    int64_t held_local_ns;    // and how long the run had played
    uint32_t held;            // 0 or 1
    uint32_t held_frame;
    uint64_t draws;
    uint32_t list_used;       // of the test's list; wraps at its end
    uint32_t route_count;     // edges still to be walked
    uint32_t wish_count;      // what waits for the clip to be complete
    uint32_t unrouted_next;   // which of the texts is written next
    zp_name wishes[ZR_WISHES_MAX]; // groups, the oldest first; 0: what no state is called
    char unrouted[ZR_UNROUTED_MAX][ZR_UNROUTED_BYTES]; // as they were asked for, ended by a zero
} zr_machine;
_Static_assert(sizeof(zr_machine) == 72 + 4 * ZR_WISHES_MAX + ZR_UNROUTED_MAX * ZR_UNROUTED_BYTES,
               "no padding: equal states are equal bytes");
static inline zr_machine *zr_machine_of(const zo_instance *instance) { // NULL: none
    return instance->machine_offset != 0 ? (zr_machine *)((uintptr_t)instance + instance->machine_offset) : NULL;
}

// A machine that shows poses. What is shown is a pile of states, each blended in over those before it; the first counts
// wholly. Times are on the clock of motion.
enum { ZR_BLENDS_MAX = 8 };
typedef struct zr_layer {
    uint32_t state;           // STATES
    uint32_t reserved;
    int64_t start_ns;         // of the blend,
    int64_t blend_ns;         // and how long it takes; 0: it is whole at once
} zr_layer;
typedef struct zr_poser {
    uint32_t state;           // STATES: in which it stands; it may not be shown yet
    uint32_t via;             // zo_via
    uint32_t shown_count;     // >= 1
    uint32_t looked;          // 1: it has looked at the world at all
    zr_layer shown[ZR_BLENDS_MAX + 1];
    int64_t origin_ns;        // where the time of the world is 0
    int64_t next_ns;          // of its looks; INT64_MAX: the host's
    double last_s;            // the time of the world when it last looked
    // What a look has found is told one by one:
    double from_s, to_s;
    uint32_t telling;         // node + 1; 0: nothing
    uint32_t refused;         // 1: a state was asked for in vain, and no further one of this look is gone to
    double behind;            // the event that was told last, see zr_told
    int64_t pass;
    uint32_t order, index;
} zr_poser;
_Static_assert(sizeof(zr_poser) == 88 + 24 * (ZR_BLENDS_MAX + 1), "no padding: equal states are equal bytes");
static inline zr_poser *zr_poser_of(const zo_instance *instance) { // NULL: none
    return instance->poser_offset != 0 ? (zr_poser *)((uintptr_t)instance + instance->poser_offset) : NULL;
}

// The director's own; its layout is the director's affair. 8-aligned.
static inline void *zr_director_state(const zo_instance *instance) {
    return (void *)((uintptr_t)instance + instance->director_offset);
}

// ---------------------------------------------------------------------------------------------------- time (time.c)

// Nearest whole number, halves up; what is negative or NaN gives 0, what is beyond `max` gives max.
int64_t zr_nearest_ns(double ns, int64_t max_ns);

// An instant of the clip in a pass of another length: `at` in the clip's unit, `own_ns` the same at its own duration.
int64_t zr_scaled_ns(const zp_clip *clip, double at, int64_t own_ns, int64_t duration_ns);

// A moment of one pass, in every form that curves ask for.
typedef struct zr_moment {
    double time;         // in the clip's unit
    double fraction;     // of the pass
    int64_t local_ns;    // of a pass of duration_ns
    int64_t duration_ns;
} zr_moment;

zr_moment zr_moment_at_ns(const zp_clip *clip, int64_t local_ns, int64_t duration_ns);
zr_moment zr_moment_at(const zp_clip *clip, double time); // cut to one pass of the clip's own duration; NaN: 0

// ---------------------------------------------------------------------------------------------------- curves (curve.c)

// The values of the clip's curves, into values[slot] of their slots; others are left alone. `params`: the clip's own,
// [param_count], within their limits.
void zr_clip_eval(const zp_program *program, const zp_clip *clip, const zr_moment *at, const double *params,
                  double *values);
// One of them alone, to the same bits: [width] values.
void zr_curve_eval(const zp_program *program, const zp_clip *clip, const zp_curve *curve, const zr_moment *at,
                   const double *params, double *values);

// Which of its keys has come last.
uint32_t zr_curve_key(const zp_program *program, const zp_clip *clip, const zp_curve *curve, const zr_moment *at);

// -------------------------------------------------------------------------------------- expressions (expression.c)

// The value at x, as the instance's controls have it, or with `instance` NULL as the program has them. What it asks for
// in vain is noted in *fault, where nothing is yet.
double zr_expr_value(const zp_program *program, const zo_instance *instance, uint32_t expr, double x, zp_fault *fault);
double zr_control_value(const zp_program *program, const zo_instance *instance, uint32_t param, double x,
                        zp_fault *fault);
// Between which two numbers it lies, for every x that lies between two. Both are infinite when that is not known, and
// then it may be NaN as well; else it is a number. What a function of the host's gives is not known.
typedef enum zr_same { ZR_SAME_NOTHING, ZR_SAME_X, ZR_SAME_F32 } zr_same; // it is x itself, or x rounded to float
typedef struct zr_bounds {
    double low, high;
    zr_same same;           // for zr_expr_bounds alone
} zr_bounds;
zr_bounds zr_expr_bounds(const zo_instance *instance, uint32_t expr, zr_bounds x);
static inline bool zr_control_is_set(const zo_instance *instance, uint32_t param) { // by the host
    const zr_control *control = &zr_controls(instance)[param - instance->first_control];
    return control->set != 0 || control->ask;
}

// -------------------------------------------------------------------------------------------------- blends (blend.c)

// Quaternions x, y, z, w of any length; the way between turns, the short one. `out` may be one of them.
void zr_slerp(const double a[4], const double b[4], double p, double out[4]);
void zr_turn_rows(const double q[4], double m[9]); // the turn as rows of a matrix
// From a to b; p is cut to 0..1, NaN is 0. `out` may be one of them.
void zr_transform_blend(const zo_transform *a, const zo_transform *b, double p, zo_transform *out);

// ---------------------------------------------------------------------------------------------------- runs (run.c)

typedef struct zr_start {
    uint32_t clip;
    uint32_t cel_ref;
    uint32_t owner;
    uint32_t mix_ref;
} zr_start;
uint32_t zr_run_start(zo_instance *instance, const zr_start *start, const zo_run_def *def); // id, or 0
// 0: the play's own cel
uint32_t zr_play_start(zo_instance *instance, uint32_t play_ref, uint32_t owner, uint32_t cel_ref);
zr_run *zr_run_find(const zo_instance *instance, uint32_t id); // NULL: over, or never there
// Takes the run out of the table and tells of it, if its start has been told. The director is not asked.
void zr_run_remove(zo_instance *instance, zr_run *run, zo_end end);
// The same of a run of the host's, or one that makes room; the director hears of it.
void zr_run_cancel(zo_instance *instance, zr_run *run, zo_end end);
void zr_run_pause(zo_instance *instance, zr_run *run);
void zr_run_resume(zo_instance *instance, zr_run *run);
// Its present moment; it is PLAYING.
zr_moment zr_run_moment(const zo_instance *instance, const zr_run *run);
int64_t zr_run_local_ns(const zo_instance *instance, const zr_run *run); // since its present pass began; PLAYING
bool zr_run_is_backward(const zo_instance *instance, const zr_run *run); // in every second pass of ALTERNATE; PLAYING

// The run of another instance goes on here as one of this clip, at the same place of its pass as far as there is one.
// Its values are still to be given.
zr_run *zr_run_carry(zo_instance *instance, const zo_instance *old, const zr_run *from, uint32_t clip);

// LOOP without events: from now on passes after the first begin there, 0 <= loop_ns < pass_ns. It goes on where it is.
void zr_run_set_loop(const zo_instance *instance, zr_run *run, int64_t loop_ns);

// What a run does next, and when. Ranks in the order in which they are done at one instant.
typedef enum zr_rank {
    ZR_RANK_TIMER = 0,    // the director's; tells nobody by itself
    ZR_RANK_EVENT = 1,    // an event of its pass
    ZR_RANK_CYCLE = 2,    // the machine's: its clip is complete; tells nobody by itself
    ZR_RANK_COMPLETE = 3, // RUN_END
    ZR_RANK_REPEAT = 4,   // next pass, next wait, end of a wait; tells nobody
    ZR_RANK_LOOK = 5,     // the poser's; what it finds is told after it
} zr_rank;
typedef struct zr_due {
    int64_t at_ns; // INT64_MAX: never
    zr_rank rank;
} zr_due;
zr_due zr_run_due(const zo_instance *instance, const zr_run *run);
// Whether it is at the beginning of its first pass with events of that instant still to come.
bool zr_run_opens(const zo_instance *instance, const zr_run *run);
// Whether doing it will be told: a burst of no particles, for one, is not.
bool zr_run_tells(const zo_instance *instance, const zr_run *run, zr_rank rank);
// Does it. The clock stands at its instant. `event` gets what is told; NULL where nothing is.
void zr_run_do(zo_instance *instance, zr_run *run, zr_rank rank, zo_event *event);

// ------------------------------------------------------------------------------------------------ machine (machine.c)

// Of a machine that runs by itself (zp_machine_runs); the functions are only for instances that have one. Those down to
// zr_machine_draw are the verbs that directors have.

// The machine of the program that runs by itself; NULL: none.
const zp_machine *zr_machine_record(const zp_program *program);
size_t zr_machine_size(const zp_program *program); // in the block, a multiple of 8; SIZE_MAX: too large to be

// What is asked for: states of this group (0: of none) or of one of the others.
typedef struct zr_wish {
    zp_name group;
    const zp_name *others; // [other_count]
    uint32_t other_count;
} zr_wish;
// Goes there by the shortest way, or as the machine says when there is none; or notes it down until the clip is
// complete. What is held goes on. false: nothing answers and nothing has changed, or too much is waiting.
bool zr_machine_ask(zo_instance *instance, const zr_wish *wish);
// The name of the states that are called this together, white space at its ends apart; 0: none are.
zp_name zr_machine_group(const zo_instance *instance, const char *text);
void zr_machine_tell_unrouted(zo_instance *instance, const char *text);
// Without white space at its ends, and as much of it as has room, with zeros behind it.
void zr_cut_text(const char *text, char out[ZR_UNROUTED_BYTES]);
// A host's trigger: the group of that name is asked for, and it is told when nothing answers.
bool zr_machine_trigger(zo_instance *instance, const char *text);

// Enters the state at once. What is held goes on, and the clip that plays already does what the state says.
void zr_machine_goto(zo_instance *instance, uint32_t state, zo_via via);
void zr_machine_drop(zo_instance *instance);      // the rest of the way, and what waits
void zr_machine_release(zo_instance *instance);   // drops it and enters the first state
// By the weights, with one random number where there are candidates. Without any: as the machine says for dead ends.
void zr_machine_step(zo_instance *instance, zo_via via);
// Where a step would lead, with its random number and without the step. false: there are no candidates.
bool zr_machine_pick(zo_instance *instance, uint32_t *state);

typedef enum zr_hold { ZR_HOLD_CURRENT, ZR_HOLD_LAST, ZR_HOLD_FRAME } zr_hold;
// The clip stands still and shows a frame (the last one at most); told. While it does it does not come to be complete.
void zr_machine_hold(zo_instance *instance, zr_hold what, uint32_t frame);
void zr_machine_let_go(zo_instance *instance);    // it goes on where it stood, whatever was shown meanwhile
void zr_machine_restart(zo_instance *instance);   // the clip, from its first frame; what is held goes on
// Until another clip plays, or this one anew: a clip that loops begins again at this frame, once it has come to its
// end. Frames that it does not have mean the first.
void zr_machine_set_loop_start(zo_instance *instance, uint32_t frame);
double zr_machine_draw(zo_instance *instance);    // 0 <= u < 1

// Of the clip that plays: which frame is on show, and how many there are (1 where it is no flip-book).
uint32_t zr_machine_frame(const zo_instance *instance);
uint32_t zr_machine_frame_count(const zo_instance *instance);
uint32_t zr_machine_clip(const zo_instance *instance); // CLIPS

// For instance.c and adopt.c.
void zr_machine_start(zo_instance *instance);     // enters the first state
int64_t zr_machine_due_ns(const zo_instance *instance); // INT64_MAX: never
void zr_machine_complete(zo_instance *instance);  // the clip is, now
void zr_machine_shift(zo_instance *instance, int64_t ns); // the clock of motion has stood
void zr_machine_lost(zo_instance *instance, const zr_run *run); // it is out of the table
void zr_machine_adopt(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption);

// --------------------------------------------------------------------------------------------------- nodes (nodes.c)

// The first thing that it asks for in vain at t.
zp_fault zr_node_fault(const zo_instance *instance, uint32_t node, double t);

// An event that lies between two times of a node: how far back from the second one, in the time of its clip; from
// whom, in the order of the nodes; and which.
typedef struct zr_told {
    double behind;
    uint32_t order;
    uint32_t index;
    int64_t pass;
    const zp_node *node;    // a clip, or a trigger,
    const zp_event *event;  // and the clip's event; NULL: the trigger's
} zr_told;
// The next one after `last`, from the first to the last of them: what lies further back comes first. At first
// `last` is infinitely far back. false: that was all. Times that are no numbers, or lie far off, have none.
bool zr_node_next_event(const zo_instance *instance, uint32_t node, double t0, double t1, const zr_told *last,
                        zr_told *next);
// Whether there is surely none between any two times that lie between these.
bool zr_node_is_quiet(const zo_instance *instance, uint32_t node, double t0, double t1);

// ---------------------------------------------------------------------------------------------------- posers (poser.c)

// Of a machine that shows poses (zp_machine_poses); all but the first two only where the instance has one.
const zp_machine *zr_poser_record(const zp_program *program); // NULL: none
double zr_world_s(const zo_instance *instance);   // the time of the world as nodes see it, also without such a machine

uint32_t zr_poser_state_ref(const zo_instance *instance, const char *name); // its state of this name + 1; 0: none

void zr_poser_init(zo_instance *instance);        // it stands in its first state, and shows it
void zr_poser_start(zo_instance *instance);       // and that is told
// Along an edge, at once. false: there is none.
bool zr_poser_request(zo_instance *instance, uint32_t state, zo_via via);
int64_t zr_poser_due_ns(const zo_instance *instance); // of its next look; INT64_MAX: the host's
// At the present instant, which is due. Returns how many boundaries it is as dear as.
uint32_t zr_poser_look(zo_instance *instance);
// Long waits. Passes over the looks at and before `until_ns` that surely find nothing, all of them as if they had been
// made, or the first ones of them, if there are ZR_STRIDE_MIN; returns what that has cost, 0: it has passed over none.
// Where nobody can tell at a glance (functions of the host's, clips with events pass by pass) there are none. The clock
// is not hidden, and nothing else is due until then.
enum { ZR_STRIDE_MIN = 16 };
typedef struct zr_stride {  // of one advance, zero at first
    int64_t count;          // how many looks are tried next
    uint32_t rest;          // and how many are made before
} zr_stride;
uint32_t zr_poser_leap(zo_instance *instance, int64_t until_ns, zr_stride *stride);
// A look of the host's at any time. false: the last one has not been told to its end, or it is no time.
bool zr_poser_poll(zo_instance *instance, double seconds);
// What is to be told of the last look next; false: nothing is left, and it is over.
bool zr_poser_next(zo_instance *instance, zr_told *next);
void zr_poser_tell(zo_instance *instance, const zr_told *next, zo_event *event);
void zr_poser_shift(zo_instance *instance, int64_t ns); // the clock of motion has stood
void zr_poser_adopt(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption);
// The pile from the topmost state on that counts wholly, [returned]; how much a later one counts, 0..1.
uint32_t zr_poser_layers(const zo_instance *instance, const zr_layer **layers);
double zr_poser_weight(const zo_instance *instance, const zr_layer *layer);
zp_fault zr_poser_fault(const zo_instance *instance); // the first thing that what is shown asks for in vain

// -------------------------------------------------------------------------------------------------- effects (effect.c)

// How many particles this effect would let go now: as many as its own limits and the instance's capacities leave. 0
// under reduced motion and with no_effects.
uint32_t zr_effect_room(const zo_instance *instance, uint32_t effect);
uint32_t zr_effect_start(zo_instance *instance, uint32_t effect, uint32_t run); // does so
// Whether there is room for one more of this effect, which has an emitter. Its particles come with time.
bool zr_emission_room(const zo_instance *instance, uint32_t effect);
// The run is out of the table: what it started and what would last until then emits no more.
void zr_effects_leave(zo_instance *instance, uint32_t run);
// The same at the host's wish, whatever would end it; false: it is over, or has no emitter.
bool zr_effect_stop(zo_instance *instance, uint32_t serial);
// What effects with emitters do next. At one instant ends come before runs and directors, births and ticks after them.
typedef struct zr_effects_due {
    int64_t at_ns; // INT64_MAX: never
    bool is_end;
} zr_effects_due;
zr_effects_due zr_effects_next(const zo_instance *instance);
// Does all of that at the present instant: ends; or births, then ticks. Returns how many of them there were.
uint32_t zr_effects_do(zo_instance *instance, zr_effects_due due);
void zr_effect_remove(zo_instance *instance, uint32_t index); // with all that lives
// Takes those out whose last particle has died. Whenever it is called, the same ones are there at the same instant.
void zr_effects_sweep(zo_instance *instance);
void zr_effects_shift(zo_instance *instance, int64_t ns); // all of them later
// An effect of another instance goes on here as this one, if there is room in the table and they are of one kind.
bool zr_effect_may_carry(const zo_instance *instance, const zo_instance *old, uint32_t from, uint32_t effect);
void zr_effect_carry(zo_instance *instance, const zo_instance *old, uint32_t from, uint32_t effect);
uint32_t zr_particle_count(const zo_instance *instance); // alive now

// One that is not over, as it is now.
typedef struct zr_effect_look {
    const zp_effect *record;
    const zp_emitter *emitter; // NULL: a burst along a path
    uint32_t index;            // of the instance's effects
    uint32_t start, particles, points;
    int64_t age_ns, left_ns;   // INT64_MAX: nobody knows
    double at[3], turn;        // with an emitter: in the program's space; degrees
    double axes[9];            // rows of its turn and its target's
    bool laying;
} zr_effect_look;
bool zr_effect_look_at(const zo_instance *instance, uint32_t nth, zr_effect_look *look);

// The points of a trail that have not faded, the oldest first. Start with zeroes; NULL: there is no further one.
typedef struct zr_point_walk { uint32_t at; } zr_point_walk;
const zr_point *zr_point_next(const zo_instance *instance, uint32_t index, zr_point_walk *walk);

typedef struct zr_particle {
    uint32_t effect;         // of the program's
    uint32_t shape;          // of SHAPES
    const double *colour;    // red, green, blue, alpha, 0..1, not premultiplied
    int64_t age_ns, life_ns; // 0 <= age < life
    double width, height;    // units
    double x, y;             // of the middle, from the effect's place, in the target's units
    double turn;             // degrees, clockwise
    double opacity;          // of the path alone, not cut to 0..1
    // With an emitter; then x and y are in the program's space.
    uint32_t start, number;  // of the effect's start, and in it
    uint32_t frame;          // of the sheet
    double z, velocity[3];   // units a second
    double rgba[4];          // not cut; `colour` is NULL
} zr_particle;

// All particles alive, in the order of birth. Start with zeroes; false: there is no further one.
struct zr_looked;
typedef struct zr_particle_walk {
    uint32_t effect, particle; // of the instance's effects; with an emitter: lanes of the batch that have been told
    uint32_t batch;            // + 1: the one that is looked at
    uint32_t alive;            // of its lanes
    struct zr_looked *looked;  // room for what a batch looks like (particles.h): needed where the program has emitters
} zr_particle_walk;
bool zr_particle_next(const zo_instance *instance, zr_particle_walk *walk, zr_particle *particle);

// ---------------------------------------------------------------------------------------------------- instance.c

// `director`: the functions of the program's own, NULL where it has none.
size_t zr_instance_size(const zp_program *program, const zo_instance_def *def,
                        const zr_director *director); // SIZE_MAX: too large to be
zo_instance *zr_instance_init(void *memory, size_t size, const zp_program *program, const zo_instance_def *def,
                              const zr_director *director);
zo_step zr_instance_advance(zo_instance *instance, int64_t dt_ns, zo_event *events, uint32_t capacity);

void zr_wake(zo_instance *instance); // lets the director start, if it has not
void zr_set_hidden(zo_instance *instance, bool hidden);
uint32_t zr_first_cel(const zp_program *program); // what is shown at first: cel + 1, 0: nothing
void zr_set_reduced(zo_instance *instance, bool wanted); // for what starts from now on
void zr_tell(zo_instance *instance, zr_notice notice);
// The cel itself, or the first of its fallbacks that is there: cel + 1; 0: none is.
uint32_t zr_cel_there(const zo_instance *instance, uint32_t cel_ref);
void zr_show(zo_instance *instance, uint32_t cel_ref); // exactly this one

// ---------------------------------------------------------------------------------------------------- adopt.c

void zr_instance_adopt(zo_instance *instance, const zo_instance *old, zo_gone_fn tell, void *context);

// What is called in `to` as this record of `from` is: its index + 1; 0: nothing. Of CLIPS, CELS, EFFECTS or STATES; of
// several that are called the same the first is meant by the first, the second by the second.
uint32_t zr_same_ref(const zp_program *to, const zp_program *from, zp_section_id section, uint32_t index);
// How many numbers of a test's list are used: the old ones, if it is the same list, so that they go on where they were.
uint32_t zr_used_of(const double *list, const double *old_list, uint32_t count, uint32_t old_count, uint32_t used);
// The same of references; tells of what was and is not there any more. `run`: whose it is, or 0.
uint32_t zr_adopt_cel(const zo_instance *instance, const zo_instance *old, uint32_t cel_ref, uint32_t run,
                      const zr_adoption *adoption);
zp_name zr_same_name(const zp_program *to, const zp_program *from, zp_name name); // 0: the text is not there
void zr_tell_gone(const zr_adoption *adoption, zo_gone_kind kind, const zp_program *from, zp_name name, uint32_t run);

// ------------------------------------------------------------------------------------------------ meshes (skin.c)

// Where a pose takes a vertex of the mesh: row-major 3x4, the identity where nothing moves it.
void zr_skin(const zp_program *program, const zo_pose *pose, const zp_mesh *mesh, const zp_vertex *vertex,
             double m[12]);

// What zo_program_box tells.
bool zr_program_box(const zp_program *program, zo_pose *pose, double box[6]);

// ------------------------------------------------------------------------------------------------ overlays (overlay.c)

// What lies over a sprite at the present instant.
typedef struct zr_overlay_look {
    const zp_overlay *record;
    uint32_t frame;           // of the clip, on show,
    uint32_t cel_ref;         // and the sprite's cel for it: cel + 1; 0: none
    uint32_t picture;         // of the overlay's
    double open;              // the A of its ellipse
    bool seen;                // by its rule; its pictures may still be missing
} zr_overlay_look;
bool zr_overlay_at(const zo_instance *instance, uint32_t sprite, zr_overlay_look *look); // false: nothing does

// ---------------------------------------------------------------------------------------------------- pose.c

// The block behind a zo_pose.
typedef struct zr_pose {
    zo_pose pose;
    const zp_program *program;
    zo_allocator allocator;   // of zo_pose_create; zero otherwise
    size_t size;
    double *rest;             // [slot_count]
    double *scratch;          // [slot_count]
    double *params;           // [params of the clip that has most]
    uint32_t *index_slots;    // of the index channels that hold what SHOW_CEL has shown
    uint32_t index_count;
    uint32_t depth;           // the program's clip_depth_max
    zo_transform *own;        // [depth][target_count]: the targets' own, without their parents'
} zr_pose;

size_t zr_pose_size(const zp_program *program); // SIZE_MAX: too large to be
zo_pose *zr_pose_init(void *memory, size_t size, const zp_program *program);
// Which run holds each layer now, the newest of a mix group for all of it. NULL: the layer is at rest.
typedef const zr_run *zr_holders[ZR_LAYER_MAX];
void zr_find_holders(const zo_instance *instance, zr_holders held);
// Whether others hold every layer that it would move, so that it has no say in the pose.
bool zr_run_is_covered(const zo_instance *instance, const zr_run *run, zr_holders held);

void zr_instance_sample(const zo_instance *instance, zo_pose *pose);
void zr_clip_sample(const zp_program *program, uint32_t clip, double time, const double *params, zo_pose *pose);

// What a target's slots up to ZP_SLOT_SCALE_Y hold at the present instant, as a sample would say, without a pose.
void zr_target_values(const zo_instance *instance, const zp_target *target, double *values);

// Transforms of all targets from slots; sets at_rest.
void zr_pose_transforms(const zp_program *program, zo_pose *pose);
// A target's own transform, from the slots of all channels.
void zr_own_transform(const zp_target *target, const double *slots, zo_transform *own);

// The own transforms that the node makes of t, into own[level] of the block; levels above it, as many as the node is
// deep, are overwritten. 1: they are those of one clip alone, whose slots stand in `scratch`; else 0.
uint32_t zr_node_pose(const zo_instance *instance, uint32_t node, double t, uint32_t level, zr_pose *block);

#endif
