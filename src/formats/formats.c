// The table of readers, how the one that fits is found, and the way of one compile: bytes, text, reader, program.
// Called by api. Knows no format but by its reader.
#include "formats/formats.h"

#include "base/buffer.h"
#include "formats/b3d.h"
#include "formats/charpack.h"
#include "formats/charpack_source.h"
#include "formats/enemy_pack.h"
#include "formats/fields.h"
#include "formats/forge.h"
#include "formats/petween.h"
#include "formats/petween_pack.h"
#include "formats/petween_package.h"
#include "formats/petween_pet.h"
#include "formats/resemble.h"
#include "formats/schema.h"

enum { SURE_ENOUGH = 50 }; // of likeness
enum { GRAMMAR_LOOK = 4096 }; // bytes

static const zf_reader *const readers[] = {&zf_pt_reader, &zf_pt_pack_reader, &zf_pt_pet_reader, &zf_pt_package_reader,
                                           &zf_en_reader, &zf_en_rig_reader, &zf_cp_reader,
                                           &zf_cp_graph_reader, &zf_cp_mouth_reader, &zf_cp_speech_reader,
                                           &zf_cs_reader,
                                           &zf_fg_machine_reader, &zf_fg_draft_machine_reader,
                                           &zf_fg_armature_reader, &zf_fg_draft_animation_reader, &zf_fg_model_reader,
                                           &zf_b3_reader, &zf_b3s_reader};

const zf_reader *zf_reader_at(uint32_t index) { return index < ZB_COUNT(readers) ? readers[index] : NULL; }

const zf_reader *zf_reader_find(const char *name) {
    for (uint32_t i = 0; i < ZB_COUNT(readers); i++) {
        if (strcmp(readers[i]->format.name, name) == 0) {
            return readers[i];
        }
    }
    return NULL;
}

const char *zf_builtin_at(uint32_t index) { return zf_pt_builtin_id(index); }

zo_text zf_builtin_text(zb_arena *arena, const char *name) {
    for (uint32_t i = 0; i < zf_pt_builtin_count(); i++) {
        if (strcmp(zf_pt_builtin_id(i), name) == 0) {
            zb_buffer out = zb_buffer_open(arena);
            zf_pt_put_builtin(&out, i);
            return zb_text(zb_buffer_text(&out));
        }
    }
    return (zo_text){NULL, 0};
}

// ------------------------------------------------------------------------------------------------------ what it is

typedef struct bytes_look {
    const char *bytes;
    uint32_t size;
    const char *look;
} bytes_look;

#define LOOK(bytes, look) {bytes, sizeof(bytes) - 1, look}
static const bytes_look looks[] = {
    LOOK("\x89PNG\r\n", "a PNG picture"),
    LOOK("GIF8", "a GIF picture"),
    LOOK("RIFF", "a RIFF file, such as WebP"),
    LOOK("\xFF\xD8\xFF", "a JPEG picture"),
    LOOK("PK\x03\x04", "a ZIP archive"),
    LOOK("\x1F\x8B", "a gzip archive"),
    LOOK("%PDF", "a PDF document"),
    LOOK("<", "XML or HTML"),
    LOOK("\x7F" "ELF", "a program"),
};

// Rules of the form "<name> := ..." among the first lines: what a format's document has beside its examples.
static bool is_grammar(const zo_source *source) {
    const char *bytes = source->bytes;
    const size_t size = source->size < GRAMMAR_LOOK ? source->size : GRAMMAR_LOOK;
    bool name = false, begin = true; // of the line so far
    for (size_t i = 0; i < size; i++) {
        name = begin ? bytes[i] == '<' : name && bytes[i] != '\n';
        if (name && i + 4 < size && memcmp(bytes + i, "> :=", 4) == 0) {
            return true;
        }
        begin = bytes[i] == '\n';
    }
    return false;
}

// true: the content is of a kind that no JSON text begins like; `look` says which, NULL when it is not known.
static bool is_foreign(const zo_source *source, const char **look) {
    *look = is_grammar(source) ? "a grammar, not a document" : NULL;
    if (*look != NULL) {
        return true;
    }
    for (uint32_t i = 0; i < ZB_COUNT(looks); i++) {
        if (source->size >= looks[i].size && memcmp(source->bytes, looks[i].bytes, looks[i].size) == 0) {
            *look = looks[i].look;
            return true;
        }
    }
    return false;
}

