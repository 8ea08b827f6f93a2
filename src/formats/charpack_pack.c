// A pack as a whole: its manifest, and what lies beside it. Everything is looked at in the order of the format's own
// validator. What nobody has said anything of is asked for and not judged. Called by charpack.c.
#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "formats/charpack.h"

typedef struct pack_reader {
    zf_cp_judge *judge;
    zf_cp_pack *pack;
    const zj_doc *doc;         // the manifest
    uint32_t nodes[ZF_CP_M_COUNT];
    zo_need_kind texture_need;
    zb_intern overlay_names;   // overlay + 1 by label
    zb_array overlays;         // overlay
    bool broken;               // a path that leads to no texture: sums are not known
} pack_reader;

typedef struct overlay {
    uint32_t first_frame, frame_count;
} overlay;

static uint32_t fault(const pack_reader *r, zf_cp_category category, uint32_t node, zd_id id, zd_args args) {
    return zf_cp_fault(r->judge, category, r->doc, node, id, args);
}

static zd_arg seen(const pack_reader *r, uint32_t node) { return zf_not(r->judge->arena, r->doc, node); }
static zd_arg name(const pack_reader *r, zo_text text) { return zf_cp_name(r->judge, text); }
static uint32_t or_root(uint32_t node) { return node != 0 ? node : ZJ_ROOT; }
static const char *member_name(uint32_t field) { return zf_cp_manifest_object.fields[field].name.text; }

// ---------------------------------------------------------------------------------------------------- the head of it

// The folder's name, which is as good an id as any; "": it is not known.
static zo_text folder_of(const pack_reader *r) {
    const char *path = r->judge->input->sources[0].name;
    const char *end = strrchr(path, '/');
    const char *begin = end;
    while (begin != NULL && begin > path && begin[-1] != '/') {
        begin--;
    }
    const zo_text folder = {begin != NULL ? begin : "", begin != NULL ? (size_t)(end - begin) : 0};
    const bool none = zb_text_equal(folder, ZB_TEXT(".")) || zb_text_equal(folder, ZB_TEXT(".."));
    return none ? (zo_text){"", 0} : zb_utf8_trim(folder, zb_is_white);
}

// A member that is missing has a value that it usually has: nobody would object to its being written.
static void offer(const pack_reader *r, uint32_t added, uint32_t field, zo_text usual) {
    if (added == 0 || usual.size == 0) {
        return;
    }
    zd_report *report = r->judge->input->report;
    zd_report_hint(report, added, "usually it is \"{}\"", ZD_ARGS(zd_text(usual)));
    if (r->nodes[field] != 0) {
        return; // there is something, and somebody has to look at it
    }
    zb_buffer text = zb_buffer_open(zd_report_arena(report));
    zb_put(&text, "{\"");
    zb_put(&text, member_name(field));
    zb_put(&text, "\": ");
    zb_put_json_text(&text, usual);
    zb_put(&text, zj_at(r->doc, ZJ_ROOT)->as.items.count > 0 ? ", " : "");
    if (!zb_arena_failed(text.arena)) {
        zd_report_fix(report, added, (zo_text){text.data, text.size}, "write \"{}\": \"{}\"",
                      ZD_ARGS(zd_word(member_name(field)), zd_text(usual)));
    }
}

static zo_text member_text(const pack_reader *r, uint32_t field, zo_text usual) {
    bool loose = false;
    const zo_text text = zf_cp_text(r->judge->arena, r->doc, r->nodes[field], &loose);
    if (text.size == 0) {
        offer(r, fault(r, ZF_CP_MANIFEST, or_root(r->nodes[field]), ZD_CHARPACK_MEMBER,
                       ZD_ARGS(zd_word(member_name(field)), seen(r, r->nodes[field]))),
              field, usual);
    } else if (loose) {
        zf_cp_warn(r->judge, r->doc, r->nodes[field], ZD_CHARPACK_LOOSE_TYPE,
                   ZD_ARGS(zd_word("the manifest"), zd_word(member_name(field)), name(r, text)));
    }
    return text;
}

