// Judges objects by their table alone, for formats whose document is a schema: every keyword is a rule, and what it
// says of a member is read from the member's field. Called by the readers of such formats. Knows no format.
#include <math.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "base/utf8.h"
#include "formats/fields.h"

enum {
    FEW = 16,     // texts that are compared each with each
    HALF_MIN = 6, // words that a message names in one piece
};

// ----------------------------------------------------------------------------------------------------------- reporting

static zd_id rule_of(const zf_fields *fields, zf_keyword keyword) { return (zd_id)fields->table->rules[keyword]; }

static bool is_wanted(const zf_fields *fields) {
    return fields->doc->report != NULL && !zd_report_full(fields->doc->report);
}

// What the member is for, where the rule has nothing better to say.
static void hint_about(const zf_fields *fields, uint32_t added, const zf_field *field) {
    if (added != 0 && field->about != NULL) {
        zd_report_hint(fields->doc->report, added, "{}: {}", ZD_ARGS(zd_word(field->name.text), zd_word(field->about)));
    }
}

// "{name} must be {wanted}{, not what is there}"
static uint32_t report_wanted(const zf_fields *fields, const zf_field *field, zf_keyword keyword, uint32_t node,
                              zd_arg wanted) {
    const uint32_t added =
        zf_report_head(fields->doc, node, rule_of(fields, keyword),
                       ZD_ARGS(zd_word(field->name.text), wanted, zf_not(fields->arena, fields->doc, node)));
    hint_about(fields, added, field);
    return added;
}

typedef struct counted {
    zf_keyword keyword;
    uint32_t count, limit;
} counted;

static void report_count(const zf_fields *fields, const zf_field *field, uint32_t node, counted what) {
    const uint32_t added = zf_report_head(fields->doc, node, rule_of(fields, what.keyword),
                                          ZD_ARGS(zd_word(field->name.text), zd_int(what.count), zd_int(what.limit)));
    hint_about(fields, added, field);
}

static zd_arg types_wanted(const zf_fields *fields, uint32_t types) {
    static const char *const words[] = {"a number", "a text", "an object", "an array", "true or false", "null",
                                        "a whole number"};
    if (!is_wanted(fields)) {
        return zd_word("");
    }
    zb_buffer out = zb_buffer_open(fields->arena);
    for (uint32_t bits = types & ~(uint32_t)ZF_NULL, i = 0; bits != 0; bits >>= 1, i++) {
        if ((bits & 1) != 0) {
            zb_put(&out, out.size > 0 ? " or " : "");
            zb_put(&out, words[i]);
        }
    }
    zb_put(&out, (types & ZF_NULL) != 0 ? " or null" : "");
    return zd_text((zo_text){out.data, out.size});
}

// The words from one on; many come in two parts, since an argument of a message is cut when it is long.
static zd_arg words_wanted(const zf_fields *fields, const zf_field *field, uint32_t begin, uint32_t end) {
    if (!is_wanted(fields)) {
        return zd_word("");
    }
    zb_buffer out = zb_buffer_open(fields->arena);
    for (uint32_t i = begin; i < end; i++) {
        zb_put(&out, i == 0 ? "" : i + 1 < field->word_count ? ", " : " or ");
        zb_put(&out, field->words[i].text);
    }
    return zd_text((zo_text){out.data, out.size});
}

static bool not_of_type(const zf_fields *fields, const zf_field *field, uint32_t node) {
    report_wanted(fields, field, ZF_KEYWORD_TYPE, node, types_wanted(fields, field->types));
    return false;
}

// -------------------------------------------------------------------------------------------------------------- values

