// What an authoring file of a character pack holds: the list that the reader walks it by and that the JSON Schema is
// written from. Tables only: nothing here runs.
#include "formats/charpack_source.h"

static const uint16_t rules[ZF_KEYWORD_COUNT] = {
    [ZF_KEYWORD_TYPE] = ZD_CHARPACK_SOURCE_VALUE,
    [ZF_KEYWORD_CONST] = ZD_CHARPACK_SOURCE_VALUE,
    [ZF_KEYWORD_ENUM] = ZD_CHARPACK_SOURCE_VALUE,
    [ZF_KEYWORD_PATTERN] = ZD_CHARPACK_SOURCE_VALUE,
    [ZF_KEYWORD_MIN_LENGTH] = ZD_CHARPACK_SOURCE_COUNT,
    [ZF_KEYWORD_MAX_LENGTH] = ZD_CHARPACK_SOURCE_COUNT,
    [ZF_KEYWORD_MINIMUM] = ZD_CHARPACK_SOURCE_LOW,
    [ZF_KEYWORD_EXCLUSIVE_MINIMUM] = ZD_CHARPACK_SOURCE_ABOVE,
    [ZF_KEYWORD_MAXIMUM] = ZD_CHARPACK_SOURCE_HIGH,
    [ZF_KEYWORD_MIN_ITEMS] = ZD_CHARPACK_SOURCE_COUNT,
    [ZF_KEYWORD_MAX_ITEMS] = ZD_CHARPACK_SOURCE_COUNT,
    [ZF_KEYWORD_UNIQUE_ITEMS] = ZD_CHARPACK_SOURCE_VALUE,
    [ZF_KEYWORD_REQUIRED] = ZD_CHARPACK_SOURCE_REQUIRED,
    [ZF_KEYWORD_ADDITIONAL_PROPERTIES] = ZD_CHARPACK_SOURCE_MEMBER,
};

#define OBJECT(name, about, table, beyond_) {name, about, ZD_CHARPACK_SOURCE_VALUE, .fields = table, \
    .field_count = ZB_COUNT(table), .beyond = beyond_, .beyond_count = ZB_COUNT(beyond_), \
    .other = ZD_CHARPACK_SOURCE_MEMBER, .rules = rules}
#define MEMBER(text, types, required_, about_) ZF_NAME(text), types, required_, .about = about_
#define TEXT(text, required, about) {MEMBER(text, ZF_TEXT, required, about), .count_min = 1, .count_max = 4096}
#define WORD(text, required, table, about) {MEMBER(text, ZF_TEXT, required, about), .words = table, \
                                            .word_count = ZB_COUNT(table)}
#define LIST(text, required, of, least, most, about) \
    {MEMBER(text, ZF_ARRAY, required, about), .object = of, .count_min = least, .count_max = most}

const zf_name zf_cs_type_word[1] = {ZF_NAME("characterPackSource")};
const zf_name zf_cs_loop_words[2] = {ZF_NAME("loop"), ZF_NAME("once_then_hold")};
const zf_name zf_cs_encoding_words[2] = {ZF_NAME("rgba8"), ZF_NAME("uastc")};

#define FOLDER TEXT("folder", false, "the folder whose pictures are the frames, in the order of their numbers")
#define FRAMES(of) {MEMBER("frames", ZF_ARRAY, false, "in place of a folder: paths of pictures, " of), \
                    .count_min = 1, .count_max = ZF_CS_PARTS_MAX}

static const zf_field clip_fields[] = {
    [ZF_CS_LABEL] = TEXT("label", true, "what nodes call it; all differ"),
    [ZF_CS_FOLDER] = FOLDER,
    [ZF_CS_FRAMES] = FRAMES("also the same one more than once"),
    [ZF_CS_FPS] = {MEMBER("fps", ZF_NUMBER, false, "frames a second; frameIntervalMs is 1000 through it, rounded"),
                   .low = 0.0, .high = 1000.0, .flags = ZF_ABOVE_LOW},
    [ZF_CS_INTERVAL] = {MEMBER("frameIntervalMs", ZF_INTEGER, false, "in place of fps: ms that a frame is shown for"),
                        .low = 1.0, .high = ZF_CS_INTERVAL_MAX},
    [ZF_CS_LOOP_MODE] = WORD("loopMode", false, zf_cs_loop_words, "loop when not given"),
    [ZF_CS_PHASE] = TEXT("phase", false, "a word for authors, such as flat, in, loop or out; loop of what loops, "
                                         "else flat"),
};
static const zf_beyond clip_beyond[] = {
    {ZD_CHARPACK_SOURCE_LABEL, "no two clips have one label"},
    {ZD_CHARPACK_SOURCE_ONE_OF, "a clip has a folder or frames, and fps or frameIntervalMs, one of each"},
    {ZD_CHARPACK_SOURCE_PICTURE, "pictures are PNG files that lie below the authoring file"},
};
const zf_object zf_cs_clip_object = OBJECT("clip", "a sequence of pictures", clip_fields, clip_beyond);

