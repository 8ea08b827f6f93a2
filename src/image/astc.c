// ASTC blocks of 4 x 4 texels, as far as colours of 8 bits go. Called by ktx2_decode.c. A block says itself on which
// grid and scale its weights lie, how many subsets it has, in which form their colours are written; these are on the
// finest scale that there is room for. What contradicts itself, or wants high dynamic range, is no valid
// block.
#include "image/astc.h"
#include "image/bits.h"
#include "image/blocks.h"

enum { COLOR_SCALE_MIN = 4 };
enum { WEIGHTS_MAX = 64, COLORS_MAX = 18, WEIGHT_BITS_MIN = 24, WEIGHT_BITS_MAX = 96 };

static uint32_t at(const zi_bits *b, uint32_t place, uint32_t count) { // place + count <= 128, count 0..16
    const uint64_t from = place >= 64  ? b->high >> (place - 64)
                          : place == 0 ? b->low
                                       : b->low >> place | b->high << (64 - place);
    return (uint32_t)from & ((1u << count) - 1);
}

static uint64_t reversed(uint64_t value) {
    uint64_t out = 0;
    for (uint32_t i = 0; i < 64; i++) { out = out << 1 | (value >> i & 1); }
    return out;
}

// ------------------------------------------------------------------------------------------------- sequences of values

static uint32_t sequence_bits(zi_scale s, uint32_t count) {
    const uint32_t digits = s.base == 3 ? (8 * count + 4) / 5 : s.base == 5 ? (7 * count + 2) / 3 : 0;
    return digits + s.plain_bits * count;
}

static void digits_of_3(uint32_t t, uint32_t digits[5]) {
    uint32_t c = t & 31;
    if ((t >> 2 & 7) == 7) {
        c = (t >> 5) << 2 | (t & 3);
        digits[3] = digits[4] = 2;
    } else if ((t >> 5 & 3) == 3) {
        digits[4] = 2;
        digits[3] = t >> 7;
    } else {
        digits[4] = t >> 7;
        digits[3] = t >> 5 & 3;
    }
    if ((c & 3) == 3) {
        digits[2] = 2;
        digits[1] = c >> 4;
        digits[0] = (c >> 3 & 1) << 1 | (c >> 2 & 1 & ~(c >> 3));
    } else if ((c >> 2 & 3) == 3) {
        digits[2] = digits[1] = 2;
        digits[0] = c & 3;
    } else {
        digits[2] = c >> 4;
        digits[1] = c >> 2 & 3;
        digits[0] = (c >> 1 & 1) << 1 | (c & 1 & ~(c >> 1));
    }
}

static void digits_of_5(uint32_t q, uint32_t digits[5]) {
    if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
        digits[0] = digits[1] = 4;
        digits[2] = (q & 1) << 2 | (q >> 4 & 1 & ~q) << 1 | (q >> 3 & 1 & ~q);
        return;
    }
    uint32_t c = q & 31;
    digits[2] = q >> 5 & 3;
    if ((q >> 1 & 3) == 3) {
        digits[2] = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
    }
    digits[1] = (c & 7) == 5 ? 4 : c >> 3;
    digits[0] = (c & 7) == 5 ? c >> 3 : c & 7;
}

// `count` values from `place` on; a value is digit << plain bits | plain bits. What a group lacks at the end is 0.
static void read_values(const zi_bits *b, uint32_t place, zi_scale s, uint32_t count, uint8_t *values) {
    static const uint8_t pieces_3[5] = {2, 2, 1, 2, 1}, pieces_5[3] = {3, 2, 2}; // bits of the digits behind each value
    const uint32_t group = s.base == 3 ? 5 : s.base == 5 ? 3 : 1;
    for (uint32_t i = 0; i < count; i += group) {
        const uint32_t there = count - i < group ? count - i : group;
        uint32_t digits[5] = {0}, together = 0, have = 0;
        for (uint32_t k = 0; k < there; k++) {
            values[i + k] = (uint8_t)at(b, place, s.plain_bits);
            place += s.plain_bits;
            if (s.base == 0) { continue; }
            const uint32_t piece = s.base == 3 ? pieces_3[k] : pieces_5[k];
            together |= at(b, place, piece) << have;
            place += piece;
            have += piece;
        }
        if (s.base == 3) { digits_of_3(together, digits); }
        if (s.base == 5) { digits_of_5(together, digits); }
        for (uint32_t k = 0; k < there; k++) { values[i + k] |= (uint8_t)(digits[k] << s.plain_bits); }
    }
}

// To 0..255.
static uint8_t color_of(zi_scale s, uint32_t value) {
    return zi_scale_color(s, value >> s.plain_bits, value & ((1u << s.plain_bits) - 1));
}

