// See scene.h.
#include <stdlib.h>

#include "figure.h"
#include "scene.h"

static bool reserve_list(cli_scene *scene) {
    const zo_draw_bound bound = zo_draw_bounds(scene->program);
    zo_draw_list *list = &scene->list;
    list->vertices = calloc((size_t)bound.vertices + 1, sizeof *list->vertices);
    list->indices = calloc((size_t)bound.indices + 1, sizeof *list->indices);
    list->commands = calloc((size_t)bound.commands + 1, sizeof *list->commands);
    if (bound.depths > 0) { list->depths = calloc(bound.depths, sizeof *list->depths); }
    list->vertex_capacity = bound.vertices;
    list->index_capacity = bound.indices;
    list->command_capacity = bound.commands;
    return list->vertices != NULL && list->indices != NULL && list->commands != NULL &&
           (bound.depths == 0 || list->depths != NULL);
}

bool cli_scene_open(cli_scene *scene, const zo_program *program, cli_pictures *pictures) {
    *scene = (cli_scene){.program = program, .pictures = pictures, .space.camera = ZO_CAMERA_DEFAULT};
    scene->pose = zo_pose_create(program, NULL);
    scene->cel_images = calloc((size_t)pictures->cel_count + 1, sizeof *scene->cel_images);
    if (scene->pose != NULL) { scene->space.has_box = zo_program_box(program, scene->pose, scene->space.box); }
    return scene->pose != NULL && scene->cel_images != NULL && reserve_list(scene) &&
           (pictures->store == NULL || cli_ahead_open(&scene->ahead, program));
}

void cli_scene_close(cli_scene *scene) {
    cli_ahead_close(&scene->ahead);
    zo_pose_free(scene->pose);
    cli_space_close(&scene->space);
    free(scene->list.vertices);
    free(scene->list.depths);
    free(scene->list.indices);
    free(scene->list.commands);
    free(scene->cel_images);
    *scene = (cli_scene){0};
}

// Such a cel shows what was shown before it, or the first picture that there is.
void cli_scene_note(cli_scene *scene, const zo_instance *instance) {
    const cli_pictures *pictures = scene->pictures;
    if (pictures->apart || pictures->store != NULL) { return; }
    const zo_cel cel = zo_instance_shown(instance);
    const uint32_t image = cel.id != 0 ? pictures->cel_images[cel.id - 1] : 0;
    if (image != 0) { scene->last_image = image; }
    for (uint32_t c = 0; c < pictures->cel_count && scene->last_image == 0; c++) {
        scene->last_image = pictures->cel_images[c];
    }
}

static bool want_pictures(cli_scene *scene) {
    bool fine = true;
    for (uint32_t i = 0; i < scene->list.command_count && fine; i++) {
        const uint32_t image = scene->list.commands[i].image;
        fine = image == 0 || cli_pictures_want(scene->pictures, image);
    }
    return fine;
}

// ---- pictures that are in a store: what is not there is stood in for

// The picture that shows the cel now, taken: its own; where that cannot be loaded, its neighbour's in the clip; where
// it is only not there yet, what was shown before. 0: nothing can be shown.
static uint32_t take_shown(cli_scene *scene, uint32_t cel) {
    cli_pictures *pictures = scene->pictures;
    const uint32_t image = pictures->cel_images[cel - 1];
    if (!cli_pictures_is_stored(pictures, image) || cli_pictures_take(pictures, image)) { return image; }
    const bool broken = cli_textures_is_broken(pictures->store, image - 1);
    zo_cel near;
    for (uint32_t t = 0; broken && (near = cli_ahead_stand_in(&scene->ahead, (zo_cel){cel}, t)).id != 0; t++) {
        const uint32_t other = pictures->cel_images[near.id - 1];
        if (!cli_pictures_is_stored(pictures, other) || cli_pictures_take(pictures, other)) { return other; }
        if (!cli_textures_is_broken(pictures->store, near.id - 1)) { break; } // it comes
    }
    const uint32_t last = scene->last_image;
    return !pictures->waits && last != 0 && cli_pictures_take(pictures, last) ? last : 0;
}

zo_cel cli_scene_cel(const zo_program *program, const zo_pose *pose) {
    zo_channel_info channel;
    for (uint32_t c = 1; zo_channel_get(program, (zo_channel){c}, &channel); c++) {
        const double value = channel.is_index ? pose->slots[c - 1] : 0.0;
        if (value >= 1.0 && value <= zo_cel_count(program)) { return (zo_cel){(uint32_t)value}; }
    }
    return (zo_cel){0};
}

// The sprite's own picture first, which something always stands in for; what is drawn besides, such as what lies over
// it, is left out while it is not there. Sizes are known then, so the list is made anew.
static void take_drawn(cli_scene *scene, uint32_t cel) {
    cli_pictures *pictures = scene->pictures;
    const uint32_t image = cel != 0 ? take_shown(scene, cel) : 0;
    if (cel != 0) { scene->cel_images[cel - 1] = image; }
    if (image != 0) { scene->last_image = image; }
    for (uint32_t i = 0; i < scene->list.command_count; i++) {
        const uint32_t other = scene->list.commands[i].image;
        const bool own = cel != 0 && other == pictures->cel_images[cel - 1];
        if (own || !cli_pictures_is_stored(pictures, other) || cli_pictures_take(pictures, other)) { continue; }
        for (uint32_t c = 0; c < pictures->cel_count; c++) {
            if (scene->cel_images[c] == other) { scene->cel_images[c] = 0; }
        }
    }
}

bool cli_scene_draw(cli_scene *scene, const zo_instance *instance, double pixels_per_unit, bool nearest,
                    zo_image *image) {
    const cli_pictures *pictures = scene->pictures;
    const bool stored = pictures->store != NULL, solid = zo_mesh_count(scene->program) > 0;
    const uint32_t times = cli_space_times(scene->program, image);
    for (uint32_t c = 0; c < pictures->cel_count; c++) { // one side's texture does not stand in for another's
        const bool own = pictures->cel_images[c] != 0 || stored || solid;
        scene->cel_images[c] = own ? pictures->cel_images[c] : scene->last_image;
    }
    double stage[4];
    zo_program_stage(scene->program, stage);
    const zo_view view = {
        .width = (double)image->width * times,
        .height = (double)image->height * times,
        .pixels_per_unit = pixels_per_unit * times,
        .center_x = (stage[0] + stage[2]) / 2,
        .center_y = (stage[1] + stage[3]) / 2,
        .image_sizes = pictures->sizes,
        .image_count = pictures->count,
        .cel_images = scene->cel_images,
        .cel_count = pictures->cel_count,
        .filter = nearest ? ZO_FILTER_NEAREST : ZO_FILTER_BILINEAR,
        .camera = &scene->space.camera,
        .box = scene->space.has_box ? scene->space.box : NULL,
    };
    zo_instance_sample(instance, scene->pose);
    if (stored) {
        cli_ahead_wish(&scene->ahead, instance, pictures->store);
        cli_pictures_begin(scene->pictures);
    }
    zo_instance_draw(instance, scene->pose, &view, &scene->list);
    if (stored) {
        take_drawn(scene, cli_scene_cel(scene->program, scene->pose).id);
        zo_instance_draw(instance, scene->pose, &view, &scene->list);
    }
    if (!want_pictures(scene)) { return false; }
    cli_figure_draw(scene->program, pictures, scene->pose, pixels_per_unit, image);
    if (!cli_space_draw(&scene->space, times, &scene->list, pictures->images, pictures->count, image)) { return false; }
    if (stored) { cli_pictures_end(scene->pictures); }
    return true;
}
