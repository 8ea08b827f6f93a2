// From valid definitions to the program: for each one a clip and its reduced-motion twin, and for all the four layers,
// the picture, and the stage that they move. Called by the readers of definitions, packs and pets. The two profiles end
// in different records here and nowhere later.
#include <math.h>

#include "formats/petween.h"

// One square of 160 units; everything turns and grows about one point of it. Source: petween, stage layout.
#define SQUARE 160.0
#define ORIGIN_X 80.0
#define ORIGIN_Y 144.0
#define MS_NS INT64_C(1000000)

typedef struct compiler {
    zb_arena *arena;
    const zf_pt_definition *definitions;
    uint32_t definition_count;
    zo_profile profile;
    zp_build *build;
    const zf_pt_stage *stage; // NULL: no pet's
    const zf_pt_definition *definition; // the one at hand, and of it:
    zf_pt_cuts cuts;
    const uint32_t *order;    // of events by time; NULL: as they stand
    const uint32_t *cel_refs; // what each event shows: cel + 1; 0: none named
    uint32_t effect_refs[ZF_PT_EFFECT_COUNT]; // effect + 1; 0: nobody starts it
} compiler;

static zp_span span_of(const compiler *c, uint32_t node) {
    if (node == 0 || c->stage != NULL) { // a pet's animations lie in several files
        return (zp_span){0, 0};
    }
    const zj_node *n = zj_at(c->definition->doc, node);
    return (zp_span){n->begin, n->end - n->begin};
}

// Rounded down to whole nanoseconds, after an allowance for what the multiplication may have lost.
static int64_t duration_ns(double ms) {
    const int64_t ns = (int64_t)floor(ms * 1e6 + 1.0 / 1024.0);
    return ns > 1 ? ns : 1;
}

// ------------------------------------------------------------------------------------------------- channels and stage

static zp_mix mix_of(const zf_pt_property *property) { return property->factor ? ZP_MIX_MULTIPLY : ZP_MIX_ADD; }

static void build_channels(const compiler *c, uint32_t first_cel_ref) {
    for (uint32_t layer = 0; layer < ZF_PT_LAYER_COUNT; layer++) {
        const zf_pt_layer_info *info = &zf_pt_layers[layer];
        zp_build_layer(c->build, &(zp_layer){.name = zp_build_name(c->build, zb_text(info->name)),
                                             .first_channel = info->first, .channel_count = info->count});
    }
    const zp_name picture = zp_build_name(c->build, ZB_TEXT("picture"));
    zp_build_layer(c->build, &(zp_layer){.name = picture, .first_channel = ZF_PT_PROPERTY_COUNT, .channel_count = 1});
    const bool limited = c->profile == ZO_PROFILE_ORIGINAL;
    const double infinity = zb_double_of(UINT64_C(0x7FF0000000000000));
    for (uint32_t i = 0; i < ZF_PT_PROPERTY_COUNT; i++) {
        const zf_pt_property *property = &zf_pt_property_info[i];
        zp_build_channel(c->build, &(zp_channel){
            .name = zp_build_name(c->build, zf_name_text(zf_pt_properties[i])),
            .unit = zp_build_name(c->build, zb_text(property->unit)), .layer = property->layer,
            .mix = mix_of(property), .rest = property->rest, .low = limited ? property->low : -infinity,
            .high = limited ? property->high : infinity});
    }
    zp_build_channel(c->build, &(zp_channel){
        .name = picture, .unit = picture, .layer = ZF_PT_LAYER_COUNT, .mix = ZP_MIX_REPLACE,
        .rest = (double)first_cel_ref, .low = -infinity, .high = infinity, .is_index = 1});
}

static uint32_t channel_ref(const char *layer, const char *member) { // 0: the layer has no such channel
    for (uint32_t i = 0; i < ZF_PT_PROPERTY_COUNT; i++) {
        const size_t size = strlen(layer);
        const char *name = zf_pt_properties[i].text;
        if (strncmp(name, layer, size) == 0 && name[size] == '.' && strcmp(name + size + 1, member) == 0) {
            return i + 1;
        }
    }
    return 0;
}

