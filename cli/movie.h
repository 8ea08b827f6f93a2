// Writers of pictures and moving pictures. All pull their frames from one source, as often as they need, so that a
// writer may look at the frames twice (a palette first, the pixels later) without keeping them. Called by render.c;
// they know nothing of animations.
#ifndef CLI_MOVIE_H
#define CLI_MOVIE_H

#include "cli.h"

typedef struct cli_frames {
    uint32_t width, height;
    uint32_t count;
    uint32_t first_number; // of the first frame, where frames are numbered
    // Draws frame `index` into `image` (width x height, straight alpha, RGBA). Rising indices are cheap; going back is
    // allowed and starts anew. The same index gives the same bytes. false: stop (said by the source).
    bool (*draw)(void *context, uint32_t index, zo_image *image);
    void *context;
    const int64_t *start_ns; // [count + 1]: frame i is shown from start_ns[i] to start_ns[i + 1]; the first is 0
    // Called now and then with work done and to do; may be NULL.
    void (*progress)(void *context, uint32_t done, uint32_t total);
} cli_frames;

typedef struct cli_movie_def {
    uint32_t loop_count;   // 0: for ever; a video has its frames so often, 0: once
    double fps;            // of a video, whose frames are equally long
    uint8_t background[4]; // straight; behind what a video cannot show as clear
} cli_movie_def;

typedef enum cli_video { CLI_VIDEO_MP4, CLI_VIDEO_WEBM } cli_video;

// What an atlas says of its frames beside where they are. `marks` may grow while the frames are drawn.
typedef struct cli_mark {
    uint32_t frame;
    const char *name;
    const char *what; // kind of event
} cli_mark;

typedef struct cli_marks {
    cli_mark *items;
    uint32_t count, capacity;
} cli_marks;

typedef struct cli_atlas_def {
    const char *name;       // of all frames together
    bool ping_pong;         // to be played there and back
    uint32_t loop_count;    // 0: for ever
    const cli_marks *marks;
} cli_atlas_def;

// A whole file each: temporary file, then rename. Say what is wrong; return CLI_FINE, CLI_FILES or CLI_INTERNAL.
// cli_write_png_each also returns CLI_USAGE, when the pattern does not hold the number once.
int cli_write_webp(const char *path, const cli_frames *frames, const cli_movie_def *def); // lossless, animated
int cli_write_gif(const char *path, const cli_frames *frames, const cli_movie_def *def);
int cli_write_apng(const char *path, const cli_frames *frames, const cli_movie_def *def);
int cli_write_video(const char *path, cli_video kind, const cli_frames *frames, const cli_movie_def *def); // by ffmpeg
int cli_write_raw(const char *path, const cli_frames *frames); // RGBA bytes, frame after frame
int cli_write_png_each(const char *pattern, const cli_frames *frames); // %d, %04d: the frame's number
int cli_write_png(const char *path, const zo_image *image); // one picture, straight alpha
// All frames in one .png, for people; `size` is that one's.
int cli_write_sheet(const char *path, const cli_frames *frames, zo_size *size);
int cli_write_atlas(const char *path, const cli_frames *frames, const cli_atlas_def *def); // NAME.json and NAME.png

// A picture file to straight RGBA in malloc memory (free image->pixels). `bytes` of a PNG; `name` for messages. At most
// 8192 x 8192 pixels. false: said why.
bool cli_decode_png(const char *name, const void *bytes, size_t size, zo_image *image);

#endif
