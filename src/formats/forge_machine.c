// Machines of the shipped dialect to plain structures, and what machines of both dialects have alike: states, the names
// of clips, and the judgement of events that ask for states. Clips inside each other are read by a list of things still
// to do. Called by forge.c and forge_draft.c.
#include "formats/forge_fields.h"
#include "program/program.h" // zp_fault

enum { WALK_MAX = 1000000 }; // steps in looking for what states come to; then the looking ends, which is said

uint32_t zf_fg_push_pose(zf_fg_machine *m, zf_fg_pose pose) {
    *(zf_fg_pose *)zb_array_push(&m->poses) = pose;
    return m->poses.count - 1;
}

// --------------------------------------------------------------------------------------------------------------- clips

typedef struct task {
    bool build;          // of what has been read, the last on the list of results
    uint32_t node;
    zf_fg_pose_kind kind;
    uint32_t expr_node, in_node; // parameters
    zo_text text;
} task;

typedef struct maker {
    const zf_fg_reading *r;
    zf_fg_machine *m;
    zb_array tasks, results; // task; uint32_t: poses
} maker;

static void later(maker *k, task t) { *(task *)zb_array_push(&k->tasks) = t; }

static void give(maker *k, zf_fg_pose pose) { *(uint32_t *)zb_array_push(&k->results) = zf_fg_push_pose(k->m, pose); }

static uint32_t take(maker *k) {
    return k->results.count > 0 ? ((const uint32_t *)(const void *)k->results.items)[--k->results.count] : 0;
}

static void give_rest(maker *k, uint32_t node) { give(k, (zf_fg_pose){.kind = ZF_FG_REST, .node = node}); }

static void read_reference(maker *k, uint32_t node, zo_text text) {
    if (zb_text_equal(text, ZB_TEXT("#identity"))) {
        give_rest(k, node);
        return;
    }
    if (text.size > 0 && text.data[0] == '#') {
        give(k, (zf_fg_pose){.kind = ZF_FG_NAMED_POSE, .node = node, .name = {text.data + 1, text.size - 1}});
        return;
    }
    size_t at = text.size;
    while (at > 0 && text.data[at - 1] != '@') {
        at--;
    }
    if (at == 0) {
        zf_fg_tell(k->r, node, ZD_FORGE_BAD_MODEL_CLIP, ZD_ARGS(zf_fg_quoted(k->r, text)));
        give_rest(k, node);
        return;
    }
    const uint32_t file = zf_fg_file_of(k->r, k->m, (zo_text){text.data, at - 1}, node);
    give(k, (zf_fg_pose){.kind = ZF_FG_MODEL_CLIP, .node = node, .file = file,
                         .name = {text.data + at, text.size - at}});
}

// The text of a trigger; what is no text is taken as it is written.
static zo_text trigger_text(const zf_fg_reading *r, uint32_t node) {
    zo_text text = {NULL, 0};
    if (zf_text(r->doc, node, &text)) {
        return text;
    }
    zf_fg_tell(r, node, ZD_FORGE_EVENT_NOT_STRING, ZD_ARGS(zf_not(r->arena, r->doc, node)));
    return zj_source(r->doc, node);
}

