// Looking into a program: ids that are none, names that are not there, and every figure of one that has something of
// everything.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "program/test_program.h"

static void what_is_not_there_is_none(void **state) {
    (void)state;
    zo_program *p = test_program();
    zo_clip_info clip;
    zo_channel_info channel;
    zo_param_info param;
    zo_cel_info cel;
    zo_clip_event_info event;
    static const uint32_t ids[] = {0, 1000, UINT32_MAX};
    for (size_t i = 0; i < 3; ++i) {
        assert_false(zo_clip_get(p, (zo_clip){ids[i]}, &clip));
        assert_false(zo_channel_get(p, (zo_channel){ids[i]}, &channel));
        assert_false(zo_param_get(p, (zo_param){ids[i]}, &param));
        assert_false(zo_cel_get(p, (zo_cel){ids[i]}, &cel));
        assert_false(zo_clip_event_get(p, (zo_clip){ids[i]}, 0, &event));
        assert_string_equal(zo_target_name(p, (zo_target){ids[i]}), "");
        assert_false(zo_clip_drives(p, (zo_clip){ids[i]}, (zo_channel){1}));
        assert_false(zo_clip_drives(p, (zo_clip){1}, (zo_channel){ids[i]}));
    }
    assert_false(zo_clip_event_get(p, (zo_clip){1}, 4, &event));
    assert_false(zo_clip_event_get(p, (zo_clip){2}, 0, &event));
    assert_int_equal(zo_clip_find(p, "nobody").id, 0);
    assert_int_equal(zo_clip_find(p, NULL).id, 0);
    assert_int_equal(zo_clip_find(p, "").id, 0);
    assert_int_equal(zo_channel_find(p, "body").id, 0); // a layer's name
    assert_int_equal(zo_param_find(p, "STRENGTH").id, 0);
    assert_int_equal(zo_target_find(p, "sprite").id, 0);
    assert_int_equal(zo_cel_find(p, "idl").id, 0);
    zo_program_free(p);
}

static void figures_are_those_of_the_source(void **state) {
    (void)state;
    zo_program *p = test_program();
    assert_string_equal(zo_program_format(p), "sample");
    assert_int_equal(zo_program_profile(p), ZO_PROFILE_ORIGINAL);
    assert_int_equal(zo_clip_count(p), 5);
    assert_int_equal(zo_channel_count(p), 7);
    assert_int_equal(zo_param_count(p), 3);
    assert_int_equal(zo_target_count(p), 2);
    assert_int_equal(zo_cel_count(p), 2);

    zo_clip_info clip;
    const zo_clip bounce = zo_clip_find(p, "demo:bounce");
    assert_true(zo_clip_get(p, bounce, &clip));
    assert_string_equal(clip.name, "demo:bounce");
    assert_string_equal(clip.label, "a label.");
    assert_int_equal(clip.duration_ns, 260000000);
    assert_int_equal(clip.repeat, ZO_REPEAT_ONCE);
    assert_int_equal(clip.time_unit, ZO_TIME_FRACTION);
    assert_int_equal(clip.curve_count, 3); // two of them are stored as one
    assert_int_equal(clip.key_count, 9);
    assert_int_equal(clip.event_count, 4);
    assert_int_equal(clip.param_count, 1);
    assert_int_equal(clip.first_param.id, zo_param_find(p, "strength").id);
    assert_int_equal(clip.reduced.id, zo_clip_find(p, "demo:bounce~still").id);
    assert_true(clip.delay_ms_max == 0.0);

    assert_true(zo_clip_get(p, zo_clip_find(p, "demo:blink"), &clip));
    assert_true(clip.delay_ms_min == 1500.0);
    assert_true(clip.delay_ms_max == 4000.5);
    assert_int_equal(clip.reduced.id, 0);

    zo_param_info param;
    assert_true(zo_param_get(p, zo_param_find(p, "depth"), &param));
    assert_true(param.value == 0.5 && param.low == 0.0 && param.high == 1.0);
    assert_int_equal(param.clip.id, 3);

    zo_cel_info cel;
    assert_true(zo_cel_get(p, zo_cel_find(p, "idle"), &cel));
    assert_true(cel.anchor_x == 0.5 && cel.anchor_y == 0.96 && cel.zoom == 1.0);
    assert_string_equal(zo_target_name(p, zo_target_find(p, "body")), "body");
    zo_program_free(p);
}

