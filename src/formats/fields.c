// The field cursor and the words of messages: see fields.h. Called by the readers. Knows JSON and diagnostics, no
// format.
#include "formats/fields.h"

#include "base/intern.h"
#include "base/utf8.h"

enum {
    SEEN_MAX = 48,        // code points of a value that a message quotes
    NEAREST_SIZE_MAX = 64, // longer words are no misspelling of ours
};

static zo_text key_text(const zj_doc *doc, const zj_node *value) {
    const zj_node *key = &doc->nodes[value->key];
    const char *base = (key->flags & ZJ_ESCAPED) != 0 ? doc->texts : doc->source;
    return (zo_text){base + key->as.string.text, key->as.string.size};
}

static void hint(const zj_doc *doc, uint32_t added, zo_text word, const char *const *candidates, uint32_t count) {
    if (added == 0 || doc->report == NULL || word.size > NEAREST_SIZE_MAX) {
        return;
    }
    const char *nearest = zd_nearest(word, candidates, count);
    if (nearest != NULL) {
        zd_report_hint(doc->report, added, "did you mean \"{}\"?", ZD_ARGS(zd_word(nearest)));
    }
}

static void fix(const zj_doc *doc, uint32_t added, zo_text word, const char *meant);

// Members that are no table's: where the table is closed a fault, else worth a word when the report is strict.
static void report_unknown(const zj_doc *doc, zb_arena *arena, uint32_t member, const zf_object *table) {
    if (doc->report == NULL || (table->rules == NULL && table->unknown == 0 && !zd_report_strict(doc->report))) {
        return;
    }
    const char *candidates[ZF_FIELDS_MAX];
    for (uint32_t i = 0; i < table->field_count; i++) {
        candidates[i] = table->fields[i].name.text;
    }
    const zo_text key = zj_key(doc, member);
    const bool closed = table->rules != NULL;
    const zd_id id = closed                ? (zd_id)table->rules[ZF_KEYWORD_ADDITIONAL_PROPERTIES]
                     : table->unknown != 0 ? table->unknown
                                           : ZD_FIELD_UNKNOWN;
    const char *called = table->called != NULL ? table->called : table->name;
    const char *name = id != ZD_FIELD_UNKNOWN ? called : "";
    const uint32_t added = zj_report_key(doc, member, id, ZD_ARGS(zf_quoted(arena, doc, key), zd_word(name)));
    hint(doc, added, key, candidates, table->field_count);
    const char *meant = closed ? zd_surely(key, candidates, table->field_count) : NULL;
    if (meant != NULL && zj_member(doc, zj_at(doc, member)->parent, zb_text(meant)) == 0) {
        fix(doc, added, key, meant);
    }
}

void zf_fields_read(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t object, const zf_object *table) {
    const uint32_t count = table->field_count;
    ZO_ASSERT(zf_is(doc, object, ZJ_OBJECT));
    ZO_ASSERT(count > 0 && count <= ZF_FIELDS_MAX);
    fields->doc = doc;
    fields->arena = arena;
    fields->table = table;
    fields->object = object;
    memset(fields->nodes, 0, count * sizeof fields->nodes[0]);
    uint32_t expected = 0; // files write members in the order of the table, so the first guess is mostly right
    for (uint32_t member = zj_at(doc, object)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        const zo_text key = key_text(doc, zj_at(doc, member));
        uint32_t tried = 0;
        while (tried < count && !zf_name_is(&table->fields[expected].name, key)) {
            expected = expected + 1 < count ? expected + 1 : 0;
            tried++;
        }
        if (tried == count) {
            report_unknown(doc, arena, member, table);
            continue;
        }
        fields->nodes[expected] = member;
        expected = expected + 1 < count ? expected + 1 : 0;
    }
}

bool zf_fields_open(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t node, const zf_object *table) {
    if (!zf_is(doc, node, ZJ_OBJECT)) {
        zf_report_head(doc, node, table->id, ZD_ARGS(zf_not(arena, doc, node)));
        return false;
    }
    zf_fields_read(fields, arena, doc, node, table);
    return true;
}

