// See store.h: the check of a whole library, and copies of it. The check trusts nothing: each part is looked at by
// itself, and a part that cannot be read is a finding and no reason not to look at the next.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/store_check.h"

enum { FINDINGS_MAX = 1000, TEXT_MAX = 1024 }; // findings that are told one by one; bytes of one

enum { SQL_REVISION_ROW = DB_STATEMENTS_CHECK, SQL_REVISION_FILES, SQL_REVISION_USES, SQL_CHECK_BLOB, SQL_BLOB_OWNERS,
       SQL_CHECK_END };
_Static_assert((int)SQL_CHECK_END <= (int)DB_STATEMENTS_MAX, "every statement has a place in a connection");

static const char *const texts[SQL_CHECK_END] = {
    [SQL_REVISION_ROW] = "SELECT area, id, action, version, format, kind, name, origin, number_a, number_b, words,"
                         " hash, seal, size, file_count, use_count, (SELECT hash FROM blob WHERE blob.id = words)"
                         " FROM past WHERE revision = ?1",
    [SQL_REVISION_FILES] = "SELECT f.position, f.name, b.hash, b.size FROM past_file f"
                           " LEFT JOIN blob b ON b.id = f.blob WHERE f.revision = ?1 ORDER BY f.position",
    [SQL_REVISION_USES] = "SELECT position, to_area, to_id, place, role, needed FROM past_use WHERE revision = ?1"
                          " ORDER BY position",
    [SQL_CHECK_BLOB] = "SELECT hash, size, bytes FROM blob WHERE id = ?1",
    // Who has it now, and who had it once: the newest revision that names it, and whether that is the one there is.
    [SQL_BLOB_OWNERS] =
        "SELECT p.area, p.id, max(p.revision), f.name, i.revision IS NOT NULL FROM past_file f"
        " JOIN past p ON p.revision = f.revision LEFT JOIN item i ON i.revision = p.revision WHERE f.blob = ?1"
        " GROUP BY p.area, p.id"
        " UNION ALL SELECT p.area, p.id, max(p.revision), NULL, i.revision IS NOT NULL FROM past p"
        " LEFT JOIN item i ON i.revision = p.revision WHERE p.words = ?1 GROUP BY p.area, p.id",
};

static sqlite3_stmt *statement_at(store_txn *txn, int number, int64_t value) {
    sqlite3_stmt *statement = db_statement(txn, number, texts[number]);
    if (statement != NULL) { sqlite3_bind_int64(statement, 1, value); }
    return statement;
}

// ------------------------------------------------------------------------------------------------------------ findings

// Bytes of the UTF-8 sign at `text`; 0: there is none.
static size_t sign_size(const unsigned char *text) {
    const unsigned char c = text[0];
    const size_t size = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) { return 0; }
    }
    const bool is_long = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
    const bool is_none = (c == 0xED && text[1] >= 0xA0) || (c == 0xF4 && text[1] >= 0x90);
    return is_long || is_none ? 0 : size;
}

// What a damaged file says may be anything; here it becomes text on one line.
static void clean(char *text) {
    char *out = text;
    for (const char *in = text; *in != 0;) {
        const size_t size = sign_size((const unsigned char *)in);
        if (size == 0 || (size == 1 && ((unsigned char)*in < 0x20 || *in == 0x7F))) {
            *out++ = '?';
            in++;
        } else {
            for (size_t i = 0; i < size; i++) { *out++ = *in++; }
        }
    }
    *out = 0;
}

