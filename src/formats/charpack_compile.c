// A pack without faults to the program: one sprite, a cel for each texture, a clip for each label, a state for each
// node. Called by charpack.c. The models of the graph differ in settings of the machine alone.
#include <math.h>

#include "formats/charpack.h"

typedef struct model {
    uint32_t act, window, otherwise, flags, reentry;
    bool ends_early; // a clip that holds is complete when its last frame is reached, with one frame never
} model;

enum { WALKS = ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT };
static const model models[] = {
    [ZO_MODEL_CONTRACT] = {ZP_ACT_NOW, ZP_WINDOW_OPEN_CLOSED, WALKS, ZP_MACHINE_KEEPS_ROUTE,
                           ZP_REENTRY_CONTINUE_OR_AGAIN, false},
    [ZO_MODEL_RENDERER] = {ZP_ACT_NOW, ZP_WINDOW_OPEN_CLOSED, WALKS | ZP_OTHERWISE_STEP, ZP_MACHINE_DEAD_END_ENTERS,
                           ZP_REENTRY_CONTINUE_SAME_CLIP, true},
    [ZO_MODEL_STATE_MACHINE] = {ZP_ACT_NOW, ZP_WINDOW_OPEN_CLOSED, WALKS | ZP_OTHERWISE_STEP,
                                ZP_MACHINE_DEAD_END_ENTERS, ZP_REENTRY_RESTART, false},
    [ZO_MODEL_SIMULATOR] = {ZP_ACT_AT_COMPLETION, ZP_WINDOW_CLOSED_OPEN, ZP_OTHERWISE_STEP,
                            ZP_MACHINE_DEAD_END_ENTERS, ZP_REENTRY_RESTART, false},
};

typedef struct compiler {
    const zf_cp_pack *pack;
    zp_build *build;
    const model *model;
    uint32_t *plays;    // [clips]: WORDS of each one's play
    double *cels;       // [frames]: what a frame shows, cel + 1
    double largest[2];  // width and height that a texture has, px
} compiler;

static zp_name name_of(const compiler *c, zo_text text) { return zp_build_name(c->build, text); }

static const model *model_of(const zo_compile_def *def) {
    const zo_model by_profile = def->profile == ZO_PROFILE_ORIGINAL ? ZO_MODEL_RENDERER : ZO_MODEL_CONTRACT;
    return &models[(uint32_t)def->model - 1 < ZO_MODEL_SIMULATOR ? def->model : by_profile];
}

static zp_span span_of(const zj_doc *doc, uint32_t node) {
    const zj_node *at = zj_at(doc, node);
    return (zp_span){at->begin, at->end - at->begin};
}

// ------------------------------------------------------------------------------------------------------------ pictures

