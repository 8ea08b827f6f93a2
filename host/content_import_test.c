// Imports: packs, packages and lone things into libraries that hold something already.
#include "host/package.h"
#include "host/petween_pet.h"
#include "host/test_content.h"

#define TIMES "\"durationMs\":200,\"repeat\":{\"mode\":\"once\"}"
#define TRACK "{\"property\":\"transition.rotation\",\"keyframes\":[{\"at\":0,\"value\":0},{\"at\":1,\"value\":0.0}]}"
#define SWAP "\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"}]"
#define MOVE(id, more) "{\"version\":1,\"id\":\"" id "\",\"name\":\"Move\",\"kind\":\"transition\"," TIMES \
    ",\"tracks\":[" TRACK "]," SWAP more "}"
#define PACK(animations, more) "{\"format\":\"motion-pack\",\"version\":1,\"name\":\" Mine \",\"namespace\":\"user\"," \
    "\"animations\":[" animations "]" more "}"

static const content_entry *entry_at(const content_result *result, uint32_t index) {
    assert_true(index < result->entry_count);
    return &result->entries[index];
}

static void assert_entry(const content_result *result, uint32_t index, const char *requested, content_outcome outcome,
                         const char *final) {
    const content_entry *entry = entry_at(result, index);
    assert_string_equal(entry->requested_id, requested);
    assert_string_equal(content_outcome_name(entry->outcome), content_outcome_name(outcome));
    if (final == NULL) {
        assert_null(entry->final_id);
    } else {
        assert_string_equal(entry->final_id, final);
    }
}

static store_status import_files(const stage *s, const store_file *files, uint32_t count,
                                 const content_import_def *def, content_result **result) {
    static const content_import_def usual;
    store_error error;
    const store_status status = content_import(s->txn, files, count, def != NULL ? def : &usual, result, &error);
    assert_int_equal(error.status, status);
    if (status != STORE_OK) { assert_true(error.text[0] != 0); }
    return status;
}

static content_result *import_text(const stage *s, const char *text, const content_import_def *def) {
    const store_file file = text_file("given.json", text);
    content_result *result = NULL;
    if (import_files(s, &file, 1, def, &result) != STORE_OK) {
        fail_msg("refused: %s", result != NULL && zo_report_count(result->report) > 0
                                    ? zo_report_at(result->report, 0)->message : "");
    }
    return result;
}

static void assert_stored(const stage *s, store_area area, const char *id, const char *text) {
    store_file file;
    assert_int_equal(store_file_get(s->txn, area, id, NULL, &file), STORE_OK);
    assert_string_equal(file.bytes, text);
}

static uint64_t count_of(const stage *s, store_area area) {
    uint64_t count = 0;
    assert_int_equal(store_count(s->txn, &(store_filter){.area = area}, &count), STORE_OK);
    return count;
}

static void pack_into_an_empty_library(void **state) {
    (void)state;
    static const char pack[] = PACK(MOVE("user:a", ",\"x-mine\":1.50e0") "," MOVE("user:b", ""),
                                    ",\"mounts\":{\"idle\":{\"enter\":\"user:a\"}}");
    stage s;
    open_stage(&s);
    content_result *result = import_text(&s, pack, NULL);
    assert_int_equal(result->shape, CONTENT_PACK);
    assert_string_equal(result->name, "Mine");
    assert_string_equal(result->pack_namespace, "user");
    assert_int_equal(result->entry_count, 2);
    assert_entry(result, 0, "user:a", CONTENT_IMPORTED, "user:a");
    assert_true(result->entries[0].revision > 0);
    assert_string_equal(result->mounts_json, "{\"idle\":{\"enter\":\"user:a\"}}");
    assert_non_null(result->apply_patch_json);
    assert_stored(&s, STORE_ITEM, "user:a", MOVE("user:a", ",\"x-mine\":1.50e0"));
    assert_stored(&s, STORE_ITEM, result->provenance_id, pack);
    content_result_free(result);

    result = import_text(&s, pack, NULL); // once more
    assert_entry(result, 0, "user:a", CONTENT_IDENTICAL, "user:a");
    assert_entry(result, 1, "user:b", CONTENT_IDENTICAL, "user:b");
    assert_true(result->entries[1].revision > 0);
    content_result_free(result);
    assert_int_equal(count_of(&s, STORE_ITEM), 3); // the pack itself once
    store_item item;
    store_file file;
    assert_int_equal(store_get(s.txn, STORE_ITEM, "user:a", &item), STORE_OK);
    assert_string_equal(item.origin, "Mine");
    assert_string_equal(item.kind, "transition");
    assert_int_equal(store_file_get(s.txn, STORE_ITEM, "user:a", "user_a.json", &file), STORE_OK);
    close_stage(&s);
}

