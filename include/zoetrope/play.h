// Playing: an instance is one flat block of memory with clocks, runs and overrides; advance moves its clock and tells
// what happened. Nothing here allocates but zo_instance_create, and nothing can fail once the instance is there.
// An instance belongs to one thread at a time and must not outlive its program.
#ifndef ZOETROPE_PLAY_H
#define ZOETROPE_PLAY_H

#include <zoetrope/base.h>
#include <zoetrope/compile.h>
#include <zoetrope/inspect.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zo_instance zo_instance;

// All zero is the default of every member. What stands here, the program and the calls made define a result to the bit.
typedef struct zo_instance_def {
    uint64_t seed;
    uint32_t run_capacity;  // 0: 32; at most 65,536
    bool reduced_motion;    // clips with a reduced-motion twin play that instead
    bool idle;              // start nothing: the program's own first runs are left out, and nobody decides what is
                            // played, as if it had no states
    const double *delay_list; // numbers 0 <= u < 1 used, in turn and from the start again, for the waits of
    uint32_t delay_count;     // RANDOM_INTERVAL in place of the seed's; borrowed for the instance's life. For tests.
    bool no_effects;            // particles are switched off: nothing is let go, nothing told of it
    uint32_t effect_capacity;   // alive at once; 0: 64; at most 65,536
    uint32_t particle_capacity; // alive at once, over all effects; 0: 4,096; where effects emit at most 1,048,576
    const double *particle_list; // as delay_list, eight for each particle: colour, size, shape, angle,
    uint32_t particle_count;     // travel, spin, the spin's sign, life
    uint32_t point_capacity;    // of trails, at once, over all effects; 0: 1,024; at most 1,048,576
    // For tests of effects that emit. With particle_row > 0 the list above has rows of that many numbers: particle i of
    // the effect start s (from 0) draws its n-th property from element n of row s + i, both from the start again at the
    // end. The other lists are those of each effect start alike: rates over time and over distance by loop, bursts by
    // draw.
    uint32_t particle_row;
    const double *rate_list, *way_list, *burst_list;
    uint32_t rate_count, way_count, burst_count;
    bool set_noise_seed;
    uint32_t noise_seed;
    bool host_polls;             // a machine that looks at the world every so often leaves that to zo_instance_poll
    const double *graph_list;    // as delay_list, for the steps that a machine takes by itself, one number a step
    uint32_t graph_count;
    const bool *cels_there;      // for which cels there is a picture, [zo_cel_count], read once; NULL: as the program
                                 // says. The first enter sees it, and zo_instance_set_cel changes it later
} zo_instance_def;

// Bytes that an instance takes, and an instance in memory of the caller's (aligned to 16, at least that many bytes).
ZO_API size_t zo_instance_size(const zo_program *program, const zo_instance_def *def);
ZO_API zo_instance *zo_instance_init(void *memory, size_t size, const zo_program *program,
                                     const zo_instance_def *def); // NULL: too small or not aligned
// The same in memory of the allocator (NULL: malloc and free). NULL: no memory. Free with zo_instance_free.
ZO_API zo_instance *zo_instance_create(const zo_program *program, const zo_instance_def *def,
                                       const zo_allocator *allocator);
ZO_API void zo_instance_free(zo_instance *instance); // only what zo_instance_create made

typedef enum zo_event_kind {
    ZO_EVENT_NOTIFY = 0,
    ZO_EVENT_SHOW_CEL = 1,
    ZO_EVENT_START_EFFECT = 2,
    ZO_EVENT_REQUEST_STATE = 3,
    ZO_EVENT_RUN_START = 4,
    ZO_EVENT_RUN_END = 5,
    ZO_EVENT_STATE = 6, // a state is entered; a target is taken, one that changes the activity alone as well
    ZO_EVENT_CEL = 7,   // the picture on show has become another one; programs with states and a director of slots
    // Of machines that run by themselves:
    ZO_EVENT_CYCLE = 8, // the clip of the state is complete; what that leads to follows
    ZO_EVENT_HOLD = 9,  // the clip stands still at one picture
    ZO_EVENT_UNROUTED = 10, // nothing answers a trigger, and nothing has changed
} zo_event_kind;

