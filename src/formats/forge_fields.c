// What the objects of Forge's files hold: the one list of members, types and words. The readers walk objects by it, and
// the JSON Schemas are written from it. Tables only: nothing here runs.
#include "formats/forge_fields.h"

#define OBJECT(name, called_, about, table) {name, about, ZD_FORGE_WRONG_TYPE, .fields = table, \
                                            .field_count = ZB_COUNT(table), .unknown = ZD_FORGE_UNKNOWN_KEY, \
                                            .called = called_}
#define MEMBER(text, types, required_, about_) ZF_NAME(text), types, required_, ZD_FORGE_WRONG_TYPE, .about = about_
#define WORD(text, required, table, rule, about_) {ZF_NAME(text), ZF_TEXT, required, rule, .words = table, \
                                                   .word_count = ZB_COUNT(table), .about = about_}
// What is not looked at may be anything.
#define IGNORED(text, about) {MEMBER(text, 0, false, about)}
// Numbers may stand in texts.
#define FIGURE(text, required, about) {MEMBER(text, ZF_NUMBER | ZF_TEXT, required, about), ZF_ANY_NUMBER}
#define FIGURES(text, required, least, about) {MEMBER(text, ZF_ARRAY, required, about), .flags = ZF_ITEMS, \
                                               .item = &figure, .count_min = least}
#define MAP(text, required, item_, about) {MEMBER(text, ZF_OBJECT, required, about), .flags = ZF_MAP, .item = item_}
#define LIST(text, required, of, about) {MEMBER(text, ZF_ARRAY, required, about), .object = of}

static const zf_field figure = {MEMBER("number", ZF_NUMBER | ZF_TEXT, false, "A number."), ZF_ANY_NUMBER};
static const zf_field anything = {.name = ZF_NAME("value"), .about = "Anything."};
static const zf_field text = {MEMBER("text", ZF_TEXT, false, "A text.")};
static const zf_field weights = {MEMBER("weights", ZF_ARRAY, false, "The share that the joint has in the cube."),
                                 .flags = ZF_ITEMS, .item = &figure, .count_min = 1};
static const zf_field eight_weights = {
    MEMBER("weights", ZF_ARRAY, false, "The share that the joint has in each corner of the cube."),
    .flags = ZF_ITEMS, .item = &figure, .count_min = 8, .count_max = 8};

const zf_name zf_fg_variables[ZF_FG_VARIABLE_COUNT] = {
    ZF_NAME("offset_x"), ZF_NAME("offset_y"), ZF_NAME("offset_z"), ZF_NAME("axis_x"),  ZF_NAME("axis_y"),
    ZF_NAME("axis_z"),   ZF_NAME("angle"),    ZF_NAME("scale"),    ZF_NAME("scale_x"), ZF_NAME("scale_y"),
    ZF_NAME("scale_z"),  ZF_NAME("origin_x"), ZF_NAME("origin_y"), ZF_NAME("origin_z"),
};
const zf_name zf_fg_parameters[ZF_FG_PARAMETER_COUNT] = {
    ZF_NAME("x"),        ZF_NAME("y"),        ZF_NAME("z"),        ZF_NAME("xrot"),     ZF_NAME("yrot"),
    ZF_NAME("zrot"),     ZF_NAME("angle"),    ZF_NAME("scale"),    ZF_NAME("xs"),       ZF_NAME("ys"),
    ZF_NAME("zs"),       ZF_NAME("offset_x"), ZF_NAME("offset_y"), ZF_NAME("offset_z"), ZF_NAME("axis_x"),
    ZF_NAME("axis_y"),   ZF_NAME("axis_z"),   ZF_NAME("scale_x"),  ZF_NAME("scale_y"),  ZF_NAME("scale_z"),
    ZF_NAME("origin_x"), ZF_NAME("origin_y"), ZF_NAME("origin_z"),
};
const zf_name zf_fg_interpolations[ZF_FG_INTERPOLATION_COUNT] = {ZF_NAME("linear"), ZF_NAME("nearest")};
const zf_name zf_fg_sides[ZF_FG_SIDE_COUNT] = {ZF_NAME("down"),  ZF_NAME("up"),   ZF_NAME("north"),
                                               ZF_NAME("south"), ZF_NAME("west"), ZF_NAME("east")};
const zf_name zf_fg_axes[ZF_FG_AXIS_COUNT] = {ZF_NAME("x"), ZF_NAME("y"), ZF_NAME("z")};

// ------------------------------------------------------------------------------------------------------------- machine

