// How fast the movie writers of cli/ are. Usage: gif_bench PICTURE.png OUT [gif|webp|raw] [SIDE] [FRAMES]. One picture
// hops, squashes and sways through FRAMES frames of SIDE x SIDE pixels (512, 120) at 30 a second, drawn before the
// clock starts; the frames are handed over by copying. `raw` writes what other encoders are given for comparison:
//   ffmpeg -f rawvideo -pix_fmt rgba -s 512x512 -r 30 -i OUT other.gif
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../cli/files.h"
#include "../cli/movie.h"

void cli_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
}

int cli_usage(const cli_args *args, const char *format, ...) {
    (void)args;
    fprintf(stderr, "%s\n", format);
    return CLI_USAGE;
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// What the processor worked, also for others' sake (the kernel): steadier than the clock on a busy machine.
static double work_s(const struct rusage *u) {
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e-6;
}

typedef struct reel {
    uint8_t *frames;
    size_t frame_size;
} reel;

static bool copy_frame(void *context, uint32_t index, zo_image *image) {
    const reel *r = context;
    memcpy(image->pixels, r->frames + r->frame_size * index, r->frame_size);
    return true;
}

// The picture at (u, v), bilinear and weighted by alpha; outside it is clear.
static void sample(const zo_image *picture, double u, double v, double sum[4]) {
    const double fu = floor(u), fv = floor(v);
    for (int corner = 0; corner < 4; corner++) {
        const int x = (int)fu + (corner & 1), y = (int)fv + (corner >> 1);
        if (x < 0 || y < 0 || x >= (int)picture->width || y >= (int)picture->height) { continue; }
        const uint8_t *p = picture->pixels + picture->stride * (size_t)y + (size_t)x * 4;
        const double weight = ((corner & 1) ? u - fu : 1 - (u - fu)) * ((corner >> 1) ? v - fv : 1 - (v - fv)) * p[3];
        for (int c = 0; c < 3; c++) { sum[c] += weight * p[c]; }
        sum[3] += weight;
    }
}

static void draw_frame(const zo_image *picture, uint32_t side, double t, uint8_t *to) {
    const double pi2 = 6.283185307179586, scale = (double)side / 320.0;
    const double angle = 0.15 * sin(pi2 * t), squash = 1 + 0.12 * sin(2 * pi2 * t);
    const double hop = (double)side * 0.08 * fabs(sin(pi2 * t)), drift = (double)side * 0.06 * sin(pi2 * t);
    const double c = cos(angle), s = sin(angle);
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            const double dx = (double)x - side * 0.5 - drift, dy = (double)y - side * 0.55 + hop;
            const double u = (c * dx + s * dy) / scale * squash, v = (c * dy - s * dx) / scale / squash;
            double sum[4] = {0};
            sample(picture, u + picture->width * 0.5, v + picture->height * 0.5, sum);
            uint8_t *p = to + ((size_t)y * side + x) * 4;
            for (int i = 0; i < 3; i++) { p[i] = sum[3] >= 0.5 ? (uint8_t)(sum[i] / sum[3] + 0.5) : 0; }
            p[3] = (uint8_t)(sum[3] + 0.5);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: gif_bench PICTURE.png OUT [gif|webp|raw] [SIDE] [FRAMES]\n");
        return CLI_USAGE;
    }
    const char *kind = argc > 3 ? argv[3] : "gif";
    const uint32_t side = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 512;
    const uint32_t count = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 120;
    cli_bytes bytes;
    zo_image picture;
    if (!cli_read_file(argv[1], 1 << 26, &bytes)) { return CLI_FILES; }
    if (!cli_decode_png(argv[1], bytes.data, bytes.size, &picture)) { return CLI_FAULTY; }
    reel r = {.frame_size = (size_t)side * side * 4};
    r.frames = malloc(r.frame_size * count);
    int64_t *start_ns = malloc(((size_t)count + 1) * sizeof *start_ns);
    if (r.frames == NULL || start_ns == NULL) { return CLI_INTERNAL; }
    for (uint32_t i = 0; i <= count; i++) {
        start_ns[i] = (int64_t)i * 1000000000 / 30;
        if (i < count) { draw_frame(&picture, side, (double)i / 40, r.frames + r.frame_size * i); }
    }
    const cli_frames frames = {
        .width = side, .height = side, .count = count, .draw = copy_frame, .context = &r, .start_ns = start_ns};
    const cli_movie_def def = {0};
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    const double start_s = now_s();
    const int code = strcmp(kind, "raw") == 0    ? cli_write_raw(argv[2], &frames)
                     : strcmp(kind, "webp") == 0 ? cli_write_webp(argv[2], &frames, &def)
                                                 : cli_write_gif(argv[2], &frames, &def);
    const double taken_s = now_s() - start_s;
    getrusage(RUSAGE_SELF, &after);
    FILE *out = fopen(argv[2], "rb");
    if (out != NULL) { fseek(out, 0, SEEK_END); }
    fprintf(stderr, "%s: %u frames of %u x %u in %.0f ms (%.0f ms of work), %ld bytes, %ld kB more memory\n", kind,
            (unsigned)count, (unsigned)side, (unsigned)side, taken_s * 1e3, (work_s(&after) - work_s(&before)) * 1e3,
            out != NULL ? ftell(out) : 0L, after.ru_maxrss - before.ru_maxrss);
    if (out != NULL) { fclose(out); }
    cli_bytes_free(&bytes);
    free(picture.pixels);
    free(r.frames);
    free(start_ns);
    return code;
}
