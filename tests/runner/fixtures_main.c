// zoetrope-fixtures [--update] DIR: one fixture for each diagnostic. DIR/<format>/<slug>.json is checked as `zoetrope
// check` checks it, in its own folder, and must give the text beside it; files of formats that are no JSON have their
// own endings. Parts of the name between slug and ending are options: `original`, `strict` and `maybe`, `play` where a
// program is wanted, `deep` where textures are opened, `gone` where the file is not there and was to be a pack's, `short`
// where sources may have 32 bytes at most, `bedrock` where it is made files of that kind, else the name of a format to
// read it as. Files in a folder of the fixture's name with .beside for .json are given with it, a ~ in their names for a
// slash; its missing.txt lists names that are not there. Those of package/ say
// what an archive holds: its entries, and the manifest in it. Each rule that the library has must be shown by its fixture.
// With --update the texts are written instead.
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zoetrope/zoetrope.h>

#include "diag/diag.h"
#include "json/json.h"

static const char *const endings[] = {".json", ".b3d"};

// Where the ending of a fixture's name begins; NULL: it is none.
static const char *ending_of(const char *name) {
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(dot, endings[i]) == 0) { return dot; }
    }
    return NULL;
}

typedef struct text {
    char *data;
    size_t size;
} text;

static bool append(void *context, const void *bytes, size_t size) {
    text *t = context;
    char *data = realloc(t->data, t->size + size + 1);
    if (data == NULL) { abort(); }
    memcpy(data + t->size, bytes, size);
    data[t->size + size] = '\0';
    *t = (text){data, t->size + size};
    return true;
}

static bool read_file(const char *path, text *out) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    char piece[4096];
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;) { append(out, piece, size); }
    if (out->data == NULL) { append(out, "", 0); }
    fclose(file);
    return true;
}

static bool write_file(const char *path, text t) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) { return false; }
    const bool written = fwrite(t.data, 1, t.size, file) == t.size;
    return fclose(file) == 0 && written;
}

// Rules of the text alone, under conditions that no format of ours has yet: comments allowed, a limit that a small file
// can pass.
static const struct {
    const char *fixture;
    zj_limits limits;
} text_only[] = {
    {"json/comment.json", {.lenient = ZJ_COMMENTS}},
    {"json/comment-open.json", {.lenient = ZJ_COMMENTS}},
    {"json/lenient-syntax.json", {.lenient = ZJ_LOOSE}},
    {"json/size.json", {.size_max = 16}},
};

static zo_report *check_text(const char *name, text bytes, const zj_limits *limits) {
    zb_arena arena = zb_arena_open(NULL);
    zd_report *report = zd_report_open(NULL, 0, false);
    const uint32_t file = zd_report_file(report, name, bytes.data, bytes.size);
    zj_parse(&arena, bytes.data, bytes.size, file, limits, report);
    zd_report_finish(report);
    zb_arena_close(&arena);
    return report;
}

enum { BESIDE_MAX = 16 };
typedef struct beside {
    zo_source sources[BESIDE_MAX]; // the first is the fixture itself
    uint32_t count;
    text texts[BESIDE_MAX];
    char names[BESIDE_MAX][256];
} beside;

