// See petween_serve.h: pets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_serve.h"

// ---------------------------------------------------------------------------------------------------------------- list

static const store_filter all_pets = {.area = STORE_PET};

typedef struct listing {
    cli_json *json;
    http_text warnings; // items of a JSON array
} listing;

static bool write_one(petween_job *job, const store_item *item, void *context) {
    const char *const id = item->id;
    listing *const l = context;
    petween_record record;
    if (!petween_pet_load(job, id, NULL, &record)) { return false; }
    if (record.document != NULL) {
        petween_pet_write(l->json, NULL, &record.pet);
    } else {
        cli_json json = http_text_json(&l->warnings);
        char text[STORE_ID_MAX + 80];
        snprintf(text, sizeof text, "%s: %s, skipped", id, record.why);
        if (l->warnings.size > 0) { http_text_words(&l->warnings, ", "); }
        cli_json_text(&json, NULL, text);
    }
    petween_pet_free(&record);
    return true;
}

// The active pet of a library that has none yet, with its references as they are, like those of the others.
static void write_offered(cli_json *json, const petween_view *view) {
    petween_pet pet;
    const char *why;
    if (!view->is_offered || !petween_pet_read(view->pet.document, NULL, &pet, &why)) { return; }
    petween_pet_write(json, NULL, &pet);
}

static bool write_pets(petween_job *job, cli_json *json) {
    listing l = {.json = json};
    http_text *const text = json->context;
    petween_view view;
    if (!petween_view_load(job, &view)) { return false; }
    cli_json_open(json, NULL, '{');
    cli_json_open(json, "pets", '[');
    write_offered(json, &view);
    const bool fine = petween_walk(job, &all_pets, write_one, &l);
    cli_json_close(json, ']');
    cli_json_text(json, "activePetId", view.config.active_pet);
    cli_json_open(json, "warnings", '[');
    if (l.warnings.size > 0) { http_text_put(text, l.warnings.bytes, l.warnings.size); }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
    text->failed = text->failed || l.warnings.failed;
    http_text_free(&l.warnings);
    petween_view_free(&view);
    return fine;
}

void petween_get_pets(http_request *request, void *context) {
    petween_reply_kept(request, context, PETWEEN_PETS, write_pets);
}

// ---------------------------------------------------------------------------------------------------------------- POST

static bool take_name(http_request *request, const zo_document *document, zo_text *name) {
    zo_value value;
    const bool is_text =
        zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "name"), &value) &&
        value.kind == ZO_VALUE_STRING;
    *name = is_text ? petween_trim(value.text) : (zo_text){"", 0};
    if (name->size > 0 && petween_length(*name) <= PETWEEN_NAME_MAX) { return true; }
    http_reply_error(request, 400, "INVALID_PRESET", "the name of a pet has 1 to 120 characters");
    return false;
}

static bool send_pet(petween_job *job, const char *id, const petween_view *view) {
    petween_record record;
    http_text text = {0};
    if (!petween_pet_load(job, id, NULL, &record)) { return false; }
    cli_json json = http_text_json(&text);
    cli_json_open(&json, NULL, '{');
    if (record.document != NULL) { petween_pet_write(&json, "pet", &record.pet); }
    if (view != NULL) { petween_config_write(&json, "config", &view->config); }
    cli_json_close(&json, '}');
    petween_pet_free(&record);
    petween_commit(job, &text);
    return true;
}

static void create_active(petween_job *job, const zo_document *body, bool blank) {
    char id[PETWEEN_PET_ID_MAX + 1];
    petween_config plain;
    petween_view view;
    zo_text name;
    if (!take_name(job->request, body, &name) || !petween_view_load(job, &view)) { return; }
    petween_config_default(&plain);
    if (petween_view_settle(job, &view) &&
        petween_pet_create(job, name, blank ? &plain.slice : &view.config.slice, id) &&
        petween_view_activate(job, &view, id)) {
        send_pet(job, id, &view);
    }
    petween_view_free(&view);
}

static bool check_draft(petween_job *job, const zo_document *body, uint32_t slice) {
    petween_issues found;
    const petween_reading reading = {.kind_of = petween_kind_of, .kind_context = job, .issue = petween_add_issue,
                                     .issue_context = &found};
    petween_config plain;
    petween_config_default(&plain);
    petween_issues_open(&found);
    petween_slice_read(body, slice, &reading, &plain.slice);
    return petween_no_issues(job->request, &found, "INVALID_CONFIG", "the pet is refused") && petween_looked_up(job);
}

