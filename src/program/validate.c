// The check of a stored blob before anything plays it. Called by zp_program_load, once. Trusts nothing: first the
// header and the section table, then the hash, then every record against the sections that it refers to. What it lets
// through is safe to play, and laid out as the builder lays it out. Must not allocate, and must not take longer than in
// proportion to the blob's size: pools may be shared by any number of curves, hence the budget.
#include <math.h>

#include "program/easing.h"

typedef struct checker {
    zp_program view;
    const char *what; // the first thing that is wrong
    uint64_t budget;  // elements of shared pools that may still be looked at
} checker;

// Far more than any program uses that was not made to cost: a whole curve of a thousand keys for each 60 bytes.
enum { BUDGET_PER_BYTE = 16, BUDGET_BASE = 1 << 26 };
enum { MIX_GROUPS_MAX = 65536, LAYERS_MAX = 32, WIDTH_MAX = 16 };

static bool wrong(checker *check, const char *what) {
    check->what = what;
    return false;
}
#define REQUIRE(fact, what_is_wrong) \
    if (!(fact)) { return wrong(check, what_is_wrong); }

static bool spend(checker *check, uint64_t elements) {
    REQUIRE(elements <= check->budget, "curves share keys out of all proportion");
    check->budget -= elements;
    return true;
}

static uint32_t count_of(const checker *check, zp_section_id section) { return zp_count(&check->view, section); }

// Whether first..first+count-1 are records of the section.
static bool in_section(const checker *check, zp_section_id section, uint32_t first, uint64_t count) {
    return (uint64_t)first + count <= count_of(check, section);
}

static bool is_name(const checker *check, zp_name name) { return name < count_of(check, ZP_SECTION_NAMES); }

// A reference counted from 1; 0 is none.
static bool is_ref(const checker *check, zp_section_id section, uint32_t ref) {
    return ref <= count_of(check, section);
}

static bool all_finite(const double *numbers, uint32_t count) {
    bool finite = true;
    for (uint32_t i = 0; i < count; ++i) { finite &= zb_is_finite(numbers[i]); }
    return finite;
}

// ---------------------------------------------------------------------------------------------------- header, pools

// Offsets follow from the counts: sections stand in order, each rounded up to 8, and the blob ends with the last.
static bool check_sections(checker *check, const zp_header *header) {
    uint64_t at = sizeof *header;
    for (uint32_t section = 0; section < ZP_SECTION_COUNT; ++section) {
        REQUIRE(header->sections[section].offset == at, "a section is out of place");
        at += (uint64_t)header->sections[section].count * zp_record_size(section);
        at = (at + 7) & ~(uint64_t)7;
        REQUIRE(at <= header->size, "a section does not end within the file");
    }
    REQUIRE(at == header->size, "there is something behind the last section");
    return true;
}

static bool check_header(checker *check, const void *blob, size_t size) {
    REQUIRE(blob && size >= sizeof(zp_header), "shorter than a header");
    REQUIRE((uintptr_t)blob % 8 == 0, "not at an address that is a multiple of 8");
    const zp_header *header = blob;
    REQUIRE(header->magic == ZP_MAGIC, "not a stored program");
    REQUIRE(header->version == ZP_VERSION, "of another version");
    REQUIRE(header->header_size == sizeof *header, "the header has another size");
    REQUIRE(header->size == size, "not as long as it says");
    REQUIRE(size <= 0x7FFFFFFF, "too large");
    if (!check_sections(check, header)) { return false; }
    REQUIRE(header->hash == zp_program_hash(blob), "the contents are not those that the hash was made of");
    return true;
}

static bool check_header_content(checker *check) {
    const zp_header *header = check->view.header;
    REQUIRE(is_name(check, header->format), "the format's name is out of range");
    REQUIRE(header->profile <= 1, "no such profile");
    REQUIRE(header->mix_group_count <= MIX_GROUPS_MAX, "too many mix groups");
    REQUIRE(all_finite(header->stage, 4), "the stage is not finite");
    return true;
}

// The texts end because the last byte does; every text begins within the section.
static bool check_names(checker *check) {
    const uint32_t size = count_of(check, ZP_SECTION_NAMES);
    REQUIRE(size > 0 && check->view.names[0] == 0, "the empty name is missing");
    REQUIRE(check->view.names[size - 1] == 0, "the last name does not end");
    const uint8_t *end = check->view.blob + check->view.blob_size;
    for (const uint8_t *at = (const uint8_t *)check->view.names + size; at < end; ++at) {
        REQUIRE(*at == 0, "padding is not zero");
    }
    return true;
}

static bool check_easing(checker *check, const zp_easing *easing) {
    REQUIRE(easing->x1 >= 0.0 && easing->x1 <= 1.0, "an easing's x1 is outside 0..1");
    REQUIRE(easing->x2 >= 0.0 && easing->x2 <= 1.0, "an easing's x2 is outside 0..1");
    REQUIRE(zb_is_finite(easing->y1) && zb_is_finite(easing->y2), "an easing is not finite");
    zp_easing made;
    zp_easing_make(&made, easing->x1, easing->y1, easing->x2, easing->y2);
    REQUIRE(memcmp(&made, easing, sizeof made) == 0, "an easing does not follow from its control points");
    return true;
}

static bool check_pools(checker *check) {
    const zp_program *view = &check->view;
    REQUIRE(all_finite(view->numbers, count_of(check, ZP_SECTION_NUMBERS)), "a number is not finite");
    const uint32_t instant_count = count_of(check, ZP_SECTION_INSTANTS);
    REQUIRE(instant_count == 0 || view->instants[0] == 0, "the unused instant is not zero");
    for (uint32_t i = 0; i < instant_count; ++i) {
        REQUIRE(view->instants[i] >= 0 && view->instants[i] <= ZP_DURATION_NS_MAX, "an instant is out of range");
    }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_EASINGS); ++i) {
        if (!check_easing(check, &view->easings[i])) { return false; }
    }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_INSERTS); ++i) {
        const zp_insert *insert = &view->inserts[i];
        REQUIRE(all_finite(&insert->left_base, 5), "an inserted key is not finite");
    }
    return true;
}
_Static_assert(offsetof(zp_insert, weight) == 4 * sizeof(double), "five numbers in a row");

// ---------------------------------------------------------------------------------------------------- what is moved