static void read_array(maker *k, uint32_t node) {
    static const struct { zf_name name; zf_fg_pose_kind kind; uint32_t arity; } kinds[] = {
        {ZF_NAME("apply"), ZF_FG_TIME, 2}, {ZF_NAME("slerp"), ZF_FG_BLEND, 4},
        {ZF_NAME("trigger_positive"), ZF_FG_TRIGGER, 3}};
    static const zf_name words[] = {ZF_NAME("apply"), ZF_NAME("slerp"), ZF_NAME("trigger_positive")};
    const zj_doc *doc = k->r->doc;
    const uint32_t first = zj_at(doc, node)->as.items.first, count = zj_at(doc, node)->as.items.count;
    zo_text name = {NULL, 0};
    if (first == 0) {
        zf_fg_tell(k->r, node, ZD_FORGE_WRONG_TYPE,
                   ZD_ARGS(zd_word("a clip"), zd_word("a kind with what it takes"), zd_word(", not empty")));
        give_rest(k, node);
        return;
    }
    if (zf_is(doc, first, ZJ_OBJECT)) {
        zf_fg_other_dialect(k->r, first, "the first member of a clip", "a text");
        give_rest(k, node);
        return;
    }
    if (!zf_fg_text(k->r, first, "the first member of a clip", &name)) {
        give_rest(k, node);
        return;
    }
    uint32_t kind = 0;
    while (kind < ZB_COUNT(kinds) && !zf_name_is(&kinds[kind].name, name)) {
        kind++;
    }
    if (kind == ZB_COUNT(kinds)) {
        const uint32_t added = zf_fg_tell(k->r, first, ZD_FORGE_UNKNOWN_CLIP_KIND, ZD_ARGS(zf_fg_quoted(k->r, name)));
        zf_hint_nearest(doc, added, name, words, ZB_COUNT(words));
        give_rest(k, node);
        return;
    }
    if (count != kinds[kind].arity + 1) {
        zf_fg_tell(k->r, node, ZD_FORGE_WRONG_ARITY,
                   ZD_ARGS(zd_word(kinds[kind].name.text), zd_int(kinds[kind].arity), zd_int((int64_t)count - 1)));
        give_rest(k, node);
        return;
    }
    const uint32_t a = zj_at(doc, first)->next, b = zj_at(doc, a)->next;
    task build = {.build = true, .node = node, .kind = kinds[kind].kind};
    if (kinds[kind].kind == ZF_FG_BLEND) {
        build.in_node = zj_at(doc, b)->next;
        build.expr_node = zj_at(doc, build.in_node)->next;
        later(k, build);
        later(k, (task){.node = b});
    } else {
        build.expr_node = b;
        if (kinds[kind].kind == ZF_FG_TRIGGER) {
            build.text = trigger_text(k->r, zj_at(doc, b)->next);
        }
        later(k, build);
    }
    later(k, (task){.node = a}); // done first: results come in their order
}

static void build(maker *k, const task *t) {
    const zo_text none = {"", 0};
    zf_fg_pose pose = {.kind = t->kind, .node = t->node, .name = t->text};
    if (t->kind == ZF_FG_BLEND) {
        const uint32_t in = zf_fg_read_expr(k->r, &k->m->exprs, none, t->in_node);
        const uint32_t b = take(k), a = take(k);
        pose.a = zf_fg_push_pose(k->m, (zf_fg_pose){.kind = ZF_FG_TIME, .node = t->node, .a = a, .expr = in});
        pose.b = zf_fg_push_pose(k->m, (zf_fg_pose){.kind = ZF_FG_TIME, .node = t->node, .a = b, .expr = in});
    } else {
        pose.a = take(k);
    }
    pose.expr = zf_fg_read_expr(k->r, &k->m->exprs, none, t->expr_node);
    give(k, pose);
}

static uint32_t read_clip(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    maker k = {.r = r, .m = m, .tasks = zb_array_open(r->arena, sizeof(task)),
               .results = zb_array_open(r->arena, sizeof(uint32_t))};
    later(&k, (task){.node = node});
    while (k.tasks.count > 0 && !zb_arena_failed(r->arena)) {
        const task t = ((const task *)(const void *)k.tasks.items)[--k.tasks.count];
        zo_text text = {NULL, 0};
        if (t.build) {
            build(&k, &t);
        } else if (zf_text(r->doc, t.node, &text)) {
            read_reference(&k, t.node, text);
        } else if (zf_is(r->doc, t.node, ZJ_ARRAY)) {
            read_array(&k, t.node);
        } else {
            const bool object = zf_is(r->doc, t.node, ZJ_OBJECT);
            (object ? zf_fg_other_dialect : zf_fg_wrong_type)(r, t.node, "a clip", "a reference or an array");
            give_rest(&k, t.node);
        }
    }
    return take(&k);
}

