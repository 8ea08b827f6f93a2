// The tables in which a format says what its objects hold, the cursor that walks an object by such a table, and the
// words that messages use for what was found. Readers are driven by the tables and schema.h writes them down as JSON
// Schema, so that the two cannot part. Called by the readers. Knows JSON and diagnostics, no format.
#ifndef ZF_FIELDS_H
#define ZF_FIELDS_H

#include <float.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "json/json.h"

// A known word: the name of a member, or a value that a text may have.
typedef struct zf_name {
    const char *text; // zero-ended
    uint32_t size;
} zf_name;
#define ZF_NAME(literal) {literal, sizeof(literal) - 1}

// Texts of a form that a scanner judges. The pattern says the same as a regular expression, for the eyes of others: it
// stands beside its scanner, keeps to what ECMA-262 and POSIX have in common, and a test holds it against the scanner.
typedef struct zf_form {
    const char *patterns[2];     // by zo_profile
    bool (*matches)(zo_text);    // the scanner, for tables that are checked whole
    const char *wanted;          // what such a text is, to follow "must be"
} zf_form;

typedef enum zf_type { // bits: a value may be of one of several types
    ZF_NUMBER = 1,     // finite, within low..high
    ZF_TEXT = 2,       // one of the words, or of one of the forms; with neither: any
    ZF_OBJECT = 4,     // its members as `object` says; without one, any
    ZF_ARRAY = 8,      // of objects, each as `object` says; without one, of texts
    ZF_BOOLEAN = 16,
    ZF_NULL = 32,
    ZF_INTEGER = 64,   // a number without fraction, however written, within low..high
} zf_type;

typedef enum zf_flag {     // bits
    ZF_ABOVE_LOW = 1,      // `low` itself is not in the range
    ZF_UNIQUE = 2,         // ARRAY of texts: all different
    ZF_STABLE = 4,         // what the format's document says of its future
    ZF_EXPERIMENTAL = 8,
    ZF_ITEMS = 16,         // ARRAY: each item is as `item` says
    ZF_MAP = 32,           // OBJECT: its members may have any names, and each is as `item` says
} zf_flag;

enum { ZF_FIELDS_MAX = 80, ZF_FORMS_MAX = 2 };
#define ZF_ANY_NUMBER .low = -DBL_MAX, .high = DBL_MAX

typedef struct zf_object zf_object;
typedef struct zf_field zf_field;

// One member of an object. Small, because there are many and readers go through them all the time.
struct zf_field {
    zf_name name;                        // of an `item`: what messages call one
    uint8_t types;                       // of zf_type
    bool required;
    uint16_t id;                         // zd_id: reported when the value is missing, or not as it is said here; where
                                         // the object has rules it is not used
    union { // what may be a figure or a TEXT has no forms
        struct { double low, high; };       // NUMBER, INTEGER; both the same: nothing but this figure
        const zf_form *forms[ZF_FORMS_MAX]; // TEXT
    };
    union { // nor a TEXT or one of the two that hold objects
        const zf_name *words;               // TEXT
        const zf_object *object;            // OBJECT, ARRAY
        const zf_field *item;               // OBJECT with MAP, ARRAY with ITEMS
    };
    uint16_t count_max;                  // ARRAY: items; TEXT with rules: code points; 0: as many as there are
    uint8_t count_min;                   // ARRAY: items; MAP: members; TEXT: bytes, with rules code points
    uint8_t flags;                       // of zf_flag
    uint8_t when_ref;                    // the member counts only where the member of this number, from 1, of the same
    uint8_t when_word;                   // object is this word of its words; 0: always
    uint8_t word_count;
    uint16_t id_above;                   // NUMBER: instead of id for a figure above the range; 0: the same
    const char *about;                   // a sentence for people; where the object has rules what it is, to follow a
                                         // colon, without full stop
};

// What a schema can say of a value, by the keywords that say it.
typedef enum zf_keyword {
    ZF_KEYWORD_TYPE, ZF_KEYWORD_CONST, ZF_KEYWORD_ENUM, ZF_KEYWORD_PATTERN, ZF_KEYWORD_MIN_LENGTH,
    ZF_KEYWORD_MAX_LENGTH, ZF_KEYWORD_MINIMUM, ZF_KEYWORD_EXCLUSIVE_MINIMUM, ZF_KEYWORD_MAXIMUM, ZF_KEYWORD_MIN_ITEMS,
    ZF_KEYWORD_MAX_ITEMS, ZF_KEYWORD_UNIQUE_ITEMS, ZF_KEYWORD_REQUIRED, ZF_KEYWORD_ADDITIONAL_PROPERTIES,
    ZF_KEYWORD_MIN_PROPERTIES, ZF_KEYWORD_COUNT
} zf_keyword;

