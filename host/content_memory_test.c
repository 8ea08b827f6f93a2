// Contents when memory runs out: at whichever allocation that is, the answer is that, or all went well; nothing is half
// done, and nothing leaks (which the sanitizers see).
#include "host/package.h"
#include "host/test_content.h"
#include "host/test_zip.h"

// The linker puts these in place of the library's own; cmocka's and SQLite's are theirs.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

static uint64_t left; // allocations that succeed, from now on
static bool limited, once, failed; // once: only one fails

static bool may(void) {
    if (!limited || (failed && once)) { return true; }
    if (left == 0) {
        failed = true;
        return false;
    }
    left--;
    return true;
}

void *__wrap_malloc(size_t size) { return may() ? __real_malloc(size) : NULL; }
void *__wrap_calloc(size_t count, size_t size) { return may() ? __real_calloc(count, size) : NULL; }
void *__wrap_realloc(void *memory, size_t size) { return may() ? __real_realloc(memory, size) : NULL; }
char *__wrap_strdup(const char *text) { return may() ? __real_strdup(text) : NULL; }

static void limit(uint64_t count, bool only_once) {
    left = count;
    once = only_once;
    limited = true;
    failed = false;
}

#define MOVE(id, more) \
    "{\"version\":1,\"id\":\"" id "\",\"name\":\"Move\",\"kind\":\"transition\",\"durationMs\":200," \
    "\"repeat\":{\"mode\":\"once\"},\"tracks\":[{\"property\":\"transition.rotation\",\"keyframes\":[" \
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0.0}]}],\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"}]" more "}"
#define OLD "{\"version\":1,\"id\":\"user:old\",\"name\":\"Old\",\"kind\":\"ambient\",\"durationMs\":2000," \
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":[" \
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]},{\"property\":\"transition.x\",\"keyframes\":[" \
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]}]}"
static const char pet[] = "{\"id\":\"pet_1\",\"name\":\"Mochi\",\"scale\":1,\"states\":{\"idle\":{\"enter\":"
                          "{\"animationId\":\"user:a\"}}}}";
static const char pack[] = "{\"format\":\"motion-pack\",\"version\":1,\"name\":\"Mine\",\"namespace\":\"user\","
                           "\"animations\":[" MOVE("user:a", "") "," MOVE("user:b", "") "]}";

typedef store_status (*act_fn)(store_txn *txn, const store_file *files, uint32_t count, store_error *error);

static store_status look_and_put(store_txn *txn, const store_file *files, uint32_t count, store_error *error) {
    content_thing *thing = NULL;
    zo_program *program = NULL;
    zo_report *report = NULL;
    store_file picture;
    const content_def def = {.mend = true};
    store_status status = content_look(txn, STORE_ANY_AREA, files, count, &def, &thing, error);
    if (status == STORE_OK && thing->status == ZO_NO_MEMORY) { status = STORE_NO_MEMORY; }
    const bool is_program = status == STORE_OK && thing->area != STORE_ASSET;
    if (status == STORE_OK) {
        status = content_put(txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, error);
    }
    if (status == STORE_OK && is_program) {
        const content_def other = {.compile.profile = ZO_PROFILE_ORIGINAL}; // not out of the cache
        status = content_program(txn, thing->area, thing->id, 0, &other, &program, &report, error);
    }
    if (status == STORE_OK && is_program) {
        status = content_picture(txn, thing->area, thing->id, "none", &picture, error);
        status = status == STORE_NOT_FOUND ? STORE_OK : status;
    }
    zo_program_free(program);
    zo_report_free(report);
    content_thing_free(thing);
    return status;
}

static store_status import(store_txn *txn, const store_file *files, uint32_t count, store_error *error) {
    content_result *result = NULL;
    const content_import_def def = {.content.mend = true};
    const store_status status = content_import(txn, files, count, &def, &result, error);
    content_result_free(result);
    return status;
}

static store_status import_folder(store_txn *txn, const store_file *files, uint32_t count, store_error *error) {
    content_result *result = NULL;
    const content_import_def def = {0};
    const store_status status = content_import_petween(txn, files, count, &def, &result, error);
    content_result_free(result);
    return status;
}

static void try_each(act_fn act, const store_file *files, uint32_t count, bool only_once) {
    stage s;
    const store_file held = text_file("held.json", MOVE("user:a", ",\"held\":1"));
    open_stage(&s);
    store_error error;
    assert_int_equal(import(s.txn, &held, 1, &error), STORE_OK); // so that something is taken
    commit_stage(&s, STORE_WRITE);
    uint64_t n = 0;
    for (bool done = false; !done; n += 1 + n / 64) {
        limit(n, only_once);
        const store_status status = act(s.txn, files, count, &error);
        limited = false;
        done = status == STORE_OK && !failed;
        if (status != STORE_OK && status != STORE_NO_MEMORY) {
            fail_msg("allocation %u: %s (%s)", (unsigned)n, store_status_name(status), error.text);
        }
        // None goes unnoticed, but for the order of a report's lines, which the library does without.
        assert_true(failed == (status == STORE_NO_MEMORY) || (only_once && status == STORE_OK));
        store_rollback(s.txn);
        begin_stage(&s, STORE_WRITE);
    }
    assert_true(n > 3); // it was not for nothing
    close_stage(&s);
}