// What comes in a pack is the same thing as what is put by itself, down to the words that it is found by.
static void alike_however_it_comes(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_item before, after;
    store_file file;
    content_thing *thing = NULL;
    zo_program *program = NULL;
    open_stage(&s);
    content_result_free(import_text(&s, PACK(MOVE("user:a", ""), ""), NULL));
    assert_int_equal(store_get(s.txn, STORE_ITEM, "user:a", &before), STORE_OK);
    assert_int_equal(before.number_a, 200000000);
    assert_string_equal(before.name, "Move");
    assert_int_equal(store_file_get(s.txn, STORE_ITEM, "user:a", NULL, &file), STORE_OK);
    assert_int_equal(content_look(s.txn, STORE_ITEM, &file, 1, NULL, &thing, &error), STORE_OK);
    const content_put_def def = {.origin = before.origin, .expected = STORE_ANY};
    assert_int_equal(content_put(s.txn, thing, &def, &after, &error), STORE_OK);
    assert_int_equal(after.revision, before.revision);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:a", 0, NULL, &program, NULL, &error), STORE_OK);
    zo_program_free(program);
    close_stage(&s);
}

static void taken_ids(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    content_result_free(import_text(&s, MOVE("user:p", ",\"mine\":1"), NULL));
    static const char pack[] = PACK(MOVE("user:p", "") "," MOVE("user:p-2", ",\"mine\":2"),
                                    ",\"mounts\":{\"idle\":{\"enter\":\"user:p\"}}");
    content_result *result = import_text(&s, pack, &(content_import_def){.no_provenance = true});
    assert_entry(result, 0, "user:p", CONTENT_REMAPPED, "user:p-3"); // -2 is asked for by the other one
    assert_non_null(result->entries[0].reason);
    assert_entry(result, 1, "user:p-2", CONTENT_IMPORTED, "user:p-2");
    assert_string_equal(result->mounts_json, "{\"idle\":{\"enter\":\"user:p-3\"}}");
    assert_null(result->provenance_id);
    assert_stored(&s, STORE_ITEM, "user:p-3", MOVE("user:p-3", ""));
    assert_stored(&s, STORE_ITEM, "user:p", MOVE("user:p", ",\"mine\":1")); // nothing is overwritten
    content_result_free(result);
    result = import_text(&s, pack, &(content_import_def){.no_provenance = true});
    assert_entry(result, 0, "user:p", CONTENT_IDENTICAL, "user:p-3"); // known from before
    content_result_free(result);
    assert_int_equal(count_of(&s, STORE_ITEM), 3);
    close_stage(&s);
}

static void import_export_import(void **state) {
    (void)state;
    stage s;
    store_error error;
    zo_pack *pack = NULL;
    open_stage(&s);
    store_file file = read_example("petween/praxi-pack.json", NULL);
    content_result *result = NULL;
    assert_int_equal(import_files(&s, &file, 1, NULL, &result), STORE_OK);
    char ids[4096] = "";
    for (uint32_t i = 0; i < result->entry_count; i++) {
        strcat(strcat(ids, result->entries[i].final_id), ",");
    }
    const uint32_t count = result->entry_count;
    content_result_free(result);
    assert_int_equal(content_export_pack(s.txn, ids, NULL, &pack, &error), STORE_OK);
    const store_file again = {.name = "again.json", .bytes = pack->text.data, .size = pack->text.size};
    assert_int_equal(import_files(&s, &again, 1, NULL, &result), STORE_OK);
    assert_int_equal(result->entry_count, count);
    for (uint32_t i = 0; i < count; i++) { assert_int_equal(result->entries[i].outcome, CONTENT_IDENTICAL); }
    content_result_free(result);
    // Into another library it brings the same bytes.
    stage other;
    open_stage(&other);
    assert_int_equal(import_files(&other, &again, 1, NULL, &result), STORE_OK);
    for (uint32_t i = 0; i < count; i++) {
        store_file a, b;
        const char *id = result->entries[i].final_id;
        assert_int_equal(store_file_get(s.txn, STORE_ITEM, id, NULL, &a), STORE_OK);
        assert_int_equal(store_file_get(other.txn, STORE_ITEM, id, NULL, &b), STORE_OK);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.bytes, b.bytes, a.size);
    }
    content_result_free(result);
    zo_pack_free(pack);
    free_file(&file);
    close_stage(&other);
    close_stage(&s);
}

