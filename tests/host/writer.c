// Changes a library until it is killed, and says what it did: for tests/host/kill.py and faults.py.
//   writer LIBRARY write SEED [COUNT]   COUNT changes (0: for ever). Before each "try N WHAT ID...", and once it is on
//                                       the disk "done N REVISION"; "failed N STATUS TEXT" where it was refused
//   writer LIBRARY look                 "finding TEXT" for all that is wrong, "thing ID N" for all that is there, where
//                                       N is the change that it comes from (of what others put, its hash), and
//                                       "revision REVISION"
//   writer LIBRARY repair               "repair TEXT" for all that was done, "whole" where nothing was to be done
//   writer LIBRARY hold                 "held" once it is in a transaction for writing, until its input ends
// Changes: import (IMPORT things in one transaction), put, delete, restore. What change N writes depends on N alone.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/store.h"

enum { IMPORT = 12, THINGS = 10, TEXT_MAX = 200000 };

static store *library;
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void say(const char *line) { // in one piece: what was said before a kill can be read after it
    if (write(1, line, strlen(line)) < 0) { exit(3); }
}

static size_t text_of(unsigned change, unsigned part, char *text) {
    static const unsigned sizes[] = {60, 300, 3000, 5000, 20000, 120000};
    const size_t size = sizes[(change * 7 + part) % 6] + change % 97;
    for (size_t i = 0; i < size; i++) { text[i] = (char)('a' + (change + part + i / 64) % 26); }
    const int head = snprintf(text, 40, "{\"change\": %u, \"part\": %u}", change, part);
    text[head] = ' ';
    text[size] = 0;
    return size;
}

static store_status put(store_txn *txn, const char *id, unsigned change, unsigned part) {
    static char text[TEXT_MAX];
    const store_file files[] = {{.name = "a.json", .bytes = text, .size = text_of(change, part, text)},
                                {.name = "same.png", .bytes = "picture", .size = 7}};
    const store_put what = {.area = STORE_ITEM, .id = id, .format = "test", .kind = "thing", .name = id, .text = id,
                            .files = files, .file_count = 2, .expected = STORE_ANY};
    return store_put_item(txn, &what, NULL);
}

static store_status restore(store_txn *txn, const char *id) { // as it was before its last change
    const store_past *past = NULL;
    uint32_t count = 0;
    const store_status status = store_history(txn, STORE_ITEM, id, 0, 2, &past, &count);
    if (status != STORE_OK) { return status; }
    return store_restore(txn, STORE_ITEM, id, past[count - 1].item.revision, STORE_ANY, NULL);
}

static store_status change(store_txn *txn, unsigned number, char *what, size_t size) {
    char id[64], line[160];
    const uint32_t kind = draw(10);
    store_status status = STORE_OK;
    snprintf(id, sizeof id, "user:thing-%u", draw(THINGS));
    store_item item;
    const bool there = store_get(txn, STORE_ITEM, id, &item) == STORE_OK;
    if (kind < 2) {
        const uint32_t group = draw(5);
        snprintf(what, size, "import user:group-%u-", group);
        snprintf(line, sizeof line, "try %u %s\n", number, what);
        say(line);
        for (unsigned i = 0; i < IMPORT && status == STORE_OK; i++) {
            snprintf(id, sizeof id, "user:group-%u-%u", group, i);
            status = put(txn, id, number, i);
        }
        return status;
    }
    const char *action = kind < 7 || !there ? "put" : kind < 9 ? "delete" : "restore";
    snprintf(line, sizeof line, "try %u %s %s\n", number, action, id);
    say(line);
    return action[0] == 'p'   ? put(txn, id, number, 0)
           : action[0] == 'd' ? store_delete(txn, STORE_ITEM, id, STORE_ANY)
                              : restore(txn, id);
}

static int write_on(unsigned count) {
    for (unsigned done = 0; count == 0 || done < count; done++) {
        store_txn *txn = NULL;
        store_error error;
        char what[96] = "", line[700];
        // Drawn from so many that hardly two changes of a test have the same.
        const unsigned number = draw(1u << 30);
        int64_t revision = 0;
        store_status status = store_begin(library, STORE_WRITE, &txn, &error);
        if (status == STORE_OK) { status = change(txn, number, what, sizeof what); }
        if (status == STORE_OK) { status = store_revision(txn, &revision); }
        if (status == STORE_OK) {
            status = store_commit(txn, &error);
        } else if (txn != NULL) {
            error = *store_error_of(txn);
            store_rollback(txn);
        }
        if (status == STORE_OK) {
            snprintf(line, sizeof line, "done %u %lld\n", number, (long long)revision);
        } else {
            snprintf(line, sizeof line, "failed %u %s %s\n", number, store_status_name(status), error.text);
        }
        say(line);
    }
    return 0;
}

