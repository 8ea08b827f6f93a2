// The built-in animations as tables, and their definitions as JSON texts. The texts are read like any other definition,
// so that there is one way from text to program. Called by formats.c. Source: petween, built-in animations.
#include "formats/petween.h"

enum { KEYS_MAX = 7 };

// In the order of zf_pt_properties.
enum { SX, SY, X, Y, ROTATION, OPACITY, SWAY, BOUNCE_X, BOUNCE_Y, BOUNCE_SX, BOUNCE_SY, BREATHE_SX, BREATHE_SY };
_Static_assert(BREATHE_SY + 1 == ZF_PT_PROPERTY_COUNT, "all properties");

// Easings of a row, one for each of the first keys; the others have none written.
enum { NO_EASINGS, FLIP, OUT3, IN_OUT2 };
static const char easings[][3][12] = {
    [FLIP] = {"ease-in", "ease-out"},
    [OUT3] = {"ease-out", "ease-out", "ease-out"},
    [IN_OUT2] = {"ease-in-out", "ease-in-out"},
};

// One track. A figure is what the strength scales: value = rest + figure * strength; 0 is written as the plain rest
// value. With `plain` the figures are the values themselves. Whole numbers, because there are many: times are
// hundredths; figures thousandths where they are factors, tenths where they are px or degrees.
typedef struct builtin_row {
    uint8_t property, count;
    bool plain;
    uint8_t easings;
    uint8_t times[KEYS_MAX];
    int16_t figures[KEYS_MAX];
} builtin_row;

// Of the animation and what may be done to its strength, in hundredths: default and max; 0: not declared.
typedef struct builtin {
    char id[24], name[16];
    uint8_t kind, row_count;  // rows follow those of the one before
    uint8_t swap;             // hundredths: time of the pose swap; transitions only
    bool confetti;            // at the same time
    uint16_t duration_ms, strength, strength_max;
} builtin;

#define T(...) {__VA_ARGS__}
#define ROW(property, times, ...) {property, COUNT(__VA_ARGS__), false, NO_EASINGS, times, {__VA_ARGS__}}
#define EASED(property, plain, easings, times, ...) {property, COUNT(__VA_ARGS__), plain, easings, times, {__VA_ARGS__}}
#define COUNT(...) (sizeof(int[]){__VA_ARGS__} / sizeof(int))

#define SOFT T(0, 35, 70, 100)
#define POP T(0, 18, 38, 57, 76, 90, 100)
#define JELLY T(0, 25, 48, 68, 84, 100)
#define JUMP T(0, 22, 48, 72, 87, 100)
#define SNAP T(0, 42, 62, 100)
#define CELEBRATE T(0, 20, 45, 70, 85, 100)
#define DEFLATE T(0, 30, 55, 80, 100)
#define ACTIVITY T(0, 40, 68, 86, 100)
#define CLICK T(0, 45, 100)
#define HOP T(0, 30, 60, 85, 100)
#define HALVES T(0, 50, 100)
#define BOUNCE T(0, 26, 56, 100)

static const builtin builtins[] = {
    {"builtin:none", "None", ZF_PT_TRANSITION, 0, 0, false, 80, 0, 0},
    {"builtin:soft", "Soft", ZF_PT_TRANSITION, 3, 40, false, 220, 100, 300},
    {"builtin:comic-pop", "Comic pop", ZF_PT_TRANSITION, 3, 40, false, 260, 100, 300},
    {"builtin:jelly", "Jelly", ZF_PT_TRANSITION, 3, 33, false, 380, 100, 300},
    {"builtin:jump", "Jump", ZF_PT_TRANSITION, 3, 42, false, 380, 100, 300},
    {"builtin:snap", "Snap", ZF_PT_TRANSITION, 3, 48, false, 160, 100, 300},
    {"builtin:flip", "Flip", ZF_PT_TRANSITION, 2, 50, false, 300, 100, 300},
    {"builtin:celebrate", "Celebrate", ZF_PT_TRANSITION, 4, 45, true, 420, 100, 300},
    {"builtin:deflate", "Deflate", ZF_PT_TRANSITION, 3, 50, false, 300, 100, 300},
    {"builtin:activity-swap", "Activity swap", ZF_PT_TRANSITION, 3, 40, false, 170, 100, 300},
    {"builtin:click-pop", "Click pop", ZF_PT_INTERACTION, 3, 0, false, 140, 100, 300},
    {"builtin:click-wiggle", "Click wiggle", ZF_PT_INTERACTION, 1, 0, false, 280, 100, 300},
    {"builtin:click-bounce", "Click bounce", ZF_PT_INTERACTION, 3, 0, false, 240, 100, 300},
    {"builtin:click-spin", "Click spin", ZF_PT_INTERACTION, 3, 0, false, 380, 100, 300},
    {"builtin:bounce", "Bounce", ZF_PT_AMBIENT, 3, 0, false, 360, 35, 180},
    {"builtin:sway", "Sway", ZF_PT_AMBIENT, 1, 0, false, 3600, 100, 1500},
    {"builtin:breathe", "Breathe", ZF_PT_AMBIENT, 2, 0, false, 2800, 25, 180},
};