// To 0..64.
static uint8_t weight_of(zi_scale s, uint32_t value) {
    static const uint8_t of_3[3] = {0, 32, 63}, of_5[5] = {0, 16, 32, 47, 63};
    static const uint8_t factors_3[4] = {0, 50, 23, 11}, factors_5[3] = {0, 28, 13};
    uint32_t out;
    if (s.base == 0) {
        out = zi_repeat_bits(value, s.plain_bits, 6);
    } else if (s.plain_bits == 0) {
        out = s.base == 3 ? of_3[value] : of_5[value];
    } else {
        const uint32_t plain = value & ((1u << s.plain_bits) - 1), digit = value >> s.plain_bits, above = plain >> 1;
        const uint32_t lowest = (plain & 1) != 0 ? 127 : 0;
        const uint32_t factor = s.base == 3 ? factors_3[s.plain_bits] : factors_5[s.plain_bits];
        const uint32_t spread = s.plain_bits == 3 ? above << 5 | above
                                : s.plain_bits == 2 ? above * (s.base == 3 ? 0x45u : 0x42u)
                                                    : 0;
        out = (lowest & 32) | ((digit * factor + spread) ^ lowest) >> 2;
    }
    return (uint8_t)(out > 32 ? out + 1 : out);
}

// ------------------------------------------------------------------------------------------------------------ the head

typedef struct layout {
    uint32_t columns, rows; // of weights
    bool two_planes;
    zi_scale scale;            // of weights
    uint32_t weight_count, weight_bits;
} layout;

// false: no valid one, or its grid is finer than the texels.
static bool read_layout(uint32_t mode, layout *l) {
    const uint32_t a = mode >> 5 & 3, b = mode >> 7 & 3;
    uint32_t range, fine = mode >> 9 & 1;
    l->two_planes = (mode >> 10 & 1) != 0;
    if ((mode & 3) != 0) {
        range = (mode >> 4 & 1) | (mode & 3) << 1;
        switch (mode >> 2 & 3) {
        case 0: l->columns = b + 4, l->rows = a + 2; break;
        case 1: l->columns = b + 8, l->rows = a + 2; break;
        case 2: l->columns = a + 2, l->rows = b + 8; break;
        default:
            l->columns = (b & 2) != 0 ? (b & 1) + 2 : a + 2;
            l->rows = (b & 2) != 0 ? a + 2 : (b & 1) + 6;
        }
    } else {
        range = (mode >> 4 & 1) | (mode >> 2 & 3) << 1;
        if (b != 2) { return false; } // the others have grids of 6, 10 or 12
        l->columns = a + 6;
        l->rows = (mode >> 9 & 3) + 6;
    }
    if (range < 2 || l->columns > ZI_BLOCK_SIDE || l->rows > ZI_BLOCK_SIDE) { return false; }
    l->scale = zi_scales[range - 2 + fine * 6];
    l->weight_count = l->columns * l->rows * (l->two_planes ? 2 : 1);
    l->weight_bits = sequence_bits(l->scale, l->weight_count);
    return l->weight_bits >= WEIGHT_BITS_MIN && l->weight_bits <= WEIGHT_BITS_MAX;
}

// ------------------------------------------------------------------------------------------------------------- subsets

typedef struct partition {
    uint32_t count, random;
    uint32_t factors[8]; // x and y of each of the four
} partition;

static partition open_partition(uint32_t seed, uint32_t count) {
    partition p = {.count = count};
    uint32_t r = seed + (count - 1) * 1024;
    r ^= r >> 15, r -= r << 17, r += r << 7, r += r << 4, r ^= r >> 5;
    r += r << 16, r ^= r >> 7, r ^= r >> 3, r ^= r << 6, r ^= r >> 17;
    p.random = r;
    const uint32_t by_seed = (seed & 2) != 0 ? 4 : 5, by_count = count == 3 ? 6 : 5;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t nibble = r >> i * 4 & 15;
        p.factors[i] = nibble * nibble >> (i % 2 == (seed & 1) ? by_count : by_seed);
    }
    return p;
}

