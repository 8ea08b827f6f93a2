// See api_render.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/api_order.h"
#include "host/api_render.h"

enum { BODY_MAX = 256 * 1024, LIST_MAX = 1024 }; // more than can be known at once: those that wait, run and are kept

struct api_render {
    store *library;
    http_server *server;
    render_queue *queue;
    http_stream *events;
    http_routes routes;
};

// --------------------------------------------------------------------------------------------------------------- texts

static const char *fault_text(render_fault fault) {
    switch (fault) {
    case RENDER_INVALID: return "the content has errors";
    case RENDER_REFUSED: return "the options do not fit the content";
    case RENDER_LIMIT: return "it takes more memory or more frames than a render may";
    case RENDER_TOO_SLOW: return "it took more time than a render may";
    case RENDER_TOO_BIG: return "it would have more bytes than a render may";
    case RENDER_KILLED: return "the process that rendered it was ended";
    case RENDER_UNSTARTED: return "the process that renders it could not be started";
    default: return "it could not be made";
    }
}

static void put_result(cli_json *json, const render_info *info) {
    char url[80];
    snprintf(url, sizeof url, "/api/v1/renders/%s/result", info->id);
    cli_json_open(json, "result", '{');
    cli_json_text(json, "url", url);
    cli_json_text(json, "type", render_kind_type(info->kind));
    cli_json_number(json, "size", (double)info->size);
    cli_json_text(json, "hash", info->hash);
    cli_json_number(json, "width", info->width);
    cli_json_number(json, "height", info->height);
    cli_json_number(json, "frames", (double)info->frame_count);
    cli_json_number(json, "durationMs", info->duration_ms);
    cli_json_close(json, '}');
}

static void put_info(cli_json *json, const render_info *info, const char *key) {
    cli_json_open(json, key, '{');
    cli_json_text(json, "id", info->id);
    cli_json_text(json, "state", render_state_name(info->state));
    cli_json_number(json, "progress", info->progress);
    if (info->state == RENDER_WAITING) { cli_json_number(json, "position", info->position); }
    cli_json_text(json, "format", render_kind_name(info->kind));
    zo_document *label = NULL; // members of an object: they are put one by one
    zo_value root, value;
    http_text whole = {0};
    http_text_words(&whole, "{");
    http_text_words(&whole, info->label);
    http_text_words(&whole, "}");
    if (!whole.failed && zo_document_open(whole.bytes, whole.size, NULL, &label) == ZO_OK &&
        zo_document_value(label, ZO_VALUE_ROOT, &root)) {
        for (uint32_t at = root.first; at != 0 && zo_document_value(label, at, &value); at = value.next) {
            char name[16];
            snprintf(name, sizeof name, "%.*s", (int)value.key.size, value.key.data);
            cli_json_raw(json, name, value.source.data, value.source.size);
        }
    }
    zo_document_free(label);
    http_text_free(&whole);
    api_put_time(json, "orderedAt", info->ordered_ms);
    if (info->started_ms > 0) { api_put_time(json, "startedAt", info->started_ms); }
    if (info->ended_ms > 0) { api_put_time(json, "endedAt", info->ended_ms); }
    if (info->state == RENDER_DONE) { put_result(json, info); }
    if (info->state == RENDER_FAILED) {
        cli_json_open(json, "problem", '{');
        cli_json_text(json, "code", render_fault_name(info->fault));
        cli_json_text(json, "detail", fault_text(info->fault));
        cli_json_close(json, '}');
    }
    if (info->note[0] != 0) { cli_json_text(json, "note", info->note); }
    if (info->diagnostics != NULL) { cli_json_raw(json, "diagnostics", info->diagnostics, strlen(info->diagnostics)); }
    cli_json_close(json, '}');
}

