// The writers of movie.h, read back by others: WebP by libwebpdemux, GIF by a small reader written here from the
// format's description (and by ffmpeg where there is one), PNG by libpng. Stands in for the program: cli_say and
// cli_usage are here.
#include <dirent.h>
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <webp/demux.h>
#include <zlib.h>

#include <cmocka.h>

#include "files.h"
#include "frame.h"
#include "quantise.h"

static char said[4096];

static void say(const char *format, va_list list) {
    const size_t used = strlen(said);
    vsnprintf(said + used, sizeof said - used, format, list);
}

void cli_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
}

int cli_usage(const cli_args *args, const char *format, ...) {
    (void)args;
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    return CLI_USAGE;
}

static bool was_said(const char *text) {
    const bool found = strstr(said, text) != NULL;
    said[0] = 0;
    return found;
}

// A folder of its own, which must hold what a test says and nothing else: no temporary file stays behind.

static char folder[256];

static int make_folder(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/movie-test-XXXXXX", base != NULL ? base : P_tmpdir);
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static const char *in_folder(const char *name) {
    static char path[4][512];
    static unsigned turn;
    char *to = path[turn++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static uint32_t count_files(void) {
    DIR *d = opendir(folder);
    assert_non_null(d);
    uint32_t n = 0;
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0; // temporary files are hidden ones
    }
    closedir(d);
    return n;
}

static cli_bytes take_file(const char *path) {
    cli_bytes bytes;
    assert_true(cli_read_file(path, 1 << 28, &bytes));
    assert_int_equal(unlink(path), 0);
    return bytes;
}

// Scenes

typedef void paint_fn(uint32_t index, zo_image *image);

typedef struct scene {
    cli_frames frames;
    paint_fn *paint;
    int64_t *start_ns;
    uint32_t fail_at; // the frame that cannot be drawn
    uint32_t drawn;
    uint32_t progress, progress_total;
} scene;

static bool draw_scene(void *context, uint32_t index, zo_image *image) {
    scene *s = context;
    s->drawn++;
    assert_true(index < s->frames.count);
    if (index == s->fail_at) { return false; }
    memset(image->pixels, 0, image->stride * image->height);
    s->paint(index, image);
    return true;
}

static void note_progress(void *context, uint32_t done, uint32_t total) {
    scene *s = context;
    assert_true(done >= s->progress && done <= total);
    s->progress = done;
    s->progress_total = total;
}

// Frame k starts at ceil(k 10^9 / fps), as in a render.
static scene scene_make(uint32_t width, uint32_t height, uint32_t count, int64_t fps, paint_fn *paint) {
    scene s = {.paint = paint, .fail_at = UINT32_MAX};
    s.start_ns = malloc(((size_t)count + 1) * sizeof *s.start_ns);
    assert_non_null(s.start_ns);
    for (uint32_t k = 0; k <= count; k++) { s.start_ns[k] = ((int64_t)k * 1000000000 + fps - 1) / fps; }
    s.frames = (cli_frames){.width = width,
                            .height = height,
                            .count = count,
                            .draw = draw_scene,
                            .start_ns = s.start_ns,
                            .progress = note_progress};
    return s;
}

// The frames point at their scene only once it has its final place.
static const cli_frames *frames_of(scene *s) {
    s->frames.context = s;
    s->progress = 0;
    return &s->frames;
}

static zo_image image_make(uint32_t width, uint32_t height) {
    const zo_image image = {calloc((size_t)width * height, 4), width, height, (size_t)width * 4};
    assert_non_null(image.pixels);
    return image;
}

static void put_pixel(zo_image *image, int x, int y, unsigned r, unsigned g, unsigned b, unsigned a) {
    if (x < 0 || y < 0 || x >= (int)image->width || y >= (int)image->height) { return; }
    uint8_t *p = image->pixels + image->stride * (size_t)y + (size_t)x * 4;
    p[0] = (uint8_t)r;
    p[1] = (uint8_t)g;
    p[2] = (uint8_t)b;
    p[3] = (uint8_t)a;
}

// A shaded disc with a soft edge, on nothing.
static void put_disc(zo_image *image, int left, int top, int radius, unsigned hue) {
    for (int y = -radius; y <= radius; y++) {
        for (int x = -radius; x <= radius; x++) {
            const int inside = radius * radius - x * x - y * y;
            if (inside < 0) { continue; }
            const unsigned alpha = inside * 8 > 255 ? 255 : (unsigned)(inside * 8);
            const unsigned shade = (unsigned)(128 + 100 * x / radius), other = (unsigned)(128 + 100 * y / radius);
            put_pixel(image, left + x, top + y, shade, hue, other, alpha);
        }
    }
}

static void paint_two_discs(uint32_t i, zo_image *image) {
    put_disc(image, 10 + (int)i * 2 % 50, 14, 9, 40 + i % 8);
    put_disc(image, 50, 40 - (int)i * 3 % 40, 7, 200);
}

static void paint_blinking(uint32_t i, zo_image *image) { // nothing, one, still there, nothing, another
    if (i % 5 == 1 || i % 5 == 2) { put_disc(image, 20, 20, 9, 30); }
    if (i % 5 == 4) { put_disc(image, 40, 24, 9, 90); }
}

// One stands still while a bar grows elsewhere, which clears nothing; then it is gone at once.
static void paint_leaving(uint32_t i, zo_image *image) {
    if (i % 7 != 6) { put_disc(image, 50, 36, 8, 60); }
    for (int x = 0; x < (int)i % 7 + 1; x++) { put_pixel(image, 4 + x, 6, 250, 200, 0, 255); }
}

static void paint_on_wall(uint32_t i, zo_image *image) {
    for (int y = 0; y < (int)image->height; y++) {
        for (int x = 0; x < (int)image->width; x++) {
            put_pixel(image, x, y, (unsigned)x * 3, (unsigned)y * 4, 90, 255);
        }
    }
    for (int x = 0; x < 8; x++) { put_pixel(image, x + (int)i, 12, 255, 0, 0, 255); }
}

static void paint_under_clear(uint32_t i, zo_image *image) { // colours where there is no alpha
    for (int y = 0; y < (int)image->height; y++) {
        for (int x = 0; x < (int)image->width; x++) {
            put_pixel(image, x, y, (unsigned)x * 3, (i * 16) & 255, (unsigned)y, (unsigned)(x + y) % 3 * 100);
        }
    }
    put_disc(image, 10 + (int)i, 20, 8, 77);
}

static void paint_noise(uint32_t i, zo_image *image) {
    uint32_t x = i + 1;
    for (size_t k = 0; k < image->stride * image->height; k++) {
        x = x * 1664525u + 1013904223u;
        image->pixels[k] = (uint8_t)(x >> 24);
    }
}

// 255 greys in an order in which no pair comes again for long: nothing to compress, a code for each pixel.
static void paint_incompressible(uint32_t i, zo_image *image) {
    uint32_t value = i, step = 1;
    for (uint32_t k = 0; k < image->width * image->height; k++) {
        put_pixel(image, (int)(k % image->width), (int)(k / image->width), value, value, value, 255);
        value = (value + step) % 255;
        if (k % 255 == 254) { step = step % 254 + 1; }
    }
}

static void paint_still(uint32_t i, zo_image *image) {
    (void)i;
    put_disc(image, 20, 20, 12, 120);
}

static void paint_few_colors(uint32_t i, zo_image *image) { // 240 colours, close to each other
    for (uint32_t k = 0; k < 240; k++) {
        put_pixel(image, (int)(k % 20 + i), (int)(k / 20), 100 + k % 16, 100 + k / 16, 7, 255);
    }
}

// A reader of GIF files: the pictures a viewer shows, whole.

typedef struct shot {
    uint8_t *pixels; // RGBA
    uint32_t centiseconds;
} shot;

typedef struct film {
    uint32_t width, height, shot_count;
    uint32_t painted; // pixels in all rectangles
    int loops;        // -1: no extension
    shot shots[512];
} film;

typedef struct reader {
    const uint8_t *at, *end;
    const uint8_t *palette;
    uint32_t palette_size;
    uint8_t *canvas;
    uint32_t delay, disposal;
    int clear_index;
} reader;

static uint32_t get_8(reader *r) {
    assert_true(r->at < r->end);
    return *r->at++;
}

static uint32_t get_16(reader *r) {
    const uint32_t low = get_8(r);
    return low | get_8(r) << 8;
}

// Joins the blocks of a picture; freed by the caller.
static uint8_t *get_blocks(reader *r, size_t *size) {
    uint8_t *all = malloc((size_t)(r->end - r->at));
    assert_non_null(all);
    *size = 0;
    for (uint32_t n = get_8(r); n > 0; n = get_8(r)) {
        assert_true(n <= (size_t)(r->end - r->at));
        memcpy(all + *size, r->at, n);
        r->at += n;
        *size += n;
    }
    return all;
}

static void unpack(reader *r, uint8_t *indices, uint32_t count) {
    static uint16_t prefixes[4096];
    static uint8_t lasts[4096], stack[4097];
    const uint32_t index_bits = get_8(r);
    assert_in_range(index_bits, 2, 8);
    size_t size, at = 0;
    uint8_t *bytes = get_blocks(r, &size);
    const uint32_t clear = 1u << index_bits;
    uint32_t code_bits = index_bits + 1, next = clear + 2, previous = UINT32_MAX, bits = 0, bit_count = 0, done = 0;
    for (bool first = true;; first = false) {
        while (bit_count < code_bits) {
            assert_true(at < size);
            bits |= (uint32_t)bytes[at++] << bit_count;
            bit_count += 8;
        }
        const uint32_t code = bits & ((1u << code_bits) - 1);
        bits >>= code_bits;
        bit_count -= code_bits;
        if (first) { assert_int_equal(code, clear); }
        if (code == clear + 1) { break; }
        if (code == clear) {
            code_bits = index_bits + 1;
            next = clear + 2;
            previous = UINT32_MAX;
            continue;
        }
        assert_true(code < clear || (previous != UINT32_MAX && code <= next && code > clear + 1));
        uint32_t depth = 0, walk = code == next ? previous : code;
        if (code == next) { depth = 1; } // the first sign of the string, known below
        for (; walk >= clear; walk = prefixes[walk]) { stack[depth++] = lasts[walk]; }
        stack[depth++] = (uint8_t)walk;
        if (code == next) { stack[0] = (uint8_t)walk; }
        if (previous != UINT32_MAX && next < 4096) {
            prefixes[next] = (uint16_t)previous;
            lasts[next++] = (uint8_t)walk;
            if (next == 1u << code_bits && code_bits < 12) { code_bits++; }
        }
        previous = code;
        while (depth > 0) {
            assert_true(done < count);
            indices[done++] = stack[--depth];
        }
    }
    assert_int_equal(done, count);
    assert_int_equal(at, size);
    free(bytes);
}

static void read_picture(reader *r, film *f) {
    const uint32_t left = get_16(r), top = get_16(r), width = get_16(r), height = get_16(r);
    assert_int_equal(get_8(r), 0);
    assert_true(width > 0 && height > 0 && left + width <= f->width && top + height <= f->height);
    uint8_t *indices = malloc((size_t)width * height);
    assert_non_null(indices);
    unpack(r, indices, width * height);
    f->painted += width * height;
    for (uint32_t k = 0; k < width * height; k++) {
        assert_true(indices[k] < r->palette_size);
        uint8_t *p = r->canvas + ((size_t)(top + k / width) * f->width + left + k % width) * 4;
        if ((int)indices[k] == r->clear_index) { continue; }
        memcpy(p, r->palette + (size_t)indices[k] * 3, 3);
        p[3] = 255;
    }
    free(indices);
    const size_t size = (size_t)f->width * f->height * 4;
    assert_true(f->shot_count < 512);
    shot *s = &f->shots[f->shot_count++];
    *s = (shot){malloc(size), r->delay};
    memcpy(s->pixels, r->canvas, size);
    if (r->disposal != 2) { return; }
    for (uint32_t y = top; y < top + height; y++) {
        memset(r->canvas + ((size_t)y * f->width + left) * 4, 0, (size_t)width * 4);
    }
}

static void read_extension(reader *r, film *f) {
    const uint32_t label = get_8(r);
    if (label == 0xF9) {
        assert_int_equal(get_8(r), 4);
        const uint32_t flags = get_8(r);
        r->disposal = flags >> 2 & 7;
        assert_in_range(r->disposal, 1, 2);
        r->delay = get_16(r);
        const uint32_t clear = get_8(r);
        r->clear_index = flags & 1 ? (int)clear : -1;
        assert_int_equal(get_8(r), 0);
        return;
    }
    assert_int_equal(label, 0xFF);
    assert_true(r->end - r->at > 17);
    assert_memory_equal(r->at, "\x0BNETSCAPE2.0\x03\x01", 14);
    r->at += 14;
    f->loops = (int)get_16(r);
    assert_int_equal(get_8(r), 0);
}

// `rounds` times over, on the canvas that the round before has left.
static film *read_film(const cli_bytes *bytes, int rounds) {
    film *f = calloc(1, sizeof *f);
    assert_non_null(f);
    reader r = {.at = bytes->data, .end = bytes->data + bytes->size};
    assert_true(bytes->size > 13);
    assert_memory_equal(r.at, "GIF89a", 6);
    r.at += 6;
    f->width = get_16(&r);
    f->height = get_16(&r);
    const uint32_t flags = get_8(&r);
    assert_true(flags & 0x80);
    r.at += 2;
    r.palette = r.at;
    r.palette_size = 2u << (flags & 7);
    r.at += (size_t)r.palette_size * 3;
    f->loops = -1;
    r.canvas = calloc((size_t)f->width * f->height, 4);
    assert_non_null(r.canvas);
    const uint8_t *begin = r.at;
    for (int round = 0; round < rounds; round++) {
        r.at = begin;
        for (uint32_t kind = get_8(&r); kind != ';'; kind = get_8(&r)) {
            if (kind == 0x21) {
                read_extension(&r, f);
            } else {
                assert_int_equal(kind, ',');
                read_picture(&r, f);
            }
        }
        assert_ptr_equal(r.at, r.end);
    }
    free(r.canvas);
    return f;
}

static void film_free(film *f) {
    for (uint32_t i = 0; i < f->shot_count; i++) { free(f->shots[i].pixels); }
    free(f);
}

static uint32_t film_length(const film *f) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < f->shot_count; i++) { sum += f->shots[i].centiseconds; }
    return sum;
}