// Outer to inner: the position of the pet, then sway, bounce, breathe and transition.
static uint32_t build_targets(const compiler *c) {
    static const char *const names[] = {"pet", "sway", "bounce", "breathe", "transition"};
    static const char *const members[] = {[ZP_SLOT_X] = "x", [ZP_SLOT_Y] = "y", [ZP_SLOT_ROTATION] = "rotation",
                                          [ZP_SLOT_SCALE_X] = "scaleX", [ZP_SLOT_SCALE_Y] = "scaleY",
                                          [ZP_SLOT_OPACITY] = "opacity"};
    uint32_t parent_ref = 0;
    for (uint32_t i = 0; i < ZB_COUNT(names); i++) {
        zp_target target = {.name = zp_build_name(c->build, zb_text(names[i])), .parent_ref = parent_ref,
                            .compose = ZP_COMPOSE_TRS2, .pivot = {ORIGIN_X, ORIGIN_Y}};
        for (uint32_t slot = 0; slot < ZB_COUNT(members); slot++) {
            target.slot_refs[slot] = channel_ref(names[i], members[slot]);
            target.constant[slot] = slot >= ZP_SLOT_SCALE_X ? 1.0 : 0.0;
        }
        if (i == 0 && c->stage != NULL) {
            target.constant[ZP_SLOT_SCALE_X] = target.constant[ZP_SLOT_SCALE_Y] = c->stage->scale;
        }
        parent_ref = zp_build_target(c->build, &target) + 1;
    }
    return parent_ref - 1;
}

static uint32_t build_cel(const compiler *c, zo_text name, uint32_t node) {
    return zp_build_cel(c->build, &(zp_cel){.name = zp_build_name(c->build, name), .size_rule = ZP_SIZE_FIT_BOX,
                                            .flags = c->stage != NULL ? ZP_CEL_ABSENT : 0, .anchor = {0.5, 0.96},
                                            .scale = 1.0}, span_of(c, node));
}

static void build_look(const compiler *c, uint32_t slot) {
    const zf_pt_look *look = &c->stage->looks[slot];
    zp_cel cel = {.name = zp_build_name(c->build, zf_name_text(zf_pt_slots[slot])), .size_rule = ZP_SIZE_FIT_BOX,
                  .flags = look->absent ? ZP_CEL_ABSENT : 0, .anchor = {look->anchor[0], look->anchor[1]},
                  .scale = look->zoom};
    if (look->image.size > 0) {
        cel.image_ref = zp_build_image(c->build, &(zp_image){.name = zp_build_name(c->build, look->image)}) + 1;
    }
    zp_build_cel(c->build, &cel, (zp_span){0, 0});
}

// What is tried in turn when the picture of a slot is missing; then any, in the order of slots. Source: petween,
// fallbacks.
static void build_fallbacks(const compiler *c, uint32_t slot) {
    enum { IDLE, THINKING, WORKING };
    static const uint8_t first[ZF_PT_SLOT_COUNT][2] = {
        {IDLE, IDLE}, {WORKING, IDLE}, {THINKING, IDLE}, {IDLE, THINKING}, {IDLE, THINKING}, {IDLE, THINKING}};
    uint32_t cels[2 + ZF_PT_SLOT_COUNT] = {first[slot][0], first[slot][1]};
    for (uint32_t i = 0; i < ZF_PT_SLOT_COUNT; i++) {
        cels[2 + i] = i;
    }
    zp_build_fallbacks(c->build, slot, cels, ZB_COUNT(cels));
}

static void build_slots(const compiler *c) {
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        if (c->stage != NULL) {
            build_look(c, slot);
        } else {
            build_cel(c, zf_name_text(zf_pt_slots[slot]), 0);
        }
    }
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT && c->stage != NULL; slot++) {
        build_fallbacks(c, slot);
    }
}

// The cels after the six slots: whatever else events name, each once.
typedef struct cel_table {
    zp_name *names;
    uint32_t count;
    uint32_t *slots; // open addressing by name: cel + 1
    uint32_t mask;
} cel_table;

static bool open_cel_table(const compiler *c, uint32_t event_count, cel_table *table) {
    *table = (cel_table){0};
    for (table->mask = 1; table->mask < event_count; table->mask = table->mask * 2 + 1) { }
    table->mask = table->mask * 2 + 1;
    table->names = zb_arena_take_array(c->arena, (size_t)event_count + 1, sizeof *table->names);
    table->slots = zb_arena_take_array(c->arena, (size_t)table->mask + 1, sizeof *table->slots);
    return table->names != NULL && table->slots != NULL;
}

