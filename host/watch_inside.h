// What the sources of watch.h share. Included by these alone.
//
// The files of the folder are units: one for each file that could be a thing, and one for each folder of a character
// pack, called after its manifest. What a unit is, and what belongs to it, is found by reading it.
#ifndef HOST_WATCH_INSIDE_H
#define HOST_WATCH_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "host/content.h"
#include "host/notify.h"
#include "host/watch.h"

typedef struct watch_key { // a thing of the library
    store_area area;
    char *id;
} watch_key;

typedef struct watch_names {
    char **items; // malloc, each of them too
    uint32_t count, capacity;
} watch_names;

typedef enum unit_state {
    UNIT_NEW,     // not read yet
    UNIT_NOTHING, // no format of ours
    UNIT_FAULTY,  // what it is cannot be stored; what is stored stays
    UNIT_STORED,
} unit_state;

typedef struct unit {
    char *path;
    watch_names members; // its files, `path` first
    watch_names misses;  // names that it asked for and the folder does not have
    watch_key *keys;     // what it is in the library
    uint32_t key_count;
    unit_state state;
    bool character;      // a folder with a character pack
    uint8_t rank;        // order of storing: things, then what holds several, then pictures, which may turn out to be
                         // parts: a file of its own goes before what is in a pack
    bool whole;          // is no part of anything, whatever names it
    bool part, was_part; // of another unit, and so nothing by itself
    bool claimed;        // another one names it
    bool gone;
    bool dirty;          // is to be read and stored
    bool found;          // of one that is dirty: members and misses are as they are now
    bool refused;        // the library refused it: that may be over when the library has changed
    bool conflict;       // another file had its id
    char *said;          // why it is faulty, as it was said; NULL: it was not
} unit;

typedef struct watch_owner { // by area and id
    const watch_key *key;
    unit *owner;
} watch_owner;

typedef struct watch_leaving { // something that the folder had
    watch_key key;
    char *path;
    bool said; // that it cannot go
} watch_leaving;

struct watch {
    store *s;
    http_server *server;
    notify *files;
    char *own;    // path of the library itself, if it lies in the folder; NULL: it does not
    unit **units; // by path
    uint32_t unit_count, unit_capacity;
    watch_owner *owners; // by area and id
    uint32_t owner_count, owner_capacity;
    watch_leaving *leaving;
    uint32_t leaving_count, leaving_capacity;
    bool begun;       // the folder was read once
    bool failed;      // memory, or the library: to be tried again
    bool lost;        // there was no memory for a unit: all files are gone through again
    bool freed;       // an id that a unit had is nobody's now
    store_status told_failure; // of the library, that was said; OK: none
    _Atomic bool ended, changed;
    _Atomic uint32_t stored, faulty, stuck; // units; stuck: things that cannot leave
    pthread_t thread;
    bool has_thread;
};

// ---- Names ----

bool watch_names_add(watch_names *names, const char *name); // copied; false: memory
bool watch_names_have(const watch_names *names, const char *name);
void watch_names_free(watch_names *names);
bool watch_grow(void **items, uint32_t count, uint32_t *capacity, size_t size); // false: memory

// ---- Files: watch_files.c ----

typedef struct watch_loaded { // files with their bytes
    store_file *files;
    uint32_t count, capacity;
    uint64_t size;
    const char *fault; // why not all could be had, a clause; NULL: they could. Static
    bool again;        // one of them is being written, or memory: it will be tried again
} watch_loaded;
void watch_loaded_free(watch_loaded *loaded);

bool watch_is_candidate(const char *path); // by its ending
bool watch_is_own(const watch *w, const char *path); // the library, or what it keeps beside its file
bool watch_is_picture(const char *path);
// The folder of the outermost character pack that the file lies in, copied; false: it lies in none. "": the whole.
bool watch_character_folder(const watch *w, const char *path, char folder[NOTIFY_PATH_MAX + 1]);
// Works out members, misses and whole. false: it will be tried again.
bool watch_find_members(watch *w, unit *u);
// The unit's members with the names that they are to be stored by.
void watch_load(watch *w, const unit *u, watch_loaded *loaded);

// ---- The library: watch_store.c ----

// Stores the dirty units, which are no longer dirty then; those that nothing could be done about stay so, and w->failed
// is set.
void watch_store_units(watch *w);
// Takes out what left the folder, as far as that is possible.
void watch_store_leaving(watch *w);
// What came from the folder once and has no file any more leaves too.
void watch_store_sweep(watch *w);

// ---- Units: watch.c ----

unit *watch_unit_find(const watch *w, const char *path); // NULL: there is none
unit *watch_owner_of(const watch *w, store_area area, const char *id); // NULL: nobody is
// The unit is these things from now on; what it was and is no longer leaves. false: memory.
bool watch_unit_is(watch *w, unit *u, const watch_key *keys, uint32_t count);
bool watch_leave(watch *w, const watch_key *key, const char *path); // copied
// A line of the log. Texts may be NULL, revision 0, report NULL.
void watch_say(const watch *w, bool is_error, const char *path, const char *action, const watch_key *key,
               int64_t revision, const char *why, const zo_report *report);
// Of a unit that cannot be stored: said once for the same reason.
void watch_say_faulty(const watch *w, unit *u, const watch_key *key, const char *why, const zo_report *report);

#endif
