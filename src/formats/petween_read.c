// From JSON to a definition: walks the members, reports whatever one member alone does wrong, and goes on with a
// neutral value. Called by the petween reader and by whatever holds definitions. Names, ranges and words are those of
// petween_fields.c, the rules between members are in petween_rules.c; nothing here knows programs.
#include "formats/petween_fields.h"

#define READ(fields, r, node, table) zf_fields_read(fields, (r)->arena, (r)->doc, node, table)

static zd_arg not_this(const zf_pt_reading *r, uint32_t node) { return zf_not(r->arena, r->doc, node); }

// ------------------------------------------------------------------------------------------------- single members

// true: a newer program wrote it.
static bool read_version(const zf_pt_reading *r, const zf_fields *fields) {
    const uint32_t node = fields->nodes[VERSION];
    double version = 0.0;
    if (zf_fields_in_range(fields, VERSION, &version)) {
        return false;
    }
    const zf_field *field = &fields->table->fields[VERSION];
    if (zf_number(r->doc, node, &version) && version > field->high) {
        zf_report(fields, VERSION, (zd_id)field->id_above, ZD_ARGS(zd_number(version)));
        return true;
    }
    zf_report(fields, VERSION, (zd_id)field->id, ZD_ARGS(not_this(r, node)));
    return false;
}

static void read_id(const zf_pt_reading *r, const zf_fields *fields, zf_pt_definition *out) {
    const uint32_t node = fields->nodes[ID];
    const zf_pt_form form = zf_text(r->doc, node, &out->id) ? zf_pt_id_form(out->id) : ZF_PT_NOT;
    if (form == ZF_PT_NOT || (form == ZF_PT_DOCUMENT && r->profile == ZO_PROFILE_ORIGINAL)) {
        const uint32_t added = zf_report(fields, ID, ZD_PETWEEN_ID, ZD_ARGS(not_this(r, node)));
        if (form == ZF_PT_DOCUMENT) {
            zd_report_hint(r->doc->report, added,
                           "petween wants a letter first in the namespace and a letter or digit first in the name",
                           ZD_NO_ARGS);
        }
        return;
    }
    if (form == ZF_PT_DOCUMENT && !r->own) {
        zf_report(fields, ID, ZD_PETWEEN_NAME_NOT_PORTABLE, ZD_ARGS(zf_quoted(r->arena, r->doc, out->id)));
    }
    if (zf_pt_reserved(out->id) && !r->own && !r->definition_only) {
        zf_report(fields, ID, zf_pt_demands[ZF_PT_RESERVED_NAMESPACE].id,
                  ZD_ARGS(zf_quoted(r->arena, r->doc, out->id)));
    }
}

static void read_name(const zf_pt_reading *r, const zf_fields *fields, zf_pt_definition *out) {
    if (!zf_text(r->doc, fields->nodes[NAME], &out->name) ||
        out->name.size < fields->table->fields[NAME].count_min) {
        zf_report(fields, NAME, ZD_PETWEEN_NAME, ZD_ARGS(not_this(r, fields->nodes[NAME])));
    }
}

static void read_delays(const zf_pt_reading *r, const zf_fields *fields, zf_pt_repeat *out) {
    double low = 0.0;
    double high = 0.0;
    const bool low_good = zf_fields_in_range(fields, MIN_DELAY_MS, &low);
    const bool high_good = zf_fields_in_range(fields, MAX_DELAY_MS, &high);
    if (low_good && high_good && low <= high) {
        out->delay_ms_min = low;
        out->delay_ms_max = high;
        return;
    }
    zf_report(fields, low_good && !high_good ? MAX_DELAY_MS : MIN_DELAY_MS, ZD_PETWEEN_RANDOM_INTERVAL,
              ZD_ARGS(zf_seen(r->arena, r->doc, fields->nodes[MIN_DELAY_MS]),
                      zf_seen(r->arena, r->doc, fields->nodes[MAX_DELAY_MS])));
}

