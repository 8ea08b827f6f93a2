// What the files of /api/v1 share: the words of its paths, parameters, its texts, and replies kept in memory.
#ifndef HOST_API_INTERNAL_H
#define HOST_API_INTERNAL_H

#include "host/api.h"
#include "host/content.h"
#include "host/http_text.h"

#include <zoetrope/zoetrope.h>

typedef struct api_cache api_cache;

struct api {
    store *library;
    http_server *server;
    api_cache *cache;
    http_stream *events;
    http_body *openapi, *page, *formats; // made once
    http_routes routes[2];
};

enum {
    API_PAGE = 100,                   // things on a page when nothing is said
    API_BODY_MAX = 64 * 1024 * 1024,  // bytes of what is sent to be stored or looked at, as of archives
};

// Files that are part of the program (cmake/Embed.cmake): openapi.json.
typedef struct api_asset { const char *name; const unsigned char *bytes; size_t size; } api_asset;
extern const api_asset api_assets[]; // ends with a name NULL

// ---- Parameters: each false has answered 400 and named the parameter ----

// The path's {area}, which is one of api_areas; false: 404.
bool api_area(http_request *request, store_area *area);
const char *api_area_word(store_area area); // "items", "pets", "configs", "assets"
bool api_area_named(const char *word, store_area *area);
// A whole number from low to high; not given: *value stays.
bool api_number(http_request *request, const char *name, int64_t low, int64_t high, int64_t *value);
bool api_flag(http_request *request, const char *name, bool *value);
// One of the words, which end with NULL: its index.
bool api_choice(http_request *request, const char *name, const char *const *words, uint32_t *index);
void api_bad_parameter(http_request *request, const char *name, const char *what);
// How contents are to be read: format, profile, model, strict, maxErrors, first.
bool api_content_def(http_request *request, content_def *def);

// ---- What is sent (api_sent.c): each false has answered ----

// The file of the body, called as ?file= says or after `id`, "" for nothing. It lives as long as the request. An
// archive is one file; what is in it, content_look knows.
bool api_take(http_request *request, const char *id, store_file *file);
// Takes it and looks at it beside the library. *thing is set with true only, also when its content has errors.
bool api_look(const api *a, http_request *request, const content_def *def, store_area area, const char *id,
              content_thing **thing);

// ---- Transactions: each false has answered ----

bool api_begin(const api *a, http_request *request, store_mode mode, store_txn **txn);
// False: the status is not OK, and this was said. The transaction is not ended.
bool api_fine(http_request *request, const store_txn *txn, store_status status);

// ---- Texts ----

void api_put_time(cli_json *json, const char *key, int64_t ms); // "2026-12-03T04:05:06.789Z"
void api_put_item(cli_json *json, const char *key, const store_item *item); // opens and closes it
void api_put_use(cli_json *json, const store_use *use);
void api_put_change(cli_json *json, const store_change *change);
const char *api_action_word(store_action action);
// An item with its files and what it refers to, as it is answered alone. revision 0: as it is now.
store_status api_put_whole(http_text *text, store_txn *txn, const store_item *item, bool is_now,
                           store_action action);
// The report as `zoetrope check --output json` writes it, and its diagnostics alone. False: no memory.
bool api_put_report(http_text *text, const zo_report *report);
bool api_put_diagnostics(http_text *text, const zo_report *report); // a JSON array
// Answers with the text, which is freed, and an ETag (or NULL).
void api_reply_text(http_request *request, unsigned status, http_text *text, const char *etag);
void api_reply_number(http_request *request, unsigned status, http_text *text, int64_t etag);
// The same, and the ETag is the hash of the text.
void api_reply_hashed(http_request *request, const char *type, http_text *text);
// What a stored file is to a browser, by its name and its first bytes: nothing that it would run.
const char *api_type_of(const char *name, const void *bytes, size_t size);
// Problems with the report of contents: 422.
void api_refuse_content(http_request *request, const store_error *error, zo_status status, const zo_report *report);
void api_no_memory(http_request *request);

// ---- Replies kept in memory (api_cache.c) ----

typedef enum api_view { API_WHOLE, API_CONTENT, API_VIEWS } api_view; // of a thing

api_cache *api_cache_new(size_t size); // bytes; NULL: no memory
void api_cache_free(api_cache *cache); // NULL is fine
// One more owner of the reply; NULL: it is not there.
http_body *api_cache_get(api_cache *cache, api_view view, store_area area, const char *id);
// A word to be taken before the transaction that reads what is to be kept begins.
uint64_t api_cache_mark(api_cache *cache, store_area area, const char *id);
// Keeps it, unless the thing has changed since the mark was taken or it is too large.
void api_cache_put(api_cache *cache, api_view view, store_area area, const char *id, uint64_t mark, http_body *body,
                   size_t size);
void api_cache_forget(api_cache *cache, store_area area, const char *id);
void api_cache_metrics(api_cache *cache, uint64_t *size, uint64_t *hits, uint64_t *misses);

// ---- Handlers by subject ----

http_handler api_list, api_search, api_whole, api_content, api_file, api_archive, api_history, api_users; // api_read.c
http_handler api_put, api_delete, api_restore, api_import; // api_write.c
http_handler api_diagnose, api_stored_diagnostics, api_program, api_picture, api_export; // api_look.c
http_handler api_events, api_changes; // api_events.c

#endif
