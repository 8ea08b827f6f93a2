// `zoetrope charpack`: a character pack built of PNG pictures and an authoring file, and one taken apart into these. A
// picture at a time is in memory; the folder appears when it is whole and has been judged as every other pack is.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "basisu.h"
#include "host/sha256.h"
#include "inflate.h"
#include "load.h"
#include "movie.h"
#include "progress.h"
#include "texture_file.h"
#include "walk.h"

static const char source_name[] = "pack.json", manifest_name[] = "runtime_manifest.json", speech_name[] = "speech.json";
static const size_t SOURCE_MAX = (size_t)64 << 20, PICTURE_BYTES_MAX = (size_t)256 << 20;
enum { LEVEL = 12, QUALITY = 2, DIGEST_SIZE = 32 };

typedef struct job {
    const cli_args *args;
    const char *out;
    cli_tree tree;
    char *file, *root;    // build: the authoring file, and the folder that it lies in
    cli_bytes bytes;      // of that file
    cli_bytes speech;     // of the lists of speech, which go along as they are
    bool has_speech;
    zo_compile_def def;
    const zo_charpack_plan *plan;
    uint8_t *digests;     // [picture_count][DIGEST_SIZE], of sides and pixels
    uint32_t *same_as;    // as zo_charpack_stored
    size_t *sizes;        // [picture_count]: bytes of their textures
    uint32_t *slots;      // the pictures by their digests, from 1; 0: free
    uint32_t slot_count;  // a power of two
    zo_charpack_stored stored;
    bool uastc;
    uint32_t quality, level;
} job;

static int say_report(const job *j, zo_status status, zo_report *report, const char *name) {
    if (report != NULL && zo_report_count(report) > 0) {
        zo_report_write(report, ZO_REPORT_HUMAN, cli_use_color(j->args, stderr), cli_to_stderr, NULL);
    }
    if (status == ZO_NO_MEMORY) { cli_say("not enough memory for '%s'", name); }
    zo_report_free(report);
    return cli_code_of(status);
}

static void show_progress(const job *j, uint32_t done, uint32_t total) {
    if (cli_progress_wanted(j->args)) { cli_progress(NULL, done, total); }
}

static char *path_in(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    const bool slash = *folder != 0 && folder[strlen(folder) - 1] == '/';
    if (path != NULL) { snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name); }
    if (path == NULL) { cli_say("not enough memory"); }
    return path;
}

// What labels mean to somebody who speaks, where a folder says so.
static int read_speech(job *j, const char *folder) {
    char *path = path_in(folder, speech_name);
    j->has_speech = path != NULL && cli_file_exists(path);
    const int code = path == NULL ? CLI_INTERNAL
                     : j->has_speech && !cli_read_file(path, SOURCE_MAX, &j->speech) ? CLI_FILES : CLI_FINE;
    free(path);
    return code;
}

static bool add_speech(job *j) {
    return !j->has_speech || cli_tree_add(&j->tree, speech_name, j->speech.data, j->speech.size);
}

// --------------------------------------------------------------------------------------------------------------- build

// The folder of a file: "." of one beside us.
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static int read_source(job *j) {
    const char *path = j->args->operands[1];
    const bool folder = cli_is_folder(path);
    j->file = folder ? path_in(path, source_name) : strdup(path);
    j->root = folder ? strdup(path) : folder_of(path);
    if (j->file == NULL || j->root == NULL) { return CLI_INTERNAL; }
    if (!cli_read_file(j->file, SOURCE_MAX, &j->bytes)) { return CLI_FILES; }
    cli_paths found = {0};
    cli_paths_walk_ending(&found, j->root, ".png");
    const char **names = calloc((size_t)found.count + 1, sizeof *names);
    const size_t root_size = strlen(j->root);
    int code = names == NULL ? CLI_INTERNAL : found.failed ? CLI_FILES : CLI_FINE;
    if (code == CLI_FINE && found.astray != NULL) {
        cli_say("'%s' is a link that leads to no file in '%s'", found.astray, j->root);
        code = CLI_FAULTY;
    }
    for (uint32_t i = 0; names != NULL && i < found.count; i++) {
        names[i] = found.items[i] + root_size;
        names[i] += *names[i] == '/';
    }
    if (code == CLI_FINE) {
        const zo_source source = {.name = j->file, .bytes = j->bytes.data, .size = j->bytes.size};
        zo_report *report = NULL;
        const zo_status status = zo_charpack_plan_open(&source, names, found.count, &j->def, &j->plan, &report);
        code = say_report(j, status, report, j->file);
    }
    free(names);
    cli_paths_free(&found);
    return code;
}

