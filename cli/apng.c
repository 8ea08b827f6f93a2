// Animated PNG files: our own chunks over zlib. Each frame paints the smallest rectangle that differs from what is
// shown, equal frames become one, and delays are exact fractions of a second. Lossless: straight RGBA, colours of clear
// pixels too. Called by render.c.
//
// Nothing is ever disposed of. A rectangle either replaces what it covers, or is laid over it when every pixel in it is
// opaque or left as it was; where both ways show the same, the smaller one is written. Half-transparent pixels are
// never laid over others, since viewers round differently.
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "files.h"
#include "frame.h"

static const uint64_t SECOND_NS = 1000000000;
static const int64_t SHOWN_NS_MAX = 65535 * INT64_C(1000000000); // what one delay can say

enum { LEVEL = 9, FILTER_COUNT = 5, CONTROL_SIZE = 26, BLEND_SOURCE = 0, BLEND_OVER = 1 };

typedef struct bytes {
    uint8_t *data; // malloc
    size_t size, capacity;
} bytes;

typedef struct rectangle { uint32_t left, top, right, bottom; } rectangle; // right and bottom: one beyond

typedef struct apng {
    bytes body;         // all chunks behind acTL
    bytes filtered;     // rows of one rectangle, each with its filter's number before it
    bytes packed[2];    // of the two ways to paint
    uint8_t *rows;      // one candidate for each filter
    const uint8_t *zeros; // as long as a row
    bool failed;        // no memory
    uint32_t sequence;  // of fcTL and fdAT
    uint32_t shown_count;
    size_t control_at;  // of the last fcTL in the body; its delay is known when the next frame comes
} apng;

static uint8_t *reserve(apng *a, bytes *b, size_t more) {
    static uint8_t nothing[1];
    if (a->failed || more > SIZE_MAX / 2 - b->size) { a->failed = true; }
    if (a->failed) { return nothing; }
    if (b->size + more > b->capacity || b->data == NULL) {
        const size_t capacity = (b->size + more) + (b->size + more) / 2 + 64;
        uint8_t *data = realloc(b->data, capacity);
        if (data == NULL) {
            a->failed = true;
            return nothing;
        }
        b->data = data;
        b->capacity = capacity;
    }
    return b->data + b->size;
}

