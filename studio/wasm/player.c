// Players at the edge: an instance, alone or in a timeline that can be sought, with what has happened and not yet been
// fetched. Called by player.js.
#include <stdlib.h>

#include "edge.h"

enum { EVENTS_AT_ONCE = 256, LABEL_SIZE = 128 };

typedef struct event_copy {
    zo_event event;
    char label[LABEL_SIZE]; // of UNROUTED: its name lives only until the instance's next change
} event_copy;

struct zw_player {
    const zo_program *program;
    zo_instance_def def;
    zo_timeline_def timeline_def;
    zo_instance *instance; // or NULL: in the timeline
    zo_timeline *timeline;
    zo_pose *pose;
    zo_event scratch[EVENTS_AT_ONCE];
    event_copy *events;    // not yet fetched
    uint32_t event_count, event_capacity;
    uint32_t lost;         // events there was no memory for
};

ZW_EXPORT(zw_player *, zw_player_new)(const zo_program *program, uint32_t seed_low, uint32_t seed_high, uint32_t flags,
                                     uint32_t runs, uint32_t effects, uint32_t particles, uint32_t points);
ZW_EXPORT(void, zw_player_free)(zw_player *player);
ZW_EXPORT(uint32_t, zw_player_advance)(zw_player *player, double dt_ns);
ZW_EXPORT(double, zw_player_left)(void);
ZW_EXPORT(double, zw_player_now)(const zw_player *player);
ZW_EXPORT(uint32_t, zw_player_seek)(zw_player *player, double t_ns);
ZW_EXPORT(void, zw_player_events)(zw_player *player);
ZW_EXPORT(uint32_t, zw_player_lost)(const zw_player *player);
ZW_EXPORT(int32_t, zw_player_input)(zw_player *player, uint32_t kind, uint32_t id, double number, double slope,
                                    uint32_t on, const char *text);
ZW_EXPORT(int32_t, zw_player_status)(zw_player *player, const char *type, const char *source, const char *tool,
                                     double stamp_ns);
ZW_EXPORT(int32_t, zw_player_start)(zw_player *player, uint32_t clip, const double *params, uint32_t param_count,
                                    double duration_ns, int32_t repeat, double delay_ms_min, double delay_ms_max,
                                    uint32_t cel);
ZW_EXPORT(double, zw_player_param)(const zw_player *player, uint32_t param);
ZW_EXPORT(uint32_t, zw_player_shown)(const zw_player *player);
ZW_EXPORT(uint32_t, zw_player_state)(const zw_player *player);
ZW_EXPORT(void, zw_player_runs)(const zw_player *player);
ZW_EXPORT(void, zw_player_effects)(const zw_player *player);
ZW_EXPORT(void, zw_player_particles)(const zw_player *player);
ZW_EXPORT(double, zw_player_dropped)(const zw_player *player);
ZW_EXPORT(const char *, zw_player_fault)(const zw_player *player);
ZW_EXPORT(uint32_t, zw_player_stop_effect)(zw_player *player, uint32_t start);
ZW_EXPORT(uint32_t, zw_player_snapshot)(const zw_player *player, void *memory, uint32_t size);
ZW_EXPORT(uint32_t, zw_player_restore)(zw_player *player, const void *memory, uint32_t size);
ZW_EXPORT(void, zw_player_adopt)(zw_player *player, const zw_player *old);
ZW_EXPORT(zo_pose *, zw_player_sample)(zw_player *player);
ZW_EXPORT(double, zw_player_size)(const zw_player *player);

const zo_program *zw_player_program(const zw_player *player) { return player->program; }

const zo_instance *zw_player_instance(const zw_player *player) {
    return player->timeline ? zo_timeline_instance(player->timeline) : player->instance;
}

zo_pose *zw_player_pose(zw_player *player) {
    zo_instance_sample(zw_player_instance(player), player->pose);
    return player->pose;
}

zo_pose *zw_player_sample(zw_player *player) { return zw_player_pose(player); }

