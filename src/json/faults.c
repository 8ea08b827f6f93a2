// What is wrong with a text that is not JSON: looks at the place where the parser stopped and picks the diagnostic that
// says it best. Called by the parser when it is over, so time does not matter here; knows nothing of how reading goes.
#include "json/parser.h"

#include "base/utf8.h"
#include "json/scan.h"

enum {
    SHOWN_MAX = 40, // bytes of a word or string that a message quotes
    EARLY = 1024,   // bytes at the start that tell a text from other files
};

typedef struct shown { // a piece of the source, or a name for it, as a message shows it
    char name[16];
    zo_text text; // .data NULL: see name
} shown;

static zd_arg arg(const shown *s) { return s->text.data != NULL ? zd_text(s->text) : zd_word(s->name); }

// "U+00A0"
static shown shown_code_point(uint32_t code_point) {
    static const char digits[] = "0123456789ABCDEF";
    shown s = {.name = "U+"};
    uint32_t shift = code_point > 0xFFFFF ? 20 : code_point > 0xFFFF ? 16 : 12, at = 2;
    for (;; shift -= 4) {
        s.name[at++] = digits[code_point >> shift & 15];
        if (shift == 0) { return s; }
    }
}

// "'x'"
static shown shown_char(char c) { return (shown){.name = {'\'', c, '\''}}; }

static const uint8_t *word_end(const uint8_t *at, const uint8_t *end) {
    while (at < end && zj_is_word(*at)) { at++; }
    return at;
}

// Whatever begins here: a word or number, a short string with its quotes, else the one character.
static shown shown_token(const zj_parser *p, const uint8_t *at) {
    const uint8_t *end = at;
    if (*at == '"') {
        end = zj_skip_plain(at + 1, p->end);
        end = end < p->end && *end == '"' ? end + 1 : at;
    } else if (zj_is_word(*at)) {
        end = word_end(at, p->end);
    } else if (*at == '-' || *at == '+' || *at == '.') {
        end = word_end(at + 1, p->end);
    }
    if (end > at && end - at <= SHOWN_MAX) { return (shown){.text = {(const char *)at, (size_t)(end - at)}}; }
    if (*at >= 0x80) {
        size_t next = 0;
        return shown_code_point(zb_utf8_next((const char *)at, (size_t)(p->end - at), &next, NULL));
    }
    return *at < 0x20 || *at == 0x7F ? shown_code_point(*at) : shown_char((char)*at);
}

static size_t shown_size(const shown *s) { return s->text.data != NULL ? s->text.size : 1; }

static bool in_object(const zj_parser *p) { return p->nodes[p->open].kind == ZJ_OBJECT; }

zj_doc zj_doc_so_far(const zj_parser *p) {
    return (zj_doc){.source = (const char *)p->source, .size = (uint32_t)(p->end - p->source), .file = p->file,
                    .nodes = p->nodes, .node_count = p->node_count, .texts = p->texts, .report = p->report};
}

static zd_place place_of(const zj_parser *p, uint32_t node, zd_id id, const uint8_t *at, size_t length) {
    zd_place place = {.file = p->file, .offset = zj_offset(p, at), .length = length};
    if (p->report != NULL && node != 0 && zd_report_keeps(p->report, id)) {
        const zj_doc doc = zj_doc_so_far(p);
        place.pointer = zj_pointer(zd_report_arena(p->report), &doc, node);
    }
    return place;
}

static void fix(zj_parser *p, uint32_t added, zo_text insert, const char *what, zd_args args) {
    if (added != 0) { zd_report_fix(p->report, added, insert, what, args); }
}

// What is reported gives way to these bytes in double quotes.
static void fix_with_quotes(zj_parser *p, uint32_t added, const uint8_t *at, size_t size, const char *what) {
    if (added == 0) { return; }
    zb_buffer quoted = zb_buffer_open(zd_report_arena(p->report));
    zb_put_char(&quoted, '"');
    zb_put_bytes(&quoted, at, size);
    zb_put_char(&quoted, '"');
    const zo_text text = {quoted.data, quoted.size};
    if (!zb_arena_failed(quoted.arena)) { fix(p, added, text, what, ZD_ARGS(zd_text(text))); }
}

// Ends the reading. Returns what zd_report_add returns.
static uint32_t end_with(zj_parser *p, uint32_t node, zd_id id, const uint8_t *at, size_t length, zd_args args) {
    p->status = id == ZD_JSON_DEPTH ? ZO_LIMIT : ZO_INVALID;
    return p->report != NULL ? zd_report_add(p->report, id, place_of(p, node, id, at, length), args) : 0;
}

