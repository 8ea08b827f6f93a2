// Clips around one rig to the program: bones and sprites, channels for what the clips move, and for each clip its
// curves, pictures and events. Values replace those at rest, to the bit. Called by the readers of clips and rigs. What
// the options of a compile ask for ends in different records here, and nowhere later.
#include <math.h>

#include "base/buffer.h"
#include "formats/enemy_pack.h"

enum { COLOURS = 4, ORDER = COLOURS, PICTURE, SPRITE_CHANNELS }; // of a sprite, in this order
enum { FIRST_COLOUR = ZF_EN_COLOR_R };

typedef struct compiler {
    const zf_en_pack *pack;
    zb_arena *arena;
    zp_build *build;
    zf_en_sprite *sprites;      // of the rig, then those that clips move and the rig has not
    uint32_t sprite_count;
    uint32_t *sprite_refs;      // by bone: sprite + 1
    uint32_t *bone_channels;    // [bone][property]: channel + 1 (before the channels are there: 1 for those wanted)
    uint32_t *sprite_channels;  // [sprite][SPRITE_CHANNELS], the same
    double *rest_cels;          // of the sprites: cel + 1, 0: none
    uint32_t actor_ref;         // target + 1: where the actor stands, for what hangs on no bone; 0: nothing does
    zb_intern cels;             // cel + 1 by all that makes it
    uint32_t channel_count;
    const zf_en_clip *clip;     // the one at hand, and of it:
    double end_s;               // its duration in whole ns
    int64_t duration_ns;
} compiler;

int64_t zf_en_duration_ns(double seconds) {
    const int64_t ns = (int64_t)floor(seconds * 1e9 + 0x1p-10); // an allowance for what the multiplication may have
                                                                // lost
    return ns > 1 ? ns : 1;
}

static zp_span span_of(const compiler *c, uint32_t node) {
    if (node == 0 || c->pack->input->source_count > 1) { // places are those of one file
        return (zp_span){0, 0};
    }
    const zj_node *n = zj_at(c->clip->doc, node);
    return (zp_span){n->begin, n->end - n->begin};
}

static zp_name name_of(const compiler *c, zo_text text) { return zp_build_name(c->build, text); }

static zo_text joined(const compiler *c, const char *kind, zo_text name, const char *more) {
    zb_buffer out = zb_buffer_open(c->arena);
    zb_put(&out, kind);
    zb_put_text(&out, name);
    zb_put(&out, more);
    return (zo_text){out.data, out.size};
}

static zo_text target_name(zo_text target, bool sprite) { // of bone/x and sprite/x: x
    const size_t size = sprite ? 7 : 5;
    return (zo_text){target.data + size, target.size - size};
}

// --------------------------------------------------------------------------------------------------------------
// sprites

static uint32_t sprite_ref_of(const compiler *c, zo_text target) { // sprite + 1
    const uint32_t bone_ref = zf_en_bone_ref(&c->pack->rig, target_name(target, true));
    return bone_ref != 0 ? c->sprite_refs[bone_ref - 1] : 0;
}

static void add_sprite(compiler *c, zo_text target) {
    const uint32_t bone_ref = zf_en_bone_ref(&c->pack->rig, target_name(target, true));
    if (bone_ref == 0 || c->sprite_refs[bone_ref - 1] != 0) {
        return;
    }
    c->sprites[c->sprite_count++] = (zf_en_sprite){
        .bone = bone_ref - 1, .image = {"", 0}, .region = {"", 0}, .pivot = {0.5, 0.5}, .pixels_per_unit = 32.0,
        .layer = {"", 0}};
    c->sprite_refs[bone_ref - 1] = c->sprite_count;
}