static bool check_layers(checker *check) {
    const uint32_t channel_count = count_of(check, ZP_SECTION_CHANNELS);
    REQUIRE(count_of(check, ZP_SECTION_LAYERS) <= LAYERS_MAX, "too many layers");
    uint64_t covered = 0;
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_LAYERS); ++i) {
        const zp_layer *layer = &check->view.layers[i];
        REQUIRE(is_name(check, layer->name), "a layer's name is out of range");
        REQUIRE(in_section(check, ZP_SECTION_CHANNELS, layer->first_channel, layer->channel_count),
                "a layer's channels are out of range");
        REQUIRE(layer->reserved == 0, "a reserved field is not zero");
        covered += layer->channel_count;
    }
    REQUIRE(covered == channel_count, "the layers do not share out the channels");
    return true;
}

// An index channel holds a cel's id: a whole number, 0 for none.
static bool is_cel_number(const checker *check, double value) {
    return value >= 0.0 && value <= (double)count_of(check, ZP_SECTION_CELS) && value == floor(value);
}

static bool check_channel(checker *check, uint32_t index) {
    const zp_channel *channel = &check->view.channels[index];
    REQUIRE(is_name(check, channel->name) && is_name(check, channel->unit), "a channel's name is out of range");
    REQUIRE(channel->layer < count_of(check, ZP_SECTION_LAYERS), "a channel is on no layer");
    const zp_layer *layer = &check->view.layers[channel->layer];
    REQUIRE(index >= layer->first_channel && index - layer->first_channel < layer->channel_count,
            "a channel is not among those of its layer");
    REQUIRE(channel->mix < ZP_MIX_COUNT, "no such way to mix");
    REQUIRE(zb_is_finite(channel->rest), "a channel's rest is not finite");
    REQUIRE(channel->low <= channel->high, "a channel's limits are out of order"); // false for NaN
    REQUIRE(channel->is_index <= 1, "a flag is neither 0 nor 1");
    REQUIRE(!channel->is_index || (is_cel_number(check, channel->rest) && channel->mix == ZP_MIX_REPLACE),
            "an index channel holds something else than a cel");
    REQUIRE(channel->own_rest <= channel->is_index, "a flag is neither 0 nor 1");
    return true;
}

static bool check_target(checker *check, uint32_t index) {
    const zp_target *target = &check->view.targets[index];
    REQUIRE(is_name(check, target->name), "a target's name is out of range");
    REQUIRE(target->parent_ref <= index, "a target stands before its parent");
    REQUIRE(target->compose < ZP_COMPOSE_COUNT, "no such way to compose");
    REQUIRE(target->compose != ZP_COMPOSE_TRS2 || target->parent_ref == 0 ||
                check->view.targets[target->parent_ref - 1].compose <= ZP_COMPOSE_TRS2,
            "a target in the plane stands on one in space");
    REQUIRE(target->flags == 0, "a reserved field is not zero");
    for (uint32_t slot = 0; slot < ZP_SLOT_COUNT; ++slot) {
        const uint32_t ref = target->slot_refs[slot];
        REQUIRE(is_ref(check, ZP_SECTION_CHANNELS, ref), "a target's channel is out of range");
        REQUIRE(ref == 0 || !check->view.channels[ref - 1].is_index, "a target is moved by an index channel");
    }
    REQUIRE(all_finite(target->constant, ZP_SLOT_COUNT), "a target's value is not finite");
    REQUIRE(all_finite(target->pivot, 2), "a target's pivot is not finite");
    return true;
}

static bool is_number_ref(const checker *check, uint32_t ref) { // none, or a channel that holds no index
    return is_ref(check, ZP_SECTION_CHANNELS, ref) && (ref == 0 || !check->view.channels[ref - 1].is_index);
}

static bool check_sprite(checker *check, const zp_sprite *sprite) {
    REQUIRE(is_name(check, sprite->name), "a sprite's name is out of range");
    REQUIRE(in_section(check, ZP_SECTION_TARGETS, sprite->target, 1), "a sprite's target is out of range");
    const uint32_t ref = sprite->channel_ref;
    REQUIRE(is_ref(check, ZP_SECTION_CHANNELS, ref), "a sprite's channel is out of range");
    REQUIRE(ref == 0 || check->view.channels[ref - 1].is_index, "a sprite's channel holds no index");
    REQUIRE(is_ref(check, ZP_SECTION_CELS, sprite->cel_ref), "a sprite's cel is out of range");
    REQUIRE(all_finite(sprite->box, 2) && all_finite(sprite->origin, 2), "a sprite's size or place is not finite");
    REQUIRE(is_number_ref(check, sprite->order_ref), "a sprite's order is no channel of numbers");
    for (uint32_t i = 0; i < ZB_COUNT(sprite->colour_refs); ++i) {
        REQUIRE(is_number_ref(check, sprite->colour_refs[i]), "a sprite's colour is no channel of numbers");
    }
    REQUIRE(sprite->reserved == 0, "a reserved field is not zero");
    return true;
}

static bool check_cel(checker *check, const zp_cel *cel) {
    REQUIRE(is_name(check, cel->name), "a cel's name is out of range");
    REQUIRE(is_ref(check, ZP_SECTION_IMAGES, cel->image_ref), "a cel's image is out of range");
    REQUIRE(cel->size_rule < ZP_SIZE_COUNT, "no such rule of size");
    REQUIRE((cel->flags & ~(uint32_t)(ZP_CEL_ABSENT | ZP_CEL_PIXELS)) == 0, "no such flag of a cel");
    REQUIRE(in_section(check, ZP_SECTION_WORDS, cel->first_fallback, cel->fallback_count),
            "a cel's fallbacks are out of range");
    if (!spend(check, cel->fallback_count)) { return false; }
    for (uint32_t i = 0; i < cel->fallback_count; ++i) {
        REQUIRE(in_section(check, ZP_SECTION_CELS, check->view.words[cel->first_fallback + i], 1),
                "a cel's fallback is no cel");
    }
    REQUIRE(all_finite(cel->anchor, 2) && zb_is_finite(cel->scale) && all_finite(cel->region, 4),
            "a cel's figures are not finite");
    REQUIRE(cel->region[2] >= 0.0 && cel->region[3] >= 0.0, "a cel's region is less than nothing");
    return true;
}

