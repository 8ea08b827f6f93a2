// GETs of the general interface: pages of things, searches, one thing, its files as they were given, its history and
// who refers to it. Revisions are never used twice, so that they serve as ETags: a thing's own for what is told of it,
// the library's for what is told of many.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/package.h"

// ---- Pages ----

static void put_page(http_text *text, store_txn *txn, const store_page *page, int64_t revision, const uint64_t *total) {
    cli_json json = http_text_json(text);
    (void)txn; // whose the texts of the page are
    cli_json_open(&json, NULL, '{');
    cli_json_open(&json, "items", '[');
    for (uint32_t i = 0; i < page->count; i++) { api_put_item(&json, NULL, &page->items[i]); }
    cli_json_close(&json, ']');
    if (page->next != NULL) {
        cli_json_text(&json, "next", page->next);
    } else {
        cli_json_null(&json, "next");
    }
    if (total != NULL) { cli_json_number(&json, "total", (double)*total); }
    cli_json_number(&json, "revision", (double)revision);
    cli_json_close(&json, '}');
}

static bool read_filter(http_request *request, store_filter *filter, int64_t *limit) {
    filter->format = http_query(request, "format");
    filter->kind = http_query(request, "kind");
    filter->prefix = http_query(request, "prefix");
    filter->query = http_query(request, "query");
    *limit = API_PAGE;
    return api_number(request, "limit", 1, STORE_PAGE_MAX, limit);
}

void api_list(http_request *request, void *context) {
    const api *a = context;
    store_filter filter = {0};
    store_page page;
    store_txn *txn;
    int64_t limit, revision = 0;
    uint64_t total = 0;
    bool with_total = false;
    if (!api_area(request, &filter.area) || !read_filter(request, &filter, &limit) ||
        !api_flag(request, "total", &with_total) || !api_begin(a, request, STORE_READ, &txn)) {
        return;
    }
    const char *cursor = http_query(request, "cursor");
    store_status status = store_list(txn, &filter, cursor, (uint32_t)limit, &page);
    if (status == STORE_OK) { status = store_revision(txn, &revision); }
    if (status == STORE_OK && with_total) { status = store_count(txn, &filter, &total); }
    if (status == STORE_INVALID && cursor != NULL) {
        api_bad_parameter(request, "cursor", "is none that this path has given out");
    } else if (api_fine(request, txn, status)) {
        http_text text = {0};
        put_page(&text, txn, &page, revision, with_total ? &total : NULL);
        api_reply_number(request, 200, &text, revision);
    }
    store_rollback(txn);
}

void api_search(http_request *request, void *context) {
    const api *a = context;
    const char *area = http_query(request, "area");
    store_filter filter = {0};
    store_page page;
    store_txn *txn;
    int64_t limit, revision = 0;
    if (area != NULL && !api_area_named(area, &filter.area)) {
        api_bad_parameter(request, "area", "is one of items, pets, configs, assets");
        return;
    }
    if (!read_filter(request, &filter, &limit)) { return; }
    if (filter.query == NULL) {
        api_bad_parameter(request, "query", "is needed: the words to look for");
        return;
    }
    if (!api_begin(a, request, STORE_READ, &txn)) { return; }
    store_status status = store_search(txn, &filter, (uint32_t)limit, &page);
    if (status == STORE_OK) { status = store_revision(txn, &revision); }
    if (api_fine(request, txn, status)) {
        http_text text = {0};
        put_page(&text, txn, &page, revision, NULL);
        api_reply_number(request, 200, &text, revision);
    }
    store_rollback(txn);
}

// ---- One thing ----

// The thing of the path, as it is now or, with ?revision=, as it was then. `*action` of what was.
typedef struct target { store_area area; const char *id; int64_t revision; } target; // revision 0: now

static bool read_target(http_request *request, target *t) {
    *t = (target){.id = http_param(request, "id")};
    return api_area(request, &t->area) && api_number(request, "revision", 1, INT64_C(1) << 53, &t->revision);
}

static store_status find(store_txn *txn, const target *t, store_item *item, store_action *action) {
    const store_past *past = NULL;
    uint32_t count = 0;
    *action = STORE_CHANGED;
    if (t->revision == 0) { return store_get(txn, t->area, t->id, item); }
    store_status status = store_history(txn, t->area, t->id, t->revision + 1, 1, &past, &count);
    if (status != STORE_OK) { return status; }
    if (count == 1 && past[0].item.revision == t->revision) {
        *item = past[0].item;
        *action = past[0].action;
        return STORE_OK;
    }
    const store_file *files; // says in the store's words that there is no such revision
    status = store_past_files(txn, t->area, t->id, t->revision, false, &files, &count);
    return status == STORE_OK ? STORE_NOT_FOUND : status;
}

