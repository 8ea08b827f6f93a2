// Changes of the library: those after a revision, for whoever was away, and as they happen, as a stream of events.
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"

void api_changes(http_request *request, void *context) {
    const api *a = context;
    const store_change *changes = NULL;
    uint32_t count = 0;
    int64_t limit = API_PAGE, after = 0, revision = 0;
    store_txn *txn;
    if (!api_number(request, "after", 0, INT64_C(1) << 53, &after) ||
        !api_number(request, "limit", 1, STORE_PAGE_MAX, &limit) || !api_begin(a, request, STORE_READ, &txn)) {
        return;
    }
    store_status status = store_changes(txn, after, (uint32_t)limit + 1, &changes, &count);
    if (status == STORE_OK) { status = store_revision(txn, &revision); }
    if (api_fine(request, txn, status)) {
        http_text text = {0};
        cli_json json = http_text_json(&text);
        const uint32_t shown = count > limit ? (uint32_t)limit : count;
        cli_json_open(&json, NULL, '{');
        cli_json_open(&json, "changes", '[');
        for (uint32_t i = 0; i < shown; i++) { api_put_change(&json, &changes[i]); }
        cli_json_close(&json, ']');
        if (count > shown) { // what to ask after
            cli_json_number(&json, "next", (double)changes[shown - 1].revision);
        } else {
            cli_json_null(&json, "next");
        }
        cli_json_number(&json, "revision", (double)revision);
        cli_json_close(&json, '}');
        api_reply_number(request, 200, &text, revision);
    }
    store_rollback(txn);
}

void api_events(http_request *request, void *context) {
    const api *a = context;
    int64_t revision = 0;
    store_txn *txn;
    if (!http_reply_stream(request, a->events)) { return; }
    // Looked at only now: what changes from here on comes as an event.
    if (!api_begin(a, request, STORE_READ, &txn)) { return; }
    if (api_fine(request, txn, store_revision(txn, &revision))) {
        http_text text = {0};
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "library", store_library_id(a->library));
        cli_json_number(&json, "revision", (double)revision);
        cli_json_close(&json, '}');
        if (text.failed || !http_stream_snapshot(request, "snapshot", text.bytes, text.size)) {
            api_no_memory(request);
        }
        http_text_free(&text);
    }
    store_rollback(txn);
}

void api_changed(void *context, const store_change *changes, uint32_t count) {
    const api *a = context;
    for (uint32_t i = 0; i < count; i++) { api_cache_forget(a->cache, changes[i].area, changes[i].id); }
    if (http_stream_clients(a->events) == 0) { return; } // who comes now gets a snapshot that has all of it
    for (uint32_t i = 0; i < count; i++) {
        http_text text = {0};
        cli_json json = http_text_json(&text);
        api_put_change(&json, &changes[i]);
        // Without memory for it nobody is told; the revision of the next one shows that something is missing.
        if (!text.failed) { http_stream_publish(a->events, "change", text.bytes, text.size); }
        http_text_free(&text);
    }
}
