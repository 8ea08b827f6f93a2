// The effects of a clip on their way into records: particles, lights, trails and decals. Called by enemy_compile.c,
// which knows the bones and the pictures. Numbers only; what becomes of them is the runtime's. What differs between the
// profiles ends in other numbers here.
#include <math.h>

#include "base/maths.h"
#include "formats/enemy.h"

static double near(double value) { return zb_clamp(value, -ZP_EFFECT_FAR, ZP_EFFECT_FAR); }
static double at_least(double value, double least) { return value > least ? value : least; }

static int64_t duration_ns(double seconds) { // down, as every duration, at least 1
    const double whole = floor(seconds * 1e9 + 0x1p-10);
    return whole > 1.0 ? whole < (double)ZP_DURATION_NS_MAX ? (int64_t)whole : ZP_DURATION_NS_MAX : 1;
}

// `lower` has no capitals.
static bool equal_any_case(zo_text text, zo_text lower) {
    bool equal = text.size == lower.size;
    for (size_t i = 0; equal && i < text.size; i++) {
        const char c = text.data[i];
        equal = (c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) == lower.data[i];
    }
    return equal;
}

// ---------------------------------------------------------------------------------------------------- numbers, colours

static uint32_t key_numbers(zp_build *build, const zf_en_keys *keys, uint32_t *count) {
    double rows[ZP_MINMAX_KEYS_MAX][ZP_KEY_COUNT];
    *count = keys->count < ZP_MINMAX_KEYS_MAX ? keys->count : ZP_MINMAX_KEYS_MAX;
    for (uint32_t i = 0; i < *count; i++) {
        const zf_en_key *key = &keys->items[i];
        rows[i][ZP_KEY_TIME] = near(key->time);
        rows[i][ZP_KEY_VALUE] = near(key->value);
        rows[i][ZP_KEY_IN] = near(key->in_tangent);
        rows[i][ZP_KEY_OUT] = near(key->out_tangent);
    }
    return zp_build_numbers(build, &rows[0][0], *count * ZP_KEY_COUNT);
}

// Its reference, the whole times `factor`; 0 where the curve is absent.
static uint32_t curve_ref(zp_build *build, const zf_en_curve *curve, double factor) {
    static const uint32_t modes[ZF_EN_CURVE_MODE_COUNT] = {
        [ZF_EN_CONSTANT] = ZP_MINMAX_CONSTANT, [ZF_EN_CURVE] = ZP_MINMAX_CURVE,
        [ZF_EN_TWO_CURVES] = ZP_MINMAX_TWO_CURVES, [ZF_EN_TWO_CONSTANTS] = ZP_MINMAX_TWO_CONSTANTS,
    };
    if (curve->node == 0) {
        return 0;
    }
    zp_minmax record = {.mode = modes[curve->mode]};
    if (curve->mode == ZF_EN_CONSTANT || curve->mode == ZF_EN_TWO_CONSTANTS) {
        record.constant_min = curve->mode == ZF_EN_CONSTANT ? 0.0 : near(curve->constant_min * factor);
        record.constant_max = near(curve->constant_max * factor);
        return zp_build_minmax(build, &record) + 1;
    }
    record.multiplier = near(curve->multiplier * factor);
    if (curve->mode == ZF_EN_TWO_CURVES) {
        record.min_keys = key_numbers(build, &curve->min, &record.min_count);
    }
    record.max_keys = key_numbers(build, &curve->max, &record.max_count);
    return zp_build_minmax(build, &record) + 1;
}

static uint32_t between_ref(zp_build *build, double min, double max) {
    const zp_minmax record = {.mode = ZP_MINMAX_TWO_CONSTANTS, .constant_min = near(min), .constant_max = near(max)};
    return zp_build_minmax(build, &record) + 1;
}

// The curve replaces the pair. `zero`: what is 0 anyway needs no record.
static uint32_t range_ref(zp_build *build, const zf_en_range *range, const zf_en_curve *curve, bool zero) {
    if (curve->node != 0) {
        return curve_ref(build, curve, 1.0);
    }
    return zero && range->min == 0.0 && range->max == 0.0 ? 0 : between_ref(build, range->min, range->max);
}

