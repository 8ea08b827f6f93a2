// See petween_config.h. One table of fields is read, written and merged by: what a member is, where it lies, its range.
// Walks go along that table and not along the text, so their depth is the table's.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_config.h"

const char *const petween_slots[PETWEEN_SLOTS] = {"idle", "thinking", "working", "waiting", "success", "error"};

// The global transition has all presets but the first.
static const char *const presets[] = {"global", "none", "soft", "comic-pop", "jelly", "jump", "snap", "flip",
                                      "celebrate", "deflate", NULL};
static const char *const reduced_motions[] = {"system", "always", "never", NULL};
static const char *const activity_transitions[] = {"subtle", "none", "state", NULL};
static const char *const terminal_holds[] = {"timed", "until-interaction", NULL};
// Built-in transitions, which an enter may name.
static const char *const enters[] = {"none", "soft", "comic-pop", "jelly", "jump", "snap", "flip", "celebrate",
                                     "deflate", "activity-swap", NULL};
static const char builtin[] = "builtin:";

typedef enum kind {
    OBJECT,   // of `fields`; its members lie in what holds it, at `offset`
    SLOTS,    // six objects of `fields`, `size` bytes apart
    POSES,    // the same, where one without a picture has none
    FLAG,     // bool
    MAYBE_FLAG, // uint32_t: 0, 1, or 2 for not given
    NUMBER,   // double from low to high
    PLACE,    // double, NAN for null
    CHOICE,   // uint32_t: index into `choices`, from `low`
    SLOT,     // uint32_t: index of a slot
    MAYBE_SLOT, // the same, PETWEEN_SLOTS for null
    NAME,     // zo_text: any text but an empty one
    PET,      // char[]: id of a pet, "" for null
    ASSET,    // char[]: id of a picture, "" for none
    ENTER,    // char[]: id of a transition, "" for none
    AMBIENT,  // char[]: id of a custom ambient, "" for none
    VERSION,  // 1 and nothing else
} kind;

typedef struct field {
    const char *name;
    kind kind;
    bool of_slice; // belongs to the pet
    size_t offset, size;
    double low, high;
    const char *const *choices;
    const struct field *fields; // ends with a name NULL
} field;

#define AT(type, member) .offset = offsetof(type, member)

