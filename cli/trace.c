// `zoetrope trace`: a script played step by step, and after each one JSON line that says what has happened on the way
// and where things stand. Nothing is printed before the whole script has been read and found right. docs/trace.md has
// the form.
#include <stdlib.h>

#include "cli.h"
#include "host/json.h"
#include "load.h"
#include "pictures.h"
#include "poses.h"
#include "scene.h"
#include "script.h"

typedef struct job {
    const cli_args *args;
    cli_loaded loaded;
    cli_script script;
    zo_timeline *timeline;
    const zo_instance *instance; // the timeline's
    zo_pose *pose; // with --values, and of a graph
    cli_json json;
    uint32_t *images; // of a graph: [cels] 1, 2, …: each cel has its own,
    zo_size *sizes;   // [cels] as large as the stage, for no texture is opened
    bool whole; // a pet as its states play it, not one clip
    bool graph; // and these run by themselves
    zo_clip clip;
    double params[CLI_PARAM_MAX];
    uint32_t param_count;
    cli_lines lines;
    bool posing; // a machine shows poses
} job;

// ---------------------------------------------------------------------------------------------------- one line

static void put_name(job *j, const char *key, const char *name) {
    if (name != NULL && *name != 0) {
        cli_json_text(&j->json, key, name);
    } else {
        cli_json_null(&j->json, key);
    }
}

static const char *clip_name(const job *j, zo_clip clip) { // none: a reload has taken it away
    zo_clip_info info;
    return zo_clip_get(j->loaded.program, clip, &info) ? info.name : NULL;
}

static const char *cel_name(const job *j, zo_cel cel) {
    zo_cel_info info;
    return zo_cel_get(j->loaded.program, cel, &info) ? info.name : NULL;
}

static void put_state(job *j, const char *group, const char *name, const char *activity) {
    cli_json_text(&j->json, "state", *group != 0 ? group : name);
    cli_json_text(&j->json, "slot", name);
    if (*activity != 0) { cli_json_text(&j->json, "activity", activity); }
}

static void put_arguments(job *j, const zo_event *event) {
    zo_argument_info argument;
    uint32_t count = 0;
    for (; zo_clip_event_argument_get(j->loaded.program, event->clip, event->index, count, &argument); count++) {
        if (count == 0) { cli_json_open(&j->json, "arguments", '{'); }
        cli_json_argument(&j->json, &argument);
    }
    if (count > 0) { cli_json_close(&j->json, '}'); }
}

static void put_event(job *j, const zo_event *event) {
    static const char *const kinds[] = {
        [ZO_EVENT_NOTIFY] = "notify", [ZO_EVENT_SHOW_CEL] = "swap", [ZO_EVENT_START_EFFECT] = "particle",
        [ZO_EVENT_REQUEST_STATE] = "request", [ZO_EVENT_RUN_START] = "start", [ZO_EVENT_RUN_END] = "end",
        [ZO_EVENT_STATE] = "state", [ZO_EVENT_CEL] = "picture", [ZO_EVENT_CYCLE] = "cycle",
        [ZO_EVENT_HOLD] = "hold", [ZO_EVENT_UNROUTED] = "unrouted"};
    static const char *const ends[] = {
        [ZO_END_FINISHED] = "finished", [ZO_END_CANCELLED] = "cancelled", [ZO_END_CROWDED_OUT] = "crowded-out"};
    cli_json *json = &j->json;
    cli_json_open(json, NULL, '{');
    cli_json_ms(json, "t_ms", event->t_ns);
    cli_json_text(json, "kind", kinds[event->kind]);
    zo_state_info state;
    switch (event->kind) {
    case ZO_EVENT_NOTIFY:
    case ZO_EVENT_REQUEST_STATE:
        cli_json_text(json, "name", event->name);
        put_arguments(j, event);
        if (j->posing) { cli_json_number(json, "at_s", event->at_s); }
        break;
    case ZO_EVENT_SHOW_CEL:
    case ZO_EVENT_CEL: put_name(j, "picture", cel_name(j, event->cel)); break;
    case ZO_EVENT_START_EFFECT:
        cli_json_text(json, "effect", event->name);
        cli_json_number(json, "count", event->count);
        break;
    case ZO_EVENT_STATE:
        if (zo_state_get(j->loaded.program, event->state, &state)) {
            put_state(j, state.group, state.name, event->activity);
            if (event->via != ZO_VIA_TARGET) { cli_json_text(json, "via", zo_via_name(event->via)); }
        }
        break;
    case ZO_EVENT_HOLD: cli_json_number(json, "frame", event->index); break;
    case ZO_EVENT_UNROUTED: cli_json_text(json, "label", event->name); break;
    case ZO_EVENT_CYCLE:
    case ZO_EVENT_RUN_START:
    case ZO_EVENT_RUN_END: break;
    }
    if (event->clip.id != 0 || event->kind < ZO_EVENT_STATE) {
        put_name(j, "clip", clip_name(j, event->clip));
    }
    if (event->kind == ZO_EVENT_RUN_END) { cli_json_text(json, "how", ends[event->end]); }
    cli_json_close(json, '}');
}