const uint8_t *zj_fault(zj_parser *p, uint32_t node, zd_id id, const uint8_t *at, size_t length, zd_args args) {
    end_with(p, node, id, at, length, args);
    return NULL;
}

const uint8_t *zj_fault_related(zj_parser *p, uint32_t node, zd_id id, const uint8_t *at, size_t length, zd_args args,
                                const uint8_t *related, size_t related_length, const char *message) {
    const uint32_t added = end_with(p, node, id, at, length, args);
    const zd_place second = {.file = p->file, .offset = zj_offset(p, related), .length = related_length};
    if (added != 0) { zd_report_relate(p->report, added, second, message); }
    return NULL;
}

void zj_no_memory(zj_parser *p) { p->status = ZO_NO_MEMORY; }

const uint8_t *zj_fault_zero(zj_parser *p, uint32_t node, const uint8_t *at) {
    return zj_fault(p, node, ZD_JSON_BINARY, at, 1, ZD_ARGS(zd_int((int64_t)zj_offset(p, at))));
}

// A zero byte near the start: then the file is no text at all, and other faults are beside the point.
static const uint8_t *early_zero(const zj_parser *p) {
    const size_t size = (size_t)(p->end - p->source);
    return size != 0 ? memchr(p->source, 0, size < EARLY ? size : EARLY) : NULL;
}

const uint8_t *zj_fault_utf8(zj_parser *p, uint32_t node, const uint8_t *at) {
    static const char digits[] = "0123456789ABCDEF";
    const uint8_t *const zero = early_zero(p);
    if (zero != NULL) { return zj_fault_zero(p, 0, zero); }
    const uint32_t cut = zj_utf8_cut(at, p->end);
    if (cut != 0) { return zj_fault(p, node, ZD_JSON_UTF8_TRUNCATED, at, cut, ZD_NO_ARGS); }
    const char byte[] = {digits[*at >> 4], digits[*at & 15], 0};
    return zj_fault(p, node, ZD_JSON_UTF8, at, 1, ZD_ARGS(zd_word(byte)));
}

static const uint8_t *fault_token(zj_parser *p, uint32_t node, zd_id id, const uint8_t *at) {
    const shown token = shown_token(p, at);
    return zj_fault(p, node, id, at, shown_size(&token), ZD_ARGS(arg(&token)));
}

static const uint8_t *fault_unexpected(zj_parser *p, uint32_t node, const uint8_t *at, zj_want want) {
    const char *const wanted = want == ZJ_WANT_VALUE   ? "a value"
                               : want == ZJ_WANT_KEY   ? "a key in quotes"
                               : want == ZJ_WANT_COLON ? "a colon"
                               : want == ZJ_WANT_END   ? "the end of the file"
                               : in_object(p)          ? "a comma or '}'"
                                                       : "a comma or ']'";
    const shown token = shown_token(p, at);
    return zj_fault(p, node, ZD_JSON_UNEXPECTED, at, shown_size(&token), ZD_ARGS(arg(&token), zd_word(wanted)));
}

// A single-quoted string or key: as far as its closing quote, if that is on the line. One of words and blanks alone,
// with what belongs behind a string, can be nothing else; an apostrophe within would end it too early.
static const uint8_t *fault_single_quote(zj_parser *p, uint32_t node, const uint8_t *at) {
    const uint8_t *end = at + 1;
    bool plain = true;
    for (; end < p->end && *end != '\'' && *end != '\n' && *end != '\r'; end++) {
        plain = plain && (zj_is_word(*end) || *end == ' ' || *end == '-' || *end == '.' || *end == ':');
    }
    const bool closed = end < p->end && *end == '\'';
    const size_t size = (size_t)(end - (at + 1));
    const uint32_t added = end_with(p, node, ZD_JSON_SINGLE_QUOTE, at, closed ? size + 2 : 1, ZD_NO_ARGS);
    const uint8_t *const next = closed ? zj_skip_space(end + 1, p->end) : p->end;
    if (plain && next < p->end && (*next == ':' || *next == ',' || *next == ']' || *next == '}')) {
        fix_with_quotes(p, added, at + 1, size, "write {}");
    }
    return NULL;
}

bool zj_is_nan_word(const uint8_t *at, const uint8_t *end) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    at += *at == '-' || *at == '+' ? 1 : 0;
    for (size_t i = 0; i < ZB_COUNT(words); i++) {
        const zo_text word = zb_text(words[i]);
        size_t same = 0;
        while (same < word.size && at + same < end && (at[same] | 0x20) == word.data[same]) { same++; }
        if (same == word.size && at + same == end) { return true; }
    }
    return false;
}

