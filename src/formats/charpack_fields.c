// What the three files of a character pack hold: the one list of members, types, words and forms, as the format's
// schemas have them. The JSON Schemas are written from it, and --strict judges by it.
#include "formats/charpack_fields.h"

#include "formats/charpack.h"

const zf_name zf_cp_loop_modes[ZF_CP_LOOP_MODE_COUNT] = {ZF_NAME("loop"), ZF_NAME("once_then_hold")};
const zf_name zf_cp_authoring[ZF_CP_AUTHORING_COUNT] = {
    ZF_NAME("root"), ZF_NAME("phase"), ZF_NAME("frame_names"), ZF_NAME("closed_source"), ZF_NAME("speaking_frames")};
static const zf_name format_word[] = {ZF_NAME(ZF_CP_FORMAT)};
static const zf_name texture_word[] = {ZF_NAME("ktx2")};
#define WORDS(table) .words = table, .word_count = ZB_COUNT(table)

static bool is_texture(zo_text text) { return zf_is_path_down(text, ZB_TEXT(".ktx2")); }
static bool is_json(zo_text text) {
    return zf_is_path_down(text, ZB_TEXT(".json")) && memchr(text.data, '\\', text.size) == NULL;
}
#define FORM(pattern, scanner, wanted_) {.patterns = {pattern, pattern}, .matches = scanner, .wanted = wanted_}
static const zf_form texture_form = FORM("^(?![A-Za-z]:|/|.*(?:^|/)\\.\\.(?:/|$)).+\\.ktx2$", is_texture,
                                         "a path inside the pack that ends in .ktx2");
static const zf_form json_form = FORM("^(?![A-Za-z]:|/|.*(?:^|/)\\.\\.(?:/|$)|.*\\\\).+\\.json$", is_json,
                                      "a path inside the pack, with /, that ends in .json");

static const uint16_t rules[ZF_KEYWORD_COUNT] = {
    [ZF_KEYWORD_TYPE] = ZD_CHARPACK_SCHEMA_TYPE,
    [ZF_KEYWORD_CONST] = ZD_CHARPACK_SCHEMA_CONST,
    [ZF_KEYWORD_ENUM] = ZD_CHARPACK_SCHEMA_CONST, // this and the lengths are refused in any reading
    [ZF_KEYWORD_PATTERN] = ZD_CHARPACK_SCHEMA_PATTERN,
    [ZF_KEYWORD_MIN_LENGTH] = ZD_CHARPACK_SCHEMA_MIN_ITEMS,
    [ZF_KEYWORD_MINIMUM] = ZD_CHARPACK_SCHEMA_MINIMUM,
    [ZF_KEYWORD_EXCLUSIVE_MINIMUM] = ZD_CHARPACK_SCHEMA_EXCLUSIVE_MINIMUM,
    [ZF_KEYWORD_MIN_ITEMS] = ZD_CHARPACK_SCHEMA_MIN_ITEMS,
    [ZF_KEYWORD_MAX_ITEMS] = ZD_CHARPACK_SCHEMA_MAX_ITEMS,
    [ZF_KEYWORD_REQUIRED] = ZD_CHARPACK_SCHEMA_REQUIRED,
    [ZF_KEYWORD_ADDITIONAL_PROPERTIES] = ZD_CHARPACK_SCHEMA_ADDITIONAL_PROPERTIES,
    [ZF_KEYWORD_MIN_PROPERTIES] = ZD_CHARPACK_SCHEMA_MIN_ITEMS,
};
#define OBJECT(name_, fields_, about_) \
    {.name = name_, .about = about_, .fields = fields_, .field_count = ZB_COUNT(fields_), .rules = rules}

// ------------------------------------------------------------------------------------------------------- the manifest

static const zf_field frame_item = {.name = ZF_NAME("a frame"), .types = ZF_TEXT, .forms = {&texture_form}};
static const zf_field overlay_item = {
    .name = ZF_NAME("an overlay"), .types = ZF_ARRAY, .flags = ZF_ITEMS, .item = &frame_item, .count_min = 1};

