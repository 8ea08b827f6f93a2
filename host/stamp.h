// What the system says of a file without opening it, to tell whether it is still the same. Called by whatever watches
// files, in the commands and in the host.
#ifndef HOST_STAMP_H
#define HOST_STAMP_H

#include <stdbool.h>
#include <sys/stat.h>

typedef struct host_stamp { // all zero: nothing is there
    bool there, folder;
    off_t size; // bytes; of a folder 0: of it only its entries count, and they change its time
    ino_t inode;
    dev_t device;
    struct timespec changed;
} host_stamp;

host_stamp host_stamp_of(const struct stat *status);
host_stamp host_stamp_at(const char *path); // links are followed
bool host_stamp_same(const host_stamp *a, const host_stamp *b);
bool host_stamp_one_file(const host_stamp *a, const host_stamp *b); // be it changed or not, under whatever name

#endif
