// Replies: made by handlers and by the server itself, in the style that the path asks for, and sent.
#include <stdlib.h>
#include <string.h>

#include "http_internal.h"

// ---- Replies ----

void http_drop_reply(http_request *request) {
    if (request->response != NULL) { MHD_destroy_response(request->response); }
    http_body_free(request->kept);
    request->response = NULL;
    request->kept = NULL;
    request->status = 0;
    request->reply_size = 0;
    request->etag = NULL;
    request->code = NULL;
    request->is_stream = false;
}

// Takes the response over; NULL leaves none, which http_send makes a 500.
static void give(http_request *request, unsigned status, struct MHD_Response *response, size_t size) {
    request->response = response;
    request->status = status;
    request->reply_size = size;
}

static struct MHD_Response *with_type(struct MHD_Response *response, const char *type) {
    if (response != NULL && (MHD_add_response_header(response, "Content-Type", type) != MHD_YES ||
                             MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") != MHD_YES)) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

static struct MHD_Response *copied(const void *bytes, size_t size) {
    // Nothing is written to what is copied; the library's type does not say so.
    return MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
}

void http_reply(http_request *request, unsigned status, const char *type, const void *bytes, size_t size) {
    http_drop_reply(request);
    give(request, status, with_type(copied(bytes, size), type), size);
}

void http_reply_owned(http_request *request, unsigned status, const char *type, void *bytes, size_t size,
                      void (*release)(void *bytes)) {
    http_drop_reply(request);
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(size, bytes, release);
    if (response == NULL) { release(bytes); }
    give(request, status, with_type(response, type), size);
}

void http_reply_empty(http_request *request, unsigned status) {
    http_drop_reply(request);
    give(request, status, copied("", 0), 0);
}

void http_reply_body(http_request *request, http_body *body) {
    http_drop_reply(request);
    request->kept = http_body_keep(body);
    request->status = 200;
    request->reply_size = body->size;
}

static void write_problem(cli_json *json, unsigned status, const char *code, const char *message) {
    char type[96] = "urn:zoetrope:problem:";
    const size_t head = strlen(type);
    size_t size = head;
    for (; *code != 0 && size + 1 < sizeof type; code++) {
        type[size++] = (char)(*code == '_' ? '-' : *code >= 'A' && *code <= 'Z' ? *code + 32 : *code);
    }
    type[size] = 0;
    cli_json_text(json, "type", type);
    cli_json_text(json, "title", MHD_get_reason_phrase_for(status));
    cli_json_number(json, "status", status);
    cli_json_text(json, "code", type + head);
    cli_json_text(json, "detail", message);
}

void http_reply_error(http_request *request, unsigned status, const char *code, const char *message) {
    http_reply_error_with(request, status, code, message, NULL);
}

void http_reply_error_with(http_request *request, unsigned status, const char *code, const char *message,
                           const char *details) {
    http_text text = {0};
    cli_json json = http_text_json(&text);
    cli_json_open(&json, NULL, '{');
    if (request->style == HTTP_PROBLEM) {
        write_problem(&json, status, code, message);
        if (details != NULL && details[0] != 0) { // members, one or several, as they are
            http_text_words(&text, ", ");
            http_text_words(&text, details);
        }
    } else {
        cli_json_open(&json, "error", '{');
        cli_json_text(&json, "code", code);
        cli_json_text(&json, "message", message);
        if (details != NULL) { cli_json_raw(&json, "details", details, strlen(details)); }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, '}');
    const char *type = request->style == HTTP_PROBLEM ? "application/problem+json" : "application/json";
    http_drop_reply(request);
    if (text.failed) {
        http_text_free(&text);
        give(request, 500, NULL, 0);
    } else {
        http_reply_owned(request, status, type, text.bytes, text.size, free);
        http_set(request, "Cache-Control", "no-store");
    }
    char *kept = http_alloc(request, strlen(code) + 1); // for the log; without memory it lacks the word
    if (kept != NULL) { request->code = strcpy(kept, code); }
}

bool http_set(http_request *request, const char *name, const char *value) {
    for (const char *at = value; *at != 0; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7F) { return false; }
    }
    return request->response != NULL && MHD_add_response_header(request->response, name, value) == MHD_YES;
}

static char *quoted(const char *etag) { // by malloc
    for (const char *at = etag; *at != 0; at++) {
        if (*at <= 0x20 || *at >= 0x7F || *at == '"') { return NULL; }
    }
    const size_t size = strlen(etag);
    char *text = malloc(size + 3);
    if (text == NULL) { return NULL; }
    text[0] = text[size + 1] = '"';
    memcpy(text + 1, etag, size);
    text[size + 2] = 0;
    return text;
}

bool http_set_etag(http_request *request, const char *etag) {
    char *text = quoted(etag);
    const bool is_set = text != NULL && http_set(request, "ETag", text);
    free(text);
    char *kept = is_set ? http_alloc(request, strlen(etag) + 1) : NULL;
    if (kept == NULL) { return false; }
    request->etag = strcpy(kept, etag);
    return true;
}

// ---- Kept bodies ----

http_body *http_body_new(const char *type, const void *bytes, size_t size, const char *etag,
                         const char *const *headers) {
    http_body *body = calloc(1, sizeof *body);
    char *text = etag != NULL ? quoted(etag) : NULL;
    if (body == NULL) {
        free(text);
        return NULL;
    }
    atomic_init(&body->count, 1);
    body->size = size;
    body->etag = etag != NULL ? strdup(etag) : NULL;
    body->response = with_type(copied(bytes, size), type);
    body->not_modified = copied("", 0);
    bool fine = body->response != NULL && body->not_modified != NULL &&
                (etag == NULL || (text != NULL && body->etag != NULL));
    struct MHD_Response *const both[] = {body->response, body->not_modified};
    for (int i = 0; fine && i < 2; i++) {
        if (etag != NULL) { fine = MHD_add_response_header(both[i], "ETag", text) == MHD_YES; }
        for (const char *const *header = headers; fine && header != NULL && header[0] != NULL; header += 2) {
            fine = MHD_add_response_header(both[i], header[0], header[1]) == MHD_YES;
        }
        if (fine && MHD_get_response_header(both[i], "Cache-Control") == NULL) {
            fine = MHD_add_response_header(both[i], "Cache-Control", "no-cache") == MHD_YES;
        }
    }
    free(text);
    if (!fine) {
        http_body_free(body);
        return NULL;
    }
    return body;
}

http_body *http_body_keep(http_body *body) {
    atomic_fetch_add(&body->count, 1);
    return body;
}

void http_body_free(http_body *body) {
    if (body == NULL || atomic_fetch_sub(&body->count, 1) != 1) { return; }
    if (body->response != NULL) { MHD_destroy_response(body->response); }
    if (body->not_modified != NULL) { MHD_destroy_response(body->not_modified); }
    free(body->etag);
    free(body);
}

// ---- Sending ----

static bool is_known_already(const http_request *request, const char *etag) {
    if (etag == NULL || request->status != 200 || request->method != HTTP_GET || request->is_write) { return false; }
    const char *list = http_header(request, "If-None-Match");
    return list != NULL && http_etag_listed(list, etag, true);
}

// The 304 of a reply that is not kept: the headers that a cache brings up to date, and no body.
static void make_not_modified(http_request *request) {
    static const char *const names[] = {"ETag", "Cache-Control", "Vary", "Content-Location", "Expires"};
    struct MHD_Response *empty = copied("", 0);
    for (size_t i = 0; empty != NULL && i < sizeof names / sizeof *names; i++) {
        const char *value = MHD_get_response_header(request->response, names[i]);
        if (value != NULL && MHD_add_response_header(empty, names[i], value) != MHD_YES) {
            MHD_destroy_response(empty);
            empty = NULL;
        }
    }
    if (empty == NULL) { return; } // the whole reply is right as well
    MHD_destroy_response(request->response);
    give(request, 304, empty, 0);
}

enum MHD_Result http_send(http_request *request) {
    if (request->response == NULL && request->kept == NULL) {
        http_reply_error(request, 500, "INTERNAL", "the request could not be answered");
        if (request->response == NULL) { return MHD_NO; } // not even that much memory: the connection is closed
    }
    http_server *server = request->server;
    struct MHD_Response *response = request->response;
    if (request->kept != NULL) {
        response = request->kept->response;
        if (is_known_already(request, request->kept->etag)) {
            response = request->kept->not_modified;
            request->status = 304;
            request->reply_size = 0;
        }
    } else {
        if (MHD_get_response_header(response, "Cache-Control") == NULL) {
            MHD_add_response_header(response, "Cache-Control", "no-cache");
        }
        if (is_known_already(request, request->etag)) { make_not_modified(request); }
        response = request->response;
        if (request->close || atomic_load(&server->stopping)) {
            MHD_add_response_header(response, "Connection", "close");
        }
    }
    atomic_store_explicit(&request->connection->moved, request->reply_size, memory_order_relaxed);
    http_enter(request->connection, request->is_stream ? PHASE_STREAM : PHASE_REPLY);
    const enum MHD_Result done = MHD_queue_response(request->mhd, request->status, response);
    if (request->response != NULL) { // the connection keeps what it sends
        MHD_destroy_response(request->response);
        request->response = NULL;
    }
    http_body_free(request->kept);
    request->kept = NULL;
    return done;
}
