// Frames as bare RGBA bytes, one after the other, for a program that reads them from a pipe. Called by render.c.
#include <stdlib.h>

#include "files.h"
#include "frame.h"

int cli_write_raw(const char *path, const cli_frames *frames) {
    zo_image image;
    if (!cli_frame_new(frames, &image)) { return CLI_INTERNAL; }
    cli_file file;
    int code = cli_file_open(&file, path) ? CLI_FINE : CLI_FILES;
    for (uint32_t i = 0; code == CLI_FINE && i < frames->count; i++) {
        if (!frames->draw(frames->context, i, &image)) {
            code = CLI_INTERNAL;
        } else if (!cli_file_write(&file, image.pixels, image.stride * image.height)) {
            code = CLI_FILES;
        }
        cli_frame_progress(frames, i + 1, frames->count);
    }
    free(image.pixels);
    if (code != CLI_FINE) {
        cli_file_discard(&file);
    } else if (!cli_file_commit(&file)) {
        code = CLI_FILES;
    }
    return code;
}
