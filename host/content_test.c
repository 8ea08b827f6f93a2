// Contents: what files are, what is put and what comes out again, reserved ids, references of petween texts, and what
// they forbid.
#include "host/test_content.h"
#include "host/test_zip.h"

static void put_animation(const stage *s, const char *id, const char *kind) {
    const store_file file = {.bytes = "{}", .size = 2};
    const store_put put = {.area = STORE_ITEM, .id = id, .format = "petween", .kind = kind, .files = &file,
                           .file_count = 1, .expected = STORE_ANY};
    assert_int_equal(store_put_item(s->txn, &put, NULL), STORE_OK);
}

static void put_pet(const stage *s, store_area area, const char *id, const char *text) {
    store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(content_petween_uses(area, text, strlen(text), &uses, &count), STORE_OK);
    const store_file file = {.bytes = text, .size = strlen(text)};
    const store_put put = {.area = area, .id = id, .files = &file, .file_count = 1, .uses = uses, .use_count = count,
                           .expected = STORE_ANY};
    assert_int_equal(store_put_item(s->txn, &put, NULL), STORE_OK);
    free(uses);
}

static void reserved_ids(void **state) {
    (void)state;
    assert_non_null(content_reserved("builtin:jelly"));
    assert_non_null(content_reserved("user:0draft"));
    assert_null(content_reserved("user:0draft-2"));
    assert_null(content_reserved("builtins:jelly"));
}

static void kinds(void **state) {
    (void)state;
    static const char last[] = "{\"kind\":\"ambient\",\"kind\":\"trans\\u0069tion\"}", none[] = "{\"kind\":\"walk\"}";
    assert_string_equal(content_kind_of(last, strlen(last)), "transition");
    assert_null(content_kind_of(none, strlen(none)));
    assert_null(content_kind_of("[]", 2));
    assert_null(content_kind_of("{\"kind\":", 8));
    assert_null(content_kind_of("{\"kind\":7}", 10));
}

static void references(void **state) {
    (void)state;
    static const char text[] =
        "{\"states\":{\"idle\":{\"enter\":{\"animationId\":\"user:a\"},\"ambient\":{\"customAnimationId\":null}},"
        "\"error\":{\"enter\":{\"animationId\":\"builtin:jelly\"},"
        "\"ambient\":{\"customAnimationId\":\"u\\u0073er:b\"}},"
        "\"other\":{\"enter\":{\"animationId\":\"user:c\"}}},\"poses\":{\"idle\":{\"assetId\":\"0123456789abcdef\"}},"
        "\"interactions\":{\"click\":{\"animation\":\"user:d\"}}}";
    store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(content_petween_uses(STORE_CONFIG, text, strlen(text), &uses, &count), STORE_OK);
    assert_int_equal(count, 4);
    assert_string_equal(uses[0].to, "user:a");
    assert_string_equal(uses[0].where, "/states/idle/enter/animationId");
    assert_string_equal(uses[0].role, "enter");
    assert_string_equal(uses[1].to, "0123456789abcdef");
    assert_int_equal(uses[1].to_area, STORE_ASSET);
    assert_string_equal(uses[2].to, "user:b");
    assert_string_equal(uses[2].role, "ambient");
    assert_string_equal(uses[3].to, "user:d");
    free(uses);
    assert_int_equal(content_petween_uses(STORE_PET, text, strlen(text), &uses, &count), STORE_OK);
    assert_int_equal(count, 3); // a pet has no click
    free(uses);
    assert_int_equal(content_petween_uses(STORE_PET, "{}", 2, &uses, &count), STORE_OK);
    assert_null(uses);
    assert_int_equal(content_petween_uses(STORE_PET, "{", 1, &uses, &count), STORE_INVALID);
    assert_null(uses);
}

static void what_is_used_stays(void **state) {
    (void)state;
    stage s;
    store_error error;
    open_stage(&s);
    put_animation(&s, "user:a", "transition");
    put_animation(&s, "user:b", "ambient");
    put_pet(&s, STORE_PET, "pet-1", "{\"states\":{\"working\":{\"enter\":{\"animationId\":\"user:a\"}}}}");
    assert_int_equal(content_kind_guard(s.txn, "user:a", "transition", &error), STORE_OK);
    assert_int_equal(content_kind_guard(s.txn, "user:b", "transition", &error), STORE_OK); // nobody uses it
    assert_int_equal(content_kind_guard(s.txn, "user:none", "transition", &error), STORE_OK);
    assert_int_equal(content_kind_guard(s.txn, "user:a", "ambient", &error), STORE_IN_USE);
    assert_int_equal(error.use_count, 1);
    assert_string_equal(error.uses[0].from, "pet-1");
    assert_int_equal(error.uses[0].from_area, STORE_PET);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:a", STORE_ANY, &error), STORE_IN_USE);
    assert_string_equal(error.uses[0].where, "/states/working/enter/animationId");
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:b", STORE_ANY, &error), STORE_OK);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:b", STORE_ANY, &error), STORE_NOT_FOUND);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "builtin:jelly", STORE_ANY, &error), STORE_INVALID);
    assert_int_equal(content_delete(s.txn, STORE_PET, "pet-1", STORE_ANY, &error), STORE_OK);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:a", STORE_ANY, &error), STORE_OK);
    close_stage(&s);
}