static const uint8_t *film_at(const film *f, uint32_t centiseconds) {
    uint32_t i = 0;
    while (centiseconds >= f->shots[i].centiseconds) { centiseconds -= f->shots[i++].centiseconds; }
    assert_true(i < f->shot_count);
    return f->shots[i].pixels;
}

static film *film_of(scene *s, uint32_t loop_count, int rounds) {
    const char *path = in_folder("a.gif");
    const cli_movie_def def = {.loop_count = loop_count};
    assert_int_equal(cli_write_gif(path, frames_of(s), &def), CLI_FINE);
    assert_int_equal(s->progress, s->progress_total);
    cli_bytes bytes = take_file(path);
    film *f = read_film(&bytes, rounds);
    cli_bytes_free(&bytes);
    assert_int_equal(f->width, s->frames.width);
    assert_int_equal(f->height, s->frames.height);
    return f;
}

// What the quantiser makes of each planned frame, painted without any of the GIF's savings.
static void assert_shows_quantised(scene *s, const film *f, int rounds) {
    const cli_frames *frames = frames_of(s);
    zo_image image = image_make(frames->width, frames->height);
    uint8_t *indices = malloc((size_t)frames->width * frames->height), palette[CLI_COLORS_MAX * 3];
    assert_non_null(indices);
    uint32_t plan_count;
    cli_shown *plan = cli_frames_plan(frames, 10000000, 2, &plan_count);
    cli_quantiser *q = cli_quantiser_new();
    assert_true(plan != NULL && q != NULL);
    for (uint32_t i = 0; i < plan_count; i++) {
        draw_scene(s, plan[i].frame, &image);
        cli_quantiser_count(q, &image);
    }
    assert_in_range(cli_quantiser_finish(q, palette), 0, CLI_COLORS_MAX);
    const uint32_t length = (uint32_t)plan[plan_count].start;
    assert_int_equal(film_length(f), length * (uint32_t)rounds);
    for (uint32_t i = 0; i < plan_count * (uint32_t)rounds; i++) {
        const cli_shown *entry = &plan[i % plan_count];
        draw_scene(s, entry->frame, &image);
        cli_quantiser_map(q, &image, indices);
        const uint32_t start = (uint32_t)entry->start + i / plan_count * length;
        const uint8_t *first = film_at(f, start),
                      *last = film_at(f, start + (uint32_t)(entry[1].start - entry->start) - 1);
        assert_memory_equal(first, last, (size_t)frames->width * frames->height * 4);
        for (uint32_t k = 0; k < frames->width * frames->height; k++) {
            const uint8_t *p = first + (size_t)k * 4, *wanted = image.pixels + (size_t)k * 4;
            assert_int_equal(p[3], wanted[3] >= 128 ? 255 : 0); // no ghost, no hole
            if (p[3] == 255) { assert_memory_equal(p, palette + (indices[k] - 1) * 3, 3); }
        }
    }
    cli_quantiser_free(q);
    free(plan);
    free(indices);
    free(image.pixels);
}

