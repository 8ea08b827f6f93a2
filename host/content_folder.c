// See content.h: a data folder of petween's, whatever lies where in it: files are told apart by what they hold. They
// are taken in the order of their names, as its own loading does, so of two with one id the same one counts. What
// cannot be used is passed over with its reason, and everything else is taken.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"
#include "host/content_import.h"
#include "host/petween_pet.h"
#include "host/picture.h"

typedef enum folder_kind { FOLDER_OTHER, FOLDER_ANIMATION, FOLDER_PICTURE, FOLDER_PET, FOLDER_CONFIG } folder_kind;

typedef struct folder_file {
    const store_file *file;
    folder_kind kind;
    content_thing *thing;  // ANIMATION, PICTURE
    zo_document *document; // PET, CONFIG
    char id[STORE_ID_MAX + 1]; // ANIMATION, PET
    const char *reason;    // why it is passed over; NULL: it is not
} folder_file;

typedef struct folder {
    content_imported *im;
    folder_file *files;    // [count], by name
    uint32_t count;
    uint32_t *slots;       // [slot_count], a power of two: files of animations and pets by id, from 1
    uint32_t slot_count;
    bool has_config;
} folder;

static const char config_id[] = "petween", config_name[] = "config.json";

// --------------------------------------------------------------------------------------------------- what each file is

static int by_name(const void *a, const void *b) {
    return strcmp(((const folder_file *)a)->file->name, ((const folder_file *)b)->file->name);
}

static bool ends_in_json(const char *name) {
    const size_t size = strlen(name);
    return size > 5 && strcmp(name + size - 5, ".json") == 0;
}

static void pass_over(folder *f, folder_file *file, const char *why) {
    file->reason = content_copy(&f->im->keep, why);
    content_thing_free(file->thing);
    file->thing = NULL;
}

static store_status look_at_picture(folder *f, folder_file *file) {
    store_error error;
    const store_status status =
        content_look(NULL, STORE_ASSET, file->file, 1, &f->im->def->content, &file->thing, &error);
    if (status == STORE_NO_MEMORY) { return content_no_memory(f->im->error); }
    file->kind = FOLDER_PICTURE;
    if (status != STORE_OK) { pass_over(f, file, "it is a damaged picture"); }
    return STORE_OK;
}

static const char *fault_of(const content_thing *thing) {
    enum { ID_MAX = STORE_ID_MAX - 8 }; // a number may have to follow it
    if (thing->status == ZO_NEWER) { return "a newer petween wrote it"; }
    if (thing->id != NULL && strlen(thing->id) > ID_MAX) { return "its id is too long"; }
    return content_reserved(thing->id != NULL ? thing->id : "");
}

static store_status look_at_animation(folder *f, folder_file *file) {
    content_def def = f->im->def->content;
    store_error error;
    def.mend = true;
    def.compile.format = NULL;
    const store_status status = content_look(NULL, STORE_ITEM, file->file, 1, &def, &file->thing, &error);
    if (status == STORE_NO_MEMORY) { return content_no_memory(f->im->error); }
    if (status != STORE_OK) {
        pass_over(f, file, error.text);
        return STORE_OK;
    }
    const content_thing *thing = file->thing;
    const char *fault = fault_of(thing);
    file->kind = strcmp(thing->format, "petween") == 0 ? FOLDER_ANIMATION : FOLDER_OTHER;
    if (fault != NULL) {
        pass_over(f, file, fault);
    } else if (file->kind == FOLDER_OTHER && (thing->status == ZO_OK || beside_is_manifest(file->file->name))) {
        char why[STORE_ID_MAX + 64]; // a character's manifest has faults only because it stands alone here
        snprintf(why, sizeof why, "petween's folders have nothing of the format %s: import it by itself",
                 thing->format);
        pass_over(f, file, why);
    } else if (thing->status != ZO_OK) {
        pass_over(f, file, content_first_error(thing->report));
    } else {
        snprintf(file->id, sizeof file->id, "%s", thing->id);
        zo_report_free(file->thing->report); // there may be thousands of files, and nobody asks for it
        file->thing->report = NULL;
    }
    return STORE_OK;
}

