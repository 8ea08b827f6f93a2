// The edge of the WebAssembly module: how JavaScript and the library hand each other things. Included by the files of
// this folder alone. Everything that crosses is a 32-bit number (a handle, a pointer, a count, a truth value) or a
// double; times are doubles that hold whole nanoseconds. Handles are pointers that JavaScript keeps and gives back;
// what it gives is trusted to be one, for the package's own code is the only caller.
//
// Texts go in as pointers to UTF-8 that ends in a zero byte, in memory of zw_alloc, and are borrowed for the call.
// Texts and bytes come out through one sink, which the next call that writes empties; most are JSON.
#ifndef ZW_EDGE_H
#define ZW_EDGE_H

#include <string.h>

#include <zoetrope/zoetrope.h>

// Seen by JavaScript under its own name.
#define ZW_EXPORT(type, name) __attribute__((export_name(#name))) type name

// ---- the sink
void zw_sink_open(void); // empties it
void zw_put(const char *text);
void zw_put_int(int64_t value);
void zw_put_double(double value);     // null where it is not finite, as JSON has it
void zw_put_bool(bool value);
void zw_put_string(const char *text); // quoted and escaped; NULL: null
bool zw_write(void *context, const void *bytes, size_t size); // zo_write_fn; the context is not looked at
bool zw_sink_failed(void);            // memory ran out

// "name": with a comma before it unless it is the first member of its object.
void zw_member(const char *name);
void zw_member_int(const char *name, int64_t value);
void zw_member_double(const char *name, double value);
void zw_member_bool(const char *name, bool value);
void zw_member_string(const char *name, const char *text);
void zw_open(char bracket);  // '{' or '[', with a comma before it unless it is the first of its kind in an array
void zw_close(char bracket); // '}' or ']'
void zw_item(void);          // before a value in an array

// The whole nanoseconds of a time that JavaScript hands in; what no clock can show becomes the nearest that can.
static inline int64_t zw_ns(double ns) {
    const double limit = 0x1p62;
    if (!(ns > -limit)) { return -((int64_t)1 << 62); } // and NaN
    return ns >= limit ? (int64_t)1 << 62 : (int64_t)ns;
}

// ---- players
typedef struct zw_player zw_player;
const zo_program *zw_player_program(const zw_player *player);
const zo_instance *zw_player_instance(const zw_player *player);
zo_pose *zw_player_pose(zw_player *player); // where it stands now, sampled anew

// Unpacks levels of textures in JavaScript; as zo_inflate_fn.
bool zw_inflate(void *context, zo_texture_scheme scheme, const void *from, size_t from_size, void *to, size_t to_size);

#endif