static const int64_t rates[] = {12, 24, 30, 50, 60, 144};
enum { RATE_COUNT = sizeof rates / sizeof rates[0] };

static void gif_shows_every_frame_at_its_time(void **state) {
    (void)state;
    static paint_fn *const paints[] = {paint_two_discs, paint_blinking, paint_leaving, paint_on_wall,
                                       paint_under_clear};
    for (uint32_t i = 0; i < RATE_COUNT * 5; i++) {
        scene s = scene_make(64, 48, 31, rates[i % RATE_COUNT], paints[i / RATE_COUNT]);
        film *f = film_of(&s, 0, 2);
        assert_int_equal(film_length(f), (s.start_ns[31] + 5000000) / 10000000 * 2);
        for (uint32_t k = 0; k < f->shot_count; k++) { assert_true(f->shots[k].centiseconds >= 2); }
        assert_shows_quantised(&s, f, 2);
        film_free(f);
        free(s.start_ns);
    }
}

static void gif_makes_fifty_even_frames_of_sixty(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 60, 60, paint_two_discs);
    uint32_t count;
    cli_shown *plan = cli_frames_plan(frames_of(&s), 10000000, 2, &count);
    assert_int_equal(count, 50);
    for (uint32_t i = 0; i < 50; i++) {
        assert_int_equal(plan[i].start, i * 2);
        assert_in_range(plan[i].frame * 50 + 50, i * 60, i * 60 + 100); // within one frame of the true moment
    }
    assert_int_equal(plan[50].start, 100);
    free(plan);
    free(s.start_ns);
}

static void the_last_frame_is_always_shown(void **state) {
    (void)state;
    for (int64_t fps = 1; fps < 3000; fps = fps * 3 / 2 + 1) {
        for (uint32_t count = 1; count < 12; count++) {
            scene s = scene_make(1, 1, count, fps, paint_still);
            for (int64_t least = 1; least <= 2; least++) {
                uint32_t n;
                cli_shown *plan = cli_frames_plan(frames_of(&s), least == 1 ? 1000000 : 10000000, least, &n);
                assert_int_equal(plan[0].start, 0);
                assert_int_equal(plan[n - 1].frame, count - 1);
                for (uint32_t i = 0; i < n; i++) {
                    assert_true(plan[i + 1].start - plan[i].start >= least);
                    assert_true(plan[i + 1].frame > plan[i].frame);
                }
                free(plan);
            }
            free(s.start_ns);
        }
    }
}

static void gif_paints_only_what_changed(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 20, 25, paint_on_wall);
    film *f = film_of(&s, 0, 1);
    assert_int_equal(f->shot_count, 20);
    assert_true(f->painted <= 64 * 48 + 19 * 9); // the whole once, then one bar that moves by one
    film_free(f);
    free(s.start_ns);
}

static void gif_joins_equal_frames(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 30, 30, paint_still);
    film *f = film_of(&s, 3, 1);
    assert_int_equal(f->shot_count, 1);
    assert_int_equal(f->shots[0].centiseconds, 100);
    assert_int_equal(f->loops, 2); // two more times
    film_free(f);
    f = film_of(&s, 1, 1);
    assert_int_equal(f->loops, -1);
    film_free(f);
    f = film_of(&s, 0, 1);
    assert_int_equal(f->loops, 0);
    film_free(f);
    s.start_ns[30] = INT64_C(1500000000000); // longer than the field for it holds
    f = film_of(&s, 0, 2);
    assert_int_equal(film_length(f), 300000);
    assert_shows_quantised(&s, f, 2);
    film_free(f);
    free(s.start_ns);
}

static void gif_keeps_up_to_255_colors(void **state) {
    (void)state;
    scene s = scene_make(40, 12, 10, 20, paint_few_colors);
    film *f = film_of(&s, 0, 1);
    zo_image image = image_make(40, 12);
    for (uint32_t i = 0; i < 10; i++) {
        draw_scene(&s, i, &image);
        assert_memory_equal(film_at(f, i * 5), image.pixels, 40 * 12 * 4);
    }
    film_free(f);
    free(image.pixels);
    free(s.start_ns);
}

static void gif_holds_pictures_that_do_not_compress(void **state) {
    (void)state;
    const struct {
        uint32_t width, height;
        paint_fn *paint;
    } cases[] = {
        {160, 160, paint_incompressible}, {120, 90, paint_noise},         {1, 1, paint_noise},
        {1, 300, paint_incompressible},   {255, 1, paint_incompressible}, {1, 1, paint_blinking},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene s = scene_make(cases[i].width, cases[i].height, 3, 10, cases[i].paint);
        film *f = film_of(&s, 0, 2);
        assert_shows_quantised(&s, f, 2);
        film_free(f);
        free(s.start_ns);
    }
}