static bool folded_equal(zo_text text, const char *lower) {
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != lower[i] || lower[i] == 0) {
            return false;
        }
    }
    return lower[text.size] == 0;
}

static void check_formats(const pack_reader *r) {
    zo_text text = {"", 0};
    const uint32_t format = r->nodes[ZF_CP_M_FORMAT], texture = r->nodes[ZF_CP_M_TEXTURE_FORMAT];
    if (!zf_text(r->doc, format, &text) || !zb_text_equal(text, ZB_TEXT(ZF_CP_FORMAT))) {
        fault(r, ZF_CP_MANIFEST, or_root(format), ZD_CHARPACK_FORMAT, ZD_ARGS(seen(r, format)));
    }
    text = (zo_text){"", 0};
    if (!zf_text(r->doc, texture, &text) || !folded_equal(text, "ktx2")) {
        offer(r, fault(r, ZF_CP_MANIFEST, or_root(texture), ZD_CHARPACK_TEXTURE_FORMAT, ZD_ARGS(seen(r, texture))),
              ZF_CP_M_TEXTURE_FORMAT, ZB_TEXT("ktx2"));
    }
}

// ---------------------------------------------------------------------------------------------------- paths

// A path of the manifest to one of the pack. Empty: it is no such one, and that has been reported.
static zo_text path_of(const pack_reader *r, uint32_t node, zd_arg where) {
    bool loose = false;
    const char *wrong = NULL;
    const zo_text text = zf_cp_text(r->judge->arena, r->doc, node, &loose);
    const zo_text path = zf_cp_path(r->judge->arena, text, &wrong);
    const zo_source *file = wrong == NULL && path.size > 0 ? zf_beside_find(&r->pack->files, path) : NULL;
    if (file != NULL && file->outside_root) {
        wrong = "links on the way lead out of the pack";
    }
    if (wrong != NULL) {
        fault(r, ZF_CP_MANIFEST, or_root(node), ZD_CHARPACK_PATH,
              ZD_ARGS(where, text.size > 0 ? name(r, text) : zf_seen(r->judge->arena, r->doc, node), zd_word(wrong)));
        return (zo_text){"", 0};
    }
    if (loose) {
        zf_cp_warn(r->judge, r->doc, node, ZD_CHARPACK_LOOSE_TYPE, ZD_ARGS(where, zd_word("a path"), name(r, text)));
    }
    return path.size > 0 ? path : ZB_TEXT("."); // the pack's folder itself
}

static bool is_missing(const zo_source *file) { return file != NULL && file->kind != ZO_SOURCE_FILE; }

// The parsed file that a member names, an object. NULL: it is none, which has been reported, or nobody has given it.
static const zj_doc *open_beside(pack_reader *r, uint32_t field, zo_text path, zf_cp_category category) {
    if (path.size == 0) {
        return NULL;
    }
    const zo_source *file = zf_beside_find(&r->pack->files, path);
    const bool folder = zb_text_equal(path, ZB_TEXT("."));
    if (is_missing(file) || folder) {
        fault(r, category, r->nodes[field], ZD_CHARPACK_FILE, ZD_ARGS(zd_word(member_name(field)), name(r, path)));
        return NULL;
    }
    if (file == NULL || file->bytes == NULL) {
        zf_beside_need(&r->pack->files, path, ZO_NEED_BYTES);
        r->pack->unknown = true;
        return NULL;
    }
    return zf_cp_open(r->judge, file, path, category);
}

// ---------------------------------------------------------------------------------------------------- clips

