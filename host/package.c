// See package.h. What a package may hold is for the library to say; that an archive is one at all, for archive.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "host/archive_zip.h"
#include "host/package.h"
#include "host/picture.h"

static const char manifest[] = "manifest.json";
const char pet_package_format[] = "pet-package";

bool pet_package_is(const void *bytes, size_t size) { return archive_is(bytes, size); }

static bool fail(pet_package *p, const char *fault) {
    snprintf(p->fault, sizeof p->fault, "%s", fault);
    p->archive.fault = p->fault;
    return false;
}

static bool look_at_end(pet_package *p, const uint8_t *bytes, size_t size) {
    uint64_t claimed = 0;
    const char *fault = archive_end_fault(bytes, size, PET_PACKAGE_ENTRIES_MAX, &claimed);
    p->archive.claimed_count = claimed;
    return claimed == 0 && (fault == NULL || fail(p, fault));
}

// ------------------------------------------------------------------------------------------------------------- entries

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
    e->flags = archive_entry_flags(zip, index, &status);
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
