// See content.h: packs and packages become many things in one transaction. What an import does to animations is planned
// by the library's own function (zo_pack_plan); here it is done.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/beside.h"
#include "host/content_import.h"
#include "host/petween_pet.h"

const char *content_outcome_name(content_outcome outcome) {
    static const char *const names[] = {"imported", "identical", "remapped", "skipped"};
    return (unsigned)outcome < sizeof names / sizeof names[0] ? names[outcome] : "unknown";
}

content_imported *content_imported_new(store_txn *txn, const content_import_def *def, store_error *error) {
    content_imported *im = calloc(1, sizeof *im);
    *error = (store_error){0};
    if (im != NULL) {
        *im = (content_imported){.txn = txn, .def = def, .error = error, .origin = def->origin,
                                 .result = {.name = "", .pack_namespace = "", .mounts_json = "{}"}};
    }
    return im;
}

void content_result_free(content_result *result) {
    content_imported *im = (content_imported *)result; // its first member
    if (im == NULL) { return; }
    zo_plan_free(im->result.plan);
    zo_report_free(im->result.report);
    content_thing_free(im->thing);
    content_give_back(&im->keep);
    free(im);
}

// ------------------------------------------------------------------------------------------------------ what it brings

static const zo_source *manifest_of(const content_imported *im, zo_source *source) {
    const content_looked *l = (const content_looked *)im->thing; // its first member
    const store_file *file = &im->thing->files[0];
    *source = l->package != NULL ? l->package->manifest
                                 : (zo_source){.name = *file->name != 0 ? file->name : "<given>",
                                               .bytes = file->bytes, .size = (size_t)file->size};
    return source;
}

static store_status ask_for_animations(content_imported *im, const zo_document *document, uint32_t pack) {
    zo_value list, item, id;
    store_status status = STORE_OK;
    if (!zo_document_value(document, zo_document_member(document, pack, "animations"), &list)) { return STORE_OK; }
    for (uint32_t at = list.first; status == STORE_OK && zo_document_value(document, at, &item); at = item.next) {
        const uint32_t member = zo_document_member(document, at, "id");
        char text[STORE_ID_MAX + 1];
        if (!zo_document_value(document, member, &id) || id.kind != ZO_VALUE_STRING || id.text.size > STORE_ID_MAX) {
            continue;
        }
        snprintf(text, sizeof text, "%.*s", (int)id.text.size, id.text.data);
        status = content_ask_for(im, text);
    }
    return status;
}

static uint32_t pack_of(const content_imported *im, const zo_document *document) {
    return im->thing->shape == CONTENT_PACKAGE ? zo_document_member(document, ZO_VALUE_ROOT, "motionPack")
                                               : (uint32_t)ZO_VALUE_ROOT;
}

static store_status make_plan(content_imported *im, const zo_document *document, zo_status *planned) {
    const bool packed = im->thing->shape == CONTENT_PACKAGE;
    content_near near = {0};
    zo_compile_def def = im->def->content.compile;
    zo_source source;
    zo_report *report = NULL;
    store_status status = ask_for_animations(im, document, pack_of(im, document));
    const uint32_t asked = im->asked_count;
    // The ids that the pack asks for itself are known to the plan.
    im->asked_count = 0;
    for (uint32_t i = 0; i < asked && status == STORE_OK; i++) { status = content_find_near(im, im->asked[i], &near); }
    if (status != STORE_OK) { return status; }
    if (packed) {
        def.format = pet_package_format;
        def.archive = &((const content_looked *)im->thing)->package->archive;
    }
    *planned = zo_pack_plan(manifest_of(im, &source), near.items, near.count, &def, &im->result.plan, &report);
    if (packed && (*planned == ZO_OK || *planned == ZO_UNSUPPORTED)) {
        zo_report_free(report); // the package's says all of it
    } else {
        zo_report_free(im->result.report);
        im->result.report = report;
    }
    return *planned == ZO_NO_MEMORY ? content_no_memory(im->error) : STORE_OK;
}

// ---------------------------------------------------------------------------------------------------------- animations

