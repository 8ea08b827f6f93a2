// The check of a library finds whatever is made wrong in it and nothing in one that is whole; copies are whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_share.h"
#include "host/store.h"
#include "host/test_child.h"

static char folder[64], path[128], other[128];

static int in_folder(void **state) {
    (void)state;
    strcpy(folder, "/dev/shm/zoetrope-check-XXXXXX"); // where waiting for the disk takes no time
    if (mkdtemp(folder) == NULL) {
        strcpy(folder, "/tmp/zoetrope-check-XXXXXX");
        assert_non_null(mkdtemp(folder));
    }
    snprintf(path, sizeof path, "%s/library.db", folder);
    snprintf(other, sizeof other, "%s/copy.db", folder);
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "chmod -R u+w %s && rm -rf %s", folder, folder);
    return system(command);
}

static store *open_store(const char *file, const store_def *def) {
    store *s = NULL;
    store_error error;
    if (store_open(file, def, &s, &error) != STORE_OK) { fail_msg("%s", error.text); }
    return s;
}

static store_txn *begin(store *s, store_mode mode) {
    store_txn *txn = NULL;
    store_error error;
    if (store_begin(s, mode, &txn, &error) != STORE_OK) { fail_msg("%s", error.text); }
    return txn;
}

static void commit(store_txn *txn) {
    store_error error;
    if (store_commit(txn, &error) != STORE_OK) { fail_msg("%s", error.text); }
}

// An item of two files, the second the same for all, that is found by `word`; it needs `to` unless that is NULL.
static void put(store *s, const char *id, const char *text, const char *word, const char *to) {
    store_txn *txn = begin(s, STORE_WRITE);
    const store_file files[] = {{.name = "a.json", .bytes = text, .size = strlen(text)},
                                {.name = "same.png", .bytes = "picture", .size = 7}};
    const store_use use = {.to_area = STORE_ITEM, .to = to, .where = "/model", .role = "model", .needed = true};
    const store_put what = {.area = STORE_ITEM, .id = id, .format = "petween", .kind = "ambient", .name = id,
                            .text = word, .files = files, .file_count = 2, .uses = &use, .use_count = to != NULL,
                            .number_a = 7, .expected = STORE_ANY};
    if (store_put_item(txn, &what, NULL) != STORE_OK) { fail_msg("%s", store_error_of(txn)->text); }
    commit(txn);
}

static void take_away(store *s, const char *id) {
    store_txn *txn = begin(s, STORE_WRITE);
    if (store_delete(txn, STORE_ITEM, id, STORE_ANY) != STORE_OK) { fail_msg("%s", store_error_of(txn)->text); }
    commit(txn);
}

static void check_text(store *s, const char *id, const char *text) {
    store_txn *txn = begin(s, STORE_READ);
    store_file file;
    const store_status status = store_file_get(txn, STORE_ITEM, id, NULL, &file);
    if (text == NULL) {
        assert_int_equal(status, STORE_NOT_FOUND);
    } else {
        if (status != STORE_OK) { fail_msg("%s: %s", id, store_error_of(txn)->text); }
        assert_int_equal(file.size, strlen(text));
        assert_memory_equal(file.bytes, text, file.size);
    }
    store_rollback(txn);
}

// Some things, some of which changed, were deleted, brought back or refer to others.
static void fill(store *s) {
    put(s, "user:a", "one", "words of a", NULL);
    put(s, "user:b", "two", "words of b", "user:a");
    put(s, "user:a", "three", "other words", NULL);
    put(s, "user:gone", "four", NULL, NULL);
    take_away(s, "user:gone");
    store_txn *txn = begin(s, STORE_WRITE);
    const store_file picture = {.bytes = "abc", .size = 3};
    const store_put asset = {.area = STORE_ASSET, .kind = "image/png", .files = &picture, .file_count = 1,
                             .number_a = 3, .number_b = 4, .expected = STORE_ANY};
    assert_int_equal(store_put_item(txn, &asset, NULL), STORE_OK);
    commit(txn);
}

static char told[65536]; // all that was found, a line each

