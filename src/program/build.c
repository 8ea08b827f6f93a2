// The builder behind build.h. Called by the readers. Records go into one growing array a section; what repeats is found
// by a hash table over the pools' blocks; curves of a clip wait until its end, when they are sorted and joined. Must
// not know what any record is for beyond what its layout says.
#include "program/build.h"

#include "base/intern.h"
#include "base/random.h"
#include "program/easing.h"

enum { WIDTH_MAX = 16, LAYERS_MAX = 32, SLOT_COUNT_FIRST = 256 };
static const uint64_t SIZE_LIMIT = 0x7FFFFFFF; // bytes of a blob

// A block of records that is in a pool.
typedef struct pooled {
    uint64_t hash;
    uint32_t section;
    uint32_t first, count;
} pooled;

// A curve that waits for its clip's end. Its pools but the values are made already.
typedef struct waiting_curve {
    zp_curve curve;
    const double *values; // [key_count * width], copies in the arena
    const double *scales;
    const zp_insert *inserts;
    zp_span source;
} waiting_curve;

typedef struct waiting_event {
    zp_event event;
    zp_span source;
} waiting_event;

struct zp_build {
    zb_arena *arena;
    uint64_t size;         // of the blob so far, padding between sections included
    bool too_large;        // or too many of something: sticks like a failed arena
    bool clip_open;
    zp_clip clip;          // the open one
    zp_span clip_source;
    zb_array sections[ZP_SECTION_COUNT]; // EASINGS: control points only; NAMES: none
    zb_intern names;
    zb_array name_offsets; // zp_name, by interned id - 1
    uint32_t name_size;
    zb_array pool;         // pooled
    uint32_t *slots;       // of the hash table: pool index + 1
    uint32_t slot_count;
    zb_array waiting_curves;
    zb_array waiting_events;
    zb_array controls;     // zp_param
    zp_name format;
    uint32_t profile;
    uint32_t mix_group_count;
    double stage[4];
};

typedef struct control_points {
    double x1, y1, x2, y2;
} control_points;

zp_build *zp_build_open(zb_arena *arena) {
    zp_build *build = zb_arena_take_array(arena, 1, sizeof *build);
    if (!build) { return NULL; }
    build->arena = arena;
    build->size = sizeof(zp_header) + 8 * ZP_SECTION_COUNT + 1;
    for (uint32_t section = 0; section < ZP_SECTION_COUNT; ++section) {
        const uint32_t size = section == ZP_SECTION_EASINGS ? sizeof(control_points) : zp_record_size(section);
        build->sections[section] = zb_array_open(arena, size);
    }
    build->names = zb_intern_open(arena);
    build->name_offsets = zb_array_open(arena, sizeof(zp_name));
    build->name_size = 1;
    build->pool = zb_array_open(arena, sizeof(pooled));
    build->waiting_curves = zb_array_open(arena, sizeof(waiting_curve));
    build->waiting_events = zb_array_open(arena, sizeof(waiting_event));
    build->controls = zb_array_open(arena, sizeof(zp_param));
    return build;
}

static bool failed(const zp_build *build) { return !build || build->too_large || zb_arena_failed(build->arena); }

// Whether that many bytes more still fit into a blob; if not the builder has failed.
static bool claim(zp_build *build, uint64_t size) {
    if (failed(build)) { return false; }
    if (size > SIZE_LIMIT - build->size) {
        build->too_large = true;
        return false;
    }
    build->size += size;
    return true;
}

// Room for `count` new records; NULL after failure.
static void *append(zp_build *build, zp_section_id section, uint32_t count) {
    if (!claim(build, (uint64_t)count * zp_record_size(section))) { return NULL; }
    return zb_array_push_many(&build->sections[section], count);
}

static uint32_t count_of(const zp_build *build, zp_section_id section) { return build->sections[section].count; }

static void *item_at(const zp_build *build, zp_section_id section, uint32_t index) {
    const zb_array *array = &build->sections[section];
    ZO_ASSERT(index < array->count);
    return array->items + (size_t)index * array->item_size;
}

static uint32_t add(zp_build *build, zp_section_id section, const void *record) {
    void *item = append(build, section, 1);
    if (!item) { return 0; }
    memcpy(item, record, build->sections[section].item_size);
    return build->sections[section].count - 1;
}

static void add_source(zp_build *build, zp_section_id section, uint32_t record, zp_span source) {
    if (source.length == 0 || failed(build)) { return; }
    const zp_source_range range = {(uint32_t)section, record, source.offset, source.length};
    add(build, ZP_SECTION_SRCMAP, &range);
}

// ---------------------------------------------------------------------------------------------------- names and header

zp_name zp_build_name(zp_build *build, zo_text text) {
    const char *zero = text.size > 0 ? memchr(text.data, 0, text.size) : NULL;
    if (zero) { text.size = (size_t)(zero - text.data); }
    if (text.size == 0 || failed(build)) { return 0; }
    const uint32_t id = zb_intern_id(&build->names, text);
    if (id == 0) { return 0; }
    if (id > build->name_offsets.count) {
        if (!claim(build, (uint64_t)text.size + 1)) { return 0; }
        zp_name *offset = zb_array_push(&build->name_offsets);
        *offset = build->name_size;
        build->name_size += (uint32_t)text.size + 1;
    }
    if (failed(build)) { return 0; }
    return ((const zp_name *)(const void *)build->name_offsets.items)[id - 1];
}

