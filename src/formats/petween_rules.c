// The rules between members of a definition: one easing a layer, what each kind may hold, and advice on what is legal
// but does not do what it seems to. Called by petween_read.c once all members are read.
#include "formats/petween_fields.h"

static uint32_t report_at(const zf_pt_reading *r, const zf_pt_definition *definition, uint32_t node, zd_id id,
                          zd_args args) {
    return zf_report_head(r->doc, node != 0 ? node : definition->node, id, args);
}

// ------------------------------------------------------------------------------------------------- one easing a layer

// The active tracks of one layer in file order, and for each the key whose easing is in force at the present time.
typedef struct layer_walk {
    const zf_pt_track *tracks[ZF_PT_CHANNELS_MAX];
    uint32_t passed[ZF_PT_CHANNELS_MAX]; // keys at or before the present time
    uint32_t count;
} layer_walk;

static const zf_pt_key *key_in_force(const layer_walk *walk, uint32_t track) { // NULL: in the filled head
    return walk->passed[track] > 0 ? &walk->tracks[track]->keys[walk->passed[track] - 1] : NULL;
}

static const double *curve_in_force(const layer_walk *walk, uint32_t track) {
    const zf_pt_key *key = key_in_force(walk, track);
    return key != NULL ? key->curve : NULL;
}

static uint32_t easing_node(const zf_pt_reading *r, const layer_walk *walk, uint32_t track) {
    const zf_pt_key *key = key_in_force(walk, track);
    if (key == NULL) {
        return walk->tracks[track]->keys[0].node;
    }
    const uint32_t easing = zj_member(r->doc, key->node, ZB_TEXT("easing"));
    return easing != 0 ? easing : key->node;
}

static void report_layer(const zf_pt_reading *r, const layer_walk *walk, zf_pt_layer layer, double at, uint32_t odd) {
    zb_buffer list = zb_buffer_open(r->arena);
    const size_t skip = strlen(zf_pt_layers[layer].name) + 1; // "transition.scaleX" as scaleX
    if (!zd_report_full(r->doc->report)) {
        for (uint32_t i = 0; i < walk->count; i++) {
            zb_put(&list, i > 0 ? ", " : "");
            zb_put(&list, zf_pt_properties[walk->tracks[i]->property].text + skip);
            zb_put_char(&list, ' ');
            zf_pt_put_easing_name(&list, curve_in_force(walk, i));
        }
    }
    const uint32_t added = zf_report_head(r->doc, easing_node(r, walk, odd), ZD_PETWEEN_LAYER_EASING,
                                          ZD_ARGS(zd_word(zf_pt_layers[layer].name), zd_number(at),
                                                  zd_text((zo_text){list.data, list.size})));
    if (added != 0) {
        zd_place place = zj_place(r->doc, easing_node(r, walk, 0));
        place.length = zf_is(r->doc, easing_node(r, walk, 0), ZJ_OBJECT) ? 1 : place.length;
        zd_report_relate(r->doc->report, added, place, "the layer's first track has its easing from here");
    }
}

// Moves to the next time at which one of the tracks has a key; false: there is none before 1.
static bool next_time(layer_walk *walk, double *at) {
    double next = 1.0;
    for (uint32_t i = 0; i < walk->count; i++) {
        if (walk->passed[i] < walk->tracks[i]->key_count && walk->tracks[i]->keys[walk->passed[i]].at < next) {
            next = walk->tracks[i]->keys[walk->passed[i]].at;
        }
    }
    for (uint32_t i = 0; i < walk->count; i++) {
        if (walk->passed[i] < walk->tracks[i]->key_count && walk->tracks[i]->keys[walk->passed[i]].at == next) {
            walk->passed[i]++;
        }
    }
    *at = next;
    return next < 1.0;
}

static bool begins_at_zero(const layer_walk *walk) {
    for (uint32_t i = 0; i < walk->count; i++) {
        if (walk->tracks[i]->keys[0].at == 0.0) {
            return true;
        }
    }
    return false;
}

