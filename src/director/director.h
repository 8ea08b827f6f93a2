// Directors: policies that decide what an instance plays. Called by api with the host's wishes, by the runtime through
// the functions of zr_director when something comes due. Plain data in the instance's block, driven by the runtime's
// verbs.
#ifndef ZR_DIRECTOR_H
#define ZR_DIRECTOR_H

#include "runtime/runtime.h"

// The director that a program carries; NULL: none.
const zr_director *zr_director_of(const zp_program *program);

extern const zr_director zr_director_of_slots, zr_director_of_speech;

// All of these on an instance with a director of speech. false: nothing answers, and that is told.
bool zr_speech_trigger(zo_instance *instance, const char *text, bool after_speech);
void zr_speech_release(zo_instance *instance, bool after_speech);
void zr_speech_speaking(zo_instance *instance, bool speaking);

// All of these on an instance with a director of slots.
void zr_slots_request(zo_instance *instance, uint32_t state); // at once; what is pending is dropped
bool zr_slots_status(zo_instance *instance, const zo_status_event *event); // false: no such type
void zr_slots_click(zo_instance *instance);
bool zr_slots_flash(zo_instance *instance, uint32_t cel_ref, int64_t hold_ns); // hold_ns 0: until the target changes
bool zr_slots_play(zo_instance *instance, uint32_t clip, bool interrupt);      // false: refused
void zr_slots_refresh(zo_instance *instance); // what plays beside, after reduced motion has been switched

typedef struct zr_target {
    uint32_t state;   // STATES
    zp_name activity;
} zr_target;
zr_target zr_slots_target(const zo_instance *instance);

#endif
