// The runtime's inside: what an instance is made of, and the verbs that api (and later directors) drive it with. All
// times are int64_t nanoseconds of the instance's clock. Nothing here allocates. Knows programs, not where they came from.
#ifndef ZR_RUNTIME_H
#define ZR_RUNTIME_H

#include <zoetrope/play.h>
#include <zoetrope/sample.h>

#include "program/program.h"

typedef enum zr_phase {
    ZR_FREE = 0,
    ZR_PLAYING = 1, // installed on its layers
    ZR_WAITING = 2, // between passes; holds no layer
} zr_phase;

// A clip being played.
typedef struct zr_run {
    uint32_t clip;            // the twin under reduced motion
    uint32_t phase;           // zr_phase
    uint32_t repeat;          // zp_repeat in force
    uint32_t cel_ref;         // what an unnamed SHOW_CEL shows: cel + 1; 0: instance's next
    uint32_t id;              // zo_run.id, never given twice in an instance's life
    uint32_t next_event;      // of the clip's, not yet passed in this pass
    uint32_t paused;          // 0 or 1
    uint32_t announced;       // RUN_START has been reported
    uint64_t start_serial;    // order of starting, for what is due at one instant
    uint64_t install_serial;  // renewed at each install; the highest on a layer holds it
    uint64_t pass;            // passes begun; also the counter of its delay numbers
    int64_t origin_ns;        // start of the present pass (PLAYING), end of the wait (WAITING); of the first pass where
                              // passes are not counted one by one (no events: LOOP, ALTERNATE)
    int64_t paused_ns;        // when it was paused
    int64_t duration_ns;      // of one pass
    int64_t complete_ns;      // or -1
    double delay_min, delay_max; // in the clip's delay_unit_ns
    uint32_t first_value;     // of its parameters, in the instance's values
    uint32_t value_count;
} zr_run;

// The instance: this header, then the runs, the parameter values of the runs, the host's parameters. One flat block with
// no pointer but to the program (and the test's delay list); a snapshot is a copy.
struct zo_instance {
    const zp_program *program;
    zo_allocator allocator;   // of zo_instance_create; zero otherwise
    const double *delay_list;
    uint32_t delay_count;
    uint32_t delay_used;      // from the list
    uint64_t seed;
    size_t size;              // bytes of the block
    int64_t now_ns;
    uint64_t serial;          // last given
    uint32_t run_capacity;
    uint32_t last_run_id;
    uint32_t reduced_motion;
    uint32_t cel_ref;         // shown now
    uint32_t next_cel_ref;    // what an unnamed SHOW_CEL turns to
    uint32_t crowded_count;   // runs ended to make room, RUN_END still to be reported
    uint32_t values_per_run;
    uint32_t param_count;
    uint32_t runs_offset;     // bytes from the block's start
    uint32_t values_offset;
    uint32_t params_offset;
    uint32_t reserved;
};

// Curve evaluation, shared by instance and clip sampling. `time`: in the clip's unit; `local_ns`: the same instant for
// held curves, at the clip's own duration. `params`: the clip's own, [param_count]. Writes only the slots of the clip's
// curves, into values[slot].
void zr_clip_eval(const zp_program *program, const zp_clip *clip, double time, int64_t local_ns, const double *params,
                  double *values);

// Transforms of all targets from slots; sets at_rest.
void zr_pose_transforms(const zp_program *program, zo_pose *pose);

#endif