static bool check_what_is_moved(checker *check) {
    if (!check_layers(check)) { return false; }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_CHANNELS); ++i) {
        if (!check_channel(check, i)) { return false; }
    }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_TARGETS); ++i) {
        if (!check_target(check, i)) { return false; }
    }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_SPRITES); ++i) {
        if (!check_sprite(check, &check->view.sprites[i])) { return false; }
    }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_CELS); ++i) {
        if (!check_cel(check, &check->view.cels[i])) { return false; }
    }
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_IMAGES); ++i) {
        REQUIRE(is_name(check, check->view.images[i].name), "an image's name is out of range");
        REQUIRE(check->view.images[i].reserved == 0, "a reserved field is not zero");
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- effects

// Clockwise about the middle of the box and once around, so that every corner is seen from there.
static bool is_star_shaped(const double *points, uint32_t count) {
    uint32_t turns = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double *here = points + 2 * i, *next = points + 2 * ((i + 1) % count);
        const double x0 = here[0] - 0.5, y0 = here[1] - 0.5, x1 = next[0] - 0.5, y1 = next[1] - 0.5;
        if (!(x0 * y1 - x1 * y0 > 0.0)) { return false; }
        turns += y0 < 0.0 && y1 >= 0.0; // passes the right-hand side
    }
    return turns == 1;
}

static bool check_shape(checker *check, const zp_shape *shape) {
    REQUIRE(is_name(check, shape->name), "a shape's name is out of range");
    REQUIRE(shape->outline < ZP_OUTLINE_COUNT, "no such outline");
    REQUIRE(shape->aspect > 0.0 && shape->aspect <= ZP_EFFECT_FAR, "a shape's height is out of range");
    REQUIRE(shape->corner >= 0.0 && shape->corner <= ZP_EFFECT_FAR, "a shape's corner is out of range");
    if (shape->outline != ZP_OUTLINE_POLYGON) {
        REQUIRE(shape->points == 0 && shape->point_count == 0, "a shape has points that it does not use");
        return true;
    }
    REQUIRE(shape->point_count >= 3 && shape->point_count <= ZP_SHAPE_POINTS_MAX,
            "a polygon has too few or many corners");
    REQUIRE(in_section(check, ZP_SECTION_NUMBERS, shape->points, 2 * shape->point_count),
            "a polygon's corners are out of range");
    const double *points = check->view.numbers + shape->points;
    for (uint32_t i = 0; i < 2 * shape->point_count; ++i) {
        REQUIRE(points[i] >= 0.0 && points[i] <= 1.0, "a polygon's corner lies outside its box");
    }
    REQUIRE(is_star_shaped(points, shape->point_count), "a polygon's corners do not go around its middle");
    return true;
}

static bool check_path(checker *check, const zp_effect *effect) {
    REQUIRE(effect->key_count >= 2 && effect->key_count <= ZP_PATH_KEYS_MAX, "a path has too few or many keys");
    REQUIRE(in_section(check, ZP_SECTION_NUMBERS, effect->keys, (uint64_t)ZP_PATH_COUNT * effect->key_count),
            "a path's keys are out of range");
    if (!spend(check, (uint64_t)ZP_PATH_COUNT * effect->key_count)) { return false; }
    const double *keys = check->view.numbers + effect->keys;
    for (uint32_t key = 0; key < effect->key_count; ++key) {
        const double *row = keys + ZP_PATH_COUNT * key;
        for (uint32_t i = 0; i < ZP_PATH_COUNT; ++i) {
            REQUIRE(row[i] >= -ZP_EFFECT_FAR && row[i] <= ZP_EFFECT_FAR, "a path's key is out of range");
        }
        REQUIRE(key == 0 ? row[ZP_PATH_AT] == 0.0 : row[ZP_PATH_AT] > row[ZP_PATH_AT - ZP_PATH_COUNT],
                "a path's keys do not rise from 0");
    }
    REQUIRE(is_ref(check, ZP_SECTION_EASINGS, effect->easing_ref), "an effect's easing is out of range");
    return true;
}

static bool check_colours(checker *check, const zp_effect *effect) {
    REQUIRE(effect->colour_count >= 1, "an effect has no colour");
    REQUIRE(in_section(check, ZP_SECTION_NUMBERS, effect->colours, 4 * (uint64_t)effect->colour_count),
            "an effect's colours are out of range");
    if (!spend(check, 4 * (uint64_t)effect->colour_count)) { return false; }
    for (uint64_t i = 0; i < 4 * (uint64_t)effect->colour_count; ++i) {
        const double part = check->view.numbers[effect->colours + i];
        REQUIRE(part >= 0.0 && part <= 1.0, "a colour is out of range");
    }
    return true;
}

// Effects move in the plane of their targets.
static bool is_in_plane(checker *check, uint32_t target) {
    for (uint32_t ref = target + 1; ref != 0; ref = check->view.targets[ref - 1].parent_ref) { // parents stand before
        if (!spend(check, 1)) { return false; }
        REQUIRE(check->view.targets[ref - 1].compose <= ZP_COMPOSE_TRS2, "an effect's target moves in space");
    }
    return true;
}

static bool check_effect(checker *check, const zp_effect *effect, uint32_t *emitter_count) {
    REQUIRE(is_name(check, effect->name), "an effect's name is out of range");
    REQUIRE(in_section(check, ZP_SECTION_TARGETS, effect->target, 1), "an effect's target is out of range");
    if (!is_in_plane(check, effect->target)) { return false; }
    if (effect->motion == ZP_MOTION_INTEGRATED) {
        const char *what = zp_integrated_check(&check->view, effect, (*emitter_count)++);
        return what ? wrong(check, what) : true;
    }
    REQUIRE(zp_effect_supported(effect), "an effect cannot be played");
    REQUIRE((effect->flags & ~(uint32_t)(ZP_EFFECT_ROUND_SIZE | ZP_EFFECT_ROUND_KEYS)) == 0,
            "no such flag of an effect");
    REQUIRE(all_finite(effect->origin, 2), "an effect's place is not finite");
    REQUIRE(effect->alive_max <= ZP_EFFECT_ALIVE_MAX, "an effect has too many particles");
    REQUIRE(effect->shape_count >= 1, "an effect has no shape");
    REQUIRE(in_section(check, ZP_SECTION_SHAPES, effect->shapes, effect->shape_count),
            "an effect's shapes are out of range");
    if (!spend(check, effect->shape_count)) { return false; }
    return check_path(check, effect) && check_colours(check, effect);
}

