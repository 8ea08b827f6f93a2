// The server: connections and the clock that cuts off slow ones, the checks before any handler, bodies, workers, start
// and stop. libmicrohttpd reads and writes on threads of its own; what it calls here runs on those, a connection always
// on the same one, but for slow handlers, whose connections are suspended until a worker is done with them.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http_internal.h"

enum { TICK_MS = 250, HARD_BODY_MORE = 1024 * 1024 };

int64_t http_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// ---- Connections, and those that are too slow ----

void http_enter(connection *one, phase now) {
    // A connection that was cut stays so: its request ends, and it is closed.
    uint64_t old = atomic_load(&one->phase);
    const uint64_t new = (uint64_t)(http_now_ns() / MS) << 3 | (uint64_t)now;
    while ((old & 7) != PHASE_CUT && !atomic_compare_exchange_weak(&one->phase, &old, new)) {}
}

void http_cut(http_server *server, connection *one, phase why) {
    const uint64_t old = atomic_exchange(&one->phase, PHASE_CUT);
    if ((old & 7) == PHASE_CUT) { return; }
    atomic_fetch_add(&server->counters.cut[why], 1);
    shutdown(one->fd, SHUT_RDWR); // the connection's own thread notices, and closes
}

static bool is_late(const http_server *server, uint64_t state, uint64_t moved, int64_t now_ms) {
    const http_options *o = &server->options;
    const uint64_t passed_ms = (uint64_t)(now_ms - (int64_t)(state >> 3));
    if (now_ms < (int64_t)(state >> 3)) { return false; }
    switch ((phase)(state & 7)) {
    case PHASE_IDLE: return passed_ms > o->idle_ms || atomic_load(&server->stopping);
    case PHASE_HEAD: return passed_ms > o->head_ms;
    case PHASE_BODY:
    case PHASE_REPLY: return passed_ms > o->slack_ms && (passed_ms - o->slack_ms) / 1000 >= moved / o->rate;
    default: return false;
    }
}

static void look_for_late_ones(http_server *server, int64_t now_ms) {
    pthread_mutex_lock(&server->connections_lock);
    for (connection *one = server->connections; one != NULL; one = one->next) {
        uint64_t state = atomic_load(&one->phase);
        if (!is_late(server, state, atomic_load(&one->moved), now_ms)) { continue; }
        // Only if it is still at the same: a request may have come in this moment.
        if (atomic_compare_exchange_strong(&one->phase, &state, PHASE_CUT)) {
            if (!atomic_load(&server->stopping)) { atomic_fetch_add(&server->counters.cut[state & 7], 1); }
            shutdown(one->fd, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&server->connections_lock);
}

static void *run_clock(void *context) {
    http_server *server = context;
    pthread_mutex_lock(&server->queue_lock);
    while (!server->clock_ends) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        const int64_t ns = until.tv_nsec + (int64_t)TICK_MS * MS;
        until.tv_sec += (time_t)(ns / 1000000000);
        until.tv_nsec = (long)(ns % 1000000000);
        pthread_cond_timedwait(&server->clock_woken, &server->queue_lock, &until);
        pthread_mutex_unlock(&server->queue_lock);
        const int64_t now_ms = http_now_ns() / MS;
        atomic_store(&server->now_ms, now_ms);
        look_for_late_ones(server, now_ms);
        http_streams_tick(server, now_ms);
        http_log_flush(server);
        pthread_mutex_lock(&server->queue_lock);
    }
    pthread_mutex_unlock(&server->queue_lock);
    return NULL;
}

static connection *connection_of(struct MHD_Connection *mhd) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void name_peer(struct MHD_Connection *mhd, connection *one) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info != NULL ? info->client_addr : NULL;
    if (address == NULL) { return; }
    if (address->sa_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, one->peer, sizeof one->peer);
    } else if (address->sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, one->peer,
                  sizeof one->peer);
    }
}

