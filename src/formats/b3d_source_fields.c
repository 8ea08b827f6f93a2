// What an authoring file of a B3D model holds: the list that the reader walks it by and that the JSON Schema is written
// from. Tables only: nothing here runs.
#include "formats/b3d.h"

static const uint16_t rules[ZF_KEYWORD_COUNT] = {
    [ZF_KEYWORD_TYPE] = ZD_B3D_SOURCE_VALUE,
    [ZF_KEYWORD_CONST] = ZD_B3D_SOURCE_VALUE,
    [ZF_KEYWORD_ENUM] = ZD_B3D_SOURCE_VALUE,
    [ZF_KEYWORD_PATTERN] = ZD_B3D_SOURCE_VALUE,
    [ZF_KEYWORD_MIN_LENGTH] = ZD_B3D_SOURCE_COUNT,
    [ZF_KEYWORD_MAX_LENGTH] = ZD_B3D_SOURCE_COUNT,
    [ZF_KEYWORD_MINIMUM] = ZD_B3D_SOURCE_LOW,
    [ZF_KEYWORD_MAXIMUM] = ZD_B3D_SOURCE_HIGH,
    [ZF_KEYWORD_MIN_ITEMS] = ZD_B3D_SOURCE_COUNT,
    [ZF_KEYWORD_MAX_ITEMS] = ZD_B3D_SOURCE_COUNT,
    [ZF_KEYWORD_REQUIRED] = ZD_B3D_SOURCE_REQUIRED,
    [ZF_KEYWORD_ADDITIONAL_PROPERTIES] = ZD_B3D_SOURCE_MEMBER,
};

#define OBJECT(name, about, table) {name, about, ZD_B3D_SOURCE_VALUE, .fields = table, \
    .field_count = ZB_COUNT(table), .other = ZD_B3D_SOURCE_MEMBER, .rules = rules}
#define OBJECT_BEYOND(name, about, table, beyond_) {name, about, ZD_B3D_SOURCE_VALUE, .fields = table, \
    .field_count = ZB_COUNT(table), .beyond = beyond_, .beyond_count = ZB_COUNT(beyond_), \
    .other = ZD_B3D_SOURCE_MEMBER, .rules = rules}
#define MEMBER(text, types, required_, about_) ZF_NAME(text), types, required_, .about = about_
#define INT_MIN_ -2147483648.0
#define INT_MAX_ 2147483647.0
#define FLOAT .low = -ZF_B3_FAR, .high = ZF_B3_FAR
#define INTEGER(text, required, low_, about) {MEMBER(text, ZF_INTEGER, required, about), .low = low_, .high = INT_MAX_}
#define NUMBER(text, about) {MEMBER(text, ZF_NUMBER, false, about), FLOAT}
#define ITEMS(text, required, of, least, most, about) \
    {MEMBER(text, ZF_ARRAY, required, about), .flags = ZF_ITEMS, .item = of, .count_min = least, .count_max = most}
#define LIST(text, required, of, about) {MEMBER(text, ZF_ARRAY, required, about), .object = of}

const zf_name zf_b3s_type_word[1] = {ZF_NAME("b3dSource")};

static const zf_field number_item = {.name = ZF_NAME("a figure"), .types = ZF_NUMBER, FLOAT};
static const zf_field index_item = {.name = ZF_NAME("an index"), .types = ZF_INTEGER, .low = 0.0, .high = INT_MAX_};
static const zf_field texture_item = {.name = ZF_NAME("a texture"), .types = ZF_INTEGER, .low = ZF_B3_NONE,
                                      .high = INT_MAX_, .about = "its place among textures, from 0, or -1"};
static const zf_field three_item = {.name = ZF_NAME("x, y, z"), .types = ZF_ARRAY, .flags = ZF_ITEMS,
                                    .item = &number_item, .count_min = 3, .count_max = 3};
static const zf_field color_item = {.name = ZF_NAME("red, green, blue, alpha"), .types = ZF_ARRAY, .flags = ZF_ITEMS,
                                    .item = &number_item, .count_min = 4, .count_max = 4};
static const zf_field coordinate_item = {.name = ZF_NAME("u, v"), .types = ZF_ARRAY, .flags = ZF_ITEMS,
                                         .item = &number_item, .count_min = 1, .count_max = ZF_B3_SET_SIZE_MAX};
