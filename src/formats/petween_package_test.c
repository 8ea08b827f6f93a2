// Pet packages: what is said of manifests and of the archives around them, what is unpacked, and that making a package and
// taking it apart lose nothing. tests/diag has a text for each rule; tests/cli has real archives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "base/arena.h"
#include "formats/petween_package.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID "0123456789abcdef"
#define ROW "{\"id\":\"" ID "\",\"sha256\":\"" HASH "\",\"mimeType\":\"image/png\",\"width\":4,\"height\":3}"
#define MANIFEST(pet, assets, more) \
    "{\"format\":\"pet-package\",\"version\":1,\"name\":\"N\",\"pet\":" pet ",\"assets\":[" assets "]" more "}"
#define POSE "{\"poses\":{\"idle\":{\"assetId\":\"" ID "\"}}}"
#define AMBIENT(id) "{\"version\":1,\"id\":\"" id "\",\"name\":\"A\",\"kind\":\"ambient\",\"durationMs\":9," \
                    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[]}"
#define PACK(animations, more) ",\"motionPack\":{\"format\":\"motion-pack\",\"version\":1,\"name\":\"N\"," \
                               "\"namespace\":\"mixed\",\"animations\":[" animations "]" more "}"

static zo_source source_of(const char *text) {
    return (zo_source){.name = "manifest.json", .bytes = text, .size = strlen(text)};
}

static void says(const char *text, zo_status status, const char *id, const char *pointer) {
    const zo_source source = source_of(text);
    const zo_compile_def def = {.format = "pet-package"};
    zo_report *report = NULL;
    zo_program *program = NULL;
    assert_int_equal(zo_compile(&source, 1, &def, &program, &report), status);
    assert_true((program != NULL) == (status == ZO_OK));
    bool said = false;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        said = said || (strcmp(diag->id, id) == 0 && strcmp(diag->place.pointer, pointer) == 0);
    }
    if (!said) { fail_msg("%s does not say %s at %s", text, id, pointer); }
    zo_program_free(program);
    zo_report_free(report);
}

// ----------------------------------------------------------------------------------------------------------- manifests

static void each_fault_has_its_place(void **state) {
    (void)state;
    says("[]", ZO_INVALID, "petween/package-object", "");
    says("{}", ZO_INVALID, "petween/package-pet", "");
    says(MANIFEST("null", "", ""), ZO_INVALID, "petween/package-pet", "/pet");
    says(MANIFEST("{\"scale\":5}", "", ""), ZO_INVALID, "petween/pet-field", "/pet/scale");
    says(MANIFEST("{}", "[]", ""), ZO_INVALID, "petween/package-asset", "/assets/0");
    says(MANIFEST(POSE, "", ""), ZO_INVALID, "petween/package-picture", "/pet/poses/idle/assetId");
    says(MANIFEST("{}", ROW, ""), ZO_OK, "petween/package-asset-unused", "/assets/0");
    says(MANIFEST("{\"states\":{\"idle\":{\"ambient\":{\"customAnimationId\":\"a:b\"}}}}", "", ""), ZO_INVALID,
         "petween/package-animation", "/pet/states/idle/ambient/customAnimationId");
    says(MANIFEST("{\"states\":{\"idle\":{\"enter\":{\"animationId\":\"a:b\"}}}}", "", PACK(AMBIENT("a:b"), "")), ZO_INVALID,
         "petween/package-animation", "/pet/states/idle/enter/animationId");
    says(MANIFEST("{}", "", PACK("", "")), ZO_INVALID, "petween/pack-animations", "/motionPack/animations");
    says(MANIFEST("{}", "", ",\"motionPack\":null"), ZO_INVALID, "petween/pack-object", "/motionPack");
    says(MANIFEST("{}", "", PACK(AMBIENT("a:b"), ",\"mounts\":{\"idle\":{\"enter\":\"a:b\"}}")), ZO_INVALID,
         "petween/pack-enter", "/motionPack/mounts/idle/enter");
    says(MANIFEST("{}", "", ",\"attribution\":{\"creators\":[\"\"]}"), ZO_INVALID, "petween/package-attribution",
         "/attribution/creators/0");
    says(MANIFEST("{}", "", ",\"pluginConfigs\":{\"a\":{\"config\":1,\"animationIdRemap\":{\"x\":1}}}"), ZO_INVALID,
         "petween/package-plugins", "/pluginConfigs/a");
    says("{\"format\":\"pet-package\",\"version\":2,\"name\":\"N\",\"pet\":{},\"assets\":[]}", ZO_NEWER,
         "petween/package-version-newer", "/version");
    says(MANIFEST("{\"interactions\":{\"click\":{\"animation\":\"a:b\"}}}", "", ""), ZO_OK, "petween/pet-animation",
         "/pet/interactions/click/animation"); // a click has something to fall back to
}

