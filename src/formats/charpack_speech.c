// Speech and mouths of a pack to the program: a shut mouth over each clip whose mouth is followed, the nodes that
// follow speech, and what the director of speech knows of labels. Called by charpack_compile.c, with the lists of
// speech as charpack_speech_read.c has read them.
#include "base/buffer.h"
#include "base/maths.h"
#include "formats/charpack.h"

#define AFTER_NS_MIN 40000000 // what follows an intent stays so long at least
#define REACH 1.8             // how much wider than the mouth the ellipse is
#define SWELL 1.5             // how much higher an open mouth makes it

typedef struct compiler {
    const zf_cp_pack *pack;
    const zf_cp_speech *speech;
    zp_build *build;
    zb_intern voices;        // voice + 1 by label, sorted by bytes
    uint8_t *roles;          // [voices]: bit of zf_cp_role
    uint32_t *group_refs;    // [voices]: group + 1, the first that has it
    uint32_t *intent_refs;   // [voices]: intent + 1
    uint8_t *flags;          // [voices]: of ZP_VOICE_...
    uint32_t *overlay_refs;  // [voices]: overlay + 1
    zb_intern intents;       // intent + 1 by name
    zb_intern node_labels;   // label + 1 of nodes
    zb_array first_nodes;    // uint32_t, by label: the first node that has it
    zb_array node_voices;    // uint32_t, by node
} compiler;

// Names in programs end at a zero byte.
static zo_text until_zero(zo_text text) {
    const char *zero = text.size > 0 ? memchr(text.data, 0, text.size) : NULL;
    return (zo_text){text.data, zero != NULL ? (size_t)(zero - text.data) : text.size};
}

static uint32_t voice_ref(const compiler *c, zo_text label) { return zb_intern_find(&c->voices, until_zero(label)); }

// -------------------------------------------------------------------------------------------------------------- labels

static void note(zb_intern *labels, zo_text label) {
    if (until_zero(label).size > 0) {
        zb_intern_id(labels, until_zero(label));
    }
}

static void note_all(zb_intern *labels, const zf_cp_labels *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        note(labels, list->items[i]);
    }
}

static bool sort_voices(compiler *c) {
    zb_arena *arena = c->pack->arena;
    zb_intern labels = zb_intern_open(arena);
    for (uint32_t i = 0; i < c->pack->graph.node_count; i++) {
        zb_intern_id(&labels, until_zero(c->pack->graph.nodes[i].label)); // any: every node has a voice
    }
    for (uint32_t i = 0; i < c->speech->group_count; i++) {
        note(&labels, c->speech->groups[i].after);
        for (uint32_t role = 0; role < ZF_CP_ROLE_COUNT; role++) {
            note_all(&labels, &c->speech->groups[i].roles[role]);
        }
    }
    note(&labels, c->speech->entry);
    note(&labels, c->speech->other);
    note_all(&labels, &c->speech->other_from);
    for (uint32_t i = 0; i < c->speech->alias_count; i++) {
        note(&labels, c->speech->aliases[i].label);
    }
    const uint32_t count = zb_intern_count(&labels);
    zo_text *texts = zb_arena_take_array(arena, (size_t)count + 1, sizeof *texts);
    for (uint32_t i = 0; i < count && texts != NULL; i++) {
        texts[i] = zb_intern_text(&labels, i + 1);
    }
    const zo_text *sorted = texts != NULL ? zf_sorted_texts(arena, texts, count, zb_text_order) : NULL;
    c->voices = zb_intern_open(arena);
    for (uint32_t i = 0; i < count && sorted != NULL; i++) {
        zb_intern_id(&c->voices, sorted[i]);
    }
    c->roles = zb_arena_take_array(arena, (size_t)count + 1, sizeof *c->roles);
    c->flags = zb_arena_take_array(arena, (size_t)count + 1, sizeof *c->flags);
    c->group_refs = zb_arena_take_array(arena, (size_t)count + 1, sizeof *c->group_refs);
    c->intent_refs = zb_arena_take_array(arena, (size_t)count + 1, sizeof *c->intent_refs);
    c->overlay_refs = zb_arena_take_array(arena, (size_t)count + 1, sizeof *c->overlay_refs);
    return !zb_arena_failed(arena);
}

