// What of Forge's files is drawn: block models as meshes that joints move, with the pictures of their textures. Called
// by forge_compile.c. Which picture a texture is lies in the model; where pictures are is the caller's affair.
#include <math.h>

#include "formats/forge_block.h"
#include "formats/forge_scene.h"

static const double least_sum = 1e-5; // weights up to this move nothing, in the shipped dialect

// No coordinate or weight of a mesh is farther out.
static double within(double figure) { return fmax(-ZP_MESH_FAR, fmin(ZP_MESH_FAR, figure)); }


// Source: block models, uv that is not given: from where a side lies in its block.
static double place_uv(const zf_fg_element *e, uint32_t side, uint32_t component) {
    const double x1 = e->from[0], y1 = e->from[1], z1 = e->from[2], x2 = e->to[0], y2 = e->to[1], z2 = e->to[2];
    const double uv[ZF_FG_SIDE_COUNT][4] = {
        {x1, 16.0 - z2, x2, 16.0 - z1},               {x1, z1, x2, z2},
        {16.0 - x2, 16.0 - y2, 16.0 - x1, 16.0 - y1}, {x1, 16.0 - y2, x2, 16.0 - y1},
        {z1, 16.0 - y2, z2, 16.0 - y1},               {16.0 - z2, 16.0 - y2, 16.0 - z1, 16.0 - y1}};
    return uv[side][component];
}

// While nobody sets it, the place is the one that the side would have without uv.
static uint32_t control_ref(zf_fg_scene *s, zo_text name, double value) {
    const uint32_t known = zb_intern_count(&s->control_names), id = zb_intern_id(&s->control_names, name);
    if (id > known) {
        const double infinity = (double)INFINITY;
        *(uint32_t *)zb_array_push(&s->controls) = zp_build_control(
            s->build, &(zp_param){.name = zp_build_name(s->build, name), .value = value, .low = -infinity,
                                  .high = infinity});
    }
    return id > 0 ? ((const uint32_t *)(const void *)s->controls.items)[id - 1] + 1 : 0;
}

// ------------------------------------------------------------------------------------------------------------ textures

// The picture by the name of its file, or of the texture or the key that a host supplies; 0: a checker takes its place.
static uint32_t cel_ref(zf_fg_scene *s, const zf_fg_model *model, const zf_fg_face *face) {
    zo_text image = face->texture, tried = {NULL, 0};
    const bool named = image.size > 0, supplied = zf_beside_is_supplied(s->r->input, named ? image : face->slot);
    if (named && !supplied) {
        bool missing = false;
        const zf_fg_lookup what = {.name = image, .folder = "textures", .ending = ".png", .kind = ZO_NEED_STAT};
        const zo_source *source = zf_fg_find(s->r, &what, &missing, &tried);
        image = source != NULL ? zf_beside_name(s->r->input, source->name) : image;
        if (missing && !zf_beside_is_supplied(s->r->input, face->slot)) {
            const uint32_t node = s->node != 0 ? s->node : model->inherited ? model->parent_node : face->node;
            zf_fg_tell(s->r, node, ZD_FORGE_UNRESOLVED_TEXTURE, ZD_ARGS(zf_fg_quoted(s->r, face->texture)));
            return 0;
        }
    } else if (!named && !supplied) {
        return 0; // which has been told
    }
    const zp_name name = zp_build_name(s->build, image.size > 0 ? image : face->slot);
    // Texels of blocks have edges, as people who paint them mean it.
    const zp_cel cel = {.name = zp_build_name(s->build, face->slot), .scale = 1.0, .anchor = {0.5, 0.5},
                        .flags = ZP_CEL_PIXELS,
                        .image_ref = zp_build_image(s->build, &(zp_image){.name = name}) + 1};
    return zp_build_cel(s->build, &cel, (zp_span){0, 0}) + 1;
}

typedef struct textures {
    zb_intern names;  // texture + 1, by key and by what it is
    zb_array items;   // zf_block_texture
} textures;

static uint32_t texture_of(zf_fg_scene *s, textures *t, const zf_fg_model *model, const zf_fg_face *face) {
    zb_buffer key = zb_buffer_open(s->r->arena);
    zb_put_text(&key, face->slot);
    zb_put_char(&key, '\n');
    zb_put_text(&key, face->texture);
    const uint32_t known = zb_intern_count(&t->names);
    const uint32_t id = zb_intern_id(&t->names, (zo_text){zb_buffer_text(&key), key.size});
    if (id > known) {
        *(zf_block_texture *)zb_array_push(&t->items) =
            (zf_block_texture){.name = face->slot, .cel_ref = cel_ref(s, model, face), .surface = ZP_SURFACE_CUT};
    }
    return id > 0 ? id - 1 : 0;
}

// ------------------------------------------------------------------------------------------------------------ elements

static void fill_face(zf_fg_scene *s, textures *t, const zf_fg_model *model, const zf_fg_element *from, uint32_t side,
                      zf_block_face *to) {
    const zf_fg_face *face = &from->faces[side];
    *to = (zf_block_face){.drawn = face->node != 0, .turns = face->rotation};
    if (!to->drawn) {
        return;
    }
    to->texture = texture_of(s, t, model, face);
    for (uint32_t i = 0; i < 4; i++) {
        const bool controlled = face->uv_controls[i].size > 0;
        to->uv_given[i] = !isnan(face->uv[i]);
        to->uv[i] = to->uv_given[i] ? within(face->uv[i]) : 0.0;
        to->uv_control_refs[i] = controlled ? control_ref(s, face->uv_controls[i], place_uv(from, side, i)) : 0;
    }
}