static const field anchor_fields[] = {
    {"x", NUMBER, AT(petween_pose, x), .low = 0.0, .high = 1.0},
    {"y", NUMBER, AT(petween_pose, y), .low = 0.0, .high = 1.0},
    {0},
};
static const field pose_fields[] = {
    {"assetId", ASSET, AT(petween_pose, asset)},
    {"anchor", OBJECT, .fields = anchor_fields},
    {"zoom", NUMBER, AT(petween_pose, zoom), .low = 0.2, .high = 8.0},
    {0},
};
static const field transition_fields[] = { // in a configuration
    {"preset", CHOICE, AT(petween_config, transition.preset), .low = 1.0, .choices = presets},
    {"strength", NUMBER, AT(petween_config, transition.strength), .low = 0.0, .high = 3.0},
    {"durationMs", NUMBER, AT(petween_config, transition.duration_ms), .low = 60.0, .high = 2000.0},
    {0},
};
static const field enter_fields[] = {
    {"preset", CHOICE, AT(petween_state, enter.preset), .choices = presets},
    {"strength", NUMBER, AT(petween_state, enter.strength), .low = 0.0, .high = 3.0},
    {"durationMs", NUMBER, AT(petween_state, enter.duration_ms), .low = 60.0, .high = 2000.0},
    {"animationId", ENTER, AT(petween_state, enter.animation)},
    {0},
};
static const field bounce_fields[] = {
    {"enabled", FLAG, AT(petween_state, bounce.enabled)},
    {"strength", NUMBER, AT(petween_state, bounce.strength), .low = 0.0, .high = 1.8},
    {"intervalMinMs", NUMBER, AT(petween_state, bounce.min_ms), .low = 50.0, .high = 120000.0},
    {"intervalMaxMs", NUMBER, AT(petween_state, bounce.max_ms), .low = 50.0, .high = 120000.0},
    {"durationMs", NUMBER, AT(petween_state, bounce.duration_ms), .low = 50.0, .high = 5000.0},
    {0},
};
static const field sway_fields[] = {
    {"enabled", FLAG, AT(petween_state, sway.enabled)},
    {"angleDeg", NUMBER, AT(petween_state, sway.angle_deg), .low = 0.0, .high = 60.0},
    {"periodMs", NUMBER, AT(petween_state, sway.period_ms), .low = 200.0, .high = 120000.0},
    {0},
};
static const field breathe_fields[] = {
    {"enabled", FLAG, AT(petween_state, breathe.enabled)},
    {"strength", NUMBER, AT(petween_state, breathe.strength), .low = 0.0, .high = 1.8},
    {"periodMs", NUMBER, AT(petween_state, breathe.period_ms), .low = 200.0, .high = 120000.0},
    {0},
};
static const field ambient_fields[] = {
    {"bounce", OBJECT, .fields = bounce_fields},
    {"sway", OBJECT, .fields = sway_fields},
    {"breathe", OBJECT, .fields = breathe_fields},
    {"customAnimationId", AMBIENT, AT(petween_state, ambient)},
    {0},
};
static const field state_fields[] = {
    {"pose", SLOT, AT(petween_state, pose)},
    {"enter", OBJECT, .fields = enter_fields},
    {"ambient", OBJECT, .fields = ambient_fields},
    {0},
};
static const field slice_fields[] = {
    {"scale", NUMBER, .of_slice = true, AT(petween_slice, scale), .low = 0.3, .high = 4.0},
    {"poses", POSES, .of_slice = true, AT(petween_slice, poses), sizeof(petween_pose), .fields = pose_fields},
    {"states", SLOTS, .of_slice = true, AT(petween_slice, states), sizeof(petween_state), .fields = state_fields},
    {0},
};
static const field global_fields[] = {
    {"scale", NUMBER, .of_slice = true, AT(petween_config, slice.scale), .low = 0.3, .high = 4.0},
    {"transition", OBJECT, .fields = transition_fields},
    {"reducedMotion", CHOICE, AT(petween_config, reduced_motion), .choices = reduced_motions},
    {"successHoldMs", NUMBER, AT(petween_config, success_hold_ms), .low = 0.0, .high = 120000.0},
    {"errorHoldMs", NUMBER, AT(petween_config, error_hold_ms), .low = 0.0, .high = 120000.0},
    {0},
};
static const field overlay_fields[] = {
    {"x", PLACE, AT(petween_config, overlay_x)},
    {"y", PLACE, AT(petween_config, overlay_y)},
    {0},
};
static const field advanced_fields[] = {
    {"changePoseWithinActive", FLAG, AT(petween_config, change_pose_within_active)},
    {"activityTransition", CHOICE, AT(petween_config, activity_transition), .choices = activity_transitions},
    {"terminalHold", CHOICE, AT(petween_config, terminal_hold), .choices = terminal_holds},
    {"particles", FLAG, AT(petween_config, particles)},
    {0},
};
static const field click_fields[] = {
    {"animation", NAME, AT(petween_config, click)},
    {"pose", MAYBE_SLOT, AT(petween_config, click_pose)},
    {"honorAnimationPoseSwap", MAYBE_FLAG, AT(petween_config, honor)},
    {0},
};
static const field interactions_fields[] = {{"click", OBJECT, .fields = click_fields}, {0}};
static const field config_fields[] = {
    {"version", .kind = VERSION},
    {"enabled", FLAG, AT(petween_config, enabled)},
    {"global", OBJECT, .fields = global_fields},
    {"poses", POSES, .of_slice = true, AT(petween_config, slice.poses), sizeof(petween_pose), .fields = pose_fields},
    {"states", SLOTS, .of_slice = true, AT(petween_config, slice.states), sizeof(petween_state),
     .fields = state_fields},
    {"overlay", OBJECT, .fields = overlay_fields},
    {"advanced", OBJECT, .fields = advanced_fields},
    {"interactions", OBJECT, .fields = interactions_fields},
    {"activePetId", PET, AT(petween_config, active_pet)},
    {0},
};
// The objects of six slots, for merging, where it does not matter where anything lies.
#define SLOT_FIELDS(of)                                                                                               \
    {                                                                                                                 \
        {"idle", OBJECT, .fields = of}, {"thinking", OBJECT, .fields = of}, {"working", OBJECT, .fields = of},        \
        {"waiting", OBJECT, .fields = of}, {"success", OBJECT, .fields = of}, {"error", OBJECT, .fields = of}, {0},   \
    }