static bool check_effects(checker *check) {
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_SHAPES); ++i) {
        if (!check_shape(check, &check->view.shapes[i])) { return false; }
    }
    const char *what = zp_emitters_check(&check->view, &check->budget);
    if (what) { return wrong(check, what); }
    uint32_t emitter_count = 0;
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_EFFECTS); ++i) {
        if (!check_effect(check, &check->view.effects[i], &emitter_count)) { return false; }
    }
    REQUIRE(emitter_count == count_of(check, ZP_SECTION_EMITTERS), "an emitter is no effect's");
    return true;
}

// ---------------------------------------------------------------------------------------------------- curves

// Times are kept far from the ends of double so that no difference of two overflows.
static bool check_times(checker *check, const zp_clip *clip, const zp_curve *curve) {
    REQUIRE(in_section(check, ZP_SECTION_NUMBERS, curve->times, curve->key_count), "a curve's times are out of range");
    if (!spend(check, curve->key_count)) { return false; }
    const double *times = check->view.numbers + curve->times;
    const double first = times[0], last = times[curve->key_count - 1];
    REQUIRE(first >= -1e100 && last <= 1e100, "a key's time is out of range");
    const bool may_jump = curve->arithmetic == ZP_ARITHMETIC_F32_HERMITE;
    for (uint32_t key = 1; key < curve->key_count; ++key) {
        REQUIRE(times[key - 1] < times[key] || (may_jump && times[key - 1] == times[key]),
                "a curve's times do not rise");
    }
    const double end = zp_clip_length(clip);
    REQUIRE(curve->ends != ZP_ENDS_WRAP || (first >= 0.0 && last <= end), "a key to be wrapped lies outside the pass");
    return true;
}

static bool check_instants(checker *check, const zp_clip *clip, const zp_curve *curve) {
    REQUIRE(in_section(check, ZP_SECTION_INSTANTS, curve->instants, curve->key_count),
            "a curve's instants are out of range");
    if (!spend(check, curve->key_count)) { return false; }
    const int64_t *instants = check->view.instants + curve->instants;
    for (uint32_t key = 1; key < curve->key_count; ++key) {
        REQUIRE(instants[key - 1] <= instants[key], "a curve's instants fall");
    }
    REQUIRE(instants[curve->key_count - 1] <= clip->duration_ns, "a key's instant lies behind the pass");
    return true;
}

static bool check_placement(checker *check, const zp_clip *clip, const zp_curve *curve) {
    if (curve->placement == ZP_PLACE_EXPLICIT) {
        if (!check_times(check, clip, curve)) { return false; }
        if (curve->instants != 0 && !check_instants(check, clip, curve)) { return false; }
    } else {
        REQUIRE(curve->times == 0 && curve->instants == 0, "a curve has times that it does not use");
    }
    if (curve->placement == ZP_PLACE_STEP_NS) {
        REQUIRE(curve->step_ref > 0 && is_ref(check, ZP_SECTION_INSTANTS, curve->step_ref),
                "a curve's step is out of range");
        REQUIRE(check->view.instants[curve->step_ref - 1] > 0, "a curve's step is nothing");
    } else {
        REQUIRE(curve->step_ref == 0, "a curve has a step that it does not use");
    }
    return true;
}

static bool check_intervals(checker *check, const zp_curve *curve) {
    if (!zp_curve_has_intervals(curve)) {
        REQUIRE(curve->intervals == 0, "a curve has intervals that it does not use");
        return true;
    }
    REQUIRE(in_section(check, ZP_SECTION_INTERVALS, curve->intervals, curve->key_count),
            "a curve's intervals are out of range");
    if (!spend(check, curve->key_count)) { return false; }
    for (uint32_t key = 0; key + 1 < curve->key_count; ++key) {
        const zp_interval *interval = &check->view.intervals[curve->intervals + key];
        REQUIRE(zp_interval_supported(curve, interval), "an interval cannot be played");
        switch (interval->interpolation) {
        case ZP_INTERPOLATE_EASE:
            REQUIRE(in_section(check, ZP_SECTION_EASINGS, interval->argument, 1), "an easing is out of range");
            break;
        case ZP_INTERPOLATE_HERMITE:
            REQUIRE(in_section(check, ZP_SECTION_NUMBERS, interval->argument, 2u * curve->width),
                    "tangents are out of range");
            break;
        default: REQUIRE(interval->argument == 0, "an interval has an argument that it does not use");
        }
    }
    return true;
}

static bool check_values(checker *check, const zp_clip *clip, const zp_curve *curve) {
    const uint64_t value_count = (uint64_t)curve->key_count * curve->width;
    const bool scaled = curve->flags & ZP_CURVE_SCALED, inserted = curve->flags & ZP_CURVE_INSERTED;
    REQUIRE(inserted ? curve->values == 0 : in_section(check, ZP_SECTION_NUMBERS, curve->values, value_count),
            "a curve's values are out of range");
    REQUIRE(scaled ? in_section(check, ZP_SECTION_NUMBERS, curve->scales, value_count) : curve->scales == 0,
            "a curve's scales are out of range");
    REQUIRE(inserted ? in_section(check, ZP_SECTION_INSERTS, curve->inserts, value_count) : curve->inserts == 0,
            "a curve's inserted keys are out of range");
    REQUIRE(scaled || inserted ? curve->param < clip->param_count : curve->param == 0,
            "a curve's parameter is out of range");
    if (!spend(check, value_count)) { return false; } // not for the time here: for that of a listing
    if (curve->arithmetic == ZP_ARITHMETIC_INDEX) {
        for (uint64_t i = 0; i < value_count; ++i) {
            REQUIRE(is_cel_number(check, check->view.numbers[curve->values + i]), "an index is that of no cel");
        }
    }
    return true;
}

