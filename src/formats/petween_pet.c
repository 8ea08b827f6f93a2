// The reader of pets: a configuration, and beside it the animations that it names, become states, their enters and what
// plays beside them, and the director that decides among them. Sources after the first are animation definitions and
// motion packs; the built-in animations are there as well. What the configuration leaves out has defaults and counts as
// not stated. The two profiles end in different records here and nowhere later.
#include <math.h>

#include "base/intern.h"
#include "formats/petween_pack.h"
#include "formats/petween_pet.h"
#include "json/compact.h"

#define MS_NS INT64_C(1000000)
enum { IDLE, THINKING, WORKING, WAITING, SUCCESS, ERROR_SLOT };
_Static_assert(ERROR_SLOT + 1 == ZF_PT_SLOT_COUNT, "the slots in their order");
enum { LANE_BOUNCE, LANE_SWAY, LANE_BREATHE, LANE_CUSTOM, LANE_COUNT };

typedef struct transition {
    uint32_t preset;
    double strength, duration_ms;
    bool strength_stated, duration_stated;
    zo_text animation_id;     // size 0: none
    uint32_t node;            // of it
} transition;

typedef struct channel {
    bool enabled;
    double strength, duration_ms;
    double delay_ms_min, delay_ms_max; // bounce
} channel;

typedef struct state {
    uint32_t pose;
    transition enter;
    channel channels[LANE_CUSTOM];
    zo_text custom_id;        // size 0: none
    uint32_t custom_node;
} state;

typedef struct pet {
    double scale;
    transition global;
    uint32_t reduced_motion;
    double success_hold_ms, error_hold_ms;
    zf_pt_look looks[ZF_PT_SLOT_COUNT];
    uint32_t image_nodes[ZF_PT_SLOT_COUNT];
    state states[ZF_PT_SLOT_COUNT];
    bool change_pose, particles;
    uint32_t swap, hold;
    zo_text click_animation;
    uint32_t click_node;
    uint32_t click_pose;      // ZF_PT_SLOT_COUNT: none
    bool click_swaps;
} pet;

typedef struct reader {
    const zf_input *input;
    zb_arena *arena;
    const zj_doc *doc;
    uint32_t root;            // of the configuration
    zo_profile profile;
    const zf_pt_pack *pack;   // that travels with it; NULL: none
    bool whole;               // what states name must be there
    pet pet;
    zb_array definitions;     // zf_pt_definition: of the sources, then the built-ins
    zb_intern ids;
    zb_array by_id;           // uint32_t: index into definitions, by id - 1
    zb_array contents;        // zo_text: of definitions, compact; size 0: not asked for yet
    zo_status status;         // of the sources beside
} reader;

// ------------------------------------------------------------------------------------------------------------- members

// What a value must be, in words: "a number from 0 to 3", "one of idle, thinking".
static zd_arg wanted(const reader *r, const zf_field *f) {
    zb_buffer out = zb_buffer_open(r->arena);
    if (f->types & ZF_NUMBER) {
        zb_put(&out, "a number");
        if (f->low > -DBL_MAX) {
            zb_put(&out, " from ");
            zb_put_double(&out, f->low);
            zb_put(&out, " to ");
            zb_put_double(&out, f->high);
        }
    }
    if (f->types & ZF_BOOLEAN) {
        zb_put(&out, "true or false");
    }
    if (f->types & ZF_OBJECT) {
        zb_put(&out, "an object");
    }
    if (f->types & ZF_TEXT) {
        zb_put(&out, f->word_count > 0 ? "one of " : f->count_min > 0 ? "a text that is not empty" : "a text");
        for (uint32_t i = 0; i < f->word_count; i++) {
            zb_put(&out, i > 0 ? ", " : "");
            zb_put_text(&out, zf_name_text(f->words[i]));
        }
    }
    if (f->types & ZF_NULL) {
        zb_put(&out, " or null");
    }
    return zd_text((zo_text){out.data, out.size});
}

static void report_field(const reader *r, const zf_fields *fields, uint32_t field) {
    const zf_field *f = &fields->table->fields[field];
    const uint32_t node = fields->nodes[field];
    const uint32_t added = zf_report(fields, field, ZD_PETWEEN_PET_FIELD,
                                     ZD_ARGS(zd_word(f->name.text), wanted(r, f), zf_not(r->arena, r->doc, node)));
    zo_text text = {NULL, 0};
    if (f->word_count > 0 && zf_text(r->doc, node, &text)) {
        zf_hint_nearest(r->doc, added, text, f->words, f->word_count);
    }
}

// The following leave `out` alone where the member is not there, and report it where it is not as the table says.

static bool read_number(const reader *r, const zf_fields *fields, uint32_t field, double *out) { // true: it is stated
    if (zf_left_out(fields, field) || zf_fields_in_range(fields, field, out)) {
        return zf_has(fields, field);
    }
    if (!(fields->table->fields[field].types & ZF_NULL) || !zf_is(r->doc, fields->nodes[field], ZJ_NULL)) {
        report_field(r, fields, field);
    }
    return false;
}

