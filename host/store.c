// See store.h: things, their files, references and history. What is there now is the newest row of a thing's past, so a
// change adds rows and moves a pointer, and bringing something back is one more change.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/store_db.h"

enum {
    SQL_CURRENT, SQL_PAST, SQL_BLOB_FIND, SQL_BLOB_ADD, SQL_PAST_ADD, SQL_FILE_ADD, SQL_USE_ADD, SQL_LAST_VERSION,
    SQL_ITEM_SET, SQL_ITEM_REMOVE, SQL_REF_CLEAR, SQL_REF_SET, SQL_FTS_CLEAR, SQL_FTS_READ,
    SQL_FTS_SET, SQL_FILES, SQL_FILES_BYTES,
    SQL_FILE_FIRST, SQL_FILE_NAMED, SQL_IS_THERE, SQL_USERS, SQL_USER_COUNT, SQL_USES, SQL_PAST_USES, SQL_HISTORY,
    SQL_PAST_COPY, SQL_FILE_COPY, SQL_USE_COPY, SQL_CHANGES, SQL_REVISION, SQL_BLOB_BYTES, SQL_PROGRAM_GET,
    SQL_PROGRAM_PUT, SQL_COUNT
};
_Static_assert((int)SQL_COUNT <= (int)DB_STATEMENTS_MAX, "every statement has a place in a connection");

#define ITEM_COLUMNS                                                                                                   \
    "p.area, p.id, p.revision, p.version, p.format, p.kind, p.name, p.origin, p.created_ms, p.updated_ms, p.hash, "   \
    "p.size, p.file_count, p.number_a, p.number_b"
enum { ITEM_COLUMN_COUNT = 15 };

#define USE_COLUMNS "area, id, to_area, to_id, place, role, needed"

static const char *const texts[SQL_COUNT] = {
    [SQL_CURRENT] = "SELECT " ITEM_COLUMNS ", p.seal FROM item i JOIN past p ON p.revision = i.revision"
                    " WHERE i.area = ?1 AND i.id = ?2",
    [SQL_PAST] = "SELECT " ITEM_COLUMNS ", p.seal, p.action, p.when_ms FROM past p"
                 " WHERE p.revision = ?3 AND p.area = ?1 AND p.id = ?2",
    [SQL_BLOB_FIND] = "SELECT id FROM blob WHERE hash = ?1",
    [SQL_BLOB_ADD] = "INSERT INTO blob(hash, size, bytes) VALUES(?1, ?2, ?3)",
    [SQL_PAST_ADD] =
        "INSERT INTO past(area, id, action, when_ms, version, format, kind, name, origin, created_ms, updated_ms, hash,"
        " seal, size, file_count, use_count, number_a, number_b, words)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
    [SQL_FILE_ADD] = "INSERT INTO past_file(revision, position, name, blob) VALUES(?1, ?2, ?3, ?4)",
    [SQL_USE_ADD] = "INSERT INTO past_use(revision, position, to_area, to_id, place, role, needed)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [SQL_LAST_VERSION] = "SELECT version FROM past WHERE area = ?1 AND id = ?2 ORDER BY revision DESC LIMIT 1",
    [SQL_ITEM_SET] = "INSERT INTO item(area, id, revision, format, kind)"
                     " SELECT area, id, revision, format, kind FROM past WHERE revision = ?1"
                     " ON CONFLICT(area, id) DO UPDATE SET revision = excluded.revision, format = excluded.format,"
                     " kind = excluded.kind",
    [SQL_ITEM_REMOVE] = "DELETE FROM item WHERE area = ?1 AND id = ?2",
    [SQL_REF_CLEAR] = "DELETE FROM ref WHERE area = ?1 AND id = ?2",
    [SQL_REF_SET] = "INSERT INTO ref(area, id, position, to_area, to_id, place, role, needed)"
                    " SELECT p.area, p.id, u.position, u.to_area, u.to_id, u.place, u.role, u.needed"
                    " FROM past_use u JOIN past p ON p.revision = u.revision WHERE u.revision = ?1",
    [SQL_FTS_CLEAR] = "DELETE FROM fts WHERE rowid = ?1",
    [SQL_FTS_READ] = "SELECT p.revision, p.id, p.format, p.kind, p.name, coalesce(CAST(b.bytes AS TEXT), '')"
                     " FROM past p LEFT JOIN blob b ON b.id = p.words WHERE p.revision = ?1",
    [SQL_FTS_SET] = "INSERT INTO fts(rowid, id, format, kind, name, words) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [SQL_FILES] = "SELECT f.name, b.size, b.hash FROM past_file f JOIN blob b ON b.id = f.blob"
                  " WHERE f.revision = ?1 ORDER BY f.position",
    [SQL_FILES_BYTES] = "SELECT f.name, b.size, b.hash, b.bytes FROM past_file f JOIN blob b ON b.id = f.blob"
                        " WHERE f.revision = ?1 ORDER BY f.position",
    [SQL_FILE_FIRST] = "SELECT f.name, b.size, b.hash, b.bytes FROM past_file f JOIN blob b ON b.id = f.blob"
                       " WHERE f.revision = ?1 ORDER BY f.position LIMIT 1",
    [SQL_FILE_NAMED] = "SELECT f.name, b.size, b.hash, b.bytes FROM past_file f JOIN blob b ON b.id = f.blob"
                       " WHERE f.revision = ?1 AND f.name = ?2 LIMIT 1",
    [SQL_IS_THERE] = "SELECT revision FROM item WHERE area = ?1 AND id = ?2",
    [SQL_USERS] = "SELECT " USE_COLUMNS " FROM ref WHERE to_area = ?1 AND to_id = ?2 ORDER BY area, id, position",
    [SQL_USER_COUNT] = "SELECT count(*) FROM ref WHERE to_area = ?1 AND to_id = ?2 AND (area != ?1 OR id != ?2)",
    [SQL_USES] = "SELECT " USE_COLUMNS " FROM ref WHERE area = ?1 AND id = ?2 ORDER BY position",
    [SQL_PAST_USES] = "SELECT p.area, p.id, u.to_area, u.to_id, u.place, u.role, u.needed FROM past_use u"
                      " JOIN past p ON p.revision = u.revision WHERE u.revision = ?1 ORDER BY u.position",
    [SQL_HISTORY] = "SELECT " ITEM_COLUMNS ", p.seal, p.action, p.when_ms FROM past p"
                    " WHERE p.area = ?1 AND p.id = ?2 AND p.revision < ?3 ORDER BY p.revision DESC LIMIT ?4",
    [SQL_PAST_COPY] =
        "INSERT INTO past(area, id, action, when_ms, version, format, kind, name, origin, created_ms, updated_ms, hash,"
        " seal, size, file_count, use_count, number_a, number_b, words)"
        " SELECT area, id, ?2, ?3, ?4, format, kind, name, origin, created_ms, ?5, hash, seal, size, file_count,"
        " use_count, number_a, number_b, words FROM past WHERE revision = ?1",
    [SQL_FILE_COPY] = "INSERT INTO past_file(revision, position, name, blob)"
                      " SELECT ?2, position, name, blob FROM past_file WHERE revision = ?1",
    [SQL_USE_COPY] = "INSERT INTO past_use(revision, position, to_area, to_id, place, role, needed)"
                     " SELECT ?2, position, to_area, to_id, place, role, needed FROM past_use WHERE revision = ?1",
    [SQL_CHANGES] = "SELECT area, id, revision, action, when_ms FROM past WHERE revision > ?1 ORDER BY revision"
                    " LIMIT ?2",
    [SQL_REVISION] = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'past'), 0)",
    [SQL_BLOB_BYTES] = "SELECT bytes, size FROM blob WHERE hash = ?1",
    [SQL_PROGRAM_GET] = "SELECT bytes FROM program WHERE hash = ?1 AND how = ?2",
    [SQL_PROGRAM_PUT] = "INSERT OR REPLACE INTO program(hash, how, bytes) VALUES(?1, ?2, ?3)",
};

