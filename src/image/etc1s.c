// ETC1S packed by BasisLZ: two codebooks for the whole file, and for each picture streams of indices into them. Called
// by ktx2_decode.c with the bytes of a file whose ranges are checked. Bits come low end first, codes are Huffman codes
// of at most 16 bits, their first bit first. Every index from a stream is held against its codebook before it is used;
// behind the end of a stream come zeros, and a stream that used them is refused. All loops are bounded by counts that
// were checked.
#include "image/blocks.h"

enum { GLOBAL_HEAD = 20, RECORD_SIZE = 20 };
enum { CODE_MAX = 16, QUICK_BITS = 10, SYMBOLS_MAX = 1 << 14, HISTORY_MAX = 1 << 13 };

static uint32_t get_16(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }
static uint32_t get_32(const uint8_t *bytes) { return get_16(bytes) | get_16(bytes + 2) << 16; }

// ---------------------------------------------------------------------------------------------------------------- bits

typedef struct bits {
    const uint8_t *next, *end;
    uint64_t window;  // the next bits, low end first
    uint32_t count;   // of the window that are the stream's, or zeros behind its end
    uint32_t missing; // zeros taken in behind the end
} bits;

static bits bits_open(const uint8_t *bytes, size_t size) { return (bits){.next = bytes, .end = bytes + size}; }

static void fill(bits *b) { // at least 32 bits
    while (b->count <= 56) {
        if (b->next < b->end) {
            b->window |= (uint64_t)*b->next++ << b->count;
        } else {
            if (b->missing > 1 << 20) { b->missing = 1 << 20; } // enough to be refused
            b->missing += 8;
        }
        b->count += 8;
    }
}

static uint32_t take(bits *b, uint32_t count) { // 0..16
    if (b->count < count) { fill(b); }
    const uint32_t value = (uint32_t)(b->window & (((uint64_t)1 << count) - 1));
    b->window >>= count;
    b->count -= count;
    return value;
}

// More was taken than there is.
static bool is_over(const bits *b) { return b->missing > b->count; }

// Groups of `size` bits and one more, which says that another group follows.
static uint32_t take_groups(bits *b, uint32_t size) {
    uint32_t value = 0;
    for (uint32_t at = 0; at < 32; at += size) {
        value |= take(b, size) << at;
        if (take(b, 1) == 0) { break; }
    }
    return value;
}

// --------------------------------------------------------------------------------------------------------------- codes

typedef struct codes {
    uint16_t quick[1 << QUICK_BITS];       // symbols by the next bits
    uint8_t quick_length[1 << QUICK_BITS]; // 0: the code is longer
    uint32_t first[CODE_MAX + 2];    // of each length: its first code, aligned to 16 bits; ascending
    uint32_t place[CODE_MAX + 2];    // and where its symbols begin
    uint16_t symbols[SYMBOLS_MAX];   // by length, then by number
    uint32_t symbol_count;           // of those that have a code
} codes;

static uint32_t reversed(uint32_t value, uint32_t count) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < count; i++) { out |= (value >> i & 1) << (count - 1 - i); }
    return out;
}

// false: they are no code. A code of one symbol has one bit, and its other half is free.
static bool make_codes(codes *c, const uint8_t *lengths, uint32_t count) {
    uint32_t of_length[CODE_MAX + 1] = {0};
    for (uint32_t i = 0; i < count; i++) { of_length[lengths[i]]++; }
    uint32_t code = 0, place = 0;
    c->first[0] = c->place[0] = 0;
    for (uint32_t length = 1; length <= CODE_MAX; length++) {
        c->first[length] = code;
        c->place[length] = place;
        code += of_length[length] << (CODE_MAX - length);
        place += of_length[length];
    }
    c->first[CODE_MAX + 1] = code;
    c->place[CODE_MAX + 1] = c->symbol_count = place;
    if (place == 0) { return true; } // nothing may be read by it
    if (code != 1 << CODE_MAX && !(place == 1 && code <= 1 << (CODE_MAX - 1))) { return false; }
    uint32_t next[CODE_MAX + 1];
    memcpy(next, c->place, sizeof next);
    memset(c->quick_length, 0, sizeof c->quick_length);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t length = lengths[i];
        if (length == 0) { continue; }
        const uint32_t rank = next[length]++;
        c->symbols[rank] = (uint16_t)i;
        if (length > QUICK_BITS) { continue; }
        const uint32_t own = (c->first[length] >> (CODE_MAX - length)) + rank - c->place[length];
        for (uint32_t k = reversed(own, length); k < 1 << QUICK_BITS; k += 1u << length) {
            c->quick[k] = (uint16_t)i;
            c->quick_length[k] = (uint8_t)length;
        }
    }
    return true;
}