// How a state came to be entered.
typedef enum zo_via {
    ZO_VIA_TARGET = 0,  // a director of slots took it
    ZO_VIA_START = 1,
    ZO_VIA_AUTO = 2,    // by itself, or as nothing answered a trigger
    ZO_VIA_TRIGGER = 3, // the first edge of the way that a trigger found
    ZO_VIA_ROUTE = 4,   // a later one of that way
    ZO_VIA_DIRECT = 5,  // there was no way to what a trigger asked for, so none was walked
    ZO_VIA_REQUEST = 6, // zo_instance_request
    ZO_VIA_RELEASE = 7,
    ZO_VIA_FORCED = 8,  // out of a picture that was held, as speech began
    ZO_VIA_POST_SPEECH = 9, // after speech, and after the picture was held that it ends with
    ZO_VIA_POST_SPEECH_ADVANCE = 10, // and out of that state
    ZO_VIA_EVENT = 11,  // an event of what it showed asked for it
    ZO_VIA_COUNT
} zo_via;
ZO_API const char *zo_via_name(zo_via via); // "auto", "post_speech"

typedef enum zo_end {
    ZO_END_FINISHED = 0,
    ZO_END_CANCELLED = 1,
    ZO_END_CROWDED_OUT = 2, // the run table was full
} zo_end;

typedef struct zo_event {
    zo_event_kind kind;
    zo_end end;       // RUN_END only
    int64_t t_ns;     // on the instance's clock, exact
    zo_run run;
    zo_clip clip;     // CYCLE, HOLD: of the state; STATE: that it plays, where a machine runs by itself
    uint32_t index;   // of the clip's event, from 0; HOLD: the frame, from 0; 0 for RUN_START and RUN_END
    zo_cel cel;       // SHOW_CEL: what it turned to, none: nothing, for the picture is not there or the director does
                      // not mind; CEL: what is on show, none: nothing
    zo_state state;   // STATE, CYCLE and HOLD
    zo_via via;       // STATE only
    const char *activity; // STATE: what is done in it, or ""
    uint32_t count;   // START_EFFECT: particles let go at once, by a burst along a path. An effect of the program's
                      // that finds no room, or is switched off, is no event
    uint32_t started; // START_EFFECT: zo_effect.start + 1 of an effect of the program's; 0: it is the host's to make.
                      // NOTIFY: the same of an effect that started with it; 0: none did
    double at_s;      // NOTIFY, REQUEST_STATE of a machine that shows poses: the time of its look, less how far the
                      // event lies back in the time of its clip, s; their clip is none where a trigger tells
    const char *name; // as zo_clip_event_info.name; the cel's own name for SHOW_CEL and CEL; the state's group for
                      // STATE; belongs to the program. UNROUTED: what was asked for, without white space at its ends
                      // and at most 127 bytes of it; belongs to the instance, until the next call that changes it
} zo_event;

typedef struct zo_step {
    uint32_t count;   // events written
    int64_t left_ns;  // of dt_ns, not yet played
    bool more;        // something is due at the present instant that the array had no room for
} zo_step;

// Moves the clock by dt_ns (>= 0). Stops early, at the exact instant, when the array is full or after 1,048,576
// boundaries: call again with left_ns until `!more && left_ns == 0`. Stopping changes nothing that follows. What is due
// at the start (events at 0 of the first runs) comes with the first call, also with dt_ns 0. With capacity 0 it moves
// to the next event and stays there. The clock stops at 2^62 ns, after 146 years.
ZO_API zo_step zo_instance_advance(zo_instance *instance, int64_t dt_ns, zo_event *events, uint32_t capacity);

ZO_API int64_t zo_instance_now_ns(const zo_instance *instance);
ZO_API uint32_t zo_instance_live_count(const zo_instance *instance); // runs not over, waiting ones included

// Zero members: the clip's own figures. `params` has one number for each parameter of the clip, in order.
typedef struct zo_run_def {
    const double *params;
    uint32_t param_count;  // of `params`; the others, and NaN among them, are as zo_instance_set_param left them
    int64_t duration_ns;   // 0: the clip's own; cut to what the clip allows
    bool set_repeat;
    zo_repeat repeat;
    double delay_ms_min, delay_ms_max; // with set_repeat and RANDOM_INTERVAL
    zo_cel cel;            // what an unnamed SHOW_CEL shows; none: the program's own choice
} zo_run_def;