static void check_layer(const zf_pt_reading *r, layer_walk *walk, zf_pt_layer layer) {
    bool advised = r->own || r->profile == ZO_PROFILE_ORIGINAL;
    double at = 0.0;
    // Time 0 is in the merged list whether or not a key stands there.
    for (bool more = begins_at_zero(walk) ? next_time(walk, &at) : true; more; more = next_time(walk, &at)) {
        const double *first = curve_in_force(walk, 0);
        for (uint32_t i = 1; i < walk->count; i++) {
            const double *curve = curve_in_force(walk, i);
            if (zf_pt_curve_equal(first, curve)) {
                continue;
            }
            static const double linear[4] = {0.0, 0.0, 1.0, 1.0};
            const bool alike = zf_pt_curve_equal(first != NULL ? first : linear, curve != NULL ? curve : linear);
            if (!alike || r->profile == ZO_PROFILE_ORIGINAL) {
                report_layer(r, walk, layer, at, i);
                break;
            }
            if (!advised) { // once a layer is enough
                advised = true;
                zf_report_head(r->doc, easing_node(r, walk, curve != NULL ? i : 0), ZD_PETWEEN_LINEAR_NOT_PORTABLE,
                               ZD_ARGS(zd_word(zf_pt_layers[layer].name), zd_number(at)));
            }
        }
    }
}

static void check_layers(const zf_pt_reading *r, const zf_pt_definition *definition) {
    layer_walk walks[ZF_PT_LAYER_COUNT];
    memset(walks, 0, sizeof walks);
    for (uint32_t i = 0; i < definition->track_count; i++) {
        const zf_pt_track *track = &definition->tracks[i];
        if (track->active) {
            layer_walk *walk = &walks[zf_pt_property_info[track->property].layer];
            ZO_ASSERT(walk->count < ZF_PT_CHANNELS_MAX); // each property once
            walk->tracks[walk->count++] = track;
        }
    }
    for (uint32_t layer = 0; layer < ZF_PT_LAYER_COUNT; layer++) {
        if (walks[layer].count > 1) {
            check_layer(r, &walks[layer], (zf_pt_layer)layer);
        }
    }
}

// --------------------------------------------------------------------------------------------- what each kind may hold

static bool in_force(const zf_pt_definition *definition, const zf_demand *demand) {
    const bool by_mode = demand->when[1] != NULL; // of the repeat; all others go by the kind
    return demand->when_word == (by_mode ? (uint32_t)definition->repeat.mode : (uint32_t)definition->kind);
}

typedef struct swaps {
    uint32_t count, unnamed_count;
    uint32_t first_unnamed; // its node
} swaps;

static swaps count_swaps(const zf_pt_reading *r, const zf_pt_definition *definition, const zf_demand *demand) {
    swaps found = {0, 0, 0};
    for (uint32_t i = 0; i < definition->event_count; i++) {
        const zf_pt_event *event = &definition->events[i];
        if (event->type != demand->item_word) {
            continue;
        }
        found.count++;
        if (zj_member(r->doc, event->node, ZB_TEXT("pose")) == 0) {
            found.first_unnamed = found.unnamed_count == 0 ? event->node : found.first_unnamed;
            found.unnamed_count++;
        }
    }
    return found;
}

static void check_kind(const zf_pt_reading *r, const zf_pt_definition *definition, const zf_pt_nodes *nodes) {
    for (uint32_t i = 0; i < ZF_PT_DEMAND_COUNT; i++) {
        const zf_demand *demand = &zf_pt_demands[i];
        if (demand->when[0] == NULL || !in_force(definition, demand)) {
            continue;
        }
        if (demand->kind == ZF_ONE) {
            const swaps found = count_swaps(r, definition, demand);
            if (found.count != 1 && nodes->events_usable) {
                report_at(r, definition, nodes->events, demand->id, ZD_ARGS(zd_int(found.count)));
            }
        } else if (demand->kind == ZF_WITH) {
            const swaps found = count_swaps(r, definition, demand);
            if (found.unnamed_count > 0) {
                report_at(r, definition, found.first_unnamed, demand->id,
                          ZD_ARGS(zd_int(found.unnamed_count), zd_int(found.count)));
            }
        } else if (demand->kind == ZF_EMPTY && definition->event_count > 0) {
            report_at(r, definition, nodes->events, demand->id, ZD_ARGS(zd_int(definition->event_count)));
        } // the others judge one member each, and the reader has asked them
    }
}

// ------------------------------------------------------------------------------------------------------------ advice