static bool check_number(const zf_fields *fields, const zf_field *field, uint32_t node) {
    double value = 0.0;
    const bool is_number = zf_number(fields->doc, node, &value);
    if (field->low == field->high) {
        if (!is_number || value != field->low) {
            report_wanted(fields, field, ZF_KEYWORD_CONST, node, zd_number(field->low));
            return false;
        }
        return true;
    }
    if (!is_number || ((field->types & ZF_INTEGER) != 0 && floor(value) != value)) {
        return not_of_type(fields, field, node);
    }
    const bool above = (field->flags & ZF_ABOVE_LOW) != 0;
    if (above ? !(value > field->low) : !(value >= field->low)) {
        report_wanted(fields, field, above ? ZF_KEYWORD_EXCLUSIVE_MINIMUM : ZF_KEYWORD_MINIMUM, node,
                      zd_number(field->low));
        return false;
    }
    if (!(value <= field->high)) {
        report_wanted(fields, field, ZF_KEYWORD_MAXIMUM, node, zd_number(field->high));
        return false;
    }
    return true;
}

static bool check_word(const zf_fields *fields, const zf_field *field, uint32_t node) {
    zo_text text = {NULL, 0};
    const bool is_text = zf_text(fields->doc, node, &text);
    if (is_text && zf_word(field->words, field->word_count, text) < field->word_count) {
        return true;
    }
    const uint32_t half = field->word_count > HALF_MIN ? field->word_count / 2 : field->word_count;
    const zf_keyword keyword = field->word_count == 1 ? ZF_KEYWORD_CONST : ZF_KEYWORD_ENUM;
    const uint32_t added =
        zf_report_head(fields->doc, node, rule_of(fields, keyword),
                       ZD_ARGS(zd_word(field->name.text), words_wanted(fields, field, 0, half),
                               half < field->word_count ? words_wanted(fields, field, half, field->word_count)
                                                        : zf_not(fields->arena, fields->doc, node),
                               half < field->word_count ? zf_not(fields->arena, fields->doc, node) : zd_word("")));
    hint_about(fields, added, field);
    if (is_text) {
        zf_hint_nearest(fields->doc, added, text, field->words, field->word_count);
    }
    return false;
}

static bool check_text(const zf_fields *fields, const zf_field *field, uint32_t node) {
    if (field->word_count > 0) {
        return check_word(fields, field, node);
    }
    zo_text text = {NULL, 0};
    if (!zf_text(fields->doc, node, &text)) {
        return not_of_type(fields, field, node);
    }
    // A code point has one byte at least, so most texts need no counting.
    if (field->count_max > 0 && text.size > field->count_max) {
        const uint32_t count = zb_utf8_count(text.data, text.size);
        if (count > field->count_max) {
            report_count(fields, field, node, (counted){ZF_KEYWORD_MAX_LENGTH, count, field->count_max});
            return false;
        }
    }
    if (field->count_min > 0 && text.size < 4 * (size_t)field->count_min) {
        const uint32_t count = zb_utf8_count(text.data, text.size);
        if (count < field->count_min) {
            report_count(fields, field, node, (counted){ZF_KEYWORD_MIN_LENGTH, count, field->count_min});
            return false;
        }
    }
    if (zf_form_of(field, 0) != NULL && !zf_form_of(field, 0)->matches(text)) {
        report_wanted(fields, field, ZF_KEYWORD_PATTERN, node, zd_word(zf_form_of(field, 0)->wanted));
        return false;
    }
    return true;
}

static bool report_twice(const zf_fields *fields, const zf_field *field, uint32_t first, uint32_t second) {
    const uint32_t array = zj_at(fields->doc, first)->parent;
    const uint32_t added = zf_report_head(fields->doc, array, rule_of(fields, ZF_KEYWORD_UNIQUE_ITEMS),
                      ZD_ARGS(zd_word(field->name.text), zf_seen(fields->arena, fields->doc, first)));
    if (added != 0) {
        zd_report_relate(fields->doc->report, added, zj_place(fields->doc, second), "here it stands again");
    }
    return false;
}

// One report for the array, as of a schema. The items are texts.
static bool check_unique(const zf_fields *fields, const zf_field *field, uint32_t node) {
    const zj_doc *doc = fields->doc;
    const uint32_t first = zj_at(doc, node)->as.items.first;
    if (zj_at(doc, node)->as.items.count <= FEW) {
        for (uint32_t item = first; item != 0; item = zj_at(doc, item)->next) {
            for (uint32_t other = first; other != item; other = zj_at(doc, other)->next) {
                if (zb_text_equal(zj_text(doc, other), zj_text(doc, item))) {
                    return report_twice(fields, field, other, item);
                }
            }
        }
        return true;
    }
    zb_intern seen = zb_intern_open(fields->arena);
    for (uint32_t item = first; item != 0; item = zj_at(doc, item)->next) {
        const uint32_t known = zb_intern_count(&seen);
        if (zb_intern_id(&seen, zj_text(doc, item)) <= known && !zb_arena_failed(fields->arena)) {
            return report_twice(fields, field, item, item);
        }
    }
    return true;
}