static void read_repeat(const zf_pt_reading *r, const zf_fields *fields, zf_pt_definition *out) {
    const uint32_t node = fields->nodes[REPEAT];
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        zf_report(fields, REPEAT, ZD_PETWEEN_REPEAT, ZD_ARGS(zd_word("repeat"), not_this(r, node)));
        return;
    }
    zf_fields members;
    READ(&members, r, node, &zf_pt_repeat_object);
    const uint32_t mode_node = members.nodes[MODE];
    zo_text mode = {NULL, 0};
    const bool is_text = zf_text(r->doc, mode_node, &mode);
    out->repeat.mode = is_text ? (zf_pt_mode)zf_word(zf_pt_modes, ZF_PT_MODE_COUNT, mode) : ZF_PT_MODE_COUNT;
    if (out->repeat.mode == ZF_PT_MODE_COUNT) {
        const uint32_t added = zf_report(&members, MODE, ZD_PETWEEN_REPEAT,
                                         ZD_ARGS(zd_word("repeat.mode"), not_this(r, mode_node)));
        if (is_text) {
            zf_hint_nearest(r->doc, added, mode, zf_pt_modes, ZF_PT_MODE_COUNT);
        }
    } else if (zf_counts(&members, MIN_DELAY_MS, out->repeat.mode)) {
        read_delays(r, &members, &out->repeat);
    }
}

// `; its base is "x"`: what is wrong inside of an object.
static zd_arg but_it_is(const zf_pt_reading *r, const char *what, uint32_t node) {
    zb_buffer out = zb_buffer_open(r->arena);
    zb_put(&out, "; ");
    zb_put(&out, what);
    zb_put(&out, " is ");
    zb_put_text(&out, zf_seen(r->arena, r->doc, node).text);
    return zd_text((zo_text){out.data, out.size});
}

// `; default 2 is above max 1.8`
static zd_arg but_above(const zf_pt_reading *r, const char *what, double figure, const char *limit,
                        double figure_limit) {
    zb_buffer out = zb_buffer_open(r->arena);
    zb_put(&out, "; ");
    zb_put(&out, what);
    zb_put_char(&out, ' ');
    zb_put_double(&out, figure);
    zb_put(&out, figure > figure_limit ? " is above " : " is below ");
    zb_put(&out, limit);
    zb_put_char(&out, ' ');
    zb_put_double(&out, figure_limit);
    return zd_text((zo_text){out.data, out.size});
}

static void read_strength(const zf_pt_reading *r, const zf_fields *parameters, zf_pt_definition *out) {
    const uint32_t node = parameters->nodes[STRENGTH];
    zf_fields members;
    if (zf_left_out(parameters, STRENGTH) ||
        !zf_fields_open(&members, r->arena, r->doc, node, &zf_pt_strength_object)) {
        return;
    }
    static const char *const words[] = {"its default", "its min", "its max"};
    double figures[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = DEFAULT; i <= MAX; i++) {
        if (!zf_fields_in_range(&members, i, &figures[i])) {
            zf_report(&members, i, ZD_PETWEEN_PARAMETERS_STRENGTH, ZD_ARGS(but_it_is(r, words[i], members.nodes[i])));
            return;
        }
    }
    if (!(figures[MIN] <= figures[MAX])) {
        zf_report(&members, MIN, ZD_PETWEEN_PARAMETERS_STRENGTH,
                  ZD_ARGS(but_above(r, "min", figures[MIN], "max", figures[MAX])));
    } else if (!(figures[MIN] <= figures[DEFAULT] && figures[DEFAULT] <= figures[MAX])) {
        const bool low = figures[DEFAULT] < figures[MIN];
        zf_report(&members, DEFAULT, ZD_PETWEEN_PARAMETERS_STRENGTH,
                  ZD_ARGS(but_above(r, "default", figures[DEFAULT], low ? "min" : "max", figures[low ? MIN : MAX])));
    } else {
        out->strength_node = node;
        out->strength = figures[DEFAULT] + 0.0;
        out->strength_min = figures[MIN] + 0.0;
        out->strength_max = figures[MAX] + 0.0;
    }
}

static void read_parameters(const zf_pt_reading *r, const zf_fields *fields, zf_pt_definition *out) {
    const uint32_t node = fields->nodes[PARAMETERS];
    zf_fields members;
    if (!zf_left_out(fields, PARAMETERS) &&
        zf_fields_open(&members, r->arena, r->doc, node, &zf_pt_parameters_object)) {
        read_strength(r, &members, out);
    }
}

