// From JSON to a clip: opens object after object by the tables of enemy_fields.c, which judge every member, and puts
// what they hold into plain structures. Called by the enemy reader. The rules between members are in enemy_rules.c;
// nothing here knows programs.
#include <math.h>

#include "base/intern.h"
#include "formats/enemy_fields.h"

static bool open_object(const zf_en_reading *r, zf_fields *fields, uint32_t node, const zf_object *table) {
    return zf_fields_check(fields, r->arena, r->doc, node, table);
}

// An array to be filled, [*count], and its first item. NULL: there is nothing to fill.
static void *open_items(const zf_en_reading *r, const zf_fields *fields, uint32_t field, size_t size, uint32_t *item,
                        uint32_t *count) {
    *item = zf_checked_items(fields, field, count);
    void *items = *count > 0 ? zb_arena_take_array(r->arena, *count, size) : NULL;
    *count = items != NULL ? *count : 0;
    return items;
}

static uint32_t next_of(const zf_en_reading *r, uint32_t item) { return zj_at(r->doc, item)->next; }

// A whole number within the table's range, which 32 bits hold. What is wrong is 0.
static uint32_t whole(const zf_fields *fields, uint32_t field, uint32_t absent) {
    const double number = zf_checked_number(fields, field, absent);
    return number >= 0.0 ? (uint32_t)number : 0;
}

static zo_text text_of(const zf_fields *fields, uint32_t field) { return zf_checked_text(fields, field); }
static double number_of(const zf_fields *fields, uint32_t field) { return zf_checked_number(fields, field, 0.0); }

// ----------------------------------------------------------------------------------------------------- curves, colours

static zf_en_key read_key(const zf_en_reading *r, uint32_t node, const zf_object *table) {
    zf_fields f;
    const double none = (double)NAN;
    if (!open_object(r, &f, node, table)) {
        return (zf_en_key){none, none, none, none, node};
    }
    return (zf_en_key){number_of(&f, KEY_TIME), number_of(&f, KEY_VALUE), zf_checked_number(&f, KEY_IN, none),
                       zf_checked_number(&f, KEY_OUT, none), node};
}

static zf_en_keys read_keys(const zf_en_reading *r, const zf_fields *fields, uint32_t field, const zf_object *table) {
    uint32_t item = 0, count = 0;
    zf_en_key *keys = open_items(r, fields, field, sizeof *keys, &item, &count);
    for (uint32_t i = 0; i < count; i++, item = next_of(r, item)) {
        keys[i] = read_key(r, item, table);
    }
    return (zf_en_keys){keys, count};
}

static zf_en_curve read_curve(const zf_en_reading *r, const zf_fields *fields, uint32_t field) {
    zf_en_curve out = {.node = fields->nodes[field]};
    zf_fields f;
    if (out.node == 0 || fields->wrong[field] || !open_object(r, &f, out.node, &zf_en_curve_object)) {
        return out;
    }
    out.mode = (zf_en_curve_mode)zf_checked_word(&f, CURVE_MODE, ZF_EN_CURVE_MODE_COUNT);
    out.multiplier = number_of(&f, CURVE_MULTIPLIER);
    out.constant_min = number_of(&f, CURVE_CONSTANT_MIN);
    out.constant_max = number_of(&f, CURVE_CONSTANT_MAX);
    out.min = read_keys(r, &f, CURVE_MIN, &zf_en_curve_key_object);
    out.max = read_keys(r, &f, CURVE_MAX, &zf_en_curve_key_object);
    return out;
}

static zf_en_color read_color(const zf_en_reading *r, const zf_fields *fields, uint32_t field) {
    zf_fields f;
    if (fields->nodes[field] == 0 || fields->wrong[field] ||
        !open_object(r, &f, fields->nodes[field], &zf_en_color_object)) {
        return (zf_en_color){1.0, 1.0, 1.0, 1.0};
    }
    return (zf_en_color){number_of(&f, COLOR_R), number_of(&f, COLOR_G), number_of(&f, COLOR_B),
                         number_of(&f, COLOR_A)};
}

