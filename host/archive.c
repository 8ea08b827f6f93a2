// See archive.h. libzip reads the directory and unpacks.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zoetrope/zoetrope.h>

#include "host/archive_zip.h"
#include "host/store_name.h"

enum { END_SIZE = 22, COMMENT_MAX = 65535, LARGE_END_SIZE = 20 }; // bytes, of the directory's end
enum { SHOWN_MAX = 120 };                                         // bytes of a name that a message shows

bool archive_is(const void *bytes, size_t size) {
    return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

// What looks like the end of a directory must not claim too much, wherever it is: nobody knows which one will be
// believed.
const char *archive_end_fault(const uint8_t *bytes, size_t size, uint32_t entries_max, uint64_t *claimed) {
    *claimed = 0;
    if (size > ARCHIVE_SIZE_MAX) { return "it has more than 64 MiB"; }
    const size_t back = size < END_SIZE + COMMENT_MAX ? size : END_SIZE + COMMENT_MAX;
    bool found = false;
    for (size_t at = size - back; at + END_SIZE <= size; at++) {
        const uint8_t *end = bytes + at;
        if (memcmp(end, "PK\5\6", 4) != 0) { continue; }
        found = true;
        if (at >= LARGE_END_SIZE && memcmp(end - LARGE_END_SIZE, "PK\6\7", 4) == 0) {
            return "it is of the large form ZIP64";
        }
        const uint32_t here = (uint32_t)end[8] | (uint32_t)end[9] << 8,
            all = (uint32_t)end[10] | (uint32_t)end[11] << 8;
        const uint32_t count = here > all ? here : all;
        if (count > entries_max) {
            *claimed = count;
            return "it has too many entries";
        }
    }
    return found ? NULL : "its directory is missing, so it may be cut off";
}

uint32_t archive_entry_flags(zip_t *zip, zip_uint64_t index, const zip_stat_t *status) {
    uint32_t flags = 0;
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if ((status->valid & ZIP_STAT_ENCRYPTION_METHOD) && status->encryption_method != ZIP_EM_NONE) {
        flags |= ZO_ENTRY_ENCRYPTED;
    }
    if (!(status->valid & ZIP_STAT_COMP_METHOD) ||
        (status->comp_method != ZIP_CM_STORE && status->comp_method != ZIP_CM_DEFLATE)) {
        flags |= ZO_ENTRY_METHOD;
    }
    if (zip_file_get_external_attributes(zip, index, 0, &system, &attributes) == 0 &&
        (system == ZIP_OPSYS_UNIX || system == ZIP_OPSYS_OS_X)) {
        const uint32_t type = attributes >> 16 & 0170000;
        flags |= type != 0 && type != 0100000 && type != 0040000 ? ZO_ENTRY_LINK : 0;
    }
    return flags;
}

// ---- All files of one ----

static store_status fail(store_error *error, store_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static store_status fail(store_error *error, store_status status, const char *format, ...) {
    va_list list;
    *error = (store_error){.status = status};
    va_start(list, format);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    return status;
}

static store_status no_memory(store_error *error) { return fail(error, STORE_NO_MEMORY, "not enough memory"); }

// A name may hold whatever does something to a terminal.
static const char *shown(const char *name, char text[SHOWN_MAX + 1]) {
    snprintf(text, SHOWN_MAX + 1, "%s", name);
    for (char *at = text; *at != 0; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7F) { *at = '?'; }
    }
    return text;
}

static store_status look_at_entry(zip_t *zip, zip_uint64_t index, const char *name, zip_stat_t *status,
                                  store_error *error) {
    char text[SHOWN_MAX + 1];
    zip_stat_init(status);
    if (zip_stat_index(zip, index, 0, status) != 0 || !(status->valid & ZIP_STAT_SIZE)) {
        return fail(error, STORE_INVALID, "the entry '%s' of the archive is damaged", shown(name, text));
    }
    const uint32_t flags = archive_entry_flags(zip, index, status);
    const char *what = (flags & ZO_ENTRY_LINK)        ? "is a link or no ordinary file"
                       : (flags & ZO_ENTRY_ENCRYPTED) ? "is encrypted"
                       : (flags & ZO_ENTRY_METHOD)    ? "is compressed in a way that is not read here"
                                                      : NULL;
    if (what != NULL) {
        return fail(error, STORE_INVALID, "the entry '%s' of the archive %s", shown(name, text), what);
    }
    return STORE_OK;
}

// Lists the files, and looks at every one of them before any is unpacked.
static store_status list_files(zip_t *zip, archive *a, zip_uint64_t *indexes, store_error *error) {
    char text[SHOWN_MAX + 1];
    uint64_t whole = 0;
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t status;
        const char *name = zip_get_name(zip, (zip_uint64_t)i, ZIP_FL_ENC_GUESS);
        char *copy = strdup(name != NULL ? name : "");
        if (copy == NULL) { return no_memory(error); }
        store_file *file = &a->files[a->count];
        indexes[a->count++] = (zip_uint64_t)i;
        file->name = copy; // given back with the rest, whatever becomes of it
        const size_t size = strlen(copy);
        const bool is_folder = size > 1 && copy[size - 1] == '/';
        if (is_folder) { copy[size - 1] = 0; }
        if (!store_name_is_good(copy)) {
            return fail(error, STORE_INVALID, "the entry '%s' of the archive has no name that a file may have",
                        shown(copy, text));
        }
        const store_status looked = look_at_entry(zip, (zip_uint64_t)i, copy, &status, error);
        if (looked != STORE_OK) { return looked; }
        if (is_folder) {
            free(copy);
            file->name = NULL;
            a->count--;
            continue;
        }
        if (status.size > ARCHIVE_UNPACKED_MAX || (whole += status.size) > ARCHIVE_UNPACKED_MAX) {
            return fail(error, STORE_LIMIT, "the entry '%s' of the archive is one too many: more than %d MiB in all",
                        shown(copy, text), ARCHIVE_UNPACKED_MAX >> 20);
        }
        file->size = status.size;
    }
    return a->count > 0 ? STORE_OK : fail(error, STORE_INVALID, "the archive has no files");
}

