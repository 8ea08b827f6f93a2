// Bytes in, program and report out. The library opens no file: the caller hands over bytes with a name, and when a
// reader wants more files it says so (ZO_NEEDS) and the caller calls again with those added.
#ifndef ZOETROPE_COMPILE_H
#define ZOETROPE_COMPILE_H

#include <zoetrope/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zo_program zo_program; // immutable, may be shared between threads
typedef struct zo_report zo_report;   // what was found in the sources
typedef struct zo_archive zo_archive; // what a format that travels in one came in (package.h)

typedef enum zo_source_kind {
    ZO_SOURCE_FILE = 0,
    ZO_SOURCE_FOLDER = 1,
    ZO_SOURCE_MISSING = 2, // asked for, and not there
    ZO_SOURCE_BUILTIN = 3, // an animation that comes with the library, by its name; bytes are not looked at
} zo_source_kind;

typedef struct zo_source {
    const char *name;      // shown in diagnostics and matched against what a reader asks for; '/' between parts. One
                           // that begins with the folder of the first source's name lies below it
    const void *bytes;     // borrowed for the call and, if the report is to quote lines, for the report's life
    size_t size;           // bytes; for a file whose bytes were not wanted, its size on disk
    zo_source_kind kind;
    const char *real_name; // the name after following links, or NULL when it is the same; of the first source its whole
                           // path on disk, or NULL: readers may want the name of the folder that it lies in
    bool outside_root;     // whether following links left the folder that was given
    size_t whole_size;     // of a file of which only the beginning was wanted, its size on disk; 0: that is `size`
    bool judged;           // not the first: its faults are told where it is compiled by itself, and not again here; if
                           // it has errors, all goes on as if it had not been given
} zo_source;

// What became of a picture that the caller opened, for a format whose pictures the library does not open itself.
typedef struct zo_look {
    const char *fault;      // why it cannot be shown, a clause: "it is no KTX2 file"; read at once. NULL: it can
    uint32_t width, height; // px, when it can
} zo_look;
typedef zo_look (*zo_look_fn)(void *context, const char *name); // as zo_need has it

typedef enum zo_profile {
    ZO_PROFILE_DOCUMENT = 0, // what the format's published document says
    ZO_PROFILE_ORIGINAL = 1, // what the program behind the document does where they differ
} zo_profile;

// What a character pack's graph does at completions and triggers.
typedef enum zo_model {
    ZO_MODEL_BY_PROFILE = 0,   // CONTRACT; under ZO_PROFILE_ORIGINAL: RENDERER
    ZO_MODEL_CONTRACT = 1,     // as the format is written down: routes are walked whole, every frame is shown
    ZO_MODEL_RENDERER = 2,     // as the player's renderer: the first hop of a route, completion at the last frame
    ZO_MODEL_STATE_MACHINE = 3, // as its thread without frames: every state lasts all its frames
    ZO_MODEL_SIMULATOR = 4,    // as the exporter's preview: triggers wait for the end of a state
} zo_model;

// What keys of B3D models are between the frames that they stand at.
typedef enum zo_b3d_keys {
    ZO_B3D_KEYS_BY_FORMAT = 0, // what the format means that names the model; of a model alone BLITZ
    ZO_B3D_KEYS_BLITZ = 1,     // blended, however far apart; a mesh without bones goes with its node
    ZO_B3D_KEYS_FORGE = 2,     // nothing, but between neighbouring frames; nothing is moved but by bones
} zo_b3d_keys;

// All zero is the default of every member.
typedef struct zo_compile_def {
    const zo_allocator *allocator; // NULL: malloc and free
    zo_profile profile;
    const char *format;            // a name of zo_format_at(), or NULL: found from the content
    bool strict;                   // also report what is legal but probably not meant (unknown members and the like)
    uint32_t depth_max;            // nesting of a JSON text; 0: 512
    size_t size_max;               // bytes of one source; 0: 64 MiB
    uint32_t diag_max;             // diagnostics kept, the rest is counted; 0: 100; fewer if pointers are very long
    const char *const *cels;       // names of further pictures that a host has: of a pet, to be shown by
                                   // zo_instance_set_cel, also if nothing in the sources names them; of block models,
                                   // by key ("base") or texture ("domain:block/base"), in place of files
    uint32_t cel_count;
    const char *const *params;     // names of parameters that the host will set: if a machine leaves them to whoever
    uint32_t param_count;          // plays it, nothing is told of that
    bool open_params;              // nor of any other that is no likely mistake (forge/supplied-parameter)
    bool null_tangent_step;        // enemy animations: between keys a null tangent holds the left value, as its author
                                   // meant it; by default it is a straight line, as the original program draws it
    bool sampled_poses;            // enemy animations: poses are worked out at the times of keys and joined by straight
                                   // lines, as the original program does; by default every curve is followed exactly
    bool maybe;                    // nobody named the source, it was met in a folder: that it is of no known format is
                                   // a note, not an error (the status is ZO_UNSUPPORTED all the same)
    zo_model model;                // character packs
    bool draft_repeat_letter;      // Forge, draft: a counted repeat wraps at the count, by the letter of its formula;
                                   // by default at the length
    bool draft_uniform_samples;    // Forge, draft: uniform sample i is at time i; by default at i / n of one pass
    bool late_faults;              // Forge: what its own program finds only when it comes to it is a warning, and stays
                                   // in the program as a fault that is told when it is come to; by default an error
    zo_b3d_keys b3d_keys;          // B3D models
    bool contract_only;            // character packs: only what the format's own validator looks at is a fault
    zo_look_fn look;               // character packs: called for each texture of a pack that has all its files, one
    void *look_context;            // after the other, each once; what cannot be shown is a fault. NULL: none is opened
    const zo_archive *archive;     // that the first source lies in, or NULL; for formats that travel in archives, and
                                   // to be named by `format`. The source may be of kind ZO_SOURCE_MISSING then
} zo_compile_def;

