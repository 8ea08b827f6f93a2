// What lies around a clip: the sources after the first are told apart, read, and held against the clips. What is not
// among them is asked for; what nobody has said anything of is not judged. Called by the readers of clips and rigs.
// Which files there are, and where, is the caller's affair: here are names only.
#include <math.h>

#include "base/buffer.h"
#include "formats/enemy_pack.h"

// --------------------------------------------------------------------------------------------------------------- files

static zo_text text_of(const char *zero_ended) { return zb_text(zero_ended); }

static bool begins_object(const zo_source *source) {
    const char *bytes = source->bytes;
    size_t at = source->size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < source->size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) {
        at++;
    }
    return at < source->size && bytes[at] == '{';
}

const zo_source *zf_en_file(const zf_en_pack *pack, zo_text name) { return zf_beside_find(&pack->files, name); }

static void need(const zf_en_pack *pack, zo_text name, zo_need_kind kind) { zf_beside_need(&pack->files, name, kind); }

static bool is_missing(const zf_en_pack *pack, zo_text name) {
    const zo_source *file = zf_en_file(pack, name);
    return file != NULL && file->kind == ZO_SOURCE_MISSING;
}

static uint32_t get_32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

bool zf_en_picture_size(const zf_en_pack *pack, zo_text name, uint32_t size[2]) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    const zo_source *file = zf_en_file(pack, name);
    size[0] = size[1] = 0;
    if (file == NULL || file->kind != ZO_SOURCE_FILE || file->bytes == NULL || file->size < 24 ||
        memcmp(file->bytes, signature, sizeof signature) != 0) {
        return false;
    }
    const uint8_t *bytes = file->bytes;
    size[0] = get_32(bytes + 16); // of the chunk that comes first
    size[1] = get_32(bytes + 20);
    return size[0] > 0 && size[1] > 0 && size[0] <= 65535 && size[1] <= 65535;
}

uint32_t zf_en_image_ref(const zf_en_pack *pack, zp_build *build, zo_text name) {
    uint32_t size[2];
    const bool known = zf_en_picture_size(pack, name, size);
    return zp_build_image(build, &(zp_image){.name = zp_build_name(build, name), .width = known ? size[0] : 0,
                                             .height = known ? size[1] : 0}) + 1;
}

// --------------------------------------------------------------------------------------------------------------- atlas

static double number_at(const zj_doc *doc, uint32_t object, const char *name, double absent) {
    double number = absent;
    if (zf_is(doc, object, ZJ_OBJECT)) {
        zf_number(doc, zj_member(doc, object, text_of(name)), &number);
    }
    return number;
}

static bool is_length(double number) { return number >= 1.0 && number <= 65535.0; }

static zo_text without_png(zo_text name) {
    const bool is_png = name.size > 4 && memcmp(name.data + name.size - 4, ".png", 4) == 0;
    return (zo_text){name.data, is_png ? name.size - 4 : name.size};
}

// false: it is no frame that can be shown.
static bool read_region(const zj_doc *doc, uint32_t node, zo_text name, zf_en_region *out) {
    if (!zf_is(doc, node, ZJ_OBJECT)) {
        return false;
    }
    const uint32_t frame = zj_member(doc, node, ZB_TEXT("frame"));
    const uint32_t source = zj_member(doc, node, ZB_TEXT("spriteSourceSize"));
    const uint32_t full = zj_member(doc, node, ZB_TEXT("sourceSize"));
    *out = (zf_en_region){
        .name = without_png(name), .x = number_at(doc, frame, "x", -1.0), .y = number_at(doc, frame, "y", -1.0),
        .width = number_at(doc, frame, "w", 0.0), .height = number_at(doc, frame, "h", 0.0),
        .left = number_at(doc, source, "x", 0.0), .top = number_at(doc, source, "y", 0.0)};
    out->full_width = number_at(doc, full, "w", out->width);
    out->full_height = number_at(doc, full, "h", out->height);
    return name.size > 0 && out->x >= 0.0 && out->x <= 65535.0 && out->y >= 0.0 && out->y <= 65535.0 &&
           is_length(out->width) && is_length(out->height) && is_length(out->full_width) &&
               is_length(out->full_height) &&
           fabs(out->left) <= 65535.0 && fabs(out->top) <= 65535.0 &&
           !zf_is(doc, zj_member(doc, node, ZB_TEXT("rotated")), ZJ_TRUE);
}

