// The rasteriser and what it stands on: bad input first, then which pixels, then which bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "draw/draw.h"
#include "draw/span.h"
#include "image/image.h"

static uint64_t random_state = 1;

static uint32_t random_bits(void) { // SplitMix64
    uint64_t x = random_state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) >> 32);
}

static double random_between(double low, double high) { return low + (high - low) * (random_bits() / 4294967296.0); }

// A picture in a block of just its size, so that a sanitizer sees any step outside; padding between the rows.
static zo_image new_image(uint32_t width, uint32_t height, uint32_t padding, uint8_t padding_byte) {
    zo_image image = {.width = width, .height = height, .stride = (size_t)width * 4 + padding};
    const size_t size = image.stride * (height - 1) + (size_t)width * 4;
    image.pixels = malloc(size);
    assert_non_null(image.pixels);
    memset(image.pixels, padding_byte, size);
    for (uint32_t y = 0; y < height; y++) { memset(image.pixels + y * image.stride, 0, (size_t)width * 4); }
    return image;
}

static uint32_t pixel_at(const zo_image *image, uint32_t x, uint32_t y) {
    uint32_t pixel;
    memcpy(&pixel, image->pixels + y * image->stride + (size_t)x * 4, 4);
    return pixel;
}

static void put_pixel(zo_image *image, uint32_t x, uint32_t y, uint32_t pixel) {
    memcpy(image->pixels + y * image->stride + (size_t)x * 4, &pixel, 4);
}

static void fill_random(zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) { put_pixel(image, x, y, random_bits()); }
    }
}

static void clear(zo_image *image) { zi_image_fill(image, (const uint8_t[4]){0, 0, 0, 0}); }

static bool is_clear(const zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            if (pixel_at(image, x, y) != 0) { return false; }
        }
    }
    return true;
}

typedef struct sheet {
    zo_vertex vertices[256];
    uint32_t indices[1024];
    zo_command commands[4];
    zo_draw_list list;
} sheet;

static void open_sheet(sheet *s) {
    memset(s, 0, sizeof *s);
    s->list = (zo_draw_list){.vertices = s->vertices, .vertex_capacity = 256, .indices = s->indices,
                             .index_capacity = 1024, .commands = s->commands, .command_capacity = 4};
}

static void put_triangle(sheet *s, zo_vertex a, zo_vertex b, zo_vertex c) {
    const zo_vertex corners[3] = {a, b, c};
    for (uint32_t i = 0; i < 3; i++) {
        s->indices[s->list.index_count++] = s->list.vertex_count;
        s->vertices[s->list.vertex_count++] = corners[i];
    }
}

static void end_command(sheet *s, zo_command command) {
    command.index_count = s->list.index_count - command.first_index;
    s->commands[s->list.command_count++] = command;
}

static zo_vertex corner(double x, double y, double share) {
    const float f = (float)share;
    return (zo_vertex){(float)x, (float)y, 0, 0, f, f, f, f};
}

static void draw_quad(zo_image *target, const zg_quad *quad, const zo_image *picture, zo_filter filter) {
    sheet s;
    open_sheet(&s);
    bool drawn;
    assert_true(zg_quad_emit(quad, &s.list, &drawn));
    end_command(&s, (zo_command){.image = picture ? 1 : 0, .filter = filter});
    zg_raster(&s.list, picture, picture ? 1 : 0, target, NULL);
}

// Upright, the whole picture, its left upper corner at (x, y).
static zg_quad quad_at(double x, double y, double width, double height, const zo_image *picture) {
    const double picture_width = picture ? picture->width : 1, picture_height = picture ? picture->height : 1;
    return (zg_quad){.center = {x + width / 2, y + height / 2}, .a = {width / 2, 0}, .b = {0, height / 2},
                     .picture_center = {picture_width / 2, picture_height / 2},
                     .picture_half = {picture_width / 2, picture_height / 2}, .opacity = 1, .feathered = true};
}

// ---------------------------------------------------------------------------------------------------- bad input

static void what_is_not_there_is_left_out(void **state) {
    (void)state;
    zo_image target = new_image(16, 16, 0, 0), picture = new_image(4, 4, 0, 0);
    fill_random(&picture);
    sheet s;
    open_sheet(&s);
    put_triangle(&s, corner(0, 0, 1), corner(16, 0, 1), corner(0, 16, 1));

    end_command(&s, (zo_command){.image = 2});          // no such picture
    zg_raster(&s.list, &picture, 1, &target, NULL);
    assert_true(is_clear(&target));

    s.commands[0] = (zo_command){.first_index = 4000000000u, .index_count = 4000000000u};
    zg_raster(&s.list, &picture, 1, &target, NULL);
    assert_true(is_clear(&target));

    s.commands[0] = (zo_command){.first_index = 1, .index_count = 3};  // three, but the list ends before
    zg_raster(&s.list, &picture, 1, &target, NULL);
    assert_true(is_clear(&target));

    s.commands[0] = (zo_command){.index_count = 3};
    s.indices[1] = 3;                                    // no such vertex
    zg_raster(&s.list, &picture, 1, &target, NULL);
    assert_true(is_clear(&target));

    s.indices[1] = 1;
    s.commands[0] = (zo_command){.index_count = 3, .image = 1, .region = {4, 0, 1, 1}}; // beside the picture
    zg_raster(&s.list, &picture, 1, &target, NULL);
    assert_true(is_clear(&target));

    zo_image none = {0};
    s.commands[0] = (zo_command){.index_count = 3, .image = 1};
    zg_raster(&s.list, &none, 1, &target, NULL);               // without pixels
    zg_raster(&s.list, &picture, 1, &none, NULL);
    assert_true(is_clear(&target));
    zg_raster(&s.list, &picture, 1, &target, NULL);            // and this one is drawn
    assert_false(is_clear(&target));
    free(target.pixels);
    free(picture.pixels);
}

