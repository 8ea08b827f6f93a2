// `zoetrope dump`: the compiled program record by record, or with --keyframes the merged keyframe lists.
#include <string.h>

#include "cli.h"
#include "load.h"

// The options that shape keyframe lists, taken literally: nothing is compiled that could tell more of them.
static bool frames_def(const cli_args *args, zo_frames_def *def) {
    *def = (zo_frames_def){.reduced_motion = cli_given(args, CLI_OPT_REDUCED_MOTION),
                           .set_repeat = cli_given(args, CLI_OPT_REPEAT)};
    if (!cli_choice(args, CLI_OPT_REPEAT, &def->repeat)) { return false; }
    const char *duration = args->values[CLI_OPT_DURATION], *set = args->values[CLI_OPT_SET];
    int64_t ns = 0;
    const zo_clip_info none = {.duration_ns = 1, .time_unit = ZO_TIME_SECONDS};
    if (duration != NULL &&
        (strchr(duration, '%') != NULL || !cli_time(duration, CLI_BARE_SECONDS, &none, &ns) || ns == 0)) {
        cli_usage(args, "--duration wants a time such as 300ms or 0.3s, not '%s'", duration);
        return false;
    }
    def->duration_ms = (double)ns / 1e6;
    if (set != NULL) {
        def->set_strength = strncmp(set, "strength=", 9) == 0 && cli_decimal(set + 9, &def->strength);
        if (!def->set_strength) {
            cli_usage(args, "--keyframes knows --set strength=NUMBER, not '%s'", set);
            return false;
        }
    }
    return true;
}

// Whether the program has the clip that is asked for, told from its names. What is wrong with the source otherwise is
// said by whoever goes on with it.
static bool has_clip(const cli_args *args, const zo_source *source, const zo_compile_def *def) {
    zo_program *program = NULL;
    zo_clip clip;
    zo_clip_info info;
    zo_compile(source, 1, def, &program, NULL);
    const bool has = program == NULL || cli_pick_clip(args, program, &clip, &info);
    zo_program_free(program);
    return has;
}

static int dump_frames(const cli_args *args) {
    zo_frames_def frames;
    if (!cli_one_operand(args) || !frames_def(args, &frames)) { return CLI_USAGE; }
    cli_loaded loaded;
    zo_source source;
    zo_compile_def def;
    frames.clip = args->values[CLI_OPT_CLIP];
    int code = cli_source(args, args->operands[0], &loaded, &source, &def);
    if (code == CLI_FINE && frames.clip != NULL && !has_clip(args, &source, &def)) { code = CLI_USAGE; }
    if (code == CLI_FINE) {
        loaded.status = zo_frames(&source, &def, &frames, cli_to_stdout, NULL, &loaded.report);
        code = cli_say_report(args, &loaded);
        if (loaded.status == ZO_UNSUPPORTED && (loaded.report == NULL || zo_report_count(loaded.report) == 0)) {
            cli_say("'%s': this format has no keyframe lists", loaded.name);
        }
    }
    cli_loaded_free(&loaded);
    return code;
}

int cli_dump(const cli_args *args) {
    if (cli_given(args, CLI_OPT_KEYFRAMES)) { return dump_frames(args); }
    if (cli_given(args, CLI_OPT_CLIP)) { return cli_usage(args, "--clip picks a keyframe list; add --keyframes"); }
    cli_loaded loaded;
    const int code = cli_load_one(args, &loaded);
    if (code == CLI_FINE) { zo_program_dump(loaded.program, cli_to_stdout, NULL); }
    cli_loaded_free(&loaded);
    return code;
}
