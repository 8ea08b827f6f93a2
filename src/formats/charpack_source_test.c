// Authoring files of character packs: what they may say, in which order pictures come, and that a pack that is taken
// apart and built again is the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

#define HEAD "{\"schemaVersion\": 1, \"type\": \"characterPackSource\", \"id\": \"a\", \"displayName\": \"A\", " \
             "\"version\": \"1\", "
#define GRAPH ", \"nodes\": [{\"id\": \"idle\", \"isRoot\": true}], \"edges\": []}"

static const char *const files[] = {
    "idle/f10.png", "idle/f2.png", "idle/f1.png", "idle/deeper/f3.png", "wave/b.png", "wave/a.PNG", "top.png",
    "wave/010.png", "wave/9.png", "wave/009.png", "idle2/x.png",
};
enum { FILES = sizeof files / sizeof files[0] };

static const zo_charpack_plan *open_plan(const char *text, zo_report **report) {
    const zo_source source = {.name = "pack.json", .bytes = text, .size = strlen(text)};
    const zo_charpack_plan *plan;
    const zo_status status = zo_charpack_plan_open(&source, files, FILES, NULL, &plan, report);
    assert_true((status == ZO_OK) == (plan != NULL));
    assert_true(status == ZO_OK || zo_report_total(*report, ZO_ERROR) > 0);
    return plan;
}

static void shows(const char *clip, const char *const *pictures, uint32_t count) {
    char text[1024];
    zo_report *report;
    snprintf(text, sizeof text, HEAD "\"clips\": [{\"label\": \"idle\", \"fps\": 24, %s}]" GRAPH, clip);
    const zo_charpack_plan *plan = open_plan(text, &report);
    assert_non_null(plan);
    assert_int_equal(plan->picture_count, count);
    for (uint32_t i = 0; i < count; i++) { assert_string_equal(plan->pictures[i], pictures[i]); }
    zo_charpack_plan_free(plan);
    zo_report_free(report);
}

static void a_folder_counts_as_people_do(void **state) {
    (void)state;
    shows("\"folder\": \"idle\"", (const char *const[]){"idle/f1.png", "idle/f2.png", "idle/f10.png"}, 3);
    shows("\"folder\": \"wave\"",
          (const char *const[]){"wave/009.png", "wave/9.png", "wave/010.png", "wave/a.PNG", "wave/b.png"}, 5);
    shows("\"folder\": \".\"", (const char *const[]){"top.png"}, 1);
    shows("\"folder\": \"idle/deeper\"", (const char *const[]){"idle/deeper/f3.png"}, 1);
    shows("\"frames\": [\"top.png\", \"idle/f2.png\", \"top.png\"]", (const char *const[]){"top.png", "idle/f2.png"}, 2);
}

// The rule that says no to it, once.
static void refuses(const char *text, const char *id) {
    zo_report *report;
    assert_null(open_plan(text, &report));
    if (strcmp(zo_report_at(report, 0)->id, id) != 0 || zo_report_total(report, ZO_ERROR) != 1) {
        fail_msg("%s: %s and %u more, not %s", text, zo_report_at(report, 0)->id, zo_report_count(report) - 1, id);
    }
    zo_report_free(report);
}

static void refuses_clip(const char *clip, const char *id) {
    char text[1024];
    snprintf(text, sizeof text, HEAD "\"clips\": [{\"label\": \"idle\", %s}]" GRAPH, clip);
    refuses(text, id);
}

static void paths_lead_down_to_pictures_that_are_there(void **state) {
    (void)state;
    static const char *const paths[] = {"../a.png", "/a.png", "a/../top.png", "./top.png", "idle//f1.png", "idle\\\\f1.png",
                                        "C:top.png", "", "top", "top.gif", ".png", "idle/.png", "nobody.png", "TOP.png",
                                        "top.png/", "\\u0001.png", " top.png", "top.png "};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char clip[256];
        snprintf(clip, sizeof clip, "\"fps\": 24, \"frames\": [\"%s\"]", paths[i]);
        refuses_clip(clip, "charpack-source/picture");
    }
    refuses_clip("\"fps\": 24, \"folder\": \"nowhere\"", "charpack-source/picture");
    refuses_clip("\"fps\": 24, \"folder\": \"../idle\"", "charpack-source/picture");
    refuses_clip("\"fps\": 24, \"folder\": \"idle/\"", "charpack-source/picture");
}

