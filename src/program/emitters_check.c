// The check of what a stored blob says of emitters: their numbers and colours by chance and time, bursts, and the
// emitters themselves. Called by validate.c, which has checked the pools of numbers, names, targets, cels and words
// before. What it lets through is bounded: no sum of a few products of these numbers overflows, and a tick has little
// to do.
#include "program/program.h"

#define REQUIRE(fact, what_is_wrong) \
    if (!(fact)) { return what_is_wrong; }

static bool within(double value, double low, double high) { return value >= low && value <= high; } // false for NaN
static bool is_near(double value) { return within(value, -ZP_EFFECT_FAR, ZP_EFFECT_FAR); }

static bool all_near(const double *numbers, size_t count) {
    bool near = true;
    for (size_t i = 0; i < count; ++i) { near &= is_near(numbers[i]); }
    return near;
}

static bool is_flag_set(uint32_t flags, uint32_t known) { return (flags & ~known) == 0; }

// `width` numbers a key, the first its time.
static const char *check_keys(const zp_program *program, uint32_t first, uint32_t count, uint32_t width, uint32_t max,
                              uint64_t *budget) {
    REQUIRE(count <= max, "a curve of an effect has too many keys");
    REQUIRE(count > 0 || first == 0, "a curve of an effect has keys that it does not use");
    REQUIRE((uint64_t)first + (uint64_t)count * width <= zp_count(program, ZP_SECTION_NUMBERS),
            "the keys of an effect's curve are out of range");
    REQUIRE((uint64_t)count * width <= *budget, "effects share keys out of all proportion");
    *budget -= (uint64_t)count * width;
    const double *keys = program->numbers + first;
    REQUIRE(all_near(keys, (size_t)count * width), "a key of an effect's curve is out of range");
    for (uint32_t i = 1; i < count; ++i) {
        REQUIRE(keys[(size_t)(i - 1) * width] <= keys[(size_t)i * width], "the keys of an effect's curve go back");
    }
    return NULL;
}

static const char *check_minmax(const zp_program *program, const zp_minmax *minmax, uint64_t *budget) {
    REQUIRE(minmax->mode < ZP_MINMAX_COUNT, "no such number of an effect");
    REQUIRE(is_near(minmax->multiplier) && is_near(minmax->constant_min) && is_near(minmax->constant_max),
            "a number of an effect is out of range");
    const bool has_max = minmax->mode == ZP_MINMAX_CURVE || minmax->mode == ZP_MINMAX_TWO_CURVES;
    REQUIRE((has_max || minmax->max_count == 0) && (minmax->mode == ZP_MINMAX_TWO_CURVES || minmax->min_count == 0),
            "a curve of an effect has keys that it does not use");
    REQUIRE(minmax->reserved == 0, "a reserved field is not zero");
    const char *what = check_keys(program, minmax->min_keys, minmax->min_count, ZP_KEY_COUNT, ZP_MINMAX_KEYS_MAX,
                                  budget);
    if (what) { return what; }
    return check_keys(program, minmax->max_keys, minmax->max_count, ZP_KEY_COUNT, ZP_MINMAX_KEYS_MAX, budget);
}

static const char *check_gradient(const zp_program *program, const zp_gradient *gradient, uint64_t *budget) {
    REQUIRE(gradient->mode < ZP_GRADIENT_COUNT, "no such colour of an effect");
    REQUIRE(all_near(gradient->colour_min, 4) && all_near(gradient->colour_max, 4), "a colour is out of range");
    REQUIRE(gradient->reserved == 0, "a reserved field is not zero");
    const char *what = check_keys(program, gradient->min_keys, gradient->min_count, 5, ZP_GRADIENT_KEYS_MAX, budget);
    if (what) { return what; }
    return check_keys(program, gradient->max_keys, gradient->max_count, 5, ZP_GRADIENT_KEYS_MAX, budget);
}

static const char *check_burst(const zp_burst *burst) {
    REQUIRE(within(burst->time, 0.0, ZP_EFFECT_FAR) && within(burst->interval, 0.0, ZP_EFFECT_FAR),
            "a burst's time is out of range");
    REQUIRE(within(burst->probability, 0.0, 1.0), "a burst's probability is out of range");
    REQUIRE(burst->count_min <= burst->count_max && burst->count_max <= ZP_BURST_MAX,
            "a burst's count is out of range");
    REQUIRE(burst->cycle_count >= 1 && burst->cycle_count <= ZP_BURST_CYCLES_MAX, "a burst's cycles are out of range");
    REQUIRE(burst->reserved == 0, "a reserved field is not zero");
    return NULL;
}

static bool are_refs(const zp_program *program, zp_section_id section, const uint32_t *refs, uint32_t count) {
    bool in_range = true;
    for (uint32_t i = 0; i < count; ++i) { in_range &= refs[i] <= zp_count(program, section); }
    return in_range;
}

