// See petween_serve.h: the state and its stream. petween's frames carry what agents do; none speaks to this host, so
// there are no such events, and its clients show their pet at rest. What the host has to tell is what changed in the
// library, by events of another name, which petween's clients pass over.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_serve.h"
#include "host/store_name.h"

enum { CHANGES_TOLD_MAX = 200 }; // more are only counted: whoever hears that looks at all there is

static bool state_of(petween_job *job, http_text *text, bool is_frame) {
    int64_t revision = 0;
    if (!petween_fine(job, store_revision(job->txn, &revision))) { return false; }
    cli_json json = http_text_json(text);
    cli_json_open(&json, NULL, '{');
    if (is_frame) { cli_json_text(&json, "kind", "snapshot"); }
    cli_json_open(&json, "events", '[');
    cli_json_close(&json, ']');
    cli_json_number(&json, "revision", (double)revision);
    cli_json_close(&json, '}');
    return true;
}

void petween_get_state(http_request *request, void *context) {
    petween_job job;
    http_text text = {0};
    if (!petween_open(&job, context, request, STORE_READ)) { return; }
    if (state_of(&job, &text, false)) { petween_send(request, &text); }
    petween_close(&job);
}

// The stream begins before the state is looked at, so that no change falls between the two. When the library cannot be
// read there is no stream: the error takes its place.
void petween_get_events(http_request *request, void *context) {
    petween *const p = context;
    petween_job job;
    http_text text = {0};
    if (!http_reply_stream(request, p->stream) || !petween_open(&job, p, request, STORE_READ)) { return; }
    if (state_of(&job, &text, true)) {
        if (text.failed || !http_stream_snapshot(request, "message", text.bytes, text.size)) {
            petween_no_memory(request);
        }
    }
    http_text_free(&text);
    petween_close(&job);
}

void petween_changed(void *context, const store_change *changes, uint32_t count) {
    static const char *const actions[] = {"", "created", "changed", "deleted", "restored"};
    petween *const p = context;
    http_text text = {0};
    int64_t revision = 0;
    cli_json json = http_text_json(&text);
    if (count == 0 || http_stream_clients(p->stream) == 0) { return; }
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "kind", "change");
    cli_json_open(&json, "changes", '[');
    for (uint32_t i = 0; i < count; i++) {
        if (changes[i].revision > revision) { revision = changes[i].revision; }
        if (i >= CHANGES_TOLD_MAX) { continue; }
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "area", store_area_name(changes[i].area));
        cli_json_text(&json, "id", changes[i].id);
        cli_json_number(&json, "revision", (double)changes[i].revision);
        cli_json_text(&json, "action", actions[changes[i].action]);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_number(&json, "count", count);
    cli_json_number(&json, "revision", (double)revision);
    cli_json_close(&json, '}');
    // Without memory a client hears of a change that it cannot read, and looks at all there is.
    if (text.failed) {
        http_stream_publish(p->stream, "change", "{}", 2);
    } else {
        http_stream_publish(p->stream, "change", text.bytes, text.size);
    }
    http_text_free(&text);
}