void store_say(store_finding_fn finding, void *context, store_area area, const char *id, bool mendable,
               const char *format, ...) {
    char text[TEXT_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    clean(text);
    const bool is_id = store_id_is_good(STORE_ANY_AREA, id);
    finding(context, &(store_finding){.area = area > STORE_ANY_AREA && area < STORE_AREA_COUNT ? area : STORE_ANY_AREA,
                                      .id = is_id ? id : NULL, .text = text, .mendable = mendable});
}

typedef struct checking {
    store_txn *txn;
    sqlite3 *db;
    store_finding_fn finding;
    void *context;
    uint64_t found;
    bool damaged;        // something could not be read
    store_status ended;  // why the check cannot go on: NO_MEMORY
} checking;

static void count(void *context, const store_finding *finding) {
    checking *c = context;
    if (c->found++ < FINDINGS_MAX) { c->finding(c->context, finding); }
}

// A part that cannot be read is a finding; false: the check is at its end.
static bool goes_on(checking *c, store_status status, const char *what) {
    if (status == STORE_OK || c->ended != STORE_OK) { return c->ended == STORE_OK; }
    if (status == STORE_NO_MEMORY) {
        c->ended = status;
        return false;
    }
    store_say(count, c, STORE_ANY_AREA, NULL, false, "%s cannot be read: %s", what, c->txn->error.text);
    c->damaged = true;
    c->txn->broken = STORE_OK;
    return true;
}

// ----------------------------------------------------------------------------------------------------- the file itself

static void check_pages(checking *c) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = db_prepare(c->txn, "PRAGMA integrity_check(100)");
    if (row == NULL) { status = c->txn->error.status; }
    while (row != NULL && db_row(c->txn, row, &status)) {
        const char *said = (const char *)sqlite3_column_text(row, 0);
        if (said == NULL || strcmp(said, "ok") == 0) { continue; }
        c->damaged = true;
        // SQLite's lines are several in one, the first only a headline.
        for (size_t size; *said != 0; said += size + (said[size] != 0)) {
            size = strcspn(said, "\n");
            if (size == 0 || strncmp(said, "***", 3) == 0) { continue; }
            store_say(count, c, STORE_ANY_AREA, NULL, false, "the file is damaged: %.*s", (int)size, said);
        }
    }
    sqlite3_finalize(row);
    goes_on(c, status, "the file");
}

static void check_links(checking *c) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = db_prepare(c->txn, "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check"
                                           " GROUP BY 1, 2");
    if (row == NULL) { status = c->txn->error.status; }
    while (row != NULL && db_row(c->txn, row, &status)) {
        const char *from = (const char *)sqlite3_column_text(row, 0), *to = (const char *)sqlite3_column_text(row, 1);
        store_say(count, c, STORE_ANY_AREA, NULL, false, "%lld rows of '%s' belong to a row of '%s' that is not there",
                  (long long)sqlite3_column_int64(row, 2), from != NULL ? from : "", to != NULL ? to : "");
    }
    sqlite3_finalize(row);
    goes_on(c, status, "the links between tables");
}

// ---------------------------------------------------------------------------------------------- contents and revisions

static void say_damaged_content(checking *c, int64_t blob) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_at(c->txn, SQL_BLOB_OWNERS, blob);
    bool owned = false;
    if (row == NULL) { status = c->txn->error.status; }
    while (row != NULL && db_row(c->txn, row, &status)) {
        const store_area area = (store_area)sqlite3_column_int(row, 0);
        const char *id = (const char *)sqlite3_column_text(row, 1), *name = (const char *)sqlite3_column_text(row, 3);
        const long long revision = sqlite3_column_int64(row, 2);
        const bool is_there = sqlite3_column_int(row, 4) != 0;
        owned = true;
        if (sqlite3_column_type(row, 3) == SQLITE_NULL) {
            store_say(count, c, area, id, false, "the words that revision %lld is found by are damaged", revision);
        } else {
            store_say(count, c, area, id, false, "the file '%s' of revision %lld%s is damaged: its bytes are not those "
                      "of its hash", name != NULL ? name : "", revision, is_there ? "" : ", which is not the newest,");
        }
    }
    if (row != NULL) { sqlite3_reset(row); }
    if (!owned && status == STORE_OK) {
        store_say(count, c, STORE_ANY_AREA, NULL, true, "a content that nothing names is damaged");
    }
    goes_on(c, status, "what belongs to a content");
}

static void check_content(checking *c, int64_t blob) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = statement_at(c->txn, SQL_CHECK_BLOB, blob);
    bool is_whole = false;
    if (row != NULL && db_row(c->txn, row, &status)) {
        const uint64_t size = (uint64_t)sqlite3_column_bytes(row, 2);
        const void *bytes = sqlite3_column_blob(row, 2);
        if (bytes == NULL && size > 0) { // its pages cannot be followed, or there is no memory for it
            status = sqlite3_errcode(c->db) == SQLITE_NOMEM ? STORE_NO_MEMORY : STORE_OK;
        } else {
            const store_raw_hash hash = store_hash_raw(bytes, size);
            is_whole = sqlite3_column_bytes(row, 0) == 32 && sqlite3_column_int64(row, 1) == (int64_t)size &&
                       memcmp(sqlite3_column_blob(row, 0), hash.bytes, 32) == 0;
        }
    } else if (row == NULL || status != STORE_OK) {
        status = row == NULL ? c->txn->error.status : status;
    }
    if (row != NULL) { sqlite3_reset(row); }
    if (status == STORE_NO_MEMORY) {
        goes_on(c, status, "");
    } else if (!is_whole) {
        c->damaged = true;
        c->txn->broken = STORE_OK;
        say_damaged_content(c, blob);
    }
}

