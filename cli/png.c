// PNG files through libpng: any kind of PNG to straight RGBA, and straight RGBA to a file or to a file a frame. Called
// by render.c and by whatever reads pictures; knows nothing of animations. Errors of libpng arrive by longjmp, so all
// that must be released then lives in a struct outside the function that calls setjmp.
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "frame.h"

enum { SIDE_MAX = 8192 };

// Deflate makes at most 1032 bytes of one; with room for filter bytes and the small passes of an interlaced picture.
enum { GROWTH_MAX = 1100 };

typedef struct reading {
    png_structp png;
    png_infop info;
    const char *name;
    const uint8_t *bytes;
    size_t size, at;
    uint8_t *pixels;
} reading;

static void on_read_error(png_structp png, png_const_charp message) {
    const reading *r = png_get_error_ptr(png);
    cli_say("'%s' is a damaged PNG picture: %s", r->name, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message; // of chunks that change no pixel
}

static void read_bytes(png_structp png, png_bytep to, size_t size) {
    reading *r = png_get_io_ptr(png);
    if (size > r->size - r->at) { png_error(png, "it ends too early"); }
    memcpy(to, r->bytes + r->at, size);
    r->at += size;
}

// Text, profiles and the like are skipped unread: they change nothing here, and may be made to unpack for ever.
static void skip_chunks(png_structp png) {
    static const png_byte names[] = "iCCP\0zTXt\0iTXt\0tEXt\0eXIf\0sPLT\0hIST\0pCAL\0"
                                    "sCAL\0tIME\0pHYs\0oFFs\0bKGD\0gAMA\0cHRM\0sRGB";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

static void ask_for_rgba(png_structp png) {
    png_set_expand(png); // palettes, 1, 2 and 4 bit greys, tRNS
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
}

static bool decode(reading *r, zo_image *image) {
    if (setjmp(png_jmpbuf(r->png))) { return false; }
    png_set_read_fn(r->png, r, read_bytes);
    png_set_user_limits(r->png, 0x7FFFFFFF, 0x7FFFFFFF); // we say it better
    png_set_chunk_malloc_max(r->png, 0); // no limit: what may be long is skipped
    skip_chunks(r->png);
    png_read_info(r->png, r->info);
    const uint32_t width = png_get_image_width(r->png, r->info);
    const uint32_t height = png_get_image_height(r->png, r->info);
    if (width > SIDE_MAX || height > SIDE_MAX) {
        cli_say("'%s' has %u x %u pixels; at most %d x %d can be read", r->name, (unsigned)width, (unsigned)height,
                SIDE_MAX, SIDE_MAX);
        return false;
    }
    if (png_get_rowbytes(r->png, r->info) * height / GROWTH_MAX > r->size) { png_error(r->png, "it ends too early"); }
    ask_for_rgba(r->png);
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    const size_t stride = (size_t)width * 4;
    if (png_get_rowbytes(r->png, r->info) != stride) { png_error(r->png, "its kind of pixels is not known"); }
    r->pixels = malloc(stride * height);
    if (r->pixels == NULL) { png_error(r->png, "not enough memory"); }
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++) { png_read_row(r->png, r->pixels + stride * y, NULL); }
    }
    png_read_end(r->png, NULL);
    *image = (zo_image){.pixels = r->pixels, .width = width, .height = height, .stride = stride};
    return true;
}

bool cli_decode_png(const char *name, const void *bytes, size_t size, zo_image *image) {
    *image = (zo_image){0};
    if (size < 8 || png_sig_cmp(bytes, 0, 8) != 0) {
        cli_say("'%s' is not a PNG picture", name);
        return false;
    }
    reading r = {.name = name, .bytes = bytes, .size = size};
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_read_error, on_warning);
    r.info = r.png != NULL ? png_create_info_struct(r.png) : NULL;
    bool fine = false;
    if (r.info != NULL) {
        fine = decode(&r, image);
    } else {
        cli_say("not enough memory to read '%s'", name);
    }
    png_destroy_read_struct(&r.png, &r.info, NULL);
    if (!fine) { free(r.pixels); }
    return fine;
}

typedef struct writing {
    png_structp png;
    png_infop info;
    cli_file *file;
    int code;
} writing;