static void packs_are_refused_whole(void **state) {
    (void)state;
    static const char *const packs[] = {
        PACK(MOVE("user:a", "") "," MOVE("user:b", ",\"durationMs\":-1"), ""),
        PACK(MOVE("user:a", "") "," MOVE("builtin:jelly", ""), ""),
        PACK(MOVE("user:a", "") "," MOVE("user:0draft", ""), ""),
        PACK(MOVE("user:a", "") "," MOVE("other:b", ""), ""),
        PACK(MOVE("user:a", "") "," MOVE("user:a", ""), ""),
        PACK("", ""), PACK(MOVE("user:a", ""), ",\"mounts\":{\"idle\":{\"enter\":\"user:none\"}}"),
        MOVE("builtin:jelly", ""), MOVE("user:0draft", ""), "{\"format\":\"motion-pack\",\"version\":2}",
        "{", "[]", ""};
    stage s;
    open_stage(&s);
    for (size_t i = 0; i < sizeof packs / sizeof packs[0]; i++) {
        const store_file file = text_file("pack.json", packs[i]);
        content_result *result = NULL;
        assert_int_equal(import_files(&s, &file, 1, NULL, &result), STORE_INVALID);
        assert_non_null(result);
        assert_int_not_equal(result->status, ZO_OK);
        assert_true(zo_report_total(result->report, ZO_ERROR) > 0);
        assert_int_equal(result->entry_count, 0);
        content_result_free(result);
    }
    content_result *result = NULL;
    const store_file named = text_file("../pack.json", PACK(MOVE("user:a", ""), ""));
    assert_int_equal(import_files(&s, &named, 1, NULL, &result), STORE_INVALID);
    content_result_free(result);
    // As a pack alone, a lone animation is none.
    const store_file lone = text_file("a.json", MOVE("user:a", ""));
    const content_import_def as_pack = {.content.compile.format = "motion-pack"};
    assert_int_equal(import_files(&s, &lone, 1, &as_pack, &result), STORE_INVALID);
    content_result_free(result);
    content_result_free(NULL);
    assert_int_equal(count_of(&s, STORE_ANY_AREA), 0);
    close_stage(&s);
}

static void trying_changes_nothing(void **state) {
    (void)state;
    stage s;
    int64_t before = 0, after = 0;
    open_stage(&s);
    content_result_free(import_text(&s, MOVE("user:p", ",\"mine\":1"), NULL));
    assert_int_equal(store_revision(s.txn, &before), STORE_OK);
    commit_stage(&s, STORE_READ);
    content_result *result =
        import_text(&s, PACK(MOVE("user:p", "") "," MOVE("user:q", ""), ""), &(content_import_def){.dry_run = true});
    assert_entry(result, 0, "user:p", CONTENT_REMAPPED, "user:p-2");
    assert_entry(result, 1, "user:q", CONTENT_IMPORTED, "user:q");
    assert_int_equal(result->entries[1].revision, 0);
    assert_null(result->provenance_id);
    content_result_free(result);
    assert_int_equal(store_revision(s.txn, &after), STORE_OK);
    assert_int_equal(before, after);
    close_stage(&s);
}

// --------------------------------------------------------------------------------------------------------- lone things

static void lone_animations(void **state) {
    (void)state;
    stage s;
    content_result *result = NULL;
    open_stage(&s);
    // Its bytes are the file, white space around them too.
    static const char text[] = "\n " MOVE("user:a", ",\"n\":1.0e1") " \n";
    result = import_text(&s, text, &(content_import_def){.origin = "here"});
    assert_int_equal(result->shape, CONTENT_THING);
    assert_entry(result, 0, "user:a", CONTENT_IMPORTED, "user:a");
    assert_string_equal(result->entries[0].file, "given.json");
    assert_null(result->provenance_id);
    content_result_free(result);
    assert_stored(&s, STORE_ITEM, "user:a", text);
    result = import_text(&s, text, NULL);
    assert_entry(result, 0, "user:a", CONTENT_IDENTICAL, "user:a");
    content_result_free(result);
    static const char other[] = " " MOVE("user:a", "") "\n", renamed[] = " " MOVE("user:a-2", "") "\n";
    result = import_text(&s, other, NULL);
    assert_entry(result, 0, "user:a", CONTENT_REMAPPED, "user:a-2");
    content_result_free(result);
    assert_stored(&s, STORE_ITEM, "user:a-2", renamed);
    // As a thing it takes the place of what is there, if that is what was expected.
    const store_file file = text_file("given.json", other);
    content_import_def def = {.lone_is_thing = true, .expected = STORE_NONE};
    assert_int_equal(import_files(&s, &file, 1, &def, &result), STORE_CONFLICT);
    content_result_free(result);
    def.expected = STORE_ANY;
    result = import_text(&s, other, &def);
    assert_entry(result, 0, "user:a", CONTENT_IMPORTED, "user:a");
    content_result_free(result);
    assert_stored(&s, STORE_ITEM, "user:a", other);
    def = (content_import_def){.id = "user:b"};
    assert_int_equal(import_files(&s, &file, 1, &def, &result), STORE_INVALID);
    content_result_free(result);
    close_stage(&s);
}

