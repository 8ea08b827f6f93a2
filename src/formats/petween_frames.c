// The merged frame list as a JSON text: what a browser's element.animate() takes. For each segment between events one
// list a layer, with the events and the segment that each comes before. Called through the reader's `frames`.
// Source: petween, its compiler.
#include <math.h>

#include "formats/petween.h"

typedef struct frames_writer {
    zb_arena *arena;
    zb_buffer *out;
    const zf_pt_definition *definition;
    zo_profile profile;
    double strength;
    double duration_ms;
    zf_pt_cuts cuts;
    const uint32_t *order;
    bool touched[ZF_PT_LAYER_COUNT];
    zf_pt_frames layers[ZF_PT_LAYER_COUNT];
    uint32_t next[ZF_PT_LAYER_COUNT]; // frame that the present segment begins with
} frames_writer;

// Four decimals, halves towards plus infinity, no minus zero.
static void put_figure(zb_buffer *out, double value) {
    if (fabs(value) < 1e11) { // beyond, a double has no four decimals that could be rounded
        value = floor(value * 10000.0 + 0.5) / 10000.0;
    }
    zb_put_double(out, value + 0.0);
}

static double value_at(const frames_writer *w, zf_pt_layer layer, uint32_t frame, uint32_t channel) {
    const zf_pt_layer_info *info = &zf_pt_layers[layer];
    const uint32_t property = info->first + channel;
    const zf_pt_blend *blend = &w->layers[layer].blends[(size_t)frame * info->count + channel];
    if (blend->left == NULL) {
        return zf_pt_property_info[property].rest;
    }
    const double left = zf_pt_key_value(blend->left, w->strength, property, w->profile);
    if (blend->weight == 0.0) {
        return left;
    }
    const double right = zf_pt_key_value(blend->right, w->strength, property, w->profile);
    return zf_pt_finite(left + (right - left) * blend->weight);
}

static void put_pair(const frames_writer *w, zf_pt_layer layer, uint32_t frame, const char *name, uint32_t channel,
                     const char *unit) {
    zb_put(w->out, ", \"");
    zb_put(w->out, name);
    zb_put(w->out, "\": \"");
    put_figure(w->out, value_at(w, layer, frame, channel));
    zb_put(w->out, unit);
    zb_put_char(w->out, ' ');
    put_figure(w->out, value_at(w, layer, frame, channel + 1));
    zb_put(w->out, unit);
    zb_put_char(w->out, '"');
}

static void put_single(const frames_writer *w, zf_pt_layer layer, uint32_t frame, const char *name, uint32_t channel,
                       const char *unit) {
    zb_put(w->out, ", \"");
    zb_put(w->out, name);
    zb_put(w->out, "\": \"");
    put_figure(w->out, value_at(w, layer, frame, channel));
    zb_put(w->out, unit);
    zb_put_char(w->out, '"');
}

// All channels of the layer, in the order in which a browser applies them. Channel numbers are those of the layer.
static void put_channels(const frames_writer *w, zf_pt_layer layer, uint32_t frame) {
    switch (layer) {
    case ZF_PT_LAYER_TRANSITION:
        put_pair(w, layer, frame, "translate", 2, "px");
        put_pair(w, layer, frame, "scale", 0, "");
        put_single(w, layer, frame, "rotate", 4, "deg");
        put_single(w, layer, frame, "opacity", 5, "");
        break;
    case ZF_PT_LAYER_SWAY: put_single(w, layer, frame, "rotate", 0, "deg"); break;
    case ZF_PT_LAYER_BOUNCE:
        put_pair(w, layer, frame, "translate", 0, "px");
        put_pair(w, layer, frame, "scale", 2, "");
        break;
    case ZF_PT_LAYER_BREATHE: put_pair(w, layer, frame, "scale", 0, ""); break;
    case ZF_PT_LAYER_COUNT: break;
    }
}

