// See store_db.h: opening and making the file, connections, transactions. One connection writes, held by one thread at
// a time; readers have their own, each in a transaction that sees one state of the library.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "host/store_db.h"

enum { BUSY_MS = 5000, READERS = 8, READERS_MAX = 256, CHUNK = 16384 };

// What is there now is a row of `item` that points at its newest row of `past`; nothing is ever overwritten. `ref` has
// the references of what is there now, `past_use` those of every revision; `words` are what a thing is found by.
static const char layout[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE blob(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE past(revision INTEGER PRIMARY KEY AUTOINCREMENT, area INTEGER NOT NULL, id TEXT NOT NULL,"
    " action INTEGER NOT NULL, when_ms INTEGER NOT NULL, version INTEGER NOT NULL, format TEXT NOT NULL,"
    " kind TEXT NOT NULL, name TEXT NOT NULL, origin TEXT NOT NULL, created_ms INTEGER NOT NULL,"
    " updated_ms INTEGER NOT NULL, hash BLOB NOT NULL, seal BLOB NOT NULL, size INTEGER NOT NULL,"
    " file_count INTEGER NOT NULL, use_count INTEGER NOT NULL, number_a INTEGER NOT NULL, number_b INTEGER NOT NULL,"
    " words INTEGER REFERENCES blob(id));"
    "CREATE INDEX past_of ON past(area, id, revision);"
    "CREATE INDEX past_words ON past(words);"
    "CREATE TABLE past_file(revision INTEGER NOT NULL REFERENCES past(revision) ON DELETE CASCADE,"
    " position INTEGER NOT NULL, name TEXT NOT NULL, blob INTEGER NOT NULL REFERENCES blob(id),"
    " PRIMARY KEY(revision, position)) WITHOUT ROWID;"
    "CREATE INDEX past_file_blob ON past_file(blob);"
    "CREATE TABLE past_use(revision INTEGER NOT NULL REFERENCES past(revision) ON DELETE CASCADE,"
    " position INTEGER NOT NULL, to_area INTEGER NOT NULL, to_id TEXT NOT NULL, place TEXT NOT NULL,"
    " role TEXT NOT NULL, needed INTEGER NOT NULL, PRIMARY KEY(revision, position)) WITHOUT ROWID;"
    "CREATE TABLE item(area INTEGER NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL UNIQUE"
    " REFERENCES past(revision), format TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY(area, id)) WITHOUT ROWID;"
    "CREATE INDEX item_format ON item(format, area, id);"
    "CREATE TABLE ref(area INTEGER NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, to_area INTEGER NOT NULL,"
    " to_id TEXT NOT NULL, place TEXT NOT NULL, role TEXT NOT NULL, needed INTEGER NOT NULL,"
    " PRIMARY KEY(area, id, position), FOREIGN KEY(area, id) REFERENCES item(area, id) ON DELETE CASCADE)"
    " WITHOUT ROWID;"
    "CREATE INDEX ref_to ON ref(to_area, to_id, area, id, position);"
    "CREATE TABLE program(hash BLOB NOT NULL, how TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(hash, how));"
    "CREATE VIRTUAL TABLE fts USING fts5(id, format, kind, name, words, prefix='2 3',"
    " tokenize='unicode61 remove_diacritics 2');";

// ------------------------------------------------------------------------------------------------------------- memory

struct db_chunk {
    db_chunk *next;
    size_t used, size; // bytes behind the head
    max_align_t bytes[];
};

void *db_alloc(store_txn *txn, size_t size) {
    const size_t grain = sizeof(max_align_t);
    db_chunk *chunk = txn->chunks;
    if (size > SIZE_MAX / 2) {
        db_fail(txn, STORE_NO_MEMORY, "there is not enough memory");
        return NULL;
    }
    size = (size + grain - 1) / grain * grain;
    if (chunk == NULL || chunk->size - chunk->used < size) {
        const size_t room = size > CHUNK ? size : CHUNK;
        db_chunk *more = malloc(sizeof *more + room);
        if (more == NULL) {
            db_fail(txn, STORE_NO_MEMORY, "there is not enough memory");
            return NULL;
        }
        *more = (db_chunk){.size = room};
        // A large piece goes behind the chunk in use, the rest of which is still good.
        if (chunk != NULL && size > CHUNK) {
            more->next = chunk->next;
            chunk->next = more;
        } else {
            more->next = chunk;
            txn->chunks = more;
        }
        chunk = more;
    }
    void *memory = (char *)chunk->bytes + chunk->used;
    chunk->used += size;
    return memory;
}

const char *db_copy(store_txn *txn, const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = db_alloc(txn, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

bool db_grow(store_txn *txn, void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return true; }
    const uint32_t more = *capacity == 0 ? 16 : *capacity * 2;
    void *memory = db_alloc(txn, (size_t)more * size);
    if (memory == NULL) { return false; }
    if (count > 0) { memcpy(memory, *items, (size_t)count * size); }
    *items = memory;
    *capacity = more;
    return true;
}

static void free_chunks(db_chunk *chunk) {
    while (chunk != NULL) {
        db_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

db_chunk *db_aside(store_txn *txn) {
    db_chunk *chunks = txn->chunks;
    txn->chunks = NULL;
    return chunks;
}

void db_back(store_txn *txn, db_chunk *chunks) {
    free_chunks(txn->chunks);
    txn->chunks = chunks;
    txn->error.uses = NULL;
    txn->error.use_count = 0;
}

// -------------------------------------------------------------------------------------------------------------- errors

static bool breaks(store_status status) {
    return status == STORE_BUSY || status == STORE_FULL || status == STORE_IO || status == STORE_CORRUPT ||
           status == STORE_NO_MEMORY || status == STORE_READ_ONLY;
}

static store_status set_error(store_txn *txn, store_status status) {
    txn->error.status = status;
    if (txn->write && breaks(status)) { txn->broken = status; }
    return status;
}

store_status db_fail(store_txn *txn, store_status status, const char *format, ...) {
    va_list list;
    txn->error = (store_error){0};
    va_start(list, format);
    vsnprintf(txn->error.text, sizeof txn->error.text, format, list);
    va_end(list);
    return set_error(txn, status);
}

static bool beside(const char *path, const char *suffix, struct stat *status) {
    char *name = malloc(strlen(path) + strlen(suffix) + 1);
    if (name == NULL) { return false; }
    sprintf(name, "%s%s", path, suffix);
    const bool there = stat(name, status) == 0;
    free(name);
    return there;
}

// SQLite calls a disk full when the system says ENOSPC; what else there is of that sort it calls an error of writing,
// and the system's own number is not always there any more when one can ask. Then it is seen whether anything more
// could be written.
static bool is_full(int error, int code, const char *path) {
    if (error != 0) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }
    if (code != SQLITE_IOERR_WRITE && code != SQLITE_IOERR_SHMSIZE && code != SQLITE_IOERR_TRUNCATE) { return false; }
    const uint64_t least = (uint64_t)1 << 20;
    struct statvfs there;
    struct rlimit limit;
    struct stat file, log;
    if (statvfs(path, &there) == 0 && (uint64_t)there.f_bavail * there.f_frsize < least) { return true; }
    uint64_t size = stat(path, &file) == 0 ? (uint64_t)file.st_size : 0;
    if (beside(path, "-wal", &log) && (uint64_t)log.st_size > size) { size = (uint64_t)log.st_size; }
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < size + least;
}

store_status db_status_of(sqlite3 *db, int code, char *text, size_t size, const char *path) {
    const int error = db != NULL ? sqlite3_system_errno(db) : 0;
    const char *said = db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    switch (code & 0xFF) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            snprintf(text, size, "another program is changing '%s'; try again when it is done", path);
            return STORE_BUSY;
        case SQLITE_FULL:
            snprintf(text, size, "there is no room left for '%s'", path);
            return STORE_FULL;
        case SQLITE_READONLY:
        case SQLITE_PERM:
            snprintf(text, size, "'%s' or its folder cannot be written to", path);
            return STORE_READ_ONLY;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            snprintf(text, size, "'%s' is damaged: %s", path, said);
            return STORE_CORRUPT;
        case SQLITE_NOMEM:
            snprintf(text, size, "there is not enough memory");
            return STORE_NO_MEMORY;
        case SQLITE_TOOBIG:
            snprintf(text, size, "that is too large to be kept");
            return STORE_LIMIT;
        default:
            if ((code & 0xFF) == SQLITE_IOERR && is_full(error, code, path)) {
                snprintf(text, size, "there is no room left for '%s'", path);
                return STORE_FULL;
            }
            snprintf(text, size, "'%s' cannot be used: %s%s%s", path, said, error != 0 ? ": " : "",
                     error != 0 ? strerror(error) : "");
            return STORE_IO;
    }
}

store_status db_fail_sql(store_txn *txn) {
    sqlite3 *db = txn->connection->db;
    txn->error = (store_error){0};
    const store_status status = db_status_of(db, sqlite3_extended_errcode(db), txn->error.text,
                                             sizeof txn->error.text, txn->s->path);
    return set_error(txn, status);
}

store_status db_start(store_txn *txn) {
    if (txn->broken != STORE_OK) { return txn->broken; }
    txn->error.status = STORE_OK;
    txn->error.text[0] = 0;
    txn->error.revision = 0;
    txn->error.uses = NULL;
    txn->error.use_count = txn->error.use_total = 0;
    return STORE_OK;
}

const store_error *store_error_of(const store_txn *txn) { return &txn->error; }

store_status db_tell(store_error *error, store_status status, const char *format, ...) {
    va_list list;
    *error = (store_error){.status = status};
    va_start(list, format);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    return status;
}

// ---------------------------------------------------------------------------------------------------------- statements

sqlite3_stmt *db_statement(store_txn *txn, int number, const char *sql) {
    sqlite3_stmt **slot = &txn->connection->statements[number];
    if (*slot == NULL) {
        if (sqlite3_prepare_v3(txn->connection->db, sql, -1, SQLITE_PREPARE_PERSISTENT, slot, NULL) != SQLITE_OK) {
            db_fail_sql(txn);
            return NULL;
        }
    } else {
        sqlite3_reset(*slot);
        sqlite3_clear_bindings(*slot);
    }
    return *slot;
}

sqlite3_stmt *db_prepare(store_txn *txn, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(txn->connection->db, sql, -1, &statement, NULL) != SQLITE_OK) { db_fail_sql(txn); }
    return statement;
}

bool db_row(store_txn *txn, sqlite3_stmt *statement, store_status *status) {
    *status = STORE_OK;
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) { return true; }
    if (code != SQLITE_DONE) { *status = db_fail_sql(txn); }
    return false;
}

store_status db_run(store_txn *txn, sqlite3_stmt *statement) {
    store_status status = STORE_OK;
    while (db_row(txn, statement, &status)) {}
    return status;
}

void db_bind_text(sqlite3_stmt *statement, int place, const char *text) {
    sqlite3_bind_text(statement, place, text != NULL ? text : "", -1, SQLITE_STATIC);
}

const char *db_text(store_txn *txn, sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return db_copy(txn, text != NULL ? text : "");
}

static void reset_all(db_connection *connection) {
    for (int i = 0; i < DB_STATEMENTS_MAX; i++) {
        if (connection->statements[i] != NULL) { sqlite3_reset(connection->statements[i]); }
    }
}

static void close_connection(db_connection *connection) {
    for (int i = 0; i < DB_STATEMENTS_MAX; i++) { sqlite3_finalize(connection->statements[i]); }
    sqlite3_close(connection->db);
    *connection = (db_connection){0};
}

// ------------------------------------------------------------------------------------------------- opening and making

int db_open(const char *name, int flags, uint32_t busy_ms, sqlite3 **db) {
    int code = sqlite3_open_v2(name, db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    if (code != SQLITE_OK) { return code; }
    sqlite3_extended_result_codes(*db, 1);
    sqlite3_busy_timeout(*db, (int)busy_ms);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return sqlite3_exec(*db, "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON;"
                             "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384;", NULL, NULL, NULL);
}

int db_number(sqlite3 *db, const char *sql, int64_t *number) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *number = sqlite3_column_int64(statement, 0);
        code = code == SQLITE_ROW ? SQLITE_OK : sqlite3_extended_errcode(db);
    }
    sqlite3_finalize(statement);
    return code;
}

static void draw_id(char text[33]) {
    uint8_t raw[16];
    if (getrandom(raw, sizeof raw, 0) != (ssize_t)sizeof raw) { sqlite3_randomness(sizeof raw, raw); }
    for (unsigned i = 0; i < 16; i++) { snprintf(text + 2 * i, 3, "%02x", raw[i]); }
}

int db_make(sqlite3 *db) {
    char id[33], more[160];
    draw_id(id);
    snprintf(more, sizeof more, "INSERT INTO meta VALUES('library', '%s'); PRAGMA application_id=%d;"
             "PRAGMA user_version=%d;", id, DB_APPLICATION, DB_LAYOUT);
    int code = sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    int64_t there = 0;
    if (code != SQLITE_OK) { return code; }
    code = db_number(db, "SELECT count(*) FROM sqlite_schema", &there);
    if (code == SQLITE_OK && there == 0) { // else another was faster
        code = sqlite3_exec(db, layout, NULL, NULL, NULL);
        if (code == SQLITE_OK) { code = sqlite3_exec(db, more, NULL, NULL, NULL); }
    }
    if (code == SQLITE_OK) { code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL); }
    if (code != SQLITE_OK && sqlite3_get_autocommit(db) == 0) { sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL); }
    return code;
}

