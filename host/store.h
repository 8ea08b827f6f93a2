// The library: one SQLite file that holds all there is, and the only way to it. Things are kept by content: the bytes
// of their files exactly as they were given, each content once, by its SHA-256. Every change is kept and can be brought
// back. Called by the commands and by the host; knows SQL, knows no format.
//
// Threads: a store may be used by any number of threads at once. A transaction belongs to the thread that began it.
// There is one writer at a time (others wait for it, for at most def.busy_ms, also for those of other processes);
// readers never wait and see the library as it was when they began. A thread that holds a write transaction must not
// begin another transaction. What was committed is on the disk when store_commit returns.
//
// Memory: whatever a function hands out (texts, bytes, lists) belongs to its transaction and lives until that ends.
// Whatever is handed in is borrowed for the call.
//
// Errors: every function says what became of it in a status; STORE_OK is 0. The sentence for people, and more for those
// statuses that have more to say, is in store_error_of(transaction) until the next call on the same transaction. A
// failed call changed nothing, and the transaction can go on, but for BUSY, FULL, IO, CORRUPT and NO_MEMORY in a write
// transaction, which is then good for nothing but store_rollback: store_commit refuses with the same status.
#ifndef HOST_STORE_H
#define HOST_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct store store;
typedef struct store_txn store_txn;

typedef enum store_status {
    STORE_OK = 0,
    STORE_NOT_FOUND,  // no such thing, file or revision
    STORE_CONFLICT,   // it is of another revision than expected: error.revision
    STORE_IN_USE,     // others refer to it: error.uses
    STORE_DANGLING,   // it needs what is not there: error.uses has one for each, with `to` as what is missing
    STORE_INVALID,    // an id, a file's name or another argument is none; the text names it
    STORE_LIMIT,      // too many or too large
    STORE_BUSY,       // another process held the file for longer than busy_ms
    STORE_FULL,       // the disk or the quota is full
    STORE_READ_ONLY,  // the file, its folder or the store is
    STORE_CORRUPT,    // the file is damaged, or a content is not what its hash says
    STORE_FOREIGN,    // the file is something else's
    STORE_NEWER,      // a newer Zoetrope wrote it
    STORE_IO,         // it cannot be read, written or opened
    STORE_NO_MEMORY,
    STORE_STATUS_COUNT
} store_status;

// "not-found", "conflict" and so on. Static text.
const char *store_status_name(store_status status);

// Things of different areas may have the same id. The areas are alike in all ways: revisions, references, history.
typedef enum store_area {
    STORE_ANY_AREA = 0, // in filters only
    STORE_ITEM = 1,     // animations, packs, machines, rigs, models, character packs: whatever has a format
    STORE_PET = 2,
    STORE_CONFIG = 3,   // configurations, one document each: "petween"
    STORE_ASSET = 4,    // pictures; their ids are the first 16 hexadecimal digits of their content's hash
    STORE_AREA_COUNT
} store_area;

enum {
    STORE_ID_MAX = 200,          // bytes of an id: letters, digits and _ - . : + @ ~, no dot at its beginning
    STORE_NAME_MAX = 1024,       // bytes of a file's name: parts with '/' between, none empty, "." or "..", without
                                 // backslash, colon or control characters: it can be put into a folder anywhere
    STORE_FILES_MAX = 20000,     // files of one thing
    STORE_PAGE_MAX = 1000,       // things on one page
    STORE_USES_MAX = 100,        // uses that an error names; more are only counted
};
#define STORE_FILE_MAX ((uint64_t)256 << 20) // bytes of one file

typedef struct store_use { // a reference
    store_area from_area;
    const char *from;
    store_area to_area;
    const char *to;
    const char *where; // JSON Pointer of the place in the first file of `from`, or another word for it
    const char *role;  // "enter", "ambient", "click", "pose", "model", ...: the caller's word
    bool needed;       // `to` must be there when `from` is put. Without it the reference may lead nowhere
} store_use;