// Small blocks count their texels double.
static uint32_t subset_of(const partition *p, uint32_t x, uint32_t y) {
    static const uint8_t shifts[4] = {14, 10, 6, 2};
    uint32_t best = 0, best_value = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t slope = p->factors[i * 2] * 2 * x + p->factors[i * 2 + 1] * 2 * y;
        const uint32_t value = (slope + (p->random >> shifts[i])) & 63;
        if (i == 0 || value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

// ------------------------------------------------------------------------------------------------------------- colours

typedef struct pair {
    int32_t low[4], high[4];
} pair;

static int32_t clamp(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

static void set(int32_t to[4], int32_t r, int32_t g, int32_t b, int32_t a) {
    to[0] = clamp(r);
    to[1] = clamp(g);
    to[2] = clamp(b);
    to[3] = clamp(a);
}

// Colours near grey are written with blue as their middle.
static void set_contracted(int32_t to[4], int32_t r, int32_t g, int32_t b, int32_t a) {
    set(to, (r + b) >> 1, (g + b) >> 1, b, a); // both are at least -32, and a shift rounds down as it should
}

// The high bit of a difference belongs to its base.
static void move_bit(int32_t *change, int32_t *base) {
    *base = *base >> 1 | (*change & 128);
    *change = *change >> 1 & 63;
    if ((*change & 32) != 0) { *change -= 64; }
}

// false: a form of high dynamic range.
static bool read_pair(uint32_t form, const uint8_t *values, pair *p) {
    int32_t v[8];
    for (uint32_t i = 0; i < 8; i++) { v[i] = i < (form / 4 + 1) * 2 ? values[i] : 255; }
    switch (form) {
    case 0:
        set(p->low, v[0], v[0], v[0], 255);
        set(p->high, v[1], v[1], v[1], 255);
        return true;
    case 1: {
        const int32_t low = v[0] >> 2 | (v[1] & 192), high = low + (v[1] & 63);
        set(p->low, low, low, low, 255);
        set(p->high, high, high, high, 255);
        return true;
    }
    case 4:
        set(p->low, v[0], v[0], v[0], v[2]);
        set(p->high, v[1], v[1], v[1], v[3]);
        return true;
    case 5:
        move_bit(&v[1], &v[0]);
        move_bit(&v[3], &v[2]);
        set(p->low, v[0], v[0], v[0], v[2]);
        set(p->high, v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
        return true;
    case 6:
    case 10:
        set(p->low, v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, form == 6 ? 255 : v[4]);
        set(p->high, v[0], v[1], v[2], form == 6 ? 255 : v[5]);
        return true;
    case 8:
    case 12:
        if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
            set(p->low, v[0], v[2], v[4], v[6]);
            set(p->high, v[1], v[3], v[5], v[7]);
        } else {
            set_contracted(p->low, v[1], v[3], v[5], v[7]);
            set_contracted(p->high, v[0], v[2], v[4], v[6]);
        }
        return true;
    case 9:
    case 13: {
        for (uint32_t i = 0; i < (form == 13 ? 8 : 6); i += 2) { move_bit(&v[i + 1], &v[i]); }
        const int32_t change = form == 13 ? v[7] : 0;
        if (v[1] + v[3] + v[5] >= 0) {
            set(p->low, v[0], v[2], v[4], v[6]);
            set(p->high, v[0] + v[1], v[2] + v[3], v[4] + v[5], v[6] + change);
        } else {
            set_contracted(p->low, v[0] + v[1], v[2] + v[3], v[4] + v[5], v[6] + change);
            set_contracted(p->high, v[0], v[2], v[4], v[6]);
        }
        return true;
    }
    default: return false;
    }
}

// --------------------------------------------------------------------------------------------------------------- block

// One colour for all of it.
static bool put_void_extent(const zi_bits *b, uint8_t *texels) {
    const bool high_range = at(b, 9, 1) != 0, reserved = at(b, 10, 2) != 3;
    const uint32_t left = at(b, 12, 13), right = at(b, 25, 13), top = at(b, 38, 13), bottom = at(b, 51, 13);
    const bool everywhere = left == 0x1FFF && right == 0x1FFF && top == 0x1FFF && bottom == 0x1FFF;
    if (high_range || reserved || (!everywhere && (left >= right || top >= bottom))) { return false; }
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS * 4; i++) { texels[i] = (uint8_t)(b->high >> (i % 4 * 16 + 8)); }
    return true;
}

typedef struct content {
    layout layout;
    uint32_t subset_count, seed;
    pair pairs[4];
    uint32_t second_channel; // whose weights are those of the second plane
    uint8_t weights[WEIGHTS_MAX];
} content;

// The forms of the pairs, and where what is written before the weights ends.
static uint32_t read_forms(const zi_bits *b, const content *c, uint32_t end, uint32_t forms[4]) {
    if (c->subset_count == 1) {
        forms[0] = at(b, 13, 4);
        return end;
    }
    const uint32_t first = at(b, 23, 6), kind = first & 3;
    if (kind == 0) {
        for (uint32_t i = 0; i < 4; i++) { forms[i] = first >> 2; }
        return end;
    }
    const uint32_t more = 3 * c->subset_count - 4;
    const uint32_t written = first >> 2 | at(b, end - more, more) << 4;
    for (uint32_t i = 0; i < c->subset_count; i++) {
        forms[i] = (kind - 1 + (written >> i & 1)) << 2 | (written >> (c->subset_count + 2 * i) & 3);
    }
    return end - more;
}

static bool read_colors(const zi_bits *b, content *c) {
    uint32_t forms[4], count = 0;
    uint8_t values[COLORS_MAX];
    const uint32_t begin = c->subset_count == 1 ? 17 : 29;
    uint32_t end = read_forms(b, c, 128 - c->layout.weight_bits, forms); // 32 at least, and 8 are the most
    if (c->layout.two_planes) {
        end -= 2;
        c->second_channel = at(b, end, 2);
    }
    for (uint32_t i = 0; i < c->subset_count; i++) { count += (forms[i] / 4 + 1) * 2; }
    if (count > COLORS_MAX || end < begin) { return false; }
    uint32_t finest = ZI_SCALE_COUNT;
    while (finest > COLOR_SCALE_MIN && sequence_bits(zi_scales[finest - 1], count) > end - begin) { finest--; }
    if (finest == COLOR_SCALE_MIN) { return false; }
    const zi_scale s = zi_scales[finest - 1];
    read_values(b, begin, s, count, values);
    for (uint32_t i = 0; i < count; i++) { values[i] = color_of(s, values[i]); }
    const uint8_t *next = values;
    for (uint32_t i = 0; i < c->subset_count; i++) {
        if (!read_pair(forms[i], next, &c->pairs[i])) { return false; }
        next += (forms[i] / 4 + 1) * 2;
    }
    return true;
}

static bool read_content(const zi_bits *b, content *c) {
    if (!read_layout(at(b, 0, 11), &c->layout)) { return false; }
    c->subset_count = at(b, 11, 2) + 1;
    c->seed = at(b, 13, 10);
    if ((c->subset_count == 4 && c->layout.two_planes) || !read_colors(b, c)) { return false; }
    const zi_bits backwards = {reversed(b->high), reversed(b->low)};
    read_values(&backwards, 0, c->layout.scale, c->layout.weight_count, c->weights);
    for (uint32_t i = 0; i < c->layout.weight_count; i++) { c->weights[i] = weight_of(c->layout.scale, c->weights[i]); }
    return true;
}

// The weight of a texel, mixed from the grid's four around it.
static uint32_t weight_at(const content *c, uint32_t x, uint32_t y, uint32_t plane) {
    const layout *l = &c->layout;
    const uint32_t planes = l->two_planes ? 2 : 1;
    const uint32_t gx = (342 * x * (l->columns - 1) + 32) >> 6, gy = (342 * y * (l->rows - 1) + 32) >> 6;
    const uint32_t fx = gx & 15, fy = gy & 15, column = gx >> 4, row = gy >> 4;
    const uint32_t both = (fx * fy + 8) >> 4;
    const uint32_t right = column + 1 < l->columns ? 1 : 0, below = row + 1 < l->rows ? l->columns : 0; // else unused
    const uint32_t place = row * l->columns + column;
    const uint8_t *w = c->weights + plane;
    return (w[place * planes] * (16 - fx - fy + both) + w[(place + right) * planes] * (fx - both) +
            w[(place + below) * planes] * (fy - both) + w[(place + right + below) * planes] * both + 8) >> 4;
}

static void put_texels(const content *c, bool srgb, uint8_t *texels) {
    const partition p = open_partition(c->seed, c->subset_count);
    for (uint32_t i = 0; i < ZI_BLOCK_TEXELS; i++) {
        const uint32_t x = i % ZI_BLOCK_SIDE, y = i / ZI_BLOCK_SIDE;
        const pair *ends = &c->pairs[c->subset_count > 1 ? subset_of(&p, x, y) : 0];
        const uint32_t first = weight_at(c, x, y, 0), second = c->layout.two_planes ? weight_at(c, x, y, 1) : first;
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t weight = c->layout.two_planes && k == c->second_channel ? second : first;
            const uint32_t mixed = (uint32_t)ends->low[k] * (64 - weight) + (uint32_t)ends->high[k] * weight;
            // Ends of 16 bits: the byte twice, or in sRGB the byte and a half.
            const uint32_t wide = srgb ? mixed * 256 + 128 * 64 : mixed * 257;
            texels[i * 4 + k] = (uint8_t)((wide + 32) >> 14);
        }
    }
}

static bool put_block(const uint8_t *block, bool srgb, uint8_t *texels) {
    const zi_bits b = zi_bits_open(block);
    content c = {.second_channel = 0};
    if (at(&b, 0, 9) == 0x1FC) { return put_void_extent(&b, texels); }
    if (!read_content(&b, &c)) { return false; }
    put_texels(&c, srgb, texels);
    return true;
}

bool zi_astc_block(const uint8_t *block, uint8_t *texels) { return put_block(block, false, texels); }
bool zi_astc_srgb_block(const uint8_t *block, uint8_t *texels) { return put_block(block, true, texels); }