// Frames by name, or in a list with their names; as packers of sprite sheets write them.
static void read_atlas(zf_en_pack *pack, const zj_doc *doc) {
    zo_text image = {NULL, 0};
    const uint32_t frames = zf_is(doc, ZJ_ROOT, ZJ_OBJECT) ? zj_member(doc, ZJ_ROOT, ZB_TEXT("frames")) : 0;
    const uint32_t meta = zf_is(doc, ZJ_ROOT, ZJ_OBJECT) ? zj_member(doc, ZJ_ROOT, ZB_TEXT("meta")) : 0;
    const bool list = zf_is(doc, frames, ZJ_ARRAY);
    if (!(list || zf_is(doc, frames, ZJ_OBJECT)) || !zf_is(doc, meta, ZJ_OBJECT) ||
        !zf_text(doc, zj_member(doc, meta, ZB_TEXT("image")), &image) || !zf_en_safe_path(image)) {
        zf_report_head(doc, ZJ_ROOT, ZD_ENEMY_ATLAS,
                       ZD_ARGS(zd_word("frames and the image of its meta are not as they must be")));
        return;
    }
    const uint32_t count = zj_at(doc, frames)->as.items.count;
    zf_en_region *regions = zb_arena_take_array(pack->arena, (size_t)count + 1, sizeof *regions);
    if (regions == NULL) {
        return;
    }
    for (uint32_t node = zj_at(doc, frames)->as.items.first; node != 0; node = zj_at(doc, node)->next) {
        zo_text name = {NULL, 0};
        if (!list) {
            name = zj_key(doc, node);
        } else if (zf_is(doc, node, ZJ_OBJECT)) {
            zf_text(doc, zj_member(doc, node, ZB_TEXT("filename")), &name);
        }
        zf_en_region *region = &regions[pack->region_count];
        if (!read_region(doc, node, name, region)) {
            zf_report_head(doc, node, ZD_ENEMY_ATLAS,
                           ZD_ARGS(zd_word("a frame has no name, no good rectangle, or lies turned in its sheet")));
            continue;
        }
        const uint32_t known = zb_intern_count(&pack->region_names);
        pack->region_count += zb_intern_id(&pack->region_names, region->name) > known ? 1 : 0;
    }
    pack->regions = regions;
    pack->has_atlas = true;
    pack->atlas_image = zb_arena_text(pack->arena, image);
}

const zf_en_region *zf_en_region_find(const zf_en_pack *pack, zo_text name) {
    const uint32_t id = pack->has_atlas ? zb_intern_find(&pack->region_names, without_png(name)) : 0;
    return id != 0 ? &pack->regions[id - 1] : NULL;
}

// ------------------------------------------------------------------------------------------------------------- sources

typedef enum what { OTHER, CLIP, RIG } what;

static what what_it_is(const zf_input *input, const zj_doc *doc) {
    zf_input look = *input;
    look.doc = doc;
    const uint32_t clip = zf_en_reader.likeness(&look), rig = zf_en_rig_reader.likeness(&look);
    return clip < 50 && rig < 50 ? OTHER : clip >= rig ? CLIP : RIG;
}

static bool game_errors(const zf_input *input) {
    return input->def->profile == ZO_PROFILE_ORIGINAL || input->def->strict;
}

static const zj_doc *parse(const zf_input *input, const zo_source *source) {
    const uint32_t file = zd_report_file(input->report, source->name, source->bytes, source->size);
    const zj_limits limits = {.depth_max = input->def->depth_max, .size_max = input->def->size_max};
    return zj_parse_outcome(input->arena, source->bytes, source->size, file, &limits, input->report).doc;
}

static bool read_clip(zf_en_pack *pack, const zj_doc *doc) {
    const zf_en_reading reading = {.arena = pack->arena, .doc = doc, .profile = pack->input->def->profile,
                                   .game_errors = game_errors(pack->input)};
    if (!zf_en_read(&reading, ZJ_ROOT, &pack->clips[pack->clip_count])) {
        return false;
    }
    pack->clip_count++;
    return true;
}

