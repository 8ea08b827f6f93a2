// A valid clip to the program: numeric tracks become curves. Called by the reader. Knows the records' builder, and no
// JSON but for places.
#include "base/buffer.h"
#include "formats/enemy.h"

#include <math.h>

// Bit for bit what the runtime compares: whole nanoseconds, nearest, at least 1.
static int64_t duration_ns(double seconds) {
    const int64_t ns = (int64_t)floor(seconds * 1e9 + 0x1p-10);
    return ns > 0 ? ns : 1;
}

// On bones the transform acts, on sprites colour and order; the rest is legal and does nothing.
static bool acts(const zf_en_track *track) {
    return ((uint32_t)track->property < ZF_EN_BONE_PROPERTY_COUNT) != track->sprite;
}

static zp_span span_of(const zf_en_clip *clip, uint32_t node) {
    const zj_node *at = zj_at(clip->doc, node);
    return (zp_span){at->begin, at->end - at->begin};
}

static double finite(double value) { return zb_clamp(value, -FLT_MAX, FLT_MAX); }

static void build_track(const zf_input *input, const zf_en_clip *clip, const zf_en_track *track, uint32_t channel,
                        zp_build *build) {
    zb_arena *arena = input->arena;
    const double end = (double)duration_ns(clip->duration_s) / 1e9;
    const zp_interval plain = {input->def->null_tangent_step ? ZP_INTERPOLATE_HOLD : ZP_INTERPOLATE_LERP, 0};
    const uint32_t count = track->keys.count;
    double *times = zb_arena_take_array(arena, count, sizeof *times);
    double *values = zb_arena_take_array(arena, count, sizeof *values);
    zp_interval *intervals = zb_arena_take_array(arena, count, sizeof *intervals);
    if (times == NULL || values == NULL || intervals == NULL) {
        return;
    }
    const zf_en_key *keys = track->keys.items;
    for (uint32_t i = 0; i < count; i++) {
        times[i] = keys[i].time < end ? keys[i].time : end; // later only by rounding
        values[i] = keys[i].value;
        intervals[i] = plain;
        const double tangents[2] = {keys[i].out_tangent, i + 1 < count ? keys[i + 1].in_tangent : (double)NAN};
        if (!zb_is_nan(tangents[0]) && !zb_is_nan(tangents[1])) {
            const double cut[2] = {finite(tangents[0]), finite(tangents[1])};
            intervals[i] = (zp_interval){ZP_INTERPOLATE_HERMITE, zp_build_numbers(build, cut, 2)};
        }
    }
    const zp_curve_def curve = {
        .placement = ZP_PLACE_EXPLICIT, .interpolation = ZP_INTERPOLATE_PER_INTERVAL,
        .arithmetic = ZP_ARITHMETIC_F32_HERMITE,
        .finish = track->property == ZF_EN_SORTING_ORDER ? ZP_FINISH_ROUND_HALF_EVEN : ZP_FINISH_NONE,
        .width = 1, .first_channel = channel, .key_count = count, .times = times, .values = values,
        .intervals = intervals, .source = span_of(clip, track->node),
    };
    zp_build_curve(build, &curve);
}

void zf_en_compile(const zf_input *input, const zf_en_clip *clip, zp_build *build) {
    zp_build_format(build, ZB_TEXT("enemy-animation"), input->def->profile);
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        count += acts(&clip->tracks[i]);
    }
    const zp_layer layer = {.name = zp_build_name(build, ZB_TEXT("pose")), .channel_count = count};
    const uint32_t layer_index = zp_build_layer(build, &layer);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const zf_en_track *track = &clip->tracks[i];
        if (!acts(track)) {
            continue;
        }
        zb_buffer name = zb_buffer_open(input->arena);
        zb_put_text(&name, track->target);
        zb_put_char(&name, '.');
        zb_put(&name, zf_en_properties[track->property].text);
        const zp_channel channel = {
            .name = zp_build_name(build, zb_text(zb_buffer_text(&name))), .layer = layer_index,
            .rest = track->property < ZF_EN_SCALE_X || track->property == ZF_EN_SORTING_ORDER ? 0.0 : 1.0,
            .low = -HUGE_VAL, .high = HUGE_VAL};
        zp_build_channel(build, &channel);
    }
    const zp_clip record = {
        .name = zp_build_name(build, clip->id), .label = zp_build_name(build, clip->display_name),
        .time_unit = ZP_TIME_SECONDS, .duration_ns = duration_ns(clip->duration_s),
        .duration_ns_min = duration_ns(clip->duration_s), .duration_ns_max = duration_ns(clip->duration_s),
        .complete_ns = clip->loop ? -1 : duration_ns(clip->duration_s),
        .repeat = clip->loop ? ZP_REPEAT_LOOP : ZP_REPEAT_HOLD, .delay_unit_ns = 1};
    zp_build_clip_begin(build, &record, span_of(clip, clip->node));
    uint32_t channel = 0;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        if (acts(&clip->tracks[i])) {
            build_track(input, clip, &clip->tracks[i], channel++, build);
        }
    }
    const uint32_t index = zp_build_clip_end(build);
    const zp_play play = {.clip = index};
    zp_build_play(build, &play);
}
