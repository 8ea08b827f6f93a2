// See petween_serve.h: the configuration and pets in the library. A pet owns scale, poses and states; what clients see
// as the configuration is the document with those of the active pet in their place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/petween_serve.h"

const char petween_config_id[] = "petween";
static const char document_format[] = "pet", animation_format[] = "petween";

const char *petween_kind_of(void *context, const char *id) {
    petween_job *const job = context;
    store_item item;
    const store_status status = store_get(job->txn, STORE_ITEM, id, &item);
    if (status == STORE_OK) { return strcmp(item.format, animation_format) == 0 ? item.kind : NULL; }
    if (status != STORE_NOT_FOUND && status != STORE_INVALID) { job->broke = status; }
    return NULL;
}

bool petween_looked_up(petween_job *job) {
    if (job->broke == STORE_OK) { return true; }
    job->error = (store_error){.status = job->broke, .text = "the library could not be read"};
    return petween_content_fine(job, job->broke);
}

// The first file of a thing as a document that is an object. *document NULL: there is none, or it is no such thing.
static bool load(petween_job *job, store_area area, const char *id, zo_document **document, int64_t *revision) {
    store_item item;
    store_file file;
    zo_value root;
    *document = NULL;
    *revision = 0;
    store_status status = store_get(job->txn, area, id, &item);
    if (status == STORE_NOT_FOUND || status == STORE_INVALID) { return true; }
    if (status == STORE_OK) { status = store_file_get(job->txn, area, id, NULL, &file); }
    if (status == STORE_CORRUPT && area == STORE_PET) { // the others can still be had
        *revision = item.revision;
        return true;
    }
    if (!petween_fine(job, status)) { return false; }
    *revision = item.revision;
    if (zo_document_open(file.bytes, (size_t)file.size, NULL, document) == ZO_NO_MEMORY) {
        petween_no_memory(job->request);
        return false;
    }
    if (*document != NULL && (!zo_document_value(*document, ZO_VALUE_ROOT, &root) || root.kind != ZO_VALUE_OBJECT)) {
        zo_document_free(*document);
        *document = NULL;
    }
    return true;
}

static bool store_document(petween_job *job, store_put *put, const zo_document *document, const char *file_name,
                           const store_use *uses, uint32_t use_count) {
    const zo_text bytes = zo_document_bytes(document);
    const store_file file = {.name = file_name, .bytes = bytes.data, .size = bytes.size};
    if (bytes.size > PETWEEN_DOCUMENT_MAX) {
        http_reply_error(job->request, 413, "PAYLOAD_TOO_LARGE", "what is stored would have more than 1 MiB");
        return false;
    }
    put->format = put->kind = document_format;
    put->files = &file;
    put->file_count = 1;
    put->uses = uses;
    put->use_count = use_count;
    return petween_fine(job, store_put_item(job->txn, put, NULL));
}

// ---------------------------------------------------------------------------------------------------------------- pets

bool petween_pet_load(petween_job *job, const char *id, const petween_reading *reading, petween_record *record) {
    *record = (petween_record){.why = "its id is none of a pet"};
    if (!petween_is_pet_id(id)) { return true; }
    record->why = "it is no JSON object, or damaged";
    if (!load(job, STORE_PET, id, &record->document, &record->revision)) { return false; }
    if (record->document == NULL) { return true; }
    bool fine = petween_pet_read(record->document, reading, &record->pet, &record->why);
    if (fine && strcmp(record->pet.id, id) != 0) {
        record->why = "its document has another id";
        fine = false;
    }
    if (!fine) {
        zo_document_free(record->document);
        record->document = NULL;
    }
    if (petween_looked_up(job)) { return true; }
    petween_pet_free(record);
    return false;
}

void petween_pet_free(petween_record *record) {
    zo_document_free(record->document);
    record->document = NULL;
}