// Starts a clip at the present instant; what is due at its time 0 comes with the next advance. When the table is full
// the oldest run that others cover wholly is ended (CROWDED_OUT) to make room, else the oldest; those that a state
// plays only when there is no other. none: no such clip, or the clip cannot repeat as asked.
// RUN_START and RUN_END come in pairs: a run that is over before advance could tell of its start is not told of at all.
ZO_API zo_run zo_instance_start(zo_instance *instance, zo_clip clip, const zo_run_def *def);
ZO_API bool zo_instance_cancel(zo_instance *instance, zo_run run); // false: it is over already
// And the rest of a wait; layers keep their values. What a machine plays goes by the machine's clock alone.
ZO_API void zo_instance_pause(zo_instance *instance, zo_run run);
ZO_API void zo_instance_resume(zo_instance *instance, zo_run run);

// Parameters are lines over the clip's time in general; here the value itself. Bound when a run starts: runs that have
// begun keep theirs. Cut to the parameter's limits. NaN changes nothing.
ZO_API void zo_instance_set_param(zo_instance *instance, zo_param param, double value);
ZO_API double zo_instance_param(const zo_instance *instance, zo_param param); // of a control: at the present time

// Controls (zo_param_info.clip is none) are lines over what they are asked for: offset + slope * x, where x is the time
// of the world in seconds wherever it has not been made something else. They may be set at any time and count at once.
// set_param makes one constant. Of a clip's parameter the offset alone counts. What is not finite changes nothing.
ZO_API void zo_instance_set_param_line(zo_instance *instance, zo_param param, double offset, double slope);
// Only the slope changes, and what it is at the present time stays; of controls.
ZO_API void zo_instance_ramp_param(zo_instance *instance, zo_param param, double slope);
// Any function in the line's place, which must give the same for the same x between calls; NULL: the line counts again.
// It is called by whatever works out a pose, and belongs to the host: snapshots keep it, stored programs do not, and
// after a reload it is to be bound anew. Of controls.
typedef double (*zo_control_fn)(void *context, double x);
ZO_API void zo_instance_bind(zo_instance *instance, zo_param param, zo_control_fn ask, void *context);
// The value of an expression at x with the controls as they are. `fault` (may be NULL) is told what is missing; the
// value is what is made of the rest, and may be NaN.
ZO_API double zo_instance_expr(const zo_instance *instance, zo_expr expr, double x, zo_fault *fault);

// The picture that an index channel shows while nothing else decides, and the one that an unnamed SHOW_CEL turns to.
ZO_API void zo_instance_show(zo_instance *instance, zo_cel cel);
ZO_API void zo_instance_show_next(zo_instance *instance, zo_cel cel);
ZO_API zo_cel zo_instance_shown(const zo_instance *instance);

// ---- programs with states: a director or a machine decides what is played, and these are what a host tells it. On a
// program without they do nothing and return false. What they lead to is told by the next advance.

// The state of this name (or the first of the group, where it is a group's) is taken at once; signals that wait, and
// the rest of a way, are dropped.
ZO_API bool zo_instance_request(zo_instance *instance, const char *state);

// Machines that show poses go along their edges alone: false also where none leads there. Those that look at the world
// every so often show a state that is asked for from their next look on.

// Such a look, now, at any time of the world; also at one that lies back. The state in which it stands is shown; what
// lies between the last look and this one is told by the next advance, and does what it asks for. false: the program
// has no such machine, or the clock sees to its looks (zo_instance_def.host_polls), or the time is not finite, also
// where the machine's times are floats and it is not as one; or what the last look found has not all been told: advance
// first.
ZO_API bool zo_instance_poll(zo_instance *instance, double seconds);
// The first thing that what is shown at present asks for in vain. Any program.
ZO_API zo_fault zo_instance_fault(const zo_instance *instance);

