// Golden line of machines that show poses: joints in space along curves of every kind that they have, timed by
// expressions in float and double, blended, nested and multiplied; asked for states again and again, which blend too.
// Every transform of three seconds is in the hash, and where each look found what.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#include "base/arena.h"
#include "program/build.h"

enum { JOINTS = 6, STATES = 5 };

static uint64_t state;

static double any(double low, double high) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (double)(state >> 40) / (double)(1 << 24) * (high - low);
}
static uint32_t below(uint32_t bound) { return (uint32_t)any(0, bound - 0.001); }

// Odd joints hang on the ones before them, and are given by a quaternion.
static void add_joints(zp_build *build) {
    zp_build_layer(build, &(zp_layer){0});
    for (uint32_t j = 0; j < JOINTS; j++) {
        const uint32_t first = j / 2 * (ZP_AXIS_ANGLE_COUNT + ZP_TRS3_COUNT) + (j % 2) * ZP_AXIS_ANGLE_COUNT;
        zp_target target = {.compose = j % 2 == 0 ? ZP_COMPOSE_AXIS_ANGLE : ZP_COMPOSE_TRS3, .parent_ref = j % 2 * j};
        const uint32_t count = j % 2 == 0 ? ZP_AXIS_ANGLE_COUNT : ZP_TRS3_COUNT;
        for (uint32_t s = 0; s < count; s++) {
            zp_build_channel(build, &(zp_channel){.rest = zp_slot_neutral(target.compose, s),
                                                  .low = -(double)INFINITY, .high = (double)INFINITY});
            target.slot_refs[s] = first + s + 1;
        }
        zp_build_target(build, &target);
    }
}

static uint32_t add_clip(zp_build *build) {
    const zp_clip clip = {.duration_ns = 1000000000, .duration_ns_min = 1, .duration_ns_max = 1000000000,
                          .complete_ns = 1000000000, .repeat = ZP_REPEAT_LOOP, .flags = ZP_CLIP_WRAPS};
    zp_build_clip_begin(build, &clip, (zp_span){0, 0});
    uint32_t channel = 0;
    for (uint32_t j = 0; j < JOINTS; j++) {
        const uint32_t count = j % 2 == 0 ? ZP_AXIS_ANGLE_COUNT : ZP_TRS3_COUNT;
        for (uint32_t s = 0; s < count; s++, channel++) {
            const bool turns = j % 2 == 1 && s == ZP_TRS3_ROTATION, angle = j % 2 == 0 && s == ZP_AXIS_ANGLE_ANGLE;
            if (!turns && below(3) == 0) { continue; }
            if (j % 2 == 1 && s > ZP_TRS3_ROTATION && s < ZP_TRS3_SCALE) { continue; } // moved as a whole
            double values[16], times[4];
            for (uint32_t v = 0; v < 16; v++) { values[v] = any(-1, 1) * (angle ? 400 : 1); }
            for (uint32_t k = 0; k < 4; k++) { times[k] = 0.25 * k + any(0, 0.2); }
            const bool uniform = !turns && below(2) == 0;
            zp_build_curve(build, &(zp_curve_def){
                .placement = uniform ? ZP_PLACE_UNIFORM_LOOP : ZP_PLACE_EXPLICIT, .ends = ZP_ENDS_WRAP,
                .interpolation = turns ? ZP_INTERPOLATE_SLERP : angle ? ZP_INTERPOLATE_ANGLE : ZP_INTERPOLATE_LERP,
                .arithmetic = turns ? ZP_ARITHMETIC_F64 : ZP_ARITHMETIC_F32_PRODUCT, .width = turns ? 4 : 1,
                .first_channel = channel, .key_count = 4, .times = times, .values = values});
        }
    }
    for (uint32_t e = 0; e < 3; e++) {
        const double at = any(0, 1);
        zp_build_event(build, &(zp_event){.at = at, .at_ns = (int64_t)(at * 1e9),
                                          .name = zp_build_name(build, e == 0 ? ZB_TEXT("a") : ZB_TEXT("b"))},
                       (zp_span){0, 0});
    }
    return zp_build_clip_end(build) + 1;
}

