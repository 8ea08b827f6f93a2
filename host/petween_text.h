// A text that grows, for what petween's interface writes: its JSON answers and the documents that it stores.
#ifndef HOST_PETWEEN_TEXT_H
#define HOST_PETWEEN_TEXT_H

#include "host/json.h"

// All zero is an empty text. Memory that runs out is remembered in `failed`; what is put then is lost.
typedef struct petween_text {
    char *data; // malloc, with a zero byte behind `size`; NULL: nothing was put yet
    size_t size, capacity;
    bool failed;
} petween_text;

bool petween_text_put(void *text, const void *bytes, size_t size); // a zo_write_fn
void petween_text_word(petween_text *text, const char *word);
void petween_text_free(petween_text *text);
cli_json petween_text_json(petween_text *text); // a writer into it, all on one line

#endif