enum { NO_SYMBOL = UINT16_MAX };

static uint32_t take_symbol(bits *b, const codes *c) {
    if (b->count < CODE_MAX) { fill(b); }
    const uint32_t quick = (uint32_t)b->window & ((1 << QUICK_BITS) - 1);
    if (c->symbol_count > 0 && c->quick_length[quick] != 0) {
        b->window >>= c->quick_length[quick];
        b->count -= c->quick_length[quick];
        return c->quick[quick];
    }
    const uint32_t code = reversed((uint32_t)b->window & 0xFFFF, CODE_MAX);
    for (uint32_t length = 1; length <= CODE_MAX; length++) {
        if (code >= c->first[length] && code < c->first[length + 1]) {
            b->window >>= length;
            b->count -= length;
            return c->symbols[c->place[length] + ((code - c->first[length]) >> (CODE_MAX - length))];
        }
    }
    return NO_SYMBOL;
}

// A table of code lengths, itself coded. `lengths` has room for SYMBOLS_MAX.
static bool read_codes(bits *b, codes *c, uint8_t *lengths) {
    static const uint8_t order[21] = {17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16};
    const uint32_t count = take(b, 14);
    if (count == 0) { return make_codes(c, lengths, 0); }
    const uint32_t order_count = take(b, 5);
    if (order_count == 0 || order_count > sizeof order) { return false; }
    memset(lengths, 0, sizeof order);
    for (uint32_t i = 0; i < order_count; i++) { lengths[order[i]] = (uint8_t)take(b, 3); }
    if (!make_codes(c, lengths, sizeof order)) { return false; }
    for (uint32_t i = 0; i < count;) {
        const uint32_t symbol = take_symbol(b, c);
        if (symbol == NO_SYMBOL || is_over(b)) { return false; }
        if (symbol <= CODE_MAX) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol >= 19 && i == 0) { return false; }
        const uint8_t repeated = symbol >= 19 ? lengths[i - 1] : 0;
        const uint32_t times = symbol == 17   ? 3 + take(b, 3)
                               : symbol == 18 ? 11 + take(b, 7)
                               : symbol == 19 ? 3 + take(b, 2)
                                              : 7 + take(b, 7);
        if (times > count - i || (symbol >= 19 && repeated == 0)) { return false; }
        memset(lengths + i, repeated, times);
        i += times;
    }
    return make_codes(c, lengths, count);
}

// ----------------------------------------------------------------------------------------------------------- codebooks

// What stands in the memory of an open file, before its codebooks.
typedef struct tables {
    codes codes[4];
    uint8_t lengths[SYMBOLS_MAX];
    uint32_t history_size;
} tables;

// What the decoding of one slice needs, before the rows of indices.
typedef struct scratch_head {
    uint16_t history[HISTORY_MAX];
} scratch_head;

enum { RED, GREEN, BLUE, INTENSITY };

static bool read_endpoints(zi_etc1s *books, const uint8_t *bytes, uint32_t size) {
    tables *t = books->tables;
    bits b = bits_open(bytes, size);
    for (uint32_t i = 0; i < 4; i++) {
        if (!read_codes(&b, &t->codes[i], t->lengths)) { return false; }
    }
    const bool grey = take(&b, 1) != 0;
    uint8_t last[4] = {16, 16, 16, 0};
    for (uint32_t i = 0; i < books->endpoint_count; i++) {
        const uint32_t intensity = take_symbol(&b, &t->codes[3]);
        if (intensity == NO_SYMBOL) { return false; }
        last[INTENSITY] = (uint8_t)((last[INTENSITY] + intensity) & 7);
        for (uint32_t c = RED; c <= (grey ? RED : BLUE); c++) {
            const uint32_t before = last[c];
            const uint32_t delta = take_symbol(&b, &t->codes[before <= 9 ? 0 : before <= 21 ? 1 : 2]);
            if (delta == NO_SYMBOL) { return false; }
            last[c] = (uint8_t)((before + delta) & 31);
        }
        if (grey) { last[GREEN] = last[BLUE] = last[RED]; }
        memcpy(books->endpoints + (size_t)i * 4, last, 4);
    }
    return !is_over(&b);
}

