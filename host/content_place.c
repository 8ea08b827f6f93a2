// See content_import.h: one thing is placed in a library whose ids may be taken. What is held already is not stored
// again; what is another goes under an id of its own.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/content_import.h"
#include "host/petween_pet.h"

enum { IDS_MAX = 100000 }; // that are tried for one thing

// --------------------------------------------------------------------------------------------------------------- notes

static store_status kept(content_imported *im) { return im->keep.failed ? content_no_memory(im->error) : STORE_OK; }

store_status content_add_entry(content_imported *im, const content_entry *entry) {
    if (content_grow(&im->keep, (void **)&im->entries, im->result.entry_count, &im->entry_capacity,
                     sizeof *im->entries)) {
        content_entry copy = *entry;
        copy.requested_id = content_copy(&im->keep, entry->requested_id != NULL ? entry->requested_id : "");
        copy.final_id = entry->final_id != NULL ? content_copy(&im->keep, entry->final_id) : NULL;
        copy.file = content_copy(&im->keep, entry->file != NULL ? entry->file : "");
        copy.reason = entry->reason != NULL ? content_copy(&im->keep, entry->reason) : NULL;
        im->entries[im->result.entry_count++] = copy;
        im->result.entries = im->entries;
    }
    return kept(im);
}

store_status content_add_renaming(content_imported *im, store_area area, const char *from, const char *to) {
    if (content_grow(&im->keep, (void **)&im->renamed, im->renamed_count, &im->renamed_capacity,
                     sizeof *im->renamed)) {
        im->renamed[im->renamed_count++] =
            (content_renaming){area, content_copy(&im->keep, from), content_copy(&im->keep, to)};
    }
    return kept(im);
}

store_status content_ask_for(content_imported *im, const char *id) {
    const char *copy = content_copy(&im->keep, id);
    if (copy != NULL &&
        content_grow(&im->keep, (void **)&im->asked, im->asked_count, &im->asked_capacity, sizeof *im->asked)) {
        im->asked[im->asked_count++] = copy;
    }
    return kept(im);
}

// ---------------------------------------------------------------------------------------------- what the library holds

static store_status add_near(content_imported *im, const store_item *item, content_near *near) {
    zo_text text = {"", 0}; // of what is no animation: it has the id and is like none
    if (strcmp(item->format, "petween") == 0) {
        store_file file;
        const store_status status = store_file_get(im->txn, STORE_ITEM, item->id, NULL, &file);
        if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
        text = content_mended(&im->keep, file.bytes, (size_t)file.size);
    }
    if (content_grow(&im->keep, (void **)&near->items, near->count, &near->capacity, sizeof *near->items)) {
        near->items[near->count++] = (zo_library_item){item->id, text};
    }
    return kept(im);
}

