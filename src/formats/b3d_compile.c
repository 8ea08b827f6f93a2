// A B3D model to records of a program: a target a node, a clip of all keys whose time is the number of the frame, and
// meshes that bones move. Called by the reader of lone models and by readers of whatever names a model.
#include "formats/b3d.h"

#include <math.h>

#include "formats/beside.h"

enum { POSITION_SLOTS = 3, ROTATION_SLOTS = 4, SCALE_SLOTS = 3, PARTS = 3 };

// The parts of a key in the order of a target's slots.
static const struct { uint32_t part, slot, width; const char *names[ROTATION_SLOTS], *unit; } parts[PARTS] = {
    {ZF_B3_POSITION, ZP_TRS3_POSITION, POSITION_SLOTS, {" x", " y", " z", NULL}, "units"},
    {ZF_B3_ROTATION, ZP_TRS3_ROTATION, ROTATION_SLOTS, {" qx", " qy", " qz", " qw"}, "ratio"},
    {ZF_B3_SCALE, ZP_TRS3_SCALE, SCALE_SLOTS, {" scaleX", " scaleY", " scaleZ", NULL}, "ratio"},
};

typedef struct compiler {
    const zf_b3_model *model;
    const zf_b3_build_def *def;
    zp_build *build;
    zb_arena *arena;
    uint32_t *channel_refs; // [node][PARTS]: the first of the part's + 1; 0: it is always at rest
    uint32_t first_target, layer;
} compiler;

static const zf_b3_key *keys_of(const compiler *c, const zf_b3_node *node) { return c->model->keys + node->first_key; }

static zp_name name_of(const compiler *c, const char *kind, zo_text name, const char *property) {
    zb_buffer out = zb_buffer_open(c->arena);
    zb_put_text(&out, c->def->scope);
    zb_put(&out, kind);
    zb_put_text(&out, name);
    zb_put(&out, property);
    return zp_build_name(c->build, (zo_text){out.data, out.size});
}

// A part's figures in the order of the slots, where w comes last.
static void put_part(uint32_t part, const float position[3], const float scale[3], const float rotation[4],
                     double *out) {
    const float *from = part == ZF_B3_POSITION ? position : part == ZF_B3_SCALE ? scale : rotation + 1;
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = (double)from[i];
    }
    if (part == ZF_B3_ROTATION) {
        out[3] = (double)rotation[0];
    }
}

static void rest_part(const zf_b3_node *node, uint32_t part, double *out) {
    put_part(part, node->position, node->scale, node->rotation, out);
}

static void key_part(const zf_b3_key *key, uint32_t part, double *out) {
    put_part(part, key->position, key->scale, key->rotation, out);
}

// ------------------------------------------------------------------------------------------------ channels and targets

// In exact frames a key says all of where its node is, and what it leaves out is at identity. Else parts are apart, and
// one that no key has stays at rest.
static bool is_moved(const compiler *c, const zf_b3_node *node, uint32_t part) {
    for (uint32_t i = 0; i < node->key_count; i++) {
        const zf_b3_key *key = &keys_of(c, node)[i];
        if (c->def->exact_frames ? key->frame >= 1 : (key->parts & part) != 0) {
            return true;
        }
    }
    return false;
}

static void build_channels(compiler *c) {
    const double infinity = zb_double_of(0x7FF0000000000000ULL);
    bool any = false;
    for (uint32_t n = 0; n < c->model->node_count; n++) {
        const zf_b3_node *node = &c->model->nodes[n];
        for (uint32_t p = 0; p < PARTS; p++) {
            double rest[ROTATION_SLOTS] = {0};
            rest_part(node, parts[p].part, rest);
            if (!is_moved(c, node, parts[p].part)) {
                continue;
            }
            if (!any) {
                c->layer = zp_build_layer(c->build, &(zp_layer){.name = name_of(c, "", ZB_TEXT("pose"), "")});
                any = true;
            }
            for (uint32_t i = 0; i < parts[p].width; i++) {
                const zp_channel channel = {.name = name_of(c, "node/", node->name, parts[p].names[i]),
                                            .unit = zp_build_name(c->build, zb_text(parts[p].unit)),
                                            .layer = c->layer, .rest = rest[i], .low = -infinity,
                                            .high = infinity};
                const uint32_t index = zp_build_channel(c->build, &channel);
                if (i == 0) {
                    c->channel_refs[n * PARTS + p] = index + 1;
                }
            }
        }
    }
}