static void put_run(job *j, const zo_run_info *run) {
    cli_json *json = &j->json;
    cli_json_open(json, NULL, '{');
    put_name(j, "clip", clip_name(j, run->clip));
    cli_json_open(json, "layers", '[');
    for (uint32_t layer = 0; layer < 32; layer++) {
        if ((run->layers >> layer & 1) != 0) { cli_json_text(json, NULL, zo_layer_name(j->loaded.program, layer)); }
    }
    cli_json_close(json, ']');
    cli_json_ms(json, "local_ms", run->local_ns);
    cli_json_ms(json, "duration_ms", run->duration_ns);
    if (run->waiting) { cli_json_bool(json, "waiting", true); }
    if (run->paused) { cli_json_bool(json, "paused", true); }
    cli_json_close(json, '}');
}

static void put_values(job *j) {
    zo_channel_info channel;
    cli_json_open(&j->json, "values", '{');
    for (uint32_t c = 1; zo_channel_get(j->loaded.program, (zo_channel){c}, &channel); c++) {
        const double value = j->pose->slots[c - 1];
        if (!channel.is_index && value != channel.rest) { cli_json_number(&j->json, channel.name, value); }
    }
    cli_json_close(&j->json, '}');
    if (j->posing) { cli_posed_json(&j->json, j->loaded.program, j->instance, j->pose, false); }
}

// Of a machine that shows poses: how far its state is shown, at which time, and what it asks for in vain.
static void put_posing(job *j, const zo_target_state *target) {
    const zo_fault fault = zo_instance_fault(j->instance);
    cli_json_number(&j->json, "weight", target->weight);
    cli_json_number(&j->json, "time_s", target->time_s);
    if (fault != ZO_FAULT_NONE) { cli_json_text(&j->json, "fault", zo_fault_name(fault)); }
}

// Of a machine that runs by itself: what its state shows, and what it is on its way to.
static void put_graph(job *j, const zo_target_state *target) {
    if (target->via == ZO_VIA_TARGET) { return; }
    cli_json_text(&j->json, "via", zo_via_name(target->via));
    if (j->posing) {
        put_posing(j, target);
        return;
    }
    cli_json_number(&j->json, "frame", target->frame);
    if (target->held) { cli_json_bool(&j->json, "held", true); }
    if (target->route_count > 0) { cli_json_number(&j->json, "route", target->route_count); }
    cli_json_number(&j->json, "draws", (double)target->draws);
    if (target->speaking) { cli_json_bool(&j->json, "speaking", true); }
    if (target->mouth > 0.0) { cli_json_number(&j->json, "mouth", target->mouth); }
    const uint32_t count = zo_cel_count(j->loaded.program);
    const zo_view view = {.width = 1, .height = 1, .image_sizes = j->sizes, .image_count = count,
                          .cel_images = j->images, .cel_count = count};
    zo_overlay overlay;
    for (uint32_t i = 0; zo_instance_overlay(j->instance, &view, i, &overlay); i++) {
        if (overlay.visible) { put_name(j, "overlay", cel_name(j, overlay.cel)); }
    }
}

