// See content.h: ids that nobody may write, what a petween text refers to, and what forbids a change or a deletion.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/content_inside.h"

static const char *const slots[] = {"idle", "thinking", "working", "waiting", "success", "error"};
static const char *const kinds[] = {"transition", "ambient", "interaction"};
enum { SLOT_COUNT = sizeof slots / sizeof slots[0], KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const char *content_reserved(const char *id) {
    if (strncmp(id, "builtin:", 8) == 0) { return "the namespace builtin is that of the animations that come along"; }
    return strcmp(id, "user:0draft") == 0 ? "user:0draft stands for what is being edited" : NULL;
}

// ----------------------------------------------------------------------------------------------------- texts of a text

static bool hex_of(const char *at, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char c = at[i];
        static const char digits[] = "0123456789abcdef";
        const char *digit = c != 0 ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
        if (digit == NULL) { return false; }
        *code = *code << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

bool content_ascii_at(const zo_document *document, const char *pointer, char *text, size_t capacity) {
    zo_range range;
    if (!zo_document_find(document, pointer, &range) || range.length < 2) { return false; }
    const char *at = zo_document_bytes(document).data + range.offset, *end = at + range.length - 1;
    size_t size = 0;
    if (*at != '"') { return false; }
    for (at++; at < end; at++) {
        uint32_t code = (unsigned char)*at;
        if (code == '\\') {
            static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
            at++; // the text is JSON, so an escape is whole
            const char *known = *at == 'u' ? NULL : strchr(from, *at);
            if (known != NULL) {
                code = (unsigned char)to[known - from];
            } else if (end - at < 5 || !hex_of(at + 1, &code)) {
                return false;
            } else {
                at += 4;
            }
        }
        if (code == 0 || code >= 0x80 || size + 1 >= capacity) { return false; }
        text[size++] = (char)code;
    }
    text[size] = 0;
    return true;
}

const char *content_kind_of(const void *bytes, size_t size) {
    zo_document *document = NULL;
    char text[32];
    const char *kind = NULL;
    if (zo_document_open(bytes, size, NULL, &document) == ZO_OK &&
        content_ascii_at(document, "/kind", text, sizeof text)) {
        for (int i = 0; i < KIND_COUNT; i++) { kind = strcmp(text, kinds[i]) == 0 ? kinds[i] : kind; }
    }
    zo_document_free(document);
    return kind;
}

// ---------------------------------------------------------------------------------------------------------- references

enum {
    CLICK = SLOT_COUNT * 3, // places of the slots come before it
    ACTIVE_PET,
    PLACES,
    USES_MAX = CLICK + 1,
    WHERE_MAX = 64,
};

// A place of a configuration, or of a pet, that names something of a library.
typedef struct place {
    char where[WHERE_MAX];
    store_area to_area;
    const char *role;
} place;

static place place_at(int index) {
    static const struct { store_area to_area; const char *role, *where; } of_slots[] = {
        {STORE_ITEM, "enter", "/states/%/enter/animationId"},
        {STORE_ITEM, "ambient", "/states/%/ambient/customAnimationId"},
        {STORE_ASSET, "pose", "/poses/%/assetId"}};
    if (index == CLICK) { return (place){"/interactions/click/animation", STORE_ITEM, "click"}; }
    if (index == ACTIVE_PET) { return (place){"/activePetId", STORE_PET, "active"}; }
    place p = {.to_area = of_slots[index % 3].to_area, .role = of_slots[index % 3].role};
    const char *where = of_slots[index % 3].where, *hole = strchr(where, '%');
    snprintf(p.where, sizeof p.where, "%.*s%s%s", (int)(hole - where), where, slots[index / 3], hole + 1);
    return p;
}

// One piece of memory: the uses, and behind them their texts.
typedef struct uses_block {
    store_use uses[USES_MAX];
    char to[USES_MAX][STORE_ID_MAX + 1];
    char where[USES_MAX][WHERE_MAX];
} uses_block;

static void add_use(const zo_document *document, store_area area, uses_block *block, uint32_t *count,
                    const place *p) {
    char *to = block->to[*count];
    if (!content_ascii_at(document, p->where, to, sizeof block->to[0]) || *to == 0 || content_reserved(to) != NULL) {
        return;
    }
    // The click may also be a word of the pet's own animations; what has no namespace is none of a library.
    if (p->to_area == STORE_ITEM && strchr(to, ':') == NULL) { return; }
    snprintf(block->where[*count], WHERE_MAX, "%s", p->where);
    block->uses[*count] = (store_use){.from_area = area, .to_area = p->to_area, .to = to,
                                      .where = block->where[*count], .role = p->role};
    (*count)++;
}

store_status content_petween_uses(store_area area, const void *bytes, size_t size, store_use **uses,
                                  uint32_t *count) {
    zo_document *document = NULL;
    *uses = NULL;
    *count = 0;
    const zo_status status = zo_document_open(bytes, size, NULL, &document);
    if (status != ZO_OK) { return status == ZO_NO_MEMORY ? STORE_NO_MEMORY : STORE_INVALID; }
    uses_block *block = calloc(1, sizeof *block);
    for (int i = 0; block != NULL && i < (area == STORE_CONFIG ? CLICK + 1 : CLICK); i++) {
        const place p = place_at(i);
        add_use(document, area, block, count, &p);
    }
    zo_document_free(document);
    if (block == NULL) { return STORE_NO_MEMORY; }
    if (*count > 0) {
        *uses = block->uses; // the first member, so that free takes all of it
    } else {
        free(block);
    }
    return STORE_OK;
}

static int by_offset(const void *a, const void *b) {
    const zo_edit *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

zo_status content_rename(zo_document *document, const content_renaming *names, uint32_t count) {
    zo_edit edits[PLACES];
    char quoted[PLACES][STORE_ID_MAX + 3], text[STORE_ID_MAX + 1];
    uint32_t edit_count = 0;
    for (int i = 0; i < PLACES; i++) {
        const place p = place_at(i);
        const char *to = NULL;
        zo_range range;
        if (!content_ascii_at(document, p.where, text, sizeof text)) { continue; }
        for (uint32_t k = 0; k < count && to == NULL; k++) {
            if (names[k].area == p.to_area && strcmp(names[k].from, text) == 0) { to = names[k].to; }
        }
        if (to == NULL || !zo_document_find(document, p.where, &range)) { continue; }
        const int size = snprintf(quoted[edit_count], sizeof quoted[0], "\"%.*s\"", STORE_ID_MAX, to);
        edits[edit_count] = (zo_edit){range.offset, range.length, quoted[edit_count], (size_t)size};
        edit_count++;
    }
    if (edit_count == 0) { return ZO_OK; }
    qsort(edits, edit_count, sizeof *edits, by_offset);
    return zo_document_apply(document, edits, edit_count, NULL);
}

// --------------------------------------------------------------------------------------------------- what is forbidden

store_status content_kind_guard(store_txn *txn, const char *id, const char *kind, store_error *error) {
    store_item item;
    const store_use *uses = NULL;
    uint32_t count = 0;
    store_status status = store_get(txn, STORE_ITEM, id, &item);
    if (status == STORE_NOT_FOUND) { return STORE_OK; }
    if (status != STORE_OK || strcmp(item.kind, kind) == 0) { return content_said(txn, status, error); }
    status = store_users(txn, STORE_ITEM, id, &uses, &count);
    if (status != STORE_OK || count == 0) { return content_said(txn, status, error); }
    *error = (store_error){.status = STORE_IN_USE, .revision = item.revision, .uses = uses, .use_total = count,
                           .use_count = count < STORE_USES_MAX ? count : STORE_USES_MAX};
    snprintf(error->text, sizeof error->text, "'%s' is used as %s, and cannot become %s", id, item.kind, kind);
    return STORE_IN_USE;
}

store_status content_delete(store_txn *txn, store_area area, const char *id, int64_t expected, store_error *error) {
    const char *why = area == STORE_ITEM ? content_reserved(id) : NULL;
    if (why != NULL) { return content_fail(error, STORE_INVALID, "%s", why); }
    return content_said(txn, store_delete(txn, area, id, expected), error);
}
