// Questions about a parsed document: texts, members, pointers both ways, what stands at a byte, where to point a
// diagnostic, equality. Called by readers, zo_document and the parser's own reports (there with a document half read).
// Changes nothing and never recurses.
#include "json/json.h"

zo_text zj_text(const zj_doc *doc, uint32_t node) {
    const zj_node *const n = zj_at(doc, node);
    if (n->kind != ZJ_STRING) { return zj_source(doc, node); }
    return (zo_text){((n->flags & ZJ_ESCAPED) != 0 ? doc->texts : doc->source) + n->as.string.text, n->as.string.size};
}

static bool is_container(const zj_node *node) { return node->kind == ZJ_ARRAY || node->kind == ZJ_OBJECT; }

uint32_t zj_member(const zj_doc *doc, uint32_t object, zo_text name) {
    if (zj_kind_of(doc, object) != ZJ_OBJECT) { return 0; }
    uint32_t found = 0;
    for (uint32_t member = zj_at(doc, object)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        if (zb_text_equal(zj_key(doc, member), name)) { found = member; }
    }
    return found;
}

// ---- Pointers ----

// A key's node stands directly before its value's, which names it; the pointer of a key is that of its member, or of
// the object while the value is not read yet.
static uint32_t value_of(const zj_doc *doc, uint32_t node) {
    if (node + 1 < doc->node_count && zj_at(doc, node + 1)->key == node) { return node + 1; }
    const zj_node *const n = zj_at(doc, node);
    const bool key = n->parent != 0 && zj_kind_of(doc, n->parent) == ZJ_OBJECT && n->key == 0;
    return key ? n->parent : node;
}

static uint32_t index_of(const zj_doc *doc, uint32_t element) {
    uint32_t index = 0;
    uint32_t at = zj_at(doc, zj_at(doc, element)->parent)->as.items.first;
    for (; at != element; at = zj_at(doc, at)->next) { index++; }
    return index;
}

// Written from the end to the start, since the way up from a node is known and the way down is not. `end` is one behind
// the last byte; with NULL it is only measured.
static size_t put_index(char *end, uint32_t index) {
    size_t size = 0;
    do {
        size++;
        if (end != NULL) { *(end - size) = (char)('0' + index % 10); }
        index /= 10;
    } while (index != 0);
    return size;
}

static size_t put_name(char *end, zo_text name) { // ~ becomes ~0, / becomes ~1
    size_t size = 0;
    for (size_t i = name.size; i-- > 0;) {
        const char c = name.data[i];
        const bool escaped = c == '~' || c == '/';
        size += escaped ? 2 : 1;
        if (end != NULL) {
            *(end - size) = escaped ? '~' : c;
            if (escaped) { *(end - size + 1) = c == '~' ? '0' : '1'; }
        }
    }
    return size;
}

static size_t put_pointer(const zj_doc *doc, uint32_t node, char *end) {
    size_t size = 0;
    while (node != 0 && zj_at(doc, node)->parent != 0) {
        const zj_node *const n = zj_at(doc, node);
        char *const step_end = end != NULL ? end - size : NULL;
        const size_t step = n->key != 0 ? put_name(step_end, zj_text(doc, n->key))
                                        : put_index(step_end, index_of(doc, node));
        size += step + 1;
        if (end != NULL) { *(end - size) = '/'; }
        node = n->parent;
    }
    return size;
}

const char *zj_pointer(zb_arena *arena, const zj_doc *doc, uint32_t node) {
    const uint32_t value = value_of(doc, node);
    const size_t size = put_pointer(doc, value, NULL);
    char *const text = zb_arena_take(arena, size + 1);
    if (text == NULL) { return ""; }
    put_pointer(doc, value, text + size);
    text[size] = 0;
    return text;
}

size_t zj_pointer_put(const zj_doc *doc, uint32_t node, char *pointer, size_t capacity) {
    uint32_t value = value_of(doc, node);
    const size_t size = put_pointer(doc, value, NULL);
    if (capacity == 0) { return size; }
    if (capacity > size) {
        put_pointer(doc, value, pointer + size);
        pointer[size] = 0;
        return size;
    }
    // Too short: as much of its beginning as fits, found by going up until the rest does.
    size_t fits = size;
    while (fits >= capacity) {
        value = zj_at(doc, value)->parent;
        fits = put_pointer(doc, value, NULL);
    }
    put_pointer(doc, value, pointer + fits);
    pointer[fits] = 0;
    return size;
}

// Whether a pointer's step (between slashes) names this text.
static bool step_is(zo_text step, zo_text name) {
    size_t at = 0;
    for (size_t i = 0; i < step.size; i++, at++) {
        char c = step.data[i];
        if (c == '~') {
            i++;
            if (i == step.size || (step.data[i] != '0' && step.data[i] != '1')) { return false; }
            c = step.data[i] == '0' ? '~' : '/';
        }
        if (at == name.size || name.data[at] != c) { return false; }
    }
    return at == name.size;
}