// A frame of a clip or an overlay. The texture, or UINT32_MAX.
static uint32_t find_texture(pack_reader *r, uint32_t node, zd_arg where, bool of_overlay) {
    const zo_text path = path_of(r, node, where);
    if (path.size == 0) {
        return UINT32_MAX;
    }
    const zo_source *file = zf_beside_find(&r->pack->files, path);
    const zo_text real = file != NULL && file->real_name != NULL ? zb_text(file->real_name) : path;
    if (!zf_cp_is_texture(real)) {
        fault(r, of_overlay ? ZF_CP_INCOMPLETE : ZF_CP_MANIFEST, node, ZD_CHARPACK_EXTENSION,
              ZD_ARGS(where, name(r, real)));
        return UINT32_MAX;
    }
    if (is_missing(file)) {
        fault(r, ZF_CP_INCOMPLETE, node, ZD_CHARPACK_FILE, ZD_ARGS(where, name(r, real)));
        return UINT32_MAX;
    }
    if (file == NULL) {
        zf_beside_need(&r->pack->files, path, r->texture_need);
        r->pack->unknown = true;
    }
    const uint32_t known = zb_intern_count(&r->pack->texture_names);
    const uint32_t id = zb_intern_id(&r->pack->texture_names, real);
    if (id > known) {
        *(zf_cp_texture *)zb_array_push(&r->pack->textures) = (zf_cp_texture){path, file};
    }
    return id - 1; // after the arena has failed nobody looks
}

// The paths of a list. Those that are wrong are left out.
static overlay read_frames(pack_reader *r, uint32_t list, const char *form, zo_text label, bool of_overlay) {
    overlay read = {r->pack->frames.count, 0};
    uint32_t index = 0;
    for (uint32_t node = zj_at(r->doc, list)->as.items.first; node != 0; node = zj_at(r->doc, node)->next) {
        const uint32_t texture = find_texture(r, node, zf_cp_where(r->judge, form, label, index++), of_overlay);
        if (texture != UINT32_MAX) {
            *(uint32_t *)zb_array_push(&r->pack->frames) = texture;
            read.frame_count++;
        } else {
            r->broken = true;
        }
    }
    return read;
}

static bool is_list(const pack_reader *r, uint32_t node) {
    return zf_is(r->doc, node, ZJ_ARRAY) && zj_at(r->doc, node)->as.items.count > 0;
}

static void report_no_list(const pack_reader *r, uint32_t owner, uint32_t list, zd_arg where) {
    const bool empty = zf_is(r->doc, list, ZJ_ARRAY);
    fault(r, ZF_CP_MANIFEST, list != 0 ? list : owner, ZD_CHARPACK_FRAMES,
          ZD_ARGS(where, empty ? zd_word(", not an empty one") : seen(r, list)));
}

// Times are whole nanoseconds, and the whole clip has to fit.
static bool fits(int64_t interval_ms, uint32_t frame_count) {
    int64_t ns = 0;
    return !__builtin_mul_overflow(interval_ms, (int64_t)1000000, &ns) &&
           !__builtin_mul_overflow(ns, (int64_t)frame_count, &ns) && ns <= ZP_DURATION_NS_MAX;
}

static int64_t read_interval(const pack_reader *r, uint32_t clip, uint32_t node, zd_arg where, uint32_t frame_count) {
    int64_t interval_ms = 0;
    bool loose = false;
    if (!zf_cp_integer(r->doc, node, &interval_ms, &loose) || interval_ms <= 0) {
        fault(r, ZF_CP_MANIFEST, node != 0 ? node : clip, ZD_CHARPACK_INTERVAL, ZD_ARGS(where, seen(r, node)));
        return 1;
    }
    if (!fits(interval_ms, frame_count)) {
        if (!r->judge->input->def->contract_only) {
            fault(r, ZF_CP_MANIFEST, node, ZD_CHARPACK_TOO_LONG, ZD_ARGS(where));
        }
        return 1;
    }
    if (loose) {
        zf_cp_warn(r->judge, r->doc, node, ZD_CHARPACK_LOOSE_TYPE,
                   ZD_ARGS(where, zd_word("frameIntervalMs"), zd_int(interval_ms)));
    }
    return interval_ms;
}

static bool read_loop_mode(const pack_reader *r, uint32_t clip, uint32_t node, zd_arg where) { // once_then_hold?
    zo_text text = {"", 0};
    const bool is_text = zf_text(r->doc, node, &text);
    const uint32_t mode = is_text ? zf_word(zf_cp_loop_modes, ZF_CP_LOOP_MODE_COUNT, text) : ZF_CP_LOOP_MODE_COUNT;
    if (mode == ZF_CP_LOOP_MODE_COUNT) {
        const uint32_t added = fault(r, ZF_CP_MANIFEST, node != 0 ? node : clip, ZD_CHARPACK_LOOP_MODE,
                                     ZD_ARGS(where, seen(r, node)));
        if (is_text) {
            zf_hint_nearest(r->doc, added, text, zf_cp_loop_modes, ZF_CP_LOOP_MODE_COUNT);
        }
    }
    return mode == ZF_CP_ONCE;
}

