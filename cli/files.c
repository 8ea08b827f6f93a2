// See files.h. POSIX calls; a temporary file lies in the target's folder, so that the rename never crosses file
// systems, and has a short name of its own, because the target's may be as long as names can be.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "files.h"

static bool say_path(const char *what, const char *path) {
    const char *error = strerror(errno);
    if (strcmp(path, "-") == 0) {
        cli_say("cannot %s the standard output: %s", *what == 'w' ? "write to" : what, error);
    } else {
        cli_say("cannot %s '%s': %s", what, path, error);
    }
    return false;
}

static bool read_stream(FILE *stream, size_t limit, cli_bytes *bytes) {
    size_t capacity = 0;
    while (bytes->size <= limit) {
        if (bytes->size == capacity) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            if (capacity > limit + 1) { capacity = limit + 1; }
            uint8_t *more = realloc(bytes->data, capacity);
            if (more == NULL) { return false; }
            bytes->data = more;
        }
        const size_t got = fread(bytes->data + bytes->size, 1, capacity - bytes->size, stream);
        bytes->size += got;
        if (got == 0) { break; }
    }
    return ferror(stream) == 0;
}

// false: errno says why, EISDIR of a folder.
static bool read_path(const char *path, size_t limit, cli_bytes *bytes) {
    *bytes = (cli_bytes){0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) { return false; }
    struct stat status;
    bool fine = fstat(fileno(stream), &status) == 0;
    errno = fine && S_ISDIR(status.st_mode) ? EISDIR : errno;
    fine = fine && !S_ISDIR(status.st_mode) && read_stream(stream, limit, bytes);
    const int error = errno;
    fclose(stream);
    if (!fine) { cli_bytes_free(bytes); }
    errno = error;
    return fine;
}

bool cli_read_file(const char *path, size_t limit, cli_bytes *bytes) {
    *bytes = (cli_bytes){0};
    if (strcmp(path, "-") == 0) {
        return read_stream(stdin, limit, bytes) || say_path("read", "standard input");
    }
    if (read_path(path, limit, bytes)) { return true; }
    if (errno != EISDIR) { return say_path("read", path); }
    cli_say("'%s' is a folder; a file is wanted here", path);
    return false;
}

bool cli_read_quietly(const char *path, size_t limit, cli_bytes *bytes, char *fault, size_t fault_size) {
    if (read_path(path, limit, bytes)) { return true; }
    snprintf(fault, fault_size, "%s", errno != 0 ? strerror(errno) : "it cannot be read");
    return false;
}

void cli_bytes_free(cli_bytes *bytes) {
    free(bytes->data);
    *bytes = (cli_bytes){0};
}

bool cli_file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

bool cli_is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool cli_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// What a signal must not leave behind. Written only while those signals are held, read by their handler: nothing in it
// but calls that POSIX allows there.
enum { TEMPORARY_MAX = 8 }; // open at once; more would merely be left behind
enum { ENDING_SIGNALS = 5 };
static const int ending_signals[ENDING_SIGNALS] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
static const char *volatile temporaries[TEMPORARY_MAX];
static volatile sig_atomic_t live_child;

struct cli_made {
    cli_made *next;
    char path[];
};
static cli_made *volatile live_made; // of the folder being made
static sigset_t mask_before;

static void on_signal(int number) {
    const pid_t child = (pid_t)live_child;
    if (child > 0 && kill(child, SIGKILL) == 0) { waitpid(child, NULL, 0); } // else it might make its file anew
    for (int i = 0; i < TEMPORARY_MAX; i++) {
        if (temporaries[i] != NULL) { unlink(temporaries[i]); }
    }
    for (const cli_made *made = live_made; made != NULL; made = made->next) {
        if (unlink(made->path) != 0) { rmdir(made->path); }
    }
    // The signal's own action, once this function is left. Not before (SA_RESETHAND): a second signal on the heels of
    // the first would end the program before any of this.
    signal(number, SIG_DFL);
    raise(number);
}

static void handle_signals(void) {
    static bool handled;
    if (handled) { return; }
    handled = true;
    struct sigaction action = {.sa_handler = on_signal};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction before;
        const bool ignored = sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (!ignored) { sigaction(ending_signals[i], &action, NULL); } // nohup and the like are left alone
    }
}

void cli_signals_hold(void) {
    handle_signals();
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) { sigaddset(&held, ending_signals[i]); }
    sigprocmask(SIG_BLOCK, &held, &mask_before);
}

void cli_signals_release(void) { sigprocmask(SIG_SETMASK, &mask_before, NULL); }

void cli_signals_child(int process) { live_child = process; }

// Puts `to` where `from` was.
static void note_temporary(const char *from, const char *to) {
    for (int i = 0; i < TEMPORARY_MAX; i++) {
        if (temporaries[i] == from) {
            temporaries[i] = to;
            return;
        }
    }
}

