// Fuzzer of the way from clips of an enemy to pictures: any bytes, cut at form feeds into a clip and what lies
// beside it (further clips, a rig, an atlas), are compiled with any options, stored, loaded, played and drawn. Called by
// libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

enum { SOURCES_MAX = 5, CUT = 0x0C };

// A stored program is the program.
static void store_and_load(const zo_program *program) {
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded;
    MUST(zo_load(blob, size, NULL, &loaded) == ZO_OK);
    MUST(zo_program_hash(loaded) == zo_program_hash(program));
    zo_program_free(loaded);
}

static uint32_t cut(const char *bytes, size_t size, zo_source *sources) {
    static const char *const names[SOURCES_MAX] = {"clip.json", "rig.json", "atlas.json", "more.json", "art.png"};
    uint32_t count = 0;
    for (size_t at = 0; count < SOURCES_MAX; count++) {
        const char *end = at < size ? memchr(bytes + at, CUT, size - at) : NULL;
        const size_t length = end != NULL ? (size_t)(end - (bytes + at)) : size - at;
        sources[count] = (zo_source){.name = names[count], .bytes = bytes + at, .size = length};
        if (end == NULL) { return count + 1; }
        at += length + 1;
    }
    return count;
}

// Promises of every report, without quoting: its places are of several files.
static void look_at_report(const zo_report *report, zo_status status) {
    MUST((status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0) || status == ZO_UNSUPPORTED);
    fuzz_sum sum = {0};
    MUST(zo_report_write(report, ZO_REPORT_HUMAN, false, fuzz_write_sum, &sum));
    for (uint32_t i = 0; i < zo_report_need_count(report); i++) { MUST(*zo_report_need(report, i)->name != 0); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size + 1, 1);
    if (size != 0) { memcpy(bytes, data, size); }
    zo_source sources[SOURCES_MAX];
    const uint32_t count = cut(bytes, size, sources);
    for (int profile = ZO_PROFILE_DOCUMENT; profile <= ZO_PROFILE_ORIGINAL; profile++) {
        const zo_compile_def def = {.profile = (zo_profile)profile,
                                    .format = fuzz_below(&random, 8) == 0 ? "enemy-rig" : "enemy-animation",
                                    .strict = fuzz_below(&random, 4) == 0,
                                    .sampled_poses = fuzz_below(&random, 3) == 0,
                                    .null_tangent_step = fuzz_below(&random, 3) == 0};
        zo_program *program = NULL;
        zo_report *report = NULL;
        const zo_status status = zo_compile(sources, count, &def, &program, &report);
        MUST(report != NULL && status != ZO_NO_MEMORY);
        MUST((program != NULL) == (status == ZO_OK));
        look_at_report(report, status);
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