// By element the joints that it hangs on: all weights of the rig, sorted by counting.
typedef struct hangers {
    uint32_t *first;          // [elements + 1]
    zf_block_weight *weights;
} hangers;

void zf_fg_tell_beyond(const zf_fg_reading *r, const zf_fg_model *model, const zf_fg_rig *rig,
                       const zf_fg_weight *weight) {
    if (weight->element < model->element_count || rig->doc != r->doc || model->doc == NULL) {
        return;
    }
    const uint32_t added = zf_fg_advise_key(r, weight->node, ZD_FORGE_BAD_ELEMENT_INDEX,
                                            ZD_ARGS(zf_fg_quoted(r, zj_key(rig->doc, weight->node))));
    if (added != 0) {
        zd_report_hint(rig->doc->report, added, "the model has {} of them, counted from 0",
                       ZD_ARGS(zd_int(model->element_count)));
    }
}

static hangers hang(zf_fg_scene *s, const zf_fg_model *model, const zf_fg_rig *rig) {
    const size_t count = (size_t)model->element_count + 2;
    size_t total = 0;
    hangers h = {.first = zb_arena_take_array(s->r->arena, count, sizeof *h.first)};
    for (uint32_t j = 0; rig != NULL && j < rig->joint_count; j++) {
        total += rig->joints[j].weight_count;
    }
    h.weights = zb_arena_take_array(s->r->arena, total + 1, sizeof *h.weights);
    if (h.first == NULL || h.weights == NULL || rig == NULL) {
        return h;
    }
    for (uint32_t pass = 0; pass < 2; pass++) { // counts one place up, then places
        for (uint32_t j = 0; j < rig->joint_count; j++) {
            const uint32_t bone = pass == 1 ? zp_build_bone(s->build, &(zp_bone){.target = s->targets[j]}) : 0;
            for (uint32_t w = 0; w < rig->joints[j].weight_count; w++) {
                const zf_fg_weight *weight = &rig->joints[j].weights[w];
                if (weight->element >= model->element_count) {
                    if (pass == 0) { zf_fg_tell_beyond(s->r, model, rig, weight); }
                    continue;
                }
                if (pass == 0) {
                    h.first[weight->element + 2]++;
                    continue;
                }
                zf_block_weight *own = &h.weights[h.first[weight->element + 1]++];
                own->bone = bone;
                for (uint32_t c = 0; c < ZF_BLOCK_CORNERS; c++) {
                    own->corners[c] = (float)within(weight->weights[c]);
                }
            }
        }
        for (uint32_t e = 0; pass == 0 && e < model->element_count; e++) {
            h.first[e + 2] += h.first[e + 1];
        }
    }
    return h;
}

static zo_text name_of_element(const zf_fg_scene *s, uint32_t index) {
    zb_buffer name = zb_buffer_open(s->r->arena);
    zb_put_text(&name, s->scope);
    zb_put(&name, s->scope.size > 0 ? "/" : "");
    zb_put_uint(&name, index);
    return (zo_text){zb_buffer_text(&name), name.size};
}

zf_fg_model zf_fg_box(zb_arena *arena) {
    zf_fg_element *element = zb_arena_take_array(arena, 1, sizeof *element);
    if (element == NULL) {
        return (zf_fg_model){.doc = NULL};
    }
    *element = (zf_fg_element){.to = {16.0, 16.0, 16.0}, .shade = true};
    for (uint32_t side = 0; side < ZF_FG_SIDE_COUNT; side++) {
        element->faces[side] = (zf_fg_face){
            .node = ZJ_ROOT, .uv = {(double)NAN, (double)NAN, (double)NAN, (double)NAN}, .tint = -1.0};
    }
    return (zf_fg_model){.elements = element, .element_count = 1};
}

void zf_fg_build_model(zf_fg_scene *s, const zf_fg_model *model, const zf_fg_rig *rig) {
    textures t = {.names = zb_intern_open(s->r->arena), .items = zb_array_open(s->r->arena, sizeof(zf_block_texture))};
    zf_block_element *elements = zb_arena_take_array(s->r->arena, (size_t)model->element_count + 1, sizeof *elements);
    const hangers h = hang(s, model, rig);
    for (uint32_t i = 0; i < model->element_count && !zb_arena_failed(s->r->arena); i++) {
        const zf_fg_element *from = &model->elements[i];
        zf_block_element *to = &elements[i];
        *to = (zf_block_element){.name = name_of_element(s, i), .axis = from->axis,
                                 .angle = from->rotated ? from->angle : 0.0, .rescale = from->rescale,
                                 .shaded = from->shade, .weights = &h.weights[h.first[i]],
                                 .weight_count = h.first[i + 1] - h.first[i]};
        memcpy(to->from, from->from, sizeof to->from);
        memcpy(to->to, from->to, sizeof to->to);
        for (uint32_t k = 0; k < 3; k++) {
            to->origin[k] = within(from->origin[k]);
        }
        for (uint32_t side = 0; side < ZF_FG_SIDE_COUNT; side++) {
            fill_face(s, &t, model, from, side, &to->faces[side]);
        }
    }
    if (zb_arena_failed(s->r->arena)) {
        return;
    }
    const bool draft = rig != NULL && zf_fg_is_draft(rig->kind);
    zf_block_build(s->build, s->r->arena, &(zf_block_model){
        .elements = elements, .element_count = model->element_count,
        .textures = (const zf_block_texture *)(const void *)t.items.items, .texture_count = t.items.count,
        .rule = draft ? ZP_SKIN_DISPLACE : ZP_SKIN_AVERAGE, .flags = draft ? 0 : ZP_MESH_REST_LEFT_OUT,
        .least = draft ? 0.0 : least_sum});
}