static void put_layer(frames_writer *w, zf_pt_layer layer, double start, double end) {
    const zf_pt_frames *frames = &w->layers[layer];
    zb_put_char(w->out, '"');
    zb_put(w->out, zf_pt_layers[layer].name);
    zb_put(w->out, "\": [");
    uint32_t frame = w->next[layer];
    for (;; frame++) {
        ZO_ASSERT(frame < frames->count); // cuts are among the times
        zb_put(w->out, frame > w->next[layer] ? ",\n          { \"offset\": " : "\n          { \"offset\": ");
        zb_put_double(w->out, (frames->times[frame] - start) / (end - start));
        zb_put(w->out, ", \"easing\": \"");
        zf_pt_put_curve(w->out, frames->curves[frame]);
        zb_put_char(w->out, '"');
        put_channels(w, layer, frame);
        zb_put(w->out, " }");
        if (frames->times[frame] == end) {
            break;
        }
    }
    w->next[layer] = frame; // the next segment begins where this one ends
    zb_put(w->out, "\n        ]");
}

static void put_segment(frames_writer *w, uint32_t segment) {
    const double start = w->cuts.times[segment];
    const double end = w->cuts.times[segment + 1];
    zb_put(w->out, segment > 0 ? ",\n    {\n      \"start\": " : "\n    {\n      \"start\": ");
    zb_put_double(w->out, start);
    zb_put(w->out, ",\n      \"end\": ");
    zb_put_double(w->out, end);
    zb_put(w->out, ",\n      \"durationMs\": ");
    zb_put_double(w->out, (end - start) * w->duration_ms);
    zb_put(w->out, ",\n      \"layers\": {");
    bool any = false;
    for (uint32_t layer = 0; layer < ZF_PT_LAYER_COUNT; layer++) {
        if (w->touched[layer]) {
            zb_put(w->out, any ? ",\n        " : "\n        ");
            put_layer(w, (zf_pt_layer)layer, start, end);
            any = true;
        }
    }
    zb_put(w->out, any ? "\n      }\n    }" : "}\n    }");
}

// A value as it stands in the source, without white space between its parts.
static void put_compact(zb_buffer *out, zo_text source) {
    bool in_text = false;
    for (size_t i = 0; i < source.size; i++) {
        const char c = source.data[i];
        if (in_text && c == '\\' && i + 1 < source.size) {
            zb_put_char(out, c);
            zb_put_char(out, source.data[++i]);
            continue;
        }
        in_text = c == '"' ? !in_text : in_text;
        if (in_text || (c != ' ' && c != '\t' && c != '\n' && c != '\r')) {
            zb_put_char(out, c);
        }
    }
}

static void put_member(zb_buffer *out, const zj_doc *doc, uint32_t member) {
    zb_put_text(out, zj_source(doc, zj_at(doc, member)->key));
    zb_put(out, ": ");
    put_compact(out, zj_source(doc, member));
}

// With every member that the source has, known or not, and the boundary that it belongs to.
static void put_event(const frames_writer *w, const zf_pt_event *event, uint32_t boundary) {
    const zj_doc *doc = w->definition->doc;
    zb_put(w->out, "{ \"at\": ");
    zb_put_double(w->out, event->at);
    for (uint32_t member = zj_at(doc, event->node)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        const zo_text key = zj_key(doc, member);
        const bool again = (zj_at(doc, event->node)->flags & ZJ_HAS_DUPLICATES) != 0 &&
                           zj_member(doc, event->node, key) != member; // of repeated ones the last counts
        if (!again && !zb_text_equal(key, ZB_TEXT("at")) && !zb_text_equal(key, ZB_TEXT("beforeSegmentIndex"))) {
            zb_put(w->out, ", ");
            put_member(w->out, doc, member);
        }
    }
    zb_put(w->out, ", \"beforeSegmentIndex\": ");
    zb_put_uint(w->out, boundary);
    zb_put(w->out, " }");
}

static void put_events(const frames_writer *w) {
    zb_put(w->out, "\n  \"events\": [");
    uint32_t boundary = 0;
    for (uint32_t i = 0; i < w->definition->event_count; i++) {
        const zf_pt_event *event = &w->definition->events[w->order != NULL ? w->order[i] : i];
        while (w->cuts.times[boundary] < event->at) {
            boundary++;
        }
        zb_put(w->out, i > 0 ? ",\n    " : "\n    ");
        put_event(w, event, boundary);
    }
    zb_put(w->out, w->definition->event_count > 0 ? "\n  ],\n" : "],\n");
}