static sqlite3_stmt *statement_of(store_txn *txn, int number) { return db_statement(txn, number, texts[number]); }

// A statement bound to a thing, as most are.
static sqlite3_stmt *statement_on(store_txn *txn, int number, store_area area, const char *id) {
    sqlite3_stmt *statement = statement_of(txn, number);
    if (statement != NULL) {
        sqlite3_bind_int(statement, 1, (int)area);
        db_bind_text(statement, 2, id);
    }
    return statement;
}

static sqlite3_stmt *statement_at(store_txn *txn, int number, int64_t revision) {
    sqlite3_stmt *statement = statement_of(txn, number);
    if (statement != NULL) { sqlite3_bind_int64(statement, 1, revision); }
    return statement;
}

static store_status no_such(store_txn *txn, store_area area, const char *id) {
    return db_fail(txn, STORE_NOT_FOUND, "there is no %s '%.200s'", store_area_name(area), id != NULL ? id : "");
}

static bool hash_column(sqlite3_stmt *statement, int column, char text[65]) {
    text[0] = 0;
    if (sqlite3_column_bytes(statement, column) != 32) { return false; }
    store_hash_text(sqlite3_column_blob(statement, column), text);
    return true;
}

static store_status read_item(store_txn *txn, sqlite3_stmt *row, store_item *item) {
    *item = (store_item){
        .area = (store_area)sqlite3_column_int(row, 0),
        .id = db_text(txn, row, 1),
        .revision = sqlite3_column_int64(row, 2),
        .version = sqlite3_column_int64(row, 3),
        .format = db_text(txn, row, 4),
        .kind = db_text(txn, row, 5),
        .name = db_text(txn, row, 6),
        .origin = db_text(txn, row, 7),
        .created_ms = sqlite3_column_int64(row, 8),
        .updated_ms = sqlite3_column_int64(row, 9),
        .size = (uint64_t)sqlite3_column_int64(row, 11),
        .file_count = (uint32_t)sqlite3_column_int(row, 12),
        .number_a = sqlite3_column_int64(row, 13),
        .number_b = sqlite3_column_int64(row, 14),
    };
    if (item->id == NULL || item->format == NULL || item->kind == NULL || item->name == NULL || item->origin == NULL) {
        return STORE_NO_MEMORY;
    }
    if (!hash_column(row, 10, item->hash)) {
        return db_fail(txn, STORE_CORRUPT, "the %s '%s' is damaged: it has no hash", store_area_name(item->area),
                       item->id);
    }
    return STORE_OK;
}

static bool is_area(store_area area) { return area > STORE_ANY_AREA && area < STORE_AREA_COUNT; }

static store_status check_id(store_txn *txn, store_area area, const char *id) {
    if (!is_area(area)) { return db_fail(txn, STORE_INVALID, "%d is no area of the library", (int)area); }
    if (!store_id_is_good(area, id)) {
        return db_fail(txn, STORE_INVALID, "'%.200s' cannot be the id of %s %s", id != NULL ? id : "",
                       area == STORE_ITEM || area == STORE_ASSET ? "an" : "a", store_area_name(area));
    }
    return STORE_OK;
}

// ------------------------------------------------------------------------------------------------------------- getting

// What is there now; *there false: nothing, which is no error. `seal` may be NULL.
static store_status current(store_txn *txn, store_area area, const char *id, store_item *item, uint8_t seal[32],
                            bool *there) {
    sqlite3_stmt *row = statement_on(txn, SQL_CURRENT, area, id);
    store_status status = STORE_OK;
    *there = false;
    if (row == NULL) { return txn->error.status; }
    if (db_row(txn, row, &status)) {
        status = read_item(txn, row, item);
        *there = status == STORE_OK;
        if (seal != NULL && sqlite3_column_bytes(row, ITEM_COLUMN_COUNT) == 32) {
            memcpy(seal, sqlite3_column_blob(row, ITEM_COLUMN_COUNT), 32);
        }
    }
    sqlite3_reset(row);
    return status;
}

// What must be there.
static store_status existing(store_txn *txn, store_area area, const char *id, store_item *item) {
    bool there = false;
    store_status status = db_start(txn);
    if (status != STORE_OK) { return status; }
    if (!is_area(area) || !store_id_is_good(area, id)) { return no_such(txn, area, id); }
    status = current(txn, area, id, item, NULL, &there);
    return status == STORE_OK && !there ? no_such(txn, area, id) : status;
}

store_status store_get(store_txn *txn, store_area area, const char *id, store_item *item) {
    return existing(txn, area, id, item);
}

// A row of a file: name, size, hash and perhaps bytes, which are held against the hash.
static store_status read_file(store_txn *txn, sqlite3_stmt *row, bool with_bytes, const char *of, store_file *file) {
    *file = (store_file){.name = db_text(txn, row, 0), .size = (uint64_t)sqlite3_column_int64(row, 1)};
    if (file->name == NULL) { return STORE_NO_MEMORY; }
    if (!hash_column(row, 2, file->hash)) {
        return db_fail(txn, STORE_CORRUPT, "the file '%s' of '%s' is damaged: it has no hash", file->name, of);
    }
    if (!with_bytes) { return STORE_OK; }
    const void *bytes = sqlite3_column_blob(row, 3);
    const uint64_t size = (uint64_t)sqlite3_column_bytes(row, 3);
    if (bytes == NULL && size == 0 && sqlite3_errcode(txn->connection->db) == SQLITE_NOMEM) {
        return db_fail(txn, STORE_NO_MEMORY, "there is not enough memory");
    }
    uint8_t *copy = db_alloc(txn, (size_t)size + 1);
    if (copy == NULL) { return STORE_NO_MEMORY; }
    if (size > 0) { memcpy(copy, bytes, (size_t)size); }
    copy[size] = 0; // so that a text can be handed on as one
    char hash[65];
    store_hash(copy, size, hash);
    if (size != file->size || strcmp(hash, file->hash) != 0) {
        return db_fail(txn, STORE_CORRUPT, "the file '%s' of '%s' is damaged: its bytes are not those of its hash",
                       file->name, of);
    }
    file->bytes = copy;
    return STORE_OK;
}

static store_status files_at(store_txn *txn, const char *of, int64_t revision, bool with_bytes,
                             const store_file **files, uint32_t *count) {
    store_file *list = NULL;
    uint32_t capacity = 0;
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_at(txn, with_bytes ? SQL_FILES_BYTES : SQL_FILES, revision);
    *count = 0;
    *files = NULL;
    if (row == NULL) { return txn->error.status; }
    while (status == STORE_OK && db_row(txn, row, &status)) {
        if (!db_grow(txn, (void **)&list, *count, &capacity, sizeof *list)) { status = STORE_NO_MEMORY; }
        if (status == STORE_OK) { status = read_file(txn, row, with_bytes, of, &list[*count]); }
        if (status == STORE_OK) { ++*count; }
    }
    sqlite3_reset(row);
    *files = list;
    return status;
}

