// Forms: what is found in them, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/multipart.h"

#define TYPE "multipart/form-data; boundary=xyz"
#define NAMED(name) "Content-Disposition: form-data; name=\"" name "\"\r\n"

// The body has a copy of exactly its size, so that reading behind it is seen.
static multipart_status find(const char *type, const char *body, size_t size, multipart_field *field) {
    const char *why = NULL;
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, body, size);
    *field = (multipart_field){.size = 0};
    const multipart_status status = multipart_find(type, copy, size, "file", field, &why);
    assert_int_equal(status == MULTIPART_BAD, why != NULL);
    if (status == MULTIPART_FOUND) { field->bytes = (const uint8_t *)body + (field->bytes - (uint8_t *)copy); }
    free(copy);
    return status;
}

static void assert_found(const char *type, const char *body, const char *bytes, const char *part_type) {
    multipart_field field;
    assert_int_equal(find(type, body, strlen(body), &field), MULTIPART_FOUND);
    assert_int_equal(field.size, strlen(bytes));
    assert_memory_equal(field.bytes, bytes, field.size);
    assert_string_equal(field.type, part_type);
}

static void assert_status(const char *type, const char *body, multipart_status wanted) {
    multipart_field field;
    const multipart_status got = find(type, body, strlen(body), &field);
    if (got != wanted) { fail_msg("%d, not %d: %s", (int)got, (int)wanted, body); }
}

static void what_is_found(void **state) {
    (void)state;
    assert_found(TYPE, "--xyz\r\n" NAMED("file") "\r\nabc\r\n--xyz--", "abc", "");
    assert_found(TYPE, "--xyz\r\n" NAMED("file") "\r\nabc\r\n--xyz--\r\n", "abc", "");
    assert_found(TYPE, "--xyz\r\n" NAMED("file") "\r\n\r\n--xyz--\r\n", "", "");
    assert_found(TYPE, "--xyz\r\n" NAMED("file") "\r\n--xyz--\r\n", "", ""); // the line end belongs to both
    assert_found(TYPE, "--xyz\r\n" NAMED("a") "\r\n1\r\n--xyz\r\n" NAMED("file") "\r\n2\r\n--xyz\r\n" NAMED("file")
                 "\r\n3\r\n--xyz--\r\n", "2", "");
    assert_found(TYPE, "--xyz \t\r\ncontent-TYPE:  Image/PNG ; a=b\r\nX-Other: \xC3\xA9\r\n"
                 "CONTENT-disposition: FORM-DATA; filename=\"a\\\"b; name=c\"; NAME=file\r\n\r\n\r\n--xy\r\n"
                 "--xyz--\r\n",
                 "\r\n--xy", "image/png");
    assert_found("Multipart/Form-Data;charset=utf-8; Boundary=\"x z\"", "--x z\r\n" NAMED("file") "\r\n-x z\r\n--x z--",
                 "-x z", "");
    multipart_field field;
    static const char zeros[] = "--xyz\r\n" NAMED("file") "\r\na\0b\r\n--xyz--";
    assert_int_equal(find(TYPE, zeros, sizeof zeros - 1, &field), MULTIPART_FOUND);
    assert_int_equal(field.size, 3);
}

static void what_is_missing(void **state) {
    (void)state;
    assert_status(TYPE, "--xyz--", MULTIPART_MISSING);
    assert_status(TYPE, "--xyz\r\n" NAMED("File") "\r\nabc\r\n--xyz--", MULTIPART_MISSING);
    assert_status(TYPE, "--xyz\r\n" NAMED("") "\r\nabc\r\n--xyz--", MULTIPART_MISSING);
}