static const field slot_poses[] = SLOT_FIELDS(pose_fields), slot_states[] = SLOT_FIELDS(state_fields);

// ------------------------------------------------------------------------------------------------------------ defaults

static petween_state state_of(uint32_t slot, uint32_t preset, double duration_ms) {
    return (petween_state){.pose = slot, .enter = {.preset = preset, .strength = 1.0, .duration_ms = duration_ms},
                           .bounce = {false, 0.35, 800.0, 1300.0, 360.0}};
}

void petween_config_default(petween_config *config) {
    enum { GLOBAL = 0, SOFT = 2, COMIC_POP = 3, CELEBRATE = 8, DEFLATE = 9 };
    static const char click[] = "\"builtin:click-pop\"";
    *config = (petween_config){.enabled = true,
                               .transition = {.preset = COMIC_POP, .strength = 1.0, .duration_ms = 260.0},
                               .success_hold_ms = 1600.0, .error_hold_ms = 1800.0,
                               .overlay_x = (double)NAN, .overlay_y = (double)NAN, .particles = true,
                               .click = {click, sizeof click - 1}, .click_pose = PETWEEN_SLOTS,
                               .honor = 2};
    config->slice.scale = 1.0;
    for (int i = 0; i < PETWEEN_SLOTS; i++) { config->slice.poses[i] = (petween_pose){"", 0.5, 0.96, 1.0}; }
    petween_state *const states = config->slice.states;
    states[0] = state_of(0, SOFT, 220.0);
    states[0].sway = (petween_sway){true, 0.7, 3600.0};
    states[0].breathe = (petween_breathe){true, 0.25, 2800.0};
    states[1] = state_of(1, GLOBAL, 260.0);
    states[1].bounce.enabled = true;
    states[1].sway = (petween_sway){true, 1.3, 2700.0};
    states[1].breathe = (petween_breathe){false, 0.18, 2800.0};
    states[2] = state_of(2, GLOBAL, 260.0);
    states[2].bounce = (petween_bounce){true, 0.22, 550.0, 850.0, 360.0};
    states[2].sway = (petween_sway){false, 1.3, 2700.0};
    states[2].breathe = (petween_breathe){true, 0.18, 2800.0};
    states[3] = state_of(3, SOFT, 220.0);
    states[3].sway = (petween_sway){true, 0.9, 4200.0};
    states[3].breathe = (petween_breathe){true, 0.16, 2800.0};
    states[4] = state_of(4, CELEBRATE, 420.0);
    states[4].sway = (petween_sway){false, 0.7, 3600.0};
    states[4].breathe = (petween_breathe){true, 0.1, 3000.0};
    states[5] = state_of(5, DEFLATE, 300.0);
    states[5].sway = (petween_sway){true, 0.6, 5200.0};
    states[5].breathe = (petween_breathe){true, 0.12, 3200.0};
}

// ----------------------------------------------------------------------------------------------------------------- ids

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool petween_is_pet_id(const char *id) {
    if (strncmp(id, "pet_", 4) != 0) { return false; }
    const char *at = id + 4;
    while (is_lower(*at) || is_digit(*at)) { at++; }
    return *at == 0 && at > id + 4 && at - id <= PETWEEN_PET_ID_MAX;
}

bool petween_is_asset_id(const char *id) { return strlen(id) == 16 && strspn(id, "0123456789abcdef") == 16; }

bool petween_is_animation_id(const char *id) {
    const char *at = id;
    while (is_lower(*at) || is_digit(*at) || *at == '-') { at++; }
    if (at == id || *at != ':') { return false; }
    const char *const name = ++at;
    while (is_lower(*at) || is_digit(*at) || (*at >= 'A' && *at <= 'Z') || *at == '_' || *at == '-') { at++; }
    return *at == 0 && at > name && at - id <= PETWEEN_ID_MAX;
}

// The text of a string if it fits and has no zero byte.
static bool short_text(const zo_value *value, char *text, size_t capacity) {
    if (value->kind != ZO_VALUE_STRING || value->text.size >= capacity ||
        memchr(value->text.data, 0, value->text.size) != NULL) {
        return false;
    }
    memcpy(text, value->text.data, value->text.size);
    text[value->text.size] = 0;
    return true;
}

