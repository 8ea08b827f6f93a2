// What the objects of a pet's configuration hold: members, types, ranges, words. The reader walks objects by it, and
// the JSON Schema is written from it. Tables only: nothing here runs.
#include "formats/petween_pet.h"

#define ID ZD_PETWEEN_PET_FIELD
#define WORDS(table) .words = table, .word_count = ZB_COUNT(table)
#define FIELDS(table) .fields = table, .field_count = ZB_COUNT(table)
#define NUMBER(name, least, most, text) {ZF_NAME(name), ZF_NUMBER, false, ID, .low = least, .high = most, .about = text}
#define FLAG(name, text) {ZF_NAME(name), ZF_BOOLEAN, false, ID, .about = text}
#define WORD(name, table, text) {ZF_NAME(name), ZF_TEXT, false, ID, WORDS(table), .about = text}
#define PART(name, object_, text) {ZF_NAME(name), ZF_OBJECT, false, ID, .object = &object_, .about = text}
#define OBJECT(name, text, table) {name, text, ID, FIELDS(table)}
#define SLOTS(object) { \
    PART("idle", object, "Nothing is going on."), PART("thinking", object, "At work, in thought."), \
    PART("working", object, "At work, with a tool."), PART("waiting", object, "Somebody must answer."), \
    PART("success", object, "Done."), PART("error", object, "It went wrong.")}

const zf_name zf_pt_presets[ZF_PT_PRESET_COUNT] = {
    ZF_NAME("none"), ZF_NAME("soft"), ZF_NAME("comic-pop"), ZF_NAME("jelly"),   ZF_NAME("jump"),
    ZF_NAME("snap"), ZF_NAME("flip"), ZF_NAME("celebrate"), ZF_NAME("deflate"),
    [ZF_PT_PRESET_GLOBAL] = ZF_NAME("global"),
};
static const zf_name motions[ZF_PT_MOTION_COUNT] = {ZF_NAME("system"), ZF_NAME("always"), ZF_NAME("never")};
static const zf_name swaps[ZF_PT_SWAP_COUNT] = {ZF_NAME("subtle"), ZF_NAME("state"), ZF_NAME("none")};
static const zf_name holds[ZF_PT_HOLD_COUNT] = {ZF_NAME("timed"), ZF_NAME("until-interaction")};

// -------------------------------------------------------------------------------------------------------------- global

static const zf_field transition_fields[] = {
    [ENTER_PRESET] = {ZF_NAME("preset"), ZF_TEXT, false, ID, .words = zf_pt_presets, .word_count = ZF_PT_PRESET_GLOBAL,
                      .about = "The built-in animation."},
    [ENTER_STRENGTH] = NUMBER("strength", 0.0, 3.0, "How strong it is; 1 as designed."),
    [ENTER_DURATION_MS] = NUMBER("durationMs", 60.0, 2000.0, "How long it takes, in milliseconds."),
};
static const zf_object transition_object =
    OBJECT("transition", "What states that ask for the global transition are entered by.", transition_fields);

static const zf_field global_fields[] = {
    [GLOBAL_SCALE] = NUMBER("scale", 0.3, 4.0, "The size of the pet."),
    [GLOBAL_TRANSITION] = PART("transition", transition_object, "The transition of states that say global."),
    [GLOBAL_REDUCED_MOTION] = WORD("reducedMotion", motions,
                                   "Whether motion is reduced: as the system says or by choice."),
    [GLOBAL_SUCCESS_HOLD_MS] = NUMBER("successHoldMs", 0.0, 120000.0, "How long success is shown, in milliseconds."),
    [GLOBAL_ERROR_HOLD_MS] = NUMBER("errorHoldMs", 0.0, 120000.0, "How long an error is shown, in milliseconds."),
};
static const zf_object global_object = OBJECT("global", "What holds for all states.", global_fields);

// --------------------------------------------------------------------------------------------------------------- poses

static const zf_field anchor_fields[] = {
    [PLACE_X] = NUMBER("x", 0.0, 1.0, "A share of the picture's width."),
    [PLACE_Y] = NUMBER("y", 0.0, 1.0, "A share of the picture's height."),
};
static const zf_object anchor_object = OBJECT("anchor", "The point of the picture that stays where it is.",
                                              anchor_fields);

static const zf_field pose_fields[] = {
    [POSE_ASSET_ID] = {ZF_NAME("assetId"), ZF_TEXT, false, ID, .count_min = 1,
                       .about = "The picture; without it there is none."},
    [POSE_ANCHOR] = PART("anchor", anchor_object, "Where the picture stands."),
    [POSE_ZOOM] = NUMBER("zoom", 0.2, 8.0, "How large the picture is in its square."),
};
static const zf_object pose_object = OBJECT("pose", "The picture of a state.", pose_fields);
static const zf_field poses_fields[ZF_PT_SLOT_COUNT] = SLOTS(pose_object);
static const zf_object poses_object = OBJECT("poses", "The pictures, one for each state.", poses_fields);

// -------------------------------------------------------------------------------------------------------------- states