// The turn keeps lengths: what is turned stays as near as it was.
static bool is_turn(const double turn[9]) {
    for (uint32_t i = 0; i < 9; ++i) {
        if (!within(turn[i], -1.0, 1.0)) { return false; }
    }
    return true;
}

static const char *check_place(const zp_emitter *emitter) {
    REQUIRE(is_flag_set(emitter->flags, ZP_EMITTER_LOOPS | ZP_EMITTER_LOCAL | ZP_EMITTER_WORLD_VELOCITY |
                                            ZP_EMITTER_ONE_SIZE | ZP_EMITTER_ONE_NOISE | ZP_EMITTER_ROW |
                                            ZP_EMITTER_RANDOM_ROW | ZP_EMITTER_SHEET_MOVES),
            "no such flag of an emitter");
    REQUIRE(emitter->particles_max <= ZP_EMITTER_PARTICLES_MAX, "an emitter has too many particles");
    REQUIRE(emitter->duration_ns >= ZP_LOOP_NS_MIN && emitter->duration_ns <= ZP_DURATION_NS_MAX,
            "an emitter's duration is out of range");
    REQUIRE(emitter->end_ns >= -1 && emitter->end_ns <= ZP_DURATION_NS_MAX, "an emitter's end is out of range");
    REQUIRE(all_near(emitter->place, 3) && all_near(emitter->scale, 3) && all_near(emitter->pull, 3),
            "an emitter's place is out of range");
    REQUIRE(is_turn(emitter->turn), "an emitter's turn is out of range");
    return NULL;
}

static const char *check_emission(const zp_program *program, const zp_emitter *emitter, uint64_t *budget) {
    REQUIRE(emitter->birthplace < ZP_BIRTH_COUNT, "particles are born nowhere");
    REQUIRE(emitter->start_count <= ZP_BURST_MAX, "an emitter lets too many particles go at its start");
    REQUIRE(within(emitter->radius, 0.0, ZP_EFFECT_FAR) && within(emitter->angle, 0.0, 90.0),
            "an emitter's shape is out of range");
    REQUIRE(emitter->burst_count <= ZP_BURSTS_MAX, "an emitter has too many bursts");
    REQUIRE((uint64_t)emitter->first_burst + emitter->burst_count <= zp_count(program, ZP_SECTION_BURSTS),
            "an emitter's bursts are out of range");
    REQUIRE(emitter->burst_count <= *budget, "effects share keys out of all proportion");
    *budget -= emitter->burst_count;
    const uint32_t refs[] = {
        emitter->rate_ref, emitter->way_ref, emitter->life_ref, emitter->speed_ref, emitter->size_ref,
        emitter->gravity_ref, emitter->velocity_refs[0], emitter->velocity_refs[1], emitter->velocity_refs[2],
        emitter->spin_ref, emitter->size_refs[0], emitter->size_refs[1], emitter->noise_refs[0],
        emitter->noise_refs[1], emitter->noise_refs[2], emitter->scroll_ref, emitter->frame_ref, emitter->start_ref,
    };
    REQUIRE(are_refs(program, ZP_SECTION_MINMAXES, refs, ZB_COUNT(refs)), "a number of an emitter is out of range");
    const uint32_t colours[] = {emitter->colour_ref, emitter->over_ref};
    REQUIRE(are_refs(program, ZP_SECTION_GRADIENTS, colours, ZB_COUNT(colours)),
            "a colour of an emitter is out of range");
    uint64_t keys = 0; // not for the time here: for that of a listing
    for (uint32_t i = 0; i < ZB_COUNT(refs); ++i) {
        const zp_minmax *minmax = refs[i] > 0 ? &program->minmaxes[refs[i] - 1] : NULL;
        keys += minmax ? (uint64_t)ZP_KEY_COUNT * (minmax->min_count + minmax->max_count) : 0;
    }
    for (uint32_t i = 0; i < ZB_COUNT(colours); ++i) {
        const zp_gradient *gradient = colours[i] > 0 ? &program->gradients[colours[i] - 1] : NULL;
        keys += gradient ? 5 * (uint64_t)(gradient->min_count + gradient->max_count) : 0;
    }
    REQUIRE(keys <= *budget, "effects share keys out of all proportion");
    *budget -= keys;
    REQUIRE(emitter->spin_axis < 3, "an emitter's turn has no such axis");
    REQUIRE(emitter->noise_dimensions <= 3 && emitter->noise_octaves <= ZP_OCTAVES_MAX &&
                (emitter->noise_dimensions == 0 || emitter->noise_octaves >= 1) &&
                within(emitter->noise_frequency, 0.0, ZP_EFFECT_FAR) && within(emitter->noise_gain, 0.0, 1.0) &&
                within(emitter->noise_lacunarity, 0.0, ZP_EFFECT_FAR),
            "an emitter's noise is out of range");
    return NULL;
}

