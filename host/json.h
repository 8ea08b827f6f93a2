// JSON text written piece by piece: a comma where one belongs, escapes, numbers that read back the same. The program
// writes with it on the standard output, the host into what it sends and logs.
#ifndef HOST_JSON_H
#define HOST_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <zoetrope/zoetrope.h>

typedef struct cli_json {
    zo_write_fn write; // NULL: the standard output. What it returns is not looked at: it remembers what failed
    void *context;     // of write
    uint32_t depth;
    bool first[16]; // nothing has stood at this depth yet
    uint32_t inline_at; // depth of a value that is kept on one line; 0: none
    bool flat;      // all of it is one line
} cli_json;

void cli_json_open(cli_json *json, const char *key, char bracket); // key NULL: an item; bracket '{' or '['
void cli_json_close(cli_json *json, char bracket);                 // '}' or ']'
void cli_json_open_inline(cli_json *json, const char *key, char bracket); // the whole on one line
void cli_json_text(cli_json *json, const char *key, const char *text);
void cli_json_number(cli_json *json, const char *key, double value); // not finite: null
void cli_json_ms(cli_json *json, const char *key, int64_t ns); // in ms, every digit of it
void cli_json_raw(cli_json *json, const char *key, const char *value, size_t size); // a value that is JSON already
void cli_json_argument(cli_json *json, const zo_argument_info *argument);
void cli_json_null(cli_json *json, const char *key);
void cli_json_bool(cli_json *json, const char *key, bool value);
void cli_json_end(cli_json *json); // the last line end

// Whether JSON can say it as it is: it is UTF-8.
bool cli_is_utf8(const char *text);

// The shortest text that reads back to the same double.
void cli_number_text(double value, char text[32]);

#endif
