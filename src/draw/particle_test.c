// Particles as pixels: against shares counted point by point, at all angles and sizes; and in the list of a program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include <zoetrope/zoetrope.h>

#include "base/maths.h"
#include "base/test_share.h"
#include "draw/draw.h"

static const double star[] = {0.5,  0,   0.61, 0.35, 0.98, 0.35, 0.68, 0.57, 0.79, 0.91,
                              0.5,  0.7, 0.21, 0.91, 0.32, 0.57, 0.02, 0.35, 0.39, 0.35};
static const double cross[] = {0.5, 0, 0.62, 0.38, 1, 0.5, 0.62, 0.62, 0.5, 1, 0.38, 0.62, 0, 0.5, 0.38, 0.38};
static const double white[] = {1, 1, 1, 1};

enum { STAR, CROSS, DOT, STRIP, FORM_COUNT };
static const zp_shape shapes[FORM_COUNT] = {
    [STAR] = {.outline = ZP_OUTLINE_POLYGON, .aspect = 1, .point_count = 10},
    [CROSS] = {.outline = ZP_OUTLINE_POLYGON, .aspect = 1, .point_count = 8},
    [DOT] = {.outline = ZP_OUTLINE_ELLIPSE, .aspect = 1},
    [STRIP] = {.outline = ZP_OUTLINE_ROUNDED, .aspect = 1.9, .corner = 1.5},
};

static zg_particle particle_of(uint32_t form, double size, double degrees, double scale) {
    double sine, cosine;
    zb_sincos_degrees(degrees, &sine, &cosine);
    return (zg_particle){.shape = &shapes[form], .numbers = form == STAR ? star : cross, .width = size,
                         .height = size * shapes[form].aspect, .a = {cosine * scale, sine * scale},
                         .b = {-sine * scale, cosine * scale}, .colour = white, .opacity = 1, .feathered = true};
}

static bool is_inside(const zg_particle *p, double x, double y) { // of the box about its middle, units
    const double half_x = p->width / 2, half_y = p->height / 2;
    if (p->shape->outline == ZP_OUTLINE_ELLIPSE) {
        return x * x / (half_x * half_x) + y * y / (half_y * half_y) <= 1;
    }
    if (p->shape->outline == ZP_OUTLINE_ROUNDED) {
        const double dx = fabs(x) - (half_x - p->shape->corner), dy = fabs(y) - (half_y - p->shape->corner);
        if (fabs(x) > half_x || fabs(y) > half_y) { return false; }
        return dx <= 0 || dy <= 0 || dx * dx + dy * dy <= p->shape->corner * p->shape->corner;
    }
    bool inside = false;
    for (uint32_t i = 0, k = p->shape->point_count - 1; i < p->shape->point_count; k = i++) {
        const double x0 = (p->numbers[2 * i] - 0.5) * p->width, y0 = (p->numbers[2 * i + 1] - 0.5) * p->height;
        const double x1 = (p->numbers[2 * k] - 0.5) * p->width, y1 = (p->numbers[2 * k + 1] - 0.5) * p->height;
        if ((y0 > y) != (y1 > y) && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0) { inside = !inside; }
    }
    return inside;
}

enum { SIDE = 64, POINTS = 16 };
typedef struct canvas {
    uint8_t pixels[SIDE * SIDE * 4];
    zo_image image;
    zo_vertex vertices[2 * ZG_OUTLINE_MAX + 1];
    uint32_t indices[9 * ZG_OUTLINE_MAX];
    zo_command command;
    zo_draw_list list;
} canvas;

static bool paint(canvas *c, const zg_particle *p) { // false: nothing to be seen
    memset(c, 0, sizeof *c);
    c->image = (zo_image){.width = SIDE, .height = SIDE, .stride = SIDE * 4, .pixels = c->pixels};
    c->list = (zo_draw_list){.vertices = c->vertices, .vertex_capacity = ZB_COUNT(c->vertices), .indices = c->indices,
                             .index_capacity = ZB_COUNT(c->indices), .commands = &c->command, .command_capacity = 1};
    bool drawn;
    assert_true(zg_particle_emit(p, &c->list, &drawn));
    c->command.index_count = c->list.index_count;
    c->list.command_count = 1;
    zg_raster(&c->list, NULL, 0, &c->image, NULL);
    return drawn;
}

typedef struct difference { double worst, area, drawn; } difference;