static void types_that_are_none(void **state) {
    (void)state;
    static const char *const types[] = {
        NULL, "", "application/json", "multipart/form-data", "multipart/form-data;", "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\"xyz", "multipart/form-data boundary=xyz",
        "multipart/form-data; boundary=xyz; boundary=xyz", "multipart/form-data; boundary=\"x\\\"z\"",
        "multipart/form-data; boundary=\"xyz \"", "multipart/form-data; boundary xyz", "multipart/mixed; boundary=xyz",
        "multipart/form-data; boundary=0123456789012345678901234567890123456789012345678901234567890123456789x",
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) { assert_status(types[i], "--xyz--", MULTIPART_BAD); }
}

static void bodies_that_are_none(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "", "-", "--xy", "--xyz", "--xyz-", "--xyz\r", "--xyz\r\n", "xyz", "\r\n--xyz--", "preamble\r\n--xyz--",
        "--xyz--x", "--xyzx\r\n" NAMED("file") "\r\n\r\n--xyz--",
        "--xyz\n" NAMED("file") "\r\n\r\n--xyz--",
        "--xyz\r\n" NAMED("file"),
        "--xyz\r\n" NAMED("file") "\r\n",
        "--xyz\r\n" NAMED("file") "\r\nabc--xyz--",
        "--xyz\r\n" NAMED("file") "\r\nabc\r\n--xyz",
        "--xyz\r\n" NAMED("file") "\r\nabc\r\n--xyz-x",
        "--xyz\r\n" NAMED("file") "\r\nabc\r\n--xyzabc\r\n--xyz--",
        "--xyz\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\nContent-Type: image/png\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") NAMED("file") "\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") "Content-Type: a\r\nContent-Type: b\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") "Content-Type: image/png x\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") " folded: x\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") "no colon\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") "X: a\nb\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\nContent-Disposition: attachment; name=\"file\"\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\nContent-Disposition: form-data; name=\"file\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\nContent-Disposition: form-data; name=\"file\"; name=\"file\"\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\nContent-Disposition: form-data; name=\"file\" x\r\n\r\nabc\r\n--xyz--",
        "--xyz\r\n" NAMED("file") "\r\nabc\r\n--xyz\r\n" NAMED("b") "\r\nabc", // a fault behind what is looked for
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) { assert_status(TYPE, bodies[i], MULTIPART_BAD); }
}

// Every beginning of a form is one without an end.
static void forms_that_are_cut_off(void **state) {
    (void)state;
    static const char body[] = "--xyz\r\n" NAMED("file") "Content-Type: image/png\r\n\r\nabc\r\n--xyz--";
    multipart_field field;
    for (size_t size = 0; size < sizeof body - 1; size++) {
        assert_int_equal(find(TYPE, body, size, &field), MULTIPART_BAD);
    }
}

static void too_much(void **state) {
    (void)state;
    enum { ROOM = 40000 };
    char *body = malloc(ROOM);
    assert_non_null(body);
    for (int parts = MULTIPART_PARTS_MAX; parts <= MULTIPART_PARTS_MAX + 1; parts++) {
        size_t size = (size_t)snprintf(body, ROOM, "--xyz");
        for (int i = 0; i < parts; i++) {
            size += (size_t)snprintf(body + size, ROOM - size, "\r\n" NAMED("a") "\r\n1\r\n--xyz");
        }
        snprintf(body + size, ROOM - size, "--");
        assert_status(TYPE, body, parts > MULTIPART_PARTS_MAX ? MULTIPART_BAD : MULTIPART_MISSING);
    }
    for (int size = MULTIPART_HEAD_MAX - 60; size < MULTIPART_HEAD_MAX + 60; size += 119) {
        snprintf(body, ROOM, "--xyz\r\n" NAMED("file") "X: %*s\r\n\r\nabc\r\n--xyz--", size - 50, "x");
        assert_status(TYPE, body, size > MULTIPART_HEAD_MAX ? MULTIPART_BAD : MULTIPART_FOUND);
    }
    free(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found),        cmocka_unit_test(what_is_missing),
        cmocka_unit_test(types_that_are_none),  cmocka_unit_test(bodies_that_are_none),
        cmocka_unit_test(forms_that_are_cut_off), cmocka_unit_test(too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
