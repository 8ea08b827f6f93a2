// `zoetrope sample`: the values of a clip's channels at times, as JSON or CSV. With --at each time is sampled by
// itself; with --fps the times are those of a render's frames. Of a machine that shows poses, unless a clip is named:
// what is worked out at times of the world, and the matrices of its joints.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "host/json.h"
#include "load.h"
#include "poses.h"

typedef struct job {
    const zo_program *program;
    zo_clip clip;
    zo_clip_info info;
    double params[CLI_PARAM_MAX];
    bool all;
    bool csv;
    cli_json json;
    zo_pose *pose;
    cli_lines lines;
    zo_timeline *timeline; // of a machine; NULL: a clip is sampled
} job;

static bool shown(const job *j, zo_channel channel, zo_channel_info *info) {
    if (!zo_channel_get(j->program, channel, info)) { return false; }
    return j->all || zo_clip_drives(j->program, j->clip, channel);
}

// Every name stands in a field of its own, whatever is in it.
static void put_field(const char *name, const char *tail) {
    const bool quoted = strpbrk(name, ",\"\n\r") != NULL;
    fputs(quoted ? ",\"" : ",", stdout);
    for (const char *at = name; *at != 0; at++) { printf(*at == '"' ? "\"\"" : "%c", *at); }
    fputs(tail, stdout);
    fputs(quoted ? "\"" : "", stdout);
}

static void begin_posed_table(const job *j) {
    zo_param_info param;
    char tail[16];
    fputs(",state", stdout);
    for (uint32_t e = 1; e <= zo_expr_count(j->program); e++) {
        const char *name = zo_expr_name(j->program, (zo_expr){e});
        if (*name != 0) { put_field(name, ""); }
    }
    for (uint32_t p = 1; zo_param_get(j->program, (zo_param){p}, &param); p++) {
        if (param.clip.id == 0) { put_field(param.name, ""); }
    }
    for (uint32_t t = 1; t <= zo_target_count(j->program); t++) {
        for (int i = 0; i < 12; i++) {
            snprintf(tail, sizeof tail, ".m%d%d", i / 4, i % 4);
            put_field(zo_target_name(j->program, (zo_target){t}), tail);
        }
    }
    putchar('\n');
}

static void begin(job *j, const char *file) {
    zo_channel_info channel;
    if (!j->csv) {
        cli_json_open(&j->json, NULL, '{');
        cli_json_text(&j->json, "schema", "zoetrope/sample@1");
        cli_json_text(&j->json, "file", file);
        if (j->timeline == NULL) { cli_json_text(&j->json, "clip", j->info.name); }
        cli_json_number(&j->json, "durationMs", (double)j->info.duration_ns / 1e6);
        cli_json_open(&j->json, "samples", '[');
        return;
    }
    fputs("t_ms,time", stdout);
    if (j->timeline != NULL) {
        begin_posed_table(j);
        return;
    }
    for (uint32_t c = 1; c <= zo_channel_count(j->program); c++) {
        if (shown(j, (zo_channel){c}, &channel)) { printf(",%s", channel.name); }
    }
    putchar('\n');
}

// A picture by its name; none: null, or nothing between two commas.
static void put_cel(job *j, const char *channel, double value) {
    zo_cel_info cel = {.name = ""};
    const bool shown = value >= 1.0 && zo_cel_get(j->program, (zo_cel){(uint32_t)value}, &cel);
    if (j->csv) {
        put_field(cel.name, "");
    } else if (shown) {
        cli_json_text(&j->json, channel, cel.name);
    } else {
        cli_json_null(&j->json, channel);
    }
}

// No time lies before the beginning, nor behind the end of the clock.
static int64_t ms_ns(double ms) {
    const double ns = ms * 1e6 + 0.5;
    return ns > 0.0 ? ns < 0x1p62 ? (int64_t)ns : (int64_t)1 << 62 : 0;
}

static void put_number(double value) { // of what is none the field is empty
    char text[32] = "";
    if (isfinite(value)) { cli_number_text(value, text); }
    printf(",%s", text);
}

