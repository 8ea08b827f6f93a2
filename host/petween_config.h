// The configuration of a petween pet as its documents have it: the root document, and the slice of it that a pet owns
// (scale, poses, states). Documents are read leniently, patches strictly, and a patch is put into a stored document by
// edits, so that members that nobody knows, their order and the spelling of numbers survive. Called by petween's
// interface and by the commands that mount animations; knows nothing of the store.
#ifndef HOST_PETWEEN_CONFIG_H
#define HOST_PETWEEN_CONFIG_H

#include <zoetrope/zoetrope.h>

#include "host/json.h"

enum { PETWEEN_SLOTS = 6, PETWEEN_ID_MAX = 200, PETWEEN_PET_ID_MAX = 64 };
extern const char *const petween_slots[PETWEEN_SLOTS]; // "idle" and so on

typedef struct petween_pose {
    char asset[17]; // "": none
    double x, y, zoom;
} petween_pose;

typedef struct petween_bounce {
    bool enabled;
    double strength, min_ms, max_ms, duration_ms;
} petween_bounce;

typedef struct petween_sway {
    bool enabled;
    double angle_deg, period_ms;
} petween_sway;

typedef struct petween_breathe {
    bool enabled;
    double strength, period_ms;
} petween_breathe;

typedef struct petween_enter {
    uint32_t preset;
    double strength, duration_ms;
    char animation[PETWEEN_ID_MAX + 1]; // "": none
} petween_enter;

typedef struct petween_state {
    uint32_t pose; // slot
    petween_enter enter;
    petween_bounce bounce;
    petween_sway sway;
    petween_breathe breathe;
    char ambient[PETWEEN_ID_MAX + 1]; // "": none
} petween_state;

typedef struct petween_slice { // what a pet owns
    double scale;
    petween_pose poses[PETWEEN_SLOTS];
    petween_state states[PETWEEN_SLOTS];
} petween_slice;

typedef struct petween_config {
    bool enabled;
    petween_enter transition; // global; its animation is never set
    uint32_t reduced_motion;
    double success_hold_ms, error_hold_ms;
    petween_slice slice;
    double overlay_x, overlay_y; // NAN: null
    bool change_pose_within_active;
    uint32_t activity_transition, terminal_hold;
    bool particles;
    zo_text click;       // JSON text of the animation's name; borrowed from the document that it was read from
    uint32_t click_pose; // slot, or PETWEEN_SLOTS: null
    uint32_t honor;      // honorAnimationPoseSwap: 0 false, 1 true, 2 not given
    char active_pet[PETWEEN_PET_ID_MAX + 1]; // "": null
} petween_config;

// What kind of animation a library has under that id: "transition", "ambient", "interaction". NULL: none is there.
typedef const char *(*petween_kind_fn)(void *context, const char *id);

// Receives what is wrong, each place once: "states.idle.enter.strength".
typedef void (*petween_issue_fn)(void *context, const char *path, const char *message);

typedef struct petween_reading {
    petween_kind_fn kind_of; // NULL: references are judged by their form alone
    void *kind_context;
    petween_issue_fn issue;  // NULL: lenient: what is wrong is as if it were not there
    void *issue_context;
    const char *prefix;      // of paths, "pet."; NULL: none
} petween_reading;

void petween_config_default(petween_config *config);

// Puts what the document says over what is in *config or *slice. An issue leaves the value that was there. The value is
// the root (a configuration) or an object of scale, poses and states (a slice).
void petween_config_read(const zo_document *document, const petween_reading *reading, petween_config *config);
void petween_slice_read(const zo_document *document, uint32_t value, const petween_reading *reading,
                        petween_slice *slice);

// The whole as a JSON value, every member in petween's order; and the members of a slice, into an object that is open.
void petween_config_write(cli_json *json, const char *key, const petween_config *config);
void petween_slice_write(cli_json *json, const petween_slice *slice);

// Which part of a configuration's patch goes into a document.
typedef enum petween_part {
    PETWEEN_GLOBAL = 0, // all but the slice, into a configuration
    PETWEEN_SLICE = 1,  // the slice of a configuration's patch, into a pet
    PETWEEN_PET = 2,    // a slice, into a pet
} petween_part;

// Merges a patch (any JSON object; PETWEEN_PET: the object `value` of it) into a document that is an object: known
// objects member by member, everything else as it stands. A pose without a picture takes away the one that was there.
// *changed (may be NULL) tells whether the patch has such a part at all. ZO_INVALID: one of them is no object;
// ZO_LIMIT: some object has more than PETWEEN_MEMBERS_MAX members.
enum { PETWEEN_MEMBERS_MAX = 1000 };
zo_status petween_merge(zo_document *document, const zo_document *patch, uint32_t value, petween_part part,
                        bool *changed);

// Puts one member of the root of a document, in place or behind the others. `json` is its JSON text.
zo_status petween_set(zo_document *document, const char *name, const char *json);

bool petween_text_is(zo_text text, const char *word); // the same bytes
bool petween_is_pet_id(const char *id);   // pet_ and letters and digits
bool petween_is_asset_id(const char *id); // 16 hexadecimal digits
bool petween_is_animation_id(const char *id); // namespace:name, as the document has it

#endif