static const char soft[] = "{ \"version\":1,\"id\":\"user:soft\",\"kind\":\"transition\",\"name\":\"Soft\","
                           "\"x-mine\":1.50,\"durationMs\":1e2}";

static void packs_of_what_is_stored(void **state) {
    (void)state;
    stage s;
    store_error error;
    zo_pack *pack = NULL;
    open_stage(&s);
    const store_file file = {.bytes = soft, .size = sizeof soft - 1};
    const store_put put = {.area = STORE_ITEM, .id = "user:soft", .format = "petween", .files = &file, .file_count = 1,
                           .expected = STORE_ANY};
    assert_int_equal(store_put_item(s.txn, &put, NULL), STORE_OK);
    assert_int_equal(content_export_pack(s.txn, " user:soft ,,\xC2\xA0user:soft", NULL, &pack, &error), STORE_OK);
    assert_int_equal(pack->id_count, 1);
    assert_string_equal(pack->pack_namespace, "user");
    assert_non_null(strstr(pack->text.data, "\"x-mine\":1.50,\"durationMs\":1e2}")); // byte for byte
    zo_pack_free(pack);
    assert_int_equal(content_export_pack(s.txn, "user:soft,user:none,../x", "Mine", &pack, &error), STORE_INVALID);
    assert_int_equal(pack->unknown_count, 2);
    assert_string_equal(pack->unknown[0], "user:none");
    assert_string_equal(pack->unknown[1], "../x");
    zo_pack_free(pack);
    assert_int_equal(content_export_pack(s.txn, " , ", NULL, &pack, &error), STORE_INVALID);
    assert_int_equal(pack->unknown_count, 0);
    zo_pack_free(pack);
    close_stage(&s);
}

// ------------------------------------------------------------------------------------------------------------- looking

static const char wave[] =
    "{\"version\":1,\"id\":\"user:wave\",\"name\":\"Wave\",\"kind\":\"transition\",\"durationMs\":200,\"x-mine\":1.50,"
    "\"repeat\":{\"mode\":\"once\"},\"tracks\":[{\"property\":\"transition.rotation\",\"keyframes\":["
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0.0}]}],\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"}]}";
static const char sway[] =
    "{\"version\":1,\"id\":\"user:wave\",\"name\":\"Sway\",\"kind\":\"ambient\",\"durationMs\":2000,"
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":["
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]}]}";
// Of rules before 27 August 2026: an ambient with a track of the transition layer.
static const char old[] =
    "{\"version\":1,\"id\":\"user:old\",\"name\":\"Old\",\"kind\":\"ambient\",\"durationMs\":2000,"
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":["
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]},{\"property\":\"transition.x\",\"keyframes\":["
    "{\"at\":0,\"value\":0},{\"at\":1,\"value\":0}]}]}";

static content_thing *look_at(const stage *s, store_area area, const store_file *files, uint32_t count,
                              const content_def *def) {
    store_error error;
    content_thing *thing = NULL;
    if (content_look(s != NULL ? s->txn : NULL, area, files, count, def, &thing, &error) != STORE_OK) {
        fail_msg("%s", error.text);
    }
    return thing;
}

static void animations(void **state) {
    (void)state;
    const store_file file = text_file(NULL, wave), named = text_file("moves/wave.json", wave);
    content_thing *thing = look_at(NULL, STORE_ANY_AREA, &file, 1, NULL);
    assert_int_equal(thing->shape, CONTENT_THING);
    assert_int_equal(thing->area, STORE_ITEM);
    assert_int_equal(thing->status, ZO_OK);
    assert_string_equal(thing->format, "petween");
    assert_string_equal(thing->kind, "transition");
    assert_string_equal(thing->name, "Wave");
    assert_string_equal(thing->id, "user:wave");
    assert_true(thing->id_is_its_own);
    assert_int_equal(thing->duration_ns, 200000000);
    assert_int_equal(thing->file_count, 1);
    assert_int_equal(thing->use_count, 0);
    assert_non_null(thing->program);
    content_thing_free(thing);
    thing = look_at(NULL, STORE_ITEM, &named, 1, NULL);
    assert_non_null(strstr(thing->text, "moves/wave.json"));
    assert_ptr_equal(thing->files[0].bytes, wave);
    content_thing_free(thing);
    content_thing_free(NULL);
}

static void errors_are_told(void **state) {
    (void)state;
    static const char *const texts[] = {"", "{", "{}", "{\"version\":1,\"id\":\"user:x\",\"kind\":\"ambient\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const store_file file = text_file("x.json", texts[i]);
        content_thing *thing = look_at(NULL, STORE_ANY_AREA, &file, 1, &(content_def){.compile.format = "petween"});
        assert_int_not_equal(thing->status, ZO_OK);
        assert_true(zo_report_total(thing->report, ZO_ERROR) > 0);
        assert_null(thing->program);
        if (i == 3) {
            assert_string_equal(thing->id, "user:x"); // though it is no animation, it says whose it wants to be
            assert_string_equal(thing->kind, "ambient");
        }
        content_thing_free(thing);
    }
}

static void names_that_lead_away(void **state) {
    (void)state;
    static const char *const names[] = {"/etc/passwd", "../x.json", "a/../../x", "a/./b", "a//b", "a/", "C:x.json",
                                        "C:\\x", "a\\b", "a\nb", ".", "..", "a:b", ""};
    store_error error;
    content_thing *thing = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const store_file files[] = {text_file("wave.json", wave), text_file(names[i], "{}")};
        assert_int_equal(content_look(NULL, STORE_ANY_AREA, files, 2, NULL, &thing, &error), STORE_INVALID);
        assert_null(thing);
        if (strpbrk(names[i], "\n") == NULL) { assert_non_null(strstr(error.text, names[i])); }
        assert_null(strchr(error.text, '\n'));
    }
    char *long_name = malloc(STORE_NAME_MAX + 2);
    assert_non_null(long_name);
    memset(long_name, 'a', STORE_NAME_MAX + 1);
    long_name[STORE_NAME_MAX + 1] = 0;
    const store_file file = text_file(long_name, wave);
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, &file, 1, NULL, &thing, &error), STORE_INVALID);
    free(long_name);
}

