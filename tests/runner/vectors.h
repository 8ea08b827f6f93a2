// What the runners of vector files share: files, cases with their verdicts, comparison of numbers and of JSON values.
// Expected answers come from the files alone.
#ifndef VECTORS_H
#define VECTORS_H

#include <stdio.h>

#include <zoetrope/zoetrope.h>

#include "base/buffer.h"
#include "json/json.h"

typedef struct vectors {
    const char *folder;  // DIR
    const char *file;    // below it
    const zj_doc *doc;   // its text, parsed
    zb_arena *arena;
    uint32_t passed, failed, skipped; // of this file
} vectors;

// Verdicts. `where` is a name of the case, `why` is printed behind it on stderr.
void vectors_pass(vectors *v);
void vectors_fail(vectors *v, const char *name, const char *format, ...);
void vectors_skip(vectors *v, const char *name, const char *why);

// The bytes of another file of DIR, in the arena; false: it cannot be read, and the case has failed.
bool vectors_read(vectors *v, const char *file, zo_text *bytes);

// Members of the file at hand. 0, NULL, false: not there, or of another kind.
uint32_t vectors_member(const zj_doc *doc, uint32_t object, const char *name);
const char *vectors_text(vectors *v, uint32_t object, const char *name); // "" when not there
bool vectors_number(const zj_doc *doc, uint32_t object, const char *name, double *out);
bool vectors_true(const zj_doc *doc, uint32_t object, const char *name);
#define VECTORS_EACH(doc, item, array) \
    for (uint32_t item = (array) != 0 ? zj_at(doc, array)->as.items.first : 0; item != 0; item = zj_at(doc, item)->next)

// Whether a diagnostic's id is meant by a slug, which has no format in front; the text's own faults are json-...:
// "json-comment" is json/comment, "unresolved-texture" is any format's.
bool vectors_is_slug(const char *id, const char *slug);

bool vectors_near(double expected, double actual, double tolerance);

// A character pack in memory: what its files hold. Each frame is a picture of its own, numbered by clips, then overlays.
typedef struct vectors_pack {
    vectors *v;
    zb_buffer clips, overlays; // members of the manifest's
    zo_text graph, mouth;      // files
    zo_text speech;            // a file; empty: there is none
    zb_array textures;         // const char *
    uint32_t list_count;
} vectors_pack;
void vectors_pack_open(vectors_pack *pack, vectors *v); // in the vectors' arena
void vectors_pack_clip(vectors_pack *pack, zo_text label, uint32_t frame_count, uint32_t interval_ms, const char *mode);
void vectors_pack_overlay(vectors_pack *pack, zo_text label, uint32_t count);
const zo_source *vectors_pack_sources(vectors_pack *pack, uint32_t *count);
zo_program *vectors_pack_compile(vectors_pack *pack, zo_model model, char why[], size_t why_size); // NULL: why not

// A case's policy as lists of speech.
zo_text vectors_speech(vectors *v, uint32_t policy);

typedef void (*vectors_run_fn)(vectors *v);
void vectors_b3d(vectors *v);
void vectors_charpack_packs(vectors *v);
void vectors_charpack_validate(vectors *v);
void vectors_enemy_validate(vectors *v);
void vectors_enemy_curves(vectors *v);
void vectors_enemy_minmax(vectors *v);
void vectors_enemy_bursts(vectors *v);
void vectors_enemy_effects(vectors *v);
void vectors_enemy_events(vectors *v);
void vectors_enemy_poses(vectors *v);
void vectors_ktx2(vectors *v);
void vectors_petween_validate(vectors *v);
void vectors_petween_compile(vectors *v);
void vectors_petween_samples(vectors *v);
void vectors_petween_builtins(vectors *v);
void vectors_petween_packs(vectors *v);
void vectors_petween_particles(vectors *v);
void vectors_pets(vectors *v);
void vectors_forge_validate(vectors *v);
void vectors_forge_params(vectors *v);
void vectors_forge_draft_params(vectors *v);
void vectors_forge_armature(vectors *v);
void vectors_forge_asm(vectors *v);
void vectors_forge_draft_pose(vectors *v);
void vectors_graph(vectors *v);
void vectors_mouth(vectors *v);
void vectors_seed(vectors *v);
void vectors_slam_land(vectors *v);

#endif