static void judge_label(compiler *c, uint32_t group, zf_cp_role role, zo_text label) {
    const uint32_t ref = voice_ref(c, label);
    if (ref == 0) {
        return; // nothing is left of it
    }
    const zo_text intent = c->speech->groups[group].intent;
    const uint32_t voice = ref - 1;
    c->roles[voice] |= (uint8_t)(1u << role);
    c->group_refs[voice] = c->group_refs[voice] != 0 ? c->group_refs[voice] : group + 1;
    if (intent.size > 0 && c->intent_refs[voice] == 0) {
        c->intent_refs[voice] = zb_intern_id(&c->intents, intent);
    }
    if (role != ZF_CP_MEANING) {
        c->flags[voice] |= ZP_VOICE_PERFORMS | (intent.size == 0 ? ZP_VOICE_PLAIN : 0);
    }
    c->flags[voice] |= role == ZF_CP_ENTRY ? ZP_VOICE_WAITS : 0;
}

enum { ASKED_FOR = ZF_CP_ROLE_COUNT }; // a bit of `roles` more: by another word, or when speech begins

static void note_asked(compiler *c, zo_text label) {
    const uint32_t ref = voice_ref(c, label);
    if (ref != 0) {
        c->roles[ref - 1] |= (uint8_t)(1u << ASKED_FOR);
    }
}