static void read_flag(const reader *r, const zf_fields *fields, uint32_t field, bool *out) {
    const uint32_t node = fields->nodes[field];
    if (zf_is(r->doc, node, ZJ_TRUE) || zf_is(r->doc, node, ZJ_FALSE)) {
        *out = zf_is(r->doc, node, ZJ_TRUE);
    } else if (node != 0) {
        report_field(r, fields, field);
    }
}

static void read_word(const reader *r, const zf_fields *fields, uint32_t field, uint32_t *out) {
    const zf_field *f = &fields->table->fields[field];
    const uint32_t node = fields->nodes[field];
    if (node == 0 || ((f->types & ZF_NULL) && zf_is(r->doc, node, ZJ_NULL))) {
        return;
    }
    zo_text text = {NULL, 0};
    const uint32_t word = zf_text(r->doc, node, &text) ? zf_word(f->words, f->word_count, text) : f->word_count;
    if (word < f->word_count) {
        *out = word;
    } else {
        report_field(r, fields, field);
    }
}

static void read_text(const reader *r, const zf_fields *fields, uint32_t field, zo_text *out) {
    const zf_field *f = &fields->table->fields[field];
    const uint32_t node = fields->nodes[field];
    if (node == 0 || ((f->types & ZF_NULL) && zf_is(r->doc, node, ZJ_NULL))) {
        return;
    }
    zo_text text = {NULL, 0};
    if (zf_text(r->doc, node, &text) && text.size >= f->count_min) {
        *out = text;
    } else {
        report_field(r, fields, field);
    }
}

// A part of the configuration. false: it is not there, or was reported.
static bool open_part(const reader *r, const zf_fields *fields, uint32_t field, zf_fields *part) {
    const uint32_t node = fields->nodes[field];
    if (node == 0) {
        return false;
    }
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        report_field(r, fields, field);
        return false;
    }
    zf_fields_read(part, r->arena, r->doc, node, fields->table->fields[field].object);
    return true;
}

// --------------------------------------------------------------------------------------------------- the configuration

enum { SOFT = 1, COMIC_POP = 2, CELEBRATE = 7, DEFLATE = 8 }; // presets

// Strengths in hundredths, times in ms.
static const struct {
    uint16_t preset, duration_ms;
    struct { uint16_t enabled, strength, duration_ms, delay_ms_min, delay_ms_max; } channels[LANE_CUSTOM];
} default_states[ZF_PT_SLOT_COUNT] = {
    [IDLE] = {SOFT, 220, {{false, 35, 360, 800, 1300}, {true, 70, 3600, 0, 0}, {true, 25, 2800, 0, 0}}},
    [THINKING] = {ZF_PT_PRESET_GLOBAL, 260, {{true, 35, 360, 800, 1300}, {true, 130, 2700, 0, 0},
                                             {false, 18, 2800, 0, 0}}},
    [WORKING] = {ZF_PT_PRESET_GLOBAL, 260, {{true, 22, 360, 550, 850}, {false, 130, 2700, 0, 0},
                                            {true, 18, 2800, 0, 0}}},
    [WAITING] = {SOFT, 220, {{false, 35, 360, 800, 1300}, {true, 90, 4200, 0, 0}, {true, 16, 2800, 0, 0}}},
    [SUCCESS] = {CELEBRATE, 420, {{false, 35, 360, 800, 1300}, {false, 70, 3600, 0, 0}, {true, 10, 3000, 0, 0}}},
    [ERROR_SLOT] = {DEFLATE, 300, {{false, 35, 360, 800, 1300}, {true, 60, 5200, 0, 0}, {true, 12, 3200, 0, 0}}},
};

static void fill_channel(channel *out, uint32_t slot, uint32_t lane) {
    out->enabled = default_states[slot].channels[lane].enabled != 0;
    out->strength = default_states[slot].channels[lane].strength / 100.0;
    out->duration_ms = default_states[slot].channels[lane].duration_ms;
    out->delay_ms_min = default_states[slot].channels[lane].delay_ms_min;
    out->delay_ms_max = default_states[slot].channels[lane].delay_ms_max;
}

static void fill_defaults(pet *p, zo_profile profile) {
    memset(p, 0, sizeof *p);
    p->scale = 1.0;
    p->global = (transition){.preset = COMIC_POP, .strength = 1.0, .duration_ms = 260.0};
    p->success_hold_ms = 1600.0;
    p->error_hold_ms = 1800.0;
    p->particles = true;
    p->click_animation = ZB_TEXT("builtin:click-pop");
    p->click_pose = ZF_PT_SLOT_COUNT;
    p->click_swaps = profile == ZO_PROFILE_DOCUMENT;
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        state *s = &p->states[slot];
        s->pose = slot;
        s->enter = (transition){.preset = default_states[slot].preset, .strength = 1.0,
                                .duration_ms = default_states[slot].duration_ms};
        for (uint32_t lane = 0; lane < LANE_CUSTOM; lane++) {
            fill_channel(&s->channels[lane], slot, lane);
        }
        p->looks[slot] = (zf_pt_look){.anchor = {0.5, 0.96}, .zoom = 1.0};
    }
}

