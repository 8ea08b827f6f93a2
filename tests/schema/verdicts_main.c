// zoetrope-verdicts ROOT FORMAT: prints what the reader says of many documents, one JSON object a line: the rules with
// how much of each a schema can say, then for each profile the cases of vectors and fixtures below ROOT/tests, those
// made of some small ones by changing one place, and all short texts where a form is wanted. Read by agree.mjs, which
// holds the schema against it. Knows no schema.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zoetrope/zoetrope.h>

#include "formats/charpack.h"
#include "formats/enemy.h"
#include "formats/petween.h"
#include "formats/schema.h"
#include "json/json.h"

enum { DIAG_MAX = 10000 };

static const char *const profile_names[] = {"document", "original"};
static zo_profile profile;

// Where the documents of a format are, and what is made of which.
enum { LIST_MAX = 5 };
typedef struct subject {
    const char *format;
    const zf_object *object;
    const char *vectors[LIST_MAX];
    const char *member;             // of a case: its document
    const char *folders[LIST_MAX];
    const char *seeds[LIST_MAX];    // documents with something in every member
    const char *seed_files[LIST_MAX];
    const char *const *others;      // what is put in place of a value, to NULL
    const struct text_set *texts;   // to one without a document
    bool one_profile;               // the made ones, where the schemas do not differ
    bool by_table;                  // the reader goes by the table only when it has found nothing else, for which it
                                    // needs more than the document: so the table is asked by itself
} subject;

// All texts of up to `length` letters of the alphabet between head and tail, in place of the @ of a document.
typedef struct text_set {
    const char *document, *head, *tail;
    const char *letters[8]; // as they are written in JSON
    uint32_t length;
} text_set;
static const subject *subject_of;

static void print(const zb_buffer *out) {
    fwrite(out->data, 1, out->size, stdout);
    putchar('\n');
}

// -------------------------------------------------------------------------------------------------------------- rules

static void print_rules(void) {
    static const char *const said_words[] = {
        [ZF_SAID_NOT] = "not", [ZF_SAID_PARTLY] = "partly", [ZF_SAID] = "whole"};
    const zf_objects objects = zf_objects_of(subject_of->object);
    for (uint32_t id = 0; id < ZD_COUNT; id++) {
        const zf_said said = zf_rule_said(&objects, (zd_id)id);
        if (said == ZF_NOT_THERE) { continue; }
        zb_arena arena = zb_arena_open(NULL);
        zb_buffer out = zb_buffer_open(&arena);
        zb_put(&out, "{\"rule\":\"");
        zb_put(&out, zd_rule_of((zd_id)id)->id);
        zb_put(&out, "\",\"said\":\"");
        zb_put(&out, said_words[said]);
        zb_put(&out, "\",\"about\":\"");
        for (uint32_t o = 0; o < objects.count; o++) {
            for (uint32_t b = 0; b < objects.items[o]->beyond_count; b++) {
                const zf_beyond *beyond = &objects.items[o]->beyond[b];
                zb_put(&out, beyond->id == (zd_id)id ? beyond->about : "");
            }
        }
        zb_put(&out, "\"}");
        print(&out);
        zb_arena_close(&arena);
    }
}

// -------------------------------------------------------------------------------------------------------------- cases

static bool judge_by_table(const char *file, zo_text text, zo_report **report) {
    zb_arena arena = zb_arena_open(NULL);
    *report = zd_report_open(NULL, DIAG_MAX, true);
    const uint32_t number = zd_report_file(*report, file, text.data, text.size);
    const zj_doc *doc = zj_parse(&arena, text.data, text.size, number, NULL, *report);
    if (doc != NULL) { zf_fields_check_all(&arena, doc, subject_of->object); }
    zd_report_finish(*report);
    zb_arena_close(&arena);
    return zo_report_total(*report, ZO_ERROR) == 0;
}

static bool judge(const char *file, zo_text text, zo_report **report) {
    if (subject_of->by_table) { return judge_by_table(file, text, report); }
    const zo_source source = {.name = file, .bytes = text.data, .size = text.size};
    const zo_compile_def def = {.profile = profile, .format = subject_of->format, .diag_max = DIAG_MAX};
    return zo_compile(&source, 1, &def, NULL, report) == ZO_OK;
}