static uint32_t cel_ref_of(const compiler *c, cel_table *table, zo_text pose, uint32_t node) {
    const uint32_t slot = zf_word(zf_pt_slots, ZF_PT_SLOT_COUNT, pose);
    if (slot < ZF_PT_SLOT_COUNT) {
        return slot + 1;
    }
    const zp_name name = zp_build_name(c->build, pose); // equal texts, equal names
    uint32_t at = (uint32_t)(name * UINT32_C(2654435761)) & table->mask;
    while (table->slots[at] != 0 && table->names[table->slots[at] - 1 - ZF_PT_SLOT_COUNT] != name) {
        at = (at + 1) & table->mask;
    }
    if (table->slots[at] == 0) {
        table->names[table->count++] = name;
        table->slots[at] = build_cel(c, pose, node) + 1;
    }
    return table->slots[at];
}

// What events show. `refs` gets cel + 1 of each event of each definition in turn, 0 where none is named.
static void build_cels(compiler *c, uint32_t event_count, uint32_t *refs) {
    c->definition = &c->definitions[0];
    build_slots(c);
    cel_table table;
    const uint32_t more = c->stage != NULL ? c->stage->cel_count : 0;
    if (!open_cel_table(c, event_count + more, &table)) {
        return;
    }
    for (uint32_t i = 0; i < more; i++) {
        cel_ref_of(c, &table, zb_text(c->stage->cels[i]), 0);
    }
    for (uint32_t d = 0; d < c->definition_count; d++) {
        c->definition = &c->definitions[d];
        for (uint32_t i = 0; i < c->definition->event_count; i++) {
            const zf_pt_event *event = &c->definition->events[i];
            const bool names = event->type == ZF_PT_POSE_SWAP && event->pose.size > 0;
            *refs++ = names ? cel_ref_of(c, &table, event->pose, event->node) : 0;
        }
    }
}

// Those that some event starts, in the middle of the square and inside all layers.
static void build_effects(compiler *c, uint32_t target) {
    static const double middle[2] = {SQUARE / 2, SQUARE / 2};
    bool used[ZF_PT_EFFECT_COUNT] = {false};
    for (uint32_t d = 0; d < c->definition_count; d++) {
        for (uint32_t i = 0; i < c->definitions[d].event_count; i++) {
            const zf_pt_event *event = &c->definitions[d].events[i];
            if (event->type == ZF_PT_PARTICLE) {
                used[event->effect] = true;
            }
        }
    }
    for (uint32_t i = 0; i < ZF_PT_EFFECT_COUNT; i++) {
        if (used[i]) {
            c->effect_refs[i] = zf_pt_build_effect(c->build, i, target, middle) + 1;
        }
    }
}

static void build_stage(compiler *c, uint32_t event_count, uint32_t *cel_refs) {
    build_cels(c, event_count, cel_refs);
    build_channels(c, c->stage != NULL ? 0 : 1); // idle is the first slot
    const uint32_t innermost = build_targets(c);
    zp_build_sprite(c->build, &(zp_sprite){
        .name = zp_build_name(c->build, ZB_TEXT("picture")), .target = innermost,
        .channel_ref = ZF_PT_PROPERTY_COUNT + 1, .cel_ref = 1, .box = {SQUARE, SQUARE},
        .origin = {ORIGIN_X, ORIGIN_Y}});
    build_effects(c, innermost);
    zp_build_stage(c->build, -48.0, -64.0, 208.0, 192.0); // the square and air for jumps
}

// ------------------------------------------------------------------------------------------------------------ curves

static zp_interval interval_of(const compiler *c, const double *curve) {
    if (zf_pt_curve_linear(curve)) { // y(t) is x(t), so going straight is the same and exact
        return (zp_interval){.interpolation = ZP_INTERPOLATE_LERP};
    }
    return (zp_interval){.interpolation = ZP_INTERPOLATE_EASE,
                         .argument = zp_build_easing(c->build, curve[0], curve[1], curve[2], curve[3])};
}

