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

uint32_t zb_lower(uint32_t code_point) {
    static const struct { uint32_t first, last, step; int32_t to; } capitals[] = {
        {0x41, 0x5A, 1, 32},     {0xC0, 0xD6, 1, 32},     {0xD8, 0xDE, 1, 32},     {0x100, 0x12E, 2, 1},
        {0x132, 0x136, 2, 1},    {0x139, 0x147, 2, 1},    {0x14A, 0x176, 2, 1},    {0x178, 0x178, 1, -121},
        {0x179, 0x17D, 2, 1},    {0x1CD, 0x1DB, 2, 1},    {0x1DE, 0x1EE, 2, 1},    {0x1F8, 0x21E, 2, 1},
        {0x222, 0x232, 2, 1},    {0x386, 0x386, 1, 38},   {0x388, 0x38A, 1, 37},   {0x38C, 0x38C, 1, 64},
        {0x38E, 0x38F, 1, 63},   {0x391, 0x3A1, 1, 32},   {0x3A3, 0x3AB, 1, 32},   {0x400, 0x40F, 1, 80},
        {0x410, 0x42F, 1, 32},   {0x460, 0x480, 2, 1},    {0x48A, 0x4BE, 2, 1},    {0x4C0, 0x4C0, 1, 15},
        {0x4C1, 0x4CD, 2, 1},    {0x4D0, 0x52E, 2, 1},    {0x531, 0x556, 1, 48},   {0x1E00, 0x1E94, 2, 1},
        {0x1EA0, 0x1EFE, 2, 1},  {0xFF21, 0xFF3A, 1, 32},
    };
    for (uint32_t i = 0; i < ZB_COUNT(capitals) && capitals[i].first <= code_point; ++i) {
        if (code_point > capitals[i].last || (code_point - capitals[i].first) % capitals[i].step != 0) { continue; }
        return (uint32_t)((int32_t)code_point + capitals[i].to);
    }
    return code_point;
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
