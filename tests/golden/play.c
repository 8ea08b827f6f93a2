// Golden scenes of playing: a small pet made by the builder, its blob, its curves at many times, its life in steps of
// odd lengths, and films of it from clock to pixels. Also the functions that all of it stands on.
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#include "base/maths.h"
#include "program/build.h"
#include "program/easing.h"

#define MS INT64_C(1000000)

// Each body layer has x, y, rotation, scaleX, scaleY, opacity; the last channel is the picture.
enum { SWAY, BOUNCE, BREATHE, TRANSITION, BODY_COUNT };
enum { X, Y, ROTATION, SCALE_X, SCALE_Y, OPACITY, PART_COUNT };
enum { PICTURE = BODY_COUNT * PART_COUNT };

static const zp_span nowhere = {0, 0};

static zp_name name(zp_build *build, const char *text) { return zp_build_name(build, zb_text(text)); }

static uint32_t slot(uint32_t body, uint32_t part) { return body * PART_COUNT + part; }

static void feed_body(zp_build *build) {
    static const char *const bodies[] = {"sway", "bounce", "breathe", "transition"};
    static const double rest[PART_COUNT] = {0, 0, 0, 1, 1, 1};
    zp_build_stage(build, 0, 0, 160, 160);
    for (uint32_t b = 0; b < BODY_COUNT; b++) { zp_build_layer(build, &(zp_layer){.name = name(build, bodies[b])}); }
    zp_build_layer(build, &(zp_layer){.name = name(build, "picture")});
    for (uint32_t b = 0; b < BODY_COUNT; b++) {
        for (uint32_t p = 0; p < PART_COUNT; p++) {
            const bool multiplied = p >= SCALE_X;
            zp_build_channel(build, &(zp_channel){.layer = b, .mix = multiplied ? ZP_MIX_MULTIPLY : ZP_MIX_ADD,
                                                  .rest = rest[p], .low = -1e6, .high = 1e6});
        }
        zp_target target = {.name = name(build, bodies[b]), .parent_ref = b, .compose = ZP_COMPOSE_TRS2,
                            .pivot = {80, 144}};
        for (uint32_t p = 0; p < PART_COUNT; p++) { target.slot_refs[ZP_SLOT_X + p] = slot(b, p) + 1; }
        zp_build_target(build, &target);
    }
    zp_build_channel(build, &(zp_channel){.layer = BODY_COUNT, .rest = 1, .low = 0, .high = 3, .is_index = 1});
    static const char *const cels[] = {"face", "chart", "art"};
    for (uint32_t c = 0; c < 3; c++) {
        zp_build_cel(build, &(zp_cel){.name = name(build, cels[c]), .size_rule = ZP_SIZE_FIT_BOX, .anchor = {0.5, 0.96},
                                      .scale = c == 2 ? 0.5 : 1.0}, nowhere);
    }
    zp_build_sprite(build, &(zp_sprite){.target = TRANSITION, .channel_ref = PICTURE + 1, .cel_ref = 1,
                                        .box = {160, 160}, .origin = {80, 144}});
}

static void begin(zp_build *build, const char *id, zp_repeat repeat, int64_t duration_ns, uint32_t flags) {
    zp_clip clip = {.name = name(build, id), .repeat = repeat, .duration_ns = duration_ns, .duration_ns_min = MS,
                    .duration_ns_max = 100000 * MS, .complete_ns = duration_ns, .delay_min = 120, .delay_max = 900.5,
                    .delay_unit_ns = MS, .flags = flags};
    if (repeat == ZP_REPEAT_ALTERNATE || repeat == ZP_REPEAT_LOOP) { clip.mix_ref = 1; }
    zp_build_clip_begin(build, &clip, nowhere);
}

static void event(zp_build *build, double at, int64_t duration_ns, zp_action action, uint32_t cel_ref) {
    zp_build_event(build, &(zp_event){.at = at, .at_ns = (int64_t)(at * (double)duration_ns), .action = action,
                                      .subject_ref = cel_ref, .name = name(build, "happened")}, nowhere);
}

static const double fifths[] = {0, 0.2, 0.35, 0.8, 1};

