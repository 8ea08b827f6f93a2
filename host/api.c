// See api.h: what is served, and what does not belong to one thing: the front page, the description of the interface,
// formats and their schemas, the library as a whole.
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"

static const size_t standard_cache = (size_t)64 << 20;

static const char page[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Zoetrope</title>\n"
    "<link rel=\"icon\" href=\"data:,\">\n"
    "<h1>Zoetrope</h1>\n<p>This is the host of a library of animations. It serves:</p>\n<ul>\n"
    "<li><a href=\"/api/v1/library\">/api/v1</a>: things of all formats, described by "
    "<a href=\"/openapi.json\">/openapi.json</a>: "
    "<a href=\"/api/v1/items\">items</a>, <a href=\"/api/v1/pets\">pets</a>, "
    "<a href=\"/api/v1/configs\">configurations</a>, <a href=\"/api/v1/assets\">pictures</a>, "
    "<a href=\"/api/v1/changes\">changes</a>, <a href=\"/api/v1/renders\">renders</a>, "
    "<a href=\"/api/v1/formats\">formats</a></li>\n"
    "<li><a href=\"/api/petween/config\">/api/petween</a>: petween's own interface</li>\n"
    "<li><a href=\"/healthz\">/healthz</a>: whether it runs</li>\n"
    "<li><a href=\"/metrics\">/metrics</a>: its numbers, for Prometheus</li>\n</ul>\n</html>\n";

// ---- Handlers ----

static void get_page(http_request *request, void *context) {
    http_reply_body(request, ((const api *)context)->page);
}

static void get_openapi(http_request *request, void *context) {
    http_reply_body(request, ((const api *)context)->openapi);
}

static void get_formats(http_request *request, void *context) {
    http_reply_body(request, ((const api *)context)->formats);
}

static void get_schema(http_request *request, void *context) {
    static const char *const profiles[] = {"document", "original", NULL};
    uint32_t profile = 0;
    http_text text = {0};
    (void)context;
    if (!api_choice(request, "profile", profiles, &profile)) { return; }
    if (zo_schema_write(http_param(request, "name"), (zo_profile)profile, http_text_put, &text)) {
        api_reply_hashed(request, "application/schema+json", &text);
        return;
    }
    if (text.failed) {
        api_no_memory(request);
    } else {
        http_reply_error(request, 404, "NOT_FOUND", "there is no format of that name that has a schema");
    }
    http_text_free(&text);
}

static void get_library(http_request *request, void *context) {
    const api *a = context;
    int64_t revision = 0;
    uint64_t counts[STORE_AREA_COUNT] = {0};
    store_txn *txn;
    if (!api_begin(a, request, STORE_READ, &txn)) { return; }
    store_status status = store_revision(txn, &revision);
    for (int area = STORE_ITEM; area < STORE_AREA_COUNT && status == STORE_OK; area++) {
        const store_filter filter = {.area = (store_area)area};
        status = store_count(txn, &filter, &counts[area]);
    }
    if (api_fine(request, txn, status)) {
        http_text text = {0};
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "id", store_library_id(a->library));
        cli_json_number(&json, "revision", (double)revision);
        cli_json_bool(&json, "readOnly", store_is_read_only(a->library));
        cli_json_open(&json, "counts", '{');
        for (int area = STORE_ITEM; area < STORE_AREA_COUNT; area++) {
            cli_json_number(&json, api_area_word((store_area)area), (double)counts[area]);
        }
        cli_json_close(&json, '}');
        cli_json_text(&json, "version", zo_version());
        cli_json_close(&json, '}');
        api_reply_number(request, 200, &text, revision);
    }
    store_rollback(txn);
}

// ---- What is served ----

static const http_route root_routes[] = {
    {"/", HTTP_GET, 0, 0, get_page},
    {"/openapi.json", HTTP_GET, 0, 0, get_openapi},
};

