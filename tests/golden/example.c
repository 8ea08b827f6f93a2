// See example.h.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"

#include "program/program.h"

#define FOLDER "examples/enemy/"
static const char *const names[] = {
    "idle.json", "hop.json", "attack.json", "rig.json", "sprites.json", "sprites.png", "fx/drop.png", "fx/nectar.png",
    "fx/puff.png", "fx/ring.png", "fx/splat.png", "fx/spore.png", "fx/swish.png", "sounds/hit.wav", "sounds/land.wav",
    "sounds/leap.wav", "sounds/swing.wav",
};
enum { FILE_COUNT = sizeof names / sizeof names[0] };

typedef struct example_files {
    char paths[FILE_COUNT][64];
    zo_source sources[FILE_COUNT];
    void *bytes[FILE_COUNT];
} example_files;

static void give_up(const char *what) {
    fprintf(stderr, "%s: cannot be used\n", what);
    abort();
}

static void read_file(example_files *files, uint32_t i) {
    snprintf(files->paths[i], sizeof files->paths[i], FOLDER "%s", names[i]);
    FILE *file = fopen(files->paths[i], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) { give_up(files->paths[i]); }
    const long size = ftell(file);
    void *bytes = files->bytes[i] = size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes || fseek(file, 0, SEEK_SET) != 0 || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        give_up(files->paths[i]);
    }
    fclose(file);
    files->sources[i] = (zo_source){.name = files->paths[i], .bytes = bytes, .size = (size_t)size};
}

static zo_image read_picture(const zo_source *source) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, source->bytes, source->size)) { give_up(source->name); }
    png.format = PNG_FORMAT_RGBA;
    zo_image image = {.width = png.width, .height = png.height, .stride = (size_t)png.width * 4};
    image.pixels = malloc(image.stride * image.height);
    if (!image.pixels || !png_image_finish_read(&png, NULL, image.pixels, 0, NULL)) { give_up(source->name); }
    zo_image_premultiply(&image);
    return image;
}

static const zo_source *file_of(const example *e, const char *name) {
    for (uint32_t i = 0; i < FILE_COUNT; i++) {
        if (strcmp(names[i], name) == 0) { return &e->files->sources[i]; }
    }
    give_up(name);
    return NULL;
}

static void read_pictures(example *e) {
    const zp_program *program = e->program;
    e->image_count = program->header->sections[ZP_SECTION_IMAGES].count;
    e->images = calloc(e->image_count, sizeof *e->images);
    e->image_sizes = calloc(e->image_count, sizeof *e->image_sizes);
    e->cel_images = calloc(zo_cel_count(program), sizeof *e->cel_images);
    if (!e->images || !e->image_sizes || !e->cel_images) { give_up("memory"); }
    for (uint32_t i = 0; i < e->image_count; i++) {
        e->images[i] = read_picture(file_of(e, zp_name_text(program, program->images[i].name)));
        e->image_sizes[i] = (zo_size){e->images[i].width, e->images[i].height};
    }
    for (uint32_t i = 0; i < zo_cel_count(program); i++) { e->cel_images[i] = program->cels[i].image_ref; }
}

example example_open(const zo_compile_def *def) {
    example e = {.files = calloc(1, sizeof *e.files)};
    if (!e.files) { give_up("memory"); }
    for (uint32_t i = 0; i < FILE_COUNT; i++) { read_file(e.files, i); }
    if (zo_compile(e.files->sources, FILE_COUNT, def, &e.program, &e.report) != ZO_OK) { give_up(FOLDER); }
    read_pictures(&e);
    const zo_draw_bound bound = zo_draw_bounds(e.program);
    e.pose = zo_pose_create(e.program, NULL);
    e.list = (zo_draw_list){
        .vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
        .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
        .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands,
    };
    if (!e.pose || !e.list.vertices || !e.list.indices || !e.list.commands) { give_up("memory"); }
    return e;
}

void example_close(example *e) {
    for (uint32_t i = 0; i < e->image_count; i++) { free(e->images[i].pixels); }
    for (uint32_t i = 0; i < FILE_COUNT; i++) { free(e->files->bytes[i]); }
    free(e->images);
    free(e->image_sizes);
    free(e->cel_images);
    free(e->files);
    free(e->list.vertices);
    free(e->list.indices);
    free(e->list.commands);
    zo_pose_free(e->pose);
    zo_instance_free(e->instance);
    zo_report_free(e->report);
    zo_program_free(e->program);
}

zo_clip example_clip(const example *e, const char *name) {
    char id[64];
    snprintf(id, sizeof id, "bogland:enemy-animation/bogbell/%s", name);
    const zo_clip clip = zo_clip_find(e->program, id);
    if (clip.id == 0) { give_up(id); }
    return clip;
}

void example_start(example *e, const char *clip) {
    zo_instance_free(e->instance);
    e->instance = zo_instance_create(e->program, &(zo_instance_def){.seed = 1, .idle = true}, NULL);
    if (!e->instance || zo_instance_start(e->instance, example_clip(e, clip), NULL).id == 0) { give_up(clip); }
    example_go(e, 0);
}

void example_go(example *e, uint32_t frame) {
    const int64_t at_ns = ((int64_t)frame * 1000000000 + 59) / 60; // the first whole ns of the frame
    zo_step step = {.left_ns = at_ns - zo_instance_now_ns(e->instance)};
    do {
        zo_event events[8];
        step = zo_instance_advance(e->instance, step.left_ns, events, 8);
    } while (step.more || step.left_ns > 0);
    zo_instance_sample(e->instance, e->pose);
}

void example_draw(example *e, zo_image *target) {
    const zo_view view = {.width = target->width, .height = target->height, .image_sizes = e->image_sizes,
                          .image_count = e->image_count, .cel_images = e->cel_images,
                          .cel_count = zo_cel_count(e->program)};
    if (!zo_instance_draw(e->instance, e->pose, &view, &e->list)) { give_up("the draw list"); }
    zo_raster(&e->list, e->images, e->image_count, target);
}