static void keep_event(void *context, const zo_event *event) {
    zw_player *player = context;
    if (player->event_count == player->event_capacity) {
        const uint32_t more = player->event_capacity > 0 ? player->event_capacity * 2 : 16;
        event_copy *grown = more <= SIZE_MAX / sizeof *grown ? realloc(player->events, more * sizeof *grown) : NULL;
        if (!grown) {
            ++player->lost;
            return;
        }
        player->events = grown;
        player->event_capacity = more;
    }
    event_copy *copy = &player->events[player->event_count++];
    copy->event = *event;
    copy->label[0] = 0;
    if (event->kind == ZO_EVENT_UNROUTED && event->name) { strncat(copy->label, event->name, LABEL_SIZE - 1); }
}

enum { REDUCED_MOTION = 1, IDLE = 2, NO_EFFECTS = 4, HOST_POLLS = 8, HISTORY = 16 }; // flags of zw_player_new

static zo_timeline *new_timeline(zw_player *player) {
    zo_timeline *timeline = zo_timeline_create(player->program, &player->timeline_def, NULL);
    if (timeline) { zo_timeline_listen(timeline, keep_event, player); }
    return timeline;
}

// NULL: no memory. The program must outlive it.
zw_player *zw_player_new(const zo_program *program, uint32_t seed_low, uint32_t seed_high, uint32_t flags, uint32_t runs,
                         uint32_t effects, uint32_t particles, uint32_t points) {
    zw_player *player = calloc(1, sizeof *player);
    if (!player) { return NULL; }
    player->program = program;
    player->def = (zo_instance_def){
        .seed = (uint64_t)seed_high << 32 | seed_low,
        .run_capacity = runs,
        .effect_capacity = effects,
        .particle_capacity = particles,
        .point_capacity = points,
        .reduced_motion = (flags & REDUCED_MOTION) != 0,
        .idle = (flags & IDLE) != 0,
        .no_effects = (flags & NO_EFFECTS) != 0,
        .host_polls = (flags & HOST_POLLS) != 0,
    };
    player->timeline_def.instance = player->def;
    player->pose = zo_pose_create(program, NULL);
    if ((flags & HISTORY) != 0) {
        player->timeline = new_timeline(player);
    } else {
        player->instance = zo_instance_create(program, &player->def, NULL);
    }
    if (!player->pose || (!player->timeline && !player->instance)) {
        zw_player_free(player);
        return NULL;
    }
    return player;
}

void zw_player_free(zw_player *player) {
    if (!player) { return; }
    zo_timeline_free(player->timeline);
    zo_instance_free(player->instance);
    zo_pose_free(player->pose);
    free(player->events);
    free(player);
}

static double left_ns;
static bool has_more;

static void take_in(zw_player *player, int64_t dt_ns) {
    const zo_step step = zo_instance_advance(player->instance, dt_ns, player->scratch, EVENTS_AT_ONCE);
    for (uint32_t i = 0; i < step.count; i++) { keep_event(player, &player->scratch[i]); }
    left_ns = (double)step.left_ns;
    has_more = step.more;
}

// Moves on by dt_ns or a part of it: zw_player_left is what is left, below 0 when nothing is. Returns how many events
// are to be fetched. With a history all of it is played at once.
uint32_t zw_player_advance(zw_player *player, double dt_ns) {
    const int64_t dt = zw_ns(dt_ns);
    if (player->timeline) {
        const int64_t now = zo_instance_now_ns(zo_timeline_instance(player->timeline));
        zo_timeline_seek(player->timeline, now + (dt > 0 ? dt : 0));
        left_ns = 0;
        has_more = false;
    } else {
        take_in(player, dt > 0 ? dt : 0);
    }
    return player->event_count;
}

double zw_player_left(void) { return left_ns > 0 || has_more ? left_ns : -1; }

double zw_player_now(const zw_player *player) { return (double)zo_instance_now_ns(zw_player_instance(player)); }

// Of players with a history. 0: it has none.
uint32_t zw_player_seek(zw_player *player, double t_ns) {
    if (!player->timeline) { return 0; }
    const int64_t t = zw_ns(t_ns);
    zo_timeline_seek(player->timeline, t > 0 ? t : 0);
    return 1;
}

uint32_t zw_player_lost(const zw_player *player) { return player->lost; }

static const char *const kind_names[] = {
    "notify", "show-cel", "start-effect", "request-state", "run-start", "run-end", "state", "cel", "cycle", "hold",
    "unrouted",
};
static const char *const end_names[] = {"finished", "cancelled", "crowded-out"};

