// Rows out of a SQLite file that may be damaged anywhere, without SQLite: every page is looked at by itself, so that
// one that is damaged hides no other. Nothing in the file is trusted, nothing is written. Included by store_repair.c.
#ifndef HOST_STORE_PAGES_H
#define HOST_STORE_PAGES_H

#include <sqlite3.h>

#include "host/store.h"

enum { PAGES_COLUMNS_MAX = 24 };

typedef struct store_pages store_pages;

typedef struct pages_value {
    char type;            // 'n' none, 'i' whole number, 'r' another number, 't' text, 'b' bytes, '-': could not be read
    int64_t number;       // 'i'
    const uint8_t *bytes; // 't', 'b'; without a zero byte behind them
    size_t size;
} pages_value;

typedef struct pages_row { // lives until the function that gets it returns
    bool keyed;            // of a table with row numbers; else of an index or a table without
    int64_t key;           // the row number
    unsigned count;
    pages_value values[PAGES_COLUMNS_MAX];
} pages_row;

// `file` is SQLite's own of a connection (db_file), `log` a descriptor of the write-ahead log beside it, or -1; both
// are borrowed. What the log has of whole transactions counts as if it stood in the file.
store_status store_pages_open(sqlite3_file *file, int log, store_pages **pages, store_error *error);
void store_pages_close(store_pages *pages); // NULL does nothing

// Hands over every row of every page that is not free, in the order of pages. Rows may come that were deleted long ago,
// and twice. Ends early when `row` returns false. NO_MEMORY, IO (of the disk itself).
store_status store_pages_each(store_pages *pages, bool (*row)(void *context, const pages_row *row), void *context,
                              store_error *error);

#endif
