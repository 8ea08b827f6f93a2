// A document as several files of another form. Public function; the work is done in the formats layer, with poses that
// the engine works out.
#include "api/owned_package.h"
#include "formats/formats.h"
#include "runtime/runtime.h"

static const zo_compile_def default_def;

static bool open_pose(zf_posing *posing, const zp_program *program, const zo_allocator *allocator) {
    zo_pose *pose = zo_pose_create(program, allocator);
    posing->context = pose;
    posing->transforms = pose != NULL ? ((const zr_pose *)(const void *)pose)->own : NULL;
    return pose != NULL;
}

static void pose_at(const zf_posing *posing, uint32_t node, double x) {
    zr_node_pose(NULL, node, x, 0, (zr_pose *)posing->context);
}

static void close_pose(zf_posing *posing) { zo_pose_free(posing->context); }

zo_status zo_export(const zo_source *sources, uint32_t source_count, const char *to, const zo_compile_def *def,
                    zo_package **package, zo_report **report) {
    ZO_ASSERT(sources != NULL);
    ZO_ASSERT(source_count > 0);
    ZO_ASSERT(to != NULL);
    ZO_ASSERT(package != NULL);
    def = def != NULL ? def : &default_def;
    *package = NULL;
    if (report != NULL) { *report = NULL; }
    owned_package *owned = owned_package_take(def->allocator);
    zd_report *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    if (owned == NULL || work == NULL) {
        if (owned != NULL) { owned_package_give(owned); }
        zd_report_close(work);
        return ZO_NO_MEMORY;
    }
    zf_posing posing = {.open = open_pose, .at = pose_at, .close = close_pose};
    const zo_status status =
        zf_export_files(sources, source_count, to, def, &posing, &owned->arena, &owned->package, work);
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
