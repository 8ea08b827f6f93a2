// Block models: from elements to meshes. Called by the readers of models. Where each corner of a side stands, which
// part of the texture it shows, and how an element's own rotation scales it are those of the game that the format is
// for; they stand in tables here. Must not know JSON.
#include "formats/forge_block.h"

#include <math.h>

#include "base/maths.h"

enum { SIDE_CORNERS = 4, X = 1, Y = 2, Z = 4 }; // bits of a corner

#define PX 16.0          // of a block
#define ALPHA_MIN 0.1    // what the game leaves out of textures with holes

// Corners of each side, counter-clockwise from outside, the first where the texture's left upper corner is; and the way
// that it looks. Source: the game's face bakery.
static const struct { uint8_t corners[SIDE_CORNERS]; int8_t normal[3]; } sides[ZF_BLOCK_SIDES] = {
    [ZF_BLOCK_DOWN] = {{Z, 0, X, X | Z}, {0, -1, 0}},
    [ZF_BLOCK_UP] = {{Y, Y | Z, X | Y | Z, X | Y}, {0, 1, 0}},
    [ZF_BLOCK_NORTH] = {{X | Y, X, 0, Y}, {0, 0, -1}},
    [ZF_BLOCK_SOUTH] = {{Y | Z, Z, X | Z, X | Y | Z}, {0, 0, 1}},
    [ZF_BLOCK_WEST] = {{Y, 0, Z, Y | Z}, {-1, 0, 0}},
    [ZF_BLOCK_EAST] = {{X | Y | Z, X | Z, X, X | Y}, {1, 0, 0}},
};

typedef struct maker {
    zp_build *build;
    const zf_block_model *model;
    const zf_block_element *element;
    zp_weight *weights;       // scratch, [of an element at most]
    double turn[9];           // rows of its rotation, with its scale
    double look[9];           // the rotation alone
} maker;

// A point of a side: how far it is from each of the side's corners, its weights, which add up to 1.
typedef struct spot { double shares[SIDE_CORNERS]; } spot;

// ---------------------------------------------------------------------------------------------------- texture

// The part of a texture that a side shows by its place in the block: u1, v1, u2, v2, px.
static void place_uv(const zf_block_element *e, uint32_t side, double uv[4]) {
    const double *from = e->from, *to = e->to;
    const double by_side[ZF_BLOCK_SIDES][4] = {
        [ZF_BLOCK_DOWN] = {from[0], PX - to[2], to[0], PX - from[2]},
        [ZF_BLOCK_UP] = {from[0], from[2], to[0], to[2]},
        [ZF_BLOCK_NORTH] = {PX - to[0], PX - to[1], PX - from[0], PX - from[1]},
        [ZF_BLOCK_SOUTH] = {from[0], PX - to[1], to[0], PX - from[1]},
        [ZF_BLOCK_WEST] = {from[2], PX - to[1], to[2], PX - from[1]},
        [ZF_BLOCK_EAST] = {PX - to[2], PX - to[1], PX - from[2], PX - from[1]},
    };
    memcpy(uv, by_side[side], 4 * sizeof *uv);
}

// Which of u1, v1, u2, v2 a corner has, once the face is turned.
static uint32_t u_of(const zf_block_face *face, uint32_t corner) {
    const uint32_t turned = (corner + face->turns) % SIDE_CORNERS;
    return turned < 2 ? 0 : 2;
}
static uint32_t v_of(const zf_block_face *face, uint32_t corner) {
    const uint32_t turned = (corner + face->turns) % SIDE_CORNERS;
    return turned == 0 || turned == 3 ? 1 : 3;
}

// ---------------------------------------------------------------------------------------------------- place

// The rotation about an axis as the format has it, and across the axis larger by what makes a turned square as wide as
// it was: reckoned for 22.5 degrees, else for 45, whatever the angle is.
static void set_turn(maker *m) {
    const zf_block_element *e = m->element;
    double sine, cosine;
    zb_sincos_degrees(e->angle, &sine, &cosine);
    const uint32_t a = (e->axis + 1) % 3, b = (e->axis + 2) % 3;
    memset(m->look, 0, sizeof m->look);
    m->look[4 * e->axis] = 1;
    m->look[3 * a + a] = m->look[3 * b + b] = cosine;
    m->look[3 * a + b] = -sine;
    m->look[3 * b + a] = sine;
    memcpy(m->turn, m->look, sizeof m->turn);
    if (!e->rescale) { return; }
    zb_sincos_degrees(fabs(e->angle) == 22.5 ? 22.5 : 45.0, &sine, &cosine);
    for (uint32_t k = 0; k < 3; k++) {
        m->turn[3 * a + k] /= cosine;
        m->turn[3 * b + k] /= cosine;
    }
}

