// What the fuzzers share: a trap that says what did not hold, choices that follow from the input alone, and a program
// played, sampled, drawn and listed with the promises of the public headers checked on the way. Included once a fuzzer.
// Must not know what an input means.
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include <zoetrope/zoetrope.h>

#include "base/base.h"
#include "base/random.h"

// In every build, and with words: what breaks a promise is as much a find as what breaks memory.
#define MUST(fact)                                                         \
    do {                                                                   \
        if (!(fact)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #fact); \
            abort();                                                       \
        }                                                                  \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Numbers that are the input's own: a changed byte changes all of them, the same input gives them again.
typedef struct fuzz_random {
    uint64_t seed, n;
} fuzz_random;

static inline uint32_t fuzz_below(fuzz_random *r, uint32_t bound) {
    return (uint32_t)(zb_hash64(r->seed, 1, 0, r->n++) % bound);
}

typedef struct fuzz_sum {
    uint64_t hash;
    size_t size;
} fuzz_sum;

static inline bool fuzz_write_sum(void *context, const void *bytes, size_t size) {
    fuzz_sum *sum = context;
    sum->hash = zb_hash_bytes(bytes, size, sum->hash);
    sum->size += size;
    return true;
}

// ---------------------------------------------------------------------------------------------------- one report

static inline void fuzz_diag(const zo_diag *diag, size_t size) {
    MUST(diag->message != NULL && diag->id != NULL && zo_rule_find(diag->id) != NULL);
    MUST(diag->place.offset <= size && diag->place.length <= size - diag->place.offset);
    size_t end = 0;
    for (uint32_t e = 0; e < diag->edit_count; e++) { // sorted, apart, within the text
        MUST(diag->edits[e].offset >= end && diag->edits[e].offset <= size);
        MUST(diag->edits[e].remove <= size - diag->edits[e].offset);
        end = diag->edits[e].offset + diag->edits[e].remove;
    }
    MUST((diag->edit_count > 0) == (diag->fix != NULL));
}

// Of one source: every place is in it, a fix leaves JSON what was JSON, and it can be written, each input in one style.
static inline void fuzz_report(const zo_report *report, const void *bytes, size_t size) {
    zo_document *document = NULL;
    const bool is_json = zo_document_open(bytes, size, NULL, &document) == ZO_OK;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        fuzz_diag(diag, size);
        if (!is_json || diag->edit_count == 0 || diag->edit_count > 8 || i > 10) { continue; }
        zo_edit inverse[8];
        MUST(zo_document_apply(document, diag->edits, diag->edit_count, inverse) == ZO_OK);
        MUST(zo_document_apply(document, inverse, diag->edit_count, NULL) == ZO_OK);
    }
    zo_document_free(document);
    const zo_report_style style = (zo_report_style)(zb_hash_bytes(bytes, size, 7) % (ZO_REPORT_GITHUB + 1));
    fuzz_sum sum = {0};
    MUST(zo_report_write(report, style, style == ZO_REPORT_HUMAN, fuzz_write_sum, &sum));
}

static inline void fuzz_same_pose(const zo_pose *a, const zo_pose *b) {
    MUST(memcmp(a->slots, b->slots, a->slot_count * sizeof *a->slots) == 0);
    MUST(memcmp(a->transforms, b->transforms, a->target_count * sizeof *a->transforms) == 0);
    MUST(memcmp(a->at_rest, b->at_rest, a->target_count) == 0);
}

// ---------------------------------------------------------------------------------------------------- one program

enum { FUZZ_SIDE = 24, FUZZ_PICTURE = 5, FUZZ_RECORDS_MAX = 64, FUZZ_LIST_MAX = 20000, FUZZ_STEPS = 10 };

typedef struct fuzz_player {
    const zo_program *program;
    fuzz_random random;
    zo_instance *instance;
    zo_pose *pose, *again;
    zo_draw_list list;
    uint32_t *cel_images;
    uint8_t picture[FUZZ_PICTURE * FUZZ_PICTURE * 4];
    uint8_t target[FUZZ_SIDE * FUZZ_SIDE * 4];
    uint32_t depths[FUZZ_SIDE * FUZZ_SIDE];
} fuzz_player;

static inline void *fuzz_take(size_t count, size_t size) {
    void *memory = calloc(count != 0 ? count : 1, size);
    MUST(memory != NULL);
    return memory;
}