static zo_text read_phase(const pack_reader *r, uint32_t clip, uint32_t node, zd_arg where) {
    bool loose = false;
    const zo_text phase = zf_cp_text(r->judge->arena, r->doc, node, &loose);
    if (phase.size == 0) {
        fault(r, ZF_CP_MANIFEST, node != 0 ? node : clip, ZD_CHARPACK_BLANK,
              ZD_ARGS(where, zd_word("phase"), seen(r, node)));
    } else if (loose) {
        zf_cp_warn(r->judge, r->doc, node, ZD_CHARPACK_LOOSE_TYPE, ZD_ARGS(where, zd_word("phase"), name(r, phase)));
    }
    return phase;
}

// Of two clips with one label the later one counts, as of repeated keys.
static zf_cp_clip *take_clip(pack_reader *r, zo_text label, uint32_t node) {
    const uint32_t known = zb_intern_count(&r->pack->clip_names);
    const uint32_t id = zb_intern_id(&r->pack->clip_names, label);
    if (id == 0) {
        return NULL;
    }
    if (id <= known) {
        const uint32_t added = zj_report_key(r->doc, node, ZD_CHARPACK_CLIP_TWICE, ZD_ARGS(name(r, label)));
        zd_report_relate(r->judge->input->report, added, zj_place_key(r->doc, r->pack->clips[id - 1].node),
                         "the other one");
    }
    r->pack->clip_count = zb_intern_count(&r->pack->clip_names);
    return &r->pack->clips[id - 1];
}

static void read_clip(pack_reader *r, uint32_t node) {
    const zo_text label = zb_utf8_trim(zj_key(r->doc, node), zb_is_white);
    if (label.size == 0) {
        zf_cp_refuse(r->judge, ZF_CP_MANIFEST, ZB_TEXT("clips: a label is blank"));
        zj_report_key(r->doc, node, ZD_CHARPACK_LABEL, ZD_ARGS(zd_word("clips")));
        return;
    }
    const zd_arg where = zf_cp_where(r->judge, "clips.%s", label, 0);
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        fault(r, ZF_CP_MANIFEST, node, ZD_CHARPACK_ITEM, ZD_ARGS(where, seen(r, node)));
        return;
    }
    zf_cp_clip *clip = take_clip(r, label, node);
    const uint32_t frames = zj_member(r->doc, node, ZB_TEXT("frames"));
    if (!is_list(r, frames)) {
        report_no_list(r, node, frames, where);
    }
    const uint32_t count = is_list(r, frames) ? zj_at(r->doc, frames)->as.items.count : 0;
    zf_cp_clip read = {.label = label, .node = node};
    read.interval_ms = read_interval(r, node, zj_member(r->doc, node, ZB_TEXT("frameIntervalMs")), where, count);
    read.phase = read_phase(r, node, zj_member(r->doc, node, ZB_TEXT("phase")), where);
    read.once = read_loop_mode(r, node, zj_member(r->doc, node, ZB_TEXT("loopMode")), where);
    if (count > 0) {
        const overlay list = read_frames(r, frames, "clips.%s.frames[%u]", label, false);
        read.first_frame = list.first_frame;
        read.frame_count = list.frame_count;
    }
    r->pack->frame_count += count;
    if (clip != NULL) {
        *clip = read;
    }
}

static void read_clips(pack_reader *r) {
    const uint32_t clips = r->nodes[ZF_CP_M_CLIPS];
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->judge->arena, r->doc, clips, &count);
    if (count == 0) {
        const bool empty = zf_is(r->doc, clips, ZJ_OBJECT);
        fault(r, ZF_CP_MANIFEST, or_root(clips), ZD_CHARPACK_CLIPS,
              ZD_ARGS(empty ? zd_word(", not an empty one") : seen(r, clips)));
        return;
    }
    r->pack->clips = zb_arena_take_array(r->judge->arena, count, sizeof *r->pack->clips);
    for (uint32_t i = 0; i < count && r->pack->clips != NULL; i++) {
        read_clip(r, values[i]);
    }
}

