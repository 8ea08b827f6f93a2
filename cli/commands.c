// The two tables of the command line: commands and options. Parsing (args.c) and help (help.c) both read them, so what
// is accepted and what is printed cannot part.
#include <string.h>

#include "cli.h"

const cli_command cli_commands[] = {
    {"check", CLI_CHECK, "PATH...", "say what is wrong with animation files, all of it, with places",
     "  zoetrope check bounce.json\n"
     "  zoetrope check --output gcc animations/*.json      for an editor's problem list\n"
     "  zoetrope check --profile original bounce.json      as the program behind the format sees it\n"
     "  cat bounce.json | zoetrope check -\n",
     cli_check},
    {"info", CLI_INFO, "PATH", "say what is in a file: clips, channels, events, parameters, pictures",
     "  zoetrope info slam-land.json\n"
     "  zoetrope info builtin:jelly --output json\n",
     cli_info},
    {"sample", CLI_SAMPLE, "PATH", "print channel values at times",
     "  zoetrope sample slam-land.json --at 0,0.3,0.42,1\n"
     "  zoetrope sample slam-land.json --at 25%,120ms --set strength=1.5\n"
     "  zoetrope sample slam-land.json --fps 60 --output csv > values.csv\n",
     cli_sample},
    {"render", CLI_RENDER, "PATH -o OUT", "draw the animation: .webp .gif .png .rgba",
     "  zoetrope render slam-land.json -o slam.webp\n"
     "  zoetrope render slam-land.json -o slam.gif --fps 25 --size 256x256 --background '#203040'\n"
     "  zoetrope render slam-land.json -o 'frames/%04d.png' --from 0.1s --to 0.3s\n"
     "  zoetrope render slam-land.json -o still.png --at 42%\n"
     "  zoetrope render slam-land.json -o sheet.png --sheet 12\n"
     "  zoetrope render wave.json -o wave.webp --picture idle=cat.png --picture success=cat-happy.png\n"
     "  zoetrope render builtin:jelly -o jelly.webp --set strength=2\n",
     cli_render},
    {"dump", CLI_DUMP, "PATH", "list every record of the compiled program, or the merged keyframe lists",
     "  zoetrope dump slam-land.json\n"
     "  zoetrope dump slam-land.json --keyframes            keyframe lists for a browser's element.animate()\n",
     cli_dump},
    {"explain", CLI_EXPLAIN, "ID", "explain a diagnostic: the rule, its reason, the way out",
     "  zoetrope explain petween/layer-easing\n"
     "  zoetrope explain                                    lists them all\n",
     cli_explain},
    {"help", CLI_HELP, "[COMMAND]", "print help", "  zoetrope help render\n", cli_help},
    {NULL, 0, NULL, NULL, NULL, NULL},
};