void zp_build_format(zp_build *build, zo_text format, uint32_t profile) {
    if (failed(build)) { return; }
    build->format = zp_build_name(build, format);
    build->profile = profile;
}

void zp_build_stage(zp_build *build, double left, double top, double right, double bottom) {
    if (failed(build)) { return; }
    const double stage[4] = {left, top, right, bottom};
    memcpy(build->stage, stage, sizeof stage);
}

// ---------------------------------------------------------------------------------------------------- pools

static pooled *pooled_at(const zp_build *build, uint32_t index) {
    return (pooled *)(void *)build->pool.items + index;
}

static bool widen_pool_table(zp_build *build) {
    const uint32_t slot_count = build->slot_count ? build->slot_count * 2 : SLOT_COUNT_FIRST;
    uint32_t *slots = zb_arena_take_array(build->arena, slot_count, sizeof *slots);
    if (!slots) { return false; }
    for (uint32_t index = 0; index < build->pool.count; ++index) {
        uint32_t slot = (uint32_t)pooled_at(build, index)->hash & (slot_count - 1);
        while (slots[slot] != 0) { slot = (slot + 1) & (slot_count - 1); }
        slots[slot] = index + 1;
    }
    build->slots = slots;
    build->slot_count = slot_count;
    return true;
}

// The index of these records in the section: where an equal block was stored whole before, else at its end.
static uint32_t pool(zp_build *build, zp_section_id section, const void *records, uint32_t count) {
    if (count == 0 || failed(build)) { return 0; }
    if (build->pool.count >= build->slot_count / 2 && !widen_pool_table(build)) { return 0; }
    const size_t size = (size_t)count * build->sections[section].item_size;
    const uint64_t hash = zb_hash_bytes(records, size, section);
    const uint32_t mask = build->slot_count - 1;
    uint32_t slot = (uint32_t)hash & mask;
    for (; build->slots[slot] != 0; slot = (slot + 1) & mask) {
        const pooled *old = pooled_at(build, build->slots[slot] - 1);
        if (old->hash == hash && old->section == (uint32_t)section && old->count == count &&
            memcmp(item_at(build, section, old->first), records, size) == 0) {
            return old->first;
        }
    }
    void *items = append(build, section, count);
    pooled *entry = zb_array_push(&build->pool);
    if (failed(build)) { return 0; }
    memcpy(items, records, size);
    *entry = (pooled){hash, (uint32_t)section, build->sections[section].count - count, count};
    build->slots[slot] = build->pool.count;
    return entry->first;
}

// INSTANTS: index 0 means none, so the first of them is never anyone's.
static uint32_t pool_instants(zp_build *build, const int64_t *instants, uint32_t count) {
    if (failed(build)) { return 0; }
    if (count_of(build, ZP_SECTION_INSTANTS) == 0) { append(build, ZP_SECTION_INSTANTS, 1); }
    return pool(build, ZP_SECTION_INSTANTS, instants, count);
}

// The last interval is never used: it is stored as nothing, so that curves which differ only there share the rest.
static uint32_t pool_intervals(zp_build *build, const zp_interval *intervals, uint32_t count) {
    zp_interval *copy = zb_arena_take_array(build->arena, count, sizeof *copy);
    if (!copy) { return 0; }
    memcpy(copy, intervals, (count - 1) * sizeof *copy);
    return pool(build, ZP_SECTION_INTERVALS, copy, count);
}

uint32_t zp_build_numbers(zp_build *build, const double *numbers, uint32_t count) {
    return pool(build, ZP_SECTION_NUMBERS, numbers, count);
}

uint32_t zp_build_easing(zp_build *build, double x1, double y1, double x2, double y2) {
    const control_points points = {x1 + 0.0, y1 + 0.0, x2 + 0.0, y2 + 0.0}; // -0 becomes 0
    return pool(build, ZP_SECTION_EASINGS, &points, 1);
}

// ---------------------------------------------------------------------------------------------------- plain records

uint32_t zp_build_layer(zp_build *build, const zp_layer *layer) {
    if (!failed(build) && count_of(build, ZP_SECTION_LAYERS) == LAYERS_MAX) { build->too_large = true; }
    return add(build, ZP_SECTION_LAYERS, layer);
}

uint32_t zp_build_channel(zp_build *build, const zp_channel *channel) {
    return add(build, ZP_SECTION_CHANNELS, channel);
}

uint32_t zp_build_target(zp_build *build, const zp_target *target) { return add(build, ZP_SECTION_TARGETS, target); }
uint32_t zp_build_image(zp_build *build, const zp_image *image) { return pool(build, ZP_SECTION_IMAGES, image, 1); }
uint32_t zp_build_sprite(zp_build *build, const zp_sprite *sprite) { return add(build, ZP_SECTION_SPRITES, sprite); }