static void read_clips(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    zf_fg_named *clips = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *clips);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const zo_text name = zj_key(r->doc, values[i]);
        zb_intern_id(&m->clip_names, name);
        clips[i] = (zf_fg_named){.name = name, .node = values[i], .pose = read_clip(r, m, values[i])};
        if (zb_text_equal(name, ZB_TEXT("identity"))) {
            zf_fg_tell_key(r, values[i], ZD_FORGE_UNREACHABLE_NAME, ZD_ARGS(zd_word("clip")));
        }
    }
    m->clips = clips;
    m->clip_count = count;
}

static void read_parameters(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const zo_text name = zj_key(r->doc, values[i]);
        zb_intern_id(&m->exprs.names, name);
        const uint32_t expr = zf_fg_read_expr(r, &m->exprs, name, values[i]);
        *(uint32_t *)zb_array_push(&m->exprs.named) = expr;
        if (zb_text_equal(name, ZB_TEXT("identity"))) {
            zf_fg_tell_key(r, values[i], ZD_FORGE_UNREACHABLE_NAME, ZD_ARGS(zd_word("parameter")));
        }
    }
}

// ------------------------------------------------------------------------------------------------- states, both alike

void zf_fg_read_states(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    zf_fg_state *states = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *states);
    if (states == NULL) {
        return;
    }
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        zo_text name = {NULL, 0};
        if (!zf_fg_text(r, item, "the name of a state", &name)) {
            continue;
        }
        const uint32_t known = zb_intern_count(&m->state_names), id = zb_intern_id(&m->state_names, name);
        if (id == 0) {
            return;
        }
        if (id <= known) {
            zf_fg_tell(r, item, ZD_FORGE_DUPLICATE_STATE, ZD_ARGS(zf_fg_quoted(r, name)));
            continue;
        }
        const uint32_t clip_ref = zb_intern_find(&m->clip_names, name);
        states[m->state_count++] = (zf_fg_state){.name = name, .node = item, .clip_ref = clip_ref};
        if (clip_ref == 0 && m->clips != NULL) {
            zf_fg_tell_late(r, item, ZD_FORGE_STATE_WITHOUT_CLIP, ZD_ARGS(zf_fg_quoted(r, name)));
        }
    }
    m->states = states;
}

// ------------------------------------------------------------------------------------------------------ names of clips

typedef struct step {
    uint32_t pose, child;
} step;

static uint32_t child_count(const zf_fg_pose *pose) {
    switch (pose->kind) {
    case ZF_FG_NAMED_POSE: case ZF_FG_TIME: case ZF_FG_TRIGGER: return 1;
    case ZF_FG_BLEND: case ZF_FG_PRODUCT: return 2;
    default: return 0;
    }
}

static void resolve_name(const zf_fg_reading *r, zf_fg_machine *m, zf_fg_pose *pose) {
    const uint32_t id = zb_intern_find(&m->clip_names, pose->name);
    if (id != 0 && m->clips != NULL) {
        pose->a = m->clips[id - 1].pose;
        return;
    }
    if (zf_fg_is_draft(m->kind) && m->files.count > 0) { // then it is one of the file's
        pose->kind = ZF_FG_MODEL_CLIP;
        pose->file = 0;
        return;
    }
    if (!zf_fg_is_draft(m->kind)) { // a draft without a file has been told that it needs one
        zf_fg_tell_late(r, pose->node, ZD_FORGE_UNRESOLVED_CLIP, ZD_ARGS(zf_fg_quoted(r, pose->name)));
    }
    pose->kind = ZF_FG_FAULTY_POSE;
    pose->a = ZP_FAULT_UNRESOLVED_CLIP;
}

