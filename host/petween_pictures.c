// See petween_serve.h: pictures, which petween calls assets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/multipart.h"
#include "host/petween_serve.h"
#include "host/picture.h"

static zo_picture_kind kind_of_mime(const char *mime) {
    static const zo_picture_kind kinds[] = {ZO_PICTURE_PNG, ZO_PICTURE_WEBP, ZO_PICTURE_JPEG};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(mime, picture_mime(kinds[i])) == 0) { return kinds[i]; }
    }
    return ZO_PICTURE_OTHER;
}

static const char *ending_of(zo_picture_kind kind) { // as petween names its files
    return kind == ZO_PICTURE_JPEG ? "jpg" : picture_ending(kind);
}

// ---------------------------------------------------------------------------------------------------------------- list

static bool write_picture(petween_job *job, cli_json *json, const store_item *item) {
    const store_file *files = NULL;
    uint32_t count = 0;
    char url[64], file_name[32];
    const zo_picture_kind kind = kind_of_mime(item->kind);
    if (kind == ZO_PICTURE_OTHER) { return true; }
    if (!petween_fine(job, store_files(job->txn, STORE_ASSET, item->id, false, &files, &count))) { return false; }
    if (count == 0) { return true; }
    snprintf(url, sizeof url, "/petween-assets/%s", item->id);
    snprintf(file_name, sizeof file_name, "%s.%s", item->id, ending_of(kind));
    cli_json_open(json, item->id, '{');
    cli_json_text(json, "id", item->id);
    cli_json_text(json, "fileName", file_name);
    cli_json_text(json, "mimeType", item->kind);
    cli_json_number(json, "width", (double)item->number_a);
    cli_json_number(json, "height", (double)item->number_b);
    cli_json_number(json, "sizeBytes", (double)item->size);
    cli_json_text(json, "sha256", files[0].hash);
    cli_json_text(json, "url", url);
    cli_json_close(json, '}');
    return true;
}

static const store_filter all_pictures = {.area = STORE_ASSET};

static bool write_one(petween_job *job, const store_item *item, void *context) {
    return write_picture(job, context, item);
}

bool petween_write_pictures(petween_job *job, cli_json *json) {
    cli_json_open(json, "assets", '{');
    const bool fine = petween_walk(job, &all_pictures, write_one, json);
    cli_json_close(json, '}');
    return fine;
}

static bool add_size(petween_job *job, const store_item *item, void *context) {
    (void)job;
    *(uint64_t *)context += item->size;
    return true;
}

bool petween_pictures_fit(petween_job *job, uint64_t more) {
    uint64_t size = more;
    if (!petween_walk(job, &all_pictures, add_size, &size)) { return false; }
    if (size <= PETWEEN_PICTURES_MAX) { return true; }
    http_reply_error(job->request, 413, "TOTAL_SIZE_EXCEEDED", "all pictures together may have 60 MiB");
    return false;
}

// -------------------------------------------------------------------------------------------------------------- upload

static bool take_form(http_request *request, multipart_field *field) {
    const http_bytes body = http_body_of(request);
    const char *why = NULL;
    switch (multipart_find(http_header(request, "Content-Type"), body.bytes, body.size, "file", field, &why)) {
    case MULTIPART_FOUND: return true;
    case MULTIPART_MISSING:
        http_reply_error(request, 400, "FILE_FIELD_MISSING", "the form has no field 'file'");
        return false;
    default: http_reply_error(request, 400, "BAD_MULTIPART", why); return false;
    }
}

static bool is_welcome(http_request *request, const multipart_field *field, const zo_picture_info *info) {
    static const char any[] = "application/octet-stream";
    unsigned status = 0;
    const char *code = NULL, *message = NULL;
    if (field->size > PETWEEN_PICTURE_MAX) {
        status = 413, code = "PAYLOAD_TOO_LARGE", message = "a picture may have 10 MiB";
    } else if (info->kind == ZO_PICTURE_OTHER) {
        status = 415, code = "UNSUPPORTED_TYPE", message = "it is no PNG, WebP or JPEG";
    } else if (field->type[0] != 0 && strcmp(field->type, any) != 0 &&
               strcmp(field->type, picture_mime(info->kind)) != 0) {
        status = 415, code = "MIME_MISMATCH", message = "it is not of the type that it is said to be";
    } else if (info->width > PETWEEN_SIDE_MAX || info->height > PETWEEN_SIDE_MAX) {
        status = 413, code = "DIMENSIONS_TOO_LARGE", message = "a picture may have 4096 by 4096 pixels";
    }
    if (code != NULL) { http_reply_error(request, status, code, message); }
    return code == NULL;
}

