// KTX2 files to pixels, for the store of textures and for whoever wants one. Says nothing by itself, for it is called
// on other threads too.
#ifndef CLI_TEXTURE_FILE_H
#define CLI_TEXTURE_FILE_H

#include <zoetrope/texture.h>

#include "textures.h"

// The first level in malloc memory, rows without gaps. `room` (NULL: there is enough) is asked before memory is taken,
// for all that is then held: the file, what unpacking takes, the pixels. false: `fault` says why; "": no room.
bool cli_texture_read(const char *path, zo_texture_alpha alpha, bool (*room)(void *context, uint64_t bytes),
                      void *context, zo_image *image, char fault[CLI_FAULT_SIZE]);
// The same of a file in memory, which `room` is not told of.
bool cli_texture_decode(const void *bytes, size_t size, zo_texture_alpha alpha,
                        bool (*room)(void *context, uint64_t bytes), void *context, zo_image *image,
                        char fault[CLI_FAULT_SIZE]);

// What a file is, without its pixels.
bool cli_texture_look(const char *path, zo_texture *texture, char fault[CLI_FAULT_SIZE]);

#endif
