// A field of a form as browsers and programs send it: multipart/form-data, RFC 7578 and RFC 2046. Read strictly and in
// place; called by whatever takes uploads.
#ifndef HOST_MULTIPART_H
#define HOST_MULTIPART_H

#include <stddef.h>
#include <stdint.h>

enum { MULTIPART_PARTS_MAX = 64, MULTIPART_HEAD_MAX = 8192, MULTIPART_TYPE_MAX = 127 };

typedef enum multipart_status {
    MULTIPART_FOUND = 0,
    MULTIPART_MISSING = 1, // a whole form, without such a field
    MULTIPART_BAD = 2,     // no form, or one with a fault anywhere
} multipart_status;

typedef struct multipart_field {
    const uint8_t *bytes;              // in the body
    size_t size;
    char type[MULTIPART_TYPE_MAX + 1]; // "image/png", in small letters, without parameters; "": it says nothing
} multipart_field;

// The first field of that name. `content_type` is the request's header, NULL: it has none. The whole form is looked at,
// whatever is found. BAD: *why is a clause, static text.
multipart_status multipart_find(const char *content_type, const void *bytes, size_t size, const char *name,
                                multipart_field *field, const char **why);

#endif
