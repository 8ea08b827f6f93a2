// What the files that serve petween's interface share: a request with its transaction, answers that are kept, and the
// configuration as its clients see it.
#ifndef HOST_PETWEEN_SERVE_H
#define HOST_PETWEEN_SERVE_H

#include <pthread.h>

#include "host/content.h"
#include "host/http_text.h"
#include "host/petween.h"
#include "host/petween_config.h"
#include "host/petween_pet.h"

enum {
    PETWEEN_JSON_MAX = 64 << 10,     // bytes of bodies
    PETWEEN_PACK_MAX = 2 << 20,
    PETWEEN_PACKAGE_MAX = 48 << 20,
    PETWEEN_PICTURE_MAX = 10 << 20,  // of a picture
    PETWEEN_FORM_MORE = 256 << 10,   // of what stands around it in a form
    PETWEEN_PICTURES_MAX = 60 << 20, // of all pictures
    PETWEEN_SIDE_MAX = 4096,         // px
    PETWEEN_DOCUMENT_MAX = 1 << 20,  // bytes of a stored configuration or pet, with what nobody knows in it
};

typedef enum petween_answer { PETWEEN_CONFIG, PETWEEN_ANIMATIONS, PETWEEN_PETS, PETWEEN_ANSWER_COUNT } petween_answer;

typedef struct petween_piece petween_piece;
typedef struct petween_list { // of what the list of animations is made of, by id
    petween_piece *pieces;
    uint32_t count, capacity;
} petween_list;
void petween_list_free(petween_list *list);

struct petween {
    store *library;
    http_server *server;
    http_stream *stream;
    http_routes groups[2];
    pthread_mutex_t lock; // of `kept`
    struct { http_body *body; int64_t revision; } kept[PETWEEN_ANSWER_COUNT];
    pthread_mutex_t list_lock; // of `list`
    petween_list list;
    int64_t begun_ms; // Unix time
};

// ---- A request and its transaction ----

typedef struct petween_job {
    petween *p;
    http_request *request;
    store_txn *txn;     // NULL: none is open
    store_error error;  // of content.h
    store_status broke; // of what was looked up inside a reader, which cannot fail itself
} petween_job;

// Functions that return bool: false means that the request is answered already, by an error.
bool petween_open(petween_job *job, petween *p, http_request *request, store_mode mode);
bool petween_fine(petween_job *job, store_status status);         // of a function of store.h
bool petween_content_fine(petween_job *job, store_status status); // of content.h
void petween_close(petween_job *job);                             // what is not committed is not done
// 200 with this JSON, which is freed.
void petween_send(http_request *request, http_text *json);
void petween_commit(petween_job *job, http_text *json); // the same after the commit, if that succeeds
void petween_no_memory(http_request *request);
// An error whose details are this JSON, which is freed.
void petween_refuse(http_request *request, unsigned status, const char *code, const char *message, http_text *details);
void petween_in_use(petween_job *job, const char *code, const store_error *error); // 409 in the old flat form
bool petween_unknown(http_request *request, const char *what); // answers 404, returns false
// The body as JSON; NULL: answered. Free with zo_document_free.
zo_document *petween_body(http_request *request);
// A document of a text of ours, which is freed; NULL: answered.
zo_document *petween_document(http_request *request, http_text *json);
// Notes and warnings as a JSON array of texts, "tracks[0].property: ...".
void petween_write_warnings(cli_json *json, const char *key, const zo_report *report);
// 400 whose details are the errors of the report in the same form, or `otherwise` where there is none.
void petween_refuse_report(http_request *request, const char *code, const char *message, const zo_report *report,
                           const char *otherwise);

// Calls `each` for every thing of the filter until it returns false, which means that the request is answered.
bool petween_walk(petween_job *job, const store_filter *filter,
                  bool (*each)(petween_job *job, const store_item *item, void *context), void *context);