typedef struct store_error {
    store_status status;
    char text[512];          // a sentence without a full stop
    int64_t revision;        // CONFLICT: what is there; 0: nothing is
    const store_use *uses;   // IN_USE, DANGLING
    uint32_t use_count;      // of `uses`
    uint32_t use_total;      // with those that are not listed
} store_error;

// ------------------------------------------------------------------------------------------------------ open and close

// One of the changes of a transaction.
typedef enum store_action { STORE_CREATED = 1, STORE_CHANGED = 2, STORE_DELETED = 3, STORE_RESTORED = 4 } store_action;
typedef struct store_change {
    store_area area;
    const char *id;
    int64_t revision;
    store_action action;
    int64_t when_ms; // Unix time
} store_change;

// All zero is the default of every member.
typedef struct store_def {
    bool read_only;       // nothing is changed, not even by migrating; a file that is not there is NOT_FOUND
    bool must_exist;      // a file that is not there is NOT_FOUND instead of being made (its folder is never made)
    uint32_t busy_ms;     // for how long to wait for other processes; 0: 5000
    uint32_t reader_max;  // connections for readers that are kept; 0: 8. More readers at once wait for one
    uint64_t size_max;    // bytes that the file may grow to, then STORE_FULL; 0: no limit
    int64_t (*now_ms)(void *context); // the clock, Unix time; NULL: the system's
    void *now_context;
    // Called after a commit, before store_commit returns, on its thread, in the order of commits. It may begin read
    // transactions and no others. NULL: nobody listens. Changes by other processes: store_changes.
    void (*committed)(void *context, const store_change *changes, uint32_t count);
    void *committed_context;
} store_def;

// Opens or makes the library. `error` (never NULL) tells why not; its uses are NULL. A file of an older layout is
// brought up to date in one transaction; one of a newer layout is refused as NEWER, any other file as FOREIGN, and
// neither is touched. An empty file is a new library.
store_status store_open(const char *path, const store_def *def, store **result, store_error *error);
void store_close(store *s); // no transaction may be left; NULL does nothing

bool store_is_read_only(const store *s); // as asked for, or because nothing can be written there
const char *store_path(const store *s);
const char *store_library_id(const store *s); // 32 hexadecimal digits, drawn when the file was made

// -------------------------------------------------------------------------------------------------------- transactions

typedef enum store_mode { STORE_READ = 0, STORE_WRITE = 1 } store_mode;

// `error` (never NULL) tells why not; *txn is set only with STORE_OK.
store_status store_begin(store *s, store_mode mode, store_txn **txn, store_error *error);
// Ends the transaction whatever is returned. Not OK: nothing of it happened. `error` may be NULL.
store_status store_commit(store_txn *txn, store_error *error);
void store_rollback(store_txn *txn); // also the end of a read transaction; NULL does nothing
const store_error *store_error_of(const store_txn *txn); // never NULL

// The number of the last change to the library; 0: none yet. Numbers rise by one with each thing changed, and are never
// used twice.
store_status store_revision(store_txn *txn, int64_t *revision);

// ---------------------------------------------------------------------------------------------------- things and files

typedef struct store_item {
    store_area area;
    const char *id;
    const char *format;  // as zo_format_at() has it, or the caller's word; "" for what has none
    const char *kind;    // what it is within its format ("transition"), or a mime type of an asset; ""
    const char *name;    // for people; ""
    const char *origin;  // pack, folder or program that it came from, a word for people; never opened as a path
    int64_t revision;    // number of its last change
    int64_t version;     // how often it was changed, from 1: for interfaces that count by themselves
    int64_t created_ms, updated_ms; // Unix time
    char hash[65];       // SHA-256 of what it is: format and all files; the same for the same content
    uint64_t size;       // bytes of all files
    uint32_t file_count;
    int64_t number_a, number_b; // the caller's: pixels of a picture, duration in ns and 0 of an animation
} store_item;

