// The pixels of pictures: PNG, WebP and JPEG, by their bytes, whatever their name says (host/picture.h has the rest).
// Called by whatever reads pictures, from disk or from a package; knows nothing of animations.
#ifndef CLI_DECODE_H
#define CLI_DECODE_H

#include "cli.h"

// To straight RGBA in malloc memory (free image->pixels); `name` for messages. At most 8192 x 8192 pixels; of an
// animated WebP the first picture. false: said why.
bool cli_decode(const char *name, const void *bytes, size_t size, zo_image *image);

#endif
