// What every other public header needs: version, export mark, status values, the caller's allocator and small views.
// Nothing here allocates, and nothing keeps state.
#ifndef ZOETROPE_BASE_H
#define ZOETROPE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZO_VERSION_MAJOR 0
#define ZO_VERSION_MINOR 1
#define ZO_VERSION_PATCH 0

#if defined(__GNUC__) || defined(__clang__)
#define ZO_API __attribute__((visibility("default")))
#else
#define ZO_API
#endif

// Pinned for ever: a value never changes its meaning, new ones are added at the end.
typedef enum zo_status {
    ZO_OK = 0,
    ZO_INVALID = 1,     // the input has errors; the report lists all of them
    ZO_NEWER = 2,       // the input says that a newer program wrote it
    ZO_LIMIT = 3,       // a size, depth or count limit was reached; the report says which
    ZO_NO_MEMORY = 4,   // the allocator returned NULL
    ZO_BAD_BLOB = 5,    // not a stored program, or a damaged one
    ZO_UNSUPPORTED = 6, // no reader for this kind of file
    ZO_NEEDS = 7,       // more sources are wanted; see zo_report_need()
} zo_status;

// "invalid" for ZO_INVALID and so on; "unknown" for any other number. Static text.
ZO_API const char *zo_status_name(zo_status status);

// "0.1.0". Static text.
ZO_API const char *zo_version(void);

// Memory comes from here and goes back here; each object remembers the allocator that it was made with. A NULL
// allocator, wherever one may be given, means malloc and free. `alloc` returns memory aligned to 16 bytes or NULL;
// `free` gets the size that was asked for. Both are called only on the thread that makes the call into the library.
typedef struct zo_allocator {
    void *context;
    void *(*alloc)(void *context, size_t size);
    void (*free)(void *context, void *memory, size_t size);
} zo_allocator;

// Text of a given length, not ended by a zero byte unless the function that returns it says so.
typedef struct zo_text {
    const char *data;
    size_t size; // bytes
} zo_text;

// Bytes [offset, offset + remove) of a text are replaced with `insert`.
typedef struct zo_edit {
    size_t offset;
    size_t remove;
    const char *insert; // need not end in zero
    size_t insert_size;
} zo_edit;

// Receives output piece by piece. Returns false to stop; the writer then returns false as well.
typedef bool (*zo_write_fn)(void *context, const void *bytes, size_t size);

// Typed indices into a program. `id` 0 is "none"; 1 is the first.
typedef struct zo_clip { uint32_t id; } zo_clip;
typedef struct zo_channel { uint32_t id; } zo_channel;
typedef struct zo_param { uint32_t id; } zo_param;
typedef struct zo_expr { uint32_t id; } zo_expr;
typedef struct zo_node { uint32_t id; } zo_node;
typedef struct zo_target { uint32_t id; } zo_target;
typedef struct zo_cel { uint32_t id; } zo_cel;
typedef struct zo_state { uint32_t id; } zo_state;
typedef struct zo_mesh { uint32_t id; } zo_mesh;
typedef struct zo_run { uint32_t id; } zo_run; // a run of one instance, not of a program

#ifdef __cplusplus
}
#endif

#endif