// ------------------------------------------------------------------------------------------ held against others

// Texts in the order of their code points, which is that of their bytes, separated by commas: what the verdict names.
static zo_text listed(const pack_reader *r, const char *head, zb_intern *names) {
    const uint32_t count = zb_intern_count(names);
    zb_buffer out = zb_buffer_open(r->judge->arena);
    zb_put(&out, head);
    uint32_t last = 0; // the one put last; they are few, or else the rest is as good as told
    for (uint32_t told = 0; told < count && told < 32; told++) {
        uint32_t next = 0;
        for (uint32_t id = 1; id <= count; id++) {
            const zo_text text = zb_intern_text(names, id);
            if ((last == 0 || strcmp(text.data, zb_intern_text(names, last).data) > 0) &&
                (next == 0 || strcmp(text.data, zb_intern_text(names, next).data) < 0)) {
                next = id;
            }
        }
        if (next == 0) {
            break;
        }
        zb_put(&out, told > 0 ? ", " : "");
        zf_put_cut(&out, zb_intern_text(names, next));
        last = next;
    }
    zb_put(&out, count > 32 ? " and more" : "");
    return (zo_text){zb_buffer_text(&out), out.size};
}

static void check_labels(pack_reader *r) {
    const zf_cp_graph *graph = &r->pack->graph;
    zb_intern missing = zb_intern_open(r->judge->arena);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const zf_cp_node *node = &graph->nodes[i];
        if (node->label.size > 0 && zb_intern_find(&r->pack->clip_names, node->label) == 0) {
            zb_intern_id(&missing, node->label);
        }
    }
    if (zb_intern_count(&missing) == 0) {
        return;
    }
    zf_cp_refuse(r->judge, ZF_CP_INCOMPLETE, listed(r, "labels of the graph without a clip: ", &missing));
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const zf_cp_node *node = &graph->nodes[i];
        if (node->label.size > 0 && zb_intern_find(&r->pack->clip_names, node->label) == 0) {
            zf_report_head(graph->doc, zj_member(graph->doc, node->node, ZB_TEXT("label")), ZD_CHARPACK_CLIP_MISSING,
                           ZD_ARGS(name(r, node->id), name(r, node->label)));
        }
    }
}

static void read_overlay(pack_reader *r, uint32_t node) {
    const zo_text label = zb_utf8_trim(zj_key(r->doc, node), zb_is_white);
    if (label.size == 0) {
        zf_cp_refuse(r->judge, ZF_CP_MANIFEST, ZB_TEXT("mouthOverlays: a label is blank"));
        zj_report_key(r->doc, node, ZD_CHARPACK_LABEL, ZD_ARGS(zd_word("mouthOverlays")));
        return;
    }
    if (!is_list(r, node)) {
        report_no_list(r, node, node, zf_cp_where(r->judge, "mouthOverlays.%s", label, 0));
        return;
    }
    const overlay read = read_frames(r, node, "mouthOverlays.%s[%u]", label, true);
    const uint32_t known = zb_intern_count(&r->overlay_names);
    const uint32_t id = zb_intern_id(&r->overlay_names, label);
    if (id > known) {
        *(overlay *)zb_array_push(&r->overlays) = read;
    } else if (id > 0) {
        ((overlay *)(void *)r->overlays.items)[id - 1] = read;
    }
}

