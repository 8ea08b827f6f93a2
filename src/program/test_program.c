// A program that has something of everything: two layers of numbers and one of an index; clips that run once, loop,
// alternate, wait and step; shared, joined, scaled, inserted and wrapped curves; events with arguments; a twin; two
// machines, and a director of the second.
#include "test_program.h"

#include <math.h>

#define MS INT64_C(1000000)

static const zp_span nowhere = {0, 0};

static zp_name name(zp_build *build, const char *text) { return zp_build_name(build, zb_text(text)); }

static void feed_channels(zp_build *build) {
    const double none = HUGE_VAL;
    zp_build_layer(build, &(zp_layer){.name = name(build, "body")});
    zp_build_layer(build, &(zp_layer){.name = name(build, "picture")});
    zp_build_layer(build, &(zp_layer){.name = name(build, "sway")});
    static const struct { const char *name, *unit; uint32_t layer; double rest; uint32_t mix, is_index; } channels[] = {
        {"body.x", "px", 0, 0.0, ZP_MIX_ADD, 0},         {"body.y", "px", 0, 0.0, ZP_MIX_ADD, 0},
        {"body.scaleX", "factor", 0, 1.0, ZP_MIX_MULTIPLY, 0}, {"body.scaleY", "factor", 0, 1.0, ZP_MIX_MULTIPLY, 0},
        {"body.opacity", "ratio", 0, 1.0, ZP_MIX_MULTIPLY, 0}, {"picture", "picture", 1, 0.0, ZP_MIX_REPLACE, 1},
        {"sway.rotation", "deg", 2, 0.0, ZP_MIX_ADD, 0},
    };
    for (size_t i = 0; i < ZB_COUNT(channels); ++i) {
        const bool is_ratio = i == 4;
        zp_build_channel(build, &(zp_channel){
            .name = name(build, channels[i].name), .unit = name(build, channels[i].unit), .layer = channels[i].layer,
            .mix = channels[i].mix, .rest = channels[i].rest, .is_index = channels[i].is_index,
            .low = is_ratio ? 0.0 : -none, .high = is_ratio ? 1.0 : none});
    }
}

static void feed_pictures(zp_build *build) {
    zp_build_image(build, &(zp_image){.name = name(build, "idle.png"), .width = 64, .height = 48});
    zp_build_image(build, &(zp_image){.name = name(build, "wink.png")});
    zp_build_cel(build, &(zp_cel){.name = name(build, "idle"), .image_ref = 1, .size_rule = ZP_SIZE_FIT_BOX,
                                  .anchor = {0.5, 0.96}, .scale = 1.0}, (zp_span){10, 5});
    zp_build_cel(build, &(zp_cel){.name = name(build, "wink \xE2\x98\x83"), .image_ref = 2, .anchor = {0.5, 1.0},
                                  .scale = 2.0, .region = {0.0, 0.0, 16.0, 16.0}}, (zp_span){20, 6});
    zp_build_target(build, &(zp_target){.name = name(build, "root"), .compose = ZP_COMPOSE_NONE});
    zp_build_target(build, &(zp_target){.name = name(build, "body"), .parent_ref = 1, .compose = ZP_COMPOSE_TRS2,
                                        .slot_refs = {1, 2, 7, 3, 4, 5}, .constant = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0},
                                        .pivot = {80.0, 144.0}});
    zp_build_sprite(build, &(zp_sprite){.name = name(build, "sprite"), .target = 1, .channel_ref = 6, .cel_ref = 1,
                                        .box = {160.0, 160.0}, .origin = {80.0, 144.0}, .layer = -1, .order = 2});
    zp_build_stage(build, 0.0, 0.0, 160.0, 160.0);
}