static inline void fuzz_read_all(const zo_program *program) {
    for (uint32_t c = 1; c <= zo_clip_count(program) && c <= FUZZ_RECORDS_MAX; c++) {
        zo_clip_info clip;
        MUST(zo_clip_get(program, (zo_clip){c}, &clip));
        MUST(clip.duration_ns >= 1);
        MUST(zo_clip_find(program, clip.name).id != 0);
        MUST(clip.reduced.id <= zo_clip_count(program));
        for (uint32_t e = 0; e < clip.event_count && e < FUZZ_RECORDS_MAX; e++) {
            zo_clip_event_info event;
            MUST(zo_clip_event_get(program, (zo_clip){c}, e, &event));
            MUST(event.name != NULL && event.at_ns >= 0 && event.at_ns <= clip.duration_ns);
        }
        for (uint32_t k = 0; k < clip.param_count && k < FUZZ_RECORDS_MAX; k++) {
            zo_param_info param;
            MUST(zo_param_get(program, (zo_param){clip.first_param.id + k}, &param));
            MUST(param.low <= param.value && param.value <= param.high);
        }
    }
    for (uint32_t c = 1; c <= zo_channel_count(program) && c <= FUZZ_RECORDS_MAX; c++) {
        zo_channel_info channel;
        MUST(zo_channel_get(program, (zo_channel){c}, &channel));
        MUST(zo_channel_find(program, channel.name).id != 0);
    }
    for (uint32_t c = 1; c <= zo_cel_count(program) && c <= FUZZ_RECORDS_MAX; c++) {
        zo_cel_info cel;
        MUST(zo_cel_get(program, (zo_cel){c}, &cel));
    }
    zo_clip_info none;
    MUST(!zo_clip_get(program, (zo_clip){zo_clip_count(program) + 1}, &none));
}

// Meshes: where the pose takes a vertex of each.
static inline void fuzz_skin(fuzz_player *p) {
    zo_mesh_info info;
    for (uint32_t m = 1; m <= FUZZ_RECORDS_MAX && zo_mesh_get(p->program, (zo_mesh){m}, &info); m++) {
        zo_mesh_vertex vertex;
        zo_mesh_part part;
        uint32_t corners[3];
        double matrix[12];
        for (uint32_t i = 0; i < FUZZ_RECORDS_MAX && zo_mesh_triangle_get(p->program, (zo_mesh){m}, i, corners); i++) {
            MUST(corners[0] < info.vertex_count && corners[1] < info.vertex_count && corners[2] < info.vertex_count);
        }
        MUST(!zo_mesh_part_get(p->program, (zo_mesh){m}, info.part_count, &part));
        if (info.vertex_count == 0) { continue; }
        const uint32_t index = fuzz_below(&p->random, info.vertex_count);
        MUST(zo_mesh_vertex_get(p->program, (zo_mesh){m}, index, &vertex));
        MUST(vertex.position[0] >= info.low[0] && vertex.position[0] <= info.high[0]);
        zo_pose_skin(p->program, p->pose, (zo_mesh){m}, index, matrix);
    }
}

static inline void fuzz_draw(fuzz_player *p) {
    const zo_size sizes[1] = {{FUZZ_PICTURE, FUZZ_PICTURE}};
    const zo_camera camera = {fuzz_below(&p->random, 360), (int)fuzz_below(&p->random, 181) - 90,
                              0.5 + fuzz_below(&p->random, 4), fuzz_below(&p->random, 2) * 75.0};
    const zo_view view = {.width = FUZZ_SIDE,
                          .height = FUZZ_SIDE,
                          .pixels_per_unit = fuzz_below(&p->random, 3) == 0 ? 0.05 : 0.0,
                          .image_sizes = sizes,
                          .image_count = 1,
                          .cel_images = p->cel_images,
                          .cel_count = zo_cel_count(p->program),
                          .filter = fuzz_below(&p->random, 2) == 0 ? ZO_FILTER_NEAREST : ZO_FILTER_BILINEAR,
                          .camera = &camera};
    fuzz_skin(p);
    MUST(zo_instance_draw(p->instance, p->pose, &view, &p->list)); // the bounds always suffice
    const zo_image picture = {p->picture, FUZZ_PICTURE, FUZZ_PICTURE, FUZZ_PICTURE * 4};
    zo_image target = {p->target, FUZZ_SIDE, FUZZ_SIDE, FUZZ_SIDE * 4};
    memset(p->depths, 0xFF, sizeof p->depths);
    zo_raster_depth(&p->list, &picture, 1, &target, p->depths);
}

