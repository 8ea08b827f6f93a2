// A hundred thousand triangles in space: cubes in a block of their own, each moved by one of some targets, into a list
// and onto 1024x1024 px; and the same of mixed kinds, with pictures that repeat, with glass, and with sheets as large as
// the block among the cubes. Prints `name value unit` lines: ms a frame, on CPU time of one thread.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zoetrope/zoetrope.h>

#include "program/build.h"

enum { SIDE = 1024, TARGETS = 64, CUBES = 8334, ROW = 21, TEXELS = 16 };
enum { SHEETS = 20 }; // of each kind, among cubes of mixed kinds

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// `times`: its picture is there on each side.
static void put_cube(zp_build *build, const double low[3], uint32_t target, float times) {
    const zp_weight weight = {.bone = zp_build_bone(build, &(zp_bone){.target = target}), .weight = 1};
    const uint32_t weights = zp_build_weights(build, &weight, 1);
    for (uint32_t face = 0; face < 6; face++) {
        const uint32_t axis = face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3, high = face % 2;
        uint32_t first = 0;
        for (uint32_t k = 0; k < 4; k++) {
            const bool along_a = high ? k == 1 || k == 2 : k == 2 || k == 3;
            const bool along_b = high ? k == 2 || k == 3 : k == 1 || k == 2;
            zp_vertex vertex = {.uv = {times * along_a, times * along_b}, .colour = {1, 1, 1, 1}, .first_weight = weights,
                                .weight_count = 1};
            vertex.position[axis] = (float)(low[axis] + 0.7 * high);
            vertex.position[a] = (float)(low[a] + 0.7 * along_a);
            vertex.position[b] = (float)(low[b] + 0.7 * along_b);
            vertex.normal[axis] = high ? 1 : -1;
            const uint32_t index = zp_build_vertex(build, &vertex);
            if (k == 0) { first = index; }
        }
        zp_build_triangle(build, first, first + 1, first + 2);
        zp_build_triangle(build, first, first + 2, first + 3);
    }
}

static const zp_part kinds[] = {
    {.cel_ref = 1, .alpha_min = 0.1, .flags = ZP_PART_SHADED},
    {.cel_ref = 1, .alpha_min = 0.1, .flags = ZP_PART_SHADED | ZP_PART_REPEAT_U | ZP_PART_REPEAT_V},
    {.cel_ref = 1, .surface = ZP_SURFACE_BLEND, .flags = ZP_PART_REPEAT_U | ZP_PART_REPEAT_V},
};

// Upright, across the whole block, between two rows of cubes or along them.
static void put_sheet(zp_build *build, uint32_t i, const zp_part *kind) {
    const float at = (float)i + 0.85f, far = ROW, times = 3 * ROW, alpha = kind->surface == ZP_SURFACE_BLEND ? 0.1f : 1;
    zp_build_part(build, kind);
    uint32_t first = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const float along = k == 1 || k == 2 ? 1 : 0, up = k >= 2 ? 1 : 0;
        const bool across = i % 2;
        // Those that hide leave the upper half open.
        const float high = kind->surface == ZP_SURFACE_BLEND ? far : far / (float)(2 + i % 5);
        const zp_vertex vertex = {.position = {across ? at : far * along, high * up, across ? far * (1 - along) : at},
                                  .normal = {across, 0, !across}, .uv = {times * along, times * (1 - up)},
                                  .colour = {1, 1, 1, alpha}};
        const uint32_t index = zp_build_vertex(build, &vertex);
        if (k == 0) { first = index; }
    }
    zp_build_triangle(build, first, first + 1, first + 2);
    zp_build_triangle(build, first, first + 2, first + 3);
}

static zo_program *make(bool mixed) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_stage(build, 0, 1, 1, 0);
    for (uint32_t i = 0; i < TARGETS; i++) { zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_NONE}); }
    zp_build_cel(build, &(zp_cel){.scale = 1, .flags = ZP_CEL_PIXELS}, (zp_span){0, 0});
    zp_build_mesh(build, &(zp_mesh){.flags = ZP_MESH_REST_LEFT_OUT});
    uint32_t kind = UINT32_MAX;
    for (uint32_t i = 0; i < CUBES; i++) {
        const double low[3] = {i % ROW, i / ROW % ROW, i / (ROW * ROW)};
        const uint32_t own = mixed ? i * 8 / CUBES % 4 % 3 : 0; // layers; of glass there is least
        if (own != kind) { zp_build_part(build, &kinds[own]); }
        kind = own;
        put_cube(build, low, i % TARGETS, own == 0 ? 1 : 3);
    }
    for (uint32_t i = 0; i < SHEETS && mixed; i++) {
        put_sheet(build, i, &kinds[1]);
        put_sheet(build, i, &kinds[2]);
    }
    zo_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    if (!program || !zp_program_check(program->blob, program->blob_size, NULL)) { exit(1); }
    return program;
}

