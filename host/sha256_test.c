// Hashes: the standard's examples, in pieces of all sizes, and both ways of working them out alike.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/sha256.h"

static void text_of(const uint8_t digest[32], char text[65]) {
    for (int i = 0; i < 32; i++) { snprintf(text + 2 * i, 3, "%02x", digest[i]); }
}

static void examples_of_the_standard(void **state) {
    (void)state;
    static const struct { const char *text, *hash; } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char text[65];
    uint8_t digest[32];
    sha256 hash;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sha256_start(&hash);
        sha256_add(&hash, cases[i].text, strlen(cases[i].text));
        sha256_end(&hash, digest);
        text_of(digest, text);
        assert_string_equal(text, cases[i].hash);
    }
    sha256_start(&hash);
    for (int i = 0; i < 100000; i++) { sha256_add(&hash, "aaaaaaaaaa", 10); }
    sha256_end(&hash, digest);
    text_of(digest, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void in_pieces(void **state) {
    (void)state;
    uint8_t bytes[400], whole[32], pieces[32];
    for (unsigned i = 0; i < sizeof bytes; i++) { bytes[i] = (uint8_t)(i * 7 + i / 64); }
    for (size_t size = 0; size <= sizeof bytes; size += 13) {
        sha256 hash;
        sha256_start(&hash);
        sha256_add(&hash, bytes, size);
        sha256_end(&hash, whole);
        for (size_t step = 1; step < 130; step += 21) {
            sha256_start(&hash);
            for (size_t at = 0; at < size; at += step) {
                sha256_add(&hash, bytes + at, at + step < size ? step : size - at);
            }
            sha256_end(&hash, pieces);
            assert_memory_equal(whole, pieces, 32);
        }
    }
}

static void both_ways(void **state) {
    (void)state;
    enum { BLOCKS = 50 };
    uint8_t bytes[BLOCKS * 64];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    for (size_t count = 0; count <= BLOCKS; count++) {
        sha256 hash, plain;
        sha256_start(&hash);
        sha256_start(&plain);
        sha256_add(&hash, bytes, count * 64);
        sha256_plain_blocks(plain.state, bytes, count);
        assert_memory_equal(hash.state, plain.state, sizeof hash.state);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_standard),
        cmocka_unit_test(in_pieces),
        cmocka_unit_test(both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