static const zf_field overlay_fields[] = {
    [ZF_CS_LABEL] = TEXT("label", true, "that of the clip over which they are laid; all differ"),
    [ZF_CS_FOLDER] = FOLDER,
    [ZF_CS_FRAMES] = FRAMES("the closed mouth first"),
};
static const zf_beyond overlay_beyond[] = {
    {ZD_CHARPACK_SOURCE_LABEL, "no two have one label"},
    {ZD_CHARPACK_SOURCE_ONE_OF, "there is a folder or frames, one of them"},
    {ZD_CHARPACK_SOURCE_PICTURE, "pictures are PNG files that lie below the authoring file"},
};
const zf_object zf_cs_overlay_object = OBJECT("mouthOverlay", "pictures of a mouth", overlay_fields, overlay_beyond);

static const zf_field node_fields[] = {
    [ZF_CS_NODE_ID] = TEXT("id", true, "what edges call it; all differ"),
    [ZF_CS_NODE_LABEL] = TEXT("label", false, "the clip that is played in it, and what triggers ask for; the id when "
                                              "not given"),
    [ZF_CS_NODE_ROOT] = {MEMBER("isRoot", ZF_BOOLEAN, false, "whether it is where everything begins, as one node is")},
};
static const zf_beyond node_beyond[] = {
    {ZD_CHARPACK_SOURCE_NODE, "no two nodes have one id, exactly one is the root, and each label is that of a clip"},
};
const zf_object zf_cs_node_object = OBJECT("node", "what the character is at", node_fields, node_beyond);

static const zf_field edge_fields[] = {
    [ZF_CS_EDGE_ID] = TEXT("id", false, "all differ; both ids with > between them when not given"),
    [ZF_CS_EDGE_FROM] = TEXT("from", true, "the id of a node"),
    [ZF_CS_EDGE_TO] = TEXT("to", true, "the id of a node; it may be the same"),
    [ZF_CS_EDGE_PROB] = {MEMBER("prob", ZF_NUMBER, true, "its weight among those that leave the node; 0: it is taken "
                                                         "by triggers alone"),
                         .low = 0.0, .high = DBL_MAX},
};
static const zf_beyond edge_beyond[] = {
    {ZD_CHARPACK_SOURCE_EDGE, "both ends are nodes, no two edges have one id, or both ends alike"},
};
const zf_object zf_cs_edge_object = OBJECT("edge", "a way from node to node", edge_fields, edge_beyond);

static const zf_field source_fields[] = {
    [ZF_CS_SCHEMA] = TEXT("$schema", false, "where the schema lies, for editors"),
    [ZF_CS_VERSION] = {MEMBER("schemaVersion", ZF_NUMBER, true, "always 1"), .low = 1.0, .high = 1.0},
    [ZF_CS_TYPE] = WORD("type", true, zf_cs_type_word, "always characterPackSource"),
    [ZF_CS_ID] = TEXT("id", true, "of the pack"),
    [ZF_CS_DISPLAY_NAME] = TEXT("displayName", true, "what people call the character"),
    [ZF_CS_PACK_VERSION] = TEXT("version", true, "of the pack, such as 1.0.0"),
    [ZF_CS_ENCODING] = WORD("encoding", false, zf_cs_encoding_words,
                            "of the textures: rgba8 keeps every bit, uastc is smaller in memory; rgba8 when not given"),
    [ZF_CS_LEVEL] = {MEMBER("level", ZF_INTEGER, false, "of the compression: higher is smaller and slower to make"),
                     .low = 1.0, .high = 22.0},
    [ZF_CS_QUALITY] = {MEMBER("quality", ZF_INTEGER, false, "of uastc: higher is nearer and slower to make; 2"),
                       .low = 0.0, .high = 4.0},
    [ZF_CS_CLIPS] = LIST("clips", true, &zf_cs_clip_object, 1, ZF_CS_CLIPS_MAX, "in the order of the manifest"),
    [ZF_CS_NODES] = LIST("nodes", true, &zf_cs_node_object, 1, ZF_CS_PARTS_MAX, "of the graph"),
    [ZF_CS_EDGES] = LIST("edges", false, &zf_cs_edge_object, 0, ZF_CS_PARTS_MAX,
                         "of the graph; their order decides between equals"),
    [ZF_CS_OVERLAYS] = LIST("mouthOverlays", false, &zf_cs_overlay_object, 0, ZF_CS_CLIPS_MAX,
                            "pictures of closed mouths, by the labels of clips"),
    [ZF_CS_MOUTH] = {MEMBER("mouth", ZF_OBJECT, false, "what the pack's mouth file holds; it goes there as it is")},
};
static const zf_beyond source_beyond[] = {
    {ZD_CHARPACK_SOURCE_NODE, "there is exactly one root"},
};
const zf_object zf_cs_object = OBJECT("characterPackSource", "what a character pack is built of", source_fields,
                                      source_beyond);
