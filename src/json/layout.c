// See layout.h.
#include "json/layout.h"

#include "base/buffer.h"

enum { LINE_MAX_COLUMNS = 110, INDENT = 2 };

static bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Behind the string that begins at `at`.
static size_t string_end(zo_text json, size_t at) {
    for (at++; json.data[at] != '"'; at++) {
        at += json.data[at] == '\\' ? 1 : 0;
    }
    return at + 1;
}

static size_t skip_white(zo_text json, size_t at) {
    while (at < json.size && is_white(json.data[at])) {
        at++;
    }
    return at;
}

// The array or object that begins at `at` on one line, into `line` if it has no more than `room` bytes. Returns the
// place behind it; 0: it is longer.
static size_t on_one_line(zo_text json, size_t at, size_t room, char line[LINE_MAX_COLUMNS], size_t *size) {
    uint32_t depth = 0;
    *size = 0;
    while (true) {
        const char c = json.data[at];
        const size_t end = c == '"' ? string_end(json, at) : at + 1;
        const size_t next = skip_white(json, end);
        const char following = next < json.size ? json.data[next] : 0;
        const bool space = c == ',' || c == ':' || (c == '{' && following != '}') || (following == '}' && c != '{');
        if (end - at + (space ? 1 : 0) > room - *size) {
            return 0;
        }
        memcpy(line + *size, json.data + at, end - at);
        *size += end - at;
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
        if (depth == 0) {
            return end;
        }
        if (space) {
            line[(*size)++] = ' ';
        }
        at = next;
    }
}

static void put_line_end(zb_buffer *out, uint32_t depth) {
    zb_put_char(out, '\n');
    zb_put_repeat(out, ' ', INDENT * depth);
}

zo_text zj_laid_out(zb_arena *kept, zo_text json) {
    zb_buffer out = zb_buffer_open(kept);
    uint32_t depth = 0;
    size_t line_begin = 0;
    for (size_t at = skip_white(json, 0); at < json.size && !zb_arena_failed(kept);) {
        const char c = json.data[at];
        size_t next = c == '"' ? string_end(json, at) : at + 1;
        const bool opens = c == '{' || c == '[';
        char line[LINE_MAX_COLUMNS];
        const size_t column = out.size - line_begin;
        size_t size = 0, end = 0;
        if (opens && depth > 0 && column < LINE_MAX_COLUMNS) {
            end = on_one_line(json, at, LINE_MAX_COLUMNS - column, line, &size);
        }
        if (end > 0) {
            zb_put_bytes(&out, line, size);
            next = end;
        } else if (opens || c == ',') {
            depth += opens ? 1 : 0;
            zb_put_char(&out, c);
            put_line_end(&out, depth);
            line_begin = out.size - INDENT * depth;
        } else if (c == '}' || c == ']') {
            put_line_end(&out, --depth);
            line_begin = out.size - INDENT * depth;
            zb_put_char(&out, c);
        } else {
            zb_put_bytes(&out, json.data + at, next - at);
            zb_put(&out, c == ':' ? " " : "");
        }
        at = skip_white(json, next);
    }
    zb_put_char(&out, '\n');
    return (zo_text){out.data, out.size};
}
