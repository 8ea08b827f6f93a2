// Strings: plain ones stay in the source, those with escapes are decoded into the document's texts. Called by the
// parser for keys and values alike. All text is checked to be UTF-8 on the way, once.
#include "json/parser.h"

#include "json/scan.h"

// Room for `size` more bytes of decoded text.
static bool reserve(zj_parser *p, size_t size) {
    if (p->text_capacity - p->text_size >= size) { return true; }
    // Decoded text is never longer than its source, so this stays within a few times the source.
    const size_t capacity = p->text_capacity * 2 + size + 256;
    char *const texts = zb_arena_grow(p->arena, p->texts, p->text_capacity, capacity);
    if (texts == NULL) {
        zj_no_memory(p);
        return false;
    }
    p->texts = texts;
    p->text_capacity = capacity;
    return true;
}

static void put_unicode(zj_parser *p, uint32_t c) { // room is reserved
    char *const out = p->texts + p->text_size;
    if (c < 0x80) {
        out[0] = (char)c;
        p->text_size += 1;
    } else if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        p->text_size += 2;
    } else if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        p->text_size += 3;
    } else {
        out[0] = (char)(0xF0 | c >> 18);
        out[1] = (char)(0x80 | (c >> 12 & 0x3F));
        out[2] = (char)(0x80 | (c >> 6 & 0x3F));
        out[3] = (char)(0x80 | (c & 0x3F));
        p->text_size += 4;
    }
}

static const uint8_t *fault_unterminated(zj_parser *p, uint32_t node) {
    return zj_fault(p, node, ZD_JSON_UNTERMINATED, p->source + p->nodes[node].begin, 1, ZD_NO_ARGS);
}

// Below U+0020, as it stands.
static const uint8_t *fault_control(zj_parser *p, uint32_t node, const uint8_t *at) {
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = "btn\0fr"; // from U+0008 on
    const uint8_t *const quote = p->source + p->nodes[node].begin;
    const uint8_t c = *at;
    if (c == 0) { return zj_fault_zero(p, node, at); }
    if (c == '\n' || c == '\r') {
        return zj_fault_related(p, node, ZD_JSON_NEWLINE, at, 0, ZD_NO_ARGS, quote, 1, "the string begins here");
    }
    const char name[] = {'U', '+', '0', '0', digits[c >> 4], (char)(digits[c & 15] & ~(c % 16 > 9 ? 0x20 : 0)), 0};
    char escape[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15], 0};
    if (c >= 8 && c <= 13 && letters[c - 8] != 0) {
        escape[1] = letters[c - 8];
        escape[2] = 0;
    }
    return zj_fault(p, node, ZD_JSON_CONTROL, at, 1, ZD_ARGS(zd_word(name), zd_word(escape)));
}

// In single quotes, which are for lenient reading, a double one means itself.
static const uint8_t *skip_plain_in_single(const uint8_t *at, const uint8_t *end) {
    while (at < end && *at != '\'' && (zj_is_plain(*at) || *at == '"')) { at++; }
    return at;
}

// From a place in a string on to the quote or backslash that ends the run of characters that mean themselves; NULL:
// something else does.
static inline const uint8_t *skip_run(zj_parser *p, const uint8_t *at, uint32_t node) {
    const uint8_t *const end = p->end;
    const uint8_t quote = p->source[p->nodes[node].begin];
    for (;;) {
        at = quote == '"' ? zj_skip_plain(at, end) : skip_plain_in_single(at, end);
        if (at == end) { return fault_unterminated(p, node); }
        if (*at == quote || *at == '\\') { return at; }
        if (*at < 0x80) { return fault_control(p, node, at); }
        while (at < end && *at >= 0x80) {
            const uint32_t size = zj_utf8_sequence(at, end);
            if (size == 0) { return zj_fault_utf8(p, node, at); }
            at += size;
        }
    }
}

static bool is_hex(uint8_t c) { return zj_is_digit(c) || (uint8_t)((c | 0x20) - 'a') < 6; }

