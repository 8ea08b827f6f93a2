// See lzw.h. The dictionary is a hash table small enough for the first-level cache, with key and code in one word.
#include <string.h>

#include "lzw.h"

enum { CODE_BITS_MAX = 12, CODES = 1 << CODE_BITS_MAX };

static const uint32_t NOTHING = UINT32_MAX;

static uint32_t clear_code(const cli_lzw *lzw) { return 1u << lzw->index_bits; }

static void flush_block(cli_lzw *lzw) {
    if (lzw->block[0] > 0) { cli_file_write(lzw->file, lzw->block, (size_t)lzw->block[0] + 1); }
    lzw->block[0] = 0;
}

static void put_byte(cli_lzw *lzw, uint32_t byte) {
    lzw->block[++lzw->block[0]] = (uint8_t)byte;
    if (lzw->block[0] == 255) { flush_block(lzw); }
}

static void put_code(cli_lzw *lzw, uint32_t code) {
    lzw->bits |= code << lzw->bit_count; // at most 7 + 12 bits
    lzw->bit_count += lzw->code_bits;
    while (lzw->bit_count >= 8) {
        put_byte(lzw, lzw->bits & 0xFF);
        lzw->bits >>= 8;
        lzw->bit_count -= 8;
    }
    // The reader makes its entry for this code when it has the next one, and widens its codes after that.
    if (lzw->next_code == 1u << lzw->code_bits && lzw->code_bits < CODE_BITS_MAX) { lzw->code_bits++; }
}

static void restart(cli_lzw *lzw) {
    put_code(lzw, clear_code(lzw));
    memset(lzw->slots, 0, sizeof lzw->slots);
    lzw->code_bits = lzw->index_bits + 1;
    lzw->next_code = clear_code(lzw) + 2;
}

void cli_lzw_begin(cli_lzw *lzw, cli_file *file, uint32_t index_bits) {
    lzw->file = file;
    lzw->index_bits = index_bits;
    lzw->code_bits = index_bits + 1;
    lzw->next_code = 0;
    lzw->prefix = NOTHING;
    lzw->bits = 0;
    lzw->bit_count = 0;
    lzw->block[0] = 0;
    const uint8_t first = (uint8_t)index_bits;
    cli_file_write(file, &first, 1);
    restart(lzw);
}

void cli_lzw_put(cli_lzw *lzw, const uint8_t *indices, uint32_t count) {
    uint32_t i = 0;
    uint32_t prefix = lzw->prefix;
    if (prefix == NOTHING && count > 0) { prefix = indices[i++]; }
    for (; i < count; i++) {
        const uint32_t key = prefix << 8 | indices[i];
        uint32_t slot = (key * 0x9E3779B1u) >> 19;
        uint32_t found = lzw->slots[slot];
        while (found != 0 && found >> 12 != key) {
            slot = (slot + 1) & (CLI_LZW_SLOTS - 1);
            found = lzw->slots[slot];
        }
        if (found != 0) {
            prefix = found & (CODES - 1);
            continue;
        }
        put_code(lzw, prefix);
        if (lzw->next_code < CODES) {
            lzw->slots[slot] = key << 12 | lzw->next_code++;
        } else {
            restart(lzw);
        }
        prefix = indices[i];
    }
    lzw->prefix = prefix;
}

void cli_lzw_end(cli_lzw *lzw) {
    if (lzw->prefix != NOTHING) { put_code(lzw, lzw->prefix); }
    put_code(lzw, clear_code(lzw) + 1);
    if (lzw->bit_count > 0) { put_byte(lzw, lzw->bits & 0xFF); }
    flush_block(lzw);
    cli_file_write(lzw->file, "", 1); // no further block
}
