// The compression inside GIF files: runs of colour indices to codes of 3 to 12 bits, in blocks of at most 255 bytes.
// Called by gif.c. Our own, because libcgif 0.3.0 writes behind its buffer when a picture does not compress, and can
// give a frame with transparency no smaller rectangle than the whole canvas.
#ifndef CLI_LZW_H
#define CLI_LZW_H

#include "files.h"

enum { CLI_LZW_SLOTS = 8192 }; // at most half full

typedef struct cli_lzw {
    cli_file *file;
    uint32_t slots[CLI_LZW_SLOTS]; // prefix code << 20 | index << 12 | code; 0: empty, no string has code 0
    uint32_t index_bits;
    uint32_t code_bits, next_code;
    uint32_t prefix; // the code of what was read and not yet written; UINT32_MAX: nothing
    uint32_t bits, bit_count;
    uint8_t block[256]; // its size, then the bytes
} cli_lzw;

// One picture: begin, its indices in any number of pieces, end. Each index is below 1 << index_bits, 2 to 8. Errors of
// the file stay with the file.
void cli_lzw_begin(cli_lzw *lzw, cli_file *file, uint32_t index_bits);
void cli_lzw_put(cli_lzw *lzw, const uint8_t *indices, uint32_t count);
void cli_lzw_end(cli_lzw *lzw);

#endif