static void of_two_ways_to_say_it_there_is_one(void **state) {
    (void)state;
    refuses_clip("\"fps\": 24", "charpack-source/one-of");
    refuses_clip("\"fps\": 24, \"folder\": \"idle\", \"frames\": [\"top.png\"]", "charpack-source/one-of");
    refuses_clip("\"folder\": \"idle\"", "charpack-source/one-of");
    refuses_clip("\"folder\": \"idle\", \"fps\": 24, \"frameIntervalMs\": 40", "charpack-source/one-of");
    refuses_clip("\"folder\": \"idle\", \"fps\": 0", "charpack-source/above");
    refuses_clip("\"folder\": \"idle\", \"frameIntervalMs\": 0", "charpack-source/low");
    refuses_clip("\"folder\": \"idle\", \"frameIntervalMs\": 1e9", "charpack-source/high");
    refuses_clip("\"folder\": \"idle\", \"frameIntervalMs\": 41.5", "charpack-source/value");
    refuses_clip("\"folder\": \"idle\", \"fps\": 24, \"loopMode\": \"bounce\"", "charpack-source/value");
    refuses_clip("\"folder\": \"idle\", \"fps\": 24, \"phase\": \"\"", "charpack-source/count");
    refuses_clip("\"folder\": \"idle\", \"fps\": 24, \"phase\": \" \\t\"", "charpack-source/value");
    refuses_clip("\"folder\": \"idle\", \"fps\": 24, \"speed\": 1", "charpack-source/member");
}

#define IDLE "\"clips\": [{\"label\": \"idle\", \"fps\": 24, \"folder\": \"idle\"}]"
#define WITH(nodes, edges) HEAD IDLE ", \"nodes\": [" nodes "], \"edges\": [" edges "]}"
#define ROOT "{\"id\": \"a\", \"label\": \"idle\", \"isRoot\": true}"
#define OTHER "{\"id\": \"b\", \"label\": \"idle\"}"

static void graphs_are_judged_where_they_are_written(void **state) {
    (void)state;
    refuses(WITH(OTHER, ""), "charpack-source/node");
    refuses(WITH(ROOT ", {\"id\": \"b\", \"label\": \"idle\", \"isRoot\": true}", ""), "charpack-source/node");
    refuses(WITH(ROOT ", {\"id\": \"a\", \"label\": \"idle\"}", ""), "charpack-source/node");
    refuses(WITH(ROOT ", {\"id\": \"b\"}", ""), "charpack-source/node");
    refuses(WITH(ROOT, "{\"from\": \"a\", \"to\": \"b\", \"prob\": 1}"), "charpack-source/edge");
    refuses(WITH(ROOT ", " OTHER, "{\"from\": \"a\", \"to\": \"b\", \"prob\": 1}, {\"id\": \"x\", \"from\": \"a\", "
                 "\"to\": \"b\", \"prob\": 0}"), "charpack-source/edge");
    refuses(WITH(ROOT ", " OTHER, "{\"id\": \"x\", \"from\": \"a\", \"to\": \"b\", \"prob\": 1}, {\"id\": \"x\", "
                 "\"from\": \"b\", \"to\": \"b\", \"prob\": 0}"), "charpack-source/edge");
    refuses(WITH(ROOT, "{\"from\": \"a\", \"to\": \"a\", \"prob\": -1}"), "charpack-source/low");
    refuses(WITH(ROOT, "{\"from\": \"a\", \"to\": \"a\"}"), "charpack-source/required");
    refuses(HEAD "\"clips\": [{\"label\": \"idle\", \"fps\": 24, \"folder\": \"idle\"}, {\"label\": \"idle\", \"fps\": 24, "
            "\"folder\": \"idle2\"}]" GRAPH, "charpack-source/label");
    refuses("[]", "charpack-source/value");
}

// Both would be wave/a.ktx2.
static void two_pictures_are_two_textures(void **state) {
    (void)state;
    static const char *const twins[] = {"a.png", "a.PNG"};
    const char *text = HEAD "\"clips\": [{\"label\": \"idle\", \"fps\": 24, \"folder\": \".\"}]" GRAPH;
    const zo_source source = {.name = "pack.json", .bytes = text, .size = strlen(text)};
    const zo_charpack_plan *plan;
    zo_report *report;
    assert_int_equal(zo_charpack_plan_open(&source, twins, 2, NULL, &plan, &report), ZO_INVALID);
    assert_string_equal(zo_report_at(report, 0)->id, "charpack-source/picture");
    zo_report_free(report);
}

// ---- there and back ----

