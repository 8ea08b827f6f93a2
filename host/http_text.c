// See http_text.h.
#include <stdlib.h>
#include <string.h>

#include "host/http_text.h"

bool http_text_put(void *context, const void *bytes, size_t size) {
    http_text *text = context;
    if (text->failed) { return false; }
    if (size > text->capacity - text->size) {
        size_t capacity = text->capacity == 0 ? 512 : text->capacity;
        while (capacity - text->size < size && capacity <= SIZE_MAX / 2) { capacity *= 2; }
        char *moved = capacity - text->size >= size ? realloc(text->bytes, capacity) : NULL;
        if (moved == NULL) {
            text->failed = true;
            return false;
        }
        text->bytes = moved;
        text->capacity = capacity;
    }
    if (size > 0) { memcpy(text->bytes + text->size, bytes, size); }
    text->size += size;
    return true;
}

void http_text_words(http_text *text, const char *words) { http_text_put(text, words, strlen(words)); }

void http_text_free(http_text *text) {
    free(text->bytes);
    *text = (http_text){0};
}

const char *http_text_end(http_text *text) {
    if (!http_text_put(text, "", 1)) { return ""; }
    text->size--;
    return text->bytes;
}

cli_json http_text_json(http_text *text) {
    return (cli_json){.write = http_text_put, .context = text, .flat = true};
}
