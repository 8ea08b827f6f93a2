// The parts of the listing that tell of overlays and of speech. Called by dump.c. Reads a checked program.
#include "base/buffer.h"
#include "program/program.h"

static void put_name(zb_buffer *out, const zp_program *program, zp_name name) {
    zb_put_char(out, '"');
    zb_put(out, zp_name_text(program, name));
    zb_put_char(out, '"');
}

static void put_numbers(zb_buffer *out, const char *word, const double *numbers, uint32_t count) {
    zb_put(out, word);
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0) { zb_put_char(out, ' '); }
        zb_put_double(out, numbers[i]);
    }
}

static void put_ms(zb_buffer *out, const char *word, int64_t ns) {
    const double ms = (double)ns / 1e6;
    put_numbers(out, word, &ms, 1);
    zb_put(out, " ms");
}

// ---------------------------------------------------------------------------------------------------- overlays

static void put_rows(zb_buffer *out, const zp_program *program, const char *word, uint32_t first, uint32_t count,
                     uint32_t width) {
    for (uint32_t i = 0; i < count; ++i) {
        put_numbers(out, i == 0 ? word : ", ", &program->numbers[first + (size_t)i * width], width);
    }
}

void zp_overlays_dump(const zp_program *program, zb_buffer *out) {
    static const char *const rules[ZP_OVERLAY_COUNT] = {"when it is quiet", "by the level"};
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_OVERLAYS); ++i) {
        const zp_overlay *overlay = &program->overlays[i];
        zb_put(out, "\noverlay ");
        zb_put_uint(out, i);
        zb_put_char(out, ' ');
        put_name(out, program, overlay->name);
        zb_put(out, "  clip ");
        put_name(out, program, program->clips[overlay->clip].name);
        zb_put(out, "  sprite ");
        put_name(out, program, program->sprites[overlay->sprite].name);
        zb_put(out, "\n  ");
        zb_put(out, rules[overlay->rule]);
        put_numbers(out, ", threshold ", &overlay->threshold, 1);
        put_numbers(out, ", open ", &overlay->open, 1);
        put_numbers(out, ", swell ", &overlay->swell, 1);
        put_numbers(out, ", reach ", overlay->reach, 2);
        put_numbers(out, ", shift ", &overlay->shift, 1);
        zb_put(out, ", at rest in frame ");
        zb_put_uint(out, overlay->rest_frame);
        if (overlay->flags & ZP_OVERLAY_ALIGNED) { zb_put(out, ", aligned"); }
        zb_put(out, "\n  pictures");
        for (uint32_t c = 0; c < overlay->cel_count; ++c) {
            zb_put_char(out, ' ');
            put_name(out, program, program->cels[program->words[overlay->first_cel + c]].name);
        }
        put_rows(out, program, " for ", overlay->levels, overlay->cel_count, 1);
        put_rows(out, program, "\n  anchors ", overlay->anchors, overlay->anchor_count, 4);
        put_rows(out, program, "\n  sources ", overlay->sources, overlay->source_count, 2);
        zb_put_char(out, '\n');
    }
}

// ---------------------------------------------------------------------------------------------------- speech

static void put_voice_ref(zb_buffer *out, const zp_program *program, const char *word, uint32_t ref) {
    if (ref == 0) { return; }
    zb_put(out, word);
    put_name(out, program, program->voices[ref - 1].name);
}

static void put_voice(zb_buffer *out, const zp_program *program, const zp_voice *voice) {
    static const char *const flags[] = {"performs", "plain", "waits", "other entry"};
    zb_put(out, "  voice ");
    put_name(out, program, voice->name);
    for (uint32_t i = 0; i < ZB_COUNT(flags); ++i) {
        if (!(voice->flags >> i & 1)) { continue; }
        zb_put(out, "  ");
        zb_put(out, flags[i]);
    }
    if (voice->intent_ref != 0) {
        zb_put(out, "  intent ");
        put_name(out, program, program->intents[voice->intent_ref - 1].name);
    }
    if (voice->overlay_ref != 0) {
        zb_put(out, "  overlay ");
        zb_put_uint(out, voice->overlay_ref - 1);
    }
    for (uint32_t i = 0; i < voice->other_count; ++i) {
        zb_put(out, i == 0 ? "  or " : " ");
        put_name(out, program, program->words[voice->first_other + i]);
    }
    zb_put_char(out, '\n');
}

void zp_speech_dump(const zp_program *program, zb_buffer *out) {
    const zp_speech *speech = program->speeches;
    zb_put(out, "\ndirector of speech\n ");
    put_ms(out, " hold ", speech->hold_ns);
    put_ms(out, ", after that at least ", speech->after_ns_min);
    put_voice_ref(out, program, ", entry ", speech->entry_ref);
    put_voice_ref(out, program, ", other entry ", speech->other_ref);
    if (speech->other_ref != 0) { put_numbers(out, " by ", &speech->other_chance, 1); }
    zb_put_char(out, '\n');
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_INTENTS); ++i) {
        const zp_intent *intent = &program->intents[i];
        zb_put(out, "  intent ");
        put_name(out, program, intent->name);
        put_voice_ref(out, program, "  entry ", intent->entry_ref);
        if (intent->after_ref != 0) {
            zb_put(out, "  after ");
            put_name(out, program, program->states[intent->after_ref - 1].name);
        }
        zb_put_char(out, '\n');
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_VOICES); ++i) {
        put_voice(out, program, &program->voices[i]);
    }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_ALIASES); ++i) {
        zb_put(out, "  word ");
        put_name(out, program, program->aliases[i].word);
        zb_put(out, "  means ");
        put_name(out, program, program->voices[program->aliases[i].voice].name);
        zb_put_char(out, '\n');
    }
}
