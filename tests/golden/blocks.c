// Scenes of blocks: cubes with a different letter on each side, whose textures are turned; a corridor in perspective
// with parts that turn; glass before and behind other things. Each letter must be the right way up and not mirrored.
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#include "draw/draw.h"
#include "formats/forge_block.h"

enum { TEXELS = 16, LETTERS = ZF_BLOCK_SIDES, GLASS = LETTERS, PICTURES };

// Rows of seven, bits from the left.
static const struct { uint8_t rows[7]; uint8_t ground[3]; } letters[LETTERS] = {
    [ZF_BLOCK_DOWN] = {{0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E}, {120, 120, 120}},
    [ZF_BLOCK_UP] = {{0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E}, {90, 170, 90}},
    [ZF_BLOCK_NORTH] = {{0x11, 0x19, 0x15, 0x15, 0x13, 0x11, 0x11}, {90, 110, 200}},
    [ZF_BLOCK_SOUTH] = {{0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E}, {200, 90, 80}},
    [ZF_BLOCK_WEST] = {{0x11, 0x11, 0x11, 0x15, 0x15, 0x1B, 0x11}, {200, 170, 70}},
    [ZF_BLOCK_EAST] = {{0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F}, {170, 90, 180}},
};

static uint8_t texels[PICTURES][TEXELS * TEXELS * 4];
static zo_image pictures[PICTURES];

static bool is_ink(uint32_t letter, uint32_t x, uint32_t y) { // two texels a bit, in the middle
    if (x < 3 || x >= 13 || y < 1 || y >= 15) { return false; }
    return letters[letter].rows[(y - 1) / 2] >> (4 - (x - 3) / 2) & 1;
}

static void make_pictures(void) {
    if (pictures[0].pixels) { return; }
    for (uint32_t i = 0; i < PICTURES; i++) {
        pictures[i] = (zo_image){.pixels = texels[i], .width = TEXELS, .height = TEXELS, .stride = TEXELS * 4};
        for (uint32_t p = 0; p < TEXELS * TEXELS; p++) {
            const uint32_t x = p % TEXELS, y = p / TEXELS;
            uint8_t *pixel = texels[i] + 4 * (size_t)p;
            const bool edge = x == 0 || y == 0 || x == TEXELS - 1 || y == TEXELS - 1;
            if (i == GLASS) { // premultiplied, a hole in the middle
                const bool hole = x >= 6 && x < 10 && y >= 6 && y < 10;
                const uint8_t alpha = hole ? 0 : edge ? 200 : 90;
                pixel[0] = (uint8_t)(alpha / 3);
                pixel[1] = (uint8_t)(alpha / 2);
                pixel[2] = pixel[3] = alpha;
                continue;
            }
            memcpy(pixel, letters[i].ground, 3);
            pixel[3] = 255;
            if (edge) { memset(pixel, 50, 3); }
            if (is_ink(i, x, y)) { memset(pixel, 250, 3); }
        }
    }
}

// A cube from `from` to `to`, px, with the letters on its sides, all turned alike.
static zf_block_element cube(double x, double y, double z, double side, uint32_t turns) {
    zf_block_element e = {.from = {x, y, z}, .to = {x + side, y + side, z + side}, .shaded = true};
    for (uint32_t i = 0; i < ZF_BLOCK_SIDES; i++) {
        e.faces[i] = (zf_block_face){.drawn = true, .uv = {0, 0, 16, 16}, .turns = turns, .texture = i};
        for (uint32_t k = 0; k < 4; k++) { e.faces[i].uv_given[k] = true; }
    }
    return e;
}

static void set_texture(zf_block_element *e, uint32_t texture) {
    for (uint32_t i = 0; i < ZF_BLOCK_SIDES; i++) { e->faces[i].texture = texture; }
}

enum { MISSING = PICTURES };

