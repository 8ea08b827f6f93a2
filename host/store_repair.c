// See store.h: the repair. Whatever rows the pages of the damaged file still give are put into a new file; what cannot
// prove itself by its hash is taken out again; then everything else is worked out anew. It is safe to gather rows like
// that, whatever they were part of, because a library is only ever added to: a revision and a content never change.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/store_check.h"
#include "host/store_pages.h"

enum { NAMES_TRIED = 1000, LOCK_NONE = 0, LOCK_SHARED = 1, LOCK_EXCLUSIVE = 4 }; // the latter are SQLite's

typedef enum sort { // of rows
    ROW_BLOB, ROW_PAST, ROW_FILE, ROW_USE, ROW_ITEM, ROW_REF, ROW_OF, ROW_FTS, ROW_META, ROW_SEQUENCE, ROW_SORTS
} sort;

// What the rows look like: the types of their columns, '?' a whole number or none; and where they are put. What is not
// a table of the library's own is put beside, in memory, to be asked for what the tables do not say any more.
static const struct { bool keyed; const char *types, *sql; } sorts[ROW_SORTS] = {
    [ROW_BLOB] = {true, "nbib", "INSERT OR IGNORE INTO main.blob(id, hash, size, bytes) VALUES(?1, ?2, ?3, ?4)"},
    [ROW_PAST] = {true, "nitiiittttiibbiiiii?",
                  "INSERT OR IGNORE INTO main.past VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
                  " ?15, ?16, ?17, ?18, ?19, ?20)"},
    [ROW_FILE] = {false, "iiti", "INSERT OR IGNORE INTO main.past_file VALUES(?1, ?2, ?3, ?4)"},
    [ROW_USE] = {false, "iiittti", "INSERT OR IGNORE INTO main.past_use VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
    [ROW_ITEM] = {false, "ititt", "INSERT OR IGNORE INTO old_item VALUES(?1, ?2, ?3, ?4, ?5)"},
    [ROW_REF] = {false, "itiittti", "INSERT OR IGNORE INTO old_ref VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
    [ROW_OF] = {false, "itii", "INSERT OR IGNORE INTO old_of SELECT ?1, ?2, ?3 WHERE ?3 = ?4"}, // of an index
    [ROW_FTS] = {true, "nttttt", "INSERT OR IGNORE INTO old_fts VALUES(?1, ?2, ?3, ?4, ?5, ?6)"},
    [ROW_META] = {false, "tt", "UPDATE main.meta SET value = ?2 WHERE key = ?1 AND key = 'library' AND"
                               " length(?2) = 32 AND ?2 NOT GLOB '*[^0-9a-f]*'"},
    [ROW_SEQUENCE] = {true, "ti", "INSERT INTO old_sequence SELECT ?2 WHERE ?1 = 'past'"},
};

static const char beside[] =
    "CREATE TEMP TABLE old_item(area, id, revision INTEGER, format, kind, PRIMARY KEY(area, id, revision));"
    "CREATE TEMP TABLE old_ref(area, id, position, to_area, to_id, place, role, needed, PRIMARY KEY(area, id,"
    " position));"
    "CREATE TEMP TABLE old_of(area, id, revision INTEGER PRIMARY KEY);"
    "CREATE TEMP TABLE old_fts(revision INTEGER PRIMARY KEY, id, format, kind, name, words);"
    "CREATE TEMP TABLE old_sequence(seq INTEGER);";

typedef struct repair {
    store s;                  // of the new file, as far as its own functions look at it
    db_connection connection;
    store_txn txn;
    sqlite3_stmt *add[ROW_SORTS];
    store_finding_fn finding;
    void *context;
    const char *path;
    uint64_t whole;           // revisions that prove themselves
    bool has_name;            // the library's own name was found
} repair;

#define SAY(r, area, id, is_whole, ...) store_say((r)->finding, (r)->context, area, id, is_whole, __VA_ARGS__)

// ----------------------------------------------------------------------------------------------------------- gathering

static bool fits(const pages_row *row, sort kind) {
    const char *types = sorts[kind].types;
    if (row->keyed != sorts[kind].keyed || row->count != strlen(types)) { return false; }
    for (unsigned i = 0; i < row->count; i++) {
        const char type = row->values[i].type;
        if (type != types[i] && !(types[i] == '?' && (type == 'i' || type == 'n'))) { return false; }
    }
    return true;
}

static void bind(sqlite3_stmt *add, int place, const pages_value *value) {
    if (value->type == 'i') {
        sqlite3_bind_int64(add, place, value->number);
    } else if (value->type == 't') {
        sqlite3_bind_text64(add, place, (const char *)value->bytes, value->size, SQLITE_STATIC, SQLITE_UTF8);
    } else if (value->type == 'b') {
        sqlite3_bind_blob64(add, place, value->size > 0 ? value->bytes : (const uint8_t *)"", value->size,
                            SQLITE_STATIC);
    } else {
        sqlite3_bind_null(add, place);
    }
}

static bool is_proven(const pages_row *row) { // of a content
    const store_raw_hash hash = store_hash_raw(row->values[3].bytes, row->values[3].size);
    return row->values[1].size == 32 && memcmp(row->values[1].bytes, hash.bytes, 32) == 0;
}

static bool take_row(void *context, const pages_row *row) {
    repair *r = context;
    sort kind = ROW_SORTS;
    for (int i = 0; i < ROW_SORTS && kind == ROW_SORTS; i++) {
        if (fits(row, (sort)i)) { kind = (sort)i; }
    }
    if (kind == ROW_SORTS || (kind == ROW_BLOB && !is_proven(row))) { return true; }
    sqlite3_stmt *add = r->add[kind];
    for (unsigned i = 0; i < row->count; i++) { bind(add, (int)i + 1, &row->values[i]); }
    const bool has_key_column = sorts[kind].types[0] == 'n';
    if (has_key_column) { sqlite3_bind_int64(add, 1, row->key); }
    // The size stands in the row too, where it may be wrong.
    if (kind == ROW_BLOB) { sqlite3_bind_int64(add, 3, (int64_t)row->values[3].size); }
    while (sqlite3_step(add) == SQLITE_ROW) {}
    const int code = sqlite3_reset(add);
    sqlite3_clear_bindings(add);
    if (kind == ROW_META && code == SQLITE_OK && sqlite3_changes(r->connection.db) > 0) { r->has_name = true; }
    if (code == SQLITE_OK || (code & 0xFF) == SQLITE_CONSTRAINT || (code & 0xFF) == SQLITE_MISMATCH) { return true; }
    db_fail_sql(&r->txn);
    return false;
}

// -------------------------------------------------------------------------------------------------------------- asking

static store_status run(repair *r, const char *sql) {
    if (sqlite3_exec(r->connection.db, sql, NULL, NULL, NULL) == SQLITE_OK) { return STORE_OK; }
    return db_fail_sql(&r->txn);
}

static store_status run_on(repair *r, const char *sql, int64_t number) {
    sqlite3_stmt *statement = db_prepare(&r->txn, sql);
    if (statement == NULL) { return r->txn.error.status; }
    sqlite3_bind_int64(statement, 1, number);
    const store_status status = db_run(&r->txn, statement);
    sqlite3_finalize(statement);
    return status;
}

typedef store_status each_fn(repair *r, sqlite3_stmt *row);
static store_status each(repair *r, const char *sql, each_fn *handle) {
    store_status status = STORE_OK, handled = STORE_OK;
    sqlite3_stmt *row = db_prepare(&r->txn, sql);
    if (row == NULL) { return r->txn.error.status; }
    while (handled == STORE_OK && db_row(&r->txn, row, &status)) {
        db_chunk *rest = db_aside(&r->txn);
        handled = handle(r, row);
        if (handled == STORE_OK) { handled = db_write_found(&r->txn); }
        r->txn.found = NULL;
        r->txn.found_count = r->txn.found_capacity = 0;
        r->txn.changes = NULL; // nobody is told of them, and their memory goes now
        r->txn.change_count = r->txn.change_capacity = 0;
        db_back(&r->txn, rest);
    }
    sqlite3_finalize(row);
    return handled != STORE_OK ? handled : status;
}

// --------------------------------------------------------------------------------------------- rows that are made anew

// A revision whose own row is gone, and whose thing was of that revision: the list says what it was, the search rows
// what it was called, and its files are there.
static store_status make_past(repair *r, sqlite3_stmt *row) {
    store_txn *txn = &r->txn;
    const int64_t revision = sqlite3_column_int64(row, 2), now = db_now_ms(&r->s);
    const char *words = (const char *)sqlite3_column_text(row, 6);
    const size_t size = (size_t)sqlite3_column_bytes(row, 6);
    int64_t blob = 0;
    if (size > 0) {
        const store_raw_hash hash = store_hash_raw(words, size);
        const store_status status = db_blob(txn, hash.bytes, words, size, &blob);
        if (status != STORE_OK) { return status; }
    }
    // The hash and the numbers that follow from it are set when the revision is looked at.
    sqlite3_stmt *add = db_prepare(
        txn, "INSERT INTO past SELECT ?1, ?2, ?3, 2, ?4, 1 + coalesce((SELECT max(version) FROM past WHERE area = ?2"
             " AND id = ?3), 0), ?5, ?6, ?7, '', ?4, ?4, zeroblob(32), zeroblob(32), 0, (SELECT count(*) FROM past_file"
             " WHERE revision = ?1), (SELECT count(*) FROM past_use WHERE revision = ?1), 0, 0, nullif(?8, 0)");
    if (add == NULL) { return txn->error.status; }
    sqlite3_bind_int64(add, 1, revision);
    sqlite3_bind_int64(add, 2, sqlite3_column_int64(row, 0));
    db_bind_text(add, 3, (const char *)sqlite3_column_text(row, 1));
    sqlite3_bind_int64(add, 4, now);
    for (int i = 3; i < 6; i++) { db_bind_text(add, i + 2, (const char *)sqlite3_column_text(row, i)); }
    sqlite3_bind_int64(add, 8, blob);
    store_status status = db_run(txn, add);
    sqlite3_finalize(add);
    store_revision_row made;
    if (status == STORE_OK) { status = store_revision_read(txn, revision, &made); }
    if (status != STORE_OK) { return status; }
    if ((made.faults & (REVISION_FIELDS | REVISION_FILES)) != 0) { // then it is none, and is taken out below
        return STORE_OK;
    }
    add = db_prepare(txn, "UPDATE past SET hash = ?2, seal = ?3, size = ?4 WHERE revision = ?1");
    if (add == NULL) { return txn->error.status; }
    sqlite3_bind_int64(add, 1, revision);
    sqlite3_bind_blob(add, 2, made.hash.bytes, 32, SQLITE_STATIC);
    sqlite3_bind_blob(add, 3, made.seal.bytes, 32, SQLITE_STATIC);
    sqlite3_bind_int64(add, 4, (int64_t)made.size);
    status = db_run(txn, add);
    sqlite3_finalize(add);
    SAY(r, made.put.area, made.put.id, false,
        "it was put together from its files; its dates, numbers and origin are lost");
    return status;
}

static store_status rename_past(repair *r, sqlite3_stmt *row) {
    const store_area area = (store_area)sqlite3_column_int(row, 0);
    const char *id = (const char *)sqlite3_column_text(row, 1);
    const int64_t revision = sqlite3_column_int64(row, 2);
    if (!store_id_is_good(area, id)) { return STORE_OK; }
    sqlite3_stmt *set = db_prepare(&r->txn, "UPDATE past SET area = ?2, id = ?3 WHERE revision = ?1");
    if (set == NULL) { return r->txn.error.status; }
    sqlite3_bind_int64(set, 1, revision);
    sqlite3_bind_int(set, 2, (int)area);
    db_bind_text(set, 3, id);
    const store_status status = db_run(&r->txn, set);
    sqlite3_finalize(set);
    SAY(r, area, id, true, "its revision %lld was called otherwise", (long long)revision);
    return status;
}

static store_status make_rows(repair *r) {
    // References that are lost in one place and stand in the other.
    store_status status = run(
        r, "INSERT OR IGNORE INTO past_use SELECT i.revision, o.position, o.to_area, o.to_id, o.place, o.role, o.needed"
           " FROM old_ref o JOIN (SELECT area, id, max(revision) AS revision FROM old_item GROUP BY area, id) i"
           " ON i.area = o.area AND i.id = o.id WHERE o.position < coalesce((SELECT use_count FROM past p WHERE"
           " p.revision = i.revision), 9e9)");
    if (status == STORE_OK) { // two that say the same against one
        status = each(r, "SELECT i.area, i.id, p.revision FROM past p JOIN old_item i ON i.revision = p.revision"
                         " LEFT JOIN old_of o ON o.revision = p.revision LEFT JOIN old_fts f ON f.revision = p.revision"
                         " WHERE (i.area != p.area OR i.id != p.id) AND ((o.area = i.area AND o.id = i.id) OR f.id ="
                         " i.id)", rename_past);
    }
    if (status != STORE_OK) { return status; }
    return each(r, "SELECT o.area, o.id, o.revision, o.format, o.kind, coalesce(f.name, o.id), f.words FROM old_item o"
                   " LEFT JOIN old_fts f ON f.revision = o.revision AND f.id = o.id WHERE o.revision > 0 AND NOT EXISTS"
                   " (SELECT 1 FROM past p WHERE p.revision = o.revision) AND EXISTS (SELECT 1 FROM past_file f"
                   " WHERE f.revision = o.revision) AND o.revision = (SELECT max(n.revision) FROM old_item n"
                   " WHERE n.area = o.area AND n.id = o.id)", make_past);
}

// -------------------------------------------------------------------------------------------------- what proves itself

// Writes what follows from the rest: it was damaged, or what it was made of is.
static store_status seal_anew(repair *r, int64_t revision, bool without_words) {
    store_revision_row row;
    store_status status = STORE_OK;
    if (without_words) { status = run_on(r, "UPDATE past SET words = NULL WHERE revision = ?1", revision); }
    if (status == STORE_OK) { // the places of the references that are left, without holes
        status = run_on(r, "UPDATE past_use SET position = -1 - (SELECT count(*) FROM past_use o WHERE o.revision = ?1"
                           " AND o.position >= 0 AND o.position < past_use.position) WHERE revision = ?1", revision);
    }
    if (status == STORE_OK) {
        status = run_on(r, "UPDATE past_use SET position = -1 - position WHERE revision = ?1 AND position < 0",
                        revision);
    }
    if (status == STORE_OK) { status = store_revision_read(&r->txn, revision, &row); }
    if (status != STORE_OK) { return status; }
    sqlite3_stmt *set = db_prepare(&r->txn, "UPDATE past SET use_count = ?2, size = ?3, seal = ?4, version = ?5"
                                            " WHERE revision = ?1");
    if (set == NULL) { return r->txn.error.status; }
    sqlite3_bind_int64(set, 1, revision);
    sqlite3_bind_int64(set, 2, row.put.use_count);
    sqlite3_bind_int64(set, 3, (int64_t)row.size);
    sqlite3_bind_blob(set, 4, row.seal.bytes, 32, SQLITE_STATIC);
    sqlite3_bind_int64(set, 5, row.version < 1 ? 1 : row.version);
    status = db_run(&r->txn, set);
    sqlite3_finalize(set);
    return status;
}

static store_status leave_out(repair *r, int64_t revision) {
    store_status status = run_on(r, "DELETE FROM past_file WHERE revision = ?1", revision);
    if (status == STORE_OK) { status = run_on(r, "DELETE FROM past_use WHERE revision = ?1", revision); }
    if (status == STORE_OK) { status = run_on(r, "DELETE FROM past WHERE revision = ?1", revision); }
    return status;
}

// Its files are what it is: with them it stays, whatever else is lost of it.
static store_status prove(repair *r, sqlite3_stmt *row) {
    store_revision_row it;
    const int64_t revision = sqlite3_column_int64(row, 0);
    const store_status status = store_revision_read(&r->txn, revision, &it);
    if (status != STORE_OK) { return status; }
    const store_put *put = &it.put;
    if ((it.faults & REVISION_HASH) == 0 && revision > 0 && (it.faults & (REVISION_FIELDS | REVISION_FILES)) == 0) {
        r->whole++;
        if (it.faults == 0) { return STORE_OK; }
        const bool lost = (it.faults & (REVISION_USES | REVISION_WORDS | REVISION_SEAL)) != 0;
        SAY(r, put->area, put->id, !lost, "revision %lld: %s", (long long)revision,
            (it.faults & REVISION_USES) != 0    ? "some of its references are lost"
            : (it.faults & REVISION_WORDS) != 0 ? "the words that it is found by are lost"
            : lost                              ? "its name, kind, origin, numbers or references may be wrong"
                                                : "its size was wrong");
        return seal_anew(r, revision, (it.faults & REVISION_WORDS) != 0);
    }
    SAY(r, put->area, put->id, false, "revision %lld is lost: %s", (long long)revision,
        (it.faults & REVISION_FILES) != 0    ? "not all of its files can be read"
        : (it.faults & REVISION_FIELDS) != 0 ? "what is told of it is damaged"
                                             : "its files are not those that it was made of");
    return leave_out(r, revision);
}

static store_status count_anew(repair *r, sqlite3_stmt *row) {
    sqlite3_stmt *set = db_prepare(
        &r->txn, "UPDATE past SET version = n.place FROM (SELECT revision AS of, row_number() OVER (ORDER BY revision)"
                 " AS place FROM past WHERE area = ?1 AND id = ?2) AS n WHERE past.revision = n.of");
    if (set == NULL) { return r->txn.error.status; }
    sqlite3_bind_int64(set, 1, sqlite3_column_int64(row, 0));
    db_bind_text(set, 2, (const char *)sqlite3_column_text(row, 1));
    SAY(r, (store_area)sqlite3_column_int(row, 0), (const char *)sqlite3_column_text(row, 1), true,
        "its versions are counted anew");
    const store_status status = db_run(&r->txn, set);
    sqlite3_finalize(set);
    return status;
}

static store_status prove_all(repair *r) {
    store_status status = each(r, "SELECT revision FROM past ORDER BY revision", prove);
    if (status == STORE_OK) {
        status = run(r, "DELETE FROM past_file WHERE revision NOT IN (SELECT revision FROM past);"
                        "DELETE FROM past_use WHERE revision NOT IN (SELECT revision FROM past)");
    }
    if (status == STORE_OK) {
        status = each(r, "SELECT DISTINCT area, id FROM (SELECT area, id, version, lag(version) OVER"
                         " (PARTITION BY area, id ORDER BY revision) AS before FROM past) WHERE before >= version",
                      count_anew);
    }
    // No number is used again that anything was ever called by.
    if (status == STORE_OK) {
        status = run(r, "DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence SELECT 'past', max(n) FROM"
                        " (SELECT max(revision) AS n FROM past UNION ALL SELECT max(revision) FROM old_of"
                        " UNION ALL SELECT max(revision) FROM old_item UNION ALL SELECT max(seq) FROM old_sequence"
                        " UNION ALL SELECT 0)");
    }
    return status;
}

// --------------------------------------------------------------------------------------------------- what is there now

// Rows: area, id, newest revision that is left, its action, the revision that the list has (0: none), the newest that
// is known of (0: none).
static store_status install(repair *r, sqlite3_stmt *row) {
    const store_area area = (store_area)sqlite3_column_int(row, 0);
    const char *id = db_text(&r->txn, row, 1);
    const int64_t left = sqlite3_column_int64(row, 2), listed = sqlite3_column_int64(row, 4);
    const bool deleted = sqlite3_column_int(row, 3) == STORE_DELETED, known_newer = sqlite3_column_int64(row, 5) > left;
    int64_t made = 0;
    if (id == NULL) { return STORE_NO_MEMORY; }
    if (listed > left) { // what it was last is lost
        const store_status status = db_copy_past(&r->txn, area, id, left, STORE_RESTORED, 0, &made);
        SAY(r, area, id, false, "it was taken back from revision %lld to what it was %s %lld", (long long)listed,
            deleted ? "before" : "at", (long long)left);
        return status == STORE_OK ? db_install(&r->txn, area, id, made, 0) : status;
    }
    if (deleted) { return STORE_OK; }
    if (listed == 0 && known_newer) { // that it was deleted is lost with its row
        SAY(r, area, id, true, "it was deleted after revision %lld, and stays so", (long long)left);
        return db_copy_past(&r->txn, area, id, left, STORE_DELETED, 0, &made);
    }
    return db_install(&r->txn, area, id, left, 0);
}

static store_status say_lost(repair *r, sqlite3_stmt *row) {
    SAY(r, (store_area)sqlite3_column_int(row, 0), (const char *)sqlite3_column_text(row, 1), false,
        "it is lost: no revision of it is whole");
    return STORE_OK;
}

static store_status let_go(repair *r, sqlite3_stmt *row) {
    const int64_t revision = sqlite3_column_int64(row, 2);
    SAY(r, (store_area)sqlite3_column_int(row, 0), (const char *)sqlite3_column_text(row, 1), false,
        "it needs '%s', which is lost (%s)", (const char *)sqlite3_column_text(row, 3),
        (const char *)sqlite3_column_text(row, 4));
    sqlite3_stmt *set = db_prepare(&r->txn, "UPDATE past_use SET needed = 0 WHERE revision = ?1 AND position = ?2");
    if (set == NULL) { return r->txn.error.status; }
    sqlite3_bind_int64(set, 1, revision);
    sqlite3_bind_int64(set, 2, sqlite3_column_int64(row, 5));
    store_status status = db_run(&r->txn, set);
    sqlite3_finalize(set);
    if (status == STORE_OK) { status = seal_anew(r, revision, false); }
    if (status == STORE_OK) {
        status = run_on(r, "UPDATE ref SET needed = u.needed FROM past_use u, item i WHERE u.revision = ?1 AND"
                           " i.revision = ?1 AND ref.area = i.area AND ref.id = i.id AND ref.position = u.position",
                        revision);
    }
    return status;
}

static store_status install_all(repair *r) {
    store_status status = run(
        r, "CREATE INDEX temp.of_thing ON old_of(area, id, revision); CREATE TEMP TABLE thing AS SELECT p.area AS area,"
           " p.id AS id, p.newest AS newest, p.action AS action, coalesce((SELECT max(revision) FROM old_item i"
           " WHERE i.area = p.area AND i.id = p.id), 0) AS listed, coalesce((SELECT max(revision) FROM old_of o"
           " WHERE o.area = p.area AND o.id = p.id), 0) AS known"
           " FROM (SELECT area, id, action, max(revision) AS newest FROM past GROUP BY area, id) AS p");
    if (status == STORE_OK) {
        status = each(r, "SELECT area, id, newest, action, listed, known FROM thing ORDER BY area, id", install);
    }
    if (status == STORE_OK) {
        status = each(r, "SELECT DISTINCT o.area, o.id FROM old_item o WHERE NOT EXISTS (SELECT 1 FROM past p"
                         " WHERE p.area = o.area AND p.id = o.id) ORDER BY o.area, o.id", say_lost);
    }
    if (status == STORE_OK) {
        status = run(r, "CREATE TEMP TABLE gone AS SELECT r.area AS area, r.id AS id, i.revision AS revision, r.to_id"
                        " AS to_id, r.place AS place, r.position AS position FROM ref r JOIN item i ON i.area = r.area"
                        " AND i.id = r.id WHERE r.needed != 0 AND NOT EXISTS (SELECT 1 FROM item t"
                        " WHERE t.area = r.to_area AND t.id = r.to_id)");
    }
    if (status == STORE_OK) {
        status = each(r, "SELECT area, id, revision, to_id, place, position FROM gone ORDER BY area, id, position",
                      let_go);
    }
    return status;
}

// -------------------------------------------------------------------------------------------------------- the new file

static store_status start(repair *r, const char *part) {
    sqlite3 **db = &r->connection.db;
    char *uri = db_uri(part, "");
    if (uri == NULL) { return db_fail(&r->txn, STORE_NO_MEMORY, "there is not enough memory"); }
    int code = db_open(uri, SQLITE_OPEN_READWRITE, 1000, db);
    free(uri);
    if (*db == NULL) { return db_fail(&r->txn, STORE_NO_MEMORY, "there is not enough memory"); }
    if (code == SQLITE_OK) { code = db_make(*db); }
    // Nobody looks at it before it is whole, so that it needs no journal.
    if (code == SQLITE_OK) {
        code = sqlite3_exec(*db, "PRAGMA foreign_keys=OFF; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF", NULL, NULL,
                            NULL);
    }
    if (code == SQLITE_OK) { code = sqlite3_exec(*db, beside, NULL, NULL, NULL); }
    if (code == SQLITE_OK) { code = sqlite3_exec(*db, "BEGIN", NULL, NULL, NULL); }
    for (int i = 0; i < ROW_SORTS && code == SQLITE_OK; i++) {
        code = sqlite3_prepare_v2(*db, sorts[i].sql, -1, &r->add[i], NULL);
    }
    if (code == SQLITE_OK) { return STORE_OK; }
    store_error *error = &r->txn.error;
    *error = (store_error){0};
    error->status = db_status_of(*db, code, error->text, sizeof error->text, r->s.path);
    return error->status;
}

static void end(repair *r) {
    for (int i = 0; i < ROW_SORTS; i++) {
        sqlite3_finalize(r->add[i]);
        r->add[i] = NULL;
    }
    for (int i = 0; i < DB_STATEMENTS_MAX; i++) { sqlite3_finalize(r->connection.statements[i]); }
    sqlite3_close(r->connection.db);
    r->connection = (db_connection){0};
    db_back(&r->txn, NULL);
}

static store_status gather(repair *r, sqlite3_file *file, int log) {
    store_pages *pages = NULL;
    store_error error;
    store_status status = store_pages_open(file, log, &pages, &error);
    if (status == STORE_OK) { status = store_pages_each(pages, take_row, r, &error); }
    store_pages_close(pages);
    if (status != STORE_OK) { return db_fail(&r->txn, status, "%s", error.text); }
    return r->txn.broken;
}

static store_status rebuild(repair *r, const char *part, sqlite3_file *file, int log, bool foreign) {
    store_status status = start(r, part);
    if (status == STORE_OK) { status = gather(r, file, log); }
    if (status == STORE_OK) { status = make_rows(r); }
    if (status == STORE_OK) { status = prove_all(r); }
    if (status == STORE_OK && foreign && r->whole == 0) {
        status = db_fail(&r->txn, STORE_FOREIGN, "'%s' is no library, and nothing of one is in it", r->path);
    }
    if (status == STORE_OK) { status = install_all(r); }
    if (status == STORE_OK && !r->has_name) {
        SAY(r, STORE_ANY_AREA, NULL, true, "the library's own name is lost, and it has a new one");
    }
    if (status == STORE_OK) { status = run(r, "COMMIT; PRAGMA journal_mode=WAL"); }
    return status;
}

static void count_finding(void *context, const store_finding *finding) {
    (void)finding;
    ++*(uint64_t *)context;
}

// Whether anything is wrong in a library. `error` when it cannot be found out, or the file is none.
static store_status look_at(const char *path, uint64_t *found, store_error *error) {
    store *s = NULL;
    store_txn *txn = NULL;
    uint64_t counted = 0;
    *found = 0;
    store_status status = store_open(path, &(store_def){.read_only = true, .must_exist = true}, &s, error);
    if (status == STORE_OK) { status = store_begin(s, STORE_READ, &txn, error); }
    if (status == STORE_OK) {
        status = store_check(txn, NULL, NULL, count_finding, &counted, found);
        if (status != STORE_OK) { *error = *store_error_of(txn); }
        error->uses = NULL;
        store_rollback(txn);
    }
    store_close(s);
    return status;
}

// -------------------------------------------------------------------------------------------------------- in its place

static char *joined(const char *path, const char *suffix) {
    char *text = malloc(strlen(path) + strlen(suffix) + 1);
    if (text != NULL) { sprintf(text, "%s%s", path, suffix); }
    return text;
}

// Gives the damaged file and its log second names, of which neither may be taken. False: errno.
static bool keep_as(const char *path, const char *log, const char *kept, const char *kept_log) {
    if (link(path, kept) != 0) { return false; }
    if (link(log, kept_log) == 0) { return true; }
    const bool has_log = errno != ENOENT, taken = !has_log && access(kept_log, F_OK) == 0;
    if (!has_log && !taken) { return true; }
    const int number = taken ? EEXIST : errno; // a log of an older one must not become this one's
    unlink(kept);
    errno = number;
    return false;
}

// The damaged file stays under another name; then the new one takes its own. Until the last step the library is there
// as it was.
static store_status change_places(repair *r, const char *part) {
    char suffix[32] = ".damaged";
    char *kept = NULL, *kept_log = NULL, *log = joined(r->path, "-wal"), *shared = joined(r->path, "-shm");
    bool done = false, memory = log != NULL && shared != NULL;
    for (unsigned i = 1; memory && !done && i <= NAMES_TRIED; i++) {
        if (i > 1) { snprintf(suffix, sizeof suffix, ".damaged-%u", i); }
        free(kept);
        free(kept_log);
        kept = joined(r->path, suffix);
        kept_log = kept != NULL ? joined(kept, "-wal") : NULL;
        memory = kept_log != NULL;
        done = memory && keep_as(r->path, log, kept, kept_log);
        if (memory && !done && errno != EEXIST) { break; }
    }
    if (!memory) { errno = ENOMEM; }
    if (done) { // the old log must not be taken for the new file's
        done = (unlink(log) == 0 || errno == ENOENT) && (unlink(shared) == 0 || errno == ENOENT) &&
               rename(part, r->path) == 0 && store_sync_folder(r->path);
    }
    const int number = errno;
    if (done) { SAY(r, STORE_ANY_AREA, NULL, true, "the damaged file is kept as '%s'", kept); }
    free(kept);
    free(kept_log);
    free(log);
    free(shared);
    return done ? STORE_OK : db_fail(&r->txn, store_status_of_errno(number), "'%s' cannot be replaced: %s", r->path,
                                     strerror(number));
}

// The new file like the old one for those who may use it, and on the disk.
static store_status finish(repair *r, const char *part) {
    uint64_t found = 0;
    store_error error;
    struct stat status;
    store_status result = look_at(part, &found, &error);
    if (result != STORE_OK) { return db_fail(&r->txn, result, "%s", error.text); }
    if (found > 0) {
        return db_fail(&r->txn, STORE_CORRUPT, "'%s' cannot be repaired: what is left of it does not fit together",
                       r->path);
    }
    const int descriptor = open(part, O_RDWR | O_CLOEXEC);
    bool done = descriptor >= 0 && stat(r->path, &status) == 0;
    if (done) {
        // Whose it is can be kept by few; how it may be used by all.
        if (fchown(descriptor, status.st_uid, status.st_gid) != 0) { errno = 0; }
        done = fchmod(descriptor, status.st_mode & 07777) == 0 && fsync(descriptor) == 0;
    }
    const int number = errno;
    if (descriptor >= 0) { close(descriptor); }
    return done ? STORE_OK : db_fail(&r->txn, store_status_of_errno(number), "'%s' cannot be written: %s", part,
                                     strerror(number));
}

static void remove_part(const char *part) {
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (unsigned i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *name = joined(part, suffixes[i]);
        if (name != NULL) { unlink(name); }
        free(name);
    }
}

static store_status repair_file(repair *r, sqlite3_file *file, int log, bool foreign) {
    char *part = joined(r->path, ".repair-XXXXXX");
    const int made = part != NULL ? mkstemp(part) : -1;
    if (made < 0) {
        const int number = part != NULL ? errno : ENOMEM;
        free(part);
        return db_fail(&r->txn, store_status_of_errno(number), "no file can be made beside '%s': %s", r->path,
                       strerror(number));
    }
    close(made);
    r->s.path = part; // what errors of writing name
    store_status status = rebuild(r, part, file, log, foreign);
    const store_error error = r->txn.error;
    end(r);
    r->txn.error = error;
    if (status == STORE_OK) { status = finish(r, part); }
    if (status == STORE_OK) { status = change_places(r, part); }
    remove_part(part);
    free(part);
    return status;
}

// Holds the file so that nobody else can: not by asking for anything in it, which may be damaged.
static store_status lock_file(repair *r, sqlite3 **db, sqlite3_file **file) {
    char *uri = db_uri(r->path, "");
    if (uri == NULL) { return db_fail(&r->txn, STORE_NO_MEMORY, "there is not enough memory"); }
    const int code = sqlite3_open_v2(uri, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    free(uri);
    *file = code == SQLITE_OK ? db_file(*db) : NULL;
    if (*file == NULL) { return db_fail(&r->txn, STORE_IO, "'%s' cannot be opened for writing", r->path); }
    const sqlite3_io_methods *methods = (*file)->pMethods;
    if (methods->xLock(*file, LOCK_SHARED) != SQLITE_OK || methods->xLock(*file, LOCK_EXCLUSIVE) != SQLITE_OK) {
        return db_fail(&r->txn, STORE_BUSY, "'%s' is open elsewhere; try again when it is done", r->path);
    }
    return STORE_OK;
}

// Looking leaves files of SQLite's beside the library. With nothing in them, and nobody else at it, they go again.
static void take_away_log(const char *path, const char *log_name) {
    struct stat log;
    char *shared = joined(path, "-shm");
    if (stat(log_name, &log) == 0 && log.st_size == 0 && shared != NULL) {
        unlink(log_name);
        unlink(shared);
    }
    free(shared);
}

store_status store_repair(const char *path, store_finding_fn finding, void *finding_context, bool *changed,
                          store_error *error) {
    uint64_t found = 0;
    sqlite3 *db = NULL;
    sqlite3_file *file = NULL;
    struct stat kind;
    *changed = false;
    store_status status = look_at(path, &found, error);
    if (status != STORE_OK && status != STORE_CORRUPT && status != STORE_FOREIGN && status != STORE_IO) {
        return status;
    }
    const bool foreign = status == STORE_FOREIGN;
    if (stat(path, &kind) != 0 || !S_ISREG(kind.st_mode)) { return status != STORE_OK ? status : STORE_IO; }
    const bool is_whole = status == STORE_OK && found == 0;
    const store_error why = *error;
    char *log_name = joined(path, "-wal");
    repair r = {.path = path, .finding = finding, .context = finding_context};
    r.txn = (store_txn){.s = &r.s, .connection = &r.connection, .write = true};
    status = log_name != NULL ? lock_file(&r, &db, &file)
                              : db_fail(&r.txn, STORE_NO_MEMORY, "there is not enough memory");
    if (status == STORE_OK && !is_whole) {
        const int log = open(log_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        status = repair_file(&r, file, log, foreign);
        if (log >= 0) { close(log); }
    }
    if (file != NULL && status != STORE_BUSY) { take_away_log(path, log_name); }
    if (is_whole) { status = STORE_OK; } // nothing was to be done, whoever has it
    *changed = status == STORE_OK && !is_whole;
    *error = status == STORE_OK ? (store_error){0} : status == STORE_FOREIGN ? why : r.txn.error;
    error->uses = NULL;
    if (file != NULL) { file->pMethods->xUnlock(file, LOCK_NONE); }
    sqlite3_close(db);
    free(log_name);
    return status;
}