// What the command line says, else the file, else the usual.
static bool pick_encoding(job *j) {
    double level = j->plan->level > 0 ? j->plan->level : LEVEL;
    if (!cli_number(j->args, CLI_OPT_LEVEL, 1.0, 22.0, &level)) { return false; }
    if (level != (double)(uint32_t)level) {
        cli_usage(j->args, "--level wants a whole number, not '%s'", j->args->values[CLI_OPT_LEVEL]);
        return false;
    }
    j->level = (uint32_t)level;
    j->uastc = cli_given(j->args, CLI_OPT_UASTC) || j->plan->encoding == ZO_CHARPACK_UASTC;
    j->quality = j->plan->quality > 0 ? j->plan->quality - 1 : QUALITY;
    return true;
}

static bool reserve(job *j) {
    const size_t count = j->plan->picture_count;
    for (j->slot_count = 16; j->slot_count < 2 * count; j->slot_count *= 2) {}
    j->digests = calloc(count + 1, DIGEST_SIZE);
    j->same_as = calloc(count + 1, sizeof *j->same_as);
    j->sizes = calloc(count + 1, sizeof *j->sizes);
    j->slots = calloc(j->slot_count, sizeof *j->slots);
    if (j->digests == NULL || j->same_as == NULL || j->sizes == NULL || j->slots == NULL) {
        cli_say("not enough memory for %zu pictures", count);
        return false;
    }
    return true;
}

// Whether an earlier picture has the same sides and pixels; those under clear ones count as well.
static bool is_known(job *j, uint32_t index, const zo_image *image) {
    uint8_t *digest = j->digests + (size_t)index * DIGEST_SIZE;
    const uint32_t sides[2] = {image->width, image->height};
    sha256 hash;
    uint32_t slot;
    sha256_start(&hash);
    sha256_add(&hash, sides, sizeof sides);
    sha256_add(&hash, image->pixels, image->stride * image->height);
    sha256_end(&hash, digest);
    memcpy(&slot, digest, sizeof slot);
    for (slot &= j->slot_count - 1; j->slots[slot] != 0; slot = (slot + 1) & (j->slot_count - 1)) {
        const uint32_t other = j->slots[slot] - 1;
        if (memcmp(j->digests + (size_t)other * DIGEST_SIZE, digest, DIGEST_SIZE) == 0) {
            j->same_as[index] = other;
            return true;
        }
    }
    j->slots[slot] = index + 1;
    j->same_as[index] = index;
    return false;
}

typedef struct growing {
    cli_bytes bytes;
    size_t capacity;
} growing;

static bool grow(void *context, const void *bytes, size_t size) {
    growing *g = context;
    if (g->capacity - g->bytes.size < size) {
        const size_t capacity = g->bytes.size + size + g->bytes.size / 2;
        uint8_t *data = realloc(g->bytes.data, capacity);
        if (data == NULL) { return false; }
        g->bytes.data = data;
        g->capacity = capacity;
    }
    memcpy(g->bytes.data + g->bytes.size, bytes, size);
    g->bytes.size += size;
    return true;
}

static int encode_rgba8(const job *j, const char *name, const zo_image *image, cli_bytes *texture) {
    growing out = {{0}, 0};
    const zo_texture_file file = {.levels = image, .level_count = 1, .scheme = ZO_SCHEME_ZSTD,
                                  .effort = (int)j->level, .deflate = cli_deflate};
    const zo_status status = zo_texture_write(&file, grow, &out);
    *texture = out.bytes;
    if (status == ZO_OK) { return CLI_FINE; }
    cli_say(status == ZO_LIMIT ? "'%s' is too large for a texture" : "not enough memory for a texture of '%s'", name);
    return cli_code_of(status);
}

