// `serve --watch DIR`: a folder of files kept in step with the library, one way. Whatever content_look can look at is
// imported when it is new or changed; what is removed from the folder is removed from the library, if it came from it
// and nobody uses it. What is changed in the library stays as it is there until its file changes; nothing is ever
// written into the folder.
//
// A file is a thing, or a part of one: what a machine, rig or model names and the folder has belongs to it, and so does
// all in the folder of a character pack. A change of any part changes the thing. Definitions with an id of their own
// are never parts. The animations of a motion pack are things of their own, as if each stood in a file.
//
// What came from where stands in the thing's origin: the path of its file. So it is also known after a restart.
//
// Everything is said in the server's log, event "watch": {"path", "action", "area", "id", "revision", "why",
// "diagnostics"}, of which all but the action may lack. One thread does it all, and ends at watch_stop.
#ifndef HOST_WATCH_H
#define HOST_WATCH_H

#include "host/http.h"
#include "host/store.h"

typedef struct watch watch;

// Begins at once. NULL: the folder cannot be looked into, or no memory; errno says which. `server` is for its log, and
// must outlive it, as must the store.
watch *watch_new(store *s, http_server *server, const char *folder);
void watch_stop(watch *w); // ends it, when what is under way is finished. May be called again
void watch_free(watch *w); // stops it first, if need be; nobody may tell it of changes any more. NULL does nothing

// As live_fn, with the watch as its context: what could not be imported may be possible now.
void watch_changed(void *w, const store_change *changes, uint32_t count);
// As http_metrics_fn, with the watch as its context.
void watch_metrics(void *w, http_metrics *metrics);

#endif
