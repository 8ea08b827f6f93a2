// Fuzzer of the way from a definition to a picture: any bytes are compiled as one under both profiles, its keyframe
// lists written, and the program stored, loaded, played and drawn. Called by libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

// A stored program is the program.
static void store_and_load(const zo_program *program) {
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded;
    MUST(zo_load(blob, size, NULL, &loaded) == ZO_OK);
    MUST(zo_program_hash(loaded) == zo_program_hash(program));
    zo_program_free(loaded);
}

static void write_frames(const zo_source *source, const zo_compile_def *def, fuzz_random *random) {
    const zo_frames_def frames = {.set_strength = fuzz_below(random, 2) == 0,
                                  .strength = (double)fuzz_below(random, 5) - 1.0,
                                  .duration_ms = fuzz_below(random, 2) == 0 ? 0.0 : 333.25,
                                  .set_repeat = fuzz_below(random, 2) == 0,
                                  .repeat = fuzz_below(random, 3),
                                  .reduced_motion = fuzz_below(random, 3) == 0};
    fuzz_sum sum = {0};
    zo_report *report = NULL;
    const zo_status status = zo_frames(source, def, &frames, fuzz_write_sum, &sum, &report);
    MUST(report != NULL);
    MUST((status == ZO_OK) == (sum.size > 0));
    zo_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size, 1);
    if (size != 0) { memcpy(bytes, data, size); }
    const zo_source source = {.name = "fuzz.json", .bytes = bytes, .size = size};
    for (int profile = ZO_PROFILE_DOCUMENT; profile <= ZO_PROFILE_ORIGINAL; profile++) {
        const zo_compile_def def = {.profile = (zo_profile)profile,
                                    .format = fuzz_below(&random, 4) == 0 ? NULL : "petween",
                                    .maybe = fuzz_below(&random, 4) == 0,
                                    .strict = fuzz_below(&random, 2) == 0,
                                    .diag_max = fuzz_below(&random, 4) == 0 ? 3 : 0};
        zo_program *program = NULL;
        zo_report *report = NULL;
        const zo_status status = zo_compile(&source, 1, &def, &program, &report);
        MUST(report != NULL && status != ZO_NO_MEMORY);
        MUST((program != NULL) == (status == ZO_OK));
        const bool passed_over = def.maybe && status == ZO_UNSUPPORTED; // a note
        MUST(passed_over || (status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
        fuzz_report(report, bytes, size);
        write_frames(&source, &def, &random);
        if (program != NULL) {
            store_and_load(program);
            fuzz_play(program, random.seed);
        }
        zo_program_free(program);
        zo_report_free(report);
    }
    free(bytes);
    return 0;
}