static const zf_field enter_fields[] = {
    [ENTER_PRESET] = WORD("preset", zf_pt_presets, "The built-in animation, or global for the one of all states."),
    [ENTER_STRENGTH] = NUMBER("strength", 0.0, 3.0, "How strong it is; 1 as designed."),
    [ENTER_DURATION_MS] = NUMBER("durationMs", 60.0, 2000.0, "How long it takes, in milliseconds."),
    [ENTER_ANIMATION_ID] = {ZF_NAME("animationId"), ZF_TEXT | ZF_NULL, false, ID, .count_min = 1,
                            .about = "A transition in place of the preset."},
};
static const zf_object enter_object = OBJECT("enter", "How the state is entered.", enter_fields);

static const zf_field bounce_fields[] = {
    [BOUNCE_ENABLED] = FLAG("enabled", "Whether it bounces."),
    [BOUNCE_STRENGTH] = NUMBER("strength", 0.0, 1.8, "How high."),
    [BOUNCE_DURATION_MS] = NUMBER("durationMs", 50.0, 5000.0, "How long one bounce takes, in milliseconds."),
    [BOUNCE_INTERVAL_MIN_MS] = NUMBER("intervalMinMs", 50.0, 120000.0,
                                      "The shortest wait between two, in milliseconds."),
    [BOUNCE_INTERVAL_MAX_MS] = NUMBER("intervalMaxMs", 50.0, 120000.0,
                                      "The longest wait between two, in milliseconds."),
};
static const zf_beyond bounce_beyond[] = {{ZD_PETWEEN_PET_INTERVAL, "intervalMinMs is not above intervalMaxMs"}};
static const zf_object bounce_object = {"bounce", "Bouncing now and then.", ID, FIELDS(bounce_fields),
                                        .beyond = bounce_beyond, .beyond_count = ZB_COUNT(bounce_beyond)};

static const zf_field sway_fields[] = {
    [LOOP_ENABLED] = FLAG("enabled", "Whether it sways."),
    [LOOP_STRENGTH] = NUMBER("angleDeg", 0.0, 60.0, "How far to each side, in degrees; the animation goes to 15."),
    [LOOP_PERIOD_MS] = NUMBER("periodMs", 200.0, 120000.0, "How long there and back takes, in milliseconds."),
};
static const zf_object sway_object = OBJECT("sway", "Swaying.", sway_fields);

static const zf_field breathe_fields[] = {
    [LOOP_ENABLED] = FLAG("enabled", "Whether it breathes."),
    [LOOP_STRENGTH] = NUMBER("strength", 0.0, 1.8, "How deeply."),
    [LOOP_PERIOD_MS] = NUMBER("periodMs", 200.0, 120000.0, "How long a breath takes, in milliseconds."),
};
static const zf_object breathe_object = OBJECT("breathe", "Breathing.", breathe_fields);

static const zf_field ambient_fields[] = {
    [AMBIENT_BOUNCE] = PART("bounce", bounce_object, "Bouncing now and then."),
    [AMBIENT_SWAY] = PART("sway", sway_object, "Swaying."),
    [AMBIENT_BREATHE] = PART("breathe", breathe_object, "Breathing."),
    [AMBIENT_CUSTOM] = {ZF_NAME("customAnimationId"), ZF_TEXT | ZF_NULL, false, ID, .count_min = 1,
                        .about = "An ambient animation of one's own beside them."},
};
static const zf_object ambient_object = OBJECT("ambient", "What plays as long as the state lasts.", ambient_fields);

static const zf_field state_fields[] = {
    [STATE_POSE] = {ZF_NAME("pose"), ZF_TEXT, false, ID, .words = zf_pt_slots, .word_count = ZF_PT_SLOT_COUNT,
                    .about = "Whose picture is shown."},
    [STATE_ENTER] = PART("enter", enter_object, "How the state is entered."),
    [STATE_AMBIENT] = PART("ambient", ambient_object, "What plays as long as it lasts."),
};
static const zf_object state_object = OBJECT("state", "What the pet does in a state.", state_fields);
static const zf_field states_fields[ZF_PT_SLOT_COUNT] = SLOTS(state_object);
static const zf_object states_object = OBJECT("states", "What the pet does, one for each state.", states_fields);

// ---------------------------------------------------------------------------------------------------------------- rest

static const zf_field overlay_fields[] = {
    [PLACE_X] = {ZF_NAME("x"), ZF_NUMBER | ZF_NULL, false, ID, ZF_ANY_NUMBER, .about = "From the left, in px."},
    [PLACE_Y] = {ZF_NAME("y"), ZF_NUMBER | ZF_NULL, false, ID, ZF_ANY_NUMBER, .about = "From the top, in px."},
};
static const zf_object overlay_object = OBJECT("overlay", "Where the pet was left on the screen.", overlay_fields);

static const zf_field advanced_fields[] = {
    [ADVANCED_CHANGE_POSE] = FLAG("changePoseWithinActive", "Whether another activity shows another picture."),
    [ADVANCED_ACTIVITY_TRANSITION] = WORD("activityTransition", swaps, "How pictures change while at work."),
    [ADVANCED_TERMINAL_HOLD] = WORD("terminalHold", holds, "What ends success and error: time, or a click."),
    [ADVANCED_PARTICLES] = FLAG("particles", "Whether there are particles."),
};
static const zf_object advanced_object = OBJECT("advanced", "What few people change.", advanced_fields);