static void put_limits(cli_json *json, const render_def *limits) {
    cli_json_open(json, "limits", '{');
    cli_json_number(json, "side", ORDER_SIDE_MAX);
    cli_json_number(json, "timeMs", limits->time_ms);
    cli_json_number(json, "size", (double)limits->result_limit);
    cli_json_number(json, "waiting", limits->queue_limit);
    cli_json_number(json, "running", limits->workers);
    cli_json_number(json, "kept", limits->kept_limit);
    cli_json_number(json, "keptMs", limits->kept_ms);
    cli_json_close(json, '}');
    cli_json_open(json, "formats", '[');
    const bool has_ffmpeg = render_has_ffmpeg();
    for (int kind = 0; kind < RENDER_KIND_COUNT; kind++) {
        if (render_kind_wants_ffmpeg((render_kind)kind) && !has_ffmpeg) { continue; }
        cli_json_text(json, NULL, render_kind_name((render_kind)kind));
    }
    cli_json_close(json, ']');
}

static void put_all(http_text *text, render_queue *queue) {
    render_info *infos[LIST_MAX];
    const uint32_t count = render_list(queue, infos, LIST_MAX);
    cli_json json = http_text_json(text);
    cli_json_open(&json, NULL, '{');
    cli_json_open(&json, "renders", '[');
    for (uint32_t i = 0; i < count; i++) {
        put_info(&json, infos[i], NULL);
        render_info_free(infos[i]);
    }
    cli_json_close(&json, ']');
    put_limits(&json, render_limits(queue));
    cli_json_close(&json, '}');
}

// ------------------------------------------------------------------------------------------------------------ handlers

// NULL: it was answered.
static render_info *asked_for(http_request *request, const api_render *r) {
    render_info *info = render_get(r->queue, http_param(request, "render"));
    if (info == NULL) { http_reply_error(request, 404, "NOT_FOUND", "there is no such render, or it is kept no more"); }
    return info;
}

static void reply_info(http_request *request, unsigned status, const render_info *info) {
    http_text text = {0};
    cli_json json = http_text_json(&text);
    put_info(&json, info, NULL);
    if (status == 200) {
        api_reply_hashed(request, "application/json", &text);
    } else {
        api_reply_text(request, status, &text, NULL);
    }
}

static void post_render(http_request *request, void *context) {
    const api_render *r = context;
    char id[RENDER_ID_SIZE], place[80];
    render_status status;
    if (!api_order(request, r->library, r->queue, id, &status)) { return; }
    render_info *info = render_get(r->queue, id);
    if (info == NULL) { // cancelled and forgotten meanwhile, or memory
        api_no_memory(request);
        return;
    }
    reply_info(request, info->state == RENDER_DONE ? 200 : 202, info);
    snprintf(place, sizeof place, "/api/v1/renders/%s", id);
    http_set(request, "Location", place);
    render_info_free(info);
}

static void get_renders(http_request *request, void *context) {
    const api_render *r = context;
    http_text text = {0};
    put_all(&text, r->queue);
    api_reply_hashed(request, "application/json", &text);
}

static void get_render(http_request *request, void *context) {
    render_info *info = asked_for(request, context);
    if (info == NULL) { return; }
    reply_info(request, 200, info);
    render_info_free(info);
}

static void get_result(http_request *request, void *context) {
    const api_render *r = context;
    char name[64];
    render_info *info = asked_for(request, r);
    if (info == NULL) { return; }
    size_t size = 0;
    void *bytes = render_take(r->queue, info->id, &size);
    if (bytes != NULL) {
        http_reply_owned(request, 200, render_kind_type(info->kind), bytes, size, render_release);
        info->hash[32] = 0;
        http_set_etag(request, info->hash);
        snprintf(name, sizeof name, "inline; filename=\"%.12s.%s\"", info->id, render_kind_name(info->kind));
        http_set(request, "Content-Disposition", name);
    } else if (info->state <= RENDER_RUNNING) {
        http_reply_error(request, 409, "NOT_DONE", "it is not rendered yet");
        http_set(request, "Retry-After", "1");
    } else if (info->state == RENDER_DONE) {
        http_reply_error(request, 404, "NOT_FOUND", "the result is kept no more");
    } else {
        const bool is_cancelled = info->state == RENDER_CANCELLED;
        http_reply_error(request, 409, "NO_RESULT", is_cancelled ? "it was cancelled" : fault_text(info->fault));
    }
    render_info_free(info);
}

