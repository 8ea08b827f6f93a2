// What effects with emitters look like: particles as quads, lights as soft discs, decals as pictures; ribbon.c draws
// trails. Called by list.c, which puts the triangles under commands. Reads what the runtime says of them; knows no run.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

#define FAR 1e9 // px: vertices are floats

enum {
    DISC_CORNERS = 64,
    DISC_RINGS = 5, // the middle's, and four that the light falls off across
};

static bool is_near(double x, double y) { return fabs(x) < FAR && fabs(y) < FAR; } // false for what is not a number

static void put_triangle(zo_draw_list *list, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t *indices = list->indices + list->index_count;
    indices[0] = i;
    indices[1] = j;
    indices[2] = k;
    list->index_count += 3;
}

// ---------------------------------------------------------------------------------------------------- pictures

// A tile of the cel's picture, or nothing: then the quad is in plain colour.
static uint32_t find_tile(const zp_program *program, const zo_view *view, uint32_t cel_ref, uint32_t columns,
                          uint32_t rows, uint32_t frame, zg_quad *quad, uint32_t region[4], double side[2]) {
    const uint32_t image = cel_ref != 0 ? zg_picture_of(view, cel_ref - 1) : 0;
    if (image == 0) { return 0; }
    const zp_cel *cel = &program->cels[cel_ref - 1];
    const zo_size size = view->image_sizes[image - 1];
    double part[4] = {0, 0, size.width, size.height};
    if (cel->region[2] > 0) { memcpy(part, cel->region, sizeof part); }
    const double tile[2] = {part[2] / columns, part[3] / rows};
    const double place[2] = {part[0] + tile[0] * (frame % columns), part[1] + tile[1] * (frame / columns % rows)};
    const double limit[2] = {size.width, size.height};
    for (uint32_t c = 0; c < 2; c++) {
        quad->picture_center[c] = place[c] + tile[c] / 2;
        quad->picture_half[c] = tile[c] / 2;
        side[c] = tile[c];
        const double low = zb_clamp(floor(place[c]), 0, limit[c] - 1);
        const double high = zb_clamp(-floor(-(place[c] + tile[c])), low + 1, limit[c]);
        region[c] = (uint32_t)low;
        region[2 + c] = (uint32_t)(high - low);
    }
    return image;
}

static zo_command command_of(const zp_effect *effect, const zo_view *view) {
    return (zo_command){.blend = effect->blend == ZP_EFFECT_ADD ? ZO_BLEND_ADD : ZO_BLEND_OVER, .filter = view->filter,
                        .layer = effect->layer, .order = effect->order};
}

static void to_px(const zg_plane *m, double x, double y, double out[2]) {
    out[0] = m->xx * x + m->xy * y;
    out[1] = m->yx * x + m->yy * y;
}

static bool emit_tinted(const zg_quad *quad, const double rgba[4], zo_draw_list *list, bool *drawn) {
    const uint32_t first = list->vertex_count;
    if (!zg_quad_emit(quad, list, drawn)) { return false; }
    const double colour[4] = {zb_clamp(rgba[0], 0, 1), zb_clamp(rgba[1], 0, 1), zb_clamp(rgba[2], 0, 1), 1};
    zg_tint(list, first, colour);
    return true;
}

// ---------------------------------------------------------------------------------------------------- particles

bool zg_emitted_emit(const zp_program *program, const zr_particle *particle, const zg_plane *m, const zo_view *view,
                     zo_draw_list *list, zo_command *command, bool *drawn) {
    const zp_effect *effect = &program->effects[particle->effect];
    const zp_emitter *emitter = &program->emitters[effect->emitter_ref - 1];
    *drawn = false;
    *command = command_of(effect, view);
    if (emitter->facing == ZP_FACING_NONE) { return true; }
    zg_quad quad = {.opacity = zb_clamp(particle->rgba[3], 0, 1), .feathered = view->filter != ZO_FILTER_NEAREST};
    double side[2];
    if (emitter->cel_count > 0) { // a cel a frame
        const uint32_t cel = program->words[emitter->first_cel + particle->frame % emitter->cel_count];
        command->image = find_tile(program, view, cel + 1, 1, 1, 0, &quad, command->region, side);
    } else {
        command->image = find_tile(program, view, effect->cel_ref, emitter->columns, emitter->rows, particle->frame,
                                   &quad, command->region, side);
    }
    // To the right of the picture and down it, clockwise as seen.
    const double down = zp_y_up(program) ? -1.0 : 1.0;
    double sine, cosine, width = particle->width;
    zb_sincos_degrees(particle->turn, &sine, &cosine);
    double right[2] = {cosine, down * sine};
    if (emitter->facing == ZP_FACING_STRETCH) {
        const double x = particle->velocity[0], y = particle->velocity[1], speed = sqrt(x * x + y * y);
        if (speed > 0) {
            right[0] = x / speed;
            right[1] = y / speed;
        }
        width *= 2;
    }
    const double below[2] = {-down * right[1], down * right[0]};
    to_px(m, right[0] * width / 2, right[1] * width / 2, quad.a);
    to_px(m, below[0] * particle->height / 2, below[1] * particle->height / 2, quad.b);
    to_px(m, particle->x, particle->y, quad.center);
    quad.center[0] += m->x0;
    quad.center[1] += m->y0;
    return emit_tinted(&quad, particle->rgba, list, drawn);
}