uint32_t zp_build_play(zp_build *build, const zp_play *play) {
    return play->flags & ZP_PLAY_LATER ? pool(build, ZP_SECTION_PLAYS, play, 1) : add(build, ZP_SECTION_PLAYS, play);
}

uint32_t zp_build_words(zp_build *build, const uint32_t *words, uint32_t count) {
    return pool(build, ZP_SECTION_WORDS, words, count);
}

void zp_build_fallbacks(zp_build *build, uint32_t cel, const uint32_t *cels, uint32_t count) {
    const uint32_t first = zp_build_words(build, cels, count);
    if (failed(build)) { return; }
    zp_cel *record = item_at(build, ZP_SECTION_CELS, cel);
    record->first_fallback = first;
    record->fallback_count = count;
}

uint32_t zp_build_effect(zp_build *build, const zp_effect *effect) { return add(build, ZP_SECTION_EFFECTS, effect); }

uint32_t zp_build_minmax(zp_build *build, const zp_minmax *minmax) {
    return pool(build, ZP_SECTION_MINMAXES, minmax, 1);
}
uint32_t zp_build_gradient(zp_build *build, const zp_gradient *gradient) {
    return pool(build, ZP_SECTION_GRADIENTS, gradient, 1);
}
uint32_t zp_build_bursts(zp_build *build, const zp_burst *bursts, uint32_t count) {
    return pool(build, ZP_SECTION_BURSTS, bursts, count);
}
uint32_t zp_build_emitter(zp_build *build, const zp_emitter *emitter) {
    return add(build, ZP_SECTION_EMITTERS, emitter);
}

uint32_t zp_build_shapes(zp_build *build, const zp_shape *shapes, uint32_t count) {
    return pool(build, ZP_SECTION_SHAPES, shapes, count);
}

uint32_t zp_build_cel(zp_build *build, const zp_cel *cel, zp_span source) {
    const uint32_t index = add(build, ZP_SECTION_CELS, cel);
    add_source(build, ZP_SECTION_CELS, index, source);
    return index;
}

uint32_t zp_build_mix_group(zp_build *build) { return failed(build) ? 0 : build->mix_group_count++; }

// ---------------------------------------------------------------------------------------------------- what decides

static void *newest(const zp_build *build, zp_section_id section) {
    return item_at(build, section, count_of(build, section) - 1);
}

uint32_t zp_build_machine(zp_build *build, const zp_machine *machine) {
    if (failed(build)) { return 0; }
    zp_machine own = *machine;
    own.first_state = count_of(build, ZP_SECTION_STATES);
    own.first_edge = count_of(build, ZP_SECTION_EDGES);
    own.state_count = own.edge_count = 0;
    return add(build, ZP_SECTION_MACHINES, &own);
}

uint32_t zp_build_state(zp_build *build, const zp_state *state) {
    const uint32_t index = add(build, ZP_SECTION_STATES, state);
    if (!failed(build)) { ((zp_machine *)newest(build, ZP_SECTION_MACHINES))->state_count++; }
    return index;
}

uint32_t zp_build_edge(zp_build *build, const zp_edge *edge) {
    const uint32_t index = add(build, ZP_SECTION_EDGES, edge);
    if (!failed(build)) { ((zp_machine *)newest(build, ZP_SECTION_MACHINES))->edge_count++; }
    return index;
}

uint32_t zp_build_director(zp_build *build, const zp_director *director) {
    if (failed(build)) { return 0; }
    zp_director own = *director;
    own.first_slot = count_of(build, ZP_SECTION_SLOTS);
    own.first_signal = count_of(build, ZP_SECTION_SIGNALS);
    own.slot_count = own.signal_count = 0;
    return add(build, ZP_SECTION_DIRECTORS, &own);
}

uint32_t zp_build_slot(zp_build *build, const zp_slot *slot) {
    const uint32_t index = add(build, ZP_SECTION_SLOTS, slot);
    if (!failed(build)) { ((zp_director *)newest(build, ZP_SECTION_DIRECTORS))->slot_count++; }
    return index;
}

uint32_t zp_build_signal(zp_build *build, const zp_signal *signal) {
    const uint32_t index = add(build, ZP_SECTION_SIGNALS, signal);
    if (!failed(build)) { ((zp_director *)newest(build, ZP_SECTION_DIRECTORS))->signal_count++; }
    return index;
}

uint32_t zp_build_overlay(zp_build *build, const zp_overlay *overlay) {
    return add(build, ZP_SECTION_OVERLAYS, overlay);
}
uint32_t zp_build_speech(zp_build *build, const zp_speech *speech) { return add(build, ZP_SECTION_SPEECHES, speech); }
uint32_t zp_build_voice(zp_build *build, const zp_voice *voice) { return add(build, ZP_SECTION_VOICES, voice); }
uint32_t zp_build_intent(zp_build *build, const zp_intent *intent) { return add(build, ZP_SECTION_INTENTS, intent); }
uint32_t zp_build_alias(zp_build *build, const zp_alias *alias) { return add(build, ZP_SECTION_ALIASES, alias); }