// Steps from one layout to the next, each in the transaction that they all share. There is one layout so far.
static const char *const steps[DB_LAYOUT] = {NULL};

static int migrate(sqlite3 *db, int64_t from) {
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) { code = db_number(db, "PRAGMA user_version", &from); }
    for (int64_t i = from; code == SQLITE_OK && i > 0 && i < DB_LAYOUT; i++) {
        code = sqlite3_exec(db, steps[i], NULL, NULL, NULL);
    }
    char set[64];
    snprintf(set, sizeof set, "PRAGMA user_version=%d", DB_LAYOUT);
    if (code == SQLITE_OK) { code = sqlite3_exec(db, set, NULL, NULL, NULL); }
    if (code == SQLITE_OK) { code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL); }
    if (code != SQLITE_OK && sqlite3_get_autocommit(db) == 0) { sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL); }
    return code;
}

sqlite3_file *db_file(sqlite3 *db) {
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) { return NULL; }
    return file != NULL && file->pMethods != NULL ? file : NULL;
}

// The first bytes of a file, and how many there are of it. Through SQLite, which does not read or lock anything by
// itself yet: a descriptor of one's own would, when it is closed, give back the locks that another store of this
// process has on the same file.
static store_status read_head(const char *path, uint8_t head[100], sqlite3_int64 *size, store_error *error) {
    sqlite3 *db = NULL;
    char *uri = db_uri(path, "");
    if (uri == NULL) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
    int code = sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    sqlite3_file *file = code == SQLITE_OK ? db_file(db) : NULL;
    const int number = db != NULL ? sqlite3_system_errno(db) : 0;
    free(uri);
    if (file != NULL) { code = file->pMethods->xFileSize(file, size); }
    if (file != NULL && code == SQLITE_OK && *size > 0) {
        const sqlite3_int64 some = *size < 100 ? *size : 100;
        code = file->pMethods->xRead(file, head, (int)some, 0);
    }
    sqlite3_close(db);
    if (file == NULL) {
        return db_tell(error, code == SQLITE_NOMEM ? STORE_NO_MEMORY : STORE_IO, "'%s' cannot be opened: %s", path,
                       number != 0 ? strerror(number) : sqlite3_errstr(code));
    }
    return code == SQLITE_OK ? STORE_OK : db_tell(error, STORE_IO, "'%s' cannot be read", path);
}