static void on_connection(void *context, struct MHD_Connection *mhd, void **own,
                          enum MHD_ConnectionNotificationCode code) {
    http_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
        connection *one = info != NULL ? calloc(1, sizeof *one) : NULL;
        *own = one; // without one, its requests are refused
        if (one == NULL) { return; }
        one->fd = info->connect_fd;
        name_peer(mhd, one);
        http_enter(one, PHASE_IDLE);
        pthread_mutex_lock(&server->connections_lock);
        one->next = server->connections;
        if (one->next != NULL) { one->next->before = one; }
        server->connections = one;
        pthread_mutex_unlock(&server->connections_lock);
        atomic_fetch_add(&server->counters.connections, 1);
        atomic_fetch_add(&server->counters.accepted, 1);
        return;
    }
    connection *one = *own;
    if (one == NULL) { return; }
    // The descriptor is closed after this, so that nobody shuts down what has its number next.
    pthread_mutex_lock(&server->connections_lock);
    if (one->before != NULL) {
        one->before->next = one->next;
    } else {
        server->connections = one->next;
    }
    if (one->next != NULL) { one->next->before = one->before; }
    pthread_mutex_unlock(&server->connections_lock);
    atomic_fetch_sub(&server->counters.connections, 1);
    free(one);
    *own = NULL;
}

// ---- A request begins and ends ----

// Called when a request's first line is there. What it returns is handed to all later calls for this request.
static void *on_target(void *context, const char *target, struct MHD_Connection *mhd) {
    http_server *server = context;
    connection *one = connection_of(mhd);
    const size_t size = strlen(target);
    http_request *request = one != NULL ? calloc(1, sizeof *request) : NULL;
    if (request == NULL) { return NULL; }
    request->target = http_alloc(request, size + 1);
    if (request->target == NULL) {
        free(request);
        return NULL;
    }
    memcpy(request->target, target, size);
    request->path = request->target;
    request->server = server;
    request->connection = one;
    request->mhd = mhd;
    request->method = HTTP_METHOD_COUNT;
    request->number = atomic_fetch_add(&server->request_number, 1) + 1;
    request->began_ns = http_now_ns();
    atomic_fetch_add(&server->counters.running, 1);
    atomic_store_explicit(&one->moved, 0, memory_order_relaxed);
    http_enter(one, PHASE_HEAD);
    return request;
}

static void free_body(http_request *request) {
    free(request->body);
    atomic_fetch_sub(&request->server->body_memory, request->body_capacity);
    request->body = NULL;
    request->body_capacity = 0;
}

static void on_end(void *context, struct MHD_Connection *mhd, void **own, enum MHD_RequestTerminationCode why) {
    http_server *server = context;
    http_request *request = *own;
    *own = NULL;
    if (request == NULL) { return; }
    if (request->status == 0) { // the library itself has answered: the request was malformed or its head too large
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_HTTP_STATUS);
        const unsigned status = info != NULL ? info->http_status : 0;
        if (status >= 400 && status < 600) { request->status = status; }
    }
    const bool is_cut = (atomic_load(&request->connection->phase) & 7) == PHASE_CUT;
    http_count_request(request);
    http_log_request(request, !is_cut && (why == MHD_REQUEST_TERMINATED_COMPLETED_OK || request->is_stream));
    http_enter(request->connection, PHASE_IDLE);
    http_drop_reply(request);
    free_body(request);
    while (request->chunks != NULL) {
        chunk *next = request->chunks->next;
        free(request->chunks);
        request->chunks = next;
    }
    free(request);
    atomic_fetch_sub(&server->counters.running, 1);
}

// ---- The checks before any handler ----

static void refuse(http_request *request, unsigned status, const char *code, const char *message) {
    request->is_refused = true; // also when there is no memory to say why
    http_reply_error(request, status, code, message);
}

