// JSON without loss: RFC 8259 text to one array of nodes that keep order, number text, positions and repeated keys,
// within limits; where a format wants it also what some programs take for JSON. Iterative: nesting costs a bit of
// memory and no stack. Called by the readers and by zo_document. Knows diagnostics, nothing of what the values mean.
#ifndef ZJ_JSON_H
#define ZJ_JSON_H

#include "base/arena.h"
#include "diag/diag.h"

typedef enum zj_kind {
    ZJ_NULL, ZJ_FALSE, ZJ_TRUE, ZJ_NUMBER, ZJ_STRING, ZJ_ARRAY, ZJ_OBJECT
} zj_kind;

enum {
    ZJ_ESCAPED = 1,      // STRING: has escapes; its text is decoded memory, not source bytes
    ZJ_OUT_OF_RANGE = 2, // NUMBER: beyond double; the number is an infinity
    ZJ_DUPLICATE = 4,    // member value: an earlier member of the same object has this key
    ZJ_HAS_DUPLICATES = 8, // OBJECT: some key stands more than once
};

// What is read although it is no JSON, bits. Nothing of it is lost: nodes have their place in the source as ever.
enum {
    ZJ_COMMENTS = 1,       // // and /* */, told once a document: json/comment
    ZJ_LOOSE = 2,          // # as well; 'text' and bare words for keys and texts, ; for a comma, = and => for a colon,
                           // each told once a document: json/lenient-syntax; a comma behind the last value, told each
                           // time: json/trailing-comma, a warning then
    ZJ_MISSING_COMMAS = 4, // in objects, where the next key begins on a line of its own; told each time:
                           // json/missing-comma, a warning then
};

// Node 0 is no node; the root is ZJ_ROOT. Children follow their parent in document order (pre-order). A member is its
// value's node, with `key` naming the STRING node of its key.
typedef struct zj_node {
    uint32_t begin, end; // byte range in the source, quotes and brackets included
    uint32_t next;       // next sibling's node, 0: last
    uint32_t parent;     // 0: root
    uint32_t key;        // members: node of the key; else 0
    uint8_t kind;        // zj_kind
    uint8_t flags;
    uint16_t reserved;
    union {
        double number;
        struct { uint32_t first, count; } items; // first child (value) node or 0; children
        struct { uint32_t text, size; } string;  // offset into source or, with ZJ_ESCAPED, into doc->texts
    } as;
} zj_node;

enum { ZJ_ROOT = 1 };

typedef struct zj_doc {
    const char *source; // borrowed
    uint32_t size;      // bytes, at most 2^31
    uint32_t file;      // in the report
    const zj_node *nodes;
    uint32_t node_count; // node 0 included
    const char *texts;   // decoded strings
    bool loose;          // something was read past that is no JSON
    zd_report *report;   // for zj_report; may be NULL
} zj_doc;

typedef struct zj_limits {
    uint32_t depth_max; // 0: 512
    size_t size_max;    // 0: 64 MiB
    uint32_t lenient;   // bits: ZJ_COMMENTS...; 0: JSON and nothing else
} zj_limits;

// Parses the whole text. Faults go to the report (which may be NULL: then only success or failure is known). Returns
// NULL after a fault that ends the reading, when memory is short (the arena says) or a limit was met. A repeated key, a
// byte order mark and the like are reported and do not end it. `file` is the report's number of this source.
const zj_doc *zj_parse(zb_arena *arena, const char *bytes, size_t size, uint32_t file, const zj_limits *limits,
                       zd_report *report);
// Which limit or fault: for status values. ZO_OK when the last parse into this arena returned a document.
typedef struct zj_outcome {
    const zj_doc *doc;
    zo_status status; // OK, INVALID, LIMIT, NO_MEMORY
} zj_outcome;
zj_outcome zj_parse_outcome(zb_arena *arena, const char *bytes, size_t size, uint32_t file, const zj_limits *limits,
                            zd_report *report);

static inline const zj_node *zj_at(const zj_doc *doc, uint32_t node) { return &doc->nodes[node]; }
static inline zj_kind zj_kind_of(const zj_doc *doc, uint32_t node) { return (zj_kind)doc->nodes[node].kind; }

// Decoded text of a STRING node, whatever stands around it; the source text of a NUMBER.
zo_text zj_text(const zj_doc *doc, uint32_t node);
static inline zo_text zj_key(const zj_doc *doc, uint32_t node) { return zj_text(doc, doc->nodes[node].key); }
// The bytes of the value as they stand in the source.
static inline zo_text zj_source(const zj_doc *doc, uint32_t node) {
    return (zo_text){doc->source + doc->nodes[node].begin, doc->nodes[node].end - doc->nodes[node].begin};
}

// The member of that name, of repeated ones the last; 0: none. Linear in the object's members.
uint32_t zj_member(const zj_doc *doc, uint32_t object, zo_text name);

// Pointer of a node (RFC 6901), zero-ended, in the arena. And back: 0: none. Repeated keys: the last.
const char *zj_pointer(zb_arena *arena, const zj_doc *doc, uint32_t node);
// The same into the caller's memory: at most `capacity` bytes with the ending zero. Returns the length without it.
size_t zj_pointer_put(const zj_doc *doc, uint32_t node, char *pointer, size_t capacity);
uint32_t zj_find(const zj_doc *doc, zo_text pointer);
// The innermost value that holds the byte; keys and their colon belong to the member's value. Outside of all: the root.
uint32_t zj_innermost(const zj_doc *doc, size_t offset);

// A diagnostic at a value (or at a member's key). Works out the pointer only when the report will keep it. Returns
// what zd_report_add returns; 0 when doc->report is NULL.
uint32_t zj_report(const zj_doc *doc, uint32_t node, zd_id id, zd_args args);
uint32_t zj_report_key(const zj_doc *doc, uint32_t member, zd_id id, zd_args args);
zd_place zj_place(const zj_doc *doc, uint32_t node);
zd_place zj_place_key(const zj_doc *doc, uint32_t member);

// Equal as JSON values with key order counting (numbers as doubles, -0 equal to 0, strings decoded).
bool zj_equal(const zj_doc *a, uint32_t node_a, const zj_doc *b, uint32_t node_b);

#endif
