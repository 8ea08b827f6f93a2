// Compiling, its products and what can be compiled: argument checks and the report's life. All work is done in
// src/formats.
#include <zoetrope/compile.h>

#include "formats/formats.h"

static const zo_compile_def default_def;
static const zo_frames_def default_frames;

// The report goes to the caller, or ends here when nobody asked for it.
static void hand_over(zd_report *work, zo_report **report) {
    zd_report_finish(work);
    if (report != NULL) {
        *report = work;
    } else {
        zd_report_close(work);
    }
}

zo_status zo_compile(const zo_source *sources, uint32_t source_count, const zo_compile_def *def, zo_program **program,
                     zo_report **report) {
    ZO_ASSERT(sources != NULL);
    ZO_ASSERT(source_count > 0);
    ZO_ASSERT(sources[0].name != NULL);
    if (program != NULL) {
        *program = NULL;
    }
    if (report != NULL) {
        *report = NULL;
    }
    if (def == NULL) {
        def = &default_def;
    }
    zd_report *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    if (work == NULL) {
        return ZO_NO_MEMORY;
    }
    const zo_status status = zf_compile(sources, source_count, def, program, work);
    hand_over(work, report);
    return status;
}

zo_status zo_frames(const zo_source *source, const zo_compile_def *compile, const zo_frames_def *def, zo_write_fn write,
                    void *context, zo_report **report) {
    ZO_ASSERT(source != NULL);
    ZO_ASSERT(source->name != NULL);
    ZO_ASSERT(write != NULL);
    if (report != NULL) {
        *report = NULL;
    }
    if (compile == NULL) {
        compile = &default_def;
    }
    zd_report *work = zd_report_open(compile->allocator, compile->diag_max, compile->strict);
    if (work == NULL) {
        return ZO_NO_MEMORY;
    }
    const zo_status status = zf_frames(source, compile, def != NULL ? def : &default_frames, write, context, work);
    hand_over(work, report);
    return status;
}

zo_status zo_convert(const zo_source *source, const char *to, const zo_compile_def *def, zo_write_fn write,
                     void *context, zo_report **report) {
    ZO_ASSERT(source != NULL);
    ZO_ASSERT(source->name != NULL);
    ZO_ASSERT(to != NULL);
    ZO_ASSERT(write != NULL);
    if (report != NULL) {
        *report = NULL;
    }
    if (def == NULL) {
        def = &default_def;
    }
    zd_report *work = zd_report_open(def->allocator, def->diag_max, def->strict);
    if (work == NULL) {
        return ZO_NO_MEMORY;
    }
    const zo_status status = zf_convert(source, to, def, write, context, work);
    hand_over(work, report);
    return status;
}

const zo_format *zo_format_at(uint32_t index) {
    const zf_reader *reader = zf_reader_at(index);
    return reader != NULL ? &reader->format : NULL;
}

bool zo_schema_write(const char *format, zo_profile profile, zo_write_fn write, void *context) {
    ZO_ASSERT(format != NULL);
    ZO_ASSERT(write != NULL);
    return zf_schema(format, profile, write, context);
}

const char *zo_builtin_at(uint32_t index) { return zf_builtin_at(index); }

bool zo_builtin_write(const char *name, zo_write_fn write, void *context) {
    ZO_ASSERT(name != NULL);
    ZO_ASSERT(write != NULL);
    zb_arena arena = zb_arena_open(NULL);
    const zo_text text = zf_builtin_text(&arena, name);
    const bool written = text.size > 0 && write(context, text.data, text.size);
    zb_arena_close(&arena);
    return written;
}