static void put_16(uint8_t *to, uint32_t value) {
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static void put_32(uint8_t *to, uint32_t value) {
    put_16(to, value >> 16);
    put_16(to + 2, value & 0xFFFF);
}

static uint32_t checksum(const uint8_t *data, size_t size) { return (uint32_t)crc32_z(0, data, size); }

// A chunk of two parts, the first of them short. Returns where its data begins.
static size_t put_chunk(apng *a, const char *type, const uint8_t *head, size_t head_size, const uint8_t *data,
                        size_t size) {
    uint8_t *to = reserve(a, &a->body, 12 + head_size + size);
    if (a->failed) { return 0; }
    put_32(to, (uint32_t)(head_size + size));
    memcpy(to + 4, type, 4);
    if (head_size > 0) { memcpy(to + 8, head, head_size); }
    if (size > 0) { memcpy(to + 8 + head_size, data, size); }
    put_32(to + 8 + head_size + size, checksum(to + 4, 4 + head_size + size));
    const size_t at = a->body.size + 8;
    a->body.size += 12 + head_size + size;
    return at;
}

// -------------------------------------------------------------------------------------------------------- delays

typedef struct fraction { uint64_t n, d; } fraction;

// The fraction of the smallest denominator from a / b to c / d, both positive: the walk down their continued fractions
// as far as they agree.
static fraction simplest(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    uint64_t n0 = 0, d0 = 1, n1 = 1, d1 = 0;
    while (a % b != 0 && a / b == c / d) {
        const uint64_t whole = a / b, n = whole * n1 + n0, den = whole * d1 + d0;
        n0 = n1, n1 = n;
        d0 = d1, d1 = den;
        const uint64_t low_rest = a % b, high_rest = c - whole * d; // the rests' inverses are in the other order
        a = d, c = b;
        b = high_rest, d = low_rest;
    }
    const uint64_t last = a / b + (a % b != 0);
    return (fraction){last * n1 + n0, last * d1 + d0};
}

// Starts are whole nanoseconds, rounded up, so what is between two is within one of the fraction that is meant: 1/30 of
// a second, or 7/30 when seven frames became one. Where none so near fits sixteen bits, the nearest that does.
static fraction delay_of(int64_t shown_ns) {
    for (int64_t near_ns = 1;; near_ns *= 2) {
        const int64_t low = shown_ns > near_ns ? shown_ns - near_ns : 1;
        const fraction f = simplest((uint64_t)low, SECOND_NS, (uint64_t)(shown_ns + near_ns), SECOND_NS);
        if (f.n <= 65535 && f.d <= 65535) { return f; }
    }
}

static void put_delay(apng *a, int64_t shown_ns) {
    if (a->failed) { return; }
    uint8_t *control = a->body.data + a->control_at;
    const fraction delay = delay_of(shown_ns);
    put_16(control + 20, (uint32_t)delay.n);
    put_16(control + 22, (uint32_t)delay.d);
    put_32(control + CONTROL_SIZE, checksum(control - 4, CONTROL_SIZE + 4));
}

// -------------------------------------------------------------------------------------------------------- pixels

static uint8_t nearest_of(uint8_t left, uint8_t up, uint8_t corner) { // Paeth
    const int by_left = abs(up - corner), by_up = abs(left - corner), by_corner = abs(left + up - 2 * corner);
    if (by_left <= by_up && by_left <= by_corner) { return left; }
    return by_up <= by_corner ? up : corner;
}

// `up` is the row above, zeros above the first. The first pixel has zeros at its left.
static void filter_row(uint32_t filter, const uint8_t *row, const uint8_t *up, size_t size, uint8_t *to) {
    for (size_t i = 0; i < 4; i++) {
        const uint8_t guess = filter == 0 || filter == 1 ? 0 : filter == 3 ? up[i] / 2 : up[i];
        to[i] = (uint8_t)(row[i] - guess);
    }
    switch (filter) {
    case 1:
        for (size_t i = 4; i < size; i++) { to[i] = (uint8_t)(row[i] - row[i - 4]); }
        break;
    case 2:
        for (size_t i = 4; i < size; i++) { to[i] = (uint8_t)(row[i] - up[i]); }
        break;
    case 3:
        for (size_t i = 4; i < size; i++) { to[i] = (uint8_t)(row[i] - (row[i - 4] + up[i]) / 2); }
        break;
    case 4:
        for (size_t i = 4; i < size; i++) { to[i] = (uint8_t)(row[i] - nearest_of(row[i - 4], up[i], up[i - 4])); }
        break;
    default: memcpy(to + 4, row + 4, size - 4);
    }
}

// What a filtered row will cost, roughly: the sum of its bytes as signed numbers, the usual measure.
static uint64_t cost_of(const uint8_t *row, size_t size) {
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) { sum += row[i] < 128 ? row[i] : 256u - row[i]; }
    return sum;
}

static void filter_rows(apng *a, const uint8_t *pixels, size_t stride, size_t row_size, uint32_t height) {
    a->filtered.size = 0;
    uint8_t *to = reserve(a, &a->filtered, (row_size + 1) * height);
    if (a->failed) { return; }
    a->filtered.size = (row_size + 1) * height;
    for (uint32_t y = 0; y < height; y++, to += row_size + 1) {
        const uint8_t *row = pixels + stride * y, *up = y > 0 ? row - stride : a->zeros;
        uint32_t best = 0;
        uint64_t best_cost = UINT64_MAX;
        for (uint32_t f = 0; f < FILTER_COUNT && best_cost > 0; f++) {
            filter_row(f, row, up, row_size, a->rows + f * row_size);
            const uint64_t cost = cost_of(a->rows + f * row_size, row_size);
            if (cost < best_cost) {
                best = f;
                best_cost = cost;
            }
        }
        to[0] = (uint8_t)best;
        memcpy(to + 1, a->rows + best * row_size, row_size);
    }
}

