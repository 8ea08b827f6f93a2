// Texts laid out anew: what fits on a line stands on one, content stays, and doing it again changes nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json/compact.h"
#include "json/layout.h"

static void becomes(const char *text, const char *expected) {
    zb_arena arena = zb_arena_open(NULL);
    const zo_text once = zj_laid_out(&arena, zb_text(text));
    assert_string_equal(zb_arena_text(&arena, once), expected);
    const zo_text twice = zj_laid_out(&arena, once);
    assert_true(zb_text_equal(once, twice));
    zb_arena_close(&arena);
}

static void short_ones_stand_on_a_line(void **state) {
    (void)state;
    becomes("{\"a\":[1,2.50,-0.0],\"b\":{\"c\":null}}", "{\n  \"a\": [1, 2.50, -0.0],\n  \"b\": { \"c\": null }\n}\n");
    becomes("7", "7\n");
}

static void strings_are_no_structure(void **state) {
    (void)state;
    becomes("{ \"a,]}\" : \"{ \\\" ,\" }", "{\n  \"a,]}\": \"{ \\\" ,\"\n}\n");
}

static void long_ones_are_broken_at_every_level(void **state) {
    (void)state;
    enum { COUNT = 40 };
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer in = zb_buffer_open(&arena), out = zb_buffer_open(&arena);
    zb_put(&in, "{\"list\":[");
    for (int i = 0; i < COUNT; i++) { zb_put(&in, i > 0 ? ",{\"n\":12}" : "{\"n\":12}"); }
    zb_put(&in, "]}");
    const zo_text text = zj_laid_out(&arena, (zo_text){in.data, in.size});
    uint32_t lines = 0;
    for (size_t i = 0; i < text.size; i++) { lines += text.data[i] == '\n'; }
    assert_int_equal(lines, COUNT + 4);
    const zj_doc *doc = zj_parse(&arena, text.data, text.size, 0, NULL, NULL);
    assert_non_null(doc);
    zj_put_compact(&out, doc, ZJ_ROOT, ZJ_ORDER_SCRIPT, (zj_stand_in){0});
    assert_true(zb_text_equal((zo_text){out.data, out.size}, (zo_text){in.data, in.size}));
    zb_arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ones_stand_on_a_line),
        cmocka_unit_test(strings_are_no_structure),
        cmocka_unit_test(long_ones_are_broken_at_every_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