static bool read_selectors(zi_etc1s *books, const uint8_t *bytes, uint32_t size) {
    tables *t = books->tables;
    bits b = bits_open(bytes, size);
    if (take(&b, 2) != 0) { return false; } // codebooks outside the file, which nobody has
    const bool raw = take(&b, 1) != 0;
    if (!raw && !read_codes(&b, &t->codes[0], t->lengths)) { return false; }
    uint8_t *to = books->selectors;
    for (uint32_t i = 0; i < books->selector_count * 4; i++) {
        if (raw || i < 4) {
            to[i] = (uint8_t)take(&b, 8);
            continue;
        }
        const uint32_t change = take_symbol(&b, &t->codes[0]);
        if (change > 255) { return false; }
        to[i] = (uint8_t)(to[i - 4] ^ change);
    }
    return !is_over(&b);
}

enum { PREDICTOR, DELTA, SELECTOR, RUN };

static bool read_tables(zi_etc1s *books, const uint8_t *bytes, uint32_t size) {
    tables *t = books->tables;
    bits b = bits_open(bytes, size);
    for (uint32_t i = 0; i < 4; i++) {
        if (!read_codes(&b, &t->codes[i], t->lengths)) { return false; }
    }
    t->history_size = take(&b, 13);
    return !is_over(&b);
}

size_t zi_etc1s_size(const uint8_t *global, size_t size) {
    if (size < GLOBAL_HEAD) { return 0; }
    const size_t endpoint_count = get_16(global), selector_count = get_16(global + 2);
    if (endpoint_count == 0 || selector_count == 0) { return 0; }
    return sizeof(tables) + (endpoint_count + selector_count) * 4;
}

bool zi_etc1s_open(zi_etc1s *books, void *memory, const uint8_t *global, size_t size, uint32_t image_count) {
    if (zi_etc1s_size(global, size) == 0) { return false; }
    const uint64_t head = GLOBAL_HEAD + (uint64_t)image_count * RECORD_SIZE;
    const uint32_t endpoints_size = get_32(global + 4), selectors_size = get_32(global + 8);
    const uint32_t tables_size = get_32(global + 12), extended_size = get_32(global + 16);
    if (head + endpoints_size + selectors_size + tables_size + extended_size != size) { return false; }
    tables *t = memory;
    *books = (zi_etc1s){.endpoint_count = get_16(global), .selector_count = get_16(global + 2), .tables = t};
    books->endpoints = (uint8_t *)(t + 1);
    books->selectors = books->endpoints + (size_t)books->endpoint_count * 4;
    const uint8_t *at = global + head;
    return read_endpoints(books, at, endpoints_size) && read_selectors(books, at + endpoints_size, selectors_size) &&
           read_tables(books, at + endpoints_size + selectors_size, tables_size);
}

// ---------------------------------------------------------------------------------------------------- slices

typedef struct slice {
    bits bits;
    const zi_etc1s *books;
    const tables *tables;
    uint16_t *history;
    uint16_t *above;     // [blocks in a row]: their endpoints in the row above, then in this
    uint8_t *predictors; // [half of them]: of the row below
    uint32_t predictor, predictor_repeats;
    uint32_t endpoint;   // of the block before
    uint32_t selector_repeats;
    uint32_t rover;      // where the next selector goes into the history
    zo_image *image;
    bool alpha;          // into which only alpha goes
} slice;

enum { REPEAT_PREDICTOR = 256 };

// The predictors of two blocks and of the two below them: two bits each.
static bool next_predictors(slice *s, uint32_t *predictors) {
    if (s->predictor_repeats > 0) {
        s->predictor_repeats--;
    } else {
        const uint32_t symbol = take_symbol(&s->bits, &s->tables->codes[PREDICTOR]);
        if (symbol > REPEAT_PREDICTOR) { return false; }
        if (symbol == REPEAT_PREDICTOR) {
            s->predictor_repeats = 2 + take_groups(&s->bits, 4);
        } else {
            s->predictor = symbol;
        }
    }
    *predictors = s->predictor;
    return true;
}

// `above_left`: what stood above the block to the left, whose place has been written since.
static bool next_endpoint(slice *s, uint32_t predictor, uint32_t x, uint32_t y, uint32_t above_left) {
    if (predictor == 0) { return true; } // that of the block before
    if (predictor == 3) {
        const uint32_t symbol = take_symbol(&s->bits, &s->tables->codes[DELTA]);
        if (symbol >= s->books->endpoint_count) { return false; }
        s->endpoint += symbol;
        if (s->endpoint >= s->books->endpoint_count) { s->endpoint -= s->books->endpoint_count; }
        return true;
    }
    if (y == 0 || (predictor == 2 && x == 0)) { return false; }
    s->endpoint = predictor == 1 ? s->above[x] : above_left;
    return true;
}