// Hands every number that the statement gives to `look`.
static void each(checking *c, const char *sql, const char *what, void (*look)(checking *c, int64_t number)) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = db_prepare(c->txn, sql);
    if (row == NULL) { status = c->txn->error.status; }
    while (c->ended == STORE_OK && row != NULL && db_row(c->txn, row, &status)) {
        look(c, sqlite3_column_int64(row, 0));
    }
    sqlite3_finalize(row);
    goes_on(c, status, what);
}

static void read_put(store_txn *txn, sqlite3_stmt *row, store_revision_row *r) {
    r->put = (store_put){.area = (store_area)sqlite3_column_int(row, 0), .id = db_text(txn, row, 1),
                         .format = db_text(txn, row, 4), .kind = db_text(txn, row, 5), .name = db_text(txn, row, 6),
                         .origin = db_text(txn, row, 7), .number_a = sqlite3_column_int64(row, 8),
                         .number_b = sqlite3_column_int64(row, 9)};
    r->action = (store_action)sqlite3_column_int(row, 2);
    r->version = sqlite3_column_int64(row, 3);
    r->words = sqlite3_column_int64(row, 10);
}

static store_status read_revision_files(store_txn *txn, store_revision_row *r, store_raw_hash **hashes) {
    store_status status = STORE_OK;
    store_file *files = NULL;
    uint32_t room = 0, room_of_hashes = 0, n = 0;
    sqlite3_stmt *row = statement_at(txn, SQL_REVISION_FILES, r->revision);
    if (row == NULL) { return txn->error.status; }
    while (status == STORE_OK && n <= STORE_FILES_MAX && db_row(txn, row, &status)) {
        if (!db_grow(txn, (void **)&files, n, &room, sizeof *files) ||
            !db_grow(txn, (void **)hashes, n, &room_of_hashes, sizeof **hashes)) {
            status = STORE_NO_MEMORY;
            break;
        }
        files[n] = (store_file){.name = db_text(txn, row, 1), .size = (uint64_t)sqlite3_column_int64(row, 3)};
        if (files[n].name == NULL) { status = STORE_NO_MEMORY; }
        const bool has_hash = sqlite3_column_bytes(row, 2) == 32;
        (*hashes)[n] = (store_raw_hash){{0}};
        if (has_hash) { memcpy((*hashes)[n].bytes, sqlite3_column_blob(row, 2), 32); }
        if (!has_hash || sqlite3_column_int64(row, 0) != (int64_t)n) { r->faults |= REVISION_FILES; }
        r->size += files[n++].size;
    }
    sqlite3_reset(row);
    r->put.files = files;
    r->put.file_count = n;
    for (uint32_t i = 0; i < n && status == STORE_OK; i++) {
        const bool is_lone = n == 1 && files[i].name[0] == 0;
        if (!is_lone && !store_name_is_good(files[i].name)) { r->faults |= REVISION_FILES; }
    }
    return status;
}

static store_status read_revision_uses(store_txn *txn, store_revision_row *r) {
    store_status status = STORE_OK;
    store_use *uses = NULL;
    uint32_t room = 0, n = 0;
    sqlite3_stmt *row = statement_at(txn, SQL_REVISION_USES, r->revision);
    if (row == NULL) { return txn->error.status; }
    while (status == STORE_OK && n < UINT32_MAX && db_row(txn, row, &status)) {
        if (!db_grow(txn, (void **)&uses, n, &room, sizeof *uses)) {
            status = STORE_NO_MEMORY;
            break;
        }
        uses[n] = (store_use){.to_area = (store_area)sqlite3_column_int(row, 1), .to = db_text(txn, row, 2),
                              .where = db_text(txn, row, 3), .role = db_text(txn, row, 4),
                              .needed = sqlite3_column_int(row, 5) != 0};
        if (uses[n].to == NULL || uses[n].where == NULL || uses[n].role == NULL) { status = STORE_NO_MEMORY; }
        const bool leads = uses[n].to_area > STORE_ANY_AREA && uses[n].to_area < STORE_AREA_COUNT;
        if (!leads || sqlite3_column_int64(row, 0) != (int64_t)n) { r->faults |= REVISION_USES; }
        n++;
    }
    sqlite3_reset(row);
    r->put.uses = uses;
    r->put.use_count = n;
    return status;
}

