// See package.h. libzip reads the directory and unpacks; before it is let near the bytes, the end of the directory is
// looked at here, because libzip makes room for as many entries as that claims.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "host/package.h"
#include "host/picture.h"

enum { END_SIZE = 22, COMMENT_MAX = 65535, LARGE_END_SIZE = 20 }; // bytes, of the directory's end
static const size_t ARCHIVE_MAX = (size_t)64 << 20;
static const char manifest[] = "manifest.json";
const char pet_package_format[] = "pet-package";

bool pet_package_is(const void *bytes, size_t size) {
    return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static bool fail(pet_package *p, const char *fault) {
    snprintf(p->fault, sizeof p->fault, "%s", fault);
    p->archive.fault = p->fault;
    return false;
}

// What looks like the end of a directory must not claim too much, wherever it is: nobody knows which one will be
// believed.
static bool look_at_end(pet_package *p, const uint8_t *bytes, size_t size) {
    if (size > ARCHIVE_MAX) { return fail(p, "it has more than 64 MiB"); }
    const size_t back = size < END_SIZE + COMMENT_MAX ? size : END_SIZE + COMMENT_MAX;
    bool found = false;
    for (size_t at = size - back; at + END_SIZE <= size; at++) {
        const uint8_t *end = bytes + at;
        if (memcmp(end, "PK\5\6", 4) != 0) { continue; }
        found = true;
        if (at >= LARGE_END_SIZE && memcmp(end - LARGE_END_SIZE, "PK\6\7", 4) == 0) {
            return fail(p, "it is of the large form ZIP64");
        }
        const uint32_t here = (uint32_t)end[8] | (uint32_t)end[9] << 8,
            all = (uint32_t)end[10] | (uint32_t)end[11] << 8;
        const uint32_t count = here > all ? here : all;
        if (count > PET_PACKAGE_ENTRIES_MAX) {
            p->archive.claimed_count = count;
            return false;
        }
    }
    return found || fail(p, "its directory is missing, so it may be cut off");
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

// false: no memory.
static bool list_entry(pet_package *p, zip_t *zip, uint32_t index) {
    zo_entry *e = &p->entries[index];
    zip_stat_t status;
    zip_stat_init(&status);
    const char *name = zip_get_name(zip, index, ZIP_FL_ENC_RAW);
    p->names[index] = strdup(name != NULL ? name : "");
    if (p->names[index] == NULL) { return false; }
    e->name = (zo_text){p->names[index], strlen(p->names[index])};
    if (zip_stat_index(zip, index, 0, &status) != 0) {
        e->flags = ZO_ENTRY_DAMAGED;
        return true;
    }
    e->size = (status.valid & ZIP_STAT_SIZE) ? status.size : 0;
    e->flags = flags_of(zip, index, &status);
    return true;
}

static void damage(pet_package *p, uint32_t index, const char *text) {
    p->entries[index].flags |= ZO_ENTRY_DAMAGED;
    snprintf(p->damages[index], sizeof p->damages[index], "%s", text);
    p->entries[index].damage = p->damages[index];
}

// Counts what comes out instead of trusting anybody, and stops one byte behind what was said. false: no memory.
static bool unpack_entry(pet_package *p, zip_t *zip, uint32_t index) {
    zo_entry *e = &p->entries[index];
    const size_t room = (size_t)e->size + 1; // the size is within the limits, else it was not wanted
    uint8_t *data = malloc(room);
    if (data == NULL) { return false; }
    zip_file_t *file = zip_fopen_index(zip, index, 0);
    if (file == NULL) {
        damage(p, index, zip_strerror(zip));
        free(data);
        return true;
    }
    size_t got = 0;
    zip_int64_t more = 1;
    while (got < room && (more = zip_fread(file, data + got, room - got)) > 0) { got += (size_t)more; }
    const int error = zip_error_code_zip(zip_file_get_error(file));
    if (more < 0 && !(error == ZIP_ER_INCONS && got < e->size)) { // that one is less than was said, and told as such
        damage(p, index, error == ZIP_ER_CRC ? "its checksum is another one" : zip_file_strerror(file));
    } else {
        e->flags |= ZO_ENTRY_UNPACKED;
        e->real_size = got;
        if (got == e->size) { e->picture = picture_look(data, got); }
    }
    zip_fclose(file);
    p->contents[index] = (pet_bytes){data, got};
    return true;
}

static bool read_entries(pet_package *p, zip_t *zip) {
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    bool wanted[PET_PACKAGE_ENTRIES_MAX];
    if (count < 0 || count > PET_PACKAGE_ENTRIES_MAX) {
        p->archive.claimed_count = count < 0 ? 0 : (uint64_t)count;
        return true;
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        if (!list_entry(p, zip, i)) { return false; }
    }
    p->archive.entry_count = (uint32_t)count;
    zo_package_want(&p->archive, wanted);
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        if (wanted[i] && (p->entries[i].flags & ZO_ENTRY_DAMAGED) == 0 && !unpack_entry(p, zip, i)) { return false; }
        const zo_entry *e = &p->entries[i];
        const bool whole = (e->flags & ZO_ENTRY_UNPACKED) && e->real_size == e->size;
        if (whole && strcmp(p->names[i], manifest) == 0) {
            p->manifest = (zo_source){.name = p->manifest_name, .bytes = p->contents[i].data, .size = (size_t)e->size};
        }
    }
    return true;
}

static bool read_archive(pet_package *p, const void *bytes, size_t size) {
    if (!look_at_end(p, bytes, size)) { return true; }
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(bytes, size, 0, &error);
    zip_t *zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    bool fine = true;
    if (zip != NULL) {
        fine = read_entries(p, zip);
        zip_discard(zip);
    } else {
        fail(p, zip_error_strerror(&error));
        zip_source_free(source); // NULL is no harm; once opened it is the archive's
    }
    zip_error_fini(&error);
    return fine;
}

pet_package *pet_package_open(const char *name, const void *bytes, size_t size) {
    pet_package *p = calloc(1, sizeof *p);
    const size_t room = strlen(name) + sizeof manifest + 1;
    if (p != NULL) { p->manifest_name = malloc(room); }
    if (p != NULL && p->manifest_name != NULL) {
        snprintf(p->manifest_name, room, "%s/%s", name, manifest);
        p->archive = (zo_archive){.name = name, .entries = p->entries};
        p->manifest = (zo_source){.name = p->manifest_name, .kind = ZO_SOURCE_MISSING};
        if (read_archive(p, bytes, size)) { return p; }
    }
    pet_package_free(p);
    return NULL;
}

void pet_package_free(pet_package *p) {
    if (p == NULL) { return; }
    for (uint32_t i = 0; i < PET_PACKAGE_ENTRIES_MAX; i++) {
        free(p->contents[i].data);
        free(p->names[i]);
    }
    free(p->manifest_name);
    free(p);
}

int pet_package_picture(const pet_package *p, const char *id) {
    for (uint32_t i = 0; i < p->archive.entry_count; i++) {
        const zo_picture_info *picture = &p->entries[i].picture;
        if (picture->kind != ZO_PICTURE_OTHER && strlen(id) == 16 && strncmp(picture->sha256, id, 16) == 0) {
            return (int)i;
        }
    }
    return -1;
}

// ------------------------------------------------------------------------------------------------------------- writing

static const zip_uint16_t first_day = 1 << 5 | 1; // 1 January 1980, where the count of days begins

static int by_name(const void *a, const void *b) {
    return strcmp(((const pet_packed *)a)->name, ((const pet_packed *)b)->name);
}

static bool add_file(zip_t *zip, const pet_packed *file) {
    zip_source_t *source = zip_source_buffer(zip, file->bytes, file->size, 0);
    if (source == NULL) { return false; }
    const zip_int64_t index = zip_file_add(zip, file->name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    const zip_uint64_t at = (zip_uint64_t)index;
    return zip_set_file_compression(zip, at, file->stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, file->stored ? 0 : 9) == 0 &&
           zip_file_set_dostime(zip, at, 0, first_day, 0) == 0 &&
           zip_file_set_external_attributes(zip, at, 0, ZIP_OPSYS_UNIX, (zip_uint32_t)0100644 << 16) == 0;
}

static bool take_bytes(zip_source_t *source, pet_bytes *bytes) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(source, &status) != 0 || !(status.valid & ZIP_STAT_SIZE) || zip_source_open(source) != 0) {
        return false;
    }
    *bytes = (pet_bytes){malloc((size_t)status.size + 1), (size_t)status.size};
    const bool fine = bytes->data != NULL &&
                      zip_source_read(source, bytes->data, status.size) == (zip_int64_t)status.size;
    zip_source_close(source);
    if (!fine) {
        free(bytes->data);
        *bytes = (pet_bytes){0};
    }
    return fine;
}

bool pet_package_write(const pet_packed *files, uint32_t count, pet_bytes *bytes) {
    *bytes = (pet_bytes){0};
    pet_packed *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (sorted == NULL) { return false; }
    if (count > 0) { memcpy(sorted, files, count * sizeof *sorted); }
    qsort(sorted, count, sizeof *sorted, by_name);
    const bool fine = pet_package_write_as_given(sorted, count, bytes);
    free(sorted);
    return fine;
}

bool pet_package_write_as_given(const pet_packed *files, uint32_t count, pet_bytes *bytes) {
    *bytes = (pet_bytes){0};
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = source != NULL ? zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error) : NULL;
    bool fine = zip != NULL;
    if (fine) {
        zip_source_keep(source); // closing the archive lets go of it, and it is read then
        for (uint32_t i = 0; fine && i < count; i++) { fine = add_file(zip, &files[i]); }
        fine = fine && zip_close(zip) == 0;
        if (!fine) { zip_discard(zip); }
        fine = fine && take_bytes(source, bytes);
    }
    zip_source_free(source);
    zip_error_fini(&error);
    return fine;
}
