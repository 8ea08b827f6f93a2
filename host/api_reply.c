// What the handlers of the general interface have in common: parameters, transactions, the JSON of things, problems.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/api_internal.h"
#include "host/picture.h"

// ---- Words and parameters ----

static const char *const area_words[STORE_AREA_COUNT] = {"", "items", "pets", "configs", "assets"};

const char *api_area_word(store_area area) { return (unsigned)area < STORE_AREA_COUNT ? area_words[area] : ""; }

bool api_area_named(const char *word, store_area *area) {
    for (int i = STORE_ITEM; i < STORE_AREA_COUNT; i++) {
        if (strcmp(area_words[i], word) != 0) { continue; }
        *area = (store_area)i;
        return true;
    }
    return false;
}

bool api_area(http_request *request, store_area *area) {
    const char *word = http_param(request, "area");
    if (word != NULL && api_area_named(word, area)) { return true; }
    http_reply_error(request, 404, "NOT_FOUND", "nothing is served at this path");
    return false;
}

void api_bad_parameter(http_request *request, const char *name, const char *what) {
    char message[200];
    http_text more = {0};
    cli_json json = http_text_json(&more);
    snprintf(message, sizeof message, "the parameter %s %s", name, what);
    cli_json_text(&json, "parameter", name);
    http_reply_error_with(request, 400, "BAD_PARAMETER", message, http_text_end(&more));
    http_text_free(&more);
}

bool api_number(http_request *request, const char *name, int64_t low, int64_t high, int64_t *value) {
    const char *text = http_query(request, name);
    char what[100];
    if (text == NULL) { return true; }
    const size_t size = strlen(text);
    if (size > 0 && size <= 18 && strspn(text, "0123456789") == size) { // 18 digits are never too many
        const int64_t number = (int64_t)strtoll(text, NULL, 10);
        if (number >= low && number <= high) {
            *value = number;
            return true;
        }
    }
    snprintf(what, sizeof what, "is a whole number from %lld to %lld", (long long)low, (long long)high);
    api_bad_parameter(request, name, what);
    return false;
}

bool api_choice(http_request *request, const char *name, const char *const *words, uint32_t *index) {
    const char *text = http_query(request, name);
    http_text what = {0};
    if (text == NULL) { return true; }
    http_text_words(&what, "is one of");
    for (uint32_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0) {
            *index = i;
            http_text_free(&what);
            return true;
        }
        http_text_words(&what, i == 0 ? " " : ", ");
        http_text_words(&what, words[i]);
    }
    api_bad_parameter(request, name, http_text_end(&what));
    http_text_free(&what);
    return false;
}

bool api_flag(http_request *request, const char *name, bool *value) {
    static const char *const words[] = {"false", "true", NULL};
    uint32_t index = *value;
    if (!api_choice(request, name, words, &index)) { return false; }
    *value = index == 1;
    return true;
}

bool api_content_def(http_request *request, content_def *def) {
    static const char *const profiles[] = {"document", "original", NULL}; // zo_profile
    static const char *const models[] = {"auto", "contract", "renderer", "state_machine", "simulator", NULL};
    uint32_t profile = 0, model = 0;
    int64_t limit = 0;
    const char *format = http_query(request, "format");
    *def = (content_def){.first = http_query(request, "first")};
    if (!api_choice(request, "profile", profiles, &profile) || !api_choice(request, "model", models, &model) ||
        !api_flag(request, "strict", &def->compile.strict) || !api_number(request, "maxErrors", 1, 10000, &limit)) {
        return false;
    }
    if (format != NULL) {
        for (uint32_t i = 0; zo_format_at(i) != NULL && def->compile.format == NULL; i++) {
            if (strcmp(zo_format_at(i)->name, format) == 0) { def->compile.format = zo_format_at(i)->name; }
        }
        if (def->compile.format == NULL) {
            api_bad_parameter(request, "format", "is none of the names that /api/v1/formats lists");
            return false;
        }
    }
    def->compile.profile = (zo_profile)profile;
    def->compile.model = (zo_model)model;
    def->compile.diag_max = (uint32_t)limit;
    return true;
}

// ---- Problems ----

void api_no_memory(http_request *request) {
    http_reply_error(request, 503, "NO_MEMORY", "there is not enough memory for that at present");
    http_set(request, "Retry-After", "1");
}

// Statuses of the store, and what they are to a client. What is not here is a fault of ours or of the disk.
static const struct problem { store_status status; unsigned http; const char *code; } problems[] = {
    {STORE_NOT_FOUND, 404, "NOT_FOUND"}, {STORE_CONFLICT, 412, "STALE"},     {STORE_IN_USE, 409, "IN_USE"},
    {STORE_DANGLING, 409, "DANGLING"},   {STORE_INVALID, 400, "INVALID"},    {STORE_LIMIT, 413, "TOO_LARGE"},
    {STORE_BUSY, 503, "BUSY"},           {STORE_FULL, 507, "FULL"},          {STORE_READ_ONLY, 403, "READ_ONLY"},
    {STORE_CORRUPT, 500, "CORRUPT"},     {STORE_NO_MEMORY, 503, "NO_MEMORY"},
};