static difference compare(const canvas *c, const zg_particle *p) {
    difference d = {0};
    const double det = p->a[0] * p->b[1] - p->a[1] * p->b[0];
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t count = 0;
            for (uint32_t k = 0; k < POINTS * POINTS; k++) {
                const double px = x + (k % POINTS + 0.5) / POINTS - p->center[0];
                const double py = y + (k / POINTS + 0.5) / POINTS - p->center[1];
                count += is_inside(p, (px * p->b[1] - py * p->b[0]) / det, (py * p->a[0] - px * p->a[1]) / det);
            }
            const double share = (double)count / (POINTS * POINTS), drawn = c->pixels[4 * (y * SIDE + x) + 3] / 255.0;
            d.worst = fmax(d.worst, fabs(share - drawn));
            d.area += share;
            d.drawn += drawn;
        }
    }
    return d;
}

static void pixels_get_the_share_that_is_covered(void **state) {
    (void)state;
    // What a pixel may be off. At a sharp tip one border is in the other's way.
    static const double tolerance[FORM_COUNT] = {[STAR] = 0.31, [CROSS] = 0.28, [DOT] = 0.12, [STRIP] = 0.18};
    static const double sizes[] = {4, 5, 7, 12, 24};
    static canvas c;
    for (uint32_t form = 0; form < FORM_COUNT; form++) {
        for (uint32_t s = 0; s < ZB_COUNT(sizes); s++) {
            for (int turn = 0; turn < (int)test_share(12); turn++) {
                zg_particle p = particle_of(form, sizes[s], 7.3 + 31 * turn, 1);
                p.center[0] = 32 + 0.083 * turn;
                p.center[1] = 31.5 + 0.19 * turn;
                assert_true(paint(&c, &p));
                const difference d = compare(&c, &p);
                assert_true(d.worst < tolerance[form]);
                assert_true(fabs(d.drawn - d.area) < 0.06 * d.area + 0.65); // px^2
            }
        }
    }
}

static double area_of(const zg_particle *p) { // px^2
    static const double shares[FORM_COUNT] = {[STAR] = 0.2826, [CROSS] = 0.24, [DOT] = 0.785398, [STRIP] = 1};
    const double corner = p->shape->corner < p->width / 2 ? p->shape->corner : p->width / 2;
    return (p->width * p->height * shares[p->shape - shapes] - 0.858407 * corner * corner) *
           fabs(p->a[0] * p->b[1] - p->a[1] * p->b[0]);
}

static void assert_fades(canvas *c, zg_particle *p) {
    p->center[0] = 32.2;
    p->center[1] = 31.7;
    const bool drawn = paint(c, p);
    double laid_on = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) { laid_on += c->pixels[4 * i + 3] / 255.0; }
    assert_true(drawn || area_of(p) < 0.1);
    assert_true(fabs(laid_on - area_of(p)) < 0.12 * area_of(p) + 0.05);
}

// Squashed to nothing in one direction, or just very small, it fades and neither vanishes nor grows.
static void thin_ones_fade(void **state) {
    (void)state;
    static canvas c;
    for (uint32_t form = 0; form < FORM_COUNT; form++) {
        for (int i = 0; i < (int)test_share(40); i++) {
            const double thin = pow(0.8, i);
            zg_particle p = particle_of(form, 12, 33, 1);
            p.a[0] *= thin;
            p.b[0] *= thin; // as by a target turning about its upright axis
            if (i % 2) {
                p.a[0] = -p.a[0];
                p.b[0] = -p.b[0];
            }
            assert_fades(&c, &p);
            p = particle_of(form, 12 * thin, 33, 1);
            assert_fades(&c, &p);
        }
    }
}

static void arcs_are_within_a_tenth_of_a_pixel(void **state) {
    (void)state;
    static canvas c;
    for (double radius = 0.3; radius < 83; radius *= 1.07) {
        zg_particle p = particle_of(DOT, 2 * radius, 10, 1);
        p.feathered = false;
        paint(&c, &p);
        for (uint32_t i = 1; i < c.list.vertex_count; i++) {
            const zo_vertex *a = &c.vertices[i], *b = &c.vertices[i + 1 < c.list.vertex_count ? i + 1 : 1];
            const double x = ((double)a->x + (double)b->x) / 2, y = ((double)a->y + (double)b->y) / 2;
            assert_true(radius - sqrt(x * x + y * y) < 0.101);
        }
    }
}

static void what_cannot_be_seen_is_left_out(void **state) {
    (void)state;
    static canvas c;
    const zg_particle fine = particle_of(STRIP, 6, 10, 1);
    assert_true(paint(&c, &fine));
    for (int wrong = 0; wrong < 7; wrong++) {
        zg_particle p = fine;
        switch (wrong) {
        case 0: p.opacity = 0; break;
        case 1: p.opacity = NAN; break;
        case 2: p.center[0] = INFINITY; break;
        case 3: p.a[0] = NAN; break;
        case 4: p.width = 0; break;
        case 5: p.a[0] = p.a[1] = 0; break;
        default: p.width = 1e300; break;
        }
        assert_false(paint(&c, &p));
        assert_int_equal(c.list.vertex_count + c.list.index_count, 0);
    }
}

