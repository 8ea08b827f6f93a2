// The way of one compile: formats named and found, bytes that are nothing of ours, short memory, and frame lists.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "formats/formats.h"

static const char nod[] =
    "{\"version\":1,\"id\":\"t:nod\",\"name\":\"Nod\",\"kind\":\"interaction\",\"durationMs\":400,"
    "\"repeat\":{\"mode\":\"once\"},"
    "\"tracks\":[{\"property\":\"bounce.y\",\"keyframes\":[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":{\"base\":0,"
    "\"parameter\":\"strength\",\"amount\":6},\"easing\":\"cubic-bezier(.1,.2,.3,.4)\"},{\"at\":1,\"value\":0}]}],"
    "\"events\":[{\"at\":0.75,\"type\":\"pose-swap\",\"pose\":\"user:x\",\"at\":-0,\"note\":[ 1, \"a b\\\" c\" ]}]}";

static zo_source source_of(const char *text) {
    return (zo_source){.name = "t.json", .bytes = text, .size = strlen(text)};
}

static void refused(zo_source source, const char *format, zo_status status, const char *id, const char *words) {
    const zo_compile_def def = {.format = format};
    zo_program *program = (zo_program *)(uintptr_t)16;
    zo_report *report = NULL;
    assert_int_equal(zo_compile(&source, 1, &def, &program, &report), status);
    assert_null(program);
    assert_int_equal(zo_report_total(report, ZO_ERROR), 1);
    const zo_diag *diag = zo_report_at(report, 0);
    assert_string_equal(diag->id, id);
    if (strstr(diag->message, words) == NULL && (diag->hint == NULL || strstr(diag->hint, words) == NULL)) {
        fail_msg("'%s' is not in '%s'", words, diag->message);
    }
    zo_report_free(report);
}

static void what_is_nothing_of_ours_is_named(void **state) {
    (void)state;
    refused(source_of("\x89PNG\r\n\x1a\n"), NULL, ZO_UNSUPPORTED, "source/format-unknown", "a PNG picture");
    refused(source_of("<svg/>"), NULL, ZO_UNSUPPORTED, "source/format-unknown", "XML");
    refused(source_of("[1, 2]"), NULL, ZO_UNSUPPORTED, "source/format-unknown", "an array");
    refused(source_of("{}"), NULL, ZO_UNSUPPORTED, "source/format-unknown", "an empty JSON object");
    refused(source_of("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7}"), NULL, ZO_UNSUPPORTED,
            "source/format-unknown", "\"f\" and more");
    refused(source_of("{\"tracks\":[],\"id\":\"a:b\"}"), NULL, ZO_UNSUPPORTED, "source/format-unknown",
            "the nearest format is petween");
    const zo_source folder = {.name = "pack", .kind = ZO_SOURCE_FOLDER};
    const zo_source missing = {.name = "x", .kind = ZO_SOURCE_MISSING};
    refused(folder, NULL, ZO_UNSUPPORTED, "source/format-unknown", "a folder");
    refused(missing, NULL, ZO_UNSUPPORTED, "source/format-unknown", "not there");
    refused(source_of(""), NULL, ZO_INVALID, "json/empty", "empty");
    refused(source_of("{]"), NULL, ZO_INVALID, "json/bracket", "");
}

static void a_format_may_be_named(void **state) {
    (void)state;
    refused(source_of(nod), "petwen", ZO_UNSUPPORTED, "source/format-name", "did you mean \"petween\"?");
    refused(source_of(nod), "zzz", ZO_UNSUPPORTED, "source/format-name", "leave the format out");
    refused(source_of("[1, 2]"), "petween", ZO_INVALID, "petween/definition-object", "an array");
    refused(source_of("\x89PNG\r\n\x1a\n"), "petween", ZO_INVALID, "json/utf8", "");
    const zo_source source = source_of(nod);
    zo_report *report = NULL;
    assert_int_equal(zo_compile(&source, 1, NULL, NULL, &report), ZO_OK);
    assert_string_equal(zo_report_format(report), "petween");
    zo_report_free(report);
    assert_string_equal(zo_format_at(0)->name, "petween");
    assert_null(zo_format_at(1000));
}

static void limits_are_their_own_status(void **state) {
    (void)state;
    const zo_source source = source_of(nod);
    const zo_compile_def small = {.size_max = 20};
    const zo_compile_def flat = {.depth_max = 3};
    assert_int_equal(zo_compile(&source, 1, &small, NULL, NULL), ZO_LIMIT);
    assert_int_equal(zo_compile(&source, 1, &flat, NULL, NULL), ZO_LIMIT);
    const zo_source newer = source_of("{\"version\":2,\"kind\":\"ambient\",\"durationMs\":1,\"tracks\":[]}");
    assert_int_equal(zo_compile(&newer, 1, NULL, NULL, NULL), ZO_NEWER);
}

// ---------------------------------------------------------------------------------------------------- short of memory

typedef struct purse {
    uint32_t left;   // allocations that still succeed
    uint32_t taken;  // blocks not given back
} purse;

static void *purse_alloc(void *context, size_t size) {
    purse *p = context;
    if (p->left == 0) { return NULL; }
    p->left--;
    p->taken++;
    return aligned_alloc(16, (size + 15) & ~(size_t)15);
}

static void purse_free(void *context, void *memory, size_t size) {
    (void)size;
    ((purse *)context)->taken -= memory != NULL ? 1 : 0;
    free(memory);
}

static bool swallow(void *context, const void *bytes, size_t size) {
    (void)context;
    (void)bytes;
    (void)size;
    return true;
}

static void short_memory_is_said_and_nothing_is_kept(void **state) {
    (void)state;
    const zo_source source = source_of(nod);
    bool enough = false;
    for (uint32_t count = 0; !enough; count++) {
        assert_in_range(count, 0, 200);
        purse p = {.left = count};
        const zo_allocator allocator = {&p, purse_alloc, purse_free};
        const zo_compile_def def = {.allocator = &allocator};
        zo_program *program = NULL;
        zo_report *report = NULL;
        const zo_status status = zo_compile(&source, 1, &def, &program, &report);
        enough = status == ZO_OK;
        assert_true(enough || status == ZO_NO_MEMORY);
        assert_true(enough == (program != NULL));
        zo_program_free(program);
        zo_report_free(report);
        assert_int_equal(p.taken, 0);
        p.left = count;
        const zo_status frames = zo_frames(&source, &def, NULL, swallow, NULL, &report);
        assert_true(frames == ZO_OK || frames == ZO_NO_MEMORY);
        zo_report_free(report);
        assert_int_equal(p.taken, 0);
    }
}

// -------------------------------------------------------------------------------------------------------- frame lists

static bool to_buffer(void *context, const void *bytes, size_t size) {
    zb_put_bytes(context, bytes, size);
    return true;
}

static bool refuse(void *context, const void *bytes, size_t size) {
    (void)context;
    (void)bytes;
    (void)size;
    return false;
}

static void frames_carry_what_events_hold(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    const zo_source source = source_of(nod);
    assert_int_equal(zo_frames(&source, NULL, NULL, to_buffer, &out, NULL), ZO_OK);
    const char *text = zb_buffer_text(&out);
    // The last of the repeated times, without its sign; the unknown member without blanks, but for those of a text.
    assert_non_null(strstr(text, "{ \"at\": 0, \"type\": \"pose-swap\", \"pose\": \"user:x\", "
                                 "\"note\": [1,\"a b\\\" c\"], \"beforeSegmentIndex\": 0 }"));
    assert_non_null(strstr(text, "\"easing\": \"cubic-bezier(0.1,0.2,0.3,0.4)\", \"translate\": \"0px 6px\""));
    zb_arena_close(&arena);
}

#define PACK_OF(animations) "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"p\",\"namespace\":\"a\"," \
                            "\"animations\":[" animations "]}"
#define STILL(id, events) "{\"version\":1,\"id\":\"a:" id "\",\"name\":\"n\",\"kind\":\"interaction\",\"durationMs\":9," \
                          "\"repeat\":{\"mode\":\"once\"},\"tracks\":[],\"events\":[" events "]}"

// A pack gives an array, in its order; of one animation it gives what that one gives alone.
static void frames_of_a_pack_are_those_of_its_animations(void **state) {
    (void)state;
    static const char *const texts[] = {STILL("one", ""), STILL("two", ""), PACK_OF(STILL("one", "") "," STILL("two", "")),
                                        PACK_OF(STILL("two", ""))};
    zo_frames_def def = {0};
    zb_arena arena = zb_arena_open(NULL);
    const char *given[6];
    static const struct { uint32_t text; const char *clip; } calls[] = {
        {0, NULL}, {1, "a:two"}, {2, NULL}, {2, "a:one"}, {2, "a:two"}, {3, NULL}};
    for (uint32_t i = 0; i < 6; i++) {
        zb_buffer out = zb_buffer_open(&arena);
        const zo_source source = source_of(texts[calls[i].text]);
        def.clip = calls[i].clip;
        assert_int_equal(zo_frames(&source, NULL, &def, to_buffer, &out, NULL), ZO_OK);
        given[i] = zb_buffer_text(&out);
    }
    assert_string_equal(given[3], given[0]);
    assert_string_equal(given[4], given[1]);
    assert_non_null(strstr(given[0], "\"a:one\""));
    const size_t one = strlen(given[0]) - 1, two = strlen(given[1]) - 1; // without the line's end
    assert_int_equal(strlen(given[2]), 1 + one + 2 + two + 2);
    assert_memory_equal(given[2] + 1, given[0], one);
    assert_memory_equal(given[2] + 1 + one + 2, given[1], two);
    const zj_doc *doc = zj_parse(&arena, given[2], strlen(given[2]), 0, NULL, NULL);
    assert_non_null(doc);
    assert_int_equal(zj_at(doc, ZJ_ROOT)->as.items.count, 2);
    doc = zj_parse(&arena, given[5], strlen(given[5]), 0, NULL, NULL);
    assert_int_equal(zj_at(doc, ZJ_ROOT)->as.items.count, 1); // an array though there is one
    for (uint32_t i = 0; i < 3; i++) { // no such animation
        const zo_source source = source_of(texts[i]);
        def.clip = "a:three";
        assert_int_equal(zo_frames(&source, NULL, &def, swallow, NULL, NULL), ZO_UNSUPPORTED);
    }
    zb_arena_close(&arena);
}

// Each of a pack that cannot be made is told, and then there are none.
static void frames_of_a_pack_are_all_or_none(void **state) {
    (void)state;
#define SPARK "{\"at\":0,\"type\":\"particle\",\"effect\":\"sparkle\"}"
    const zo_source source = source_of(PACK_OF(STILL("one", SPARK) "," STILL("two", "") "," STILL("three", SPARK)));
    zo_frames_def def = {.set_repeat = true, .repeat = ZP_REPEAT_ALTERNATE};
    zo_report *report = NULL;
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    assert_int_equal(zo_frames(&source, NULL, &def, to_buffer, &out, &report), ZO_INVALID);
    assert_int_equal(zo_report_count(report), 2);
    assert_string_equal(zo_report_at(report, 1)->place.pointer, "/animations/2/events");
    assert_int_equal(out.size, 0);
    zo_report_free(report);
    def.clip = "a:two";
    assert_int_equal(zo_frames(&source, NULL, &def, swallow, NULL, NULL), ZO_OK);
    zb_arena_close(&arena);
#undef SPARK
}

static void frames_that_cannot_be_made(void **state) {
    (void)state;
    const zo_source source = source_of(nod);
    const zo_frames_def def = {.set_repeat = true, .repeat = ZP_REPEAT_ALTERNATE};
    zo_report *report = NULL;
    assert_int_equal(zo_frames(&source, NULL, &def, swallow, NULL, &report), ZO_INVALID);
    assert_string_equal(zo_report_at(report, 0)->id, "petween/alternate-events");
    assert_string_equal(zo_report_at(report, 0)->place.pointer, "/events");
    zo_report_free(report);
    assert_int_equal(zo_frames(&source, NULL, NULL, refuse, NULL, NULL), ZO_LIMIT); // the caller's own doing
    const zo_source wrong = source_of("{");
    assert_int_equal(zo_frames(&wrong, NULL, NULL, swallow, NULL, NULL), ZO_INVALID);
}

static void built_ins_can_be_written_out(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    for (uint32_t i = 0; zo_builtin_at(i) != NULL; i++) {
        zb_buffer out = zb_buffer_open(&arena);
        assert_true(zo_builtin_write(zo_builtin_at(i), to_buffer, &out));
        const zj_doc *doc = zj_parse(&arena, out.data, out.size, 0, NULL, NULL);
        assert_non_null(doc);
        assert_true(zb_text_equal(zj_text(doc, zj_find(doc, ZB_TEXT("/id"))), zb_text(zo_builtin_at(i))));
    }
    assert_false(zo_builtin_write("builtin:nothing", to_buffer, NULL));
    assert_false(zo_builtin_write("builtin:soft", refuse, NULL));
    zb_arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_nothing_of_ours_is_named),
        cmocka_unit_test(a_format_may_be_named),
        cmocka_unit_test(limits_are_their_own_status),
        cmocka_unit_test(short_memory_is_said_and_nothing_is_kept),
        cmocka_unit_test(frames_of_a_pack_are_those_of_its_animations),
        cmocka_unit_test(frames_of_a_pack_are_all_or_none),
        cmocka_unit_test(frames_that_cannot_be_made),
        cmocka_unit_test(frames_carry_what_events_hold),
        cmocka_unit_test(built_ins_can_be_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