typedef struct store_file {
    const char *name;    // the first file is the one that the thing is about; order is as it was put
    const void *bytes;   // NULL: they were not asked for
    uint64_t size;
    char hash[65];       // SHA-256
} store_file;

store_status store_get(store_txn *txn, store_area area, const char *id, store_item *item);
// *files [item.file_count]. Bytes that are not what their hash says: CORRUPT, and the text names the file.
store_status store_files(store_txn *txn, store_area area, const char *id, bool with_bytes, const store_file **files,
                         uint32_t *count);
// One file; name NULL: the first.
store_status store_file_get(store_txn *txn, store_area area, const char *id, const char *name, store_file *file);

// Expected revision of something that is to be changed.
#define STORE_ANY ((int64_t)-1)  // whatever is there
#define STORE_NONE ((int64_t)0)  // nothing may be there

typedef struct store_put {
    store_area area;
    const char *id;            // of an asset: NULL or what its content says
    const char *format, *kind, *name, *origin; // NULL: ""
    const char *text;          // further words to be found by; NULL: none. At most 64 KiB are taken
    const store_file *files;   // [file_count], at least 1; names and bytes and sizes are looked at, hashes are not.
    uint32_t file_count;       // A name NULL is "" , allowed where there is only one file
    const store_use *uses;     // [use_count]: to_area, to, where, role, needed; `from` is what is put
    uint32_t use_count;
    int64_t number_a, number_b;
    int64_t expected;          // revision, STORE_ANY or STORE_NONE
    int64_t created_ms;        // 0: what it was, or now
    int64_t updated_ms;        // 0: now
} store_put;

// Puts a thing in place of whatever has its id. What is the same in all ways, references included, is not changed and
// keeps its revision. CONFLICT, INVALID, LIMIT, DANGLING. `item` may be NULL.
store_status store_put_item(store_txn *txn, const store_put *put, store_item *item);
// Deletes it; its history stays. NOT_FOUND, CONFLICT, IN_USE (a use by itself does not count).
store_status store_delete(store_txn *txn, store_area area, const char *id, int64_t expected);

typedef struct store_filter { // all zero: everything
    store_area area;
    const char *format, *kind, *prefix; // of ids; NULL: any
    const char *query;                  // words that all must be found, the last by its beginning; NULL: any
} store_filter;

typedef struct store_page {
    const store_item *items;
    uint32_t count;
    const char *next; // cursor of the next page, of letters and digits; NULL: this was the last
} store_page;

// Things in the order of area and id. `limit` 1 to STORE_PAGE_MAX. `cursor` NULL: from the beginning; one that this
// function did not give out: INVALID. A page is as fast far behind as at the beginning.
store_status store_list(store_txn *txn, const store_filter *filter, const char *cursor, uint32_t limit,
                        store_page *page);
// The same by how well it fits the query, best first; query must be there. No cursor: the best `limit`.
store_status store_search(store_txn *txn, const store_filter *filter, uint32_t limit, store_page *page);
store_status store_count(store_txn *txn, const store_filter *filter, uint64_t *count);

// ---------------------------------------------------------------------------------------------------------- references

// Who uses it, in the order of area, id and place.
store_status store_users(store_txn *txn, store_area area, const char *id, const store_use **uses, uint32_t *count);
// What it uses.
store_status store_uses(store_txn *txn, store_area area, const char *id, const store_use **uses, uint32_t *count);

// ------------------------------------------------------------------------------------------------------------- history

typedef struct store_past {
    store_item item;     // as it was from then on; of a deletion, as it was until then
    store_action action;
    int64_t when_ms;
} store_past;

// Changes of one thing, the newest first, those before the revision `before` (0: all). Of what is deleted too.
store_status store_history(store_txn *txn, store_area area, const char *id, int64_t before, uint32_t limit,
                           const store_past **past, uint32_t *count);
