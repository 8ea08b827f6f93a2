// See pet.h. Animations are told from other JSON by the library itself, so a script or a package.json beside them does
// no harm. How many files are looked at and how large they may be together is bounded.
#include <stdlib.h>
#include <string.h>

#include "host/picture.h"
#include "pet.h"
#include "walk.h"

enum { FILES_MAX = 1024 };
static const size_t BYTES_MAX = (size_t)64 << 20; // of all files together
static const char pet_format[] = "pet";
static const char *const animation_formats[] = {"petween", "motion-pack"};

static char *joined(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) { snprintf(path, size, "%s/%s", folder, name); }
    return path;
}

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) { return strdup("."); }
    char *folder = strdup(path);
    if (folder != NULL) { folder[slash == path ? 1 : slash - path] = 0; }
    return folder;
}

bool cli_pet_is(const zo_report *report) { return report != NULL && strcmp(zo_report_format(report), pet_format) == 0; }

static bool is_animation(const zo_report *report) {
    bool is = false;
    for (uint32_t i = 0; report != NULL && i < sizeof animation_formats / sizeof animation_formats[0]; i++) {
        is = is || strcmp(zo_report_format(report), animation_formats[i]) == 0;
    }
    return is;
}

// What the library takes the file for; NULL: it could not be read, said, or there is no memory.
static zo_report *look(const char *path, const cli_bytes *bytes, const zo_compile_def *given) {
    const zo_source source = {.name = path, .bytes = bytes->data, .size = bytes->size};
    zo_compile_def def = {.maybe = true};
    if (given != NULL) { def.profile = given->profile; }
    zo_report *report = NULL;
    zo_compile(&source, 1, &def, NULL, &report);
    return report;
}

char *cli_pet_in_folder(const char *folder) {
    char *named = joined(folder, "pet.json");
    if (named == NULL || cli_file_exists(named)) { return named; }
    free(named);
    cli_paths paths = {0};
    cli_paths_list(&paths, folder, folder);
    const char *found = NULL, *other = NULL;
    size_t left = BYTES_MAX;
    for (uint32_t i = 0; i < paths.count && i < FILES_MAX; i++) {
        cli_bytes bytes;
        if (!cli_read_file(paths.items[i], left, &bytes)) { continue; }
        zo_report *report = bytes.size <= left ? look(paths.items[i], &bytes, NULL) : NULL;
        left -= bytes.size <= left ? bytes.size : left;
        if (cli_pet_is(report)) { *(found == NULL ? &found : &other) = paths.items[i]; }
        zo_report_free(report);
        cli_bytes_free(&bytes);
    }
    if (other != NULL) {
        cli_say("'%s' and '%s' are pets both; say which of them", found, other);
    } else if (found == NULL && !paths.failed) {
        cli_say("there is no pet in the folder '%s': neither pet.json nor another file with a pet's configuration",
                folder);
    }
    char *path = found != NULL && other == NULL ? strdup(found) : NULL;
    cli_paths_free(&paths);
    return path;
}

const char *cli_pet_format(const char *path, const cli_bytes *bytes) {
    zo_report *report = look(path, bytes, NULL);
    const bool known = report == NULL || *zo_report_format(report) != 0;
    zo_report_free(report);
    return known ? NULL : pet_format;
}

// One more source if the file is an animation; its bytes are then the pet's. `left` is what there is room for.
static int add_file(cli_pet *pet, const char *path, const zo_compile_def *def, size_t *left) {
    cli_bytes bytes;
    if (!cli_read_file(path, *left, &bytes)) { return CLI_FILES; }
    if (bytes.size > *left) {
        cli_bytes_free(&bytes);
        cli_say("the files in '%s' have more than %zu MiB", pet->folder, BYTES_MAX >> 20);
        return CLI_INTERNAL;
    }
    *left -= bytes.size;
    zo_report *report = look(path, &bytes, def);
    char *name = is_animation(report) ? strdup(path) : NULL;
    zo_report_free(report);
    if (name == NULL) {
        cli_bytes_free(&bytes);
        return CLI_FINE;
    }
    pet->sources[pet->source_count++] = (zo_source){.name = name, .bytes = bytes.data, .size = bytes.size};
    return CLI_FINE;
}

static int add_files(cli_pet *pet, const cli_paths *paths, const zo_compile_def *def) {
    size_t left = BYTES_MAX;
    int code = CLI_FINE;
    if (paths->count > FILES_MAX) {
        cli_say("there are more than %d files beside '%s'", FILES_MAX, pet->path);
        return CLI_INTERNAL;
    }
    for (uint32_t i = 0; i < paths->count && code == CLI_FINE; i++) {
        if (!cli_same_file(paths->items[i], pet->path)) { code = add_file(pet, paths->items[i], def, &left); }
    }
    return code;
}

