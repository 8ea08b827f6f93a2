// zo_document: a JSON text with its nodes, edited by byte range. Public functions; what they do with bytes and nodes
// lives in the json layer. Must not know any format.
#include <zoetrope/document.h>

#include "diag/diag.h"
#include "json/edit.h"
#include "json/json.h"

typedef struct block {
    char *bytes; // NULL: none
    size_t size;
} block;

struct zo_document {
    zo_allocator allocator;
    block text;     // what `doc` is made of
    block previous; // the text before the latest edit: the inverse edits' texts are pieces of it
    zb_arena arena; // of `doc`
    zb_arena spare; // the next text is parsed here, so that nothing changes when it is refused
    const zj_doc *doc;
};

static bool block_take(const zo_allocator *allocator, size_t size, block *result) {
    const size_t taken = size != 0 ? size : 1;
    *result = (block){allocator->alloc(allocator->context, taken), size};
    return result->bytes != NULL;
}

static void block_give(const zo_allocator *allocator, block *b) {
    if (b->bytes != NULL) { allocator->free(allocator->context, b->bytes, b->size != 0 ? b->size : 1); }
    *b = (block){NULL, 0};
}

zo_status zo_document_open(const void *bytes, size_t size, const zo_allocator *allocator, zo_document **document) {
    ZO_ASSERT(bytes != NULL || size == 0);
    ZO_ASSERT(document != NULL);
    const zo_allocator memory = zb_allocator_or_default(allocator);
    zo_document *const d = memory.alloc(memory.context, sizeof *d);
    if (d == NULL) { return ZO_NO_MEMORY; }
    *d = (zo_document){.allocator = memory, .arena = zb_arena_open(&memory), .spare = zb_arena_open(&memory)};
    zj_outcome outcome = {.status = ZO_NO_MEMORY};
    if (block_take(&memory, size, &d->text)) {
        if (size != 0) { memcpy(d->text.bytes, bytes, size); }
        outcome = zj_parse_outcome(&d->arena, d->text.bytes, size, 0, NULL, NULL);
    }
    d->doc = outcome.doc;
    if (outcome.status != ZO_OK) {
        zo_document_free(d);
        return outcome.status;
    }
    *document = d;
    return ZO_OK;
}

void zo_document_free(zo_document *document) {
    if (document == NULL) { return; }
    const zo_allocator memory = document->allocator;
    zb_arena_close(&document->arena);
    zb_arena_close(&document->spare);
    block_give(&memory, &document->text);
    block_give(&memory, &document->previous);
    memory.free(memory.context, document, sizeof *document);
}

zo_text zo_document_bytes(const zo_document *document) { return (zo_text){document->text.bytes, document->text.size}; }

bool zo_document_find(const zo_document *document, const char *pointer, zo_range *range) {
    const uint32_t node = zj_find(document->doc, zb_text(pointer));
    if (node == 0) { return false; }
    const zo_text source = zj_source(document->doc, node);
    range->offset = (size_t)(source.data - document->text.bytes);
    range->length = source.size;
    zd_position(document->text.bytes, document->text.size, range->offset, &range->line, &range->column);
    return true;
}

size_t zo_document_pointer_at(const zo_document *document, size_t offset, char *pointer, size_t capacity) {
    ZO_ASSERT(pointer != NULL || capacity == 0);
    return zj_pointer_put(document->doc, zj_innermost(document->doc, offset), pointer, capacity);
}

// A key is a node too, and no value: only what a walk from the root comes to is one.
static bool is_value(const zj_doc *doc, uint32_t id) {
    if (id < ZJ_ROOT || id >= doc->node_count) { return false; }
    const zj_node *const node = zj_at(doc, id);
    return node->parent == 0 || zj_kind_of(doc, node->parent) != ZJ_OBJECT || node->key != 0;
}

bool zo_document_value(const zo_document *document, uint32_t id, zo_value *value) {
    ZO_ASSERT(value != NULL);
    const zj_doc *const doc = document->doc;
    if (!is_value(doc, id)) { return false; }
    const zj_node *const node = zj_at(doc, id);
    *value = (zo_value){.next = node->next, .text = zj_text(doc, id), .source = zj_source(doc, id)};
    if (node->key != 0) {
        value->key = zj_key(doc, id);
        value->key_source = zj_source(doc, node->key);
    }
    switch ((zj_kind)node->kind) { // one by one: our own numbers may change, those of the interface may not
    case ZJ_NULL: value->kind = ZO_VALUE_NULL; break;
    case ZJ_FALSE: value->kind = ZO_VALUE_FALSE; break;
    case ZJ_TRUE: value->kind = ZO_VALUE_TRUE; break;
    case ZJ_NUMBER: value->kind = ZO_VALUE_NUMBER; value->number = node->as.number; break;
    case ZJ_STRING: value->kind = ZO_VALUE_STRING; break;
    case ZJ_ARRAY:
    case ZJ_OBJECT:
        value->kind = node->kind == ZJ_ARRAY ? ZO_VALUE_ARRAY : ZO_VALUE_OBJECT;
        value->first = node->as.items.first;
        value->count = node->as.items.count;
        break;
    }
    return true;
}

uint32_t zo_document_member(const zo_document *document, uint32_t id, const char *name) {
    ZO_ASSERT(name != NULL);
    return is_value(document->doc, id) ? zj_member(document->doc, id, zb_text(name)) : 0;
}

zo_status zo_document_apply(zo_document *document, const zo_edit *edits, uint32_t edit_count, zo_edit *inverse) {
    ZO_ASSERT(edits != NULL || edit_count == 0);
    size_t size;
    if (!zj_edits_fit(edits, edit_count, document->text.size, &size)) { return ZO_INVALID; }
    block text;
    if (!block_take(&document->allocator, size, &text)) { return ZO_NO_MEMORY; }
    zj_edits_apply(edits, edit_count, document->text.bytes, document->text.size, text.bytes);

    zb_arena_reset(&document->spare);
    const zj_outcome outcome = zj_parse_outcome(&document->spare, text.bytes, size, 0, NULL, NULL);
    if (outcome.status != ZO_OK) {
        block_give(&document->allocator, &text);
        return outcome.status;
    }
    // From here on nothing fails. The edits' texts may be pieces of the previous text: it goes only now.
    if (inverse != NULL) { zj_edits_invert(edits, edit_count, document->text.bytes, inverse); }
    block_give(&document->allocator, &document->previous);
    document->previous = document->text;
    document->text = text;
    document->doc = outcome.doc;
    const zb_arena swap = document->arena;
    document->arena = document->spare;
    document->spare = swap;
    return ZO_OK;
}
