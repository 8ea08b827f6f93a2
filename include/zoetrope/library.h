// A library of animations: what importing a pack would do to it, and packs made of what it holds. All of it is worked
// out from texts and handed back as plain data; where a library is stored, and how, is the caller's business.
#ifndef ZOETROPE_LIBRARY_H
#define ZOETROPE_LIBRARY_H

#include <zoetrope/base.h>
#include <zoetrope/compile.h>
#include <zoetrope/document.h>

#ifdef __cplusplus
extern "C" {
#endif

// One animation that the library holds. Borrowed for the call.
typedef struct zo_library_item {
    const char *id;     // of the definition
    zo_text definition; // its JSON text, valid; looked at only when a pack asks for the same id
} zo_library_item;

typedef enum zo_plan_status {
    ZO_PLAN_IMPORTED = 0,  // to be stored under the id it asked for
    ZO_PLAN_IDENTICAL = 1, // the library holds it already, under final_id: nothing to store
    ZO_PLAN_REMAPPED = 2,  // its id is taken by something else: to be stored under another one
} zo_plan_status;

typedef struct zo_plan_entry {
    const char *requested_id;
    const char *final_id;
    zo_plan_status status;
    // The text to store under final_id: the bytes of the pack, with the id exchanged in place and without the
    // indentation that came from standing in the pack. Member order, unknown members and number spellings are the
    // pack's. Empty when there is nothing to store.
    zo_text definition;
    const char *reason; // why final_id is another one, a clause; NULL: it is not
} zo_plan_entry;

// What the pack means a state of a pet to have, in final ids. An import never applies it.
typedef struct zo_plan_mount {
    const char *slot;    // idle, thinking, working, waiting, success or error
    const char *enter;   // NULL: not given
    const char *ambient; // NULL: not given
} zo_plan_mount;

typedef struct zo_plan {
    const char *name;            // of the pack, without white space around it
    const char *pack_namespace;
    const zo_plan_entry *entries; // in the order of the pack
    uint32_t entry_count;
    const zo_plan_mount *mounts;  // in the order of the pack
    uint32_t mount_count;
    const char *mounts_json;      // the mounts as a JSON text; {} when there are none
    const char *apply_patch_json; // the patch to a pet's configuration that would apply them; NULL when there are none
} zo_plan;

// Checks a pack (or a lone definition, which counts as a pack of one, or the pack in a pet package's manifest, the rest
// of which is not looked at; without one: ZO_UNSUPPORTED) and plans its import into the library as it is.
// Nothing is stored: whoever stores must do all of it or nothing, and plan anew when the library has changed meanwhile.
// `def` (NULL: the defaults) is as for zo_compile; its profile also decides how a free id is found. Status and report
// are as of zo_compile: with any fault the whole pack is refused. `*plan` is set only with ZO_OK.
ZO_API zo_status zo_pack_plan(const zo_source *pack, const zo_library_item *library, uint32_t library_count,
                              const zo_compile_def *def, zo_plan **plan, zo_report **report);
ZO_API void zo_plan_free(zo_plan *plan);

typedef struct zo_pack {
    zo_text text;               // the pack as a JSON text with a line end behind it; empty when something was wrong
    const char *pack_namespace; // the one of all its animations, or "mixed"
    const char *const *ids;     // of the animations, in the order asked
    uint32_t id_count;
    const char *const *unknown; // asked for and not in the library
    uint32_t unknown_count;
} zo_pack;

// Makes a pack of animations of the library. `ids` are separated by commas; white space, empty places and repeats do
// not count. `name` (NULL or blank: "Motion Pack") is cut of the white space around it. Definitions keep their bytes
// but for indentation, and importing the pack into the same library finds all of them identical. ZO_INVALID: nothing
// was asked for, or some ids are unknown; they are in `*pack`, which is set then too. ZO_LIMIT: more than 200
// animations, or a name that no pack may have.
ZO_API zo_status zo_pack_export(const zo_library_item *library, uint32_t library_count, const char *ids,
                                const char *name, const zo_allocator *allocator, zo_pack **pack);
ZO_API void zo_pack_free(zo_pack *pack);

// A definition stored under the rules before 27 August 2026, mended as petween mends it on loading: waits of
// random-interval below 1 ms are raised, and the longest to the shortest; ambient animations lose their tracks of the
// transition layer; of keyframes at one time the first stays. `*mended` is set to the new text when something was
// mended (free it with zo_document_free), else to NULL; whether it is valid now, zo_compile says. ZO_INVALID, ZO_LIMIT:
// not JSON.
ZO_API zo_status zo_definition_mend(const void *bytes, size_t size, const zo_allocator *allocator,
                                    zo_document **mended);

#ifdef __cplusplus
}
#endif

#endif
