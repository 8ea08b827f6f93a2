// Writers of pictures and moving pictures. All pull their frames from one source, as often as they need, so that a writer
// may look at the frames twice (a palette first, the pixels later) without keeping them. Called by render.c; they know
// nothing of animations.
#ifndef CLI_MOVIE_H
#define CLI_MOVIE_H

#include "cli.h"

typedef struct cli_frames {
    uint32_t width, height;
    uint32_t count;
    // Draws frame `index` into `image` (width x height, straight alpha, RGBA). Rising indices are cheap; going back is
    // allowed and starts anew. The same index gives the same bytes. false: stop (said by the source).
    bool (*draw)(void *context, uint32_t index, zo_image *image);
    void *context;
    const int64_t *start_ns; // [count + 1]: frame i is shown from start_ns[i] to start_ns[i + 1]; the first is 0
    // Called now and then with work done and to do; may be NULL.
    void (*progress)(void *context, uint32_t done, uint32_t total);
} cli_frames;

typedef struct cli_movie_def {
    uint32_t loop_count; // 0: for ever
} cli_movie_def;

// A whole file each: temporary file, then rename. Say what is wrong; return CLI_FINE, CLI_FILES or CLI_INTERNAL.
// cli_write_png_each also returns CLI_USAGE, when the pattern does not hold the number once.
int cli_write_webp(const char *path, const cli_frames *frames, const cli_movie_def *def); // lossless, animated
int cli_write_gif(const char *path, const cli_frames *frames, const cli_movie_def *def);
int cli_write_raw(const char *path, const cli_frames *frames); // RGBA bytes, frame after frame
int cli_write_png_each(const char *pattern, const cli_frames *frames); // %d, %04d: the frame's number from 0
int cli_write_png(const char *path, const zo_image *image); // one picture, straight alpha

// A picture file to straight RGBA in malloc memory (free image->pixels). `bytes` of a PNG; `name` for messages. At most
// 8192 x 8192 pixels. false: said why.
bool cli_decode_png(const char *name, const void *bytes, size_t size, zo_image *image);

#endif