// ---------------------------------------------------------------------------------------------------- meshes

uint32_t zp_build_mesh(zp_build *build, const zp_mesh *mesh) {
    if (failed(build)) { return 0; }
    zp_mesh own = *mesh;
    own.first_part = count_of(build, ZP_SECTION_PARTS);
    own.first_vertex = count_of(build, ZP_SECTION_VERTICES);
    own.first_triangle = count_of(build, ZP_SECTION_TRIANGLES);
    own.first_binding = count_of(build, ZP_SECTION_UV_BINDINGS);
    own.part_count = own.vertex_count = own.triangle_count = own.binding_count = 0;
    memset(own.low, 0, sizeof own.low);
    memset(own.high, 0, sizeof own.high);
    return add(build, ZP_SECTION_MESHES, &own);
}

uint32_t zp_build_part(zp_build *build, const zp_part *part) {
    if (failed(build)) { return 0; }
    zp_part own = *part;
    own.first_vertex = count_of(build, ZP_SECTION_VERTICES);
    own.first_triangle = count_of(build, ZP_SECTION_TRIANGLES);
    own.vertex_count = own.triangle_count = 0;
    const uint32_t index = add(build, ZP_SECTION_PARTS, &own);
    if (!failed(build)) { ((zp_mesh *)newest(build, ZP_SECTION_MESHES))->part_count++; }
    return index;
}

uint32_t zp_build_vertex(zp_build *build, const zp_vertex *vertex) {
    add(build, ZP_SECTION_VERTICES, vertex);
    if (failed(build)) { return 0; }
    ((zp_part *)newest(build, ZP_SECTION_PARTS))->vertex_count++;
    zp_mesh *mesh = newest(build, ZP_SECTION_MESHES);
    for (uint32_t c = 0; c < 3; ++c) {
        const double at = (double)vertex->position[c];
        if (mesh->vertex_count == 0 || at < mesh->low[c]) { mesh->low[c] = at; }
        if (mesh->vertex_count == 0 || at > mesh->high[c]) { mesh->high[c] = at; }
    }
    return mesh->vertex_count++;
}

void zp_build_triangle(zp_build *build, uint32_t first, uint32_t second, uint32_t third) {
    const zp_triangle triangle = {{first, second, third}};
    add(build, ZP_SECTION_TRIANGLES, &triangle);
    if (failed(build)) { return; }
    ((zp_mesh *)newest(build, ZP_SECTION_MESHES))->triangle_count++;
    ((zp_part *)newest(build, ZP_SECTION_PARTS))->triangle_count++;
}

void zp_build_uv_binding(zp_build *build, const zp_uv_binding *binding) {
    add(build, ZP_SECTION_UV_BINDINGS, binding);
    if (!failed(build)) { ((zp_mesh *)newest(build, ZP_SECTION_MESHES))->binding_count++; }
}

uint32_t zp_build_bone(zp_build *build, const zp_bone *bone) { return pool(build, ZP_SECTION_BONES, bone, 1); }

uint32_t zp_build_weights(zp_build *build, const zp_weight *weights, uint32_t count) {
    return pool(build, ZP_SECTION_WEIGHTS, weights, count);
}

// ---------------------------------------------------------------------------------------------------- expressions

uint32_t zp_build_control(zp_build *build, const zp_param *control) {
    if (failed(build)) { return 0; }
    zp_param *own = zb_array_push(&build->controls);
    if (!own) { return 0; }
    *own = *control;
    own->clip = ZP_NO_CLIP;
    return build->controls.count - 1;
}

static const void *first_of(const zp_build *build, zp_section_id section) { return build->sections[section].items; }

uint32_t zp_build_expr(zp_build *build, const zp_expr *expr, const zp_op *ops, uint32_t op_count) {
    if (failed(build)) { return 0; }
    zp_expr_size size;
    if (zp_expr_measure(ops, op_count, first_of(build, ZP_SECTION_EXPRS), count_of(build, ZP_SECTION_EXPRS), &size)) {
        return 0;
    }
    zp_expr own = *expr;
    own.first_op = count_of(build, ZP_SECTION_OPS);
    own.op_count = op_count;
    own.stack = size.stack;
    own.cost = size.cost;
    void *items = append(build, ZP_SECTION_OPS, op_count);
    if (!items) { return 0; }
    memcpy(items, ops, op_count * sizeof *ops);
    const uint32_t index = add(build, ZP_SECTION_EXPRS, &own);
    return failed(build) ? 0 : index + 1;
}