static zf_en_color_key read_color_key(const zf_en_reading *r, uint32_t node) {
    zf_en_color_key out = {.time = (double)NAN, .node = node};
    zf_fields f;
    if (open_object(r, &f, node, &zf_en_color_key_object)) {
        out.time = number_of(&f, COLOR_KEY_TIME);
        out.color = read_color(r, &f, COLOR_KEY_COLOR);
    }
    return out;
}

static const zf_en_color_key *read_color_keys(const zf_en_reading *r, const zf_fields *fields, uint32_t field,
                                              uint32_t *count) {
    uint32_t item = 0;
    zf_en_color_key *keys = open_items(r, fields, field, sizeof *keys, &item, count);
    for (uint32_t i = 0; i < *count; i++, item = next_of(r, item)) {
        keys[i] = read_color_key(r, item);
    }
    return keys;
}

static zf_en_gradient read_gradient(const zf_en_reading *r, const zf_fields *fields, uint32_t field) {
    zf_en_gradient out = {.node = fields->nodes[field]};
    zf_fields f;
    if (out.node == 0 || fields->wrong[field] || !open_object(r, &f, out.node, &zf_en_gradient_object)) {
        return out;
    }
    out.mode = (zf_en_gradient_mode)zf_checked_word(&f, GRADIENT_MODE, ZF_EN_GRADIENT_MODE_COUNT);
    out.color_min = read_color(r, &f, GRADIENT_COLOR_MIN);
    out.color_max = read_color(r, &f, GRADIENT_COLOR_MAX);
    out.min = read_color_keys(r, &f, GRADIENT_MIN, &out.min_count);
    out.max = read_color_keys(r, &f, GRADIENT_MAX, &out.max_count);
    return out;
}

static zf_en_axes read_axes(const zf_en_reading *r, const zf_fields *fields, uint32_t field) {
    zf_en_axes out = {.node = fields->nodes[field]};
    zf_fields f;
    if (out.node == 0 || fields->wrong[field] || !open_object(r, &f, out.node, &zf_en_axes_object)) {
        return out;
    }
    out.enabled = zf_checked_true(&f, AXES_ENABLED, false);
    out.separate = zf_checked_true(&f, AXES_SEPARATE, false);
    out.space = (zf_en_space)zf_checked_word(&f, AXES_SPACE, ZF_EN_LOCAL);
    for (uint32_t i = 0; i < 3; i++) {
        out.axis[i] = read_curve(r, &f, AXES_X + i);
    }
    return out;
}

static zf_en_noise read_noise(const zf_en_reading *r, const zf_fields *fields, uint32_t field) {
    zf_en_noise out = {.node = fields->nodes[field]};
    zf_fields f;
    if (out.node == 0 || fields->wrong[field] || !open_object(r, &f, out.node, &zf_en_noise_object)) {
        return out;
    }
    out.enabled = zf_checked_true(&f, NOISE_ENABLED, false);
    out.separate = zf_checked_true(&f, NOISE_SEPARATE, false);
    out.damping = zf_checked_true(&f, NOISE_DAMPING, false);
    for (uint32_t i = 0; i < 3; i++) {
        out.strength[i] = read_curve(r, &f, NOISE_STRENGTH_X + i);
    }
    out.scroll_speed = read_curve(r, &f, NOISE_SCROLL_SPEED);
    out.frequency = number_of(&f, NOISE_FREQUENCY);
    out.octave_multiplier = number_of(&f, NOISE_OCTAVE_MULTIPLIER);
    out.octave_scale = number_of(&f, NOISE_OCTAVE_SCALE);
    out.octave_count = whole(&f, NOISE_OCTAVE_COUNT, 0);
    out.quality = (zf_en_quality)zf_checked_word(&f, NOISE_QUALITY, ZF_EN_HIGH);
    return out;
}

// ------------------------------------------------------------------------------------------------------------- effects

