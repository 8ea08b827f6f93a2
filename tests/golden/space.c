// Scenes of what stands in space, from bare meshes: glass before glass, light that is added, pictures that repeat,
// cameras with the least and the widest field, an eye within what it sees, and surfaces with two sides.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#include "draw/draw.h"
#include "program/build.h"

enum { SHEETS_MAX = 40 };

// A parallelogram: its left lower corner and the ways along its lower edge and up its left one, as seen by whom its
// corners go around counter-clockwise.
typedef struct sheet {
    double at[3], right[3], up[3];
    double uv[4];          // of the left upper corner, then of the right lower one; 1: the whole picture; all 0: just it
    float colour[4];       // not premultiplied; alpha 0: white
    uint32_t picture;      // GOLDEN_...; 0: none
    zp_surface surface;
    uint32_t flags;        // of its part
    double alpha_min;
} sheet;

typedef struct scene {
    sheet sheets[SHEETS_MAX];
    uint32_t count;
    zo_filter filter;
    double pixels_per_unit, center[2]; // as in zo_view
    zo_camera camera;
} scene;

static sheet *add(scene *s, sheet wanted) {
    if (s->count == SHEETS_MAX) { abort(); }
    s->sheets[s->count] = wanted;
    return &s->sheets[s->count++];
}

// The six sides, seen from outside or from inside; `like` says how they look.
static void add_box(scene *s, const double low[3], const double sides[3], bool inside, sheet like) {
    for (uint32_t side = 0; side < 6; side++) {
        const bool high = side % 2;
        const uint32_t axis = side / 2, up = axis == 1 ? 2 : 1, right = 3 - axis - up;
        // The way to the right that has the side's outside before it; and the other one from inside.
        const bool along = ((axis == 0 ? !high : high) != inside);
        sheet at = like;
        for (uint32_t c = 0; c < 3; c++) { at.at[c] = low[c]; }
        if (high) { at.at[axis] += sides[axis]; }
        at.right[right] = along ? sides[right] : -sides[right];
        if (!along) { at.at[right] += sides[right]; }
        at.up[up] = axis == 1 ? -sides[up] : sides[up]; // of the floor and the ceiling what is far is above
        if (axis == 1) { at.at[up] += sides[up]; }
        add(s, at);
    }
}

static void put_sheet(zp_build *build, const sheet *from) {
    zp_build_part(build, &(zp_part){.cel_ref = from->picture, .surface = from->surface, .flags = from->flags,
                                    .alpha_min = from->alpha_min});
    const bool just = from->uv[0] == 0 && from->uv[1] == 0 && from->uv[2] == 0 && from->uv[3] == 0;
    const double uv[4] = {from->uv[0], from->uv[1], just ? 1 : from->uv[2], just ? 1 : from->uv[3]};
    const double *a = from->right, *b = from->up;
    double normal[3], square = 0;
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        normal[c] = a[c1] * b[c2] - a[c2] * b[c1];
        square += normal[c] * normal[c];
    }
    uint32_t corners[4];
    for (uint32_t k = 0; k < 4; k++) {
        const bool right = k == 1 || k == 2, up = k >= 2;
        zp_vertex vertex = {.uv = {(float)uv[right ? 2 : 0], (float)uv[up ? 1 : 3]}, .colour = {1, 1, 1, 1}};
        if (from->colour[3] > 0) { memcpy(vertex.colour, from->colour, sizeof vertex.colour); }
        for (uint32_t c = 0; c < 3; c++) {
            vertex.position[c] = (float)(from->at[c] + (right ? a[c] : 0) + (up ? b[c] : 0));
            vertex.normal[c] = (float)(normal[c] / sqrt(square));
        }
        corners[k] = zp_build_vertex(build, &vertex);
    }
    zp_build_triangle(build, corners[0], corners[1], corners[2]);
    zp_build_triangle(build, corners[0], corners[2], corners[3]);
}

static zo_program *program_of(const scene *s) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_stage(build, 0, 1, 1, 0);
    for (uint32_t i = 0; i < GOLDEN_PICTURE_COUNT; i++) {
        zp_build_cel(build, &(zp_cel){.scale = 1}, (zp_span){0, 0});
    }
    zp_build_mesh(build, &(zp_mesh){.name = 0});
    for (uint32_t i = 0; i < s->count; i++) { put_sheet(build, &s->sheets[i]); }
    zo_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    if (!program || !zp_program_check(program->blob, program->blob_size, NULL)) { abort(); }
    return program;
}