static void quantiser_stays_near_on_smooth_pictures(void **state) {
    (void)state;
    zo_image image = image_make(128, 128);
    for (int y = 0; y < 128; y++) {
        for (int x = 0; x < 128; x++) {
            put_pixel(&image, x, y, (unsigned)x * 2, (unsigned)y * 2, (unsigned)(x + y) / 2, 255);
        }
    }
    for (int x = 0; x < 3; x++) { put_pixel(&image, x, 5, 0, 0, 255, 255); } // small, and far from all else
    cli_quantiser *q = cli_quantiser_new();
    assert_non_null(q);
    cli_quantiser_count(q, &image);
    uint8_t palette[CLI_COLORS_MAX * 3];
    uint8_t *indices = malloc(128 * 128);
    assert_int_equal(cli_quantiser_finish(q, palette), CLI_COLORS_MAX);
    cli_quantiser_map(q, &image, indices);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 128 * 128; k++) {
        for (uint32_t c = 0; c < 3; c++) {
            const int d = image.pixels[k * 4 + c] - palette[(uint32_t)(indices[k] - 1) * 3 + c];
            sum += (uint64_t)(d * d);
        }
    }
    assert_true(sum / (128 * 128 * 3) < 40); // a plane cut in 255: cells of 16 x 16 would give 21 in red and green
    const uint8_t *blue = palette + (uint32_t)(indices[5 * 128] - 1) * 3;
    assert_true(blue[2] > 240 && blue[0] < 15 && blue[1] < 15);
    cli_quantiser_free(q);
    free(indices);
    free(image.pixels);
}

static void gif_is_read_alike_by_ffmpeg(void **state) {
    (void)state;
    if (system("ffmpeg -version >/dev/null 2>&1") != 0) { skip(); }
    static paint_fn *const paints[] = {paint_two_discs, paint_leaving, paint_on_wall, paint_noise};
    for (uint32_t i = 0; i < 4; i++) {
        scene s = scene_make(64, 48, 15, 20, paints[i]);
        const char *path = in_folder("b.gif");
        const cli_movie_def def = {0};
        assert_int_equal(cli_write_gif(path, frames_of(&s), &def), CLI_FINE);
        char command[1024];
        snprintf(command, sizeof command, "ffmpeg -v error -i '%s' -vsync 0 -f rawvideo -pix_fmt bgra -", path);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        static uint8_t all[16 * 64 * 48 * 4];
        const size_t got = fread(all, 1, sizeof all, pipe);
        assert_int_equal(pclose(pipe), 0);
        cli_bytes bytes = take_file(path);
        film *f = read_film(&bytes, 1);
        cli_bytes_free(&bytes);
        assert_int_equal(got, f->shot_count * 64 * 48 * 4);
        for (uint32_t k = 0; k < got / 4; k++) {
            const uint8_t *ours = f->shots[k / (64 * 48)].pixels + (size_t)(k % (64 * 48)) * 4,
                          *theirs = all + (size_t)k * 4;
            assert_int_equal(ours[3], theirs[3]);
            if (ours[3] != 0) { assert_true(ours[0] == theirs[2] && ours[1] == theirs[1] && ours[2] == theirs[0]); }
        }
        film_free(f);
        free(s.start_ns);
    }
}

// WebP

static void webp_gives_back_every_byte(void **state) {
    (void)state;
    static paint_fn *const paints[] = {paint_two_discs, paint_blinking,    paint_leaving,
                                       paint_on_wall,   paint_under_clear, paint_noise};
    for (uint32_t i = 0; i < RATE_COUNT * 6; i++) {
        scene s = scene_make(64, 48, 25, rates[i % RATE_COUNT], paints[i / RATE_COUNT]);
        const char *path = in_folder("a.webp");
        const cli_movie_def def = {.loop_count = i % 3};
        assert_int_equal(cli_write_webp(path, frames_of(&s), &def), CLI_FINE);
        assert_int_equal(s.progress, s.progress_total);
        cli_bytes bytes = take_file(path);
        const WebPData data = {bytes.data, bytes.size};
        WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
        assert_non_null(decoder);
        WebPAnimInfo info;
        assert_true(WebPAnimDecoderGetInfo(decoder, &info));
        assert_int_equal(info.loop_count, i % 3);
        zo_image image = image_make(64, 48);
        uint8_t *shown = NULL;
        int end_ms = 0;
        for (uint32_t k = 0; k < 25; k++) {
            const int64_t start_ms = (s.start_ns[k] + 500000) / 1000000;
            while (start_ms >= end_ms) { assert_true(WebPAnimDecoderGetNext(decoder, &shown, &end_ms)); }
            draw_scene(&s, k, &image);
            assert_memory_equal(shown, image.pixels, 64 * 48 * 4);
        }
        assert_false(WebPAnimDecoderHasMoreFrames(decoder));
        assert_int_equal(end_ms, (s.start_ns[25] + 500000) / 1000000);
        WebPAnimDecoderDelete(decoder);
        cli_bytes_free(&bytes);
        free(image.pixels);
        free(s.start_ns);
    }
}

static void webp_shows_the_later_of_two_in_one_millisecond(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 4, 30, paint_two_discs);
    const int64_t starts[] = {0, 40000000, 40000001, 80000000, 120000000};
    memcpy(s.start_ns, starts, sizeof starts);
    uint32_t n;
    cli_shown *plan = cli_frames_plan(frames_of(&s), 1000000, 1, &n);
    assert_int_equal(n, 3);
    assert_int_equal(plan[1].frame, 2);
    assert_int_equal(plan[1].start, 40);
    free(plan);
    free(s.start_ns);
}

// PNG

typedef struct png_kind {
    int depth, type;
    bool interlaced, key; // key: a colour or some palette entries are clear
} png_kind;

static void to_memory(png_structp png, png_bytep from, size_t size) {
    cli_bytes *bytes = png_get_io_ptr(png);
    bytes->data = realloc(bytes->data, bytes->size + size);
    memcpy(bytes->data + bytes->size, from, size);
    bytes->size += size;
}

enum { SIDE = 13 };

// Sample `channel` of pixel k, of `depth` bits.
static unsigned png_sample(const png_kind *kind, uint32_t k, uint32_t channel) {
    return (k * 7 + channel * 29 + k * k) * 257 % (1u << kind->depth);
}

static uint32_t channels_of(int type) {
    return type == PNG_COLOR_TYPE_RGB          ? 3
           : type == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
           : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                               : 1;
}

