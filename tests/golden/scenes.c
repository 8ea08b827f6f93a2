// Golden scenes of drawing: pictures turned, mirrored, reduced, cut off, thin and faint, and bare triangles.
#include <string.h>

#include "golden.h"

#include "base/maths.h"
#include "draw/draw.h"

typedef struct stage {
    zo_image *target;
    zo_vertex vertices[64];
    uint32_t indices[128];
    zo_command commands[8];
    zo_draw_list list;
} stage;

static void open_stage(stage *s, zo_image *target) {
    memset(s, 0, sizeof *s);
    s->target = target;
    s->list = (zo_draw_list){.vertices = s->vertices, .vertex_capacity = 64, .indices = s->indices,
                             .index_capacity = 128, .commands = s->commands, .command_capacity = 8};
}

static void close_stage(stage *s) { zo_raster(&s->list, golden_pictures(), GOLDEN_PICTURE_COUNT, s->target); }

// A picture with its middle at (x, y), width and height in px before turning by `degrees`. Opacity 0 is 1.
typedef struct placed {
    uint32_t picture;
    double x, y, width, height, degrees, skew, opacity;
    zo_filter filter;
    zo_blend blend;
    uint32_t region[4];
} placed;

static void place(stage *s, placed p) {
    double sine, cosine;
    zb_sincos_degrees(p.degrees, &sine, &cosine);
    const zo_image *image = &golden_pictures()[p.picture - 1];
    const double picture_width = p.region[2] ? p.region[2] : image->width;
    const double picture_height = p.region[2] ? p.region[3] : image->height;
    const zg_quad quad = {
        .center = {p.x, p.y},
        .a = {cosine * p.width / 2, sine * p.width / 2},
        .b = {(p.skew * cosine - sine) * p.height / 2, (p.skew * sine + cosine) * p.height / 2},
        .picture_center = {p.region[0] + picture_width / 2, p.region[1] + picture_height / 2},
        .picture_half = {picture_width / 2, picture_height / 2},
        .opacity = p.opacity == 0 ? 1 : p.opacity,
        .feathered = p.filter != ZO_FILTER_NEAREST,
    };
    const uint32_t first = s->list.index_count;
    bool drawn;
    if (!zg_quad_emit(&quad, &s->list, &drawn) || !drawn) { return; }
    zo_command command = {.image = p.picture, .first_index = first, .index_count = s->list.index_count - first,
                          .blend = p.blend, .filter = p.filter};
    memcpy(command.region, p.region, sizeof command.region);
    s->commands[s->list.command_count++] = command;
}

static void place_one(zo_image *target, placed p) {
    stage s;
    open_stage(&s, target);
    place(&s, p);
    close_stage(&s);
}

