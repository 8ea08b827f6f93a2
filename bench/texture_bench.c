// How fast textures become pixels: texture_bench paint photo|flat OUT.png, texture_bench uastc FILE.ktx2,
// texture_bench modes, texture_bench rgba8 photo|flat. The two pictures are of the usual size of a character's frame and
// not a multiple of four: `photo` has detail everywhere, down to grain, and no clear pixel; `flat` is a drawn figure with
// outlines on clear ground. Both are painted the same every time. `uastc` decodes a file that an encoder has made of one of
// them, `modes` blocks of ours of all 19 modes, each equally often, with random bits. Next to each of these the pixels are
// copied, next to each `rgba8` libzstd unpacks the same bytes by itself, in turns. Prints `NAME_mpx VALUE` and
// `NAME_ratio VALUE` for each round, on CPU time of one thread. Exit status 1 when a file cannot be read.
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include <zoetrope/texture.h>

#include "inflate.h"

enum { WIDTH = 764, HEIGHT = 1028, STRIDE = WIDTH * 4, SIZE = STRIDE * HEIGHT, ROUNDS = 15 };
enum { BLOCKS = (WIDTH + 3) / 4 * ((HEIGHT + 3) / 4), HEAD = 104, DESCRIPTOR = 44, MODES = 19 };
static const double ROUND_SECONDS = 0.25;

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *take(size_t size) {
    void *memory = calloc(size, 1);
    if (memory == NULL) { exit(1); }
    return memory;
}

static uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

// ------------------------------------------------------------------------------------------------------------ pictures

static double noise_at(int x, int y, int seed) { // 0..1 on a lattice
    uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + (uint32_t)seed * 2246822519u;
    h = (h ^ h >> 13) * 1274126177u;
    return (double)((h ^ h >> 16) & 0xFFFF) / 65535.0;
}

static double smooth(double t) { return t * t * (3.0 - 2.0 * t); }

static double noise(double x, double y, int seed) {
    const int x0 = (int)floor(x), y0 = (int)floor(y);
    const double u = smooth(x - x0), v = smooth(y - y0);
    const double top = noise_at(x0, y0, seed) * (1 - u) + noise_at(x0 + 1, y0, seed) * u;
    const double bottom = noise_at(x0, y0 + 1, seed) * (1 - u) + noise_at(x0 + 1, y0 + 1, seed) * u;
    return top * (1 - v) + bottom * v;
}

static uint8_t byte_of(double value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5); }

// Light, shapes, cloth and grain: detail of every size, colours that go their own ways.
static void paint_photo(uint8_t *pixels) {
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            uint8_t *to = pixels + (size_t)y * STRIDE + (size_t)x * 4;
            for (int c = 0; c < 3; c++) {
                double sum = 40.0 + 50.0 * y / HEIGHT, size = 240.0, share = 110.0;
                for (int octave = 0; octave < 7; octave++, size *= 0.5, share *= 0.6) {
                    const double shared = noise(x / size, y / size, octave);
                    sum += share * (shared * 0.75 + noise(x / size, y / size, 50 + c * 9 + octave) * 0.25 - 0.3);
                }
                to[c] = byte_of(sum + 6.0 * noise_at(x, y, 99 + c));
            }
            to[3] = 255;
        }
    }
}

// A head and a body with two tones and a line around them, borders of one pixel mixed.
static void paint_flat(uint8_t *pixels) {
    static const struct { double x, y, rx, ry; uint8_t color[3]; } parts[] = {
        {382, 720, 250, 290, {40, 30, 36}},  {382, 720, 243, 283, {214, 92, 74}}, {300, 760, 120, 200, {188, 72, 60}},
        {382, 300, 210, 230, {40, 30, 36}},  {382, 300, 203, 223, {250, 214, 180}}, {300, 290, 30, 44, {40, 30, 36}},
        {464, 290, 30, 44, {40, 30, 36}},    {382, 410, 60, 20, {150, 50, 60}},
    };
    memset(pixels, 0, SIZE);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                const double dx = (x - parts[p].x) / parts[p].rx, dy = (y - parts[p].y) / parts[p].ry;
                double over = (1.0 - sqrt(dx * dx + dy * dy)) * fmin(parts[p].rx, parts[p].ry) + 0.5;
                over = over < 0 ? 0 : over > 1 ? 1 : over;
                uint8_t *to = pixels + (size_t)y * STRIDE + (size_t)x * 4;
                const double alpha = over + to[3] / 255.0 * (1 - over);
                for (int c = 0; c < 3 && alpha > 0; c++) {
                    to[c] = byte_of((parts[p].color[c] * over + to[c] * (to[3] / 255.0) * (1 - over)) / alpha);
                }
                to[3] = byte_of(alpha * 255.0);
            }
        }
    }
}

