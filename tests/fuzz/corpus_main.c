// zoetrope-corpus: writes what the fuzzers start from, one file an input: the definitions of the vectors and the built-in
// ones as texts (petween/), the programs they compile to and one that has something of everything (blob/), manifests of
// packages (package/), what character packs are built of (source/), packs (charpack/), textures (ktx2/), models (b3d/) and
// Forge's files (forge/), and texts and the fixtures of the diagnostics as JSON (json/). Called by tools/fuzz and CTest:
// zoetrope-corpus ROOT OUT.
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "fuzz.h"

#include "json/json.h"
#include "program/test_program.h"

enum { INPUT_MAX = 4096 }; // bytes: small inputs are tried oftener

static const char *out_folder;
static uint32_t written_count;

static bool read_file(const char *path, char **bytes, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    *bytes = fuzz_take(*size, 1);
    MUST(fread(*bytes, 1, *size, file) == *size);
    fclose(file);
    return true;
}

static void make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
        exit(1);
    }
}

// Named by its content, so that the same input stands there once.
static void write_input(const char *kind, const void *bytes, size_t size) {
    char path[4096];
    if (size > INPUT_MAX && strcmp(kind, "blob") != 0) { return; }
    snprintf(path, sizeof path, "%s/%s/%016llx", out_folder, kind, (unsigned long long)zb_hash_bytes(bytes, size, 0));
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    written_count++;
}

static void write_blobs(zo_text text, const char *format) {
    for (int profile = ZO_PROFILE_DOCUMENT; profile <= ZO_PROFILE_ORIGINAL; profile++) {
        const zo_source source = {.name = "corpus", .bytes = text.data, .size = text.size};
        const zo_compile_def def = {.profile = (zo_profile)profile, .format = format};
        zo_program *program = NULL;
        if (zo_compile(&source, 1, &def, &program, NULL) != ZO_OK) { continue; }
        size_t size;
        const void *blob = zo_program_blob(program, &size);
        if (size <= 3 * INPUT_MAX) { write_input("blob", blob, size); }
        zo_program_free(program);
    }
}

static void write_definition(zo_text text) {
    write_input("petween", text.data, text.size);
    write_input("json", text.data, text.size);
    write_blobs(text, "petween");
}

// A clip by itself, and with a rig, an atlas and a second clip behind it, each after a form feed.
static void write_clip(zo_text text) {
    static const char beside[] =
        "\f{\"schemaVersion\":1,\"type\":\"enemyRig\",\"atlas\":\"atlas.json\",\"layers\":[\"Back\",\"Default\"],\"bones\":["
        "{\"name\":\"hand\",\"parent\":\"body\",\"x\":0.5,\"scaleX\":-1},{\"name\":\"body\",\"rotation\":30}],\"sprites\":["
        "{\"bone\":\"body\",\"region\":\"a\",\"pivotY\":0},{\"bone\":\"hand\",\"image\":\"art.png\",\"flipX\":true}]}"
        "\f{\"frames\":{\"a\":{\"frame\":{\"x\":0,\"y\":0,\"w\":4,\"h\":4}},\"b\":{\"frame\":{\"x\":4,\"y\":0,\"w\":4,"
        "\"h\":4}}},\"meta\":{\"image\":\"art.png\"}}"
        "\f{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"a:enemy-animation/b\",\"enemy\":\"a:enemy/a\","
        "\"displayName\":\"B\",\"durationSeconds\":0.5,\"frameRate\":30,\"loop\":true,\"tracks\":[{\"target\":\"sprite/body\","
        "\"property\":\"color.a\",\"keys\":[{\"time\":0,\"value\":0.5,\"inTangent\":0,\"outTangent\":null}]}],\"objectTracks\":["
        "{\"target\":\"sprite/hand\",\"property\":\"sprite\",\"keys\":[{\"time\":0.25,\"name\":\"b\"}]}]}";
    char *both = fuzz_take(text.size + sizeof beside, 1);
    memcpy(both, text.data, text.size);
    memcpy(both + text.size, beside, sizeof beside - 1);
    write_input("enemy", text.data, text.size);
    write_input("enemy", both, text.size + sizeof beside - 1);
    free(both);
}