static void tell(void *context, const store_finding *finding) {
    uint64_t *count = context;
    assert_non_null(finding->text);
    assert_true(strlen(finding->text) > 0);
    const size_t used = strlen(told);
    if (used < sizeof told - 2000) {
        sprintf(told + used, "%s: %s%s\n", finding->id != NULL ? finding->id : "-", finding->text,
                finding->mendable ? " (mendable)" : "");
    }
    ++*count;
}

static uint64_t check(store *s, store_look_fn look) {
    store_txn *txn = begin(s, STORE_READ);
    uint64_t found = 0, counted = 0;
    told[0] = 0;
    if (store_check(txn, look, NULL, tell, &counted, &found) != STORE_OK) { fail_msg("%s", store_error_of(txn)->text); }
    assert_int_equal(found, counted);
    store_rollback(txn);
    return found;
}

static void expect_whole(store *s) {
    if (check(s, NULL) != 0) { fail_msg("%s", told); }
}

static long number(const char *text) {
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    const long result = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return result;
}

static void sql(const char *text) {
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK) { fail_msg("%s: %s", text, message); }
    sqlite3_close(db);
}

// -------------------------------------------------------------------------------------------------------------- checks

static unsigned looked;
static void look(void *context, store_txn *txn, const store_item *item, const store_file *files, uint32_t count,
                 store_finding_fn finding, void *finding_context) {
    (void)context;
    store_item again;
    looked++;
    assert_int_equal(store_get(txn, item->area, item->id, &again), STORE_OK);
    assert_int_equal(item->file_count, count);
    assert_non_null(files[0].bytes);
    if (strcmp(item->id, "user:b") == 0) {
        finding(finding_context, &(store_finding){item->area, item->id, "it does not look well", false});
    }
}

static void what_is_whole_has_no_findings(void **state) {
    (void)state;
    store *s = open_store(path, NULL);
    expect_whole(s);
    fill(s);
    expect_whole(s);
    looked = 0;
    assert_int_equal(check(s, look), 1);
    assert_string_equal(told, "user:b: it does not look well\n");
    assert_int_equal(looked, 3);
    store_txn *txn = begin(s, STORE_WRITE); // in the middle of changes too
    uint64_t found = 0, counted = 0, freed = 0;
    assert_int_equal(store_prune(txn, 1, INT64_MAX, &freed), STORE_OK);
    assert_int_equal(store_check(txn, NULL, NULL, tell, &counted, &found), STORE_OK);
    assert_int_equal(found, 0);
    commit(txn);
    expect_whole(s);
    store_close(s);
    assert_int_equal(chmod(path, 0400), 0);
    s = open_store(path, &(store_def){.read_only = true});
    expect_whole(s);
    store_close(s);
}

