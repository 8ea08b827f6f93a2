// See content.h: what files are. Their names are judged before anything else is; then they are told apart by their
// first bytes and their names, and compiled; what is told of them afterwards is read off the program and the document.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"
#include "host/content_inside.h"
#include "host/json.h"
#include "host/petween_pet.h"
#include "host/picture.h"
#include "host/store_name.h"

enum { WORDS_MAX = 65536, CLIPS_MAX = 256 }; // what a thing is found by
static const char unnamed[] = "<given>"; // as a source; such a file is stored without a name

// ------------------------------------------------------------------------------------------------------ what was given

// Why a file may not be called so, a clause; NULL: it may.
static const char *fault_of_name(const char *name) {
    if (*name == 0) { return "it has no name"; }
    if (*name == '/') { return "it begins at the root of a disk"; }
    if (strlen(name) > STORE_NAME_MAX) { return "it is too long"; }
    for (const char *at = name; *at != 0; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '\\') { return "it has a backslash"; }
        if (c == ':') { return "it has a colon, as the letter of a drive does"; }
        if (c < 0x20 || c == 0x7F) { return "it has a control character"; }
    }
    if (!cli_is_utf8(name)) { return "it is no UTF-8"; }
    return store_name_is_good(name) ? NULL : "it has a part that is empty, . or ..";
}

static store_status refuse_name(const char *name, const char *fault, store_error *error) {
    char shown[200]; // control characters could do anything to whoever reads it
    snprintf(shown, sizeof shown, "%.190s", name);
    for (char *at = shown; *at != 0; at++) { *at = (unsigned char)*at < 0x20 || *at == 0x7F ? '?' : *at; }
    return content_fail(error, STORE_INVALID, "'%s' cannot be the name of a file: %s", shown, fault);
}

static store_status check_name(const char *name, store_error *error) {
    const char *fault = fault_of_name(name);
    return fault == NULL ? STORE_OK : refuse_name(name, fault, error);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const store_file *)a)->name, ((const store_file *)b)->name);
}

// A name is whole in any case. false: two are the same.
static bool are_apart(content_keep *keep, const store_file *files, uint32_t count, const char **twice) {
    store_file *sorted = content_take(keep, sizeof *sorted * count);
    *twice = NULL;
    if (sorted == NULL) { return false; }
    memcpy(sorted, files, sizeof *sorted * count);
    qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < count && *twice == NULL; i++) {
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0) { *twice = sorted[i].name; }
    }
    return *twice == NULL;
}

store_status content_check_files(const store_file *files, uint32_t count, store_error *error) {
    if (count == 0) { return content_fail(error, STORE_INVALID, "no file was given"); }
    if (count > STORE_FILES_MAX) {
        return content_fail(error, STORE_LIMIT, "%u files are more than %d", (unsigned)count, STORE_FILES_MAX);
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = files[i].name != NULL ? files[i].name : "";
        const store_status status = *name == 0 && count == 1 ? STORE_OK : check_name(name, error);
        if (status != STORE_OK) { return status; }
        if (files[i].size > STORE_FILE_MAX) {
            return content_fail(error, STORE_LIMIT, "'%.200s' has more than %u MiB", name,
                                (unsigned)(STORE_FILE_MAX >> 20));
        }
        if (files[i].bytes == NULL && files[i].size > 0) {
            return content_fail(error, STORE_INVALID, "'%.200s' comes without its bytes", name);
        }
    }
    return STORE_OK;
}

