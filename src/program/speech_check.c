// The check of what a stored blob says of overlays and of speech. Called by validate.c, which has checked the pools of
// numbers and names, the clips, sprites, cels and the machine before. What it lets through cannot overflow: lengths are
// bounded, tables are sorted, references lead somewhere.
#include "program/program.h"

#define REQUIRE(fact, what_is_wrong) \
    if (!(fact)) { return what_is_wrong; }

static bool is_near(double value) { return value >= -ZP_OVERLAY_FAR && value <= ZP_OVERLAY_FAR; } // false for NaN
static bool is_length(double value) { return value >= 0.0 && value <= ZP_OVERLAY_FAR; }
static bool is_share(double value) { return value >= 0.0 && value <= 1.0; }
static bool is_name(const zp_program *program, zp_name name) { return name < zp_count(program, ZP_SECTION_NAMES); }

static bool in_section(const zp_program *program, zp_section_id section, uint32_t first, uint64_t count) {
    return (uint64_t)first + count <= zp_count(program, section);
}

// ---------------------------------------------------------------------------------------------------- overlays

static const char *check_numbers(const zp_program *program, uint32_t first, uint64_t count, uint64_t *budget) {
    REQUIRE(in_section(program, ZP_SECTION_NUMBERS, first, count), "the numbers of an overlay are out of range");
    REQUIRE(count <= *budget, "overlays share numbers out of all proportion");
    *budget -= count;
    for (uint64_t i = 0; i < count; ++i) {
        REQUIRE(is_near(program->numbers[first + i]), "a number of an overlay is out of range");
    }
    return NULL;
}

static const char *check_cels(const zp_program *program, const zp_overlay *overlay, uint64_t *budget) {
    REQUIRE(overlay->cel_count >= 1 && in_section(program, ZP_SECTION_WORDS, overlay->first_cel, overlay->cel_count),
            "the pictures of an overlay are out of range");
    REQUIRE(overlay->cel_count <= *budget, "overlays share pictures out of all proportion");
    *budget -= overlay->cel_count;
    for (uint32_t i = 0; i < overlay->cel_count; ++i) {
        REQUIRE(in_section(program, ZP_SECTION_CELS, program->words[overlay->first_cel + i], 1),
                "a picture of an overlay is no cel");
    }
    return NULL;
}

const zp_curve *zp_overlay_curve(const zp_program *program, const zp_overlay *overlay) {
    const zp_clip *clip = &program->clips[overlay->clip];
    const uint32_t channel = program->sprites[overlay->sprite].channel_ref - 1;
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        const zp_curve *curve = &program->curves[clip->first_curve + i];
        if (curve->first_channel == channel && curve->width == 1) { return curve; }
    }
    return NULL;
}

static const char *check_overlay(const zp_program *program, const zp_overlay *overlay, uint64_t *budget) {
    REQUIRE(is_name(program, overlay->name), "the name of an overlay is out of range");
    REQUIRE(in_section(program, ZP_SECTION_CLIPS, overlay->clip, 1), "the clip of an overlay is out of range");
    REQUIRE(in_section(program, ZP_SECTION_SPRITES, overlay->sprite, 1), "the sprite of an overlay is out of range");
    REQUIRE(program->sprites[overlay->sprite].channel_ref != 0, "an overlay lies over a sprite without frames");
    REQUIRE(program->clips[overlay->clip].curve_count <= *budget, "overlays share clips out of all proportion");
    *budget -= program->clips[overlay->clip].curve_count;
    const zp_curve *curve = zp_overlay_curve(program, overlay);
    REQUIRE(curve && curve->placement == ZP_PLACE_STEP_NS && curve->interpolation == ZP_INTERPOLATE_HOLD,
            "an overlay lies over a clip that is no flip-book");
    REQUIRE(overlay->rule < ZP_OVERLAY_COUNT && (overlay->flags & ~(uint32_t)ZP_OVERLAY_ALIGNED) == 0,
            "no such overlay");
    REQUIRE(overlay->rest_frame < curve->key_count, "the frame at rest of an overlay is out of range");
    REQUIRE(is_near(overlay->threshold) && is_near(overlay->shift), "a number of an overlay is out of range");
    REQUIRE(is_length(overlay->open) && is_length(overlay->swell) && is_length(overlay->reach[0]) &&
                is_length(overlay->reach[1]), "the ellipse of an overlay is out of range");
    REQUIRE(overlay->anchor_count >= 1, "an overlay is nowhere");
    REQUIRE(overlay->source_count <= overlay->cel_count, "an overlay has more sources than pictures");
    REQUIRE(overlay->reserved == 0, "a reserved field is not zero");
    const char *what = check_cels(program, overlay, budget);
    if (!what) { what = check_numbers(program, overlay->levels, overlay->cel_count, budget); }
    if (!what) { what = check_numbers(program, overlay->anchors, 4 * (uint64_t)overlay->anchor_count, budget); }
    if (!what) { what = check_numbers(program, overlay->sources, 2 * (uint64_t)overlay->source_count, budget); }
    return what;
}

