// The field cursor that all readers share: one walk over an object's members, matched against a table of known names,
// and the words that messages use for what was found. Called by the readers. Knows JSON and diagnostics, no format.
#ifndef ZF_FIELDS_H
#define ZF_FIELDS_H

#include "base/arena.h"
#include "json/json.h"

// A table of known words: members of an object, or the values that a text may have.
typedef struct zf_name {
    const char *text; // zero-ended
    uint32_t size;
} zf_name;
#define ZF_NAME(literal) {literal, sizeof(literal) - 1}

enum { ZF_FIELDS_MAX = 24 };

// What an object holds of the known names, in the table's order. Of a repeated key the last value counts (the JSON
// layer has reported it).
typedef struct zf_fields {
    const zj_doc *doc;
    zb_arena *arena;
    uint32_t object;
    uint32_t nodes[ZF_FIELDS_MAX]; // value; 0: not there
} zf_fields;

// The object's members by the table. Others are reported as field/unknown when the report is strict, else passed over.
// `object` must be an object; count at most ZF_FIELDS_MAX.
void zf_fields_read(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t object, const zf_name *names,
                    uint32_t count);

static inline bool zf_has(const zf_fields *fields, uint32_t field) { return fields->nodes[field] != 0; }

// Typed values. node 0 (not there) is of no type. They report nothing; out is written only when true.
static inline bool zf_is(const zj_doc *doc, uint32_t node, zj_kind kind) {
    return node != 0 && zj_kind_of(doc, node) == kind;
}
static inline bool zf_number(const zj_doc *doc, uint32_t node, double *out) { // finite ones only
    if (!zf_is(doc, node, ZJ_NUMBER) || !zb_is_finite(zj_at(doc, node)->as.number)) {
        return false;
    }
    *out = zj_at(doc, node)->as.number;
    return true;
}
static inline bool zf_text(const zj_doc *doc, uint32_t node, zo_text *out) {
    if (!zf_is(doc, node, ZJ_STRING)) {
        return false;
    }
    *out = zj_text(doc, node);
    return true;
}

// A finite number within low..high; else `id` is reported with zf_not() as its argument and `out` is left alone.
bool zf_fields_number(const zf_fields *fields, uint32_t field, double low, double high, zd_id id, double *out);
// A text of the table; else `id` is reported with zf_not() and, if one is near, "did you mean". Returns its index, or
// count.
uint32_t zf_fields_word(const zf_fields *fields, uint32_t field, const zf_name *words, uint32_t count, zd_id id);

// A diagnostic at a field's value; for one that is not there, at the first byte of the object that lacks it.
uint32_t zf_report(const zf_fields *fields, uint32_t field, zd_id id, zd_args args);
// At the first byte of an object or array, where its whole extent would only be noise; else like zj_report.
uint32_t zf_report_head(const zj_doc *doc, uint32_t node, zd_id id, zd_args args);
// "did you mean ...?" in place of the rule's hint, when the table has a near word.
void zf_hint_nearest(const zj_doc *doc, uint32_t added, zo_text word, const zf_name *words, uint32_t count);

// What was found, to end a sentence that says what is wanted: `, not "12px"`, `, and is missing`. In the arena.
zd_arg zf_not(zb_arena *arena, const zj_doc *doc, uint32_t node);
// What was found, within a sentence: `"12px"`, `null`, `an array`, `missing`. Long texts are cut.
zd_arg zf_seen(zb_arena *arena, const zj_doc *doc, uint32_t node);
// A text in quotes, as in messages, cut when it is long.
zd_arg zf_quoted(zb_arena *arena, const zj_doc *doc, zo_text text);

// Index of the word in the table, or count.
uint32_t zf_word(const zf_name *words, uint32_t count, zo_text word);

static inline zo_text zf_name_text(zf_name name) { return (zo_text){name.text, name.size}; }
static inline bool zf_name_is(const zf_name *name, zo_text text) {
    return name->size == text.size && memcmp(name->text, text.data, text.size) == 0;
}

// The order in which `count` keys stand when sorted by rising key, equal ones as they were. NULL: they are sorted
// already, or memory is short. Keys must not be NaN.
const uint32_t *zf_sorted(zb_arena *arena, const double *keys, uint32_t count);

#endif