static void what_is_wrong_is_found(void **state) {
    (void)state;
    static const struct { const char *damage, *says; } cases[] = {
        {"UPDATE blob SET bytes = 'thrEe' WHERE bytes = CAST('three' AS BLOB)",
         "user:a: the file 'a.json' of revision 3 is damaged: its bytes are not those of its hash\n"},
        {"UPDATE blob SET bytes = x'6f6e65' WHERE bytes = CAST('two' AS BLOB)", "user:b: the file 'a.json'"},
        {"UPDATE blob SET size = 4 WHERE bytes = CAST('two' AS BLOB)", "user:b: the file 'a.json'"},
        {"UPDATE blob SET bytes = x'61' WHERE bytes = CAST('words of b' AS BLOB)", "found by are damaged"},
        {"UPDATE blob SET bytes = x'6f' WHERE bytes = CAST('one' AS BLOB)", "which is not the newest, is damaged"},
        {"UPDATE blob SET hash = zeroblob(32) WHERE bytes = CAST('picture' AS BLOB)", "user:a: "},
        {"UPDATE past SET name = 'x' WHERE revision = 2", "user:b: revision 2 is damaged: it is not as it was put"},
        {"UPDATE past SET number_a = 8 WHERE revision = 2", "it is not as it was put"},
        {"UPDATE past SET format = 'x' WHERE revision = 2", "its files are not those that it was made of"},
        {"UPDATE past SET size = 8 WHERE revision = 2", "its size is not that of its files (mendable)"},
        {"UPDATE past SET id = 'a/b' WHERE revision = 1", "-: revision 1 is damaged: something in it is out of"},
        {"UPDATE past SET id = 'user:c' WHERE revision = 2", "user:b: it should be of revision 2"},
        {"UPDATE past SET action = 9 WHERE revision = 2", "out of all bounds"},
        {"UPDATE past SET words = NULL WHERE revision = 2", "it is not as it was put"},
        {"UPDATE past SET words = 99 WHERE revision = 2", "belong to a row of 'blob' that is not there"},
        {"UPDATE past SET version = 1 WHERE revision = 3", "a version that is not above that of the one before"},
        {"DELETE FROM past WHERE revision = 3", "user:a: it should be of revision 3"},
        {"DELETE FROM past_file WHERE revision = 2 AND position = 1", "it does not have the files that it should"},
        {"UPDATE past_file SET name = '../x' WHERE revision = 2 AND position = 1", "the files that it should"},
        {"UPDATE past_file SET name = 'x' WHERE revision = 2 AND position = 1", "not those that it was made of"},
        {"DELETE FROM past_use WHERE revision = 2", "it does not have the references that it should"},
        {"UPDATE past_use SET to_id = 'x'", "it is not as it was put"},
        {"DELETE FROM ref", "user:b: 1 of its references are not there (mendable)"},
        {"UPDATE ref SET to_id = 'user:x'", "user:b: it has 1 references that are not those of its revision (mend"},
        {"UPDATE ref SET to_id = 'user:x'", "user:b: it needs 'user:x', which is not there (/model)"},
        {"DELETE FROM item WHERE id = 'user:a'", "user:a: its history says that it is there, and it is not (mendable)"},
        {"UPDATE item SET revision = 1 WHERE id = 'user:a'", "user:a: it is of revision 1, and a newer one is in its"},
        {"UPDATE item SET format = 'x' WHERE id = 'user:a'", "user:a: it is listed under another format"},
        {"INSERT INTO item VALUES(1, 'user:gone', 5, 'petween', 'ambient')", "says that it was deleted (mendable)"},
        {"DELETE FROM fts WHERE rowid = 3", "user:a: it cannot be found by words, or by the wrong ones (mendable)"},
        {"INSERT INTO fts(rowid, id) VALUES(99, 'x')", "1 search rows are of nothing (mendable)"},
        {"UPDATE fts_content SET c4 = 'words of c' WHERE id = 2", "words lead to the wrong things (mendable)"},
        {"DELETE FROM fts_docsize WHERE id = 2", "words lead to the wrong things (mendable)"},
        {"INSERT INTO program VALUES('x', 'y', 'z')", "1 compiled programs are of nothing"},
        {"UPDATE sqlite_sequence SET seq = 2 WHERE name = 'past'", "the number of the last change is smaller"},
        {"UPDATE meta SET value = 'ABC'", "the library has no name of its own (mendable)"},
        {"DROP INDEX past_of", "the tables are not those of a library (mendable)"},
        {"CREATE TABLE more(a)", "the tables are not those of a library (mendable)"},
        {"CREATE TRIGGER t AFTER INSERT ON past BEGIN DELETE FROM item; END", "the tables are not those of a library"},
        {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name"
         " = 'past_words') WHERE name = 'past_of'", "-: "},
    };
    char command[800];
    store *s = open_store(path, NULL);
    fill(s);
    expect_whole(s);
    store_close(s);
    snprintf(command, sizeof command, "cp %s %s.kept", path, path);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "rm -f %s-wal %s-shm && cp %s.kept %s", path, path, path, path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(system(command), 0);
        sql(cases[i].damage);
        store_error error;
        if (store_open(path, NULL, &s, &error) != STORE_OK) {
            assert_int_equal(error.status, i == 35 ? STORE_OK : STORE_CORRUPT);
            continue;
        }
        assert_true(check(s, look) > 0);
        if (strstr(told, cases[i].says) == NULL) { fail_msg("%s:\n%snot: %s", cases[i].damage, told, cases[i].says); }
        store_close(s);
    }
}

static void many_findings_are_counted(void **state) {
    (void)state;
    store *s = open_store(path, NULL);
    store_close(s);
    sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) INSERT INTO"
        " blob(hash, size, bytes) SELECT CAST(printf('%032d', i) AS BLOB), 1, 'x' FROM n");
    s = open_store(path, NULL);
    store_txn *txn = begin(s, STORE_READ);
    uint64_t found = 0, counted = 0;
    told[0] = 0;
    assert_int_equal(store_check(txn, NULL, NULL, tell, &counted, &found), STORE_OK);
    assert_int_equal(found, 1500);
    assert_int_equal(counted, 1001);
    store_rollback(txn);
    store_close(s);
}

