// Packages made and taken apart, as objects of the caller's. Public functions; the work is done in the formats layer.
#include <zoetrope/package.h>

#include "api/owned_package.h"
#include "formats/petween_package.h"

static const zo_compile_def default_def;

static zo_status hand_over(zo_status status, owned_package *owned, zd_report *work, zo_package **package,
                           zo_report **report) {
    zd_report_finish(work);
    if (report != NULL) {
        *report = work;
    } else {
        zd_report_close(work);
    }
    if (status == ZO_OK) {
        *package = &owned->package;
    } else {
        owned_package_give(owned);
    }
    return status;
}

// false: no memory.
static bool begin(const zo_compile_def *def, zo_package **package, zo_report **report, owned_package **owned,
                  zd_report **work) {
    ZO_ASSERT(package != NULL);
    *package = NULL;
    if (report != NULL) { *report = NULL; }
    *owned = owned_package_take(def->allocator);
    *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    if (*owned != NULL && *work != NULL) { return true; }
    if (*owned != NULL) { owned_package_give(*owned); }
    zd_report_close(*work);
    return false;
}

zo_status zo_package_make(const zo_source *sources, uint32_t source_count, const zo_package_def *package_def,
                          const zo_compile_def *def, zo_package **package, zo_report **report) {
    owned_package *owned;
    zd_report *work;
    ZO_ASSERT(sources != NULL);
    ZO_ASSERT(source_count > 0);
    ZO_ASSERT(package_def != NULL);
    ZO_ASSERT(package_def->other_name != NULL);
    def = def != NULL ? def : &default_def;
    if (!begin(def, package, report, &owned, &work)) { return ZO_NO_MEMORY; }
    const zo_status status =
        zf_pt_make_package(sources, source_count, package_def, def, &owned->arena, &owned->package, work);
    return hand_over(status, owned, work, package, report);
}

zo_status zo_package_open(const zo_source *manifest, const zo_compile_def *def, zo_package **package,
                          zo_report **report) {
    owned_package *owned;
    zd_report *work;
    ZO_ASSERT(manifest != NULL);
    def = def != NULL ? def : &default_def;
    if (!begin(def, package, report, &owned, &work)) { return ZO_NO_MEMORY; }
    const zo_status status = zf_pt_open_package(manifest, def, &owned->arena, &owned->package, work);
    return hand_over(status, owned, work, package, report);
}

void zo_package_free(zo_package *package) {
    if (package != NULL) { owned_package_give((owned_package *)(void *)package); }
}

void zo_package_want(const zo_archive *archive, bool *wanted) {
    ZO_ASSERT(archive != NULL);
    ZO_ASSERT(archive->entries != NULL || archive->entry_count == 0);
    zf_pt_want(archive, wanted);
}