static const builtin_row rows[] = {
    // soft
    ROW(SX, SOFT, 0, 40, -20, 0), ROW(SY, SOFT, 0, -40, 30, 0), ROW(Y, SOFT, 0, 20, -20, 0),
    // comic-pop
    ROW(SX, POP, 0, 50, 160, -100, 40, -15, 0), ROW(SY, POP, 0, -50, -180, 130, -40, 20, 0),
    ROW(Y, POP, 0, 20, 40, -60, 10, -10, 0),
    // jelly
    ROW(SX, JELLY, 0, 160, -100, 70, -20, 0), ROW(SY, JELLY, 0, -160, 130, -60, 30, 0),
    ROW(Y, JELLY, 0, 30, -50, 10, -10, 0),
    // jump
    ROW(SX, JUMP, 0, 140, -90, 100, -20, 0), ROW(SY, JUMP, 0, -160, 120, -100, 30, 0),
    ROW(Y, JUMP, 0, 40, -160, 0, -30, 0),
    // snap
    ROW(SX, SNAP, 0, 100, -60, 0), ROW(SY, SNAP, 0, -110, 80, 0), ROW(Y, SNAP, 0, 20, -30, 0),
    // flip
    EASED(SX, true, FLIP, HALVES, 1000, 0, 1000), EASED(SY, false, FLIP, HALVES, 0, 60, 0),
    // celebrate
    ROW(SX, CELEBRATE, 0, 80, -80, 50, -10, 0), ROW(SY, CELEBRATE, 0, -100, 140, -50, 20, 0),
    ROW(Y, CELEBRATE, 0, 20, -140, 0, -20, 0), ROW(ROTATION, CELEBRATE, 0, -30, 30, -15, 5, 0),
    // deflate
    ROW(SX, DEFLATE, 0, 60, -30, 20, 0), ROW(SY, DEFLATE, 0, -80, 40, -20, 0), ROW(Y, DEFLATE, 0, 20, -10, 10, 0),
    // activity-swap
    ROW(OPACITY, T(0, 40, 100), 0, -450, 0), ROW(SX, ACTIVITY, 0, -40, 12, -4, 0),
    ROW(SY, ACTIVITY, 0, -40, 12, -4, 0),
    // click-pop
    ROW(SX, CLICK, 0, 60, 0), ROW(SY, CLICK, 0, 60, 0), ROW(Y, CLICK, 0, -20, 0),
    // click-wiggle
    ROW(ROTATION, T(0, 20, 45, 70, 88, 100), 0, -60, 50, -25, 10, 0),
    // click-bounce
    ROW(SX, HOP, 0, 80, -50, 20, 0), ROW(SY, HOP, 0, -90, 60, -20, 0), ROW(Y, T(0, 30, 60, 100), 0, 20, -100, 0),
    // click-spin
    ROW(ROTATION, T(0, 100), 0, 3600), ROW(SX, HALVES, 0, 80, 0), ROW(SY, HALVES, 0, 80, 0),
    // bounce
    EASED(BOUNCE_Y, false, OUT3, BOUNCE, 0, 15, -45, 0), EASED(BOUNCE_SX, false, OUT3, BOUNCE, 0, 50, -25, 0),
    EASED(BOUNCE_SY, false, OUT3, BOUNCE, 0, -50, 55, 0),
    // sway
    EASED(SWAY, false, IN_OUT2, HALVES, -10, 10, -10),
    // breathe
    EASED(BREATHE_SX, false, IN_OUT2, HALVES, 0, -8, 0), EASED(BREATHE_SY, false, IN_OUT2, HALVES, 0, 18, 0),
};

