// A server for tests/host/http.py: routes of every kind, and limits from the command line, small enough to be reached.
//   server [NAME=VALUE...]    prints "listening on URL"; ends at SIGTERM; exit 0: no request was cut off
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/http.h"

static http_body *kept;
static http_stream *stream;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned revision;
static atomic_uint handled; // requests of /slow that were handled to their end

static void say(http_request *request, unsigned status, const char *text) {
    http_reply(request, status, "text/plain", text, strlen(text));
}

static void get_kept(http_request *request, void *context) {
    (void)context;
    http_reply_body(request, kept);
}

static void get_fresh(http_request *request, void *context) {
    (void)context;
    const char *value = http_query(request, "q");
    say(request, 200, value != NULL ? value : "none");
    http_set_etag(request, "fresh-1");
}

static void get_slow(http_request *request, void *context) {
    (void)context;
    const char *ms = http_query(request, "ms");
    const long wanted = ms != NULL ? atol(ms) : 0;
    const struct timespec pause = {.tv_sec = wanted / 1000, .tv_nsec = wanted % 1000 * 1000000};
    nanosleep(&pause, NULL);
    atomic_fetch_add(&handled, 1);
    say(request, 200, "slow");
}

static void get_later(http_request *request, void *context) { // with ?now=1 at once; else by a worker
    if (http_query(request, "now") == NULL && http_later(request)) { return; }
    get_slow(request, context);
}

static void get_nothing(http_request *request, void *context) { // answers nothing: 500
    (void)request;
    (void)context;
}

static void get_large(http_request *request, void *context) {
    (void)context;
    const size_t size = (size_t)8 * 1024 * 1024;
    char *bytes = malloc(size);
    if (bytes == NULL) { return; }
    memset(bytes, 'x', size);
    http_reply_owned(request, 200, "application/octet-stream", bytes, size, free);
}

static void post_echo(http_request *request, void *context) { // the size, the sum of all bytes, the type
    (void)context;
    const http_bytes body = http_body_of(request);
    unsigned long sum = 0;
    char text[200];
    for (size_t i = 0; i < body.size; i++) { sum += body.bytes[i]; }
    snprintf(text, sizeof text, "%zu %lu %.100s", body.size, sum, http_content_type(request));
    say(request, body.bytes[body.size] == 0 ? 200 : 500, text);
}

static void get_parts(http_request *request, void *context) {
    (void)context;
    char text[400];
    snprintf(text, sizeof text, "%.100s|%.100s|%.100s", http_path(request),
             http_param(request, "id") != NULL ? http_param(request, "id") : "-",
             http_param(request, "rest") != NULL ? http_param(request, "rest") : "-");
    say(request, 200, text);
}

// A number that grows by one with each PUT; a PUT of another revision is refused.
static void counter(http_request *request, void *context) {
    (void)context;
    char etag[32];
    pthread_mutex_lock(&lock);
    snprintf(etag, sizeof etag, "r%u", revision);
    if (http_method_of(request) == HTTP_PUT && !http_if_match(request, etag)) {
        pthread_mutex_unlock(&lock);
        http_reply_error_with(request, 412, "STALE", "another was faster", "\"current\": 1");
        return;
    }
    if (http_method_of(request) == HTTP_PUT) {
        snprintf(etag, sizeof etag, "r%u", ++revision);
        http_stream_publish(stream, "counter", etag, strlen(etag));
    }
    pthread_mutex_unlock(&lock);
    say(request, 200, etag);
    http_set_etag(request, etag);
}

static void get_stream(http_request *request, void *context) {
    (void)context;
    if (!http_reply_stream(request, stream)) { return; }
    char text[32];
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "r%u\nof it", revision);
    pthread_mutex_unlock(&lock);
    http_stream_snapshot(request, "snapshot", text, strlen(text));
}

static void post_publish(http_request *request, void *context) {
    (void)context;
    const http_bytes body = http_body_of(request);
    http_stream_publish(stream, "message", (const char *)body.bytes, body.size);
    say(request, 200, "published");
}

static void put_early(http_request *request, void *context) { // "no" is refused whatever its body is like
    (void)context;
    const char *id = http_param(request, "id");
    if (strcmp(id, "no") == 0) {
        http_reply_error(request, 404, "NOT_FOUND", "refused");
    } else if (!http_is_early(request)) {
        post_echo(request, context);
    }
}

static void delete_it(http_request *request, void *context) {
    (void)context;
    http_reply_empty(request, 204);
}