static void read_transition(const reader *r, const zf_fields *fields, transition *out) {
    read_word(r, fields, ENTER_PRESET, &out->preset);
    out->strength_stated = read_number(r, fields, ENTER_STRENGTH, &out->strength);
    out->duration_stated = read_number(r, fields, ENTER_DURATION_MS, &out->duration_ms);
    if (fields->table->field_count > ENTER_ANIMATION_ID) {
        read_text(r, fields, ENTER_ANIMATION_ID, &out->animation_id);
        out->node = fields->nodes[ENTER_ANIMATION_ID];
    }
}

static void read_bounce(const reader *r, const zf_fields *fields, channel *out) {
    read_flag(r, fields, BOUNCE_ENABLED, &out->enabled);
    read_number(r, fields, BOUNCE_STRENGTH, &out->strength);
    read_number(r, fields, BOUNCE_DURATION_MS, &out->duration_ms);
    read_number(r, fields, BOUNCE_INTERVAL_MIN_MS, &out->delay_ms_min);
    read_number(r, fields, BOUNCE_INTERVAL_MAX_MS, &out->delay_ms_max);
    if (out->delay_ms_min > out->delay_ms_max) {
        const uint32_t at = zf_has(fields, BOUNCE_INTERVAL_MIN_MS) ? BOUNCE_INTERVAL_MIN_MS : BOUNCE_INTERVAL_MAX_MS;
        zf_report(fields, at, ZD_PETWEEN_PET_INTERVAL,
                  ZD_ARGS(zd_number(out->delay_ms_min), zd_number(out->delay_ms_max)));
    }
}

static void read_loop(const reader *r, const zf_fields *fields, channel *out) {
    read_flag(r, fields, LOOP_ENABLED, &out->enabled);
    read_number(r, fields, LOOP_STRENGTH, &out->strength);
    read_number(r, fields, LOOP_PERIOD_MS, &out->duration_ms);
}

static void read_state(const reader *r, const zf_fields *fields, state *out) {
    zf_fields part, inner;
    read_word(r, fields, STATE_POSE, &out->pose);
    if (open_part(r, fields, STATE_ENTER, &part)) {
        read_transition(r, &part, &out->enter);
    }
    if (!open_part(r, fields, STATE_AMBIENT, &part)) {
        return;
    }
    if (open_part(r, &part, AMBIENT_BOUNCE, &inner)) {
        read_bounce(r, &inner, &out->channels[LANE_BOUNCE]);
    }
    if (open_part(r, &part, AMBIENT_SWAY, &inner)) {
        read_loop(r, &inner, &out->channels[LANE_SWAY]);
    }
    if (open_part(r, &part, AMBIENT_BREATHE, &inner)) {
        read_loop(r, &inner, &out->channels[LANE_BREATHE]);
    }
    read_text(r, &part, AMBIENT_CUSTOM, &out->custom_id);
    out->custom_node = part.nodes[AMBIENT_CUSTOM];
}

static void read_look(const reader *r, const zf_fields *fields, zf_pt_look *out, uint32_t *image_node) {
    zf_fields anchor;
    read_text(r, fields, POSE_ASSET_ID, &out->image);
    *image_node = fields->nodes[POSE_ASSET_ID];
    read_number(r, fields, POSE_ZOOM, &out->zoom);
    if (open_part(r, fields, POSE_ANCHOR, &anchor)) {
        read_number(r, &anchor, PLACE_X, &out->anchor[0]);
        read_number(r, &anchor, PLACE_Y, &out->anchor[1]);
    }
}

static void read_global(const reader *r, const zf_fields *fields, pet *out) {
    zf_fields part;
    read_number(r, fields, GLOBAL_SCALE, &out->scale);
    if (open_part(r, fields, GLOBAL_TRANSITION, &part)) {
        read_transition(r, &part, &out->global);
    }
    read_word(r, fields, GLOBAL_REDUCED_MOTION, &out->reduced_motion);
    read_number(r, fields, GLOBAL_SUCCESS_HOLD_MS, &out->success_hold_ms);
    read_number(r, fields, GLOBAL_ERROR_HOLD_MS, &out->error_hold_ms);
}

// true: a newer program wrote it.
static bool read_version(const reader *r, const zf_fields *fields) {
    double version = 1.0;
    if (zf_left_out(fields, PET_VERSION) || zf_fields_in_range(fields, PET_VERSION, &version)) {
        return false;
    }
    const bool newer = zf_number(r->doc, fields->nodes[PET_VERSION], &version) && version > 1.0;
    zf_report(fields, PET_VERSION, newer ? ZD_PETWEEN_VERSION_NEWER : ZD_PETWEEN_VERSION,
              ZD_ARGS(newer ? zd_number(version) : zf_not(r->arena, r->doc, fields->nodes[PET_VERSION])));
    return newer;
}

