// Frames a second of the rasteriser: 512x512 px, cleared, one 256 px picture over about 320x320 px, turned a little, so
// that every pixel is mixed from four. Prints `name value unit` lines. On CPU time of one thread.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zoetrope/zoetrope.h>

#define SIDE 512u
#define PICTURE 256u

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct scene {
    zo_vertex vertices[8];
    uint32_t indices[30];
    zo_command command;
    zo_draw_list list;
    zo_image picture, target;
} scene;

static zo_image new_image(uint32_t side) {
    zo_image image = {.pixels = calloc(side, side * 4), .width = side, .height = side, .stride = side * 4};
    if (!image.pixels) { exit(1); }
    return image;
}

// A disc with a soft border on transparent ground, like most that is drawn.
static void paint_picture(zo_image *image) {
    for (int y = 0; y < (int)PICTURE; y++) {
        for (int x = 0; x < (int)PICTURE; x++) {
            const int over = 120 * 120 - ((x - 128) * (x - 128) + (y - 128) * (y - 128));
            uint8_t *pixel = image->pixels + (size_t)y * image->stride + (size_t)x * 4;
            pixel[0] = (uint8_t)(x ^ y);
            pixel[1] = (uint8_t)x;
            pixel[2] = (uint8_t)y;
            pixel[3] = (uint8_t)(over < 0 ? 0 : over > 255 ? 255 : over);
        }
    }
    zo_image_premultiply(image);
}

// The corners of a square of `half` px on either side of the middle, turned by the angle with this sine and cosine.
static void put_square(zo_vertex *out, double half, double picture_half, double sine, double cosine, float share) {
    static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++) {
        const double x = signs[k][0] * half, y = signs[k][1] * half;
        out[k] = (zo_vertex){(float)(SIDE / 2 + cosine * x - sine * y), (float)(SIDE / 2 + sine * x + cosine * y),
                             (float)(PICTURE / 2 + signs[k][0] * picture_half),
                             (float)(PICTURE / 2 + signs[k][1] * picture_half), share, share, share, share};
    }
}

static void put_scene(scene *s, double side, double sine, double cosine, float opacity) {
    const double half = side / 2, texels = PICTURE / side;
    put_square(s->vertices, half - 0.5, PICTURE / 2.0 - 0.5 * texels, sine, cosine, opacity);
    put_square(s->vertices + 4, half + 0.5, PICTURE / 2.0 + 0.5 * texels, sine, cosine, 0);
    static const uint32_t indices[30] = {0, 1, 2, 0, 2, 3, 4, 5, 1, 4, 1, 0, 5, 6, 2, 5, 2, 1,
                                         6, 7, 3, 6, 3, 2, 7, 4, 0, 7, 0, 3};
    memcpy(s->indices, indices, sizeof indices);
    s->command = (zo_command){.image = 1, .index_count = 30};
    s->list = (zo_draw_list){.vertices = s->vertices, .vertex_count = 8, .indices = s->indices, .index_count = 30,
                             .commands = &s->command, .command_count = 1};
}

static void measure(scene *s, const char *name) {
    double best = 0;
    for (int round = 0; round < 5; round++) {
        const double start = cpu_seconds();
        double end = start;
        int frames = 0;
        while (end - start < 0.2) {
            zo_image_fill(&s->target, (const uint8_t[4]){0, 0, 0, 0});
            zo_raster(&s->list, &s->picture, 1, &s->target);
            frames++;
            end = cpu_seconds();
        }
        const double rate = frames / (end - start);
        best = rate > best ? rate : best;
    }
    printf("%s %.0f frames/s\n", name, best);
}

int main(void) {
    scene s = {.picture = new_image(PICTURE), .target = new_image(SIDE)};
    paint_picture(&s.picture);
    put_scene(&s, 320, 0.0871557427, 0.9961946981, 1); // 5 degrees
    measure(&s, "raster_320_turned");
    put_scene(&s, 320, 0, 1, 1);
    measure(&s, "raster_320_upright");
    put_scene(&s, 320, 0.0871557427, 0.9961946981, 0.5f);
    measure(&s, "raster_320_faint");
    put_scene(&s, 96, 0.0871557427, 0.9961946981, 1);
    measure(&s, "raster_96_turned");
    put_scene(&s, 200, 0.0871557427, 0.9961946981, 1);
    measure(&s, "raster_200_turned");
    s.command.filter = ZO_FILTER_NEAREST;
    put_scene(&s, 320, 0.0871557427, 0.9961946981, 1);
    s.command.filter = ZO_FILTER_NEAREST;
    measure(&s, "raster_320_nearest");
    for (int k = 0; k < 30; k++) { s.indices[k] = 0; }
    measure(&s, "clear_only");
    free(s.picture.pixels);
    free(s.target.pixels);
    return 0;
}