const cli_option cli_options[CLI_OPT_COUNT] = {
    [CLI_OPT_ALL] = {"all", 0, NULL, CLI_SAMPLE, "all channels, also those that the clip leaves at rest"},
    [CLI_OPT_AT] = {"at", 0, "T[,T...]", CLI_SAMPLE | CLI_RENDER,
                    "times: 120ms, 0.5s, 50%, or a bare number in the clip's own unit (render: one time, one picture)"},
    [CLI_OPT_BACKGROUND] = {"background", 0, "COLOR", CLI_RENDER, "#rgb, #rrggbb, #rrggbbaa or none (the default)"},
    [CLI_OPT_CLIP] = {"clip", 0, "NAME", CLI_SAMPLE | CLI_RENDER, "which clip; the first when not given"},
    [CLI_OPT_COLOR] = {"color", 0, "WHEN", CLI_INPUTS, "auto (the default), always or never; NO_COLOR is honoured"},
    [CLI_OPT_COMPLETIONS] = {"completions", 0, "SHELL", CLI_HELP, "print completions for bash, zsh or fish"},
    [CLI_OPT_DRY_RUN] = {"dry-run", 0, NULL, CLI_CHECK, "with --fix: show what would be changed, and change nothing"},
    [CLI_OPT_DURATION] = {"duration", 0, "T", CLI_RENDER | CLI_DUMP, "play the clip in this time instead of its own"},
    [CLI_OPT_FIX] = {"fix", 0, NULL, CLI_CHECK, "mend what can be mended without guessing, in place"},
    [CLI_OPT_FORMAT] = {"format", 0, "NAME", CLI_INPUTS, "the format of the input: auto (the default) or its name"},
    [CLI_OPT_FPS] = {"fps", 0, "F", CLI_SAMPLE | CLI_RENDER, "frames a second, fractions allowed (render: 30)"},
    [CLI_OPT_FRAMES] = {"frames", 0, "A-B", CLI_RENDER, "only frames A to B of those that would be rendered, from 0; B is shown too"},
    [CLI_OPT_FROM] = {"from", 0, "T", CLI_SAMPLE | CLI_RENDER, "start at this time; what came before is played, not shown"},
    [CLI_OPT_HELP] = {"help", 'h', NULL, CLI_ANY, "print the command's help"},
    [CLI_OPT_KEYFRAMES] = {"keyframes", 0, NULL, CLI_DUMP, "the merged keyframe lists as JSON instead of the program"},
    [CLI_OPT_LOOP] = {"loop", 0, "N", CLI_RENDER, "how often a moving picture plays; 0, the default: for ever"},
    [CLI_OPT_MAN] = {"man", 0, NULL, CLI_HELP, "print the manual page"},
    [CLI_OPT_MAX_ERRORS] = {"max-errors", 0, "N", CLI_CHECK, "show at most N diagnostics a file, and count the rest; 100 when not given"},
    [CLI_OPT_NEAREST] = {"nearest", 0, NULL, CLI_RENDER, "no smoothing of enlarged pictures, for pixel art"},
    [CLI_OPT_NEXT] = {"next", 0, "PICTURE", CLI_RENDER, "the picture that an unnamed swap turns to"},
    [CLI_OPT_OUT] = {"out", 'o', "OUT", CLI_RENDER,
                     "the file to write; its ending names the kind; %d or %04d in a .png name numbers the frames"},
    [CLI_OPT_OUTPUT] = {"output", 0, "KIND", CLI_CHECK | CLI_INFO | CLI_SAMPLE,
                        "check: human, json or gcc; info: human or json; sample: json or csv"},
    [CLI_OPT_PICTURE] = {"picture", 0, "NAME=FILE", CLI_RENDER,
                         "a PNG for a picture name; may be repeated; without any, a pet of ours is shown"},
    [CLI_OPT_PROFILE] = {"profile", 0, "NAME", CLI_INPUTS,
                         "document (the default): as the format is written; original: as the program behind it behaves"},
    [CLI_OPT_QUIET] = {"quiet", 'q', NULL, CLI_CHECK | CLI_RENDER, "no word about what went well, and no progress"},
    [CLI_OPT_REDUCED_MOTION] = {"reduced-motion", 0, NULL, CLI_RENDER | CLI_DUMP,
                                "as shown to people who asked for less motion"},
    [CLI_OPT_REPEAT] = {"repeat", 0, "MODE", CLI_RENDER | CLI_DUMP, "once, loop or alternate instead of the clip's own"},
    [CLI_OPT_SCALE] = {"scale", 0, "S", CLI_RENDER, "pixels a unit of the animation; fits the picture when not given"},
    [CLI_OPT_SEED] = {"seed", 0, "N", CLI_RENDER, "of the random numbers; 0 when not given"},
    [CLI_OPT_SET] = {"set", 0, "NAME=VALUE", CLI_SAMPLE | CLI_RENDER | CLI_DUMP, "a parameter's value; may be repeated"},
    [CLI_OPT_SHEET] = {"sheet", 0, "N", CLI_RENDER, "a contact sheet: N frames at even distances in one .png"},
    [CLI_OPT_SHOW] = {"show", 0, "PICTURE", CLI_RENDER, "the picture shown at the start"},
    [CLI_OPT_SIZE] = {"size", 0, "WxH", CLI_RENDER, "pixels; 512x512 when not given"},
    [CLI_OPT_STRICT] = {"strict", 0, NULL, CLI_CHECK, "also note what is legal but probably not meant"},
    [CLI_OPT_TO] = {"to", 0, "T", CLI_SAMPLE | CLI_RENDER,
                    "end before this time; when not given: one pass, and half a second more if the clip then stops"},
    [CLI_OPT_VERSION] = {"version", 'V', NULL, CLI_ANY, "print the version"},
};

const cli_command *cli_command_find(const char *name) {
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) { return command; }
    }
    return NULL;
}
