// The part of the listing that tells of an effect's emitter. Called by dump.c, below the effect's own line. Reads a
// checked program; what an emitter does not use is left out.
#include "base/buffer.h"
#include "program/program.h"

static const char *const birthplaces[ZP_BIRTH_COUNT] = {
    "point", "cone", "cone shell", "cone volume", "cone volume shell", "sphere", "sphere shell", "hemisphere",
    "hemisphere shell", "circle", "circle edge", "edge", "box", "box shell", "box edge", "rectangle", "donut",
};
static const char *const facings[ZP_FACING_COUNT] = {"view", "stretched", "not drawn"};
static const char *const gradients[ZP_GRADIENT_COUNT] = {
    "colour", "gradient", "two colours", "two gradients", "random colour",
};

static void put_numbers(zb_buffer *out, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (i > 0) { zb_put_char(out, ' '); }
        zb_put_double(out, numbers[i]);
    }
}

static void put_values(zb_buffer *out, const char *word, const double *numbers, size_t count) {
    zb_put(out, word);
    put_numbers(out, numbers, count);
}

static void put_ms(zb_buffer *out, const char *word, int64_t ns) {
    const double ms = (double)ns / 1e6;
    put_values(out, word, &ms, 1);
    zb_put(out, " ms");
}

static void put_keys(zb_buffer *out, const zp_program *program, uint32_t first, uint32_t count, uint32_t width) {
    zb_put_char(out, '[');
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0) { zb_put(out, ", "); }
        put_numbers(out, program->numbers + first + (size_t)i * width, width);
    }
    zb_put_char(out, ']');
}

static void put_minmax(zb_buffer *out, const zp_program *program, const char *word, uint32_t ref) {
    if (ref == 0) { return; }
    const zp_minmax *m = &program->minmaxes[ref - 1];
    zb_put(out, "\n      ");
    zb_put(out, word);
    zb_put_char(out, ' ');
    switch ((zp_minmax_mode)m->mode) {
    case ZP_MINMAX_CONSTANT: zb_put_double(out, m->constant_max); return;
    case ZP_MINMAX_TWO_CONSTANTS:
        zb_put_double(out, m->constant_min);
        zb_put(out, " to ");
        zb_put_double(out, m->constant_max);
        return;
    default: break;
    }
    zb_put_double(out, m->multiplier);
    zb_put(out, " times ");
    if (m->mode == ZP_MINMAX_TWO_CURVES) {
        put_keys(out, program, m->min_keys, m->min_count, ZP_KEY_COUNT);
        zb_put(out, " to ");
    }
    put_keys(out, program, m->max_keys, m->max_count, ZP_KEY_COUNT);
}

static void put_gradient(zb_buffer *out, const zp_program *program, const char *word, uint32_t ref) {
    if (ref == 0) { return; }
    const zp_gradient *g = &program->gradients[ref - 1];
    zb_put(out, "\n      ");
    zb_put(out, word);
    zb_put_char(out, ' ');
    zb_put(out, gradients[g->mode]);
    if (g->mode == ZP_GRADIENT_TWO_COLOURS) { put_values(out, " ", g->colour_min, 4); }
    if (g->mode == ZP_GRADIENT_TWO_COLOURS) { zb_put(out, " to"); }
    if (g->mode == ZP_GRADIENT_TWO_COLOURS || g->mode == ZP_GRADIENT_COLOUR) {
        put_values(out, " ", g->colour_max, 4);
        return;
    }
    zb_put_char(out, ' ');
    if (g->mode == ZP_GRADIENT_TWO_GRADIENTS) {
        put_keys(out, program, g->min_keys, g->min_count, 5);
        zb_put(out, " to ");
    }
    put_keys(out, program, g->max_keys, g->max_count, 5);
}

static void put_bursts(zb_buffer *out, const zp_program *program, const zp_emitter *emitter) {
    for (uint32_t i = 0; i < emitter->burst_count; ++i) {
        const zp_burst *burst = &program->bursts[emitter->first_burst + i];
        put_values(out, "\n      burst at ", &burst->time, 1);
        zb_put(out, " s  particles ");
        zb_put_uint(out, burst->count_min);
        zb_put(out, " to ");
        zb_put_uint(out, burst->count_max);
        zb_put(out, "  cycles ");
        zb_put_uint(out, burst->cycle_count);
        put_values(out, "  interval ", &burst->interval, 1);
        put_values(out, " s  probability ", &burst->probability, 1);
    }
}

static void put_sheet(zb_buffer *out, const zp_program *program, const zp_emitter *emitter) {
    if (emitter->columns * emitter->rows == 1 && !(emitter->flags & ZP_EMITTER_SHEET_MOVES)) { return; }
    zb_put(out, "\n      sheet ");
    zb_put_uint(out, emitter->columns);
    zb_put(out, " by ");
    zb_put_uint(out, emitter->rows);
    if (emitter->flags & ZP_EMITTER_RANDOM_ROW) {
        zb_put(out, "  any row");
    } else if (emitter->flags & ZP_EMITTER_ROW) {
        zb_put(out, "  row ");
        zb_put_uint(out, emitter->row);
    }
    if (!(emitter->flags & ZP_EMITTER_SHEET_MOVES)) {
        zb_put(out, "  frame ");
        zb_put_uint(out, emitter->frame);
        return;
    }
    zb_put(out, "  cycles ");
    zb_put_uint(out, emitter->cycles);
    put_values(out, "  from ", &emitter->start, 1);
    put_minmax(out, program, "sheet from", emitter->start_ref);
    put_minmax(out, program, "sheet moves", emitter->frame_ref);
}

