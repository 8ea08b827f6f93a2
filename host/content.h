// What the things of a library mean: the layer between the formats and the store, for the commands and for what is
// served. Files in memory come in, are looked at and compiled, and are put into a store with their references, search
// words and compiled program; packs, packages and folders become many things in one transaction. Knows formats by name,
// opens no file, prints nothing.
//
// Bytes stay exactly as they were given: what is stored of a file is the file. The one exception are animations and
// pets that come under an id that is taken: in these the id is another one, and animations out of a pack lose the
// indentation that they owe to it, as zo_pack_plan has it.
//
// Errors: every function says what became of it in a store_status; the sentence is in *error, which is never NULL, and
// lives in it (its uses belong to the transaction). INVALID with a report: the content is refused, and the report says
// why; INVALID without one: an argument is none (an id, a name), and the text names it. What was refused changed
// nothing; after BUSY, FULL, IO, CORRUPT and NO_MEMORY a write transaction must be rolled back, as store.h has it. A
// function that does several things in a transaction and fails halfway says so by no other means than its status: with
// any other than OK the caller rolls back.
//
// Threads: nothing here keeps state; a function may be called on any thread that may use its transaction.
#ifndef HOST_CONTENT_H
#define HOST_CONTENT_H

#include <zoetrope/zoetrope.h>

#include "host/store.h"

// How contents are read. All zero is the default of every member.
typedef struct content_def {
    zo_compile_def compile; // format, profile, strict, model, diag_max ...; archive is set here and not by the caller
    bool lone; // nothing of the library counts as beside the files given: what they need must be among them
    bool mend; // animations of rules before 27 August 2026 are no fault and are read as they would be written today;
               // what is stored already always is
    const char *first; // of an archive that is no pet package: the name of the file that is meant; NULL: the first
} content_def;

// Ids of animations that no one may write: "builtin:..." and "user:0draft". NULL: it is not one of them; else why not,
// a clause. Static text.
const char *content_reserved(const char *id);

// The first error of a report, a sentence; never NULL, of one without errors that it cannot be read.
const char *content_first_error(const zo_report *report);

// ------------------------------------------------------------------------------------------------- looking at contents

typedef enum content_shape {
    CONTENT_THING = 0,   // one thing: an animation, a machine, a clip, a rig, a model, a character pack, a picture
    CONTENT_PACK = 1,    // a motion pack: many animations
    CONTENT_PACKAGE = 2, // a pet package: pictures, animations and a pet in an archive
} content_shape;

// What files are, as read. Everything in it lives as long as it does; the bytes of the files are the caller's, but for
// those out of an archive.
typedef struct content_thing {
    content_shape shape;
    store_area area;     // ITEM, PET or CONFIG as asked for; ASSET for a lone picture
    const char *format;  // a name of zo_format_at(), "" for a picture
    const char *kind;    // "transition", "ambient", "interaction"; "machine", "clip", "armature", "rig", "model",
                         // "character", "pet", "pack", "package"; a picture's mime type; "" of what is of no such kind
    const char *name;    // for people
    const char *id;      // proposed: of an animation and a pet its own, of a picture that of its content, of a
                         // character the one in its manifest, of others made of the name of the first file ("a/b.json"
                         // is "a.b"); NULL: it has none of its own and no name to make one of
    bool id_is_its_own;  // the id stands in the content and cannot be another
    const char *text;    // words to be found by
    int64_t duration_ns; // of one pass of the first clip; 0: it has none
    uint32_t width, height;   // of a picture, px
    const store_file *files;  // [file_count] as they are to be stored, the one that it is about first
    uint32_t file_count;
    const store_use *uses;    // [use_count] what it refers to in a library; what is among its files is none of these
    uint32_t use_count;
    zo_status status;    // of compiling; ZO_OK: it may be stored
    zo_report *report;   // diagnostics, which may quote the files and what the library had; NULL of pictures
    zo_program *program; // NULL: it has errors, or is no program (pictures)
    bool mended;         // content_def.mend had something to mend
} content_thing;