// Through files in the folder being made, which a signal takes away with it. What comes back is looked at: it is to be
// a texture of the picture's size.
static int encode_uastc(job *j, const char *from, const zo_image *image, cli_bytes *texture) {
    static const char name[] = ".texture";
    char *path = cli_tree_path(&j->tree, name);
    if (path == NULL) { return CLI_INTERNAL; }
    int code = cli_tree_add(&j->tree, name, NULL, 0) ? CLI_FINE : CLI_FILES;
    if (code == CLI_FINE && !cli_basisu(from, path, j->quality, j->level)) { code = CLI_FILES; }
    if (code == CLI_FINE && !cli_read_file(path, PICTURE_BYTES_MAX, texture)) { code = CLI_FILES; }
    unlink(path);
    free(path);
    zo_texture look;
    if (code == CLI_FINE && (zo_texture_open(texture->data, texture->size, &look, NULL) != ZO_OK ||
                             look.width != image->width || look.height != image->height)) {
        cli_say("what basisu has made of '%s' is no texture of its size", from);
        code = CLI_FILES;
    }
    return code;
}

static int store_picture(job *j, uint32_t index) {
    const char *name = j->plan->pictures[index];
    char *path = path_in(j->root, name);
    cli_bytes bytes = {0}, texture = {0};
    zo_image image = {0};
    int code = path == NULL ? CLI_INTERNAL : CLI_FINE;
    if (code == CLI_FINE && !cli_read_file(path, PICTURE_BYTES_MAX, &bytes)) { code = CLI_FILES; }
    if (code == CLI_FINE && !cli_decode_png(path, bytes.data, bytes.size, &image)) { code = CLI_FAULTY; }
    if (code == CLI_FINE && !is_known(j, index, &image)) {
        code = j->uastc ? encode_uastc(j, path, &image, &texture) : encode_rgba8(j, path, &image, &texture);
        if (code == CLI_FINE && !cli_tree_add(&j->tree, j->plan->textures[index], texture.data, texture.size)) {
            code = CLI_FILES;
        }
        j->sizes[index] = texture.size;
        j->stored.texture_bytes += texture.size;
    }
    cli_bytes_free(&texture);
    cli_bytes_free(&bytes);
    free(image.pixels);
    free(path);
    return code;
}

// What is handed on must be what others accept, so it is judged like anybody's before it is put in place.
static int judge(const job *j, const zo_package *made) {
    const uint32_t count = j->plan->picture_count, all = made->file_count + count;
    zo_source *sources = calloc((size_t)all + 2, sizeof *sources);
    uint32_t named = 0;
    int code = sources != NULL ? CLI_FINE : CLI_INTERNAL;
    for (uint32_t i = 0; code == CLI_FINE && i < all; i++) {
        const zo_package_file *file = i < made->file_count ? &made->files[i] : NULL;
        const uint32_t picture = i - made->file_count;
        if (file == NULL && j->same_as[picture] != picture) { continue; }
        zo_source *source = &sources[named++];
        *source = file != NULL ? (zo_source){.bytes = file->text.data, .size = file->text.size}
                               : (zo_source){.size = j->sizes[picture]};
        source->name = path_in(j->out, file != NULL ? file->name : j->plan->textures[picture]);
        if (source->name == NULL) { code = CLI_INTERNAL; }
    }
    if (code == CLI_FINE && j->has_speech) {
        zo_source *source = &sources[named++];
        *source = (zo_source){.name = path_in(j->out, speech_name), .bytes = j->speech.data, .size = j->speech.size};
        if (source->name == NULL) { code = CLI_INTERNAL; }
    }
    if (code == CLI_FINE) {
        zo_report *report = NULL;
        const zo_status status = zo_compile(sources, named, NULL, NULL, &report);
        code = say_report(j, status, report, j->out);
    }
    for (uint32_t i = 0; i < named; i++) { free((char *)(uintptr_t)sources[i].name); }
    free(sources);
    return code;
}

