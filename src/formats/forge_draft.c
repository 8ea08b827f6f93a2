// Machines of the draft to plain structures. Called by forge.c.
#include "formats/forge_fields.h"

#include "base/utf8.h"

// Names are written with either slash.
static zo_text with_slashes(const zf_fg_reading *r, zo_text name) {
    char *copy = zb_arena_take(r->arena, name.size + 1);
    for (size_t i = 0; copy != NULL && i < name.size; i++) {
        copy[i] = name.data[i] == '\\' ? '/' : name.data[i];
    }
    return copy != NULL ? (zo_text){copy, name.size} : name;
}

static uint32_t named_pose(zf_fg_machine *m, uint32_t node, zo_text name) {
    return zf_fg_push_pose(m, (zf_fg_pose){.kind = ZF_FG_NAMED_POSE, .node = node, .name = name});
}

static void missing(const zf_fg_reading *r, uint32_t node, const char *name) {
    zf_fg_tell(r, node, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word("a clip"), zd_word(name)));
}

static uint32_t rest(zf_fg_machine *m, uint32_t node) {
    return zf_fg_push_pose(m, (zf_fg_pose){.kind = ZF_FG_REST, .node = node});
}

static uint32_t read_lerp(const zf_fg_reading *r, zf_fg_machine *m, const zf_fields *f, uint32_t node) {
    zo_text from = {NULL, 0}, to = {NULL, 0};
    bool good = true;
    for (uint32_t i = FD_FROM; i <= FD_PROGRESS; i++) {
        if (f->nodes[i] == 0) {
            missing(r, node, f->table->fields[i].name.text);
            good = false;
        }
    }
    good = zf_fg_member_text(r, f, FD_FROM, &from) && zf_fg_member_text(r, f, FD_TO, &to) && good;
    if (!good) {
        return rest(m, node);
    }
    zf_fg_tell_unused(r, f, FD_CHILD, FD_TIME, "clip of the type lerp");
    const uint32_t a = named_pose(m, f->nodes[FD_FROM], from), b = named_pose(m, f->nodes[FD_TO], to);
    const uint32_t expr = zf_fg_read_expr(r, &m->exprs, (zo_text){"", 0}, f->nodes[FD_PROGRESS]);
    return zf_fg_push_pose(m, (zf_fg_pose){.kind = ZF_FG_BLEND, .node = node, .a = a, .b = b, .expr = expr});
}

static uint32_t read_one(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    zf_fields f;
    zo_text child = {NULL, 0};
    if (!zf_fg_open(r, &f, node, &zf_fg_draft_clip_object, "a clip")) {
        return rest(m, node);
    }
    if (f.nodes[FD_TYPE] != 0) {
        const bool lerp = zf_fg_member_word(r, &f, FD_TYPE, ZD_FORGE_UNKNOWN_CLIP_KIND, 0) == 0;
        return lerp ? read_lerp(r, m, &f, node) : rest(m, node);
    }
    const bool plays = f.nodes[FD_CHILD] != 0 || f.nodes[FD_CLIP] != 0;
    if (!plays && (f.nodes[FD_FROM] != 0 || f.nodes[FD_TO] != 0 || f.nodes[FD_PROGRESS] != 0)) {
        const uint32_t added = zf_fg_tell(r, node, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word("a clip"), zd_word("type")));
        if (added != 0) {
            zd_report_hint(r->doc->report, added, "\"type\": \"lerp\" is a blend of two clips", ZD_NO_ARGS);
        }
        return rest(m, node);
    }
    if (f.nodes[FD_CHILD] != 0 && f.nodes[FD_CLIP] != 0) {
        zf_fg_tell(r, f.nodes[FD_CLIP], ZD_FORGE_CLIP_AND_CHILD, ZD_NO_ARGS);
        return rest(m, node);
    }
    const uint32_t field = f.nodes[FD_CHILD] != 0 ? FD_CHILD : FD_CLIP;
    if (f.nodes[field] == 0) {
        missing(r, node, "child");
    }
    if (f.nodes[FD_TIME] == 0) {
        missing(r, node, "time");
    }
    if (!zf_fg_member_text(r, &f, field, &child) || f.nodes[FD_TIME] == 0) {
        return rest(m, node);
    }
    zf_fg_tell_unused(r, &f, FD_FROM, FD_PROGRESS, "clip without the type lerp");
    const uint32_t a = named_pose(m, f.nodes[field], child);
    const uint32_t expr = zf_fg_read_expr(r, &m->exprs, (zo_text){"", 0}, f.nodes[FD_TIME]);
    return zf_fg_push_pose(m, (zf_fg_pose){.kind = ZF_FG_TIME, .node = node, .a = a, .expr = expr});
}