store_status store_files(store_txn *txn, store_area area, const char *id, bool with_bytes, const store_file **files,
                         uint32_t *count) {
    store_item item;
    *files = NULL;
    *count = 0;
    store_status status = existing(txn, area, id, &item);
    if (status == STORE_OK) { status = files_at(txn, id, item.revision, with_bytes, files, count); }
    if (status == STORE_OK && *count != item.file_count) {
        status = db_fail(txn, STORE_CORRUPT, "'%s' is damaged: it has %u files instead of %u", id, *count,
                         item.file_count);
    }
    return status;
}

store_status store_file_get(store_txn *txn, store_area area, const char *id, const char *name, store_file *file) {
    store_item item;
    store_status status = existing(txn, area, id, &item);
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *row = statement_at(txn, name == NULL ? SQL_FILE_FIRST : SQL_FILE_NAMED, item.revision);
    if (row == NULL) { return txn->error.status; }
    if (name != NULL) { db_bind_text(row, 2, name); }
    if (db_row(txn, row, &status)) {
        status = read_file(txn, row, true, id, file);
    } else if (status == STORE_OK && name == NULL) {
        status = db_fail(txn, STORE_CORRUPT, "'%s' is damaged: it has no files", id);
    } else if (status == STORE_OK) {
        status = db_fail(txn, STORE_NOT_FOUND, "'%s' has no file '%.200s'", id, name);
    }
    sqlite3_reset(row);
    return status;
}

store_status store_revision(store_txn *txn, int64_t *revision) {
    store_status status = db_start(txn);
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *row = statement_of(txn, SQL_REVISION);
    *revision = 0;
    if (row == NULL) { return txn->error.status; }
    if (db_row(txn, row, &status)) { *revision = sqlite3_column_int64(row, 0); }
    sqlite3_reset(row);
    return status;
}

// ---------------------------------------------------------------------------------------------------------- references

static store_status read_uses(store_txn *txn, sqlite3_stmt *row, uint32_t most, const store_use **uses,
                              uint32_t *count) {
    store_use *list = NULL;
    uint32_t capacity = 0;
    store_status status = STORE_OK;
    *count = 0;
    *uses = NULL;
    if (row == NULL) { return txn->error.status; }
    while (status == STORE_OK && *count < most && db_row(txn, row, &status)) {
        if (!db_grow(txn, (void **)&list, *count, &capacity, sizeof *list)) {
            status = STORE_NO_MEMORY;
            break;
        }
        store_use *use = &list[(*count)++];
        *use = (store_use){
            .from_area = (store_area)sqlite3_column_int(row, 0), .from = db_text(txn, row, 1),
            .to_area = (store_area)sqlite3_column_int(row, 2), .to = db_text(txn, row, 3),
            .where = db_text(txn, row, 4), .role = db_text(txn, row, 5), .needed = sqlite3_column_int(row, 6) != 0};
        if (use->from == NULL || use->to == NULL || use->where == NULL || use->role == NULL) {
            status = STORE_NO_MEMORY;
        }
    }
    sqlite3_reset(row);
    *uses = list;
    return status;
}

store_status store_users(store_txn *txn, store_area area, const char *id, const store_use **uses, uint32_t *count) {
    const store_status status = db_start(txn);
    return status == STORE_OK ? read_uses(txn, statement_on(txn, SQL_USERS, area, id), UINT32_MAX, uses, count)
                              : status;
}

store_status store_uses(store_txn *txn, store_area area, const char *id, const store_use **uses, uint32_t *count) {
    const store_status status = db_start(txn);
    return status == STORE_OK ? read_uses(txn, statement_on(txn, SQL_USES, area, id), UINT32_MAX, uses, count)
                              : status;
}

static store_status is_there(store_txn *txn, store_area area, const char *id, bool *there) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_on(txn, SQL_IS_THERE, area, id);
    *there = false;
    if (row == NULL) { return txn->error.status; }
    *there = db_row(txn, row, &status);
    sqlite3_reset(row);
    return status;
}

// That what is needed is there; a thing may need itself.
static store_status check_needs(store_txn *txn, store_area area, const char *id, const store_use *uses,
                                uint32_t count) {
    store_use *missing = NULL;
    uint32_t missing_count = 0, capacity = 0, total = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool there = uses[i].to_area == area && strcmp(uses[i].to, id) == 0;
        if (!uses[i].needed || there) { continue; }
        const store_status status = is_there(txn, uses[i].to_area, uses[i].to, &there);
        if (status != STORE_OK) { return status; }
        if (there) { continue; }
        total++;
        if (missing_count == STORE_USES_MAX) { continue; }
        if (!db_grow(txn, (void **)&missing, missing_count, &capacity, sizeof *missing)) { return STORE_NO_MEMORY; }
        const char *to = db_copy(txn, uses[i].to), *where = db_copy(txn, uses[i].where != NULL ? uses[i].where : "");
        const char *role = db_copy(txn, uses[i].role != NULL ? uses[i].role : ""), *from = db_copy(txn, id);
        if (to == NULL || where == NULL || role == NULL || from == NULL) { return STORE_NO_MEMORY; }
        missing[missing_count++] = (store_use){area, from, uses[i].to_area, to, where, role, true};
    }
    if (total == 0) { return STORE_OK; }
    db_fail(txn, STORE_DANGLING, "'%s' needs the %s '%s', which is not there%s", id,
            store_area_name(missing[0].to_area), missing[0].to, total > 1 ? ", and more" : "");
    txn->error.uses = missing;
    txn->error.use_count = missing_count;
    txn->error.use_total = total;
    return STORE_DANGLING;
}

static store_status check_unused(store_txn *txn, store_area area, const char *id) {
    const store_use *uses = NULL;
    uint32_t count = 0, others = 0;
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_on(txn, SQL_USER_COUNT, area, id);
    if (row == NULL) { return txn->error.status; }
    const uint32_t total = db_row(txn, row, &status) ? (uint32_t)sqlite3_column_int(row, 0) : 0;
    sqlite3_reset(row);
    if (status != STORE_OK || total == 0) { return status; }
    // Uses by itself may stand among them.
    status = read_uses(txn, statement_on(txn, SQL_USERS, area, id), UINT32_MAX, &uses, &count);
    if (status != STORE_OK) { return status; }
    store_use *list = db_alloc(txn, sizeof *list * (count < STORE_USES_MAX ? count : STORE_USES_MAX));
    if (list == NULL) { return STORE_NO_MEMORY; }
    for (uint32_t i = 0; i < count && others < STORE_USES_MAX; i++) {
        if (uses[i].from_area != area || strcmp(uses[i].from, id) != 0) { list[others++] = uses[i]; }
    }
    db_fail(txn, STORE_IN_USE, "'%s' is used by the %s '%s' (%s)%s", id, store_area_name(list[0].from_area),
            list[0].from, list[0].where, total > 1 ? ", and more" : "");
    txn->error.uses = list;
    txn->error.use_count = others;
    txn->error.use_total = total;
    return STORE_IN_USE;
}

// ------------------------------------------------------------------------------------------------------------- changes

static store_status note_change(store_txn *txn, store_area area, const char *id, int64_t revision, store_action action,
                                int64_t when_ms) {
    if (!db_grow(txn, (void **)&txn->changes, txn->change_count, &txn->change_capacity, sizeof *txn->changes)) {
        return STORE_NO_MEMORY;
    }
    const char *copy = db_copy(txn, id);
    if (copy == NULL) { return STORE_NO_MEMORY; }
    txn->changes[txn->change_count++] = (store_change){area, copy, revision, action, when_ms};
    return STORE_OK;
}

