// See graphics.h (chafa.h is the name of the header of the library chafa). Without the library a terminal shows blocks,
// and what is asked of this file otherwise is never reached.
#include <stdlib.h>
#include <string.h>

#include "graphics.h"

#ifdef ZO_HAS_CHAFA
#include <chafa.h>

extern char **environ;

bool cli_chafa_here(void) { return true; }

static ChafaTermInfo *terminal_of_environment(void) {
    return chafa_term_db_detect(chafa_term_db_get_default(), environ);
}

cli_way cli_chafa_detect(void) {
    ChafaTermInfo *terminal = terminal_of_environment();
    cli_way way = CLI_WAY_BLOCKS;
    if (chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)) {
        way = CLI_WAY_KITTY;
    } else if (chafa_term_info_have_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS)) {
        way = CLI_WAY_SIXEL;
    }
    chafa_term_info_unref(terminal);
    return way;
}

// A terminal that is forced to a way which the environment says nothing of gets the sequences that all such have.
static ChafaTermInfo *terminal_for(cli_way way) {
    ChafaTermInfo *terminal = terminal_of_environment();
    const ChafaTermSeq needed =
        way == CLI_WAY_KITTY ? CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1 : CHAFA_TERM_SEQ_BEGIN_SIXELS;
    if (chafa_term_info_have_seq(terminal, needed)) { return terminal; }
    chafa_term_info_supplement(terminal, chafa_term_db_get_fallback_info(chafa_term_db_get_default()));
    return terminal;
}

static ChafaCanvas *canvas_of(ChafaPixelMode mode, const zo_image *image, cli_area area, uint32_t cell_width,
                              uint32_t cell_height, bool true_color) {
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    chafa_set_n_threads(1);
    chafa_canvas_config_set_geometry(config, (int)area.width, (int)area.height);
    chafa_canvas_config_set_cell_geometry(config, (int)cell_width, (int)cell_height);
    chafa_canvas_config_set_pixel_mode(config, mode);
    chafa_canvas_config_set_canvas_mode(
        config, true_color ? CHAFA_CANVAS_MODE_TRUECOLOR : CHAFA_CANVAS_MODE_INDEXED_240);
    chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_NONE); // it would crawl from frame to frame
    chafa_canvas_config_set_preprocessing_enabled(config, FALSE);
    if (mode == CHAFA_PIXEL_MODE_SYMBOLS) {
        ChafaSymbolMap *symbols = chafa_symbol_map_new();
        chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_HALF | CHAFA_SYMBOL_TAG_QUAD);
        chafa_canvas_config_set_symbol_map(config, symbols);
        chafa_symbol_map_unref(symbols);
    }
    ChafaCanvas *canvas = chafa_canvas_new(config);
    chafa_canvas_config_unref(config);
    chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, image->pixels, (int)image->width,
                                 (int)image->height, (int)image->stride);
    return canvas;
}

// No ids are given to the pictures, so a terminal has nothing to answer.
const char *cli_chafa_at_end(cli_way way) { return way == CLI_WAY_KITTY ? "\x1b_Ga=d,d=A,q=2\x1b\\" : ""; }

void cli_chafa_send(cli_way way, const zo_image *image, cli_area area, uint32_t cell_width, uint32_t cell_height,
                    cli_out *out) {
    const ChafaPixelMode mode = way == CLI_WAY_KITTY ? CHAFA_PIXEL_MODE_KITTY : CHAFA_PIXEL_MODE_SIXELS;
    if (cell_width == 0 || cell_height == 0) { cell_width = 10, cell_height = 20; }
    ChafaTermInfo *terminal = terminal_for(way);
    ChafaCanvas *canvas = canvas_of(mode, image, area, cell_width, cell_height, true);
    GString *text = chafa_canvas_print(canvas, terminal);
    cli_out_text(out, cli_chafa_at_end(way));
    cli_out_text(out, "\x1b[");
    cli_out_number(out, area.row + 1);
    cli_out_text(out, ";");
    cli_out_number(out, area.column + 1);
    cli_out_text(out, "H");
    cli_out_put(out, text->str, text->len);
    g_string_free(text, TRUE);
    chafa_canvas_unref(canvas);
    chafa_term_info_unref(terminal);
}

static cli_ink ink_of(const cli_grid *grid, int rgb) {
    if (rgb < 0) { return 0; }
    return cli_ink_of(grid, (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb);
}

void cli_chafa_symbols(cli_grid *grid, cli_area area, const zo_image *image) {
    ChafaCanvas *canvas = canvas_of(CHAFA_PIXEL_MODE_SYMBOLS, image, area, 8, 16, true);
    for (uint32_t row = 0; row < area.height; row++) {
        for (uint32_t column = 0; column < area.width; column++) {
            int ink, paper;
            const gunichar glyph = chafa_canvas_get_char_at(canvas, (int)column, (int)row);
            chafa_canvas_get_colors_at(canvas, (int)column, (int)row, &ink, &paper);
            cli_grid_put(grid, area.row + row, area.column + column,
                         (cli_cell){glyph != 0 ? glyph : ' ', ink_of(grid, ink), ink_of(grid, paper), 0});
        }
    }
    chafa_canvas_unref(canvas);
}

#else

bool cli_chafa_here(void) { return false; }

cli_way cli_chafa_detect(void) { return CLI_WAY_BLOCKS; }

const char *cli_chafa_at_end(cli_way way) {
    (void)way;
    return "";
}

void cli_chafa_send(cli_way way, const zo_image *image, cli_area area, uint32_t cell_width, uint32_t cell_height,
                    cli_out *out) {
    (void)way, (void)image, (void)area, (void)cell_width, (void)cell_height, (void)out;
}

void cli_chafa_symbols(cli_grid *grid, cli_area area, const zo_image *image) {
    (void)grid, (void)area, (void)image;
}

#endif