// The plan has judged it, and its program is made when somebody wants it: a pack has up to 200 of them.
static store_status put_planned(content_imported *im, const zo_plan_entry *planned, const zo_document *document,
                                uint32_t value, int64_t *revision) {
    char name[STORE_ID_MAX + 6];
    store_item item;
    beside_file_of_id(planned->final_id, name, sizeof name);
    const content_told told = content_tell_animation(&im->keep, document, value, name);
    const store_file file = {.name = name, .bytes = planned->definition.data, .size = planned->definition.size};
    const store_put put = {.area = STORE_ITEM, .id = planned->final_id, .format = "petween", .kind = told.kind,
                           .name = told.name, .origin = im->origin, .text = told.text, .files = &file,
                           .file_count = 1, .number_a = told.duration_ns, .expected = STORE_NONE};
    if (im->keep.failed) { return content_no_memory(im->error); }
    const store_status status = content_said(im->txn, store_put_item(im->txn, &put, &item), im->error);
    if (status == STORE_OK) { *revision = item.revision; }
    return status;
}

static store_status place_planned(content_imported *im, const zo_plan_entry *planned, const zo_document *document,
                                  uint32_t value) {
    static const content_outcome outcomes[] = {CONTENT_IMPORTED, CONTENT_IDENTICAL, CONTENT_REMAPPED};
    content_entry entry = {.area = STORE_ITEM, .requested_id = planned->requested_id, .final_id = planned->final_id,
                           .file = "", .outcome = outcomes[planned->status], .reason = planned->reason};
    store_status status = STORE_OK;
    if (entry.outcome == CONTENT_IDENTICAL) {
        store_item item;
        status = content_said(im->txn, store_get(im->txn, STORE_ITEM, planned->final_id, &item), im->error);
        entry.revision = status == STORE_OK ? item.revision : 0;
    } else if (!im->def->dry_run) {
        status = put_planned(im, planned, document, value, &entry.revision);
    }
    if (status == STORE_OK && strcmp(planned->requested_id, planned->final_id) != 0) {
        status = content_add_renaming(im, STORE_ITEM, planned->requested_id, planned->final_id);
    }
    return status == STORE_OK ? content_add_entry(im, &entry) : status;
}

