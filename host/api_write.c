// What changes the library by the general interface: things put, deleted and restored, packs imported. Each is one
// transaction; whoever changes a thing says which state of it is meant: If-Match with its ETag, or If-None-Match: *
// when it is not there yet.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"

// ---- Which state is meant ----

static bool read_precondition(http_request *request) {
    const char *none = http_header(request, "If-None-Match");
    if (http_header(request, "If-Match") == NULL && none == NULL) {
        http_reply_error(request, 428, "PRECONDITION_REQUIRED",
                         "say which state is meant: If-Match with the ETag, or If-None-Match: * for what is not there");
        return false;
    }
    if (none != NULL && strcmp(none, "*") != 0) {
        http_reply_error(request, 400, "BAD_PRECONDITION", "a change goes with If-None-Match: * and no other");
        return false;
    }
    return true;
}

// The revision that the change is of, in the write transaction. False: it was answered.
static bool expect(http_request *request, store_txn *txn, store_area area, const char *id, int64_t *expected) {
    store_item item = {0};
    char etag[32] = "";
    const store_status status = store_get(txn, area, id, &item);
    if (status != STORE_NOT_FOUND && !api_fine(request, txn, status)) { return false; }
    const bool is_there = status == STORE_OK;
    *expected = is_there ? item.revision : STORE_NONE;
    snprintf(etag, sizeof etag, "%lld", (long long)item.revision);
    const bool wants_none = http_header(request, "If-None-Match") != NULL;
    if (http_if_match(request, is_there ? etag : NULL) && !(wants_none && is_there)) { return true; }
    store_error error = {.status = STORE_CONFLICT, .revision = item.revision};
    snprintf(error.text, sizeof error.text, is_there ? "it is of revision %lld now" : "it is not there",
             (long long)item.revision);
    api_refuse(request, &error);
    return false;
}

// Ends a transaction that has made `item`, and answers with it. `text` is made while the transaction lives.
static void finish(http_request *request, store_txn *txn, const store_item *item, bool is_new) {
    http_text text = {0};
    char place[STORE_ID_MAX + 32];
    store_error error;
    const int64_t revision = item->revision;
    snprintf(place, sizeof place, "/api/v1/%s/%s", api_area_word(item->area), item->id);
    const store_status status = api_put_whole(&text, txn, item, true, STORE_CHANGED);
    if (!api_fine(request, txn, status)) {
        store_rollback(txn);
    } else if (text.failed) {
        store_rollback(txn);
        api_no_memory(request);
    } else if (store_commit(txn, &error) != STORE_OK) {
        api_refuse(request, &error);
    } else {
        api_reply_number(request, is_new ? 201 : 200, &text, revision);
        if (is_new) { http_set(request, "Location", place); }
    }
    http_text_free(&text);
}

// ---- One thing ----

void api_put(http_request *request, void *context) {
    const api *a = context;
    content_def look = {0};
    content_put_def def = {
        .id = http_param(request, "id"), .name = http_query(request, "name"), .origin = http_query(request, "origin")};
    content_thing *thing;
    store_area area;
    store_error error = {0};
    store_item item;
    store_txn *txn;
    if (!api_area(request, &area) || !read_precondition(request) || !api_content_def(request, &look) ||
        !api_look(a, request, &look, area, def.id, &thing)) {
        return;
    }
    if (thing->status != ZO_OK) {
        error.status = STORE_INVALID;
        api_refuse_content(request, &error, thing->status, thing->report);
    } else if (api_begin(a, request, STORE_WRITE, &txn)) {
        if (!expect(request, txn, area, def.id, &def.expected)) {
            store_rollback(txn);
        } else if (content_put(txn, thing, &def, &item, &error) != STORE_OK) {
            api_refuse(request, &error);
            store_rollback(txn);
        } else {
            finish(request, txn, &item, def.expected == STORE_NONE);
        }
    }
    content_thing_free(thing);
}

void api_delete(http_request *request, void *context) {
    const char *id = http_param(request, "id");
    store_area area;
    store_error error = {0};
    store_txn *txn;
    int64_t expected;
    if (!api_area(request, &area) || !read_precondition(request)) { return; }
    if (http_header(request, "If-Match") == NULL) {
        http_reply_error(request, 428, "PRECONDITION_REQUIRED", "what is not there cannot be deleted: give If-Match");
        return;
    }
    if (!api_begin(context, request, STORE_WRITE, &txn)) { return; }
    store_item item;
    const store_status there = store_get(txn, area, id, &item);
    if (!api_fine(request, txn, there) || !expect(request, txn, area, id, &expected)) {
        store_rollback(txn);
    } else if (content_delete(txn, area, id, expected, &error) != STORE_OK) {
        api_refuse(request, &error);
        store_rollback(txn);
    } else if (store_commit(txn, &error) != STORE_OK) {
        api_refuse(request, &error);
    } else {
        http_reply_empty(request, 204);
    }
}