static void read_method(http_request *request, const char *method) {
    static const char *const names[HTTP_METHOD_COUNT] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    snprintf(request->method_text, sizeof request->method_text, "%s", method);
    for (int i = 0; i < HTTP_METHOD_COUNT; i++) {
        if (strcmp(method, names[i]) == 0) { request->method = (http_method)i; }
    }
    request->is_head = strcmp(method, "HEAD") == 0;
    if (request->is_head) { request->method = HTTP_GET; }
    request->is_write = request->method != HTTP_GET && strcmp(method, "OPTIONS") != 0;
}

// No control characters but the tab: others may take them for the end of the line.
static bool is_header_value(const char *value, size_t size) {
    bool is = true;
    for (size_t i = 0; i < size && is; i++) {
        is = ((unsigned char)value[i] >= 0x20 && value[i] != 0x7F) || value[i] == '\t';
    }
    return is;
}

// What a header's name may be made of (RFC 9110, 5.6.2). With a space before its colon it is another name to us and the
// same to others.
static bool is_header_name(const char *name, size_t size) {
    bool is = size > 0;
    for (size_t i = 0; i < size && is; i++) {
        is = name[i] > 0x20 && name[i] < 0x7F && strchr("\"(),/:;<=>?@[\\]{}", name[i]) == NULL;
    }
    return is;
}

typedef struct head_look {
    uint32_t counts[4]; // of Host, Content-Length, Transfer-Encoding, Authorization
    bool is_malformed;
} head_look;

static enum MHD_Result look_at_header(void *context, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                      const char *value, size_t value_size) {
    head_look *look = context;
    static const char *const names[] = {"Host", "Content-Length", "Transfer-Encoding", "Authorization"};
    (void)kind;
    if (!is_header_name(name, name_size) || !is_header_value(value, value_size)) {
        look->is_malformed = true;
        return MHD_NO; // which ends the walk
    }
    for (int i = 0; i < 4; i++) { look->counts[i] += strcasecmp(name, names[i]) == 0; }
    return MHD_YES;
}

// How long the body will be; -1: it says so when it ends.
static int64_t announced_size(const http_request *request) {
    if (http_header(request, "Transfer-Encoding") != NULL) { return -1; }
    const char *length = http_header(request, "Content-Length");
    if (length == NULL) { return 0; }
    errno = 0;
    const unsigned long long size = strtoull(length, NULL, 10);
    return errno != 0 || size > INT64_MAX ? INT64_MAX : (int64_t)size;
}

// Whether we can tell where the body ends: in an encoding that is not ours it may have no end.
static bool has_known_end(const http_request *request) {
    const char *coding = http_header(request, "Transfer-Encoding");
    return coding == NULL || strcasecmp(coding, "chunked") == 0;
}

// Headers of which a proxy in front and we could think differently. True: it is refused.
static bool refuses_head(http_request *request) {
    head_look look = {.is_malformed = false};
    MHD_get_connection_values_n(request->mhd, MHD_HEADER_KIND, look_at_header, &look);
    if (look.is_malformed) {
        request->close = true;
        refuse(request, 400, "BAD_REQUEST", "a header's name or value has signs that none may have");
        return true;
    }
    const uint32_t *counts = look.counts;
    const char *coding = http_header(request, "Transfer-Encoding"), *length = http_header(request, "Content-Length");
    const bool is_strange = counts[0] != 1 || counts[1] > 1 || counts[2] > 1 || counts[3] > 1 ||
                            (coding != NULL && length != NULL) ||
                            (length != NULL && (length[0] == 0 || length[strspn(length, "0123456789")] != 0));
    if (is_strange) {
        request->close = true;
        refuse(request, 400, "BAD_REQUEST",
               counts[0] == 0 ? "the request has no Host header" : "headers are there twice or contradict each other");
        return true;
    }
    if (!has_known_end(request)) {
        request->close = true;
        refuse(request, 501, "NOT_IMPLEMENTED", "the only transfer encoding is chunked");
        return true;
    }
    return false;
}