// Strips are listed twice; two ways with one path.
static void feed_effects(zp_build *build) {
    const double points[] = {0.5, 0.0, 1.0, 0.5, 0.5, 1.0, 0.0, 0.5};
    const zp_shape shapes[] = {
        {.name = name(build, "strip"), .outline = ZP_OUTLINE_ROUNDED, .aspect = 1.9, .corner = 1.5},
        {.name = name(build, "strip"), .outline = ZP_OUTLINE_ROUNDED, .aspect = 1.9, .corner = 1.5},
        {.name = name(build, "dot"), .outline = ZP_OUTLINE_ELLIPSE, .aspect = 1.0},
        {.name = name(build, "rhombus"), .outline = ZP_OUTLINE_POLYGON, .aspect = 1.5,
         .points = zp_build_numbers(build, points, 8), .point_count = 4},
    };
    const double keys[] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.7, 0.7, 0.0, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    const double colours[] = {1.0, 0.5, 0.25, 1.0, 0.0, 0.0, 1.0, 0.5};
    zp_effect effect = {
        .name = name(build, "confetti"), .target = 1, .flags = ZP_EFFECT_ROUND_SIZE | ZP_EFFECT_ROUND_KEYS,
        .origin = {80.0, 80.0}, .order = 3, .burst_count = 22, .burst_max = 24, .alive_max = 96,
        .easing_ref = zp_build_easing(build, 0.42, 0.0, 0.58, 1.0) + 1,
        .keys = zp_build_numbers(build, keys, 15), .key_count = 3,
        .colours = zp_build_numbers(build, colours, 8), .colour_count = 2,
        .shapes = zp_build_shapes(build, shapes, 4), .shape_count = 4,
        .size = {5.0, 8.0}, .travel = {46.0, 92.0}, .spin = {140.0, 320.0}, .life = {620.0, 980.0},
        .life_unit_ns = MS, .fall = 26.0,
    };
    zp_build_effect(build, &effect);
    effect.name = name(build, "drops");
    effect.flags = 0;
    effect.easing_ref = 0;
    effect.shapes += 2;
    effect.shape_count = 1;
    zp_build_effect(build, &effect);
}

