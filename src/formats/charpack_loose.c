// How the format's own validator takes values: it turns them into texts or whole numbers first and judges then. And
// what it says of paths. Called by the other charpack files. Reports nothing.
#include "base/number.h"
#include "base/utf8.h"
#include "formats/charpack.h"
#include "json/compact.h"

static zo_text trimmed(zo_text text) { return zb_utf8_trim(text, zb_is_white); }

// Without point and exponent it is a whole number of any length to the validator, else a double.
static bool is_whole(zo_text number) {
    for (size_t i = 0; i < number.size; i++) {
        if (number.data[i] == '.' || number.data[i] == 'e' || number.data[i] == 'E') {
            return false;
        }
    }
    return true;
}

static zo_text number_text(zb_arena *arena, const zj_doc *doc, uint32_t node) {
    const double number = zj_at(doc, node)->as.number;
    if (number == 0.0) {
        return (zo_text){"", 0};
    }
    if (is_whole(zj_source(doc, node))) {
        return zj_source(doc, node);
    }
    zb_buffer out = zb_buffer_open(arena);
    zb_put_double(&out, number);
    if (is_whole((zo_text){out.data, out.size}) && zb_is_finite(number)) {
        zb_put(&out, ".0");
    }
    return (zo_text){out.data, out.size};
}

zo_text zf_cp_text(zb_arena *arena, const zj_doc *doc, uint32_t node, bool *loose) {
    if (node == 0) {
        return (zo_text){"", 0};
    }
    zo_text text = {"", 0};
    switch (zj_kind_of(doc, node)) {
    case ZJ_STRING: return trimmed(zj_text(doc, node));
    case ZJ_NULL: case ZJ_FALSE: break;
    case ZJ_TRUE: text = ZB_TEXT("True"); break;
    case ZJ_NUMBER: text = number_text(arena, doc, node); break;
    case ZJ_ARRAY: case ZJ_OBJECT:
        if (zj_at(doc, node)->as.items.count > 0) { // of some length; no name that anybody else has written
            zb_buffer out = zb_buffer_open(arena);
            zj_put_compact(&out, doc, node, ZJ_ORDER_SCRIPT, (zj_stand_in){0});
            text = (zo_text){out.data, out.size};
        }
        break;
    }
    if (loose != NULL && text.size > 0) {
        *loose = true;
    }
    return text;
}

// Digits, a sign before them, single underscores between them.
static bool integer_in(zo_text text, int64_t *out) {
    text = trimmed(text);
    size_t at = text.size > 0 && (text.data[0] == '-' || text.data[0] == '+') ? 1 : 0;
    const bool negative = at > 0 && text.data[0] == '-';
    bool digit = false;
    int64_t value = 0;
    for (; at < text.size; at++) {
        const char c = text.data[at];
        if (c == '_' && digit && at + 1 < text.size) {
            digit = false;
            continue;
        }
        if (c < '0' || c > '9') {
            return false;
        }
        digit = true;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value)) {
            value = INT64_MAX; // and stays there
        }
    }
    *out = negative ? -value : value;
    return digit;
}

bool zf_cp_integer(const zj_doc *doc, uint32_t node, int64_t *out, bool *loose) {
    switch (node != 0 ? zj_kind_of(doc, node) : ZJ_NULL) {
    case ZJ_TRUE: case ZJ_FALSE:
        *loose = true;
        *out = zj_kind_of(doc, node) == ZJ_TRUE;
        return true;
    case ZJ_STRING:
        *loose = true;
        return integer_in(zj_text(doc, node), out);
    case ZJ_NUMBER: {
        const double number = zj_at(doc, node)->as.number;
        if (!zb_is_finite(number)) {
            return is_whole(zj_source(doc, node)) && integer_in(zj_source(doc, node), out);
        }
        *out = number >= 0x1p63 ? INT64_MAX : number < -0x1p63 ? INT64_MIN : (int64_t)number;
        *loose = *loose || (number < 0x1p53 && number > -0x1p53 && (double)*out != number);
        return true;
    }
    default: return false;
    }
}

static bool is_drive(zo_text path) {
    return path.size >= 2 && path.data[1] == ':' &&
           ((path.data[0] >= 'a' && path.data[0] <= 'z') || (path.data[0] >= 'A' && path.data[0] <= 'Z'));
}

bool zf_cp_is_absolute(zo_text path) {
    return path.size > 0 && (path.data[0] == '/' || path.data[0] == '\\' || is_drive(path));
}

zo_text zf_cp_path(zb_arena *arena, zo_text text, const char **fault) {
    zb_buffer out = zb_buffer_open(arena);
    *fault = text.size == 0                      ? "it is empty"
             : memchr(text.data, 0, text.size)   ? "it holds a zero byte"
             : is_drive(text)                    ? "it begins with a drive"
             : zf_cp_is_absolute(text)           ? "it begins at the root of the file system"
                                                 : NULL;
    for (size_t at = 0; at < text.size && *fault == NULL;) {
        size_t size = 0;
        while (at + size < text.size && text.data[at + size] != '/' && text.data[at + size] != '\\') {
            size++;
        }
        const zo_text part = {text.data + at, size};
        at += size + 1;
        if (zb_text_equal(part, ZB_TEXT(".."))) {
            *fault = "it goes up by ..";
        } else if (part.size > 0 && !zb_text_equal(part, ZB_TEXT("."))) {
            zb_put(&out, out.size > 0 ? "/" : "");
            zb_put_text(&out, part);
        }
    }
    return (zo_text){zb_buffer_text(&out), out.size};
}

bool zf_cp_is_texture(zo_text path) {
    static const char ending[] = ".ktx2";
    const size_t size = sizeof ending - 1;
    if (path.size <= size || path.data[path.size - size - 1] == '/') { // a name that is all ending has none
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        const char c = path.data[path.size - size + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) {
            return false;
        }
    }
    return true;
}
