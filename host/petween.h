// petween's HTTP interface over the library: configuration, animations, packs, pets, packages, pictures and the stream
// of changes, with the routes, limits and codes that its front ends know (docs/host.md). One write is one transaction.
// Called by `zoetrope serve`; knows nothing of the command line.
#ifndef HOST_PETWEEN_H
#define HOST_PETWEEN_H

#include "host/http.h"
#include "host/store.h"

typedef struct petween petween;

// Borrows both. NULL: no memory. Freed after the server and before the store.
petween *petween_new(store *library, http_server *server);
// Adds the routes under /api/petween/ and /petween-assets/; before the server starts. false: no memory.
bool petween_add(petween *p);
// Tells the clients of the stream what has changed in the library, by whomever. `context` is the petween. Any thread;
// waits for nothing.
void petween_changed(void *context, const store_change *changes, uint32_t count);
void petween_free(petween *p); // NULL is fine

#endif