// "a -> b -> a": the names on the way round, the last one first. The way may be closed by any kind of pose, as what
// stands inside another one comes first.
static void tell_cycle(const zf_fg_reading *r, const zf_fg_machine *m, const step *way, uint32_t count, uint32_t back,
                       const zf_fg_pose *pose) {
    zb_buffer path = zb_buffer_open(r->arena);
    zo_text last = {"", 0};
    uint32_t i = zd_report_keeps(r->input->report, ZD_FORGE_REFERENCE_CYCLE) ? 0 : count; // many lead back to one
    while (i < count && way[i].pose != back) {
        i++;
    }
    for (; i < count; i++) {
        const zf_fg_pose *on_way = zf_fg_pose_at(m, way[i].pose);
        if (on_way->kind == ZF_FG_NAMED_POSE) {
            last = on_way->name;
            if (path.size < ZF_FG_WAY_MAX) {
                zb_put(&path, " -> ");
                zf_put_cut(&path, last);
            }
        }
    }
    zb_buffer whole = zb_buffer_open(r->arena);
    zf_put_cut(&whole, last);
    zb_put_bytes(&whole, path.data, path.size);
    zf_fg_tell_late(r, pose->node, ZD_FORGE_REFERENCE_CYCLE,
                    ZD_ARGS(zd_word("clip"), zd_text((zo_text){whole.data, whole.size})));
}

void zf_fg_resolve_poses(const zf_fg_reading *r, zf_fg_machine *m) {
    enum { UNSEEN, OPEN, DONE };
    const uint32_t count = m->poses.count;
    for (uint32_t i = 0; i < count; i++) {
        if (zf_fg_pose_at(m, i)->kind == ZF_FG_NAMED_POSE) {
            resolve_name(r, m, zf_fg_pose_at(m, i));
        }
    }
    uint8_t *seen = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *seen);
    uint32_t *order = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *order);
    step *way = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *way);
    uint32_t done = 0;
    if (zb_arena_failed(r->arena)) {
        return;
    }
    for (uint32_t root = 0; root < count; root++) {
        uint32_t depth = 0;
        if (seen[root] == UNSEEN) {
            way[depth++] = (step){root, 0};
            seen[root] = OPEN;
        }
        while (depth > 0) {
            step *at = &way[depth - 1];
            zf_fg_pose *pose = zf_fg_pose_at(m, at->pose);
            if (at->child == child_count(pose)) {
                seen[at->pose] = DONE;
                order[done++] = at->pose;
                depth--;
                continue;
            }
            const uint32_t child = at->child++ == 0 ? pose->a : pose->b;
            if (seen[child] == UNSEEN) {
                seen[child] = OPEN;
                way[depth++] = (step){child, 0};
            } else if (seen[child] == OPEN) { // only names lead back
                tell_cycle(r, m, way, depth, child, pose);
                pose->kind = ZF_FG_FAULTY_POSE;
                pose->a = ZP_FAULT_CYCLE;
                at->child = 0;
            }
        }
    }
    m->pose_order = order;
}

// --------------------------------------------------------------------------------------------------------- transitions

static void read_target(const zf_fg_reading *r, zf_fg_machine *m, uint32_t from_ref, uint32_t node) {
    zo_text name = {NULL, 0};
    if (!zf_fg_text(r, node, "a state that may follow", &name)) {
        return;
    }
    const uint32_t to_ref = zb_intern_find(&m->state_names, name);
    if (to_ref == 0) {
        zf_fg_advise(r, node, ZD_FORGE_TRANSITION_TO_UNKNOWN_STATE, ZD_ARGS(zf_fg_quoted(r, name)));
    } else if (from_ref != 0) {
        *(zf_fg_edge *)zb_array_push(&m->edges) = (zf_fg_edge){.from = from_ref - 1, .to = to_ref - 1, .node = node};
    }
}

