// See petween_serve.h: transactions, errors, answers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_serve.h"
#include "host/store_name.h"

static const char json_type[] = "application/json; charset=utf-8";

// -------------------------------------------------------------------------------------------------------------- errors

// What a store can say and no handler has a word of its own for.
static void refuse(http_request *request, const store_error *error) {
    static const struct { store_status status; unsigned http; const char *code; } words[] = {
        {STORE_NOT_FOUND, 404, "NOT_FOUND"}, {STORE_CONFLICT, 409, "CONFLICT"},   {STORE_IN_USE, 409, "IN_USE"},
        {STORE_DANGLING, 409, "DANGLING"},   {STORE_LIMIT, 413, "PAYLOAD_TOO_LARGE"}, {STORE_BUSY, 503, "BUSY"},
        {STORE_FULL, 507, "STORAGE_FULL"},   {STORE_READ_ONLY, 503, "READ_ONLY"},
        {STORE_INVALID, 400, "INVALID_REQUEST"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].status != error->status) { continue; }
        http_reply_error(request, words[i].http, words[i].code, error->text);
        if (error->status == STORE_BUSY) { http_set(request, "Retry-After", "1"); }
        return;
    }
    http_reply_error(request, 500, "INTERNAL", error->text[0] != 0 ? error->text : store_status_name(error->status));
}

void petween_no_memory(http_request *request) { http_reply_error(request, 500, "INTERNAL", "not enough memory"); }

bool petween_unknown(http_request *request, const char *what) {
    char message[80];
    snprintf(message, sizeof message, "there is no such %s", what);
    http_reply_error(request, 404, "NOT_FOUND", message);
    return false;
}

void petween_refuse(http_request *request, unsigned status, const char *code, const char *message,
                    http_text *details) {
    const char *text = http_text_end(details);
    if (details->failed) {
        petween_no_memory(request);
    } else {
        http_reply_error_with(request, status, code, message, text);
    }
    http_text_free(details);
}

void petween_in_use(petween_job *job, const char *code, const store_error *error) {
    http_text text = {0};
    cli_json json = http_text_json(&text);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "error", code);
    cli_json_open(&json, "usedBy", '[');
    for (uint32_t i = 0; i < error->use_count; i++) {
        const store_use *use = &error->uses[i];
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "area", store_area_name(use->from_area));
        cli_json_text(&json, "id", use->from);
        cli_json_text(&json, "where", use->where);
        cli_json_text(&json, "role", use->role);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    if (error->use_total > error->use_count) { cli_json_number(&json, "usedByTotal", error->use_total); }
    cli_json_close(&json, '}');
    if (text.failed) {
        http_text_free(&text);
        petween_no_memory(job->request);
        return;
    }
    http_reply_owned(job->request, 409, json_type, text.bytes, text.size, free);
    http_set(job->request, "Cache-Control", "no-store");
}

// A pointer as petween writes places: "/tracks/0/property" is tracks[0].property.
static void put_place(http_text *line, const char *pointer) {
    for (const char *at = pointer; *at == '/';) {
        const char *part = ++at;
        at += strcspn(at, "/");
        const size_t size = (size_t)(at - part);
        const bool is_index = size > 0 && strspn(part, "0123456789") >= size;
        http_text_words(line, is_index ? "[" : part - 1 > pointer ? "." : "");
        for (size_t i = 0; i < size; i++) {
            const bool is_escape = part[i] == '~' && i + 1 < size; // ~0 is ~, ~1 is a slash
            const char c = !is_escape ? part[i] : part[++i] == '1' ? '/' : '~';
            http_text_put(line, &c, 1);
        }
        if (is_index) { http_text_words(line, "]"); }
    }
}

static uint32_t write_report(cli_json *json, const zo_report *report, zo_severity from, zo_severity to) {
    const zo_diag *diag;
    uint32_t count = 0;
    for (uint32_t i = 0; report != NULL && (diag = zo_report_at(report, i)) != NULL; i++) {
        if (diag->severity < from || diag->severity > to) { continue; }
        http_text line = {0};
        if (diag->place.pointer != NULL && *diag->place.pointer != 0) {
            put_place(&line, diag->place.pointer);
            http_text_words(&line, ": ");
        }
        http_text_words(&line, diag->message);
        cli_json_text(json, NULL, http_text_end(&line));
        http_text_free(&line);
        count++;
    }
    const uint32_t dropped = report != NULL ? zo_report_dropped(report) : 0;
    if (dropped > 0) {
        char line[48];
        snprintf(line, sizeof line, "and %u more", (unsigned)dropped);
        cli_json_text(json, NULL, line);
    }
    return count + dropped;
}

