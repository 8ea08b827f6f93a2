// Writes the tables of a format as a JSON Schema: see schema.h. Objects become definitions that refer to each other, so
// that nothing here recurses but a list in a list; demands become if and then; what cannot be said stands in $comment.
#include "formats/schema.h"

enum { LINE_MAX = 100, LEVELS_MAX = 24 }; // columns of a list on one line

// ----------------------------------------------------------------------------------------------------- JSON as it goes

typedef struct pen {
    zb_buffer *out;
    zo_profile profile;
    uint32_t depth;
    char closing[LEVELS_MAX];
    bool begun[LEVELS_MAX]; // something stands at this depth already
} pen;

static void line(pen *p) {
    zb_put_char(p->out, '\n');
    zb_put_repeat(p->out, ' ', 2 * p->depth);
}

static void item(pen *p, const char *key) { // NULL: of an array
    if (p->depth > 0) {
        zb_put(p->out, p->begun[p->depth] ? "," : "");
        line(p);
    }
    p->begun[p->depth] = true;
    if (key != NULL) {
        zb_put_json_text(p->out, zb_text(key));
        zb_put(p->out, ": ");
    }
}

static void open(pen *p, const char *key, char bracket) {
    item(p, key);
    zb_put_char(p->out, bracket);
    p->depth++;
    ZO_ASSERT(p->depth < LEVELS_MAX);
    p->closing[p->depth] = bracket == '{' ? '}' : ']';
    p->begun[p->depth] = false;
}

static void close(pen *p) {
    const char bracket = p->closing[p->depth];
    const bool begun = p->begun[p->depth];
    p->depth--;
    if (begun) {
        line(p);
    }
    zb_put_char(p->out, bracket);
}

static void close_to(pen *p, uint32_t depth) {
    while (p->depth > depth) {
        close(p);
    }
}

static void text(pen *p, const char *key, const char *value) {
    item(p, key);
    zb_put_json_text(p->out, zb_text(value));
}

static void number(pen *p, const char *key, double value) {
    item(p, key);
    zb_put_double(p->out, value);
}

// The texts of a list on one line, or one a line when they are many.
static void words(pen *p, const char *key, const zf_name *list, uint32_t count) {
    size_t size = 2 * (size_t)p->depth + strlen(key);
    for (uint32_t i = 0; i < count; i++) {
        size += list[i].size + 4;
    }
    if (size > LINE_MAX) {
        open(p, key, '[');
        for (uint32_t i = 0; i < count; i++) {
            text(p, NULL, list[i].text);
        }
        close(p);
        return;
    }
    item(p, key);
    for (uint32_t i = 0; i < count; i++) {
        zb_put(p->out, i == 0 ? "[" : ", ");
        zb_put_json_text(p->out, zf_name_text(list[i]));
    }
    zb_put_char(p->out, ']');
}

static void required(pen *p, const zf_field *field) { words(p, "required", &field->name, 1); }

// ------------------------------------------------------------------------------------------------------------- values

static void put_number(pen *p, const zf_field *f) {
    if (f->low == f->high) {
        number(p, "const", f->low);
        return;
    }
    text(p, "type", (f->types & ZF_INTEGER) != 0 ? "integer" : "number");
    if (f->low > -DBL_MAX) {
        number(p, (f->flags & ZF_ABOVE_LOW) != 0 ? "exclusiveMinimum" : "minimum", f->low);
    }
    if (f->high < DBL_MAX) {
        number(p, "maximum", f->high);
    }
}

static void put_words(pen *p, const zf_field *f) {
    if (f->word_count == 1) {
        text(p, "const", f->words[0].text);
    } else {
        words(p, "enum", f->words, f->word_count);
    }
}

