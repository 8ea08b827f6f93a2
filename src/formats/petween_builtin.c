// The built-in animations as tables, and their definitions as JSON texts. The texts are read like any other definition,
// so that there is one way from text to program. Called by formats.c. Source: petween, built-in animations.
#include "formats/petween.h"

enum { TIMES_MAX = 7, ROWS_MAX = 4 };

// One track. A figure is what the strength scales: value = rest + figure * strength; 0 is written as the plain rest
// value. With `plain` the figures are the values themselves.
typedef struct builtin_row {
    const char *property;
    uint8_t count;
    bool plain;
    double times[TIMES_MAX];
    double figures[TIMES_MAX];
    const char *easings[TIMES_MAX]; // NULL: none written
} builtin_row;

typedef struct builtin {
    const char *id, *name;
    zf_pt_kind kind;
    uint32_t duration_ms;
    double swap;            // time of the pose swap; transitions only
    const char *effect;     // of a particle event at the same time, or NULL
    double strength[3];     // default, min, max; all 0: not declared
    builtin_row rows[ROWS_MAX];
} builtin;

#define USUAL {1.0, 0.0, 3.0}
#define NONE {0.0, 0.0, 0.0}
// The comma of an initialiser within a macro's argument needs the variable form.
#define ROW(property, count, times, ...) {property, count, false, times, __VA_ARGS__, {0}}
#define EASED(property, count, plain, times, figures, ...) {property, count, plain, times, figures, __VA_ARGS__}
#define T(...) {__VA_ARGS__}

#define SX "transition.scaleX"
#define SY "transition.scaleY"
#define Y "transition.y"
#define ROTATION "transition.rotation"

#define SOFT T(0, .35, .7, 1)
#define POP T(0, .18, .38, .57, .76, .9, 1)
#define JELLY T(0, .25, .48, .68, .84, 1)
#define JUMP T(0, .22, .48, .72, .87, 1)
#define SNAP T(0, .42, .62, 1)
#define CELEBRATE T(0, .2, .45, .7, .85, 1)
#define DEFLATE T(0, .3, .55, .8, 1)
#define ACTIVITY T(0, .4, .68, .86, 1)
#define CLICK T(0, .45, 1)
#define HOP T(0, .3, .6, .85, 1)
#define HALVES T(0, .5, 1)
#define BOUNCE T(0, .26, .56, 1)
#define FLIP_EASING T("ease-in", "ease-out")
#define OUT3 T("ease-out", "ease-out", "ease-out")
#define IN_OUT2 T("ease-in-out", "ease-in-out")

static const builtin builtins[] = {
    {"builtin:none", "None", ZF_PT_TRANSITION, 80, 0, NULL, NONE, {{0}}},
    {"builtin:soft", "Soft", ZF_PT_TRANSITION, 220, .4, NULL, USUAL, {
        ROW(SX, 4, SOFT, T(0, .04, -.02, 0)), ROW(SY, 4, SOFT, T(0, -.04, .03, 0)), ROW(Y, 4, SOFT, T(0, 2, -2, 0))}},
    {"builtin:comic-pop", "Comic pop", ZF_PT_TRANSITION, 260, .4, NULL, USUAL, {
        ROW(SX, 7, POP, T(0, .05, .16, -.1, .04, -.015, 0)), ROW(SY, 7, POP, T(0, -.05, -.18, .13, -.04, .02, 0)),
        ROW(Y, 7, POP, T(0, 2, 4, -6, 1, -1, 0))}},
    {"builtin:jelly", "Jelly", ZF_PT_TRANSITION, 380, .33, NULL, USUAL, {
        ROW(SX, 6, JELLY, T(0, .16, -.1, .07, -.02, 0)), ROW(SY, 6, JELLY, T(0, -.16, .13, -.06, .03, 0)),
        ROW(Y, 6, JELLY, T(0, 3, -5, 1, -1, 0))}},
    {"builtin:jump", "Jump", ZF_PT_TRANSITION, 380, .42, NULL, USUAL, {
        ROW(SX, 6, JUMP, T(0, .14, -.09, .1, -.02, 0)), ROW(SY, 6, JUMP, T(0, -.16, .12, -.1, .03, 0)),
        ROW(Y, 6, JUMP, T(0, 4, -16, 0, -3, 0))}},
    {"builtin:snap", "Snap", ZF_PT_TRANSITION, 160, .48, NULL, USUAL, {
        ROW(SX, 4, SNAP, T(0, .1, -.06, 0)), ROW(SY, 4, SNAP, T(0, -.11, .08, 0)), ROW(Y, 4, SNAP, T(0, 2, -3, 0))}},
    {"builtin:flip", "Flip", ZF_PT_TRANSITION, 300, .5, NULL, USUAL, {
        EASED(SX, 3, true, HALVES, T(1, 0, 1), FLIP_EASING), EASED(SY, 3, false, HALVES, T(0, .06, 0), FLIP_EASING)}},
    {"builtin:celebrate", "Celebrate", ZF_PT_TRANSITION, 420, .45, "confetti", USUAL, {
        ROW(SX, 6, CELEBRATE, T(0, .08, -.08, .05, -.01, 0)), ROW(SY, 6, CELEBRATE, T(0, -.1, .14, -.05, .02, 0)),
        ROW(Y, 6, CELEBRATE, T(0, 2, -14, 0, -2, 0)), ROW(ROTATION, 6, CELEBRATE, T(0, -3, 3, -1.5, .5, 0))}},
    {"builtin:deflate", "Deflate", ZF_PT_TRANSITION, 300, .5, NULL, USUAL, {
        ROW(SX, 5, DEFLATE, T(0, .06, -.03, .02, 0)), ROW(SY, 5, DEFLATE, T(0, -.08, .04, -.02, 0)),
        ROW(Y, 5, DEFLATE, T(0, 2, -1, 1, 0))}},
    {"builtin:activity-swap", "Activity swap", ZF_PT_TRANSITION, 170, .4, NULL, USUAL, {
        ROW("transition.opacity", 3, T(0, .4, 1), T(0, -.45, 0)), ROW(SX, 5, ACTIVITY, T(0, -.04, .012, -.004, 0)),
        ROW(SY, 5, ACTIVITY, T(0, -.04, .012, -.004, 0))}},
    {"builtin:click-pop", "Click pop", ZF_PT_INTERACTION, 140, 0, NULL, USUAL, {
        ROW(SX, 3, CLICK, T(0, .06, 0)), ROW(SY, 3, CLICK, T(0, .06, 0)), ROW(Y, 3, CLICK, T(0, -2, 0))}},
    {"builtin:click-wiggle", "Click wiggle", ZF_PT_INTERACTION, 280, 0, NULL, USUAL, {
        ROW(ROTATION, 6, T(0, .2, .45, .7, .88, 1), T(0, -6, 5, -2.5, 1, 0))}},
    {"builtin:click-bounce", "Click bounce", ZF_PT_INTERACTION, 240, 0, NULL, USUAL, {
        ROW(SX, 5, HOP, T(0, .08, -.05, .02, 0)), ROW(SY, 5, HOP, T(0, -.09, .06, -.02, 0)),
        ROW(Y, 4, T(0, .3, .6, 1), T(0, 2, -10, 0))}},
    {"builtin:click-spin", "Click spin", ZF_PT_INTERACTION, 380, 0, NULL, USUAL, {
        ROW(ROTATION, 2, T(0, 1), T(0, 360)), ROW(SX, 3, HALVES, T(0, .08, 0)), ROW(SY, 3, HALVES, T(0, .08, 0))}},
    {"builtin:bounce", "Bounce", ZF_PT_AMBIENT, 360, 0, NULL, {.35, 0.0, 1.8}, {
        EASED("bounce.y", 4, false, BOUNCE, T(0, 1.5, -4.5, 0), OUT3),
        EASED("bounce.scaleX", 4, false, BOUNCE, T(0, .05, -.025, 0), OUT3),
        EASED("bounce.scaleY", 4, false, BOUNCE, T(0, -.05, .055, 0), OUT3)}},
    {"builtin:sway", "Sway", ZF_PT_AMBIENT, 3600, 0, NULL, {1.0, 0.0, 15.0}, {
        EASED("sway.rotation", 3, false, HALVES, T(-1, 1, -1), IN_OUT2)}},
    {"builtin:breathe", "Breathe", ZF_PT_AMBIENT, 2800, 0, NULL, {.25, 0.0, 1.8}, {
        EASED("breathe.scaleX", 3, false, HALVES, T(0, -.008, 0), IN_OUT2),
        EASED("breathe.scaleY", 3, false, HALVES, T(0, .018, 0), IN_OUT2)}},
};