static void add_beside(beside *b, const char *name, text bytes, zo_source_kind kind) {
    if (b->count == BESIDE_MAX) { abort(); }
    if (snprintf(b->names[b->count], sizeof b->names[0], "%s", name) >= (int)sizeof b->names[0]) { abort(); }
    b->texts[b->count] = bytes;
    b->sources[b->count] = (zo_source){.name = b->names[b->count], .bytes = bytes.data, .size = bytes.size, .kind = kind};
    b->count++;
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void gather_beside(const char *folder, beside *b) {
    char names[BESIDE_MAX][256], path[8192];
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL && count < BESIDE_MAX;) {
        if (entry->d_name[0] != '.') { snprintf(names[count++], sizeof names[0], "%s", entry->d_name); }
    }
    if (dir != NULL) { closedir(dir); }
    qsort(names, count, sizeof names[0], by_text);
    for (size_t i = 0; i < count; i++) {
        text bytes = {NULL, 0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (!read_file(path, &bytes)) { continue; }
        if (strcmp(names[i], "missing.txt") != 0) {
            for (char *at = names[i]; *at != 0; at++) { *at = *at == '~' ? '/' : *at; }
            add_beside(b, names[i], bytes, ZO_SOURCE_FILE);
            continue;
        }
        char *state = NULL;
        for (char *name = strtok_r(bytes.data, "\n", &state); name != NULL; name = strtok_r(NULL, "\n", &state)) {
            add_beside(b, name, (text){NULL, 0}, ZO_SOURCE_MISSING);
        }
        free(bytes.data);
    }
}

// ---- Archives ----

static uint32_t member(const zj_doc *doc, uint32_t object, const char *name) { return zj_member(doc, object, zb_text(name)); }

static double number_of(const zj_doc *doc, uint32_t node, double otherwise) {
    return node != 0 ? zj_at(doc, node)->as.number : otherwise;
}

static uint32_t flags_of(const zj_doc *doc, uint32_t node) { // no words: it was unpacked
    static const char *const words[] = {"encrypted", "link", "method", "damaged"};
    uint32_t flags = 0;
    for (uint32_t item = node != 0 ? zj_at(doc, node)->as.items.first : 0; item != 0; item = zj_at(doc, item)->next) {
        for (uint32_t i = 0; i < 4; i++) { flags |= zb_text_equal(zj_text(doc, item), zb_text(words[i])) ? 1u << i : 0; }
    }
    return flags != 0 ? flags : ZO_ENTRY_UNPACKED;
}

static void read_picture(const zj_doc *doc, uint32_t node, zo_picture_info *info) {
    if (node == 0 || zj_kind_of(doc, node) != ZJ_OBJECT) { return; }
    info->kind = (zo_picture_kind)number_of(doc, member(doc, node, "kind"), 0);
    info->width = (uint32_t)number_of(doc, member(doc, node, "width"), 0);
    info->height = (uint32_t)number_of(doc, member(doc, node, "height"), 0);
    const zo_text hash = zj_text(doc, member(doc, node, "sha256"));
    snprintf(info->sha256, sizeof info->sha256, "%.*s", (int)hash.size, hash.data);
}

static zo_report *check_archive(text bytes) {
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, bytes.data, bytes.size, 0, NULL, NULL);
    if (doc == NULL) { abort(); }
    const uint32_t list = member(doc, ZJ_ROOT, "entries"), manifest = member(doc, ZJ_ROOT, "manifest");
    const uint32_t fault = member(doc, ZJ_ROOT, "fault");
    zo_entry *entries = zb_arena_take_array(&arena, (size_t)doc->node_count, sizeof *entries);
    zo_archive archive = {.name = "cat.zip", .entries = entries,
                          .claimed_count = (uint64_t)number_of(doc, member(doc, ZJ_ROOT, "count"), 0),
                          .fault = fault != 0 ? zb_arena_text(&arena, zj_text(doc, fault)) : NULL};
    for (uint32_t item = zj_at(doc, list)->as.items.first; item != 0; item = zj_at(doc, item)->next) {
        zo_entry *e = &entries[archive.entry_count++];
        *e = (zo_entry){.name = zj_text(doc, member(doc, item, "name")), .flags = flags_of(doc, member(doc, item, "flags")),
                        .size = (uint64_t)number_of(doc, member(doc, item, "size"), 100)};
        e->real_size = (uint64_t)number_of(doc, member(doc, item, "realSize"), (double)e->size);
        read_picture(doc, member(doc, item, "picture"), &e->picture);
    }
    zo_source source = {.name = "cat.zip/manifest.json", .kind = ZO_SOURCE_MISSING};
    if (manifest != 0) {
        const zo_text inner = zj_source(doc, manifest); // of the fixture's bytes, which outlive the report
        source = (zo_source){.name = source.name, .bytes = inner.data, .size = inner.size};
    }
    const zo_compile_def def = {.format = "pet-package", .archive = &archive};
    zo_report *report = NULL;
    zo_compile(&source, 1, &def, NULL, &report);
    zb_arena_close(&arena);
    return report;
}

// As --deep, of textures that nothing packs.
static zo_look look_at(void *context, const char *name) {
    static uint8_t pixels[1 << 12];
    const beside *b = context;
    for (uint32_t i = 1; i < b->count; i++) {
        zo_texture texture;
        zo_texture_fault found = {.text = "it is too large here"};
        const zo_source *source = &b->sources[i];
        if (strcmp(source->name, name) != 0) { continue; }
        if (zo_texture_open(source->bytes, source->size, &texture, &found) != ZO_OK) {
            return (zo_look){.fault = found.text};
        }
        zo_image image = {pixels, texture.width, texture.height, (size_t)texture.width * 4};
        if (image.stride * image.height > sizeof pixels ||
            zo_texture_decode(&texture, 0, NULL, &image, &found) != ZO_OK) {
            return (zo_look){.fault = found.text};
        }
        return (zo_look){.width = image.width, .height = image.height};
    }
    return (zo_look){.fault = "it is not there"};
}

