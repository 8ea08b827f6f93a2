// See petween.h. Its life and its table of routes.
#include <stdlib.h>

#include "host/petween_serve.h"

static const http_route api_routes[] = {
    {"/api/petween/meta", HTTP_GET, HTTP_SLOW, 0, petween_get_meta},
    {"/api/petween/config", HTTP_GET, HTTP_SLOW, 0, petween_get_config},
    {"/api/petween/config", HTTP_PUT, HTTP_SLOW, PETWEEN_JSON_MAX, petween_put_config},
    {"/api/petween/animations", HTTP_GET, HTTP_SLOW, 0, petween_get_animations},
    {"/api/petween/animations/{id}", HTTP_PUT, HTTP_SLOW | HTTP_EARLY, PETWEEN_JSON_MAX, petween_put_animation},
    {"/api/petween/animations/{id}", HTTP_DELETE, HTTP_SLOW, PETWEEN_JSON_MAX, petween_delete_animation},
    {"/api/petween/packs/import", HTTP_POST, HTTP_SLOW, PETWEEN_PACK_MAX, petween_import_pack},
    {"/api/petween/packs/export", HTTP_GET, HTTP_SLOW, 0, petween_export_pack},
    {"/api/petween/pets", HTTP_GET, HTTP_SLOW, 0, petween_get_pets},
    {"/api/petween/pets", HTTP_POST, HTTP_SLOW, PETWEEN_JSON_MAX, petween_post_pet},
    {"/api/petween/pets/import", HTTP_POST, HTTP_SLOW, PETWEEN_PACKAGE_MAX, petween_import_package},
    {"/api/petween/pets/{id}", HTTP_GET, HTTP_SLOW, 0, petween_get_pet},
    {"/api/petween/pets/{id}", HTTP_PUT, HTTP_SLOW | HTTP_EARLY, PETWEEN_JSON_MAX, petween_put_pet},
    {"/api/petween/pets/{id}", HTTP_DELETE, HTTP_SLOW, PETWEEN_JSON_MAX, petween_delete_pet},
    {"/api/petween/pets/{id}/apply", HTTP_POST, HTTP_SLOW, PETWEEN_JSON_MAX, petween_apply_pet},
    {"/api/petween/pets/{id}/export", HTTP_GET, HTTP_SLOW, 0, petween_export_package},
    {"/api/petween/pets/{id}/export", HTTP_POST, HTTP_SLOW, PETWEEN_JSON_MAX, petween_export_package},
    {"/api/petween/assets", HTTP_POST, HTTP_SLOW, PETWEEN_PICTURE_MAX + PETWEEN_FORM_MORE, petween_post_picture},
    {"/api/petween/assets/{id}", HTTP_DELETE, HTTP_SLOW, PETWEEN_JSON_MAX, petween_delete_picture},
    {"/api/petween/events", HTTP_GET, HTTP_SLOW, 0, petween_get_events},
    {"/api/petween/state", HTTP_GET, HTTP_SLOW, 0, petween_get_state},
};
static const http_route picture_routes[] = {
    {"/petween-assets/{id}", HTTP_GET, HTTP_SLOW, 0, petween_get_picture},
};

petween *petween_new(store *library, http_server *server) {
    petween *p = calloc(1, sizeof *p);
    if (p == NULL) { return NULL; }
    p->library = library;
    p->begun_ms = petween_now_ms();
    p->server = server;
    p->groups[0] = (http_routes){"/api/petween/", HTTP_ERROR, api_routes, sizeof api_routes / sizeof api_routes[0], p};
    p->groups[1] = (http_routes){"/petween-assets/", HTTP_ERROR, picture_routes,
                                 sizeof picture_routes / sizeof picture_routes[0], p};
    p->stream = http_stream_new(server, "petween");
    if (p->stream == NULL) {
        free(p);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL); // of the plain kind neither fails
    pthread_mutex_init(&p->list_lock, NULL);
    return p;
}

bool petween_add(petween *p) {
    return http_server_add(p->server, &p->groups[0]) && http_server_add(p->server, &p->groups[1]);
}

void petween_free(petween *p) {
    if (p == NULL) { return; }
    for (int i = 0; i < PETWEEN_ANSWER_COUNT; i++) { http_body_free(p->kept[i].body); }
    petween_list_free(&p->list);
    pthread_mutex_destroy(&p->list_lock);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