static bool is_hash(sqlite3_stmt *row, int column) { return sqlite3_column_bytes(row, column) == 32; }

store_status store_revision_read(store_txn *txn, int64_t revision, store_revision_row *r) {
    store_status status = STORE_OK;
    store_raw_hash *hashes = NULL, told_hash = {{0}}, told_seal = {{0}}, words = store_hash_raw(NULL, 0);
    *r = (store_revision_row){.revision = revision};
    sqlite3_stmt *row = statement_at(txn, SQL_REVISION_ROW, revision);
    if (row == NULL) { return txn->error.status; }
    if (!db_row(txn, row, &status)) {
        sqlite3_reset(row);
        return status != STORE_OK ? status : db_fail(txn, STORE_NOT_FOUND, "there is no revision %lld",
                                                     (long long)revision);
    }
    read_put(txn, row, r);
    const int64_t size = sqlite3_column_int64(row, 13), files = sqlite3_column_int64(row, 14);
    const int64_t uses = sqlite3_column_int64(row, 15);
    const bool hashes_are_there = is_hash(row, 11) && is_hash(row, 12);
    if (is_hash(row, 11)) { memcpy(told_hash.bytes, sqlite3_column_blob(row, 11), 32); }
    if (is_hash(row, 12)) { memcpy(told_seal.bytes, sqlite3_column_blob(row, 12), 32); }
    if (is_hash(row, 16)) { memcpy(words.bytes, sqlite3_column_blob(row, 16), 32); }
    if (r->words != 0 && !is_hash(row, 16)) { r->faults |= REVISION_WORDS; }
    sqlite3_reset(row);
    const store_put *put = &r->put;
    if (put->id == NULL || put->format == NULL || put->kind == NULL || put->name == NULL || put->origin == NULL) {
        return STORE_NO_MEMORY;
    }
    const bool is_area = put->area > STORE_ANY_AREA && put->area < STORE_AREA_COUNT;
    if (!is_area || !store_id_is_good(put->area, put->id) || r->action < STORE_CREATED ||
        r->action > STORE_RESTORED || r->version < 1 || !hashes_are_there) {
        r->faults |= REVISION_FIELDS;
    }
    status = read_revision_files(txn, r, &hashes);
    if (status == STORE_OK) { status = read_revision_uses(txn, r); }
    if (status != STORE_OK) { return status; }
    store_seal(put, hashes, &words, &r->hash, &r->seal);
    if (put->file_count == 0 || (int64_t)put->file_count != files) { r->faults |= REVISION_FILES; }
    if ((int64_t)put->use_count != uses) { r->faults |= REVISION_USES; }
    if ((int64_t)r->size != size) { r->faults |= REVISION_SIZE; }
    if (memcmp(r->hash.bytes, told_hash.bytes, 32) != 0) { r->faults |= REVISION_HASH; }
    if (memcmp(r->seal.bytes, told_seal.bytes, 32) != 0) { r->faults |= REVISION_SEAL; }
    char id[65];
    if (put->area == STORE_ASSET && put->file_count > 0) {
        store_hash_text(hashes[0].bytes, id);
        if (strncmp(id, put->id, 16) != 0) { r->faults |= REVISION_FIELDS; }
    }
    return STORE_OK;
}

