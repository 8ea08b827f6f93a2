// See store_name.h.
#include <sha2.h>
#include <string.h>
#include <sys/types.h>

#include "host/json.h"
#include "host/store_name.h"

_Static_assert(sizeof(SHA2_CTX) <= sizeof(store_digest), "the hash's context has room");

static const char *const status_names[] = {
    [STORE_OK] = "ok",
    [STORE_NOT_FOUND] = "not-found",
    [STORE_CONFLICT] = "conflict",
    [STORE_IN_USE] = "in-use",
    [STORE_DANGLING] = "dangling",
    [STORE_INVALID] = "invalid",
    [STORE_LIMIT] = "limit",
    [STORE_BUSY] = "busy",
    [STORE_FULL] = "full",
    [STORE_READ_ONLY] = "read-only",
    [STORE_CORRUPT] = "corrupt",
    [STORE_FOREIGN] = "foreign",
    [STORE_NEWER] = "newer",
    [STORE_IO] = "io",
    [STORE_NO_MEMORY] = "no-memory",
};
_Static_assert(sizeof status_names / sizeof status_names[0] == STORE_STATUS_COUNT, "every status has a name");

const char *store_status_name(store_status status) {
    return (unsigned)status < STORE_STATUS_COUNT ? status_names[status] : "unknown";
}

const char *store_area_name(store_area area) {
    static const char *const names[] = {"thing", "item", "pet", "config", "asset"};
    return (unsigned)area < STORE_AREA_COUNT ? names[area] : names[0];
}

static bool is_id_sign(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != 0 && strchr("_-.:+@~", c) != NULL);
}

bool store_id_is_good(store_area area, const char *id) {
    if (id == NULL) { return false; }
    const size_t size = strnlen(id, STORE_ID_MAX + 1);
    if (size == 0 || size > STORE_ID_MAX || id[0] == '.') { return false; }
    for (size_t i = 0; i < size; i++) {
        if (!is_id_sign(id[i])) { return false; }
    }
    return area != STORE_ASSET || (size == 16 && strspn(id, "0123456789abcdef") == 16);
}

bool store_name_is_good(const char *name) {
    if (name == NULL) { return false; }
    const size_t size = strnlen(name, STORE_NAME_MAX + 1);
    // What is no UTF-8 could be said in no JSON and asked for by no path, and no archive would take it.
    if (size == 0 || size > STORE_NAME_MAX || !cli_is_utf8(name)) { return false; }
    for (size_t at = 0; at <= size;) {
        const size_t part = strcspn(name + at, "/");
        if (part == 0 || (part == 1 && name[at] == '.') || (part == 2 && name[at] == '.' && name[at + 1] == '.')) {
            return false;
        }
        at += part + 1;
    }
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)name[i];
        if (c < 0x20 || c == 0x7F || c == '\\' || c == ':') { return false; }
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------------- hashes

void store_digest_start(store_digest *digest) { SHA256Init((SHA2_CTX *)(void *)digest); }

void store_digest_add(store_digest *digest, const void *bytes, uint64_t size) {
    if (size > 0) { SHA256Update((SHA2_CTX *)(void *)digest, bytes, (size_t)size); }
}

void store_digest_text(store_digest *digest, const char *text) {
    const uint64_t size = strlen(text);
    uint8_t head[8];
    for (unsigned i = 0; i < 8; i++) { head[i] = (uint8_t)(size >> (8 * i)); }
    store_digest_add(digest, head, sizeof head);
    store_digest_add(digest, text, size);
}

void store_digest_end(store_digest *digest, uint8_t hash[32]) { SHA256Final(hash, (SHA2_CTX *)(void *)digest); }

void store_hash_text(const uint8_t hash[32], char text[65]) {
    for (unsigned i = 0; i < 32; i++) {
        text[2 * i] = "0123456789abcdef"[hash[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[hash[i] & 15];
    }
    text[64] = 0;
}

bool store_hash_of_text(const char *text, uint8_t hash[32]) {
    if (text == NULL || strnlen(text, 65) != 64 || strspn(text, "0123456789abcdef") != 64) { return false; }
    for (unsigned i = 0; i < 32; i++) {
        const char high = text[2 * i], low = text[2 * i + 1];
        hash[i] = (uint8_t)((high <= '9' ? high - '0' : high - 'a' + 10) * 16 +
                            (low <= '9' ? low - '0' : low - 'a' + 10));
    }
    return true;
}

store_raw_hash store_hash_raw(const void *bytes, uint64_t size) {
    store_digest digest;
    store_raw_hash hash;
    store_digest_start(&digest);
    store_digest_add(&digest, bytes, size);
    store_digest_end(&digest, hash.bytes);
    return hash;
}

void store_hash(const void *bytes, uint64_t size, char hash[65]) {
    store_hash_text(store_hash_raw(bytes, size).bytes, hash);
}

static void add_number(store_digest *digest, int64_t number) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++) { bytes[i] = (uint8_t)((uint64_t)number >> (8 * i)); }
    store_digest_add(digest, bytes, sizeof bytes);
}

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

void store_seal(const store_put *put, const store_raw_hash *files, const store_raw_hash *words, store_raw_hash *hash,
                store_raw_hash *seal) {
    store_digest digest;
    store_digest_start(&digest);
    store_digest_text(&digest, or_empty(put->format));
    for (uint32_t i = 0; i < put->file_count; i++) {
        store_digest_text(&digest, or_empty(put->files[i].name));
        store_digest_add(&digest, files[i].bytes, 32);
    }
    store_digest_end(&digest, hash->bytes);
    store_digest_start(&digest);
    store_digest_add(&digest, hash->bytes, 32);
    store_digest_text(&digest, or_empty(put->kind));
    store_digest_text(&digest, or_empty(put->name));
    store_digest_text(&digest, or_empty(put->origin));
    store_digest_add(&digest, words->bytes, 32);
    add_number(&digest, put->number_a);
    add_number(&digest, put->number_b);
    for (uint32_t i = 0; i < put->use_count; i++) {
        const store_use *use = &put->uses[i];
        add_number(&digest, use->to_area);
        store_digest_text(&digest, use->to);
        store_digest_text(&digest, or_empty(use->where));
        store_digest_text(&digest, or_empty(use->role));
        add_number(&digest, use->needed);
    }
    store_digest_end(&digest, seal->bytes);
}