bool petween_pet_store(petween_job *job, const char *id, const zo_document *document, int64_t expected) {
    const zo_text bytes = zo_document_bytes(document);
    char name[STORE_NAME_MAX + 1] = "";
    const char *why;
    petween_pet pet;
    store_use *uses = NULL;
    uint32_t count = 0;
    if (petween_pet_read(document, NULL, &pet, &why) && pet.name.size < sizeof name) {
        memcpy(name, pet.name.data, pet.name.size); // one with a zero byte is found by what stands before it
    }
    if (content_petween_uses(STORE_PET, bytes.data, bytes.size, &uses, &count) != STORE_OK) {
        petween_no_memory(job->request);
        return false;
    }
    store_put put = {.area = STORE_PET, .id = id, .name = name, .text = name, .expected = expected};
    const bool fine = store_document(job, &put, document, "pet.json", uses, count);
    free(uses);
    return fine;
}

int64_t petween_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void petween_pet_new_id(char id[PETWEEN_PET_ID_MAX + 1]) {
    char digits[16];
    uint32_t chance = 0;
    int count = 0;
    uint64_t now = (uint64_t)petween_now_ms();
    if (getentropy(&chance, sizeof chance) != 0) { chance = (uint32_t)now * UINT32_C(2654435761); }
    for (; now > 0; now /= 36) { digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[now % 36]; }
    int size = snprintf(id, PETWEEN_PET_ID_MAX + 1, "pet_");
    while (count > 0) { id[size++] = digits[--count]; }
    snprintf(id + size, (size_t)(PETWEEN_PET_ID_MAX + 1 - size), "%08x", (unsigned)chance);
}

// The document of a pet; NULL: answered.
static zo_document *new_pet(petween_job *job, const char *id, zo_text name, const petween_slice *slice,
                            int64_t when_ms) {
    http_text text = {0}, quoted = {0};
    char now[32];
    cli_json json = http_text_json(&text);
    petween_time(when_ms, now);
    petween_quote(&quoted, petween_trim(name));
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "id", id);
    cli_json_raw(&json, "name", quoted.bytes, quoted.size);
    petween_slice_write(&json, slice);
    cli_json_text(&json, "createdAt", now);
    cli_json_text(&json, "updatedAt", now);
    cli_json_close(&json, '}');
    text.failed = text.failed || quoted.failed;
    http_text_free(&quoted);
    return petween_document(job->request, &text);
}

bool petween_pet_create(petween_job *job, zo_text name, const petween_slice *slice, char id[PETWEEN_PET_ID_MAX + 1]) {
    petween_pet_new_id(id);
    zo_document *document = new_pet(job, id, name, slice, petween_now_ms());
    if (document == NULL) { return false; }
    const bool fine = petween_pet_store(job, id, document, STORE_NONE);
    zo_document_free(document);
    return fine;
}

static const char unnamed[] = "Unnamed pet";

bool petween_default_pet(petween_job *job, const petween_slice *slice, char id[PETWEEN_PET_ID_MAX + 1]) {
    return petween_pet_create(job, (zo_text){unnamed, sizeof unnamed - 1}, slice, id);
}

// The id of the pet that a library without an active one shows: the same each time, and another in each library.
static void offered_id(const petween_job *job, char id[PETWEEN_PET_ID_MAX + 1]) {
    snprintf(id, PETWEEN_PET_ID_MAX + 1, "pet_%s", store_library_id(job->p->library));
}

// ------------------------------------------------------------------------------------------------------- configuration

// The pet of a library that has no active one: what the configuration itself says.
static bool offer_pet(petween_job *job, const petween_reading *reading, petween_view *view) {
    petween_record *const record = &view->pet;
    char *const id = view->config.active_pet;
    offered_id(job, id);
    if (!petween_pet_load(job, id, reading, record)) { return false; }
    if (record->document != NULL) { return true; } // it was put there, and the configuration put back since
    petween_config as_it_is; // with references to what is not there, as pets keep them
    petween_config_default(&as_it_is);
    petween_config_read(view->document, NULL, &as_it_is);
    record->document = new_pet(job, id, (zo_text){unnamed, sizeof unnamed - 1}, &as_it_is.slice, job->p->begun_ms);
    view->is_offered = true;
    return record->document != NULL && petween_pet_read(record->document, reading, &record->pet, &record->why) &&
           petween_looked_up(job);
}