// The head of the file says whose it is, so that a foreign one is not opened at all: opening could bring its own
// journals to an end. With a rollback journal beside it the head may be half written, and the journal must be played
// first.
static store_status look_at_head(store *s, store_error *error, bool *is_new) {
    struct stat status, other;
    uint8_t head[100] = {0};
    sqlite3_int64 size = 0;
    *is_new = false;
    if (stat(s->path, &status) != 0) {
        if (errno == ENOENT && !s->def.read_only && !s->def.must_exist) {
            *is_new = true;
            return STORE_OK;
        }
        return db_tell(error, errno == ENOENT ? STORE_NOT_FOUND : STORE_IO, "'%s' cannot be opened: %s", s->path,
                       strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) { return db_tell(error, STORE_FOREIGN, "'%s' is no ordinary file", s->path); }
    const store_status result = read_head(s->path, head, &size, error);
    if (result != STORE_OK || (beside(s->path, "-journal", &other) && other.st_size > 0)) { return result; }
    if (size == 0) {
        *is_new = true;
        return STORE_OK;
    }
    const uint32_t application = (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 |
                                 head[71];
    if (size < (sqlite3_int64)sizeof head || memcmp(head, "SQLite format 3", 16) != 0) {
        return db_tell(error, STORE_FOREIGN, "'%s' is no library: it is no SQLite file", s->path);
    }
    if (application != DB_APPLICATION) {
        return db_tell(error, STORE_FOREIGN, "'%s' is no library: it is the SQLite file of another program", s->path);
    }
    return STORE_OK;
}

// Always a URI, each byte but plain ones as %xx, so that no path is taken for one.
char *db_uri(const char *path, const char *query) {
    char *uri = malloc(strlen(path) * 3 + strlen(query) + 8);
    if (uri == NULL) { return NULL; }
    char *end = uri + sprintf(uri, "file:%s", path[0] == '/' ? "//" : "");
    for (const char *c = path; *c != 0; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                           strchr("/._-", *c) != NULL;
        if (plain) {
            *end++ = *c;
        } else {
            end += sprintf(end, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    strcpy(end, query);
    return uri;
}

// A file in a folder that cannot be written to has no room for the files that SQLite wants beside it; then nobody else
// can be changing it either.
static store_status name_for_sqlite(store *s, store_error *error) {
    struct stat status;
    char *folder = strdup(s->path);
    if (folder == NULL) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
    char *slash = strrchr(folder, '/');
    const char *where = slash == NULL ? "." : slash == folder ? "/" : folder;
    if (slash != NULL && slash != folder) { *slash = 0; }
    const bool folder_writable = access(where, W_OK) == 0;
    const bool writable = folder_writable && (access(s->path, W_OK) == 0 || errno == ENOENT);
    free(folder);
    s->read_only = s->def.read_only || !writable;
    s->immutable = s->read_only && !folder_writable && !(beside(s->path, "-wal", &status) && status.st_size > 0);
    s->open_name = db_uri(s->path, s->immutable ? "?immutable=1" : "");
    return s->open_name != NULL ? STORE_OK : db_tell(error, STORE_NO_MEMORY, "there is not enough memory");
}

static store_status tell_sql(const store *s, sqlite3 *db, int code, store_error *error) {
    *error = (store_error){0};
    error->status = db_status_of(db, code, error->text, sizeof error->text, s->path);
    return error->status;
}

// Whose file it is and of which layout, asked with a connection that leaves everything as it is.
static store_status look_at_layout(store *s, store_error *error, int64_t *layout_there) {
    sqlite3 *db = NULL;
    int64_t application = 0;
    struct stat status;
    const bool journal = beside(s->path, "-journal", &status) && status.st_size > 0 && !s->read_only;
    int code = db_open(s->open_name, journal ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, s->def.busy_ms, &db);
    if (db != NULL) { sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL); }
    if (code == SQLITE_OK) { code = db_number(db, "PRAGMA application_id", &application); }
    if (code == SQLITE_OK) { code = db_number(db, "PRAGMA user_version", layout_there); }
    store_status result = STORE_OK;
    if (code != SQLITE_OK) {
        result = tell_sql(s, db, code, error);
    } else if (application != DB_APPLICATION && (application != 0 || *layout_there != 0)) {
        result = db_tell(error, STORE_FOREIGN, "'%s' is no library: it is the SQLite file of another program", s->path);
    } else if (*layout_there > DB_LAYOUT) {
        result = db_tell(error, STORE_NEWER, "'%s' was written by a newer Zoetrope: its layout is %lld, and this "
                         "program knows %d", s->path, (long long)*layout_there, DB_LAYOUT);
    }
    sqlite3_close(db);
    return result;
}

static store_status open_writer(store *s, bool is_new, int64_t layout_there, store_error *error) {
    const int flags = SQLITE_OPEN_READWRITE | (s->def.must_exist ? 0 : SQLITE_OPEN_CREATE);
    sqlite3 **db = &s->writer.db;
    int code = db_open(s->open_name, flags, s->def.busy_ms, db);
    if (code == SQLITE_OK && (is_new || layout_there == 0)) { code = db_make(*db); }
    if (code == SQLITE_OK && layout_there > 0 && layout_there < DB_LAYOUT) { code = migrate(*db, layout_there); }
    if (code == SQLITE_OK) { code = sqlite3_exec(*db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL); }
    // With room for what a large import touches, so that nothing is written before the end and read again.
    static const char more[] = "PRAGMA journal_size_limit=16777216; PRAGMA cache_size=-32768;"
                               "PRAGMA secure_delete=FAST";
    if (code == SQLITE_OK) { code = sqlite3_exec(*db, more, NULL, NULL, NULL); }
    if (code == SQLITE_OK && s->def.size_max > 0) {
        int64_t page = 4096;
        code = db_number(*db, "PRAGMA page_size", &page);
        char set[64];
        snprintf(set, sizeof set, "PRAGMA max_page_count=%lld", (long long)(s->def.size_max / (uint64_t)page));
        if (code == SQLITE_OK) { code = sqlite3_exec(*db, set, NULL, NULL, NULL); }
    }
    return code == SQLITE_OK ? STORE_OK : tell_sql(s, *db, code, error);
}

static store_status read_library_id(store *s, store_error *error) {
    store_txn *txn = NULL;
    store_status status = store_begin(s, STORE_READ, &txn, error);
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *statement = db_prepare(txn, "SELECT value FROM meta WHERE key = 'library'");
    status = statement != NULL ? STORE_OK : txn->error.status;
    if (statement != NULL && db_row(txn, statement, &status)) {
        snprintf(s->library_id, sizeof s->library_id, "%s", (const char *)sqlite3_column_text(statement, 0));
    } else if (status == STORE_OK) {
        status = db_fail(txn, STORE_CORRUPT, "'%s' is damaged: it has no name of its own", s->path);
    }
    sqlite3_finalize(statement);
    *error = txn->error;
    store_rollback(txn);
    return status;
}

store_status store_open(const char *path, const store_def *def, store **result, store_error *error) {
    *error = (store_error){0};
    *result = NULL;
    store *s = calloc(1, sizeof *s);
    if (s == NULL) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
    s->def = def != NULL ? *def : (store_def){0};
    if (s->def.busy_ms == 0) { s->def.busy_ms = BUSY_MS; }
    if (s->def.busy_ms > INT32_MAX) { s->def.busy_ms = INT32_MAX; }
    if (s->def.reader_max == 0) { s->def.reader_max = READERS; }
    if (s->def.reader_max > READERS_MAX) { s->def.reader_max = READERS_MAX; }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->freed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    s->path = strdup(path);
    s->readers = calloc(s->def.reader_max, sizeof *s->readers);
    s->idle = calloc(s->def.reader_max, sizeof *s->idle);
    bool is_new = false;
    int64_t layout_there = 0;
    store_status status = s->path != NULL && s->readers != NULL && s->idle != NULL
                              ? STORE_OK
                              : db_tell(error, STORE_NO_MEMORY, "there is not enough memory");
    if (status == STORE_OK) { status = look_at_head(s, error, &is_new); }
    if (status == STORE_OK) { status = name_for_sqlite(s, error); }
    if (status == STORE_OK && !is_new) { status = look_at_layout(s, error, &layout_there); }
    if (status == STORE_OK && s->read_only && layout_there == 0) {
        status = db_tell(error, is_new ? STORE_READ_ONLY : STORE_FOREIGN, "'%s' is empty and cannot be written to",
                      s->path);
    }
    if (status == STORE_OK && s->read_only && layout_there < DB_LAYOUT) {
        status = db_tell(error, STORE_READ_ONLY, "'%s' is of an older layout and cannot be written to", s->path);
    }
    if (status == STORE_OK && !s->read_only) { status = open_writer(s, is_new, layout_there, error); }
    struct stat file;
    if (status == STORE_OK && stat(s->path, &file) != 0) {
        status = db_tell(error, STORE_IO, "'%s' cannot be read: %s", s->path, strerror(errno));
    }
    if (status == STORE_OK) {
        s->device = file.st_dev;
        s->number = file.st_ino;
        status = read_library_id(s, error);
    }
    if (status != STORE_OK) {
        store_close(s);
        return status;
    }
    *result = s;
    return STORE_OK;
}

void store_close(store *s) {
    if (s == NULL) { return; }
    for (uint32_t i = 0; i < s->reader_count; i++) { close_connection(&s->readers[i]); }
    close_connection(&s->writer); // the last one, so that it brings the journal to an end
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->freed);
    free(s->readers);
    free(s->idle);
    free(s->path);
    free(s->open_name);
    free(s);
}

bool store_is_read_only(const store *s) { return s->read_only; }
const char *store_path(const store *s) { return s->path; }
const char *store_library_id(const store *s) { return s->library_id; }

int64_t db_now_ms(const store *s) {
    struct timespec now;
    if (s->def.now_ms != NULL) { return s->def.now_ms(s->def.now_context); }
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// -------------------------------------------------------------------------------------------------------- transactions

static struct timespec until(uint32_t ms) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += ms / 1000;
    time.tv_nsec += (long)(ms % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

// A file that was deleted, or that another has taken the place of, can be read and written on for as long as somebody
// has it open; but what is written to it then is gone with the last of them, and a connection that is opened later is
// one to another file.
static bool is_still_there(const store *s) {
    struct stat file;
    return stat(s->path, &file) == 0 && file.st_dev == s->device && file.st_ino == s->number;
}

static store_status fail_moved(store_txn *txn) {
    return db_fail(txn, STORE_IO, "'%s' was deleted or replaced while it was in use, and is not written to any more",
                   txn->s->path);
}

// A connection for the transaction. BUSY: all were in use for too long.
static store_status take(store_txn *txn) {
    store *s = txn->s;
    const struct timespec end = until(s->def.busy_ms);
    bool got = false, fresh = false;
    pthread_mutex_lock(&s->lock);
    for (bool late = false; !got && !late;) {
        if (txn->write && !s->writing) {
            s->writing = got = true;
            txn->connection = &s->writer;
        } else if (!txn->write && s->idle_count > 0) {
            txn->reader = s->idle[--s->idle_count];
            got = true;
        } else if (!txn->write && s->reader_count < s->def.reader_max) {
            txn->reader = s->reader_count++;
            got = fresh = true;
        } else {
            late = pthread_cond_timedwait(&s->freed, &s->lock, &end) == ETIMEDOUT;
        }
    }
    pthread_mutex_unlock(&s->lock);
    if (!got) {
        txn->connection = NULL;
        return db_fail(txn, STORE_BUSY, "'%s' is in use by too many at once", s->path);
    }
    if (!txn->write) { txn->connection = &s->readers[txn->reader]; }
    // One whose opening failed once is opened again.
    if ((fresh || txn->connection->db == NULL) && !txn->write) {
        const int flags = s->immutable || s->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
        if (db_open(s->open_name, flags, s->def.busy_ms, &txn->connection->db) != SQLITE_OK ||
            sqlite3_exec(txn->connection->db, "PRAGMA query_only=ON", NULL, NULL, NULL) != SQLITE_OK) {
            const store_status status = db_fail_sql(txn);
            close_connection(txn->connection);
            return status;
        }
        if (!is_still_there(s)) { // it may be of the file that has come in its place
            close_connection(txn->connection);
            return fail_moved(txn);
        }
    }
    return STORE_OK;
}

static void give(store_txn *txn) {
    store *s = txn->s;
    if (txn->connection == NULL) { return; }
    pthread_mutex_lock(&s->lock);
    if (txn->write) {
        s->writing = false;
    } else {
        s->idle[s->idle_count++] = txn->reader;
    }
    pthread_cond_broadcast(&s->freed);
    pthread_mutex_unlock(&s->lock);
}

static void free_txn(store_txn *txn) {
    free_chunks(txn->chunks);
    free(txn);
}

// Fixes what a reader sees: SQLite's own BEGIN would wait for its first read.
static store_status first_look(store_txn *txn) {
    int64_t nothing = 0;
    const int code = db_number(txn->connection->db, "SELECT count(*) FROM meta", &nothing);
    return code == SQLITE_OK ? STORE_OK : db_fail_sql(txn);
}

store_status store_begin(store *s, store_mode mode, store_txn **result, store_error *error) {
    *error = (store_error){0};
    *result = NULL;
    const bool write = mode == STORE_WRITE;
    if (write && s->read_only) { return db_tell(error, STORE_READ_ONLY, "'%s' cannot be written to", s->path); }
    store_txn *txn = calloc(1, sizeof *txn);
    if (txn == NULL) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
    txn->s = s;
    txn->write = write;
    store_status status = take(txn);
    if (status == STORE_OK) {
        const char *begin = write ? "BEGIN IMMEDIATE" : "BEGIN";
        if (sqlite3_exec(txn->connection->db, begin, NULL, NULL, NULL) != SQLITE_OK) { status = db_fail_sql(txn); }
        if (status == STORE_OK && !write) { status = first_look(txn); }
    }
    if (status != STORE_OK) {
        *error = txn->error;
        store_rollback(txn);
        return status;
    }
    *result = txn;
    return STORE_OK;
}

void store_rollback(store_txn *txn) {
    if (txn == NULL) { return; }
    if (txn->connection != NULL && txn->connection->db != NULL) {
        reset_all(txn->connection);
        // Some errors have ended it already.
        if (sqlite3_get_autocommit(txn->connection->db) == 0) {
            sqlite3_exec(txn->connection->db, "ROLLBACK", NULL, NULL, NULL);
        }
    }
    give(txn);
    free_txn(txn);
}

store_status store_commit(store_txn *txn, store_error *error) {
    store *s = txn->s;
    store_status status = txn->broken;
    if (status == STORE_OK) { status = db_write_found(txn); }
    if (status == STORE_OK && txn->write && !is_still_there(s)) { status = fail_moved(txn); }
    if (status == STORE_OK) {
        reset_all(txn->connection);
        if (sqlite3_get_autocommit(txn->connection->db) != 0 ||
            sqlite3_exec(txn->connection->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
            status = db_fail_sql(txn);
        }
    }
    if (error != NULL) {
        *error = status == STORE_OK ? (store_error){0} : txn->error;
        error->uses = NULL;
        error->use_count = 0;
    }
    if (status != STORE_OK) {
        store_rollback(txn);
        return status;
    }
    if (txn->change_count > 0 && s->def.committed != NULL) {
        s->def.committed(s->def.committed_context, txn->changes, txn->change_count); // before the next may write
    }
    give(txn);
    free_txn(txn);
    return STORE_OK;
}