// Copies the list, not the bytes. The manifest of a character pack comes first: of several that of the outermost
// folder.
static store_status take_files(content_looked *l, const store_file *files, uint32_t count, store_error *error) {
    store_file *own = content_take(&l->keep, sizeof *own * count);
    uint32_t first = 0;
    size_t best = SIZE_MAX;
    if (own == NULL) { return content_no_memory(error); }
    for (uint32_t i = 0; i < count; i++) {
        own[i] = (store_file){.name = content_copy(&l->keep, files[i].name != NULL ? files[i].name : ""),
                              .bytes = files[i].size > 0 ? files[i].bytes : "", .size = files[i].size};
        if (own[i].name == NULL) { return content_no_memory(error); }
        size_t depth = 0;
        for (const char *at = own[i].name; *at != 0; at++) { depth += *at == '/'; }
        if (beside_is_manifest(own[i].name) && depth < best) {
            first = i;
            best = depth;
        }
    }
    const store_file meant = own[first];
    memmove(own + 1, own, sizeof *own * first);
    own[0] = meant;
    const char *twice = NULL;
    if (!are_apart(&l->keep, own, count, &twice)) {
        return twice == NULL ? content_no_memory(error)
                             : content_fail(error, STORE_INVALID, "two files are called '%.200s'", twice);
    }
    l->thing.files = own;
    l->thing.file_count = count;
    return STORE_OK;
}

// ----------------------------------------------------------------------------------------------------------- compiling

// Of an animation that older rules let pass: if it is valid as it would be written today, that is what counts, else
// what is wrong with it as it is.
static store_status compile_mended(content_looked *l, const content_asking *asking, const zo_source *first,
                                   const zo_compile_def *def, store_error *error) {
    const zo_text text = content_mended(&l->keep, first->bytes, first->size);
    if (text.data == first->bytes || l->keep.failed) { return STORE_OK; }
    zo_report *before = l->thing.report;
    const zo_status status_before = l->thing.status;
    l->thing.report = NULL;
    zo_source source = *first;
    source.bytes = text.data;
    source.size = text.size;
    const store_status status = content_compile(l, asking, &source, def, error);
    l->thing.mended = l->borrows_itself = status == STORE_OK && l->thing.status == ZO_OK;
    if (status == STORE_OK && !l->thing.mended) {
        zo_report_free(l->thing.report);
        l->thing.report = before;
        l->thing.status = status_before;
    } else {
        zo_report_free(before);
    }
    return status;
}

static store_status compile(content_looked *l, const content_asking *asking, store_error *error) {
    const store_file *file = &l->thing.files[0];
    zo_compile_def def = l->def.compile;
    zo_source first = {.name = *file->name != 0 ? file->name : unnamed, .bytes = file->bytes,
                       .size = (size_t)file->size};
    if (asking->format != NULL && *asking->format != 0) { def.format = asking->format; }
    if (asking->area == STORE_PET || asking->area == STORE_CONFIG) { def.format = "pet"; }
    if (l->package != NULL) {
        first = l->package->manifest;
        l->borrows_itself = true;
        def.format = pet_package_format;
        def.archive = &l->package->archive;
    } else if (def.format == NULL && beside_is_manifest(file->name)) {
        def.format = beside_pack_format;
    }
    store_status status = content_compile(l, asking, &first, &def, error);
    const bool old = l->def.mend && status == STORE_OK && l->thing.status == ZO_INVALID &&
                     strcmp(zo_report_format(l->thing.report), "petween") == 0;
    if (old) { status = compile_mended(l, asking, &first, &def, error); }
    return status == STORE_OK && l->keep.failed ? content_no_memory(error) : status;
}

// -------------------------------------------------------------------------------------------------------- what is told

static void put_words(http_text *words, const char *text) {
    const size_t size = text != NULL ? strlen(text) : 0;
    if (size == 0 || words->size + size + 1 > WORDS_MAX) { return; }
    http_text_put(words, text, size);
    http_text_put(words, "\n", 1);
}

static const char *words_of(content_looked *l) {
    http_text words = {0};
    const zo_program *program = l->thing.program;
    zo_clip_info clip;
    zo_state_info state;
    put_words(&words, l->thing.files[0].name);
    for (uint32_t c = 1; c <= CLIPS_MAX && program != NULL && zo_clip_get(program, (zo_clip){c}, &clip); c++) {
        put_words(&words, clip.name);
        put_words(&words, clip.label);
    }
    for (uint32_t s = 1; s <= CLIPS_MAX && program != NULL && zo_state_get(program, (zo_state){s}, &state); s++) {
        put_words(&words, state.name);
        put_words(&words, state.group);
    }
    for (uint32_t i = 1; i < l->thing.file_count; i++) { put_words(&words, l->thing.files[i].name); }
    const char *text = content_copy_bytes(&l->keep, words.bytes, words.size);
    l->keep.failed = l->keep.failed || words.failed;
    http_text_free(&words);
    return text;
}