static const http_route routes[] = {
    {"/kept", HTTP_GET, 0, 0, get_kept},
    {"/fresh", HTTP_GET, 0, 0, get_fresh},
    {"/slow", HTTP_GET, HTTP_SLOW, 0, get_slow},
    {"/later", HTTP_GET, 0, 0, get_later},
    {"/nothing", HTTP_GET, 0, 0, get_nothing},
    {"/large", HTTP_GET, 0, 0, get_large},
    {"/echo", HTTP_POST, 0, 65536, post_echo},
    {"/echo", HTTP_PATCH, HTTP_SLOW, 65536, post_echo},
    {"/parts/{id}", HTTP_GET, 0, 0, get_parts},
    {"/parts/{id}", HTTP_DELETE, 0, 0, delete_it},
    {"/parts/own", HTTP_GET, 0, 0, get_fresh},
    {"/rest/{rest...}", HTTP_GET, 0, 0, get_parts},
    {"/big", HTTP_PUT, HTTP_SLOW, 4 * 1024 * 1024, post_echo},
    {"/counter", HTTP_GET, HTTP_SLOW, 0, counter},
    {"/counter", HTTP_PUT, HTTP_SLOW | HTTP_IF_MATCH, 100, counter},
    {"/early/{id}", HTTP_PUT, HTTP_EARLY, 100, put_early},
    {"/early/{id}", HTTP_PATCH, HTTP_EARLY | HTTP_SLOW, 100, put_early},
    {"/stream", HTTP_GET, 0, 0, get_stream},
    {"/publish", HTTP_POST, 0, 65536, post_publish},
    {"/open", HTTP_POST, HTTP_ANY_ORIGIN | HTTP_OPEN, 100, post_echo},
};
static const http_route old_routes[] = {
    {"/api/old/things/{id}", HTTP_GET, 0, 0, get_parts},
    {"/api/old/things/{id}", HTTP_PUT, 0, 100, post_echo},
};

static void add_metrics(void *context, http_metrics *metrics) {
    (void)context;
    http_metric(metrics, HTTP_COUNTER, "test_handled_total", "Slow requests.", NULL, atomic_load(&handled));
}

static void write_log(void *context, const char *lines, size_t size) {
    (void)context;
    if (write(2, lines, size) < 0) { _exit(3); }
}

static bool mistakes_are_refused(void) { // of the table of routes
    static const http_route wrong[] = {
        {"/elsewhere", HTTP_GET, 0, 0, get_fresh}, {"/w/{rest...}/x", HTTP_GET, 0, 0, get_fresh},
        {"/w/", HTTP_GET, 0, 0, get_fresh},        {"/w//x", HTTP_GET, 0, 0, get_fresh},
        {"/w/{}", HTTP_GET, 0, 0, get_fresh},      {"/w/x", HTTP_GET, 0, 0, NULL},
    };
    static const http_route twice[] = {{"/w/{a}", HTTP_GET, 0, 0, get_fresh}, {"/w/{b}", HTTP_GET, 0, 0, get_fresh}};
    const http_options options = {0};
    http_server *server = http_server_new(&options);
    bool fine = server != NULL;
    for (size_t i = 0; fine && i < sizeof wrong / sizeof *wrong; i++) {
        const http_routes group = {"/w", HTTP_PROBLEM, &wrong[i], 1, NULL};
        fine = !http_server_add(server, &group);
    }
    const http_routes group = {"/w", HTTP_PROBLEM, twice, 2, NULL};
    fine = fine && !http_server_add(server, &group);
    http_server_free(server);
    return fine;
}

int main(int argc, char **argv) {
    http_options o = {.log = write_log, .metrics = add_metrics};
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals == NULL) { return 2; }
        *equals = 0;
        const uint32_t value = (uint32_t)atol(equals + 1);
        struct { const char *name; uint32_t *at; } numbers[] = {
            {"idle_ms", &o.idle_ms}, {"head_ms", &o.head_ms}, {"slack_ms", &o.slack_ms}, {"rate", &o.rate},
            {"heartbeat_ms", &o.heartbeat_ms}, {"grace_ms", &o.grace_ms}, {"streams", &o.stream_limit},
            {"connections", &o.connection_limit}, {"queue", &o.queue_limit}, {"workers", &o.workers},
            {"threads", &o.threads},
        };
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            if (strcmp(argv[i], numbers[k].name) == 0) { *numbers[k].at = value; }
        }
        if (strcmp(argv[i], "stream_memory") == 0) { o.stream_memory = value; }
        if (strcmp(argv[i], "body_memory") == 0) { o.body_memory = value; }
        if (strcmp(argv[i], "token") == 0) { o.token = equals + 1; }
        if (strcmp(argv[i], "host") == 0) { o.host = equals + 1; }
        if (strcmp(argv[i], "log") == 0) { o.log_level = (http_log_level)value; }
    }
    sigset_t ends;
    int number;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    if (!mistakes_are_refused()) {
        puts("a mistake in a table of routes was taken");
        return 1;
    }
    static const char *const headers[] = {"Cache-Control", "max-age=60", NULL};
    char text[701];
    memset(text, 'a', sizeof text - 1);
    kept = http_body_new("application/json", text, sizeof text - 1, "5", headers);
    http_server *server = http_server_new(&o);
    if (kept == NULL || server == NULL) { return 4; }
    stream = http_stream_new(server, "test");
    const http_routes all = {"/", HTTP_PROBLEM, routes, sizeof routes / sizeof *routes, NULL};
    const http_routes old = {"/api/old/", HTTP_ERROR, old_routes, sizeof old_routes / sizeof *old_routes, NULL};
    if (stream == NULL || !http_server_add(server, &all) || !http_server_add(server, &old) ||
        !http_server_add_own(server)) {
        return 4;
    }
    const http_status status = http_server_start(server);
    if (status != HTTP_STARTED) {
        printf("status %d\n", (int)status);
        http_server_free(server);
        http_body_free(kept);
        return 5;
    }
    printf("listening on %s\n", http_server_url(server));
    fflush(stdout);
    while (sigwait(&ends, &number) != 0) {}
    const bool is_whole = http_server_stop(server);
    http_server_free(server);
    http_body_free(kept);
    return is_whole ? 0 : 6;
}