static const zf_field set_item = {.name = ZF_NAME("a set"), .types = ZF_ARRAY, .flags = ZF_ITEMS,
                                  .item = &coordinate_item};
static const zf_field triangle_item = {.name = ZF_NAME("a triangle"), .types = ZF_ARRAY, .flags = ZF_ITEMS,
                                       .item = &index_item, .count_min = 3, .count_max = 3};
static const zf_field weight_item = {.name = ZF_NAME("vertex and weight"), .types = ZF_ARRAY, .flags = ZF_ITEMS,
                                     .item = &number_item, .count_min = 2, .count_max = 2};

static const zf_field texture_fields[] = {
    [ZF_B3S_T_FILE] = {MEMBER("file", ZF_TEXT, true, "the picture's"), .count_max = 4096},
    [ZF_B3S_T_FLAGS] = INTEGER("flags", false, INT_MIN_, "1 color, 2 alpha, 4 masked and so on, added up; 1"),
    [ZF_B3S_T_BLEND] = INTEGER("blend", false, INT_MIN_, "how it is laid over what is there; 2"),
    [ZF_B3S_T_POSITION] = ITEMS("position", false, &number_item, 2, 2, "of the coordinates; 0, 0"),
    [ZF_B3S_T_SCALE] = ITEMS("scale", false, &number_item, 2, 2, "of the coordinates; 1, 1"),
    [ZF_B3S_T_ROTATION] = NUMBER("rotation", "of the coordinates, in radians; 0"),
};
const zf_object zf_b3s_texture_object = OBJECT("texture", "a picture", texture_fields);

static const zf_field brush_fields[] = {
    [ZF_B3S_B_NAME] = {MEMBER("name", ZF_TEXT, true, "for people"), .count_max = 4096},
    [ZF_B3S_B_COLOR] = ITEMS("color", false, &number_item, 4, 4, "red, green, blue, alpha; white"),
    [ZF_B3S_B_SHININESS] = NUMBER("shininess", "0 to 1; 0"),
    [ZF_B3S_B_BLEND] = INTEGER("blend", false, INT_MIN_, "1 alpha, 2 multiply, 3 add; 1"),
    [ZF_B3S_B_FX] = INTEGER("fx", false, INT_MIN_, "1 full bright, 2 vertex colors, 4 flat, 16 two-sided and so on, "
                                                   "added up; 0"),
    [ZF_B3S_B_TEXTURES] = ITEMS("textures", false, &texture_item, 0, ZF_B3_TEXTURES_MAX,
                                "places among textures, from 0, or -1"),
};
const zf_object zf_b3s_brush_object = OBJECT("brush", "what triangles look like", brush_fields);

static const zf_field patch_fields[] = {
    [ZF_B3S_P_BRUSH] = INTEGER("brush", false, ZF_B3_NONE, "its place among brushes, from 0; -1, the mesh's"),
    [ZF_B3S_P_VERTICES] = ITEMS("vertices", true, &triangle_item, 0, 0,
                                "a triangle each: places among positions, from 0"),
};
const zf_object zf_b3s_patch_object = OBJECT("triangles", "those of one brush", patch_fields);

static const zf_field mesh_fields[] = {
    [ZF_B3S_M_BRUSH] = INTEGER("brush", false, ZF_B3_NONE, "its place among brushes, from 0; -1, none"),
    [ZF_B3S_M_POSITIONS] = ITEMS("positions", true, &three_item, 0, 0, "of the vertices"),
    [ZF_B3S_M_NORMALS] = ITEMS("normals", false, &three_item, 0, 0, "of the vertices, one each"),
    [ZF_B3S_M_COLORS] = ITEMS("colors", false, &color_item, 0, 0, "of the vertices, one each"),
    [ZF_B3S_M_COORDINATES] = ITEMS("coordinates", false, &set_item, 0, ZF_B3_SETS_MAX,
                                   "sets of texture coordinates, each with one to a vertex, all of one size"),
    [ZF_B3S_M_TRIANGLES] = LIST("triangles", false, &zf_b3s_patch_object, "by brushes"),
};
static const zf_beyond mesh_beyond[] = {
    {ZD_B3D_SOURCE_COUNT, "normals, colors and each set of coordinates are as many as positions, and coordinates of "
                          "one size"},
    {ZD_B3D_SOURCE_REFERENCE, "each brush, texture and vertex that is named is there"},
};
const zf_object zf_b3s_mesh_object = OBJECT_BEYOND("mesh", "vertices and what lies between them", mesh_fields,
                                                   mesh_beyond);