// Where things stand once the step's events have been told, and the line's end.
static void put_rest(job *j) {
    cli_json *json = &j->json;
    zo_target_state target;
    zo_run_info run;
    if (zo_instance_state(j->instance, &target)) {
        put_state(j, target.group, target.name, target.activity);
        put_graph(j, &target);
    }
    zo_cel shown = zo_instance_shown(j->instance);
    if (j->pose != NULL) { zo_instance_sample(j->instance, j->pose); }
    if (j->graph) { shown = cli_scene_cel(j->loaded.program, j->pose); } // nobody holds what its clips show
    put_name(j, "picture", cel_name(j, shown));
    cli_json_open(json, "runs", '[');
    for (uint32_t i = 0; zo_instance_run_at(j->instance, i, &run); i++) { put_run(j, &run); }
    cli_json_close(json, ']');
    cli_json_number(json, "particles", zo_instance_particle_count(j->instance));
    if (cli_given(j->args, CLI_OPT_VALUES)) { put_values(j); }
    cli_json_close(json, '}');
    cli_json_end(json);
}

// ---------------------------------------------------------------------------------------------------- all lines

static int64_t later(int64_t now_ns, int64_t ns) { // the clock ends at 2^62 ns
    static const int64_t end_ns = (int64_t)1 << 62;
    return ns < end_ns - now_ns ? now_ns + ns : end_ns;
}

static void hear(void *context, const zo_event *event) { put_event(context, event); }

// What is no pet starts its clip. In the first line, for it is told there.
static zo_status begin(job *j) {
    if (!cli_lines_add(&j->lines, j->timeline)) { return ZO_NO_MEMORY; }
    if (j->whole) { return ZO_OK; }
    const zo_run_def run = {.params = j->params, .param_count = j->param_count};
    return zo_timeline_add(j->timeline, &(zo_input){.kind = ZO_INPUT_START, .id = j->clip.id, .run = run}, NULL);
}

// A call comes after all that is due at its instant, and what it leads to there is told with it. Seeking tells of what
// is passed on the way forward; the way back passes nothing.
static int64_t end_of(const cli_step *step, int64_t now_ns) {
    return step->kind == CLI_STEP_ADVANCE ? later(now_ns, step->ns) : step->kind == CLI_STEP_SEEK ? step->ns : now_ns;
}

static zo_status play_step(job *j, const cli_step *step, bool *done) {
    const int64_t t_ns = end_of(step, zo_instance_now_ns(j->instance));
    zo_status status = ZO_OK;
    if (step->kind != CLI_STEP_ADVANCE && step->kind != CLI_STEP_SEEK) {
        status = cli_step_add(&j->script, step, j->timeline, done);
    }
    zo_timeline_seek(j->timeline, t_ns);
    return status;
}

// Parts of one step of the file are one line. `*index` moves behind them.
static zo_status play_line(job *j, uint32_t number, uint32_t *index) {
    const cli_step *steps = j->script.steps;
    const bool first = *index == 0;
    int64_t t_ns = zo_instance_now_ns(j->instance);
    uint32_t end = *index;
    do { t_ns = end_of(&steps[end], t_ns); } while (steps[end++].joined);
    zo_status status = ZO_OK;
    bool done = true;
    j->json = (cli_json){.flat = true};
    cli_json_open(&j->json, NULL, '{');
    if (first) { cli_json_text(&j->json, "schema", "zoetrope/trace@1"); }
    cli_json_number(&j->json, "step", number);
    cli_json_ms(&j->json, "t_ms", t_ns);
    cli_json_open(&j->json, "events", '[');
    if (first) { status = begin(j); }
    for (; *index < end && status == ZO_OK; ++*index) { status = play_step(j, &steps[*index], &done); }
    cli_json_close(&j->json, ']');
    if (!done) { cli_json_bool(&j->json, "refused", true); }
    put_rest(j);
    return status;
}