static const zf_field click_fields[] = {
    [CLICK_ANIMATION] = {ZF_NAME("animation"), ZF_TEXT, false, ID, .count_min = 1,
                         .about = "An interaction that plays once."},
    [CLICK_POSE] = {ZF_NAME("pose"), ZF_TEXT | ZF_NULL, false, ID, .words = zf_pt_slots, .word_count = ZF_PT_SLOT_COUNT,
                    .about = "Whose picture is shown meanwhile."},
    [CLICK_HONOR] = FLAG("honorAnimationPoseSwap", "Whether the animation may change the picture."),
};
static const zf_object click_object = OBJECT("click", "What a click does.", click_fields);
static const zf_field interactions_fields[] = {
    [INTERACTIONS_CLICK] = PART("click", click_object, "What a click does."),
};
static const zf_object interactions_object = OBJECT("interactions", "What people can do to the pet.",
                                                    interactions_fields);

// A pet that is kept by itself has these beside its configuration.
static const zf_field attribution_fields[ATTRIBUTION_COUNT] = {
    [ATTRIBUTION_CHARACTER] = {ZF_NAME("character"), ZF_TEXT | ZF_NULL, false, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                               .about = "Whom the pet shows."},
    [ATTRIBUTION_CREATORS] = {ZF_NAME("creators"), ZF_ARRAY | ZF_NULL, false, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                              .count_max = 8, .about = "Whose work it is."},
    [ATTRIBUTION_SOURCE_URL] = {ZF_NAME("sourceUrl"), ZF_TEXT | ZF_NULL, false, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                                .about = "Where it is from."},
    [ATTRIBUTION_LICENSE] = {ZF_NAME("license"), ZF_TEXT | ZF_NULL, false, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                             .about = "What others may do with it."},
};
static const zf_beyond attribution_beyond[] = {
    {ZD_PETWEEN_PACKAGE_ATTRIBUTION, "texts are not empty and not too long"},
};
const zf_object zf_pt_attribution_object = {
    "attribution", "Whom a pet shows and whose work it is.", ZD_PETWEEN_PACKAGE_ATTRIBUTION, FIELDS(attribution_fields),
    .beyond = attribution_beyond, .beyond_count = ZB_COUNT(attribution_beyond)};

static const zf_beyond plugins_beyond[] = {
    {ZD_PETWEEN_PACKAGE_PLUGINS, "there are at most 8 plugins, each with a member config, and none is too large"},
};
const zf_object zf_pt_plugins_object = {"plugins", "What companion programs keep with the pet, by their names.",
                                        ZD_PETWEEN_PACKAGE_PLUGINS,
                                        .beyond = plugins_beyond, .beyond_count = ZB_COUNT(plugins_beyond)};

static const zf_field pet_fields[] = {
    [PET_VERSION] = {ZF_NAME("version"), ZF_NUMBER, false, ZD_PETWEEN_VERSION, .low = 1.0, .high = 1.0,
                     .about = "Of the configuration."},
    [PET_ENABLED] = FLAG("enabled", "Whether the pet is there."),
    [PET_GLOBAL] = PART("global", global_object, "What holds for all states."),
    [PET_POSES] = PART("poses", poses_object, "The pictures."),
    [PET_STATES] = PART("states", states_object, "What the pet does in each state."),
    [PET_OVERLAY] = PART("overlay", overlay_object, "Where the pet was left."),
    [PET_ADVANCED] = PART("advanced", advanced_object, "What few people change."),
    [PET_INTERACTIONS] = PART("interactions", interactions_object, "What people can do to it."),
    [PET_ACTIVE_PET_ID] = {ZF_NAME("activePetId"), ZF_TEXT | ZF_NULL, false, ID,
                           .about = "Which of several pets it is."},
    [PET_SCALE] = NUMBER("scale", 0.3, 4.0, "The size of the pet; counts before that of global."),
    [PET_NAME] = {ZF_NAME("name"), ZF_TEXT, false, ZD_PETWEEN_PACKAGE_NAME, .count_min = 1,
                  .about = "What people call it."},
    [PET_ATTRIBUTION] = {ZF_NAME("attribution"), ZF_OBJECT | ZF_NULL, false, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                         .object = &zf_pt_attribution_object, .about = "Whom it shows and whose work it is."},
    [PET_PLUGINS] = {ZF_NAME("pluginConfigs"), ZF_OBJECT, false, ZD_PETWEEN_PACKAGE_PLUGINS,
                     .object = &zf_pt_plugins_object, .about = "What companion programs keep with it."},
};

static const zf_beyond pet_beyond[] = {
    {ZD_PETWEEN_PACKAGE_NAME, "the name has 1 to 120 characters without the white space around it"},
};
const zf_object zf_pt_pet_object = {"pet", "The configuration of a desktop pet, or a part of it.", ID,
                                    FIELDS(pet_fields),
                                    .beyond = pet_beyond, .beyond_count = ZB_COUNT(pet_beyond)};
