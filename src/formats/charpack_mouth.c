// The mouth file of a pack: mouths by name, and where they are on the frames of clips. Called by charpack.c and
// charpack_pack.c. What is drawn is not known here. The program behind the format passes over values that it cannot
// use; so does this, with a warning.
#include <math.h>

#include "formats/charpack.h"

typedef struct mouth_reader {
    zf_cp_judge *judge;
    const zj_doc *doc;
    zf_cp_mouth *out;
    zb_intern set_names; // set + 1
} mouth_reader;

static uint32_t fault(const mouth_reader *r, uint32_t node, zd_id id, zd_args args) {
    return zf_cp_fault(r->judge, ZF_CP_MOUTH, r->doc, node, id, args);
}

static uint32_t member(const mouth_reader *r, uint32_t object, const char *key) {
    return zf_is(r->doc, object, ZJ_OBJECT) ? zj_member(r->doc, object, zb_text(key)) : 0;
}

static void warn(const mouth_reader *r, uint32_t node, zd_arg where, const char *wanted) {
    zf_cp_warn(r->judge, r->doc, node, ZD_CHARPACK_MOUTH_VALUE,
               ZD_ARGS(where, zd_word(wanted), zf_not(r->judge->arena, r->doc, node)));
}

static double number_of(const mouth_reader *r, uint32_t object, const char *key, zd_arg where, double absent) {
    const uint32_t node = member(r, object, key);
    double number = absent;
    if (node != 0 && !zf_number(r->doc, node, &number)) {
        warn(r, node, where, "a number");
    }
    return number;
}

static zf_cp_area area_of(const mouth_reader *r, uint32_t object, zd_arg where, zf_cp_area absent) {
    return (zf_cp_area){number_of(r, object, "cx", where, absent.cx), number_of(r, object, "cy", where, absent.cy),
                        number_of(r, object, "width", where, absent.width),
                        number_of(r, object, "height", where, absent.height)};
}

// ---------------------------------------------------------------------------------------------------- what is shut

// `first`, `count`: which of the members of authoring are asked for.
static void refuse_authoring(const mouth_reader *r, uint32_t object, zd_arg where, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t node = zf_is(r->doc, object, ZJ_OBJECT)
                                  ? zj_member(r->doc, object, zf_name_text(zf_cp_authoring[i])) : 0;
        if (node != 0) {
            fault(r, node, ZD_CHARPACK_AUTHORING_FIELD, ZD_ARGS(where, zd_word(zf_cp_authoring[i].text)));
        }
    }
}

typedef struct map {
    const char *name;
    const uint32_t *values;
    uint32_t count;
    uint32_t first, refused; // of the members of authoring, which the format's own validator looks for
} map;

static map map_of(const mouth_reader *r, const char *name, uint32_t first, uint32_t refused) {
    map m = {.name = name, .first = first, .refused = refused};
    const uint32_t node = member(r, ZJ_ROOT, name);
    if (node != 0 && !zf_is(r->doc, node, ZJ_OBJECT)) {
        fault(r, node, ZD_CHARPACK_MAP, ZD_ARGS(zd_word(name), zf_not(r->judge->arena, r->doc, node)));
    }
    m.values = zf_members(r->judge->arena, r->doc, node, &m.count);
    return m;
}

static zd_arg where_of(const mouth_reader *r, const map *m, uint32_t index) {
    return zf_cp_where(r->judge, m->first == ZF_CP_SPEAKING_FRAMES ? "expressions.%s" : "profiles.%s",
                       zj_key(r->doc, m->values[index]), 0);
}

static void check_items(const mouth_reader *r, const map *m) {
    for (uint32_t i = 0; i < m->count; i++) {
        if (!zf_is(r->doc, m->values[i], ZJ_OBJECT)) {
            fault(r, m->values[i], ZD_CHARPACK_ITEM,
                  ZD_ARGS(where_of(r, m, i), zf_not(r->judge->arena, r->doc, m->values[i])));
        }
    }
}

static void check_authoring(const mouth_reader *r, const map *m) {
    const bool all = !r->judge->input->def->contract_only;
    for (uint32_t i = 0; i < m->count; i++) {
        refuse_authoring(r, m->values[i], where_of(r, m, i), all ? 0 : m->first,
                         all ? ZF_CP_AUTHORING_COUNT : m->refused);
    }
}

// ---------------------------------------------------------------------------------------------------- values

static void read_set(mouth_reader *r, const map *m, uint32_t index) {
    const uint32_t node = m->values[index];
    const zd_arg where = where_of(r, m, index);
    const zo_text name = zj_key(r->doc, node);
    const zf_cp_area usual = {0.0, 0.0, 40.0, 20.0};
    r->out->sets[r->out->set_count++] = (zf_cp_mouth_set){name, area_of(r, node, where, usual),
                             number_of(r, node, "curve", where, 0.2)};
    zb_intern_id(&r->set_names, name);
}

// The items of a list that a profile may have; 0: none. *count is their number.
static uint32_t list_of(const mouth_reader *r, uint32_t object, const char *key, zd_arg where, uint32_t *count) {
    const uint32_t node = member(r, object, key);
    *count = 0;
    if (node != 0 && !zf_is(r->doc, node, ZJ_ARRAY) && !zf_is(r->doc, node, ZJ_NULL)) {
        warn(r, node, where, "a list");
    }
    if (!zf_is(r->doc, node, ZJ_ARRAY)) {
        return 0;
    }
    *count = zj_at(r->doc, node)->as.items.count;
    return zj_at(r->doc, node)->as.items.first;
}

