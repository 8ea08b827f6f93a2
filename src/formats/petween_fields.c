// What the objects of a petween definition hold: the one list of members, types, ranges, words and demands. The reader
// walks objects by it, and the JSON Schema is written from it. Tables only: nothing here runs.
#include "formats/petween_fields.h"

#define WORDS(table) .words = table, .word_count = ZB_COUNT(table)
#define FIELDS(table) .fields = table, .field_count = ZB_COUNT(table)
#define BEYOND(table) .beyond = table, .beyond_count = ZB_COUNT(table)

static const zf_name strength_word[] = {ZF_NAME("strength")};

// -------------------------------------------------------------------------------------------------------------- repeat

static const zf_field repeat_fields[] = {
    [MODE] = {ZF_NAME("mode"), ZF_TEXT, true, ZD_PETWEEN_REPEAT, WORDS(zf_pt_modes),
              .about = "What follows a pass: nothing, the next, the next one backwards, or a wait and the next."},
    [MIN_DELAY_MS] = {ZF_NAME("minDelayMs"), ZF_NUMBER, true, ZD_PETWEEN_RANDOM_INTERVAL, .low = 1.0, .high = 600000.0,
                      .when_ref = 1 + MODE, .when_word = ZF_PT_RANDOM_INTERVAL,
                      .about = "With random-interval: the shortest wait in milliseconds."},
    [MAX_DELAY_MS] = {ZF_NAME("maxDelayMs"), ZF_NUMBER, true, ZD_PETWEEN_RANDOM_INTERVAL, .low = 1.0, .high = 600000.0,
                      .when_ref = 1 + MODE, .when_word = ZF_PT_RANDOM_INTERVAL,
                      .about = "With random-interval: the longest wait in milliseconds."},
};

static const zf_beyond repeat_beyond[] = {{ZD_PETWEEN_RANDOM_INTERVAL, "minDelayMs is not above maxDelayMs"}};

const zf_object zf_pt_repeat_object = {
    "repeat", "What happens when a pass is over.", ZD_PETWEEN_REPEAT, FIELDS(repeat_fields), BEYOND(repeat_beyond)};

// ----------------------------------------------------------------------------------------------------------- keyframes

static const zf_field value_fields[] = {
    [BASE] = {ZF_NAME("base"), ZF_NUMBER, true, ZD_PETWEEN_VALUE, ZF_ANY_NUMBER, .about = "The value at strength 0."},
    [PARAMETER] = {ZF_NAME("parameter"), ZF_TEXT, true, ZD_PETWEEN_VALUE, WORDS(strength_word),
                   .about = "The parameter that the value depends on."},
    [AMOUNT] = {ZF_NAME("amount"), ZF_NUMBER, true, ZD_PETWEEN_VALUE, ZF_ANY_NUMBER,
                .about = "What each unit of strength adds to the base."},
};

const zf_object zf_pt_value_object = {
    "value", "A value that depends on the strength: base + amount * strength.", ZD_PETWEEN_VALUE, FIELDS(value_fields)};

static const zf_field keyframe_fields[] = {
    [KEY_AT] = {ZF_NAME("at"), ZF_NUMBER, true, ZD_PETWEEN_AT, .low = 0.0, .high = 1.0,
                .about = "The time as a fraction of durationMs: 0 is the start, 1 the end."},
    [KEY_VALUE] = {ZF_NAME("value"), ZF_NUMBER | ZF_OBJECT, true, ZD_PETWEEN_VALUE, ZF_ANY_NUMBER,
                   .object = &zf_pt_value_object,
                   .about = "A factor, pixels with y down, degrees clockwise, or an opacity; or one by strength."},
    [KEY_EASING] = {ZF_NAME("easing"), ZF_TEXT, false, ZD_PETWEEN_EASING, WORDS(zf_pt_easings),
                    .forms = {&zf_pt_curve_text},
                    .about = "The way to the next keyframe: a name, or cubic-bezier(x1, y1, x2, y2); linear without."},
};

static const zf_beyond keyframe_beyond[] = {
    {ZD_PETWEEN_EASING, "x1 and x2 are within 0..1 and all four numbers finite once they are rounded to doubles"}};

const zf_object zf_pt_keyframe_object = {"keyframe", "A value at a time.", ZD_PETWEEN_KEYFRAME_OBJECT,
                                         FIELDS(keyframe_fields), BEYOND(keyframe_beyond)};

