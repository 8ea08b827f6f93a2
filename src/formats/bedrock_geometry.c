// Block models as Bedrock's geometry: elements are cubes, joints bones. See bedrock.h.
#include <math.h>

#include "base/maths.h"
#include "formats/bedrock.h"

static const char *const sides[] = {[ZF_FG_DOWN] = "down",   [ZF_FG_UP] = "up",     [ZF_FG_NORTH] = "north",
                                    [ZF_FG_SOUTH] = "south", [ZF_FG_WEST] = "west", [ZF_FG_EAST] = "east"};

static void put_three(zb_buffer *out, const char *name, double x, double y, double z) {
    zb_put_char(out, '"');
    zb_put(out, name);
    zb_put(out, "\": [");
    zf_br_put_number(out, x);
    zb_put(out, ", ");
    zf_br_put_number(out, y);
    zb_put(out, ", ");
    zf_br_put_number(out, z);
    zb_put_char(out, ']');
}

// px of the block to Bedrock's.
static void put_point(zb_buffer *out, const char *name, const double p[3]) {
    put_three(out, name, zf_br_middle - p[0], p[1], p[2] - zf_br_middle);
}

// Source: block models, uv that is not given: from where a side lies in its block.
static double place_uv(const zf_fg_element *e, uint32_t side, uint32_t component) {
    const double x1 = e->from[0], y1 = e->from[1], z1 = e->from[2], x2 = e->to[0], y2 = e->to[1], z2 = e->to[2];
    const double uv[ZF_FG_SIDE_COUNT][4] = {
        {x1, 16.0 - z2, x2, 16.0 - z1},               {x1, z1, x2, z2},
        {16.0 - x2, 16.0 - y2, 16.0 - x1, 16.0 - y1}, {x1, 16.0 - y2, x2, 16.0 - y1},
        {z1, 16.0 - y2, z2, 16.0 - y1},               {16.0 - z2, 16.0 - y2, 16.0 - z1, 16.0 - y1}};
    return uv[side][component];
}

static void put_face(zb_buffer *out, const zf_fg_element *e, uint32_t side, zf_br_names *textures, bool several) {
    const zf_fg_face *face = &e->faces[side];
    double uv[4];
    for (uint32_t i = 0; i < 4; i++) {
        uv[i] = isnan(face->uv[i]) ? place_uv(e, side, i) : face->uv[i];
    }
    // Bedrock lays the texture of up and down from the other corner. Half a turn is to begin in the other corner, too.
    bool other = side == ZF_FG_UP || side == ZF_FG_DOWN;
    const uint32_t quarters = face->rotation % 4;
    other ^= quarters == 2;
    const uint32_t from = other ? 2 : 0, to = other ? 0 : 2;
    zb_put_char(out, '"');
    zb_put(out, sides[side]);
    zb_put(out, "\": {\"uv\": [");
    zf_br_put_number(out, uv[from]);
    zb_put(out, ", ");
    zf_br_put_number(out, uv[from + 1]);
    zb_put(out, "], \"uv_size\": [");
    zf_br_put_number(out, uv[to] - uv[from]);
    zb_put(out, ", ");
    zf_br_put_number(out, uv[to + 1] - uv[from + 1]);
    zb_put_char(out, ']');
    if (quarters % 2 == 1) {
        zb_put(out, ", \"uv_rotation\": ");
        zb_put_uint(out, 90 * quarters);
    }
    if (several) {
        zb_put(out, ", \"material_instance\": ");
        zb_put_json_text(out, zf_br_name(textures, face->slot));
    }
    zb_put_char(out, '}');
}