// A track on its own keys: its head filled; at the tail the last value stays of itself.
static void build_track(const compiler *c, const zf_pt_track *track, bool reduced) {
    const uint32_t head = !reduced && track->keys[0].at > 0.0 ? 1 : 0;
    const zf_pt_key *keys = reduced ? &track->keys[track->key_count - 1] : track->keys; // flat: one key says it all
    const uint32_t own_count = reduced ? 1 : track->key_count;
    const uint32_t count = own_count + head;
    double *numbers = zb_arena_take_array(c->arena, count, 3 * sizeof *numbers);
    zp_interval *intervals = zb_arena_take_array(c->arena, count, sizeof *intervals);
    if (numbers == NULL || intervals == NULL) {
        return;
    }
    double *times = numbers;
    double *values = numbers + count;
    double *scales = values + count;
    bool scaled = false;
    bool bent = false;
    values[0] = zf_pt_property_info[track->property].rest; // time, scale and interval of a head are zero: straight
    for (uint32_t i = 0; i < own_count; i++) {
        const uint32_t k = i + head;
        times[k] = reduced ? 0.0 : keys[i].at;
        values[k] = keys[i].scaled ? keys[i].base
                                   : zf_pt_key_value(&keys[i], 0.0, track->property, c->profile);
        scales[k] = keys[i].amount;
        scaled = scaled || keys[i].scaled;
        intervals[k] = interval_of(c, k + 1 < count ? keys[i].curve : NULL); // nothing follows the last
        bent = bent || intervals[k].interpolation == ZP_INTERPOLATE_EASE;
    }
    if (head != 0) {
        intervals[0].interpolation = ZP_INTERPOLATE_LERP;
    }
    zp_build_curve(c->build, &(zp_curve_def){
        .placement = ZP_PLACE_EXPLICIT, .interpolation = bent ? ZP_INTERPOLATE_PER_INTERVAL : ZP_INTERPOLATE_LERP,
        .arithmetic = ZP_ARITHMETIC_F64, .ends = ZP_ENDS_CLAMP, .width = 1, .first_channel = track->property,
        .key_count = count, .times = times, .intervals = bent ? intervals : NULL, .values = values,
        .scales = scaled ? scales : NULL, .source = span_of(c, track->node)});
}

// What a merged value is made of, in the three forms that a curve may have.
static void put_blend(const compiler *c, const zf_pt_blend *blend, uint32_t property, bool inserted, double *value,
                      double *scale, zp_insert *insert) {
    const zf_pt_key at_rest = {.base = zf_pt_property_info[property].rest};
    const zf_pt_key *left = blend->left != NULL ? blend->left : &at_rest;
    const zf_pt_key *right = blend->left != NULL ? blend->right : &at_rest;
    *insert = (zp_insert){left->base, left->amount, right->base, right->amount, blend->weight};
    if (left->scaled || right->scaled) { // the parameter decides; where this is a plain key's curve, left is all
        *value = left->base;
        *scale = left->amount;
        return;
    }
    const double l = zf_pt_key_value(left, 0.0, property, c->profile);
    const double r = zf_pt_key_value(right, 0.0, property, c->profile);
    *value = inserted ? zf_pt_finite(l + (r - l) * blend->weight) : l;
    *scale = 0.0;
}

// The merged list: one wide curve for the whole layer.
static void build_merged(const compiler *c, zf_pt_layer layer, bool reduced, uint32_t node) {
    zf_pt_frames frames;
    if (!zf_pt_merge(c->arena, c->definition, layer, &c->cuts, reduced, &frames)) {
        return;
    }
    const uint32_t width = zf_pt_layers[layer].count;
    const uint32_t first = zf_pt_layers[layer].first;
    const uint32_t count = reduced ? 1 : frames.count;
    const size_t value_count = (size_t)count * width;
    double *values = zb_arena_take_array(c->arena, value_count, sizeof *values);
    double *scales = zb_arena_take_array(c->arena, value_count, sizeof *scales);
    zp_insert *inserts = zb_arena_take_array(c->arena, value_count, sizeof *inserts);
    zp_interval *intervals = zb_arena_take_array(c->arena, count, sizeof *intervals);
    if (values == NULL || scales == NULL || inserts == NULL || intervals == NULL) {
        return;
    }
    bool bent = false;
    for (uint32_t k = 0; k < count; k++) {
        const double *curve = k + 1 < count ? frames.curves[k] : NULL; // nothing follows the last
        intervals[k] = interval_of(c, curve);
        bent = bent || intervals[k].interpolation == ZP_INTERPOLATE_EASE;
        for (uint32_t i = 0; i < width; i++) {
            const size_t at = (size_t)k * width + i;
            put_blend(c, &frames.blends[at], first + i, frames.inserted, &values[at], &scales[at], &inserts[at]);
        }
    }
    const bool inserted = frames.scaled && frames.inserted;
    zp_build_curve(c->build, &(zp_curve_def){
        .placement = ZP_PLACE_EXPLICIT, .interpolation = bent ? ZP_INTERPOLATE_PER_INTERVAL : ZP_INTERPOLATE_LERP,
        .arithmetic = ZP_ARITHMETIC_F64, .ends = ZP_ENDS_CLAMP, .width = width, .first_channel = first,
        .key_count = count, .times = frames.times, .intervals = bent ? intervals : NULL,
        .values = inserted ? NULL : values, .scales = frames.scaled && !inserted ? scales : NULL,
        .inserts = inserted ? inserts : NULL, .source = span_of(c, node)});
}

