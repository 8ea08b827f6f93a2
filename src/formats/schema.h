// A format's tables (fields.h) as a JSON Schema, draft 2020-12. Called by api through formats.c. Knows no format: what
// it writes down is what the reader goes by.
#ifndef ZF_SCHEMA_H
#define ZF_SCHEMA_H

#include "base/buffer.h"
#include "formats/fields.h"

enum { ZF_OBJECTS_MAX = 48 };

// The objects that can be reached from `root`, itself first, each once, in the order of the fields that hold them.
typedef struct zf_objects {
    const zf_object *items[ZF_OBJECTS_MAX];
    uint32_t count;
} zf_objects;
zf_objects zf_objects_of(const zf_object *root);

// How much of a rule a schema of these objects can say.
typedef enum zf_said { ZF_NOT_THERE, ZF_SAID_NOT, ZF_SAID_PARTLY, ZF_SAID } zf_said;
zf_said zf_rule_said(const zf_objects *objects, zd_id id);

// The whole document, two spaces a level, with a line end behind it.
void zf_put_schema(zb_buffer *out, const zo_format *format, const zf_object *root, zo_profile profile);

#endif