// -------------------------------------------------------------------------------------------------------- keyframes

static void report_at(const zf_pt_reading *r, const zf_fields *fields, uint32_t field, double at, double duration_ms) {
    const uint32_t added =
        zf_report(fields, field, fields->table->fields[field].id, ZD_ARGS(not_this(r, fields->nodes[field])));
    if (!(duration_ms > 0.0) || !(at > 1.0 && at <= duration_ms)) {
        return;
    }
    if (at <= 2.0) { // a little too late: say what it would mean
        zd_report_hint(r->doc->report, added,
                       "times are fractions of durationMs, not milliseconds; {} ms of {} ms would be {}",
                       ZD_ARGS(zd_number(at * duration_ms), zd_number(duration_ms), zd_number(at)));
    } else {         // most likely milliseconds
        const double fraction = (double)(int64_t)(at / duration_ms * 10000.0 + 0.5) / 10000.0; // at most 1
        zd_report_hint(r->doc->report, added,
                       "times are fractions of durationMs, not milliseconds; {} ms of {} ms is {}",
                       ZD_ARGS(zd_number(at), zd_number(duration_ms), zd_number(fraction)));
    }
}

// A time of a keyframe or event. true: it is a finite number, good or not.
static bool read_at(const zf_pt_reading *r, const zf_fields *fields, uint32_t field, double duration_ms, double *out) {
    if (zf_fields_in_range(fields, field, out)) {
        return true;
    }
    const bool finite = zf_number(r->doc, fields->nodes[field], out);
    report_at(r, fields, field, *out, duration_ms);
    return finite;
}

// The parameterised form: the first member that is wrong is reported.
static void read_scaled(const zf_pt_reading *r, const zf_fields *members, zf_pt_key *key) {
    static const char *const words[] = {"its base", "its parameter", "its amount"};
    zo_text parameter = {NULL, 0};
    uint32_t wrong = BASE;
    const zf_field *field = &members->table->fields[PARAMETER];
    if (!zf_text(r->doc, members->nodes[PARAMETER], &parameter) ||
        zf_word(field->words, field->word_count, parameter) == field->word_count) {
        wrong = PARAMETER;
    } else if (zf_fields_in_range(members, BASE, &key->base)) {
        wrong = AMOUNT;
        if (zf_fields_in_range(members, AMOUNT, &key->amount)) {
            key->base += 0.0; // -0 is 0
            key->amount += 0.0;
            key->scaled = true;
            return;
        }
    }
    const uint32_t added = zf_report(members, wrong, ZD_PETWEEN_VALUE,
                                     ZD_ARGS(but_it_is(r, words[wrong], members->nodes[wrong])));
    zd_report_hint(r->doc->report, added,
                   wrong == PARAMETER ? "strength is the only parameter there is"
                                      : "write it as { \"base\": 1, \"parameter\": \"strength\", \"amount\": 0.2 }",
                   ZD_NO_ARGS);
}

static void read_value(const zf_pt_reading *r, const zf_fields *keyframe, zf_pt_key *key) {
    const uint32_t node = keyframe->nodes[KEY_VALUE];
    if (zf_fields_in_range(keyframe, KEY_VALUE, &key->base)) {
        key->base += 0.0;
    } else if (zf_is(r->doc, node, ZJ_OBJECT)) {
        zf_fields members;
        READ(&members, r, node, &zf_pt_value_object);
        read_scaled(r, &members, key);
    } else {
        zf_report(keyframe, KEY_VALUE, ZD_PETWEEN_VALUE, ZD_ARGS(not_this(r, node)));
    }
}

static void read_easing(const zf_pt_reading *r, const zf_fields *keyframe, zf_pt_key *key) {
    const uint32_t node = keyframe->nodes[KEY_EASING];
    if (zf_left_out(keyframe, KEY_EASING)) {
        return;
    }
    zo_text text = {NULL, 0};
    const bool is_text = zf_text(r->doc, node, &text);
    key->curve = is_text ? zf_pt_easing_parse(r->arena, text) : NULL;
    if (key->curve != NULL) {
        return;
    }
    const uint32_t added = zf_report(keyframe, KEY_EASING, ZD_PETWEEN_EASING, ZD_ARGS(not_this(r, node)));
    if (is_text && text.size >= 6 && memcmp(text.data, "cubic-", 6) == 0) {
        zd_report_hint(r->doc->report, added,
                       "write cubic-bezier(x1, y1, x2, y2): plain decimal numbers, x1 and x2 from 0 to 1", ZD_NO_ARGS);
    } else if (is_text) {
        zf_hint_nearest(r->doc, added, text, zf_pt_easings, ZF_PT_EASING_COUNT);
    }
}

