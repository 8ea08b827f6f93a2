// The document: a JSON text that can be asked where things are and edited by byte range, so that whatever is not edited
// stays as it was: unknown members, their order, number spellings, white space.
#ifndef ZOETROPE_DOCUMENT_H
#define ZOETROPE_DOCUMENT_H

#include <zoetrope/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zo_document zo_document;

typedef struct zo_range {
    size_t offset, length; // bytes
    uint32_t line, column; // from 1, column in code points
} zo_range;

// Copies the bytes. *document is set only with ZO_OK. ZO_INVALID: not JSON (zo_compile says where and why).
ZO_API zo_status zo_document_open(const void *bytes, size_t size, const zo_allocator *allocator,
                                  zo_document **document);
ZO_API void zo_document_free(zo_document *document);
ZO_API zo_text zo_document_bytes(const zo_document *document); // until the next edit

// The value at a JSON Pointer (RFC 6901, "" is the whole), of repeated members the last. false: there is none.
ZO_API bool zo_document_find(const zo_document *document, const char *pointer, zo_range *range);
// The pointer of the innermost value that holds the byte. Writes at most `capacity` bytes with the ending zero and
// returns the length without it, so a short buffer can be seen and mended. `offset` beyond the end: the whole ("").
ZO_API size_t zo_document_pointer_at(const zo_document *document, size_t offset, char *pointer, size_t capacity);

// Applies edits that are sorted by offset and do not overlap; all or none. The result must be JSON again (else
// ZO_INVALID, nothing changed). `inverse` (NULL, or [edit_count]) receives the edits that give the old bytes back;
// their texts belong to the document and live until its next edit or its end.
ZO_API zo_status zo_document_apply(zo_document *document, const zo_edit *edits, uint32_t edit_count, zo_edit *inverse);

#ifdef __cplusplus
}
#endif

#endif
