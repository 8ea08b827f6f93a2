// A value as the one compact text that ECMAScript would make of it: JSON.stringify(JSON.parse(text)). Two values have
// the same content where the texts are the same. Called by whatever asks whether two documents say the same. Knows JSON
// only.
#ifndef ZJ_COMPACT_H
#define ZJ_COMPACT_H

#include "base/buffer.h"
#include "json/json.h"

typedef enum zj_order {
    ZJ_ORDER_SCRIPT, // as objects of ECMAScript keep their members: whole numbers first, rising, then as written
    ZJ_ORDER_SORTED, // by key: texts that are the same in this order alone differ only in the order of members
} zj_order;

// A text that is written in place of one value. node 0: none.
typedef struct zj_stand_in {
    uint32_t node;
    zo_text text;
} zj_stand_in;

// No white space; numbers in the shortest form, -0 as 0, what no double can hold as null; strings with only the escapes
// that they need; of a repeated key the last value at the first place. The buffer's arena is also the scratch.
void zj_put_compact(zb_buffer *out, const zj_doc *doc, uint32_t node, zj_order order, zj_stand_in stand_in);

#endif
