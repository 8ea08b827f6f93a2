// Pet packages: a zip in memory, what is in it as the library wants to know it, and one written. Called by the commands
// that read files and by whatever takes packages in and hands them out. Unpacks only what the library finds worth
// unpacking, and never more than an entry says it has.
#ifndef HOST_PACKAGE_H
#define HOST_PACKAGE_H

#include <zoetrope/zoetrope.h>

#include "host/archive.h"

enum { PET_PACKAGE_ENTRIES_MAX = 64 };

typedef struct pet_bytes {
    uint8_t *data; // malloc
    size_t size;
} pet_bytes;

typedef struct pet_package {
    zo_archive archive;     // as zo_compile_def takes it
    zo_source manifest;     // named after the archive; of kind MISSING when it could not be had
    zo_entry entries[PET_PACKAGE_ENTRIES_MAX];
    struct archive *zip;    // closed; by entry its names and what was unpacked
    char *manifest_name;
} pet_package;

extern const char pet_package_format[]; // the format's name

static inline bool pet_package_is(const void *bytes, size_t size) { return archive_is(bytes, size); }
// Whatever is wrong with it is in `archive`, for the report. `bytes` are borrowed until this returns; `name` for as
// long as the package lives. NULL: no memory. Free with pet_package_free.
pet_package *pet_package_open(const char *name, const void *bytes, size_t size);
void pet_package_free(pet_package *package);

// The picture of that id, by its content: the entry's index, or -1.
int pet_package_picture(const pet_package *package, const char *id);

// A file of an archive to be written.
typedef struct pet_packed {
    const char *name;
    const void *bytes;
    size_t size;
    bool stored; // it is compressed already
} pet_packed;

// A zip of the files, in the order of their names, with the same bytes for the same files at any time; to be freed by
// free. false: no memory, or an entry of such a name cannot be.
bool pet_package_write(const pet_packed *files, uint32_t count, pet_bytes *zip);
// The same in the order given, for archives whose first file is the one that they are about.
bool pet_package_write_as_given(const pet_packed *files, uint32_t count, pet_bytes *zip);

#endif
