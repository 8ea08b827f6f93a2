// Edits by byte range, see edit.h. Called by zo_document; must not know what the bytes mean.
#include "json/edit.h"

bool zj_edits_fit(const zo_edit *edits, uint32_t edit_count, size_t size, size_t *new_size) {
    size_t end = 0, total = size;
    for (uint32_t i = 0; i < edit_count; i++) {
        const zo_edit *const e = &edits[i];
        if (e->offset < end || e->offset > size || e->remove > size - e->offset) { return false; }
        if (e->insert == NULL && e->insert_size != 0) { return false; }
        end = e->offset + e->remove;
        total -= e->remove; // disjoint parts of `size`, but texts came in between: never below zero
        if (!zb_add_size(total, e->insert_size, &total)) { return false; }
    }
    *new_size = total;
    return true;
}

static char *put(char *out, const char *bytes, size_t size) {
    if (size != 0) { memcpy(out, bytes, size); }
    return out + size;
}

void zj_edits_apply(const zo_edit *edits, uint32_t edit_count, const char *bytes, size_t size, char *result) {
    size_t done = 0; // bytes of the old text that are dealt with
    for (uint32_t i = 0; i < edit_count; i++) {
        ZO_ASSERT(edits[i].offset >= done);
        result = put(result, bytes + done, edits[i].offset - done);
        result = put(result, edits[i].insert, edits[i].insert_size);
        done = edits[i].offset + edits[i].remove;
    }
    ZO_ASSERT(done <= size);
    put(result, bytes + done, size - done);
}

void zj_edits_invert(const zo_edit *edits, uint32_t edit_count, const char *bytes, zo_edit *inverse) {
    size_t inserted = 0, removed = 0; // so far: a place moves by their difference
    for (uint32_t i = 0; i < edit_count; i++) {
        const zo_edit e = edits[i];
        inverse[i] = (zo_edit){
            .offset = e.offset - removed + inserted,
            .remove = e.insert_size,
            .insert = bytes + e.offset,
            .insert_size = e.remove,
        };
        inserted += e.insert_size;
        removed += e.remove;
    }
}
