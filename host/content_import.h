// What importing shares: what is being imported, and how one thing of it is placed in a library whose ids may be taken.
// Included by content_import.c, content_place.c and content_folder.c alone.
#ifndef HOST_CONTENT_IMPORT_H
#define HOST_CONTENT_IMPORT_H

#include "host/content_inside.h"

typedef struct content_imported { // what a content_result is within, while it is made and afterwards
    content_result result;        // first
    content_keep keep;
    store_txn *txn;
    const content_import_def *def;
    store_error *error;
    const char *origin;
    content_thing *thing;         // what was looked at, as the report may quote it
    content_entry *entries;
    uint32_t entry_capacity;
    const char **asked;           // ids of animations that others of this import are to have, or have been given
    uint32_t asked_count, asked_capacity;
    content_renaming *renamed;    // what has another id than it asked for
    uint32_t renamed_count, renamed_capacity;
} content_imported;

content_imported *content_imported_new(store_txn *txn, const content_import_def *def, store_error *error);
store_status content_add_entry(content_imported *im, const content_entry *entry);
store_status content_add_renaming(content_imported *im, store_area area, const char *from, const char *to);
store_status content_ask_for(content_imported *im, const char *id);

// The animations of the library that matter to a plan: those with the ids, and with what could be given instead.
typedef struct content_near {
    zo_library_item *items;
    uint32_t count, capacity;
} content_near;
store_status content_find_near(content_imported *im, const char *id, content_near *near);

// Each places one thing and adds its entry. `thing` is sound.
store_status content_place_animation(content_imported *im, const content_thing *thing);
store_status content_place_picture(content_imported *im, const content_thing *thing, const char *requested);
store_status content_place_other(content_imported *im, const content_thing *thing);
// A document of a pet (changed when its id is taken); read leniently. `id` is its own.
store_status content_place_pet(content_imported *im, zo_document *document, const char *id, const char *file);
// A document of a pet or a configuration as it is, with what it refers to.
store_status content_put_document(content_imported *im, store_area area, const char *id, const char *file,
                                  const zo_document *document, int64_t *revision);

#endif
