// Screens sent to a terminal of the test's own, which knows the few sequences that are used: it must show what was
// wanted, whatever it showed before; and what has not changed must cost nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "blocks.h"

enum { WIDTH = 13, HEIGHT = 5 };
static const uint32_t UPPER = 0x2580, LOWER = 0x2584;

// ---------------------------------------------------------------------------------------------------- a terminal

typedef struct terminal {
    cli_cell cells[HEIGHT][WIDTH];
    uint32_t row, column;
    cli_pen pen;
} terminal;

static uint32_t next_sign(const char **at) {
    const uint8_t *b = (const uint8_t *)*at;
    const uint32_t size = b[0] < 0x80 ? 1 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
    uint32_t code = size == 1 ? b[0] : b[0] & (0xFFu >> (size + 1));
    for (uint32_t i = 1; i < size; i++) { code = code << 6 | (b[i] & 0x3Fu); }
    *at += size;
    return code;
}

static void set_pen(terminal *t, const uint32_t *n, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        cli_ink *ink = n[i] == 38 ? &t->pen.ink : &t->pen.paper;
        if (n[i] == 0) { t->pen = (cli_pen){0}; }
        if (n[i] == 1) { t->pen.style |= CLI_BOLD; }
        if (n[i] == 2) { t->pen.style |= CLI_DIM; }
        if (n[i] == 7) { t->pen.style |= CLI_INVERSE; }
        if (n[i] != 38 && n[i] != 48) { continue; }
        if (n[i + 1] == 5) {
            *ink = CLI_INK_INDEX(n[i + 2]);
            i += 2;
        } else {
            assert_int_equal(n[i + 1], 2);
            *ink = 0x01000000u | n[i + 2] << 16 | n[i + 3] << 8 | n[i + 4];
            i += 4;
        }
    }
}

static void take_sequence(terminal *t, const char **at) {
    uint32_t n[24] = {0}, count = 1;
    for (*at += 2; (**at >= '0' && **at <= '9') || **at == ';'; ++*at) {
        if (**at == ';') {
            assert_true(++count < 16);
        } else {
            n[count - 1] = n[count - 1] * 10 + (uint32_t)(**at - '0');
        }
    }
    const char what = *(*at)++;
    switch (what) {
    case 'H':
        t->row = n[0] - 1;
        t->column = n[1] - 1;
        break;
    case 'C': t->column += n[0] > 0 ? n[0] : 1; break;
    case 'J':
        for (uint32_t i = 0; i < HEIGHT * WIDTH; i++) { t->cells[i / WIDTH][i % WIDTH] = (cli_cell){' ', 0, 0, 0}; }
        break;
    case 'm': set_pen(t, n, count); break;
    default: fail_msg("a sequence that is not used: %s", *at - 1);
    }
    assert_true(what == 'm' || (t->row < HEIGHT && t->column < WIDTH));
}

static void receive(terminal *t, const cli_out *out) {
    char *text = calloc(out->size + 1, 1);
    memcpy(text, out->data, out->size);
    assert_false(out->failed);
    for (const char *at = text; *at != 0;) {
        if (*at == 0x1B) {
            take_sequence(t, &at);
            continue;
        }
        const uint32_t code = next_sign(&at), width = code >= 0x3000 && code != 0xFFFD ? 2 : 1;
        assert_true(t->row < HEIGHT && t->column + width <= WIDTH);
        cli_cell *cell = &t->cells[t->row][t->column];
        if (cell->glyph == 0 && t->column > 0) { cell[-1].glyph = ' '; } // half of a wide one goes, and its other half
        if (t->column + width < WIDTH && cell[width].glyph == 0) { cell[width].glyph = ' '; }
        *cell = (cli_cell){code, t->pen.ink, t->pen.paper, t->pen.style};
        if (width == 2) { cell[1] = (cli_cell){0, t->pen.ink, t->pen.paper, t->pen.style}; }
        t->column += width;
    }
    free(text);
}

// What a cell looks like: colours of its two halves where it is a block, else as it is.
static cli_cell seen(cli_cell cell) {
    if (cell.glyph == ' ' && (cell.style & CLI_INVERSE) == 0) { return (cli_cell){UPPER, cell.paper, cell.paper, 0}; }
    if (cell.glyph == LOWER) { return (cli_cell){UPPER, cell.paper, cell.ink, cell.style}; }
    return cell;
}