static void read_slots(reader *r, const zf_fields *fields) {
    pet *p = &r->pet;
    zf_fields part, inner;
    if (open_part(r, fields, PET_POSES, &part)) {
        for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
            if (open_part(r, &part, slot, &inner)) {
                read_look(r, &inner, &p->looks[slot], &p->image_nodes[slot]);
            }
            p->looks[slot].absent = p->looks[slot].image.size == 0;
        }
    }
    if (open_part(r, fields, PET_STATES, &part)) {
        for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
            if (open_part(r, &part, slot, &inner)) {
                read_state(r, &inner, &p->states[slot]);
            }
        }
    }
}

static void read_rest(reader *r, const zf_fields *fields) {
    pet *p = &r->pet;
    zf_fields part, inner;
    bool enabled;
    double place;
    zo_text text;
    read_flag(r, fields, PET_ENABLED, &enabled);
    read_number(r, fields, PET_SCALE, &p->scale);
    read_text(r, fields, PET_ACTIVE_PET_ID, &text);
    if (open_part(r, fields, PET_OVERLAY, &part)) { // the host's affair
        read_number(r, &part, PLACE_X, &place);
        read_number(r, &part, PLACE_Y, &place);
    }
    if (open_part(r, fields, PET_ADVANCED, &part)) {
        read_flag(r, &part, ADVANCED_CHANGE_POSE, &p->change_pose);
        read_word(r, &part, ADVANCED_ACTIVITY_TRANSITION, &p->swap);
        read_word(r, &part, ADVANCED_TERMINAL_HOLD, &p->hold);
        read_flag(r, &part, ADVANCED_PARTICLES, &p->particles);
    }
    if (open_part(r, fields, PET_INTERACTIONS, &part) && open_part(r, &part, INTERACTIONS_CLICK, &inner)) {
        read_text(r, &inner, CLICK_ANIMATION, &p->click_animation);
        read_word(r, &inner, CLICK_POSE, &p->click_pose);
        read_flag(r, &inner, CLICK_HONOR, &p->click_swaps);
        p->click_node = inner.nodes[CLICK_ANIMATION];
    }
}

// What says nothing of how the pet plays.
static void read_extras(const reader *r, const zf_fields *fields, zf_pt_named *named) {
    const zf_pt_reading reading = {.arena = r->arena, .doc = r->doc, .profile = r->profile};
    if (zf_has(fields, PET_NAME)) {
        zf_pt_read_name(&reading, fields, PET_NAME, &named->name);
    }
    named->global = fields->nodes[PET_GLOBAL];
    named->attribution = fields->nodes[PET_ATTRIBUTION];
    named->plugins = fields->nodes[PET_PLUGINS];
    zf_pt_check_attribution(&reading, named->attribution);
    zf_pt_check_plugins(&reading, named->plugins);
}

