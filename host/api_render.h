// Renders of stored things under /api/v1/renders: ordered, watched, cancelled, fetched. What is drawn is drawn by
// render.h's queue. Called by `zoetrope serve`.
#ifndef HOST_API_RENDER_H
#define HOST_API_RENDER_H

#include "host/http.h"
#include "host/render.h"
#include "host/store.h"

typedef struct api_render api_render;

// Library and server must outlive it, but for http_server_free, which comes before api_render_free. `def`: the queue's;
// its `changed` is set here. NULL: `error` says why.
api_render *api_render_new(store *library, http_server *server, const render_def *def, char error[256]);
bool api_render_add(api_render *r); // before http_server_start only. False: as http_server_add
void api_render_metrics(const api_render *r, http_metrics *metrics); // for http_options.metrics
// Ends what is rendered. After http_server_stop and before http_server_free, whose streams it sends to. NULL is fine.
void api_render_stop(api_render *r);
void api_render_free(api_render *r); // after http_server_free. NULL is fine

#endif