static void build_targets(compiler *c) {
    for (uint32_t n = 0; n < c->model->node_count; n++) {
        const zf_b3_node *node = &c->model->nodes[n];
        zp_target target = {.name = name_of(c, "node/", node->name, ""), .compose = ZP_COMPOSE_TRS3,
                            .parent_ref = node->parent_ref != 0 ? c->first_target + node->parent_ref : 0};
        for (uint32_t p = 0; p < PARTS; p++) {
            const uint32_t ref = c->channel_refs[n * PARTS + p];
            rest_part(node, parts[p].part, target.constant + parts[p].slot);
            for (uint32_t i = 0; ref != 0 && i < parts[p].width; i++) {
                target.slot_refs[parts[p].slot + i] = ref + i;
            }
        }
        const uint32_t index = zp_build_target(c->build, &target);
        c->first_target = n == 0 ? index : c->first_target;
    }
}

// -------------------------------------------------------------------------------------------------------------- curves

typedef struct curve {
    double *times, *values;
    zp_interval *intervals;
    uint32_t count, width;
} curve;

static bool open_curve(const compiler *c, const zf_b3_node *node, uint32_t width, curve *out) {
    const size_t most = 3 * (size_t)node->key_count + 1; // a key, and how it is before and after
    *out = (curve){.times = zb_arena_take_array(c->arena, most, sizeof *out->times),
                   .values = zb_arena_take_array(c->arena, most * width, sizeof *out->values),
                   .intervals = zb_arena_take_array(c->arena, most, sizeof *out->intervals), .width = width};
    return out->times != NULL && out->values != NULL && out->intervals != NULL;
}

static double *add_key(curve *to, double frame, zp_interpolation onwards) {
    to->times[to->count] = frame;
    to->intervals[to->count].interpolation = (uint32_t)onwards;
    return to->values + (size_t)to->width * to->count++;
}

static zp_interpolation blend_of(uint32_t part) {
    return part == ZF_B3_ROTATION ? ZP_INTERPOLATE_SLERP : ZP_INTERPOLATE_LERP;
}

// Between frames of which both have a key it is blended, with one it is that key, and where there is none the node is
// at rest; frames before the first are as that. Source: Forge 1.12, B3DLoader, of the local transform at a time.
static void exact_curve(const zf_b3_node *node, const zf_b3_key *keys, uint32_t part, curve *out) {
    int64_t before = 0;
    for (uint32_t i = 0; i < node->key_count; i++) {
        const int64_t frame = keys[i].frame, gap = frame - before;
        if (frame < 1) {
            continue;
        }
        if (out->count > 0) {
            out->intervals[out->count - 1].interpolation = (uint32_t)(gap == 1 ? blend_of(part) : ZP_INTERPOLATE_HOLD);
        }
        if (out->count > 0 && gap > 2) {
            rest_part(node, part, add_key(out, (double)(before + 1), ZP_INTERPOLATE_HOLD));
        }
        if (gap > 1) {
            rest_part(node, part, add_key(out, (double)(frame - 1), ZP_INTERPOLATE_HOLD_NEXT));
        }
        key_part(&keys[i], part, add_key(out, (double)frame, ZP_INTERPOLATE_HOLD));
        before = frame;
    }
    rest_part(node, part, add_key(out, (double)(before + 1), ZP_INTERPOLATE_HOLD));
}

static void sparse_curve(const zf_b3_node *node, const zf_b3_key *keys, uint32_t part, curve *out) {
    for (uint32_t i = 0; i < node->key_count; i++) {
        if ((keys[i].parts & part) != 0) {
            key_part(&keys[i], part, add_key(out, (double)keys[i].frame, blend_of(part)));
        }
    }
}