// -------------------------------------------------------------------------------------------------------------- copies

static unsigned files_in_folder(void) {
    unsigned count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) { count += entry->d_name[0] != '.'; }
    closedir(open);
    return count;
}

static void *write_on(void *context) { // changes while a copy is made
    store *s = context;
    char text[32];
    for (int i = 0; i < 200; i++) {
        snprintf(text, sizeof text, "text %d", i);
        put(s, "user:busy", text, text, NULL);
    }
    return NULL;
}

static void copies_are_whole(void **state) {
    (void)state;
    store_error error;
    store *s = open_store(path, NULL);
    fill(s);
    if (store_backup(s, other, &error) != STORE_OK) { fail_msg("%s", error.text); }
    assert_int_equal(store_backup(s, other, &error), STORE_INVALID); // it is there
    store *copy = open_store(other, &(store_def){.must_exist = true});
    expect_whole(copy);
    check_text(copy, "user:a", "three");
    assert_string_equal(store_library_id(copy), store_library_id(s));
    store_close(copy);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_on, s), 0);
    for (int i = 0; i < 20; i++) {
        unlink(other);
        if (store_backup(s, other, &error) != STORE_OK) { fail_msg("%s", error.text); }
        copy = open_store(other, NULL);
        expect_whole(copy);
        store_close(copy);
    }
    pthread_join(writer, NULL);
    store_close(s);
    assert_int_equal(files_in_folder(), 2);
}

static void copies_that_fail_leave_nothing(void **state) {
    (void)state;
    store_error error;
    store *s = open_store(path, NULL);
    fill(s);
    char nowhere[160];
    snprintf(nowhere, sizeof nowhere, "%s/none/copy.db", folder);
    assert_int_equal(store_backup(s, nowhere, &error), STORE_IO);
    assert_non_null(strstr(error.text, nowhere));
    const unsigned before = files_in_folder();
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){8192, 8192});
        test_end_child((int)store_backup(s, other, &error));
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), STORE_FULL);
    assert_int_equal(files_in_folder(), before);
    if (geteuid() != 0) {
        assert_int_equal(chmod(folder, 0500), 0);
        assert_int_equal(store_backup(s, other, &error), STORE_READ_ONLY);
        assert_int_equal(chmod(folder, 0700), 0);
    }
    store_close(s);
}

// -------------------------------------------------------------------------------------------------------------- repair

static bool repair(void) {
    store_error error;
    bool changed = false;
    uint64_t counted = 0;
    told[0] = 0;
    const store_status status = store_repair(path, tell, &counted, &changed, &error);
    if (status != STORE_OK) { fail_msg("%s: %s", store_status_name(status), error.text); }
    return changed;
}