// `file` and `name` say where it is from; name NULL: made by changing one place.
static void print_verdict(const char *file, const char *name, zo_text text) {
    zo_report *report = NULL;
    const bool accepts = judge(file, text, &report);
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zb_put(&out, "{\"profile\":\"");
    zb_put(&out, profile_names[profile]);
    zb_put(&out, "\",\"file\":");
    zb_put_json_text(&out, zb_text(file));
    zb_put(&out, ",\"name\":");
    if (name != NULL) {
        zb_put_json_text(&out, zb_text(name));
    } else {
        zb_put(&out, "null");
    }
    zb_put(&out, accepts ? ",\"accepts\":true" : ",\"accepts\":false");
    zb_put(&out, ",\"rules\":[");
    bool more = false;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        if (diag->severity == ZO_ERROR) {
            zb_put(&out, more ? "," : "");
            zb_put_json_text(&out, zb_text(diag->id));
            more = true;
        }
    }
    zb_put(&out, "],\"text\":");
    zb_put_json_text(&out, text);
    zb_put_char(&out, '}');
    print(&out);
    zb_arena_close(&arena);
    zo_report_free(report);
}

// Words that are right somewhere else are the most telling.
static const char *const definition_others[] = {
    "null", "true", "\"\"", "\"x\"", "[]", "{}", "[1]", "[{}]", "{\"at\":0}", "-1", "-0", "0", "0.5", "1", "1.5", "2",
    "600000", "600001", "60001", "1e400", "-1e308", "\"linear\"", "\"alternate\"", "\"random-interval\"", "\"ambient\"",
    "\"transition\"", "\"interaction\"", "\"pose-swap\"", "\"particle\"", "\"sparkle\"", "\"idle\"", "\"user:x\"",
    "\"9:_\"", "\"builtin:x\"", "\"strength\"", "\"sway.rotation\"", "\"transition.y\"",
    "\"cubic-bezier(0,-1,1.,.5)\"", "\"cubic-bezier(0,0,1.1,1)\"", "{\"mode\":\"loop\"}",
    "{\"base\":1,\"parameter\":\"strength\",\"amount\":0}", "[{\"at\":0,\"type\":\"pose-swap\"}]",
    "[{\"at\":0,\"type\":\"pose-swap\",\"pose\":\"idle\"}]",
    "[{\"at\":0,\"type\":\"particle\",\"effect\":\"sparkle\"}]", NULL,
};
static const char *const clip_others[] = {
    "null", "true", "\"\"", "\"x\"", "[]", "{}", "[1]", "[\"a\",\"a\"]", "-1", "0", "0.5", "2.0", "101", "100001",
    "1e400", "\"World\"", "\"Curve\"", "\"bone/a\"", "\"a.png\"", NULL,
};

static void print_changed(const char *file, zo_text text, size_t from, size_t length, const char *with) {
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    zb_put_text(&out, (zo_text){text.data, from});
    zb_put(&out, with);
    zb_put_text(&out, (zo_text){text.data + from + length, text.size - from - length});
    print_verdict(file, NULL, (zo_text){out.data, out.size});
    zb_arena_close(&arena);
}

// Every value becomes each of the others, and every member loses its name.
static void print_all_changed(const char *file, zo_text text) {
    zb_arena arena = zb_arena_open(NULL);
    zd_report *report = zd_report_open(NULL, 0, false);
    const uint32_t source = zd_report_file(report, file, text.data, text.size);
    const zj_doc *doc = zj_parse(&arena, text.data, text.size, source, NULL, report);
    for (uint32_t node = ZJ_ROOT; doc != NULL && node < doc->node_count; node++) {
        const zo_text own = zj_source(doc, node);
        const size_t from = (size_t)(own.data - text.data);
        const size_t after = from + own.size + strspn(text.data + from + own.size, " \n");
        if (text.data[after] == ':') { // a name
            print_changed(file, text, from, own.size, "\"other\"");
            continue;
        }
        for (size_t i = 0; subject_of->others[i] != NULL; i++) {
            print_changed(file, text, from, own.size, subject_of->others[i]);
        }
    }
    zd_report_close(report);
    zb_arena_close(&arena);
}