static void animations_of_older_rules(void **state) {
    (void)state;
    static const char old[] =
        "{\"version\":1,\"id\":\"user:old\",\"name\":\"Old\",\"kind\":\"ambient\",\"durationMs\":2000,"
        "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":["
        "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]}," TRACK "]}";
    stage s;
    content_result *result = NULL;
    open_stage(&s);
    const store_file file = text_file("old.json", old);
    assert_int_equal(import_files(&s, &file, 1, NULL, &result), STORE_INVALID);
    content_result_free(result);
    const content_import_def def = {.content.mend = true};
    result = import_text(&s, old, &def);
    assert_entry(result, 0, "user:old", CONTENT_IMPORTED, "user:old");
    assert_true(result->entries[0].mended);
    content_result_free(result);
    assert_stored(&s, STORE_ITEM, "user:old", old); // as it is
    result = import_text(&s, old, &def);
    assert_entry(result, 0, "user:old", CONTENT_IDENTICAL, "user:old");
    content_result_free(result);
    char changed[sizeof old];
    memcpy(changed, old, sizeof old);
    strstr(changed, "2000")[0] = '3';
    result = import_text(&s, changed, &def);
    assert_entry(result, 0, "user:old", CONTENT_REMAPPED, "user:old-2");
    content_result_free(result);
    store_file stored;
    assert_int_equal(store_file_get(s.txn, STORE_ITEM, "user:old-2", NULL, &stored), STORE_OK);
    assert_non_null(strstr(stored.bytes, "transition.rotation"));
    close_stage(&s);
}

static void other_things(void **state) {
    (void)state;
    stage s;
    content_result *result = NULL;
    open_stage(&s);
    store_file rig = read_example("enemy/rig.json", "rig.json"), other = read_example("enemy/rig.json", "rig.json");
    memcpy(strchr(other.bytes, '\n'), " ", 1); // the same but for one byte
    assert_int_equal(import_files(&s, &rig, 1, NULL, &result), STORE_OK);
    assert_entry(result, 0, "rig", CONTENT_IMPORTED, "rig");
    content_result_free(result);
    assert_int_equal(import_files(&s, &rig, 1, NULL, &result), STORE_OK);
    assert_entry(result, 0, "rig", CONTENT_IDENTICAL, "rig");
    content_result_free(result);
    assert_int_equal(import_files(&s, &other, 1, NULL, &result), STORE_OK);
    assert_entry(result, 0, "rig", CONTENT_REMAPPED, "rig-2");
    content_result_free(result);
    assert_int_equal(import_files(&s, &other, 1, NULL, &result), STORE_OK);
    assert_entry(result, 0, "rig", CONTENT_IDENTICAL, "rig-2");
    content_result_free(result);
    content_import_def def = {.id = "slime-rig"};
    assert_int_equal(import_files(&s, &rig, 1, &def, &result), STORE_OK);
    assert_entry(result, 0, "rig", CONTENT_IMPORTED, "slime-rig");
    content_result_free(result);
    assert_int_equal(import_files(&s, &other, 1, &def, &result), STORE_CONFLICT);
    content_result_free(result);
    rig.name = NULL;
    assert_int_equal(import_files(&s, &rig, 1, NULL, &result), STORE_INVALID); // nothing to call it by
    content_result_free(result);

    store_file picture = read_example("petween/pet/idle.png", "idle.png");
    assert_int_equal(import_files(&s, &picture, 1, NULL, &result), STORE_OK);
    assert_int_equal(result->entries[0].area, STORE_ASSET);
    assert_int_equal(result->entries[0].outcome, CONTENT_IMPORTED);
    content_result_free(result);
    assert_int_equal(import_files(&s, &picture, 1, NULL, &result), STORE_OK);
    assert_int_equal(result->entries[0].outcome, CONTENT_IDENTICAL);
    content_result_free(result);
    free_file(&rig);
    free_file(&other);
    free_file(&picture);
    close_stage(&s);
}

static void lone_pets(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    static const char pet[] =
        "{\"id\":\"pet_a\",\"name\":\"A\",\"states\":{\"idle\":{\"enter\":{\"animationId\":\"user:a\"}}}}";
    static const char other[] = "{\"id\":\"pet_a\",\"name\":\"B\",\"states\":{\"idle\":{}}}";
    content_result *result = import_text(&s, pet, NULL);
    assert_entry(result, 0, "pet_a", CONTENT_IMPORTED, "pet_a");
    content_result_free(result);
    result = import_text(&s, pet, NULL);
    assert_entry(result, 0, "pet_a", CONTENT_IDENTICAL, "pet_a");
    content_result_free(result);
    result = import_text(&s, other, NULL);
    assert_entry(result, 0, "pet_a", CONTENT_REMAPPED, "pet_an2");
    content_result_free(result);
    assert_stored(&s, STORE_PET, "pet_an2", "{\"id\":\"pet_an2\",\"name\":\"B\",\"states\":{\"idle\":{}}}");
    result = import_text(&s, other, NULL);
    assert_entry(result, 0, "pet_a", CONTENT_IDENTICAL, "pet_an2");
    content_result_free(result);
    const store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(store_users(s.txn, STORE_ITEM, "user:a", &uses, &count), STORE_OK);
    assert_int_equal(count, 1);
    close_stage(&s);
}

// ------------------------------------------------------------------------------------------------------------ packages

typedef struct package_text { char text[4096]; } package_text;

static void write_manifest(const store_file *picture, const char *animation, package_text *manifest) {
    char hash[65];
    content_thing *thing = NULL;
    store_error error;
    store_hash(picture->bytes, picture->size, hash);
    assert_int_equal(content_look(NULL, STORE_ASSET, picture, 1, NULL, &thing, &error), STORE_OK);
    const int size = snprintf(
        manifest->text, sizeof manifest->text,
        "{\"format\":\"pet-package\",\"version\":1,\"name\":\" Mochi \",\"pet\":{\"scale\":1.50,\"x-mine\":[1.0],"
        "\"poses\":{\"idle\":{\"assetId\":\"%.16s\",\"anchor\":{\"x\":0.5,\"y\":1},\"zoom\":1}},"
        "\"states\":{\"idle\":{\"pose\":\"idle\",\"enter\":{\"preset\":\"soft\",\"animationId\":\"user:a\"}}}},"
        "\"assets\":[{\"id\":\"%.16s\",\"sha256\":\"%s\",\"mimeType\":\"image/png\",\"width\":%u,\"height\":%u,"
        "\"sizeBytes\":%u,\"file\":\"assets/%.16s.png\"}],"
        "\"motionPack\":{\"format\":\"motion-pack\",\"version\":1,\"name\":\"Mochi\",\"namespace\":\"mixed\","
        "\"animations\":[%s],\"mounts\":{\"idle\":{\"enter\":\"user:a\"}}},\"attribution\":{\"character\":\"Mochi\"}}",
        hash, hash, hash, thing->width, thing->height, (unsigned)picture->size, hash, animation);
    assert_true(size > 0 && (size_t)size < sizeof manifest->text);
    content_thing_free(thing);
}

static pet_bytes zip_of(const char *manifest, const char *name, const store_file *picture) {
    char own[64], hash[65];
    pet_bytes zip;
    store_hash(picture->bytes, picture->size, hash);
    snprintf(own, sizeof own, "assets/%.16s.png", hash);
    const pet_packed files[] = {{"manifest.json", manifest, strlen(manifest), false},
                                {name != NULL ? name : own, picture->bytes, (size_t)picture->size, true}};
    assert_true(pet_package_write(files, 2, &zip));
    return zip;
}

static void packages(void **state) {
    (void)state;
    stage s;
    content_result *result = NULL;
    package_text manifest;
    store_file picture = read_example("petween/pet/idle.png", "idle.png"), pet_file;
    open_stage(&s);
    content_result_free(import_text(&s, MOVE("user:a", ",\"mine\":1"), NULL)); // so that its own is called otherwise
    write_manifest(&picture, MOVE("user:a", ""), &manifest);
    pet_bytes zip = zip_of(manifest.text, NULL, &picture);
    const store_file file = {.name = "mochi.zip", .bytes = zip.data, .size = zip.size};
    assert_int_equal(import_files(&s, &file, 1, &(content_import_def){.id = "pet_m"}, &result), STORE_OK);
    assert_int_equal(result->shape, CONTENT_PACKAGE);
    assert_int_equal(result->entry_count, 3);
    assert_entry(result, 0, "user:a", CONTENT_REMAPPED, "user:a-2");
    assert_int_equal(result->entries[1].area, STORE_ASSET);
    assert_int_equal(result->entries[1].outcome, CONTENT_IMPORTED);
    assert_entry(result, 2, "pet_m", CONTENT_IMPORTED, "pet_m");
    assert_string_equal(result->pet_id, "pet_m");
    assert_string_equal(result->mounts_json, "{\"idle\":{\"enter\":\"user:a-2\"}}");
    assert_non_null(result->provenance_id);
    assert_int_equal(store_file_get(s.txn, STORE_PET, "pet_m", NULL, &pet_file), STORE_OK);
    const char *text = pet_file.bytes;
    assert_non_null(strstr(text, "\"scale\": 1.50")); // as it was spelled
    assert_non_null(strstr(text, "\"x-mine\": [1.0]"));
    assert_non_null(strstr(text, "\"animationId\":\"user:a-2\""));
    assert_non_null(strstr(text, "\"name\": \"Mochi\""));
    assert_non_null(strstr(text, "\"attribution\": {\"character\":\"Mochi\"}"));
    assert_non_null(strstr(text, "\"createdAt\": \"2"));
    const store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(store_uses(s.txn, STORE_PET, "pet_m", &uses, &count), STORE_OK);
    assert_int_equal(count, 2);
    content_result_free(result);
    // Once more it is another pet, of the same parts; its id is made up.
    assert_int_equal(import_files(&s, &file, 1, NULL, &result), STORE_OK);
    assert_entry(result, 0, "user:a", CONTENT_IDENTICAL, "user:a-2");
    assert_int_equal(result->entries[1].outcome, CONTENT_IDENTICAL);
    assert_true(petween_is_pet_id(result->pet_id));
    assert_string_not_equal(result->pet_id, "pet_m");
    content_result_free(result);
    assert_int_equal(count_of(&s, STORE_PET), 2);
    assert_int_equal(count_of(&s, STORE_ASSET), 1);
    assert_int_equal(count_of(&s, STORE_ITEM), 3);
    assert_int_equal(import_files(&s, &file, 1, &(content_import_def){.id = "../x"}, &result), STORE_INVALID);
    content_result_free(result);
    free(zip.data);
    free_file(&picture);
    close_stage(&s);
}

static void packages_that_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"../x.png", "/x.png", "C:/x.png", "a\\b.png", "other.png"};
    stage s;
    content_result *result = NULL;
    package_text manifest;
    store_file picture = read_example("petween/pet/idle.png", "idle.png");
    open_stage(&s);
    write_manifest(&picture, MOVE("user:a", ""), &manifest);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        pet_bytes zip = zip_of(manifest.text, names[i], &picture);
        const store_file file = {.name = "mochi.zip", .bytes = zip.data, .size = zip.size};
        assert_int_equal(import_files(&s, &file, 1, NULL, &result), STORE_INVALID);
        content_result_free(result);
        free(zip.data);
    }
    write_manifest(&picture, MOVE("user:a", ",\"durationMs\":-3"), &manifest); // one animation is faulty
    pet_bytes zip = zip_of(manifest.text, NULL, &picture);
    const store_file file = {.name = "mochi.zip", .bytes = zip.data, .size = zip.size};
    assert_int_equal(import_files(&s, &file, 1, NULL, &result), STORE_INVALID);
    assert_true(zo_report_total(result->report, ZO_ERROR) > 0);
    content_result_free(result);
    for (size_t size = 0; size < zip.size; size += 97) { // cut off anywhere
        const store_file cut = {.name = "mochi.zip", .bytes = zip.data, .size = size};
        assert_int_equal(import_files(&s, &cut, 1, NULL, &result), STORE_INVALID);
        content_result_free(result);
    }
    assert_int_equal(count_of(&s, STORE_ANY_AREA), 0);
    free(zip.data);
    free_file(&picture);
    close_stage(&s);
}