// Four hexadecimal digits, or -1.
static int32_t read_hex4(const uint8_t *at, const uint8_t *end) {
    if (end - at < 4) { return -1; }
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        if (!is_hex(at[i])) { return -1; }
        value = value * 16 + (zj_is_digit(at[i]) ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
    }
    return value;
}

// `at` is behind the backslash and the u.
static const uint8_t *read_unicode_escape(zj_parser *p, const uint8_t *at, uint32_t node) {
    const uint8_t *const end = p->end, *const escape = at - 2;
    const int32_t unit = read_hex4(at, end);
    if (unit < 0) {
        const uint8_t *bad = at;
        while (bad < end && is_hex(*bad)) { bad++; }
        if (bad == end) { return fault_unterminated(p, node); }
        return zj_fault(p, node, ZD_JSON_UNICODE_ESCAPE, escape, (size_t)(bad - escape), ZD_NO_ARGS);
    }
    at += 4;
    uint32_t c = (uint32_t)unit;
    if (c >= 0xD800 && c <= 0xDFFF) {
        const bool pair = c < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u';
        const int32_t low = pair ? read_hex4(at + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) {
            const zo_text text = {(const char *)escape, 6};
            return zj_fault(p, node, ZD_JSON_SURROGATE, escape, 6, ZD_ARGS(zd_text(text)));
        }
        c = 0x10000 + ((c - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
        at += 6;
    }
    put_unicode(p, c);
    return at;
}

// `at` is at the backslash. Room for four bytes is reserved.
static const uint8_t *read_escape(zj_parser *p, const uint8_t *at, uint32_t node) {
    if (p->end - at < 2) { return fault_unterminated(p, node); }
    char c;
    switch (at[1]) {
    case 'u': return read_unicode_escape(p, at + 2, node);
    case '"': c = '"'; break;
    case '\'':
        if ((p->lenient & ZJ_LOOSE) == 0) { goto unknown; }
        c = '\'';
        break;
    case '\\': c = '\\'; break;
    case '/': c = '/'; break;
    case 'b': c = '\b'; break;
    case 'f': c = '\f'; break;
    case 'n': c = '\n'; break;
    case 'r': c = '\r'; break;
    case 't': c = '\t'; break;
    default:
    unknown: {
        const bool shown = at[1] > 0x20 && at[1] < 0x7F;
        const zo_text text = {(const char *)at, shown ? 2 : 1};
        return zj_fault(p, node, ZD_JSON_ESCAPE, at, text.size, ZD_ARGS(zd_text(text)));
    }
    }
    p->texts[p->text_size++] = c;
    return at + 2;
}

// The rest of a string from its first backslash on: `run` is where its text begins.
static const uint8_t *read_escaped(zj_parser *p, const uint8_t *run, const uint8_t *at, uint32_t node) {
    const size_t begin = p->text_size;
    for (;;) {
        const size_t size = (size_t)(at - run);
        if (!reserve(p, size + 4)) { return NULL; }
        memcpy(p->texts + p->text_size, run, size);
        p->text_size += size;
        if (*at != '\\') { break; }
        run = read_escape(p, at, node);
        if (run == NULL) { return NULL; }
        at = skip_run(p, run, node);
        if (at == NULL) { return NULL; }
    }
    zj_node *const n = &p->nodes[node];
    n->flags |= ZJ_ESCAPED;
    n->end = zj_offset(p, at) + 1;
    n->as.string.text = (uint32_t)begin;
    n->as.string.size = (uint32_t)(p->text_size - begin);
    return at + 1;
}

const uint8_t *zj_read_string_rest(zj_parser *p, const uint8_t *text, const uint8_t *at, uint32_t node) {
    at = skip_run(p, at, node);
    if (at == NULL) { return NULL; }
    if (*at == '\\') { return read_escaped(p, text, at, node); }
    zj_node *const n = &p->nodes[node];
    n->end = zj_offset(p, at) + 1;
    n->as.string.text = zj_offset(p, text);
    n->as.string.size = (uint32_t)(at - text);
    return at + 1;
}
