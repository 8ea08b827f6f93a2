// What is sent to the general interface to be stored, imported or looked at: a file as it is, or a zip of several. A
// zip and not a form of several parts: names with folders, their order and a checksum for each are in it, any tool
// makes one, and it is given back the same way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/package.h"
#include "host/picture.h"
#include "host/store_name.h"

#define UNPACKED_MAX ((uint64_t)128 << 20) // bytes of all files of an archive

// Why an entry may not be one of a thing's files, a clause; NULL: it may.
static const char *fault_of(const archive_entry *entry) {
    char name[STORE_NAME_MAX + 1] = "";
    const size_t size = entry->name.size - archive_is_folder(entry);
    if (size <= STORE_NAME_MAX && memchr(entry->name.data, 0, size) == NULL) { memcpy(name, entry->name.data, size); }
    if (!store_name_is_good(name)) { return "has no name that a file may have"; } // "" is none
    if ((entry->flags & ZO_ENTRY_LINK) != 0) { return "is a link or no ordinary file"; }
    if ((entry->flags & ZO_ENTRY_ENCRYPTED) != 0) { return "is encrypted"; }
    if ((entry->flags & ZO_ENTRY_METHOD) != 0) { return "is compressed in a way that is not read here"; }
    if ((entry->flags & ZO_ENTRY_DAMAGED) != 0) { return "is damaged"; }
    return NULL;
}

static bool refuse_entry(http_request *request, store_status status, const archive_entry *entry, const char *fault) {
    store_error error = {.status = status};
    snprintf(error.text, sizeof error.text, "the entry '%.200s' of the archive %s", entry->name.data, fault);
    for (char *at = error.text; *at != 0; at++) { // a name may hold whatever does something to a terminal
        if ((unsigned char)*at < 0x20 || *at == 0x7F) { *at = '?'; }
    }
    api_refuse(request, &error);
    return false;
}

// A pet package is an archive that is one thing: it stays as it is, and is judged with all its faults.
static bool is_package(http_request *request, const archive *zip) {
    const char *format = http_query(request, "format");
    bool is = false;
    if (format != NULL) { return strcmp(format, pet_package_format) == 0; }
    for (uint32_t i = 0; i < zip->entry_count; i++) {
        is = is || strcmp(zip->entries[i].name.data, "manifest.json") == 0;
    }
    return is;
}

// All of them are looked at before any is unpacked.
static bool unpack(http_request *request, api_sent *sent) {
    archive *zip = sent->zip;
    uint64_t whole = 0;
    for (uint32_t i = 0; i < zip->entry_count; i++) {
        const archive_entry *entry = &zip->entries[i];
        const char *fault = fault_of(entry);
        if (fault != NULL) { return refuse_entry(request, STORE_INVALID, entry, fault); }
        whole = entry->size <= UNPACKED_MAX ? whole + entry->size : UNPACKED_MAX + 1;
        if (whole > UNPACKED_MAX) {
            return refuse_entry(request, STORE_LIMIT, entry, "is one too many: more than 128 MiB in all");
        }
    }
    sent->unpacked = calloc((size_t)zip->entry_count + 1, sizeof *sent->unpacked);
    sent->files = sent->unpacked;
    sent->count = 0;
    for (uint32_t i = 0; i < zip->entry_count && sent->unpacked != NULL; i++) {
        const archive_entry *entry = &zip->entries[i];
        if (archive_is_folder(entry)) { continue; }
        if (!archive_unpack(zip, i)) {
            api_no_memory(request);
            return false;
        }
        if ((entry->flags & ZO_ENTRY_DAMAGED) != 0 || entry->real_size != entry->size) {
            return refuse_entry(request, STORE_INVALID, entry, "is damaged, or not as large as it says");
        }
        sent->unpacked[sent->count++] =
            (store_file){.name = entry->name.data, .bytes = entry->bytes, .size = entry->size};
    }
    if (sent->unpacked == NULL) { api_no_memory(request); }
    return sent->unpacked != NULL;
}

// Puts the file that ?first= names in front of the others.
static bool put_first(http_request *request, api_sent *sent) {
    const char *first = http_query(request, "first");
    if (first == NULL) { return true; }
    for (uint32_t i = 0; i < sent->count; i++) {
        if (strcmp(sent->unpacked[i].name, first) != 0) { continue; }
        const store_file meant = sent->unpacked[i];
        memmove(sent->unpacked + 1, sent->unpacked, i * sizeof *sent->unpacked);
        sent->unpacked[0] = meant;
        return true;
    }
    api_bad_parameter(request, "first", "names no file of the archive");
    return false;
}

static bool take_archive(http_request *request, api_sent *sent) {
    sent->zip = archive_open(sent->one.bytes, (size_t)sent->one.size, STORE_FILES_MAX);
    if (sent->zip == NULL) {
        api_no_memory(request);
        return false;
    }
    if (sent->zip->fault[0] != 0 || sent->zip->claimed_count > 0) {
        store_error error = {.status = STORE_INVALID};
        snprintf(error.text, sizeof error.text, "the archive: %s",
                 sent->zip->fault[0] != 0 ? sent->zip->fault : "it has too many entries");
        api_refuse(request, &error);
        return false;
    }
    if (is_package(request, sent->zip)) { return true; }
    return unpack(request, sent) && put_first(request, sent);
}

static bool name_it(http_request *request, const char *id, store_file *file) {
    const size_t room = STORE_ID_MAX + 8, size = (size_t)file->size;
    const zo_picture_kind kind = picture_kind(file->bytes, size);
    const bool is_json = strcmp(api_type_of("", file->bytes, size), "application/json") == 0;
    const char *ending = archive_is(file->bytes, size) ? "zip"
                         : kind != ZO_PICTURE_OTHER    ? picture_ending(kind)
                         : is_json                     ? "json"
                                                       : "bin";
    char *name = http_alloc(request, room);
    if (name == NULL) {
        api_no_memory(request);
        return false;
    }
    snprintf(name, room, "%.*s.%s", STORE_ID_MAX, id[0] != 0 ? id : "document", ending);
    for (char *at = name; *at != 0; at++) { *at = *at == ':' ? '_' : *at; }
    file->name = name;
    return true;
}

bool api_take(http_request *request, const char *id, api_sent *sent) {
    const http_bytes body = http_body_of(request);
    *sent = (api_sent){.count = 1};
    sent->one = (store_file){.name = http_query(request, "file"), .bytes = body.bytes, .size = body.size};
    sent->files = &sent->one;
    if (body.size == 0) {
        http_reply_error(request, 400, "NO_BODY", "there is no body");
        return false;
    }
    if (sent->one.name == NULL && !name_it(request, id, &sent->one)) { return false; }
    if (!archive_is(body.bytes, body.size) || take_archive(request, sent)) { return true; }
    api_sent_free(sent);
    return false;
}

bool api_look(const api *a, http_request *request, const content_def *def, store_area area, const char *id,
              api_sent *sent) {
    store_error error = {0};
    store_txn *txn = NULL;
    if (!api_take(request, id, sent)) { return false; }
    bool fine = api_begin(a, request, STORE_READ, &txn);
    if (fine && content_look(txn, area, sent->files, sent->count, def, &sent->thing, &error) != STORE_OK) {
        api_refuse(request, &error);
        fine = false;
    }
    store_rollback(txn);
    if (!fine) { api_sent_free(sent); }
    return fine;
}

void api_sent_free(api_sent *sent) {
    content_thing_free(sent->thing);
    free(sent->unpacked);
    archive_free(sent->zip);
    *sent = (api_sent){0};
}
