// See pack.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"

#include "cli/inflate.h"
#include "program/program.h"

enum { FILES_MAX = 1024, PATH_SIZE = 256 };

typedef struct pack_files {
    const char *folder;
    char names[FILES_MAX][PATH_SIZE];
    zo_source sources[FILES_MAX];
    void *bytes[FILES_MAX];
    uint32_t count;
} pack_files;

static void give_up(const char *what) {
    fprintf(stderr, "%s: cannot be used\n", what);
    abort();
}

static void add_file(pack_files *files, const char *name) {
    if (files->count == FILES_MAX) { give_up("so many files"); }
    const uint32_t i = files->count++;
    char path[2 * PATH_SIZE];
    snprintf(files->names[i], PATH_SIZE, "%s", name);
    snprintf(path, sizeof path, "%s/%s", files->folder, name);
    files->sources[i] = (zo_source){.name = files->names[i], .kind = ZO_SOURCE_MISSING};
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return; }
    if (fseek(file, 0, SEEK_END) != 0) { give_up(path); }
    const long size = ftell(file);
    void *bytes = files->bytes[i] = size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes || fseek(file, 0, SEEK_SET) != 0 || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        give_up(path);
    }
    fclose(file);
    files->sources[i] = (zo_source){.name = files->names[i], .bytes = bytes, .size = (size_t)size};
}

// The manifest first; then what the library asks for, until it asks for no more.
static void compile(pack *p, const zo_compile_def *def) {
    add_file(p->files, "runtime_manifest.json");
    zo_status status = ZO_NEEDS;
    while (status == ZO_NEEDS) {
        zo_report_free(p->report);
        status = zo_compile(p->files->sources, p->files->count, def, &p->program, &p->report);
        for (uint32_t i = 0; i < zo_report_need_count(p->report); i++) {
            add_file(p->files, zo_report_need(p->report, i)->name);
        }
    }
    if (status != ZO_OK) { give_up(p->files->folder); }
}

static zo_image decoded(const zo_source *source) {
    zo_texture texture;
    if (zo_texture_open(source->bytes, source->size, &texture, NULL) != ZO_OK) { give_up(source->name); }
    zo_image image = {.width = texture.width, .height = texture.height, .stride = (size_t)texture.width * 4};
    image.pixels = malloc(image.stride * image.height);
    const zo_texture_decoder decoder = {.inflate = cli_inflate, .alpha = ZO_TEXTURE_PREMULTIPLIED};
    if (!image.pixels || zo_texture_decode(&texture, 0, &decoder, &image, NULL) != ZO_OK) { give_up(source->name); }
    return image;
}

static const zo_source *file_of(const pack *p, const char *name) {
    for (uint32_t i = 0; i < p->files->count; i++) {
        if (strcmp(p->files->names[i], name) == 0) { return &p->files->sources[i]; }
    }
    give_up(name);
    return NULL;
}

static void decode_textures(pack *p) {
    const zp_program *program = p->program;
    p->image_count = program->header->sections[ZP_SECTION_IMAGES].count;
    p->images = calloc(p->image_count, sizeof *p->images);
    p->image_sizes = calloc(p->image_count, sizeof *p->image_sizes);
    p->cel_images = calloc(zo_cel_count(program), sizeof *p->cel_images);
    if (!p->images || !p->image_sizes || !p->cel_images) { give_up("memory"); }
    for (uint32_t i = 0; i < p->image_count; i++) {
        const zo_source *source = file_of(p, zp_name_text(program, program->images[i].name));
        p->images[i] = decoded(source);
        p->image_sizes[i] = (zo_size){p->images[i].width, p->images[i].height};
        p->texture_size += source->size;
    }
    for (uint32_t i = 0; i < zo_cel_count(program); i++) { p->cel_images[i] = program->cels[i].image_ref; }
}

pack pack_open(const char *folder, const zo_compile_def *def) {
    pack p = {.files = calloc(1, sizeof *p.files)};
    if (!p.files) { give_up("memory"); }
    p.files->folder = folder;
    compile(&p, def);
    decode_textures(&p);
    const zo_draw_bound bound = zo_draw_bounds(p.program);
    p.pose = zo_pose_create(p.program, NULL);
    p.list = (zo_draw_list){
        .vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
        .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
        .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands,
    };
    if (!p.pose || !p.list.vertices || !p.list.indices || !p.list.commands) { give_up("memory"); }
    return p;
}

void pack_close(pack *p) {
    for (uint32_t i = 0; i < p->image_count; i++) { free(p->images[i].pixels); }
    for (uint32_t i = 0; i < p->files->count; i++) { free(p->files->bytes[i]); }
    free(p->images);
    free(p->image_sizes);
    free(p->cel_images);
    free(p->files);
    free(p->list.vertices);
    free(p->list.indices);
    free(p->list.commands);
    zo_pose_free(p->pose);
    zo_instance_free(p->instance);
    zo_report_free(p->report);
    zo_program_free(p->program);
}

void pack_start(pack *p, uint64_t seed) {
    zo_instance_free(p->instance);
    p->instance = zo_instance_create(p->program, &(zo_instance_def){.seed = seed}, NULL);
    if (!p->instance) { give_up("memory"); }
    pack_go(p, 0, NULL, NULL);
}

void pack_go(pack *p, uint32_t ms, pack_told_fn told, void *context) {
    zo_step step = {.left_ns = (int64_t)ms * 1000000};
    do {
        zo_event events[8];
        step = zo_instance_advance(p->instance, step.left_ns, events, 8);
        for (uint32_t i = 0; told != NULL && i < step.count; i++) { told(context, &events[i]); }
    } while (step.more || step.left_ns > 0);
    zo_instance_sample(p->instance, p->pose);
}

void pack_draw(pack *p, zo_image *target) {
    const zo_view view = {.width = target->width, .height = target->height, .image_sizes = p->image_sizes,
                          .image_count = p->image_count, .cel_images = p->cel_images,
                          .cel_count = zo_cel_count(p->program)};
    if (!zo_instance_draw(p->instance, p->pose, &view, &p->list)) { give_up("the draw list"); }
    zo_raster(&p->list, p->images, p->image_count, target);
}

uint32_t pack_frame_count(const pack *p, zo_clip clip) {
    zo_clip_info info;
    if (!zo_clip_get(p->program, clip, &info)) { give_up("no such clip"); }
    return info.key_count;
}

const zo_image *pack_frame(pack *p, zo_clip clip, uint32_t frame) {
    zo_clip_info info;
    const zo_channel channel = zo_channel_find(p->program, "frame");
    if (!zo_clip_get(p->program, clip, &info) || frame >= info.key_count || channel.id == 0) {
        give_up("no such frame");
    }
    double time = (frame + 0.5) / info.key_count; // its middle
    if (info.time_unit == ZO_TIME_SECONDS) { time *= (double)info.duration_ns / 1e9; }
    if (info.time_unit == ZO_TIME_FRAMES) { time *= info.key_count; }
    zo_clip_sample(p->program, clip, time, NULL, p->pose);
    const uint32_t cel = (uint32_t)p->pose->slots[channel.id - 1];
    return &p->images[p->cel_images[cel - 1] - 1];
}