store_status content_find_near(content_imported *im, const char *id, content_near *near) {
    store_item item;
    char prefix[STORE_ID_MAX + 2];
    store_page page = {0};
    store_status status = store_get(im->txn, STORE_ITEM, id, &item);
    if (status == STORE_NOT_FOUND) { return STORE_OK; } // then nothing is given instead
    if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
    status = add_near(im, &item, near);
    snprintf(prefix, sizeof prefix, "%.*s-", STORE_ID_MAX, id);
    const store_filter filter = {.area = STORE_ITEM, .prefix = prefix};
    do {
        if (status != STORE_OK) { return status; }
        status = content_said(im->txn, store_list(im->txn, &filter, page.next, STORE_PAGE_MAX, &page), im->error);
        for (uint32_t i = 0; status == STORE_OK && i < page.count; i++) {
            status = add_near(im, &page.items[i], near);
        }
    } while (status != STORE_OK || page.next != NULL);
    const size_t size = strlen(prefix);
    for (uint32_t i = 0; i < im->asked_count && status == STORE_OK; i++) {
        if (strncmp(im->asked[i], prefix, size) != 0) { continue; }
        if (content_grow(&im->keep, (void **)&near->items, near->count, &near->capacity, sizeof *near->items)) {
            near->items[near->count++] = (zo_library_item){im->asked[i], {"", 0}};
        }
        status = kept(im);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------- animations

static store_status put(content_imported *im, const content_thing *thing, const char *id, int64_t expected,
                        int64_t *revision) {
    store_item item;
    const char *file = strrchr(thing->files[0].name, '/');
    const bool is_nameless = strcmp(thing->name, file != NULL ? file + 1 : thing->files[0].name) == 0;
    const content_put_def def = {.id = id, .name = is_nameless ? im->def->called : NULL, .origin = im->origin,
                                 .expected = expected};
    const store_status status = content_put(im->txn, thing, &def, &item, im->error);
    if (status == STORE_OK) { *revision = item.revision; }
    return status;
}

static store_status put_text(content_imported *im, const char *id, const char *name, const void *bytes, size_t size,
                             bool mend, int64_t *revision) {
    content_thing *thing = NULL;
    content_def content = im->def->content;
    const store_file file = {.name = name, .bytes = bytes, .size = size};
    const content_asking asking = {.txn = im->txn, .area = STORE_ITEM, .format = "petween"};
    content.mend = mend;
    content.compile.archive = NULL;
    store_status status = content_look_as(&asking, &file, 1, &content, &thing, im->error);
    if (status == STORE_OK) { status = put(im, thing, id, STORE_NONE, revision); }
    content_thing_free(thing);
    return status;
}

// The definition with another id, everything else as it is.
static store_status put_renamed(content_imported *im, const content_thing *thing, const char *id, int64_t *revision) {
    const store_file *file = &thing->files[0];
    zo_document *document = NULL;
    zo_range range;
    char quoted[STORE_ID_MAX + 3];
    zo_status fine = zo_document_open(file->bytes, (size_t)file->size, NULL, &document);
    snprintf(quoted, sizeof quoted, "\"%.*s\"", STORE_ID_MAX, id);
    if (fine == ZO_OK && zo_document_find(document, "/id", &range)) {
        const zo_edit edit = {range.offset, range.length, quoted, strlen(quoted)};
        fine = zo_document_apply(document, &edit, 1, NULL);
    }
    store_status status = fine == ZO_OK ? STORE_OK : content_no_memory(im->error); // it has been read before
    if (status == STORE_OK) {
        const zo_text text = zo_document_bytes(document);
        status = put_text(im, id, file->name, text.data, text.size, thing->mended, revision);
    }
    zo_document_free(document);
    return status;
}

static store_status refuse(content_imported *im, zo_status status, zo_report *report) {
    im->result.status = status;
    if (report != NULL && report != im->result.report) {
        zo_report_free(im->result.report);
        im->result.report = report;
    }
    return status == ZO_NO_MEMORY ? content_no_memory(im->error)
                                  : content_fail(im->error, STORE_INVALID, "it is refused: %.400s",
                                                 content_first_error(report));
}

static store_status place_planned(content_imported *im, const content_thing *thing, const zo_plan_entry *planned) {
    static const content_outcome outcomes[] = {CONTENT_IMPORTED, CONTENT_IDENTICAL, CONTENT_REMAPPED};
    content_entry entry = {.area = STORE_ITEM, .requested_id = thing->id, .final_id = planned->final_id,
                           .file = thing->files[0].name, .outcome = outcomes[planned->status],
                           .reason = planned->reason, .mended = thing->mended};
    const bool renamed = strcmp(planned->final_id, thing->id) != 0;
    store_status status = STORE_OK;
    if (entry.outcome == CONTENT_IDENTICAL) {
        store_item item;
        status = content_said(im->txn, store_get(im->txn, STORE_ITEM, planned->final_id, &item), im->error);
        entry.revision = status == STORE_OK ? item.revision : 0;
    } else if (!im->def->dry_run) {
        status = renamed ? put_renamed(im, thing, planned->final_id, &entry.revision)
                         : put(im, thing, thing->id, STORE_NONE, &entry.revision);
    }
    if (status == STORE_OK && renamed) {
        status = content_add_renaming(im, STORE_ITEM, thing->id, planned->final_id);
        if (status == STORE_OK) { status = content_ask_for(im, planned->final_id); }
    }
    return status == STORE_OK ? content_add_entry(im, &entry) : status;
}

store_status content_place_animation(content_imported *im, const content_thing *thing) {
    content_near near = {0};
    zo_plan *plan = NULL;
    zo_report *report = NULL;
    zo_compile_def def = im->def->content.compile;
    const store_file *file = &thing->files[0];
    store_status status = content_find_near(im, thing->id, &near);
    if (status != STORE_OK) { return status; }
    const zo_text text = thing->mended ? content_mended(&im->keep, file->bytes, (size_t)file->size)
                                       : (zo_text){file->bytes, (size_t)file->size};
    if (im->keep.failed) { return content_no_memory(im->error); }
    def.format = "petween";
    def.archive = NULL;
    const zo_source source = {.name = *file->name != 0 ? file->name : thing->id, .bytes = text.data,
                              .size = text.size};
    const zo_status planned = zo_pack_plan(&source, near.items, near.count, &def, &plan, &report);
    if (planned == ZO_OK) {
        status = place_planned(im, thing, &plan->entries[0]);
        zo_report_free(report);
    } else {
        status = refuse(im, planned, report);
    }
    zo_plan_free(plan);
    return status;
}

// -------------------------------------------------------------------------------------------------------- other things

static store_status is_same(content_imported *im, const store_item *item, const content_thing *thing, bool *same) {
    const store_file *files = NULL;
    uint32_t count = 0;
    *same = false;
    if (item->file_count != thing->file_count || strcmp(item->format, thing->format) != 0) { return STORE_OK; }
    const store_status status = store_files(im->txn, item->area, item->id, false, &files, &count);
    if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
    *same = true;
    for (uint32_t i = 0; i < count && *same; i++) {
        char hash[65];
        *same = files[i].size == thing->files[i].size && strcmp(files[i].name, thing->files[i].name) == 0;
        if (*same) { store_hash(thing->files[i].bytes, thing->files[i].size, hash); }
        *same = *same && strcmp(hash, files[i].hash) == 0;
    }
    return STORE_OK;
}

store_status content_place_picture(content_imported *im, const content_thing *thing, const char *requested) {
    store_item item;
    content_entry entry = {.area = STORE_ASSET, .requested_id = requested != NULL ? requested : thing->id,
                           .final_id = thing->id, .file = thing->files[0].name, .outcome = CONTENT_IDENTICAL};
    store_status status = store_get(im->txn, STORE_ASSET, thing->id, &item);
    if (status == STORE_OK) {
        entry.revision = item.revision;
    } else if (status == STORE_NOT_FOUND) {
        entry.outcome = CONTENT_IMPORTED;
        status = im->def->dry_run ? STORE_OK : put(im, thing, thing->id, STORE_ANY, &entry.revision);
    } else {
        return content_said(im->txn, status, im->error);
    }
    if (status == STORE_OK && strcmp(entry.requested_id, thing->id) != 0) {
        entry.reason = "its content has another id than its name says";
        if (entry.outcome == CONTENT_IMPORTED) { entry.outcome = CONTENT_REMAPPED; }
        status = content_add_renaming(im, STORE_ASSET, entry.requested_id, thing->id);
    }
    return status == STORE_OK ? content_add_entry(im, &entry) : status;
}

// Replaces what is there, as far as `expected` lets it.
static store_status put_over(content_imported *im, const content_thing *thing, const char *id) {
    store_item before = {0};
    content_entry entry = {.area = thing->area, .requested_id = thing->id != NULL ? thing->id : id, .final_id = id,
                           .file = thing->files[0].name, .mended = thing->mended};
    store_status status = store_get(im->txn, thing->area, id, &before);
    bool same = false;
    if (status == STORE_OK) { status = is_same(im, &before, thing, &same); }
    if (status != STORE_OK && status != STORE_NOT_FOUND) { return content_said(im->txn, status, im->error); }
    if (same) {
        entry.outcome = CONTENT_IDENTICAL;
        entry.revision = before.revision;
    } else if (!im->def->dry_run) {
        status = put(im, thing, id, im->def->expected, &entry.revision);
        if (status != STORE_OK) { return status; }
    }
    return content_add_entry(im, &entry);
}

static store_status place_free(content_imported *im, const content_thing *thing, const char *id) {
    char candidate[STORE_ID_MAX + 16], reason[STORE_ID_MAX + 64];
    content_entry entry = {.area = thing->area, .requested_id = id, .final_id = candidate,
                           .file = thing->files[0].name};
    snprintf(candidate, sizeof candidate, "%.*s", STORE_ID_MAX, id);
    snprintf(reason, sizeof reason, "the library holds another %.*s", STORE_ID_MAX, id);
    for (uint32_t number = 2; number < IDS_MAX; number++) {
        store_item item;
        bool same = false;
        store_status status = store_get(im->txn, thing->area, candidate, &item);
        if (status == STORE_NOT_FOUND) {
            status = im->def->dry_run ? STORE_OK : put(im, thing, candidate, STORE_NONE, &entry.revision);
            return status == STORE_OK ? content_add_entry(im, &entry) : status;
        }
        if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
        status = is_same(im, &item, thing, &same);
        if (status != STORE_OK) { return status; }
        if (same) {
            entry.outcome = CONTENT_IDENTICAL;
            entry.revision = item.revision;
            return content_add_entry(im, &entry);
        }
        entry.outcome = CONTENT_REMAPPED;
        entry.reason = reason;
        snprintf(candidate, sizeof candidate, "%.*s-%u", STORE_ID_MAX - 8, id, (unsigned)number);
    }
    return content_fail(im->error, STORE_LIMIT, "there are too many things called '%.200s'", id);
}

store_status content_place_other(content_imported *im, const content_thing *thing) {
    const char *given = thing->id_is_its_own ? NULL : im->def->id;
    const char *own = thing->id_is_its_own || im->def->called == NULL ? thing->id : im->def->called;
    const char *id = given != NULL ? given : own;
    if (id == NULL) {
        return content_fail(im->error, STORE_INVALID, "it has no id, and no name to make one of");
    }
    if (im->def->lone_is_thing || given != NULL) { return put_over(im, thing, id); }
    return place_free(im, thing, id);
}

// ---------------------------------------------------------------------------------------------------------------- pets

store_status content_put_document(content_imported *im, store_area area, const char *id, const char *file,
                                  const zo_document *document, int64_t *revision) {
    const zo_text text = zo_document_bytes(document);
    store_use *uses = NULL;
    store_item item;
    uint32_t count = 0;
    zo_value name;
    const char *called = id;
    store_status status = content_petween_uses(area, text.data, text.size, &uses, &count);
    if (status != STORE_OK) { return content_no_memory(im->error); } // it has been read before
    if (zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "name"), &name) &&
        name.kind == ZO_VALUE_STRING && memchr(name.text.data, 0, name.text.size) == NULL) {
        called = content_copy_bytes(&im->keep, name.text.data, name.text.size);
    }
    const store_file stored = {.name = file, .bytes = text.data, .size = text.size};
    const store_put put = {.area = area, .id = id, .format = "pet", .name = called, .text = called,
                           .origin = im->origin, .files = &stored, .file_count = 1, .uses = uses,
                           .use_count = count, .expected = STORE_ANY};
    status = content_said(im->txn, store_put_item(im->txn, &put, &item), im->error);
    if (status == STORE_OK) { *revision = item.revision; }
    free(uses);
    return status;
}