static void tell(void *context, const store_finding *finding) {
    (void)context;
    printf("finding %s: %s\n", finding->id != NULL ? finding->id : "-", finding->text);
}

static void look_at(store_txn *txn, const store_item *item) {
    static char text[TEXT_MAX];
    store_file file;
    unsigned number = 0, part = 0;
    if (store_file_get(txn, item->area, item->id, NULL, &file) != STORE_OK) {
        printf("finding %s: %s\n", item->id, store_error_of(txn)->text);
        return;
    }
    if (strcmp(item->format, "test") != 0) {
        printf("thing %s %s\n", item->id, file.hash);
        return;
    }
    const bool read = sscanf(file.bytes, "{\"change\": %u, \"part\": %u}", &number, &part) == 2;
    if (!read || text_of(number, part, text) != file.size || memcmp(text, file.bytes, file.size) != 0) {
        printf("finding %s: it is nothing that was ever put\n", item->id);
    }
    printf("thing %s %u\n", item->id, number);
}

static int look(void) {
    store_txn *txn = NULL;
    store_error error;
    store_page page = {0};
    uint64_t found = 0;
    int64_t revision = 0;
    if (store_begin(library, STORE_READ, &txn, &error) != STORE_OK) {
        printf("finding -: %s\n", error.text);
        return 1;
    }
    if (store_check(txn, NULL, NULL, tell, NULL, &found) != STORE_OK) { printf("finding -: no check\n"); }
    do {
        if (store_list(txn, NULL, page.next, STORE_PAGE_MAX, &page) != STORE_OK) { printf("finding -: no list\n"); }
        for (uint32_t i = 0; i < page.count; i++) { look_at(txn, &page.items[i]); }
    } while (page.next != NULL);
    store_revision(txn, &revision);
    printf("revision %lld\n", (long long)revision);
    store_rollback(txn);
    return 0;
}

static void tell_repair(void *context, const store_finding *finding) {
    (void)context;
    printf("repair %s: %s\n", finding->id != NULL ? finding->id : "-", finding->text);
}

static int repair(const char *path) {
    bool changed = false;
    store_error error;
    const store_status status = store_repair(path, tell_repair, NULL, &changed, &error);
    if (status != STORE_OK) {
        printf("failed 0 %s %s\n", store_status_name(status), error.text);
        return 1;
    }
    if (!changed) { puts("whole"); }
    return 0;
}

static int hold(void) {
    store_txn *txn = NULL;
    store_error error;
    char byte;
    if (store_begin(library, STORE_WRITE, &txn, &error) != STORE_OK) { return 1; }
    say("held\n");
    while (read(0, &byte, 1) > 0) {}
    store_rollback(txn);
    return 0;
}

int main(int argc, char **argv) {
    store_error error;
    if (argc < 3) { return 2; }
    if (strcmp(argv[2], "repair") == 0) { return repair(argv[1]); }
    const char *busy = getenv("BUSY_MS"), *most = getenv("SIZE_MAX_BYTES");
    const store_def def = {.busy_ms = busy != NULL ? (uint32_t)atol(busy) : 0,
                           .size_max = most != NULL ? (uint64_t)atoll(most) : 0};
    const store_status status = store_open(argv[1], &def, &library, &error);
    if (status != STORE_OK) {
        printf("failed 0 %s %s\n", store_status_name(status), error.text);
        return 1;
    }
    say("open\n");
    int result = 2;
    if (strcmp(argv[2], "write") == 0 && argc >= 4) {
        state = strtoull(argv[3], NULL, 10) * 2654435761u + 1;
        for (int i = 0; i < 4; i++) { draw(2); }
        result = write_on(argc > 4 ? (unsigned)atol(argv[4]) : 0);
    } else if (strcmp(argv[2], "look") == 0) {
        result = look();
    } else if (strcmp(argv[2], "hold") == 0) {
        result = hold();
    }
    store_close(library);
    return result;
}
