// Scenes at the edge: a pose through a view to triangles, in arrays that JavaScript looks at where they lie, and the
// rasteriser over them. One scene a program and stage. Called by scene.js and pixels.js.
#include <stdlib.h>

#include "edge.h"

typedef struct zw_scene {
    const zo_program *program;
    zo_pose *pose;
    zo_draw_list list;
    zo_view view;
    zo_camera camera;
    double box[6], root[12];
    zo_size *sizes;      // of pictures; set by JavaScript
    uint32_t *cels;      // which picture shows a cel; the same
    zo_image *pictures;  // whose pixels are in memory of the module, premultiplied; for the rasteriser
    uint32_t picture_count;
    uint32_t *depths;    // of the rasteriser
    size_t depth_count;
} zw_scene;

ZW_EXPORT(zw_scene *, zw_scene_new)(const zo_program *program);
ZW_EXPORT(void, zw_scene_free)(zw_scene *scene);
ZW_EXPORT(uint32_t, zw_scene_pictures)(zw_scene *scene, uint32_t count);
ZW_EXPORT(void, zw_scene_picture)(zw_scene *scene, uint32_t index, uint8_t *pixels, uint32_t width, uint32_t height);
ZW_EXPORT(uint32_t *, zw_scene_cels)(zw_scene *scene);
ZW_EXPORT(double *, zw_scene_root)(zw_scene *scene);
ZW_EXPORT(void, zw_scene_view)(zw_scene *scene, double width, double height, double pixels_per_unit, double center_x,
                              double center_y, uint32_t nearest, uint32_t has_root);
ZW_EXPORT(void, zw_scene_camera)(zw_scene *scene, double yaw, double pitch, double zoom, double field);
ZW_EXPORT(uint32_t, zw_scene_player)(zw_scene *scene, zw_player *player);
ZW_EXPORT(uint32_t, zw_scene_clip)(zw_scene *scene, uint32_t clip, double time, const double *params);
ZW_EXPORT(uint32_t, zw_scene_crowd)(zw_scene *scene, zw_player *const *players, const double *places, uint32_t count);
ZW_EXPORT(zo_vertex *, zw_scene_vertices)(const zw_scene *scene);
ZW_EXPORT(uint32_t, zw_scene_vertex_count)(const zw_scene *scene);
ZW_EXPORT(zo_vertex_depth *, zw_scene_depths)(const zw_scene *scene);
ZW_EXPORT(uint32_t *, zw_scene_indices)(const zw_scene *scene);
ZW_EXPORT(uint32_t, zw_scene_index_count)(const zw_scene *scene);
ZW_EXPORT(zo_command *, zw_scene_commands)(const zw_scene *scene);
ZW_EXPORT(uint32_t, zw_scene_command_count)(const zw_scene *scene);
ZW_EXPORT(uint32_t, zw_scene_raster)(zw_scene *scene, uint8_t *pixels, uint32_t width, uint32_t height);
ZW_EXPORT(void, zw_image_fill)(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t rgba);
ZW_EXPORT(void, zw_image_premultiply)(uint8_t *pixels, uint32_t width, uint32_t height);
ZW_EXPORT(void, zw_image_unpremultiply)(uint8_t *pixels, uint32_t width, uint32_t height);
ZW_EXPORT(void, zw_image_reduce)(const uint8_t *large, uint8_t *pixels, uint32_t width, uint32_t height);

// JavaScript reads these where they lie.
_Static_assert(sizeof(zo_vertex) == 32 && sizeof(zo_vertex_depth) == 8, "as scene.js has it");
_Static_assert(sizeof(zo_command) == 56 && offsetof(zo_command, alpha_min) == 28 && offsetof(zo_command, region) == 40,
               "as scene.js has it");

static void free_list(zo_draw_list *list) {
    free(list->vertices);
    free(list->depths);
    free(list->indices);
    free(list->commands);
    *list = (zo_draw_list){0};
}