static int store_texts(job *j) {
    j->stored.same_as = j->same_as;
    j->stored.level = j->level;
    j->stored.quality = j->uastc ? j->quality + 1 : 0;
    zo_package *made = zo_charpack_make(j->plan, &j->stored);
    int code = made != NULL ? CLI_FINE : CLI_INTERNAL;
    if (made == NULL) { cli_say("not enough memory for '%s'", j->out); }
    if (code == CLI_FINE) { code = judge(j, made); }
    for (uint32_t i = 0; code == CLI_FINE && i < made->file_count; i++) {
        const zo_package_file *file = &made->files[i];
        if (!cli_tree_add(&j->tree, file->name, file->text.data, file->text.size)) { code = CLI_FILES; }
    }
    if (code == CLI_FINE && !add_speech(j)) { code = CLI_FILES; }
    zo_package_free(made);
    return code;
}

// Whether all that lies there is what packs have, so that nothing else is lost.
static bool may_give_way(const char *folder) {
    char *manifest = path_in(folder, manifest_name);
    const bool is_pack = manifest != NULL && cli_is_file(manifest);
    free(manifest);
    cli_paths found = {0};
    cli_paths_walk_ending(&found, folder, "");
    const char *other = found.astray;
    for (uint32_t i = 0; i < found.count && other == NULL; i++) {
        const char *dot = strrchr(found.items[i], '.');
        const bool fits = dot != NULL && (strcmp(dot, ".json") == 0 || strcasecmp(dot, ".ktx2") == 0);
        other = fits ? NULL : found.items[i];
    }
    if (!is_pack && (found.count > 0 || other != NULL)) {
        cli_say("'%s' is no character pack, so it is not replaced", folder);
    } else if (other != NULL) {
        cli_say("'%s' would be lost, so '%s' is not replaced", other, folder);
    }
    const bool fine = (is_pack || found.count == 0) && other == NULL && !found.failed;
    cli_paths_free(&found);
    return fine;
}

// A pack that has given way: its files, then the folders that they were in. What cannot go stays under that name.
static void remove_pack(const char *folder) {
    cli_paths found = {0};
    cli_paths_walk_ending(&found, folder, "");
    for (uint32_t i = 0; i < found.count; i++) {
        char *path = found.items[i];
        unlink(path);
        for (char *slash; strlen(path) > strlen(folder) && (slash = strrchr(path, '/')) != NULL;) {
            *slash = 0;
            if (strlen(path) > strlen(folder)) { rmdir(path); }
        }
    }
    if (rmdir(folder) != 0) { cli_say("the pack that was there is left as '%s': %s", folder, strerror(errno)); }
    cli_paths_free(&found);
}

static int put_in_place(job *j) {
    const bool replace = cli_given(j->args, CLI_OPT_REPLACE);
    char *aside = NULL;
    if (replace && cli_is_folder(j->out) && !may_give_way(j->out)) { return CLI_FILES; }
    if (!cli_tree_commit(&j->tree, replace ? &aside : NULL)) { return CLI_FILES; }
    if (aside != NULL) { remove_pack(aside); }
    free(aside);
    return CLI_FINE;
}

static void say_built(const job *j) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->plan->picture_count; i++) { count += j->same_as[i] == i; }
    cli_put_plain(stdout, j->out);
    fputs(": ", stdout);
    cli_put_plain(stdout, j->plan->id);
    const bool small = j->stored.texture_bytes < 1000000;
    printf(", %u clip%s, %u frame%s, %u texture%s, %.1f %s\n", j->plan->clip_count, j->plan->clip_count == 1 ? "" : "s",
           j->plan->frame_count, j->plan->frame_count == 1 ? "" : "s", count, count == 1 ? "" : "s",
           (double)j->stored.texture_bytes / (small ? 1e3 : 1e6), small ? "kB" : "MB");
}

// Before all the work.
static bool has_place(const job *j) {
    cli_paths found = {0};
    if (cli_given(j->args, CLI_OPT_REPLACE)) { return !cli_is_folder(j->out) || may_give_way(j->out); }
    if (cli_is_folder(j->out)) { cli_paths_walk_ending(&found, j->out, ""); }
    const bool free_place = found.count == 0 && !found.failed;
    if (found.count > 0) {
        cli_say("'%s' is there already and not empty; name a folder that is not, or give --replace", j->out);
    }
    cli_paths_free(&found);
    return free_place;
}

