// Sampling: the values of all channels, and one transform a target, at the instance's present instant or at any time of
// one clip. A pure function of program and state: how the time was reached, and what the pose held before, do not
// matter.
#ifndef ZOETROPE_SAMPLE_H
#define ZOETROPE_SAMPLE_H

#include <zoetrope/base.h>
#include <zoetrope/play.h>

#ifdef __cplusplus
extern "C" {
#endif

// Row-major 3x4 affine: x' = m[0]x + m[1]y + m[2]z + m[3], and so on. Units are those of the program, y down in 2D.
typedef struct zo_transform {
    double m[12];
    double opacity; // product along the parents; not cut to 0..1
} zo_transform;

// Caller-owned: one block, sized for one program. The members may be read freely and belong to the block.
typedef struct zo_pose {
    double *slots;             // [slot_count]: slot of channel c is c.id - 1; an index channel holds the cel's id, 0
                               // none. Where a machine shows poses: of the one clip that is shown, where it is one
                               // alone; else at rest
    zo_transform *transforms;  // [target_count]: in the program's order, parents first; from the program's root
    uint8_t *at_rest;          // [target_count]: 1 when every value of the target equals its rest value exactly; of
                               // one that turns about an axis, or where nodes make the pose: when it stands so
    uint32_t slot_count;
    uint32_t target_count;
} zo_pose;

ZO_API size_t zo_pose_size(const zo_program *program);
// In the caller's memory (aligned to 16, at least zo_pose_size bytes): all at rest. NULL: too small or not aligned.
ZO_API zo_pose *zo_pose_init(void *memory, size_t size, const zo_program *program);
ZO_API zo_pose *zo_pose_create(const zo_program *program, const zo_allocator *allocator); // NULL: no memory
ZO_API void zo_pose_free(zo_pose *pose); // only what zo_pose_create made

ZO_API void zo_instance_sample(const zo_instance *instance, zo_pose *pose);

// One clip alone, at `time` in the clip's own unit (see zo_clip_info.time_unit), forward. What lies outside of a pass
// is its end, unless the source's clips wrap there or go on. Every other channel is at rest. `params`: as
// zo_run_def.params, or NULL for the defaults. Events are not applied: index channels hold what the clip's curves say,
// else rest.
ZO_API void zo_clip_sample(const zo_program *program, zo_clip clip, double time, const double *params, zo_pose *pose);

#ifdef __cplusplus
}
#endif

#endif