void petween_write_warnings(cli_json *json, const char *key, const zo_report *report) {
    cli_json_open(json, key, '[');
    write_report(json, report, ZO_NOTE, ZO_WARNING);
    cli_json_close(json, ']');
}

void petween_refuse_report(http_request *request, const char *code, const char *message, const zo_report *report,
                           const char *otherwise) {
    http_text details = {0};
    cli_json json = http_text_json(&details);
    cli_json_open(&json, NULL, '[');
    if (write_report(&json, report, ZO_ERROR, ZO_ERROR) == 0) { cli_json_text(&json, NULL, otherwise); }
    cli_json_close(&json, ']');
    petween_refuse(request, 400, code, message, &details);
}

void petween_issues_open(petween_issues *issues) {
    *issues = (petween_issues){.count = 0};
    issues->json = http_text_json(&issues->text);
}

static petween_issues *another(void *context) {
    petween_issues *issues = context;
    if (issues->count++ == 0) { cli_json_open(&issues->json, NULL, '['); }
    return issues;
}

void petween_add_issue(void *context, const char *path, const char *message) {
    cli_json *const json = &another(context)->json;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "path", path);
    cli_json_text(json, "message", message);
    cli_json_close(json, '}');
}

void petween_add_fault(void *context, const char *text) { cli_json_text(&another(context)->json, NULL, text); }

bool petween_no_issues(http_request *request, petween_issues *issues, const char *code, const char *message) {
    const bool none = issues->count == 0;
    if (!none) {
        cli_json_close(&issues->json, ']');
        petween_refuse(request, 400, code, message, &issues->text);
    }
    http_text_free(&issues->text);
    return none;
}

// -------------------------------------------------------------------------------------------------------- transactions

bool petween_open(petween_job *job, petween *p, http_request *request, store_mode mode) {
    *job = (petween_job){.p = p, .request = request};
    const bool is_open = store_begin(p->library, mode, &job->txn, &job->error) == STORE_OK;
    if (!is_open) {
        job->txn = NULL;
        refuse(request, &job->error);
    }
    return is_open;
}

bool petween_fine(petween_job *job, store_status status) {
    if (status != STORE_OK) { refuse(job->request, store_error_of(job->txn)); }
    return status == STORE_OK;
}

bool petween_content_fine(petween_job *job, store_status status) {
    if (status != STORE_OK) {
        job->error.status = status;
        refuse(job->request, &job->error);
    }
    return status == STORE_OK;
}

void petween_close(petween_job *job) {
    store_rollback(job->txn);
    job->txn = NULL;
}

void petween_send(http_request *request, http_text *json) {
    if (json->failed) {
        http_text_free(json);
        petween_no_memory(request);
        return;
    }
    http_reply_owned(request, 200, json_type, json->bytes, json->size, free);
    *json = (http_text){0};
}

void petween_commit(petween_job *job, http_text *json) {
    store_txn *const txn = job->txn;
    if (json->failed) { // nothing is done that nobody hears of
        http_text_free(json);
        petween_no_memory(job->request);
        return;
    }
    job->txn = NULL;
    if (store_commit(txn, &job->error) == STORE_OK) {
        petween_send(job->request, json);
    } else {
        refuse(job->request, &job->error);
        http_text_free(json);
    }
}

bool petween_walk(petween_job *job, const store_filter *filter,
                  bool (*each)(petween_job *job, const store_item *item, void *context), void *context) {
    char *cursor = NULL;
    bool fine = true, more = true;
    while (fine && more) {
        store_page page;
        fine = petween_fine(job, store_list(job->txn, filter, cursor, STORE_PAGE_MAX, &page));
        free(cursor);
        cursor = fine && page.next != NULL ? strdup(page.next) : NULL;
        more = cursor != NULL;
        if (fine && page.next != NULL && !more) {
            petween_no_memory(job->request);
            return false;
        }
        for (uint32_t i = 0; fine && i < page.count; i++) { fine = each(job, &page.items[i], context); }
    }
    free(cursor);
    return fine;
}

// ----------------------------------------------------------------------------------------------------------- documents