static store_status pet_is_same(content_imported *im, const char *id, const zo_document *document, bool *there,
                                bool *same, int64_t *revision) {
    store_file file;
    store_item item;
    const zo_text text = zo_document_bytes(document);
    store_status status = store_get(im->txn, STORE_PET, id, &item);
    *there = status == STORE_OK;
    *same = false;
    if (status == STORE_NOT_FOUND) { return STORE_OK; }
    if (status == STORE_OK) { status = store_file_get(im->txn, STORE_PET, id, NULL, &file); }
    if (status != STORE_OK) { return content_said(im->txn, status, im->error); }
    *same = file.size == text.size && memcmp(file.bytes, text.data, text.size) == 0;
    *revision = item.revision;
    return STORE_OK;
}

// Another id: pet_abc becomes pet_abcn2. A pet's id has no sign that could stand before the number.
static bool next_pet_id(const char *id, uint32_t number, char next[PETWEEN_PET_ID_MAX + 1]) {
    char suffix[16];
    snprintf(suffix, sizeof suffix, "n%u", (unsigned)number);
    snprintf(next, PETWEEN_PET_ID_MAX + 1, "%.*s%s", (int)(PETWEEN_PET_ID_MAX - strlen(suffix)), id, suffix);
    return petween_is_pet_id(next);
}