bool petween_text_is(zo_text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

// ------------------------------------------------------------------------------------------------------------- reading

enum { PATH_MAX_SIZE = 128 }; // longer than any path of the tables

typedef struct walk {
    const zo_document *document;
    const petween_reading *reading;
    char path[PATH_MAX_SIZE];
    size_t path_size;
} walk;

static void issue(const walk *w, const char *message) {
    if (w->reading != NULL && w->reading->issue != NULL) {
        w->reading->issue(w->reading->issue_context, w->path, message);
    }
}

static size_t path_enter(walk *w, const char *name) {
    const size_t before = w->path_size;
    const bool dot = before > 0 && w->path[before - 1] != '.';
    const int size = snprintf(w->path + before, sizeof w->path - before, "%s%s", dot ? "." : "", name);
    w->path_size = before + (size_t)size < sizeof w->path ? before + (size_t)size : sizeof w->path - 1;
    return before;
}

static void path_leave(walk *w, size_t before) {
    w->path_size = before;
    w->path[before] = 0;
}

static const char *kind_of(const walk *w, const char *id) {
    return w->reading->kind_of(w->reading->kind_context, id);
}

// "global, none" and so on, for a message.
static void list_choices(const char *const *choices, uint32_t from, char *text, size_t size) {
    size_t at = (size_t)snprintf(text, size, "expected one of: ");
    for (uint32_t i = from; choices[i] != NULL && at < size; i++) {
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > from ? ", " : "", choices[i]);
    }
}

static bool find_choice(const zo_value *value, const char *const *choices, uint32_t from, uint32_t count,
                        uint32_t *found) {
    for (uint32_t i = from; i < count && choices[i] != NULL; i++) {
        if (value->kind == ZO_VALUE_STRING && petween_text_is(value->text, choices[i])) {
            *found = i;
            return true;
        }
    }
    return false;
}

// An id that a slot plays: of the library's, of this kind; of a transition also one of those that come along.
static void read_reference(const walk *w, const zo_value *value, const char *wanted, char *id) {
    char given[PETWEEN_ID_MAX + 1], message[PETWEEN_ID_MAX + 64];
    const bool is_enter = strcmp(wanted, "transition") == 0;
    if (value->kind == ZO_VALUE_NULL) {
        id[0] = 0;
        return;
    }
    if (!short_text(value, given, sizeof given) || !petween_is_animation_id(given) ||
        (!is_enter && strncmp(given, builtin, sizeof builtin - 1) == 0)) {
        issue(w, is_enter ? "expected the id of a transition or null" : "expected the id of a custom ambient or null");
        return;
    }
    const char *there = NULL;
    if (strncmp(given, builtin, sizeof builtin - 1) == 0) {
        for (uint32_t i = 0; enters[i] != NULL; i++) {
            if (strcmp(given + sizeof builtin - 1, enters[i]) == 0) { there = wanted; }
        }
    } else {
        there = w->reading == NULL || w->reading->kind_of == NULL ? wanted : kind_of(w, given);
    }
    if (there != NULL && strcmp(there, wanted) == 0) {
        memcpy(id, given, strlen(given) + 1);
        return;
    }
    snprintf(message, sizeof message, there == NULL ? "there is no animation %s" : "%s is not of kind %s", given,
             wanted);
    issue(w, message);
}

static void read_number(const walk *w, const field *f, const zo_value *value, double *number) {
    char message[96], low[32], high[32];
    if (value->kind != ZO_VALUE_NUMBER || !isfinite(value->number)) {
        issue(w, "expected a number");
    } else if (!(value->number >= f->low && value->number <= f->high)) {
        cli_number_text(f->low, low);
        cli_number_text(f->high, high);
        snprintf(message, sizeof message, "expected %s..%s", low, high);
        issue(w, message);
    } else {
        *number = value->number;
    }
}

