// What the objects of an enemy clip hold: the one list of members, types, ranges, words and forms, as the format's own
// schema has them. The reader walks objects by it, and the JSON Schema is written from it. Tables, and the scanners
// that stand for the patterns.
#include "formats/enemy_fields.h"

#include "base/utf8.h"

#define WORDS(table) .words = table, .word_count = ZB_COUNT(table)

const zf_name zf_en_properties[ZF_EN_PROPERTY_COUNT] = {
    ZF_NAME("position.x"), ZF_NAME("position.y"), ZF_NAME("rotation.z"), ZF_NAME("scale.x"), ZF_NAME("scale.y"),
    ZF_NAME("color.r"),    ZF_NAME("color.g"),    ZF_NAME("color.b"),    ZF_NAME("color.a"), ZF_NAME("sortingOrder"),
};
const zf_name zf_en_event_types[ZF_EN_EVENT_TYPE_COUNT] = {
    ZF_NAME("attackHit"),   ZF_NAME("impulse"),      ZF_NAME("sound"),
    ZF_NAME("cameraShake"), ZF_NAME("spriteEffect"), ZF_NAME("cue"),
};
const zf_name zf_en_kinds[ZF_EN_KIND_COUNT] = {
    ZF_NAME("particle"), ZF_NAME("light"), ZF_NAME("trail"), ZF_NAME("decal")};
static const zf_name spaces[ZF_EN_SPACE_COUNT] = {ZF_NAME("Local"), ZF_NAME("World"), ZF_NAME("Custom")};
static const zf_name curve_modes[ZF_EN_CURVE_MODE_COUNT] = {
    ZF_NAME("Constant"), ZF_NAME("Curve"), ZF_NAME("TwoCurves"), ZF_NAME("TwoConstants")};
static const zf_name gradient_modes[ZF_EN_GRADIENT_MODE_COUNT] = {
    ZF_NAME("Color"), ZF_NAME("Gradient"), ZF_NAME("TwoColors"), ZF_NAME("TwoGradients"), ZF_NAME("RandomColor")};
static const zf_name sheets[ZF_EN_SHEET_COUNT] = {ZF_NAME("WholeSheet"), ZF_NAME("SingleRow")};
static const zf_name qualities[ZF_EN_QUALITY_COUNT] = {ZF_NAME("Low"), ZF_NAME("Medium"), ZF_NAME("High")};
static const zf_name clip_word[] = {ZF_NAME("enemyAnimation")};
static const zf_name sprite_word[] = {ZF_NAME("sprite")};

#define BIT(argument) (1u << ZF_EN_##argument)
const uint16_t zf_en_arguments_of[ZF_EN_EVENT_TYPE_COUNT] = {
    [ZF_EN_IMPULSE] = BIT(X) | BIT(Y) | BIT(RELATIVE_TO_FACING),
    [ZF_EN_SOUND] = BIT(FILE) | BIT(VOLUME),
    [ZF_EN_CAMERA_SHAKE] = BIT(AMOUNT),
    [ZF_EN_SPRITE_EFFECT] = BIT(REGION) | BIT(X) | BIT(Y) | BIT(BONE) | BIT(DURATION_SECONDS) | BIT(SCALE) |
                            BIT(EVENT_SORTING_ORDER),
    [ZF_EN_CUE] = BIT(CUE_NAME) | BIT(INDEX) | BIT(AMOUNT),
};

// --------------------------------------------------------------------------------------------------------------- forms

