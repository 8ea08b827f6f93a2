// See watch.h.
#include <stdlib.h>
#include <string.h>

#include "host/stamp.h"
#include "watch.h"

// A file that is gone is mostly about to come back: editors that save by two renames leave it away for a moment. One
// that is being written is looked at when its size and times have stood still for one look.
enum { LOOKS_AT_REST = 1, LOOKS_WHEN_GONE = 8 };

struct cli_watched {
    char *path;
    host_stamp told; // as of the last change that was told of
    host_stamp seen; // at the last look
    bool wanted;
};

void cli_watch_free(cli_watch *watch) {
    for (uint32_t i = 0; i < watch->count; i++) { free(watch->items[i].path); }
    free(watch->items);
    *watch = (cli_watch){0};
}

bool cli_watch_add(cli_watch *watch, const char *path) {
    for (uint32_t i = 0; i < watch->count; i++) {
        if (strcmp(watch->items[i].path, path) != 0) { continue; }
        watch->items[i].wanted = true;
        return true;
    }
    if (watch->count == watch->capacity) {
        const uint32_t capacity = watch->capacity * 2 + 16;
        cli_watched *items = realloc(watch->items, capacity * sizeof *items);
        if (items == NULL) { return false; }
        watch->items = items;
        watch->capacity = capacity;
    }
    char *copy = strdup(path);
    if (copy == NULL) { return false; }
    const host_stamp now = host_stamp_at(path);
    watch->items[watch->count++] = (cli_watched){copy, now, now, true};
    return true;
}

void cli_watch_begin(cli_watch *watch) {
    for (uint32_t i = 0; i < watch->count; i++) { watch->items[i].wanted = false; }
}

void cli_watch_end(cli_watch *watch) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < watch->count; i++) {
        if (watch->items[i].wanted) {
            watch->items[kept++] = watch->items[i];
        } else {
            free(watch->items[i].path);
        }
    }
    watch->count = kept;
}

cli_watch_state cli_watch_look(cli_watch *watch, const char **path) {
    const cli_watched *first = NULL;
    bool moving = false, gone = false;
    *path = NULL;
    for (uint32_t i = 0; i < watch->count; i++) {
        cli_watched *item = &watch->items[i];
        const host_stamp now = host_stamp_at(item->path);
        moving = moving || !host_stamp_same(&now, &item->seen);
        item->seen = now;
        if (host_stamp_same(&now, &item->told)) { continue; }
        gone = gone || !now.there;
        if (first == NULL || (first->seen.folder && !now.folder)) { first = item; }
    }
    if (first == NULL) { // it was as it is before anybody could tell
        watch->waiting = 0;
        return CLI_WATCH_SAME;
    }
    *path = first->path;
    watch->waiting = moving ? 1 : watch->waiting + 1;
    if (watch->waiting <= (gone ? LOOKS_WHEN_GONE : LOOKS_AT_REST)) { return CLI_WATCH_CHANGING; }
    for (uint32_t i = 0; i < watch->count; i++) { watch->items[i].told = watch->items[i].seen; }
    watch->waiting = 0;
    return CLI_WATCH_CHANGED;
}
