// Scenes of examples/forge: the engine in mid-stroke, and the owl as it spreads its wings, read with the files around
// them and seen as blocks in an inventory. Run in the root of the source tree.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

enum { FILES_MAX = 9 };

// Names are as the machine asks for them, which lies below the same folder.
typedef struct machine {
    const char *folder;
    const char *names[FILES_MAX + 1]; // the machine first; NULL behind the last
} machine;

static const machine engine = {
    "examples/forge/engine/",
    {"afsm/engine.json", "animation/engine.json", "models/engine.json", "textures/engine_base.png",
     "textures/engine_side.png", "textures/engine_step.png", "textures/engine_ring.png", "textures/engine_bellows.png",
     "textures/engine_column.png"}};
static const machine owl = {
    "examples/forge/owl/",
    {"assets/zoetrope/asms/block/owl.json", "assets/zoetrope/armatures/block/owl.json",
     "assets/zoetrope/models/block/owl.json", "assets/zoetrope/textures/block/owl.png",
     "assets/zoetrope/textures/block/owl_stump.png"}};

typedef struct stage {
    zo_source sources[FILES_MAX];
    char first[96];         // path of the machine
    void *bytes[FILES_MAX];
    uint32_t file_count;
    zo_program *program;
    zo_report *report;
    zo_image images[FILES_MAX];
    zo_size sizes[FILES_MAX];
    uint32_t cel_images[FILES_MAX];
    zo_instance *instance;
} stage;

static void give_up(const char *what) {
    fprintf(stderr, "%s: cannot be used\n", what);
    abort();
}

static void read_files(stage *s, const machine *m) {
    for (; s->file_count < FILES_MAX && m->names[s->file_count]; s->file_count++) {
        const uint32_t i = s->file_count;
        char path[96];
        snprintf(path, sizeof path, "%s%s", m->folder, m->names[i]);
        FILE *file = fopen(path, "rb");
        if (!file || fseek(file, 0, SEEK_END) != 0) { give_up(path); }
        const long size = ftell(file);
        s->bytes[i] = size > 0 ? malloc((size_t)size) : NULL;
        if (!s->bytes[i] || fseek(file, 0, SEEK_SET) != 0 || fread(s->bytes[i], 1, (size_t)size, file) != (size_t)size) {
            give_up(path);
        }
        fclose(file);
        if (i == 0) { memcpy(s->first, path, sizeof path); }
        s->sources[i] = (zo_source){.name = i == 0 ? s->first : m->names[i], .bytes = s->bytes[i], .size = (size_t)size};
    }
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

static void open_stage(stage *s, const machine *m) {
    memset(s, 0, sizeof *s);
    read_files(s, m);
    if (zo_compile(s->sources, s->file_count, NULL, &s->program, &s->report) != ZO_OK) { give_up(m->folder); }
    s->instance = zo_instance_create(s->program, NULL, NULL);
    if (!s->instance || zo_cel_count(s->program) > FILES_MAX) { give_up(m->folder); }
    zo_cel_info cel;
    for (uint32_t c = 0; zo_cel_get(s->program, (zo_cel){c + 1}, &cel); c++) {
        uint32_t i = 0;
        while (i < s->file_count && strcmp(s->sources[i].name, cel.image) != 0) { i++; }
        if (i == s->file_count) { give_up(cel.image); }
        s->images[c] = read_picture(&s->sources[i]);
        s->sizes[c] = (zo_size){s->images[c].width, s->images[c].height};
        s->cel_images[c] = c + 1;
    }
}

static void close_stage(stage *s) {
    for (uint32_t i = 0; i < FILES_MAX; i++) {
        free(s->images[i].pixels);
        free(s->bytes[i]);
    }
    zo_instance_free(s->instance);
    zo_report_free(s->report);
    zo_program_free(s->program);
}

static void set(stage *s, const char *name, double value) {
    const zo_param param = zo_param_find(s->program, name);
    if (param.id == 0) { give_up(name); }
    zo_instance_set_param(s->instance, param, value);
}

static void go(stage *s, int64_t ms) {
    zo_step step = {.left_ns = ms * 1000000};
    do {
        zo_event events[8];
        step = zo_instance_advance(s->instance, step.left_ns, events, 8);
    } while (step.more || step.left_ns > 0);
}

static void request(stage *s, const char *state) {
    if (!zo_instance_request(s->instance, state)) { give_up(state); }
}

static void draw(const stage *s, zo_image *target) {
    const zo_draw_bound bound = zo_draw_bounds(s->program);
    const size_t pixels = (size_t)target->width * target->height;
    zo_pose *pose = zo_pose_create(s->program, NULL);
    zo_draw_list list = {
        .vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
        .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
        .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands,
        .depths = calloc(bound.depths, sizeof(*list.depths)),
    };
    uint32_t *depths = malloc(pixels * sizeof *depths);
    if (!pose || !list.vertices || !list.indices || !list.commands || !list.depths || !depths) { give_up("memory"); }
    memset(depths, 0xFF, pixels * sizeof *depths);
    const zo_view view = {.width = target->width, .height = target->height, .image_sizes = s->sizes,
                          .image_count = zo_cel_count(s->program), .cel_images = s->cel_images,
                          .cel_count = zo_cel_count(s->program), .filter = ZO_FILTER_NEAREST};
    zo_instance_sample(s->instance, pose);
    if (!zo_instance_draw(s->instance, pose, &view, &list)) { give_up("the draw list"); }
    zo_raster_depth(&list, s->images, zo_cel_count(s->program), target, depths);
    free(depths);
    free(list.vertices);
    free(list.indices);
    free(list.commands);
    free(list.depths);
    zo_pose_free(pose);
}

// While it starts: a blend of the pose at rest and of one on its way.
void golden_forge_engine(zo_image *target) {
    stage s;
    open_stage(&s, &engine);
    set(&s, "speed", 1.25);
    go(&s, 100);
    request(&s, "working");
    go(&s, 350);
    draw(&s, target);
    close_stage(&s);
}

void golden_forge_owl(zo_image *target) {
    stage s;
    open_stage(&s, &owl);
    set(&s, "cycle", 3.2);
    go(&s, 1000);
    set(&s, "click_time", 1);
    request(&s, "waking");
    go(&s, 560);
    draw(&s, target);
    close_stage(&s);
}
