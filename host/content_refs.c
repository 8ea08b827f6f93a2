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
    USES_MAX = SLOT_COUNT * 3 + 1,
    WHERE_MAX = 64,
};

// One piece of memory: the uses, and behind them their texts.
typedef struct uses_block {
    store_use uses[USES_MAX];
    char to[USES_MAX][STORE_ID_MAX + 1];
    char where[USES_MAX][WHERE_MAX];
} uses_block;

static void add_use(const zo_document *document, store_area area, uses_block *block, uint32_t *count,
                    store_area to_area, const char *role, const char *where) {
    char *to = block->to[*count];
    if (!content_ascii_at(document, where, to, sizeof block->to[0]) || *to == 0 || content_reserved(to) != NULL) {
        return;
    }
    // The click may also be a word of the pet's own animations; what has no namespace is none of a library.
    if (to_area == STORE_ITEM && strchr(to, ':') == NULL) { return; }
    snprintf(block->where[*count], WHERE_MAX, "%s", where);
    block->uses[*count] = (store_use){.from_area = area, .to_area = to_area, .to = to, .where = block->where[*count],
                                      .role = role};
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
    for (int i = 0; block != NULL && i < SLOT_COUNT; i++) {
        char where[WHERE_MAX];
        snprintf(where, sizeof where, "/states/%s/enter/animationId", slots[i]);
        add_use(document, area, block, count, STORE_ITEM, "enter", where);
        snprintf(where, sizeof where, "/states/%s/ambient/customAnimationId", slots[i]);
        add_use(document, area, block, count, STORE_ITEM, "ambient", where);
        snprintf(where, sizeof where, "/poses/%s/assetId", slots[i]);
        add_use(document, area, block, count, STORE_ASSET, "pose", where);
    }
    if (block != NULL && area == STORE_CONFIG) {
        add_use(document, area, block, count, STORE_ITEM, "click", "/interactions/click/animation");
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