// "JSON with the members a, b and c": enough to see which file it was.
static zd_arg describe(const zf_input *input) {
    zb_buffer out = zb_buffer_open(input->arena);
    if (zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT) && zj_member(input->doc, ZJ_ROOT, ZB_TEXT("frames")) != 0 &&
        zj_member(input->doc, ZJ_ROOT, ZB_TEXT("meta")) != 0) {
        zb_put(&out, "an atlas of pictures, which is judged beside the files that use it");
    } else if (zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT)) {
        const uint32_t count = zj_at(input->doc, ZJ_ROOT)->as.items.count;
        zb_put(&out, count == 0 ? "an empty JSON object" : "JSON with the member");
        zb_put(&out, count == 0 ? "" : count == 1 ? " " : "s ");
        uint32_t told = 0;
        uint32_t member = zj_at(input->doc, ZJ_ROOT)->as.items.first;
        for (; member != 0 && told < 6; member = zj_at(input->doc, member)->next) {
            zb_put(&out, told == 0 ? "" : ", ");
            zb_put_text(&out, zf_quoted(input->arena, input->doc, zj_key(input->doc, member)).text);
            told++;
        }
        zb_put(&out, member != 0 ? " and more" : "");
    } else {
        zb_put(&out, "JSON that is ");
        zb_put_text(&out, zf_seen(input->arena, input->doc, ZJ_ROOT).text);
    }
    return zd_text((zo_text){out.data, out.size});
}

static zd_place whole(const zf_input *input) { return (zd_place){.file = input->file, .whole = true}; }

static const zf_reader *plain_reader(const zf_input *input) { // of a format that is no JSON; NULL: it is of none
    for (uint32_t i = 0; i < ZB_COUNT(readers); i++) {
        if (!readers[i]->json && readers[i]->likeness(input) >= SURE_ENOUGH) {
            return readers[i];
        }
    }
    return NULL;
}

static const zf_reader *best_reader(const zf_input *input, uint32_t *likeness) { // NULL: none is like it at all
    const zf_reader *best = NULL;
    *likeness = 0;
    for (uint32_t i = 0; i < ZB_COUNT(readers); i++) {
        const uint32_t like = readers[i]->json ? readers[i]->likeness(input) : 0;
        if (like > *likeness) {
            best = readers[i];
            *likeness = like;
        }
    }
    return best;
}

static const zf_reader *find_reader(const zf_input *input) {
    uint32_t likeness = 0;
    const zf_reader *best = best_reader(input, &likeness);
    if (likeness >= SURE_ENOUGH) {
        return best;
    }
    const zd_id id = input->def->maybe ? ZD_SOURCE_PASSED_OVER : ZD_SOURCE_FORMAT_UNKNOWN;
    const uint32_t added = zd_report_add(input->report, id, whole(input), ZD_ARGS(describe(input)));
    if (best != NULL) {
        zd_report_hint(input->report, added, "the nearest format is {}: name it to see what is wrong with the file",
                       ZD_ARGS(zd_word(best->format.name)));
    }
    return NULL;
}