static void read_bursts(const zf_en_reading *r, const zf_fields *fields, zf_en_effect *out) {
    uint32_t item = 0;
    zf_en_burst *bursts = open_items(r, fields, BURSTS, sizeof *bursts, &item, &out->burst_count);
    out->bursts = bursts;
    for (uint32_t i = 0; i < out->burst_count; i++, item = next_of(r, item)) {
        zf_en_burst *burst = &bursts[i];
        zf_fields f;
        burst->node = item;
        if (open_object(r, &f, item, &zf_en_burst_object)) {
            burst->time = number_of(&f, BURST_TIME);
            burst->count_min = number_of(&f, BURST_COUNT_MIN);
            burst->count_max = number_of(&f, BURST_COUNT_MAX);
            burst->cycle_count = whole(&f, BURST_CYCLE_COUNT, 0);
            burst->repeat_interval = number_of(&f, BURST_REPEAT_INTERVAL);
            burst->probability = number_of(&f, BURST_PROBABILITY);
        }
    }
}

static void read_sheet(const zf_en_reading *r, const zf_fields *f, zf_en_effect *out) {
    out->tiles_x = whole(f, SHEET_TILES_X, 0);
    out->tiles_y = whole(f, SHEET_TILES_Y, 0);
    out->sheet_frame = whole(f, SHEET_FRAME, 0);
    out->sprites_node = f->nodes[SHEET_SPRITES];
    uint32_t item = 0;
    zo_text *sprites = open_items(r, f, SHEET_SPRITES, sizeof *sprites, &item, &out->sheet_sprite_count);
    out->sheet_sprites = sprites;
    for (uint32_t i = 0; i < out->sheet_sprite_count; i++, item = next_of(r, item)) {
        sprites[i] = zf_is(r->doc, item, ZJ_STRING) ? zj_text(r->doc, item) : ZB_TEXT("");
    }
    out->sheet_frame_over_time = read_curve(r, f, SHEET_FRAME_OVER_TIME);
    out->sheet_start_frame = read_curve(r, f, SHEET_START_FRAME);
    out->sheet_animation = (zf_en_sheet)zf_checked_word(f, SHEET_ANIMATION, ZF_EN_WHOLE_SHEET);
    out->sheet_cycle_count = whole(f, SHEET_CYCLE_COUNT, 1);
    out->sheet_row = whole(f, SHEET_ROW_INDEX, 0);
    out->sheet_random_row = zf_checked_true(f, SHEET_USE_RANDOM_ROW, false);
}

static zf_en_range range_of(const zf_fields *f, uint32_t min) {
    return (zf_en_range){number_of(f, min), number_of(f, min + 1)};
}

static void read_start(const zf_en_reading *r, const zf_fields *f, zf_en_effect *out) {
    out->start_lifetime = range_of(f, START_LIFETIME_MIN);
    out->start_speed = range_of(f, START_SPEED_MIN);
    out->start_size = range_of(f, START_SIZE_MIN);
    out->gravity = range_of(f, GRAVITY_MIN);
    out->emission_rate = range_of(f, EMISSION_RATE_MIN);
    out->start_color_min = read_color(r, f, START_COLOR_MIN);
    out->start_color_max = read_color(r, f, START_COLOR_MAX);
    out->start_lifetime_curve = read_curve(r, f, START_LIFETIME_CURVE);
    out->start_speed_curve = read_curve(r, f, START_SPEED_CURVE);
    out->start_size_curve = read_curve(r, f, START_SIZE_CURVE);
    out->gravity_curve = read_curve(r, f, GRAVITY_CURVE);
    out->emission_rate_curve = read_curve(r, f, EMISSION_RATE_CURVE);
    out->emission_rate_over_distance = read_curve(r, f, EMISSION_RATE_OVER_DISTANCE_CURVE);
    out->start_color_gradient = read_gradient(r, f, START_COLOR_GRADIENT);
}

static void read_look(const zf_fields *f, zf_en_effect *out) {
    out->sorting_layer = text_of(f, SORTING_LAYER);
    out->sorting_order = number_of(f, EFFECT_SORTING_ORDER);
    out->render_mode = text_of(f, RENDER_MODE);
    out->mesh_node = f->nodes[MESH];
    out->mesh = text_of(f, MESH);
    out->material_node = f->nodes[MATERIAL];
    out->material = text_of(f, MATERIAL);
    out->texture_node = f->nodes[TEXTURE];
    out->texture = text_of(f, TEXTURE);
    out->light_intensity = zf_checked_number(f, LIGHT_INTENSITY, 1.0);
    out->light_radius = zf_checked_number(f, LIGHT_RADIUS, 1.0);
    out->trail_width = zf_checked_number(f, TRAIL_WIDTH, 0.12);
    out->trail_time = zf_checked_number(f, TRAIL_TIME, 0.25);
    out->decal_pixels_per_unit = zf_checked_number(f, DECAL_PIXELS_PER_UNIT, 32.0);
}

