// The timeline of a definition: cut durations and strengths, tracks with both ends filled, the times at which events
// cut, and the merged list in which a layer has one list of frames for all its channels. Called by the compiler for the
// original profile and by the frame list. Source: petween, its compiler.
#include <math.h>

#include "formats/petween.h"

double zf_pt_duration_ms(zf_pt_kind kind, double duration_ms, bool reduced) {
    const double cut = kind == ZF_PT_TRANSITION ? zb_clamp(duration_ms, 60.0, 2000.0)
                                                : zb_clamp(duration_ms, 1.0, 120000.0);
    return reduced && cut > 120.0 ? 120.0 : cut;
}

double zf_pt_strength(const zf_pt_definition *definition, double strength) {
    return zb_clamp(strength, definition->strength_min, definition->strength_max);
}

double zf_pt_key_value(const zf_pt_key *key, double strength, uint32_t property, zo_profile profile) {
    const double value = key->scaled ? key->base + strength * key->amount : key->base;
    const zf_pt_property *info = &zf_pt_property_info[property];
    return profile == ZO_PROFILE_ORIGINAL ? zb_clamp(value, info->low, info->high) : zf_pt_finite(value);
}

zf_pt_filled zf_pt_fill(zb_arena *arena, const zf_pt_track *track, bool reduced) {
    ZO_ASSERT(track->key_count > 0);
    const zf_pt_key *last = &track->keys[track->key_count - 1];
    const bool head = track->keys[0].at > 0.0;
    const bool tail = last->at < 1.0;
    if (!head && !tail && !reduced) {
        return (zf_pt_filled){track->property, track->keys, track->key_count};
    }
    const uint32_t count = reduced ? 2 : track->key_count + (head ? 1 : 0) + (tail ? 1 : 0);
    zf_pt_key *keys = zb_arena_take_array(arena, count, sizeof *keys);
    if (keys == NULL) {
        return (zf_pt_filled){track->property, track->keys, track->key_count};
    }
    zf_pt_key held = *last; // the last value stays, and no easing is written there
    held.curve = NULL;
    if (reduced) {
        keys[0] = held;
        keys[0].at = 0.0;
    } else {
        keys[0] = (zf_pt_key){.at = 0.0, .base = zf_pt_property_info[track->property].rest};
        memcpy(keys + (head ? 1 : 0), track->keys, track->key_count * sizeof *keys);
    }
    if (reduced || tail) {
        keys[count - 1] = held;
        keys[count - 1].at = 1.0;
    }
    return (zf_pt_filled){track->property, keys, count};
}

zf_pt_cuts zf_pt_cut(zb_arena *arena, const zf_pt_definition *definition, const uint32_t **order) {
    const uint32_t count = definition->event_count;
    double *at = zb_arena_take_array(arena, count + 1, sizeof *at);
    double *times = zb_arena_take_array(arena, (size_t)count + 2, sizeof *times);
    *order = NULL;
    if (at == NULL || times == NULL) {
        return (zf_pt_cuts){NULL, 0};
    }
    for (uint32_t i = 0; i < count; i++) {
        at[i] = definition->events[i].at;
    }
    *order = zf_sorted(arena, at, count);
    zf_pt_cuts cuts = {times, 0};
    times[cuts.count++] = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const double time = at[*order != NULL ? (*order)[i] : i];
        if (time > times[cuts.count - 1] && time < 1.0) {
            times[cuts.count++] = time;
        }
    }
    times[cuts.count++] = 1.0;
    return cuts;
}

// One track on its way through the merged times.
typedef struct track_walk {
    zf_pt_filled track;
    uint32_t passed; // keys at or before the present time, at least 1 once time 0 is reached
} track_walk;

static double bezier(double p1, double p2, double t) {
    const double c = 3.0 * p1;
    const double b = 3.0 * (p2 - p1) - c;
    const double a = 1.0 - c - b;
    return ((a * t + b) * t + c) * t;
}

static double bezier_slope(double p1, double p2, double t) {
    const double c = 3.0 * p1;
    const double b = 3.0 * (p2 - p1) - c;
    const double a = 1.0 - c - b;
    return (3.0 * a * t + 2.0 * b) * t + c;
}

