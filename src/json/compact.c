// Compact texts: see compact.h. A stack of open brackets instead of recursion, and a list of members only for objects
// whose order in the file is not the one wanted.
#include "json/compact.h"

#include "base/intern.h"
#include "base/number.h"

// ---------------------------------------------------------------------------------------------------- order of members

// A key that is a whole number below 2^32 - 1, written as such numbers are. Source: ECMA-262, array index.
static bool index_key(zo_text key, uint32_t *value) {
    if (key.size == 0 || key.size > 10 || (key.size > 1 && key.data[0] == '0')) { return false; }
    uint64_t sum = 0;
    for (size_t i = 0; i < key.size; i++) {
        if (key.data[i] < '0' || key.data[i] > '9') { return false; }
        sum = sum * 10 + (uint64_t)(key.data[i] - '0');
    }
    *value = (uint32_t)sum;
    return sum < UINT32_MAX;
}

static bool text_after(zo_text a, zo_text b) {
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order > 0 : a.size > b.size;
}

static bool member_after(const zj_doc *doc, zj_order order, uint32_t a, uint32_t b) {
    const zo_text key_a = zj_key(doc, a), key_b = zj_key(doc, b);
    if (order == ZJ_ORDER_SORTED) { return text_after(key_a, key_b); }
    uint32_t index_a = 0, index_b = 0;
    const bool whole_a = index_key(key_a, &index_a), whole_b = index_key(key_b, &index_b);
    return whole_a && whole_b ? index_a > index_b : whole_b && !whole_a;
}

// Bottom-up merge sort: stable, no recursion.
static const uint32_t *sort_members(zb_arena *arena, const zj_doc *doc, zj_order order, uint32_t *members,
                                    uint32_t count) {
    uint32_t *from = members;
    uint32_t *to = zb_arena_take_array(arena, count, sizeof *to);
    if (to == NULL) { return members; }
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            const uint64_t middle = begin + width < count ? begin + width : count;
            const uint64_t end = begin + 2 * width < count ? begin + 2 * width : count;
            uint64_t left = begin, right = middle;
            for (uint64_t i = begin; i < end; i++) {
                const bool take_left =
                    left < middle && (right >= end || !member_after(doc, order, from[left], from[right]));
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        uint32_t *const sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

static bool order_is_the_files(const zj_doc *doc, uint32_t object, zj_order order) {
    if ((zj_at(doc, object)->flags & ZJ_HAS_DUPLICATES) != 0) { return false; }
    uint32_t before = 0;
    for (uint32_t member = zj_at(doc, object)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        if (before != 0 && member_after(doc, order, before, member)) { return false; }
        before = member;
    }
    return true;
}

// Each key once: its last value at its first place.
static uint32_t list_members(zb_arena *arena, const zj_doc *doc, uint32_t object, uint32_t *members) {
    const bool repeated = (zj_at(doc, object)->flags & ZJ_HAS_DUPLICATES) != 0;
    zb_intern keys = zb_intern_open(arena);
    uint32_t count = 0;
    for (uint32_t member = zj_at(doc, object)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        uint32_t place = count;
        if (repeated) {
            const uint32_t id = zb_intern_id(&keys, zj_key(doc, member)); // numbered as first seen
            if (id == 0) { return 0; }
            place = id - 1;
        }
        members[place] = member;
        count = place == count ? count + 1 : count;
    }
    return count;
}

// ------------------------------------------------------------------------------------------------------------- writing

typedef struct level {
    const uint32_t *members; // NULL: by `next`
    uint32_t count, at;
    uint32_t next; // node, 0: none
    char closing;
    bool begun;
} level;

static void put_string(zb_buffer *out, zo_text text) {
    static const char letters[] = "btn\0fr"; // from U+0008 on
    zb_put_char(out, '"');
    size_t done = 0;
    for (size_t i = 0; i < text.size; i++) {
        const uint8_t c = (uint8_t)text.data[i];
        if (c >= 0x20 && c != '"' && c != '\\') { continue; }
        zb_put_bytes(out, text.data + done, i - done);
        done = i + 1;
        zb_put_char(out, '\\');
        if (c == '"' || c == '\\') {
            zb_put_char(out, (char)c);
        } else if (c >= 8 && c <= 13 && letters[c - 8] != 0) {
            zb_put_char(out, letters[c - 8]);
        } else {
            zb_put_char(out, 'u');
            zb_put_hex(out, c, 4);
        }
    }
    if (text.size > done) { zb_put_bytes(out, text.data + done, text.size - done); }
    zb_put_char(out, '"');
}

static void put_number(zb_buffer *out, double number) {
    if (zb_is_finite(number)) {
        zb_put_double(out, number + 0.0); // -0 is 0
    } else {
        zb_put(out, "null");
    }
}

static level open_level(zb_buffer *out, const zj_doc *doc, uint32_t node, zj_order order) {
    const zj_node *n = zj_at(doc, node);
    const bool object = n->kind == ZJ_OBJECT;
    level l = {.next = n->as.items.first, .closing = object ? '}' : ']'};
    if (object && !order_is_the_files(doc, node, order)) {
        uint32_t *members = zb_arena_take_array(out->arena, n->as.items.count, sizeof *members);
        if (members != NULL) {
            l.count = list_members(out->arena, doc, node, members);
            l.members = sort_members(out->arena, doc, order, members, l.count);
        }
    }
    zb_put_char(out, object ? '{' : '[');
    return l;
}

static uint32_t take_next(level *l, const zj_doc *doc) {
    if (l->members != NULL) { return l->at < l->count ? l->members[l->at++] : 0; }
    const uint32_t node = l->next;
    l->next = node != 0 ? zj_at(doc, node)->next : 0;
    return node;
}

// The next value after one that is written whole, with what stands before it; 0: there is none. Closes brackets.
static uint32_t move_on(zb_buffer *out, const zj_doc *doc, zb_array *levels) {
    while (levels->count > 0) {
        level *top = (level *)(void *)levels->items + levels->count - 1;
        const uint32_t node = take_next(top, doc);
        if (node != 0) {
            if (top->begun) { zb_put_char(out, ','); }
            top->begun = true;
            if (top->closing == '}') {
                put_string(out, zj_key(doc, node));
                zb_put_char(out, ':');
            }
            return node;
        }
        zb_put_char(out, top->closing);
        levels->count--;
    }
    return 0;
}

void zj_put_compact(zb_buffer *out, const zj_doc *doc, uint32_t node, zj_order order, zj_stand_in stand_in) {
    zb_array levels = zb_array_open(out->arena, sizeof(level));
    while (node != 0 && !zb_arena_failed(out->arena)) {
        const zj_node *n = zj_at(doc, node);
        if (node == stand_in.node) {
            put_string(out, stand_in.text);
        } else if (n->kind == ZJ_ARRAY || n->kind == ZJ_OBJECT) {
            level *pushed = zb_array_push(&levels);
            *pushed = open_level(out, doc, node, order);
        } else if (n->kind == ZJ_STRING) {
            put_string(out, zj_text(doc, node));
        } else if (n->kind == ZJ_NUMBER) {
            put_number(out, n->as.number);
        } else {
            zb_put_text(out, zj_source(doc, node));
        }
        node = move_on(out, doc, &levels);
    }
}
