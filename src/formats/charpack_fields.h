// What the three files of a character pack hold, by number. The tables are the strict reading: the reader itself takes
// more (charpack_loose.c).
#ifndef ZF_CHARPACK_FIELDS_H
#define ZF_CHARPACK_FIELDS_H

#include "formats/fields.h"

extern const zf_object zf_cp_manifest_object, zf_cp_graph_object, zf_cp_mouth_object;

typedef enum zf_cp_manifest_field {
    ZF_CP_M_FORMAT, ZF_CP_M_ID, ZF_CP_M_DISPLAY_NAME, ZF_CP_M_VERSION, ZF_CP_M_TEXTURE_FORMAT, ZF_CP_M_GRAPH,
    ZF_CP_M_MOUTH_CONFIG, ZF_CP_M_CLIPS, ZF_CP_M_MOUTH_OVERLAYS, ZF_CP_M_CLIP_COUNT, ZF_CP_M_FRAME_COUNT,
    ZF_CP_M_TEXTURE_COUNT, ZF_CP_M_TEXTURE_BYTES, ZF_CP_M_QUALITY, ZF_CP_M_ZCMP, ZF_CP_M_COUNT
} zf_cp_manifest_field;

typedef enum zf_cp_clip_field {
    ZF_CP_C_PHASE, ZF_CP_C_INTERVAL, ZF_CP_C_LOOP_MODE, ZF_CP_C_FRAMES, ZF_CP_C_COUNT
} zf_cp_clip_field;
extern const zf_object zf_cp_clip_object;

typedef enum zf_cp_graph_field { ZF_CP_G_NODES, ZF_CP_G_EDGES, ZF_CP_G_COUNT } zf_cp_graph_field;
typedef enum zf_cp_node_field { ZF_CP_N_ID, ZF_CP_N_LABEL, ZF_CP_N_IS_ROOT, ZF_CP_N_COUNT } zf_cp_node_field;
typedef enum zf_cp_edge_field { ZF_CP_E_ID, ZF_CP_E_FROM, ZF_CP_E_TO, ZF_CP_E_PROB, ZF_CP_E_COUNT } zf_cp_edge_field;
extern const zf_object zf_cp_node_object, zf_cp_edge_object;

typedef enum zf_cp_mouth_field {
    ZF_CP_MOUTH_VERSION, ZF_CP_MOUTH_CANVAS, ZF_CP_MOUTH_KIND, ZF_CP_MOUTH_EXPRESSIONS, ZF_CP_MOUTH_PROFILES,
    ZF_CP_MOUTH_COUNT
} zf_cp_mouth_field;

enum { ZF_CP_LOOP, ZF_CP_ONCE, ZF_CP_LOOP_MODE_COUNT };
extern const zf_name zf_cp_loop_modes[ZF_CP_LOOP_MODE_COUNT];

// Members that belong to authoring, and that no pack holds.
enum { ZF_CP_ROOT, ZF_CP_PHASE, ZF_CP_FRAME_NAMES, ZF_CP_CLOSED_SOURCE, ZF_CP_SPEAKING_FRAMES, ZF_CP_AUTHORING_COUNT };
extern const zf_name zf_cp_authoring[ZF_CP_AUTHORING_COUNT];

#endif