static void shell(const char *format, ...) {
    char command[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    assert_int_equal(system(command), 0);
}

static void what_is_whole_is_left_alone(void **state) {
    (void)state;
    store *s = open_store(path, NULL);
    fill(s);
    store_close(s);
    shell("cp %s %s", path, other);
    assert_false(repair());
    assert_string_equal(told, "");
    shell("cmp %s %s", path, other);
    assert_int_equal(files_in_folder(), 2);
}

// What each damage leads to: what the repair says, and what becomes of the two things.
static void what_is_wrong_is_put_right(void **state) {
    (void)state;
    static const struct { const char *damage, *says, *a, *b; } cases[] = {
        {"UPDATE blob SET bytes = 'thrEe' WHERE bytes = CAST('three' AS BLOB)",
         "user:a: it was taken back from revision 3 to what it was at 1\n", "one", "two"},
        {"UPDATE blob SET bytes = 'tWo' WHERE bytes = CAST('two' AS BLOB)",
         "user:b: it is lost: no revision of it is whole\n", "three", NULL},
        {"UPDATE blob SET bytes = 'x' WHERE bytes IN (CAST('one' AS BLOB), CAST('three' AS BLOB))",
         "user:b: it needs 'user:a', which is lost (/model)\n", NULL, "two"},
        {"UPDATE blob SET size = 4 WHERE bytes = CAST('two' AS BLOB)", "-: the damaged file is kept", "three", "two"},
        {"UPDATE blob SET bytes = 'x' WHERE bytes = CAST('words of b' AS BLOB)",
         "user:b: revision 2: the words that it is found by are lost\n", "three", "two"},
        {"UPDATE past SET origin = 'x' WHERE revision = 2", "user:b: revision 2: its name, kind, origin, numbers or",
         "three", "two"},
        {"UPDATE past SET size = 8 WHERE revision = 2", "user:b: revision 2: its size was wrong (mendable)\n", "three",
         "two"},
        {"UPDATE past SET id = 'user:c' WHERE revision = 2", "user:b: its revision 2 was called otherwise (mendable)",
         "three", "two"},
        {"UPDATE past SET version = 1 WHERE revision = 3", "user:a: its versions are counted anew (mendable)\n",
         "three", "two"},
        {"DELETE FROM past WHERE revision = 3", "user:a: it was put together from its files; its dates", "three",
         "two"},
        {"DELETE FROM past WHERE revision = 3; DELETE FROM past_file WHERE revision = 3",
         "user:a: it was taken back from revision 3 to what it was at 1\n", "one", "two"},
        {"DELETE FROM past_use WHERE revision = 2", "-: the damaged file is kept", "three", "two"},
        {"DELETE FROM ref; DELETE FROM past_use", "user:b: revision 2: some of its references are lost\n", "three",
         "two"},
        {"DELETE FROM ref", "-: the damaged file is kept", "three", "two"},
        {"DELETE FROM item", "-: the damaged file is kept", "three", "two"},
        {"DELETE FROM fts", "-: the damaged file is kept", "three", "two"},
        {"DELETE FROM fts_data", "-: the damaged file is kept", "three", "two"},
        {"UPDATE meta SET value = 'ABC'", "-: the library's own name is lost, and it has a new one", "three", "two"},
        {"DROP INDEX past_of", "-: the damaged file is kept", "three", "two"},
        {"CREATE TRIGGER t AFTER INSERT ON past BEGIN DELETE FROM item; END", "-: the damaged file is kept", "three",
         "two"},
        {"DROP TABLE fts", "-: the damaged file is kept", "three", "two"},
        {"DROP TABLE item", "-: the damaged file is kept", "three", "two"},
        {"PRAGMA application_id=7", "-: the damaged file is kept", "three", "two"},
        {"PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name = 'past_of'; PRAGMA writable_schema=RESET;"
         "DELETE FROM past WHERE revision = 5", "user:gone: it was deleted after revision 4, and stays so (mendable)\n",
         "three", "two"},
    };
    store *s = open_store(path, NULL);
    fill(s);
    char library[33];
    strcpy(library, store_library_id(s));
    store_close(s);
    shell("cp %s %s.kept && chmod 640 %s.kept", path, path, path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        shell("rm -f %s*-wal %s*-shm %s.damaged* && cp -p %s.kept %s", path, path, path, path, path);
        sql(cases[i].damage);
        shell("cp %s %s", path, other);
        assert_true(repair());
        if (strstr(told, cases[i].says) == NULL) { fail_msg("%s:\n%snot: %s", cases[i].damage, told, cases[i].says); }
        shell("cmp %s.damaged %s", path, other); // the damaged one is as it was
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0640);
        s = open_store(path, NULL);
        if (check(s, look) != (cases[i].b != NULL)) { fail_msg("%s:\n%s", cases[i].damage, told); }
        check_text(s, "user:a", cases[i].a);
        check_text(s, "user:b", cases[i].b);
        check_text(s, "user:gone", NULL);
        assert_true((strcmp(library, store_library_id(s)) == 0) == (strstr(cases[i].damage, "meta") == NULL));
        store_txn *txn = begin(s, STORE_READ);
        int64_t revision = 0;
        assert_int_equal(store_revision(txn, &revision), STORE_OK);
        assert_true(revision >= 6); // no number is used twice
        store_rollback(txn);
        put(s, "user:new", "new", "new words", NULL);
        expect_whole(s);
        store_close(s);
        assert_false(repair());
    }
}