static void check_revision(checking *c, int64_t revision) {
    static const struct { unsigned fault; const char *text; } told[] = {
        {REVISION_FIELDS, "something in it is out of all bounds"},
        {REVISION_FILES, "it does not have the files that it should"},
        {REVISION_HASH, "its files are not those that it was made of"},
        {REVISION_SIZE, "its size is not that of its files"},
        {REVISION_USES, "it does not have the references that it should"},
        {REVISION_WORDS, "the words that it is found by are not there"},
        {REVISION_SEAL, "it is not as it was put"},
    };
    store_revision_row r;
    db_chunk *rest = db_aside(c->txn);
    const store_status status = store_revision_read(c->txn, revision, &r);
    char what[64];
    snprintf(what, sizeof what, "revision %lld", (long long)revision);
    if (status == STORE_OK && r.faults != 0) {
        unsigned i = 0; // the first says it all: what comes after follows from it
        while ((told[i].fault & r.faults) == 0) { i++; }
        store_say(count, c, r.put.area, r.put.id, r.faults == REVISION_SIZE, "revision %lld is damaged: %s",
                  (long long)revision, told[i].text);
    } else if (status != STORE_NOT_FOUND) {
        goes_on(c, status, what);
    } else { // it was there a moment ago, in an index or in the table
        c->damaged = true;
        store_say(count, c, STORE_ANY_AREA, NULL, false, "%s cannot be found again", what);
    }
    db_back(c->txn, rest);
}

// ----------------------------------------------------------------------------------------------- one against the other

// Each gives area, id and a sentence for what is wrong.
static const struct rule { bool mendable; const char *what, *sql; } rules[] = {
    {true, "the list",
     "SELECT i.area, i.id, printf('it should be of revision %d, which its history does not have', i.revision)"
     " FROM item i LEFT JOIN past p ON p.revision = i.revision AND p.area = i.area AND p.id = i.id"
     " WHERE p.revision IS NULL"},
    {true, "the list",
     "SELECT i.area, i.id, 'it is listed under another format or kind than it has' FROM item i"
     " JOIN past p ON p.revision = i.revision WHERE p.format != i.format OR p.kind != i.kind"},
    {true, "the list",
     "SELECT i.area, i.id, printf('it is of revision %d, and a newer one is in its history', i.revision) FROM item i"
     " WHERE i.revision < (SELECT max(p.revision) FROM past p WHERE p.area = i.area AND p.id = i.id)"},
    {true, "the list",
     "SELECT i.area, i.id, 'it is there, and its history says that it was deleted' FROM item i"
     " JOIN past p ON p.revision = i.revision WHERE p.action = 3"},
    {true, "the list",
     "SELECT area, id, 'its history says that it is there, and it is not' FROM"
     " (SELECT area, id, action, max(revision) FROM past GROUP BY area, id) AS newest WHERE action != 3"
     " AND NOT EXISTS (SELECT 1 FROM item i WHERE i.area = newest.area AND i.id = newest.id)"},
    {true, "the history",
     "SELECT area, id, printf('its revision %d has a version that is not above that of the one before', revision)"
     " FROM (SELECT area, id, revision, version, lag(version) OVER (PARTITION BY area, id ORDER BY revision) AS before"
     " FROM past) WHERE before >= version"},
    {true, "the references",
     "SELECT area, id, printf('it has %d references that are not those of its revision', count(*)) FROM"
     " (SELECT r.area, r.id FROM ref r JOIN item i ON i.area = r.area AND i.id = r.id"
     " LEFT JOIN past_use u ON u.revision = i.revision AND u.position = r.position"
     " WHERE (r.to_area, r.to_id, r.place, r.role, r.needed) IS NOT (u.to_area, u.to_id, u.place, u.role, u.needed))"
     " GROUP BY area, id"},
    {true, "the references",
     "SELECT i.area, i.id, printf('%d of its references are not there', count(*)) FROM item i"
     " JOIN past_use u ON u.revision = i.revision"
     " WHERE NOT EXISTS (SELECT 1 FROM ref r WHERE r.area = i.area AND r.id = i.id AND r.position = u.position)"
     " GROUP BY i.area, i.id"},
    {false, "the references",
     "SELECT r.area, r.id, printf('it needs ''%s'', which is not there (%s)', r.to_id, r.place) FROM ref r"
     " WHERE r.needed != 0 AND NOT EXISTS (SELECT 1 FROM item i WHERE i.area = r.to_area AND i.id = r.to_id)"},
    {true, "the search rows",
     "SELECT i.area, i.id, 'it cannot be found by words, or by the wrong ones' FROM item i"
     " JOIN past p ON p.revision = i.revision LEFT JOIN blob b ON b.id = p.words"
     " LEFT JOIN fts f ON f.rowid = i.revision WHERE (f.id, f.format, f.kind, f.name, f.words)"
     " IS NOT (p.id, p.format, p.kind, p.name, coalesce(CAST(b.bytes AS TEXT), ''))"},
    {true, "the search rows",
     "SELECT 0, NULL, printf('%d search rows are of nothing', n) FROM"
     " (SELECT count(*) AS n FROM fts WHERE rowid NOT IN (SELECT revision FROM item)) WHERE n > 0"},
    {true, "the programs",
     "SELECT 0, NULL, printf('%d compiled programs are of nothing that can be', n) FROM"
     " (SELECT count(*) AS n FROM program WHERE typeof(hash) != 'blob' OR length(hash) != 32) WHERE n > 0"},
    {true, "the count of changes",
     "SELECT 0, NULL, 'the number of the last change is smaller than that of a revision' WHERE"
     " coalesce((SELECT max(revision) FROM past), 0) >"
     " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'past'), 0)"},
    {true, "the library's own name",
     "SELECT 0, NULL, 'the library has no name of its own' WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'library'"
     " AND length(value) = 32 AND value NOT GLOB '*[^0-9a-f]*')"},
};