// Mounts of a pack that travels with the pet are what an import would write into its states.
static void take_mounts(reader *r) {
    for (uint32_t i = 0; r->pack != NULL && i < r->pack->mount_count; i++) {
        const zf_pt_mount *m = &r->pack->mounts[i];
        state *s = &r->pet.states[m->slot];
        if (m->enter_ref != 0) {
            s->enter.animation_id = r->pack->animations[m->enter_ref - 1].id;
            s->enter.node = r->pack->animations[m->enter_ref - 1].node;
        }
        if (m->ambient_ref != 0) {
            s->custom_id = r->pack->animations[m->ambient_ref - 1].id;
            s->custom_node = r->pack->animations[m->ambient_ref - 1].node;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------- animations

static const zf_pt_definition *definition_at(const reader *r, uint32_t index) {
    return (const zf_pt_definition *)(const void *)r->definitions.items + index;
}

static zo_text content_of(const reader *r, const zf_pt_definition *definition) {
    zb_buffer out = zb_buffer_open(r->arena);
    zj_put_compact(&out, definition->doc, definition->node, ZJ_ORDER_SORTED, (zj_stand_in){0});
    return (zo_text){out.data, out.size};
}

// Of two with one id the first counts. That is nobody's loss when both are the same, as when a pack and the file that
// it was made of lie beside the pet.
static void check_other(const reader *r, uint32_t index, const zf_pt_definition *other) {
    if (index >= r->contents.count) {
        return; // memory is short
    }
    zo_text *content = (zo_text *)(void *)r->contents.items + index;
    const zf_pt_definition *first = definition_at(r, index);
    if (content->size == 0) {
        *content = content_of(r, first);
    }
    if (zb_text_equal(*content, content_of(r, other))) {
        return;
    }
    const uint32_t node = zj_member(other->doc, other->node, ZB_TEXT("id"));
    const uint32_t added = zj_report(other->doc, node, ZD_PETWEEN_PET_DUPLICATE_ID,
                                     ZD_ARGS(zf_quoted(r->arena, other->doc, other->id)));
    if (added != 0) {
        const uint32_t first_node = zj_member(first->doc, first->node, ZB_TEXT("id"));
        zd_report_relate(other->doc->report, added, zj_place(first->doc, first_node), "this one counts");
    }
}

static void add_definition(reader *r, const zf_pt_definition *definition) {
    const uint32_t id = zb_intern_id(&r->ids, definition->id);
    if (id == 0) {
        return; // memory is short
    }
    if (id <= r->by_id.count) {
        check_other(r, ((const uint32_t *)(const void *)r->by_id.items)[id - 1], definition);
        return;
    }
    *(uint32_t *)zb_array_push(&r->by_id) = r->definitions.count;
    *(zf_pt_definition *)zb_array_push(&r->definitions) = *definition;
    *(zo_text *)zb_array_push(&r->contents) = (zo_text){NULL, 0};
}

static void settle_status(reader *r, zf_pt_verdict verdict) {
    if (verdict == ZF_PT_NEWER) {
        r->status = ZO_NEWER;
    } else if (verdict == ZF_PT_INVALID && r->status == ZO_OK) {
        r->status = ZO_INVALID;
    }
}

static void read_source(reader *r, const zo_source *from) {
    zo_source source = *from;
    zo_compile_def def = *r->input->def;
    def.format = NULL;
    def.maybe = true; // what is beside need not be meant
    zf_input input = {.sources = &source, .source_count = 1, .def = &def, .arena = r->arena,
                      .report = r->input->report};
    zo_status status = ZO_OK;
    const zf_reader *found = zf_open_source(&input, &source, &status);
    if (found == NULL) {
        if (status != ZO_UNSUPPORTED) {
            r->status = status;
        }
        return;
    }
    const zf_pt_reading reading = {.arena = r->arena, .doc = input.doc, .profile = r->profile, .own = input.own};
    if (found == &zf_pt_reader) {
        zf_pt_definition definition;
        const zf_pt_verdict verdict = zf_pt_read(&reading, ZJ_ROOT, &definition);
        settle_status(r, verdict);
        if (verdict == ZF_PT_VALID) {
            add_definition(r, &definition);
        }
    } else if (found == &zf_pt_pack_reader) {
        zf_pt_pack pack;
        const zf_pt_verdict verdict = zf_pt_read_pack(&reading, ZJ_ROOT, &pack);
        settle_status(r, verdict);
        for (uint32_t i = 0; verdict == ZF_PT_VALID && i < pack.animation_count; i++) {
            add_definition(r, &pack.animations[i]);
        }
    }
}

static void read_sources(reader *r) {
    r->definitions = zb_array_open(r->arena, sizeof(zf_pt_definition));
    r->by_id = zb_array_open(r->arena, sizeof(uint32_t));
    r->contents = zb_array_open(r->arena, sizeof(zo_text));
    r->ids = zb_intern_open(r->arena);
    for (uint32_t i = 0; i < zf_pt_builtin_count(); i++) {
        read_source(r, &(zo_source){.name = zf_pt_builtin_id(i), .kind = ZO_SOURCE_BUILTIN});
    }
    for (uint32_t i = 0; r->pack != NULL && i < r->pack->animation_count; i++) {
        add_definition(r, &r->pack->animations[i]);
    }
    for (uint32_t i = 1; i < r->input->source_count; i++) {
        if (r->input->sources[i].kind == ZO_SOURCE_FILE || r->input->sources[i].kind == ZO_SOURCE_BUILTIN) {
            read_source(r, &r->input->sources[i]);
        }
    }
}

#define NO_DEFINITION UINT32_MAX

static uint32_t find_definition(const reader *r, zo_text id) {
    const uint32_t number = zb_intern_find(&r->ids, id);
    return number != 0 ? ((const uint32_t *)(const void *)r->by_id.items)[number - 1] : NO_DEFINITION;
}

static uint32_t builtin(const reader *r, const char *name) {
    zb_buffer id = zb_buffer_open(r->arena);
    zb_put(&id, "builtin:");
    zb_put(&id, name);
    return find_definition(r, (zo_text){id.data, id.size});
}

// The animation of this id, if it may stand there; else a warning, and NO_DEFINITION. Where all must be there, an
// error, but for what a click names and for what is there and merely repeats: then something else is played.
static uint32_t use(const reader *r, zo_text id, uint32_t node, zf_pt_kind kind, bool once, bool own_only) {
    if (id.size == 0) {
        return NO_DEFINITION;
    }
    const uint32_t index = find_definition(r, id);
    const char *why = NULL;
    bool fault = r->whole && kind != ZF_PT_INTERACTION;
    if (index == NO_DEFINITION) {
        why = "is not at hand";
    } else if (definition_at(r, index)->kind != kind) {
        why = kind == ZF_PT_TRANSITION ? "is no transition"
              : kind == ZF_PT_AMBIENT  ? "is no ambient"
                                       : "is no interaction";
    } else if (once && definition_at(r, index)->repeat.mode != ZF_PT_ONCE) {
        why = "does not play just once";
        fault = false;
    } else if (own_only && zf_pt_reserved(id)) {
        why = "is built in, and has its own settings";
    }
    if (why == NULL) {
        return index;
    }
    zj_report(r->doc, node, fault ? ZD_PETWEEN_PACKAGE_ANIMATION : ZD_PETWEEN_PET_ANIMATION,
              ZD_ARGS(zf_quoted(r->arena, r->doc, id), zd_word(why)));
    return NO_DEFINITION;
}

// ------------------------------------------------------------------------------------------------------------- program

typedef struct builder {
    const reader *r;
    zp_build *build;
    const uint32_t *clips;    // by definition
    uint32_t mix_ref;         // of what plays beside
} builder;

static zp_name name_of(const builder *b, const char *text) { return zp_build_name(b->build, zb_text(text)); }

static int64_t ms_ns(double ms) { return (int64_t)floor(ms * 1e6 + 1.0 / 1024.0); } // may be 0

static uint32_t add_play(const builder *b, zp_play play, const double *strength) { // play + 1
    play.flags |= ZP_PLAY_LATER;
    if (strength != NULL) {
        play.first_value = zp_build_numbers(b->build, strength, 1);
        play.value_count = 1;
    }
    return zp_build_play(b->build, &play) + 1;
}

static uint32_t enter_play(const builder *b, const state *s) {
    const reader *r = b->r;
    const bool global = s->enter.preset == ZF_PT_PRESET_GLOBAL;
    const transition *figures = global ? &r->pet.global : &s->enter;
    const uint32_t custom = use(r, s->enter.animation_id, s->enter.node, ZF_PT_TRANSITION, true, false);
    const uint32_t preset = global ? r->pet.global.preset : s->enter.preset;
    const uint32_t index = custom != NO_DEFINITION ? custom : builtin(r, zf_pt_presets[preset].text);
    if (index == NO_DEFINITION) {
        return 0; // only when memory is short
    }
    const bool own = custom != NO_DEFINITION && !zf_pt_reserved(definition_at(r, custom)->id);
    if (own && r->profile == ZO_PROFILE_DOCUMENT) { // its own figures, but for what is stated for this state
        const zp_play play = {.clip = b->clips[index],
                              .duration_ns = s->enter.duration_stated ? ms_ns(s->enter.duration_ms) : 0};
        return add_play(b, play, s->enter.strength_stated ? &s->enter.strength : NULL);
    }
    const zp_play play = {.clip = b->clips[index], .duration_ns = ms_ns(figures->duration_ms)};
    return add_play(b, play, &figures->strength);
}

static uint32_t lane_play(const builder *b, uint32_t lane, const channel *c) {
    static const char *const names[LANE_CUSTOM] = {"bounce", "sway", "breathe"};
    const uint32_t index = c->enabled ? builtin(b->r, names[lane]) : NO_DEFINITION;
    if (index == NO_DEFINITION) {
        return 0;
    }
    zp_play play = {.clip = b->clips[index], .flags = ZP_PLAY_REPEAT, .repeat = ZP_REPEAT_LOOP,
                    .duration_ns = ms_ns(c->duration_ms), .mix_ref = b->mix_ref};
    if (lane == LANE_BOUNCE) {
        play.repeat = ZP_REPEAT_RANDOM_INTERVAL;
        play.delay_min = c->delay_ms_min;
        play.delay_max = c->delay_ms_max;
    }
    return add_play(b, play, &c->strength);
}

static uint32_t custom_play(const builder *b, const state *s) {
    const uint32_t index = use(b->r, s->custom_id, s->custom_node, ZF_PT_AMBIENT, false, true);
    return index == NO_DEFINITION ? 0 : add_play(b, (zp_play){.clip = b->clips[index], .mix_ref = b->mix_ref}, NULL);
}

static void build_states(const builder *b) {
    static const char *const groups[ZF_PT_SLOT_COUNT] = {"idle", "active", "active", "waiting", "success", "error"};
    zp_build_machine(b->build, &(zp_machine){.name = name_of(b, "pet"), .routing = ZP_ROUTING_ANY, .act = ZP_ACT_NOW,
                                             .commit = ZP_COMMIT_AT_EVENT, .start = IDLE});
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        const state *s = &b->r->pet.states[slot];
        uint32_t lanes[LANE_COUNT];
        for (uint32_t lane = 0; lane < LANE_CUSTOM; lane++) {
            lanes[lane] = lane_play(b, lane, &s->channels[lane]);
        }
        lanes[LANE_CUSTOM] = custom_play(b, s);
        const bool active = slot == THINKING || slot == WORKING;
        zp_build_state(b->build, &(zp_state){
            .name = zp_build_name(b->build, zf_name_text(zf_pt_slots[slot])), .group = name_of(b, groups[slot]),
            .activity = active ? zp_build_name(b->build, zf_name_text(zf_pt_slots[slot])) : 0,
            .cel_ref = s->pose + 1, .first_play = zp_build_words(b->build, lanes, LANE_COUNT),
            .play_count = LANE_COUNT, .reentry = ZP_REENTRY_CONTINUE_SAME_CLIP});
        zp_build_edge(b->build, &(zp_edge){.to = slot, .when = ZP_WHEN_REQUEST, .enter_ref = enter_play(b, s)});
    }
}

// Source: petween, state stream and its merging.
static const struct {
    const char *type, *tool;
    uint32_t slot; // ZF_PT_SLOT_COUNT: a dismissal
    const char *activity;
} signals[] = {
    {"idle", "", IDLE, ""},
    {"turn-start", "", THINKING, "thinking"},
    {"thinking", "", THINKING, "thinking"},
    {"tool-start", "edit", WORKING, "coding"},
    {"tool-start", "command", WORKING, "command"},
    {"tool-start", "", WORKING, "working"},
    {"tool-end", "", THINKING, "thinking"},
    {"waiting", "", WAITING, ""},
    {"success", "", SUCCESS, ""},
    {"error", "", ERROR_SLOT, ""},
    {"dismiss", "", ZF_PT_SLOT_COUNT, ""},
};

static void build_director(const builder *b) {
    const pet *p = &b->r->pet;
    static const uint32_t ranks[ZF_PT_SLOT_COUNT] = {0, 2, 2, 4, 1, 3};
    static const zp_swap swaps[ZF_PT_SWAP_COUNT] = {
        [ZF_PT_SWAP_SUBTLE] = ZP_SWAP_PLAY, [ZF_PT_SWAP_STATE] = ZP_SWAP_ENTER, [ZF_PT_SWAP_NONE] = ZP_SWAP_SILENT};
    const uint32_t chosen = use(b->r, p->click_animation, p->click_node, ZF_PT_INTERACTION, true, false);
    const uint32_t click = chosen != NO_DEFINITION ? chosen : builtin(b->r, "click-pop");
    const uint32_t swap = builtin(b->r, "activity-swap");
    if (click == NO_DEFINITION || swap == NO_DEFINITION) {
        return; // only when memory is short
    }
    zp_director director = {
        .kind = ZP_DIRECTOR_SLOTS, .swap = swaps[p->swap], .quiet_ns = 60 * MS_NS, .patience_ns = 200 * MS_NS,
        .swap_play_ref = add_play(b, (zp_play){.clip = b->clips[swap]}, NULL),
        .click_play_ref = add_play(b, (zp_play){.clip = b->clips[click]}, NULL),
        .click_cel_ref = p->click_pose < ZF_PT_SLOT_COUNT ? p->click_pose + 1 : 0,
        .flags = (p->change_pose ? 0u : ZP_DIRECTOR_KEEP_SLOT) | (p->particles ? ZP_DIRECTOR_EFFECTS : 0u) |
                 (p->click_swaps ? ZP_DIRECTOR_CLICK_SWAPS : 0u) |
                 (p->hold == ZF_PT_HOLD_UNTIL_INTERACTION ? ZP_DIRECTOR_UNTIL_CLICK : 0u) |
                 (p->reduced_motion == ZF_PT_MOTION_ALWAYS ? ZP_DIRECTOR_REDUCED_ALWAYS : 0u) |
                 (p->reduced_motion == ZF_PT_MOTION_NEVER ? ZP_DIRECTOR_REDUCED_NEVER : 0u)};
    zp_build_director(b->build, &director);
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        zp_slot record = {.rank = ranks[slot], .fresh_ns = -1};
        if (slot == SUCCESS || slot == ERROR_SLOT) {
            record.flags = ZP_SLOT_ENDS | (slot == ERROR_SLOT ? ZP_SLOT_OVERTAKES : 0u);
            record.hold_ns = ms_ns(slot == SUCCESS ? p->success_hold_ms : p->error_hold_ms);
            record.fresh_ns = (slot == SUCCESS ? 1600 : 1800) * MS_NS; // whatever the hold times
        }
        zp_build_slot(b->build, &record);
    }
    for (uint32_t i = 0; i < ZB_COUNT(signals); i++) {
        const uint32_t state_ref = signals[i].slot < ZF_PT_SLOT_COUNT ? signals[i].slot + 1 : 0;
        zp_build_signal(b->build, &(zp_signal){
            .type = name_of(b, signals[i].type), .tool = name_of(b, signals[i].tool),
            .activity = name_of(b, signals[i].activity), .state_ref = state_ref});
    }
}

// Also without a program to build: what is dropped is reported on the way.
static void check_names(const reader *r) {
    const pet *p = &r->pet;
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        use(r, p->states[slot].enter.animation_id, p->states[slot].enter.node, ZF_PT_TRANSITION, true, false);
        use(r, p->states[slot].custom_id, p->states[slot].custom_node, ZF_PT_AMBIENT, false, true);
    }
    use(r, p->click_animation, p->click_node, ZF_PT_INTERACTION, true, false);
}