// What is wrong with a body, gathered as details of an error.
typedef struct petween_issues {
    http_text text;
    cli_json json;
    uint32_t count;
} petween_issues;
void petween_issues_open(petween_issues *issues);
void petween_add_issue(void *issues, const char *path, const char *message); // as petween_issue_fn
void petween_add_fault(void *issues, const char *text);                      // as petween_fault_fn
// Whether there are none; else they are answered, by 400. Frees them.
bool petween_no_issues(http_request *request, petween_issues *issues, const char *code, const char *message);

// Writes an answer within a read transaction.
typedef bool petween_write_fn(petween_job *job, cli_json *json);
// The kept answer, or a new one when what it is made of has changed.
void petween_reply_kept(http_request *request, petween *p, petween_answer which, petween_write_fn *write);

// ---- The configuration as clients see it: the document, with the slice of the active pet ----

typedef struct petween_record { // a pet of the library
    zo_document *document;      // NULL: there is none, or it cannot be read, and `why` says why not
    petween_pet pet;
    int64_t revision;           // 0: there is none
    const char *why;
} petween_record;

typedef struct petween_view {
    zo_document *document;  // as stored, or a new one
    petween_config config;
    petween_record pet;     // the active one
    bool is_offered;        // the pet is not in the library: see petween_view_settle
    int64_t revision;       // of the last change of either; 0: none
} petween_view;

extern const char petween_config_id[];
const char *petween_kind_of(void *job, const char *id); // as petween_kind_fn
bool petween_looked_up(petween_job *job);               // whether that could be told, each time

// Loads what may not be there: then the document is NULL. With `reading` NULL references are taken as they are.
bool petween_pet_load(petween_job *job, const char *id, const petween_reading *reading, petween_record *record);
void petween_pet_free(petween_record *record);
bool petween_pet_store(petween_job *job, const char *id, const zo_document *document, int64_t expected);
// Puts a new pet of that name. `id` receives what it is called.
bool petween_pet_create(petween_job *job, zo_text name, const petween_slice *slice, char id[PETWEEN_PET_ID_MAX + 1]);
void petween_pet_new_id(char id[PETWEEN_PET_ID_MAX + 1]);
int64_t petween_now_ms(void);

// There is always an active pet. A library that has none gets one, of the configuration's own slice, by the first
// write; until then it is only shown, under the id that it will have, so that no GET writes.
bool petween_view_load(petween_job *job, petween_view *view);
// Puts the pet that was only shown into the library, and its id into the document, which the caller then stores.
bool petween_view_settle(petween_job *job, petween_view *view);
// A pet by its id, also the one that is only shown; in a write transaction that is put into the library then.
bool petween_pet_find(petween_job *job, const char *id, bool is_write, petween_record *record);
bool petween_view_store(petween_job *job, const petween_view *view);
// Makes a pet that is there the active one, and loads the view again.
bool petween_view_activate(petween_job *job, petween_view *view, const char *id);
bool petween_view_reload(petween_job *job, petween_view *view);
void petween_view_free(petween_view *view);

// ---- Handlers ----

http_handler petween_get_meta, petween_get_config, petween_put_config;
http_handler petween_get_animations, petween_put_animation, petween_delete_animation, petween_import_pack,
    petween_export_pack;
http_handler petween_get_pets, petween_post_pet, petween_get_pet, petween_put_pet, petween_delete_pet,
    petween_apply_pet;
http_handler petween_import_package, petween_export_package;
http_handler petween_post_picture, petween_delete_picture, petween_get_picture;
http_handler petween_get_events, petween_get_state;

bool petween_write_pictures(petween_job *job, cli_json *json); // "assets": {"ID": {...}}, all there are
bool petween_pictures_fit(petween_job *job, uint64_t more);    // whether so many bytes more are no more than may be
void petween_write_entries(cli_json *json, const content_result *result); // "entries": [...], the animations
bool petween_default_pet(petween_job *job, const petween_slice *slice, char id[PETWEEN_PET_ID_MAX + 1]);

#endif