// -------------------------------------------------------------------------------------------------------------- files

static zo_text read_file(zb_arena *arena, const char *root, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(3);
    }
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *data = zb_arena_take(arena, size + 1);
    const bool good = data != NULL && fread(data, 1, size, file) == size;
    fclose(file);
    if (!good) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(3);
    }
    data[size] = '\0';
    return (zo_text){data, size};
}

// The document of each case, as it is written: numbers and repeated keys are part of the case.
static void run_vectors(const char *root, const char *file) {
    zb_arena arena = zb_arena_open(NULL);
    const zo_text bytes = read_file(&arena, root, file);
    const zj_doc *doc = zj_parse(&arena, bytes.data, bytes.size, 0, NULL, NULL);
    uint32_t count = 0;
    uint32_t item = doc != NULL && zj_kind_of(doc, ZJ_ROOT) == ZJ_ARRAY ? zj_at(doc, ZJ_ROOT)->as.items.first : 0;
    for (; item != 0; item = zj_at(doc, item)->next) {
        const uint32_t name = zj_member(doc, item, ZB_TEXT("name"));
        const uint32_t document = zj_member(doc, item, zb_text(subject_of->member));
        if (name != 0 && document != 0) {
            print_verdict(file, zb_arena_text(&arena, zj_text(doc, name)), zj_source(doc, document));
            count++;
        }
    }
    if (count == 0) {
        fprintf(stderr, "%s: there are no cases\n", file);
        exit(3);
    }
    zb_arena_close(&arena);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_json(const struct dirent *entry) {
    const size_t size = strlen(entry->d_name);
    return size > 5 && strcmp(entry->d_name + size - 5, ".json") == 0;
}

static void run_folder(const char *root, const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, folder);
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_json, by_name);
    if (count <= 0) {
        fprintf(stderr, "%s: there are no cases\n", path);
        exit(3);
    }
    for (int i = 0; i < count; i++) {
        zb_arena arena = zb_arena_open(NULL);
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        print_verdict(folder, entries[i]->d_name, read_file(&arena, root, path));
        zb_arena_close(&arena);
        free(entries[i]);
    }
    free(entries);
}

#define TRACK(target) "[{\"target\":\"" target "\",\"property\":\"scale.x\"," \
    "\"keys\":[{\"time\":0,\"value\":1,\"inTangent\":0,\"outTangent\":0}]}]"
#define CLIP(id, enemy, target, more) "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"" id "\"," \
    "\"enemy\":\"" enemy "\",\"displayName\":\"A\",\"durationSeconds\":1,\"frameRate\":60,\"loop\":false," \
    "\"tracks\":" TRACK(target) more "}"
#define MORE(more) CLIP("a:enemy-animation/a", "a:enemy/a", "bone/a", more)
#define COLOUR "{\"r\":1,\"g\":1,\"b\":1,\"a\":1}"
#define EFFECT(id, texture) MORE(",\"effects\":[{\"id\":\"" id "\",\"trigger\":\"\",\"index\":0," \
    "\"target\":\"bone/a\",\"durationSeconds\":1,\"loop\":false,\"maxParticles\":1,\"startLifetimeMin\":1," \
    "\"startLifetimeMax\":1,\"startSpeedMin\":1,\"startSpeedMax\":1,\"startSizeMin\":1,\"startSizeMax\":1," \
    "\"gravityMin\":0,\"gravityMax\":0,\"scaleX\":1,\"scaleY\":1,\"scaleZ\":1,\"simulationSpace\":\"Local\"," \
    "\"startColorMin\":" COLOUR ",\"startColorMax\":" COLOUR ",\"emissionRateMin\":0,\"emissionRateMax\":0," \
    "\"shapeEnabled\":true,\"shape\":\"\",\"shapeRadius\":1,\"shapeAngle\":0,\"textureSheetTilesX\":1," \
    "\"textureSheetTilesY\":1,\"textureSheetSprites\":[],\"sortingOrder\":0,\"source\":{}," \
    "\"texture\":\"" texture "\"}]")