// One of each kind that moves step by step; the particles have something of everything.
static void feed_emitters(zp_build *build) {
    const double rise[] = {0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, sink[] = {0.0, 1.0, -1.0, -1.0, 1.0, 0.0, -1.0, -1.0};
    const double fade[] = {0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    const zp_minmax range = {.mode = ZP_MINMAX_TWO_CONSTANTS, .constant_min = 0.5, .constant_max = 1.5};
    const zp_minmax two = {.mode = ZP_MINMAX_TWO_CURVES, .min_count = 2, .max_count = 2, .multiplier = 2.0,
                           .min_keys = zp_build_numbers(build, rise, 8), .max_keys = zp_build_numbers(build, sink, 8)};
    const zp_gradient over = {.mode = ZP_GRADIENT_GRADIENT, .max_count = 2, .max_keys = zp_build_numbers(build, fade, 10)};
    const zp_burst bursts[] = {{.time = 0.25, .interval = 0.5, .probability = 0.75, .count_min = 2, .count_max = 4,
                                .cycle_count = 2}};
    const uint32_t range_ref = zp_build_minmax(build, &range) + 1, two_ref = zp_build_minmax(build, &two) + 1;
    zp_emitter emitter = {
        .flags = ZP_EMITTER_LOOPS | ZP_EMITTER_ONE_SIZE | ZP_EMITTER_ONE_NOISE | ZP_EMITTER_SHEET_MOVES,
        .particles_max = 100, .duration_ns = 1000 * MS, .end_ns = -1, .place = {1.0, 2.0, 0.0},
        .turn = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, .scale = {1.0, 1.0, 1.0}, .pull = {0.0, -9.81, 0.0},
        .birthplace = ZP_BIRTH_CONE, .radius = 0.5, .angle = 25.0, .first_burst = zp_build_bursts(build, bursts, 1),
        .burst_count = 1, .rate_ref = range_ref, .way_ref = range_ref, .life_ref = range_ref, .speed_ref = range_ref,
        .size_ref = range_ref, .gravity_ref = two_ref, .velocity_refs = {two_ref, range_ref, 0}, .spin_ref = two_ref,
        .spin_axis = 2, .size_refs = {two_ref, 0}, .over_ref = zp_build_gradient(build, &over) + 1,
        .noise_refs = {range_ref, 0, 0}, .noise_dimensions = 2, .noise_octaves = 2, .noise_frequency = 0.5,
        .noise_gain = 0.5, .noise_lacunarity = 2.0, .columns = 4, .rows = 2, .cycles = 3, .frame_ref = two_ref,
    };
    zp_effect effect = {.name = name(build, "sparks"), .motion = ZP_MOTION_INTEGRATED, .target = 1, .cel_ref = 1, .order = 4,
                        .emitter_ref = zp_build_emitter(build, &emitter) + 1};
    zp_build_effect(build, &effect);

    const double colours[] = {1.0, 0.5, 0.25, 1.0, 0.0, 0.0, 1.0, 0.0};
    effect.colours = zp_build_numbers(build, colours, 8);
    zp_emitter other = {.duration_ns = 500 * MS, .end_ns = 500 * MS, .turn = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                        .scale = {1.0, 1.0, 1.0}, .columns = 2, .rows = 1};
    other.radius = 3.0;
    other.inner = 1.0;
    other.intensity = 0.5;
    effect.name = name(build, "glow");
    effect.kind = ZP_EFFECT_LIGHT;
    effect.blend = ZP_EFFECT_ADD;
    effect.cel_ref = 0;
    effect.colour_count = 1;
    effect.emitter_ref = zp_build_emitter(build, &other) + 1;
    zp_build_effect(build, &effect);
    other.radius = other.inner = other.intensity = 0.0;
    other.width = 0.5;
    other.apart = 0.02;
    other.point_ns = 250 * MS;
    effect.name = name(build, "trail");
    effect.kind = ZP_EFFECT_TRAIL;
    effect.blend = ZP_EFFECT_OVER;
    effect.colour_count = 2;
    effect.emitter_ref = zp_build_emitter(build, &other) + 1;
    zp_build_effect(build, &effect);
    other.width = other.apart = 0.0;
    other.point_ns = 0;
    other.pixel = 0.03125;
    other.frame = 1;
    effect.name = name(build, "crack");
    effect.kind = ZP_EFFECT_DECAL;
    effect.cel_ref = 2;
    effect.colour_count = 1;
    effect.emitter_ref = zp_build_emitter(build, &other) + 1;
    zp_build_effect(build, &effect);
}

static zp_clip clip_of(zp_build *build, const char *id, zp_repeat repeat, int64_t duration_ns) {
    return (zp_clip){
        .name = name(build, id), .label = name(build, "a label."), .kind = name(build, "kind"), .repeat = repeat,
        .duration_ns = duration_ns, .duration_ns_min = 60 * MS, .duration_ns_max = 2000 * MS,
        .complete_ns = duration_ns,
    };
}

// Scale X and Y share everything and become one curve; x has a parameter; an event of each kind; one without a name.
static void feed_bounce(zp_build *build) {
    zp_clip clip = clip_of(build, "demo:bounce", ZP_REPEAT_ONCE, 260 * MS);
    clip.flags = ZP_CLIP_SEGMENTED | ZP_CLIP_NO_ALTERNATE;
    zp_build_clip_begin(build, &clip, (zp_span){100, 400});
    zp_build_param(build, &(zp_param){.name = name(build, "strength"), .value = 1.0, .low = 0.0, .high = 3.0},
                   (zp_span){110, 4});
    zp_build_event(build, &(zp_event){.at = 1.0, .at_ns = 260 * MS, .action = ZP_ACTION_NOTIFY,
                                      .name = name(build, "landed")}, (zp_span){330, 4});
    zp_build_argument(build, &(zp_argument){.name = name(build, "force"), .number = 2.5});
    zp_build_argument(build, &(zp_argument){.name = name(build, "ground"), .kind = ZP_ARGUMENT_TEXT,
                                            .text = name(build, "sand")});
    zp_build_event(build, &(zp_event){.at = 0.4, .at_ns = 104 * MS, .action = ZP_ACTION_SHOW_CEL, .subject_ref = 2},
                   (zp_span){300, 4});
    zp_build_event(build, &(zp_event){.at = 0.4, .at_ns = 104 * MS, .action = ZP_ACTION_SHOW_CEL}, nowhere);
    zp_build_event(build, &(zp_event){.at = 0.5, .at_ns = 130 * MS, .action = ZP_ACTION_START_EFFECT,
                                      .subject_ref = 1, .name = name(build, "confetti")}, nowhere);

    const uint32_t ease = zp_build_easing(build, 0.42, 0.0, 0.58, 1.0);
    const uint32_t over = zp_build_easing(build, 0.34, 1.56, 0.64, 1.0);
    const zp_interval intervals[] = {
        {ZP_INTERPOLATE_EASE, ease}, {ZP_INTERPOLATE_EASE, over}, {ZP_INTERPOLATE_LERP, 0}};
    const double times[] = {0.0, 0.4, 1.0};
    const double scale_x[] = {1.0, 1.3, 1.0}, scale_y[] = {1.0, 0.7, 1.0};
    zp_curve_def def = {.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 1, .key_count = 3, .times = times,
                        .intervals = intervals};
    def.first_channel = 3;
    def.values = scale_y;
    def.source = (zp_span){220, 10};
    zp_build_curve(build, &def);
    def.first_channel = 2;
    def.values = scale_x;
    def.source = (zp_span){200, 10};
    zp_build_curve(build, &def);
    const double x[] = {0.0, 10.0, 0.0}, x_scale[] = {0.0, 4.0, 0.0};
    def.first_channel = 0;
    def.values = x;
    def.scales = x_scale;
    zp_build_curve(build, &def);
    zp_build_clip_end(build);
}

// The twin: one key. It has the clip's parameter but no use for it.
static void feed_still(zp_build *build) {
    const zp_clip clip = clip_of(build, "demo:bounce~still", ZP_REPEAT_HOLD, 120 * MS);
    const double times[] = {0.0}, values[] = {1.0};
    zp_build_clip_begin(build, &clip, nowhere);
    zp_build_param(build, &(zp_param){.name = name(build, "strength"), .value = 1.0, .low = 0.0, .high = 3.0}, nowhere);
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .first_channel = 4,
                                          .key_count = 1, .times = times, .values = values});
    zp_build_clip_end(build);
}