// What is demanded across members and can be said without counting or comparing figures. Where the object has rules,
// only ONE, always in force: zf_fields_check looks for it.
typedef enum zf_demand_kind {
    ZF_EMPTY,    // the array has no items
    ZF_ONE,      // the array has exactly one of the items meant, and is there
    ZF_WITH,     // each of the items meant has the member
    ZF_WITHOUT,  // none of the items meant has the member
    ZF_NO_WORD,  // the member is none of some words, whatever the item
    ZF_NO_FORM,  // the text is not of the form
} zf_demand_kind;

typedef struct zf_demand {
    zd_id id;
    zf_demand_kind kind;
    const zf_field *when[2];     // in force where this member (or this one's own) is the word; NULL: always
    const zf_field *field;       // whose value is judged
    const zf_field *item;        // ONE, WITH, WITHOUT: meant are the items where this member is the word, or true if it
                                 // is a BOOLEAN
    const zf_field *member;      // WITH, WITHOUT, NO_WORD
    const zf_form *form;         // NO_FORM
    uint8_t when_word, item_word;
    uint8_t word_first, word_count; // NO_WORD: of the member's words
} zf_demand;

// What a rule wants and no table can say. A rule that some field or demand has too is said there in part.
typedef struct zf_beyond {
    zd_id id;
    const char *about; // a clause: what is demanded
} zf_beyond;

struct zf_object {
    const char *name;      // what a schema calls it
    const char *about;     // a sentence for people; with rules as of fields
    zd_id id;              // reported when something else stands in its place
    const zf_field *fields;
    uint32_t field_count;  // at most ZF_FIELDS_MAX
    const zf_demand *demands;
    uint32_t demand_count;
    const zf_beyond *beyond;
    uint32_t beyond_count;
    zd_id unknown;         // reported, as advice, of members that are not in the table, which are allowed; 0:
                           // field/unknown, when the report is strict
    zd_id other;           // reported, by the reader, of members that are not in the table; 0: they are allowed. Where
                           // the object has rules they never are
    const uint16_t *rules; // zd_id by zf_keyword: the format's document is a schema, its rules are the keywords, and
                           // zf_fields_check judges by the table alone. NULL: each field has its own rule
    const char *called;    // by messages; NULL: as a schema calls it
};

// What an object holds of the known members, in the table's order. Of a repeated key the last value counts (the JSON
// layer has reported it).
typedef struct zf_fields {
    const zj_doc *doc;
    zb_arena *arena;
    const zf_object *table;
    uint32_t object;
    uint32_t nodes[ZF_FIELDS_MAX]; // value; 0: not there
    bool wrong[ZF_FIELDS_MAX];     // after zf_fields_check: not as the table says
} zf_fields;

// The object's members by the table. Others are reported as field/unknown when the report is strict, else passed over.
// `object` must be an object.
void zf_fields_read(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t object, const zf_object *table);
// The same of a value that may be something else, which is reported under the table's id: then false.
bool zf_fields_open(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t node, const zf_object *table);

// For objects with rules: the same, and all that the table says is judged, each fault reported, at the value or at the
// object that lacks it. Members that are not in the table are faults. A null that is allowed counts as not there.
// false: it is no object. Members that are objects, and items that are, are judged when they are opened in turn.
bool zf_fields_check(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t node, const zf_object *table);
// The same of a whole document, with all objects in it that its table knows of.
void zf_fields_check_all(zb_arena *arena, const zj_doc *doc, const zf_object *table);

// Of checked objects: NaN, the count of words, the empty text and false of what is wrong.
double zf_checked_number(const zf_fields *fields, uint32_t field, double absent);
uint32_t zf_checked_word(const zf_fields *fields, uint32_t field, uint32_t absent);
zo_text zf_checked_text(const zf_fields *fields, uint32_t field);   // "" also when absent
bool zf_checked_true(const zf_fields *fields, uint32_t field, bool absent);
// The first item of an array, also of one with too few or too many, and how many to walk: no more than are allowed.
uint32_t zf_checked_items(const zf_fields *fields, uint32_t field, uint32_t *count);

static inline bool zf_has(const zf_fields *fields, uint32_t field) { return fields->nodes[field] != 0; }
// Not there, and it need not be.
static inline bool zf_left_out(const zf_fields *fields, uint32_t field) {
    return fields->nodes[field] == 0 && !fields->table->fields[field].required;
}
// Whether a member counts, given which word the other one is that decides on it.
static inline bool zf_counts(const zf_fields *fields, uint32_t field, uint32_t word) {
    const zf_field *f = &fields->table->fields[field];
    return f->when_ref == 0 || f->when_word == word;
}