// The umask can only be read by setting it; no other thread of the program makes files.
static mode_t default_mode(void) {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static char *temporary_beside(const char *path) {
    static const char name[] = ".zoetrope-XXXXXX"; // hidden: nothing takes it for an animation
    const char *slash = strrchr(path, '/');
    const size_t folder_size = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *temporary = malloc(folder_size + sizeof name);
    if (temporary != NULL) {
        memcpy(temporary, path, folder_size);
        memcpy(temporary + folder_size, name, sizeof name);
    }
    return temporary;
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
    if (there && access(path, W_OK) != 0) { return say_path("write", path); } // renaming would not ask
    struct stat own;
    if (there && lstat(path, &own) == 0 && S_ISLNK(own.st_mode)) { // a link stays; what it names gives way
        char *real = realpath(path, NULL);
        if (real == NULL) { return say_path("write", path); }
        free(file->path);
        path = file->path = real;
    }
    file->temporary = temporary_beside(path);
    if (file->temporary == NULL) { return say_path("write", path); }
    cli_signals_hold();
    const int descriptor = mkstemp(file->temporary);
    const int error = errno;
    if (descriptor >= 0) { note_temporary(NULL, file->temporary); }
    cli_signals_release();
    if (descriptor >= 0) {
        fchmod(descriptor, there ? status.st_mode & 07777 : default_mode());
        file->stream = fdopen(descriptor, "wb");
        if (file->stream == NULL) { close(descriptor); }
    } else {
        free(file->temporary);
        file->temporary = NULL;
        errno = error;
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
    if (file->temporary != NULL) { note_temporary(file->temporary, NULL); }
    free(file->temporary);
    free(file->path);
    *file = (cli_file){0};
}

void cli_file_discard(cli_file *file) {
    if (file->stream != NULL && file->stream != stdout) { fclose(file->stream); }
    if (file->temporary != NULL) { unlink(file->temporary); }
    release(file);
}

// All of it handed to the system and closed. false: said.
static bool finish(cli_file *file) {
    if (file->stream == NULL) { return false; }
    bool fine = fflush(file->stream) == 0;
    if (file->stream != stdout) { fine = fclose(file->stream) == 0 && fine; }
    file->stream = NULL;
    return fine || say_path("write", file->path);
}

static bool put_in_place(const cli_file *file) {
    return file->temporary == NULL || rename(file->temporary, file->path) == 0 || say_path("write", file->path);
}

bool cli_file_commit(cli_file *file) {
    const bool fine = finish(file) && put_in_place(file);
    if (fine) {
        release(file);
    } else {
        cli_file_discard(file);
    }
    return fine;
}

// The second name for what the first file was, to go back to when the second file cannot be put in place.
static bool put_pair_in_place(const cli_file *first, const cli_file *second) {
    const size_t size = first->temporary != NULL ? strlen(first->temporary) + 2 : 1;
    char *kept = malloc(size);
    if (kept == NULL) { return say_path("write", first->path); }
    snprintf(kept, size, "%s~", first->temporary != NULL ? first->temporary : "");
    const bool has_kept = first->temporary != NULL && link(first->path, kept) == 0;
    const bool first_fine = put_in_place(first), fine = first_fine && put_in_place(second);
    if (first_fine && !fine && first->temporary != NULL) {
        if (has_kept) {
            rename(kept, first->path);
        } else {
            unlink(first->path);
        }
    }
    if (has_kept) { unlink(kept); }
    free(kept);
    return fine;
}

bool cli_file_commit_pair(cli_file *first, cli_file *second) {
    bool fine = finish(first);
    fine = finish(second) && fine;
    cli_signals_hold();
    fine = fine && put_pair_in_place(first, second);
    cli_signals_release();
    if (fine) {
        release(first);
        release(second);
    } else {
        cli_file_discard(first);
        cli_file_discard(second);
    }
    return fine;
}

// ---- Folders ----

static char *path_in(const char *folder, const char *name, size_t size) {
    char *path = malloc(strlen(folder) + size + 2);
    if (path != NULL) { sprintf(path, "%s/%.*s", folder, (int)size, name); }
    return path;
}

// Makes a folder, or a file, and notes that it is there before a signal can come between. -1: errno; a folder that is
// there already is 0.
static int make_noted(cli_tree *tree, const char *path, bool folder) {
    const size_t size = strlen(path) + 1;
    cli_made *made = malloc(sizeof *made + size);
    if (made == NULL) { return -1; }
    memcpy(made->path, path, size);
    cli_signals_hold();
    const int got = folder ? mkdir(path, 0777) : open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    const int error = errno;
    if (got >= 0) {
        made->next = tree->made;
        live_made = tree->made = made;
    }
    cli_signals_release();
    if (got < 0) { free(made); }
    errno = error;
    return got < 0 && folder && error == EEXIST ? 0 : got;
}

static void forget_made(cli_tree *tree) {
    cli_signals_hold();
    cli_made *made = tree->made;
    live_made = tree->made = NULL;
    cli_signals_release();
    while (made != NULL) {
        cli_made *next = made->next;
        free(made);
        made = next;
    }
}

static void close_tree(cli_tree *tree) {
    free(tree->path);
    free(tree->temporary);
    *tree = (cli_tree){0};
}

void cli_tree_discard(cli_tree *tree) {
    for (const cli_made *made = tree->made; made != NULL; made = made->next) {
        if (unlink(made->path) != 0) { rmdir(made->path); }
    }
    forget_made(tree);
    close_tree(tree);
}

static bool say_folder(const char *path, int error) {
    errno = error;
    if (error == ENOTEMPTY || error == EEXIST) {
        cli_say("'%s' is there already%s; name a folder that is not", path, error == ENOTEMPTY ? " and not empty" : "");
        return false;
    }
    return say_path("make the folder", path);
}

bool cli_tree_open(cli_tree *tree, const char *path) {
    size_t size = strlen(path);
    struct stat status;
    while (size > 1 && path[size - 1] == '/') { size--; }
    *tree = (cli_tree){.path = strndup(path, size), .temporary = malloc(size + 8)};
    cli_made *made = malloc(sizeof *made + size + 8);
    bool fine = tree->path != NULL && tree->temporary != NULL && made != NULL;
    int error = errno;
    if (fine && lstat(tree->path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        error = EEXIST;
        fine = false;
    }
    if (fine) {
        sprintf(tree->temporary, "%s.XXXXXX", tree->path);
        cli_signals_hold();
        fine = mkdtemp(tree->temporary) != NULL;
        error = errno;
        if (fine) {
            made->next = NULL;
            strcpy(made->path, tree->temporary);
            live_made = tree->made = made;
        }
        cli_signals_release();
    }
    if (fine) { return true; }
    free(made);
    close_tree(tree);
    return say_folder(path, error);
}

char *cli_tree_path(const cli_tree *tree, const char *name) {
    char *path = path_in(tree->temporary, name, strlen(name));
    if (path == NULL) { say_path("make the folder", tree->path); }
    return path;
}

static bool make_folders(cli_tree *tree, const char *name) {
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char *inner = path_in(tree->temporary, name, (size_t)(slash - name));
        const bool fine = inner != NULL && make_noted(tree, inner, true) == 0;
        const int error = errno;
        free(inner);
        errno = error;
        if (!fine) { return false; }
    }
    return true;
}

static bool add_file(cli_tree *tree, const char *name, const void *bytes, size_t size) {
    char *path = path_in(tree->temporary, name, strlen(name));
    const int descriptor = path != NULL && make_folders(tree, name) ? make_noted(tree, path, false) : -1;
    int error = errno;
    free(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (descriptor >= 0 && stream == NULL) { close(descriptor); }
    bool fine = stream != NULL && (size == 0 || fwrite(bytes, 1, size, stream) == size);
    fine = fine && fflush(stream) == 0 && (!tree->sync || fsync(fileno(stream)) == 0);
    if (stream != NULL) { error = errno; }
    fine = (stream == NULL || fclose(stream) == 0) && fine;
    errno = error;
    return fine;
}

bool cli_tree_add(cli_tree *tree, const char *name, const void *bytes, size_t size) {
    if (tree->temporary != NULL && add_file(tree, name, bytes, size)) { return true; }
    return tree->temporary != NULL && say_folder(tree->path, errno);
}

// The temporary folder is made with nobody but us in mind; its successor is for whom the umask says.
static bool put_tree_in_place(const cli_tree *tree, char **aside) {
    const mode_t mode = default_mode() | ((default_mode() & 0444) >> 2);
    if (chmod(tree->temporary, mode) != 0) { return false; }
    if (rename(tree->temporary, tree->path) == 0) { return true; }
    if (aside == NULL || (errno != ENOTEMPTY && errno != EEXIST)) { return false; }
    char *old = malloc(strlen(tree->path) + 8);
    if (old == NULL) { return false; }
    sprintf(old, "%s.XXXXXX", tree->path);
    bool fine = mkdtemp(old) != NULL && rename(tree->path, old) == 0;
    if (fine && rename(tree->temporary, tree->path) != 0) {
        const int error = errno;
        rename(old, tree->path);
        errno = error;
        fine = false;
    }
    if (fine) {
        *aside = old;
    } else {
        const int error = errno;
        rmdir(old);
        free(old);
        errno = error;
    }
    return fine;
}

bool cli_tree_commit(cli_tree *tree, char **aside) {
    if (aside != NULL) { *aside = NULL; }
    if (tree->temporary == NULL) { return false; }
    cli_signals_hold();
    const bool fine = put_tree_in_place(tree, aside);
    const int error = errno;
    if (fine) { live_made = NULL; }
    cli_signals_release();
    if (fine) {
        forget_made(tree);
        close_tree(tree);
        return true;
    }
    say_folder(tree->path, error);
    cli_tree_discard(tree);
    return false;
}

bool cli_write_folder(const char *path, const cli_member *files, uint32_t count) {
    cli_tree tree;
    if (!cli_tree_open(&tree, path)) { return false; }
    tree.sync = true;
    bool fine = true;
    for (uint32_t i = 0; fine && i < count; i++) {
        fine = cli_tree_add(&tree, files[i].name, files[i].bytes, files[i].size);
    }
    fine = fine && cli_tree_commit(&tree, NULL);
    cli_tree_discard(&tree);
    return fine;
}