static void read_transitions(const zf_fg_reading *r, zf_fg_machine *m, uint32_t node) {
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const uint32_t item = values[i];
        const zo_text name = zj_key(r->doc, item);
        const uint32_t from_ref = zb_intern_find(&m->state_names, name);
        if (zf_is(r->doc, item, ZJ_OBJECT)) { // then the key is "from -> to"
            zf_fg_other_dialect(r, item, "what may follow a state", "a name or an array of names");
            continue;
        }
        if (from_ref == 0) {
            zf_fg_advise_key(r, item, ZD_FORGE_TRANSITION_FROM_UNKNOWN_STATE, ZD_ARGS(zf_fg_quoted(r, name)));
        }
        if (zf_is(r->doc, item, ZJ_STRING)) {
            read_target(r, m, from_ref, item);
        } else if (zf_is(r->doc, item, ZJ_ARRAY)) {
            for (uint32_t to = zj_at(r->doc, item)->as.items.first; to != 0; to = zj_at(r->doc, to)->next) {
                read_target(r, m, from_ref, to);
            }
        } else {
            zf_fg_wrong_type(r, item, "what may follow a state", "a name or an array of names");
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- events

typedef struct judge {
    const zf_fg_reading *r;
    const zf_fg_machine *m;
    uint32_t *allowed;       // [state]: the last state that it may follow, from 1
    uint8_t *told;           // [pose]
    uint8_t *asks;           // [pose]: it asks for a state, or something in it does
    int64_t left;            // texts and poses that may still be looked at
} judge;

// The state that an event's text asks for; false: none.
bool zf_fg_wants_state(zo_text text, zo_text *name) {
    static const char head[] = "!transition:";
    const size_t size = sizeof head - 1;
    if (text.size < size || memcmp(text.data, head, size) != 0) {
        return false;
    }
    *name = (zo_text){text.data + size, text.size - size};
    return true;
}

// `node` lies in `doc`, which may be another file's.
static bool judge_text(const judge *j, const zj_doc *doc, uint32_t node, zo_text text, uint32_t state) {
    zo_text name = {NULL, 0};
    zf_fg_reading there = *j->r;
    there.doc = doc;
    if (!zf_fg_wants_state(text, &name)) {
        return true;
    }
    const uint32_t ref = zb_intern_find(&j->m->state_names, name);
    if (ref == 0) {
        zf_fg_tell_late(&there, node, ZD_FORGE_EVENT_TRANSITION_UNKNOWN_STATE, ZD_ARGS(zf_fg_quoted(&there, name)));
        return false;
    }
    if (j->allowed[ref - 1] != state + 1) {
        zf_fg_tell_late(&there, node, ZD_FORGE_EVENT_TRANSITION_NOT_ALLOWED,
                        ZD_ARGS(zf_fg_quoted(&there, name), zf_fg_quoted(&there, j->m->states[state].name)));
        return false;
    }
    return true;
}

static bool judge_pose(judge *j, const zf_fg_pose *pose, uint32_t state) {
    if (pose->kind == ZF_FG_TRIGGER) {
        return judge_text(j, j->r->doc, pose->node, pose->name, state);
    }
    if (pose->kind != ZF_FG_MODEL_CLIP || zf_fg_file_at(j->m, pose->file)->rig.doc == NULL) {
        return true;
    }
    const zf_fg_rig *rig = &zf_fg_file_at(j->m, pose->file)->rig;
    const uint32_t id = zb_intern_find(&rig->clip_names, pose->name);
    bool good = true;
    for (uint32_t i = 0; id != 0 && i < rig->clips[id - 1].event_count && j->left > 0; i++, j->left--) {
        const zf_fg_event *event = &rig->clips[id - 1].events[i];
        good = judge_text(j, rig->doc, event->node, event->text, state) && good;
    }
    return good;
}

static bool asks_for_state(const zf_fg_machine *m, const zf_fg_pose *pose) {
    zo_text name;
    if (pose->kind == ZF_FG_TRIGGER && zf_fg_wants_state(pose->name, &name)) {
        return true;
    }
    const zf_fg_rig *rig = pose->kind == ZF_FG_MODEL_CLIP ? &zf_fg_file_at(m, pose->file)->rig : NULL;
    const uint32_t id = rig != NULL && rig->doc != NULL ? zb_intern_find(&rig->clip_names, pose->name) : 0;
    bool asks = false;
    for (uint32_t i = 0; id != 0 && i < rig->clips[id - 1].event_count && !asks; i++) {
        asks = zf_fg_wants_state(rig->clips[id - 1].events[i].text, &name);
    }
    return asks;
}

// What stands in a pose comes before it.
static void find_asking(judge *j) {
    for (uint32_t i = 0; i < j->m->poses.count; i++) {
        const uint32_t at = j->m->pose_order[i];
        const zf_fg_pose *pose = zf_fg_pose_at(j->m, at);
        const uint32_t children[2] = {pose->a, pose->b}, count = child_count(pose);
        j->asks[at] = asks_for_state(j->m, pose) || (count > 0 && j->asks[children[0]]) ||
                      (count > 1 && j->asks[children[1]]);
    }
}

// By state the edges that leave it, sorted by counting: first[state] to first[state + 1] of the list.
static const uint32_t *sort_edges(const zf_fg_machine *m, zb_arena *arena, uint32_t **first) {
    *first = zb_arena_take_array(arena, (size_t)m->state_count + 2, sizeof **first);
    uint32_t *list = zb_arena_take_array(arena, (size_t)m->edges.count + 1, sizeof *list);
    for (uint32_t i = 0; i < m->edges.count && !zb_arena_failed(arena); i++) {
        (*first)[zf_fg_edge_at(m, i)->from + 2]++;
    }
    for (uint32_t state = 0; state < m->state_count && !zb_arena_failed(arena); state++) {
        (*first)[state + 2] += (*first)[state + 1];
    }
    for (uint32_t i = 0; i < m->edges.count && !zb_arena_failed(arena); i++) {
        list[(*first)[zf_fg_edge_at(m, i)->from + 1]++] = i;
    }
    return list;
}

// What each state's clip comes to is held against what may follow the state. Each trigger is told of once.
static void judge_events(const zf_fg_reading *r, const zf_fg_machine *m) {
    const size_t poses = (size_t)m->poses.count + 1;
    judge j = {.r = r, .m = m, .left = WALK_MAX,
               .allowed = zb_arena_take_array(r->arena, (size_t)m->state_count + 1, sizeof *j.allowed),
               .told = zb_arena_take_array(r->arena, poses, 1), .asks = zb_arena_take_array(r->arena, poses, 1)};
    uint32_t *seen = zb_arena_take_array(r->arena, poses, sizeof *seen); // by the state, from 1
    uint32_t *way = zb_arena_take_array(r->arena, poses, sizeof *way), *first = NULL;
    const uint32_t *edges = sort_edges(m, r->arena, &first);
    if (zb_arena_failed(r->arena) || m->pose_order == NULL) {
        return;
    }
    find_asking(&j);
    for (uint32_t state = 0; state < m->state_count; state++) {
        const uint32_t clip_ref = m->states[state].clip_ref, root = clip_ref != 0 ? m->clips[clip_ref - 1].pose : 0;
        if (clip_ref == 0 || !j.asks[root]) {
            continue;
        }
        for (uint32_t i = first[state]; i < first[state + 1]; i++) {
            j.allowed[zf_fg_edge_at(m, edges[i])->to] = state + 1;
        }
        uint32_t depth = 0;
        way[depth++] = root;
        seen[root] = state + 1;
        while (depth > 0 && j.left-- > 0) {
            const uint32_t at = way[--depth];
            const zf_fg_pose *pose = zf_fg_pose_at(m, at);
            if (!j.told[at] && !judge_pose(&j, pose, state)) {
                j.told[at] = 1;
            }
            const uint32_t children[2] = {pose->a, pose->b};
            for (uint32_t i = 0; i < child_count(pose); i++) {
                if (j.asks[children[i]] && seen[children[i]] != state + 1) {
                    seen[children[i]] = state + 1;
                    way[depth++] = children[i];
                }
            }
        }
        if (j.left <= 0) { // in the midst of this one
            zf_fg_tell(r, m->states[state].node, ZD_FORGE_EVENTS_NOT_JUDGED,
                       ZD_ARGS(zf_fg_quoted(r, m->states[state].name)));
            return;
        }
    }
}

void zf_fg_check_special(const zf_fg_reading *r, uint32_t node, zo_text text) {
    zo_text name;
    if (text.size > 0 && text.data[0] == '!' && !zf_fg_wants_state(text, &name)) {
        zf_fg_tell(r, node, ZD_FORGE_UNKNOWN_SPECIAL_EVENT, ZD_ARGS(zf_fg_quoted(r, text)));
    }
}

// ------------------------------------------------------------------------------------------------------------- machine

zf_fg_machine zf_fg_machine_open(const zf_fg_reading *r) {
    return (zf_fg_machine){
        .doc = r->doc, .kind = r->kind, .exprs = zf_fg_exprs_open(r->arena),
        .poses = zb_array_open(r->arena, sizeof(zf_fg_pose)), .edges = zb_array_open(r->arena, sizeof(zf_fg_edge)),
        .files = zb_array_open(r->arena, sizeof(zf_fg_file)), .clip_names = zb_intern_open(r->arena),
        .state_names = zb_intern_open(r->arena), .file_names = zb_intern_open(r->arena)};
}

void zf_fg_read_machine(const zf_fg_reading *r, zf_fg_machine *m) {
    zf_fields f;
    *m = zf_fg_machine_open(r);
    if (!zf_fg_open(r, &f, ZJ_ROOT, &zf_fg_machine_object, "the file")) {
        return;
    }
    static const char *const what[] = {"parameters", "clips", "states", "transitions"};
    bool good[4];
    for (uint32_t i = FG_PARAMETERS; i <= FG_TRANSITIONS; i++) {
        good[i] = f.nodes[i] != 0 && zf_fg_is(r, f.nodes[i], i == FG_STATES ? ZJ_ARRAY : ZJ_OBJECT, what[i]);
    }
    if (good[FG_PARAMETERS]) {
        read_parameters(r, m, f.nodes[FG_PARAMETERS]);
    }
    m->exprs.parameter_ops = m->exprs.ops.count;
    if (good[FG_CLIPS]) {
        read_clips(r, m, f.nodes[FG_CLIPS]);
    }
    if (good[FG_STATES]) {
        zf_fg_read_states(r, m, f.nodes[FG_STATES]);
    }
    if (good[FG_TRANSITIONS] && good[FG_STATES]) {
        read_transitions(r, m, f.nodes[FG_TRANSITIONS]);
    }
    zo_text start = {NULL, 0};
    if (good[FG_STATES] && zf_fg_member_text(r, &f, FG_START_STATE, &start)) {
        const uint32_t ref = zb_intern_find(&m->state_names, start);
        m->start = ref != 0 ? ref - 1 : 0;
        if (ref == 0) {
            zf_fg_tell(r, f.nodes[FG_START_STATE], ZD_FORGE_UNKNOWN_START_STATE, ZD_ARGS(zf_fg_quoted(r, start)));
        }
    }
    zf_fg_resolve(r, &m->exprs);
    zf_fg_resolve_poses(r, m);
    zf_fg_read_files(r, m);
    for (uint32_t i = 0; i < m->poses.count; i++) {
        if (zf_fg_pose_at(m, i)->kind == ZF_FG_TRIGGER) {
            zf_fg_check_special(r, zf_fg_pose_at(m, i)->node, zf_fg_pose_at(m, i)->name);
        }
    }
    judge_events(r, m);
}
