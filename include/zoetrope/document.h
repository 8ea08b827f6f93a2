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

// A value, to walk through a document with. Ids and texts live until the next edit. Of a member that stands more than
// once each is a value of its own; the last is the one that counts.
typedef enum zo_value_kind {
    ZO_VALUE_NULL = 0,
    ZO_VALUE_FALSE = 1,
    ZO_VALUE_TRUE = 2,
    ZO_VALUE_NUMBER = 3,
    ZO_VALUE_STRING = 4,
    ZO_VALUE_ARRAY = 5,
    ZO_VALUE_OBJECT = 6,
} zo_value_kind;

typedef struct zo_value {
    zo_value_kind kind;
    uint32_t first;  // ARRAY, OBJECT: id of the first value in it; 0: it is empty
    uint32_t next;   // id of the value behind it in the same array or object; 0: it is the last
    uint32_t count;  // ARRAY, OBJECT: of values in it, repeated members included
    double number;   // NUMBER: an infinity when it is beyond double; else 0
    zo_text key;     // of a member, without escapes; else empty
    zo_text text;    // STRING: without escapes, may hold zero bytes; others: as they stand in the document
    zo_text source;  // the bytes as they stand in the document
    zo_text key_source; // of a member, the bytes of its key as they stand in the document
} zo_value;

enum { ZO_VALUE_ROOT = 1 }; // id of the whole
// false: the document has no value of that id.
ZO_API bool zo_document_value(const zo_document *document, uint32_t id, zo_value *value);
// Id of the member of that name, without escapes, of repeated ones the last. 0: there is none, or `id` is no object.
ZO_API uint32_t zo_document_member(const zo_document *document, uint32_t id, const char *name);

// Applies edits that are sorted by offset and do not overlap; all or none. The result must be JSON again (else
// ZO_INVALID, nothing changed). `inverse` (NULL, or [edit_count]) receives the edits that give the old bytes back;
// their texts belong to the document and live until its next edit or its end.
ZO_API zo_status zo_document_apply(zo_document *document, const zo_edit *edits, uint32_t edit_count, zo_edit *inverse);

#ifdef __cplusplus
}
#endif

#endif