static int build(job *j) {
    int code = read_source(j);
    if (code == CLI_FINE) { code = read_speech(j, j->root); }
    if (code == CLI_FINE && !pick_encoding(j)) { code = CLI_USAGE; }
    if (code == CLI_FINE && !has_place(j)) { code = CLI_FILES; }
    if (code == CLI_FINE && !reserve(j)) { code = CLI_INTERNAL; }
    if (code == CLI_FINE && !cli_tree_open(&j->tree, j->out)) { code = CLI_FILES; }
    for (uint32_t i = 0; code == CLI_FINE && i < j->plan->picture_count; i++) {
        code = store_picture(j, i);
        show_progress(j, i + 1, j->plan->picture_count);
    }
    if (code == CLI_FINE) { code = store_texts(j); }
    if (code == CLI_FINE) { code = put_in_place(j); }
    if (code == CLI_FINE && !cli_given(j->args, CLI_OPT_QUIET)) { say_built(j); }
    return code;
}

// -------------------------------------------------------------------------------------------------------------- unpack

typedef struct unpacking {
    job *job;
    const char *folder;
    cli_bytes files[3];       // the manifest, and the two that it names
    zo_source sources[3];
    const zo_charpack_parts *parts;
} unpacking;

static int read_needs(unpacking *u, zo_report *report, uint32_t *count) {
    int code = CLI_FINE;
    for (uint32_t i = 0; code == CLI_FINE && i < zo_report_need_count(report) && *count < 3; i++) {
        const char *name = zo_report_need(report, i)->name;
        char *path = path_in(u->folder, name), *own = strdup(name);
        const bool fine = path != NULL && own != NULL && cli_read_file(path, SOURCE_MAX, &u->files[*count]);
        free(path);
        if (!fine) {
            free(own);
            return CLI_FILES;
        }
        u->sources[*count] = (zo_source){.name = own, .bytes = u->files[*count].data, .size = u->files[*count].size};
        (*count)++;
    }
    return code;
}

static int read_pack(unpacking *u) {
    char *path = path_in(u->folder, manifest_name);
    const bool fine = path != NULL && cli_read_file(path, SOURCE_MAX, &u->files[0]);
    free(path);
    if (!fine) { return CLI_FILES; }
    u->sources[0] = (zo_source){.name = manifest_name, .bytes = u->files[0].data, .size = u->files[0].size};
    uint32_t count = 1;
    int code = CLI_FINE;
    for (int round = 0; round < 2 && code == CLI_FINE && u->parts == NULL; round++) {
        zo_report *report = NULL;
        const zo_status status = zo_charpack_open(u->sources, count, &u->job->def, &u->parts, &report);
        if (status == ZO_NEEDS && round == 0) {
            code = read_needs(u, report, &count);
            zo_report_free(report);
        } else {
            code = say_report(u->job, status, report, u->folder);
        }
    }
    return code;
}

// Straight, whichever way it is stored: PNG knows nothing else.
static int unpack_picture(unpacking *u, uint32_t index) {
    const char *texture_name = u->parts->textures[index], *picture_name = u->parts->pictures[index];
    char *from = path_in(u->folder, texture_name), *to = cli_tree_path(&u->job->tree, picture_name);
    zo_image image = {0};
    char fault[CLI_FAULT_SIZE];
    int code = from == NULL || to == NULL ? CLI_INTERNAL : CLI_FINE;
    if (code == CLI_FINE && !cli_texture_read(from, ZO_TEXTURE_STRAIGHT, NULL, NULL, &image, fault)) {
        cli_say("'%s' cannot be unpacked: %s", from, fault);
        code = CLI_FAULTY;
    }
    if (code == CLI_FINE && !cli_tree_add(&u->job->tree, picture_name, NULL, 0)) { code = CLI_FILES; }
    if (code == CLI_FINE) { code = cli_write_png(to, &image); }
    free(image.pixels);
    free(from);
    free(to);
    return code;
}