static void files_that_are_none(void **state) {
    (void)state;
    store_error error;
    content_thing *thing = NULL;
    const store_file twice[] = {text_file("a.json", wave), text_file("a.json", "{}")};
    const store_file empty = {.name = "a.json", .size = 5};
    const store_file huge = {.name = "a", .bytes = "", .size = STORE_FILE_MAX + 1};
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, twice, 2, NULL, &thing, &error), STORE_INVALID);
    assert_non_null(strstr(error.text, "'a.json'"));
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, twice, 0, NULL, &thing, &error), STORE_INVALID);
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, &empty, 1, NULL, &thing, &error), STORE_INVALID);
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, &huge, 1, NULL, &thing, &error), STORE_LIMIT);
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, twice, STORE_FILES_MAX + 1, NULL, &thing, &error), STORE_LIMIT);
    assert_null(thing);
}

static void pictures(void **state) {
    (void)state;
    store_error error;
    content_thing *other = NULL;
    store_file file = read_example("petween/pet/idle.png", "poses/idle.png");
    content_thing *thing = look_at(NULL, STORE_ANY_AREA, &file, 1, NULL);
    char hash[65];
    store_hash(file.bytes, file.size, hash);
    assert_int_equal(thing->area, STORE_ASSET);
    assert_string_equal(thing->kind, "image/png");
    assert_string_equal(thing->name, "idle.png");
    assert_memory_equal(thing->id, hash, 16);
    assert_int_equal(strlen(thing->id), 16);
    assert_true(thing->width > 0 && thing->height > 0);
    assert_null(thing->program);
    content_thing_free(thing);
    assert_int_equal(content_look(NULL, STORE_ITEM, &file, 1, NULL, &other, &error), STORE_INVALID);
    store_file cut = file;
    cut.size = 20;
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, &cut, 1, NULL, &other, &error), STORE_INVALID);
    assert_non_null(strstr(error.text, "poses/idle.png"));
    const store_file text = text_file("x.png", wave);
    assert_int_equal(content_look(NULL, STORE_ASSET, &text, 1, NULL, &other, &error), STORE_INVALID);
    assert_null(other);
    free_file(&file);
}

static void older_rules(void **state) {
    (void)state;
    const store_file file = text_file("old.json", old);
    content_thing *thing = look_at(NULL, STORE_ITEM, &file, 1, NULL);
    assert_int_equal(thing->status, ZO_INVALID);
    assert_false(thing->mended);
    content_thing_free(thing);
    thing = look_at(NULL, STORE_ITEM, &file, 1, &(content_def){.mend = true});
    assert_int_equal(thing->status, ZO_OK);
    assert_true(thing->mended);
    assert_ptr_equal(thing->files[0].bytes, old); // it is stored as it is
    content_thing_free(thing);
    // What mending does not help is told as it stands.
    const store_file faulty =
        text_file("x.json", "{\"version\":1,\"id\":\"user:x\",\"name\":\"X\",\"kind\":\"ambient\"}");
    thing = look_at(NULL, STORE_ITEM, &faulty, 1, &(content_def){.mend = true, .compile.format = "petween"});
    assert_int_equal(thing->status, ZO_INVALID);
    assert_false(thing->mended);
    content_thing_free(thing);
}

// --------------------------------------------------------------------------------------------- things of several files

enum { OWL_FILES = 5 };
static const char *const owl_paths[OWL_FILES] = {
    "assets/zoetrope/asms/block/owl.json", "assets/zoetrope/armatures/block/owl.json",
    "assets/zoetrope/models/block/owl.json", "assets/zoetrope/textures/block/owl.png",
    "assets/zoetrope/textures/block/owl_stump.png"};

static void read_owl(store_file files[OWL_FILES]) {
    for (int i = 0; i < OWL_FILES; i++) {
        char path[256];
        snprintf(path, sizeof path, "forge/owl/%s", owl_paths[i]);
        files[i] = read_example(path, owl_paths[i]);
    }
}

static void free_files(store_file *files, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) { free_file(&files[i]); }
}

static const char *image_at(const zo_program *program, uint32_t cel) {
    zo_cel_info info;
    assert_true(zo_cel_get(program, (zo_cel){cel}, &info));
    return info.image;
}