static void what_is_not_finite_is_left_out(void **state) {
    (void)state;
    zo_image target = new_image(16, 16, 0, 0);
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (uint32_t k = 0; k < 24; k++) {
        sheet s;
        open_sheet(&s);
        put_triangle(&s, corner(0, 0, 1), corner(16, 0, 1), corner(0, 16, 1));
        float *parts[8] = {&s.vertices[1].x, &s.vertices[1].y, &s.vertices[1].u, &s.vertices[1].v,
                           &s.vertices[1].r, &s.vertices[1].g, &s.vertices[1].b, &s.vertices[1].a};
        *parts[k / 3] = bad[k % 3];
        end_command(&s, (zo_command){0});
        zg_raster(&s.list, NULL, 0, &target, NULL);
        assert_true(is_clear(&target));
    }
    free(target.pixels);
}

static float wild(void) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-45f, 1e9f, -1e9f, 3.4e38f, -3.4e38f, 1048576.0f, 1048577.0f,
                                16777216.0f, 0.5f, -0.5f, 16384.0f, NAN, INFINITY};
    const uint32_t kind = random_bits() % 8;
    if (kind == 0) { return odd[random_bits() % ZB_COUNT(odd)]; }
    if (kind == 1) { // any bits at all
        const uint32_t bits = random_bits();
        float value;
        memcpy(&value, &bits, 4);
        return value;
    }
    if (kind == 2) { return (float)random_between(-2e6, 2e6); }
    return (float)random_between(-40, 80);
}

static void nothing_outside_is_touched(void **state) {
    (void)state;
    random_state = 7;
    for (uint32_t round = 0; round < 400; round++) {
        zo_image target = new_image(1 + random_bits() % 48, 1 + random_bits() % 40, 12, 0xA5);
        zo_image picture = new_image(1 + random_bits() % 20, 1 + random_bits() % 20, 8, 0x5A);
        fill_random(&picture);
        sheet s;
        open_sheet(&s);
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t first = s.list.index_count;
            for (uint32_t i = 0; i < 20; i++) {
                zo_vertex corners[3];
                for (uint32_t k = 0; k < 3; k++) {
                    corners[k] = (zo_vertex){wild(), wild(), wild(), wild(), wild(), wild(), wild(), wild()};
                    if (i % 2) { corners[k].r = corners[k].g = corners[k].b = corners[k].a = 1; }
                }
                put_triangle(&s, corners[0], corners[1], corners[2]);
            }
            end_command(&s, (zo_command){.image = random_bits() % 3, .first_index = first,
                                         .filter = random_bits() % 2 ? ZO_FILTER_BILINEAR : ZO_FILTER_NEAREST,
                                         .blend = random_bits() % 2 ? ZO_BLEND_OVER : ZO_BLEND_ADD,
                                         .region = {random_bits() % 4, random_bits() % 4, random_bits() % 9,
                                                    random_bits() % 9}});
        }
        zg_raster(&s.list, &picture, 1, &target, NULL);
        for (uint32_t y = 0; y + 1 < target.height; y++) {
            for (uint32_t x = 0; x < 12; x++) {
                assert_int_equal(target.pixels[y * target.stride + (size_t)target.width * 4 + x], 0xA5);
            }
        }
        free(target.pixels);
        free(picture.pixels);
    }
}