const uint32_t *zf_members(zb_arena *arena, const zj_doc *doc, uint32_t object, uint32_t *count) {
    *count = 0;
    if (!zf_is(doc, object, ZJ_OBJECT)) {
        return NULL;
    }
    uint32_t *values = zb_arena_take_array(arena, (size_t)zj_at(doc, object)->as.items.count + 1, sizeof *values);
    const bool repeated = (zj_at(doc, object)->flags & ZJ_HAS_DUPLICATES) != 0;
    zb_intern keys = zb_intern_open(arena);
    for (uint32_t value = zj_at(doc, object)->as.items.first; value != 0 && values != NULL;
         value = zj_at(doc, value)->next) {
        const uint32_t id = repeated ? zb_intern_id(&keys, zj_key(doc, value)) : *count + 1;
        if (id > *count) {
            *count = id;
        }
        if (id > 0) { // 0: the arena has failed
            values[id - 1] = value;
        }
    }
    return values;
}

uint32_t zf_word(const zf_name *words, uint32_t count, zo_text word) {
    uint32_t i = 0;
    while (i < count && !zf_name_is(&words[i], word)) {
        i++;
    }
    return i;
}

bool zf_is_path_down(zo_text text, zo_text ending) {
    if (text.size <= ending.size || memcmp(text.data + text.size - ending.size, ending.data, ending.size) != 0 ||
        text.data[0] == '/' ||
        (text.data[1] == ':' && ((text.data[0] >= 'a' && text.data[0] <= 'z') ||
                                 (text.data[0] >= 'A' && text.data[0] <= 'Z')))) {
        return false;
    }
    size_t begin = 0; // of the segment
    for (size_t at = 0; at < text.size;) {
        const uint32_t point = zb_utf8_next(text.data, text.size, &at, NULL);
        if (point == '\n' || point == '\r' || point == 0x2028 || point == 0x2029) {
            return false;
        }
        if (point == '/') {
            if (at - begin == 3 && text.data[begin] == '.' && text.data[begin + 1] == '.') {
                return false;
            }
            begin = at;
        }
    }
    return true; // the last segment ends as wanted, and that begins with a point and is more
}

// ------------------------------------------------------------------------------------------------------- reporting

static zd_place head_place(const zj_doc *doc, uint32_t node) {
    zd_place place = zj_place(doc, node);
    if (place.length > 1 && (zf_is(doc, node, ZJ_OBJECT) || zf_is(doc, node, ZJ_ARRAY))) {
        place.length = 1;
    }
    return place;
}

uint32_t zf_report_head(const zj_doc *doc, uint32_t node, zd_id id, zd_args args) {
    if (doc->report == NULL) {
        return 0;
    }
    if (zd_report_full(doc->report)) { // only counted: the pointer would be worked out for nothing
        return zj_report(doc, node, id, args);
    }
    return zd_report_add(doc->report, id, head_place(doc, node), args);
}

uint32_t zf_report(const zf_fields *fields, uint32_t field, zd_id id, zd_args args) {
    const uint32_t node = fields->nodes[field];
    return zf_report_head(fields->doc, node != 0 ? node : fields->object, id, args);
}

// The string that is reported gives way to the word that was surely meant; NULL: nobody can be sure.
static void fix(const zj_doc *doc, uint32_t added, zo_text word, const char *meant) {
    if (added == 0 || doc->report == NULL || meant == NULL) {
        return;
    }
    zb_buffer quoted = zb_buffer_open(zd_report_arena(doc->report));
    zb_put_char(&quoted, '"');
    zb_put(&quoted, meant);
    zb_put_char(&quoted, '"');
    if (!zb_arena_failed(quoted.arena)) {
        zd_report_fix(doc->report, added, (zo_text){quoted.data, quoted.size}, "replace \"{}\" with \"{}\"",
                      ZD_ARGS(zd_text(word), zd_word(meant)));
    }
}