static void read_leaf(const walk *w, const field *f, const zo_value *value, char *at) {
    const bool is_flag = value->kind == ZO_VALUE_TRUE || value->kind == ZO_VALUE_FALSE;
    char message[192], id[PETWEEN_PET_ID_MAX + 1];
    switch (f->kind) {
    case FLAG:
        if (is_flag) { *(bool *)(void *)at = value->kind == ZO_VALUE_TRUE; }
        if (!is_flag) { issue(w, "expected true or false"); }
        break;
    case MAYBE_FLAG:
        if (is_flag) { *(uint32_t *)(void *)at = value->kind == ZO_VALUE_TRUE; }
        if (!is_flag) { issue(w, "expected true or false"); }
        break;
    case NUMBER: read_number(w, f, value, (double *)(void *)at); break;
    case PLACE:
        if (value->kind == ZO_VALUE_NULL) {
            *(double *)(void *)at = (double)NAN;
        } else if (value->kind == ZO_VALUE_NUMBER && isfinite(value->number)) {
            *(double *)(void *)at = value->number;
        } else {
            issue(w, "expected a number or null");
        }
        break;
    case CHOICE:
        list_choices(f->choices, (uint32_t)f->low, message, sizeof message);
        if (!find_choice(value, f->choices, (uint32_t)f->low, UINT32_MAX, (uint32_t *)(void *)at)) {
            issue(w, message);
        }
        break;
    case SLOT:
        if (!find_choice(value, petween_slots, 0, PETWEEN_SLOTS, (uint32_t *)(void *)at)) {
            issue(w, "expected one of the six slots");
        }
        break;
    case MAYBE_SLOT:
        if (value->kind == ZO_VALUE_NULL) {
            *(uint32_t *)(void *)at = PETWEEN_SLOTS;
        } else if (!find_choice(value, petween_slots, 0, PETWEEN_SLOTS, (uint32_t *)(void *)at)) {
            issue(w, "expected one of the six slots or null");
        }
        break;
    case NAME:
        if (value->kind == ZO_VALUE_STRING && value->text.size > 0) { *(zo_text *)(void *)at = value->source; }
        if (value->kind != ZO_VALUE_STRING || value->text.size == 0) { issue(w, "expected a text that is not empty"); }
        break;
    case PET:
        if (value->kind == ZO_VALUE_NULL) {
            *at = 0;
        } else if (short_text(value, id, sizeof id) && petween_is_pet_id(id)) {
            memcpy(at, id, strlen(id) + 1);
        } else {
            issue(w, "expected the id of a pet or null");
        }
        break;
    case ASSET:
        if (value->kind == ZO_VALUE_NULL) {
            *at = 0;
        } else if (short_text(value, id, sizeof id) && petween_is_asset_id(id)) {
            memcpy(at, id, strlen(id) + 1);
        } else {
            issue(w, "expected the id of a picture or null");
        }
        break;
    case ENTER: read_reference(w, value, "transition", at); break;
    case AMBIENT: read_reference(w, value, "ambient", at); break;
    case VERSION:
        if (value->kind != ZO_VALUE_NUMBER || value->number != 1.0) { issue(w, "expected 1"); }
        break;
    case OBJECT: case SLOTS: case POSES: break;
    }
}

static void read_fields(walk *w, const field *fields, uint32_t object, char *base);

static void check_bounce(walk *w, const field *fields, char *base) { // the two waits belong together
    petween_bounce *b = &((petween_state *)(void *)base)->bounce;
    if (fields != bounce_fields || b->min_ms <= b->max_ms) { return; }
    const size_t before = path_enter(w, "intervalMaxMs");
    issue(w, "expected intervalMinMs or more");
    path_leave(w, before);
    b->max_ms = b->min_ms;
}

static void read_slots(walk *w, const field *f, uint32_t slots, char *base) {
    for (uint32_t i = 0; i < PETWEEN_SLOTS; i++) {
        const uint32_t id = zo_document_member(w->document, slots, petween_slots[i]);
        zo_value value;
        if (!zo_document_value(w->document, id, &value)) { continue; }
        const size_t before = path_enter(w, petween_slots[i]);
        if (value.kind != ZO_VALUE_OBJECT) {
            issue(w, "expected an object");
        } else {
            if (f->kind == POSES) { ((petween_pose *)(void *)(base + i * f->size))->asset[0] = 0; }
            read_fields(w, f->fields, id, base + i * f->size);
        }
        path_leave(w, before);
    }
}

static void read_fields(walk *w, const field *fields, uint32_t object, char *base) {
    for (const field *f = fields; f->name != NULL; f++) {
        const uint32_t id = zo_document_member(w->document, object, f->name);
        zo_value value;
        if (!zo_document_value(w->document, id, &value)) { continue; }
        const size_t before = path_enter(w, f->name);
        if (f->kind != OBJECT && f->kind != SLOTS && f->kind != POSES) {
            read_leaf(w, f, &value, base + f->offset);
        } else if (value.kind != ZO_VALUE_OBJECT) {
            issue(w, "expected an object");
        } else if (f->kind == OBJECT) {
            read_fields(w, f->fields, id, base);
        } else {
            read_slots(w, f, id, base + f->offset);
        }
        path_leave(w, before);
    }
    check_bounce(w, fields, base);
}