// Waits; an inserted key; a held index with its instants.
static void feed_blink(zp_build *build) {
    zp_clip clip = clip_of(build, "demo:blink", ZP_REPEAT_RANDOM_INTERVAL, 100 * MS);
    clip.delay_min = 1500.0;
    clip.delay_max = 4000.5;
    clip.delay_unit_ns = MS;
    clip.mix_ref = zp_build_mix_group(build) + 1;
    zp_build_clip_begin(build, &clip, nowhere);
    zp_build_param(build, &(zp_param){.name = name(build, "depth"), .value = 0.5, .low = 0.0, .high = 1.0}, nowhere);
    const double times[] = {0.0, 0.25, 1.0};
    const int64_t instants[] = {0, 25 * MS, 100 * MS};
    const double cels[] = {1.0, 2.0, 1.0};
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_HOLD, .arithmetic = ZP_ARITHMETIC_INDEX,
                                          .width = 1, .first_channel = 5, .key_count = 3, .times = times,
                                          .instants = instants, .values = cels});
    const zp_insert inserts[] = {{0.0, 0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, -20.0, 0.75}, {0.0, -20.0, 0.0, 0.0, 0.0}};
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .width = 1, .first_channel = 6,
                                          .key_count = 3, .times = times, .inserts = inserts});
    zp_build_clip_end(build);
}

// In seconds and alternating; float arithmetic over uniform keys, a step, a wrapped curve that is rounded.
static void feed_machine(zp_build *build) {
    zp_clip clip = clip_of(build, "demo:machine", ZP_REPEAT_ALTERNATE, 1500 * MS);
    clip.time_unit = ZP_TIME_SECONDS;
    zp_build_clip_begin(build, &clip, nowhere);
    const double four[] = {0.0, 90.0, 180.0, 270.0}, steps[] = {1.0, 2.0, 2.0}, wrapped[] = {0.5, 1.5, 2.5};
    zp_build_curve(build, &(zp_curve_def){.placement = ZP_PLACE_UNIFORM_LOOP, .interpolation = ZP_INTERPOLATE_LERP,
                                          .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .ends = ZP_ENDS_WRAP, .width = 1,
                                          .first_channel = 6, .key_count = 4, .values = four});
    zp_build_curve(build, &(zp_curve_def){.placement = ZP_PLACE_STEP_NS, .interpolation = ZP_INTERPOLATE_HOLD,
                                          .arithmetic = ZP_ARITHMETIC_INDEX, .width = 1, .first_channel = 5,
                                          .key_count = 3, .values = steps, .step_ns = 41666666});
    const double times[] = {0.1, 0.5, 1.25};
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_LERP, .ends = ZP_ENDS_WRAP,
                                          .finish = ZP_FINISH_ROUND_HALF_EVEN, .width = 1, .first_channel = 1,
                                          .key_count = 3, .times = times, .values = wrapped});
    zp_build_clip_end(build);
}

// No curve, hence complete at 0; it goes on for ever because it has something to tell.
static void feed_ticker(zp_build *build) {
    zp_clip clip = clip_of(build, "demo:ticker", ZP_REPEAT_LOOP, 500 * MS);
    clip.complete_ns = 0;
    zp_build_clip_begin(build, &clip, nowhere);
    zp_build_event(build, &(zp_event){.at = 0.0, .action = ZP_ACTION_REQUEST_STATE, .name = name(build, "tick")},
                   nowhere);
    zp_build_clip_end(build);
}

static uint32_t later(zp_build *build, zp_play play) { // play + 1
    play.flags |= ZP_PLAY_LATER;
    return zp_build_play(build, &play) + 1;
}

// One that nothing drives, so that the other's states and edges are not the first.
static void feed_lamp(zp_build *build) {
    zp_build_machine(build, &(zp_machine){.name = name(build, "lamp"), .commit = ZP_COMMIT_AT_EVENT});
    zp_build_state(build, &(zp_state){.name = name(build, "dark")});
    zp_build_edge(build, &(zp_edge){.to = 0});
}

