// B3D models: what is read is written again, each bound of the bytes is held, and the authoring file says the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

#include "formats/b3d.h"

typedef struct bytes {
    uint8_t *data; // malloc, of just this size, so that what is read beyond is noticed
    size_t size;
} bytes;

static bytes read_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", ZO_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes b = {.size = (size_t)ftell(file)};
    b.data = malloc(b.size);
    rewind(file);
    assert_int_equal(fread(b.data, 1, b.size, file), b.size);
    fclose(file);
    return b;
}

static bool collect(void *context, const void *data, size_t size) {
    bytes *b = context;
    b->data = realloc(b->data, b->size + size + 1);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

static zo_status convert(bytes from, const char *name, const char *to, bytes *out) {
    const zo_source source = {.name = name, .bytes = from.data, .size = from.size};
    zo_report *report = NULL;
    *out = (bytes){NULL, 0};
    const zo_status status = zo_convert(&source, to, NULL, collect, out, &report);
    assert_true((status == ZO_OK) == (out->data != NULL));
    assert_true(status == ZO_OK || status == ZO_UNSUPPORTED || zo_report_total(report, ZO_ERROR) > 0);
    zo_report_free(report);
    return status;
}

// The verdict, and that checking is the same as reading. "" when it is fine.
static const char *first_fault(const uint8_t *data, size_t size, uint32_t *count) {
    static char id[64];
    const zo_source source = {.name = "a.b3d", .bytes = data, .size = size};
    zo_report *report = NULL;
    const zo_status status = zo_compile(&source, 1, NULL, NULL, &report);
    assert_true(status == ZO_OK || status == ZO_INVALID);
    assert_true((status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
    id[0] = 0;
    *count = zo_report_count(report);
    for (uint32_t i = 0; i < *count; i++) {
        const zo_diag *diag = zo_report_at(report, i);
        assert_true(diag->place.line == 0 && diag->place.offset + diag->place.length <= size);
        if (diag->severity == ZO_ERROR && id[0] == 0) { snprintf(id, sizeof id, "%s", diag->id); }
    }
    zo_report_free(report);
    return id;
}

#define VECTORS "tests/vectors/forge/b3d/"
static const char *const good[] = {VECTORS "static_quad.b3d",  VECTORS "many_brushes.b3d", VECTORS "skinned_two_bones.b3d",
                                   VECTORS "sparse_keys.b3d",  VECTORS "unknown_chunks.b3d", VECTORS "split_keys.b3d",
                                   VECTORS "newer_minor.b3d"};

// Through text and back nothing changes; chunks that nobody knows are gone after the first time.
static void text_and_bytes_say_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const bytes first = read_file(good[i]);
        bytes clean, text, back, again;
        assert_int_equal(convert(first, good[i], "b3d", &clean), ZO_OK);
        assert_int_equal(convert(first, good[i], "b3d-source", &text), ZO_OK);
        assert_int_equal(convert(text, "a.json", "b3d", &back), ZO_OK);
        assert_int_equal(convert(back, "b.b3d", "b3d-source", &again), ZO_OK);
        assert_int_equal(back.size, clean.size);
        assert_memory_equal(back.data, clean.data, clean.size);
        assert_int_equal(again.size, text.size);
        assert_memory_equal(again.data, text.data, text.size);
        const bool same = first.size == clean.size && memcmp(first.data, clean.data, clean.size) == 0;
        assert_int_equal(same, i < 4); // the others have what is not kept: chunks, versions, split keys
        free(first.data);
        free(clean.data);
        free(text.data);
        free(back.data);
        free(again.data);
    }
}

static void figures_keep_every_bit(void **state) {
    (void)state;
    static const char source[] =
        "{\"schemaVersion\": 1, \"type\": \"b3dSource\", \"nodes\": [{\"name\": \"a \\u00fc\", "
        "\"position\": [0.1, -0.0, 1e-45], \"scale\": [1000000, 1.17549435e-38, -999999.97], "
        "\"rotation\": [0.33333334, 1e5, 123456.789, 1e-7]}]}";
    bytes model, text, again;
    assert_int_equal(convert((bytes){(uint8_t *)(uintptr_t)source, sizeof source - 1}, "a.json", "b3d", &model), ZO_OK);
    assert_int_equal(convert(model, "a.b3d", "b3d-source", &text), ZO_OK);
    assert_int_equal(convert(text, "a.json", "b3d", &again), ZO_OK);
    assert_int_equal(model.size, again.size);
    assert_memory_equal(model.data, again.data, model.size);
    collect(&text, "", 1);
    assert_non_null(strstr((char *)text.data, "\"position\": [0.1, -0, "));
    assert_non_null(strstr((char *)text.data, "\"rotation\": [0.33333334, 100000, 123456.79, 0.0000001]"));
    free(model.data);
    free(text.data);
    free(again.data);
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const bytes whole = read_file(good[i]);
        for (size_t size = 0; size < whole.size; size++) {
            uint8_t *cut = malloc(size + (size == 0));
            memcpy(cut, whole.data, size);
            uint32_t count;
            const char *id = first_fault(cut, size, &count);
            assert_string_equal(id, size < 4 ? "b3d/bad-magic" : "b3d/truncated");
            free(cut);
        }
        free(whole.data);
    }
}