static void put_text(pen *p, const zf_field *f) {
    const bool either = zf_form_of(f, 0) != NULL && (f->word_count > 0 || zf_form_of(f, 1) != NULL);
    if (f->word_count == 0 || either) {
        text(p, "type", "string");
    }
    if (f->count_min > 0) {
        number(p, "minLength", f->count_min);
    }
    if (f->count_max > 0) {
        number(p, "maxLength", f->count_max);
    }
    if (!either) {
        if (f->word_count > 0) {
            put_words(p, f);
        } else if (zf_form_of(f, 0) != NULL) {
            text(p, "pattern", zf_form_of(f, 0)->patterns[p->profile]);
        }
        return;
    }
    open(p, "anyOf", '['); // the words by themselves, for editors that offer them
    if (f->word_count > 0) {
        open(p, NULL, '{');
        put_words(p, f);
        close(p);
    }
    for (uint32_t i = 0; i < ZF_FORMS_MAX && zf_form_of(f, i) != NULL; i++) {
        open(p, NULL, '{');
        text(p, "pattern", zf_form_of(f, i)->patterns[p->profile]);
        close(p);
    }
    close(p);
}

static void put_reference(pen *p, const zf_object *object) {
    zb_buffer *out = p->out;
    item(p, "$ref");
    zb_put(out, "\"#/$defs/");
    zb_put(out, object->name);
    zb_put_char(out, '"');
}

static void put_value(pen *p, const zf_field *f);

// Calls itself for items, no deeper than the table goes.
static void put_item(pen *p, const char *key, const zf_field *item) {
    open(p, key, '{');
    put_value(p, item);
    close(p);
}

static void put_type(pen *p, const zf_field *f, zf_type type) {
    switch (type) {
    case ZF_NUMBER: case ZF_INTEGER: put_number(p, f); break;
    case ZF_TEXT: put_text(p, f); break;
    case ZF_OBJECT:
        if ((f->flags & ZF_MAP) != 0) {
            text(p, "type", "object");
            if (f->count_min > 0) {
                number(p, "minProperties", f->count_min);
            }
            put_item(p, "additionalProperties", f->item);
        } else if (f->object != NULL) {
            put_reference(p, f->object);
        } else {
            text(p, "type", "object");
        }
        break;
    case ZF_ARRAY:
        text(p, "type", "array");
        if (f->count_min > 0) {
            number(p, "minItems", f->count_min);
        }
        if (f->count_max > 0) {
            number(p, "maxItems", f->count_max);
        }
        if ((f->flags & ZF_UNIQUE) != 0) {
            item(p, "uniqueItems");
            zb_put(p->out, "true");
        }
        if ((f->flags & ZF_ITEMS) != 0) {
            put_item(p, "items", f->item);
            break;
        }
        open(p, "items", '{');
        if (f->object != NULL) {
            put_reference(p, f->object);
        } else {
            text(p, "type", "string");
        }
        close(p);
        break;
    case ZF_BOOLEAN: text(p, "type", "boolean"); break;
    case ZF_NULL: text(p, "type", "null"); break;
    }
}

static void put_value(pen *p, const zf_field *f) {
    if ((f->types & (f->types - 1)) == 0) {
        put_type(p, f, (zf_type)f->types);
        return;
    }
    static const uint8_t order[] = {ZF_NUMBER, ZF_INTEGER, ZF_TEXT, ZF_OBJECT, ZF_ARRAY, ZF_BOOLEAN, ZF_NULL};
    open(p, "anyOf", '[');
    for (uint32_t i = 0; i < ZB_COUNT(order); i++) {
        if ((f->types & order[i]) != 0) {
            open(p, NULL, '{');
            put_type(p, f, (zf_type)order[i]);
            close(p);
        }
    }
    close(p);
}

// ------------------------------------------------------------------------------------------------------ if this, then

// "this member is there and is that word, or true", within an open object.
static void put_is(pen *p, const zf_field *field, uint32_t word) {
    required(p, field);
    open(p, "properties", '{');
    open(p, field->name.text, '{');
    if (field->types == ZF_BOOLEAN) {
        item(p, "const");
        zb_put(p->out, "true");
    } else {
        text(p, "const", field->words[word].text);
    }
    close(p);
    close(p);
}

static void put_condition(pen *p, const zf_field *const when[2], uint32_t word) {
    const uint32_t depth = p->depth;
    open(p, "if", '{');
    if (when[1] != NULL) {
        required(p, when[0]);
        open(p, "properties", '{');
        open(p, when[0]->name.text, '{');
        text(p, "type", "object");
    }
    put_is(p, when[1] != NULL ? when[1] : when[0], word);
    close_to(p, depth);
}

