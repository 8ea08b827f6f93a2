// `zoetrope info`: what is in a file, for people or as JSON.
#include <string.h>

#include "cli.h"
#include "json.h"
#include "load.h"

static const char *const repeat_words[] = {"once", "loop", "alternate", "random-interval", "hold"};
static const char *const unit_words[] = {"fraction", "seconds", "frames"};
static const char *const action_words[] = {"notify", "show picture", "start effect", "request state"};
static const char *const profile_words[] = {"document", "original"};

static const char *ms(int64_t ns, char text[32]) {
    cli_number_text((double)ns / 1e6, text);
    return text;
}

static void print_repeat(const zo_clip_info *info) {
    if (info->repeat == ZO_REPEAT_RANDOM_INTERVAL) {
        char low[32], high[32];
        cli_number_text(info->delay_ms_min, low);
        cli_number_text(info->delay_ms_max, high);
        printf("  repeat      %s, a wait of %s to %s ms before each pass\n", repeat_words[info->repeat], low, high);
    } else {
        printf("  repeat      %s\n", repeat_words[info->repeat]);
    }
}

static void print_clip(const zo_program *program, zo_clip clip) {
    zo_clip_info info;
    zo_clip_get(program, clip, &info);
    char text[32];
    printf("\n%s%s", info.name, *info.label ? "  \"" : "");
    cli_put_plain(stdout, info.label);
    puts(*info.label ? "\"" : "");
    if (*info.kind) { printf("  kind        %s\n", info.kind); }
    printf("  duration    %s ms\n", ms(info.duration_ns, text));
    print_repeat(&info);
    printf("  keys        %u on %u %s\n", info.key_count, info.curve_count, info.curve_count == 1 ? "curve" : "curves");
    const char *separator = "  channels    ";
    for (uint32_t c = 1; c <= zo_channel_count(program); c++) {
        zo_channel_info channel;
        if (!zo_channel_get(program, (zo_channel){c}, &channel) || !zo_clip_drives(program, clip, (zo_channel){c})) {
            continue;
        }
        printf("%s%s", separator, channel.name);
        separator = ", ";
    }
    if (separator[0] == ',') { putchar('\n'); }
    for (uint32_t p = 0; p < info.param_count; p++) {
        zo_param_info param;
        zo_param_get(program, (zo_param){info.first_param.id + p}, &param);
        char value[32], low[32], high[32];
        cli_number_text(param.value, value);
        cli_number_text(param.low, low);
        cli_number_text(param.high, high);
        printf("  parameter   %s = %s (%s to %s)\n", param.name, value, low, high);
    }
    for (uint32_t e = 0; e < info.event_count; e++) {
        zo_clip_event_info event;
        zo_clip_event_get(program, clip, e, &event);
        const bool unnamed = event.action == ZO_ACTION_SHOW_CEL && *event.name == 0;
        printf("  at %s ms  %s%s%s\n", ms(event.at_ns, text), action_words[event.action], *event.name ? " " : "",
               unnamed ? " (the one whose turn it is)" : event.name);
    }
    if (info.reduced.id != 0 && info.reduced.id != clip.id) {
        zo_clip_info reduced;
        zo_clip_get(program, info.reduced, &reduced);
        printf("  under reduced motion: %s ms\n", ms(reduced.duration_ns, text));
    }
}

// The twins played under reduced motion are told of with the clip that has them.
static bool is_twin(const zo_program *program, zo_clip clip) {
    for (uint32_t c = 1; c <= zo_clip_count(program); c++) {
        zo_clip_info info;
        zo_clip_get(program, (zo_clip){c}, &info);
        if (c != clip.id && info.reduced.id == clip.id) { return true; }
    }
    return false;
}

