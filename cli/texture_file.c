// See texture_file.h.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "inflate.h"
#include "texture_file.h"

// Pixels are limited to ZO_TEXTURE_SIZE_MAX; what holds them may have smaller levels beside.
static const size_t FILE_MAX = (size_t)512 << 20;

typedef struct asking {
    bool (*room)(void *context, uint64_t bytes);
    void *context;
    uint64_t held; // beside what is asked for
} asking;

static bool has_room(const asking *a, uint64_t bytes) {
    return a->room == NULL || a->room(a->context, a->held + bytes);
}

static void say_fault(const zo_texture_fault *found, char fault[CLI_FAULT_SIZE]) {
    snprintf(fault, CLI_FAULT_SIZE, "%s (byte %llu)", found->text != NULL ? found->text : "it cannot be decoded",
             (unsigned long long)found->offset);
}

static bool decode(const void *bytes, size_t size, zo_texture_alpha alpha, const asking *a, zo_image *image,
                   char fault[CLI_FAULT_SIZE]) {
    zo_texture texture;
    zo_texture_fault found = {0};
    *image = (zo_image){0};
    fault[0] = 0;
    if (zo_texture_open(bytes, size, &texture, &found) != ZO_OK) {
        say_fault(&found, fault);
        return false;
    }
    const size_t stride = (size_t)texture.width * 4, pixels = stride * texture.height;
    if (!has_room(a, zo_texture_scratch(&texture, 0) + (uint64_t)pixels)) { return false; }
    *image = (zo_image){malloc(pixels), texture.width, texture.height, stride};
    const zo_texture_decoder decoder = {.inflate = cli_inflate, .alpha = alpha};
    const zo_status status =
        image->pixels != NULL ? zo_texture_decode(&texture, 0, &decoder, image, &found) : ZO_NO_MEMORY;
    if (status == ZO_OK) { return true; }
    if (status == ZO_NO_MEMORY) {
        snprintf(fault, CLI_FAULT_SIZE, "not enough memory");
    } else {
        say_fault(&found, fault);
    }
    free(image->pixels);
    *image = (zo_image){0};
    return false;
}

bool cli_texture_decode(const void *bytes, size_t size, zo_texture_alpha alpha,
                        bool (*room)(void *context, uint64_t bytes), void *context, zo_image *image,
                        char fault[CLI_FAULT_SIZE]) {
    const asking a = {room, context, 0};
    return decode(bytes, size, alpha, &a, image, fault);
}

// Its size is asked before it is read; what it has grown by since is not looked at.
static bool read_all(const char *path, asking *a, cli_bytes *bytes, char fault[CLI_FAULT_SIZE]) {
    struct stat status;
    fault[0] = 0;
    *bytes = (cli_bytes){0};
    if (stat(path, &status) != 0) {
        snprintf(fault, CLI_FAULT_SIZE, "%s", strerror(errno));
        return false;
    }
    if (status.st_size > (off_t)FILE_MAX) {
        snprintf(fault, CLI_FAULT_SIZE, "it has more than %zu MiB", FILE_MAX >> 20);
        return false;
    }
    if (!has_room(a, (uint64_t)status.st_size)) { return false; }
    if (!cli_read_quietly(path, (size_t)status.st_size, bytes, fault, CLI_FAULT_SIZE)) { return false; }
    a->held = bytes->size;
    return true;
}

bool cli_texture_read(const char *path, zo_texture_alpha alpha, bool (*room)(void *context, uint64_t bytes),
                      void *context, zo_image *image, char fault[CLI_FAULT_SIZE]) {
    asking a = {room, context, 0};
    cli_bytes bytes;
    *image = (zo_image){0};
    if (!read_all(path, &a, &bytes, fault)) { return false; }
    const bool fine = decode(bytes.data, bytes.size, alpha, &a, image, fault);
    cli_bytes_free(&bytes);
    return fine;
}

bool cli_texture_look(const char *path, zo_texture *texture, char fault[CLI_FAULT_SIZE]) {
    asking a = {NULL, NULL, 0};
    cli_bytes bytes;
    zo_texture_fault found = {0};
    *texture = (zo_texture){0};
    if (!read_all(path, &a, &bytes, fault)) { return false; }
    const bool fine = zo_texture_open(bytes.data, bytes.size, texture, &found) == ZO_OK;
    if (!fine) { say_fault(&found, fault); }
    texture->bytes = NULL; // they go
    cli_bytes_free(&bytes);
    return fine;
}
