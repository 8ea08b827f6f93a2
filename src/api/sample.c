// The public functions of sample.h: argument checks and nothing clever. Part of the play-only library.
#include <zoetrope/sample.h>

#include "base/arena.h"
#include "runtime/runtime.h"

size_t zo_pose_size(const zo_program *program) {
    ZO_ASSERT(program != NULL);
    return zr_pose_size(program);
}

zo_pose *zo_pose_init(void *memory, size_t size, const zo_program *program) {
    ZO_ASSERT(program != NULL);
    return zr_pose_init(memory, size, program);
}

zo_pose *zo_pose_create(const zo_program *program, const zo_allocator *allocator) {
    ZO_ASSERT(program != NULL);
    const zo_allocator from = zb_allocator_or_default(allocator);
    const size_t size = zr_pose_size(program);
    void *memory = size == SIZE_MAX ? NULL : from.alloc(from.context, size);
    if (!memory) { return NULL; }
    zo_pose *pose = zr_pose_init(memory, size, program);
    ZO_ASSERT(pose != NULL);
    ((zr_pose *)pose)->allocator = from;
    return pose;
}

void zo_pose_free(zo_pose *pose) {
    if (!pose) { return; }
    const zr_pose *block = (const zr_pose *)pose;
    const zo_allocator from = block->allocator;
    ZO_ASSERT(from.free != NULL); // of zo_pose_create
    from.free(from.context, pose, block->size);
}

void zo_instance_sample(const zo_instance *instance, zo_pose *pose) { zr_instance_sample(instance, pose); }

void zo_clip_sample(const zo_program *program, zo_clip clip, double time, const double *params, zo_pose *pose) {
    ZO_ASSERT(program != NULL);
    ZO_ASSERT(clip.id >= 1);
    zr_clip_sample(program, clip.id - 1, time, params, pose);
}