static int unpack_all(unpacking *u) {
    job *j = u->job;
    int code = read_pack(u);
    if (code == CLI_FINE) { code = read_speech(j, u->folder); }
    if (code == CLI_FINE && !cli_tree_open(&j->tree, j->out)) { code = CLI_FILES; }
    for (uint32_t i = 0; code == CLI_FINE && i < u->parts->picture_count; i++) {
        code = unpack_picture(u, i);
        show_progress(j, i + 1, u->parts->picture_count);
    }
    if (code == CLI_FINE && !cli_tree_add(&j->tree, source_name, u->parts->source.data, u->parts->source.size)) {
        code = CLI_FILES;
    }
    if (code == CLI_FINE && !add_speech(j)) { code = CLI_FILES; }
    if (code == CLI_FINE && !cli_tree_commit(&j->tree, NULL)) { code = CLI_FILES; }
    if (code == CLI_FINE && !cli_given(j->args, CLI_OPT_QUIET)) {
        cli_put_plain(stdout, j->out);
        const uint32_t count = u->parts->picture_count;
        printf(": %u picture%s and %s\n", count, count == 1 ? "" : "s", source_name);
    }
    return code;
}

static int unpack(job *j) {
    static const cli_option_id of_build[] = {CLI_OPT_LEVEL, CLI_OPT_UASTC, CLI_OPT_REPLACE};
    for (uint32_t i = 0; i < sizeof of_build / sizeof of_build[0]; i++) {
        if (!cli_given(j->args, of_build[i])) { continue; }
        return cli_usage(j->args, "--%s is for 'charpack build'", cli_options[of_build[i]].name);
    }
    unpacking u = {.job = j, .folder = j->args->operands[1]};
    char *manifest = cli_is_folder(u.folder) ? cli_pack_in_folder(u.folder) : NULL;
    if (manifest == NULL && cli_file_exists(u.folder)) {
        cli_say("'%s' is no character pack: that is a folder with %s in it", u.folder, manifest_name);
        return CLI_FAULTY;
    }
    free(manifest);
    cli_loaded loaded;
    int code = cli_load(j->args, u.folder, false, &loaded);
    if (code != CLI_FINE && loaded.report != NULL) { cli_say_report(j->args, &loaded); }
    cli_loaded_free(&loaded);
    if (code == CLI_FINE) { code = unpack_all(&u); }
    zo_charpack_parts_free(u.parts);
    for (uint32_t i = 0; i < 3; i++) {
        cli_bytes_free(&u.files[i]);
        if (i > 0) { free((char *)(uintptr_t)u.sources[i].name); }
    }
    return code;
}

// ----------------------------------------------------------------------------------------------------------------- all

static const struct {
    const char *name;
    int (*run)(job *j);
} verbs[] = {{"build", build}, {"unpack", unpack}};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

static const char *verb_at(uint32_t index) { return index < VERBS ? verbs[index].name : NULL; }

int cli_charpack(const cli_args *args) {
    const char *name = args->operand_count > 0 ? args->operands[0] : NULL;
    uint32_t verb = 0;
    while (name != NULL && verb < VERBS && strcmp(verbs[verb].name, name) != 0) { verb++; }
    if (name == NULL) { return cli_usage(args, "charpack wants to be told what to do: build or unpack"); }
    if (verb == VERBS) {
        return cli_usage(args, "charpack cannot '%s', only build and unpack%s", name,
                         cli_did_you_mean(cli_nearest(name, verb_at)).text);
    }
    if (args->operand_count != 2) { return cli_usage(args, "charpack %s wants one folder", name); }
    if (!cli_given(args, CLI_OPT_OUT)) { return cli_usage(args, "charpack %s wants -o with a folder to write", name); }
    job j = {.args = args, .out = args->values[CLI_OPT_OUT]};
    if (strcmp(j.out, "-") == 0) {
        return cli_usage(args, "a folder is written, which cannot be the standard output");
    }
    const int code = verbs[verb].run(&j);
    cli_tree_discard(&j.tree);
    zo_charpack_plan_free(j.plan);
    cli_bytes_free(&j.bytes);
    cli_bytes_free(&j.speech);
    free(j.file);
    free(j.root);
    free(j.digests);
    free(j.same_as);
    free(j.sizes);
    free(j.slots);
    return code;
}