// ------------------------------------------------------------------------------------------------------- a data folder

#define PET(id, animation) "{\"id\":\"" id "\",\"name\":\"Mochi\",\"scale\":\"huge\",\"states\":{\"idle\":{\"enter\":" \
    "{\"animationId\":\"" animation "\"}}},\"x-mine\":1.0}"
#define OLD "{\"version\":1,\"id\":\"user:old\",\"name\":\"Old\",\"kind\":\"ambient\",\"durationMs\":2000," \
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":[" \
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]}," TRACK "]}"

static const content_entry *entry_of(const content_result *result, const char *file) {
    for (uint32_t i = 0; i < result->entry_count; i++) {
        if (strcmp(result->entries[i].file, file) == 0) { return &result->entries[i]; }
    }
    fail_msg("no entry of %s", file);
    return NULL;
}

static void assert_outcome(const content_result *result, const char *file, content_outcome outcome,
                           const char *final, const char *reason) {
    const content_entry *entry = entry_of(result, file);
    assert_string_equal(content_outcome_name(entry->outcome), content_outcome_name(outcome));
    if (final != NULL) { assert_string_equal(entry->final_id, final); }
    if (outcome == CONTENT_SKIPPED) { assert_null(entry->final_id); }
    if (reason == NULL) {
        assert_null(entry->reason);
    } else {
        assert_non_null(strstr(entry->reason, reason));
    }
}

