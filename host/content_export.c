// See content.h: packs made of stored animations, and definitions of older rules.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/content_inside.h"

static const char format[] = "petween";
enum { ANIMATIONS_MAX = 200 }; // of a pack

store_status content_mend(const void *bytes, size_t size, zo_document **mended) {
    *mended = NULL;
    const zo_status status = zo_definition_mend(bytes, size, NULL, mended);
    return status == ZO_OK ? STORE_OK : status == ZO_NO_MEMORY ? STORE_NO_MEMORY : STORE_INVALID;
}

static bool is_id_sign(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != 0 && strchr("_-.:+@~", c) != NULL);
}

// The next id of a list with commas, without whatever stands around it: white space of all sorts, which the library
// itself cuts. false: there are no more, or it is longer than any id and nothing is called so.
static bool next_id(const char **at, char id[STORE_ID_MAX + 1]) {
    while (**at != 0) {
        const size_t size = strcspn(*at, ",");
        const char *from = *at, *to = *at + size;
        *at = to + (*to == ',');
        while (from < to && !is_id_sign(*from)) { from++; }
        while (to > from && !is_id_sign(to[-1])) { to--; }
        if (from == to || to - from > STORE_ID_MAX) { continue; }
        memcpy(id, from, (size_t)(to - from));
        id[to - from] = 0;
        return true;
    }
    return false;
}

static bool has(const zo_library_item *items, uint32_t count, const char *id) {
    bool is = false;
    for (uint32_t i = 0; i < count; i++) { is = is || strcmp(items[i].id, id) == 0; }
    return is;
}

// Of the animations asked for those that are there; one more than a pack may have is enough to be told so. What is of
// older rules goes out as it would be written today, or no import would take it.
static store_status gather(store_txn *txn, const char *ids, content_keep *keep, zo_library_item *items,
                           uint32_t *count) {
    char id[STORE_ID_MAX + 1];
    *count = 0;
    while (*count <= ANIMATIONS_MAX && next_id(&ids, id)) {
        store_item item;
        store_file file;
        if (has(items, *count, id)) { continue; }
        store_status status = store_get(txn, STORE_ITEM, id, &item);
        if (status == STORE_NOT_FOUND || status == STORE_INVALID) { continue; }
        if (status == STORE_OK && strcmp(item.format, format) != 0) { continue; }
        if (status == STORE_OK) { status = store_file_get(txn, STORE_ITEM, id, NULL, &file); }
        if (status != STORE_OK) { return status; }
        items[(*count)++] = (zo_library_item){item.id, content_mended(keep, file.bytes, (size_t)file.size)};
    }
    return STORE_OK;
}

static store_status refuse(zo_status status, const zo_pack *pack, store_error *error) {
    *error = (store_error){.status = status == ZO_INVALID ? STORE_INVALID
                                     : status == ZO_LIMIT ? STORE_LIMIT
                                                          : STORE_NO_MEMORY};
    if (status == ZO_INVALID && pack != NULL && pack->unknown_count > 0) {
        snprintf(error->text, sizeof error->text, "there is no animation '%.200s'", pack->unknown[0]);
    } else if (status == ZO_INVALID) {
        snprintf(error->text, sizeof error->text, "no animation is asked for");
    } else if (status == ZO_LIMIT) {
        snprintf(error->text, sizeof error->text,
                 "a pack has at most 200 animations, and a name of at most 120 characters");
    } else {
        snprintf(error->text, sizeof error->text, "not enough memory");
    }
    return error->status;
}

store_status content_export_pack(store_txn *txn, const char *ids, const char *name, zo_pack **pack,
                                 store_error *error) {
    zo_library_item *items = calloc(ANIMATIONS_MAX + 1, sizeof *items);
    uint32_t count = 0;
    content_keep keep = {0};
    *pack = NULL;
    if (items == NULL) { return refuse(ZO_NO_MEMORY, NULL, error); }
    const store_status found = gather(txn, ids, &keep, items, &count);
    const zo_status status = found != STORE_OK ? ZO_OK
                             : keep.failed     ? ZO_NO_MEMORY
                                               : zo_pack_export(items, count, ids, name, NULL, pack);
    content_give_back(&keep);
    free(items);
    if (found != STORE_OK) {
        *error = *store_error_of(txn);
        return found;
    }
    return status == ZO_OK ? STORE_OK : refuse(status, *pack, error);
}
