// SHA-256 (FIPS 180-4), by the processor's own instructions where it has them: all that a library holds goes by its
// hash, and is held against it whenever it is read.
#ifndef HOST_SHA256_H
#define HOST_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t state[8];
    uint64_t size;    // bytes so far
    uint8_t rest[64]; // those of a block that is not full
} sha256;

void sha256_start(sha256 *hash);
void sha256_add(sha256 *hash, const void *bytes, size_t size);
void sha256_end(sha256 *hash, uint8_t digest[32]);

// Blocks of 64 bytes by ordinary instructions, whatever the processor has.
void sha256_plain_blocks(uint32_t state[8], const uint8_t *bytes, size_t count);

#endif