static void build_curves(const compiler *c, bool reduced) {
    const zf_pt_definition *d = c->definition;
    if (c->profile == ZO_PROFILE_DOCUMENT) {
        for (uint32_t i = 0; i < d->track_count; i++) {
            build_track(c, &d->tracks[i], reduced);
        }
        return;
    }
    uint32_t first_nodes[ZF_PT_LAYER_COUNT] = {0};
    for (uint32_t i = d->track_count; i > 0; i--) {
        first_nodes[zf_pt_property_info[d->tracks[i - 1].property].layer] = d->tracks[i - 1].node;
    }
    for (uint32_t layer = 0; layer < ZF_PT_LAYER_COUNT; layer++) {
        if (first_nodes[layer] != 0) {
            build_merged(c, (zf_pt_layer)layer, reduced, first_nodes[layer]);
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- clip

static void build_events(const compiler *c, int64_t pass_ns, bool at_once) {
    for (uint32_t i = 0; i < c->definition->event_count; i++) {
        const uint32_t index = c->order != NULL ? c->order[i] : i;
        const zf_pt_event *event = &c->definition->events[index];
        const double at = at_once ? 0.0 : event->at;
        const int64_t at_ns = (int64_t)floor(at * (double)pass_ns + 0.5);
        zp_event record = {.at_ns = at_ns < pass_ns ? at_ns : pass_ns, .at = at};
        if (event->type == ZF_PT_POSE_SWAP) {
            record.action = ZP_ACTION_SHOW_CEL;
            record.subject_ref = c->cel_refs[index];
        } else {
            record.action = ZP_ACTION_START_EFFECT;
            record.subject_ref = c->effect_refs[event->effect];
            record.name = zp_build_name(c->build, zf_name_text(zf_pt_effects[event->effect]));
        }
        zp_build_event(c->build, &record, span_of(c, event->node));
    }
}

static const zp_repeat repeats[ZF_PT_MODE_COUNT] = {
    [ZF_PT_ONCE] = ZP_REPEAT_ONCE,
    [ZF_PT_LOOP] = ZP_REPEAT_LOOP,
    [ZF_PT_ALTERNATE] = ZP_REPEAT_ALTERNATE,
    [ZF_PT_RANDOM_INTERVAL] = ZP_REPEAT_RANDOM_INTERVAL,
};

static zp_clip clip_of(const compiler *c, bool reduced, uint32_t mix_ref) {
    const zf_pt_definition *d = c->definition;
    const double longest = d->kind == ZF_PT_TRANSITION ? 2000.0 : 120000.0;
    zp_clip clip = {
        .name = zp_build_name(c->build, d->id), .label = zp_build_name(c->build, d->name),
        .kind = zp_build_name(c->build, zf_name_text(zf_pt_kinds[d->kind])), .time_unit = ZP_TIME_FRACTION,
        .duration_ns = duration_ns(zf_pt_duration_ms(d->kind, d->duration_ms, reduced)),
        .duration_ns_min = duration_ns(zf_pt_duration_ms(d->kind, 0.0, reduced)),
        .duration_ns_max = duration_ns(zf_pt_duration_ms(d->kind, longest, reduced)),
        .delay_unit_ns = MS_NS, .repeat = repeats[d->repeat.mode], .origin = ZP_ORIGIN_ENTRY, .mix_ref = mix_ref,
    };
    clip.complete_ns = clip.duration_ns;
    if (d->repeat.mode == ZF_PT_RANDOM_INTERVAL) {
        clip.delay_min = d->repeat.delay_ms_min;
        clip.delay_max = d->repeat.delay_ms_max;
    }
    if (c->cuts.count > 2 && d->track_count > 0) {
        clip.flags |= ZP_CLIP_SEGMENTED;
    }
    if (d->event_count > 0) {
        clip.flags |= ZP_CLIP_NO_ALTERNATE;
    }
    if (d->track_count == 0) { // holds no layer: a pass takes no time; the runtime keeps a loop of such from spinning
        clip.complete_ns = 0;
        const bool passes = clip.repeat == ZP_REPEAT_RANDOM_INTERVAL || d->event_count > 0;
        clip.repeat = passes ? clip.repeat : ZP_REPEAT_ONCE;
    }
    return clip;
}

static uint32_t build_clip(const compiler *c, bool reduced, uint32_t mix_ref) {
    const zf_pt_definition *d = c->definition;
    const zp_clip clip = clip_of(c, reduced, mix_ref);
    zp_build_clip_begin(c->build, &clip, span_of(c, d->node));
    zp_build_param(c->build, &(zp_param){.name = zp_build_name(c->build, ZB_TEXT("strength")), .value = d->strength,
                                         .low = d->strength_min, .high = d->strength_max},
                   span_of(c, d->strength_node));
    build_curves(c, reduced);
    build_events(c, clip.duration_ns, d->track_count == 0);
    return zp_build_clip_end(c->build);
}

// The clip of the definition at hand and its twin. Returns the clip.
static uint32_t build_definition(compiler *c, uint32_t ambient_mix_ref) {
    const bool mixes = c->profile == ZO_PROFILE_DOCUMENT && c->definition->kind == ZF_PT_AMBIENT;
    const uint32_t mix_ref = mixes ? ambient_mix_ref : 0;
    const uint32_t clip = build_clip(c, false, mix_ref);
    const uint32_t twin = build_clip(c, true, mix_ref);
    zp_build_reduced(c->build, clip, twin);
    return clip;
}

static bool any_ambient(const compiler *c) {
    for (uint32_t i = 0; i < c->definition_count; i++) {
        if (c->definitions[i].kind == ZF_PT_AMBIENT) {
            return true;
        }
    }
    return false;
}

void zf_pt_build(zb_arena *arena, const zf_pt_definition *definitions, uint32_t count, zo_profile profile,
                 const zf_pt_stage *stage, zp_build *build, uint32_t *clips) {
    ZO_ASSERT(count > 0);
    compiler c = {.arena = arena, .definitions = definitions, .definition_count = count, .profile = profile,
                  .build = build, .stage = stage};
    uint32_t event_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        event_count += definitions[i].event_count;
    }
    uint32_t *cel_refs = zb_arena_take_array(arena, (size_t)event_count + 1, sizeof *cel_refs);
    if (cel_refs == NULL) {
        return; // the arena has failed, and whoever opened it will ask
    }
    build_stage(&c, event_count, cel_refs);
    // Those of one pet combine, but a pet's only where its states play them.
    const bool mixes = profile == ZO_PROFILE_DOCUMENT && stage == NULL && any_ambient(&c);
    const uint32_t mix_ref = mixes ? zp_build_mix_group(build) + 1 : 0;
    for (uint32_t i = 0; i < count; i++) {
        c.definition = &definitions[i];
        c.cel_refs = cel_refs;
        c.cuts = zf_pt_cut(arena, c.definition, &c.order);
        if (c.cuts.count == 0) {
            return;
        }
        clips[i] = build_definition(&c, mix_ref);
        cel_refs += c.definition->event_count;
    }
}

void zf_pt_compile(zb_arena *arena, const zf_pt_definition *definitions, uint32_t count, zo_profile profile,
                   zp_build *build) {
    uint32_t *clips = zb_arena_take_array(arena, count, sizeof *clips);
    if (clips == NULL) {
        return;
    }
    zp_build_format(build, ZB_TEXT("petween"), (uint32_t)profile);
    zf_pt_build(arena, definitions, count, profile, NULL, build, clips);
    const uint32_t success = 4; // what an unnamed swap shows while nobody says which state is meant
    zp_build_play(build, &(zp_play){.clip = clips[0], .cel_ref = success + 1});
}
