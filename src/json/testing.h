// What the tests of this folder share: reading a text in memory of exactly its size, an allocator that counts and can
// fail, and random documents that come with the same document in a normal form.
#ifndef ZJ_TESTING_H
#define ZJ_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "json/json.h"

// ---- An allocator that counts ----

typedef struct test_memory {
    uint32_t alloc_count;
    uint32_t fail_at;  // the n-th allocation fails, from 1; 0: none
    size_t now, peak;  // bytes
} test_memory;

static inline void *counting_alloc(void *context, size_t size) {
    test_memory *memory = context;
    memory->alloc_count++;
    if (memory->alloc_count == memory->fail_at) { return NULL; }
    void *block = malloc(size);
    assert_non_null(block);
    memory->now += size;
    memory->peak = memory->now > memory->peak ? memory->now : memory->peak;
    return block;
}

static inline void counting_free(void *context, void *block, size_t size) {
    test_memory *memory = context;
    assert_true(memory->now >= size);
    memory->now -= size;
    free(block);
}

static inline zo_allocator test_allocator(test_memory *memory) {
    return (zo_allocator){.context = memory, .alloc = counting_alloc, .free = counting_free};
}

// ---- Reading ----

typedef struct test_text {
    char *bytes; // a block of exactly `size` bytes, so that a sanitizer sees a read past the end
    size_t size;
    zb_arena arena;
    zd_report *report;
    zo_status status;
    const zj_doc *doc;
} test_text;

static inline test_text test_read_limited(const char *bytes, size_t size, const zj_limits *limits) {
    test_text t = {.bytes = malloc(size != 0 ? size : 1), .size = size};
    assert_non_null(t.bytes);
    memcpy(t.bytes, bytes, size);
    t.arena = zb_arena_open(NULL);
    t.report = zd_report_open(NULL, 0, false);
    assert_non_null(t.report);
    const uint32_t file = zd_report_file(t.report, "test.json", t.bytes, size);
    const zj_outcome outcome = zj_parse_outcome(&t.arena, t.bytes, size, file, limits, t.report);
    t.status = outcome.status;
    t.doc = outcome.doc;
    assert_int_equal(t.doc != NULL, t.status == ZO_OK);
    zd_report_finish(t.report);
    return t;
}

static inline test_text test_read(const char *text) { return test_read_limited(text, strlen(text), NULL); }

static inline void test_close(test_text *t) {
    zb_arena_close(&t->arena);
    zd_report_close(t->report);
    free(t->bytes);
}

static inline const zo_diag *test_diag(const test_text *t, uint32_t index) {
    return zo_report_at((const zo_report *)t->report, index);
}

static inline uint32_t test_diag_count(const test_text *t) { return zo_report_count((const zo_report *)t->report); }

// ---- Random documents ----

typedef struct test_random {
    uint64_t seed, n;
} test_random;

static inline uint32_t test_below(test_random *r, uint32_t bound) {
    return (uint32_t)(zb_hash64(r->seed, 77, 0, r->n++) % bound);
}

enum { TEST_TEXT_MAX = 64 * 1024 };

// One document twice: as somebody may have written it, and without white space and with the fewest escapes.
typedef struct test_document {
    char loose[TEST_TEXT_MAX], normal[TEST_TEXT_MAX];
    size_t loose_size, normal_size;
    uint32_t values_left; // until no more containers are opened
    uint32_t key_serial;  // makes keys differ
} test_document;

static inline void test_put_loose(test_document *d, const char *text, size_t size) {
    assert_true(d->loose_size + size <= sizeof d->loose);
    memcpy(d->loose + d->loose_size, text, size);
    d->loose_size += size;
}

static inline void test_put_normal(test_document *d, const char *text, size_t size) {
    assert_true(d->normal_size + size <= sizeof d->normal);
    memcpy(d->normal + d->normal_size, text, size);
    d->normal_size += size;
}

static inline void test_put_both(test_document *d, const char *text) {
    test_put_loose(d, text, strlen(text));
    test_put_normal(d, text, strlen(text));
}

static inline void test_put_space(test_document *d, test_random *r) {
    static const char *const spaces[] = {"", "", "", " ", "\n", "\r\n", "\t", "\n                    ", "  "};
    const char *space = spaces[test_below(r, ZB_COUNT(spaces))];
    test_put_loose(d, space, strlen(space));
}

