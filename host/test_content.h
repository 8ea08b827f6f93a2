// What tests of contents share: a library in a folder of its own, and files read from the examples.
#ifndef HOST_TEST_CONTENT_H
#define HOST_TEST_CONTENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/content.h"

typedef struct stage {
    char folder[64], path[96];
    store *store;
    store_txn *txn;
} stage;

static inline void begin_stage(stage *s, store_mode mode) {
    store_error error;
    assert_int_equal(store_begin(s->store, mode, &s->txn, &error), STORE_OK);
}

static inline void open_stage(stage *s) {
    store_error error;
    *s = (stage){.folder = "/tmp/content-test-XXXXXX"};
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/library.sqlite", s->folder);
    assert_int_equal(store_open(s->path, &(store_def){0}, &s->store, &error), STORE_OK);
    begin_stage(s, STORE_WRITE);
}

// Ends what was begun, and begins anew: what texts and bytes pointed to is gone.
static inline void commit_stage(stage *s, store_mode next) {
    store_error error;
    assert_int_equal(store_commit(s->txn, &error), STORE_OK);
    begin_stage(s, next);
}

static inline void close_stage(stage *s) {
    store_rollback(s->txn);
    store_close(s->store);
    unlink(s->path);
    assert_int_equal(rmdir(s->folder), 0); // nothing else is left behind
}

// A file below examples/, under its name or another one. Free its bytes with free_file.
static inline store_file read_example(const char *path, const char *name) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", ZO_EXAMPLES, path);
    FILE *file = fopen(whole, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    fclose(file);
    return (store_file){.name = name != NULL ? name : path, .bytes = bytes, .size = (uint64_t)size};
}

static inline void free_file(store_file *file) {
    free((void *)(uintptr_t)file->bytes);
    *file = (store_file){0};
}

static inline store_file text_file(const char *name, const char *text) {
    return (store_file){.name = name, .bytes = text, .size = strlen(text)};
}

#endif
