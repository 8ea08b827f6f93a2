// See petween_serve.h: what the host can do, and the configuration.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_serve.h"

enum { API_VERSION = 1, CONFIG_VERSION = 1 };

// Only ever added to: clients look for what they need.
static const char *const features[] = {
    "config", "config.revision", "config.preset-authority", "assets", "animations", "packs", "pets", "pets.draft",
    "pets.packages", "events.sse", "meta",
};

void petween_get_meta(http_request *request, void *context) {
    petween_job job;
    petween_view view;
    http_text text = {0};
    if (!petween_open(&job, context, request, STORE_READ)) { return; }
    if (petween_view_load(&job, &view)) {
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_number(&json, "apiVersion", API_VERSION);
        cli_json_number(&json, "configVersion", CONFIG_VERSION);
        cli_json_number(&json, "revision", (double)view.revision);
        cli_json_open(&json, "features", '[');
        for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) { cli_json_text(&json, NULL, features[i]); }
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
        petween_view_free(&view);
        petween_send(request, &text);
    }
    petween_close(&job);
}

// ----------------------------------------------------------------------------------------------------------------- GET

static bool write_config(petween_job *job, cli_json *json) {
    petween_view view;
    if (!petween_view_load(job, &view)) { return false; }
    cli_json_open(json, NULL, '{');
    petween_config_write(json, "config", &view.config);
    const bool fine = petween_write_pictures(job, json);
    cli_json_number(json, "revision", (double)view.revision);
    cli_json_close(json, '}');
    petween_view_free(&view);
    return fine;
}

void petween_get_config(http_request *request, void *context) {
    petween_reply_kept(request, context, PETWEEN_CONFIG, write_config);
}

// ----------------------------------------------------------------------------------------------------------------- PUT

// The header with the revision that the client has seen. *expected -1: any.
static bool read_expected(http_request *request, int64_t *expected) {
    const char *text = http_header(request, "x-petween-expected-revision");
    *expected = -1;
    if (text == NULL || *text == 0) { return true; }
    if (text[strspn(text, "0123456789")] != 0) {
        http_reply_error(request, 400, "INVALID_REQUEST", "x-petween-expected-revision is a whole number");
        return false;
    }
    while (*text == '0' && text[1] != 0) { text++; }
    *expected = strlen(text) <= 18 ? strtoll(text, NULL, 10) : INT64_MAX; // which no library has
    return true;
}

static bool is_expected(petween_job *job, const petween_view *view, int64_t expected) {
    if (expected < 0 || expected == view->revision) { return true; }
    http_text details = {0};
    cli_json json = http_text_json(&details);
    cli_json_open(&json, NULL, '{');
    cli_json_number(&json, "currentRevision", (double)view->revision);
    cli_json_close(&json, '}');
    petween_refuse(job->request, 409, "REVISION_MISMATCH", "the configuration has changed since", &details);
    return false;
}

// A patch may name the pet that it is for. Then it is that one's slice that is changed, and it becomes the active one.
static bool choose_pet(petween_job *job, petween_view *view, const zo_document *patch, bool *named) {
    const petween_reading reading = {.kind_of = petween_kind_of, .kind_context = job};
    char id[PETWEEN_PET_ID_MAX + 1] = "";
    petween_record record;
    zo_value value;
    *named = false;
    if (!zo_document_value(patch, zo_document_member(patch, ZO_VALUE_ROOT, "activePetId"), &value) ||
        value.kind != ZO_VALUE_STRING || value.text.size >= sizeof id) {
        return true;
    }
    memcpy(id, value.text.data, value.text.size);
    if (strlen(id) != value.text.size || !petween_is_pet_id(id)) { return true; } // told with all that is wrong
    *named = true;
    if (strcmp(id, view->config.active_pet) == 0) { return true; }
    if (!petween_pet_load(job, id, &reading, &record)) { return false; }
    if (record.document == NULL) { return petween_unknown(job->request, "pet"); }
    if (!petween_view_settle(job, view)) {
        petween_pet_free(&record);
        return false;
    }
    petween_pet_free(&view->pet);
    view->pet = record;
    view->config.slice = record.pet.slice;
    memcpy(view->config.active_pet, id, sizeof id);
    return true;
}

