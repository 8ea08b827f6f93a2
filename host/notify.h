// The files below a folder, and what becomes of them: told when it is over, not while it happens. The system says which
// folder to look into (inotify); what is there is always looked at, so that nothing depends on every event coming.
// Where the system watches no more folders, they are looked into again and again. Called by watch.c; knows no formats.
//
// A change is told when nothing has happened in the whole tree for quiet_ms, so that what belongs together is told
// together, but if it never becomes quiet, what rests by itself is told after group_ms. A file that somebody has open
// for writing is not at rest. One that is gone is mostly about to come back (editors that save by renaming): it is told
// of after gone_ms, or at once when the same file has turned up elsewhere.
//
// Nothing outside of the folder is looked at: links to folders are passed over, links to files are followed only where
// they end in the folder. When the folder itself is gone, all of its files stay as they are until it comes back, and an
// empty folder in its place does not count: disks are unplugged.
//
// Threads: one thread has it; notify_wake may be called by any. Paths are relative to the folder, with '/', and live
// until the next notify_wait.
#ifndef HOST_NOTIFY_H
#define HOST_NOTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/stamp.h"

typedef struct notify notify;

typedef struct notify_def { // zero: the default
    uint32_t quiet_ms;   // 150
    uint32_t gone_ms;    // 600
    uint32_t open_ms;    // a file is taken as it is after so long without a change, though it is open; 3000
    uint32_t group_ms;   // 2000
    uint32_t poll_ms;    // how often to look where the system does not watch; 1000
    uint32_t watch_max;  // folders to be watched by the system; as many as it allows. NOTIFY_NO_WATCHES: none
    uint32_t entry_max;  // files and folders; 200000
} notify_def;

enum { NOTIFY_DEPTH_MAX = 32, NOTIFY_PATH_MAX = 1024 };
#define NOTIFY_NO_WATCHES UINT32_MAX

typedef enum notify_kind {
    NOTIFY_APPEARED, // a file that was not there, also all that are there in the beginning
    NOTIFY_CHANGED,
    NOTIFY_GONE,
    // What somebody should be told; no file's state. Each once, until it was over.
    NOTIFY_POLLING,    // the system watches no more folders: path is the first that is looked into instead
    NOTIFY_OVERFLOW,   // events were lost; all is looked at anew
    NOTIFY_TOO_MANY,   // more than entry_max: path is the first that is passed over
    NOTIFY_TOO_DEEP,   // deeper than NOTIFY_DEPTH_MAX, or a path longer than NOTIFY_PATH_MAX; passed over
    NOTIFY_UNREADABLE, // a folder that may not be looked into: its files stay as they are
    NOTIFY_ROOT_GONE,
    NOTIFY_ROOT_BACK,
    NOTIFY_KIND_COUNT
} notify_kind;

typedef struct notify_change {
    notify_kind kind;
    const char *path;
    bool link; // a link to another file of the folder
} notify_change;

// NULL: `root` is no folder that can be looked into, or no memory; errno says which.
notify *notify_new(const char *root, const notify_def *def);
void notify_free(notify *n); // NULL does nothing
const char *notify_root(const notify *n); // resolved, absolute

// Changes, in the order of their paths, waiting for some for at most timeout_ms. *count is 0 when there were none, and
// when it was woken. false: no memory; what could not be told is told by a later call.
bool notify_wait(notify *n, uint32_t timeout_ms, const notify_change **changes, uint32_t *count);
void notify_wake(notify *n); // the wait that is under way, or the next one, ends

// Files that are there, as far as they have been told of.
bool notify_has(const notify *n, const char *path);
// All of them below the folder ("": all), in the order of their paths. `fn` must not call notify_wait. false: it
// returned false, or no memory.
bool notify_each(const notify *n, const char *folder, bool (*fn)(void *context, const char *path, bool link),
                 void *context);

typedef enum notify_read_status {
    NOTIFY_READ,
    NOTIFY_READ_GONE,    // or it leads out of the folder, or is no file any more
    NOTIFY_READ_MOVING,  // somebody is writing it: it will be told of again
    NOTIFY_READ_LARGE,   // more than `max` bytes
    NOTIFY_READ_REFUSED, // the system does not give it
    NOTIFY_READ_NO_MEMORY,
} notify_read_status;
// The whole file; malloc, with a zero byte behind it.
notify_read_status notify_read(notify *n, const char *path, size_t max, uint8_t **bytes, size_t *size);

// Names that are none of the user's: hidden ones, and what editors and downloads leave beside a file for a moment.
bool notify_is_ignored(const char *name);

// For the metrics, from any thread.
typedef struct notify_numbers {
    uint32_t files, folders, polled; // polled: of the folders
} notify_numbers;
notify_numbers notify_count(const notify *n);

#endif