// An array of one clip; more are multiplied, the first on the left.
static uint32_t read_clip(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    if (zf_is(r->doc, node, ZJ_OBJECT)) {
        return read_one(r, m, node);
    }
    const uint32_t first = zf_is(r->doc, node, ZJ_ARRAY) ? zj_at(r->doc, node)->as.items.first : node;
    if (zf_is(r->doc, first, ZJ_STRING)) {
        zf_fg_other_dialect(r, node, "a clip", "an object, or an array of them");
        return rest(m, node);
    }
    if (!zf_is(r->doc, node, ZJ_ARRAY) || zj_at(r->doc, node)->as.items.count == 0) {
        zf_fg_tell(r, node, ZD_FORGE_WRONG_TYPE,
                   ZD_ARGS(zd_word("a clip"), zd_word("an object, or an array of them"),
                           zf_is(r->doc, node, ZJ_ARRAY) ? zd_word(", not empty") : zf_not(r->arena, r->doc, node)));
        return rest(m, node);
    }
    uint32_t item = zj_at(r->doc, node)->as.items.first;
    uint32_t pose = read_one(r, m, item);
    if (zj_at(r->doc, item)->next != 0) {
        zf_fg_tell(r, node, ZD_FORGE_SEVERAL_CLIPS, ZD_ARGS(zd_int(zj_at(r->doc, node)->as.items.count)));
    }
    for (item = zj_at(r->doc, item)->next; item != 0; item = zj_at(r->doc, item)->next) {
        const uint32_t next = read_one(r, m, item);
        pose = zf_fg_push_pose(m, (zf_fg_pose){.kind = ZF_FG_PRODUCT, .node = node, .a = pose, .b = next});
    }
    return pose;
}

static void read_clips(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    zf_fg_named *clips = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *clips);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const zo_text name = zj_key(r->doc, values[i]);
        zb_intern_id(&m->clip_names, name);
        clips[i] = (zf_fg_named){.name = name, .node = values[i], .pose = read_clip(r, m, values[i])};
    }
    m->clips = clips;
    m->clip_count = count;
}

// --------------------------------------------------------------------------------------------------------- transitions

static bool is_blank(uint32_t point) { return point == ' ' || point == '\t' || point == '\n' || point == '\r'; }

// "from -> to"
static bool split(zo_text key, zo_text *from, zo_text *to) {
    size_t at = 0;
    while (at + 1 < key.size && memcmp(key.data + at, "->", 2) != 0) {
        at++;
    }
    if (at + 1 >= key.size) {
        return false;
    }
    *from = zb_utf8_trim((zo_text){key.data, at}, is_blank);
    *to = zb_utf8_trim((zo_text){key.data + at + 2, key.size - at - 2}, is_blank);
    return from->size > 0 && to->size > 0;
}

static bool has_arrow(zo_text text) {
    zo_text from, to;
    return split(text, &from, &to);
}

static uint32_t state_ref(const zf_fg_reading *r, const zf_fg_machine *m, uint32_t item, zo_text name, zd_id id) {
    const uint32_t ref = zb_intern_find(&m->state_names, name);
    if (ref == 0 && has_arrow(name)) { // "a -> b -> c"
        zf_fg_tell_key(r, item, ZD_FORGE_BAD_TRANSITION_KEY, ZD_ARGS(zf_fg_quoted(r, zj_key(r->doc, item))));
    } else if (ref == 0) {
        zf_fg_hint_name(r, zf_fg_tell_key(r, item, id, ZD_ARGS(zf_fg_quoted(r, name))), name, &m->state_names, NULL);
    }
    return ref;
}

// One pair may stand there again with other blanks, where JSON sees another key. false: it does.
static bool note_pair(const zf_fg_reading *r, const zf_fg_machine *m, zb_intern *pairs, uint32_t item, uint32_t from,
                      uint32_t to) {
    const uint32_t refs[2] = {from, to}, known = zb_intern_count(pairs);
    char pair[sizeof refs];
    memcpy(pair, refs, sizeof pair);
    const uint32_t id = zb_intern_id(pairs, (zo_text){pair, sizeof pair});
    if (id > known || id == 0) {
        return true;
    }
    const uint32_t added = zf_fg_tell_key(r, item, ZD_FORGE_DUPLICATE_NAME,
                                          ZD_ARGS(zd_word("transition"), zf_fg_quoted(r, zj_key(r->doc, item))));
    if (added != 0) {
        zd_report_hint(r->doc->report, added, "keep one of them", ZD_NO_ARGS);
        zd_report_relate(r->doc->report, added, zj_place_key(r->doc, zf_fg_edge_at(m, id - 1)->node),
                         "it stands here first");
    }
    return false;
}

static double read_blend(const zf_fg_reading *r, uint32_t item) {
    enum { INSTANT, LERP, NO_TYPE };
    zf_fields f;
    double time = 0.0;
    if (!zf_fg_open(r, &f, item, &zf_fg_draft_transition_object, "a transition")) {
        return 0.0;
    }
    const uint32_t type = zf_fg_member_word(r, &f, FD_TRANSITION_TYPE, ZD_FORGE_UNKNOWN_TRANSITION_TYPE, NO_TYPE);
    if (type == INSTANT) {
        zf_fg_tell_unused(r, &f, FD_TRANSITION_TIME, FD_TRANSITION_TIME, "transition of the type instant");
    }
    if (type != LERP) {
        return 0.0;
    }
    if (f.nodes[FD_TRANSITION_TIME] == 0) {
        zf_fg_tell(r, item, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word("a transition of type lerp"), zd_word("time")));
    } else if (zf_fg_member_number(r, &f, FD_TRANSITION_TIME, &time) && !(time >= 0.0)) {
        zf_fg_tell(r, f.nodes[FD_TRANSITION_TIME], ZD_FORGE_TIME_NEGATIVE, ZD_ARGS(zd_number(time)));
        time = 0.0;
    }
    return time;
}