static void build_curves(const compiler *c) {
    for (uint32_t n = 0; n < c->model->node_count; n++) {
        const zf_b3_node *node = &c->model->nodes[n];
        for (uint32_t p = 0; p < PARTS; p++) {
            const uint32_t ref = c->channel_refs[n * PARTS + p], part = parts[p].part;
            curve made;
            if (ref == 0 || !open_curve(c, node, parts[p].width, &made)) {
                continue;
            }
            if (c->def->exact_frames) {
                exact_curve(node, keys_of(c, node), part, &made);
            } else {
                sparse_curve(node, keys_of(c, node), part, &made);
            }
            const zp_curve_def def = {
                .placement = ZP_PLACE_EXPLICIT, .arithmetic = ZP_ARITHMETIC_F64, .ends = ZP_ENDS_CLAMP,
                .interpolation = c->def->exact_frames ? ZP_INTERPOLATE_PER_INTERVAL : blend_of(part),
                .width = made.width, .first_channel = ref - 1, .key_count = made.count, .times = made.times,
                .intervals = c->def->exact_frames ? made.intervals : NULL, .values = made.values};
            zp_build_curve(c->build, &def);
        }
    }
}

static const double FPS_USUAL = 60.0, FPS_MIN = 1.0 / 3600.0, FPS_MAX = 1e6;

// By the first animation, which is that of the root where there is one.
static uint32_t build_clip(const compiler *c) {
    double fps = FPS_USUAL, frames = 1.0;
    bool known = false;
    for (uint32_t n = 0; n < c->model->node_count; n++) {
        const zf_b3_node *node = &c->model->nodes[n];
        if (node->animated && !known) {
            known = true;
            fps = (double)node->anim_fps >= FPS_MIN && (double)node->anim_fps <= FPS_MAX ? (double)node->anim_fps
                                                                                         : FPS_USUAL;
            frames = fmax(frames, node->anim_frames);
        }
        if (node->key_count > 0) {
            frames = fmax(frames, keys_of(c, node)[node->key_count - 1].frame);
        }
    }
    const int64_t frame_ns = (int64_t)(1e9 / fps), most = ZP_DURATION_NS_MAX / 1000; // so that it may be played slower
    const double wanted = frames * (double)frame_ns;
    const int64_t duration_ns = wanted < (double)most ? (int64_t)wanted : most;
    zp_build_clip_begin(c->build, &(zp_clip){
        .name = name_of(c, "", ZB_TEXT("main"), ""), .time_unit = ZP_TIME_FRAMES, .frame_ns = frame_ns,
        .duration_ns = duration_ns, .duration_ns_min = duration_ns > 1000 ? duration_ns / 1000 : 1,
        .duration_ns_max = duration_ns * 1000, .complete_ns = duration_ns, .repeat = ZP_REPEAT_HOLD,
        .delay_unit_ns = 1, .flags = ZP_CLIP_NO_ALTERNATE | ZP_CLIP_OPEN}, (zp_span){0, 0});
    build_curves(c);
    return zp_build_clip_end(c->build);
}

zf_b3_built zf_b3_build(const zf_b3_model *model, const zf_b3_build_def *def, zp_build *build, zb_arena *arena) {
    compiler c = {.model = model, .def = def, .build = build, .arena = arena,
                  .channel_refs = zb_arena_take_array(arena, (size_t)model->node_count * PARTS + 1, sizeof(uint32_t))};
    if (c.channel_refs == NULL) {
        return (zf_b3_built){0};
    }
    build_channels(&c);
    build_targets(&c);
    zf_b3_built built = {.first_target = c.first_target};
    zf_b3_build_meshes(model, def, c.first_target, build, arena, &built.box);
    built.clip = build_clip(&c);
    return built;
}

// ------------------------------------------------------------------------------------------------------ a model alone

static bool is_slash(char c) { return c == '/' || c == '\\'; }

// The file's name: exporters write whole paths of their machines.
static zo_text base_of(zo_text path) {
    size_t begin = path.size;
    while (begin > 0 && !is_slash(path.data[begin - 1])) {
        begin--;
    }
    return (zo_text){path.data + begin, path.size - begin};
}

