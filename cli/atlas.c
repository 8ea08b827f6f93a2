// Sprite sheets for games: the frames cut to what is not clear, equal ones stored once, packed into NAME.png, and
// NAME.json saying where each is, in the array form that Aseprite exports and most engines read. Called by render.c.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "frame.h"

enum { SIDE_MAX = 16384, AREA_MAX = SIDE_MAX * SIDE_MAX };
enum { GAP = 1 }; // clear pixels around each, so that smoothing does not reach the next

// A cut picture, stored once.
typedef struct tile {
    uint8_t *pixels; // malloc; without gaps between rows
    uint32_t width, height;
    uint64_t hash;
    uint32_t left, top; // in the sheet
} tile;

typedef struct cel {
    uint32_t tile;
    uint32_t left, top; // of the cut in the frame
} cel;

// What decides when a tile is packed.
typedef struct rank { uint32_t height, width, tile; } rank;

// Upper border of what is taken, from left to right.
typedef struct step { uint32_t left, top; } step;

typedef struct atlas {
    tile *tiles; // [frame_count]
    uint32_t tile_count;
    uint64_t area; // of all tiles with their gaps
    cel *cels;     // [frame_count]
    rank *order;   // [tile_count], the tallest first
    step *skyline, *skyline_next; // [tile_count + 2]
    uint32_t width, height;
} atlas;

static int no_memory(const char *path) {
    cli_say("not enough memory to write '%s'", path);
    return CLI_INTERNAL;
}

// ---------------------------------------------------------------------------------------------------- tiles

static bool is_clear(const uint8_t *pixels, size_t count, size_t distance) {
    for (size_t i = 0; i < count; i++) {
        if (pixels[i * distance + 3] != 0) { return false; }
    }
    return true;
}

// left, top, right and bottom, one beyond; of a frame that is all clear its first pixel.
static void find_visible(const zo_image *image, uint32_t box[4]) {
    const size_t stride = image->stride;
    uint32_t left = 0, top = 0, right = image->width, bottom = image->height;
    while (top < bottom && is_clear(image->pixels + stride * top, image->width, 4)) { top++; }
    if (top == bottom) {
        memcpy(box, (uint32_t[4]){0, 0, 1, 1}, 4 * sizeof box[0]);
        return;
    }
    while (is_clear(image->pixels + stride * (bottom - 1), image->width, 4)) { bottom--; }
    const uint8_t *first = image->pixels + stride * top;
    while (is_clear(first + (size_t)left * 4, bottom - top, stride)) { left++; }
    while (is_clear(first + (size_t)(right - 1) * 4, bottom - top, stride)) { right--; }
    memcpy(box, (uint32_t[4]){left, top, right, bottom}, 4 * sizeof box[0]);
}

static uint64_t hash_of(const uint8_t *bytes, size_t size) { // FNV-1a
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) { hash = (hash ^ bytes[i]) * 1099511628211u; }
    return hash;
}

