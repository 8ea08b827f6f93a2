// Text output that grows: bytes, texts, numbers. Used by report renderers, the dump and writers of documents. Failure
// sticks and is asked for at the end. Contents are not ended by a zero byte unless zb_buffer_text is used.
#ifndef ZB_BUFFER_H
#define ZB_BUFFER_H

#include "base/arena.h"

typedef struct zb_buffer {
    zb_arena *arena;
    char *data;
    size_t size, capacity;
} zb_buffer;

zb_buffer zb_buffer_open(zb_arena *arena);
void zb_put_bytes(zb_buffer *out, const void *bytes, size_t size);
void zb_put_text(zb_buffer *out, zo_text text);
void zb_put(zb_buffer *out, const char *zero_ended);
void zb_put_char(zb_buffer *out, char c);
void zb_put_repeat(zb_buffer *out, char c, uint32_t count);
void zb_put_int(zb_buffer *out, int64_t value);
void zb_put_uint(zb_buffer *out, uint64_t value);
void zb_put_hex(zb_buffer *out, uint64_t value, uint32_t digits);
void zb_put_double(zb_buffer *out, double value);        // shortest text that reads back the same; inf, nan as words
void zb_put_json_text(zb_buffer *out, zo_text text);     // quoted and escaped; ill-formed UTF-8 becomes U+FFFD
void zb_put_unicode(zb_buffer *out, uint32_t code_point); // as UTF-8
// The whole, ended by a zero byte, or "" after failure.
const char *zb_buffer_text(zb_buffer *out);

#endif