uint32_t zp_build_node(zp_build *build, const zp_node *node) {
    if (failed(build)) { return 0; }
    ZO_ASSERT(node->a_ref <= count_of(build, ZP_SECTION_NODES) && node->b_ref <= count_of(build, ZP_SECTION_NODES));
    ZO_ASSERT(node->expr_ref <= count_of(build, ZP_SECTION_EXPRS));
    zp_node own = *node;
    zp_node_measure(&own, first_of(build, ZP_SECTION_NODES), first_of(build, ZP_SECTION_EXPRS));
    if (own.depth > ZP_NODE_DEPTH_MAX || own.height > ZP_NODE_HEIGHT_MAX || own.cost > ZP_EXPR_COST_MAX) { return 0; }
    const uint32_t index = add(build, ZP_SECTION_NODES, &own);
    return failed(build) ? 0 : index + 1;
}

// ---------------------------------------------------------------------------------------------------- clips

void zp_build_clip_begin(zp_build *build, const zp_clip *clip, zp_span source) {
    if (failed(build)) { return; }
    ZO_ASSERT(!build->clip_open);
    build->clip_open = true;
    build->clip = *clip;
    build->clip.first_curve = count_of(build, ZP_SECTION_CURVES);
    build->clip.first_event = count_of(build, ZP_SECTION_EVENTS);
    build->clip.first_param = count_of(build, ZP_SECTION_PARAMS);
    build->clip.layer_mask = 0;
    build->clip_source = source;
    build->waiting_curves.count = 0;
    build->waiting_events.count = 0;
}

uint32_t zp_build_param(zp_build *build, const zp_param *param, zp_span source) {
    if (failed(build)) { return 0; }
    ZO_ASSERT(build->clip_open);
    zp_param own = *param;
    own.clip = count_of(build, ZP_SECTION_CLIPS);
    const uint32_t index = add(build, ZP_SECTION_PARAMS, &own);
    add_source(build, ZP_SECTION_PARAMS, index, source);
    return failed(build) ? 0 : index - build->clip.first_param;
}

void zp_build_event(zp_build *build, const zp_event *event, zp_span source) {
    if (failed(build)) { return; }
    ZO_ASSERT(build->clip_open);
    waiting_event *waiting = zb_array_push(&build->waiting_events);
    *waiting = (waiting_event){*event, source};
    waiting->event.first_argument = count_of(build, ZP_SECTION_ARGUMENTS);
    waiting->event.argument_count = 0;
}

void zp_build_argument(zp_build *build, const zp_argument *argument) {
    if (failed(build)) { return; }
    ZO_ASSERT(build->clip_open);
    ZO_ASSERT(build->waiting_events.count > 0);
    waiting_event *events = (waiting_event *)(void *)build->waiting_events.items;
    events[build->waiting_events.count - 1].event.argument_count++;
    add(build, ZP_SECTION_ARGUMENTS, argument);
}

static void *copy_of(zp_build *build, const void *items, uint64_t size) {
    if (!items || failed(build)) { return NULL; }
    void *copy = zb_arena_take(build->arena, (size_t)size);
    if (copy) { memcpy(copy, items, (size_t)size); }
    return copy;
}

void zp_build_curve(zp_build *build, const zp_curve_def *def) {
    if (failed(build)) { return; }
    ZO_ASSERT(build->clip_open);
    ZO_ASSERT(def->key_count > 0);
    ZO_ASSERT(def->width > 0 && def->width <= WIDTH_MAX);
    ZO_ASSERT(def->values || def->inserts);
    ZO_ASSERT(!(def->scales && def->inserts)); // inserts hold their own scales
    const uint64_t value_count = (uint64_t)def->key_count * def->width;
    if (value_count > SIZE_LIMIT / sizeof(zp_insert)) {
        build->too_large = true;
        return;
    }
    waiting_curve waiting = {
        .curve =
            {
                .placement = (uint8_t)def->placement,
                .interpolation = (uint8_t)def->interpolation,
                .arithmetic = (uint8_t)def->arithmetic,
                .ends = (uint8_t)def->ends,
                .finish = (uint8_t)def->finish,
                .width = (uint8_t)def->width,
                .flags = (uint8_t)((def->scales ? ZP_CURVE_SCALED : 0) | (def->inserts ? ZP_CURVE_INSERTED : 0)),
                .first_channel = def->first_channel,
                .key_count = def->key_count,
                .param = def->scales || def->inserts ? def->param : 0,
            },
        .values = def->inserts ? NULL : copy_of(build, def->values, value_count * sizeof(double)),
        .scales = copy_of(build, def->scales, value_count * sizeof(double)),
        .inserts = copy_of(build, def->inserts, value_count * sizeof(zp_insert)),
        .source = def->source,
    };
    zp_curve *curve = &waiting.curve;
    if (def->placement == ZP_PLACE_EXPLICIT) {
        ZO_ASSERT(def->times);
        curve->times = pool(build, ZP_SECTION_NUMBERS, def->times, def->key_count);
        if (def->instants) { curve->instants = pool_instants(build, def->instants, def->key_count); }
    }
    if (def->placement == ZP_PLACE_STEP_NS) { curve->step_ref = pool_instants(build, &def->step_ns, 1) + 1; }
    if (zp_curve_has_intervals(curve)) {
        ZO_ASSERT(def->intervals);
        curve->intervals = pool_intervals(build, def->intervals, def->key_count);
    }
    if (failed(build)) { return; }
    *(waiting_curve *)zb_array_push(&build->waiting_curves) = waiting;
}

