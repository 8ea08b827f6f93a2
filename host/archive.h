// Archives in memory: a zip as files, all of them or, with one thing wrong, none. Called by whatever takes things of
// several files in. An archive comes from anywhere: names are looked at before anything is unpacked, nothing unpacks to
// more than it says, and all of it together to no more than a bound.
#ifndef HOST_ARCHIVE_H
#define HOST_ARCHIVE_H

#include "host/store.h"

enum { ARCHIVE_SIZE_MAX = 64 << 20 };       // bytes of an archive
enum { ARCHIVE_UNPACKED_MAX = 128 << 20 };  // bytes of all its files

typedef struct archive {
    store_file *files; // [count], in the order of the directory, folders left out; without hashes
    uint32_t count;
} archive;

bool archive_is(const void *bytes, size_t size); // a zip, by its first bytes

// INVALID, LIMIT: error->text says what is wrong, by the entry's name where it is one of an entry. Free with
// archive_free in any case.
store_status archive_open(const void *bytes, size_t size, archive *a, store_error *error);
void archive_free(archive *a);

#endif