static void check_rule(checking *c, const struct rule *rule) {
    store_status status = STORE_OK;
    sqlite3_stmt *row = db_prepare(c->txn, rule->sql);
    if (row == NULL) { status = c->txn->error.status; }
    while (row != NULL && db_row(c->txn, row, &status)) {
        const char *text = (const char *)sqlite3_column_text(row, 2);
        store_say(count, c, (store_area)sqlite3_column_int(row, 0), (const char *)sqlite3_column_text(row, 1),
                  rule->mendable, "%s", text != NULL ? text : "");
    }
    sqlite3_finalize(row);
    goes_on(c, status, rule->what);
}

// Copies the rows of a table into one of the same columns in another database.
static store_status copy_rows(store_txn *txn, sqlite3 *to, const char *table, int columns) {
    char read[64], write[128];
    sqlite3_stmt *add = NULL;
    store_status status = STORE_OK;
    snprintf(read, sizeof read, "SELECT * FROM %s", table);
    snprintf(write, sizeof write, "INSERT INTO %s VALUES(?%s)", table, &",?,?,?,?,?"[10 - 2 * (columns - 1)]);
    sqlite3_stmt *row = db_prepare(txn, read);
    if (row == NULL) { return txn->error.status; }
    if (sqlite3_prepare_v2(to, write, -1, &add, NULL) != SQLITE_OK) { status = STORE_NO_MEMORY; }
    while (status == STORE_OK && db_row(txn, row, &status)) {
        for (int i = 0; i < columns; i++) { sqlite3_bind_value(add, i + 1, sqlite3_column_value(row, i)); }
        sqlite3_step(add);
        const int code = sqlite3_reset(add);
        if (code == SQLITE_NOMEM) { status = STORE_NO_MEMORY; }
        if (code != SQLITE_OK && status == STORE_OK) { status = db_fail(txn, STORE_CORRUPT, "a row is there twice"); }
    }
    sqlite3_finalize(add);
    sqlite3_finalize(row);
    return status;
}

static int make_in_memory(sqlite3 **db) { // a new library
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(":memory:", db, flags, NULL);
    return code == SQLITE_OK ? db_make(*db) : code;
}

// The search index is held against its own rows by what checks it, which wants to write. It gets a copy in memory.
static void check_index(checking *c) {
    static const struct { const char *table; int columns; } parts[] = {
        {"fts_data", 2}, {"fts_idx", 3}, {"fts_content", 6}, {"fts_docsize", 2}, {"fts_config", 2}};
    sqlite3 *copy = NULL;
    store_status status = STORE_OK;
    int code = make_in_memory(&copy);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(copy, "DELETE FROM fts_data; DELETE FROM fts_idx; DELETE FROM fts_content;"
                                  "DELETE FROM fts_docsize; DELETE FROM fts_config;", NULL, NULL, NULL);
    }
    if (code != SQLITE_OK) { status = STORE_NO_MEMORY; }
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0] && status == STORE_OK; i++) {
        status = copy_rows(c->txn, copy, parts[i].table, parts[i].columns);
    }
    if (status == STORE_OK) { // the table reads its parts anew, and checks
        code = sqlite3_exec(copy, "PRAGMA writable_schema=RESET; INSERT INTO fts(fts) VALUES('integrity-check')", NULL,
                            NULL, NULL);
        if (code == SQLITE_NOMEM) { status = STORE_NO_MEMORY; }
        if (code != SQLITE_OK && status == STORE_OK) {
            store_say(count, c, STORE_ANY_AREA, NULL, true,
                      "the search index is damaged: words lead to the wrong things");
        }
    }
    sqlite3_close(copy);
    goes_on(c, status, "the search index");
}