// As above, but what is absent is 0 all the same, and not left out.
static uint32_t factor_ref(zp_build *build, const zf_en_curve *curve) {
    return curve->node != 0 ? curve_ref(build, curve, 1.0) : zp_build_minmax(build, &(zp_minmax){0}) + 1;
}

static void put_color(const zf_en_color *color, double out[4]) {
    out[0] = near(color->r);
    out[1] = near(color->g);
    out[2] = near(color->b);
    out[3] = near(color->a);
}

static uint32_t color_numbers(zp_build *build, const zf_en_color_key *keys, uint32_t key_count, uint32_t *count) {
    double rows[ZP_GRADIENT_KEYS_MAX][5];
    *count = key_count < ZP_GRADIENT_KEYS_MAX ? key_count : ZP_GRADIENT_KEYS_MAX;
    for (uint32_t i = 0; i < *count; i++) {
        rows[i][0] = near(keys[i].time);
        put_color(&keys[i].color, &rows[i][1]);
    }
    return zp_build_numbers(build, &rows[0][0], *count * 5);
}

static uint32_t gradient_ref(zp_build *build, const zf_en_gradient *gradient) {
    static const uint32_t modes[ZF_EN_GRADIENT_MODE_COUNT] = {
        [ZF_EN_COLOR] = ZP_GRADIENT_COLOUR, [ZF_EN_GRADIENT] = ZP_GRADIENT_GRADIENT,
        [ZF_EN_TWO_COLORS] = ZP_GRADIENT_TWO_COLOURS, [ZF_EN_TWO_GRADIENTS] = ZP_GRADIENT_TWO_GRADIENTS,
        [ZF_EN_RANDOM_COLOR] = ZP_GRADIENT_RANDOM_COLOUR,
    };
    if (gradient->node == 0) {
        return 0;
    }
    zp_gradient record = {.mode = modes[gradient->mode]};
    put_color(&gradient->color_min, record.colour_min);
    put_color(&gradient->color_max, record.colour_max);
    record.min_keys = color_numbers(build, gradient->min, gradient->min_count, &record.min_count);
    record.max_keys = color_numbers(build, gradient->max, gradient->max_count, &record.max_count);
    return zp_build_gradient(build, &record) + 1;
}

static uint32_t start_color_ref(zp_build *build, const zf_en_effect *effect) {
    if (effect->start_color_gradient.node != 0) {
        return gradient_ref(build, &effect->start_color_gradient);
    }
    zp_gradient record = {.mode = ZP_GRADIENT_TWO_COLOURS};
    put_color(&effect->start_color_min, record.colour_min);
    put_color(&effect->start_color_max, record.colour_max);
    return zp_build_gradient(build, &record) + 1;
}

// ---------------------------------------------------------------------------------------------------- where it stands

// Ry Rx Rz of angles in degrees.
static void put_turn(const double degrees[3], double turn[9]) {
    double sx, cx, sy, cy, sz, cz;
    zb_sincos_degrees(near(degrees[0]), &sx, &cx);
    zb_sincos_degrees(near(degrees[1]), &sy, &cy);
    zb_sincos_degrees(near(degrees[2]), &sz, &cz);
    const double rows[9] = {
        cy * cz + sy * sx * sz, sy * sx * cz - cy * sz, sy * cx, //
        cx * sz,                cx * cz,                0.0 - sx, //
        cy * sx * sz - sy * cz, sy * sz + cy * sx * cz, cy * cx,
    };
    for (uint32_t i = 0; i < 9; i++) {
        turn[i] = zb_clamp(rows[i], -1.0, 1.0);
    }
}

static zp_emitter standing(const zf_en_effect *effect, double seconds) {
    zp_emitter emitter = {.duration_ns = duration_ns(seconds), .columns = effect->tiles_x, .rows = effect->tiles_y,
                          .frame = effect->sheet_frame, .pull = {0.0, -9.81, 0.0}};
    for (uint32_t i = 0; i < 3; i++) {
        emitter.place[i] = near(effect->position[i]);
        emitter.scale[i] = near(effect->scale[i]);
    }
    put_turn(effect->rotation, emitter.turn);
    return emitter;
}

// ---------------------------------------------------------------------------------------------------- particles