static bool is_first(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// A letter or digit, then those and any of `more`.
static bool is_run(zo_text text, const char *more) {
    if (text.size == 0 || !is_first(text.data[0])) {
        return false;
    }
    for (size_t i = 1; i < text.size; i++) {
        const char c = text.data[i];
        if (!is_first(c) && (c == '\0' || strchr(more, c) == NULL)) {
            return false;
        }
    }
    return true;
}

static zo_text behind(zo_text text, size_t size) { return (zo_text){text.data + size, text.size - size}; }

static bool begins(zo_text text, zo_text with) {
    return text.size >= with.size && memcmp(text.data, with.data, with.size) == 0;
}

static bool is_name_of(zo_text text, zo_text what) { // namespace, `what` with its colon and slash, path
    const char *colon = text.size > 0 ? memchr(text.data, ':', text.size) : NULL;
    const size_t size = colon != NULL ? (size_t)(colon - text.data) : text.size;
    const zo_text rest = behind(text, size);
    return is_run((zo_text){text.data, size}, "._-") && begins(rest, what) && is_run(behind(rest, what.size), "._/-");
}

static bool is_id(zo_text text) { return is_name_of(text, ZB_TEXT(":enemy-animation/")); }
static bool is_enemy(zo_text text) { return is_name_of(text, ZB_TEXT(":enemy/")); }

static bool is_segments(zo_text text) { // joined by single slashes
    while (true) {
        const char *slash = text.size > 0 ? memchr(text.data, '/', text.size) : NULL;
        const size_t size = slash != NULL ? (size_t)(slash - text.data) : text.size;
        if (!is_run((zo_text){text.data, size}, "-")) {
            return false;
        }
        if (slash == NULL) {
            return true;
        }
        text = behind(text, size + 1);
    }
}

static bool is_sprite(zo_text text) { return begins(text, ZB_TEXT("sprite/")) && is_segments(behind(text, 7)); }
static bool is_target(zo_text text) {
    return is_sprite(text) || (begins(text, ZB_TEXT("bone/")) && is_segments(behind(text, 5)));
}

static bool is_word(zo_text text) { return is_run(text, "._/-"); }

static bool is_texture(zo_text text) { return zf_is_path_down(text, ZB_TEXT(".png")); }

#define FORM(pattern, scanner, wanted_) {.patterns = {pattern, pattern}, .matches = scanner, .wanted = wanted_}
const zf_form zf_en_id_form = FORM("^[a-z0-9][a-z0-9._-]*:enemy-animation/[a-z0-9][a-z0-9._/-]*$", is_id,
                                   "a namespace, :enemy-animation/ and a path, in lower case");
const zf_form zf_en_enemy_form = FORM("^[a-z0-9][a-z0-9._-]*:enemy/[a-z0-9][a-z0-9._/-]*$", is_enemy,
                                      "a namespace, :enemy/ and a path, in lower case");
const zf_form zf_en_target_form = FORM("^(?:bone|sprite)/[a-z0-9][a-z0-9-]*(?:/[a-z0-9][a-z0-9-]*)*$", is_target,
                                       "bone/ or sprite/ and names of a-z, 0-9 and - joined by /");
const zf_form zf_en_sprite_form = FORM("^sprite/[a-z0-9][a-z0-9-]*(?:/[a-z0-9][a-z0-9-]*)*$", is_sprite,
                                       "sprite/ and names of a-z, 0-9 and - joined by /");
const zf_form zf_en_cue_form = FORM("^[a-z0-9][a-z0-9._/-]*$", is_word,
                                    "a lower-case letter or digit, then those and . _ / -");
const zf_form zf_en_effect_id_form = FORM("^[a-z0-9][a-z0-9._/-]*$", is_word,
                                          "a lower-case letter or digit, then those and . _ / -");
const zf_form zf_en_texture_form = FORM("^(?![A-Za-z]:|/|.*(?:^|/)\\.\\.(?:/|$)).+\\.png$", is_texture,
                                        "a path inside the pack that ends in .png");

// -------------------------------------------------------------------------------------------------------------- fields

const uint16_t zf_en_rules[ZF_KEYWORD_COUNT] = {
    [ZF_KEYWORD_TYPE] = ZD_ENEMY_TYPE,
    [ZF_KEYWORD_CONST] = ZD_ENEMY_CONST,
    [ZF_KEYWORD_ENUM] = ZD_ENEMY_ENUM,
    [ZF_KEYWORD_PATTERN] = ZD_ENEMY_PATTERN,
    [ZF_KEYWORD_MIN_LENGTH] = ZD_ENEMY_MIN_LENGTH,
    [ZF_KEYWORD_MAX_LENGTH] = ZD_ENEMY_MAX_LENGTH,
    [ZF_KEYWORD_MINIMUM] = ZD_ENEMY_MINIMUM,
    [ZF_KEYWORD_EXCLUSIVE_MINIMUM] = ZD_ENEMY_EXCLUSIVE_MINIMUM,
    [ZF_KEYWORD_MAXIMUM] = ZD_ENEMY_MAXIMUM,
    [ZF_KEYWORD_MIN_ITEMS] = ZD_ENEMY_MIN_ITEMS,
    [ZF_KEYWORD_MAX_ITEMS] = ZD_ENEMY_MAX_ITEMS,
    [ZF_KEYWORD_UNIQUE_ITEMS] = ZD_ENEMY_UNIQUE_ITEMS,
    [ZF_KEYWORD_REQUIRED] = ZD_ENEMY_REQUIRED,
    [ZF_KEYWORD_ADDITIONAL_PROPERTIES] = ZD_ENEMY_ADDITIONAL_PROPERTIES,
};

// Members whose name ends in _ are as in the table of the format's document: required, with or without limits.
#define OBJECT(name, about, table) {name, about, ZD_ENEMY_TYPE, .fields = table, .field_count = ZB_COUNT(table), \
                                    .other = ZD_ENEMY_ADDITIONAL_PROPERTIES, .rules = zf_en_rules}
