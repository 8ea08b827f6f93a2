// Zips in memory: what is in one, told before anything is unpacked, and its files, never more of one than it says it
// has. Called by whatever takes archives in. What an archive may hold is judged elsewhere; here is only what could do
// harm to whoever unpacks it.
#ifndef HOST_ARCHIVE_H
#define HOST_ARCHIVE_H

#include <zoetrope/zoetrope.h>

typedef struct archive_entry {
    zo_text name;       // as the directory has it, any bytes; a zero byte behind
    uint64_t size;      // bytes when unpacked, as the directory says
    uint32_t flags;     // of zo_entry_flag; UNPACKED and a further DAMAGED come with archive_unpack
    char damage[80];    // DAMAGED: what is wrong, a clause; "": nobody knows
    uint8_t *bytes;     // malloc; NULL: it is not unpacked
    uint64_t real_size; // bytes that came out, one more than `size` at most
} archive_entry;

typedef struct archive {
    archive_entry *entries; // [entry_count], in the order of the directory
    uint32_t entry_count;
    uint64_t claimed_count; // of entries, where they are more than was allowed; then entry_count is 0
    char fault[120];        // why it is no archive that can be read, a clause; "": it is one
    struct zip *zip;        // libzip's
} archive;

bool archive_is(const void *bytes, size_t size); // a zip, by its content

// Reads the directory. The bytes are borrowed until archive_close or archive_free. NULL: no memory.
archive *archive_open(const void *bytes, size_t size, uint32_t entries_max);
void archive_close(archive *a); // what is unpacked stays; nothing more is unpacked
void archive_free(archive *a); // NULL does nothing
// Unpacks an entry, whose size the caller found small enough. false: no memory.
bool archive_unpack(archive *a, uint32_t index);
bool archive_is_folder(const archive_entry *entry); // nothing but a folder's name

#endif