static void machine_with_all_its_files(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_file files[OWL_FILES], picture;
    store_item item;
    zo_program *program = NULL;
    open_stage(&s);
    read_owl(files);
    content_thing *thing = look_at(&s, STORE_ANY_AREA, files, OWL_FILES, NULL);
    assert_int_equal(thing->status, ZO_OK);
    assert_string_equal(thing->kind, "machine");
    assert_string_equal(thing->id, "assets.zoetrope.asms.block.owl");
    assert_false(thing->id_is_its_own);
    assert_int_equal(thing->use_count, 0); // all that it needs is its own
    const content_put_def put = {.id = "owl", .expected = STORE_NONE, .origin = "examples"};
    assert_int_equal(content_put(s.txn, thing, &put, &item, &error), STORE_OK);
    assert_int_equal(item.file_count, OWL_FILES);
    size_t size = 0, size_again = 0;
    const void *blob = zo_program_blob(thing->program, &size);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "owl", 0, NULL, &program, NULL, &error), STORE_OK);
    const void *again = zo_program_blob(program, &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(blob, again, size);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "owl", image_at(program, 1), &picture, &error), STORE_OK);
    assert_memory_equal(picture.bytes, "\x89PNG", 4);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "owl", "none", &picture, &error), STORE_NOT_FOUND);
    zo_program_free(program);
    content_thing_free(thing);
    free_files(files, OWL_FILES);
    close_stage(&s);
}

static void put_file(const stage *s, const store_file *file) {
    store_error error;
    content_thing *thing = look_at(s, STORE_ANY_AREA, file, 1, NULL);
    if (content_put(s->txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error) != STORE_OK) {
        fail_msg("%s: %s", file->name, error.text);
    }
    content_thing_free(thing);
}

static void machine_of_things_in_the_library(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_file files[OWL_FILES], picture;
    content_thing *thing;
    zo_program *program = NULL;
    open_stage(&s);
    read_owl(files);
    thing = look_at(&s, STORE_ITEM, files, 1, NULL);
    assert_int_equal(thing->use_count, 0); // nothing is beside it yet
    assert_true(zo_report_total(thing->report, ZO_WARNING) > 0);
    content_thing_free(thing);
    for (int i = OWL_FILES - 1; i > 0; i--) { put_file(&s, &files[i]); }
    thing = look_at(&s, STORE_ITEM, files, 1, &(content_def){.lone = true});
    assert_int_equal(thing->use_count, 0); // what is beside it does not count
    assert_true(zo_report_total(thing->report, ZO_WARNING) > 0);
    content_thing_free(thing);
    thing = look_at(&s, STORE_ITEM, files, 1, NULL);
    assert_int_equal(thing->status, ZO_OK);
    assert_int_equal(thing->use_count, 4);
    assert_int_equal(zo_report_total(thing->report, ZO_WARNING), 0);
    put_file(&s, &files[0]);
    content_thing_free(thing);
    commit_stage(&s, STORE_READ);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "assets.zoetrope.asms.block.owl", 0, NULL, &program, NULL,
                                     &error), STORE_OK);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "assets.zoetrope.asms.block.owl", image_at(program, 1),
                                     &picture, &error), STORE_OK);
    assert_memory_equal(picture.bytes, "\x89PNG", 4);
    zo_program_free(program);
    store_rollback(s.txn);
    begin_stage(&s, STORE_WRITE);
    // What the machine needs cannot go.
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "assets.zoetrope.armatures.block.owl", STORE_ANY, &error),
                     STORE_IN_USE);
    assert_string_equal(error.uses[0].from, "assets.zoetrope.asms.block.owl");
    free_files(files, OWL_FILES);
    close_stage(&s);
}

// A change to what is used makes another program, though the machine itself is what it was.
static void programs_follow_what_they_use(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_file files[OWL_FILES];
    zo_program *before = NULL, *after = NULL;
    open_stage(&s);
    read_owl(files);
    for (int i = OWL_FILES - 1; i >= 0; i--) { put_file(&s, &files[i]); }
    assert_int_equal(content_program(s.txn, STORE_ITEM, "assets.zoetrope.asms.block.owl", 0, NULL, &before, NULL,
                                     &error), STORE_OK);
    char *text = (char *)(uintptr_t)files[2].bytes, *from = strstr(text, "\"from\"");
    assert_non_null(from);
    char *digit = strpbrk(from, "123456789");
    assert_non_null(digit);
    *digit = *digit == '9' ? '8' : (char)(*digit + 1);
    put_file(&s, &files[2]);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "assets.zoetrope.asms.block.owl", 0, NULL, &after, NULL,
                                     &error), STORE_OK);
    assert_true(zo_program_hash(before) != zo_program_hash(after));
    zo_program_free(before);
    zo_program_free(after);
    free_files(files, OWL_FILES);
    close_stage(&s);
}

static void character_in_a_folder(void **state) {
    (void)state;
    static const char *const names[] = {"charpack/vesper/graph_config.json", "charpack/vesper/runtime_manifest.json",
                                        "charpack/vesper/spriteforge_mouth_config.json"};
    store_file files[3];
    for (int i = 0; i < 3; i++) { files[i] = read_example(names[i], NULL); }
    content_thing *thing = look_at(NULL, STORE_ANY_AREA, files, 3, NULL);
    assert_string_equal(thing->format, "character-pack-v1/runtime_manifest");
    assert_string_equal(thing->kind, "character");
    assert_string_equal(thing->files[0].name, "charpack/vesper/runtime_manifest.json"); // the one that it is about
    assert_string_equal(thing->files[1].name, "charpack/vesper/graph_config.json");
    assert_string_equal(thing->id, "vesper");
    assert_int_not_equal(thing->status, ZO_OK); // its textures are not there
    content_thing_free(thing);
    free_files(files, 3);
}

