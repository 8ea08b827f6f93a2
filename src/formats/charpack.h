// The character-pack readers as the table of formats sees them, and their inside: a pack as plain structures. A pack
// is a folder: a manifest that says which pictures make up which clip, a graph of states that play the clips, and where
// the mouth is. Shared by the charpack*.c files.
//
// Faults are listed all, in the order in which the format's own validator looks for them; the first one decides what
// the pack is refused as. Texts are read as that validator reads them: what is no text is made one, and white space
// around it does not count.
#ifndef ZF_CHARPACK_H
#define ZF_CHARPACK_H

#include "formats/beside.h"
#include "formats/charpack_fields.h"

extern const zf_reader zf_cp_reader;       // the manifest, and with it the pack
extern const zf_reader zf_cp_graph_reader; // the two others, by themselves
extern const zf_reader zf_cp_mouth_reader;

#define ZF_CP_FORMAT "amadeus.spriteforge.character-pack.v1"

// Why a pack is refused.
typedef enum zf_cp_category {
    ZF_CP_NOT_INSTALLED, ZF_CP_MANIFEST, ZF_CP_GRAPH, ZF_CP_MOUTH, ZF_CP_INCOMPLETE, ZF_CP_CATEGORY_COUNT
} zf_cp_category;

// --------------------------------------------------------------------------------------------- what a pack holds

// A file that clips or overlays show. Paths that lead to one file are one texture.
typedef struct zf_cp_texture {
    zo_text name;              // path in the pack as it was first written, normalised
    const zo_source *source;   // NULL: nobody said
} zf_cp_texture;

typedef struct zf_cp_clip {
    zo_text label;
    zo_text phase;             // for people
    uint32_t node;             // in the manifest
    int64_t interval_ms;       // > 0
    bool once;                 // once_then_hold
    uint32_t first_frame, frame_count; // of the pack's frames
} zf_cp_clip;

typedef struct zf_cp_node {
    zo_text id, label;
    uint32_t node;             // in the graph file
    bool root;
} zf_cp_node;

typedef struct zf_cp_edge {
    zo_text id;
    uint32_t from, to;         // nodes
    uint32_t node;             // in the graph file
    double weight;             // 0: manual
} zf_cp_edge;

typedef struct zf_cp_graph {
    const zj_doc *doc;         // NULL: not read
    const zf_cp_node *nodes;
    uint32_t node_count;
    const zf_cp_edge *edges;
    uint32_t edge_count, manual_count;
    uint32_t root;             // node
} zf_cp_graph;

// Where a mouth is: px from the middle of the picture, x to the right, y down.
typedef struct zf_cp_area {
    double cx, cy, width, height;
} zf_cp_area;

typedef struct zf_cp_mouth_set {
    zo_text name;              // not trimmed
    zf_cp_area area;
    double curve;              // carried along
} zf_cp_mouth_set;

typedef struct zf_cp_profile {
    zo_text label;             // of a clip, not trimmed
    uint32_t node;             // in the mouth file
    zo_text mouth_set;         // "neutral" when it names none
    uint32_t mouth_set_ref;    // set + 1; 0: there is none of that name
    zf_cp_area area;           // where there is no track: its own members, else the set's
    const double *openness;    // a number a frame; NaN: no number
    uint32_t openness_count;
    const zf_cp_area *track;   // an area a frame
    uint32_t track_count;
    zf_cp_area overlay;        // where the mouth is on the overlay pictures
    uint32_t first_frame, frame_count; // its overlay pictures, of the pack's frames; none in a file by itself
} zf_cp_profile;

typedef struct zf_cp_mouth {
    const zj_doc *doc;         // NULL: not read
    bool has_canvas;
    double canvas[2];          // width and height, px
    zf_cp_mouth_set *sets;
    uint32_t set_count;
    zf_cp_profile *profiles;
    uint32_t profile_count;
} zf_cp_mouth;

typedef struct zf_cp_pack {
    const zf_input *input;
    zb_arena *arena;
    zf_beside files;
    zo_text id, version;       // not blank
    zf_cp_graph graph;
    zf_cp_mouth mouth;
    zf_cp_clip *clips;
    uint32_t clip_count;
    zb_intern clip_names;      // clip + 1 by label
    zb_array textures;         // zf_cp_texture
    zb_intern texture_names;   // texture + 1 by where it really is
    zb_array frames;           // uint32_t: textures, of clips and then of overlays
    uint64_t frame_count;      // that clips list
    bool unknown;              // there are files that nobody has said anything of; they have been asked for
} zf_cp_pack;

