// Pictures by their bytes, whatever their name says: PNG, WebP and JPEG. What one is, without its pixels, and its
// pixels. Called by whatever reads pictures, from disk or from a package; knows nothing of animations.
#ifndef CLI_DECODE_H
#define CLI_DECODE_H

#include "cli.h"

// Kind, dimensions, size and hash. Nothing is decoded but the picture's head; OTHER: it is none of the three, or its
// head is damaged.
zo_picture_info cli_picture_look(const void *bytes, size_t size);

// To straight RGBA in malloc memory (free image->pixels); `name` for messages. At most 8192 x 8192 pixels; of an
// animated WebP the first picture. false: said why.
bool cli_decode(const char *name, const void *bytes, size_t size, zo_image *image);

// The file's usual ending, such as "png". `index` from 0: all endings that there are, the usual one of each kind first;
// NULL beyond the last.
const char *cli_picture_ending(zo_picture_kind kind);
const char *cli_picture_ending_at(uint32_t index);

#endif
