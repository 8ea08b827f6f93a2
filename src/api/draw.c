// Drawing, public: the checks of <zoetrope/draw.h>, then src/draw. Part of the play-only library.
#include <zoetrope/draw.h>

#include "draw/draw.h"
#include "image/image.h"
#include "runtime/runtime.h"

zo_draw_bound zo_draw_bounds(const zo_program *program) {
    ZO_ASSERT(program);
    return zg_draw_bounds(program);
}

zo_draw_bound zo_instance_draw_bounds(const zo_instance *instance) {
    ZO_ASSERT(instance);
    return zg_instance_bounds(instance);
}

static void check_view(const zo_view *view) {
    ZO_ASSERT(view);
    ZO_ASSERT(view->image_count == 0 || view->image_sizes);
    ZO_ASSERT(view->cel_count == 0 || view->cel_images);
}

static void check_pose(const zo_program *program, const zo_pose *pose) {
    ZO_ASSERT(pose);
    ZO_ASSERT(pose->slot_count == zp_count(program, ZP_SECTION_CHANNELS));
    ZO_ASSERT(pose->target_count == zp_count(program, ZP_SECTION_TARGETS));
}

static void check_list(const zo_draw_list *list) {
    ZO_ASSERT(list);
    ZO_ASSERT(list->vertex_capacity == 0 || list->vertices);
    ZO_ASSERT(list->index_capacity == 0 || list->indices);
    ZO_ASSERT(list->command_capacity == 0 || list->commands);
}

bool zo_pose_draw(const zo_program *program, const zo_pose *pose, const zo_view *view, zo_draw_list *list) {
    ZO_ASSERT(program);
    check_pose(program, pose);
    check_view(view);
    check_list(list);
    return zg_pose_draw(program, pose, view, list);
}

bool zo_instance_draw(const zo_instance *instance, const zo_pose *pose, const zo_view *view, zo_draw_list *list) {
    ZO_ASSERT(instance);
    check_pose(instance->program, pose);
    check_view(view);
    check_list(list);
    return zg_instance_draw(instance, pose, view, list);
}

bool zo_instance_overlay(const zo_instance *instance, const zo_view *view, uint32_t index, zo_overlay *overlay) {
    ZO_ASSERT(instance);
    ZO_ASSERT(overlay);
    check_view(view);
    return zg_overlay_tell(instance, view, index, overlay);
}

static void raster(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target,
                   uint32_t *depths) {
    ZO_ASSERT(list);
    ZO_ASSERT(list->vertex_count == 0 || list->vertices);
    ZO_ASSERT(list->index_count == 0 || list->indices);
    ZO_ASSERT(list->command_count == 0 || list->commands);
    ZO_ASSERT(image_count == 0 || images);
    ZO_ASSERT(target);
    ZO_ASSERT(zi_image_check(target));
    zg_raster(list, images, image_count, target, depths);
}

void zo_raster(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target) {
    raster(list, images, image_count, target, NULL);
}

void zo_raster_depth(const zo_draw_list *list, const zo_image *images, uint32_t image_count, zo_image *target,
                     uint32_t *depths) {
    ZO_ASSERT(depths);
    raster(list, images, image_count, target, depths);
}