static void multiply(const double rows[9], const double from[3], double to[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        to[i] = rows[3 * i] * from[0] + rows[3 * i + 1] * from[1] + rows[3 * i + 2] * from[2];
    }
}

static void put_place(const maker *m, const uint8_t corners[SIDE_CORNERS], const spot *at, zp_vertex *vertex) {
    double way[3] = {0}, turned[3];
    for (uint32_t c = 0; c < 3; c++) {
        for (uint32_t k = 0; k < SIDE_CORNERS; k++) {
            way[c] += at->shares[k] * (corners[k] >> c & 1 ? m->element->to[c] : m->element->from[c]);
        }
        way[c] -= m->element->origin[c];
    }
    multiply(m->turn, way, turned);
    for (uint32_t c = 0; c < 3; c++) { vertex->position[c] = (float)((m->element->origin[c] + turned[c]) / PX); }
}

static void put_weights(const maker *m, const uint8_t corners[SIDE_CORNERS], const spot *at, zp_vertex *vertex) {
    const zf_block_element *e = m->element;
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->weight_count; i++) {
        double weight = 0;
        for (uint32_t k = 0; k < SIDE_CORNERS; k++) {
            weight += at->shares[k] * (double)e->weights[i].corners[corners[k]];
        }
        if (weight != 0) { m->weights[count++] = (zp_weight){.bone = e->weights[i].bone, .weight = (float)weight}; }
    }
    vertex->first_weight = zp_build_weights(m->build, m->weights, count);
    vertex->weight_count = count;
}

// ---------------------------------------------------------------------------------------------------- sides

static uint32_t put_vertex(const maker *m, uint32_t side, const spot *at, const float colour[3]) {
    const zf_block_face *face = &m->element->faces[side];
    zp_vertex vertex = {.colour = {colour[0], colour[1], colour[2], 1}};
    put_place(m, sides[side].corners, at, &vertex);
    put_weights(m, sides[side].corners, at, &vertex);
    const double way[3] = {sides[side].normal[0], sides[side].normal[1], sides[side].normal[2]};
    double normal[3], uv[4], u = 0, v = 0;
    multiply(m->look, way, normal);
    for (uint32_t c = 0; c < 3; c++) { vertex.normal[c] = (float)normal[c]; }
    place_uv(m->element, side, uv);
    for (uint32_t k = 0; k < 4; k++) { uv[k] = face->uv_given[k] ? face->uv[k] : uv[k]; }
    for (uint32_t k = 0; k < SIDE_CORNERS; k++) {
        u += at->shares[k] * uv[u_of(face, k)];
        v += at->shares[k] * uv[v_of(face, k)];
    }
    vertex.uv[0] = (float)(u / PX);
    vertex.uv[1] = (float)(v / PX);
    return zp_build_vertex(m->build, &vertex);
}

static spot between(const spot *a, const spot *b) {
    spot middle;
    for (uint32_t k = 0; k < SIDE_CORNERS; k++) { middle.shares[k] = (a->shares[k] + b->shares[k]) / 2; }
    return middle;
}

static bool is_missing(const maker *m, const zf_block_face *face) {
    ZO_ASSERT(face->texture < m->model->texture_count);
    return m->model->textures[face->texture].cel_ref == 0;
}

// A vertex that stands at a corner of the side follows the controls of that corner.
static void put_bindings(const maker *m, uint32_t side, uint32_t corner, uint32_t vertex) {
    const zf_block_face *face = &m->element->faces[side];
    const uint32_t refs[2] = {face->uv_control_refs[u_of(face, corner)], face->uv_control_refs[v_of(face, corner)]};
    for (uint32_t c = 0; c < 2; c++) {
        if (refs[c] == 0) { continue; }
        zp_build_uv_binding(m->build, &(zp_uv_binding){.vertex = vertex, .component = c, .param = refs[c] - 1,
                                                       .scale = 1 / PX});
    }
}