// true: its time is a finite number, good or not.
static bool read_keyframe(const zf_pt_reading *r, uint32_t node, double duration_ms, zf_pt_key *key) {
    *key = (zf_pt_key){.node = node};
    zf_fields members;
    if (!zf_fields_open(&members, r->arena, r->doc, node, &zf_pt_keyframe_object)) {
        return false;
    }
    const bool finite = read_at(r, &members, KEY_AT, duration_ms, &key->at);
    key->at += 0.0;
    read_value(r, &members, key);
    read_easing(r, &members, key);
    return finite;
}

static void report_duplicate_at(const zf_pt_reading *r, const zf_pt_key *first, const zf_pt_key *second) {
    const uint32_t node = zj_member(r->doc, second->node, ZB_TEXT("at"));
    const uint32_t added = zj_report(r->doc, node, ZD_PETWEEN_DUPLICATE_AT, ZD_ARGS(zd_number(second->at)));
    if (added != 0) {
        const uint32_t other = zj_member(r->doc, first->node, ZB_TEXT("at"));
        zd_report_relate(r->doc->report, added, zj_place(r->doc, other), "the time is used here first");
    }
}

// Sorts by time, reports times that stand twice, keeps the first of them and only times within 0..1.
static void settle_keys(const zf_pt_reading *r, zf_pt_track *track, const double *times) {
    const uint32_t *order = zf_sorted(r->arena, times, track->key_count);
    zf_pt_key *keys = track->keys;
    if (order != NULL) {
        keys = zb_arena_take_array(r->arena, track->key_count, sizeof *keys);
        if (keys == NULL) {
            track->key_count = 0;
            return;
        }
        for (uint32_t i = 0; i < track->key_count; i++) {
            keys[i] = track->keys[order[i]];
        }
    }
    uint32_t kept = 0;
    zf_pt_key first = {.at = -1.0}; // of those at one time
    for (uint32_t i = 0; i < track->key_count; i++) {
        const zf_pt_key key = keys[i];
        if (i > 0 && key.at == first.at) {
            report_duplicate_at(r, &first, &key);
            continue;
        }
        first = key;
        if (key.at >= 0.0 && key.at <= 1.0) {
            keys[kept++] = key;
        }
    }
    track->keys = keys;
    track->key_count = kept;
}

static void read_keyframes(const zf_pt_reading *r, const zf_fields *fields, double duration_ms, zf_pt_track *track) {
    const uint32_t node = zf_fields_items(fields, KEYFRAMES);
    if (node == 0) {
        return;
    }
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    track->keys = zb_arena_take_array(r->arena, count, sizeof *track->keys);
    double *times = zb_arena_take_array(r->arena, count, sizeof *times);
    if (track->keys == NULL || times == NULL) {
        return;
    }
    for (uint32_t key = zj_at(r->doc, node)->as.items.first; key != 0; key = zj_at(r->doc, key)->next) {
        zf_pt_key *into = &track->keys[track->key_count];
        if (read_keyframe(r, key, duration_ms, into)) {
            times[track->key_count++] = into->at;
        }
    }
    settle_keys(r, track, times);
}

// ----------------------------------------------------------------------------------------------------------- tracks

// "scaleX" alone: the layers that have it.
static void hint_layers(const zf_pt_reading *r, uint32_t added, zo_text text) {
    zb_buffer found = zb_buffer_open(r->arena);
    for (uint32_t i = 0; i < ZF_PT_PROPERTY_COUNT; i++) {
        const zo_text whole = zf_name_text(zf_pt_properties[i]);
        if (whole.size > text.size && whole.data[whole.size - text.size - 1] == '.' &&
            memcmp(whole.data + whole.size - text.size, text.data, text.size) == 0) {
            zb_put(&found, found.size > 0 ? ", " : "");
            zb_put_text(&found, whole);
        }
    }
    if (found.size > 0) {
        zd_report_hint(r->doc->report, added, "a property names its layer too: {}",
                       ZD_ARGS(zd_text((zo_text){found.data, found.size})));
    } else {
        zf_hint_nearest(r->doc, added, text, zf_pt_properties, ZF_PT_PROPERTY_COUNT);
    }
}