// Whatever it then says, it ends, and what is still a model can be written and is read as the same.
static void every_byte_may_be_wrong(void **state) {
    (void)state;
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    uint32_t refused = 0, accepted = 0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const bytes whole = read_file(good[i]);
        for (size_t at = 0; at < whole.size; at++) {
            for (size_t k = 0; k < sizeof flips; k++) {
                bytes text, back;
                whole.data[at] ^= flips[k];
                if (convert(whole, "a.b3d", "b3d-source", &text) == ZO_OK) {
                    assert_int_equal(convert(text, "a.json", "b3d", &back), ZO_OK);
                    free(back.data);
                    free(text.data);
                    accepted++;
                } else {
                    refused++;
                }
                whole.data[at] ^= flips[k];
            }
        }
        free(whole.data);
    }
    assert_true(refused > 1000 && accepted > 1000);
}

// A length of 2^32 - 1 and the like, wherever a length stands.
static void lengths_do_not_overflow(void **state) {
    (void)state;
    static const uint32_t lengths[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0};
    const bytes whole = read_file(VECTORS "skinned_two_bones.b3d");
    const size_t heads[] = {0, 12, 58, 104, 156, 168, 380, 440, 460, 514, 554, 662, 716, 756};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint8_t kept[4];
            uint32_t count;
            memcpy(kept, whole.data + heads[i] + 4, 4);
            memcpy(whole.data + heads[i] + 4, &lengths[k], 4);
            const char *id = first_fault(whole.data, whole.size, &count);
            const bool is_animation = heads[i] == 440 && lengths[k] == 0;
            if (lengths[k] != 0) {
                assert_string_equal(id, heads[i] == 0 ? "b3d/truncated" : "b3d/chunk-overrun");
            } else if (!is_animation) {
                assert_true(id[0] != 0);
            }
            memcpy(whole.data + heads[i] + 4, kept, 4);
        }
    }
    free(whole.data);
}

static zo_text literal(const char *text) { return zb_text(text); }

static bool reads(zb_arena *arena, zo_text data, zf_b3_model *model, zd_report **report) {
    *report = zd_report_open(NULL, 0, false);
    const uint32_t file = zd_report_file(*report, "a.b3d", NULL, data.size);
    return zf_b3_read(arena, data.data, data.size, file, *report, model);
}

// As deep as is allowed, and one deeper.
static void nodes_lie_only_so_deep(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zf_b3_node nodes[ZF_B3_DEPTH_MAX];
    for (uint32_t i = 0; i < ZF_B3_DEPTH_MAX; i++) {
        nodes[i] = zf_b3_node_at_rest();
        nodes[i].name = literal("n");
        nodes[i].parent_ref = i;
        nodes[i].depth = i;
    }
    const zf_b3_model model = {.nodes = nodes, .node_count = ZF_B3_DEPTH_MAX};
    zb_buffer out = zb_buffer_open(&arena);
    zf_b3_model again;
    zd_report *report;
    assert_true(zf_b3_put(&out, &model));
    assert_true(reads(&arena, (zo_text){out.data, out.size}, &again, &report));
    assert_int_equal(again.node_count, ZF_B3_DEPTH_MAX);
    assert_int_equal(again.nodes[ZF_B3_DEPTH_MAX - 1].depth, ZF_B3_DEPTH_MAX - 1);
    zd_report_close(report);
    zb_arena_close(&arena);
}

static void formats_are_told_by_their_bytes(void **state) {
    (void)state;
    const bytes quad = read_file(good[0]);
    bytes out;
    assert_int_equal(convert(quad, "no-ending", "b3d-source", &out), ZO_OK);
    free(out.data);
    assert_int_equal(convert(quad, "a.b3d", "petween", &out), ZO_UNSUPPORTED);
    uint32_t count;
    assert_string_equal(first_fault((const uint8_t *)"B", 1, &count), "b3d/bad-magic"); // by its name
    free(quad.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_and_bytes_say_the_same),
        cmocka_unit_test(figures_keep_every_bit),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(every_byte_may_be_wrong),
        cmocka_unit_test(lengths_do_not_overflow),
        cmocka_unit_test(nodes_lie_only_so_deep),
        cmocka_unit_test(formats_are_told_by_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
