// The words of petween definitions: kinds, properties with their figures, effects, slots, and the forms of ids. Called
// by the other petween files. Tables and grammar only; what is done with a wrong word is decided elsewhere.
#include "formats/petween.h"

const zf_name zf_pt_kinds[ZF_PT_KIND_COUNT] = {
    [ZF_PT_TRANSITION] = ZF_NAME("transition"),
    [ZF_PT_AMBIENT] = ZF_NAME("ambient"),
    [ZF_PT_INTERACTION] = ZF_NAME("interaction"),
};

const zf_name zf_pt_modes[ZF_PT_MODE_COUNT] = {
    [ZF_PT_ONCE] = ZF_NAME("once"),
    [ZF_PT_LOOP] = ZF_NAME("loop"),
    [ZF_PT_ALTERNATE] = ZF_NAME("alternate"),
    [ZF_PT_RANDOM_INTERVAL] = ZF_NAME("random-interval"),
};

const zf_name zf_pt_event_types[ZF_PT_EVENT_TYPE_COUNT] = {
    [ZF_PT_POSE_SWAP] = ZF_NAME("pose-swap"),
    [ZF_PT_PARTICLE] = ZF_NAME("particle"),
};

const zf_name zf_pt_effects[ZF_PT_EFFECT_COUNT] = {ZF_NAME("confetti"), ZF_NAME("star-burst"), ZF_NAME("sparkle")};

const zf_name zf_pt_slots[ZF_PT_SLOT_COUNT] = {
    ZF_NAME("idle"),    ZF_NAME("thinking"), ZF_NAME("working"),
    ZF_NAME("waiting"), ZF_NAME("success"),  ZF_NAME("error"),
};

const zf_name zf_pt_properties[ZF_PT_PROPERTY_COUNT] = {
    ZF_NAME("transition.scaleX"),   ZF_NAME("transition.scaleY"),  ZF_NAME("transition.x"),
    ZF_NAME("transition.y"),        ZF_NAME("transition.rotation"), ZF_NAME("transition.opacity"),
    ZF_NAME("sway.rotation"),       ZF_NAME("bounce.x"),           ZF_NAME("bounce.y"),
    ZF_NAME("bounce.scaleX"),       ZF_NAME("bounce.scaleY"),      ZF_NAME("breathe.scaleX"),
    ZF_NAME("breathe.scaleY"),
};

#define SCALE(layer) {layer, 1, 0, 10, "factor", true}
#define OFFSET(layer) {layer, 0, -4096, 4096, "px", false}
#define ROTATION(layer) {layer, 0, -360, 360, "deg", false}
#define OPACITY(layer) {layer, 1, 0, 1, "ratio", true}

const zf_pt_property zf_pt_property_info[ZF_PT_PROPERTY_COUNT] = {
    SCALE(ZF_PT_LAYER_TRANSITION),    SCALE(ZF_PT_LAYER_TRANSITION),    OFFSET(ZF_PT_LAYER_TRANSITION),
    OFFSET(ZF_PT_LAYER_TRANSITION),   ROTATION(ZF_PT_LAYER_TRANSITION), OPACITY(ZF_PT_LAYER_TRANSITION),
    ROTATION(ZF_PT_LAYER_SWAY),       OFFSET(ZF_PT_LAYER_BOUNCE),       OFFSET(ZF_PT_LAYER_BOUNCE),
    SCALE(ZF_PT_LAYER_BOUNCE),        SCALE(ZF_PT_LAYER_BOUNCE),        SCALE(ZF_PT_LAYER_BREATHE),
    SCALE(ZF_PT_LAYER_BREATHE),
};

const zf_pt_layer_info zf_pt_layers[ZF_PT_LAYER_COUNT] = {
    [ZF_PT_LAYER_TRANSITION] = {"transition", 0, ZF_PT_TRANSITION_PROPERTY_COUNT},
    [ZF_PT_LAYER_SWAY] = {"sway", 6, 1},
    [ZF_PT_LAYER_BOUNCE] = {"bounce", 7, 4},
    [ZF_PT_LAYER_BREATHE] = {"breathe", 11, 2},
};

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

zo_text zf_pt_namespace(zo_text id) {
    const char *colon = id.size > 0 ? memchr(id.data, ':', id.size) : NULL;
    return (zo_text){id.data, colon != NULL ? (size_t)(colon - id.data) : 0};
}

// The patterns of the scanners below.
const zf_form zf_pt_id_text = {.patterns = {
    [ZO_PROFILE_DOCUMENT] = "^[a-z0-9-]+:[A-Za-z0-9_-]+$",
    [ZO_PROFILE_ORIGINAL] = "^[a-z][a-z0-9-]*:[A-Za-z0-9][A-Za-z0-9_-]*$",
}};
const zf_form zf_pt_word_text = {.patterns = {"^[a-z][a-z0-9_-]*$", "^[a-z][a-z0-9_-]*$"}};
const zf_form zf_pt_reserved_text = {.patterns = {"^builtin:", "^builtin:"}};

const zf_form zf_pt_namespace_text = {.patterns = {
    [ZO_PROFILE_DOCUMENT] = "^[a-z0-9-]+$",
    [ZO_PROFILE_ORIGINAL] = "^[a-z][a-z0-9-]*$",
}};
const zf_form zf_pt_reserved_namespace_text = {.patterns = {"^builtin$", "^builtin$"}};

bool zf_pt_reserved(zo_text id) { return zb_text_equal(zf_pt_namespace(id), ZB_TEXT("builtin")); }

zf_pt_form zf_pt_namespace_form(zo_text text) {
    for (size_t i = 0; i < text.size; i++) {
        if (!is_lower(text.data[i]) && !is_digit(text.data[i]) && text.data[i] != '-') {
            return ZF_PT_NOT;
        }
    }
    return text.size == 0 ? ZF_PT_NOT : is_lower(text.data[0]) ? ZF_PT_LEGAL : ZF_PT_DOCUMENT;
}

zf_pt_form zf_pt_id_form(zo_text id) {
    const size_t colon = zf_pt_namespace(id).size;
    const zf_pt_form form = zf_pt_namespace_form((zo_text){id.data, colon});
    if (form == ZF_PT_NOT || colon + 1 == id.size) {
        return ZF_PT_NOT;
    }
    for (size_t i = colon + 1; i < id.size; i++) {
        if (!is_letter(id.data[i]) && !is_digit(id.data[i]) && id.data[i] != '-' && id.data[i] != '_') {
            return ZF_PT_NOT;
        }
    }
    const char first = id.data[colon + 1];
    return is_letter(first) || is_digit(first) ? form : ZF_PT_DOCUMENT;
}

bool zf_pt_word_form(zo_text word) {
    if (word.size == 0 || !is_lower(word.data[0])) {
        return false;
    }
    for (size_t i = 1; i < word.size; i++) {
        if (!is_lower(word.data[i]) && !is_digit(word.data[i]) && word.data[i] != '-' && word.data[i] != '_') {
            return false;
        }
    }
    return true;
}