// ---------------------------------------------------------------------------------------------------- decals

static bool emit_decal(const zp_program *program, const zr_effect_look *look, const zg_plane *m, const zo_view *view,
                       zo_draw_list *list, zo_command *command, bool *drawn) {
    const zp_emitter *emitter = look->emitter;
    const double *rgba = &program->numbers[look->record->colours];
    zg_quad quad = {.opacity = zb_clamp(rgba[3], 0, 1), .feathered = view->filter != ZO_FILTER_NEAREST};
    double side[2];
    command->image = find_tile(program, view, look->record->cel_ref, emitter->columns, emitter->rows, emitter->frame,
                               &quad, command->region, side);
    if (command->image == 0) { return true; } // its size is the picture's
    const double width = side[0] * emitter->pixel * emitter->scale[0];
    const double height = side[1] * emitter->pixel * emitter->scale[1];
    const double down = zp_y_up(program) ? -1.0 : 1.0;
    const double *t = look->axes; // the plane of the picture, turned as its target is
    to_px(m, t[0] * width / 2, t[3] * width / 2, quad.a);
    to_px(m, down * t[1] * height / 2, down * t[4] * height / 2, quad.b);
    to_px(m, look->at[0], look->at[1], quad.center);
    quad.center[0] += m->x0;
    quad.center[1] += m->y0;
    return emit_tinted(&quad, rgba, list, drawn);
}

// ---------------------------------------------------------------------------------------------------- lights

// From full to nothing without an edge at either end.
static double fall_off(double share) { return 1 - share * share * (3 - 2 * share); }

static bool emit_light(const zp_program *program, const zr_effect_look *look, const zg_plane *m, zo_draw_list *list,
                       bool *drawn) {
    const zp_emitter *emitter = look->emitter;
    const double *rgba = &program->numbers[look->record->colours];
    const double strength = emitter->intensity * zb_clamp(rgba[3], 0, 1);
    double colour[3], center[2], most = 0;
    for (uint32_t c = 0; c < 3; c++) {
        colour[c] = zb_clamp(rgba[c] * strength, 0, 1);
        most = colour[c] > most ? colour[c] : most;
    }
    to_px(m, look->at[0], look->at[1], center);
    center[0] += m->x0;
    center[1] += m->y0;
    const double reach = emitter->radius * (fabs(m->xx) + fabs(m->xy) + fabs(m->yx) + fabs(m->yy));
    if (!(most > 0) || !is_near(center[0], center[1]) || !(reach < FAR)) { return true; }
    if (list->vertex_capacity - list->vertex_count < ZG_DISC_VERTICES) { return false; }
    if (list->index_capacity - list->index_count < ZG_DISC_INDICES) { return false; }
    const double inner = emitter->inner < emitter->radius ? emitter->inner : emitter->radius;
    const uint32_t middle = list->vertex_count;
    for (uint32_t ring = 0; ring <= DISC_RINGS; ring++) { // the first is the middle
        const double share = ring > 1 ? (double)(ring - 1) / (DISC_RINGS - 1) : 0, full = fall_off(share);
        const double radius = ring > 0 ? inner + (emitter->radius - inner) * share : 0;
        for (uint32_t k = 0; k < (ring > 0 ? DISC_CORNERS : 1u); k++) {
            double sine, cosine, at[2];
            zb_sincos_degrees(360.0 * k / DISC_CORNERS, &sine, &cosine);
            to_px(m, radius * cosine, radius * sine, at);
            list->vertices[list->vertex_count++] = (zo_vertex){
                .x = (float)(center[0] + at[0]), .y = (float)(center[1] + at[1]), .r = (float)(colour[0] * full),
                .g = (float)(colour[1] * full), .b = (float)(colour[2] * full), .a = (float)(most * full)};
        }
    }
    for (uint32_t k = 0; k < DISC_CORNERS; k++) {
        const uint32_t next = (k + 1) % DISC_CORNERS;
        put_triangle(list, middle, middle + 1 + k, middle + 1 + next);
        for (uint32_t ring = 1; ring < DISC_RINGS; ring++) {
            const uint32_t in = middle + 1 + (ring - 1) * DISC_CORNERS, out = in + DISC_CORNERS;
            put_triangle(list, in + k, out + k, out + next);
            put_triangle(list, in + k, out + next, in + next);
        }
    }
    *drawn = true;
    return true;
}
_Static_assert(ZG_DISC_VERTICES == 1 + DISC_RINGS * DISC_CORNERS &&
               ZG_DISC_INDICES == 3 * DISC_CORNERS + 6 * (DISC_RINGS - 1) * DISC_CORNERS, "as many as there are");

