// Arena, array, text output and interning: what they hand out, and that running out of memory anywhere harms nothing.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "base/random.h"

// Counts what is out and fails from the n-th call on.
typedef struct books {
    uint32_t calls, calls_max;
    size_t out;     // bytes
    uint32_t blocks;
    size_t sizes[64]; // of the calls
} books;

static void *booked_alloc(void *context, size_t size) {
    books *b = context;
    if (b->calls >= b->calls_max) { return NULL; }
    if (b->calls < ZB_COUNT(b->sizes)) { b->sizes[b->calls] = size; }
    b->calls++;
    b->out += size;
    b->blocks++;
    return malloc(size);
}

static void booked_free(void *context, void *memory, size_t size) {
    books *b = context;
    b->out -= size;
    b->blocks--;
    free(memory);
}

static zb_arena open_booked(books *b) { return zb_arena_open(&(zo_allocator){b, booked_alloc, booked_free}); }

static void use_everything(zb_arena *arena) {
    zb_array array = zb_array_open(arena, sizeof(uint64_t));
    zb_buffer out = zb_buffer_open(arena);
    zb_intern names = zb_intern_open(arena);
    for (uint32_t i = 0; i < 30000; i++) {
        uint64_t *item = zb_array_push(&array);
        assert_int_equal(*item, 0);
        *item = i;
        zb_put_uint(&out, i);
        zb_put_json_text(&out, ZB_TEXT("a\nb"));
        char name[8];
        memcpy(name, &i, 4);
        zb_intern_id(&names, (zo_text){name, 4});
        zb_arena_text(arena, ZB_TEXT("copied"));
    }
    zb_arena_take_array(arena, 1, 10 * 1024 * 1024);
    assert_true(zb_array_push_many(&array, 5000) || zb_arena_failed(arena));
    for (uint32_t i = 0; i < array.count; i++) {
        const uint64_t item = ((const uint64_t *)(const void *)array.items)[i];
        assert_true(item == i || item == 0);
    }
    assert_int_equal(strlen(zb_buffer_text(&out)) > 0, !zb_arena_failed(arena));
    for (uint32_t id = 1; id <= zb_intern_count(&names); id++) { assert_int_equal(zb_intern_text(&names, id).size, 4); }
}

static void memory_may_end_at_any_call(void **state) {
    (void)state;
    uint32_t calls_needed = UINT32_MAX;
    for (uint32_t allowed = 0; calls_needed == UINT32_MAX; allowed++) {
        books b = {.calls_max = allowed};
        zb_arena arena = open_booked(&b);
        use_everything(&arena);
        if (!zb_arena_failed(&arena)) { calls_needed = allowed; }
        zb_arena_close(&arena);
        assert_int_equal(b.blocks, 0);
        assert_int_equal(b.out, 0);
    }
    assert_true(calls_needed > 5);
}

static void failure_sticks_until_reset(void **state) {
    (void)state;
    books b = {.calls_max = 1};
    zb_arena arena = open_booked(&b);
    assert_non_null(zb_arena_take(&arena, 1));
    assert_null(zb_arena_take(&arena, 100000));
    assert_true(zb_arena_failed(&arena));
    assert_null(zb_arena_take(&arena, 1)); // though there is room
    assert_null(zb_arena_text(&arena, ZB_TEXT("x")));
    zb_array array = zb_array_open(&arena, 256);
    memset(zb_array_push(&array), 0xFF, 256); // a place to write to
    assert_int_equal(*(uint8_t *)zb_array_push(&array), 0);
    assert_int_equal(array.count, 0);
    zb_buffer out = zb_buffer_open(&arena);
    zb_put(&out, "text");
    assert_string_equal(zb_buffer_text(&out), "");
    zb_arena_reset(&arena);
    assert_non_null(zb_arena_take(&arena, 1));
    zb_arena_close(&arena);
}

static void impossible_sizes_fail(void **state) {
    (void)state;
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 15, SIZE_MAX - 16, SIZE_MAX - 40,
                                   SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < ZB_COUNT(sizes); i++) {
        zb_arena arena = zb_arena_open(NULL);
        void *block = zb_arena_take(&arena, 8);
        assert_null(zb_arena_take_array(&arena, sizes[i], 3));
        assert_true(zb_arena_failed(&arena));
        zb_arena_reset(&arena);
        block = zb_arena_take(&arena, 8);
        arena.limit = 1 << 20;
        assert_null(zb_arena_grow(&arena, block, 8, sizes[i]));
        assert_true(zb_arena_failed(&arena));
        zb_arena_close(&arena);
    }
    zb_arena arena = zb_arena_open(NULL);
    assert_null(zb_arena_take(&arena, 0));
    assert_false(zb_arena_failed(&arena));
    arena.limit = 64;
    assert_non_null(zb_arena_take(&arena, 50)); // takes 64
    assert_null(zb_arena_take(&arena, 1));
    zb_arena_close(&arena);
    zb_array array = zb_array_open(&arena, 256);
    arena.failed = false;
    array.count = array.capacity = UINT32_MAX - 1;
    assert_null(zb_array_push_many(&array, 2)); // beyond what a count can say
    assert_true(zb_arena_failed(&arena));
}

