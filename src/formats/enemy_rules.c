// The rules between members of a clip: order and range of times, what each type of event holds, paths, ids that must
// differ or be there. Called by enemy_read.c once all members are read. What a member alone must be is said by the
// tables; here values that are no good are met (enemy.h says how they look) and no rule speaks of them.
#include <math.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "base/utf8.h"
#include "formats/enemy.h"

// ----------------------------------------------------------------------------------------------------------- reporting

static zd_arg quoted(const zf_en_reading *r, zo_text text) { return zf_quoted(r->arena, r->doc, text); }
static zd_arg not_this(const zf_en_reading *r, uint32_t node) { return zf_not(r->arena, r->doc, node); }
static uint32_t member(const zf_en_reading *r, uint32_t object, zo_text name) {
    return zj_member(r->doc, object, name);
}

// A rule that the document has not and the program behind it has; a warning says so.
static void report_game(const zf_en_reading *r, uint32_t node, zd_id id, zd_args args) {
    zd_report *report = r->doc->report;
    zd_report_raise(report, r->game_errors);
    const uint32_t added = zf_report_head(r->doc, node, id, args);
    zd_report_raise(report, false);
    if (!r->game_errors && added != 0) {
        const char *hint = zd_rule_of(id)->hint;
        zd_report_hint(report, added, "{}{}the original program refuses the file",
                       ZD_ARGS(zd_word(hint != NULL ? hint : ""), zd_word(hint != NULL ? "; " : "")));
    }
}

// A rule of both grades, here that of an error.
static void report_missing(const zf_en_reading *r, uint32_t node, zd_id id) {
    zd_report_raise(r->doc->report, true);
    zf_report_head(r->doc, node, id, ZD_ARGS(not_this(r, 0)));
    zd_report_raise(r->doc->report, false);
}

static uint32_t report_at(const zf_en_reading *r, uint32_t node, zd_id id, zd_args args) {
    return zf_report_head(r->doc, node, id, args);
}

// --------------------------------------------------------------------------------------------------------------- texts

static bool is_space(uint32_t point) {
    return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 || point == 0x202F ||
           point == 0x205F || point == 0x3000;
}

bool zf_en_blank(zo_text text) {
    for (size_t at = 0; at < text.size;) {
        if (!is_space(zb_utf8_next(text.data, text.size, &at, NULL))) {
            return false;
        }
    }
    return true;
}

bool zf_en_safe_path(zo_text path) {
    if (zf_en_blank(path) || memchr(path.data, '\\', path.size) != NULL || memchr(path.data, ':', path.size) != NULL) {
        return false;
    }
    for (size_t begin = 0; begin <= path.size;) {
        const char *slash = begin < path.size ? memchr(path.data + begin, '/', path.size - begin) : NULL;
        const size_t size = (slash != NULL ? (size_t)(slash - path.data) : path.size) - begin;
        const char *part = path.data + begin;
        if (size == 0 || (size == 1 && part[0] == '.') || (size == 2 && part[0] == '.' && part[1] == '.')) {
            return false;
        }
        begin += size + 1;
    }
    return true;
}

static bool ends_in(zo_text text, zo_text end) { // of any case; `end` in lower case
    if (text.size < end.size) {
        return false;
    }
    for (size_t i = 0; i < end.size; i++) {
        const char c = text.data[text.size - end.size + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != end.data[i]) {
            return false;
        }
    }
    return true;
}

static bool begins(zo_text text, zo_text with) {
    return text.size >= with.size && memcmp(text.data, with.data, with.size) == 0;
}

static bool outside(double value, double low, double high) { return value < low || value > high; } // NaN is not

// ----------------------------------------------------------------------------------------------------------------- ids

enum { ID_SIZE_MAX = 160, NAME_UNITS_MAX = 100 };

static bool is_part(zo_text part) {
    for (size_t i = 0; i < part.size; i++) {
        const char c = part.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '-' && i > 0))) {
            return false;
        }
    }
    return part.size > 0;
}