static content_result *import_folder(const stage *s, const store_file *files, uint32_t count, bool dry_run) {
    store_error error;
    content_result *result = NULL;
    const content_import_def def = {.origin = "old library", .dry_run = dry_run};
    if (content_import_petween(s->txn, files, count, &def, &result, &error) != STORE_OK) {
        fail_msg("refused: %s", error.text);
    }
    return result;
}

static void data_folder(void **state) {
    (void)state;
    stage s;
    store_file picture = read_example("petween/pet/idle.png", "assets/0000000000000000.png"), stored;
    const store_file files[] = {
        text_file("config.json", "{\"version\":1,\"activePetId\":\"pet_1\",\"x\":1.0,\"interactions\":{\"click\":"
                                 "{\"animation\":\"user:a\"}}}"),
        text_file("pets/pet_1.json", PET("pet_1", "user:a")),
        text_file("pets/copy.json", PET("pet_1", "user:b")),
        picture,
        text_file("animations/user_b.json", " " MOVE("user:b", ",\"n\":1.0e0") "\n"),
        text_file("animations/user_a.json", MOVE("user:a", "")),
        text_file("animations/user_a-2.json", MOVE("user:a-2", ",\"n\":2")),
        text_file("animations/user_a.json~.json", MOVE("user:a", ",\"n\":3")),
        text_file("animations/old.json", OLD),
        text_file("animations/bad.json", MOVE("user:bad", ",\"durationMs\":-1")),
        text_file("animations/half.json", "{\"version\":1,"),
        text_file("animations/built.json", MOVE("builtin:jelly", "")),
        text_file("animations/draft.json", MOVE("user:0draft", "")),
        text_file("animations/newer.json", "{\"version\":2,\"id\":\"user:n\",\"kind\":\"ambient\",\"tracks\":[]}"),
        text_file("notes.txt", "remember"),
        text_file("package.json", "{\"name\":\"x\"}"),
        {.name = "assets/broken.png", .bytes = "\x89PNG\r\n\x1A\n", .size = 8},
        text_file("backup/config.json", "{}"),
    };
    const uint32_t count = sizeof files / sizeof files[0];
    open_stage(&s);
    content_result_free(import_text(&s, MOVE("user:a", ",\"held\":true"), NULL));
    content_result *result = import_folder(&s, files, count, true);
    assert_outcome(result, "animations/user_a.json", CONTENT_REMAPPED, "user:a-3", "holds another");
    content_result_free(result);
    assert_int_equal(count_of(&s, STORE_ANY_AREA), 1);

    result = import_folder(&s, files, count, false);
    assert_int_equal(result->entry_count, count);
    assert_outcome(result, "animations/user_a.json", CONTENT_REMAPPED, "user:a-3", "holds another");
    assert_outcome(result, "animations/user_a-2.json", CONTENT_IMPORTED, "user:a-2", NULL);
    assert_outcome(result, "animations/user_b.json", CONTENT_IMPORTED, "user:b", NULL);
    assert_outcome(result, "animations/user_a.json~.json", CONTENT_SKIPPED, NULL, "animations/user_a.json already");
    assert_outcome(result, "animations/old.json", CONTENT_IMPORTED, "user:old", NULL);
    assert_true(entry_of(result, "animations/old.json")->mended);
    assert_outcome(result, "animations/bad.json", CONTENT_SKIPPED, NULL, "duration");
    assert_outcome(result, "animations/half.json", CONTENT_SKIPPED, NULL, "");
    assert_outcome(result, "animations/built.json", CONTENT_SKIPPED, NULL, "builtin");
    assert_outcome(result, "animations/draft.json", CONTENT_SKIPPED, NULL, "0draft");
    assert_outcome(result, "animations/newer.json", CONTENT_SKIPPED, NULL, "newer");
    assert_outcome(result, "notes.txt", CONTENT_SKIPPED, NULL, "neither");
    assert_outcome(result, "package.json", CONTENT_SKIPPED, NULL, "");
    assert_outcome(result, "assets/broken.png", CONTENT_SKIPPED, NULL, "damaged");
    assert_outcome(result, "pets/copy.json", CONTENT_IMPORTED, "pet_1", NULL); // before pet_1.json by its name
    assert_outcome(result, "pets/pet_1.json", CONTENT_SKIPPED, NULL, "pets/copy.json already");
    assert_outcome(result, "backup/config.json", CONTENT_IMPORTED, "petween", NULL);
    assert_outcome(result, "config.json", CONTENT_SKIPPED, NULL, "before it");
    assert_outcome(result, "assets/0000000000000000.png", CONTENT_REMAPPED, NULL, "another id");
    content_result_free(result);
    assert_stored(&s, STORE_ITEM, "user:b", " " MOVE("user:b", ",\"n\":1.0e0") "\n");
    assert_stored(&s, STORE_ITEM, "user:a-3", MOVE("user:a-3", ""));
    assert_stored(&s, STORE_ITEM, "user:old", OLD);
    assert_stored(&s, STORE_PET, "pet_1", PET("pet_1", "user:b"));
    assert_int_equal(store_file_get(s.txn, STORE_ITEM, "user:b", "animations/user_b.json", &stored), STORE_OK);

    result = import_folder(&s, files, count, false); // once more nothing is new
    for (uint32_t i = 0; i < result->entry_count; i++) {
        const content_outcome outcome = result->entries[i].outcome;
        assert_true(outcome == CONTENT_IDENTICAL || outcome == CONTENT_SKIPPED);
    }
    content_result_free(result);
    free_file(&picture);
    close_stage(&s);
}