static uint32_t get_32(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// As far as its beginning says; else both stay 0.
static void size_of(const zo_source *file, uint32_t size[2]) {
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    size[0] = size[1] = 0;
    if (file == NULL || file->bytes == NULL || file->size < 28 || memcmp(file->bytes, identifier, 12) != 0) {
        return;
    }
    const uint8_t *sides = (const uint8_t *)file->bytes + 20;
    const uint32_t width = get_32(sides), height = get_32(sides + 4);
    if (width >= 1 && width <= 65535 && height >= 1 && height <= 65535) {
        size[0] = width;
        size[1] = height;
    }
}

// Characters stand: the middle of a picture's lower edge is at the origin.
static void build_textures(compiler *c) {
    const zf_cp_texture *textures = (const zf_cp_texture *)(const void *)c->pack->textures.items;
    for (uint32_t t = 0; t < c->pack->textures.count; t++) {
        uint32_t size[2];
        size_of(textures[t].source, size);
        for (uint32_t i = 0; i < 2; i++) {
            c->largest[i] = size[i] > c->largest[i] ? size[i] : c->largest[i];
        }
        const zp_name name = name_of(c, textures[t].name);
        const uint32_t image = zp_build_image(c->build, &(zp_image){.name = name, .width = size[0], .height = size[1]});
        zp_build_cel(c->build, &(zp_cel){.name = name, .image_ref = image + 1, .anchor = {0.5, 1.0}, .scale = 1.0},
                     (zp_span){0, 0});
    }
    const uint32_t *frames = (const uint32_t *)(const void *)c->pack->frames.items;
    for (uint32_t f = 0; f < c->pack->frames.count; f++) {
        c->cels[f] = (double)frames[f] + 1.0;
    }
}

static void build_body(const compiler *c) {
    const zp_name body = name_of(c, ZB_TEXT("body"));
    const uint32_t layer = zp_build_layer(c->build, &(zp_layer){.name = body});
    const uint32_t channel = zp_build_channel(c->build, &(zp_channel){
        .name = name_of(c, ZB_TEXT("frame")), .layer = layer, .is_index = 1, .own_rest = 1, .low = -(double)INFINITY,
        .high = (double)INFINITY});
    const uint32_t target = zp_build_target(c->build, &(zp_target){.name = body});
    zp_build_sprite(c->build, &(zp_sprite){.name = body, .target = target, .channel_ref = channel + 1});
}

static void build_stage(const compiler *c) {
    enum { UNKNOWN = 256 }; // px, where no texture says how large it is
    const zf_cp_mouth *mouth = &c->pack->mouth;
    double size[2];
    for (uint32_t i = 0; i < 2; i++) {
        size[i] = mouth->has_canvas ? mouth->canvas[i] : c->largest[i] > 0.0 ? c->largest[i] : UNKNOWN;
    }
    zp_build_stage(c->build, -0.5 * size[0], -size[1], 0.5 * size[0], 0.0);
}

// --------------------------------------------------------------------------------------------------------------- clips

// Under its own label, or under another name. Returns the clip's number.
static uint32_t build_clip(const compiler *c, uint32_t index, zo_text called) {
    const zf_cp_clip *clip = &c->pack->clips[index];
    const int64_t step_ns = clip->interval_ms * 1000000, all_ns = step_ns * clip->frame_count;
    const bool early = clip->once && c->model->ends_early;
    const zp_name name = name_of(c, called);
    const zp_clip record = {
        .name = name, .label = name, .kind = name_of(c, clip->phase), .time_unit = ZP_TIME_SECONDS,
        .duration_ns = all_ns, .duration_ns_min = all_ns, .duration_ns_max = all_ns,
        .complete_ns = !early ? all_ns : clip->frame_count > 1 ? all_ns - step_ns : -1,
        .repeat = clip->once ? ZP_REPEAT_HOLD : ZP_REPEAT_LOOP};
    zp_build_clip_begin(c->build, &record, span_of(c->pack->input->doc, clip->node));
    zp_build_curve(c->build, &(zp_curve_def){
        .placement = ZP_PLACE_STEP_NS, .interpolation = ZP_INTERPOLATE_HOLD, .arithmetic = ZP_ARITHMETIC_INDEX,
        .width = 1, .key_count = clip->frame_count, .values = c->cels + clip->first_frame, .step_ns = step_ns});
    return zp_build_clip_end(c->build);
}

static void build_clips(const compiler *c) {
    const zf_cp_speech *speech = &c->pack->speech;
    for (uint32_t i = 0; i < c->pack->clip_count; i++) {
        const uint32_t made = build_clip(c, i, c->pack->clips[i].label);
        const uint32_t play = zp_build_play(c->build, &(zp_play){.clip = made, .flags = ZP_PLAY_LATER});
        c->plays[i] = zp_build_words(c->build, (const uint32_t[]){play + 1}, 1);
    }
    zb_intern made = zb_intern_open(c->pack->arena);
    for (uint32_t i = 0; i < speech->clip_count; i++) {
        const zo_text called = speech->clips[i].name;
        const uint32_t clip_ref = zb_intern_find(&c->pack->clip_names, speech->clips[i].label);
        const uint32_t known = zb_intern_count(&made);
        if (clip_ref != 0 && zb_intern_find(&c->pack->clip_names, called) == 0 && zb_intern_id(&made, called) > known) {
            build_clip(c, clip_ref - 1, called);
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- graph

static void build_graph(const compiler *c) {
    const zf_cp_graph *graph = &c->pack->graph;
    zp_build_machine(c->build, &(zp_machine){
        .name = name_of(c, ZB_TEXT("graph")), .routing = ZP_ROUTING_FIRST_HOP, .act = c->model->act,
        .commit = ZP_COMMIT_AT_ONCE, .window = c->model->window, .otherwise = c->model->otherwise,
        .flags = c->model->flags, .start = graph->root});
    zp_state state = {.play_count = 1, .on_complete = ZP_ON_COMPLETE_PICK, .reentry = c->model->reentry};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const zf_cp_node *node = &graph->nodes[i];
        const uint32_t clip = zb_intern_find(&c->pack->clip_names, node->label) - 1;
        state.name = name_of(c, node->id);
        state.group = name_of(c, node->label);
        state.first_play = c->plays[clip];
        zp_build_state(c->build, &state);
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const zf_cp_edge *edge = &graph->edges[i];
        zp_build_edge(c->build, &(zp_edge){.from_ref = edge->from + 1, .to = edge->to,
                                           .when = edge->weight > 0.0 ? ZP_WHEN_COMPLETE : ZP_WHEN_REQUEST,
                                           .weight = edge->weight});
    }
    zf_cp_build_speech(c->pack, c->build, &state, c->plays);
}

void zf_cp_compile(const zf_cp_pack *pack, zp_build *build) {
    compiler c = {.pack = pack, .build = build, .model = model_of(pack->input->def)};
    c.plays = zb_arena_take_array(pack->arena, pack->clip_count, sizeof *c.plays);
    c.cels = zb_arena_take_array(pack->arena, pack->frames.count, sizeof *c.cels);
    if (zb_arena_failed(pack->arena)) {
        return;
    }
    zp_build_format(build, ZB_TEXT("character-pack"), (uint32_t)pack->input->def->profile);
    build_textures(&c);
    build_body(&c);
    build_stage(&c);
    build_clips(&c);
    build_graph(&c);
}