static const char whole[] =
    HEAD "\"encoding\": \"rgba8\", \"level\": 5, \"clips\": [{\"label\": \"idle\", \"fps\": 24, \"folder\": \"idle\"}, "
    "{\"label\": \"wave\", \"frames\": [\"wave/b.png\", \"top.png\", \"wave/b.png\"], \"frameIntervalMs\": 80, "
    "\"loopMode\": \"once_then_hold\", \"phase\": \"out\"}, {\"label\": \"\xC3\xBC\\\"\", \"folder\": \".\", "
    "\"fps\": 1000}], \"nodes\": [{\"id\": \"i\", \"label\": \"idle\", \"isRoot\": true}, {\"id\": \"wave\"}], "
    "\"edges\": [{\"from\": \"i\", \"to\": \"i\", \"prob\": 8.0e-1}, {\"id\": \"go\", \"from\": \"i\", \"to\": \"wave\", "
    "\"prob\": -0.0}, {\"from\": \"wave\", \"to\": \"i\", \"prob\": 1}], \"mouthOverlays\": [{\"label\": \"idle\", "
    "\"folder\": \"idle2\"}], \"mouth\": {\"version\": 2, \"canvas_size\": [7, 9.50], \"expressions\": {\"neutral\": "
    "{\"cx\": -0.0}}, \"profiles\": {\"idle\": {\"openness\": [0.10, 1, 1]}}}}";

static zo_package *make(const zo_charpack_plan *plan) {
    uint32_t same_as[16];
    assert_true(plan->picture_count <= 16);
    for (uint32_t i = 0; i < plan->picture_count; i++) { same_as[i] = i; }
    same_as[2] = 1; // two of the three of idle are the same
    return zo_charpack_make(plan, &(zo_charpack_stored){.same_as = same_as, .texture_bytes = 1234, .level = 5});
}

static zo_source source_of(const zo_package_file *file) {
    return (zo_source){.name = file->name, .bytes = file->text.data, .size = file->text.size};
}

static bool has(zo_text text, const char *piece) {
    const size_t size = strlen(piece);
    for (size_t at = 0; at + size <= text.size; at++) {
        if (memcmp(text.data + at, piece, size) == 0) { return true; }
    }
    return false;
}

static void a_pack_taken_apart_is_built_the_same(void **state) {
    (void)state;
    zo_report *report;
    const zo_charpack_plan *plan = open_plan(whole, &report), *again;
    assert_non_null(plan);
    zo_report_free(report);
    zo_package *made = make(plan);
    assert_non_null(made);
    assert_int_equal(made->file_count, 3);
    assert_string_equal(made->files[0].name, "runtime_manifest.json");
    assert_true(has(made->files[0].text, "\"frames\": [\"idle/f1.ktx2\", \"idle/f2.ktx2\", \"idle/f2.ktx2\"]"));
    assert_true(has(made->files[0].text, "\"textureCount\": 5"));
    assert_true(has(made->files[1].text, "\"prob\": 8.0e-1"));
    assert_true(has(made->files[1].text, "\"prob\": -0.0"));
    assert_true(has(made->files[2].text, "\"canvas_size\": [7, 9.50]"));

    const zo_source sources[] = {source_of(&made->files[0]), source_of(&made->files[1]), source_of(&made->files[2])};
    const zo_charpack_parts *parts;
    assert_int_equal(zo_charpack_open(sources, 1, NULL, &parts, &report), ZO_NEEDS);
    assert_int_equal(zo_report_need_count(report), 2);
    assert_string_equal(zo_report_need(report, 0)->name, "graph_config.json");
    assert_string_equal(zo_report_need(report, 1)->name, "spriteforge_mouth_config.json");
    zo_report_free(report);
    assert_int_equal(zo_charpack_open(sources, 3, NULL, &parts, &report), ZO_OK);
    zo_report_free(report);
    assert_int_equal(parts->picture_count, 5);
    assert_string_equal(parts->textures[0], "idle/f1.ktx2");
    assert_string_equal(parts->pictures[0], "idle/f1.png");
    assert_true(has(parts->source, "\"frames\": [\"idle/f1.png\", \"idle/f2.png\", \"idle/f2.png\"]"));
    assert_true(has(parts->source, "\"folder\": \"idle2\""));
    assert_true(has(parts->source, "\"folder\": \".\""));

    const zo_source source = {.name = "pack.json", .bytes = parts->source.data, .size = parts->source.size};
    assert_int_equal(zo_charpack_plan_open(&source, parts->pictures, parts->picture_count, NULL, &again, &report), ZO_OK);
    zo_report_free(report);
    assert_int_equal(again->level, 5);
    uint32_t same_as[] = {0, 1, 2, 3, 4};
    zo_package *second =
        zo_charpack_make(again, &(zo_charpack_stored){.same_as = same_as, .texture_bytes = 1234, .level = 5});
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(second->files[i].text.size, made->files[i].text.size);
        assert_memory_equal(second->files[i].text.data, made->files[i].text.data, made->files[i].text.size);
    }
    zo_package_free(second);
    zo_charpack_plan_free(again);
    zo_charpack_parts_free(parts);
    zo_package_free(made);
    zo_charpack_plan_free(plan);
}

