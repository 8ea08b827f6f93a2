// See folder.h. New files are written beside their places under hidden names, then a journal names all changes, then
// they are made, then the journal goes: as long as it is there, the changes are taken back by whoever opens the folder
// next. All names of ours begin with the same hidden prefix, so that nothing takes them for animations, and are short,
// because the name of a file in the library may be as long as names can be.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "host/beside.h"
#include "host/content.h"

#define OURS ".zoetrope-"
#define LOCK OURS "lock"
#define JOURNAL OURS "journal"
#define JOURNAL_NEW OURS "journal-new"
#define NEW OURS "new-" // of a file that is to come: and the number of its line in the journal
#define OLD OURS "old-" // of a file that goes

enum { PATH_MAX_BYTES = 4096, JOURNAL_MAX = 1 << 20, LOCK_TRIES = 20, LOCK_WAIT_US = 100000 };
static const size_t SOURCE_MAX = (size_t)64 << 20; // the library's own limit for one source

typedef struct path_text { char text[PATH_MAX_BYTES]; } path_text;

// false: too long.
static bool path_of(const cli_folder *folder, const char *prefix, const char *file, path_text *path) {
    const int size = snprintf(path->text, sizeof path->text, "%s/%s%s", folder->path, prefix, file);
    errno = ENAMETOOLONG;
    return size > 0 && (size_t)size < sizeof path->text;
}

// The hidden name for the change of this number.
static bool hidden_path_of(const cli_folder *folder, const char *prefix, uint32_t number, path_text *path) {
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    return path_of(folder, prefix, digits, path);
}

static bool say_file(const cli_folder *folder, const char *what, const char *file) {
    cli_say("cannot %s '%s%s%s': %s", what, folder->path, *file ? "/" : "", file, strerror(errno));
    return false;
}

static bool is_there(const cli_folder *folder, const char *file) {
    path_text path;
    struct stat status;
    return path_of(folder, "", file, &path) && lstat(path.text, &status) == 0;
}

static bool remove_file(const cli_folder *folder, const char *file) {
    path_text path;
    return path_of(folder, "", file, &path) && (unlink(path.text) == 0 || errno == ENOENT);
}

