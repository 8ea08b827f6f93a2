// The HTTP server of the host: whatever must be asked of a request before anybody looks at what it wants, and whatever
// must be done to a reply after. It knows routes, and nothing of what they serve. Called by `zoetrope serve` and by the
// files beside it that answer requests (petween_*.c, api_*.c).
//
// What a handler may rely on: the request came to a name that is ours (no DNS rebinding), with the token where one is
// wanted; a write does not come from a foreign web page; the path is decoded, UTF-8, without control characters,
// backslashes, "." and "..", and no part of it held an encoded "/"; the method is the route's; the body is whole and
// not larger than the route's limit. HEAD comes as GET. A handler answers by one http_reply_*; the last call counts,
// and with none of them the answer is 500.
//
// Threads: handlers run on the server's threads, several at once, also the same one. A handler of a route without
// HTTP_SLOW runs where other connections wait for it: memory and a look into a cache, no more. One with HTTP_SLOW runs
// on a worker and may wait for the disk, not for other requests; what takes seconds is a job and a place to ask for it.
// A request belongs to the thread that its handler was called on, until it returns. Everything else here may be called
// from any thread.
//
// A quick handler that does not find in memory what it is asked for may go on later on a worker: http_later.
//
// Memory: texts and bytes that a request hands out live until its handler returns, like what http_alloc gives.
#ifndef HOST_HTTP_H
#define HOST_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct http_server http_server;
typedef struct http_request http_request;
typedef struct http_body http_body;
typedef struct http_stream http_stream;

// ---- What is served ----

typedef enum http_method { HTTP_GET, HTTP_POST, HTTP_PUT, HTTP_PATCH, HTTP_DELETE, HTTP_METHOD_COUNT } http_method;

enum {                   // http_route.flags
    HTTP_SLOW = 1,       // runs on a worker: it may wait for the disk
    HTTP_OPEN = 2,       // wants no token: says nothing that is anybody's
    HTTP_IF_MATCH = 4,   // 428 without an If-Match header
    HTTP_ANY_ORIGIN = 8, // a write that foreign pages may make too: it changes nothing
    HTTP_EARLY = 16,     // its handler is also called before the body is looked at: http_is_early
};

typedef void http_handler(http_request *request, void *context);

// The pattern is compared part by part: "{id}" stands for one part, whatever it is, "{rest...}" in the last place for
// one or more. A part in plain letters is preferred to one that stands for anything. A body_limit of 0 refuses every
// body.
typedef struct http_route {
    const char *pattern; // "/api/v1/items/{id}"
    http_method method;
    uint32_t flags;
    size_t body_limit; // bytes
    http_handler *handler;
} http_route;

// How errors look: also those of the server's own (404, 405, 413 and so on).
typedef enum http_style {
    HTTP_PROBLEM,   // RFC 9457: {"type","title","status","code","detail",...}, application/problem+json; 405 has Allow
    HTTP_ERROR,     // {"error":{"code","message","details"?}}, application/json; 405 has none
    HTTP_STYLE_COUNT
} http_style;

// Routes of one kind. All their patterns begin with `prefix`; under it errors have this style, whether a route is found
// or not (the longest prefix decides; elsewhere they are problems). Borrowed, with all that it points to, until
// http_server_free.
typedef struct http_routes {
    const char *prefix; // "/api/v1/"; "/" is the root
    http_style style;
    const http_route *routes;
    uint32_t count;
    void *context; // of the handlers
} http_routes;

// ---- The server ----

// Receives lines of the log: JSON objects, each with its line end. Called by one thread at a time; must not call back.
typedef void http_log_fn(void *context, const char *lines, size_t size);
// Adds gauges and counters of its own to /metrics by http_metric. Called by a worker: it may wait for the disk.
typedef struct http_metrics http_metrics;
typedef void http_metrics_fn(void *context, http_metrics *metrics);

typedef enum http_log_level {
    HTTP_LOG_ALL,
    HTTP_LOG_ERRORS, // what failed or was refused, and whatever is no request
    HTTP_LOG_NONE,
} http_log_level;