static const char *check_looks(const zp_program *program, const zp_emitter *emitter, uint64_t *budget) {
    REQUIRE(emitter->facing < ZP_FACING_COUNT, "an emitter's particles face nowhere");
    REQUIRE(emitter->columns >= 1 && emitter->columns <= ZP_SHEET_MAX && emitter->rows >= 1 &&
                emitter->rows <= ZP_SHEET_MAX,
            "an emitter's sheet has too few or many frames");
    REQUIRE(emitter->row < emitter->rows && emitter->frame < emitter->columns * emitter->rows &&
                (!(emitter->flags & ZP_EMITTER_ROW) || emitter->frame < emitter->columns),
            "an emitter's frame is not on its sheet");
    REQUIRE(emitter->cycles <= ZP_CYCLES_MAX && is_near(emitter->start), "an emitter's sheet moves out of range");
    REQUIRE((uint64_t)emitter->first_cel + emitter->cel_count <= zp_count(program, ZP_SECTION_WORDS),
            "an emitter's cels are out of range");
    REQUIRE(emitter->cel_count <= *budget, "effects share keys out of all proportion");
    *budget -= emitter->cel_count;
    for (uint32_t i = 0; i < emitter->cel_count; ++i) {
        REQUIRE(program->words[emitter->first_cel + i] < zp_count(program, ZP_SECTION_CELS), "a frame is no cel");
    }
    REQUIRE(within(emitter->inner, 0.0, ZP_EFFECT_FAR) && within(emitter->intensity, 0.0, ZP_EFFECT_FAR),
            "a light is out of range");
    REQUIRE(within(emitter->width, 0.0, ZP_EFFECT_FAR) && within(emitter->apart, 0.0, ZP_EFFECT_FAR) &&
                emitter->point_ns >= 0 && emitter->point_ns <= ZP_DURATION_NS_MAX,
            "a trail is out of range");
    REQUIRE(within(emitter->pixel, 0.0, ZP_EFFECT_FAR), "a decal's size is out of range");
    REQUIRE(emitter->reserved == 0, "a reserved field is not zero");
    return NULL;
}

const char *zp_emitters_check(const zp_program *program, uint64_t *budget) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MINMAXES); ++i) {
        const char *what = check_minmax(program, &program->minmaxes[i], budget);
        if (what) { return what; }
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_GRADIENTS); ++i) {
        const char *what = check_gradient(program, &program->gradients[i], budget);
        if (what) { return what; }
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_BURSTS); ++i) {
        const char *what = check_burst(&program->bursts[i]);
        if (what) { return what; }
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_EMITTERS); ++i) {
        const zp_emitter *emitter = &program->emitters[i];
        const char *what = check_place(emitter);
        if (!what) { what = check_emission(program, emitter, budget); }
        if (!what) { what = check_looks(program, emitter, budget); }
        if (what) { return what; }
    }
    return NULL;
}

// What does not move along a path has none of a path's members.
const char *zp_integrated_check(const zp_program *program, const zp_effect *effect, uint32_t emitters_before) {
    REQUIRE(effect->motion == ZP_MOTION_INTEGRATED && effect->kind < ZP_EFFECT_KIND_COUNT &&
                effect->blend < ZP_EFFECT_BLEND_COUNT,
            "no such effect");
    REQUIRE(effect->emitter_ref == emitters_before + 1 &&
                effect->emitter_ref <= zp_count(program, ZP_SECTION_EMITTERS),
            "an effect's emitter is not its own");
    REQUIRE(effect->cel_ref <= zp_count(program, ZP_SECTION_CELS), "an effect's cel is out of range");
    const zp_range none = {0.0, 0.0};
    const zp_range *ranges = &effect->size;
    for (uint32_t i = 0; i < 4; ++i) {
        REQUIRE(memcmp(&ranges[i], &none, sizeof none) == 0, "an effect has members that it does not use");
    }
    REQUIRE(effect->flags == 0 && effect->burst_count == 0 && effect->burst_max == 0 && effect->alive_max == 0 &&
                effect->easing_ref == 0 && effect->keys == 0 && effect->key_count == 0 && effect->shapes == 0 &&
                effect->shape_count == 0 && effect->life_unit_ns == 0 && effect->fall == 0.0 &&
                effect->origin[0] == 0.0 && effect->origin[1] == 0.0,
            "an effect has members that it does not use");
    const uint32_t colours = effect->kind == ZP_EFFECT_PARTICLES ? 0 : effect->kind == ZP_EFFECT_TRAIL ? 2 : 1;
    REQUIRE(effect->colour_count == colours && (colours > 0 || effect->colours == 0),
            "an effect has too few or many colours");
    REQUIRE((uint64_t)effect->colours + 4 * (uint64_t)colours <= zp_count(program, ZP_SECTION_NUMBERS),
            "an effect's colours are out of range");
    REQUIRE(all_near(program->numbers + effect->colours, 4 * (size_t)colours), "a colour is out of range");
    return NULL;
}
_Static_assert(offsetof(zp_effect, life) - offsetof(zp_effect, size) == 3 * sizeof(zp_range), "four ranges in a row");