static void read_effect(const zf_en_reading *r, uint32_t node, zf_en_effect *out) {
    out->node = node;
    out->kind = ZF_EN_KIND_COUNT;
    out->id = out->target = out->texture = (zo_text){"", 0};
    zf_fields f;
    if (!open_object(r, &f, node, &zf_en_effect_object)) {
        return;
    }
    zf_text(r->doc, f.nodes[EFFECT_ID], &out->id); // also one of a wrong form: triggers mean it
    out->id_node = f.nodes[EFFECT_ID];
    out->kind = (zf_en_kind)zf_checked_word(&f, EFFECT_KIND, ZF_EN_PARTICLE);
    out->trigger = text_of(&f, EFFECT_TRIGGER);
    out->index = number_of(&f, EFFECT_INDEX);
    out->target_node = f.wrong[EFFECT_TARGET] ? 0 : f.nodes[EFFECT_TARGET];
    out->target = text_of(&f, EFFECT_TARGET);
    out->duration_s = number_of(&f, EFFECT_DURATION_SECONDS);
    out->loop = zf_checked_true(&f, EFFECT_LOOP, false);
    out->max_particles = whole(&f, EFFECT_MAX_PARTICLES, 0);
    for (uint32_t i = 0; i < 3; i++) {
        out->scale[i] = number_of(&f, SCALE_X + i);
        out->position[i] = number_of(&f, POSITION_X + i);
        out->rotation[i] = number_of(&f, ROTATION_X + i);
    }
    out->space = (zf_en_space)zf_checked_word(&f, SIMULATION_SPACE, ZF_EN_SPACE_COUNT);
    out->shape_enabled = zf_checked_true(&f, SHAPE_ENABLED, false);
    out->shape = text_of(&f, SHAPE);
    out->shape_radius = number_of(&f, SHAPE_RADIUS);
    out->shape_angle = number_of(&f, SHAPE_ANGLE);
    read_start(r, &f, out);
    read_sheet(r, &f, out);
    read_bursts(r, &f, out);
    out->color_over_lifetime = read_gradient(r, &f, COLOR_OVER_LIFETIME);
    out->size_over_lifetime = read_axes(r, &f, SIZE_OVER_LIFETIME);
    out->velocity_over_lifetime = read_axes(r, &f, VELOCITY_OVER_LIFETIME);
    out->rotation_over_lifetime = read_axes(r, &f, ROTATION_OVER_LIFETIME);
    out->noise = read_noise(r, &f, NOISE);
    read_look(&f, out);
}

static void read_effects(const zf_en_reading *r, const zf_fields *fields, zf_en_clip *out) {
    uint32_t item = 0;
    zf_en_effect *effects = open_items(r, fields, EFFECTS, sizeof *effects, &item, &out->effect_count);
    out->effects = effects;
    for (uint32_t i = 0; i < out->effect_count; i++, item = next_of(r, item)) {
        read_effect(r, item, &effects[i]);
    }
}

// Ids to effects: of those with one id the first.
static uint32_t find_effect(const zb_intern *ids, const uint32_t *firsts, zo_text id) {
    const uint32_t number = id.size > 0 ? zb_intern_find(ids, id) : 0;
    return number != 0 && firsts != NULL ? firsts[number - 1] : UINT32_MAX;
}