// What a definition alone does not make: states, edges, a director.
static void write_everything(void) {
    zp_program *program = test_program();
    MUST(program != NULL);
    write_input("blob", program->blob, program->blob_size);
    zp_program_free(program);
    program = test_graph_program(); // and a machine that runs by itself
    MUST(program != NULL);
    write_input("blob", program->blob, program->blob_size);
    zp_program_free(program);
    program = test_mesh_program(); // and what stands in space
    MUST(program != NULL);
    write_input("blob", program->blob, program->blob_size);
    zp_program_free(program);
    program = test_poses_program(); // and one that shows poses
    MUST(program != NULL);
    write_input("blob", program->blob, program->blob_size);
    zp_program_free(program);
}

static void write_vectors(const char *path) {
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, bytes, size, 0, NULL, NULL);
    for (uint32_t node = 1; doc != NULL && node < doc->node_count; node++) {
        const bool member = zj_at(doc, node)->key != 0;
        if (member && zb_text_equal(zj_key(doc, node), ZB_TEXT("definition"))) { write_definition(zj_source(doc, node)); }
        if (member && zb_text_equal(zj_key(doc, node), ZB_TEXT("clip"))) { // of enemies, with effects
            write_input("json", zj_source(doc, node).data, zj_source(doc, node).size);
            write_clip(zj_source(doc, node));
            write_blobs(zj_source(doc, node), "enemy-animation");
        }
    }
    zb_arena_close(&arena);
    free(bytes);
}

static void for_each_ending(const char *folder, const char *ending, void (*use)(const char *path)) {
    DIR *opened = opendir(folder);
    if (opened == NULL) { return; }
    const struct dirent *entry;
    while ((entry = readdir(opened)) != NULL) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) { continue; }
        const size_t length = strlen(path);
        const size_t end = strlen(ending);
        if (length > end && strcmp(path + length - end, ending) == 0) { use(path); }
    }
    closedir(opened);
}

static void for_each_file(const char *folder, void (*use)(const char *path)) { for_each_ending(folder, ".json", use); }

static void write_text(const char *path) {
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    write_input("json", bytes, size);
    write_input("petween", bytes, size);
    free(bytes);
}

static void write_example(const char *path) {
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    write_definition((zo_text){bytes, size});
    free(bytes);
}

// The fixtures of archives hold a manifest, those of manifests are one.
static void write_manifest(const char *path) {
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, bytes, size, 0, NULL, NULL);
    const uint32_t manifest = doc != NULL ? zj_member(doc, ZJ_ROOT, ZB_TEXT("manifest")) : 0;
    const bool whole = strstr(path, "/petween/package-") != NULL;
    const zo_text text = manifest != 0 ? zj_source(doc, manifest) : (zo_text){bytes, size};
    if (manifest != 0 || whole) {
        write_input("package", text.data, text.size);
        write_input("petween", text.data, text.size);
    }
    zb_arena_close(&arena);
    free(bytes);
}

// A pet of ours as a package, without pictures, since they are the caller's.
static void write_packages(void) {
    static const char pet[] = "{\"name\":\"Mia\",\"global\":{\"scale\":1.5},\"states\":{\"idle\":{\"enter\":{\"animationId\":"
                              "\"a:hop\"}}},\"attribution\":{\"creators\":[\"Ann\"]},\"pluginConfigs\":{\"bells\":{\"config\":1}}}";
    static const char hop[] = "{\"version\":1,\"id\":\"a:hop\",\"name\":\"Hop\",\"kind\":\"transition\",\"durationMs\":240,"
                              "\"repeat\":{\"mode\":\"once\"},\"tracks\":[],\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"}]}";
    const zo_source sources[] = {{.name = "pet.json", .bytes = pet, .size = sizeof pet - 1},
                                 {.name = "hop.json", .bytes = hop, .size = sizeof hop - 1}};
    const zo_package_def def = {.other_name = "Mia"};
    zo_package *package;
    MUST(zo_package_make(sources, 2, &def, NULL, &package, NULL) == ZO_OK);
    write_input("package", package->files[0].text.data, package->files[0].text.size);
    zo_package_free(package);
}

typedef struct text_buffer {
    char bytes[1 << 16];
    size_t size;
} text_buffer;

static bool append(void *context, const void *bytes, size_t size) {
    text_buffer *buffer = context;
    if (buffer->size + size > sizeof buffer->bytes) { return false; }
    if (size != 0) { memcpy(buffer->bytes + buffer->size, bytes, size); }
    buffer->size += size;
    return true;
}

// What packs are built of: each fixture as it is, and one with something of everything.
static void write_source(const char *path) {
    char *bytes;
    size_t size;
    if (strstr(path, ".json") == NULL || !read_file(path, &bytes, &size)) { return; }
    write_input("source", bytes, size);
    free(bytes);
}