static cli_bytes png_make(const png_kind *kind) {
    cli_bytes bytes = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_true(png != NULL && info != NULL);
    png_set_write_fn(png, &bytes, to_memory, NULL);
    png_set_IHDR(png, info, SIDE, SIDE, kind->depth, kind->type,
                 kind->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color palette[256];
    png_byte alphas[2] = {0, 100};
    for (int i = 0; i < 256; i++) { palette[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i * 3)}; }
    if (kind->type == PNG_COLOR_TYPE_PALETTE) { png_set_PLTE(png, info, palette, 1 << kind->depth); }
    const png_color_16 key = {0, (png_uint_16)png_sample(kind, 5, 0), (png_uint_16)png_sample(kind, 5, 1),
                              (png_uint_16)png_sample(kind, 5, 2), (png_uint_16)png_sample(kind, 5, 0)};
    if (kind->key) {
        const bool indexed = kind->type == PNG_COLOR_TYPE_PALETTE;
        png_set_tRNS(png, info, indexed ? alphas : NULL, indexed ? 2 : 0, indexed ? NULL : &key);
    }
    png_set_gAMA(png, info, 1.0);
    png_write_info(png, info);
    const uint32_t channels = channels_of(kind->type);
    png_byte rows[SIDE][SIDE * 8] = {0}, *row_at[SIDE];
    for (uint32_t k = 0; k < SIDE * SIDE * channels; k++) {
        const uint32_t pixel = k / channels, channel = k % channels;
        const unsigned value = png_sample(kind, pixel, channel);
        png_byte *row = rows[pixel / SIDE];
        const uint32_t at = pixel % SIDE * channels + channel;
        if (kind->depth == 16) {
            row[at * 2] = (png_byte)(value >> 8);
            row[at * 2 + 1] = (png_byte)(value & 255);
        } else {
            const uint32_t bit = at * (uint32_t)kind->depth;
            row[bit / 8] = (png_byte)(row[bit / 8] | value << (8 - kind->depth - (int)(bit % 8)));
        }
    }
    for (int y = 0; y < SIDE; y++) { row_at[y] = rows[y]; }
    png_write_image(png, row_at);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

static void png_wanted(const png_kind *kind, uint32_t k, uint8_t rgba[4]) {
    const uint32_t channels = channels_of(kind->type);
    const unsigned top = (1u << kind->depth) - 1;
    unsigned v[4] = {0};
    for (uint32_t c = 0; c < channels; c++) { v[c] = png_sample(kind, k, c); }
    rgba[3] = 255;
    if (kind->type == PNG_COLOR_TYPE_PALETTE) {
        rgba[0] = (uint8_t)v[0];
        rgba[1] = (uint8_t)(255 - v[0]);
        rgba[2] = (uint8_t)(v[0] * 3);
        if (kind->key && v[0] < 2) { rgba[3] = v[0] == 0 ? 0 : 100; }
        return;
    }
    const bool grey = channels < 3;
    for (int c = 0; c < 3; c++) { rgba[c] = (uint8_t)((v[grey ? 0 : c] * 255 + top / 2) / top); }
    if (channels == 2 || channels == 4) { rgba[3] = (uint8_t)((v[channels - 1] * 255 + top / 2) / top); }
    bool same = kind->key;
    for (uint32_t c = 0; c < channels; c++) { same = same && v[c] == png_sample(kind, 5, c); }
    if (same) { rgba[3] = 0; }
}

static void png_of_every_kind_is_read(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 5 * 5 * 4; i++) {
        const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_PALETTE, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_GRAY_ALPHA,
                             PNG_COLOR_TYPE_RGB_ALPHA};
        const png_kind kind = {1 << i % 5, types[i / 5 % 5], i / 25 % 2 == 1, i / 50 == 1};
        const bool indexed = kind.type == PNG_COLOR_TYPE_PALETTE, has_alpha = (kind.type & PNG_COLOR_MASK_ALPHA) != 0;
        if ((indexed && kind.depth == 16) || (kind.depth < 8 && !indexed && kind.type != PNG_COLOR_TYPE_GRAY) ||
            (has_alpha && kind.key)) {
            continue;
        }
        cli_bytes bytes = png_make(&kind);
        zo_image image;
        assert_true(cli_decode_png("kind.png", bytes.data, bytes.size, &image));
        assert_true(image.width == SIDE && image.height == SIDE && image.stride == SIDE * 4);
        for (uint32_t k = 0; k < SIDE * SIDE; k++) {
            uint8_t wanted[4];
            png_wanted(&kind, k, wanted);
            assert_memory_equal(image.pixels + (size_t)k * 4, wanted, 4);
        }
        free(image.pixels);
        cli_bytes_free(&bytes);
    }
}

static bool decodes(const uint8_t *bytes, size_t size) {
    zo_image image;
    const bool fine = cli_decode_png("bad.png", bytes, size, &image);
    if (fine) {
        assert_non_null(image.pixels);
        said[0] = 0;
    } else {
        assert_null(image.pixels);
        assert_true(was_said("'bad.png'"));
    }
    free(image.pixels);
    return fine;
}

static uint32_t crc_of(const uint8_t *bytes, size_t size) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) { crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0); }
    }
    return ~crc;
}

static void put_32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) { to[i] = (uint8_t)(value >> (24 - 8 * i)); }
}

static void bad_png_is_refused_by_name(void **state) {
    (void)state;
    assert_false(decodes((const uint8_t *)"", 0));
    assert_false(decodes((const uint8_t *)"GIF89a and so on", 16));
    for (int i = 0; i < 2; i++) {
        const png_kind kind = {8, i == 0 ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, i == 1, true};
        cli_bytes bytes = png_make(&kind);
        for (size_t size = 0; size < bytes.size; size++) { assert_false(decodes(bytes.data, size)); }
        for (size_t at = 0; at < bytes.size; at++) {
            for (unsigned flip = 1; flip < 256; flip *= 5) {
                bytes.data[at] ^= (uint8_t)flip;
                (void)decodes(bytes.data, bytes.size); // either way, but clean
                bytes.data[at] ^= (uint8_t)flip;
            }
        }
        assert_true(decodes(bytes.data, bytes.size));
        // A size that is not there: refused before its memory is taken.
        const uint32_t sizes[][2] = {{8193, 1},      {1, 8193}, {8192, 8192}, {0, 5}, {0x7FFFFFFF, 0x7FFFFFFF},
                                     {0xFFFFFFFF, 1}};
        for (uint32_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            put_32(bytes.data + 16, sizes[k][0]);
            put_32(bytes.data + 20, sizes[k][1]);
            put_32(bytes.data + 29, crc_of(bytes.data + 12, 17));
            assert_false(decodes(bytes.data, bytes.size));
        }
        put_32(bytes.data + 16, 8193);
        put_32(bytes.data + 20, 20);
        put_32(bytes.data + 29, crc_of(bytes.data + 12, 17));
        zo_image image;
        assert_false(cli_decode_png("large.png", bytes.data, bytes.size, &image));
        assert_true(was_said("'large.png' has 8193 x 20 pixels; at most 8192 x 8192"));
        cli_bytes_free(&bytes);
    }
}

static void long_text_in_a_png_does_no_harm(void **state) {
    (void)state;
    const png_kind kind = {8, PNG_COLOR_TYPE_RGB, false, false};
    cli_bytes bytes = png_make(&kind);
    enum { TEXT = 9000000 };
    uint8_t *large = calloc(1, bytes.size + TEXT + 12);
    assert_non_null(large);
    memcpy(large, bytes.data, 33); // up to the end of IHDR
    put_32(large + 33, TEXT);
    memcpy(large + 37, "iTXtXML:com.adobe.xmp", 22);
    put_32(large + 41 + TEXT, crc_of(large + 37, TEXT + 4));
    memcpy(large + 45 + TEXT, bytes.data + 33, bytes.size - 33);
    assert_true(decodes(large, bytes.size + TEXT + 12));
    free(large);
    cli_bytes_free(&bytes);
}

static void png_is_written_exactly_and_alike(void **state) {
    (void)state;
    zo_image wide = image_make(70, 48);
    paint_under_clear(3, &wide);
    zo_image image = wide;
    image.width = 60; // rows with a gap behind them
    cli_bytes bytes[2];
    for (int i = 0; i < 2; i++) {
        const char *path = in_folder("a.png");
        assert_int_equal(cli_write_png(path, &image), CLI_FINE);
        bytes[i] = take_file(path);
    }
    assert_int_equal(bytes[0].size, bytes[1].size);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    zo_image back;
    assert_true(cli_decode_png("a.png", bytes[0].data, bytes[0].size, &back));
    assert_true(back.width == 60 && back.height == 48);
    for (uint32_t y = 0; y < 48; y++) {
        assert_memory_equal(back.pixels + back.stride * y, image.pixels + image.stride * y, 60 * 4);
    }
    cli_bytes_free(&bytes[0]);
    cli_bytes_free(&bytes[1]);
    free(back.pixels);
    free(wide.pixels);
}