// Rest and work, which is two states of one group, and an end that lasts a while; lanes, enters with and without, clicks.
static void feed_director(zp_build *build) {
    zp_build_machine(build, &(zp_machine){.name = name(build, "pet"), .commit = ZP_COMMIT_AT_EVENT, .start = 1});
    const double strength = 0.5;
    const uint32_t blink = later(build, (zp_play){.clip = 2, .cel_ref = 1, .mix_ref = zp_build_mix_group(build) + 1});
    const uint32_t slow = later(build, (zp_play){.clip = 0, .cel_ref = 2, .duration_ns = 500 * MS,
                                                 .first_value = zp_build_numbers(build, &strength, 1), .value_count = 1});
    const uint32_t waits = later(build, (zp_play){.clip = 0, .flags = ZP_PLAY_REPEAT, .delay_max = 20.0,
                                                  .repeat = ZP_REPEAT_RANDOM_INTERVAL, .delay_min = 10.5});
    zp_state state = {.name = name(build, "idle"), .cel_ref = 1};
    state.first_play = zp_build_words(build, (const uint32_t[]){blink, 0}, 2);
    state.play_count = 2;
    zp_build_state(build, &state);
    state.name = name(build, "thinking");
    state.group = name(build, "active");
    state.activity = name(build, "thought");
    state.first_play = zp_build_words(build, (const uint32_t[]){0, waits}, 2);
    zp_build_state(build, &state);
    state.name = name(build, "working");
    state.cel_ref = 2;
    zp_build_state(build, &state);
    zp_build_state(build, &(zp_state){.name = name(build, "done")});
    for (uint32_t to = 1; to <= 4; ++to) {
        zp_build_edge(build, &(zp_edge){.to = to, .enter_ref = to % 2 == 0 ? slow : 0});
    }
    zp_build_edge(build, &(zp_edge){.from_ref = 2, .to = 4, .when = ZP_WHEN_COMPLETE});
    zp_build_director(build, &(zp_director){
        .machine = 1, .swap = ZP_SWAP_PLAY, .swap_play_ref = slow, .click_play_ref = waits, .click_cel_ref = 2,
        .flags = ZP_DIRECTOR_KEEP_SLOT | ZP_DIRECTOR_CLICK_SWAPS | ZP_DIRECTOR_EFFECTS, .quiet_ns = 100 * MS,
        .patience_ns = 400 * MS});
    static const zp_slot slots[] = {{0, 0, 0, -1}, {1, 0, 0, 9000 * MS}, {2, ZP_SLOT_OVERTAKES, 0, -1},
                                    {3, ZP_SLOT_ENDS, 1500 * MS, 0}};
    for (size_t i = 0; i < ZB_COUNT(slots); ++i) { zp_build_slot(build, &slots[i]); }
    zp_build_signal(build, &(zp_signal){.type = name(build, "tool"), .tool = name(build, "edit"),
                                        .activity = name(build, "coding"), .state_ref = 4});
    zp_build_signal(build, &(zp_signal){.type = name(build, "tool"), .state_ref = 4});
    zp_build_signal(build, &(zp_signal){.type = name(build, "over")});
    zp_build_fallbacks(build, 1, (const uint32_t[]){0}, 1);
}

void test_program_feed(zp_build *build) {
    zp_build_format(build, ZB_TEXT("sample"), 1);
    feed_channels(build);
    feed_pictures(build);
    feed_effects(build);
    feed_emitters(build);
    feed_bounce(build);
    feed_still(build);
    feed_blink(build);
    feed_machine(build);
    feed_ticker(build);
    zp_build_reduced(build, 0, 1);
    zp_build_play(build, &(zp_play){.clip = 2, .cel_ref = 1});
    zp_build_play(build, &(zp_play){.clip = 4});
    feed_lamp(build);
    feed_director(build);
}

static uint32_t add_book(zp_build *build, const char *text, zp_repeat repeat, uint32_t count, int64_t step_ns) {
    zp_clip clip = clip_of(build, text, repeat, count * step_ns);
    clip.duration_ns_min = clip.duration_ns_max = clip.duration_ns;
    clip.time_unit = ZP_TIME_SECONDS;
    const double cels[] = {1.0, 2.0, 1.0, 2.0};
    zp_build_clip_begin(build, &clip, nowhere);
    zp_build_curve(build, &(zp_curve_def){.placement = ZP_PLACE_STEP_NS, .interpolation = ZP_INTERPOLATE_HOLD,
                                          .arithmetic = ZP_ARITHMETIC_INDEX, .width = 1, .first_channel = 5,
                                          .key_count = count, .values = cels, .step_ns = step_ns});
    const uint32_t play_ref = later(build, (zp_play){.clip = zp_build_clip_end(build)});
    return zp_build_words(build, &play_ref, 1);
}

