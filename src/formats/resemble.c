// See resemble.h. The text is gone through sign by sign, with brackets matched as far as they match: it is broken, cut
// off, or has comments and commas as people write them, so nothing is taken for an error here.
#include "formats/resemble.h"

enum { DEPTH_MAX = 32, KEYS_MAX = 64, KEYS_MIN = 3, WORD_MAX = 48 };

typedef struct word {
    char bytes[WORD_MAX];
    uint32_t size;          // WORD_MAX: longer than any name
} word;

typedef struct scan {
    const char *at, *end;
    const zf_object *open[DEPTH_MAX]; // what the open brackets hold; NULL: nothing that the format knows
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

static uint32_t type_of(int c) { // by the first sign of a value, of zf_type
    return c == '"' || c == '\'' ? ZF_TEXT
           : c == '{'            ? ZF_OBJECT
           : c == '['            ? ZF_ARRAY
           : c == 't' || c == 'f' ? ZF_BOOLEAN
           : c == 'n'            ? ZF_NULL
                                 : ZF_NUMBER;
}

static const zf_field *field_of(const zf_object *object, zo_text name) {
    for (uint32_t i = 0; object != NULL && i < object->field_count; i++) {
        if (zf_name_is(&object->fields[i].name, name)) {
            return &object->fields[i];
        }
    }
    return NULL;
}

// The member of that name where we are. Where a bracket was forgotten that may be further out: then it is closed.
static const zf_field *find(scan *s, zo_text name) {
    if (s->depth == 0 || s->depth > DEPTH_MAX || s->open[s->depth - 1] == NULL) {
        return NULL;
    }
    for (uint32_t depth = s->depth; depth > 0; depth--) {
        const zf_field *field = field_of(s->open[depth - 1], name);
        if (field != NULL) {
            s->depth = depth;
            return field;
        }
    }
    return NULL;
}

static void open_bracket(scan *s, const zf_object *object) {
    if (s->depth < DEPTH_MAX) {
        s->open[s->depth] = object;
    }
    s->depth++;
}

// Behind a member's colon. What it holds, if that is an object or an array.
static const zf_object *take_value(scan *s, const zf_field *field) {
    const int c = next(s);
    if (field == NULL || (c >= 0 && !(field->types & type_of(c)))) {
        return NULL;
    }
    s->known++;
    if ((c == '"' || c == '\'') && field->word_count == 1) { // of a TEXT
        const word value = take_word(s, c);
        s->named = s->named || zf_name_is(&field->words[0], text_of(&value));
    }
    return zf_object_in(field);
}

bool zf_resembles(zo_text text, const zf_object *object) {
    scan s = {.at = text.data, .end = text.size > 0 ? text.data + text.size : text.data};
    const zf_object *inside = object; // of the bracket that comes next
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
                s.keys++;
                inside = take_value(&s, find(&s, text_of(&name)));
                continue;
            }
        } else {
            s.at++;
        }
        inside = s.depth == 0 ? object : s.depth <= DEPTH_MAX ? s.open[s.depth - 1] : NULL;
    }
    return s.named || (s.known >= KEYS_MIN && s.known * 4 >= s.keys * 3);
}
