// Decoders of pictures that are kept in blocks of 4 x 4 texels. Called by ktx2_decode.c with whole blocks; they know
// nothing of files. A decoder gives the stored values, without conversion of colour.
#ifndef ZI_BLOCKS_H
#define ZI_BLOCKS_H

#include <zoetrope/image.h>

#include "base/base.h"

enum { ZI_BLOCK_SIDE = 4, ZI_BLOCK_TEXELS = 16, ZI_BLOCK_BYTES = 4 * ZI_BLOCK_TEXELS };

// One block, 8 or 16 bytes as the format says, to 16 texels of red, green, blue, alpha, row by row. false: it is no
// valid block; the texels may be anything then.
typedef bool (*zi_block_fn)(const uint8_t *block, uint8_t *texels);

bool zi_uastc_block(const uint8_t *block, uint8_t *texels);      // 16 bytes, uastc.c
bool zi_astc_block(const uint8_t *block, uint8_t *texels);       // 16 bytes, astc.c: of linear files
bool zi_astc_srgb_block(const uint8_t *block, uint8_t *texels);  // the same of sRGB files, which are rounded otherwise
bool zi_bc1_block(const uint8_t *block, uint8_t *texels);        // 8 bytes, bc.c; alpha 255
bool zi_bc1a_block(const uint8_t *block, uint8_t *texels);       // 8 bytes; the fourth colour may be clear
bool zi_bc2_block(const uint8_t *block, uint8_t *texels);        // 16 bytes
bool zi_bc3_block(const uint8_t *block, uint8_t *texels);        // 16 bytes
bool zi_bc4_block(const uint8_t *block, uint8_t *texels);        // 8 bytes: red; green and blue 0
bool zi_bc5_block(const uint8_t *block, uint8_t *texels);        // 16 bytes: red, green; blue 0
bool zi_bc7_block(const uint8_t *block, uint8_t *texels);        // 16 bytes, bc7.c
bool zi_etc2_rgb_block(const uint8_t *block, uint8_t *texels);   // 8 bytes, etc2.c
bool zi_etc2_rgba1_block(const uint8_t *block, uint8_t *texels); // 8 bytes; texels may be clear
bool zi_etc2_rgba_block(const uint8_t *block, uint8_t *texels);  // 16 bytes: EAC alpha, then ETC2
bool zi_eac_r_block(const uint8_t *block, uint8_t *texels);      // 8 bytes: red as 8 bits; green and blue 0
bool zi_eac_rg_block(const uint8_t *block, uint8_t *texels);     // 16 bytes

// ETC1S packed by BasisLZ, etc1s.c: the codebooks of a file, and the slices of its pictures.
typedef struct zi_etc1s {
    uint32_t endpoint_count, selector_count; // 1..65535
    uint8_t *endpoints; // [4 * endpoint_count]: red, green, blue (0..31), intensity (0..7)
    uint8_t *selectors; // [4 * selector_count]: a byte a row, texel x in bits 2x..2x+1
    void *tables;       // of its own
} zi_etc1s;
// Bytes of memory that opening takes, from the global data; 0: they are wrong.
size_t zi_etc1s_size(const uint8_t *global, size_t size);
// Opens in that memory (aligned to 16). false: damaged. `image_count`: of records of 20 bytes behind the head.
bool zi_etc1s_open(zi_etc1s *books, void *memory, const uint8_t *global, size_t size, uint32_t image_count);
// Bytes of scratch (aligned to 16) for one picture of so many blocks in a row, 1 or more.
size_t zi_etc1s_scratch_size(uint32_t blocks_wide);
// One slice into red, green and blue (alpha 255), or, with `alpha`, its green into alpha alone. false: damaged.
bool zi_etc1s_slice(const zi_etc1s *books, const uint8_t *bytes, size_t size, bool alpha, zo_image *image,
                    void *scratch);

#endif