// What is worked out of the present, in the order of the table's head.
static void posed_columns(const job *j, const zo_instance *instance, const zo_target_state *state) {
    zo_param_info param;
    put_field(state->name, "");
    for (uint32_t e = 1; e <= zo_expr_count(j->program); e++) {
        if (*zo_expr_name(j->program, (zo_expr){e}) == 0) { continue; }
        put_number(zo_instance_expr(instance, (zo_expr){e}, state->time_s, NULL));
    }
    for (uint32_t p = 1; zo_param_get(j->program, (zo_param){p}, &param); p++) {
        if (param.clip.id == 0) { put_number(zo_instance_param(instance, (zo_param){p})); }
    }
    for (uint32_t t = 0; t < j->pose->target_count; t++) {
        for (int i = 0; i < 12; i++) { put_number(j->pose->transforms[t].m[i]); }
    }
    putchar('\n');
}

static void posed_row(job *j, double time, double ms) {
    const zo_instance *instance = zo_timeline_seek(j->timeline, ms_ns(ms));
    zo_target_state state = {.name = ""};
    zo_instance_sample(instance, j->pose);
    zo_instance_state(instance, &state);
    if (j->csv) {
        char text[32];
        cli_number_text(ms, text);
        fputs(text, stdout);
        put_number(time);
        posed_columns(j, instance, &state);
        return;
    }
    cli_json_open_inline(&j->json, NULL, '{');
    cli_json_number(&j->json, "tMs", ms);
    cli_json_number(&j->json, "time", time);
    cli_json_text(&j->json, "state", state.name);
    cli_posed_json(&j->json, j->program, instance, j->pose, j->all);
    cli_json_close(&j->json, '}');
}

// `time` is in the clip's unit; `ms` is the same instant.
static void row(job *j, double time, double ms) {
    if (j->timeline != NULL) {
        posed_row(j, time, ms);
        return;
    }
    zo_clip_sample(j->program, j->clip, time, j->params, j->pose);
    zo_channel_info channel;
    char text[32];
    if (j->csv) {
        cli_number_text(ms, text);
        fputs(text, stdout);
        cli_number_text(time, text);
        printf(",%s", text);
    } else {
        cli_json_open_inline(&j->json, NULL, '{');
        cli_json_number(&j->json, "tMs", ms);
        cli_json_number(&j->json, "time", time);
    }
    for (uint32_t c = 1; c <= zo_channel_count(j->program); c++) {
        if (!shown(j, (zo_channel){c}, &channel)) { continue; }
        const double value = j->pose->slots[c - 1];
        if (channel.is_index) {
            put_cel(j, channel.name, value);
        } else if (j->csv) {
            cli_number_text(value, text);
            printf(",%s", text);
        } else {
            cli_json_number(&j->json, channel.name, value);
        }
    }
    if (j->csv) {
        putchar('\n');
    } else {
        cli_json_close(&j->json, '}');
    }
}

static void end(job *j) {
    if (j->csv) { return; }
    cli_json_close(&j->json, ']');
    cli_json_close(&j->json, '}');
    cli_json_end(&j->json);
}

static double unit_of_ns(const zo_clip_info *info, int64_t ns) {
    return (double)ns / cli_unit_ns(info);
}

// One time of the list: a bare number is the clip's own unit and is passed on untouched.
static bool at_row(const cli_args *args, job *j, const char *text) {
    double time;
    int64_t ns;
    if (cli_decimal(text, &time)) {
        row(j, time, time * (cli_unit_ns(&j->info) / 1e6));
        return true;
    }
    if (!cli_time(text, CLI_BARE_CLIP_UNIT, &j->info, &ns)) {
        cli_usage(args, "--at wants times such as 0.42, 42%%, 120ms or 0.12s, not '%s'", text);
        return false;
    }
    row(j, unit_of_ns(&j->info, ns), (double)ns / 1e6);
    return true;
}

static bool at_is_time(const char *text, const zo_clip_info *info) {
    double time;
    int64_t ns;
    return cli_decimal(text, &time) || cli_time(text, CLI_BARE_CLIP_UNIT, info, &ns);
}

