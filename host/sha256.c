// See sha256.h.
#include <stdatomic.h>
#include <string.h>

#include "host/sha256.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define HAS_INSTRUCTIONS 1
#else
#define HAS_INSTRUCTIONS 0
#endif

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, unsigned bits) { return word >> bits | word << (32 - bits); }

static uint32_t get_32(const uint8_t *bytes) { // the first byte is the highest
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_32(uint8_t *bytes, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) { bytes[i] = (uint8_t)(word >> (24 - 8 * i)); }
}

static void spread(uint32_t words[64], const uint8_t *block) {
    for (unsigned i = 0; i < 16; i++) { words[i] = get_32(block + 4 * i); }
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] +
                   (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
}

// One round; instead of the words their roles move on, from call to call.
static inline void step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
                        uint32_t *h, uint32_t word) {
    const uint32_t one = *h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + (g ^ (e & (f ^ g))) + word;
    *d += one;
    *h = one + (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) | (c & (a | b)));
}

void sha256_plain_blocks(uint32_t state[8], const uint8_t *bytes, size_t count) {
    for (; count > 0; count--, bytes += 64) {
        uint32_t words[64], s[8];
        spread(words, bytes);
        memcpy(s, state, sizeof s);
        for (unsigned i = 0; i < 64; i += 8) {
            const uint32_t *w = words + i, *k = constants + i;
            step(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], w[0] + k[0]);
            step(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], w[1] + k[1]);
            step(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], w[2] + k[2]);
            step(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], w[3] + k[3]);
            step(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], w[4] + k[4]);
            step(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], w[5] + k[5]);
            step(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], w[6] + k[6]);
            step(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], w[7] + k[7]);
        }
        for (unsigned i = 0; i < 8; i++) { state[i] += s[i]; }
    }
}

#if HAS_INSTRUCTIONS
// Four rounds at a time. The instructions want the state as a, b, e, f and c, d, g, h, the highest first.
// Source: Intel's manual of instructions, SHA256RNDS2, SHA256MSG1 and SHA256MSG2.
__attribute__((target("sha,sse4.1,ssse3"))) static void quick_blocks(uint32_t state[8], const uint8_t *bytes,
                                                                      size_t count) {
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *from = (const __m128i *)(const void *)bytes;
    const __m128i dcba = _mm_loadu_si128((const __m128i *)(const void *)state);
    const __m128i hgfe = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1), efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; count > 0; count--, from += 4) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i words[4];
        for (int i = 0; i < 16; i++) {
            const int now = i % 4;
            if (i < 4) {
                words[now] = _mm_shuffle_epi8(_mm_loadu_si128(from + i), order);
            } else {
                const __m128i last = words[(i + 3) % 4];
                const __m128i part = _mm_add_epi32(_mm_sha256msg1_epu32(words[now], words[(i + 1) % 4]),
                                                   _mm_alignr_epi8(last, words[(i + 2) % 4], 4));
                words[now] = _mm_sha256msg2_epu32(part, last);
            }
            const __m128i sum = _mm_add_epi32(
                words[now], _mm_loadu_si128((const __m128i *)(const void *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static int ask_processor(void) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0) { return 0; }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & 1u << 29) != 0;
}

// Asking takes longer than hashing a small text, so it is remembered; two threads that ask get the same answer.
static void add_blocks(uint32_t state[8], const uint8_t *bytes, size_t count) {
    static atomic_int known; // 0: not asked yet, 1: no, 2: yes
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has == 0) {
        has = 1 + ask_processor();
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    if (has == 2) {
        quick_blocks(state, bytes, count);
    } else {
        sha256_plain_blocks(state, bytes, count);
    }
}
#else
static void add_blocks(uint32_t state[8], const uint8_t *bytes, size_t count) {
    sha256_plain_blocks(state, bytes, count);
}
#endif

void sha256_start(sha256 *hash) {
    // The first 32 bits of the fractions of the square roots of the first 8 primes.
    *hash = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                               0x5be0cd19}};
}

void sha256_add(sha256 *hash, const void *bytes, size_t size) {
    const uint8_t *from = bytes;
    const size_t there = (size_t)(hash->size % 64);
    if (size == 0) { return; }
    hash->size += size;
    if (there > 0) {
        const size_t more = size < 64 - there ? size : 64 - there;
        memcpy(hash->rest + there, from, more);
        if (there + more < 64) { return; }
        add_blocks(hash->state, hash->rest, 1);
        from += more;
        size -= more;
    }
    if (size >= 64) { add_blocks(hash->state, from, size / 64); }
    if (size % 64 > 0) { memcpy(hash->rest, from + (size - size % 64), size % 64); }
}

void sha256_end(sha256 *hash, uint8_t digest[32]) {
    const uint64_t bits = hash->size * 8;
    const size_t there = (size_t)(hash->size % 64);
    static const uint8_t padding[64] = {0x80};
    uint8_t length[8];
    put_32(length, (uint32_t)(bits >> 32));
    put_32(length + 4, (uint32_t)bits);
    sha256_add(hash, padding, there < 56 ? 56 - there : 120 - there);
    sha256_add(hash, length, sizeof length);
    for (unsigned i = 0; i < 8; i++) { put_32(digest + 4 * i, hash->state[i]); }
}
