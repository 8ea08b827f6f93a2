// Names, ids, hashes and statuses of the library: what needs no file. Called by the store's own sources.
#ifndef HOST_STORE_NAME_H
#define HOST_STORE_NAME_H

#include "host/sha256.h"
#include "host/store.h"

bool store_id_is_good(store_area area, const char *id);
bool store_name_is_good(const char *name); // of a file; "" is none
const char *store_area_name(store_area area); // "item", "pet", "config", "asset"; "thing" for any other

// Hashes of several pieces, one behind the other.
typedef sha256 store_digest;
void store_digest_start(store_digest *digest);
void store_digest_add(store_digest *digest, const void *bytes, uint64_t size);
void store_digest_text(store_digest *digest, const char *text); // with its length, so that texts do not run together
void store_digest_end(store_digest *digest, uint8_t hash[32]);
void store_hash_text(const uint8_t hash[32], char text[65]);
bool store_hash_of_text(const char *text, uint8_t hash[32]); // false: it is not 64 lower-case hexadecimal digits

typedef struct store_raw_hash { uint8_t bytes[32]; } store_raw_hash;
store_raw_hash store_hash_raw(const void *bytes, uint64_t size);
// The hash of what a thing is, and the seal of all that is told of it: what has the same seal is the same. Of `put` the
// files' names, the uses, format, kind, name, origin and numbers are looked at; `files` [put->file_count] are the
// hashes of its files, `words` that of the text that it is found by.
void store_seal(const store_put *put, const store_raw_hash *files, const store_raw_hash *words, store_raw_hash *hash,
                store_raw_hash *seal);

#endif