static void exact(zo_image *t) { place_one(t, (placed){GOLDEN_FACE, 160, 160, 256, 256, .opacity = 1}); }
static void moved_by_a_third(zo_image *t) {
    place_one(t, (placed){GOLDEN_CHART, 160 + 1 / 3.0, 160 + 1 / 7.0, 256, 256, .opacity = 1});
}
static void turned(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 200, 200, 256, 256, .degrees = 27}); }
static void turned_face(zo_image *t) { place_one(t, (placed){GOLDEN_FACE, 256, 256, 320, 320, .degrees = 12}); }
static void quarter_turn(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 150, 150, 256, 256, .degrees = 90}); }
static void mirrored(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 160, 160, -200.5, 220, .degrees = 5}); }
static void upside_down(zo_image *t) { place_one(t, (placed){GOLDEN_FACE, 160, 160, 256, -256, .opacity = 1}); }
static void skewed(zo_image *t) {
    place_one(t, (placed){GOLDEN_CHART, 200, 160, 160, 200, .degrees = -10, .skew = 0.6});
}
static void enlarged(zo_image *t) { place_one(t, (placed){GOLDEN_ART, 128, 128, 200, 200, .degrees = 3}); }
static void huge(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 3000, -2000, 20000, 20000, .degrees = 40}); }
static void immense(zo_image *t) { place_one(t, (placed){GOLDEN_GLASS, 3e8, 1e8, 1e9, 9e8, .degrees = 4}); }
static void off_screen(zo_image *t) { place_one(t, (placed){GOLDEN_FACE, 10, 250, 256, 256, .degrees = -33}); }
static void reduced_96(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 48, 48, 96, 96, .opacity = 1}); }
static void reduced_face(zo_image *t) { place_one(t, (placed){GOLDEN_FACE, 48, 48, 96, 96, .opacity = 1}); }
static void reduced_turned(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 64, 64, 80, 80, .degrees = 31}); }
static void reduced_flat(zo_image *t) { place_one(t, (placed){GOLDEN_CHART, 160, 40, 256, 50, .opacity = 1}); }
static void reduced_icon(zo_image *t) { place_one(t, (placed){GOLDEN_FACE, 16, 16, 20, 20, .opacity = 1}); }
static void faint(zo_image *t) {
    zo_image_fill(t, (const uint8_t[4]){255, 255, 255, 255});
    place_one(t, (placed){GOLDEN_FACE, 128, 128, 200, 200, .degrees = 9, .opacity = 0.3});
}
static void nearest(zo_image *t) {
    place_one(t, (placed){GOLDEN_ART, 64, 64, 96, 96, .degrees = 15, .filter = ZO_FILTER_NEAREST});
}
static void nearest_exact(zo_image *t) {
    place_one(t, (placed){GOLDEN_ART, 64, 64, 64, 64, .filter = ZO_FILTER_NEAREST});
}
static void glow(zo_image *t) {
    stage s;
    open_stage(&s, t);
    place(&s, (placed){GOLDEN_GLASS, 100, 100, 128, 128, .opacity = 1});
    place(&s, (placed){GOLDEN_FACE, 120, 120, 160, 160, .degrees = 20, .opacity = 0.7, .blend = ZO_BLEND_ADD});
    close_stage(&s);
}

// From 3 px down to 1/30 px: bars that get fainter, none that vanishes; upright and aslant.
static void thin(zo_image *t) {
    for (int i = 0; i < 16; i++) {
        const double width = 3.0 / (1 + i * i * 0.4);
        place_one(t, (placed){GOLDEN_CHART, 10.3 + 8.1 * i, 40, width, 60, .opacity = 1});
        place_one(t, (placed){GOLDEN_CHART, 10.3 + 8.1 * i, 120, width, 60, .degrees = 7});
    }
}

// A flat rhombus: both its sides are long, and it is thinner than a pixel.
static void slivers(zo_image *t) {
    for (int i = 0; i < 8; i++) {
        place_one(t, (placed){GOLDEN_CHART, 80, 20 + 16.3 * i, 90, 2.0 / (1 + i), .degrees = 5 * i, .skew = 20});
    }
}

static void parts_of_a_sheet(zo_image *t) {
    stage s;
    open_stage(&s, t);
    for (uint32_t i = 0; i < 4; i++) {
        place(&s, (placed){GOLDEN_SHEET, 50.0 + 80 * (i % 2), 50.0 + 80 * (i / 2), 60, 60, .degrees = 10,
                           .region = {i % 2 * 32, i / 2 * 32, 32, 32}});
    }
    close_stage(&s);
}

// Twelve half-transparent slices about one point: a seam or a pixel drawn twice would show.
static void fan(zo_image *t) {
    stage s;
    open_stage(&s, t);
    s.vertices[0] = (zo_vertex){100.37f, 99.81f, 0, 0, 0.5f, 0, 0, 0.5f};
    for (uint32_t i = 0; i < 12; i++) {
        double sine, cosine;
        zb_sincos_degrees(30.0 * i + 3, &sine, &cosine);
        s.vertices[1 + i] = (zo_vertex){(float)(100 + 90 * cosine), (float)(100 + 80 * sine), 0, 0, 0.5f, 0, 0, 0.5f};
        s.indices[3 * i + 1] = 1 + i;
        s.indices[3 * i + 2] = 1 + (i + 1) % 12;
    }
    s.list.vertex_count = 13;
    s.list.index_count = 36;
    s.commands[0] = (zo_command){.index_count = 36};
    s.list.command_count = 1;
    close_stage(&s);
}