// ---------------------------------------------------------------------------------------------------- sorting

// Stable merge sort, from the bottom up; scratch in the arena. `before`: b must come before a.
typedef bool (*before_fn)(const void *b, const void *a);

static void sort_stable(zp_build *build, zb_array *array, before_fn before) {
    const size_t size = array->item_size, count = array->count;
    uint8_t *from = array->items;
    uint8_t *to = count > 1 && !failed(build) ? zb_arena_take(build->arena, count * size) : NULL;
    if (!to) { return; }
    for (size_t length = 1; length < count; length *= 2) {
        for (size_t start = 0; start < count; start += 2 * length) {
            const size_t middle = start + length < count ? start + length : count;
            const size_t end = middle + length < count ? middle + length : count;
            size_t left = start, right = middle;
            for (size_t place = start; place < end; ++place) {
                const bool take_right =
                    right < end && (left == middle || before(from + right * size, from + left * size));
                const size_t taken = take_right ? right++ : left++;
                memcpy(to + place * size, from + taken * size, size);
            }
        }
        uint8_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != array->items) { memcpy(array->items, from, count * size); }
}

static bool curve_before(const void *b, const void *a) {
    const zp_curve *left = &((const waiting_curve *)a)->curve, *right = &((const waiting_curve *)b)->curve;
    if (right->times != left->times) { return right->times < left->times; }
    if (right->intervals != left->intervals) { return right->intervals < left->intervals; }
    return right->first_channel < left->first_channel;
}

static bool event_before(const void *b, const void *a) {
    return ((const waiting_event *)b)->event.at < ((const waiting_event *)a)->event.at;
}

static bool source_before(const void *b, const void *a) {
    const zp_source_range *left = a, *right = b;
    if (right->section != left->section) { return right->section < left->section; }
    if (right->record != left->record) { return right->record < left->record; }
    return right->offset < left->offset;
}

// ---------------------------------------------------------------------------------------------------- the clip's end

static bool has_hermite(const zp_build *build, const zp_curve *curve) {
    if (curve->interpolation != ZP_INTERPOLATE_PER_INTERVAL) { return curve->interpolation == ZP_INTERPOLATE_HERMITE; }
    const zp_interval *intervals = item_at(build, ZP_SECTION_INTERVALS, curve->intervals);
    for (uint32_t key = 0; key + 1 < curve->key_count; ++key) {
        if (intervals[key].interpolation == ZP_INTERPOLATE_HERMITE) { return true; }
    }
    return false;
}

// Whether b goes on where a ends, on the next channel, and differs from it in its values alone. Tangents belong to
// values, so Hermite curves stay single.
static bool continues(const zp_build *build, const waiting_curve *a, const waiting_curve *b) {
    const zp_curve *left = &a->curve, *right = &b->curve;
    if (left->width != 1 || right->width != 1 || right->first_channel != left->first_channel + 1) { return false; }
    const zp_channel *left_channel = item_at(build, ZP_SECTION_CHANNELS, left->first_channel);
    const zp_channel *right_channel = item_at(build, ZP_SECTION_CHANNELS, right->first_channel);
    if (left_channel->layer != right_channel->layer) { return false; }
    zp_curve moved = *right;
    moved.first_channel = left->first_channel;
    return memcmp(&moved, left, sizeof moved) == 0 && !has_hermite(build, left);
}

// Columns of `count` curves side by side: row a key. `column` tells which array of a waiting curve.
static uint32_t pool_rows(zp_build *build, zp_section_id section, const waiting_curve *curves, uint32_t count,
                          size_t column) {
    const uint32_t key_count = curves->curve.key_count;
    const uint32_t row_count = curves->curve.width * count; // count > 1 only when the width is 1
    const size_t size = build->sections[section].item_size;
    const uint8_t *single;
    memcpy(&single, (const uint8_t *)curves + column, sizeof single);
    if (count == 1) { return pool(build, section, single, key_count * row_count); }
    uint8_t *rows = zb_arena_take_array(build->arena, (size_t)key_count * count, size);
    if (!rows) { return 0; }
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(&single, (const uint8_t *)&curves[i] + column, sizeof single);
        for (uint32_t key = 0; key < key_count; ++key) {
            memcpy(rows + ((size_t)key * count + i) * size, single + key * size, size);
        }
    }
    return pool(build, section, rows, key_count * row_count);
}

