// Libraries of definitions: the plan of an import and the text of an export. Called by api. Knows packs and texts, and
// nothing of where a library is kept.
#ifndef ZF_PETWEEN_LIBRARY_H
#define ZF_PETWEEN_LIBRARY_H

#include <zoetrope/library.h>

#include "formats/formats.h"

// The whole of zo_pack_plan behind the argument checks. What the plan refers to is made in `kept`.   petween_plan.c
zo_status zf_pt_plan(const zo_source *source, const zo_library_item *library, uint32_t library_count,
                     const zo_compile_def *def, zb_arena *kept, zo_plan *plan, zd_report *report);

// The whole of zo_pack_export behind the argument checks.                                          petween_export.c
zo_status zf_pt_export(const zo_library_item *library, uint32_t library_count, zo_text ids, zo_text name,
                       zb_arena *kept, zo_pack *pack);

// The edits that make a definition of older rules one of today's, in the arena; 0 of them: there is nothing that can be
// mended. They rise and lie apart.                                                                petween_repair.c
const zo_edit *zf_pt_mend(zb_arena *arena, const zj_doc *doc, uint32_t *count);

#endif
