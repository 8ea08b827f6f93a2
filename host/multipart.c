// See multipart.h. A form is parts with a line of the boundary before each of them and one behind the last. The search
// for that line goes forwards only, so the time is that of one walk over the bytes.
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "host/multipart.h"

enum { BOUNDARY_MAX = 70 }; // RFC 2046, 5.1.1

typedef struct piece { const char *text; size_t size; } piece;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_token_sign(char c) {
    return c > 0x20 && c < 0x7F && strchr("()<>@,;:\\\"/[]?=", c) == NULL;
}

static bool is_word(piece p, const char *word) {
    return p.size == strlen(word) && strncasecmp(p.text, word, p.size) == 0;
}

static void skip_blanks(const char **at, const char *end) {
    while (*at < end && is_blank(**at)) { (*at)++; }
}

static piece take_token(const char **at, const char *end) {
    const char *begin = *at;
    while (*at < end && is_token_sign(**at)) { (*at)++; }
    return (piece){begin, (size_t)(*at - begin)};
}

// A text in quotes, without them, escapes left as they are. false: it does not end.
static bool take_quoted(const char **at, const char *end, piece *value) {
    const char *begin = ++*at;
    while (*at < end && **at != '"') { *at += **at == '\\' && end - *at > 1 ? 2 : 1; }
    if (*at >= end) { return false; }
    *value = (piece){begin, (size_t)(*at - begin)};
    (*at)++;
    return true;
}

// The next "; name=value" of a header. 1: there is one, 0: the header ends, -1: it is none.
static int take_parameter(const char **at, const char *end, piece *name, piece *value) {
    skip_blanks(at, end);
    if (*at == end) { return 0; }
    if (*(*at)++ != ';') { return -1; }
    skip_blanks(at, end);
    if (*at == end) { return 0; }
    *name = take_token(at, end);
    if (name->size == 0 || *at == end || *(*at)++ != '=') { return -1; }
    if (*at < end && **at == '"') { return take_quoted(at, end, value) ? 1 : -1; }
    *value = take_token(at, end);
    return value->size > 0 ? 1 : -1;
}

// The one parameter of that name. false: it is missing, there twice, or the header has no form.
static bool find_parameter(const char *at, const char *end, const char *wanted, piece *found) {
    piece name, value;
    uint32_t count = 0;
    int more;
    while ((more = take_parameter(&at, end, &name, &value)) > 0) {
        if (!is_word(name, wanted)) { continue; }
        *found = value;
        count++;
    }
    return more == 0 && count == 1;
}

static bool is_boundary(piece p) {
    if (p.size == 0 || p.size > BOUNDARY_MAX || p.text[p.size - 1] == ' ') { return false; }
    for (size_t i = 0; i < p.size; i++) {
        const char c = p.text[i];
        const bool is = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        (c != 0 && strchr("'()+_,-./:=? ", c) != NULL);
        if (!is) { return false; }
    }
    return true;
}

static bool find_boundary(const char *content_type, piece *boundary) {
    static const char form[] = "multipart/form-data";
    if (content_type == NULL || strncasecmp(content_type, form, sizeof form - 1) != 0) { return false; }
    const char *at = content_type + sizeof form - 1;
    return find_parameter(at, at + strlen(at), "boundary", boundary) && is_boundary(*boundary);
}

// ---- Parts ----

typedef struct part {
    piece name;
    bool has_name;
    char type[MULTIPART_TYPE_MAX + 1];
} part;

static bool take_disposition(part *p, const char *at, const char *end) {
    if (p->has_name || !is_word(take_token(&at, end), "form-data")) { return false; }
    p->has_name = true;
    return find_parameter(at, end, "name", &p->name);
}

static bool take_type(part *p, const char *at, const char *end) {
    size_t size = 0;
    if (p->type[0] != 0) { return false; }
    for (; at < end && (is_token_sign(*at) || *at == '/'); at++) {
        if (size == MULTIPART_TYPE_MAX) { return false; }
        p->type[size++] = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at;
    }
    skip_blanks(&at, end);
    return size > 0 && (at == end || *at == ';');
}