static void refuse_method(http_request *request, uint32_t allowed) {
    static const char *const names[HTTP_METHOD_COUNT] = {"GET, HEAD", "POST", "PUT", "PATCH", "DELETE"};
    char list[64] = "";
    size_t size = 0;
    for (int i = 0; i < HTTP_METHOD_COUNT; i++) {
        if ((allowed & 1u << i) == 0) { continue; }
        size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", size > 0 ? ", " : "", names[i]);
    }
    refuse(request, 405, "METHOD_NOT_ALLOWED", "this method does not go with this path");
    if (request->style == HTTP_PROBLEM) { http_set(request, "Allow", list); }
}

// Asks the handler, if it wants to be asked before the body is looked at.
static bool is_refused_early(http_request *request) {
    const route *one = request->route;
    if ((one->of->flags & HTTP_EARLY) == 0) { return false; }
    request->is_early = true;
    one->of->handler(request, one->group->context);
    request->is_early = false;
    request->is_refused = request->response != NULL || request->kept != NULL;
    return request->is_refused;
}

// Finds the route; what is refused has its reply when this returns.
static void check(http_request *request) {
    http_server *server = request->server;
    const char *why = NULL, *host = http_header(request, "Host"), *token = server->options.token;
    uint32_t allowed = 0;
    request->style = http_style_at(server, request->target);
    if (refuses_head(request)) { return; }
    if (!http_host_is_ours(server, host)) {
        refuse(request, 421, "HOST_REFUSED", "the Host header names none of this server's names (see --allow-host)");
        return;
    }
    const bool has_path = strlen(request->target) <= TARGET_MAX && http_parse_target(request, &why);
    if (has_path) {
        request->style = http_style_at(server, request->path);
        request->route = http_find_route(request, &allowed);
    } else {
        request->path = request->target;
    }
    const bool is_open = request->route != NULL && (request->route->of->flags & HTTP_OPEN) != 0;
    if (token != NULL && !is_open && !http_token_is(token, http_header(request, "Authorization"))) {
        refuse(request, 401, "UNAUTHORIZED", "the request lacks the right token (Authorization: Bearer ...)");
        http_set(request, "WWW-Authenticate", "Bearer");
        return;
    }
    const bool any_origin = request->route != NULL && (request->route->of->flags & HTTP_ANY_ORIGIN) != 0;
    if (request->is_write && !any_origin &&
        http_is_foreign(http_header(request, "Sec-Fetch-Site"), http_header(request, "Origin"), host)) {
        refuse(request, 403, "CROSS_ORIGIN", "pages from elsewhere may not change anything here");
        return;
    }
    if (strlen(request->target) > TARGET_MAX) {
        refuse(request, 414, "URI_TOO_LONG", "path and query are too long");
    } else if (!has_path) {
        char message[160];
        snprintf(message, sizeof message, "path or query are refused: %s", why);
        const bool is_problem = request->style == HTTP_PROBLEM;
        refuse(request, is_problem ? 400 : 404, is_problem ? "PATH_REFUSED" : "NOT_FOUND", message);
    } else if (request->route == NULL && allowed != 0) {
        refuse_method(request, allowed);
    } else if (request->route == NULL) {
        refuse(request, 404, "NOT_FOUND", "nothing is served at this path");
    } else if ((request->route->of->flags & HTTP_IF_MATCH) != 0 && http_header(request, "If-Match") == NULL) {
        refuse(request, 428, "PRECONDITION_REQUIRED", "the request must say by If-Match which state it changes");
    } else if (!is_refused_early(request) &&
               announced_size(request) > (int64_t)request->route->of->body_limit) {
        refuse(request, 413, "PAYLOAD_TOO_LARGE", "the body is larger than this path takes");
    }
}

// ---- Bodies ----

// Bytes of a body that nobody wants that are read all the same.
static size_t swallow_limit(const http_request *request) {
    return (request->route != NULL ? request->route->of->body_limit : 0) + HARD_BODY_MORE;
}