zp_program *test_graph_program(void) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_format(build, ZB_TEXT("graph"), 0);
    feed_channels(build);
    feed_pictures(build);
    const uint32_t rest = add_book(build, "rest", ZP_REPEAT_LOOP, 4, 40 * MS);
    const uint32_t wave = add_book(build, "wave", ZP_REPEAT_HOLD, 3, 25 * MS);
    feed_lamp(build);
    zp_build_machine(build, &(zp_machine){
        .name = name(build, "walk"), .routing = ZP_ROUTING_FIRST_HOP, .start = 2, .flags = ZP_MACHINE_KEEPS_ROUTE,
        .otherwise = ZP_OTHERWISE_FROM_ROOT | ZP_OTHERWISE_DIRECT});
    static const struct { const char *name, *group; uint32_t reentry; } states[] = {
        {"rest a", "rest", ZP_REENTRY_CONTINUE_SAME_CLIP}, {"rest b", "rest", ZP_REENTRY_CONTINUE_OR_AGAIN},
        {"wave", "wave", ZP_REENTRY_RESTART}};
    for (uint32_t i = 0; i < ZB_COUNT(states); ++i) {
        zp_build_state(build, &(zp_state){
            .name = name(build, states[i].name), .group = name(build, states[i].group), .play_count = 1,
            .first_play = i < 2 ? rest : wave, .on_complete = ZP_ON_COMPLETE_PICK, .reentry = states[i].reentry});
    }
    static const zp_edge edges[] = { // not sorted by where they come from
        {.from_ref = 3, .to = 2, .when = ZP_WHEN_COMPLETE, .weight = 0.8}, {.from_ref = 2, .to = 3},
        {.from_ref = 3, .to = 1, .when = ZP_WHEN_COMPLETE, .weight = 0.2},
        {.from_ref = 2, .to = 2, .when = ZP_WHEN_COMPLETE, .weight = 3.0},
        {.from_ref = 4, .to = 1, .when = ZP_WHEN_COMPLETE, .weight = 1e300}};
    for (uint32_t i = 0; i < ZB_COUNT(edges); ++i) { zp_build_edge(build, &edges[i]); }
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}

// A lid of two triangles, some of it moved, each a part; and a plain triangle.
static void feed_meshes(zp_build *build) {
    zp_build_image(build, &(zp_image){.name = name(build, "lid.png")});
    zp_build_cel(build, &(zp_cel){.name = name(build, "lid"), .image_ref = 1, .scale = 1.0}, nowhere);
    zp_build_target(build, &(zp_target){.name = name(build, "hinge"), .compose = ZP_COMPOSE_NONE});
    const zp_clip clip = {.duration_ns = 1000, .duration_ns_min = 1, .duration_ns_max = 1000, .complete_ns = 1000};
    zp_build_clip_begin(build, &clip, nowhere);
    zp_build_param(build, &(zp_param){.name = name(build, "strength"), .high = 1.0}, nowhere);
    zp_build_clip_end(build);
    const zp_param control = {.name = name(build, "progress"), .slope = 1.0, .low = -HUGE_VAL, .high = HUGE_VAL};
    zp_build_control(build, &control);

    const zp_bone still = {.target = 0};
    const zp_bone hung = {.flags = ZP_BONE_FROM_REST, .inverse = {1, 0, 0, -0.5, 0, 1, 0, 0, 0, 0, 1, 0}};
    const zp_weight weights[] = {{zp_build_bone(build, &still), 0.75f}, {zp_build_bone(build, &hung), 0.5f}};

    zp_build_mesh(build, &(zp_mesh){.name = name(build, "lid"), .flags = ZP_MESH_REST_LEFT_OUT, .least = 0.00001});
    for (uint32_t i = 0; i < 6; ++i) {
        if (i == 0) {
            zp_build_part(build, &(zp_part){.name = name(build, "wood"), .cel_ref = 1, .alpha_min = 0.5,
                                            .flags = ZP_PART_SHADED});
        } else if (i == 3) {
            zp_build_triangle(build, 0, 1, 2);
            zp_build_part(build, &(zp_part){.name = name(build, "glass"), .surface = ZP_SURFACE_BLEND,
                                            .flags = ZP_PART_TWO_SIDED});
        }
        const uint32_t count = i / 2 < 2 ? i / 2 : 2;
        const zp_vertex vertex = {.position = {i % 2 ? 1.0f : -2.0f, 0.5f, i / 2 ? 3.0f : 0.0f}, .normal = {0, 1, 0},
                                  .uv = {(float)(i % 2), (float)(i / 2)}, .colour = {1, 1, 1, 1},
                                  .first_weight = zp_build_weights(build, weights, count), .weight_count = count};
        zp_build_vertex(build, &vertex);
    }
    zp_build_triangle(build, 3, 5, 4);
    zp_build_uv_binding(build, &(zp_uv_binding){.vertex = 4, .component = 1, .param = 0, .scale = 0.0625});

    zp_build_mesh(build, &(zp_mesh){.name = name(build, "sail"), .rule = ZP_SKIN_DISPLACE});
    zp_build_part(build, &(zp_part){.name = name(build, "cloth")});
    for (uint32_t i = 0; i < 3; ++i) {
        zp_build_vertex(build, &(zp_vertex){.position = {0, (float)i, (float)i / 4}, .colour = {1, 0.5f, 0, 1}});
    }
    zp_build_triangle(build, 0, 1, 2);
}

