// What the general interface works out without storing anything: what is wrong with a document that is sent or stored,
// programs, their pictures, packs made of animations.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"

static void reply_report(http_request *request, const content_thing *thing) {
    http_text text = {0};
    if (!api_put_report(&text, thing->report)) {
        http_text_free(&text);
        api_no_memory(request);
        return;
    }
    api_reply_hashed(request, "application/json", &text);
}

void api_diagnose(http_request *request, void *context) {
    content_def def;
    content_thing *thing;
    store_area area = STORE_ANY_AREA;
    const char *word = http_query(request, "area");
    if (word != NULL && !api_area_named(word, &area)) {
        api_bad_parameter(request, "area", "is one of items, pets, configs, assets");
        return;
    }
    if (!api_content_def(request, &def) || !api_flag(request, "lone", &def.lone) ||
        !api_look(context, request, &def, area, "", &thing)) {
        return;
    }
    reply_report(request, thing);
    content_thing_free(thing);
}

void api_stored_diagnostics(http_request *request, void *context) {
    const char *id = http_param(request, "id");
    const store_file *files = NULL;
    content_thing *thing = NULL;
    uint32_t count = 0;
    store_error error = {0};
    store_item item;
    store_area area;
    store_txn *txn;
    content_def def;
    if (!api_area(request, &area) || !api_content_def(request, &def) ||
        !api_begin(context, request, STORE_READ, &txn)) {
        return;
    }
    store_status status = store_get(txn, area, id, &item);
    if (status == STORE_OK) { status = store_files(txn, area, id, true, &files, &count); }
    if (api_fine(request, txn, status)) {
        def.compile.format = item.format[0] != 0 ? item.format : NULL;
        def.mend = true; // as what is stored is always read
        if (content_look(txn, area, files, count, &def, &thing, &error) == STORE_OK) {
            reply_report(request, thing);
        } else {
            api_refuse(request, &error);
        }
    }
    content_thing_free(thing);
    store_rollback(txn);
}

void api_program(http_request *request, void *context) {
    zo_program *program = NULL;
    zo_report *report = NULL;
    store_error error = {0};
    store_area area;
    store_txn *txn;
    content_def def;
    int64_t revision = 0;
    if (!api_area(request, &area) || !api_number(request, "revision", 1, INT64_C(1) << 53, &revision) ||
        !api_content_def(request, &def) || !api_begin(context, request, STORE_READ, &txn)) {
        return;
    }
    const store_status status =
        content_program(txn, area, http_param(request, "id"), revision, &def, &program, &report, &error);
    if (status == STORE_OK) {
        char etag[32];
        size_t size = 0;
        const void *blob = zo_program_blob(program, &size);
        snprintf(etag, sizeof etag, "%016llx", (unsigned long long)zo_program_hash(program));
        http_reply(request, 200, "application/vnd.zoetrope.program", blob, size);
        http_set_etag(request, etag);
    } else {
        api_refuse_content(request, &error, ZO_INVALID, status == STORE_INVALID ? report : NULL);
    }
    zo_program_free(program);
    zo_report_free(report);
    store_rollback(txn);
}

void api_picture(http_request *request, void *context) {
    store_error error = {0};
    store_area area;
    store_file file;
    store_txn *txn;
    if (!api_area(request, &area) || !api_begin(context, request, STORE_READ, &txn)) { return; }
    if (content_picture(txn, area, http_param(request, "id"), http_param(request, "name"), &file, &error) == STORE_OK) {
        const size_t size = (size_t)file.size;
        const char *name = file.name != NULL ? file.name : "";
        char etag[33];
        snprintf(etag, sizeof etag, "%.32s", file.hash); // it may lie in another thing, whose revisions are its own
        http_reply(request, 200, api_type_of(name, file.bytes, size), file.bytes, size);
        http_set_etag(request, etag);
    } else {
        api_refuse(request, &error);
    }
    store_rollback(txn);
}

// Which of the animations asked for are not there.
static void refuse_unknown(http_request *request, const store_error *error, const zo_pack *pack) {
    http_text details = {0};
    cli_json json = http_text_json(&details);
    cli_json_open(&json, "unknown", '[');
    for (uint32_t i = 0; i < pack->unknown_count; i++) { cli_json_text(&json, NULL, pack->unknown[i]); }
    cli_json_close(&json, ']');
    http_reply_error_with(request, 404, "NOT_FOUND", error->text, http_text_end(&details));
    http_text_free(&details);
}

void api_export(http_request *request, void *context) {
    const char *ids = http_query(request, "ids");
    zo_pack *pack = NULL;
    store_error error = {0};
    store_txn *txn;
    if (ids == NULL) {
        api_bad_parameter(request, "ids", "is needed: animations, with commas between");
        return;
    }
    if (!api_begin(context, request, STORE_READ, &txn)) { return; }
    const store_status status = content_export_pack(txn, ids, http_query(request, "name"), &pack, &error);
    if (status == STORE_OK) {
        http_text text = {0};
        http_text_put(&text, pack->text.data, pack->text.size);
        api_reply_hashed(request, "application/json", &text);
    } else if (status == STORE_INVALID && pack != NULL && pack->unknown_count > 0) {
        refuse_unknown(request, &error, pack);
    } else {
        api_refuse(request, &error);
    }
    zo_pack_free(pack);
    store_rollback(txn);
}
