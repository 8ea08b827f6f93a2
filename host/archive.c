// See archive.h. libzip reads the directory and unpacks; before it is let near the bytes, the end of the directory is
// looked at here, because libzip makes room for as many entries as that claims. Names are taken from the directory
// itself: libzip hides zero bytes in them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "host/archive.h"

enum { END_SIZE = 22, COMMENT_MAX = 65535, LARGE_END_SIZE = 20, HEAD_SIZE = 46 }; // bytes

bool archive_is(const void *bytes, size_t size) {
    return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static bool fail(archive *a, const char *fault) {
    snprintf(a->fault, sizeof a->fault, "%s", fault);
    return false;
}

static uint32_t get_16(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }
static uint32_t get_32(const uint8_t *bytes) { return get_16(bytes) | get_16(bytes + 2) << 16; }

// ------------------------------------------------------------------------------------------------- the directory's end

// Where the search for ends begins: as far back as a comment may be long.
static size_t first_end(size_t size) { return size < END_SIZE + COMMENT_MAX ? 0 : size - (END_SIZE + COMMENT_MAX); }

static bool is_end(const uint8_t *bytes, size_t size, size_t at) {
    return at + END_SIZE <= size && memcmp(bytes + at, "PK\5\6", 4) == 0;
}

// What looks like the end of a directory must not claim too much, wherever it is: nobody knows which one will be
// believed.
static bool look_at_ends(archive *a, const uint8_t *bytes, size_t size, uint32_t entries_max) {
    bool found = false;
    for (size_t at = first_end(size); at + END_SIZE <= size; at++) {
        if (!is_end(bytes, size, at)) { continue; }
        found = true;
        if (at >= LARGE_END_SIZE && memcmp(bytes + at - LARGE_END_SIZE, "PK\6\7", 4) == 0) {
            return fail(a, "it is of the large form ZIP64");
        }
        const uint32_t here = get_16(bytes + at + 8), all = get_16(bytes + at + 10);
        const uint32_t count = here > all ? here : all;
        if (count > entries_max) {
            a->claimed_count = count;
            return false;
        }
    }
    return found || fail(a, "its directory is missing, so it may be cut off");
}

// ------------------------------------------------------------------------------------------------------------- entries

static uint32_t flags_of(zip_t *zip, zip_uint64_t index, const zip_stat_t *status) {
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

// libzip makes spaces of zero bytes.
static bool is_the_same(const char *known, const char *name, size_t size) {
    bool same = strlen(known) == size;
    for (size_t i = 0; i < size && same; i++) { same = known[i] == (name[i] != 0 ? name[i] : ' '); }
    return same;
}

// Whether the directory at that place is the one that libzip believes; then the names are copied from it.
// *memory false: there was none.
static bool copy_names(archive *a, const uint8_t *bytes, size_t size, size_t at, bool *memory) {
    for (uint32_t i = 0; i < a->entry_count; i++) {
        if (at > size || size - at < HEAD_SIZE || memcmp(bytes + at, "PK\1\2", 4) != 0) { return false; }
        const uint32_t name = get_16(bytes + at + 28);
        const size_t next = HEAD_SIZE + name + get_16(bytes + at + 30) + get_16(bytes + at + 32);
        const char *known = zip_get_name(a->zip, i, ZIP_FL_ENC_RAW), *text = (const char *)bytes + at + HEAD_SIZE;
        if (next > size - at) { return false; }
        if (!is_the_same(known != NULL ? known : "", text, name)) { return false; }
        char *copy = malloc(name + (size_t)1);
        if (copy == NULL) {
            *memory = false;
            return false;
        }
        memcpy(copy, text, name);
        copy[name] = 0;
        free((char *)(uintptr_t)a->entries[i].name.data);
        a->entries[i].name = (zo_text){copy, name};
        at += next;
    }
    return true;
}

// Before the directory there may be anything, so its place is also counted from its end.
static bool read_names(archive *a, const uint8_t *bytes, size_t size, bool *memory) {
    for (size_t at = first_end(size); at + END_SIZE <= size && *memory; at++) {
        if (!is_end(bytes, size, at) || get_16(bytes + at + 10) != a->entry_count) { continue; }
        const size_t length = get_32(bytes + at + 12), offset = get_32(bytes + at + 16);
        if (copy_names(a, bytes, size, offset, memory)) { return true; }
        if (*memory && length <= at && copy_names(a, bytes, size, at - length, memory)) { return true; }
    }
    return false;
}

static void read_entry(archive *a, uint32_t index) {
    archive_entry *e = &a->entries[index];
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(a->zip, index, 0, &status) != 0) {
        e->flags = ZO_ENTRY_DAMAGED;
        return;
    }
    e->size = (status.valid & ZIP_STAT_SIZE) ? status.size : 0;
    e->flags = flags_of(a->zip, index, &status);
}

static bool read_entries(archive *a, const uint8_t *bytes, size_t size, uint32_t entries_max) { // false: no memory
    const zip_int64_t count = zip_get_num_entries(a->zip, 0);
    bool memory = true;
    if (count < 0 || count > entries_max) {
        a->claimed_count = count < 0 ? 0 : (uint64_t)count;
        return true;
    }
    a->entries = calloc((size_t)count + 1, sizeof *a->entries);
    if (a->entries == NULL) { return false; }
    a->entry_count = (uint32_t)count;
    if (!read_names(a, bytes, size, &memory)) {
        a->entry_count = memory ? 0 : a->entry_count;
        if (memory) { fail(a, "its directory contradicts itself"); }
        return memory;
    }
    for (uint32_t i = 0; i < a->entry_count; i++) { read_entry(a, i); }
    return true;
}

static bool read(archive *a, const void *bytes, size_t size, uint32_t entries_max) { // false: no memory
    if (!look_at_ends(a, bytes, size, entries_max)) { return true; }
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &error);
    a->zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    const bool memory = a->zip != NULL || zip_error_code_zip(&error) != ZIP_ER_MEMORY;
    if (a->zip == NULL) {
        fail(a, zip_error_strerror(&error));
        zip_source_free(source); // NULL is no harm; once opened it is the archive's
    }
    zip_error_fini(&error);
    return memory && (a->zip == NULL || read_entries(a, bytes, size, entries_max));
}