static void rainbow(zo_image *t) {
    stage s;
    open_stage(&s, t);
    s.vertices[0] = (zo_vertex){10.5f, 20.25f, 0, 0, 1, 0, 0, 1};
    s.vertices[1] = (zo_vertex){180.75f, 60.125f, 64, 0, 0, 0.8f, 0, 0.9f};
    s.vertices[2] = (zo_vertex){40.2f, 170.9f, 0, 64, 0, 0, 0.2f, 0.2f};
    for (uint32_t i = 0; i < 3; i++) { s.indices[i] = i; }
    s.list.vertex_count = s.list.index_count = 3;
    s.commands[0] = (zo_command){.index_count = 3};
    s.commands[1] = (zo_command){.index_count = 3, .image = GOLDEN_GLASS, .blend = ZO_BLEND_ADD};
    s.list.command_count = 2;
    close_stage(&s);
}

const golden_scene golden_scenes[] = {
    {"draw/exact", exact, 320, 320},
    {"draw/moved-by-a-third", moved_by_a_third, 320, 320},
    {"draw/turned", turned, 400, 400},
    {"draw/turned-face", turned_face, 512, 512},
    {"draw/quarter-turn", quarter_turn, 300, 300},
    {"draw/mirrored", mirrored, 320, 320},
    {"draw/upside-down", upside_down, 320, 320},
    {"draw/skewed", skewed, 400, 320},
    {"draw/enlarged", enlarged, 256, 256},
    {"draw/huge", huge, 300, 200},
    {"draw/immense", immense, 300, 200},
    {"draw/off-screen", off_screen, 200, 200},
    {"draw/reduced-96", reduced_96, 96, 96},
    {"draw/reduced-face", reduced_face, 96, 96},
    {"draw/reduced-turned", reduced_turned, 128, 128},
    {"draw/reduced-flat", reduced_flat, 320, 80},
    {"draw/reduced-icon", reduced_icon, 32, 32},
    {"draw/faint", faint, 256, 256},
    {"draw/nearest", nearest, 128, 128},
    {"draw/nearest-exact", nearest_exact, 128, 128},
    {"draw/glow", glow, 220, 220},
    {"draw/thin", thin, 150, 160},
    {"draw/slivers", slivers, 160, 160},
    {"draw/sheet", parts_of_a_sheet, 180, 180},
    {"draw/fan", fan, 200, 200},
    {"draw/rainbow", rainbow, 200, 200},
    {"draw/particles", golden_particle_shapes, 290, 280},
    {"film/bursts", golden_bursts, 640, 480},
    {"film/contact-sheet", golden_contact_sheet, 768, 480},
    {"enemy/first-frame", golden_enemy_first, 384, 288},
    {"enemy/in-the-air", golden_enemy_middle, 384, 288},
    {"enemy/every-effect", golden_enemy_effects, 384, 288},
    {"pack/first-frame", golden_pack_first, 198, 220},
    {"pack/waving", golden_pack_waving, 297, 330},
    {"pack/asleep", golden_pack_asleep, 132, 148},
    {"pack/pause", golden_pack_pause, 459, 510},
    {"block/letters", golden_block_letters, 640, 320},
    {"block/corridor", golden_block_corridor, 480, 320},
    {"block/glass", golden_block_glass, 320, 240},
    {"space/glass", golden_space_glass, 480, 240},
    {"space/added", golden_space_added, 320, 240},
    {"space/repeated", golden_space_repeated, 480, 480},
    {"space/floor", golden_space_floor, 400, 300},
    {"space/narrow", golden_space_narrow, 320, 320},
    {"space/wide", golden_space_wide, 480, 200},
    {"space/inside", golden_space_inside, 320, 240},
    {"space/two-sided", golden_space_two_sided, 480, 240},
    {"forge/engine", golden_forge_engine, 192, 192},
    {"forge/owl", golden_forge_owl, 192, 192},
};
const uint32_t golden_scene_count = sizeof golden_scenes / sizeof golden_scenes[0];