static zo_report *check(const char *root, const char *fixture, text bytes, beside *b) {
    const char *name = strchr(fixture, '/') + 1;
    if (strncmp(fixture, "package/", strlen("package/")) == 0) { return check_archive(bytes); }
    for (size_t i = 0; i < sizeof text_only / sizeof text_only[0]; i++) {
        if (strcmp(text_only[i].fixture, fixture) == 0) { return check_text(name, bytes, &text_only[i].limits); }
    }
    zo_compile_def def = {0};
    bool gone = false, play = false, bedrock = false;
    char parts[256];
    snprintf(parts, sizeof parts, "%.*s", (int)(ending_of(name) - name), name);
    char *state = NULL;
    strtok_r(parts, ".", &state); // the slug
    for (char *part; (part = strtok_r(NULL, ".", &state)) != NULL;) {
        if (strcmp(part, "original") == 0) {
            def.profile = ZO_PROFILE_ORIGINAL;
        } else if (strcmp(part, "strict") == 0) {
            def.strict = true;
        } else if (strcmp(part, "maybe") == 0) {
            def.maybe = true;
        } else if (strcmp(part, "gone") == 0) {
            gone = true;
            def.format = "character-pack-v1/runtime_manifest";
        } else if (strcmp(part, "deep") == 0) {
            def.look = look_at;
            def.look_context = b;
        } else if (strcmp(part, "play") == 0) {
            play = true;
        } else if (strcmp(part, "bedrock") == 0) {
            bedrock = true;
        } else if (strcmp(part, "short") == 0) {
            def.size_max = 32;
        } else {
            def.format = part;
        }
    }
    add_beside(b, name, gone ? (text){NULL, 0} : bytes, gone ? ZO_SOURCE_MISSING : ZO_SOURCE_FILE);
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/%.*s.beside", root, (int)(ending_of(fixture) - fixture), fixture);
    gather_beside(folder, b);
    zo_report *report = NULL;
    zo_program *program = NULL;
    if (bedrock) {
        zo_package *files = NULL;
        zo_export(b->sources, b->count, "bedrock", &def, &files, &report);
        zo_package_free(files);
        return report;
    }
    zo_compile(b->sources, b->count, &def, play ? &program : NULL, &report);
    zo_program_free(program);
    return report;
}

// "petween/at" is shown by petween/at.json or petween/at.original.json.
static bool shows_its_rule(const char *fixture, const zo_report *report) {
    const char *slash = strchr(fixture, '/');
    const size_t size = (size_t)(strchr(slash, '.') - fixture);
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const char *id = zo_report_at(report, i)->id;
        if (strlen(id) == size && strncmp(id, fixture, size) == 0) { return true; }
    }
    fprintf(stderr, "%s: does not give %.*s\n", fixture, (int)size, fixture);
    return false;
}

static bool compare(const char *folder, const char *fixture, text actual, bool update) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%.*s.txt", folder, (int)(ending_of(fixture) - fixture), fixture);
    if (update) { return write_file(path, actual); }
    text expected = {NULL, 0};
    const bool read = read_file(path, &expected);
    const bool same = read && expected.size == actual.size && memcmp(expected.data, actual.data, actual.size) == 0;
    if (!same) {
        fprintf(stderr, "%s: expected\n%sbut it is\n%s", fixture, read ? expected.data : "(there is no text)\n",
                actual.data);
    }
    free(expected.data);
    return same;
}

static bool run_fixture(const char *folder, const char *fixture, bool update) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, fixture);
    text bytes = {NULL, 0};
    if (!read_file(path, &bytes)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    beside *b = calloc(1, sizeof *b); // the report quotes from it
    if (b == NULL) { abort(); }
    zo_report *report = check(folder, fixture, bytes, b);
    text actual = {NULL, 0};
    append(&actual, "", 0);
    zo_report_write(report, ZO_REPORT_HUMAN, false, append, &actual);
    const bool shown = shows_its_rule(fixture, report);
    const bool same = compare(folder, fixture, actual, update);
    zo_report_free(report);
    free(actual.data);
    for (uint32_t i = 1; i < b->count; i++) { free(b->texts[i].data); }
    free(b);
    free(bytes.data);
    return shown && same;
}

// Every fixture of one sub-folder; a file is one by its ending.
static uint32_t run_folder(const char *folder, const char *format, bool update, bool *shown) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, format);
    DIR *dir = opendir(path);
    uint32_t failed = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (ending_of(entry->d_name) == NULL) { continue; }
        char fixture[512];
        snprintf(fixture, sizeof fixture, "%s/%s", format, entry->d_name);
        failed += run_fixture(folder, fixture, update) ? 0 : 1;
        for (uint32_t i = 0; zo_rule_at(i) != NULL; i++) {
            const size_t size = strlen(zo_rule_at(i)->id);
            shown[i] = shown[i] || (strncmp(fixture, zo_rule_at(i)->id, size) == 0 && fixture[size] == '.');
        }
    }
    if (dir != NULL) { closedir(dir); }
    return failed;
}

int main(int argc, char **argv) {
    const bool update = argc == 3 && strcmp(argv[1], "--update") == 0;
    if (argc != 2 && !update) {
        fprintf(stderr, "usage: zoetrope-fixtures [--update] DIR\n");
        return 2;
    }
    const char *folder = argv[argc - 1];
    static bool shown[ZD_COUNT];
    uint32_t failed = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        fprintf(stderr, "%s: not a folder that can be read\n", folder);
        return 3;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] != '.') { failed += run_folder(folder, entry->d_name, update, shown); }
    }
    closedir(dir);
    uint32_t count = 0;
    for (; zo_rule_at(count) != NULL; count++) {
        if (!shown[count]) {
            fprintf(stderr, "%s has no fixture\n", zo_rule_at(count)->id);
            failed++;
        }
    }
    printf("%u rules, %u faults\n", count, failed);
    return failed > 0 ? 1 : 0;
}