typedef struct scene {
    zo_program *program;
    zo_pose *pose;
    zo_draw_list list;
    zo_image picture, target;
    uint32_t *depths;
} scene;

static void measure(scene *s, const zo_camera *camera, zo_filter filter, const char *name) {
    static const zo_size size = {TEXELS, TEXELS};
    static const uint32_t image = 1;
    const zo_view view = {.width = SIDE, .height = SIDE, .image_sizes = &size, .image_count = 1, .cel_images = &image,
                          .cel_count = 1, .camera = camera};
    double list_ms = 1e9, raster_ms = 1e9;
    for (int round = 0; round < 15; round++) {
        const double start = cpu_seconds();
        if (!zo_pose_draw(s->program, s->pose, &view, &s->list)) { exit(1); }
        for (uint32_t i = 0; i < s->list.command_count; i++) { s->list.commands[i].filter = filter; }
        const double middle = cpu_seconds();
        zo_image_fill(&s->target, (const uint8_t[4]){0, 0, 0, 0});
        memset(s->depths, 0xFF, SIDE * SIDE * sizeof *s->depths);
        zo_raster_depth(&s->list, &s->picture, 1, &s->target, s->depths);
        const double end = cpu_seconds();
        list_ms = (middle - start) * 1e3 < list_ms ? (middle - start) * 1e3 : list_ms;
        raster_ms = (end - middle) * 1e3 < raster_ms ? (end - middle) * 1e3 : raster_ms;
    }
    printf("%s_list %.2f ms\n%s_raster %.2f ms\n", name, list_ms, name, raster_ms);
}

static scene open_scene(bool mixed) {
    scene s = {.program = make(mixed)};
    s.pose = zo_pose_create(s.program, NULL);
    const zo_draw_bound bound = zo_draw_bounds(s.program);
    s.list = (zo_draw_list){
        .vertices = malloc(bound.vertices * sizeof *s.list.vertices), .vertex_capacity = bound.vertices,
        .depths = malloc(bound.depths * sizeof *s.list.depths),
        .indices = malloc(bound.indices * sizeof *s.list.indices), .index_capacity = bound.indices,
        .commands = malloc(bound.commands * sizeof *s.list.commands), .command_capacity = bound.commands,
    };
    s.picture = (zo_image){.pixels = malloc(TEXELS * TEXELS * 4), .width = TEXELS, .height = TEXELS, .stride = TEXELS * 4};
    s.target = (zo_image){.pixels = malloc(SIDE * SIDE * 4), .width = SIDE, .height = SIDE, .stride = SIDE * 4};
    s.depths = malloc(SIDE * SIDE * sizeof *s.depths);
    if (!s.pose || !s.list.vertices || !s.list.depths || !s.list.indices || !s.list.commands || !s.picture.pixels ||
        !s.target.pixels || !s.depths) {
        exit(1);
    }
    for (uint32_t i = 0; i < TARGETS; i++) { s.pose->transforms[i].m[7] = 0.001 * i; }
    for (uint32_t i = 0; i < TEXELS * TEXELS * 4; i++) { s.picture.pixels[i] = (uint8_t)(i % 4 == 3 ? 255 : i * 37); }
    return s;
}

static void close_scene(scene *s) {
    free(s->list.vertices);
    free(s->list.depths);
    free(s->list.indices);
    free(s->list.commands);
    free(s->picture.pixels);
    free(s->target.pixels);
    free(s->depths);
    zo_pose_free(s->pose);
    zo_program_free(s->program);
}

int main(void) {
    const zo_camera flat = ZO_CAMERA_DEFAULT, deep = {225, 30, 1, 50};
    scene s = open_scene(false);
    measure(&s, &flat, ZO_FILTER_NEAREST, "mesh_flat");
    measure(&s, &deep, ZO_FILTER_NEAREST, "mesh_perspective");
    measure(&s, &deep, ZO_FILTER_BILINEAR, "mesh_perspective_smooth");
    close_scene(&s);
    s = open_scene(true);
    measure(&s, &flat, ZO_FILTER_NEAREST, "mesh_mixed_flat");
    measure(&s, &deep, ZO_FILTER_NEAREST, "mesh_mixed_perspective");
    measure(&s, &deep, ZO_FILTER_BILINEAR, "mesh_mixed_perspective_smooth");
    close_scene(&s);
    return 0;
}