#define TEN(x) x x x x x x x x x x
#define ATTRIBUTION(text) MANIFEST("{}", "", ",\"attribution\":{" text "}")
#define EIGHT "\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"" TEN(TEN("h")) TEN("hh") "\""

static void attribution_has_its_limits(void **state) {
    (void)state;
    const char *const id = "petween/package-attribution";
    static const char *const good[] = {
        ATTRIBUTION("\"creators\":[" EIGHT "]"),
        ATTRIBUTION("\"character\":\" " TEN(TEN("cc")) " \""),
        ATTRIBUTION("\"sourceUrl\":\"" TEN(TEN("sssss")) "\",\"license\":\"" TEN(TEN("ll")) "\""),
    };
    for (uint32_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const zo_source source = source_of(good[i]);
        zo_report *report = NULL;
        assert_int_equal(zo_compile(&source, 1, &(zo_compile_def){.format = "pet-package"}, NULL, &report), ZO_OK);
        assert_int_equal(zo_report_count(report), 0);
        zo_report_free(report);
    }
    says(ATTRIBUTION("\"creators\":[" EIGHT ",\"i\"]"), ZO_INVALID, id, "/attribution/creators");
    says(ATTRIBUTION("\"creators\":{}"), ZO_INVALID, id, "/attribution/creators");
    says(ATTRIBUTION("\"creators\":[\"" TEN(TEN("h")) TEN("hh") "h\"]"), ZO_INVALID, id, "/attribution/creators/0");
    says(ATTRIBUTION("\"character\":\"" TEN(TEN("cc")) "c\""), ZO_INVALID, id, "/attribution/character");
    says(ATTRIBUTION("\"sourceUrl\":\"" TEN(TEN("sssss")) "s\""), ZO_INVALID, id, "/attribution/sourceUrl");
    says(ATTRIBUTION("\"license\":\"" TEN(TEN("ll")) "l\""), ZO_INVALID, id, "/attribution/license");
}

static void null_attribution_and_many_plugins(void **state) {
    (void)state;
    char text[4096], plugins[2048] = "";
    for (int i = 0; i < 9; i++) {
        snprintf(plugins + strlen(plugins), sizeof plugins - strlen(plugins), "%s\"p%d\":{\"config\":0}", i ? "," : "", i);
    }
    snprintf(text, sizeof text, MANIFEST("{}", "", ",\"attribution\":null,\"pluginConfigs\":{%s}"), plugins);
    says(text, ZO_INVALID, "petween/package-plugins", "/pluginConfigs");
}

// -------------------------------------------------------------------------------------------------------------- archives

static zo_entry entry_of(const char *name, uint64_t size, uint32_t flags) {
    return (zo_entry){.name = {name, strlen(name)}, .size = size, .flags = flags};
}

