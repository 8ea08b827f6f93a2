// A pet's configuration: which objects it holds and where each member stands in its table, and reading one that travels
// with what it plays. Shared by the readers of pets and of packages and their tables; nothing else includes it but
// formats.c.
#ifndef ZF_PETWEEN_PET_H
#define ZF_PETWEEN_PET_H

#include "formats/petween_pack.h"

enum { PET_VERSION, PET_ENABLED, PET_GLOBAL, PET_POSES, PET_STATES, PET_OVERLAY, PET_ADVANCED, PET_INTERACTIONS,
       PET_ACTIVE_PET_ID, PET_SCALE, PET_NAME, PET_ATTRIBUTION, PET_PLUGINS };
enum { GLOBAL_SCALE, GLOBAL_TRANSITION, GLOBAL_REDUCED_MOTION, GLOBAL_SUCCESS_HOLD_MS, GLOBAL_ERROR_HOLD_MS };
enum { ENTER_PRESET, ENTER_STRENGTH, ENTER_DURATION_MS, ENTER_ANIMATION_ID }; // the global one has no animation
enum { POSE_ASSET_ID, POSE_ANCHOR, POSE_ZOOM };
enum { PLACE_X, PLACE_Y };
enum { STATE_POSE, STATE_ENTER, STATE_AMBIENT };
enum { AMBIENT_BOUNCE, AMBIENT_SWAY, AMBIENT_BREATHE, AMBIENT_CUSTOM };
enum { BOUNCE_ENABLED, BOUNCE_STRENGTH, BOUNCE_DURATION_MS, BOUNCE_INTERVAL_MIN_MS, BOUNCE_INTERVAL_MAX_MS };
enum { LOOP_ENABLED, LOOP_STRENGTH, LOOP_PERIOD_MS }; // of sway and breathe
enum { ADVANCED_CHANGE_POSE, ADVANCED_ACTIVITY_TRANSITION, ADVANCED_TERMINAL_HOLD, ADVANCED_PARTICLES };
enum { INTERACTIONS_CLICK };
enum { CLICK_ANIMATION, CLICK_POSE, CLICK_HONOR };
enum { ATTRIBUTION_CHARACTER, ATTRIBUTION_CREATORS, ATTRIBUTION_SOURCE_URL, ATTRIBUTION_LICENSE, ATTRIBUTION_COUNT };

enum { ZF_PT_PRESET_GLOBAL = 9, ZF_PT_PRESET_COUNT }; // the others are built-in animations of the same name
extern const zf_name zf_pt_presets[ZF_PT_PRESET_COUNT];
enum { ZF_PT_MOTION_SYSTEM, ZF_PT_MOTION_ALWAYS, ZF_PT_MOTION_NEVER, ZF_PT_MOTION_COUNT };
enum { ZF_PT_SWAP_SUBTLE, ZF_PT_SWAP_STATE, ZF_PT_SWAP_NONE, ZF_PT_SWAP_COUNT };
enum { ZF_PT_HOLD_TIMED, ZF_PT_HOLD_UNTIL_INTERACTION, ZF_PT_HOLD_COUNT };

extern const zf_object zf_pt_pet_object, zf_pt_attribution_object, zf_pt_plugins_object;

// What a pet names that is not built in.
typedef struct zf_pt_named {
    struct {
        zo_text id;          // size 0: none
        uint32_t node;       // of it
    } images[ZF_PT_SLOT_COUNT];
    const zf_pt_definition *enters[ZF_PT_SLOT_COUNT], *ambients[ZF_PT_SLOT_COUNT], *click; // NULL: none
    uint32_t global;         // nodes of parts of the configuration; 0: not there
    uint32_t attribution, plugins;
    zo_text name;            // size 0: none
} zf_pt_named;

// Reads the configuration at `node` of the input's document. `pack` (or NULL) travels with it: its animations come
// first, and its mounts outdo what the states say. `whole`: animations that states name must be there. `named` may be
// NULL.
zo_status zf_pt_read_pet(const zf_input *input, uint32_t node, const zf_pt_pack *pack, bool whole, zf_pt_named *named,
                         zp_build *build);

// What a pet has beside its configuration; reports. node 0: it is not there.                      petween_pet_extras.c
void zf_pt_check_attribution(const zf_pt_reading *reading, uint32_t node);
void zf_pt_check_plugins(const zf_pt_reading *reading, uint32_t node);

extern const zf_reader zf_pt_pet_reader;

#endif