// The string of a member; NULL: it is none, or holds a zero byte.
static const char *text_of(content_keep *keep, const zo_document *document, uint32_t object, const char *name) {
    zo_value value;
    if (!zo_document_value(document, zo_document_member(document, object, name), &value) ||
        value.kind != ZO_VALUE_STRING || memchr(value.text.data, 0, value.text.size) != NULL) {
        return NULL;
    }
    return content_copy_bytes(keep, value.text.data, value.text.size);
}

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

static const struct { const char *format, *kind; } kinds[] = {
    {"motion-pack", "pack"},           {"pet-package", "package"},        {"pet", "pet"},
    {"enemy-animation", "clip"},       {"enemy-rig", "rig"},              {"forge-machine", "machine"},
    {"forge-draft-machine", "machine"}, {"forge-armature", "armature"},   {"forge-draft-animation", "clip"},
    {"forge-model", "model"},          {"b3d", "model"},                  {"b3d-source", "model"},
    {"character-pack-v1/runtime_manifest", "character"},
};

static const char *kind_of(const char *format) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].format, format) == 0) { return kinds[i].kind; }
    }
    return "";
}

static const char *id_of_name(content_looked *l, const char *name) {
    char id[STORE_ID_MAX + 1];
    return content_id_of_name(name, id) ? content_copy(&l->keep, id) : NULL;
}

// What the document itself says of its name and id.
static void tell_of_document(content_looked *l, const zo_source *source) {
    content_thing *thing = &l->thing;
    zo_document *document = content_open(&l->keep, source->bytes, source->size);
    petween_pet pet;
    const char *why = NULL;
    if (document == NULL) { return; }
    if (strcmp(thing->format, beside_pack_format) == 0) {
        thing->name = text_of(&l->keep, document, ZO_VALUE_ROOT, "displayName");
        const char *id = text_of(&l->keep, document, ZO_VALUE_ROOT, "id");
        thing->id = id != NULL ? id_of_name(l, id) : NULL;
    } else {
        thing->name = text_of(&l->keep, document, ZO_VALUE_ROOT, "name");
    }
    const bool is_pet = strcmp(thing->format, "pet") == 0 &&
                        petween_pet_read(document, &(petween_reading){0}, &pet, &why);
    if (thing->area == STORE_ANY_AREA) { thing->area = is_pet ? STORE_PET : STORE_ITEM; }
    if (thing->area == STORE_PET && is_pet) { thing->id = content_copy(&l->keep, pet.id); }
    zo_document_free(document);
}

content_told content_tell_animation(content_keep *keep, const zo_document *document, uint32_t value,
                                    const char *file) {
    zo_value duration;
    content_told told = {.id = text_of(keep, document, value, "id"),
                         .name = or_empty(text_of(keep, document, value, "name")),
                         .kind = or_empty(text_of(keep, document, value, "kind"))};
    if (zo_document_value(document, zo_document_member(document, value, "durationMs"), &duration) &&
        duration.number > 0.0 && duration.number < 1e12) {
        told.duration_ns = (int64_t)(duration.number * 1e6 + 0.5);
    }
    told.text = or_empty(content_words(keep, "%s\n%.*s\n%.*s\n", file, STORE_ID_MAX, or_empty(told.id),
                                       WORDS_MAX / 2, told.name));
    return told;
}