static void build_pet(const reader *r, zp_build *build) {
    const uint32_t count = r->definitions.count;
    uint32_t *clips = zb_arena_take_array(r->arena, count, sizeof *clips);
    if (clips == NULL || zb_arena_failed(r->arena)) {
        return;
    }
    zp_build_format(build, ZB_TEXT("pet"), (uint32_t)r->profile);
    const zf_pt_stage stage = {.looks = r->pet.looks, .scale = r->pet.scale, .cels = r->input->def->cels,
                               .cel_count = r->input->def->cel_count};
    zf_pt_build(r->arena, definition_at(r, 0), count, r->profile, &stage, build, clips);
    const builder b = {.r = r, .build = build, .clips = clips,
                       .mix_ref = r->profile == ZO_PROFILE_DOCUMENT ? zp_build_mix_group(build) + 1 : 0};
    build_states(&b);
    build_director(&b);
}

// -------------------------------------------------------------------------------------------------------------- reader

static bool only_slots(const zj_doc *doc, uint32_t object) {
    if (!zf_is(doc, object, ZJ_OBJECT)) {
        return false;
    }
    for (uint32_t member = zj_at(doc, object)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        if (zf_word(zf_pt_slots, ZF_PT_SLOT_COUNT, zj_key(doc, member)) == ZF_PT_SLOT_COUNT) {
            return false;
        }
    }
    return true;
}