store_status content_place_pet(content_imported *im, zo_document *document, const char *id, const char *file) {
    char own[PETWEEN_PET_ID_MAX + 1], quoted[PETWEEN_PET_ID_MAX + 3], reason[PETWEEN_PET_ID_MAX + 64];
    content_entry entry = {.area = STORE_PET, .requested_id = id, .final_id = own, .file = file};
    snprintf(own, sizeof own, "%s", id);
    snprintf(reason, sizeof reason, "the library holds another %s", own);
    if (content_rename(document, im->renamed, im->renamed_count) != ZO_OK) { return content_no_memory(im->error); }
    for (uint32_t number = 2; number < IDS_MAX; number++) {
        bool there = false, same = false;
        store_status status = pet_is_same(im, own, document, &there, &same, &entry.revision);
        if (status != STORE_OK) { return status; }
        if (same) { entry.outcome = CONTENT_IDENTICAL; }
        if (!there && !im->def->dry_run) {
            status = content_put_document(im, STORE_PET, own, file, document, &entry.revision);
        }
        if (same || !there) {
            if (strcmp(own, id) != 0 && status == STORE_OK) {
                status = content_add_renaming(im, STORE_PET, id, own);
            }
            return status == STORE_OK ? content_add_entry(im, &entry) : status;
        }
        entry.revision = 0;
        entry.outcome = CONTENT_REMAPPED;
        entry.reason = reason;
        if (!next_pet_id(id, number, own)) { break; }
        snprintf(quoted, sizeof quoted, "\"%s\"", own);
        if (petween_set(document, "id", quoted) != ZO_OK) { return content_no_memory(im->error); }
    }
    return content_fail(im->error, STORE_LIMIT, "there are too many pets called '%s'", id);
}
