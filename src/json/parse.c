// The structure of a JSON text: where values, keys, commas and brackets come, and how the nodes are linked. Called by
// zj_parse only; values themselves are read in numbers.c and strings.c, and what is wrong is worked out in faults.c.
#include "json/parser.h"

#include "json/scan.h"

enum {
    DEPTH_DEFAULT = 512,
    NODES_FIRST_MAX = 64 * 1024, // of the first estimate; then the text so far says how dense it is
};
static const size_t SIZE_DEFAULT = (size_t)64 << 20;
static const size_t SIZE_MOST = (size_t)1 << 31; // offsets are 32 bits

// Room for more nodes: as many as the whole text needs if it goes on as it began, which mostly ends the growing. Twice
// what was at least, and eight times at most, so that a dense start before long strings does not take a great deal.
static bool grow(zj_parser *p) {
    const uint64_t size = (uint64_t)(p->end - p->source), capacity = p->node_capacity;
    const uint64_t read = (uint64_t)p->nodes[p->node_count - 1].begin + 1;
    uint64_t wanted = size * capacity / read * 17 / 16 + 16;
    wanted = wanted < capacity * 2 ? capacity * 2 : wanted > capacity * 8 ? capacity * 8 : wanted;
    wanted = wanted > size + 2 ? size + 2 : wanted; // every node has a byte of its own
    ZO_ASSERT(wanted > capacity);
    if (wanted > SIZE_MAX / sizeof(zj_node)) {
        zj_no_memory(p);
        return false;
    }
    zj_node *const nodes = zb_arena_grow(p->arena, p->nodes, (size_t)capacity * sizeof(zj_node),
                                         (size_t)wanted * sizeof(zj_node));
    if (nodes == NULL) {
        zj_no_memory(p);
        return false;
    }
    p->nodes = nodes;
    p->node_capacity = (uint32_t)wanted;
    return true;
}

static inline uint32_t push_node(zj_parser *p, const uint8_t *at, zj_kind kind, uint32_t key) {
    if (p->node_count == p->node_capacity && !grow(p)) { return 0; }
    const uint32_t node = p->node_count++;
    p->nodes[node] = (zj_node){.begin = zj_offset(p, at), .parent = p->open, .key = key, .kind = (uint8_t)kind};
    return node;
}

// A value: linked behind its elder sibling. 0: no memory.
static inline uint32_t push_value(zj_parser *p, const uint8_t *at, zj_kind kind) {
    const uint32_t node = push_node(p, at, kind, p->key);
    if (node == 0) { return 0; }
    zj_node *const parent = &p->nodes[p->open];
    *(p->last != 0 ? &p->nodes[p->last].next : &parent->as.items.first) = node;
    parent->as.items.count++;
    p->last = node;
    p->key = 0;
    return node;
}

// Most strings are plain ASCII: one scan finds their end.
static inline const uint8_t *read_string(zj_parser *p, const uint8_t *at, uint32_t node) {
    const uint8_t *const text = at + 1, *const stop = zj_skip_plain(text, p->end);
    if (stop == p->end || *stop != '"') { return zj_read_string_rest(p, text, stop, node); }
    zj_node *const n = &p->nodes[node];
    n->end = zj_offset(p, stop) + 1;
    n->as.string.text = zj_offset(p, text);
    n->as.string.size = (uint32_t)(stop - text);
    return stop + 1;
}

// Whether a key may stand in the object already: mostly not, and then nothing is looked up.
static inline void note_key(zj_parser *p, uint32_t key) {
    const uint64_t bit = zj_key_bit(zj_string_text(p, &p->nodes[key]));
    if ((p->seen & bit) != 0) { p->nodes[p->open].reserved = 1; }
    p->seen |= bit;
}

static inline const uint8_t *literal(zj_parser *p, const uint8_t *at, zj_kind kind, uint32_t size) {
    const uint32_t node = push_value(p, at, kind);
    if (node == 0) { return NULL; }
    p->nodes[node].end = p->nodes[node].begin + size;
    return at + size;
}

// Where there are bare words, one may begin like a literal.
static inline bool is_word(const zj_parser *p, const uint8_t *at, const char *word, size_t size) {
    return (size_t)(p->end - at) >= size && memcmp(at, word, size) == 0 &&
           ((p->lenient & ZJ_LOOSE) == 0 || !zj_in_bare_word(p, at + size));
}

// false: the reading is over.
static inline bool open_container(zj_parser *p, const uint8_t *at, zj_kind kind) {
    const uint32_t node = push_value(p, at, kind);
    if (node == 0) { return false; }
    if (p->depth == p->depth_max) {
        zj_fault(p, 0, ZD_JSON_DEPTH, at, 1, ZD_ARGS(zd_int((int64_t)p->depth_max)));
        return false;
    }
    zj_node *const around = &p->nodes[p->open];
    around->end = (uint32_t)p->seen;
    around->next = (uint32_t)(p->seen >> 32);
    p->seen = 0;
    p->depth++;
    p->open = node;
    p->last = 0;
    return true;
}

