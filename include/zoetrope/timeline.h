// Going back, and going on with something else: snapshots of an instance, timelines that can be sought, and reloads
// that keep what is going on. A timeline is a recorder around an instance of its own: whatever it is told it can play
// again, so any instant can be asked for in any order, and what is asked twice is the same twice, to the byte.
#ifndef ZOETROPE_TIMELINE_H
#define ZOETROPE_TIMELINE_H

#include <zoetrope/base.h>
#include <zoetrope/play.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------- snapshots

// A copy of all that an instance is, in memory of the caller's (any alignment). Returns the bytes that it takes, the
// same in the instance's whole life; with fewer nothing is written. Instances of one program and def that are in the
// same state give the same bytes. It holds pointers of this process and is of use only as long as the instance's
// program is there.
ZO_API size_t zo_instance_snapshot(const zo_instance *instance, void *memory, size_t size);
// The instance becomes what it was; or what another one was that has the same program and was made by the same def.
// false: it is not such a snapshot, and nothing is changed.
ZO_API bool zo_instance_restore(zo_instance *instance, const void *memory, size_t size);

// ---------------------------------------------------------------------------------------------------- reloads

typedef enum zo_gone_kind {
    ZO_GONE_RUN = 0,    // its clip is not there, or there is no room: it has ended; name: the clip
    ZO_GONE_PARAM = 1,  // one that did not have its default, of the host or of a run; name: the parameter
    ZO_GONE_CEL = 2,    // shown, to be shown next, of a run, or held
    ZO_GONE_EFFECT = 3, // its particles are gone with it
    ZO_GONE_STATE = 4,  // the one it stood in, or that a source wants
} zo_gone_kind;

typedef struct zo_gone {
    zo_gone_kind kind;
    const char *name; // belongs to the old program
    zo_run run;       // RUN, and what is a run's; else none
} zo_gone;
typedef void (*zo_gone_fn)(void *context, const zo_gone *gone);

// After a reload: `instance`, as zo_instance_init or _create have just made it of another program, goes on where `old`
// stands. Its clock, seed and the ids of its runs are the old one's. What has the same name in both programs is carried
// over: runs by their clips, with their local times and what was overridden for them; parameters and bound values that
// are not the old defaults; pictures, and which of them are there; effects and their particles; the state, what sources
// have said, and what is played for them. A run whose clip has become shorter stands at its end at most, one that
// repeats without events stays within a pass. What the new program plays from the start and the old one did not starts
// now. What has nowhere to go is left out and given to `tell` (NULL: nobody). Runs that are lost this way end
// CANCELLED, with no clip. Lists of numbers for tests, capacities and no_effects are those of the new instance. Take in
// first what the old one has to tell; what has not been is told by the new one as far as it can be. `old` is not
// changed.
ZO_API void zo_instance_adopt(zo_instance *instance, const zo_instance *old, zo_gone_fn tell, void *context);

// ---------------------------------------------------------------------------------------------------- timelines

typedef enum zo_input_kind { // a call of play.h each
    ZO_INPUT_START = 0,
    ZO_INPUT_CANCEL = 1,
    ZO_INPUT_PAUSE = 2,
    ZO_INPUT_RESUME = 3,
    ZO_INPUT_SET_PARAM = 4,
    ZO_INPUT_SHOW = 5,
    ZO_INPUT_SHOW_NEXT = 6,
    ZO_INPUT_REQUEST = 7,
    ZO_INPUT_STATUS = 8,
    ZO_INPUT_CLICK = 9,
    ZO_INPUT_FLASH = 10,
    ZO_INPUT_PLAY = 11,
    ZO_INPUT_SET_HIDDEN = 12,
    ZO_INPUT_SET_REDUCED_MOTION = 13,
    ZO_INPUT_SET_CEL = 14,
    ZO_INPUT_TRIGGER = 15,
    ZO_INPUT_RELEASE = 16,
    ZO_INPUT_SPEAKING = 17,
    ZO_INPUT_SET_MOUTH = 18,
    ZO_INPUT_SET_PARAM_LINE = 19,
    ZO_INPUT_RAMP_PARAM = 20,
    ZO_INPUT_POLL = 21,
    ZO_INPUT_COUNT
} zo_input_kind;

