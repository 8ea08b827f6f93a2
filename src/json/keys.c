// Repeated keys of one object, found when it closes: flagged in the nodes and reported. Called by the parser. Time is
// linear in the object's keys: small objects by a set of bits and comparison, large ones by a table, and where somebody
// chose keys that meet in the table, by sorting.
#include "json/parser.h"

#include "base/random.h"

enum {
    SMALL_MAX = 32,       // members; at most 496 comparisons, and mostly none
    PROBES_PER_KEY = 16,  // mean number of table places looked at before sorting takes over
};

static zo_text key_of(const zj_parser *p, uint32_t member) {
    return zj_string_text(p, &p->nodes[p->nodes[member].key]);
}

static void found(zj_parser *p, uint32_t object, uint32_t first, uint32_t member) {
    p->nodes[member].flags |= ZJ_DUPLICATE;
    p->nodes[object].flags |= ZJ_HAS_DUPLICATES;
    if (p->report == NULL) { return; }
    const zj_doc doc = zj_doc_so_far(p);
    const uint32_t added = zj_report_key(&doc, member, ZD_JSON_DUPLICATE_KEY, ZD_ARGS(zd_text(key_of(p, member))));
    if (added != 0) { zd_report_relate(p->report, added, zj_place_key(&doc, first), "it stands here first"); }
}

static void check_small(zj_parser *p, uint32_t object) {
    const uint32_t first = p->nodes[object].as.items.first;
    uint64_t seen = 0;
    for (uint32_t member = first; member != 0; member = p->nodes[member].next) {
        const zo_text key = key_of(p, member);
        const uint64_t bit = zj_key_bit(key);
        if ((seen & bit) != 0) {
            uint32_t other = first;
            while (other != member && !zb_text_equal(key_of(p, other), key)) { other = p->nodes[other].next; }
            if (other != member) { found(p, object, other, member); }
        }
        seen |= bit;
    }
}

// A table of members by the hash of their keys. false: too many keys meet in it; nothing was reported then.
static bool check_table(zj_parser *p, uint32_t object, uint32_t *table, size_t capacity) {
    memset(table, 0, capacity * sizeof *table);
    uint64_t probes_left = (uint64_t)p->nodes[object].as.items.count * PROBES_PER_KEY;
    bool any = false;
    for (uint32_t member = p->nodes[object].as.items.first; member != 0; member = p->nodes[member].next) {
        const zo_text key = key_of(p, member);
        size_t place = (size_t)zb_hash_bytes(key.data, key.size, 0) & (capacity - 1);
        while (table[place] != 0 && !zb_text_equal(key_of(p, table[place]), key)) {
            if (probes_left-- == 0) { return false; }
            place = (place + 1) & (capacity - 1);
        }
        if (table[place] == 0) {
            table[place] = member;
        } else {
            any = true;
        }
    }
    if (!any) { return true; }
    for (uint32_t member = p->nodes[object].as.items.first; member != 0; member = p->nodes[member].next) {
        const zo_text key = key_of(p, member);
        size_t place = (size_t)zb_hash_bytes(key.data, key.size, 0) & (capacity - 1);
        while (!zb_text_equal(key_of(p, table[place]), key)) { place = (place + 1) & (capacity - 1); }
        if (table[place] != member) { found(p, object, table[place], member); }
    }
    return true;
}

static int compare(const zj_parser *p, uint32_t a, uint32_t b) {
    const zo_text x = key_of(p, a), y = key_of(p, b);
    if (x.size != y.size) { return x.size < y.size ? -1 : 1; }
    return x.size == 0 ? 0 : memcmp(x.data, y.data, x.size);
}

// Merge sort, bottom up and stable, so that of equal keys the first in the text comes first. Each pass looks at each
// byte of the keys a few times at most. `items` has room for twice the members.
static void check_sorted(zj_parser *p, uint32_t object, uint32_t *items) {
    const size_t count = p->nodes[object].as.items.count;
    uint32_t *from = items, *to = items + count;
    size_t filled = 0;
    for (uint32_t member = p->nodes[object].as.items.first; member != 0; member = p->nodes[member].next) {
        from[filled++] = member;
    }
    ZO_ASSERT(filled == count);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = middle + width < count ? middle + width : count;
            size_t a = begin, b = middle;
            for (size_t i = begin; i < end; i++) {
                const bool take_a = a < middle && (b == end || compare(p, from[a], from[b]) <= 0);
                to[i] = take_a ? from[a++] : from[b++];
            }
        }
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    for (size_t first = 0, i = 1; i < count; i++) {
        if (compare(p, from[first], from[i]) == 0) {
            found(p, object, from[first], from[i]);
        } else {
            first = i;
        }
    }
}

bool zj_check_keys(zj_parser *p, uint32_t object) {
    const uint32_t count = p->nodes[object].as.items.count;
    ZO_ASSERT(count >= 2);
    if (count <= SMALL_MAX) {
        check_small(p, object);
        return true;
    }
    size_t capacity = 128; // at least twice the members, so also room enough for sorting
    while (capacity < (size_t)count * 2) { capacity *= 2; }
    if (p->table_capacity < capacity) {
        uint32_t *const table = zb_arena_take(p->arena, capacity * sizeof *table);
        if (table == NULL) {
            zj_no_memory(p);
            return false;
        }
        p->table = table;
        p->table_capacity = capacity;
    }
    if (!check_table(p, object, p->table, capacity)) { check_sorted(p, object, p->table); }
    return true;
}