// Every allocation fails once, alone and with all that come after it.
static void try_all(act_fn act, const store_file *files, uint32_t count) {
    try_each(act, files, count, false);
    try_each(act, files, count, true);
}

static void animations(void **state) {
    (void)state;
    const store_file file = text_file("a.json", MOVE("user:a", "")), old = text_file("old.json", OLD);
    try_all(look_and_put, &file, 1);
    try_all(look_and_put, &old, 1);
    try_all(import, &file, 1);
    try_all(import, &old, 1);
}

static void pets(void **state) {
    (void)state;
    const store_file file = text_file("pet.json", pet);
    try_all(look_and_put, &file, 1);
    try_all(import, &file, 1);
}

static void pictures(void **state) {
    (void)state;
    store_file file = read_example("petween/pet/idle.png", "idle.png");
    try_all(look_and_put, &file, 1);
    try_all(import, &file, 1);
    free_file(&file);
}

static void packs(void **state) {
    (void)state;
    const store_file file = text_file("pack.json", pack);
    try_all(import, &file, 1);
}

static void machines(void **state) {
    (void)state;
    static const char *const names[] = {"asms/block/owl.json", "armatures/block/owl.json", "models/block/owl.json"};
    store_file files[3];
    for (int i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "forge/owl/assets/zoetrope/%s", names[i]);
        files[i] = read_example(path, names[i]);
    }
    try_all(look_and_put, files, 3);
    for (int i = 0; i < 3; i++) { free_file(&files[i]); }
}

static void archives(void **state) {
    (void)state;
    static const char *const names[] = {"moon.ktx2", "graph_config.json", "spriteforge_mouth_config.json",
                                        "runtime_manifest.json"};
    store_file files[4];
    zip_part parts[4];
    for (int i = 0; i < 4; i++) {
        char path[128];
        snprintf(path, sizeof path, "character-pack-minimal/%s", names[i]);
        files[i] = read_example(path, names[i]);
        parts[i] = (zip_part){.name = names[i], .bytes = files[i].bytes, .size = (size_t)files[i].size};
    }
    zip_text zip = zip_of_parts(parts, 4, 0);
    const store_file file = {.name = "moon.zip", .bytes = zip.bytes, .size = zip.size};
    try_all(look_and_put, &file, 1);
    try_all(import, &file, 1);
    free(zip.bytes);
    for (int i = 0; i < 4; i++) { free_file(&files[i]); }
}

static void packages(void **state) {
    (void)state;
    char manifest[2048], name[64], hash[65];
    content_thing *thing = NULL;
    store_error error;
    store_file picture = read_example("petween/pet/idle.png", "idle.png");
    store_hash(picture.bytes, picture.size, hash);
    assert_int_equal(content_look(NULL, STORE_ASSET, &picture, 1, NULL, &thing, &error), STORE_OK);
    snprintf(manifest, sizeof manifest,
             "{\"format\":\"pet-package\",\"version\":1,\"name\":\"Mochi\",\"pet\":{\"poses\":{\"idle\":{\"assetId\":"
             "\"%.16s\"}},\"states\":{\"idle\":{\"enter\":{\"animationId\":\"user:a\"}}}},\"assets\":[{\"id\":"
             "\"%.16s\",\"sha256\":\"%s\",\"mimeType\":\"image/png\",\"width\":%u,\"height\":%u,\"sizeBytes\":%u,"
             "\"file\":\"assets/%.16s.png\"}],\"motionPack\":{\"format\":\"motion-pack\",\"version\":1,\"name\":"
             "\"Mochi\",\"namespace\":\"mixed\",\"animations\":[" MOVE("user:a", "") "]}}",
             hash, hash, hash, thing->width, thing->height, (unsigned)picture.size, hash);
    content_thing_free(thing);
    snprintf(name, sizeof name, "assets/%.16s.png", hash);
    const zip_part parts[] = {{.name = "manifest.json", .bytes = manifest, .size = strlen(manifest)},
                              {.name = name, .bytes = picture.bytes, .size = (size_t)picture.size}};
    zip_text zip = zip_of_parts(parts, 2, 0);
    const store_file file = {.name = "mochi.zip", .bytes = zip.bytes, .size = zip.size};
    try_all(import, &file, 1);
    free(zip.bytes);
    free_file(&picture);
}

static void folders(void **state) {
    (void)state;
    store_file picture = read_example("petween/pet/idle.png", "assets/idle.png");
    const store_file files[] = {text_file("a.json", MOVE("user:a", "")), text_file("pets/p.json", pet), picture,
                                text_file("old.json", OLD),
                                text_file("config.json", "{\"activePetId\":\"pet_1\",\"states\":{}}")};
    try_all(import_folder, files, 5);
    free_file(&picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(animations), cmocka_unit_test(pets),     cmocka_unit_test(pictures),
        cmocka_unit_test(packs),      cmocka_unit_test(machines), cmocka_unit_test(archives),
        cmocka_unit_test(packages),   cmocka_unit_test(folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
