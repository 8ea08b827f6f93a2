// Where each member of a petween object stands in its table, and each demand in the list of the definition's. For the
// files that read definitions (petween_read.c, petween_rules.c) and the tables themselves.
#ifndef ZF_PETWEEN_FIELDS_H
#define ZF_PETWEEN_FIELDS_H

#include "formats/petween.h"

enum { VERSION, ID, NAME, KIND, DURATION_MS, REPEAT, TRACKS, EVENTS, PARAMETERS };
enum { MODE, MIN_DELAY_MS, MAX_DELAY_MS };
enum { PROPERTY, KEYFRAMES };
enum { KEY_AT, KEY_VALUE, KEY_EASING };
enum { BASE, PARAMETER, AMOUNT };
enum { EVENT_AT, EVENT_TYPE, EVENT_POSE, EVENT_EFFECT };
enum { STRENGTH };
enum { DEFAULT, MIN, MAX };

extern const zf_object zf_pt_repeat_object, zf_pt_track_object, zf_pt_keyframe_object, zf_pt_value_object,
    zf_pt_event_object, zf_pt_parameters_object, zf_pt_strength_object; // zf_pt_definition_object: petween.h

typedef enum zf_pt_demand {
    ZF_PT_RESERVED_NAMESPACE,
    ZF_PT_AMBIENT_LAYER,
    ZF_PT_TRANSITION_NO_POSE,
    ZF_PT_TRANSITION_ONE_SWAP,
    ZF_PT_INTERACTION_POSE,
    ZF_PT_AMBIENT_EVENTS,
    ZF_PT_ALTERNATE_EVENTS,
    ZF_PT_DEMAND_COUNT
} zf_pt_demand;
extern const zf_demand zf_pt_demands[ZF_PT_DEMAND_COUNT];

#endif