static uint32_t birthplace_of(const zf_en_effect *effect) {
    static const struct {
        zo_text name; // in lower case
        zp_birthplace place;
    } shapes[] = {
        {{"coneshell", 9}, ZP_BIRTH_CONE_SHELL},
        {{"conevolume", 10}, ZP_BIRTH_CONE_VOLUME},
        {{"conevolumeshell", 15}, ZP_BIRTH_CONE_VOLUME_SHELL},
        {{"sphere", 6}, ZP_BIRTH_SPHERE},
        {{"sphereshell", 11}, ZP_BIRTH_SPHERE_SHELL},
        {{"hemisphere", 10}, ZP_BIRTH_HEMISPHERE},
        {{"hemisphereshell", 15}, ZP_BIRTH_HEMISPHERE_SHELL},
        {{"circle", 6}, ZP_BIRTH_CIRCLE},
        {{"circleedge", 10}, ZP_BIRTH_CIRCLE_EDGE},
        {{"singlesidededge", 15}, ZP_BIRTH_EDGE},
        {{"edge", 4}, ZP_BIRTH_EDGE},
        {{"box", 3}, ZP_BIRTH_BOX},
        {{"boxshell", 8}, ZP_BIRTH_BOX_SHELL},
        {{"boxedge", 7}, ZP_BIRTH_BOX_EDGE},
        {{"rectangle", 9}, ZP_BIRTH_RECTANGLE},
        {{"donut", 5}, ZP_BIRTH_DONUT},
        {{"mesh", 4}, ZP_BIRTH_POINT}, // nothing to be born on
        {{"meshrenderer", 12}, ZP_BIRTH_POINT},
        {{"skinnedmeshrenderer", 19}, ZP_BIRTH_POINT},
        {{"sprite", 6}, ZP_BIRTH_POINT},
        {{"spriterenderer", 14}, ZP_BIRTH_POINT},
    };
    if (!effect->shape_enabled) {
        return ZP_BIRTH_POINT;
    }
    for (uint32_t i = 0; i < ZB_COUNT(shapes); i++) {
        if (equal_any_case(effect->shape, shapes[i].name)) {
            return shapes[i].place;
        }
    }
    return ZP_BIRTH_CONE;
}

static uint32_t facing_of(const zf_en_effect *effect) {
    if (equal_any_case(effect->render_mode, ZB_TEXT("stretch"))) {
        return ZP_FACING_STRETCH;
    }
    const bool unseen = equal_any_case(effect->render_mode, ZB_TEXT("none")) ||
                        equal_any_case(effect->render_mode, ZB_TEXT("horizontalbillboard")); // seen from its edge
    return unseen ? ZP_FACING_NONE : ZP_FACING_VIEW;
}

static double half_to_even(double value) {
    const double below = floor(value), over = value - below;
    return over < 0.5 || (over == 0.5 && floor(below / 2.0) * 2.0 == below) ? below : below + 1.0;
}

static uint32_t whole_count(double count) { return (uint32_t)zb_clamp(half_to_even(count), 0.0, ZP_BURST_MAX); }

static void put_bursts(zp_build *build, const zf_en_effect *effect, zp_emitter *emitter) {
    zp_burst bursts[ZP_BURSTS_MAX];
    emitter->burst_count = effect->burst_count < ZP_BURSTS_MAX ? effect->burst_count : ZP_BURSTS_MAX;
    for (uint32_t i = 0; i < emitter->burst_count; i++) {
        const zf_en_burst *burst = &effect->bursts[i];
        bursts[i] = (zp_burst){.time = near(burst->time), .interval = near(burst->repeat_interval),
                               .probability = burst->probability, .count_min = whole_count(burst->count_min),
                               .count_max = whole_count(burst->count_max), .cycle_count = burst->cycle_count};
    }
    emitter->first_burst = zp_build_bursts(build, bursts, emitter->burst_count);
}