static void wild_quads_stay_finite(void **state) {
    (void)state;
    random_state = 11;
    for (uint32_t round = 0; round < 20000; round++) {
        zg_quad quad = {.center = {(double)wild(), (double)wild()}, .a = {(double)wild(), (double)wild()},
                        .b = {(double)wild(), (double)wild()}, .picture_center = {5, 5}, .picture_half = {5, 5},
                        .opacity = 1, .feathered = true};
        if (round % 3 == 0) { quad.a[0] *= 1e-7, quad.a[1] *= 1e-7; }
        if (round % 5 == 0) { quad.b[0] = quad.a[0] * 1.0000001, quad.b[1] = quad.a[1]; }
        sheet s;
        open_sheet(&s);
        bool drawn;
        assert_true(zg_quad_emit(&quad, &s.list, &drawn));
        assert_int_equal(drawn, s.list.vertex_count > 0);
        for (uint32_t i = 0; i < s.list.vertex_count; i++) {
            const zo_vertex *v = &s.vertices[i];
            assert_true(zb_is_finite((double)v->x) && zb_is_finite((double)v->y));
            assert_true(v->u >= -6 && v->u <= 16 && v->v >= -6 && v->v <= 16); // no farther than as much again
            assert_true(v->a >= 0 && v->a <= 1);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- which pixels

static void middles_on_top_and_left_edges_belong(void **state) {
    (void)state;
    zo_image target = new_image(8, 8, 0, 0);
    sheet s;
    open_sheet(&s);
    put_triangle(&s, corner(2.5, 1.5, 1), corner(5.5, 1.5, 1), corner(5.5, 6.5, 1));
    put_triangle(&s, corner(2.5, 1.5, 1), corner(2.5, 6.5, 1), corner(5.5, 6.5, 1));
    end_command(&s, (zo_command){0});
    zg_raster(&s.list, NULL, 0, &target, NULL);
    for (uint32_t y = 0; y < 8; y++) {
        for (uint32_t x = 0; x < 8; x++) {
            const bool inside = x >= 2 && x < 5 && y >= 1 && y < 6;
            assert_int_equal(pixel_at(&target, x, y), inside ? 0xFFFFFFFFu : 0);
        }
    }
    free(target.pixels);
}

// A grid with its inner points moved at random, as triangles that each add 1: every pixel must have got exactly one.
static void triangles_that_share_edges_leave_no_seam(void **state) {
    (void)state;
    random_state = 3;
    zo_image target = new_image(64, 64, 0, 0);
    for (uint32_t round = 0; round < 100; round++) {
        double x[7][7], y[7][7];
        for (uint32_t i = 0; i < 7; i++) {
            for (uint32_t j = 0; j < 7; j++) {
                const bool inner = i > 0 && i < 6 && j > 0 && j < 6;
                const double grain = round % 2 ? 2.0 : 4096.0; // on half pixels: middles lie on edges
                x[i][j] = j * 12.0 - 4 + (inner ? floor(random_between(-2.9, 2.9) * grain) / grain : 0);
                y[i][j] = i * 12.0 - 4 + (inner ? floor(random_between(-2.9, 2.9) * grain) / grain : 0);
            }
        }
        sheet s;
        open_sheet(&s);
        for (uint32_t i = 0; i < 6; i++) {
            for (uint32_t j = 0; j < 6; j++) {
                const zo_vertex a = corner(x[i][j], y[i][j], 1 / 255.0);
                const zo_vertex b = corner(x[i][j + 1], y[i][j + 1], 1 / 255.0);
                const zo_vertex c = corner(x[i + 1][j + 1], y[i + 1][j + 1], 1 / 255.0);
                const zo_vertex d = corner(x[i + 1][j], y[i + 1][j], 1 / 255.0);
                put_triangle(&s, a, b, c);
                if (random_bits() % 2) {
                    put_triangle(&s, a, c, d);
                } else {
                    put_triangle(&s, d, c, a); // either way round
                }
            }
        }
        end_command(&s, (zo_command){.blend = ZO_BLEND_ADD});
        clear(&target);
        zg_raster(&s.list, NULL, 0, &target, NULL);
        for (uint32_t py = 0; py < 64; py++) {
            for (uint32_t px = 0; px < 64; px++) { assert_int_equal(pixel_at(&target, px, py), 0x01010101); }
        }
    }
    free(target.pixels);
}

// The same with one corner far outside: both sides of an edge are cut off alike.
static void far_corners_leave_no_seam(void **state) {
    (void)state;
    random_state = 5;
    zo_image target = new_image(64, 64, 0, 0);
    for (uint32_t round = 0; round < 200; round++) {
        const double reach = random_between(1e6, 1e9);
        const zo_vertex middle = corner(random_between(0, 64), random_between(0, 64), 1 / 255.0);
        zo_vertex around[8];
        for (uint32_t i = 0; i < 8; i++) {
            static const double ways[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
            around[i] = corner(ways[i][0] * reach + random_between(-1e5, 1e5),
                               ways[i][1] * reach + random_between(-9, 9), 1 / 255.0);
        }
        sheet s;
        open_sheet(&s);
        for (uint32_t i = 0; i < 8; i++) { put_triangle(&s, middle, around[i], around[(i + 1) % 8]); }
        end_command(&s, (zo_command){.blend = ZO_BLEND_ADD});
        clear(&target);
        zg_raster(&s.list, NULL, 0, &target, NULL);
        for (uint32_t py = 0; py < 64; py++) {
            for (uint32_t px = 0; px < 64; px++) { assert_int_equal(pixel_at(&target, px, py), 0x01010101); }
        }
    }
    free(target.pixels);
}

static void what_is_cut_off_changes_nothing_else(void **state) {
    (void)state;
    zo_image picture = new_image(32, 32, 0, 0), whole = new_image(300, 200, 0, 0), part = new_image(97, 61, 0, 0);
    fill_random(&picture);
    zi_image_premultiply(&picture);
    zg_quad quad = quad_at(-20.3, -11.7, 280, 190, &picture);
    quad.a[1] = 17.3;
    quad.b[0] = -9.1;
    draw_quad(&whole, &quad, &picture, ZO_FILTER_BILINEAR);
    draw_quad(&part, &quad, &picture, ZO_FILTER_BILINEAR);
    for (uint32_t y = 0; y < part.height; y++) {
        for (uint32_t x = 0; x < part.width; x++) { assert_int_equal(pixel_at(&part, x, y), pixel_at(&whole, x, y)); }
    }
    free(picture.pixels);
    free(whole.pixels);
    free(part.pixels);
}

// ---------------------------------------------------------------------------------------------------- soft borders

static double alpha_sum(const zo_image *image) {
    double sum = 0;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) { sum += pixel_at(image, x, y) >> 24; }
    }
    return sum / 255;
}

static void upright_borders_are_the_share_of_the_pixel(void **state) {
    (void)state;
    zo_image target = new_image(24, 8, 0, 0);
    for (uint32_t i = 0; i < 256; i += 5) {
        const double offset = i / 256.0;
        clear(&target);
        const zg_quad quad = quad_at(4 + offset, -20, 9, 60, NULL);
        draw_quad(&target, &quad, NULL, ZO_FILTER_BILINEAR);
        const int left = (int)floor((1 - offset) * 255 + 0.5), right = (int)floor(offset * 255 + 0.5);
        assert_int_equal(pixel_at(&target, 3, 4), 0);
        assert_in_range((int)(pixel_at(&target, 4, 4) >> 24) - left + 1, 0, 2);
        for (uint32_t x = 5; x < 13; x++) { assert_int_equal(pixel_at(&target, x, 4), 0xFFFFFFFFu); }
        assert_in_range((int)(pixel_at(&target, 13, 4) >> 24) - right + 1, 0, 2);
        assert_int_equal(pixel_at(&target, 14, 4), 0);
    }
    free(target.pixels);
}

// However thin, turned or mirrored a picture is: the shares of all pixels add up to its area.
static void nothing_vanishes_and_nothing_grows(void **state) {
    (void)state;
    random_state = 17;
    zo_image target = new_image(160, 160, 0, 0);
    for (uint32_t round = 0; round < 600; round++) {
        const double sine = random_between(-1, 1), cosine = sqrt(1 - sine * sine) * (round % 2 ? 1 : -1);
        const double width = round % 3 == 0 ? random_between(0.06, 1) : random_between(1, 60);
        const double height = random_between(40, 100);
        const zg_quad quad = {
            .center = {80 + random_between(-1, 1), 80 + random_between(-1, 1)},
            .a = {cosine * width / 2 * (round % 5 ? 1 : -1), sine * width / 2 * (round % 5 ? 1 : -1)},
            .b = {-sine * height / 2, cosine * height / 2},
            .picture_center = {0.5, 0.5}, .picture_half = {0.5, 0.5}, .opacity = 1, .feathered = true,
        };
        clear(&target);
        draw_quad(&target, &quad, NULL, ZO_FILTER_BILINEAR);
        const double area = width * height, sum = alpha_sum(&target);
        // Shares are rounded to 1/255 a pixel, and one way throughout along an upright hair. Middles along a line at 45
        // degrees all lie equally far from it: there a share is off by as much as a twentieth, again throughout.
        assert_true(fabs(sum - area) < (width < 2 ? 0.05 : 0.01) * area + 0.5 / 255 * 2 * height + 1);
    }
    free(target.pixels);
}

static void slivers_keep_their_area(void **state) {
    (void)state;
    zo_image target = new_image(160, 160, 0, 0);
    for (uint32_t i = 1; i < 40; i++) {
        const double thickness = i * 0.05; // of the rhombus, in the middle
        const zg_quad quad = {
            .center = {80.2, 80.4}, .a = {30, 13}, .b = {30, 13 + thickness},
            .picture_center = {0.5, 0.5}, .picture_half = {0.5, 0.5}, .opacity = 1, .feathered = true,
        };
        clear(&target);
        draw_quad(&target, &quad, NULL, ZO_FILTER_BILINEAR);
        const double area = 4 * fabs(quad.a[0] * quad.b[1] - quad.a[1] * quad.b[0]);
        assert_true(fabs(alpha_sum(&target) - area) < 0.1 * area + 2);
        for (uint32_t y = 0; y < 160; y++) { // and it does not reach beyond its ends
            assert_int_equal(pixel_at(&target, 14, y), 0);
            assert_int_equal(pixel_at(&target, 146, y), 0);
        }
    }
    free(target.pixels);
}

static void what_has_no_area_is_not_drawn(void **state) {
    (void)state;
    static const double sides[][4] = {
        {0, 0, 0, 10}, {10, 0, 0, 0}, {10, 10, 20, 20}, {0, 0, 0, 0}, {1e-300, 0, 0, 1e-300}, {1e-12, 0, 0, 50},
        {NAN, 0, 0, 10}, {10, 0, 0, INFINITY}, {1e300, 0, 0, 1e300},
    };
    for (uint32_t i = 0; i < ZB_COUNT(sides); i++) {
        const zg_quad quad = {.center = {8, 8}, .a = {sides[i][0], sides[i][1]}, .b = {sides[i][2], sides[i][3]},
                              .picture_half = {1, 1}, .opacity = 1, .feathered = true};
        sheet s;
        open_sheet(&s);
        bool drawn = true;
        assert_true(zg_quad_emit(&quad, &s.list, &drawn));
        assert_false(drawn);
        assert_int_equal(s.list.vertex_count, 0);
        assert_int_equal(s.list.index_count, 0);
    }
}

static void a_quad_without_room_leaves_the_list_alone(void **state) {
    (void)state;
    const zg_quad soft = quad_at(1.5, 1.5, 9, 9, NULL), sharp = quad_at(1, 1, 9, 9, NULL);
    for (uint32_t short_of = 0; short_of < 4; short_of++) {
        sheet s;
        open_sheet(&s);
        const zg_quad *quad = short_of % 2 ? &soft : &sharp;
        if (short_of < 2) {
            s.list.vertex_capacity = short_of % 2 ? 7 : 3;
        } else {
            s.list.index_capacity = short_of % 2 ? 29 : 5;
        }
        bool drawn = true;
        assert_false(zg_quad_emit(quad, &s.list, &drawn));
        assert_false(drawn);
        assert_int_equal(s.list.vertex_count + s.list.index_count, 0);
    }
}

// ---------------------------------------------------------------------------------------------------- which bytes

static void a_picture_in_its_own_size_is_itself(void **state) {
    (void)state;
    random_state = 23;
    zo_image picture = new_image(37, 29, 4, 0), target = new_image(64, 64, 0, 0);
    fill_random(&picture);
    zi_image_premultiply(&picture);
    for (uint32_t k = 0; k < 8; k++) { // every combination of mirrors, and of a quarter turn; both sides are odd
        const double x = k & 1 ? -1 : 1, y = k & 2 ? -1 : 1;
        zg_quad quad = quad_at(10, 9, 37, 29, &picture);
        quad.a[0] *= x;
        quad.b[1] *= y;
        if (k & 4) {
            quad.a[1] = quad.a[0], quad.a[0] = 0;
            quad.b[0] = quad.b[1], quad.b[1] = 0;
        }
        for (uint32_t filter = 0; filter < 2; filter++) {
            clear(&target);
            draw_quad(&target, &quad, &picture, filter ? ZO_FILTER_NEAREST : ZO_FILTER_BILINEAR);
            for (uint32_t py = 0; py < 64; py++) {
                for (uint32_t px = 0; px < 64; px++) {
                    // Back from the pixel's middle to the picture.
                    const double dx = px + 0.5 - quad.center[0], dy = py + 0.5 - quad.center[1];
                    const double u = (k & 4 ? dy : dx) * x + 18.5, v = (k & 4 ? dx : dy) * y + 14.5;
                    uint32_t expected = 0;
                    const bool there = u >= 0 && u < 37 && v >= 0 && v < 29;
                    if (there) { expected = pixel_at(&picture, (uint32_t)u, (uint32_t)v); }
                    assert_int_equal(pixel_at(&target, px, py), expected);
                }
            }
        }
    }
    free(picture.pixels);
    free(target.pixels);
}

// White on transparent ground stays white: premultiplied, red is alpha everywhere, at any size and angle.
static void soft_borders_show_no_fringe(void **state) {
    (void)state;
    random_state = 29;
    zo_image picture = new_image(24, 24, 0, 0), target = new_image(64, 64, 0, 0);
    for (uint32_t y = 0; y < 24; y++) {
        for (uint32_t x = 0; x < 24; x++) {
            const uint32_t share = random_bits() % 4 == 0 ? random_bits() % 256 : random_bits() % 2 * 255;
            put_pixel(&picture, x, y, share * 0x01010101u);
        }
    }
    for (uint32_t round = 0; round < 60; round++) {
        zg_quad quad = quad_at(10, 10, random_between(2, 44), random_between(2, 44), &picture);
        quad.a[1] = random_between(-20, 20);
        quad.b[0] = random_between(-20, 20);
        quad.opacity = random_between(0.1, 1);
        clear(&target);
        draw_quad(&target, &quad, &picture, ZO_FILTER_BILINEAR);
        for (uint32_t y = 0; y < 64; y++) {
            for (uint32_t x = 0; x < 64; x++) {
                const uint32_t pixel = pixel_at(&target, x, y);
                assert_int_equal(pixel, (pixel >> 24) * 0x01010101u);
            }
        }
    }
    free(picture.pixels);
    free(target.pixels);
}

static void a_part_shows_nothing_of_its_neighbours(void **state) {
    (void)state;
    zo_image picture = new_image(32, 32, 0, 0), target = new_image(64, 64, 0, 0);
    for (uint32_t y = 0; y < 32; y++) {
        for (uint32_t x = 0; x < 32; x++) {
            const bool own = x >= 8 && x < 20 && y >= 4 && y < 14;
            put_pixel(&picture, x, y, own ? 0xFF0000FFu : 0xFF00FF00u);
        }
    }
    for (uint32_t i = 0; i < 30; i++) {
        zg_quad quad = quad_at(10.3, 10.1, 4 + i * 1.3, 40.7 - i, NULL);
        quad.a[1] = i * 0.4;
        quad.picture_center[0] = 14, quad.picture_center[1] = 9;
        quad.picture_half[0] = 6, quad.picture_half[1] = 5;
        sheet s;
        open_sheet(&s);
        bool drawn;
        assert_true(zg_quad_emit(&quad, &s.list, &drawn));
        end_command(&s, (zo_command){.image = 1, .region = {8, 4, 12, 10}});
        clear(&target);
        zg_raster(&s.list, &picture, 1, &target, NULL);
        assert_false(is_clear(&target));
        for (uint32_t y = 0; y < 64; y++) {
            for (uint32_t x = 0; x < 64; x++) { assert_int_equal(pixel_at(&target, x, y) & 0x00FFFF00u, 0); }
        }
    }
    free(picture.pixels);
    free(target.pixels);
}

// Each tile of a part that repeats is the part, along the axes that do.
static void pictures_repeat_along_either_axis(void **state) {
    (void)state;
    zo_image picture = new_image(16, 16, 0, 0), target = new_image(48, 48, 0, 0);
    random_state = 5;
    for (uint32_t i = 0; i < 256; i++) { put_pixel(&picture, i % 16, i / 16, random_bits() | 0xFF000000u); }
    for (uint32_t flags = 0; flags < 16; flags += ZO_COMMAND_REPEAT_U) {
        for (uint32_t filter = ZO_FILTER_BILINEAR; filter <= ZO_FILTER_NEAREST; filter++) {
            zg_quad quad = quad_at(0, 0, 48, 48, NULL);
            quad.picture_center[0] = 7, quad.picture_center[1] = 8;
            quad.picture_half[0] = quad.picture_half[1] = 24;
            sheet s;
            open_sheet(&s);
            bool drawn;
            assert_true(zg_quad_emit(&quad, &s.list, &drawn));
            end_command(&s, (zo_command){.image = 1, .flags = flags, .filter = (zo_filter)filter,
                                         .region = {4, 2, 10, 12}});
            clear(&target);
            zg_raster(&s.list, &picture, 1, &target, NULL);
            for (uint32_t y = 1; y < 47; y++) {
                for (uint32_t x = 1; x < 47; x++) {
                    const int32_t u = (int32_t)x - 17 - 4, v = (int32_t)y - 16 - 2;
                    const int32_t at_u = flags & ZO_COMMAND_REPEAT_U ? (u + 40) % 10 : u < 0 ? 0 : u > 9 ? 9 : u;
                    const int32_t at_v = flags & ZO_COMMAND_REPEAT_V ? (v + 48) % 12 : v < 0 ? 0 : v > 11 ? 11 : v;
                    assert_int_equal(pixel_at(&target, x, y),
                                     pixel_at(&picture, (uint32_t)(4 + at_u), (uint32_t)(2 + at_v)));
                }
            }
        }
    }
    free(picture.pixels);
    free(target.pixels);
}

static void reduced_pictures_are_averages(void **state) {
    (void)state;
    zo_image picture = new_image(256, 256, 0, 0), target = new_image(128, 128, 0, 0);
    for (uint32_t y = 0; y < 256; y++) { // single pixels, black and white: plain mixing would show beats
        for (uint32_t x = 0; x < 256; x++) { put_pixel(&picture, x, y, (x + y) % 2 ? 0xFFFFFFFFu : 0xFF000000u); }
    }
    for (double side = 17; side < 128; side += 7.3) {
        clear(&target);
        const zg_quad quad = quad_at(0, 0, side, side, &picture);
        draw_quad(&target, &quad, &picture, ZO_FILTER_BILINEAR);
        for (uint32_t y = 2; y + 3 < side; y++) {
            for (uint32_t x = 2; x + 3 < side; x++) {
                const uint32_t pixel = pixel_at(&target, x, y);
                assert_int_equal(pixel >> 24, 255); // opaque stays opaque
                assert_in_range(pixel & 255, 127 - 24, 128 + 24);
            }
        }
    }
    free(picture.pixels);
    free(target.pixels);
}

static int greatest_change(const zo_image *x, const zo_image *y) {
    int greatest = 0;
    for (size_t i = 0; i < x->stride * x->height; i++) {
        const int change = abs(x->pixels[i] - y->pixels[i]);
        greatest = change > greatest ? change : greatest;
    }
    return greatest;
}

// Over whole pixels, where the soft border is left out, and over the sizes where averaging sets in.
static void small_steps_make_small_changes(void **state) {
    (void)state;
    zo_image picture = new_image(64, 64, 0, 0), before = new_image(80, 80, 0, 0), after = new_image(80, 80, 0, 0);
    for (uint32_t y = 0; y < 64; y++) {
        for (uint32_t x = 0; x < 64; x++) {
            put_pixel(&picture, x, y, 0xFF000000u | x * 4 << 8 | (x / 4 + y / 4) % 2 * 255);
        }
    }
    for (uint32_t step = 0; step <= 520; step++) {
        const zg_quad quad = quad_at(7 + step / 256.0, 9, 64, 64, &picture);
        clear(&after);
        draw_quad(&after, &quad, &picture, ZO_FILTER_BILINEAR);
        if (step > 0) { assert_in_range(greatest_change(&before, &after), 0, 2); }
        const zo_image other = before;
        before = after;
        after = other;
    }
    for (uint32_t step = 0; step < 3000; step++) {
        const double side = 70 - step * 0.01;
        const zg_quad quad = quad_at(40 - side / 2, 40 - side / 2, side, side, &picture);
        clear(&after);
        draw_quad(&after, &quad, &picture, ZO_FILTER_BILINEAR);
        if (step > 0) { assert_in_range(greatest_change(&before, &after), 0, 6); }
        const zo_image other = before;
        before = after;
        after = other;
    }
    free(picture.pixels);
    free(before.pixels);
    free(after.pixels);
}

static uint32_t rounded(uint32_t x, uint32_t y) { return (x * y + 127) / 255; }

static void blending_rounds_as_documented(void **state) {
    (void)state;
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        uint32_t run[64], under[64];
        for (uint32_t first = 0; first < 256; first += 64) {
            for (uint32_t i = 0; i < 64; i++) {
                const uint32_t value = first + i;
                run[i] = alpha << 24 | (255 - value) << 16 | value << 8 | (alpha * 7 & 255);
                under[i] = value << 24 | value << 16 | (255 - value) << 8 | (value * 5 & 255);
            }
            uint32_t over[64], plain[64], sum[64], scaled[64];
            memcpy(over, under, sizeof over);
            memcpy(plain, under, sizeof plain);
            memcpy(sum, under, sizeof sum);
            memcpy(scaled, run, sizeof scaled);
            zg_blend_over((uint8_t *)over, run, 64);
            zg_blend_over_plain((uint8_t *)plain, run, 64);
            zg_blend_add((uint8_t *)sum, run, 64);
            zg_modulate_all(scaled, 64, (zg_ramp){.at = (uint64_t)alpha << 32});
            for (uint32_t i = 0; i < 64; i++) {
                for (uint32_t shift = 0; shift < 32; shift += 8) {
                    const uint32_t s = run[i] >> shift & 255, d = under[i] >> shift & 255;
                    const uint32_t laid = s + rounded(d, 255 - alpha), added = s + d;
                    const uint32_t expected = run[i] == 0 ? d : laid > 255 ? 255 : laid;
                    assert_int_equal(over[i] >> shift & 255, expected);
                    assert_int_equal(plain[i] >> shift & 255, expected);
                    assert_int_equal(sum[i] >> shift & 255, added > 255 ? 255 : added);
                    assert_int_equal(scaled[i] >> shift & 255, rounded(s, alpha));
                }
            }
        }
    }
}

static void colours_run_evenly(void **state) {
    (void)state;
    uint32_t run[ZG_RUN_MAX], each[ZG_RUN_MAX];
    memset(run, 0xFF, sizeof run);
    memset(each, 0xFF, sizeof each);
    const zg_ramp ramp = {.at = (uint64_t)-5 << 32, .step = (uint64_t)5 << 31}; // from below 0 to above 255
    zg_modulate_all(run, ZG_RUN_MAX, ramp);
    zg_modulate_each(each, ZG_RUN_MAX, (const zg_ramp[4]){ramp, ramp, ramp, ramp});
    for (uint32_t i = 0; i < ZG_RUN_MAX; i++) {
        const double value = -5 + 2.5 * i;
        const double expected = value < 0 ? 0 : value > 255 ? 255 : floor(value + 0.5);
        assert_int_equal(run[i], (uint32_t)expected * 0x01010101u);
        assert_int_equal(each[i], run[i]);
    }
}

static uint32_t texel_at(const zg_texels *texels, int64_t x, int64_t y) {
    const int64_t width = texels->right - texels->left + 1, height = texels->bottom - texels->top + 1;
    if (texels->repeat_x) { x = texels->left + ((x - texels->left) % width + width) % width; }
    if (texels->repeat_y) { y = texels->top + ((y - texels->top) % height + height) % height; }
    x = x < texels->left ? texels->left : x > texels->right ? texels->right : x;
    y = y < texels->top ? texels->top : y > texels->bottom ? texels->bottom : y;
    uint32_t texel;
    memcpy(&texel, texels->pixels + (size_t)y * texels->stride + (size_t)x * 4, 4);
    return texel;
}

// Bilinear as it is documented, slowly: u and v in 32.32, half a weight added before cutting to eight bits.
static uint32_t mixed_at(const zg_texels *texels, uint64_t u, uint64_t v) {
    const int64_t left = (int64_t)(u - 0x80000000u + 0x800000u), top = (int64_t)(v - 0x80000000u + 0x800000u);
    const int64_t x = left >> 32, y = top >> 32;
    const uint32_t fx = left >> 24 & 255, fy = top >> 24 & 255, across = (fx * fy + 128) / 256;
    const uint32_t weights[4] = {256 - fx - fy + across, fx - across, fy - across, across};
    uint32_t pixel = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        uint32_t sum = 128;
        for (uint32_t k = 0; k < 4; k++) {
            sum += weights[k] * (texel_at(texels, x + (k & 1), y + (k >> 1)) >> shift & 255);
        }
        pixel |= sum / 256 << shift;
    }
    return pixel;
}