static void what_is_no_library_is_not_repaired(void **state) {
    (void)state;
    store_error error;
    bool changed = true;
    uint64_t counted = 0;
    assert_int_equal(store_repair(path, tell, &counted, &changed, &error), STORE_NOT_FOUND);
    sql("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
    assert_int_equal(store_repair(path, tell, &counted, &changed, &error), STORE_FOREIGN);
    assert_false(changed);
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
    shell("head -c 100000 /dev/urandom > %s", path);
    assert_int_equal(store_repair(path, tell, &counted, &changed, &error), STORE_FOREIGN);
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
    store *s = open_store(path, NULL);
    fill(s);
    store_close(s);
    sql("PRAGMA user_version=1000");
    assert_int_equal(store_repair(path, tell, &counted, &changed, &error), STORE_NEWER);
    sql("PRAGMA user_version=1; DELETE FROM item");
    s = open_store(path, NULL); // somebody is in it, also when it is this process
    assert_int_equal(store_repair(path, tell, &counted, &changed, &error), STORE_BUSY);
    assert_non_null(strstr(error.text, "open"));
    check_text(s, "user:b", NULL);
    store_close(s);
    assert_int_equal(counted, 0);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){40960, 40960}); // SQLite's own file beside it is of 32768
        const store_status status = store_repair(path, tell, &counted, &changed, &error);
        if (status != STORE_FULL) { fprintf(stderr, "%s\n", error.text); }
        test_end_child((int)status);
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), STORE_FULL);
    assert_int_equal(files_in_folder(), 1);
}

enum { THINGS = 25 };

static void text_of(int thing, int change, char text[9000]) { // some are on a page with others, some on several
    const int size = thing % 4 == 0 ? 8500 : 100 + thing;
    for (int i = 0; i < size; i++) { text[i] = (char)('a' + (thing * 7 + change * 3 + i / 50) % 26); }
    text[size] = 0;
    snprintf(text, 40, "%d of %d", change, thing);
    text[strlen(text)] = ' ';
}

// The change that the thing is at; -1: it is not there. What is there is whole, or this fails.
static int change_of(store *s, int thing) {
    char id[32], text[9000];
    snprintf(id, sizeof id, "user:thing-%d", thing);
    store_txn *txn = begin(s, STORE_READ);
    store_file file;
    const store_status status = store_file_get(txn, STORE_ITEM, id, NULL, &file);
    int change = -1;
    if (status == STORE_OK) {
        change = atoi(file.bytes);
        text_of(thing, change, text);
        assert_string_equal(file.bytes, text);
    } else {
        assert_int_equal(status, STORE_NOT_FOUND);
    }
    store_rollback(txn);
    return change;
}

static void fill_much(store *s) {
    char id[32], text[9000];
    for (int change = 0; change < 2; change++) {
        for (int i = 0; i < THINGS; i++) {
            snprintf(id, sizeof id, "user:thing-%d", i);
            text_of(i, change, text);
            put(s, id, text, id, i > 0 && i % 5 == 0 ? "user:thing-1" : NULL);
        }
    }
}

// Every page of the file in turn is overwritten. What was not on it is all there afterwards, and what was is there as
// it was before or was said to be lost.
static void any_page_may_be_damaged(void **state) {
    (void)state;
    enum { PAGE = 4096 };
    store *s = open_store(path, NULL);
    fill_much(s);
    store_close(s);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    const long pages = (long)status.st_size / PAGE, pages_without_use = number("PRAGMA freelist_count");
    shell("cp %s %s", path, other);
    unsigned char junk[PAGE];
    unsigned lost = 0, older = 0, whole = 0;
    long untouched = 0;
    const long step = pages / (long)test_share((uint64_t)pages);
    for (long page = 0; page < pages; page += step) {
        shell("rm -f %s*-wal %s*-shm %s.damaged* && cp -p %s %s", path, path, path, other, path);
        for (int i = 0; i < PAGE; i++) { junk[i] = (unsigned char)(page % 2 == 0 ? 0 : (i * 31 + page * 7) >> 2); }
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, page * PAGE, SEEK_SET), 0);
        assert_int_equal(fwrite(junk, 1, PAGE, file), PAGE);
        assert_int_equal(fclose(file), 0);
        if (!repair()) { untouched++; } // of a page that is free
        s = open_store(path, NULL);
        char said[sizeof told];
        strcpy(said, told);
        expect_whole(s);
        for (int i = 0; i < THINGS; i++) {
            char id[40];
            const int change = change_of(s, i);
            snprintf(id, sizeof id, "user:thing-%d:", i);
            if (change < 1 && strstr(said, id) == NULL) { fail_msg("page %ld: %s %d\n%s", page, id, change, said); }
            lost += change < 0;
            older += change == 0;
            whole += change == 1;
        }
        store_close(s);
    }
    print_message("%ld pages: %u things whole, %u older, %u lost; %ld pages without use\n", pages, whole, older, lost,
                  untouched);
    assert_true(untouched <= pages_without_use); // the list of free pages is one itself
    assert_true(older + lost <= (unsigned)pages * 3); // a page has a few things at most, and the file is not one page
}

