// See blocks.h.
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

enum { SIDE_MAX = 4096 };
static const uint32_t UPPER_HALF = 0x2580, LOWER_HALF = 0x2584;

// ---------------------------------------------------------------------------------------------------- output

void cli_out_put(cli_out *out, const void *bytes, size_t size) {
    if (size > out->capacity - out->size) {
        size_t capacity = out->capacity * 2 + 4096;
        while (capacity - out->size < size) { capacity *= 2; }
        char *data = out->failed ? NULL : realloc(out->data, capacity);
        if (data == NULL) {
            out->failed = true;
            return;
        }
        out->data = data;
        out->capacity = capacity;
    }
    memcpy(out->data + out->size, bytes, size);
    out->size += size;
}

void cli_out_text(cli_out *out, const char *text) { cli_out_put(out, text, strlen(text)); }

void cli_out_number(cli_out *out, uint32_t number) {
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    cli_out_put(out, digits + at, sizeof digits - at);
}

static void put_glyph(cli_out *out, uint32_t code) {
    uint8_t bytes[4];
    size_t size = 1;
    if (code < 0x80) {
        bytes[0] = (uint8_t)code;
    } else if (code < 0x800) {
        bytes[0] = (uint8_t)(0xC0 | code >> 6);
        bytes[1] = (uint8_t)(0x80 | (code & 0x3F));
        size = 2;
    } else if (code < 0x10000) {
        bytes[0] = (uint8_t)(0xE0 | code >> 12);
        bytes[1] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
        bytes[2] = (uint8_t)(0x80 | (code & 0x3F));
        size = 3;
    } else {
        bytes[0] = (uint8_t)(0xF0 | code >> 18);
        bytes[1] = (uint8_t)(0x80 | (code >> 12 & 0x3F));
        bytes[2] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
        bytes[3] = (uint8_t)(0x80 | (code & 0x3F));
        size = 4;
    }
    cli_out_put(out, bytes, size);
}

void cli_out_free(cli_out *out) {
    free(out->data);
    *out = (cli_out){0};
}

// ---------------------------------------------------------------------------------------------------- colours

static uint32_t square(int a, int b) { return (uint32_t)((a - b) * (a - b)); }

// The nearest of the 6 x 6 x 6 cube and the 24 greys that terminals with 256 colours have in common; the first sixteen
// are everybody's own.
static uint32_t nearest_index(const uint8_t rgb[3]) {
    static const uint8_t levels[6] = {0, 95, 135, 175, 215, 255};
    uint32_t index = 16, distance = 0;
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t best = 0;
        for (uint32_t l = 1; l < 6; l++) {
            if (square(levels[l], rgb[c]) < square(levels[best], rgb[c])) { best = l; }
        }
        index += best * (c == 0 ? 36u : c == 1 ? 6u : 1u);
        distance += square(levels[best], rgb[c]);
    }
    const int mean = (rgb[0] + rgb[1] + rgb[2]) / 3;
    const int grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    const int level = 8 + 10 * grey;
    const uint32_t grey_distance = square(level, rgb[0]) + square(level, rgb[1]) + square(level, rgb[2]);
    return grey_distance < distance ? 232 + (uint32_t)grey : index;
}

cli_ink cli_ink_of(const cli_grid *grid, uint8_t r, uint8_t g, uint8_t b) {
    const uint8_t rgb[3] = {r, g, b};
    if (!grid->true_color) { return CLI_INK_INDEX(nearest_index(rgb)); }
    return 0x01000000u | (uint32_t)r << 16 | (uint32_t)g << 8 | b;
}

// "38;2;r;g;b", or with 48 in front for the paper.
static void put_ink(cli_out *out, cli_ink ink, bool paper) {
    cli_out_text(out, paper ? "48;" : "38;");
    if (ink >> 24 == 2) {
        cli_out_text(out, "5;");
        cli_out_number(out, ink & 0xFF);
        return;
    }
    cli_out_text(out, "2;");
    for (uint32_t shift = 16; shift < 24; shift -= 8) { // wraps around after 0
        cli_out_number(out, ink >> shift & 0xFF);
        if (shift > 0) { cli_out_text(out, ";"); }
    }
}

// ---------------------------------------------------------------------------------------------------- the grid

bool cli_grid_size(cli_grid *grid, uint32_t width, uint32_t height) {
    width = width > SIDE_MAX ? SIDE_MAX : width;
    height = height > SIDE_MAX ? SIDE_MAX : height;
    if (grid->cells == NULL || grid->width != width || grid->height != height) {
        free(grid->cells);
        grid->cells = calloc((size_t)width * height + 1, sizeof *grid->cells);
        grid->width = grid->cells != NULL ? width : 0;
        grid->height = grid->cells != NULL ? height : 0;
    }
    cli_grid_clear(grid, (cli_area){0, 0, grid->width, grid->height}, (cli_pen){0});
    return grid->cells != NULL;
}

void cli_grid_free(cli_grid *grid) {
    free(grid->cells);
    *grid = (cli_grid){0};
}

static cli_cell *cell_at(const cli_grid *grid, uint32_t row, uint32_t column) {
    return &grid->cells[(size_t)row * grid->width + column];
}