// The slice as it was given, with what nobody knows in it. What else stands in the draft is not the client's to say.
static void create_draft(petween_job *job, const zo_document *body) {
    static const char *const members[] = {"scale", "poses", "states"};
    const uint32_t slice = zo_document_member(body, ZO_VALUE_ROOT, "pet");
    char id[PETWEEN_PET_ID_MAX + 1], now[32];
    http_text text = {0}, quoted = {0};
    zo_value value;
    zo_text name;
    if (!zo_document_value(body, slice, &value) || value.kind != ZO_VALUE_OBJECT) {
        http_reply_error(job->request, 400, "INVALID_REQUEST", "a draft wants a pet, an object");
        return;
    }
    if (!check_draft(job, body, slice) || !take_name(job->request, body, &name)) { return; }
    cli_json json = http_text_json(&text);
    petween_pet_new_id(id);
    petween_time(petween_now_ms(), now);
    petween_quote(&quoted, name);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "id", id);
    cli_json_raw(&json, "name", quoted.bytes, quoted.size);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (zo_document_value(body, zo_document_member(body, slice, members[i]), &value)) {
            cli_json_raw(&json, members[i], value.source.data, value.source.size);
        }
    }
    cli_json_text(&json, "createdAt", now);
    cli_json_text(&json, "updatedAt", now);
    cli_json_close(&json, '}');
    text.failed = text.failed || quoted.failed;
    http_text_free(&quoted);
    zo_document *document = petween_document(job->request, &text);
    if (document != NULL && petween_pet_store(job, id, document, STORE_NONE)) { send_pet(job, id, NULL); }
    zo_document_free(document);
}

void petween_post_pet(http_request *request, void *context) {
    static const char *const words[] = {"current", "blank", "draft"};
    petween_job job;
    zo_value value;
    uint32_t from = 3;
    zo_document *body = petween_body(request);
    if (body == NULL) { return; }
    if (zo_document_value(body, zo_document_member(body, ZO_VALUE_ROOT, "from"), &value) &&
        value.kind == ZO_VALUE_STRING) {
        for (uint32_t i = 0; i < 3; i++) { from = petween_text_is(value.text, words[i]) ? i : from; }
    }
    if (from == 3) {
        http_reply_error(request, 400, "INVALID_REQUEST", "'from' is current, blank or draft");
    } else if (petween_open(&job, context, request, STORE_WRITE)) {
        if (from == 2) {
            create_draft(&job, body);
        } else {
            create_active(&job, body, from == 1);
        }
        petween_close(&job);
    }
    zo_document_free(body);
}

// ----------------------------------------------------------------------------------------------------------- one of it

// The pet of the path; false: answered.
static bool load_named(petween_job *job, bool is_write, petween_record *record) {
    if (!petween_pet_find(job, http_param(job->request, "id"), is_write, record)) { return false; }
    return record->document != NULL || petween_unknown(job->request, "pet");
}

void petween_get_pet(http_request *request, void *context) {
    petween_job job;
    petween_record record;
    http_text text = {0};
    if (!petween_open(&job, context, request, STORE_READ)) { return; }
    if (load_named(&job, false, &record)) {
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        petween_pet_write(&json, "pet", &record.pet);
        cli_json_close(&json, '}');
        petween_send(request, &text);
        petween_pet_free(&record);
    }
    petween_close(&job);
}

static bool check_attribution(http_request *request, const zo_document *body, uint32_t value) {
    petween_issues found;
    petween_issues_open(&found);
    petween_attribution_check(body, value, petween_add_fault, &found);
    return petween_no_issues(request, &found, "INVALID_PRESET", "the attribution is refused");
}

static bool set_member(petween_job *job, zo_document *document, const char *name, http_text *json) {
    const char *text = http_text_end(json);
    const bool fine = !json->failed && petween_set(document, name, text) == ZO_OK;
    http_text_free(json);
    if (!fine) { petween_no_memory(job->request); }
    return fine;
}

// Name, attribution and the time, each where there is one. The texts of `record` are gone after the first.
static bool change_pet(petween_job *job, petween_record *record, const zo_document *body, uint32_t attribution,
                       bool has_name) {
    zo_document *const document = record->document;
    http_text text = {0};
    char now[32];
    zo_value value;
    zo_text name;
    if (has_name) {
        if (!take_name(job->request, body, &name)) { return false; }
        petween_quote(&text, name);
        if (!set_member(job, document, "name", &text)) { return false; }
    }
    if (zo_document_value(body, attribution, &value)) {
        if (!check_attribution(job->request, body, attribution)) { return false; }
        if (value.kind == ZO_VALUE_NULL) {
            http_text_words(&text, "null");
        } else {
            petween_attribution_merge(&text, document, zo_document_member(document, ZO_VALUE_ROOT, "attribution"), body,
                                      attribution);
        }
        if (!set_member(job, document, "attribution", &text)) { return false; }
    }
    petween_time(petween_now_ms(), now);
    petween_quote(&text, (zo_text){now, strlen(now)});
    return set_member(job, document, "updatedAt", &text);
}