static inline const zf_cp_texture *zf_cp_texture_at(const zf_cp_pack *pack, uint32_t frame) {
    const uint32_t texture = ((const uint32_t *)(const void *)pack->frames.items)[frame];
    return (const zf_cp_texture *)(const void *)pack->textures.items + texture;
}

// ------------------------------------------------------------------------------------------------------- faults
// (charpack_judge.c)

// What has been found so far, in the order of looking.
typedef struct zf_cp_judge {
    const zf_input *input;
    zb_arena *arena;
    const char *category;      // of the first fault; NULL: there is none
    const char *line;          // about it
    uint32_t faults;
} zf_cp_judge;

zf_cp_judge zf_cp_judge_open(const zf_input *input);
// A fault at a value, or at the first byte of the object that lacks it. Returns what zd_report_add returns.
uint32_t zf_cp_fault(zf_cp_judge *judge, zf_cp_category category, const zj_doc *doc, uint32_t node, zd_id id,
                     zd_args args);
// What was reported already, or concerns several places: `text` is what the verdict says of it.
void zf_cp_refuse(zf_cp_judge *judge, zf_cp_category category, zo_text text);
// Advice: not when only the format's own validator is asked.
uint32_t zf_cp_warn(const zf_cp_judge *judge, const zj_doc *doc, uint32_t node, zd_id id, zd_args args);
// The verdict goes to the report; `fine` is the line when there was no fault.
void zf_cp_sentence(const zf_cp_judge *judge, const char *fine);

// "clips.idle.frames[1]": a name with what stands in it, for messages. %-signs: s a text of the pack, u an index.
zd_arg zf_cp_where(const zf_cp_judge *judge, const char *form, zo_text name, uint32_t index);
// A name between single quotes, as the contract's messages have them.
zd_arg zf_cp_name(const zf_cp_judge *judge, zo_text name);

// ------------------------------------------------------------------------------------------------- loose values
// (charpack_loose.c)

// What the validator makes a text of, trimmed: nothing, null, false, 0 and what is empty are "". `*loose`, if not
// NULL, is set when it was no string.
zo_text zf_cp_text(zb_arena *arena, const zj_doc *doc, uint32_t node, bool *loose);
// What it makes a whole number of, cut towards zero and to 64 bits. false: nothing can be made of it.
bool zf_cp_integer(const zj_doc *doc, uint32_t node, int64_t *out, bool *loose);
bool zf_cp_is_absolute(zo_text path); // begins at a root or a drive
// The path without what says nothing. NULL in *fault: it leads down; else what is wrong with it.
zo_text zf_cp_path(zb_arena *arena, zo_text text, const char **fault);
bool zf_cp_is_texture(zo_text path);  // by its last name's ending, in any case

// ------------------------------------------------------------------------------------------------------ reading

// A file beside the manifest, parsed. NULL: it is no object, which has been reported. `name`: in the pack.
const zj_doc *zf_cp_open(zf_cp_judge *judge, const zo_source *file, zo_text name, zf_cp_category category);
// Each reports all and goes on. The documents must be objects.
void zf_cp_read_graph(zf_cp_judge *judge, const zj_doc *doc, zf_cp_graph *out);
void zf_cp_read_mouth(zf_cp_judge *judge, const zj_doc *doc, zf_cp_mouth *out);
// Texts that have come along from an authoring project. Not in the members named by `judged`, of which something was
// said already.
void zf_cp_check_leftovers(const zf_cp_judge *judge, const zj_doc *doc, const zf_name *judged, uint32_t judged_count);
// With --strict, what the schemas say, of a document in which nothing else is wrong.
void zf_cp_check_schema(const zf_cp_judge *judge, const zj_doc *doc, const zf_object *object);
// The whole pack, of the manifest that is the input's first source; asks for what it needs. With `pictures` for the
// beginnings of textures, which say how large they are. false: it has faults.
bool zf_cp_read_pack(zf_cp_judge *judge, bool pictures, zf_cp_pack *out);

// Of a pack without faults (charpack_compile.c). In the program textures are cels, clips clips, nodes states, each in
// the order of the pack, and the character is sprite 0. Its origin is the middle of the lower edge of its pictures, y
// down, a pixel a unit.
void zf_cp_compile(const zf_cp_pack *pack, zp_build *build);

#endif