static void chunks_double_and_large_blocks_stand_alone(void **state) {
    (void)state;
    books b = {.calls_max = UINT32_MAX};
    zb_arena arena = open_booked(&b);
    for (int i = 0; i < 40000; i++) { assert_int_equal((uintptr_t)zb_arena_take(&arena, 1001) % 16, 0); }
    assert_int_equal(b.sizes[0], 64 * 1024);
    for (uint32_t i = 1; i < b.calls; i++) {
        assert_int_equal(b.sizes[i], b.sizes[i - 1] < 8 << 20 ? 2 * b.sizes[i - 1] : 8 << 20);
    }
    uint8_t *before = zb_arena_take(&arena, 16);
    const uint32_t calls = b.calls;
    assert_non_null(zb_arena_take(&arena, 9 << 20));
    assert_int_equal(b.calls, calls + 1);
    assert_true((9 << 20) + 64 > b.sizes[calls] && b.sizes[calls] >= 9 << 20);
    assert_ptr_equal(zb_arena_take(&arena, 16), before + 16); // the rest of the chunk is still in use
    zb_arena_reset(&arena);
    assert_int_equal(b.blocks, 1);
    assert_true(b.out > 9 << 20); // the largest stays
    assert_non_null(zb_arena_take(&arena, 9 << 20));
    assert_int_equal(b.blocks, 1);
    zb_arena_close(&arena);
    assert_int_equal(b.out, 0);
}

static void the_newest_block_grows_in_place(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    uint8_t *block = zb_arena_take(&arena, 10);
    memset(block, 7, 10);
    assert_ptr_equal(zb_arena_grow(&arena, block, 10, 1000), block);
    assert_ptr_equal(zb_arena_grow(&arena, block, 1000, 20), block);
    zb_arena_take(&arena, 1);
    uint8_t *moved = zb_arena_grow(&arena, block, 1000, 2000);
    assert_ptr_not_equal(moved, block);
    for (int i = 0; i < 10; i++) { assert_int_equal(moved[i], 7); }
    zb_arena_close(&arena);
}

static void interning_gives_dense_numbers(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zb_intern names = zb_intern_open(&arena);
    assert_int_equal(zb_intern_find(&names, ZB_TEXT("a")), 0);
    assert_int_equal(zb_intern_id(&names, ZB_TEXT("")), 1);
    assert_int_equal(zb_intern_id(&names, (zo_text){NULL, 0}), 1);
    assert_int_equal(zb_intern_id(&names, ZB_TEXT("a")), 2);
    assert_int_equal(zb_intern_id(&names, ZB_TEXT("a\0")), 3); // size counts
    for (uint32_t i = 0; i < 100000; i++) {
        const uint64_t name = zb_hash64(1, 1, 1, i % 50000);
        const uint32_t id = zb_intern_id(&names, (zo_text){(const char *)&name, sizeof name});
        assert_int_equal(id, 4 + i % 50000);
    }
    assert_int_equal(zb_intern_count(&names), 50003);
    assert_int_equal(zb_intern_find(&names, ZB_TEXT("a")), 2);
    assert_int_equal(zb_intern_find(&names, ZB_TEXT("b")), 0);
    assert_string_equal(zb_intern_text(&names, 2).data, "a");
    assert_int_equal(zb_intern_text(&names, 0).size, 0);
    zb_arena_close(&arena);
}

static void texts_are_put_as_they_should(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zb_put_json_text(&out, ZB_TEXT("\"\\/\b\f\n\r\t\x01\x7F\xC3\xA9\xFF\xED\xA0\x80z"));
    zb_put_char(&out, ' ');
    zb_put_int(&out, INT64_MIN);
    zb_put_char(&out, ' ');
    zb_put_uint(&out, UINT64_MAX);
    zb_put_char(&out, ' ');
    zb_put_hex(&out, 0x1A2B, 4);
    zb_put_repeat(&out, '-', 3);
    zb_put_repeat(&out, '-', 0);
    zb_put_double(&out, -1.25);
    zb_put_unicode(&out, 0xE9);
    zb_put_unicode(&out, 0x732B);
    zb_put_unicode(&out, 0x1F600);
    zb_put_unicode(&out, 0xD800);
    zb_put_unicode(&out, 0x110000);
    zb_put_json_text(&out, (zo_text){NULL, 0});
    zb_put(&out, NULL);
    assert_string_equal(zb_buffer_text(&out),
                        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f\xC3\xA9"
                        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\" "
                        "-9223372036854775808 18446744073709551615 1a2b----1.25\xC3\xA9\xE7\x8C\xAB\xF0\x9F\x98\x80"
                        "\xEF\xBF\xBD\xEF\xBF\xBD\"\"");
    zb_arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_end_at_any_call),
        cmocka_unit_test(failure_sticks_until_reset),
        cmocka_unit_test(impossible_sizes_fail),
        cmocka_unit_test(chunks_double_and_large_blocks_stand_alone),
        cmocka_unit_test(the_newest_block_grows_in_place),
        cmocka_unit_test(interning_gives_dense_numbers),
        cmocka_unit_test(texts_are_put_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