// Tables and indexes as they are made in a new library.
static void check_layout(checking *c) {
    static const char list[] = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')"
                               " FROM sqlite_schema ORDER BY 1";
    sqlite3 *fresh = NULL;
    sqlite3_stmt *want = NULL;
    store_status status = STORE_OK;
    int code = make_in_memory(&fresh);
    if (code == SQLITE_OK) { code = sqlite3_prepare_v2(fresh, list, -1, &want, NULL); }
    sqlite3_stmt *have = code == SQLITE_OK ? db_prepare(c->txn, list) : NULL;
    if (have == NULL) { status = code == SQLITE_OK ? c->txn->error.status : STORE_NO_MEMORY; }
    bool same = true;
    for (bool more = have != NULL; more && same;) {
        const bool wanted = sqlite3_step(want) == SQLITE_ROW;
        more = db_row(c->txn, have, &status);
        same = wanted == more;
        if (!same || !more) { break; }
        const char *a = (const char *)sqlite3_column_text(want, 0), *b = (const char *)sqlite3_column_text(have, 0);
        same = a != NULL && b != NULL && strcmp(a, b) == 0;
    }
    sqlite3_finalize(have);
    sqlite3_finalize(want);
    sqlite3_close(fresh);
    if (status == STORE_OK && !same) {
        store_say(count, c, STORE_ANY_AREA, NULL, true, "the tables are not those of a library");
    }
    goes_on(c, status, "the list of tables");
}

// ----------------------------------------------------------------------------------------------------- the whole of it

static void look_at_things(checking *c, store_look_fn look, void *context) {
    store_area area = STORE_ANY_AREA;
    char id[STORE_ID_MAX + 1] = "";
    for (bool more = true; more && c->ended == STORE_OK;) {
        // One at a time by its own statement: whatever `look` does, no list is open meanwhile.
        db_chunk *rest = db_aside(c->txn);
        store_status status = STORE_OK;
        store_item item;
        const store_file *files = NULL;
        uint32_t file_count = 0;
        sqlite3_stmt *row = db_prepare(c->txn, "SELECT area, id FROM item WHERE (area, id) > (?1, ?2)"
                                               " ORDER BY area, id LIMIT 1");
        if (row != NULL) {
            sqlite3_bind_int(row, 1, (int)area);
            db_bind_text(row, 2, id);
        }
        more = row != NULL && db_row(c->txn, row, &status);
        if (row == NULL) { status = c->txn->error.status; }
        const char *next = more ? (const char *)sqlite3_column_text(row, 1) : NULL;
        const bool usable = next != NULL && strlen(next) <= STORE_ID_MAX;
        if (more) { area = (store_area)sqlite3_column_int(row, 0); }
        if (usable) { strcpy(id, next); }
        sqlite3_finalize(row);
        if (!goes_on(c, status, "the list of things") || !usable) { more = false; }
        // What is damaged was said before.
        if (more) {
            status = store_get(c->txn, area, id, &item);
            if (status == STORE_OK) { status = store_files(c->txn, area, id, true, &files, &file_count); }
            const bool is_it = status == STORE_OK && item.area == area && strcmp(item.id, id) == 0;
            if (is_it) { look(context, c->txn, &item, files, file_count, count, c); }
            if (status == STORE_NO_MEMORY) { goes_on(c, status, ""); }
            c->txn->broken = STORE_OK;
        }
        db_back(c->txn, rest);
    }
}

store_status store_check(store_txn *txn, store_look_fn look, void *look_context, store_finding_fn finding,
                         void *finding_context, uint64_t *found) {
    checking c = {.txn = txn, .finding = finding, .context = finding_context};
    *found = 0;
    store_status status = db_start(txn);
    if (status == STORE_OK) { status = db_write_found(txn); }
    if (status != STORE_OK) { return status; }
    c.db = txn->connection->db;
    check_pages(&c);
    check_layout(&c);
    check_links(&c);
    each(&c, "SELECT id FROM blob ORDER BY id", "the contents", check_content);
    each(&c, "SELECT revision FROM past ORDER BY revision", "the history", check_revision);
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0] && c.ended == STORE_OK; i++) { check_rule(&c, &rules[i]); }
    if (c.ended == STORE_OK) { check_index(&c); }
    if (look != NULL && c.ended == STORE_OK) { look_at_things(&c, look, look_context); }
    *found = c.found;
    if (c.found > FINDINGS_MAX) {
        store_say(finding, finding_context, STORE_ANY_AREA, NULL, false, "and %llu more",
                  (unsigned long long)(c.found - FINDINGS_MAX));
    }
    if (c.damaged && txn->write) { txn->broken = STORE_CORRUPT; }
    return c.ended == STORE_OK ? STORE_OK : db_fail(txn, c.ended, "there is not enough memory");
}