// ---------------------------------------------------------------------------------------------------- all of them

static bool emit_trail(const zo_instance *instance, const zr_effect_look *look, const zg_plane *m, const zo_view *view,
                       zo_draw_list *list, zo_command *command, bool *drawn) {
    zg_quad whole;
    double side[2];
    command->image = find_tile(instance->program, view, look->record->cel_ref, 1, 1, 0, &whole, command->region, side);
    return zg_ribbon_emit(instance, look, m, command->image ? side : NULL, view->filter != ZO_FILTER_NEAREST, list,
                          drawn);
}

bool zg_others_draw(const zo_instance *instance, const zg_plane *m, const zo_view *view, zo_draw_list *list) {
    zr_effect_look look;
    for (uint32_t i = 0; zr_effect_look_at(instance, i, &look); i++) {
        if (look.record->kind == ZP_EFFECT_PARTICLES) { continue; }
        if (list->command_count == list->command_capacity) { return false; }
        zo_command command = command_of(look.record, view);
        command.first_index = list->index_count;
        bool drawn = false, fits;
        switch ((zp_effect_kind)look.record->kind) {
        case ZP_EFFECT_LIGHT: fits = emit_light(instance->program, &look, m, list, &drawn); break;
        case ZP_EFFECT_TRAIL: fits = emit_trail(instance, &look, m, view, list, &command, &drawn); break;
        default: fits = emit_decal(instance->program, &look, m, view, list, &command, &drawn); break;
        }
        if (!fits) { return false; }
        command.index_count = list->index_count - command.first_index;
        if (drawn) { list->commands[list->command_count++] = command; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- how much

zo_draw_bound zg_effects_bounds(const zp_program *program, uint32_t effects, uint32_t particles, uint32_t points) {
    bool has[ZP_EFFECT_KIND_COUNT] = {false}, has_frames = false;
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EFFECTS); i++) {
        const zp_effect *effect = &program->effects[i];
        if (effect->emitter_ref == 0) { continue; }
        const zp_emitter *emitter = &program->emitters[effect->emitter_ref - 1];
        has[effect->kind] = true;
        has_frames |= emitter->columns * emitter->rows > 1 || emitter->cel_count > 1;
    }
    zo_draw_bound bound = {0};
    if (has[ZP_EFFECT_PARTICLES]) {
        bound.vertices += particles * ZG_QUAD_VERTICES;
        bound.indices += particles * ZG_QUAD_INDICES;
        bound.commands += has_frames ? particles : effects;
    }
    if (has[ZP_EFFECT_TRAIL]) {
        bound.vertices += points * ZG_RIB_VERTICES + effects * (ZG_RIB_VERTICES + 2 * ZG_CAP_VERTICES);
        bound.indices += points * ZG_RIB_INDICES + effects * (ZG_RIB_INDICES + 2 * ZG_CAP_INDICES);
    }
    if (has[ZP_EFFECT_LIGHT]) {
        bound.vertices += effects * ZG_DISC_VERTICES;
        bound.indices += effects * ZG_DISC_INDICES;
    }
    if (has[ZP_EFFECT_DECAL]) {
        bound.vertices += effects * ZG_QUAD_VERTICES;
        bound.indices += effects * ZG_QUAD_INDICES;
    }
    if (has[ZP_EFFECT_TRAIL] || has[ZP_EFFECT_LIGHT] || has[ZP_EFFECT_DECAL]) { bound.commands += effects; }
    return bound;
}