// Counts what comes out instead of trusting anybody, and stops one byte behind what was said.
static store_status unpack(zip_t *zip, zip_uint64_t index, store_file *file, store_error *error) {
    char text[SHOWN_MAX + 1];
    const size_t room = (size_t)file->size + 1;
    uint8_t *bytes = malloc(room);
    if (bytes == NULL) { return no_memory(error); }
    file->bytes = bytes;
    zip_file_t *from = zip_fopen_index(zip, index, 0);
    size_t got = 0;
    zip_int64_t more = from != NULL ? 1 : -1;
    while (got < room && more > 0 && (more = zip_fread(from, bytes + got, room - got)) > 0) { got += (size_t)more; }
    if (from != NULL) { zip_fclose(from); }
    if (more < 0 || got != file->size) {
        return fail(error, STORE_INVALID, "the entry '%s' of the archive is damaged, or not as large as it says",
                    shown(file->name, text));
    }
    return STORE_OK;
}

static store_status read_all(zip_t *zip, archive *a, store_error *error) {
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    if (count < 0 || count > STORE_FILES_MAX) { return fail(error, STORE_LIMIT, "the archive has too many entries"); }
    a->files = calloc((size_t)count + 1, sizeof *a->files);
    zip_uint64_t *indexes = calloc((size_t)count + 1, sizeof *indexes);
    store_status status = a->files != NULL && indexes != NULL ? list_files(zip, a, indexes, error) : no_memory(error);
    for (uint32_t i = 0; i < a->count && status == STORE_OK; i++) {
        status = unpack(zip, indexes[i], &a->files[i], error);
    }
    free(indexes);
    return status;
}

store_status archive_open(const void *bytes, size_t size, archive *a, store_error *error) {
    uint64_t claimed = 0;
    *a = (archive){0};
    *error = (store_error){0};
    const char *fault = archive_end_fault(bytes, size, STORE_FILES_MAX, &claimed);
    if (fault != NULL) { return fail(error, claimed > 0 ? STORE_LIMIT : STORE_INVALID, "the archive: %s", fault); }
    zip_error_t said;
    zip_error_init(&said);
    zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &said);
    zip_t *zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY, &said) : NULL;
    store_status status;
    if (zip != NULL) {
        status = read_all(zip, a, error);
        zip_discard(zip);
    } else {
        status = fail(error, STORE_INVALID, "the archive: %s", zip_error_strerror(&said));
        zip_source_free(source); // NULL is no harm; once opened it is the archive's
    }
    zip_error_fini(&said);
    return status;
}

void archive_free(archive *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        free((char *)(uintptr_t)a->files[i].name);
        free((void *)(uintptr_t)a->files[i].bytes);
    }
    free(a->files);
    *a = (archive){0};
}