static void events_tell_their_arguments(void **state) {
    (void)state;
    static const char text[] =
        "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"a:enemy-animation/b\",\"enemy\":\"a:enemy/b\","
        "\"displayName\":\"B\",\"durationSeconds\":1,\"frameRate\":30,\"loop\":false,\"tracks\":[{\"target\":"
        "\"bone/hip/arm\",\"property\":\"position.x\",\"keys\":[{\"time\":0,\"value\":1,\"inTangent\":null,"
        "\"outTangent\":null}]}],\"events\":[{\"time\":0.5,\"type\":\"impulse\",\"x\":2},{\"time\":0.5,\"type\":"
        "\"cue\",\"cue\":\"step\",\"amount\":null}]}";
    const zo_source source = {.name = "b.json", .bytes = text, .size = sizeof text - 1};
    zo_program *p = NULL;
    assert_int_equal(zo_compile(&source, 1, NULL, &p, NULL), ZO_OK);
    zo_clip_event_info event;
    zo_argument_info argument;
    assert_true(zo_clip_event_get(p, (zo_clip){1}, 0, &event));
    assert_int_equal(event.argument_count, 3);
    assert_true(zo_clip_event_argument_get(p, (zo_clip){1}, 0, 0, &argument));
    assert_string_equal(argument.name, "x");
    assert_true(argument.kind == ZO_ARGUMENT_NUMBER && argument.number == 2.0 && *argument.text == 0);
    assert_true(zo_clip_event_argument_get(p, (zo_clip){1}, 0, 2, &argument)); // left out: its default
    assert_string_equal(argument.name, "relativeToFacing");
    assert_true(argument.kind == ZO_ARGUMENT_FLAG && argument.number == 1.0);
    assert_true(zo_clip_event_get(p, (zo_clip){1}, 1, &event));
    assert_int_equal(event.argument_count, 1);
    assert_true(zo_clip_event_argument_get(p, (zo_clip){1}, 1, 0, &argument));
    assert_string_equal(argument.text, "step");
    assert_false(zo_clip_event_argument_get(p, (zo_clip){1}, 1, 1, &argument));
    assert_false(zo_clip_event_argument_get(p, (zo_clip){1}, 2, 0, &argument));
    assert_false(zo_clip_event_argument_get(p, (zo_clip){2}, 0, 0, &argument));
    const zo_target arm = zo_target_find(p, "bone/hip/arm");
    assert_int_equal(zo_target_parent(p, arm).id, zo_target_find(p, "bone/hip").id);
    assert_int_equal(zo_target_parent(p, zo_target_parent(p, arm)).id, 0);
    assert_int_equal(zo_target_parent(p, (zo_target){99}).id, 0);
    double stage[4];
    zo_program_stage(p, stage);
    assert_true(stage[1] > stage[3]); // y up
    zo_program_free(p);
}

static void the_stage_is_that_of_the_source(void **state) {
    (void)state;
    zo_program *p = test_program();
    double stage[4];
    zo_program_stage(p, stage);
    assert_true(stage[0] == 0 && stage[1] == 0 && stage[2] == 160 && stage[3] == 160);
    zo_program_free(p);
}

static void channels_know_who_moves_them(void **state) {
    (void)state;
    zo_program *p = test_program();
    zo_channel_info channel;
    const zo_clip bounce = zo_clip_find(p, "demo:bounce");
    assert_true(zo_channel_get(p, zo_channel_find(p, "body.scaleY"), &channel));
    assert_string_equal(channel.unit, "factor");
    assert_true(channel.rest == 1.0);
    assert_true(channel.used);
    assert_false(channel.is_index);
    assert_true(zo_channel_get(p, zo_channel_find(p, "picture"), &channel));
    assert_true(channel.is_index);
    static const struct { const char *name; bool driven; } channels[] = {
        {"body.x", true}, {"body.y", false}, {"body.scaleX", true}, {"body.scaleY", true}, {"body.opacity", false},
        {"picture", false}, {"sway.rotation", false},
    };
    for (size_t i = 0; i < sizeof channels / sizeof *channels; ++i) {
        assert_int_equal(zo_clip_drives(p, bounce, zo_channel_find(p, channels[i].name)), channels[i].driven);
    }
    zo_program_free(p);
}