static void a_pattern_holds_the_number_once(void **state) {
    (void)state;
    scene s = scene_make(8, 8, 3, 30, paint_still);
    static const char *const bad[] = {"f.png",    "%s.png",    "%d%d.png", "%n",   "%05", "%0d",
                                      "%00d.png", "%010d.png", "%4d.png",  "%",    "%%",  "%%d.png",
                                      "%ld",      "%d%",       "%-3d",     "%x%d", "%*d", "%1$d"};
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(cli_write_png_each(in_folder(bad[i]), frames_of(&s)), CLI_USAGE);
        assert_true(was_said(bad[i]));
    }
    assert_int_equal(s.drawn, 0);
    assert_int_equal(count_files(), 0);
    const struct {
        const char *pattern, *first, *last;
    } good[] = {
        {"f%d.png", "f0.png", "f2.png"},
        {"%04d", "0000", "0002"},
        {"100%%-%02d-%%d", "100%-00-%d", "100%-02-%d"},
    };
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(cli_write_png_each(in_folder(good[i].pattern), frames_of(&s)), CLI_FINE);
        assert_int_equal(count_files(), 3);
        assert_int_equal(unlink(in_folder(good[i].first)), 0);
        assert_int_equal(unlink(in_folder(good[i].last)), 0);
        char middle[64];
        snprintf(middle, sizeof middle, "%s", good[i].first);
        *strchr(middle + (i == 2 ? 5 : 0), '0') = i == 0 ? '1' : '0';
        if (i > 0) { middle[i == 1 ? 3 : 6] = '1'; }
        assert_int_equal(unlink(in_folder(middle)), 0);
    }
    free(s.start_ns);
}

static void a_failed_frame_leaves_whole_files_only(void **state) {
    (void)state;
    scene s = scene_make(8, 8, 4, 30, paint_still);
    s.fail_at = 2;
    assert_int_equal(cli_write_png_each(in_folder("f%d.png"), frames_of(&s)), CLI_INTERNAL);
    assert_int_equal(count_files(), 2);
    for (int i = 0; i < 2; i++) {
        cli_bytes bytes = take_file(in_folder(i == 0 ? "f0.png" : "f1.png"));
        zo_image image;
        assert_true(cli_decode_png("f", bytes.data, bytes.size, &image));
        free(image.pixels);
        cli_bytes_free(&bytes);
    }
    free(s.start_ns);
}

// Animated PNG

// A reader of animated PNG files by their description, for RGBA of eight bits: pictures as a viewer shows them.

typedef struct apng_shot {
    uint8_t *pixels;
    uint32_t delay_n, delay_d;
    uint32_t painted; // pixels of its rectangle
} apng_shot;

typedef struct apng_film {
    uint32_t width, height, plays, shot_count;
    apng_shot shots[512];
} apng_film;

static uint32_t get_be32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t get_be16(const uint8_t *at) { return (uint32_t)at[0] << 8 | at[1]; }

static void unfilter(uint8_t *rows, uint32_t width, uint32_t height) {
    const size_t size = (size_t)width * 4;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = rows + y * (size + 1) + 1;
        const uint8_t *up = y > 0 ? row - size - 1 : NULL;
        assert_in_range(row[-1], 0, 4);
        for (size_t i = 0; i < size; i++) {
            const int a = i >= 4 ? row[i - 4] : 0, b = up != NULL ? up[i] : 0, c = i >= 4 && up != NULL ? up[i - 4] : 0;
            const int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
            const int guesses[] = {0, a, b, (a + b) / 2, pa <= pb && pa <= pc ? a : pb <= pc ? b : c};
            row[i] = (uint8_t)(row[i] + guesses[row[-1]]);
        }
    }
}

// Lays the rectangle that `control` (an fcTL) and `packed` give over the canvas.
static void paint_rectangle(apng_film *f, uint8_t *canvas, const uint8_t *control, const uint8_t *packed, size_t size) {
    const uint32_t width = get_be32(control + 4), height = get_be32(control + 8);
    const uint32_t left = get_be32(control + 12), top = get_be32(control + 16);
    assert_true(width > 0 && height > 0 && left + width <= f->width && top + height <= f->height);
    uLongf got = (uLongf)(width * 4 + 1) * height;
    const uLongf wanted = got;
    uint8_t *rows = malloc(got);
    assert_int_equal(uncompress(rows, &got, packed, (uLong)size), Z_OK);
    assert_int_equal(got, wanted);
    unfilter(rows, width, height);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *from = rows + y * (width * 4 + 1) + 1 + (size_t)x * 4;
            uint8_t *to = canvas + ((size_t)(top + y) * f->width + left + x) * 4;
            if (control[25] == 1) { // over: a half-transparent pixel would be rounded as the viewer likes
                assert_true(from[3] == 0 || from[3] == 255);
            }
            if (control[25] == 0 || from[3] == 255) { memcpy(to, from, 4); }
        }
    }
    free(rows);
    f->shots[f->shot_count] = (apng_shot){.pixels = malloc((size_t)f->width * f->height * 4), .painted = width * height,
                        .delay_n = get_be16(control + 20), .delay_d = get_be16(control + 22)};
    memcpy(f->shots[f->shot_count++].pixels, canvas, (size_t)f->width * f->height * 4);
}

static apng_film *read_apng(const cli_bytes *bytes) {
    apng_film *f = calloc(1, sizeof *f);
    assert_memory_equal(bytes->data, "\x89PNG\r\n\x1a\n", 8);
    uint32_t sequence = 0, announced = 0;
    uint8_t *canvas = NULL;
    const uint8_t *control = NULL;
    bool ended = false;
    for (size_t at = 8; at < bytes->size;) {
        const uint32_t size = get_be32(bytes->data + at);
        assert_true(size <= bytes->size - at - 12 && !ended);
        const uint8_t *type = bytes->data + at + 4, *data = type + 4;
        assert_int_equal(get_be32(data + size), crc_of(type, size + 4));
        if (memcmp(type, "IHDR", 4) == 0) {
            f->width = get_be32(data);
            f->height = get_be32(data + 4);
            assert_memory_equal(data + 8, "\10\6\0\0\0", 5);
            canvas = calloc((size_t)f->width * f->height, 4);
        } else if (memcmp(type, "acTL", 4) == 0) {
            announced = get_be32(data);
            f->plays = get_be32(data + 4);
        } else if (memcmp(type, "fcTL", 4) == 0) {
            assert_int_equal(size, 26);
            assert_int_equal(get_be32(data), sequence++);
            assert_int_equal(data[24], 0); // nothing is disposed of
            control = data;
        } else if (memcmp(type, "IDAT", 4) == 0) {
            assert_int_equal(f->shot_count, 0);
            assert_true(get_be32(control + 4) == f->width && get_be32(control + 8) == f->height);
            paint_rectangle(f, canvas, control, data, size);
        } else if (memcmp(type, "fdAT", 4) == 0) {
            assert_true(f->shot_count > 0);
            assert_int_equal(get_be32(data), sequence++);
            paint_rectangle(f, canvas, control, data + 4, size - 4);
        }
        ended = memcmp(type, "IEND", 4) == 0;
        at += 12 + (size_t)size;
    }
    assert_true(ended);
    assert_int_equal(f->shot_count, announced);
    free(canvas);
    return f;
}

static void apng_free(apng_film *f) {
    for (uint32_t i = 0; i < f->shot_count; i++) { free(f->shots[i].pixels); }
    free(f);
}

static apng_film *write_and_read_apng(scene *s, uint32_t loop_count) {
    const char *path = in_folder("a.apng");
    const cli_movie_def def = {.loop_count = loop_count};
    assert_int_equal(cli_write_apng(path, frames_of(s), &def), CLI_FINE);
    cli_bytes bytes = take_file(path);
    apng_film *f = read_apng(&bytes);
    cli_bytes_free(&bytes);
    return f;
}