// All headers are there. A reply that is there already can go out now only if the body will not be in its way: either
// there is none, or the library gives the connection up, as it does for POST and PUT.
static enum MHD_Result begin(http_request *request, const char *method) {
    const int64_t announced = announced_size(request);
    request->state = REQUEST_READING;
    read_method(request, method);
    http_enter(request->connection, PHASE_BODY);
    check(request);
    const bool gives_up = request->method == HTTP_POST || request->method == HTTP_PUT;
    const bool waits = http_header(request, "Expect") != NULL; // for our word before it sends the body
    const bool is_endless = announced > (int64_t)swallow_limit(request) || !has_known_end(request);
    if (request->is_refused && gives_up && (is_endless || announced > SWALLOW_MAX || (waits && announced != 0))) {
        request->close = true;
        return http_send(request);
    }
    // Too much to read and forget, and no reply possible before it: the connection is closed.
    return request->is_refused && is_endless ? MHD_NO : MHD_YES;
}

// Memory of all bodies is counted, so that many large ones cannot take all there is.
static bool grow_body(http_request *request, size_t more) {
    http_server *server = request->server;
    const size_t limit = request->route->of->body_limit;
    if (request->body_capacity - request->body_size > more) { return true; } // one more: the zero byte
    size_t capacity = request->body_capacity < 4096 ? 4096 : request->body_capacity * 2;
    if (capacity < request->body_size + more + 1) { capacity = request->body_size + more + 1; }
    if (capacity > limit + 1) { capacity = limit + 1; }
    const size_t added = capacity - request->body_capacity;
    if (atomic_fetch_add(&server->body_memory, added) + added > server->options.body_memory) {
        atomic_fetch_sub(&server->body_memory, added);
        return false;
    }
    uint8_t *body = realloc(request->body, capacity);
    if (body == NULL) {
        atomic_fetch_sub(&server->body_memory, added);
        return false;
    }
    request->body = body;
    request->body_capacity = capacity;
    return true;
}

static enum MHD_Result take_body(http_request *request, const char *data, size_t size) {
    atomic_fetch_add_explicit(&request->connection->moved, size, memory_order_relaxed);
    if (!request->is_refused) {
        if (size > request->route->of->body_limit - request->body_size) {
            refuse(request, 413, "PAYLOAD_TOO_LARGE", "the body is larger than this path takes");
        } else if (!grow_body(request, size)) {
            refuse(request, 503, "BUSY", "the server holds too many bodies at present");
            http_set(request, "Retry-After", "1");
        } else {
            memcpy(request->body + request->body_size, data, size);
            request->body_size += size;
            request->body[request->body_size] = 0;
            return MHD_YES;
        }
        free_body(request);
        request->swallowed = request->body_size;
        request->body_size = 0;
    }
    // No reply may be given while a body comes: the rest is read and forgotten, but not for ever.
    request->swallowed += size;
    return request->swallowed > swallow_limit(request) ? MHD_NO : MHD_YES;
}

// ---- Handlers and workers ----

static void handle(http_request *request) {
    const route *one = request->route;
    one->of->handler(request, one->group->context);
}

static void *run_worker(void *context) {
    http_server *server = context;
    pthread_mutex_lock(&server->queue_lock);
    for (;;) {
        http_request *request = server->queue_first;
        if (request == NULL) {
            if (server->workers_end) { break; }
            pthread_cond_wait(&server->queue_filled, &server->queue_lock);
            continue;
        }
        server->queue_first = request->next;
        if (request->next == NULL) { server->queue_last = NULL; }
        pthread_mutex_unlock(&server->queue_lock);
        atomic_fetch_sub(&server->counters.queued, 1);
        handle(request);
        struct MHD_Connection *mhd = request->mhd;
        request->state = REQUEST_READY;
        MHD_resume_connection(mhd); // from here on the request is its connection's again
        pthread_mutex_lock(&server->queue_lock);
    }
    pthread_mutex_unlock(&server->queue_lock);
    return NULL;
}