archive *archive_open(const void *bytes, size_t size, uint32_t entries_max) {
    archive *a = calloc(1, sizeof *a);
    if (a != NULL && read(a, bytes, size, entries_max)) { return a; }
    archive_free(a);
    return NULL;
}

void archive_close(archive *a) {
    if (a->zip != NULL) { zip_discard(a->zip); }
    a->zip = NULL;
}

void archive_free(archive *a) {
    if (a == NULL) { return; }
    archive_close(a);
    for (uint32_t i = 0; a->entries != NULL && i < a->entry_count; i++) {
        free((char *)(uintptr_t)a->entries[i].name.data);
        free(a->entries[i].bytes);
    }
    free(a->entries);
    free(a);
}

bool archive_is_folder(const archive_entry *entry) {
    return entry->size == 0 && entry->name.size > 1 && entry->name.data[entry->name.size - 1] == '/';
}

// ----------------------------------------------------------------------------------------------------------- unpacking

static void damage(archive_entry *e, const char *text) {
    e->flags |= ZO_ENTRY_DAMAGED;
    snprintf(e->damage, sizeof e->damage, "%s", text);
}

// Counts what comes out instead of trusting anybody, and stops one byte behind what was said.
bool archive_unpack(archive *a, uint32_t index) {
    archive_entry *e = &a->entries[index];
    const size_t room = (size_t)e->size + 1;
    if (e->bytes != NULL || a->zip == NULL || (e->flags & ZO_ENTRY_DAMAGED) != 0) { return true; }
    uint8_t *data = malloc(room);
    if (data == NULL) { return false; }
    zip_file_t *file = zip_fopen_index(a->zip, index, 0);
    if (file == NULL) {
        damage(e, zip_strerror(a->zip));
        free(data);
        return true;
    }
    size_t got = 0;
    zip_int64_t more = 1;
    while (got < room && (more = zip_fread(file, data + got, room - got)) > 0) { got += (size_t)more; }
    const int error = zip_error_code_zip(zip_file_get_error(file));
    if (more < 0 && !(error == ZIP_ER_INCONS && got < e->size)) { // that one is less than was said, and told as such
        damage(e, error == ZIP_ER_CRC ? "its checksum is another one" : zip_file_strerror(file));
    } else {
        e->flags |= ZO_ENTRY_UNPACKED;
        e->real_size = got;
    }
    zip_fclose(file);
    e->bytes = data;
    return true;
}