static void on_write_error(png_structp png, png_const_charp message) {
    writing *w = png_get_error_ptr(png);
    if (w->code == CLI_FINE) { // else the file has said it
        cli_say("cannot make a PNG picture of '%s': %s", w->file->path, message);
        w->code = CLI_INTERNAL;
    }
    png_longjmp(png, 1);
}

static void write_bytes(png_structp png, png_bytep from, size_t size) {
    writing *w = png_get_io_ptr(png);
    if (!cli_file_write(w->file, from, size)) {
        w->code = CLI_FILES;
        png_error(png, "not written");
    }
}

static void flush_nothing(png_structp png) { (void)png; }

static void encode(writing *w, const zo_image *image) {
    if (setjmp(png_jmpbuf(w->png))) { return; }
    png_set_write_fn(w->png, w, write_bytes, flush_nothing);
    png_set_user_limits(w->png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_IHDR(w->png, w->info, image->width, image->height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(w->png, 6);
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
    png_write_info(w->png, w->info);
    for (uint32_t y = 0; y < image->height; y++) { png_write_row(w->png, image->pixels + image->stride * y); }
    png_write_end(w->png, w->info);
}

int cli_put_png(cli_file *file, const zo_image *image) {
    writing w = {.file = file, .code = CLI_FINE};
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, on_write_error, on_warning);
    w.info = w.png != NULL ? png_create_info_struct(w.png) : NULL;
    if (w.info != NULL) {
        encode(&w, image);
    } else {
        cli_say("not enough memory to write '%s'", file->path);
        w.code = CLI_INTERNAL;
    }
    png_destroy_write_struct(&w.png, &w.info);
    return w.code;
}

int cli_write_png(const char *path, const zo_image *image) {
    cli_file file;
    int code = cli_file_open(&file, path) ? CLI_FINE : CLI_FILES;
    if (code == CLI_FINE) { code = cli_put_png(&file, image); }
    if (code != CLI_FINE) {
        cli_file_discard(&file);
    } else if (!cli_file_commit(&file)) {
        code = CLI_FILES;
    }
    return code;
}

// A pattern is text with one %d or %0Nd in it; %% is a per cent sign. It is read here and never given to printf.
typedef struct pattern {
    const char *head, *tail; // before and behind the number
    size_t head_size;
    int digits;
} pattern;

static bool pattern_parse(const char *text, pattern *p) {
    *p = (pattern){0};
    for (const char *at = text; *at != 0; at++) {
        if (*at != '%') { continue; }
        if (at[1] == '%') {
            at++;
            continue;
        }
        const bool padded = at[1] == '0' && at[2] >= '1' && at[2] <= '9' && at[3] == 'd';
        if (p->tail != NULL || !(padded || at[1] == 'd')) { return false; }
        *p = (pattern){.head = text, .head_size = (size_t)(at - text), .digits = padded ? at[2] - '0' : 1};
        at += padded ? 3 : 1;
        p->tail = at + 1;
    }
    return p->tail != NULL;
}

static char *copy_unescaped(char *to, const char *from, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (from[i] == '%') { i++; } // the second of two
        *to++ = from[i];
    }
    return to;
}

static void pattern_path(const pattern *p, uint32_t number, char *path) {
    char *at = copy_unescaped(path, p->head, p->head_size);
    at += sprintf(at, "%0*u", p->digits, (unsigned)number);
    at = copy_unescaped(at, p->tail, strlen(p->tail));
    *at = 0;
}

int cli_write_png_each(const char *text, const cli_frames *frames) {
    pattern p;
    if (!pattern_parse(text, &p)) {
        return cli_usage(NULL,
                         "'%s' must hold the frame's number once, as %%d or %%04d (one to nine digits); "
                         "a per cent sign is %%%%",
                         text);
    }
    zo_image image;
    if (!cli_frame_new(frames, &image)) { return CLI_INTERNAL; }
    char *path = malloc(strlen(text) + 16);
    int code = CLI_FINE;
    if (path == NULL) {
        cli_say("not enough memory to write '%s'", text);
        code = CLI_INTERNAL;
    }
    // A failure leaves the pictures before it, each of them whole, and says which one could not be made.
    for (uint32_t i = 0; code == CLI_FINE && i < frames->count; i++) {
        pattern_path(&p, frames->first_number + i, path);
        code = frames->draw(frames->context, i, &image) ? cli_write_png(path, &image) : CLI_INTERNAL;
        cli_frame_progress(frames, i + 1, frames->count);
    }
    free(path);
    free(image.pixels);
    return code;
}