#define MEMBER(text, types, required_, about_) ZF_NAME(text), types, required_, .about = about_
#define NUMBER(text, about) {MEMBER(text, ZF_NUMBER, true, about), ZF_ANY_NUMBER}
#define NUMBER_IN(text, least, most, about) {MEMBER(text, ZF_NUMBER, true, about), .low = least, .high = most}
#define NOT_BELOW_0(text, about) NUMBER_IN(text, 0.0, DBL_MAX, about)
#define INTEGER_IN(text, least, most, about) {MEMBER(text, ZF_INTEGER, true, about), .low = least, .high = most}
#define BOOLEAN(text, about) {MEMBER(text, ZF_BOOLEAN, true, about)}
#define TEXT(text, about) {MEMBER(text, ZF_TEXT, true, about)}
#define FORMED(text, form, about) {MEMBER(text, ZF_TEXT, true, about), .forms = {&form}}
#define WORD(text, table, about) {MEMBER(text, ZF_TEXT, true, about), WORDS(table)}
#define PART(text, of, about) {MEMBER(text, ZF_OBJECT, true, about), .object = &of}
#define LIST(text, of, least, most, about) \
    {MEMBER(text, ZF_ARRAY, true, about), .object = &of, .count_min = least, .count_max = most}
// The same, optional.
#define O_NUMBER(text, about) {MEMBER(text, ZF_NUMBER, false, about), ZF_ANY_NUMBER}
#define O_NUMBER_IN(text, least, most, about) {MEMBER(text, ZF_NUMBER, false, about), .low = least, .high = most}
#define O_ABOVE_0(text, most, about) \
    {MEMBER(text, ZF_NUMBER, false, about), .low = 0.0, .high = most, .flags = ZF_ABOVE_LOW}
#define O_INTEGER_IN(text, least, most, about) {MEMBER(text, ZF_INTEGER, false, about), .low = least, .high = most}
#define O_TEXT(text, about) {MEMBER(text, ZF_TEXT, false, about)}
#define O_WORD(text, table, about) {MEMBER(text, ZF_TEXT, false, about), WORDS(table)}
#define O_PART(text, of, about) {MEMBER(text, ZF_OBJECT, false, about), .object = &of}
#define O_CURVE(text, about) O_PART(text, zf_en_curve_object, about)

#define TIME(about) NOT_BELOW_0("time", about)

// ----------------------------------------------------------------------------------------------------- tracks and keys

static const zf_field key_fields[] = {
    [KEY_TIME] = TIME("seconds from the start of the clip"),
    [KEY_VALUE] = NUMBER("value", "what the property is then; it replaces the rest value"),
    [KEY_IN] = {MEMBER("inTangent", ZF_NUMBER | ZF_NULL, true,
                       "the slope that the curve arrives with, a second; null for a straight line"), ZF_ANY_NUMBER},
    [KEY_OUT] = {MEMBER("outTangent", ZF_NUMBER | ZF_NULL, true,
                        "the slope that the curve leaves with, a second; null for a straight line"), ZF_ANY_NUMBER},
};
const zf_object zf_en_key_object = OBJECT("key", "a value at a time, and the slopes on both sides", key_fields);

static const zf_field track_fields[] = {
    [TRACK_TARGET] = FORMED("target", zf_en_target_form, "what moves: bone/ or sprite/ and the path of a bone"),
    [TRACK_PROPERTY] = WORD("property", zf_en_properties, "which of its numbers"),
    [TRACK_KEYS] = LIST("keys", zf_en_key_object, 1, 0, "values in order of time; two at one time make a jump"),
};
const zf_object zf_en_track_object = OBJECT("numericTrack", "one number of one target over time", track_fields);

static const zf_field sprite_key_fields[] = {
    [SPRITE_KEY_TIME] = TIME("seconds from the start of the clip"),
    [SPRITE_KEY_ASSET] = {MEMBER("asset", ZF_TEXT | ZF_NULL, false,
                                 "a PNG of the pack; without one the picture is a region of the atlas")},
    [SPRITE_KEY_NAME] = {MEMBER("name", ZF_TEXT, true, "the region of the atlas; with an asset only a label"),
                         .count_min = 1},
};
const zf_object zf_en_sprite_key_object = OBJECT("objectKey", "a picture from a time on", sprite_key_fields);