static bool put_picture(petween_job *job, const multipart_field *field, const zo_picture_info *info, const char *id) {
    char name[32];
    store_item item;
    const store_status status = store_get(job->txn, STORE_ASSET, id, &item);
    if (status == STORE_OK) { return true; } // the same bytes
    if (status != STORE_NOT_FOUND) { return petween_fine(job, status); }
    if (!petween_pictures_fit(job, field->size)) { return false; }
    snprintf(name, sizeof name, "%s.%s", id, ending_of(info->kind));
    const store_file file = {.name = name, .bytes = field->bytes, .size = field->size};
    const store_put put = {.area = STORE_ASSET, .kind = picture_mime(info->kind), .name = name, .files = &file,
                           .file_count = 1, .number_a = info->width, .number_b = info->height,
                           .expected = STORE_ANY};
    return petween_fine(job, store_put_item(job->txn, &put, NULL));
}

void petween_post_picture(http_request *request, void *context) {
    petween_job job;
    multipart_field field;
    http_text text = {0};
    char id[17], url[64];
    if (!take_form(request, &field)) { return; }
    const zo_picture_info info = picture_look(field.bytes, field.size);
    if (!is_welcome(request, &field, &info) || !petween_open(&job, context, request, STORE_WRITE)) { return; }
    snprintf(id, sizeof id, "%.16s", info.sha256);
    snprintf(url, sizeof url, "/petween-assets/%s", id);
    if (put_picture(&job, &field, &info, id)) {
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_open(&json, "asset", '{');
        cli_json_text(&json, "id", id);
        cli_json_text(&json, "url", url);
        cli_json_number(&json, "width", info.width);
        cli_json_number(&json, "height", info.height);
        cli_json_close(&json, '}');
        cli_json_close(&json, '}');
        petween_commit(&job, &text);
    }
    petween_close(&job);
}

// ----------------------------------------------------------------------------------------------------------- one of it

static const char *id_of_path(http_request *request) { // NULL: answered
    const char *id = http_param(request, "id");
    if (petween_is_asset_id(id)) { return id; }
    petween_unknown(request, "picture");
    return NULL;
}

void petween_delete_picture(http_request *request, void *context) {
    petween_job job;
    http_text text = {0};
    const char *id = id_of_path(request);
    if (id == NULL || !petween_open(&job, context, request, STORE_WRITE)) { return; }
    const store_status status = content_delete(job.txn, STORE_ASSET, id, STORE_ANY, &job.error);
    if (status == STORE_NOT_FOUND) {
        petween_unknown(request, "picture");
    } else if (status == STORE_IN_USE) {
        petween_in_use(&job, "ASSET_IN_USE", &job.error);
    } else if (petween_content_fine(&job, status)) {
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "deleted", id);
        cli_json_close(&json, '}');
        petween_commit(&job, &text);
    }
    petween_close(&job);
}

// The type is that of the bytes, whatever was said of them when they came: nothing goes out that a browser would run.
void petween_get_picture(http_request *request, void *context) {
    petween_job job;
    store_file file;
    const char *id = id_of_path(request);
    if (id == NULL || !petween_open(&job, context, request, STORE_READ)) { return; }
    const store_status status = store_file_get(job.txn, STORE_ASSET, id, NULL, &file);
    if (status == STORE_NOT_FOUND) {
        petween_unknown(request, "picture");
    } else if (petween_fine(&job, status)) {
        const zo_picture_kind kind = picture_kind(file.bytes, (size_t)file.size);
        if (kind == ZO_PICTURE_OTHER) {
            petween_unknown(request, "picture");
        } else {
            http_reply(request, 200, picture_mime(kind), file.bytes, (size_t)file.size);
            http_set(request, "Cache-Control", "public, max-age=31536000, immutable");
            http_set_etag(request, id); // which is of the content
        }
    }
    petween_close(&job);
}