// false: it has errors.
static bool read_source(zf_en_pack *pack, const zo_source *source, const zj_doc **others) {
    if (source->kind != ZO_SOURCE_FILE || source->bytes == NULL || !begins_object(source)) {
        return true;
    }
    zd_report_mute(pack->input->report, source->judged);
    const zj_doc *doc = parse(pack->input, source);
    bool good = doc != NULL;
    const what is = good ? what_it_is(pack->input, doc) : OTHER;
    if (good && is == CLIP) {
        good = read_clip(pack, doc);
    } else if (good && is == RIG && pack->rig.doc == NULL) {
        good = zf_en_read_rig(pack->arena, doc, &pack->rig);
        if (!good && source->judged) {
            pack->rig = (zf_en_rig){.doc = NULL};
        }
        pack->rig_judged = source->judged;
    } else if (is == OTHER) {
        *others = doc;
    }
    zd_report_mute(pack->input->report, false);
    return good || source->judged;
}

static bool read_sources(zf_en_pack *pack, bool rig_first) {
    const zf_input *input = pack->input;
    const zj_doc **others = zb_arena_take_array(pack->arena, input->source_count, sizeof *others);
    pack->clips = zb_arena_take_array(pack->arena, input->source_count, sizeof *pack->clips);
    pack->region_names = zb_intern_open(pack->arena);
    pack->files = zf_beside_open(input);
    if (others == NULL || pack->clips == NULL) {
        return false;
    }
    bool good = rig_first ? zf_en_read_rig(pack->arena, input->doc, &pack->rig) : read_clip(pack, input->doc);
    for (uint32_t i = 1; i < input->source_count; i++) {
        good = read_source(pack, &input->sources[i], &others[i]) && good;
    }
    const zo_source *atlas = pack->rig.atlas.size > 0 ? zf_en_file(pack, pack->rig.atlas) : NULL;
    const zj_doc *doc = atlas != NULL ? others[atlas - input->sources] : NULL;
    if (doc != NULL) {
        zd_report_mute(input->report, atlas->judged);
        read_atlas(pack, doc);
        zd_report_mute(input->report, false);
    }
    return good;
}

// --------------------------------------------------------------------------------------------------------------- rules

typedef struct checker {
    const zf_en_pack *pack;
    const zf_en_clip *clip;
    zb_intern *told; // files that are missing, each told once a document
} checker;

static void report(const checker *c, uint32_t node, zd_id id, zd_args args) {
    zd_report_raise(c->pack->input->report, game_errors(c->pack->input));
    zj_report(c->clip->doc, node, id, args);
    zd_report_raise(c->pack->input->report, false);
}

static zd_arg quoted(const checker *c, zo_text text) { return zf_quoted(c->pack->arena, c->clip->doc, text); }

static void check_file(const checker *c, zo_text name, uint32_t node, zo_need_kind kind) {
    if (name.size == 0 || !zf_en_safe_path(name)) {
        return;
    }
    need(c->pack, name, kind);
    const uint32_t known = zb_intern_count(c->told);
    if (is_missing(c->pack, name) && zb_intern_id(c->told, name) > known) {
        report(c, node, ZD_ENEMY_FILE, ZD_ARGS(quoted(c, name)));
    }
}

zo_text zf_en_png_of(const zf_en_pack *pack, zo_text region) {
    zb_buffer out = zb_buffer_open(pack->arena);
    zb_put_text(&out, region);
    zb_put(&out, ".png");
    return (zo_text){out.data, out.size};
}

static void check_region(const checker *c, zo_text name, uint32_t node) {
    if (name.size == 0) {
        return;
    }
    if (!c->pack->has_atlas) { // then a file of that name will do
        if (zf_en_safe_path(name)) {
            need(c->pack, zf_en_png_of(c->pack, name), ZO_NEED_HEAD);
        }
    } else if (zf_en_region_find(c->pack, name) == NULL) {
        report(c, node, ZD_ENEMY_REGION, ZD_ARGS(quoted(c, name)));
    }
}