static const zf_field track_fields[] = {
    [PROPERTY] = {ZF_NAME("property"), ZF_TEXT, true, ZD_PETWEEN_PROPERTY, WORDS(zf_pt_properties),
                  .about = "What the track moves: a layer, a point, and the channel of that layer."},
    [KEYFRAMES] = {ZF_NAME("keyframes"), ZF_ARRAY, true, ZD_PETWEEN_KEYFRAMES, .count_min = 1,
                   .object = &zf_pt_keyframe_object, .about = "In any order; each time once."},
};

static const zf_beyond track_beyond[] = {{ZD_PETWEEN_DUPLICATE_AT, "no two keyframes of a track have the same time"}};

const zf_object zf_pt_track_object = {"track", "One property over the time of a pass.", ZD_PETWEEN_TRACK_OBJECT,
                                      FIELDS(track_fields), BEYOND(track_beyond)};

// -------------------------------------------------------------------------------------------------------------- events

static const zf_field event_fields[] = {
    [EVENT_AT] = {ZF_NAME("at"), ZF_NUMBER, true, ZD_PETWEEN_EVENT_AT, .low = 0.0, .high = 1.0,
                  .about = "The time as a fraction of durationMs: 0 is the start, 1 the end."},
    [EVENT_TYPE] = {ZF_NAME("type"), ZF_TEXT, true, ZD_PETWEEN_EVENT_TYPE, WORDS(zf_pt_event_types),
                    .about = "What happens: another picture is shown, or an effect starts."},
    [EVENT_POSE] = {ZF_NAME("pose"), ZF_TEXT, false, ZD_PETWEEN_POSE_TARGET, WORDS(zf_pt_slots),
                    .forms = {&zf_pt_word_text, &zf_pt_id_text}, .when_ref = 1 + EVENT_TYPE,
                    .when_word = ZF_PT_POSE_SWAP,
                    .about = "With pose-swap: the picture to show, a slot such as success or an id such as user:wink."},
    [EVENT_EFFECT] = {ZF_NAME("effect"), ZF_TEXT, true, ZD_PETWEEN_PARTICLE_EFFECT, WORDS(zf_pt_effects),
                      .when_ref = 1 + EVENT_TYPE, .when_word = ZF_PT_PARTICLE,
                      .about = "With particle: which effect."},
};

const zf_object zf_pt_event_object = {
    "event", "Something that happens at one time of a pass.", ZD_PETWEEN_EVENT_OBJECT, FIELDS(event_fields)};

// ---------------------------------------------------------------------------------------------------------- parameters

static const zf_field strength_fields[] = {
    [DEFAULT] = {ZF_NAME("default"), ZF_NUMBER, true, ZD_PETWEEN_PARAMETERS_STRENGTH, ZF_ANY_NUMBER,
                 .about = "The strength when nobody sets one."},
    [MIN] = {ZF_NAME("min"), ZF_NUMBER, true, ZD_PETWEEN_PARAMETERS_STRENGTH, ZF_ANY_NUMBER,
             .about = "A smaller strength is raised to this."},
    [MAX] = {ZF_NAME("max"), ZF_NUMBER, true, ZD_PETWEEN_PARAMETERS_STRENGTH, ZF_ANY_NUMBER,
             .about = "A larger strength is cut to this."},
};

static const zf_beyond strength_beyond[] = {{ZD_PETWEEN_PARAMETERS_STRENGTH, "min <= default <= max"}};

const zf_object zf_pt_strength_object = {"strength", "The range of the strength, and its value when nobody sets one.",
                                         ZD_PETWEEN_PARAMETERS_STRENGTH, FIELDS(strength_fields),
                                         BEYOND(strength_beyond)};

static const zf_field parameters_fields[] = {
    [STRENGTH] = {ZF_NAME("strength"), ZF_OBJECT, false, ZD_PETWEEN_PARAMETERS_STRENGTH,
                  .object = &zf_pt_strength_object,
                  .about = "How strongly the animation moves; 1 within 0..3 when it is left out."},
};

const zf_object zf_pt_parameters_object = {
    "parameters", "What can be set from outside.", ZD_PETWEEN_PARAMETERS, FIELDS(parameters_fields)};

// ---------------------------------------------------------------------------------------------------------- definition