static void write_sources(const char *root) {
    static const char whole[] =
        "{\"schemaVersion\":1,\"type\":\"characterPackSource\",\"id\":\"a\",\"displayName\":\"A\",\"version\":\"1\","
        "\"level\":5,\"quality\":3,\"encoding\":\"uastc\",\"clips\":[{\"label\":\"i\",\"folder\":\"idle\",\"fps\":24},"
        "{\"label\":\"b\",\"frames\":[\"a.png\",\"b/c/x.png\",\"a.png\"],\"frameIntervalMs\":9,\"loopMode\":"
        "\"once_then_hold\",\"phase\":\"out\"},{\"label\":\"c\",\"folder\":\".\",\"fps\":0.5}],\"nodes\":[{\"id\":\"i\","
        "\"isRoot\":true},{\"id\":\"x\",\"label\":\"b\"}],\"edges\":[{\"from\":\"i\",\"to\":\"x\",\"prob\":1e-1},{\"id\":"
        "\"e\",\"from\":\"x\",\"to\":\"i\",\"prob\":0}],\"mouthOverlays\":[{\"label\":\"i\",\"folder\":\"b/c\"}],"
        "\"mouth\":{\"profiles\":{\"i\":{\"openness\":[0,1.0]}}}}";
    char path[4096];
    write_input("source", whole, sizeof whole - 1);
    snprintf(path, sizeof path, "%s/tests/diag/charpack-source", root);
    for_each_file(path, write_source);
}

// The files of a pack, a zero byte between them, without and with lists of speech. A manifest in another folder than the others': a fixture's.
static void write_pack(const char *manifest, const char *folder) {
    static const char *const names[] = {"graph_config.json", "spriteforge_mouth_config.json"};
    text_buffer joined = {.size = 0};
    for (size_t n = 0; n < 1 + ZB_COUNT(names); n++) {
        char path[4096], *bytes;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", folder, n > 0 ? names[n - 1] : "");
        if (!read_file(n > 0 ? path : manifest, &bytes, &size)) { continue; }
        append(&joined, bytes, size);
        append(&joined, "", 1);
        free(bytes);
    }
    write_input("source", joined.bytes, joined.size);
    write_input("charpack", joined.bytes, joined.size);
    static const char speech[] =
        "{\"type\":\"characterPackSpeech\",\"entry\":\"speaking_short\",\"otherEntry\":\"idle\",\"otherChance\":0.5,"
        "\"otherFrom\":[\"idle\"],\"holdMs\":40,\"groups\":[{\"speaking\":[\"speaking_short\"],\"entries\":["
        "\"closed_eye_trans\"],\"exits\":[\"a\"]},{\"intent\":\"smile\",\"labels\":[\"smile\",\"idle\"],\"after\":"
        "\"smile\"}],\"aliases\":{\"a\":\"smile\"},\"clips\":{\"b\":\"idle\"},\"mouths\":{\"speaking_short\":{\"align\":"
        "\"canvas\",\"threshold\":0.5,\"open\":1,\"widthFactor\":2,\"heightFactor\":0.5,\"shift\":-1}}}";
    append(&joined, speech, sizeof speech - 1);
    write_input("charpack", joined.bytes, joined.size);
}

static void write_pack_fixture(const char *path) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s.beside", (int)(strlen(path) - strlen(".json")), path);
    write_pack(path, folder);
}

static void write_packs(const char *root) {
    static const char *const packs[] = {"bard_mouth", "caps_ext", "clerk_speaking", "deep_paths", "lamp_min", "spare_clips",
                                        "twins_shared"};
    for (size_t p = 0; p < ZB_COUNT(packs); p++) {
        char folder[4000], manifest[4096];
        snprintf(folder, sizeof folder, "%s/tests/vectors/charpack/packs/%s", root, packs[p]);
        snprintf(manifest, sizeof manifest, "%s/runtime_manifest.json", folder);
        write_pack(manifest, folder);
    }
    char fixtures[4096];
    snprintf(fixtures, sizeof fixtures, "%s/tests/diag/charpack", root);
    for_each_file(fixtures, write_pack_fixture);
}