static enum MHD_Result enqueue(http_request *request) {
    http_server *server = request->server;
    pthread_mutex_lock(&server->queue_lock);
    const bool fits = !server->workers_end && atomic_load(&server->counters.queued) < server->options.queue_limit;
    if (fits) {
        request->state = REQUEST_QUEUED;
        request->next = NULL;
        MHD_suspend_connection(request->mhd); // before a worker can see it, who ends that
        if (server->queue_last != NULL) {
            server->queue_last->next = request;
        } else {
            server->queue_first = request;
        }
        server->queue_last = request;
        atomic_fetch_add(&server->counters.queued, 1);
        pthread_cond_signal(&server->queue_filled);
    }
    pthread_mutex_unlock(&server->queue_lock);
    if (fits) { return MHD_YES; }
    refuse(request, 503, "BUSY", "too many requests wait already");
    http_set(request, "Retry-After", "1");
    return http_send(request);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *mhd, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **own) {
    http_request *request = *own;
    (void)context;
    (void)mhd;
    (void)url; // decoded by the library, in a way that loses a NUL: the target is decoded here
    (void)version;
    if (request == NULL) { return MHD_NO; } // there was no memory for it
    if (request->state == REQUEST_NEW) { return begin(request, method); }
    if (*size > 0) {
        const size_t taken = *size;
        *size = 0;
        return take_body(request, data, taken);
    }
    if (request->state == REQUEST_READING && !request->is_refused) {
        http_enter(request->connection, PHASE_HANDLE);
        if ((request->route->of->flags & HTTP_SLOW) != 0) { return enqueue(request); }
        handle(request);
        if (request->is_put_off) { return enqueue(request); }
    }
    return request->state == REQUEST_QUEUED ? MHD_YES : http_send(request);
}

// ---- Life of a server ----

static void set_default(uint32_t *value, uint32_t standard) {
    if (*value == 0) { *value = standard; }
}

// A thread more than there are processors for would only make the others wait: with two processors and a busy client on
// this machine one thread answers half as much again as two do, and the slowest answers come a tenth as late.
static uint32_t usual_threads(void) { return sysconf(_SC_NPROCESSORS_ONLN) > 2 ? 2 : 1; }

http_server *http_server_new(const http_options *options) {
    http_server *server = calloc(1, sizeof *server);
    if (server == NULL) { return NULL; }
    http_options *o = &server->options;
    *o = *options;
    if (o->host == NULL) { o->host = "127.0.0.1"; }
    set_default(&o->threads, usual_threads());
    set_default(&o->workers, 4);
    set_default(&o->connection_limit, 1200);
    set_default(&o->stream_limit, 256);
    set_default(&o->queue_limit, 512);
    set_default(&o->idle_ms, 30000);
    set_default(&o->head_ms, 10000);
    set_default(&o->slack_ms, 10000);
    set_default(&o->rate, 4096);
    set_default(&o->heartbeat_ms, 15000);
    set_default(&o->grace_ms, 10000);
    if (o->head_limit == 0) { o->head_limit = 16 * 1024; }
    if (o->body_memory == 0) { o->body_memory = (size_t)256 * 1024 * 1024; }
    if (o->stream_memory == 0) { o->stream_memory = (size_t)1024 * 1024; }
    server->listening = -1;
    atomic_store(&server->now_ms, http_now_ns() / MS);
    pthread_condattr_t steady; // the clock waits by the time that nobody sets
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&server->connections_lock, NULL);
    pthread_mutex_init(&server->queue_lock, NULL);
    pthread_mutex_init(&server->streams_lock, NULL);
    pthread_mutex_init(&server->log_lock, NULL);
    pthread_cond_init(&server->queue_filled, NULL);
    pthread_cond_init(&server->clock_woken, &steady);
    pthread_condattr_destroy(&steady);
    return server;
}