// Half of a wide sign is none.
void cli_grid_put(cli_grid *grid, uint32_t row, uint32_t column, cli_cell cell) {
    if (row >= grid->height || column >= grid->width) { return; }
    cli_cell *at = cell_at(grid, row, column);
    if (at->glyph == 0 && column > 0 && cell.glyph != 0) { at[-1].glyph = ' '; }
    if (column + 1 < grid->width && at[1].glyph == 0) { at[1].glyph = ' '; }
    *at = cell;
}

void cli_grid_clear(cli_grid *grid, cli_area area, cli_pen pen) {
    const cli_cell cell = {' ', pen.ink, pen.paper, pen.style};
    for (uint32_t row = 0; row < area.height; row++) {
        for (uint32_t column = 0; column < area.width; column++) {
            cli_grid_put(grid, area.row + row, area.column + column, cell);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- text

// The next code point, moved past; what is not UTF-8, and what would move the cursor, as a sign.
static uint32_t next_code(const char **text) {
    const uint8_t *at = (const uint8_t *)*text;
    const uint32_t size = at[0] < 0x80   ? 1
                          : at[0] < 0xC2 ? 0
                          : at[0] < 0xE0 ? 2
                          : at[0] < 0xF0 ? 3
                          : at[0] < 0xF5 ? 4
                                         : 0;
    uint32_t code = size > 1 ? at[0] & (0xFFu >> (size + 1)) : at[0];
    bool fine = size > 0;
    for (uint32_t i = 1; i < size && fine; i++) {
        fine = (at[i] & 0xC0) == 0x80; // also stops at the end of the text
        code = code << 6 | (at[i] & 0x3Fu);
    }
    *text += fine ? size : 1;
    if (!fine || (code >= 0x80 && code < 0xA0)) { return 0xFFFD; }
    return code < 0x20 ? 0x2400 + code : code == 0x7F ? 0x2421 : code;
}

// Of what names are made of. Where a terminal thinks otherwise only that line is a little off: behind a sign that is
// not ASCII the cursor is placed anew.
static uint32_t width_of(uint32_t code) {
    static const struct { uint32_t first, last, width; } ranges[] = {
        {0x0300, 0x036F, 0},   {0x1100, 0x115F, 2},   {0x200B, 0x200F, 0},   {0x202A, 0x202E, 0},
        {0x2066, 0x2069, 0},   {0x20D0, 0x20FF, 0},   {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},
        {0xAC00, 0xD7A3, 2},   {0xD800, 0xDFFF, 0},   {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},
        {0xFE30, 0xFE6F, 2},   {0xFEFF, 0xFEFF, 0},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},
        {0x1F300, 0x1F64F, 2}, {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2}, {0xE0000, 0x10FFFF, 0}};
    for (uint32_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) { return ranges[i].width; }
    }
    return 1;
}

uint32_t cli_text_width(const char *text) {
    uint32_t width = 0;
    while (*text != 0) { width += width_of(next_code(&text)); }
    return width;
}

uint32_t cli_grid_text(cli_grid *grid, uint32_t row, uint32_t column, uint32_t end, cli_pen pen, const char *text) {
    end = end < grid->width ? end : grid->width;
    while (*text != 0) {
        const uint32_t code = next_code(&text), width = width_of(code);
        if (width == 0) { continue; }
        if (column >= end || width > end - column) { break; }
        cli_grid_put(grid, row, column, (cli_cell){code, pen.ink, pen.paper, pen.style});
        if (width == 2) { cli_grid_put(grid, row, column + 1, (cli_cell){0, pen.ink, pen.paper, pen.style}); }
        column += width;
    }
    return column;
}

// ---------------------------------------------------------------------------------------------------- pictures

static cli_ink ink_of_pixel(const cli_grid *grid, const uint8_t p[4]) {
    if (p[3] < 128) { return 0; }
    uint8_t rgb[3];
    for (int c = 0; c < 3; c++) {
        const int straight = (p[c] * 255 + p[3] / 2) / p[3];
        rgb[c] = (uint8_t)(straight > 255 ? 255 : straight);
    }
    return cli_ink_of(grid, rgb[0], rgb[1], rgb[2]);
}

void cli_grid_picture(cli_grid *grid, cli_area area, const zo_image *image) {
    for (uint32_t row = 0; row < area.height && row * 2 + 1 < image->height; row++) {
        const uint8_t *top = image->pixels + (size_t)(row * 2) * image->stride, *bottom = top + image->stride;
        for (uint32_t column = 0; column < area.width && column < image->width; column++) {
            const cli_ink upper = ink_of_pixel(grid, top + (size_t)column * 4);
            const cli_ink lower = ink_of_pixel(grid, bottom + (size_t)column * 4);
            cli_cell cell = {UPPER_HALF, upper, lower, 0};
            if (upper == lower) { cell = (cli_cell){' ', 0, lower, 0}; }
            if (upper == 0 && lower != 0) { cell = (cli_cell){LOWER_HALF, lower, 0, 0}; }
            cli_grid_put(grid, area.row + row, area.column + column, cell);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- what to send

typedef struct sender {
    cli_out *out;
    cli_pen pen; // the terminal's
    uint32_t row, column; // where its cursor is; row UINT32_MAX: unknown
} sender;

static void move_to(sender *s, uint32_t row, uint32_t column) {
    if (s->row == row && s->column == column) { return; }
    cli_out_text(s->out, "\x1b[");
    if (s->row == row && column > s->column) {
        if (column - s->column > 1) { cli_out_number(s->out, column - s->column); }
        cli_out_text(s->out, "C");
    } else {
        cli_out_number(s->out, row + 1);
        cli_out_text(s->out, ";");
        cli_out_number(s->out, column + 1);
        cli_out_text(s->out, "H");
    }
    s->row = row;
    s->column = column;
}

// A space shows nothing of the ink, so the terminal's may stay what it is.
static void set_pen(sender *s, const cli_cell *cell) {
    const bool inked = cell->glyph != ' ' || (cell->style & CLI_INVERSE) != 0;
    const cli_ink ink = inked ? cell->ink : s->pen.ink;
    bool reset = s->pen.style != cell->style || (ink == 0 && s->pen.ink != 0) ||
                 (cell->paper == 0 && s->pen.paper != 0);
    if (!reset && ink == s->pen.ink && cell->paper == s->pen.paper) { return; }
    const char *separator = "";
    cli_out_text(s->out, "\x1b[");
    if (reset) {
        cli_out_text(s->out, "0");
        separator = ";";
        s->pen = (cli_pen){0};
        static const char *const codes[] = {";1", ";2", ";7"};
        for (uint32_t bit = 0; bit < 3; bit++) {
            if ((cell->style >> bit & 1) != 0) { cli_out_text(s->out, codes[bit]); }
        }
    }
    const cli_ink wanted = inked ? cell->ink : s->pen.ink;
    if (wanted != s->pen.ink) {
        cli_out_text(s->out, separator);
        put_ink(s->out, wanted, false);
        separator = ";";
    }
    if (cell->paper != s->pen.paper) {
        cli_out_text(s->out, separator);
        put_ink(s->out, cell->paper, true);
    }
    cli_out_text(s->out, "m");
    s->pen = (cli_pen){wanted, cell->paper, cell->style};
}

// The other half block with the colours the other way round looks the same, and may be what the pen is set to.
static cli_cell as_pen_likes(const sender *s, cli_cell cell) {
    if (cell.glyph != UPPER_HALF || cell.paper == 0 || cell.style != 0) { return cell; }
    const int kept = (s->pen.ink == cell.ink) + (s->pen.paper == cell.paper);
    const int kept_turned = (s->pen.ink == cell.paper) + (s->pen.paper == cell.ink);
    if (kept_turned <= kept) { return cell; }
    return (cli_cell){LOWER_HALF, cell.paper, cell.ink, 0};
}

static bool same(const cli_cell *a, const cli_cell *b) {
    return a->glyph == b->glyph && a->ink == b->ink && a->paper == b->paper && a->style == b->style;
}

static void send_cell(sender *s, const cli_grid *wanted, uint32_t row, uint32_t column) {
    const cli_cell cell = as_pen_likes(s, *cell_at(wanted, row, column));
    move_to(s, row, column);
    set_pen(s, &cell);
    put_glyph(s->out, cell.glyph);
    const bool wide = column + 1 < wanted->width && cell_at(wanted, row, column + 1)->glyph == 0;
    s->column += wide ? 2 : 1;
    const bool sure = cell.glyph < 0x80 || cell.glyph == UPPER_HALF || cell.glyph == LOWER_HALF;
    if (!sure || s->column >= wanted->width) { s->row = UINT32_MAX; } // at the edge a cursor may stand in two ways
}

void cli_blocks_send(cli_grid *shown, const cli_grid *wanted, cli_out *out) {
    sender s = {.out = out, .row = UINT32_MAX};
    const bool all = shown->width != wanted->width || shown->height != wanted->height || shown->cells == NULL;
    if (all) {
        if (!cli_grid_size(shown, wanted->width, wanted->height)) {
            out->failed = true;
            return;
        }
        cli_out_text(out, "\x1b[0m\x1b[2J"); // all spaces, as the new grid is
    }
    for (uint32_t row = 0; row < wanted->height; row++) {
        for (uint32_t column = 0; column < wanted->width; column++) {
            const cli_cell *cell = cell_at(wanted, row, column);
            // The second half of a wide sign goes with the first, which is sent when either is another.
            const bool wide = column + 1 < wanted->width && cell[1].glyph == 0;
            const cli_cell *was = cell_at(shown, row, column);
            if (cell->glyph == 0 || (same(cell, was) && !(wide && !same(cell + 1, was + 1)))) { continue; }
            send_cell(&s, wanted, row, column);
        }
    }
    if (s.pen.ink != 0 || s.pen.paper != 0 || s.pen.style != 0) { cli_out_text(out, "\x1b[0m"); }
    memcpy(shown->cells, wanted->cells, (size_t)wanted->width * wanted->height * sizeof *wanted->cells);
}
