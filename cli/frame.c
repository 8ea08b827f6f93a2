// See frame.h.
#include <stdlib.h>

#include "frame.h"

bool cli_frame_new(const cli_frames *frames, zo_image *image) {
    *image = (zo_image){.width = frames->width, .height = frames->height, .stride = (size_t)frames->width * 4};
    const uint64_t size = (uint64_t)frames->width * frames->height * 4;
    if (size == 0 || frames->count == 0) {
        cli_say("there is nothing to draw: %u frames of %u x %u pixels", (unsigned)frames->count,
                (unsigned)frames->width, (unsigned)frames->height);
        return false;
    }
    image->pixels = size <= SIZE_MAX ? malloc((size_t)size) : NULL;
    if (image->pixels == NULL) {
        cli_say("not enough memory for a frame of %u x %u pixels", (unsigned)frames->width, (unsigned)frames->height);
    }
    return image->pixels != NULL;
}

static int64_t rounded(int64_t ns, int64_t unit_ns) { return (ns + unit_ns / 2) / unit_ns; }

// The newest frame, from `frame` on, that has begun at `at` units.
static uint32_t newest(const cli_frames *frames, uint32_t frame, int64_t at, int64_t unit_ns) {
    while (frame + 1 < frames->count && rounded(frames->start_ns[frame + 1], unit_ns) <= at) { frame++; }
    return frame;
}

cli_shown *cli_frames_plan(const cli_frames *frames, int64_t unit_ns, int64_t units_min, uint32_t *shown_count) {
    cli_shown *plan = malloc(((size_t)frames->count + 1) * sizeof *plan);
    if (plan == NULL) {
        cli_say("not enough memory for %u frames", (unsigned)frames->count);
        return NULL;
    }
    const int64_t end = rounded(frames->start_ns[frames->count], unit_ns);
    uint32_t n = 0;
    plan[n++] = (cli_shown){newest(frames, 0, 0, unit_ns), 0};
    for (uint32_t next = plan[0].frame + 1; next < frames->count; next = plan[n - 1].frame + 1) {
        const int64_t start = rounded(frames->start_ns[next], unit_ns);
        const int64_t earliest = plan[n - 1].start + units_min;
        const int64_t at = start > earliest ? start : earliest;
        if (end - at < units_min) { // no time is left: the last frame takes the place of the one before
            plan[n - 1].frame = frames->count - 1;
            break;
        }
        plan[n++] = (cli_shown){newest(frames, next, at, unit_ns), at};
    }
    plan[n] = (cli_shown){frames->count, end > units_min ? end : units_min};
    *shown_count = n;
    return plan;
}
