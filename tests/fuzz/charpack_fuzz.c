// Fuzzer of the way from character packs to pictures: any bytes, cut at zero bytes into a manifest and what lies beside
// it (a graph, mouths, lists of speech), are compiled with any options, whatever textures they name given, stored,
// loaded, played and drawn. Called by libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

enum { PIECES = 4, SOURCES_MAX = 300 };

static const char *const names[PIECES] = {"runtime_manifest.json", "graph_config.json", "spriteforge_mouth_config.json",
                                          "speech.json"};

static void store_and_load(const zo_program *program) { // a stored program is the program
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded;
    MUST(zo_load(blob, size, NULL, &loaded) == ZO_OK);
    MUST(zo_program_hash(loaded) == zo_program_hash(program));
    zo_program_free(loaded);
}

// Promises of every report, without quoting: its places are of several files.
static void look_at_report(const zo_report *report, zo_status status) {
    MUST((status == ZO_OK) <= (zo_report_total(report, ZO_ERROR) == 0));
    fuzz_sum sum = {0};
    MUST(zo_report_write(report, ZO_REPORT_HUMAN, false, fuzz_write_sum, &sum));
}

static uint32_t cut(const char *bytes, size_t size, zo_source *sources) {
    size_t at = 0;
    uint32_t count = 0;
    for (; count < PIECES && (count == 0 || at < size); count++) {
        const char *end = at < size ? memchr(bytes + at, 0, size - at) : NULL;
        const size_t length = end != NULL ? (size_t)(end - (bytes + at)) : size - at;
        sources[count] = (zo_source){.name = names[count], .bytes = bytes + at, .size = length};
        at += length + (end != NULL);
    }
    return count;
}

// The beginning of a texture, as far as it says how large it is: a few px, by its name.
static const uint8_t *texture(const char *name) {
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    static uint8_t heads[3][28];
    for (uint8_t i = 0; i < 3; i++) {
        memcpy(heads[i], identifier, sizeof identifier);
        heads[i][20] = (uint8_t)(1 + 3 * i);
        heads[i][24] = (uint8_t)(2 + i);
    }
    return heads[strlen(name) % 3];
}

// What is asked for is given, until nothing is.
static void compile_and_play(zo_source *sources, uint32_t count, const zo_compile_def *def, uint64_t seed) {
    zo_report *reports[3] = {NULL, NULL, NULL}; // the names in needs are theirs
    zo_program *program = NULL;
    for (int round = 0; round < 3 && program == NULL; round++) {
        const zo_status status = zo_compile(sources, count, def, &program, &reports[round]);
        MUST(reports[round] != NULL && status != ZO_NO_MEMORY && (program != NULL) == (status == ZO_OK));
        look_at_report(reports[round], status);
        if (status != ZO_NEEDS) { break; }
        for (uint32_t i = 0; i < zo_report_need_count(reports[round]) && count < SOURCES_MAX; i++) {
            const zo_need *need = zo_report_need(reports[round], i);
            MUST(*need->name != 0);
            const size_t size = strlen(need->name);
            const bool picture = size > 5 && need->name[size - 5] == '.';
            const void *head = picture ? texture(need->name) : NULL;
            sources[count++] = picture ? (zo_source){.name = need->name, .bytes = head, .size = 28}
                                       : (zo_source){.name = need->name, .kind = ZO_SOURCE_MISSING};
        }
    }
    if (program != NULL) {
        store_and_load(program);
        fuzz_play(program, seed);
    }
    zo_program_free(program);
    for (int i = 0; i < 3; i++) { zo_report_free(reports[i]); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size + 1, 1);
    if (size != 0) { memcpy(bytes, data, size); }
    zo_source sources[SOURCES_MAX];
    const uint32_t count = cut(bytes, size, sources);
    const zo_compile_def def = {.format = "character-pack-v1/runtime_manifest",
                                .model = (zo_model)fuzz_below(&random, ZO_MODEL_SIMULATOR + 1),
                                .strict = fuzz_below(&random, 8) == 0, .contract_only = fuzz_below(&random, 4) == 0};
    compile_and_play(sources, count, &def, random.seed);
    free(bytes);
    return 0;
}
