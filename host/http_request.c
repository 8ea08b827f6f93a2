// What a request says of itself: its path and query decoded, the route that this leads to, and the rules that hold for
// headers. Everything here comes from outside and is believed only when it has been looked at.
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http_internal.h"

// ---- Path and query ----

static int hex_of(char c) {
    if (c >= '0' && c <= '9') { return c - '0'; }
    if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
    if (c >= 'A' && c <= 'F') { return c - 'A' + 10; }
    return -1;
}

// Decodes size bytes to `to`, which has room for one more, and terminates them. NULL: done; else what is wrong.
static const char *decode(const char *from, size_t size, bool is_query, char *to) {
    char *begin = to;
    for (size_t i = 0; i < size; i++) {
        char c = from[i];
        if (c == '%') {
            const int high = size - i > 2 ? hex_of(from[i + 1]) : -1;
            const int low = size - i > 2 ? hex_of(from[i + 2]) : -1;
            if (high < 0 || low < 0) { return "% is not followed by two hexadecimal digits"; }
            c = (char)(high * 16 + low);
            i += 2;
            if (c == 0) { return "it has a NUL"; }
            if (!is_query && c == '/') { return "it has an encoded slash"; }
        } else if (c == '+' && is_query) {
            c = ' ';
        }
        if (!is_query && ((unsigned char)c < 0x20 || c == 0x7F)) { return "it has a control character"; }
        if (!is_query && c == '\\') { return "it has a backslash"; }
        *to++ = c;
    }
    *to = 0;
    return cli_is_utf8(begin) ? NULL : "it is no UTF-8";
}

// Takes the path apart, and leaves out parts that are empty or ".".
static const char *parse_path(http_request *request, const char *from, size_t size, char *to) {
    char *begin = to;
    request->path = to;
    for (size_t i = 0; i < size;) {
        while (i < size && from[i] == '/') { i++; }
        const char *text = from + i;
        while (i < size && from[i] != '/') { i++; }
        const size_t part_size = (size_t)(from + i - text);
        if (part_size == 0) { break; }
        *to = '/';
        const char *why = decode(text, part_size, false, to + 1);
        if (why != NULL) { return why; }
        if (strcmp(to + 1, "..") == 0) { return "it has the part .."; }
        if (strcmp(to + 1, ".") != 0) { to += 1 + strlen(to + 1); }
    }
    if (to == begin) { *to++ = '/'; }
    *to = 0;
    return NULL;
}

static const char *parse_query(http_request *request, const char *from, size_t size, char *to) {
    uint32_t count = size > 0;
    for (size_t i = 0; i < size; i++) { count += from[i] == '&'; }
    if (count == 0) { return NULL; }
    request->query = http_alloc(request, count * sizeof *request->query);
    if (request->query == NULL) { return "there is no memory for it"; }
    while (size > 0) {
        const char *end = memchr(from, '&', size);
        const size_t pair_size = end != NULL ? (size_t)(end - from) : size;
        const char *equals = memchr(from, '=', pair_size);
        const size_t name_size = equals != NULL ? (size_t)(equals - from) : pair_size;
        param *one = &request->query[request->query_count];
        const char *why = decode(from, name_size, true, to);
        if (why != NULL) { return why; }
        one->name = (part){to, strlen(to)};
        to += one->name.size + 1;
        why = equals != NULL ? decode(equals + 1, pair_size - name_size - 1, true, to) : decode("", 0, true, to);
        if (why != NULL) { return why; }
        one->value = to;
        to += strlen(to) + 1;
        if (pair_size > 0) { request->query_count++; }
        size -= pair_size + (end != NULL);
        from += pair_size + (end != NULL);
    }
    return NULL;
}