// What is called otherwise is so wherever it is referred to, a taken pet as well.
static void references_follow(void **state) {
    (void)state;
    stage s;
#define CONFIG(pet, animation) \
    "{\"activePetId\":\"" pet "\",\"x\":1.0,\"states\":{\"error\":{\"enter\":{\"animationId\":" \
    "\"" animation "\"}}},\"interactions\":{\"click\":{\"animation\":\"" animation "\"}}}"
    static const char config[] = CONFIG("pet_1", "user:a"), after[] = CONFIG("pet_1n2", "user:a-2");
    const store_file files[] = {text_file("config.json", config), text_file("p.json", PET("pet_1", "user:a")),
                                text_file("a.json", MOVE("user:a", ""))};
    open_stage(&s);
    content_result_free(import_text(&s, MOVE("user:a", ",\"held\":true"), NULL));
    content_result_free(import_text(&s, "{\"id\":\"pet_1\",\"name\":\"Other\",\"states\":{\"idle\":{}}}", NULL));
    content_result *result = import_folder(&s, files, 3, false);
    assert_outcome(result, "p.json", CONTENT_REMAPPED, "pet_1n2", "holds another");
    assert_stored(&s, STORE_PET, "pet_1n2", PET("pet_1n2", "user:a-2"));
    assert_stored(&s, STORE_CONFIG, "petween", after);
    content_result_free(result);
    const store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(store_users(s.txn, STORE_ITEM, "user:a-2", &uses, &count), STORE_OK);
    assert_int_equal(count, 3);
    // A configuration that is there stays.
    const store_file other = text_file("config.json", "{\"enabled\":false}");
    result = import_folder(&s, &other, 1, false);
    assert_outcome(result, "config.json", CONTENT_SKIPPED, NULL, "a configuration already");
    content_result_free(result);
    assert_stored(&s, STORE_CONFIG, "petween", after);
    close_stage(&s);
}

