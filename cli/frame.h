// What every writer of movie.h does alike: the memory of one frame, and which frames a format with coarse times can
// show. For those writers only.
#ifndef CLI_FRAME_H
#define CLI_FRAME_H

#include "files.h"
#include "movie.h"

// Memory for one frame; false (and said) when there is none or nothing to draw. Freed with free(image->pixels).
bool cli_frame_new(const cli_frames *frames, zo_image *image);

// A PNG into an open file, which the caller then puts in place or discards. Returns a code, and has said what is wrong.
int cli_put_png(cli_file *file, const zo_image *image);

static inline void cli_frame_progress(const cli_frames *frames, uint32_t done, uint32_t total) {
    if (frames->progress != NULL) { frames->progress(frames->context, done, total); }
}

typedef struct cli_shown {
    uint32_t frame;
    int64_t start; // in units
} cli_shown;

// Which frames are shown and from when, in whole units of which each is shown for `units_min` at least. Starts are
// rounded and lengths are what is between them, so the sum is the whole length, rounded once. Frames that come too fast
// are skipped so that each shown one is the newest of its moment (at two units of 10 ms, 60 frames a second become 50
// even ones), and the last one is always shown. The number of entries; one more behind them holds the end. Freed by the
// caller. NULL: no memory, said.
cli_shown *cli_frames_plan(const cli_frames *frames, int64_t unit_ns, int64_t units_min, uint32_t *shown_count);

#endif