static void read_whole(const zo_document *document, uint32_t value, const petween_reading *reading,
                       const field *fields, char *base) {
    walk w = {.document = document, .reading = reading};
    zo_value root;
    if (reading != NULL && reading->prefix != NULL) { path_enter(&w, reading->prefix); }
    if (zo_document_value(document, value, &root) && root.kind == ZO_VALUE_OBJECT) {
        read_fields(&w, fields, value, base);
    } else {
        issue(&w, "expected an object");
    }
}

void petween_config_read(const zo_document *document, const petween_reading *reading, petween_config *config) {
    read_whole(document, ZO_VALUE_ROOT, reading, config_fields, (char *)config);
}

void petween_slice_read(const zo_document *document, uint32_t value, const petween_reading *reading,
                        petween_slice *slice) {
    read_whole(document, value, reading, slice_fields, (char *)slice);
}

// ------------------------------------------------------------------------------------------------------------- writing

static void write_fields(cli_json *json, const field *fields, const char *base);

static void put_id(cli_json *json, const char *name, const char *id, bool null_when_empty) {
    if (id[0] != 0) {
        cli_json_text(json, name, id);
    } else if (null_when_empty) {
        cli_json_null(json, name);
    }
}

static void write_leaf(cli_json *json, const field *f, const char *at) {
    uint32_t index = 0;
    double number = 0.0;
    if (f->kind == NUMBER || f->kind == PLACE) { memcpy(&number, at, sizeof number); }
    if (f->kind == CHOICE || f->kind == SLOT || f->kind == MAYBE_SLOT || f->kind == MAYBE_FLAG) {
        memcpy(&index, at, sizeof index);
    }
    switch (f->kind) {
    case FLAG: cli_json_bool(json, f->name, *(const bool *)(const void *)at); break;
    case MAYBE_FLAG:
        if (index < 2) { cli_json_bool(json, f->name, index == 1); }
        break;
    case NUMBER: case PLACE: cli_json_number(json, f->name, number); break; // NAN is written as null
    case CHOICE: cli_json_text(json, f->name, f->choices[index]); break;
    case SLOT: case MAYBE_SLOT: put_id(json, f->name, index < PETWEEN_SLOTS ? petween_slots[index] : "", true); break;
    case NAME: cli_json_raw(json, f->name, ((const zo_text *)(const void *)at)->data,
                            ((const zo_text *)(const void *)at)->size); break;
    case PET: put_id(json, f->name, at, true); break;
    case ASSET: case ENTER: case AMBIENT: put_id(json, f->name, at, false); break;
    case VERSION: cli_json_number(json, f->name, 1.0); break;
    case OBJECT: case SLOTS: case POSES: break;
    }
}

static void write_field(cli_json *json, const field *f, const char *base) {
    if (f->kind == OBJECT) {
        cli_json_open(json, f->name, '{');
        write_fields(json, f->fields, base);
        cli_json_close(json, '}');
    } else if (f->kind == SLOTS || f->kind == POSES) {
        cli_json_open(json, f->name, '{');
        for (uint32_t i = 0; i < PETWEEN_SLOTS; i++) {
            cli_json_open(json, petween_slots[i], '{');
            write_fields(json, f->fields, base + f->offset + i * f->size);
            cli_json_close(json, '}');
        }
        cli_json_close(json, '}');
    } else {
        write_leaf(json, f, base + f->offset);
    }
}

static void write_fields(cli_json *json, const field *fields, const char *base) {
    for (const field *f = fields; f->name != NULL; f++) { write_field(json, f, base); }
}

void petween_config_write(cli_json *json, const char *key, const petween_config *config) {
    cli_json_open(json, key, '{');
    write_fields(json, config_fields, (const char *)config);
    cli_json_close(json, '}');
}

void petween_slice_write(cli_json *json, const petween_slice *slice) {
    write_fields(json, slice_fields, (const char *)slice);
}

// ------------------------------------------------------------------------------------------------------------- merging