static inline void fuzz_start_one(fuzz_player *p) {
    const uint32_t clip_count = zo_clip_count(p->program);
    if (clip_count == 0) { return; }
    const double params[2] = {(double)fuzz_below(&p->random, 9) - 4.0, 1e300};
    const zo_run_def def = {.params = params,
                            .param_count = fuzz_below(&p->random, 3),
                            .duration_ns = fuzz_below(&p->random, 2) == 0 ? 0 : (int64_t)fuzz_below(&p->random, 4000000) * 1000,
                            .set_repeat = fuzz_below(&p->random, 2) == 0,
                            .repeat = (zo_repeat)fuzz_below(&p->random, 5),
                            .delay_ms_min = 1.5,
                            .delay_ms_max = 40.0,
                            .cel = {fuzz_below(&p->random, zo_cel_count(p->program) + 1)}};
    const zo_run run = zo_instance_start(p->instance, (zo_clip){1 + fuzz_below(&p->random, clip_count)}, &def);
    if (run.id != 0 && fuzz_below(&p->random, 6) == 0) { zo_instance_pause(p->instance, run); }
    if (run.id != 0 && fuzz_below(&p->random, 8) == 0) { zo_instance_cancel(p->instance, run); }
}

// One call, and what its header says of it. false: it ended after as many boundaries as one call takes, which a sanitized
// build is slow at: once is enough.
static inline bool fuzz_advance(fuzz_player *p, int64_t dt_ns) {
    zo_event events[6];
    const int64_t before_ns = zo_instance_now_ns(p->instance);
    const uint32_t capacity = fuzz_below(&p->random, 7);
    const zo_step step = zo_instance_advance(p->instance, dt_ns, events, capacity);
    const int64_t now_ns = zo_instance_now_ns(p->instance);
    MUST(step.count <= capacity);
    MUST(step.left_ns >= 0 && step.left_ns <= dt_ns);
    MUST(now_ns >= before_ns && now_ns - before_ns <= dt_ns - step.left_ns);
    int64_t last_ns = before_ns;
    for (uint32_t e = 0; e < step.count; e++) {
        MUST(events[e].t_ns >= last_ns && events[e].t_ns <= now_ns);
        last_ns = events[e].t_ns;
        MUST(events[e].name != NULL && strlen(events[e].name) < (size_t)1 << 31);
        MUST(events[e].clip.id <= zo_clip_count(p->program) && events[e].cel.id <= zo_cel_count(p->program));
    }
    return step.left_ns == 0 || step.more || step.count == capacity;
}

// What lives is finite and in its time, and as much as is said.
static inline void fuzz_effects(const zo_instance *instance) {
    zo_particle particles[32];
    const uint32_t count = zo_instance_particles(instance, 0, particles, 32);
    MUST(count <= zo_instance_particle_count(instance));
    for (uint32_t i = 0; i < count; i++) {
        const zo_particle *one = &particles[i];
        MUST(one->age_ns >= 0 && one->age_ns < one->life_ns);
        const double numbers[] = {one->x, one->y, one->z, one->vx, one->vy, one->vz, one->width, one->height, one->turn,
                                  one->rgba[0], one->rgba[1], one->rgba[2], one->rgba[3]};
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) { MUST(zb_is_finite(numbers[n])); }
    }
    zo_effect effect;
    for (uint32_t i = 0; zo_instance_effect_at(instance, i, &effect); i++) {
        MUST(effect.age_ns >= 0 && effect.left_ns > 0 && effect.name != NULL);
        zo_trail_point points[8];
        MUST(zo_instance_trail(instance, i, points, 8) <= effect.points || effect.kind != ZO_EFFECT_TRAIL);
    }
}

static inline void fuzz_sample(fuzz_player *p) {
    fuzz_effects(p->instance);
    zo_instance_sample(p->instance, p->pose);
    zo_instance_sample(p->instance, p->again);
    fuzz_same_pose(p->pose, p->again);
    fuzz_draw(p);
    const uint32_t clip_count = zo_clip_count(p->program);
    if (clip_count == 0) { return; }
    const zo_clip clip = {1 + fuzz_below(&p->random, clip_count)};
    const double time = (double)fuzz_below(&p->random, 1 << 20) / (1 << 18) - 0.5;
    zo_clip_sample(p->program, clip, time, NULL, p->pose); // over whatever was there
    zo_clip_sample(p->program, clip, time, NULL, p->again);
    fuzz_same_pose(p->pose, p->again);
    for (uint32_t s = 0; s < p->pose->slot_count; s++) { MUST(!zb_is_nan(p->pose->slots[s])); }
}