static void judge_labels(compiler *c) {
    c->intents = zb_intern_open(c->pack->arena);
    for (uint32_t i = 0; i < c->speech->group_count; i++) {
        for (uint32_t role = 0; role < ZF_CP_ROLE_COUNT; role++) {
            const zf_cp_labels *list = &c->speech->groups[i].roles[role];
            for (uint32_t k = 0; k < list->count; k++) {
                judge_label(c, i, (zf_cp_role)role, list->items[k]);
            }
        }
    }
    note_asked(c, c->speech->entry);
    note_asked(c, c->speech->other);
    for (uint32_t i = 0; i < c->speech->alias_count; i++) {
        note_asked(c, c->speech->aliases[i].label);
    }
    for (uint32_t i = 0; i < c->speech->other_from.count; i++) {
        const uint32_t ref = voice_ref(c, c->speech->other_from.items[i]);
        if (ref != 0) {
            c->flags[ref - 1] |= ZP_VOICE_OTHER;
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- mouths

static double bounded(double value) { return zb_clamp(value, -ZP_OVERLAY_FAR, ZP_OVERLAY_FAR); }

static bool is_followed(const compiler *c, zo_text label) { // its mouth, while it speaks
    const uint32_t ref = voice_ref(c, label);
    return ref != 0 && (c->roles[ref - 1] & (1u << ZF_CP_ENTRY | 1u << ZF_CP_SPEAKING | 1u << ZF_CP_EXIT)) ==
                           1u << ZF_CP_SPEAKING;
}

static zf_cp_shut shut_of(const compiler *c, zo_text label) {
    const uint32_t ref = zb_intern_find(&c->speech->shut_labels, label);
    return ref != 0 ? c->speech->shuts[ref - 1] : zf_cp_usual_shut();
}

// The frame whose mouth is least open, of equals the first.
static uint32_t rest_frame(const zf_cp_profile *profile, uint32_t frame_count) {
    const uint32_t known = profile->openness_count < frame_count ? profile->openness_count : frame_count;
    uint32_t best = 0;
    bool any = false;
    for (uint32_t i = 0; i < known; i++) {
        if (!zb_is_nan(profile->openness[i]) && (!any || profile->openness[i] < profile->openness[best])) {
            best = i;
            any = true;
        }
    }
    return best;
}

static uint32_t build_anchors(const compiler *c, const zf_cp_area *areas, uint32_t count) {
    double *numbers = zb_arena_take_array(c->pack->arena, (size_t)count + 1, 4 * sizeof *numbers);
    for (uint32_t i = 0; i < count && numbers != NULL; i++) {
        const double area[4] = {bounded(areas[i].cx), bounded(areas[i].cy), bounded(areas[i].width),
                                bounded(areas[i].height)};
        memcpy(&numbers[4 * (size_t)i], area, sizeof area);
    }
    return numbers != NULL && !zb_arena_failed(c->pack->arena) ? zp_build_numbers(c->build, numbers, 4 * count) : 0;
}

static uint32_t build_overlay(const compiler *c, uint32_t clip_index, const zf_cp_profile *profile) {
    const zf_cp_clip *clip = &c->pack->clips[clip_index];
    const zf_cp_shut shut = shut_of(c, clip->label);
    const uint32_t *frames = (const uint32_t *)(const void *)c->pack->frames.items + profile->first_frame;
    const zf_cp_area *track = profile->track_count > 0 ? profile->track : &profile->area;
    const uint32_t track_count = profile->track_count > 0 ? profile->track_count : 1;
    const double source[2] = {bounded(profile->overlay.cx), bounded(profile->overlay.cy)};
    double *levels = zb_arena_take_array(c->pack->arena, profile->frame_count, sizeof *levels); // all shut
    if (levels == NULL || zb_arena_failed(c->pack->arena)) {
        return 0;
    }
    return zp_build_overlay(c->build, &(zp_overlay){
        .name = zp_build_name(c->build, clip->label), .clip = clip_index, .rule = ZP_OVERLAY_QUIET,
        .flags = shut.on_canvas ? ZP_OVERLAY_ALIGNED : 0,
        .first_cel = zp_build_words(c->build, frames, profile->frame_count), .cel_count = profile->frame_count,
        .levels = zp_build_numbers(c->build, levels, profile->frame_count),
        .anchors = build_anchors(c, track, track_count), .anchor_count = track_count,
        .sources = zp_build_numbers(c->build, source, 2), .source_count = 1,
        .rest_frame = rest_frame(profile, clip->frame_count), .threshold = shut.threshold, .open = shut.open,
        .swell = SWELL, .reach = {REACH * shut.width, shut.height}, .shift = shut.shift});
}

// Clips and profiles go by the same names; a clip that no label of speech has is left alone.
static void build_overlays(const compiler *c) {
    const zf_cp_mouth *mouth = &c->pack->mouth;
    uint32_t *profile_refs = zb_arena_take_array(c->pack->arena, c->pack->clip_count, sizeof *profile_refs);
    for (uint32_t i = 0; i < mouth->profile_count && profile_refs != NULL; i++) {
        const zf_cp_profile *profile = &mouth->profiles[i];
        const uint32_t clip_ref = zb_intern_find(&c->pack->clip_names, profile->label);
        if (clip_ref != 0 && profile->mouth_set_ref != 0 && profile->frame_count > 0) {
            profile_refs[clip_ref - 1] = i + 1;
        }
    }
    for (uint32_t i = 0; i < c->pack->clip_count && profile_refs != NULL; i++) {
        const zo_text label = c->pack->clips[i].label;
        if (profile_refs[i] != 0 && is_followed(c, label)) {
            const uint32_t overlay = build_overlay(c, i, &mouth->profiles[profile_refs[i] - 1]);
            c->overlay_refs[voice_ref(c, label) - 1] = overlay + 1;
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- nodes

static void note_node(compiler *c, uint32_t node, zo_text label) {
    const uint32_t known = zb_intern_count(&c->node_labels);
    if (zb_intern_id(&c->node_labels, until_zero(label)) > known) {
        *(uint32_t *)zb_array_push(&c->first_nodes) = node;
    }
    *(uint32_t *)zb_array_push(&c->node_voices) = voice_ref(c, label) - 1;
}

// Whether any node has a label that means something here. Notes them.
static bool note_nodes(compiler *c) {
    bool concerned = false;
    c->node_labels = zb_intern_open(c->pack->arena);
    c->first_nodes = zb_array_open(c->pack->arena, sizeof(uint32_t));
    c->node_voices = zb_array_open(c->pack->arena, sizeof(uint32_t));
    for (uint32_t i = 0; i < c->pack->graph.node_count; i++) {
        const zo_text label = c->pack->graph.nodes[i].label;
        note_node(c, i, label);
        const uint32_t ref = voice_ref(c, label);
        concerned = concerned || (ref != 0 && c->roles[ref - 1] != 0);
    }
    return concerned;
}

// The first node with the label; 0: none.
static uint32_t node_ref(const compiler *c, zo_text label) {
    const uint32_t id = zb_intern_find(&c->node_labels, until_zero(label));
    return id != 0 && label.size > 0 ? ((const uint32_t *)(const void *)c->first_nodes.items)[id - 1] + 1 : 0;
}

// What follows speech may be a clip that no node of the pack plays: then it has one, which leads back to the root.
static void build_node_after(compiler *c, zo_text label, const zp_state *like, const uint32_t *plays) {
    const uint32_t clip_ref = zb_intern_find(&c->pack->clip_names, label);
    if (clip_ref == 0 || node_ref(c, label) != 0) {
        return;
    }
    zb_buffer name = zb_buffer_open(c->pack->arena);
    zb_put(&name, "__runtime_post_");
    zb_put_text(&name, label);
    zp_state state = *like;
    state.name = zp_build_name(c->build, (zo_text){name.data, name.size});
    state.group = zp_build_name(c->build, label);
    state.first_play = plays[clip_ref - 1];
    const uint32_t node = zp_build_state(c->build, &state);
    zp_build_edge(c->build, &(zp_edge){.from_ref = node + 1, .to = c->pack->graph.root, .when = ZP_WHEN_COMPLETE,
                                       .weight = 1.0});
    note_node(c, node, label);
}

// ------------------------------------------------------------------------------------------------------- the director

// All labels of a group, itself among them: WORDS.
static uint32_t build_others(const compiler *c, const zf_cp_group *group, uint32_t *count) {
    zb_array names = zb_array_open(c->pack->arena, sizeof(uint32_t));
    for (uint32_t role = 0; role < ZF_CP_ROLE_COUNT; role++) {
        for (uint32_t i = 0; i < group->roles[role].count; i++) {
            *(uint32_t *)zb_array_push(&names) = zp_build_name(c->build, group->roles[role].items[i]);
        }
    }
    *count = names.count;
    return zb_arena_failed(c->pack->arena) ? 0
                                           : zp_build_words(c->build, (const uint32_t *)(const void *)names.items,
                                                            names.count);
}

static void build_voices(const compiler *c) {
    typedef struct others { uint32_t first, count; } others;
    others *lists = zb_arena_take_array(c->pack->arena, (size_t)c->speech->group_count + 1, sizeof *lists);
    if (lists == NULL) {
        return;
    }
    for (uint32_t i = 0; i < c->speech->group_count; i++) {
        lists[i + 1].first = build_others(c, &c->speech->groups[i], &lists[i + 1].count);
    }
    for (uint32_t i = 0; i < zb_intern_count(&c->voices); i++) {
        const others *list = &lists[c->group_refs[i]];
        zp_build_voice(c->build, &(zp_voice){
            .name = zp_build_name(c->build, zb_intern_text(&c->voices, i + 1)), .flags = c->flags[i],
            .intent_ref = c->intent_refs[i], .first_other = list->first, .other_count = list->count,
            .overlay_ref = c->overlay_refs[i]});
    }
}

// Of several groups with one intent the first that says something counts.
static void build_intents(const compiler *c) {
    const uint32_t count = zb_intern_count(&c->intents);
    for (uint32_t i = 1; i <= count; i++) {
        zp_intent intent = {.name = zp_build_name(c->build, zb_intern_text(&c->intents, i))};
        for (uint32_t k = c->speech->group_count; k > 0; k--) {
            const zf_cp_group *group = &c->speech->groups[k - 1];
            if (!zb_text_equal(group->intent, zb_intern_text(&c->intents, i))) {
                continue;
            }
            const zf_cp_labels *entries = &group->roles[ZF_CP_ENTRY];
            intent.entry_ref = entries->count > 0 ? voice_ref(c, entries->items[0]) : intent.entry_ref;
            intent.after_ref = group->after.size > 0 ? node_ref(c, group->after) : intent.after_ref;
        }
        zp_build_intent(c->build, &intent);
    }
}

static void build_aliases(const compiler *c) {
    zb_arena *arena = c->pack->arena;
    zb_intern words = zb_intern_open(arena);
    zo_text *texts = zb_arena_take_array(arena, (size_t)c->speech->alias_count + 1, sizeof *texts);
    uint32_t *meant = zb_arena_take_array(arena, (size_t)c->speech->alias_count + 1, sizeof *meant);
    for (uint32_t i = 0; i < c->speech->alias_count && texts != NULL && meant != NULL; i++) {
        const zf_cp_pair *alias = &c->speech->aliases[i];
        const uint32_t ref = voice_ref(c, alias->label);
        const uint32_t id = ref != 0 && until_zero(alias->name).size > 0 ? zb_intern_id(&words, until_zero(alias->name))
                                                                         : 0;
        if (id != 0) { // of a repeated word the last counts
            texts[id - 1] = zb_intern_text(&words, id);
            meant[id - 1] = ref - 1;
        }
    }
    const uint32_t count = zb_intern_count(&words);
    const zo_text *sorted = texts != NULL ? zf_sorted_texts(arena, texts, count, zb_text_order) : NULL;
    for (uint32_t i = 0; i < count && sorted != NULL && !zb_arena_failed(arena); i++) {
        zp_build_alias(c->build, &(zp_alias){zp_build_name(c->build, sorted[i]),
                                             meant[zb_intern_find(&words, sorted[i]) - 1]});
    }
}

static void build_director(const compiler *c) {
    const zf_cp_speech *speech = c->speech;
    const bool has_other = node_ref(c, speech->other) != 0;
    zp_build_director(c->build, &(zp_director){.kind = ZP_DIRECTOR_SPEECH});
    zp_build_speech(c->build, &(zp_speech){
        .voices = zp_build_words(c->build, (const uint32_t *)(const void *)c->node_voices.items, c->node_voices.count),
        .entry_ref = voice_ref(c, speech->entry), .other_ref = has_other ? voice_ref(c, speech->other) : 0,
        .other_chance = speech->other_chance, .hold_ns = speech->hold_ns, .after_ns_min = AFTER_NS_MIN});
    build_voices(c);
    build_intents(c);
    build_aliases(c);
}

void zf_cp_build_speech(const zf_cp_pack *pack, zp_build *build, const zp_state *state, const uint32_t *plays) {
    compiler c = {.pack = pack, .speech = &pack->speech, .build = build};
    if (!sort_voices(&c)) {
        return;
    }
    judge_labels(&c);
    build_overlays(&c);
    if (!note_nodes(&c)) {
        return;
    }
    for (uint32_t i = 0; i < pack->speech.group_count; i++) {
        build_node_after(&c, pack->speech.groups[i].after, state, plays);
    }
    if (!zb_arena_failed(pack->arena)) {
        build_director(&c);
    }
}
