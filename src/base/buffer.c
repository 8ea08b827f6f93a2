// Growing text output. Called by everything that writes text. Must not know what the text says; numbers come from
// number.c.
#include "base/buffer.h"

#include "base/number.h"
#include "base/utf8.h"

enum { CAPACITY_FIRST = 256 };

zb_buffer zb_buffer_open(zb_arena *arena) { return (zb_buffer){.arena = arena}; }

// Room for `size` more bytes, or NULL after failure.
static char *room_for(zb_buffer *out, size_t size) {
    if (zb_arena_failed(out->arena)) { return NULL; }
    if (size <= out->capacity - out->size) { return out->data + out->size; }
    size_t wanted;
    if (!zb_add_size(out->size, size, &wanted)) {
        out->arena->failed = true;
        return NULL;
    }
    size_t capacity = out->capacity > SIZE_MAX / 2 ? wanted : out->capacity * 2;
    if (capacity < wanted) { capacity = wanted; }
    if (capacity < CAPACITY_FIRST) { capacity = CAPACITY_FIRST; }
    char *data = zb_arena_grow(out->arena, out->data, out->capacity, capacity);
    if (!data) { return NULL; }
    out->data = data;
    out->capacity = capacity;
    return data + out->size;
}

void zb_put_bytes(zb_buffer *out, const void *bytes, size_t size) {
    if (size == 0) { return; }
    char *room = room_for(out, size);
    if (!room) { return; }
    memcpy(room, bytes, size);
    out->size += size;
}

void zb_put_text(zb_buffer *out, zo_text text) { zb_put_bytes(out, text.data, text.size); }

void zb_put(zb_buffer *out, const char *zero_ended) { zb_put_text(out, zb_text(zero_ended)); }

void zb_put_char(zb_buffer *out, char c) { zb_put_bytes(out, &c, 1); }

void zb_put_repeat(zb_buffer *out, char c, uint32_t count) {
    char *room = count > 0 ? room_for(out, count) : NULL;
    if (!room) { return; }
    memset(room, c, count);
    out->size += count;
}

void zb_put_int(zb_buffer *out, int64_t value) {
    char text[ZB_NUMBER_TEXT_MAX];
    zb_put_bytes(out, text, zb_int_text(value, text));
}

void zb_put_uint(zb_buffer *out, uint64_t value) {
    char text[20]; // 2^64 has 20 digits
    size_t at = sizeof text;
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    zb_put_bytes(out, text + at, sizeof text - at);
}

void zb_put_hex(zb_buffer *out, uint64_t value, uint32_t digits) {
    ZO_ASSERT(digits <= 16);
    for (uint32_t left = digits; left > 0; left--) {
        zb_put_char(out, "0123456789abcdef"[value >> (4 * (left - 1)) & 15]);
    }
}

void zb_put_double(zb_buffer *out, double value) {
    char text[ZB_NUMBER_TEXT_MAX];
    zb_put_bytes(out, text, zb_number_text(value, text));
}

void zb_put_unicode(zb_buffer *out, uint32_t code_point) {
    uint32_t c = code_point;
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) { c = 0xFFFD; }
    char text[4];
    size_t size = 0;
    if (c < 0x80) {
        text[size++] = (char)c;
    } else if (c < 0x800) {
        text[size++] = (char)(0xC0 | c >> 6);
        text[size++] = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        text[size++] = (char)(0xE0 | c >> 12);
        text[size++] = (char)(0x80 | (c >> 6 & 0x3F));
        text[size++] = (char)(0x80 | (c & 0x3F));
    } else {
        text[size++] = (char)(0xF0 | c >> 18);
        text[size++] = (char)(0x80 | (c >> 12 & 0x3F));
        text[size++] = (char)(0x80 | (c >> 6 & 0x3F));
        text[size++] = (char)(0x80 | (c & 0x3F));
    }
    zb_put_bytes(out, text, size);
}

static void put_json_escape(zb_buffer *out, uint32_t c) {
    switch (c) {
    case '"': zb_put(out, "\\\""); break;
    case '\\': zb_put(out, "\\\\"); break;
    case '\b': zb_put(out, "\\b"); break;
    case '\f': zb_put(out, "\\f"); break;
    case '\n': zb_put(out, "\\n"); break;
    case '\r': zb_put(out, "\\r"); break;
    case '\t': zb_put(out, "\\t"); break;
    default:
        zb_put(out, "\\u");
        zb_put_hex(out, c, 4);
    }
}

void zb_put_json_text(zb_buffer *out, zo_text text) {
    zb_put_char(out, '"');
    size_t at = 0;
    size_t done = 0; // text before it is written
    while (at < text.size) {
        const size_t begin = at;
        bool ok = true;
        const uint32_t c = zb_utf8_next(text.data, text.size, &at, &ok);
        if (ok && c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) { continue; }
        zb_put_bytes(out, text.data + done, begin - done);
        done = at;
        if (ok) {
            put_json_escape(out, c);
        } else {
            zb_put_unicode(out, 0xFFFD);
        }
    }
    zb_put_bytes(out, text.data ? text.data + done : NULL, at - done);
    zb_put_char(out, '"');
}

const char *zb_buffer_text(zb_buffer *out) {
    char *room = room_for(out, 1);
    if (!room) { return ""; }
    *room = '\0';
    return out->data;
}
