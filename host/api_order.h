// What a client wants rendered, as it says so in JSON, made an order for render.h: each member is held against what it
// may be and against the thing, and the files that are needed are put together. Called by api_render.c.
#ifndef HOST_API_ORDER_H
#define HOST_API_ORDER_H

#include "host/http.h"
#include "host/render.h"
#include "host/store.h"

// Sides of what is rendered here, px.
enum { ORDER_SIDE_MAX = 2048 };

// Orders what the request's body says. False: it was answered with what is wrong. *status is what the queue said.
bool api_order(http_request *request, store *library, render_queue *queue, char id[RENDER_ID_SIZE],
               render_status *status);

#endif