enum { MOON_FILES = 4 };

static void read_moon(zip_part parts[MOON_FILES], store_file files[MOON_FILES]) {
    static const char *const names[MOON_FILES] = {"moon/moon.ktx2", "moon/graph_config.json",
                                                  "moon/spriteforge_mouth_config.json", "moon/runtime_manifest.json"};
    for (int i = 0; i < MOON_FILES; i++) {
        char path[128];
        snprintf(path, sizeof path, "character-pack-minimal/%s", names[i] + 5);
        files[i] = read_example(path, names[i]);
        parts[i] = (zip_part){.name = names[i], .bytes = files[i].bytes, .size = (size_t)files[i].size};
    }
}

static void character_in_an_archive(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_item item;
    store_file files[MOON_FILES], picture;
    zip_part parts[MOON_FILES + 1] = {{.name = "moon/", .mode = 0040755}};
    zo_program *program = NULL;
    open_stage(&s);
    read_moon(parts + 1, files);
    zip_text zip = zip_of_parts(parts, MOON_FILES + 1, 0);
    const store_file file = {.name = "moon.zip", .bytes = zip.bytes, .size = zip.size};
    content_thing *thing = look_at(&s, STORE_ANY_AREA, &file, 1, NULL);
    assert_int_equal(thing->status, ZO_OK);
    assert_int_equal(thing->shape, CONTENT_THING);
    assert_string_equal(thing->kind, "character");
    assert_int_equal(thing->file_count, MOON_FILES);
    assert_string_equal(thing->files[0].name, "moon/runtime_manifest.json");
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_NONE}, &item, &error), STORE_OK);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_ITEM, item.id, 0, NULL, &program, NULL, &error), STORE_OK);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, item.id, image_at(program, 1), &picture, &error), STORE_OK);
    assert_int_equal(picture.size, files[0].size);
    zo_program_free(program);
    free(zip.bytes);
    free_files(files, MOON_FILES);
    close_stage(&s);
}

static void assert_archive_refused(const zip_part *parts, uint32_t count, uint32_t claimed, const char *word) {
    store_error error;
    content_thing *thing = NULL;
    zip_text zip = zip_of_parts(parts, count, claimed);
    const store_file file = {.name = "x.zip", .bytes = zip.bytes, .size = zip.size};
    assert_int_equal(content_look(NULL, STORE_ANY_AREA, &file, 1, NULL, &thing, &error), STORE_INVALID);
    assert_null(thing);
    if (strstr(error.text, word) == NULL) { fail_msg("'%s' is not in: %s", word, error.text); }
    free(zip.bytes);
}

static void archives_that_do_harm(void **state) {
    (void)state;
    store_file files[MOON_FILES];
    zip_part parts[MOON_FILES + 1] = {{0}};
    static const char *const names[] = {"../x", "/x", "C:/x", "a\\..\\x", "moon/../../x", "./x", "a//x", "a\tx", ""};
    read_moon(parts, files);
    zip_part *more = &parts[MOON_FILES];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *more = (zip_part){.name = names[i], .bytes = "x", .size = 1};
        assert_archive_refused(parts, MOON_FILES + 1, 0, strchr(names[i], '\t') == NULL ? names[i] : "control");
        assert_archive_refused(more, 1, 0, "cannot be the name"); // a pet package is looked at in the same way
    }
    *more = (zip_part){.name = "a\0/../x", .name_size = 7, .bytes = "x", .size = 1};
    assert_archive_refused(parts, MOON_FILES + 1, 0, "zero byte");
    *more = (zip_part){.name = "moon/link", .bytes = "/etc", .size = 4, .mode = 0120777};
    assert_archive_refused(parts, MOON_FILES + 1, 0, "'moon/link' in the archive is a link");
    *more = (zip_part){.name = "moon/x", .bytes = "x", .size = 1, .flags = 1};
    assert_archive_refused(parts, MOON_FILES + 1, 0, "encrypted");
    *more = (zip_part){.name = "moon/x", .bytes = "x", .size = 1, .method = 95};
    assert_archive_refused(parts, MOON_FILES + 1, 0, "packed");
    *more = (zip_part){.name = "moon/x", .bytes = "x", .size = 1, .method = 8, .claimed = 0xFFFFFFFE};
    assert_archive_refused(parts, MOON_FILES + 1, 0, "claims more than 256 MiB with 'moon/x'");
    *more = (zip_part){.name = "moon/x", .bytes = "\3\0", .size = 2, .method = 8, .claimed = 1000}; // no such bytes
    assert_archive_refused(parts, MOON_FILES + 1, 0, "moon/x");
    *more = (zip_part){.name = "moon/moon.ktx2", .bytes = "x", .size = 1};
    assert_archive_refused(parts, MOON_FILES + 1, 0, "two files are called 'moon/moon.ktx2'");
    assert_archive_refused(parts, 1, 65535, "claims 65535 files");
    free_files(files, MOON_FILES);
}