static const zf_field key_fields[] = {
    [ZF_B3S_K_FRAME] = INTEGER("frame", true, INT_MIN_, "when; the first is 1"),
    [ZF_B3S_K_POSITION] = ITEMS("position", false, &number_item, 3, 3, "where the node then is"),
    [ZF_B3S_K_SCALE] = ITEMS("scale", false, &number_item, 3, 3, "how large it then is"),
    [ZF_B3S_K_ROTATION] = ITEMS("rotation", false, &number_item, 4, 4, "w, x, y, z: how it is then turned"),
};
const zf_object zf_b3s_key_object = OBJECT("key", "what a node is like at a frame", key_fields);

static const zf_field animation_fields[] = {
    [ZF_B3S_A_FLAGS] = INTEGER("flags", false, INT_MIN_, "without meaning; 0"),
    [ZF_B3S_A_FRAMES] = INTEGER("frames", true, INT_MIN_, "how many there are"),
    [ZF_B3S_A_FPS] = NUMBER("fps", "frames a second; 60"),
};
const zf_object zf_b3s_animation_object = OBJECT("animation", "how long the keys below it are", animation_fields);

static const zf_field node_fields[] = {
    [ZF_B3S_N_NAME] = {MEMBER("name", ZF_TEXT, true, "of the node; those of one parent should differ"),
                       .count_max = 4096},
    [ZF_B3S_N_PARENT] = INTEGER("parent", false, 0.0, "its place among nodes, from 0: the node before this one, or one "
                                                      "that has it somewhere below; none when not given"),
    [ZF_B3S_N_POSITION] = ITEMS("position", false, &number_item, 3, 3, "to its parent, at rest; 0, 0, 0"),
    [ZF_B3S_N_SCALE] = ITEMS("scale", false, &number_item, 3, 3, "at rest; 1, 1, 1"),
    [ZF_B3S_N_ROTATION] = ITEMS("rotation", false, &number_item, 4, 4, "w, x, y, z, at rest; 1, 0, 0, 0"),
    [ZF_B3S_N_MESH] = {MEMBER("mesh", ZF_OBJECT, false, "what it looks like"), .object = &zf_b3s_mesh_object},
    [ZF_B3S_N_BONE] = ITEMS("bone", false, &weight_item, 0, 0,
                            "in place of mesh: [vertex, weight] each, of the nearest mesh before it"),
    [ZF_B3S_N_KEYS] = LIST("keys", false, &zf_b3s_key_object, "what it does, by frame"),
    [ZF_B3S_N_ANIMATION] = {MEMBER("animation", ZF_OBJECT, false, "of it and of the nodes below"),
                            .object = &zf_b3s_animation_object},
};
static const zf_beyond node_beyond[] = {
    {ZD_B3D_SOURCE_NODE, "parents are there and in order, a node is not mesh and bone at once, and each part stands "
                         "once a frame"},
    {ZD_B3D_SOURCE_REFERENCE, "each vertex of a bone is there"},
};
const zf_object zf_b3s_node_object = OBJECT_BEYOND("node", "a part of the model", node_fields, node_beyond);

static const zf_field source_fields[] = {
    [ZF_B3S_SCHEMA] = {MEMBER("$schema", ZF_TEXT, false, "where the schema lies, for editors"), .count_max = 4096},
    [ZF_B3S_VERSION] = {MEMBER("schemaVersion", ZF_NUMBER, true, "always 1"), .low = 1.0, .high = 1.0},
    [ZF_B3S_TYPE] = {MEMBER("type", ZF_TEXT, true, "always b3dSource"), .words = zf_b3s_type_word, .word_count = 1},
    [ZF_B3S_TEXTURES] = LIST("textures", false, &zf_b3s_texture_object, "that brushes name"),
    [ZF_B3S_BRUSHES] = LIST("brushes", false, &zf_b3s_brush_object, "that meshes and triangles name"),
    [ZF_B3S_NODES] = {MEMBER("nodes", ZF_ARRAY, true, "a node, then all that is below it"),
                      .object = &zf_b3s_node_object, .count_min = 1},
};
const zf_object zf_b3s_object = OBJECT("b3dSource", "a B3D model as text", source_fields);