// All times are looked at before the first row is printed: no partial output for a slip at the end of the list.
static int sample_list(const cli_args *args, job *j) {
    char *list = strdup(args->values[CLI_OPT_AT]);
    if (list == NULL) { return CLI_INTERNAL; }
    int code = CLI_FINE;
    for (int pass = 0; pass < 2 && code == CLI_FINE; pass++) {
        if (pass == 1) { begin(j, args->operands[0]); }
        const char *text = list;
        for (bool more = true; more && code == CLI_FINE;) {
            char one[64];
            const size_t size = strcspn(text, ",");
            snprintf(one, sizeof one, "%.*s", size < 60 ? (int)size : 60, text);
            if (pass == 0 ? !at_is_time(one, &j->info) : !at_row(args, j, one)) {
                code = cli_usage(args, "--at wants times such as 0.42, 42%%, 120ms or 0.12s, not '%s'", one);
            }
            more = text[size] == ',';
            text += size + 1;
        }
        if (pass == 1 && code == CLI_FINE) { end(j); }
    }
    free(list);
    return code;
}

static int sample_frames(const cli_args *args, job *j) {
    double fps = 30.0;
    int64_t from = 0, to = j->info.duration_ns;
    const char *from_text = args->values[CLI_OPT_FROM], *to_text = args->values[CLI_OPT_TO];
    if (!cli_number(args, CLI_OPT_FPS, 0.001, 100000.0, &fps)) { return CLI_USAGE; }
    if (from_text != NULL && !cli_time(from_text, CLI_BARE_CLIP_UNIT, &j->info, &from)) {
        return cli_usage(args, "--from wants a time such as 0.2, 20%%, 120ms or 0.12s, not '%s'", from_text);
    }
    if (to_text != NULL && !cli_time(to_text, CLI_BARE_CLIP_UNIT, &j->info, &to)) {
        return cli_usage(args, "--to wants a time such as 0.2, 20%%, 120ms or 0.12s, not '%s'", to_text);
    }
    if (to < from || (double)(to - from) * fps / 1e9 > 1e7) {
        return cli_usage(args, "--to must not lie before --from, nor more than ten million frames after it");
    }
    begin(j, args->operands[0]);
    for (int64_t k = 0;; k++) {
        const int64_t ns = from + cli_frame_ns(k, fps);
        if (ns > to) { break; }
        row(j, unit_of_ns(&j->info, ns), (double)ns / 1e6);
    }
    end(j);
    return CLI_FINE;
}

// The machine from its start, with its controls set. false: no memory.
static bool open_machine(job *j) {
    j->timeline = zo_timeline_create(j->program, &(zo_timeline_def){.snapshot_max = 0}, NULL);
    return j->timeline != NULL && cli_lines_add(&j->lines, j->timeline);
}

static int sample(const cli_args *args, job *j) {
    static const int64_t SHOWN_NS = 3000000000; // of a machine, as in a film
    const bool machine = zo_posing_get(j->program, &(zo_posing_info){0}) && !cli_given(args, CLI_OPT_CLIP);
    if (machine) {
        j->info = (zo_clip_info){.name = cli_whole_name(j->program) + 2, .time_unit = ZO_TIME_SECONDS,
                                 .duration_ns = SHOWN_NS};
    } else if (!cli_pick_clip(args, j->program, &j->clip, &j->info)) {
        return CLI_USAGE;
    }
    if (!cli_pick_params(args, j->program, &j->info, j->params, CLI_PARAM_MAX, &j->lines)) { return CLI_USAGE; }
    if (!machine && j->lines.count > 0) {
        cli_say("a clip by itself asks no control, so --set of one changes nothing here");
    }
    j->pose = zo_pose_create(j->program, NULL);
    if (j->pose == NULL || (machine && !open_machine(j))) {
        cli_say("not enough memory");
        return CLI_INTERNAL;
    }
    return cli_given(args, CLI_OPT_AT) ? sample_list(args, j) : sample_frames(args, j);
}

int cli_sample(const cli_args *args) {
    uint32_t kind = 0;
    if (!cli_choice(args, CLI_OPT_OUTPUT, &kind)) { return CLI_USAGE; }
    if (cli_given(args, CLI_OPT_AT) && cli_given(args, CLI_OPT_FPS)) {
        return cli_usage(args, "--at and --fps exclude each other");
    }
    cli_loaded loaded;
    int code = cli_load_one(args, &loaded);
    job j = {.program = loaded.program, .all = cli_given(args, CLI_OPT_ALL), .csv = kind == 1};
    if (code == CLI_FINE) { code = sample(args, &j); }
    zo_timeline_free(j.timeline);
    zo_pose_free(j.pose);
    cli_lines_free(&j.lines);
    cli_loaded_free(&loaded);
    return code;
}