static bool reserve(job *j, bool posed) {
    const uint32_t count = zo_cel_count(j->loaded.program);
    if (posed) { j->pose = zo_pose_create(j->loaded.program, NULL); }
    j->images = calloc((size_t)count + 1, sizeof *j->images);
    j->sizes = calloc((size_t)count + 1, sizeof *j->sizes);
    if ((j->pose == NULL && posed) || j->images == NULL || j->sizes == NULL) { return false; }
    for (uint32_t c = 0; c < count; c++) {
        j->images[c] = c + 1;
        j->sizes[c] = cli_size_of_stage(j->loaded.program);
    }
    return true;
}

static int start(job *j) {
    const cli_args *args = j->args;
    const zo_program *program = j->loaded.program;
    zo_timeline_def def = {.instance = {.reduced_motion = cli_given(args, CLI_OPT_REDUCED_MOTION)}};
    zo_clip_info info = {.name = cli_whole_name(program) + 2};
    j->whole = zo_state_count(program) > 0 && !cli_given(args, CLI_OPT_CLIP);
    def.instance.idle = !j->whole;
    def.instance.host_polls = cli_script_polls(&j->script);
    if ((!j->whole && !cli_pick_clip(args, program, &j->clip, &info)) || !cli_seed(args, &def.instance.seed) ||
        !cli_pick_params(args, program, &info, j->params, CLI_PARAM_MAX, &j->lines)) {
        return CLI_USAGE;
    }
    j->param_count = info.param_count < CLI_PARAM_MAX ? info.param_count : CLI_PARAM_MAX;
    // A pet knows from the start which of its pictures are there: its first enter may show one at once.
    bool *there = calloc((size_t)zo_cel_count(program) + 1, sizeof *there);
    if (there == NULL) { return CLI_INTERNAL; }
    if (j->whole && cli_pictures_there(&j->loaded, there)) { def.instance.cels_there = there; }
    j->timeline = zo_timeline_create(program, &def, NULL);
    free(there);
    j->graph = j->whole && cli_has_graph(program);
    j->posing = j->whole && zo_posing_get(program, &(zo_posing_info){0});
    const bool posed = j->graph || cli_given(args, CLI_OPT_VALUES);
    if (j->timeline == NULL || !reserve(j, posed)) { return CLI_INTERNAL; }
    j->instance = zo_timeline_instance(j->timeline);
    zo_timeline_listen(j->timeline, hear, j);
    return CLI_FINE;
}

int cli_trace(const cli_args *args) {
    job j = {.args = args};
    if (!cli_given(args, CLI_OPT_SCRIPT)) { return cli_usage(args, "trace wants --script FILE"); }
    if (!cli_one_operand(args)) { return CLI_USAGE; }
    int code = cli_load(args, args->operands[0], true, &j.loaded);
    if (code == CLI_FINE) { code = cli_load_script(args, &j.loaded, &j.script); }
    cli_say_report(args, &j.loaded);
    if (code == CLI_FINE) { code = start(&j); }
    uint32_t number = 0;
    for (uint32_t i = 0; code == CLI_FINE && i < j.script.count;) {
        if (play_line(&j, ++number, &i) != ZO_OK) { code = CLI_INTERNAL; }
    }
    if (code == CLI_INTERNAL) { cli_say("not enough memory"); }
    zo_pose_free(j.pose);
    free(j.images);
    free(j.sizes);
    zo_timeline_free(j.timeline);
    cli_script_free(&j.script);
    cli_lines_free(&j.lines);
    cli_loaded_free(&j.loaded);
    return code;
}
