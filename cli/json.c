// See json.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static void put_text(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    putchar('"');
    while (*at != 0) {
        const int size = code_point_size(at);
        if (*at == '"' || *at == '\\') {
            printf("\\%c", *at);
        } else if (*at < 0x20) {
            printf("\\u%04x", *at);
        } else if (size == 0) { // of a file's name, say: no JSON may have it, so it is shown as what it is not
            fputs("\xEF\xBF\xBD", stdout);
        } else {
            fwrite(at, 1, (size_t)size, stdout);
        }
        at += size > 0 ? size : 1;
    }
    putchar('"');
}

static void begin(cli_json *json, const char *key) {
    if (json->depth > 0) {
        if (!json->first[json->depth]) { putchar(','); }
        if (json->inline_at == 0 && !json->flat) {
            printf("\n%*s", (int)json->depth * 2, "");
        } else if (!json->first[json->depth]) {
            putchar(' ');
        }
        json->first[json->depth] = false;
    }
    if (key != NULL) {
        put_text(key);
        fputs(": ", stdout);
    }
}

void cli_json_open(cli_json *json, const char *key, char bracket) {
    begin(json, key);
    putchar(bracket);
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
    if (!empty && json->inline_at == 0 && !json->flat) { printf("\n%*s", (int)json->depth * 2, ""); }
    putchar(bracket);
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
    put_text(text);
}

void cli_json_number(cli_json *json, const char *key, double value) {
    char text[32] = "null";
    begin(json, key);
    if (isfinite(value)) { cli_number_text(value, text); }
    fputs(text, stdout);
}

void cli_json_ms(cli_json *json, const char *key, int64_t ns) {
    const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    char part[16] = "";
    begin(json, key);
    if (size % 1000000 != 0) {
        snprintf(part, sizeof part, ".%06u", (unsigned)(size % 1000000));
        for (size_t end = 7; part[end - 1] == '0'; end--) { part[end - 1] = 0; }
    }
    printf("%s%" PRIu64 "%s", ns < 0 ? "-" : "", size / 1000000, part);
}

void cli_json_raw(cli_json *json, const char *key, const char *value, size_t size) {
    begin(json, key);
    fwrite(value, 1, size, stdout);
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
    fputs("null", stdout);
}

void cli_json_bool(cli_json *json, const char *key, bool value) {
    begin(json, key);
    fputs(value ? "true" : "false", stdout);
}

void cli_json_end(cli_json *json) {
    (void)json;
    putchar('\n');
}
