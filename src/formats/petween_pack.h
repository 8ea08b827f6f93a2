// A motion pack as a plain structure: definitions that travel together, and which states they are meant for. Shared by
// what reads, compiles and imports packs.
#ifndef ZF_PETWEEN_PACK_H
#define ZF_PETWEEN_PACK_H

#include "formats/petween.h"

enum { ZF_PT_PACK_MAX = 200, ZF_PT_PACK_NAME_MAX = 120 }; // animations; characters

// One slot of the mounts. The animations are numbers into the pack's, from 1; 0: none.
typedef struct zf_pt_mount {
    uint32_t slot; // of zf_pt_slots
    uint32_t enter_ref, ambient_ref;
} zf_pt_mount;

typedef struct zf_pt_pack {
    zo_text name;             // without the white space around it
    zo_text namespace_text;
    zf_pt_definition *animations;
    uint32_t animation_count;
    bool mounts_given;
    zf_pt_mount mounts[ZF_PT_SLOT_COUNT]; // in the order given; of a repeated slot the last one, at the first place
    uint32_t mount_count;
} zf_pt_pack;

// Reads and judges the pack at `node`; every fault of it and of its animations is reported. Only a VALID one may be
// used further. NEWER: it or one of its animations is of a later version.                                 
// petween_pack.c
zf_pt_verdict zf_pt_read_pack(const zf_pt_reading *reading, uint32_t node, zf_pt_pack *out);
// A name for people: 1 to 120 characters without the white space around it. false: reported under the field's id.
bool zf_pt_read_name(const zf_pt_reading *reading, const zf_fields *fields, uint32_t field, zo_text *name);
// Whether an import must refuse the id though a definition may have it; then it is reported.
bool zf_pt_refuse_reserved_id(const zf_pt_reading *reading, const zf_pt_definition *definition);
// Without the white space at both ends, as String.prototype.trim of ECMAScript does.
zo_text zf_pt_trim(zo_text text);

// What a pack holds, as tables.                                                                petween_pack_fields.c
enum { PACK_FORMAT, PACK_VERSION, PACK_NAME, PACK_NAMESPACE, PACK_ANIMATIONS, PACK_MOUNTS };
enum { MOUNT_ENTER, MOUNT_AMBIENT };
extern const zf_object zf_pt_pack_object, zf_pt_mounts_object, zf_pt_mount_object;
extern const zf_name zf_pt_pack_word, zf_pt_mixed;

extern const zf_reader zf_pt_pack_reader;

#endif