// Whether a part is there, and all that it holds is ours. All may be left out, so one part may be a configuration.
static bool only_ours(const zj_doc *doc, uint32_t field) {
    const zf_field *part = &zf_pt_pet_object.fields[field];
    const uint32_t node = zj_member(doc, ZJ_ROOT, zf_name_text(part->name));
    if (!zf_is(doc, node, ZJ_OBJECT) || zj_at(doc, node)->as.items.count == 0) {
        return false;
    }
    for (uint32_t member = zj_at(doc, node)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        bool ours = false;
        for (uint32_t i = 0; i < part->object->field_count; i++) {
            ours = ours || zf_name_is(&part->object->fields[i].name, zj_key(doc, member));
        }
        if (!ours) {
            return false;
        }
    }
    return true;
}

// How sure each part makes us. States and poses count by their slots, which no other format has.
static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT) || zj_member(doc, ZJ_ROOT, ZB_TEXT("format")) != 0) {
        return 0;
    }
    uint32_t sure = 0;
    sure += only_slots(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("states"))) ? 60 : 0;
    sure += only_slots(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("poses"))) ? 50 : 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("global")), ZJ_OBJECT) ? 30 : 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("interactions")), ZJ_OBJECT) ? 30 : 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("advanced")), ZJ_OBJECT) ? 20 : 0;
    sure += only_ours(doc, PET_GLOBAL) || only_ours(doc, PET_INTERACTIONS) || only_ours(doc, PET_ADVANCED) ? 50 : 0;
    return sure < 100 ? sure : 100;
}

