// See petween_text.h.
#include <stdlib.h>
#include <string.h>

#include "host/petween_text.h"

bool petween_text_put(void *text, const void *bytes, size_t size) {
    petween_text *t = text;
    if (size > SIZE_MAX / 4 - t->size) { t->failed = true; }
    if (t->failed) { return false; }
    if (t->size + size + 1 > t->capacity) {
        const size_t capacity = (t->size + size + 1) * 2;
        char *data = realloc(t->data, capacity);
        if (data == NULL) {
            t->failed = true;
            return false;
        }
        t->data = data;
        t->capacity = capacity;
    }
    if (size > 0) { memcpy(t->data + t->size, bytes, size); }
    t->size += size;
    t->data[t->size] = 0;
    return true;
}

void petween_text_word(petween_text *text, const char *word) { petween_text_put(text, word, strlen(word)); }

void petween_text_free(petween_text *text) {
    free(text->data);
    *text = (petween_text){0};
}

cli_json petween_text_json(petween_text *text) {
    return (cli_json){.write = petween_text_put, .context = text, .flat = true};
}