static inline bool close_container(zj_parser *p, const uint8_t *at) {
    const uint32_t closed = p->open;
    zj_node *const node = &p->nodes[closed];
    node->end = zj_offset(p, at) + 1;
    node->next = 0;
    if (node->reserved != 0) {
        node->reserved = 0;
        if (!zj_check_keys(p, closed)) { return false; }
    }
    p->depth--;
    p->open = node->parent;
    p->last = closed;
    const zj_node *const around = &p->nodes[p->open];
    p->seen = around->end | (uint64_t)around->next << 32;
    return true;
}

// To the next byte that means something; at the end of the text the reading is over.
static inline const uint8_t *arrive(zj_parser *p, const uint8_t *at) {
    at = zj_skip_space(at, p->end);
    return at != p->end ? at : zj_fault_end(p);
}

// Reads one value and everything in it up to the end of the text. Each label is a place in the grammar; a comment leads
// back to where it stood. Leaves by `return` when a fault, a limit or lack of memory ends the reading.
static void read_text(zj_parser *p, const uint8_t *at) {
    const uint8_t *const end = p->end, *behind;
    bool object = false; // whether p->open is one
    uint32_t node;

value:
    if ((at = arrive(p, at)) == NULL) { return; }
    switch (*at) {
    case '"':
        node = push_value(p, at, ZJ_STRING);
        at = node != 0 ? read_string(p, at, node) : NULL;
        break;
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        if (zj_begins_loose_word(p, at)) { goto odd_value; }
        node = push_value(p, at, ZJ_NUMBER);
        at = node != 0 ? zj_read_number(p, at, node) : NULL;
        break;
    case '{':
        if (!open_container(p, at, ZJ_OBJECT)) { return; }
        object = true;
        at++;
        goto key;
    case '[':
        if (!open_container(p, at, ZJ_ARRAY)) { return; }
        object = false;
        at++;
        goto value;
    case ']':
        if (p->open != 0 && !object && p->last == 0) { goto close; } // empty; else a comma came before
        if (p->open != 0 && !object && zj_loose_trailing_comma(p, "element")) { goto close; }
        goto odd_value;
    case 't':
        if (!is_word(p, at, "true", 4)) { goto odd_value; }
        at = literal(p, at, ZJ_TRUE, 4);
        break;
    case 'f':
        if (!is_word(p, at, "false", 5)) { goto odd_value; }
        at = literal(p, at, ZJ_FALSE, 5);
        break;
    case 'n':
        if (!is_word(p, at, "null", 4)) { goto odd_value; }
        at = literal(p, at, ZJ_NULL, 4);
        break;
    default:
    odd_value:
        if (zj_begins_loose_text(p, at)) {
            node = push_value(p, at, ZJ_STRING);
            at = node != 0 ? zj_read_loose_text(p, at, node) : NULL;
            break;
        }
        if ((at = zj_odd(p, at, ZJ_WANT_VALUE)) == NULL) { return; }
        goto value;
    }
    if (at == NULL) { return; }

next:
    if (p->open == 0) { goto finish; }
    if ((at = arrive(p, at)) == NULL) { return; }
    if (*at == ',') {
        p->comma = at;
        at++;
        if (object) { goto key; }
        goto value;
    }
    if (*at == (object ? '}' : ']')) { goto close; }
    if ((behind = zj_loose_comma(p, at)) != NULL) {
        p->comma = at;
        at = behind;
        if (object) { goto key; }
        goto value;
    }
    if ((at = zj_odd(p, at, ZJ_WANT_NEXT)) == NULL) { return; }
    goto next;

close:
    if (!close_container(p, at)) { return; }
    object = p->nodes[p->open].kind == ZJ_OBJECT;
    at++;
    goto next;

key:
    if ((at = arrive(p, at)) == NULL) { return; }
    if (*at != '"') {
        if (*at == '}' && (p->last == 0 || zj_loose_trailing_comma(p, "member"))) { goto close; }
        if (!zj_begins_loose_text(p, at)) {
            if ((at = zj_odd(p, at, ZJ_WANT_KEY)) == NULL) { return; }
            goto key;
        }
    }
    node = push_node(p, at, ZJ_STRING, 0);
    if (node == 0) { return; }
    at = *at == '"' ? read_string(p, at, node) : zj_read_loose_text(p, at, node);
    if (at == NULL) { return; }
    p->key = node;
    note_key(p, node);

colon:
    if ((at = arrive(p, at)) == NULL) { return; }
    if (*at != ':') {
        if ((behind = zj_loose_colon(p, at)) != NULL) {
            at = behind;
            goto value;
        }
        if ((at = zj_odd(p, at, ZJ_WANT_COLON)) == NULL) { return; }
        goto colon;
    }
    at++;
    goto value;

finish:
    at = zj_skip_space(at, end);
    if (at == end || (at = zj_odd(p, at, ZJ_WANT_END)) == NULL) { return; }
    goto finish;
}

