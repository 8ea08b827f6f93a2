// The store's inside: connections, transactions, statements that are prepared once. Included by the store's own sources
// only.
#ifndef HOST_STORE_DB_H
#define HOST_STORE_DB_H

#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>

#include "host/store.h"
#include "host/store_name.h"

enum { DB_APPLICATION = 0x5A6F6574, DB_LAYOUT = 1, DB_WORDS_MAX = 65536, DB_STATEMENTS_MAX = 64,
       DB_STATEMENTS_CHECK = 48 }; // from there on those of store_check.c

// Statements by their number in store.c's table of texts. Those of one transaction stand in its connection.
typedef struct db_connection {
    sqlite3 *db;
    sqlite3_stmt *statements[DB_STATEMENTS_MAX];
} db_connection;

struct store {
    char *path, *open_name; // the second is what SQLite is told, which may be a URI
    store_def def;
    bool read_only, immutable;
    char library_id[33];
    dev_t device;         // of the file that was opened, and its number there
    ino_t number;
    pthread_mutex_t lock; // of all below
    pthread_cond_t freed;
    bool writing;         // somebody holds the writer
    db_connection writer; // of whoever set `writing`
    db_connection *readers;
    uint32_t *idle;       // [reader_max]: indices of readers that are open and free
    uint32_t reader_count, idle_count;
};

typedef struct db_chunk db_chunk;

typedef struct db_found { int64_t old, now; } db_found; // a thing was found by one revision and is by another; 0: none

struct store_txn {
    store *s;
    db_connection *connection;
    uint32_t reader;      // its index, of a reader
    bool write;
    store_status broken;  // nothing but a rollback is left
    store_error error;
    db_chunk *chunks;
    store_change *changes;
    uint32_t change_count, change_capacity;
    db_found *found;      // search rows that are still to be written
    uint32_t found_count, found_capacity;
};

// Memory of the transaction's, aligned for anything. NULL: there is none, and the error is set.
void *db_alloc(store_txn *txn, size_t size);
const char *db_copy(store_txn *txn, const char *text);
// An array that grows: the old items are copied, the old memory stays until the end. false: memory.
bool db_grow(store_txn *txn, void **items, uint32_t count, uint32_t *capacity, size_t size);

// Puts the transaction's memory aside; db_back frees what it got since then and brings that back. For what goes through
// the whole library: only what is at hand is in memory.
db_chunk *db_aside(store_txn *txn);
void db_back(store_txn *txn, db_chunk *chunks);

// Sets the error and returns its status.
store_status db_fail(store_txn *txn, store_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
store_status db_fail_sql(store_txn *txn); // what SQLite said last
store_status db_start(store_txn *txn); // of a call: the old error is forgotten; what is broken stays so

// What SQLite's code means; the text is a sentence for people.
store_status db_status_of(sqlite3 *db, int code, char *text, size_t size, const char *path);

// The same without a transaction.
store_status db_tell(store_error *error, store_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A statement ready to be bound, of the number and text; NULL: the error is set.
sqlite3_stmt *db_statement(store_txn *txn, int number, const char *sql);
sqlite3_stmt *db_prepare(store_txn *txn, const char *sql); // for once: finalise it
// true: there is a row. false: there is none (STORE_OK) or an error.
bool db_row(store_txn *txn, sqlite3_stmt *statement, store_status *status);
store_status db_run(store_txn *txn, sqlite3_stmt *statement); // without rows
void db_bind_text(sqlite3_stmt *statement, int place, const char *text); // NULL: ""
const char *db_text(store_txn *txn, sqlite3_stmt *statement, int column); // copied; never NULL unless memory ran out

// Of store.c, for the repair. The number of a content, which is added where it is not there.
store_status db_blob(store_txn *txn, const uint8_t hash[32], const void *bytes, uint64_t size, int64_t *blob);
// Makes that revision what is there now; `old` (0: none) was. Its search row waits for db_write_found.
store_status db_install(store_txn *txn, store_area area, const char *id, int64_t revision, int64_t old);
// Writes the search rows that wait. All at once, at the end of a transaction: between other changes the search index
// would be brought to the disk after each.
store_status db_write_found(store_txn *txn);
// One more row of the past, a copy of an older one, with its files and references.
store_status db_copy_past(store_txn *txn, store_area area, const char *id, int64_t from, store_action action,
                          int64_t updated_ms, int64_t *revision);

// store_db.c's layout in an open file, in one transaction of its own. An error is SQLite's code.
int db_make(sqlite3 *db);
// Opens a file and sets what every connection has set. SQLite's code; *db may be set though it failed.
int db_open(const char *name, int flags, uint32_t busy_ms, sqlite3 **db);
int db_number(sqlite3 *db, const char *sql, int64_t *number); // of the first row; SQLite's code
sqlite3_file *db_file(sqlite3 *db); // SQLite's own, to read by; NULL: there is none
char *db_uri(const char *path, const char *query); // what db_open wants; to be freed. NULL: memory
int64_t db_now_ms(const store *s);

#endif
