// See json.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"

static void put_text(const char *text) {
    putchar('"');
    for (; *text != 0; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
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