// What the particles are born with, and when.
static void put_births(zp_build *build, zo_profile profile, const zf_en_effect *effect, zp_emitter *emitter) {
    const zf_en_range *rate = &effect->emission_rate;
    const bool original = profile == ZO_PROFILE_ORIGINAL;
    emitter->particles_max = effect->max_particles;
    if (original) {
        emitter->particles_max = (uint32_t)zb_clamp(effect->max_particles, 1.0, 10000.0);
        if (rate->min <= 0.0 && rate->max <= 0.0 && effect->burst_count == 0) {
            emitter->start_count = (uint32_t)zb_clamp(effect->max_particles, 1.0, 12.0);
        }
    }
    emitter->birthplace = birthplace_of(effect);
    emitter->radius = near(effect->shape_radius);
    emitter->angle = zb_clamp(effect->shape_angle, 0.0, 90.0);
    put_bursts(build, effect, emitter);
    emitter->rate_ref = range_ref(build, rate, &effect->emission_rate_curve, true);
    if (effect->space == ZF_EN_WORLD) {
        emitter->way_ref = curve_ref(build, &effect->emission_rate_over_distance, 1.0);
    } else {
        emitter->flags |= ZP_EMITTER_LOCAL;
    }
    emitter->life_ref = range_ref(build, &effect->start_lifetime, &effect->start_lifetime_curve, false);
    emitter->speed_ref = range_ref(build, &effect->start_speed, &effect->start_speed_curve, true);
    emitter->size_ref = range_ref(build, &effect->start_size, &effect->start_size_curve, true);
    emitter->colour_ref = start_color_ref(build, effect);
}

static void put_life(zp_build *build, const zf_en_effect *effect, zp_emitter *emitter) {
    emitter->gravity_ref = range_ref(build, &effect->gravity, &effect->gravity_curve, true);
    emitter->over_ref = gradient_ref(build, &effect->color_over_lifetime);
    const zf_en_axes *velocity = &effect->velocity_over_lifetime, *turn = &effect->rotation_over_lifetime;
    if (velocity->node != 0 && velocity->enabled) {
        for (uint32_t i = 0; i < 3; i++) {
            emitter->velocity_refs[i] = curve_ref(build, &velocity->axis[i], 1.0);
        }
        emitter->flags |= velocity->space == ZF_EN_WORLD ? ZP_EMITTER_WORLD_VELOCITY : 0;
    }
    if (turn->node != 0 && turn->enabled) { // only the turn about z shows
        emitter->spin_axis = turn->separate || turn->axis[2].node != 0 ? 2 : 0;
        emitter->spin_ref = curve_ref(build, &turn->axis[emitter->spin_axis], 1.0);
    }
    const zf_en_axes *size = &effect->size_over_lifetime;
    if (size->node != 0 && size->enabled) {
        emitter->size_refs[0] = factor_ref(build, &size->axis[0]);
        if (size->separate) {
            emitter->size_refs[1] = factor_ref(build, &size->axis[1]);
        } else {
            emitter->flags |= ZP_EMITTER_ONE_SIZE;
        }
    }
}

static void put_noise(zp_build *build, const zf_en_noise *noise, zp_emitter *emitter) {
    if (noise->node == 0 || !noise->enabled) {
        return;
    }
    const double frequency = noise->frequency;
    for (uint32_t i = 0; i < (noise->separate ? 3u : 1u); i++) {
        emitter->noise_refs[i] = curve_ref(build, &noise->strength[i], noise->damping ? 1.0 / frequency : 1.0);
    }
    emitter->flags |= noise->separate ? 0 : ZP_EMITTER_ONE_NOISE;
    emitter->scroll_ref = curve_ref(build, &noise->scroll_speed, 1.0);
    emitter->noise_dimensions = noise->quality == ZF_EN_LOW ? 1 : noise->quality == ZF_EN_MEDIUM ? 2 : 3;
    emitter->noise_octaves = noise->octave_count;
    emitter->noise_frequency = near(frequency);
    emitter->noise_gain = noise->octave_multiplier;
    emitter->noise_lacunarity = near(noise->octave_scale);
}

// With no curves the frame is what the document says, in whole numbers: a share of the sheet could land just below it.
static void put_sheet(zp_build *build, const zf_en_effect *effect, zp_emitter *emitter) {
    const uint32_t all = effect->tiles_x * effect->tiles_y;
    const bool moves = effect->sheet_frame_over_time.node != 0 || (all > 1 && effect->sheet_start_frame.node != 0);
    if (effect->sheet_animation == ZF_EN_SINGLE_ROW) {
        emitter->flags |= ZP_EMITTER_ROW | (effect->sheet_random_row ? ZP_EMITTER_RANDOM_ROW : 0);
        emitter->row = effect->sheet_row < effect->tiles_y ? effect->sheet_row : effect->tiles_y - 1;
        emitter->frame = effect->sheet_frame / effect->tiles_y;
    }
    if (!moves) {
        return;
    }
    emitter->flags |= ZP_EMITTER_SHEET_MOVES;
    emitter->frame = 0;
    emitter->start = (double)effect->sheet_frame / (double)all;
    emitter->cycles = effect->sheet_cycle_count;
    emitter->start_ref = curve_ref(build, &effect->sheet_start_frame, 1.0);
    emitter->frame_ref = curve_ref(build, &effect->sheet_frame_over_time, 1.0);
}