static const zf_pt_mode modes[] = { // of zo_repeat: ZP_REPEAT_... by number
    [ZP_REPEAT_ONCE] = ZF_PT_ONCE,
    [ZP_REPEAT_LOOP] = ZF_PT_LOOP,
    [ZP_REPEAT_ALTERNATE] = ZF_PT_ALTERNATE,
    [ZP_REPEAT_RANDOM_INTERVAL] = ZF_PT_RANDOM_INTERVAL,
};

static void put_repeat(const frames_writer *w, const zo_frames_def *def) {
    if (!def->set_repeat) {
        put_compact(w->out, zj_source(w->definition->doc, w->definition->repeat_node));
        return;
    }
    zb_put(w->out, "{\"mode\":\"");
    zb_put(w->out, zf_pt_modes[modes[def->repeat]].text);
    zb_put_char(w->out, '"');
    if (modes[def->repeat] == ZF_PT_RANDOM_INTERVAL) {
        zb_put(w->out, ",\"minDelayMs\":");
        zb_put_double(w->out, def->delay_ms_min);
        zb_put(w->out, ",\"maxDelayMs\":");
        zb_put_double(w->out, def->delay_ms_max);
    }
    zb_put_char(w->out, '}');
}

// false: it cannot be made (alternate with events), and the report says why.
static bool put_definition(zb_arena *arena, const zf_pt_definition *definition, const zo_frames_def *def,
                           zo_profile profile, zb_buffer *out) {
    if (def->set_repeat && modes[def->repeat] == ZF_PT_ALTERNATE && definition->event_count > 0) {
        const uint32_t events = zj_member(definition->doc, definition->node, ZB_TEXT("events"));
        zf_report_head(definition->doc, events, ZD_PETWEEN_ALTERNATE_EVENTS, ZD_ARGS(zd_int(definition->event_count)));
        return false;
    }
    const bool own_duration = def->duration_ms == 0.0 && !def->set_duration;
    const double duration_ms = own_duration ? definition->duration_ms : def->duration_ms;
    frames_writer w = {
        .arena = arena, .out = out, .definition = definition, .profile = profile,
        .strength = zf_pt_strength(definition, def->set_strength ? def->strength : definition->strength),
        .duration_ms = zf_pt_duration_ms(definition->kind, duration_ms, def->reduced_motion),
    };
    w.cuts = zf_pt_cut(arena, definition, &w.order);
    for (uint32_t layer = 0; layer < ZF_PT_LAYER_COUNT; layer++) {
        w.touched[layer] =
            zf_pt_merge(arena, definition, (zf_pt_layer)layer, &w.cuts, def->reduced_motion, &w.layers[layer]);
    }
    if (zb_arena_failed(arena)) {
        return true; // the arena is asked by whoever opened it
    }
    zb_put(out, "{\n  \"schema\": \"zoetrope/frames@1\",\n  \"definitionId\": ");
    zb_put_json_text(out, definition->id);
    zb_put(out, ",\n  \"durationMs\": ");
    zb_put_double(out, w.duration_ms);
    zb_put(out, ",\n  \"repeat\": ");
    put_repeat(&w, def);
    zb_put(out, ",\n  \"segments\": [");
    for (uint32_t i = 0; i + 1 < w.cuts.count; i++) {
        put_segment(&w, i);
    }
    zb_put(out, "\n  ],");
    put_events(&w);
    zb_put(out, "  \"reducedMotion\": ");
    zb_put(out, def->reduced_motion ? "true\n}" : "false\n}");
    return true;
}

zo_status zf_pt_write_frames(zb_arena *arena, const zf_pt_definition *definitions, uint32_t count, bool list,
                             const zo_frames_def *def, zo_profile profile, zb_buffer *out) {
    ZO_ASSERT(!def->set_repeat || def->repeat < ZB_COUNT(modes));
    uint32_t written = 0;
    bool fine = true;
    list = list && def->clip == NULL;
    zb_put(out, list ? "[" : "");
    for (uint32_t i = 0; i < count; i++) {
        if (def->clip != NULL && !zb_text_equal(definitions[i].id, zb_text(def->clip))) {
            continue;
        }
        zb_put(out, written++ > 0 ? ", " : "");
        fine = put_definition(arena, &definitions[i], def, profile, out) && fine;
    }
    zb_put(out, list ? "]\n" : "\n");
    return written == 0 ? ZO_UNSUPPORTED : fine ? ZO_OK : ZO_INVALID;
}