static void read_track(const mouth_reader *r, zf_cp_profile *profile, zd_arg where) {
    uint32_t item = list_of(r, profile->node, "anchor_track", where, &profile->track_count);
    zf_cp_area *track = zb_arena_take_array(r->judge->arena, (size_t)profile->track_count + 1, sizeof *track);
    for (uint32_t i = 0; item != 0 && track != NULL; item = zj_at(r->doc, item)->next) {
        if (!zf_is(r->doc, item, ZJ_OBJECT)) {
            warn(r, item, where, "an object with cx, cy, width and height");
        }
        track[i++] = area_of(r, item, where, profile->area);
    }
    profile->track = track;
}

static void read_openness(const mouth_reader *r, zf_cp_profile *profile, zd_arg where) {
    uint32_t item = list_of(r, profile->node, "openness", where, &profile->openness_count);
    double *openness = zb_arena_take_array(r->judge->arena, (size_t)profile->openness_count + 1, sizeof *openness);
    for (uint32_t i = 0; item != 0 && openness != NULL; item = zj_at(r->doc, item)->next) {
        openness[i] = (double)NAN;
        if (!zf_number(r->doc, item, &openness[i])) {
            warn(r, item, where, "a number");
        }
        i++;
    }
    profile->openness = openness;
}

static void read_profile(mouth_reader *r, const map *m, uint32_t index) {
    const uint32_t node = m->values[index];
    const zd_arg where = where_of(r, m, index);
    zf_cp_profile *profile = &r->out->profiles[r->out->profile_count++];
    *profile = (zf_cp_profile){.label = zj_key(r->doc, node), .node = node, .mouth_set = ZB_TEXT("neutral")};
    const uint32_t set = member(r, node, "mouth_set");
    if (zf_is(r->doc, set, ZJ_STRING)) {
        profile->mouth_set = zj_text(r->doc, set);
    } else if (set != 0) {
        warn(r, set, where, "the name of an expression");
    }
    profile->mouth_set_ref = zb_intern_find(&r->set_names, profile->mouth_set);
    if (profile->mouth_set_ref == 0) {
        zf_cp_warn(r->judge, r->doc, set != 0 ? set : node, ZD_CHARPACK_MOUTH_SET,
                   ZD_ARGS(where, zf_cp_name(r->judge, profile->mouth_set)));
    }
    const zf_cp_area base = profile->mouth_set_ref != 0 ? r->out->sets[profile->mouth_set_ref - 1].area
                                                        : (zf_cp_area){0.0, 0.0, 40.0, 20.0};
    profile->area = area_of(r, node, where, base);
    const uint32_t anchor = member(r, node, "runtime_overlay_anchor");
    if (anchor != 0 && !zf_is(r->doc, anchor, ZJ_OBJECT) && !zf_is(r->doc, anchor, ZJ_NULL)) {
        warn(r, anchor, where, "an object with cx, cy, width and height");
    }
    profile->overlay = area_of(r, anchor, where, profile->area);
    read_openness(r, profile, where);
    read_track(r, profile, where);
}

static void read_canvas(const mouth_reader *r) {
    const uint32_t node = member(r, ZJ_ROOT, "canvas_size");
    const uint32_t width = zf_is(r->doc, node, ZJ_ARRAY) ? zj_at(r->doc, node)->as.items.first : 0;
    const uint32_t height = width != 0 ? zj_at(r->doc, width)->next : 0;
    double size[2] = {0.0, 0.0};
    if (height != 0 && zj_at(r->doc, height)->next == 0 && zf_number(r->doc, width, &size[0]) &&
        zf_number(r->doc, height, &size[1]) && size[0] > 0.0 && size[1] > 0.0) {
        r->out->has_canvas = true;
        r->out->canvas[0] = size[0];
        r->out->canvas[1] = size[1];
    } else if (node != 0 && !zf_is(r->doc, node, ZJ_NULL)) {
        warn(r, node, zd_word("canvas_size"), "two numbers above 0, or null");
    }
}

void zf_cp_read_mouth(zf_cp_judge *judge, const zj_doc *doc, zf_cp_mouth *out) {
    *out = (zf_cp_mouth){.doc = doc};
    mouth_reader r = {.judge = judge, .doc = doc, .out = out, .set_names = zb_intern_open(judge->arena)};
    const map sets = map_of(&r, "expressions", ZF_CP_SPEAKING_FRAMES, 1);
    const map profiles = map_of(&r, "profiles", 0, ZF_CP_SPEAKING_FRAMES);
    check_items(&r, &sets);
    check_items(&r, &profiles);
    check_authoring(&r, &sets);
    check_authoring(&r, &profiles);
    if (!judge->input->def->contract_only) {
        refuse_authoring(&r, ZJ_ROOT, zd_word("the mouth file"), 0, ZF_CP_AUTHORING_COUNT);
    }
    out->sets = zb_arena_take_array(judge->arena, (size_t)sets.count + 1, sizeof *out->sets);
    out->profiles = zb_arena_take_array(judge->arena, (size_t)profiles.count + 1, sizeof *out->profiles);
    if (out->sets == NULL || out->profiles == NULL) {
        return;
    }
    read_canvas(&r);
    for (uint32_t i = 0; i < sets.count; i++) {
        read_set(&r, &sets, i);
    }
    for (uint32_t i = 0; i < profiles.count; i++) {
        read_profile(&r, &profiles, i);
    }
}
