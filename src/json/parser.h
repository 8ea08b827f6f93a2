// The parser's state while it reads, shared by the files that read one kind of thing each: parse.c (structure),
// numbers.c, strings.c, keys.c (repeated keys), loose.c (what is no JSON and read all the same) and faults.c. Nobody
// else includes it.
#ifndef ZJ_PARSER_H
#define ZJ_PARSER_H

#include "json/json.h"

// There is no stack: the open containers are linked by their nodes' `parent`, and what a container needs while it is
// open (its last child so far) is known again when the container inside it closes: that container is the last child.
// An open container has no use yet for its `end` and `next`: they keep its `seen` while one inside it is read.
// `reserved` is 1 in an open object that may have repeated keys.
typedef struct zj_parser {
    const uint8_t *source, *end;
    zj_node *nodes; // node 0 stands for "outside": the root links to it as to a container, and it is cleared at the end
    uint32_t node_count, node_capacity;
    uint32_t open;  // innermost open container; 0: none
    uint32_t last;  // last child of `open` so far; 0: none yet
    uint32_t key;   // key that waits for its value; 0: none
    uint64_t seen;  // zj_key_bit of the keys of `open`, if it is an object
    uint32_t depth, depth_max;
    const uint8_t *comma; // the latest one, for the fault of a trailing comma
    char *texts;          // decoded strings, one after the other
    size_t text_size, text_capacity;
    uint32_t *table;      // scratch of the check for repeated keys in large objects
    size_t table_capacity;
    zb_arena *arena;
    zd_report *report; // may be NULL
    uint32_t file;
    uint32_t lenient; // bits: ZJ_COMMENTS...
    uint32_t told;    // of what is told once a document, bits: zj_oddity
    bool loose;
    zo_status status; // ZO_OK until something ends the reading
} zj_parser;

static inline uint32_t zj_offset(const zj_parser *p, const uint8_t *at) { return (uint32_t)(at - p->source); }

static inline zo_text zj_string_text(const zj_parser *p, const zj_node *node) {
    const char *base = (node->flags & ZJ_ESCAPED) != 0 ? p->texts : (const char *)p->source;
    return (zo_text){base + node->as.string.text, node->as.string.size};
}

// One of 64 bits for a key, from what is at hand without reading all of it.
static inline uint64_t zj_key_bit(zo_text key) {
    if (key.size == 0) { return 1; }
    const uint32_t first = (uint8_t)key.data[0], middle = (uint8_t)key.data[key.size / 2],
                   last = (uint8_t)key.data[key.size - 1];
    const uint32_t mixed = (first | middle << 8 | last << 16 | (uint32_t)key.size << 24) * UINT32_C(0x9E3779B1);
    return UINT64_C(1) << (mixed >> 26);
}

// What may come where the parser stands.
typedef enum zj_want { ZJ_WANT_VALUE, ZJ_WANT_KEY, ZJ_WANT_COLON, ZJ_WANT_NEXT, ZJ_WANT_END } zj_want;

// The readers of one value get the place where it begins and its node, fill in the node, and return the place after it,
// or NULL when the reading is over (p->status says why; the fault is reported).
const uint8_t *zj_read_number(zj_parser *p, const uint8_t *at, uint32_t node);
// A string from `at` on, where something other than plain ASCII stands; `text` is where it begins, behind the quote.
const uint8_t *zj_read_string_rest(zj_parser *p, const uint8_t *text, const uint8_t *at, uint32_t node);

// What is read past and told once a document.
typedef enum zj_oddity { ZJ_ODD_COMMENT, ZJ_ODD_QUOTE, ZJ_ODD_WORD, ZJ_ODD_SEMICOLON, ZJ_ODD_EQUALS } zj_oddity;
void zj_tell(zj_parser *p, zj_oddity oddity, const uint8_t *at, size_t length);
// What is read past and told each time, as a warning. Returns what zd_report_add returns.
uint32_t zj_tell_each(zj_parser *p, zd_id id, const uint8_t *at, size_t length, zd_args args);

// Where lenience allows them. At a digit or a minus: what stands here is a word, as it is no number.
bool zj_begins_loose_word(const zj_parser *p, const uint8_t *at);
// A text that is not in double quotes begins here:
bool zj_begins_loose_text(const zj_parser *p, const uint8_t *at);
// and is read, as by zj_read_string_rest.
const uint8_t *zj_read_loose_text(zj_parser *p, const uint8_t *at, uint32_t node);
// Whether a bare word goes on here.
bool zj_in_bare_word(const zj_parser *p, const uint8_t *at);
// What stands for a comma, or no comma at all: the place behind it. NULL: nothing does.
const uint8_t *zj_loose_comma(zj_parser *p, const uint8_t *at);
// What stands for a colon.
const uint8_t *zj_loose_colon(zj_parser *p, const uint8_t *at);
// A comma before the bracket that closes. false: it may not be there.
bool zj_loose_trailing_comma(zj_parser *p, const char *after);

// Finds repeated keys of an object that is being closed, flags and reports them. false: no memory.
bool zj_check_keys(zj_parser *p, uint32_t object);

// Ends the reading with one fault. `node`: whose pointer to show; a key whose value was not reached stands for its
// object, and 0 for none.
const uint8_t *zj_fault(zj_parser *p, uint32_t node, zd_id id, const uint8_t *at, size_t length, zd_args args);
// The same with a second place.
const uint8_t *zj_fault_related(zj_parser *p, uint32_t node, zd_id id, const uint8_t *at, size_t length, zd_args args,
                                const uint8_t *related, size_t related_length, const char *message);
// A byte that is not what the parser wants and no white space: skips a comment if those are allowed, else ends the
// reading with the fault that says best what is wrong.
const uint8_t *zj_odd(zj_parser *p, const uint8_t *at, zj_want want);
// "inf", "Infinity", "NaN" in any spelling, with or without sign.
bool zj_is_nan_word(const uint8_t *at, const uint8_t *end);
// The text ends where something is wanted.
const uint8_t *zj_fault_end(zj_parser *p);
// Bytes that are not UTF-8 (`at` is the first of them).
const uint8_t *zj_fault_utf8(zj_parser *p, uint32_t node, const uint8_t *at);
// A zero byte: this is no text.
const uint8_t *zj_fault_zero(zj_parser *p, uint32_t node, const uint8_t *at);
void zj_no_memory(zj_parser *p);

// The document as far as it is read: for pointers of what is reported on the way.
zj_doc zj_doc_so_far(const zj_parser *p);

#endif