zo_document *petween_body(http_request *request) {
    const http_bytes body = http_body_of(request);
    zo_document *document = NULL;
    // A byte order mark may stand before a file, but belongs to no JSON that is sent (RFC 8259, 8.1).
    const bool is_marked = body.size >= 3 && memcmp(body.bytes, "\xEF\xBB\xBF", 3) == 0;
    const zo_status status = is_marked ? ZO_INVALID : zo_document_open(body.bytes, body.size, NULL, &document);
    if (status == ZO_OK) { return document; }
    if (status == ZO_NO_MEMORY) {
        petween_no_memory(request);
    } else {
        http_reply_error(request, 400, "INVALID_JSON", "the body is not JSON in UTF-8");
    }
    return NULL;
}

zo_document *petween_document(http_request *request, http_text *json) {
    zo_document *document = NULL;
    if (json->failed || zo_document_open(json->bytes, json->size, NULL, &document) != ZO_OK) {
        petween_no_memory(request); // it is JSON, so nothing else can be wrong with it
    }
    http_text_free(json);
    return document;
}

// -------------------------------------------------------------------------------------------------- answers to be kept

// What each answer is made of: bits of store_area.
static const uint32_t made_of[PETWEEN_ANSWER_COUNT] = {
    [PETWEEN_CONFIG] = 1 << STORE_CONFIG | 1 << STORE_PET | 1 << STORE_ITEM | 1 << STORE_ASSET,
    [PETWEEN_ANIMATIONS] = 1 << STORE_ITEM,
    [PETWEEN_PETS] = 1 << STORE_CONFIG | 1 << STORE_PET,
};

// Whether nothing that the answer is made of has changed between the two revisions.
static bool is_same(petween_job *job, petween_answer which, int64_t from, int64_t to) {
    enum { CHANGES_MAX = 256 };
    const store_change *changes = NULL;
    uint32_t count = 0;
    if (from == to) { return true; }
    if (to - from > CHANGES_MAX || from > to) { return false; }
    if (store_changes(job->txn, from, CHANGES_MAX, &changes, &count) != STORE_OK) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        if ((made_of[which] >> changes[i].area & 1) != 0) { return false; }
    }
    return count == to - from; // else some are forgotten
}

static http_body *take_kept(petween_job *job, petween_answer which, int64_t revision) {
    petween *const p = job->p;
    pthread_mutex_lock(&p->lock);
    const int64_t kept = p->kept[which].revision;
    http_body *body = p->kept[which].body != NULL ? http_body_keep(p->kept[which].body) : NULL;
    pthread_mutex_unlock(&p->lock);
    if (body == NULL || is_same(job, which, kept, revision)) {
        pthread_mutex_lock(&p->lock);
        if (body != NULL && p->kept[which].body == body && p->kept[which].revision < revision) {
            p->kept[which].revision = revision; // fewer changes to look at next time
        }
        pthread_mutex_unlock(&p->lock);
        return body;
    }
    http_body_free(body);
    return NULL;
}

static http_body *make_kept(petween_job *job, petween_answer which, int64_t revision, petween_write_fn *write) {
    petween *const p = job->p;
    http_text text = {0};
    char etag[64];
    cli_json json = http_text_json(&text);
    http_body *body = NULL, *old = NULL;
    snprintf(etag, sizeof etag, "%.16s-%lld", store_library_id(p->library), (long long)revision);
    if (write(job, &json)) {
        body = text.failed ? NULL : http_body_new(json_type, text.bytes, text.size, etag, NULL);
        if (body == NULL) { petween_no_memory(job->request); }
    }
    http_text_free(&text);
    if (body == NULL) { return NULL; }
    pthread_mutex_lock(&p->lock);
    if (p->kept[which].body == NULL || p->kept[which].revision < revision) {
        old = p->kept[which].body;
        p->kept[which].body = http_body_keep(body);
        p->kept[which].revision = revision;
    }
    pthread_mutex_unlock(&p->lock);
    http_body_free(old);
    return body;
}

void petween_reply_kept(http_request *request, petween *p, petween_answer which, petween_write_fn *write) {
    petween_job job;
    int64_t revision = 0;
    if (!petween_open(&job, p, request, STORE_READ)) { return; }
    if (petween_fine(&job, store_revision(job.txn, &revision))) {
        http_body *body = take_kept(&job, which, revision);
        if (body == NULL) { body = make_kept(&job, which, revision, write); }
        if (body != NULL) { http_reply_body(request, body); }
        http_body_free(body);
    }
    petween_close(&job);
}
