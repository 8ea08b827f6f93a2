// Overlays: which one lies over a sprite now, and whether its rule wants it seen. Called by draw, which knows how large
// pictures are. A pure function of the instance, as a sample is.
#include <math.h>

#include "runtime/runtime.h"

// The newest run on the layer of the sprite's frames; NULL: none.
static const zr_run *holder_of(const zo_instance *instance, uint32_t sprite) {
    const zp_program *program = instance->program;
    const uint32_t channel_ref = program->sprites[sprite].channel_ref;
    if (channel_ref == 0) { return NULL; }
    const uint32_t layer = program->channels[channel_ref - 1].layer;
    const zr_run *runs = zr_runs(instance), *held = NULL;
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        if (runs[i].phase != ZR_PLAYING || !(program->clips[runs[i].clip].layer_mask >> layer & 1)) { continue; }
        if (!held || held->install_serial < runs[i].install_serial) { held = &runs[i]; }
    }
    return held;
}

static const zp_overlay *overlay_of(const zp_program *program, uint32_t clip) { // NULL: none
    uint32_t low = 0, high = zp_count(program, ZP_SECTION_OVERLAYS);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (program->overlays[middle].clip < clip) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < zp_count(program, ZP_SECTION_OVERLAYS) && program->overlays[low].clip == clip;
    return found ? &program->overlays[low] : NULL;
}

// The picture whose level is nearest, of equally near ones the first.
static uint32_t nearest_picture(const zp_program *program, const zp_overlay *overlay, double level) {
    const double *levels = &program->numbers[overlay->levels];
    uint32_t best = 0;
    for (uint32_t i = 1; i < overlay->cel_count; ++i) {
        if (fabs(levels[i] - level) < fabs(levels[best] - level)) { best = i; }
    }
    return best;
}

bool zr_overlay_at(const zo_instance *instance, uint32_t sprite, zr_overlay_look *look) {
    const zp_program *program = instance->program;
    if (zp_count(program, ZP_SECTION_OVERLAYS) == 0) { return false; }
    const zr_run *run = holder_of(instance, sprite);
    const zp_overlay *overlay = run ? overlay_of(program, run->clip) : NULL;
    if (!overlay || overlay->sprite != sprite) { return false; }
    const zr_moment at = zr_run_moment(instance, run);
    const zp_curve *curve = zp_overlay_curve(program, overlay);
    const uint32_t key = zr_curve_key(program, &program->clips[run->clip], curve, &at);
    const bool speaks = instance->speaking != 0;
    *look = (zr_overlay_look){.record = overlay, .open = overlay->open, .frame = key,
                              .cel_ref = (uint32_t)program->numbers[curve->values + key]}; // a checked cel's
    if (overlay->rule == ZP_OVERLAY_QUIET) {
        look->seen = !speaks || instance->level <= overlay->threshold;
    } else {
        look->seen = speaks || instance->level > overlay->threshold;
        look->picture = nearest_picture(program, overlay, instance->level);
        if (instance->level > look->open) { look->open = instance->level; }
    }
    return true;
}
