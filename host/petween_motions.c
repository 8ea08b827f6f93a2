// See petween_serve.h: one animation, and packs of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_serve.h"

static const char format[] = "petween", pack_format[] = "motion-pack";

// The value alone, without what may stand around it in a body.
static void write_root(cli_json *json, const char *key, const zo_document *document) {
    zo_value root;
    if (zo_document_value(document, ZO_VALUE_ROOT, &root)) {
        cli_json_raw(json, key, root.source.data, root.source.size);
    }
}

// ----------------------------------------------------------------------------------------------------------------- PUT

static const char *id_of_path(http_request *request) { // NULL: answered
    const char *id = http_param(request, "id");
    if (petween_is_animation_id(id)) { return id; }
    petween_unknown(request, "animation");
    return NULL;
}

static bool has_id(http_request *request, const zo_document *document, const char *id) {
    zo_value value;
    if (zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "id"), &value) &&
        value.kind == ZO_VALUE_STRING && petween_text_is(value.text, id)) {
        return true;
    }
    http_reply_error(request, 400, "ID_MISMATCH", "the id in the path is not the one in the body");
    return false;
}

// A change of kind of what is in use is refused before anything else is said of the body.
static bool kind_may_change(petween_job *job, const char *id, http_bytes body) {
    const char *kind = content_kind_of(body.bytes, body.size);
    store_error error = {0};
    if (kind == NULL) { return true; }
    const store_status status = content_kind_guard(job->txn, id, kind, &error);
    if (status == STORE_IN_USE) {
        petween_in_use(job, "ANIMATION_IN_USE", &error);
        return false;
    }
    job->error = error;
    return petween_content_fine(job, status);
}

static bool put_animation(petween_job *job, const char *id, http_bytes body) {
    char name[PETWEEN_ID_MAX + 8]; // as petween names its files: a colon has no place in a name
    snprintf(name, sizeof name, "%s.json", id);
    *strchr(name, ':') = '_';
    const store_file file = {.name = name, .bytes = body.bytes, .size = body.size};
    const content_def def = {.compile = {.format = format}};
    const content_put_def put = {.expected = STORE_ANY};
    content_thing *thing = NULL;
    const char *reserved = content_reserved(id);
    bool fine = petween_content_fine(job, content_look(job->txn, STORE_ITEM, &file, 1, &def, &thing, &job->error));
    if (fine && (thing->status != ZO_OK || thing->program == NULL)) {
        petween_refuse_report(job->request, "INVALID_ANIMATION", "the animation is refused", thing->report,
                              "it is no animation");
        fine = false;
    } else if (fine && reserved != NULL) {
        http_reply_error(job->request, 400, "INVALID_ANIMATION", reserved);
        fine = false;
    }
    if (fine) {
        fine = petween_content_fine(job, content_put(job->txn, thing, &put, NULL, &job->error));
    }
    content_thing_free(thing);
    return fine;
}

void petween_put_animation(http_request *request, void *context) {
    petween_job job;
    http_text text = {0};
    const http_bytes body = http_body_of(request);
    const char *id = id_of_path(request); // before the size of the body, which is before what is in it
    if (id == NULL || http_is_early(request)) { return; }
    zo_document *document = petween_body(request);
    if (document == NULL) { return; }
    if (!has_id(request, document, id) || !petween_open(&job, context, request, STORE_WRITE)) {
        zo_document_free(document);
        return;
    }
    if (kind_may_change(&job, id, body) && put_animation(&job, id, body)) {
        cli_json json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        write_root(&json, "animation", document);
        cli_json_close(&json, '}');
        petween_commit(&job, &text);
    }
    petween_close(&job);
    zo_document_free(document);
}

// -------------------------------------------------------------------------------------------------------------- DELETE