// "did you mean" with all that could stand there: the bones' names behind the same kind.
static void hint_bones(const checker *c, uint32_t added, zo_text target, size_t kind_size) {
    const zf_en_rig *rig = &c->pack->rig;
    zf_name *words = added != 0 ? zb_arena_take_array(c->pack->arena, rig->bone_count, sizeof *words) : NULL;
    for (uint32_t i = 0; i < rig->bone_count && words != NULL; i++) {
        zb_buffer out = zb_buffer_open(c->pack->arena);
        zb_put_text(&out, (zo_text){target.data, kind_size});
        zb_put_text(&out, rig->bones[i].name);
        words[i].text = zb_buffer_text(&out);
        words[i].size = (uint32_t)out.size;
    }
    if (words != NULL) {
        zf_hint_nearest(c->clip->doc, added, target, words, rig->bone_count);
    }
}

// `kind_size`: of what stands before the bone's name.
static void check_bone(const checker *c, zo_text target, size_t kind_size, uint32_t node, bool is_error) {
    const zo_text name = {target.data + kind_size, target.size - kind_size};
    if (c->pack->rig.doc == NULL || zf_en_bone_ref(&c->pack->rig, name) != 0) {
        return;
    }
    zd_report_raise(c->pack->input->report, is_error || game_errors(c->pack->input));
    hint_bones(c, zj_report(c->clip->doc, node, ZD_ENEMY_BONE, ZD_ARGS(quoted(c, name))), target, kind_size);
    zd_report_raise(c->pack->input->report, false);
}

static void check_tracks(const checker *c) {
    for (uint32_t i = 0; i < c->clip->track_count; i++) {
        const zf_en_track *track = &c->clip->tracks[i];
        check_bone(c, track->target, track->sprite ? 7 : 5, track->target_node, true);
    }
    for (uint32_t i = 0; i < c->clip->object_track_count; i++) {
        const zf_en_object_track *track = &c->clip->object_tracks[i];
        check_bone(c, track->target, 7, track->target_node, true);
        for (uint32_t k = 0; k < track->key_count; k++) {
            const zf_en_sprite_key *key = &track->keys[k];
            if (key->asset.size > 0) {
                check_file(c, key->asset, key->asset_node, ZO_NEED_HEAD);
            } else {
                check_region(c, key->name, key->name_node);
            }
        }
    }
}

static void check_events(const checker *c) {
    for (uint32_t i = 0; i < c->clip->event_count; i++) {
        const zf_en_event *event = &c->clip->events[i];
        if (event->type == ZF_EN_SOUND) {
            check_file(c, event->file, event->nodes[ZF_EN_FILE], ZO_NEED_STAT);
        } else if (event->type == ZF_EN_SPRITE_EFFECT) {
            check_region(c, event->region, event->nodes[ZF_EN_REGION]);
            if (!zf_en_blank(event->bone)) {
                check_bone(c, event->bone, 0, event->nodes[ZF_EN_BONE], false);
            }
        }
    }
    for (uint32_t i = 0; i < c->clip->effect_count; i++) {
        const zf_en_effect *effect = &c->clip->effects[i];
        check_file(c, effect->texture, effect->texture_node, ZO_NEED_HEAD);
        if (c->pack->rig.doc != NULL && zf_en_effect_bone_ref(&c->pack->rig, effect) == 0) {
            report(c, effect->target_node, ZD_ENEMY_BONE, ZD_ARGS(quoted(c, effect->target)));
        }
    }
}

uint32_t zf_en_sampled_times(zb_arena *arena, const zf_en_clip *clip, double end_s, double **times) {
    uint32_t most = 2;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        most += zf_en_acts(&clip->tracks[i]) ? clip->tracks[i].keys.count : 0;
    }
    for (uint32_t i = 0; i < clip->object_track_count; i++) {
        most += clip->object_tracks[i].key_count;
    }
    double *all = zb_arena_take_array(arena, most, sizeof *all);
    double *kept = *times = zb_arena_take_array(arena, most, sizeof *kept);
    if (all == NULL || kept == NULL) {
        return 0;
    }
    uint32_t count = 0;
    all[count++] = 0.0;
    all[count++] = end_s;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const zf_en_track *track = &clip->tracks[i];
        for (uint32_t k = 0; zf_en_acts(track) && k < track->keys.count; k++) {
            all[count++] = zb_clamp(track->keys.items[k].time, 0.0, end_s);
        }
    }
    for (uint32_t i = 0; i < clip->object_track_count; i++) {
        for (uint32_t k = 0; k < clip->object_tracks[i].key_count; k++) {
            all[count++] = zb_clamp(clip->object_tracks[i].keys[k].time, 0.0, end_s);
        }
    }
    const uint32_t *order = zf_sorted(arena, all, count);
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double time = all[order != NULL ? order[i] : i];
        if (kept_count == 0 || time > kept[kept_count - 1]) {
            kept[kept_count++] = time;
        }
    }
    return kept_count;
}