static uint32_t averaged_at(const zg_texels *texels, uint64_t u, uint64_t v, const zg_taps *taps) {
    const uint64_t steps[2][2] = {{taps->x_step[0], taps->x_step[1]}, {taps->y_step[0], taps->y_step[1]}};
    const uint32_t counts[2] = {taps->x_count, taps->y_count};
    for (uint32_t k = 0; k < 2; k++) {
        u -= (uint64_t)((int64_t)(steps[k][0] * (counts[k] - 1)) >> 1);
        v -= (uint64_t)((int64_t)(steps[k][1] * (counts[k] - 1)) >> 1);
    }
    uint32_t sums[4] = {0};
    for (uint32_t i = 0; i < counts[0] * counts[1]; i++) {
        const uint64_t x = i % counts[0], y = i / counts[0];
        const uint64_t tap_u = u + x * steps[0][0] + y * steps[1][0], tap_v = v + x * steps[0][1] + y * steps[1][1];
        const uint32_t sample = mixed_at(texels, tap_u, tap_v);
        for (uint32_t c = 0; c < 4; c++) { sums[c] += sample >> (8 * c) & 255; }
    }
    uint32_t pixel = 0;
    const uint32_t count = counts[0] * counts[1];
    for (uint32_t c = 0; c < 4; c++) { pixel |= (sums[c] + count / 2) / count << (8 * c); }
    return pixel;
}