// Profiles go by their names as they stand.
static void check_profiles(pack_reader *r) {
    zf_cp_mouth *mouth = &r->pack->mouth;
    zb_intern missing = zb_intern_open(r->judge->arena);
    for (uint32_t i = 0; i < mouth->profile_count; i++) {
        zf_cp_profile *profile = &mouth->profiles[i];
        const uint32_t id = zb_intern_find(&r->overlay_names, profile->label);
        if (id != 0) {
            const overlay *read = (const overlay *)(const void *)r->overlays.items + id - 1;
            profile->first_frame = read->first_frame;
            profile->frame_count = read->frame_count;
        } else {
            zb_intern_id(&missing, profile->label);
        }
    }
    if (zb_intern_count(&missing) == 0) {
        return;
    }
    zf_cp_refuse(r->judge, ZF_CP_INCOMPLETE, listed(r, "profiles without mouthOverlays: ", &missing));
    for (uint32_t i = 0; i < mouth->profile_count; i++) {
        if (zb_intern_find(&r->overlay_names, mouth->profiles[i].label) == 0) {
            zj_report_key(mouth->doc, mouth->profiles[i].node, ZD_CHARPACK_OVERLAY_MISSING,
                          ZD_ARGS(name(r, mouth->profiles[i].label)));
        }
    }
}

static void read_overlays(pack_reader *r) {
    const uint32_t overlays = r->nodes[ZF_CP_M_MOUTH_OVERLAYS];
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->judge->arena, r->doc, overlays, &count);
    if (overlays != 0 && !zf_is(r->doc, overlays, ZJ_OBJECT)) {
        fault(r, ZF_CP_MANIFEST, overlays, ZD_CHARPACK_MAP, ZD_ARGS(zd_word("mouthOverlays"), seen(r, overlays)));
    }
    for (uint32_t i = 0; i < count; i++) {
        read_overlay(r, values[i]);
    }
    check_profiles(r);
}

