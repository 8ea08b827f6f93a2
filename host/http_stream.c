// Streams of events: each client has a list of what is to be sent yet, of events that all clients share. A connection
// that has nothing to send sleeps (suspended, so that it costs no time) and is woken by whoever publishes. All of it is
// under one lock, which is held for a walk over the clients and never while anybody waits for a client.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_internal.h"

typedef struct event {
    uint32_t count; // of lists that it is in, and whoever made it; under streams_lock
    size_t size;
    char bytes[];
} event;

typedef struct entry { struct entry *next; event *event; size_t weight; } entry;

typedef struct client {
    struct client *before, *next;
    http_stream *stream;
    connection *connection;
    struct MHD_Connection *mhd;
    entry *first, *last;
    size_t sent;    // bytes of the first
    size_t waiting; // bytes of all events
    int64_t moved_ms, heard_ms; // when it last took something, and last was given something
    bool asleep, dropped;
} client;

struct http_stream {
    http_stream *next;
    http_server *server;
    uint64_t event_number;
    client *clients;
    uint32_t client_count;
    char name[];
};

static void let_go(event *one) {
    if (--one->count == 0) { free(one); }
}

static bool append(client *c, event *one, bool in_front) {
    entry *added = malloc(sizeof *added);
    if (added == NULL) { return false; }
    *added = (entry){NULL, one, in_front ? 0 : one->size}; // a snapshot may be large, and is no sign of being slow
    one->count++;
    if (c->first == NULL) {
        c->first = c->last = added;
        c->moved_ms = atomic_load_explicit(&c->stream->server->now_ms, memory_order_relaxed);
    } else if (in_front) {
        added->next = c->first;
        c->first = added;
    } else {
        c->last = c->last->next = added;
    }
    c->waiting += added->weight;
    c->heard_ms = atomic_load_explicit(&c->stream->server->now_ms, memory_order_relaxed);
    return true;
}

static void remove_first(client *c) {
    entry *first = c->first;
    c->waiting -= first->weight;
    c->first = first->next;
    c->sent = 0;
    let_go(first->event);
    free(first);
}

static void wake(client *c) {
    if (!c->asleep) { return; }
    c->asleep = false;
    MHD_resume_connection(c->mhd);
}

static void drop(client *c) {
    if (c->dropped) { return; }
    http_server *server = c->stream->server;
    c->dropped = true;
    atomic_fetch_add(&server->counters.clients_dropped, 1);
    http_cut(server, c->connection, PHASE_STREAM);
    wake(c);
}

// What is to be sent next. Called by the connection's thread only, which is also the one that lets it sleep.
static ssize_t pull(void *context, uint64_t position, char *to, size_t room) {
    (void)position;
    client *c = context;
    http_server *server = c->stream->server;
    size_t size = 0;
    pthread_mutex_lock(&server->streams_lock);
    while (c->first != NULL && size < room && !c->dropped) {
        const event *one = c->first->event;
        const size_t left = one->size - c->sent, piece = left < room - size ? left : room - size;
        memcpy(to + size, one->bytes + c->sent, piece);
        size += piece;
        c->sent += piece;
        if (c->sent == one->size) { remove_first(c); }
    }
    ssize_t result = (ssize_t)size;
    if (c->dropped) {
        result = MHD_CONTENT_READER_END_WITH_ERROR;
    } else if (size > 0) {
        c->moved_ms = atomic_load_explicit(&server->now_ms, memory_order_relaxed);
    } else if (server->streams_end) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        c->asleep = true; // 0 without the suspension would be asked again at once
        MHD_suspend_connection(c->mhd);
    }
    pthread_mutex_unlock(&server->streams_lock);
    return result;
}

static void gone(void *context) {
    client *c = context;
    http_server *server = c->stream->server;
    pthread_mutex_lock(&server->streams_lock);
    while (c->first != NULL) { remove_first(c); }
    if (c->before != NULL) {
        c->before->next = c->next;
    } else {
        c->stream->clients = c->next;
    }
    if (c->next != NULL) { c->next->before = c->before; }
    c->stream->client_count--;
    server->client_count--;
    pthread_mutex_unlock(&server->streams_lock);
    free(c);
}

http_stream *http_stream_new(http_server *server, const char *name) {
    http_stream *stream = calloc(1, sizeof *stream + strlen(name) + 1);
    if (stream == NULL) { return NULL; }
    strcpy(stream->name, name);
    stream->server = server;
    pthread_mutex_lock(&server->streams_lock);
    stream->next = server->streams;
    server->streams = stream;
    pthread_mutex_unlock(&server->streams_lock);
    return stream;
}

const char *http_stream_name(const http_stream *stream) { return stream->name; }
http_stream *http_stream_next(const http_stream *stream) { return stream->next; }

uint32_t http_stream_clients(const http_stream *stream) {
    http_server *server = stream->server;
    pthread_mutex_lock(&server->streams_lock);
    const uint32_t count = stream->client_count;
    pthread_mutex_unlock(&server->streams_lock);
    return count;
}

static event *make_plain(const char *bytes, size_t size) {
    event *made = malloc(sizeof *made + size);
    if (made == NULL) { return NULL; }
    made->count = 1;
    made->size = size;
    memcpy(made->bytes, bytes, size);
    return made;
}

