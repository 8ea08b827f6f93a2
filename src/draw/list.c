// The draw list: each sprite of a program shows the cel that its index channel holds, on its target, through the view;
// particles lie over the sprites of their layer and order, each on the target of its effect; meshes (mesh.c) stand
// behind the sprites of layer 0 and order 0.
// Called by api. Reads program, pose and view; writes only the caller's arrays. Knows no pixels.
#include <math.h>

#include "base/maths.h"
#include "draw/draw.h"

typedef zg_plane flat; // two rows of an affine: depth does not matter to what is flat

static flat flat_of(const double m[12]) {
    return (flat){.xx = m[0], .xy = m[1], .x0 = m[3], .yx = m[4], .yy = m[5], .y0 = m[7]};
}

// a after b, for points of b's that have z = 0: a's third column sees b's third row.
static flat combine(const double a[12], const double b[12]) {
    return (flat){
        .xx = a[0] * b[0] + a[1] * b[4] + a[2] * b[8],
        .xy = a[0] * b[1] + a[1] * b[5] + a[2] * b[9],
        .x0 = a[0] * b[3] + a[1] * b[7] + a[2] * b[11] + a[3],
        .yx = a[4] * b[0] + a[5] * b[4] + a[6] * b[8],
        .yy = a[4] * b[1] + a[5] * b[5] + a[6] * b[9],
        .y0 = a[4] * b[3] + a[5] * b[7] + a[6] * b[11] + a[7],
    };
}

// The program's space on the viewport.
typedef struct lens {
    double scale;                // px a unit
    double down;                 // px below for a unit of y more: scale, or -scale where y points up
    double center_x, center_y;   // units; in the middle of the viewport
    double middle_x, middle_y;   // px
} lens;

static lens lens_of(const zp_program *program, const zo_view *view) {
    lens l = {.scale = view->pixels_per_unit, .center_x = view->center_x, .center_y = view->center_y,
              .middle_x = view->width / 2, .middle_y = view->height / 2};
    const double y_sign = zp_y_up(program) ? -1.0 : 1.0;
    l.down = l.scale * y_sign;
    if (view->pixels_per_unit != 0) { return l; }
    const double *stage = program->header->stage;
    const double width = stage[2] - stage[0], height = (stage[3] - stage[1]) * y_sign;
    l.center_x = (stage[0] + stage[2]) / 2;
    l.center_y = (stage[1] + stage[3]) / 2;
    // A stage without width, or without height, is fitted by its other side; a point is shown in its own size.
    l.scale = 1;
    if (width > 0) { l.scale = view->width / width; }
    if (height > 0 && !(width > 0 && l.scale < view->height / height)) { l.scale = view->height / height; }
    l.down = l.scale * y_sign;
    return l;
}

static flat through(const lens *l, flat m) {
    return (flat){
        .xx = m.xx * l->scale, .xy = m.xy * l->scale, .x0 = (m.x0 - l->center_x) * l->scale + l->middle_x,
        .yx = m.yx * l->down, .yy = m.yy * l->down, .y0 = (m.y0 - l->center_y) * l->down + l->middle_y,
    };
}

// The cel that a sprite shows, or NULL.
static const zp_cel *shown_cel(const zp_program *program, const zp_sprite *sprite, const zo_pose *pose) {
    const uint32_t cel_count = zp_count(program, ZP_SECTION_CELS);
    uint32_t ref = sprite->cel_ref;
    if (sprite->channel_ref != 0) {
        const double value = pose->slots[sprite->channel_ref - 1];
        ref = value >= 1 && value <= cel_count ? (uint32_t)value : 0; // not a number: none
    }
    return ref == 0 || ref > cel_count ? NULL : &program->cels[ref - 1];
}

uint32_t zg_picture_of(const zo_view *view, uint32_t cel_index) {
    if (cel_index >= view->cel_count) { return 0; }
    const uint32_t image = view->cel_images[cel_index];
    if (image == 0 || image > view->image_count) { return 0; }
    const zo_size size = view->image_sizes[image - 1];
    return size.width == 0 || size.height == 0 ? 0 : image;
}

// The cel's rectangle in the target's units: middle and half sides, and the same in the picture's px. false: no size.
static bool place_cel(const zp_cel *cel, const zp_sprite *sprite, zo_size size, double center[2], double half[2],
                      zg_quad *quad) {
    double region[4] = {0, 0, size.width, size.height};
    if (cel->region[2] > 0) { memcpy(region, cel->region, sizeof region); }
    if (!(region[2] > 0 && region[3] > 0)) { return false; }
    double fit = 1;
    if (cel->size_rule == ZP_SIZE_FIT_BOX) {
        const double fit_x = sprite->box[0] / region[2], fit_y = sprite->box[1] / region[3];
        fit = fit_x < fit_y ? fit_x : fit_y;
    }
    for (uint32_t c = 0; c < 2; c++) {
        const double side = region[2 + c] * fit * cel->scale;
        center[c] = sprite->origin[c] - cel->anchor[c] * side + side / 2;
        half[c] = side / 2;
        quad->picture_center[c] = region[c] + region[2 + c] / 2;
        quad->picture_half[c] = region[2 + c] / 2;
    }
    return true;
}