static store_status run_at(store_txn *txn, int number, int64_t revision) {
    sqlite3_stmt *statement = statement_at(txn, number, revision);
    return statement != NULL ? db_run(txn, statement) : txn->error.status;
}

static store_status run_on(store_txn *txn, int number, store_area area, const char *id) {
    sqlite3_stmt *statement = statement_on(txn, number, area, id);
    return statement != NULL ? db_run(txn, statement) : txn->error.status;
}

static store_status find_by(store_txn *txn, int64_t old, int64_t now) {
    if (!db_grow(txn, (void **)&txn->found, txn->found_count, &txn->found_capacity, sizeof *txn->found)) {
        return STORE_NO_MEMORY;
    }
    txn->found[txn->found_count++] = (db_found){old, now};
    return STORE_OK;
}

static store_status write_found(store_txn *txn, int64_t revision) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_at(txn, SQL_FTS_READ, revision), *add = statement_of(txn, SQL_FTS_SET);
    if (row == NULL || add == NULL) { return txn->error.status; }
    if (db_row(txn, row, &status)) {
        for (int i = 0; i < 6; i++) { sqlite3_bind_value(add, i + 1, sqlite3_column_value(row, i)); }
        status = db_run(txn, add);
        sqlite3_clear_bindings(add);
    }
    sqlite3_reset(row);
    return status;
}

store_status db_write_found(store_txn *txn) {
    store_status status = STORE_OK;
    for (uint32_t i = 0; i < txn->found_count && status == STORE_OK; i++) {
        const db_found *found = &txn->found[i];
        if (found->old != 0) { status = run_at(txn, SQL_FTS_CLEAR, found->old); }
        if (status == STORE_OK && found->now != 0) { status = write_found(txn, found->now); }
    }
    txn->found_count = 0;
    return status;
}

store_status db_install(store_txn *txn, store_area area, const char *id, int64_t revision, int64_t old) {
    store_status status = find_by(txn, old, revision);
    if (status == STORE_OK && old != 0) { status = run_on(txn, SQL_REF_CLEAR, area, id); }
    if (status == STORE_OK) { status = run_at(txn, SQL_ITEM_SET, revision); }
    if (status == STORE_OK) { status = run_at(txn, SQL_REF_SET, revision); }
    return status;
}

static store_status writable(store_txn *txn) {
    const store_status status = db_start(txn);
    if (status == STORE_OK && !txn->write) {
        return db_fail(txn, STORE_READ_ONLY, "the transaction is one for reading");
    }
    return status;
}

static store_status check_expected(store_txn *txn, const char *id, int64_t expected, int64_t there) {
    if (expected == STORE_ANY || expected == there) { return STORE_OK; }
    if (there == 0) {
        db_fail(txn, STORE_CONFLICT, "'%s' is not there", id);
    } else if (expected == STORE_NONE) {
        db_fail(txn, STORE_CONFLICT, "there is a '%s' already, of revision %lld", id, (long long)there);
    } else {
        db_fail(txn, STORE_CONFLICT, "'%s' is of revision %lld by now, not %lld", id, (long long)there,
                (long long)expected);
    }
    txn->error.revision = there;
    return STORE_CONFLICT;
}

static store_status next_version(store_txn *txn, store_area area, const char *id, int64_t *version) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_on(txn, SQL_LAST_VERSION, area, id);
    if (row == NULL) { return txn->error.status; }
    *version = db_row(txn, row, &status) ? sqlite3_column_int64(row, 0) + 1 : 1;
    sqlite3_reset(row);
    return status;
}

store_status db_blob(store_txn *txn, const uint8_t hash[32], const void *bytes, uint64_t size, int64_t *blob) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_of(txn, SQL_BLOB_FIND);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_blob(row, 1, hash, 32, SQLITE_STATIC);
    const bool there = db_row(txn, row, &status);
    if (there) { *blob = sqlite3_column_int64(row, 0); }
    sqlite3_reset(row);
    if (there || status != STORE_OK) { return status; }
    row = statement_of(txn, SQL_BLOB_ADD);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_blob(row, 1, hash, 32, SQLITE_STATIC);
    sqlite3_bind_int64(row, 2, (int64_t)size);
    sqlite3_bind_blob64(row, 3, size > 0 ? bytes : "", size, SQLITE_STATIC);
    status = db_run(txn, row);
    sqlite3_clear_bindings(row);
    *blob = sqlite3_last_insert_rowid(txn->connection->db);
    return status;
}

// ------------------------------------------------------------------------------------------------------------- putting

typedef struct putting { // what is worked out of a store_put before anything is written
    const char *id;
    store_raw_hash *files; // [file_count]
    store_raw_hash hash, seal, words_hash;
    uint64_t size;
    size_t words_size;
    char asset_id[17];
} putting;

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static store_status check_names(store_txn *txn, const store_put *put) {
    const char **names = db_alloc(txn, sizeof *names * put->file_count);
    if (names == NULL) { return STORE_NO_MEMORY; }
    for (uint32_t i = 0; i < put->file_count; i++) {
        const store_file *file = &put->files[i];
        names[i] = file->name != NULL ? file->name : "";
        const bool none = names[i][0] == 0 && put->file_count == 1;
        if (!none && !store_name_is_good(names[i])) {
            return db_fail(txn, STORE_INVALID, "'%.200s' cannot be the name of a file in the library", names[i]);
        }
        if (file->size > STORE_FILE_MAX) {
            return db_fail(txn, STORE_LIMIT, "the file '%.200s' is larger than %u MiB", names[i],
                           (unsigned)(STORE_FILE_MAX >> 20));
        }
    }
    qsort(names, put->file_count, sizeof *names, by_text);
    for (uint32_t i = 1; i < put->file_count; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            return db_fail(txn, STORE_INVALID, "two files are called '%.200s'", names[i]);
        }
    }
    return STORE_OK;
}

static store_status check_put(store_txn *txn, const store_put *put) {
    if (put->file_count == 0) { return db_fail(txn, STORE_INVALID, "there is nothing to put: no file was given"); }
    if (put->file_count > STORE_FILES_MAX) {
        return db_fail(txn, STORE_LIMIT, "%u files are more than %d", put->file_count, STORE_FILES_MAX);
    }
    for (uint32_t i = 0; i < put->use_count; i++) {
        if (!is_area(put->uses[i].to_area) || put->uses[i].to == NULL) {
            return db_fail(txn, STORE_INVALID, "a reference leads to no place of the library");
        }
        // What is needed must be something that can be there; other references may be any text.
        if (put->uses[i].needed && !store_id_is_good(put->uses[i].to_area, put->uses[i].to)) {
            return db_fail(txn, STORE_INVALID, "'%.200s' cannot be an id", put->uses[i].to);
        }
    }
    return check_names(txn, put);
}

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