uint32_t zf_pt_builtin_count(void) { return ZB_COUNT(builtins); }

const char *zf_pt_builtin_id(uint32_t index) { return index < ZB_COUNT(builtins) ? builtins[index].id : NULL; }

static void put_value(zb_buffer *out, const builtin_row *row, uint32_t key) {
    const uint32_t property = zf_word(zf_pt_properties, ZF_PT_PROPERTY_COUNT, zb_text(row->property));
    ZO_ASSERT(property < ZF_PT_PROPERTY_COUNT);
    const double rest = zf_pt_property_info[property].rest;
    if (row->plain || row->figures[key] == 0.0) {
        zb_put_double(out, row->plain ? row->figures[key] : rest);
        return;
    }
    zb_put(out, "{ \"base\": ");
    zb_put_double(out, rest);
    zb_put(out, ", \"parameter\": \"strength\", \"amount\": ");
    zb_put_double(out, row->figures[key]);
    zb_put(out, " }");
}

static void put_track(zb_buffer *out, const builtin_row *row) {
    zb_put(out, "\n    {\n      \"property\": \"");
    zb_put(out, row->property);
    zb_put(out, "\",\n      \"keyframes\": [");
    for (uint32_t key = 0; key < row->count; key++) {
        zb_put(out, key > 0 ? ",\n        { \"at\": " : "\n        { \"at\": ");
        zb_put_double(out, row->times[key]);
        zb_put(out, ", \"value\": ");
        put_value(out, row, key);
        if (row->easings[key] != NULL) {
            zb_put(out, ", \"easing\": \"");
            zb_put(out, row->easings[key]);
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
    zb_put_double(out, b->swap);
    zb_put(out, ", \"type\": \"pose-swap\" }");
    if (b->effect != NULL) {
        zb_put(out, ",\n    { \"at\": ");
        zb_put_double(out, b->swap);
        zb_put(out, ", \"type\": \"particle\", \"effect\": \"");
        zb_put(out, b->effect);
        zb_put(out, "\" }");
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
    uint32_t row = 0;
    for (; row < ROWS_MAX && b->rows[row].property != NULL; row++) {
        zb_put(out, row > 0 ? "," : "");
        put_track(out, &b->rows[row]);
    }
    zb_put(out, row > 0 ? "\n  ]" : "]");
    put_events(out, b);
    if (b->strength[2] > 0.0) {
        zb_put(out, ",\n  \"parameters\": { \"strength\": { \"default\": ");
        zb_put_double(out, b->strength[0]);
        zb_put(out, ", \"min\": ");
        zb_put_double(out, b->strength[1]);
        zb_put(out, ", \"max\": ");
        zb_put_double(out, b->strength[2]);
        zb_put(out, " } }");
    }
    zb_put(out, "\n}\n");
}