// What the pack's own reader takes, with loose values, names that need another ending, and keys that stand twice.
static void other_packs_are_taken_apart_too(void **state) {
    (void)state;
    static const char manifest[] =
        "{\"id\": 7, \"displayName\": \" D \", \"version\": \"1\", \"graph\": \"./c\\\\g.json\", \"mouthConfig\": \"m.json\", "
        "\"clips\": {\" idle \": {\"frames\": [\"t/a.KTX2\", \"t\\\\./a.ktx2\", \"t/b\"], \"frameIntervalMs\": \" 42 \", "
        "\"loopMode\": \"loop\", \"phase\": \"in\"}, \"x\": {\"frames\": [\"gone.ktx2\"]}, \"x\": {\"frames\": []}}}";
    static const char graph[] = "{\"nodes\": [{\"id\": 0.5, \"label\": \"idle\", \"isRoot\": true}, 3], \"edges\": "
                                "[{\"id\": \"e\", \"from\": \" 0.5\", \"to\": \"0.5\", \"prob\": 1e-3}]}";
    const zo_source sources[] = {{.name = "runtime_manifest.json", .bytes = manifest, .size = sizeof manifest - 1},
                                 {.name = "m.json", .bytes = "{}", .size = 2},
                                 {.name = "c/g.json", .bytes = graph, .size = sizeof graph - 1}};
    const zo_charpack_parts *parts;
    zo_report *report;
    assert_int_equal(zo_charpack_open(sources, 3, NULL, &parts, &report), ZO_OK);
    zo_report_free(report);
    assert_true(has(parts->source, "\"id\": \"7\""));
    assert_true(has(parts->source, "\"frameIntervalMs\": 42"));
    assert_true(has(parts->source, "\"from\": \"0.5\""));
    assert_true(has(parts->source, "\"label\": \"idle\""));
    const char *const pictures[] = {"t/a.png", "t/a-2.png", "t/b.png"};
    for (uint32_t i = 0; i < 3; i++) { assert_string_equal(parts->pictures[i], pictures[i]); }
    zo_charpack_parts_free(parts);

    const zo_source broken[] = {{.name = "runtime_manifest.json", .bytes = "[]", .size = 2}};
    assert_int_equal(zo_charpack_open(broken, 1, NULL, &parts, &report), ZO_INVALID);
    assert_null(parts);
    zo_report_free(report);
}

// ---- memory ----

static int allowed; // allocations until there is none

static void *scarce(void *context, size_t size) {
    (void)context;
    return allowed-- > 0 ? malloc(size) : NULL;
}

static void give_back(void *context, void *memory, size_t size) {
    (void)context;
    (void)size;
    free(memory);
}

static void without_memory_it_says_so(void **state) {
    (void)state;
    const zo_allocator allocator = {.alloc = scarce, .free = give_back};
    const zo_compile_def def = {.allocator = &allocator};
    const zo_source source = {.name = "pack.json", .bytes = whole, .size = sizeof whole - 1};
    int failures = 0;
    for (int room = 0;; room++) {
        const zo_charpack_plan *plan;
        const zo_charpack_parts *parts = NULL;
        zo_report *report = NULL;
        allowed = room;
        zo_status status = zo_charpack_plan_open(&source, files, FILES, &def, &plan, &report);
        zo_report_free(report);
        report = NULL;
        zo_package *made = status == ZO_OK ? make(plan) : NULL;
        if (made != NULL) {
            const zo_source sources[] = {source_of(&made->files[0]), source_of(&made->files[1]),
                                         source_of(&made->files[2])};
            status = zo_charpack_open(sources, 3, &def, &parts, &report);
            zo_report_free(report);
        }
        const bool done = parts != NULL;
        assert_true(status == ZO_OK || status == ZO_NO_MEMORY);
        zo_charpack_parts_free(parts);
        zo_package_free(made);
        zo_charpack_plan_free(plan);
        if (done) { break; }
        failures++;
        assert_true(failures < 1000);
    }
    assert_true(failures > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_counts_as_people_do),
        cmocka_unit_test(paths_lead_down_to_pictures_that_are_there),
        cmocka_unit_test(of_two_ways_to_say_it_there_is_one),
        cmocka_unit_test(graphs_are_judged_where_they_are_written),
        cmocka_unit_test(two_pictures_are_two_textures),
        cmocka_unit_test(a_pack_taken_apart_is_built_the_same),
        cmocka_unit_test(other_packs_are_taken_apart_too),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