static store_status work_out(store_txn *txn, const store_put *put, putting *p) {
    store_status status = check_put(txn, put);
    if (status != STORE_OK) { return status; }
    p->files = db_alloc(txn, sizeof *p->files * put->file_count);
    if (p->files == NULL) { return STORE_NO_MEMORY; }
    for (uint32_t i = 0; i < put->file_count; i++) {
        p->files[i] = store_hash_raw(put->files[i].bytes, put->files[i].size);
        p->size += put->files[i].size;
    }
    p->words_size = put->text != NULL ? strnlen(put->text, DB_WORDS_MAX) : 0;
    p->words_hash = store_hash_raw(put->text, p->words_size);
    store_seal(put, p->files, &p->words_hash, &p->hash, &p->seal);
    p->id = put->id;
    if (put->area == STORE_ASSET) {
        char whole[65];
        store_hash_text(p->files[0].bytes, whole);
        memcpy(p->asset_id, whole, 16);
        if (put->id != NULL && strcmp(put->id, p->asset_id) != 0) {
            return db_fail(txn, STORE_INVALID, "'%.200s' is not the id of that content, which is '%s'", put->id,
                           p->asset_id);
        }
        p->id = p->asset_id;
    }
    return check_id(txn, put->area, p->id);
}

static store_status write_files(store_txn *txn, const store_put *put, const putting *p, int64_t revision) {
    for (uint32_t i = 0; i < put->file_count; i++) {
        int64_t blob = 0;
        store_status status = db_blob(txn, p->files[i].bytes, put->files[i].bytes, put->files[i].size, &blob);
        if (status != STORE_OK) { return status; }
        sqlite3_stmt *add = statement_at(txn, SQL_FILE_ADD, revision);
        if (add == NULL) { return txn->error.status; }
        sqlite3_bind_int64(add, 2, i);
        db_bind_text(add, 3, put->files[i].name);
        sqlite3_bind_int64(add, 4, blob);
        status = db_run(txn, add);
        if (status != STORE_OK) { return status; }
    }
    return STORE_OK;
}

static store_status write_uses(store_txn *txn, const store_put *put, int64_t revision) {
    for (uint32_t i = 0; i < put->use_count; i++) {
        sqlite3_stmt *add = statement_at(txn, SQL_USE_ADD, revision);
        if (add == NULL) { return txn->error.status; }
        sqlite3_bind_int64(add, 2, i);
        sqlite3_bind_int(add, 3, (int)put->uses[i].to_area);
        db_bind_text(add, 4, put->uses[i].to);
        db_bind_text(add, 5, put->uses[i].where);
        db_bind_text(add, 6, put->uses[i].role);
        sqlite3_bind_int(add, 7, put->uses[i].needed);
        const store_status status = db_run(txn, add);
        if (status != STORE_OK) { return status; }
    }
    return STORE_OK;
}

static store_status write_past(store_txn *txn, const store_put *put, const putting *p, const store_item *old,
                               int64_t *revision) {
    int64_t version = 0, words = 0;
    const int64_t now = db_now_ms(txn->s);
    store_status status = next_version(txn, put->area, p->id, &version);
    if (status == STORE_OK && p->words_size > 0) {
        status = db_blob(txn, p->words_hash.bytes, put->text, p->words_size, &words);
    }
    sqlite3_stmt *add = status == STORE_OK ? statement_on(txn, SQL_PAST_ADD, put->area, p->id) : NULL;
    if (add == NULL) { return txn->error.status; }
    const int64_t created = put->created_ms != 0 ? put->created_ms : old != NULL ? old->created_ms : now;
    sqlite3_bind_int(add, 3, old != NULL ? STORE_CHANGED : STORE_CREATED);
    sqlite3_bind_int64(add, 4, now);
    sqlite3_bind_int64(add, 5, version);
    db_bind_text(add, 6, put->format);
    db_bind_text(add, 7, put->kind);
    db_bind_text(add, 8, put->name);
    db_bind_text(add, 9, put->origin);
    sqlite3_bind_int64(add, 10, created);
    sqlite3_bind_int64(add, 11, put->updated_ms != 0 ? put->updated_ms : now);
    sqlite3_bind_blob(add, 12, p->hash.bytes, 32, SQLITE_STATIC);
    sqlite3_bind_blob(add, 13, p->seal.bytes, 32, SQLITE_STATIC);
    sqlite3_bind_int64(add, 14, (int64_t)p->size);
    sqlite3_bind_int64(add, 15, put->file_count);
    sqlite3_bind_int64(add, 16, put->use_count);
    sqlite3_bind_int64(add, 17, put->number_a);
    sqlite3_bind_int64(add, 18, put->number_b);
    if (words != 0) { sqlite3_bind_int64(add, 19, words); }
    status = db_run(txn, add);
    *revision = sqlite3_last_insert_rowid(txn->connection->db);
    if (status == STORE_OK) { status = write_files(txn, put, p, *revision); }
    if (status == STORE_OK) { status = write_uses(txn, put, *revision); }
    if (status == STORE_OK) { status = db_install(txn, put->area, p->id, *revision, old != NULL ? old->revision : 0); }
    if (status == STORE_OK) {
        status = note_change(txn, put->area, p->id, *revision, old != NULL ? STORE_CHANGED : STORE_CREATED, now);
    }
    return status;
}

static bool is_same(const store_put *put, const putting *p, const store_item *old, const uint8_t seal[32]) {
    return memcmp(p->seal.bytes, seal, 32) == 0 && (put->created_ms == 0 || put->created_ms == old->created_ms) &&
           (put->updated_ms == 0 || put->updated_ms == old->updated_ms);
}

store_status store_put_item(store_txn *txn, const store_put *put, store_item *item) {
    putting p = {0};
    store_item old;
    uint8_t seal[32] = {0};
    bool there = false;
    int64_t revision = 0;
    store_status status = writable(txn);
    if (status == STORE_OK) { status = work_out(txn, put, &p); }
    if (status == STORE_OK) { status = current(txn, put->area, p.id, &old, seal, &there); }
    if (status == STORE_OK) { status = check_expected(txn, p.id, put->expected, there ? old.revision : 0); }
    if (status != STORE_OK) { return status; }
    if (there && is_same(put, &p, &old, seal)) {
        if (item != NULL) { *item = old; }
        return STORE_OK;
    }
    // Other content whose hash begins with the same 64 bits: not by chance.
    if (there && put->area == STORE_ASSET) {
        char hash[65];
        store_file file;
        store_hash_text(p.files[0].bytes, hash);
        status = store_file_get(txn, put->area, p.id, NULL, &file);
        if (status == STORE_OK && strcmp(file.hash, hash) != 0) {
            status = db_fail(txn, STORE_INVALID, "the asset '%s' has another content", p.id);
        }
    }
    if (status == STORE_OK) { status = check_needs(txn, put->area, p.id, put->uses, put->use_count); }
    if (status == STORE_OK) { status = write_past(txn, put, &p, there ? &old : NULL, &revision); }
    return status == STORE_OK && item != NULL ? existing(txn, put->area, p.id, item) : status;
}

store_status db_copy_past(store_txn *txn, store_area area, const char *id, int64_t from, store_action action,
                          int64_t updated_ms, int64_t *revision) {
    int64_t version = 0;
    const int64_t now = db_now_ms(txn->s);
    store_status status = next_version(txn, area, id, &version);
    sqlite3_stmt *copy = status == STORE_OK ? statement_at(txn, SQL_PAST_COPY, from) : NULL;
    if (copy == NULL) { return txn->error.status; }
    sqlite3_bind_int(copy, 2, (int)action);
    sqlite3_bind_int64(copy, 3, now);
    sqlite3_bind_int64(copy, 4, version);
    sqlite3_bind_int64(copy, 5, updated_ms != 0 ? updated_ms : now);
    status = db_run(txn, copy);
    *revision = sqlite3_last_insert_rowid(txn->connection->db);
    const int more[] = {SQL_FILE_COPY, SQL_USE_COPY};
    for (unsigned i = 0; i < 2 && status == STORE_OK; i++) {
        copy = statement_at(txn, more[i], from);
        if (copy == NULL) { return txn->error.status; }
        sqlite3_bind_int64(copy, 2, *revision);
        status = db_run(txn, copy);
    }
    return status == STORE_OK ? note_change(txn, area, id, *revision, action, now) : status;
}