static const zf_field parameter = {
    .name = ZF_NAME("parameter"), .types = ZF_NUMBER | ZF_TEXT | ZF_ARRAY, .low = -DBL_MAX, .high = DBL_MAX,
    .flags = ZF_ITEMS, .item = &anything, .count_min = 1, .id = ZD_FORGE_WRONG_TYPE,
    .about = "A number, \"#name\", [\"compose\", outer, inner], or operators with their operands."};
static const zf_field clip = {
    .name = ZF_NAME("clip"), .types = ZF_TEXT | ZF_ARRAY, .flags = ZF_ITEMS, .item = &anything,
    .count_min = 1, .id = ZD_FORGE_WRONG_TYPE,
    .about = "\"#name\", \"domain:model@clip\", or apply, slerp, trigger_positive with what they take."};
static const zf_field targets = {
    .name = ZF_NAME("targets"), .types = ZF_TEXT | ZF_ARRAY, .flags = ZF_ITEMS, .item = &text,
    .id = ZD_FORGE_WRONG_TYPE, .about = "The state, or the states, that may follow."};

static const zf_field machine_fields[] = {
    [FG_PARAMETERS] = MAP("parameters", true, &parameter, "Functions of the time, by name."),
    [FG_CLIPS] = MAP("clips", true, &clip, "Clips by name; each state plays that of its name."),
    [FG_STATES] = {MEMBER("states", ZF_ARRAY, true, "The names of the states.")},
    [FG_TRANSITIONS] = MAP("transitions", true, &targets, "By state those that may follow it."),
    [FG_START_STATE] = {MEMBER("start_state", ZF_TEXT, true, "The state in which the machine begins.")},
};
static const zf_beyond machine_beyond[] = {
    {ZD_FORGE_UNKNOWN_START_STATE, "the start is one of the states"},
    {ZD_FORGE_STATE_WITHOUT_CLIP, "each state has a clip"},
    {ZD_FORGE_REFERENCE_CYCLE, "nothing hangs on itself"},
    {ZD_FORGE_UNKNOWN_PARAMETER_KIND, "parameters are of a known kind"},
    {ZD_FORGE_UNKNOWN_CLIP_KIND, "clips are of a known kind"},
    {ZD_FORGE_WRONG_ARITY, "they have as many members as their kind takes"},
};
const zf_object zf_fg_machine_object = {
    "machine", "A state machine of the dialect that shipped with Forge.", ZD_FORGE_WRONG_TYPE, .fields = machine_fields,
    .field_count = ZB_COUNT(machine_fields), .beyond = machine_beyond, .beyond_count = ZB_COUNT(machine_beyond),
    .unknown = ZD_FORGE_UNKNOWN_KEY, .called = "shipped machine"};

// ------------------------------------------------------------------------------------------------------------ armature

static const zf_field variable_fields[] = {
    [FG_VARIABLE] = WORD("variable", true, zf_fg_variables, ZD_FORGE_UNKNOWN_VARIABLE, "What of the joint is moved."),
    [FG_TYPE] = IGNORED("type", "How samples lie: uniform, evenly over the pass, is all there is."),
    [FG_INTERPOLATION] = WORD("interpolation", true, zf_fg_interpolations, ZD_FORGE_UNKNOWN_INTERPOLATION,
                              "The way from sample to sample."),
    [FG_SAMPLES] = FIGURES("samples", true, 1, "The values: blocks, degrees, or factors."),
};
const zf_object zf_fg_variable_object = OBJECT("variable", "variable of a shipped armature",
    "One variable of a joint over a pass.", variable_fields);

static const zf_field variables_of_joint = {MEMBER("variables", ZF_ARRAY, false, "What moves the joint."),
                                            .object = &zf_fg_variable_object};
static const zf_field armature_clip_fields[] = {
    [FG_LOOP] = {MEMBER("loop", ZF_BOOLEAN, false, "Whether the last sample leads back to the first.")},
    [FG_JOINT_CLIPS] = MAP("joint_clips", true, &variables_of_joint, "By joint what moves it."),
    [FG_EVENTS] = MAP("events", true, &anything, "By time, 0..1 of a pass, the text that is told then."),
};
const zf_object zf_fg_armature_clip_object = OBJECT("armatureClip", "clip of a shipped armature",
    "A motion of the joints.", armature_clip_fields);

static const zf_field elements_of_joint = {MEMBER("elements", ZF_OBJECT, false, "By element of the model its weight."),
                                           .flags = ZF_MAP, .item = &weights};
static const zf_field clip_of_armature = {MEMBER("clip", ZF_OBJECT, false, "A clip."),
                                          .object = &zf_fg_armature_clip_object};
