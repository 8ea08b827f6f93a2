// Definitions stored before the format's rules of August 2026, mended as petween itself mends them when it loads its
// library: waits below 1 ms, tracks that ambient animations may no longer have, times that stand twice. Called by api.
// Makes edits by byte range and judges nothing else; whether the result is valid is for the reader.
#include "formats/petween_fields.h"
#include "formats/petween_library.h"

typedef struct mender {
    zb_arena *arena;
    const zj_doc *doc;
    zb_array edits; // zo_edit, rising
} mender;

static void put_edit(mender *m, size_t begin, size_t end, zo_text insert) {
    zo_edit *edit = zb_array_push(&m->edits);
    *edit = (zo_edit){begin, end - begin, insert.data, insert.size};
}

// Takes an item out of its array. `kept`: an item before it stays. With each of several taken out so, commas come
// right.
static void take_out(mender *m, uint32_t before, uint32_t item, bool kept) {
    const zj_node *node = zj_at(m->doc, item);
    if (kept) {
        put_edit(m, zj_at(m->doc, before)->end, node->end, (zo_text){NULL, 0});
    } else {
        put_edit(m, node->begin, node->next != 0 ? zj_at(m->doc, node->next)->begin : node->end, (zo_text){NULL, 0});
    }
}

static bool is_word(const mender *m, uint32_t object, const zf_field *field, uint32_t word) {
    zo_text text = {NULL, 0};
    return zf_text(m->doc, zj_member(m->doc, object, zf_name_text(field->name)), &text) &&
           zf_name_is(&field->words[word], text);
}

static uint32_t member(const mender *m, uint32_t object, const zf_field *field) {
    return zf_is(m->doc, object, ZJ_OBJECT) ? zj_member(m->doc, object, zf_name_text(field->name)) : 0;
}

// Of equal times the first stays. By sorting, so that a hostile file costs no more than its size.
static void mend_keyframes(mender *m, uint32_t array) {
    if (!zf_is(m->doc, array, ZJ_ARRAY)) {
        return;
    }
    const uint32_t count = zj_at(m->doc, array)->as.items.count;
    double *times = zb_arena_take_array(m->arena, count, sizeof *times);
    bool *again = zb_arena_take_array(m->arena, count, sizeof *again);
    if (times == NULL || again == NULL) {
        return;
    }
    const zf_field *at = &zf_pt_keyframe_object.fields[KEY_AT];
    uint32_t index = 0;
    for (uint32_t key = zj_at(m->doc, array)->as.items.first; key != 0; key = zj_at(m->doc, key)->next) {
        if (!zf_number(m->doc, member(m, key, at), &times[index])) {
            times[index] = -1.0 - index; // like no other
        }
        times[index++] += 0.0;
    }
    const uint32_t *order = zf_sorted(m->arena, times, count);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t one = order != NULL ? order[i - 1] : i - 1, other = order != NULL ? order[i] : i;
        again[other] = times[one] == times[other] && times[other] >= 0.0;
    }
    uint32_t before = 0;
    index = 0;
    for (uint32_t key = zj_at(m->doc, array)->as.items.first; key != 0; key = zj_at(m->doc, key)->next) {
        if (again[index++]) {
            take_out(m, before, key, true); // the first of them stays, before it
        }
        before = key;
    }
}

static bool is_transition_track(const mender *m, uint32_t track) {
    zo_text property = {NULL, 0};
    return zf_text(m->doc, member(m, track, &zf_pt_track_object.fields[PROPERTY]), &property) &&
           zf_word(zf_pt_properties, ZF_PT_PROPERTY_COUNT, property) < ZF_PT_TRANSITION_PROPERTY_COUNT;
}

static void mend_tracks(mender *m) {
    const uint32_t array = member(m, ZJ_ROOT, &zf_pt_definition_object.fields[TRACKS]);
    if (!zf_is(m->doc, array, ZJ_ARRAY)) {
        return;
    }
    const bool ambient = is_word(m, ZJ_ROOT, &zf_pt_definition_object.fields[KIND], ZF_PT_AMBIENT);
    uint32_t before = 0;
    bool kept = false;
    for (uint32_t track = zj_at(m->doc, array)->as.items.first; track != 0; track = zj_at(m->doc, track)->next) {
        if (ambient && is_transition_track(m, track)) {
            take_out(m, before, track, kept);
        } else {
            mend_keyframes(m, member(m, track, &zf_pt_track_object.fields[KEYFRAMES]));
            kept = true;
        }
        before = track;
    }
}

static void mend_delays(mender *m) {
    const uint32_t repeat = member(m, ZJ_ROOT, &zf_pt_definition_object.fields[REPEAT]);
    const zf_field *fields = zf_pt_repeat_object.fields;
    if (!zf_is(m->doc, repeat, ZJ_OBJECT) || !is_word(m, repeat, &fields[MODE], ZF_PT_RANDOM_INTERVAL)) {
        return;
    }
    const uint32_t nodes[2] = {member(m, repeat, &fields[MIN_DELAY_MS]), member(m, repeat, &fields[MAX_DELAY_MS])};
    double low = 0.0, high = 0.0;
    if (!zf_number(m->doc, nodes[0], &low) || !zf_number(m->doc, nodes[1], &high)) {
        return;
    }
    zo_text low_text = zj_source(m->doc, nodes[0]);
    const bool raised = low < 1.0;
    if (raised) {
        low = 1.0;
        low_text = ZB_TEXT("1");
    }
    const bool max_first = nodes[1] < nodes[0]; // edits rise
    for (uint32_t i = 0; i < 2; i++) {
        const bool is_max = max_first == (i == 0);
        const zj_node *node = zj_at(m->doc, nodes[is_max ? 1 : 0]);
        if (is_max ? high < low : raised) {
            put_edit(m, node->begin, node->end, low_text);
        }
    }
}

const zo_edit *zf_pt_mend(zb_arena *arena, const zj_doc *doc, uint32_t *count) {
    mender m = {.arena = arena, .doc = doc, .edits = zb_array_open(arena, sizeof(zo_edit))};
    const uint32_t repeat = member(&m, ZJ_ROOT, &zf_pt_definition_object.fields[REPEAT]);
    const uint32_t tracks = member(&m, ZJ_ROOT, &zf_pt_definition_object.fields[TRACKS]);
    if (repeat < tracks) { // whichever stands first in the text
        mend_delays(&m);
        mend_tracks(&m);
    } else {
        mend_tracks(&m);
        mend_delays(&m);
    }
    *count = zb_arena_failed(arena) ? 0 : m.edits.count;
    return (const zo_edit *)(void *)m.edits.items;
}
