// The sink (edge.h), memory for JavaScript, and the one thing that the module asks of it.
#include <stdlib.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "edge.h"

static struct {
    zb_arena arena;
    zb_buffer buffer;
    bool is_open;
    bool is_first; // nothing stands yet in the object or array that is open
} sink;

void zw_sink_open(void) {
    if (sink.is_open) { zb_arena_close(&sink.arena); }
    sink.arena = zb_arena_open(NULL);
    sink.buffer = zb_buffer_open(&sink.arena);
    sink.is_open = true;
    sink.is_first = true;
}

bool zw_sink_failed(void) { return zb_arena_failed(&sink.arena); }

bool zw_write(void *context, const void *bytes, size_t size) {
    (void)context;
    zb_put_bytes(&sink.buffer, bytes, size);
    return !zw_sink_failed();
}

void zw_put(const char *text) { zb_put(&sink.buffer, text); }
void zw_put_int(int64_t value) { zb_put_int(&sink.buffer, value); }
void zw_put_bool(bool value) { zw_put(value ? "true" : "false"); }

void zw_put_double(double value) {
    if (value - value == 0) {
        zb_put_double(&sink.buffer, value);
    } else {
        zw_put("null");
    }
}

void zw_put_string(const char *text) {
    if (text) {
        zb_put_json_text(&sink.buffer, (zo_text){text, strlen(text)});
    } else {
        zw_put("null");
    }
}

void zw_item(void) {
    if (!sink.is_first) { zw_put(","); }
    sink.is_first = false;
}

void zw_open(char bracket) {
    zw_item();
    zb_put_char(&sink.buffer, bracket);
    sink.is_first = true;
}

void zw_close(char bracket) {
    zb_put_char(&sink.buffer, bracket);
    sink.is_first = false;
}

void zw_member(const char *name) {
    zw_item();
    zw_put_string(name);
    zw_put(":");
    sink.is_first = true; // what follows is its value
}

static void done(void) { sink.is_first = false; }

void zw_member_int(const char *name, int64_t value) { zw_member(name), zw_put_int(value), done(); }
void zw_member_double(const char *name, double value) { zw_member(name), zw_put_double(value), done(); }
void zw_member_bool(const char *name, bool value) { zw_member(name), zw_put_bool(value), done(); }
void zw_member_string(const char *name, const char *text) { zw_member(name), zw_put_string(text), done(); }

ZW_EXPORT(const char *, zw_sink_data)(void);
ZW_EXPORT(uint32_t, zw_sink_size)(void);
ZW_EXPORT(void, zw_sink_clear)(void);
ZW_EXPORT(void *, zw_alloc)(uint32_t size);
ZW_EXPORT(void, zw_free)(void *memory);
ZW_EXPORT(const char *, zw_version)(void);

// Both 0 when memory ran out while it was filled: a text that is cut is never handed out. Of an empty one the place is
// some place.
const char *zw_sink_data(void) {
    if (!sink.is_open || zw_sink_failed()) { return NULL; }
    return sink.buffer.data ? sink.buffer.data : "";
}
uint32_t zw_sink_size(void) { return sink.is_open && !zw_sink_failed() ? (uint32_t)sink.buffer.size : 0; }

void zw_sink_clear(void) {
    if (sink.is_open) { zb_arena_close(&sink.arena); }
    sink.is_open = false;
}

// Of at least one byte, so that nothing but NULL says that there is none.
void *zw_alloc(uint32_t size) { return malloc(size > 0 ? size : 1); }
void zw_free(void *memory) { free(memory); }
const char *zw_version(void) { return zo_version(); }

__attribute__((import_module("zoetrope"), import_name("inflate"))) extern uint32_t
zw_host_inflate(uint32_t scheme, const void *from, uint32_t from_size, void *to, uint32_t to_size);

bool zw_inflate(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to, size_t to_size) {
    (void)context;
    return zw_host_inflate((uint32_t)scheme, from, (uint32_t)from_size, to, (uint32_t)to_size) != 0;
}
