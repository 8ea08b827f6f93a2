// What happens to a run of pixels after the texels are there: the vertex colours, and the target. Called by raster.c.
// Knows nothing of triangles or pictures.
//
// Rounding, which is part of the result: every product of two numbers of 0..255 is round(x * y / 255), without ties.
//   colours  run    = round(texel * factor / 255), the factor itself rounded to 0..255 first
//   over     target = min(255, run + round(target * (255 - alpha of run) / 255)), alpha like the colours
//   add      target = min(255, run + target), alpha like the colours
#include "draw/span.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Two products at once, in the halves of a word: round(x * factor / 255) of each. 65153 + 254 still fits sixteen bits.
static inline uint32_t scale_two(uint32_t two, uint32_t factor) {
    const uint32_t product = two * factor + 0x00800080u;
    return (product + (product >> 8 & ZG_EVEN)) >> 8 & ZG_EVEN;
}

static inline uint32_t scale_pixel(uint32_t pixel, uint32_t factor) {
    return scale_two(pixel & ZG_EVEN, factor) | scale_two(pixel >> 8 & ZG_EVEN, factor) << 8;
}

// 0..510 in each half, cut to 255.
static inline uint32_t cut_two(uint32_t two) {
    const uint32_t above = two >> 8 & 0x00010001u;
    return (two | above * 255) & ZG_EVEN;
}

static inline uint32_t add_pixels(uint32_t x, uint32_t y) {
    return cut_two((x & ZG_EVEN) + (y & ZG_EVEN)) | cut_two((x >> 8 & ZG_EVEN) + (y >> 8 & ZG_EVEN)) << 8;
}

static inline uint32_t factor_of(uint64_t at) {
    const int64_t rounded = (int64_t)(at + 0x80000000u) >> 32;
    return rounded < 0 ? 0 : rounded > 255 ? 255 : (uint32_t)rounded;
}

void zg_modulate_all(uint32_t *run, uint32_t count, zg_ramp factor) {
    for (uint32_t i = 0; i < count; i++, factor.at += factor.step) {
        run[i] = scale_pixel(run[i], factor_of(factor.at));
    }
}

void zg_modulate_each(uint32_t *run, uint32_t count, const zg_ramp factors[4]) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pixel = 0;
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t factor = factor_of(factors[c].at + i * factors[c].step);
            pixel |= scale_two(run[i] >> (8 * c) & 0xFF, factor) << (8 * c);
        }
        run[i] = pixel;
    }
}

void zg_modulate_flat_plain(uint32_t *run, uint32_t count, uint32_t factors) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pixel = 0;
        for (uint32_t c = 0; c < 32; c += 8) { pixel |= scale_two(run[i] >> c & 0xFF, factors >> c & 0xFF) << c; }
        run[i] = pixel;
    }
}

static inline void over_pixel(uint8_t *target, uint32_t source) {
    const uint32_t alpha = source >> 24;
    if (source == 0) { return; }
    if (alpha < 255) {
        uint32_t under;
        memcpy(&under, target, 4);
        source = add_pixels(source, scale_pixel(under, 255 - alpha));
    }
    memcpy(target, &source, 4);
}

void zg_blend_over_plain(uint8_t *target, const uint32_t *run, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) { over_pixel(target + 4 * (size_t)i, run[i]); }
}

#if defined(__SSE2__)
// Two pixels as sixteen-bit lanes, each times the factor of its lane.
static inline __m128i scale_lanes(__m128i pixels, __m128i factors) {
    const __m128i product = _mm_add_epi16(_mm_mullo_epi16(pixels, factors), _mm_set1_epi16(128));
    return _mm_srli_epi16(_mm_add_epi16(product, _mm_srli_epi16(product, 8)), 8);
}

void zg_modulate_flat(uint32_t *run, uint32_t count, uint32_t factors) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i lanes = _mm_unpacklo_epi8(_mm_set1_epi32((int)factors), zero);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const __m128i pixels = _mm_loadu_si128((const __m128i *)(const void *)(run + i));
        const __m128i low = scale_lanes(_mm_unpacklo_epi8(pixels, zero), lanes);
        const __m128i high = scale_lanes(_mm_unpackhi_epi8(pixels, zero), lanes);
        _mm_storeu_si128((__m128i *)(void *)(run + i), _mm_packus_epi16(low, high));
    }
    zg_modulate_flat_plain(run + i, count - i, factors);
}

void zg_blend_over(uint8_t *target, const uint32_t *run, uint32_t count) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i alphas = _mm_set1_epi32((int)0xFF000000u);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4, target += 16) {
        const __m128i source = _mm_loadu_si128((const __m128i *)(const void *)(run + i));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(source, zero)) == 0xFFFF) { continue; }
        const __m128i opaque = _mm_cmpeq_epi32(_mm_and_si128(source, alphas), alphas);
        if (_mm_movemask_epi8(opaque) == 0xFFFF) {
            _mm_storeu_si128((__m128i *)(void *)target, source);
            continue;
        }
        const __m128i under = _mm_loadu_si128((const __m128i *)(const void *)target);
        __m128i rest = _mm_srli_epi32(_mm_xor_si128(source, alphas), 24); // 255 - alpha
        rest = _mm_or_si128(rest, _mm_slli_epi32(rest, 16));              // for two lanes a pixel
        const __m128i low = scale_lanes(_mm_unpacklo_epi8(under, zero), _mm_unpacklo_epi32(rest, rest));
        const __m128i high = scale_lanes(_mm_unpackhi_epi8(under, zero), _mm_unpackhi_epi32(rest, rest));
        _mm_storeu_si128((__m128i *)(void *)target, _mm_adds_epu8(source, _mm_packus_epi16(low, high)));
    }
    zg_blend_over_plain(target, run + i, count - i);
}
#else
void zg_modulate_flat(uint32_t *run, uint32_t count, uint32_t factors) { zg_modulate_flat_plain(run, count, factors); }
void zg_blend_over(uint8_t *target, const uint32_t *run, uint32_t count) { zg_blend_over_plain(target, run, count); }
#endif

void zg_blend_add(uint8_t *target, const uint32_t *run, uint32_t count) {
    for (uint32_t i = 0; i < count; i++, target += 4) {
        uint32_t under;
        memcpy(&under, target, 4);
        under = add_pixels(under, run[i]);
        memcpy(target, &under, 4);
    }
}
