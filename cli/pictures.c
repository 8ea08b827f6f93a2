// See pictures.h.
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "files.h"
#include "movie.h"
#include "nearest.h"
#include "pictures.h"

enum { PICTURE_MAX = 256 };
static const size_t PICTURE_BYTES_MAX = (size_t)64 << 20;

static bool reserve(cli_pictures *pictures, const zo_program *program) {
    pictures->cel_count = zo_cel_count(program);
    pictures->images = calloc(PICTURE_MAX, sizeof *pictures->images);
    pictures->sizes = calloc(PICTURE_MAX, sizeof *pictures->sizes);
    pictures->waiting = calloc(PICTURE_MAX, sizeof *pictures->waiting);
    pictures->cel_images = calloc((size_t)pictures->cel_count + 1, sizeof *pictures->cel_images);
    return pictures->images != NULL && pictures->sizes != NULL && pictures->waiting != NULL &&
           pictures->cel_images != NULL;
}

// Decodes into the next free place and hangs it on the cel; a later one for the same cel wins.
static bool add(cli_pictures *pictures, zo_cel cel, const char *name, const void *bytes, size_t size) {
    zo_image *image = &pictures->images[pictures->count];
    if (!cli_decode(name, bytes, size, image)) { return false; }
    zo_image_premultiply(image);
    pictures->sizes[pictures->count] = (zo_size){image->width, image->height};
    pictures->count++;
    pictures->cel_images[cel.id - 1] = pictures->count;
    return true;
}

static void say_no_cel(const cli_args *args, const zo_program *program, const char *name, size_t size) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", size < sizeof word ? (int)size : (int)sizeof word - 1, name);
    cli_usage(args, "there is no picture '%.*s' here%s", (int)size, name,
              cli_did_you_mean(cli_nearest_cel(program, word)).text);
    fprintf(stderr, "'%s' knows these:\n", args->operands[0]);
    for (uint32_t c = 1; c <= zo_cel_count(program); c++) {
        zo_cel_info info;
        if (zo_cel_get(program, (zo_cel){c}, &info)) { fprintf(stderr, "  %s\n", info.name); }
    }
}

static int load_given(const cli_args *args, const zo_program *program, const char *word, cli_pictures *pictures) {
    const char *equals = strchr(word, '=');
    if (equals == NULL || equals == word || equals[1] == 0) {
        return cli_usage(args, "--picture wants NAME=FILE, not '%s'", word);
    }
    char name[256];
    const size_t size = (size_t)(equals - word);
    snprintf(name, sizeof name, "%.*s", size < sizeof name ? (int)size : (int)sizeof name - 1, word);
    const zo_cel cel = zo_cel_find(program, name);
    if (cel.id == 0) {
        say_no_cel(args, program, word, size);
        return CLI_USAGE;
    }
    cli_bytes bytes;
    if (!cli_read_file(equals + 1, PICTURE_BYTES_MAX, &bytes)) { return CLI_FILES; }
    const bool fine = add(pictures, cel, equals + 1, bytes.data, bytes.size);
    cli_bytes_free(&bytes);
    return fine ? CLI_FINE : CLI_FILES;
}

static uint32_t get_32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Most animations show one or two of the six: the others are never decoded. A PNG has its size at byte 16.
static void load_pet(const zo_program *program, cli_pictures *pictures) {
    for (const cli_asset *asset = cli_pet_assets; asset->name != NULL; asset++) {
        const zo_cel cel = zo_cel_find(program, asset->name);
        if (cel.id == 0) { continue; }
        pictures->sizes[pictures->count] = (zo_size){get_32(asset->bytes + 16), get_32(asset->bytes + 20)};
        pictures->waiting[pictures->count] = asset;
        pictures->count++;
        pictures->cel_images[cel.id - 1] = pictures->count;
    }
}

bool cli_pictures_want(cli_pictures *pictures, uint32_t image) {
    const cli_asset *asset = pictures->waiting[image - 1];
    if (asset == NULL) { return true; }
    if (!cli_decode_png(asset->name, asset->bytes, asset->size, &pictures->images[image - 1])) { return false; }
    zo_image_premultiply(&pictures->images[image - 1]);
    pictures->waiting[image - 1] = NULL;
    return true;
}