// The definitions of the pack stand in the order of the plan.
static store_status place_animations(content_imported *im, const zo_document *document) {
    const zo_plan *plan = im->result.plan;
    store_status status = STORE_OK;
    zo_value list, value;
    if (plan == NULL) { return STORE_OK; }
    im->result.name = plan->name;
    im->result.pack_namespace = plan->pack_namespace;
    im->result.mounts_json = plan->mounts_json;
    im->result.apply_patch_json = plan->apply_patch_json;
    if (im->def->origin == NULL) { im->origin = plan->name; }
    const uint32_t animations = zo_document_member(document, pack_of(im, document), "animations");
    uint32_t at = zo_document_value(document, animations, &list) ? list.first : 0;
    for (uint32_t i = 0; i < plan->entry_count && status == STORE_OK; i++, at = value.next) {
        if (!zo_document_value(document, at, &value)) { return content_no_memory(im->error); } // it was read before
        status = place_planned(im, &plan->entries[i], document, at);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------ pictures and the pet

static store_status place_picture(content_imported *im, const pet_package *package, uint32_t index) {
    const archive_entry *entry = &package->zip->entries[index];
    const store_file file = {.name = entry->name.data, .bytes = entry->bytes, .size = entry->real_size};
    content_thing *thing = NULL;
    store_status status = content_look(NULL, STORE_ASSET, &file, 1, NULL, &thing, im->error);
    if (status == STORE_OK) { status = content_place_picture(im, thing, NULL); }
    content_thing_free(thing);
    return status;
}

static store_status place_pictures(content_imported *im, const pet_package *package) {
    store_status status = STORE_OK;
    for (uint32_t i = 0; i < package->archive.entry_count && status == STORE_OK; i++) {
        if (package->entries[i].picture.kind != ZO_PICTURE_OTHER) { status = place_picture(im, package, i); }
    }
    return status;
}

// An id that no pet has, made of the package.
static store_status make_pet_id(content_imported *im, char id[PETWEEN_PET_ID_MAX + 1]) {
    const store_file *file = &im->thing->files[0];
    char hash[65];
    store_hash(file->bytes, file->size, hash);
    for (uint32_t number = 1; number < 100000; number++) {
        store_item item;
        snprintf(id, PETWEEN_PET_ID_MAX + 1, number == 1 ? "pet_%.12s" : "pet_%.12sn%u", hash, (unsigned)number);
        const store_status status = store_get(im->txn, STORE_PET, id, &item);
        if (status == STORE_NOT_FOUND) { return STORE_OK; }
        if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
    }
    return content_fail(im->error, STORE_LIMIT, "the pet is there too many times");
}

static bool key_is_one_of(zo_text key, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (key.size == strlen(words[i]) && memcmp(key.data, words[i], key.size) == 0) { return true; }
    }
    return false;
}

static void put_member(http_text *json, const zo_value *member) {
    http_text_words(json, ",\n  ");
    http_text_put(json, member->key_source.data, member->key_source.size);
    http_text_words(json, ": ");
    http_text_put(json, member->source.data, member->source.size);
}

// The pet of a manifest as a library keeps it: what the pet is, byte for byte, and what the manifest says of it.
static void write_pet(http_text *json, const zo_document *manifest, const char *id) {
    static const char *const ours[] = {"id", "name", "createdAt", "updatedAt", "attribution", "pluginConfigs"};
    static const char *const theirs[] = {"attribution", "pluginConfigs"};
    const uint32_t pet = zo_document_member(manifest, ZO_VALUE_ROOT, "pet");
    zo_value name, object, member;
    char now[32];
    struct timespec clock;
    clock_gettime(CLOCK_REALTIME, &clock);
    petween_time((int64_t)clock.tv_sec * 1000 + clock.tv_nsec / 1000000, now);
    http_text_words(json, "{\n  \"id\": \"");
    http_text_words(json, id);
    http_text_words(json, "\",\n  \"name\": ");
    if (zo_document_value(manifest, zo_document_member(manifest, ZO_VALUE_ROOT, "name"), &name)) {
        petween_quote(json, petween_trim(name.text));
    }
    if (zo_document_value(manifest, pet, &object)) {
        for (uint32_t at = object.first; zo_document_value(manifest, at, &member); at = member.next) {
            if (!key_is_one_of(member.key, ours, sizeof ours / sizeof ours[0])) { put_member(json, &member); }
        }
    }
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
        if (zo_document_value(manifest, zo_document_member(manifest, ZO_VALUE_ROOT, theirs[i]), &member)) {
            put_member(json, &member);
        }
    }
    http_text_words(json, ",\n  \"createdAt\": \"");
    http_text_words(json, now);
    http_text_words(json, "\",\n  \"updatedAt\": \"");
    http_text_words(json, now);
    http_text_words(json, "\"\n}\n");
}

static store_status place_pet(content_imported *im, const zo_document *manifest) {
    char id[PETWEEN_PET_ID_MAX + 1];
    http_text json = {0};
    zo_document *document = NULL;
    store_status status = STORE_OK;
    if (im->def->id == NULL) {
        status = make_pet_id(im, id);
    } else if (petween_is_pet_id(im->def->id)) {
        snprintf(id, sizeof id, "%s", im->def->id);
    } else {
        status = content_fail(im->error, STORE_INVALID, "'%.200s' cannot be the id of a pet", im->def->id);
    }
    if (status != STORE_OK) { return status; }
    write_pet(&json, manifest, id);
    if (json.failed || zo_document_open(json.bytes, json.size, NULL, &document) != ZO_OK) {
        status = content_no_memory(im->error); // its parts have been read before
    } else {
        status = content_place_pet(im, document, id, "");
    }
    if (status == STORE_OK) { im->result.pet_id = im->entries[im->result.entry_count - 1].final_id; }
    zo_document_free(document);
    http_text_free(&json);
    return status;
}

// --------------------------------------------------------------------------------------------------------------- whole