store_status store_delete(store_txn *txn, store_area area, const char *id, int64_t expected) {
    store_item old;
    int64_t revision = 0;
    store_status status = writable(txn);
    if (status == STORE_OK) { status = existing(txn, area, id, &old); }
    if (status == STORE_OK) { status = check_expected(txn, id, expected, old.revision); }
    if (status == STORE_OK) { status = check_unused(txn, area, id); }
    if (status == STORE_OK) {
        status = db_copy_past(txn, area, id, old.revision, STORE_DELETED, old.updated_ms, &revision);
    }
    if (status == STORE_OK) { status = find_by(txn, old.revision, 0); }
    if (status == STORE_OK) { status = run_on(txn, SQL_REF_CLEAR, area, id); }
    if (status == STORE_OK) { status = run_on(txn, SQL_ITEM_REMOVE, area, id); }
    return status;
}

// ------------------------------------------------------------------------------------------------------------- history

static store_status read_past(store_txn *txn, sqlite3_stmt *row, store_past *past) {
    past->action = (store_action)sqlite3_column_int(row, ITEM_COLUMN_COUNT + 1);
    past->when_ms = sqlite3_column_int64(row, ITEM_COLUMN_COUNT + 2);
    return read_item(txn, row, &past->item);
}

store_status store_history(store_txn *txn, store_area area, const char *id, int64_t before, uint32_t limit,
                           const store_past **past, uint32_t *count) {
    store_past *list = NULL;
    uint32_t capacity = 0;
    store_status status = db_start(txn);
    *past = NULL;
    *count = 0;
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *row = statement_on(txn, SQL_HISTORY, area, id);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_int64(row, 3, before > 0 ? before : INT64_MAX);
    sqlite3_bind_int64(row, 4, limit);
    while (status == STORE_OK && db_row(txn, row, &status)) {
        if (!db_grow(txn, (void **)&list, *count, &capacity, sizeof *list)) { status = STORE_NO_MEMORY; }
        if (status == STORE_OK) { status = read_past(txn, row, &list[*count]); }
        if (status == STORE_OK) { ++*count; }
    }
    sqlite3_reset(row);
    *past = list;
    if (status == STORE_OK && *count == 0 && before <= 0 && limit > 0) { return no_such(txn, area, id); }
    return status;
}

static store_status past_at(store_txn *txn, store_area area, const char *id, int64_t revision, store_past *past,
                            uint8_t seal[32]) {
    store_status status = db_start(txn);
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *row = statement_on(txn, SQL_PAST, area, id);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_int64(row, 3, revision);
    if (db_row(txn, row, &status)) {
        status = read_past(txn, row, past);
        if (seal != NULL && sqlite3_column_bytes(row, ITEM_COLUMN_COUNT) == 32) {
            memcpy(seal, sqlite3_column_blob(row, ITEM_COLUMN_COUNT), 32);
        }
    } else if (status == STORE_OK) {
        status = db_fail(txn, STORE_NOT_FOUND, "there is no revision %lld of '%.200s'", (long long)revision,
                         or_empty(id));
    }
    sqlite3_reset(row);
    return status;
}

store_status store_past_files(store_txn *txn, store_area area, const char *id, int64_t revision, bool with_bytes,
                              const store_file **files, uint32_t *count) {
    store_past past;
    *files = NULL;
    *count = 0;
    const store_status status = past_at(txn, area, id, revision, &past, NULL);
    return status == STORE_OK ? files_at(txn, id, revision, with_bytes, files, count) : status;
}

store_status store_restore(store_txn *txn, store_area area, const char *id, int64_t revision, int64_t expected,
                           store_item *item) {
    store_past past;
    store_item now;
    uint8_t seal[32] = {0}, seal_now[32] = {1};
    bool there = false;
    int64_t made = 0;
    const store_use *uses = NULL;
    uint32_t count = 0;
    store_status status = writable(txn);
    if (status == STORE_OK) { status = past_at(txn, area, id, revision, &past, seal); }
    if (status == STORE_OK) { status = current(txn, area, id, &now, seal_now, &there); }
    if (status == STORE_OK) { status = check_expected(txn, id, expected, there ? now.revision : 0); }
    if (status != STORE_OK) { return status; }
    if (there && memcmp(seal, seal_now, 32) == 0) {
        if (item != NULL) { *item = now; }
        return STORE_OK;
    }
    status = read_uses(txn, statement_at(txn, SQL_PAST_USES, revision), UINT32_MAX, &uses, &count);
    if (status == STORE_OK) { status = check_needs(txn, area, id, uses, count); }
    if (status == STORE_OK) { status = db_copy_past(txn, area, id, revision, STORE_RESTORED, 0, &made); }
    if (status == STORE_OK) { status = db_install(txn, area, id, made, there ? now.revision : 0); }
    return status == STORE_OK && item != NULL ? existing(txn, area, id, item) : status;
}

store_status store_changes(store_txn *txn, int64_t after, uint32_t limit, const store_change **changes,
                           uint32_t *count) {
    store_change *list = NULL;
    uint32_t capacity = 0;
    store_status status = db_start(txn);
    *changes = NULL;
    *count = 0;
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *row = statement_at(txn, SQL_CHANGES, after);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_int64(row, 2, limit);
    while (status == STORE_OK && db_row(txn, row, &status)) {
        if (!db_grow(txn, (void **)&list, *count, &capacity, sizeof *list)) { status = STORE_NO_MEMORY; }
        if (status != STORE_OK) { break; }
        list[*count] = (store_change){
            (store_area)sqlite3_column_int(row, 0), db_text(txn, row, 1), sqlite3_column_int64(row, 2),
            (store_action)sqlite3_column_int(row, 3), sqlite3_column_int64(row, 4)};
        if (list[*count].id == NULL) { status = STORE_NO_MEMORY; }
        ++*count;
    }
    sqlite3_reset(row);
    *changes = list;
    return status;
}

