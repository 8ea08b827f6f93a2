// Edits by byte range: whether a list of them is in order, what comes out, and the list that undoes it. Called by
// zo_document and by whatever mends or converts files. Knows bytes only: whether the result is JSON is for the caller.
#ifndef ZJ_EDIT_H
#define ZJ_EDIT_H

#include <zoetrope/document.h>

#include "base/base.h"

// Whether the edits are sorted, within `size` bytes and apart from each other (they may touch, and several insertions
// may stand at one place: they come out in their order). *new_size: bytes of the result.
bool zj_edits_fit(const zo_edit *edits, uint32_t edit_count, size_t size, size_t *new_size);

// Writes the result; the edits fit and `result` has the room that zj_edits_fit found.
void zj_edits_apply(const zo_edit *edits, uint32_t edit_count, const char *bytes, size_t size, char *result);

// The edits that lead from the result back to `bytes`; their texts are pieces of `bytes`. `inverse` may be `edits`.
void zj_edits_invert(const zo_edit *edits, uint32_t edit_count, const char *bytes, zo_edit *inverse);

#endif