// Checks the sources and, if `program` is not NULL, makes a program of them. Every fault is reported, not only the
// first. The first source is the one meant; the others are what it refers to.
// `*report` is set whenever memory for it could be had, also on success (warnings); free it with zo_report_free().
// `*program` is set only when ZO_OK is returned; free it with zo_program_free(). It does not refer to the sources.
ZO_API zo_status zo_compile(const zo_source *sources, uint32_t source_count, const zo_compile_def *def,
                            zo_program **program, zo_report **report);

// A stored program (zo_program_blob) back to a program. The bytes are checked whole, once, and copied.
ZO_API zo_status zo_load(const void *blob, size_t size, const zo_allocator *allocator, zo_program **program);

// The bytes of a program, to store. They live as long as the program. The same on every machine.
ZO_API const void *zo_program_blob(const zo_program *program, size_t *size);

ZO_API void zo_program_free(zo_program *program);

typedef enum zo_severity {
    ZO_NOTE = 0,
    ZO_WARNING = 1,
    ZO_ERROR = 2,
} zo_severity;

typedef struct zo_place {
    const char *file;    // the source's name
    uint32_t line;       // from 1; 0: the file as a whole, or a place in one that has no lines
    uint32_t column;     // from 1, in Unicode code points
    size_t offset;       // bytes from the start of the file
    size_t length;       // bytes
    const char *pointer; // JSON Pointer (RFC 6901) of the value, "" for the whole text; NULL where there is none
    uint32_t end_line;   // of the first code point behind the place
    uint32_t end_column;
} zo_place;

typedef struct zo_diag {
    zo_severity severity;
    const char *id;      // "petween/at"; stable
    const char *message; // one sentence, no full stop
    const char *hint;    // what to do about it, or NULL
    zo_place place;
    const char *related_message; // NULL: there is no second place
    zo_place related;
    // A fix that needs no guessing. Its edits are of place.file, sorted and apart from each other.
    const char *fix;     // what the edits do, as one asks for it: replace "eas-out" with "ease-out"; NULL: there is
                         // none
    const zo_edit *edits;
    uint32_t edit_count;
} zo_diag;

typedef enum zo_report_style {
    ZO_REPORT_HUMAN = 0, // file:line:column, the source line, a caret under the span, pointer, hint
    ZO_REPORT_JSON = 1,  // one JSON document, "schema": "zoetrope/check@1"
    ZO_REPORT_GCC = 2,   // file:line:column: error: message [id]
    ZO_REPORT_SARIF = 3, // one SARIF 2.1.0 document with one run: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
    ZO_REPORT_GITHUB = 4, // workflow commands of GitHub Actions: ::error file=...,line=...::message
} zo_report_style;

// Diagnostics stand in the order of file and place. Texts live as long as the report.
ZO_API uint32_t zo_report_count(const zo_report *report);
ZO_API const zo_diag *zo_report_at(const zo_report *report, uint32_t index); // NULL beyond the last
ZO_API uint32_t zo_report_dropped(const zo_report *report);                  // found, not kept
ZO_API uint32_t zo_report_total(const zo_report *report, zo_severity severity); // kept or not
ZO_API const char *zo_report_format(const zo_report *report); // the format that the sources were read as, or ""
// What a format's own validator says of the sources, for formats that have one with fixed words.
typedef struct zo_verdict {
    const char *category; // why they are refused, one stable word such as "invalid_graph"; NULL: they are not
    const char *line;     // what it prints: "OK: ..." or "INVALID [invalid_graph]: ...", without line end
} zo_verdict;
// false: there is none. Of the faults it is the first in the order in which that validator looks for them.
ZO_API bool zo_report_verdict(const zo_report *report, zo_verdict *verdict);
// Writes the diagnostics. HUMAN quotes source lines and SARIF has fingerprints of what stands there, so the sources'
// bytes must still be there. `color`: ANSI colours, in HUMAN.
ZO_API bool zo_report_write(const zo_report *report, zo_report_style style, bool color, zo_write_fn write,
                            void *context);