static const zf_pt_definition *own_definition(const reader *r, zo_text id) {
    const uint32_t index = id.size > 0 && !zf_pt_reserved(id) ? find_definition(r, id) : NO_DEFINITION;
    return index != NO_DEFINITION ? definition_at(r, index) : NULL;
}

static void collect_named(const reader *r, zf_pt_named *named) {
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        named->images[slot].id = r->pet.looks[slot].image;
        named->images[slot].node = r->pet.image_nodes[slot];
        named->enters[slot] = own_definition(r, r->pet.states[slot].enter.animation_id);
        named->ambients[slot] = own_definition(r, r->pet.states[slot].custom_id);
    }
    named->click = own_definition(r, r->pet.click_animation);
}

zo_status zf_pt_read_pet(const zf_input *input, uint32_t node, const zf_pt_pack *pack, bool whole, zf_pt_named *named,
                         zp_build *build) {
    reader r = {.input = input, .arena = input->arena, .doc = input->doc, .root = node, .profile = input->def->profile,
                .pack = pack, .whole = whole};
    zf_pt_named unwanted;
    named = named != NULL ? named : &unwanted;
    *named = (zf_pt_named){.name = {NULL, 0}};
    if (!zf_is(r.doc, r.root, ZJ_OBJECT)) {
        zf_report_head(r.doc, r.root, ZD_PETWEEN_PET_FIELD,
                       ZD_ARGS(zd_word("a pet"), zd_word("an object"), zf_not(r.arena, r.doc, r.root)));
        return ZO_INVALID;
    }
    const uint32_t errors_before = zd_report_errors(input->report);
    fill_defaults(&r.pet, r.profile);
    zf_fields fields, global;
    zf_fields_read(&fields, r.arena, r.doc, r.root, &zf_pt_pet_object);
    const bool newer = read_version(&r, &fields);
    if (open_part(&r, &fields, PET_GLOBAL, &global)) {
        read_global(&r, &global, &r.pet);
    }
    read_slots(&r, &fields);
    read_rest(&r, &fields);
    read_extras(&r, &fields, named);
    take_mounts(&r);
    read_sources(&r);
    collect_named(&r, named);
    const bool good = !newer && r.status == ZO_OK && zd_report_errors(input->report) == errors_before;
    if (build == NULL || !good) {
        check_names(&r);
        const bool fine = good && zd_report_errors(input->report) == errors_before;
        return newer ? ZO_NEWER : r.status != ZO_OK ? r.status : fine ? ZO_OK : ZO_INVALID;
    }
    build_pet(&r, build);
    return ZO_OK;
}

static zo_status read(const zf_input *input, zp_build *build) {
    ZO_ASSERT(input->doc != NULL);
    return zf_pt_read_pet(input, ZJ_ROOT, NULL, false, NULL, build);
}

const zf_reader zf_pt_pet_reader = {
    .format = {.name = "pet", .title = "petween pet"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .object = &zf_pt_pet_object,
};