// Its files as they were at that revision (of a deletion: before it).
store_status store_past_files(store_txn *txn, store_area area, const char *id, int64_t revision, bool with_bytes,
                              const store_file **files, uint32_t *count);
// Puts it back as it was at that revision, with its references, as a change of its own. DANGLING when what it needs is
// gone: restore that first, in the same transaction if all is to happen or nothing.
store_status store_restore(store_txn *txn, store_area area, const char *id, int64_t revision, int64_t expected,
                           store_item *item);
// Changes to the whole library after the revision `after`, the oldest first: what another process did.
store_status store_changes(store_txn *txn, int64_t after, uint32_t limit, const store_change **changes,
                           uint32_t *count);
// Forgets all but the newest `keep` (at least 1) changes of each thing, deletions older than before_ms altogether, and
// contents and programs that nothing names any more.
store_status store_prune(store_txn *txn, uint32_t keep, int64_t before_ms, uint64_t *freed);

// ----------------------------------------------------------------------------------------------------------- contents

// Bytes by their hash (64 hexadecimal digits), wherever they are used.
store_status store_blob(store_txn *txn, const char *hash, const void **bytes, uint64_t *size);
// The hash of bytes. No transaction is needed.
void store_hash(const void *bytes, uint64_t size, char hash[65]);

// Compiled programs: a cache, by the hash of what they are made of (store_item.hash) and a word for how. It is not part
// of any revision; what is in it can always be made again.
store_status store_program_get(store_txn *txn, const char *hash, const char *how, const void **bytes, uint64_t *size);
store_status store_program_put(store_txn *txn, const char *hash, const char *how, const void *bytes, uint64_t size);

// ---------------------------------------------------------------------------------------------------- check and repair

typedef struct store_finding {
    store_area area;   // ANY_AREA: the file as a whole
    const char *id;    // NULL: none in particular
    const char *text;  // what is wrong, a sentence without a full stop
    bool mendable;     // nothing is lost: store_repair works it out of what is there
} store_finding;
typedef void (*store_finding_fn)(void *context, const store_finding *finding);
// Looks at one whole thing; what it finds wrong it says by `finding`. files have their bytes. What it gets out of the
// transaction lives until it returns.
typedef void (*store_look_fn)(void *context, store_txn *txn, const store_item *item, const store_file *files,
                              uint32_t count, store_finding_fn finding, void *finding_context);

// SQLite's own check of the file, foreign keys, every content against its hash, every reference against what is there,
// every count and search row. `look` (or NULL) is called for each thing, to see whether its source still compiles. A
// read transaction suffices. OK also when something was found: *found. The first 1000 findings are told, and how many
// more there are. NO_MEMORY: the check did not come to its end.
store_status store_check(store_txn *txn, store_look_fn look, void *look_context, store_finding_fn finding,
                         void *finding_context, uint64_t *found);

// Puts right what can be: all that can still be read is put into a new file beside; a thing whose newest revision is
// damaged is taken back to the newest one that is whole, or else left out; indexes and search rows are built anew; and
// the new file takes the place of the old one, which stays as PATH.damaged (or PATH.damaged-2, ...), with its log. What
// was done is said by `finding`, which is mendable where nothing was lost. A file in which nothing is wrong is left as
// it is (*changed false), and so is any whenever something else than OK is returned: BUSY (somebody has it open), FULL,
// READ_ONLY, FOREIGN and NEWER as of store_open, CORRUPT (what is left does not fit together), IO.
store_status store_repair(const char *path, store_finding_fn finding, void *finding_context, bool *changed,
                          store_error *error);

// A whole copy of the library as it is now, for safekeeping, while others use it. `path` must not be there (INVALID);
// it is there only when the copy is whole and on the disk. FULL, READ_ONLY, IO.
store_status store_backup(store *s, const char *path, store_error *error);

#endif
