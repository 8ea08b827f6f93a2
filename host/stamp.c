// See stamp.h.
#include "host/stamp.h"

host_stamp host_stamp_of(const struct stat *status) {
    const bool folder = S_ISDIR(status->st_mode);
    return (host_stamp){true, folder, folder ? 0 : status->st_size, status->st_ino, status->st_dev, status->st_mtim};
}

host_stamp host_stamp_at(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? host_stamp_of(&status) : (host_stamp){0};
}

bool host_stamp_one_file(const host_stamp *a, const host_stamp *b) {
    return a->there && b->there && a->inode == b->inode && a->device == b->device;
}

bool host_stamp_same(const host_stamp *a, const host_stamp *b) {
    return a->there == b->there && a->size == b->size && a->inode == b->inode && a->device == b->device &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}
