// UASTC textures, made by the program basisu. Called by charpack.c.
#ifndef CLI_BASISU_H
#define CLI_BASISU_H

#include <stdbool.h>
#include <stdint.h>

// A KTX2 file `to` from the PNG file `from`, one level, Zstandard. Says what is wrong and returns false.
bool cli_basisu(const char *from, const char *to, uint32_t quality, uint32_t level);

#endif