// Of each property the track that has it.
typedef struct track_table {
    uint32_t property_nodes[ZF_PT_PROPERTY_COUNT]; // value of `property`
} track_table;

static void read_property(const zf_pt_reading *r, const zf_fields *fields, zf_pt_kind kind, track_table *table,
                          zf_pt_track *track) {
    const uint32_t node = fields->nodes[PROPERTY];
    zo_text text = {NULL, 0};
    const bool is_text = zf_text(r->doc, node, &text);
    track->property = is_text ? zf_word(zf_pt_properties, ZF_PT_PROPERTY_COUNT, text) : ZF_PT_PROPERTY_COUNT;
    if (track->property == ZF_PT_PROPERTY_COUNT) {
        const uint32_t added = zf_report(fields, PROPERTY, ZD_PETWEEN_PROPERTY, ZD_ARGS(not_this(r, node)));
        if (is_text && added != 0) {
            hint_layers(r, added, text);
        }
        return;
    }
    uint32_t *first = &table->property_nodes[track->property];
    if (*first != 0) {
        const uint32_t added = zj_report(r->doc, node, ZD_PETWEEN_DUPLICATE_PROPERTY, ZD_ARGS(zd_text(text)));
        if (added != 0) {
            zd_report_relate(r->doc->report, added, zj_place(r->doc, *first), "the property has its track here");
        }
        return;
    }
    *first = node;
    track->active = true;
    const zf_demand *demand = &zf_pt_demands[ZF_PT_AMBIENT_LAYER];
    if (kind == demand->when_word && track->property - demand->word_first < demand->word_count) {
        zj_report(r->doc, node, demand->id, ZD_ARGS(zd_text(text)));
    }
}

static void read_tracks(const zf_pt_reading *r, const zf_fields *fields, zf_pt_definition *out) {
    const uint32_t node = zf_fields_items(fields, TRACKS);
    if (node == 0) {
        return;
    }
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    out->tracks = zb_arena_take_array(r->arena, count, sizeof *out->tracks);
    if (out->tracks == NULL) {
        return;
    }
    track_table table = {{0}};
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        zf_pt_track *track = &out->tracks[out->track_count++];
        *track = (zf_pt_track){.node = item, .property = ZF_PT_PROPERTY_COUNT};
        zf_fields members;
        if (!zf_fields_open(&members, r->arena, r->doc, item, &zf_pt_track_object)) {
            continue;
        }
        read_property(r, &members, out->kind, &table, track);
        read_keyframes(r, &members, out->duration_ms, track);
        track->active = track->active && track->key_count > 0;
    }
}

// ----------------------------------------------------------------------------------------------------------- events

