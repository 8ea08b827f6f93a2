// See notify.h. What is known is a tree of folders and files; each knows how it was told of last (`told`) and how it
// was at the last look (`seen`). Where the two differ it is pending, until it rests.
#include "host/notify.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 40, EVENTS_SIZE = 65536 };
static const uint32_t watched_events = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO |
                                       IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                                       IN_DONT_FOLLOW | IN_EXCL_UNLINK;

typedef struct node node;
struct node {
    node *parent;      // NULL: the root
    char *name;
    bool folder, link;
    bool open;         // somebody is writing it
    bool listed;       // found by the scan that is under way
    bool unreadable;   // and that has been told
    bool scanning;     // waits in notify.scans
    uint32_t depth;
    host_stamp told, seen;
    int64_t since_ms;  // of the last difference between two looks
    node *before, *after; // among those pending
    bool pending;
    node **children;   // of a folder: by name, a file before a folder of the same name
    uint32_t count, capacity;
    int watch;         // of a folder; -1: it is looked into now and then
};

typedef struct watch_of { // sorted by number
    int number;
    node *folder;
} watch_of;

struct notify {
    notify_def def;
    char *root;
    host_stamp root_stamp;
    int events, waker;   // events -1: the system gives none
    node *tree;
    node *first_pending; // a list
    int64_t pending_ms;  // since when there are some
    int64_t event_ms;    // of the last difference anywhere
    node **scans;        // folders to look into
    uint32_t scan_count, scan_capacity;
    watch_of *watches;
    uint32_t watch_count, watch_capacity;
    notify_change *changes;
    uint32_t change_count, change_capacity;
    char **texts;        // paths of changes
    uint32_t text_count, text_capacity;
    _Atomic uint32_t files, folders, polled;
    int64_t poll_ms;     // the next look at folders that are not watched; of the root when it is gone
    int64_t again_ms;    // 0, or when all is to be looked at anew: something could not be
    bool root_gone, told_polling, told_many, told_deep, failed, begun, has_links;
    _Alignas(struct inotify_event) char buffer[EVENTS_SIZE];
};

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool notify_is_ignored(const char *name) {
    static const char *const endings[] = {"~",    ".swp",  ".swo",        ".swx",        ".tmp", ".temp",
                                          ".part", ".crdownload", "___jb_tmp___", "___jb_old___"};
    const size_t size = strlen(name);
    bool is = name[0] == '.' || strcmp(name, "4913") == 0 || // vim asks by that name whether it may write
              (size > 1 && name[0] == '#' && name[size - 1] == '#');
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && !is; i++) {
        const size_t end = strlen(endings[i]);
        is = size >= end && strcmp(name + size - end, endings[i]) == 0;
    }
    return is;
}

// ---- Paths ----

static bool grow(notify *n, void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return true; }
    const uint32_t more = *capacity * 2 + 64;
    void *grown = realloc(*items, more * size);
    if (grown == NULL) {
        n->failed = true;
        return false;
    }
    *items = grown;
    *capacity = more;
    return true;
}

// The path within the root of `name` in the folder (NULL: of the folder); false: it is too long.
static bool path_of(const node *folder, const char *name, char path[NOTIFY_PATH_MAX + 1]) {
    char *at = path + NOTIFY_PATH_MAX;
    *at = 0;
    const char *part = name != NULL ? name : folder->parent != NULL ? folder->name : NULL;
    const node *up = name != NULL ? folder : folder->parent;
    while (part != NULL) {
        const size_t size = strlen(part), slash = *at != 0;
        if ((size_t)(at - path) < size + slash) { return false; }
        at -= slash;
        if (slash) { *at = '/'; }
        at -= size;
        memcpy(at, part, size);
        part = up != NULL && up->parent != NULL ? up->name : NULL;
        up = up != NULL ? up->parent : NULL;
    }
    memmove(path, at, strlen(at) + 1);
    return true;
}

typedef struct whole_path { char text[PATH_MAX + NOTIFY_PATH_MAX + 2]; } whole_path;