// Beside the model, which need not lie beside the first source.
static zo_text path_of(const zf_input *input, const zo_source *source, zo_text name) {
    const zo_text model = zf_beside_name(input, source->name);
    zb_buffer path = zb_buffer_open(input->arena);
    zb_put_bytes(&path, model.data, model.size - base_of(model).size);
    zb_put_text(&path, name);
    return (zo_text){path.data, path.size};
}

// One that is named "#..." is for others to say.
void zf_b3_build_cels(const zf_input *input, const zo_source *source, const zf_b3_model *model, zp_build *build,
                      uint32_t *refs) {
    const zf_beside files = zf_beside_open(input);
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const zo_text name = base_of(model->textures[i].file);
        if (name.size == 0 || name.data[0] == '#') {
            continue;
        }
        const zo_text path = path_of(input, source, name);
        const bool supplied = zf_beside_is_supplied(input, name) || zf_beside_is_supplied(input, path);
        const zo_source *file = supplied ? NULL : zf_beside_find(&files, path);
        if (!supplied) {
            zf_beside_need(&files, path, ZO_NEED_STAT);
        }
        if (file != NULL && (file->kind == ZO_SOURCE_MISSING || file->outside_root)) {
            zd_report_add(input->report, ZD_B3D_TEXTURE, (zd_place){.file = input->file, .whole = true},
                          ZD_ARGS(zf_quote(input->arena, path)));
            continue;
        }
        const zp_image image = {.name = zp_build_name(build, path)};
        refs[i] = zp_build_cel(build, &(zp_cel){.name = zp_build_name(build, name), .scale = 1.0, .anchor = {0.5, 0.5},
                                                .image_ref = zp_build_image(build, &image) + 1},
                               (zp_span){0, 0}) + 1;
    }
}

// What brushes ask for and is not drawn, told once of each kind.
static void report_brushes(const zf_input *input, const zf_b3_model *model) {
    enum { MULTIPLIED = 2 };
    uint64_t layers = 0, multiplied = 0;
    for (uint32_t i = 0; i < model->brush_count; i++) {
        bool more = false;
        for (uint32_t k = 1; k < model->textures_a_brush; k++) {
            more = more || model->brushes[i].textures[k] != ZF_B3_NONE;
        }
        layers += more;
        multiplied += model->brushes[i].blend == MULTIPLIED;
    }
    const zd_place place = {.file = input->file, .whole = true};
    if (layers > 0) {
        zd_report_add(input->report, ZD_B3D_LAYERS, place, ZD_ARGS(zd_int((int64_t)layers)));
    }
    if (multiplied > 0) {
        zd_report_add(input->report, ZD_B3D_MULTIPLIED, place, ZD_ARGS(zd_int((int64_t)multiplied)));
    }
}

// What is to be seen, with some room for what moves.
static void build_stage(const zf_b3_box *box, zp_build *build) {
    const double *low = box->low, usual[2] = {1.0, 1.0}, *high = box->any ? box->high : usual;
    const double room = 0.25 * fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-3);
    zp_build_stage(build, low[0] - room, high[1] + room, high[0] + room, low[1] - room); // y up
}

void zf_b3_compile(const zf_input *input, const zf_b3_model *model, zp_build *build) {
    uint32_t *cel_refs = zb_arena_take_array(input->arena, (size_t)model->texture_count + 1, sizeof *cel_refs);
    if (cel_refs == NULL) {
        return;
    }
    const zf_b3_build_def def = {.exact_frames = input->def->b3d_keys == ZO_B3D_KEYS_FORGE, .scope = {"", 0},
                                 .cel_refs = cel_refs};
    zp_build_format(build, ZB_TEXT("b3d"), (uint32_t)input->def->profile);
    zf_b3_build_cels(input, &input->sources[0], model, build, cel_refs);
    report_brushes(input, model);
    const zf_b3_built built = zf_b3_build(model, &def, build, input->arena);
    zp_build_play(build, &(zp_play){.clip = built.clip});
    build_stage(&built.box, build);
}
