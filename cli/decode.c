// See decode.h. PNG is png.c's; the other two are here. Errors of libjpeg arrive by longjmp, so all that must be
// released then lives in a struct outside the function that calls setjmp.
#include <stdio.h> // jpeglib.h wants it

#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "decode.h"
#include "host/picture.h"
#include "movie.h"

enum { SIDE_MAX = 8192 };
enum { SCANS_MAX = 400 };               // of a progressive JPEG; each goes over all of it
enum { JPEG_MEMORY_MAX = 384 << 20 };   // bytes, beside the pixels

static bool say_sides(const char *name, uint32_t width, uint32_t height) {
    cli_say("'%s' has %u x %u pixels; at most %d x %d can be read", name, (unsigned)width, (unsigned)height, SIDE_MAX,
            SIDE_MAX);
    return false;
}

static bool take_pixels(const char *name, uint32_t width, uint32_t height, zo_image *image) {
    const size_t stride = (size_t)width * 4;
    *image = (zo_image){.pixels = malloc(stride * height), .width = width, .height = height, .stride = stride};
    if (image->pixels == NULL) { cli_say("not enough memory to read '%s'", name); }
    return image->pixels != NULL;
}

// ---------------------------------------------------------------------------------------------------------------- JPEG

typedef struct jpeg_reading {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    const char *name; // NULL: nothing is said
    uint8_t *row;     // of CMYK
} jpeg_reading;

static void on_jpeg_error(j_common_ptr jpeg) {
    jpeg_reading *r = jpeg->client_data;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    if (r->name != NULL) { cli_say("'%s' is a damaged JPEG picture: %s", r->name, message); }
    longjmp(r->back, 1);
}

static void on_jpeg_warning(j_common_ptr jpeg, int level) {
    (void)jpeg;
    (void)level; // what is missing shows grey, as everywhere
}

// A small file can have so many scans of a large picture that decoding never ends.
static void on_jpeg_progress(j_common_ptr jpeg) {
    jpeg_reading *r = jpeg->client_data;
    if (r->jpeg.input_scan_number > SCANS_MAX) {
        if (r->name != NULL) { cli_say("'%s' has more than %d scans", r->name, SCANS_MAX); }
        longjmp(r->back, 1);
    }
}

static void open_jpeg(jpeg_reading *r, const void *bytes, size_t size) {
    r->jpeg.err = jpeg_std_error(&r->errors);
    r->errors.error_exit = on_jpeg_error;
    r->errors.emit_message = on_jpeg_warning;
    r->progress.progress_monitor = on_jpeg_progress;
    r->jpeg.client_data = r;
    jpeg_create_decompress(&r->jpeg);
    r->jpeg.progress = &r->progress;
    r->jpeg.mem->max_memory_to_use = JPEG_MEMORY_MAX;
    jpeg_mem_src(&r->jpeg, bytes, (unsigned long)size);
    jpeg_read_header(&r->jpeg, TRUE);
}

// Adobe's CMYK is upside down: 255 is no ink.
static void cmyk_to_rgba(const uint8_t *from, uint8_t *to, uint32_t width) {
    for (uint32_t x = 0; x < width; x++, from += 4, to += 4) {
        for (int c = 0; c < 3; c++) { to[c] = (uint8_t)((from[c] * from[3] + 127) / 255); }
        to[3] = 255;
    }
}

static bool decode_jpeg(jpeg_reading *r, const void *bytes, size_t size, zo_image *image) {
    if (setjmp(r->back)) { return false; }
    open_jpeg(r, bytes, size);
    const uint32_t width = r->jpeg.image_width, height = r->jpeg.image_height;
    if (width > SIDE_MAX || height > SIDE_MAX) { return say_sides(r->name, width, height); }
    const bool cmyk = r->jpeg.jpeg_color_space == JCS_CMYK || r->jpeg.jpeg_color_space == JCS_YCCK;
    r->jpeg.out_color_space = cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    r->jpeg.dct_method = JDCT_ISLOW;
    if (!take_pixels(r->name, width, height, image)) { return false; }
    if (cmyk && (r->row = malloc(image->stride)) == NULL) { return false; }
    jpeg_start_decompress(&r->jpeg);
    while (r->jpeg.output_scanline < height) {
        uint8_t *to = image->pixels + image->stride * r->jpeg.output_scanline;
        JSAMPROW row = cmyk ? r->row : to;
        jpeg_read_scanlines(&r->jpeg, &row, 1);
        if (cmyk) { cmyk_to_rgba(r->row, to, width); }
    }
    jpeg_finish_decompress(&r->jpeg);
    return true;
}

static bool read_jpeg(const char *name, const void *bytes, size_t size, zo_image *image) {
    jpeg_reading r = {.name = name};
    const bool fine = decode_jpeg(&r, bytes, size, image);
    jpeg_destroy_decompress(&r.jpeg);
    free(r.row);
    return fine;
}

// ---------------------------------------------------------------------------------------------------------------- WebP

static bool look_at_webp(const void *bytes, size_t size, WebPBitstreamFeatures *features) {
    return WebPGetFeatures(bytes, size, features) == VP8_STATUS_OK && features->width > 0 && features->height > 0;
}

static bool first_of_animation(const void *bytes, size_t size, zo_image *image) {
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) { return false; }
    options.color_mode = MODE_RGBA;
    const WebPData data = {bytes, size};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    uint8_t *pixels;
    int time;
    const bool fine = decoder != NULL && WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0;
    if (fine) { memcpy(image->pixels, pixels, image->stride * image->height); }
    WebPAnimDecoderDelete(decoder);
    return fine;
}

static bool read_webp(const char *name, const void *bytes, size_t size, zo_image *image) {
    WebPBitstreamFeatures features;
    bool fine = look_at_webp(bytes, size, &features);
    if (fine) {
        const uint32_t width = (uint32_t)features.width, height = (uint32_t)features.height;
        if (width > SIDE_MAX || height > SIDE_MAX) { return say_sides(name, width, height); }
        if (!take_pixels(name, width, height, image)) { return false; }
        fine = features.has_animation ? first_of_animation(bytes, size, image)
                                      : WebPDecodeRGBAInto(bytes, size, image->pixels, image->stride * height,
                                                           (int)image->stride) != NULL;
    }
    if (!fine) { cli_say("'%s' is a damaged WebP picture", name); }
    return fine;
}

// ----------------------------------------------------------------------------------------------------------------- all

bool cli_decode(const char *name, const void *bytes, size_t size, zo_image *image) {
    bool fine = false;
    *image = (zo_image){0};
    switch (picture_kind(bytes, size)) {
    case ZO_PICTURE_PNG: return cli_decode_png(name, bytes, size, image);
    case ZO_PICTURE_WEBP: fine = read_webp(name, bytes, size, image); break;
    case ZO_PICTURE_JPEG: fine = read_jpeg(name, bytes, size, image); break;
    case ZO_PICTURE_OTHER: cli_say("'%s' is not a PNG, WebP or JPEG picture", name); break;
    }
    if (!fine) {
        free(image->pixels);
        *image = (zo_image){0};
    }
    return fine;
}