// What the clip's own event says besides its name.
static void put_arguments(const zw_player *player, const zo_event *event) {
    zo_argument_info argument;
    if (!zo_clip_event_argument_get(player->program, event->clip, event->index, 0, &argument)) { return; }
    zw_member("arguments");
    zw_open('{');
    for (uint32_t i = 0; zo_clip_event_argument_get(player->program, event->clip, event->index, i, &argument); i++) {
        switch (argument.kind) {
        case ZO_ARGUMENT_NUMBER: zw_member_double(argument.name, argument.number); break;
        case ZO_ARGUMENT_TEXT: zw_member_string(argument.name, argument.text); break;
        case ZO_ARGUMENT_FLAG: zw_member_bool(argument.name, argument.number != 0); break;
        }
    }
    zw_close('}');
}

static void put_event(const zw_player *player, const event_copy *copy) {
    const zo_event *event = &copy->event;
    zw_open('{');
    zw_member_string("kind", kind_names[event->kind]);
    zw_member_int("tNs", event->t_ns);
    zw_member_string("name", event->kind == ZO_EVENT_UNROUTED ? copy->label : event->name ? event->name : "");
    zw_member_int("run", event->run.id);
    zw_member_int("clip", event->clip.id);
    zw_member_int("index", event->index);
    switch (event->kind) {
    case ZO_EVENT_NOTIFY:
    case ZO_EVENT_START_EFFECT:
    case ZO_EVENT_REQUEST_STATE:
        zw_member_int("count", event->count);
        zw_member_int("started", event->started);
        zw_member_double("atS", event->at_s);
        if (event->clip.id != 0) { put_arguments(player, event); }
        break;
    case ZO_EVENT_SHOW_CEL:
    case ZO_EVENT_CEL: zw_member_int("cel", event->cel.id); break;
    case ZO_EVENT_RUN_END: zw_member_string("end", end_names[event->end]); break;
    case ZO_EVENT_STATE:
        zw_member_int("state", event->state.id);
        zw_member_string("via", zo_via_name(event->via));
        zw_member_string("activity", event->activity);
        break;
    case ZO_EVENT_CYCLE:
    case ZO_EVENT_HOLD: zw_member_int("state", event->state.id); break;
    case ZO_EVENT_RUN_START:
    case ZO_EVENT_UNROUTED: break;
    }
    zw_close('}');
}

// All that have happened since the last time; they are fetched with this.
void zw_player_events(zw_player *player) {
    zw_sink_open();
    zw_open('[');
    for (uint32_t i = 0; i < player->event_count; i++) { put_event(player, &player->events[i]); }
    zw_close(']');
    player->event_count = 0;
    if (player->event_capacity > EVENTS_AT_ONCE) { // a burst is no reason to keep its room
        free(player->events);
        player->events = NULL;
        player->event_capacity = 0;
    }
}

// What the call returned, or -1: no such clip, parameter or cel; -2: no memory.
static int32_t apply(zw_player *player, const zo_input *input) {
    uint32_t result = 0;
    const zo_status status = player->timeline ? zo_timeline_add(player->timeline, input, &result)
                                              : zo_instance_apply(player->instance, input, &result);
    return status == ZO_OK ? (int32_t)result : status == ZO_NO_MEMORY ? -2 : -1;
}

int32_t zw_player_input(zw_player *player, uint32_t kind, uint32_t id, double number, double slope, uint32_t on,
                        const char *text) {
    const zo_input input = {
        .kind = (zo_input_kind)kind, .id = id, .number = number, .slope = slope, .on = on != 0, .text = text,
    };
    return apply(player, &input);
}

// `source` and `tool` may be NULL; stamp_ns is NaN where it is now.
int32_t zw_player_status(zw_player *player, const char *type, const char *source, const char *tool, double stamp_ns) {
    const zo_input input = {
        .kind = ZO_INPUT_STATUS,
        .status = {
            .type = type, .source = source, .tool = tool, .stamped = stamp_ns == stamp_ns,
            .stamp_ns = stamp_ns == stamp_ns ? zw_ns(stamp_ns) : 0,
        },
    };
    return apply(player, &input);
}

