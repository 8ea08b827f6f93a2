// What the files of the HTTP server share. http.c has connections, checks, workers and the clock; http_request.c paths,
// routes and headers; http_reply.c replies; http_stream.c streams of events; http_log.c the log and the metrics.
#ifndef HOST_HTTP_INTERNAL_H
#define HOST_HTTP_INTERNAL_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

#include "host/http.h"
#include "host/http_text.h"
#include "json.h"

enum {
    PART_MAX = 32,           // parts of a path; one with more is nowhere
    PARAM_MAX = 8,           // of a pattern
    TARGET_MAX = 8192,       // bytes of a request's path and query: 414
    SWALLOW_MAX = 64 * 1024, // bytes of a body that is not wanted, read so that the connection can go on
    MS = 1000000,            // ns
};

// What a connection does, for the clock that cuts off those that take too long about it.
typedef enum phase {
    PHASE_IDLE,   // no request, or its first line is not complete
    PHASE_HEAD,   // headers come
    PHASE_BODY,
    PHASE_HANDLE, // it is our turn
    PHASE_REPLY,
    PHASE_STREAM,
    PHASE_CUT,    // shut down by us, and soon closed
    PHASE_COUNT
} phase;

typedef struct connection {
    struct connection *before, *next; // under server->connections_lock
    int fd;
    atomic_uint_least64_t phase;  // since_ms << 3 | phase
    atomic_uint_least64_t moved;  // bytes of the body so far, or of the whole reply
    char peer[INET6_ADDRSTRLEN];
} connection;

typedef struct part { const char *text; size_t size; } part;

typedef enum part_kind { PART_WORD, PART_ANY, PART_REST } part_kind;
typedef struct route {
    const http_route *of;
    const http_routes *group;
    uint32_t part_count;
    struct { part text; part_kind kind; } parts[PART_MAX]; // the word, or the parameter's name
} route;

typedef struct param { part name; const char *value; } param;

typedef enum request_state {
    REQUEST_NEW,     // its first line is there
    REQUEST_READING, // so are its headers, and they are looked at
    REQUEST_QUEUED,  // waits for a worker, or is with one
    REQUEST_READY,   // the worker is done with it
} request_state;

typedef struct chunk { struct chunk *next; } chunk; // of http_alloc; the memory follows

struct http_request {
    http_server *server;
    connection *connection;
    struct MHD_Connection *mhd;
    request_state state;
    uint64_t number;
    int64_t began_ns;
    http_method method;
    bool is_head, is_write;
    bool is_refused; // no handler may see it
    bool is_put_off; // its handler wants to be called again by a worker
    bool is_early;   // a handler sees it before its body
    char method_text[16];
    const route *route;
    http_style style;
    char *target; // as it came; behind its end stands the decoded path
    char *path;
    param params[PARAM_MAX];
    uint32_t param_count;
    param *query; // name and value, decoded
    uint32_t query_count;
    uint8_t *body;
    size_t body_size, body_capacity;
    uint64_t swallowed; // bytes of the body that nobody wants
    chunk *chunks;
    struct http_request *next; // in the queue of the workers
    // The reply.
    struct MHD_Response *response;
    http_body *kept; // or this
    unsigned status;
    size_t reply_size;
    const char *code; // of an error, static or the request's, for the log
    char *etag;
    bool close; // the connection cannot go on after it
    bool is_stream;
};

struct http_body {
    atomic_uint count;
    struct MHD_Response *response, *not_modified;
    size_t size;
    char *etag; // NULL: none
};

enum { BUCKET_COUNT = 9 };
extern const int64_t http_buckets_ns[BUCKET_COUNT];

typedef struct counters {
    atomic_uint_least64_t requests[HTTP_METHOD_COUNT + 1][6]; // by method (the last: others) and hundreds of the status
    atomic_uint_least64_t buckets[BUCKET_COUNT + 1];
    atomic_uint_least64_t spent_us, bytes_sent, bytes_received, accepted, events, clients_dropped, cut[PHASE_COUNT];
    atomic_uint_least64_t log_lost;
    atomic_uint connections, running, queued;
} counters;

typedef struct style_of { const char *prefix; size_t size; http_style style; } style_of;

struct http_server {
    http_options options;
    struct MHD_Daemon *daemon;
    int listening; // the socket, or -1
    bool is_loopback, is_started, is_stopped;
    uint16_t port;
    char url[96], host_name[64]; // the address as a Host header has it
    route *routes; // in the order in which they are tried
    uint32_t route_count, route_capacity;
    style_of *styles; // the longest prefix first
    uint32_t style_count;
    bool out_of_memory;
    atomic_uint_least64_t request_number;
    atomic_bool stopping;
    atomic_int_least64_t now_ms; // the clock's, of a quarter of a second
    atomic_size_t body_memory;
    counters counters;

    pthread_mutex_t connections_lock;
    connection *connections;

    pthread_mutex_t queue_lock; // also of clock_ends
    pthread_cond_t queue_filled, clock_woken;
    http_request *queue_first, *queue_last;
    bool workers_end, clock_ends;
    pthread_t *workers, clock;
    uint32_t worker_count;
    bool has_clock;

    pthread_mutex_t streams_lock;
    http_stream *streams;
    uint32_t client_count;
    bool streams_end;

    pthread_mutex_t log_lock;
    http_text log;
};

int64_t http_now_ns(void);
void http_enter(connection *connection, phase now);
void http_cut(http_server *server, connection *connection, phase why); // under connections_lock or for a live client

// http_request.c
// Fills path, query and parameters. False: the target is refused, *why says what is wrong with it.
bool http_parse_target(http_request *request, const char **why);
bool http_add_route(http_server *server, const http_routes *group, const http_route *of);
// The route, or NULL; *allowed has a bit for each method that the path has.
const route *http_find_route(http_request *request, uint32_t *allowed);
http_style http_style_at(const http_server *server, const char *path);
bool http_host_is_ours(const http_server *server, const char *host);
bool http_token_is(const char *token, const char *authorization);
bool http_is_foreign(const char *fetch_site, const char *origin, const char *host);
bool http_etag_listed(const char *list, const char *etag, bool weak);

// http_reply.c
enum MHD_Result http_send(http_request *request); // queues the reply that is there, or 500
void http_drop_reply(http_request *request);

// http_stream.c
const char *http_stream_name(const http_stream *stream);
http_stream *http_stream_next(const http_stream *stream);
void http_streams_tick(http_server *server, int64_t now_ms);
void http_streams_close(http_server *server); // ends all of them
void http_streams_free(http_server *server);

// http_log.c
void http_log_request(const http_request *request, bool is_whole);
void http_log_flush(http_server *server);
void http_count_request(http_request *request);
void http_metrics_handler(http_request *request, void *context);

#endif