static const zf_field object_track_fields[] = {
    [TRACK_TARGET] = FORMED("target", zf_en_sprite_form, "whose picture changes: sprite/ and the path of a bone"),
    [TRACK_PROPERTY] = WORD("property", sprite_word, "always sprite"),
    [TRACK_KEYS] = LIST("keys", zf_en_sprite_key_object, 1, 0, "pictures in order of time"),
};
const zf_object zf_en_object_track_object =
    OBJECT("objectTrack", "the picture of one sprite over time", object_track_fields);

// -------------------------------------------------------------------------------------------------------------- events

#define ARGUMENT(text, types, about) MEMBER(text, (types) | ZF_NULL, false, about)
static const zf_field event_fields[] = {
    [EVENT_TIME] = TIME("seconds from the start of the clip"),
    [EVENT_TYPE] = WORD("type", zf_en_event_types, "what happens"),
    [EVENT_ARGUMENT + ZF_EN_AMOUNT] = {ARGUMENT("amount", ZF_NUMBER,
                                                "how strong a cameraShake is, 0 to 1, or a number with a cue"),
                                                ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_X] = {ARGUMENT("x", ZF_NUMBER, "to the right, of an impulse or a spriteEffect"),
                                  ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_Y] = {ARGUMENT("y", ZF_NUMBER, "up, of an impulse or a spriteEffect"), ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_RELATIVE_TO_FACING] = {ARGUMENT("relativeToFacing", ZF_BOOLEAN,
                                                            "whether x of an impulse turns with the actor; true")},
    [EVENT_ARGUMENT + ZF_EN_FILE] = {ARGUMENT("file", ZF_TEXT, "the sound, a .wav or .ogg of the pack")},
    [EVENT_ARGUMENT + ZF_EN_VOLUME] = {ARGUMENT("volume", ZF_NUMBER, "how loud a sound is, 0 to 1; 1"), ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_REGION] = {ARGUMENT("region", ZF_TEXT, "what a spriteEffect shows, a region of the atlas")},
    [EVENT_ARGUMENT + ZF_EN_BONE] = {ARGUMENT("bone", ZF_TEXT, "the bone that a spriteEffect hangs on; the root")},
    [EVENT_ARGUMENT + ZF_EN_DURATION_SECONDS] = {ARGUMENT("durationSeconds", ZF_NUMBER,
                                                          "how long a spriteEffect is seen, seconds; 0.15"),
                                                          ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_SCALE] = {ARGUMENT("scale", ZF_NUMBER, "a factor on the size of a spriteEffect; 1"),
                                      ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_EVENT_SORTING_ORDER] = {ARGUMENT("sortingOrder", ZF_INTEGER,
                                                             "a spriteEffect with more is in front; 100"),
                                                             ZF_ANY_NUMBER},
    [EVENT_ARGUMENT + ZF_EN_CUE_NAME] = {ARGUMENT("cue", ZF_TEXT, "the name of a cue, for the host"), .count_max = 80,
                                         .forms = {&zf_en_cue_form}},
    [EVENT_ARGUMENT + ZF_EN_INDEX] = {ARGUMENT("index", ZF_INTEGER, "which of several cues"), .low = 0.0,
                                      .high = 255.0},
};
const zf_object zf_en_event_object = OBJECT("event", "something that happens at a time", event_fields);

// ------------------------------------------------------------------------------------------------ curves and gradients

static const zf_field color_fields[] = {
    [COLOR_R] = NUMBER("r", "red, 0 to 1"),
    [COLOR_G] = NUMBER("g", "green, 0 to 1"),
    [COLOR_B] = NUMBER("b", "blue, 0 to 1"),
    [COLOR_A] = NUMBER("a", "opacity, 0 to 1"),
};
const zf_object zf_en_color_object = OBJECT("color", "a colour, straight alpha", color_fields);

static const zf_field curve_key_fields[] = {
    [KEY_TIME] = NUMBER("time", "where on the curve, 0 to 1"),
    [KEY_VALUE] = NUMBER("value", "what the curve is there"),
    [KEY_IN] = NUMBER("inTangent", "the slope that the curve arrives with"),
    [KEY_OUT] = NUMBER("outTangent", "the slope that the curve leaves with"),
};
const zf_object zf_en_curve_key_object =
    OBJECT("particleCurveKey", "a value on a curve, and the slopes on both sides", curve_key_fields);