const char *zp_overlays_check(const zp_program *program, uint64_t *budget) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_OVERLAYS); ++i) {
        const zp_overlay *overlay = &program->overlays[i];
        const char *what = check_overlay(program, overlay, budget);
        if (what) { return what; }
        REQUIRE(i == 0 || overlay[-1].clip < overlay->clip, "overlays are out of order");
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------- speech

static const char *check_speech(const zp_program *program, const zp_machine *machine) {
    const zp_speech *speech = program->speeches;
    const uint32_t voice_count = zp_count(program, ZP_SECTION_VOICES);
    REQUIRE(in_section(program, ZP_SECTION_WORDS, speech->voices, machine->state_count),
            "the voices of the states are out of range");
    for (uint32_t i = 0; i < machine->state_count; ++i) {
        REQUIRE(program->words[speech->voices + i] < voice_count, "a state has no voice");
    }
    REQUIRE(speech->entry_ref <= voice_count && speech->other_ref <= voice_count, "no such way into speech");
    REQUIRE(is_share(speech->other_chance), "a chance is outside 0..1");
    REQUIRE(speech->hold_ns >= 0 && speech->hold_ns <= ZP_DURATION_NS_MAX && speech->after_ns_min >= 1 &&
                speech->after_ns_min <= ZP_DURATION_NS_MAX, "a time of speech is out of range");
    REQUIRE(speech->reserved == 0, "a reserved field is not zero");
    return NULL;
}

static const char *check_voice(const zp_program *program, uint32_t index, uint64_t *budget) {
    const zp_voice *voice = &program->voices[index];
    const uint32_t known = ZP_VOICE_PERFORMS | ZP_VOICE_PLAIN | ZP_VOICE_WAITS | ZP_VOICE_OTHER;
    REQUIRE(is_name(program, voice->name), "the name of a voice is out of range");
    REQUIRE(index == 0 ||
                strcmp(zp_name_text(program, voice[-1].name), zp_name_text(program, voice->name)) < 0,
            "voices are out of order");
    REQUIRE((voice->flags & ~known) == 0, "no such flag of a voice");
    REQUIRE(voice->intent_ref <= zp_count(program, ZP_SECTION_INTENTS), "the intent of a voice is out of range");
    REQUIRE(voice->overlay_ref <= zp_count(program, ZP_SECTION_OVERLAYS), "the overlay of a voice is out of range");
    REQUIRE(in_section(program, ZP_SECTION_WORDS, voice->first_other, voice->other_count),
            "what answers a voice is out of range");
    REQUIRE(voice->other_count <= *budget, "voices share others out of all proportion");
    *budget -= voice->other_count;
    for (uint32_t i = 0; i < voice->other_count; ++i) {
        REQUIRE(is_name(program, program->words[voice->first_other + i]), "what answers a voice has no name");
    }
    return NULL;
}

static const char *check_tables(const zp_program *program, const zp_machine *machine) {
    const uint32_t voice_count = zp_count(program, ZP_SECTION_VOICES);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_INTENTS); ++i) {
        const zp_intent *intent = &program->intents[i];
        REQUIRE(is_name(program, intent->name) && intent->entry_ref <= voice_count && intent->reserved == 0 &&
                    (intent->after_ref == 0 || intent->after_ref - 1 - machine->first_state < machine->state_count),
                "an intent leads nowhere");
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_ALIASES); ++i) {
        const zp_alias *alias = &program->aliases[i];
        REQUIRE(is_name(program, alias->word) && alias->voice < voice_count, "a word means nothing");
        REQUIRE(i == 0 || strcmp(zp_name_text(program, alias[-1].word), zp_name_text(program, alias->word)) < 0,
                "words are out of order");
    }
    return NULL;
}

const char *zp_speech_check(const zp_program *program, const zp_director *director, uint64_t *budget) {
    const uint32_t count = zp_count(program, ZP_SECTION_SPEECHES);
    if (!director || director->kind != ZP_DIRECTOR_SPEECH) {
        REQUIRE(count == 0 && zp_count(program, ZP_SECTION_VOICES) == 0 && zp_count(program, ZP_SECTION_INTENTS) == 0 &&
                    zp_count(program, ZP_SECTION_ALIASES) == 0, "something belongs to no director");
        return NULL;
    }
    REQUIRE(count == 1, "a director of speech knows nothing");
    const zp_machine *machine = &program->machines[director->machine];
    REQUIRE(machine->routing == ZP_ROUTING_FIRST_HOP, "a director of speech has no machine that runs");
    const zp_director blank = {.kind = director->kind, .machine = director->machine, .flags = director->flags};
    REQUIRE(memcmp(&blank, director, sizeof blank) == 0, "a director of speech has slots");
    const char *what = check_speech(program, machine);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_VOICES) && !what; ++i) {
        what = check_voice(program, i, budget);
    }
    return what ? what : check_tables(program, machine);
}
