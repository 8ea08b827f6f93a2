// Animated GIF files: when which frame is shown, one palette for all, and the smallest rectangle that turns what a
// viewer shows into the next frame. Called by render.c. The frames are drawn twice: to choose the colours, then to
// write them.
//
// A pixel of a GIF can be set or left alone, never cleared; clearing is done only by the "disposal" of the rectangle
// before. So each frame waits until the next is known: if that has clear pixels where this one has none, this one's
// rectangle grows over them and is disposed of to clear.
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "frame.h"
#include "lzw.h"
#include "quantise.h"

enum {
    UNIT_NS = 10000000, // a GIF counts in 1/100 s
    UNITS_MIN = 2,      // browsers take shorter ones for 10
    UNITS_MAX = 65000,
    CLEAR = 0, // the index of no colour
    SIDE_MAX = 65535,
};

typedef struct rectangle {
    uint32_t left, top, right, bottom; // right and bottom are outside; empty: right is 0
} rectangle;

typedef struct gif {
    cli_file file;
    uint32_t width, height;
    uint32_t index_bits;
    uint8_t *under; // what a viewer shows before the frame that waits is painted
    uint8_t *held;  // the frame that waits
    uint8_t *next;
    uint8_t *row;
    int64_t held_units; // how long it is shown
    bool first;
    cli_lzw lzw;
} gif;

static void grow(rectangle *r, uint32_t left, uint32_t right, uint32_t y) {
    if (r->right == 0) {
        *r = (rectangle){left, y, right, y + 1};
        return;
    }
    if (left < r->left) { r->left = left; }
    if (right > r->right) { r->right = right; }
    if (y < r->top) { r->top = y; }
    r->bottom = y + 1; // rows are looked at from the top, those of a second look included
}

