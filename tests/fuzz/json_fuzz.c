// Fuzzer of src/json and zo_document: any bytes are read; what is read is asked for every place both ways; then it is
// edited at random and the inverse must give the old bytes back. Called by libFuzzer, or by replay_main.c with files.
#include "fuzz.h"

#include "json/json.h"

enum { PLACES = 48, EDITS_MAX = 4, ROUNDS = 3, POINTER_MAX = 4096 };

// A pointer names the last of repeated members, so the way back leads to another node only where keys repeat.
static bool below_repeated(const zj_doc *doc, uint32_t node) {
    for (; node != 0; node = zj_at(doc, node)->parent) {
        if (zj_at(doc, node)->flags & ZJ_HAS_DUPLICATES) { return true; }
    }
    return false;
}

static bool any_repeated(const zj_doc *doc) {
    for (uint32_t node = 1; node < doc->node_count; node++) {
        if (zj_at(doc, node)->flags & ZJ_HAS_DUPLICATES) { return true; }
    }
    return false;
}

static bool is_key(const zj_doc *doc, uint32_t node) { // keys are nodes too, right before their values
    return node + 1 < doc->node_count && zj_at(doc, node + 1)->key == node;
}

static void ask(const zj_doc *doc, zb_arena *arena, fuzz_random *random) {
    for (uint32_t n = 0; n < PLACES; n++) {
        const uint32_t node = 1 + fuzz_below(random, doc->node_count - 1);
        const zj_node *at = zj_at(doc, node);
        MUST(at->begin < at->end && at->end <= doc->size);
        if (is_key(doc, node)) { continue; }
        const size_t length = zj_pointer_put(doc, node, NULL, 0); // keys may hold zero bytes
        char *pointer = zb_arena_take(arena, length + 1);
        MUST(pointer != NULL && zj_pointer_put(doc, node, pointer, length + 1) == length && pointer[length] == 0);
        const uint32_t found = zj_find(doc, (zo_text){pointer, length});
        MUST(found == node || below_repeated(doc, node));
        MUST(zj_innermost(doc, at->begin) == node);
        const uint32_t other = 1 + fuzz_below(random, doc->node_count - 1);
        MUST(zj_equal(doc, node, doc, node));
        MUST(zj_equal(doc, node, doc, other) == zj_equal(doc, other, doc, node));
    }
}

// Values replaced by other values of the document, cut out, or doubled; in order and apart, as the rules want it.
static uint32_t make_edits(const zj_doc *doc, fuzz_random *random, zo_edit *edits) {
    const uint32_t want = 1 + fuzz_below(random, EDITS_MAX);
    uint32_t count = 0;
    size_t free_from = 0;
    for (uint32_t n = 0; n < want; n++) {
        const zj_node *at = zj_at(doc, 1 + fuzz_below(random, doc->node_count - 1));
        const zj_node *with = zj_at(doc, 1 + fuzz_below(random, doc->node_count - 1));
        if (at->begin < free_from) { continue; }
        edits[count++] = (zo_edit){.offset = at->begin,
                                   .remove = fuzz_below(random, 8) == 0 ? 0 : at->end - at->begin,
                                   .insert = doc->source + with->begin,
                                   .insert_size = fuzz_below(random, 8) == 0 ? 0 : with->end - with->begin};
        free_from = at->end;
    }
    return count;
}

static void edit(const zj_doc *doc, const uint8_t *data, size_t size, fuzz_random *random) {
    zo_document *document;
    MUST(zo_document_open(data, size, NULL, &document) == ZO_OK);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        zo_edit edits[EDITS_MAX], inverse[EDITS_MAX];
        const uint32_t count = make_edits(doc, random, edits);
        const zo_status status = zo_document_apply(document, edits, count, inverse);
        const zo_text now = zo_document_bytes(document);
        if (status == ZO_OK) {
            zo_document *fresh; // what was accepted is what a fresh reading accepts
            MUST(zo_document_open(now.data, now.size, NULL, &fresh) == ZO_OK);
            zo_document_free(fresh);
            MUST(zo_document_apply(document, inverse, count, NULL) == ZO_OK);
        } else {
            MUST(status == ZO_INVALID || status == ZO_LIMIT);
        }
        const zo_text back = zo_document_bytes(document);
        MUST(back.size == size && memcmp(back.data, data, size) == 0);
    }
    char pointer[POINTER_MAX];
    const size_t at = fuzz_below(random, (uint32_t)size + 2);
    const size_t length = zo_document_pointer_at(document, at, pointer, sizeof pointer);
    zo_range range;
    const bool whole = length < sizeof pointer && strlen(pointer) == length;
    if (whole && !any_repeated(doc)) { MUST(zo_document_find(document, pointer, &range)); }
    zo_document_free(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size, 1); // of exactly the size: a read past the end is seen
    if (size != 0) { memcpy(bytes, data, size); }
    zb_arena arena = zb_arena_open(NULL);
    zd_report *report = zd_report_open(NULL, 0, true);
    MUST(report != NULL);
    const zj_limits limits = {.depth_max = fuzz_below(&random, 4) == 0 ? 6 : 0, .lenient = fuzz_below(&random, 8)};
    const uint32_t file = zd_report_file(report, "fuzz.json", bytes, size);
    const zj_outcome outcome = zj_parse_outcome(&arena, bytes, size, file, &limits, report);
    zd_report_finish(report);
    fuzz_report((const zo_report *)report, bytes, size);
    MUST((outcome.doc != NULL) == (outcome.status == ZO_OK));
    MUST(outcome.doc != NULL || zo_report_count((const zo_report *)report) > 0);
    if (outcome.doc != NULL) {
        ask(outcome.doc, &arena, &random);
        if (!outcome.doc->loose) { edit(outcome.doc, (const uint8_t *)bytes, size, &random); }
    }
    zd_report_close(report);
    zb_arena_close(&arena);
    free(bytes);
    return 0;
}