static void pack(apng *a, bytes *packed) {
    packed->size = 0;
    uLongf size = compressBound((uLong)a->filtered.size);
    uint8_t *to = reserve(a, packed, size);
    if (a->failed || compress2(to, &size, a->filtered.data, (uLong)a->filtered.size, LEVEL) != Z_OK) {
        a->failed = true;
        return;
    }
    packed->size = size;
}

static uint32_t pixel_at(const zo_image *image, uint32_t x, uint32_t y) {
    uint32_t pixel;
    memcpy(&pixel, image->pixels + image->stride * y + (size_t)x * 4, 4);
    return pixel;
}

// Where the two differ; empty when they are the same.
static rectangle find_changed(const zo_image *x, const zo_image *y) {
    rectangle r = {.left = x->width, .top = x->height};
    for (uint32_t row = 0; row < x->height; row++) {
        if (memcmp(x->pixels + x->stride * row, y->pixels + y->stride * row, (size_t)x->width * 4) == 0) { continue; }
        uint32_t left = 0, right = x->width;
        while (left < r.left && pixel_at(x, left, row) == pixel_at(y, left, row)) { left++; }
        while (right > r.right && pixel_at(x, right - 1, row) == pixel_at(y, right - 1, row)) { right--; }
        r.left = left < r.left ? left : r.left;
        r.right = right > r.right ? right : r.right;
        r.top = row < r.top ? row : r.top;
        r.bottom = row + 1;
    }
    return r;
}

// The rectangle with nothing where `next` is as `shown`, written over `shown`, which has had its day. false: this does
// not show `next`, and `shown` is as it was.
static bool make_layer(const zo_image *next, zo_image *shown, rectangle r) {
    bool any = false;
    for (uint32_t y = r.top; y < r.bottom; y++) {
        for (uint32_t x = r.left; x < r.right; x++) {
            const bool same = pixel_at(next, x, y) == pixel_at(shown, x, y);
            any |= same;
            if (!same && next->pixels[next->stride * y + (size_t)x * 4 + 3] != 255) { return false; }
        }
    }
    if (!any) { return false; }
    for (uint32_t y = r.top; y < r.bottom; y++) {
        for (uint32_t x = r.left; x < r.right; x++) {
            uint8_t *to = shown->pixels + shown->stride * y + (size_t)x * 4;
            if (pixel_at(next, x, y) == pixel_at(shown, x, y)) {
                memset(to, 0, 4);
            } else {
                memcpy(to, next->pixels + next->stride * y + (size_t)x * 4, 4);
            }
        }
    }
    return true;
}

static void pack_rectangle(apng *a, const zo_image *image, rectangle r, bytes *packed) {
    filter_rows(a, image->pixels + image->stride * r.top + (size_t)r.left * 4, image->stride,
                (size_t)(r.right - r.left) * 4, r.bottom - r.top);
    pack(a, packed);
}

// `shown` is NULL for the first, which is the whole picture.
static void put_frame(apng *a, const zo_image *next, zo_image *shown, rectangle r) {
    pack_rectangle(a, next, r, &a->packed[BLEND_SOURCE]);
    uint8_t blend = BLEND_SOURCE;
    if (shown != NULL && make_layer(next, shown, r)) {
        pack_rectangle(a, shown, r, &a->packed[BLEND_OVER]);
        if (a->packed[BLEND_OVER].size < a->packed[BLEND_SOURCE].size) { blend = BLEND_OVER; }
    }
    uint8_t control[CONTROL_SIZE] = {0}; // its dispose byte, the last but one, stays: none
    put_32(control, a->sequence++);
    put_32(control + 4, r.right - r.left);
    put_32(control + 8, r.bottom - r.top);
    put_32(control + 12, r.left);
    put_32(control + 16, r.top);
    control[25] = blend;
    a->control_at = put_chunk(a, "fcTL", control, sizeof control, NULL, 0);
    const bytes *packed = &a->packed[blend];
    if (shown == NULL) {
        put_chunk(a, "IDAT", NULL, 0, packed->data, packed->size);
    } else {
        uint8_t number[4];
        put_32(number, a->sequence++);
        put_chunk(a, "fdAT", number, 4, packed->data, packed->size);
    }
    a->shown_count++;
}