static rectangle join(rectangle a, rectangle b) {
    if (a.right == 0) { return b; }
    if (b.right == 0) { return a; }
    return (rectangle){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                       a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
}

static rectangle find_changes(const gif *g, const uint8_t *before, const uint8_t *after) {
    rectangle r = {0};
    for (uint32_t y = 0; y < g->height; y++) {
        const uint8_t *a = before + (size_t)g->width * y, *b = after + (size_t)g->width * y;
        if (memcmp(a, b, g->width) == 0) { continue; }
        uint32_t left = 0, right = g->width;
        while (a[left] == b[left]) { left++; }
        while (a[right - 1] == b[right - 1]) { right--; }
        grow(&r, left, right, y);
    }
    return r;
}

// Where `before` has a colour and `after` none; NULL: is clear everywhere.
static rectangle find_cleared(const gif *g, const uint8_t *before, const uint8_t *after) {
    rectangle r = {0};
    for (uint32_t y = 0; y < g->height; y++) {
        const uint8_t *a = before + (size_t)g->width * y, *b = after != NULL ? after + (size_t)g->width * y : NULL;
        uint32_t left = g->width, right = 0;
        for (uint32_t x = 0; x < g->width; x++) {
            if (a[x] == CLEAR || (b != NULL && b[x] != CLEAR)) { continue; }
            if (left == g->width) { left = x; }
            right = x + 1;
        }
        if (right > 0) { grow(&r, left, right, y); }
    }
    return r;
}

static void put_16(uint8_t *to, uint32_t value) {
    to[0] = (uint8_t)(value & 0xFF);
    to[1] = (uint8_t)(value >> 8);
}

static void write_head(gif *g, const uint8_t *palette, uint32_t color_count, uint32_t loop_count) {
    g->index_bits = 2;
    while (1u << g->index_bits < color_count + 1) { g->index_bits++; }
    uint8_t head[13 + 256 * 3] = "GIF89a";
    put_16(head + 6, g->width);
    put_16(head + 8, g->height);
    head[10] = (uint8_t)(0xF0 | (g->index_bits - 1)); // a palette of 1 << index_bits colours
    memcpy(head + 13 + 3, palette, (size_t)color_count * 3);
    cli_file_write(&g->file, head, 13 + ((size_t)3 << g->index_bits));
    // The extension counts repetitions after the first time; without it there are none, and 0 is for ever.
    if (loop_count == 1) { return; }
    uint8_t loop[19] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01";
    const uint32_t again = loop_count == 0 ? 0 : loop_count - 1;
    put_16(loop + 16, again < 65535 ? again : 65535);
    cli_file_write(&g->file, loop, sizeof loop);
}

// A pixel that is right already may be set or left alone, whichever goes on with what stands before it.
static void write_rectangle(gif *g, const rectangle *r, bool clears, uint32_t units) {
    uint8_t head[18] = {0x21, 0xF9, 4, (uint8_t)((clears ? 2 : 1) << 2 | 1), 0, 0, CLEAR, 0, 0x2C};
    put_16(head + 4, units);
    put_16(head + 9, r->left);
    put_16(head + 11, r->top);
    put_16(head + 13, r->right - r->left);
    put_16(head + 15, r->bottom - r->top);
    cli_file_write(&g->file, head, sizeof head);
    cli_lzw_begin(&g->lzw, &g->file, g->index_bits);
    uint8_t last = CLEAR;
    for (uint32_t y = r->top; y < r->bottom; y++) {
        const uint8_t *under = g->under + (size_t)g->width * y, *held = g->held + (size_t)g->width * y;
        for (uint32_t x = r->left; x < r->right; x++) {
            if (held[x] != under[x] || held[x] == last) {
                last = held[x];
            } else {
                last = CLEAR;
            }
            g->row[x] = last;
        }
        cli_lzw_put(&g->lzw, g->row + r->left, r->right - r->left);
    }
    cli_lzw_end(&g->lzw);
}

// Writes the frame that waits. Afterwards `under` is what the next one is painted on. `cleared`: what that one clears.
static void write_held(gif *g, rectangle cleared) {
    rectangle r = {0, 0, g->width, g->height}; // the first covers all, whatever a viewer began with
    if (!g->first) { r = join(find_changes(g, g->under, g->held), cleared); }
    if (r.right == 0) { r = (rectangle){0, 0, 1, 1}; }
    g->first = false;
    int64_t units = g->held_units;
    while (units > UNITS_MAX) {
        write_rectangle(g, &r, false, UNITS_MAX - UNITS_MIN);
        memcpy(g->under, g->held, (size_t)g->width * g->height);
        units -= UNITS_MAX - UNITS_MIN;
    }
    const bool clears = cleared.right > 0;
    write_rectangle(g, &r, clears, (uint32_t)units);
    uint8_t *under = g->under;
    g->under = g->held;
    g->held = under;
    if (!clears) { return; }
    for (uint32_t y = r.top; y < r.bottom; y++) {
        memset(g->under + (size_t)g->width * y + r.left, CLEAR, r.right - r.left);
    }
}

static bool draw(const cli_frames *frames, uint32_t index, zo_image *image, uint32_t pass) {
    if (!frames->draw(frames->context, index, image)) { return false; }
    const uint64_t done = (uint64_t)frames->count * pass + index + 1; // of twice the count, halved: it may not fit
    cli_frame_progress(frames, (uint32_t)(done / 2), frames->count);
    return true;
}

static int write_frames(gif *g, const cli_frames *frames, const cli_shown *plan, uint32_t plan_count, cli_quantiser *q,
                        zo_image *image, uint32_t loop_count) {
    for (uint32_t i = 0; i < plan_count; i++) {
        if (!draw(frames, plan[i].frame, image, 0)) { return CLI_INTERNAL; }
        cli_quantiser_count(q, image);
    }
    uint8_t palette[CLI_COLORS_MAX * 3];
    const uint32_t color_count = cli_quantiser_finish(q, palette);
    if (color_count == UINT32_MAX) {
        cli_say("not enough memory to choose the colours");
        return CLI_INTERNAL;
    }
    write_head(g, palette, color_count, loop_count);
    const size_t size = (size_t)g->width * g->height;
    bool clear_at_start = false;
    g->first = true;
    for (uint32_t i = 0; i < plan_count; i++) {
        if (!draw(frames, plan[i].frame, image, 1)) { return CLI_INTERNAL; }
        cli_quantiser_map(q, image, g->next);
        const int64_t units = plan[i + 1].start - plan[i].start;
        if (i > 0 && memcmp(g->held, g->next, size) == 0) {
            g->held_units += units;
            continue;
        }
        if (i > 0) {
            write_held(g, find_cleared(g, g->held, g->next));
        } else {
            clear_at_start = memchr(g->next, CLEAR, size) != NULL;
        }
        uint8_t *held = g->held;
        g->held = g->next;
        g->next = held;
        g->held_units = units;
        if (g->file.stream == NULL) { return CLI_FILES; }
    }
    // Some viewers begin the next time round on what the last frame left.
    const bool clears = clear_at_start && loop_count != 1;
    write_held(g, clears ? find_cleared(g, g->held, NULL) : (rectangle){0});
    cli_file_write(&g->file, ";", 1);
    return g->file.stream != NULL ? CLI_FINE : CLI_FILES;
}

static int write_file(gif *g, const char *path, const cli_frames *frames, const cli_movie_def *def, zo_image *image) {
    uint32_t plan_count = 0;
    cli_shown *plan = cli_frames_plan(frames, UNIT_NS, UNITS_MIN, &plan_count);
    cli_quantiser *q = cli_quantiser_new();
    int code = CLI_INTERNAL;
    if (q == NULL) {
        cli_say("not enough memory to write '%s'", path);
    } else if (plan != NULL) {
        code = cli_file_open(&g->file, path) ? CLI_FINE : CLI_FILES;
    }
    if (code == CLI_FINE) { code = write_frames(g, frames, plan, plan_count, q, image, def->loop_count); }
    if (code != CLI_FINE) {
        cli_file_discard(&g->file);
    } else if (!cli_file_commit(&g->file)) {
        code = CLI_FILES;
    }
    cli_quantiser_free(q);
    free(plan);
    return code;
}

int cli_write_gif(const char *path, const cli_frames *frames, const cli_movie_def *def) {
    if (frames->width > SIDE_MAX || frames->height > SIDE_MAX) {
        cli_say("'%s' cannot have %u x %u pixels; a GIF is at most %d wide and high", path, (unsigned)frames->width,
                (unsigned)frames->height, SIDE_MAX);
        return CLI_INTERNAL;
    }
    zo_image image;
    if (!cli_frame_new(frames, &image)) { return CLI_INTERNAL; }
    const size_t size = (size_t)frames->width * frames->height;
    gif *g = calloc(1, sizeof *g);
    uint8_t *memory = calloc(1, size * 3 + frames->width);
    int code = CLI_INTERNAL;
    if (g == NULL || memory == NULL) {
        cli_say("not enough memory to write '%s'", path);
    } else {
        g->width = frames->width;
        g->height = frames->height;
        g->under = memory;
        g->held = memory + size;
        g->next = memory + size * 2;
        g->row = memory + size * 3;
        code = write_file(g, path, frames, def, &image);
    }
    free(memory);
    free(g);
    free(image.pixels);
    return code;
}