// A pet or a configuration; false: the document is neither.
static bool is_settings(folder_file *file) {
    petween_pet pet;
    const char *why = NULL;
    zo_value root;
    if (!zo_document_value(file->document, ZO_VALUE_ROOT, &root) || root.kind != ZO_VALUE_OBJECT) { return false; }
    if (petween_pet_read(file->document, &(petween_reading){0}, &pet, &why)) {
        file->kind = FOLDER_PET;
        snprintf(file->id, sizeof file->id, "%s", pet.id);
    } else if (strcmp(beside_last_part(file->file->name), config_name) == 0) {
        file->kind = FOLDER_CONFIG;
    }
    return file->kind != FOLDER_OTHER;
}

static store_status look_at(folder *f, folder_file *file) {
    const store_file *given = file->file;
    if (picture_kind(given->bytes, (size_t)given->size) != ZO_PICTURE_OTHER) { return look_at_picture(f, file); }
    if (!ends_in_json(given->name)) {
        pass_over(f, file, "it is neither JSON nor a picture");
        return STORE_OK;
    }
    const zo_status status = zo_document_open(given->bytes, (size_t)given->size, NULL, &file->document);
    if (status == ZO_NO_MEMORY) { return content_no_memory(f->im->error); }
    if (status == ZO_OK && is_settings(file)) { return STORE_OK; }
    zo_document_free(file->document);
    file->document = NULL;
    return look_at_animation(f, file);
}

// -------------------------------------------------------------------------------------------------------- each id once

static uint32_t slot_of(const folder *f, const folder_file *file) {
    uint32_t hash = 2166136261u + (uint32_t)file->kind; // FNV-1a
    for (const char *at = file->id; *at != 0; at++) { hash = (hash ^ (uint8_t)*at) * 16777619u; }
    uint32_t slot = hash & (f->slot_count - 1);
    while (f->slots[slot] != 0) {
        const folder_file *other = &f->files[f->slots[slot] - 1];
        if (other->kind == file->kind && strcmp(other->id, file->id) == 0) { break; }
        slot = (slot + 1) & (f->slot_count - 1);
    }
    return slot;
}

static store_status note_id(folder *f, folder_file *file) {
    char why[STORE_ID_MAX + STORE_NAME_MAX + 64];
    if (file->reason != NULL || file->id[0] == 0) { return STORE_OK; }
    const uint32_t slot = slot_of(f, file);
    if (f->slots[slot] != 0) {
        snprintf(why, sizeof why, "its id %s is that of %s already", file->id,
                 f->files[f->slots[slot] - 1].file->name);
        pass_over(f, file, why);
        return STORE_OK;
    }
    f->slots[slot] = (uint32_t)(file - f->files) + 1;
    return file->kind == FOLDER_ANIMATION ? content_ask_for(f->im, file->id) : STORE_OK;
}

static store_status look_at_all(folder *f) {
    store_status status = STORE_OK;
    for (uint32_t i = 0; i < f->count && status == STORE_OK; i++) {
        folder_file *file = &f->files[i];
        status = look_at(f, file);
        if (status == STORE_OK) { status = note_id(f, file); }
        if (file->kind == FOLDER_CONFIG && f->has_config) { pass_over(f, file, "there is another one before it"); }
        f->has_config = f->has_config || file->kind == FOLDER_CONFIG;
        if (status == STORE_OK && f->im->keep.failed) { status = content_no_memory(f->im->error); }
    }
    return status;
}

// ------------------------------------------------------------------------------------------------------------- placing

// The id that a picture's name says, if that is one; so pets may call it.
static const char *named_id(const folder_file *file, char id[17]) {
    const char *name = beside_last_part(file->file->name), *dot = strchr(name, '.');
    if (dot == NULL || dot - name != 16) { return NULL; }
    snprintf(id, 17, "%s", name);
    return petween_is_asset_id(id) ? id : NULL;
}

