// Random numbers as a function of where they are used, and the hash of bytes. Called by the runtime (draws, delays,
// particles), by interning and for content addresses. Keeps no state: nothing here may depend on what was drawn before.
#include "base/random.h"

// The finaliser of SplitMix64: a bijection in which every bit of the input moves half of the output's.
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u; // 2^64 divided by the golden ratio

uint64_t zb_hash64(uint64_t seed, uint64_t domain, uint64_t key, uint64_t n) {
    uint64_t x = seed;
    x = mix(x + GOLDEN * (domain + 1));
    x = mix(x + GOLDEN * (key + 1));
    x = mix(x + GOLDEN * (n + 1));
    return x;
}

double zb_random_unit(uint64_t seed, zb_domain domain, uint64_t key, uint64_t n) {
    return (double)(zb_hash64(seed, (uint64_t)domain, key, n) >> 11) * 0x1p-53;
}

// Up to eight bytes, the first lowest, whatever the machine's byte order.
static uint64_t word_of(const uint8_t *bytes, size_t size) {
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) { word |= (uint64_t)bytes[i] << (8 * i); }
    return word;
}

uint64_t zb_hash_bytes(const void *bytes, size_t size, uint64_t seed) {
    const uint8_t *next = bytes;
    uint64_t x = mix(seed + GOLDEN * ((uint64_t)size + 1));
    size_t left = size;
    for (; left >= 8; left -= 8, next += 8) { x = mix(x ^ word_of(next, 8)) + GOLDEN; }
    if (left > 0) { x = mix(x ^ word_of(next, left)) + GOLDEN; }
    return mix(x);
}