static void put_noise(zb_buffer *out, const zp_program *program, const zp_emitter *emitter) {
    if (emitter->noise_dimensions == 0) { return; }
    zb_put(out, "\n      noise in ");
    zb_put_uint(out, emitter->noise_dimensions);
    zb_put(out, " dimensions, octaves ");
    zb_put_uint(out, emitter->noise_octaves);
    put_values(out, "  frequency, gain, lacunarity ", &emitter->noise_frequency, 3);
    put_minmax(out, program, emitter->flags & ZP_EMITTER_ONE_NOISE ? "noise" : "noise x", emitter->noise_refs[0]);
    put_minmax(out, program, "noise y", emitter->noise_refs[1]);
    put_minmax(out, program, "noise z", emitter->noise_refs[2]);
    put_minmax(out, program, "noise scrolls", emitter->scroll_ref);
}

static void put_particles(zb_buffer *out, const zp_program *program, const zp_emitter *emitter) {
    zb_put(out, "\n      particles at most ");
    zb_put_uint(out, emitter->particles_max);
    zb_put(out, emitter->flags & ZP_EMITTER_LOCAL ? ", local" : ", in the world");
    if (emitter->start_count > 0) {
        zb_put(out, ", at the start ");
        zb_put_uint(out, emitter->start_count);
    }
    zb_put(out, "  from a ");
    zb_put(out, birthplaces[emitter->birthplace]);
    put_values(out, " of radius ", &emitter->radius, 1);
    put_values(out, ", angle ", &emitter->angle, 1);
    zb_put(out, "  facing ");
    zb_put(out, facings[emitter->facing]);
    put_bursts(out, program, emitter);
    put_minmax(out, program, "rate", emitter->rate_ref);
    put_minmax(out, program, "rate by way", emitter->way_ref);
    put_minmax(out, program, "life", emitter->life_ref);
    put_minmax(out, program, "speed", emitter->speed_ref);
    put_minmax(out, program, "size", emitter->size_ref);
    put_gradient(out, program, "colour", emitter->colour_ref);
    put_minmax(out, program, "gravity", emitter->gravity_ref);
    const bool world = emitter->flags & ZP_EMITTER_WORLD_VELOCITY;
    put_minmax(out, program, world ? "velocity x of the world" : "velocity x", emitter->velocity_refs[0]);
    put_minmax(out, program, world ? "velocity y of the world" : "velocity y", emitter->velocity_refs[1]);
    put_minmax(out, program, world ? "velocity z of the world" : "velocity z", emitter->velocity_refs[2]);
    put_minmax(out, program, "spin", emitter->spin_ref);
    put_minmax(out, program, emitter->flags & ZP_EMITTER_ONE_SIZE ? "size over life" : "width over life",
               emitter->size_refs[0]);
    put_minmax(out, program, "height over life", emitter->size_refs[1]);
    put_gradient(out, program, "colour over life", emitter->over_ref);
    put_noise(out, program, emitter);
    put_sheet(out, program, emitter);
}

static void put_colours(zb_buffer *out, const zp_program *program, const zp_effect *effect) {
    for (uint32_t i = 0; i < effect->colour_count; ++i) {
        put_values(out, i == 0 ? "  colour " : " to ", &program->numbers[effect->colours + 4 * (size_t)i], 4);
    }
}

void zp_emitter_dump(const zp_program *program, const zp_effect *effect, zb_buffer *out) {
    static const char *const kinds[ZP_EFFECT_KIND_COUNT] = {"particles", "light", "trail", "decal"};
    const zp_emitter *emitter = &program->emitters[effect->emitter_ref - 1];
    zb_put(out, "\n      ");
    zb_put(out, kinds[effect->kind]);
    put_ms(out, "  duration ", emitter->duration_ns);
    zb_put(out, emitter->flags & ZP_EMITTER_LOOPS ? ", looping" : "");
    if (emitter->end_ns < 0) {
        zb_put(out, "  until it is left");
    } else {
        put_ms(out, "  over after ", emitter->end_ns);
    }
    put_values(out, "  at ", emitter->place, 3);
    put_values(out, "  scale ", emitter->scale, 3);
    put_values(out, "\n      turn ", emitter->turn, 9);
    put_values(out, "  pull ", emitter->pull, 3);
    zb_put(out, "\n      layer ");
    zb_put_int(out, effect->layer);
    zb_put(out, "  order ");
    zb_put_int(out, effect->order);
    zb_put(out, effect->blend == ZP_EFFECT_ADD ? "  added" : "");
    if (effect->cel_ref > 0) {
        zb_put(out, "  cel ");
        zb_put_uint(out, effect->cel_ref - 1);
    }
    put_colours(out, program, effect);
    switch ((zp_effect_kind)effect->kind) {
    case ZP_EFFECT_LIGHT:
        put_values(out, "\n      radius ", &emitter->radius, 1);
        put_values(out, "  inner ", &emitter->inner, 1);
        put_values(out, "  intensity ", &emitter->intensity, 1);
        break;
    case ZP_EFFECT_TRAIL:
        put_values(out, "\n      width ", &emitter->width, 1);
        put_values(out, "  points apart ", &emitter->apart, 1);
        put_ms(out, "  each ", emitter->point_ns);
        break;
    case ZP_EFFECT_DECAL:
        put_values(out, "\n      units a pixel ", &emitter->pixel, 1);
        put_sheet(out, program, emitter);
        break;
    default: put_particles(out, program, emitter);
    }
    zb_put_char(out, '\n');
}