static void put_details(http_text *text, const store_error *error, const zo_report *report) {
    cli_json json = http_text_json(text);
    json.depth = 1; // members of an object that somebody else opens
    json.first[1] = true;
    if (error->status == STORE_CONFLICT) { cli_json_number(&json, "revision", (double)error->revision); }
    if (error->status == STORE_IN_USE || error->status == STORE_DANGLING) {
        cli_json_open(&json, "uses", '[');
        for (uint32_t i = 0; i < error->use_count; i++) { api_put_use(&json, &error->uses[i]); }
        cli_json_close(&json, ']');
        cli_json_number(&json, "useTotal", error->use_total);
    }
    if (report != NULL) {
        http_text list = {0};
        if (api_put_diagnostics(&list, report)) { cli_json_raw(&json, "diagnostics", list.bytes, list.size); }
        http_text_free(&list);
    }
}

static void refuse(http_request *request, unsigned status, const char *code, const store_error *error,
                   const zo_report *report) {
    http_text details = {0};
    put_details(&details, error, report);
    http_reply_error_with(request, status, code, error->text[0] != 0 ? error->text : "the library says no more",
                          http_text_end(&details));
    http_text_free(&details);
    if (status == 503) { http_set(request, "Retry-After", "1"); }
}

void api_refuse(http_request *request, const store_error *error) {
    const struct problem *found = NULL;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        if (problems[i].status == error->status) { found = &problems[i]; }
    }
    refuse(request, found != NULL ? found->http : 500, found != NULL ? found->code : "IO", error, NULL);
}

void api_refuse_content(http_request *request, const store_error *error, zo_status status, const zo_report *report) {
    store_error said = *error;
    if (report == NULL) {
        api_refuse(request, error);
        return;
    }
    if (said.text[0] == 0) {
        const unsigned errors = zo_report_total(report, ZO_ERROR);
        snprintf(said.text, sizeof said.text, "the content has %u error%s and is %s", errors, errors == 1 ? "" : "s",
                 zo_status_name(status));
    }
    refuse(request, 422, "INVALID_CONTENT", &said, report);
}

// ---- Transactions ----

bool api_begin(const api *a, http_request *request, store_mode mode, store_txn **txn) {
    store_error error;
    if (store_begin(a->library, mode, txn, &error) == STORE_OK) { return true; }
    api_refuse(request, &error);
    return false;
}

bool api_fine(http_request *request, const store_txn *txn, store_status status) {
    if (status == STORE_OK) { return true; }
    api_refuse(request, store_error_of(txn));
    return false;
}

// ---- JSON ----

void api_put_time(cli_json *json, const char *key, int64_t ms) {
    char text[48];
    struct tm parts;
    const time_t seconds = (time_t)(ms >= 0 ? ms / 1000 : 0);
    gmtime_r(&seconds, &parts);
    const size_t size = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + size, sizeof text - size, ".%03dZ", (int)(ms >= 0 ? ms % 1000 : 0));
    cli_json_text(json, key, text);
}

static void put_members(cli_json *json, const store_item *item) {
    cli_json_text(json, "area", api_area_word(item->area));
    cli_json_text(json, "id", item->id);
    cli_json_text(json, "format", item->format);
    cli_json_text(json, "kind", item->kind);
    cli_json_text(json, "name", item->name);
    cli_json_text(json, "origin", item->origin);
    cli_json_number(json, "revision", (double)item->revision);
    cli_json_number(json, "version", (double)item->version);
    api_put_time(json, "createdAt", item->created_ms);
    api_put_time(json, "updatedAt", item->updated_ms);
    cli_json_text(json, "hash", item->hash);
    cli_json_number(json, "size", (double)item->size);
    cli_json_number(json, "fileCount", item->file_count);
    if (item->area == STORE_ASSET) {
        cli_json_number(json, "width", (double)item->number_a);
        cli_json_number(json, "height", (double)item->number_b);
    } else if (item->area == STORE_ITEM) {
        cli_json_ms(json, "durationMs", item->number_a);
    }
}

void api_put_item(cli_json *json, const char *key, const store_item *item) {
    cli_json_open(json, key, '{');
    put_members(json, item);
    cli_json_close(json, '}');
}