// Room for what an instance may need; false: no memory, and then the list has none.
static bool reserve(zo_draw_list *list, zo_draw_bound bound) {
    if (list->vertices && bound.vertices <= list->vertex_capacity && bound.indices <= list->index_capacity &&
        bound.commands <= list->command_capacity) {
        return true;
    }
    free_list(list);
    list->vertices = calloc((size_t)bound.vertices + 1, sizeof *list->vertices);
    list->indices = calloc((size_t)bound.indices + 1, sizeof *list->indices);
    list->commands = calloc((size_t)bound.commands + 1, sizeof *list->commands);
    if (bound.depths > 0) { list->depths = calloc((size_t)bound.vertices + 1, sizeof *list->depths); }
    if (!list->vertices || !list->indices || !list->commands || (bound.depths > 0 && !list->depths)) {
        free_list(list);
        return false;
    }
    list->vertex_capacity = bound.vertices;
    list->index_capacity = bound.indices;
    list->command_capacity = bound.commands;
    return true;
}

// NULL: no memory. The program must outlive it.
zw_scene *zw_scene_new(const zo_program *program) {
    zw_scene *scene = calloc(1, sizeof *scene);
    if (!scene) { return NULL; }
    scene->program = program;
    scene->camera = (zo_camera)ZO_CAMERA_DEFAULT;
    scene->pose = zo_pose_create(program, NULL);
    scene->cels = calloc((size_t)zo_cel_count(program) + 1, sizeof *scene->cels);
    if (!scene->pose || !scene->cels || !reserve(&scene->list, zo_draw_bounds(program))) {
        zw_scene_free(scene);
        return NULL;
    }
    scene->view.camera = &scene->camera;
    scene->view.cel_images = scene->cels;
    scene->view.cel_count = zo_cel_count(program);
    if (zo_mesh_count(program) > 0 && zo_program_box(program, scene->pose, scene->box)) { scene->view.box = scene->box; }
    return scene;
}

void zw_scene_free(zw_scene *scene) {
    if (!scene) { return; }
    free_list(&scene->list);
    zo_pose_free(scene->pose);
    free(scene->cels);
    free(scene->sizes);
    free(scene->pictures);
    free(scene->depths);
    free(scene);
}

// Room for so many pictures; those that are there stay. 0: no memory.
uint32_t zw_scene_pictures(zw_scene *scene, uint32_t count) {
    if (count <= scene->picture_count) { return 1; }
    if (count > SIZE_MAX / sizeof *scene->pictures) { return 0; }
    zo_size *sizes = realloc(scene->sizes, count * sizeof *sizes);
    if (sizes) { scene->sizes = sizes; }
    zo_image *pictures = realloc(scene->pictures, count * sizeof *pictures);
    if (pictures) { scene->pictures = pictures; }
    if (!sizes || !pictures) { return 0; }
    memset(sizes + scene->picture_count, 0, (count - scene->picture_count) * sizeof *sizes);
    memset(pictures + scene->picture_count, 0, (count - scene->picture_count) * sizeof *pictures);
    scene->picture_count = count;
    scene->view.image_sizes = scene->sizes;
    scene->view.image_count = count;
    return 1;
}

// Picture `index`, from 0, below the count that there is room for. Its pixels (premultiplied; NULL: none are here) are
// borrowed for as long as they stand here.
void zw_scene_picture(zw_scene *scene, uint32_t index, uint8_t *pixels, uint32_t width, uint32_t height) {
    scene->sizes[index] = (zo_size){width, height};
    scene->pictures[index] = (zo_image){pixels, width, height, (size_t)width * 4};
    if (!pixels) { scene->pictures[index] = (zo_image){0}; }
}

uint32_t *zw_scene_cels(zw_scene *scene) { return scene->cels; }
double *zw_scene_root(zw_scene *scene) { return scene->root; }

void zw_scene_view(zw_scene *scene, double width, double height, double pixels_per_unit, double center_x, double center_y,
                   uint32_t nearest, uint32_t has_root) {
    zo_view *view = &scene->view;
    view->width = width;
    view->height = height;
    view->pixels_per_unit = pixels_per_unit;
    view->center_x = center_x;
    view->center_y = center_y;
    view->filter = nearest ? ZO_FILTER_NEAREST : ZO_FILTER_BILINEAR;
    view->root = has_root ? scene->root : NULL;
}