static const char *whole_of(const notify *n, const char *path, whole_path *whole) {
    snprintf(whole->text, sizeof whole->text, "%s%s%s", strcmp(n->root, "/") != 0 || *path == 0 ? n->root : "",
             *path != 0 ? "/" : "", path);
    return whole->text;
}

static bool is_inside(const notify *n, const char *real) {
    const size_t size = strlen(n->root);
    return strncmp(real, n->root, size) == 0 && (real[size] == '/' || (size == 1 && real[0] == '/'));
}

static void say(notify *n, notify_kind kind, const char *path, bool link) {
    if (!grow(n, (void **)&n->texts, n->text_count, &n->text_capacity, sizeof *n->texts) ||
        !grow(n, (void **)&n->changes, n->change_count, &n->change_capacity, sizeof *n->changes)) {
        return;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        n->failed = true;
        return;
    }
    n->texts[n->text_count++] = copy;
    n->changes[n->change_count++] = (notify_change){kind, copy, link};
}

static void say_folder(notify *n, notify_kind kind, const node *folder, const char *name) {
    char path[NOTIFY_PATH_MAX + 1];
    say(n, kind, path_of(folder, name, path) ? path : name != NULL ? name : folder->name, false);
}

// ---- The tree ----

static int compare(const node *child, const char *name, bool folder) {
    const int order = strcmp(child->name, name);
    return order != 0 ? order : (int)child->folder - (int)folder;
}