static zo_text namespace_of(zo_text id) {
    const char *colon = id.size > 0 ? memchr(id.data, ':', id.size) : NULL;
    return (zo_text){id.data, colon != NULL ? (size_t)(colon - id.data) : 0};
}

static void check_id(const zf_en_reading *r, const char *name, zo_text id, uint32_t node) {
    if (id.size > ID_SIZE_MAX) { // all of one byte, as its form demands
        report_game(r, node, ZD_ENEMY_ID_LENGTH, ZD_ARGS(zd_word(name), zd_int((int64_t)id.size)));
    }
    for (size_t begin = namespace_of(id).size + 1; begin <= id.size && id.size > 0;) {
        const char *slash = begin < id.size ? memchr(id.data + begin, '/', id.size - begin) : NULL;
        const zo_text part = {id.data + begin, (slash != NULL ? (size_t)(slash - id.data) : id.size) - begin};
        if (!is_part(part)) {
            report_game(r, node, ZD_ENEMY_ID_PATH_SEGMENT, ZD_ARGS(quoted(r, part), zd_word(name)));
            return; // once for each text
        }
        begin += part.size + 1;
    }
}

static void check_names(const zf_en_reading *r, const zf_en_clip *clip) {
    check_id(r, "id", clip->id, clip->id_node);
    check_id(r, "enemy", clip->enemy, clip->enemy_node);
    const zo_text own = namespace_of(clip->id), other = namespace_of(clip->enemy);
    if (own.size > 0 && other.size > 0 && !zb_text_equal(own, other)) {
        report_game(r, clip->enemy_node, ZD_ENEMY_ENEMY_NAMESPACE, ZD_ARGS(quoted(r, other), quoted(r, own)));
    }
    const zo_text name = clip->display_name;
    if (name.size > 0 && zf_en_blank(name)) {
        report_at(r, clip->display_name_node, ZD_ENEMY_DISPLAY_NAME_BLANK, ZD_NO_ARGS);
    }
    const uint32_t units = zb_utf16_count(name.data, name.size);
    if (units > NAME_UNITS_MAX) {
        report_game(r, clip->display_name_node, ZD_ENEMY_DISPLAY_NAME_UTF16, ZD_ARGS(zd_int(units)));
    }
}

// --------------------------------------------------------------------------------------------------------------- times

// What the rules of one kind of list are called. NONE: there is no such rule.
typedef struct time_rules { zd_id order, range; } time_rules;
static const zd_id NONE = ZD_COUNT;

// Where the walk along a list is.
typedef struct time_walk {
    time_rules rules;
    double duration, latest; // latest: of the item in front; NaN: none, or no good
} time_walk;

static time_walk walk_open(zd_id order, zd_id range, double duration) {
    return (time_walk){{order, range}, duration, (double)NAN};
}

static void walk_time(const zf_en_reading *r, time_walk *walk, double time, uint32_t item) {
    const float at = zf_en_f32(time);
    if (at < zf_en_f32(walk->latest)) {
        report_at(r, member(r, item, ZB_TEXT("time")), walk->rules.order,
                  ZD_ARGS(zd_number(time), zd_number(walk->latest)));
    }
    if (walk->rules.range != NONE && at > zf_en_f32(walk->duration)) {
        report_at(r, member(r, item, ZB_TEXT("time")), walk->rules.range,
                  ZD_ARGS(zd_number(time), zd_number(walk->duration)));
    }
    walk->latest = time;
}

// -------------------------------------------------------------------------------------------------------------- tracks

static bool is_infinite(double value) { return isinf(zf_en_f32(value)); }

