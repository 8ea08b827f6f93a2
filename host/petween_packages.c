// See petween_serve.h: pet packages, a pet with its pictures and animations in a zip.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/archive.h"
#include "host/package.h"
#include "host/petween_serve.h"
#include "host/picture.h"

// -------------------------------------------------------------------------------------------------------------- import

static bool has_id(const zo_report *report, const char *id) {
    const zo_diag *diag;
    for (uint32_t i = 0; report != NULL && (diag = zo_report_at(report, i)) != NULL; i++) {
        if (strcmp(diag->id, id) == 0) { return true; }
    }
    return false;
}

static void refuse_package(petween_job *job, const content_result *result) {
    const zo_report *report = result != NULL ? result->report : NULL;
    const bool newer = has_id(report, "petween/package-version-newer");
    petween_refuse_report(job->request, newer ? "PACK_VERSION_NEWER" : "PET_PACKAGE_INVALID", "the package is refused",
                          report, job->error.text[0] != 0 ? job->error.text : "it is no pet package in a zip");
}

static void write_map(cli_json *json, const content_result *result) {
    cli_json_open(json, "animationIdRemap", '{');
    for (uint32_t i = 0; i < result->entry_count; i++) {
        const content_entry *entry = &result->entries[i];
        if (entry->area == STORE_ITEM && entry->final_id != NULL) {
            cli_json_text(json, entry->requested_id, entry->final_id);
        }
    }
    cli_json_close(json, '}');
}

static bool brings_animations(const content_result *result) {
    bool is = false;
    for (uint32_t i = 0; i < result->entry_count; i++) { is = is || result->entries[i].area == STORE_ITEM; }
    return is;
}

// What plugins keep with the pet names animations as the package does: each is told what they are called here. What
// they keep is theirs, and stays as it is.
static bool map_plugins(petween_job *job, const content_result *result, petween_record *record) {
    zo_document *const document = record->document;
    const uint32_t plugins = zo_document_member(document, ZO_VALUE_ROOT, "pluginConfigs");
    http_text text = {0};
    zo_value value, plugin, config;
    if (!brings_animations(result) || !zo_document_value(document, plugins, &value) ||
        value.kind != ZO_VALUE_OBJECT || value.count == 0) {
        return true;
    }
    cli_json json = http_text_json(&text);
    http_text_words(&text, "{");
    bool first = true;
    for (uint32_t id = value.first; zo_document_value(document, id, &plugin); id = plugin.next) {
        if (!zo_document_value(document, zo_document_member(document, id, "config"), &config)) { continue; }
        if (!first) { http_text_words(&text, ", "); }
        first = false;
        http_text_put(&text, plugin.key_source.data, plugin.key_source.size);
        http_text_words(&text, ": ");
        json = http_text_json(&text);
        cli_json_open(&json, NULL, '{');
        cli_json_raw(&json, "config", config.source.data, config.source.size);
        write_map(&json, result);
        cli_json_close(&json, '}');
    }
    http_text_words(&text, "}");
    const char *words = http_text_end(&text);
    bool fine = !text.failed && petween_set(document, "pluginConfigs", words) == ZO_OK;
    http_text_free(&text);
    if (!fine) {
        petween_no_memory(job->request);
        return false;
    }
    return petween_pet_store(job, result->pet_id, document, STORE_ANY);
}

static int by_text(const void *a, const void *b) {
    const zo_text *x = a, *y = b;
    const size_t size = x->size < y->size ? x->size : y->size;
    const int order = memcmp(x->data, y->data, size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

static void write_plugins(cli_json *json, const zo_document *document) {
    enum { PLUGINS_MAX = 8 };
    zo_text ids[PLUGINS_MAX];
    uint32_t count = 0;
    zo_value value, plugin;
    if (!zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "pluginConfigs"), &value)) { return; }
    for (uint32_t id = value.first; count < PLUGINS_MAX && zo_document_value(document, id, &plugin); id = plugin.next) {
        ids[count++] = plugin.key;
    }
    if (count == 0) { return; }
    qsort(ids, count, sizeof ids[0], by_text);
    cli_json_open(json, "pluginConfigs", '[');
    for (uint32_t i = 0; i < count; i++) {
        http_text quoted = {0};
        petween_quote(&quoted, ids[i]);
        cli_json_raw(json, NULL, quoted.bytes, quoted.size);
        http_text_free(&quoted);
    }
    cli_json_close(json, ']');
}