// An animation's id stands in it. One with errors may have one all the same.
static void tell_of_animation(content_looked *l, const zo_source *source) {
    content_thing *thing = &l->thing;
    zo_document *document = content_open(&l->keep, source->bytes, source->size);
    if (document == NULL) { return; }
    const content_told told = content_tell_animation(&l->keep, document, ZO_VALUE_ROOT, thing->files[0].name);
    thing->id = told.id;
    thing->id_is_its_own = told.id != NULL;
    thing->name = told.name;
    thing->kind = told.kind;
    thing->duration_ns = told.duration_ns;
    thing->text = told.text;
    zo_document_free(document);
}

// Whether it is a pack by its own word.
static bool is_pack(content_looked *l) {
    static const char pack_format[] = "motion-pack";
    const store_file *file = &l->thing.files[0];
    const char *format = l->def.compile.format;
    char text[16];
    if (format != NULL && strcmp(format, pack_format) != 0) { return false; }
    zo_document *document = content_open(&l->keep, file->bytes, (size_t)file->size);
    const bool is = document != NULL && content_ascii_at(document, "/format", text, sizeof text) &&
                    strcmp(text, pack_format) == 0;
    zo_document_free(document);
    return is;
}

static void tell_of_pack(content_looked *l) {
    l->thing.shape = CONTENT_PACK;
    l->thing.area = STORE_ITEM;
    l->thing.format = "motion-pack";
    l->thing.kind = kind_of(l->thing.format);
    l->thing.name = beside_last_part(l->thing.files[0].name);
    l->thing.text = l->thing.files[0].name;
}

static void tell(content_looked *l, const content_asking *asking) {
    content_thing *thing = &l->thing;
    const store_file *file = &thing->files[0];
    zo_clip_info clip = {0};
    const bool has_clip = thing->program != NULL && zo_clip_get(thing->program, (zo_clip){1}, &clip);
    const zo_source source = l->package != NULL ? l->package->manifest
                                                : (zo_source){.bytes = file->bytes, .size = (size_t)file->size};
    const char *format = zo_report_format(thing->report);
    thing->area = asking->area;
    thing->format = content_copy(&l->keep, format);
    thing->kind = kind_of(format);
    thing->shape = strcmp(format, "motion-pack") == 0 ? CONTENT_PACK
                   : l->package != NULL               ? CONTENT_PACKAGE
                                                      : CONTENT_THING;
    if (thing->format == NULL) { return; }
    if (strcmp(format, "petween") == 0) {
        tell_of_animation(l, &source);
    } else if (source.bytes != NULL) {
        tell_of_document(l, &source);
    }
    if (thing->area == STORE_ANY_AREA) { thing->area = STORE_ITEM; }
    if (thing->area == STORE_CONFIG) { thing->id = "petween"; }
    if (thing->area == STORE_CONFIG || thing->area == STORE_PET) { thing->kind = ""; }
    if (thing->id == NULL && *file->name != 0) { thing->id = id_of_name(l, file->name); }
    if (thing->name == NULL || *thing->name == 0) { thing->name = beside_last_part(file->name); }
    if (thing->text != NULL) { return; }
    thing->duration_ns = has_clip && clip.duration_ns != INT64_MAX ? clip.duration_ns : 0;
    thing->text = words_of(l);
}

// ------------------------------------------------------------------------------------------------------------ pictures

static store_status look_at_picture(content_looked *l, const content_asking *asking, store_error *error) {
    content_thing *thing = &l->thing;
    const store_file *file = &thing->files[0];
    const char *name = *file->name != 0 ? file->name : unnamed;
    const zo_picture_info info = picture_look(file->bytes, (size_t)file->size);
    if (asking->area != STORE_ANY_AREA && asking->area != STORE_ASSET) {
        return content_fail(error, STORE_INVALID, "'%.200s' is a picture", name);
    }
    if (info.kind == ZO_PICTURE_OTHER) {
        return content_fail(error, STORE_INVALID, "'%.200s' is no PNG, WebP or JPEG picture that can be read", name);
    }
    thing->area = STORE_ASSET;
    thing->format = "";
    thing->kind = picture_mime(info.kind);
    thing->id = content_copy_bytes(&l->keep, info.sha256, 16);
    thing->id_is_its_own = true;
    thing->name = beside_last_part(file->name);
    thing->text = file->name;
    thing->width = info.width;
    thing->height = info.height;
    thing->status = ZO_OK;
    return l->keep.failed ? content_no_memory(error) : STORE_OK;
}