static bool check_texts(const zf_fields *fields, const zf_field *field, uint32_t node) {
    bool good = true;
    for (uint32_t item = zj_at(fields->doc, node)->as.items.first; item != 0; item = zj_at(fields->doc, item)->next) {
        if (!zf_is(fields->doc, item, ZJ_STRING)) {
            const uint32_t added =
                zf_report_head(fields->doc, item, rule_of(fields, ZF_KEYWORD_TYPE),
                               ZD_ARGS(zd_word("an item of this list"), types_wanted(fields, ZF_TEXT),
                                       zf_not(fields->arena, fields->doc, item)));
            hint_about(fields, added, field);
            good = false;
        }
    }
    return good && ((field->flags & ZF_UNIQUE) == 0 || check_unique(fields, field, node));
}

static bool check_value(const zf_fields *fields, const zf_field *field, uint32_t node);

// Of a list or a map. Calls itself no deeper than the table does.
static bool check_each(const zf_fields *fields, const zf_field *field, uint32_t node) {
    bool good = true;
    for (uint32_t item = zj_at(fields->doc, node)->as.items.first; item != 0; item = zj_at(fields->doc, item)->next) {
        good = check_value(fields, field->item, item) && good;
    }
    return good;
}

static bool check_map(const zf_fields *fields, const zf_field *field, uint32_t node) {
    const uint32_t count = zj_at(fields->doc, node)->as.items.count;
    if (count < field->count_min) {
        report_count(fields, field, node, (counted){ZF_KEYWORD_MIN_PROPERTIES, count, field->count_min});
        return false;
    }
    return check_each(fields, field, node);
}

static bool check_array(const zf_fields *fields, const zf_field *field, uint32_t node) {
    if (!zf_is(fields->doc, node, ZJ_ARRAY)) {
        return not_of_type(fields, field, node);
    }
    const uint32_t count = zj_at(fields->doc, node)->as.items.count;
    bool good = true;
    if (count < field->count_min) {
        report_count(fields, field, node, (counted){ZF_KEYWORD_MIN_ITEMS, count, field->count_min});
        good = false;
    }
    if (field->count_max > 0 && count > field->count_max) {
        report_count(fields, field, node, (counted){ZF_KEYWORD_MAX_ITEMS, count, field->count_max});
        good = false;
    }
    if ((field->flags & ZF_ITEMS) != 0) {
        return check_each(fields, field, node) && good;
    }
    return (field->object != NULL || check_texts(fields, field, node)) && good;
}

static bool check_value(const zf_fields *fields, const zf_field *field, uint32_t node) {
    const uint32_t types = field->types & ~(uint32_t)ZF_NULL;
    if ((field->types & ZF_NULL) != 0 && zf_is(fields->doc, node, ZJ_NULL)) {
        return true;
    }
    switch (types) {
    case ZF_INTEGER | ZF_TEXT:
        return zf_is(fields->doc, node, ZJ_STRING) ? check_text(fields, field, node)
                                                   : check_number(fields, field, node);
    case ZF_NUMBER: case ZF_INTEGER: return check_number(fields, field, node);
    case ZF_TEXT: return check_text(fields, field, node);
    case ZF_ARRAY: return check_array(fields, field, node);
    case ZF_BOOLEAN:
        return zf_is(fields->doc, node, ZJ_TRUE) || zf_is(fields->doc, node, ZJ_FALSE) ||
               not_of_type(fields, field, node);
    default:
        if (!zf_is(fields->doc, node, ZJ_OBJECT)) {
            return not_of_type(fields, field, node);
        }
        return (field->flags & ZF_MAP) == 0 || check_map(fields, field, node);
    }
}