// `repeat` below 0: the clip's own; duration 0: the clip's own. The run's id.
int32_t zw_player_start(zw_player *player, uint32_t clip, const double *params, uint32_t param_count, double duration_ns,
                        int32_t repeat, double delay_ms_min, double delay_ms_max, uint32_t cel) {
    const zo_input input = {
        .kind = ZO_INPUT_START,
        .id = clip,
        .run = {
            .params = params, .param_count = param_count, .duration_ns = zw_ns(duration_ns), .set_repeat = repeat >= 0,
            .repeat = repeat >= 0 ? (zo_repeat)repeat : ZO_REPEAT_ONCE, .delay_ms_min = delay_ms_min,
            .delay_ms_max = delay_ms_max, .cel = {cel},
        },
    };
    return apply(player, &input);
}

double zw_player_param(const zw_player *player, uint32_t param) {
    return zo_instance_param(zw_player_instance(player), (zo_param){param});
}

uint32_t zw_player_shown(const zw_player *player) { return zo_instance_shown(zw_player_instance(player)).id; }

// 0: it has no states.
uint32_t zw_player_state(const zw_player *player) {
    zo_target_state state;
    zw_sink_open();
    if (!zo_instance_state(zw_player_instance(player), &state)) { return 0; }
    zw_open('{');
    zw_member_int("id", state.state.id);
    zw_member_string("name", state.name);
    zw_member_string("group", state.group);
    zw_member_string("activity", state.activity);
    zw_member_string("via", zo_via_name(state.via));
    zw_member_int("clip", state.clip.id);
    zw_member_int("frame", state.frame);
    zw_member_bool("held", state.held);
    zw_member_int("draws", (int64_t)state.draws);
    zw_member_int("route", state.route_count);
    zw_member_bool("speaking", state.speaking);
    zw_member_double("mouth", state.mouth);
    zw_member_double("weight", state.weight);
    zw_member_double("timeS", state.time_s);
    zw_close('}');
    return 1;
}

static void put_run_params(const zo_instance *instance, zo_run run) {
    double value;
    zw_member("params");
    zw_open('[');
    for (uint32_t i = 0; zo_instance_run_param(instance, run, i, &value); i++) { zw_item(), zw_put_double(value); }
    zw_close(']');
}

void zw_player_runs(const zw_player *player) {
    const zo_instance *instance = zw_player_instance(player);
    zw_sink_open();
    zw_open('[');
    zo_run_info run;
    for (uint32_t i = 0; zo_instance_run_at(instance, i, &run); i++) {
        zw_open('{');
        zw_member_int("run", run.run.id);
        zw_member_int("clip", run.clip.id);
        zw_member_int("layers", run.layers);
        zw_member_int("installed", (int64_t)run.installed);
        zw_member_bool("waiting", run.waiting);
        zw_member_bool("paused", run.paused);
        zw_member_bool("backward", run.backward);
        zw_member_int("localNs", run.local_ns);
        zw_member_int("durationNs", run.duration_ns);
        zw_member_int("repeat", run.repeat);
        zw_member_int("mix", run.mix);
        put_run_params(instance, run.run);
        zw_close('}');
    }
    zw_close(']');
}

static void put_numbers(const char *name, const double *numbers, uint32_t count) {
    zw_member(name);
    zw_open('[');
    for (uint32_t i = 0; i < count; i++) { zw_item(), zw_put_double(numbers[i]); }
    zw_close(']');
}

void zw_player_effects(const zw_player *player) {
    static const char *const kinds[] = {"particles", "light", "trail", "decal"};
    const zo_instance *instance = zw_player_instance(player);
    zw_sink_open();
    zw_open('[');
    zo_effect effect;
    for (uint32_t i = 0; zo_instance_effect_at(instance, i, &effect); i++) {
        zw_open('{');
        zw_member_string("kind", kinds[effect.kind]);
        zw_member_string("name", effect.name);
        zw_member_int("target", effect.target.id);
        zw_member_int("start", effect.start);
        zw_member_int("ageNs", effect.age_ns);
        zw_member_double("leftNs", effect.left_ns == INT64_MAX ? 1.0 / 0.0 : (double)effect.left_ns); // null: open
        zw_member_int("particles", effect.particles);
        zw_member_int("points", effect.points);
        zw_member_double("x", effect.x);
        zw_member_double("y", effect.y);
        zw_member_double("z", effect.z);
        zw_member_double("turn", effect.turn);
        put_numbers("rgba", effect.rgba, 4);
        zw_member_double("radius", effect.radius);
        zw_member_double("intensity", effect.intensity);
        zw_member_double("width", effect.width);
        zw_close('}');
    }
    zw_close(']');
}

