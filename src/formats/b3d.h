// Models in Blitz3D's binary form: a tree of nodes, some of them meshes, some bones that move the vertices of meshes,
// with keys by frame. A model comes from bytes (b3d.c) or from an authoring file of ours (b3d_source.c), goes back to
// either, and becomes a program (b3d_compile.c). Shared by the b3d*.c files; nothing else includes it but formats.c.
#ifndef ZF_B3D_H
#define ZF_B3D_H

#include "formats/fields.h"
#include "formats/formats.h"

enum {
    ZF_B3_NONE = -1,          // in place of a texture or brush
    ZF_B3_SETS_MAX = 8,       // of texture coordinates
    ZF_B3_SET_SIZE_MAX = 4,   // numbers of one
    ZF_B3_TEXTURES_MAX = 4096, // that a brush names
    ZF_B3_DEPTH_MAX = 256,    // nodes inside each other
};

#define ZF_B3_FAR 1e6 // no figure is beyond it

typedef struct zf_b3_texture {
    zo_text file;
    int32_t flags, blend;
    float position[2], scale[2], rotation; // of texture coordinates; radians
} zf_b3_texture;

typedef struct zf_b3_brush {
    zo_text name;
    float color[4], shininess;  // red, green, blue, alpha
    int32_t blend, fx;
    const int32_t *textures;    // [textures_a_brush of the model], NONE or below texture_count
} zf_b3_brush;

enum { ZF_B3_POSITION = 1, ZF_B3_SCALE = 2, ZF_B3_ROTATION = 4 }; // parts of a key

typedef struct zf_b3_key {
    uint32_t node;
    int32_t frame;
    uint32_t parts;              // of the above; what it has not is there all the same, and does nothing
    float position[3], scale[3], rotation[4]; // w, x, y, z
} zf_b3_key;

typedef struct zf_b3_weight {
    uint32_t vertex;
    float weight;
} zf_b3_weight;

typedef struct zf_b3_patch { // triangles of one brush
    int32_t brush;           // NONE: the mesh's
    uint32_t first, count;   // triangles: three indices each
} zf_b3_patch;

typedef struct zf_b3_mesh {
    uint32_t node;
    int32_t brush;
    bool normals, colors;
    uint32_t sets, set_size; // 0 and 0 without coordinates
    uint32_t width;          // floats a vertex: position 3, normal 3, color 4, then the sets
    uint32_t vertex_count;
    const float *vertices;   // [vertex_count * width]
    uint32_t first_patch, patch_count;
} zf_b3_mesh;

typedef enum zf_b3_kind { ZF_B3_PIVOT, ZF_B3_MESH, ZF_B3_BONE } zf_b3_kind;

typedef struct zf_b3_node {
    zo_text name;
    uint32_t parent_ref;                  // an earlier node + 1; 0: none
    uint32_t depth;                       // nodes above
    float position[3], scale[3], rotation[4]; // at rest; w, x, y, z
    zf_b3_kind kind;
    uint32_t mesh_ref;                    // MESH: its own, BONE: the one whose vertices it moves; + 1, 0: none
    uint32_t first_weight, weight_count;  // BONE
    uint32_t first_key, key_count;        // by rising frame
    bool animated;                        // has an ANIM; it holds for all nodes below that have none
    int32_t anim_flags, anim_frames;
    float anim_fps;
} zf_b3_node;

typedef struct zf_b3_model {
    const zf_b3_texture *textures;
    uint32_t texture_count;
    const zf_b3_brush *brushes;
    uint32_t brush_count, textures_a_brush;
    const zf_b3_node *nodes;     // a node, then all that is below it; the first is a root
    uint32_t node_count;
    const zf_b3_mesh *meshes;    // in the order of their nodes
    uint32_t mesh_count;
    const zf_b3_patch *patches;
    const uint32_t *indices;     // below the mesh's vertex_count
    uint32_t triangle_count;     // of all patches
    const zf_b3_key *keys;
    const zf_b3_weight *weights;
} zf_b3_model;

static inline uint32_t zf_b3_width(const zf_b3_mesh *mesh) {
    return 3u + (mesh->normals ? 3u : 0u) + (mesh->colors ? 4u : 0u) + mesh->sets * mesh->set_size;
}

// A model being put together, by whatever reads one: growing lists, and one way to finish them.
typedef struct zf_b3_making {
    zb_arena *arena;
    zb_array textures, brushes;  // zf_b3_texture; zf_b3_brush, whose textures are set when it is finished
    zb_array brush_textures;     // int32_t
    zb_array brush_counts;       // uint32_t: how many of these each brush has
    zb_array nodes, meshes, patches, indices, keys, weights; // keys: as they come
} zf_b3_making;

zf_b3_making zf_b3_make(zb_arena *arena);
zf_b3_node *zf_b3_node_at(const zf_b3_making *making, uint32_t index);
// Keys go to their nodes by frame; of one frame the parts are put together, later ones in place of earlier ones, and
// `twice` is then called for the node. Brushes get as many textures as any has.
void zf_b3_made(zf_b3_making *making, void (*twice)(void *context, uint32_t node, int32_t frame), void *context,
                zf_b3_model *out);