static void read_transitions(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    zb_intern pairs = zb_intern_open(r->arena); // edge + 1
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        zo_text from = {NULL, 0}, to = {NULL, 0};
        const zo_text key = zj_key(r->doc, values[i]);
        const bool names = zf_is(r->doc, values[i], ZJ_ARRAY) || zf_is(r->doc, values[i], ZJ_STRING);
        if (names && !split(key, &from, &to)) { // the key is a state
            zf_fg_other_dialect(r, values[i], "a transition", "an object under \"from -> to\"");
            continue;
        }
        const double blend_s = read_blend(r, values[i]);
        if (!split(key, &from, &to)) {
            zf_fg_tell_key(r, values[i], ZD_FORGE_BAD_TRANSITION_KEY, ZD_ARGS(zf_fg_quoted(r, key)));
            continue;
        }
        const uint32_t from_ref = state_ref(r, m, values[i], from, ZD_FORGE_TRANSITION_FROM_UNKNOWN_STATE);
        const uint32_t to_ref = state_ref(r, m, values[i], to, ZD_FORGE_TRANSITION_TO_UNKNOWN_STATE);
        if (from_ref != 0 && to_ref != 0 && note_pair(r, m, &pairs, values[i], from_ref, to_ref)) {
            *(zf_fg_edge *)zb_array_push(&m->edges) =
                (zf_fg_edge){.from = from_ref - 1, .to = to_ref - 1, .node = values[i], .blend_s = blend_s};
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- machine

static void read_target(const zf_fg_reading *r, zf_fg_machine *m, const zf_fields *f) {
    const bool both = f->nodes[FD_ANIMATION] != 0 && f->nodes[FD_MODEL] != 0;
    const uint32_t field = f->nodes[FD_ANIMATION] != 0 ? FD_ANIMATION : FD_MODEL;
    zo_text name = {NULL, 0}, domain, path;
    if (both) {
        zf_fg_tell(r, f->nodes[FD_MODEL], ZD_FORGE_MODEL_AND_ANIMATION, ZD_NO_ARGS);
    }
    if (f->nodes[field] == 0) {
        zf_fg_tell(r, ZJ_ROOT, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word("the file"), zd_word("animation or model")));
    } else if (zf_fg_member_text(r, f, field, &name) && !zf_fg_split_name(name, &domain, &path)) {
        zf_fg_tell(r, f->nodes[field], ZD_FORGE_WRONG_TYPE,
                   ZD_ARGS(zd_word(f->table->fields[field].name.text), zd_word("a name, \"domain:path\""),
                           zf_not(r->arena, r->doc, f->nodes[field])));
    } else if (name.data != NULL) {
        const uint32_t file = zf_fg_file_of(r, m, with_slashes(r, name), f->nodes[field]);
        if (m->files.count > 0) {
            zf_fg_file_at(m, file)->b3d = field == FD_MODEL;
        }
    }
}

void zf_fg_read_draft_machine(const zf_fg_reading *r, zf_fg_machine *m) {
    zf_fields f;
    *m = zf_fg_machine_open(r);
    m->exprs.letter = r->letter;
    if (!zf_fg_open(r, &f, ZJ_ROOT, &zf_fg_draft_machine_object, "the file")) {
        return;
    }
    read_target(r, m, &f);
    if (f.nodes[FD_CLIPS] != 0 && zf_fg_is(r, f.nodes[FD_CLIPS], ZJ_OBJECT, "clips")) {
        read_clips(r, m, f.nodes[FD_CLIPS]);
    }
    if (f.nodes[FD_STATES] != 0 && zf_fg_is(r, f.nodes[FD_STATES], ZJ_ARRAY, "states")) {
        zf_fg_read_states(r, m, f.nodes[FD_STATES]);
        if (zj_at(r->doc, f.nodes[FD_STATES])->as.items.count == 0) { // the first is where it starts
            zf_fg_tell(r, f.nodes[FD_STATES], ZD_FORGE_WRONG_TYPE,
                       ZD_ARGS(zd_word("states"), zd_word("at least one name"), zd_word(", not empty")));
        }
        if (f.nodes[FD_TRANSITIONS] != 0 && zf_fg_is(r, f.nodes[FD_TRANSITIONS], ZJ_OBJECT, "transitions")) {
            read_transitions(r, m, f.nodes[FD_TRANSITIONS]);
        }
    }
    zf_fg_resolve(r, &m->exprs);
    zf_fg_resolve_poses(r, m);
    zf_fg_read_files(r, m);
}