static bool check_curve(checker *check, const zp_clip *clip, const zp_curve *curve, uint32_t *layer_mask) {
    REQUIRE(curve->reserved == 0, "a reserved field is not zero");
    REQUIRE(zp_curve_supported(curve), "a curve cannot be played");
    REQUIRE(curve->width >= 1 && curve->width <= WIDTH_MAX, "a curve's width is out of range");
    REQUIRE(curve->key_count > 0, "a curve has no key");
    REQUIRE(in_section(check, ZP_SECTION_CHANNELS, curve->first_channel, curve->width),
            "a curve's channels are out of range");
    for (uint32_t i = 0; i < curve->width; ++i) {
        const zp_channel *channel = &check->view.channels[curve->first_channel + i];
        REQUIRE((channel->is_index != 0) == (curve->arithmetic == ZP_ARITHMETIC_INDEX),
                "numbers and indices are mixed up");
        *layer_mask |= 1u << channel->layer;
    }
    return check_placement(check, clip, curve) && check_intervals(check, curve) && check_values(check, clip, curve);
}

// By times, intervals and slot: so the runtime finds what is shared side by side.
static bool in_order(const zp_curve *a, const zp_curve *b) {
    if (a->times != b->times) { return a->times < b->times; }
    if (a->intervals != b->intervals) { return a->intervals < b->intervals; }
    return a->first_channel < b->first_channel;
}

// ------------------------------------------------------------------------------------ no channel twice in one clip

enum { WINDOW = 1 << 15, PAIRS_MAX = 32 }; // channels in a window of 4 KiB; clips of few curves need none

static bool overlap(const zp_curve *a, const zp_curve *b) {
    return a->first_channel < b->first_channel + b->width && b->first_channel < a->first_channel + a->width;
}

// A curve's channels from `base` on as bits; the second word takes what runs over.
static bool mark(uint64_t *bits, const zp_curve *curve, uint32_t base) {
    for (uint32_t i = 0; i < curve->width; ++i) {
        const uint32_t channel = curve->first_channel + i;
        if (channel < base || channel - base >= WINDOW) { continue; }
        const uint64_t bit = 1ULL << ((channel - base) % 64);
        uint64_t *word = &bits[(channel - base) / 64];
        if (*word & bit) { return false; }
        *word |= bit;
    }
    return true;
}

static bool check_channels_once(checker *check, const zp_clip *clip) {
    const zp_curve *curves = check->view.curves + clip->first_curve;
    static const char *const twice = "a clip moves a channel twice";
    if (clip->curve_count <= PAIRS_MAX) {
        for (uint32_t b = 1; b < clip->curve_count; ++b) {
            for (uint32_t a = 0; a < b; ++a) { REQUIRE(!overlap(&curves[a], &curves[b]), twice); }
        }
        return true;
    }
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        if (curves[i].first_channel < low) { low = curves[i].first_channel; }
        if (curves[i].first_channel + curves[i].width > high) { high = curves[i].first_channel + curves[i].width; }
    }
    for (uint32_t base = low; base < high; base += WINDOW) { // cannot wrap: there are fewer than 2^26 channels
        if (!spend(check, (uint64_t)clip->curve_count + WINDOW / 64)) { return false; }
        uint64_t bits[WINDOW / 64];
        memset(bits, 0, sizeof bits);
        for (uint32_t i = 0; i < clip->curve_count; ++i) { REQUIRE(mark(bits, &curves[i], base), twice); }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- clips

static bool is_subject(const checker *check, const zp_event *event) {
    switch (event->action) {
    case ZP_ACTION_SHOW_CEL: return is_ref(check, ZP_SECTION_CELS, event->subject_ref);
    case ZP_ACTION_NOTIFY:
    case ZP_ACTION_START_EFFECT: return is_ref(check, ZP_SECTION_EFFECTS, event->subject_ref);
    default: return event->subject_ref == 0;
    }
}

static bool check_event(checker *check, const zp_clip *clip, const zp_event *event) {
    REQUIRE(event->action < ZP_ACTION_COUNT, "no such action");
    REQUIRE(is_name(check, event->name), "an event's name is out of range");
    REQUIRE(is_subject(check, event), "an event's cel or effect is out of range");
    REQUIRE(event->at_ns >= 0 && event->at_ns <= clip->duration_ns, "an event lies outside its clip");
    REQUIRE(zb_is_finite(event->at), "an event's time is not finite");
    REQUIRE(in_section(check, ZP_SECTION_ARGUMENTS, event->first_argument, event->argument_count),
            "an event's arguments are out of range");
    if (!spend(check, event->argument_count)) { return false; }
    REQUIRE(event->reserved == 0, "a reserved field is not zero");
    return true;
}

static bool check_events(checker *check, const zp_clip *clip) {
    for (uint32_t i = 0; i < clip->event_count; ++i) {
        const zp_event *event = &check->view.events[clip->first_event + i];
        if (!check_event(check, clip, event)) { return false; }
        REQUIRE(i == 0 || (event[-1].at_ns <= event->at_ns && event[-1].at <= event->at),
                "a clip's events are out of order");
    }
    return true;
}

static bool check_params(checker *check, const zp_clip *clip, uint32_t clip_index) {
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        const zp_param *param = &check->view.params[clip->first_param + i];
        REQUIRE(is_name(check, param->name), "a parameter's name is out of range");
        REQUIRE(param->clip == clip_index, "a parameter is another clip's");
        REQUIRE(zb_is_finite(param->low) && zb_is_finite(param->high), "a parameter's limits are not finite");
        REQUIRE(param->low <= param->value && param->value <= param->high, "a parameter is outside its limits");
        REQUIRE(param->slope == 0.0 && param->flags == 0 && param->reserved == 0, "a clip's parameter is no number");
    }
    return true;
}

// A pass of no length is only where nothing repeats without a wait, or where the runtime lends it one.
static bool check_clock(checker *check, const zp_clip *clip) {
    REQUIRE(zp_clip_supported(clip), "a clip cannot be played");
    REQUIRE(zb_is_finite(clip->delay_min) && zb_is_finite(clip->delay_max), "a wait is not finite");
    REQUIRE(clip->delay_min >= 0.0 && clip->delay_min <= clip->delay_max, "a wait is out of order");
    REQUIRE(clip->delay_unit_ns >= 0 && clip->delay_unit_ns <= ZP_DURATION_NS_MAX, "a wait's unit is out of range");
    REQUIRE(clip->delay_max * (double)clip->delay_unit_ns <= (double)ZP_DURATION_NS_MAX, "a wait is too long");
    REQUIRE(clip->repeat != ZP_REPEAT_RANDOM_INTERVAL || clip->delay_unit_ns >= 1, "a wait has no unit");
    REQUIRE(clip->repeat != ZP_REPEAT_RANDOM_INTERVAL || clip->complete_ns != 0 ||
                clip->delay_max * (double)clip->delay_unit_ns > 0.0,
            "passes of no length follow each other without a wait");
    const uint32_t flags = ZP_CLIP_SEGMENTED | ZP_CLIP_NO_ALTERNATE | ZP_CLIP_WRAPS | ZP_CLIP_OPEN;
    REQUIRE((clip->flags & ~flags) == 0, "no such flag of a clip");
    REQUIRE(clip->repeat != ZP_REPEAT_ALTERNATE || !(clip->flags & ZP_CLIP_NO_ALTERNATE),
            "a clip alternates that must not");
    return true;
}

