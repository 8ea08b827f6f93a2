// Fuzzer of what character packs are built of: any bytes are taken for an authoring file, and in three pieces for the files
// of a pack. What can be built is taken apart and built again, which must give the same. Called by libFuzzer, or by
// replay_main.c with files.
#include "fuzz.h"

static const char *const files[] = {"a.png", "idle/1.png", "idle/2.png", "idle/10.png", "b/c/0.PNG", "b/c/x.png"};
enum { FILES = sizeof files / sizeof files[0] };

static zo_source source_of(const zo_package_file *file) {
    return (zo_source){.name = file->name, .bytes = file->text.data, .size = file->text.size};
}

static const zo_charpack_plan *plan_of(zo_text text, const char *const *pictures, uint32_t count) {
    const zo_source source = {.name = "f/pack.json", .bytes = text.data, .size = text.size};
    const zo_charpack_plan *plan = NULL;
    zo_report *report = NULL;
    fuzz_sum sum = {0};
    const zo_status status = zo_charpack_plan_open(&source, pictures, count, NULL, &plan, &report);
    MUST(report != NULL && status != ZO_NO_MEMORY && (plan != NULL) == (status == ZO_OK));
    MUST(status == ZO_UNSUPPORTED || (status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
    for (uint32_t i = 0; i < zo_report_count(report); i++) { fuzz_diag(zo_report_at(report, i), text.size); }
    MUST(zo_report_write(report, ZO_REPORT_HUMAN, false, fuzz_write_sum, &sum));
    zo_report_free(report);
    return plan;
}

static zo_package *make(const zo_charpack_plan *plan, fuzz_random *random, uint32_t level) {
    uint32_t *same_as = fuzz_take(plan->picture_count, sizeof *same_as);
    for (uint32_t i = 0; i < plan->picture_count; i++) {
        const bool again = random != NULL && i > 0 && fuzz_below(random, 4) == 0;
        same_as[i] = again ? same_as[fuzz_below(random, i)] : i;
    }
    zo_package *made = zo_charpack_make(plan, &(zo_charpack_stored){.same_as = same_as, .texture_bytes = 7, .level = level});
    MUST(made != NULL && made->file_count == 3);
    free(same_as);
    return made;
}

static void there_and_back(zo_text text, fuzz_random *random) {
    const zo_charpack_plan *plan = plan_of(text, files, FILES), *again;
    if (plan == NULL) { return; }
    MUST(plan->picture_count <= FILES);
    const uint32_t level = fuzz_below(random, 23);
    zo_package *first = make(plan, random, level);
    const zo_source sources[] = {source_of(&first->files[0]), source_of(&first->files[1]), source_of(&first->files[2])};
    const zo_charpack_parts *parts = NULL;
    zo_report *report = NULL;
    MUST(zo_charpack_open(sources, 3, NULL, &parts, &report) == ZO_OK);
    zo_report_free(report);
    again = plan_of(parts->source, parts->pictures, parts->picture_count);
    MUST(again != NULL);
    zo_package *second = make(again, NULL, level);
    for (uint32_t i = 0; i < 3; i++) { MUST(zb_text_equal(first->files[i].text, second->files[i].text)); }
    zo_package_free(second);
    zo_charpack_plan_free(again);
    zo_charpack_parts_free(parts);
    zo_package_free(first);
    zo_charpack_plan_free(plan);
}

// Pieces end at zero bytes.
static void take_apart(zo_text text) {
    static const char *const names[] = {"runtime_manifest.json", "graph_config.json", "spriteforge_mouth_config.json"};
    zo_source sources[3];
    size_t at = 0;
    for (uint32_t i = 0; i < 3; i++) {
        size_t size = 0;
        while (at + size < text.size && text.data[at + size] != 0) { size++; }
        sources[i] = (zo_source){.name = names[i], .bytes = text.data + at, .size = size};
        at += size + (at + size < text.size);
    }
    const zo_charpack_parts *parts = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_charpack_open(sources, 3, NULL, &parts, &report);
    MUST(report != NULL && status != ZO_NO_MEMORY && (parts != NULL) == (status == ZO_OK));
    zo_report_free(report);
    if (parts == NULL) { return; }
    const zo_charpack_plan *plan = plan_of(parts->source, parts->pictures, parts->picture_count); // or it has faults
    if (plan != NULL) { zo_package_free(make(plan, NULL, 0)); }
    zo_charpack_plan_free(plan);
    zo_charpack_parts_free(parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size, 1);
    if (size != 0) { memcpy(bytes, data, size); }
    there_and_back((zo_text){bytes, size}, &random);
    take_apart((zo_text){bytes, size});
    free(bytes);
    return 0;
}