#define NAME_LETTERS {"a", "7", "-", "_", ".", "/", ":", "A"}
static const text_set clip_texts[] = {
    {CLIP("@", "a:enemy/a", "bone/a", ""), "", ":enemy-animation/a", NAME_LETTERS, 3},
    {CLIP("@", "a:enemy/a", "bone/a", ""), "a:enemy-animation/", "", NAME_LETTERS, 3},
    {CLIP("a:enemy-animation/a", "@", "bone/a", ""), "a:enemy", "", {"/", "a", ":", "\\n", "-"}, 4},
    {CLIP("a:enemy-animation/a", "a:enemy/a", "@", ""), "bone", "", {"/", "a", "-", ".", "A", "\\n", "0"}, 4},
    {CLIP("a:enemy-animation/a", "a:enemy/a", "@", ""), "sprite/", "/a", {"/", "a", "-", "_"}, 3},
    {MORE(",\"events\":[{\"time\":0,\"type\":\"cue\",\"cue\":\"@\"}]"), "", "", NAME_LETTERS, 3},
    {MORE(",\"objectTracks\":[{\"target\":\"@\",\"property\":\"sprite\",\"keys\":[{\"time\":0,\"name\":\"a\"}]}]"),
     "sprite", "", {"/", "a", "-", "bone", "_"}, 4},
    {EFFECT("@", "a.png"), "", "", NAME_LETTERS, 3},
    {EFFECT("a", "@"), "", ".png", {"a", "Z", ":", "/", ".", "\\n", "\\u2028", "\\\\"}, 4},
    {EFFECT("a", "@"), "a", "", {".", "p", "n", "g", "G", "/"}, 5},
    {NULL, NULL, NULL, {NULL}, 0},
};

static const char *const pack_others[] = {
    "null", "true", "false", "\"\"", "\"x\"", "[]", "{}", "[1]", "[1,2]", "[1,0]", "[1,2,3]", "[\"a.ktx2\"]", "-1", "-0.0",
    "0", "0.5", "2.0", "1e400", "\"ktx2\"", "\"KTX2\"", "\"loop\"", "\"a.ktx2\"", "\"../a.ktx2\"", "\"a.json\"",
    "[{}]", "{\"a\":{}}", "{\"a\":[]}", "{\"a\":[\"a.ktx2\"]}",
    "[{\"id\":\"a\",\"label\":\"b\",\"isRoot\":true}]",
    "[{\"id\":\"a\",\"label\":\"b\",\"isRoot\":true},{\"id\":\"a\",\"label\":\"b\",\"isRoot\":true}]",
    "[{\"id\":\"a\",\"label\":\"b\",\"isRoot\":1},{\"id\":\"a\",\"label\":\"b\",\"isRoot\":true},true]", NULL,
};

#define PACK(graph, mouth, frame) "{\"format\":\"amadeus.spriteforge.character-pack.v1\",\"id\":\"a\"," \
    "\"displayName\":\"A\",\"version\":\"1\",\"textureFormat\":\"ktx2\",\"graph\":\"" graph "\"," \
    "\"mouthConfig\":\"" mouth "\",\"clips\":{\"a\":{\"phase\":\"in\",\"frameIntervalMs\":40," \
    "\"loopMode\":\"loop\",\"frames\":[\"" frame "\",\"a.ktx2\"]},\"b\":{\"phase\":\"in\"," \
    "\"frameIntervalMs\":1,\"loopMode\":\"once_then_hold\",\"frames\":[\"a.ktx2\"]}}," \
    "\"mouthOverlays\":{\"a\":[\"b.ktx2\"]}," \
    "\"clipCount\":2,\"frameCount\":3,\"textureCount\":2,\"textureBytes\":0,\"quality\":4,\"zcmp\":18}"
#define PATH_LETTERS {"a", "Z", ":", "/", ".", "\\n", "\\u2028", "\\\\"}
static const text_set pack_texts[] = {
    {PACK("a.json", "b.json", "@"), "", ".ktx2", PATH_LETTERS, 4},
    {PACK("a.json", "b.json", "@"), "a", "", {".", "k", "t", "x", "2", "X"}, 5},
    {PACK("@", "b.json", "a.ktx2"), "", ".json", PATH_LETTERS, 4},
    {PACK("a.json", "@", "a.ktx2"), "..", "", {"/", "a", ".json", "\\"}, 4},
    {NULL, NULL, NULL, {NULL}, 0},
};