void zw_scene_camera(zw_scene *scene, double yaw, double pitch, double zoom, double field) {
    scene->camera = (zo_camera){yaw, pitch, zoom, field};
}

// 0: no memory.
uint32_t zw_scene_player(zw_scene *scene, zw_player *player) {
    const zo_instance *instance = zw_player_instance(player);
    if (!reserve(&scene->list, zo_instance_draw_bounds(instance))) { return 0; }
    zo_instance_draw(instance, zw_player_pose(player), &scene->view, &scene->list);
    return 1;
}

uint32_t zw_scene_clip(zw_scene *scene, uint32_t clip, double time, const double *params) {
    if (!reserve(&scene->list, zo_draw_bounds(scene->program))) { return 0; }
    zo_clip_sample(scene->program, (zo_clip){clip}, time, params, scene->pose);
    zo_pose_draw(scene->program, scene->pose, &scene->view, &scene->list);
    return 1;
}

// Grows an array to `capacity` elements and keeps what is in it. false: no memory, and it is as it was.
static bool grow(void **array, uint32_t capacity, size_t size) {
    if (capacity > SIZE_MAX / size) { return false; }
    void *grown = realloc(*array, capacity * size);
    if (grown) { *array = grown; }
    return grown != NULL;
}

// Room for `bound` more. Nothing is known in advance of all of a crowd, whose bounds are far above what it uses.
static bool reserve_more(zo_draw_list *list, zo_draw_bound bound) {
    const uint32_t limit = UINT32_MAX / 4;
    if (bound.vertices > limit - list->vertex_count || bound.indices > limit - list->index_count ||
        bound.commands > limit - list->command_count) {
        return false;
    }
    const uint32_t vertices = list->vertex_count + bound.vertices, indices = list->index_count + bound.indices;
    const uint32_t commands = list->command_count + bound.commands;
    if (vertices > list->vertex_capacity) {
        if (!grow((void **)&list->vertices, vertices * 2, sizeof *list->vertices)) { return false; }
        list->vertex_capacity = vertices * 2;
    }
    if (indices > list->index_capacity) {
        if (!grow((void **)&list->indices, indices * 2, sizeof *list->indices)) { return false; }
        list->index_capacity = indices * 2;
    }
    if (commands > list->command_capacity) {
        if (!grow((void **)&list->commands, commands * 2, sizeof *list->commands)) { return false; }
        list->command_capacity = commands * 2;
    }
    return true;
}

static bool draws_alike(const zo_command *a, const zo_command *b) {
    return a->image == b->image && a->blend == b->blend && a->filter == b->filter && a->flags == b->flags &&
           a->alpha_min == b->alpha_min && memcmp(a->region, b->region, sizeof a->region) == 0;
}

// What `part`, which stands at the end of the list, has been filled with becomes part of the list.
static void take_over(zo_draw_list *list, const zo_draw_list *part) {
    for (uint32_t i = 0; i < part->index_count; i++) { part->indices[i] += list->vertex_count; }
    for (uint32_t i = 0; i < part->command_count; i++) {
        zo_command command = part->commands[i];
        command.first_index += list->index_count;
        zo_command *last = list->command_count > 0 ? &list->commands[list->command_count - 1] : NULL;
        if (last && draws_alike(last, &command) && last->first_index + last->index_count == command.first_index) {
            last->index_count += command.index_count;
        } else {
            list->commands[list->command_count++] = command;
        }
    }
    list->vertex_count += part->vertex_count;
    list->index_count += part->index_count;
}

// Flat players of the scene's program, one drawn over the other, as one list. `places`: x, y and scale of each, over
// the program's root. 0: no memory, or the program has meshes.
uint32_t zw_scene_crowd(zw_scene *scene, zw_player *const *players, const double *places, uint32_t count) {
    zo_draw_list *list = &scene->list;
    if (list->depths) { return 0; }
    list->vertex_count = list->index_count = list->command_count = 0;
    zo_view view = scene->view;
    double root[12] = {0};
    view.root = root;
    for (uint32_t i = 0; i < count; i++) {
        const zo_instance *instance = zw_player_instance(players[i]);
        if (!reserve_more(list, zo_instance_draw_bounds(instance))) { return 0; }
        root[3] = places[3 * i];
        root[7] = places[3 * i + 1];
        root[0] = root[5] = root[10] = places[3 * i + 2];
        zo_draw_list part = {
            .vertices = list->vertices + list->vertex_count,
            .vertex_capacity = list->vertex_capacity - list->vertex_count,
            .indices = list->indices + list->index_count,
            .index_capacity = list->index_capacity - list->index_count,
            .commands = list->commands + list->command_count,
            .command_capacity = list->command_capacity - list->command_count,
        };
        zo_instance_draw(instance, zw_player_pose(players[i]), &view, &part);
        take_over(list, &part);
    }
    return 1;
}