static void events_are_named_by_what_they_show(void **state) {
    (void)state;
    zo_program *p = test_program();
    static const struct { double at; int64_t at_ns; zo_action action; const char *name; } events[] = {
        {0.4, 104000000, ZO_ACTION_SHOW_CEL, "wink \xE2\x98\x83"},
        {0.4, 104000000, ZO_ACTION_SHOW_CEL, ""},
        {0.5, 130000000, ZO_ACTION_START_EFFECT, "confetti"},
        {1.0, 260000000, ZO_ACTION_NOTIFY, "landed"},
    };
    for (uint32_t i = 0; i < 4; ++i) {
        zo_clip_event_info event;
        assert_true(zo_clip_event_get(p, (zo_clip){1}, i, &event));
        assert_true(event.at == events[i].at);
        assert_int_equal(event.at_ns, events[i].at_ns);
        assert_int_equal(event.action, events[i].action);
        assert_string_equal(event.name, events[i].name);
    }
    zo_program_free(p);
}

static void poses_are_told_node_by_node_and_expressions_operation_by_operation(void **state) {
    (void)state;
    zo_program *p = test_poses_program(), *plain = test_program();
    zo_node_info node;
    zo_op op;
    zo_posing_info posing;
    zo_state_info open;
    assert_false(zo_posing_get(plain, &posing));
    assert_int_equal(zo_node_count(plain), 0);
    assert_false(zo_node_get(plain, (zo_node){1}, &node));
    zo_program_free(plain);
    assert_true(zo_posing_get(p, &posing));
    assert_true(!posing.looks && posing.time_f32 && posing.look_ns == 0);
    assert_true(zo_state_get(p, (zo_state){3}, &open));
    assert_true(zo_node_get(p, open.node, &node));
    assert_int_equal(node.kind, ZO_NODE_BLEND);
    assert_true(node.a.id != 0 && node.a.id < open.node.id && node.b.id != 0 && node.b.id < open.node.id);
    assert_int_equal(node.expr.id, zo_expr_count(p));
    assert_string_equal(node.name, "");
    assert_true(zo_node_get(p, node.b, &node));
    assert_int_equal(node.kind, ZO_NODE_PRODUCT);
    const zo_node broken = node.b;
    assert_true(zo_node_get(p, node.a, &node));
    assert_int_equal(node.kind, ZO_NODE_TRIGGER);
    assert_string_equal(node.name, "up");
    assert_string_equal(node.event, "shut");
    assert_int_equal(node.action, ZO_ACTION_REQUEST_STATE);
    assert_int_equal(node.fault, ZO_FAULT_NONE);
    assert_true(zo_node_get(p, broken, &node));
    assert_int_equal(node.kind, ZO_NODE_FAULT);
    assert_int_equal(node.fault, ZO_FAULT_UNRESOLVED_CLIP);
    assert_int_equal(node.action, ZO_ACTION_NOTIFY); // a fault's own word is no action
    uint32_t clips = 0;
    for (uint32_t n = 1; zo_node_get(p, (zo_node){n}, &node); ++n) {
        clips += node.kind == ZO_NODE_CLIP;
        assert_int_equal(node.clip.id != 0, node.kind == ZO_NODE_CLIP);
    }
    assert_int_equal(clips, 2);
    assert_false(zo_node_get(p, (zo_node){0}, &node));
    assert_false(zo_node_get(p, (zo_node){zo_node_count(p) + 1}, &node));

    static const zo_op_code timed[] = {ZO_OP_INPUT, ZO_OP_CONTROL, ZO_OP_INPUT, ZO_OP_CONTROL, ZO_OP_DIV};
    const zo_expr by = zo_expr_find(p, "by"), all = {zo_expr_count(p)};
    for (uint32_t i = 0; i < 5; ++i) {
        assert_true(zo_expr_op_get(p, by, i, &op));
        assert_int_equal(op.code, timed[i]);
    }
    assert_false(zo_expr_op_get(p, by, 5, &op));
    assert_false(zo_expr_op_get(p, (zo_expr){0}, 0, &op));
    assert_true(zo_expr_op_get(p, by, 3, &op));
    assert_int_equal(op.control.id, zo_param_find(p, "len").id);
    assert_true(zo_expr_op_get(p, all, 1, &op));
    assert_int_equal(op.code, ZO_OP_CALL);
    assert_int_equal(op.expr.id, by.id);
    assert_true(zo_expr_op_get(p, all, 2, &op));
    assert_true(op.code == ZO_OP_NUMBER && op.number == 0.5);
    uint32_t last = 0;
    while (zo_expr_op_get(p, all, last + 1, &op)) { ++last; }
    assert_true(zo_expr_op_get(p, all, last, &op));
    assert_true(op.code == ZO_OP_FAULT && op.fault == ZO_FAULT_MISSING_OPERAND);
    zo_program_free(p);
}