// Marks and encodings are known by the first bytes. Returns where the text begins, NULL: it is not UTF-8.
static const uint8_t *read_start(zj_parser *p) {
    const uint8_t *const at = p->source;
    const size_t size = (size_t)(p->end - at);
    if (size >= 3 && at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF) {
        const zd_place place = {.file = p->file, .offset = 0, .length = 3};
        if (p->report != NULL) {
            const uint32_t added = zd_report_add(p->report, ZD_JSON_BOM, place, ZD_NO_ARGS);
            zd_report_fix(p->report, added, ZB_TEXT(""), "remove the byte order mark", ZD_NO_ARGS);
        }
        return at + 3;
    }
    const char *encoding = NULL;
    if (size >= 2) {
        if (at[0] == 0xFF && at[1] == 0xFE) { encoding = size >= 4 && at[2] == 0 && at[3] == 0 ? "UTF-32" : "UTF-16"; }
        if (at[0] == 0xFE && at[1] == 0xFF) { encoding = "UTF-16"; }
        // Without mark: JSON begins with ASCII, which has a zero byte beside it.
        if (size >= 4 && at[0] != 0 && at[0] < 0x80 && at[1] == 0 && at[2] != 0 && at[3] == 0) { encoding = "UTF-16"; }
        if (size >= 4 && at[0] == 0 && at[1] != 0 && at[1] < 0x80 && at[2] == 0 && at[3] != 0) { encoding = "UTF-16"; }
    }
    if (encoding == NULL) { return at; }
    return zj_fault(p, 0, ZD_JSON_UTF16, at, 0, ZD_ARGS(zd_word(encoding)));
}

static bool read_whole(zj_parser *p) {
    const size_t size = (size_t)(p->end - p->source);
    p->node_capacity = (uint32_t)(size / 8 + 16 < NODES_FIRST_MAX ? size / 8 + 16 : NODES_FIRST_MAX);
    p->nodes = zb_arena_take(p->arena, p->node_capacity * sizeof(zj_node));
    if (p->nodes == NULL) {
        zj_no_memory(p);
        return false;
    }
    p->nodes[0] = (zj_node){0};
    p->node_count = ZJ_ROOT;
    const uint8_t *const at = read_start(p);
    if (at == NULL) { return false; }
    read_text(p, at);
    p->nodes[0] = (zj_node){0};
    return p->status == ZO_OK;
}

zj_outcome zj_parse_outcome(zb_arena *arena, const char *bytes, size_t size, uint32_t file, const zj_limits *limits,
                            zd_report *report) {
    const zj_limits given = limits != NULL ? *limits : (zj_limits){0};
    size_t size_max = given.size_max != 0 ? given.size_max : SIZE_DEFAULT;
    size_max = size_max < SIZE_MOST ? size_max : SIZE_MOST;
    if (size > size_max) {
        const zd_place whole = {.file = file, .whole = true};
        if (report != NULL) {
            zd_report_add(report, ZD_JSON_SIZE, whole, ZD_ARGS(zd_int((int64_t)size), zd_int((int64_t)size_max)));
        }
        return (zj_outcome){.status = ZO_LIMIT};
    }
    if (zb_arena_failed(arena)) { return (zj_outcome){.status = ZO_NO_MEMORY}; }

    const char *const source = bytes != NULL ? bytes : "";
    zj_parser parser = {
        .source = (const uint8_t *)source,
        .end = (const uint8_t *)source + size,
        .comma = (const uint8_t *)source,
        .depth_max = given.depth_max != 0 ? given.depth_max : DEPTH_DEFAULT,
        .arena = arena,
        .report = report,
        .file = file,
        .lenient = given.lenient,
    };
    if (!read_whole(&parser)) { return (zj_outcome){.status = parser.status}; }
    zj_doc *const doc = zb_arena_take(arena, sizeof *doc);
    if (doc == NULL) { return (zj_outcome){.status = ZO_NO_MEMORY}; }
    *doc = zj_doc_so_far(&parser);
    doc->loose = parser.loose;
    if (doc->texts == NULL) { doc->texts = ""; }
    return (zj_outcome){.doc = doc, .status = ZO_OK};
}

const zj_doc *zj_parse(zb_arena *arena, const char *bytes, size_t size, uint32_t file, const zj_limits *limits,
                       zd_report *report) {
    return zj_parse_outcome(arena, bytes, size, file, limits, report).doc;
}