// Counts through all of them like figures of a number, the shortest first.
static void print_texts(const text_set *set) {
    uint32_t letter_count = 0;
    while (letter_count < sizeof set->letters / sizeof set->letters[0] && set->letters[letter_count] != NULL) {
        letter_count++;
    }
    const char *at = strchr(set->document, '@');
    for (uint32_t length = 0, count = 1; length <= set->length; length++, count *= letter_count) {
        for (uint32_t number = 0; number < count; number++) {
            zb_arena arena = zb_arena_open(NULL);
            zb_buffer out = zb_buffer_open(&arena);
            zb_put_bytes(&out, set->document, (size_t)(at - set->document));
            zb_put(&out, set->head);
            for (uint32_t i = 0, rest = number; i < length; i++, rest /= letter_count) {
                zb_put(&out, set->letters[rest % letter_count]);
            }
            zb_put(&out, set->tail);
            zb_put(&out, at + 1);
            print_verdict("texts", NULL, (zo_text){out.data, out.size});
            zb_arena_close(&arena);
        }
    }
}

static const subject subjects[] = {
    {
        .format = "petween",
        .object = &zf_pt_definition_object,
        .vectors = {"tests/vectors/petween/validate.json", "tests/vectors/petween/compile.json",
                    "tests/vectors/petween/samples.json"},
        .member = "definition",
        .folders = {"tests/diag/petween", "examples/petween"},
        .others = definition_others,
        .seeds = { // one of each kind
        "{\"version\":1,\"id\":\"user:a\",\"name\":\"A\",\"kind\":\"transition\",\"durationMs\":240,"
        "\"repeat\":{\"mode\":\"once\",\"minDelayMs\":3},\"tracks\":[{\"property\":\"transition.y\",\"keyframes\":["
        "{\"at\":0,\"value\":0,\"easing\":\"ease\"},"
        "{\"at\":1,\"value\":{\"base\":0,\"parameter\":\"strength\",\"amount\":2}}]}],"
        "\"events\":[{\"at\":0.5,\"type\":\"pose-swap\"},"
        "{\"at\":0.6,\"type\":\"particle\",\"effect\":\"confetti\",\"pose\":4}],"
        "\"parameters\":{\"strength\":{\"default\":1,\"min\":0,\"max\":2},\"more\":1}}",
        "{\"version\":1,\"id\":\"user:b\",\"name\":\"B\",\"kind\":\"ambient\",\"durationMs\":900.5,"
        "\"repeat\":{\"mode\":\"random-interval\",\"minDelayMs\":1,\"maxDelayMs\":600000},"
        "\"tracks\":[{\"property\":\"bounce.y\","
        "\"keyframes\":[{\"at\":0,\"value\":0},{\"at\":1,\"value\":1}]},"
        "{\"property\":\"breathe.scaleX\",\"keyframes\":["
        "{\"at\":0.5,\"value\":1}]}],\"events\":[],\"extra\":{\"at\":7}}",
        "{\"version\":1,\"id\":\"user:c\",\"name\":\"C\",\"kind\":\"interaction\",\"durationMs\":60000,"
        "\"repeat\":{\"mode\":\"alternate\"},\"tracks\":[]}",
        "{\"version\":1,\"id\":\"user:d\",\"name\":\"D\",\"kind\":\"interaction\",\"durationMs\":1,"
        "\"repeat\":{\"mode\":\"loop\"},"
        "\"tracks\":[{\"property\":\"sway.rotation\",\"keyframes\":[{\"at\":0.25,\"value\":-1,\"easing\":"
        "\"cubic-bezier(.1, 2, 1, -3)\"}]}],\"events\":[{\"at\":1,\"type\":\"pose-swap\",\"pose\":\"user:wink\"},"
        "{\"at\":0,\"type\":\"pose-swap\",\"pose\":\"success\",\"effect\":null}]}",
        },
    },
    {
        .format = "enemy-animation",
        .object = &zf_en_clip_object,
        .vectors = {"tests/vectors/enemy/validate.json", "tests/cases/enemy/validate.json"},
        .member = "document",
        .folders = {"tests/diag/enemy"},
        .others = clip_others,
        .seed_files = {"tests/schema/enemy-animation.json"},
        .texts = clip_texts,
        .one_profile = true,
    },
    {
        .format = "character-pack-v1/runtime_manifest",
        .object = &zf_cp_manifest_object,
        .others = pack_others,
        .seeds = {PACK("a.json", "b/c.json", "a.ktx2")},
        .texts = pack_texts,
        .one_profile = true,
        .by_table = true,
    },
    {
        .format = "character-pack-v1/graph_config",
        .object = &zf_cp_graph_object,
        .others = pack_others,
        .seeds = {"{\"nodes\":[{\"id\":\"a\",\"label\":\"b\"},{\"id\":\"c\",\"label\":\"b\",\"isRoot\":true},"
                  "{\"id\":\"d\",\"label\":\"e\",\"isRoot\":false}],\"edges\":[{\"id\":\"e\",\"from\":\"a\","
                  "\"to\":\"c\",\"prob\":0.5},{\"id\":\"f\",\"from\":\"c\",\"to\":\"a\",\"prob\":0}]}"},
        .one_profile = true,
        .by_table = true,
    },
    {
        .format = "character-pack-v1/mouth_config",
        .object = &zf_cp_mouth_object,
        .others = pack_others,
        .seeds = {"{\"version\":3,\"canvas_size\":[7,0.5],\"profile_kind\":\"runtime_ktx2\",\"expressions\":"
                  "{\"neutral\":{\"cx\":1,\"cy\":-2.5,\"width\":40,\"height\":20,\"curve\":0.2},\"b\":{}},"
                  "\"profiles\":{\"a\":{\"mouth_set\":\"b\",\"cx\":1,\"cy\":2,\"width\":3,\"height\":4,"
                  "\"openness\":[0,1],\"closed_frame_idx\":0,\"anchor_track\":[{\"cx\":1,\"cy\":2,\"width\":3,"
                  "\"height\":4,\"score\":0.5}],\"runtime_overlay_anchor\":{\"cx\":1,\"cy\":2,\"width\":3,"
                  "\"height\":4}},\"c\":{}}}",
                  "{\"version\":\"x\",\"canvas_size\":null,\"profile_kind\":null,\"expressions\":{},\"profiles\":{}}"},
        .one_profile = true,
        .by_table = true,
    },
};

