// See package.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "host/package.h"
#include "host/picture.h"

static const size_t ARCHIVE_MAX = (size_t)64 << 20;
static const char manifest[] = "manifest.json";
const char pet_package_format[] = "pet-package";

// ------------------------------------------------------------------------------------------------------------- reading

static void tell_entry(pet_package *p, uint32_t index) {
    const archive_entry *from = &p->zip->entries[index];
    p->entries[index] = (zo_entry){.name = from->name, .size = from->size, .real_size = from->real_size,
                                   .flags = from->flags, .damage = from->damage[0] != 0 ? from->damage : NULL};
}

static bool read_entries(pet_package *p) { // false: no memory
    bool wanted[PET_PACKAGE_ENTRIES_MAX];
    p->archive.claimed_count = p->zip->claimed_count;
    p->archive.fault = p->zip->fault[0] != 0 ? p->zip->fault : NULL;
    for (uint32_t i = 0; i < p->zip->entry_count; i++) { tell_entry(p, i); }
    p->archive.entry_count = p->zip->entry_count;
    zo_package_want(&p->archive, wanted);
    for (uint32_t i = 0; i < p->zip->entry_count; i++) {
        zo_entry *e = &p->entries[i];
        if (wanted[i] && !archive_unpack(p->zip, i)) { return false; }
        tell_entry(p, i);
        if (!(e->flags & ZO_ENTRY_UNPACKED) || e->real_size != e->size) { continue; }
        const uint8_t *bytes = p->zip->entries[i].bytes;
        e->picture = picture_look(bytes, (size_t)e->size);
        if (strcmp(e->name.data, manifest) == 0) {
            p->manifest = (zo_source){.name = p->manifest_name, .bytes = bytes, .size = (size_t)e->size};
        }
    }
    archive_close(p->zip);
    return true;
}

static bool read_archive(pet_package *p, const void *bytes, size_t size) { // false: no memory
    if (size > ARCHIVE_MAX) {
        p->archive.fault = "it has more than 64 MiB";
        return true;
    }
    p->zip = archive_open(bytes, size, PET_PACKAGE_ENTRIES_MAX);
    return p->zip != NULL && read_entries(p);
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
    archive_free(p->zip);
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