static bool check_clip(checker *check, uint32_t index) {
    const zp_clip *clip = &check->view.clips[index];
    REQUIRE(is_name(check, clip->name) && is_name(check, clip->label) && is_name(check, clip->kind),
            "a clip's name is out of range");
    if (!check_clock(check, clip)) { return false; }
    REQUIRE(clip->mix_ref <= check->view.header->mix_group_count, "a clip's mix group is out of range");
    REQUIRE(is_ref(check, ZP_SECTION_CLIPS, clip->reduced_ref), "a clip's twin is out of range");
    if (!check_params(check, clip, index) || !check_events(check, clip)) { return false; }
    uint32_t layer_mask = 0;
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        const zp_curve *curve = &check->view.curves[clip->first_curve + i];
        if (!check_curve(check, clip, curve, &layer_mask)) { return false; }
        REQUIRE(i == 0 || in_order(curve - 1, curve), "a clip's curves are out of order");
    }
    REQUIRE(clip->layer_mask == layer_mask, "a clip's layers are not those of its curves");
    return check_channels_once(check, clip);
}

// Curves, events and parameters belong to one clip each, in the order of the clips.
static bool check_clips(checker *check) {
    uint32_t curve = 0, event = 0, param = 0;
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_CLIPS); ++i) {
        const zp_clip *clip = &check->view.clips[i];
        REQUIRE(clip->first_curve == curve && in_section(check, ZP_SECTION_CURVES, curve, clip->curve_count),
                "a clip's curves are out of range");
        REQUIRE(clip->first_event == event && in_section(check, ZP_SECTION_EVENTS, event, clip->event_count),
                "a clip's events are out of range");
        REQUIRE(clip->first_param == param && in_section(check, ZP_SECTION_PARAMS, param, clip->param_count),
                "a clip's parameters are out of range");
        curve += clip->curve_count;
        event += clip->event_count;
        param += clip->param_count;
        if (!check_clip(check, i)) { return false; }
    }
    for (; param < count_of(check, ZP_SECTION_PARAMS); ++param) { // the rest is the host's
        REQUIRE(check->view.params[param].clip == ZP_NO_CLIP, "something belongs to no clip");
    }
    REQUIRE(curve == count_of(check, ZP_SECTION_CURVES) && event == count_of(check, ZP_SECTION_EVENTS),
            "something belongs to no clip");
    return true;
}

static bool check_arguments(checker *check) {
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_ARGUMENTS); ++i) {
        const zp_argument *argument = &check->view.arguments[i];
        REQUIRE(is_name(check, argument->name) && is_name(check, argument->text),
                "an argument's name or text is out of range");
        REQUIRE(argument->kind < ZP_ARGUMENT_KIND_COUNT, "no such kind of argument");
        REQUIRE(zb_is_finite(argument->number), "an argument is not finite");
        REQUIRE(argument->reserved == 0, "a reserved field is not zero");
    }
    return true;
}

static bool check_play(checker *check, const zp_play *play) {
    REQUIRE(in_section(check, ZP_SECTION_CLIPS, play->clip, 1), "a play's clip is out of range");
    const zp_clip *clip = &check->view.clips[play->clip];
    REQUIRE(is_ref(check, ZP_SECTION_CELS, play->cel_ref), "a play's cel is out of range");
    REQUIRE((play->flags & ~(uint32_t)(ZP_PLAY_LATER | ZP_PLAY_REPEAT)) == 0, "no such flag of a play");
    REQUIRE(play->repeat < ZP_REPEAT_COUNT, "no such repeat");
    REQUIRE(play->repeat != ZP_REPEAT_ALTERNATE ||
                (clip->event_count == 0 && !(clip->flags & ZP_CLIP_NO_ALTERNATE)), "a clip alternates that must not");
    REQUIRE(play->duration_ns >= 0 && play->duration_ns <= ZP_DURATION_NS_MAX, "a play's duration is out of range");
    REQUIRE(zb_is_finite(play->delay_max) && play->delay_min >= 0.0 && play->delay_min <= play->delay_max,
            "a play's wait is out of order");
    REQUIRE(play->delay_max * 1e6 <= (double)ZP_DURATION_NS_MAX, "a play's wait is too long");
    REQUIRE(in_section(check, ZP_SECTION_NUMBERS, play->first_value, play->value_count) &&
                play->value_count <= clip->param_count, "a play's values are out of range");
    REQUIRE(play->mix_ref <= check->view.header->mix_group_count, "a play's mix group is out of range");
    REQUIRE(play->reserved == 0, "a reserved field is not zero");
    return true;
}

