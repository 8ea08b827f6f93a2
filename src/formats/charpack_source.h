// Authoring files of character packs: which pictures make which clip, and what leads from clip to clip. A small format
// of ours that packs are built of and taken apart to. Shared by the charpack_source*.c files; nothing else includes it
// but formats.c and api.
#ifndef ZF_CHARPACK_SOURCE_H
#define ZF_CHARPACK_SOURCE_H

#include <zoetrope/charpack.h>

#include "base/intern.h"
#include "formats/fields.h"
#include "formats/formats.h"

enum {
    ZF_CS_SCHEMA, ZF_CS_VERSION, ZF_CS_TYPE, ZF_CS_ID, ZF_CS_DISPLAY_NAME, ZF_CS_PACK_VERSION, ZF_CS_ENCODING,
    ZF_CS_LEVEL, ZF_CS_QUALITY, ZF_CS_CLIPS, ZF_CS_NODES, ZF_CS_EDGES, ZF_CS_OVERLAYS, ZF_CS_MOUTH
};
enum { ZF_CS_LABEL, ZF_CS_FOLDER, ZF_CS_FRAMES, ZF_CS_FPS, ZF_CS_INTERVAL, ZF_CS_LOOP_MODE, ZF_CS_PHASE };
enum { ZF_CS_NODE_ID, ZF_CS_NODE_LABEL, ZF_CS_NODE_ROOT };
enum { ZF_CS_EDGE_ID, ZF_CS_EDGE_FROM, ZF_CS_EDGE_TO, ZF_CS_EDGE_PROB };

enum { ZF_CS_CLIPS_MAX = 4096, ZF_CS_PARTS_MAX = 65535 };
#define ZF_CS_INTERVAL_MAX 86400000.0 // ms

extern const zf_object zf_cs_object, zf_cs_clip_object, zf_cs_overlay_object, zf_cs_node_object, zf_cs_edge_object;
extern const zf_name zf_cs_type_word[1], zf_cs_loop_words[2], zf_cs_encoding_words[2];

// A clip or the overlays of a label.
typedef struct zf_cs_clip {
    zo_text label, phase;
    uint32_t loop_word;      // of zf_cs_loop_words
    int64_t interval_ms;
    uint32_t first, count;   // of the frames
    uint32_t node;
} zf_cs_clip;

typedef struct zf_cs_node {
    zo_text id, label;
    bool root;
    uint32_t node;
} zf_cs_node;

typedef struct zf_cs_edge {
    zo_text id, from, to, prob; // prob as it is written
} zf_cs_edge;

typedef struct zf_cs_source {
    const zj_doc *doc;
    zo_text id, display_name, version;
    uint32_t encoding, level, quality; // as zo_charpack_plan
    zf_cs_clip *clips, *overlays;
    uint32_t clip_count, overlay_count;
    zf_cs_node *nodes;
    uint32_t node_count;
    zf_cs_edge *edges;
    uint32_t edge_count;
    uint32_t mouth;           // node; 0: none
    zb_array frames;          // uint32_t: pictures, from 1, of all clips and overlays
    zb_intern pictures;       // that are shown
    zb_intern textures;       // what they become; of the same numbers
} zf_cs_source;

// The pictures that there are, by folder and in the order of their numbers. NULL: nothing is known of that.
typedef struct zf_cs_files {
    const zo_text *names; // sorted
    uint32_t count;
} zf_cs_files;

// In the order in which people count: frame_2 before frame_10.
zf_cs_files zf_cs_files_of(zb_arena *arena, const char *const *names, uint32_t count);
// The pictures of one folder ("" is where the file itself lies), without those further below.
zf_cs_files zf_cs_files_in(const zf_cs_files *files, zo_text folder);

// Reads and judges; all faults are reported. false: there were errors.                              charpack_source.c
bool zf_cs_read(zb_arena *arena, const zj_doc *doc, const zf_cs_files *files, zf_cs_source *out);

// The bodies of the functions of charpack.h.                                                   charpack_source_make.c
zo_status zf_cs_plan(const zo_source *source, const char *const *pictures, uint32_t picture_count,
                     const zo_compile_def *def, zb_arena *kept, zf_cs_source *out, zo_charpack_plan *plan,
                     zd_report *report);
bool zf_cs_make(zb_arena *kept, const zf_cs_source *source, const zo_charpack_stored *stored, zo_package *out);
zo_status zf_cs_open(const zo_source *sources, uint32_t source_count, const zo_compile_def *def, zb_arena *kept,
                     zo_charpack_parts *out, zd_report *report);

extern const zf_reader zf_cs_reader;

#endif
