// The ground that every layer stands on: assertions, checked arithmetic, text views, reinterpretation of bits. Header
// only. Knows nothing of JSON, programs or pictures.
#ifndef ZB_BASE_H
#define ZB_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <zoetrope/base.h>

#if defined(__i386__) && !defined(__SSE2_MATH__)
#error "build with -msse2 -mfpmath=sse: x87 arithmetic gives other bits"
#endif
#if defined(__FAST_MATH__)
#error "build without -ffast-math: the bits of results are part of the promise"
#endif

// One fact each, at the top of a function and where it is used. Traps, in every build: a wrong assumption must not
// become a wrong picture.
#define ZO_ASSERT(fact) ((fact) ? (void)0 : __builtin_trap())

#define ZB_COUNT(array) (sizeof(array) / sizeof((array)[0]))

// A literal as text.
#define ZB_TEXT(literal) ((zo_text){(literal), sizeof(literal) - 1})

static inline zo_text zb_text(const char *zero_ended) {
    return (zo_text){zero_ended, zero_ended ? strlen(zero_ended) : 0};
}

static inline bool zb_text_equal(zo_text a, zo_text b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// As their bytes stand, a shorter one before what it begins: below, at or above 0.
static inline int zb_text_order(zo_text a, zo_text b) {
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size > 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

// true: it fitted, and *result holds it.
static inline bool zb_add_size(size_t a, size_t b, size_t *result) { return !__builtin_add_overflow(a, b, result); }
static inline bool zb_mul_size(size_t a, size_t b, size_t *result) { return !__builtin_mul_overflow(a, b, result); }

static inline size_t zb_align_up(size_t size, size_t alignment) { // alignment: a power of two; size far from SIZE_MAX
    return (size + alignment - 1) & ~(alignment - 1);
}

static inline uint64_t zb_bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double zb_double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline bool zb_is_finite(double value) { return (zb_bits_of(value) >> 52 & 0x7FF) != 0x7FF; }
static inline bool zb_is_nan(double value) { return value != value; }

// NaN gives low.
static inline double zb_clamp(double value, double low, double high) {
    return value >= low ? (value <= high ? value : high) : low;
}

#endif