// Five keys at the times of `fifths`, eased from each to the next by other curves.
static void ease(zp_build *build, uint32_t channel, const double values[5], const double *scales) {
    const zp_interval intervals[5] = {
        {ZP_INTERPOLATE_EASE, zp_build_easing(build, 0.25, 0.1, 0.25, 1)},
        {ZP_INTERPOLATE_EASE, zp_build_easing(build, 0.34, 1.56, 0.64, 1)},
        {ZP_INTERPOLATE_LERP, 0},
        {ZP_INTERPOLATE_EASE, zp_build_easing(build, 0.9, -0.4, 0, 1.7)},
        {ZP_INTERPOLATE_LERP, 0},
    };
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 1,
                                          .first_channel = channel, .key_count = 5, .times = fifths,
                                          .intervals = intervals, .values = values, .scales = scales});
}

static void feed_clips(zp_build *build) {
    zp_build_mix_group(build);
    begin(build, "breathe", ZP_REPEAT_ALTERNATE, 1800 * MS, 0);
    ease(build, slot(BREATHE, SCALE_X), (const double[]){1, 1.01, 1.02, 1.015, 0.99}, NULL);
    ease(build, slot(BREATHE, SCALE_Y), (const double[]){1, 0.99, 0.975, 1.01, 1.03}, NULL);
    zp_build_clip_end(build);

    begin(build, "lean", ZP_REPEAT_LOOP, 2300 * MS, 0);
    zp_build_curve(build, &(zp_curve_def){.placement = ZP_PLACE_UNIFORM_LOOP, .interpolation = ZP_INTERPOLATE_LERP,
                                          .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .ends = ZP_ENDS_WRAP, .width = 1,
                                          .first_channel = slot(SWAY, ROTATION), .key_count = 4,
                                          .values = (const double[]){-3, 4.25, 2, -6.5}});
    zp_build_clip_end(build);

    begin(build, "hop", ZP_REPEAT_RANDOM_INTERVAL, 420 * MS, ZP_CLIP_SEGMENTED);
    ease(build, slot(BOUNCE, Y), (const double[]){0, 6, -38, -20, 0}, NULL);
    ease(build, slot(BOUNCE, SCALE_Y), (const double[]){1, 0.82, 1.12, 1.05, 1}, NULL);
    event(build, 0.35, 420 * MS, ZP_ACTION_NOTIFY, 0);
    event(build, 0.8, 420 * MS, ZP_ACTION_SHOW_CEL, 2);
    event(build, 1.0, 420 * MS, ZP_ACTION_SHOW_CEL, 1);
    zp_build_clip_end(build);

    begin(build, "spin", ZP_REPEAT_ONCE, 700 * MS, 0);
    zp_build_param(build, &(zp_param){.name = name(build, "strength"), .value = 1, .low = 0.25, .high = 3}, nowhere);
    ease(build, slot(TRANSITION, ROTATION), (const double[]){0, 30, 100, 300, 360}, (const double[]){0, 9, 20, -15, 0});
    ease(build, slot(TRANSITION, OPACITY), (const double[]){1, 0.9, 0.4, 0.7, 1}, NULL);
    ease(build, slot(TRANSITION, SCALE_X), (const double[]){1, 0.2, -0.6, 0.01, 1}, NULL);
    const zp_insert inserts[3] = {{0, 0, 0, 0, 0}, {0, 0, 12, 5, 0.375}, {12, 5, 0, 0, 0}};
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1,
                                          .first_channel = slot(TRANSITION, X), .key_count = 3,
                                          .times = (const double[]){0, 0.4, 1}, .inserts = inserts});
    event(build, 0, 700 * MS, ZP_ACTION_SHOW_CEL, 0);
    event(build, 0.5, 700 * MS, ZP_ACTION_START_EFFECT, 0);
    zp_build_clip_end(build);

    zp_build_play(build, &(zp_play){.clip = 0});
    zp_build_play(build, &(zp_play){.clip = 1});
    zp_build_play(build, &(zp_play){.clip = 2});
}

