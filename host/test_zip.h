// A zip written by hand, with whatever lies in it: names, sizes and kinds that no program would write.
#ifndef HOST_TEST_ZIP_H
#define HOST_TEST_ZIP_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct zip_part {
    const char *name;
    size_t name_size;   // 0: of the text
    const void *bytes;  // stored as they are
    size_t size;
    uint32_t claimed;   // size when unpacked; 0: as it is
    uint32_t mode;      // of UNIX; 0: an ordinary file
    uint16_t method, flags;
} zip_part;

typedef struct zip_text {
    uint8_t *bytes; // malloc
    size_t size, capacity;
} zip_text;

static inline void zip_put(zip_text *zip, const void *bytes, size_t size) {
    if (zip->size + size > zip->capacity) {
        zip->capacity = (zip->size + size) * 2;
        zip->bytes = realloc(zip->bytes, zip->capacity);
        if (zip->bytes == NULL) { abort(); }
    }
    if (size > 0) { memcpy(zip->bytes + zip->size, bytes, size); }
    zip->size += size;
}

static inline void zip_put_number(zip_text *zip, uint64_t number, int size) {
    uint8_t bytes[8];
    for (int i = 0; i < size; i++) { bytes[i] = (uint8_t)(number >> (8 * i)); }
    zip_put(zip, bytes, (size_t)size);
}

static inline uint32_t zip_sum(const void *bytes, size_t size) { // CRC-32
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= ((const uint8_t *)bytes)[i];
        for (int bit = 0; bit < 8; bit++) { sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xEDB88320u : 0); }
    }
    return ~sum;
}

static inline void zip_put_head(zip_text *zip, const zip_part *part) { // what both heads have
    const size_t name_size = part->name_size != 0 ? part->name_size : strlen(part->name);
    zip_put_number(zip, 20, 2);
    zip_put_number(zip, part->flags, 2);
    zip_put_number(zip, part->method, 2);
    zip_put_number(zip, (uint64_t)33 << 16, 4);
    zip_put_number(zip, zip_sum(part->bytes, part->size), 4);
    zip_put_number(zip, part->size, 4);
    zip_put_number(zip, part->claimed != 0 ? part->claimed : part->size, 4);
    zip_put_number(zip, name_size, 2);
    zip_put_number(zip, 0, 2);
}

// `count_claimed`: 0: as many as there are. Free its bytes.
static inline zip_text zip_of_parts(const zip_part *parts, uint32_t count, uint32_t count_claimed) {
    zip_text zip = {0}, directory = {0};
    for (uint32_t i = 0; i < count; i++) {
        const zip_part *part = &parts[i];
        const size_t name_size = part->name_size != 0 ? part->name_size : strlen(part->name), at = zip.size;
        zip_put(&zip, "PK\3\4", 4);
        zip_put_head(&zip, part);
        zip_put(&zip, part->name, name_size);
        zip_put(&zip, part->bytes, part->size);
        zip_put(&directory, "PK\1\2\x14\3", 6);
        zip_put_head(&directory, part);
        zip_put_number(&directory, 0, 6);
        zip_put_number(&directory, (uint64_t)(part->mode != 0 ? part->mode : 0100644) << 16, 4);
        zip_put_number(&directory, at, 4);
        zip_put(&directory, part->name, name_size);
    }
    const size_t begin = zip.size, many = count_claimed != 0 ? count_claimed : count;
    zip_put(&zip, directory.bytes, directory.size);
    zip_put(&zip, "PK\5\6\0\0\0\0", 8);
    zip_put_number(&zip, many, 2);
    zip_put_number(&zip, many, 2);
    zip_put_number(&zip, directory.size, 4);
    zip_put_number(&zip, begin, 4);
    zip_put_number(&zip, 0, 2);
    free(directory.bytes);
    return zip;
}

#endif
