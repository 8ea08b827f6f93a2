// The pictures of the golden scenes, computed in whole numbers.
#include "golden.h"

static uint8_t face[256 * 256 * 4], chart[256 * 256 * 4], art[8 * 8 * 4], glass[64 * 64 * 4], sheet[64 * 64 * 4];
static zo_image pictures[GOLDEN_PICTURE_COUNT] = {
    {face, 256, 256, 256 * 4}, {chart, 256, 256, 256 * 4}, {art, 8, 8, 8 * 4}, {glass, 64, 64, 64 * 4},
    {sheet, 64, 64, 64 * 4},
};

static void put(zo_image *image, uint32_t x, uint32_t y, uint32_t rgba) {
    uint8_t *pixel = image->pixels + y * image->stride + 4 * (size_t)x;
    for (int c = 0; c < 4; c++) { pixel[c] = (uint8_t)(rgba >> (24 - 8 * c)); }
}

// 0..255: how much of a disc's rim, `soft` px^2 / px wide, is at this distance.
static uint32_t disc(int32_t x, int32_t y, int32_t middle_x, int32_t middle_y, int32_t radius) {
    const int32_t dx = 2 * x + 1 - 2 * middle_x, dy = 2 * y + 1 - 2 * middle_y;
    const int32_t over = (4 * radius * radius - (dx * dx + dy * dy)) * 255 / (8 * radius) + 128;
    return over < 0 ? 0 : over > 255 ? 255 : (uint32_t)over;
}

static uint32_t lay(uint32_t under, uint32_t over, uint32_t share) {
    uint32_t result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const uint32_t u = under >> shift & 255, o = over >> shift & 255;
        result |= ((u * (255 - share) + o * share + 127) / 255) << shift;
    }
    return result;
}

static void make_face(zo_image *image) {
    for (int32_t y = 0; y < 256; y++) {
        for (int32_t x = 0; x < 256; x++) {
            const uint32_t head = disc(x, y, 128, 136, 112);
            uint32_t c = lay(0x3A2418FF, 0xF2B155FF, disc(x, y, 128, 136, 104));
            c = lay(c, 0x1D1410FF, disc(x, y, 88, 116, 18));
            c = lay(c, 0x1D1410FF, disc(x, y, 168, 116, 18));
            c = lay(c, 0xFFFFFFFF, disc(x, y, 94, 109, 6));
            c = lay(c, 0xFFFFFFFF, disc(x, y, 174, 109, 6));
            if (y > 150) { c = lay(c, 0xB03030FF, disc(x, y, 128, 150, 44)); }
            if (y % 24 < 3 && y > 200) { c = 0x7A4A20FF; }
            put(image, (uint32_t)x, (uint32_t)y, (c & 0xFFFFFF00) | head);
        }
    }
    zo_image_premultiply(image);
}

static void make_chart(zo_image *image) {
    for (uint32_t y = 0; y < 256; y++) {
        for (uint32_t x = 0; x < 256; x++) {
            uint32_t c = 0xFFFFFFFF;
            if (y < 64) { c = x % (2 + x / 64) == 0 ? 0x000000FF : 0xFFFFFFFF; }         // stripes, 2 to 5 px apart
            else if (y < 128) { c = (x + y) % 2 ? 0xE02020FF : 0x2040E0FF; }             // single pixels
            else {
                const uint32_t dx = x > 128 ? x - 128 : 128 - x, dy = y > 192 ? y - 192 : 192 - y;
                c = (dx * dx + dy * dy) / 96 % 2 ? 0x106030FF : 0xF0F0C0FF;              // ever thinner rings
            }
            if (x == 0 || y == 0 || x == 255 || y == 255) { c = 0xFF00FFFF; }            // the very border
            put(image, x, y, c);
        }
    }
}

static void make_art(zo_image *image) {
    static const char *const rows[8] = {"..####..", ".#oooo#.", "#oxooxo#", "#oooooo#",
                                        "#oxoox-#", "#ooxx--#", ".#o---#.", "..####.."};
    for (uint32_t y = 0; y < 8; y++) {
        for (uint32_t x = 0; x < 8; x++) {
            const char c = rows[y][x];
            const uint32_t light = c == 'o' ? 0x60C060FF : c == '-' ? 0x409040FF : 0;
            put(image, x, y, c == '#' ? 0x202030FF : c == 'x' ? 0x103010FF : light);
        }
    }
}

static void make_glass(zo_image *image) {
    for (uint32_t y = 0; y < 64; y++) {
        for (uint32_t x = 0; x < 64; x++) { put(image, x, y, (x * 4) << 24 | (y * 4) << 16 | 0x8080); }
    }
    zo_image_premultiply(image);
}

static void make_sheet(zo_image *image) {
    static const uint32_t colors[4] = {0xFF0000FF, 0x00FF00FF, 0x0000FFFF, 0xFFFF00FF};
    for (uint32_t y = 0; y < 64; y++) {
        for (uint32_t x = 0; x < 64; x++) { put(image, x, y, colors[x / 32 + y / 32 * 2]); }
    }
}

const zo_image *golden_pictures(void) {
    static bool made = false;
    if (!made) {
        make_face(&pictures[GOLDEN_FACE - 1]);
        make_chart(&pictures[GOLDEN_CHART - 1]);
        make_art(&pictures[GOLDEN_ART - 1]);
        make_glass(&pictures[GOLDEN_GLASS - 1]);
        make_sheet(&pictures[GOLDEN_SHEET - 1]);
        made = true;
    }
    return pictures;
}