// What a machine is asked for, and where it then stands.
static inline void fuzz_ask(fuzz_player *p) {
    zo_state_info state;
    if (!zo_state_get(p->program, (zo_state){1 + fuzz_below(&p->random, zo_state_count(p->program) + 1)}, &state)) {
        return;
    }
    zo_instance_poll(p->instance, (double)fuzz_below(&p->random, 1 << 20) / (1 << 18) - 1.0);
    MUST((uint32_t)zo_instance_fault(p->instance) < ZO_FAULT_COUNT);
    const bool after_speech = fuzz_below(&p->random, 4) == 0;
    switch (fuzz_below(&p->random, 8)) {
    case 0: zo_instance_release(p->instance, after_speech); break;
    case 1: zo_instance_request(p->instance, state.name); break;
    case 2: zo_instance_set_mouth(p->instance, fuzz_below(&p->random, 5) * 0.25); break;
    case 3:
    case 4: zo_instance_speaking(p->instance, fuzz_below(&p->random, 3) != 0); break;
    default: zo_instance_trigger(p->instance, state.group, after_speech); break;
    }
    zo_target_state at;
    if (!zo_instance_state(p->instance, &at)) { return; }
    MUST(at.state.id >= 1 && at.state.id <= zo_state_count(p->program) && at.clip.id <= zo_clip_count(p->program));
    zo_edge_info edge;
    for (uint32_t e = 0; e < FUZZ_RECORDS_MAX && zo_edge_get(p->program, e, &edge); e++) {
        MUST(edge.from.id >= 1 && edge.to.id >= 1 && edge.weight >= 0.0);
    }
}

static inline void fuzz_play(const zo_program *program, uint64_t seed) {
    static const int64_t steps_ns[] = {0, 1, 16666667, 40000000, 333000000, 2000000000};
    fuzz_read_all(program);
    fuzz_sum sum = {0}, same = {0};
    MUST(zo_program_dump(program, fuzz_write_sum, &sum));
    MUST(zo_program_dump(program, fuzz_write_sum, &same) && sum.hash == same.hash);
    const zo_draw_bound bound = zo_draw_bounds(program);
    if (bound.commands > FUZZ_LIST_MAX || zo_channel_count(program) > FUZZ_LIST_MAX) { return; }
    fuzz_player p = {.program = program, .random = {seed, 0}};
    const zo_instance_def def = {.seed = seed, .run_capacity = 1 + fuzz_below(&p.random, 5),
                                 .host_polls = fuzz_below(&p.random, 2) == 0,
                                 .reduced_motion = fuzz_below(&p.random, 4) == 0};
    p.instance = zo_instance_create(program, &def, NULL);
    p.pose = zo_pose_create(program, NULL);
    p.again = zo_pose_create(program, NULL);
    MUST(p.instance != NULL && p.pose != NULL && p.again != NULL);
    p.list = (zo_draw_list){.vertices = fuzz_take(bound.vertices, sizeof(zo_vertex)),
                            .vertex_capacity = bound.vertices,
                            .depths = fuzz_take(bound.depths, sizeof(zo_vertex_depth)),
                            .indices = fuzz_take(bound.indices, sizeof(uint32_t)),
                            .index_capacity = bound.indices,
                            .commands = fuzz_take(bound.commands, sizeof(zo_command)),
                            .command_capacity = bound.commands};
    p.cel_images = fuzz_take(zo_cel_count(program), sizeof *p.cel_images);
    for (uint32_t c = 0; c < zo_cel_count(program); c++) { p.cel_images[c] = fuzz_below(&p.random, 4) != 0; }
    for (size_t i = 0; i < sizeof p.picture; i++) { p.picture[i] = (uint8_t)(i % 4 == 3 ? 255 : i * 5); }
    bool quick = true;
    if (fuzz_below(&p.random, 50) == 0) { quick = fuzz_advance(&p, 86400000000000); } // a day: many passes of a short clip
    for (uint32_t turn = 0; turn < FUZZ_STEPS; turn++) {
        if (turn < 3) { fuzz_start_one(&p); }
        const int64_t step_ns = steps_ns[fuzz_below(&p.random, ZB_COUNT(steps_ns))];
        if (quick) { quick = fuzz_advance(&p, step_ns); }
        if (turn % 2 == 0) { fuzz_ask(&p); }
        if (turn % 3 == 0) { fuzz_sample(&p); }
        if (turn == 5) { zo_instance_show_next(p.instance, (zo_cel){fuzz_below(&p.random, zo_cel_count(program) + 1)}); }
    }
    free(p.cel_images);
    free(p.list.vertices);
    free(p.list.depths);
    free(p.list.indices);
    free(p.list.commands);
    zo_pose_free(p.again);
    zo_pose_free(p.pose);
    zo_instance_free(p.instance);
}

#endif