static const zf_reader *named_reader(const zf_input *input) {
    const char *name = input->def->format;
    const zf_reader *reader = zf_reader_find(name);
    if (reader != NULL) {
        return reader;
    }
    const char *names[ZB_COUNT(readers)];
    for (uint32_t i = 0; i < ZB_COUNT(readers); i++) {
        names[i] = readers[i]->format.name;
    }
    zb_buffer quoted = zb_buffer_open(input->arena);
    zb_put_char(&quoted, '"');
    zb_put(&quoted, name);
    zb_put_char(&quoted, '"');
    const uint32_t added = zd_report_add(input->report, ZD_SOURCE_FORMAT_NAME, whole(input),
                                         ZD_ARGS(zd_text((zo_text){quoted.data, quoted.size})));
    const char *nearest = zd_nearest(zb_text(name), names, ZB_COUNT(readers));
    if (nearest != NULL) {
        zd_report_hint(input->report, added, "did you mean \"{}\"?", ZD_ARGS(zd_word(nearest)));
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------------ one compile

static void refuse(const zf_input *input, const char *look) {
    const zd_id id = input->def->maybe ? ZD_SOURCE_PASSED_OVER : ZD_SOURCE_FORMAT_UNKNOWN;
    zd_report_add(input->report, id, whole(input), ZD_ARGS(zd_word(look)));
}

enum { BUILTINS_MAX = 64 };

static void refuse_builtin(const zf_input *input, const char *name) {
    const char *names[BUILTINS_MAX];
    uint32_t count = 0;
    for (; count < BUILTINS_MAX && zf_builtin_at(count) != NULL; count++) {
        names[count] = zf_builtin_at(count);
    }
    const uint32_t added = zd_report_add(input->report, ZD_SOURCE_FORMAT_UNKNOWN, whole(input),
                                         ZD_ARGS(zd_word("a built-in animation, and there is none of this name")));
    const char *nearest = zd_nearest(zb_text(name), names, count);
    if (nearest != NULL) {
        zd_report_hint(input->report, added, "did you mean \"{}\"?", ZD_ARGS(zd_word(nearest)));
    }
}

static zo_status parse_into(zf_input *input, uint32_t lenient, zd_report *report) {
    const zo_source *source = input->sources;
    const zj_limits limits = {.depth_max = input->def->depth_max, .size_max = input->def->size_max,
                              .lenient = lenient};
    const zj_outcome outcome =
        zj_parse_outcome(input->arena, source->bytes, source->size, input->file, &limits, report);
    input->doc = outcome.doc;
    return outcome.status;
}

static zo_status parse(zf_input *input, uint32_t lenient) { return parse_into(input, lenient, input->report); }

// Of the bytes alone, for a text that is no JSON. NULL: it is of nobody known.
static const zf_reader *resembled(const zo_source *source) {
    for (uint32_t i = 0; i < ZB_COUNT(readers); i++) {
        const bool has_table = readers[i]->json && readers[i]->object != NULL;
        if (has_table && zf_resembles((zo_text){source->bytes, source->size}, readers[i]->object)) {
            return readers[i];
        }
    }
    return NULL;
}

// Of a text that is no JSON, the format of which it is read leniently: by what it holds, or, when it cannot be read so
// either, by the names in it. NULL: none.
static const zf_reader *lenient_reader(const zf_input *input) {
    zf_input quiet = *input;
    uint32_t all = 0, likeness = 0;
    for (uint32_t i = 0; i < ZB_COUNT(readers); i++) {
        all |= readers[i]->lenient;
    }
    parse_into(&quiet, all, NULL);
    const zf_reader *reader = quiet.doc != NULL ? best_reader(&quiet, &likeness) : resembled(input->sources);
    const bool sure = quiet.doc == NULL || likeness >= SURE_ENOUGH;
    return reader != NULL && sure && reader->lenient != 0 ? reader : NULL;
}

// A file that nobody has named need not be ours. One that is JSON is told by what it holds; one that is not, such as
// settings with comments, is passed over as well unless it resembles a format: then somebody will want to know what is
// wrong with it. Nothing else is said of a file that is passed over. false: go on.
static bool pass_over(const zf_input *input, const zo_source *source) {
    zf_input quiet = *input;
    quiet.report = zd_report_open(input->def->allocator, 1, false);
    if (quiet.report == NULL) {
        return false; // what comes next has no memory either
    }
    quiet.file = zd_report_file(quiet.report, source->name, source->bytes, source->size);
    const zo_status status = parse(&quiet, 0);
    uint32_t likeness = 0;
    if (quiet.doc != NULL) {
        best_reader(&quiet, &likeness);
    } else if (status == ZO_INVALID && lenient_reader(&quiet) != NULL) {
        likeness = SURE_ENOUGH;
    }
    const bool pass = status != ZO_NO_MEMORY && likeness < SURE_ENOUGH;
    if (pass && quiet.doc == NULL) {
        refuse(input, status == ZO_LIMIT ? "a text beyond the limits of size or depth" : "a text that is not JSON");
    } else if (pass) {
        const zf_input told = {.def = input->def, .arena = input->arena, .report = input->report, .doc = quiet.doc,
                               .file = input->file};
        find_reader(&told); // says what it looks like
    }
    zd_report_close(quiet.report);
    return pass;
}

const zf_reader *zf_open_source(zf_input *input, zo_source *source, zo_status *status) {
    if (source->kind == ZO_SOURCE_BUILTIN) {
        // In the report's memory, because the report may quote it for as long as it lives.
        const zo_text text = zf_builtin_text(zd_report_arena(input->report), source->name);
        input->own = text.size > 0;
        if (input->own) {
            *source = (zo_source){.name = source->name, .bytes = text.data, .size = text.size};
        }
    }
    const bool is_file = source->kind == ZO_SOURCE_FILE && (source->bytes != NULL || source->size == 0);
    const zf_reader *plain = input->def->format != NULL ? zf_reader_find(input->def->format)
                             : is_file                  ? plain_reader(input)
                                                        : NULL;
    const bool has_lines = plain == NULL || plain->json; // else nothing of it can be quoted
    input->file = zd_report_file(input->report, source->name, is_file && has_lines ? source->bytes : NULL,
                                 is_file ? source->size : 0);
    const zf_reader *reader = input->def->format != NULL ? named_reader(input) : plain;
    *status = ZO_UNSUPPORTED;
    if (input->def->format != NULL && reader == NULL) {
        return NULL;
    }
    if (source->kind == ZO_SOURCE_BUILTIN) {
        refuse_builtin(input, source->name);
        return NULL;
    }
    if (!is_file && reader != NULL && reader->without != NULL) {
        reader->without(input);
        *status = ZO_INVALID;
        return NULL;
    }
    if (!is_file) {
        refuse(input, source->kind == ZO_SOURCE_FOLDER ? "a folder" : "nothing, for it is not there");
        return NULL;
    }
    const char *look = NULL;
    if (reader == NULL && is_foreign(source, &look)) {
        refuse(input, look);
        return NULL;
    }
    if (reader == NULL && input->def->maybe && resembled(source) == NULL && pass_over(input, source)) {
        return NULL;
    }
    if (reader == NULL || reader->json) {
        *status = parse(input, reader != NULL ? reader->lenient : 0);
        const zf_reader *lenient = reader == NULL && *status == ZO_INVALID ? lenient_reader(input) : NULL;
        if (lenient != NULL) { // read anew, as that format is read
            reader = lenient;
            zd_report_forget(input->report);
            *status = parse(input, lenient->lenient);
        }
        if (input->doc == NULL) {
            if (reader != NULL && reader->without != NULL) {
                reader->without(input);
            }
            return NULL;
        }
    }
    *status = ZO_UNSUPPORTED;
    return reader != NULL ? reader : find_reader(input);
}

// What an archive holds may be at fault in any number of ways; only then comes the document in it, if there is one.
// false: there is none.
static bool judge_archive(const zf_input *input) {
    const zo_compile_def *def = input->def;
    const zf_reader *reader = def->archive != NULL && def->format != NULL ? zf_reader_find(def->format) : NULL;
    if (reader == NULL || reader->entries == NULL) {
        return true;
    }
    reader->entries(input);
    zd_report_format_name(input->report, reader->format.name);
    return input->sources[0].kind == ZO_SOURCE_FILE;
}

// What is wanted of a reader: a program or, where there is no `out`, nothing but its judgement; else one of two texts.
typedef struct wanted {
    zp_build *build;             // may be NULL
    const zo_frames_def *frames; // NULL: `to`
    const char *to;
    zb_buffer *out;
    zf_export *export;           // with `build`: files in the form `to`
} wanted;

static zo_status ask(const zf_reader *reader, const zf_input *input, const wanted *w) {
    if (w->export != NULL) {
        return reader->plan != NULL ? reader->plan(input, w->to, w->build, w->export) : ZO_UNSUPPORTED;
    }
    if (w->out == NULL) {
        return reader->read(input, w->build);
    }
    if (w->frames != NULL) {
        return reader->frames != NULL ? reader->frames(input, w->frames, w->out) : ZO_UNSUPPORTED;
    }
    return reader->convert != NULL ? reader->convert(input, w->to, w->out) : ZO_UNSUPPORTED;
}

static zo_status run(const zo_source *sources, uint32_t source_count, const zo_compile_def *def, zb_arena *arena,
                     zd_report *report, const wanted *w) {
    zo_source first = sources[0];
    zf_input input = {.sources = &first, .source_count = source_count, .def = def, .arena = arena, .report = report};
    zo_source *copies = &first;
    if (source_count > 1) { // the first one may be exchanged, and readers see one array
        copies = zb_arena_take_array(arena, source_count, sizeof *copies);
        if (copies == NULL) {
            return ZO_NO_MEMORY;
        }
        memcpy(copies, sources, source_count * sizeof *copies);
        input.sources = copies;
    }
    zo_status status = ZO_INVALID;
    const zf_reader *reader = judge_archive(&input) ? zf_open_source(&input, copies, &status) : NULL;
    // it was gone on with for a reason
    if (reader == NULL && input.doc == NULL && def->maybe && status != ZO_UNSUPPORTED) {
        const zf_reader *like = resembled(copies);
        zd_report_format_name(report, like != NULL ? like->format.name : NULL);
    }
    if (reader != NULL) {
        zd_report_format_name(report, reader->format.name);
        status = ask(reader, &input, w);
    }
    if (zb_arena_failed(arena) || zb_arena_failed(zd_report_arena(report))) {
        return ZO_NO_MEMORY;
    }
    return status == ZO_OK && zd_report_errors(report) > 0 ? ZO_INVALID : status;
}

zo_status zf_compile(const zo_source *sources, uint32_t source_count, const zo_compile_def *def, zp_program **program,
                     zd_report *report) {
    ZO_ASSERT(source_count > 0);
    zb_arena arena = zb_arena_open(def->allocator);
    zp_build *build = program != NULL ? zp_build_open(&arena) : NULL;
    zo_status status = ZO_NO_MEMORY;
    if (program == NULL || build != NULL) {
        status = run(sources, source_count, def, &arena, report, &(wanted){.build = build});
    }
    if (status == ZO_OK && program != NULL) {
        *program = zp_build_finish(build, def->allocator);
        status = *program != NULL ? ZO_OK : ZO_NO_MEMORY;
    }
    zb_arena_close(&arena);
    return status;
}

static zo_status write_text(const zo_source *source, const zo_compile_def *def, wanted w, zo_write_fn write,
                            void *context, zd_report *report) {
    zb_arena arena = zb_arena_open(def->allocator);
    zb_buffer out = zb_buffer_open(&arena);
    w.out = &out;
    zo_status status = run(source, 1, def, &arena, report, &w);
    if (status == ZO_OK && !write(context, out.data, out.size)) {
        status = ZO_LIMIT;
    }
    zb_arena_close(&arena);
    return status;
}

zo_status zf_frames(const zo_source *source, const zo_compile_def *def, const zo_frames_def *frames, zo_write_fn write,
                    void *context, zd_report *report) {
    return write_text(source, def, (wanted){.frames = frames}, write, context, report);
}

zo_status zf_convert(const zo_source *source, const char *to, const zo_compile_def *def, zo_write_fn write,
                     void *context, zd_report *report) {
    return write_text(source, def, (wanted){.to = to}, write, context, report);
}

zo_status zf_export_files(const zo_source *sources, uint32_t source_count, const char *to, const zo_compile_def *def,
                          zf_posing *posing, zb_arena *kept, zo_package *out, zd_report *report) {
    zf_export export = {NULL};
    zp_build *build = zp_build_open(kept);
    zo_status status = build == NULL
        ? ZO_NO_MEMORY
        : run(sources, source_count, def, kept, report, &(wanted){.build = build, .to = to, .export = &export});
    if (status != ZO_OK) {
        return status;
    }
    zp_program *program = zp_build_finish(build, def->allocator);
    if (program == NULL) {
        return ZO_NO_MEMORY;
    }
    if (posing->open(posing, program, def->allocator)) {
        export.write(export.context, posing, out);
    } else {
        status = ZO_NO_MEMORY;
    }
    posing->close(posing);
    zp_program_free(program);
    return zb_arena_failed(kept) || zb_arena_failed(zd_report_arena(report)) ? ZO_NO_MEMORY : status;
}

bool zf_schema(const char *format, zo_profile profile, zo_write_fn write, void *context) {
    const zf_reader *reader = zf_reader_find(format);
    if (reader == NULL || reader->object == NULL) {
        return false;
    }
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zf_put_schema(&out, &reader->format, reader->object, profile);
    const bool written = !zb_arena_failed(&arena) && write(context, out.data, out.size);
    zb_arena_close(&arena);
    return written;
}