// {area} is items, pets, configs or assets.
static const http_route routes[] = {
    {"/api/v1/changes", HTTP_GET, HTTP_SLOW, 0, api_changes},
    {"/api/v1/diagnostics", HTTP_POST, HTTP_SLOW, API_BODY_MAX, api_diagnose},
    {"/api/v1/events", HTTP_GET, HTTP_SLOW, 0, api_events},
    {"/api/v1/export", HTTP_GET, HTTP_SLOW, 0, api_export},
    {"/api/v1/formats", HTTP_GET, 0, 0, get_formats},
    {"/api/v1/import", HTTP_POST, HTTP_SLOW, API_BODY_MAX, api_import},
    {"/api/v1/library", HTTP_GET, HTTP_SLOW, 0, get_library},
    {"/api/v1/schemas/{name...}", HTTP_GET, HTTP_SLOW, 0, get_schema},
    {"/api/v1/search", HTTP_GET, HTTP_SLOW, 0, api_search},
    {"/api/v1/{area}", HTTP_GET, HTTP_SLOW, 0, api_list},
    {"/api/v1/{area}/{id}", HTTP_GET, 0, 0, api_whole},
    {"/api/v1/{area}/{id}", HTTP_PUT, HTTP_SLOW, API_BODY_MAX, api_put},
    {"/api/v1/{area}/{id}", HTTP_DELETE, HTTP_SLOW, 0, api_delete},
    {"/api/v1/{area}/{id}/archive", HTTP_GET, HTTP_SLOW, 0, api_archive},
    {"/api/v1/{area}/{id}/content", HTTP_GET, 0, 0, api_content},
    {"/api/v1/{area}/{id}/diagnostics", HTTP_GET, HTTP_SLOW, 0, api_stored_diagnostics},
    {"/api/v1/{area}/{id}/files/{name...}", HTTP_GET, HTTP_SLOW, 0, api_file},
    {"/api/v1/{area}/{id}/history", HTTP_GET, HTTP_SLOW, 0, api_history},
    {"/api/v1/{area}/{id}/pictures/{name...}", HTTP_GET, HTTP_SLOW, 0, api_picture},
    {"/api/v1/{area}/{id}/program", HTTP_GET, HTTP_SLOW, 0, api_program},
    {"/api/v1/{area}/{id}/restore", HTTP_POST, HTTP_SLOW, 0, api_restore},
    {"/api/v1/{area}/{id}/users", HTTP_GET, HTTP_SLOW, 0, api_users},
};

// ---- Replies that are made once ----

static bool count_nothing(void *context, const void *bytes, size_t size) {
    (void)context;
    (void)bytes;
    (void)size;
    return true;
}

static http_body *make_kept(const char *type, const void *bytes, size_t size, const char *const *headers) {
    char hash[65];
    store_hash(bytes, size, hash);
    hash[32] = 0;
    return http_body_new(type, bytes, size, hash, headers);
}

static http_body *make_formats(void) {
    http_text text = {0};
    cli_json json = http_text_json(&text);
    cli_json_open(&json, NULL, '{');
    cli_json_open(&json, "formats", '[');
    for (uint32_t i = 0; zo_format_at(i) != NULL; i++) {
        const zo_format *format = zo_format_at(i);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", format->name);
        cli_json_text(&json, "title", format->title);
        cli_json_bool(&json, "schema", zo_schema_write(format->name, ZO_PROFILE_DOCUMENT, count_nothing, NULL));
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    http_body *body = text.failed ? NULL : make_kept("application/json", text.bytes, text.size, NULL);
    http_text_free(&text);
    return body;
}

// ---- Life ----

api *api_new(store *library, http_server *server, const api_options *options) {
    static const char *const page_headers[] = {
        "Content-Security-Policy", "default-src 'none'; img-src data:; frame-ancestors 'none'", NULL};
    api *a = calloc(1, sizeof *a);
    if (a == NULL) { return NULL; }
    const size_t size = options != NULL && options->cache_size > 0 ? options->cache_size : standard_cache;
    *a = (api){
        .library = library,
        .server = server,
        .cache = api_cache_new(size),
        .events = http_stream_new(server, "library"),
        .openapi = make_kept("application/json", api_assets[0].bytes, api_assets[0].size, NULL),
        .page = make_kept("text/html; charset=utf-8", page, sizeof page - 1, page_headers),
        .formats = make_formats(),
    };
    if (a->cache != NULL && a->events != NULL && a->openapi != NULL && a->page != NULL && a->formats != NULL) {
        return a;
    }
    api_free(a);
    return NULL;
}

bool api_add(api *a) {
    a->routes[0] = (http_routes){"/", HTTP_PROBLEM, root_routes, sizeof root_routes / sizeof *root_routes, a};
    a->routes[1] = (http_routes){"/api/v1/", HTTP_PROBLEM, routes, sizeof routes / sizeof *routes, a};
    return http_server_add(a->server, &a->routes[0]) && http_server_add(a->server, &a->routes[1]);
}

void api_free(api *a) {
    if (a == NULL) { return; }
    api_cache_free(a->cache);
    http_body_free(a->openapi);
    http_body_free(a->page);
    http_body_free(a->formats);
    free(a);
}

void api_metrics(const api *a, http_metrics *metrics) {
    uint64_t size, hits, misses;
    api_cache_metrics(a->cache, &size, &hits, &misses);
    http_metric(metrics, HTTP_GAUGE, "zoetrope_api_cache_bytes", "Bytes of replies kept in memory.", NULL,
                (double)size);
    http_metric(metrics, HTTP_COUNTER, "zoetrope_api_cache_hits_total", "Replies that were kept.", NULL, (double)hits);
    http_metric(metrics, HTTP_COUNTER, "zoetrope_api_cache_misses_total", "Replies that could have been kept.", NULL,
                (double)misses);
}