static void without_room_nothing_is_added(void **state) {
    (void)state;
    static canvas c;
    const zg_particle p = particle_of(CROSS, 6, 10, 1);
    paint(&c, &p);
    bool drawn;
    c.list.vertex_capacity = zg_particle_vertices(8);
    c.list.index_capacity = zg_particle_indices(8);
    c.list.vertex_count = c.list.index_count = 1;
    assert_false(zg_particle_emit(&p, &c.list, &drawn));
    c.list.vertex_count = 0;
    assert_false(zg_particle_emit(&p, &c.list, &drawn));
    assert_true(c.list.vertex_count == 0 && c.list.index_count == 1);
    c.list.index_count = 0;
    assert_true(zg_particle_emit(&p, &c.list, &drawn));
    assert_true(drawn);
}

// ---------------------------------------------------------------------------------------------------- a program's

// A picture, and bursts let go at 0 of a clip of one second, more than may live at once.
#define BURST(effect) "{\"at\":0,\"type\":\"particle\",\"effect\":\"" effect "\"}"
static const char text[] =
    "{\"version\":1,\"id\":\"user:burst\",\"name\":\"Burst\",\"kind\":\"interaction\",\"durationMs\":1000,"
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":["
    "{\"property\":\"transition.x\",\"keyframes\":[{\"at\":0,\"value\":10}]},"
    "{\"property\":\"transition.opacity\",\"keyframes\":[{\"at\":0,\"value\":0.5}]}],\"events\":["
    BURST("confetti") "," BURST("star-burst") "," BURST("confetti") "," BURST("confetti") "," BURST("confetti") ","
    BURST("confetti") "]}";

static void the_list_holds_pictures_and_then_particles(void **state) {
    (void)state;
    const zo_source source = {.name = "burst.json", .bytes = text, .size = sizeof text - 1};
    zo_program *program = NULL;
    assert_int_equal(zo_compile(&source, 1, NULL, &program, NULL), ZO_OK);
    const zo_draw_bound bound = zo_draw_bounds(program);
    zo_draw_list list = {.vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
                         .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
                         .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands};
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_event events[8];
    zo_step step;
    do { step = zo_instance_advance(instance, 0, events, 8); } while (step.more);
    assert_int_equal(zo_instance_particle_count(instance), 96);
    zo_instance_sample(instance, pose);
    const zo_size size = {100, 100};
    const uint32_t cel_images[6] = {1, 1, 1, 1, 1, 1};
    const zo_view view = {.width = 256, .height = 256, .pixels_per_unit = 40, .center_x = 90, .center_y = 80,
                          .image_sizes = &size, .image_count = 1, .cel_images = cel_images, .cel_count = 6};
    assert_true(zo_instance_draw(instance, pose, &view, &list)); // 40 px a unit: arcs of many chords fit as well
    assert_int_equal(list.command_count, 2);
    assert_int_equal(list.commands[0].image, 1);
    assert_int_equal(list.commands[1].image, 0);
    const zo_vertex *middle = &list.vertices[list.indices[list.commands[1].first_index]];
    assert_true(middle->x == 128 && middle->y == 128 && middle->a == 0.5f); // on its target, as faint as it
    zo_draw_list short_list = list;
    for (int lack = 0; lack < 3; lack++) {
        zo_draw_list less = short_list;
        if (lack == 0) { less.vertex_capacity = list.vertex_count - 1; }
        if (lack == 1) { less.index_capacity = list.index_count - 1; }
        if (lack == 2) { less.command_capacity = 1; }
        assert_false(zo_instance_draw(instance, pose, &view, &less));
    }
    assert_true(zo_pose_draw(program, pose, &view, &list)); // a pose alone has none
    assert_int_equal(list.command_count, 1);
    zo_pose_free(pose);
    zo_instance_free(instance);
    zo_program_free(program);
    free(list.vertices);
    free(list.indices);
    free(list.commands);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_seen_is_left_out),
        cmocka_unit_test(without_room_nothing_is_added),
        cmocka_unit_test(pixels_get_the_share_that_is_covered),
        cmocka_unit_test(thin_ones_fade),
        cmocka_unit_test(arcs_are_within_a_tenth_of_a_pixel),
        cmocka_unit_test(the_list_holds_pictures_and_then_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
