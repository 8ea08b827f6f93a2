// The formats: a table of readers, how the one that fits is found, and the field cursor that all readers share
// (fields.h). Called by api. A reader walks a JSON document, reports every fault, and feeds the program builder.
#ifndef ZF_FORMATS_H
#define ZF_FORMATS_H

#include <zoetrope/package.h>
#include <zoetrope/sample.h>

#include "base/arena.h"
#include "diag/diag.h"
#include "json/json.h"
#include "program/build.h"

typedef struct zf_input {
    const zo_source *sources;
    uint32_t source_count;
    const zo_compile_def *def; // never NULL
    zb_arena *arena;           // scratch of this compile
    zd_report *report;         // never NULL
    const zj_doc *doc;         // of sources[0], for formats that are JSON
    uint32_t file;             // of sources[0] in the report
    bool own;                  // sources[0] is one of our built-ins: its names are ours, and nobody needs advice
} zf_input;

// Who works out poses, which lies in a layer that formats know nothing of.
typedef struct zf_posing {
    // false: no memory
    bool (*open)(struct zf_posing *posing, const zp_program *program, const zo_allocator *allocator);
    void (*at)(const struct zf_posing *posing, uint32_t node, double x); // a node of the program's; fills `transforms`
    void (*close)(struct zf_posing *posing);                             // also after open has failed
    const zo_transform *transforms; // [targets of the program]
    void *context;
} zf_posing;

// A document on its way to several files: what is to be shown has been built, and this writes it.
typedef struct zf_export {
    // The files and their texts lie in the input's arena.
    void (*write)(void *context, const zf_posing *posing, zo_package *out);
    void *context;
} zf_export;

typedef struct zf_reader {
    zo_format format;                              // name and title
    bool json;                                     // wants input->doc; without one it is not asked. Others are told
                                                   // by the bytes of the first source alone
    uint32_t lenient;                              // what is read past that is no JSON: ZJ_COMMENTS... (json.h)
    uint32_t (*likeness)(const zf_input *input);   // 0: not this format, 100: surely
    // Reads and reports. `build` is NULL when only checking is wanted. Returns OK, INVALID (errors were reported),
    // NEWER, LIMIT or NEEDS.
    zo_status (*read)(const zf_input *input, zp_build *build);
    // Writes the merged keyframe lists (zo_frames). NULL: the format has none.
    zo_status (*frames)(const zf_input *input, const zo_frames_def *def, struct zb_buffer *out);
    // Writes the same in another form, the format `to` (zo_convert). UNSUPPORTED: not in this one. NULL: in none.
    zo_status (*convert)(const zf_input *input, const char *to, struct zb_buffer *out);
    // The same for forms that are several files (zo_export): reads, reports, builds what must be posed, and says who
    // goes on. UNSUPPORTED: not in this one. NULL: in none.
    zo_status (*plan)(const zf_input *input, const char *to, zp_build *build, zf_export *out);
    // What of the archive can be judged without input->doc, which is asked before any of the others; it adds the
    // archive to the report as a file. NULL: documents of the format do not travel in archives.
    void (*entries)(const zf_input *input);
    // Asked instead of the others, of a reader that was named, when there is no document: no file, or no JSON in it,
    // which has been reported then. NULL: what everybody says will do.
    void (*without)(const zf_input *input);
    const struct zf_object *object; // what a document holds (fields.h), for its schema; NULL: no table says
} zf_reader;

const zf_reader *zf_reader_at(uint32_t index); // NULL beyond the last
const zf_reader *zf_reader_find(const char *name);

// Opens a source, which is the input's first, parses it and finds its reader; a built-in is exchanged for its text.
// NULL: *status says why there is none, and the report more.
const zf_reader *zf_open_source(zf_input *input, zo_source *source, zo_status *status);

// The whole of zo_compile behind the argument checks: parse, find the format, read, build.
zo_status zf_compile(const zo_source *sources, uint32_t source_count, const zo_compile_def *def, zp_program **program,
                     zd_report *report);
// The whole of zo_frames behind the argument checks.
zo_status zf_frames(const zo_source *source, const zo_compile_def *def, const zo_frames_def *frames, zo_write_fn write,
                    void *context, zd_report *report);
// The whole of zo_convert behind the argument checks.
zo_status zf_convert(const zo_source *source, const char *to, const zo_compile_def *def, zo_write_fn write,
                     void *context, zd_report *report);
// The whole of zo_export behind the argument checks. The files lie in `kept`.
zo_status zf_export_files(const zo_source *sources, uint32_t source_count, const char *to, const zo_compile_def *def,
                          zf_posing *posing, zb_arena *kept, zo_package *out, zd_report *report);

// The whole of zo_schema_write behind the argument checks.
bool zf_schema(const char *format, zo_profile profile, zo_write_fn write, void *context);

// The built-ins of all formats in a fixed order. NULL: no such one.
const char *zf_builtin_at(uint32_t index);
// The text of one, in the arena; size 0: no such name, or no memory (the arena says).
zo_text zf_builtin_text(zb_arena *arena, const char *name);

#endif