// The members of an object as most readers of JSON meet them: of a repeated key the last value, at the first place. The
// values' nodes; *count is set to 0 when it is no object, or memory is short.
const uint32_t *zf_members(zb_arena *arena, const zj_doc *doc, uint32_t object, uint32_t *count);

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

// A number within the field's range, silently. No range holds infinities.
static inline bool zf_fields_in_range(const zf_fields *fields, uint32_t field, double *out) {
    const uint32_t node = fields->nodes[field];
    if (node == 0 || zj_kind_of(fields->doc, node) != ZJ_NUMBER) {
        return false;
    }
    const zf_field *f = &fields->table->fields[field];
    const double number = zj_at(fields->doc, node)->as.number;
    if (!(number >= f->low && number <= f->high)) {
        return false;
    }
    *out = number;
    return true;
}

// The following report the field's id when the value is not as the table says; left out where it may be, they say
// nothing and give what they give for a bad value.

// A finite number within the range; else `out` is left alone.
bool zf_fields_number(const zf_fields *fields, uint32_t field, double *out);
// A text of the field's words; else, if one is near, with "did you mean". Returns its index, or their count.
uint32_t zf_fields_word(const zf_fields *fields, uint32_t field);
// An array with enough items: its node, or 0.
uint32_t zf_fields_items(const zf_fields *fields, uint32_t field);

// A diagnostic at a field's value; for one that is not there, at the first byte of the object that lacks it.
uint32_t zf_report(const zf_fields *fields, uint32_t field, zd_id id, zd_args args);
// At the first byte of an object or array, where its whole extent would only be noise; else like zj_report.
uint32_t zf_report_head(const zj_doc *doc, uint32_t node, zd_id id, zd_args args);
// "did you mean ...?" in place of the rule's hint, when the table has a near word; when it was surely that one, also
// the fix. What was reported must be the text at its own place, with its quotes.
void zf_hint_nearest(const zj_doc *doc, uint32_t added, zo_text word, const zf_name *words, uint32_t count);

// The fix that writes a member that is missing, before all others. What was reported must be the first byte of its
// object. `value` is JSON.
void zf_fix_missing(const zj_doc *doc, uint32_t added, uint32_t object, const char *name, zo_text value);

// A text as messages show it: cut when it is long, in one line.
void zf_put_cut(zb_buffer *out, zo_text text);
// What was found, to end a sentence that says what is wanted: `, not "12px"`, `, and is missing`. In the arena.
zd_arg zf_not(zb_arena *arena, const zj_doc *doc, uint32_t node);
// What was found, within a sentence: `"12px"`, `null`, `an array`, `missing`. Long texts are cut.
zd_arg zf_seen(zb_arena *arena, const zj_doc *doc, uint32_t node);
// A text in quotes, as in messages, cut when it is long.
zd_arg zf_quoted(zb_arena *arena, const zj_doc *doc, zo_text text);
zd_arg zf_quote(zb_arena *arena, zo_text text); // the same, whether or not the report has room

// Index of the word in the table, or count.
uint32_t zf_word(const zf_name *words, uint32_t count, zo_text word);

// A form that the texts of the value may have; NULL: no such one.
static inline const zf_form *zf_form_of(const zf_field *field, uint32_t index) {
    return (field->types & (ZF_NUMBER | ZF_INTEGER)) == 0 ? field->forms[index] : NULL;
}
// What the value holds if it is an object or holds some, however deep; NULL: it is neither.
static inline const zf_object *zf_object_in(const zf_field *field) {
    while ((field->flags & (ZF_ITEMS | ZF_MAP)) != 0) {
        field = field->item;
    }
    return field->types & (ZF_OBJECT | ZF_ARRAY) ? field->object : NULL;
}
static inline zo_text zf_name_text(zf_name name) { return (zo_text){name.text, name.size}; }
static inline bool zf_name_is(const zf_name *name, zo_text text) {
    return name->size == text.size && memcmp(name->text, text.data, text.size) == 0;
}

// A path down from a folder that ends so: no drive, no root, no .. between slashes. What the schemas' patterns
// "^(?![A-Za-z]:|/|.*(?:^|/)\\.\\.(?:/|$)).+ending$" say, where the ending begins with a point.
bool zf_is_path_down(zo_text text, zo_text ending);

// The order in which `count` keys stand when sorted by rising key, equal ones as they were. NULL: they are sorted
// already, or memory is short. Keys must not be NaN.
const uint32_t *zf_sorted(zb_arena *arena, const double *keys, uint32_t count);
// Texts in order, equal ones as they were; what is in `texts` is lost. NULL: memory is short.
const zo_text *zf_sorted_texts(zb_arena *arena, zo_text *texts, uint32_t count, int (*order)(zo_text, zo_text));

#endif