static void meshes_tell_what_moves_them_and_what_their_textures_follow(void **state) {
    (void)state;
    zo_program *p = test_mesh_program();
    zo_mesh_weight weight;
    zo_mesh_binding binding;
    const zo_mesh lid = zo_mesh_find(p, "lid"), sail = zo_mesh_find(p, "sail");
    assert_false(zo_mesh_weight_get(p, lid, 0, 0, &weight)); // nothing moves it
    assert_true(zo_mesh_weight_get(p, lid, 2, 0, &weight));
    assert_int_equal(weight.target.id, zo_target_find(p, "hinge").id);
    assert_true(weight.weight == 0.75);
    assert_false(zo_mesh_weight_get(p, lid, 2, 1, &weight));
    assert_true(zo_mesh_weight_get(p, lid, 5, 1, &weight));
    assert_true(weight.weight == 0.5);
    assert_false(zo_mesh_weight_get(p, lid, 6, 0, &weight));
    assert_false(zo_mesh_weight_get(p, sail, 0, 0, &weight));
    assert_false(zo_mesh_weight_get(p, (zo_mesh){3}, 0, 0, &weight));
    assert_true(zo_mesh_binding_get(p, lid, 0, &binding));
    assert_int_equal(binding.vertex, 4);
    assert_int_equal(binding.component, 1);
    assert_int_equal(binding.control.id, zo_param_find(p, "progress").id);
    assert_true(binding.scale == 0.0625);
    assert_false(zo_mesh_binding_get(p, lid, 1, &binding));
    assert_false(zo_mesh_binding_get(p, sail, 0, &binding)); // the lid's is the lid's alone
    assert_false(zo_mesh_binding_get(p, (zo_mesh){0}, 0, &binding));
    zo_program_free(p);
}

typedef struct sink {
    size_t size;
    uint32_t calls;
    bool full;
} sink;

static bool write_to_sink(void *context, const void *bytes, size_t size) {
    sink *out = context;
    assert_non_null(bytes);
    out->size += size;
    out->calls++;
    return !out->full;
}

static void the_listing_goes_to_the_writer_and_a_full_one_is_told(void **state) {
    (void)state;
    zo_program *p = test_program();
    sink out = {0};
    assert_true(zo_program_dump(p, write_to_sink, &out));
    assert_true(out.size > 1000);
    sink full = {.full = true};
    assert_false(zo_program_dump(p, write_to_sink, &full));
    assert_int_equal(full.calls, 1);
    zo_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_none),
        cmocka_unit_test(figures_are_those_of_the_source),
        cmocka_unit_test(the_stage_is_that_of_the_source),
        cmocka_unit_test(events_tell_their_arguments),
        cmocka_unit_test(channels_know_who_moves_them),
        cmocka_unit_test(events_are_named_by_what_they_show),
        cmocka_unit_test(poses_are_told_node_by_node_and_expressions_operation_by_operation),
        cmocka_unit_test(meshes_tell_what_moves_them_and_what_their_textures_follow),
        cmocka_unit_test(the_listing_goes_to_the_writer_and_a_full_one_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
