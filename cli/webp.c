// Animated WebP files, lossless, through libwebpmux. Called by render.c.
#include <stdlib.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "files.h"
#include "frame.h"

enum {
    UNIT_NS = 1000000, // a WebP counts in ms
    SIDE_MAX = 16383,
    // Of 0 (fast) to 9 (small). 36 frames of 512 x 512 with a drawn figure in it: level 0 takes 0.5 s for 3.6 MB, level
    // 2 1.8 s for 3.0 MB, level 3 3.0 s for 2.9 MB.
    EFFORT = 2,
};

static int fail(const char *path, const char *why) {
    cli_say("cannot make a WebP picture of '%s': %s", path, why);
    return CLI_INTERNAL;
}

static int add_frame(WebPAnimEncoder *encoder, const char *path, const zo_image *image, int start_ms,
                     const WebPConfig *config) {
    WebPPicture picture;
    if (!WebPPictureInit(&picture)) { return fail(path, "libwebp is of another version"); }
    picture.width = (int)image->width;
    picture.height = (int)image->height;
    picture.use_argb = 1;
    const bool fine = WebPPictureImportRGBA(&picture, image->pixels, (int)image->stride) &&
                      WebPAnimEncoderAdd(encoder, &picture, start_ms, config);
    WebPPictureFree(&picture);
    return fine ? CLI_FINE : fail(path, WebPAnimEncoderGetError(encoder));
}

static int add_frames(WebPAnimEncoder *encoder, const char *path, const cli_frames *frames, const cli_shown *plan,
                      uint32_t plan_count, zo_image *image) {
    WebPConfig config;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, EFFORT)) {
        return fail(path, "libwebp is of another version");
    }
    config.exact = 1; // the colours of clear pixels too
    if (plan[plan_count].start > INT32_MAX / 2) { return fail(path, "it is too long"); }
    for (uint32_t i = 0; i < plan_count; i++) {
        if (!frames->draw(frames->context, plan[i].frame, image)) { return CLI_INTERNAL; }
        const int code = add_frame(encoder, path, image, (int)plan[i].start, &config); // joins equal frames itself
        if (code != CLI_FINE) { return code; }
        cli_frame_progress(frames, plan[i].frame + 1, frames->count);
    }
    const bool fine = WebPAnimEncoderAdd(encoder, NULL, (int)plan[plan_count].start, NULL);
    return fine ? CLI_FINE : fail(path, WebPAnimEncoderGetError(encoder));
}

static int encode(cli_file *file, const char *path, const cli_frames *frames, const cli_movie_def *def,
                  const cli_shown *plan, uint32_t plan_count, zo_image *image) {
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options)) { return fail(path, "libwebp is of another version"); }
    options.anim_params.loop_count = def->loop_count < 65535 ? (int)def->loop_count : 65535;
    WebPAnimEncoder *encoder = WebPAnimEncoderNew((int)frames->width, (int)frames->height, &options);
    if (encoder == NULL) { return fail(path, "not enough memory"); }
    WebPData data;
    WebPDataInit(&data);
    int code = add_frames(encoder, path, frames, plan, plan_count, image);
    if (code == CLI_FINE && !WebPAnimEncoderAssemble(encoder, &data)) {
        code = fail(path, WebPAnimEncoderGetError(encoder));
    }
    if (code == CLI_FINE && !cli_file_write(file, data.bytes, data.size)) { code = CLI_FILES; }
    WebPDataClear(&data);
    WebPAnimEncoderDelete(encoder);
    return code;
}

int cli_write_webp(const char *path, const cli_frames *frames, const cli_movie_def *def) {
    if (frames->width > SIDE_MAX || frames->height > SIDE_MAX) {
        cli_say("'%s' cannot have %u x %u pixels; a WebP picture is at most %d wide and high", path,
                (unsigned)frames->width, (unsigned)frames->height, SIDE_MAX);
        return CLI_INTERNAL;
    }
    zo_image image;
    if (!cli_frame_new(frames, &image)) { return CLI_INTERNAL; }
    uint32_t plan_count = 0;
    cli_shown *plan = cli_frames_plan(frames, UNIT_NS, 1, &plan_count);
    cli_file file = {0};
    int code = CLI_INTERNAL;
    if (plan != NULL) { // opened first, so that a target that cannot be written is known before the work is done
        code = cli_file_open(&file, path) ? CLI_FINE : CLI_FILES;
    }
    if (code == CLI_FINE) { code = encode(&file, path, frames, def, plan, plan_count, &image); }
    if (code != CLI_FINE) {
        cli_file_discard(&file);
    } else if (!cli_file_commit(&file)) {
        code = CLI_FILES;
    }
    free(plan);
    free(image.pixels);
    return code;
}
