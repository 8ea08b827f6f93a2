// The library in a file: what is put comes back byte for byte, revisions, references, history, lists, search, threads,
// and files that cannot be used.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/store.h"
#include "host/test_child.h"

// ------------------------------------------------------------------------------------------------------- stage setting

static char folder[64], path[128];

static int in_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/zoetrope-store-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/library.db", folder);
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "chmod -R u+w %s && rm -rf %s", folder, folder);
    return system(command);
}

static store *open_store(const store_def *def) {
    store *s = NULL;
    store_error error;
    if (store_open(path, def, &s, &error) != STORE_OK) { fail_msg("%s", error.text); }
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

static store_file file_of(const char *name, const char *text) {
    return (store_file){.name = name, .bytes = text, .size = strlen(text)};
}

static store_status put_text(store_txn *txn, const char *id, const char *text, int64_t expected, store_item *item) {
    const store_file file = file_of("a.json", text);
    const store_put put = {.area = STORE_ITEM, .id = id, .format = "petween", .kind = "ambient", .name = text,
                           .files = &file, .file_count = 1, .expected = expected};
    return store_put_item(txn, &put, item);
}

static int64_t put_now(store *s, const char *id, const char *text) {
    store_txn *txn = begin(s, STORE_WRITE);
    store_item item;
    assert_int_equal(put_text(txn, id, text, STORE_ANY, &item), STORE_OK);
    const int64_t revision = item.revision;
    commit(txn);
    return revision;
}

static void check_text(store *s, const char *id, const char *text) {
    store_txn *txn = begin(s, STORE_READ);
    store_file file;
    const store_status status = store_file_get(txn, STORE_ITEM, id, NULL, &file);
    if (text == NULL) {
        assert_int_equal(status, STORE_NOT_FOUND);
    } else {
        assert_int_equal(status, STORE_OK);
        assert_int_equal(file.size, strlen(text));
        assert_memory_equal(file.bytes, text, file.size);
    }
    store_rollback(txn);
}

// ---------------------------------------------------------------------------------------------------- things and files

static void bytes_come_back(void **state) {
    (void)state;
    store *s = open_store(NULL);
    store_txn *txn = begin(s, STORE_WRITE);
    char all[256];
    for (int i = 0; i < 256; i++) { all[i] = (char)i; }
    const store_file files[] = {{.name = "manifest.json", .bytes = "{ }\r\n", .size = 5},
                                {.name = "frames/a b\xC3\xA9.png", .bytes = all, .size = sizeof all},
                                {.name = "frames/copy.png", .bytes = all, .size = sizeof all},
                                {.name = "nothing", .bytes = NULL, .size = 0}};
    const store_put put = {.area = STORE_ITEM, .id = "pack", .format = "charpack", .name = "Pack \xF0\x9F\x90\xA7",
                           .files = files, .file_count = 4, .number_a = 7, .number_b = -1, .expected = STORE_NONE};
    store_item item;
    assert_int_equal(store_put_item(txn, &put, &item), STORE_OK);
    assert_int_equal(item.revision, 1);
    assert_int_equal(item.version, 1);
    assert_int_equal(item.file_count, 4);
    assert_int_equal(item.size, 5 + 256 + 256);
    commit(txn);
    store_close(s);

    s = open_store(NULL);
    txn = begin(s, STORE_READ);
    const store_file *there = NULL;
    uint32_t count = 0;
    assert_int_equal(store_get(txn, STORE_ITEM, "pack", &item), STORE_OK);
    assert_string_equal(item.name, "Pack \xF0\x9F\x90\xA7");
    assert_int_equal(item.number_b, -1);
    assert_int_equal(store_files(txn, STORE_ITEM, "pack", true, &there, &count), STORE_OK);
    assert_int_equal(count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(there[i].name, files[i].name);
        assert_int_equal(there[i].size, files[i].size);
        if (files[i].size > 0) { assert_memory_equal(there[i].bytes, files[i].bytes, files[i].size); }
    }
    const void *bytes = NULL;
    uint64_t size = 0;
    assert_int_equal(store_blob(txn, there[1].hash, &bytes, &size), STORE_OK);
    assert_int_equal(size, 256);
    store_file one;
    assert_int_equal(store_file_get(txn, STORE_ITEM, "pack", "frames/copy.png", &one), STORE_OK);
    assert_string_equal(one.hash, there[1].hash);
    assert_int_equal(store_file_get(txn, STORE_ITEM, "pack", "frames", &one), STORE_NOT_FOUND);
    store_rollback(txn);
    store_close(s);
}

static void names_that_lead_out_are_refused(void **state) {
    (void)state;
    static const char *const ids[] = {"", ".hidden", "a/b", "a\\b", "..", "a b", "a\n", "\xC3\xA9", "a'b", "%2e"};
    static const char *const names[] = {"../a", "/a",   "a/../b", "a//b",  "./a", "a/",
                                        "C:a",  "a\\b", "..",     "a\nb", "a/.",
                                        "a\xFF", "\xC0\xAE\xC0\xAE/a", "\xED\xA0\x80", "\xC3"};
    store *s = open_store(NULL);
    store_txn *txn = begin(s, STORE_WRITE);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        assert_int_equal(put_text(txn, ids[i], "x", STORE_ANY, NULL), STORE_INVALID);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const store_file file = file_of(names[i], "x");
        const store_put put = {.area = STORE_ITEM, .id = "a", .files = &file, .file_count = 1, .expected = STORE_ANY};
        assert_int_equal(store_put_item(txn, &put, NULL), STORE_INVALID);
        assert_non_null(strstr(store_error_of(txn)->text, "name of a file"));
    }
    char long_id[STORE_ID_MAX + 2];
    memset(long_id, 'a', sizeof long_id);
    long_id[STORE_ID_MAX + 1] = 0;
    assert_int_equal(put_text(txn, long_id, "x", STORE_ANY, NULL), STORE_INVALID);
    long_id[STORE_ID_MAX] = 0;
    assert_int_equal(put_text(txn, long_id, "x", STORE_ANY, NULL), STORE_OK);
    const store_file twice[] = {file_of("a", "x"), file_of("b", "x"), file_of("a", "y")};
    const store_put put = {.area = STORE_ITEM, .id = "a", .files = twice, .file_count = 3, .expected = STORE_ANY};
    assert_int_equal(store_put_item(txn, &put, NULL), STORE_INVALID);
    uint64_t count = 0;
    assert_int_equal(store_count(txn, NULL, &count), STORE_OK);
    assert_int_equal(count, 1);
    store_rollback(txn);
    store_close(s);
}