// Whether nothing is wrong with the patch. The view then has what it says.
static bool read_patch(petween_job *job, petween_view *view, const zo_document *patch) {
    petween_issues found;
    const petween_reading reading = {.kind_of = petween_kind_of, .kind_context = job, .issue = petween_add_issue,
                                     .issue_context = &found};
    char active[PETWEEN_PET_ID_MAX + 1];
    petween_issues_open(&found);
    memcpy(active, view->config.active_pet, sizeof active);
    petween_config_read(patch, &reading, &view->config);
    memcpy(view->config.active_pet, active, sizeof active); // null does not detach it any more
    return petween_no_issues(job->request, &found, "INVALID_CONFIG", "the configuration is refused") &&
           petween_looked_up(job);
}

static bool merged(petween_job *job, zo_status status) {
    if (status == ZO_LIMIT) {
        http_reply_error(job->request, 413, "PAYLOAD_TOO_LARGE", "an object has more than 1000 members");
    } else if (status != ZO_OK) {
        petween_no_memory(job->request);
    }
    return status == ZO_OK;
}

// Puts the slice of the patch into the active pet.
static bool change_pet(petween_job *job, petween_view *view, const zo_document *patch) {
    char id[PETWEEN_PET_ID_MAX + 1], now[32], quoted[40];
    bool changed = false;
    zo_document *trial = NULL; // tells whether the patch has a slice
    if (zo_document_open("{}", 2, NULL, &trial) != ZO_OK ||
        petween_merge(trial, patch, ZO_VALUE_ROOT, PETWEEN_SLICE, &changed) == ZO_NO_MEMORY) {
        zo_document_free(trial);
        petween_no_memory(job->request);
        return false;
    }
    zo_document_free(trial);
    if (!changed && !view->is_offered) { return true; }
    zo_document *const document = view->pet.document;
    const size_t size = zo_document_bytes(document).size;
    char *old = malloc(size > 0 ? size : 1);
    if (old == NULL) {
        petween_no_memory(job->request);
        return false;
    }
    memcpy(old, zo_document_bytes(document).data, size);
    memcpy(id, view->pet.pet.id, sizeof id);
    bool fine = merged(job, petween_merge(document, patch, ZO_VALUE_ROOT, PETWEEN_SLICE, NULL));
    const zo_text bytes = zo_document_bytes(document);
    const bool differs = bytes.size != size || memcmp(bytes.data, old, size) != 0; // else it stays of its time
    if (fine && differs) {
        petween_time(petween_now_ms(), now);
        snprintf(quoted, sizeof quoted, "\"%s\"", now);
        fine = merged(job, petween_set(document, "updatedAt", quoted));
    }
    if (fine && (differs || view->is_offered)) { fine = petween_pet_store(job, id, document, STORE_ANY); }
    free(old);
    return fine;
}

static bool change_config(petween_job *job, petween_view *view, const zo_document *patch, bool named) {
    char had[PETWEEN_PET_ID_MAX + 1], pointer[PETWEEN_PET_ID_MAX + 3];
    memcpy(had, view->config.active_pet, sizeof had);
    if (!read_patch(job, view, patch) || !change_pet(job, view, patch) ||
        !merged(job, petween_merge(view->document, patch, ZO_VALUE_ROOT, PETWEEN_GLOBAL, NULL))) {
        return false;
    }
    const bool has_pointer = view->is_offered || zo_document_member(view->document, ZO_VALUE_ROOT, "activePetId") != 0;
    if (has_pointer || named || strcmp(had, view->config.active_pet) != 0) {
        const char *const id = view->config.active_pet;
        snprintf(pointer, sizeof pointer, id[0] != 0 ? "\"%s\"" : "null", id);
        if (!merged(job, petween_set(view->document, "activePetId", pointer))) { return false; }
    }
    return petween_view_store(job, view) && petween_view_reload(job, view);
}

void petween_put_config(http_request *request, void *context) {
    petween_job job;
    petween_view view = {0};
    http_text text = {0};
    int64_t expected;
    bool named;
    zo_document *patch = petween_body(request);
    if (patch == NULL) { return; }
    if (read_expected(request, &expected) && petween_open(&job, context, request, STORE_WRITE)) {
        if (petween_view_load(&job, &view) && is_expected(&job, &view, expected) &&
            choose_pet(&job, &view, patch, &named) && change_config(&job, &view, patch, named)) {
            cli_json json = http_text_json(&text);
            cli_json_open(&json, NULL, '{');
            petween_config_write(&json, "config", &view.config);
            cli_json_number(&json, "revision", (double)view.revision);
            cli_json_close(&json, '}');
            petween_commit(&job, &text);
        }
        petween_view_free(&view);
        petween_close(&job);
    }
    zo_document_free(patch);
}