bool petween_view_load(petween_job *job, petween_view *view) {
    const petween_reading reading = {.kind_of = petween_kind_of, .kind_context = job};
    static const char fresh[] = "{\"version\": 1}";
    *view = (petween_view){0};
    petween_config_default(&view->config);
    if (!load(job, STORE_CONFIG, petween_config_id, &view->document, &view->revision)) { return false; }
    if (view->document == NULL && zo_document_open(fresh, sizeof fresh - 1, NULL, &view->document) != ZO_OK) {
        petween_no_memory(job->request);
        return false;
    }
    petween_config_read(view->document, &reading, &view->config);
    if (!petween_looked_up(job) || !petween_pet_load(job, view->config.active_pet, &reading, &view->pet)) {
        petween_view_free(view);
        return false;
    }
    if (view->pet.document == NULL && !offer_pet(job, &reading, view)) {
        petween_view_free(view);
        return false;
    }
    view->config.slice = view->pet.pet.slice;
    if (view->pet.revision > view->revision) { view->revision = view->pet.revision; }
    return true;
}

static bool set_active(petween_job *job, petween_view *view, const char *id) {
    char quoted[PETWEEN_PET_ID_MAX + 3]; // such an id has nothing that wants an escape
    snprintf(quoted, sizeof quoted, "\"%s\"", id);
    const bool fine = petween_set(view->document, "activePetId", quoted) == ZO_OK;
    if (!fine) { petween_no_memory(job->request); }
    return fine;
}

bool petween_view_settle(petween_job *job, petween_view *view) {
    if (!view->is_offered) { return true; }
    view->is_offered = false;
    return petween_pet_store(job, view->config.active_pet, view->pet.document, STORE_ANY) &&
           set_active(job, view, view->config.active_pet);
}

bool petween_pet_find(petween_job *job, const char *id, bool is_write, petween_record *record) {
    char offered[PETWEEN_PET_ID_MAX + 1];
    petween_view view;
    if (!petween_pet_load(job, id, NULL, record)) { return false; }
    offered_id(job, offered);
    if (record->document != NULL || strcmp(id, offered) != 0) { return true; }
    if (!petween_view_load(job, &view)) { return false; }
    const bool is_offered = view.is_offered;
    const bool fine = !is_write || !is_offered || (petween_view_settle(job, &view) && petween_view_store(job, &view));
    if (fine && is_offered) {
        *record = view.pet;
        view.pet = (petween_record){0};
        petween_pet_read(record->document, NULL, &record->pet, &record->why); // references as they are
    }
    petween_view_free(&view);
    return fine;
}

void petween_view_free(petween_view *view) {
    zo_document_free(view->document);
    view->document = NULL;
    petween_pet_free(&view->pet);
}

bool petween_view_store(petween_job *job, const petween_view *view) {
    const zo_text bytes = zo_document_bytes(view->document);
    store_use *uses = NULL;
    uint32_t count = 0, kept = 0;
    if (content_petween_uses(STORE_CONFIG, bytes.data, bytes.size, &uses, &count) != STORE_OK) {
        petween_no_memory(job->request);
        return false;
    }
    // A slice that the document had before there were pets is seen by nobody as long as a pet is active.
    const bool has_pet = view->config.active_pet[0] != 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_pet || strcmp(uses[i].role, "click") == 0) { uses[kept++] = uses[i]; }
    }
    store_put put = {.area = STORE_CONFIG, .id = petween_config_id, .expected = STORE_ANY};
    const bool fine = store_document(job, &put, view->document, "config.json", uses, kept);
    free(uses);
    return fine;
}

bool petween_view_reload(petween_job *job, petween_view *view) {
    petween_view_free(view);
    return petween_view_load(job, view);
}

bool petween_view_activate(petween_job *job, petween_view *view, const char *id) {
    if (!set_active(job, view, id)) { return false; }
    snprintf(view->config.active_pet, sizeof view->config.active_pet, "%s", id);
    return petween_view_store(job, view) && petween_view_reload(job, view);
}