// A member that counts only where another one is a certain word.
static void put_when(pen *p, const zf_object *object, const zf_field *f) {
    const uint32_t depth = p->depth;
    open(p, NULL, '{');
    put_condition(p, (const zf_field *const[2]){&object->fields[f->when_ref - 1], NULL}, f->when_word);
    open(p, "then", '{');
    if (f->required) {
        required(p, f);
    }
    open(p, "properties", '{');
    open(p, f->name.text, '{');
    put_value(p, f);
    close_to(p, depth);
}

// Of the items: validators in strict mode want the types said again, also where they are known.
static void put_items(pen *p) {
    text(p, "type", "array");
    open(p, "items", '{');
    text(p, "type", "object");
}

static void put_items_meant(pen *p, const zf_demand *d) {
    put_items(p);
    open(p, "if", '{');
    put_is(p, d->item, d->item_word);
    close(p);
    open(p, "then", '{');
}

static void put_demanded(pen *p, const zf_demand *d) { // within the schema of the value judged
    switch (d->kind) {
    case ZF_EMPTY:
        text(p, "type", "array");
        number(p, "maxItems", 0.0);
        break;
    case ZF_ONE:
        text(p, "type", "array");
        open(p, "contains", '{');
        text(p, "type", "object");
        put_is(p, d->item, d->item_word);
        close(p);
        number(p, "minContains", 1.0);
        number(p, "maxContains", 1.0);
        break;
    case ZF_WITH:
        put_items_meant(p, d);
        required(p, d->member);
        break;
    case ZF_WITHOUT:
        put_items_meant(p, d);
        open(p, "properties", '{');
        item(p, d->member->name.text);
        zb_put(p->out, "false");
        break;
    case ZF_NO_WORD:
        put_items(p);
        open(p, "properties", '{');
        open(p, d->member->name.text, '{');
        open(p, "not", '{');
        words(p, "enum", d->member->words + d->word_first, d->word_count);
        break;
    case ZF_NO_FORM:
        open(p, "not", '{');
        text(p, "type", "string");
        text(p, "pattern", d->form->patterns[p->profile]);
        break;
    }
}

static void put_demand(pen *p, const zf_demand *d) {
    const uint32_t depth = p->depth;
    open(p, NULL, '{');
    text(p, "$comment", zd_rule_of(d->id)->id);
    if (d->when[0] != NULL) {
        put_condition(p, d->when, d->when_word);
        open(p, "then", '{');
    }
    if (d->kind == ZF_ONE && !d->field->required) {
        required(p, d->field);
    }
    open(p, "properties", '{');
    open(p, d->field->name.text, '{');
    put_demanded(p, d);
    close_to(p, depth);
}

// ------------------------------------------------------------------------------------------------------------ objects

static void put_beyond(pen *p, const zf_object *object) {
    if (object->beyond_count == 0) {
        return;
    }
    zb_buffer comment = zb_buffer_open(p->out->arena);
    zb_put(&comment, "Only zoetrope check sees whether ");
    for (uint32_t i = 0; i < object->beyond_count; i++) {
        zb_put(&comment, i > 0 ? ", and whether " : "");
        zb_put(&comment, object->beyond[i].about);
        zb_put(&comment, " (");
        zb_put(&comment, zd_rule_of(object->beyond[i].id)->id);
        zb_put_char(&comment, ')');
    }
    text(p, "$comment", zb_buffer_text(&comment));
}

static void put_required(pen *p, const zf_object *object) {
    zf_name names[ZF_FIELDS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < object->field_count; i++) {
        if (object->fields[i].required && object->fields[i].when_ref == 0) {
            names[count++] = object->fields[i].name;
        }
    }
    if (count > 0) {
        words(p, "required", names, count);
    }
}

// Where the object has rules it is said what a thing is; that becomes a sentence.
static void put_about(pen *p, const zf_object *object, const char *about) {
    if (object->rules == NULL) {
        text(p, "description", about);
        return;
    }
    zb_buffer sentence = zb_buffer_open(p->out->arena);
    const char first = about[0];
    zb_put_char(&sentence, first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first);
    zb_put(&sentence, about + 1);
    zb_put_char(&sentence, '.');
    text(p, "description", zb_buffer_text(&sentence));
}