// What of a profile speaks of the frames of its clip should be as long.
static void check_tracks(const pack_reader *r) {
    const zf_cp_mouth *mouth = &r->pack->mouth;
    for (uint32_t i = 0; i < mouth->profile_count; i++) {
        const zf_cp_profile *profile = &mouth->profiles[i];
        const uint32_t clip_ref = zb_intern_find(&r->pack->clip_names, profile->label);
        if (clip_ref == 0 || r->pack->clips == NULL) {
            continue;
        }
        const uint32_t frames = r->pack->clips[clip_ref - 1].frame_count;
        const struct { const char *name; uint32_t count; } lists[] = {{"openness", profile->openness_count},
                                                                      {"anchor_track", profile->track_count}};
        for (uint32_t k = 0; k < ZB_COUNT(lists); k++) {
            if (lists[k].count > 0 && lists[k].count != frames) {
                zf_cp_warn(r->judge, mouth->doc, zj_member(mouth->doc, profile->node, zb_text(lists[k].name)),
                           ZD_CHARPACK_MOUTH_TRACK,
                           ZD_ARGS(zf_cp_where(r->judge, "profiles.%s", profile->label, 0), zd_word(lists[k].name),
                                   zd_int(lists[k].count), zd_int(frames)));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------- the counts

static void check_count(const pack_reader *r, uint32_t field, uint64_t there) {
    const uint32_t node = r->nodes[field];
    int64_t declared = 0;
    bool loose = false;
    if (node == 0 || zf_is(r->doc, node, ZJ_NULL)) {
        return;
    }
    if (!zf_cp_integer(r->doc, node, &declared, &loose) || declared < 0 || (uint64_t)declared != there) {
        fault(r, ZF_CP_MANIFEST, node, ZD_CHARPACK_COUNT,
              ZD_ARGS(zd_word(member_name(field)), zd_int((int64_t)there), seen(r, node)));
    } else if (loose) {
        zf_cp_warn(r->judge, r->doc, node, ZD_CHARPACK_LOOSE_TYPE,
                   ZD_ARGS(zd_word("the manifest"), zd_word(member_name(field)), zd_int(declared)));
    }
}

// What is known only of files that are there is not compared while some are not.
static void check_counts(const pack_reader *r) {
    check_count(r, ZF_CP_M_CLIP_COUNT, r->pack->clip_count);
    check_count(r, ZF_CP_M_FRAME_COUNT, r->pack->frame_count);
    if (r->broken || r->pack->unknown) {
        return;
    }
    check_count(r, ZF_CP_M_TEXTURE_COUNT, r->pack->textures.count);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < r->pack->textures.count; i++) {
        const zo_source *file = ((const zf_cp_texture *)(const void *)r->pack->textures.items)[i].source;
        bytes += file == NULL ? 0 : file->whole_size > 0 ? file->whole_size : file->size;
    }
    check_count(r, ZF_CP_M_TEXTURE_BYTES, bytes);
}

// ---------------------------------------------------------------------------------------------------- the whole

static void read_members(pack_reader *r) {
    for (uint32_t i = 0; i < ZF_CP_M_COUNT; i++) {
        r->nodes[i] = zj_member(r->doc, ZJ_ROOT, zb_text(member_name(i)));
    }
}

// A member with a file's path; where it is blank its usual value is offered.
static zo_text file_member(const pack_reader *r, uint32_t field, zo_text usual) {
    const uint32_t node = r->nodes[field];
    if (zf_cp_text(r->judge->arena, r->doc, node, NULL).size == 0) {
        member_text(r, field, usual);
        return (zo_text){"", 0};
    }
    return path_of(r, node, zd_word(member_name(field)));
}

static void check_strictly(const pack_reader *r, const zj_doc *mouth, const zj_doc *graph) {
    static const zf_name paths[] = {ZF_NAME("graph"), ZF_NAME("mouthConfig"), ZF_NAME("frames"),
                                    ZF_NAME("mouthOverlays")};
    zf_cp_check_leftovers(r->judge, r->doc, paths, ZB_COUNT(paths));
    zf_cp_check_leftovers(r->judge, graph, &zf_cp_authoring[ZF_CP_ROOT], 1);
    zf_cp_check_leftovers(r->judge, mouth, zf_cp_authoring, ZF_CP_AUTHORING_COUNT);
    if (r->judge->faults == 0) {
        zf_cp_check_schema(r->judge, r->doc, &zf_cp_manifest_object);
        zf_cp_check_schema(r->judge, graph, &zf_cp_graph_object);
        zf_cp_check_schema(r->judge, mouth, &zf_cp_mouth_object);
    }
}

bool zf_cp_read_pack(zf_cp_judge *judge, bool pictures, zf_cp_pack *out) {
    zb_arena *arena = judge->arena;
    *out = (zf_cp_pack){.input = judge->input, .arena = arena, .files = zf_beside_open(judge->input),
                        .clip_names = zb_intern_open(arena), .textures = zb_array_open(arena, sizeof(zf_cp_texture)),
                        .texture_names = zb_intern_open(arena), .frames = zb_array_open(arena, sizeof(uint32_t))};
    pack_reader r = {.judge = judge, .pack = out, .doc = judge->input->doc,
                     .texture_need = pictures ? ZO_NEED_HEAD : ZO_NEED_STAT,
                     .overlay_names = zb_intern_open(arena), .overlays = zb_array_open(arena, sizeof(overlay))};
    read_members(&r);
    check_formats(&r);
    out->id = member_text(&r, ZF_CP_M_ID, folder_of(&r));
    member_text(&r, ZF_CP_M_DISPLAY_NAME, (zo_text){"", 0});
    out->version = member_text(&r, ZF_CP_M_VERSION, (zo_text){"", 0});
    const zo_text graph_path = file_member(&r, ZF_CP_M_GRAPH, ZB_TEXT("graph_config.json"));
    const zo_text mouth_path = file_member(&r, ZF_CP_M_MOUTH_CONFIG, ZB_TEXT("spriteforge_mouth_config.json"));
    const zj_doc *graph = open_beside(&r, ZF_CP_M_GRAPH, graph_path, ZF_CP_GRAPH);
    const zj_doc *mouth = open_beside(&r, ZF_CP_M_MOUTH_CONFIG, mouth_path, ZF_CP_MOUTH);
    if (graph != NULL) {
        zf_cp_read_graph(judge, graph, &out->graph);
    }
    if (mouth != NULL) {
        zf_cp_read_mouth(judge, mouth, &out->mouth);
    }
    read_clips(&r);
    if (graph != NULL && out->clip_count > 0) {
        check_labels(&r);
    }
    read_overlays(&r);
    check_tracks(&r);
    check_counts(&r);
    check_strictly(&r, mouth, graph);
    return judge->faults == 0;
}