// Looks at files that belong together, the one that is meant first: a definition; a machine with its armature, model
// and textures; a clip with its rig; a character pack's folder (names as in the folder; the manifest is found wherever
// it stands among them); an archive, alone: a pet package, or a zip of the files of anything else, whose files then are
// the thing's. Names are relative, '/' between the parts, as STORE_NAME_MAX says, and are checked before anything else:
// one that tries to leave, in an archive too, is INVALID with its name in the text, and so is an archive that claims
// more than it may. A file alone need not have a name.
// `txn` NULL: there is no library beside. Else what the files ask for and do not bring is looked for there, by its id
// and by the name of its first file, each read as below the folder of the first file given, and becomes a use.
// `area`: ANY_AREA: by the content.
// OK also when the content has errors: *thing is set, its status and report say so. *thing is set only with OK.
store_status content_look(store_txn *txn, store_area area, const store_file *files, uint32_t count,
                          const content_def *def, content_thing **thing, store_error *error);
void content_thing_free(content_thing *thing); // with report and program; NULL does nothing

// What the kind of an animation in this text is ("transition", "ambient", "interaction"), without judging anything else
// of it; NULL: none of the three, or no JSON object. Static text.
const char *content_kind_of(const void *bytes, size_t size);

// The animations and pictures that a petween configuration or pet refers to: of `area` CONFIG the enter and ambient of
// the six slots, the click and the poses' pictures; of PET the slots and pictures. None is `needed`. `*uses` is one
// piece of memory with its texts, to be freed with free; NULL when there are none. INVALID: it is not JSON.
store_status content_petween_uses(store_area area, const void *bytes, size_t size, store_use **uses, uint32_t *count);

// --------------------------------------------------------------------------------------------------- putting one thing

typedef struct content_put_def {
    const char *id;       // NULL: the one that the thing proposes. With id_is_its_own it must be that one
    const char *name;     // NULL: the thing's
    const char *origin;   // NULL: ""
    int64_t expected;     // revision, STORE_ANY or STORE_NONE
    int64_t created_ms, updated_ms; // as of store_put
} content_put_def;

// Puts a thing without errors (INVALID with errors, and for PACK and PACKAGE, which are imported), and its program into
// the cache. INVALID: a reserved id. IN_USE: it is an animation of another kind than the one that is there, and that
// one is referred to; error->uses says by whom. Else as store_put_item.
store_status content_put(store_txn *txn, const content_thing *thing, const content_put_def *def, store_item *item,
                         store_error *error);

// As store_delete, but reserved ids are INVALID.
store_status content_delete(store_txn *txn, store_area area, const char *id, int64_t expected, store_error *error);

// The uses that forbid that the animation `id` becomes one of `kind`: those of whom refers to it, when what is there is
// of another kind. OK: nothing forbids it. IN_USE: error->uses.
store_status content_kind_guard(store_txn *txn, const char *id, const char *kind, store_error *error);

// The program of a stored thing: out of the cache, or made of its files and, in a write transaction, put there. What it
// asks for is looked for among its own files first, then in the library. `revision` 0: as it is now. `*program` is set
// only with OK; `*report` (NULL: not wanted; it may quote what the transaction holds) whenever there is one, which is
// not when the program was in the cache, came out of an archive or had to be mended.
// INVALID: it no longer compiles, or is no program.
store_status content_program(store_txn *txn, store_area area, const char *id, int64_t revision, const content_def *def,
                             zo_program **program, zo_report **report, store_error *error);

// A picture of a stored thing or of what it uses, by the name that its program has for it (zo_cel_info.image, or the
// cel's own name): the bytes of the file. NOT_FOUND.
store_status content_picture(store_txn *txn, store_area area, const char *id, const char *name, store_file *file,
                             store_error *error);

// As store_look_fn, for store_check: says what no longer compiles. `context`: a content_def, or NULL.
void content_check(void *context, store_txn *txn, const store_item *item, const store_file *files, uint32_t count,
                   store_finding_fn finding, void *finding_context);

// ------------------------------------------------------------------------------------------------------ importing many