// `corners`: in the side's order; of a part of it as well. The number of the first vertex.
static uint32_t put_quad(const maker *m, uint32_t side, const spot corners[SIDE_CORNERS], const float colour[3]) {
    uint32_t at[SIDE_CORNERS];
    for (uint32_t k = 0; k < SIDE_CORNERS; k++) { at[k] = put_vertex(m, side, &corners[k], colour); }
    zp_build_triangle(m->build, at[0], at[1], at[2]);
    zp_build_triangle(m->build, at[0], at[2], at[3]);
    return at[0];
}

// Of a missing texture there is a quad at each corner, in two colours that no texture has by design. Nothing is seen of
// its coordinates, but a program says which controls it has a use for.
static void put_side(const maker *m, uint32_t side) {
    static const spot whole[SIDE_CORNERS] = {{{1, 0, 0, 0}}, {{0, 1, 0, 0}}, {{0, 0, 1, 0}}, {{0, 0, 0, 1}}};
    static const float white[3] = {1, 1, 1}, checker[2][3] = {{1, 0, 1}, {0, 0, 0}};
    if (!is_missing(m, &m->element->faces[side])) {
        const uint32_t first = put_quad(m, side, whole, white);
        for (uint32_t corner = 0; corner < SIDE_CORNERS; corner++) { put_bindings(m, side, corner, first + corner); }
        return;
    }
    const spot middle = between(&whole[0], &whole[2]);
    for (uint32_t corner = 0; corner < SIDE_CORNERS; corner++) {
        spot quarter[SIDE_CORNERS];
        for (uint32_t k = 0; k < SIDE_CORNERS; k++) {
            quarter[k] = between(&whole[corner], &whole[k]); // the corner itself, or half of the way along an edge
            if ((corner + 2) % SIDE_CORNERS == k) { quarter[k] = middle; }
        }
        put_bindings(m, side, corner, put_quad(m, side, quarter, checker[corner % 2]) + corner);
    }
}

// The sides with this texture.
static void put_part(const maker *m, uint32_t texture) {
    const zf_block_texture *record = &m->model->textures[texture];
    const bool cut = record->cel_ref == 0 || record->surface == ZP_SURFACE_CUT;
    zp_build_part(m->build, &(zp_part){.name = zp_build_name(m->build, record->name), .cel_ref = record->cel_ref,
                                       .surface = cut ? ZP_SURFACE_CUT : ZP_SURFACE_BLEND,
                                       .alpha_min = cut ? ALPHA_MIN : 0,
                                       .flags = m->element->shaded ? ZP_PART_SHADED : 0});
    for (uint32_t side = 0; side < ZF_BLOCK_SIDES; side++) {
        const zf_block_face *face = &m->element->faces[side];
        if (face->drawn && face->texture == texture) { put_side(m, side); }
    }
}

// A part a texture, in the order of the sides that are the first to show it.
static void put_element(const maker *m) {
    const zf_block_face *faces = m->element->faces;
    for (uint32_t side = 0; side < ZF_BLOCK_SIDES; side++) {
        bool is_first = faces[side].drawn;
        for (uint32_t other = 0; other < side; other++) {
            is_first = is_first && !(faces[other].drawn && faces[other].texture == faces[side].texture);
        }
        if (is_first) { put_part(m, faces[side].texture); }
    }
}

void zf_block_build(zp_build *build, zb_arena *arena, const zf_block_model *model) {
    uint32_t weights_max = 0;
    for (uint32_t i = 0; i < model->element_count; i++) {
        const uint32_t count = model->elements[i].weight_count;
        weights_max = count > weights_max ? count : weights_max;
    }
    maker m = {.build = build, .model = model, .weights = zb_arena_take_array(arena, weights_max, sizeof *m.weights)};
    if (zb_arena_failed(arena)) { return; }
    for (uint32_t i = 0; i < model->element_count; i++) {
        m.element = &model->elements[i];
        zp_build_mesh(build, &(zp_mesh){.name = zp_build_name(build, m.element->name), .rule = (uint32_t)model->rule,
                                        .flags = model->flags, .least = model->least});
        set_turn(&m);
        put_element(&m);
    }
}