uint32_t zf_pt_builtin_count(void) { return ZB_COUNT(builtins); }

const char *zf_pt_builtin_id(uint32_t index) { return index < ZB_COUNT(builtins) ? builtins[index].id : NULL; }

static void put_value(zb_buffer *out, const builtin_row *row, uint32_t key) {
    const zf_pt_property *property = &zf_pt_property_info[row->property];
    const double figure = row->figures[key] / (property->factor ? 1000.0 : 10.0);
    const double rest = property->rest;
    if (row->plain || row->figures[key] == 0) {
        zb_put_double(out, row->plain ? figure : rest);
        return;
    }
    zb_put(out, "{ \"base\": ");
    zb_put_double(out, rest);
    zb_put(out, ", \"parameter\": \"strength\", \"amount\": ");
    zb_put_double(out, figure);
    zb_put(out, " }");
}

static void put_track(zb_buffer *out, const builtin_row *row) {
    zb_put(out, "\n    {\n      \"property\": \"");
    zb_put(out, zf_pt_properties[row->property].text);
    zb_put(out, "\",\n      \"keyframes\": [");
    for (uint32_t key = 0; key < row->count; key++) {
        zb_put(out, key > 0 ? ",\n        { \"at\": " : "\n        { \"at\": ");
        zb_put_double(out, row->times[key] / 100.0);
        zb_put(out, ", \"value\": ");
        put_value(out, row, key);
        if (key < ZB_COUNT(easings[0]) && easings[row->easings][key][0] != 0) {
            zb_put(out, ", \"easing\": \"");
            zb_put(out, easings[row->easings][key]);
            zb_put_char(out, '"');
        }
        zb_put(out, " }");
    }
    zb_put(out, "\n      ]\n    }");
}

static void put_repeat(zb_buffer *out, const builtin *b) {
    if (b->kind != ZF_PT_AMBIENT) {
        zb_put(out, "{ \"mode\": \"once\" }");
    } else if (strcmp(b->id, "builtin:bounce") == 0) { // the one that waits between passes
        zb_put(out, "{ \"mode\": \"random-interval\", \"minDelayMs\": 800, \"maxDelayMs\": 1300 }");
    } else {
        zb_put(out, "{ \"mode\": \"loop\" }");
    }
}

static void put_events(zb_buffer *out, const builtin *b) {
    if (b->kind != ZF_PT_TRANSITION) {
        return;
    }
    zb_put(out, ",\n  \"events\": [\n    { \"at\": ");
    zb_put_double(out, b->swap / 100.0);
    zb_put(out, ", \"type\": \"pose-swap\" }");
    if (b->confetti) {
        zb_put(out, ",\n    { \"at\": ");
        zb_put_double(out, b->swap / 100.0);
        zb_put(out, ", \"type\": \"particle\", \"effect\": \"confetti\" }");
    }
    zb_put(out, "\n  ]");
}

void zf_pt_put_builtin(zb_buffer *out, uint32_t index) {
    ZO_ASSERT(index < ZB_COUNT(builtins));
    const builtin *b = &builtins[index];
    zb_put(out, "{\n  \"version\": 1,\n  \"id\": \"");
    zb_put(out, b->id);
    zb_put(out, "\",\n  \"name\": \"");
    zb_put(out, b->name);
    zb_put(out, "\",\n  \"kind\": \"");
    zb_put(out, zf_pt_kinds[b->kind].text);
    zb_put(out, "\",\n  \"durationMs\": ");
    zb_put_uint(out, b->duration_ms);
    zb_put(out, ",\n  \"repeat\": ");
    put_repeat(out, b);
    zb_put(out, ",\n  \"tracks\": [");
    uint32_t first = 0;
    for (uint32_t before = 0; before < index; before++) {
        first += builtins[before].row_count;
    }
    for (uint32_t row = 0; row < b->row_count; row++) {
        zb_put(out, row > 0 ? "," : "");
        put_track(out, &rows[first + row]);
    }
    zb_put(out, b->row_count > 0 ? "\n  ]" : "]");
    put_events(out, b);
    if (b->strength_max > 0) {
        zb_put(out, ",\n  \"parameters\": { \"strength\": { \"default\": ");
        zb_put_double(out, b->strength / 100.0);
        zb_put(out, ", \"min\": 0, \"max\": ");
        zb_put_double(out, b->strength_max / 100.0);
        zb_put(out, " } }");
    }
    zb_put(out, "\n}\n");
}