static uint32_t place_of(const node *parent, const char *name, bool folder) { // where it is or would be
    uint32_t low = 0, high = parent->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(parent->children[middle], name, folder) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static node *child_of(const node *parent, const char *name, bool folder) {
    const uint32_t place = place_of(parent, name, folder);
    return place < parent->count && compare(parent->children[place], name, folder) == 0 ? parent->children[place]
                                                                                          : NULL;
}

static node *add_child(notify *n, node *parent, const char *name, bool folder) { // NULL: limits or memory
    char path[NOTIFY_PATH_MAX + 1];
    if ((folder && parent->depth + 1 >= NOTIFY_DEPTH_MAX) || !path_of(parent, name, path)) {
        if (!n->told_deep) { say_folder(n, NOTIFY_TOO_DEEP, parent, name); }
        n->told_deep = true;
        return NULL;
    }
    if (n->files + n->folders >= n->def.entry_max) {
        if (!n->told_many) { say(n, NOTIFY_TOO_MANY, path, false); }
        n->told_many = true;
        return NULL;
    }
    if (!grow(n, (void **)&parent->children, parent->count, &parent->capacity, sizeof *parent->children)) {
        return NULL;
    }
    node *child = calloc(1, sizeof *child);
    char *copy = strdup(name);
    if (child == NULL || copy == NULL) {
        free(child);
        free(copy);
        n->failed = true;
        return NULL;
    }
    const uint32_t place = place_of(parent, name, folder);
    memmove(parent->children + place + 1, parent->children + place,
            (parent->count - place) * sizeof *parent->children);
    parent->children[place] = child;
    parent->count++;
    *child = (node){.parent = parent, .name = copy, .folder = folder, .depth = parent->depth + 1, .watch = -1};
    if (folder) {
        n->folders++;
        n->polled++; // until it is watched
    } else {
        n->files++;
    }
    return child;
}

static uint32_t watch_place(const notify *n, int number) {
    uint32_t low = 0, high = n->watch_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (n->watches[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static node *watched(const notify *n, int number) {
    const uint32_t place = watch_place(n, number);
    return place < n->watch_count && n->watches[place].number == number ? n->watches[place].folder : NULL;
}

static void forget_watch(notify *n, int number) {
    const uint32_t place = watch_place(n, number);
    if (place == n->watch_count || n->watches[place].number != number) { return; }
    n->watches[place].folder->watch = -1;
    n->polled++;
    n->watch_count--;
    memmove(n->watches + place, n->watches + place + 1, (n->watch_count - place) * sizeof *n->watches);
}

static void end_watch(notify *n, node *folder) {
    const int number = folder->watch;
    if (number < 0) { return; }
    forget_watch(n, number);
    inotify_rm_watch(n->events, number);
}

static void rest(notify *n, node *file) { // no longer pending
    if (!file->pending) { return; }
    if (file->before != NULL) { file->before->after = file->after; }
    if (file->after != NULL) { file->after->before = file->before; }
    if (n->first_pending == file) { n->first_pending = file->after; }
    file->pending = false;
    file->before = file->after = NULL;
}

static void pend(notify *n, node *file, int64_t now) {
    file->since_ms = n->event_ms = now;
    if (file->pending) { return; }
    if (n->first_pending == NULL) { n->pending_ms = now; }
    file->pending = true;
    file->after = n->first_pending;
    if (n->first_pending != NULL) { n->first_pending->before = file; }
    n->first_pending = file;
}

static void free_node(notify *n, node *one) { // without children
    rest(n, one);
    if (one->folder) {
        end_watch(n, one);
        n->folders--;
        n->polled--;
    } else {
        n->files--;
    }
    if (one->scanning) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < n->scan_count; i++) {
            if (n->scans[i] != one) { n->scans[kept++] = n->scans[i]; }
        }
        n->scan_count = kept;
    }
    free(one->children);
    free(one->name);
    free(one);
}

static void drop(notify *n, node *child) { // and folders above it that are gone and have nothing left in them
    while (child->parent != NULL && child->count == 0) {
        node *parent = child->parent;
        const uint32_t place = place_of(parent, child->name, child->folder);
        parent->count--;
        memmove(parent->children + place, parent->children + place + 1,
                (parent->count - place) * sizeof *parent->children);
        free_node(n, child);
        if (parent->seen.there || parent->count > 0) { break; }
        child = parent;
    }
    n->told_many = n->told_many && n->files + n->folders + 1 >= n->def.entry_max;
}

// The next in the order of the tree, below `top`; NULL: that was the last. Needs no stack.
static node *next_below(const node *top, const node *at, bool into) {
    if (into && at->count > 0) { return at->children[0]; }
    while (at != top) {
        const node *parent = at->parent;
        const uint32_t place = place_of(parent, at->name, at->folder) + 1;
        if (place < parent->count) { return parent->children[place]; }
        at = parent;
    }
    return NULL;
}

static void want_scan(notify *n, node *folder) {
    if (folder->scanning || !grow(n, (void **)&n->scans, n->scan_count, &n->scan_capacity, sizeof *n->scans)) {
        return;
    }
    folder->scanning = true;
    n->scans[n->scan_count++] = folder;
}

// ---- Looking ----

static void see(notify *n, node *file, const host_stamp *stamp, int64_t now) {
    if (host_stamp_same(stamp, &file->seen)) { return; }
    file->seen = *stamp;
    if (!stamp->there) { file->open = false; }
    pend(n, file, now);
}

static void lose(notify *n, node *lost, int64_t now) { // it, and all below it
    static const host_stamp nothing;
    for (node *at = lost; at != NULL; at = next_below(lost, at, true)) {
        if (at->folder) {
            end_watch(n, at);
            at->seen = nothing;
        } else {
            see(n, at, &nothing, now);
        }
    }
    for (node *at = lost, *next; at != NULL; at = next) { // folders without files are not waited for
        next = next_below(lost, at, true); // which is not above it, and so stays
        if (at->folder && at->count == 0) { drop(n, at); }
    }
}

// What is there under the name. *link: by a link.
static host_stamp look(const notify *n, const char *path, bool *link) {
    struct stat status;
    host_stamp stamp = {0};
    char real[PATH_MAX];
    whole_path buffer;
    const char *whole = whole_of(n, path, &buffer);
    *link = false;
    if (lstat(whole, &status) == 0 && realpath(whole, real) != NULL) { // of a link that leads nowhere it is NULL
        *link = S_ISLNK(status.st_mode);
        // What is no link lies where its path says, or a folder above it has become one.
        const bool fine = *link ? is_inside(n, real) && lstat(real, &status) == 0 && S_ISREG(status.st_mode)
                                : strcmp(real, whole) == 0;
        if (fine && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) { stamp = host_stamp_of(&status); }
    }
    return stamp;
}

// The child of that name as it is now. NULL: there is no file, or none that counts.
static node *look_at(notify *n, node *parent, const char *name, int64_t now) {
    char path[NOTIFY_PATH_MAX + 1];
    bool link = false;
    if (notify_is_ignored(name)) { return NULL; }
    const bool fits = path_of(parent, name, path);
    const host_stamp stamp = fits ? look(n, path, &link) : (host_stamp){0};
    node *file = child_of(parent, name, false), *folder = child_of(parent, name, true);
    if (folder != NULL && folder->seen.there && !(stamp.folder && host_stamp_one_file(&stamp, &folder->seen))) {
        lose(n, folder, now);
        folder = child_of(parent, name, true);
    }
    if (file != NULL && (!stamp.there || stamp.folder)) {
        see(n, file, &(host_stamp){0}, now);
        file = NULL;
    }
    if (!stamp.there && !fits && !n->told_deep) {
        n->told_deep = true;
        say_folder(n, NOTIFY_TOO_DEEP, parent, name);
    }
    if (!stamp.there) { return NULL; }
    if (stamp.folder) {
        if (folder == NULL) { folder = add_child(n, parent, name, true); }
        if (folder == NULL) { return NULL; }
        folder->listed = true;
        if (!folder->seen.there) {
            folder->seen = stamp;
            want_scan(n, folder);
        }
        return NULL;
    }
    if (file == NULL) { file = child_of(parent, name, false); }
    if (file == NULL) { file = add_child(n, parent, name, false); }
    if (file == NULL) { return NULL; }
    file->listed = true;
    file->link = link;
    n->has_links = n->has_links || link;
    see(n, file, &stamp, now);
    return file;
}

static void begin_watch(notify *n, node *folder, const char *path) {
    if (n->events < 0 || folder->watch >= 0) { return; }
    whole_path whole;
    const bool allowed = n->def.watch_max != NOTIFY_NO_WATCHES && n->watch_count < n->def.watch_max;
    const int number = allowed ? inotify_add_watch(n->events, whole_of(n, path, &whole), watched_events) : -1;
    const int why = allowed ? errno : ENOSPC;
    if (number >= 0) {
        node *other = watched(n, number); // the folder was moved, and where from is not known yet
        if (other != NULL) { forget_watch(n, number); }
        if (!grow(n, (void **)&n->watches, n->watch_count, &n->watch_capacity, sizeof *n->watches)) {
            inotify_rm_watch(n->events, number);
            return;
        }
        const uint32_t place = watch_place(n, number);
        memmove(n->watches + place + 1, n->watches + place, (n->watch_count - place) * sizeof *n->watches);
        n->watches[place] = (watch_of){number, folder};
        n->watch_count++;
        folder->watch = number;
        n->polled--;
    } else if (why != ENOENT && why != ENOTDIR && why != EACCES && !n->told_polling) {
        n->told_polling = true;
        say(n, NOTIFY_POLLING, path, false);
    }
}

static void scan(notify *n, node *folder, int64_t now) {
    char path[NOTIFY_PATH_MAX + 1];
    if (!path_of(folder, NULL, path)) { return; }
    begin_watch(n, folder, path); // before it is read, so that nothing comes between
    whole_path whole;
    const int opened = open(whole_of(n, path, &whole), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int why = errno;
    DIR *entries = opened >= 0 ? fdopendir(opened) : NULL;
    if (entries == NULL) {
        if (opened >= 0) { close(opened); }
        const bool gone = opened < 0 && (why == ENOENT || why == ENOTDIR || why == ELOOP);
        if (!gone && !folder->unreadable) { say(n, NOTIFY_UNREADABLE, path, false); }
        folder->unreadable = !gone;
        if (gone && folder->parent != NULL) { lose(n, folder, now); }
        return;
    }
    folder->unreadable = false;
    for (uint32_t i = 0; i < folder->count; i++) { folder->children[i]->listed = false; }
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL; errno = 0) {
        look_at(n, folder, entry->d_name, now);
    }
    const bool whole_list = errno == 0;
    closedir(entries);
    for (uint32_t i = folder->count; i > 0 && whole_list; i--) { // from behind: what goes shifts only what was seen
        node *child = i <= folder->count ? folder->children[i - 1] : NULL;
        if (child != NULL && !child->listed && child->seen.there) { lose(n, child, now); }
    }
}

static void scan_all_wanted(notify *n, int64_t now) {
    while (n->scan_count > 0) {
        node *folder = n->scans[--n->scan_count];
        folder->scanning = false;
        if (folder->seen.there) { scan(n, folder, now); }
    }
}

static void want_all(notify *n) {
    for (node *at = n->tree; at != NULL; at = next_below(n->tree, at, true)) {
        if (at->folder && at->seen.there) { want_scan(n, at); }
    }
}

static void want_polled(notify *n, int64_t now) {
    n->told_polling = n->told_polling && n->polled > 0;
    if (n->polled == 0 || now < n->poll_ms) { return; }
    n->poll_ms = now + n->def.poll_ms;
    for (node *at = n->tree; at != NULL; at = next_below(n->tree, at, true)) {
        if (at->folder && at->seen.there && at->watch < 0) { want_scan(n, at); }
    }
}

// Links are not watched where they end.
static void look_at_links(notify *n, int64_t now) {
    for (node *at = n->tree; at != NULL; at = next_below(n->tree, at, true)) {
        char path[NOTIFY_PATH_MAX + 1];
        bool link;
        if (at->folder || !at->link || !path_of(at, NULL, path)) { continue; }
        const host_stamp stamp = look(n, path, &link);
        see(n, at, &stamp, now);
    }
}

// ---- The root ----

static bool is_empty(const char *path) {
    DIR *entries = opendir(path);
    bool is = true;
    if (entries == NULL) { return true; }
    for (const struct dirent *entry; is && (entry = readdir(entries)) != NULL;) {
        is = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(entries);
    return is;
}

static void check_root(notify *n, int64_t now) {
    struct stat status;
    const bool there = lstat(n->root, &status) == 0 && S_ISDIR(status.st_mode);
    const host_stamp stamp = there ? host_stamp_of(&status) : (host_stamp){0};
    if (host_stamp_one_file(&stamp, &n->root_stamp) && !n->root_gone) { return; }
    if (!n->root_gone) {
        n->root_gone = true;
        say(n, NOTIFY_ROOT_GONE, "", false);
        for (node *at = n->tree; at != NULL; at = next_below(n->tree, at, true)) {
            if (at->folder) { end_watch(n, at); }
        }
    }
    n->poll_ms = now + n->def.poll_ms;
    if (!there || is_empty(n->root)) { return; }
    n->root_gone = false;
    n->root_stamp = stamp;
    say(n, NOTIFY_ROOT_BACK, "", false);
    want_all(n);
}

// ---- Events ----

static void take_event(notify *n, const struct inotify_event *event, int64_t now) {
    if ((event->mask & IN_Q_OVERFLOW) != 0) {
        say(n, NOTIFY_OVERFLOW, "", false);
        want_all(n);
        return;
    }
    node *folder = watched(n, event->wd);
    if (folder == NULL) { return; } // of a watch that has been ended
    if ((event->mask & IN_IGNORED) != 0) { forget_watch(n, event->wd); }
    if ((event->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0) {
        if (folder == n->tree) { check_root(n, now); }
        return; // of others their parents tell
    }
    if (event->len == 0) { return; }
    node *file = look_at(n, folder, event->name, now);
    if (file == NULL) { return; }
    if ((event->mask & IN_MODIFY) != 0) {
        file->open = true;
    } else if ((event->mask & IN_CREATE) != 0) {
        struct stat status;
        char path[NOTIFY_PATH_MAX + 1];
        whole_path whole;
        // A new name of a file that is there is nobody's to write.
        file->open = path_of(folder, event->name, path) && lstat(whole_of(n, path, &whole), &status) == 0 &&
                     S_ISREG(status.st_mode) && status.st_nlink == 1;
    } else if ((event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0) {
        file->open = false;
    }
    if (file->pending) { file->since_ms = n->event_ms = now; } // not at rest, whatever its time of change says
}

static void take_events(notify *n, int64_t now) {
    for (ssize_t size = 1; size > 0;) {
        size = read(n->events, n->buffer, sizeof n->buffer);
        for (ssize_t at = 0; size > 0 && at + (ssize_t)sizeof(struct inotify_event) <= size;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)(n->buffer + at);
            take_event(n, event, now);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
}

// ---- Telling ----

static int by_inode(const void *a, const void *b) {
    const host_stamp *left = &(*(node *const *)a)->seen, *right = &(*(node *const *)b)->seen;
    if (left->device != right->device) { return left->device < right->device ? -1 : 1; }
    return left->inode < right->inode ? -1 : left->inode > right->inode;
}

static bool is_due(const notify *n, const node *file, int64_t now, node *const *turned_up, uint32_t count) {
    const int64_t rested = now - file->since_ms;
    if (file->seen.there) {
        return rested >= (int64_t)n->def.quiet_ms && (!file->open || rested >= (int64_t)n->def.open_ms);
    }
    node as_told = {.seen = file->told}, *key = &as_told;
    const bool moved = file->told.there && count > 0 &&
                       bsearch(&key, turned_up, count, sizeof *turned_up, by_inode) != NULL;
    return rested >= (int64_t)(moved ? n->def.quiet_ms : n->def.gone_ms);
}

static int by_path(const void *a, const void *b) {
    const notify_change *left = a, *right = b;
    const bool left_word = left->kind >= NOTIFY_POLLING, right_word = right->kind >= NOTIFY_POLLING;
    if (left_word != right_word) { return left_word ? -1 : 1; }
    return strcmp(left->path, right->path);
}

static void tell_one(notify *n, node *file) {
    char path[NOTIFY_PATH_MAX + 1];
    if (!path_of(file, NULL, path)) { return; }
    const bool was = file->told.there, is = file->seen.there;
    if ((was || is) && !(was && is && host_stamp_same(&file->told, &file->seen))) {
        say(n, is ? was ? NOTIFY_CHANGED : NOTIFY_APPEARED : NOTIFY_GONE, path, file->link);
        if (n->failed) { return; } // it stays pending
    }
    file->told = file->seen;
    file->open = false;
    rest(n, file);
    if (!is) { drop(n, file); }
}

static void tell_due(notify *n, int64_t now) {
    uint32_t count = 0, due = 0, there = 0;
    if (n->first_pending == NULL || n->root_gone) { return; }
    if (now - n->event_ms < (int64_t)n->def.quiet_ms && now - n->pending_ms < (int64_t)n->def.group_ms) { return; }
    for (const node *at = n->first_pending; at != NULL; at = at->after) { count++; }
    node **list = malloc(2 * (size_t)count * sizeof *list), **turned_up = list != NULL ? list + count : NULL;
    if (list == NULL) {
        n->failed = true;
        return;
    }
    for (node *at = n->first_pending; at != NULL; at = at->after) {
        if (at->seen.there) { turned_up[there++] = at; }
    }
    qsort(turned_up, there, sizeof *turned_up, by_inode);
    for (node *at = n->first_pending; at != NULL; at = at->after) {
        if (is_due(n, at, now, turned_up, there)) { list[due++] = at; }
    }
    // Written through a mapping, or changed while nobody watches: another look before it is told.
    for (uint32_t i = 0; i < due; i++) {
        char path[NOTIFY_PATH_MAX + 1];
        bool link;
        const host_stamp stamp = path_of(list[i], NULL, path) ? look(n, path, &link) : list[i]->seen;
        const host_stamp now_there = stamp.folder ? (host_stamp){0} : stamp;
        if (!host_stamp_same(&now_there, &list[i]->seen)) {
            see(n, list[i], &now_there, now);
            list[i] = NULL;
        }
    }
    for (uint32_t i = 0; i < due && !n->failed; i++) {
        if (list[i] != NULL) { tell_one(n, list[i]); }
    }
    free(list);
    n->pending_ms = now; // of those that are left
}

static void forget_told(notify *n) {
    for (uint32_t i = 0; i < n->text_count; i++) { free(n->texts[i]); }
    n->text_count = n->change_count = 0;
}

bool notify_wait(notify *n, uint32_t timeout_ms, const notify_change **changes, uint32_t *count) {
    const int64_t end = now_ms() + timeout_ms;
    forget_told(n);
    n->failed = false;
    for (bool woken = false;;) {
        int64_t now = now_ms();
        if (!n->begun || (n->again_ms != 0 && now >= n->again_ms)) {
            n->again_ms = 0;
            want_all(n);
        }
        n->begun = true;
        if (n->events >= 0) { take_events(n, now); }
        if (n->root_gone ? now >= n->poll_ms : n->polled > 0 && now >= n->poll_ms) { check_root(n, now); }
        if (!n->root_gone) {
            want_polled(n, now);
            const bool moves = n->scan_count > 0 || n->event_ms == now;
            scan_all_wanted(n, now);
            if (moves && n->has_links) { look_at_links(n, now); }
        }
        tell_due(n, now);
        if (n->failed) { n->again_ms = now + (int64_t)n->def.poll_ms; }
        if (n->change_count > 0 || n->failed || woken || now >= end) { break; }
        int64_t wait = end - now;
        if (n->first_pending != NULL && !n->root_gone && wait > TICK_MS) { wait = TICK_MS; }
        const int64_t look = n->poll_ms > now ? n->poll_ms - now : 0;
        if ((n->polled > 0 || n->root_gone) && wait > look) { wait = look; }
        if (n->again_ms != 0 && wait > n->again_ms - now) { wait = n->again_ms > now ? n->again_ms - now : 0; }
        struct pollfd files[2] = {{.fd = n->waker, .events = POLLIN}, {.fd = n->events, .events = POLLIN}};
        poll(files, 2, (int)(wait < INT_MAX ? wait : INT_MAX));
        uint64_t wakes;
        woken = (files[0].revents & POLLIN) != 0 && read(n->waker, &wakes, sizeof wakes) > 0;
    }
    if (n->change_count > 1) { qsort(n->changes, n->change_count, sizeof *n->changes, by_path); }
    *changes = n->changes;
    *count = n->change_count;
    return !n->failed;
}

void notify_wake(notify *n) {
    const uint64_t one = 1;
    const ssize_t written = write(n->waker, &one, sizeof one); // full is awake
    (void)written;
}

// ---- Files ----

static node *find(const notify *n, const char *path, bool folder) { // NULL: it is not known
    char name[NOTIFY_PATH_MAX + 1];
    node *at = n->tree;
    while (*path != 0 && at != NULL) {
        const size_t size = strcspn(path, "/");
        if (size == 0 || size > NOTIFY_PATH_MAX) { return NULL; }
        memcpy(name, path, size);
        name[size] = 0;
        path += size;
        const bool last = *path == 0;
        at = child_of(at, name, last ? folder : true);
        path += last ? 0 : 1;
    }
    return at;
}

bool notify_has(const notify *n, const char *path) {
    const node *file = find(n, path, false);
    return file != NULL && !file->folder && file->told.there;
}

bool notify_each(const notify *n, const char *folder, bool (*fn)(void *context, const char *path, bool link),
                 void *context) {
    const node *top = find(n, folder, true);
    bool go_on = true;
    for (const node *at = top; at != NULL && go_on; at = next_below(top, at, true)) {
        char path[NOTIFY_PATH_MAX + 1];
        if (!at->folder && at->told.there && path_of(at, NULL, path)) { go_on = fn(context, path, at->link); }
    }
    return go_on;
}

static bool is_opened_inside(const notify *n, int file) { // whatever links were put in its way meanwhile
    char link[64], real[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t size = readlink(link, real, sizeof real - 1);
    if (size <= 0) { return false; }
    real[size] = 0;
    return is_inside(n, real);
}

static notify_read_status read_open(int file, const host_stamp *stamp, uint8_t **bytes, size_t *size) {
    const size_t wanted = (size_t)stamp->size;
    uint8_t *whole = malloc(wanted + 1);
    size_t at = 0;
    if (whole == NULL) { return NOTIFY_READ_NO_MEMORY; }
    while (at < wanted) {
        const ssize_t got = read(file, whole + at, wanted - at);
        if (got < 0 && errno == EINTR) { continue; }
        if (got < 0) {
            free(whole);
            return NOTIFY_READ_REFUSED;
        }
        if (got == 0) { break; }
        at += (size_t)got;
    }
    struct stat status;
    const host_stamp after = fstat(file, &status) == 0 ? host_stamp_of(&status) : (host_stamp){0};
    if (at != wanted || !host_stamp_same(&after, stamp)) {
        free(whole);
        return NOTIFY_READ_MOVING;
    }
    whole[at] = 0;
    *bytes = whole;
    *size = at;
    return NOTIFY_READ;
}

notify_read_status notify_read(notify *n, const char *path, size_t max, uint8_t **bytes, size_t *size) {
    node *known = find(n, path, false);
    struct stat status;
    *bytes = NULL;
    *size = 0;
    if (known == NULL || known->folder || !known->told.there) { return NOTIFY_READ_GONE; }
    whole_path whole;
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (known->link ? 0 : O_NOFOLLOW);
    const int file = open(whole_of(n, path, &whole), flags);
    const int why = errno;
    if (file < 0) { return why == ENOENT || why == ENOTDIR || why == ELOOP ? NOTIFY_READ_GONE : NOTIFY_READ_REFUSED; }
    notify_read_status result = NOTIFY_READ_GONE;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_opened_inside(n, file)) {
        const host_stamp stamp = host_stamp_of(&status);
        if ((uintmax_t)status.st_size > (uintmax_t)max) {
            result = NOTIFY_READ_LARGE;
        } else if (!host_stamp_same(&stamp, &known->told)) {
            result = NOTIFY_READ_MOVING;
        } else {
            result = read_open(file, &stamp, bytes, size);
        }
    }
    close(file);
    if (result == NOTIFY_READ_MOVING) {
        known->told.size = -1; // no file has that: it differs when it comes to rest
        pend(n, known, now_ms());
    }
    return result;
}

notify_numbers notify_count(const notify *n) {
    return (notify_numbers){atomic_load(&n->files), atomic_load(&n->folders), atomic_load(&n->polled)};
}

// ---- All ----

static uint32_t or_else(uint32_t value, uint32_t usual) { return value > 0 ? value : usual; }

notify *notify_new(const char *root, const notify_def *given) {
    const notify_def def = given != NULL ? *given : (notify_def){0};
    notify *n = calloc(1, sizeof *n);
    if (n == NULL) { return NULL; }
    n->def = (notify_def){.quiet_ms = or_else(def.quiet_ms, 150), .gone_ms = or_else(def.gone_ms, 600),
                          .open_ms = or_else(def.open_ms, 3000), .group_ms = or_else(def.group_ms, 2000),
                          .poll_ms = or_else(def.poll_ms, 1000),
                          .watch_max = or_else(def.watch_max, NOTIFY_NO_WATCHES - 1),
                          .entry_max = or_else(def.entry_max, 200000)};
    n->events = n->waker = -1;
    n->root = realpath(root, NULL);
    n->tree = calloc(1, sizeof *n->tree);
    n->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    n->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK); // without, everything is polled
    const int opened = n->root != NULL ? open(n->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    struct stat status;
    if (opened < 0 || n->tree == NULL || n->waker < 0 || fstat(opened, &status) != 0) {
        const int why = errno;
        if (opened >= 0) { close(opened); }
        notify_free(n);
        errno = why;
        return NULL;
    }
    close(opened);
    n->root_stamp = host_stamp_of(&status);
    *n->tree = (node){.folder = true, .watch = -1, .seen = n->root_stamp, .name = NULL};
    n->folders = n->polled = 1;
    n->poll_ms = now_ms() + n->def.poll_ms;
    return n;
}

void notify_free(notify *n) {
    if (n == NULL) { return; }
    for (node *at = n->tree; at != NULL;) { // children before their parents
        if (at->count > 0) {
            at = at->children[--at->count];
            continue;
        }
        node *parent = at->parent;
        free(at->children);
        free(at->name);
        free(at);
        at = parent;
    }
    forget_told(n);
    if (n->events >= 0) { close(n->events); }
    if (n->waker >= 0) { close(n->waker); }
    free(n->texts);
    free(n->changes);
    free(n->scans);
    free(n->watches);
    free(n->root);
    free(n);
}

const char *notify_root(const notify *n) { return n->root; }
