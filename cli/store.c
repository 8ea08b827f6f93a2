// See store.h. The user's data folder is that of the XDG base directories.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store.h"
#include "walk.h"

static char *joined(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) { snprintf(path, size, "%s/%s", folder, name); }
    return path;
}

// Every folder that leads to the file, for nobody but the user, as base directories are to be made.
static bool make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const bool fine = mkdir(path, 0700) == 0 || cli_is_folder(path);
        if (!fine) { cli_say("cannot make the folder '%s': %s", path, strerror(errno)); }
        *slash = '/';
        if (!fine) { return false; }
    }
    return true;
}

static char *own_path(const cli_args *args, int *code) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data != NULL && *data == '/') { return joined(data, "zoetrope/library.db"); }
    if (home != NULL && *home != 0) { return joined(home, ".local/share/zoetrope/library.db"); }
    *code = cli_usage(args, "there is no HOME to look for the library in; --library names its file");
    return NULL;
}

char *cli_store_path(const cli_args *args, bool make, int *code) {
    const char *given = args->values[CLI_OPT_LIBRARY];
    *code = CLI_INTERNAL;
    if (given != NULL && *given == 0) {
        *code = cli_usage(args, "--library wants a file");
        return NULL;
    }
    if (given != NULL && cli_is_folder(given)) {
        const bool here = args->command->bit == CLI_LIBRARY;
        *code = cli_usage(args, "--library wants a file, and '%s' is a folder; 'zoetrope library import' takes in what "
                                "is in it%s", given, here ? ", and --dir works on it as it lies there" : "");
        return NULL;
    }
    char *path = given != NULL ? strdup(given) : own_path(args, code);
    if (path == NULL && *code == CLI_INTERNAL) { cli_say("not enough memory"); }
    if (path != NULL && given == NULL && make && !make_folders(path)) {
        *code = CLI_FILES;
        free(path);
        return NULL;
    }
    return path;
}

int cli_store_code(store_status status) {
    switch (status) {
    case STORE_OK: return CLI_FINE;
    case STORE_NOT_FOUND:
    case STORE_CONFLICT:
    case STORE_IN_USE:
    case STORE_DANGLING:
    case STORE_INVALID: return CLI_FAULTY;
    case STORE_LIMIT:
    case STORE_NO_MEMORY: return CLI_INTERNAL;
    default: return CLI_FILES;
    }
}