// NULL: no memory. An id of 0 is none.
static event *make_event(uint64_t id, const char *name, const char *data, size_t size) {
    http_text text = {0};
    char line[40];
    if (id > 0) {
        snprintf(line, sizeof line, "id: %llu\n", (unsigned long long)id);
        http_text_words(&text, line);
    }
    http_text_words(&text, "event: ");
    http_text_put(&text, name, strcspn(name, "\r\n"));
    http_text_words(&text, "\ndata: ");
    for (size_t i = 0, begin = 0; i <= size; i++) {
        if (i < size && data[i] != '\n' && data[i] != '\r') { continue; }
        http_text_put(&text, data + begin, i - begin);
        if (i < size) { http_text_words(&text, "\ndata: "); }
        if (i + 1 < size && data[i] == '\r' && data[i + 1] == '\n') { i++; }
        begin = i + 1;
    }
    http_text_words(&text, "\n\n");
    event *made = text.failed ? NULL : make_plain(text.bytes, text.size);
    http_text_free(&text);
    return made;
}

bool http_stream_publish(http_stream *stream, const char *name, const char *data, size_t size) {
    http_server *server = stream->server;
    pthread_mutex_lock(&server->streams_lock);
    event *made = make_event(++stream->event_number, name, data, size);
    for (client *c = stream->clients; c != NULL; c = c->next) {
        if (c->dropped) { continue; }
        // What one event alone weighs is no sign of being slow.
        const bool too_far = c->waiting > 0 && made != NULL && c->waiting + made->size > server->options.stream_memory;
        if (made == NULL || too_far || !append(c, made, false)) {
            drop(c);
        } else {
            wake(c);
        }
    }
    const bool fine = made != NULL;
    if (made != NULL) { let_go(made); }
    pthread_mutex_unlock(&server->streams_lock);
    atomic_fetch_add(&server->counters.events, 1);
    return fine;
}

bool http_reply_stream(http_request *request, http_stream *stream) {
    static const char retry[] = "retry: 2000\n\n"; // ms after which a browser comes back
    http_server *server = request->server;
    http_drop_reply(request);
    client *c = calloc(1, sizeof *c);
    event *hello = make_plain(retry, sizeof retry - 1);
    struct MHD_Response *response =
        c != NULL && hello != NULL ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, pull, c, gone) : NULL;
    if (response == NULL) {
        free(c);
        free(hello);
        return false;
    }
    *c = (client){.stream = stream, .connection = request->connection, .mhd = request->mhd};
    pthread_mutex_lock(&server->streams_lock);
    bool fits = server->client_count < server->options.stream_limit && !server->streams_end;
    // Linked also when it does not fit: gone() unlinks it.
    c->next = stream->clients;
    if (c->next != NULL) { c->next->before = c; }
    stream->clients = c;
    stream->client_count++;
    server->client_count++;
    const bool has_memory = append(c, hello, false);
    let_go(hello);
    pthread_mutex_unlock(&server->streams_lock);
    request->response = response;
    request->status = 200;
    request->is_stream = true;
    if (has_memory && fits && http_set(request, "Content-Type", "text/event-stream") &&
        http_set(request, "Cache-Control", "no-store") && http_set(request, "X-Content-Type-Options", "nosniff")) {
        return true;
    }
    http_drop_reply(request);
    if (!fits) { http_reply_error(request, 503, "TOO_MANY_STREAMS", "too many listen to streams already"); }
    return false;
}

bool http_stream_snapshot(http_request *request, const char *name, const char *data, size_t size) {
    if (!request->is_stream || request->response == NULL) { return false; }
    http_server *server = request->server;
    bool fine = false;
    event *made = make_event(0, name, data, size);
    if (made == NULL) { return false; }
    pthread_mutex_lock(&server->streams_lock);
    for (http_stream *stream = server->streams; stream != NULL; stream = stream->next) {
        for (client *c = stream->clients; c != NULL; c = c->next) {
            // Nothing of it is sent before the handler returns, so that the front is still the front.
            if (c->connection == request->connection) { fine = append(c, made, true); }
        }
    }
    let_go(made);
    pthread_mutex_unlock(&server->streams_lock);
    return fine;
}

// Those who hear nothing get a comment, which shows whether they are still there; those who take nothing for longer
// than four of them are dropped.
void http_streams_tick(http_server *server, int64_t now_ms) {
    const int64_t beat_ms = server->options.heartbeat_ms;
    pthread_mutex_lock(&server->streams_lock);
    for (http_stream *stream = server->streams; stream != NULL; stream = stream->next) {
        for (client *c = stream->clients; c != NULL; c = c->next) {
            if (c->dropped) { continue; }
            if (c->first != NULL && now_ms - c->moved_ms > 4 * beat_ms) {
                drop(c);
            } else if (now_ms - c->heard_ms >= beat_ms) {
                event *beat = make_plain(":\n\n", 3);
                if (beat == NULL) { continue; } // the next tick will do
                if (append(c, beat, false)) { wake(c); }
                let_go(beat);
            }
        }
    }
    pthread_mutex_unlock(&server->streams_lock);
}

void http_streams_close(http_server *server) {
    pthread_mutex_lock(&server->streams_lock);
    server->streams_end = true;
    for (http_stream *stream = server->streams; stream != NULL; stream = stream->next) {
        for (client *c = stream->clients; c != NULL; c = c->next) { wake(c); }
    }
    pthread_mutex_unlock(&server->streams_lock);
}

void http_streams_free(http_server *server) {
    while (server->streams != NULL) {
        http_stream *next = server->streams->next;
        free(server->streams);
        server->streams = next;
    }
}