void petween_delete_animation(http_request *request, void *context) {
    petween_job job;
    store_item item;
    http_text text = {0};
    const char *id = id_of_path(request);
    if (id == NULL || !petween_open(&job, context, request, STORE_WRITE)) { return; }
    store_status status = store_get(job.txn, STORE_ITEM, id, &item);
    if (status == STORE_NOT_FOUND || (status == STORE_OK && strcmp(item.format, format) != 0)) {
        petween_unknown(request, "animation");
    } else if (petween_fine(&job, status)) {
        status = content_delete(job.txn, STORE_ITEM, id, STORE_ANY, &job.error);
        if (status == STORE_IN_USE) {
            petween_in_use(&job, "ANIMATION_IN_USE", &job.error);
        } else if (petween_content_fine(&job, status)) {
            cli_json json = http_text_json(&text);
            cli_json_open(&json, NULL, '{');
            cli_json_text(&json, "deleted", id);
            cli_json_close(&json, '}');
            petween_commit(&job, &text);
        }
    }
    petween_close(&job);
}

// --------------------------------------------------------------------------------------------------------------- packs

void petween_write_entries(cli_json *json, const content_result *result) {
    cli_json_open(json, "entries", '[');
    for (uint32_t i = 0; i < result->entry_count; i++) {
        const content_entry *entry = &result->entries[i];
        if (entry->area != STORE_ITEM || entry->final_id == NULL) { continue; }
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "requestedId", entry->requested_id);
        cli_json_text(json, "finalId", entry->final_id);
        cli_json_text(json, "status", content_outcome_name(entry->outcome));
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void write_result(cli_json *json, const content_result *result) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", result->name);
    cli_json_text(json, "namespace", result->pack_namespace);
    petween_write_entries(json, result);
    cli_json_raw(json, "mounts", result->mounts_json, strlen(result->mounts_json));
    petween_write_warnings(json, "warnings", result->report);
    if (result->apply_patch_json != NULL) {
        cli_json_raw(json, "applyPatch", result->apply_patch_json, strlen(result->apply_patch_json));
    }
    cli_json_close(json, '}');
}

void petween_import_pack(http_request *request, void *context) {
    petween_job job;
    http_text text = {0};
    content_result *result = NULL;
    const http_bytes body = http_body_of(request);
    const store_file file = {.name = "pack.json", .bytes = body.bytes, .size = body.size};
    const content_import_def def = {.content = {.compile = {.format = pack_format}}, .origin = "petween"};
    zo_document *document = petween_body(request);
    if (document == NULL) { return; }
    zo_document_free(document);
    if (!petween_open(&job, context, request, STORE_WRITE)) { return; }
    const store_status status = content_import(job.txn, &file, 1, &def, &result, &job.error);
    if (status == STORE_INVALID || (status == STORE_OK && result->shape != CONTENT_PACK)) {
        petween_refuse_report(request, "PACK_INVALID", "the pack is refused", result != NULL ? result->report : NULL,
                              status != STORE_OK ? job.error.text : "it is no pack");
    } else if (petween_content_fine(&job, status)) {
        cli_json json = http_text_json(&text);
        write_result(&json, result);
        petween_commit(&job, &text);
    }
    content_result_free(result);
    petween_close(&job);
}

void petween_export_pack(http_request *request, void *context) {
    petween_job job;
    zo_pack *pack = NULL;
    const char *ids = http_query(request, "ids");
    if (!petween_open(&job, context, request, STORE_READ)) { return; }
    const store_status status = content_export_pack(job.txn, ids != NULL ? ids : "", NULL, &pack, &job.error);
    if (status == STORE_INVALID && pack != NULL && pack->unknown_count > 0) {
        http_text details = {0};
        cli_json json = http_text_json(&details);
        cli_json_open(&json, NULL, '[');
        for (uint32_t i = 0; i < pack->unknown_count; i++) { cli_json_text(&json, NULL, pack->unknown[i]); }
        cli_json_close(&json, ']');
        petween_refuse(request, 400, "PACK_EXPORT_UNKNOWN", "some animations are unknown", &details);
    } else if (status == STORE_INVALID) {
        http_reply_error(request, 400, "PACK_EXPORT_EMPTY", "ids names no animation");
    } else if (petween_content_fine(&job, status)) {
        http_reply(request, 200, "application/json; charset=utf-8", pack->text.data, pack->text.size);
    }
    zo_pack_free(pack);
    petween_close(&job);
}