static const zf_field definition_fields[] = {
    [VERSION] = {ZF_NAME("version"), ZF_NUMBER, true, ZD_PETWEEN_VERSION, .low = 1.0, .high = 1.0,
                 .id_above = ZD_PETWEEN_VERSION_NEWER, .about = "Of the format."},
    [ID] = {ZF_NAME("id"), ZF_TEXT, true, ZD_PETWEEN_ID, .forms = {&zf_pt_id_text},
            .about = "A namespace, a colon and a name, as in user:soft-landing."},
    [NAME] = {ZF_NAME("name"), ZF_TEXT, true, ZD_PETWEEN_NAME, .count_min = 1, .about = "What people see in lists."},
    [KIND] = {ZF_NAME("kind"), ZF_TEXT, true, ZD_PETWEEN_KIND, WORDS(zf_pt_kinds),
              .about = "Whether it enters a state, accompanies one, or answers a click."},
    [DURATION_MS] = {ZF_NAME("durationMs"), ZF_NUMBER, true, ZD_PETWEEN_DURATIONMS, .low = 1.0, .high = 60000.0,
                     .about = "The length of one pass in milliseconds."},
    [REPEAT] = {ZF_NAME("repeat"), ZF_OBJECT, true, ZD_PETWEEN_REPEAT, .object = &zf_pt_repeat_object,
                .about = "What happens when a pass is over."},
    [TRACKS] = {ZF_NAME("tracks"), ZF_ARRAY, true, ZD_PETWEEN_TRACKS, .object = &zf_pt_track_object,
                .about = "What moves; each property at most once."},
    [EVENTS] = {ZF_NAME("events"), ZF_ARRAY, false, ZD_PETWEEN_EVENTS, .object = &zf_pt_event_object,
                .about = "What happens on the way. A transition swaps the picture exactly once."},
    [PARAMETERS] = {ZF_NAME("parameters"), ZF_OBJECT, false, ZD_PETWEEN_PARAMETERS, .object = &zf_pt_parameters_object,
                    .about = "What can be set from outside."},
};

#define WHEN_KIND(kind) .when = {&definition_fields[KIND]}, .when_word = kind
#define SWAPS .field = &definition_fields[EVENTS], .item = &event_fields[EVENT_TYPE], .item_word = ZF_PT_POSE_SWAP
#define POSE .member = &event_fields[EVENT_POSE]

const zf_demand zf_pt_demands[ZF_PT_DEMAND_COUNT] = {
    [ZF_PT_RESERVED_NAMESPACE] = {ZD_PETWEEN_RESERVED_NAMESPACE, ZF_NO_FORM, .field = &definition_fields[ID],
                                  .form = &zf_pt_reserved_text},
    [ZF_PT_AMBIENT_LAYER] = {ZD_PETWEEN_AMBIENT_LAYER, ZF_NO_WORD, WHEN_KIND(ZF_PT_AMBIENT),
                             .field = &definition_fields[TRACKS], .member = &track_fields[PROPERTY],
                             .word_first = 0, .word_count = ZF_PT_TRANSITION_PROPERTY_COUNT},
    [ZF_PT_TRANSITION_NO_POSE] = {ZD_PETWEEN_TRANSITION_NO_POSE, ZF_WITHOUT, WHEN_KIND(ZF_PT_TRANSITION), SWAPS, POSE},
    [ZF_PT_TRANSITION_ONE_SWAP] = {ZD_PETWEEN_TRANSITION_ONE_SWAP, ZF_ONE, WHEN_KIND(ZF_PT_TRANSITION), SWAPS},
    [ZF_PT_INTERACTION_POSE] = {ZD_PETWEEN_INTERACTION_POSE, ZF_WITH, WHEN_KIND(ZF_PT_INTERACTION), SWAPS, POSE},
    [ZF_PT_AMBIENT_EVENTS] = {ZD_PETWEEN_AMBIENT_EVENTS, ZF_EMPTY, WHEN_KIND(ZF_PT_AMBIENT),
                              .field = &definition_fields[EVENTS]},
    [ZF_PT_ALTERNATE_EVENTS] = {ZD_PETWEEN_ALTERNATE_EVENTS, ZF_EMPTY,
                                .when = {&definition_fields[REPEAT], &repeat_fields[MODE]},
                                .when_word = ZF_PT_ALTERNATE, .field = &definition_fields[EVENTS]},
};

static const zf_beyond definition_beyond[] = {
    {ZD_PETWEEN_DUPLICATE_PROPERTY, "no two tracks have the same property"},
    {ZD_PETWEEN_LAYER_EASING, "at each time the easings in force are equal in all tracks of a layer"},
};

const zf_object zf_pt_definition_object = {
    "definition", "An animation of a desktop pet: tracks of keyframes, and events on the way.",
    ZD_PETWEEN_DEFINITION_OBJECT, FIELDS(definition_fields), .demands = zf_pt_demands,
    .demand_count = ZF_PT_DEMAND_COUNT, BEYOND(definition_beyond)};