static void write_pictures(cli_json *json, const char *key, const content_result *result, content_outcome outcome) {
    cli_json_open(json, key, '[');
    for (uint32_t i = 0; i < result->entry_count; i++) {
        const content_entry *entry = &result->entries[i];
        if (entry->area == STORE_ASSET && entry->outcome == outcome) { cli_json_text(json, NULL, entry->final_id); }
    }
    cli_json_close(json, ']');
}

static void write_import(cli_json *json, const content_result *result, const petween_record *record,
                         const petween_view *view) {
    cli_json_open(json, NULL, '{');
    petween_pet_write(json, "pet", &record->pet);
    petween_config_write(json, "config", &view->config);
    cli_json_open(json, "report", '{');
    write_pictures(json, "assetsAdded", result, CONTENT_IMPORTED);
    write_pictures(json, "assetsReused", result, CONTENT_IDENTICAL);
    petween_write_entries(json, result);
    cli_json_raw(json, "mounts", result->mounts_json, strlen(result->mounts_json));
    petween_write_warnings(json, "warnings", result->report);
    write_plugins(json, record->document);
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}

static bool brings_pictures(const content_result *result) {
    bool is = false;
    for (uint32_t i = 0; i < result->entry_count; i++) {
        const content_entry *entry = &result->entries[i];
        is = is || (entry->area == STORE_ASSET && entry->outcome == CONTENT_IMPORTED);
    }
    return is;
}

// The pet is in the library; it becomes the active one.
static void finish_import(petween_job *job, const content_result *result) {
    petween_record record;
    petween_view view;
    http_text text = {0};
    if (brings_pictures(result) && !petween_pictures_fit(job, 0)) { return; }
    if (!petween_pet_load(job, result->pet_id, NULL, &record)) { return; }
    if (record.document == NULL) {
        http_reply_error(job->request, 500, "INTERNAL", record.why);
        return;
    }
    const bool mapped = map_plugins(job, result, &record);
    petween_pet_free(&record);
    if (!mapped || !petween_view_load(job, &view)) { return; }
    if (petween_view_settle(job, &view) && petween_view_activate(job, &view, result->pet_id) &&
        petween_pet_load(job, result->pet_id, NULL, &record)) {
        cli_json json = http_text_json(&text);
        write_import(&json, result, &record, &view);
        petween_pet_free(&record);
        petween_commit(job, &text);
    }
    petween_view_free(&view);
}

void petween_import_package(http_request *request, void *context) {
    petween_job job;
    char id[PETWEEN_PET_ID_MAX + 1];
    content_result *result = NULL;
    const http_bytes body = http_body_of(request);
    const store_file file = {.name = "package.zip", .bytes = body.bytes, .size = body.size};
    petween_pet_new_id(id);
    const content_import_def def = {.content = {.compile = {.format = pet_package_format}}, .origin = "petween",
                                    .id = id};
    if (!petween_open(&job, context, request, STORE_WRITE)) { return; }
    if (!archive_is(body.bytes, body.size)) {
        refuse_package(&job, NULL);
    } else {
        const store_status status = content_import(job.txn, &file, 1, &def, &result, &job.error);
        if (status == STORE_INVALID || (status == STORE_OK && result->pet_id == NULL)) {
            refuse_package(&job, result);
        } else if (petween_content_fine(&job, status)) {
            finish_import(&job, result);
        }
    }
    content_result_free(result);
    petween_close(&job);
}

// -------------------------------------------------------------------------------------------------------------- export

enum { ANIMATIONS_MAX = 2 * PETWEEN_SLOTS };

typedef struct packing {
    petween_job *job;
    petween_record record;
    petween_issues missing;                       // ids
    zo_source sources[1 + ANIMATIONS_MAX];        // the pet first
    char names[ANIMATIONS_MAX][PETWEEN_ID_MAX + 8];
    const char *ids[ANIMATIONS_MAX];
    zo_document *mended[ANIMATIONS_MAX];          // NULL: it is of today's rules
    uint32_t source_count;
    zo_package_picture pictures[PETWEEN_SLOTS];
    store_file files[PETWEEN_SLOTS];              // of the pictures
    uint32_t picture_count;
    http_text pet;
} packing;