static void read_trigger(const zf_en_reading *r, uint32_t node, const zb_intern *ids, const uint32_t *firsts,
                         zf_en_trigger *out) {
    *out = (zf_en_trigger){.node = node, .time = (double)NAN};
    zf_fields f;
    if (!open_object(r, &f, node, &zf_en_trigger_object)) {
        return;
    }
    out->time = number_of(&f, TRIGGER_TIME);
    out->source = text_of(&f, TRIGGER_SOURCE);
    uint32_t item = 0, count = 0;
    uint32_t *nodes = open_items(r, &f, TRIGGER_EFFECTS, sizeof *nodes, &item, &count);
    uint32_t *effects = count > 0 ? zb_arena_take_array(r->arena, count, sizeof *effects) : NULL;
    for (uint32_t i = 0; effects != NULL && i < count; i++, item = next_of(r, item)) {
        nodes[i] = item;
        effects[i] = zf_is(r->doc, item, ZJ_STRING) ? find_effect(ids, firsts, zj_text(r->doc, item)) : UINT32_MAX;
        out->effect_count++;
    }
    out->nodes = nodes;
    out->effects = effects;
}

static void read_triggers(const zf_en_reading *r, const zf_fields *fields, zf_en_clip *out) {
    zb_intern ids = zb_intern_open(r->arena);
    uint32_t *firsts = out->effect_count > 0 ? zb_arena_take_array(r->arena, out->effect_count, sizeof *firsts) : NULL;
    for (uint32_t i = 0; firsts != NULL && i < out->effect_count; i++) {
        const uint32_t known = zb_intern_count(&ids);
        const uint32_t id = zb_intern_id(&ids, out->effects[i].id);
        if (id > known) {
            firsts[id - 1] = i;
        }
    }
    uint32_t item = 0;
    zf_en_trigger *triggers = open_items(r, fields, EFFECT_TRIGGERS, sizeof *triggers, &item, &out->trigger_count);
    out->triggers = triggers;
    for (uint32_t i = 0; i < out->trigger_count; i++, item = next_of(r, item)) {
        read_trigger(r, item, &ids, firsts, &triggers[i]);
    }
}

// --------------------------------------------------------------------------------------------------- tracks and events

static void read_tracks(const zf_en_reading *r, const zf_fields *fields, zf_en_clip *out) {
    uint32_t item = 0;
    zf_en_track *tracks = open_items(r, fields, TRACKS, sizeof *tracks, &item, &out->track_count);
    out->tracks = tracks;
    for (uint32_t i = 0; i < out->track_count; i++, item = next_of(r, item)) {
        zf_en_track *track = &tracks[i];
        *track = (zf_en_track){.node = item, .property = ZF_EN_PROPERTY_COUNT};
        zf_fields f;
        if (open_object(r, &f, item, &zf_en_track_object)) {
            track->target_node = f.nodes[TRACK_TARGET];
            track->target = text_of(&f, TRACK_TARGET);
            track->sprite = track->target.size > 0 && track->target.data[0] == 's';
            track->property = (zf_en_property)zf_checked_word(&f, TRACK_PROPERTY, ZF_EN_PROPERTY_COUNT);
            track->keys = read_keys(r, &f, TRACK_KEYS, &zf_en_key_object);
        }
    }
}

static void read_sprite_keys(const zf_en_reading *r, const zf_fields *fields, zf_en_object_track *track) {
    uint32_t item = 0;
    zf_en_sprite_key *keys = open_items(r, fields, TRACK_KEYS, sizeof *keys, &item, &track->key_count);
    track->keys = keys;
    for (uint32_t i = 0; i < track->key_count; i++, item = next_of(r, item)) {
        zf_fields f;
        keys[i] = (zf_en_sprite_key){.time = (double)NAN, .node = item};
        if (open_object(r, &f, item, &zf_en_sprite_key_object)) {
            keys[i].time = number_of(&f, SPRITE_KEY_TIME);
            keys[i].name_node = f.nodes[SPRITE_KEY_NAME];
            keys[i].name = text_of(&f, SPRITE_KEY_NAME);
            keys[i].asset_node = f.nodes[SPRITE_KEY_ASSET];
            keys[i].asset = text_of(&f, SPRITE_KEY_ASSET);
        }
    }
}

static void read_object_tracks(const zf_en_reading *r, const zf_fields *fields, zf_en_clip *out) {
    uint32_t item = 0;
    zf_en_object_track *tracks = open_items(r, fields, OBJECT_TRACKS, sizeof *tracks, &item, &out->object_track_count);
    out->object_tracks = tracks;
    for (uint32_t i = 0; i < out->object_track_count; i++, item = next_of(r, item)) {
        zf_fields f;
        tracks[i] = (zf_en_object_track){.node = item};
        if (open_object(r, &f, item, &zf_en_object_track_object)) {
            tracks[i].target_node = f.nodes[TRACK_TARGET];
            tracks[i].target = text_of(&f, TRACK_TARGET);
            read_sprite_keys(r, &f, &tracks[i]);
        }
    }
}