static void assert_shows(const terminal *t, const cli_grid *grid) {
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const cli_cell is = seen(t->cells[i / WIDTH][i % WIDTH]), wanted = seen(grid->cells[i]);
        assert_int_equal(is.glyph, wanted.glyph);
        if (is.glyph == 0) { continue; }
        assert_int_equal(is.ink, wanted.ink);
        assert_int_equal(is.paper, wanted.paper);
        assert_int_equal(is.style, wanted.style);
    }
}

// ---------------------------------------------------------------------------------------------------- tests

static uint32_t random_below(uint32_t *random, uint32_t limit) {
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % limit;
}

static void change(cli_grid *grid, uint32_t *random) {
    static const char *const texts[] = {"a", "praxi", "弾む", "x弾", "ab\x1b[2Jc", "\xFF\xFE", "é", "…", ""};
    const uint32_t row = random_below(random, HEIGHT), column = random_below(random, WIDTH);
    const cli_pen pen = {random_below(random, 2) ? CLI_INK_INDEX(random_below(random, 3)) : 0,
                         random_below(random, 2) ? cli_ink_of(grid, 1, 2, 3) : 0, random_below(random, 8)};
    uint8_t pixels[4 * 4 * 4];
    for (uint32_t p = 0; p < 16; p++) {
        const bool clear = random_below(random, 3) == 0;
        const uint8_t tone = (uint8_t)(random_below(random, 3) * 100);
        memcpy(pixels + p * 4, (uint8_t[4]){tone, tone, clear ? 0 : 20, clear ? 0 : 255}, 4);
        if (clear) { memset(pixels + p * 4, 0, 4); }
    }
    const zo_image image = {pixels, 4, 4, 16};
    switch (random_below(random, 4)) {
    case 0: cli_grid_text(grid, row, column, WIDTH, pen, texts[random_below(random, 9)]); break;
    case 1: cli_grid_clear(grid, (cli_area){column, row, 3, 2}, pen); break;
    default: cli_grid_picture(grid, (cli_area){column, row, 4, 2}, &image);
    }
}

static void a_terminal_shows_what_is_wanted(void **state) {
    (void)state;
    for (uint32_t true_color = 0; true_color < 2; true_color++) {
        uint32_t random = 7;
        cli_grid shown = {.true_color = true_color}, wanted = {.true_color = true_color};
        cli_out out = {0};
        static terminal t;
        memset(&t, 0x5A, sizeof t); // anything
        t.row = t.column = 0;
        t.pen = (cli_pen){0};
        assert_true(cli_grid_size(&wanted, WIDTH, HEIGHT));
        for (uint32_t turn = 0; turn < 20000; turn++) {
            for (uint32_t n = random_below(&random, 4); n > 0; n--) { change(&wanted, &random); }
            out.size = 0;
            cli_blocks_send(&shown, &wanted, &out);
            receive(&t, &out);
            assert_shows(&t, &wanted);
            assert_int_equal(t.pen.ink | t.pen.paper | t.pen.style, 0);
            out.size = 0;
            cli_blocks_send(&shown, &wanted, &out);
            assert_int_equal(out.size, 0); // the same again is nothing
        }
        cli_grid_free(&shown);
        cli_grid_free(&wanted);
        cli_out_free(&out);
    }
}

static const cli_pen PLAIN = {0, 0, 0};

