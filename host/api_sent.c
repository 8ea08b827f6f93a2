// What is sent to the general interface to be stored, imported or looked at: a file as it is, or a zip of several. A
// zip and not a form of several parts: names with folders, their order and a checksum for each are in it, any tool
// makes one, and it is given back the same way.
#include <stdio.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/package.h"
#include "host/picture.h"

// A pet package is an archive that is one thing: it stays as it is.
static bool is_package(http_request *request, const archive *a) {
    const char *format = http_query(request, "format");
    bool is = false;
    if (format != NULL) { return strcmp(format, pet_package_format) == 0; }
    for (uint32_t i = 0; i < a->count; i++) { is = is || strcmp(a->files[i].name, "manifest.json") == 0; }
    return is;
}

// Puts the file that ?first= names in front of the others.
static bool put_first(http_request *request, archive *a) {
    const char *first = http_query(request, "first");
    if (first == NULL) { return true; }
    for (uint32_t i = 0; i < a->count; i++) {
        if (strcmp(a->files[i].name, first) != 0) { continue; }
        const store_file meant = a->files[i];
        memmove(a->files + 1, a->files, i * sizeof *a->files);
        a->files[0] = meant;
        return true;
    }
    api_bad_parameter(request, "first", "names no file of the archive");
    return false;
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

static bool take_archive(http_request *request, api_sent *sent) {
    store_error error;
    const store_status status = archive_open(sent->one.bytes, (size_t)sent->one.size, &sent->archive, &error);
    if (status != STORE_OK) {
        api_refuse(request, &error);
    } else if (is_package(request, &sent->archive)) {
        archive_free(&sent->archive); // judged as what it is, with all its faults
        return true;
    } else if (put_first(request, &sent->archive)) {
        sent->files = sent->archive.files;
        sent->count = sent->archive.count;
        return true;
    }
    archive_free(&sent->archive);
    return false;
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
    return !archive_is(body.bytes, body.size) || take_archive(request, sent);
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
    archive_free(&sent->archive);
    sent->thing = NULL;
}