static const zf_field curve_fields[] = {
    [CURVE_MODE] = WORD("mode", curve_modes, "which of the other members count"),
    [CURVE_MULTIPLIER] = NUMBER("multiplier", "a factor on the curves, not on the constants"),
    [CURVE_CONSTANT_MIN] = NUMBER("constantMin", "the one end of TwoConstants"),
    [CURVE_CONSTANT_MAX] = NUMBER("constantMax", "Constant, and the other end of TwoConstants"),
    [CURVE_MIN] = LIST("curveMin", zf_en_curve_key_object, 0, 128, "the one curve of TwoCurves"),
    [CURVE_MAX] = LIST("curveMax", zf_en_curve_key_object, 0, 128, "Curve, and the other curve of TwoCurves"),
};
const zf_object zf_en_curve_object =
    OBJECT("particleCurve", "a number that may be drawn, follow a curve, or both", curve_fields);

static const zf_field color_key_fields[] = {
    [COLOR_KEY_TIME] = NUMBER_IN("time", 0.0, 1.0, "where on the gradient, 0 to 1"),
    [COLOR_KEY_COLOR] = PART("color", zf_en_color_object, "what the gradient is there"),
};
const zf_object zf_en_color_key_object = OBJECT("particleColorKey", "a colour on a gradient", color_key_fields);

static const zf_field gradient_fields[] = {
    [GRADIENT_MODE] = WORD("mode", gradient_modes, "which of the other members count"),
    [GRADIENT_COLOR_MIN] = O_PART("colorMin", zf_en_color_object, "the one end of TwoColors; white when absent"),
    [GRADIENT_COLOR_MAX] = O_PART("colorMax", zf_en_color_object, "Color, and the other end of TwoColors"),
    [GRADIENT_MIN] = LIST("gradientMin", zf_en_color_key_object, 0, 32, "the one gradient of TwoGradients"),
    [GRADIENT_MAX] = LIST("gradientMax", zf_en_color_key_object, 0, 32, "the gradient of all modes that have one"),
};
const zf_object zf_en_gradient_object =
    OBJECT("particleGradient", "a colour that may be drawn, follow a gradient, or both", gradient_fields);

static const zf_field axes_fields[] = {
    [AXES_ENABLED] = BOOLEAN("enabled", "whether it does anything"),
    [AXES_SEPARATE] = BOOLEAN("separateAxes", "whether each axis has its own curve"),
    [AXES_SPACE] = O_WORD("space", spaces, "whose axes they are; Local when absent"),
    [AXES_X] = O_CURVE("x", "along x; 0 when absent"),
    [AXES_Y] = O_CURVE("y", "along y; 0 when absent"),
    [AXES_Z] = O_CURVE("z", "along z; 0 when absent"),
};
const zf_object zf_en_axes_object = OBJECT("particleAxes", "curves over the life of a particle", axes_fields);

static const zf_field burst_fields[] = {
    [BURST_TIME] = TIME("seconds from the start of the effect"),
    [BURST_COUNT_MIN] = NOT_BELOW_0("countMin", "the fewest particles of a cycle"),
    [BURST_COUNT_MAX] = NOT_BELOW_0("countMax", "the most particles of a cycle"),
    [BURST_CYCLE_COUNT] = INTEGER_IN("cycleCount", 1.0, 1000.0, "how often"),
    [BURST_REPEAT_INTERVAL] = NOT_BELOW_0("repeatInterval", "seconds from cycle to cycle"),
    [BURST_PROBABILITY] = NUMBER_IN("probability", 0.0, 1.0, "of each cycle"),
};
const zf_object zf_en_burst_object = OBJECT("particleBurst", "many particles at once", burst_fields);

static const zf_field noise_fields[] = {
    [NOISE_ENABLED] = BOOLEAN("enabled", "whether it does anything"),
    [NOISE_SEPARATE] = BOOLEAN("separateAxes", "whether each axis has its own strength; else strengthX is of all"),
    [NOISE_STRENGTH_X] = O_CURVE("strengthX", "how strong along x; 0 when absent"),
    [NOISE_STRENGTH_Y] = O_CURVE("strengthY", "how strong along y; 0 when absent"),
    [NOISE_STRENGTH_Z] = O_CURVE("strengthZ", "how strong along z; 0 when absent"),
    [NOISE_FREQUENCY] = {MEMBER("frequency", ZF_NUMBER, true, "how fine it is"), .low = 0.0, .high = DBL_MAX,
                         .flags = ZF_ABOVE_LOW},
    [NOISE_SCROLL_SPEED] = O_CURVE("scrollSpeed", "how fast it changes; 0 when absent"),
    [NOISE_DAMPING] = BOOLEAN("damping", "whether the strength is divided by the frequency"),
    [NOISE_OCTAVE_COUNT] = INTEGER_IN("octaveCount", 1.0, 4.0, "how many layers"),
    [NOISE_OCTAVE_MULTIPLIER] = NUMBER_IN("octaveMultiplier", 0.0, 1.0, "how strong each layer is, of the one before"),
    [NOISE_OCTAVE_SCALE] = {MEMBER("octaveScale", ZF_NUMBER, true, "how fine each layer is, of the one before"),
                            .low = 0.0, .high = DBL_MAX, .flags = ZF_ABOVE_LOW},
    [NOISE_QUALITY] = O_WORD("quality", qualities, "Low, Medium, High: in one, two or three dimensions; High"),
};
const zf_object zf_en_noise_object = OBJECT("particleNoise", "particles stray from their way", noise_fields);