// ------------------------------------------------------------------------------------------------------------ archives

#define UNPACKED_MAX ((uint64_t)256 << 20) // bytes of all files of an archive

// Names first, whatever the archive is: one that tries to leave is told by its name, and nothing is unpacked.
static store_status check_names(const archive *zip, store_error *error) {
    if (zip->claimed_count > 0) {
        return content_fail(error, STORE_INVALID, "the archive claims %llu files, and %d are the most",
                            (unsigned long long)zip->claimed_count, STORE_FILES_MAX);
    }
    for (uint32_t i = 0; i < zip->entry_count; i++) {
        const zo_text name = zip->entries[i].name;
        const size_t size = name.size - archive_is_folder(&zip->entries[i]);
        char text[STORE_NAME_MAX + 2]; // of what is longer enough to be told so
        if (memchr(name.data, 0, name.size) != NULL) { return refuse_name(name.data, "it has a zero byte", error); }
        snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), name.data);
        const store_status status = check_name(text, error);
        if (status != STORE_OK) { return status; }
    }
    return STORE_OK;
}

// A pet package by its manifest, which lies outside of all folders; what has nothing in it is judged as one.
static bool is_package(const content_looked *l) {
    const char *format = l->def.compile.format;
    bool package = l->zip->entry_count == 0, character = false;
    if (format != NULL) { return strcmp(format, pet_package_format) == 0; }
    for (uint32_t i = 0; i < l->zip->entry_count; i++) {
        const char *name = l->zip->entries[i].name.data;
        package = package || strcmp(name, "manifest.json") == 0;
        character = character || beside_is_manifest(name);
    }
    return package && !character;
}

static store_status check_entries(const archive *zip, store_error *error) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < zip->entry_count; i++) {
        const archive_entry *e = &zip->entries[i];
        const char *fault = (e->flags & ZO_ENTRY_LINK) != 0        ? "is a link"
                            : (e->flags & ZO_ENTRY_ENCRYPTED) != 0 ? "is encrypted"
                            : (e->flags & ZO_ENTRY_METHOD) != 0    ? "is packed in a way that is not known here"
                            : (e->flags & ZO_ENTRY_DAMAGED) != 0   ? "is damaged"
                                                                   : NULL;
        if (fault != NULL) {
            return content_fail(error, STORE_INVALID, "'%.200s' in the archive %s", e->name.data, fault);
        }
        total = e->size > UNPACKED_MAX - total ? UNPACKED_MAX + 1 : total + e->size;
        if (total > UNPACKED_MAX) {
            return content_fail(error, STORE_INVALID, "the archive claims more than %u MiB with '%.200s'",
                                (unsigned)(UNPACKED_MAX >> 20), e->name.data);
        }
    }
    return STORE_OK;
}

static bool put_first(store_file *files, uint32_t count, const char *name) { // false: there is none
    for (uint32_t i = 0; i < count && name != NULL; i++) {
        if (strcmp(files[i].name, name) != 0) { continue; }
        const store_file meant = files[i];
        memmove(files + 1, files, i * sizeof *files);
        files[0] = meant;
        return true;
    }
    return name == NULL;
}