// Several reports as one: one document in JSON and SARIF, one after the other in the rest. A NULL among them stands for
// a source that could not be read; SARIF and JSON then say that not everything was looked at.
ZO_API bool zo_reports_write(const zo_report *const *reports, uint32_t report_count, zo_report_style style, bool color,
                             zo_write_fn write, void *context);
ZO_API void zo_report_free(zo_report *report);

typedef enum zo_need_kind {
    ZO_NEED_BYTES = 0, // the whole file
    ZO_NEED_HEAD = 1,  // its first 4 KiB
    ZO_NEED_STAT = 2,  // kind and size only
} zo_need_kind;

typedef struct zo_need {
    const char *name; // relative to the first source's folder
    zo_need_kind kind;
} zo_need;

ZO_API uint32_t zo_report_need_count(const zo_report *report);
ZO_API const zo_need *zo_report_need(const zo_report *report, uint32_t index);

// Every diagnostic that the library can give, in the order of their ids. `explain` is several sentences: what the rule
// is, why, and what to do. NULL beyond the last / for an unknown id.
typedef struct zo_rule {
    const char *id;
    zo_severity severity;
    const char *message; // with {} where figures and names go
    const char *hint;    // or NULL
    const char *explain; // the rule, its reason and the way out
} zo_rule;

ZO_API const zo_rule *zo_rule_at(uint32_t index);
ZO_API const zo_rule *zo_rule_find(const char *id);

// The formats that zo_compile can read.
typedef struct zo_format {
    const char *name;    // for --format and zo_compile_def.format
    const char *title;   // "petween AnimationDefinition"
} zo_format;

ZO_API const zo_format *zo_format_at(uint32_t index); // NULL beyond the last

// What a document of the format holds, as a JSON Schema (draft 2020-12), written from the tables that the reader goes
// by. It refuses nothing that zo_compile takes, of character packs with `strict`; rules that a schema cannot express
// are named in its $comment members. false: no such format, one that has no schema, no memory, or `write` returned
// false.
ZO_API bool zo_schema_write(const char *format, zo_profile profile, zo_write_fn write, void *context);

// The animations that come with the library, in a fixed order; NULL beyond the last. Compile one through a source of
// kind ZO_SOURCE_BUILTIN.
ZO_API const char *zo_builtin_at(uint32_t index);
// Its definition as a JSON text, two spaces a level, to read or to start one's own from. false: no such name, or
// `write` returned false.
ZO_API bool zo_builtin_write(const char *name, zo_write_fn write, void *context);

// What zo_frames may be told; all zero: the definition's own figures.
typedef struct zo_frames_def {
    bool set_strength;
    double strength;
    double duration_ms;     // 0: the definition's own; cut to what the kind of animation allows
    bool set_duration;      // duration_ms counts even when it is 0
    bool set_repeat;
    uint32_t repeat;        // zo_repeat of inspect.h: once, loop, alternate, random interval
    double delay_ms_min, delay_ms_max; // with random interval
    bool reduced_motion;
    const char *clip;       // the id of the animation that is wanted; NULL: all that are there
} zo_frames_def;

// The merged keyframe lists of an animation, as a browser's element.animate() takes them: for each segment between
// events one list a layer, with offsets, easings and channel texts, and the events with the segment that they come
// before. Written as one JSON document, "schema": "zoetrope/frames@1", or for a pack as an array of them if no clip is
// named. For formats that have no such lists, or when there is no such clip: ZO_UNSUPPORTED; when `write` returned
// false: ZO_LIMIT. Otherwise status and report are as of zo_compile. Under the
// document profile values are not cut to limits.
ZO_API zo_status zo_frames(const zo_source *source, const zo_compile_def *compile, const zo_frames_def *def,
                           zo_write_fn write, void *context, zo_report **report);

// A document in another form that holds the same: `to` is a name of zo_format_at(). B3D models (b3d) and their
// authoring files (b3d-source) are made of each other; to the format that it has it is written in our way.
// ZO_UNSUPPORTED: the document's format has no such form; ZO_LIMIT: `write` returned false, or the form cannot hold as
// much. Otherwise status and report are as of zo_compile, and nothing is written unless there are no errors.
ZO_API zo_status zo_convert(const zo_source *source, const char *to, const zo_compile_def *def, zo_write_fn write,
                            void *context, zo_report **report);

#ifdef __cplusplus
}
#endif

#endif