static inline zf_b3_node zf_b3_node_at_rest(void) {
    return (zf_b3_node){.scale = {1.0f, 1.0f, 1.0f}, .rotation = {1.0f, 0.0f, 0.0f, 0.0f}};
}
static inline zf_b3_key zf_b3_key_at_rest(uint32_t node, int32_t frame) {
    return (zf_b3_key){.node = node, .frame = frame, .scale = {1.0f, 1.0f, 1.0f}, .rotation = {1.0f, 0.0f, 0.0f, 0.0f}};
}

// Untrusted bytes to a model; all faults are reported, by `file`. false: there were errors, or no memory.      b3d.c
bool zf_b3_read(zb_arena *arena, const void *bytes, size_t size, uint32_t file, zd_report *report, zf_b3_model *out);
bool zf_b3_is(const void *bytes, size_t size); // begins like one

// The bytes of a model; read again it is the same. At most as many as a chunk can hold: else false.     b3d_write.c
bool zf_b3_put(zb_buffer *out, const zf_b3_model *model);

// An authoring file to a model; all faults are reported. false: there were errors, or no memory.        b3d_source.c
bool zf_b3_read_source(zb_arena *arena, const zj_doc *doc, zf_b3_model *out);
// And a model to such a file, laid out; in the arena.
zo_text zf_b3_source_of(zb_arena *arena, const zf_b3_model *model);

// What becomes of a model in a program.
typedef struct zf_b3_build_def {
    bool exact_frames;         // keys count at their frames alone, and only bones move anything; else they are blended
                               // however far apart they are, and what has no bones goes with its node
    zo_text scope;             // before the names of the clip, targets and channels
    const uint32_t *cel_refs;  // [texture_count]: cel of the builder's + 1; 0: the texture is not there
} zf_b3_build_def;

typedef struct zf_b3_box {
    bool any;                  // vertices
    double low[3], high[3];    // around them, at rest
} zf_b3_box;

typedef struct zf_b3_built {
    uint32_t clip;             // main, whose time is the number of the frame; it never ends the run by itself
    uint32_t first_target;     // one a node, in their order
    zf_b3_box box;
} zf_b3_built;

// Adds a model to a program: targets, a layer of channels where anything moves, one clip, and meshes. The arena is
// scratch of the compile, which is asked afterwards whether memory was short.                        b3d_compile.c
zf_b3_built zf_b3_build(const zf_b3_model *model, const zf_b3_build_def *def, zp_build *build, zb_arena *arena);
// Of that, the meshes.                                                                                   b3d_mesh.c
void zf_b3_build_meshes(const zf_b3_model *model, const zf_b3_build_def *def, uint32_t first_target, zp_build *build,
                        zb_arena *arena, zf_b3_box *box);
// The pictures of its textures, which lie beside the model by their names: refs as in zf_b3_build_def.   b3d_compile.c
void zf_b3_build_cels(const zf_input *input, const zo_source *source, const zf_b3_model *model, zp_build *build,
                      uint32_t *refs);
// A program of a model alone.                                                                         b3d_compile.c
void zf_b3_compile(const zf_input *input, const zf_b3_model *model, zp_build *build);

// The members of authoring files, in the order of the tables.                                  b3d_source_fields.c
enum { ZF_B3S_SCHEMA, ZF_B3S_VERSION, ZF_B3S_TYPE, ZF_B3S_TEXTURES, ZF_B3S_BRUSHES, ZF_B3S_NODES };
enum { ZF_B3S_T_FILE, ZF_B3S_T_FLAGS, ZF_B3S_T_BLEND, ZF_B3S_T_POSITION, ZF_B3S_T_SCALE, ZF_B3S_T_ROTATION };
enum { ZF_B3S_B_NAME, ZF_B3S_B_COLOR, ZF_B3S_B_SHININESS, ZF_B3S_B_BLEND, ZF_B3S_B_FX, ZF_B3S_B_TEXTURES };
enum {
    ZF_B3S_N_NAME, ZF_B3S_N_PARENT, ZF_B3S_N_POSITION, ZF_B3S_N_SCALE, ZF_B3S_N_ROTATION, ZF_B3S_N_MESH, ZF_B3S_N_BONE,
    ZF_B3S_N_KEYS, ZF_B3S_N_ANIMATION
};
enum {
    ZF_B3S_M_BRUSH, ZF_B3S_M_POSITIONS, ZF_B3S_M_NORMALS, ZF_B3S_M_COLORS, ZF_B3S_M_COORDINATES, ZF_B3S_M_TRIANGLES
};
enum { ZF_B3S_P_BRUSH, ZF_B3S_P_VERTICES };
enum { ZF_B3S_K_FRAME, ZF_B3S_K_POSITION, ZF_B3S_K_SCALE, ZF_B3S_K_ROTATION };
enum { ZF_B3S_A_FLAGS, ZF_B3S_A_FRAMES, ZF_B3S_A_FPS };
extern const zf_object zf_b3s_object, zf_b3s_texture_object, zf_b3s_brush_object, zf_b3s_node_object,
    zf_b3s_mesh_object, zf_b3s_patch_object, zf_b3s_key_object, zf_b3s_animation_object;
extern const zf_name zf_b3s_type_word[1];

extern const zf_reader zf_b3_reader, zf_b3s_reader;

#endif