static bool add_animation(packing *p, const char *id) {
    store_item item;
    store_file file;
    const uint32_t index = p->source_count - 1;
    if (id[0] == 0 || strncmp(id, "builtin:", 8) == 0) { return true; }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(p->ids[i], id) == 0) { return true; }
    }
    store_status status = store_get(p->job->txn, STORE_ITEM, id, &item);
    if (status == STORE_OK && strcmp(item.format, "petween") != 0) { status = STORE_NOT_FOUND; }
    if (status == STORE_OK) { status = store_file_get(p->job->txn, STORE_ITEM, id, NULL, &file); }
    if (status == STORE_NOT_FOUND) {
        petween_add_fault(&p->missing, id);
        return true;
    }
    if (!petween_fine(p->job, status)) { return false; }
    if (content_mend(file.bytes, (size_t)file.size, &p->mended[index]) == STORE_NO_MEMORY) {
        petween_no_memory(p->job->request);
        return false;
    }
    const zo_text text = p->mended[index] != NULL ? zo_document_bytes(p->mended[index])
                                                  : (zo_text){file.bytes, (size_t)file.size};
    snprintf(p->names[index], sizeof p->names[index], "%s.json", id);
    p->ids[index] = id;
    p->sources[p->source_count++] = (zo_source){.name = p->names[index], .bytes = text.data, .size = text.size};
    return true;
}

static bool add_picture(packing *p, uint32_t slot) {
    const char *const id = p->record.pet.slice.poses[slot].asset;
    store_file file;
    if (id[0] == 0) { return true; }
    const store_status status = store_file_get(p->job->txn, STORE_ASSET, id, NULL, &file);
    const zo_picture_info info = status == STORE_OK ? picture_look(file.bytes, (size_t)file.size)
                                                    : (zo_picture_info){.kind = ZO_PICTURE_OTHER};
    if (status != STORE_OK && status != STORE_NOT_FOUND) { return petween_fine(p->job, status); }
    if (info.kind == ZO_PICTURE_OTHER) {
        petween_add_fault(&p->missing, id);
        return true;
    }
    p->files[p->picture_count] = file;
    p->pictures[p->picture_count++] = (zo_package_picture){.slot = petween_slots[slot], .info = info};
    return true;
}

static bool add_all(packing *p) {
    bool fine = true;
    for (uint32_t i = 0; i < PETWEEN_SLOTS && fine; i++) { fine = add_picture(p, i); }
    for (uint32_t i = 0; i < PETWEEN_SLOTS && fine; i++) {
        fine = add_animation(p, p->record.pet.slice.states[i].enter.animation) &&
               add_animation(p, p->record.pet.slice.states[i].ambient);
    }
    return fine;
}

static bool is_named(zo_text key, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (petween_text_is(key, names[i])) { return true; }
    }
    return false;
}

// The pet as it goes into a package: without what is this library's alone, and with the plugins of the body, if any,
// in place of their namesakes.
static void write_pet(packing *p, const zo_document *body) {
    static const char *const left_out[] = {"id", "createdAt", "updatedAt", "pluginConfigs", "attribution"};
    const zo_document *const document = p->record.document;
    const uint32_t own = zo_document_member(document, ZO_VALUE_ROOT, "pluginConfigs");
    const uint32_t later = body != NULL ? zo_document_member(body, ZO_VALUE_ROOT, "pluginConfigs") : 0;
    http_text part = {0};
    zo_value root, member;
    cli_json json = http_text_json(&p->pet);
    cli_json_open(&json, NULL, '{');
    const size_t opened = p->pet.size;
    if (petween_attribution_write(&part, document, zo_document_member(document, ZO_VALUE_ROOT, "attribution"))) {
        cli_json_raw(&json, "attribution", part.bytes, part.size);
    }
    p->pet.failed = p->pet.failed || part.failed;
    http_text_free(&part);
    if (later != 0) {
        petween_plugins_merge(&part, document, own, body, later);
        cli_json_raw(&json, "pluginConfigs", part.bytes, part.size);
    } else if (petween_plugins_write(&part, document, own)) {
        cli_json_raw(&json, "pluginConfigs", part.bytes, part.size);
    }
    p->pet.failed = p->pet.failed || part.failed;
    http_text_free(&part);
    bool first = p->pet.size == opened;
    zo_document_value(document, ZO_VALUE_ROOT, &root);
    for (uint32_t id = root.first; zo_document_value(document, id, &member); id = member.next) {
        if (is_named(member.key, left_out, sizeof left_out / sizeof left_out[0])) { continue; }
        if (!first) { http_text_words(&p->pet, ", "); }
        first = false;
        http_text_put(&p->pet, member.key_source.data, member.key_source.size);
        http_text_words(&p->pet, ": ");
        http_text_put(&p->pet, member.source.data, member.source.size);
    }
    http_text_words(&p->pet, "}");
}