// As it is, and changed to what no vector has: texels that may be clear in blocks of ETC2, channels that change places.
static void write_texture(const char *path) {
    enum { FORMAT_AT = 12, INDEX_END = 80 };
    static const char swizzle[] = "KTXswizzle\0bgr1";
    static const uint8_t opaque[2] = {147, 148}, clear[2] = {149, 150};
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    write_input("ktx2", bytes, size);
    for (size_t i = 0; i < 2 && size > 16; i++) {
        if ((uint8_t)bytes[FORMAT_AT] != opaque[i]) { continue; }
        bytes[FORMAT_AT] = (char)clear[i];
        write_input("ktx2", bytes, size);
    }
    for (size_t at = INDEX_END; at + sizeof swizzle < size; at++) {
        if (memcmp(bytes + at, "KTXwriter", 10) != 0) { continue; }
        memcpy(bytes + at - 4, (const uint8_t[4]){sizeof swizzle}, 4); // what is left of the old pair is a broken one
        memcpy(bytes + at, swizzle, sizeof swizzle);
        write_input("ktx2", bytes, size);
        break;
    }
    free(bytes);
}

// A model as it is, as text, and as a program.
static void write_model(const char *path) {
    char *bytes;
    size_t size;
    text_buffer json = {.size = 0};
    if (!read_file(path, &bytes, &size)) { return; }
    const zo_source source = {.name = path, .bytes = bytes, .size = size};
    write_input("b3d", bytes, size);
    if (zo_convert(&source, "b3d-source", NULL, append, &json, NULL) == ZO_OK) {
        write_input("b3d", json.bytes, json.size);
        write_blobs((zo_text){bytes, size}, "b3d");
    }
    free(bytes);
}

static void write_models(const char *root) {
    static const char *const folders[] = {"vectors/forge/b3d", "diag/b3d"};
    char path[4096];
    for (size_t i = 0; i < ZB_COUNT(folders); i++) {
        snprintf(path, sizeof path, "%s/tests/%s", root, folders[i]);
        for_each_ending(path, ".b3d", write_model);
    }
}

// A file of Forge's, and what lies around it for those that ask: a rig, and two models of which one is the other's parent.
static void write_forge(zo_text text, zo_text rig) {
    static const char draft_rig[] =
        "\f{\"model\":\"a:b\",\"joints\":[{\"name\":\"j\",\"weights\":{\"0\":[0,0,1,1,0,0,1,1]}}],\"clips\":[{\"name\":"
        "\"main\",\"loop\":true,\"tracks\":[{\"joint\":\"j\",\"parameter\":\"y\",\"type\":\"samples\",\"interpolation\":"
        "\"linear\",\"times\":[0,0.25],\"samples\":[0,4]}]}]}";
    static const char models[] =
        "\f{\"textures\":{\"a\":\"#b\",\"b\":\"c:d\"},\"elements\":[{\"from\":[0,0,0],\"to\":[16,8,16],\"rotation\":{"
        "\"origin\":[8,8,8],\"axis\":\"y\",\"angle\":22.5,\"rescale\":true},\"faces\":{\"up\":{\"texture\":\"#a\",\"uv\":["
        "0,\"p\",16,8],\"rotation\":90}}}]}\f{\"parent\":\"a:b\",\"textures\":{\"b\":\"e\"}}";
    text_buffer joined = {.size = 0};
    write_input("forge", text.data, text.size);
    append(&joined, text.data, text.size);
    append(&joined, rig.size > 0 ? "\f" : draft_rig, rig.size > 0 ? 1 : sizeof draft_rig - 1);
    append(&joined, rig.data, rig.size);
    append(&joined, models, sizeof models - 1);
    write_input("forge", joined.bytes, joined.size);
}