// Plain data: what was called, with what, and when. Members that a kind has no use for are not looked at.
typedef struct zo_input {
    zo_input_kind kind;
    uint32_t id;            // START: clip; CANCEL, PAUSE, RESUME: run; SET_PARAM, SET_PARAM_LINE, RAMP_PARAM: param;
                            // SHOW, SHOW_NEXT, FLASH, SET_CEL: cel
    int64_t t_ns;           // given by zo_timeline_add
    double number;          // SET_PARAM: value; SET_PARAM_LINE: offset; FLASH: ms; SET_MOUTH: level; POLL: seconds
    double slope;           // SET_PARAM_LINE, RAMP_PARAM
    bool on;                // PLAY: interrupt; SET_HIDDEN, SET_REDUCED_MOTION, SET_CEL, SPEAKING: whether;
                            // TRIGGER, RELEASE: after speech
    const char *text;       // REQUEST: state; PLAY: clip; TRIGGER: group
    zo_run_def run;         // START
    zo_status_event status; // STATUS
} zo_input;

// The call that an input stands for, on an instance, now; `input->t_ns` is not looked at. For hosts whose calls come as
// data: through another language, a file, a wire. `result` and INVALID as of zo_timeline_add.
ZO_API zo_status zo_instance_apply(zo_instance *instance, const zo_input *input, uint32_t *result);

typedef struct zo_timeline_def {
    zo_instance_def instance;  // lists in it are borrowed for the timeline's life
    int64_t snapshot_every_ns; // 0: one second. How far apart snapshots are at first,
    uint32_t snapshot_max;     // 0: 128; 2 to 65,536. When there are so many every second one goes and they are taken
                               // half as often
} zo_timeline_def;

typedef struct zo_timeline zo_timeline;

// At 0, with nothing told yet. The program must outlive it. `def` NULL: the defaults; allocator NULL: malloc and free.
// NULL: no memory. Belongs to one thread at a time.
ZO_API zo_timeline *zo_timeline_create(const zo_program *program, const zo_timeline_def *def,
                                       const zo_allocator *allocator);
ZO_API void zo_timeline_free(zo_timeline *timeline);

// Where it stands: the same object through the timeline's life, for sampling and asking.
ZO_API const zo_instance *zo_timeline_instance(const zo_timeline *timeline);

// The same for a timeline, as zo_timeline_create has just made it: it goes on where `old` stands, which may be another
// timeline's. That instant is its beginning from then on: what lies before is not there to be sought.
ZO_API void zo_timeline_adopt(zo_timeline *timeline, const zo_instance *old, zo_gone_fn tell, void *context);

// Who hears of what is passed on the way forward, from the present on, in order and once; NULL: nobody, and then the
// way forward takes the short cuts as well. The way back, and what is played again to get there, tells nobody.
typedef void (*zo_event_fn)(void *context, const zo_event *event);
ZO_API void zo_timeline_listen(zo_timeline *timeline, zo_event_fn listen, void *context);

// To any instant, 0 <= t_ns, but not to before its beginning; the clock ends at 2^62 ns. All inputs up to and at t_ns
// have been made there, and all that they have led to until then has come. Returns zo_timeline_instance. The same as
// playing to t_ns whatever was asked before: the instance's bytes say so. Costs the way from the snapshot before it.
ZO_API const zo_instance *zo_timeline_seek(zo_timeline *timeline, int64_t t_ns);

// Makes a call at the present instant and notes it down, with a copy of what it points to. It comes after all that was
// due at this instant, and after all that earlier calls at it have led to. What was noted for later is dropped.
// `result` (may be NULL) gets what the call returned: START: the run's id, what returns a bool: 0 or 1, else 1.
// INVALID: no such kind, clip, parameter or cel, or a text is missing; nothing has happened then, nor on NO_MEMORY.
ZO_API zo_status zo_timeline_add(zo_timeline *timeline, const zo_input *input, uint32_t *result);

ZO_API uint32_t zo_timeline_input_count(const zo_timeline *timeline); // also those after the present
// From 0, in their order. false: there are not so many. What it points to is the timeline's and stands until that input
// is dropped.
ZO_API bool zo_timeline_input_at(const zo_timeline *timeline, uint32_t index, zo_input *input);

ZO_API uint32_t zo_timeline_snapshot_count(const zo_timeline *timeline);
ZO_API size_t zo_timeline_size(const zo_timeline *timeline); // bytes held from the allocator

#ifdef __cplusplus
}
#endif

#endif