static void pet_with_its_animations(void **state) {
    (void)state;
    stage s;
    store_error error;
    zo_program *program = NULL;
    zo_report *report = NULL;
    static const char pet[] =
        "{\"id\":\"pet_1\",\"name\":\"Mochi\",\"scale\":1,\"poses\":{\"idle\":{\"assetId\":\"0123456789abcdef\"}},"
        "\"states\":{\"idle\":{\"enter\":{\"animationId\":\"user:wave\"}}}}";
    const store_file file = text_file(NULL, pet), animation = text_file(NULL, wave);
    open_stage(&s);
    put_file(&s, &animation);
    content_thing *thing = look_at(&s, STORE_ANY_AREA, &file, 1, NULL);
    assert_int_equal(thing->area, STORE_PET);
    assert_string_equal(thing->id, "pet_1");
    assert_string_equal(thing->name, "Mochi");
    assert_int_equal(thing->use_count, 2);
    assert_int_equal(thing->status, ZO_OK);
    assert_true(zo_clip_find(thing->program, "user:wave").id != 0);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_NONE}, NULL, &error), STORE_OK);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_PET, "pet_1", 0, NULL, &program, &report, &error), STORE_OK);
    assert_true(zo_clip_find(program, "user:wave").id != 0);
    assert_null(report); // it was in the cache
    zo_program_free(program);
    // With another setting it is made, and told about.
    assert_int_equal(content_program(s.txn, STORE_PET, "pet_1", 0,
                                     &(content_def){.compile.profile = ZO_PROFILE_ORIGINAL}, &program, &report, &error),
                     STORE_OK);
    assert_non_null(report);
    assert_int_equal(zo_program_profile(program), ZO_PROFILE_ORIGINAL);
    zo_report_free(report);
    zo_program_free(program);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:wave", STORE_ANY, &error), STORE_IN_USE);
    close_stage(&s);
}

// ------------------------------------------------------------------------------------------------------------- putting

static void read_examples(store_file *files, const char *const *paths, uint32_t count, size_t cut) {
    for (uint32_t i = 0; i < count; i++) { files[i] = read_example(paths[i], paths[i] + cut); }
}

static void set_with_its_rig(void **state) {
    (void)state;
    enum { FILES = 5 };
    static const char *const paths[FILES] = {"enemy/idle.json", "enemy/hop.json", "enemy/rig.json",
                                             "enemy/sprites.json", "enemy/sprites.png"};
    stage s;
    store_error error;
    store_file files[FILES], picture;
    store_item item;
    zo_program *program = NULL;
    open_stage(&s);
    read_examples(files, paths, FILES, strlen("enemy/"));
    content_thing *thing = look_at(&s, STORE_ANY_AREA, files, FILES, NULL);
    assert_string_equal(thing->format, "enemy-animation");
    assert_string_equal(thing->kind, "clip");
    assert_string_equal(thing->id, "idle");
    assert_int_equal(thing->status, ZO_OK);
    assert_int_equal(zo_clip_count(thing->program), 2); // both clips of the set
    const content_put_def put = {.id = "slime", .expected = STORE_NONE};
    assert_int_equal(content_put(s.txn, thing, &put, &item, &error), STORE_OK);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "slime", 0, NULL, &program, NULL, &error), STORE_OK);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "slime", image_at(program, 1), &picture, &error), STORE_OK);
    assert_memory_equal(picture.bytes, "\x89PNG", 4);
    zo_program_free(program);
    free_files(files, FILES);
    close_stage(&s);
}

// The rig brings its own atlas, so that who uses the rig has that as well.
static void clip_with_a_rig_of_the_library(void **state) {
    (void)state;
    enum { FILES = 4 };
    static const char *const paths[FILES] = {"enemy/rig.json", "enemy/sprites.json", "enemy/sprites.png",
                                             "enemy/idle.json"};
    stage s;
    store_error error;
    store_file files[FILES], picture;
    zo_program *program = NULL;
    open_stage(&s);
    read_examples(files, paths, FILES, strlen("enemy/"));
    content_thing *thing = look_at(&s, STORE_ANY_AREA, files, 3, NULL);
    assert_string_equal(thing->kind, "rig");
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_NONE}, NULL, &error), STORE_OK);
    content_thing_free(thing);
    thing = look_at(&s, STORE_ANY_AREA, &files[3], 1, NULL);
    assert_int_equal(thing->status, ZO_OK);
    assert_int_equal(thing->use_count, 1);
    assert_string_equal(thing->uses[0].to, "rig");
    assert_string_equal(thing->uses[0].where, "rig.json");
    assert_true(thing->uses[0].needed);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_NONE}, NULL, &error), STORE_OK);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "idle", 0, NULL, &program, NULL, &error), STORE_OK);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "idle", image_at(program, 1), &picture, &error), STORE_OK);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "rig", STORE_ANY, &error), STORE_IN_USE);
    zo_program_free(program);
    free_files(files, FILES);
    close_stage(&s);
}

static void pet_in_a_folder(void **state) {
    (void)state;
    enum { FILES = 3 };
    static const char wave_path[] = "animations/user_wave.json";
    static const char pet[] =
        "{\"states\":{\"idle\":{\"enter\":{\"animationId\":\"user:wave\"}}},\"poses\":{\"idle\":{}}}";
    stage s;
    store_error error;
    store_file picture;
    zo_program *program = NULL;
    open_stage(&s);
    store_file files[FILES] = {text_file("pet.json", pet), text_file(wave_path, wave),
                               read_example("petween/pet/idle.png", "idle.png")};
    content_thing *thing = look_at(&s, STORE_ANY_AREA, files, FILES, NULL);
    assert_int_equal(thing->area, STORE_ITEM); // a configuration without an id is no pet of petween's
    assert_string_equal(thing->kind, "pet");
    assert_int_equal(thing->use_count, 0);
    assert_true(zo_clip_find(thing->program, "user:wave").id != 0);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_NONE}, NULL, &error), STORE_OK);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "pet", 0, NULL, &program, NULL, &error), STORE_OK);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "pet", "idle", &picture, &error), STORE_OK);
    assert_int_equal(picture.size, files[2].size);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "pet", "working", &picture, &error), STORE_NOT_FOUND);
    assert_int_equal(content_picture(s.txn, STORE_ITEM, "pet", "../idle", &picture, &error), STORE_NOT_FOUND);
    zo_program_free(program);
    free_file(&files[2]);
    close_stage(&s);
}