void petween_put_pet(http_request *request, void *context) {
    petween_job job;
    petween_record record;
    zo_value value;
    if (!petween_is_pet_id(http_param(request, "id"))) {
        petween_unknown(request, "pet");
        return;
    }
    if (http_is_early(request)) { return; }
    zo_document *body = petween_body(request);
    if (body == NULL) { return; }
    const uint32_t attribution = zo_document_member(body, ZO_VALUE_ROOT, "attribution");
    const bool has_name = zo_document_member(body, ZO_VALUE_ROOT, "name") != 0;
    if (zo_document_value(body, attribution, &value) && value.kind != ZO_VALUE_NULL && value.kind != ZO_VALUE_OBJECT) {
        http_reply_error(request, 400, "INVALID_REQUEST", "'attribution' is an object or null");
    } else if (petween_open(&job, context, request, STORE_WRITE)) {
        const char *id = http_param(request, "id");
        if (load_named(&job, true, &record)) {
            const bool is_changed = has_name || attribution != 0;
            if (!is_changed || (change_pet(&job, &record, body, attribution, has_name) &&
                                petween_pet_store(&job, id, record.document, STORE_ANY))) {
                send_pet(&job, id, NULL);
            }
            petween_pet_free(&record);
        }
        petween_close(&job);
    }
    zo_document_free(body);
}

// -------------------------------------------------------------------------------------------------------------- DELETE

typedef struct newest {
    char id[PETWEEN_PET_ID_MAX + 1], updated[40];
} newest;

static bool look_at(petween_job *job, const store_item *item, void *context) {
    const char *const id = item->id;
    newest *const n = context;
    petween_record record;
    char updated[40] = "";
    if (!petween_pet_load(job, id, NULL, &record)) { return false; }
    if (record.document != NULL) {
        const zo_text time = record.pet.updated;
        snprintf(updated, sizeof updated, "%.*s", (int)(time.size < 39 ? time.size : 39), time.data);
        if (n->id[0] == 0 || strcmp(updated, n->updated) > 0) { // of those of one time the first by id
            snprintf(n->id, sizeof n->id, "%s", id);
            memcpy(n->updated, updated, sizeof updated);
        }
    }
    petween_pet_free(&record);
    return true;
}

// The pet that was changed last, or a new one where there is no other.
static bool fall_back(petween_job *job, petween_view *view) {
    newest found = {.id = ""};
    petween_config plain;
    if (!petween_walk(job, &all_pets, look_at, &found)) { return false; }
    petween_config_default(&plain);
    if (found.id[0] == 0 && !petween_default_pet(job, &plain.slice, found.id)) { return false; }
    return petween_view_activate(job, view, found.id);
}

static bool remove_pet(petween_job *job, const char *id) {
    const store_status status = content_delete(job->txn, STORE_PET, id, STORE_ANY, &job->error);
    if (status == STORE_NOT_FOUND) { return petween_unknown(job->request, "pet"); }
    return petween_content_fine(job, status);
}

void petween_delete_pet(http_request *request, void *context) {
    petween_job job;
    petween_view view;
    http_text text = {0};
    const char *id = http_param(request, "id");
    if (!petween_is_pet_id(id)) {
        petween_unknown(request, "pet");
        return;
    }
    if (!petween_open(&job, context, request, STORE_WRITE)) { return; }
    if (petween_view_load(&job, &view)) {
        const bool is_active = strcmp(view.config.active_pet, id) == 0;
        const bool is_there = !is_active || !view.is_offered;
        if ((!is_there || remove_pet(&job, id)) && (!is_active || fall_back(&job, &view))) {
            cli_json json = http_text_json(&text);
            cli_json_open(&json, NULL, '{');
            cli_json_text(&json, "deleted", id);
            if (is_active) { petween_config_write(&json, "config", &view.config); }
            cli_json_close(&json, '}');
            petween_commit(&job, &text);
        }
        petween_view_free(&view);
    }
    petween_close(&job);
}

// --------------------------------------------------------------------------------------------------------------- apply

void petween_apply_pet(http_request *request, void *context) {
    petween_job job;
    petween_record record;
    petween_view view;
    http_text text = {0};
    if (!petween_open(&job, context, request, STORE_WRITE)) { return; }
    if (load_named(&job, true, &record)) {
        petween_pet_free(&record);
        if (petween_view_load(&job, &view)) {
            if (petween_view_settle(&job, &view) && petween_view_activate(&job, &view, http_param(request, "id"))) {
                cli_json json = http_text_json(&text);
                cli_json_open(&json, NULL, '{');
                petween_config_write(&json, "config", &view.config);
                cli_json_close(&json, '}');
                petween_commit(&job, &text);
            }
            petween_view_free(&view);
        }
    }
    petween_close(&job);
}