static zp_emitter particles(zp_build *build, zo_profile profile, const zf_en_effect *effect) {
    zp_emitter emitter = standing(effect, at_least(effect->duration_s, 0.01));
    emitter.flags |= effect->loop ? ZP_EMITTER_LOOPS : 0;
    emitter.end_ns = duration_ns(at_least(effect->duration_s + near(effect->start_lifetime.max) + 1.0, 0.1));
    if (effect->loop && profile != ZO_PROFILE_ORIGINAL) {
        emitter.end_ns = -1;
    }
    put_births(build, profile, effect, &emitter);
    put_life(build, effect, &emitter);
    put_noise(build, &effect->noise, &emitter);
    put_sheet(build, effect, &emitter);
    emitter.facing = facing_of(effect);
    return emitter;
}

// ---------------------------------------------------------------------------------------------------- the others

static zp_emitter lasting(const zf_en_effect *effect) {
    const double seconds = at_least(effect->duration_s, 0.02);
    zp_emitter emitter = standing(effect, seconds);
    emitter.end_ns = emitter.duration_ns;
    return emitter;
}

static zp_emitter light(const zf_en_effect *effect) {
    zp_emitter emitter = lasting(effect);
    emitter.radius = at_least(near(effect->light_radius), 0.01);
    emitter.inner = 0.35 * emitter.radius;
    emitter.intensity = near(effect->light_intensity);
    return emitter;
}

static zp_emitter trail(const zf_en_effect *effect) {
    zp_emitter emitter = lasting(effect);
    emitter.end_ns = duration_ns(at_least(effect->duration_s, 0.02) + effect->trail_time);
    emitter.width = near(effect->trail_width);
    emitter.apart = 0.02;
    emitter.point_ns = duration_ns(effect->trail_time);
    return emitter;
}

static zp_emitter decal(const zf_en_effect *effect) {
    zp_emitter emitter = lasting(effect);
    emitter.pixel = 1.0 / effect->decal_pixels_per_unit;
    return emitter;
}

uint32_t zf_en_build_effect(zp_build *build, zo_profile profile, const zf_en_effect *effect, const zf_en_stand *stand) {
    zp_effect record = {
        .name = zp_build_name(build, effect->id), .motion = ZP_MOTION_INTEGRATED, .target = stand->target,
        .layer = stand->layer, .order = (int32_t)zb_clamp(effect->sorting_order, INT32_MIN, INT32_MAX),
        .cel_ref = stand->cel_ref, .blend = effect->kind == ZF_EN_LIGHT ? ZP_EFFECT_ADD : ZP_EFFECT_OVER,
    };
    zp_emitter emitter;
    switch (effect->kind) {
    case ZF_EN_LIGHT:
        record.kind = ZP_EFFECT_LIGHT;
        emitter = light(effect);
        break;
    case ZF_EN_TRAIL:
        record.kind = ZP_EFFECT_TRAIL;
        emitter = trail(effect);
        break;
    case ZF_EN_DECAL:
        record.kind = ZP_EFFECT_DECAL;
        emitter = decal(effect);
        break;
    default:
        record.kind = ZP_EFFECT_PARTICLES;
        emitter = particles(build, profile, effect);
        emitter.cel_count = stand->cel_count;
        emitter.first_cel = zp_build_words(build, stand->cels, stand->cel_count);
        break;
    }
    double colours[2][4];
    put_color(&effect->start_color_min, colours[0]);
    put_color(&effect->start_color_max, colours[1]);
    record.colour_count = effect->kind == ZF_EN_PARTICLE ? 0 : effect->kind == ZF_EN_TRAIL ? 2 : 1;
    record.colours = zp_build_numbers(build, &colours[0][0], 4 * record.colour_count);
    record.emitter_ref = zp_build_emitter(build, &emitter) + 1;
    return zp_build_effect(build, &record) + 1;
}