// The same character in several spellings; the first is the normal one.
static inline void test_put_string(test_document *d, test_random *r, uint32_t serial) {
    static const char *const characters[][3] = {
        {"a", "a", "\\u0061"}, {"\\\"", "\\u0022", "\\\""}, {"\\\\", "\\\\", "\\u005C"}, {"/", "\\/", "/"}, {"~", "~",
        "~"},
        {"\\n", "\\u000a", "\\n"}, {"\\u0000", "\\u0000", "\\u0000"}, {"\\u001f", "\\u001F", "\\u001f"},
        {"\xC3\xA9", "\\u00e9", "\xC3\xA9"}, {"\xE5\x8B\x95", "\\u52D5", "\xE5\x8B\x95"}, {"\x7F", "\x7F", "\\u007f"},
        {"\xF0\x9F\x90\xB1", "\\uD83D\\uDC31", "\xF0\x9F\x90\xB1"},
        {"text that is longer", "text that is longer", "text that is longer"},
    };
    test_put_both(d, "\"");
    const uint32_t count = test_below(r, 3) == 0 ? test_below(r, 24) : test_below(r, 4);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = test_below(r, ZB_COUNT(characters));
        const char *loose = characters[c][test_below(r, 3)];
        test_put_loose(d, loose, strlen(loose));
        test_put_normal(d, characters[c][0], strlen(characters[c][0]));
    }
    if (serial != 0) {
        char digits[16];
        snprintf(digits, sizeof digits, "%u", (unsigned)serial);
        test_put_both(d, digits);
    }
    test_put_both(d, "\"");
}

static inline void test_put_number(test_document *d, test_random *r) { // its spelling is part of the normal form
    char text[128];
    int size = snprintf(text, sizeof text, "%s%u", test_below(r, 3) == 0 ? "-" : "", (unsigned)test_below(r, 1000));
    if (test_below(r, 2) == 0) {
        text[size++] = '.';
        const uint32_t digits = 1 + test_below(r, test_below(r, 4) == 0 ? 40 : 8);
        for (uint32_t i = 0; i < digits; i++) { text[size++] = (char)('0' + test_below(r, 10)); }
        text[size] = 0;
    }
    if (test_below(r, 4) == 0) {
        static const char *const signs[] = {"", "+", "-"};
        snprintf(text + size, sizeof text - (size_t)size, "%c%s%u", test_below(r, 2) == 0 ? 'e' : 'E',
                 signs[test_below(r, 3)], (unsigned)test_below(r, 30));
    }
    test_put_both(d, text);
}

static inline void test_put_value(test_document *d, test_random *r, uint32_t depth) { // recursion: at most 8 deep
    static const char *const words[] = {"true", "false", "null"};
    const uint32_t kind = test_below(r, depth < 8 && d->values_left > 0 ? 5 : 3);
    d->values_left -= d->values_left > 0 ? 1 : 0;
    test_put_space(d, r);
    if (kind == 0) { test_put_both(d, words[test_below(r, 3)]); }
    if (kind == 1) { test_put_number(d, r); }
    if (kind == 2) { test_put_string(d, r, 0); }
    if (kind >= 3) {
        const bool object = kind == 3;
        const uint32_t count = depth == 0 ? 4 + test_below(r, 60) : test_below(r, 6);
        test_put_both(d, object ? "{" : "[");
        for (uint32_t i = 0; i < count; i++) {
            if (i > 0) { test_put_both(d, ","); }
            if (object) {
                test_put_space(d, r);
                test_put_string(d, r, ++d->key_serial);
                test_put_space(d, r);
                test_put_both(d, ":");
            }
            test_put_value(d, r, depth + 1);
        }
        test_put_space(d, r);
        test_put_both(d, object ? "}" : "]");
    }
    test_put_space(d, r);
}

static inline void test_make_document(test_document *d, uint64_t seed) {
    test_random r = {.seed = seed};
    d->loose_size = d->normal_size = 0;
    d->key_serial = 0;
    d->values_left = 10 + test_below(&r, 300);
    test_put_value(d, &r, 0);
}

#endif
