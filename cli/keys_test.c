// Keys from bytes, wherever they are cut: sequences that we know, that we do not know, and that never end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "keys.h"

enum { KEYS_MAX = 16 };

typedef struct got {
    cli_key keys[KEYS_MAX];
    uint32_t count;
} got;

static got read_all(cli_keys *keys, const char *bytes, size_t size) {
    got g = {0};
    for (size_t i = 0; i < size; i++) {
        cli_key key;
        if (cli_keys_take(keys, (uint8_t)bytes[i], &key) && g.count < KEYS_MAX) { g.keys[g.count++] = key; }
    }
    return g;
}

static got read_text(const char *bytes) {
    cli_keys keys = {0};
    return read_all(&keys, bytes, strlen(bytes));
}

// Nothing of what a terminal may answer, and of what is broken off, is a key; and the key behind it is one.
static void what_is_unknown_is_passed_over(void **state) {
    (void)state;
    static const char *const texts[] = {
        "\x1b[?64;1;2c", "\x1b[12;40R", "\x1b_Gi=1;OK\x1b\\", "\x1bP1$r0m\x1b\\", "\x1b]11;rgb:0/0/0\x07",
        "\x1b]11;x\x1b\\",
        "\x1b[15~", "\x1b[[A", "\x1bOP", "\x1bq", "\x1b[<64;3;3M", "\x1b[<0;3;3m", "\x1b[<32;3;3M", "\x1b[<0;0;3M",
        "\x1b[<0;3M",
        "\x1b[M#!!", "\x1b[M \x1f!", "\xC3", "\xFF", "\x80", "\xE2\x82",
        "\x1b[1111111111111111111111111111111111111111111111111111111111111111111111111A",
        "\x1b[<0;99999999999999999999999999999999;1;1;1;1m", "\x1b[200~q5 \x1b[A\x1b[<0;1;1M\x1b\x1b\x1b[201~"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[160];
        const size_t size = strlen(texts[i]);
        memcpy(text, texts[i], size);
        memcpy(text + size, "k", 2);
        const got g = read_text(text);
        if (g.count != 1 || g.keys[0].code != 'k') { print_message("%s\n", texts[i] + 1); }
        assert_int_equal(g.count, 1);
        assert_int_equal(g.keys[0].kind, CLI_KEY_CHARACTER);
        assert_int_equal(g.keys[0].code, 'k');
    }
}

static void keys_are_known(void **state) {
    (void)state;
    static const struct { const char *bytes; cli_key_kind kind; uint32_t code; } cases[] = {
        {"q", CLI_KEY_CHARACTER, 'q'},     {" ", CLI_KEY_CHARACTER, ' '},         {"\x0C", CLI_KEY_CHARACTER, 12},
        {"\xC3\xA4", CLI_KEY_CHARACTER, 0xE4}, {"\xE2\x82\xAC", CLI_KEY_CHARACTER, 0x20AC},
        {"\xF0\x9F\x99\x82", CLI_KEY_CHARACTER, 0x1F642},
        {"\x1b[A", CLI_KEY_UP, 0},         {"\x1b[B", CLI_KEY_DOWN, 0},           {"\x1b[C", CLI_KEY_RIGHT, 0},
        {"\x1b[D", CLI_KEY_LEFT, 0},       {"\x1bOC", CLI_KEY_RIGHT, 0},          {"\x1b[1;5D", CLI_KEY_LEFT, 0},
        {"\x1b[H", CLI_KEY_HOME, 0},       {"\x1b[1~", CLI_KEY_HOME, 0},          {"\x1b[4~", CLI_KEY_END, 0},
        {"\x1b[F", CLI_KEY_END, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const got g = read_text(cases[i].bytes);
        assert_int_equal(g.count, 1);
        assert_int_equal(g.keys[0].kind, cases[i].kind);
        assert_int_equal(g.keys[0].code, cases[i].code);
    }
}

static void buttons_have_places(void **state) {
    (void)state;
    static const char *const texts[] = {"\x1b[<0;40;7M", "\x1b[<16;40;7M", "\x1b[M \x48\x27"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const got g = read_text(texts[i]);
        assert_int_equal(g.count, 1);
        assert_int_equal(g.keys[0].kind, CLI_KEY_PRESS);
        assert_int_equal(g.keys[0].column, 39);
        assert_int_equal(g.keys[0].row, 6);
    }
}

static void an_escape_waits_for_what_follows(void **state) {
    (void)state;
    cli_keys keys = {0};
    cli_key key;
    assert_int_equal(read_all(&keys, "\x1b", 1).count, 0);
    assert_true(cli_keys_wait(&keys));
    assert_true(cli_keys_give_up(&keys, &key));
    assert_int_equal(key.kind, CLI_KEY_ESCAPE);
    assert_false(cli_keys_wait(&keys));
    assert_int_equal(read_all(&keys, "\x1b[", 2).count, 0);
    assert_false(cli_keys_give_up(&keys, &key)); // half a sequence is nothing
    assert_int_equal(read_all(&keys, "A", 1).keys[0].code, 'A');
    const got two = read_text("\x1b\x1b[D"); // one alone, and an arrow
    assert_int_equal(two.count, 2);
    assert_int_equal(two.keys[0].kind, CLI_KEY_ESCAPE);
    assert_int_equal(two.keys[1].kind, CLI_KEY_LEFT);
}

// Any bytes: the state stays within bounds, and soon after a key is a key again.
static void anything_may_come(void **state) {
    (void)state;
    uint32_t random = 1;
    cli_keys keys = {0};
    for (uint32_t i = 0; i < 400000; i++) {
        cli_key key;
        random = random * 1664525u + 1013904223u;
        const uint8_t pick = (uint8_t)(random >> 24);
        static const uint8_t likely[] = {0x1B, '[', '<', ';', 'M', 'O', '1', '~', 'P', '\\', 0xE2, '2', '0'};
        cli_keys_take(&keys, pick < 200 ? likely[pick % sizeof likely] : pick, &key);
        assert_true(keys.count <= sizeof keys.bytes + 1);
    }
    cli_key key;
    cli_keys_give_up(&keys, &key);
    const got g = read_all(&keys, "\x1b[201~q", 7);
    assert_int_equal(g.count, 1);
    assert_int_equal(g.keys[0].code, 'q');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_unknown_is_passed_over), cmocka_unit_test(keys_are_known),
        cmocka_unit_test(buttons_have_places), cmocka_unit_test(an_escape_waits_for_what_follows),
        cmocka_unit_test(anything_may_come)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