static void check_keys(const zf_en_reading *r, const zf_en_clip *clip, const zf_en_track *track) {
    time_walk walk = walk_open(ZD_ENEMY_KEY_ORDER, ZD_ENEMY_KEY_RANGE, clip->duration_s);
    for (uint32_t i = 0; i < track->keys.count; i++) {
        const zf_en_key *key = &track->keys.items[i];
        if (is_infinite(key->value)) {
            const uint32_t node = member(r, key->node, ZB_TEXT("value"));
            report_at(r, node, ZD_ENEMY_KEY_FINITE, ZD_ARGS(zd_word("value"), zf_seen(r->arena, r->doc, node)));
        }
        if (is_infinite(key->time)) { // and so neither in order nor in range
            const uint32_t node = member(r, key->node, ZB_TEXT("time"));
            report_at(r, node, ZD_ENEMY_KEY_FINITE, ZD_ARGS(zd_word("time"), zf_seen(r->arena, r->doc, node)));
            continue;
        }
        walk_time(r, &walk, key->time, key->node);
    }
}

static void check_tracks(const zf_en_reading *r, const zf_en_clip *clip) {
    zb_intern targets = zb_intern_open(r->arena);
    uint32_t (*firsts)[ZF_EN_PROPERTY_COUNT] = zb_arena_take_array(r->arena, clip->track_count, sizeof *firsts);
    for (uint32_t i = 0; firsts != NULL && i < clip->track_count; i++) {
        const zf_en_track *track = &clip->tracks[i];
        check_keys(r, clip, track);
        const uint32_t target = track->target.size > 0 ? zb_intern_id(&targets, track->target) : 0;
        if (target == 0 || track->property == ZF_EN_PROPERTY_COUNT) {
            continue;
        }
        uint32_t *first = &firsts[target - 1][track->property];
        if (*first == 0) {
            *first = track->node;
            continue;
        }
        const uint32_t added =
            report_at(r, track->node, ZD_ENEMY_TRACK_DUPLICATE,
                      ZD_ARGS(zd_word(zf_en_properties[track->property].text), quoted(r, track->target)));
        zd_place place = zj_place(r->doc, *first);
        place.length = 1;
        zd_report_relate(r->doc->report, added, place, "the property has its track here");
    }
}