// ------------------------------------------------------------------------------------------------------------- objects

// Writers that leave out what is null mean null: nobody would object to its being written. Not where some other member
// has a name that is not known, since that may be this one.
static void fix_null(const zf_fields *fields, uint32_t added, const zf_field *field) {
    const uint32_t members = zj_at(fields->doc, fields->object)->as.items.count;
    uint32_t known = 0;
    for (uint32_t i = 0; i < fields->table->field_count; i++) {
        known += fields->nodes[i] != 0;
    }
    if (members > 0 && known == members) {
        zf_fix_missing(fields->doc, added, fields->object, field->name.text, ZB_TEXT("null"));
    }
}

static void report_required(const zf_fields *fields, uint32_t index) {
    const zf_field *field = &fields->table->fields[index];
    const uint32_t added = zf_report(fields, index, rule_of(fields, ZF_KEYWORD_REQUIRED),
                                     ZD_ARGS(zd_word(field->name.text), zd_word(fields->table->name)));
    hint_about(fields, added, field);
    if ((field->types & ZF_NULL) != 0) {
        fix_null(fields, added, field);
    }
}

static void check_member(zf_fields *fields, uint32_t index) {
    const zf_field *field = &fields->table->fields[index];
    const uint32_t value = fields->nodes[index];
    if (value == 0) {
        fields->wrong[index] = field->required;
    } else if ((field->types & ZF_NULL) == 0 || !zf_is(fields->doc, value, ZJ_NULL)) {
        fields->wrong[index] = !check_value(fields, field, value);
    } else {
        fields->wrong[index] = false;
        fields->nodes[index] = 0;
    }
}

static bool is_meant(const zf_fields *fields, uint32_t item, const zf_demand *demand) {
    const zj_doc *doc = fields->doc;
    const zf_field *field = demand->item;
    const uint32_t value = zf_is(doc, item, ZJ_OBJECT) ? zj_member(doc, item, zf_name_text(field->name)) : 0;
    if (field->types == ZF_BOOLEAN) {
        return zf_is(doc, value, ZJ_TRUE);
    }
    return zf_is(doc, value, ZJ_STRING) && zf_name_is(&field->words[demand->item_word], zj_text(doc, value));
}

// Where there is no list, that has been reported.
static void check_demand(zf_fields *fields, const zf_demand *demand) {
    ZO_ASSERT(demand->kind == ZF_ONE);
    ZO_ASSERT(demand->when[0] == NULL);
    const uint32_t index = (uint32_t)(demand->field - fields->table->fields);
    const uint32_t list = fields->nodes[index];
    uint32_t count = 0;
    if (!zf_is(fields->doc, list, ZJ_ARRAY)) {
        return;
    }
    for (uint32_t item = zj_at(fields->doc, list)->as.items.first; item != 0; item = zj_at(fields->doc, item)->next) {
        count += is_meant(fields, item, demand) ? 1 : 0;
    }
    if (count != 1) {
        zf_report_head(fields->doc, list, demand->id, ZD_ARGS(zd_int(count)));
        fields->wrong[index] = true;
    }
}

bool zf_fields_check(zf_fields *fields, zb_arena *arena, const zj_doc *doc, uint32_t node, const zf_object *table) {
    ZO_ASSERT(table->rules != NULL);
    if (!zf_is(doc, node, ZJ_OBJECT)) {
        const uint32_t added =
            zf_report_head(doc, node, (zd_id)table->rules[ZF_KEYWORD_TYPE],
                           ZD_ARGS(zd_word(table->name), zd_word("an object"), zf_not(arena, doc, node)));
        if (added != 0) {
            zd_report_hint(doc->report, added, "{}: {}", ZD_ARGS(zd_word(table->name), zd_word(table->about)));
        }
        return false;
    }
    zf_fields_read(fields, arena, doc, node, table);
    for (uint32_t i = 0; i < table->field_count; i++) { // before nulls are taken away
        if (table->fields[i].required && fields->nodes[i] == 0) {
            report_required(fields, i);
        }
    }
    for (uint32_t i = 0; i < table->field_count; i++) {
        check_member(fields, i);
    }
    for (uint32_t i = 0; i < table->demand_count; i++) {
        check_demand(fields, &table->demands[i]);
    }
    return true;
}