typedef struct change {
    zo_edit edit;
    uint32_t order; // edits at one place keep it
    char *owned;    // the inserted text when it is not a piece of the patch
} change;

typedef struct merge {
    const zo_document *document, *patch;
    change *changes;
    uint32_t count, capacity;
    zo_status status; // the first thing that went wrong
} merge;

static void fail(merge *m, zo_status status) { m->status = m->status == ZO_OK ? status : m->status; }

static void add_change(merge *m, size_t offset, size_t remove, zo_text insert, char *owned) {
    if (m->count == m->capacity) {
        const uint32_t capacity = m->capacity * 2 + 32;
        change *changes = realloc(m->changes, capacity * sizeof *changes);
        if (changes == NULL) {
            free(owned);
            fail(m, ZO_NO_MEMORY);
            return;
        }
        m->changes = changes;
        m->capacity = capacity;
    }
    m->changes[m->count] = (change){{offset, remove, insert.data, insert.size}, m->count, owned};
    m->count++;
}

static size_t offset_of(const zo_document *document, zo_text piece) {
    return (size_t)(piece.data - zo_document_bytes(document).data);
}

static void replace(merge *m, const zo_value *old, zo_text text) {
    add_change(m, offset_of(m->document, old->source), old->source.size, text, NULL);
}

// Behind the last member. *first: nothing stands in the object so far.
static void append(merge *m, const zo_value *object, zo_text key, zo_text text, bool *first) {
    const size_t size = key.size + text.size + 2;
    char *owned = malloc(size);
    if (owned == NULL) {
        fail(m, ZO_NO_MEMORY);
        return;
    }
    size_t at = 0;
    if (!*first) { owned[at++] = ','; }
    memcpy(owned + at, key.data, key.size);
    at += key.size;
    owned[at++] = ':';
    memcpy(owned + at, text.data, text.size);
    at += text.size;
    *first = false;
    // Directly behind the last value, so that a closing bracket on a line of its own stays there.
    size_t where = offset_of(m->document, object->source) + 1;
    zo_value member;
    for (uint32_t id = object->first; zo_document_value(m->document, id, &member); id = member.next) {
        where = offset_of(m->document, member.source) + member.source.size;
    }
    add_change(m, where, 0, (zo_text){owned, at}, owned);
}

static const field *field_named(const field *fields, zo_text name) {
    for (const field *f = fields; f->name != NULL; f++) {
        if (petween_text_is(name, f->name)) { return f; }
    }
    return NULL;
}

// The last member of that key, which is the one that counts. 0: none.
static uint32_t member_of(const zo_document *document, const zo_value *object, zo_text key) {
    uint32_t found = 0;
    zo_value member;
    for (uint32_t id = object->first; zo_document_value(document, id, &member); id = member.next) {
        if (member.key.size == key.size && memcmp(member.key.data, key.data, key.size) == 0) { found = id; }
    }
    return found;
}

// Whether a member of a configuration's patch goes into this part. At the root and in `global`, nowhere else.
static bool is_of_part(const field *fields, const field *f, petween_part part) {
    if (part == PETWEEN_PET || (fields != config_fields && fields != global_fields)) { return true; }
    const bool of_slice = f != NULL && f->of_slice;
    if (part == PETWEEN_GLOBAL) { return !of_slice; }
    return of_slice;
}

static const zo_text null_text = {"null", 4};

static void merge_object(merge *m, const field *fields, uint32_t into, uint32_t from, petween_part part);

// Objects that are known on both sides; else the patch's takes the place of the other.
static void merge_member(merge *m, const field *f, const zo_value *into, uint32_t into_id, const zo_value *from,
                         uint32_t from_id, petween_part part) {
    const bool known = f != NULL && (f->kind == OBJECT || f->kind == SLOTS || f->kind == POSES);
    if (!known || into->kind != ZO_VALUE_OBJECT || from->kind != ZO_VALUE_OBJECT) {
        replace(m, into, from->source);
    } else if (f->kind == OBJECT) {
        merge_object(m, f->fields, into_id, from_id, part);
    } else {
        merge_object(m, f->kind == POSES ? slot_poses : slot_states, into_id, from_id, part);
    }
}