static bool list_sprites(compiler *c) {
    const zf_en_rig *rig = &c->pack->rig;
    c->sprites = zb_arena_take_array(c->arena, (size_t)rig->bone_count + 1, sizeof *c->sprites); // one a bone
    c->sprite_refs = zb_arena_take_array(c->arena, (size_t)rig->bone_count + 1, sizeof *c->sprite_refs);
    if (c->sprites == NULL || c->sprite_refs == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < rig->sprite_count; i++) {
        c->sprites[c->sprite_count++] = rig->sprites[i];
        c->sprite_refs[rig->sprites[i].bone] = c->sprite_count;
    }
    for (uint32_t i = 0; i < c->pack->clip_count; i++) {
        const zf_en_clip *clip = &c->pack->clips[i];
        for (uint32_t k = 0; k < clip->track_count; k++) {
            if (clip->tracks[k].sprite && zf_en_acts(&clip->tracks[k])) {
                add_sprite(c, clip->tracks[k].target);
            }
        }
        for (uint32_t k = 0; k < clip->object_track_count; k++) {
            add_sprite(c, clip->object_tracks[k].target);
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------------
// cels

// The cel of a picture with this pivot and density, made once.
static double make_cel(compiler *c, const char *kind, zo_text name, zp_cel cel) {
    zb_buffer key = zb_buffer_open(c->arena);
    zb_put(&key, kind);
    zb_put_text(&key, name);
    zb_put_bytes(&key, cel.anchor, sizeof cel.anchor);
    zb_put_bytes(&key, &cel.scale, sizeof cel.scale);
    const uint32_t known = zb_intern_count(&c->cels);
    const uint32_t id = zb_intern_id(&c->cels, (zo_text){key.data, key.size});
    if (id > known) {
        cel.name = name_of(c, name);
        cel.size_rule = ZP_SIZE_PIXELS;
        cel.flags = c->pack->rig.pixel_art || *kind == 'a' ? ZP_CEL_PIXELS : 0;
        zp_build_cel(c->build, &cel, (zp_span){0, 0});
    }
    return (double)id;
}

// A PNG of the pack as sprite keys name it. Source: enemy player, assets of object keys.
static double asset_cel(compiler *c, zo_text asset) {
    return make_cel(c, "asset ", asset, (zp_cel){.image_ref = zf_en_image_ref(c->pack, c->build, asset),
                                                 .anchor = {0.5, 0.5}, .scale = 1.0 / 32.0});
}

static double image_cel(compiler *c, const zf_en_sprite *sprite, zo_text image, zo_text name) {
    return make_cel(c, "image ", name, (zp_cel){.image_ref = zf_en_image_ref(c->pack, c->build, image),
                                                .anchor = {sprite->pivot[0], 1.0 - sprite->pivot[1]},
                                                .scale = 1.0 / sprite->pixels_per_unit});
}

// A region as this sprite shows it; without an atlas a picture of that name. 0: the atlas has none of this name.
static double region_cel(compiler *c, const zf_en_sprite *sprite, zo_text name) {
    if (!c->pack->has_atlas) {
        return image_cel(c, sprite, joined(c, "", name, ".png"), name);
    }
    const zf_en_region *region = zf_en_region_find(c->pack, name);
    if (region == NULL) {
        return 0.0;
    }
    zp_cel cel = {.image_ref = zf_en_image_ref(c->pack, c->build, zb_text(c->pack->atlas_image)),
                  .scale = 1.0 / sprite->pixels_per_unit,
                  .region = {region->x, region->y, region->width, region->height}};
    cel.anchor[0] = (sprite->pivot[0] * region->full_width - region->left) / region->width;
    cel.anchor[1] = ((1.0 - sprite->pivot[1]) * region->full_height - region->top) / region->height;
    return make_cel(c, "region ", name, cel);
}

static bool rest_cels(compiler *c) {
    c->cels = zb_intern_open(c->arena);
    c->rest_cels = zb_arena_take_array(c->arena, (size_t)c->sprite_count + 1, sizeof *c->rest_cels);
    for (uint32_t i = 0; i < c->sprite_count && c->rest_cels != NULL; i++) {
        const zf_en_sprite *sprite = &c->sprites[i];
        if (sprite->image.size > 0) {
            c->rest_cels[i] = image_cel(c, sprite, sprite->image, sprite->image);
        } else if (sprite->region.size > 0) {
            c->rest_cels[i] = region_cel(c, sprite, sprite->region);
        }
    }
    return c->rest_cels != NULL;
}

// -------------------------------------------------------------------------------------------------------------
// channels

// Where the channel of a track that acts is kept; NULL: it moves nothing that is there.
static uint32_t *channel_of(const compiler *c, const zf_en_track *track) {
    if (!track->sprite) {
        const uint32_t bone_ref = zf_en_bone_ref(&c->pack->rig, target_name(track->target, false));
        return bone_ref != 0 ? &c->bone_channels[(bone_ref - 1) * ZF_EN_BONE_PROPERTY_COUNT + track->property] : NULL;
    }
    const uint32_t sprite_ref = sprite_ref_of(c, track->target);
    return sprite_ref != 0 ? &c->sprite_channels[(sprite_ref - 1) * SPRITE_CHANNELS + track->property - FIRST_COLOUR]
                           : NULL;
}
_Static_assert((int)ZF_EN_SORTING_ORDER - FIRST_COLOUR == ORDER,
               "properties of sprites in the order of their channels");

static bool want_channels(compiler *c) {
    const size_t bones = (size_t)c->pack->rig.bone_count * ZF_EN_BONE_PROPERTY_COUNT;
    c->bone_channels = zb_arena_take_array(c->arena, bones + 1, sizeof *c->bone_channels);
    c->sprite_channels = zb_arena_take_array(c->arena, (size_t)c->sprite_count * SPRITE_CHANNELS + 1,
                                             sizeof *c->sprite_channels);
    if (c->bone_channels == NULL || c->sprite_channels == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < c->pack->clip_count; i++) {
        const zf_en_clip *clip = &c->pack->clips[i];
        for (uint32_t k = 0; k < clip->track_count; k++) {
            uint32_t *channel = zf_en_acts(&clip->tracks[k]) ? channel_of(c, &clip->tracks[k]) : NULL;
            if (channel != NULL) {
                *channel = 1;
            }
        }
    }
    for (uint32_t i = 0; i < c->sprite_count; i++) {
        c->sprite_channels[i * SPRITE_CHANNELS + PICTURE] = 1;
    }
    return true;
}

static void build_channel(compiler *c, uint32_t *ref, const char *kind, zo_text name, const char *property,
                          zp_channel channel, const char *unit) {
    if (*ref == 0) {
        return;
    }
    const double infinity = HUGE_VAL;
    channel.name = name_of(c, joined(c, kind, name, property));
    channel.unit = name_of(c, zb_text(unit));
    channel.low = -infinity;
    channel.high = infinity;
    *ref = zp_build_channel(c->build, &channel) + 1;
    c->channel_count++;
}

static void rest_of(const zf_en_bone *bone, double rest[ZF_EN_BONE_PROPERTY_COUNT]) {
    rest[ZF_EN_POSITION_X] = bone->x;
    rest[ZF_EN_POSITION_Y] = bone->y;
    rest[ZF_EN_ROTATION_Z] = bone->rotation;
    rest[ZF_EN_SCALE_X] = bone->scale_x;
    rest[ZF_EN_SCALE_Y] = bone->scale_y;
}

// All in one layer: the clip that was started last holds everything, and what it does not move is at rest.
static void build_channels(compiler *c) {
    static const char *const units[ZF_EN_BONE_PROPERTY_COUNT] = {"unit", "unit", "deg", "factor", "factor"};
    const zf_en_rig *rig = &c->pack->rig;
    for (uint32_t b = 0; b < rig->bone_count; b++) {
        double rest[ZF_EN_BONE_PROPERTY_COUNT];
        rest_of(&rig->bones[b], rest);
        for (uint32_t p = 0; p < ZF_EN_BONE_PROPERTY_COUNT; p++) {
            const zo_text property = joined(c, " ", zf_name_text(zf_en_properties[p]), "");
            build_channel(c, &c->bone_channels[b * ZF_EN_BONE_PROPERTY_COUNT + p], "bone/", rig->bones[b].name,
                          zb_arena_text(c->arena, property), (zp_channel){.rest = rest[p]}, units[p]);
        }
    }
    for (uint32_t s = 0; s < c->sprite_count; s++) {
        const zo_text name = rig->bones[c->sprites[s].bone].name;
        uint32_t *refs = &c->sprite_channels[s * SPRITE_CHANNELS];
        static const char *const colours[COLOURS] = {" color.r", " color.g", " color.b", " color.a"};
        for (uint32_t i = 0; i < COLOURS; i++) {
            build_channel(c, &refs[i], "sprite/", name, colours[i], (zp_channel){.rest = 1.0}, "ratio");
        }
        build_channel(c, &refs[ORDER], "sprite/", name, " sortingOrder", (zp_channel){.rest = c->sprites[s].order},
                      "order");
        build_channel(c, &refs[PICTURE], "sprite/", name, " sprite",
                      (zp_channel){.rest = c->rest_cels[s], .is_index = 1, .own_rest = 1}, "picture");
    }
    if (c->channel_count > 0) {
        zp_build_layer(c->build, &(zp_layer){.name = name_of(c, ZB_TEXT("pose")), .channel_count = c->channel_count});
    }
}

// --------------------------------------------------------------------------------------------------------------
// targets

static void build_bones(const compiler *c) {
    static const uint32_t slots[ZF_EN_BONE_PROPERTY_COUNT] = {ZP_SLOT_X, ZP_SLOT_Y, ZP_SLOT_ROTATION, ZP_SLOT_SCALE_X,
                                                              ZP_SLOT_SCALE_Y};
    for (uint32_t b = 0; b < c->pack->rig.bone_count; b++) {
        const zf_en_bone *bone = &c->pack->rig.bones[b];
        double rest[ZF_EN_BONE_PROPERTY_COUNT];
        rest_of(bone, rest);
        zp_target target = {.name = name_of(c, joined(c, "bone/", bone->name, "")), .parent_ref = bone->parent_ref,
                            .compose = ZP_COMPOSE_TRS2};
        target.constant[ZP_SLOT_OPACITY] = 1.0;
        for (uint32_t p = 0; p < ZF_EN_BONE_PROPERTY_COUNT; p++) {
            target.constant[slots[p]] = rest[p];
            target.slot_refs[slots[p]] = c->bone_channels[b * ZF_EN_BONE_PROPERTY_COUNT + p];
        }
        zp_build_target(c->build, &target);
    }
}

// Pictures have y down and hang upright in a space with y up.
static void build_sprites(const compiler *c) {
    for (uint32_t s = 0; s < c->sprite_count; s++) {
        const zf_en_sprite *sprite = &c->sprites[s];
        const uint32_t *refs = &c->sprite_channels[s * SPRITE_CHANNELS];
        zp_target target = {.name = name_of(c, joined(c, "sprite/", c->pack->rig.bones[sprite->bone].name, "")),
                            .parent_ref = sprite->bone + 1, .compose = ZP_COMPOSE_TRS2};
        target.constant[ZP_SLOT_SCALE_X] = sprite->flip_x ? -1.0 : 1.0;
        target.constant[ZP_SLOT_SCALE_Y] = sprite->flip_y ? 1.0 : -1.0;
        target.constant[ZP_SLOT_OPACITY] = 1.0;
        zp_sprite record = {.name = target.name, .target = zp_build_target(c->build, &target),
                            .channel_ref = refs[PICTURE], .cel_ref = (uint32_t)c->rest_cels[s],
                            .layer = zf_en_layer(&c->pack->rig, sprite->layer), .order = (int32_t)sprite->order,
                            .order_ref = refs[ORDER]};
        memcpy(record.colour_refs, refs, sizeof record.colour_refs);
        zp_build_sprite(c->build, &record);
    }
}

static uint32_t bone_ref_of_event(const compiler *c, const zf_en_event *event) { // 0: the actor itself
    return event->bone.size > 0 ? zf_en_bone_ref(&c->pack->rig, event->bone) : 0;
}

static void build_actor(compiler *c) {
    bool wanted = false;
    for (uint32_t i = 0; i < c->pack->clip_count; i++) {
        const zf_en_clip *clip = &c->pack->clips[i];
        for (uint32_t k = 0; k < clip->event_count; k++) {
            wanted = wanted || (clip->events[k].type == ZF_EN_SPRITE_EFFECT &&
                                bone_ref_of_event(c, &clip->events[k]) == 0);
        }
    }
    if (!wanted) {
        return;
    }
    zp_target target = {.name = name_of(c, ZB_TEXT("actor")), .compose = ZP_COMPOSE_TRS2};
    target.constant[ZP_SLOT_SCALE_X] = target.constant[ZP_SLOT_SCALE_Y] = target.constant[ZP_SLOT_OPACITY] = 1.0;
    c->actor_ref = zp_build_target(c->build, &target) + 1;
}

// --------------------------------------------------------------------------------------------------------------
// numbers

// Source: enemy player, evaluation of curves; a straight line where a tangent is null.
double zf_en_value_at(const zf_en_keys *keys, double time, bool stepped) {
    uint32_t low = 0, high = keys->count; // the first key that is not before `time`
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys->items[middle].time < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || low == keys->count) {
        return keys->items[low == 0 ? 0 : keys->count - 1].value;
    }
    const zf_en_key *a = &keys->items[low - 1], *b = &keys->items[low];
    const double d = b->time - a->time, u = (time - a->time) / d;
    if (zb_is_nan(a->out_tangent) || zb_is_nan(b->in_tangent)) {
        return !stepped ? a->value + (b->value - a->value) * u : u < 1.0 ? a->value : b->value;
    }
    const double u2 = u * u, u3 = u2 * u;
    return (2.0 * u3 - 3.0 * u2 + 1.0) * a->value + (u3 - 2.0 * u2 + u) * d * a->out_tangent +
           (3.0 * u2 - 2.0 * u3) * b->value + (u3 - u2) * d * b->in_tangent;
}

static double finite(double value) { return zb_clamp(value, -(double)FLT_MAX, (double)FLT_MAX); }

static zp_interval interval_of(const compiler *c, const zf_en_key *a, const zf_en_key *b) {
    if (zb_is_nan(a->out_tangent) || zb_is_nan(b->in_tangent)) {
        const bool stepped = c->pack->input->def->null_tangent_step;
        return (zp_interval){stepped ? ZP_INTERPOLATE_HOLD : ZP_INTERPOLATE_LERP, 0};
    }
    const double tangents[2] = {finite(a->out_tangent), finite(b->in_tangent)};
    return (zp_interval){ZP_INTERPOLATE_HERMITE, zp_build_numbers(c->build, tangents, 2)};
}

static zp_finish finish_of(const zf_en_track *track) {
    return track->property == ZF_EN_SORTING_ORDER ? ZP_FINISH_ROUND_HALF_EVEN : ZP_FINISH_NONE;
}

static void build_exact(const compiler *c, const zf_en_track *track, uint32_t channel) {
    const uint32_t count = track->keys.count;
    const zf_en_key *keys = track->keys.items;
    double *times = zb_arena_take_array(c->arena, count, sizeof *times);
    double *values = zb_arena_take_array(c->arena, count, sizeof *values);
    zp_interval *intervals = zb_arena_take_array(c->arena, count, sizeof *intervals);
    if (times == NULL || values == NULL || intervals == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) { // what goes back, or beyond the end, does so by rounding to 32 bits
        times[i] = zb_clamp(keys[i].time, i > 0 ? times[i - 1] : 0.0, c->end_s);
        values[i] = finite(keys[i].value);
        intervals[i] = i + 1 < count ? interval_of(c, &keys[i], &keys[i + 1])
                                     : (zp_interval){ZP_INTERPOLATE_LERP, 0}; // nothing follows the last
    }
    zp_build_curve(c->build, &(zp_curve_def){
        .placement = ZP_PLACE_EXPLICIT, .interpolation = ZP_INTERPOLATE_PER_INTERVAL,
        .arithmetic = ZP_ARITHMETIC_F32_HERMITE, .finish = finish_of(track), .width = 1, .first_channel = channel,
        .key_count = count, .times = times, .intervals = intervals, .values = values,
        .source = span_of(c, track->node)});
}

static double half_even(double value) {
    const double below = floor(value), over = value - below;
    const bool up = over > 0.5 || (over == 0.5 && floor(below * 0.5) * 2.0 != below);
    return up ? below + 1.0 : below;
}

// Straight between poses, angles by the shorter way. Source: enemy player, sampled poses.
static void build_sampled(const compiler *c, const zf_en_track *track, uint32_t channel, const double *times,
                          uint32_t count) {
    const bool stepped = c->pack->input->def->null_tangent_step;
    double *values = zb_arena_take_array(c->arena, count, sizeof *values);
    if (values == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double value = finite(zf_en_value_at(&track->keys, times[i], stepped));
        values[i] = finish_of(track) != ZP_FINISH_NONE ? half_even(value) : value;
        if (track->property == ZF_EN_ROTATION_Z && i > 0) {
            const double turned = (value - values[i - 1]) / 360.0;
            const double rest = (turned - floor(turned)) * 360.0;
            values[i] = values[i - 1] + (rest > 180.0 ? rest - 360.0 : rest);
        }
    }
    zp_build_curve(c->build, &(zp_curve_def){
        .placement = ZP_PLACE_EXPLICIT, .interpolation = ZP_INTERPOLATE_LERP, .arithmetic = ZP_ARITHMETIC_F64,
        .finish = finish_of(track), .width = 1, .first_channel = channel, .key_count = count, .times = times,
        .values = values, .source = span_of(c, track->node)});
}

// -------------------------------------------------------------------------------------------------------------
// pictures

static int64_t nearest_ns(const compiler *c, double seconds) {
    const double ns = floor(zb_clamp(seconds, 0.0, c->end_s) * 1e9 + 0.5);
    return ns < (double)c->duration_ns ? (int64_t)ns : c->duration_ns;
}

// All keys of one sprite's tracks in the order of time; of one time, in the order of the file.
typedef struct swaps {
    double *times;
    double *cels;    // cel + 1
    uint32_t *tracks; // which of the sprite's tracks, from 0
    uint32_t count;
    uint32_t track_count;
} swaps;

// A name that leads to no picture leaves the one before it.
static bool gather_swaps(compiler *c, uint32_t sprite, swaps *out) {
    const zf_en_clip *clip = c->clip;
    *out = (swaps){0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < clip->object_track_count; i++) {
        most += sprite_ref_of(c, clip->object_tracks[i].target) == sprite + 1 ? clip->object_tracks[i].key_count : 0;
    }
    out->times = zb_arena_take_array(c->arena, (size_t)most + 1, sizeof *out->times);
    out->cels = zb_arena_take_array(c->arena, (size_t)most + 1, sizeof *out->cels);
    out->tracks = zb_arena_take_array(c->arena, (size_t)most + 1, sizeof *out->tracks);
    if (out->times == NULL || out->cels == NULL || out->tracks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < clip->object_track_count; i++) {
        const zf_en_object_track *track = &clip->object_tracks[i];
        if (sprite_ref_of(c, track->target) != sprite + 1) {
            continue;
        }
        double time = 0.0;
        for (uint32_t k = 0; k < track->key_count; k++) {
            const zf_en_sprite_key *key = &track->keys[k];
            const double cel = key->asset.size > 0 ? asset_cel(c, key->asset)
                                                   : region_cel(c, &c->sprites[sprite], key->name);
            time = zb_clamp(key->time, time, c->end_s);
            if (cel != 0.0) {
                out->times[out->count] = time;
                out->cels[out->count] = cel;
                out->tracks[out->count++] = out->track_count;
            }
        }
        out->track_count++;
    }
    return out->count > 0;
}

// One key more, where the picture changes; a later one of one instant replaces it.
static void put_swap(double *cels, int64_t *instants, uint32_t *count, int64_t at_ns, double cel) {
    if (*count > 0 && instants[*count - 1] == at_ns) {
        cels[*count - 1] = cel;
    } else if (*count == 0 || cels[*count - 1] != cel) {
        instants[*count] = at_ns;
        cels[(*count)++] = cel;
    }
}

static void build_held(const compiler *c, uint32_t channel, const double *cels, const int64_t *instants,
                       uint32_t count) {
    double *times = zb_arena_take_array(c->arena, count, sizeof *times);
    for (uint32_t i = 0; i < count && times != NULL; i++) {
        times[i] = (double)instants[i] / 1e9;
    }
    if (times != NULL) {
        zp_build_curve(c->build, &(zp_curve_def){
            .placement = ZP_PLACE_EXPLICIT, .interpolation = ZP_INTERPOLATE_HOLD, .arithmetic = ZP_ARITHMETIC_INDEX,
            .width = 1, .first_channel = channel, .key_count = count, .times = times, .instants = instants,
            .values = cels});
    }
}

// Of several tracks the last that has come to a key counts. `samples`: when the picture is looked at; NULL: always.
static void build_pictures(compiler *c, uint32_t sprite, const double *samples, uint32_t sample_count) {
    swaps all;
    if (!gather_swaps(c, sprite, &all)) {
        return;
    }
    const uint32_t most = (samples != NULL ? sample_count : all.count) + 1;
    double *current = zb_arena_take_array(c->arena, all.track_count, sizeof *current); // by track
    double *cels = zb_arena_take_array(c->arena, most, sizeof *cels);
    int64_t *instants = zb_arena_take_array(c->arena, most, sizeof *instants);
    const uint32_t *order = zf_sorted(c->arena, all.times, all.count);
    if (current == NULL || cels == NULL || instants == NULL) {
        return;
    }
    uint32_t count = 0, next = 0;
    put_swap(cels, instants, &count, 0, c->rest_cels[sprite]);
    for (uint32_t i = 0; i < (samples != NULL ? sample_count : all.count); i++) {
        const uint32_t own = order != NULL ? order[i < all.count ? i : 0] : i;
        const double time = samples != NULL ? samples[i] : all.times[own];
        for (; next < all.count; next++) {
            const uint32_t at = order != NULL ? order[next] : next;
            if (all.times[at] > time) {
                break;
            }
            current[all.tracks[at]] = all.cels[at];
        }
        double cel = c->rest_cels[sprite];
        for (uint32_t t = 0; t < all.track_count; t++) {
            cel = current[t] != 0.0 ? current[t] : cel;
        }
        put_swap(cels, instants, &count, nearest_ns(c, time), cel);
    }
    build_held(c, c->sprite_channels[sprite * SPRITE_CHANNELS + PICTURE] - 1, cels, instants, count);
}

// ---------------------------------------------------------------------------------------------------------------
// events

static void put_number(const compiler *c, const char *name, double number) {
    zp_build_argument(c->build, &(zp_argument){.name = name_of(c, zb_text(name)), .kind = ZP_ARGUMENT_NUMBER,
                                               .number = number});
}

static void put_text(const compiler *c, const char *name, zo_text text) {
    zp_build_argument(c->build, &(zp_argument){.name = name_of(c, zb_text(name)), .kind = ZP_ARGUMENT_TEXT,
                                               .text = name_of(c, text)});
}

static void put_flag(const compiler *c, const char *name, bool on) {
    zp_build_argument(c->build, &(zp_argument){.name = name_of(c, zb_text(name)), .kind = ZP_ARGUMENT_FLAG,
                                               .number = on ? 1.0 : 0.0});
}

// What belongs to the type, with the defaults of what is left out. Source: enemy player, events.
static void put_arguments(const compiler *c, const zf_en_event *event) {
    switch (event->type) {
    case ZF_EN_IMPULSE:
        put_number(c, "x", event->x);
        put_number(c, "y", event->y);
        put_flag(c, "relativeToFacing", event->relative_to_facing);
        break;
    case ZF_EN_SOUND:
        put_text(c, "file", event->file);
        put_number(c, "volume", zb_clamp(event->volume, 0.0, 1.0));
        break;
    case ZF_EN_CAMERA_SHAKE: put_number(c, "amount", event->amount); break;
    case ZF_EN_SPRITE_EFFECT:
        put_text(c, "region", event->region);
        put_number(c, "x", event->x);
        put_number(c, "y", event->y);
        put_text(c, "bone", event->bone);
        put_number(c, "durationSeconds", event->duration_s);
        put_number(c, "scale", event->scale);
        put_number(c, "sortingOrder", event->sorting_order);
        break;
    case ZF_EN_CUE:
        put_text(c, "cue", event->cue);
        if (event->nodes[ZF_EN_INDEX] != 0) {
            put_number(c, "index", event->index);
        }
        if (event->nodes[ZF_EN_AMOUNT] != 0) {
            put_number(c, "amount", event->amount);
        }
        break;
    case ZF_EN_ATTACK_HIT:
    case ZF_EN_EVENT_TYPE_COUNT: break;
    }
}

// Events come before triggers of the same instant, and each in the order of its list: the builder keeps the order in
// which those of one time are added.
static void build_events(const compiler *c, const uint32_t *effect_refs, const uint32_t *picture_refs) {
    int64_t at_ns = 0;
    for (uint32_t i = 0; i < c->clip->event_count; i++) {
        const zf_en_event *event = &c->clip->events[i];
        const int64_t own_ns = nearest_ns(c, event->time);
        at_ns = own_ns > at_ns ? own_ns : at_ns; // none comes before the one that stands before it
        zp_build_event(c->build, &(zp_event){.at_ns = at_ns, .at = (double)at_ns / 1e9, .action = ZP_ACTION_NOTIFY,
                                             .subject_ref = picture_refs[i],
                                             .name = name_of(c, zf_name_text(zf_en_event_types[event->type]))},
                       span_of(c, event->node));
        put_arguments(c, event);
    }
    at_ns = 0;
    for (uint32_t i = 0; i < c->clip->trigger_count; i++) {
        const zf_en_trigger *trigger = &c->clip->triggers[i];
        const int64_t own_ns = nearest_ns(c, trigger->time);
        at_ns = own_ns > at_ns ? own_ns : at_ns;
        for (uint32_t k = 0; k < trigger->effect_count; k++) {
            const zf_en_effect *effect = &c->clip->effects[trigger->effects[k]];
            zp_build_event(c->build, &(zp_event){.at_ns = at_ns, .at = (double)at_ns / 1e9,
                                                 .action = ZP_ACTION_START_EFFECT,
                                                 .subject_ref = effect_refs[trigger->effects[k]],
                                                 .name = name_of(c, effect->id)}, span_of(c, trigger->node));
        }
    }
}

// --------------------------------------------------------------------------------------------------------------
// effects

static double texture_cel(compiler *c, zo_text texture) {
    return make_cel(c, "texture ", texture, (zp_cel){.image_ref = zf_en_image_ref(c->pack, c->build, texture),
                                                     .anchor = {0.5, 0.5}, .scale = 1.0});
}

// The frames of its sheet, where an atlas has them all.
static void put_frames(compiler *c, const zf_en_effect *effect, zf_en_stand *stand) {
    const zf_en_sprite as_it_is = {.pivot = {0.5, 0.5}, .pixels_per_unit = 1.0};
    uint32_t *cels = c->pack->has_atlas
                         ? zb_arena_take_array(c->arena, (size_t)effect->sheet_sprite_count + 1, sizeof *cels)
                         : NULL;
    for (uint32_t i = 0; i < effect->sheet_sprite_count && cels != NULL; i++) {
        cels[i] = (uint32_t)region_cel(c, &as_it_is, effect->sheet_sprites[i]);
        if (cels[i] == 0) {
            return;
        }
    }
    if (cels != NULL && effect->sheet_sprite_count > 0) {
        stand->cels = cels;
        stand->cel_count = effect->sheet_sprite_count;
    }
}

// Source: enemy player, effects; those on unknown bones do not start.
static void build_effects(compiler *c, uint32_t *refs) {
    for (uint32_t i = 0; i < c->clip->effect_count; i++) {
        const zf_en_effect *effect = &c->clip->effects[i];
        const uint32_t bone_ref = zf_en_effect_bone_ref(&c->pack->rig, effect);
        if (bone_ref == 0) {
            continue;
        }
        zf_en_stand stand = {.target = bone_ref - 1, .layer = zf_en_layer(&c->pack->rig, effect->sorting_layer)};
        put_frames(c, effect, &stand);
        stand.cel_ref = effect->texture.size > 0 ? (uint32_t)texture_cel(c, effect->texture) : 0;
        refs[i] = zf_en_build_effect(c->build, c->pack->input->def->profile, effect, &stand);
    }
}

static double event_density(const compiler *c) { // px a unit of the pictures of events
    return c->pack->rig.pixels_per_unit > 0.0 ? c->pack->rig.pixels_per_unit : 32.0;
}

// The picture of a region, and how far its middle lies from that of the whole it was cut from, px. 0: there is none.
static uint32_t event_cel(compiler *c, zo_text region, double off[2]) {
    const zf_en_sprite as_it_is = {.pivot = {0.5, 0.5}, .pixels_per_unit = event_density(c)};
    const zf_en_region *part = zf_en_region_find(c->pack, region);
    off[0] = off[1] = 0.0;
    if (part != NULL) {
        off[0] = part->left + (part->width - part->full_width) / 2.0;
        off[1] = (part->full_height - part->height) / 2.0 - part->top;
    }
    if (c->pack->has_atlas) {
        return (uint32_t)region_cel(c, &as_it_is, region);
    }
    const zo_source *file = zf_en_file(c->pack, zf_en_png_of(c->pack, region));
    return file != NULL && file->kind == ZO_SOURCE_FILE ? (uint32_t)region_cel(c, &as_it_is, region) : 0;
}

// The pictures that events show for a while. They start whether or not a picture is there, so that how later starts are
// numbered follows from the clip alone. Source: enemy player, spriteEffect.
static void build_event_pictures(compiler *c, uint32_t *refs) {
    static const zf_en_color white = {1.0, 1.0, 1.0, 1.0};
    for (uint32_t i = 0; i < c->clip->event_count; i++) {
        const zf_en_event *event = &c->clip->events[i];
        if (event->type != ZF_EN_SPRITE_EFFECT) {
            continue;
        }
        const uint32_t bone_ref = bone_ref_of_event(c, event);
        double off[2];
        const zf_en_stand stand = {.target = (bone_ref != 0 ? bone_ref : c->actor_ref) - 1,
                                   .layer = zf_en_layer(&c->pack->rig, ZB_TEXT("Actor")),
                                   .cel_ref = event_cel(c, event->region, off)};
        const double unit = event->scale / event_density(c);
        const zf_en_effect decal = {
            .id = event->region, .kind = ZF_EN_DECAL, .duration_s = event->duration_s, .tiles_x = 1, .tiles_y = 1,
            .scale = {event->scale, event->scale, 1.0}, .start_color_min = white, .start_color_max = white,
            .position = {event->x + off[0] * unit, event->y + off[1] * unit, 0.0},
            .sorting_order = event->sorting_order, .decal_pixels_per_unit = event_density(c)};
        refs[i] = zf_en_build_effect(c->build, c->pack->input->def->profile, &decal, &stand);
    }
}

// ----------------------------------------------------------------------------------------------------------------
// clips

// A clip that moves nothing still takes the place of the one before it.
static void hold_at_rest(const compiler *c) {
    const double time = 0.0;
    zp_curve_def curve = {.placement = ZP_PLACE_EXPLICIT, .interpolation = ZP_INTERPOLATE_HOLD, .width = 1,
                          .key_count = 1, .times = &time};
    for (uint32_t i = 0; i < c->pack->rig.bone_count * ZF_EN_BONE_PROPERTY_COUNT; i++) {
        if (c->bone_channels[i] != 0) {
            double rest[ZF_EN_BONE_PROPERTY_COUNT];
            rest_of(&c->pack->rig.bones[i / ZF_EN_BONE_PROPERTY_COUNT], rest);
            curve.first_channel = c->bone_channels[i] - 1;
            curve.values = &rest[i % ZF_EN_BONE_PROPERTY_COUNT];
            zp_build_curve(c->build, &curve);
            return;
        }
    }
    if (c->sprite_count > 0) {
        build_held(c, c->sprite_channels[PICTURE] - 1, c->rest_cels, &(int64_t){0}, 1);
    }
}

static void build_curves(compiler *c) {
    const zf_en_clip *clip = c->clip;
    double *samples = NULL;
    uint32_t sample_count = 0;
    if (c->pack->input->def->sampled_poses) {
        sample_count = zf_en_sampled_times(c->arena, clip, c->end_s, &samples);
        if (sample_count > ZF_EN_SAMPLES_MAX) {
            sample_count = ZF_EN_SAMPLES_MAX;
            for (uint32_t i = 0; i < sample_count; i++) {
                samples[i] = c->end_s * i / (ZF_EN_SAMPLES_MAX - 1);
            }
        }
    }
    bool any = false;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const uint32_t *channel = zf_en_acts(&clip->tracks[i]) ? channel_of(c, &clip->tracks[i]) : NULL;
        if (channel == NULL) {
            continue;
        }
        any = true;
        if (samples != NULL) {
            build_sampled(c, &clip->tracks[i], *channel - 1, samples, sample_count);
        } else {
            build_exact(c, &clip->tracks[i], *channel - 1);
        }
    }
    for (uint32_t s = 0; s < c->sprite_count && clip->object_track_count > 0; s++) {
        build_pictures(c, s, samples, sample_count);
    }
    if (!any && clip->object_track_count == 0) {
        hold_at_rest(c);
    }
}

static uint32_t build_clip(compiler *c, const zf_en_clip *clip) {
    c->clip = clip;
    c->duration_ns = zf_en_duration_ns(clip->duration_s);
    c->end_s = (double)c->duration_ns / 1e9;
    uint32_t *effect_refs = zb_arena_take_array(c->arena, (size_t)clip->effect_count + 1, sizeof *effect_refs);
    const zp_clip record = {
        .name = name_of(c, clip->id), .label = name_of(c, clip->display_name), .kind = name_of(c, clip->enemy),
        .time_unit = ZP_TIME_SECONDS, .duration_ns = c->duration_ns,
        .duration_ns_min = c->duration_ns > 1000 ? c->duration_ns / 1000 : 1, .duration_ns_max = c->duration_ns * 1000,
        .complete_ns = c->duration_ns, .repeat = clip->loop ? ZP_REPEAT_LOOP : ZP_REPEAT_HOLD, .delay_unit_ns = 1,
        .flags = ZP_CLIP_NO_ALTERNATE};
    uint32_t *picture_refs = zb_arena_take_array(c->arena, (size_t)clip->event_count + 1, sizeof *picture_refs);
    if (effect_refs != NULL && picture_refs != NULL) {
        build_effects(c, effect_refs);
        build_event_pictures(c, picture_refs);
    }
    zp_build_clip_begin(c->build, &record, span_of(c, clip->node));
    build_curves(c);
    if (effect_refs != NULL && picture_refs != NULL) {
        build_events(c, effect_refs, picture_refs);
    }
    return zp_build_clip_end(c->build);
}

// A rig without clips is shown as it is.
static uint32_t build_rest_clip(compiler *c) {
    c->duration_ns = 1000000000;
    c->end_s = 1.0;
    zp_build_clip_begin(c->build, &(zp_clip){
        .name = name_of(c, ZB_TEXT("rest")), .time_unit = ZP_TIME_SECONDS, .duration_ns = c->duration_ns,
        .duration_ns_min = c->duration_ns, .duration_ns_max = c->duration_ns, .complete_ns = c->duration_ns,
        .repeat = ZP_REPEAT_HOLD, .delay_unit_ns = 1}, (zp_span){0, 0});
    hold_at_rest(c);
    return zp_build_clip_end(c->build);
}

void zf_en_compile(const zf_en_pack *pack, zp_build *build) {
    compiler c = {.pack = pack, .arena = pack->arena, .build = build};
    zp_build_format(build, pack->clip_count > 0 ? ZB_TEXT("enemy-animation") : ZB_TEXT("enemy-rig"),
                    (uint32_t)pack->input->def->profile);
    if (!list_sprites(&c) || !rest_cels(&c) || !want_channels(&c)) {
        return; // the arena has failed, and whoever opened it will ask
    }
    build_channels(&c);
    build_bones(&c);
    build_sprites(&c);
    build_actor(&c);
    uint32_t first = 0;
    for (uint32_t i = 0; i < pack->clip_count; i++) {
        const uint32_t clip = build_clip(&c, &pack->clips[i]);
        first = i == 0 ? clip : first;
    }
    if (pack->clip_count == 0) {
        first = build_rest_clip(&c);
    }
    zp_build_play(build, &(zp_play){.clip = first});
    double stage[4];
    zf_en_stage(pack, stage);
    zp_build_stage(build, stage[0], stage[1], stage[2], stage[3]);
}