static void revisions_are_held_to(void **state) {
    (void)state;
    store *s = open_store(NULL);
    const int64_t first = put_now(s, "user:a", "1");
    store_txn *txn = begin(s, STORE_WRITE);
    store_item item;
    assert_int_equal(put_text(txn, "user:a", "2", STORE_NONE, NULL), STORE_CONFLICT);
    assert_int_equal(store_error_of(txn)->revision, first);
    assert_int_equal(put_text(txn, "user:a", "2", first + 1, NULL), STORE_CONFLICT);
    assert_int_equal(put_text(txn, "user:b", "2", first, NULL), STORE_CONFLICT);
    assert_int_equal(store_error_of(txn)->revision, 0);
    assert_int_equal(put_text(txn, "user:a", "1", first, &item), STORE_OK); // the same: nothing happens
    assert_int_equal(item.revision, first);
    assert_int_equal(put_text(txn, "user:a", "2", first, &item), STORE_OK);
    assert_int_equal(item.revision, first + 1);
    assert_int_equal(item.version, 2);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:a", first), STORE_CONFLICT);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:b", STORE_ANY), STORE_NOT_FOUND);
    commit(txn);
    check_text(s, "user:a", "2");
    // What is rolled back did not happen.
    txn = begin(s, STORE_WRITE);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:a", first + 1), STORE_OK);
    assert_int_equal(put_text(txn, "user:b", "3", STORE_NONE, NULL), STORE_OK);
    store_rollback(txn);
    check_text(s, "user:a", "2");
    check_text(s, "user:b", NULL);
    // Nor may a reader change anything.
    txn = begin(s, STORE_READ);
    assert_int_equal(put_text(txn, "user:b", "3", STORE_NONE, NULL), STORE_READ_ONLY);
    store_rollback(txn);
    store_close(s);
}