// What was done to the folder's names is on the disk. Not every file system can say so; then it is as good as it gets.
static void sync_folder(const cli_folder *folder) {
    const int descriptor = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

// ------------------------------------------------------------------------------------------------------- one at a time

// Whether the open file is still the one of that name: whoever unlocks it removes it first.
static bool still_there(int descriptor, const char *path) {
    struct stat ours, there;
    return fstat(descriptor, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

// CLI_FINE with folder->lock -1: nothing can be written there, so nobody else is at it either.
static int take_lock(cli_folder *folder, bool write) {
    path_text path;
    if (!path_of(folder, "", LOCK, &path)) {
        say_file(folder, write ? "change" : "read", "");
        return CLI_FILES;
    }
    for (int i = 0; i < LOCK_TRIES; i++) {
        const int descriptor = open(path.text, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            if (!write && (errno == EACCES || errno == EROFS || errno == EPERM)) { return CLI_FINE; }
            say_file(folder, write ? "change" : "read", "");
            return CLI_FILES;
        }
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && still_there(descriptor, path.text)) {
            folder->lock = descriptor;
            return CLI_FINE;
        }
        const bool locked = errno == EWOULDBLOCK;
        close(descriptor);
        if (locked) { usleep(LOCK_WAIT_US); }
    }
    cli_say("another program is changing '%s'; try again when it is done", folder->path);
    return CLI_FILES;
}

static void give_lock(cli_folder *folder) {
    if (folder->lock < 0) { return; }
    remove_file(folder, LOCK); // while it is ours, so that nobody waits for a file that is gone
    close(folder->lock);
    folder->lock = -1;
}

// ------------------------------------------------------------------------------------------------------ taking it back

static bool is_plain_name(const char *name) { return *name != 0 && *name != '.' && strchr(name, '/') == NULL; }

// A new file goes when it is ours: the same file as the hidden one, or put there by renaming that one.
static bool take_back_new(const cli_folder *folder, uint32_t number, const char *file) {
    path_text hidden, path;
    struct stat ours, there;
    if (!hidden_path_of(folder, NEW, number, &hidden) || !path_of(folder, "", file, &path)) { return false; }
    if (lstat(path.text, &there) != 0) { return errno == ENOENT; }
    const bool foreign = lstat(hidden.text, &ours) == 0 && (ours.st_ino != there.st_ino || ours.st_dev != there.st_dev);
    return foreign || unlink(path.text) == 0;
}

static bool take_back_old(const cli_folder *folder, uint32_t number, const char *file) {
    path_text hidden, path;
    struct stat status;
    if (!hidden_path_of(folder, OLD, number, &hidden) || !path_of(folder, "", file, &path)) { return false; }
    return lstat(hidden.text, &status) != 0 || is_there(folder, file) || rename(hidden.text, path.text) == 0;
}

// Every line is a sign and a name: + of a file to come, - of one to go.
static bool take_back(const cli_folder *folder, char *journal) {
    bool fine = true;
    char *state = NULL;
    uint32_t number = 0;
    for (char *line = strtok_r(journal, "\n", &state); line != NULL; line = strtok_r(NULL, "\n", &state), number++) {
        if (!is_plain_name(line + 1)) { continue; }
        if (*line == '+') { fine = take_back_new(folder, number, line + 1) && fine; }
        if (*line == '-') { fine = take_back_old(folder, number, line + 1) && fine; }
    }
    return fine;
}

// Hidden files of changes that are over.
static void sweep(const cli_folder *folder) {
    DIR *dir = opendir(folder->path);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        if (strncmp(name, NEW, strlen(NEW)) == 0 || strncmp(name, OLD, strlen(OLD)) == 0 ||
            strcmp(name, JOURNAL_NEW) == 0) {
            remove_file(folder, name);
        }
    }
    if (dir != NULL) { closedir(dir); }
}

// Takes back what the journal names, if there is one.
static bool recover(const cli_folder *folder) {
    if (is_there(folder, JOURNAL)) {
        path_text path;
        cli_bytes bytes = {0};
        if (!path_of(folder, "", JOURNAL, &path) || !cli_read_file(path.text, JOURNAL_MAX, &bytes)) { return false; }
        char *text = malloc(bytes.size + 1);
        bool fine = text != NULL;
        if (fine) {
            memcpy(text, bytes.data != NULL ? bytes.data : (const uint8_t *)"", bytes.size);
            text[bytes.size] = 0;
            fine = take_back(folder, text);
        }
        free(text);
        cli_bytes_free(&bytes);
        if (!fine) { return say_file(folder, "take back an interrupted change in", ""); }
        sync_folder(folder);
        if (!remove_file(folder, JOURNAL)) { return say_file(folder, "remove", JOURNAL); }
    }
    sweep(folder);
    return true;
}

// ------------------------------------------------------------------------------------------------------- what is there

static bool is_json_name(const char *name) {
    const size_t size = strlen(name);
    return size > 5 && name[0] != '.' && strcmp(name + size - 5, ".json") == 0;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void *grown(void *items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return items; }
    const uint32_t more = *capacity == 0 ? 64 : *capacity * 2;
    void *grown_items = realloc(items, more * size);
    if (grown_items != NULL) { *capacity = more; }
    return grown_items;
}

static bool pass_over(cli_folder *folder, const char *file, const char *why) {
    cli_passed *more = grown(folder->passed, folder->passed_count, &folder->passed_capacity, sizeof *more);
    if (more == NULL) { return false; }
    folder->passed = more;
    more[folder->passed_count++] = (cli_passed){strdup(file), strdup(why)};
    return more[folder->passed_count - 1].file != NULL && more[folder->passed_count - 1].why != NULL;
}

// Takes over the bytes.
static bool add_item(cli_folder *folder, const char *file, cli_bytes *bytes, bool mended, const zo_program *program) {
    zo_clip_info info;
    if (!zo_clip_get(program, (zo_clip){1}, &info)) { return pass_over(folder, file, "there is no animation in it"); }
    const cli_stored *same = cli_folder_find(folder, info.name);
    if (same != NULL) {
        char why[512];
        snprintf(why, sizeof why, "its id %s is that of %s already", info.name, same->file);
        return pass_over(folder, file, why);
    }
    cli_stored *more = grown(folder->items, folder->count, &folder->capacity, sizeof *more);
    if (more == NULL) { return false; }
    folder->items = more;
    cli_stored *item = &more[folder->count++];
    *item = (cli_stored){.file = strdup(file), .id = strdup(info.name), .bytes = *bytes, .name = strdup(info.label),
                         .kind = strdup(info.kind), .duration_ns = info.duration_ns, .mended = mended};
    *bytes = (cli_bytes){0};
    return item->file != NULL && item->id != NULL && item->name != NULL && item->kind != NULL;
}

// The bytes of older rules give way to what they mean today. false: there is nothing to mend.
static bool mend(cli_bytes *bytes) {
    zo_document *mended = NULL;
    if (zo_definition_mend(bytes->data, bytes->size, NULL, &mended) != ZO_OK || mended == NULL) { return false; }
    const zo_text text = zo_document_bytes(mended);
    uint8_t *copy = malloc(text.size + 1);
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        cli_bytes_free(bytes);
        *bytes = (cli_bytes){copy, text.size};
    }
    zo_document_free(mended);
    return copy != NULL;
}