static void folders_that_lead_away(void **state) {
    (void)state;
    stage s;
    store_error error;
    content_result *result = NULL;
    open_stage(&s);
    const store_file files[] = {text_file("a.json", MOVE("user:a", "")), text_file("../b.json", MOVE("user:b", ""))};
    const content_import_def def = {0};
    assert_int_equal(content_import_petween(s.txn, files, 2, &def, &result, &error), STORE_INVALID);
    assert_non_null(strstr(error.text, "../b.json"));
    content_result_free(result);
    assert_int_equal(content_import_petween(s.txn, files, 0, &def, &result, &error), STORE_INVALID);
    content_result_free(result);
    assert_int_equal(count_of(&s, STORE_ANY_AREA), 0);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pack_into_an_empty_library),
        cmocka_unit_test(alike_however_it_comes),
        cmocka_unit_test(taken_ids),
        cmocka_unit_test(import_export_import),
        cmocka_unit_test(packs_are_refused_whole),
        cmocka_unit_test(trying_changes_nothing),
        cmocka_unit_test(lone_animations),
        cmocka_unit_test(animations_of_older_rules),
        cmocka_unit_test(other_things),
        cmocka_unit_test(lone_pets),
        cmocka_unit_test(packages),
        cmocka_unit_test(packages_that_are_refused),
        cmocka_unit_test(data_folder),
        cmocka_unit_test(references_follow),
        cmocka_unit_test(folders_that_lead_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