static void only_what_has_a_place_is_wanted(void **state) {
    (void)state;
    static const struct { const char *name; uint64_t size; uint32_t flags; bool wanted; } cases[] = {
        {"manifest.json", 10, 0, true},
        {"Manifest.json", 10, 0, false},
        {"manifest.json ", 10, 0, false},
        {"assets/" ID ".png", 10, 0, true},
        {"assets/" ID ".jpg", 10, 0, true},
        {"assets/" ID ".gif", 10, 0, false},
        {"assets/" ID, 10, 0, false},
        {"assets/" ID ".", 10, 0, false},
        {"assets/" ID "0.png", 10, 0, false},
        {"assets/0123456789ABCDEF.png", 10, 0, false},
        {"../assets/" ID ".png", 10, 0, false},
        {"assets//" ID ".png", 10, 0, false},
        {"assets/", 0, 0, false},
        {"", 10, 0, false},
        {"assets/1111111111111111.png", 12u << 20, 0, true},
        {"assets/2222222222222222.png", (12u << 20) + 1, 0, false},
        {"assets/3333333333333333.png", 1, ZO_ENTRY_ENCRYPTED, false},
        {"assets/4444444444444444.png", 1, ZO_ENTRY_LINK, false},
        {"assets/5555555555555555.png", 1, ZO_ENTRY_METHOD, false},
        {"assets/6666666666666666.png", 1, 0, false}, // twice
        {"assets/6666666666666666.png", 1, 0, false},
    };
    zo_entry entries[64];
    bool wanted[64];
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) { entries[i] = entry_of(cases[i].name, cases[i].size, cases[i].flags); }
    zo_archive archive = {.name = "a.zip", .entries = entries, .entry_count = ZB_COUNT(cases)};
    zo_package_want(&archive, wanted);
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) {
        if (wanted[i] != cases[i].wanted) { fail_msg("%s", cases[i].name); }
    }
    entries[20].size = (60u << 20); // together too much: nothing at all
    zo_package_want(&archive, wanted);
    for (uint32_t i = 0; i < ZB_COUNT(cases); i++) { assert_false(wanted[i]); }
    entries[19].size = entries[20].size = UINT64_MAX; // a sum beyond 64 bits is no small one
    zo_package_want(&archive, wanted);
    assert_false(wanted[0]);
    entries[19].size = entries[20].size = 1;
    archive.claimed_count = 65;
    zo_package_want(&archive, wanted);
    assert_false(wanted[0]);
}

// ------------------------------------------------------------------------------------------------------------- both ways

static zo_package *opened(const char *manifest) {
    const zo_source source = source_of(manifest);
    zo_package *package = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_package_open(&source, NULL, &package, &report);
    if (status != ZO_OK) { fail_msg("%s: %s", zo_report_at(report, 0)->id, manifest); }
    zo_report_free(report);
    return package;
}

static zo_package *made(const zo_package_file *files, uint32_t count, bool picture) {
    zo_source sources[16];
    const zo_package_picture idle = {"idle", {ZO_PICTURE_PNG, 4, 3, 77, HASH}};
    const zo_package_def def = {.other_name = "Other", .pictures = &idle, .picture_count = picture};
    for (uint32_t i = 0; i < count; i++) {
        sources[i] = (zo_source){.name = files[i].name, .bytes = files[i].text.data, .size = files[i].text.size};
    }
    zo_package *package = NULL;
    assert_int_equal(zo_package_make(sources, count, &def, NULL, &package, NULL), ZO_OK);
    assert_int_equal(package->file_count, 1);
    assert_string_equal(package->files[0].name, "manifest.json");
    return package;
}

static zo_package_file file_of(const char *name, const char *text) { return (zo_package_file){name, {text, strlen(text)}}; }

static bool holds(zo_text text, const char *part) {
    for (size_t i = 0; i + strlen(part) <= text.size; i++) {
        if (memcmp(text.data + i, part, strlen(part)) == 0) { return true; }
    }
    return false;
}

// A package, the folder it stands for, and the package of that folder: the last is the first.
static void is_stable(const zo_package *first, bool picture) {
    char *text = test_calloc(first->files[0].text.size + 1, 1);
    memcpy(text, first->files[0].text.data, first->files[0].text.size);
    zo_package *folder = opened(text);
    zo_package *second = made(folder->files, folder->file_count, picture);
    assert_int_equal(first->files[0].text.size, second->files[0].text.size);
    assert_memory_equal(first->files[0].text.data, second->files[0].text.data, second->files[0].text.size);
    zo_package_free(folder);
    zo_package_free(second);
    test_free(text);
}