// -------------------------------------------------------------------------------------------------------- the file

static int add_frames(apng *a, const cli_frames *frames, zo_image *next, zo_image *shown) {
    uint32_t begun = 0; // the frame whose delay is open
    for (uint32_t i = 0; i < frames->count; i++) {
        if (!frames->draw(frames->context, i, next)) { return CLI_INTERNAL; }
        rectangle r = {.right = next->width, .bottom = next->height};
        if (i > 0) {
            r = find_changed(shown, next);
            const bool same = r.right == 0;
            if (same && frames->start_ns[i + 1] - frames->start_ns[begun] <= SHOWN_NS_MAX) { continue; }
            if (same) { r = (rectangle){.right = 1, .bottom = 1}; } // longer than one delay can be
            put_delay(a, frames->start_ns[i] - frames->start_ns[begun]);
        }
        put_frame(a, next, i > 0 ? shown : NULL, r);
        begun = i;
        const zo_image drawn = *next;
        *next = *shown;
        *shown = drawn;
        cli_frame_progress(frames, i + 1, frames->count);
        if (a->failed) { break; }
    }
    put_delay(a, frames->start_ns[frames->count] - frames->start_ns[begun]);
    put_chunk(a, "IEND", NULL, 0, NULL, 0);
    cli_frame_progress(frames, frames->count, frames->count);
    return CLI_FINE;
}

static bool write_chunks(apng *a, cli_file *file, const cli_frames *frames, uint32_t loop_count) {
    bytes body = a->body;
    a->body = (bytes){0};
    uint8_t header[13] = {[8] = 8, [9] = 6}; // eight bits of RGBA
    put_32(header, frames->width);
    put_32(header + 4, frames->height);
    put_chunk(a, "IHDR", header, sizeof header, NULL, 0);
    put_chunk(a, "sRGB", (const uint8_t[1]){0}, 1, NULL, 0);
    uint8_t animation[8];
    put_32(animation, a->shown_count);
    put_32(animation + 4, loop_count);
    put_chunk(a, "acTL", animation, sizeof animation, NULL, 0);
    const bool fine = a->body.data != NULL && cli_file_write(file, "\x89PNG\r\n\x1a\n", 8) &&
                      cli_file_write(file, a->body.data, a->body.size) && cli_file_write(file, body.data, body.size);
    free(body.data);
    return fine;
}

static int write_file(apng *a, const char *path, const cli_frames *frames, const cli_movie_def *def, zo_image *next,
                      zo_image *shown) {
    cli_file file;
    int code = cli_file_open(&file, path) ? CLI_FINE : CLI_FILES;
    if (code == CLI_FINE) { code = add_frames(a, frames, next, shown); }
    if (code == CLI_FINE && a->failed) {
        cli_say("not enough memory to write '%s'", path);
        code = CLI_INTERNAL;
    }
    if (code == CLI_FINE && !write_chunks(a, &file, frames, def->loop_count)) { code = CLI_FILES; }
    if (code != CLI_FINE) {
        cli_file_discard(&file);
    } else if (!cli_file_commit(&file)) {
        code = CLI_FILES;
    }
    return code;
}

int cli_write_apng(const char *path, const cli_frames *frames, const cli_movie_def *def) {
    zo_image next, shown = {0};
    if (!cli_frame_new(frames, &next)) { return CLI_INTERNAL; }
    const size_t row_size = (size_t)frames->width * 4;
    apng a = {.rows = calloc(row_size, FILTER_COUNT + 1)};
    int code = CLI_INTERNAL;
    if (a.rows == NULL) {
        cli_say("not enough memory to write '%s'", path);
    } else if (cli_frame_new(frames, &shown)) {
        a.zeros = a.rows + row_size * FILTER_COUNT;
        code = write_file(&a, path, frames, def, &next, &shown);
    }
    free(a.rows);
    free(a.body.data);
    free(a.filtered.data);
    free(a.packed[0].data);
    free(a.packed[1].data);
    free(next.pixels);
    free(shown.pixels);
    return code;
}
