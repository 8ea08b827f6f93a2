// Videos, made by the program ffmpeg: it reads bare frames from a pipe and writes the temporary file that is then
// renamed. H.264 in .mp4 plays everywhere and has no transparency; VP9 in .webm has. Called by render.c. No shell is
// involved.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "files.h"
#include "frame.h"

enum { BLOCK = 16 }; // px

typedef struct video {
    const char *path;
    cli_video kind;
    cli_file file;
    FILE *told;        // what ffmpeg says
    int input;         // its standard input, or -1
    pid_t child;
    bool has_alpha;
    uint8_t behind[3]; // the colour behind clear pixels
    zo_image image;    // H.264 halves its colour planes, so its sides are even; the frame is at the upper left
} video;

// Frames a second as numerator and denominator: the first convergent that gives the number back.
static void rate_of(double fps, char text[48]) {
    int64_t n0 = 0, d0 = 1, n1 = 1, d1 = 0;
    double rest = fps;
    for (int i = 0; i < 32; i++) {
        const double whole = floor(rest);
        const int64_t n = (int64_t)whole * n1 + n0, d = (int64_t)whole * d1 + d0;
        if (n > INT32_MAX || d > INT32_MAX) { break; }
        n0 = n1, n1 = n;
        d0 = d1, d1 = d;
        if (fabs((double)n / (double)d - fps) <= fps * 1e-12 || rest - whole < 1e-12) { break; }
        rest = 1.0 / (rest - whole);
    }
    snprintf(text, 48, "%lld/%lld", (long long)n1, (long long)d1);
}

// The command line of ffmpeg, and the texts that it is made of.
typedef struct command {
    const char *words[64];
    size_t count;
    char size[32], rate[48], filter[128], output[4200];
} command;

static void add_words(command *c, const char *const *words) {
    while (*words != NULL) { c->words[c->count++] = *words++; }
}

static bool make_command(const video *v, const cli_movie_def *def, command *c) {
    c->count = 0;
    snprintf(c->size, sizeof c->size, "%ux%u", (unsigned)v->image.width, (unsigned)v->image.height);
    rate_of(def->fps, c->rate);
    // Said in full, or players guess: the colours of sRGB in the matrix and range of HD television.
    snprintf(c->filter, sizeof c->filter,
             "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=%s",
             v->has_alpha ? "yuva420p" : "yuv420p");
    if (snprintf(c->output, sizeof c->output, "file:%s", v->file.temporary) >= (int)sizeof c->output) {
        cli_say("the name '%s' is too long", v->path);
        return false;
    }
    add_words(c, (const char *const[]){"ffmpeg", "-nostdin", "-hide_banner", "-v", "error", NULL});
    add_words(c, (const char *const[]){"-f", "rawvideo", "-pix_fmt", "rgba", "-video_size", c->size, "-framerate",
                                       c->rate,
                                       "-i", "pipe:0", "-an", "-vf", c->filter, NULL});
    add_words(c, (const char *const[]){"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
                                       "-color_range", "tv", NULL});
    if (v->kind == CLI_VIDEO_MP4) {
        add_words(c, (const char *const[]){"-c:v", "libx264", "-preset", "medium", "-crf", "17", "-movflags",
                                           "+faststart", "-f", "mp4", NULL});
    } else { // an alternate reference frame cannot have alpha
        add_words(c, (const char *const[]){"-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-deadline", "good",
                                           "-cpu-used", "3", "-auto-alt-ref", "0", "-f", "webm", NULL});
    }
    add_words(c, (const char *const[]){"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-y",
                                       c->output, NULL});
    c->words[c->count] = NULL;
    return true;
}

static bool begin(video *v, const cli_movie_def *def) {
    command c;
    int ends[2];
    if (!make_command(v, def, &c)) { return false; }
    if (pipe(ends) != 0) {
        cli_say("cannot start ffmpeg: %s", strerror(errno));
        return false;
    }
    for (int i = 0; i < 2; i++) { fcntl(ends[i], F_SETFD, FD_CLOEXEC); }
    const int error = cli_child_start(c.words, ends[0], v->told, &v->child);
    close(ends[0]);
    if (error == 0) {
        v->input = ends[1];
        return true;
    }
    close(ends[1]);
    if (error == ENOENT) {
        cli_say("cannot make '%s': a video wants the program 'ffmpeg', and it is not there; "
                ".webp, .apng and .gif do without", v->path);
    } else {
        cli_say("cannot make '%s': ffmpeg does not start: %s", v->path, strerror(error));
    }
    return false;
}