// Asks a machine that runs by itself for a state of this group; white space at the ends does not count. It goes there
// by its edges: at once over the first, or when the clip is complete, as the program says. `after_speech`: while it
// speaks, and in the hold after that, only when that is over; else at once. false: nothing answers, an UNROUTED event
// tells, and nothing has changed; or too much is waiting.
ZO_API bool zo_instance_trigger(zo_instance *instance, const char *group, bool after_speech);
// Back to the first state, at once, or as above. false: the program has no machine that runs by itself.
ZO_API bool zo_instance_release(zo_instance *instance, bool after_speech);
// Somebody speaks, or has stopped: what lies over a mouth follows it at once, and a director of speech leads into and
// out of what is played to speech. Any program.
ZO_API void zo_instance_speaking(zo_instance *instance, bool speaking);
// How loud, 0..1, cut to that; at first 0. NaN changes nothing. Any program.
ZO_API void zo_instance_set_mouth(zo_instance *instance, double level);

// What somebody is at: "turn-start", "waiting", "success" and so on, as the program lists. It counts once things are
// quiet.
typedef struct zo_status_event {
    const char *type;
    const char *source; // who says so; what several say is merged. NULL: ""
    const char *tool;   // the kind of tool, where the type has some; NULL: ""
    bool stamped;       // stamp_ns says when, on the instance's clock; else it is now
    int64_t stamp_ns;
} zo_status_event;
ZO_API bool zo_instance_status(zo_instance *instance, const zo_status_event *event); // false: no such type

ZO_API bool zo_instance_click(zo_instance *instance);
// Shows a picture for a while; ms <= 0: until another state or picture is taken. false: it is not there.
ZO_API bool zo_instance_flash(zo_instance *instance, zo_cel cel, double ms);
// Plays a clip by its name over everything. `interrupt` ends an enter and an earlier such play; without it they refuse.
ZO_API bool zo_instance_play(zo_instance *instance, const char *clip, bool interrupt);
// While nobody sees it everything stands still where it is, but signals and the states that they lead to. Any program.
ZO_API void zo_instance_set_hidden(zo_instance *instance, bool hidden);
// For what starts from now on, and at once for what a state plays beside. Any program.
ZO_API void zo_instance_set_reduced_motion(zo_instance *instance, bool reduced);
// Whether there is a picture for this cel. For what is shown from now on; what is on show stays. Any program.
ZO_API void zo_instance_set_cel(zo_instance *instance, zo_cel cel, bool there);

// Where it stands. false: no states.
typedef struct zo_target_state {
    zo_state state;
    const char *name;     // of the state
    const char *group;    // what several states are called together
    const char *activity; // or ""
    // Of a machine that runs by itself, else zero:
    zo_via via;           // how the state was entered, last
    zo_clip clip;         // that it plays,
    uint32_t frame;       // and which of its pictures is on show, from 0
    bool held;            // at this one
    uint64_t draws;       // random numbers used for steps so far
    uint32_t route_count; // edges that are still to be walked
    bool speaking;        // somebody does,
    double mouth;         // as loud as this, 0..1
    // Of a machine that shows poses, else zero:
    double weight;        // 0..1: how much the state counts in what is shown; 0: it is not shown yet
    double time_s;        // of the world, as its poses see it
} zo_target_state;
ZO_API bool zo_instance_state(const zo_instance *instance, zo_target_state *target);

// The runs that are not over, in the order of their starts, from 0. false: there are not so many.
typedef struct zo_run_info {
    zo_run run;
    zo_clip clip;         // the twin under reduced motion
    uint32_t layers;      // bit l: it holds, or shares, or would hold layer l (zo_layer_name) if no newer run did
    uint64_t installed;   // the higher, the later it was installed on its layers
    bool waiting;         // between passes; it holds nothing
    bool paused;
    int64_t local_ns;     // since its present pass began, also in a backward one
    int64_t duration_ns;  // of one pass
    bool backward;        // its present pass runs from the end to the start
    zo_repeat repeat;     // in force
    uint32_t mix;         // 0: the newest run on a layer hides it there; else it combines with runs of the same number
} zo_run_info;
ZO_API bool zo_instance_run_at(const zo_instance *instance, uint32_t index, zo_run_info *info);
// What the parameter of its clip, from 0 in their order, was when the run started. false: no such run or parameter.
ZO_API bool zo_instance_run_param(const zo_instance *instance, zo_run run, uint32_t param, double *value);