// `lift`: of the one target, which moves what has a weight of its bone 0.
static void draw_model(const zf_block_element *elements, uint32_t count, const zo_camera *camera, double lift,
                       zo_image *target) {
    make_pictures();
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_stage(build, 0, 1, 1, 0);
    zf_block_texture textures[PICTURES + 1] = {{.cel_ref = 0}};
    for (uint32_t i = 0; i < PICTURES; i++) {
        const char name[2] = {(char)('a' + i), 0};
        const zp_image image = {.name = zp_build_name(build, zb_text(name)), .width = TEXELS, .height = TEXELS};
        const zp_cel cel = {.image_ref = zp_build_image(build, &image) + 1, .scale = 1, .flags = ZP_CEL_PIXELS};
        textures[i].cel_ref = zp_build_cel(build, &cel, (zp_span){0, 0}) + 1;
        textures[i].surface = i == GLASS ? ZP_SURFACE_BLEND : ZP_SURFACE_CUT;
    }
    textures[MISSING] = (zf_block_texture){.cel_ref = 0};
    zp_build_target(build, &(zp_target){.compose = ZP_COMPOSE_NONE});
    zp_build_bone(build, &(zp_bone){.target = 0});
    zf_block_build(build, &arena, &(zf_block_model){.elements = elements, .element_count = count, .textures = textures,
                                                    .texture_count = PICTURES + 1, .flags = ZP_MESH_REST_LEFT_OUT});
    zo_program *program = zp_build_finish(build, NULL);
    const char *what = NULL;
    if (!program || !zp_program_check(program->blob, program->blob_size, &what)) { abort(); }

    zo_pose *pose = zo_pose_create(program, NULL);
    pose->transforms[0].m[7] = lift;
    const zo_draw_bound bound = zo_draw_bounds(program);
    zo_draw_list list = {.vertex_capacity = bound.vertices, .index_capacity = bound.indices,
                         .command_capacity = bound.commands};
    list.vertices = malloc(bound.vertices * sizeof *list.vertices);
    list.depths = malloc(bound.depths * sizeof *list.depths);
    list.indices = malloc(bound.indices * sizeof *list.indices);
    list.commands = malloc(bound.commands * sizeof *list.commands);
    uint32_t *depths = malloc((size_t)target->width * target->height * sizeof *depths);
    memset(depths, 0xFF, (size_t)target->width * target->height * sizeof *depths);
    zo_size sizes[PICTURES];
    uint32_t images[PICTURES];
    for (uint32_t i = 0; i < PICTURES; i++) {
        sizes[i] = (zo_size){TEXELS, TEXELS};
        images[i] = i + 1;
    }
    const zo_view view = {.width = target->width, .height = target->height, .image_sizes = sizes,
                          .image_count = PICTURES, .cel_images = images, .cel_count = PICTURES, .camera = camera};
    if (!zo_pose_draw(program, pose, &view, &list)) { abort(); }
    zo_raster_depth(&list, pictures, PICTURES, target, depths);
    free(depths);
    free(list.vertices);
    free(list.depths);
    free(list.indices);
    free(list.commands);
    zo_pose_free(pose);
    zp_program_free(program);
    zb_arena_close(&arena);
}

// Above as in an inventory, with the sides that are north and east there; below from the other side and from below.
void golden_block_letters(zo_image *target) {
    const uint32_t side = target->width / 4;
    for (uint32_t i = 0; i < 8; i++) {
        zo_image part = {.width = side, .height = side, .stride = target->stride,
                         .pixels = target->pixels + (size_t)(i / 4 * side) * target->stride + (size_t)(i % 4 * side) * 4};
        const zf_block_element e = cube(0, 0, 0, 16, i % 4);
        const zo_camera below = {.yaw = 45, .pitch = -30, .zoom = 1};
        draw_model(&e, 1, i < 4 ? NULL : &below, 0, &part);
    }
}

// A row of cubes into the distance, one of them lifted, one turned by 45 degrees and rescaled, one without its texture.
void golden_block_corridor(zo_image *target) {
    zf_block_element e[7];
    for (uint32_t i = 0; i < 7; i++) { e[i] = cube(i % 2 ? 18 : -18, 0, -24.0 * i, 16, i % 4); }
    static const zf_block_weight weight = {.corners = {1, 1, 1, 1, 1, 1, 1, 1}};
    e[1].weights = &weight;
    e[1].weight_count = 1;
    e[2].axis = 1;
    e[2].angle = 45;
    e[2].rescale = true;
    e[2].origin[0] = -10;
    e[2].origin[2] = -40;
    set_texture(&e[3], MISSING);
    const zo_camera camera = {.yaw = 12, .pitch = 14, .zoom = 1, .field = 75};
    draw_model(e, 7, &camera, 0.5, target);
}

// Glass around a cube, and glass behind and before it; a floor of which one corner is lifted.
void golden_block_glass(zo_image *target) {
    zf_block_element e[5] = {cube(4, 4, 4, 8, 0), cube(0, 0, 0, 16, 0), cube(20, 0, 0, 16, 0), cube(0, 0, 20, 16, 0),
                             cube(-4, -6, -4, 44, 0)};
    for (uint32_t i = 1; i < 4; i++) { set_texture(&e[i], GLASS); }
    e[4].to[1] = -4;
    static const zf_block_weight weight = {.corners = {0, 0.5f, 0, 0.5f, 0, 0, 0, 0}};
    e[4].weights = &weight;
    e[4].weight_count = 1;
    const zo_camera camera = {.yaw = -30, .pitch = 30, .zoom = 1};
    draw_model(e, 5, &camera, 0.5, target);
}