void zg_put_region(const zp_cel *cel, zo_size size, uint32_t region[4]) {
    if (!(cel->region[2] > 0)) { return; }
    const double limit[2] = {size.width, size.height};
    for (uint32_t c = 0; c < 2; c++) {
        const double low = zb_clamp(floor(cel->region[c]), 0, limit[c] - 1);
        const double high = zb_clamp(-floor(-(cel->region[c] + cel->region[2 + c])), low + 1, limit[c]);
        region[c] = (uint32_t)low;
        region[2 + c] = (uint32_t)(high - low);
    }
}

// The sprite's own colour, not premultiplied, within 0..1. false: it is white and full.
static bool colour_of(const zp_sprite *sprite, const zo_pose *pose, double colour[4]) {
    bool any = false;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t ref = sprite->colour_refs[i];
        colour[i] = ref != 0 ? zb_clamp(pose->slots[ref - 1], 0, 1) : 1.0;
        any = any || colour[i] != 1.0;
    }
    return any;
}

void zg_tint(zo_draw_list *list, uint32_t first, const double colour[4]) {
    for (zo_vertex *v = list->vertices + first; v < list->vertices + list->vertex_count; v++) {
        v->r = (float)((double)v->r * colour[0]);
        v->g = (float)((double)v->g * colour[1]);
        v->b = (float)((double)v->b * colour[2]);
    }
}

static int32_t order_of(const zp_sprite *sprite, const zo_pose *pose) {
    if (sprite->order_ref == 0) { return sprite->order; }
    const double order = pose->slots[sprite->order_ref - 1];
    return order > -2147483648.0 ? order < 2147483647.0 ? (int32_t)order : INT32_MAX : INT32_MIN;
}

// A sprite with its picture on the viewport.
typedef struct standing {
    const zp_sprite *sprite;
    const zp_cel *cel;
    zg_quad quad;
    double colour[4];
    bool tinted;
    zo_command command; // of its own picture
} standing;

// What lies over it, under a command of its own. false: no room for it.
static bool draw_overlay(const zo_instance *instance, const standing *body, const zo_view *view, zo_draw_list *list) {
    zg_overlay overlay;
    const double size[2] = {2 * body->quad.picture_half[0], 2 * body->quad.picture_half[1]};
    const uint32_t sprite = (uint32_t)(body->sprite - instance->program->sprites);
    if (!zg_overlay_find(instance, sprite, body->cel, size, view, &overlay) || !overlay.seen) { return true; }
    if (list->command_count == list->command_capacity) { return false; }
    const zp_cel *cel = &instance->program->cels[overlay.cel];
    zo_command command = body->command;
    command.image = overlay.image;
    command.first_index = list->index_count;
    command.filter = cel->flags & ZP_CEL_PIXELS ? ZO_FILTER_NEAREST : view->filter;
    memset(command.region, 0, sizeof command.region);
    zg_put_region(cel, view->image_sizes[overlay.image - 1], command.region);
    bool drawn;
    const uint32_t first_vertex = list->vertex_count;
    if (!zg_overlay_emit(&overlay, &body->quad, list, &drawn)) { return false; }
    if (body->tinted) { zg_tint(list, first_vertex, body->colour); }
    command.index_count = list->index_count - command.first_index;
    if (drawn) { list->commands[list->command_count++] = command; }
    return true;
}