zo_vertex *zw_scene_vertices(const zw_scene *scene) { return scene->list.vertices; }
uint32_t zw_scene_vertex_count(const zw_scene *scene) { return scene->list.vertex_count; }
zo_vertex_depth *zw_scene_depths(const zw_scene *scene) { return scene->list.depths; } // NULL: it is flat
uint32_t *zw_scene_indices(const zw_scene *scene) { return scene->list.indices; }
uint32_t zw_scene_index_count(const zw_scene *scene) { return scene->list.index_count; }
zo_command *zw_scene_commands(const zw_scene *scene) { return scene->list.commands; }
uint32_t zw_scene_command_count(const zw_scene *scene) { return scene->list.command_count; }

// Draws the list over premultiplied pixels. 0: no memory for depths.
uint32_t zw_scene_raster(zw_scene *scene, uint8_t *pixels, uint32_t width, uint32_t height) {
    zo_image target = {pixels, width, height, (size_t)width * 4};
    if (!scene->list.depths) {
        zo_raster(&scene->list, scene->pictures, scene->picture_count, &target);
        return 1;
    }
    const size_t count = (size_t)width * height;
    if (count > SIZE_MAX / sizeof *scene->depths) { return 0; }
    if (count > scene->depth_count) {
        free(scene->depths);
        scene->depths = malloc(count * sizeof *scene->depths);
        scene->depth_count = scene->depths ? count : 0;
        if (!scene->depths) { return 0; }
    }
    memset(scene->depths, 0xFF, count * sizeof *scene->depths); // ZO_DEPTH_FAR
    zo_raster_depth(&scene->list, scene->pictures, scene->picture_count, &target, scene->depths);
    return 1;
}

static zo_image image_of(uint8_t *pixels, uint32_t width, uint32_t height) {
    return (zo_image){pixels, width, height, (size_t)width * 4};
}

// The colour's bytes are red, green, blue, alpha from the lowest.
void zw_image_fill(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t rgba) {
    zo_image image = image_of(pixels, width, height);
    const uint8_t color[4] = {(uint8_t)rgba, (uint8_t)(rgba >> 8), (uint8_t)(rgba >> 16), (uint8_t)(rgba >> 24)};
    zo_image_fill(&image, color);
}

void zw_image_premultiply(uint8_t *pixels, uint32_t width, uint32_t height) {
    zo_image image = image_of(pixels, width, height);
    zo_image_premultiply(&image);
}

void zw_image_unpremultiply(uint8_t *pixels, uint32_t width, uint32_t height) {
    zo_image image = image_of(pixels, width, height);
    zo_image_unpremultiply(&image);
}

// Each pixel laid over with the average of four of an image twice as wide and high: borders of solids without steps.
void zw_image_reduce(const uint8_t *large, uint8_t *pixels, uint32_t width, uint32_t height) {
    const size_t stride = (size_t)width * 8;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *from = large + 2 * y * stride;
        uint8_t *to = pixels + (size_t)y * width * 4;
        for (uint32_t x = 0; x < width; x++, from += 8, to += 4) {
            uint32_t sums[4];
            for (uint32_t c = 0; c < 4; c++) {
                sums[c] = (uint32_t)(from[c] + from[c + 4] + from[c + stride] + from[c + stride + 4] + 2) / 4;
            }
            for (uint32_t c = 0; c < 4; c++) {
                const uint32_t sum = sums[c] + (to[c] * (255 - sums[3]) + 127) / 255;
                to[c] = (uint8_t)(sum < 255 ? sum : 255);
            }
        }
    }
}