// The pack itself, as it was given, under an id of its content. An animation's id has a colon, this has none.
static store_status keep_itself(content_imported *im) {
    const content_thing *thing = im->thing;
    char hash[65], id[64];
    store_item item;
    if (im->def->dry_run || im->def->no_provenance) { return STORE_OK; }
    store_hash(thing->files[0].bytes, thing->files[0].size, hash);
    snprintf(id, sizeof id, "%.40s.%.16s", thing->format, hash);
    const store_put put = {.area = STORE_ITEM, .id = id, .format = thing->format, .kind = thing->kind,
                           .name = im->result.name, .origin = im->def->origin, .text = thing->text,
                           .files = thing->files, .file_count = 1, .expected = STORE_ANY};
    const store_status status = store_get(im->txn, STORE_ITEM, id, &item);
    if (status == STORE_NOT_FOUND) {
        const store_status stored = store_put_item(im->txn, &put, NULL);
        if (stored != STORE_OK) { return content_said(im->txn, stored, im->error); }
    } else if (status != STORE_OK) {
        return content_said(im->txn, status, im->error);
    }
    im->result.provenance_id = content_copy(&im->keep, id);
    return im->result.provenance_id != NULL ? STORE_OK : content_no_memory(im->error);
}

static store_status refuse(content_imported *im, zo_status status) {
    static const char *const words[] = {"it", "the pack", "the package"};
    im->result.status = status;
    return content_fail(im->error, STORE_INVALID, "%s is refused: %.400s", words[im->result.shape],
                        content_first_error(im->result.report));
}

static store_status import_pack(content_imported *im) {
    const content_looked *l = (const content_looked *)im->thing; // its first member
    const bool packed = im->thing->shape == CONTENT_PACKAGE;
    zo_document *document = NULL;
    zo_source source;
    zo_status planned = ZO_OK;
    manifest_of(im, &source);
    if (zo_document_open(source.bytes, source.size, NULL, &document) != ZO_OK) { return content_no_memory(im->error); }
    store_status status = make_plan(im, document, &planned);
    if (status == STORE_OK && planned != ZO_OK && !(packed && planned == ZO_UNSUPPORTED)) {
        status = refuse(im, planned);
    }
    if (status == STORE_OK) { status = place_animations(im, document); }
    if (status == STORE_OK && packed) { status = place_pictures(im, l->package); }
    if (status == STORE_OK && packed) { status = place_pet(im, document); }
    if (status == STORE_OK) { status = keep_itself(im); }
    zo_document_free(document);
    return status;
}

static store_status import_pet(content_imported *im) {
    const store_file *file = &im->thing->files[0];
    zo_document *document = NULL;
    if (zo_document_open(file->bytes, (size_t)file->size, NULL, &document) != ZO_OK) {
        return content_no_memory(im->error);
    }
    const store_status status = content_place_pet(im, document, im->thing->id, file->name);
    zo_document_free(document);
    return status;
}

static store_status import_thing(content_imported *im) {
    const content_thing *thing = im->thing;
    const char *id = im->def->id;
    if (thing->id_is_its_own && id != NULL && strcmp(id, thing->id) != 0) {
        return content_fail(im->error, STORE_INVALID, "its id is '%.200s', not '%.200s'", thing->id, id);
    }
    if (thing->area == STORE_ASSET) { return content_place_picture(im, thing, NULL); }
    if (im->def->lone_is_thing) { return content_place_other(im, thing); }
    if (strcmp(thing->format, "petween") == 0) { return content_place_animation(im, thing); }
    return thing->area == STORE_PET ? import_pet(im) : content_place_other(im, thing);
}

static store_status import(content_imported *im, const store_file *files, uint32_t count) {
    const content_asking asking = {.txn = im->txn, .wishes = CONTENT_WISH_IMPORT};
    store_status status = content_look_as(&asking, files, count, &im->def->content, &im->thing, im->error);
    if (status != STORE_OK) { return status; }
    im->result.shape = im->thing->shape;
    im->result.name = im->thing->name;
    im->result.status = im->thing->status;
    im->result.report = im->thing->report;
    im->thing->report = NULL;
    if (im->result.status == ZO_NO_MEMORY) { return content_no_memory(im->error); }
    if (im->result.status != ZO_OK) { return refuse(im, im->result.status); }
    return im->result.shape == CONTENT_THING ? import_thing(im) : import_pack(im);
}

store_status content_import(store_txn *txn, const store_file *files, uint32_t count, const content_import_def *def,
                            content_result **result, store_error *error) {
    content_imported *im = content_imported_new(txn, def, error);
    *result = im != NULL ? &im->result : NULL;
    return im != NULL ? import(im, files, count) : content_no_memory(error);
}