static const zf_field clip_fields[ZF_CP_C_COUNT] = {
    [ZF_CP_C_PHASE] = {.name = ZF_NAME("phase"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "what part of a movement it is, for people: flat, in, loop, out"},
    [ZF_CP_C_INTERVAL] = {.name = ZF_NAME("frameIntervalMs"), .types = ZF_INTEGER, .required = true, .low = 1.0,
        .high = DBL_MAX, .about = "how long each frame is shown, in milliseconds"},
    [ZF_CP_C_LOOP_MODE] = {.name = ZF_NAME("loopMode"), .types = ZF_TEXT, .required = true, WORDS(zf_cp_loop_modes),
        .about = "whether the clip begins again, or holds its last frame"},
    [ZF_CP_C_FRAMES] = {.name = ZF_NAME("frames"), .types = ZF_ARRAY, .flags = ZF_ITEMS, .required = true,
        .item = &frame_item, .count_min = 1, .about = "the pictures, in order; one may stand there more than once"},
};
const zf_object zf_cp_clip_object = OBJECT("clip", clip_fields, "pictures that follow each other, and how fast");
static const zf_field clip_item = {.name = ZF_NAME("a clip"), .types = ZF_OBJECT, .object = &zf_cp_clip_object};

#define COUNT_FIELD(name_, about_) \
    {.name = ZF_NAME(name_), .types = ZF_INTEGER, .low = 0.0, .high = DBL_MAX, .about = about_}
static const zf_field manifest_fields[ZF_CP_M_COUNT] = {
    [ZF_CP_M_FORMAT] = {.name = ZF_NAME("format"), .types = ZF_TEXT, .required = true, WORDS(format_word),
        .about = "which format this is"},
    [ZF_CP_M_ID] = {.name = ZF_NAME("id"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "what programs call the pack"},
    [ZF_CP_M_DISPLAY_NAME] = {.name = ZF_NAME("displayName"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "what people call it"},
    [ZF_CP_M_VERSION] = {.name = ZF_NAME("version"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "the pack's own version"},
    [ZF_CP_M_TEXTURE_FORMAT] = {.name = ZF_NAME("textureFormat"), .types = ZF_TEXT, .required = true,
        WORDS(texture_word), .about = "what the pictures are"},
    [ZF_CP_M_GRAPH] = {.name = ZF_NAME("graph"), .types = ZF_TEXT, .required = true, .forms = {&json_form},
        .about = "the file with the graph, usually graph_config.json"},
    [ZF_CP_M_MOUTH_CONFIG] = {.name = ZF_NAME("mouthConfig"), .types = ZF_TEXT, .required = true,
        .forms = {&json_form}, .about = "the file that says where mouths are, usually spriteforge_mouth_config.json"},
    [ZF_CP_M_CLIPS] = {.name = ZF_NAME("clips"), .types = ZF_OBJECT, .flags = ZF_MAP, .required = true,
        .item = &clip_item, .count_min = 1, .about = "the clips by the labels of the graph"},
    [ZF_CP_M_MOUTH_OVERLAYS] = {.name = ZF_NAME("mouthOverlays"), .types = ZF_OBJECT, .flags = ZF_MAP,
        .required = true, .item = &overlay_item, .about = "pictures of closed mouths by the labels of clips"},
    [ZF_CP_M_CLIP_COUNT] = COUNT_FIELD("clipCount", "how many clips there are"),
    [ZF_CP_M_FRAME_COUNT] = COUNT_FIELD("frameCount", "how many frames all clips list, repeats counted"),
    [ZF_CP_M_TEXTURE_COUNT] = COUNT_FIELD("textureCount", "how many files clips and overlays show"),
    [ZF_CP_M_TEXTURE_BYTES] = COUNT_FIELD("textureBytes", "how large those files are together"),
    [ZF_CP_M_QUALITY] = COUNT_FIELD("quality", "a setting of the encoder, for people"),
    [ZF_CP_M_ZCMP] = COUNT_FIELD("zcmp", "a setting of the encoder, for people"),
};
const zf_object zf_cp_manifest_object =
    OBJECT("runtime_manifest", manifest_fields, "the index of a character pack: its clips and their pictures");

// ---------------------------------------------------------------------------------------------------------- the graph

static const zf_field node_fields[ZF_CP_N_COUNT] = {
    [ZF_CP_N_ID] = {.name = ZF_NAME("id"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "what edges call the node"},
    [ZF_CP_N_LABEL] = {.name = ZF_NAME("label"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "which clip it plays, and what triggers ask for; several nodes may have one label"},
    [ZF_CP_N_IS_ROOT] = {.name = ZF_NAME("isRoot"), .types = ZF_BOOLEAN,
        .about = "whether the character begins here; true for exactly one node"},
};
const zf_object zf_cp_node_object = OBJECT("node", node_fields, "a state of the character");

static const zf_field edge_fields[ZF_CP_E_COUNT] = {
    [ZF_CP_E_ID] = {.name = ZF_NAME("id"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "what people call the edge"},
    [ZF_CP_E_FROM] = {.name = ZF_NAME("from"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "the id of the node that it leaves"},
    [ZF_CP_E_TO] = {.name = ZF_NAME("to"), .types = ZF_TEXT, .required = true, .count_min = 1,
        .about = "the id of the node that it leads to"},
    [ZF_CP_E_PROB] = {.name = ZF_NAME("prob"), .types = ZF_NUMBER, .required = true, .low = 0.0, .high = DBL_MAX,
        .about = "its weight among the edges that leave the node; 0: only triggers use it"},
};
const zf_object zf_cp_edge_object = OBJECT("edge", edge_fields, "a way from one node to another");

static const zf_field graph_fields[ZF_CP_G_COUNT] = {
    [ZF_CP_G_NODES] = {.name = ZF_NAME("nodes"), .types = ZF_ARRAY, .required = true, .object = &zf_cp_node_object,
        .count_min = 1, .about = "the states"},
    [ZF_CP_G_EDGES] = {.name = ZF_NAME("edges"), .types = ZF_ARRAY, .required = true, .object = &zf_cp_edge_object,
        .about = "the ways between them"},
};
static const zf_demand graph_demands[] = {{ZD_CHARPACK_ROOTS, ZF_ONE, .field = &graph_fields[ZF_CP_G_NODES],
                                           .item = &node_fields[ZF_CP_N_IS_ROOT]}};
const zf_object zf_cp_graph_object = {.name = "graph_config", .about = "which clip follows which",
                                      .fields = graph_fields, .field_count = ZF_CP_G_COUNT, .rules = rules,
                                      .demands = graph_demands, .demand_count = ZB_COUNT(graph_demands)};

// ---------------------------------------------------------------------------------------------------------- the mouth

#define PIXELS(name_, about_) {.name = ZF_NAME(name_), .types = ZF_NUMBER, ZF_ANY_NUMBER, .about = about_}
static const zf_field area_fields[] = {
    PIXELS("cx", "the middle, px to the right of the picture's"),
    PIXELS("cy", "the middle, px below the picture's"),
    PIXELS("width", "px"),
    PIXELS("height", "px"),
};
static const zf_object area_object = OBJECT("anchor", area_fields, "where a mouth is");

static const zf_field track_fields[] = {
    PIXELS("cx", "the middle, px to the right of the picture's"),
    PIXELS("cy", "the middle, px below the picture's"),
    PIXELS("width", "px"),
    PIXELS("height", "px"),
    PIXELS("score", "how sure the tracker was; not used"),
};
static const zf_object track_object = OBJECT("tracked", track_fields, "where a mouth is on one frame");

static const zf_field expression_fields[] = {
    PIXELS("cx", "the middle, px to the right of the picture's; 0 when not given"),
    PIXELS("cy", "the middle, px below the picture's; 0 when not given"),
    PIXELS("width", "px; 40 when not given"),
    PIXELS("height", "px; 20 when not given"),
    PIXELS("curve", "how much the lips bend; not used in drawing; 0.2 when not given"),
};
static const zf_object expression_object = OBJECT("expression", expression_fields, "a mouth that profiles begin from");
static const zf_field expression_item = {
    .name = ZF_NAME("an expression"), .types = ZF_OBJECT, .object = &expression_object};

static const zf_field openness_item = {.name = ZF_NAME("an openness"), .types = ZF_NUMBER, ZF_ANY_NUMBER};
static const zf_field profile_fields[] = {
    {.name = ZF_NAME("mouth_set"), .types = ZF_TEXT, .about = "the expression that it begins from; neutral when not "
                                                              "given"},
    PIXELS("cx", "instead of the expression's"),
    PIXELS("cy", "instead of the expression's"),
    PIXELS("width", "instead of the expression's"),
    PIXELS("height", "instead of the expression's"),
    {.name = ZF_NAME("openness"), .types = ZF_ARRAY, .flags = ZF_ITEMS, .item = &openness_item,
        .about = "how open the mouth is on each frame of the clip, 0 to 1"},
    {.name = ZF_NAME("closed_frame_idx"), .types = ZF_INTEGER | ZF_NULL, .low = 0.0, .high = DBL_MAX,
        .about = "the frame with the mouth shut; not used"},
    {.name = ZF_NAME("anchor_track"), .types = ZF_ARRAY, .object = &track_object,
        .about = "where the mouth is on each frame of the clip"},
    {.name = ZF_NAME("runtime_overlay_anchor"), .types = ZF_OBJECT, .object = &area_object,
        .about = "where the mouth is on the overlay's picture"},
};
static const zf_object profile_object = OBJECT("profile", profile_fields, "where the mouth of one clip is");
static const zf_field profile_item = {.name = ZF_NAME("a profile"), .types = ZF_OBJECT, .object = &profile_object};

static const zf_field canvas_item = {.name = ZF_NAME("a side"), .types = ZF_NUMBER, .flags = ZF_ABOVE_LOW, .low = 0.0,
                                     .high = DBL_MAX};
static const zf_field mouth_fields[ZF_CP_MOUTH_COUNT] = {
    [ZF_CP_MOUTH_VERSION] = {.name = ZF_NAME("version"), .types = ZF_INTEGER | ZF_TEXT | ZF_NULL, ZF_ANY_NUMBER,
        .about = "of the program that wrote it"},
    [ZF_CP_MOUTH_CANVAS] = {.name = ZF_NAME("canvas_size"), .types = ZF_ARRAY | ZF_NULL, .flags = ZF_ITEMS,
        .item = &canvas_item, .count_min = 2, .count_max = 2,
        .about = "width and height of what the pictures are drawn on, px"},
    [ZF_CP_MOUTH_KIND] = {.name = ZF_NAME("profile_kind"), .types = ZF_TEXT | ZF_NULL,
        .about = "packs have runtime_ktx2"},
    [ZF_CP_MOUTH_EXPRESSIONS] = {.name = ZF_NAME("expressions"), .types = ZF_OBJECT, .flags = ZF_MAP, .required = true,
        .item = &expression_item, .about = "mouths by name"},
    [ZF_CP_MOUTH_PROFILES] = {.name = ZF_NAME("profiles"), .types = ZF_OBJECT, .flags = ZF_MAP, .required = true,
        .item = &profile_item, .about = "where mouths are, by the labels of clips"},
};
const zf_object zf_cp_mouth_object = OBJECT("mouth_config", mouth_fields, "where mouths are on the pictures of clips");