void zf_hint_nearest(const zj_doc *doc, uint32_t added, zo_text word, const zf_name *words, uint32_t count) {
    ZO_ASSERT(count <= ZF_FIELDS_MAX);
    const char *candidates[ZF_FIELDS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        candidates[i] = words[i].text;
    }
    hint(doc, added, word, candidates, count);
    // A component is one letter, as in rotation.y: that it is wrong does not say which one is right.
    const bool component = word.size >= 2 && word.data[word.size - 2] == '.';
    fix(doc, added, word, component ? NULL : zd_surely(word, candidates, count));
}

void zf_fix_missing(const zj_doc *doc, uint32_t added, uint32_t object, const char *name, zo_text value) {
    if (added == 0 || doc->report == NULL) {
        return;
    }
    const char next = zj_source(doc, object).data[1]; // an object has two bytes at least
    const bool spaced = next != ' ' && next != '\t' && next != '\r' && next != '\n';
    zb_buffer text = zb_buffer_open(zd_report_arena(doc->report));
    zb_put_char(&text, '{');
    zb_put_json_text(&text, zb_text(name));
    zb_put(&text, ": ");
    zb_put_text(&text, value);
    zb_put(&text, zj_at(doc, object)->as.items.count == 0 ? "" : spaced ? ", " : ",");
    if (!zb_arena_failed(text.arena)) {
        zd_report_fix(doc->report, added, (zo_text){text.data, text.size}, "write \"{}\": {}",
                      ZD_ARGS(zd_word(name), zd_text(value)));
    }
}

static uint32_t report_not(const zf_fields *fields, uint32_t field) {
    return zf_report(fields, field, fields->table->fields[field].id,
                     ZD_ARGS(zf_not(fields->arena, fields->doc, fields->nodes[field])));
}

bool zf_fields_number(const zf_fields *fields, uint32_t field, double *out) {
    if (zf_left_out(fields, field)) {
        return false;
    }
    if (zf_fields_in_range(fields, field, out)) {
        return true;
    }
    report_not(fields, field);
    return false;
}

uint32_t zf_fields_word(const zf_fields *fields, uint32_t field) {
    const zf_field *f = &fields->table->fields[field];
    if (zf_left_out(fields, field)) {
        return f->word_count;
    }
    zo_text text = {NULL, 0};
    const bool is_text = zf_text(fields->doc, fields->nodes[field], &text);
    const uint32_t index = is_text ? zf_word(f->words, f->word_count, text) : f->word_count;
    if (index == f->word_count) {
        const uint32_t added = report_not(fields, field);
        if (is_text) {
            zf_hint_nearest(fields->doc, added, text, f->words, f->word_count);
        }
    }
    return index;
}

uint32_t zf_fields_items(const zf_fields *fields, uint32_t field) {
    const uint32_t node = fields->nodes[field];
    if (zf_left_out(fields, field)) {
        return 0;
    }
    if (!zf_is(fields->doc, node, ZJ_ARRAY)) {
        report_not(fields, field);
        return 0;
    }
    if (zj_at(fields->doc, node)->as.items.count < fields->table->fields[field].count_min) {
        zf_report(fields, field, fields->table->fields[field].id, ZD_ARGS(zd_word(", not an empty one")));
        return 0;
    }
    return node;
}

// ------------------------------------------------------------------------------------------------- words of messages

// Cut at a code point, and nothing that would break a line of a terminal.
void zf_put_cut(zb_buffer *out, zo_text text) {
    size_t at = 0;
    for (uint32_t points = 0; at < text.size; points++) {
        if (points == SEEN_MAX) {
            zb_put(out, "...");
            return;
        }
        const uint32_t point = zb_utf8_next(text.data, text.size, &at, NULL);
        zb_put_unicode(out, point < 0x20 || point == 0x7F ? ' ' : point);
    }
}

static zd_arg buffer_arg(zb_buffer *out) { return zd_text((zo_text){out->data, out->size}); }