static void merge_object(merge *m, const field *fields, uint32_t into, uint32_t from, petween_part part) {
    zo_value object, patch, member, old;
    if (!zo_document_value(m->document, into, &object) || !zo_document_value(m->patch, from, &patch)) { return; }
    if (object.count > PETWEEN_MEMBERS_MAX || patch.count > PETWEEN_MEMBERS_MAX) {
        fail(m, ZO_LIMIT);
        return;
    }
    bool first = object.count == 0;
    for (uint32_t id = patch.first; zo_document_value(m->patch, id, &member); id = member.next) {
        const field *const f = field_named(fields, member.key);
        if (!is_of_part(fields, f, part) || member_of(m->patch, &patch, member.key) != id) { continue; }
        const uint32_t there = member_of(m->document, &object, member.key);
        if (zo_document_value(m->document, there, &old)) {
            merge_member(m, f, &old, there, &member, id, part);
        } else {
            append(m, &object, member.key_source, member.source, &first);
        }
    }
    if (fields == pose_fields && zo_document_member(m->patch, from, "assetId") == 0 &&
        zo_document_value(m->document, zo_document_member(m->document, into, "assetId"), &old)) {
        replace(m, &old, null_text); // a pose that is given is the whole pose: without a picture it has none
    }
}

static int by_place(const void *a, const void *b) {
    const change *const x = a, *const y = b;
    if (x->edit.offset != y->edit.offset) { return x->edit.offset < y->edit.offset ? -1 : 1; }
    return x->order < y->order ? -1 : x->order > y->order;
}

static zo_status apply(merge *m, zo_document *document) {
    zo_edit *edits = calloc((size_t)m->count + 1, sizeof *edits);
    if (edits == NULL) { fail(m, ZO_NO_MEMORY); }
    if (m->status == ZO_OK && m->count > 0) {
        qsort(m->changes, m->count, sizeof *m->changes, by_place);
        for (uint32_t i = 0; i < m->count; i++) { edits[i] = m->changes[i].edit; }
        m->status = zo_document_apply(document, edits, m->count, NULL);
    }
    for (uint32_t i = 0; i < m->count; i++) { free(m->changes[i].owned); }
    free(m->changes);
    free(edits);
    return m->status;
}

static bool is_object(const zo_document *document, uint32_t id, zo_value *value) {
    return zo_document_value(document, id, value) && value->kind == ZO_VALUE_OBJECT;
}

// The scale of a patch of a configuration stands in `global`, that of a pet at its root.
static void merge_scale(merge *m) {
    zo_value root, global, scale, old;
    const uint32_t id = zo_document_member(m->patch, ZO_VALUE_ROOT, "global");
    if (!is_object(m->patch, id, &global) || !is_object(m->document, ZO_VALUE_ROOT, &root) ||
        !zo_document_value(m->patch, zo_document_member(m->patch, id, "scale"), &scale)) {
        return;
    }
    if (zo_document_value(m->document, zo_document_member(m->document, ZO_VALUE_ROOT, "scale"), &old)) {
        replace(m, &old, scale.source);
    } else {
        bool first = root.count == 0;
        append(m, &root, scale.key_source, scale.source, &first);
    }
}

zo_status petween_merge(zo_document *document, const zo_document *patch, uint32_t value, petween_part part,
                        bool *changed) {
    merge m = {.document = document, .patch = patch};
    zo_value into, from;
    if (changed != NULL) { *changed = false; }
    if (!is_object(document, ZO_VALUE_ROOT, &into) || !is_object(patch, value, &from)) { return ZO_INVALID; }
    merge_object(&m, part == PETWEEN_PET ? slice_fields : config_fields, ZO_VALUE_ROOT, value, part);
    if (part == PETWEEN_SLICE) { merge_scale(&m); }
    if (changed != NULL) { *changed = m.count > 0; }
    return apply(&m, document);
}

zo_status petween_set(zo_document *document, const char *name, const char *json) {
    merge m = {.document = document, .patch = document};
    zo_value root, old;
    char key[64];
    const zo_text text = {json, strlen(json)};
    if (!is_object(document, ZO_VALUE_ROOT, &root)) { return ZO_INVALID; }
    bool first = root.count == 0;
    if (zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, name), &old)) {
        replace(&m, &old, text);
    } else {
        const int size = snprintf(key, sizeof key, "\"%s\"", name);
        append(&m, &root, (zo_text){key, (size_t)size}, text, &first);
    }
    return apply(&m, document);
}