static void apng_gives_back_every_byte_at_its_time(void **state) {
    (void)state;
    static paint_fn *const paints[] = {paint_two_discs, paint_blinking,    paint_leaving,
                                       paint_on_wall,   paint_under_clear, paint_noise};
    static const int64_t all_rates[] = {12, 24, 30, 50, 60, 144};
    for (uint32_t i = 0; i < 6 * 6; i++) {
        const uint32_t fps = (uint32_t)all_rates[i % 6];
        scene s = scene_make(64, 48, 25, fps, paints[i / 6]);
        apng_film *f = write_and_read_apng(&s, i % 3);
        assert_int_equal(s.progress, s.progress_total);
        assert_int_equal(f->plays, i % 3);
        zo_image image = image_make(64, 48);
        uint32_t at = 0, until = 0; // in frames, exactly
        for (uint32_t k = 0; k < 25; k++) {
            if (k == until) {
                at += k > 0;
                const uint32_t frames = f->shots[at].delay_n * fps;
                assert_int_equal(frames % f->shots[at].delay_d, 0);
                until += frames / f->shots[at].delay_d;
            }
            draw_scene(&s, k, &image);
            assert_memory_equal(f->shots[at].pixels, image.pixels, 64 * 48 * 4);
        }
        assert_int_equal(until, 25);
        assert_int_equal(at + 1, f->shot_count);
        for (uint32_t k = 1; k < f->shot_count; k++) { // equal ones are joined
            assert_memory_not_equal(f->shots[k].pixels, f->shots[k - 1].pixels, 64 * 48 * 4);
        }
        apng_free(f);
        free(image.pixels);
        free(s.start_ns);
    }
}

static void apng_paints_only_what_changed(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 5, 20, paint_on_wall);
    apng_film *f = write_and_read_apng(&s, 0);
    assert_int_equal(f->shot_count, 5);
    assert_int_equal(f->shots[0].painted, 64 * 48);
    for (uint32_t k = 1; k < 5; k++) { assert_int_equal(f->shots[k].painted, 9); } // a bar of eight, one further
    apng_free(f);
    free(s.start_ns);
}

static void apng_of_one_still_picture_has_one_frame(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 20, 30, paint_still);
    apng_film *f = write_and_read_apng(&s, 1);
    assert_int_equal(f->shot_count, 1);
    assert_true(f->shots[0].delay_n == 2 && f->shots[0].delay_d == 3);
    apng_free(f);
    free(s.start_ns);
}

// Times that no fraction of sixteen bits gives, the shortest and the longest.
static void apng_delays_are_the_nearest_there_are(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 8, 30, paint_blinking);
    const int64_t starts[] = {0, 123456789, 123456790, 700000000, 700000001, 800000000, INT64_C(40000000000000),
                              INT64_C(100000000000000), INT64_C(120000000000000)};
    memcpy(s.start_ns, starts, sizeof starts);
    apng_film *f = write_and_read_apng(&s, 0);
    // Frames 1 and 2 are equal and become one; so are 6 and 7, which one delay cannot say.
    const double shown[] = {0.123456789, 0.576543211, 1e-9, 0.099999999, 39999.2, 60000, 20000}; // s
    assert_int_equal(f->shot_count, 7);
    for (uint32_t k = 0; k < 7; k++) {
        assert_true(f->shots[k].delay_n > 0 && f->shots[k].delay_d > 0);
        const double got = (double)f->shots[k].delay_n / f->shots[k].delay_d, most = k == 4 ? 0.5 : 2e-5;
        assert_true(got - shown[k] < most && shown[k] - got < most);
    }
    apng_free(f);
    free(s.start_ns);
}

static void apng_is_read_alike_by_ffmpeg_and_libpng(void **state) {
    (void)state;
    const bool has_ffmpeg = system("ffmpeg -version >/dev/null 2>&1") == 0;
    static paint_fn *const paints[] = {paint_two_discs, paint_leaving, paint_on_wall, paint_noise};
    for (uint32_t i = 0; i < 4; i++) {
        scene s = scene_make(64, 48, 15, 20, paints[i]);
        const char *path = in_folder("b.apng");
        const cli_movie_def def = {0};
        assert_int_equal(cli_write_apng(path, frames_of(&s), &def), CLI_FINE);
        static uint8_t all[16 * 64 * 48 * 4];
        size_t got = 0;
        if (has_ffmpeg) {
            char command[1024];
            snprintf(command, sizeof command, "ffmpeg -v error -f apng -i '%s' -vsync 0 -f rawvideo -pix_fmt rgba -",
                     path);
            FILE *pipe = popen(command, "r");
            assert_non_null(pipe);
            got = fread(all, 1, sizeof all, pipe);
            assert_int_equal(pclose(pipe), 0);
        }
        cli_bytes bytes = take_file(path);
        apng_film *f = read_apng(&bytes);
        zo_image still;
        assert_true(cli_decode_png("b.apng", bytes.data, bytes.size, &still)); // viewers of stills see the first
        assert_memory_equal(still.pixels, f->shots[0].pixels, 64 * 48 * 4);
        free(still.pixels);
        cli_bytes_free(&bytes);
        if (has_ffmpeg) {
            assert_int_equal(got, f->shot_count * 64 * 48 * 4);
            for (uint32_t k = 0; k < f->shot_count; k++) {
                assert_memory_equal(all + (size_t)k * 64 * 48 * 4, f->shots[k].pixels, 64 * 48 * 4);
            }
        }
        apng_free(f);
        free(s.start_ns);
    }
}

// Pairs of files

static void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_file_is(const char *path, const char *text) {
    cli_bytes bytes = take_file(path);
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
    cli_bytes_free(&bytes);
}

// The second of two cannot be put in place: a folder has come to stand there. The first is as it was, or absent.
static void of_two_files_both_are_written_or_none(void **state) {
    (void)state;
    for (int case_index = 0; case_index < 3; case_index++) {
        cli_file first, second;
        const bool was_there = case_index == 1, fails = case_index < 2;
        if (was_there) { put_file(in_folder("one"), "as it was"); }
        assert_true(cli_file_open(&first, in_folder("one")) && cli_file_open(&second, in_folder("two")));
        assert_true(cli_file_write(&first, "new", 3) && cli_file_write(&second, "new too", 7));
        if (fails) { assert_int_equal(mkdir(in_folder("two"), 0700), 0); }
        assert_int_equal(cli_file_commit_pair(&first, &second), !fails);
        if (fails) {
            assert_true(was_said("two'"));
            assert_int_equal(rmdir(in_folder("two")), 0);
            assert_int_equal(count_files(), was_there);
            if (was_there) { assert_file_is(in_folder("one"), "as it was"); }
        } else {
            assert_file_is(in_folder("one"), "new");
            assert_file_is(in_folder("two"), "new too");
        }
        assert_int_equal(count_files(), 0);
    }
}

// Atlas: only what holds for any frames; tests/cli/render.sh puts real ones together again.

static void paint_few_of_many(uint32_t i, zo_image *image) { // three pictures in turn, one of them clear
    if (i % 3 == 1) { put_disc(image, 20, 20, 9, 30); }
    if (i % 3 == 2) { put_disc(image, 40, 24, 9, 90); }
}