static bool wanted(const zj_doc *doc) { return doc->report != NULL && !zd_report_full(doc->report); }

static void put_seen(zb_buffer *out, const zj_doc *doc, uint32_t node) {
    if (node == 0) {
        zb_put(out, "missing");
        return;
    }
    switch (zj_kind_of(doc, node)) {
    case ZJ_ARRAY: zb_put(out, "an array"); break;
    case ZJ_OBJECT: zb_put(out, "an object"); break;
    case ZJ_STRING:
        zb_put_char(out, '"');
        zf_put_cut(out, zj_text(doc, node));
        zb_put_char(out, '"');
        break;
    case ZJ_NUMBER:
        zf_put_cut(out, zj_source(doc, node));
        if ((zj_at(doc, node)->flags & ZJ_OUT_OF_RANGE) != 0) {
            zb_put(out, ", which no double can hold");
        }
        break;
    case ZJ_NULL: case ZJ_FALSE: case ZJ_TRUE: zf_put_cut(out, zj_source(doc, node)); break;
    }
}

zd_arg zf_seen(zb_arena *arena, const zj_doc *doc, uint32_t node) {
    if (!wanted(doc)) {
        return zd_word("");
    }
    zb_buffer out = zb_buffer_open(arena);
    put_seen(&out, doc, node);
    return buffer_arg(&out);
}

zd_arg zf_not(zb_arena *arena, const zj_doc *doc, uint32_t node) {
    if (!wanted(doc)) {
        return zd_word("");
    }
    if (node == 0) {
        return zd_word(", and is missing");
    }
    zb_buffer out = zb_buffer_open(arena);
    zb_put(&out, ", not ");
    put_seen(&out, doc, node);
    return buffer_arg(&out);
}

zd_arg zf_quoted(zb_arena *arena, const zj_doc *doc, zo_text text) {
    return wanted(doc) ? zf_quote(arena, text) : zd_word("");
}

zd_arg zf_quote(zb_arena *arena, zo_text text) {
    zb_buffer out = zb_buffer_open(arena);
    zb_put_char(&out, '"');
    zf_put_cut(&out, text);
    zb_put_char(&out, '"');
    return buffer_arg(&out);
}

// ---------------------------------------------------------------------------------------------------------- sorting

// Bottom-up merge sort of indices: stable, no recursion, n log n whatever a file holds.
const uint32_t *zf_sorted(zb_arena *arena, const double *keys, uint32_t count) {
    uint32_t rising = 1;
    while (rising < count && keys[rising - 1] <= keys[rising]) {
        rising++;
    }
    if (rising >= count) {
        return NULL;
    }
    uint32_t *from = zb_arena_take_array(arena, count, sizeof *from);
    uint32_t *to = zb_arena_take_array(arena, count, sizeof *to);
    if (zb_arena_failed(arena)) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        from[i] = i;
    }
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            const uint64_t middle = begin + width < count ? begin + width : count;
            const uint64_t end = begin + 2 * width < count ? begin + 2 * width : count;
            uint64_t left = begin;
            uint64_t right = middle;
            for (uint64_t i = begin; i < end; i++) {
                const bool take_left = left < middle && (right >= end || keys[from[left]] <= keys[from[right]]);
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

const zo_text *zf_sorted_texts(zb_arena *arena, zo_text *texts, uint32_t count, int (*order)(zo_text, zo_text)) {
    zo_text *from = texts, *to = zb_arena_take_array(arena, (size_t)count + 1, sizeof *to);
    if (to == NULL || zb_arena_failed(arena)) {
        return NULL;
    }
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            const uint64_t middle = begin + width < count ? begin + width : count;
            const uint64_t end = begin + 2 * width < count ? begin + 2 * width : count;
            uint64_t left = begin, right = middle;
            for (uint64_t i = begin; i < end; i++) {
                const bool take_left = left < middle && (right >= end || order(from[left], from[right]) <= 0);
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        zo_text *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}
