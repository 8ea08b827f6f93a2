// See content_inside.h: memory, errors, and texts by which things are called.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/content_inside.h"
#include "host/store_name.h"

// -------------------------------------------------------------------------------------------------------------- memory

typedef struct content_piece {
    struct content_piece *before;
    max_align_t bytes[];
} content_piece;

void *content_take(content_keep *keep, size_t size) {
    content_piece *piece = size < SIZE_MAX - sizeof *piece ? calloc(1, sizeof *piece + size) : NULL;
    if (piece == NULL) {
        keep->failed = true;
        return NULL;
    }
    piece->before = keep->last;
    keep->last = piece;
    return piece->bytes;
}

char *content_copy_bytes(content_keep *keep, const char *bytes, size_t size) {
    char *copy = content_take(keep, size + 1);
    if (copy != NULL && size > 0) { memcpy(copy, bytes, size); }
    return copy;
}

char *content_copy(content_keep *keep, const char *text) { return content_copy_bytes(keep, text, strlen(text)); }

char *content_words(content_keep *keep, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int size = vsnprintf(NULL, 0, format, list);
    char *text = size >= 0 ? content_take(keep, (size_t)size + 1) : NULL;
    if (text != NULL) { vsnprintf(text, (size_t)size + 1, format, again); }
    va_end(again);
    va_end(list);
    return text;
}

bool content_grow(content_keep *keep, void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return true; }
    const uint32_t more = *capacity == 0 ? 16 : *capacity * 2;
    void *memory = content_take(keep, (size_t)more * size);
    if (memory == NULL) { return false; }
    if (count > 0) { memcpy(memory, *items, (size_t)count * size); }
    *items = memory;
    *capacity = more;
    return true;
}

void content_give_back(content_keep *keep) {
    for (content_piece *piece = keep->last; piece != NULL;) {
        content_piece *before = piece->before;
        free(piece);
        piece = before;
    }
    *keep = (content_keep){0};
}

zo_document *content_open(content_keep *keep, const void *bytes, size_t size) {
    zo_document *document = NULL;
    if (zo_document_open(bytes, size, NULL, &document) == ZO_NO_MEMORY) { keep->failed = true; }
    return document;
}

zo_text content_mended(content_keep *keep, const void *bytes, size_t size) {
    zo_document *document = NULL;
    zo_text text = {bytes, size};
    if (content_mend(bytes, size, &document) == STORE_NO_MEMORY) { keep->failed = true; }
    if (document == NULL) { return text; }
    const zo_text today = zo_document_bytes(document);
    const char *copy = content_copy_bytes(keep, today.data, today.size);
    if (copy != NULL) { text = (zo_text){copy, today.size}; }
    zo_document_free(document);
    return text;
}

// -------------------------------------------------------------------------------------------------------------- errors

store_status content_fail(store_error *error, store_status status, const char *format, ...) {
    va_list list;
    *error = (store_error){.status = status};
    va_start(list, format);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    return status;
}

store_status content_no_memory(store_error *error) {
    return content_fail(error, STORE_NO_MEMORY, "there is not enough memory");
}

store_status content_said(const store_txn *txn, store_status status, store_error *error) {
    if (status != STORE_OK) { *error = *store_error_of(txn); }
    return status;
}

const char *content_first_error(const zo_report *report) {
    for (uint32_t i = 0; report != NULL && i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        if (diag->severity == ZO_ERROR) { return diag->message; }
    }
    return "it cannot be read";
}

// --------------------------------------------------------------------------------------------------------------- texts

bool content_id_of_name(const char *name, char id[STORE_ID_MAX + 1]) {
    static const char ending[] = ".json";
    size_t size = strlen(name);
    const size_t cut = sizeof ending - 1;
    if (size > cut && strcmp(name + size - cut, ending) == 0) { size -= cut; }
    if (size > STORE_ID_MAX) { // what tells it from others stands at its end
        name += size - STORE_ID_MAX;
        size = STORE_ID_MAX;
    }
    while (size > 0 && (*name == '.' || *name == '/')) {
        name++;
        size--;
    }
    for (size_t i = 0; i < size; i++) {
        const char sign[2] = {name[i], 0};
        id[i] = name[i] == '/' ? '.' : store_id_is_good(STORE_ITEM, sign) || name[i] == '.' ? name[i] : '-';
    }
    id[size] = 0;
    return size > 0;
}