// Bytes here and there are changed, in the file's own records about itself too: what comes of it is a whole library,
// with nothing in it that was not there before.
static void any_bytes_may_be_damaged(void **state) {
    (void)state;
    store *s = open_store(path, NULL);
    fill_much(s);
    store_close(s);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    shell("cp %s %s", path, other);
    uint32_t random = 12345;
    unsigned whole = 0;
    const int rounds = (int)test_share(60);
    for (int round = 0; round < rounds; round++) {
        shell("rm -f %s*-wal %s*-shm %s.damaged* && cp -p %s %s", path, path, path, other, path);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        for (int i = 0; i < 1 + round; i++) {
            random = random * 1664525 + 1013904223;
            // Every third into the first bytes of a page, where it says what it is.
            const long at = (long)((random >> 4) % (uint32_t)status.st_size);
            assert_int_equal(fseek(file, i % 3 == 0 ? at / 4096 * 4096 + at % 40 : at, SEEK_SET), 0);
            fputc((int)(random >> 24), file);
        }
        assert_int_equal(fclose(file), 0);
        repair();
        s = open_store(path, NULL);
        expect_whole(s);
        for (int i = 0; i < THINGS; i++) { whole += change_of(s, i) == 1; }
        store_close(s);
    }
    print_message("%u of %d things as they were\n", whole, rounds * THINGS);
    assert_true(whole > (unsigned)rounds * THINGS / 2);
}

// What is in the log only counts; the log goes with the damaged file.
static void the_log_is_read_too(void **state) {
    (void)state;
    store *s = open_store(path, NULL);
    fill_much(s);
    store_close(s);
    const pid_t child = fork();
    if (child == 0) { // ends without closing, so that its changes stay in the log
        s = open_store(path, NULL);
        put(s, "user:late", "late", "late words", NULL);
        test_end_child(0);
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    struct stat status;
    char log[160];
    snprintf(log, sizeof log, "%s-wal", path);
    assert_int_equal(stat(log, &status), 0);
    assert_true(status.st_size > 0);
    assert_int_equal(stat(path, &status), 0);
    // The head of the file is gone, which SQLite does without for nothing.
    char command[300];
    snprintf(command, sizeof command, "head -c 30 /dev/zero | dd of=%s conv=notrunc status=none", path);
    shell("%s", command);
    assert_true(repair());
    s = open_store(path, NULL);
    expect_whole(s);
    check_text(s, "user:late", "late");
    for (int i = 0; i < THINGS; i++) { assert_int_equal(change_of(s, i), 1); }
    store_close(s);
    snprintf(log, sizeof log, "%s.damaged-wal", path);
    assert_int_equal(stat(log, &status), 0);
    sql("DELETE FROM item");
    assert_true(repair());
    snprintf(log, sizeof log, "%s.damaged-2", path);
    assert_int_equal(stat(log, &status), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, in_folder, clean_up)
        IN_FOLDER(what_is_whole_has_no_findings), IN_FOLDER(what_is_wrong_is_found),
        IN_FOLDER(many_findings_are_counted),     IN_FOLDER(copies_are_whole),
        IN_FOLDER(copies_that_fail_leave_nothing), IN_FOLDER(what_is_whole_is_left_alone),
        IN_FOLDER(what_is_wrong_is_put_right), IN_FOLDER(what_is_no_library_is_not_repaired),
        IN_FOLDER(any_page_may_be_damaged), IN_FOLDER(any_bytes_may_be_damaged), IN_FOLDER(the_log_is_read_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