static void assets_are_called_by_their_content(void **state) {
    (void)state;
    store *s = open_store(NULL);
    store_txn *txn = begin(s, STORE_WRITE);
    const store_file file = file_of(NULL, "abc");
    store_put put = {.area = STORE_ASSET, .kind = "image/png", .files = &file, .file_count = 1, .number_a = 3,
                     .expected = STORE_ANY};
    store_item item;
    assert_int_equal(store_put_item(txn, &put, &item), STORE_OK);
    assert_string_equal(item.id, "ba7816bf8f01cfea"); // of the hash that the standard gives for "abc"
    put.id = "0000000000000000";
    assert_int_equal(store_put_item(txn, &put, &item), STORE_INVALID);
    commit(txn);
    store_close(s);
}

// ---------------------------------------------------------------------------------------------------------- references

static store_status put_user(store_txn *txn, store_area area, const char *id, const char *to, bool needed) {
    const store_file file = file_of(NULL, "{}");
    const store_use use = {.to_area = STORE_ITEM, .to = to, .where = "/states/idle/enter/animationId", .role = "enter",
                           .needed = needed};
    const store_put put = {.area = area, .id = id, .files = &file, .file_count = 1, .uses = &use, .use_count = 1,
                           .expected = STORE_ANY};
    return store_put_item(txn, &put, NULL);
}

