// Lists of speech: what labels of a character pack mean to somebody who speaks. A small format of ours beside the
// pack's manifest; a pack without one has the lists of the program that packs are made for. Shared by the
// charpack_speech*.c files, charpack_pack.c and charpack_compile.c.
#ifndef ZF_CHARPACK_SPEECH_H
#define ZF_CHARPACK_SPEECH_H

#include "base/intern.h"
#include "formats/fields.h"
#include "formats/formats.h"

#define ZF_CP_SPEECH_NAME "speech.json" // where it lies in a pack

extern const zf_object zf_cp_speech_object;
extern const zf_reader zf_cp_speech_reader; // lists by themselves

// Labels, not blank, without white space around them.
typedef struct zf_cp_labels {
    const zo_text *items;
    uint32_t count;
} zf_cp_labels;

// What labels are to each other: any of a group answers for all of it.
typedef enum zf_cp_role {
    ZF_CP_MEANING,             // it is of the group and no more
    ZF_CP_ENTRY,               // a way into speech, which waits for it
    ZF_CP_SPEAKING,            // its mouth moves
    ZF_CP_EXIT,
    ZF_CP_ROLE_COUNT
} zf_cp_role;

typedef struct zf_cp_group {
    zo_text intent;            // what its labels express; empty: nothing
    zo_text after;             // the label that follows speech in which that was expressed; empty: none
    zf_cp_labels roles[ZF_CP_ROLE_COUNT];
} zf_cp_group;

typedef struct zf_cp_pair {
    zo_text name, label;
} zf_cp_pair;

// How the shut mouth of a label lies.
typedef struct zf_cp_shut {
    bool on_canvas;            // as the frame does, whatever the anchors say
    double threshold;          // of the level of speech, 0..1
    double open;               // 0..: how much higher than the mouth the ellipse is
    double width, height;      // factors
    double shift;              // px down
} zf_cp_shut;

typedef struct zf_cp_speech {
    zo_text entry;             // the label that is asked for when speech begins; empty: none
    zo_text other;             // in its place, out of other_from
    double other_chance;
    zf_cp_labels other_from;
    int64_t hold_ns;
    const zf_cp_group *groups;
    uint32_t group_count;
    const zf_cp_pair *aliases; // other words for labels, in small letters
    uint32_t alias_count;
    const zf_cp_pair *clips;   // other names of clips
    uint32_t clip_count;
    const zf_cp_shut *shuts;
    zb_intern shut_labels;     // shut + 1
} zf_cp_speech;

// Reads and reports. A document that is no object has no lists.                               (charpack_speech_read.c)
void zf_cp_read_speech(zb_arena *arena, const zj_doc *doc, zf_cp_speech *out);
// Those of a pack that brings none along.
void zf_cp_usual_speech(zb_arena *arena, zf_cp_speech *out);
zf_cp_shut zf_cp_usual_shut(void); // what is not said of a label's mouth

struct zf_cp_pack;

// Of a pack without faults, with its clips and its graph built in their order: the shut mouths over its clips, and, if
// a node has a label of the lists, what follows speech and the director of it. `state`: what nodes are like; `plays`:
// WORDS of each clip's play.                                                                      (charpack_speech.c)
void zf_cp_build_speech(const struct zf_cp_pack *pack, zp_build *build, const zp_state *state, const uint32_t *plays);

#endif
