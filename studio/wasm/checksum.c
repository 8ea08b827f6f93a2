// XXH64, with which Zstandard's frames are checked: the unpacker in JavaScript leaves that out. Called by load.js in the
// middle of a call of the module's, so it touches nothing but the bytes.
// Source: the XXH64 algorithm as its specification (doc/xxhash_spec.md, version 0.2) gives it.
#include "edge.h"

ZW_EXPORT(uint32_t, zw_xxh64_low)(const uint8_t *bytes, uint32_t size);

static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u,
                      P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;

static uint64_t turn_left(uint64_t x, uint32_t bits) { return x << bits | x >> (64 - bits); }

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word); // WebAssembly is little-endian, as the algorithm is
    return word;
}

static uint32_t half_at(const uint8_t *bytes) {
    uint32_t half;
    memcpy(&half, bytes, sizeof half);
    return half;
}

static uint64_t round_of(uint64_t sum, uint64_t word) { return turn_left(sum + word * P2, 31) * P1; }
static uint64_t merged(uint64_t sum, uint64_t lane) { return (sum ^ round_of(0, lane)) * P1 + P4; }

// The lower 32 bits, seed 0.
uint32_t zw_xxh64_low(const uint8_t *bytes, uint32_t size) {
    const uint8_t *end = bytes + size;
    uint64_t sum = P5;
    if (size >= 32) {
        uint64_t lanes[4] = {P1 + P2, P2, 0, 0 - P1};
        for (; end - bytes >= 32; bytes += 32) {
            for (uint32_t i = 0; i < 4; i++) { lanes[i] = round_of(lanes[i], word_at(bytes + 8 * i)); }
        }
        sum = turn_left(lanes[0], 1) + turn_left(lanes[1], 7) + turn_left(lanes[2], 12) + turn_left(lanes[3], 18);
        for (uint32_t i = 0; i < 4; i++) { sum = merged(sum, lanes[i]); }
    }
    sum += size;
    for (; end - bytes >= 8; bytes += 8) { sum = turn_left(sum ^ round_of(0, word_at(bytes)), 27) * P1 + P4; }
    if (end - bytes >= 4) {
        sum = turn_left(sum ^ half_at(bytes) * P1, 23) * P2 + P3;
        bytes += 4;
    }
    for (; bytes < end; bytes++) { sum = turn_left(sum ^ *bytes * P5, 11) * P1; }
    sum = (sum ^ sum >> 33) * P2;
    sum = (sum ^ sum >> 29) * P3;
    return (uint32_t)(sum ^ sum >> 32);
}