static void atlas_stores_equal_frames_once(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 9, 30, paint_few_of_many);
    cli_mark items[] = {{1, "ping \"1\"\n", "notify"}};
    const cli_marks marks = {items, 1, 1};
    const cli_atlas_def def = {.name = "a", .ping_pong = true, .loop_count = 3, .marks = &marks};
    assert_int_equal(cli_write_atlas(in_folder("a.json"), frames_of(&s), &def), CLI_FINE);
    cli_bytes picture = take_file(in_folder("a.png")), text = take_file(in_folder("a.json"));
    zo_image sheet;
    assert_true(cli_decode_png("a.png", picture.data, picture.size, &sheet));
    uint32_t visible = 0, drawn = 0;
    for (size_t k = 0; k < sheet.stride * sheet.height; k += 4) { visible += sheet.pixels[k + 3] != 0; }
    zo_image image = image_make(64, 48);
    for (uint32_t i = 1; i < 3; i++) {
        draw_scene(&s, i, &image);
        for (size_t k = 0; k < 64 * 48 * 4; k += 4) { drawn += image.pixels[k + 3] != 0; }
    }
    assert_int_equal(visible, drawn);
    text.data = realloc(text.data, text.size + 1);
    text.data[text.size] = 0;
    const char *json = (const char *)text.data;
    static const char *const parts[] = {
        "\"w\": 1, \"h\": 1}", "\"direction\": \"pingpong\", \"repeat\": \"3\"",
        "{\"name\": \"ping \\\"1\\\"\\u000a\", \"from\": 1, \"to\": 1,", "\"data\": \"notify\"",
        "{\"filename\": \"a 8\"", "\"sourceSize\": {\"w\": 64, \"h\": 48}"};
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++) { assert_non_null(strstr(json, parts[i])); }
    cli_bytes_free(&picture);
    cli_bytes_free(&text);
    free(sheet.pixels);
    free(image.pixels);
    free(s.start_ns);
}

static void an_atlas_that_fails_leaves_both_files_as_they_were(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 9, 30, paint_few_of_many);
    const cli_marks marks = {0};
    const cli_atlas_def def = {.name = "a", .marks = &marks};
    put_file(in_folder("a.png"), "a picture");
    s.fail_at = 5;
    assert_int_equal(cli_write_atlas(in_folder("a.json"), frames_of(&s), &def), CLI_INTERNAL);
    assert_file_is(in_folder("a.png"), "a picture");
    assert_int_equal(count_files(), 0);
    s.fail_at = UINT32_MAX;
    assert_int_equal(mkdir(in_folder("a.png"), 0700), 0);
    assert_int_equal(cli_write_atlas(in_folder("a.json"), frames_of(&s), &def), CLI_FILES);
    assert_true(was_said("a.png'"));
    assert_int_equal(rmdir(in_folder("a.png")), 0);
    assert_int_equal(count_files(), 0);
    s.frames.width = 16384; // and there is a gap at both sides
    s.frames.height = s.frames.count = 2;
    s.paint = paint_noise;
    assert_int_equal(cli_write_atlas(in_folder("a.json"), frames_of(&s), &def), CLI_INTERNAL);
    assert_true(was_said("do not fit"));
    assert_int_equal(count_files(), 0);
    free(s.start_ns);
}

// All writers of one file behind one face.

static int write_as(int kind, const char *path, scene *s) {
    const cli_movie_def def = {0};
    zo_image image;
    switch (kind) {
        case 0: return cli_write_webp(path, frames_of(s), &def);
        case 1: return cli_write_gif(path, frames_of(s), &def);
        case 2: return cli_write_raw(path, frames_of(s));
        case 3: return cli_write_apng(path, frames_of(s), &def);
        default: break;
    }
    image = image_make(64, 48);
    const int code = draw_scene(s, 0, &image) ? cli_write_png(path, &image) : CLI_INTERNAL;
    free(image.pixels);
    return code;
}

static void what_cannot_be_written_is_said_and_leaves_nothing(void **state) {
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        scene s = scene_make(64, 48, 12, 30, paint_noise);
        s.frames.progress = NULL;
        assert_int_equal(write_as(kind, in_folder("no/such/folder"), &s), CLI_FILES);
        assert_true(was_said("no/such/folder'"));
        assert_int_equal(write_as(kind, folder, &s), CLI_FILES);
        assert_true(was_said(folder));
        if (access("/dev/full", W_OK) == 0) {
            assert_int_equal(write_as(kind, "/dev/full", &s), CLI_FILES);
            assert_true(was_said("'/dev/full'"));
        }
        s.fail_at = kind == 4 ? 0 : 5;
        FILE *old = fopen(in_folder("old"), "wb");
        assert_non_null(old);
        fputs("as it was", old);
        fclose(old);
        assert_int_equal(write_as(kind, in_folder("old"), &s), CLI_INTERNAL);
        assert_int_equal(count_files(), 1);
        cli_bytes bytes = take_file(in_folder("old"));
        assert_int_equal(bytes.size, 9);
        assert_memory_equal(bytes.data, "as it was", 9);
        cli_bytes_free(&bytes);
        said[0] = 0;
        free(s.start_ns);
    }
}

static void sizes_beyond_the_format_are_refused(void **state) {
    (void)state;
    scene s = scene_make(16384, 1, 1, 30, paint_still);
    assert_int_equal(write_as(0, in_folder("a"), &s), CLI_INTERNAL);
    assert_true(was_said("16383"));
    s.frames.width = 65536;
    assert_int_equal(write_as(1, in_folder("a"), &s), CLI_INTERNAL);
    assert_true(was_said("65535"));
    s.frames.width = 0;
    for (int kind = 0; kind < 4; kind++) {
        assert_int_equal(write_as(kind, in_folder("a"), &s), CLI_INTERNAL);
        assert_true(was_said("nothing to draw"));
    }
    free(s.start_ns);
}

static void raw_is_frame_after_frame(void **state) {
    (void)state;
    scene s = scene_make(64, 48, 7, 30, paint_two_discs);
    const char *path = in_folder("a.rgba");
    assert_int_equal(cli_write_raw(path, frames_of(&s)), CLI_FINE);
    cli_bytes bytes = take_file(path);
    assert_int_equal(bytes.size, 7 * 64 * 48 * 4);
    zo_image image = image_make(64, 48);
    for (uint32_t i = 0; i < 7; i++) {
        draw_scene(&s, i, &image);
        assert_memory_equal(bytes.data + (size_t)i * 64 * 48 * 4, image.pixels, 64 * 48 * 4);
    }
    free(image.pixels);
    cli_bytes_free(&bytes);
    free(s.start_ns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_png_is_refused_by_name),
        cmocka_unit_test(a_pattern_holds_the_number_once),
        cmocka_unit_test(a_failed_frame_leaves_whole_files_only),
        cmocka_unit_test(what_cannot_be_written_is_said_and_leaves_nothing),
        cmocka_unit_test(sizes_beyond_the_format_are_refused),
        cmocka_unit_test(png_of_every_kind_is_read),
        cmocka_unit_test(long_text_in_a_png_does_no_harm),
        cmocka_unit_test(png_is_written_exactly_and_alike),
        cmocka_unit_test(of_two_files_both_are_written_or_none),
        cmocka_unit_test(an_atlas_that_fails_leaves_both_files_as_they_were),
        cmocka_unit_test(atlas_stores_equal_frames_once),
        cmocka_unit_test(raw_is_frame_after_frame),
        cmocka_unit_test(apng_gives_back_every_byte_at_its_time),
        cmocka_unit_test(apng_paints_only_what_changed),
        cmocka_unit_test(apng_of_one_still_picture_has_one_frame),
        cmocka_unit_test(apng_delays_are_the_nearest_there_are),
        cmocka_unit_test(apng_is_read_alike_by_ffmpeg_and_libpng),
        cmocka_unit_test(the_last_frame_is_always_shown),
        cmocka_unit_test(webp_gives_back_every_byte),
        cmocka_unit_test(webp_shows_the_later_of_two_in_one_millisecond),
        cmocka_unit_test(gif_shows_every_frame_at_its_time),
        cmocka_unit_test(gif_makes_fifty_even_frames_of_sixty),
        cmocka_unit_test(gif_paints_only_what_changed),
        cmocka_unit_test(gif_joins_equal_frames),
        cmocka_unit_test(gif_keeps_up_to_255_colors),
        cmocka_unit_test(gif_holds_pictures_that_do_not_compress),
        cmocka_unit_test(gif_is_read_alike_by_ffmpeg),
        cmocka_unit_test(quantiser_stays_near_on_smooth_pictures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
