// See resemble.h. The text is gone through sign by sign, with brackets matched as far as they match: it is broken, cut
// off, or has comments and commas as people write them, so nothing is taken for an error here.
#include "formats/resemble.h"

enum { DEPTH_MAX = 32, KEYS_MAX = 64, KEYS_MIN = 3, WORD_MAX = 48 };
// Bytes that are looked at: each format looks anew, and megabytes without a member say nothing.
enum { LOOK_MAX = 256 << 10 };

typedef struct word {
    char bytes[WORD_MAX];
    uint32_t size;          // WORD_MAX: longer than any name
} word;

// What stands in brackets: members of an object, or, of a map, any names whose values are like `item`. Both NULL:
// nothing that the format knows.
typedef struct place {
    const zf_object *object;
    const zf_field *item;
} place;

typedef struct scan {
    const char *at, *end;
    place open[DEPTH_MAX];            // what the open brackets hold
    uint32_t depth;                   // open brackets, perhaps more than there is room for
    uint32_t keys, known;
    bool named;                       // a member says that it is this format
} scan;

// The next byte that counts, -1: the end. Zeros do not: they are half of each sign in UTF-16.
static int peek(scan *s) {
    while (s->at < s->end && *s->at == 0) {
        s->at++;
    }
    return s->at < s->end ? (unsigned char)*s->at : -1;
}

static bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool is_word(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' ||
           c == '+' || c == '$';
}

static void skip_line(scan *s) {
    for (int c = peek(s); c >= 0 && c != '\n'; c = peek(s)) {
        s->at++;
    }
}

static void skip_comment(scan *s) { // at a slash
    s->at++;
    if (peek(s) != '*') {
        skip_line(s);
        return;
    }
    s->at++;
    for (int before = 0, c = peek(s); c >= 0; before = c, c = peek(s)) {
        s->at++;
        if (before == '*' && c == '/') {
            return;
        }
    }
}

static int next(scan *s) { // past what means nothing
    for (int c = peek(s); c >= 0; c = peek(s)) {
        if (c == '/') {
            skip_comment(s);
        } else if (c == '#') {
            skip_line(s);
        } else if (is_space(c)) {
            s->at++;
        } else {
            return c;
        }
    }
    return -1;
}

static void add(word *w, int c) {
    if (w->size < WORD_MAX) {
        w->bytes[w->size++] = (char)c;
    }
}

// A text in quotes, or a word without; one whose quote is missing ends with its line.
static word take_word(scan *s, int quote) {
    word w = {.size = 0};
    if (quote == '"' || quote == '\'') {
        s->at++;
        for (int c = peek(s); c >= 0 && c != '\n'; c = peek(s)) {
            s->at++;
            if (c == quote) {
                break;
            }
            add(&w, c);
            if (c == '\\' && peek(s) >= 0) {
                add(&w, peek(s));
                s->at++;
            }
        }
        return w;
    }
    for (int c = peek(s); is_word(c); c = peek(s)) {
        add(&w, c);
        s->at++;
    }
    return w;
}

static zo_text text_of(const word *w) { return (zo_text){w->bytes, w->size}; }

// By the first sign of a value, of zf_type; a word without quotes may be a text.
static uint32_t type_of(int c) {
    return c == '"' || c == '\'' ? ZF_TEXT
           : c == '{'            ? ZF_OBJECT
           : c == '['            ? ZF_ARRAY
           : c == 't' || c == 'f' ? ZF_BOOLEAN | ZF_TEXT
           : c == 'n'            ? ZF_NULL | ZF_TEXT
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? ZF_TEXT | ZF_NUMBER // NaN, or a word
                                 : ZF_NUMBER;
}

static bool is_nothing(const place *p) { return p->object == NULL && p->item == NULL; }

static const zf_field *field_of(const zf_object *object, zo_text name) {
    for (uint32_t i = 0; object != NULL && i < object->field_count; i++) {
        if (zf_name_is(&object->fields[i].name, name)) {
            return &object->fields[i];
        }
    }
    return NULL;
}

// What a value of the field holds, if that is an object or an array; the items of an array hold the same.
static place place_in(const zf_field *field) {
    while ((field->flags & ZF_ITEMS) != 0) {
        field = field->item;
    }
    if ((field->types & (ZF_OBJECT | ZF_ARRAY)) == 0) {
        return (place){NULL, NULL};
    }
    const bool map = (field->flags & ZF_MAP) != 0;
    return (place){map ? NULL : field->object, map ? field->item : NULL};
}

// The member of that name where we are. Where a bracket was forgotten that may be further out: then it is closed.
static const zf_field *find(scan *s, zo_text name) {
    if (s->depth == 0 || s->depth > DEPTH_MAX || is_nothing(&s->open[s->depth - 1])) {
        return NULL;
    }
    for (uint32_t depth = s->depth; depth > 0; depth--) {
        const zf_field *field = field_of(s->open[depth - 1].object, name);
        if (field != NULL) {
            s->depth = depth;
            return field;
        }
    }
    return NULL;
}

static void open_bracket(scan *s, place inside) {
    if (s->depth < DEPTH_MAX) {
        s->open[s->depth] = inside;
    }
    s->depth++;
}

// Behind a member's colon. What it holds, if that is an object or an array. The names in a map say nothing, but what
// they have may be wrong.
static place take_value(scan *s, zo_text name) {
    const int c = next(s);
    const zf_field *named = find(s, name);
    const bool there = s->depth > 0 && s->depth <= DEPTH_MAX;
    const zf_field *field = named != NULL ? named : there ? s->open[s->depth - 1].item : NULL;
    if (field == NULL || (c >= 0 && !(field->types & type_of(c)))) {
        s->keys++;
        return (place){NULL, NULL};
    }
    s->keys += named != NULL;
    s->known += named != NULL;
    if ((c == '"' || c == '\'') && field->word_count == 1) { // of a TEXT
        const word value = take_word(s, c);
        s->named = s->named || zf_name_is(&field->words[0], text_of(&value));
    }
    return place_in(field);
}

bool zf_resembles(zo_text text, const zf_object *object) {
    const size_t size = text.size < LOOK_MAX ? text.size : LOOK_MAX;
    scan s = {.at = text.data, .end = size > 0 ? text.data + size : text.data};
    const place nothing = {NULL, NULL}, all = {object, NULL};
    place inside = all; // of the bracket that comes next
    for (int c = next(&s); c >= 0 && s.keys < KEYS_MAX && !s.named; c = next(&s)) {
        if (c == '{' || c == '[') {
            s.at++;
            open_bracket(&s, inside);
            continue; // the items of an array hold the same
        }
        if (c == '}' || c == ']') {
            s.at++;
            s.depth -= s.depth > 1; // the outermost one stays open: what follows may belong to it
        } else if (c == '"' || c == '\'' || is_word(c)) {
            const word name = take_word(&s, c);
            if (next(&s) == ':') {
                s.at++;
                inside = take_value(&s, text_of(&name));
                continue;
            }
        } else {
            s.at++;
        }
        inside = s.depth == 0 ? all : s.depth <= DEPTH_MAX ? s.open[s.depth - 1] : nothing;
    }
    return s.named || (s.known >= KEYS_MIN && s.known * 4 >= s.keys * 3);
}
