// The log, a JSON object a line, gathered and handed on several times a second; and the numbers for /metrics in the
// text form of Prometheus.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "http_internal.h"

enum { LOG_FULL = 64 * 1024, LOG_MOST = 4 * 1024 * 1024 };

const int64_t http_buckets_ns[BUCKET_COUNT] = {100000,   500000,    1000000,    5000000,   10000000,
                                               50000000, 100000000, 1000000000, 10000000000};

// ---- The log ----

static void begin_line(cli_json *json, http_text *text, bool is_error, const char *event) {
    char time_text[40];
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    const size_t size = strftime(time_text, sizeof time_text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(time_text + size, sizeof time_text - size, ".%03dZ", (int)(now.tv_nsec / MS));
    *json = (cli_json){.write = http_text_put, .context = text, .flat = true};
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "time", time_text);
    cli_json_text(json, "level", is_error ? "error" : "info");
    cli_json_text(json, "event", event);
}

static void flush(http_server *server) {
    http_text *log = &server->log;
    if (log->size > 0) { server->options.log(server->options.log_context, log->bytes, log->size); }
    log->size = 0;
}

static void add_line(http_server *server, const http_text *line, bool at_once) {
    pthread_mutex_lock(&server->log_lock);
    http_text *log = &server->log;
    if (line->failed || log->size + line->size > LOG_MOST || !http_text_put(log, line->bytes, line->size)) {
        log->failed = false; // what is there is whole
        atomic_fetch_add(&server->counters.log_lost, 1);
    }
    if (at_once || log->size > LOG_FULL) { flush(server); }
    pthread_mutex_unlock(&server->log_lock);
}

void http_log_flush(http_server *server) {
    if (server->options.log == NULL) { return; }
    pthread_mutex_lock(&server->log_lock);
    flush(server);
    pthread_mutex_unlock(&server->log_lock);
}

void http_log(http_server *server, bool is_error, const char *event, const char *members) {
    if (server->options.log == NULL || server->options.log_level == HTTP_LOG_NONE) { return; }
    http_text line = {0};
    cli_json json;
    begin_line(&json, &line, is_error, event);
    if (members != NULL && members[0] != 0) {
        http_text_words(&line, ", ");
        http_text_words(&line, members);
    }
    cli_json_close(&json, '}');
    cli_json_end(&json);
    add_line(server, &line, true);
    http_text_free(&line);
}

void http_log_request(const http_request *request, bool is_whole) {
    http_server *server = request->server;
    const unsigned status = request->status;
    const bool is_error = status >= 500;
    if (server->options.log == NULL || server->options.log_level == HTTP_LOG_NONE) { return; }
    if (server->options.log_level == HTTP_LOG_ERRORS && status < 400 && is_whole) { return; }
    http_text line = {0};
    cli_json json;
    begin_line(&json, &line, is_error, "request");
    cli_json_number(&json, "request", (double)request->number);
    cli_json_text(&json, "peer", request->connection->peer);
    cli_json_text(&json, "method", request->method_text);
    cli_json_text(&json, "target", request->target);
    if (status > 0) { cli_json_number(&json, "status", status); }
    if (request->code != NULL) { cli_json_text(&json, "code", request->code); }
    cli_json_number(&json, "bytes", (double)request->reply_size);
    cli_json_number(&json, "ms", (double)((http_now_ns() - request->began_ns) / 1000) / 1000.0);
    if (!is_whole) { cli_json_bool(&json, "cut", true); }
    cli_json_close(&json, '}');
    cli_json_end(&json);
    add_line(server, &line, is_error);
    http_text_free(&line);
}

void http_count_request(http_request *request) {
    counters *c = &request->server->counters;
    const unsigned hundreds = request->status / 100;
    const int64_t took_ns = http_now_ns() - request->began_ns;
    atomic_fetch_add(&c->requests[request->method][hundreds < 6 ? hundreds : 0], 1);
    atomic_fetch_add(&c->bytes_sent, request->is_head ? 0 : request->reply_size);
    atomic_fetch_add(&c->bytes_received, request->body_size + request->swallowed);
    if (request->is_stream) { return; } // they last as long as somebody looks
    uint32_t bucket = 0;
    while (bucket < BUCKET_COUNT && took_ns > http_buckets_ns[bucket]) { bucket++; }
    atomic_fetch_add(&c->buckets[bucket], 1);
    atomic_fetch_add(&c->spent_us, (uint64_t)(took_ns / 1000));
}

// ---- Metrics ----

struct http_metrics {
    http_text text;
    char name[96]; // of the last
};