// Makes a reply that is kept until the thing changes, and gives it.
static void reply_kept(const api *a, http_request *request, api_view view, const target *t, uint64_t mark,
                       int64_t revision, const char *type, const void *bytes, size_t size) {
    // What is called by its content never becomes another content.
    static const char *const for_ever[] = {"Cache-Control", "private, max-age=31536000, immutable", NULL};
    const bool is_fixed = t->area == STORE_ASSET && view == API_CONTENT;
    char etag[32];
    snprintf(etag, sizeof etag, "%lld", (long long)revision);
    http_body *body = http_body_new(type, bytes, size, etag, is_fixed ? for_ever : NULL);
    if (body == NULL) {
        api_no_memory(request);
        return;
    }
    if (t->revision == 0) { api_cache_put(a->cache, view, t->area, t->id, mark, body, size); }
    http_reply_body(request, body);
    http_body_free(body);
}

// True: it was kept, or the disk has to be waited for; nothing more is to be done here.
static bool reply_known(const api *a, http_request *request, api_view view, const target *t) {
    http_body *body = t->revision == 0 ? api_cache_get(a->cache, view, t->area, t->id) : NULL;
    if (body == NULL) { return http_later(request); }
    http_reply_body(request, body);
    http_body_free(body);
    return true;
}

void api_whole(http_request *request, void *context) {
    const api *a = context;
    target t;
    store_txn *txn;
    store_item item;
    store_action action;
    if (!read_target(request, &t) || reply_known(a, request, API_WHOLE, &t)) { return; }
    const uint64_t mark = api_cache_mark(a->cache, t.area, t.id);
    if (!api_begin(a, request, STORE_READ, &txn)) { return; }
    http_text text = {0};
    store_status status = find(txn, &t, &item, &action);
    if (status == STORE_OK) { status = api_put_whole(&text, txn, &item, t.revision == 0, action); }
    if (!api_fine(request, txn, status)) {
    } else if (text.failed) {
        api_no_memory(request);
    } else {
        reply_kept(a, request, API_WHOLE, &t, mark, item.revision, "application/json", text.bytes, text.size);
    }
    http_text_free(&text);
    store_rollback(txn);
}

// The file of that name, NULL: the first.
static store_status find_file(store_txn *txn, const target *t, const store_item *item, const char *name,
                              store_file *file) {
    const store_file *files = NULL;
    uint32_t count = 0;
    if (t->revision == 0) { return store_file_get(txn, t->area, t->id, name, file); }
    const store_status status = store_past_files(txn, t->area, t->id, item->revision, true, &files, &count);
    if (status != STORE_OK) { return status; }
    for (uint32_t i = 0; i < count; i++) {
        if (name != NULL && strcmp(files[i].name, name) != 0) { continue; }
        *file = files[i];
        return STORE_OK;
    }
    return STORE_NOT_FOUND;
}

static void reply_file(const api *a, http_request *request, const target *t, const char *name) {
    const bool is_kept = name == NULL && t->revision == 0;
    const uint64_t mark = is_kept ? api_cache_mark(a->cache, t->area, t->id) : 0;
    store_txn *txn;
    store_item item;
    store_file file;
    store_action action;
    if (!api_begin(a, request, STORE_READ, &txn)) { return; }
    store_status status = find(txn, t, &item, &action);
    const bool is_there = status == STORE_OK;
    if (is_there) { status = find_file(txn, t, &item, name, &file); }
    if (is_there && status == STORE_NOT_FOUND) {
        http_reply_error(request, 404, "NOT_FOUND", "it has no file of that name");
    } else if (api_fine(request, txn, status)) {
        const char *type = api_type_of(file.name, file.bytes, (size_t)file.size);
        if (is_kept) {
            reply_kept(a, request, API_CONTENT, t, mark, item.revision, type, file.bytes, (size_t)file.size);
        } else {
            char etag[32];
            snprintf(etag, sizeof etag, "%lld", (long long)item.revision);
            http_reply(request, 200, type, file.bytes, (size_t)file.size);
            http_set_etag(request, etag);
        }
    }
    store_rollback(txn);
}

void api_content(http_request *request, void *context) {
    const api *a = context;
    target t;
    if (!read_target(request, &t) || reply_known(a, request, API_CONTENT, &t)) { return; }
    reply_file(a, request, &t, NULL);
}

void api_file(http_request *request, void *context) {
    target t;
    if (read_target(request, &t)) { reply_file(context, request, &t, http_param(request, "name")); }
}

// ---- All files as one ----

