// Easing texts: the nine names and cubic-bezier(x1, y1, x2, y2), to control points and back. Called by the reader and
// by the frame list. Evaluating a curve is the program's business (program/easing.h).
#include "base/number.h"
#include "formats/petween.h"

const zf_name zf_pt_easings[ZF_PT_EASING_COUNT] = {
    ZF_NAME("linear"),      ZF_NAME("ease"),        ZF_NAME("ease-in"),
    ZF_NAME("ease-out"),    ZF_NAME("ease-in-out"), ZF_NAME("spring-soft"),
    ZF_NAME("spring-snappy"), ZF_NAME("overshoot"), ZF_NAME("anticipate"),
};

static const double easing_curves[ZF_PT_EASING_COUNT][4] = {
    {0.00, 0.00, 1.00, 1.00}, {0.25, 0.10, 0.25, 1.00}, {0.42, 0.00, 1.00, 1.00},
    {0.00, 0.00, 0.58, 1.00}, {0.42, 0.00, 0.58, 1.00}, {0.25, 1.10, 0.45, 1.00},
    {0.20, 1.40, 0.40, 1.00}, {0.34, 1.56, 0.64, 1.00}, {0.36, 0.00, 0.66, -0.56},
};

typedef struct scanner {
    const char *next, *end;
} scanner;

static bool take(scanner *s, char c) {
    if (s->next == s->end || *s->next != c) {
        return false;
    }
    s->next++;
    return true;
}

// The white space of CSS; U+00A0 and its like are none.
static void skip_space(scanner *s) {
    while (s->next < s->end &&
           (*s->next == ' ' || *s->next == '\t' || *s->next == '\n' || *s->next == '\r' || *s->next == '\f')) {
        s->next++;
    }
}

// -?(digits [. digits*] | . digits): no plus sign, no exponent. The number reader's own grammar is JSON's, which wants
// a digit before the point and no zero in front, so the digits are handed over in its form.
static bool take_number(scanner *s, double *out) {
    const bool negative = take(s, '-');
    const char *begin = s->next;
    uint64_t digits = 0;
    int64_t exponent = 0;
    uint32_t significant = 0;
    bool any = false;
    bool point = false;
    bool more = false;
    for (; s->next < s->end; s->next++) {
        const char c = *s->next;
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') {
            break;
        }
        any = true;
        if (significant < 19) {
            digits = digits * 10 + (uint64_t)(c - '0');
            significant += digits != 0 ? 1 : 0;
            exponent -= point ? 1 : 0;
        } else {
            more = more || c != '0';
            exponent += point ? 0 : 1;
        }
    }
    if (!any) {
        return false;
    }
    *out = zb_number_make(digits, exponent, negative, more, begin, (size_t)(s->next - begin));
    return true;
}

static bool scan_curve(scanner *s, double curve[4]) {
    for (uint32_t i = 0; i < 4; i++) {
        skip_space(s);
        if (!take_number(s, &curve[i])) {
            return false;
        }
        skip_space(s);
        if (!take(s, i < 3 ? ',' : ')')) {
            return false;
        }
    }
    return s->next == s->end;
}

// The same as a pattern, for both profiles. Digits cannot tell what rounds to 0 or 1 and what to no finite number, so
// where rounding decides the pattern lets all through: 1.000000000000000 with more behind it, 323 zeros behind the
// point of a negative x, 309 digits before the point of a y.
#define SPACE "[ \t\n\r\f]*"
#define X "(0+(\\.[0-9]*)?|\\.[0-9]+|0*1(\\.0{0,14}|\\.0{15}[0-9]*)?|-(0+(\\.0*)?|\\.0+|0*\\.0{323}[0-9]*))"
#define Y "-?(0*[0-9]{1,309}(\\.[0-9]*)?|\\.[0-9]+)"
#define POINT SPACE X SPACE "," SPACE Y SPACE
#define CURVE "^cubic-bezier\\(" POINT "," POINT "\\)$"
const zf_form zf_pt_curve_text = {.patterns = {CURVE, CURVE}};

const double *zf_pt_easing_parse(zb_arena *arena, zo_text text) {
    const uint32_t named = zf_word(zf_pt_easings, ZF_PT_EASING_COUNT, text);
    if (named < ZF_PT_EASING_COUNT) {
        return easing_curves[named];
    }
    static const zf_name head = ZF_NAME("cubic-bezier(");
    if (text.size < head.size || memcmp(text.data, head.text, head.size) != 0) {
        return NULL;
    }
    scanner s = {text.data + head.size, text.data + text.size};
    double curve[4];
    if (!scan_curve(&s, curve)) {
        return NULL;
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (!zb_is_finite(curve[i]) || ((i & 1) == 0 && !(curve[i] >= 0.0 && curve[i] <= 1.0))) {
            return NULL;
        }
        curve[i] += 0.0; // -0 is 0
    }
    double *kept = zb_arena_take(arena, sizeof curve);
    if (kept == NULL) {
        return easing_curves[0]; // the arena has failed; whatever is made of this is thrown away
    }
    memcpy(kept, curve, sizeof curve);
    return kept;
}

bool zf_pt_curve_equal(const double *a, const double *b) {
    if (a == NULL || b == NULL || a == b) {
        return a == b;
    }
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

bool zf_pt_curve_linear(const double *curve) {
    return curve == NULL || (curve[0] == curve[1] && curve[2] == curve[3]);
}

void zf_pt_put_curve(zb_buffer *out, const double *curve) {
    if (curve == NULL) {
        zb_put(out, "linear");
        return;
    }
    zb_put(out, "cubic-bezier(");
    for (uint32_t i = 0; i < 4; i++) {
        zb_put_double(out, curve[i] + 0.0);
        zb_put_char(out, i < 3 ? ',' : ')');
    }
}

void zf_pt_put_easing_name(zb_buffer *out, const double *curve) {
    if (curve == NULL) {
        zb_put(out, "none");
        return;
    }
    for (uint32_t i = 0; i < ZF_PT_EASING_COUNT; i++) {
        if (zf_pt_curve_equal(curve, easing_curves[i])) {
            zb_put(out, zf_pt_easings[i].text);
            return;
        }
    }
    zf_pt_put_curve(out, curve);
}