static void put_header(http_metrics *metrics, const char *kind, const char *name, const char *help) {
    if (strcmp(metrics->name, name) == 0) { return; }
    snprintf(metrics->name, sizeof metrics->name, "%s", name);
    const char *const words[] = {"# HELP ", name, " ", help, "\n# TYPE ", name, " ", kind, "\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) { http_text_words(&metrics->text, words[i]); }
}

static void put_value(http_metrics *metrics, const char *name, const char *suffix, const char *labels, double value) {
    char number[40];
    http_text_words(&metrics->text, name);
    http_text_words(&metrics->text, suffix);
    if (labels != NULL) {
        http_text_words(&metrics->text, "{");
        http_text_words(&metrics->text, labels);
        http_text_words(&metrics->text, "}");
    }
    snprintf(number, sizeof number, " %.17g\n", value);
    http_text_words(&metrics->text, number);
}

void http_metric(http_metrics *metrics, http_metric_kind kind, const char *name, const char *help, const char *labels,
                 double value) {
    put_header(metrics, kind == HTTP_COUNTER ? "counter" : "gauge", name, help);
    put_value(metrics, name, "", labels, value);
}

static void put_requests(http_metrics *m, const counters *c) {
    static const char *const methods[HTTP_METHOD_COUNT + 1] = {"GET", "POST", "PUT", "PATCH", "DELETE", "other"};
    char labels[64];
    for (int method = 0; method <= HTTP_METHOD_COUNT; method++) {
        for (int hundreds = 0; hundreds < 6; hundreds++) {
            const uint64_t count = atomic_load(&c->requests[method][hundreds]);
            if (count == 0) { continue; }
            snprintf(labels, sizeof labels, "method=\"%s\",status=\"%dxx\"", methods[method], hundreds);
            http_metric(m, HTTP_COUNTER, "zoetrope_http_requests_total", "Requests by the status of their answers.",
                        labels, (double)count);
        }
    }
    static const char seconds[] = "zoetrope_http_request_seconds";
    put_header(m, "histogram", seconds, "Time from a request's first line to its answer sent; no streams.");
    uint64_t sum = 0;
    for (int i = 0; i <= BUCKET_COUNT; i++) {
        sum += atomic_load(&c->buckets[i]);
        if (i < BUCKET_COUNT) {
            snprintf(labels, sizeof labels, "le=\"%g\"", (double)http_buckets_ns[i] / 1e9);
        } else {
            snprintf(labels, sizeof labels, "le=\"+Inf\"");
        }
        put_value(m, seconds, "_bucket", labels, (double)sum);
    }
    put_value(m, seconds, "_sum", NULL, (double)atomic_load(&c->spent_us) / 1e6);
    put_value(m, seconds, "_count", NULL, (double)sum);
}

static void put_streams(http_metrics *m, http_server *server) {
    char labels[128];
    pthread_mutex_lock(&server->streams_lock);
    const http_stream *stream = server->streams; // later ones are put in front
    pthread_mutex_unlock(&server->streams_lock);
    for (; stream != NULL; stream = http_stream_next(stream)) {
        snprintf(labels, sizeof labels, "stream=\"%.100s\"", http_stream_name(stream));
        http_metric(m, HTTP_GAUGE, "zoetrope_http_stream_clients", "Clients that listen to a stream.", labels,
                    http_stream_clients(stream));
    }
}

void http_metrics_handler(http_request *request, void *context) {
    (void)context;
    static const char *const doing[PHASE_COUNT] = {"idle", "head", "body", "handle", "reply", "stream", "cut"};
    http_server *server = request->server;
    counters *c = &server->counters;
    http_metrics m = {0};
    put_requests(&m, c);
    for (int i = 0; i < PHASE_CUT; i++) {
        char labels[32];
        snprintf(labels, sizeof labels, "during=\"%s\"", doing[i]);
        http_metric(&m, HTTP_COUNTER, "zoetrope_http_cut_total", "Connections cut off for taking too long.", labels,
                    (double)atomic_load(&c->cut[i]));
    }
    http_metric(&m, HTTP_GAUGE, "zoetrope_http_connections", "Open connections.", NULL, atomic_load(&c->connections));
    http_metric(&m, HTTP_COUNTER, "zoetrope_http_connections_total", "Connections that were accepted.", NULL,
                (double)atomic_load(&c->accepted));
    http_metric(&m, HTTP_GAUGE, "zoetrope_http_running", "Requests that are not answered yet; streams too.", NULL,
                atomic_load(&c->running));
    http_metric(&m, HTTP_GAUGE, "zoetrope_http_queued", "Requests that wait for a worker.", NULL,
                atomic_load(&c->queued));
    http_metric(&m, HTTP_GAUGE, "zoetrope_http_body_bytes", "Memory of bodies that come or are handled.", NULL,
                (double)atomic_load(&server->body_memory));
    http_metric(&m, HTTP_COUNTER, "zoetrope_http_sent_bytes_total", "Bytes of answers without their heads.", NULL,
                (double)atomic_load(&c->bytes_sent));
    http_metric(&m, HTTP_COUNTER, "zoetrope_http_received_bytes_total", "Bytes of bodies.", NULL,
                (double)atomic_load(&c->bytes_received));
    http_metric(&m, HTTP_COUNTER, "zoetrope_http_events_total", "Events that were published.", NULL,
                (double)atomic_load(&c->events));
    http_metric(&m, HTTP_COUNTER, "zoetrope_http_stream_clients_dropped_total",
                "Clients of streams that were too far behind.", NULL, (double)atomic_load(&c->clients_dropped));
    http_metric(&m, HTTP_COUNTER, "zoetrope_http_log_lost_total", "Lines of the log that were lost.", NULL,
                (double)atomic_load(&c->log_lost));
    put_streams(&m, server);
    if (server->options.metrics != NULL) { server->options.metrics(server->options.metrics_context, &m); }
    if (!m.text.failed) {
        http_reply(request, 200, "text/plain; version=0.0.4; charset=utf-8", m.text.bytes, m.text.size);
        http_set(request, "Cache-Control", "no-store");
    }
    http_text_free(&m.text);
}