static bool add_style(http_server *server, const http_routes *routes) {
    style_of *styles = realloc(server->styles, (server->style_count + 1) * sizeof *styles);
    if (styles == NULL) { return false; }
    server->styles = styles;
    const style_of added = {routes->prefix, strlen(routes->prefix), routes->style};
    uint32_t at = server->style_count++;
    for (; at > 0 && styles[at - 1].size < added.size; at--) { styles[at] = styles[at - 1]; }
    styles[at] = added;
    return true;
}

bool http_server_add(http_server *server, const http_routes *routes) {
    if (server->is_started || routes->style >= HTTP_STYLE_COUNT || !add_style(server, routes)) { return false; }
    for (uint32_t i = 0; i < routes->count; i++) {
        if (!http_add_route(server, routes, &routes->routes[i])) { return false; }
    }
    return true;
}

static void answer_health(http_request *request, void *context) {
    (void)context;
    static const char fine[] = "{\"status\": \"ok\"}", ending[] = "{\"status\": \"stopping\"}";
    if (atomic_load(&request->server->stopping)) {
        http_reply(request, 503, "application/json", ending, sizeof ending - 1);
    } else {
        http_reply(request, 200, "application/json", fine, sizeof fine - 1);
    }
    http_set(request, "Cache-Control", "no-store");
}

bool http_server_add_own(http_server *server) {
    static const http_route routes[] = {
        {"/healthz", HTTP_GET, HTTP_OPEN, 0, answer_health},
        {"/metrics", HTTP_GET, HTTP_SLOW, 0, http_metrics_handler},
    };
    static const http_routes own = {"/", HTTP_PROBLEM, routes, 2, NULL};
    return http_server_add(server, &own);
}

typedef union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} address;

static bool read_address(const char *host, uint16_t port, address *at) {
    memset(at, 0, sizeof *at);
    if (strcmp(host, "localhost") == 0) { host = "127.0.0.1"; }
    if (inet_pton(AF_INET, host, &at->four.sin_addr) == 1) {
        at->four.sin_family = AF_INET;
        at->four.sin_port = htons(port);
        return true;
    }
    if (inet_pton(AF_INET6, host, &at->six.sin6_addr) == 1) {
        at->six.sin6_family = AF_INET6;
        at->six.sin6_port = htons(port);
        return true;
    }
    return false;
}

bool http_is_loopback(const char *host) {
    address at;
    if (!read_address(host, 0, &at)) { return false; }
    return at.any.sa_family == AF_INET ? ntohl(at.four.sin_addr.s_addr) >> 24 == 127
                                       : IN6_IS_ADDR_LOOPBACK(&at.six.sin6_addr);
}

static http_status listen_at(http_server *server, address *at) {
    const bool is_four = at->any.sa_family == AF_INET;
    socklen_t size = is_four ? sizeof at->four : sizeof at->six;
    const int on = 1;
    char name[INET6_ADDRSTRLEN];
    server->listening = socket(at->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listening < 0) { return HTTP_REFUSED; }
    setsockopt(server->listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(server->listening, &at->any, size) != 0) { return errno == EADDRINUSE ? HTTP_IN_USE : HTTP_REFUSED; }
    if (listen(server->listening, 1024) != 0) { return errno == EADDRINUSE ? HTTP_IN_USE : HTTP_REFUSED; }
    if (getsockname(server->listening, &at->any, &size) != 0) { return HTTP_REFUSED; }
    server->port = ntohs(is_four ? at->four.sin_port : at->six.sin6_port);
    inet_ntop(at->any.sa_family, is_four ? (const void *)&at->four.sin_addr : (const void *)&at->six.sin6_addr, name,
              sizeof name);
    snprintf(server->host_name, sizeof server->host_name, is_four ? "%s" : "[%s]", name);
    snprintf(server->url, sizeof server->url, "http://%s:%u/", server->host_name, server->port);
    return HTTP_STARTED;
}