static void what_is_used_stays(void **state) {
    (void)state;
    store *s = open_store(NULL);
    store_txn *txn = begin(s, STORE_WRITE);
    assert_int_equal(put_user(txn, STORE_PET, "pet_1", "user:a", true), STORE_DANGLING);
    assert_int_equal(store_error_of(txn)->use_total, 1);
    assert_string_equal(store_error_of(txn)->uses[0].to, "user:a");
    assert_int_equal(put_user(txn, STORE_CONFIG, "petween", "any text", false), STORE_OK);
    assert_int_equal(put_text(txn, "user:a", "1", STORE_ANY, NULL), STORE_OK);
    assert_int_equal(put_user(txn, STORE_PET, "pet_1", "user:a", true), STORE_OK);
    assert_int_equal(put_user(txn, STORE_PET, "pet_2", "user:a", false), STORE_OK);
    assert_int_equal(put_user(txn, STORE_ITEM, "user:self", "user:self", true), STORE_OK);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:a", STORE_ANY), STORE_IN_USE);
    const store_error *error = store_error_of(txn);
    assert_int_equal(error->use_total, 2);
    assert_string_equal(error->uses[0].from, "pet_1");
    assert_string_equal(error->uses[1].from, "pet_2");
    assert_int_equal(error->uses[1].from_area, STORE_PET);
    assert_string_equal(error->uses[0].where, "/states/idle/enter/animationId");
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:self", STORE_ANY), STORE_OK);
    assert_int_equal(store_delete(txn, STORE_PET, "pet_1", STORE_ANY), STORE_OK);
    assert_int_equal(put_user(txn, STORE_PET, "pet_2", "other", false), STORE_OK);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:a", STORE_ANY), STORE_OK);
    // Bringing the pet back wants what it needs.
    const store_past *past = NULL;
    uint32_t count = 0;
    assert_int_equal(store_history(txn, STORE_PET, "pet_1", 0, 10, &past, &count), STORE_OK);
    assert_int_equal(count, 2);
    const int64_t pet = past[1].item.revision;
    assert_int_equal(store_restore(txn, STORE_PET, "pet_1", pet, STORE_NONE, NULL), STORE_DANGLING);
    assert_int_equal(store_history(txn, STORE_ITEM, "user:a", 0, 10, &past, &count), STORE_OK);
    assert_int_equal(past[0].action, STORE_DELETED);
    assert_int_equal(store_restore(txn, STORE_ITEM, "user:a", past[0].item.revision, STORE_NONE, NULL), STORE_OK);
    assert_int_equal(store_restore(txn, STORE_PET, "pet_1", pet, STORE_NONE, NULL), STORE_OK);
    const store_use *uses = NULL;
    assert_int_equal(store_users(txn, STORE_ITEM, "user:a", &uses, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_true(uses[0].needed);
    assert_int_equal(store_uses(txn, STORE_PET, "pet_1", &uses, &count), STORE_OK);
    assert_int_equal(count, 1);
    commit(txn);
    store_close(s);
}

// ------------------------------------------------------------------------------------------------------------- history

static void every_change_can_be_brought_back(void **state) {
    (void)state;
    store *s = open_store(NULL);
    int64_t revisions[5];
    char text[16];
    for (int i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "%d", i);
        revisions[i] = put_now(s, "user:a", text);
    }
    put_now(s, "user:b", "b");
    store_txn *txn = begin(s, STORE_WRITE);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:a", revisions[4]), STORE_OK);
    commit(txn);
    for (int i = 0; i < 5; i++) {
        store_item item;
        snprintf(text, sizeof text, "%d", i);
        txn = begin(s, STORE_WRITE);
        assert_int_equal(store_restore(txn, STORE_ITEM, "user:a", revisions[i], STORE_ANY, &item), STORE_OK);
        assert_string_equal(item.name, text);
        commit(txn);
        check_text(s, "user:a", text);
    }
    txn = begin(s, STORE_READ);
    const store_past *past = NULL;
    const store_file *files = NULL;
    uint32_t count = 0;
    assert_int_equal(store_history(txn, STORE_ITEM, "user:a", 0, 100, &past, &count), STORE_OK);
    assert_int_equal(count, 11);
    assert_int_equal(past[0].action, STORE_RESTORED);
    assert_int_equal(past[0].item.version, 11);
    assert_int_equal(past[5].action, STORE_DELETED);
    assert_int_equal(past[10].action, STORE_CREATED);
    assert_int_equal(store_past_files(txn, STORE_ITEM, "user:a", revisions[3], true, &files, &count), STORE_OK);
    assert_memory_equal(files[0].bytes, "3", 1);
    assert_int_equal(store_past_files(txn, STORE_ITEM, "user:b", revisions[3], true, &files, &count), STORE_NOT_FOUND);
    assert_int_equal(store_history(txn, STORE_ITEM, "user:a", past[8].item.revision, 100, &past, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_int_equal(store_history(txn, STORE_ITEM, "user:c", 0, 100, &past, &count), STORE_NOT_FOUND);
    const store_change *changes = NULL;
    assert_int_equal(store_changes(txn, revisions[3], 2, &changes, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_int_equal(changes[0].revision, revisions[4]);
    assert_string_equal(changes[1].id, "user:b");
    store_rollback(txn);
    // What is pruned is gone, what is there stays.
    txn = begin(s, STORE_WRITE);
    uint64_t freed = 0;
    assert_int_equal(store_prune(txn, 1, INT64_MAX, &freed), STORE_OK);
    assert_int_equal(freed, 4); // four files of one byte
    commit(txn);
    check_text(s, "user:a", "4");
    check_text(s, "user:b", "b");
    store_close(s);
}

// ------------------------------------------------------------------------------------------------------- lists, search

static void lists_go_by_pages(void **state) {
    (void)state;
    store *s = open_store(NULL);
    store_txn *txn = begin(s, STORE_WRITE);
    char id[32];
    for (int i = 0; i < 250; i++) {
        snprintf(id, sizeof id, "%s:n%03d", i % 2 == 0 ? "even" : "odd", i);
        assert_int_equal(put_text(txn, id, id, STORE_ANY, NULL), STORE_OK);
    }
    commit(txn);
    txn = begin(s, STORE_READ);
    const store_filter odd = {.prefix = "odd:", .area = STORE_ITEM, .format = "petween", .kind = "ambient"};
    store_page page;
    const char *cursor = NULL;
    uint32_t seen = 0, pages = 0;
    do {
        assert_int_equal(store_list(txn, &odd, cursor, 10, &page), STORE_OK);
        for (uint32_t i = 0; i < page.count; i++) {
            snprintf(id, sizeof id, "odd:n%03u", 2 * seen++ + 1);
            assert_string_equal(page.items[i].id, id);
        }
        cursor = page.next;
        pages++;
    } while (cursor != NULL);
    assert_int_equal(seen, 125);
    assert_int_equal(pages, 13);
    assert_int_equal(store_list(txn, NULL, NULL, 250, &page), STORE_OK);
    assert_int_equal(page.count, 250);
    assert_null(page.next);
    static const char *const bad[] = {"", "1", "9a0", "1zz", "16", "12e", "12f2e2e"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(store_list(txn, NULL, bad[i], 10, &page), STORE_INVALID);
    }
    assert_int_equal(store_list(txn, NULL, NULL, 0, &page), STORE_INVALID);
    assert_int_equal(store_list(txn, NULL, NULL, STORE_PAGE_MAX + 1, &page), STORE_INVALID);
    uint64_t count = 0;
    assert_int_equal(store_count(txn, &odd, &count), STORE_OK);
    assert_int_equal(count, 125);
    store_rollback(txn);
    store_close(s);
}

static uint64_t found(store *s, const char *query) {
    store_txn *txn = begin(s, STORE_READ);
    const store_filter filter = {.query = query};
    store_page page;
    uint64_t count = 0;
    assert_int_equal(store_count(txn, &filter, &count), STORE_OK);
    assert_int_equal(store_search(txn, &filter, 100, &page), STORE_OK);
    assert_int_equal(page.count, count);
    assert_int_equal(store_list(txn, &filter, NULL, 100, &page), STORE_OK);
    assert_int_equal(page.count, count);
    store_rollback(txn);
    return count;
}

static void words_are_found(void **state) {
    (void)state;
    store *s = open_store(NULL);
    put_now(s, "user:soft_landing", "Soft Landing");
    put_now(s, "user:hop", "Sanfter H\xC3\xBCpfer");
    assert_int_equal(found(s, "soft"), 1);
    assert_int_equal(found(s, "LAND"), 1);
    assert_int_equal(found(s, "hupfer"), 1);
    assert_int_equal(found(s, "user"), 2);
    assert_int_equal(found(s, "user hop"), 1);
    assert_int_equal(found(s, "soft hop"), 0);
    assert_int_equal(found(s, "of"), 0);
    // Operators and quotes are no more than signs between words.
    static const char *const odd[] = {"", "\"", "* ( ) :", "^", "-"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) { assert_int_equal(found(s, odd[i]), 0); }
    assert_int_equal(found(s, "soft\" OR \"hop"), 0);
    assert_int_equal(found(s, "name:hop"), 0);
    put_now(s, "user:hop", "other");
    assert_int_equal(found(s, "hupfer"), 0);
    store_txn *txn = begin(s, STORE_WRITE);
    assert_int_equal(store_delete(txn, STORE_ITEM, "user:hop", STORE_ANY), STORE_OK);
    commit(txn);
    assert_int_equal(found(s, "user"), 1);
    store_close(s);
}

static void programs_are_kept(void **state) {
    (void)state;
    store *s = open_store(NULL);
    store_txn *txn = begin(s, STORE_WRITE);
    char hash[65];
    const void *bytes = NULL;
    uint64_t size = 0;
    store_hash("x", 1, hash);
    assert_int_equal(store_program_get(txn, hash, "document", &bytes, &size), STORE_NOT_FOUND);
    assert_int_equal(store_program_put(txn, hash, "document", "blob", 4), STORE_OK);
    assert_int_equal(store_program_put(txn, hash, "document", "blob2", 5), STORE_OK);
    assert_int_equal(store_program_get(txn, hash, "document", &bytes, &size), STORE_OK);
    assert_int_equal(size, 5);
    assert_int_equal(store_program_get(txn, hash, "original", &bytes, &size), STORE_NOT_FOUND);
    assert_int_equal(store_program_get(txn, "zz", "original", &bytes, &size), STORE_INVALID);
    commit(txn);
    store_close(s);
}

// --------------------------------------------------------------------------------------------------- one another's way

static uint32_t heard;
static int64_t heard_last;
static void hear(void *context, const store_change *changes, uint32_t count) {
    (void)context;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(changes[i].revision > heard_last);
        heard_last = changes[i].revision;
    }
    heard += count;
}

enum { THREADS = 4, ROUNDS = 25 };
static void *count_up(void *context) { // each adds one to the same number, by its expected revision
    store *s = context;
    for (int done = 0; done < ROUNDS;) {
        store_txn *txn = NULL;
        store_error error;
        store_item item;
        store_file file;
        char text[16];
        if (store_begin(s, STORE_READ, &txn, &error) != STORE_OK) { abort(); }
        if (store_get(txn, STORE_ITEM, "count", &item) != STORE_OK) { abort(); }
        if (store_file_get(txn, STORE_ITEM, "count", NULL, &file) != STORE_OK) { abort(); }
        const int64_t revision = item.revision;
        snprintf(text, sizeof text, "%d", atoi(file.bytes) + 1);
        store_rollback(txn);
        if (store_begin(s, STORE_WRITE, &txn, &error) != STORE_OK) { abort(); }
        const store_status status = put_text(txn, "count", text, revision, NULL);
        if (status == STORE_OK) {
            if (store_commit(txn, &error) != STORE_OK) { abort(); }
            done++;
        } else {
            if (status != STORE_CONFLICT) { abort(); }
            store_rollback(txn);
        }
    }
    return NULL;
}

static void no_update_is_lost(void **state) {
    (void)state;
    heard = 0;
    heard_last = 0;
    store *s = open_store(&(store_def){.reader_max = 2, .committed = hear});
    put_now(s, "count", "0");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) { assert_int_equal(pthread_create(&threads[i], NULL, count_up, s), 0); }
    for (int i = 0; i < THREADS; i++) { pthread_join(threads[i], NULL); }
    check_text(s, "count", "100");
    assert_int_equal(heard, 1 + THREADS * ROUNDS);
    store_close(s);
}

static void readers_see_one_state(void **state) {
    (void)state;
    store *s = open_store(NULL);
    put_now(s, "a", "1");
    store_txn *reader = begin(s, STORE_READ);
    put_now(s, "a", "2");
    store_file file;
    assert_int_equal(store_file_get(reader, STORE_ITEM, "a", NULL, &file), STORE_OK);
    assert_memory_equal(file.bytes, "1", 1);
    store_rollback(reader);
    check_text(s, "a", "2");
    store_close(s);
}

static void others_are_waited_for(void **state) {
    (void)state;
    store *a = open_store(&(store_def){.busy_ms = 50}), *b = open_store(&(store_def){.busy_ms = 50});
    store_txn *txn = begin(a, STORE_WRITE), *none = NULL;
    store_error error;
    assert_int_equal(store_begin(b, STORE_WRITE, &none, &error), STORE_BUSY);
    assert_non_null(strstr(error.text, "another program"));
    assert_int_equal(store_begin(a, STORE_WRITE, &none, &error), STORE_BUSY); // in one store as well
    assert_int_equal(put_text(txn, "a", "1", STORE_NONE, NULL), STORE_OK);
    commit(txn);
    check_text(b, "a", "1");
    put_now(b, "a", "2");
    check_text(a, "a", "2");
    store_close(a);
    store_close(b);
}

// ------------------------------------------------------------------------------------------------ files of other sorts

static void write_file(const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static store_status try_open(const store_def *def, store_error *error) {
    store *s = NULL;
    const store_status status = store_open(path, def, &s, error);
    assert_true((s != NULL) == (status == STORE_OK));
    store_close(s);
    return status;
}

static void sql(const char *text) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void other_files_are_left_alone(void **state) {
    (void)state;
    store_error error;
    assert_int_equal(try_open(&(store_def){.must_exist = true}, &error), STORE_NOT_FOUND);
    assert_int_equal(try_open(&(store_def){.read_only = true}, &error), STORE_NOT_FOUND);
    assert_int_not_equal(access(path, F_OK), 0);
    write_file("no library at all", 17);
    assert_int_equal(try_open(NULL, &error), STORE_FOREIGN);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, 17);
    unlink(path);
    sql("CREATE TABLE t(a)");
    assert_int_equal(try_open(NULL, &error), STORE_FOREIGN);
    unlink(path);
    write_file("", 0);
    assert_int_equal(try_open(NULL, &error), STORE_OK); // an empty file is a new library
    sql("PRAGMA user_version=1000");
    assert_int_equal(try_open(NULL, &error), STORE_NEWER);
    assert_non_null(strstr(error.text, "newer"));
    assert_int_equal(try_open(&(store_def){.read_only = true}, &error), STORE_NEWER);
    sql("PRAGMA user_version=1");
    assert_int_equal(try_open(NULL, &error), STORE_OK);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(try_open(NULL, &error), STORE_FOREIGN);
    rmdir(path);
    snprintf(path, sizeof path, "%s/none/library.db", folder);
    assert_int_equal(try_open(NULL, &error), STORE_READ_ONLY); // its folder is never made
    snprintf(path, sizeof path, "%s/a?b#c%%41 d.db", folder);
    assert_int_equal(try_open(NULL, &error), STORE_OK);
    assert_int_equal(access(path, F_OK), 0);
}

static void what_cannot_be_written_is_read(void **state) {
    (void)state;
    store *s = open_store(NULL);
    put_now(s, "a", "1");
    store_close(s);
    s = open_store(&(store_def){.read_only = true});
    assert_true(store_is_read_only(s));
    check_text(s, "a", "1");
    store_txn *txn = NULL;
    store_error error;
    assert_int_equal(store_begin(s, STORE_WRITE, &txn, &error), STORE_READ_ONLY);
    store_close(s);
    if (geteuid() == 0) { return; } // who may do everything is stopped by no mode
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(chmod(folder, 0500), 0);
    s = open_store(NULL);
    assert_true(store_is_read_only(s));
    check_text(s, "a", "1");
    store_close(s);
}

static void a_full_disk_loses_nothing(void **state) {
    (void)state;
    store *s = open_store(&(store_def){.size_max = 400 << 10});
    store_txn *txn = NULL;
    store_error error;
    char *large = malloc(100001);
    assert_non_null(large);
    char id[16];
    int held = 0;
    store_status status = STORE_OK;
    for (; status == STORE_OK && held < 100; held++) {
        memset(large, 'a' + held % 26, 100000);
        large[100000] = 0;
        snprintf(id, sizeof id, "n%d", held);
        txn = begin(s, STORE_WRITE);
        const store_file file = file_of("f", large);
        const store_put put = {.area = STORE_ITEM, .id = id, .files = &file, .file_count = 1, .expected = STORE_ANY};
        status = store_put_item(txn, &put, NULL);
        if (status != STORE_OK) {
            assert_string_equal(store_error_of(txn)->text + strlen(store_error_of(txn)->text) - strlen("library.db'"),
                                "library.db'");
            assert_int_equal(put_text(txn, "small", "1", STORE_ANY, NULL), STORE_FULL); // nothing but the end is left
        }
        assert_int_equal(store_commit(txn, &error), status);
    }
    assert_int_equal(status, STORE_FULL);
    assert_true(held > 1);
    for (int i = 0; i < held - 1; i++) {
        snprintf(id, sizeof id, "n%d", i);
        txn = begin(s, STORE_READ);
        store_file file;
        assert_int_equal(store_file_get(txn, STORE_ITEM, id, NULL, &file), STORE_OK);
        assert_int_equal(file.size, 100000);
        store_rollback(txn);
    }
    free(large);
    put_now(s, "small", "1"); // what fits still goes in
    store_close(s);
}

// The system's own refusal: no file may grow beyond what the limit of the process says.
static void a_write_that_the_system_refuses_loses_nothing(void **state) {
    (void)state;
    store *s = open_store(NULL);
    put_now(s, "a", "1");
    store_close(s);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        s = open_store(NULL);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){200 << 10, 200 << 10});
        char *large = calloc(1, 400001);
        memset(large, 'x', 400000);
        store_txn *txn = begin(s, STORE_WRITE);
        store_error error;
        const store_file file = file_of("f", large);
        const store_put put = {.area = STORE_ITEM, .id = "b", .files = &file, .file_count = 1, .expected = STORE_ANY};
        store_put_item(txn, &put, NULL);
        const store_status status = store_commit(txn, &error);
        store_file there;
        txn = begin(s, STORE_READ);
        const bool kept = store_file_get(txn, STORE_ITEM, "a", NULL, &there) == STORE_OK;
        free(large);
        if (status != STORE_FULL) { fprintf(stderr, "%s\n", error.text); }
        test_end_child(!kept ? 100 : (int)status);
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), STORE_FULL);
    s = open_store(NULL);
    check_text(s, "a", "1");
    check_text(s, "b", NULL);
    store_close(s);
}