// ------------------------------------------------------------------------------------------------------------- effects

#define START(end, what) end " of a particle's " what
static const zf_field effect_fields[] = {
    [EFFECT_ID] = FORMED("id", zf_en_effect_id_form, "what triggers call it; each once"),
    [EFFECT_KIND] = O_WORD("kind", zf_en_kinds, "what it is; particle when absent"),
    [EFFECT_TRIGGER] = TEXT("trigger", "the occasion it is from, a note"),
    [EFFECT_INDEX] = INTEGER_IN("index", 0.0, DBL_MAX, "which of the occasion's effects, a note"),
    [EFFECT_TARGET] = TEXT("target", "the bone that it follows: bone/ or enemy-bone/ and its name"),
    [EFFECT_DURATION_SECONDS] = NUMBER_IN("durationSeconds", 0.0, 600.0, "how long it emits, or is seen"),
    [EFFECT_LOOP] = BOOLEAN("loop", "whether it emits again and again"),
    [EFFECT_MAX_PARTICLES] = INTEGER_IN("maxParticles", 0.0, 100000.0, "how many may live at once"),
    [START_LIFETIME_MIN] = NUMBER("startLifetimeMin", START("one end", "lifetime, seconds")),
    [START_LIFETIME_MAX] = NUMBER("startLifetimeMax", START("other end", "lifetime, seconds")),
    [START_SPEED_MIN] = NUMBER("startSpeedMin", START("one end", "speed, units a second")),
    [START_SPEED_MAX] = NUMBER("startSpeedMax", START("other end", "speed, units a second")),
    [START_SIZE_MIN] = NUMBER("startSizeMin", START("one end", "size, units")),
    [START_SIZE_MAX] = NUMBER("startSizeMax", START("other end", "size, units")),
    [GRAVITY_MIN] = NUMBER("gravityMin", START("one end", "weight; 1 falls as on Earth")),
    [GRAVITY_MAX] = NUMBER("gravityMax", START("other end", "weight; 1 falls as on Earth")),
    [SCALE_X] = NUMBER("scaleX", "a factor along x"),
    [SCALE_Y] = NUMBER("scaleY", "a factor along y"),
    [SCALE_Z] = NUMBER("scaleZ", "a factor along z"),
    [POSITION_X] = O_NUMBER("positionX", "where on the bone, units; 0 when absent"),
    [POSITION_Y] = O_NUMBER("positionY", "where on the bone, units; 0 when absent"),
    [POSITION_Z] = O_NUMBER("positionZ", "where on the bone, units; 0 when absent"),
    [ROTATION_X] = O_NUMBER("rotationX", "its turn about x, degrees; 0 when absent"),
    [ROTATION_Y] = O_NUMBER("rotationY", "its turn about y, degrees; 0 when absent"),
    [ROTATION_Z] = O_NUMBER("rotationZ", "its turn about z, degrees; 0 when absent"),
    [SIMULATION_SPACE] = WORD("simulationSpace", spaces, "whether particles move with the bone (Local) or stay"),
    [START_COLOR_MIN] = PART("startColorMin", zf_en_color_object, "one end of the colours; that of other kinds"),
    [START_COLOR_MAX] = PART("startColorMax", zf_en_color_object, "the other end; of a trail that of its tail"),
    [EMISSION_RATE_MIN] = NOT_BELOW_0("emissionRateMin", "the fewest particles a second"),
    [EMISSION_RATE_MAX] = NOT_BELOW_0("emissionRateMax", "the most particles a second"),
    [SHAPE_ENABLED] = BOOLEAN("shapeEnabled", "whether particles start on the shape; else at one point"),
    [SHAPE] = TEXT("shape", "where particles start: Cone, Sphere, Box, Circle and others"),
    [SHAPE_RADIUS] = NOT_BELOW_0("shapeRadius", "its radius, units"),
    [SHAPE_ANGLE] = NUMBER("shapeAngle", "of a cone, degrees"),
    [SHEET_TILES_X] = INTEGER_IN("textureSheetTilesX", 1.0, 64.0, "tiles in a row of the texture"),
    [SHEET_TILES_Y] = INTEGER_IN("textureSheetTilesY", 1.0, 64.0, "rows of tiles"),
    [SHEET_FRAME] = O_INTEGER_IN("textureSheetFrame", 0.0, 4095.0, "the first tile, rows from the top; 0 when absent"),
    [SHEET_SPRITES] = {MEMBER("textureSheetSprites", ZF_ARRAY, true, "regions of the atlas as frames")},
    [BURSTS] = {MEMBER("bursts", ZF_ARRAY, false, "many particles at once"), .object = &zf_en_burst_object,
                .count_max = 64},
    [START_LIFETIME_CURVE] = O_CURVE("startLifetimeCurve", "in place of startLifetimeMin and Max"),
    [START_SPEED_CURVE] = O_CURVE("startSpeedCurve", "in place of startSpeedMin and Max"),
    [START_SIZE_CURVE] = O_CURVE("startSizeCurve", "in place of startSizeMin and Max"),
    [GRAVITY_CURVE] = O_CURVE("gravityCurve", "in place of gravityMin and Max"),
    [EMISSION_RATE_CURVE] = O_CURVE("emissionRateCurve", "in place of emissionRateMin and Max"),
    [EMISSION_RATE_OVER_DISTANCE_CURVE] = O_CURVE("emissionRateOverDistanceCurve", "particles a unit of way"),
    [START_COLOR_GRADIENT] = O_PART("startColorGradient", zf_en_gradient_object, "in place of startColorMin and Max"),
    [COLOR_OVER_LIFETIME] = O_PART("colorOverLifetime", zf_en_gradient_object, "a factor on the colour"),
    [SIZE_OVER_LIFETIME] = O_PART("sizeOverLifetime", zf_en_axes_object, "a factor on the size"),
    [VELOCITY_OVER_LIFETIME] = O_PART("velocityOverLifetime", zf_en_axes_object, "units a second, added"),
    [ROTATION_OVER_LIFETIME] = O_PART("rotationOverLifetime", zf_en_axes_object, "radians a second"),
    [NOISE] = O_PART("noise", zf_en_noise_object, "particles stray from their way"),
    [SHEET_FRAME_OVER_TIME] = O_CURVE("textureSheetFrameOverTime", "which tile over the life, 0 to 1"),
    [SHEET_START_FRAME] = O_CURVE("textureSheetStartFrame", "the first tile, 0 to 1, in place of textureSheetFrame"),
    [SHEET_ANIMATION] = O_WORD("textureSheetAnimation", sheets, "over which tiles; WholeSheet when absent"),
    [SHEET_CYCLE_COUNT] = O_INTEGER_IN("textureSheetCycleCount", 1.0, 1000.0, "how often over the life; 1 when absent"),
    [SHEET_ROW_INDEX] = O_INTEGER_IN("textureSheetRowIndex", 0.0, 63.0, "of SingleRow: which row; 0 when absent"),
    [SHEET_USE_RANDOM_ROW] = {MEMBER("textureSheetUseRandomRow", ZF_BOOLEAN, false, "of SingleRow: any row")},
    [SORTING_LAYER] = O_TEXT("sortingLayer", "a name of the host's; its default when absent"),
    [EFFECT_SORTING_ORDER] = {MEMBER("sortingOrder", ZF_INTEGER, true, "higher is in front"), ZF_ANY_NUMBER},
    [RENDER_MODE] = O_TEXT("renderMode", "Billboard, Stretch, HorizontalBillboard, VerticalBillboard or None"),
    [MESH] = O_TEXT("mesh", "kept, not drawn"),
    [MATERIAL] = O_TEXT("material", "kept, not drawn"),
    [TEXTURE] = {MEMBER("texture", ZF_TEXT, false, "a PNG of the pack; plain squares when absent"),
                 .forms = {&zf_en_texture_form}},
    [LIGHT_INTENSITY] = O_NUMBER_IN("lightIntensity", 0.0, 20.0, "of a light; 1 when absent"),
    [LIGHT_RADIUS] = O_ABOVE_0("lightRadius", 100.0, "of a light, units; 1 when absent"),
    [TRAIL_WIDTH] = O_ABOVE_0("trailWidth", 20.0, "of a trail, units; 0.12 when absent"),
    [TRAIL_TIME] = O_ABOVE_0("trailTime", 30.0, "how long a trail is seen, seconds; 0.25 when absent"),
    [DECAL_PIXELS_PER_UNIT] = O_NUMBER_IN("decalPixelsPerUnit", 1.0, 1024.0, "of a decal; 32 when absent"),
    [EFFECT_SOURCE] = {MEMBER("source", ZF_OBJECT, true, "where it is from; any members")},
};
const zf_object zf_en_effect_object =
    OBJECT("effect", "particles, a light, a trail or a decal; all kinds have all required members", effect_fields);