static const zf_field armature_fields[] = {
    [FG_JOINTS] = MAP("joints", true, &elements_of_joint, "By name the elements that hang on a joint."),
    [FG_ARMATURE_CLIPS] = MAP("clips", true, &clip_of_armature, "By name what the joints do."),
};
const zf_object zf_fg_armature_object = OBJECT("armature", "shipped armature",
    "The joints of a block model, and clips that move them.", armature_fields);

// ------------------------------------------------------------------------------------------------------- draft machine

static const zf_name lerp_word[] = {ZF_NAME("lerp")};
static const zf_name transition_words[] = {ZF_NAME("instant"), ZF_NAME("lerp")};
static const zf_name linear_word[] = {ZF_NAME("linear")}, bezier_word[] = {ZF_NAME("bezier")},
                     control_word[] = {ZF_NAME("control")};

// A parameter is one of several objects, told apart by their type.
#define PARAMETER(text, about) {MEMBER(text, ZF_NUMBER | ZF_TEXT | ZF_OBJECT, false, about), ZF_ANY_NUMBER}
static const zf_field timing_fields[] = {
    [FD_RATE] = PARAMETER("rate", "The speed; 1 when not given."),
    [FD_COUNT] = PARAMETER("count", "How often it is played, or \"infinity\"; 1 when not given."),
    [FD_LENGTH] = PARAMETER("length", "How long one pass is; 1 when not given."),
    [FD_START] = PARAMETER("start", "The time at which it begins; 0 when not given."),
};
const zf_object zf_fg_timing_object = OBJECT("draftTiming", "timing of a draft machine",
    "Playing at another rate, again, or later.", timing_fields);
static const zf_field linear_fields[] = {
    [FD_PARAMETER_TYPE] = WORD("type", true, linear_word, ZD_FORGE_UNKNOWN_PARAMETER_KIND, "Always linear."),
    [FD_WEIGHT] = FIGURE("weight", true, "The factor."),
    [FD_OFFSET] = FIGURE("offset", true, "What is added then."),
};
const zf_object zf_fg_linear_object = OBJECT("draftLinear", "linear parameter of a draft machine",
    "A factor and an offset.", linear_fields);
static const zf_field bezier_fields[] = {
    [FD_BEZIER_TYPE] = WORD("type", true, bezier_word, ZD_FORGE_UNKNOWN_PARAMETER_KIND, "Always bezier."),
    [FD_T_START] = FIGURE("t_start", true, "The inner value near the start."),
    [FD_T_END] = FIGURE("t_end", true, "The inner value near the end."),
};
const zf_object zf_fg_bezier_object = OBJECT("draftBezier", "bezier parameter of a draft machine",
    "A cubic from 0 to 1.", bezier_fields);
static const zf_field control_fields[] = {
    [FD_CONTROL_TYPE] = WORD("type", true, control_word, ZD_FORGE_UNKNOWN_PARAMETER_KIND, "Always control."),
    [FD_NAME] = {MEMBER("name", ZF_TEXT, true, "What the program that plays it calls the control."), .count_min = 1},
};
const zf_object zf_fg_control_object = OBJECT("draftControl", "control of a draft machine",
    "A value of the program that plays it.", control_fields);

static const zf_field draft_clip_fields[] = {
    [FD_CHILD] = {MEMBER("child", ZF_TEXT, false, "The clip that is played.")},
    [FD_CLIP] = {MEMBER("clip", ZF_TEXT, false, "The same: another word for child.")},
    [FD_TIME] = PARAMETER("time", "At which time of it, by the time of the machine."),
    [FD_TYPE] = WORD("type", false, lerp_word, ZD_FORGE_UNKNOWN_CLIP_KIND, "lerp for a blend of two clips."),
    [FD_FROM] = {MEMBER("from", ZF_TEXT, false, "Of a lerp: the clip at progress 0.")},
    [FD_TO] = {MEMBER("to", ZF_TEXT, false, "Of a lerp: the clip at progress 1.")},
    [FD_PROGRESS] = PARAMETER("progress", "Of a lerp: how far it has come, cut to 0..1."),
};
const zf_object zf_fg_draft_clip_object = OBJECT("draftClip", "clip of a draft machine",
    "A clip at a time, or a blend of two.", draft_clip_fields);

static const zf_field draft_transition_fields[] = {
    [FD_TRANSITION_TYPE] = WORD("type", true, transition_words, ZD_FORGE_UNKNOWN_TRANSITION_TYPE,
                                "instant, or lerp for a blend."),
    [FD_TRANSITION_TIME] = {ZF_NAME("time"), ZF_NUMBER | ZF_TEXT, true, ZD_FORGE_TIME_NEGATIVE, ZF_ANY_NUMBER,
                            .when_ref = 1 + FD_TRANSITION_TYPE, .when_word = 1,
                            .about = "Of a lerp: how long it takes, in seconds."},
};
const zf_object zf_fg_draft_transition_object = OBJECT("draftTransition", "transition of a draft machine",
    "How one state follows another.", draft_transition_fields);

