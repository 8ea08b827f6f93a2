// A library changed by another process than the host. Usage:
//   host_library FILE put PATH [NAME]   the thing in the file, under the name that it would have beside others
//   host_library FILE remove ID         an animation or whatever else has a format
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/content.h"

static uint8_t bytes[1 << 20];

static int fail(const char *text) {
    fprintf(stderr, "%s\n", text);
    return 1;
}

static int put(store *s, const char *path, const char *name) {
    store_txn *txn = NULL;
    store_error error = {0};
    content_thing *thing = NULL;
    FILE *in = fopen(path, "rb");
    if (in == NULL) { return fail("there is no such file"); }
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    const store_file file = {.name = name, .bytes = bytes, .size = size};
    store_status status = store_begin(s, STORE_WRITE, &txn, &error);
    if (status != STORE_OK) { return fail(error.text); }
    status = content_look(txn, STORE_ANY_AREA, &file, 1, NULL, &thing, &error);
    if (status == STORE_OK) {
        status = content_put(txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error);
        content_thing_free(thing);
    }
    if (status != STORE_OK) {
        store_rollback(txn);
        return fail(error.text);
    }
    return store_commit(txn, &error) == STORE_OK ? 0 : fail(error.text);
}

static int take_out(store *s, const char *id) {
    store_txn *txn = NULL;
    store_error error = {0};
    if (store_begin(s, STORE_WRITE, &txn, &error) != STORE_OK) { return fail(error.text); }
    if (content_delete(txn, STORE_ITEM, id, STORE_ANY, &error) != STORE_OK) {
        store_rollback(txn);
        return fail(error.text);
    }
    return store_commit(txn, &error) == STORE_OK ? 0 : fail(error.text);
}

int main(int argc, char **argv) {
    store *s = NULL;
    store_error error;
    if (argc < 4) { return fail("usage: host_library FILE put PATH [NAME] | FILE remove ID"); }
    if (store_open(argv[1], NULL, &s, &error) != STORE_OK) { return fail(error.text); }
    const int result = strcmp(argv[2], "put") == 0 ? put(s, argv[3], argc > 4 ? argv[4] : "given.json")
                                                   : take_out(s, argv[3]);
    store_close(s);
    return result;
}