// `instance`: whose pose it is; NULL: nothing lies over sprites. false: no room for it.
static bool draw_sprite(const zp_program *program, const zo_instance *instance, const zp_sprite *sprite,
                        const zo_pose *pose, const zo_view *view, const lens *l, zo_draw_list *list) {
    const zp_cel *cel = shown_cel(program, sprite, pose);
    const uint32_t image = cel ? zg_picture_of(view, (uint32_t)(cel - program->cels)) : 0;
    if (image == 0) { return true; }
    const zo_size size = view->image_sizes[image - 1];
    const zo_transform *transform = &pose->transforms[sprite->target];
    standing body = {.sprite = sprite, .cel = cel,
                  .quad = {.opacity = zb_clamp(transform->opacity, 0, 1),
                           .feathered = view->filter != ZO_FILTER_NEAREST}};
    zg_quad *quad = &body.quad;
    double center[2], half[2];
    if (!place_cel(cel, sprite, size, center, half, quad)) { return true; }
    body.tinted = colour_of(sprite, pose, body.colour);
    quad->opacity *= body.colour[3];

    const flat m = through(l, view->root ? combine(view->root, transform->m) : flat_of(transform->m));
    quad->center[0] = m.xx * center[0] + m.xy * center[1] + m.x0;
    quad->center[1] = m.yx * center[0] + m.yy * center[1] + m.y0;
    quad->a[0] = m.xx * half[0];
    quad->a[1] = m.yx * half[0];
    quad->b[0] = m.xy * half[1];
    quad->b[1] = m.yy * half[1];

    if (list->command_count == list->command_capacity) { return false; }
    zo_command *command = &body.command;
    *command = (zo_command){.image = image, .first_index = list->index_count, .blend = ZO_BLEND_OVER,
                            .filter = cel->flags & ZP_CEL_PIXELS ? ZO_FILTER_NEAREST : view->filter,
                            .layer = sprite->layer, .order = order_of(sprite, pose)};
    zg_put_region(cel, size, command->region);
    bool drawn;
    const uint32_t first_vertex = list->vertex_count;
    if (!zg_quad_emit(quad, list, &drawn)) { return false; }
    if (body.tinted) { zg_tint(list, first_vertex, body.colour); }
    command->index_count = list->index_count - command->first_index;
    if (!drawn) { return true; }
    list->commands[list->command_count++] = *command;
    return !instance || draw_overlay(instance, &body, view, list);
}

// Commands are made in the order of the sprites, which is that of the tree, and their indices rise with them: a total
// order, so the result is as of a stable sort.
static bool comes_before(const zo_command *x, const zo_command *y) {
    if (x->layer != y->layer) { return x->layer < y->layer; }
    if (x->order != y->order) { return x->order < y->order; }
    if (x->depth != y->depth) { return x->depth > y->depth; }
    return x->first_index < y->first_index;
}

static void sift_down(zo_command *commands, uint32_t root, uint32_t count) {
    const zo_command moved = commands[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && comes_before(&commands[child], &commands[child + 1])) { child++; }
        if (!comes_before(&moved, &commands[child])) { break; }
        commands[root] = commands[child];
        root = child;
    }
    commands[root] = moved;
}

// Heap sort: in place, and bounded for the largest of programs. Most are in order as they come.
static void sort_commands(zo_command *commands, uint32_t count) {
    bool sorted = true;
    for (uint32_t i = 1; i < count && sorted; i++) { sorted = comes_before(&commands[i - 1], &commands[i]); }
    if (sorted) { return; }
    for (uint32_t i = count / 2; i > 0; i--) { sift_down(commands, i - 1, count); }
    for (uint32_t last = count - 1; last > 0; last--) {
        const zo_command greatest = commands[0];
        commands[0] = commands[last];
        commands[last] = greatest;
        sift_down(commands, 0, last);
    }
}

static bool draw_sprites(const zp_program *program, const zo_instance *instance, const zo_pose *pose,
                         const zo_view *view, zo_draw_list *list) {
    list->vertex_count = list->index_count = list->command_count = 0;
    const lens l = lens_of(program, view);
    const uint32_t sprite_count = zp_count(program, ZP_SECTION_SPRITES);
    bool all = true;
    for (uint32_t s = 0; s < sprite_count; s++) {
        all &= draw_sprite(program, instance, &program->sprites[s], pose, view, &l, list);
    }
    return zg_meshes_draw(program, instance, pose, view, list) && all;
}

bool zg_pose_draw(const zp_program *program, const zo_pose *pose, const zo_view *view, zo_draw_list *list) {
    const bool all = draw_sprites(program, NULL, pose, view, list);
    sort_commands(list->commands, list->command_count);
    return all;
}

// ---------------------------------------------------------------------------------------------------- particles

// false: no room for it.
static bool draw_particle(const zp_program *program, const zr_particle *particle, const zo_pose *pose,
                          const zo_view *view, const lens *l, zo_draw_list *list, bool *drawn) {
    const zp_effect *effect = &program->effects[particle->effect];
    const zo_transform *transform = &pose->transforms[effect->target];
    const flat m = through(l, view->root ? combine(view->root, transform->m) : flat_of(transform->m));
    const double x = effect->origin[0] + particle->x, y = effect->origin[1] + particle->y;
    double sine, cosine;
    zb_sincos_degrees(particle->turn, &sine, &cosine);
    const zg_particle shown = {
        .shape = &program->shapes[particle->shape], .numbers = program->numbers,
        .width = particle->width, .height = particle->height,
        .center = {m.xx * x + m.xy * y + m.x0, m.yx * x + m.yy * y + m.y0},
        .a = {m.xx * cosine + m.xy * sine, m.yx * cosine + m.yy * sine},
        .b = {m.xy * cosine - m.xx * sine, m.yy * cosine - m.yx * sine},
        .colour = particle->colour,
        .opacity = zb_clamp(transform->opacity, 0, 1) * zb_clamp(particle->opacity, 0, 1),
        .feathered = view->filter != ZO_FILTER_NEAREST,
    };
    return zg_particle_emit(&shown, list, drawn);
}