// A particle of an effect of the program's.
typedef struct zo_particle {
    const char *effect; // names; they belong to the program
    const char *shape;
    zo_target target;   // that it follows
    int64_t age_ns, life_ns;
    uint8_t colour[4];  // red, green, blue, alpha; not premultiplied
    double width, height; // units, unturned
    double x, y;        // of its middle, from the effect's place, in the target's units, y down
    double turn;        // degrees, clockwise
    double opacity;     // 0..1, of its own
    double rgba[4];     // the same colour, not cut to 0..1
    // Of effects that emit. Then `emitted` is true, and x and y are not from the effect's place but in the program's
    // space; y goes the way that y goes in the program.
    bool emitted;
    uint32_t start;     // of its effect, zo_effect.start
    uint32_t number;    // in its effect, from 0; numbers of what could not be born are left out
    uint32_t frame;     // of the picture's sheet, along the rows from the top
    double z;           // away from the viewer
    double vx, vy, vz;  // units a second, without what noise adds
} zo_particle;

ZO_API uint32_t zo_instance_particle_count(const zo_instance *instance); // alive now
// In the order of birth, effect after effect, from 0. false: there are not so many.
ZO_API bool zo_instance_particle_at(const zo_instance *instance, uint32_t index, zo_particle *particle);
// The same for many at once, from `first` on: returns how many it has written. To see all, ask for all: the way to the
// first one takes its time.
ZO_API uint32_t zo_instance_particles(const zo_instance *instance, uint32_t first, zo_particle *particles,
                                      uint32_t capacity);

typedef enum zo_effect_kind {
    ZO_EFFECT_PARTICLES = 0, // bursts along a path among them
    ZO_EFFECT_LIGHT = 1,
    ZO_EFFECT_TRAIL = 2,
    ZO_EFFECT_DECAL = 3,
} zo_effect_kind;

// An effect of the program's that is not over. Lengths are units of the program, y goes the way that y goes in it.
typedef struct zo_effect {
    zo_effect_kind kind;
    const char *name;   // belongs to the program
    zo_target target;   // that it follows
    uint32_t start;     // number of its start in this instance, from 0; starts that were refused count
    int64_t age_ns;
    int64_t left_ns;    // until it is over; INT64_MAX: until the run that started it is over
    uint32_t particles; // alive
    double x, y, z;     // where it stands
    double turn;        // of its target, degrees from x towards y
    double rgba[4];     // of a light, a decal, the head of a trail; not premultiplied, not cut
    double end_rgba[4]; // of the end of a trail
    double radius, inner; // LIGHT: where it ends, and up to where it is full
    double intensity;   // LIGHT: factor of its colour
    double width;       // TRAIL: at its head
    bool laying;        // TRAIL: the head is where the effect stands
    uint32_t points;    // TRAIL: not yet faded
    zo_cel cel;         // the picture: of the particles, of the trail, of the decal; none: plain colour
    uint32_t columns, rows, frame; // in which it is cut; DECAL: the frame shown
    double pixel_x, pixel_y; // DECAL: units a pixel of the picture, scaled
} zo_effect;

ZO_API uint32_t zo_instance_effect_count(const zo_instance *instance);
// In the order of their starts, from 0. false: there are not so many.
ZO_API bool zo_instance_effect_at(const zo_instance *instance, uint32_t index, zo_effect *effect);

// It emits no more, and is over with its last particle; a trail fades, a light or a decal goes out. `start`:
// zo_effect.start. false: it is over already, or a burst that has been let go.
ZO_API bool zo_instance_stop_effect(zo_instance *instance, uint32_t start);

typedef struct zo_trail_point {
    double x, y;        // in the program's space
    int64_t age_ns, life_ns;
} zo_trail_point;
// The points of the trail that zo_instance_effect_at(index) tells of, the oldest first: returns how many it has
// written.
ZO_API uint32_t zo_instance_trail(const zo_instance *instance, uint32_t index, zo_trail_point *points,
                                  uint32_t capacity);

// How many effects, particles and points of trails were not made because a capacity of the instance was reached, and
// births beyond the 65,536 that one emitter may have between two of its ticks.
ZO_API uint64_t zo_instance_dropped(const zo_instance *instance);

#ifdef __cplusplus
}
#endif

#endif