static void put_object(pen *p, const zf_object *object) {
    put_beyond(p, object);
    text(p, "type", "object");
    put_required(p, object);
    open(p, "properties", '{');
    uint32_t conditions = object->demand_count;
    for (uint32_t i = 0; i < object->field_count; i++) {
        const zf_field *f = &object->fields[i];
        open(p, f->name.text, '{');
        put_about(p, object, f->about);
        if ((f->flags & (ZF_STABLE | ZF_EXPERIMENTAL)) != 0) {
            text(p, "x-stability", (f->flags & ZF_STABLE) != 0 ? "stable" : "experimental");
        }
        if (f->when_ref == 0) {
            put_value(p, f);
        } else {
            conditions++;
        }
        close(p);
    }
    close(p);
    if (object->other != 0 || object->rules != NULL) {
        item(p, "additionalProperties");
        zb_put(p->out, "false");
    }
    if (conditions == 0) {
        return;
    }
    open(p, "allOf", '[');
    for (uint32_t i = 0; i < object->field_count; i++) {
        if (object->fields[i].when_ref != 0) {
            put_when(p, object, &object->fields[i]);
        }
    }
    for (uint32_t i = 0; i < object->demand_count; i++) {
        put_demand(p, &object->demands[i]);
    }
    close(p);
}

zf_objects zf_objects_of(const zf_object *root) {
    zf_objects all = {{root}, 1};
    for (uint32_t at = 0; at < all.count; at++) {
        for (uint32_t i = 0; i < all.items[at]->field_count; i++) {
            const zf_object *object = zf_object_in(&all.items[at]->fields[i]);
            uint32_t known = 0;
            while (known < all.count && all.items[known] != object) {
                known++;
            }
            if (object != NULL && known == all.count) {
                ZO_ASSERT(all.count < ZF_OBJECTS_MAX);
                all.items[all.count++] = object;
            }
        }
    }
    return all;
}

zf_said zf_rule_said(const zf_objects *objects, zd_id id) {
    bool said = false;
    bool beyond = false;
    for (uint32_t o = 0; o < objects->count; o++) {
        const zf_object *object = objects->items[o];
        for (uint32_t i = 0; i < object->demand_count; i++) {
            said = said || object->demands[i].id == id;
        }
        for (uint32_t i = 0; object->rules != NULL && i < ZF_KEYWORD_COUNT; i++) {
            said = said || object->rules[i] == id;
        }
        if (object->rules != NULL) {
            continue;
        }
        said = said || object->id == id || (object->other != 0 && object->other == id);
        for (uint32_t i = 0; i < object->field_count; i++) {
            said = said || object->fields[i].id == id || (id != 0 && object->fields[i].id_above == id);
        }
        for (uint32_t i = 0; i < object->beyond_count; i++) {
            beyond = beyond || object->beyond[i].id == id;
        }
    }
    return said ? (beyond ? ZF_SAID_PARTLY : ZF_SAID) : beyond ? ZF_SAID_NOT : ZF_NOT_THERE;
}

void zf_put_schema(zb_buffer *out, const zo_format *format, const zf_object *root, zo_profile profile) {
    pen p = {.out = out, .profile = profile};
    const bool original = profile == ZO_PROFILE_ORIGINAL;
    const zf_objects objects = zf_objects_of(root);
    open(&p, NULL, '{');
    text(&p, "$schema", "https://json-schema.org/draft/2020-12/schema");
    item(&p, "$id");
    zb_put(out, "\"zoetrope:");
    zb_put(out, format->name);
    zb_put(out, original ? ":original\"" : "\"");
    text(&p, "title", format->title);
    put_about(&p, root, root->about);
    put_object(&p, root);
    open(&p, "$defs", '{');
    for (uint32_t i = 1; i < objects.count; i++) {
        open(&p, objects.items[i]->name, '{');
        put_about(&p, objects.items[i], objects.items[i]->about);
        put_object(&p, objects.items[i]);
        close(&p);
    }
    close_to(&p, 0);
    zb_put_char(out, '\n');
}
