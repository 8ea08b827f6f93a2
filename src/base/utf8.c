// UTF-8 decoding and the width of text on a terminal. Called by the JSON scanner, the report's renderer and the buffer.
// Must not know what a text is for.
#include "base/utf8.h"

// The second byte has its own bounds after E0, ED, F0 and F4: that alone keeps out overlong forms, surrogates and what
// lies above U+10FFFF. Source: Unicode 15, table 3-7.
typedef struct zb_lead {
    uint8_t length; // bytes of the sequence; 0: cannot begin one
    uint8_t second_min, second_max;
} zb_lead;

static zb_lead lead_of(uint8_t byte) {
    if (byte < 0x80) { return (zb_lead){1, 0, 0}; }
    if (byte < 0xC2 || byte > 0xF4) { return (zb_lead){0, 0, 0}; }
    if (byte < 0xE0) { return (zb_lead){2, 0x80, 0xBF}; }
    if (byte < 0xF0) { return (zb_lead){3, byte == 0xE0 ? 0xA0 : 0x80, byte == 0xED ? 0x9F : 0xBF}; }
    return (zb_lead){4, byte == 0xF0 ? 0x90 : 0x80, byte == 0xF4 ? 0x8F : 0xBF};
}

// Ill-formed: moves past the longest beginning of a sequence that was still possible, as browsers do.
uint32_t zb_utf8_next(const char *text, size_t size, size_t *at, bool *ok) {
    ZO_ASSERT(*at < size);
    const uint8_t *bytes = (const uint8_t *)text;
    const uint8_t first = bytes[(*at)++];
    if (first < 0x80) { return first; }
    const zb_lead lead = lead_of(first);
    uint32_t code_point = lead.length == 2 ? first & 0x1Fu : lead.length == 3 ? first & 0x0Fu : first & 0x07u;
    uint32_t done = 1;
    while (done < lead.length && *at < size) {
        const uint8_t byte = bytes[*at];
        const uint8_t min = done == 1 ? lead.second_min : 0x80;
        const uint8_t max = done == 1 ? lead.second_max : 0xBF;
        if (byte < min || byte > max) { break; }
        code_point = code_point << 6 | (byte & 0x3Fu);
        done++;
        (*at)++;
    }
    if (lead.length > 0 && done == lead.length) { return code_point; }
    if (ok) { *ok = false; }
    return 0xFFFD;
}

zo_text zb_utf8_trim(zo_text text, bool (*is_white)(uint32_t code_point)) {
    size_t first = text.size, end = 0, at = 0;
    while (at < text.size) {
        const size_t begin = at;
        if (!is_white(zb_utf8_next(text.data, text.size, &at, NULL))) {
            first = first < begin ? first : begin;
            end = at;
        }
    }
    return end > first ? (zo_text){text.data + first, end - first} : (zo_text){text.data, 0};
}

bool zb_is_white(uint32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

size_t zb_utf8_valid_prefix(const char *text, size_t size) {
    size_t at = 0;
    while (at < size) {
        uint64_t eight;
        while (size - at >= sizeof eight) {
            memcpy(&eight, text + at, sizeof eight);
            if (eight & 0x8080808080808080u) { break; }
            at += sizeof eight;
        }
        if (at == size) { break; }
        const size_t begin = at;
        bool ok = true;
        zb_utf8_next(text, size, &at, &ok);
        if (!ok) { return begin; }
    }
    return size;
}

uint32_t zb_utf8_count(const char *text, size_t size) {
    uint32_t count = 0;
    for (size_t at = 0; at < size; count++) { zb_utf8_next(text, size, &at, NULL); }
    return count;
}

uint32_t zb_utf16_count(const char *text, size_t size) {
    uint32_t count = 0;
    for (size_t at = 0; at < size;) { count += zb_utf8_next(text, size, &at, NULL) >= 0x10000 ? 2 : 1; }
    return count;
}

typedef struct zb_range { // four bytes, because there are hundreds
    uint32_t first : 21;
    uint32_t more : 11;   // code points that follow the first
} zb_range;

#include "base/width_table.inc"

static bool is_in(uint32_t code_point, const zb_range *ranges, uint32_t count) {
    uint32_t begin = 0;
    uint32_t end = count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (ranges[middle].first + ranges[middle].more < code_point) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < count && ranges[begin].first <= code_point;
}

uint32_t zb_code_point_width(uint32_t code_point) {
    if (code_point < 0x300) { return 1; } // Latin: nothing of either list
    if (is_in(code_point, none, ZB_COUNT(none))) { return 0; }
    return is_in(code_point, wide, ZB_COUNT(wide)) ? 2 : 1;
}