// Some operations one after another on x, of numbers and of x.
static uint32_t add_expr(zp_build *build) {
    zp_op ops[24] = {{ZP_OP_INPUT, 0}};
    uint32_t count = 1;
    while (count < 16) {
        const zp_op_code code = (zp_op_code)(ZP_OP_ADD + below(ZP_OP_BEZIER - ZP_OP_ADD + 1));
        const uint32_t more = code == ZP_OP_CLAMP || code >= ZP_OP_REPEAT ? 2 : 1;
        for (uint32_t i = 0; i < more; i++) {
            const double number = any(-3, 3);
            ops[count++] = below(3) == 0 ? (zp_op){ZP_OP_INPUT, 0}
                                         : (zp_op){ZP_OP_NUMBER, zp_build_numbers(build, &number, 1)};
        }
        ops[count++] = (zp_op){code, 0};
    }
    return zp_build_expr(build, &(zp_expr){.flags = below(2)}, ops, count);
}

static zp_program *poses_of(uint32_t number) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    add_joints(build);
    uint32_t nodes[24], count = 0;
    for (uint32_t c = 0; c < 3; c++) {
        nodes[count++] = zp_build_node(build, &(zp_node){.kind = ZP_NODE_CLIP, .clip_ref = add_clip(build)});
    }
    while (count < 24) {
        static const zp_node_kind kinds[] = {ZP_NODE_TIME, ZP_NODE_BLEND, ZP_NODE_BLEND, ZP_NODE_TRIGGER,
                                             ZP_NODE_PRODUCT};
        zp_node node = {.kind = kinds[below(5)], .a_ref = nodes[below(count)]};
        if (node.kind != ZP_NODE_PRODUCT) { node.expr_ref = add_expr(build); }
        if (node.kind == ZP_NODE_PRODUCT || node.kind == ZP_NODE_BLEND) { node.b_ref = nodes[below(count)]; }
        nodes[count++] = zp_build_node(build, &node);
    }
    const bool polls = number % 2 == 1;
    zp_build_machine(build, &(zp_machine){.routing = ZP_ROUTING_LISTED, .flags = polls ? ZP_MACHINE_TIME_F32 : 0,
                                          .commit = polls ? ZP_COMMIT_NEXT_POLL : ZP_COMMIT_AT_ONCE,
                                          .poll_ns = polls ? 50000000 : 0});
    for (uint32_t s = 0; s < STATES; s++) {
        const char text[] = {(char)('0' + s), 0};
        const zp_name name = zp_build_name(build, zb_text(text));
        zp_build_state(build, &(zp_state){.name = name, .group = name, .node_ref = nodes[23 - 4 * s]});
        for (uint32_t to = 0; to < STATES; to++) {
            zp_build_edge(build, &(zp_edge){.from_ref = s + 1, .to = to, .blend_ns = polls ? 0 : 700000000});
        }
    }
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}

uint64_t golden_poses(void) {
    uint64_t hash = GOLDEN_HASH_START;
    state = 42;
    for (uint32_t number = 0; number < 8; number++) {
        zp_program *program = poses_of(number);
        if (!program) { abort(); }
        zo_instance *instance = zo_instance_create(program, NULL, NULL);
        zo_pose *pose = zo_pose_create(program, NULL);
        for (uint32_t frame = 0; frame < 90; frame++) {
            const char text[] = {(char)('0' + below(STATES)), 0};
            if (frame % 12 == 5) { zo_instance_request(instance, text); }
            zo_event events[16];
            for (zo_step step = {.left_ns = 33333333, .more = true}; step.more || step.left_ns > 0;) {
                step = zo_instance_advance(instance, step.left_ns, events, 16);
                for (uint32_t e = 0; e < step.count; e++) {
                    hash = golden_hash(hash, &events[e].at_s, sizeof events[e].at_s);
                    hash = golden_hash(hash, events[e].name, strlen(events[e].name));
                }
            }
            zo_instance_sample(instance, pose);
            for (uint32_t t = 0; t < pose->target_count; t++) {
                for (uint32_t k = 0; k < 12; k++) { // NaN has many forms
                    const double m = pose->transforms[t].m[k], value = m == m ? m : 0.0;
                    hash = golden_hash(hash, &value, sizeof value);
                }
                hash = golden_hash(hash, &pose->at_rest[t], 1);
            }
        }
        zo_pose_free(pose);
        zo_instance_free(instance);
        zp_program_free(program);
    }
    return hash;
}