static bool check_plays(checker *check) {
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_PLAYS); ++i) {
        if (!check_play(check, &check->view.plays[i])) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- what decides

static bool check_state(checker *check, const zp_state *state) {
    REQUIRE(is_name(check, state->name) && is_name(check, state->group) && is_name(check, state->activity),
            "a state's name is out of range");
    REQUIRE(is_ref(check, ZP_SECTION_CELS, state->cel_ref), "a state's cel is out of range");
    REQUIRE(state->play_count <= ZP_LANES_MAX, "a state plays too much");
    REQUIRE(in_section(check, ZP_SECTION_WORDS, state->first_play, state->play_count),
            "a state's plays are out of range");
    for (uint32_t i = 0; i < state->play_count; ++i) {
        REQUIRE(is_ref(check, ZP_SECTION_PLAYS, check->view.words[state->first_play + i]), "a state plays no play");
    }
    REQUIRE(state->on_complete < ZP_ON_COMPLETE_COUNT && state->reentry < ZP_REENTRY_COUNT, "no such state");
    REQUIRE(is_ref(check, ZP_SECTION_NODES, state->node_ref), "a state's node is out of range");
    REQUIRE(state->reserved == 0, "a reserved field is not zero");
    return true;
}

// Of a machine that runs by itself: what it plays, so that its clock follows from the clip alone and never stands.
static bool check_running_state(checker *check, const zp_state *state) {
    REQUIRE(state->play_count == 1 && check->view.words[state->first_play] != 0, "a running state plays no one clip");
    const zp_play *play = &check->view.plays[check->view.words[state->first_play] - 1];
    const zp_clip *clip = &check->view.clips[play->clip];
    REQUIRE(play->flags == ZP_PLAY_LATER && play->duration_ns == 0, "a running state plays a clip otherwise");
    REQUIRE(clip->repeat == ZP_REPEAT_LOOP || clip->repeat == ZP_REPEAT_HOLD, "a running state's clip ends");
    REQUIRE(clip->complete_ns != 0, "a running state's clip is complete at once");
    REQUIRE(clip->reduced_ref == 0, "a running state's clip has a twin");
    REQUIRE(state->on_complete == ZP_ON_COMPLETE_PICK, "a running state takes no step");
    return true;
}

static bool check_posing_state(checker *check, const zp_state *state) {
    REQUIRE(state->node_ref != 0, "a posing state has no node");
    REQUIRE(state->play_count == 0 && state->on_complete == ZP_ON_COMPLETE_STAY &&
                state->reentry == ZP_REENTRY_RESTART, "a posing state plays something");
    return true;
}

static bool check_posing_edge(checker *check, const zp_machine *machine, const zp_edge *edge) {
    REQUIRE(edge->from_ref != 0 && edge->enter_ref == 0 && edge->when == ZP_WHEN_REQUEST && edge->weight == 0.0,
            "a posing machine's edge cannot be walked");
    REQUIRE(edge->blend_ns >= 0 && edge->blend_ns <= ZP_DURATION_NS_MAX, "a blend's length is out of range");
    REQUIRE(edge->blend_ns == 0 || machine->commit == ZP_COMMIT_AT_ONCE, "an edge blends between polls");
    return true;
}

static bool check_edge(checker *check, const zp_machine *machine, const zp_edge *edge) {
    REQUIRE(edge->from_ref == 0 || edge->from_ref - 1 - machine->first_state < machine->state_count,
            "an edge comes from another machine");
    REQUIRE(edge->to - machine->first_state < machine->state_count, "an edge leads to another machine");
    REQUIRE(edge->when < ZP_WHEN_COUNT, "no such edge");
    REQUIRE(is_ref(check, ZP_SECTION_PLAYS, edge->enter_ref), "an edge's play is out of range");
    if (zp_machine_poses(machine)) { return check_posing_edge(check, machine, edge); }
    REQUIRE(edge->blend_ns == 0, "an edge cannot be walked");
    if (!zp_machine_runs(machine)) {
        REQUIRE(edge->weight == 0.0, "an edge cannot be walked");
        return true;
    }
    REQUIRE(edge->from_ref != 0 && edge->enter_ref == 0, "a running machine's edge cannot be walked");
    REQUIRE(edge->when == ZP_WHEN_COMPLETE ? edge->weight > 0.0 && zb_is_finite(edge->weight) : edge->weight == 0.0,
            "an edge's weight is out of range");
    return true;
}

// Each state's edges follow each other, behind those from any state.
static bool check_edge_order(checker *check, const zp_machine *machine) {
    uint32_t edge = machine->first_edge, left = machine->edge_count;
    while (left > 0 && check->view.edges[edge].from_ref == 0) {
        ++edge;
        --left;
    }
    for (uint32_t s = 0; s < machine->state_count; ++s) {
        const zp_state *state = &check->view.states[machine->first_state + s];
        REQUIRE(state->edge_count <= left && (machine->edge_count == 0 ? state->first_edge == 0 :
                state->first_edge == edge), "a state's edges are out of range");
        double sum = 0.0;
        for (; edge < state->first_edge + state->edge_count; ++edge) {
            REQUIRE(check->view.edges[edge].from_ref - 1 == machine->first_state + s, "a state's edge is another's");
            sum += check->view.edges[edge].weight;
        }
        REQUIRE(zb_is_finite(sum), "weights have no finite sum");
        left -= state->edge_count;
    }
    REQUIRE(left == 0, "an edge belongs to no state");
    return true;
}

// States and edges belong to one machine each, in the order of the machines.
static bool check_machines(checker *check) {
    uint32_t state = 0, edge = 0, running = 0;
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_MACHINES); ++i) {
        const zp_machine *machine = &check->view.machines[i];
        REQUIRE(is_name(check, machine->name), "a machine's name is out of range");
        REQUIRE(zp_machine_supported(machine), "a machine cannot be driven");
        running += zp_machine_runs(machine) || zp_machine_poses(machine);
        REQUIRE(running <= 1, "too many machines run");
        REQUIRE(machine->first_state == state && in_section(check, ZP_SECTION_STATES, state, machine->state_count),
                "a machine's states are out of range");
        REQUIRE(machine->first_edge == edge && in_section(check, ZP_SECTION_EDGES, edge, machine->edge_count),
                "a machine's edges are out of range");
        REQUIRE(machine->start - state < machine->state_count, "a machine starts in another's state");
        for (uint32_t s = 0; s < machine->state_count; ++s) {
            const zp_state *record = &check->view.states[state + s];
            if (!check_state(check, record)) { return false; }
            if (zp_machine_runs(machine) && !check_running_state(check, record)) { return false; }
            if (zp_machine_poses(machine) ? !check_posing_state(check, record) : record->node_ref != 0) {
                return wrong(check, check->what ? check->what : "a state has a node that it does not show");
            }
        }
        for (uint32_t e = 0; e < machine->edge_count; ++e) {
            if (!check_edge(check, machine, &check->view.edges[edge + e])) { return false; }
        }
        if (!check_edge_order(check, machine)) { return false; }
        state += machine->state_count;
        edge += machine->edge_count;
    }
    REQUIRE(state == count_of(check, ZP_SECTION_STATES) && edge == count_of(check, ZP_SECTION_EDGES),
            "something belongs to no machine");
    return true;
}