// The files of an archive in place of itself.
static store_status unpack(content_looked *l, store_error *error) {
    archive *zip = l->zip;
    store_status status = check_entries(zip, error);
    store_file *files = content_take(&l->keep, sizeof *files * zip->entry_count);
    uint32_t count = 0;
    if (files == NULL) { return content_no_memory(error); }
    for (uint32_t i = 0; i < zip->entry_count && status == STORE_OK; i++) {
        archive_entry *e = &zip->entries[i];
        if (archive_is_folder(e)) { continue; }
        if (!archive_unpack(zip, i)) { return content_no_memory(error); }
        if ((e->flags & ZO_ENTRY_DAMAGED) != 0 || e->real_size != e->size) {
            status = content_fail(error, STORE_INVALID, "'%.200s' in the archive is damaged: %s", e->name.data,
                                  e->damage[0] != 0 ? e->damage : "it has another size than it says");
        }
        files[count++] = (store_file){.name = e->name.data, .bytes = e->bytes, .size = e->size};
    }
    if (status == STORE_OK && count == 0) { status = content_fail(error, STORE_INVALID, "the archive has no files"); }
    if (status == STORE_OK && !put_first(files, count, l->def.first)) {
        status = content_fail(error, STORE_INVALID, "the archive has no file '%.200s'", l->def.first);
    }
    return status == STORE_OK ? take_files(l, files, count, error) : status;
}

static store_status open_package(content_looked *l, store_error *error) {
    const store_file *file = &l->thing.files[0];
    l->package = pet_package_open(*file->name != 0 ? file->name : unnamed, file->bytes, (size_t)file->size);
    return l->package != NULL ? STORE_OK : content_no_memory(error);
}

// A pet package, or the files of any other thing.
static store_status open_archive(content_looked *l, store_error *error) {
    const store_file *file = &l->thing.files[0];
    archive *zip = archive_open(file->bytes, (size_t)file->size, STORE_FILES_MAX);
    if (zip == NULL) { return content_no_memory(error); }
    l->zip = zip;
    store_status status = check_names(zip, error);
    if (status == STORE_OK && (zip->fault[0] != 0 || is_package(l))) {
        status = open_package(l, error);
    } else if (status == STORE_OK) {
        status = unpack(l, error);
        l->borrows_itself = true;
    }
    archive_close(zip);
    return status;
}

// ----------------------------------------------------------------------------------------------------------------- all

static store_status look(content_looked *l, const content_asking *asking, const store_file *files, uint32_t count,
                         store_error *error) {
    store_status status = take_files(l, files, count, error);
    if (status != STORE_OK) { return status; }
    const store_file *file = &l->thing.files[0];
    const bool one = count == 1 && (l->def.compile.format == NULL);
    if ((one && picture_kind(file->bytes, (size_t)file->size) != ZO_PICTURE_OTHER) || asking->area == STORE_ASSET) {
        return look_at_picture(l, asking, error);
    }
    if (count == 1 && archive_is(file->bytes, (size_t)file->size)) {
        status = open_archive(l, error);
    } else if (count == 1 && (asking->wishes & CONTENT_WISH_IMPORT) != 0 && is_pack(l)) {
        tell_of_pack(l);
        return STORE_OK;
    }
    if (status == STORE_OK) { status = compile(l, asking, error); }
    if (status == STORE_OK) { tell(l, asking); }
    return status == STORE_OK && l->keep.failed ? content_no_memory(error) : status;
}

store_status content_look_as(const content_asking *asking, const store_file *files, uint32_t count,
                             const content_def *def, content_thing **thing, store_error *error) {
    *error = (store_error){0};
    *thing = NULL;
    store_status status = content_check_files(files, count, error);
    if (status != STORE_OK) { return status; }
    content_looked *l = calloc(1, sizeof *l);
    if (l == NULL) { return content_no_memory(error); }
    l->def = def != NULL ? *def : (content_def){0};
    status = look(l, asking, files, count, error);
    if (status != STORE_OK) {
        content_thing_free(&l->thing);
        return status;
    }
    *thing = &l->thing;
    return STORE_OK;
}

store_status content_look(store_txn *txn, store_area area, const store_file *files, uint32_t count,
                          const content_def *def, content_thing **thing, store_error *error) {
    return content_look_as(&(content_asking){.txn = txn, .area = area}, files, count, def, thing, error);
}

void content_thing_free(content_thing *thing) {
    content_looked *l = (content_looked *)thing; // its first member
    if (l == NULL) { return; }
    zo_program_free(l->thing.program);
    zo_report_free(l->thing.report);
    pet_package_free(l->package);
    archive_free(l->zip);
    content_give_back(&l->keep);
    free(l);
}