// What is still to be looked at: an object by its table, or a value by its field.
typedef struct to_check {
    uint32_t node;
    const zf_object *table; // NULL: by the field
    const zf_field *field;
} to_check;

static void push_items(zb_array *open, const zj_doc *doc, uint32_t node, const zf_object *table,
                       const zf_field *field) {
    for (uint32_t item = zj_at(doc, node)->as.items.first; item != 0; item = zj_at(doc, item)->next) {
        *(to_check *)zb_array_push(open) = (to_check){item, table, field};
    }
}

// The value itself has been judged with the object that it is a member of.
static void push_value(zb_array *open, const zj_doc *doc, to_check value) {
    const zf_field *field = value.field;
    const bool list = zf_is(doc, value.node, ZJ_ARRAY) && (field->types & ZF_ARRAY) != 0;
    const bool object = zf_is(doc, value.node, ZJ_OBJECT) && (field->types & ZF_OBJECT) != 0;
    if (zf_object_in(field) == NULL || !(list || object)) {
        return;
    }
    if ((field->flags & (ZF_ITEMS | ZF_MAP)) != 0) {
        push_items(open, doc, value.node, NULL, field->item);
    } else if (list) {
        push_items(open, doc, value.node, field->object, NULL);
    } else {
        *(to_check *)zb_array_push(open) = (to_check){value.node, field->object, NULL};
    }
}

void zf_fields_check_all(zb_arena *arena, const zj_doc *doc, const zf_object *table) {
    zb_array open = zb_array_open(arena, sizeof(to_check));
    *(to_check *)zb_array_push(&open) = (to_check){ZJ_ROOT, table, NULL};
    for (uint32_t at = 0; at < open.count && !zb_arena_failed(arena); at++) {
        const to_check next = ((const to_check *)(const void *)open.items)[at];
        zf_fields fields;
        if (next.table == NULL) {
            push_value(&open, doc, next);
        } else if (zf_fields_check(&fields, arena, doc, next.node, next.table)) {
            for (uint32_t i = 0; i < next.table->field_count; i++) {
                if (fields.nodes[i] != 0) {
                    push_value(&open, doc, (to_check){fields.nodes[i], NULL, &next.table->fields[i]});
                }
            }
        }
    }
}

double zf_checked_number(const zf_fields *fields, uint32_t field, double absent) {
    const uint32_t node = fields->nodes[field];
    return fields->wrong[field] ? (double)NAN : node != 0 ? zj_at(fields->doc, node)->as.number : absent;
}

uint32_t zf_checked_word(const zf_fields *fields, uint32_t field, uint32_t absent) {
    const zf_field *f = &fields->table->fields[field];
    const uint32_t node = fields->nodes[field];
    return fields->wrong[field] ? f->word_count
           : node != 0          ? zf_word(f->words, f->word_count, zj_text(fields->doc, node))
                                : absent;
}

zo_text zf_checked_text(const zf_fields *fields, uint32_t field) {
    const uint32_t node = fields->nodes[field];
    return fields->wrong[field] || node == 0 ? (zo_text){"", 0} : zj_text(fields->doc, node);
}

bool zf_checked_true(const zf_fields *fields, uint32_t field, bool absent) {
    const uint32_t node = fields->nodes[field];
    return !fields->wrong[field] && (node != 0 ? zf_is(fields->doc, node, ZJ_TRUE) : absent);
}

uint32_t zf_checked_items(const zf_fields *fields, uint32_t field, uint32_t *count) {
    const uint32_t node = fields->nodes[field];
    const uint32_t most = fields->table->fields[field].count_max;
    *count = 0;
    if (!zf_is(fields->doc, node, ZJ_ARRAY)) {
        return 0;
    }
    *count = zj_at(fields->doc, node)->as.items.count;
    *count = most > 0 && *count > most ? most : *count;
    return zj_at(fields->doc, node)->as.items.first;
}
