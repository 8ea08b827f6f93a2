// Decoders of pictures that are kept in blocks of 4 x 4 texels. Called by ktx2_decode.c with whole blocks; they know
// nothing of files. A decoder gives the stored values, without conversion of colour.
#ifndef ZI_BLOCKS_H
#define ZI_BLOCKS_H

#include "base/base.h"

enum { ZI_BLOCK_SIDE = 4, ZI_BLOCK_TEXELS = 16, ZI_BLOCK_BYTES = 4 * ZI_BLOCK_TEXELS };

// One block, 8 or 16 bytes as the format says, to 16 texels of red, green, blue, alpha, row by row. false: it is no
// valid block; the texels are written all the same.
typedef bool (*zi_block_fn)(const uint8_t *block, uint8_t *texels);

bool zi_uastc_block(const uint8_t *block, uint8_t *texels); // 16 bytes, uastc.c

#endif