static uint32_t value_node(const zf_pt_reading *r, const zf_pt_key *key) {
    const uint32_t node = zj_member(r->doc, key->node, ZB_TEXT("value"));
    return node != 0 ? node : key->node;
}

// The original cuts a key's value to limits that the document does not know. Drawing cuts opacity either way, but not
// the keys that the values in between are made of. A value is linear in the strength, so one of the range's ends is the
// farthest.
static void advise_limits(const zf_pt_reading *r, const zf_pt_definition *definition, const zf_pt_track *track) {
    const zf_pt_property *property = &zf_pt_property_info[track->property];
    for (uint32_t i = 0; i < track->key_count; i++) {
        const zf_pt_key *key = &track->keys[i];
        const double at_min = key->base + key->amount * definition->strength_min;
        const double at_max = key->base + key->amount * definition->strength_max;
        const bool min_good = at_min >= property->low && at_min <= property->high;
        const bool max_good = at_max >= property->low && at_max <= property->high;
        if (min_good && max_good) {
            continue;
        }
        const double value = max_good ? at_min : at_max;
        zb_buffer when = zb_buffer_open(r->arena);
        if (key->scaled && !zd_report_full(r->doc->report)) {
            zb_put(&when, " at strength ");
            zb_put_double(&when, max_good ? definition->strength_min : definition->strength_max);
        }
        zf_report_head(r->doc, value_node(r, key), ZD_PETWEEN_BEYOND_ORIGINAL_LIMITS,
                       ZD_ARGS(zd_word(zf_pt_properties[track->property].text), zd_number(value),
                               zd_text((zo_text){when.data, when.size}), zd_number(property->low),
                               zd_number(property->high)));
    }
}

// At the end of a pass the layers fall back to rest, so any other last value is seen as a jump.
static void advise_end(const zf_pt_reading *r, const zf_pt_definition *definition, const zf_pt_track *track) {
    const zf_pt_key *last = &track->keys[track->key_count - 1];
    const double rest = zf_pt_property_info[track->property].rest;
    const double value = last->base + last->amount * definition->strength;
    if (value != rest) {
        zf_report_head(r->doc, value_node(r, last), ZD_PETWEEN_ENDS_OFF_DEFAULT,
                       ZD_ARGS(zd_word(zf_pt_properties[track->property].text), zd_number(value), zd_number(rest)));
    }
}

static void advise(const zf_pt_reading *r, const zf_pt_definition *definition, const zf_pt_nodes *nodes) {
    const zf_pt_mode mode = definition->repeat.mode;
    const bool ends = mode == ZF_PT_ONCE || mode == ZF_PT_RANDOM_INTERVAL;
    for (uint32_t i = 0; i < definition->track_count; i++) {
        const zf_pt_track *track = &definition->tracks[i];
        if (!track->active) {
            continue;
        }
        if (r->profile == ZO_PROFILE_DOCUMENT) {
            advise_limits(r, definition, track);
        }
        if (ends) {
            advise_end(r, definition, track);
        }
    }
    if (mode == ZF_PT_LOOP && definition->track_count == 0 && definition->event_count > 0 &&
        definition->kind != ZF_PT_AMBIENT) {
        report_at(r, definition, nodes->repeat, ZD_PETWEEN_TRACKLESS_LOOP, ZD_NO_ARGS);
    }
    if (mode != ZF_PT_ONCE && mode != ZF_PT_MODE_COUNT &&
        (definition->kind == ZF_PT_TRANSITION || definition->kind == ZF_PT_INTERACTION)) {
        report_at(r, definition, nodes->repeat, ZD_PETWEEN_NOT_ONCE,
                  ZD_ARGS(zd_word(zf_pt_kinds[definition->kind].text), zd_word(zf_pt_modes[mode].text),
                          zd_word(definition->kind == ZF_PT_TRANSITION ? "states" : "clicks")));
    }
}

void zf_pt_check_rules(const zf_pt_reading *r, const zf_pt_definition *definition, const zf_pt_nodes *nodes) {
    check_layers(r, definition);
    check_kind(r, definition, nodes);
    // What has errors does not play; its values may be neutral ones, and advice on those would mislead.
    if (!r->own && zd_report_errors(r->doc->report) == nodes->errors_before) {
        advise(r, definition, nodes);
    }
}
