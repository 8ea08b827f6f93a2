// What is sent to the general interface to be stored, imported or looked at: a file as it is, or a zip of several. A
// zip and not a form of several parts: names with folders, their order and a checksum for each are in it, any tool
// makes one, and it is given back the same way.
#include <stdio.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/archive.h"
#include "host/picture.h"

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

bool api_take(http_request *request, const char *id, store_file *file) {
    const http_bytes body = http_body_of(request);
    *file = (store_file){.name = http_query(request, "file"), .bytes = body.bytes, .size = body.size};
    if (body.size == 0) {
        http_reply_error(request, 400, "NO_BODY", "there is no body");
        return false;
    }
    return file->name != NULL || name_it(request, id, file);
}

bool api_look(const api *a, http_request *request, const content_def *def, store_area area, const char *id,
              content_thing **thing) {
    store_file file;
    store_error error = {0};
    store_txn *txn;
    *thing = NULL;
    if (!api_take(request, id, &file) || !api_begin(a, request, STORE_READ, &txn)) { return false; }
    const store_status status = content_look(txn, area, &file, 1, def, thing, &error);
    if (status != STORE_OK) { api_refuse(request, &error); }
    store_rollback(txn);
    return status == STORE_OK;
}