zp_program *test_mesh_program(void) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    feed_meshes(build);
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}

// Two joints, a quaternion and an angle; one clip that wraps with events, one in frames.
static void feed_joints(zp_build *build) {
    const double none = HUGE_VAL;
    zp_build_layer(build, &(zp_layer){.name = name(build, "joints")});
    static const char *const channels[] = {"lid.angle", "arm.x", "arm.y", "arm.z", "arm.w"};
    for (uint32_t i = 0; i < ZB_COUNT(channels); ++i) {
        zp_build_channel(build, &(zp_channel){.name = name(build, channels[i]), .rest = i == 4, .low = -none,
                                              .high = none});
    }
    zp_build_target(build, &(zp_target){.name = name(build, "lid"), .compose = ZP_COMPOSE_AXIS_ANGLE,
                                        .slot_refs = {[ZP_AXIS_ANGLE_ANGLE] = 1},
                                        .constant = {0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5}});
    zp_build_target(build, &(zp_target){.name = name(build, "arm"), .compose = ZP_COMPOSE_TRS3, .parent_ref = 1,
                                        .slot_refs = {[ZP_TRS3_ROTATION] = 2, 3, 4, 5},
                                        .constant = {0, 0, 1, 0, 0, 0, 0, 1, 1, 1}});
    zp_clip clip = {.name = name(build, "swing"), .duration_ns = 1000 * MS, .duration_ns_min = 1,
                    .duration_ns_max = 9000 * MS, .repeat = ZP_REPEAT_LOOP, .complete_ns = 1000 * MS,
                    .flags = ZP_CLIP_WRAPS};
    zp_build_clip_begin(build, &clip, nowhere);
    zp_build_param(build, &(zp_param){.name = name(build, "depth"), .value = 1, .high = 1}, nowhere);
    static const double angles[] = {0, 120, 240};
    zp_build_curve(build, &(zp_curve_def){.placement = ZP_PLACE_UNIFORM_LOOP, .interpolation = ZP_INTERPOLATE_ANGLE,
                                          .arithmetic = ZP_ARITHMETIC_F32_PRODUCT, .width = 1, .key_count = 3,
                                          .values = angles});
    zp_build_event(build, &(zp_event){.at = 0.25, .at_ns = 250 * MS, .name = name(build, "clank")}, nowhere);
    zp_build_event(build, &(zp_event){.at = 0.75, .at_ns = 750 * MS, .action = ZP_ACTION_REQUEST_STATE,
                                      .name = name(build, "shut")}, nowhere);
    zp_build_clip_end(build);
    clip.name = name(build, "main");
    clip.flags = ZP_CLIP_OPEN;
    clip.time_unit = ZP_TIME_FRAMES;
    clip.frame_ns = 40 * MS;
    zp_build_clip_begin(build, &clip, nowhere);
    static const double times[] = {1, 2, 26}, turns[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    static const zp_interval intervals[] = {{ZP_INTERPOLATE_HOLD_NEXT, 0}, {ZP_INTERPOLATE_SLERP, 0}, {0, 0}};
    zp_build_curve(build, &(zp_curve_def){.interpolation = ZP_INTERPOLATE_PER_INTERVAL, .width = 4, .first_channel = 1,
                                          .key_count = 3, .times = times, .values = turns, .intervals = intervals});
    zp_build_clip_end(build);
}

static uint32_t feed_exprs(zp_build *build) {
    zp_param control = {.name = name(build, "speed"), .slope = 1, .low = -HUGE_VAL, .high = HUGE_VAL};
    const uint32_t speed = zp_build_control(build, &control);
    control = (zp_param){.name = name(build, "len"), .value = 2, .flags = ZP_PARAM_NEEDED, .low = -HUGE_VAL,
                         .high = HUGE_VAL};
    const uint32_t len = zp_build_control(build, &control);
    static const double numbers[] = {0.5, 4};
    const uint32_t at = zp_build_numbers(build, numbers, 2);
    const zp_op timed[] = {{ZP_OP_INPUT, 0}, {ZP_OP_CONTROL, speed}, {ZP_OP_INPUT, 0}, {ZP_OP_CONTROL, len},
                           {ZP_OP_DIV, 0}};
    const uint32_t by = zp_build_expr(build, &(zp_expr){.name = name(build, "by"), .flags = ZP_EXPR_F32}, timed, 5);
    zp_op all[64] = {{ZP_OP_INPUT, 0}, {ZP_OP_CALL, by - 1}};
    uint32_t count = 2;
    for (uint32_t code = ZP_OP_ADD; code <= ZP_OP_BEZIER; ++code) {
        const bool takes_three = code == ZP_OP_CLAMP || code >= ZP_OP_REPEAT;
        all[count++] = (zp_op){ZP_OP_NUMBER, at};
        if (takes_three) { all[count++] = (zp_op){ZP_OP_NUMBER, at + 1}; }
        all[count++] = (zp_op){code, code == ZP_OP_REPEAT};
    }
    all[count++] = (zp_op){ZP_OP_FAULT, ZP_FAULT_MISSING_OPERAND};
    return zp_build_expr(build, &(zp_expr){0}, all, count);
}

zp_program *test_poses_program(void) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    zp_build_format(build, ZB_TEXT("poses"), 0);
    feed_joints(build);
    const uint32_t all = feed_exprs(build);
    const uint32_t rest = zp_build_node(build, &(zp_node){.kind = ZP_NODE_REST});
    const uint32_t swing = zp_build_node(build, &(zp_node){.kind = ZP_NODE_CLIP, .clip_ref = 1});
    const uint32_t frames = zp_build_node(build, &(zp_node){.kind = ZP_NODE_CLIP, .clip_ref = 2});
    const uint32_t timed = zp_build_node(build, &(zp_node){.kind = ZP_NODE_TIME, .a_ref = frames, .expr_ref = all - 1});
    const uint32_t told = zp_build_node(build, &(zp_node){.kind = ZP_NODE_TRIGGER, .a_ref = swing, .expr_ref = all - 1,
                                                          .event = name(build, "ding")});
    const uint32_t asks = zp_build_node(build, &(zp_node){
        .name = name(build, "up"), .kind = ZP_NODE_TRIGGER, .a_ref = timed, .expr_ref = all,
        .event = name(build, "shut"), .detail = ZP_ACTION_REQUEST_STATE});
    const uint32_t broken =
        zp_build_node(build, &(zp_node){.kind = ZP_NODE_FAULT, .detail = ZP_FAULT_UNRESOLVED_CLIP});
    const uint32_t both = zp_build_node(build, &(zp_node){.kind = ZP_NODE_PRODUCT, .a_ref = asks, .b_ref = broken});
    const uint32_t blend = zp_build_node(build, &(zp_node){.kind = ZP_NODE_BLEND, .a_ref = told, .b_ref = both,
                                                           .expr_ref = all});
    feed_lamp(build);
    zp_build_machine(build, &(zp_machine){.name = name(build, "door"), .routing = ZP_ROUTING_LISTED, .start = 2,
                                          .commit = ZP_COMMIT_AT_ONCE, .flags = ZP_MACHINE_TIME_F32});
    zp_build_state(build, &(zp_state){.name = name(build, "shut"), .group = name(build, "shut"), .node_ref = rest});
    zp_build_state(build, &(zp_state){.name = name(build, "open"), .group = name(build, "open"), .node_ref = blend});
    zp_build_edge(build, &(zp_edge){.from_ref = 3, .to = 1});
    zp_build_edge(build, &(zp_edge){.from_ref = 2, .to = 2, .blend_ns = 1500 * MS});
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}

zp_program *test_program(void) {
    zb_arena arena = zb_arena_open(NULL);
    zp_build *build = zp_build_open(&arena);
    test_program_feed(build);
    zp_program *program = zp_build_finish(build, NULL);
    zb_arena_close(&arena);
    return program;
}