// What somebody meant who wrote the word, NULL: nobody knows.
static const char *meant_by(zo_text word) {
    static const char *const values[] = {"true", "false", "null"};
    static const char *const nothings[] = {"None", "nil", "undefined"};
    for (size_t i = 0; i < ZB_COUNT(nothings); i++) {
        if (zb_text_equal(word, zb_text(nothings[i]))) { return "null"; }
    }
    return zd_nearest(word, values, ZB_COUNT(values));
}

static const uint8_t *fault_word(zj_parser *p, uint32_t node, const uint8_t *at) {
    const uint8_t *const end = word_end(at, p->end);
    if (zj_is_nan_word(at, end)) { return fault_token(p, node, ZD_JSON_NAN, at); }
    const shown token = shown_token(p, at);
    const uint32_t added = end_with(p, node, ZD_JSON_WORD, at, shown_size(&token), ZD_ARGS(arg(&token)));
    const char *const meant = meant_by((zo_text){(const char *)at, (size_t)(end - at)});
    if (added != 0 && meant != NULL) { zd_report_hint(p->report, added, "write {}", ZD_ARGS(zd_word(meant))); }
    static const char *const of_python[][2] = {{"True", "true"}, {"False", "false"}, {"None", "null"}};
    for (size_t i = 0; i < ZB_COUNT(of_python); i++) {
        const char *const word = of_python[i][0], *const json = of_python[i][1];
        if (!zb_text_equal((zo_text){(const char *)at, (size_t)(end - at)}, zb_text(word))) { continue; }
        fix(p, added, zb_text(json), "replace {} with {}", ZD_ARGS(zd_word(word), zd_word(json)));
    }
    return NULL;
}

// The pointer of a value that could not be read names the value, so a node is made for it. The reading is over anyway.
static uint32_t missing_node(zj_parser *p) {
    if (p->open == 0 || p->node_count == p->node_capacity) { return p->open; }
    const uint32_t node = p->node_count++;
    p->nodes[node] = (zj_node){.parent = p->open, .key = p->key};
    if (p->last != 0) {
        p->nodes[p->last].next = node;
    } else {
        p->nodes[p->open].as.items.first = node;
    }
    return node;
}

