// Golden scenes of particles: every shape at all sizes and angles, squashed ones, and bursts from the clock to pixels.
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#include "base/maths.h"
#include "draw/draw.h"

static const double star[] = {0.5, 0,   0.61, 0.35, 0.98, 0.35, 0.68, 0.57, 0.79, 0.91,
                              0.5, 0.7, 0.21, 0.91, 0.32, 0.57, 0.02, 0.35, 0.39, 0.35};
static const double gold[] = {1.0, 0.82, 0.25, 0.9};
static const zp_shape shapes[] = {
    {.outline = ZP_OUTLINE_POLYGON, .aspect = 1, .point_count = 10},
    {.outline = ZP_OUTLINE_ELLIPSE, .aspect = 1},
    {.outline = ZP_OUTLINE_ROUNDED, .aspect = 1.9, .corner = 1.5},
};

// One at (x, y), `thin` times as wide on the screen as it should be.
static void put(zo_image *target, uint32_t shape, double x, double y, double size, double degrees, double thin) {
    zo_vertex vertices[2 * ZG_OUTLINE_MAX + 1];
    uint32_t indices[9 * ZG_OUTLINE_MAX];
    zo_command command = {0};
    zo_draw_list list = {.vertices = vertices, .vertex_capacity = 2 * ZG_OUTLINE_MAX + 1, .indices = indices,
                         .index_capacity = 9 * ZG_OUTLINE_MAX, .commands = &command, .command_capacity = 1};
    double sine, cosine;
    zb_sincos_degrees(degrees, &sine, &cosine);
    const zg_particle particle = {.shape = &shapes[shape], .numbers = star, .width = size,
                                  .height = size * shapes[shape].aspect, .center = {x, y}, .a = {cosine * thin, sine},
                                  .b = {-sine * thin, cosine}, .colour = gold, .opacity = 1, .feathered = true};
    bool drawn;
    if (!zg_particle_emit(&particle, &list, &drawn)) { abort(); }
    command.index_count = list.index_count;
    list.command_count = drawn;
    zo_raster(&list, NULL, 0, target);
}

void golden_particle_shapes(zo_image *target) {
    for (uint32_t shape = 0; shape < 3; shape++) {
        for (int i = 0; i < 12; i++) {
            const double size = 1 + 0.25 * i * i, x = 10.3 + 23.7 * i, y = 20 + 90 * shape;
            put(target, shape, x, y, size, 17 * i, 1);
            put(target, shape, x, y + 45, size, 31 * i, 0.5 - 0.045 * i);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- bursts

#define BURST(at, effect) "{\"at\":" at ",\"type\":\"particle\",\"effect\":\"" effect "\"}"
static const char text[] =
    "{\"version\":1,\"id\":\"user:bursts\",\"name\":\"Bursts\",\"kind\":\"interaction\",\"durationMs\":1000,"
    "\"repeat\":{\"mode\":\"loop\"},\"tracks\":["
    "{\"property\":\"transition.rotation\",\"keyframes\":[{\"at\":0,\"value\":-20},{\"at\":1,\"value\":40}]},"
    "{\"property\":\"transition.scaleX\",\"keyframes\":[{\"at\":0,\"value\":1},{\"at\":1,\"value\":-0.5}]}],\"events\":["
    BURST("0", "confetti") "," BURST("0.25", "star-burst") "," BURST("0.5", "sparkle") "," BURST("0.6", "confetti") "]}";

typedef struct party {
    zo_program *program;
    zo_instance *instance;
    zo_pose *pose;
    zo_draw_list list;
} party;

static party open_party(void) {
    const zo_source source = {.name = "bursts.json", .bytes = text, .size = sizeof text - 1};
    party p = {0};
    if (zo_compile(&source, 1, NULL, &p.program, NULL) != ZO_OK) { abort(); }
    const zo_draw_bound bound = zo_draw_bounds(p.program);
    p.instance = zo_instance_create(p.program, &(zo_instance_def){.seed = 3}, NULL);
    p.pose = zo_pose_create(p.program, NULL);
    p.list = (zo_draw_list){
        .vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
        .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
        .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands,
    };
    if (!p.instance || !p.pose || !p.list.vertices || !p.list.indices || !p.list.commands) { abort(); }
    return p;
}

static void close_party(party *p) {
    free(p->list.vertices);
    free(p->list.indices);
    free(p->list.commands);
    zo_pose_free(p->pose);
    zo_instance_free(p->instance);
    zo_program_free(p->program);
}

static void play(party *p, int64_t ns) {
    zo_step step = {.left_ns = ns};
    do {
        zo_event events[4];
        step = zo_instance_advance(p->instance, step.left_ns, events, 4);
    } while (step.more || step.left_ns > 0);
    zo_instance_sample(p->instance, p->pose);
}

// Twelve moments, 83 ms apart; no pictures, only what flies.
void golden_bursts(zo_image *target) {
    party p = open_party();
    for (uint32_t cell = 0; cell < 12; cell++) {
        play(&p, INT64_C(83456789));
        zo_image part = {.width = 160, .height = 160, .stride = target->stride};
        part.pixels = target->pixels + cell / 4 * 160 * target->stride + (size_t)(cell % 4) * 160 * 4;
        const zo_view view = {.width = 160, .height = 160};
        if (!zo_instance_draw(p.instance, p.pose, &view, &p.list)) { abort(); }
        zo_raster(&p.list, NULL, 0, &part);
    }
    close_party(&p);
}

uint64_t golden_particle_ways(void) {
    party p = open_party();
    uint64_t hash = GOLDEN_HASH_START;
    for (uint32_t i = 0; i < 500; i++) {
        play(&p, INT64_C(7654321) + i);
        zo_particle particle;
        for (uint32_t n = 0; zo_instance_particle_at(p.instance, n, &particle); n++) {
            const double parts[] = {particle.width, particle.height, particle.x, particle.y, particle.turn,
                                    particle.opacity, (double)particle.age_ns, (double)particle.life_ns};
            hash = golden_hash(hash, parts, sizeof parts);
            hash = golden_hash(hash, particle.colour, sizeof particle.colour);
            hash = golden_hash(hash, particle.shape, strlen(particle.shape));
        }
    }
    close_party(&p);
    return hash;
}
