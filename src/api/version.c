// Version and the names of status values. Called by users of either library; knows nothing of what the calls do.
#include <zoetrope/base.h>

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *zo_version(void) { return VERSION_TEXT(ZO_VERSION_MAJOR, ZO_VERSION_MINOR, ZO_VERSION_PATCH); }

const char *zo_status_name(zo_status status) {
    switch (status) {
    case ZO_OK: return "ok";
    case ZO_INVALID: return "invalid";
    case ZO_NEWER: return "newer";
    case ZO_LIMIT: return "limit";
    case ZO_NO_MEMORY: return "no memory";
    case ZO_BAD_BLOB: return "bad blob";
    case ZO_UNSUPPORTED: return "unsupported";
    case ZO_NEEDS: return "needs";
    }
    return "unknown";
}
