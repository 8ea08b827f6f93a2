// See files.h. POSIX calls; a temporary name is the target's with six random signs behind it, in the same folder, so that
// the rename never crosses file systems.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "files.h"

static bool say_path(const char *what, const char *path) {
    cli_say("cannot %s '%s': %s", what, path, strerror(errno));
    return false;
}

static bool read_stream(FILE *stream, const char *path, size_t limit, cli_bytes *bytes) {
    size_t capacity = 0;
    while (bytes->size <= limit) {
        if (bytes->size == capacity) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            if (capacity > limit + 1) { capacity = limit + 1; }
            uint8_t *more = realloc(bytes->data, capacity);
            if (more == NULL) { return say_path("read", path); }
            bytes->data = more;
        }
        const size_t got = fread(bytes->data + bytes->size, 1, capacity - bytes->size, stream);
        bytes->size += got;
        if (got == 0) { break; }
    }
    return ferror(stream) == 0 || say_path("read", path);
}

bool cli_read_file(const char *path, size_t limit, cli_bytes *bytes) {
    *bytes = (cli_bytes){0};
    if (strcmp(path, "-") == 0) { return read_stream(stdin, "standard input", limit, bytes); }
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) { return say_path("read", path); }
    struct stat status;
    bool fine = fstat(fileno(stream), &status) == 0;
    if (fine && S_ISDIR(status.st_mode)) {
        cli_say("'%s' is a folder; a file is wanted here", path);
        fine = false;
    } else {
        fine = fine ? read_stream(stream, path, limit, bytes) : say_path("read", path);
    }
    fclose(stream);
    if (!fine) { cli_bytes_free(bytes); }
    return fine;
}

void cli_bytes_free(cli_bytes *bytes) {
    free(bytes->data);
    *bytes = (cli_bytes){0};
}

bool cli_file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

// The umask can only be read by setting it; the program has one thread.
static mode_t default_mode(void) {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool cli_file_open(cli_file *file, const char *path) {
    *file = (cli_file){0};
    file->path = strdup(path);
    if (file->path == NULL) { return say_path("write", path); }
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return true;
    }
    struct stat status;
    const bool there = stat(path, &status) == 0;
    if (there && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return say_path("write", path);
    }
    if (there && !S_ISREG(status.st_mode)) { // a pipe or a device: renaming would replace it
        file->stream = fopen(path, "wb");
        return file->stream != NULL || say_path("write", path);
    }
    const size_t size = strlen(path) + 8;
    file->temporary = malloc(size);
    if (file->temporary == NULL) { return say_path("write", path); }
    snprintf(file->temporary, size, "%s.XXXXXX", path);
    const int descriptor = mkstemp(file->temporary);
    if (descriptor >= 0) {
        fchmod(descriptor, there ? status.st_mode & 07777 : default_mode());
        file->stream = fdopen(descriptor, "wb");
        if (file->stream == NULL) { close(descriptor); }
    } else {
        free(file->temporary);
        file->temporary = NULL;
    }
    return file->stream != NULL || say_path("write", path);
}

bool cli_file_write(cli_file *file, const void *bytes, size_t size) {
    if (file->stream == NULL) { return false; }
    if (size == 0 || fwrite(bytes, 1, size, file->stream) == size) { return true; }
    say_path("write", file->path);
    cli_file_discard(file);
    return false;
}

static void release(cli_file *file) {
    free(file->temporary);
    free(file->path);
    *file = (cli_file){0};
}

bool cli_file_commit(cli_file *file) {
    if (file->stream == NULL) {
        release(file);
        return false;
    }
    bool fine = fflush(file->stream) == 0;
    if (file->stream != stdout) { fine = fclose(file->stream) == 0 && fine; }
    if (fine && file->temporary != NULL) { fine = rename(file->temporary, file->path) == 0; }
    if (!fine) {
        say_path("write", file->path);
        if (file->temporary != NULL) { unlink(file->temporary); }
    }
    release(file);
    return fine;
}

void cli_file_discard(cli_file *file) {
    if (file->stream != NULL && file->stream != stdout) { fclose(file->stream); }
    if (file->temporary != NULL) { unlink(file->temporary); }
    release(file);
}