static void nothing_is_lost_on_the_way(void **state) {
    (void)state;
    const zo_package_file files[] = {
        file_of("pet.json",
                "{ \"mine\": [1.50, {\"a\":\"\\u0041\"}], \"name\":\"Mia\",\"global\":{\"scale\":1.250,\"x\":null},\"states\":{\"idle\":"
                "{\"ambient\":{\"customAnimationId\":\"a:b\"},\"q\":1}},\"attribution\":{\"character\":\"C\",\"z\":[]},"
                "\"pluginConfigs\":{\"bells\":{\"config\":{}}},\"poses\":{\"idle\":{\"zoom\":2,\"assetId\":\"old\"}}}"),
        file_of("a.json", AMBIENT("a:unused")),
        file_of("b.json", "{\"version\":1,\"id\":\"a:b\",\"name\":\"B\",\"kind\":\"ambient\",\"durationMs\":9.0,\"repeat\":"
                          "{\"mode\":\"loop\"},\"tracks\":[],\"mine\":1e2}"),
    };
    zo_package *package = made(files, 3, true);
    const zo_text text = package->files[0].text;
    assert_string_equal(package->name, "Mia");
    assert_true(holds(text, "\"scale\": 1.250,\n    \"mine\": [1.50, { \"a\": \"\\u0041\" }]")); // first, as petween looks there
    assert_true(holds(text, "\"poses\": { \"idle\": { \"zoom\": 2, \"assetId\": \"" ID "\" } }")); // in its place
    assert_true(holds(text, "\"file\": \"assets/" ID ".png\""));
    assert_true(holds(text, "\"durationMs\": 9.0") && holds(text, "\"mine\": 1e2"));
    assert_true(holds(text, "\"mounts\": { \"idle\": { \"ambient\": \"a:b\" } }") && holds(text, "\"namespace\": \"mixed\""));
    assert_true(holds(text, "\"attribution\": { \"character\": \"C\", \"z\": [] }"));
    assert_false(holds(text, "a:unused"));
    is_stable(package, true);
    zo_package_free(package);
}

static void odd_pets_are_stable_too(void **state) {
    (void)state;
    static const char *const pets[] = {
        "{}",
        "{\"scale\":2}",
        "{\"global\":{\"scale\":2},\"scale\":3}",
        "{\"scale\":2,\"global\":{\"scale\":2}}",
        "{\"global\":{}}",
        "{\"poses\":{},\"states\":{}}",
        "{\"poses\":{\"idle\":{},\"error\":{\"zoom\":1}}}",
        "{\"x\":1,\"x\":2,\"poses\":{\"idle\":{\"zoom\":1},\"idle\":{\"zoom\":2}},\"poses\":{\"idle\":{\"zoom\":3}}}",
        "{\"attribution\":null}",
        "{\"\":{\"a/b~c\":[]},\"\\n\":\"\\\"\\\\\"}",
    };
    for (size_t i = 0; i < ZB_COUNT(pets); i++) {
        for (int picture = 0; picture < 2; picture++) {
            const zo_package_file file = file_of("pet.json", pets[i]);
            zo_package *package = made(&file, 1, picture);
            assert_string_equal(package->name, "Other");
            is_stable(package, picture);
            zo_package_free(package);
        }
    }
}

static void mounts_become_what_states_say(void **state) {
    (void)state;
    zo_package *folder = opened(MANIFEST(
        "{\"states\":{\"idle\":{\"ambient\":{\"customAnimationId\":null}}}}", "",
        PACK(AMBIENT("a:b") "," AMBIENT("a:c"), ",\"mounts\":{\"idle\":{\"ambient\":\"a:b\"},\"error\":{\"ambient\":\"a:c\"}}")));
    assert_int_equal(folder->file_count, 3);
    assert_string_equal(folder->files[2].name, "animations/a_c.json");
    assert_true(holds(folder->files[0].text, "\"idle\": { \"ambient\": { \"customAnimationId\": \"a:b\" } }"));
    assert_true(holds(folder->files[0].text, "\"error\": { \"ambient\": { \"customAnimationId\": \"a:c\" } }"));
    zo_package_free(folder);
}

