// Text that grows: what the host writes before it sends, logs or stores it.
#ifndef HOST_HTTP_TEXT_H
#define HOST_HTTP_TEXT_H

#include "host/json.h"

// All zero is an empty one. `failed` remembers that memory was short: what is there then is not to be used.
typedef struct http_text {
    char *bytes; // malloc, not terminated unless http_text_end was called
    size_t size, capacity;
    bool failed;
} http_text;
bool http_text_put(void *text, const void *bytes, size_t size); // zo_write_fn
void http_text_words(http_text *text, const char *words);
const char *http_text_end(http_text *text); // the text with a zero byte behind it; "" when memory was short
void http_text_free(http_text *text);
cli_json http_text_json(http_text *text);   // a writer into it, all on one line

#endif
