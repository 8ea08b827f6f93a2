// See walk.h. A list of what is still to be looked at instead of recursion: a folder taken from its end is replaced by
// what is in it, in falling order, so that what comes out is sorted.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli.h"
#include "gather.h"
#include "host/beside.h"
#include "walk.h"

enum { DEPTH_MAX = 64, PATH_BYTES_MAX = 4000 }; // folders inside each other; bytes of a path

bool cli_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void fail(cli_paths *paths, const char *path) {
    cli_say("cannot read '%s': %s", path, strerror(errno));
    paths->failed = true;
}

// Takes over the text.
static void push(cli_paths *paths, char *path) {
    if (paths->count == paths->capacity) {
        const uint32_t capacity = paths->capacity == 0 ? 64 : paths->capacity * 2;
        char **more = realloc(paths->items, capacity * sizeof *more);
        if (more == NULL) {
            fail(paths, path != NULL ? path : "a folder");
            free(path);
            return;
        }
        paths->items = more;
        paths->capacity = capacity;
    }
    if (path == NULL) {
        fail(paths, "a folder");
    } else {
        paths->items[paths->count++] = path;
    }
}

void cli_paths_add(cli_paths *paths, const char *path) { push(paths, strdup(path)); }

void cli_paths_free(cli_paths *paths) {
    for (uint32_t i = 0; i < paths->count; i++) { free(paths->items[i]); }
    free(paths->items);
    free(paths->astray);
    *paths = (cli_paths){0};
}

static char *join(const char *folder, const char *name) {
    const size_t folder_size = strlen(folder), size = folder_size + strlen(name) + 2;
    const bool has_slash = folder_size > 0 && folder[folder_size - 1] == '/';
    char *path = malloc(size);
    if (path != NULL) { snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name); }
    return path;
}

static int falling(const void *a, const void *b) { return -strcmp(*(char *const *)a, *(char *const *)b); }

// Everything in the folder that is not hidden, in falling order. A pack is one thing, by its manifest.
static void push_entries(cli_paths *paths, const char *folder, bool all) {
    char *pack = all ? NULL : cli_pack_in_folder(folder);
    if (pack != NULL) {
        push(paths, pack);
        return;
    }
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        fail(paths, folder);
        return;
    }
    const uint32_t first = paths->count;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && !paths->failed;) {
        if (entry->d_name[0] != '.') { push(paths, join(folder, entry->d_name)); }
    }
    closedir(dir);
    if (paths->count > first) { qsort(paths->items + first, paths->count - first, sizeof *paths->items, falling); }
}

static uint32_t depth_below(const char *root, const char *path) {
    uint32_t depth = 0;
    for (const char *at = path + strlen(root); *at != 0; at++) { depth += *at == '/'; }
    return depth;
}

static bool is_json_name(const char *path) {
    const size_t size = strlen(path);
    return size > 5 && strcmp(path + size - 5, ".json") == 0;
}

static bool has_ending(const char *path, const char *ending) { // NULL: that of JSON, as it is written, or of a model
    const bool any = ending == NULL;
    const char *of = any ? ".b3d" : ending;
    const size_t size = strlen(path), own = strlen(of);
    return (any && is_json_name(path)) || (size > own && strcasecmp(path + size - own, of) == 0);
}

// Whether the link ends at an ordinary file within the folder.
static bool link_stays(const char *path, const char *real_root) {
    struct stat status;
    if (real_root == NULL || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) { return false; }
    char *real = realpath(path, NULL);
    const size_t size = strlen(real_root);
    const bool stays = real != NULL && strncmp(real, real_root, size) == 0 && (real[size] == '/' || size == 1);
    free(real);
    return stays;
}

static void walk(cli_paths *paths, const char *folder, const char *ending) {
    char *real_root = realpath(folder, NULL);
    cli_paths open = {0};
    push_entries(&open, folder, ending != NULL);
    while (open.count > 0) {
        char *path = open.items[--open.count];
        struct stat status;
        if (ending == NULL && beside_is_manifest(path)) {
            push(paths, path); // whatever it is: what is missing, or no file, will be said
            continue;
        }
        if (lstat(path, &status) != 0) {
            fail(&open, path); // gone since, or not ours to see
        } else if (S_ISDIR(status.st_mode)) {
            if (depth_below(folder, path) < DEPTH_MAX && strlen(path) < PATH_BYTES_MAX) {
                push_entries(&open, path, ending != NULL);
            } else {
                cli_say("'%s' lies too deep and is not looked into", path);
                open.failed = true;
            }
        } else if (has_ending(path, ending) && (S_ISREG(status.st_mode) || link_stays(path, real_root))) {
            push(paths, path);
            continue;
        } else if (ending != NULL && S_ISLNK(status.st_mode) && has_ending(path, ending) && paths->astray == NULL) {
            paths->astray = path;
            continue;
        }
        free(path);
    }
    paths->failed = paths->failed || open.failed;
    cli_paths_free(&open);
    free(real_root);
}

void cli_paths_walk(cli_paths *paths, const char *folder) { walk(paths, folder, NULL); }

void cli_paths_walk_ending(cli_paths *paths, const char *folder, const char *ending) { walk(paths, folder, ending); }

void cli_paths_list(cli_paths *paths, const char *folder, const char *root) {
    char *real_root = realpath(root, NULL);
    cli_paths found = {0};
    struct stat status;
    if (cli_is_folder(folder)) { push_entries(&found, folder, false); }
    while (found.count > 0) {
        char *path = found.items[--found.count];
        if (is_json_name(path) && lstat(path, &status) == 0 &&
            (S_ISREG(status.st_mode) || link_stays(path, real_root))) {
            push(paths, path);
        } else {
            free(path);
        }
    }
    paths->failed = paths->failed || found.failed;
    cli_paths_free(&found);
    free(real_root);
}
