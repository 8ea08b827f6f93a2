// The three bursts of particles that petween events name, as tables, and their way into effects of the program. Called
// by petween_compile.c. Numbers only; what becomes of them is the runtime's.
#include "formats/petween.h"

// Corners in per cent of a square box.
static const double star[] = {50, 0, 61, 35, 98, 35, 68, 57, 79, 91, 50, 70, 21, 91, 32, 57, 2, 35, 39, 35};
static const double cross[] = {50, 0, 62, 38, 100, 50, 62, 62, 50, 100, 38, 62, 0, 50, 38, 38};

typedef enum form { STRIP, DOT, STAR, CROSS } form;
static const struct {
    const char *name;
    zp_outline outline;
    double aspect, corner; // height / width; px
    const double *corners;
    uint32_t corner_count;
} forms[] = {
    [STRIP] = {"strip", ZP_OUTLINE_ROUNDED, 1.9, 1.5, NULL, 0},
    [DOT] = {"dot", ZP_OUTLINE_ELLIPSE, 1.0, 0.0, NULL, 0},
    [STAR] = {"star", ZP_OUTLINE_POLYGON, 1.0, 0.0, star, ZB_COUNT(star) / 2},
    [CROSS] = {"cross", ZP_OUTLINE_POLYGON, 1.0, 0.0, cross, ZB_COUNT(cross) / 2},
};

enum { SHAPES_MAX = 3, COLOURS_MAX = 6, POINTS_MAX = 10 };

static const struct {
    uint32_t count;
    uint32_t shape_count;
    form shapes[SHAPES_MAX];
    zp_range size, travel, life, spin; // px, px, ms, degrees
    double fall;                       // px
    uint32_t colours[COLOURS_MAX];     // 0xRRGGBB, as many as are not 0
} bursts[ZF_PT_EFFECT_COUNT] = {       // in the order of zf_pt_effects
    {22, 3, {STRIP, STRIP, DOT}, {5, 8}, {46, 92}, {620, 980}, {140, 320}, 26,
     {0xFF5A5F, 0xFFB400, 0x3EC1D3, 0x7C5CFF, 0xFF7AC8, 0x59D98C}},
    {12, 2, {STAR, CROSS}, {7, 12}, {40, 84}, {480, 760}, {90, 240}, 10, {0xFFD23F, 0xFFB400, 0xFFF3B0, 0xFF8C42}},
    {10, 2, {CROSS, DOT}, {4, 7}, {20, 44}, {420, 640}, {0, 90}, 0, {0xFFFFFF, 0xFFF3B0, 0xCDE7FF, 0xFFE9A8}},
};

// Out at once and slowing down; what falls, falls on the last stretch, where it also fades.
static const double path[][ZP_PATH_COUNT] = {
    {[ZP_PATH_AT] = 0.0, [ZP_PATH_OPACITY] = 1.0},
    {[ZP_PATH_AT] = 0.7, [ZP_PATH_DISTANCE] = 0.7, [ZP_PATH_TURN] = 0.7, [ZP_PATH_OPACITY] = 1.0},
    {[ZP_PATH_AT] = 1.0, [ZP_PATH_DISTANCE] = 1.0, [ZP_PATH_TURN] = 1.0, [ZP_PATH_FALL] = 1.0},
};

static zp_shape shape_of(zp_build *build, form which) {
    double points[2 * POINTS_MAX];
    const uint32_t count = forms[which].corner_count;
    ZO_ASSERT(count <= POINTS_MAX);
    for (uint32_t i = 0; i < 2 * count; i++) {
        points[i] = forms[which].corners[i] / 100.0;
    }
    return (zp_shape){.name = zp_build_name(build, zb_text(forms[which].name)), .outline = forms[which].outline,
                      .aspect = forms[which].aspect, .corner = forms[which].corner,
                      .points = zp_build_numbers(build, points, 2 * count), .point_count = count};
}

uint32_t zf_pt_build_effect(zp_build *build, uint32_t effect, uint32_t target, const double origin[2]) {
    ZO_ASSERT(effect < ZF_PT_EFFECT_COUNT);
    zp_shape shapes[SHAPES_MAX];
    for (uint32_t i = 0; i < bursts[effect].shape_count; i++) {
        shapes[i] = shape_of(build, bursts[effect].shapes[i]);
    }
    double colours[COLOURS_MAX][4];
    uint32_t colour_count = 0;
    while (colour_count < COLOURS_MAX && bursts[effect].colours[colour_count] != 0) {
        const uint32_t colour = bursts[effect].colours[colour_count];
        for (uint32_t part = 0; part < 3; part++) {
            colours[colour_count][part] = (colour >> (16 - 8 * part) & 0xFF) / 255.0;
        }
        colours[colour_count++][3] = 1.0;
    }
    return zp_build_effect(build, &(zp_effect){
        .name = zp_build_name(build, zf_name_text(zf_pt_effects[effect])), .motion = ZP_MOTION_PATH, .target = target,
        .flags = ZP_EFFECT_ROUND_SIZE | ZP_EFFECT_ROUND_KEYS, .origin = {origin[0], origin[1]},
        .burst_count = bursts[effect].count, .burst_max = 24, .alive_max = 96,
        .easing_ref = zp_build_easing(build, 0.15, 0.6, 0.35, 1.0) + 1,
        .keys = zp_build_numbers(build, &path[0][0], ZP_PATH_COUNT * ZB_COUNT(path)), .key_count = ZB_COUNT(path),
        .colours = zp_build_numbers(build, &colours[0][0], 4 * colour_count), .colour_count = colour_count,
        .shapes = zp_build_shapes(build, shapes, bursts[effect].shape_count),
        .shape_count = bursts[effect].shape_count, .size = bursts[effect].size, .travel = bursts[effect].travel,
        .spin = bursts[effect].spin, .life = bursts[effect].life, .life_unit_ns = 1000000,
        .fall = bursts[effect].fall});
}
