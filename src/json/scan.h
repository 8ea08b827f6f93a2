// Runs of bytes that need no decision, many at a time: white space between values and plain characters in strings.
// Called by the parser alone. SSE2 where the compiler has it, else eight bytes in a 64-bit word; both are compiled
// where both can be, so that a test can hold one against the other.
#ifndef ZJ_SCAN_H
#define ZJ_SCAN_H

#include "base/base.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline bool zj_is_digit(uint8_t c) { return (uint8_t)(c - '0') <= 9; }
static inline bool zj_is_space(uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
static inline bool zj_is_plain(uint8_t c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; }
static inline bool zj_is_word(uint8_t c) {
    return (uint8_t)((c | 0x20) - 'a') < 26 || zj_is_digit(c) || c == '_' || c == '$';
}

// A word of eight bytes, the first in the lowest bits.
static inline uint64_t zj_load8(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#define ZJ_EVERY(byte) ((uint64_t)(byte) * 0x0101010101010101u)

// 0x80 in each byte that is zero, exactly.
static inline uint64_t zj_zero_bytes(uint64_t word) {
    const uint64_t low = ZJ_EVERY(0x7F);
    return ~(((word & low) + low) | word | low);
}

// 0x80 in each byte that ends a plain run; exact up to and including the first one, which is all that is asked for.
static inline uint64_t zj_stops(uint64_t word) {
    const uint64_t quote = word ^ ZJ_EVERY('"');
    const uint64_t backslash = word ^ ZJ_EVERY('\\');
    const uint64_t hits = (word - ZJ_EVERY(0x20)) | (quote - ZJ_EVERY(1)) | (backslash - ZJ_EVERY(1)) | word;
    return hits & ZJ_EVERY(0x80);
}

static inline const uint8_t *zj_skip_plain_words(const uint8_t *at, const uint8_t *end) {
    while (end - at >= 8) {
        const uint64_t stops = zj_stops(zj_load8(at));
        if (stops != 0) { return at + (__builtin_ctzll(stops) >> 3); }
        at += 8;
    }
    while (at < end && zj_is_plain(*at)) { at++; }
    return at;
}

static inline const uint8_t *zj_skip_space_words(const uint8_t *at, const uint8_t *end) {
    while (end - at >= 8) {
        const uint64_t word = zj_load8(at);
        const uint64_t spaces = zj_zero_bytes(word ^ ZJ_EVERY(' ')) | zj_zero_bytes(word ^ ZJ_EVERY('\n')) |
                                zj_zero_bytes(word ^ ZJ_EVERY('\r')) | zj_zero_bytes(word ^ ZJ_EVERY('\t'));
        const uint64_t others = ~spaces & ZJ_EVERY(0x80);
        if (others != 0) { return at + (__builtin_ctzll(others) >> 3); }
        at += 8;
    }
    while (at < end && zj_is_space(*at)) { at++; }
    return at;
}

#if defined(__SSE2__)

static inline __m128i zj_load16(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

static inline const uint8_t *zj_skip_plain_sse2(const uint8_t *at, const uint8_t *end) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(0x20);
    while (end - at >= 16) {
        const __m128i bytes = zj_load16(at);
        // Signed: bytes of 0x80 and up are negative, so one comparison finds them and the control characters.
        const __m128i stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                                          _mm_cmplt_epi8(bytes, space));
        const uint32_t stops = (uint32_t)_mm_movemask_epi8(stop);
        if (stops != 0) { return at + __builtin_ctz(stops); }
        at += 16;
    }
    while (at < end && zj_is_plain(*at)) { at++; }
    return at;
}

static inline const uint8_t *zj_skip_space_sse2(const uint8_t *at, const uint8_t *end) {
    const __m128i space = _mm_set1_epi8(' '), feed = _mm_set1_epi8('\n'), back = _mm_set1_epi8('\r'),
                  tab = _mm_set1_epi8('\t');
    while (end - at >= 16) {
        const __m128i bytes = zj_load16(at);
        const __m128i skip = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, feed)),
                                          _mm_or_si128(_mm_cmpeq_epi8(bytes, back), _mm_cmpeq_epi8(bytes, tab)));
        const uint32_t others = (uint32_t)_mm_movemask_epi8(skip) ^ 0xFFFFu;
        if (others != 0) { return at + __builtin_ctz(others); }
        at += 16;
    }
    while (at < end && zj_is_space(*at)) { at++; }
    return at;
}

#endif

#if defined(__SSE2__) && !defined(ZJ_NO_SSE2)
#define zj_skip_plain zj_skip_plain_sse2
#define zj_skip_space_run zj_skip_space_sse2
#else
#define zj_skip_plain zj_skip_plain_words
#define zj_skip_space_run zj_skip_space_words
#endif

// Between two values there is mostly nothing, one space, or a line feed and an indentation.
static inline const uint8_t *zj_skip_space(const uint8_t *at, const uint8_t *end) {
    return at < end && *at <= ' ' ? zj_skip_space_run(at, end) : at;
}

// Bytes of the UTF-8 sequence at `at` (at < end), 0: ill-formed, also when the text ends in it.
static inline uint32_t zj_utf8_sequence(const uint8_t *at, const uint8_t *end) {
    const uint8_t lead = at[0];
    if (lead < 0x80) { return 1; }
    if (lead < 0xC2) { return 0; } // a continuation byte, or an overlong form of ASCII
    if (lead < 0xE0) { return end - at >= 2 && (at[1] & 0xC0) == 0x80 ? 2 : 0; }
    if (lead < 0xF0) {
        const uint8_t low = lead == 0xE0 ? 0xA0 : 0x80;  // E0: overlong below A0
        const uint8_t high = lead == 0xED ? 0x9F : 0xBF; // ED: surrogates above 9F
        return end - at >= 3 && at[1] >= low && at[1] <= high && (at[2] & 0xC0) == 0x80 ? 3 : 0;
    }
    if (lead < 0xF5) {
        const uint8_t low = lead == 0xF0 ? 0x90 : 0x80;  // F0: overlong below 90
        const uint8_t high = lead == 0xF4 ? 0x8F : 0xBF; // F4: beyond U+10FFFF above 8F
        return end - at >= 4 && at[1] >= low && at[1] <= high && (at[2] & 0xC0) == 0x80 && (at[3] & 0xC0) == 0x80 ? 4
                                                                                                                   : 0;
    }
    return 0;
}

// How many of the `end - at` bytes are a valid beginning of a sequence that the end of the text cuts off; 0: it is not.
static inline uint32_t zj_utf8_cut(const uint8_t *at, const uint8_t *end) {
    // Whether some continuation makes it whole: filled up with the lowest and the highest that may come.
    const size_t left = (size_t)(end - at);
    if (left == 0 || left > 3) { return 0; }
    for (uint32_t filler = 0x80; filler <= 0xBF; filler += 0x0F) { // 80 8F 9E AD BC: one of them suits every lead
        uint8_t whole[4];
        memset(whole, (int)filler, sizeof whole);
        memcpy(whole, at, left);
        if (zj_utf8_sequence(whole, whole + 4) > left) { return (uint32_t)left; }
    }
    return 0;
}

#endif