store_status store_prune(store_txn *txn, uint32_t keep, int64_t before_ms, uint64_t *freed) {
    static const char *const old[] = {
        ("DELETE FROM past WHERE revision IN (SELECT revision FROM (SELECT revision, row_number() OVER"
        " (PARTITION BY area, id ORDER BY revision DESC) AS place FROM past) WHERE place > ?1)"
        " AND revision NOT IN (SELECT revision FROM item)"),
        ("DELETE FROM past WHERE (area, id) NOT IN (SELECT area, id FROM item) AND"
        " (area, id) IN (SELECT area, id FROM past GROUP BY area, id HAVING max(when_ms) < ?1)"),
        "DELETE FROM program WHERE hash NOT IN (SELECT p.hash FROM item i JOIN past p ON p.revision = i.revision)",
    };
    static const char orphans[] = " FROM blob WHERE NOT EXISTS (SELECT 1 FROM past_file f WHERE f.blob = blob.id)"
                                  " AND NOT EXISTS (SELECT 1 FROM past p WHERE p.words = blob.id)";
    char sql[512];
    store_status status = writable(txn);
    *freed = 0;
    if (status == STORE_OK && keep == 0) {
        status = db_fail(txn, STORE_INVALID, "at least one change of each thing is kept");
    }
    for (unsigned i = 0; i < 3 && status == STORE_OK; i++) {
        sqlite3_stmt *statement = db_prepare(txn, old[i]);
        if (statement == NULL) { return txn->error.status; }
        if (i < 2) { sqlite3_bind_int64(statement, 1, i == 0 ? (int64_t)keep : before_ms); }
        status = db_run(txn, statement);
        sqlite3_finalize(statement);
    }
    for (unsigned i = 0; i < 2 && status == STORE_OK; i++) {
        snprintf(sql, sizeof sql, "%s%s", i == 0 ? "SELECT coalesce(sum(size), 0)" : "DELETE", orphans);
        sqlite3_stmt *statement = db_prepare(txn, sql);
        if (statement == NULL) { return txn->error.status; }
        while (db_row(txn, statement, &status)) { *freed = (uint64_t)sqlite3_column_int64(statement, 0); }
        sqlite3_finalize(statement);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------------------ contents

store_status store_blob(store_txn *txn, const char *hash, const void **bytes, uint64_t *size) {
    uint8_t raw[32];
    char there[65];
    store_status status = db_start(txn);
    *bytes = NULL;
    *size = 0;
    if (status != STORE_OK) { return status; }
    if (!store_hash_of_text(hash, raw)) { return db_fail(txn, STORE_INVALID, "that is no hash of a content"); }
    sqlite3_stmt *row = statement_of(txn, SQL_BLOB_BYTES);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_blob(row, 1, raw, 32, SQLITE_STATIC);
    if (db_row(txn, row, &status)) {
        *size = (uint64_t)sqlite3_column_bytes(row, 0);
        uint8_t *copy = db_alloc(txn, (size_t)*size + 1);
        if (copy != NULL) {
            if (*size > 0) { memcpy(copy, sqlite3_column_blob(row, 0), (size_t)*size); }
            copy[*size] = 0;
            store_hash(copy, *size, there);
        }
        *bytes = copy;
        if (copy == NULL) {
            status = STORE_NO_MEMORY;
        } else if (strcmp(there, hash) != 0) {
            status = db_fail(txn, STORE_CORRUPT, "the content %s is damaged", hash);
        }
    } else if (status == STORE_OK) {
        status = db_fail(txn, STORE_NOT_FOUND, "there is no content %s", hash);
    }
    sqlite3_reset(row);
    return status;
}

static sqlite3_stmt *on_program(store_txn *txn, int number, const uint8_t raw[32], const char *how) {
    sqlite3_stmt *row = statement_of(txn, number);
    if (row != NULL) {
        sqlite3_bind_blob(row, 1, raw, 32, SQLITE_STATIC);
        db_bind_text(row, 2, how);
    }
    return row;
}

store_status store_program_get(store_txn *txn, const char *hash, const char *how, const void **bytes, uint64_t *size) {
    uint8_t raw[32];
    store_status status = db_start(txn);
    *bytes = NULL;
    *size = 0;
    if (status != STORE_OK) { return status; }
    if (!store_hash_of_text(hash, raw)) { return db_fail(txn, STORE_INVALID, "that is no hash of a content"); }
    sqlite3_stmt *row = on_program(txn, SQL_PROGRAM_GET, raw, how);
    if (row == NULL) { return txn->error.status; }
    if (db_row(txn, row, &status)) {
        *size = (uint64_t)sqlite3_column_bytes(row, 0);
        uint8_t *copy = db_alloc(txn, (size_t)*size + 1);
        if (copy != NULL && *size > 0) { memcpy(copy, sqlite3_column_blob(row, 0), (size_t)*size); }
        if (copy == NULL) { status = STORE_NO_MEMORY; }
        *bytes = copy;
    } else if (status == STORE_OK) {
        status = db_fail(txn, STORE_NOT_FOUND, "there is no program of %s", hash);
    }
    sqlite3_reset(row);
    return status;
}

store_status store_program_put(store_txn *txn, const char *hash, const char *how, const void *bytes, uint64_t size) {
    uint8_t raw[32];
    store_status status = writable(txn);
    if (status != STORE_OK) { return status; }
    if (!store_hash_of_text(hash, raw)) { return db_fail(txn, STORE_INVALID, "that is no hash of a content"); }
    if (size > STORE_FILE_MAX) { return db_fail(txn, STORE_LIMIT, "the program is too large to be kept"); }
    sqlite3_stmt *row = on_program(txn, SQL_PROGRAM_PUT, raw, how);
    if (row == NULL) { return txn->error.status; }
    sqlite3_bind_blob64(row, 3, size > 0 ? bytes : "", size, SQLITE_STATIC);
    status = db_run(txn, row);
    sqlite3_clear_bindings(row);
    return status;
}

// --------------------------------------------------------------------------------------------------------------- lists

enum { QUERY_MAX = 4096, QUERY_WORDS_MAX = 32 };

static bool is_word_sign(unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The words of a query as FTS5 wants them: each quoted, so that none is an operator, all to be found, the last one by
// its beginning. "" : there is no word in it, and nothing is found. false: too long.
static bool query_of(const char *query, char out[QUERY_MAX * 2]) {
    char *end = out;
    unsigned count = 0;
    *end = 0;
    if (strlen(query) > QUERY_MAX / 2) { return false; }
    for (const char *c = query; *c != 0;) {
        if (!is_word_sign((unsigned char)*c)) {
            c++;
            continue;
        }
        if (++count > QUERY_WORDS_MAX) { return false; }
        if (end != out) { *end++ = ' '; }
        *end++ = '"';
        while (is_word_sign((unsigned char)*c)) { *end++ = *c++; }
        *end++ = '"';
    }
    if (end != out) { *end++ = '*'; }
    *end = 0;
    return true;
}

// The place behind which a page begins: a digit for the area and the id's bytes in hexadecimal.
static const char *cursor_of(store_txn *txn, const store_item *item) {
    const size_t size = strlen(item->id);
    char *text = db_alloc(txn, size * 2 + 2);
    if (text == NULL) { return NULL; }
    text[0] = (char)('0' + (int)item->area);
    for (size_t i = 0; i < size; i++) { snprintf(text + 1 + 2 * i, 3, "%02x", (unsigned)(unsigned char)item->id[i]); }
    text[1 + 2 * size] = 0;
    return text;
}

static bool read_cursor(const char *cursor, store_area *area, char id[STORE_ID_MAX + 1]) {
    const size_t size = strnlen(cursor, STORE_ID_MAX * 2 + 2);
    if (size < 3 || size % 2 == 0 || size > STORE_ID_MAX * 2 + 1) { return false; }
    *area = (store_area)(cursor[0] - '0');
    for (size_t i = 1; i < size; i += 2) {
        const char pair[3] = {cursor[i], cursor[i + 1], 0};
        if (strspn(pair, "0123456789abcdef") != 2) { return false; }
        id[i / 2] = (char)strtoul(pair, NULL, 16);
    }
    id[size / 2] = 0;
    return is_area(*area) && store_id_is_good(*area, id);
}

typedef struct listing { // a filter as SQL: its conditions use named values, bound where they are there
    char sql[1536];
    char query[QUERY_MAX * 2];
    store_area after_area;
    char after[STORE_ID_MAX + 1];
} listing;

static store_status start_listing(store_txn *txn, const store_filter *filter, const char *cursor, listing *l) {
    store_status status = db_start(txn);
    if (status == STORE_OK && filter->query != NULL) { status = db_write_found(txn); }
    if (status != STORE_OK) { return status; }
    l->query[0] = l->after[0] = 0;
    if (filter->area != STORE_ANY_AREA && !is_area(filter->area)) {
        return db_fail(txn, STORE_INVALID, "%d is no area of the library", (int)filter->area);
    }
    if (cursor != NULL && !read_cursor(cursor, &l->after_area, l->after)) {
        return db_fail(txn, STORE_INVALID, "'%.100s' is no place in a list", cursor);
    }
    if (filter->query != NULL && !query_of(filter->query, l->query)) {
        return db_fail(txn, STORE_INVALID, "the query has more than %d words or %d bytes", QUERY_WORDS_MAX,
                       QUERY_MAX / 2);
    }
    if (filter->prefix != NULL && strlen(filter->prefix) > STORE_ID_MAX) {
        return db_fail(txn, STORE_INVALID, "no id is as long as that beginning of one");
    }
    return STORE_OK;
}

static void add_conditions(const store_filter *filter, bool after, listing *l) {
    const struct { bool there; const char *sql; } conditions[] = {
        {filter->area != STORE_ANY_AREA, " AND i.area = :area"},
        {filter->format != NULL, " AND i.format = :format"},
        {filter->kind != NULL, " AND i.kind = :kind"},
        {filter->prefix != NULL && *filter->prefix != 0, " AND i.id >= :prefix AND substr(i.id, 1, :size) = :prefix"},
        {after, " AND (i.area, i.id) > (:after_area, :after)"},
    };
    for (unsigned i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        if (conditions[i].there) { strcat(l->sql, conditions[i].sql); }
    }
}

static void bind(sqlite3_stmt *statement, const char *name, const char *text) {
    const int place = sqlite3_bind_parameter_index(statement, name);
    if (place > 0) { db_bind_text(statement, place, text); }
}

static void bind_number(sqlite3_stmt *statement, const char *name, int64_t number) {
    const int place = sqlite3_bind_parameter_index(statement, name);
    if (place > 0) { sqlite3_bind_int64(statement, place, number); }
}

static sqlite3_stmt *prepare_listing(store_txn *txn, const store_filter *filter, const listing *l) {
    sqlite3_stmt *statement = db_prepare(txn, l->sql);
    if (statement == NULL) { return NULL; }
    bind_number(statement, ":area", filter->area);
    bind(statement, ":format", filter->format);
    bind(statement, ":kind", filter->kind);
    bind(statement, ":prefix", filter->prefix);
    bind_number(statement, ":size", filter->prefix != NULL ? (int64_t)strlen(filter->prefix) : 0);
    bind_number(statement, ":after_area", l->after_area);
    bind(statement, ":after", l->after);
    bind(statement, ":query", l->query);
    return statement;
}

static store_status read_page(store_txn *txn, sqlite3_stmt *row, uint32_t limit, bool with_next, store_page *page) {
    store_item *items = NULL;
    uint32_t capacity = 0;
    store_status status = STORE_OK;
    if (row == NULL) { return txn->error.status; }
    bool more = false;
    while (status == STORE_OK && !more && db_row(txn, row, &status)) {
        more = page->count == limit;
        if (more) { break; }
        if (!db_grow(txn, (void **)&items, page->count, &capacity, sizeof *items)) { status = STORE_NO_MEMORY; }
        if (status == STORE_OK) { status = read_item(txn, row, &items[page->count]); }
        if (status == STORE_OK) { page->count++; }
    }
    sqlite3_finalize(row);
    page->items = items;
    if (status == STORE_OK && more && with_next) {
        page->next = cursor_of(txn, &items[page->count - 1]);
        if (page->next == NULL) { status = STORE_NO_MEMORY; }
    }
    return status;
}

static store_status check_limit(store_txn *txn, uint32_t limit) {
    if (limit >= 1 && limit <= STORE_PAGE_MAX) { return STORE_OK; }
    return db_fail(txn, STORE_INVALID, "a page has 1 to %d things, not %u", STORE_PAGE_MAX, limit);
}

static const store_filter everything;

store_status store_list(store_txn *txn, const store_filter *filter, const char *cursor, uint32_t limit,
                        store_page *page) {
    listing l;
    *page = (store_page){0};
    if (filter == NULL) { filter = &everything; }
    store_status status = start_listing(txn, filter, cursor, &l);
    if (status == STORE_OK) { status = check_limit(txn, limit); }
    if (status != STORE_OK || (filter->query != NULL && l.query[0] == 0)) { return status; }
    snprintf(l.sql, sizeof l.sql, "SELECT " ITEM_COLUMNS " FROM item i JOIN past p ON p.revision = i.revision"
             " WHERE %s", filter->query != NULL ? "i.revision IN (SELECT rowid FROM fts WHERE fts MATCH :query)" : "1");
    add_conditions(filter, cursor != NULL, &l);
    strcat(l.sql, " ORDER BY i.area, i.id LIMIT :limit");
    sqlite3_stmt *row = prepare_listing(txn, filter, &l);
    if (row != NULL) { bind_number(row, ":limit", (int64_t)limit + 1); }
    return read_page(txn, row, limit, true, page);
}

store_status store_search(store_txn *txn, const store_filter *filter, uint32_t limit, store_page *page) {
    listing l;
    *page = (store_page){0};
    store_status status = start_listing(txn, filter, NULL, &l);
    if (status == STORE_OK) { status = check_limit(txn, limit); }
    if (status == STORE_OK && filter->query == NULL) { status = db_fail(txn, STORE_INVALID, "there is no query"); }
    if (status != STORE_OK || l.query[0] == 0) { return status; }
    // A word in an id or a name counts for more than one in the text.
    snprintf(l.sql, sizeof l.sql, "SELECT " ITEM_COLUMNS " FROM fts JOIN item i ON i.revision = fts.rowid"
             " JOIN past p ON p.revision = i.revision WHERE fts MATCH :query");
    add_conditions(filter, false, &l);
    strcat(l.sql, " ORDER BY bm25(fts, 8.0, 1.0, 1.0, 8.0, 1.0), i.area, i.id LIMIT :limit");
    sqlite3_stmt *row = prepare_listing(txn, filter, &l);
    if (row != NULL) { bind_number(row, ":limit", limit); }
    return read_page(txn, row, limit, false, page);
}

store_status store_count(store_txn *txn, const store_filter *filter, uint64_t *count) {
    listing l;
    *count = 0;
    if (filter == NULL) { filter = &everything; }
    store_status status = start_listing(txn, filter, NULL, &l);
    if (status != STORE_OK || (filter->query != NULL && l.query[0] == 0)) { return status; }
    snprintf(l.sql, sizeof l.sql, "SELECT count(*) FROM item i WHERE %s",
             filter->query != NULL ? "i.revision IN (SELECT rowid FROM fts WHERE fts MATCH :query)" : "1");
    add_conditions(filter, false, &l);
    sqlite3_stmt *row = prepare_listing(txn, filter, &l);
    if (row == NULL) { return txn->error.status; }
    if (db_row(txn, row, &status)) { *count = (uint64_t)sqlite3_column_int64(row, 0); }
    sqlite3_finalize(row);
    return status;
}
