// Who wants to know what happens to the library, whoever did it: this process, whose commits are told of before they
// return, or another one, whose changes are found by looking for them twice a second. Called by `zoetrope serve`; the
// parts that push events to clients or keep something in memory listen. Knows the store, nothing of its things.
//
// Every change that comes after live_start is told to every listener exactly once, in the order of revisions. What
// store_prune forgets before it was seen is not told of; the newest change of a thing is never among that.
//
// Threads: listeners are called by one thread at a time, a committing one or the one that looks. They may begin read
// transactions and no others, must not call live_*, and hold up every writer for as long as they run. Everything here
// may be called from any thread but live_start, live_stop and live_free, which belong to one.
#ifndef HOST_LIVE_H
#define HOST_LIVE_H

#include "host/store.h"

typedef struct live live;

// Changes, the oldest first; they live for the call. Several of one thing may be among them.
typedef void live_fn(void *context, const store_change *changes, uint32_t count);

live *live_new(void); // NULL: no memory
void live_free(live *l); // stops it first, if need be; after store_close. NULL does nothing

// As store_def.committed, with the live as its context.
void live_committed(void *l, const store_change *changes, uint32_t count);
// From the next change on, until live_stop. False: no memory.
bool live_listen(live *l, live_fn *fn, void *context);

// What is in the library now is known; changes are told from here on. `look_ms`: how often to look for those of other
// processes; 0: 500. Not OK: `error` (never NULL) tells why, and it may be started again.
store_status live_start(live *l, store *s, uint32_t look_ms, store_error *error);
// Looks now, and returns when all that was there has been told. Not OK: the rest is told of later.
store_status live_look(live *l);
// Ends its thread; no listener is called any more when this has returned. Before store_close.
void live_stop(live *l);

#endif
