// Plans of imports and packs of exports as objects of the caller's. Public functions; the work is done in the formats
// layer.
#include <zoetrope/library.h>

#include "formats/petween_library.h"

// What is handed out comes first, so that its address is the whole's.
typedef struct owned_plan {
    zo_plan plan;
    zb_arena arena;
} owned_plan;

typedef struct owned_pack {
    zo_pack pack;
    zb_arena arena;
} owned_pack;

static void *take(const zo_allocator *allocator, size_t size) {
    const zo_allocator memory = zb_allocator_or_default(allocator);
    return memory.alloc(memory.context, size);
}

static void give(zb_arena *arena, void *whole, size_t size) {
    const zo_allocator memory = arena->allocator;
    zb_arena_close(arena);
    memory.free(memory.context, whole, size);
}

zo_status zo_pack_plan(const zo_source *pack, const zo_library_item *library, uint32_t library_count,
                       const zo_compile_def *def, zo_plan **plan, zo_report **report) {
    static const zo_compile_def default_def;
    ZO_ASSERT(pack != NULL);
    ZO_ASSERT(pack->name != NULL);
    ZO_ASSERT(library != NULL || library_count == 0);
    ZO_ASSERT(plan != NULL);
    *plan = NULL;
    if (report != NULL) { *report = NULL; }
    def = def != NULL ? def : &default_def;
    zd_report *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    owned_plan *owned = take(def->allocator, sizeof *owned);
    if (work == NULL || owned == NULL) {
        zd_report_close(work);
        if (owned != NULL) {
            owned->arena = zb_arena_open(def->allocator);
            give(&owned->arena, owned, sizeof *owned);
        }
        return ZO_NO_MEMORY;
    }
    *owned = (owned_plan){.arena = zb_arena_open(def->allocator)};
    const zo_status status = zf_pt_plan(pack, library, library_count, def, &owned->arena, &owned->plan, work);
    zd_report_finish(work);
    if (report != NULL) {
        *report = work;
    } else {
        zd_report_close(work);
    }
    if (status == ZO_OK) {
        *plan = &owned->plan;
    } else {
        give(&owned->arena, owned, sizeof *owned);
    }
    return status;
}

void zo_plan_free(zo_plan *plan) {
    if (plan == NULL) { return; }
    owned_plan *owned = (owned_plan *)(void *)plan;
    give(&owned->arena, owned, sizeof *owned);
}

zo_status zo_pack_export(const zo_library_item *library, uint32_t library_count, const char *ids, const char *name,
                         const zo_allocator *allocator, zo_pack **pack) {
    ZO_ASSERT(library != NULL || library_count == 0);
    ZO_ASSERT(ids != NULL);
    ZO_ASSERT(pack != NULL);
    *pack = NULL;
    owned_pack *owned = take(allocator, sizeof *owned);
    if (owned == NULL) { return ZO_NO_MEMORY; }
    *owned = (owned_pack){.arena = zb_arena_open(allocator)};
    const zo_status status =
        zf_pt_export(library, library_count, zb_text(ids), zb_text(name), &owned->arena, &owned->pack);
    if (status == ZO_OK || status == ZO_INVALID) {
        *pack = &owned->pack;
    } else {
        give(&owned->arena, owned, sizeof *owned);
    }
    return status;
}

void zo_pack_free(zo_pack *pack) {
    if (pack == NULL) { return; }
    owned_pack *owned = (owned_pack *)(void *)pack;
    give(&owned->arena, owned, sizeof *owned);
}

zo_status zo_definition_mend(const void *bytes, size_t size, const zo_allocator *allocator, zo_document **mended) {
    ZO_ASSERT(bytes != NULL || size == 0);
    ZO_ASSERT(mended != NULL);
    *mended = NULL;
    zb_arena arena = zb_arena_open(allocator);
    const zj_outcome outcome = zj_parse_outcome(&arena, bytes, size, 0, NULL, NULL);
    zo_status status = outcome.status;
    uint32_t count = 0;
    const zo_edit *edits = status == ZO_OK ? zf_pt_mend(&arena, outcome.doc, &count) : NULL;
    if (zb_arena_failed(&arena)) { status = ZO_NO_MEMORY; }
    zo_document *document = NULL;
    if (status == ZO_OK && count > 0) { status = zo_document_open(bytes, size, allocator, &document); }
    if (document != NULL) { status = zo_document_apply(document, edits, count, NULL); }
    if (status == ZO_OK) {
        *mended = document;
    } else {
        zo_document_free(document);
    }
    zb_arena_close(&arena);
    return status;
}