// Whatever of the members of a case is a file, or is to be put into one.
static void write_forge_case(const zj_doc *doc, uint32_t node) {
    const zo_text none = {NULL, 0};
    const uint32_t machine = zj_member(doc, node, ZB_TEXT("machine")), text = zj_member(doc, node, ZB_TEXT("text"));
    const uint32_t rigs = zj_member(doc, node, ZB_TEXT("armatures")), rig = zj_member(doc, node, ZB_TEXT("armature"));
    const uint32_t params = zj_member(doc, node, ZB_TEXT("parameters"));
    const uint32_t value = zj_member(doc, node, ZB_TEXT("evaluate")), draft = zj_member(doc, node, ZB_TEXT("parameter"));
    if (machine != 0 && zj_at(doc, machine)->kind == ZJ_OBJECT) {
        const uint32_t first = rigs != 0 ? zj_at(doc, rigs)->as.items.first : 0;
        write_forge(zj_source(doc, machine), first != 0 ? zj_source(doc, first) : none);
    }
    if (rig != 0) { write_forge(zj_source(doc, rig), none); }
    if (text != 0 && zj_at(doc, text)->kind == ZJ_STRING) { write_forge(zj_text(doc, text), none); }
    char bytes[INPUT_MAX];
    int size = 0;
    if (params != 0 && value != 0) {
        const zo_text p = zj_source(doc, params), v = zj_source(doc, value);
        size = snprintf(bytes, sizeof bytes, "{\"parameters\":%.*s,\"clips\":{\"a\":[\"apply\",\"a:b@main\",%.*s]},"
                        "\"states\":[\"a\"],\"transitions\":{},\"start_state\":\"a\"}",
                        (int)p.size, p.data, (int)v.size, v.data);
    } else if (draft != 0 && machine == 0) {
        const zo_text v = zj_source(doc, draft);
        size = snprintf(bytes, sizeof bytes, "{\"animation\":\"a:b\",\"clips\":{\"a\":[{\"child\":\"main\",\"time\":%.*s}]},"
                        "\"states\":[\"a\"],\"transitions\":{\"a -> a\":{\"type\":\"lerp\",\"time\":1}}}", (int)v.size, v.data);
    }
    if (size > 0 && size < (int)sizeof bytes) { write_forge((zo_text){bytes, (size_t)size}, none); }
}

static void write_forge_vectors(const char *path) {
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, bytes, size, 0, NULL, NULL);
    uint32_t node = doc != NULL ? zj_at(doc, ZJ_ROOT)->as.items.first : 0;
    for (; node != 0; node = zj_at(doc, node)->next) { write_forge_case(doc, node); }
    zb_arena_close(&arena);
    free(bytes);
}

static void write_forge_file(const char *path) {
    char *bytes;
    size_t size;
    if (!read_file(path, &bytes, &size)) { return; }
    write_forge((zo_text){bytes, size}, (zo_text){NULL, 0});
    free(bytes);
}

static void write_forge_files(const char *root) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/vectors/forge", root);
    for_each_file(path, write_forge_vectors);
    snprintf(path, sizeof path, "%s/tests/diag/forge", root);
    for_each_file(path, write_forge_file);
    snprintf(path, sizeof path, "%s/examples/forge/afsm", root);
    for_each_file(path, write_forge_file);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: zoetrope-corpus ROOT OUT\n");
        return 2;
    }
    static const char *const kinds[] = {"json", "petween", "package", "enemy", "source", "charpack", "ktx2", "b3d", "forge",
                                        "blob"};
    static const char *const fixtures[] = {"json", "petween", "field", "source"};
    char path[4096];
    out_folder = argv[2];
    make_folder(out_folder);
    for (size_t k = 0; k < ZB_COUNT(kinds); k++) {
        snprintf(path, sizeof path, "%s/%s", out_folder, kinds[k]);
        make_folder(path);
    }
    snprintf(path, sizeof path, "%s/tests/vectors/petween", argv[1]);
    for_each_file(path, write_vectors);
    snprintf(path, sizeof path, "%s/tests/vectors/enemy/effects.json", argv[1]);
    write_vectors(path);
    snprintf(path, sizeof path, "%s/examples/petween", argv[1]);
    for_each_file(path, write_example);
    for (size_t k = 0; k < ZB_COUNT(fixtures); k++) {
        snprintf(path, sizeof path, "%s/tests/diag/%s", argv[1], fixtures[k]);
        for_each_file(path, write_text);
    }
    for (size_t k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/tests/diag/%s", argv[1], k == 0 ? "package" : "petween");
        for_each_file(path, write_manifest);
    }
    write_packages();
    write_sources(argv[1]);
    write_packs(argv[1]);
    snprintf(path, sizeof path, "%s/tests/vectors/charpack/ktx2", argv[1]);
    for_each_ending(path, ".ktx2", write_texture);
    write_models(argv[1]);
    write_forge_files(argv[1]);
    write_everything();
    for (uint32_t i = 0; zo_builtin_at(i) != NULL; i++) {
        text_buffer buffer = {.size = 0};
        if (zo_builtin_write(zo_builtin_at(i), append, &buffer)) { write_definition((zo_text){buffer.bytes, buffer.size}); }
    }
    printf("%u inputs\n", written_count);
    return written_count > 100 ? 0 : 1;
}