static zo_program *new_pet(void) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_format(build, ZB_TEXT("golden"), 0);
    feed_body(build);
    feed_clips(build);
    zo_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    if (!program) { abort(); }
    return program;
}

static uint64_t hash_pose(uint64_t hash, const zo_pose *pose) {
    hash = golden_hash(hash, pose->slots, pose->slot_count * sizeof pose->slots[0]);
    hash = golden_hash(hash, pose->transforms, pose->target_count * sizeof pose->transforms[0]);
    return golden_hash(hash, pose->at_rest, pose->target_count);
}

static uint64_t hash_event(uint64_t hash, const zo_event *e) {
    const int64_t parts[] = {e->kind, e->end, e->t_ns, e->run.id, e->clip.id, e->index, e->cel.id};
    hash = golden_hash(hash, parts, sizeof parts);
    return e->name ? golden_hash(hash, e->name, strlen(e->name)) : hash;
}

static uint64_t advance(zo_instance *instance, int64_t dt_ns, uint64_t hash) {
    zo_step step = {.left_ns = dt_ns};
    do {
        zo_event events[3];
        step = zo_instance_advance(instance, step.left_ns, events, 3);
        for (uint32_t i = 0; i < step.count; i++) { hash = hash_event(hash, &events[i]); }
    } while (step.more || step.left_ns > 0);
    return hash;
}

// ---------------------------------------------------------------------------------------------------- beneath

static uint64_t maths(void) {
    uint64_t hash = GOLDEN_HASH_START;
    for (int i = -4000; i <= 4000; i++) {
        const double x = i * 0.0137 + i * (double)i * 1e-4;
        double values[7] = {zb_sin(x), zb_cos(x), zb_atan2(x, 2.5 - i * 0.01), zb_exp(x * 0.1), zb_exp(-x)};
        zb_sincos_degrees(x * 10, &values[5], &values[6]);
        hash = golden_hash(hash, values, sizeof values);
    }
    return hash;
}

static uint64_t easings(void) {
    uint64_t hash = GOLDEN_HASH_START;
    for (uint32_t k = 0; k < 200; k++) {
        zp_easing easing;
        zp_easing_make(&easing, k * 37 % 101 / 100.0, (k * 53 % 211) / 100.0 - 0.5, k * 71 % 101 / 100.0,
                       (k * 29 % 211) / 100.0 - 0.5);
        for (uint32_t i = 0; i <= 300; i++) {
            const double y = zp_easing_at(&easing, i / 300.0);
            hash = golden_hash(hash, &y, sizeof y);
        }
    }
    return hash;
}

static uint64_t blob(void) {
    zo_program *program = new_pet();
    const uint64_t hash = golden_hash(GOLDEN_HASH_START, program->blob, program->blob_size);
    zo_program_free(program);
    return hash;
}

// ---------------------------------------------------------------------------------------------------- playing

static uint64_t clip_samples(void) {
    zo_program *program = new_pet();
    zo_pose *pose = zo_pose_create(program, NULL);
    uint64_t hash = GOLDEN_HASH_START;
    for (uint32_t clip = 1; clip <= 4; clip++) {
        for (int i = -5; i <= 1005; i++) {
            const double strength = 0.25 + i * 0.002;
            zo_clip_sample(program, (zo_clip){clip}, i / 1000.0, clip == 4 ? &strength : NULL, pose);
            hash = hash_pose(hash, pose);
        }
    }
    zo_pose_free(pose);
    zo_program_free(program);
    return hash;
}