static void a_package_must_be_whole(void **state) {
    (void)state;
    const char *text = "{\"poses\":{\"idle\":{\"assetId\":\"x\"}},\"states\":{\"idle\":{\"enter\":{\"animationId\":\"a:b\"}}}}";
    const zo_source source = source_of(text);
    zo_package_def def = {.other_name = ""};
    zo_package *package = NULL;
    zo_report *report = NULL;
    assert_int_equal(zo_package_make(&source, 1, &def, NULL, &package, &report), ZO_INVALID);
    assert_null(package);
    assert_int_equal(zo_report_total(report, ZO_ERROR), 2);
    zo_report_free(report);
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    def = (zo_package_def){.name = name, .other_name = ""};
    const zo_source empty = source_of("{}");
    assert_int_equal(zo_package_make(&empty, 1, &def, NULL, &package, NULL), ZO_LIMIT);
    def.name = "  ";
    assert_int_equal(zo_package_make(&empty, 1, &def, NULL, &package, NULL), ZO_LIMIT);
    def = (zo_package_def){.other_name = name}; // nobody asked for that one, so it is cut
    assert_int_equal(zo_package_make(&empty, 1, &def, NULL, &package, NULL), ZO_OK);
    assert_int_equal(strlen(package->name), 60);
    zo_package_free(package);
}

// --------------------------------------------------------------------------------------------------------------- memory

typedef struct purse { uint32_t left; } purse;

static void *purse_alloc(void *context, size_t size) {
    purse *p = context;
    const zo_allocator plain = zb_allocator_or_default(NULL);
    if (p->left == 0) { return NULL; }
    p->left--;
    return plain.alloc(plain.context, size);
}

static void purse_free(void *context, void *memory, size_t size) {
    (void)context;
    const zo_allocator plain = zb_allocator_or_default(NULL);
    plain.free(plain.context, memory, size);
}

static void short_memory_is_its_own_status(void **state) {
    (void)state;
    const char *manifest = MANIFEST("{\"states\":{\"idle\":{\"ambient\":{\"customAnimationId\":\"a:b\"}}}}", "",
                                    PACK(AMBIENT("a:b"), ""));
    const zo_source source = source_of(manifest);
    const zo_source pet = source_of("{\"scale\":1}");
    const zo_package_def package_def = {.other_name = "N"};
    zo_entry entry = entry_of("manifest.json", 10, ZO_ENTRY_UNPACKED);
    entry.real_size = entry.size;
    const zo_archive archive = {.name = "a.zip", .entries = &entry, .entry_count = 1};
    for (int what = 0; what < 3; what++) {
        zo_status status = ZO_NO_MEMORY;
        for (uint32_t left = 0; left < 100 && status != ZO_OK; left++) {
            purse p = {left};
            const zo_allocator allocator = {&p, purse_alloc, purse_free};
            const zo_compile_def def = {.allocator = &allocator, .format = what == 2 ? "pet-package" : NULL,
                                        .archive = what == 2 ? &archive : NULL};
            zo_package *package = NULL;
            zo_program *program = NULL;
            status = what == 0   ? zo_package_open(&source, &def, &package, NULL)
                     : what == 1 ? zo_package_make(&pet, 1, &package_def, &def, &package, NULL)
                                 : zo_compile(&source, 1, &def, &program, NULL);
            assert_true(status == ZO_OK || status == ZO_NO_MEMORY);
            zo_package_free(package);
            zo_program_free(program);
        }
        assert_int_equal(status, ZO_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_its_place),
        cmocka_unit_test(attribution_has_its_limits),
        cmocka_unit_test(null_attribution_and_many_plugins),
        cmocka_unit_test(only_what_has_a_place_is_wanted),
        cmocka_unit_test(nothing_is_lost_on_the_way),
        cmocka_unit_test(odd_pets_are_stable_too),
        cmocka_unit_test(mounts_become_what_states_say),
        cmocka_unit_test(a_package_must_be_whole),
        cmocka_unit_test(short_memory_is_its_own_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
