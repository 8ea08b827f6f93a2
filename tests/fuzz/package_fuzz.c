// Fuzzer of pet packages: any bytes are taken for a manifest, alone and in an archive of entries that follow from the bytes,
// and what is a package is taken apart and made again, which must give the same. Called by libFuzzer, or by replay_main.c
// with files.
#include "fuzz.h"

enum { ENTRIES_MAX = 8 };

// Names and figures that are now and then what a package wants, and mostly not.
static void draw_entries(fuzz_random *random, const uint8_t *data, size_t size, zo_entry entries[ENTRIES_MAX]) {
    static const char *const names[] = {"manifest.json", "assets/0123456789abcdef.png", "assets/", "../x", "a\\b", "c:d",
                                        "assets/0123456789abcdef.webp", ""};
    for (uint32_t i = 0; i < ENTRIES_MAX; i++) {
        zo_entry *e = &entries[i];
        const char *name = names[fuzz_below(random, 8)];
        *e = (zo_entry){.name = {name, strlen(name)}, .flags = fuzz_below(random, 2) == 0 ? 16 : fuzz_below(random, 32)};
        if (fuzz_below(random, 3) == 0) { // any bytes as a name
            const size_t begin = fuzz_below(random, (uint32_t)size + 1);
            e->name = (zo_text){(const char *)data + begin, fuzz_below(random, (uint32_t)(size - begin) + 1)};
        }
        e->size = fuzz_below(random, 4) == 0 ? zb_hash64(random->seed, 2, 0, random->n++) : fuzz_below(random, 1 << 24);
        e->real_size = fuzz_below(random, 4) == 0 ? e->size + 1 : e->size;
        e->picture = (zo_picture_info){.kind = (zo_picture_kind)fuzz_below(random, 4), .width = fuzz_below(random, 5000),
                                       .height = fuzz_below(random, 5000), .size = e->real_size};
        memset(e->picture.sha256, "0a"[fuzz_below(random, 2)], 64);
    }
}

static void compile_one(const zo_source *source, const zo_compile_def *def) {
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_compile(source, 1, def, &program, &report);
    fuzz_sum sum = {0};
    MUST(report != NULL && status != ZO_NO_MEMORY);
    MUST((program != NULL) == (status == ZO_OK));
    MUST((status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
    for (uint32_t i = 0; i < zo_report_count(report); i++) { fuzz_diag(zo_report_at(report, i), source->size); }
    MUST(zo_report_write(report, ZO_REPORT_HUMAN, false, fuzz_write_sum, &sum));
    zo_program_free(program);
    zo_report_free(report);
}

// The manifest of a folder's files; NULL: the pet is not whole, for its pictures are not there.
static zo_package *make(const zo_package *folder, const zo_compile_def *def) {
    const zo_package_def package_def = {.other_name = "Fuzz"};
    zo_source *sources = fuzz_take(folder->file_count, sizeof *sources);
    for (uint32_t i = 0; i < folder->file_count; i++) {
        const zo_package_file *file = &folder->files[i];
        sources[i] = (zo_source){.name = file->name, .bytes = file->text.data, .size = file->text.size};
    }
    zo_package *package = NULL;
    const zo_status status = zo_package_make(sources, folder->file_count, &package_def, def, &package, NULL);
    MUST(status != ZO_NO_MEMORY && status != ZO_LIMIT && (package != NULL) == (status == ZO_OK));
    free(sources);
    return package;
}

static void there_and_back(const zo_source *source, const zo_compile_def *def) {
    zo_package *folder = NULL, *again = NULL, *second = NULL;
    if (zo_package_open(source, def, &folder, NULL) != ZO_OK) { return; }
    zo_package *first = make(folder, def);
    if (first != NULL) {
        const zo_text text = first->files[0].text;
        const zo_source made = {.name = "manifest.json", .bytes = text.data, .size = text.size};
        MUST(zo_package_open(&made, def, &again, NULL) == ZO_OK);
        second = make(again, def);
        MUST(second != NULL && zb_text_equal(text, second->files[0].text));
    }
    zo_package_free(folder);
    zo_package_free(first);
    zo_package_free(again);
    zo_package_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    uint8_t *bytes = fuzz_take(size, 1);
    zo_entry entries[ENTRIES_MAX];
    bool wanted[ENTRIES_MAX];
    if (size != 0) { memcpy(bytes, data, size); }
    draw_entries(&random, bytes, size, entries);
    const zo_archive archive = {.name = "fuzz.zip", .entries = entries, .entry_count = fuzz_below(&random, ENTRIES_MAX + 1),
                                .claimed_count = fuzz_below(&random, 8) == 0 ? 65 : 0};
    zo_package_want(&archive, wanted);
    const zo_source source = {.name = "fuzz.zip/manifest.json", .bytes = bytes, .size = size};
    for (int profile = ZO_PROFILE_DOCUMENT; profile <= ZO_PROFILE_ORIGINAL; profile++) {
        zo_compile_def def = {.profile = (zo_profile)profile, .format = "pet-package", .strict = fuzz_below(&random, 2) == 0};
        compile_one(&source, &def);
        def.archive = &archive;
        compile_one(&source, &def);
        def.archive = NULL;
        there_and_back(&source, &def);
    }
    free(bytes);
    return 0;
}