static void draw(const scene *s, zo_image *target) {
    zo_program *program = program_of(s);
    zo_pose *pose = zo_pose_create(program, NULL);
    const zo_draw_bound bound = zo_draw_bounds(program);
    const size_t pixels = (size_t)target->width * target->height;
    zo_draw_list list = {
        .vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
        .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
        .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands,
        .depths = calloc(bound.depths, sizeof(*list.depths)),
    };
    uint32_t *depths = malloc(pixels * sizeof *depths);
    if (!pose || !list.vertices || !list.indices || !list.commands || !list.depths || !depths) { abort(); }
    memset(depths, 0xFF, pixels * sizeof *depths);
    zo_size sizes[GOLDEN_PICTURE_COUNT];
    uint32_t images[GOLDEN_PICTURE_COUNT];
    for (uint32_t i = 0; i < GOLDEN_PICTURE_COUNT; i++) {
        sizes[i] = (zo_size){golden_pictures()[i].width, golden_pictures()[i].height};
        images[i] = i + 1;
    }
    const zo_view view = {.width = target->width, .height = target->height, .image_sizes = sizes,
                          .image_count = GOLDEN_PICTURE_COUNT, .cel_images = images, .cel_count = GOLDEN_PICTURE_COUNT,
                          .pixels_per_unit = s->pixels_per_unit, .center_x = s->center[0], .center_y = s->center[1],
                          .camera = &s->camera, .filter = s->filter};
    if (!zo_pose_draw(program, pose, &view, &list)) { abort(); }
    zo_raster_depth(&list, golden_pictures(), GOLDEN_PICTURE_COUNT, target, depths);
    free(depths);
    free(list.vertices);
    free(list.indices);
    free(list.commands);
    free(list.depths);
    zo_pose_free(pose);
    zp_program_free(program);
}

static const float red[4] = {0.9f, 0.15f, 0.1f, 0.5f}, green[4] = {0.1f, 0.75f, 0.2f, 0.5f},
                   blue[4] = {0.15f, 0.25f, 0.95f, 0.5f}, grey[4] = {0.35f, 0.35f, 0.4f, 1};

static sheet pane(double x, double y, double z, const float colour[4]) {
    sheet s = {.at = {x, y, z}, .right = {8}, .up = {0, 8}, .surface = ZP_SURFACE_BLEND, .flags = ZP_PART_TWO_SIDED};
    memcpy(s.colour, colour, sizeof s.colour);
    return s;
}

// Panes in an order that is not that of their distances: red is nearest, then green, then blue, and a picture that is
// half glass by itself; a post stands between green and blue. Left from the front, right from behind.
void golden_space_glass(zo_image *target) {
    for (uint32_t i = 0; i < 2; i++) {
        zo_image half = {.width = target->width / 2, .height = target->height, .stride = target->stride,
                         .pixels = target->pixels + (size_t)i * (target->width / 2) * 4};
        scene s = {.camera = {.yaw = i == 0 ? -20 : 160, .pitch = 15, .zoom = 1, .field = 40}};
        add(&s, pane(3, 2, 0, green));
        add(&s, pane(0, 0, 4, red));
        add(&s, pane(6, 4, -6, blue));
        add(&s, (sheet){.at = {2, -2, -9}, .right = {9}, .up = {0, 9}, .surface = ZP_SURFACE_BLEND,
                        .picture = GOLDEN_GLASS, .flags = ZP_PART_TWO_SIDED});
        sheet post = {.flags = ZP_PART_SHADED};
        memcpy(post.colour, grey, sizeof grey);
        add_box(&s, (const double[3]){6, -3, -4}, (const double[3]){2, 17, 2}, false, post);
        draw(&s, &half);
    }
}

// Light before a wall and behind a post, which hides its part of it; where two lights overlap they add up.
void golden_space_added(zo_image *target) {
    scene s = {.camera = {.yaw = 25, .pitch = 10, .zoom = 1, .field = 50}};
    add(&s, (sheet){.at = {6, 0, 1}, .right = {8}, .up = {0, 8}, .picture = GOLDEN_FACE, .surface = ZP_SURFACE_ADD,
                    .flags = ZP_PART_TWO_SIDED, .colour = {0.5f, 0.5f, 0.9f, 1}});
    add(&s, (sheet){.at = {1, 1, 3}, .right = {8}, .up = {0, 8}, .surface = ZP_SURFACE_ADD,
                    .colour = {0.9f, 0.5f, 0.1f, 0.6f}});
    add(&s, (sheet){.at = {0, 0, -2}, .right = {16}, .up = {0, 10}, .colour = {0.2f, 0.25f, 0.3f, 1}});
    sheet post = {.flags = ZP_PART_SHADED};
    memcpy(post.colour, grey, sizeof grey);
    add_box(&s, (const double[3]){9, -1, 4}, (const double[3]){1.5, 12, 1.5}, false, post);
    draw(&s, target);
}

static void add_repeats(scene *s, uint32_t picture, double y) {
    for (uint32_t i = 0; i < 4; i++) { // neither, U, V, both
        const uint32_t flags = (i & 1 ? ZP_PART_REPEAT_U : 0u) | (i & 2 ? ZP_PART_REPEAT_V : 0u);
        add(s, (sheet){.at = {10.0 * i, y, 0}, .right = {9}, .up = {0, 9}, .uv = {-1.25, -0.5, 1.75, 2}, .flags = flags,
                       .picture = picture});
    }
}