void api_put_use(cli_json *json, const store_use *use) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "fromArea", api_area_word(use->from_area));
    cli_json_text(json, "from", use->from != NULL ? use->from : "");
    cli_json_text(json, "toArea", api_area_word(use->to_area));
    cli_json_text(json, "to", use->to != NULL ? use->to : "");
    cli_json_text(json, "where", use->where != NULL ? use->where : "");
    cli_json_text(json, "role", use->role != NULL ? use->role : "");
    cli_json_bool(json, "needed", use->needed);
    cli_json_close(json, '}');
}

const char *api_action_word(store_action action) {
    static const char *const words[] = {"", "created", "changed", "deleted", "restored"};
    return (unsigned)action < sizeof words / sizeof *words ? words[action] : "";
}

void api_put_change(cli_json *json, const store_change *change) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "area", api_area_word(change->area));
    cli_json_text(json, "id", change->id);
    cli_json_number(json, "revision", (double)change->revision);
    cli_json_text(json, "action", api_action_word(change->action));
    api_put_time(json, "at", change->when_ms);
    cli_json_close(json, '}');
}

store_status api_put_whole(http_text *text, store_txn *txn, const store_item *item, bool is_now,
                           store_action action) {
    const store_file *files = NULL;
    const store_use *uses = NULL;
    uint32_t file_count = 0, use_count = 0;
    cli_json json = http_text_json(text);
    store_status status = is_now ? store_files(txn, item->area, item->id, false, &files, &file_count)
                                 : store_past_files(txn, item->area, item->id, item->revision, false, &files,
                                                    &file_count);
    if (status == STORE_OK && is_now) { status = store_uses(txn, item->area, item->id, &uses, &use_count); }
    if (status != STORE_OK) { return status; }
    cli_json_open(&json, NULL, '{');
    put_members(&json, item);
    if (!is_now) { cli_json_text(&json, "action", api_action_word(action)); }
    cli_json_open(&json, "files", '[');
    for (uint32_t i = 0; i < file_count; i++) {
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", files[i].name != NULL ? files[i].name : "");
        cli_json_number(&json, "size", (double)files[i].size);
        cli_json_text(&json, "hash", files[i].hash);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    if (is_now) {
        cli_json_open(&json, "uses", '[');
        for (uint32_t i = 0; i < use_count; i++) { api_put_use(&json, &uses[i]); }
        cli_json_close(&json, ']');
    }
    cli_json_close(&json, '}');
    return STORE_OK;
}

bool api_put_report(http_text *text, const zo_report *report) {
    // Of a picture there is none.
    return zo_reports_write(&report, report != NULL ? 1 : 0, ZO_REPORT_JSON, false, http_text_put, text);
}

bool api_put_diagnostics(http_text *text, const zo_report *report) {
    http_text whole = {0};
    zo_document *document = NULL;
    zo_range range;
    const bool fine = api_put_report(&whole, report) &&
                      zo_document_open(whole.bytes, whole.size, NULL, &document) == ZO_OK &&
                      zo_document_find(document, "/diagnostics", &range) &&
                      http_text_put(text, whole.bytes + range.offset, range.length);
    zo_document_free(document);
    http_text_free(&whole);
    return fine;
}

// ---- Replies ----

void api_reply_text(http_request *request, unsigned status, http_text *text, const char *etag) {
    if (text->failed || text->bytes == NULL) {
        http_text_free(text);
        api_no_memory(request);
        return;
    }
    http_reply_owned(request, status, "application/json", text->bytes, text->size, free);
    *text = (http_text){0};
    if (etag != NULL) { http_set_etag(request, etag); }
}

void api_reply_number(http_request *request, unsigned status, http_text *text, int64_t etag) {
    char word[32];
    snprintf(word, sizeof word, "%lld", (long long)etag);
    api_reply_text(request, status, text, word);
}

void api_reply_hashed(http_request *request, const char *type, http_text *text) {
    char hash[65];
    if (text->failed || text->bytes == NULL) {
        http_text_free(text);
        api_no_memory(request);
        return;
    }
    store_hash(text->bytes, text->size, hash);
    hash[32] = 0;
    http_reply_owned(request, 200, type, text->bytes, text->size, free);
    *text = (http_text){0};
    http_set_etag(request, hash);
}

const char *api_type_of(const char *name, const void *bytes, size_t size) {
    const zo_picture_kind kind = picture_kind(bytes, size);
    const size_t length = strlen(name);
    const unsigned char *at = bytes;
    if (kind != ZO_PICTURE_OTHER) { return picture_mime(kind); }
    if (length > 5 && strcmp(name + length - 5, ".json") == 0) { return "application/json"; }
    if (length > 0) { return "application/octet-stream"; }
    while (size > 0 && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) { at++, size--; }
    return size > 0 && (*at == '{' || *at == '[') ? "application/json" : "application/octet-stream";
}