bool http_parse_target(http_request *request, const char **why) {
    const char *target = request->target;
    *why = "it does not begin with a slash";
    if (target[0] != '/') { return false; }
    *why = "it has a fragment";
    if (strchr(target, '#') != NULL) { return false; }
    const size_t path_size = strcspn(target, "?");
    // What is decoded is never longer, but for the zero byte behind each name and value and a slash in front of a path.
    char *room = http_alloc(request, strlen(target) * 2 + 8);
    *why = "there is no memory for it";
    if (room == NULL) { return false; }
    *why = parse_path(request, target, path_size, room);
    if (*why == NULL && target[path_size] == '?') {
        const char *query = target + path_size + 1;
        *why = parse_query(request, query, strlen(query), room + path_size + 2);
    }
    return *why == NULL;
}

// ---- Routes ----

static uint32_t split(const char *path, part parts[PART_MAX]) { // PART_MAX + 1: there are more
    uint32_t count = 0;
    while (*path == '/' && path[1] != 0) {
        path++;
        if (count == PART_MAX) { return PART_MAX + 1; }
        parts[count] = (part){path, strcspn(path, "/")};
        path += parts[count++].size;
    }
    return count;
}

static int compare_parts(const part *a, const part *b) {
    const size_t size = a->size < b->size ? a->size : b->size;
    const int order = memcmp(a->text, b->text, size);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

// Words before what stands for anything, so that the first that matches is the one that is meant; the same patterns
// beside one another, whatever their parameters are called.
static int compare_shapes(const route *a, const route *b) {
    for (uint32_t i = 0; i < a->part_count && i < b->part_count; i++) {
        if (a->parts[i].kind != b->parts[i].kind) { return a->parts[i].kind < b->parts[i].kind ? -1 : 1; }
        const int order = a->parts[i].kind == PART_WORD ? compare_parts(&a->parts[i].text, &b->parts[i].text) : 0;
        if (order != 0) { return order; }
    }
    return (a->part_count > b->part_count) - (a->part_count < b->part_count);
}

static bool read_pattern(route *one, const char *prefix) {
    part parts[PART_MAX];
    uint32_t params = 0;
    const char *pattern = one->of->pattern;
    if (pattern[0] != '/' || strncmp(pattern, prefix, strlen(prefix)) != 0) { return false; }
    one->part_count = split(pattern, parts);
    if (one->part_count > PART_MAX || (pattern[1] != 0 && pattern[strlen(pattern) - 1] == '/')) { return false; }
    for (uint32_t i = 0; i < one->part_count; i++) {
        part text = parts[i];
        part_kind kind = PART_WORD;
        if (text.size == 0) { return false; }
        if (text.text[0] == '{') {
            if (text.size < 3 || text.text[text.size - 1] != '}' || params++ == PARAM_MAX) { return false; }
            text = (part){text.text + 1, text.size - 2};
            kind = PART_ANY;
            if (text.size > 3 && memcmp(text.text + text.size - 3, "...", 3) == 0) {
                if (i + 1 != one->part_count) { return false; }
                text.size -= 3;
                kind = PART_REST;
            }
        }
        one->parts[i].text = text;
        one->parts[i].kind = kind;
    }
    return true;
}

bool http_add_route(http_server *server, const http_routes *group, const http_route *of) {
    route added = {.of = of, .group = group};
    if (of->handler == NULL || of->method >= HTTP_METHOD_COUNT || !read_pattern(&added, group->prefix)) {
        return false;
    }
    uint32_t at = 0; // the table is kept in order
    for (; at < server->route_count; at++) {
        const int order = compare_shapes(&server->routes[at], &added);
        if (order == 0 && server->routes[at].of->method == of->method) { return false; }
        if (order > 0) { break; }
    }
    if (server->route_count == server->route_capacity) {
        const uint32_t capacity = server->route_capacity == 0 ? 32 : server->route_capacity * 2;
        route *routes = realloc(server->routes, capacity * sizeof *routes);
        if (routes == NULL) { return false; }
        server->routes = routes;
        server->route_capacity = capacity;
    }
    memmove(server->routes + at + 1, server->routes + at, (server->route_count - at) * sizeof *server->routes);
    server->routes[at] = added;
    server->route_count++;
    return true;
}

static bool matches(const route *one, const part *parts, uint32_t count) {
    for (uint32_t i = 0; i < one->part_count; i++) {
        if (i == count) { return false; }
        switch (one->parts[i].kind) {
        case PART_WORD:
            if (compare_parts(&one->parts[i].text, &parts[i]) != 0) { return false; }
            break;
        case PART_ANY: break;
        case PART_REST: return true;
        }
    }
    return one->part_count == count;
}

static bool take_params(http_request *request, const route *one, const part *parts, uint32_t count) {
    for (uint32_t i = 0; i < one->part_count; i++) {
        if (one->parts[i].kind == PART_WORD) { continue; }
        const part *last = one->parts[i].kind == PART_REST ? &parts[count - 1] : &parts[i];
        const size_t size = (size_t)(last->text + last->size - parts[i].text);
        char *value = http_alloc(request, size + 1);
        if (value == NULL) { return false; }
        memcpy(value, parts[i].text, size);
        request->params[request->param_count++] = (param){one->parts[i].text, value};
    }
    return true;
}

const route *http_find_route(http_request *request, uint32_t *allowed) {
    part parts[PART_MAX];
    const http_server *server = request->server;
    const uint32_t count = split(request->path, parts);
    const route *found = NULL, *shape = NULL;
    *allowed = 0;
    if (count > PART_MAX) { return NULL; }
    for (uint32_t i = 0; i < server->route_count; i++) {
        const route *one = &server->routes[i];
        if (shape != NULL ? compare_shapes(shape, one) != 0 : !matches(one, parts, count)) {
            if (shape != NULL) { break; }
            continue;
        }
        shape = one;
        *allowed |= 1u << one->of->method;
        if (one->of->method == request->method) { found = one; }
    }
    if (found != NULL && !take_params(request, found, parts, count)) { found = NULL; }
    return found;
}

http_style http_style_at(const http_server *server, const char *path) {
    for (uint32_t i = 0; i < server->style_count; i++) {
        const style_of *one = &server->styles[i];
        // "/api/x/" is also where "/api/x" is.
        if (strncmp(path, one->prefix, one->size) == 0 ||
            (one->size > 1 && one->prefix[one->size - 1] == '/' && strlen(path) == one->size - 1 &&
             strncmp(path, one->prefix, one->size - 1) == 0)) {
            return one->style;
        }
    }
    return HTTP_PROBLEM;
}

// ---- Headers ----

static bool same_name(const char *name, size_t size, const char *other) {
    return strlen(other) == size && strncasecmp(name, other, size) == 0;
}

// A page of some domain can have that domain lead to this machine; then its requests come here with the domain's name.
// An address cannot be led elsewhere, so that any is good where others than this machine may ask.
bool http_host_is_ours(const http_server *server, const char *host) {
    size_t size = strlen(host);
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
    if (host[0] == '[' && end == NULL) { return false; }
    const char *colon = strchr(end != NULL ? end : host, ':');
    if (end != NULL && end[1] != 0 && end[1] != ':') { return false; }
    if (colon != NULL) {
        const size_t digits = strspn(colon + 1, "0123456789");
        if (digits > 5 || colon[1 + digits] != 0) { return false; }
        size = (size_t)(colon - host);
    }
    if (same_name(host, size, "localhost") || same_name(host, size, "127.0.0.1") || same_name(host, size, "[::1]") ||
        same_name(host, size, server->host_name)) {
        return true;
    }
    for (uint32_t i = 0; i < server->options.name_count; i++) {
        if (same_name(host, size, server->options.names[i])) { return true; }
    }
    if (server->is_loopback || size >= INET6_ADDRSTRLEN + 2) { return false; }
    char text[INET6_ADDRSTRLEN + 2];
    struct in6_addr address;
    const bool is_six = end != NULL;
    memcpy(text, host + is_six, size - 2 * is_six);
    text[size - 2 * is_six] = 0;
    return inet_pton(is_six ? AF_INET6 : AF_INET, text, &address) == 1;
}

// Takes as long wherever the first difference is.
bool http_token_is(const char *token, const char *authorization) {
    if (authorization == NULL || strncasecmp(authorization, "Bearer ", 7) != 0) { return false; }
    const char *given = authorization + 7;
    while (*given == ' ') { given++; }
    const size_t size = strlen(token), given_size = strlen(given);
    volatile unsigned char differs = size != given_size;
    for (size_t i = 0; i < given_size; i++) {
        differs = (unsigned char)(differs | ((unsigned char)given[i] ^ (unsigned char)token[i % size]));
    }
    return differs == 0;
}

// A write of a page from elsewhere. Browsers say where a page is from, by one of two headers; what is no browser says
// nothing, and nobody can make it write unasked.
bool http_is_foreign(const char *fetch_site, const char *origin, const char *host) {
    if (fetch_site != NULL && strcmp(fetch_site, "cross-site") == 0) { return true; }
    if (fetch_site != NULL && (strcmp(fetch_site, "same-origin") == 0 || strcmp(fetch_site, "none") == 0)) {
        return false;
    }
    if (origin == NULL) { return false; }
    const char *name = strstr(origin, "://");
    return name == NULL || strcasecmp(name + 3, host) != 0;
}

bool http_etag_listed(const char *list, const char *etag, bool weak) {
    const size_t size = strlen(etag);
    for (const char *at = list; *at != 0;) {
        at += strspn(at, " \t,");
        if (*at == '*') { return true; }
        const bool is_weak = strncmp(at, "W/", 2) == 0;
        if (is_weak) { at += 2; }
        if (*at != '"') { return false; }
        const char *end = strchr(++at, '"');
        if (end == NULL) { return false; }
        if ((size_t)(end - at) == size && memcmp(at, etag, size) == 0 && (weak || !is_weak)) { return true; }
        at = end + 1;
    }
    return false;
}

bool http_if_match(const http_request *request, const char *etag) {
    const char *list = http_header(request, "If-Match");
    return list == NULL || (etag != NULL && http_etag_listed(list, etag, false));
}

const char *http_header(const http_request *request, const char *name) {
    return MHD_lookup_connection_value(request->mhd, MHD_HEADER_KIND, name);
}

const char *http_content_type(const http_request *request) {
    const char *type = http_header(request, "Content-Type");
    const size_t size = type != NULL ? strcspn(type, "; \t,") : 0;
    // Memory of the request's is no part of what it says.
    char *text = http_alloc((http_request *)(uintptr_t)request, size + 1);
    if (text == NULL) { return ""; }
    for (size_t i = 0; i < size; i++) { text[i] = (char)(type[i] >= 'A' && type[i] <= 'Z' ? type[i] + 32 : type[i]); }
    return text;
}

// ---- What else handlers ask ----

http_method http_method_of(const http_request *request) { return request->method; }
const char *http_path(const http_request *request) { return request->path; }
const char *http_peer(const http_request *request) { return request->connection->peer; }
uint64_t http_number(const http_request *request) { return request->number; }
http_server *http_server_of(const http_request *request) { return request->server; }

bool http_is_early(const http_request *request) { return request->is_early; }

http_bytes http_body_of(const http_request *request) {
    static const uint8_t none[1] = {0};
    return (http_bytes){request->body != NULL ? request->body : none, request->body_size};
}

static const char *value_of(const param *params, uint32_t count, const char *name) {
    const part wanted = {name, strlen(name)};
    for (uint32_t i = 0; i < count; i++) {
        if (compare_parts(&params[i].name, &wanted) == 0) { return params[i].value; }
    }
    return NULL;
}

const char *http_param(const http_request *request, const char *name) {
    return value_of(request->params, request->param_count, name);
}

const char *http_query(const http_request *request, const char *name) {
    return value_of(request->query, request->query_count, name);
}

bool http_later(http_request *request) {
    if (request->state == REQUEST_QUEUED) { return false; }
    request->is_put_off = true;
    return true;
}

void *http_alloc(http_request *request, size_t size) {
    const size_t head = (sizeof(chunk) + 15) / 16 * 16;
    if (size > SIZE_MAX - head) { return NULL; }
    chunk *one = calloc(1, head + size);
    if (one == NULL) { return NULL; }
    one->next = request->chunks;
    request->chunks = one;
    return (char *)one + head;
}