static void check_object_tracks(const zf_en_reading *r, const zf_en_clip *clip) {
    for (uint32_t t = 0; t < clip->object_track_count; t++) {
        time_walk walk = walk_open(ZD_ENEMY_OBJECT_KEY_ORDER, ZD_ENEMY_OBJECT_KEY_RANGE, clip->duration_s);
        for (uint32_t i = 0; i < clip->object_tracks[t].key_count; i++) {
            const zf_en_sprite_key *key = &clip->object_tracks[t].keys[i];
            walk_time(r, &walk, key->time, key->node);
            if (key->name.size > 0 && zf_en_blank(key->name)) {
                report_at(r, key->name_node, ZD_ENEMY_OBJECT_KEY_NAME, ZD_NO_ARGS);
            }
            if (key->asset.size > 0 && !(zf_en_safe_path(key->asset) && ends_in(key->asset, ZB_TEXT(".png")))) {
                report_at(r, key->asset_node, ZD_ENEMY_OBJECT_KEY_ASSET, ZD_ARGS(not_this(r, key->asset_node)));
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- events

static void check_range(const zf_en_reading *r, const zf_en_event *event, zf_en_argument argument, double value,
                        double low, double high, zd_id id) {
    const uint32_t node = event->nodes[argument];
    if (node != 0 && outside(value, low, high)) {
        report_game(r, node, id, ZD_ARGS(not_this(r, node)));
    }
}

static void check_impulse(const zf_en_reading *r, const zf_en_event *event) {
    if (event->nodes[ZF_EN_X] == 0 && event->nodes[ZF_EN_Y] == 0) {
        report_at(r, event->node, ZD_ENEMY_IMPULSE_AXIS, ZD_NO_ARGS);
    }
    const double values[2] = {event->x, event->y};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t node = event->nodes[ZF_EN_X + i];
        if (node != 0 && outside(values[i], -1000.0, 1000.0)) {
            report_game(r, node, ZD_ENEMY_IMPULSE_RANGE, ZD_ARGS(zd_word(i == 0 ? "x" : "y"), not_this(r, node)));
        }
    }
}

static void check_sound(const zf_en_reading *r, const zf_en_event *event) {
    const uint32_t node = event->nodes[ZF_EN_FILE];
    const zo_text file = event->file;
    if (node == 0 || (zf_is(r->doc, node, ZJ_STRING) &&
                      !(zf_en_safe_path(file) && (ends_in(file, ZB_TEXT(".wav")) || ends_in(file, ZB_TEXT(".ogg")))))) {
        report_at(r, node != 0 ? node : event->node, ZD_ENEMY_SOUND_FILE, ZD_ARGS(not_this(r, node)));
    }
    check_range(r, event, ZF_EN_VOLUME, event->volume, 0.0, 1.0, ZD_ENEMY_SOUND_VOLUME);
}

static void check_shake(const zf_en_reading *r, const zf_en_event *event) {
    if (event->nodes[ZF_EN_AMOUNT] == 0) {
        report_missing(r, event->node, ZD_ENEMY_SHAKE_AMOUNT);
    }
    check_range(r, event, ZF_EN_AMOUNT, event->amount, 0.0, 1.0, ZD_ENEMY_SHAKE_AMOUNT);
}

static void check_sprite_effect(const zf_en_reading *r, const zf_en_event *event) {
    const uint32_t node = event->nodes[ZF_EN_REGION];
    if (node == 0 || (zf_is(r->doc, node, ZJ_STRING) && zf_en_blank(event->region))) {
        report_at(r, node != 0 ? node : event->node, ZD_ENEMY_SPRITE_EFFECT_REGION, ZD_ARGS(not_this(r, node)));
    }
    const float duration = zf_en_f32(event->duration_s);
    if (duration < 0.02f || duration > 30.0f) {
        const uint32_t at = event->nodes[ZF_EN_DURATION_SECONDS];
        report_game(r, at, ZD_ENEMY_SPRITE_EFFECT_DURATION, ZD_ARGS(not_this(r, at)));
    }
    check_range(r, event, ZF_EN_SCALE, event->scale, 0.01, 100.0, ZD_ENEMY_SPRITE_EFFECT_SCALE);
}

static void check_cue(const zf_en_reading *r, const zf_en_event *event) {
    const uint32_t node = event->nodes[ZF_EN_CUE_NAME];
    if (node == 0) {
        report_missing(r, event->node, ZD_ENEMY_CUE_NAME);
    } else if (event->cue.size > 0 && memchr(event->cue.data, '/', event->cue.size) != NULL) {
        report_game(r, node, ZD_ENEMY_CUE_NAME, ZD_ARGS(not_this(r, node)));
    }
    check_range(r, event, ZF_EN_AMOUNT, event->amount, -100000.0, 100000.0, ZD_ENEMY_CUE_AMOUNT);
}

static void check_event(const zf_en_reading *r, const zf_en_clip *clip, const zf_en_event *event) {
    if (event->type == ZF_EN_EVENT_TYPE_COUNT) {
        return; // what it should hold is not known
    }
    const zd_arg type = zd_word(zf_en_event_types[event->type].text);
    if (clip->loop && event->type != ZF_EN_CUE) {
        report_game(r, member(r, event->node, ZB_TEXT("type")), ZD_ENEMY_EVENT_LOOP, ZD_ARGS(type));
    }
    for (uint32_t i = 0; i < ZF_EN_ARGUMENT_COUNT; i++) {
        if (event->nodes[i] != 0 && (zf_en_arguments_of[event->type] >> i & 1) == 0) {
            const zo_text name = zj_key(r->doc, event->nodes[i]);
            report_game(r, event->nodes[i], ZD_ENEMY_EVENT_FIELD, ZD_ARGS(zd_text(name), type));
        }
    }
    switch (event->type) {
    case ZF_EN_IMPULSE: check_impulse(r, event); break;
    case ZF_EN_SOUND: check_sound(r, event); break;
    case ZF_EN_CAMERA_SHAKE: check_shake(r, event); break;
    case ZF_EN_SPRITE_EFFECT: check_sprite_effect(r, event); break;
    case ZF_EN_CUE: check_cue(r, event); break;
    default: break;
    }
}

static void check_events(const zf_en_reading *r, const zf_en_clip *clip) {
    time_walk walk = walk_open(ZD_ENEMY_EVENT_ORDER, ZD_ENEMY_EVENT_RANGE, clip->duration_s);
    for (uint32_t i = 0; i < clip->event_count; i++) {
        walk_time(r, &walk, clip->events[i].time, clip->events[i].node);
        check_event(r, clip, &clip->events[i]);
    }
}

// ------------------------------------------------------------------------------------------------------------- effects

// Whatever the mode is, and whether or not the module is switched on: the original reads them all.
static void check_curve(const zf_en_reading *r, const zf_en_curve *curve) {
    const zf_en_keys lists[2] = {curve->min, curve->max};
    for (uint32_t l = 0; l < 2; l++) {
        time_walk walk = walk_open(ZD_ENEMY_CURVE_KEY_ORDER, NONE, 0.0);
        for (uint32_t i = 0; i < lists[l].count; i++) {
            walk_time(r, &walk, lists[l].items[i].time, lists[l].items[i].node);
        }
    }
}

static void check_gradient(const zf_en_reading *r, const zf_en_gradient *gradient) {
    const zf_en_color_key *const lists[2] = {gradient->min, gradient->max};
    const uint32_t counts[2] = {gradient->min_count, gradient->max_count};
    for (uint32_t l = 0; l < 2; l++) {
        time_walk walk = walk_open(ZD_ENEMY_GRADIENT_KEY_ORDER, NONE, 0.0);
        for (uint32_t i = 0; i < counts[l]; i++) {
            walk_time(r, &walk, lists[l][i].time, lists[l][i].node);
        }
    }
}

static void check_curves(const zf_en_reading *r, const zf_en_effect *e) {
    const zf_en_curve *const curves[] = {
        &e->start_lifetime_curve, &e->start_speed_curve, &e->start_size_curve, &e->gravity_curve,
        &e->emission_rate_curve, &e->emission_rate_over_distance, &e->sheet_frame_over_time, &e->sheet_start_frame,
        &e->noise.scroll_speed,
    };
    for (uint32_t i = 0; i < ZB_COUNT(curves); i++) {
        check_curve(r, curves[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        check_curve(r, &e->size_over_lifetime.axis[i]);
        check_curve(r, &e->velocity_over_lifetime.axis[i]);
        check_curve(r, &e->rotation_over_lifetime.axis[i]);
        check_curve(r, &e->noise.strength[i]);
    }
    check_gradient(r, &e->start_color_gradient);
    check_gradient(r, &e->color_over_lifetime);
}

static void check_bursts(const zf_en_reading *r, const zf_en_effect *effect) {
    for (uint32_t i = 0; i < effect->burst_count; i++) {
        const zf_en_burst *burst = &effect->bursts[i];
        if (burst->count_max < burst->count_min) {
            report_at(r, member(r, burst->node, ZB_TEXT("countMax")), ZD_ENEMY_BURST_COUNT_ORDER,
                      ZD_ARGS(zd_number(burst->count_max), zd_number(burst->count_min)));
        }
    }
}

static void check_effect(const zf_en_reading *r, const zf_en_effect *effect) {
    if (effect->target_node != 0 && !begins(effect->target, ZB_TEXT("bone/")) &&
        !begins(effect->target, ZB_TEXT("enemy-bone/"))) {
        report_game(r, effect->target_node, ZD_ENEMY_EFFECT_TARGET, ZD_ARGS(not_this(r, effect->target_node)));
    }
    if (effect->texture.size > 0 && !zf_en_safe_path(effect->texture)) {
        report_at(r, effect->texture_node, ZD_ENEMY_EFFECT_TEXTURE_PATH, ZD_ARGS(not_this(r, effect->texture_node)));
    }
    if (effect->tiles_x > 0 && effect->tiles_y > 0 && effect->sheet_frame >= effect->tiles_x * effect->tiles_y) {
        report_at(r, member(r, effect->node, ZB_TEXT("textureSheetFrame")), ZD_ENEMY_EFFECT_SHEET_FRAME,
                  ZD_ARGS(zd_int(effect->sheet_frame), zd_int(effect->tiles_x), zd_int(effect->tiles_y),
                          zd_int((int64_t)effect->tiles_x * effect->tiles_y - 1)));
    }
    if (effect->kind == ZF_EN_DECAL && effect->texture_node == 0) {
        report_at(r, effect->node, ZD_ENEMY_DECAL_TEXTURE, ZD_NO_ARGS);
    }
    check_bursts(r, effect);
    check_curves(r, effect);
}

static void check_effects(const zf_en_reading *r, const zf_en_clip *clip) {
    zb_intern ids = zb_intern_open(r->arena);
    uint32_t *firsts = zb_arena_take_array(r->arena, clip->effect_count, sizeof *firsts); // nodes, by id
    for (uint32_t i = 0; firsts != NULL && i < clip->effect_count; i++) {
        const zf_en_effect *effect = &clip->effects[i];
        const uint32_t known = zb_intern_count(&ids);
        const uint32_t id = effect->id_node != 0 ? zb_intern_id(&ids, effect->id) : 0;
        if (id > known) {
            firsts[id - 1] = effect->id_node;
        } else if (id != 0) {
            const uint32_t added =
                report_at(r, effect->id_node, ZD_ENEMY_EFFECT_ID_UNIQUE, ZD_ARGS(quoted(r, effect->id)));
            zd_report_relate(r->doc->report, added, zj_place(r->doc, firsts[id - 1]), "the first one is here");
            continue; // the rest of it is not looked at
        }
        check_effect(r, effect);
    }
}

enum { CANDIDATES_MAX = ZF_FIELDS_MAX }; // of the words that zf_hint_nearest takes

static void report_no_effect(const zf_en_reading *r, const zf_en_clip *clip, uint32_t node) {
    const uint32_t added = report_at(r, node, ZD_ENEMY_TRIGGER_EFFECT, ZD_ARGS(quoted(r, zj_text(r->doc, node))));
    zf_name names[CANDIDATES_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; added != 0 && i < clip->effect_count && count < CANDIDATES_MAX; i++) {
        const char *id = zb_arena_text(r->arena, clip->effects[i].id);
        if (id != NULL) {
            names[count++] = (zf_name){id, (uint32_t)clip->effects[i].id.size};
        }
    }
    zf_hint_nearest(r->doc, added, zj_text(r->doc, node), names, count);
}

static void check_triggers(const zf_en_reading *r, const zf_en_clip *clip) {
    time_walk walk = walk_open(ZD_ENEMY_TRIGGER_ORDER, ZD_ENEMY_TRIGGER_RANGE, clip->duration_s);
    for (uint32_t i = 0; i < clip->trigger_count; i++) {
        const zf_en_trigger *trigger = &clip->triggers[i];
        walk_time(r, &walk, trigger->time, trigger->node);
        for (uint32_t e = 0; e < trigger->effect_count; e++) {
            if (trigger->effects[e] == UINT32_MAX && zf_is(r->doc, trigger->nodes[e], ZJ_STRING)) {
                report_no_effect(r, clip, trigger->nodes[e]);
            }
        }
    }
}

void zf_en_check_rules(const zf_en_reading *r, const zf_en_clip *clip) {
    check_names(r, clip);
    check_tracks(r, clip);
    check_object_tracks(r, clip);
    check_events(r, clip);
    check_effects(r, clip);
    check_triggers(r, clip);
}