static void add_curves(zp_build *build, const waiting_curve *curves, uint32_t count) {
    zp_curve curve = curves->curve;
    if (count > 1) { curve.width = (uint8_t)count; }
    for (uint32_t value = 0; value < curve.width; ++value) {
        const zp_channel *channel = item_at(build, ZP_SECTION_CHANNELS, curve.first_channel + value);
        ZO_ASSERT(channel->layer < LAYERS_MAX);
        build->clip.layer_mask |= 1u << channel->layer;
    }
    if (curves->values) {
        curve.values = pool_rows(build, ZP_SECTION_NUMBERS, curves, count, offsetof(waiting_curve, values));
    }
    if (curves->scales) {
        curve.scales = pool_rows(build, ZP_SECTION_NUMBERS, curves, count, offsetof(waiting_curve, scales));
    }
    if (curves->inserts) {
        curve.inserts = pool_rows(build, ZP_SECTION_INSERTS, curves, count, offsetof(waiting_curve, inserts));
    }
    const uint32_t index = add(build, ZP_SECTION_CURVES, &curve);
    for (uint32_t i = 0; i < count; ++i) { add_source(build, ZP_SECTION_CURVES, index, curves[i].source); }
}

static void add_waiting_curves(zp_build *build) {
    sort_stable(build, &build->waiting_curves, curve_before);
    const waiting_curve *curves = (const waiting_curve *)(void *)build->waiting_curves.items;
    const uint32_t count = build->waiting_curves.count;
    for (uint32_t first = 0, next; first < count && !failed(build); first = next) {
        next = first + 1;
        while (next < count && next - first < WIDTH_MAX && continues(build, &curves[next - 1], &curves[next])) {
            next++;
        }
        add_curves(build, &curves[first], next - first);
    }
}

static void add_waiting_events(zp_build *build) {
    sort_stable(build, &build->waiting_events, event_before);
    const waiting_event *events = (const waiting_event *)(void *)build->waiting_events.items;
    for (uint32_t i = 0; i < build->waiting_events.count && !failed(build); ++i) {
        const uint32_t index = add(build, ZP_SECTION_EVENTS, &events[i].event);
        add_source(build, ZP_SECTION_EVENTS, index, events[i].source);
    }
}

uint32_t zp_build_clip_end(zp_build *build) {
    if (failed(build)) { return 0; }
    ZO_ASSERT(build->clip_open);
    build->clip_open = false;
    add_waiting_curves(build);
    add_waiting_events(build);
    zp_clip *clip = &build->clip;
    clip->curve_count = count_of(build, ZP_SECTION_CURVES) - clip->first_curve;
    clip->event_count = count_of(build, ZP_SECTION_EVENTS) - clip->first_event;
    clip->param_count = count_of(build, ZP_SECTION_PARAMS) - clip->first_param;
    const uint32_t index = add(build, ZP_SECTION_CLIPS, clip);
    add_source(build, ZP_SECTION_CLIPS, index, build->clip_source);
    return index;
}

void zp_build_reduced(zp_build *build, uint32_t clip, uint32_t twin) {
    if (failed(build)) { return; }
    ZO_ASSERT(twin < count_of(build, ZP_SECTION_CLIPS));
    zp_clip *record = item_at(build, ZP_SECTION_CLIPS, clip);
    record->reduced_ref = twin + 1;
}

// ---------------------------------------------------------------------------------------------------- the blob

// The channels say which layer they are on; the layers' ranges follow from them.
static void fill_layers(zp_build *build) {
    for (uint32_t index = 0; index < count_of(build, ZP_SECTION_LAYERS); ++index) {
        zp_layer *layer = item_at(build, ZP_SECTION_LAYERS, index);
        layer->first_channel = layer->channel_count = 0;
    }
    for (uint32_t index = 0; index < count_of(build, ZP_SECTION_CHANNELS); ++index) {
        const zp_channel *channel = item_at(build, ZP_SECTION_CHANNELS, index);
        zp_layer *layer = item_at(build, ZP_SECTION_LAYERS, channel->layer);
        if (layer->channel_count == 0) { layer->first_channel = index; }
        ZO_ASSERT(layer->first_channel + layer->channel_count == index); // consecutive
        layer->channel_count++;
    }
}

static void write_names(const zp_build *build, uint8_t *to) {
    for (uint32_t id = 1; id <= build->name_offsets.count; ++id) {
        const zo_text text = zb_intern_text(&build->names, id);
        memcpy(to + ((const zp_name *)(const void *)build->name_offsets.items)[id - 1], text.data, text.size);
    }
}

static void write_easings(const zp_build *build, uint8_t *to) {
    zp_easing *easings = (zp_easing *)(void *)to;
    for (uint32_t index = 0; index < count_of(build, ZP_SECTION_EASINGS); ++index) {
        const control_points *points = item_at(build, ZP_SECTION_EASINGS, index);
        zp_easing_make(&easings[index], points->x1, points->y1, points->x2, points->y2);
    }
}

// Section after section, each rounded up to 8. The bytes are zero already.
static void write_sections(const zp_build *build, zp_header *header, uint8_t *blob) {
    for (uint32_t section = 0; section < ZP_SECTION_COUNT; ++section) {
        uint8_t *to = blob + header->sections[section].offset;
        const zb_array *array = &build->sections[section];
        if (section == ZP_SECTION_NAMES) {
            write_names(build, to);
        } else if (section == ZP_SECTION_EASINGS) {
            write_easings(build, to);
        } else if (array->count > 0) {
            memcpy(to, array->items, (size_t)array->count * array->item_size);
        }
    }
}

