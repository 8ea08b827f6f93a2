// JSON texts at the edge: places of values, edits by byte range and their inverse. Called by document.js.
#include <stdlib.h>

#include "edge.h"

ZW_EXPORT(zo_document *, zw_document_open)(const void *bytes, uint32_t size);
ZW_EXPORT(uint32_t, zw_document_status)(void);
ZW_EXPORT(void, zw_document_free)(zo_document *document);
ZW_EXPORT(const char *, zw_document_data)(const zo_document *document);
ZW_EXPORT(uint32_t, zw_document_size)(const zo_document *document);
ZW_EXPORT(uint32_t, zw_document_find)(const zo_document *document, const char *pointer);
ZW_EXPORT(uint32_t, zw_document_pointer_at)(const zo_document *document, double offset);
ZW_EXPORT(uint32_t, zw_document_apply)(zo_document *document, const zo_edit *edits, uint32_t edit_count);

static zo_status last_status; // of the last opening

// NULL: zw_document_status says why.
zo_document *zw_document_open(const void *bytes, uint32_t size) {
    zo_document *document = NULL;
    last_status = zo_document_open(bytes, size, NULL, &document);
    return document;
}

uint32_t zw_document_status(void) { return (uint32_t)last_status; }
void zw_document_free(zo_document *document) { zo_document_free(document); }
const char *zw_document_data(const zo_document *document) { return zo_document_bytes(document).data; }
uint32_t zw_document_size(const zo_document *document) { return (uint32_t)zo_document_bytes(document).size; }

// The place is in the sink. 0: there is no such value.
uint32_t zw_document_find(const zo_document *document, const char *pointer) {
    zo_range range;
    zw_sink_open();
    if (!zo_document_find(document, pointer, &range)) { return 0; }
    zw_open('{');
    zw_member_int("offset", (int64_t)range.offset);
    zw_member_int("length", (int64_t)range.length);
    zw_member_int("line", range.line);
    zw_member_int("column", range.column);
    zw_close('}');
    return 1;
}

// The pointer is in the sink. 0: no memory.
uint32_t zw_document_pointer_at(const zo_document *document, double offset) {
    const size_t at = offset > 0 && offset < 0x1p32 ? (size_t)offset : 0;
    const size_t length = zo_document_pointer_at(document, at, NULL, 0);
    char *pointer = length < SIZE_MAX ? malloc(length + 1) : NULL;
    zw_sink_open();
    if (!pointer) { return 0; }
    zo_document_pointer_at(document, at, pointer, length + 1);
    zw_write(NULL, pointer, length);
    free(pointer);
    return 1;
}

// A zo_status; with OK the edits that give the old bytes back are in the sink, [{offset, remove, insert}], with texts
// as bytes in hexadecimal digits, for a splice may cut a character in two.
uint32_t zw_document_apply(zo_document *document, const zo_edit *edits, uint32_t edit_count) {
    zw_sink_open();
    zo_edit *inverse = edit_count <= SIZE_MAX / sizeof *inverse ? calloc(edit_count + 1, sizeof *inverse) : NULL;
    if (!inverse) { return ZO_NO_MEMORY; }
    const zo_status status = zo_document_apply(document, edits, edit_count, inverse);
    zw_open('[');
    for (uint32_t i = 0; status == ZO_OK && i < edit_count; i++) {
        zw_open('{');
        zw_member_int("offset", (int64_t)inverse[i].offset);
        zw_member_int("remove", (int64_t)inverse[i].remove);
        zw_member("insert");
        zw_put("\"");
        for (size_t k = 0; k < inverse[i].insert_size; k++) {
            const uint8_t byte = (uint8_t)inverse[i].insert[k];
            const char digits[3] = {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15], 0};
            zw_put(digits);
        }
        zw_put("\"");
        zw_close('}');
    }
    zw_close(']');
    free(inverse);
    return (uint32_t)status;
}