void api_restore(http_request *request, void *context) {
    const char *id = http_param(request, "id");
    int64_t revision = 0, expected;
    store_area area;
    store_item item;
    store_txn *txn;
    if (!api_area(request, &area) || !read_precondition(request) ||
        !api_number(request, "revision", 1, INT64_C(1) << 53, &revision)) {
        return;
    }
    if (revision == 0) {
        api_bad_parameter(request, "revision", "is needed: the one to go back to");
        return;
    }
    if (!api_begin(context, request, STORE_WRITE, &txn)) { return; }
    if (!expect(request, txn, area, id, &expected) ||
        !api_fine(request, txn, store_restore(txn, area, id, revision, expected, &item))) {
        store_rollback(txn);
        return;
    }
    finish(request, txn, &item, expected == STORE_NONE);
}

// ---- Many things ----

static void put_entry(cli_json *json, const content_entry *entry) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "area", api_area_word(entry->area));
    cli_json_text(json, "requestedId", entry->requested_id != NULL ? entry->requested_id : "");
    if (entry->final_id != NULL) {
        cli_json_text(json, "id", entry->final_id);
    } else {
        cli_json_null(json, "id");
    }
    cli_json_text(json, "outcome", content_outcome_name(entry->outcome));
    if (entry->reason != NULL) { cli_json_text(json, "reason", entry->reason); }
    if (entry->file != NULL && entry->file[0] != 0) { cli_json_text(json, "file", entry->file); }
    if (entry->mended) { cli_json_bool(json, "mended", true); }
    cli_json_number(json, "revision", (double)entry->revision);
    cli_json_close(json, '}');
}

static void put_result(http_text *text, const content_result *result, bool dry_run) {
    static const char *const shapes[] = {"thing", "pack", "package"};
    cli_json json = http_text_json(text);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "shape", shapes[result->shape]);
    cli_json_text(&json, "name", result->name != NULL ? result->name : "");
    cli_json_text(&json, "namespace", result->pack_namespace != NULL ? result->pack_namespace : "");
    cli_json_bool(&json, "dryRun", dry_run);
    cli_json_open(&json, "entries", '[');
    for (uint32_t i = 0; i < result->entry_count; i++) { put_entry(&json, &result->entries[i]); }
    cli_json_close(&json, ']');
    const char *mounts = result->mounts_json != NULL ? result->mounts_json : "{}";
    cli_json_raw(&json, "mounts", mounts, strlen(mounts));
    if (result->apply_patch_json != NULL) {
        cli_json_raw(&json, "applyPatch", result->apply_patch_json, strlen(result->apply_patch_json));
    }
    if (result->pet_id != NULL) { cli_json_text(&json, "pet", result->pet_id); }
    if (result->provenance_id != NULL) { cli_json_text(&json, "provenance", result->provenance_id); }
    if (result->report != NULL) {
        http_text list = {0};
        if (api_put_diagnostics(&list, result->report)) {
            cli_json_raw(&json, "diagnostics", list.bytes, list.size);
        } else {
            text->failed = true;
        }
        http_text_free(&list);
    }
    cli_json_close(&json, '}');
}

// Commits before it answers. What was done is told from memory that ends with the transaction, so that comes first.
static void finish_import(http_request *request, store_txn *txn, const content_result *result, bool dry_run) {
    http_text text = {0};
    store_error error;
    put_result(&text, result, dry_run);
    if (text.failed) {
        store_rollback(txn);
        api_no_memory(request);
    } else if (dry_run) {
        store_rollback(txn);
        api_reply_text(request, 200, &text, NULL);
    } else if (store_commit(txn, &error) != STORE_OK) {
        api_refuse(request, &error);
    } else {
        api_reply_text(request, 200, &text, NULL);
    }
    http_text_free(&text);
}

void api_import(http_request *request, void *context) {
    content_import_def def = {.origin = http_query(request, "origin"), .id = http_query(request, "id")};
    content_result *result = NULL;
    store_error error = {0};
    store_file file;
    store_txn *txn;
    if (!api_content_def(request, &def.content) || !api_flag(request, "dryRun", &def.dry_run) ||
        !api_flag(request, "mend", &def.content.mend) ||
        !api_take(request, def.id != NULL ? def.id : "", &file) ||
        !api_begin(context, request, def.dry_run ? STORE_READ : STORE_WRITE, &txn)) {
        return;
    }
    const store_status status = content_import(txn, &file, 1, &def, &result, &error);
    if (status == STORE_OK) {
        finish_import(request, txn, result, def.dry_run);
    } else if (status == STORE_CONFLICT) { // an import replaces nothing, and was told of no state to replace
        http_reply_error(request, 409, "TAKEN", "the id is taken by something else");
        store_rollback(txn);
    } else {
        const zo_report *report = status == STORE_INVALID && result != NULL ? result->report : NULL;
        api_refuse_content(request, &error, result != NULL ? result->status : ZO_INVALID, report);
        store_rollback(txn);
    }
    content_result_free(result);
}