// Each state's edges follow each other, in the order in which they were given; those from any state stand before them.
static void sort_edges(zp_build *build, const zp_machine *machine) {
    if (machine->edge_count == 0) { return; }
    zp_edge *edges = item_at(build, ZP_SECTION_EDGES, machine->first_edge);
    zp_edge *given = zb_arena_take_array(build->arena, machine->edge_count, sizeof *given);
    if (!given) { return; }
    memcpy(given, edges, machine->edge_count * sizeof *given);
    uint32_t placed = 0;
    for (uint32_t i = 0; i < machine->edge_count; ++i) {
        if (given[i].from_ref == 0) {
            edges[placed++] = given[i];
        } else {
            ((zp_state *)item_at(build, ZP_SECTION_STATES, given[i].from_ref - 1))->edge_count++;
        }
    }
    for (uint32_t i = 0; i < machine->state_count; ++i) {
        zp_state *state = item_at(build, ZP_SECTION_STATES, machine->first_state + i);
        state->first_edge = machine->first_edge + placed;
        placed += state->edge_count;
        state->edge_count = 0; // and counted again as they are placed
    }
    for (uint32_t i = 0; i < machine->edge_count; ++i) {
        if (given[i].from_ref == 0) { continue; }
        zp_state *state = item_at(build, ZP_SECTION_STATES, given[i].from_ref - 1);
        edges[state->first_edge + state->edge_count++ - machine->first_edge] = given[i];
    }
}

static void fill_states(zp_build *build) {
    for (uint32_t i = 0; i < count_of(build, ZP_SECTION_STATES); ++i) {
        zp_state *state = item_at(build, ZP_SECTION_STATES, i);
        state->first_edge = state->edge_count = 0;
    }
    for (uint32_t i = 0; i < count_of(build, ZP_SECTION_MACHINES); ++i) {
        sort_edges(build, item_at(build, ZP_SECTION_MACHINES, i));
    }
}

// Behind the parameters of the clips, of which all are there now.
static void place_controls(zp_build *build) {
    const uint32_t first = count_of(build, ZP_SECTION_PARAMS);
    const zp_param *controls = (const zp_param *)(const void *)build->controls.items;
    for (uint32_t i = 0; i < build->controls.count; ++i) { add(build, ZP_SECTION_PARAMS, &controls[i]); }
    for (uint32_t i = 0; i < count_of(build, ZP_SECTION_OPS); ++i) {
        zp_op *op = item_at(build, ZP_SECTION_OPS, i);
        if (op->code == ZP_OP_CONTROL) { op->argument += first; }
    }
    for (uint32_t i = 0; i < count_of(build, ZP_SECTION_UV_BINDINGS); ++i) {
        ((zp_uv_binding *)item_at(build, ZP_SECTION_UV_BINDINGS, i))->param += first;
    }
}

static uint32_t clip_depth(const zp_build *build) {
    uint32_t depth = 0, blends = 0;
    for (uint32_t i = 0; i < count_of(build, ZP_SECTION_NODES); ++i) {
        const zp_node *node = item_at(build, ZP_SECTION_NODES, i);
        if (node->depth > depth) { depth = node->depth; }
    }
    for (uint32_t i = 0; i < count_of(build, ZP_SECTION_EDGES); ++i) {
        const zp_edge *edge = item_at(build, ZP_SECTION_EDGES, i);
        blends |= edge->blend_ns > 0;
    }
    return depth + blends;
}

zp_program *zp_build_finish(zp_build *build, const zo_allocator *allocator) {
    if (failed(build)) { return NULL; }
    ZO_ASSERT(!build->clip_open);
    fill_layers(build);
    fill_states(build);
    place_controls(build);
    sort_stable(build, &build->sections[ZP_SECTION_SRCMAP], source_before);
    if (failed(build)) { return NULL; }

    zp_header header = {
        .magic = ZP_MAGIC,
        .version = ZP_VERSION,
        .header_size = sizeof header,
        .format = build->format,
        .profile = build->profile,
        .mix_group_count = build->mix_group_count,
        .clip_depth_max = clip_depth(build),
    };
    memcpy(header.stage, build->stage, sizeof header.stage);
    uint64_t size = sizeof header;
    for (uint32_t section = 0; section < ZP_SECTION_COUNT; ++section) {
        const uint32_t count = section == ZP_SECTION_NAMES ? build->name_size : count_of(build, section);
        header.sections[section] = (zp_section){(uint32_t)size, count};
        size = (size + (uint64_t)count * zp_record_size(section) + 7) & ~(uint64_t)7;
    }
    ZO_ASSERT(size <= SIZE_LIMIT); // claimed piece by piece
    header.size = size;

    void *blob;
    zp_program *program = zp_program_new((size_t)size, allocator, &blob);
    if (!program) { return NULL; }
    memset(blob, 0, (size_t)size);
    memcpy(blob, &header, sizeof header);
    write_sections(build, &header, blob);
    ((zp_header *)blob)->hash = zp_program_hash(blob);
    zp_program_view(program, blob, (size_t)size);
    return program;
}
