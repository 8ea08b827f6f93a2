// Character packs made and taken apart, as objects of the caller's. Public functions; the work is done in the formats
// layer.
#include <zoetrope/charpack.h>

#include "api/owned_package.h"
#include "formats/charpack_source.h"

static const zo_compile_def default_def;

// What is handed out comes first, so that its address is the whole's.
typedef struct owned_plan {
    zo_charpack_plan plan;
    zf_cs_source source;
    zb_arena arena;
} owned_plan;

typedef struct owned_parts {
    zo_charpack_parts parts;
    zb_arena arena;
} owned_parts;

static void *take(const zo_allocator *allocator, size_t size) {
    const zo_allocator memory = zb_allocator_or_default(allocator);
    return memory.alloc(memory.context, size);
}

static void give(void *owned, zb_arena *arena, size_t size) {
    const zo_allocator memory = arena->allocator;
    zb_arena_close(arena);
    memory.free(memory.context, owned, size);
}

static void hand_over_report(zd_report *work, zo_report **report) {
    zd_report_finish(work);
    if (report != NULL) {
        *report = work;
    } else {
        zd_report_close(work);
    }
}

zo_status zo_charpack_plan_open(const zo_source *source, const char *const *pictures, uint32_t picture_count,
                                const zo_compile_def *def, const zo_charpack_plan **plan, zo_report **report) {
    ZO_ASSERT(source != NULL);
    ZO_ASSERT(pictures != NULL || picture_count == 0);
    ZO_ASSERT(plan != NULL);
    *plan = NULL;
    if (report != NULL) { *report = NULL; }
    def = def != NULL ? def : &default_def;
    zd_report *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    owned_plan *owned = work != NULL ? take(def->allocator, sizeof *owned) : NULL;
    if (owned == NULL) {
        zd_report_close(work);
        return ZO_NO_MEMORY;
    }
    *owned = (owned_plan){.arena = zb_arena_open(def->allocator)};
    const zo_status status = zf_cs_plan(source, pictures, picture_count, def, &owned->arena, &owned->source,
                                        &owned->plan, work);
    hand_over_report(work, report);
    if (status == ZO_OK) {
        *plan = &owned->plan;
    } else {
        give(owned, &owned->arena, sizeof *owned);
    }
    return status;
}

void zo_charpack_plan_free(const zo_charpack_plan *plan) {
    owned_plan *owned = (owned_plan *)(uintptr_t)plan;
    if (owned != NULL) { give(owned, &owned->arena, sizeof *owned); }
}

zo_package *zo_charpack_make(const zo_charpack_plan *plan, const zo_charpack_stored *stored) {
    ZO_ASSERT(plan != NULL);
    ZO_ASSERT(stored != NULL);
    for (uint32_t i = 0; i < plan->picture_count; i++) { ZO_ASSERT(stored->same_as[i] <= i); }
    const owned_plan *owned = (const owned_plan *)(const void *)plan;
    owned_package *made = owned_package_take(&owned->arena.allocator);
    if (made == NULL) { return NULL; }
    if (zf_cs_make(&made->arena, &owned->source, stored, &made->package)) { return &made->package; }
    owned_package_give(made);
    return NULL;
}

zo_status zo_charpack_open(const zo_source *sources, uint32_t source_count, const zo_compile_def *def,
                           const zo_charpack_parts **parts, zo_report **report) {
    ZO_ASSERT(sources != NULL);
    ZO_ASSERT(source_count > 0);
    ZO_ASSERT(parts != NULL);
    *parts = NULL;
    if (report != NULL) { *report = NULL; }
    def = def != NULL ? def : &default_def;
    zd_report *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    owned_parts *owned = work != NULL ? take(def->allocator, sizeof *owned) : NULL;
    if (owned == NULL) {
        zd_report_close(work);
        return ZO_NO_MEMORY;
    }
    *owned = (owned_parts){.arena = zb_arena_open(def->allocator)};
    const zo_status status = zf_cs_open(sources, source_count, def, &owned->arena, &owned->parts, work);
    hand_over_report(work, report);
    if (status == ZO_OK) {
        *parts = &owned->parts;
    } else {
        give(owned, &owned->arena, sizeof *owned);
    }
    return status;
}

void zo_charpack_parts_free(const zo_charpack_parts *parts) {
    owned_parts *owned = (owned_parts *)(uintptr_t)parts;
    if (owned != NULL) { give(owned, &owned->arena, sizeof *owned); }
}