// The curve as the original solves it, steps and tolerances included, and not as the runtime does: where a curve is
// nearly vertical the two part, and the merged list is meant to be the original's to the last digit.
static double solved(const double *curve, double p) {
    static const double tolerance = 1e-6;
    double t = p;
    for (int step = 0; step < 8; step++) {
        const double error = bezier(curve[0], curve[2], t) - p;
        if (fabs(error) < tolerance) {
            return t;
        }
        const double slope = bezier_slope(curve[0], curve[2], t);
        if (fabs(slope) < tolerance) {
            break;
        }
        t -= error / slope;
    }
    double low = 0.0;
    double high = 1.0;
    for (t = p; high - low > tolerance; t = low + (high - low) / 2.0) {
        const double x = bezier(curve[0], curve[2], t);
        if (fabs(x - p) < tolerance) {
            break;
        }
        if (x < p) {
            low = t;
        } else {
            high = t;
        }
    }
    return t;
}

static double eased(const double *curve, double p) {
    if (curve == NULL) {
        return p;
    }
    const double y1 = zb_clamp(curve[1], -1e307, 1e307); // so that no coefficient overflows
    const double y2 = zb_clamp(curve[3], -1e307, 1e307);
    return zf_pt_finite(bezier(y1, y2, solved(curve, p)));
}

static zf_pt_blend blend_at(const track_walk *walk, double at) {
    const zf_pt_key *left = &walk->track.keys[walk->passed - 1];
    if (left->at == at || walk->passed == walk->track.key_count) {
        return (zf_pt_blend){left, left, 0.0};
    }
    const zf_pt_key *right = left + 1;
    return (zf_pt_blend){left, right, eased(left->curve, (at - left->at) / (right->at - left->at))};
}

static double next_time(const track_walk *walks, uint32_t walk_count, const zf_pt_cuts *cuts, uint32_t cut) {
    double next = cut < cuts->count ? cuts->times[cut] : 1.0;
    for (uint32_t i = 0; i < walk_count; i++) {
        const zf_pt_filled *track = &walks[i].track;
        if (walks[i].passed < track->key_count && track->keys[walks[i].passed].at < next) {
            next = track->keys[walks[i].passed].at;
        }
    }
    return next;
}

bool zf_pt_merge(zb_arena *arena, const zf_pt_definition *definition, zf_pt_layer layer, const zf_pt_cuts *cuts,
                 bool reduced, zf_pt_frames *out) {
    const zf_pt_layer_info *info = &zf_pt_layers[layer];
    track_walk *walks = zb_arena_take_array(arena, ZF_PT_CHANNELS_MAX, sizeof *walks);
    uint32_t walk_count = 0;
    size_t time_count = cuts->count;
    for (uint32_t i = 0; walks != NULL && i < definition->track_count; i++) {
        const zf_pt_track *track = &definition->tracks[i];
        if (track->active && zf_pt_property_info[track->property].layer == layer) {
            ZO_ASSERT(walk_count < ZF_PT_CHANNELS_MAX);
            walks[walk_count] = (track_walk){.track = zf_pt_fill(arena, track, reduced)};
            time_count += walks[walk_count++].track.key_count;
        }
    }
    if (walk_count == 0) {
        return false;
    }
    double *times = zb_arena_take_array(arena, time_count, sizeof *times);
    const double **curves = zb_arena_take_array(arena, time_count, sizeof *curves);
    zf_pt_blend *blends = zb_arena_take_array(arena, time_count, info->count * sizeof *blends);
    *out = (zf_pt_frames){.times = times, .curves = curves, .blends = blends};
    if (times == NULL || curves == NULL || blends == NULL) {
        return false;
    }
    uint32_t cut = 0;
    for (double at = -1.0; at < 1.0;) {
        at = next_time(walks, walk_count, cuts, cut);
        cut += cut < cuts->count && cuts->times[cut] == at ? 1 : 0;
        for (uint32_t i = 0; i < walk_count; i++) {
            track_walk *walk = &walks[i];
            walk->passed += walk->passed < walk->track.key_count && walk->track.keys[walk->passed].at == at ? 1 : 0;
            ZO_ASSERT(walk->passed > 0); // both ends are filled
            const zf_pt_blend blend = blend_at(walk, at);
            blends[(size_t)out->count * info->count + walk->track.property - info->first] = blend;
            out->scaled = out->scaled || blend.left->scaled || blend.right->scaled;
            out->inserted = out->inserted || blend.left != blend.right;
        }
        times[out->count] = at;
        curves[out->count++] = walks[0].track.keys[walks[0].passed - 1].curve; // the first track in file order
    }
    return true;
}
