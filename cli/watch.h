// Files and folders watched for changes, by looking again and again at what the system says of them: that also sees
// files put in place by renaming, on every file system. Called by play.c; opens nothing.
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_watched cli_watched;

typedef struct cli_watch { // all zero: nothing is watched
    cli_watched *items;
    uint32_t count, capacity;
    uint32_t waiting; // looks since the last change that has not been told of yet; 0: there is none
} cli_watch;

void cli_watch_free(cli_watch *watch);
// As it is now; one that is watched already stays as it was last seen. It need not be there. false: no memory.
bool cli_watch_add(cli_watch *watch, const char *path);
// Between these, what is not added again is watched no more.
void cli_watch_begin(cli_watch *watch);
void cli_watch_end(cli_watch *watch);

typedef enum cli_watch_state {
    CLI_WATCH_SAME,
    CLI_WATCH_CHANGING, // somebody is writing, or has just taken a file away: look again soon
    CLI_WATCH_CHANGED,  // and at rest since; told once
} cli_watch_state;

// To be called every CLI_WATCH_MS. `path` gets what has changed: a file rather than a folder; NULL: nothing.
enum { CLI_WATCH_MS = 100 };
cli_watch_state cli_watch_look(cli_watch *watch, const char **path);

#endif