static bool next_selector(slice *s, uint32_t *selector) {
    const uint32_t history_size = s->tables->history_size;
    uint32_t symbol = s->books->selector_count; // the history's first
    if (s->selector_repeats > 0) {
        s->selector_repeats--;
    } else {
        symbol = take_symbol(&s->bits, &s->tables->codes[SELECTOR]);
        if (symbol == s->books->selector_count + history_size) {
            const uint32_t run = take_symbol(&s->bits, &s->tables->codes[RUN]);
            if (run > 63) { return false; }
            s->selector_repeats = 3 + (run == 63 ? take_groups(&s->bits, 7) : run) - 1;
            symbol = s->books->selector_count;
        }
    }
    if (symbol < s->books->selector_count) {
        *selector = symbol;
        if (history_size == 0) { return true; }
        s->history[s->rover++] = (uint16_t)symbol;
        if (s->rover == history_size) { s->rover = history_size / 2; }
        return true;
    }
    const uint32_t index = symbol - s->books->selector_count;
    if (symbol == NO_SYMBOL || index >= history_size) { return false; }
    *selector = s->history[index];
    s->history[index] = s->history[index / 2]; // for index 0 the same
    s->history[index / 2] = (uint16_t)*selector;
    return true;
}

static uint8_t level_of(uint32_t color, uint32_t intensity, uint32_t selector) {
    static const uint8_t modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    const int32_t base = (int32_t)(color << 3 | color >> 2);
    const int32_t large = modifiers[intensity][selector == 0 || selector == 3];
    const int32_t value = selector < 2 ? base - large : base + large;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void put_block(const slice *s, uint32_t x, uint32_t y, const uint8_t endpoint[4], const uint8_t selectors[4]) {
    const zo_image *image = s->image;
    const uint32_t columns = image->width - x * 4 < 4 ? image->width - x * 4 : 4;
    const uint32_t rows = image->height - y * 4 < 4 ? image->height - y * 4 : 4;
    uint8_t colors[4][4];
    for (uint32_t k = 0; k < 4; k++) {
        for (uint32_t c = RED; c <= BLUE; c++) { colors[k][c] = level_of(endpoint[c], endpoint[INTENSITY], k); }
        colors[k][3] = 255;
    }
    for (uint32_t row = 0; row < rows; row++) {
        uint8_t *to = image->pixels + (size_t)(y * 4 + row) * image->stride + (size_t)x * 16;
        for (uint32_t column = 0; column < columns; column++, to += 4) {
            const uint8_t *color = colors[selectors[row] >> column * 2 & 3];
            if (s->alpha) {
                to[3] = color[GREEN];
            } else {
                memcpy(to, color, 4);
            }
        }
    }
}

static bool decode_row(slice *s, uint32_t y) {
    const uint32_t columns = (s->image->width + 3) / 4;
    uint32_t predictors = 0, above_left = 0;
    for (uint32_t x = 0; x < columns; x++) {
        if (x % 2 == 0 && y % 2 == 0) {
            if (!next_predictors(s, &predictors)) { return false; }
            s->predictors[x / 2] = (uint8_t)(predictors >> 4);
        } else if (x % 2 == 0) {
            predictors = s->predictors[x / 2];
        }
        if (!next_endpoint(s, predictors & 3, x, y, above_left)) { return false; }
        predictors >>= 2;
        above_left = s->above[x];
        s->above[x] = (uint16_t)s->endpoint;
        uint32_t selector;
        if (!next_selector(s, &selector)) { return false; }
        put_block(s, x, y, s->books->endpoints + (size_t)s->endpoint * 4, s->books->selectors + (size_t)selector * 4);
    }
    return !is_over(&s->bits);
}

size_t zi_etc1s_scratch_size(uint32_t blocks_wide) { return sizeof(scratch_head) + (size_t)blocks_wide * 3; }

bool zi_etc1s_slice(const zi_etc1s *books, const uint8_t *bytes, size_t size, bool alpha, zo_image *image,
                    void *scratch) {
    const uint32_t columns = (image->width + 3) / 4, rows = (image->height + 3) / 4;
    scratch_head *head = scratch;
    memset(scratch, 0, zi_etc1s_scratch_size(columns));
    slice s = {.bits = bits_open(bytes, size), .books = books, .tables = books->tables, .history = head->history,
               .image = image, .alpha = alpha};
    s.above = (uint16_t *)(void *)(head + 1);
    s.predictors = (uint8_t *)(s.above + columns);
    s.rover = s.tables->history_size / 2;
    for (uint32_t y = 0; y < rows; y++) {
        if (!decode_row(&s, y)) { return false; }
    }
    return true;
}