static void pictures_of_pets(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_file file = read_example("petween/pet/idle.png", NULL), picture;
    char hash[65], pet[256];
    open_stage(&s);
    put_file(&s, &file);
    store_hash(file.bytes, file.size, hash);
    snprintf(pet, sizeof pet,
             "{\"poses\":{\"idle\":{\"assetId\":\"%.16s\"},\"error\":{\"assetId\":\"0000000000000000\"}}}", hash);
    put_pet(&s, STORE_PET, "pet_1", pet);
    assert_int_equal(content_picture(s.txn, STORE_PET, "pet_1", "idle", &picture, &error), STORE_OK);
    assert_int_equal(picture.size, file.size);
    assert_int_equal(content_picture(s.txn, STORE_PET, "pet_1", "error", &picture, &error), STORE_NOT_FOUND);
    assert_int_equal(content_picture(s.txn, STORE_PET, "pet_2", "idle", &picture, &error), STORE_NOT_FOUND);
    hash[16] = 0;
    assert_int_equal(content_picture(s.txn, STORE_ASSET, hash, "", &picture, &error), STORE_OK);
    zo_program *program = NULL;
    assert_int_equal(content_program(s.txn, STORE_ASSET, hash, 0, NULL, &program, NULL, &error), STORE_INVALID);
    free_file(&file);
    close_stage(&s);
}

static void what_may_be_put(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_item item;
    open_stage(&s);
    const store_file file = text_file("wave.json", wave);
    const store_file faulty = text_file("x.json", "{\"version\":1,\"id\":\"user:x\"}");
    content_thing *thing = look_at(&s, STORE_ITEM, &file, 1, NULL);
    content_put_def def = {.id = "user:other", .expected = STORE_ANY};
    assert_int_equal(content_put(s.txn, thing, &def, &item, &error), STORE_INVALID);
    assert_non_null(strstr(error.text, "user:wave"));
    def = (content_put_def){.expected = 7};
    assert_int_equal(content_put(s.txn, thing, &def, &item, &error), STORE_CONFLICT);
    def.expected = STORE_NONE;
    assert_int_equal(content_put(s.txn, thing, &def, &item, &error), STORE_OK);
    assert_string_equal(item.id, "user:wave");
    assert_string_equal(item.kind, "transition");
    assert_int_equal(item.number_a, 200000000);
    assert_int_equal(content_put(s.txn, thing, &def, &item, &error), STORE_CONFLICT);
    assert_true(error.revision > 0);
    content_thing_free(thing);

    thing = look_at(&s, STORE_ITEM, &faulty, 1, &(content_def){.compile.format = "petween"});
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error), STORE_INVALID);
    content_thing_free(thing);

    // An animation of another kind cannot take the place of one that is used.
    const store_file ambient = text_file("wave.json", sway);
    put_pet(&s, STORE_PET, "pet-1", "{\"states\":{\"working\":{\"enter\":{\"animationId\":\"user:wave\"}}}}");
    thing = look_at(&s, STORE_ITEM, &ambient, 1, NULL);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error), STORE_IN_USE);
    assert_string_equal(error.uses[0].from, "pet-1");
    assert_int_equal(content_delete(s.txn, STORE_PET, "pet-1", STORE_ANY, &error), STORE_OK);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, &item, &error), STORE_OK);
    assert_string_equal(item.kind, "ambient");
    content_thing_free(thing);
    close_stage(&s);
}

static void reserved_ids_are_not_put(void **state) {
    (void)state;
    static const char *const ids[] = {"builtin:wave", "user:0draft"};
    stage s;
    store_error error;
    open_stage(&s);
    for (int i = 0; i < 2; i++) {
        char text[sizeof wave + 32];
        const char *at = strstr(wave, "user:wave");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - wave), wave, ids[i], at + strlen("user:wave"));
        const store_file file = text_file(NULL, text);
        content_thing *thing = look_at(&s, STORE_ITEM, &file, 1, NULL);
        assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error),
                         STORE_INVALID);
        content_thing_free(thing);
    }
    uint64_t count = 1;
    assert_int_equal(store_count(s.txn, &(store_filter){0}, &count), STORE_OK);
    assert_int_equal(count, 0);
    close_stage(&s);
}

static void packs_are_not_put(void **state) {
    (void)state;
    stage s;
    store_error error;
    open_stage(&s);
    store_file file = read_example("petween/praxi-pack.json", NULL);
    content_thing *thing = look_at(&s, STORE_ANY_AREA, &file, 1, NULL);
    assert_int_equal(thing->shape, CONTENT_PACK);
    assert_string_equal(thing->kind, "pack");
    assert_string_equal(thing->name, "Praxi's motions");
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error), STORE_INVALID);
    content_thing_free(thing);
    const store_file unnamed = text_file(NULL, "{\"scale\":1,\"states\":{\"idle\":{}}}");
    thing = look_at(&s, STORE_ITEM, &unnamed, 1, NULL);
    assert_null(thing->id);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error), STORE_INVALID);
    content_thing_free(thing);
    free_file(&file);
    close_stage(&s);
}