static bool start_threads(http_server *server) {
    const http_options *o = &server->options;
    server->workers = calloc(o->workers, sizeof *server->workers);
    if (server->workers == NULL) { return false; }
    for (uint32_t i = 0; i < o->workers; i++) {
        if (pthread_create(&server->workers[i], NULL, run_worker, server) != 0) { return false; }
        server->worker_count++;
    }
    server->has_clock = pthread_create(&server->clock, NULL, run_clock, server) == 0;
    if (!server->has_clock) { return false; }
    struct MHD_OptionItem more[] = {{MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)o->threads, NULL},
                                    {MHD_OPTION_END, 0, NULL}};
    if (o->threads < 2) { more[0] = more[1]; } // a pool of one is refused
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO;
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, server->listening,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_URI_LOG_CALLBACK, on_target, server,
        MHD_OPTION_NOTIFY_COMPLETED, on_end, server, MHD_OPTION_CONNECTION_LIMIT, o->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->head_limit * 2, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, more,
        MHD_OPTION_END);
    return server->daemon != NULL;
}

http_status http_server_start(http_server *server) {
    address at;
    if (!read_address(server->options.host, server->options.port, &at)) { return HTTP_NO_ADDRESS; }
    server->is_loopback = http_is_loopback(server->options.host);
    if (!server->is_loopback && (server->options.token == NULL || server->options.token[0] == 0)) {
        return HTTP_NO_TOKEN;
    }
    const http_status status = listen_at(server, &at);
    if (status != HTTP_STARTED) { return status; }
    server->is_started = true;
    // Signals are for the threads of whoever started us.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool fine = start_threads(server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fine ? HTTP_STARTED : HTTP_REFUSED;
}

uint16_t http_server_port(const http_server *server) { return server->port; }
const char *http_server_url(const http_server *server) { return server->url; }

static void end_workers(http_server *server) {
    pthread_mutex_lock(&server->queue_lock);
    server->workers_end = true; // once the queue is empty
    pthread_cond_broadcast(&server->queue_filled);
    pthread_mutex_unlock(&server->queue_lock);
    for (uint32_t i = 0; i < server->worker_count; i++) { pthread_join(server->workers[i], NULL); }
    server->worker_count = 0;
}

bool http_server_stop(http_server *server) {
    if (!server->is_started || server->is_stopped) { return true; }
    server->is_stopped = true;
    atomic_store(&server->stopping, true);
    if (server->daemon != NULL) { MHD_quiesce_daemon(server->daemon); }
    http_streams_close(server);
    const int64_t end_ns = http_now_ns() + (int64_t)server->options.grace_ms * MS;
    while (atomic_load(&server->counters.running) > 0 && http_now_ns() < end_ns) {
        const struct timespec pause = {.tv_nsec = 5 * MS};
        nanosleep(&pause, NULL);
    }
    end_workers(server);
    const unsigned left = atomic_load(&server->counters.running);
    if (server->daemon != NULL) { MHD_stop_daemon(server->daemon); } // cuts off what is left
    server->daemon = NULL;
    pthread_mutex_lock(&server->queue_lock);
    server->clock_ends = true;
    pthread_cond_signal(&server->clock_woken);
    pthread_mutex_unlock(&server->queue_lock);
    if (server->has_clock) { pthread_join(server->clock, NULL); }
    server->has_clock = false;
    if (server->listening >= 0) { close(server->listening); }
    server->listening = -1;
    http_log_flush(server);
    return left == 0;
}

void http_server_free(http_server *server) {
    if (server == NULL) { return; }
    http_server_stop(server);
    if (server->listening >= 0) { close(server->listening); }
    http_streams_free(server);
    pthread_mutex_destroy(&server->connections_lock);
    pthread_mutex_destroy(&server->queue_lock);
    pthread_mutex_destroy(&server->streams_lock);
    pthread_mutex_destroy(&server->log_lock);
    pthread_cond_destroy(&server->queue_filled);
    pthread_cond_destroy(&server->clock_woken);
    http_text_free(&server->log);
    free(server->workers);
    free(server->routes);
    free(server->styles);
    free(server);
}