static void text_stays_within_its_place(void **state) {
    (void)state;
    cli_grid grid = {0};
    assert_true(cli_grid_size(&grid, WIDTH, HEIGHT));
    assert_int_equal(cli_grid_text(&grid, 0, 10, 100, PLAIN, "abcdef"), WIDTH);
    assert_int_equal(grid.cells[WIDTH].glyph, ' '); // the next row
    assert_int_equal(cli_grid_text(&grid, 1, 11, WIDTH, PLAIN, "a弾"), 12); // half of it is not put
    assert_int_equal(grid.cells[WIDTH + 12].glyph, ' ');
    assert_int_equal(cli_grid_text(&grid, HEIGHT, 0, WIDTH, PLAIN, "x"), 1); // outside: nowhere
    assert_int_equal(cli_grid_text(&grid, 2, 0, WIDTH, PLAIN, "e\xCC\x81\xE2\x80\x8Bx"), 2); // marks take no room
    cli_grid_text(&grid, 3, 0, WIDTH, PLAIN, "\x1b\x7F\xC2\x9B\xFF");
    const uint32_t signs[] = {0x241B, 0x2421, 0xFFFD, 0xFFFD};
    for (uint32_t i = 0; i < 4; i++) { assert_int_equal(grid.cells[3 * WIDTH + i].glyph, signs[i]); }
    assert_int_equal(cli_text_width("弾む x"), 6);
    cli_grid_text(&grid, 4, 0, WIDTH, PLAIN, "弾");
    cli_grid_text(&grid, 4, 1, WIDTH, PLAIN, "x");
    assert_int_equal(grid.cells[4 * WIDTH].glyph, ' '); // its half is gone
    cli_grid_free(&grid);
}

static void two_pixels_are_a_cell(void **state) {
    (void)state;
    cli_grid grid = {.true_color = true};
    assert_true(cli_grid_size(&grid, WIDTH, HEIGHT));
    uint8_t pixels[] = {255, 0, 0, 255, 0, 0, 0, 0,   10, 10, 10, 255, 64, 0, 0, 128,
                        0, 0, 255, 255, 9, 9, 9, 255, 10, 10, 10, 255, 0, 0, 0, 127};
    const zo_image image = {pixels, 4, 2, 16};
    cli_grid_picture(&grid, (cli_area){0, 0, 4, 1}, &image);
    const cli_cell wanted[] = {{UPPER, 0x01FF0000, 0x010000FF, 0}, {LOWER, 0x01090909, 0, 0}, {' ', 0, 0x010A0A0A, 0},
                               {UPPER, 0x01800000, 0, 0}};
    assert_memory_equal(grid.cells, wanted, sizeof wanted);
    grid.true_color = false;
    assert_int_equal(cli_ink_of(&grid, 255, 0, 0), CLI_INK_INDEX(196));
    assert_int_equal(cli_ink_of(&grid, 0, 0, 0), CLI_INK_INDEX(16));
    assert_int_equal(cli_ink_of(&grid, 255, 255, 255), CLI_INK_INDEX(231));
    assert_int_equal(cli_ink_of(&grid, 128, 128, 128), CLI_INK_INDEX(244));
    assert_int_equal(cli_ink_of(&grid, 9, 9, 9), CLI_INK_INDEX(232));
    assert_int_equal(cli_ink_of(&grid, 95, 135, 175), CLI_INK_INDEX(67));
    cli_grid_free(&grid);
}

// A picture that moves by a row is the dearest; one that stands still with a clock beside it must cost a few bytes.
static void little_is_sent(void **state) {
    (void)state;
    cli_grid shown = {.true_color = true}, wanted = {.true_color = true};
    cli_out out = {0};
    assert_true(cli_grid_size(&wanted, 80, 24));
    cli_grid_text(&wanted, 23, 70, 80, PLAIN, "12.3 s");
    cli_blocks_send(&shown, &wanted, &out);
    assert_true(out.size < 40); // the screen is cleared, not filled
    cli_grid_text(&wanted, 23, 70, 80, PLAIN, "12.4 s");
    out.size = 0;
    cli_blocks_send(&shown, &wanted, &out);
    assert_true(out.size <= sizeof "\x1b[24;74H4" - 1);
    out.size = 0;
    cli_grid_clear(&wanted, (cli_area){0, 0, 80, 10}, (cli_pen){0, cli_ink_of(&wanted, 40, 40, 40), 0});
    cli_blocks_send(&shown, &wanted, &out);
    assert_true(out.size < 900); // one colour, set once
    cli_grid_free(&shown);
    cli_grid_free(&wanted);
    cli_out_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_shows_what_is_wanted), cmocka_unit_test(text_stays_within_its_place),
        cmocka_unit_test(two_pixels_are_a_cell), cmocka_unit_test(little_is_sent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
