// A contact sheet: all frames side by side in one PNG, each with a bar that says how far in time it is. For people who
// want to see a movement at a glance; programs read an atlas. Called by render.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

enum { SIDE_MAX = 16384, GAP = 8, BAR = 3 };

static void draw_bar(zo_image *cell, double fraction) {
    const uint32_t filled = (uint32_t)(fraction * cell->width + 0.5);
    for (uint32_t y = cell->height > BAR ? cell->height - BAR : 0; y < cell->height; y++) {
        uint8_t *row = cell->pixels + y * cell->stride;
        for (uint32_t x = 0; x < cell->width; x++) {
            const uint8_t *color =
                x < filled ? (const uint8_t[4]){216, 90, 60, 255} : (const uint8_t[4]){214, 214, 210, 255};
            memcpy(row + (size_t)x * 4, color, 4);
        }
    }
}

int cli_write_sheet(const char *path, const cli_frames *frames, zo_size *size) {
    uint32_t columns = (uint32_t)ceil(sqrt((double)frames->count * 1.2));
    columns = columns < frames->count ? columns : frames->count;
    const uint32_t rows = columns > 0 ? (frames->count + columns - 1) / columns : 0;
    const uint64_t width = (uint64_t)columns * (frames->width + GAP) + GAP;
    const uint64_t height = (uint64_t)rows * (frames->height + GAP) + GAP;
    if (width > SIDE_MAX || height > SIDE_MAX) {
        return cli_usage(NULL,
                         "the sheet would be %llux%llu pixels, and %d is the limit; ask for smaller cells with --size",
                         (unsigned long long)width, (unsigned long long)height, SIDE_MAX);
    }
    const cli_frames whole = {.width = (uint32_t)width, .height = (uint32_t)height, .count = frames->count};
    zo_image sheet;
    if (!cli_frame_new(&whole, &sheet)) { return CLI_INTERNAL; }
    memset(sheet.pixels, 255, sheet.stride * sheet.height);
    int code = CLI_FINE;
    for (uint32_t i = 0; code == CLI_FINE && i < frames->count; i++) {
        zo_image cell = {.width = frames->width, .height = frames->height, .stride = sheet.stride};
        cell.pixels = sheet.pixels + sheet.stride * (GAP + i / columns * (frames->height + GAP)) +
                      (GAP + i % columns * (frames->width + GAP)) * (size_t)4;
        if (!frames->draw(frames->context, i, &cell)) { code = CLI_INTERNAL; }
        draw_bar(&cell, frames->count > 1 ? (double)i / (frames->count - 1) : 0.0);
        cli_frame_progress(frames, i + 1, frames->count);
    }
    if (code == CLI_FINE) { code = cli_write_png(path, &sheet); }
    *size = (zo_size){sheet.width, sheet.height};
    free(sheet.pixels);
    return code;
}
