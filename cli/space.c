// See space.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space.h"

enum { TIMES = 2, PIXELS_MAX = 1 << 24 }; // beyond so many borders are fine enough

void cli_space_close(cli_space *space) {
    free(space->large.pixels);
    free(space->depths);
    space->large = (zo_image){0};
    space->depths = NULL;
}

uint32_t cli_space_times(const zo_program *program, const zo_image *image) {
    return zo_mesh_count(program) > 0 && (uint64_t)image->width * image->height <= PIXELS_MAX ? TIMES : 1;
}

static bool reserve(cli_space *space, uint32_t width, uint32_t height) {
    if (space->depths != NULL && space->large.width == width && space->large.height == height) { return true; }
    cli_space_close(space);
    space->large = (zo_image){.width = width, .height = height, .stride = (size_t)width * 4};
    space->large.pixels = calloc(height, space->large.stride);
    space->depths = calloc((size_t)width * height, sizeof *space->depths);
    if (space->large.pixels != NULL && space->depths != NULL) { return true; }
    cli_space_close(space);
    cli_say("a picture of %u x %u: not enough memory", width, height);
    return false;
}

static uint8_t over(uint32_t color, uint32_t alpha, uint8_t under) {
    const uint32_t sum = color + (under * (255 - alpha) + 127) / 255;
    return (uint8_t)(sum < 255 ? sum : 255);
}

// The average of a pixel's TIMES * TIMES parts.
static void reduce(const zo_image *large, zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        uint8_t *to = image->pixels + y * image->stride;
        for (uint32_t x = 0; x < image->width; x++, to += 4) {
            uint32_t sums[4] = {0};
            for (uint32_t part = 0; part < TIMES * TIMES; part++) {
                const uint32_t row = y * TIMES + part / TIMES, column = x * TIMES + part % TIMES;
                const uint8_t *from = large->pixels + row * large->stride + (size_t)column * 4;
                for (uint32_t c = 0; c < 4; c++) { sums[c] += from[c]; }
            }
            for (uint32_t c = 0; c < 4; c++) { sums[c] = (sums[c] + TIMES * TIMES / 2) / (TIMES * TIMES); }
            for (uint32_t c = 0; c < 4; c++) { to[c] = over(sums[c], sums[3], to[c]); }
        }
    }
}

bool cli_space_draw(cli_space *space, uint32_t times, const zo_draw_list *list, const zo_image *images, uint32_t count,
                    zo_image *image) {
    if (list->depths == NULL) {
        zo_raster(list, images, count, image);
        return true;
    }
    if (!reserve(space, image->width * times, image->height * times)) { return false; }
    zo_image *target = times > 1 ? &space->large : image;
    memset(space->depths, 0xFF, (size_t)target->width * target->height * sizeof *space->depths); // ZO_DEPTH_FAR
    if (times > 1) { zo_image_fill(target, (const uint8_t[4]){0, 0, 0, 0}); }
    zo_raster_depth(list, images, count, target, space->depths);
    if (times > 1) { reduce(target, image); }
    return true;
}

bool cli_camera(const cli_args *args, zo_camera *camera) {
    static const struct { double low, high; } limits[4] = {{-1e6, 1e6}, {-90, 90}, {0.001, 1000}, {0, 170}};
    *camera = (zo_camera)ZO_CAMERA_DEFAULT;
    const char *text = args->values[CLI_OPT_CAMERA];
    if (text == NULL) { return true; }
    double *parts[4] = {&camera->yaw, &camera->pitch, &camera->zoom, &camera->field};
    uint32_t count = 0;
    bool fine = true;
    for (const char *at = text; fine && at != NULL; count++) {
        char number[32];
        const char *comma = strchr(at, ',');
        const size_t size = comma != NULL ? (size_t)(comma - at) : strlen(at);
        fine = count < 4 && size < sizeof number;
        if (!fine) { break; }
        memcpy(number, at, size);
        number[size] = 0;
        fine = cli_decimal(number, parts[count]) && *parts[count] >= limits[count].low &&
               *parts[count] <= limits[count].high;
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (fine && count >= 2) { return true; }
    cli_usage(args,
              "--camera wants YAW,PITCH[,ZOOM[,FIELD]]: degrees, pitch -90 to 90, zoom 0.001 to 1000, field of view 0 "
              "(no perspective) to 170 degrees; not '%s'", text);
    return false;
}