static void print_human(const cli_loaded *loaded) {
    const zo_program *program = loaded->program;
    size_t size;
    zo_program_blob(program, &size);
    cli_put_plain(stdout, loaded->name);
    printf(": %s, %s profile, %zu bytes compiled\n", zo_program_format(program),
           profile_words[zo_program_profile(program)], size);
    for (uint32_t c = 1; c <= zo_clip_count(program); c++) {
        if (!is_twin(program, (zo_clip){c})) { print_clip(program, (zo_clip){c}); }
    }
    const char *separator = "\npictures      ";
    for (uint32_t c = 1; c <= zo_cel_count(program); c++) {
        zo_cel_info cel;
        zo_cel_get(program, (zo_cel){c}, &cel);
        printf("%s%s", separator, cel.name);
        separator = ", ";
    }
    if (separator[0] == ',') { putchar('\n'); }
}

static void json_clip(cli_json *json, const zo_program *program, zo_clip clip) {
    zo_clip_info info;
    zo_clip_get(program, clip, &info);
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", info.name);
    cli_json_text(json, "label", info.label);
    cli_json_text(json, "kind", info.kind);
    cli_json_number(json, "durationMs", (double)info.duration_ns / 1e6);
    cli_json_text(json, "timeUnit", unit_words[info.time_unit]);
    cli_json_text(json, "repeat", repeat_words[info.repeat]);
    if (info.repeat == ZO_REPEAT_RANDOM_INTERVAL) {
        cli_json_number(json, "minDelayMs", info.delay_ms_min);
        cli_json_number(json, "maxDelayMs", info.delay_ms_max);
    }
    cli_json_number(json, "keys", info.key_count);
    cli_json_open(json, "channels", '[');
    for (uint32_t c = 1; c <= zo_channel_count(program); c++) {
        zo_channel_info channel;
        if (zo_channel_get(program, (zo_channel){c}, &channel) && zo_clip_drives(program, clip, (zo_channel){c})) {
            cli_json_text(json, NULL, channel.name);
        }
    }
    cli_json_close(json, ']');
    cli_json_open(json, "parameters", '[');
    for (uint32_t p = 0; p < info.param_count; p++) {
        zo_param_info param;
        zo_param_get(program, (zo_param){info.first_param.id + p}, &param);
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "name", param.name);
        cli_json_number(json, "default", param.value);
        cli_json_number(json, "min", param.low);
        cli_json_number(json, "max", param.high);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "events", '[');
    for (uint32_t e = 0; e < info.event_count; e++) {
        zo_clip_event_info event;
        zo_clip_event_get(program, clip, e, &event);
        cli_json_open_inline(json, NULL, '{');
        cli_json_number(json, "atMs", (double)event.at_ns / 1e6);
        cli_json_text(json, "action", action_words[event.action]);
        cli_json_text(json, "name", event.name);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static void print_json(const cli_loaded *loaded) {
    const zo_program *program = loaded->program;
    cli_json json = {0};
    size_t size;
    zo_program_blob(program, &size);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "schema", "zoetrope/info@1");
    cli_json_text(&json, "file", loaded->name);
    cli_json_text(&json, "format", zo_program_format(program));
    cli_json_text(&json, "profile", profile_words[zo_program_profile(program)]);
    cli_json_number(&json, "programBytes", (double)size);
    cli_json_open(&json, "clips", '[');
    for (uint32_t c = 1; c <= zo_clip_count(program); c++) {
        if (!is_twin(program, (zo_clip){c})) { json_clip(&json, program, (zo_clip){c}); }
    }
    cli_json_close(&json, ']');
    cli_json_open(&json, "pictures", '[');
    for (uint32_t c = 1; c <= zo_cel_count(program); c++) {
        zo_cel_info cel;
        zo_cel_get(program, (zo_cel){c}, &cel);
        cli_json_text(&json, NULL, cel.name);
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    cli_json_end(&json);
}

int cli_info(const cli_args *args) {
    uint32_t kind = 0;
    if (!cli_choice(args, CLI_OPT_OUTPUT, &kind)) { return CLI_USAGE; }
    cli_loaded loaded;
    const int code = cli_load_one(args, &loaded);
    if (code == CLI_FINE) {
        if (kind == 1) {
            print_json(&loaded);
        } else {
            print_human(&loaded);
        }
    }
    cli_loaded_free(&loaded);
    return code;
}