static void send_zip(packing *p, const zo_package *package) {
    static const char folder[] = "assets/";
    pet_packed files[1 + PETWEEN_SLOTS];
    char names[PETWEEN_SLOTS][48], disposition[PETWEEN_PET_ID_MAX + 40];
    uint32_t count = 0;
    pet_bytes zip;
    const zo_package_file *manifest = &package->files[0];
    files[count++] = (pet_packed){manifest->name, manifest->text.data, manifest->text.size, false};
    for (uint32_t i = 0; i < p->picture_count; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++) {
            again = again || strcmp(p->pictures[k].info.sha256, p->pictures[i].info.sha256) == 0;
        }
        if (again) { continue; }
        snprintf(names[i], sizeof names[i], "%s%.16s.%s", folder, p->pictures[i].info.sha256,
                 picture_ending(p->pictures[i].info.kind));
        files[count++] = (pet_packed){names[i], p->files[i].bytes, (size_t)p->files[i].size, true};
    }
    if (!pet_package_write(files, count, &zip)) {
        petween_no_memory(p->job->request);
        return;
    }
    http_reply_owned(p->job->request, 200, "application/zip", zip.data, zip.size, free);
    snprintf(disposition, sizeof disposition, "attachment; filename=\"%s.zip\"", p->record.pet.id);
    http_set(p->job->request, "Content-Disposition", disposition);
    http_set(p->job->request, "X-Content-Type-Options", "nosniff");
}

static void pack(packing *p, const zo_document *body) {
    static const char incomplete[] = "EXPORT_INCOMPLETE", message[] = "the library lacks what the pet needs";
    const zo_compile_def compile = {.format = "pet"};
    zo_package *package = NULL;
    zo_report *report = NULL;
    p->source_count = 1;
    if (!add_all(p)) {
        http_text_free(&p->missing.text);
        return;
    }
    if (!petween_no_issues(p->job->request, &p->missing, incomplete, message)) { return; }
    write_pet(p, body);
    if (p->pet.failed) {
        petween_no_memory(p->job->request);
        return;
    }
    const zo_package_def def = {.other_name = "Pet", .pictures = p->pictures, .picture_count = p->picture_count};
    p->sources[0] = (zo_source){.name = "pet.json", .bytes = p->pet.bytes, .size = p->pet.size};
    const zo_status status = zo_package_make(p->sources, p->source_count, &def, &compile, &package, &report);
    if (status == ZO_OK) {
        send_zip(p, package);
    } else if (status == ZO_NO_MEMORY) {
        petween_no_memory(p->job->request);
    } else {
        petween_refuse_report(p->job->request, incomplete, "the pet has faults", report, "it is no pet");
    }
    zo_package_free(package);
    zo_report_free(report);
}

static bool check_plugins(http_request *request, const zo_document *body) {
    petween_issues found;
    zo_value root;
    petween_issues_open(&found);
    if (!zo_document_value(body, ZO_VALUE_ROOT, &root) || root.kind != ZO_VALUE_OBJECT) {
        petween_add_fault(&found, "the body must be an object");
    } else {
        petween_plugins_check(body, zo_document_member(body, ZO_VALUE_ROOT, "pluginConfigs"), petween_add_fault,
                              &found);
    }
    return petween_no_issues(request, &found, "INVALID_PLUGIN_CONFIGS", "what plugins keep is refused");
}

static void free_packing(packing *p) {
    if (p == NULL) { return; }
    for (int i = 0; i < ANIMATIONS_MAX; i++) { zo_document_free(p->mended[i]); }
    http_text_free(&p->pet);
    free(p);
}

// GET, and POST with what plugins keep just now.
void petween_export_package(http_request *request, void *context) {
    petween_job job;
    const char *id = http_param(request, "id");
    const bool has_body = http_method_of(request) == HTTP_POST && http_body_of(request).size > 0;
    zo_document *body = has_body ? petween_body(request) : NULL;
    if (has_body && (body == NULL || !check_plugins(request, body))) {
        zo_document_free(body);
        return;
    }
    packing *p = calloc(1, sizeof *p);
    if (p == NULL) {
        petween_no_memory(request);
    } else if (petween_open(&job, context, request, STORE_READ)) {
        p->job = &job;
        petween_issues_open(&p->missing);
        if (petween_pet_find(&job, id, false, &p->record)) {
            if (p->record.document != NULL) {
                pack(p, body);
            } else {
                petween_unknown(request, "pet");
            }
            petween_pet_free(&p->record);
        }
        petween_close(&job);
    }
    free_packing(p);
    zo_document_free(body);
}