// false: memory.
static bool add_if_valid(cli_folder *folder, const char *file, const char *path, cli_bytes *bytes,
                         const zo_compile_def *def) {
    zo_compile_def as_definition = *def;
    as_definition.format = "petween";
    zo_program *program = NULL;
    zo_report *report = NULL, *first = NULL;
    zo_status status = ZO_INVALID;
    bool mended = false;
    for (bool again = true; again;) {
        const zo_source source = {.name = path, .bytes = bytes->data, .size = bytes->size};
        status = zo_compile(&source, 1, &as_definition, &program, &report);
        again = status == ZO_INVALID && !mended && mend(bytes);
        mended = mended || again;
        if (again) {
            first = report; // if mending does not help, what is wrong with the file itself is said
            report = NULL;
        }
    }
    const bool fine = status == ZO_OK
                          ? add_item(folder, file, bytes, mended, program)
                          : status != ZO_NO_MEMORY &&
                                pass_over(folder, file, content_first_error(first != NULL ? first : report));
    zo_program_free(program);
    zo_report_free(report);
    zo_report_free(first);
    return fine;
}

// false: memory.
static bool read_item(cli_folder *folder, const char *file, const zo_compile_def *def) {
    path_text path;
    struct stat status;
    cli_bytes bytes = {0};
    // a journal has lines
    if (strchr(file, '\n') != NULL) { return pass_over(folder, file, "its name has a line end"); }
    if (!path_of(folder, "", file, &path) || stat(path.text, &status) != 0 || !S_ISREG(status.st_mode)) {
        return pass_over(folder, file, "it is no ordinary file");
    }
    if (access(path.text, R_OK) != 0) { return pass_over(folder, file, strerror(errno)); }
    if (!cli_read_file(path.text, SOURCE_MAX, &bytes)) { return pass_over(folder, file, "it cannot be read"); }
    const bool fine = add_if_valid(folder, file, path.text, &bytes, def);
    cli_bytes_free(&bytes);
    return fine;
}

static int scan(cli_folder *folder, const zo_compile_def *def) {
    DIR *dir = opendir(folder->path);
    if (dir == NULL) { return say_file(folder, "read", "") ? CLI_FINE : CLI_FILES; }
    char **names = NULL;
    uint32_t count = 0, capacity = 0;
    bool fine = true;
    for (struct dirent *entry; fine && (entry = readdir(dir)) != NULL;) {
        if (!is_json_name(entry->d_name)) { continue; }
        char **more = grown(names, count, &capacity, sizeof *more);
        fine = more != NULL;
        if (fine) {
            names = more;
            names[count] = strdup(entry->d_name);
            fine = names[count++] != NULL;
        }
    }
    closedir(dir);
    if (count > 0) { qsort(names, count, sizeof *names, by_name); }
    for (uint32_t i = 0; i < count; i++) {
        fine = fine && read_item(folder, names[i], def);
        free(names[i]);
    }
    free(names);
    if (!fine) { cli_say("not enough memory for '%s'", folder->path); }
    return fine ? CLI_FINE : CLI_INTERNAL;
}

int cli_folder_open(cli_folder *folder, const char *path, bool write, const zo_compile_def *def) {
    *folder = (cli_folder){.path = strdup(path), .lock = -1};
    if (folder->path == NULL) { return CLI_INTERNAL; }
    folder->made = write && mkdir(path, 0777) == 0;
    const int code = take_lock(folder, write);
    if (code != CLI_FINE) { return code; }
    if (folder->lock >= 0 && !recover(folder)) { return CLI_FILES; }
    if (folder->lock < 0 && is_there(folder, JOURNAL)) {
        cli_say("a change to '%s' was interrupted; whoever may write there takes it back", path);
    }
    return scan(folder, def);
}

void cli_folder_close(cli_folder *folder) {
    give_lock(folder);
    if (folder->made) { rmdir(folder->path); } // not empty: it stays
    for (uint32_t i = 0; i < folder->count; i++) {
        free(folder->items[i].file);
        free(folder->items[i].id);
        free(folder->items[i].name);
        free(folder->items[i].kind);
        cli_bytes_free(&folder->items[i].bytes);
    }
    for (uint32_t i = 0; i < folder->passed_count; i++) {
        free(folder->passed[i].file);
        free(folder->passed[i].why);
    }
    free(folder->items);
    free(folder->passed);
    free(folder->path);
    *folder = (cli_folder){.lock = -1};
}

