// What the readers of zips share (archive.c, package.c). For these alone: the others know no libzip.
#ifndef HOST_ARCHIVE_ZIP_H
#define HOST_ARCHIVE_ZIP_H

#include <zip.h>

#include "host/archive.h"

// libzip makes room for as many entries as the end of the directory claims, so that it is looked at before: why the
// bytes are not to be opened, a clause; NULL: they may be. `*claimed` is not 0 when it says that there are more than
// entries_max.
const char *archive_end_fault(const uint8_t *bytes, size_t size, uint32_t entries_max, uint64_t *claimed);
// ENCRYPTED, LINK and METHOD of zo_entry_flag.
uint32_t archive_entry_flags(zip_t *zip, zip_uint64_t index, const zip_stat_t *status);

#endif