static store_status place_config(folder *f, folder_file *file) {
    content_imported *im = f->im;
    store_item item;
    store_file held;
    content_entry entry = {.area = STORE_CONFIG, .requested_id = config_id, .final_id = config_id,
                           .file = file->file->name};
    if (content_rename(file->document, im->renamed, im->renamed_count) != ZO_OK) {
        return content_no_memory(im->error);
    }
    const zo_text text = zo_document_bytes(file->document);
    store_status status = store_get(im->txn, STORE_CONFIG, config_id, &item);
    if (status == STORE_NOT_FOUND) {
        status = im->def->dry_run ? STORE_OK
                                  : content_put_document(im, STORE_CONFIG, config_id, file->file->name, file->document,
                                                         &entry.revision);
        return status == STORE_OK ? content_add_entry(im, &entry) : status;
    }
    if (status == STORE_OK) { status = store_file_get(im->txn, STORE_CONFIG, config_id, NULL, &held); }
    if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
    if (held.size == text.size && memcmp(held.bytes, text.data, text.size) == 0) {
        entry.outcome = CONTENT_IDENTICAL;
        entry.revision = item.revision;
    } else {
        entry.outcome = CONTENT_SKIPPED;
        entry.requested_id = file->file->name;
        entry.final_id = NULL;
        entry.reason = "the library has a configuration already";
    }
    return content_add_entry(im, &entry);
}

static store_status place(folder *f, folder_file *file) {
    char id[17];
    switch (file->kind) {
    case FOLDER_ANIMATION: return content_place_animation(f->im, file->thing);
    case FOLDER_PICTURE: return content_place_picture(f->im, file->thing, named_id(file, id));
    case FOLDER_PET: return content_place_pet(f->im, file->document, file->id, file->file->name);
    case FOLDER_CONFIG: return place_config(f, file);
    case FOLDER_OTHER: break;
    }
    return STORE_OK;
}

// What others refer to comes first.
static store_status place_all(folder *f) {
    static const folder_kind order[] = {FOLDER_ANIMATION, FOLDER_PICTURE, FOLDER_PET, FOLDER_CONFIG};
    store_status status = STORE_OK;
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (uint32_t i = 0; i < f->count && status == STORE_OK; i++) {
            folder_file *file = &f->files[i];
            if (file->reason == NULL && file->kind == order[k]) { status = place(f, file); }
        }
    }
    for (uint32_t i = 0; i < f->count && status == STORE_OK; i++) {
        const folder_file *file = &f->files[i];
        if (file->reason == NULL) { continue; }
        static const store_area areas[] = {STORE_ITEM, STORE_ITEM, STORE_ASSET, STORE_PET, STORE_CONFIG};
        status = content_add_entry(f->im, &(content_entry){.area = areas[file->kind],
                                                           .requested_id = file->file->name,
                                                           .file = file->file->name, .outcome = CONTENT_SKIPPED,
                                                           .reason = file->reason});
    }
    return status;
}

// ----------------------------------------------------------------------------------------------------------------- all

static store_status import(content_imported *im, const store_file *files, uint32_t count) {
    folder f = {.im = im, .count = count, .slot_count = 64};
    store_status status = content_check_files(files, count, im->error);
    if (status != STORE_OK) { return status; }
    while (f.slot_count < 2 * count) { f.slot_count *= 2; }
    f.files = content_take(&im->keep, sizeof *f.files * count);
    f.slots = content_take(&im->keep, sizeof *f.slots * f.slot_count);
    if (f.files == NULL || f.slots == NULL) { return content_no_memory(im->error); }
    for (uint32_t i = 0; i < count; i++) { f.files[i].file = &files[i]; }
    qsort(f.files, count, sizeof *f.files, by_name);
    status = look_at_all(&f);
    if (status == STORE_OK) { status = place_all(&f); }
    for (uint32_t i = 0; i < count; i++) {
        content_thing_free(f.files[i].thing);
        zo_document_free(f.files[i].document);
    }
    return status;
}

store_status content_import_petween(store_txn *txn, const store_file *files, uint32_t count,
                                    const content_import_def *def, content_result **result, store_error *error) {
    content_imported *im = content_imported_new(txn, def, error);
    *result = im != NULL ? &im->result : NULL;
    return im != NULL ? import(im, files, count) : content_no_memory(error);
}