// The picture of a cel of a pet; free its name. false: there is none.
static bool image_of(const cli_loaded *loaded, uint32_t cel, cli_pet_image *image) {
    zo_cel_info info;
    return loaded->pet != NULL && zo_cel_get(loaded->program, (zo_cel){cel}, &info) &&
           cli_pet_image_of(loaded->pet, info.name, image);
}

static int load_image(const cli_pet_image *image, uint32_t cel, cli_pictures *pictures) {
    cli_bytes bytes = {0};
    const bool in_memory = image->bytes != NULL;
    if (!in_memory && !cli_read_file(image->name, PICTURE_BYTES_MAX, &bytes)) { return CLI_FILES; }
    const bool fine = add(pictures, (zo_cel){cel}, image->name, in_memory ? image->bytes : bytes.data,
                          in_memory ? image->size : bytes.size);
    cli_bytes_free(&bytes);
    return fine ? CLI_FINE : CLI_FILES;
}

// The pictures that come with a pet. None at all: *count stays 0.
static int load_own(const cli_loaded *loaded, cli_pictures *pictures) {
    int code = CLI_FINE;
    for (uint32_t c = 1; c <= pictures->cel_count && pictures->count < PICTURE_MAX && code == CLI_FINE; c++) {
        cli_pet_image image;
        if (!image_of(loaded, c, &image)) { continue; }
        code = load_image(&image, c, pictures);
        free(image.name);
    }
    return code;
}

bool cli_pictures_there(const cli_loaded *loaded, bool *there) {
    bool any = false;
    for (uint32_t c = 0; c < zo_cel_count(loaded->program); c++) {
        cli_pet_image image = {0};
        there[c] = image_of(loaded, c + 1, &image);
        any = any || there[c];
        free(image.name);
    }
    return any;
}

// The files that the cels are (parts of), as far as they were found; each is decoded once.
static int load_named(const cli_loaded *loaded, cli_pictures *pictures) {
    zo_cel_info info, other;
    for (uint32_t c = 1; zo_cel_get(loaded->program, (zo_cel){c}, &info); c++) {
        const char *path = loaded->gathered != NULL ? cli_gathered_path(loaded->gathered, info.image) : NULL;
        if (path == NULL || pictures->cel_images[c - 1] != 0) { continue; }
        for (uint32_t k = 1; k < c; k++) {
            zo_cel_get(loaded->program, (zo_cel){k}, &other);
            if (strcmp(other.image, info.image) == 0) { pictures->cel_images[c - 1] = pictures->cel_images[k - 1]; }
        }
        if (pictures->cel_images[c - 1] != 0) { continue; }
        if (pictures->count == PICTURE_MAX) {
            cli_say("'%s' has more than %d pictures", loaded->name, PICTURE_MAX);
            return CLI_INTERNAL;
        }
        cli_bytes bytes;
        if (!cli_read_file(path, PICTURE_BYTES_MAX, &bytes)) { return CLI_FILES; }
        const bool fine = add(pictures, (zo_cel){c}, path, bytes.data, bytes.size);
        cli_bytes_free(&bytes);
        if (!fine) { return CLI_FILES; }
    }
    return CLI_FINE;
}

int cli_pictures_load(const cli_args *args, const cli_loaded *loaded, cli_pictures *pictures) {
    const zo_program *program = loaded->program;
    *pictures = (cli_pictures){0};
    if (!reserve(pictures, program)) { return CLI_INTERNAL; }
    pictures->apart = cli_has_rig(program);
    if (!cli_given(args, CLI_OPT_PICTURE) && !pictures->apart) {
        const int code = load_own(loaded, pictures);
        pictures->given = pictures->count > 0;
        if (code == CLI_FINE && pictures->count == 0) { load_pet(program, pictures); }
        return code;
    }
    const char *word;
    pictures->given = true;
    for (uint32_t n = 0; (word = cli_args_each(args, CLI_OPT_PICTURE, n)) != NULL; n++) {
        if (pictures->count == PICTURE_MAX) { return cli_usage(args, "more than %d pictures", PICTURE_MAX); }
        const int code = load_given(args, program, word, pictures);
        if (code != CLI_FINE) { return code; }
    }
    return pictures->apart ? load_named(loaded, pictures) : CLI_FINE;
}

void cli_pictures_free(cli_pictures *pictures) {
    for (uint32_t i = 0; i < pictures->count; i++) { free(pictures->images[i].pixels); }
    free(pictures->images);
    free(pictures->sizes);
    free(pictures->waiting);
    free(pictures->cel_images);
    *pictures = (cli_pictures){0};
}