static zg_ramp random_ramp(double low, double high, double steep) {
    return (zg_ramp){(uint64_t)(int64_t)(random_between(low, high) * 4294967296.0),
                     (uint64_t)(int64_t)(random_between(-steep, steep) * 4294967296.0)};
}

// Steps of any steepness, and any bits now and then: nothing outside the part is read, and it is what is documented.
static void fetching_is_as_documented(void **state) {
    (void)state;
    random_state = 37;
    for (uint32_t round = 0; round < 4000; round++) {
        zo_image picture = new_image(1 + random_bits() % 40, 1 + random_bits() % 30, 0, 0);
        fill_random(&picture);
        zg_texels texels = {.pixels = picture.pixels, .stride = picture.stride};
        texels.left = random_bits() % picture.width, texels.top = random_bits() % picture.height;
        texels.right = texels.left + random_bits() % (picture.width - (uint32_t)texels.left);
        texels.bottom = texels.top + random_bits() % (picture.height - (uint32_t)texels.top);
        const uint32_t count = 1 + random_bits() % ZG_RUN_MAX;
        texels.repeat_x = round % 4 == 1 || round % 4 == 3;
        texels.repeat_y = round % 4 >= 2;
        const double steep = round % 3 == 0 ? 3 : 0.3;
        zg_ramp u = random_ramp(-3, 43, steep), v = random_ramp(-3, 33, steep);
        if (round % 5 == 0) { u.step = 0; }
        if (round % 7 == 0) { u.step = (uint64_t)random_bits() << 32 | random_bits(); }
        if (round % 11 == 0) { v.at = (uint64_t)random_bits() << 32 | random_bits(); }
        uint32_t run[ZG_RUN_MAX];
        zg_fetch_bilinear(run, count, &texels, u, v);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(run[i], mixed_at(&texels, u.at + i * u.step, v.at + i * v.step));
        }
        zg_taps taps = {.x_count = 1 + random_bits() % (round % 50 ? 4 : 16), .y_count = 1 + random_bits() % 4};
        for (uint32_t c = 0; c < 2; c++) {
            taps.x_step[c] = random_ramp(-1, 1, 0).at;
            taps.y_step[c] = random_ramp(-1, 1, 0).at;
        }
        if (round % 13 == 0) { taps.y_step[0] = (uint64_t)random_bits() << 32; }
        zg_fetch_area(run, count, &texels, u, v, &taps);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(run[i], averaged_at(&texels, u.at + i * u.step, v.at + i * v.step, &taps));
        }
        zg_fetch_nearest(run, count, &texels, u, v);
        for (uint32_t i = 0; i < count; i++) {
            const int64_t x = (int64_t)(u.at + i * u.step + 0x10000), y = (int64_t)(v.at + i * v.step + 0x10000);
            assert_int_equal(run[i], texel_at(&texels, x >> 32, y >> 32));
        }
        free(picture.pixels);
    }
}