// -------------------------------------------------------------------------------------------------------------- copies

store_status store_status_of_errno(int number) {
    switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return STORE_FULL;
    case EACCES:
    case EPERM:
    case EROFS: return STORE_READ_ONLY;
    case ENOMEM: return STORE_NO_MEMORY;
    default: return STORE_IO;
    }
}

static store_status tell_errno(store_error *error, const char *path, int number) {
    return db_tell(error, store_status_of_errno(number), "'%s' cannot be written: %s", path, strerror(number));
}

bool store_sync_folder(const char *path) {
    char *folder = strdup(path);
    if (folder == NULL) { return false; }
    char *slash = strrchr(folder, '/');
    if (slash != NULL) { slash[slash == folder ? 1 : 0] = 0; }
    const int descriptor = open(slash == NULL ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool done = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
    if (descriptor >= 0) { close(descriptor); }
    free(folder);
    return done;
}

// Gives the file the name that it is to have, unless something has it.
static store_status settle(const char *from, const char *to, store_error *error) {
    if (link(from, to) == 0) {
        unlink(from);
    } else if (errno == EEXIST) {
        return db_tell(error, STORE_INVALID, "'%s' is there already", to);
    } else if (access(to, F_OK) == 0 || rename(from, to) != 0) { // a file system without second names
        return tell_errno(error, to, errno);
    }
    return store_sync_folder(to) ? STORE_OK : tell_errno(error, to, errno);
}

static store_status copy_into(store_txn *txn, const char *part, const char *path, store_error *error) {
    sqlite3 *to = NULL;
    char *uri = db_uri(part, "");
    if (uri == NULL) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
    int code = db_open(uri, SQLITE_OPEN_READWRITE, 1000, &to);
    free(uri);
    // All in one step: the transaction holds what it sees, so that no change by another makes it begin anew.
    sqlite3_backup *copy = code == SQLITE_OK ? sqlite3_backup_init(to, "main", txn->connection->db, "main") : NULL;
    if (copy != NULL) {
        code = sqlite3_backup_step(copy, -1);
        const int end = sqlite3_backup_finish(copy);
        if (code == SQLITE_DONE) { code = end; }
    } else if (code == SQLITE_OK) {
        code = sqlite3_errcode(to);
    }
    *error = (store_error){0};
    if (code != SQLITE_OK) { error->status = db_status_of(to, code, error->text, sizeof error->text, path); }
    const int closed = sqlite3_close(to);
    if (closed != SQLITE_OK && error->status == STORE_OK) {
        error->status = db_status_of(NULL, closed, error->text, sizeof error->text, path);
    }
    return error->status;
}

store_status store_backup(store *s, const char *path, store_error *error) {
    store_txn *txn = NULL;
    *error = (store_error){0};
    if (access(path, F_OK) == 0) { return db_tell(error, STORE_INVALID, "'%s' is there already", path); }
    store_status status = store_begin(s, STORE_READ, &txn, error);
    if (status != STORE_OK) { return status; }
    char *part = malloc(strlen(path) + 16);
    if (part == NULL) {
        store_rollback(txn);
        return db_tell(error, STORE_NO_MEMORY, "there is not enough memory");
    }
    sprintf(part, "%s.part-XXXXXX", path);
    const int descriptor = mkstemp(part); // readable by its owner only, as what it holds may be
    if (descriptor < 0) {
        status = tell_errno(error, path, errno);
    } else {
        close(descriptor);
        status = copy_into(txn, part, path, error);
        if (status == STORE_OK) { status = settle(part, path, error); }
        if (status != STORE_OK) { unlink(part); }
    }
    store_rollback(txn);
    free(part);
    return status;
}
