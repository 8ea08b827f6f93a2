// What is no JSON, and read all the same where a format's own programs do: texts in single quotes and without any,
// other signs for comma and colon, a comma too many or too few. Called by the parser where something odd stands; each
// function looks first whether the lenience asked for covers it. Comments are skipped in faults.c.
#include "json/parser.h"

#include "json/scan.h"

static bool is_loose(const zj_parser *p) { return (p->lenient & ZJ_LOOSE) != 0; }

// Of ASCII, what can stand in a text without quotes.
static bool is_bare(uint8_t c) {
    return c > 0x20 && c != 0x7F && c != '"' && c != '\'' && c != '/' && c != '\\' && c != ';' && c != '#' &&
           c != '=' && c != '{' && c != '}' && c != '[' && c != ']' && c != ':' && c != ',';
}

bool zj_in_bare_word(const zj_parser *p, const uint8_t *at) { return at < p->end && is_bare(*at); }

// A sign beyond ASCII begins none: most often it is a quote or a blank of another trade, which is worth saying.
bool zj_begins_loose_text(const zj_parser *p, const uint8_t *at) {
    return is_loose(p) && (*at == '\'' || (*at < 0x80 && is_bare(*at)));
}

static const uint8_t *skip_digits(const zj_parser *p, const uint8_t *at) {
    while (at < p->end && zj_is_digit(*at)) { at++; }
    return at;
}

// Where words need no quotes, what begins like a number and is none is a word: 01, -.5, 5., 2x.
bool zj_begins_loose_word(const zj_parser *p, const uint8_t *at) {
    if (!is_loose(p)) { return false; }
    const uint8_t *const whole = at + (*at == '-'), *digits = skip_digits(p, whole);
    bool good = digits > whole && (digits - whole == 1 || *whole != '0');
    if (digits < p->end && *digits == '.') {
        const uint8_t *const fraction = digits + 1;
        digits = skip_digits(p, fraction);
        good = good && digits > fraction;
    }
    if (digits < p->end && (*digits | 0x20) == 'e') {
        const uint8_t *const sign = digits + 1;
        const uint8_t *const exponent = sign + (sign < p->end && (*sign == '+' || *sign == '-'));
        digits = skip_digits(p, exponent);
        good = good && digits > exponent;
    }
    return !good || zj_in_bare_word(p, digits);
}

static const uint8_t *read_bare_word(zj_parser *p, const uint8_t *at, uint32_t node) {
    const uint8_t *const text = at;
    while (zj_in_bare_word(p, at)) {
        const uint32_t size = zj_utf8_sequence(at, p->end);
        if (size == 0) { return zj_fault_utf8(p, node, at); }
        at += size;
    }
    zj_node *const n = &p->nodes[node];
    n->end = zj_offset(p, at);
    n->as.string.text = n->begin;
    n->as.string.size = (uint32_t)(at - text);
    zj_tell(p, ZJ_ODD_WORD, text, (size_t)(at - text));
    return at;
}

const uint8_t *zj_read_loose_text(zj_parser *p, const uint8_t *at, uint32_t node) {
    ZO_ASSERT(zj_begins_loose_text(p, at));
    if (*at != '\'') { return read_bare_word(p, at, node); }
    const uint8_t *const behind = zj_read_string_rest(p, at + 1, at + 1, node);
    if (behind != NULL) { zj_tell(p, ZJ_ODD_QUOTE, at, (size_t)(behind - at)); }
    return behind;
}

static bool has_line_end(const uint8_t *at, const uint8_t *end) {
    while (at < end && *at != '\n' && *at != '\r') { at++; }
    return at < end;
}

const uint8_t *zj_loose_comma(zj_parser *p, const uint8_t *at) {
    if (is_loose(p) && *at == ';') {
        zj_tell(p, ZJ_ODD_SEMICOLON, at, 1);
        return at + 1;
    }
    const uint8_t *const last_end = p->source + p->nodes[p->last].end;
    const bool due = (p->lenient & ZJ_MISSING_COMMAS) != 0 && p->nodes[p->open].kind == ZJ_OBJECT && *at == '"' &&
                     has_line_end(last_end, at);
    if (!due) { return NULL; }
    const uint8_t *const end = zj_skip_plain(at + 1, p->end);
    const bool whole = end < p->end && *end == '"' && end - at < 64;
    const zo_text next = {(const char *)at, whole ? (size_t)(end + 1 - at) : 1};
    const uint32_t added = zj_tell_each(p, ZD_JSON_MISSING_COMMA, last_end, 0, ZD_ARGS(zd_text(next)));
    if (added != 0) { zd_report_fix(p->report, added, ZB_TEXT(","), "insert the comma", ZD_NO_ARGS); }
    return at;
}

const uint8_t *zj_loose_colon(zj_parser *p, const uint8_t *at) {
    if (!is_loose(p) || *at != '=') { return NULL; }
    const size_t size = p->end - at > 1 && at[1] == '>' ? 2 : 1;
    zj_tell(p, ZJ_ODD_EQUALS, at, size);
    return at + size;
}

bool zj_loose_trailing_comma(zj_parser *p, const char *after) {
    if (!is_loose(p)) { return false; }
    const uint32_t added = zj_tell_each(p, ZD_JSON_TRAILING_COMMA, p->comma, 1, ZD_ARGS(zd_word(after)));
    if (added != 0) { zd_report_fix(p->report, added, ZB_TEXT(""), "remove the comma", ZD_NO_ARGS); }
    return true;
}