static void check_times(const checker *c) {
    uint32_t keys = 0; // no more distinct times than keys
    for (uint32_t i = 0; i < c->clip->track_count; i++) {
        keys += c->clip->tracks[i].keys.count;
    }
    for (uint32_t i = 0; i < c->clip->object_track_count; i++) {
        keys += c->clip->object_tracks[i].key_count;
    }
    double *times = NULL;
    const uint32_t count = keys + 2 > ZF_EN_SAMPLES_MAX
                               ? zf_en_sampled_times(c->pack->arena, c->clip, c->clip->duration_s, &times)
                               : 0;
    if (count > ZF_EN_SAMPLES_MAX) {
        const uint32_t node = zj_member(c->clip->doc, c->clip->node, ZB_TEXT("tracks"));
        zf_report_head(c->clip->doc, node, ZD_ENEMY_KEY_TIMES, ZD_ARGS(zd_int(count)));
    }
}

static void check_ids(const zf_en_pack *pack) {
    zb_intern ids = zb_intern_open(pack->arena);
    for (uint32_t i = 0; i < pack->clip_count; i++) {
        const uint32_t known = zb_intern_count(&ids);
        const uint32_t id = zb_intern_id(&ids, pack->clips[i].id);
        if (id > known || id == 0) {
            continue;
        }
        const uint32_t added = zj_report(pack->clips[i].doc, pack->clips[i].id_node, ZD_ENEMY_CLIP_TWICE,
                                         ZD_ARGS(zf_quoted(pack->arena, pack->clips[i].doc, pack->clips[i].id)));
        for (uint32_t k = 0; k < i && added != 0; k++) {
            if (zb_text_equal(pack->clips[k].id, pack->clips[i].id)) {
                zd_report_relate(pack->input->report, added, zj_place(pack->clips[k].doc, pack->clips[k].id_node),
                                 "the other one");
                break;
            }
        }
    }
}

static void check_rig(const zf_en_pack *pack) {
    const zf_en_clip of_rig = {.doc = pack->rig.doc};
    zb_intern told = zb_intern_open(pack->arena);
    const checker c = {pack, &of_rig, &told};
    if (pack->rig.doc == NULL) {
        need(pack, ZB_TEXT("rig.json"), ZO_NEED_BYTES);
        return;
    }
    check_file(&c, pack->rig.atlas, pack->rig.atlas_node, ZO_NEED_BYTES);
    if (pack->has_atlas) {
        need(pack, text_of(pack->atlas_image), ZO_NEED_HEAD);
    }
    for (uint32_t i = 0; i < pack->rig.sprite_count; i++) {
        const zf_en_sprite *sprite = &pack->rig.sprites[i];
        check_file(&c, sprite->image, sprite->image_node, ZO_NEED_HEAD);
        check_region(&c, sprite->region, sprite->region_node);
    }
}

zo_status zf_en_read_pack(const zf_input *input, bool rig_first, zf_en_pack *out) {
    *out = (zf_en_pack){.input = input, .arena = input->arena};
    const uint32_t errors_before = zd_report_errors(input->report);
    if (!read_sources(out, rig_first)) {
        return ZO_INVALID;
    }
    zd_report_mute(input->report, out->rig_judged);
    check_rig(out);
    zd_report_mute(input->report, false);
    for (uint32_t i = 0; i < out->clip_count; i++) {
        zb_intern told = zb_intern_open(out->arena);
        const checker c = {out, &out->clips[i], &told};
        check_tracks(&c);
        check_events(&c);
        check_times(&c);
    }
    check_ids(out);
    if (out->rig.doc == NULL) {
        zf_en_make_rig(out->arena, out->clips, out->clip_count, &out->rig);
    }
    return zd_report_errors(input->report) > errors_before ? ZO_INVALID : ZO_OK;
}
