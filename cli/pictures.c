// See pictures.h.
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "files.h"
#include "host/beside.h"
#include "movie.h"
#include "nearest.h"
#include "pictures.h"
#include "texture_file.h"

enum { PICTURE_MAX = 256 };
static const size_t PICTURE_BYTES_MAX = (size_t)64 << 20;

static bool reserve(cli_pictures *pictures, const zo_program *program, uint32_t stored) {
    const size_t most = (size_t)stored + PICTURE_MAX;
    pictures->cel_count = zo_cel_count(program);
    pictures->images = calloc(most, sizeof *pictures->images);
    pictures->sizes = calloc(most, sizeof *pictures->sizes);
    pictures->waiting = calloc(most, sizeof *pictures->waiting);
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

// A picture of a model is called by the texture as well, "domain:block/stone".
static bool is_called(const zo_program *program, uint32_t cel, const char *name) {
    zo_cel_info info;
    return zo_cel_get(program, (zo_cel){cel}, &info) &&
           (strcmp(info.name, name) == 0 || (zo_mesh_count(program) > 0 && strcmp(info.image, name) == 0));
}

static zo_cel cel_called(const zo_program *program, const char *name) { // the first; none: there is none
    const uint32_t count = zo_cel_count(program);
    uint32_t cel = 1;
    while (cel <= count && !is_called(program, cel, name)) { cel++; }
    return (zo_cel){cel <= count ? cel : 0};
}

static int load_given(const cli_args *args, const zo_program *program, const char *word, cli_pictures *pictures) {
    const char *equals = strchr(word, '=');
    if (equals == NULL || equals == word || equals[1] == 0) {
        return cli_usage(args, "--picture wants NAME=FILE, not '%s'", word);
    }
    char name[256];
    const size_t size = (size_t)(equals - word);
    snprintf(name, sizeof name, "%.*s", size < sizeof name ? (int)size : (int)sizeof name - 1, word);
    const zo_cel cel = cel_called(program, name);
    if (cel.id == 0) {
        say_no_cel(args, program, word, size);
        return CLI_USAGE;
    }
    cli_bytes bytes;
    if (!cli_read_file(equals + 1, PICTURE_BYTES_MAX, &bytes)) { return CLI_FILES; }
    const bool fine = add(pictures, cel, equals + 1, bytes.data, bytes.size);
    cli_bytes_free(&bytes);
    for (uint32_t c = cel.id + 1; fine && c <= pictures->cel_count; c++) { // of several models
        if (is_called(program, c, name)) { pictures->cel_images[c - 1] = pictures->count; }
    }
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
    if (cli_pictures_is_stored(pictures, image)) { return true; } // those are taken
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

// ------------------------------------------------------------------------------------------------ textures of a pack

static const uint64_t MEMORY = (uint64_t)512 << 20, MEMORY_MAX = (uint64_t)1 << 40; // bytes

// "256M", "1.5G", bytes without a letter.
static bool pick_memory(const cli_args *args, uint64_t *bytes) {
    const char *text = args->values[CLI_OPT_MEMORY];
    char number[64];
    double value = 0.0, unit = 1.0;
    *bytes = MEMORY;
    if (text == NULL) { return true; }
    size_t size = strlen(text);
    const char *units = "KMG", *letter = size > 0 && text[size - 1] != 0 ? strchr(units, text[size - 1]) : NULL;
    for (const char *at = units; letter != NULL && at <= letter; at++) { unit *= 1024.0; }
    size -= letter != NULL;
    snprintf(number, sizeof number, "%.*s", size < sizeof number ? (int)size : 0, text);
    if (!cli_decimal(number, &value) || !(value >= 0.0 && value * unit <= (double)MEMORY_MAX)) {
        cli_usage(args, "--memory wants bytes such as 64M or 1.5G, not '%s'", text);
        return false;
    }
    *bytes = (uint64_t)(value * unit);
    return true;
}

static bool room_for(void *context, uint64_t bytes) { return cli_textures_room(context, bytes); }

static bool load_texture(void *context, uint32_t index, cli_texture_job *job, zo_image *image,
                         char fault[CLI_FAULT_SIZE]) {
    const cli_pictures *pictures = context;
    return cli_texture_read(pictures->paths[index], ZO_TEXTURE_PREMULTIPLIED, room_for, job, image, fault);
}

// Of what a file may say anything of.
static uint32_t side_of(double length) {
    return length >= 65535.0 ? 65535 : length > 0.0 ? (uint32_t)(length + 1.0) : 1;
}

zo_size cli_size_of_stage(const zo_program *program) {
    double stage[4];
    zo_program_stage(program, stage);
    return (zo_size){side_of(stage[2] - stage[0]), side_of(stage[3] - stage[1])};
}

// Where the manifest lies the textures are, by the names that the cels have.
static bool name_textures(const cli_loaded *loaded, cli_pictures *pictures, uint32_t count) {
    const char *slash = strrchr(loaded->name, '/');
    const int folder = slash != NULL ? (int)(slash - loaded->name) + 1 : 0;
    const zo_size for_now = cli_size_of_stage(loaded->program);
    for (uint32_t i = 0; i < count; i++) {
        zo_cel_info cel;
        zo_cel_get(loaded->program, (zo_cel){i + 1}, &cel);
        const size_t size = (size_t)folder + strlen(cel.image) + 1;
        pictures->paths[i] = malloc(size);
        if (pictures->paths[i] == NULL) { return false; }
        snprintf(pictures->paths[i], size, "%.*s%s", folder, loaded->name, cel.image);
        pictures->cel_images[i] = i + 1;
        pictures->sizes[i] = for_now;
    }
    return true;
}

static int load_textures(const cli_args *args, const cli_loaded *loaded, cli_pictures *pictures, uint32_t count) {
    cli_textures_def def = {.count = count, .loader = {load_texture, pictures}};
    if (!pick_memory(args, &def.limit)) { return CLI_USAGE; }
    pictures->paths = calloc((size_t)count + 1, sizeof *pictures->paths);
    pictures->taken = calloc((size_t)count + 1, sizeof *pictures->taken);
    if (pictures->paths == NULL || pictures->taken == NULL) { return CLI_INTERNAL; }
    pictures->stored = pictures->count = count;
    pictures->given = true;
    pictures->waits = true;
    if (!name_textures(loaded, pictures, count)) { return CLI_INTERNAL; }
    pictures->store = cli_textures_open(&def);
    return pictures->store != NULL ? CLI_FINE : CLI_INTERNAL;
}

void cli_pictures_begin(cli_pictures *pictures) { pictures->takes++; }

bool cli_pictures_take(cli_pictures *pictures, uint32_t image) {
    uint32_t *taken = &pictures->taken[image - 1];
    if (*taken == 0) {
        const zo_image *pixels = cli_textures_take(pictures->store, image - 1, pictures->waits);
        if (pixels == NULL) { return false; }
        pictures->images[image - 1] = *pixels;
        pictures->sizes[image - 1] = (zo_size){pixels->width, pixels->height};
    }
    *taken = pictures->takes;
    return true;
}

void cli_pictures_end(cli_pictures *pictures) {
    for (uint32_t i = 0; i < pictures->stored; i++) {
        if (pictures->taken[i] == 0 || pictures->taken[i] == pictures->takes) { continue; }
        cli_textures_give(pictures->store, i);
        pictures->taken[i] = 0;
        pictures->images[i] = (zo_image){0};
    }
}

bool cli_pictures_next_fault(cli_pictures *pictures, char *text, size_t size) {
    char fault[CLI_FAULT_SIZE];
    uint32_t index;
    if (pictures->store == NULL || !cli_textures_next_fault(pictures->store, &index, fault)) { return false; }
    snprintf(text, size, "'%s' cannot be shown, so the picture before it stays: %s", pictures->paths[index], fault);
    return true;
}

// --------------------------------------------------------------------------------------------------------------- all

int cli_pictures_load(const cli_args *args, const cli_loaded *loaded, cli_pictures *pictures) {
    const zo_program *program = loaded->program;
    const uint32_t stored = beside_is_manifest(loaded->name) ? zo_cel_count(program) : 0;
    *pictures = (cli_pictures){0};
    if (!reserve(pictures, program, stored)) { return CLI_INTERNAL; }
    pictures->apart = cli_has_rig(program) || zo_mesh_count(program) > 0;
    if (stored > 0) {
        const int code = load_textures(args, loaded, pictures, stored);
        if (code != CLI_FINE) { return code; }
    }
    if (stored > 0 && !cli_given(args, CLI_OPT_PICTURE)) { return CLI_FINE; }
    if (!cli_given(args, CLI_OPT_PICTURE) && !pictures->apart) {
        const int code = load_own(loaded, pictures);
        pictures->given = pictures->count > 0;
        if (code == CLI_FINE && pictures->count == 0) { load_pet(program, pictures); }
        return code;
    }
    const char *word;
    pictures->given = true;
    for (uint32_t n = 0; (word = cli_args_each(args, CLI_OPT_PICTURE, n)) != NULL; n++) {
        if (n == PICTURE_MAX) { return cli_usage(args, "more than %d pictures", PICTURE_MAX); }
        const int code = load_given(args, program, word, pictures);
        if (code != CLI_FINE) { return code; }
    }
    return pictures->apart ? load_named(loaded, pictures) : CLI_FINE;
}

void cli_pictures_free(cli_pictures *pictures) {
    cli_textures_close(pictures->store);
    for (uint32_t i = pictures->stored; i < pictures->count; i++) { free(pictures->images[i].pixels); }
    for (uint32_t i = 0; pictures->paths != NULL && i < pictures->stored; i++) { free(pictures->paths[i]); }
    free(pictures->paths);
    free(pictures->taken);
    free(pictures->images);
    free(pictures->sizes);
    free(pictures->waiting);
    free(pictures->cel_images);
    *pictures = (cli_pictures){0};
}
