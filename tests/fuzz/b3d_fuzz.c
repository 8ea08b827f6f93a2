// Fuzzer of B3D models: any bytes as one, or, where they begin like JSON, as an authoring file. What is a model is written
// in both forms and read again as the same, compiled with keys of either kind, stored, loaded, played and drawn. Called by
// libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

typedef struct text {
    char *bytes;
    size_t size;
} text;

static bool append(void *context, const void *bytes, size_t size) {
    text *t = context;
    t->bytes = realloc(t->bytes, t->size + size + 1);
    MUST(t->bytes != NULL);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

static zo_source source_of(const char *name, text t) {
    return (zo_source){.name = name, .bytes = t.bytes, .size = t.size};
}

static zo_status convert(const zo_source *source, const char *to, text *out) {
    zo_report *report = NULL;
    *out = (text){NULL, 0};
    const zo_status status = zo_convert(source, to, NULL, append, out, &report);
    MUST(report != NULL && status != ZO_NO_MEMORY);
    MUST((status == ZO_OK) == (out->bytes != NULL));
    MUST(status == ZO_UNSUPPORTED || (status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
    for (uint32_t i = 0; i < zo_report_count(report); i++) { fuzz_diag(zo_report_at(report, i), source->size); }
    zo_report_free(report);
    return status;
}

static void same(text a, text b) { MUST(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0); }

// Both forms of it, made of each other, stay what they are.
static void there_and_back(const zo_source *source) {
    text model, json, again, json_again;
    if (convert(source, "b3d", &model) != ZO_OK) {
        MUST(convert(source, "b3d-source", &json) != ZO_OK);
        return;
    }
    const zo_source of_model = source_of("a.b3d", model);
    MUST(convert(&of_model, "b3d-source", &json) == ZO_OK);
    const zo_source of_json = source_of("a.json", json);
    MUST(convert(&of_json, "b3d", &again) == ZO_OK);
    MUST(convert(&of_json, "b3d-source", &json_again) == ZO_OK);
    same(model, again);
    same(json, json_again);
    free(json_again.bytes);
    free(again.bytes);
    free(json.bytes);
    free(model.bytes);
}

static void look_at_meshes(const zo_program *program, const zo_pose *pose) {
    zo_mesh_info info;
    for (uint32_t i = 1; zo_mesh_get(program, (zo_mesh){i}, &info); i++) {
        uint32_t corners[3];
        for (uint32_t t = 0; t < info.triangle_count; t++) {
            MUST(zo_mesh_triangle_get(program, (zo_mesh){i}, t, corners));
            for (uint32_t k = 0; k < 3; k++) { MUST(corners[k] < info.vertex_count); }
        }
        for (uint32_t v = 0; v < info.vertex_count; v++) {
            double m[12];
            zo_pose_skin(program, pose, (zo_mesh){i}, v, m);
            for (uint32_t k = 0; k < 12; k++) { MUST(!zb_is_nan(m[k])); }
        }
    }
}

static void compile(const zo_source *source, zo_b3d_keys keys, fuzz_random *random) {
    const zo_compile_def def = {.b3d_keys = keys, .diag_max = fuzz_below(random, 4) == 0 ? 3 : 0};
    zo_program *program = NULL, *loaded;
    zo_report *report = NULL;
    const zo_status status = zo_compile(source, 1, &def, &program, &report);
    MUST(report != NULL && status != ZO_NO_MEMORY && (program != NULL) == (status == ZO_OK));
    fuzz_report(report, source->bytes, source->size);
    if (program != NULL) {
        size_t size;
        const void *blob = zo_program_blob(program, &size);
        MUST(zo_load(blob, size, NULL, &loaded) == ZO_OK);
        MUST(zo_program_hash(loaded) == zo_program_hash(program));
        zo_program_free(loaded);
        zo_pose *pose = zo_pose_create(program, NULL);
        for (uint32_t i = 0; i < 6; i++) {
            zo_clip_sample(program, (zo_clip){1}, (double)fuzz_below(random, 64) / 4.0 - 2.0, NULL, pose);
            look_at_meshes(program, pose);
        }
        zo_pose_free(pose);
        fuzz_play(program, random->seed);
    }
    zo_program_free(program);
    zo_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size, 1);
    if (size != 0) { memcpy(bytes, data, size); }
    const bool json = size != 0 && bytes[0] == '{';
    const zo_source source = {.name = json ? "fuzz.json" : "fuzz.b3d", .bytes = bytes, .size = size};
    there_and_back(&source);
    compile(&source, ZO_B3D_KEYS_BLITZ, &random);
    compile(&source, ZO_B3D_KEYS_FORGE, &random);
    free(bytes);
    return 0;
}