static const zf_field trigger_fields[] = {
    [TRIGGER_TIME] = TIME("seconds from the start of the clip"),
    [TRIGGER_SOURCE] = TEXT("source", "who placed it, a note"),
    [TRIGGER_EFFECTS] = {MEMBER("effects", ZF_ARRAY, true, "ids of the effects that start, in this order"),
                         .count_min = 1, .flags = ZF_UNIQUE},
};
const zf_object zf_en_trigger_object = OBJECT("effectTrigger", "effects that start at a time", trigger_fields);

// ---------------------------------------------------------------------------------------------------------------- clip

static const zf_field clip_fields[] = {
    [SCHEMA_VERSION] = {MEMBER("schemaVersion", ZF_INTEGER, true, "the version of the format"), .low = 1.0, .high = 1.0,
                        .flags = ZF_STABLE},
    [TYPE] = {MEMBER("type", ZF_TEXT, true, "always enemyAnimation"), WORDS(clip_word), .flags = ZF_STABLE},
    [ID] = {MEMBER("id", ZF_TEXT, true, "its name, as in pond:enemy-animation/slime-hop"), .forms = {&zf_en_id_form},
            .flags = ZF_STABLE},
    [ENEMY] = {MEMBER("enemy", ZF_TEXT, true, "whose clip it is, as in pond:enemy/slime"), .forms = {&zf_en_enemy_form},
               .flags = ZF_STABLE},
    [DISPLAY_NAME] = {MEMBER("displayName", ZF_TEXT, true, "what people see in lists"), .count_min = 1,
                      .count_max = 100, .flags = ZF_STABLE},
    [DURATION_SECONDS] = {MEMBER("durationSeconds", ZF_NUMBER, true, "the length of one pass, seconds"), .low = 0.0,
                          .high = 60.0, .flags = ZF_ABOVE_LOW | ZF_STABLE},
    [FRAME_RATE] = {MEMBER("frameRate", ZF_NUMBER, true, "the grid it was made on; playing does not snap to it"),
                    .low = 0.0, .high = 240.0, .flags = ZF_ABOVE_LOW | ZF_STABLE},
    [LOOP] = {MEMBER("loop", ZF_BOOLEAN, true, "whether a pass follows the last"), .flags = ZF_STABLE},
    [TRACKS] = {MEMBER("tracks", ZF_ARRAY, true, "what moves"), .object = &zf_en_track_object, .count_min = 1,
                .count_max = 1024, .flags = ZF_STABLE},
    [OBJECT_TRACKS] = {MEMBER("objectTracks", ZF_ARRAY, false, "which pictures are shown"),
                       .object = &zf_en_object_track_object, .count_max = 256, .flags = ZF_STABLE},
    [EVENTS] = {MEMBER("events", ZF_ARRAY, false, "what happens, in order of time"), .object = &zf_en_event_object,
                .count_max = 64, .flags = ZF_STABLE},
    [EFFECTS] = {MEMBER("effects", ZF_ARRAY, false, "particles, lights, trails and decals"),
                 .object = &zf_en_effect_object, .count_max = 128, .flags = ZF_STABLE},
    [EFFECT_TRIGGERS] = {MEMBER("effectTriggers", ZF_ARRAY, false, "when effects start, in order of time"),
                         .object = &zf_en_trigger_object, .count_max = 512, .flags = ZF_STABLE},
    [WARNINGS] = {MEMBER("warnings", ZF_ARRAY, false, "notes of the exporter"), .flags = ZF_EXPERIMENTAL},
    [SOURCE] = {MEMBER("source", ZF_OBJECT, false, "where it is from; any members"), .flags = ZF_EXPERIMENTAL},
};
const zf_object zf_en_clip_object =
    OBJECT("enemyAnimation", "a clip of an enemy: moving bones and sprites, pictures, events, effects", clip_fields);