static void read_pose(const zf_pt_reading *r, const zf_fields *fields, zf_pt_kind kind, zf_pt_event *event) {
    const uint32_t node = fields->nodes[EVENT_POSE];
    if (zf_left_out(fields, EVENT_POSE)) {
        return;
    }
    const zf_demand *none = &zf_pt_demands[ZF_PT_TRANSITION_NO_POSE];
    if (kind == none->when_word) { // the target is the state's, so it does not matter what stands here
        zj_report(r->doc, node, none->id, ZD_NO_ARGS);
        return;
    }
    zo_text pose = {NULL, 0};
    const bool is_text = zf_text(r->doc, node, &pose);
    const bool is_word = is_text && zf_pt_word_form(pose);
    const zf_pt_form form = is_text ? zf_pt_id_form(pose) : ZF_PT_NOT;
    if (!is_word && (form == ZF_PT_NOT || (form == ZF_PT_DOCUMENT && r->profile == ZO_PROFILE_ORIGINAL))) {
        const uint32_t added = zj_report(r->doc, node, ZD_PETWEEN_POSE_TARGET, ZD_ARGS(not_this(r, node)));
        if (is_text) {
            zf_hint_nearest(r->doc, added, pose, zf_pt_slots, ZF_PT_SLOT_COUNT);
        }
        return;
    }
    event->pose = pose;
    if (r->own) {
        return;
    }
    if (form == ZF_PT_DOCUMENT) {
        zj_report(r->doc, node, ZD_PETWEEN_NAME_NOT_PORTABLE, ZD_ARGS(zf_quoted(r->arena, r->doc, pose)));
    }
    const bool known = is_word ? zf_word(zf_pt_slots, ZF_PT_SLOT_COUNT, pose) < ZF_PT_SLOT_COUNT
                               : zb_text_equal(zf_pt_namespace(pose), ZB_TEXT("user"));
    if (!known) {
        const uint32_t added =
            zj_report(r->doc, node, ZD_PETWEEN_POSE_UNKNOWN, ZD_ARGS(zf_quoted(r->arena, r->doc, pose)));
        zf_hint_nearest(r->doc, added, pose, zf_pt_slots, ZF_PT_SLOT_COUNT);
    }
}

static void read_event(const zf_pt_reading *r, const zf_fields *fields, zf_pt_kind kind, double duration_ms,
                       zf_pt_event *event) {
    read_at(r, fields, EVENT_AT, duration_ms, &event->at);
    event->at += 0.0; // -0 is 0
    event->type = (zf_pt_event_type)zf_fields_word(fields, EVENT_TYPE);
    if (zf_counts(fields, EVENT_EFFECT, event->type)) {
        event->effect = zf_fields_word(fields, EVENT_EFFECT);
    }
    if (zf_counts(fields, EVENT_POSE, event->type)) {
        read_pose(r, fields, kind, event);
    }
}

// false: there is something, but not a list, so counting says nothing.
static bool read_events(const zf_pt_reading *r, const zf_fields *fields, zf_pt_definition *out) {
    const uint32_t node = zf_fields_items(fields, EVENTS);
    if (node == 0) {
        return zf_left_out(fields, EVENTS);
    }
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    out->events = zb_arena_take_array(r->arena, count, sizeof *out->events);
    if (out->events == NULL) {
        return true;
    }
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        zf_pt_event *event = &out->events[out->event_count++];
        *event = (zf_pt_event){.type = ZF_PT_EVENT_TYPE_COUNT, .node = item};
        zf_fields members;
        if (!zf_fields_open(&members, r->arena, r->doc, item, &zf_pt_event_object)) {
            continue;
        }
        read_event(r, &members, out->kind, out->duration_ms, event);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- definition

zf_pt_verdict zf_pt_read(const zf_pt_reading *r, uint32_t node, zf_pt_definition *out) {
    ZO_ASSERT(r->doc->report != NULL);
    const uint32_t errors_before = zd_report_errors(r->doc->report);
    *out = (zf_pt_definition){
        .doc = r->doc, .node = node, .kind = ZF_PT_KIND_COUNT, .repeat = {.mode = ZF_PT_MODE_COUNT},
        .strength = 1.0, .strength_min = 0.0, .strength_max = 3.0,
    };
    zf_fields members;
    if (!zf_fields_open(&members, r->arena, r->doc, node, &zf_pt_definition_object)) {
        return ZF_PT_INVALID;
    }
    const bool newer = read_version(r, &members);
    read_id(r, &members, out);
    read_name(r, &members, out);
    out->kind = (zf_pt_kind)zf_fields_word(&members, KIND);
    zf_fields_number(&members, DURATION_MS, &out->duration_ms);
    read_repeat(r, &members, out);
    out->repeat_node = members.nodes[REPEAT];
    read_parameters(r, &members, out);
    read_tracks(r, &members, out);
    zf_pt_nodes nodes = {
        .events = members.nodes[EVENTS], .repeat = members.nodes[REPEAT], .errors_before = errors_before};
    nodes.events_usable = read_events(r, &members, out);
    zf_pt_check_rules(r, out, &nodes);
    if (newer) {
        return ZF_PT_NEWER;
    }
    return zd_report_errors(r->doc->report) == errors_before ? ZF_PT_VALID : ZF_PT_INVALID;
}