static bool pack_files(const store_file *files, uint32_t count, pet_bytes *zip) {
    pet_packed *packed = calloc(count > 0 ? count : 1, sizeof *packed);
    if (packed == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        const bool has_name = files[i].name != NULL && files[i].name[0] != 0;
        const char *type = api_type_of(has_name ? files[i].name : "", files[i].bytes, (size_t)files[i].size);
        packed[i] = (pet_packed){.name = has_name ? files[i].name : "content",
                                 .bytes = files[i].bytes,
                                 .size = (size_t)files[i].size,
                                 .stored = strcmp(type, "application/json") != 0};
    }
    const bool fine = pet_package_write_as_given(packed, count, zip);
    free(packed);
    return fine;
}

void api_archive(http_request *request, void *context) {
    target t;
    store_txn *txn;
    store_item item;
    store_action action;
    const store_file *files = NULL;
    uint32_t count = 0;
    if (!read_target(request, &t) || !api_begin(context, request, STORE_READ, &txn)) { return; }
    store_status status = find(txn, &t, &item, &action);
    if (status == STORE_OK) {
        status = t.revision == 0 ? store_files(txn, t.area, t.id, true, &files, &count)
                                 : store_past_files(txn, t.area, t.id, t.revision, true, &files, &count);
    }
    if (api_fine(request, txn, status)) {
        pet_bytes zip;
        char etag[32];
        snprintf(etag, sizeof etag, "%lld", (long long)item.revision);
        if (item.size > API_BODY_MAX) {
            http_reply_error(request, 413, "TOO_LARGE", "its files have more than 64 MiB: take them one by one");
        } else if (pack_files(files, count, &zip)) {
            http_reply_owned(request, 200, "application/zip", zip.data, zip.size, free);
            http_set_etag(request, etag);
        } else {
            api_no_memory(request);
        }
    }
    store_rollback(txn);
}

// ---- What was, and who refers to it ----

void api_history(http_request *request, void *context) {
    target t;
    store_txn *txn;
    const store_past *past = NULL;
    uint32_t count = 0;
    int64_t limit = API_PAGE, before = 0, revision = 0;
    if (!read_target(request, &t) || !api_number(request, "limit", 1, STORE_PAGE_MAX, &limit) ||
        !api_number(request, "cursor", 1, INT64_C(1) << 53, &before) ||
        !api_begin(context, request, STORE_READ, &txn)) {
        return;
    }
    // One more than asked for tells whether there are more.
    store_status status = store_history(txn, t.area, t.id, before, (uint32_t)limit + 1, &past, &count);
    if (status == STORE_OK) { status = store_revision(txn, &revision); }
    if (api_fine(request, txn, status)) {
        http_text text = {0};
        cli_json json = http_text_json(&text);
        const uint32_t shown = count > limit ? (uint32_t)limit : count;
        cli_json_open(&json, NULL, '{');
        cli_json_open(&json, "history", '[');
        for (uint32_t i = 0; i < shown; i++) {
            cli_json_open(&json, NULL, '{');
            cli_json_number(&json, "revision", (double)past[i].item.revision);
            cli_json_text(&json, "action", api_action_word(past[i].action));
            api_put_time(&json, "at", past[i].when_ms);
            api_put_item(&json, "item", &past[i].item);
            cli_json_close(&json, '}');
        }
        cli_json_close(&json, ']');
        if (count > shown) {
            char next[32];
            snprintf(next, sizeof next, "%lld", (long long)past[shown - 1].item.revision);
            cli_json_text(&json, "next", next);
        } else {
            cli_json_null(&json, "next");
        }
        cli_json_close(&json, '}');
        api_reply_number(request, 200, &text, revision);
    }
    store_rollback(txn);
}

void api_users(http_request *request, void *context) {
    target t;
    store_txn *txn;
    store_item item;
    const store_use *uses = NULL;
    uint32_t count = 0;
    int64_t revision = 0;
    if (!api_area(request, &t.area) || !api_begin(context, request, STORE_READ, &txn)) { return; }
    t.id = http_param(request, "id");
    store_status status = store_users(txn, t.area, t.id, &uses, &count);
    if (status == STORE_OK && count == 0) { status = store_get(txn, t.area, t.id, &item); } // is it there at all
    if (status == STORE_OK) { status = store_revision(txn, &revision); }
    if (api_fine(request, txn, status)) {
        http_text text = {0};
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_open(&json, "users", '[');
        for (uint32_t i = 0; i < count; i++) { api_put_use(&json, &uses[i]); }
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
        api_reply_number(request, 200, &text, revision);
    }
    store_rollback(txn);
}
