// Fuzzer of character packs: any bytes, cut at zero bytes into a manifest, a graph, a mouth file and lists of speech, in a
// folder that holds whatever textures they name, missing ones, folders and links among them. Read as the format's own validator does
// and in full, with every model, textures looked at; what is sound is stored, loaded, played and drawn. Called by
// libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

#define ROOT "fox/"
enum { PIECES = 4, FILES_MAX = 256, ROUNDS_MAX = 6, HEAD_SIZE = 80 };

typedef struct folder {
    zo_source files[FILES_MAX];
    char *names[FILES_MAX];
    uint32_t count;
    const zo_source *pieces; // [PIECES]; the first is the manifest
    uint32_t given;          // of the second and the third; the last is called speech.json
    uint64_t seed;
    uint32_t looks;
    uint8_t heads[4][HEAD_SIZE]; // of textures of several sizes, and of something else
} folder;

static void fill_heads(folder *f) {
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(f->heads[i], identifier, i < 3 ? sizeof identifier : 3);
        f->heads[i][20] = (uint8_t)(1 + i * 40);
        f->heads[i][24] = (uint8_t)(1 + i * 60);
    }
}

// What is there is a matter of its name alone.
static void add_file(folder *f, const char *name, zo_need_kind kind) {
    if (f->count == FILES_MAX) { return; }
    zo_source *file = &f->files[f->count];
    char *copy = f->names[f->count++] = fuzz_take(sizeof ROOT + strlen(name), 1);
    memcpy(copy, ROOT, sizeof ROOT - 1);
    memcpy(copy + sizeof ROOT - 1, name, strlen(name));
    *file = (zo_source){.name = copy};
    if (kind == ZO_NEED_BYTES) {
        const bool speech = strcmp(name, "speech.json") == 0;
        if (speech || f->given < 2) {
            *file = f->pieces[speech ? 3 : 1 + f->given++];
            file->name = copy;
        } else {
            file->kind = ZO_SOURCE_MISSING;
        }
        return;
    }
    const uint32_t luck = (uint32_t)(zb_hash_bytes(name, strlen(name), f->seed) % 64);
    if (kind == ZO_NEED_HEAD) {
        file->bytes = f->heads[luck % 4];
        file->size = luck % 5 == 0 ? 10 : HEAD_SIZE;
    }
    file->whole_size = 1 + luck;
    switch (luck) {
    case 0: file->kind = ZO_SOURCE_MISSING; break;
    case 1: file->kind = ZO_SOURCE_FOLDER; break;
    case 2: file->outside_root = true; break;
    case 3: file->real_name = "a.ktx2"; break;
    case 4: file->real_name = "other.png"; break;
    default: break;
    }
}

static zo_look look_at(void *context, const char *name) {
    folder *f = context;
    f->looks++;
    const uint32_t luck = (uint32_t)(zb_hash_bytes(name, strlen(name), f->seed + 1) % 16);
    return luck == 0 ? (zo_look){.fault = "it is not to be had"} : (zo_look){.width = 1 + luck % 3, .height = 8};
}

static void look_at_report(const zo_report *report, zo_status status, const zo_compile_def *def) {
    zo_verdict verdict = {0};
    fuzz_sum sum = {0};
    MUST(zo_report_write(report, (zo_report_style)(def->model % (ZO_REPORT_GITHUB + 1)), false, fuzz_write_sum, &sum));
    if (status != ZO_OK && status != ZO_INVALID) { return; } // a text too deep, or more files than there is room for
    MUST((status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
    MUST(zo_report_verdict(report, &verdict) && verdict.line != NULL);
    MUST(status != ZO_OK || verdict.category == NULL);
    if (def->contract_only) { MUST((status == ZO_OK) == (verdict.category == NULL)); }
}

static void store_and_load(const zo_program *program) {
    size_t size;
    const void *blob = zo_program_blob(program, &size);
    zo_program *loaded;
    MUST(zo_load(blob, size, NULL, &loaded) == ZO_OK);
    MUST(zo_program_hash(loaded) == zo_program_hash(program));
    zo_program_free(loaded);
}

// Asked for more until nothing more is asked for, as one would from a folder.
static void read_pack(const zo_source *pieces, zo_compile_def *def, bool play, uint64_t seed) {
    folder f = {.pieces = pieces, .seed = seed};
    zo_program *program = NULL;
    fill_heads(&f);
    f.names[0] = NULL;
    f.files[f.count++] = pieces[0];
    if (def->look != NULL) { def->look_context = &f; }
    for (uint32_t round = 0;; round++) {
        zo_report *report = NULL;
        const uint32_t before = f.count;
        const zo_status status = zo_compile(f.files, f.count, def, play ? &program : NULL, &report);
        MUST(report != NULL && status != ZO_NO_MEMORY && round < ROUNDS_MAX);
        MUST((program != NULL) == (play && status == ZO_OK));
        for (uint32_t i = 0; i < zo_report_need_count(report); i++) {
            add_file(&f, zo_report_need(report, i)->name, zo_report_need(report, i)->kind);
        }
        const bool over = f.count == before;
        if (over) { look_at_report(report, status, def); }
        MUST(f.looks == 0 || over); // a pack is opened once it is known
        zo_report_free(report);
        if (over) { break; }
        MUST(program == NULL);
    }
    if (program != NULL) {
        store_and_load(program);
        fuzz_play(program, seed);
    }
    zo_program_free(program);
    for (uint32_t i = 1; i < f.count; i++) { free(f.names[i]); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {ROOT "runtime_manifest.json", ROOT "graph.json", ROOT "mouth.json",
                                         ROOT "speech.json"};
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size + 1, 1);
    zo_source pieces[PIECES];
    size_t at = 0;
    if (size != 0) { memcpy(bytes, data, size); }
    for (uint32_t i = 0; i < PIECES; i++) {
        const size_t length = at < size ? strlen(bytes + at) : 0;
        pieces[i] = (zo_source){.name = names[i], .bytes = bytes + at, .size = length};
        at += at + length < size ? length + 1 : length;
    }
    zo_compile_def def = {.format = "character-pack-v1/runtime_manifest", .contract_only = true,
                          .model = (zo_model)fuzz_below(&random, 5)};
    read_pack(pieces, &def, false, random.seed);
    def.contract_only = false;
    def.strict = fuzz_below(&random, 2) == 0;
    def.profile = fuzz_below(&random, 2) == 0 ? ZO_PROFILE_DOCUMENT : ZO_PROFILE_ORIGINAL;
    def.look = fuzz_below(&random, 2) == 0 ? look_at : NULL;
    read_pack(pieces, &def, false, random.seed);
    def.strict = false;
    read_pack(pieces, &def, true, random.seed);
    free(bytes);
    return 0;
}