// Curves with all that float Hermite curves have: bent, straight and held ways, two keys at one time, rounded values.
static uint64_t hermite_samples(void) {
    enum { KEYS = 24, CURVES = 3 };
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_layer(build, &(zp_layer){.channel_count = CURVES});
    for (uint32_t c = 0; c < CURVES; c++) {
        zp_build_channel(build, &(zp_channel){.low = -HUGE_VAL, .high = HUGE_VAL});
    }
    const int64_t length_ns = 1833333370;
    zp_build_clip_begin(build, &(zp_clip){.name = name(build, "swing"), .time_unit = ZP_TIME_SECONDS,
                                          .delay_unit_ns = 1, .duration_ns = length_ns, .duration_ns_min = length_ns,
                                          .duration_ns_max = length_ns, .complete_ns = length_ns}, nowhere);
    for (uint32_t c = 0; c < CURVES; c++) {
        double times[KEYS], values[KEYS];
        zp_interval intervals[KEYS] = {{ZP_INTERPOLATE_LERP, 0}};
        for (uint32_t k = 0; k < KEYS; k++) {
            times[k] = (k - (k % 7 == 3)) * 0.0791 + c * 0.003;
            values[k] = ((k * 37 + c * 11) % 61) * 1.7 - 40.3;
            const double tangents[2] = {(k * 53 % 97) * 9.1 - 350.7, (k * 29 % 89) * -7.3 + 300.1};
            const uint32_t way = k % 5 == 2    ? ZP_INTERPOLATE_LERP
                                 : k % 11 == 6 ? ZP_INTERPOLATE_HOLD
                                               : ZP_INTERPOLATE_HERMITE;
            const bool bent = way == ZP_INTERPOLATE_HERMITE;
            intervals[k] = (zp_interval){way, bent ? zp_build_numbers(build, tangents, 2) : 0};
        }
        zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 1,
                                              .arithmetic = ZP_ARITHMETIC_F32_HERMITE, .first_channel = c,
                                              .key_count = KEYS, .times = times,
                                              .finish = c == 2 ? ZP_FINISH_ROUND_HALF_EVEN : ZP_FINISH_NONE,
                                              .values = values, .intervals = intervals});
    }
    zp_build_clip_end(build);
    zo_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    zo_pose *pose = zo_pose_create(program, NULL);
    uint64_t hash = GOLDEN_HASH_START;
    for (int i = -5; i <= 4005; i++) {
        zo_clip_sample(program, (zo_clip){1}, i * 0.000457, NULL, pose);
        hash = hash_pose(hash, pose);
    }
    zo_pose_free(pose);
    zo_program_free(program);
    return hash;
}

// A click, another one in the middle of the first, a pause, a run for once and a picture from outside.
static void meddle(zo_instance *instance, uint32_t frame, zo_run *spin) {
    static const double strong = 2.5;
    const zo_run_def strongly = {.params = &strong, .param_count = 1};
    const zo_run_def for_once = {.set_repeat = true, .duration_ns = 333 * MS};
    if (frame == 40) { *spin = zo_instance_start(instance, (zo_clip){4}, NULL); }
    if (frame == 61) { *spin = zo_instance_start(instance, (zo_clip){4}, &strongly); }
    if (frame == 75) { zo_instance_pause(instance, *spin); }
    if (frame == 90) { zo_instance_resume(instance, *spin); }
    if (frame == 120) { zo_instance_start(instance, (zo_clip){3}, &for_once); }
    if (frame == 150) { zo_instance_show(instance, (zo_cel){3}); }
}

static uint64_t life_of(int64_t (*step_of)(uint32_t frame), uint32_t frame_count) {
    zo_program *program = new_pet();
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance *instance = zo_instance_create(program, &(zo_instance_def){.seed = 20240229}, NULL);
    uint64_t hash = GOLDEN_HASH_START;
    zo_run spin = {0};
    for (uint32_t frame = 0; frame < frame_count; frame++) {
        meddle(instance, frame, &spin);
        hash = advance(instance, step_of(frame), hash);
        zo_instance_sample(instance, pose);
        hash = hash_pose(hash, pose);
    }
    zo_instance_free(instance);
    zo_pose_free(pose);
    zo_program_free(program);
    return hash;
}

static int64_t sixtieth(uint32_t frame) {
    return (frame + 1) * INT64_C(1000000000) / 60 - frame * INT64_C(1000000000) / 60;
}
static int64_t odd_length(uint32_t frame) { return (frame * INT64_C(7919) % 4001) * 12345 + frame % 3; }

static uint64_t life_at_60(void) { return life_of(sixtieth, 600); }
static uint64_t life_in_odd_steps(void) { return life_of(odd_length, 1000); }

// ---------------------------------------------------------------------------------------------------- films