static const zf_field draft_clips = {
    .name = ZF_NAME("clip"), .types = ZF_ARRAY | ZF_OBJECT, .object = &zf_fg_draft_clip_object,
    .count_min = 1, .id = ZD_FORGE_WRONG_TYPE, .about = "The clip, in an array of one; more are multiplied."};
static const zf_field draft_transition = {MEMBER("transition", ZF_OBJECT, false, "A transition."),
                                          .object = &zf_fg_draft_transition_object};
static const zf_field draft_machine_fields[] = {
    [FD_ANIMATION] = {MEMBER("animation", ZF_TEXT, false, "The animation file whose clips are played."),
                      .count_min = 1},
    [FD_MODEL] = {MEMBER("model", ZF_TEXT, false, "The B3D model whose clip main is played."), .count_min = 1},
    [FD_CLIPS] = MAP("clips", true, &draft_clips, "Clips by name; each state plays that of its name."),
    [FD_STATES] = {MEMBER("states", ZF_ARRAY, true, "The names of the states; the first is the start."),
                   .count_min = 1},
    [FD_TRANSITIONS] = MAP("transitions", true, &draft_transition, "By \"from -> to\" how one follows the other."),
};
const zf_object zf_fg_draft_machine_object = OBJECT(
    "draftMachine", "draft machine",
    "A state machine of the draft that came before what Forge shipped.", draft_machine_fields);

// ----------------------------------------------------------------------------------------------------- draft animation

static const zf_field draft_joint_fields[] = {
    [FA_JOINT_NAME] = {MEMBER("name", ZF_TEXT, true, "What tracks call it.")},
    [FA_WEIGHTS] = MAP("weights", true, &eight_weights, "By element of the model the share in each of its corners."),
};
const zf_object zf_fg_draft_joint_object = OBJECT("draftJoint", "joint of a draft animation",
    "Corners of cubes that move together.", draft_joint_fields);

static const zf_name track_types[] = {ZF_NAME("uniform"), ZF_NAME("samples")};
static const zf_field track_fields[] = {
    [FA_JOINT] = {MEMBER("joint", ZF_TEXT, true, "The joint that is moved.")},
    [FA_PARAMETER] = WORD("parameter", true, zf_fg_parameters, ZD_FORGE_UNKNOWN_VARIABLE,
                          "What of it: x, y, z in pixels of the model."),
    [FA_TYPE] = WORD("type", true, track_types, ZD_FORGE_UNKNOWN_TYPE, "Whether samples lie evenly or at times."),
    [FA_INTERPOLATION] = WORD("interpolation", true, zf_fg_interpolations, ZD_FORGE_UNKNOWN_INTERPOLATION,
                              "The way from sample to sample."),
    [FA_TIMES] = {MEMBER("times", ZF_ARRAY, true, "Of samples: their times, rising, from 0 to below 1."),
                  .flags = ZF_ITEMS, .item = &figure, .count_min = 1, .when_ref = 1 + FA_TYPE, .when_word = 1},
    [FA_SAMPLES] = FIGURES("samples", true, 1, "The values."),
};
const zf_object zf_fg_track_object = OBJECT("draftTrack", "track of a draft animation",
    "One value of a joint over a pass.", track_fields);

static const zf_field animation_clip_fields[] = {
    [FA_CLIP_NAME] = {MEMBER("name", ZF_TEXT, true, "What machines call it.")},
    [FA_TRACKS] = LIST("tracks", true, &zf_fg_track_object, "What moves; none is the pose at rest."),
    [FA_LOOP] = {MEMBER("loop", ZF_BOOLEAN, false, "Whether the last sample leads back to the first; false.")},
};
const zf_object zf_fg_animation_clip_object = OBJECT("draftAnimationClip", "clip of a draft animation",
    "A motion of the joints.", animation_clip_fields);

static const zf_field animation_fields[] = {
    [FA_MODEL] = {MEMBER("model", ZF_TEXT, true, "The block model that is moved.")},
    [FA_JOINTS] = LIST("joints", true, &zf_fg_draft_joint_object, "What is moved."),
    [FA_CLIPS] = LIST("clips", true, &zf_fg_animation_clip_object, "How it is moved."),
};
const zf_object zf_fg_animation_object = OBJECT("draftAnimation", "draft animation",
    "The joints of a block model, and clips that move them, as the draft has them.", animation_fields);