void zw_player_particles(const zw_player *player) {
    const zo_instance *instance = zw_player_instance(player);
    const uint32_t count = zo_instance_particle_count(instance);
    zw_sink_open();
    zo_particle *particles = count > 0 ? malloc(count * sizeof *particles) : NULL;
    const uint32_t found = particles ? zo_instance_particles(instance, 0, particles, count) : 0;
    zw_open('[');
    for (uint32_t i = 0; i < found; i++) {
        const zo_particle *particle = &particles[i];
        zw_open('{');
        zw_member_string("effect", particle->effect);
        zw_member_string("shape", particle->shape);
        zw_member_int("target", particle->target.id);
        zw_member_int("start", particle->start);
        zw_member_int("number", particle->number);
        zw_member_bool("emitted", particle->emitted);
        zw_member_int("ageNs", particle->age_ns);
        zw_member_int("lifeNs", particle->life_ns);
        zw_member_double("x", particle->x);
        zw_member_double("y", particle->y);
        zw_member_double("z", particle->z);
        zw_member_double("width", particle->width);
        zw_member_double("height", particle->height);
        zw_member_double("turn", particle->turn);
        zw_member_double("opacity", particle->opacity);
        put_numbers("rgba", particle->rgba, 4);
        zw_close('}');
    }
    zw_close(']');
    free(particles);
}

double zw_player_dropped(const zw_player *player) { return (double)zo_instance_dropped(zw_player_instance(player)); }
const char *zw_player_fault(const zw_player *player) {
    return zo_fault_name(zo_instance_fault(zw_player_instance(player)));
}

// Of players without a history, for it is no input that can be noted down. 0: it is over, or the player has one.
uint32_t zw_player_stop_effect(zw_player *player, uint32_t start) {
    return player->instance && zo_instance_stop_effect(player->instance, start);
}

// With size 0 only how many bytes it takes.
uint32_t zw_player_snapshot(const zw_player *player, void *memory, uint32_t size) {
    return (uint32_t)zo_instance_snapshot(zw_player_instance(player), memory, size);
}

// A player with a history begins anew at the snapshot's instant. 0: it is no such snapshot, or there is no memory.
uint32_t zw_player_restore(zw_player *player, const void *memory, uint32_t size) {
    if (player->instance) {
        const bool fine = zo_instance_restore(player->instance, memory, size);
        if (fine) { player->event_count = 0; }
        return fine;
    }
    zo_instance *stand = zo_instance_create(player->program, &player->def, NULL);
    zo_timeline *timeline = stand && zo_instance_restore(stand, memory, size) ? new_timeline(player) : NULL;
    if (timeline) {
        zo_timeline_adopt(timeline, stand, NULL, NULL);
        zo_timeline_free(player->timeline);
        player->timeline = timeline;
        player->event_count = 0;
    }
    zo_instance_free(stand);
    return timeline != NULL;
}

static void put_gone(void *context, const zo_gone *gone) {
    static const char *const kinds[] = {"run", "param", "cel", "effect", "state"};
    (void)context;
    zw_open('{');
    zw_member_string("kind", kinds[gone->kind]);
    zw_member_string("name", gone->name);
    zw_member_int("run", gone->run.id);
    zw_close('}');
}

// A player that has just been made goes on where `old` stands; what is gone is in the sink.
void zw_player_adopt(zw_player *player, const zw_player *old) {
    zw_sink_open();
    zw_open('[');
    if (player->timeline) {
        zo_timeline_adopt(player->timeline, zw_player_instance(old), put_gone, NULL);
    } else {
        zo_instance_adopt(player->instance, zw_player_instance(old), put_gone, NULL);
    }
    zw_close(']');
}

// Bytes that it holds.
double zw_player_size(const zw_player *player) {
    const size_t size = player->timeline ? zo_timeline_size(player->timeline)
                                         : zo_instance_size(player->program, &player->def);
    return (double)(size + zo_pose_size(player->program) + sizeof *player);
}