static bool take_header(part *p, const char *at, const char *end) {
    const piece name = take_token(&at, end);
    if (name.size == 0 || at == end || *at++ != ':') { return false; }
    for (const char *c = at; c < end; c++) {
        if ((unsigned char)*c < 0x20 && *c != '\t') { return false; }
    }
    skip_blanks(&at, end);
    while (end > at && is_blank(end[-1])) { end--; }
    if (is_word(name, "Content-Disposition")) { return take_disposition(p, at, end); }
    if (is_word(name, "Content-Type")) { return take_type(p, at, end); }
    return true;
}

// A text that begins with a line end, which is its only '\r': what was compared is not looked at twice.
static const char *find_text(const char *at, const char *end, const char *text, size_t size) {
    while (at < end && (at = memchr(at, '\r', (size_t)(end - at))) != NULL && (size_t)(end - at) >= size) {
        if (memcmp(at, text, size) == 0) { return at; }
        at++;
    }
    return NULL;
}

// The headers and the empty line behind them; *at is then where the part's bytes begin.
static const char *take_headers(part *p, const char **at, const char *end) {
    const char *const begin = *at;
    *p = (part){.has_name = false};
    for (;;) {
        const size_t left = (size_t)(end - *at), room = MULTIPART_HEAD_MAX - (size_t)(*at - begin);
        const char *line = find_text(*at, *at + (left < room ? left : room), "\r\n", 2);
        if (line == NULL) { return left < room ? "the headers of a part do not end" : "a part has too long headers"; }
        const bool is_last = line == *at;
        if (!is_last && !take_header(p, *at, line)) { return "a header of a part has no proper form"; }
        *at = line + 2;
        if (is_last) { return p->has_name ? NULL : "a part has no name"; }
    }
}

typedef struct form {
    char mark[BOUNDARY_MAX + 5]; // the line end before it, "--" and the boundary
    size_t mark_size;
    const char *at, *end;
} form;

// What stands behind a boundary. 1: a part follows, 0: that was the last, -1: neither.
static int take_mark_end(form *f) {
    const bool is_last = f->end - f->at >= 2 && memcmp(f->at, "--", 2) == 0;
    if (is_last) { f->at += 2; }
    skip_blanks(&f->at, f->end);
    if (is_last && f->at == f->end) { return 0; }
    if (f->end - f->at < 2 || memcmp(f->at, "\r\n", 2) != 0) { return -1; }
    f->at += 2;
    return is_last ? 0 : 1;
}

static const char *walk(form *f, const char *name, multipart_field *field, bool *found) {
    uint32_t count = 0;
    int more;
    while ((more = take_mark_end(f)) > 0) {
        part p;
        if (++count > MULTIPART_PARTS_MAX) { return "it has more than 64 parts"; }
        const char *why = take_headers(&p, &f->at, f->end);
        if (why != NULL) { return why; }
        // A part without bytes may end by the line end of its headers.
        const char *begin = f->at;
        const char *mark = find_text(begin - 2, f->end, f->mark, f->mark_size);
        if (mark == NULL) { return "a part does not end"; }
        if (!*found && p.name.size == strlen(name) && memcmp(p.name.text, name, p.name.size) == 0) {
            *found = true;
            *field = (multipart_field){.bytes = (const uint8_t *)begin,
                                       .size = mark > begin ? (size_t)(mark - begin) : 0};
            memcpy(field->type, p.type, sizeof p.type);
        }
        f->at = mark + f->mark_size;
    }
    return more == 0 ? NULL : "a boundary is not at the end of its line";
}

multipart_status multipart_find(const char *content_type, const void *bytes, size_t size, const char *name,
                                multipart_field *field, const char **why) {
    piece boundary;
    bool found = false;
    *why = "it is no multipart/form-data with a boundary";
    if (!find_boundary(content_type, &boundary)) { return MULTIPART_BAD; }
    form f = {.mark = "\r\n--", .mark_size = boundary.size + 4, .at = bytes, .end = (const char *)bytes + size};
    memcpy(f.mark + 4, boundary.text, boundary.size);
    *why = "it does not begin with its boundary";
    if (size < f.mark_size - 2 || memcmp(f.at, f.mark + 2, f.mark_size - 2) != 0) { return MULTIPART_BAD; }
    f.at += f.mark_size - 2;
    *why = walk(&f, name, field, &found);
    if (*why != NULL) { return MULTIPART_BAD; }
    return found ? MULTIPART_FOUND : MULTIPART_MISSING;
}
