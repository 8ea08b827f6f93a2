// Stored programs: their bytes, and a program from bytes. Called by users of either library. Knows that a blob is
// checked before anything else reads it, and nothing of what is in it.
#include <zoetrope/compile.h>

#include "program/build.h"

// Whether a newer library wrote it: then it is not damaged, only unknown.
static bool is_newer(const void *blob, size_t size) {
    zp_header header;
    if (size < sizeof header) { return false; }
    memcpy(&header, blob, sizeof header);
    return header.magic == ZP_MAGIC && header.version > ZP_VERSION;
}

zo_status zo_load(const void *blob, size_t size, const zo_allocator *allocator, zo_program **program) {
    ZO_ASSERT(program);
    ZO_ASSERT(blob || size == 0);
    *program = NULL;
    if (is_newer(blob, size)) { return ZO_NEWER; }
    const char *what;
    *program = zp_program_load(blob, size, allocator, &what);
    if (*program) { return ZO_OK; }
    return what ? ZO_BAD_BLOB : ZO_NO_MEMORY;
}

const void *zo_program_blob(const zo_program *program, size_t *size) {
    ZO_ASSERT(program);
    ZO_ASSERT(size);
    *size = program->blob_size;
    return program->blob;
}

void zo_program_free(zo_program *program) { zp_program_free(program); }
