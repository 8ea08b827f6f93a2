// What the check of a library and its repair share: one revision, read and held against what is told of it. Included by
// the store's own sources only.
#ifndef HOST_STORE_CHECK_H
#define HOST_STORE_CHECK_H

#include "host/store_db.h"

enum {                    // store_revision.faults
    REVISION_FIELDS = 1,  // its area, id, action or lengths are none
    REVISION_FILES = 2,   // not as many files as told, one without content, or a name that is none
    REVISION_USES = 4,    // not as many references as told, or one that leads to no place of the library
    REVISION_WORDS = 8,   // the text that it is found by is not there
    REVISION_HASH = 16,   // its files are not those that it was made of
    REVISION_SEAL = 32,   // something else of it is not as it was put
    REVISION_SIZE = 64,
};

typedef struct store_revision_row { // memory of the transaction's
    store_put put;   // area to number_b; names of the files, without bytes
    int64_t revision, version, words; // words: number of the content, 0: none
    store_action action;
    store_raw_hash hash, seal; // worked out of what is there
    uint64_t size;             // likewise
    unsigned faults;
} store_revision_row;

// Reads it without a look at the contents' bytes. NOT_FOUND; CORRUPT: it cannot be read.
store_status store_revision_read(store_txn *txn, int64_t revision, store_revision_row *row);

// A finding with a text like printf's, made fit to be shown. An id that is none is left out.
void store_say(store_finding_fn finding, void *context, store_area area, const char *id, bool mendable,
               const char *format, ...) __attribute__((format(printf, 6, 7)));

store_status store_status_of_errno(int number);
bool store_sync_folder(const char *path); // that in which the file is: its names are on the disk then

#endif
