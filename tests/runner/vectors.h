// What the runners of vector files share: files, cases with their verdicts, comparison of numbers and of JSON values.
// Expected answers come from the files alone.
#ifndef VECTORS_H
#define VECTORS_H

#include <stdio.h>

#include <zoetrope/zoetrope.h>

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
void vectors_seed(vectors *v);
void vectors_slam_land(vectors *v);

#endif