static void put_cube(zb_buffer *out, const zf_fg_element *e, zf_br_names *textures, bool several) {
    double from[3], to[3];
    memcpy(from, e->from, sizeof from);
    memcpy(to, e->to, sizeof to);
    const double steep = 22.5, radian = 0.017453292519943295;
    // Source: block models, rescale: across the axis, by what 22.5 or 45 degrees would take away.
    const double factor = 1.0 / zb_cos((fabs(e->angle) == steep ? steep : 45.0) * radian);
    for (uint32_t k = 0; k < 3 && e->rotated && e->rescale; k++) { // it does not matter which comes first
        if (k != (uint32_t)e->axis) {
            from[k] = e->origin[k] + (from[k] - e->origin[k]) * factor;
            to[k] = e->origin[k] + (to[k] - e->origin[k]) * factor;
        }
    }
    zb_put_char(out, '{');
    put_three(out, "origin", zf_br_middle - to[0], from[1], from[2] - zf_br_middle);
    zb_put(out, ", ");
    put_three(out, "size", to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    zb_put(out, ", ");
    if (e->rotated && e->angle != 0.0) {
        const double angle[3] = {e->axis == ZF_FG_AXIS_OF_X ? -e->angle : 0.0,
                                 e->axis == ZF_FG_AXIS_OF_Y ? -e->angle : 0.0,
                                 e->axis == ZF_FG_AXIS_OF_Z ? e->angle : 0.0};
        put_point(out, "pivot", e->origin);
        zb_put(out, ", ");
        put_three(out, "rotation", angle[0], angle[1], angle[2]);
        zb_put(out, ", ");
    }
    zb_put(out, "\"uv\": {");
    const char *comma = "";
    for (uint32_t side = 0; side < ZF_FG_SIDE_COUNT; side++) {
        if (e->faces[side].node != 0) {
            zb_put(out, comma);
            put_face(out, e, side, textures, several);
            comma = ", ";
        }
    }
    zb_put(out, "}}");
}

// Elements by the bone that they hang on.
typedef struct hung {
    uint32_t *first;  // [bones + 2], by bone + 1; 0: the root
    uint32_t *elements;
} hung;

static hung hang(zb_arena *arena, const zf_br_geometry *g) {
    const uint32_t count = g->model != NULL ? g->model->element_count : 0;
    hung h = {.first = zb_arena_take_array(arena, (size_t)g->bone_count + 3, sizeof *h.first),
              .elements = zb_arena_take_array(arena, (size_t)count + 1, sizeof *h.elements)};
    for (uint32_t i = 0; i < count && h.first != NULL; i++) {
        h.first[g->element_bones[i] + 2]++;
    }
    for (uint32_t b = 0; b <= g->bone_count && h.first != NULL; b++) {
        h.first[b + 2] += h.first[b + 1];
    }
    for (uint32_t i = 0; i < count && h.first != NULL && h.elements != NULL; i++) {
        h.elements[h.first[g->element_bones[i] + 1]++] = i;
    }
    return h;
}

static void put_bone(zb_buffer *out, const zf_br_geometry *g, uint32_t bone_ref, const hung *h, zf_br_names *textures,
                     bool several) {
    const zf_br_bone *bone = bone_ref != 0 ? &g->bones[bone_ref - 1] : NULL;
    const double ground[3] = {zf_br_middle, 0.0, zf_br_middle};
    zb_put(out, "{\"name\": ");
    zb_put_json_text(out, bone != NULL ? bone->name : g->root);
    if (bone != NULL) {
        zb_put(out, ", \"parent\": ");
        zb_put_json_text(out, g->root);
    }
    zb_put(out, ", ");
    if (bone != NULL) {
        const double pivot[3] = {bone->pivot[0] * zf_br_pixels, bone->pivot[1] * zf_br_pixels,
                                 bone->pivot[2] * zf_br_pixels};
        put_point(out, "pivot", pivot);
    } else {
        put_point(out, "pivot", ground);
    }
    const uint32_t begin = h->first[bone_ref], end = h->first[bone_ref + 1];
    for (uint32_t i = begin; i < end; i++) {
        zb_put(out, i > begin ? ", " : ", \"cubes\": [");
        put_cube(out, &g->model->elements[h->elements[i]], textures, several);
    }
    zb_put(out, end > begin ? "]}" : "}");
}

static zf_br_faces look_at_faces(zb_arena *arena, const zf_fg_model *model) {
    zf_br_faces faces = {0};
    zb_intern slots = zb_intern_open(arena);
    for (uint32_t i = 0; model != NULL && i < model->element_count; i++) {
        const zf_fg_element *e = &model->elements[i];
        for (uint32_t side = 0; side < ZF_FG_SIDE_COUNT; side++) {
            const zf_fg_face *face = &e->faces[side];
            if (face->node == 0) {
                continue;
            }
            faces.turned |= face->rotation % 2 == 1;
            faces.shaded |= !e->shade || face->tint >= 0.0;
            for (uint32_t k = 0; k < 4; k++) {
                faces.controlled |= face->uv_controls[k].size > 0;
            }
            zb_intern_id(&slots, face->slot);
        }
    }
    faces.texture_count = zb_intern_count(&slots);
    return faces;
}

zf_br_faces zf_br_put_geometry(zb_buffer *out, const zf_br_geometry *g, zf_br_names *textures) {
    const zf_br_faces faces = look_at_faces(out->arena, g->model);
    const hung h = hang(out->arena, g);
    zb_put(out, "{\"format_version\": ");
    zb_put(out, faces.turned ? "\"1.21.0\"" : "\"1.12.0\""); // since when faces can be turned
    zb_put(out, ", \"minecraft:geometry\": [{\"description\": {\"identifier\": ");
    zb_put_json_text(out, g->identifier);
    zb_put(out, ", \"texture_width\": 16, \"texture_height\": 16, \"visible_bounds_width\": 3, "
                "\"visible_bounds_height\": 3, \"visible_bounds_offset\": [0, 0.5, 0]}, \"bones\": [");
    for (uint32_t b = 0; b <= g->bone_count && !zb_arena_failed(out->arena); b++) {
        zb_put(out, b > 0 ? ", " : "");
        put_bone(out, g, b, &h, textures, faces.texture_count > 1);
    }
    zb_put(out, "]}]}");
    return faces;
}