static flat of_program(const lens *l, const zo_view *view) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    return through(l, flat_of(view->root ? view->root : identity));
}

static bool is_alike(const zo_command *x, const zo_command *y) {
    return x->image == y->image && x->blend == y->blend && x->layer == y->layer && x->order == y->order &&
           memcmp(x->region, y->region, sizeof x->region) == 0;
}

// Those that follow each other and want the same share a command.
static bool draw_particles(const zo_instance *instance, const zo_pose *pose, const zo_view *view, zo_draw_list *list) {
    const zp_program *program = instance->program;
    const lens l = lens_of(program, view);
    const flat m = of_program(&l, view);
    zo_command *command = NULL;
    zr_looked looked;
    zr_particle_walk walk = {.looked = &looked};
    zr_particle particle;
    while (zr_particle_next(instance, &walk, &particle)) {
        const zp_effect *effect = &program->effects[particle.effect];
        const uint32_t first = list->index_count, first_vertex = list->vertex_count;
        zo_command own = {.blend = ZO_BLEND_OVER, .filter = view->filter, .layer = effect->layer,
                          .order = effect->order};
        bool drawn;
        const bool fits = effect->emitter_ref != 0 ? zg_emitted_emit(program, &particle, &m, view, list, &own, &drawn)
                                                   : draw_particle(program, &particle, pose, view, &l, list, &drawn);
        if (!fits) { return false; }
        if (!drawn) { continue; }
        if (!command || !is_alike(command, &own)) {
            if (list->command_count == list->command_capacity) {
                list->index_count = first;
                list->vertex_count = first_vertex;
                return false;
            }
            command = &list->commands[list->command_count++];
            *command = own;
            command->first_index = first;
        }
        command->index_count = list->index_count - command->first_index;
    }
    return zg_others_draw(instance, &m, view, list);
}

bool zg_instance_draw(const zo_instance *instance, const zo_pose *pose, const zo_view *view, zo_draw_list *list) {
    bool all = draw_sprites(instance->program, instance, pose, view, list);
    all &= draw_particles(instance, pose, view, list);
    sort_commands(list->commands, list->command_count);
    return all;
}

static zo_draw_bound sum_of(zo_draw_bound a, zo_draw_bound b) {
    return (zo_draw_bound){.vertices = a.vertices + b.vertices, .indices = a.indices + b.indices,
                           .commands = a.commands + b.commands};
}

static zo_draw_bound fixed_bounds(const zp_program *program) {
    const uint32_t sprite_count = zp_count(program, ZP_SECTION_SPRITES); // a blob is below 2^31 bytes: no overflow
    uint32_t alive_max = 0, corners = 0; // each effect leaves no more alive than it says, so the largest says it all
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EFFECTS); i++) {
        alive_max = program->effects[i].alive_max > alive_max ? program->effects[i].alive_max : alive_max;
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_SHAPES); i++) {
        const uint32_t own = zg_shape_corners(&program->shapes[i]);
        corners = own > corners ? own : corners;
    }
    const uint32_t overlay_count = zp_count(program, ZP_SECTION_OVERLAYS); // at most one over each sprite at a time
    const uint32_t over = overlay_count < sprite_count ? overlay_count : sprite_count;
    return (zo_draw_bound){
        .vertices = sprite_count * ZG_QUAD_VERTICES + over * zg_particle_vertices(ZG_OUTLINE_MAX) +
                    alive_max * zg_particle_vertices(corners),
        .indices = sprite_count * ZG_QUAD_INDICES + over * zg_particle_indices(ZG_OUTLINE_MAX) +
                   alive_max * zg_particle_indices(corners),
        .commands = sprite_count + over + alive_max};
}

static zo_draw_bound bounds_of(const zp_program *program, uint32_t effects, uint32_t particles, uint32_t points) {
    zo_draw_bound bound = sum_of(fixed_bounds(program), zg_effects_bounds(program, effects, particles, points));
    bound = sum_of(bound, zg_meshes_bounds(program));
    bound.depths = zp_count(program, ZP_SECTION_MESHES) > 0 ? bound.vertices : 0;
    return bound;
}

zo_draw_bound zg_draw_bounds(const zp_program *program) {
    return bounds_of(program, ZR_EFFECT_CAPACITY_DEFAULT, ZR_PARTICLE_CAPACITY_DEFAULT, ZR_POINT_CAPACITY_DEFAULT);
}

zo_draw_bound zg_instance_bounds(const zo_instance *instance) {
    return bounds_of(instance->program, instance->effect_capacity, instance->particle_capacity,
                     instance->point_capacity);
}
