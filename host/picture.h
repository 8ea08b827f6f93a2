// Pictures by their bytes, whatever their name says: PNG, WebP and JPEG. What one is, without its pixels. Called by
// whatever takes pictures in: files, packages, uploads.
#ifndef HOST_PICTURE_H
#define HOST_PICTURE_H

#include <zoetrope/zoetrope.h>

// By the first bytes alone.
zo_picture_kind picture_kind(const void *bytes, size_t size);
// Kind, dimensions, size and hash. Nothing is decoded but the picture's head; OTHER: it is none of the three, or its
// head is damaged.
zo_picture_info picture_look(const void *bytes, size_t size);

const char *picture_mime(zo_picture_kind kind); // "image/png"; "" for OTHER
// A file's usual ending, such as "png". `index` from 0: all endings that there are, the usual one of each kind first;
// NULL beyond the last.
const char *picture_ending(zo_picture_kind kind);
const char *picture_ending_at(uint32_t index);

#endif