// Three pictures across and two and a half down, from coordinates that are below nothing: at the borders as they are,
// repeated across, down, and both ways; smooth above and in hard texels below.
void golden_space_repeated(zo_image *target) {
    for (uint32_t i = 0; i < 2; i++) {
        zo_image half = {.width = target->width, .height = target->height / 2, .stride = target->stride,
                         .pixels = target->pixels + (size_t)i * (target->height / 2) * target->stride};
        scene s = {.filter = i == 0 ? ZO_FILTER_BILINEAR : ZO_FILTER_NEAREST, .camera = {.zoom = 1}};
        add_repeats(&s, GOLDEN_ART, 0);
        add_repeats(&s, GOLDEN_CHART, -10);
        draw(&s, &half);
    }
}

// A floor of many pictures into the distance: near ones are enlarged, far ones averaged. Above hangs a ceiling, in hard
// texels, mirrored by coordinates that decrease.
void golden_space_floor(zo_image *target) {
    for (uint32_t i = 0; i < 2; i++) {
        scene s = {.filter = i == 0 ? ZO_FILTER_BILINEAR : ZO_FILTER_NEAREST,
                   .pixels_per_unit = 16, .camera = {.yaw = 15, .pitch = 4, .zoom = 1, .field = 80}};
        if (i == 0) {
            add(&s, (sheet){.at = {-60, -6, 20}, .right = {120}, .up = {0, 0, -160}, .uv = {-10, -13, 10, 13.5},
                            .picture = GOLDEN_SHEET, .flags = ZP_PART_REPEAT_U | ZP_PART_REPEAT_V});
        } else {
            add(&s, (sheet){.at = {-60, 8, -140}, .right = {120}, .up = {0, 0, 160}, .uv = {10, 9, -10, -8},
                            .picture = GOLDEN_ART, .flags = ZP_PART_REPEAT_U | ZP_PART_REPEAT_V, .alpha_min = 0.5});
        }
        draw(&s, target);
    }
}

static void add_dice(scene *s, bool in_a_row) {
    for (uint32_t i = 0; i < 5; i++) {
        const double low[3] = {in_a_row ? 14.0 * i : 0, 0, in_a_row ? 0 : -14.0 * i}, sides[3] = {10, 10, 10};
        add_box(s, low, sides, false, (sheet){.picture = i % 2 ? GOLDEN_SHEET : GOLDEN_FACE, .flags = ZP_PART_SHADED,
                                              .alpha_min = 0.5});
    }
}

// A row into the distance from so far that near and far are as large.
void golden_space_narrow(zo_image *target) {
    scene s = {.camera = {.yaw = 40, .pitch = 25, .zoom = 1, .field = 1}};
    add_dice(&s, false);
    draw(&s, target);
}

// A row beside each other, whose ends stretch.
void golden_space_wide(zo_image *target) {
    scene s = {.camera = {.yaw = 10, .pitch = 12, .zoom = 3, .field = 170}};
    add_dice(&s, true);
    draw(&s, target);
}

// A room around the eye, with a beam and glass that reach behind it.
void golden_space_inside(zo_image *target) {
    scene s = {.pixels_per_unit = 20, .camera = {.yaw = 20, .pitch = -8, .zoom = 1, .field = 90}};
    add_box(&s, (const double[3]){-10, -5, -20}, (const double[3]){20, 11, 40}, true,
            (sheet){.picture = GOLDEN_CHART, .flags = ZP_PART_SHADED | ZP_PART_REPEAT_U, .uv = {-1, 0, 1, 1}});
    add_box(&s, (const double[3]){1.5, -3, -16}, (const double[3]){1, 1, 36}, false,
            (sheet){.picture = GOLDEN_SHEET, .flags = ZP_PART_SHADED});
    add(&s, (sheet){.at = {-2.5, -4, 20}, .right = {0, 0, -36}, .up = {0, 8, 0}, .surface = ZP_SURFACE_BLEND,
                    .flags = ZP_PART_TWO_SIDED, .colour = {0.2f, 0.7f, 0.9f, 0.5f}});
    draw(&s, target);
}

// The same sheet with two sides and with one, from before and from behind, where the face on it is mirrored; and a box
// without a lid, of both kinds.
void golden_space_two_sided(zo_image *target) {
    scene s = {.camera = {.yaw = 18, .pitch = 28, .zoom = 1, .field = 35}};
    for (uint32_t i = 0; i < 4; i++) {
        const bool behind = i % 2;
        add(&s, (sheet){.at = {11.0 * i + (behind ? 8 : 0), 0, 0}, .right = {behind ? -8 : 8}, .up = {0, 8},
                        .picture = GOLDEN_FACE, .alpha_min = 0.5,
                        .flags = ZP_PART_SHADED | (i < 2 ? ZP_PART_TWO_SIDED : 0u)});
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t first = s.count;
        add_box(&s, (const double[3]){20.0 * i, -8, 6}, (const double[3]){16, 5, 8}, false,
                (sheet){.picture = GOLDEN_SHEET, .flags = ZP_PART_SHADED | (i == 0 ? ZP_PART_TWO_SIDED : 0u)});
        s.sheets[first + 3] = s.sheets[--s.count]; // the lid is the side above
    }
    draw(&s, target);
}