static bool add_frame(atlas *a, uint32_t index, const zo_image *image) {
    uint32_t box[4];
    find_visible(image, box);
    tile t = {.width = box[2] - box[0], .height = box[3] - box[1]};
    const size_t row = (size_t)t.width * 4, size = row * t.height;
    t.pixels = malloc(size);
    if (t.pixels == NULL) { return false; }
    for (uint32_t y = 0; y < t.height; y++) {
        memcpy(t.pixels + row * y, image->pixels + image->stride * (box[1] + y) + (size_t)box[0] * 4, row);
    }
    t.hash = hash_of(t.pixels, size);
    uint32_t same = 0;
    while (same < a->tile_count &&
           !(a->tiles[same].hash == t.hash && a->tiles[same].width == t.width && a->tiles[same].height == t.height &&
             memcmp(a->tiles[same].pixels, t.pixels, size) == 0)) {
        same++;
    }
    a->cels[index] = (cel){same, box[0], box[1]};
    if (same < a->tile_count) {
        free(t.pixels);
    } else {
        a->tiles[a->tile_count++] = t;
        a->area += (uint64_t)(t.width + GAP) * (t.height + GAP);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- packing

static int compare_ranks(const void *x, const void *y) {
    const rank *a = x, *b = y;
    if (a->height != b->height) { return a->height > b->height ? -1 : 1; }
    if (a->width != b->width) { return a->width > b->width ? -1 : 1; }
    return a->tile < b->tile ? -1 : 1;
}

// How low a box of this width can come to lie at step `s`. UINT32_MAX: it does not fit there.
static uint32_t top_at(const atlas *a, uint32_t step_count, uint32_t s, uint32_t width, uint32_t limit) {
    const uint32_t left = a->skyline[s].left;
    if (left + width > limit) { return UINT32_MAX; }
    uint32_t top = 0;
    for (; s < step_count && a->skyline[s].left < left + width; s++) {
        top = a->skyline[s].top > top ? a->skyline[s].top : top;
    }
    return top;
}

// The border after a box stands on it from `left` to `right` up to `top`.
static uint32_t raise_skyline(atlas *a, uint32_t step_count, uint32_t left, uint32_t right, uint32_t top) {
    uint32_t count = 0, under = 0; // under: of the last step that begins at or before `right`
    for (uint32_t s = 0; s < step_count && a->skyline[s].left < left; s++) { a->skyline_next[count++] = a->skyline[s]; }
    a->skyline_next[count++] = (step){left, top};
    for (uint32_t s = 0; s < step_count && a->skyline[s].left <= right; s++) { under = a->skyline[s].top; }
    a->skyline_next[count++] = (step){right, under};
    for (uint32_t s = 0; s < step_count; s++) {
        if (a->skyline[s].left > right) { a->skyline_next[count++] = a->skyline[s]; }
    }
    step *next = a->skyline_next;
    a->skyline_next = a->skyline;
    a->skyline = next;
    return count;
}

// Puts each tile, the tallest first, where it comes to lie highest up. Returns the height; 0: too high.
static uint32_t pack_into(atlas *a, uint32_t width) {
    uint32_t step_count = 1, bottom = 0;
    a->skyline[0] = (step){0, 0};
    for (uint32_t i = 0; i < a->tile_count; i++) {
        tile *t = &a->tiles[a->order[i].tile];
        uint32_t best = UINT32_MAX, best_left = 0;
        for (uint32_t s = 0; s < step_count; s++) {
            const uint32_t top = top_at(a, step_count, s, t->width + GAP, width - GAP);
            if (top < best) {
                best = top;
                best_left = a->skyline[s].left;
            }
        }
        const uint64_t end = (uint64_t)best + t->height + GAP;
        if (best == UINT32_MAX || end + GAP > SIDE_MAX) { return 0; }
        t->left = best_left + GAP;
        t->top = best + GAP;
        bottom = end > bottom ? (uint32_t)end : bottom;
        step_count = raise_skyline(a, step_count, best_left, best_left + t->width + GAP, (uint32_t)end);
    }
    return bottom + GAP;
}

// Tries widths and keeps the one with the least area.
static bool pack(atlas *a) {
    uint32_t widest = 0, best_width = 0;
    for (uint32_t i = 0; i < a->tile_count; i++) {
        const tile *t = &a->tiles[i];
        widest = t->width > widest ? t->width : widest;
        a->order[i] = (rank){t->height, t->width, i};
    }
    qsort(a->order, a->tile_count, sizeof a->order[0], compare_ranks);
    uint64_t side = 1;
    while (side * side < a->area) { side++; }
    uint64_t best_area = UINT64_MAX;
    for (uint32_t tenth = 7; tenth <= 25; tenth++) { // a layout of few tiles needs much more than its share
        uint64_t width = side * tenth / 10;
        width = width > widest + 2 * GAP ? width : widest + 2 * GAP;
        if (width > SIDE_MAX) { width = SIDE_MAX; }
        const uint32_t height = width >= widest + 2 * GAP ? pack_into(a, (uint32_t)width) : 0;
        uint32_t used = 0;
        for (uint32_t i = 0; i < a->tile_count && height > 0; i++) {
            const uint32_t right = a->tiles[i].left + a->tiles[i].width + GAP;
            used = right > used ? right : used;
        }
        if (height == 0 || (uint64_t)used * height >= best_area) { continue; }
        best_area = (uint64_t)used * height;
        best_width = used;
    }
    if (best_width == 0) { return false; }
    a->width = best_width;
    a->height = pack_into(a, best_width); // lays them out as before: none was further right
    return true;
}

// ---------------------------------------------------------------------------------------------------- the two files

static void put(cli_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An error sticks to the stream and is seen when the file is put in place.
static void put(cli_file *file, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(file->stream, format, list);
    va_end(list);
}

static void put_text(cli_file *file, const char *text) {
    put(file, "\"");
    for (; *text != 0; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20) {
            put(file, "\\u%04x", c);
        } else {
            put(file, c == '"' || c == '\\' ? "\\%c" : "%c", c);
        }
    }
    put(file, "\"");
}

static int64_t ms_of(int64_t ns) { return (ns + 500000) / 1000000; }

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void put_box(cli_file *file, const char *key, uint32_t left, uint32_t top, const tile *t) {
    put(file, "%s: {\"x\": %u, \"y\": %u, \"w\": %u, \"h\": %u}", key, left, top, t->width, t->height);
}

// Lengths are what is between rounded starts, so that they add up to the whole.
static void put_frames(const atlas *a, cli_file *file, const cli_frames *frames, const char *title) {
    for (uint32_t i = 0; i < frames->count; i++) {
        const cel *c = &a->cels[i];
        const tile *t = &a->tiles[c->tile];
        const int64_t shown = ms_of(frames->start_ns[i + 1]) - ms_of(frames->start_ns[i]);
        char name[4200];
        snprintf(name, sizeof name, "%s %u", title, (unsigned)(frames->first_number + i));
        put(file, "    {\"filename\": ");
        put_text(file, name);
        put_box(file, ", \"frame\"", t->left, t->top, t);
        put(file, ", \"rotated\": false, \"trimmed\": %s",
            t->width < frames->width || t->height < frames->height ? "true" : "false");
        put_box(file, ", \"spriteSourceSize\"", c->left, c->top, t);
        put(file, ", \"sourceSize\": {\"w\": %u, \"h\": %u}, \"duration\": %lld}%s\n", frames->width, frames->height,
            (long long)(shown > 0 ? shown : 1), i + 1 < frames->count ? "," : "");
    }
}

static void put_tags(cli_file *file, const cli_frames *frames, const cli_atlas_def *def) {
    put(file, "      {\"name\": ");
    put_text(file, def->name);
    put(file, ", \"from\": 0, \"to\": %u, \"direction\": \"%s\"", (unsigned)(frames->count - 1),
        def->ping_pong ? "pingpong" : "forward");
    if (def->loop_count > 0) { put(file, ", \"repeat\": \"%u\"", (unsigned)def->loop_count); }
    put(file, "}");
    for (uint32_t i = 0; i < def->marks->count; i++) {
        const cli_mark *mark = &def->marks->items[i];
        put(file, ",\n      {\"name\": ");
        put_text(file, mark->name);
        put(file, ", \"from\": %u, \"to\": %u, \"direction\": \"forward\", \"data\": ", mark->frame, mark->frame);
        put_text(file, mark->what);
        put(file, "}");
    }
    put(file, "\n");
}

static void put_json(const atlas *a, cli_file *file, const char *picture, const cli_frames *frames,
                     const cli_atlas_def *def) {
    char title[4096];
    snprintf(title, sizeof title, "%s", base_of(picture));
    title[strlen(title) - strlen(".png")] = 0;
    put(file, "{\n  \"frames\": [\n");
    put_frames(a, file, frames, title);
    put(file, "  ],\n  \"meta\": {\n    \"app\": \"zoetrope\",\n    \"version\": \"%s\",\n", zo_version());
    put(file, "    \"image\": ");
    put_text(file, base_of(picture));
    put(file, ",\n    \"format\": \"RGBA8888\",\n    \"size\": {\"w\": %u, \"h\": %u},\n", a->width, a->height);
    put(file, "    \"scale\": \"1\",\n");
    put(file, "    \"frameTags\": [\n");
    put_tags(file, frames, def);
    put(file, "    ],\n    \"layers\": []\n  }\n}\n");
}

static int put_png(const atlas *a, cli_file *file) {
    zo_image sheet = {calloc((size_t)a->width * a->height, 4), a->width, a->height, (size_t)a->width * 4};
    if (sheet.pixels == NULL) { return no_memory(file->path); }
    for (uint32_t i = 0; i < a->tile_count; i++) {
        const tile *t = &a->tiles[i];
        const size_t row = (size_t)t->width * 4;
        for (uint32_t y = 0; y < t->height; y++) {
            memcpy(sheet.pixels + sheet.stride * (t->top + y) + (size_t)t->left * 4, t->pixels + row * y, row);
        }
    }
    const int code = cli_put_png(file, &sheet);
    free(sheet.pixels);
    return code;
}

static int write_both(atlas *a, const char *path, const cli_frames *frames, const cli_atlas_def *def, zo_image *image) {
    char picture[4096];
    const int size = (int)(strlen(path) - strlen(".json"));
    if (snprintf(picture, sizeof picture, "%.*s.png", size, path) >= (int)sizeof picture) {
        cli_say("the name '%s' is too long", path);
        return CLI_FILES;
    }
    cli_file json, png = {0};
    int code = cli_file_open(&json, path) && cli_file_open(&png, picture) ? CLI_FINE : CLI_FILES;
    for (uint32_t i = 0; code == CLI_FINE && i < frames->count && a->area <= AREA_MAX; i++) {
        if (!frames->draw(frames->context, i, image)) {
            code = CLI_INTERNAL;
        } else if (!add_frame(a, i, image)) {
            code = no_memory(path);
        }
        cli_frame_progress(frames, i + 1, frames->count);
    }
    if (code == CLI_FINE) {
        a->order = calloc(a->tile_count, sizeof *a->order);
        a->skyline = calloc((size_t)a->tile_count * 2 + 2, sizeof *a->skyline);
        a->skyline_next = calloc((size_t)a->tile_count * 2 + 2, sizeof *a->skyline_next);
        if (a->order == NULL || a->skyline == NULL || a->skyline_next == NULL) { code = no_memory(path); }
    }
    if (code == CLI_FINE && (a->area > AREA_MAX || !pack(a))) {
        cli_say("the frames do not fit a sheet of %d x %d pixels; ask for smaller ones with --size, or for fewer "
                "with --fps or --frames", SIDE_MAX, SIDE_MAX);
        code = CLI_INTERNAL;
    }
    if (code == CLI_FINE) { code = put_png(a, &png); }
    if (code == CLI_FINE) {
        put_json(a, &json, picture, frames, def);
        return cli_file_commit_pair(&png, &json) ? CLI_FINE : CLI_FILES;
    }
    cli_file_discard(&json);
    cli_file_discard(&png);
    return code;
}

int cli_write_atlas(const char *path, const cli_frames *frames, const cli_atlas_def *def) {
    zo_image image;
    if (!cli_frame_new(frames, &image)) { return CLI_INTERNAL; }
    atlas a = {.tiles = calloc(frames->count, sizeof *a.tiles), .cels = calloc(frames->count, sizeof *a.cels)};
    int code = CLI_INTERNAL;
    if (a.tiles != NULL && a.cels != NULL) {
        code = write_both(&a, path, frames, def, &image);
    } else {
        no_memory(path);
    }
    for (uint32_t i = 0; i < a.tile_count; i++) { free(a.tiles[i].pixels); }
    free(a.tiles);
    free(a.cels);
    free(a.order);
    free(a.skyline);
    free(a.skyline_next);
    free(image.pixels);
    return code;
}