const cli_stored *cli_folder_find(const cli_folder *folder, const char *id) {
    for (uint32_t i = 0; i < folder->count; i++) {
        if (strcmp(folder->items[i].id, id) == 0) { return &folder->items[i]; }
    }
    return NULL;
}

char *cli_folder_file_of(const char *id) {
    const size_t size = strlen(id) + sizeof ".json";
    char *file = malloc(size);
    if (file == NULL) { return NULL; }
    beside_file_of_id(id, file, size);
    return file;
}

// ------------------------------------------------------------------------------------------------------------- changes

static bool write_all(int descriptor, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t wrote = write(descriptor, at, size);
        if (wrote < 0 && errno == EINTR) { continue; }
        if (wrote <= 0) { return false; }
        at += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

static bool write_file(const char *path, const void *bytes, size_t size) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) { return false; }
    const bool fine = write_all(descriptor, bytes, size) && fsync(descriptor) == 0;
    const int error = errno;
    const bool closed = close(descriptor) == 0;
    errno = fine ? errno : error;
    return fine && closed;
}

static bool write_new(const cli_folder *folder, const cli_change *change, uint32_t number) {
    path_text path;
    char *text = malloc(change->size + 1);
    if (text == NULL) { return false; }
    memcpy(text, change->bytes, change->size);
    text[change->size] = '\n';
    const bool fine = hidden_path_of(folder, NEW, number, &path) && write_file(path.text, text, change->size + 1);
    const int error = errno;
    free(text);
    errno = error;
    return fine;
}

static bool prepare(const cli_folder *folder, const cli_change *changes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (changes[i].bytes == NULL) { continue; }
        if (is_there(folder, changes[i].file)) {
            cli_say("'%s/%s' is there, and not what its name says; move it away first", folder->path, changes[i].file);
            return false;
        }
        if (!write_new(folder, &changes[i], i)) { return say_file(folder, "write", changes[i].file); }
    }
    return true;
}

static bool write_journal(const cli_folder *folder, const cli_change *changes, uint32_t count) {
    size_t size = 1;
    for (uint32_t i = 0; i < count; i++) { size += strlen(changes[i].file) + 2; }
    char *text = malloc(size);
    if (text == NULL) { return false; }
    char *end = text;
    for (uint32_t i = 0; i < count; i++) {
        end += snprintf(end, size - (size_t)(end - text), "%c%s\n", changes[i].bytes != NULL ? '+' : '-',
                        changes[i].file);
    }
    path_text from, to;
    const bool fine = size <= JOURNAL_MAX && path_of(folder, "", JOURNAL_NEW, &from) &&
                      path_of(folder, "", JOURNAL, &to) && write_file(from.text, text, (size_t)(end - text)) &&
                      rename(from.text, to.text) == 0;
    free(text);
    if (fine) { sync_folder(folder); }
    return fine || say_file(folder, "write", JOURNAL);
}

// A link does not replace what has come in between; where there are no links, renaming must do.
static bool make_one(const cli_folder *folder, const cli_change *change, uint32_t number) {
    path_text hidden, path;
    const bool comes = change->bytes != NULL;
    if (!hidden_path_of(folder, comes ? NEW : OLD, number, &hidden) || !path_of(folder, "", change->file, &path)) {
        return say_file(folder, "write", change->file);
    }
    if (!comes) { return rename(path.text, hidden.text) == 0 || say_file(folder, "remove", change->file); }
    if (link(hidden.text, path.text) == 0) { return true; }
    const bool no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK;
    return (no_links && rename(hidden.text, path.text) == 0) || say_file(folder, "write", change->file);
}

static bool make_all(const cli_folder *folder, const cli_change *changes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!make_one(folder, &changes[i], i)) { return false; }
    }
    sync_folder(folder);
    if (!remove_file(folder, JOURNAL)) { return say_file(folder, "remove", JOURNAL); } // from here on it holds
    sync_folder(folder);
    return true;
}

// One file that goes is whole by itself, and must not need room on a disk that is full.
static bool remove_one(const cli_folder *folder, const char *file) {
    path_text path;
    const bool fine = path_of(folder, "", file, &path) && unlink(path.text) == 0;
    if (fine) { sync_folder(folder); }
    return fine || say_file(folder, "remove", file);
}

bool cli_folder_change(cli_folder *folder, const cli_change *changes, uint32_t count) {
    if (count == 0) { return true; }
    if (count == 1 && changes[0].bytes == NULL) { return remove_one(folder, changes[0].file); }
    cli_signals_hold();
    const bool fine = prepare(folder, changes, count) && write_journal(folder, changes, count) &&
                      make_all(folder, changes, count);
    if (fine) {
        sweep(folder);
    } else {
        recover(folder);
    }
    cli_signals_release();
    return fine;
}