static uint32_t step_into(const zj_doc *doc, uint32_t node, zo_text step) {
    const zj_node *const n = zj_at(doc, node);
    if (n->kind == ZJ_OBJECT) {
        uint32_t found = 0;
        for (uint32_t member = n->as.items.first; member != 0; member = zj_at(doc, member)->next) {
            if (step_is(step, zj_key(doc, member))) { found = member; }
        }
        return found;
    }
    if (n->kind != ZJ_ARRAY || step.size == 0 || step.size > 10 || (step.size > 1 && step.data[0] == '0')) { return 0; }
    uint64_t index = 0;
    for (size_t i = 0; i < step.size; i++) {
        if (step.data[i] < '0' || step.data[i] > '9') { return 0; }
        index = index * 10 + (uint64_t)(step.data[i] - '0');
    }
    if (index >= n->as.items.count) { return 0; }
    uint32_t element = n->as.items.first;
    for (; index > 0; index--) { element = zj_at(doc, element)->next; }
    return element;
}

uint32_t zj_find(const zj_doc *doc, zo_text pointer) {
    uint32_t node = ZJ_ROOT;
    size_t at = 0;
    while (at < pointer.size && node != 0) {
        if (pointer.data[at] != '/') { return 0; }
        const size_t begin = ++at;
        while (at < pointer.size && pointer.data[at] != '/') { at++; }
        node = step_into(doc, node, (zo_text){pointer.data + begin, at - begin});
    }
    return node;
}

uint32_t zj_innermost(const zj_doc *doc, size_t offset) {
    // The nodes stand in the order in which they begin, keys included: the last one that begins at or before the byte
    // holds it, or one of those around it does.
    uint32_t low = ZJ_ROOT, high = doc->node_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (zj_at(doc, middle)->begin <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    uint32_t node = value_of(doc, low);
    while (zj_at(doc, node)->parent != 0 && offset >= zj_at(doc, node)->end) { node = zj_at(doc, node)->parent; }
    return node;
}

// ---- Reports ----

static zd_place place_at(const zj_doc *doc, uint32_t shown, uint32_t pointed, bool kept) {
    const zj_node *const n = zj_at(doc, shown);
    zd_place place = {.file = doc->file, .offset = n->begin, .length = n->end - n->begin};
    if (kept) { place.pointer = zj_pointer(zd_report_arena(doc->report), doc, pointed); }
    return place;
}

static uint32_t key_or_self(const zj_doc *doc, uint32_t member) {
    const uint32_t key = zj_at(doc, member)->key;
    return key != 0 ? key : member;
}

zd_place zj_place(const zj_doc *doc, uint32_t node) {
    return place_at(doc, node, node, doc->report != NULL && !zd_report_full(doc->report));
}

zd_place zj_place_key(const zj_doc *doc, uint32_t member) {
    return place_at(doc, key_or_self(doc, member), member, doc->report != NULL && !zd_report_full(doc->report));
}

static uint32_t report_at(const zj_doc *doc, uint32_t shown, uint32_t pointed, zd_id id, zd_args args) {
    if (doc->report == NULL) { return 0; }
    return zd_report_add(doc->report, id, place_at(doc, shown, pointed, zd_report_keeps(doc->report, id)), args);
}

uint32_t zj_report(const zj_doc *doc, uint32_t node, zd_id id, zd_args args) {
    return report_at(doc, node, node, id, args);
}

uint32_t zj_report_key(const zj_doc *doc, uint32_t member, zd_id id, zd_args args) {
    return report_at(doc, key_or_self(doc, member), member, id, args);
}

// ---- Equality ----

bool zj_equal(const zj_doc *a, uint32_t node_a, const zj_doc *b, uint32_t node_b) {
    // Both subtrees are runs of nodes in the same order; as long as kinds and counts agree, so do the shapes. A key's
    // node is a string like any other.
    for (uint64_t left = 1; left > 0; left--, node_a++, node_b++) {
        const zj_node *const x = zj_at(a, node_a), *const y = zj_at(b, node_b);
        if (x->kind != y->kind) { return false; }
        if (x->kind == ZJ_NUMBER && !(x->as.number == y->as.number)) { return false; }
        if (x->kind == ZJ_STRING && !zb_text_equal(zj_text(a, node_a), zj_text(b, node_b))) { return false; }
        if (!is_container(x)) { continue; }
        if (x->as.items.count != y->as.items.count) { return false; }
        left += (uint64_t)x->as.items.count * (x->kind == ZJ_OBJECT ? 2 : 1);
    }
    return true;
}