// Zero means the default everywhere. Texts are borrowed until http_server_free.
typedef struct http_options {
    const char *host;           // where to listen; "127.0.0.1". An IPv4 or IPv6 address or "localhost", no other name
    uint16_t port;              // 0: any that is free
    const char *token;          // every request must carry it as "Authorization: Bearer TOKEN"; NULL: none is asked for
    const char *const *names;   // names besides the address's own that Host may give, without ports
    uint32_t name_count;
    uint32_t threads;           // that read, write and run quick handlers; 2, or 1 with two processors
    uint32_t workers;           // that run slow handlers; 4
    uint32_t connection_limit;  // 1200; more wait to be accepted
    uint32_t stream_limit;      // clients of streams; 256. More get 503
    uint32_t queue_limit;       // requests that wait for a worker; 512. More get 503
    size_t head_limit;          // bytes of a request's line and headers; 16 KiB: 431
    size_t body_memory;         // bytes of all bodies at once; 256 MiB. More get 503
    size_t stream_memory;       // bytes that wait for one client of a stream before it is dropped; 1 MiB
    uint32_t idle_ms;           // a connection without a request; 30 s
    uint32_t head_ms;           // from the first line of a request to the last header; 10 s
    uint32_t slack_ms;          // for a body or a reply, however slow; 10 s
    uint32_t rate;              // bytes a second that they must make from then on; 4096
    uint32_t heartbeat_ms;      // of streams; 15 s
    uint32_t grace_ms;          // how long http_server_stop lets requests finish; 10 s
    http_log_level log_level;
    http_log_fn *log;           // NULL: no log
    void *log_context;
    http_metrics_fn *metrics;   // NULL: only the server's own
    void *metrics_context;
} http_options;

typedef enum http_status {
    HTTP_STARTED = 0,
    HTTP_NO_ADDRESS,  // host is no address
    HTTP_NO_TOKEN,    // an address that others can reach, and no token
    HTTP_IN_USE,      // the port is taken
    HTTP_REFUSED,     // the system does not give address, port or thread
    HTTP_NO_MEMORY,
} http_status;

// A server that does not listen yet; NULL: no memory. Freed by http_server_free.
http_server *http_server_new(const http_options *options);
// Before http_server_start only. False: a pattern does not begin with the prefix or has no form, two routes are the
// same, or no memory.
bool http_server_add(http_server *server, const http_routes *routes);
// /healthz ({"status":"ok"}; 503 when stopping) and /metrics (Prometheus text). The first wants no token, and
// answers also while all workers are busy.
bool http_server_add_own(http_server *server);
http_status http_server_start(http_server *server);
uint16_t http_server_port(const http_server *server); // 0: not started
const char *http_server_url(const http_server *server); // "http://127.0.0.1:8123/"; "" when not started
// Takes no more connections, lets requests finish for at most grace_ms, ends the streams, and closes. Called once, by a
// thread that is none of the server's. False: some requests had to be cut off.
bool http_server_stop(http_server *server);
void http_server_free(http_server *server); // stops it first, if need be. Streams go with it. NULL is fine

// An address of this machine's alone, as http_options.host takes it.
bool http_is_loopback(const char *host);

// A line of the log besides those of requests: {"time","level":"info"|"error","event",...members}. `members` is JSON
// text like "\"path\":\"a\",\"count\":3", or NULL.
void http_log(http_server *server, bool is_error, const char *event, const char *members);

// ---- The request ----

http_method http_method_of(const http_request *request);
const char *http_path(const http_request *request);  // decoded; "//" counts as "/", no "/" at the end but of "/"
// What stands for {name} in the path, decoded; "{rest...}" with "/" between the parts. NULL: the pattern has no such
// name.
const char *http_param(const http_request *request, const char *name);
// The value in the query, decoded ("+" is a space; the first of several); "" for "?name". NULL: not there. A query that
// is no UTF-8 or has a NUL was refused before.
const char *http_query(const http_request *request, const char *name);
// Of several headers of that name the first. The name's case does not matter.
const char *http_header(const http_request *request, const char *name);
const char *http_content_type(const http_request *request); // in small letters, without parameters; "": none
typedef struct http_bytes { const uint8_t *bytes; size_t size; } http_bytes;
http_bytes http_body_of(const http_request *request);   // bytes is never NULL; a zero byte follows them
const char *http_peer(const http_request *request);     // "127.0.0.1", for the log
uint64_t http_number(const http_request *request);      // counts from 1; the log has it as "request"
http_server *http_server_of(const http_request *request);
// For a handler of a route without HTTP_SLOW that has to wait for the disk after all. True: it must return now without
// a reply, and is called once more, on a worker. False: it is on a worker already.
bool http_later(http_request *request);
// Whether the body is not there yet: a handler of a route with HTTP_EARLY may refuse the request whatever its body is
// like, by an error; without one it is called again when the body is there. It waits for nothing then, wherever it runs
// otherwise.
bool http_is_early(const http_request *request);
// Memory of the request's, zeroed. NULL: there is none.
void *http_alloc(http_request *request, size_t size);