// Not ASCII, where only ASCII can stand.
static const uint8_t *fault_beyond_ascii(zj_parser *p, const uint8_t *at, zj_want want) {
    const uint32_t node = want == ZJ_WANT_VALUE ? missing_node(p) : p->open;
    const uint32_t size = zj_utf8_sequence(at, p->end);
    if (size == 0) { return zj_fault_utf8(p, node, at); }
    size_t next = 0;
    const uint32_t c = zb_utf8_next((const char *)at, size, &next, NULL);
    const shown name = shown_code_point(c);
    if (c == 0x2018 || c == 0x2019 || c == 0x201C || c == 0x201D || c == 0x201E || c == 0xAB || c == 0xBB) {
        return zj_fault(p, node, ZD_JSON_CURLY_QUOTE, at, size, ZD_ARGS(arg(&name)));
    }
    if (c == 0xA0 || c == 0x85 || (c >= 0x2000 && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
        c == 0x205F || c == 0x2060 || c == 0x3000 || c == 0xFEFF) {
        fix(p, end_with(p, node, ZD_JSON_SPACE, at, size, ZD_ARGS(arg(&name))), ZB_TEXT(" "),
            "replace {} with a plain space", ZD_ARGS(arg(&name)));
        return NULL;
    }
    if (want == ZJ_WANT_END) { return zj_fault(p, node, ZD_JSON_AFTER_END, at, size, ZD_NO_ARGS); }
    return fault_unexpected(p, node, at, want);
}

// "]" where "}" is wanted, or the other way round.
static const uint8_t *fault_bracket(zj_parser *p, const uint8_t *at) {
    const uint8_t *const opened = p->source + p->nodes[p->open].begin;
    const shown closing = shown_char((char)*at), opening = shown_char((char)*opened);
    return zj_fault_related(p, p->open, ZD_JSON_BRACKET, at, 1, ZD_ARGS(arg(&closing), arg(&opening)), opened, 1,
                            "opened here");
}

static const uint8_t *fault_trailing_comma(zj_parser *p, const char *after) {
    const uint32_t added = end_with(p, p->open, ZD_JSON_TRAILING_COMMA, p->comma, 1, ZD_ARGS(zd_word(after)));
    fix(p, added, ZB_TEXT(""), "remove the comma", ZD_NO_ARGS);
    return NULL;
}

// A word with its colon behind it is a key that lacks only its quotes.
static const uint8_t *fault_unquoted_key(zj_parser *p, const uint8_t *at) {
    const shown token = shown_token(p, at);
    const uint8_t *const end = word_end(at, p->end), *const next = zj_skip_space(end, p->end);
    const size_t size = (size_t)(end - at);
    const uint32_t added = end_with(p, p->open, ZD_JSON_UNQUOTED_KEY, at, shown_size(&token), ZD_ARGS(arg(&token)));
    if (size == shown_size(&token) && next < p->end && *next == ':') {
        fix_with_quotes(p, added, at, size, "write {}");
    }
    return NULL;
}

static const uint8_t *fault_value(zj_parser *p, const uint8_t *at) {
    const uint8_t c = *at;
    if (c == ']' && p->open != 0 && !in_object(p)) {
        return fault_trailing_comma(p, "element");
    }
    if (c == '}' && p->open != 0 && !in_object(p)) { return fault_bracket(p, at); }
    const uint32_t node = missing_node(p);
    if (p->open != 0 && (c == ',' || c == ']' || c == '}')) { return fault_token(p, node, ZD_JSON_MISSING_VALUE, at); }
    if (c == '\'') { return fault_single_quote(p, node, at); }
    if (c == '.' && p->end - at > 1 && zj_is_digit(at[1])) {
        return fault_token(p, node, ZD_JSON_LEADING_POINT, at);
    }
    if (c == '+') {
        const bool nan = zj_is_nan_word(at, word_end(at + 1, p->end));
        return fault_token(p, node, nan ? ZD_JSON_NAN : ZD_JSON_PLUS, at);
    }
    if (zj_is_word(c)) { return fault_word(p, node, at); }
    return fault_unexpected(p, node, at, ZJ_WANT_VALUE);
}

static const uint8_t *fault_key(zj_parser *p, const uint8_t *at) {
    const uint8_t c = *at;
    if (c == '}') { return fault_trailing_comma(p, "member"); }
    if (c == ']') { return fault_bracket(p, at); }
    if (c == '\'') { return fault_single_quote(p, p->open, at); }
    if (zj_is_word(c) && !zj_is_digit(c)) { return fault_unquoted_key(p, at); }
    return fault_token(p, p->open, ZD_JSON_KEY, at);
}

// Behind a value, where a comma, a closing bracket or the end is wanted.
static const uint8_t *fault_next(zj_parser *p, const uint8_t *at, zj_want want) {
    const zj_node *const last = &p->nodes[p->last];
    const uint8_t c = *at, *const last_end = p->source + last->end;
    if (last_end == at && last->kind == ZJ_NUMBER && (zj_is_word(c) || c == '.' || c == '+' || c == '-')) {
        const uint8_t *const end = word_end(at + 1, p->end);
        const zo_text rest = {(const char *)at, (size_t)(end - at) <= SHOWN_MAX ? (size_t)(end - at) : 1};
        return zj_fault(p, p->last, ZD_JSON_NUMBER_END, at, rest.size, ZD_ARGS(zd_text(rest)));
    }
    if (last_end == at && last->kind <= ZJ_TRUE && zj_is_word(c)) {
        return fault_word(p, p->last, p->source + last->begin);
    }
    if (want == ZJ_WANT_END) {
        const shown token = shown_token(p, at);
        return zj_fault(p, 0, ZD_JSON_AFTER_END, at, shown_size(&token), ZD_NO_ARGS);
    }
    if (c == ']' || c == '}') { return fault_bracket(p, at); }
    if (c == '"' || c == '\'' || c == '{' || c == '[' || c == '-' || c == '+' || c == '.' || zj_is_word(c)) {
        const shown token = shown_token(p, at);
        return zj_fault_related(p, p->open, ZD_JSON_MISSING_COMMA, at, shown_size(&token), ZD_ARGS(arg(&token)),
                                last_end, 0, "the comma belongs here");
    }
    return fault_unexpected(p, p->open, at, want);
}

void zj_tell(zj_parser *p, zj_oddity oddity, const uint8_t *at, size_t length) {
    static const struct { zd_id id; const char *what; } said[] = {
        [ZJ_ODD_COMMENT] = {ZD_JSON_COMMENT, NULL},
        [ZJ_ODD_QUOTE] = {ZD_JSON_LENIENT_SYNTAX, "text in single quotes"},
        [ZJ_ODD_WORD] = {ZD_JSON_LENIENT_SYNTAX, "text without quotes"},
        [ZJ_ODD_SEMICOLON] = {ZD_JSON_LENIENT_SYNTAX, "';' in place of a comma"},
        [ZJ_ODD_EQUALS] = {ZD_JSON_LENIENT_SYNTAX, "'=' in place of a colon"},
    };
    p->loose = true;
    if ((p->told & 1u << oddity) != 0) { return; }
    p->told |= 1u << oddity;
    if (p->report != NULL) {
        const zd_id id = said[oddity].id;
        const zd_args args = said[oddity].what != NULL ? ZD_ARGS(zd_word(said[oddity].what)) : ZD_NO_ARGS;
        zd_report_add(p->report, id, place_of(p, p->open, id, at, length), args);
    }
}

uint32_t zj_tell_each(zj_parser *p, zd_id id, const uint8_t *at, size_t length, zd_args args) {
    p->loose = true;
    if (p->report == NULL) { return 0; }
    zd_report_soften(p->report, true);
    const uint32_t added = zd_report_add(p->report, id, place_of(p, p->open, id, at, length), args);
    zd_report_soften(p->report, false);
    return added;
}

// A comment, if `at` is at one and they are allowed: the place behind it. Its text must be text as well.
static const uint8_t *skip_comment(zj_parser *p, const uint8_t *at) {
    const uint8_t *const end = p->end, *stop = at + (at[0] == '#' ? 1 : 2);
    if (at[0] == '#' || at[1] != '*') {
        while (stop < end && *stop != '\n' && *stop != '\r' && *stop != 0) { stop++; }
    } else {
        while (end - stop >= 2 && !(stop[0] == '*' && stop[1] == '/') && *stop != 0) { stop++; }
        if (end - stop < 2) { return zj_fault(p, p->open, ZD_JSON_COMMENT_OPEN, at, 2, ZD_NO_ARGS); }
        stop += *stop != 0 ? 2 : 0;
    }
    const size_t size = (size_t)(stop - at), valid = zb_utf8_valid_prefix((const char *)at, size);
    if (valid < size) { return zj_fault_utf8(p, p->open, at + valid); }
    if (stop < end && *stop == 0) {
        return zj_fault_zero(p, p->open, stop);
    }
    zj_tell(p, ZJ_ODD_COMMENT, at, size);
    return stop;
}

const uint8_t *zj_odd(zj_parser *p, const uint8_t *at, zj_want want) {
    ZO_ASSERT(at < p->end);
    const uint8_t c = *at;
    const bool comment = c == '/' && p->end - at >= 2 && (at[1] == '/' || at[1] == '*');
    if (comment && (p->lenient & (ZJ_COMMENTS | ZJ_LOOSE)) != 0) { return skip_comment(p, at); }
    if (c == '#' && (p->lenient & ZJ_LOOSE) != 0) { return skip_comment(p, at); }
    if (comment || c == '#') {
        return zj_fault(p, p->open, ZD_JSON_NO_COMMENTS, at, comment ? 2 : 1, ZD_NO_ARGS);
    }
    const uint8_t *const zero = c == 0 ? at : early_zero(p);
    if (zero != NULL) { return zj_fault_zero(p, 0, zero); }
    if (c >= 0x80) { return fault_beyond_ascii(p, at, want); }
    switch (want) {
    case ZJ_WANT_VALUE: return fault_value(p, at);
    case ZJ_WANT_KEY: return fault_key(p, at);
    case ZJ_WANT_COLON: return fault_token(p, p->open, ZD_JSON_MISSING_COLON, at);
    case ZJ_WANT_NEXT:
    case ZJ_WANT_END: return fault_next(p, at, want);
    }
    return NULL;
}

const uint8_t *zj_fault_end(zj_parser *p) {
    // Not behind the last line feed, where nobody looks, but behind the last thing written.
    const uint8_t *at = p->end;
    while (at > p->source && zj_is_space(at[-1])) { at--; }
    if (p->open == 0) { return zj_fault(p, 0, ZD_JSON_EMPTY, p->source, 0, ZD_NO_ARGS); }
    const bool object = in_object(p);
    return zj_fault_related(p, p->open, ZD_JSON_END, at, 0,
                            ZD_ARGS(zd_word(object ? "object" : "array"), zd_word(object ? "}" : "]")),
                            p->source + p->nodes[p->open].begin, 1, "opened here");
}