static void vectors_and_plain_code_agree(void **state) {
    (void)state;
    random_state = 31;
    zo_image picture = new_image(61, 47, 4, 0);
    fill_random(&picture);
    const zg_texels texels = {.pixels = picture.pixels, .stride = picture.stride, .left = 3, .top = 2, .right = 57,
                              .bottom = 44};
    for (uint32_t round = 0; round < 3000; round++) {
        const uint32_t count = random_bits() % (ZG_RUN_MAX + 1);
        const double steep = round % 4 == 0 ? 4 : 0.4;
        const zg_ramp u = random_ramp(-5, 70, steep), v = random_ramp(-5, 55, steep);
        uint32_t fast[ZG_RUN_MAX], plain[ZG_RUN_MAX], fast_over[ZG_RUN_MAX], plain_over[ZG_RUN_MAX];
        zg_fetch_bilinear(fast, count, &texels, u, v);
        zg_fetch_bilinear_plain(plain, count, &texels, u, v);
        assert_memory_equal(fast, plain, count * sizeof fast[0]);
        for (uint32_t i = 0; i < ZG_RUN_MAX; i++) {
            plain_over[i] = fast_over[i] = random_bits();
            const uint32_t kind = random_bits() % 64; // long opaque and empty stretches as well
            if (i > 0 && kind > 8) { plain[i] = plain[i - 1]; }
            if (kind == 0) { plain[i] = 0; }
            if (kind == 1) { plain[i] = random_bits() | 0xFF000000u; }
            if (kind == 2) { plain[i] = random_bits(); }
        }
        zg_blend_over((uint8_t *)fast_over, plain, count);
        zg_blend_over_plain((uint8_t *)plain_over, plain, count);
        assert_memory_equal(fast_over, plain_over, sizeof fast_over);
    }
    free(picture.pixels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_left_out),
        cmocka_unit_test(what_is_not_finite_is_left_out),
        cmocka_unit_test(nothing_outside_is_touched),
        cmocka_unit_test(wild_quads_stay_finite),
        cmocka_unit_test(middles_on_top_and_left_edges_belong),
        cmocka_unit_test(triangles_that_share_edges_leave_no_seam),
        cmocka_unit_test(far_corners_leave_no_seam),
        cmocka_unit_test(what_is_cut_off_changes_nothing_else),
        cmocka_unit_test(upright_borders_are_the_share_of_the_pixel),
        cmocka_unit_test(nothing_vanishes_and_nothing_grows),
        cmocka_unit_test(slivers_keep_their_area),
        cmocka_unit_test(what_has_no_area_is_not_drawn),
        cmocka_unit_test(a_quad_without_room_leaves_the_list_alone),
        cmocka_unit_test(a_picture_in_its_own_size_is_itself),
        cmocka_unit_test(soft_borders_show_no_fringe),
        cmocka_unit_test(a_part_shows_nothing_of_its_neighbours),
        cmocka_unit_test(pictures_repeat_along_either_axis),
        cmocka_unit_test(reduced_pictures_are_averages),
        cmocka_unit_test(small_steps_make_small_changes),
        cmocka_unit_test(blending_rounds_as_documented),
        cmocka_unit_test(colours_run_evenly),
        cmocka_unit_test(fetching_is_as_documented),
        cmocka_unit_test(vectors_and_plain_code_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