typedef enum content_outcome {
    CONTENT_IMPORTED = 0,  // stored under the id that it asked for
    CONTENT_IDENTICAL = 1, // held already, under final_id
    CONTENT_REMAPPED = 2,  // stored under another id, as its own is taken
    CONTENT_SKIPPED = 3,   // of a folder: not stored; reason says why
} content_outcome;
const char *content_outcome_name(content_outcome outcome); // "imported", "identical", "remapped", "skipped"

typedef struct content_entry {
    store_area area;
    const char *requested_id; // of what is skipped: its file
    const char *final_id;     // NULL: skipped
    const char *file;         // that it came from; "" of what stood in a pack
    content_outcome outcome;
    const char *reason;       // a clause; NULL: none
    bool mended;              // of rules before 27 August 2026, and read as it would be written today
    int64_t revision;         // of what is stored under final_id; 0: nothing is (skipped, or a dry run)
} content_entry;

typedef struct content_result {
    content_shape shape;
    const char *name, *pack_namespace; // of a pack; "" otherwise
    const content_entry *entries;      // in the order of the pack: animations; then pictures, pets, configuration
    uint32_t entry_count;
    const char *mounts_json;           // as zo_plan has it; "{}"
    const char *apply_patch_json;      // or NULL
    zo_plan *plan;                     // of a pack or package, else NULL
    const char *pet_id;                // the pet that a package brought, as it is stored; NULL: none
    const char *provenance_id;         // the item that the pack or package itself is kept as; NULL: none (dry run)
    zo_status status;                  // of the content
    zo_report *report;                 // of the content; NULL: nothing to say
} content_result;

typedef struct content_import_def {
    content_def content;
    const char *origin;  // for people: where it came from; NULL: ""
    const char *id;      // for a lone thing without an id of its own, and of the pet of a package; NULL: made up
    const char *called;  // a folder's name: what a lone thing is called, and its id if that is free, where it has none
                         // of its own; NULL: as its file
    bool dry_run;        // nothing is changed; a read transaction suffices
    bool no_provenance;  // the pack itself is not kept
    bool lone_is_thing;  // a lone animation with an id that is taken replaces what is there, `expected` permitting,
                         // instead of being imported like a pack of one
    int64_t expected;
} content_import_def;

// Imports whatever content_look can look at: a pack by the rules of zo_pack_plan, all of it or nothing; a package with
// its pictures, animations and its pet, whose references are put to the final ids (which configuration it is active in
// is not decided here); anything else as one thing: under def->id or in place of what is there if that is asked for,
// else under an id that is free. A pack and a package are kept, byte for byte, as an item of kind "pack" or "package"
// named after their content, so that the same one is kept once. Programs of a pack's animations are made when they are
// first asked for.
// With INVALID *result may be set too, for its report; free it in any case.
store_status content_import(store_txn *txn, const store_file *files, uint32_t count, const content_import_def *def,
                            content_result **result, store_error *error);

// Imports a petween data folder, whose files these are (names relative to it): animations one a file, the
// configuration, pets and pictures, with the repairs of its own loading: what cannot be read, is invalid, of a newer
// petween, reserved or there twice is SKIPPED with its reason, what is of older rules is stored as it is and `mended`.
// Nothing that the library holds is overwritten: other content under the same id is REMAPPED, and the pets and the
// configuration of this folder then refer to the new ids; a configuration is only taken where there is none.
store_status content_import_petween(store_txn *txn, const store_file *files, uint32_t count,
                                    const content_import_def *def, content_result **result, store_error *error);
void content_result_free(content_result *result); // NULL does nothing

// ------------------------------------------------------------------------------------------------------------- exports

// A motion pack of animations of the library, as zo_pack_export: ids separated by commas. INVALID: *pack is set too and
// names the unknown ones; LIMIT. Free with zo_pack_free.
store_status content_export_pack(store_txn *txn, const char *ids, const char *name, zo_pack **pack,
                                 store_error *error);

// A stored definition of rules before 27 August 2026 as it would be written today. *mended NULL: there is nothing to
// mend. Free with zo_document_free.
store_status content_mend(const void *bytes, size_t size, zo_document **mended);

#endif
