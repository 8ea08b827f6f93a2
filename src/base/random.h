// Counter-based random numbers: a pure function of (seed, domain, key, n), so that switching one thing off moves
// nothing else and a moment can be drawn alone. SplitMix64's finaliser as the mixer.
#ifndef ZB_RANDOM_H
#define ZB_RANDOM_H

#include "base/base.h"

typedef enum zb_domain {
    ZB_DOMAIN_GRAPH = 1,    // n: draws so far
    ZB_DOMAIN_DELAY = 2,    // key: the run's clip and start serial; n: pass
    ZB_DOMAIN_PARTICLE = 3, // key: effect serial and particle; n: property
} zb_domain;

uint64_t zb_hash64(uint64_t seed, uint64_t domain, uint64_t key, uint64_t n);
// 0 <= u < 1, a multiple of 2^-53.
double zb_random_unit(uint64_t seed, zb_domain domain, uint64_t key, uint64_t n);

// Hash of bytes for content addresses and tables: 64 bits, not cryptographic, the same on every machine.
uint64_t zb_hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