typedef struct film {
    zo_program *program;
    zo_instance *instance;
    zo_pose *pose;
    zo_draw_list list;
} film;

static film open_film(void) {
    film f = {.program = new_pet()};
    f.instance = zo_instance_create(f.program, &(zo_instance_def){.seed = 5}, NULL);
    f.pose = zo_pose_create(f.program, NULL);
    const zo_draw_bound bound = zo_draw_bounds(f.program);
    f.list = (zo_draw_list){
        .vertices = calloc(bound.vertices, sizeof(zo_vertex)), .vertex_capacity = bound.vertices,
        .indices = calloc(bound.indices, sizeof(uint32_t)), .index_capacity = bound.indices,
        .commands = calloc(bound.commands, sizeof(zo_command)), .command_capacity = bound.commands,
    };
    if (!f.instance || !f.pose || !f.list.vertices || !f.list.indices || !f.list.commands) { abort(); }
    return f;
}

static void close_film(film *f) {
    free(f->list.vertices);
    free(f->list.indices);
    free(f->list.commands);
    zo_pose_free(f->pose);
    zo_instance_free(f->instance);
    zo_program_free(f->program);
}

static void draw_frame(film *f, zo_image *target) {
    static const zo_size sizes[] = {{256, 256}, {256, 256}, {8, 8}};
    static const uint32_t cel_images[] = {GOLDEN_FACE, GOLDEN_CHART, GOLDEN_ART};
    const zo_view view = {.width = target->width, .height = target->height, .image_sizes = sizes, .image_count = 3,
                          .cel_images = cel_images, .cel_count = 3};
    zo_instance_sample(f->instance, f->pose);
    if (!zo_instance_draw(f->instance, f->pose, &view, &f->list)) { abort(); }
    zo_raster(&f->list, golden_pictures(), GOLDEN_PICTURE_COUNT, target);
}

// Two seconds at 60 frames a second, every pixel.
static uint64_t film_of_two_seconds(void) {
    film f = open_film();
    zo_image target = {.width = 200, .height = 180, .stride = 800, .pixels = malloc(800 * 180)};
    if (!target.pixels) { abort(); }
    uint64_t hash = GOLDEN_HASH_START;
    zo_run spin = {0};
    for (uint32_t frame = 0; frame < 120; frame++) {
        meddle(f.instance, frame, &spin);
        hash = advance(f.instance, sixtieth(frame), hash);
        zo_image_fill(&target, (const uint8_t[4]){20, 30, 40, 255});
        draw_frame(&f, &target);
        hash = golden_hash(hash, target.pixels, target.stride * target.height);
    }
    free(target.pixels);
    close_film(&f);
    return hash;
}

void golden_contact_sheet(zo_image *target) {
    film f = open_film();
    zo_run spin = {0};
    for (uint32_t frame = 0; frame < 160; frame++) {
        meddle(f.instance, frame, &spin);
        advance(f.instance, sixtieth(frame), 0);
        if (frame % 4 != 0) { continue; }
        const uint32_t cell = frame / 4;
        zo_image part = {.width = 96, .height = 96, .stride = target->stride};
        part.pixels = target->pixels + cell / 8 * 96 * target->stride + (size_t)(cell % 8) * 96 * 4;
        draw_frame(&f, &part);
    }
    close_film(&f);
}

const golden_line golden_lines[] = {
    {"base/maths", maths},
    {"program/easings", easings},
    {"program/blob", blob},
    {"sample/clips", clip_samples},
    {"sample/hermite", hermite_samples},
    {"sample/life-at-60", life_at_60},
    {"sample/life-in-odd-steps", life_in_odd_steps},
    {"sample/particles", golden_particle_ways},
    {"sample/emitters", golden_emitters},
    {"sample/poses", golden_poses},
    {"film/two-seconds", film_of_two_seconds},
    {"enemy/three-clips", golden_enemy_play},
    {"pack/eighteen-seconds", golden_pack_play},
    {"pack/speech", golden_pack_speech},
};
const uint32_t golden_line_count = sizeof golden_lines / sizeof golden_lines[0];