// Whether If-Match allows a change of what has this ETag now (without quotes; NULL: it is not there). True without the
// header; "*" matches whatever is there. Strong comparison: W/"x" matches nothing.
bool http_if_match(const http_request *request, const char *etag);

// ---- The reply: one of these, then headers ----

// Bytes are copied. `type` is a media type, "application/json". Answers 500 by itself when memory is short.
void http_reply(http_request *request, unsigned status, const char *type, const void *bytes, size_t size);
// The same, and the bytes are the server's from now on, also in failure; it calls release(bytes), on any thread.
void http_reply_owned(http_request *request, unsigned status, const char *type, void *bytes, size_t size,
                      void (*release)(void *bytes));
void http_reply_empty(http_request *request, unsigned status); // 204, or a redirect with its header
// What is kept for several requests: nothing is copied, and its own ETag and headers go along.
void http_reply_body(http_request *request, http_body *body);
// An error in the route's style. `code` is a word for programs ("NOT_FOUND"; problems have it in small letters with "-"
// for "_", and "urn:zoetrope:problem:" and that as their type), `message` a sentence for people.
void http_reply_error(http_request *request, unsigned status, const char *code, const char *message);
// The same with more. HTTP_ERROR: `details` is the JSON text of the member `details`. HTTP_PROBLEM: members, as in
// "\"diagnostics\":[]".
void http_reply_error_with(http_request *request, unsigned status, const char *code, const char *message,
                           const char *details);
// A header of the reply that was given last; false: the name or value cannot be one (control characters), or no memory.
bool http_set(http_request *request, const char *name, const char *value);
// The ETag, without quotes: visible ASCII without '"'. A GET whose If-None-Match has it (or its W/ form, or "*") is
// then answered by 304 without a body. Called after the reply is given.
bool http_set_etag(http_request *request, const char *etag);

// A kept 200 reply: bytes (copied), their type, ETag (NULL: none) and headers. May be used by any number of requests at
// once. NULL: no memory or no proper header. `headers` is a list of names and values that ends with NULL; NULL: none.
http_body *http_body_new(const char *type, const void *bytes, size_t size, const char *etag,
                         const char *const *headers);
http_body *http_body_keep(http_body *body); // one more owner; returns it
void http_body_free(http_body *body);       // one owner less. NULL is fine

// ---- Streams of events (text/event-stream) ----

// A stream of the server's, for any number of clients. Lives as long as the server. NULL: no memory. `name` (copied) is
// for the log and the metrics.
http_stream *http_stream_new(http_server *server, const char *name);
// Sends an event to whoever listens: "event: EVENT", an id, and the data, whose line ends become "data:" lines. Never
// waits for a client: one that is too far behind is dropped, and its browser comes back for a snapshot. The event's
// name has no line ends. False: no memory, and every client was dropped, so that none goes on with an event missing.
bool http_stream_publish(http_stream *stream, const char *event, const char *data, size_t size);
uint32_t http_stream_clients(const http_stream *stream);
// Answers the request with the stream, from this call on: events published now wait. Then look at the state, and put it
// in front of them by http_stream_snapshot: so nothing is missed between the two. What the snapshot has already may
// come once more as an event. False: there are too many clients; 503 was answered.
bool http_reply_stream(http_request *request, http_stream *stream);
bool http_stream_snapshot(http_request *request, const char *event, const char *data, size_t size); // false: no memory

// ---- Metrics ----

typedef enum http_metric_kind { HTTP_COUNTER, HTTP_GAUGE } http_metric_kind;
// One value: name "zoetrope_items", a help sentence, labels like "area=\"item\"" or NULL. Values of one name follow one
// another.
void http_metric(http_metrics *metrics, http_metric_kind kind, const char *name, const char *help, const char *labels,
                 double value);

#endif