static bool paint(const char *which, uint8_t *pixels) {
    if (strcmp(which, "photo") == 0) {
        paint_photo(pixels);
    } else if (strcmp(which, "flat") == 0) {
        paint_flat(pixels);
    } else {
        return false;
    }
    return true;
}

static bool write_png(const char *path, const uint8_t *pixels) {
    png_image png = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGBA};
    return png_image_write_to_file(&png, path, 0, pixels, STRIDE, NULL) != 0;
}

// ------------------------------------------------------------------------------------------------------------ the clock

typedef struct job {
    const uint8_t *file; // a texture
    size_t file_size;
    uint8_t *pixels, *other;
    const uint8_t *packed; // the level in the file, for libzstd alone
    size_t packed_size;
} job;

static bool decode(const job *j) { // from the file's bytes on, as a caller does
    zo_texture texture;
    const zo_texture_decoder decoder = {.inflate = cli_inflate};
    if (zo_texture_open(j->file, j->file_size, &texture, NULL) != ZO_OK) { return false; }
    if (texture.width != WIDTH || texture.height != HEIGHT) { return false; }
    zo_image image = {j->pixels, WIDTH, HEIGHT, STRIDE};
    return zo_texture_decode(&texture, 0, &decoder, &image, NULL) == ZO_OK;
}

static bool copy(const job *j) {
    memcpy(j->other, j->pixels, SIZE);
    return j->other[SIZE - 1] == j->pixels[SIZE - 1];
}

static bool unpack(const job *j) { return ZSTD_decompress(j->other, SIZE, j->packed, j->packed_size) == SIZE; }

// What ours takes next to the other, in turns: megapixels a second of ours, and the ratios of time. Of as many as go into
// a round the least counts, since others only ever make it longer.
static void compare(const char *name, bool (*other)(const job *), const job *j) {
    bool (*const runs[2])(const job *) = {decode, other};
    double speeds[ROUNDS], ratios[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        double least[2] = {1e9, 1e9}, before = cpu_seconds();
        const double end = before + ROUND_SECONDS;
        for (int turn = 0; turn < 2 || before < end; turn++) {
            if (!runs[turn % 2](j)) { exit(1); }
            const double after = cpu_seconds();
            least[turn % 2] = after - before < least[turn % 2] ? after - before : least[turn % 2];
            before = after;
        }
        speeds[r] = 1e-6 * WIDTH * HEIGHT / least[0];
        ratios[r] = least[0] / least[1];
    }
    for (int r = 0; r < ROUNDS; r++) { printf("%s_mpx %.4g\n", name, speeds[r]); }
    for (int r = 0; r < ROUNDS; r++) { printf("%s_ratio %.4g\n", name, ratios[r]); }
}

// --------------------------------------------------------------------------------------------------------------- files

static void put_32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) { at[i] = (uint8_t)(value >> 8 * i); }
}

// A file of one level of UASTC, not packed, without pairs. The blocks follow it.
static void put_head(uint8_t *file) {
    static const uint8_t identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    static const uint32_t fields[] = {0, 1, WIDTH, HEIGHT, 0, 0, 1, 1, 0, HEAD, DESCRIPTOR, 0, 0};
    static const uint8_t descriptor[] = {DESCRIPTOR, 0, 0, 0, 0, 0, 0, 0, 2, 0, 40, 0, 166, 1, 2, 0, 3, 3, 0, 0, 16, 0, 0, 0,
                                         0, 0, 0, 0, 0, 0, 127, 3, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255};
    memcpy(file, identifier, sizeof identifier);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) { put_32(file + 12 + 4 * i, fields[i]); }
    put_32(file + 80, HEAD + DESCRIPTOR);
    put_32(file + 88, BLOCKS * 16);
    put_32(file + 96, BLOCKS * 16);
    memcpy(file + HEAD, descriptor, sizeof descriptor);
}

