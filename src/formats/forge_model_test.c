// Block models: what is taken over from parents, textures followed to their ends, circles of both, and what is said of
// elements that cannot be.
#include "formats/test_forge.h"

#define CUBE(texture) "{'from': [0, 0, 0], 'to': [16, 16, 16], 'faces': {'up': {'texture': '" texture "'}}}"

static uint32_t triangles_of(const fg_file *files) {
    zo_program *program = fg_program(files, NULL);
    uint32_t count = 0;
    zo_mesh_info info;
    for (uint32_t i = 1; zo_mesh_get(program, (zo_mesh){i}, &info); i++) { count += info.triangle_count; }
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded = NULL;
    assert_int_equal(zo_load(blob, size, NULL, &loaded), ZO_OK);
    zo_program_free(loaded);
    zo_program_free(program);
    return count;
}

static void elements_are_taken_over_whole(void **state) {
    (void)state;
    static const fg_file above = {"models/base.json", "{'textures': {'t': 'd:t'}, 'elements': [" CUBE("#t") ", " CUBE("#t") "]}"};
    static const fg_file above_that = {"models/middle.json", "{'parent': 'd:base'}"};
    const uint32_t side = triangles_of((const fg_file[]){{"m.json", "{'elements': [" CUBE("d:t") "]}"}, {NULL, NULL}});
    assert_true(side > 0);
    assert_int_equal(triangles_of((const fg_file[]){{"m.json", "{'parent': 'd:middle', 'textures': {}}"}, above, above_that,
                                                    {NULL, NULL}}), 2 * side);
    assert_int_equal(triangles_of((const fg_file[]){{"m.json", "{'parent': 'd:middle', 'elements': [" CUBE("#t") "]}"}, above,
                                                    above_that, {NULL, NULL}}), side);
    // an empty list is none of its own, wherever it stands
    static const fg_file hollow = {"models/hollow.json", "{'parent': 'd:base', 'elements': []}"};
    assert_int_equal(triangles_of((const fg_file[]){{"m.json", "{'parent': 'd:hollow', 'elements': []}"}, hollow, above,
                                                    {NULL, NULL}}), 2 * side);
}

static void textures_are_looked_up_in_the_child_first(void **state) {
    (void)state;
    // the parent's key leads back to the child's: with it all is well, without it there is none
    static const fg_file above = {"models/base.json", "{'textures': {'t': '#u'}, 'elements': [" CUBE("#t") "]}"};
    zo_report *report = fg_compile((const fg_file[]){{"m.json", "{'parent': 'd:base', 'textures': {'u': 'd:u'}}"}, above,
                                                     {NULL, NULL}}, NULL, NULL);
    assert_null(fg_diag(report, "forge/unresolved-texture"));
    assert_null(fg_diag(report, "forge/texture-loop"));
    zo_report_free(report);
    // a long way is no circle
    char text[4096];
    size_t size = (size_t)snprintf(text, sizeof text, "{'elements': [" CUBE("#t0") "], 'textures': {");
    for (int i = 0; i < 40; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "'t%d': '#t%d', ", i, i + 1);
    }
    snprintf(text + size, sizeof text - size, "'t40': 'd:t'}}");
    report = fg_compile((const fg_file[]){{"m.json", text}, {NULL, NULL}}, NULL, NULL);
    assert_null(fg_diag(report, "forge/texture-loop"));
    assert_null(fg_diag(report, "forge/unresolved-texture"));
    zo_report_free(report);
}

static void circles_are_told_once(void **state) {
    (void)state;
    zo_report *report = fg_compile((const fg_file[]){{"m.json", "{'textures': {'a': '#b', 'b': '#a'}, 'elements': [" CUBE("#a") ", "
                                                                CUBE("#a") "]}"}, {NULL, NULL}}, NULL, NULL);
    uint32_t told = 0;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        told += strcmp(zo_report_at(report, i)->id, "forge/texture-loop") == 0;
    }
    assert_int_equal(told, 1);
    assert_int_equal(zo_report_total(report, ZO_ERROR), 0); // it is drawn, with what stands for a missing one
    zo_report_free(report);
    const zo_compile_def model = {.format = "forge-model"};
    fg_expect((const fg_file[]){{"m.json", "{'parent': 'd:a'}"}, {"models/a.json", "{'parent': 'd:b'}"},
                                {"models/b.json", "{'parent': 'd:a'}"}, {NULL, NULL}}, &model, "forge/parent-loop",
              "block model");
    assert_true(triangles_of((const fg_file[]){{"m.json", "{'textures': {'a': '#a'}, 'elements': [" CUBE("#a") "]}"},
                                               {NULL, NULL}}) > 0);
}

static void broken_models_are_told(void **state) {
    (void)state;
    static const struct { const char *element, *id, *words; } rows[] = {
        {"{'from': [0, 0], 'to': [1, 1, 1], 'faces': {}}", "forge/wrong-type", "block model"},
        {"{'from': [0, 0, -17], 'to': [1, 1, 1], 'faces': {}}", "forge/coordinate-out-of-range", "-17"},
        {"{'from': [0, 0, 0], 'to': [1, 1, 1], 'faces': {'top': {'texture': 'd:t'}}}", "forge/unknown-face", "top"},
        {"{'from': [0, 0, 0], 'to': [1, 1, 1], 'faces': {'up': {'texture': 'd:t', 'rotation': 45}}}",
         "forge/bad-face-rotation", "45"},
        {"{'from': [0, 0, 0], 'to': [1, 1, 1], 'faces': {}, 'rotation': {'origin': [0, 0, 0], 'axis': 'y', 'angle': 30}}",
         "forge/bad-rotation-angle", "30"},
        {"{'from': [0, 0, 0], 'to': [1, 1, 1], 'faces': {}, 'rotation': {'origin': [0, 0, 0], 'axis': 'w', 'angle': 45}}",
         "forge/bad-rotation-axis", "w"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(text, sizeof text, "{'elements': [%s]}", rows[i].element);
        fg_expect((const fg_file[]){{"m.json", text}, {NULL, NULL}}, NULL, rows[i].id, rows[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_taken_over_whole),
        cmocka_unit_test(textures_are_looked_up_in_the_child_first),
        cmocka_unit_test(circles_are_told_once),
        cmocka_unit_test(broken_models_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