static void delete_render(http_request *request, void *context) {
    const api_render *r = context;
    if (render_cancel(r->queue, http_param(request, "render"))) {
        http_reply_empty(request, 204);
    } else {
        http_reply_error(request, 404, "NOT_FOUND", "there is no such render, or it is kept no more");
    }
}

// Every change of every render, after all of them as they are.
static void get_events(http_request *request, void *context) {
    const api_render *r = context;
    http_text text = {0};
    if (!http_reply_stream(request, r->events)) { return; }
    put_all(&text, r->queue);
    if (!text.failed) { http_stream_snapshot(request, "snapshot", text.bytes, text.size); }
    http_text_free(&text);
}

static void on_change(void *context, const render_info *info) {
    const api_render *r = context;
    if (http_stream_clients(r->events) == 0) { return; } // who comes now gets all of them first
    http_text text = {0};
    cli_json json = http_text_json(&text);
    put_info(&json, info, NULL);
    if (!text.failed) { http_stream_publish(r->events, "render", text.bytes, text.size); }
    http_text_free(&text);
}

static const http_route routes[] = {
    {"/api/v1/renders", HTTP_GET, HTTP_SLOW, 0, get_renders},
    {"/api/v1/renders", HTTP_POST, HTTP_SLOW, BODY_MAX, post_render},
    {"/api/v1/renders/events", HTTP_GET, HTTP_SLOW, 0, get_events},
    {"/api/v1/renders/{render}", HTTP_GET, 0, 0, get_render},
    {"/api/v1/renders/{render}", HTTP_DELETE, HTTP_SLOW, 0, delete_render},
    {"/api/v1/renders/{render}/result", HTTP_GET, 0, 0, get_result},
};

// ----------------------------------------------------------------------------------------------------------------- all

api_render *api_render_new(store *library, http_server *server, const render_def *def, char error[256]) {
    api_render *r = calloc(1, sizeof *r);
    render_def own = def != NULL ? *def : (render_def){0};
    snprintf(error, 256, "no memory");
    if (r == NULL) { return NULL; }
    *r = (api_render){.library = library, .server = server, .events = http_stream_new(server, "renders")};
    r->routes = (http_routes){"/api/v1/renders", HTTP_PROBLEM, routes, sizeof routes / sizeof *routes, r};
    own.changed = on_change;
    own.changed_context = r;
    r->queue = r->events != NULL ? render_new(&own, error) : NULL;
    if (r->queue != NULL) { return r; }
    free(r);
    return NULL;
}

bool api_render_add(api_render *r) { return http_server_add(r->server, &r->routes); }

void api_render_metrics(const api_render *r, http_metrics *metrics) {
    const render_counts n = render_count(r->queue);
    static const char help[] = "Renders by where they stand.", ended[] = "Renders that are over, by how they ended.";
    static const char all[] = "zoetrope_renders", total[] = "zoetrope_renders_total";
    http_metric(metrics, HTTP_GAUGE, all, help, "state=\"waiting\"", (double)n.waiting);
    http_metric(metrics, HTTP_GAUGE, all, help, "state=\"running\"", (double)n.running);
    http_metric(metrics, HTTP_GAUGE, all, help, "state=\"kept\"", (double)n.kept);
    http_metric(metrics, HTTP_GAUGE, "zoetrope_render_bytes", "Bytes of results that are kept.", NULL,
                (double)n.kept_bytes);
    http_metric(metrics, HTTP_COUNTER, total, ended, "outcome=\"done\"", (double)n.done);
    http_metric(metrics, HTTP_COUNTER, total, ended, "outcome=\"failed\"", (double)n.failed);
    http_metric(metrics, HTTP_COUNTER, total, ended, "outcome=\"cancelled\"", (double)n.cancelled);
}

void api_render_stop(api_render *r) {
    if (r == NULL) { return; }
    render_free(r->queue);
    r->queue = NULL;
}

void api_render_free(api_render *r) {
    api_render_stop(r);
    free(r);
}