// false: ffmpeg has stopped reading, and will have said why.
static bool send(video *v, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        const ssize_t sent = write(v->input, bytes, size);
        if (sent < 0 && errno == EINTR) { continue; }
        if (sent <= 0) { return false; }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

static uint8_t mixed(uint32_t over, uint32_t under, uint32_t alpha) {
    return (uint8_t)((over * alpha + under * (255 - alpha) + 127) / 255);
}

static void lay_over(zo_image *image, const uint8_t behind[3]) {
    for (size_t i = 0; i < image->stride * image->height; i += 4) {
        uint8_t *pixel = image->pixels + i;
        const uint32_t alpha = pixel[3];
        if (alpha == 255) { continue; }
        for (int c = 0; c < 3; c++) { pixel[c] = mixed(pixel[c], behind[c], alpha); }
        pixel[3] = 255;
    }
}

// Colour and alpha are compressed apart, and colour at half the size: the colour of clear pixels bleeds into their
// neighbours. Here it becomes the average of what is near.
static void fill_clear_block(zo_image *image, uint32_t left, uint32_t top) {
    const uint32_t right = left + BLOCK < image->width ? left + BLOCK : image->width;
    const uint32_t bottom = top + BLOCK < image->height ? top + BLOCK : image->height;
    uint32_t sum[3] = {0}, weight = 0, clear = 0;
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *pixel = image->pixels + image->stride * y + (size_t)left * 4;
        for (uint32_t x = left; x < right; x++, pixel += 4) {
            for (int c = 0; c < 3; c++) { sum[c] += (uint32_t)pixel[c] * pixel[3]; }
            weight += pixel[3];
            clear += pixel[3] == 0;
        }
    }
    if (weight == 0 || clear == 0) { return; }
    const uint8_t color[4] = {(uint8_t)(sum[0] / weight), (uint8_t)(sum[1] / weight), (uint8_t)(sum[2] / weight), 0};
    for (uint32_t y = top; y < bottom; y++) {
        uint8_t *pixel = image->pixels + image->stride * y + (size_t)left * 4;
        for (uint32_t x = left; x < right; x++, pixel += 4) {
            if (pixel[3] == 0) { memcpy(pixel, color, 4); }
        }
    }
}

static int send_frames(video *v, const cli_frames *frames, uint32_t times) {
    zo_image frame = v->image;
    frame.width = frames->width;
    frame.height = frames->height;
    for (uint32_t t = 0; t < times; t++) {
        for (uint32_t i = 0; i < frames->count; i++) {
            memset(v->image.pixels, 0, v->image.stride * v->image.height); // what is beside the frame
            if (!frames->draw(frames->context, i, &frame)) { return CLI_INTERNAL; }
            if (!v->has_alpha) { lay_over(&v->image, v->behind); }
            for (uint32_t y = 0; v->has_alpha && y < v->image.height; y += BLOCK) {
                for (uint32_t x = 0; x < v->image.width; x += BLOCK) { fill_clear_block(&v->image, x, y); }
            }
            if (!send(v, v->image.pixels, v->image.stride * v->image.height)) { return CLI_FILES; }
            const uint64_t done = (uint64_t)frames->count * t + i + 1;
            cli_frame_progress(frames, (uint32_t)(done / times), frames->count);
        }
    }
    return CLI_FINE;
}

static int end(video *v, int code) {
    close(v->input);
    if (code == CLI_INTERNAL) { kill(v->child, SIGKILL); } // half a video is none
    const int status = cli_child_wait(v->child);
    if (code == CLI_INTERNAL) { return code; }
    if (code == CLI_FINE && WIFEXITED(status) && WEXITSTATUS(status) == 0) { return CLI_FINE; }
    cli_child_say_told(v->told, "ffmpeg", v->path);
    return CLI_FILES;
}

static int make(video *v, const cli_frames *frames, const cli_movie_def *def) {
    if (!cli_file_open(&v->file, v->path)) { return CLI_FILES; }
    if (v->file.temporary == NULL) {
        cli_say("'%s' is no ordinary file, and a video can only be written to one", v->path);
        return CLI_FILES;
    }
    v->told = tmpfile();
    if (v->told == NULL) {
        cli_say("cannot make a temporary file: %s", strerror(errno));
        return CLI_FILES;
    }
    // When ffmpeg ends early a write must fail, not end this program.
    struct sigaction before, ignored = {.sa_handler = SIG_IGN};
    sigemptyset(&ignored.sa_mask);
    sigaction(SIGPIPE, &ignored, &before);
    int code = begin(v, def) ? CLI_FINE : CLI_FILES;
    if (code == CLI_FINE) { code = end(v, send_frames(v, frames, def->loop_count > 0 ? def->loop_count : 1)); }
    sigaction(SIGPIPE, &before, NULL);
    fclose(v->told);
    return code;
}

int cli_write_video(const char *path, cli_video kind, const cli_frames *frames, const cli_movie_def *def) {
    const uint32_t alpha = def->background[3];
    video v = {.path = path, .kind = kind, .has_alpha = kind == CLI_VIDEO_WEBM && alpha < 255};
    for (int c = 0; c < 3; c++) { v.behind[c] = mixed(def->background[c], 255, alpha); }
    cli_frames padded = *frames;
    if (kind == CLI_VIDEO_MP4) {
        padded.width += padded.width % 2;
        padded.height += padded.height % 2;
    }
    if (!cli_frame_new(&padded, &v.image)) { return CLI_INTERNAL; }
    int code = make(&v, frames, def);
    if (code != CLI_FINE) {
        cli_file_discard(&v.file);
    } else if (!cli_file_commit(&v.file)) {
        code = CLI_FILES;
    }
    free(v.image.pixels);
    return code;
}