int cli_pet_gather(const char *path, const zo_source *source, const zo_compile_def *def, cli_pet **made) {
    cli_pet *pet = *made = calloc(1, sizeof *pet);
    if (pet == NULL) { return CLI_INTERNAL; }
    cli_paths paths = {0};
    pet->path = strdup(path);
    pet->folder = folder_of(path);
    char *animations = pet->folder != NULL ? joined(pet->folder, "animations") : NULL;
    int code = CLI_INTERNAL;
    if (pet->path != NULL && animations != NULL) {
        cli_paths_list(&paths, pet->folder, pet->folder);
        cli_paths_list(&paths, animations, pet->folder);
        pet->sources = calloc((size_t)paths.count + 1, sizeof *pet->sources);
    }
    if (pet->sources != NULL) {
        pet->sources[pet->source_count++] = *source;
        code = paths.failed ? CLI_FILES : add_files(pet, &paths, def);
    }
    free(animations);
    cli_paths_free(&paths);
    return code;
}

cli_pet *cli_pet_of_package(const char *path, const pet_package *package) {
    cli_pet *pet = calloc(1, sizeof *pet);
    if (pet != NULL) {
        *pet = (cli_pet){.path = strdup(path), .folder = folder_of(path), .sources = calloc(1, sizeof *pet->sources),
                         .source_count = 1, .package = package};
    }
    if (pet != NULL && pet->path != NULL && pet->folder != NULL && pet->sources != NULL) {
        pet->sources[0] = package->manifest;
        return pet;
    }
    cli_say("not enough memory for '%s'", path);
    cli_pet_free(pet);
    return NULL;
}

void cli_pet_free(cli_pet *pet) {
    if (pet == NULL) { return; }
    // they came from here, and nobody else has them
    for (uint32_t i = 1; pet->sources != NULL && i < pet->source_count; i++) {
        free((char *)(uintptr_t)pet->sources[i].name);
        free((void *)(uintptr_t)pet->sources[i].bytes);
    }
    free(pet->sources);
    free(pet->path);
    free(pet->folder);
    free(pet);
}

// ---------------------------------------------------------------------------------------------------- pictures

// A name that is a file's as well, and leads nowhere else.
static bool is_plain(const char *name) {
    return *name != 0 && strlen(name) < 64 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(name);
}

// FOLDER/[SUB/]NAME with the ending of a picture, if it is there. NULL: it is not.
static char *picture_at(const char *folder, const char *sub, const char *name) {
    for (uint32_t i = 0; picture_ending_at(i) != NULL; i++) {
        char file[128];
        snprintf(file, sizeof file, "%s%s.%s", sub, name, picture_ending_at(i));
        char *path = joined(folder, file);
        if (path == NULL || cli_is_file(path)) { return path; } // what a pipe has to say might never come
        free(path);
    }
    return NULL;
}

// The picture that the configuration gives to a pose, if its name may be a file's.
static bool asset_of(const cli_pet *pet, const char *pointer, char id[64]) {
    zo_document *document;
    zo_range range;
    bool fine = false;
    if (zo_document_open(pet->sources[0].bytes, pet->sources[0].size, NULL, &document) != ZO_OK) { return false; }
    if (zo_document_find(document, pointer, &range) && range.length >= 3 && range.length - 2 < 64) {
        const char *text = zo_document_bytes(document).data + range.offset; // with its quotes
        memcpy(id, text + 1, range.length - 2);
        id[range.length - 2] = 0;
        fine = *text == '"' && is_plain(id);
    }
    zo_document_free(document);
    return fine;
}

static bool picture_in_package(const cli_pet *pet, const char *id, cli_pet_image *image) {
    const int entry = pet_package_picture(pet->package, id);
    if (entry < 0) { return false; }
    const archive_entry *e = &pet->package->zip->entries[entry];
    const char *name = e->name.data;
    const size_t size = strlen(pet->path) + strlen(name) + 2;
    *image = (cli_pet_image){malloc(size), e->bytes, (size_t)e->real_size};
    if (image->name != NULL) { snprintf(image->name, size, "%s/%s", pet->path, name); }
    return image->name != NULL;
}

bool cli_pet_image_of(const cli_pet *pet, const char *name, cli_pet_image *image) {
    char pointer[128], id[64];
    *image = (cli_pet_image){0};
    if (!is_plain(name)) { return false; }
    if (pet->package == NULL) { image->name = picture_at(pet->folder, "", name); }
    if (image->name != NULL) { return true; }
    snprintf(pointer, sizeof pointer, "%s/poses/%s/assetId", pet->package != NULL ? "/pet" : "", name);
    if (!asset_of(pet, pointer, id)) { return false; }
    if (pet->package != NULL) { return picture_in_package(pet, id, image); }
    image->name = picture_at(pet->folder, "assets/", id);
    return image->name != NULL;
}

char *cli_pet_picture(const cli_pet *pet, const char *name) {
    cli_pet_image image;
    return pet->package == NULL && cli_pet_image_of(pet, name, &image) ? image.name : NULL;
}
