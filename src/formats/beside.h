// The sources after the first, by their names in the pack: below the folder of the first one where they lie there.
// What is not among them can be asked for (ZO_NEEDS). Called by the readers of formats that are made of several files.
// Which files there are, and where, is the caller's affair: here are names only.
#ifndef ZF_BESIDE_H
#define ZF_BESIDE_H

#include "base/intern.h"
#include "formats/formats.h"

typedef struct zf_beside {
    const zf_input *input;
    zb_intern names;
    const uint32_t *sources; // [count of names]: index into the input's sources, by id - 1
} zf_beside;

zf_beside zf_beside_open(const zf_input *input); // in the input's arena

// A file by its name in the pack. FILE or MISSING; NULL: nobody said.
const zo_source *zf_beside_find(const zf_beside *beside, zo_text name);
// Asks for it, unless somebody has said.
void zf_beside_need(const zf_beside *beside, zo_text name, zo_need_kind kind);
// Whether the host says that it has a picture of this name, so that no file of it is wanted.
bool zf_beside_is_supplied(const zf_input *input, zo_text name);
// How a source is called in the pack.
zo_text zf_beside_name(const zf_input *input, const char *name);

#endif
