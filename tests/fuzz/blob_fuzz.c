// Fuzzer of stored programs: bytes are given a header that holds together (sizes, offsets, what easings follow from,
// the hash), so that the checks behind it are reached; what is accepted is played, sampled, drawn and listed. Changes
// are made by record and field, as random bytes seldom leave a blob one. Called by libFuzzer, or by replay_main.c.
#include "fuzz.h"

#include "program/easing.h"
#include "program/program.h"

enum { BLOB_MAX = 1 << 16 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

// Offsets follow from the counts. false: the records do not fit the bytes, and nothing can be mended.
static bool lay_out(zp_header *header, size_t size) {
    uint64_t at = sizeof *header;
    for (uint32_t s = 0; s < ZP_SECTION_COUNT; s++) {
        header->sections[s].offset = (uint32_t)at;
        at = (at + (uint64_t)header->sections[s].count * zp_record_size(s) + 7) & ~(uint64_t)7;
        if (at > size) { return false; }
    }
    header->magic = ZP_MAGIC;
    header->version = ZP_VERSION;
    header->header_size = sizeof *header;
    header->size = at;
    return true;
}

// What expressions and nodes say of their size.
static void mend_nodes(uint8_t *blob) {
    zp_header *header = (zp_header *)(void *)blob;
    const zp_section *s = header->sections;
    zp_expr *exprs = (zp_expr *)(void *)(blob + s[ZP_SECTION_EXPRS].offset);
    zp_node *nodes = (zp_node *)(void *)(blob + s[ZP_SECTION_NODES].offset);
    const zp_edge *edges = (const zp_edge *)(const void *)(blob + s[ZP_SECTION_EDGES].offset);
    const zp_op *ops = (const zp_op *)(const void *)(blob + s[ZP_SECTION_OPS].offset);
    zp_expr_size size;
    for (uint32_t i = 0, op = 0; i < s[ZP_SECTION_EXPRS].count; op += exprs[i++].op_count) {
        if ((uint64_t)op + exprs[i].op_count > s[ZP_SECTION_OPS].count) { return; }
        if (zp_expr_measure(ops + op, exprs[i].op_count, exprs, i, &size)) { return; }
        exprs[i].first_op = op;
        exprs[i].stack = size.stack;
        exprs[i].cost = size.cost;
    }
    uint32_t depth = 0, blends = 0;
    for (uint32_t i = 0; i < s[ZP_SECTION_NODES].count; i++) {
        zp_node *node = &nodes[i];
        if (node->a_ref > i || node->b_ref > i || node->expr_ref > s[ZP_SECTION_EXPRS].count) { return; }
        zp_node_measure(node, nodes, exprs);
        if (node->depth > depth) { depth = node->depth; }
    }
    for (uint32_t i = 0; i < s[ZP_SECTION_EDGES].count; i++) { blends |= edges[i].blend_ns > 0; }
    header->clip_depth_max = depth + blends;
}

static void mend(uint8_t *blob) {
    zp_header *header = (zp_header *)(void *)blob;
    zp_easing *easings = (zp_easing *)(void *)(blob + header->sections[ZP_SECTION_EASINGS].offset);
    for (uint32_t i = 0; i < header->sections[ZP_SECTION_EASINGS].count; i++) {
        zp_easing *easing = &easings[i];
        const bool fine = easing->x1 >= 0.0 && easing->x1 <= 1.0 && easing->x2 >= 0.0 && easing->x2 <= 1.0 &&
                          zb_is_finite(easing->y1) && zb_is_finite(easing->y2);
        if (fine) { zp_easing_make(easing, easing->x1, easing->y1, easing->x2, easing->y2); }
    }
    mend_nodes(blob);
    header->hash = zp_program_hash(blob);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    zo_program *program = NULL;
    const zo_status raw = zo_load(data, size, NULL, &program); // as it came
    MUST((program != NULL) == (raw == ZO_OK));
    zo_program_free(program);
    if (size < sizeof(zp_header) || size > BLOB_MAX) { return 0; }
    uint8_t *blob = fuzz_take(size, 1);
    memcpy(blob, data, size);
    zp_header *header = (zp_header *)(void *)blob;
    if (lay_out(header, size)) {
        mend(blob);
        if (zo_load(blob, (size_t)header->size, NULL, &program) == ZO_OK) {
            MUST(zo_program_hash(program) == header->hash);
            fuzz_play(program, header->hash);
            zo_program_free(program);
        }
    }
    free(blob);
    return 0;
}

// ---------------------------------------------------------------------------------------------------- changes

static void change_field(uint8_t *blob, fuzz_random *random) {
    const zp_header *header = (const zp_header *)(const void *)blob;
    const uint32_t section = fuzz_below(random, ZP_SECTION_COUNT);
    const uint32_t count = header->sections[section].count, record_size = zp_record_size(section);
    if (count == 0) { return; }
    uint8_t *record = blob + header->sections[section].offset + (size_t)fuzz_below(random, count) * record_size;
    const uint8_t *other = blob + header->sections[section].offset + (size_t)fuzz_below(random, count) * record_size;
    static const double doubles[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e100, -1e308, 1e308, 4294967296.0};
    static const int64_t integers[] = {0, 1, -1, 1000000, 1000000000, INT64_MAX, 86400000000000, 4294967296};
    const uint32_t field = record_size >= 8 ? fuzz_below(random, record_size / 8) * 8 : 0;
    const size_t width = record_size >= 8 ? 8 : record_size;
    const uint32_t small = fuzz_below(random, 20);
    const uint32_t half = record_size >= 8 ? fuzz_below(random, 2) * 4 : 0;
    switch (fuzz_below(random, 6)) {
    case 0: memcpy(record + field, &doubles[fuzz_below(random, ZB_COUNT(doubles))], width); break;
    case 1: memcpy(record + field, &integers[fuzz_below(random, ZB_COUNT(integers))], width); break;
    case 2: memmove(record + field, other + field, width); break;
    case 3: memmove(record, other, record_size); break;
    case 4: record[fuzz_below(random, record_size)] = (uint8_t)fuzz_below(random, 256); break;
    default: memcpy(record + field + half, &small, record_size >= 8 ? 4 : 1); break;
    }
}

// One record more (a copy of the last) or less at a section's end, everything behind it moved.
static size_t change_count(uint8_t *blob, size_t max_size, fuzz_random *random) {
    zp_header *header = (zp_header *)(void *)blob;
    const size_t old_size = (size_t)header->size;
    const uint32_t section = fuzz_below(random, ZP_SECTION_COUNT), record_size = zp_record_size(section);
    zp_section *const s = &header->sections[section];
    const bool more = fuzz_below(random, 2) == 0;
    if (s->count == 0 || record_size % 8 != 0 || (more && old_size + record_size > max_size)) { return old_size; }
    uint8_t *end = blob + s->offset + (size_t)s->count * record_size;
    const size_t tail = (size_t)(blob + old_size - end);
    if (more) {
        memmove(end + record_size, end, tail);
        memcpy(end, end - record_size, record_size);
    } else {
        memmove(end - record_size, end, tail);
    }
    s->count = more ? s->count + 1 : s->count - 1;
    lay_out(header, max_size);
    return more ? old_size + record_size : old_size - record_size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    fuzz_random random = {seed, 0};
    if (size < sizeof(zp_header) || fuzz_below(&random, 16) == 0) { return LLVMFuzzerMutate(data, size, max_size); }
    uint8_t *blob = fuzz_take(max_size, 1); // aligned, which `data` need not be
    memcpy(blob, data, size);
    if (!lay_out((zp_header *)(void *)blob, size)) {
        free(blob);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    size_t new_size = (size_t)((zp_header *)(void *)blob)->size;
    for (uint32_t n = 1 + fuzz_below(&random, 4); n > 0; n--) {
        if (fuzz_below(&random, 5) == 0) {
            new_size = change_count(blob, max_size, &random);
        } else {
            change_field(blob, &random);
        }
    }
    memcpy(data, blob, new_size);
    free(blob);
    return new_size;
}