static void run_seed(zo_text text) {
    print_verdict("seeds", profile_names[profile], text);
    print_all_changed("seeds", text);
}

static void run(const char *root) {
    const subject *s = subject_of;
    for (size_t i = 0; i < LIST_MAX && s->vectors[i] != NULL; i++) { run_vectors(root, s->vectors[i]); }
    for (size_t i = 0; i < LIST_MAX && s->folders[i] != NULL; i++) { run_folder(root, s->folders[i]); }
    if (s->one_profile && profile != ZO_PROFILE_DOCUMENT) { return; }
    for (size_t i = 0; i < LIST_MAX && s->seeds[i] != NULL; i++) { run_seed(zb_text(s->seeds[i])); }
    for (size_t i = 0; i < LIST_MAX && s->seed_files[i] != NULL; i++) {
        zb_arena arena = zb_arena_open(NULL);
        run_seed(read_file(&arena, root, s->seed_files[i]));
        zb_arena_close(&arena);
    }
    for (const text_set *set = s->texts; set != NULL && set->document != NULL; set++) { print_texts(set); }
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 3 && i < sizeof subjects / sizeof subjects[0]; i++) {
        if (strcmp(subjects[i].format, argv[2]) == 0) { subject_of = &subjects[i]; }
    }
    if (subject_of == NULL) {
        fprintf(stderr, "usage: zoetrope-verdicts ROOT FORMAT\n");
        return 2;
    }
    print_rules();
    for (uint32_t p = ZO_PROFILE_DOCUMENT; p <= ZO_PROFILE_ORIGINAL; p++) {
        profile = (zo_profile)p;
        run(argv[1]);
    }
    return 0;
}