static void read_event(const zf_en_reading *r, uint32_t node, zf_en_event *out) {
    *out = (zf_en_event){.node = node, .type = ZF_EN_EVENT_TYPE_COUNT, .time = (double)NAN};
    zf_fields f;
    if (!open_object(r, &f, node, &zf_en_event_object)) {
        return;
    }
    out->time = number_of(&f, EVENT_TIME);
    out->type = (zf_en_event_type)zf_checked_word(&f, EVENT_TYPE, ZF_EN_EVENT_TYPE_COUNT);
    memcpy(out->nodes, f.nodes + EVENT_ARGUMENT, sizeof out->nodes);
    out->amount = number_of(&f, EVENT_ARGUMENT + ZF_EN_AMOUNT);
    out->x = number_of(&f, EVENT_ARGUMENT + ZF_EN_X);
    out->y = number_of(&f, EVENT_ARGUMENT + ZF_EN_Y);
    out->volume = zf_checked_number(&f, EVENT_ARGUMENT + ZF_EN_VOLUME, 1.0);
    out->duration_s = zf_checked_number(&f, EVENT_ARGUMENT + ZF_EN_DURATION_SECONDS, 0.15);
    out->scale = zf_checked_number(&f, EVENT_ARGUMENT + ZF_EN_SCALE, 1.0);
    out->sorting_order = zf_checked_number(&f, EVENT_ARGUMENT + ZF_EN_EVENT_SORTING_ORDER, 100.0);
    out->index = zf_checked_number(&f, EVENT_ARGUMENT + ZF_EN_INDEX, (double)NAN);
    out->file = text_of(&f, EVENT_ARGUMENT + ZF_EN_FILE);
    out->region = text_of(&f, EVENT_ARGUMENT + ZF_EN_REGION);
    out->bone = text_of(&f, EVENT_ARGUMENT + ZF_EN_BONE);
    out->cue = text_of(&f, EVENT_ARGUMENT + ZF_EN_CUE_NAME);
    out->relative_to_facing = zf_checked_true(&f, EVENT_ARGUMENT + ZF_EN_RELATIVE_TO_FACING, true);
}

static void read_events(const zf_en_reading *r, const zf_fields *fields, zf_en_clip *out) {
    uint32_t item = 0;
    zf_en_event *events = open_items(r, fields, EVENTS, sizeof *events, &item, &out->event_count);
    out->events = events;
    for (uint32_t i = 0; i < out->event_count; i++, item = next_of(r, item)) {
        read_event(r, item, &events[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------- clip

bool zf_en_read(const zf_en_reading *r, uint32_t node, zf_en_clip *out) {
    ZO_ASSERT(r->doc->report != NULL);
    const uint32_t errors_before = zd_report_errors(r->doc->report);
    *out = (zf_en_clip){.doc = r->doc, .node = node};
    zf_fields f;
    if (!open_object(r, &f, node, &zf_en_clip_object)) {
        return false;
    }
    out->id_node = f.nodes[ID];
    out->id = text_of(&f, ID);
    out->enemy_node = f.nodes[ENEMY];
    out->enemy = text_of(&f, ENEMY);
    out->display_name_node = f.nodes[DISPLAY_NAME];
    out->display_name = text_of(&f, DISPLAY_NAME);
    out->duration_s = number_of(&f, DURATION_SECONDS);
    out->frame_rate = number_of(&f, FRAME_RATE);
    out->loop = zf_checked_true(&f, LOOP, false);
    out->warnings_node = f.nodes[WARNINGS];
    out->source_node = f.nodes[SOURCE];
    read_tracks(r, &f, out);
    read_object_tracks(r, &f, out);
    read_events(r, &f, out);
    read_effects(r, &f, out);
    read_triggers(r, &f, out);
    zf_en_check_rules(r, out);
    return zd_report_errors(r->doc->report) == errors_before;
}
