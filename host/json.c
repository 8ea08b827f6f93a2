// See json.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

// Bytes of the code point that starts here, 0: it is no UTF-8. The text ends in a zero byte, which follows nothing.
static int code_point_size(const unsigned char *at) {
    static const unsigned char firsts[] = {0xF5, 0xF0, 0xE0, 0xC2}; // from it on: none, 4 bytes, 3, 2
    if (at[0] < 0x80) { return 1; }
    if (at[0] >= firsts[0] || at[0] < firsts[3]) { return 0; }
    const int size = at[0] >= firsts[1] ? 4 : at[0] >= firsts[2] ? 3 : 2;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF0 && at[1] < 0x90) ||
        (at[0] == 0xF4 && at[1] > 0x8F)) {
        return 0;
    }
    for (int i = 1; i < size; i++) {
        if ((at[i] & 0xC0) != 0x80) { return 0; }
    }
    return size;
}

bool cli_is_utf8(const char *text) {
    int size = 1;
    for (const unsigned char *at = (const unsigned char *)text; *at != 0 && size > 0; at += size) {
        size = code_point_size(at);
    }
    return size > 0;
}

static void put(const cli_json *json, const void *bytes, size_t size) {
    if (json->write != NULL) {
        json->write(json->context, bytes, size);
    } else {
        fwrite(bytes, 1, size, stdout);
    }
}

static void put_word(const cli_json *json, const char *word) { put(json, word, strlen(word)); }

static void put_line_start(const cli_json *json) { // two spaces a level
    static const char spaces[] = "\n                                ";
    put(json, spaces, 1 + (size_t)json->depth * 2);
}

static void put_text(const cli_json *json, const char *text) {
    const unsigned char *at = (const unsigned char *)text, *plain = at; // from `plain` on nothing is written yet
    put(json, "\"", 1);
    while (*at != 0) {
        const int size = code_point_size(at);
        if (size > 0 && *at >= 0x20 && *at != '"' && *at != '\\') {
            at += size;
            continue;
        }
        char escape[8] = "\xEF\xBF\xBD"; // of a file's name, say: no JSON may have it, so it is shown as what it is not
        if (*at == '"' || *at == '\\') {
            snprintf(escape, sizeof escape, "\\%c", *at);
        } else if (*at < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", *at);
        }
        put(json, plain, (size_t)(at - plain));
        put_word(json, escape);
        plain = ++at;
    }
    put(json, plain, (size_t)(at - plain));
    put(json, "\"", 1);
}

static void begin(cli_json *json, const char *key) {
    if (json->depth > 0) {
        if (!json->first[json->depth]) { put(json, ",", 1); }
        if (json->inline_at == 0 && !json->flat) {
            put_line_start(json);
        } else if (!json->first[json->depth]) {
            put(json, " ", 1);
        }
        json->first[json->depth] = false;
    }
    if (key != NULL) {
        put_text(json, key);
        put(json, ": ", 2);
    }
}

void cli_json_open(cli_json *json, const char *key, char bracket) {
    begin(json, key);
    put(json, &bracket, 1);
    json->depth++;
    json->first[json->depth] = true;
}

void cli_json_open_inline(cli_json *json, const char *key, char bracket) {
    cli_json_open(json, key, bracket);
    if (json->inline_at == 0) { json->inline_at = json->depth; }
}

void cli_json_close(cli_json *json, char bracket) {
    const bool empty = json->first[json->depth];
    json->depth--;
    if (!empty && json->inline_at == 0 && !json->flat) { put_line_start(json); }
    put(json, &bracket, 1);
    if (json->depth < json->inline_at) { json->inline_at = 0; }
}

void cli_number_text(double value, char text[32]) {
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, 32, "%.*g", precision, value);
        if (strtod(text, NULL) == value) { return; }
    }
}

void cli_json_text(cli_json *json, const char *key, const char *text) {
    begin(json, key);
    put_text(json, text);
}

void cli_json_number(cli_json *json, const char *key, double value) {
    char text[32] = "null";
    begin(json, key);
    if (isfinite(value)) { cli_number_text(value, text); }
    put_word(json, text);
}

void cli_json_ms(cli_json *json, const char *key, int64_t ns) {
    const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    char part[16] = "";
    begin(json, key);
    if (size % 1000000 != 0) {
        snprintf(part, sizeof part, ".%06u", (unsigned)(size % 1000000));
        for (size_t end = 7; part[end - 1] == '0'; end--) { part[end - 1] = 0; }
    }
    char text[48];
    snprintf(text, sizeof text, "%s%" PRIu64 "%s", ns < 0 ? "-" : "", size / 1000000, part);
    put_word(json, text);
}

void cli_json_raw(cli_json *json, const char *key, const char *value, size_t size) {
    begin(json, key);
    put(json, value, size);
}

void cli_json_argument(cli_json *json, const zo_argument_info *argument) {
    switch (argument->kind) {
    case ZO_ARGUMENT_TEXT: cli_json_text(json, argument->name, argument->text); break;
    case ZO_ARGUMENT_FLAG: cli_json_bool(json, argument->name, argument->number != 0.0); break;
    default: cli_json_number(json, argument->name, argument->number);
    }
}

void cli_json_null(cli_json *json, const char *key) {
    begin(json, key);
    put_word(json, "null");
}

void cli_json_bool(cli_json *json, const char *key, bool value) {
    begin(json, key);
    put_word(json, value ? "true" : "false");
}

void cli_json_end(cli_json *json) {
    put(json, "\n", 1);
}
