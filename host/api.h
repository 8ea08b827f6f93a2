// The general interface, /api/v1: things of all formats and areas, read, written, searched, checked, imported and
// exported, with their history, and the changes of the library as they happen. What it serves is described by
// openapi.json, which it serves too, beside the front page. Called by `zoetrope serve`.
#ifndef HOST_API_H
#define HOST_API_H

#include "host/http.h"
#include "host/store.h"

typedef struct api api;

typedef struct api_options { // all zero: the defaults
    size_t cache_size; // bytes of replies kept in memory; 64 MiB
} api_options;

// Store and server must outlive it, but for http_server_free, which must come first: its handlers use what is here.
// NULL: no memory.
api *api_new(store *library, http_server *server, const api_options *options);
// Before http_server_start only. False: as http_server_add.
bool api_add(api *a);
// A listener of changes of the library, by this process and by others: `context` is the api. What this process changes
// must be told before store_commit returns: whoever asks after that sees it. Any thread.
void api_changed(void *context, const store_change *changes, uint32_t count);
void api_metrics(const api *a, http_metrics *metrics); // for http_options.metrics
void api_free(api *a); // NULL is fine

// ---- For those who add paths of their own under /api/v1 (api_render.c) ----

// Answers with the problem that goes with a failed call into the store or the contents.
void api_refuse(http_request *request, const store_error *error);

#endif