// Mode by mode; a pattern that a mode does not have is drawn anew, for such a block is refused.
static void put_block(uint8_t *block, uint32_t mode, uint64_t *random) {
    static const uint8_t prefixes[MODES][2] = {{0x01, 4}, {0x35, 6}, {0x1D, 5}, {0x03, 5}, {0x13, 5}, {0x0B, 5}, {0x1B, 5},
                                               {0x07, 5}, {0x17, 5}, {0x0F, 5}, {0x02, 3}, {0x00, 2}, {0x06, 3}, {0x1F, 5},
                                               {0x0D, 5}, {0x05, 7}, {0x15, 6}, {0x25, 6}, {0x09, 4}};
    static const struct { uint8_t mode, hint_bits, width, count; } patterns[] = {
        {2, 15, 5, 30}, {3, 15, 4, 11}, {4, 15, 5, 30}, {7, 15, 5, 19}, {9, 23, 5, 30}, {16, 23, 5, 30}};
    const uint32_t bits = prefixes[mode][1];
    for (int i = 0; i < 16; i++) { block[i] = (uint8_t)(next_random(random) >> 7); }
    block[0] = (uint8_t)((block[0] & ~((1u << bits) - 1)) | prefixes[mode][0]);
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        if (patterns[p].mode != mode) { continue; }
        const uint32_t pattern = next_random(random) % patterns[p].count;
        for (uint32_t i = 0; i < patterns[p].width; i++) {
            const uint32_t at = bits + patterns[p].hint_bits + i;
            block[at / 8] = (uint8_t)((block[at / 8] & ~(1u << at % 8)) | (pattern >> i & 1u) << at % 8);
        }
    }
}

static void make_modes(job *j) {
    uint64_t random = 1;
    uint8_t *file = take(HEAD + DESCRIPTOR + (size_t)BLOCKS * 16);
    put_head(file);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        put_block(file + HEAD + DESCRIPTOR + (size_t)b * 16, next_random(&random) % MODES, &random);
    }
    j->file = file;
    j->file_size = HEAD + DESCRIPTOR + (size_t)BLOCKS * 16;
}

static bool read_file(const char *path, job *j) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    uint8_t *bytes = take(SIZE * 2);
    j->file_size = fread(bytes, 1, SIZE * 2, file);
    j->file = bytes;
    return fclose(file) == 0 && j->file_size > 0;
}

static bool collect(void *context, const void *bytes, size_t size) {
    job *j = context;
    memcpy((uint8_t *)(uintptr_t)j->file + j->file_size, bytes, size);
    j->file_size += size;
    return true;
}

// As `charpack build` writes them.
static bool make_rgba8(const char *which, job *j) {
    zo_texture texture;
    if (!paint(which, j->pixels)) { return false; }
    const zo_image image = {j->pixels, WIDTH, HEIGHT, STRIDE};
    const zo_texture_file made = {.levels = &image, .level_count = 1, .scheme = ZO_SCHEME_ZSTD, .effort = 12,
                                  .deflate = cli_deflate};
    j->file = take(SIZE * 2);
    if (zo_texture_write(&made, collect, j) != ZO_OK) { return false; }
    if (zo_texture_open(j->file, j->file_size, &texture, NULL) != ZO_OK) { return false; }
    j->packed = j->file + texture.levels[0].offset;
    j->packed_size = (size_t)texture.levels[0].size;
    return true;
}

static int usage(void) {
    fputs("usage: texture_bench paint photo|flat OUT.png | uastc FILE.ktx2 | modes | rgba8 photo|flat\n", stderr);
    return 2;
}

int main(int argc, char **argv) {
    job j = {.pixels = take(SIZE), .other = take(SIZE)};
    const char *verb = argc > 1 ? argv[1] : "";
    if (strcmp(verb, "paint") == 0 && argc == 4) {
        return paint(argv[2], j.pixels) && write_png(argv[3], j.pixels) ? 0 : 1;
    }
    if (strcmp(verb, "uastc") == 0 && argc == 3) {
        if (!read_file(argv[2], &j)) { return 1; }
        compare("uastc", copy, &j);
        return 0;
    }
    if (strcmp(verb, "modes") == 0 && argc == 2) {
        make_modes(&j);
        compare("modes", copy, &j);
        return 0;
    }
    if (strcmp(verb, "rgba8") == 0 && argc == 3) {
        if (!make_rgba8(argv[2], &j)) { return 1; }
        compare("rgba8", unpack, &j);
        return 0;
    }
    return usage();
}