// ---------------------------------------------------------------------------------------------------- programs, checks

static void programs_of_the_past(void **state) {
    (void)state;
    stage s;
    store_error error;
    store_item first, second;
    zo_program *program = NULL;
    zo_report *report = NULL;
    zo_clip_info clip;
    open_stage(&s);
    const store_file a = text_file(NULL, wave), b = text_file(NULL, sway);
    content_thing *thing = look_at(&s, STORE_ITEM, &a, 1, NULL);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, &first, &error), STORE_OK);
    content_thing_free(thing);
    thing = look_at(&s, STORE_ITEM, &b, 1, NULL);
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, &second, &error), STORE_OK);
    content_thing_free(thing);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:wave", first.revision, NULL, &program, &report, &error),
                     STORE_OK);
    assert_true(zo_clip_get(program, (zo_clip){1}, &clip));
    assert_string_equal(clip.kind, "transition");
    zo_program_free(program);
    zo_report_free(report);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:wave", second.revision, NULL, &program, NULL, &error),
                     STORE_OK);
    assert_true(zo_clip_get(program, (zo_clip){1}, &clip));
    assert_string_equal(clip.kind, "ambient");
    zo_program_free(program);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:wave", 999, NULL, &program, NULL, &error),
                     STORE_NOT_FOUND);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:none", 0, NULL, &program, NULL, &error),
                     STORE_NOT_FOUND);
    assert_null(program);
    // What was deleted had a program until then.
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:wave", STORE_ANY, &error), STORE_OK);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:wave", first.revision, NULL, &program, NULL, &error),
                     STORE_OK);
    zo_program_free(program);
    close_stage(&s);
}

static void count_finding(void *context, const store_finding *finding) {
    (void)finding;
    ++*(uint32_t *)context;
}

static void check_item(const stage *s, store_area area, const char *id, uint32_t *findings) {
    store_item item;
    const store_file *files = NULL;
    uint32_t count = 0;
    assert_int_equal(store_get(s->txn, area, id, &item), STORE_OK);
    assert_int_equal(store_files(s->txn, area, id, true, &files, &count), STORE_OK);
    content_check(NULL, s->txn, &item, files, count, count_finding, findings);
}

static void what_no_longer_compiles(void **state) {
    (void)state;
    stage s;
    store_error error;
    zo_program *program = NULL;
    zo_report *report = NULL;
    uint32_t findings = 0;
    open_stage(&s);
    const store_file mendable = text_file("old.json", old), fine = text_file(NULL, wave);
    put_file(&s, &fine);
    content_thing *thing = look_at(&s, STORE_ITEM, &mendable, 1, &(content_def){.mend = true});
    assert_int_equal(content_put(s.txn, thing, &(content_put_def){.expected = STORE_ANY}, NULL, &error), STORE_OK);
    content_thing_free(thing);
    put_pet(&s, STORE_PET, "pet-1", "{\"scale\":\"large\"}"); // read leniently
    check_item(&s, STORE_ITEM, "user:wave", &findings);
    check_item(&s, STORE_ITEM, "user:old", &findings); // what is stored is mended
    check_item(&s, STORE_PET, "pet-1", &findings);
    assert_int_equal(findings, 0);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:old", 0, NULL, &program, NULL, &error), STORE_OK);
    zo_program_free(program);
    put_animation(&s, "user:bad", "transition"); // "{}", past all checks
    check_item(&s, STORE_ITEM, "user:bad", &findings);
    assert_int_equal(findings, 1);
    put_pet(&s, STORE_CONFIG, "petween", "[]");
    check_item(&s, STORE_CONFIG, "petween", &findings);
    assert_int_equal(findings, 2);
    assert_int_equal(content_program(s.txn, STORE_ITEM, "user:bad", 0, NULL, &program, &report, &error), STORE_INVALID);
    assert_non_null(report);
    assert_null(program);
    zo_report_free(report);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserved_ids),
        cmocka_unit_test(kinds),
        cmocka_unit_test(references),
        cmocka_unit_test(what_is_used_stays),
        cmocka_unit_test(packs_of_what_is_stored),
        cmocka_unit_test(animations),
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(names_that_lead_away),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(pictures),
        cmocka_unit_test(older_rules),
        cmocka_unit_test(machine_with_all_its_files),
        cmocka_unit_test(machine_of_things_in_the_library),
        cmocka_unit_test(programs_follow_what_they_use),
        cmocka_unit_test(character_in_a_folder),
        cmocka_unit_test(character_in_an_archive),
        cmocka_unit_test(archives_that_do_harm),
        cmocka_unit_test(pet_with_its_animations),
        cmocka_unit_test(set_with_its_rig),
        cmocka_unit_test(clip_with_a_rig_of_the_library),
        cmocka_unit_test(pet_in_a_folder),
        cmocka_unit_test(pictures_of_pets),
        cmocka_unit_test(what_may_be_put),
        cmocka_unit_test(reserved_ids_are_not_put),
        cmocka_unit_test(packs_are_not_put),
        cmocka_unit_test(programs_of_the_past),
        cmocka_unit_test(what_no_longer_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