static void move_with_all(const char *from, const char *to) { // what SQLite keeps beside it goes with it
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char old[200], now[200];
        snprintf(old, sizeof old, "%s%s", from, suffixes[i]);
        snprintf(now, sizeof now, "%s%s", to, suffixes[i]);
        assert_int_equal(rename(old, now), 0);
    }
}

// What is acknowledged must be there; and two libraries must not be taken for one.
static void a_file_that_is_gone_is_not_written_to(void **state) {
    (void)state;
    char other[160];
    snprintf(other, sizeof other, "%s/other.db", folder);
    store *s = open_store(NULL);
    store_txn *reader = begin(s, STORE_READ); // which holds the one that is open already
    put_now(s, "a", "1");
    for (int replaced = 0; replaced < 2; replaced++) {
        if (replaced == 0) {
            move_with_all(path, other);
        } else {
            store_close(open_store(NULL)); // another one at its place
        }
        store_error error;
        store_item item;
        store_txn *txn = begin(s, STORE_WRITE);
        assert_int_equal(put_text(txn, "b", "2", STORE_ANY, &item), STORE_OK);
        assert_int_equal(store_commit(txn, &error), STORE_IO);
        assert_int_equal(error.status, STORE_IO);
        assert_non_null(strstr(error.text, "deleted or replaced"));
        txn = NULL;
        assert_int_equal(store_begin(s, STORE_READ, &txn, &error), STORE_IO); // by a connection that is new
        assert_null(txn);
    }
    store_rollback(reader);
    check_text(s, "a", "1"); // what can be read still is
    check_text(s, "b", NULL);
    move_with_all(other, path); // it has come back
    assert_int_equal(put_now(s, "b", "2") > 0, 1);
    store_close(s);
    s = open_store(NULL);
    check_text(s, "a", "1");
    check_text(s, "b", "2");
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, in_folder, clean_up)
        IN_FOLDER(bytes_come_back),
        IN_FOLDER(names_that_lead_out_are_refused),
        IN_FOLDER(revisions_are_held_to),
        IN_FOLDER(assets_are_called_by_their_content),
        IN_FOLDER(what_is_used_stays),
        IN_FOLDER(every_change_can_be_brought_back),
        IN_FOLDER(lists_go_by_pages),
        IN_FOLDER(words_are_found),
        IN_FOLDER(programs_are_kept),
        IN_FOLDER(no_update_is_lost),
        IN_FOLDER(readers_see_one_state),
        IN_FOLDER(others_are_waited_for),
        IN_FOLDER(other_files_are_left_alone),
        IN_FOLDER(what_cannot_be_written_is_read),
        IN_FOLDER(a_file_that_is_gone_is_not_written_to),
        IN_FOLDER(a_full_disk_loses_nothing),
        IN_FOLDER(a_write_that_the_system_refuses_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