static bool check_slots(checker *check, const zp_director *director) {
    const zp_machine *machine = &check->view.machines[director->machine];
    REQUIRE(director->first_slot == 0 && director->slot_count == count_of(check, ZP_SECTION_SLOTS) &&
                director->slot_count == machine->state_count, "a director's slots are not its machine's");
    for (uint32_t i = 0; i < director->slot_count; ++i) {
        const zp_slot *slot = &check->view.slots[i];
        REQUIRE((slot->flags & ~(uint32_t)(ZP_SLOT_ENDS | ZP_SLOT_OVERTAKES)) == 0, "no such flag of a slot");
        REQUIRE(slot->hold_ns >= 0 && slot->hold_ns <= ZP_DURATION_NS_MAX, "a hold time is out of range");
        REQUIRE(slot->fresh_ns >= -1 && slot->fresh_ns <= ZP_DURATION_NS_MAX, "a slot's time is out of range");
        // The first state ends in itself: it would be left and entered without end.
        REQUIRE(!(slot->flags & ZP_SLOT_ENDS) || machine->first_state + i != machine->start, "the first state ends");
    }
    REQUIRE(director->first_signal == 0 && director->signal_count == count_of(check, ZP_SECTION_SIGNALS),
            "a director's signals are out of range");
    for (uint32_t i = 0; i < director->signal_count; ++i) {
        const zp_signal *signal = &check->view.signals[i];
        REQUIRE(is_name(check, signal->type) && is_name(check, signal->tool) && is_name(check, signal->activity),
                "a signal's name is out of range");
        REQUIRE(signal->state_ref == 0 || signal->state_ref - 1 - machine->first_state < machine->state_count,
                "a signal means another machine's state");
    }
    return true;
}

static bool check_nodes(checker *check) {
    const char *what = zp_nodes_check(&check->view, &check->budget);
    return what ? wrong(check, what) : true;
}

static bool check_overlays(checker *check) {
    const char *what = zp_overlays_check(&check->view, &check->budget);
    return what ? wrong(check, what) : true;
}

static bool check_meshes(checker *check) {
    const char *what = zp_meshes_check(&check->view, &check->budget);
    return what ? wrong(check, what) : true;
}

static bool check_directors(checker *check) {
    const uint32_t count = count_of(check, ZP_SECTION_DIRECTORS);
    REQUIRE(count <= 1, "too many directors");
    if (count == 0) {
        const char *what = zp_speech_check(&check->view, NULL, &check->budget);
        REQUIRE(!what, what);
    }
    if (count == 0) {
        REQUIRE(count_of(check, ZP_SECTION_SLOTS) == 0 && count_of(check, ZP_SECTION_SIGNALS) == 0,
                "something belongs to no director");
        return true;
    }
    const zp_director *director = check->view.directors;
    const uint32_t flags = ZP_DIRECTOR_KEEP_SLOT | ZP_DIRECTOR_UNTIL_CLICK | ZP_DIRECTOR_CLICK_SWAPS |
                           ZP_DIRECTOR_EFFECTS | ZP_DIRECTOR_REDUCED_ALWAYS | ZP_DIRECTOR_REDUCED_NEVER;
    REQUIRE(director->kind < ZP_DIRECTOR_COUNT && director->swap < ZP_SWAP_COUNT, "no such director");
    REQUIRE((director->flags & ~flags) == 0, "no such flag of a director");
    REQUIRE(in_section(check, ZP_SECTION_MACHINES, director->machine, 1), "a director's machine is out of range");
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_MACHINES); ++i) {
        const zp_machine *machine = &check->view.machines[i];
        REQUIRE(director->kind != ZP_DIRECTOR_SLOTS || !zp_machine_runs(machine),
                "a director of slots stands beside a machine that runs");
        REQUIRE(!zp_machine_poses(machine), "a director stands beside a machine that poses");
    }
    REQUIRE(is_ref(check, ZP_SECTION_PLAYS, director->swap_play_ref) &&
                is_ref(check, ZP_SECTION_PLAYS, director->click_play_ref), "a director's play is out of range");
    REQUIRE(is_ref(check, ZP_SECTION_CELS, director->click_cel_ref), "a director's cel is out of range");
    REQUIRE(director->quiet_ns >= 0 && director->quiet_ns <= ZP_DURATION_NS_MAX && director->patience_ns >= 0 &&
                director->patience_ns <= ZP_DURATION_NS_MAX, "a director's times are out of range");
    REQUIRE(director->reserved == 0, "a reserved field is not zero");
    const char *what = zp_speech_check(&check->view, director, &check->budget);
    REQUIRE(!what, what);
    if (director->kind == ZP_DIRECTOR_SPEECH) {
        REQUIRE(count_of(check, ZP_SECTION_SLOTS) == 0 && count_of(check, ZP_SECTION_SIGNALS) == 0,
                "something belongs to no director");
        return true;
    }
    return check_slots(check, director);
}

static bool check_srcmap(checker *check) {
    for (uint32_t i = 0; i < count_of(check, ZP_SECTION_SRCMAP); ++i) {
        const zp_source_range *range = &check->view.srcmap[i];
        REQUIRE(range->section < ZP_SECTION_COUNT && range->section != ZP_SECTION_SRCMAP &&
                    in_section(check, (zp_section_id)range->section, range->record, 1),
                "a source range is that of no record");
        REQUIRE(range->length > 0 && range->length <= UINT32_MAX - range->offset, "a source range is out of range");
        REQUIRE(i == 0 || range[-1].section < range->section ||
                    (range[-1].section == range->section && range[-1].record <= range->record),
                "source ranges are out of order");
    }
    return true;
}

bool zp_program_check(const void *blob, size_t size, const char **what) {
    checker check = {.budget = (uint64_t)size * BUDGET_PER_BYTE + BUDGET_BASE};
    bool fine = check_header(&check, blob, size);
    if (fine) {
        zp_program_view(&check.view, blob, size);
        fine = check_names(&check) && check_header_content(&check) && check_pools(&check) &&
               check_what_is_moved(&check) && check_effects(&check) && check_clips(&check) &&
               check_arguments(&check) && check_overlays(&check) && check_meshes(&check) && check_plays(&check) &&
               check_machines(&check) && check_nodes(&check) && check_directors(&check) && check_srcmap(&check);
    }
    if (what) { *what = check.what; }
    return fine;
}
