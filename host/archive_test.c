// Zips: what is told of them, and what they may not do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/archive.h"
#include "host/test_zip.h"

static void whole_ones(void **state) {
    (void)state;
    const zip_part parts[] = {{.name = "a/", .mode = 0040755}, {.name = "a/b.txt", .bytes = "hello", .size = 5},
                              {.name = "c", .bytes = "", .size = 0}};
    zip_text zip = zip_of_parts(parts, 3, 0);
    archive *a = archive_open(zip.bytes, zip.size, 10);
    assert_non_null(a);
    assert_string_equal(a->fault, "");
    assert_int_equal(a->entry_count, 3);
    assert_true(archive_is_folder(&a->entries[0]));
    assert_false(archive_is_folder(&a->entries[1]));
    assert_string_equal(a->entries[1].name.data, "a/b.txt");
    assert_int_equal(a->entries[1].size, 5);
    assert_null(a->entries[1].bytes);
    assert_true(archive_unpack(a, 1));
    assert_true(archive_unpack(a, 1)); // again changes nothing
    archive_close(a);
    assert_memory_equal(a->entries[1].bytes, "hello", 5);
    assert_int_equal(a->entries[1].real_size, 5);
    assert_int_equal(a->entries[1].flags, ZO_ENTRY_UNPACKED);
    assert_true(archive_unpack(a, 2));
    assert_null(a->entries[2].bytes); // it is closed
    archive_free(a);
    archive_free(NULL);
    // Something may stand before it.
    char *more = malloc(zip.size + 7);
    assert_non_null(more);
    memcpy(more, "prefix!", 7);
    memcpy(more + 7, zip.bytes, zip.size);
    a = archive_open(more, zip.size + 7, 10);
    assert_non_null(a);
    assert_true(a->entry_count == 3 || a->fault[0] != 0);
    archive_free(a);
    free(more);
    free(zip.bytes);
}

static void kinds_of_entries(void **state) {
    (void)state;
    static const struct { zip_part part; uint32_t flags; } cases[] = {
        {{.name = "link", .bytes = "/etc", .size = 4, .mode = 0120777}, ZO_ENTRY_LINK},
        {{.name = "pipe", .bytes = "", .mode = 0010644}, ZO_ENTRY_LINK},
        {{.name = "secret", .bytes = "x", .size = 1, .flags = 1}, ZO_ENTRY_ENCRYPTED},
        {{.name = "new", .bytes = "x", .size = 1, .method = 95}, ZO_ENTRY_METHOD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zip_text zip = zip_of_parts(&cases[i].part, 1, 0);
        archive *a = archive_open(zip.bytes, zip.size, 10);
        assert_non_null(a);
        assert_int_equal(a->entry_count, 1);
        assert_int_equal(a->entries[0].flags & cases[i].flags, cases[i].flags);
        archive_free(a);
        free(zip.bytes);
    }
}

static void names_have_all_their_bytes(void **state) {
    (void)state;
    const zip_part part = {.name = "a.json\0/../../b", .name_size = 15, .bytes = "x", .size = 1};
    zip_text zip = zip_of_parts(&part, 1, 0);
    archive *a = archive_open(zip.bytes, zip.size, 10);
    assert_non_null(a);
    assert_int_equal(a->entry_count, 1);
    assert_int_equal(a->entries[0].name.size, 15);
    assert_memory_equal(a->entries[0].name.data, "a.json\0/../../b", 16);
    archive_free(a);
    free(zip.bytes);
}

static void claims(void **state) {
    (void)state;
    const zip_part part = {.name = "a", .bytes = "hello", .size = 5};
    zip_text zip = zip_of_parts(&part, 1, 65535);
    archive *a = archive_open(zip.bytes, zip.size, 10);
    assert_non_null(a);
    assert_int_equal(a->claimed_count, 65535);
    assert_int_equal(a->entry_count, 0);
    archive_free(a);
    free(zip.bytes);
    // More than it says comes out: one byte more is seen, and no more.
    static const uint32_t sizes[] = {3, 9, 0xFFFFFFFE};
    for (int i = 0; i < 2; i++) {
        const zip_part lie = {.name = "a", .bytes = "hello", .size = 5, .claimed = sizes[i]};
        zip = zip_of_parts(&lie, 1, 0);
        a = archive_open(zip.bytes, zip.size, 10);
        assert_non_null(a);
        if (a->entry_count == 1 && a->entries[0].size == sizes[i]) {
            assert_true(archive_unpack(a, 0));
            assert_true(a->entries[0].real_size <= a->entries[0].size + 1);
            assert_true(a->entries[0].real_size != a->entries[0].size || (a->entries[0].flags & ZO_ENTRY_DAMAGED));
        }
        archive_free(a);
        free(zip.bytes);
    }
    const zip_part huge = {.name = "a", .bytes = "hello", .size = 5, .claimed = sizes[2], .method = 8};
    zip = zip_of_parts(&huge, 1, 0);
    a = archive_open(zip.bytes, zip.size, 10); // nothing is made room for by looking
    assert_non_null(a);
    assert_int_equal(a->entries[0].size, sizes[2]);
    archive_free(a);
    free(zip.bytes);
}

static void damaged_ones(void **state) {
    (void)state;
    const zip_part parts[] = {{.name = "a/b.txt", .bytes = "hello", .size = 5},
                              {.name = "c", .bytes = "xyz", .size = 3}};
    zip_text zip = zip_of_parts(parts, 2, 0);
    for (size_t size = 0; size < zip.size; size++) { // cut off anywhere
        uint8_t *piece = malloc(size + 1); // memory of its own, so that reading beyond it is seen
        assert_non_null(piece);
        memcpy(piece, zip.bytes, size);
        uint8_t *exact = realloc(piece, size > 0 ? size : 1);
        archive *a = archive_open(exact, size, 10);
        assert_non_null(a);
        assert_true(a->fault[0] != 0);
        archive_free(a);
        free(exact);
    }
    for (size_t at = 0; at < zip.size; at++) { // one byte is another one
        uint8_t *copy = malloc(zip.size);
        assert_non_null(copy);
        memcpy(copy, zip.bytes, zip.size);
        copy[at] ^= 0x55;
        archive *a = archive_open(copy, zip.size, 10);
        assert_non_null(a);
        for (uint32_t i = 0; i < a->entry_count; i++) {
            if (a->entries[i].size < 100000) { assert_true(archive_unpack(a, i)); }
        }
        archive_free(a);
        free(copy);
    }
    free(zip.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_ones),
        cmocka_unit_test(kinds_of_entries),
        cmocka_unit_test(names_have_all_their_bytes),
        cmocka_unit_test(claims),
        cmocka_unit_test(damaged_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