// --------------------------------------------------------------------------------------------------------- block model

static const zf_field rotation_fields[] = {
    [FM_ORIGIN] = FIGURES("origin", true, 3, "About which point, 16 a block."),
    [FM_AXIS] = WORD("axis", true, zf_fg_axes, ZD_FORGE_BAD_ROTATION_AXIS, "About which axis."),
    [FM_ANGLE] = {ZF_NAME("angle"), ZF_NUMBER | ZF_TEXT, true, ZD_FORGE_BAD_ROTATION_ANGLE, ZF_ANY_NUMBER,
                  .about = "-45, -22.5, 0, 22.5 or 45 degrees."},
    [FM_RESCALE] = {MEMBER("rescale", ZF_BOOLEAN, false, "Whether it is stretched to fill its block; false.")},
};
const zf_object zf_fg_rotation_object = OBJECT("rotation", "rotation of a block model",
    "How an element is turned.", rotation_fields);

static const zf_field uv_item = {.name = ZF_NAME("uv"), .types = ZF_NUMBER | ZF_TEXT, ZF_ANY_NUMBER,
                                 .id = ZD_FORGE_WRONG_TYPE, .about = "A place, or the control that gives it."};
static const zf_field face_fields[] = {
    [FM_UV] = {MEMBER("uv", ZF_ARRAY, false, "The part of the texture: u1, v1, u2, v2 of 0..16, v down."),
               .flags = ZF_ITEMS, .item = &uv_item, .count_min = 4, .count_max = 4},
    [FM_TEXTURE] = {MEMBER("texture", ZF_TEXT, true, "A key of textures, as \"#key\".")},
    [FM_CULLFACE] = IGNORED("cullface", "The side whose neighbour hides the face."),
    [FM_FACE_ROTATION] = {ZF_NAME("rotation"), ZF_NUMBER | ZF_TEXT, false, ZD_FORGE_BAD_FACE_ROTATION, ZF_ANY_NUMBER,
                          .about = "0, 90, 180 or 270 degrees that the texture is turned by."},
    [FM_TINT_INDEX] = FIGURE("tintindex", false, "What tints it; -1: nothing."),
};
const zf_object zf_fg_face_object = OBJECT("face", "face of a block model",
    "One side of an element.", face_fields);

static const zf_field face_of_element = {MEMBER("face", ZF_OBJECT, false, "A side."), .object = &zf_fg_face_object};
static const zf_field element_fields[] = {
    [FM_FROM] = FIGURES("from", true, 3, "The lower corner, 16 a block."),
    [FM_TO] = FIGURES("to", true, 3, "The upper corner."),
    [FM_ROTATION] = {MEMBER("rotation", ZF_OBJECT, false, "How it is turned."), .object = &zf_fg_rotation_object},
    [FM_SHADE] = {MEMBER("shade", ZF_BOOLEAN, false, "Whether its sides are shaded; true.")},
    [FM_FACES] = MAP("faces", true, &face_of_element, "By side what is drawn there; a side not listed is not."),
    [FM_NAME] = IGNORED("name", "For editors."),
    [FM_ELEMENT_COMMENT] = IGNORED("__comment", "For people."),
    [FM_COLOR] = IGNORED("color", "For editors."),
};
const zf_object zf_fg_element_object = OBJECT("element", "element of a block model",
    "A cube.", element_fields);

static const zf_field model_fields[] = {
    [FM_PARENT] = {MEMBER("parent", ZF_TEXT, false, "The model whose elements and textures it takes over.")},
    [FM_AMBIENT_OCCLUSION] = IGNORED("ambientocclusion", "For the game."),
    [FM_TEXTURES] = MAP("textures", false, &text, "By key a texture, or another key as \"#key\"."),
    [FM_ELEMENTS] = LIST("elements", false, &zf_fg_element_object, "The cubes."),
    [FM_DISPLAY] = IGNORED("display", "For the game."),
    [FM_OVERRIDES] = IGNORED("overrides", "For the game."),
    [FM_GUI_LIGHT] = IGNORED("gui_light", "For the game."),
    [FM_COMMENT] = IGNORED("__comment", "For people."),
    [FM_CREDIT] = IGNORED("credit", "For people."),
    [FM_TEXTURE_SIZE] = IGNORED("texture_size", "For editors."),
    [FM_GROUPS] = IGNORED("groups", "For editors."),
};
const zf_object zf_fg_model_object = OBJECT("blockModel", "block model",
    "A block model.", model_fields);
